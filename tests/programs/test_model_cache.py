"""Checked rules that are kept between starts: the same rules again, and nothing else is read from what was kept."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from interpreter.api import rules as api_rules
from interpreter.api.loading import load, with_identity
from interpreter.api.rules import Rules
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import print_model
from interpreter.files import disk_cache
from interpreter.files.memory_cache import MemoryCache
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.programs import model_cache, program_cache
from tests.tiny import build, checked_model, write
from tests.witness.forms import compile_beside


def model_of(folder: Path) -> CheckedModel:
    rules = build(folder, "procedure run(a: army):\n    report note(count(p in places where p.height * 2 > 1))")
    assert rules.model is not None
    return rules.model


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(disk_cache.OFF, raising=False)
    monkeypatch.setattr(
        api_rules, "_newest", MemoryCache(api_rules._MAX_CACHED_RULESETS)
    )  # as in a process that has loaded nothing yet


def test_rules_that_were_kept_compile_to_same_code(tmp_path: Path) -> None:
    model = model_of(tmp_path)
    model_cache.store("key", model)
    found = model_cache.find("key")
    assert found is not None and found is not model
    play = print_model(lower_model(model, explained=True), model)
    kept_play = CompiledProgram(play.codes, json.loads(json.dumps(play.data)))
    for form in ("play", "ledger", "odds"):
        one, other = (
            print_model(lower_model(rules, explained=True), rules)
            if form == "play"
            else compile_beside(rules, form, kept_play)
            for rules in (model, found)
        )
        assert [c.co_consts for c in one.codes] == [c.co_consts for c in other.codes]
        assert one.data == other.data


@pytest.fixture(scope="module", params=["napoleon", "denain-1712"])
def shipped(request: pytest.FixtureRequest) -> Rules:
    """Return a shipped game, compiled from its sources once for all tests."""
    return load(request.param)


def test_shipped_games_hold_nothing_that_cannot_be_kept(shipped: Rules) -> None:
    model = checked_model(shipped.id)
    model_cache.store("key", model)
    found = model_cache.find("key")
    assert found is not None
    assert found.ruleset.content_hash == model.ruleset.content_hash
    assert (
        json.loads(json.dumps(with_identity(print_model(lower_model(found, explained=True), found), found).data))
        == shipped.program.data
    )


def test_shared_source_is_shared_after_restore(tmp_path: Path) -> None:
    model = model_of(tmp_path)
    model_cache.store("key", model)
    found = model_cache.find("key")
    assert found is not None
    body = model.procedures["run"].body
    again = found.procedures["run"].body
    assert body[0].span.source is model.procedures["run"].span.source
    assert again[0].span.source is found.procedures["run"].span.source


@pytest.mark.parametrize(
    "rows",
    [
        b"nonsense",
        b"",
        b"[]",
        b"7",
        b"\xff\xfe",
        json.dumps([["dict", "a", 1]]).encode(),
        json.dumps([["print", "a"]]).encode(),
        json.dumps([["os.system", "true"]]).encode(),
        json.dumps([["tuple", [0]]]).encode(),
        json.dumps([["Fraction", 1, 0]]).encode(),
        json.dumps([["Literal", 1]]).encode(),
        json.dumps([["dict", 1]]).encode(),
    ],
)
def test_nothing_but_records_of_model_is_read(rows: bytes) -> None:
    disk_cache.store("checked", "key", rows)
    assert disk_cache.find("checked", "key") == rows
    assert model_cache.find("key") is None
    assert model_cache.find(None) is None


def test_least_recently_used_entry_is_evicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_MAX_FILES", 3)
    for age, key in enumerate("abc"):
        disk_cache.store("checked", key, key.encode())
        os.utime(tmp_path / "kept" / "checked" / key, (1_000_000 + age,) * 2)
    assert disk_cache.find("checked", "a") == b"a"
    disk_cache.store("checked", "d", b"d")
    assert [disk_cache.find("checked", key) for key in "abcd"] == [b"a", None, b"c", b"d"]


def test_other_programs_do_not_evict_shipped_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_MAX_FILES", 2)
    rulesets = Path(program_cache.__file__).resolve().parents[2] / "rulesets"
    shipped = [
        program_cache.compute_key(target)
        for target in ("denain-1712", str(rulesets / "napoleon" / "variants" / "treaties.yaml"))
    ]
    tiny = tmp_path / "tiny"
    tiny.mkdir()
    (tiny / "ruleset.yaml").write_text("kind: ruleset\n", encoding="utf-8")
    own = program_cache.compute_key(str(tiny))
    assert own is not None
    for key in (*shipped, *(f"{own[:-1]}{n}" for n in range(5))):
        assert key is not None
        disk_cache.store("compiled", key, b"made")
    assert [disk_cache.find("compiled", str(key)) for key in shipped] == [b"made", b"made"]
    assert len(list((tmp_path / "kept" / "compiled").iterdir())) == 4


def test_copy_of_same_name_is_recognized_in_any_folder(tmp_path: Path) -> None:
    rulesets = Path(program_cache.__file__).resolve().parents[2] / "rulesets"
    for place in ("here/napoleon", "there/napoleon", "there/other"):
        shutil.copytree(rulesets / "napoleon", tmp_path / place)
    for inside in ("", "variants/treaties.yaml"):
        here, there, other = (
            program_cache.compute_key(str(tmp_path / place / inside))
            for place in ("here/napoleon", "there/napoleon", "there/other")
        )
        assert here == there is not None
        assert here != other  # its files are called otherwise in messages
    load(str(tmp_path / "here" / "napoleon"), checked=True)
    kept_rules = [
        file.read_bytes() for sort in ("compiled", "checked") for file in (tmp_path / "kept" / sort).iterdir()
    ]
    assert len(kept_rules) == 2
    assert not any(bytes(tmp_path) in body for body in kept_rules)  # nothing in them says where they were made


def test_reloaded_ruleset_is_shared_until_it_changes(tmp_path: Path) -> None:
    folder = write(tmp_path, "procedure run(a: army):\n    report note(1)")
    first, again = load(folder), load(folder)
    assert again.program is first.program and again.documents() is first.documents()
    assert again.form("ledger") is first.form("ledger")
    assert again.form("covered") is not first.form("covered")  # a listener of one form receives nothing of other games
    checked = load(folder, checked=True)
    assert again.model is None and checked.model is not None
    assert load(folder, checked=True).model is checked.model
    watched = load(folder, instrument=True)
    assert watched.program is not first.program and load(folder, instrument=True).program is not watched.program
    title = folder / "ruleset.yaml"
    title.write_text(title.read_text(encoding="utf-8") + "\n# typed over\n", encoding="utf-8")
    later = load(folder)
    assert later.program is not first.program and later.program.content_hash != first.program.content_hash
    assert load(folder).program is later.program


def test_few_rulesets_stay_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_rules, "_newest", MemoryCache(2))
    rules = "procedure run(a: army):\n    report note({})"
    folders = [Path(build(tmp_path / str(n), rules.format(n)).target) for n in range(3)]
    programs = [load(folder).program for folder in folders]
    assert load(folders[2]).program is programs[2] and load(folders[1]).program is programs[1]
    assert load(folders[0]).program is not programs[0]
    assert len(api_rules._newest) == 2


def test_key_distinguishes_a_file_from_a_name_that_contains_it(tmp_path: Path) -> None:
    """Else a folder could be served the program of another one."""
    text, name = "define one = 1", "z.rules"
    for where, path in (("first", name), ("second", f"{name} {len(text)} {text}game")):
        folder = tmp_path / where / "game"
        (folder / path).parent.mkdir(parents=True)
        (folder / "ruleset.yaml").write_text("kind: ruleset\n", encoding="utf-8")
    first, second = tmp_path / "first" / "game", tmp_path / "second" / "game"
    (first / name).write_text(text, encoding="utf-8")
    (first / "zz.rules").write_text("define two = one\n", encoding="utf-8")
    (second / f"{name} {len(text)} {text}game").mkdir()
    (second / f"{name} {len(text)} {text}game" / "zz.rules").write_text("define two = one\n", encoding="utf-8")
    keys = [program_cache.compute_key(str(folder)) for folder in (first, second)]
    assert None not in keys and keys[0] != keys[1]
