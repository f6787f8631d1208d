"""How many spaces stand between two tokens of the rules' language. Must not know lines."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.tools.formatting.rules_lines import Part

OPENING = frozenset({"LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
RANGE = ".."
_ENDS_VALUE = frozenset({"NAME", "INT", "TEXT", "TRUE", "FALSE", "MAP", "RPAR", "RSQB", "RBRACE"})
_STUCK_BEFORE = CLOSING | {"COMMA", "COLON", "DOT", "_INDEX", "_CALL"}
_CONDITIONS = ("require", "prefer", "finish", "assert")


def is_condition(parts: Sequence[Part]) -> bool:
    """Whether a statement asks something, and says what to tell where it is refused."""
    words = [p.text for p in parts[:3]]
    return words[0] in _CONDITIONS or words[:2] in (["offer", "prefer"], ["replace", "require"])


def words_at(parts: Sequence[Part]) -> int:
    """Where the text of a condition stands that is told when it is refused; -1 where it has none."""
    if not is_condition(parts):
        return -1
    at = len(parts) - 1
    while at > 0 and parts[at].type == "CITE":
        at -= 1
    return at if at > 0 and parts[at].type == "TEXT" and parts[at - 1].type in _ENDS_VALUE else -1


def is_binary(parts: Sequence[Part], at: int) -> bool:
    """Whether a plus or minus stands between two values; the one that begins a line of a tally counts as such."""
    return at == 0 or parts[at - 1].type in _ENDS_VALUE


def gap_before(parts: Sequence[Part], at: int, words: int) -> str:
    """The space between the token at `at` and the one before it, both in one line."""
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


def token_text(part: Part) -> str:
    """The token as it is written: a list of citations with one space after each comma."""
    return ", ".join(x.strip() for x in part.text.split(",")) if part.type == "CITE" else part.text
