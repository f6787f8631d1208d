"""The parser of the rules language, with the tables that ship beside its grammar.

`python -m tests.language.tables` generates the tables after a change of the grammar.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from interpreter.language.lalr import GrammarTerminal, LalrParser, Rule, Tables

GRAMMAR = Path(__file__).with_name("rules.lark")
SHIPPED = Path(__file__).with_name("rules.tables")


@cache
def rules_parser() -> LalrParser:
    """Return the parser of the rules language. Raise ValueError if its tables are not those of its grammar."""
    key, _, body = SHIPPED.read_bytes().partition(b"\n")
    if key != grammar_key(GRAMMAR.read_bytes()):
        raise ValueError(f"{SHIPPED} does not match {GRAMMAR.name}; run `python -m tests.language.tables`")
    return LalrParser(decode_tables(json.loads(zlib.decompress(body))))


def grammar_key(grammar: bytes) -> bytes:
    """Return the digest of a grammar, which begins the file of its tables."""
    return blake2b(grammar, digest_size=20).hexdigest().encode()


def encode_tables(tables: Tables) -> dict[str, Any]:
    """Return tables as JSON data; equal rows of actions and gotos are written once."""
    rows: list[Mapping[str, int]] = []
    for row in (*tables.actions, *tables.gotos):
        if row not in rows:
            rows.append(row)
    return {
        "terminals": tables.terminals,
        "ignored": sorted(tables.ignored),
        "name": tables.name,
        "rules": tables.rules,
        "rows": rows,
        "actions": [rows.index(row) for row in tables.actions],
        "gotos": [rows.index(row) for row in tables.gotos],
        "starts": tables.starts,
    }


def decode_tables(data: Mapping[str, Any]) -> Tables:
    """Return the tables that `encode_tables` has written."""
    rows = data["rows"]
    return Tables(
        tuple(GrammarTerminal(*terminal) for terminal in data["terminals"]),
        frozenset(data["ignored"]),
        data["name"],
        tuple(
            Rule(origin, size, name, None if parts is None else tuple(parts), is_transparent)
            for origin, size, name, parts, is_transparent in data["rules"]
        ),
        [rows[index] for index in data["actions"]],
        [rows[index] for index in data["gotos"]],
        {start: (first, last) for start, (first, last) in data["starts"].items()},
    )
