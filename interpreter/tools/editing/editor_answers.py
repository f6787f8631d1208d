"""What an editor is told: completions, descriptions, places of names, changes of names. Must not speak the protocol.

All of it comes from what is known of the ruleset when it was last good, so that it is there at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.source.text import Span, edited
from interpreter.tools.editing.desk import Desk, Found
from interpreter.tools.editing.known_names import Known, Name
from interpreter.tools.editing.written_words import item_around, occurrences, word_at

_LOCAL = re.compile(r"\b(\w+)\s*:\s*(\w+)|\b(?:for|any|no|every|some)?\s*(\w+) in \{?(?:\w+ in )?(\w+)")
_AFTER_DOT = re.compile(r"([A-Za-z_][\w.]*)\.(\w*)$")
_NOT_RENAMED = ("keyword", "paragraph", "kind")


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file's text."""

    path: Path
    start: int
    end: int


def completions(desk: Desk, path: Path, offset: int) -> list[Name]:
    """The names that can go on at a place, those that fit alone where that is known."""
    known = desk.known.get(desk.target_of(path))
    if known is None:
        return []
    text = desk.text_of(path)
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    is_rules = path.suffix == ".rules" or "rules: |" in text[:offset]
    dotted = _AFTER_DOT.search(line)
    if dotted:
        return _attributes(known, text, offset, dotted[1])
    if _is_citing(line):
        return list(known.all("paragraph"))
    if not is_rules:
        return [
            n for n in known.all() if n.sort not in ("keyword", "paragraph", "define", "procedure", "rule", "draft")
        ]
    own = [Name(name, "local", type) for name, type in _locals(known, text, offset).items()]
    return own + [n for n in known.all() if n.sort not in ("paragraph", "attribute", "scenario")]


def _is_citing(line: str) -> bool:
    opened = line.rfind("[")
    if opened < 0 or "]" in line[opened:]:
        return bool(re.search(r"\bcite:\s*\"?[\w.\-]*$", line))
    head = line[:opened]
    return bool(re.search(r"(cite|rules):\s*$", head)) or (head[-1:].isspace() and not re.search(r"[=(,]\s*$", head))


def _attributes(known: Known, text: str, offset: int, base: str) -> list[Name]:
    """What can stand behind a dot: values, or the attributes of what stands before it."""
    first, *rest = base.split(".")
    if first == "value":
        return list(known.all("value"))
    if first == "game":
        return list(known.attributes.get("game", ()))
    kind = known.kinds.get(_locals(known, text, offset).get(first, ""), "")
    for name in rest:
        found = next((a for a in known.attributes.get(kind, ()) if a.name == name), None)
        kind = known.kinds.get(found.type.removeprefix("maybe "), "") if found else ""
    return list(known.attributes.get(kind, ())) or list(known.all("attribute"))


def _locals(known: Known, text: str, offset: int) -> dict[str, str]:
    """Local names around a place with the word of their kind, as far as it is written beside them."""
    found: dict[str, str] = {}
    for name, type_, other, many in _LOCAL.findall(item_around(text, offset)):
        if name and type_ in known.kinds:
            found[name] = type_
        elif other and many in known.kinds:
            found[other] = many
    return found


def meant(desk: Desk, path: Path, offset: int) -> tuple[str, tuple[Name, ...]]:
    """The word at a place and what it can be, what is most likely first."""
    known = desk.known.get(desk.target_of(path))
    text = desk.text_of(path)
    stretch = word_at(text, offset, path.suffix == ".rules")
    if known is None or stretch is None:
        return "", ()
    word = text[stretch[0] : stretch[1]]
    found = known.names.get(word, ())
    line = text[text.rfind("\n", 0, stretch[0]) + 1 : stretch[0]]
    if line.endswith("value."):
        wanted: tuple[str, ...] = ("value",)
    elif line.endswith("."):
        wanted = ("attribute",)
    elif _is_citing(line):
        wanted = ("paragraph",)
    else:
        wanted = ()
    fitting = tuple(n for n in found if n.sort in wanted)
    if wanted == ("attribute",) and (dotted := _AFTER_DOT.search(line + word)):
        own = {n.of for n in _attributes(known, text, stretch[0], dotted[1])}
        fitting = tuple(n for n in fitting if n.of in own) or fitting
    return word, fitting or tuple(n for n in found if n.sort != "attribute" or not wanted)


