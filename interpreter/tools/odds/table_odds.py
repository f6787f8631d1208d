"""Compute the distribution of a table's results over a die.

Reads tables only; `odds` covers the effect of a result in the rules. Prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.number_format import format_number
from interpreter.i18n.translator import get_translator, mark as _
from interpreter.play.ledger_lines import format_shift
from interpreter.runtime.errors import RuntimeFault, SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.tables import Chart, ChartAxis, ShiftedKey
from interpreter.runtime.value_ids import UnknownValueError, from_value_id, to_value_id
from interpreter.tools.odds.odds_lines import encode_number, format_exact_probability
from interpreter.tools.odds.question_parsing import parse_number_or_text

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

_DICE = re.compile(r"(?P<count>[1-9][0-9]?)?(?P<die>[a-z_][a-z_0-9]*?|d[0-9]{1,4})(?P<plus>[+-][0-9]{1,6})?")
_SHIFT = re.compile(r"\s*(?P<what>.+?)\s+shifted\s+by\s+(?P<by>[+-]?[0-9]{1,6})\s*")
_MAX_THROWS = 2_000_000


@dataclass(frozen=True, slots=True)
class ReadHeading:
    """The heading of the row or column of a chart that is read.

    If the row is shifted, `base` is the heading from which the shift by `by` rows starts.
    """

    row: str
    base: str = ""
    by: int = 0


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The results of a table with their probabilities.

    `rows`: (axis, input) for each axis; `headings`: the chart row that each input reads, "" if dice decide; `results`:
    (probability, result), None for a blank cell; `refused`: the probability that the table has no row.
    """

    table: str
    rows: tuple[tuple[str, str], ...]
    headings: tuple[ReadHeading, ...]
    results: tuple[tuple[Fraction, Any], ...]
    refused: Fraction
    source: str
    program: Program


def compute_table_odds(program: Program, table: str, inputs: Mapping[str, str]) -> TableOdds:
    """Compute the distribution of the results of a table.

    `inputs`: for axes by name a value, a row or dice such as `2d6+1`. An axis that is not given is read by the die
    whose faces are its rows, if there is exactly one. Raises SetupError for an unknown table, axis or value.
    """
    if table not in program.charts:
        hint = suggest_words(table, program.charts, all_of_them=True)
        raise SetupError("unknown table `{name}`{hint}", name=table, hint=hint)
    chart = program.charts[table]
    names = [a.name for a in chart.axes]
    for name in inputs:
        if name not in names:
            raise SetupError(
                "table `{table}` has no axis `{name}`; its axes are {known}", table=table, name=name, known=tuple(names)
            )
    parsed = [_parse_shifted_axis(program, chart, a, inputs.get(a.name)) for a in chart.axes]
    if prod(len(values) for _words, values in parsed) > _MAX_THROWS:
        raise SetupError("these dice have more than {most:,} combinations; use fewer dice", most=_MAX_THROWS)
    shares: dict[Any, Fraction] = {}
    refused = Fraction(0)
    for combination in product(*(values.items() for _words, values in parsed)):
        probability = prod((share for _value, share in combination), start=Fraction(1))
        try:
            cell = chart.look(*(v for v, _ in combination))
        except RuntimeFault:
            refused += probability
            continue
        result = None if cell is None else to_value_id(program, chart.show, cell)
        shares[result] = shares.get(result, Fraction(0)) + probability
    rows = tuple((n, text) for n, (text, _) in zip(names, parsed, strict=True))
    headings = tuple(_read_heading(axis, list(values)) for axis, (_, values) in zip(chart.axes, parsed, strict=True))
    results = tuple(sorted(((p, r) for r, p in shares.items()), key=lambda x: (-x[0], repr(x[1]))))
    return TableOdds(table, rows, headings, results, refused, chart.source, program)


