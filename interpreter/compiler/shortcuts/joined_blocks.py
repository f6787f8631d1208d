"""Merging of blocks with a single predecessor, and removal of unreachable ones.

Frames, block numbers and behaviour stay the same; blocks where frames or skips resume are not merged.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from interpreter.compiler.python_trees import inside, parts_of

Block = list[ast.stmt]
_MOST_JOINED = 12  # blocks behind one another


def joined(blocks: Sequence[Block], entered: Collection[int], told: bool) -> list[tuple[int, Block]]:
    """Return the blocks that remain, with their numbers.

    `entered`: blocks where calls, frames and skips resume. `told`: `pc` identifies each block while it runs.
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
            return [*first, inside(last, partial(followed, here=here))]
        return body

    for here in reversed(range(len(blocks))):
        if (own := out[here]) is not None:
            out[here] = followed(own, here)
    return [(number, block) for number, block in enumerate(out) if block is not None]


def leads_to(block: Block) -> int:
    """Return the block that this one jumps to if it does nothing else, or 0."""
    if len(block) == 1 and _jumps(block[0]):
        return next(_targets(block[0]), 0)
    return 0


def _jumps(part: ast.AST) -> bool:
    """Return whether a statement is `pc = 3`."""
    match part:
        case ast.Assign(targets=[ast.Name(id="pc")], value=ast.Constant()):
            return True
    return False


def _targets(part: ast.AST) -> Iterator[int]:
    """Yield the blocks that a statement may jump to."""
    match part:
        case ast.Assign(targets=[ast.Name(id="pc")], value=value):
            yield from (x.value for x in parts_of(value) if isinstance(x, ast.Constant) and isinstance(x.value, int))
