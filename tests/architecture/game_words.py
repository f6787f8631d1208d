"""Every word that belongs to a shipped game: ids and names out of its documents and rules.

Reads the files directly and without the interpreter, so that a fault there cannot hide a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

# (document kind, path to a mapping whose keys are ids and whose entries may have names)
_SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruleset", ("sides", "members")),
    ("ruleset", ("seats",)),
    ("ruleset", ("kinds",)),
    ("ruleset", ("kinds", "*", "members")),
    ("ruleset", ("options",)),
    ("map", ("places", "members")),
    ("map", ("links", "members")),
    ("map", ("holding",)),
    ("map", ("regions",)),
    ("ruleset", ("regions",)),
    ("pieces", ("classes",)),
    ("pieces", ("pieces",)),
    ("ladders", ("ladders",)),
    ("ladders", ("ladders", "*", "rungs")),
    ("tables", ("tables",)),
    ("tables", ("values",)),
    ("activation", ("orders",)),
    ("victory", ("conditions",)),
    ("victory", ("levels",)),
)
_NAMES = ("name", "title", "one", "many")
_DECLARED = re.compile(
    r'^\s*(?:phase|procedure|define|rule|tally|draft|event)\s+(?:"([^"\n]+)"|([A-Za-z_]\w*))', re.MULTILINE
)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the quick one where it was built
_TOKEN = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@cache
def game_words(rulesets: Path) -> dict[str, str]:
    """Return all words and phrases of all rulesets in a folder, with the file that has each.

    In small letters; ids of documents also with spaces for `_`.
    """
    found: dict[str, str] = {}
    for path in sorted(rulesets.rglob("*")):
        if "tests" in path.relative_to(rulesets).parts:
            continue
        where = path.relative_to(rulesets).as_posix()
        if path.suffix in (".yaml", ".yml"):
            document = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
            for word in _document_words(document):
                found.setdefault(word, where)
        elif path.suffix == ".rules":
            for quoted, name in _DECLARED.findall(path.read_text(encoding="utf-8")):
                found.setdefault((quoted or name).lower(), where)
    return {word: where for word, where in sorted(found.items()) if _is_telling(word)}


def words_in(text: str, words: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Yield line and word for each game word that occurs in the text as a whole word, one for each pair.

    Parts of a name are words too: `max_bluecoats` and `BluecoatTable` have them.
    """
    small, parted = text.lower(), _CAMEL.sub("_", text).lower()
    tokens = {*_TOKEN.findall(small), *_TOKEN.findall(parted)}
    by_part, others = _by_part(tuple(words))
    there = {word for part in tokens & by_part.keys() for word in by_part[part] if word in small or word in parted}
    if not text.isascii():
        there.update(word for word in others if word in small)
    if not there:
        return
    lines = [(line.lower(), _CAMEL.sub("_", line).lower()) for line in text.splitlines()]
    for word in words:
        if word not in there:
            continue
        pattern = _pattern(word)
        for number, forms in enumerate(lines, 1):
            if any(pattern.search(form) for form in forms):
                yield number, word


@cache
def _by_part(words: tuple[str, ...]) -> tuple[dict[str, list[str]], list[str]]:
    """Group words by their longest part; words in other scripts are not split."""
    found: dict[str, list[str]] = {}
    for word in words:
        if word.isascii():
            found.setdefault(max(_parts(word), key=lambda part: (len(part), part)), []).append(word)
    return found, [word for word in words if not word.isascii()]


@cache
def _parts(word: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(word))


@cache
def _pattern(word: str) -> re.Pattern[str]:
    ends = r"(?<![^\W_])", r"(?![^\W_])"  # neither letter nor digit beside it; `_` parts words
    return re.compile(re.escape(word).join(ends) if word.isascii() else re.escape(word))


def rule_numbers(rulesets: Path) -> set[str]:
    """Return the ids of all paragraphs of all rulebooks."""
    found: set[str] = set()
    for path in sorted(rulesets.rglob("*.yaml")):
        document = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
        if isinstance(document, dict) and document.get("kind") == "rulebook":
            found |= set(document.get("paragraphs") or {})
    return found


def _document_words(document: Any) -> Iterator[str]:
    if not isinstance(document, dict):
        return
    kind = document.get("kind")
    if kind in ("ruleset", "scenario", "variant"):
        yield from _label_words(document.get("id"))
        yield from _label_words(document.get("title"))
    if kind == "ruleset" and isinstance(sides := document.get("sides"), dict):
        yield from _entry_words(sides.get("word"))
    for wanted, path in _SECTIONS:
        if kind == wanted:
            yield from _section_words(document, path)
        elif kind == "variant":
            yield from _section_words(document.get(wanted), path)


def _section_words(node: Any, path: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, list):
        node = dict.fromkeys(node) if all(isinstance(n, str) for n in node) else {}
    if not isinstance(node, dict):
        return
    if path and path[0] == "*":
        for inner in node.values():
            yield from _section_words(inner, path[1:])
    elif path:
        yield from _section_words(node.get(path[0]), path[1:])
    else:
        for key, entry in node.items():
            yield from _label_words(key.removeprefix("new "))
            yield from _entry_words(entry)


def _entry_words(entry: Any) -> Iterator[str]:
    """Return the names an entry carries in any language."""
    if isinstance(entry, dict):
        for key in _NAMES:
            yield from _label_words(entry.get(key))
        for name in entry.get("names") or ():
            yield from _label_words(name)


def _label_words(label: Any) -> Iterator[str]:
    if isinstance(label, dict):
        for words in label.values():
            yield from _label_words(words)
    elif isinstance(label, str) and label:
        yield label.lower()
        yield label.lower().replace("_", " ")


def _is_telling(word: str) -> bool:
    """Return False for numbers and single letters, which identify no game."""
    return len(word) > 1 and not re.fullmatch(r"[\W\d_]+", word)
