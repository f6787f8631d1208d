"""Single slips that leave a ruleset valid as a text: another number, another sign, a dropped line.

`check` cannot reject them in general; its lints for wargames may find some of them odd, and test cases find others.
The fault makers are like those in `faults`.
"""

from __future__ import annotations

import re

from tests.soak.spoiling import Book, Chance, Fault, Maker, bare_rules, in_rules, line_of, pick, spoiled


def _one(
    sort: str, book: Book, file: str, chance: Chance, found: list[tuple[int, int]], new: dict[str, str]
) -> Fault | None:
    span = pick(chance, found)
    text = book.files[file]
    return None if span is None else spoiled(sort, file, text, *span, new[text[slice(*span)]])


def flipped_comparison(book: Book, file: str, chance: Chance) -> Fault | None:
    """Make a comparison admit or exclude one more value, or reverse it."""
    new = {"<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "=="}
    return _one(
        "flipped comparison", book, file, chance, in_rules(r"(?<= )(?:<=|>=|==|!=|<|>)(?= )", book.files[file]), new
    )


def flipped_sign(book: Book, file: str, chance: Chance) -> Fault | None:
    """Exchange plus and minus, or raised and lowered."""
    new = {"+": "-", "-": "+", "raise": "lower", "lower": "raise"}
    found = in_rules(r"(?<= )[+-](?= \w)|\b(?:raise|lower)(?= )", book.files[file])
    return _one("flipped sign", book, file, chance, found, new)


def exchanged_word(book: Book, file: str, chance: Chance) -> Fault | None:
    """Exchange `and` and `or`, `every` and `any`, or `most` and `least`."""
    new = {"and": "or", "or": "and", "any": "every", "every": "any", "most": "least", "least": "most"}
    found = in_rules(r"(?<= )(?:and|or|most|least)(?= )", book.files[file])
    return _one("exchanged word", book, file, chance, found, new)


def dropped_line(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a requirement or a statement of one line."""
    text = book.files[file]
    bare = bare_rules(text)
    found = [
        m.span()
        for m in re.finditer(r"^ +(?:require|set|raise|lower|move) [^\n]*\n", bare, re.MULTILINE)
        if bare[m.end() : m.end() + 40].lstrip(" ").partition(" ")[0] in ("require", "set", "raise", "lower", "move")
    ]
    span = pick(chance, found)
    if span is None:
        return None
    line = text[slice(*span)].strip()
    return Fault(
        "dropped line",
        file,
        text[: span[0]] + text[span[1] :],
        f"left out: {line[:90]}",
        ((file, line_of(text, span[0])),),
    )


def exchanged_citation(book: Book, file: str, chance: Chance) -> Fault | None:
    """Replace a citation by that of another existing paragraph."""
    text = book.files[file]
    known = sorted(book.paragraphs)
    span = pick(chance, in_rules(r"(?<=\[)[\w.\-]+(?=\])", text))
    if span is None or len(known) < 2:
        return None
    other = chance.choice([n for n in known if n != text[slice(*span)]])
    return spoiled("exchanged citation", file, text, *span, other)


def _number(sort: str, book: Book, file: str, chance: Chance, pattern: str) -> Fault | None:
    text = book.files[file]
    span = pick(chance, [m.span(1) for m in re.finditer(pattern, text, re.MULTILINE)])
    if span is None:
        return None
    old = int(text[slice(*span)])
    return spoiled(sort, file, text, *span, str(max(0, old + chance.choice([-1, 1, 1, 2]))))


def other_number(book: Book, file: str, chance: Chance) -> Fault | None:
    """Change a figure of a piece, a place, a value or a scenario by one or two."""
    if file.startswith(("tables", "rulebook")):
        return None
    return _number(
        "other number",
        book,
        file,
        chance,
        r"(?:strength|value|allowance|turns|vp|garrison|movement|points|morale|size): (\d+)\b",
    )


def other_cell(book: Book, file: str, chance: Chance) -> Fault | None:
    """Change a cell of a chart by one or two."""
    if not file.startswith("tables"):
        return None
    return _number("other cell", book, file, chance, r"[\[,:] (\d+)(?=[,\]}])")


def exchanged_cells(book: Book, file: str, chance: Chance) -> Fault | None:
    """Exchange two neighbouring cells in a row of a chart."""
    if not file.startswith("tables"):
        return None
    text = book.files[file]
    pairs = [
        m
        for m in re.finditer(r"(?<=[\[,] )([\w*\"-]+), +([\w*\"-]+)(?=[,\]])", text)
        if m[1] != m[2] and "#" not in text[text.rfind("\n", 0, m.start()) + 1 : m.start()]
    ]
    if not pairs:
        return None
    m = chance.choice(pairs)
    return spoiled("exchanged cells", file, text, *m.span(), f"{m[2]}, {m[1]}")


def lost_link(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a link of the map."""
    if not file.startswith("map"):
        return None
    text = book.files[file]
    found = [
        m.span()
        for m in re.finditer(r"^ +\S+: \{?[^\n]*between[^\n]*\n|^ +[\w.-]+--[\w.-]+:[^\n]*\n", text, re.MULTILINE)
    ]
    span = pick(chance, found)
    if span is None:
        return None
    line = text[slice(*span)].strip()
    return Fault(
        "lost link",
        file,
        text[: span[0]] + text[span[1] :],
        f"left out: {line[:90]}",
        ((file, line_of(text, span[0])),),
    )


def other_place(book: Book, file: str, chance: Chance) -> Fault | None:
    """Start a piece at a place where another piece starts."""
    text = book.files[file]
    found = [m.span(1) for m in re.finditer(r"\bat: (\"?\w+\"?)", text)]
    span = pick(chance, found)
    others = sorted({text[slice(*s)] for s in found} - ({text[slice(*span)]} if span else set()))
    return None if span is None or not others else spoiled("other place", file, text, *span, chance.choice(others))


SILENT: dict[str, tuple[str, Maker]] = {
    "flipped comparison": (".rules", flipped_comparison),
    "flipped sign": (".rules", flipped_sign),
    "exchanged word": (".rules", exchanged_word),
    "dropped line": (".rules", dropped_line),
    "exchanged citation": (".rules", exchanged_citation),
    "other number": (".yaml", other_number),
    "other cell": (".yaml", other_cell),
    "exchanged cells": (".yaml", exchanged_cells),
    "lost link": (".yaml", lost_link),
    "other place": (".yaml", other_place),
}
