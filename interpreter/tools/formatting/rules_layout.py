"""Lay out a rules file: four spaces per level, limited line width, comments in their places.

Line breaks of the author are kept; a line that is too long gets more of them. The meaning never changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.tools.formatting.rules_lines import LineGap, TokenLine, TokenPart

MAX_CELLS = 120
STEP = 4
_BEGINS_LINE = ("NOW", "STARTING", "BECAUSE")
_AFTER = {"COMMA": 2, "OR": 2, "AND": 3, "THEN": 5, "ELSE": 6}  # penalty of a line break after them
_BEFORE = {"ELSE": 1, "OR": 4, "AND": 5, "WHERE": 7, "FOR": 8}  # penalty of a break before them, where allowed
_MIN_LINE_WIDTH = 50  # cells; a line broken earlier than this looks ragged


def lay_out_rules(rows: Sequence[TokenLine | LineGap]) -> str:
    """Return the formatted text of a rules file from its statements and gaps; '' for an empty one."""
    lines: list[str] = []
    depth = 0
    for n, row in enumerate(rows):
        if isinstance(row, TokenLine):
            lines += _lay_out_statement(row)
            depth = row.depth + 1 if row.opens else row.depth
        else:
            following = next((x for x in rows[n + 1 :] if isinstance(x, TokenLine)), None)
            lines += _lay_out_gap(row, _open_blocks(rows[:n], following), depth, following.depth if following else 0)
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""


def _open_blocks(preceding: Sequence[TokenLine | LineGap], following: TokenLine | None) -> list[tuple[int, int]]:
    """Return (source column, depth) of each block that is open at a gap, deepest first.

    `preceding`: the statements and gaps before the gap; `following`: the statement after it, or None at the end.
    """
    blocks: list[tuple[int, int]] = []
    least: int | None = None
    for row in reversed(preceding):
        if isinstance(row, TokenLine) and (least is None or row.depth < least):
            blocks.append((row.column, row.depth))
            least = row.depth
    low = following.depth if following else 0
    return [(column, depth) for column, depth in blocks if depth >= low]


def _lay_out_gap(row: LineGap, columns: list[tuple[int, int]], depth: int, following: int) -> list[str]:
    lines: list[str] = []
    for line in row.lines:
        if line is None:
            if lines[-1:] != [""]:
                lines.append("")
            continue
        column, text = line
        at = following
        if following < depth:
            at = next((d for c, d in columns if c <= column), following)
            depth = at  # comments after one of an outer block cannot belong to an inner block
        lines.append(" " * (STEP * at) + text)
    return lines


def _lay_out_statement(statement: TokenLine) -> list[str]:
    """Return the lines of a statement, including the comments inside it."""
    parts = statement.parts
    lead = STEP * statement.depth
    least = 2 * STEP if statement.opens else STEP
    starts = [0, *(n for n, p in enumerate(parts) if n and p.has_break), len(parts)]
    lines: list[str] = []
    for start, end in pairwise(starts):
        own = lead + (max(least, _round_indent(parts[start].lead)) if start else 0)
        lines += [" " * own + comment for comment in parts[start].comments]
        lines += _break_line(parts, start, end, own, lead + least)
    return lines


def _round_indent(lead: int) -> int:
    return (lead + STEP // 2) // STEP * STEP


def _break_line(parts: Sequence[TokenPart], start: int, end: int, lead: int, further: int) -> list[str]:
    """Return the tokens `start` to `end` (exclusive) as one line, or as several if the line would be too long.

    `lead`: the indentation of the first line in columns; `further`: the indentation of the added lines.
    """
    lines: list[str] = []
    while True:
        text = " " * lead + _join_tokens(parts, start, end)
        index = _find_best_break(parts, start, end, lead) if measure_cells(text) > MAX_CELLS else 0
        if not index:
            remark = "  " + parts[end - 1].remark if parts[end - 1].remark else ""
            return [*lines, text + remark]
        lines.append(" " * lead + _join_tokens(parts, start, index))
        start = index
        parts[index].has_break = True
        lead = further + (STEP if _count_open_brackets(parts, index) and _is_within_value(parts, index) else 0)


def _join_tokens(parts: Sequence[TokenPart], start: int, end: int) -> str:
    words = find_refusal_text(parts)
    out = [format_token(parts[start])]
    for index in range(start + 1, end):
        out += [choose_gap(parts, index, words), format_token(parts[index])]
    return "".join(out)


def _find_best_break(parts: Sequence[TokenPart], start: int, end: int, lead: int) -> int:
    """Return the index of the token before which the line is best broken, or 0 if it cannot be broken.

    The line holds the tokens `start` to `end` (exclusive), indented by `lead` columns.
    """
    best: tuple[int, int] | None = None
    for index in range(start + 1, end):
        cost = _compute_break_penalty(parts, index)
        if cost is None:
            continue
        width = lead + measure_cells(_join_tokens(parts, start, index))
        if width > MAX_CELLS and best is not None:
            break
        if width < _MIN_LINE_WIDTH and cost:
            cost += 20
        if best is None or cost <= best[0]:
            best = (cost, index)
    return best[1] if best else 0


def _compute_break_penalty(parts: Sequence[TokenPart], index: int) -> int | None:
    """Return the penalty of a line break before the token at `index`: 0 is best, None if the language forbids it."""
    preceding, part = parts[index - 1], parts[index]
    depth = _count_open_brackets(parts, index)
    if depth == 0 and (index == find_refusal_text(parts) or part.type in _BEGINS_LINE or _is_stop(parts, index)):
        return 0
    if preceding.type == "EQUAL" and depth == 0 and _is_whole_value(parts, index - 1):
        return 0
    if part.type == "CITE" and depth == 0:
        return 1 if preceding.type == "CITE" else 3
    if depth == 0 and part.type == "TEXT":
        return 2
    if preceding.type in _AFTER:
        return _AFTER[preceding.type] + 6 * depth
    if depth > 0 or _is_within_value(parts, index):
        if part.type in _BEFORE:
            return _BEFORE[part.type] + 6 * depth
        if part.type == "SIGN" and is_binary(parts, index):
            return 2 + 6 * depth
        if preceding.type in OPENING and part.type not in CLOSING:
            return 14 + 6 * depth
    return None


def _count_open_brackets(parts: Sequence[TokenPart], index: int) -> int:
    """Return the number of brackets open before the token at `index`."""
    return sum((p.type in OPENING) - (p.type in CLOSING) for p in parts[:index])


def _is_stop(parts: Sequence[TokenPart], index: int) -> bool:
    return parts[index].type == "THEN" and index + 1 < len(parts) and parts[index + 1].type == "STOP"


def _is_whole_value(parts: Sequence[TokenPart], equal: int) -> bool:
    """Return True if the equals sign at index `equal` separates a `define` or `let` from its whole value."""
    return parts[0].type in ("DEFINE", "LET") and not any(p.type == "EQUAL" for p in parts[:equal])


def _is_within_value(parts: Sequence[TokenPart], index: int) -> bool:
    """Return True if the token at `index` belongs to the value of a `define` or `let` that begins on a new line.

    Such a value may be broken anywhere.
    """
    return any(
        p.has_break and parts[n - 1].type == "EQUAL" and _is_whole_value(parts, n - 1)
        for n, p in enumerate(parts[: index + 1])
        if n
    )


OPENING = frozenset({"LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
RANGE = ".."
_ENDS_VALUE = frozenset({"NAME", "INT", "TEXT", "TRUE", "FALSE", "MAP", "RPAR", "RSQB", "RBRACE"})
_STUCK_BEFORE = CLOSING | {"COMMA", "COLON", "DOT", "_INDEX", "_CALL"}
_CONDITIONS = ("require", "prefer", "finish", "assert")


def is_condition(parts: Sequence[TokenPart]) -> bool:
    """Return True if the tokens of a statement are a condition that may carry a refusal text."""
    words = [p.text for p in parts[:3]]
    return words[0] in _CONDITIONS or words[:2] in (["offer", "prefer"], ["replace", "require"])


def find_refusal_text(parts: Sequence[TokenPart]) -> int:
    """Return the index of the refusal text in a condition, or -1 if it has none."""
    if not is_condition(parts):
        return -1
    index = len(parts) - 1
    while index > 0 and parts[index].type == "CITE":
        index -= 1
    return index if index > 0 and parts[index].type == "TEXT" and parts[index - 1].type in _ENDS_VALUE else -1


def is_binary(parts: Sequence[TokenPart], index: int) -> bool:
    """Return True if the sign at `index` is binary; one at the start of a tally line counts as binary."""
    return index == 0 or parts[index - 1].type in _ENDS_VALUE


def choose_gap(parts: Sequence[TokenPart], index: int, words: int) -> str:
    """Return the whitespace between the token at `index` and the previous token in the same line.

    `words`: the index of the refusal text, which two blanks precede, or -1.
    """
    preceding, part = parts[index - 1], parts[index]
    if part.type in _STUCK_BEFORE or preceding.type in OPENING or preceding.type == "DOT":
        return ""
    if RANGE in (preceding.text, part.text):
        return ""
    if part.type == "LPAR" and preceding.type == "NAME":
        return ""
    if preceding.type == "SIGN" and not is_binary(parts, index - 1):
        return ""
    if words > 0 and (index == words or (index == words + 1 and part.type == "CITE")):
        return "  "
    return " "


def format_token(part: TokenPart) -> str:
    """Return the text of a token; a list of citations gets one space after each comma."""
    return ", ".join(x.strip() for x in part.text.split(",")) if part.type == "CITE" else part.text
