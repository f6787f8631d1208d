"""What asks for itself: rules, tallies and drafts that could never be worked out.

A define that uses only defines is found before types are (`items`); here are the circles that lead through
requirements, lines and steps. Must not judge procedures, whose circles have a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.checker.records_inside import records_inside
from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _

Part = tuple[str, str]  # its sort and its name


def check_circles(model: c.CheckedModel, sink: Sink) -> None:
    """Report each circle once, at the part of it that comes first."""
    parts: dict[Part, Any] = {
        **{("draft", n): d for n, d in model.drafts.items()},
        **{("rule", n): r for n, r in model.rules.items()},
        **{("tally", n): x for n, x in model.tallies.items()},
        **{("define", n): d for n, d in model.defines.items()},
    }
    asked = {part: [other for other in _asked(item) if other in parts] for part, item in parts.items()}
    rings = _rings(asked)
    told: set[Part] = set()
    for part, item in parts.items():
        circle = [] if part in told or part not in rings else _circle(part, asked, rings)
        if not circle or all(sort == "define" for sort, _name in circle):
            continue
        told.update(circle)
        way = " → ".join(f"`{name}`" for _sort, name in (*circle, part))
        if any(sort == "draft" for sort, _name in circle):
            sink.error(
                "recursive-draft",
                _("whether `{name}` can be finished depends on itself: {way}", name=circle[0][1], way=way),
                item.span,
                help=_("a draft may not ask `possible` of itself, nor through what it calls"),
            )
        else:
            sink.error(
                "recursive-define",
                _("`{name}` is defined by itself: {way}", name=part[1], way=way),
                item.span,
                help=_("nothing can be worked out from itself; use a procedure with `at most ... deep`"),
            )


def _rings(asked: dict[Part, list[Part]]) -> dict[Part, int]:
    """A number for each part that can come back to itself; the same for all that reach one another."""
    found: dict[Part, int] = {}
    reached: dict[Part, int] = {}  # the order in which they are come to; -1 when done with
    lowest: dict[Part, int] = {}
    path: list[Part] = []
    for root in asked:
        waiting = [] if root in reached else [(root, iter(asked[root]))]
        while waiting:
            part, others = waiting[-1]
            if part not in reached:
                reached[part] = lowest[part] = len(reached)
                path.append(part)
            other = next((o for o in others if reached.get(o, 0) >= 0), None)
            if other is not None and other not in reached:
                waiting.append((other, iter(asked[other])))
                continue
            if other is not None:
                lowest[part] = min(lowest[part], reached[other])
                continue
            waiting.pop()
            if waiting:
                above = waiting[-1][0]
                lowest[above] = min(lowest[above], lowest[part])
            if lowest[part] == reached[part]:
                ring = [path.pop()]
                while ring[-1] != part:
                    ring.append(path.pop())
                reached |= dict.fromkeys(ring, -1)
                if len(ring) > 1 or part in asked[part]:
                    found |= dict.fromkeys(ring, len(found))
    return found


def _circle(start: Part, asked: dict[Part, list[Part]], rings: dict[Part, int]) -> list[Part]:
    """The shortest way from a part back to itself."""
    before: dict[Part, Part] = {}
    ring = [start]
    while ring:
        following = []
        for part in ring:
            for other in asked[part]:
                if other == start:
                    way = [part]
                    while way[0] != start:
                        way.insert(0, before[way[0]])
                    return way
                if other not in before and rings.get(other) == rings[start]:
                    before[other] = part
                    following.append(other)
        ring = following
    return []


def _asked(item: Any) -> Iterator[Part]:
    """What an item asks for, in whichever of its expressions."""
    return ((node.sort, node.name) for node in records_inside(item) if isinstance(node, n.Call))
