"""Completions in a document: keys of the format with their descriptions, names, and words of a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interpreter.checker.adhoc_expressions import find_type_by_name
from interpreter.documents.reading.validation import KINDS
from interpreter.model import types as t
from interpreter.tools.lsp.completion.rules_completion import complete_rules, list_things
from interpreter.tools.lsp.completion.yaml_cursor import Cursor, locate_cursor
from interpreter.tools.lsp.document_places import (
    TYPE,
    find_key_sorts,
    find_kind_with_attributes,
    find_matched_key,
    find_value_sorts,
    is_chart,
)
from interpreter.tools.lsp.schema_walk import KeyPath, Shape, find_shape, get_document_shape, resolve_variant_path
from interpreter.tools.lsp.symbol_index import RulesetSymbol, SymbolIndex

_KIND = re.compile(r"(?m)^kind:[ \t]*(\w+)")
_CALL = re.compile(r"\b(?:call|try):\s*(\w+)")
_WORD = re.compile(r"\w+")
_LANGUAGES = ("label", "note")


@dataclass(frozen=True, slots=True)
class Spot:
    """A cursor in a document. `kind`, `path` and `shape` describe its place within the section that contains it."""

    cursor: Cursor
    offset: int
    kind: str
    path: KeyPath
    shape: Shape


def complete_document(index: SymbolIndex | None, text: str, offset: int) -> list[RulesetSymbol]:
    """Return the keys or words that fit at an offset of a document; [] if nothing is known there."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if re.search(r"(^|\s)#", line):
        return []
    cursor, match = locate_cursor(text, offset), _KIND.search(text)
    kind = match[1] if match is not None else ""
    home, path = resolve_variant_path(kind, cursor.path)
    spot = Spot(cursor, offset, home, path, find_shape(kind, cursor.path))
    if cursor.block is not None:
        return _complete_block(index, spot)
    if cursor.is_key:
        items = _complete_values(index, spot, text) if cursor.is_item else []
        return [*_complete_keys(index, spot, text, kind in KINDS), *items]
    if spot.shape.is_expression and index is not None:
        return complete_rules(index, text, offset)
    return _complete_values(index, spot, text)


def describe_key_at(text: str, offset: int) -> str:
    """Return the format's description of the key at an offset, or ''."""
    end = re.compile(r"[\w.-]*[\"']?[ \t]*:?").match(text, offset)
    stop = end.end() if end is not None else offset
    if text[stop - 1 : stop] != ":":
        return ""
    match, cursor = _KIND.search(text), locate_cursor(text, stop)
    if cursor.is_key or cursor.block is not None or match is None:
        return ""
    above = find_shape(match[1], cursor.path[:-1])
    return find_shape(match[1], cursor.path).description if above.has_declared_key(str(cursor.path[-1])) else ""


def _complete_block(index: SymbolIndex | None, spot: Spot) -> list[RulesetSymbol]:
    """Return the completions inside a block scalar of rules, an expression or a chart; [] in any other block."""
    if index is None:
        return []
    if is_chart(spot.kind, spot.path):
        table = index.model.ruleset.tables.get(str(spot.path[-2]))
        return [] if table is None else index.list_words(table.type)
    if spot.path == ("rules",) or spot.shape.is_expression:
        code = _dedent(spot.cursor.block or "")
        return complete_rules(index, code, len(code))
    return []


def _dedent(block: str) -> str:
    """Return the text of a literal block without its common indentation."""
    first_line = next((line for line in block.split("\n") if line.strip()), "")
    indent = len(first_line) - len(first_line.lstrip(" "))
    return "\n".join(line[indent:] for line in block.split("\n"))


def _complete_keys(index: SymbolIndex | None, spot: Spot, text: str, has_kind: bool) -> list[RulesetSymbol]:
    if not spot.path and not has_kind:
        return [RulesetSymbol("kind", "key", summary=get_document_shape("map").get_value_shape("kind").description)]
    if any(part.through & set(_LANGUAGES) for part in spot.shape.parts):
        languages = index.model.ruleset.languages if index is not None else ()
        return [RulesetSymbol(language, "key") for language in languages if language not in spot.cursor.siblings]
    symbols = [RulesetSymbol(key, "key", summary=description) for key, description in spot.shape.list_keys().items()]
    if index is not None:
        symbols += _list_attribute_names(index, spot)
        symbols += _iter_symbols(index, spot, find_key_sorts(spot.kind, spot.path))
        symbols += _list_things_of_word(index, spot)
        symbols += _list_argument_names(index, spot, text)
    unused = {n.name: n for n in symbols if n.name not in spot.cursor.siblings}
    return list(unused.values())


def _complete_values(index: SymbolIndex | None, spot: Spot, text: str) -> list[RulesetSymbol]:
    if spot.path == ("kind",):
        return [RulesetSymbol(kind, "word") for kind in KINDS]
    symbols = [RulesetSymbol(word, "word") for word in spot.shape.list_words()]
    if index is None or not spot.path:
        return symbols
    type_ = _find_value_type(index, spot, text)
    if type_ is not None:
        return index.list_words(type_)
    symbols += _iter_symbols(index, spot, find_value_sorts(spot.kind, spot.path))
    return list({n.name: n for n in symbols}.values())


