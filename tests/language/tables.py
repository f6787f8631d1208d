"""Generate the parser's tables that ship beside the grammar, with lark.

Run by hand after a change of the grammar: python -m tests.language.tables
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from lark import Lark

from interpreter.language.lalr import NEWLINE, OMITTED, GrammarTerminal, Rule, Tables
from interpreter.language.parser_tables import GRAMMAR, SHIPPED, encode_tables, grammar_key

STARTS = ["start", "expression_start"]


class _Layout:
    """A post-lexer that never runs: lark must only know that line ends are always accepted."""

    always_accept = (NEWLINE,)


def lark_parser(grammar: str, postlex: Any = None) -> Lark:
    """Return lark's own parser of a grammar."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=STARTS,
        postlex=postlex or _Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def generate(grammar: str) -> Tables:
    """Return the tables of a grammar."""
    parser: Any = lark_parser(grammar)
    lexer = parser.parser.lexer.lexer.root_lexer  # sorts the terminals in the order in which it tries them
    lexer.scanner  # noqa: B018 - builds the callbacks, which tell keywords from other fixed spellings
    ((name, unless),) = lexer.callback.items()
    keywords = {terminal.name for terminal in unless.scanner.terminals}
    table = parser.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(parser.rules)}
    states = sorted(table.states)
    assert states == list(range(len(states)))
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in states:
        row, others = {}, {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if symbol.isupper():
                row[symbol] = argument if action.name == "Shift" else ~numbers[argument]
            else:
                others[symbol] = argument
        actions.append(row)
        gotos.append(others)
    return Tables(
        tuple(
            GrammarTerminal(
                terminal.name,
                terminal.pattern.to_regexp(),
                terminal.pattern.value if terminal.pattern.type == "str" else "",
                terminal.name in keywords,
            )
            for terminal in lexer.terminals
        ),
        frozenset(parser.ignore_tokens),
        name,
        tuple(_rule(rule) for rule in parser.rules),
        actions,
        gotos,
        {start: (table.start_states[start], table.end_states[start]) for start in STARTS},
    )


def _rule(rule: Any) -> Rule:
    """Return a production with the parts that its tree keeps: no fixed spellings, and helper rules are spliced."""
    options, symbols = rule.options, rule.expansion
    missing = options.empty_indices or (False,) * len(symbols)
    parts: list[int] = []
    index = 0
    for is_missing in missing:
        if is_missing:
            parts.append(OMITTED)
            continue
        symbol = symbols[index]
        if not symbol.is_term and symbol.name.startswith("_"):
            parts.append(OMITTED - 1 - index)
        elif options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            parts.append(index)
        index += 1
    return Rule(
        rule.origin.name,
        len(symbols),
        rule.alias or str(rule.origin.name),
        None if parts == list(range(len(symbols))) else tuple(parts),
        bool(options.expand1 and not rule.alias),
    )


def main() -> None:
    """Write the file."""
    body = json.dumps(encode_tables(generate(GRAMMAR.read_text(encoding="utf-8"))), separators=(",", ":")).encode()
    SHIPPED.write_bytes(grammar_key(GRAMMAR.read_bytes()) + b"\n" + zlib.compress(body, 9))


if __name__ == "__main__":
    main()
