"""Completions in the rules: attributes after a dot, words of a type, paragraphs, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from interpreter.model import types as t
from interpreter.tools.lsp.completion.local_types import infer_local_types, infer_type_before
from interpreter.tools.lsp.completion.open_calls import find_open_call
from interpreter.tools.lsp.symbol_index import RulesetSymbol, SymbolIndex

_AFTER_DOT = re.compile(r"([A-Za-z_][\w.]*|[)\]])\.(\w*)$")
_COMPARED = re.compile(r"(.*?\S)\s*(?:==|!=)\s*(\w*)$")
_SET = re.compile(r"^\s*(?:set\s+(?P<whole>.*?\S)\s*=\s*\w*|(?P<verb>set|raise|lower|advance|drop)\s+[\w.()\[\]]*)$")
_MATCH = re.compile(r"^(\s*)match\s+(.+?)\s*(?:\[[^\]]*\]\s*)?:\s*$")
_QUOTED_ID = re.compile(r'\b(\w+)\("([\w-]*)$')
_BARE = re.compile(r"^\s*\w*$")
# Sorts that occur in rules only after a qualifier, or only in documents.
_ELSEWHERE = frozenset(("paragraph attribute scenario edge place piece word choice decision roll value record").split())


def complete_rules(index: SymbolIndex, text: str, offset: int) -> list[RulesetSymbol]:
    """Return the names that fit at an offset of a rules text, best matches first."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    quoted = _QUOTED_ID.search(line)
    if quoted is not None and quoted[1] in index.kinds:
        return list_things(index, index.kinds[quoted[1]])
    if _is_prose(line):
        return []
    if is_inside_citation(line):
        return list(index.iter_symbols("paragraph"))
    local = infer_local_types(index, text, offset)
    dotted = _AFTER_DOT.search(line)
    if dotted is not None:
        return _complete_after_dot(index, line[: len(line) - len(dotted[2]) - 1], local, line)
    local_symbols = [RulesetSymbol(name, "local", str(type_), type=type_) for name, type_ in local.items()]
    words = _list_expected_words(index, text, offset, line, local)
    if words:
        return [*words, *(name for name in local_symbols if index.list_words(name.type) == words)]
    return [*local_symbols, *(name for name in index.iter_symbols() if name.sort not in _ELSEWHERE)]


def list_things(index: SymbolIndex, kind: str) -> list[RulesetSymbol]:
    """Return the things of a kind, or the pieces of a class."""
    ruleset = index.model.ruleset
    if kind in ruleset.classes:
        return [n for n in index.iter_symbols(ruleset.kinds["piece"].one) if n.owner == kind]
    return list(index.iter_symbols(ruleset.kinds[kind].one))


def is_inside_citation(line: str) -> bool:
    """Return True if a line ends within a citation."""
    opened = line.rfind("[")
    if opened < 0 or "]" in line[opened:]:
        return False
    head = line[:opened]
    return not head.strip() or (head[-1:].isspace() and not re.search(r"[=(,]\s*$", head))


def _is_prose(line: str) -> bool:
    """Return True if a line ends in a comment, or in a text outside its placeholders."""
    in_text = False
    for index, sign in enumerate(line):
        if sign == '"':
            in_text = not in_text
        elif sign == "#" and not in_text:
            return True
        elif in_text and sign == "{" and "}" not in line[index:]:
            return False
    return in_text


def _complete_after_dot(
    index: SymbolIndex, expression: str, local: Mapping[str, t.Type], line: str
) -> list[RulesetSymbol]:
    """Return the completions after a dot: named values, or attributes of the expression before it.

    `expression`: the line up to the dot; `line`: the line up to the cursor; `local`: the types of the local names.
    """
    if re.search(r"\bvalue$", expression):
        return list(index.iter_symbols("value"))
    if re.search(r"(?<![\w.])game$", expression):
        symbols: Iterable[RulesetSymbol] = index.attributes.get("game", ())
    else:
        type_ = infer_type_before(index, expression, local)
        symbols = list_attributes(index, type_)
        if type_ is None:
            symbols = {n.name: n for n in index.iter_symbols("attribute")}.values()
    is_changed = _SET.match(line)
    if is_changed is not None and is_changed["verb"]:
        symbols = [name for name in symbols if name.changes or name.sort != "attribute"] or symbols
    return list(symbols)


def list_attributes(index: SymbolIndex, type_: t.Type | None) -> list[RulesetSymbol]:
    """Return the attributes of a value of a type."""
    match type_:
        case t.MaybeType(item=item):
            return list_attributes(index, item)
        case t.ThingType(kind=kind, cls=cls):
            return list(index.attributes.get(cls or kind, ()))
        case t.RecordType(id=record):
            return [
                RulesetSymbol(name, "attribute", str(type), type=type) for name, type in _list_fields(index, record)
            ]
    return []


def _list_fields(index: SymbolIndex, record: str) -> Iterable[tuple[str, t.Type]]:
    if record.startswith(t.DRAFT):
        draft = index.model.drafts.get(record.removeprefix(t.DRAFT))
        return [(field.name, field.type) for field in draft.fields] if draft is not None else ()
    return index.model.records.get(record, ())


def _list_expected_words(
    index: SymbolIndex, text: str, offset: int, line: str, local: Mapping[str, t.Type]
) -> list[RulesetSymbol]:
    """Return the words of the type that is compared, assigned, matched or passed at the cursor; [] elsewhere.

    `line`: the line up to the cursor; `local`: the types of the local names.
    """
    assigned = _SET.match(line)
    if assigned is not None and assigned["whole"]:
        return index.list_words(_infer_type(index, assigned["whole"], local))
    compared = _COMPARED.match(line)
    if compared is not None:
        return index.list_words(_infer_type(index, compared[1], local))
    if _BARE.match(line) and (matched := _find_match_above(text, offset)) is not None:
        return index.list_words(_infer_type(index, matched, local))
    called = find_open_call(index, text, offset)
    if called is None or isinstance(called.expected_type, t.ThingType | t.MaybeType | t.SetType | t.ListType):
        return []  # arguments are more often local names than ids of things
    return index.list_words(called.expected_type)


def _infer_type(index: SymbolIndex, expression: str, local: Mapping[str, t.Type]) -> t.Type | None:
    """Infer the type of an expression, which may be an attribute of the whole game; None if it is unknown.

    `expression`: the line up to the end of the expression; `local`: the types of the local names.
    """
    game = re.search(r"(?<![\w.])game\.(\w+)$", expression)
    if game is not None:
        return next((n.type for n in index.attributes.get("game", ()) if n.name == game[1]), None)
    return infer_type_before(index, expression, local)


def _find_match_above(text: str, offset: int) -> str | None:
    """Return the expression matched by the `match` around an arm, or None outside one."""
    lines = text[:offset].split("\n")
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    for line in reversed(lines[:-1]):
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            match = _MATCH.match(line)
            return match[2] if match is not None else None
    return None
