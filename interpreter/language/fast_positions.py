"""Compute the start and end of each parse tree with only the data that `from_tree` needs.

lark's own propagation also records lines and columns at every step of a chain of trivial rules, which takes half of
the parsing time. The trees themselves are not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

Build = Callable[[list[Any]], Any]


def speed_up_positions(parser: Lark) -> None:
    """Make a parser record only the offsets of its trees; unknown versions of lark are left as is."""
    from lark.parse_tree_builder import PropagatePositions

    callbacks = getattr(parser, "_callbacks", None)
    if not isinstance(callbacks, dict):
        return
    for rule, build in callbacks.items():
        if type(build) is PropagatePositions and build.node_filter is None:
            callbacks[rule] = _record_positions(build.node_builder)


def _record_positions(build: Build) -> Build:
    from lark import Token, Tree

    def place(children: list[Any]) -> object:
        first = last = None
        for child in children:
            if isinstance(child, Token) or (isinstance(child, Tree) and not child.meta.empty):
                first = child if isinstance(child, Token) else child.meta
                break
        for child in reversed(children):
            if isinstance(child, Token) or (isinstance(child, Tree) and not child.meta.empty):
                last = child if isinstance(child, Token) else child.meta
                break
        tree = build(children)
        if first is None or not isinstance(tree, Tree) or (len(children) == 1 and tree is children[0]):
            return tree
        meta: Any = tree.meta
        meta.container_start_pos = getattr(first, "container_start_pos", first.start_pos)
        meta.container_end_pos = getattr(last, "container_end_pos", last.end_pos)  # type: ignore[union-attr]
        if meta.empty:
            meta.start_pos, meta.end_pos, meta.empty = meta.container_start_pos, meta.container_end_pos, False
        return tree

    return place
