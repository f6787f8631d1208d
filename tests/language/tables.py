"""Renews the parser's tables that ship beside the grammar.

Run by hand after a change of the grammar or of its library: python -m tests.language.tables
"""

from __future__ import annotations

from interpreter.language.parser_tables import GRAMMAR, SHIPPED, create_parser, encode_shipped_tables


def main() -> None:
    """Write the file."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    SHIPPED.write_bytes(encode_shipped_tables(create_parser(grammar), grammar))


if __name__ == "__main__":
    main()
