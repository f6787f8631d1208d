"""Luck report: sum the actual results of rolls, compare them with the expected ones and render the lines.

Only analyzed rolls and look-ups are reported. A deviation that chance explains is not called lucky.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from interpreter.i18n.number_format import format_average
from interpreter.play.lines import Line, TextLine
from interpreter.players.luck.luck_analysis import AxisValue, DecidedLookup, LuckRecord, SideRoll, drop_draws
from interpreter.runtime.localizer import Localizer

NUMBER_PART = ""  # the part name of a cell that is a bare number
_USUAL_Z, _REMARKABLE_Z = 1.0, 2.0  # standard deviations; two of three totals are within the first
_MIN_OBSERVATIONS = 5  # with fewer dice or look-ups a deviation is not significant


class RollKey(NamedTuple):
    """The key by which rolls are summed: name, side, and whether the side threw the dice itself (`is_thrower`)."""

    name: str
    side: str
    is_thrower: bool

    @classmethod
    def of_roll(cls, roll: SideRoll) -> RollKey:
        """Return the key of one roll."""
        return cls(roll.dice.name, roll.side, roll.is_thrower)


@dataclass(frozen=True, slots=True)
class LookupKey:
    """The key by which look-ups are summed: table, side, names of the rolls, and axis values.

    `is_thrower`: the side threw the dice itself. `half`: as in `DecidedLookup`.
    """

    table: str
    side: str
    rolls: tuple[str, ...]
    is_thrower: bool = False
    half: tuple[AxisValue, ...] = ()


@dataclass(slots=True)
class LuckSum:
    """The sum of observed values (`actual`) with its expected value and variance, over `count` observations."""

    count: int = 0
    actual: Fraction = field(default_factory=Fraction)
    expected: Fraction = field(default_factory=Fraction)
    variance: Fraction = field(default_factory=Fraction)

    def add(self, actual: Fraction, chances: Sequence[tuple[Fraction, int]]) -> None:
        """Add one observation to the sums: its value `actual`, and the mean and variance of its possible values.

        `chances` holds each possible value with its number of equally likely outcomes.
        """
        ways = sum(n for _, n in chances)
        mean = sum((value * n for value, n in chances), Fraction()) / ways
        square = sum((value * value * n for value, n in chances), Fraction()) / ways
        self.count += 1
        self.actual += actual
        self.expected += mean
        self.variance += square - mean * mean

    @property
    def z(self) -> float | None:
        """Return the z-score of the total, or None if the variance is 0.

        It is the number of standard deviations above the expected value.
        """
        return float(self.actual - self.expected) / sqrt(self.variance) if self.variance else None


def sum_rolls(side_rolls: Iterable[SideRoll]) -> dict[RollKey, LuckSum]:
    """Return the sum of the faces of each roll; draws are left out, because their numbers have no meaning."""
    sums: dict[RollKey, LuckSum] = {}
    for roll in drop_draws(side_rolls):
        total = sums.setdefault(RollKey.of_roll(roll), LuckSum())
        for face in roll.dice.faces:
            total.add(Fraction(face), [(Fraction(f), 1) for f in roll.dice.die])
    return dict(sorted(sums.items()))


def sum_lookups(lookups: Iterable[DecidedLookup]) -> dict[LookupKey, dict[str, LuckSum]]:
    """Return the sums of look-ups by key, and within it by the parts of a result.

    Numbers have the part '', composite results are summed by part, and each word counts as a separate part.
    """
    sums_by_table: dict[LookupKey, dict[str, LuckSum]] = {}
    listed = [(LookupKey(x.roll.table, x.side, x.rolls, x.is_thrower, x.half), x) for x in lookups]
    parts: dict[LookupKey, list[str]] = {}
    for key, lookup in listed:  # a part counts for all look-ups of its account, even those that cannot give it
        for cell, _ in lookup.roll.chances:
            parts.setdefault(key, []).extend(split_cell(cell))
    for key, lookup in listed:
        sums = sums_by_table.setdefault(key, {part: LuckSum() for part in dict.fromkeys(parts[key])})
        actual = split_cell(lookup.roll.actual)
        for part, total in sums.items():
            chances = [(split_cell(cell).get(part, Fraction()), ways) for cell, ways in lookup.roll.chances]
            total.add(actual.get(part, Fraction()), chances)
    return dict(sorted(sums_by_table.items(), key=lambda entry: (entry[0].table, entry[0].side, repr(entry[0]))))


def split_cell(cell: object) -> dict[str, Fraction]:
    """Return the amounts of a table cell by part.

    >>> split_cell(3), split_cell((("loss", 2), ("confusion", 0))), split_cell("success")
    ({'': Fraction(3, 1)}, {'loss': Fraction(2, 1), 'confusion': Fraction(1, 1)}, {'success': Fraction(1, 1)})
    """
    match cell:
        case bool() | None:
            return {}
        case int() | Fraction():
            return {NUMBER_PART: Fraction(cell)}
        case str():
            return {cell: Fraction(1)}
        case (str() as name, int() as amount):
            return {name: Fraction(amount or 1)}  # a part without a number counts once
        case tuple():
            weights: dict[str, Fraction] = {}
            for item in cell:
                if isinstance(item, tuple | str):
                    for part, many in split_cell(item).items():
                        weights[part] = weights.get(part, Fraction()) + many
            return weights
    return {}


def render_luck_report(luck: LuckRecord, localizer: Localizer) -> list[TextLine]:
    """Render the whole luck report: one line per table and side, then one per roll and side."""
    say = localizer.say
    if not luck.side_rolls:
        return [say("no dice were rolled")]
    lines = render_table_lines(luck.lookups, localizer)
    rolls = render_roll_lines(luck.side_rolls, localizer)
    tables = say("results of tables compared with the expected results, by roll and side:")
    faces = say("results of dice compared with their average, by roll and side:")
    report: list[TextLine] = [tables, *lines] if lines else []
    report += [faces, *rolls] if rolls else []
    if luck.stopped is not None:
        report.append(
            say(
                "counted only up to decision {number}, where the rules differ from the file",
                number=max(0, luck.stopped - 1),
            )
        )
    if not report:  # only draws, or rolls without a meaningful average
        return [say("no dice were rolled")]
    if not all(roll.is_thrower for roll in luck.side_rolls):
        report.append(say("in brackets: the side named by the roll in the rules, either the roller or the target"))
    return [
        *report,
        say(
            "z: number of standard deviations from the expected value, for {few} or more dice or look-ups; "
            "{limit} or more is marked !, and about one in twenty of these are expected by chance",
            few=_MIN_OBSERVATIONS,
            limit=int(_REMARKABLE_Z),
        ),
    ]


def render_table_lines(lookups: Iterable[DecidedLookup], localizer: Localizer) -> list[Line]:
    """Render one line per key of `sum_lookups`: "Storm table, storm (Reds): loss 4 against 5.3 expected (12 look-ups)".

    Sums without variance are left out.
    """
    lines = []
    accounts = sum_lookups(lookups)
    names = name_rolls({name for account in accounts for name in account.rolls}, localizer)
    for account, sums in accounts.items():
        parts = [_format_part(part, total, localizer) for part, total in sums.items() if total.variance]
        if parts:
            count = next(iter(sums.values())).count
            halves = [localizer.format_value(axis.show, axis.value) for axis in account.half]
            rolls = " + ".join(names[name] for name in account.rolls)
            roll = format_roll_with_side(rolls, account.side, account.is_thrower, localizer)
            title = localizer.join_list([_get_table_name(account.table, localizer), *halves, roll])
            looked = localizer.say("{count} (look-up|look-ups)", count=count)
            lines.append(
                Line(localizer.prefix_topic(title, localizer.with_detail(localizer.join_texts(parts), looked)), level=1)
            )
    return lines


def render_roll_lines(side_rolls: Iterable[SideRoll], localizer: Localizer) -> list[Line]:
    """Render one line per roll and side: "storm (Reds): 3.2 on the average of 12 dice, 3.5 expected"."""
    lines = []
    sums = sum_rolls(side_rolls)
    names = name_rolls({key.name for key in sums}, localizer)
    for key, total in sums.items():
        mean, expected = format_average(total.actual / total.count), format_average(total.expected / total.count)
        dice = localizer.say("{count} (die|dice)", count=total.count)
        sentence = localizer.say(
            "average {mean} of {dice}, {expected} expected", mean=mean, dice=dice, expected=expected
        )
        if total.count == 1:
            sentence = localizer.say("one die rolled {face}, {expected} expected", face=mean, expected=expected)
        called = format_roll_with_side(names[key.name], key.side, key.is_thrower, localizer)
        lines.append(Line(localizer.prefix_topic(called, sentence + _format_deviation(total, localizer)), level=1))
    return lines


def name_rolls(names: Iterable[str], localizer: Localizer) -> dict[str, str]:
    """Return the display name of each roll, by id; the id is added in brackets where two names are equal."""
    labels = {name: localizer.translate_name(name, "roll") for name in names}
    label_counts = Counter(labels.values())
    return {
        name: label if label_counts[label] == 1 else localizer.with_detail(label, name.replace("_", " "))
        for name, label in labels.items()
    }


def serialize_luck(luck: LuckRecord) -> dict[str, Any]:
    """Return the luck report as JSON data: totals, expected values and z-scores, all as numbers."""
    return {
        "tables": [
            {
                "table": account.table,
                "side": account.side,
                "rolls": list(account.rolls),
                "by": account.is_thrower,
                "half": [axis.id for axis in account.half],
                "part": part,
                **_serialize_sum(total),
            }
            for account, sums in sum_lookups(luck.lookups).items()
            for part, total in sums.items()
        ],
        "rolls": [
            {"roll": key.name, "side": key.side, "by": key.is_thrower, **_serialize_sum(total)}
            for key, total in sum_rolls(luck.side_rolls).items()
        ],
        "stopped": luck.stopped,
    }


def _serialize_sum(total: LuckSum) -> dict[str, Any]:
    z = total.z
    return {
        "count": total.count,
        "actual": round(float(total.actual), 6),
        "expected": round(float(total.expected), 6),
        "z": None if z is None else round(z, 3),
    }


def _format_part(part: str, total: LuckSum, localizer: Localizer) -> str:
    """Render the actual and the expected sum of one part of a table's results."""
    sentence = localizer.say(
        "{actual}, {expected} expected", actual=format_average(total.actual), expected=format_average(total.expected)
    )
    text = sentence + _format_deviation(total, localizer)
    return text if part == NUMBER_PART else f"{localizer.translate_name(part)} {text}"


