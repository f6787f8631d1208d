"""Test the files that `export` writes: small, reproducible, free of their maker's data, and overwriting no others."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.ui.web.export.site import is_export, is_on_demand
from tests.export.conftest import build_module

MEGABYTE = 1_000_000
# A first visit loads, compressed: the parts of the kit that each start needs, and a whole game with its page.
KIT, LIMITS = 5.5 * MEGABYTE, {"napoleon": 6.5 * MEGABYTE, "denain-1712": 7.2 * MEGABYTE}
ON_DEMAND = 1.1 * MEGABYTE  # loaded when a visitor tries a change
PAGE = files("interpreter.ui.web").joinpath("page")
OWN = files("interpreter.ui.web").joinpath("browser", "page")


def test_kit_of_every_start_is_within_its_budget(kit):
    sizes = {name: len(data) for name, data in kit.files.items() if not name.startswith("workshop")}
    assert sum(sizes.values()) <= KIT, sizes
    assert {"LICENSE-pyodide.txt", "LICENSE-python.txt"} <= kit.files.keys()


@pytest.mark.parametrize("ruleset", LIMITS)
def test_exported_folder_is_within_its_budget(exported, ruleset):
    folder = exported(ruleset, ruleset)
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    at_first = {name: size for name, size in sizes.items() if not is_on_demand(name)}
    assert sum(at_first.values()) <= LIMITS[ruleset], at_first
    assert sum(sizes.values()) - sum(at_first.values()) <= ON_DEMAND
    assert {"index.html", "offline.js", "manifest.webmanifest", "kit/LICENSE-pyodide.txt"} <= sizes.keys()


def test_service_worker_loads_files_of_first_visit(exported):
    """Check that every listed file exists, with the digest by which page and service worker share it."""
    folder = exported("napoleon", "napoleon")
    script = (folder / "offline.js").read_text()
    files, later = (json.loads(re.search(rf"const {name} = (.*);", script)[1]) for name in ("FILES", "LATER"))
    assert all(is_on_demand(name) == (name in later) for name in files)
    for name, digest in files.items():
        data = (folder / (name or "index.html")).read_bytes()
        assert hashlib.sha256(data).hexdigest().startswith(digest), name
    config = re.search(r'id="grognard-config">(.*?)</script>', (folder / "index.html").read_text())
    loaded = json.loads(config[1])
    assert {name: digest for name, (_size, digest) in loaded["files"].items()}.items() <= files.items()
    assert loaded["later"] == {name: files[name] for name in later}


def test_export_twice_writes_same_bytes(exported, tmp_path, monkeypatch):
    for out in ("one.zip", "one.html"):
        first = exported("napoleon", out, "--lang", "ja")
        assert main(["export", "napoleon", "--out", str(tmp_path / out), "--lang", "ja"]) == 0
        assert first.read_bytes() == (tmp_path / out).read_bytes()
    home = str(Path.home()).encode()
    assert home not in first.read_bytes() and b"/site-packages/" not in first.read_bytes()


def test_export_replaces_export_and_spares_other_files(kit, exported, tmp_path, capsys):
    folder = exported("napoleon", "napoleon")
    assert is_export((folder / "index.html").read_text(encoding="utf-8"))
    assert main(["export", "napoleon", "--out", str(folder)]) == 0
    (tmp_path / "letter.txt").write_text("dear")
    assert main(["export", "napoleon", "--out", str(tmp_path)]) == 2
    assert "contains other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_export_refuses_ruleset_with_errors_and_wrong_start(kit, tmp_path, capsys):
    broken = tmp_path / "broken"
    assert main(["new", "ruleset", str(broken)]) == 0
    rules = next(broken.glob("*.rules"))
    rules.write_text(rules.read_text() + "\nprocedure broken():\n    nonsense\n")
    assert main(["export", str(broken), "--out", str(tmp_path / "page.html")]) == 1
    assert "nonsense" in capsys.readouterr().err
    for words in (["--option", "nothing"], ["--scenario", "nothing"], ["--side", "nobody=greedy"]):
        assert main(["export", "napoleon", "--out", str(tmp_path / "page.html"), *words]) == 2
    assert not (tmp_path / "page.html").exists()


def test_own_modules_export_imports_of_page():
    """Check that the replacement for the page's server module exports all that other modules import from it."""
    own = {file.name: file.read_text() for file in OWN.iterdir() if file.name.endswith(".js")}
    exports = set(re.findall(r"^export (?:async )?(?:class|function|const|let) (\w+)", own["server.js"], re.M))
    for file in PAGE.iterdir():
        if file.name.endswith(".js") and file.name != "server.js":
            for names in re.findall(r'import \{([^}]*)\} from "\./server\.js"', file.read_text()):
                wanted = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
                assert wanted <= exports, f"{file.name} imports {wanted - exports}"
    shared = own.keys() & {file.name for file in PAGE.iterdir()}
    assert shared == {"server.js"}, "a module of the page must not be replaced unseen"


def test_page_names_its_files_in_ways_that_one_file_can_hold():
    """Check that no module asks for another file by its address: a single HTML file provides modules by name."""
    for folder in (PAGE, OWN):
        for file in folder.iterdir():
            text = file.read_text() if file.name.endswith((".js", ".css")) and file.name != "server.js" else ""
            assert "import.meta" not in text, file.name
            assert not re.search(r"url\((?!['\"]?data:)|@import", text) or not file.name.endswith(".css"), file.name


@pytest.mark.soak
def test_kit_built_twice_has_same_bytes(kit, tmp_path):
    build_module().build(tmp_path)
    again = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix in (".gz", ".txt")}
    assert again == kit.files
