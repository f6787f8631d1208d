"""Split a rules file into statements of tokens, with the comments and line breaks between them.

The layout is decided by `rules_layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from interpreter.language.parsing import RulesToken


@dataclass(slots=True)
class TokenPart:
    """One token of a statement with the line break and the comments before it.

    `lead` is the author's indentation of a broken line beyond the statement's own. `comments` are comments on lines of
    their own before the token, `remark` is a comment at the end of its line.
    """

    type: str
    text: str
    has_break: bool = False
    lead: int = 0
    comments: list[str] = field(default_factory=list)
    remark: str = ""


@dataclass(slots=True)
class TokenLine:
    """One statement, or the header of a block if it `opens` one.

    `depth`: the block depth, from 0; `column`: the source column; `parts`: its tokens.
    """

    depth: int
    column: int
    parts: list[TokenPart]
    opens: bool = False


@dataclass(slots=True)
class LineGap:
    """The lines between two statements: (column, comment) for a comment, None for an empty line."""

    lines: list[tuple[int, str] | None]


def split_statements(text: str, pieces: Sequence[RulesToken]) -> list[TokenLine | LineGap]:
    """Return the statements of a text in order, with the gaps before, between and after them."""
    statements: list[TokenLine | LineGap] = []
    depth = 0
    row: list[RulesToken] = []
    end = 0
    for piece in pieces:
        if piece.type == "_INDENT":
            depth += 1
        elif piece.type == "_DEDENT":
            depth -= 1
        elif piece.type == "_NL":
            end = _end_statement(text, row, depth, end, statements)
            row = []
        else:
            row.append(piece)
    end = _end_statement(text, row, depth, end, statements)
    statements.append(_build_gap(text[end:], statements))
    for statement_line, following in pairwise(
        statement for statement in statements if isinstance(statement, TokenLine)
    ):
        statement_line.opens = following.depth > statement_line.depth
    return statements


def _end_statement(text: str, row: list[RulesToken], depth: int, end: int, lines: list[TokenLine | LineGap]) -> int:
    """Append to `lines` the gap since the offset `end` and the statement made of the tokens `row`.

    `depth`: the block depth of the statement. Return the end offset of the statement, or `end` if the row is empty.
    """
    if not row:
        return end
    lines.append(_build_gap(text[end : row[0].start], lines))
    column = _get_column(text, row[0].start)
    parts: list[TokenPart] = []
    for n, piece in enumerate(row):
        part = TokenPart(piece.type, text[piece.start : piece.end])
        if n:
            _read_gap(text[row[n - 1].end : piece.start], part, parts[-1])
            if part.has_break:
                part.lead = _get_column(text, piece.start) - column
        parts.append(part)
    lines.append(TokenLine(depth, column, parts))
    return row[-1].end


def _read_gap(gap: str, part: TokenPart, preceding: TokenPart) -> None:
    first, *further = gap.split("\n")
    part.has_break = bool(further)
    preceding.remark = first.strip()
    part.comments = [line.strip() for line in further if line.strip()]


def _build_gap(gap: str, preceding: list[TokenLine | LineGap]) -> LineGap:
    lines = gap.split("\n")
    if preceding and isinstance(preceding[-1], TokenLine):
        preceding[-1].parts[-1].remark = lines[0].strip()
        lines = lines[1:]
    lines = lines[:-1] if lines and not lines[-1].strip() else lines
    return LineGap([(len(x) - len(x.lstrip()), x.strip()) if x.strip() else None for x in lines])


def _get_column(text: str, offset: int) -> int:
    return offset - (text.rfind("\n", 0, offset) + 1)
