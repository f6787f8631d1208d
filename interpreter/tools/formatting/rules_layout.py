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
_SHORT = 50  # cells; a line broken earlier than this looks ragged


def layout_rules(rows: Sequence[TokenLine | LineGap]) -> str:
    """Return the formatted text of a rules file from its statements and gaps; '' for an empty one."""
    lines: list[str] = []
    depth = 0
    for n, row in enumerate(rows):
        if isinstance(row, TokenLine):
            lines += _layout_statement(row)
            depth = row.depth + 1 if row.opens else row.depth
        else:
            following = next((x for x in rows[n + 1 :] if isinstance(x, TokenLine)), None)
            lines += _layout_gap(row, _open_blocks(rows[:n], following), depth, following.depth if following else 0)
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""


def _open_blocks(before: Sequence[TokenLine | LineGap], following: TokenLine | None) -> list[tuple[int, int]]:
    """Return (source column, depth) of each block that is open at a gap, deepest first.

    `before`: the statements and gaps before the gap; `following`: the statement after it, or None at the end.
    """
    blocks: list[tuple[int, int]] = []
    least: int | None = None
    for row in reversed(before):
        if isinstance(row, TokenLine) and (least is None or row.depth < least):
            blocks.append((row.column, row.depth))
            least = row.depth
    low = following.depth if following else 0
    return [(column, depth) for column, depth in blocks if depth >= low]


def _layout_gap(row: LineGap, columns: list[tuple[int, int]], depth: int, following: int) -> list[str]:
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


def _layout_statement(statement: TokenLine) -> list[str]:
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
        at = _find_best_break(parts, start, end, lead) if measure_cells(text) > MAX_CELLS else 0
        if not at:
            remark = "  " + parts[end - 1].remark if parts[end - 1].remark else ""
            return [*lines, text + remark]
        lines.append(" " * lead + _join_tokens(parts, start, at))
        start = at
        parts[at].has_break = True
        lead = further + (STEP if _count_open_brackets(parts, at) and _is_within_value(parts, at) else 0)


def _join_tokens(parts: Sequence[TokenPart], start: int, end: int) -> str:
    words = find_refusal_text(parts)
    out = [format_token(parts[start])]
    for at in range(start + 1, end):
        out += [choose_gap(parts, at, words), format_token(parts[at])]
    return "".join(out)


def _find_best_break(parts: Sequence[TokenPart], start: int, end: int, lead: int) -> int:
    """Return the index of the token before which the line is best broken, or 0 if it cannot be broken.

    The line holds the tokens `start` to `end` (exclusive), indented by `lead` columns.
    """
    best: tuple[int, int] | None = None
    for at in range(start + 1, end):
        cost = _compute_break_penalty(parts, at)
        if cost is None:
            continue
        width = lead + measure_cells(_join_tokens(parts, start, at))
        if width > MAX_CELLS and best is not None:
            break
        if width < _SHORT and cost:
            cost += 20
        if best is None or cost <= best[0]:
            best = (cost, at)
    return best[1] if best else 0


def _compute_break_penalty(parts: Sequence[TokenPart], at: int) -> int | None:
    """Return the penalty of a line break before the token at `at`: 0 is best, None if the language forbids it."""
    before, here = parts[at - 1], parts[at]
    depth = _count_open_brackets(parts, at)
    if depth == 0 and (at == find_refusal_text(parts) or here.type in _BEGINS_LINE or _is_stop(parts, at)):
        return 0
    if before.type == "EQUAL" and depth == 0 and _is_whole_value(parts, at - 1):
        return 0
    if here.type == "CITE" and depth == 0:
        return 1 if before.type == "CITE" else 3
    if depth == 0 and here.type == "TEXT":
        return 2
    if before.type in _AFTER:
        return _AFTER[before.type] + 6 * depth
    if depth > 0 or _is_within_value(parts, at):
        if here.type in _BEFORE:
            return _BEFORE[here.type] + 6 * depth
        if here.type == "SIGN" and is_binary(parts, at):
            return 2 + 6 * depth
        if before.type in OPENING and here.type not in CLOSING:
            return 14 + 6 * depth
    return None


def _count_open_brackets(parts: Sequence[TokenPart], at: int) -> int:
    """Return the number of brackets open before the token at `at`."""
    return sum((p.type in OPENING) - (p.type in CLOSING) for p in parts[:at])


def _is_stop(parts: Sequence[TokenPart], at: int) -> bool:
    return parts[at].type == "THEN" and at + 1 < len(parts) and parts[at + 1].type == "STOP"


def _is_whole_value(parts: Sequence[TokenPart], equal: int) -> bool:
    """Return True if the equals sign at index `equal` separates a `define` or `let` from its whole value."""
    return parts[0].type in ("DEFINE", "LET") and not any(p.type == "EQUAL" for p in parts[:equal])


def _is_within_value(parts: Sequence[TokenPart], at: int) -> bool:
    """Return True if the token at `at` belongs to the value of a `define` or `let` that begins on a new line.

    Such a value may be broken anywhere.
    """
    return any(
        p.has_break and parts[n - 1].type == "EQUAL" and _is_whole_value(parts, n - 1)
        for n, p in enumerate(parts[: at + 1])
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
    at = len(parts) - 1
    while at > 0 and parts[at].type == "CITE":
        at -= 1
    return at if at > 0 and parts[at].type == "TEXT" and parts[at - 1].type in _ENDS_VALUE else -1


def is_binary(parts: Sequence[TokenPart], at: int) -> bool:
    """Return True if the plus or minus at index `at` is binary; one at the start of a tally line counts as binary."""
    return at == 0 or parts[at - 1].type in _ENDS_VALUE


def choose_gap(parts: Sequence[TokenPart], at: int, words: int) -> str:
    """Return the whitespace between the token at `at` and the previous token in the same line.

    `words`: the index of the refusal text, which two blanks precede, or -1.
    """
    before, here = parts[at - 1], parts[at]
    if here.type in _STUCK_BEFORE or before.type in OPENING or before.type == "DOT":
        return ""
    if RANGE in (before.text, here.text):
        return ""
    if here.type == "LPAR" and before.type == "NAME":
        return ""
    if before.type == "SIGN" and not is_binary(parts, at - 1):
        return ""
    if words > 0 and (at == words or (at == words + 1 and here.type == "CITE")):
        return "  "
    return " "


def format_token(part: TokenPart) -> str:
    """Return the text of a token; a list of citations gets one space after each comma."""
    return ", ".join(x.strip() for x in part.text.split(",")) if part.type == "CITE" else part.text
