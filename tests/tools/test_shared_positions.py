"""Test positions that cases share, and figures of a case brought up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.runtime.errors import SetupError
from interpreter.tools.evaluate import find_position
from tests.tiny import write

SHARED = """\
kind: cases
format: 1
positions:
  held:
    places: {a: {held: true}}
  held_by_two:
    like: held
    pieces: {b: {reds: {worn: 2}}}
  round:
    like: round
cases:
  T1:
    title: a is held
    given: {like: held}
    when: [{ask: "{p in places where p.held}"}]
    then: {value: [a]}
  T2:
    title: more of it, and some of it otherwise
    given: {like: held_by_two, places: {a: {held: false}, c: {held: true}}}
    when: [{ask: "{p in places where p.held}"}, {ask: count(units at b)}]
    then: {values: [[c], 2]}
"""
OTHER = """\
kind: cases
format: 1
cases:
  T3:
    title: positions of another document
    given: {like: held_by_two}
    when: [{ask: count(units at b)}]
    then: {value: 2}
"""


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_case_extends_shared_position(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define x = 1\n", {"tests/a.yaml": SHARED, "tests/b.yaml": OTHER})
    assert told(capsys, "test", folder) == (0, "3 of 3 cases passed\n")
    assert told(capsys, "ask", folder, "count(units at b)", "--position", "T3") == (0, "2\n")


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("{like: held}", "{like: hold}", "unknown position `hold`"),
        ("{like: held}", "{like: round}", "based on itself"),
        ("places: {a: {held: true}}", "places: {a: {helt: true}}", "helt"),
        ("positions:\n", "positions:\n  held: {turn: 2}\n", "held"),
        ("{like: held}", "{like: [held]}", "like"),
    ],
)
def test_fault_of_shared_position_is_reported_with_its_place(
    tmp_path: Path, capsys, old: str, new: str, wrong: str
) -> None:
    folder = write(tmp_path, "define x = 1\n", {"tests/a.yaml": SHARED.replace(old, new, 1)})
    code, said = told(capsys, "test", folder)
    assert code == 1 and wrong in said and "tiny/tests/a.yaml:" in said


def test_position_like_thousands_of_others_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = "".join(f"  p{n}: {{like: p{n - 1}}}\n" for n in range(1, 3_000))
    shared = SHARED.replace("  round:\n    like: round\n", f"  p0: {{like: held}}\n{chain}").replace(
        "given: {like: held}", "given: {like: p2999}"
    )
    folder = write(tmp_path, "define x = 1\n", {"tests/a.yaml": shared})
    assert told(capsys, "test", folder) == (0, "2 of 2 cases passed\n")


FIGURES = """\
kind: cases
format: 1
cases:
  T1:
    title: figures        # kept
    when:
      - edit: {places: {b: {held: true}}}
      - ask: "{p in places where p.height > 0}"
    then:
      value: [a]          # the hills
      places: {b: {held: false}, c: {held: false}}
  T2:
    title: no figure
    when: [{ask: count(units at a)}]
    then: {value: 3, events: [{note: {n: 1}}]}
"""


def test_figures_changed_on_purpose_are_written_one_case_at_time(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define x = 1\n", {"tests/t.yaml": FIGURES})
    code, said = told(capsys, "test", folder, "--update", "T1")
    assert code == 0
    assert [re.fullmatch(r"(\S+): (\S+) .* (\[.*\]|\w+)", line).groups() for line in said.splitlines()] == [
        ("tiny/tests/t.yaml:10", "[a]", "[a, c]"),
        ("tiny/tests/t.yaml:11", "false", "true"),
    ]
    text = (folder / "tests" / "t.yaml").read_text(encoding="utf-8")
    assert text == FIGURES.replace("[a] ", "[a, c] ").replace("{b: {held: false}", "{b: {held: true}")
    assert "T1 passes" in told(capsys, "test", folder, "--update", "T1")[1]


def test_update_changes_figures_only(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define x = 1\n", {"tests/t.yaml": FIGURES})
    code, said = told(capsys, "test", folder, "--update", "T2")
    assert code == 2 and "other reasons" in said
    assert told(capsys, "test", folder, "--update", "T")[0] == 2
    assert (folder / "tests" / "t.yaml").read_text(encoding="utf-8") == FIGURES


def test_position_of_case_rests_on_documents_that_show_of_it(tmp_path: Path) -> None:
    """Check that finding one case does not load all other cases, nor fail on their faults."""
    case = "{title: a, given: {like: shared_1}, when: [{ask: game.total}], then: {value: 2}}"
    one = f"kind: cases\nformat: 1\ncases:\n  A1: {case}\n"
    shared = "kind: cases\nformat: 1\npositions: {shared_1: {game: {total: 2}}}\ncases: {}\n"
    other = "kind: cases\nformat: 1\ncases:\n  B1: {title: b, when: 7}\n"
    documents = {"tests/one.yaml": one, "tests/other.yaml": other, "tests/shared.yaml": shared}
    rules = load(write(tmp_path, "define one() = 1\n", documents), checked=True)
    assert find_position(rules, "A1").game.view()["game"]["total"] == 2
    with pytest.raises(SetupError, match="available here: `A1`"):
        find_position(rules, "A2")
