"""What a change is, and how it is carried out in memory. Must not choose changes, nor run anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.source.text import Span

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One change: of the syntax of the rules (`of` is "rules") or of the ruleset's data (`of` is "data").

    `path` leads to what becomes `new`, through names of fields, places in rows and keys; `sort` is the kind under which
    it is counted, `what` says it in words. `cells` are the table cells read where it can matter, `names` the words that
    lead to it from the rules, `everywhere`: any case may meet it.
    """

    of: str
    sort: str
    what: str
    span: Span
    path: tuple[Any, ...]
    new: Any
    within: Span | None = None
    cell: tuple[str, tuple[int, ...]] | None = None
    names: tuple[str, ...] = ()
    everywhere: bool = False

    @property
    def lines(self) -> tuple[str, int, int]:
        """The file and the first and last line of what is changed."""
        span = self.span
        return span.file, span.line, span.source.position(max(span.start, span.end - 1))[0]


def changed(root: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The same value with what lies at the end of the path put anew; everything else is shared."""
    if not path:
        return new
    head, rest = path[0], path[1:]
    if isinstance(root, Mapping):
        return {key: changed(value, rest, new) if key == head else value for key, value in root.items()}
    if isinstance(root, tuple):
        return tuple(changed(item, rest, new) if n == head else item for n, item in enumerate(root))
    return replace(root, **{str(head): changed(getattr(root, str(head)), rest, new)})
