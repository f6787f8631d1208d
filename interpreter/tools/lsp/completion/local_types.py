"""Infer the types of local names and expressions before a cursor in the rules, as far as possible.

Text under the cursor is rarely well formed, so names are found by the words around them; only their expressions are
parsed, by the checker itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from interpreter.checker.adhoc_expressions import find_type_by_name, infer_expression_type
from interpreter.model import types as t
from interpreter.tools.lsp.symbol_index import SymbolIndex
from interpreter.tools.lsp.token_scan import get_item_text

_QUIET = re.compile(r'"[^"\n]*"|#[^\n]*')
_HEADER = re.compile(
    r"^(?:replace )?(procedure|define|rule|tally|draft|event|whenever)\s+(\w+)\s*\(([^)\n]*)\)", re.MULTILINE
)
_BINDING = re.compile(
    r"""(?P<in>\b(?P<member>\w+)\ in\ )            # for u in units:, {u in units, option go(a in places)
    |\blet\ (?P<let>\w+)\ =\ (?P<value>[^\n]+)     # let far = distance
    |->\s*(?P<result>\w+)                          # roll luck: die -> n
    |\bstarting\ (?P<fields>[^:\n]+)               # draft walk(u: unit) starting here = u.at
    """,
    re.VERBOSE,
)
_PARAM = re.compile(r"\s*(\w+)\s*(?::\s*([\w ]+?))?\s*$")
_FIELD = re.compile(r"(\w+)\s*=\s*")
_ENDS = re.compile(r"\b(?:where|by|satisfies|then|having)\b")
_ROLL = re.compile(r"\broll\b[^\n]*$")
_RESULT_OF = re.compile(r"(\w+)\([^\n]*\)[^\n]*$")
_MEMBER = "any_member"


def infer_local_types(index: SymbolIndex, text: str, offset: int) -> dict[str, t.Type]:
    """Infer the types of the local names bound between the heading of an item and the cursor in it, by name."""
    code = get_item_text(text, offset)
    quiet = _QUIET.sub(lambda part: " " * len(part[0]), code)
    types: dict[str, t.Type] = {}
    header = _HEADER.match(quiet.lstrip("\n"))
    if header is not None:
        types.update(_iter_params(index, header))
    for bound in _BINDING.finditer(quiet):
        for name, type_ in _iter_bound_names(index, code, quiet, bound, types):
            if type_ is not None:
                types[name] = type_
    return types


def _iter_params(index: SymbolIndex, header: re.Match[str]) -> Iterator[tuple[str, t.Type]]:
    declared = next((n.params for n in index.names.get(header[2], ()) if n.sort == "event"), ())
    for number, part in enumerate(header[3].split(",")):
        param = _PARAM.match(part)
        if param is None:
            continue
        type_ = find_type_by_name(index.model, param[2]) if param[2] else None
        if type_ is None and number < len(declared):
            type_ = declared[number][1]
        if type_ is not None:
            yield param[1], type_


def _iter_bound_names(
    index: SymbolIndex, code: str, quiet: str, bound: re.Match[str], local: Mapping[str, t.Type]
) -> Iterator[tuple[str, t.Type | None]]:
    """Yield (name, type or None) for each name that one binding introduces.

    `code`: the item's text; `quiet`: the same text with texts and comments blanked; `bound`: the match of the binding;
    `local`: the types of the names bound before it.
    """
    line = quiet[quiet.rfind("\n", 0, bound.start()) + 1 : bound.start()]
    if bound["member"]:
        domain = code[bound.end() : _find_end_of_domain(quiet, bound.end())]
        is_test = re.search(r"\b(?:if|and|or|not|else|where|require)\s*$", line) is not None
        if not is_test or bound["member"] not in local:
            yield bound["member"], infer_element_type(index, domain, local)
    elif bound["let"]:
        value = code[bound.start("value") : bound.end("value")]
        yield bound["let"], infer_expression_type(index.model, value.split("  [")[0].strip(), local)
    elif bound["result"]:
        yield bound["result"], _infer_result_type(index, line)
    else:
        fields = code[bound.start("fields") : bound.end("fields")]
        for name, value in _iter_fields(fields):
            yield name, infer_expression_type(index.model, value, local)


def _find_end_of_domain(quiet: str, start: int) -> int:
    """Return the offset in `quiet` at which the domain that begins at `start` ends.

    It ends at a word, a comma or a bracket of the enclosing construct.
    """
    depth, index = 0, start
    while index < len(quiet):
        sign = quiet[index]
        if sign in "([{":
            if sign == "[" and quiet[index - 1] == " ":
                break
            depth += 1
        elif sign in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (sign in ",\n:" or _ENDS.match(quiet, index)):
            break
        index += 1
    return index


def _iter_fields(text: str) -> Iterator[tuple[str, str]]:
    matches = list(_FIELD.finditer(text))
    for field, following in zip(matches, [*matches[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        yield field[1], text[field.end() : end].strip().rstrip(",").split(" [")[0]


def _infer_result_type(index: SymbolIndex, line: str) -> t.Type | None:
    """Return the type of the result of the roll, draft or procedure call that ends `line`, or None."""
    roll = _ROLL.search(line)
    if roll is not None:
        return t.ListType(t.INT) if re.search(r":\s*(?:\w+\s+)?\d+\s+\w+|:\s*\S+ dice", roll[0]) else t.INT
    called = _RESULT_OF.search(line)
    for name in index.names.get(called[1], ()) if called is not None else ():
        if name.sort == "draft":
            return t.RecordType(t.DRAFT + name.name)
        if name.type is not None:
            return name.type
    return None


def infer_element_type(index: SymbolIndex, domain: str, local: Mapping[str, t.Type]) -> t.Type | None:
    """Infer the type of the members of the set or list `domain`; None if it is neither.

    `local`: the types of the local names.
    """
    set_type = infer_expression_type(index.model, f"{{{_MEMBER} in {domain}}}", local)
    if isinstance(set_type, t.SetType):
        return set_type.item
    domain_type = infer_expression_type(index.model, domain, local)
    return domain_type.item if isinstance(domain_type, t.SetType | t.ListType) else None


def find_expression_before(line: str) -> str:
    """Return the expression that ends a line: names, dots, calls and look-ups.

    >>> find_expression_before("if any u in units where owner(u.side).best")
    'owner(u.side).best'
    """
    index, depth = len(line), 0
    while index > 0:
        sign = line[index - 1]
        if sign in ")]}":
            depth += 1
        elif sign in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and not (sign.isalnum() or sign in "_."):
            break
        index -= 1
    return line[index:]


def infer_type_before(index: SymbolIndex, line: str, local: Mapping[str, t.Type]) -> t.Type | None:
    """Infer the type of the expression that ends a line; or return None without an expression or a known type.

    `local`: the types of the local names.
    """
    expression = find_expression_before(line)
    if expression in local:
        return local[expression]
    return infer_expression_type(index.model, expression, local) if expression else None
