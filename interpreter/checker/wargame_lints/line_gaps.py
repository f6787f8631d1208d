"""Lint roads and rivers that have a gap of one link. The meaning of the link flags is irrelevant.

The drawing says how a link flag runs: `through` from centre to centre, `along` on the hex sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.drawing import get_default_course
from interpreter.model.ruleset import Ruleset, Thing

Link = tuple[int, int]
Corner = frozenset[int]  # the three hexes that share the corner
_MAX_ENDS = 12  # a network with more dead ends has them on purpose


def report_line_gaps(model: CheckedModel, sink: Sink) -> None:
    """Report each link without a flag that would join two lines of links with that flag."""
    ruleset = model.ruleset
    links: dict[Link, Thing] = {}
    for x in ruleset.kinds["edge"].things:
        if x.ends:
            links[min(x.ends), max(x.ends)] = x
    beside: dict[int, set[int]] = {}
    for start, end in links:
        beside.setdefault(start, set()).add(end)
        beside.setdefault(end, set()).add(start)
    for name, course in _iter_line_flags(ruleset):
        marked = {ends for ends, link in links.items() if link.values.get(name) is True}
        if len(marked) < 3:
            continue
        gaps = (
            _find_road_gaps(marked, links, beside) if course == "through" else _find_river_gaps(marked, links, beside)
        )
        for gap in gaps:
            _report_gap(name, links[gap], ruleset, sink)


def _iter_line_flags(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield (flag, course) for each flag of links that is drawn as a line.

    The course is "along" for a line on the common side of two places, "through" for a line between their centres.
    """
    flags = {a.name for a in ruleset.kinds["edge"].attributes.values() if str(a.type) == "flag" and not a.changes}
    drawn_links = ruleset.drawing.links
    for name in sorted(flags & set(drawn_links)):
        line = drawn_links[name].line
        course = line.course or get_default_course(line.style)
        if course in ("through", "along"):
            yield name, course


def _find_road_gaps(marked: set[Link], links: dict[Link, Thing], beside: dict[int, set[int]]) -> list[Link]:
    """Return the links that lack a flag between two ends of its lines."""
    degree = Counter(place for ends in marked for place in ends)
    ends = sorted(place for place, number in degree.items() if number == 1)
    if len(ends) > _MAX_ENDS:
        return []
    pairs: set[Link] = {(a, b) for a in ends for b in ends if a < b and b in beside.get(a, ())}
    lines = _number_connected_lines(list(marked))
    return sorted(p for p in pairs if p in links and p not in marked and lines[p[0]] != lines[p[1]])


def _find_river_gaps(marked: set[Link], links: dict[Link, Thing], beside: dict[int, set[int]]) -> list[Link]:
    """Return the links without a flag whose two corners are loose ends of different lines."""
    corners: Counter[Corner] = Counter(corner for link in marked for corner in _list_corners(link, beside))
    loose = {corner for corner, number in corners.items() if number == 1}
    if len(loose) > _MAX_ENDS:
        return []
    ends = [(own[0], own[-1]) for link in sorted(marked) if (own := _list_corners(link, beside))]
    lines = _number_connected_lines(ends)
    gaps = []
    for link in sorted(links):
        own = [corner for corner in _list_corners(link, beside) if corner in loose]
        if link not in marked and len(own) == 2 and lines[own[0]] != lines[own[1]]:
            gaps.append(link)
    return gaps


def _number_connected_lines(steps: list[tuple[Any, Any]]) -> dict[Any, int]:
    """Return the number of the connected line that each point belongs to.

    `steps`: the pairs of points that are joined.
    """
    line: dict[Any, int] = {}
    for number, (start, other) in enumerate(steps):
        kept_number, merged_number = line.get(start, number), line.get(other, number)
        line |= {start: kept_number, other: kept_number}
        for end in [end for end, old in line.items() if old == merged_number]:
            line[end] = kept_number
    return line


def _list_corners(link: Link, beside: dict[int, set[int]]) -> list[Corner]:
    """Return the corners at the ends of the side that two hexes share.

    A corner is the set of the three hexes that meet there. `link`: the two hexes; `beside`: the neighbours of each
    place.
    """
    return [frozenset((*link, last)) for last in sorted(beside[link[0]] & beside[link[1]])]


def _report_gap(name: str, link: Thing, ruleset: Ruleset, sink: Sink) -> None:
    sink.add_warning(
        "line-with-gap",
        _(
            "`{name}` is interrupted at `{link}`: the links on both sides have it, this one does not",
            name=name,
            link=link.id,
        ),
        ruleset.kinds["edge"].attributes[name].origin.span,
        help=_("if the map shows it there, write `{link}: {{{name}: true}}`", link=f'"{link.id}"', name=name),
    )