def _iter_symbols(index: SymbolIndex, spot: Spot, sorts: Iterable[str]) -> Iterator[RulesetSymbol]:
    """Yield the symbols of each of the `sorts` that `document_places` lists for a place of a document."""
    ruleset = index.model.ruleset
    for sort in sorts:
        if sort == TYPE:
            yield from _iter_types(index)
        elif sort == "lasting":
            yield from (RulesetSymbol(word, "word") for word in ("turn", "game"))
            yield from index.iter_symbols("phase", "procedure")
        elif sort == "many":
            kinds = (kind for kind in ruleset.kinds.values() if kind.id not in ("edge", "piece"))
            yield from (RulesetSymbol(kind.many, "kind") for kind in kinds)
        elif sort == "attribute of *":
            yield from index.attributes.get(find_matched_key(spot.kind, spot.path), ())
        elif sort == "choice of *":
            yield from (n for n in index.iter_symbols("choice") if n.owner == spot.path[-1])
        elif sort.startswith("attribute of "):
            yield from index.attributes.get(sort.removeprefix("attribute of "), ())
        elif sort == "kind":
            yield from (RulesetSymbol(kind.one, "kind") for kind in ruleset.kinds.values())
        elif sort == "class":
            yield from (RulesetSymbol(cls, "class") for cls in ruleset.classes)
        elif sort in ruleset.kinds:
            yield from list_things(index, sort)
        else:
            yield from index.iter_symbols(sort)


def _iter_types(index: SymbolIndex) -> Iterator[RulesetSymbol]:
    ruleset = index.model.ruleset
    words = [*t.PLAIN, *(k.one for k in ruleset.kinds.values()), *(c.one for c in ruleset.classes.values())]
    yield from (RulesetSymbol(word, "type") for word in dict.fromkeys([*words, *ruleset.ladders]))


def _find_attribute_kind(index: SymbolIndex, spot: Spot, path: KeyPath) -> str:
    """Return the kind or class whose attributes are the keys of the mapping at a path, '' for other keys."""
    kind = find_kind_with_attributes(spot.kind, path)
    if kind == "class":
        class_match = _WORD.match(spot.cursor.siblings.get("class", ""))
        return class_match[0] if class_match is not None else "piece"
    return kind if kind in index.attributes else index.kinds.get(kind, "")


def _list_attribute_names(index: SymbolIndex, spot: Spot) -> list[RulesetSymbol]:
    kind, is_setup = _find_attribute_kind(index, spot, spot.path), spot.path[-2:-1] == ("each",)
    return [n for n in index.attributes.get(kind, ()) if n.span is not None or (is_setup and n.name == "at")]


def _list_things_of_word(index: SymbolIndex, spot: Spot) -> list[RulesetSymbol]:
    """Return the things of the kind whose collective word is the last key of the path, as in `setup: {armies: ...}`.

    Return [] if that key is not such a word.
    """
    word = spot.path[-1] if spot.path else ""
    if not isinstance(word, str) or "many" not in find_key_sorts(spot.kind, spot.path[:-1]):
        return []
    kind = index.kinds.get(word, "")
    return list_things(index, kind) if kind else []


def _list_step_params(index: SymbolIndex, spot: Spot, text: str) -> dict[str, t.Type]:
    """Return the parameters, with their types, of the procedure or draft named in the case step above the cursor.

    Return {} if none is named there.
    """
    calls = _CALL.findall(text, 0, spot.offset)
    names = index.names.get(calls[-1], ()) if calls else ()
    return next((dict(n.params) for n in names if n.sort in ("procedure", "draft")), {})


def _list_argument_names(index: SymbolIndex, spot: Spot, text: str) -> list[RulesetSymbol]:
    if spot.kind != "cases" or spot.path[-1:] != ("args",):
        return []
    return [RulesetSymbol(name, "key", str(type_)) for name, type_ in _list_step_params(index, spot, text).items()]


def _find_value_type(index: SymbolIndex, spot: Spot, text: str) -> t.Type | None:
    """Return the type of a value whose key is an attribute or an argument, else None."""
    path = spot.path[:-1] if isinstance(spot.path[-1], int) else spot.path  # the type of an item is that of its list
    key, above = str(path[-1]), path[:-1]
    kind = _find_attribute_kind(index, spot, above)
    attribute_type = next((n.type for n in index.attributes.get(kind, ()) if n.name == key), None)
    if attribute_type is not None:
        return attribute_type
    if spot.kind == "cases" and above[-1:] == ("args",):
        return _list_step_params(index, spot, text).get(key)
    if "cells" in spot.path and is_chart(spot.kind, spot.path[: spot.path.index("cells") + 1]):
        table = index.model.ruleset.tables.get(str(spot.path[spot.path.index("cells") - 1]))
        return None if table is None else table.type
    if key == "default" and spot.shape.description:
        words = _WORD.findall(spot.cursor.siblings.get("one_of", ""))
        return (
            t.OneOfType(tuple(words)) if words else find_type_by_name(index.model, spot.cursor.siblings.get("type", ""))
        )
    return None
