"""Rule items that extend an earlier version: `before`, `after`, and `base(...)` in a variant's replacement.

The earlier version is stored under a generated name, which is never shown to authors. Compares nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s
from interpreter.tools.diff.rule_text import shape_of, text_of

_KEPT = re.compile(r"(.+)_base\d+$")
Key = tuple[str, str, int]  # sort, name, index among items of that name


def earlier_versions(old: Mapping[Key, Any], new: Mapping[Key, Any]) -> dict[str, Any]:
    """Return the earlier versions of extended items, by their generated name."""
    found: dict[str, Any] = {}
    for key, item in new.items():
        match = _KEPT.match(key[1])
        if match and key not in old and (key[0], match[1], 0) in old and (key[0], match[1], 0) in new:
            found[key[1]] = item
    return found


def earlier_version(item: s.NamedNode, kept: Mapping[str, Any]) -> s.NamedNode | None:
    """Return the earlier version of an item under the item's own name, or None if the item extends nothing."""
    if isinstance(item, s.ProcedureDecl):
        call = _call_in(item, kept)
        return replace(kept[item.body.items[call].name], name=item.name) if call is not None else None  # type: ignore[union-attr]
    shape = repr(shape_of(item))
    below = next((name for name, was in kept.items() if type(was) is type(item) and f"'{name}'" in shape), None)
    return None if below is None else replace(kept[below], name=item.name)


def iter_additions(item: s.NamedNode, kept: Mapping[str, Any]) -> Iterator[tuple[str, Message, Any]]:
    """Yield (text, sentence, node) for each statement added around the earlier version.

    An item other than a procedure is yielded as a whole.
    """
    if not isinstance(item, s.ProcedureDecl):
        text = text_of(item)
        yield text, _("{address} extends the base: `{text}`", address=item.name, text=text), item
        return
    call = _call_in(item, kept)
    for number, part in enumerate(item.body.items):
        if number == call or is_citation_only(part) or isinstance(part, s.ReturnStmt):
            continue
        text = text_of(part)
        if call is not None and number < call:
            yield text, _("{address}: `{text}` is added before it", address=item.name, text=text), part
        else:
            yield text, _("{address}: `{text}` is added after it", address=item.name, text=text), part


def is_citation_only(part: object) -> bool:
    """Return True for a generated statement, which only carries the citations of a change."""
    return isinstance(part, s.NothingStmt) and not text_of(part).startswith("nothing")


def _call_in(item: s.ProcedureDecl, kept: Mapping[str, Any]) -> int | None:
    """Return the index of the statement with which a procedure calls its earlier version, or None."""
    calls = (n for n, x in enumerate(item.body.items) if isinstance(x, s.CallStmt) and x.name in kept)
    return next(calls, None)