def _format_deviation(total: LuckSum, localizer: Localizer) -> str:
    """Render how far a total is from the expected one, as a z-score and in words; '' for few observations."""
    z = total.z
    if z is None or total.count < _MIN_OBSERVATIONS:
        return ""
    number = f"{z:+.1f}{'!' if abs(z) >= _REMARKABLE_Z else ''}"
    if abs(z) >= _REMARKABLE_Z:
        verdict = localizer.say("far from it")
    else:
        verdict = localizer.say("close to it") if abs(z) < _USUAL_Z else localizer.say("not unusual")
    return " " + localizer.say("(z {number}: {verdict})", number=number, verdict=verdict)


def format_roll_with_side(roll: str, side: str, is_thrower: bool, localizer: Localizer) -> str:
    """Render a roll with its side: "ROLL by SIDE" if the side throws the dice (`is_thrower`), otherwise "ROLL (SIDE)".

    A roll without a side is rendered alone.
    """
    if is_thrower:
        return localizer.say("{what} by {side}", what=roll, side=localizer.get_thing_name("side", side))
    return localizer.with_detail(roll, localizer.get_thing_name("side", side)) if side else roll


def _get_table_name(table: str, localizer: Localizer) -> str:
    chart = localizer.program.charts.get(table)
    return localizer.translate_label({} if chart is None else chart.label, localizer.translate_name(table))