def _read_heading(axis: ChartAxis, values: list[Any]) -> ReadHeading:
    """Return the heading of the row that an axis reads if `values` has one value; an empty one for several values."""
    if len(values) != 1:
        return ReadHeading("")
    value = values[0]
    try:
        row_number = axis.find(value)
        base_number = axis.find(value.value) if isinstance(value, ShiftedKey) else None
    except RuntimeFault:
        return ReadHeading("")
    row = axis.labels[row_number] if isinstance(row_number, int) else ""
    return ReadHeading(row, axis.labels[base_number], value.by) if isinstance(base_number, int) else ReadHeading(row)


def _parse_shifted_axis(
    program: Program, chart: Chart, axis: ChartAxis, text: str | None
) -> tuple[str, dict[Any, Fraction]]:
    """Parse an axis input such as `_parse_axis` takes, and apply the row shift that the text asks for.

    Return its description and its values with their probabilities. Raises SetupError if the rows have no order.
    """
    shift = _SHIFT.fullmatch(text or "")
    if shift is None:
        return _parse_axis(program, chart, axis, text)
    if axis.sort == "keys" and axis.show[0] not in ("int", "number"):
        raise SetupError(
            "`{name}` of table `{table}` cannot be shifted: its rows have no order", name=axis.name, table=chart.id
        )
    description, values = _parse_axis(program, chart, axis, shift["what"])
    return description, {ShiftedKey(value, int(shift["by"])): share for value, share in values.items()}


def _find_value_of_row(axis: ChartAxis, label: str) -> object:
    """Return a value that selects the row with the heading `label`."""
    key = axis.keys[axis.labels.index(label)]
    if axis.sort == "ratio":
        return key, 1
    if axis.sort != "bands":
        return key
    low, is_low, high, is_high = key
    if is_low and low is not None or high is None:
        return low if is_low else low + 1
    return high if is_high else high - 1 if low is None else Fraction(low + high) / 2


def _parse_axis(program: Program, chart: Chart, axis: ChartAxis, text: str | None) -> tuple[str, dict[Any, Fraction]]:
    """Parse an axis input; return its description and its values with their probabilities.

    `text`: a row, a value or dice; None means the only die whose faces are the rows. Raises SetupError for an invalid
    input.
    """
    name, is_number = axis.name, axis.show[0] in ("int", "number")
    if text is None:
        has_faces = axis.sort in ("keys", "range")
        fitting = [d for d, faces in program.dice.items() if has_faces and tuple(dict.fromkeys(faces)) == axis.keys]
        if len(fitting) != 1:
            dice = _(", or dice such as {example}", example=f"{name}={next(iter(program.dice), 'd6')}")
            raise SetupError(
                "`{name}` of table `{table}` has no value; give {name}=VALUE, with one of {rows}{dice}",
                name=name,
                table=chart.id,
                rows=_list_rows(axis),
                dice=dice if is_number else "",
            )
        text = fitting[0]
    if text in axis.labels:
        return text, {_find_value_of_row(axis, text): Fraction(1)}
    thrown = _parse_dice(program, text) if is_number else None
    if thrown is not None:
        return text, thrown
    if axis.sort == "ratio":
        return text, {_parse_ratio(name, text): Fraction(1)}
    try:
        value = parse_number_or_text(text) if is_number else text
        return text, {from_value_id(program, axis.show, value): Fraction(1)}
    except UnknownValueError as fault:
        raise SetupError(
            "`{name}` of table `{table}`: {fault}; its rows are {rows}",
            name=name,
            table=chart.id,
            fault=fault,
            rows=_list_rows(axis),
        ) from None


def _list_rows(axis: ChartAxis) -> str:
    return ", ".join(axis.labels[:20]) + (" ..." if len(axis.labels) > 20 else "")


def _parse_ratio(name: str, text: str) -> tuple[Fraction, Fraction]:
    left, _mark, right = re.sub("[/-]", ":", text).partition(":")
    try:
        return Fraction(left), Fraction(right or "1")
    except (ValueError, ZeroDivisionError):
        raise SetupError("`{name}` needs a ratio such as 7:3 or 3-1, found `{text}`", name=name, text=text) from None