def told(names: Iterable[Name]) -> str:
    """What is said of names, in Markdown."""
    parts = []
    for name in names:
        if name.sort != "keyword":
            head = (
                f"**{name.name}** ({name.sort})" if name.brief in ("", name.name) else f"**{name.sort}** `{name.brief}`"
            )
            parts.append(head + (f"\n\n{name.told}" if name.told else ""))
    return "\n\n---\n\n".join(parts)


def definitions(desk: Desk, path: Path, offset: int) -> list[Place]:
    """Where what is meant at a place is written first."""
    word, names = meant(desk, path, offset)
    target = desk.target_of(path)
    found = []
    for name in names:
        place = desk.place_of(target, name.span) if name.span is not None else None
        if place is not None:
            found.append(_narrowed(desk, place[0], place[1], word))
    return list(dict.fromkeys(found))


def _narrowed(desk: Desk, path: Path, span: Span, word: str) -> Place:
    """The name itself within a definition."""
    text = desk.text_of(path)
    at = text.find(word, max(span.start - len(word) - 4, 0), span.end)
    return Place(path, at, at + len(word)) if at >= 0 else Place(path, span.start, span.end)


def references(desk: Desk, path: Path, offset: int) -> list[Place]:
    """Every place in the files of the ruleset where the name at a place stands."""
    text = desk.text_of(path)
    stretch = word_at(text, offset, path.suffix == ".rules")
    if stretch is None:
        return []
    word = text[stretch[0] : stretch[1]]
    return list(_everywhere(desk, desk.target_of(path), word))


def _everywhere(desk: Desk, target: str, word: str) -> Iterator[Place]:
    for file in sorted(set(desk.paths.get(target, {}).values())):
        if file.suffix in (".rules", ".yaml", ".yml"):
            for start, end in occurrences(desk.text_of(file), word, file.suffix == ".rules"):
                yield Place(file, start, end)


class CannotRename(Exception):
    """A name stays as it is; the message says why."""


def can_rename(desk: Desk, path: Path, offset: int) -> Place:
    """The name at a place if it can be changed; CannotRename where it is none of the ruleset's own."""
    text = desk.text_of(path)
    word, names = meant(desk, path, offset)
    stretch = word_at(text, offset, path.suffix == ".rules")
    sorts = {n.sort for n in names}
    if stretch is None or not names or sorts <= set(_NOT_RENAMED):
        raise CannotRename("this is no name of the ruleset that could be changed")
    return Place(path, *stretch)


def rename(desk: Desk, path: Path, offset: int, new: str) -> list[Place]:
    """Every place where the name is to be changed; CannotRename unless all is as good afterwards as it was before."""
    place = can_rename(desk, path, offset)
    word = desk.text_of(path)[place.start : place.end]
    target = desk.target_of(path)
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", new, re.ASCII) or new in desk.known[target].names:
        raise CannotRename(f"`{new}` is taken, or cannot be a name: small letters, digits and underscores")
    before = [_mark(f) for f in desk.check(target)]
    places = list(_everywhere(desk, target, word))
    tried = Desk(dict(desk.texts))
    for file in {p.path for p in places}:
        tried.texts[file] = edited(desk.text_of(file), [(p.start, p.end, new) for p in places if p.path == file])
    worse = [f for f in tried.check(target) if _mark(f) not in before and f.diagnostic.severity == "error"]
    if worse:
        raise CannotRename(f"something would be wrong then: {worse[0].diagnostic.span}: {worse[0].diagnostic.message}")
    return places


def _mark(found: Found) -> tuple[str, str, int]:
    return found.diagnostic.code, found.path.as_posix(), found.span.line
