"""Helpers of the fault makers: the places in a text, the words of a schema, and the fault that was made."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """A spoiled file: its name and new text, what was done, and the places (file, line) where it may be found."""

    sort: str
    file: str
    text: str
    told: str
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Book:
    """The files of a ruleset by name, and words that several makers need."""

    files: dict[str, str]

    def names(self, ending: str) -> list[str]:
        return [n for n in sorted(self.files) if n.endswith(ending)]

    @property
    def paragraphs(self) -> frozenset[str]:
        """Return the ids of the rulebook's paragraphs."""
        return frozenset(re.findall(r'^  "([^"]+)":$', self.files.get("rulebook.yaml", ""), re.MULTILINE))


Chance = random.Random
Maker = Callable[[Book, str, Chance], "Fault | None"]


# --- tools ------------------------------------------------------------------------------------


def line_of(text: str, at: int) -> int:
    """Return the line of an offset, from 1."""
    return text.count("\n", 0, at) + 1


def spoiled(sort: str, file: str, text: str, start: int, end: int, new: str) -> Fault:
    """Replace `start` to `end` of a text; the fault is expected there."""
    line = text[text.rfind("\n", 0, start) + 1 : text.find("\n", end)].strip()
    return Fault(
        sort,
        file,
        text[:start] + new + text[end:],
        f"`{text[start:end]}` -> `{new}` in: {line[:90]}",
        ((file, line_of(text, start)),),
    )


def misspelt(word: str, chance: Chance) -> str:
    """Return the word with two letters swapped, one left out, or one doubled; never the same word."""
    for _ in range(50):
        at = chance.randrange(len(word))
        sort = chance.randrange(3)
        if sort == 0 and at + 1 < len(word):
            new = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif sort == 1 and len(word) > 3:
            new = word[:at] + word[at + 1 :]
        else:
            new = word[:at] + word[at] + word[at:]
        if new != word and new[0].isalpha() and new.isidentifier():
            return new
    return word + "x"


@lru_cache(maxsize=64)
def bare_rules(text: str) -> str:
    """Blank out the comments and texts of rules, keeping every other character in its place."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    return re.sub(r'"[^"\n]*"|#[^\n]*', blank, text)


@lru_cache(maxsize=64)
def continued(text: str) -> frozenset[int]:
    """Return the lines of rules (from 1) that continue a line above: their indentation is free."""
    out = set()
    lines = bare_rules(text).split("\n")
    width: int | None = None
    for number, line in enumerate(lines, 1):
        bare = line.rstrip()
        if not bare:
            continue
        indent = len(bare) - len(bare.lstrip())
        if width is not None and indent > width:
            out.add(number)
            continue
        width = indent if bare.endswith("=") else None
    return frozenset(out)


@dataclass(frozen=True)
class Entry:
    """A key and its value in a document, with the keys above it."""

    path: tuple[str, ...]
    key: yaml.ScalarNode
    value: yaml.Node


@lru_cache(maxsize=64)
def entries_of(text: str) -> tuple[Entry, ...]:
    """Return every entry of every mapping of a document."""
    return tuple(_entries(yaml.compose(text, Loader=yaml.SafeLoader), ()))


def _entries(node: yaml.Node | None, path: tuple[str, ...]) -> Iterator[Entry]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield Entry(path, key, value)
            yield from _entries(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _entries(item, path)


def scalars_of(entry: Entry) -> list[yaml.ScalarNode]:
    """Return the value if it is a scalar, or the items if it is a list of scalars."""
    if isinstance(entry.value, yaml.ScalarNode):
        return [entry.value]
    if isinstance(entry.value, yaml.SequenceNode):
        return [n for n in entry.value.value if isinstance(n, yaml.ScalarNode)]
    return []


@lru_cache(maxsize=1)
def schema_words() -> frozenset[str]:
    """Return every key that a schema names."""
    found: set[str] = set()

    def look(node: object) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict):
                found.update(node["properties"])
            for value in node.values():
                look(value)
        elif isinstance(node, list):
            for value in node:
                look(value)

    for path in (ROOT / "schemas").glob("*.json"):
        look(json.loads(path.read_text(encoding="utf-8")))
    return frozenset(found)


LABELS = ("en", "ja", "name", "title", "text", "note", "about", "version")
DECLARING = (
    "attributes",
    "values",
    "options",
    "members",
    "pieces",
    "classes",
    "kinds",
    "game",
    "tables",
    "orders",
    "ladders",
    "rungs",
    "paragraphs",
    "conditions",
    "levels",
    "regions",
    "holding",
    "cells",
    "parts",
    "links",
    "dice",
    "seats",
    "axes",
    "gives",
    "sides",
)


def pick(chance: Chance, found: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return one of the spans at random, or None if there is none."""
    return chance.choice(found) if found else None


def in_rules(pattern: str, text: str, group: int = 0) -> list[tuple[int, int]]:
    """Return the spans of a pattern in rules, without those in comments and texts."""
    return [m.span(group) for m in re.finditer(pattern, bare_rules(text), re.MULTILINE)]
