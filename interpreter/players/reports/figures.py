"""Figures of a report: maps of the phases with changes, and charts of scores and strengths, with captions.

A FigureRenderer draws the maps. The lines of a chart differ by colour, dashes and markers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, log10
from typing import Protocol

from interpreter.diagnostics.svg_markup import build_element, escape, sanitize_text
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.number_format import format_number
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.players.narration.position_lines import render_heading
from interpreter.players.reports.action_report import FigureSource
from interpreter.players.reports.replay_log import ReplayLog
from interpreter.players.reports.report_model import ReportFigure
from interpreter.players.reports.timeline import Timeline, compute_timeline, split_chapters
from interpreter.runtime.localizer import Localizer

_NAMED = 6  # pieces named in a caption; more are counted


class DrawnFigure(Protocol):
    """Protocol of a picture of the map: SVG markup, and the ids of the pieces that moved, left or entered the map."""

    @property
    def markup(self) -> str: ...
    @property
    def moved(self) -> tuple[str, ...]: ...
    @property
    def removed(self) -> tuple[str, ...]: ...
    @property
    def added(self) -> tuple[str, ...]: ...


class FigureRenderer(Protocol):
    """Protocol of a renderer that stores positions under numbers and draws them."""

    def add_position(self, game: Game) -> int:
        """Store the position of a game and return its number, with which it can be drawn."""

    def render_map(self, number: int) -> DrawnFigure:
        """Draw the whole map in the stored position `number`."""

    def draw_change(self, before: int, now: int) -> DrawnFigure | None:
        """Draw the part of the map that changed between two stored positions, or return None if nothing did.

        `before` and `now`: the numbers of the positions.
        """


def draw_figures(
    replay_log: ReplayLog, localizer: Localizer, renderer: FigureRenderer
) -> tuple[Timeline, FigureSource]:
    """Replay the game and let a renderer draw its positions; return the timeline and the figures."""
    parts = split_chapters(replay_log)
    ends = {part.last: part for part in parts}
    firsts = {part.first - 1 for part in parts}
    positions: dict[int, int] = {}
    titles: dict[int, str] = {}

    def visit(decision: int) -> None:
        if decision == 0 or decision in ends:
            positions[decision] = renderer.add_position(replay_log.game)
        if decision in firsts or decision == replay_log.last:
            titles[decision] = render_heading(replay_log.game.view(), localizer)

    course = compute_timeline(replay_log, visit)
    say = localizer.say
    figures: dict[int, ReportFigure] = {}
    before = 0
    for decision, part in ends.items():
        drawing = renderer.draw_change(positions[before], positions[decision])
        before = decision
        if drawing is not None:
            caption = say("after decision {number}: {what}", number=decision, what=titles[part.first - 1])
            figures[part.first] = ReportFigure(
                drawing.markup, localizer.join_texts([caption, *_list_changes(drawing, localizer)]), "phase"
            )
    whole_maps = [(say("the map at the start"), 0), (say("the map at the end"), replay_log.last)]
    maps = [
        ReportFigure(renderer.render_map(positions[decision]).markup, label, "whole")
        for label, decision in dict(whole_maps).items()
    ]
    return course, FigureSource(maps, _build_curves(course, replay_log, localizer), figures)


def _list_changes(figure: DrawnFigure, localizer: Localizer) -> list[str]:
    """Render which pieces moved, left and entered the map in a figure, a sentence each."""
    sentences = (
        (_("{count} moved: {who}"), figure.moved),
        (_("{count} removed from the map: {who}"), figure.removed),
        (_("{count} new on the map: {who}"), figure.added),
    )
    return [
        localizer.say(text, count=len(ids), who=_format_piece_names(ids, localizer)) for text, ids in sentences if ids
    ]


def _format_piece_names(pieces: Sequence[str], localizer: Localizer) -> str:
    names = localizer.list_piece_counts(pieces)
    more = [localizer.say("and {count} more", count=len(names) - _NAMED)] if len(names) > _NAMED else []
    return localizer.join_list([*names[:_NAMED], *more])


def _build_curves(timeline: Timeline, replay_log: ReplayLog, localizer: Localizer) -> list[ReportFigure]:
    """Draw the scores and the pieces on the map over the course of the game, unless they never change."""
    say, turns = localizer.say, _list_turns(replay_log, localizer)
    seats = list(timeline.scores[0])
    scores = {
        localizer.get_thing_name("seat", seat): [had.get(seat, Fraction()) for had in timeline.scores] for seat in seats
    }
    sides = [side for side in timeline.pieces[0] if any(had[side] for had in timeline.pieces)]
    pieces = {
        localizer.get_thing_name("side", side): [Fraction(had[side]) for had in timeline.pieces] for side in sides
    }
    figures = []
    for title, lines in ((say("score"), scores), (say("pieces on the map"), pieces)):
        if any(len(set(values)) > 1 for values in lines.values()):
            caption = localizer.prefix_topic(
                title, localizer.join_texts(_describe_series(name, values, localizer) for name, values in lines.items())
            )
            figures.append(ReportFigure(draw_line_chart(lines, turns), caption, "course"))
    return figures


def _describe_series(name: str, values: Sequence[Fraction], localizer: Localizer) -> str:
    """Render the first, the last and the extreme values of a line of a chart."""
    first, last, most, least = (format_number(n) for n in (values[0], values[-1], max(values), min(values)))
    return localizer.say(
        "{who} {first} at the start, {last} at the end (at most {most}, at least {least})",
        who=name,
        first=first,
        last=last,
        most=most,
        least=least,
    )


def _list_turns(replay_log: ReplayLog, localizer: Localizer) -> Mapping[int, str]:
    """Return the title of each turn by the decision at which it starts."""
    moments = replay_log.moments
    starts = (n for n, moment in enumerate(moments) if n == 0 or moments[n - 1].turn != moment.turn)
    return {start: localizer.say("turn {number}", number=moments[start].turn) for start in starts}


_WIDE, _HIGH = 900.0, 320.0
_LEFT, _RIGHT, _TOP, _LOW = 52.0, 190.0, 18.0, 36.0
# a palette safe for colour-blind readers
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("", "9 5", "2 5", "12 4 2 4", "5 3", "1 3")
_LINE = 17.0  # vertical distance between two labels at the right
_CELL = 8.5  # width of a letter
_LETTERS = 18

Values = Sequence[Fraction]


def draw_line_chart(lines: Mapping[str, Values], turns: Mapping[int, str]) -> str:
    """Return an SVG chart of named lines with one value per decision, including the start.

    `turns`: the label of each turn by the decision at which it starts.
    """
    last = max((len(values) for values in lines.values()), default=1) - 1
    steps = _choose_ticks(lines.values())
    low, high = steps[0], steps[-1]

    def compute_x(decision: int) -> float:
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * decision / max(1, last)

    def compute_y(value: Fraction) -> float:
        return _HIGH - _LOW - (_HIGH - _LOW - _TOP) * float((value - low) / ((high - low) or 1))

    parts = [_draw_grid_line(format_number(step), compute_y(step)) for step in steps]
    end = 0.0  # right end of the last label
    for decision, name in turns.items():
        x = compute_x(decision)
        parts.append(build_element("path", class_="tick", d=f"M{x:.1f} {_TOP:.1f}V{_HIGH - _LOW:.1f}"))
        if x >= end:
            parts.append(_draw_text(name, x + 2, _HIGH - _LOW + 18, "start"))
            end = x + measure_cells(name) * _CELL
    names = _place_labels({name: compute_y(values[-1]) for name, values in lines.items() if values})
    for n, (name, values) in enumerate(lines.items()):
        if values:
            points = [(compute_x(decision), compute_y(value)) for decision, value in enumerate(values)]
            parts.append(_draw_series(n, name, points, format_number(values[-1]), names[name]))
    size = {"viewBox": f"0 0 {_WIDE:.0f} {_HIGH:.0f}", "width": f"{_WIDE:.0f}", "height": f"{_HIGH:.0f}"}
    return build_element("svg", parts, class_="curve", role="img", **size, font_size="13")


def _choose_ticks(lines: Iterable[Values]) -> list[Fraction]:
    """Return the values to mark on an axis: evenly spaced round numbers that cover 0, 1 and all values of the lines."""
    values = [value for line in lines for value in line]
    low, high = min([*values, Fraction()]), max([*values, Fraction(1)])
    rough = float(high - low) / 5
    unit = Fraction(10) ** floor(log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= Fraction(rough))
    step = max(step, Fraction(1)) if all(v.denominator == 1 for v in values) else step
    first, last = floor(low / step), -floor(-high / step)
    return [step * n for n in range(first, last + 1)]


def _draw_grid_line(text: str, y: float) -> str:
    line = build_element("path", class_="grid", d=f"M{_LEFT:.1f} {y:.1f}H{_WIDE - _RIGHT:.1f}")
    return line + _draw_text(text, _LEFT - 7, y + 4.5, "end")


def _place_labels(ends: Mapping[str, float]) -> dict[str, float]:
    """Return the vertical position of each line's label, as near to the end of its line as possible without overlaps.

    `ends`: the vertical position of each line's end, by name.
    """
    positions: dict[str, float] = {}
    y = -_LINE
    for name, wanted in sorted(ends.items(), key=lambda end: (end[1], end[0])):
        y = positions[name] = max(wanted, y + _LINE)
    over = max(0.0, y - (_HIGH - 8))
    return {name: y - over for name, y in positions.items()}


def _draw_series(number: int, name: str, points: Sequence[tuple[float, float]], last: str, label: float) -> str:
    """Return the SVG of line `number`, with its marker and its label at the right; `last`: its last value as text."""
    colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    way = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (_x, before), (x, y) in pairwise(points):
        if y != before:
            way.append(f"H{x:.1f}V{y:.1f}")
    way.append(f"H{points[-1][0]:.1f}")
    x, y = points[-1]
    label_text = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
    line = {"fill": "none", "stroke": colour, "stroke_width": "3", "stroke_dasharray": dash or None}
    parts = [
        build_element("path", **line, d="".join(way)),
        _draw_marker(number, x, y, colour),
        build_element("path", class_="tick", d=f"M{x + 6:.1f} {y:.1f}L{x + 14:.1f} {label:.1f}"),
        _draw_text(f"{label_text} {last}", x + 18, label + 4.5, "start"),
    ]
    return build_element("g", parts, class_="line")


def _draw_marker(number: int, x: float, y: float, colour: str) -> str:
    """Return the SVG marker of line `number`, centred at (`x`, `y`); the shape depends on the number."""
    r = 5.0
    corners = {
        1: [(-r, -r), (r, -r), (r, r), (-r, r)],
        2: [(0, -r - 1), (r + 1, r), (-r - 1, r)],
        3: [(0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)],
    }.get(number % 4)
    if corners is None:
        return build_element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=str(r), fill=colour)
    way = "L".join(f"{x + a:.1f} {y + b:.1f}" for a, b in corners)
    return build_element("path", d=f"M{way}Z", fill=colour)


def _draw_text(text: str, x: float, y: float, anchor: str) -> str:
    return build_element("text", escape(sanitize_text(text)), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
