"""Single faults, as a hand that types might make them, put into the text of a ruleset's files.

Each maker takes a file's text and a source of chance and gives a `Fault`, or None where the file offers no place
for it. Faults that leave a ruleset valid (a slip inside a label, another number in a chart) are not made.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests.soak.spoiling import (
    DECLARING,
    LABELS,
    Book,
    Chance,
    Fault,
    Maker,
    bare_rules,
    continued,
    entries_of,
    in_rules,
    line_of,
    misspelt,
    pick,
    scalars_of,
    schema_words,
    spoiled,
)

ROOT = Path(__file__).resolve().parents[2]


# --- makers ---------------------------------------------------------------------------------------


def misspelt_key(book: Book, file: str, chance: Chance) -> Fault | None:
    """Misspell a key of the documents' own language, or an attribute in an entry."""
    text = book.files[file]
    found = [
        (e.key.start_mark.index, e.key.end_mark.index)
        for e in entries_of(text)
        if e.key.value in schema_words()
        and e.key.style is None
        and not (e.path and e.path[-1] in DECLARING)
        and len(e.key.value) > 1
    ]
    span = pick(chance, found)
    if span is None:
        return None
    return spoiled("misspelt key", file, text, *span, misspelt(text[slice(*span)], chance))


def misspelt_attribute(book: Book, file: str, chance: Chance) -> Fault | None:
    """Misspell an attribute in rules, after its dot."""
    text = book.files[file]
    span = pick(chance, in_rules(r"(?<=\w\.)[a-z][a-z_]{2,}", text))
    return (
        None if span is None else spoiled("misspelt attribute", file, text, *span, misspelt(text[slice(*span)], chance))
    )


def misspelt_name(book: Book, file: str, chance: Chance) -> Fault | None:
    """Misspell a name that is called or looked up in rules."""
    text = book.files[file]
    span = pick(
        chance,
        in_rules(
            r"(?<![\w.])(?<!define )(?<!rule )(?<!draft )(?<!tally )(?<!event )(?<!option )"
            r"(?<!procedure )(?<!whenever )[a-z][a-z_]{3,}(?=[(\[])",
            text,
        ),
    )
    return None if span is None else spoiled("misspelt name", file, text, *span, misspelt(text[slice(*span)], chance))


def misspelt_place(book: Book, file: str, chance: Chance) -> Fault | None:
    """Misspell a place or another thing in a document."""
    text = book.files[file]
    found = []
    for entry in entries_of(text):
        if entry.key.value in (
            "between",
            "at",
            "home",
            "native",
            "sides",
            "splits",
            "into",
            "for",
            "class",
            "nation",
        ) or (entry.path[-1:] == ("regions",)):
            found += [
                (n.start_mark.index, n.end_mark.index)
                for n in scalars_of(entry)
                if n.value not in ("null", "") and n.style is None and "attributes" not in entry.path[-1:]
            ]
    span = pick(chance, [s for s in found if text[slice(*s)].isidentifier()])
    return (
        None
        if span is None
        else spoiled("misspelt thing", file, text, *span, misspelt(text[slice(*span)], chance) + "q")
    )


def wrong_citation(book: Book, file: str, chance: Chance) -> Fault | None:
    """Change a digit or letter of a citation."""
    text = book.files[file]
    known = book.paragraphs
    if file.endswith(".rules"):
        found = in_rules(r"(?<=\[)(?:[A-Z]+)?\d[\w.\-]*(?=\])", text)
    else:
        found = [
            (n.start_mark.index, n.end_mark.index)
            for e in entries_of(text)
            if e.key.value == "cite"
            for n in scalars_of(e)
            if n.value in known
        ]
    span = pick(chance, found)
    if span is None:
        return None
    old = text[slice(*span)]
    for _ in range(50):
        at = chance.choice([i for i, c in enumerate(old) if c.isalnum()])
        new = old[:at] + (str(chance.randrange(10)) if old[at].isdigit() else chance.choice("abcxyzQ")) + old[at + 1 :]
        if new.strip('"') not in known and new != old and (new[0].isdigit() or new[0] in '"A'):
            return spoiled("wrong citation", file, text, *span, new)
    return None


