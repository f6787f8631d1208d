"""Hints for syntax taken from other languages, derived from the text around a syntax error."""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.i18n.translator import Message, mark as _

_DECIMAL = re.compile(r"(\d*)\.(\d+)")
_CHANGED = re.compile(r"(?:set|let|raise|lower)\s+([\w.()]+?)\s*$")
_FOR = re.compile(r"for\s+(\w+)\s*$")
_NUMBER_TO = re.compile(r"=\s*(\w+)\s+to\s+(\w+)")
_CITED = re.compile(r"\d+(?:\.\d+)+(?:-\w+)?|\d+-[a-z]\b")
_THOUSANDS = re.compile(r"(\d{1,3})$")
_CONDITIONAL = re.compile(r"if\s+(.+?)\s+else\s+([^:\"\[]+)")
_CALLED = re.compile(r"(\w+) +((?:[\w.]+|\d+)(?: *, *[\w.]+)*)\s*$")
_RAISING = ("+=", "++")
_LOWERING = ("-=", "--")


def suggest_for_word(before: str, after: str) -> Message:
    """Return a hint for a misplaced word, or ''.

    `before` is the line up to the word without its indentation, `after` the line from the word on.
    """
    return (
        _suggest_for_remark(before, after)
        or _suggest_for_decimal(before, after)
        or _suggest_for_change(before, after)
        or _suggest_for_comparison(before, after)
        or _suggest_for_conditional(before, after)
        or _suggest_for_citation(before, after)
        or _suggest_for_number(before, after)
        or _suggest_for_roll(before)
    )


def suggest_for_character(after: str) -> Message:
    """Return a suggestion for a character that begins no token of the language, or ''.

    `after`: the text from the character on.
    """
    match after[:1]:
        case ";" if after[1:].strip() and not after[1:].lstrip().startswith("#"):
            return _("write one statement per line: start a new line instead of `;`")
        case ";":
            return _("a line does not end with `;`: leave it out")
        case "?":
            return _("write `{right}`", right="if ... then ... else ...")
        case "%":
            return _("the remainder of a division is `{right}`", right="remainder(a, b)")
        case "^":
            return _NO_POWER
        case "/" if after[1:2] in ("/", "*"):
            return _REMARK
    return Message("")


def suggest_for_start(line: str, word: str) -> Message:
    """Return a suggestion for a line whose first word begins no statement, or ''."""
    if word in FOREIGN_STARTS:
        return FOREIGN_STARTS[word]
    called = _CALLED.match(line)
    if called is None:
        return Message("")
    return _("call a procedure with brackets: `{right}`", right=f"{word}({called[2]})")


_REMARK = _("a comment begins with `#`")
_NO_POWER = _("the language has no power operator: multiply, as in `{right}`", right="x * x")
FOREIGN_STARTS = {
    "remove": _(
        "`remove` removes rules of a base, in a variant; a piece leaves the map with `{right}`, a holding place",
        right="move u to BOX",
    ),
    **dict.fromkeys(
        ("delete", "kill"), _("a piece leaves the map with `{right}`, a holding place", right="move u to BOX")
    ),
    "pass": _("write `{right}`", right="nothing"),
    **dict.fromkeys(
        ("break", "continue"),
        _(
            "a loop ends by its condition: `{right}`; `return` exits the procedure",
            right="for x in ... while still ...:",
        ),
    ),
    **dict.fromkeys(
        ("print", "log", "echo", "message"),
        _("to show players a message, declare an event and write `{right}`", right="report EVENT(...)"),
    ),
    "import": _("all `.rules` files of the folder are read together, so imports are not needed"),
    "include": _("all `.rules` files of the folder are read together, so imports are not needed"),
}


def _suggest_for_remark(before: str, after: str) -> Message:
    starts_here = after.startswith(("//", "/*")) or (not before and after.startswith("--"))
    if starts_here or (before.endswith("/") and after[:1] in ("/", "*")) or (before == "-" and after[:1] == "-"):
        return _REMARK
    return Message("")


def _suggest_for_decimal(before: str, after: str) -> Message:
    integer_part = re.search(r"(\d+)\.$", before)
    text = f"{integer_part[1]}.{after}" if integer_part is not None else after
    match = _DECIMAL.match(text)
    if match is None or (integer_part is None and not after.startswith(".")):
        return Message("")
    value = Fraction(f"{match[1] or '0'}.{match[2]}")
    right = str(value.numerator) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"
    return _("rules have no decimal fractions: write `{right}`", right=right)


def _suggest_for_change(before: str, after: str) -> Message:
    """Suggest a `raise` or `lower` statement for `set x += 1` or `set x *= 2`, or return ''.

    `before` and `after`: the line up to the misplaced word, and from it on.
    """
    changed, sign = _CHANGED.match(before), after[:2]
    if changed is None:
        return Message("")
    by = after[2:].split("[")[0].strip() or "1"
    if sign in _RAISING or sign in _LOWERING:
        verb = "raise" if sign in _RAISING else "lower"
        return _("to change a number, write `{right}`", right=f"{verb} {changed[1]} by {by}")
    if sign in ("*=", "/="):
        return _("to change a number, write `{right}`", right=f"set {changed[1]} = {changed[1]} {sign[0]} {by}")
    return Message("")


def _suggest_for_comparison(before: str, after: str) -> Message:
    if after.startswith("is not "):
        return _("to compare, write `{right}`", right="!= " + after[7:].split()[0])
    if re.match(r"is\b", after):
        return _("to compare, write `{right}`", right=f"== {(after[2:].split() or ['...'])[0]}")
    if before.rstrip().endswith("<") and after.startswith(">"):
        return _("to compare, write `{right}`", right="!= ...")
    loop = _FOR.match(before)
    if loop is not None and (row := _NUMBER_TO.match(after)) is not None:
        return _(
            "a range of numbers is written with two dots: `{right}`", right=f"for {loop[1]} in {row[1]}..{row[2]}:"
        )
    return Message("")


def _suggest_for_conditional(before: str, after: str) -> Message:
    """Suggest the conditional form for `1 if x else 2`, or return ''.

    `before` and `after`: the line up to the misplaced word, and from it on.
    """
    match = _CONDITIONAL.match(after)
    value = re.search(r"([\w.()]+)\s*$", before)
    if match is None or value is None:
        return Message("")
    right = f"if {match[1]} then {value[1]} else {match[2].strip()}"
    return _("the condition comes first: `{right}`", right=right)


def _suggest_for_citation(before: str, after: str) -> Message:
    cited = _CITED.match(after)
    if cited is None:
        return Message("")
    left = after[cited.end() :].strip()
    is_after_head = re.search(r"[)\w\"] *$", before) and left.startswith((":", "="))
    if not is_after_head and (left or not before.endswith(" ")):
        return Message("")
    return _("write a citation in square brackets: `{right}`", right=f"[{cited[0]}]")


def _suggest_for_number(before: str, after: str) -> Message:
    digits = _THOUSANDS.search(before)
    group = re.match(r",(\d{3})\b", after)
    if digits is not None and group is not None:
        return _("write a number without separators: `{right}`", right=digits[1] + group[1])
    if before.rstrip().endswith("*") and after.startswith("*"):
        return _NO_POWER
    return Message("")


def _suggest_for_roll(before: str) -> Message:
    if before.rstrip().endswith(" roll"):
        return _(
            "a roll is a statement of its own, on a line before this one: `{right}`", right="roll NAME: die -> result"
        )
    return Message("")
