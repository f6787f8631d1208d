"""Lines: what a terminal, a listener and the board make of one record."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from interpreter.play.events import build_event
from interpreter.play.lines import BLANK, Line, cite_few, mark_drawing_lines, remove_brackets
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedMove
from interpreter.ui.repl.play_context import shorten
from interpreter.view_model.log_view import build_answer_lines


def test_line_renders_mark_indentation_and_citations() -> None:
    assert str(Line("turn 1", kind="turn")) == "=== turn 1"
    assert str(Line("combat", ("11",), "phase")) == "== combat [11]"
    assert str(Line("lost", ("4.1", "4.2"), "event", 2)) == "    lost [4.1] [4.2]"
    assert str(cite_few("won", ["1", "2", "3"], 2)) == "won [1] [...]"
    assert str(cite_few("won", ["1", "2"], 2)) == "won [1] [2]"


def test_answer_keeps_citations_apart_from_text() -> None:
    told = build_answer_lines([Line("why [sic]", ("4.1",), level=2), "  plain", BLANK, cite_few("long", ["1", "2"], 1)])
    assert [(line.text, line.cite, line.depth) for line in told] == [
        ("why [sic]", ("4.1",), 2),
        ("plain", (), 1),
        ("long [...]", (), 0),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Guards (3, 4), Hussars (1, 2): march", "Guards 3 4, Hussars 1 2: march"),
        ("move (cost 2; by road, twice)", "move cost 2 by road twice"),
        ("(undo undoes the last step)", "undo undoes the last step"),
        ("(step by step: finish ends it, if legal)", "step by step: finish ends it, if legal"),
        ("(a) and (b)", "a and b"),
        ("進軍（費用2、街道）、追撃", "進軍、費用2・街道、追撃"),
    ],
)
def test_brief_text_drops_brackets_and_their_commas(text: str, told: str) -> None:
    assert remove_brackets(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Brendle (Swiss) loses a step (2 times)", "Brendle (Swiss) loses a step 2 times"),
        ("(Brendle (Swiss), Guards)", "Brendle (Swiss), Guards"),
        ("ブレンドレ（スイス）、町へ（二点）", "ブレンドレ（スイス）、町へ、二点"),
    ],
)
def test_brief_text_keeps_brackets_of_names(text: str, told: str) -> None:
    assert remove_brackets(text, ["Brendle (Swiss)", "ブレンドレ（スイス）"]) == told


def test_brief_output_drops_marks_and_citations_but_keeps_drawings() -> None:
    lines = [
        BLANK,
        Line("turn 1", kind="turn"),
        Line("lost (2)", ("4.1",), "event", 2),
        *mark_drawing_lines([r"\(1)_"]),
    ]
    assert [shorten(line, ()) for line in lines] == ["", "turn 1", "lost 2", r"\(1)_"]


def test_log_line_names_its_own_places_and_pieces() -> None:
    """Moves between different places are lines of their own, each with its own places."""
    program = load("denain-1712").program
    moves = [build_event(program, LoggedMove((piece,), piece, piece + 5, ())) for piece in (0, 1)]
    lines = EventFormatter(Localizer(program), has_started=True).render_lines(moves)
    ids = program.ids
    assert [(line.kind, line.pieces, line.places) for line in lines] == [
        ("move", (ids["piece"][n],), (ids["place"][n], ids["place"][n + 5])) for n in (0, 1)
    ]


def test_equal_events_are_counted_before_their_citations() -> None:
    program = load("denain-1712").program
    moves = [
        build_event(program, LoggedMove((0,), 0, 1, ("5.1",))),
        build_event(program, LoggedMove((0,), 0, 1, ("5.2",))),
    ]
    lines = EventFormatter(Localizer(program), has_started=True).render_lines([moves[0], moves[1], moves[0]])
    assert [line.citations for line in lines] == [("5.1",), ("5.2",), ("5.1",)]