def word_for_number(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write a number as a word."""
    text = book.files[file]
    if file.endswith(".rules"):
        found = in_rules(r"(?<![\w.\[\-])\d+(?![\w.\-\]])", text)
    else:
        found = [
            (n.start_mark.index, n.end_mark.index)
            for e in entries_of(text)
            if e.key.value not in ("cite", "version")
            for n in scalars_of(e)
            if n.style is None and n.tag == "tag:yaml.org,2002:int"
        ]
    span = pick(chance, found)
    return (
        None
        if span is None
        else spoiled("word for number", file, text, *span, chance.choice(["three", "many", "l0", "O"]))
    )


def lost_bracket(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a bracket, in rules or in a flow of a document."""
    text = book.files[file]
    if file.endswith(".rules"):
        found = in_rules(r"[()\[\]{}]", text)
    else:
        found = [
            s
            for e in entries_of(text)
            if isinstance(e.value, yaml.CollectionNode) and e.value.flow_style
            for s in (
                (e.value.start_mark.index, e.value.start_mark.index + 1),
                (e.value.end_mark.index - 1, e.value.end_mark.index),
            )
        ]
    span = pick(chance, found)
    return None if span is None else spoiled("lost bracket", file, text, *span, "")


def tab(book: Book, file: str, chance: Chance) -> Fault | None:
    """Put a tab in the place of an indentation."""
    text = book.files[file]
    inside = _block_scalar_lines(text) if file.endswith(".yaml") else continued(text)
    source = bare_rules(text) if file.endswith(".rules") else text
    found = [
        m.span(1)
        for m in re.finditer(r"^((?: {2})+)(?=[a-z\"{\[])", source, re.MULTILINE)
        if line_of(text, m.start()) not in inside
    ]
    span = pick(chance, found)
    return None if span is None else spoiled("tab", file, text, *span, "\t" * max(1, (span[1] - span[0]) // 4))


def duplicate_key(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write a line with a key and its value twice."""
    if not file.endswith(".yaml"):
        return None
    text = book.files[file]
    found = []
    for e in entries_of(text):
        start = text.rfind("\n", 0, e.key.start_mark.index) + 1
        whole = text[start : e.key.start_mark.index].strip() == ""
        if whole and e.key.start_mark.line == e.value.end_mark.line and isinstance(e.value, yaml.Node):
            found.append((start, text.find("\n", e.value.end_mark.index) + 1))
    span = pick(chance, [s for s in found if s[1] > s[0]])
    if span is None:
        return None
    line = text[slice(*span)]
    number = line_of(text, span[0]) + 1
    return Fault("duplicate key", file, text[: span[1]] + line + text[span[1] :], line.strip()[:90], ((file, number),))


def missing_row(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a row or a cell of a chart."""
    if file not in ("tables.yaml", "activation.yaml"):
        return None
    text = book.files[file]
    tables = {
        e.path + (e.key.value,): e.value
        for e in entries_of(text)
        if e.path in (("tables",), ("orders",)) and isinstance(e.value, yaml.MappingNode)
    }
    found = []
    for node in tables.values():
        keys = {k.value: v for k, v in node.value}
        if "blanks" in keys or "cells" not in keys:
            continue
        cells = keys["cells"]
        items = _rows(cells)
        found += [(text, a, b) for a, b in items]
    if not found:
        return None
    _, start, end = chance.choice(found)
    while end < len(text) and text[end] in ", ":
        end += 1
    while text[start - 1] == " " and text[end : end + 1] in ("\n", "}", "]") and text[start - 2] in ", ":
        start -= 1
    return spoiled("missing row", file, text, start, end, "")


def _rows(cells: yaml.Node) -> list[tuple[int, int]]:
    """Return the spans of the rows of a chart, and of the cells of rows that are lists."""
    out = []
    for key, value in cells.value if isinstance(cells, yaml.MappingNode) else ():
        if cells.flow_style:
            out.append((key.start_mark.index, value.end_mark.index))
        if (
            isinstance(value, yaml.SequenceNode)
            and value.value
            and all(isinstance(v, yaml.ScalarNode) and v.value in ("success", "failure") for v in value.value)
        ):
            out += [(v.start_mark.index, v.end_mark.index) for v in value.value]
    return out


def wrong_type(book: Book, file: str, chance: Chance) -> Fault | None:
    """Something of another sort in an expression."""
    text = book.files[file]
    numbers = [(s, "places") for s in in_rules(r"(?<=[<>] )\d+", text)]
    rungs = [(s, "7") for s in in_rules(r"(?<=== )(?:war|peace|face_up|face_down|land|sea)\b", text)]
    counted = [(s, "turn") for s in in_rules(r"(?<= in )(?:nations|places|units)\b(?! at)", text)]
    found = [*numbers, *rungs, *counted]
    if not found:
        return None
    span, new = chance.choice(found)
    return spoiled("wrong type", file, text, *span, new)


def deleted_colon(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a colon after a key or at the end of a line that opens a block."""
    text = book.files[file]
    if file.endswith(".rules"):
        found = in_rules(r":(?=[ ]*$)", text)
    else:
        found = [
            (e.key.end_mark.index, e.key.end_mark.index + 1)
            for e in entries_of(text)
            if text[e.key.end_mark.index : e.key.end_mark.index + 1] == ":"
        ]
    span = pick(chance, found)
    return None if span is None else spoiled("deleted colon", file, text, *span, "")


def shifted_line(book: Book, file: str, chance: Chance) -> Fault | None:
    """Indent a line a little further than the lines it belongs to."""
    text = book.files[file]
    rules = file.endswith(".rules")
    lines = (bare_rules(text) if rules else text).split("\n")
    inside = continued(text) if rules else _block_scalar_lines(text)
    starts = {e.key.start_mark.line + 1 for e in entries_of(text)} if not rules else set()
    found = []
    for number in range(2, len(lines)):
        line, before = lines[number - 1].rstrip(), lines[number - 2].rstrip()
        if number in inside or number - 1 in inside or not line.strip() or not before.strip() or "#" in before + line:
            continue
        same = len(line) - len(line.lstrip()) == len(before) - len(before.lstrip())
        open_line = before.endswith((":", ",", "=", " and", " or", " then", " else", "(", "[", "{", ">-", ">", "|"))
        if same and not open_line and (rules or (number in starts and number - 1 in starts)):
            found.append(number)
    if not found:
        return None
    number = chance.choice(found)
    at = sum(len(x) + 1 for x in text.split("\n")[: number - 1])
    return spoiled("shifted line", file, text, at, at, " " * chance.choice([1, 2, 3]))


def _block_scalar_lines(text: str) -> set[int]:
    """Return the lines (from 1) inside values that span several lines."""
    out: set[int] = set()
    for e in entries_of(text):
        for node in scalars_of(e):
            if node.end_mark.line > node.start_mark.line:
                out.update(range(node.start_mark.line + 2, node.end_mark.line + 2))
        if isinstance(e.value, yaml.CollectionNode) and e.value.flow_style:
            out.update(range(e.value.start_mark.line + 2, e.value.end_mark.line + 2))
    return out


def lost_quote(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a quotation mark."""
    text = book.files[file]
    if file.endswith(".rules"):
        comments = [m.span() for m in re.finditer(r'"[^"\n]*"|#[^\n]*', text)]
        found = [s for a, b in comments if text[a] == '"' for s in ((a, a + 1), (b - 1, b))]
    else:
        # a label without its first quote is still a label, with a quote at its end
        found = [
            s
            for e in entries_of(text)
            for n in (e.key, *scalars_of(e))
            if n.style in ('"', "'")
            for s in ((n.start_mark.index, n.start_mark.index + 1), (n.end_mark.index - 1, n.end_mark.index))
            if e.key.value not in LABELS or s[0] != n.start_mark.index or n is e.key
        ]
    span = pick(chance, found)
    return None if span is None else spoiled("lost quote", file, text, *span, "")


def removed_definition(book: Book, file: str, chance: Chance) -> Fault | None:
    """Remove a whole definition that others use; it is reported where it is used."""
    text = book.files[file]
    heads = list(re.finditer(r"^(?:define|rule|event|tally|draft|procedure) (\w+)", text, re.MULTILINE))
    found = []
    for head in heads:
        following = re.compile(r"^\S", re.MULTILINE).search(text, head.end())
        end = following.start() if following else len(text)
        uses = []
        for name in sorted(book.files):
            if name.endswith(".rules") or name == "victory.yaml":
                there = book.files[name]
                bare = bare_rules(there) if name.endswith(".rules") else there
                uses += [
                    (name, line_of(there, m.start()))
                    for m in re.finditer(rf"(?<![\w.]){head[1]}\b(?! *:)", bare)
                    if not (name == file and head.start() <= m.start() < end)
                ]
        if uses:
            found.append((head.start(), end, head[1], uses))
    if not found:
        return None
    start, end, word, uses = chance.choice(found)
    gone, at = text.count("\n", start, end), line_of(text, start)
    moved = tuple((f, n - gone if f == file and n > at else n) for f, n in uses)
    return Fault("removed definition", file, text[:start] + text[end:], word, moved)


def wrong_rung(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write a rung or a word that its ladder or list does not have."""
    text = book.files[file]
    words = r"(?:peace|truce|war|first|second|third|face_up|face_down|land|sea|half|all|success)"
    if file.endswith(".rules"):
        found = in_rules(rf"(?<=== ){words}\b", text)
    else:
        found = [
            (n.start_mark.index, n.end_mark.index)
            for e in entries_of(text)
            for n in scalars_of(e)
            if re.fullmatch(words, n.value) and n.style is None and e.key.value not in (*LABELS, "attrition", "one_of")
        ]
    span = pick(chance, found)
    return (
        None
        if span is None
        else spoiled("wrong rung", file, text, *span, misspelt(text[slice(*span)], chance) + chance.choice(["", "x"]))
    )


def unknown_option(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write an optional rule that does not exist."""
    text = book.files[file]
    if file.endswith(".rules"):
        found = in_rules(r"(?<=playing )\w+", text)
    else:
        found = [m.span() for m in re.finditer(r"(?<=playing )\w+", text)]
    span = pick(chance, found)
    return None if span is None else spoiled("unknown option", file, text, *span, misspelt(text[slice(*span)], chance))


def single_equals(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write one equals sign where two compare."""
    text = book.files[file]
    span = pick(chance, in_rules(r"(?<= )==(?= )", text))
    return None if span is None else spoiled("single equals", file, text, *span, "=")


def missing_word(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a small word of the language."""
    text = book.files[file]
    span = pick(chance, in_rules(r" (?:in|by|to|then|where|else|from|of|for)(?= )", text))
    return None if span is None else spoiled("missing word", file, text, *span, "")


def curly_quote(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write a quotation mark as word processors do."""
    text = book.files[file]
    span = pick(
        chance, [(m.start(), m.start() + 1) for m in re.finditer(r'"[^"\n]*"|#[^\n]*', text) if text[m.start()] == '"']
    )
    return None if span is None else spoiled("curly quote", file, text, *span, "“")


def capital_letter(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write a key or a name with a capital."""
    text = book.files[file]
    if file.endswith(".rules"):
        found = in_rules(r"(?<![\w])[a-z][a-z_]{2,}", text)
    else:
        found = [
            (e.key.start_mark.index, e.key.end_mark.index)
            for e in entries_of(text)
            if e.key.value in schema_words() and e.key.style is None
        ]
    span = pick(chance, found)
    return None if span is None else spoiled("capital letter", file, text, *span, text[slice(*span)].capitalize())


def moved_out(book: Book, file: str, chance: Chance) -> Fault | None:
    """Indent a line of rules a little less than the lines it belongs to."""
    text = book.files[file]
    lines = bare_rules(text).split("\n")
    inside = continued(text)
    found = []
    for number in range(2, len(lines)):
        line, before = lines[number - 1].rstrip(), lines[number - 2].rstrip()
        indent = len(line) - len(line.lstrip())
        if line and indent and before and indent == len(before) - len(before.lstrip()) and number not in inside:
            found.append(number)
    if not found:
        return None
    number = chance.choice(found)
    at = sum(len(x) + 1 for x in text.split("\n")[: number - 1])
    return spoiled("moved out", file, text, at, at + chance.choice([1, 2, 3]), "")


def removed_key(book: Book, file: str, chance: Chance) -> Fault | None:
    """Drop a line with a key that its entry needs; it is reported at the entry above."""
    text = book.files[file]
    needed = ("kind", "id", "between", "sides", "axes", "cells", "class", "home", "camp", "many")
    found = []
    for e in entries_of(text):
        start = text.rfind("\n", 0, e.key.start_mark.index) + 1
        alone = text[start : e.key.start_mark.index].strip() == "" and e.key.start_mark.line == e.value.end_mark.line
        if e.key.value in needed and alone and e.path[-1:] not in (("attributes",), ("parts",)):
            found.append((start, text.find("\n", e.value.end_mark.index) + 1, e.path))
    if not found:
        return None
    start, end, path = chance.choice(found)
    heads = [
        x.key.start_mark.line + 1
        for x in entries_of(text)
        if x.path == path[:-1] and (not path or x.key.value == path[-1])
    ]
    line = line_of(text, start)
    return Fault(
        "removed key",
        file,
        text[:start] + text[end:],
        text[start:end].strip()[:90],
        tuple((file, n) for n in (line, *heads)),
    )


def unknown_entry(book: Book, file: str, chance: Chance) -> Fault | None:
    """Write an unknown key beside others."""
    text = book.files[file]
    found = [e for e in entries_of(text) if e.key.value in ("cite", "type", "sort", "source", "gives", "at", "when")]
    if not found:
        return None
    at = chance.choice(found).key.start_mark.index
    start = text.rfind("\n", 0, at) + 1
    glue = ", " if text[start:at].strip() else "\n" + text[start:at]
    return spoiled("unknown entry", file, text, at, at, f"{chance.choice(['size', 'colour', 'x'])}: 3{glue}")


MAKERS: dict[str, tuple[str, Maker]] = {
    # name: (ending of the files it is for, the maker)
    "misspelt key": (".yaml", misspelt_key),
    "misspelt attribute": (".rules", misspelt_attribute),
    "misspelt name": (".rules", misspelt_name),
    "misspelt thing": (".yaml", misspelt_place),
    "wrong citation": ("", wrong_citation),
    "word for number": ("", word_for_number),
    "lost bracket": ("", lost_bracket),
    "tab": ("", tab),
    "duplicate key": (".yaml", duplicate_key),
    "missing row": (".yaml", missing_row),
    "wrong type": (".rules", wrong_type),
    "deleted colon": ("", deleted_colon),
    "shifted line": ("", shifted_line),
    "lost quote": ("", lost_quote),
    "removed definition": (".rules", removed_definition),
    "wrong rung": ("", wrong_rung),
    "unknown option": ("", unknown_option),
    "single equals": (".rules", single_equals),
    "missing word": (".rules", missing_word),
    "curly quote": (".rules", curly_quote),
    "capital letter": ("", capital_letter),
    "moved out": (".rules", moved_out),
    "removed key": (".yaml", removed_key),
    "unknown entry": (".yaml", unknown_entry),
}
