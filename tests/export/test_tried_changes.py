"""Changes that a visitor tries: every cell as it is, findings at their cells, and variants that can be kept."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from interpreter.api.bundle import load_bundle
from interpreter.api.game import check, load
from interpreter.api.loading import load as load_rules
from interpreter.ui.web.browser.workshop import Workshop
from interpreter.ui.web.export.sources import pack_sources

ROOT = Path(__file__).resolve().parents[2]


def workshop(folder: Path, target: str) -> Workshop:
    sources = pack_sources(target, load_rules(target))
    zipfile.ZipFile(io.BytesIO(sources.archive)).extractall(folder)
    return Workshop(folder / sources.target, sources.extends)


@pytest.mark.parametrize("target", ["napoleon", "denain-1712", "rulesets/napoleon/variants/general_winter.yaml"])
def test_cells_as_they_are_make_variant_without_findings(target, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    own = workshop(tmp_path, target)
    found = own.check({name: cell.text for name, cell in own.cells.items() if cell.text})
    assert found["findings"] == []
    name = next(name for name, cell in own.cells.items() if cell.path[-2:-1] != ("values",) and cell.text.isdigit())
    assert own.check({name: str(int(own.cells[name].text) + 1)})["is_sound"]


def test_check_shows_each_finding_at_its_cell(tmp_path):
    own = workshop(tmp_path, "napoleon")
    name = next(name for name, cell in own.cells.items() if cell.path[:3] == ("tables", "tables", "combat_table"))
    order = next(name for name, cell in own.cells.items() if cell.is_list)
    value = next(name for name, cell in own.cells.items() if cell.path[1] == "values")
    found = own.check({name: "many", order: "nobody"})
    assert not found["is_sound"]
    assert {one["cell"] for one in found["findings"]} == {name, order}
    found = own.check({value: "many"})
    assert not found["is_sound"] and [one["cell"] for one in found["findings"]] == [value]


def test_changed_cell_changes_built_game_and_file_is_variant(tmp_path):
    own = workshop(tmp_path, "napoleon")
    name = next(name for name, cell in own.cells.items() if cell.path == ("tables", "values", "declare_at", "value"))
    found = own.check({name: "7"})
    own.call("POST", "/api/build", "", json.dumps({"variant": found["variant"]}))
    own.write_generated_files(str(tmp_path / "made"))
    built = load_bundle({path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}, "changed")
    assert built.documents().constants["declare_at"].value == 7
    file = tmp_path / "kept.yaml"
    file.write_text(found["file"], encoding="utf-8")
    assert check(str(file)) == () and load(str(file)).program.content_hash != load("napoleon").program.content_hash


@pytest.mark.parametrize("text", ["a: b", "[x", "- y", '"', "\\", "${z}", "#", "\n  injected: true"])
def test_text_of_cell_stays_value(text, tmp_path):
    own = workshop(tmp_path, "napoleon")
    name = next(name for name, cell in own.cells.items() if cell.path[:3] == ("tables", "tables", "combat_table"))
    found = own.check({name: text})
    assert [one["cell"] for one in found["findings"]] == [name]
