"""Renews the parser's tables that ship beside the grammar.

Run by hand after a change of the grammar or of its library: python -m tests.language.tables
"""

from __future__ import annotations

from interpreter.language.parser_tables import GRAMMAR, SHIPPED, new_parser, to_be_shipped


def main() -> None:
    """Write the file."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    SHIPPED.write_bytes(to_be_shipped(new_parser(grammar), grammar))


if __name__ == "__main__":
    main()
