"""Test the advice in messages where an author writes the syntax of other languages or plain English."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.cli.main import main
from interpreter.diagnostics.quick_fixes import find_quick_fix
from tests.recordings import assert_recorded
from tests.tiny import write

VARIANT = """\
kind: variant
format: 1
id: v
title: V
extends: ..
rules: |
"""


def messages(target: Path) -> list[tuple[str, str, str]]:
    return [(d.code, d.message, d.help) for d in check(target) if d.severity == "error"]


@pytest.mark.parametrize(
    ("rules", "help"),
    [
        (
            "procedure run(a: army):\n    for p in places where p.height > 1: nothing\n",
            "put it in braces",
        ),
        (
            "procedure run(a: army) [7]:\n    nothing\n",
            "[2.1]",
        ),
        (
            'procedure run(a: army):\n    assert true "{a}{if fog then "x" else "y"}"\n',
            "from a define",
        ),
        (
            "define low(n: int) = 1 < n < 3\n",
            "`x in 1..3`",
        ),
        ("define free = total > 3\n", "`game.total`"),
        ("procedure run(a: army):\n    set total = 3\n", "`game.total`"),
        ("define foggy = fog\n", "`playing fog`"),
        ("define sure = true == yes\n", "write `true`"),
        ("define high = score > 3\n", "`x.score`"),
        ("define thrown = die + 1\n", "`roll NAME: die -> result`"),
        ("procedure run(a: army):\n    game.total = 3\n", "`set game.total = ...`"),
        ("procedure run(u: unit):\n    u.at = a\n", "`move u to ...`"),
        ("procedure run(a: army):\n    a.score += 2\n", "`raise a.score by ...`"),
        (
            "procedure run(a: army):\n    x = 2\n",
            "`let x = ...`",
        ),
        (
            "define near(p: place) = {u in units in p}\n",
            "`pieces at place`",
        ),
        ("define far = {p in places when p.height > 1}\n", "after `where`"),
        (
            "procedure run(a: army):\n    for n in 1 to 3: nothing\n",
            "`1..3`",
        ),
        ("procedure run(a: army):\n    for each u in units: nothing\n", "write `for u in ...:`"),
        ("procedure run(a: army):\n    draw who: units [2.1]\n", "`... -> result`"),
        ("procedure run(a: army):\n    roll test: die\n", "`... -> result`"),
        ("procedure run(a: army):\n    draw units -> who\n", "`draw NAME: ...`"),
        (
            "procedure run(a: army):\n    roll test: 2d6 -> x\n",
            "`roll test: 2 of die -> thrown`",
        ),
        (
            'procedure run(a: army):\n    phase "Late":\n        nothing\n',
            '`phase NAME "..."`',
        ),
        ("procedure run(a, n: int):\n    nothing\n", "`a: TYPE`"),
        ("define at_home(a: Army) = true\n", "`army`"),
        ("define odd(n: integer) = n\n", "did you mean `int`?"),
        ('procedure run(a: army):\n    assert true "{a is there"\n', "closing brace"),
        (
            'procedure run(a: army):\n    assert true "{count({u in units})} left"\n',
            "name the set",
        ),
    ],
)
def test_diagnostic_gives_advice(tmp_path: Path, rules: str, help: str) -> None:
    [(_code, _message, said)] = messages(write(tmp_path, rules))
    assert help in said


def test_phase_that_is_added_says_where(tmp_path: Path) -> None:
    changes = VARIANT + '  add phase late "Late":\n      nothing\n'
    folder = write(tmp_path, "define x = 1\n", {"variants/v.yaml": changes})
    (help,) = (h for _, _, h in messages(folder / "variants" / "v.yaml"))
    assert "`before PHASE`" in help and "`after PHASE`" in help


def test_phase_that_is_moved_is_named_alone(tmp_path: Path) -> None:
    folder = write(tmp_path, "define x = 1\n", {"variants/v.yaml": VARIANT + "  move phase latee before only_phase\n"})
    ((code, message, _help),) = messages(folder / "variants" / "v.yaml")
    assert code == "unknown-address" and message.count("`latee`") == 2


def test_full_width_digit_of_value_is_named(tmp_path: Path) -> None:
    folder = write(
        tmp_path, "define x = value.reach + 1\n", {"values.yaml": "kind: tables\nformat: 1\nvalues:\n  reach: ３\n"}
    )
    assert_recorded(help for code, _, help in messages(folder) if code == "wrong-type")


def test_odds_of_table_name_its_axis(tmp_path: Path, capsys) -> None:
    folder = write(
        tmp_path,
        "define x = shots[1]\n",
        {
            "shots.yaml": "kind: tables\nformat: 1\ntables:\n"
            "  shots: {axes: {face: die}, gives: int, cells: [0, 0, 0, 1, 1, 1]}\n"
        },
    )
    main(["odds", str(folder), "table", "shots", "3"])
    assert "such as face=3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "code", "help", "mended"),
    [
        ("count(units at 7)", "wrong-type", 'write place("07")', 'count(units at place("07"))'),
        ('count(units at "07")', "wrong-type", 'write place("07")', 'count(units at place("07"))'),
        ("count({u in units where u.at == 7})", "never-equal", 'write place("07")', ""),
        ("count(units at 9)", "wrong-type", "", ""),
        ("count(units at hex_no_7)", "unknown-name", 'did you mean `place("hex-no-7")`?', ""),
    ],
)
def test_thing_is_named_as_rules_name_it(tmp_path: Path, written: str, code: str, help: str, mended: str) -> None:
    """Check the advice for a bare id, a number or a misspelt name, and the cure where it is certain."""
    places = 'kind: map\nformat: 1\nplaces:\n  members:\n    "07": {}\n    hex-no-7: {}\n'
    folder = write(tmp_path, f"define x = {written}\n", {"more.yaml": places})
    [found] = [d for d in check(folder) if d.severity == "error"]
    assert (found.code, str(found.help)) == (code, help)
    cure = find_quick_fix(found)
    assert (cure is None) == (not mended)
    if cure is not None:
        text, span = cure.span.source.text, cure.span
        assert (text[: span.start] + cure.text + text[span.end :]).startswith(f"define x = {mended}\n")


@pytest.mark.parametrize(
    "rules",
    [
        'rule may_go(u: unit):\n    require WORD: u on map  "no"\n',
        "define crowd = {WORD in units where true}\n",
        "procedure go_on(a: army):\n    let x = 1\n    set WORD = 2\n",
    ],
)
@pytest.mark.parametrize("word", ["can", "possible", "playing", "closure"])
def test_expression_keyword_is_rejected_as_name(tmp_path: Path, rules: str, word: str) -> None:
    found = messages(write(tmp_path, rules.replace("WORD", word)))
    assert found[0][0] == "reserved-word"
    assert_recorded(found[0])


def test_counter_text_without_braces_suggests_braces(tmp_path: Path) -> None:
    look = "kind: map\nformat: 1\ndrawing: {pieces: {unit: {numbers: [quxzy]}}}\n"
    found = messages(write(tmp_path, "define quxzy(u: unit) = 1\n", {"look.yaml": look}))
    assert_recorded(found[0][2])


def test_rules_outside_their_block_are_reported_with_their_place(tmp_path: Path) -> None:
    changes = VARIANT.replace("rules: |\n", "") + "remove only_phase:\n  x\n"
    folder = write(tmp_path, "define x = 1\n", {"variants/v.yaml": changes})
    (help,) = (h for _, _, h in messages(folder / "variants" / "v.yaml"))
    assert "`rules: |`" in help and "indented more than `rules`" in help


def test_bracket_left_open_in_document_is_not_closed_by_one_of_document(tmp_path: Path) -> None:
    score = 'kind: victory\nformat: 1\nscore: {of: p, value: "count({a in armies where a.seat == p"}\n'
    folder = write(tmp_path, "define x = 1\n", {"victory.yaml": score})
    assert [(code, help) for code, _, help in messages(folder)] == [("unclosed-bracket", "add the missing `)`")]
    one = score.replace("count({a", "{a")
    (folder / "victory.yaml").write_text(one, encoding="utf-8")
    assert [(code, help) for code, _, help in messages(folder)] == [("unclosed-bracket", "add the missing `}`")]


@pytest.mark.parametrize("change", ["set u.rank = proud", "advance u.rank"])
def test_constant_can_be_declared_to_change(tmp_path: Path, change: str) -> None:
    folder = write(
        tmp_path, f"procedure run(u: unit):\n    {change}\n", unit={"rank": "{type: spirit, default: steady}"}
    )
    ((code, _message, help),) = messages(folder)
    assert code == "not-changeable" and "`changes: true`" in help


def test_long_line_looks_at_rules_of_variant_alone(tmp_path: Path) -> None:
    """Check that a long text outside the rules of a variant does not count as a line of rules."""
    folder = write(tmp_path, "define x = 1\n")
    path = folder / "variants" / "v.yaml"
    path.parent.mkdir()
    text = (
        f'kind: variant\nformat: 1\nid: v\ntitle: V\nabout: "{"words " * 40}"\nextends: ..\nrules: |\n  define y = 2\n'
    )
    path.write_text(text, encoding="utf-8")
    assert "long-line" not in [d.code for d in check(path)]
    path.write_text(text + f"\n  define z = {' + '.join(['1'] * 60)}\n", encoding="utf-8")
    (found,) = [d for d in check(path) if d.code == "long-line"]
    assert found.span.line == 10 and found.span.source.text[found.span.start : found.span.end].startswith("define z")