def _parse_dice(program: Program, text: str) -> dict[Any, Fraction] | None:
    """Return the probability of each sum of dice such as `2d6+1`, or None if the text does not describe dice.

    Raises SetupError for an unknown die.
    """
    match = _DICE.fullmatch(text.replace(" ", ""))
    if match is None:
        return None
    die = match["die"]
    faces = program.dice.get(die)
    if faces is None:
        if not re.fullmatch("d[1-9][0-9]{0,3}", die):
            hint = suggest_words(die, program.dice, all_of_them=True)
            raise SetupError("unknown die `{die}` (d6 and 2d6+1 are also possible){hint}", die=die, hint=hint)
        faces = tuple(range(1, int(die[1:]) + 1))
    plus = int(match["plus"] or 0)
    sums: dict[int, Fraction] = {plus: Fraction(1)}
    for _throw in range(int(match["count"] or 1)):
        following: dict[int, Fraction] = {}
        for total, p in sums.items():
            for face in faces:
                following[total + face] = following.get(total + face, Fraction(0)) + p / len(faces)
        sums = following
    return dict(sorted(sums.items()))


def format_table(odds: TableOdds, language: str = "") -> list[str]:
    """Render the distribution as text lines."""
    localizer, say = odds.program.get_localizer(language), get_translator(language)
    chart = odds.program.charts[odds.table]
    is_first = localizer.is_first
    title = localizer.translate_label(chart.label, odds.table) + "".join(f" [{c}]" for c in chart.cites)
    rows = say(", ").join(
        f"{n if is_first else localizer.translate_name(n, 'axis')} {_format_input(odds.program, v, heading, localizer)}"
        for (n, v), heading in zip(odds.rows, odds.headings, strict=True)
    )
    lines = [say("{what}: {values}", what=title, values=rows)]
    if odds.source in ("reconstructed", "inferred"):
        lines.append("  " + say("{source}: the printed game may differ", source=say(odds.source)))
    for probability, result in odds.results:
        lines.append(f"  {format_exact_probability(probability)}  {_format_result(result, localizer)}")
    if odds.refused:
        lines.append(f"  {format_exact_probability(odds.refused)}  " + say("no row: the table has no result"))
    return lines


def _format_input(program: Program, text: str, heading: ReadHeading, localizer: Localizer) -> str:
    """Return the input of an axis as text, followed by "→ row" if the heading of the row says more.

    `text`: the input as given.
    """
    words = text if localizer.is_first or text in program.dice else localizer.translate_name(text, "word")
    if heading.base:
        row = format_shift(
            localizer.translate_phrase,
            localizer.format_row_label(heading.base),
            heading.by,
            localizer.format_row_label(heading.row),
        )
        return row if heading.base == text else f"{words} → {row}"
    return f"{words} → {localizer.format_row_label(heading.row)}" if heading.row not in ("", text) else words


def _format_result(result: object, localizer: Localizer) -> str:
    if result is None:
        return "-"
    if isinstance(result, tuple):
        return localizer.translate_phrase(", ").join(_format_result(r, localizer) for r in result) or "-"
    if isinstance(result, Fraction):
        return format_number(result)
    return str(result).replace("_", " ") if localizer.is_first else localizer.translate_name(str(result), "word")


def serialize_table_odds(odds: TableOdds) -> dict[str, Any]:
    """Return the distribution as JSON data."""
    headings = {
        name: {"row": h.row or None, "base": h.base or None, "shift": h.by}
        for (name, _), h in zip(odds.rows, odds.headings, strict=True)
    }
    return {
        "table": odds.table,
        "rows": dict(odds.rows),
        "headings": headings,
        "source": odds.source,
        "results": [
            {"probability": encode_number(p), "value": list(r) if isinstance(r, tuple) else r} for p, r in odds.results
        ],
        "refused": encode_number(odds.refused),
    }
