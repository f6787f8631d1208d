"""A block of a cut procedure that only one other leads to stands there, and what nothing leads to is left out; where an
answer leads back to what asked, it is looked at first.

Frames, numbers of blocks and what is done stay as they are. Must not join what a frame or a skip goes on at.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from interpreter.compiler.python_trees import changed, parts_of

Block = list[ast.stmt]
_MOST_JOINED = 12  # blocks behind one another


def joined(blocks: Sequence[Block], entered: Collection[int], told: bool) -> list[tuple[int, Block]]:
    """The blocks that still need a place of their own, with their numbers.

    `entered`: blocks at which calls, frames and skips go on. `told`: `pc` names each block while it runs.
    """
    leads = Counter(found for block in blocks for part in parts_of(block) for found in _targets(part))
    out: list[Block | None] = [b if number in entered or leads[number] else None for number, b in enumerate(blocks)]
    depth = [1] * len(blocks)

    def followed(body: Block, here: int) -> Block:
        """Statements that end a block, with what follows where they lead."""
        if not body:
            return body
        *first, last = body
        target = last.value.value if _jumps(last) else 0  # type: ignore[attr-defined]
        if target > here and leads[target] == 1 and target not in entered and (block := out[target]) is not None:
            if depth[target] < _MOST_JOINED:
                depth[here] = max(depth[here], depth[target] + 1)
                out[target] = None
                return [*body, *block] if told else [*first, *block]
        if isinstance(last, ast.If):
            news: dict[str, Any] = {field: followed(getattr(last, field), here) for field in ("body", "orelse")}
            return [*first, changed(last, **news)]
        return body

    for here in reversed(range(len(blocks))):
        if (own := out[here]) is not None:
            out[here] = followed(own, here)
    return [(number, block) for number, block in enumerate(out) if block is not None]


def answers_first(blocks: Sequence[tuple[int, Block]], resumed: Collection[int]) -> list[tuple[int, Block]]:
    """The same blocks; ahead stands each that a frame goes on at and leads back, with the one that it leads back to."""
    numbers = [number for number, _ in blocks]
    first: list[int] = []
    for number, block in blocks:
        back = [to for part in parts_of(block) for to in _targets(part) if to < number and to in numbers]
        if back and number in resumed:
            first += [x for x in (number, max(back)) if x not in first]
    order = [*first, *(number for number in numbers if number not in first)]
    place = {number: at for at, number in enumerate(order)}
    found = [(number, _led(dict(blocks)[number], place[number], place)) for number in order]
    return found if all(_are_led(block, place[number], place) for number, block in found) else list(blocks)


def _led(body: Block, here: int, place: dict[int, int]) -> Block:
    """Statements that end the block at a place; whoever jumps to one further down comes to it without a new turn."""
    if not body:
        return body
    if isinstance(body[-1], ast.Continue) and len(body) > 1 and _jumps(body[-2]):
        body = body[:-1]
    *first, last = body
    if isinstance(last, ast.If):
        news: dict[str, Any] = {field: _led(getattr(last, field), here, place) for field in ("body", "orelse")}
        return [*first, changed(last, **news)]
    if _jumps(last) and place.get(last.value.value, here) <= here:  # type: ignore[attr-defined]
        return [*body, ast.copy_location(ast.Continue(), last)]
    return body


def _are_led(body: Block, here: int, place: dict[int, int]) -> bool:
    """True where every jump of the block at a place leads further down, or takes a new turn."""
    for part, behind in zip_longest(body, body[1:]):
        is_back = any(place.get(to, here + 1) <= here for to in _targets(part))
        if is_back and not isinstance(behind, ast.Continue):
            return False
        if not all(_are_led(getattr(part, field, []), here, place) for field in ("body", "orelse")):
            return False
    return True


def _jumps(part: ast.AST) -> bool:
    """True for `pc = 3`."""
    match part:
        case ast.Assign(targets=[ast.Name(id="pc")], value=ast.Constant()):
            return True
    return False


def _targets(part: ast.AST) -> Iterator[int]:
    """The blocks that a statement may lead to."""
    match part:
        case ast.Assign(targets=[ast.Name(id="pc")], value=value):
            yield from (x.value for x in parts_of(value) if isinstance(x, ast.Constant) and isinstance(x.value, int))
