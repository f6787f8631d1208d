"""Checked rules that are kept between starts: the same rules again, and nothing else is read from what was kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from interpreter.compiler import kept_models
from interpreter.compiler.assembling import compile_model
from interpreter.facade.loading import load_model
from interpreter.files import kept
from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import Sink
from tests.tiny import build


def model_of(folder: Path) -> CheckedModel:
    rules = build(folder, "procedure run(a: army):\n    report note(count(p in places where p.height * 2 > 1))")
    assert rules.model is not None
    return rules.model


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(kept.OFF, raising=False)


def test_rules_that_were_kept_compile_to_the_same_code(tmp_path: Path) -> None:
    model = model_of(tmp_path)
    kept_models.keep("key", model)
    found = kept_models.find("key")
    assert found is not None and found is not model
    for form in ("play", "ledger", "odds"):
        one, other = compile_model(model, form), compile_model(found, form)
        assert [c.co_consts for c in one.codes] == [c.co_consts for c in other.codes]
        assert one.data == other.data


@pytest.mark.parametrize("game", ["napoleon", "denain-1712"])
def test_the_shipped_games_hold_nothing_that_cannot_be_kept(game: str) -> None:
    model = load_model(game, Sink())
    assert model is not None
    kept_models.keep(game, model)
    found = kept_models.find(game)
    assert found is not None
    assert found.ruleset.content_hash == model.ruleset.content_hash
    assert compile_model(found).data == compile_model(model).data


def test_what_was_one_thing_is_one_thing_again(tmp_path: Path) -> None:
    model = model_of(tmp_path)
    kept_models.keep("key", model)
    found = kept_models.find("key")
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
def test_nothing_but_records_of_the_model_is_read(rows: bytes) -> None:
    kept.keep("checked", "key", rows)
    assert kept.find("checked", "key") == rows
    assert kept_models.find("key") is None
    assert kept_models.find(None) is None


def test_what_was_not_used_for_longest_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST", 3)
    for age, key in enumerate("abc"):
        kept.keep("checked", key, key.encode())
        os.utime(tmp_path / "kept" / "checked" / key, (1_000_000 + age,) * 2)
    assert kept.find("checked", "a") == b"a"
    kept.keep("checked", "d", b"d")
    assert [kept.find("checked", key) for key in "abcd"] == [b"a", None, b"c", b"d"]
