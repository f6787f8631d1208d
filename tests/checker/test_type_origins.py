"""Related places of wrong types: where the documents give an expression of the rules its type."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.diagnostics.diagnostic import Diagnostic
from tests.tiny import write

TABLES = """
    kind: tables
    format: 1
    values:
      reach: {value: three}
      unused: 4
    tables:
      weather:
        axes: {die: die}
        gives: {one_of: [fair, foul]}
        cells: [fair, fair, fair, foul, foul, foul]
"""


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("1 < value.reach", "reach"),
        ("value.reach + 1", "reach"),
        ("1 == value.reach", "reach"),
        ("1 in value.reach", "reach"),
        ("count(value.reach)", "reach"),
        ("if true then value.reach else 1", "reach"),
        ("game.total and true", "total"),
        ("weather[1] * 2", "weather"),
        ("first(a in armies where a.home > 2)", "home"),
        ("value.unusd", "unused"),
        ("game.totl", "total"),
    ],
)
def test_wrong_type_names_place_in_documents(tmp_path: Path, expression: str, place: str) -> None:
    folder = write(tmp_path, f"define wrong = {expression}\n", {"tables.yaml": TABLES})
    errors = [d for d in check(folder) if d.severity == "error"]
    assert len(errors) == 1 and errors[0].file.endswith(".rules"), errors
    (related,) = errors[0].related
    lines = related.span.source.text.splitlines()
    assert related.span.file.endswith(".yaml") and lines[related.span.line - 1].strip().startswith(f"{place}:")
    assert f"`{place}`" in related.message


def test_right_and_local_types_have_no_related_place(tmp_path: Path) -> None:
    rules = "define fine = value.unused + 1\ndefine wrong(text_of: text) = 1 < text_of\n"
    errors = [d for d in check(write(tmp_path, rules, {"tables.yaml": TABLES})) if d.severity == "error"]
    assert [(d.code, d.related) for d in errors] == [("wrong-type", ())]


def errors_of(folder: Path) -> list[Diagnostic]:
    return [d for d in check(folder) if d.severity == "error"]


def test_wrong_type_in_every_use_is_one_error_at_the_definition(tmp_path: Path) -> None:
    rules = "define a = 1 < value.reach\ndefine b = value.reach + 1\n"
    (error,) = errors_of(write(tmp_path, rules, {"tables.yaml": TABLES}))
    assert (error.code, error.file, error.line) == ("wrong-type", "tiny/tables.yaml", 5)
    assert [r.span.file for r in error.related] == ["tiny/own.rules"] * 2


def test_wrong_type_in_some_uses_is_reported_at_these_uses(tmp_path: Path) -> None:
    rules = "define a = 1 < value.reach\ndefine b = value.reach + 1\ndefine c = value.reach\n"
    assert {d.file for d in errors_of(write(tmp_path, rules, {"tables.yaml": TABLES}))} == {"tiny/own.rules"}


@pytest.mark.parametrize(
    ("name", "help"), [("unusd", "did you mean `unused`?"), ("range_of_fire", "`range_of_fire` in those places")]
)
def test_renamed_value_is_one_error_at_the_definition(tmp_path: Path, name: str, help: str) -> None:
    tables = TABLES.replace("unused: 4", f"{name}: 4").replace("three", "3")
    rules = "define a = value.unused\ndefine b = value.unused + value.reach\ndefine c = value.unused * 2\n"
    (error,) = errors_of(write(tmp_path, rules, {"tables.yaml": tables}))
    assert (error.code, error.file, error.line) == ("unknown-value", "tiny/tables.yaml", 6)
    assert help in error.help and [r.span.line for r in error.related] == [1, 2, 3]


def test_misspelt_uses_of_a_used_name_are_reported_where_they_are(tmp_path: Path) -> None:
    rules = "define a = value.unusd\ndefine b = value.unusd\ndefine c = value.unused\n"
    errors = errors_of(write(tmp_path, rules, {"tables.yaml": TABLES}))
    assert [(d.code, d.line, d.related) for d in errors] == [("unknown-value", 1, ()), ("unknown-value", 2, ())]
