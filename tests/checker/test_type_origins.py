"""Related places of wrong types: where the documents give an expression of the rules its type."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
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
    rules = 'define fine = value.unused + 1\ndefine wrong(text_of: text) = 1 < text_of\n'
    errors = [d for d in check(write(tmp_path, rules, {"tables.yaml": TABLES})) if d.severity == "error"]
    assert [(d.code, d.related) for d in errors] == [("wrong-type", ())]
