"""Items of the rules that build on what they were: a variant's `before`, `after`, and `base(...)` in a replacement.

What was there before is kept under a name of its own, which no author has written and nobody need be told. Must not
compare anything else.
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
Key = tuple[str, str, int]  # sort, name, number among those of one name


def kept_items(old: Mapping[Key, Any], new: Mapping[Key, Any]) -> dict[str, Any]:
    """What is kept of items that were built on, by the name it is kept under."""
    found: dict[str, Any] = {}
    for key, item in new.items():
        match = _KEPT.match(key[1])
        if match and key not in old and (key[0], match[1], 0) in old and (key[0], match[1], 0) in new:
            found[key[1]] = item
    return found


def what_it_builds_on(item: Any, kept: Mapping[str, Any]) -> Any | None:
    """The item as it was before it was built on, under its own name; None where it is not built on one."""
    if isinstance(item, s.ProcedureDecl):
        call = _call_in(item, kept)
        return replace(kept[item.body.items[call].name], name=item.name) if call is not None else None  # type: ignore[union-attr]
    shape = repr(shape_of(item))
    below = next((name for name, was in kept.items() if type(was) is type(item) and f"'{name}'" in shape), None)
    return None if below is None else replace(kept[below], name=item.name)


def told_additions(item: Any, kept: Mapping[str, Any]) -> Iterator[tuple[str, Message, Any]]:
    """What was put around it: the text, the sentence, the node; of what is no procedure the whole."""
    if not isinstance(item, s.ProcedureDecl):
        text = text_of(item)
        yield text, _("{address} builds on what it was: `{text}`", address=item.name, text=text), item
        return
    call = _call_in(item, kept)
    for number, part in enumerate(item.body.items):
        if number == call or is_only_cited(part) or isinstance(part, s.ReturnStmt):
            continue
        text = text_of(part)
        if call is not None and number < call:
            yield text, _("{address}: `{text}` comes before it", address=item.name, text=text), part
        else:
            yield text, _("{address}: `{text}` comes after it", address=item.name, text=text), part


def is_only_cited(part: Any) -> bool:
    """A statement that nobody wrote: it carries the citations of a change."""
    return isinstance(part, s.NothingStmt) and not text_of(part).startswith("nothing")


def _call_in(item: s.ProcedureDecl, kept: Mapping[str, Any]) -> int | None:
    """Where among its statements a procedure calls what it was."""
    calls = (n for n, x in enumerate(item.body.items) if isinstance(x, s.CallStmt) and x.name in kept)
    return next(calls, None)
