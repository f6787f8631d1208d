"""A mutation as data, and how to apply it in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics.source_text import Span


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of one node in the syntax of the rules (`document` is "rules") or the ruleset's data ("data").

    `path` leads to the node that `new` replaces, through field names, positions and keys; `sort` is the kind under
    which it is counted, `what` describes it, `number` distinguishes equal descriptions. `owner` is the item of the
    rules that contains it, `cell` its table cell, `names` the words by which rules refer to it, `lines_read` the lines
    that read it if these are known; `everywhere`: any case may notice it. Cases that mention `ids` probably notice it.
    """

    document: str
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
    def description(self) -> str:
        """Return a description of the change that does not depend on its position in the file."""
        owner = f"{self.owner}: " if self.owner else ""
        return f"{owner}{self.what}" + (f" ({self.number})" if self.number > 1 else "")

    @property
    def lines(self) -> tuple[str, int, int]:
        """Return the file and the first and last line of the changed node."""
        return self.span.file, self.span.line, self.span.last_line

    @property
    def place(self) -> tuple[Any, ...]:
        """Return a key of the changed subject: an item of the rules, a table or an attribute."""
        return ("rules", self.path[0]) if self.document == "rules" else (self.path[:2], self.names)


def number_duplicates(changes: Iterable[Mutation]) -> list[Mutation]:
    """Return the changes with `number` set, from 1 among changes with equal descriptions, in order."""
    counts: Counter[str] = Counter()
    out = []
    for change in changes:
        words = change.description
        counts[words] += 1
        out.append(replace(change, number=counts[words]))
    return out


def replace_at(root: object, path: tuple[Any, ...], new: object) -> Any:  # noqa: ANN401 - the class of `root`
    """Return a copy of `root` with the node at the end of `path` replaced by `new`; all else is shared."""
    if not path:
        return new
    head, inner_path = path[0], path[1:]
    if isinstance(root, Mapping):
        return {key: replace_at(value, inner_path, new) if key == head else value for key, value in root.items()}
    if isinstance(root, tuple):
        return tuple(replace_at(item, inner_path, new) if n == head else item for n, item in enumerate(root))
    node: Any = root  # a record, since it is neither a mapping nor a tuple
    return replace(node, **{str(head): replace_at(getattr(root, str(head)), inner_path, new)})
