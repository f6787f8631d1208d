"""What a change is, and how it is carried out in memory. Must not choose changes, nor run anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics.source_text import Span

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: of the syntax of the rules (`of` is "rules") or of the ruleset's data (`of` is "data").

    `path` leads to what becomes `new`, through names of fields, places in rows and keys; `sort` is the kind under which
    it is counted, `what` says it in words, `number` tells those apart that are said alike. `owner` is the item of the
    rules it is in, `cell` the table cell it is of, `names` the words that lead to it from the rules, `lines_read` the
    lines that do where these are known; `everywhere`: any case may meet it. Cases that speak of `ids` are likely to.
    """

    of: str
    sort: str
    what: str
    span: Span
    path: tuple[Any, ...]
    new: Any
    owner: str = ""
    cell: tuple[str, tuple[int, ...]] | None = None
    names: tuple[str, ...] = ()
    everywhere: bool = False
    ids: tuple[str, ...] = ()
    lines_read: frozenset[tuple[str, int]] | None = None
    number: int = 1

    @property
    def told(self) -> str:
        """The change in words by which it can be found again, wherever it stands in its file."""
        owner = f"{self.owner}: " if self.owner else ""
        return f"{owner}{self.what}" + (f" ({self.number})" if self.number > 1 else "")

    @property
    def lines(self) -> tuple[str, int, int]:
        """The file and the first and last line of what is changed."""
        span = self.span
        return span.file, span.line, span.source.position(max(span.start, span.end - 1))[0]

    @property
    def place(self) -> tuple[Any, ...]:
        """What it is a change of: one item of the rules, one table, one attribute."""
        return ("rules", self.path[0]) if self.of == "rules" else (self.path[:2], self.names)


def numbered(changes: Iterable[Mutation]) -> list[Mutation]:
    """The changes, those that are said alike numbered in their order."""
    seen: Counter[str] = Counter()
    out = []
    for change in changes:
        words = change.told
        seen[words] += 1
        out.append(replace(change, number=seen[words]))
    return out


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
