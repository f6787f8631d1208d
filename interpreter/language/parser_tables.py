"""LALR tables of the parser: shipped next to the grammar, cached from an earlier start, or newly generated.

Generating them takes longer than parsing a ruleset. Tables are reused only if grammar, options and library version
match.
"""

from __future__ import annotations

import marshal
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.files import disk_cache

if TYPE_CHECKING:
    from lark import Lark
    from lark.indenter import Indenter
    from lark.tree import Meta

_TreeBuilder = Callable[[list[Any]], Any]  # called with the children of a tree


def speed_up_positions(parser: Lark) -> None:
    """Make a parser record only the offsets of its trees; unknown versions of lark are left as is."""
    from lark.parse_tree_builder import PropagatePositions

    callbacks = getattr(parser, "_callbacks", None)
    if not isinstance(callbacks, dict):
        return
    for rule, build in callbacks.items():
        if type(build) is PropagatePositions and build.node_filter is None:
            callbacks[rule] = _record_positions(build.node_builder)


def _record_positions(build: _TreeBuilder) -> _TreeBuilder:
    """Return a function that builds a tree as `build` does and records its start and end, which `TreeReader` reads."""
    from lark import Token, Tree

    def find_first_place(children: Iterable[Tree[Any] | Token]) -> Token | Meta | None:
        places = (child if isinstance(child, Token) else child.meta for child in children)
        return next((place for place in places if isinstance(place, Token) or not place.empty), None)

    def set_position(children: list[Any]) -> object:
        tree = build(children)
        if len(children) == 1 and tree is children[0]:
            return tree
        first = find_first_place(children)
        if first is None or not isinstance(tree, Tree):
            return tree
        last = first if len(children) == 1 else find_first_place(reversed(children))
        assert last is not None
        meta: Any = tree.meta
        meta.container_start_pos = getattr(first, "container_start_pos", first.start_pos)
        meta.container_end_pos = getattr(last, "container_end_pos", last.end_pos)
        if meta.empty:
            meta.start_pos, meta.end_pos, meta.empty = meta.container_start_pos, meta.container_end_pos, False
        return tree

    return set_position


GRAMMAR = Path(__file__).with_name("rules.lark")
SHIPPED = Path(__file__).with_name("rules.tables")
_FORMAT = 2  # marshal version, readable by every supported Python
_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": ["start", "expression_start"],
    "propagate_positions": True,
    "maybe_placeholders": True,
}


def load_parser() -> Lark:
    """Return a parser of the rules language, with cached tables if available."""
    from lark import Lark

    grammar = GRAMMAR.read_text(encoding="utf-8")
    tables = _load_tables(grammar)
    if tables is None:
        parser = create_parser(grammar)
        with suppress(ValueError):  # tables of another library version may not be serializable
            disk_cache.store(disk_cache.Namespace.GRAMMAR, _compute_key(grammar), marshal.dumps(extract_tables(parser)))
    else:
        parser = Lark.__new__(Lark)
        parser._load(tables, postlex=_create_post_lexer())
    speed_up_positions(parser)
    return parser


def create_parser(grammar: str) -> Lark:
    """Return a parser with newly generated tables."""
    from lark import Lark

    return Lark(grammar, postlex=_create_post_lexer(), **_OPTIONS)


def _create_post_lexer() -> Indenter:
    """Return the post-lexer that turns indentation into line and block tokens."""
    from lark.indenter import Indenter

    class _Layout(Indenter):
        """The tokens that begin and end lines, blocks and brackets."""

        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL"]
        CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    return _Layout()


def extract_tables(parser: Lark) -> dict[str, object]:
    """Return the tables of a parser, made of builtin Python types only."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"]["postlex"] = None
    return {"data": _to_builtin_types(data), "memo": _to_builtin_types(memo)}


def encode_shipped_tables(parser: Lark, grammar: str) -> bytes:
    """Return the contents of the file of shipped tables.

    They are a key of the text `grammar`, and the compressed tables of its `parser`.
    """
    return compute_tables_key(grammar) + zlib.compress(marshal.dumps(extract_tables(parser), _FORMAT), 9)


def compute_tables_key(grammar: str) -> bytes:
    """Return the key of the tables as a line: library version, and a digest of grammar and options."""
    from lark import __version__

    digest = blake2b(f"{grammar} {_OPTIONS}".encode(), digest_size=20).hexdigest()
    return f"lark {__version__} {digest}\n".encode()


def _load_tables(grammar: str) -> dict[str, object] | None:
    """Load the shipped or cached tables, or return None if no tables match."""
    with suppress(OSError, ValueError, EOFError, TypeError, zlib.error):
        shipped = SHIPPED.read_bytes()
        key = compute_tables_key(grammar)
        if shipped.startswith(key):
            shipped_tables: dict[str, object] = marshal.loads(zlib.decompress(shipped[len(key) :]))
            return shipped_tables
    cached = disk_cache.find(disk_cache.Namespace.GRAMMAR, _compute_key(grammar))
    tables: dict[str, object] | None = None if cached is None else marshal.loads(cached)
    return tables


def _compute_key(grammar: str) -> str:
    return blake2b(compute_tables_key(grammar) + sys.version.encode(), digest_size=20).hexdigest()


def _to_builtin_types(value: object) -> object:
    """Convert data to builtin Python types only."""
    if isinstance(value, dict):
        return {_to_builtin_types(k): _to_builtin_types(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        items = [_to_builtin_types(v) for v in value]
        return tuple(items) if type(value) is tuple else items
    if isinstance(value, set | frozenset):
        members: list[Any] = [_to_builtin_types(v) for v in value]
        return sorted(members)
    return str(value) if isinstance(value, str) else value
