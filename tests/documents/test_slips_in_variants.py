"""Slips of authors in variants and scenarios: one finding each, at the place of the slip, with a fix that works."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from interpreter.api.game import check
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.wrong_definitions import _blame_removals
from interpreter.i18n.translator import mark
from tests.first_game import write_first_game

HEAD = "kind: variant\nformat: 2\nid: slip\ntitle: Slip\nextends: fords\n"


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ("values:\n  x: {value: 2}\n", "unknown-key", "`values` belongs under `tables:`"),
        ("tables:\n  values:\n    New x: {value: 2}\n", "unknown-in-base", "write `new` in small letters: `new x`"),
        ("tables:\n  values:\n    new x: {value: 2,5}\n", "bad-value", "write a decimal point"),
        ("rules:\n  replace define f: true\n", "wrong-type", "write rules in a block: `rules: |`"),
        ("rules: |\n  replace rule f(u: unit) = true\n", "unexpected-word", "end this line with `:`"),
        ("rules: |\n  add requirement to f:\n      require true\n", "unexpected-word", "write `require`"),
        ("scenarios:\n  new other: {turns: 3}\n", "missing-key", "write `title: ...`"),
        (
            "scenarios:\n  first_battle:\n    setup:\n      each: [red_1]\n",
            "wrong-type",
            "give each name a value: `{red_1: ...}`",
        ),
    ],
)
def test_slip_in_variant_is_one_finding_with_fix(tmp_path: Path, body: str, code: str, told: str) -> None:
    (finding,) = check(write_variant(tmp_path, body))
    assert finding.code == code and told in finding.help
    assert finding.file.endswith("slip.yaml")


def test_error_that_names_two_removed_names_is_replaced_once() -> None:
    """Regression: it was replaced for each name, and the second time it was not there."""
    source = Source("slip.yaml", "castle: null\nford: null\n")
    texts = SimpleNamespace(removals={"castle": Span(source, 0, 6), "ford": Span(source, 13, 17)})
    sink = Sink()
    sink.add_error(
        "unknown-place",
        mark("`{name}` is not a place next to `{other}`", name="ford", other="castle"),
        Span(source, 0, 6),
    )
    _blame_removals(texts, sink)
    (finding,) = sink.items
    assert str(finding.message).startswith("`ford` is removed here")


def test_removed_name_in_use_is_one_finding_at_removal(tmp_path: Path) -> None:
    (finding,) = check(write_variant(tmp_path, "tables:\n  values:\n    crossroads: null\n"))
    assert "`crossroads` is removed here" in finding.message
    assert finding.span.source.text[finding.span.start : finding.span.end] == "crossroads"
    assert finding.related


def test_variant_that_extends_itself_says_so(tmp_path: Path) -> None:
    path = tmp_path / "slip.yaml"
    path.write_text(HEAD.replace("fords", "slip.yaml") + "rules: |\n  remove f\n", encoding="utf-8")
    (finding,) = check(path)
    assert (finding.code, finding.message) == ("variant-circle", "the variant extends itself, so it has no base")


def test_new_piece_without_place_is_one_finding_at_piece(tmp_path: Path) -> None:
    twin = "pieces:\n  pieces:\n    new red_3: {class: unit, side: reds, strength: 4}\n"
    second = "scenarios:\n  new second: {title: Second, extends: first_battle}\n"
    (finding,) = check(write_variant(tmp_path, twin + second))
    assert (finding.code, finding.message) == ("piece-without-place", "no scenario places `red_3`")
    assert finding.span.source.text[finding.span.start : finding.span.end] == "red_3"


def write_variant(root: Path, body: str) -> Path:
    """Write a variant of the first game in the folder of its variants; return its file."""
    path = write_first_game(root) / "variants" / "slip.yaml"
    path.parent.mkdir()
    path.write_text(HEAD + body, encoding="utf-8")
    return path
