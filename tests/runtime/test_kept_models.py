"""Checked rules that are kept between starts: the same rules again, and nothing else is read from what was kept."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from interpreter.compiler import kept_models
from interpreter.compiler.assembling import compile_model
from interpreter.files import kept
from interpreter.model.core import CheckedModel
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


@pytest.mark.parametrize(
    "body",
    [
        pickle.dumps({"a": 1}),
        pickle.dumps(print),
        b"cposix\nsystem\n(S'true'\ntR.",
        b"cinterpreter.model.nodes\nchildren\n.",
        b"cinterpreter.facade.loading\nload_rules\n.",
        b"nonsense",
        b"",
    ],
)
def test_nothing_but_records_of_the_model_is_read(body: bytes) -> None:
    kept.keep("checked", "key", body)
    assert kept.find("checked", "key") == body
    assert kept_models.find("key") is None
    assert kept_models.find(None) is None
