"""The parser's tables: those that ship beside the grammar, those kept from an earlier start, or made anew.

Making them, by the library, takes longer than reading a ruleset. Tables are taken only where grammar and options are
those that they were made of. Must not know what is parsed.
"""

from __future__ import annotations

import marshal
import re
import sys
import zlib
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.files import kept
from interpreter.language import parser as p

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = Path(__file__).with_name("rules.lark")
SHIPPED = Path(__file__).with_name("rules.tables")
_FORMAT = 2  # of Python's own, which every version reads alike
_LAYOUT = "1"  # of the tables; another number for each change of what they hold
_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": ["start", "expression_start"],
    "maybe_placeholders": True,
}


def ready_parser() -> p.Parser:
    """A parser of the rules language."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    tables = _at_hand(grammar)
    if tables is None:
        tables = tables_of(new_parser(grammar))
        kept.keep("grammar", _key(grammar), marshal.dumps(tables))
    return p.Parser(**tables)


def new_parser(grammar: str, **options: Any) -> Lark:
    """The library's parser with tables made now, perhaps with more of its options."""
    from lark import Lark
    from lark.indenter import Indenter

    class _Layout(Indenter):
        NL_type = p.LINE_END
        OPEN_PAREN_types = list(p.OPENING)
        CLOSE_PAREN_types = list(p.CLOSING)
        INDENT_type = p.INDENT
        DEDENT_type = p.DEDENT
        tab_len = p.TAB

    return Lark(grammar, postlex=_Layout(), **_OPTIONS, **options)


def tables_of(made: Lark) -> dict[str, Any]:
    """What `Parser` needs of the library's tables, made of Python's own types only."""
    frontend: Any = made.parser
    table, lexers = frontend.parser._parse_table, frontend.lexer.lexer
    states = {state: number for number, state in enumerate(table.states)}
    rules = {rule: number for number, rule in enumerate(made.rules)}
    used = [_telling_apart(lexers.lexers[state], made.ignore_tokens) for state in states]
    patterns = [_telling_apart(lexers.root_lexer, made.ignore_tokens)]
    patterns += [pattern for n, pattern in enumerate(used) if pattern not in used[:n]]
    symbols: list[Any] = [symbol for rule in made.rules for symbol in rule.expansion]
    told = {symbol.name for symbol in symbols if symbol.is_term and not symbol.filter_out}
    return {
        "rows": [_row(steps, states, rules) for steps in table.states.values()],
        "rules": [_shape(rule) for rule in rules],
        "patterns": patterns,
        "scanning": [patterns.index(pattern) for pattern in used],
        "skipped": "|".join(made.get_terminal(name).pattern.to_regexp() for name in sorted(made.ignore_tokens)),
        "silent": sorted({t.name for t in made.terminals} - told),
        "begins": {start: states[state] for start, state in table.start_states.items()},
        "ends": {start: states[state] for start, state in table.end_states.items()},
        "signs": {t.name: t.pattern.value for t in made.terminals if t.pattern.type == "str"},
    }


def _row(steps: Any, states: dict[Any, int], rules: dict[Any, int]) -> dict[str, int]:
    """What a state leads to."""
    from lark.parsers.lalr_analysis import Shift

    return {str(name): states[to] if action is Shift else ~rules[to] for name, (action, to) in steps.items()}


def _shape(rule: Any) -> p.Rule:
    """A rule as `Parser` has it."""
    options, expansion = rule.options, rule.expansion
    left_out = [len(ones) for ones in "".join(str(int(x)) for x in options.empty_indices).split("0")]
    left_out = left_out if options.empty_indices else [0] * (len(expansion) + 1)
    kept: list[tuple[int, bool, int]] = []
    before = 0
    for number, symbol in enumerate(expansion):
        before += left_out[number]
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            kept.append((number, not symbol.is_term and symbol.name.startswith("_"), before))
            before = 0
    after = before + left_out[-1]
    keeps_all = not after and kept == [(number, False, 0) for number in range(len(expansion))]
    expands = bool(options.expand1 and not rule.alias)
    name = str(rule.alias or options.template_source or rule.origin.name)
    passes = expands and keeps_all and len(expansion) == 1
    return len(expansion), str(rule.origin.name), name, passes, expands, None if keeps_all else kept, after


def _telling_apart(lexer: Any, ignored: Any) -> tuple[str, dict[str, dict[str, str]]]:
    """A pattern of the tokens that may stand somewhere, in the order in which they are tried; and words that fit one of
    them and are kinds of their own."""
    kinds = [t for t in lexer.scanner.terminals if t.name not in ignored]
    words: dict[str, dict[str, str]] = {}
    for kind in kinds:
        own = {
            t.pattern.value: t.name
            for t in lexer.terminals
            if kind.pattern.type == "re"
            and t.pattern.type == "str"
            and t.priority == kind.priority
            and re.fullmatch(kind.pattern.to_regexp(), t.pattern.value)
        }
        if own:
            words[kind.name] = own
    return "|".join(f"(?P<{kind.name}>{kind.pattern.to_regexp()})" for kind in kinds), words


def to_be_shipped(made: Lark, grammar: str) -> bytes:
    """What the file of shipped tables holds: what they were made of, and the tables."""
    return made_of(grammar) + zlib.compress(marshal.dumps(tables_of(made), _FORMAT), 9)


def made_of(grammar: str) -> bytes:
    """All that tables hang on, as a line: their layout, and a digest of the grammar and the options."""
    digest = blake2b(f"{grammar} {_OPTIONS}".encode(), digest_size=20).hexdigest()
    return f"tables {_LAYOUT} {digest}\n".encode()


def _at_hand(grammar: str) -> dict[str, Any] | None:
    """Tables that need not be made: those that ship, then those kept by this Python."""
    found: dict[str, Any] | None = None
    with suppress(OSError, ValueError, EOFError, TypeError, zlib.error):
        shipped = SHIPPED.read_bytes()
        own = made_of(grammar)
        if shipped.startswith(own):
            found = marshal.loads(zlib.decompress(shipped[len(own) :]))
            return found
    made_before = kept.find("grammar", _key(grammar))
    if made_before is not None:
        found = marshal.loads(made_before)
    return found


def _key(grammar: str) -> str:
    return blake2b(made_of(grammar) + sys.version.encode(), digest_size=20).hexdigest()
