"""Lays an overlay over a tree: mappings merge by key, other values replace, null takes away.

Every value keeps the span of the file it was written in. Must not know what the values mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.documents.reading.containers import Path, charts_depth, is_container, is_whole
from interpreter.documents.reading.tree import EMPTY, Branch, Entry, Listing, Node, Scalar, is_null
from interpreter.source.diagnostic import Related, Sink
from interpreter.source.suggestion import close_words, did_you_mean
from interpreter.source.text import Span
from interpreter.words.speech import Sentence, mark as _

_NEW = "new "
Headings = Callable[[Path], tuple[str, ...]]  # of the last axis, for the way to a row that is written as a list


Meant = Callable[[Path, str], Sentence]  # for an unknown name at a path: the cure, or '' where none is known


def _no_headings(path: Path) -> tuple[str, ...]:
    return ()


def _nothing_meant(path: Path, name: str) -> Sentence:
    return Sentence("")


@dataclass(frozen=True, slots=True)
class BaseWords:
    """What the base knows beyond its keys: headings of charts, and names that are meant by unknown ones."""

    headings: Headings = _no_headings
    meant: Meant = _nothing_meant


_NONE = BaseWords()


def overlay(kind: str, base: Branch, change: Branch, sink: Sink, path: Path = (), words: BaseWords = _NONE) -> Branch:
    """Return `base` changed by `change`. A name that `base` lacks must be written `new NAME`.

    Cells of a chart need no `new`: its axes declare its headings, and a wrong one is told when it is built.
    """
    entries = dict(base.entries)
    for entry in change:
        if entry.key.text.startswith(_NEW):
            _add(entries, entry, sink)
        elif is_null(entry.value) and not (base is EMPTY and not is_container(kind, path)):
            _take_away(entries, entry, path, sink)
        else:
            _change(kind, entries, entry, path, sink, words)
    return Branch(entries, base.span if base is not EMPTY else change.span)


def _add(entries: dict[str, Entry], entry: Entry, sink: Sink) -> None:
    name = entry.key.text[len(_NEW) :].strip()
    if len(name) > 2 and name[0] == name[-1] and name[0] in "\"'":  # new "0102", for "new 0102"
        name = name[1:-1]
    old = entries.get(name)
    if old is not None:
        sink.error(
            "already-in-base",
            _("`{name}` is marked as new, but the base has it", name=name),
            entry.key.span,
            help=_("take out `new` to change it, or choose another name"),
            related=(Related(_("defined here"), old.key.span),),
        )
        return
    at = entry.key.span
    start = at.start + entry.key.text.index(name) + (1 if entry.key.style else 0)
    key = Scalar(name, name, Span(at.source, start, start + len(name)), entry.key.style)
    entries[name] = Entry(key, entry.value)


def _take_away(entries: dict[str, Entry], entry: Entry, path: Path, sink: Sink) -> None:
    name = entry.key.text
    if name in entries:
        del entries[name]
        return
    sink.error(
        "nothing-to-delete",
        _("`{name}` is to be taken away, but the base has no such key{inside}", name=name, inside=_inside(path)),
        entry.key.span,
        help=did_you_mean(name, entries) or _("take the line out"),
    )


def _change(kind: str, entries: dict[str, Entry], entry: Entry, path: Path, sink: Sink, words: BaseWords) -> None:
    name, below = entry.key.text, (*path, entry.key.text)
    old = entries.get(name)
    if old is None and is_container(kind, path) and charts_depth(kind, path) is None:
        sink.error(
            "unknown-in-base",
            _("the base has no `{name}`{inside}", name=name, inside=_inside(path)),
            entry.key.span,
            help=words.meant(path, name) or _add_help(name, entries),
        )
        return
    entries[name] = Entry(
        old.key if old and isinstance(entry.value, Branch) else entry.key,
        _merged(kind, old.value if old else None, entry.value, below, sink, words),
    )


def _merged(kind: str, old: Node | None, new: Node, path: Path, sink: Sink, words: BaseWords) -> Node:
    if not isinstance(new, Branch) or is_whole(kind, path):
        return new
    if isinstance(old, Listing) and charts_depth(kind, path) is not None:
        old = _row_by_heading(old, words.headings(path)) or old
    if isinstance(old, Branch):
        return overlay(kind, old, new, sink, path, words)
    # Below a key the base lacks only the containers among the fields can hold unknown names.
    return overlay(kind, EMPTY, new, sink, path, words) if old is None else new


def _row_by_heading(row: Listing, headings: tuple[str, ...]) -> Branch | None:
    """A row written as a list as a mapping; None where it is no row of these headings."""
    if len(row.items) != len(headings):
        return None
    return Branch(
        {h: Entry(Scalar(h, h, item.span), item) for h, item in zip(headings, row.items, strict=True)}, row.span
    )


def _add_help(name: str, known: Iterable[str]) -> Sentence:
    close = close_words(name, known)
    if not close:
        return _("to add it, write `new {name}`", name=name)
    return _("did you mean `{word}`? to add it, write `new {name}`", word=close[0], name=name)


def _inside(path: Path) -> str:
    return _(" in `{path}`", path=".".join(path)) if path else ""
