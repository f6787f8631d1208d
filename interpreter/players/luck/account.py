"""Luck in a game's own terms: what its rolls gave, against what they would give on the average.

Sums what was counted and puts it into words. Must not guess: only rolls and look-ups that were counted
are told, and nothing is called lucky that could be chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

from interpreter.players.luck.weighing import Cast, Consulted, Fortune, Named
from interpreter.players.telling.vocabulary import Words
from interpreter.words.numbers import average_text

NUMBER = ""  # the part of a cell that is a bare number
_REMARKABLE = 2.0  # typical deviations
_FEW = 5  # of fewer dice or look-ups nothing can be said


@dataclass(frozen=True, slots=True)
class Account:
    """What is summed up together: look-ups of one table by the same rolls that name the same side, in one half."""

    table: str
    side: str
    rolls: tuple[str, ...]
    is_thrower: bool = False
    half: tuple[Named, ...] = ()


@dataclass(slots=True)
class Sum:
    """A total that came about, the total to be expected, and the variance of it."""

    count: int = 0
    actual: Fraction = field(default_factory=Fraction)
    expected: Fraction = field(default_factory=Fraction)
    variance: Fraction = field(default_factory=Fraction)

    def add(self, actual: Fraction, chances: Sequence[tuple[Fraction, int]]) -> None:
        """Count one more: what came, and all that could have come with its ways."""
        ways = sum(n for _, n in chances)
        mean = sum((value * n for value, n in chances), Fraction()) / ways
        square = sum((value * value * n for value, n in chances), Fraction()) / ways
        self.count += 1
        self.actual += actual
        self.expected += mean
        self.variance += square - mean * mean

    @property
    def z(self) -> float | None:
        """How many typical deviations the total lies above what was to be expected; None without chance."""
        return float(self.actual - self.expected) / sqrt(self.variance) if self.variance else None


def roll_sums(casts: Iterable[Cast]) -> dict[tuple[str, str, bool], Sum]:
    """Faces summed by name of the roll and side, and whether that side throws.

    Draws are left out: their numbers mean nothing.
    """
    found: dict[tuple[str, str, bool], Sum] = {}
    listed = list(casts)
    draws = {cast.thrown.name for cast in listed if not cast.is_die}
    for cast in listed:
        if cast.thrown.name in draws:
            continue
        total = found.setdefault((cast.thrown.name, cast.side, cast.is_thrower), Sum())
        for face in cast.thrown.faces:
            total.add(Fraction(face), [(Fraction(f), 1) for f in cast.thrown.die])
    return dict(sorted(found.items()))


def table_sums(consulted: Iterable[Consulted]) -> dict[Account, dict[str, Sum]]:
    """Results summed by account: numbers as they are, composite results by part, words by how often."""
    found: dict[Account, dict[str, Sum]] = {}
    listed = [(Account(x.weighed.table, x.side, x.rolls, x.is_thrower, x.half), x) for x in consulted]
    parts: dict[Account, list[str]] = {}
    for key, one in listed:  # a part counts for all look-ups of its account, also where it could not come
        for cell, _ in one.weighed.chances:
            parts.setdefault(key, []).extend(parts_of(cell))
    for key, one in listed:
        sums = found.setdefault(key, {part: Sum() for part in dict.fromkeys(parts[key])})
        actual = parts_of(one.weighed.actual)
        for part, total in sums.items():
            chances = [(parts_of(cell).get(part, Fraction()), ways) for cell, ways in one.weighed.chances]
            total.add(actual.get(part, Fraction()), chances)
    return dict(sorted(found.items(), key=lambda entry: (entry[0].table, entry[0].side, repr(entry[0]))))


def parts_of(cell: Any) -> dict[str, Fraction]:
    """A cell as amounts by part.

    >>> parts_of(3), parts_of((("loss", 2), ("confusion", 0))), parts_of("success")
    ({'': Fraction(3, 1)}, {'loss': Fraction(2, 1), 'confusion': Fraction(1, 1)}, {'success': Fraction(1, 1)})
    """
    match cell:
        case bool() | None:
            return {}
        case int() | Fraction():
            return {NUMBER: Fraction(cell)}
        case str():
            return {cell: Fraction(1)}
        case (str() as name, int() as amount):
            return {name: Fraction(amount or 1)}  # a part without a number counts once
        case tuple():
            found: dict[str, Fraction] = {}
            for item in cell:
                if isinstance(item, tuple | str):
                    for part, many in parts_of(item).items():
                        found[part] = found.get(part, Fraction()) + many
            return found
    return {}


def luck_lines(fortune: Fortune, words: Words) -> list[str]:
    """The whole account, a line for each table and side and for each roll and side."""
    say = words.say
    if not fortune.casts:
        return [say("no dice were rolled")]
    lines = table_lines(fortune.consulted, words)
    rolls = roll_lines(fortune.casts, words)
    tables = say("results of tables against what the dice promised, by roll and side:")
    faces = say("faces of dice against their average, by roll and side:")
    lines = [*([tables, *lines] if lines else []), *([faces, *rolls] if rolls else [])]
    if fortune.stopped is not None:
        lines.append(
            say(
                "counted only up to decision {number}: there the rules differ from the file",
                number=max(0, fortune.stopped - 1),
            )
        )
    if not lines:  # only draws, or throws whose average says nothing
        return [say("no dice were rolled")]
    if not all(cast.is_thrower for cast in fortune.casts):
        lines.append(say("in brackets: the side that the roll names in the rules, which may throw it or be thrown at"))
    return [
        *lines,
        say(
            "z: how many typical deviations that is from the expectation, from {few} dice or look-ups "
            "on; {limit} or more is marked !, and about one in twenty is so by chance alone",
            few=_FEW,
            limit=int(_REMARKABLE),
        ),
    ]


def table_lines(consulted: Iterable[Consulted], words: Words) -> list[str]:
    """ "  Storm table, storm (Reds): loss 4 against 5.3 expected (12 look-ups)"."""
    lines = []
    accounts = table_sums(consulted)
    names = roll_names({name for account in accounts for name in account.rolls}, words)
    for account, sums in accounts.items():
        told = [_part_words(part, total, words) for part, total in sums.items() if total.variance]
        if told:
            count = next(iter(sums.values())).count
            halves = [words.handle_value(show, value) for show, value, _ in account.half]
            rolls = " + ".join(names[name] for name in account.rolls)
            what = words.listed(
                [_table_name(account.table, words), *halves, _naming(rolls, account.side, account.is_thrower, words)]
            )
            looked = words.say("1 look-up") if count == 1 else words.say("{count} look-ups", count=count)
            lines.append("  " + words.about(what, words.aside(words.parted(told), looked)))
    return lines


def roll_lines(casts: Iterable[Cast], words: Words) -> list[str]:
    """ "  storm (Reds): 3.2 on the average of 12 dice, 3.5 expected"."""
    lines = []
    sums = roll_sums(casts)
    names = roll_names({name for name, _, _ in sums}, words)
    for (name, side, is_thrower), total in sums.items():
        mean, expected = average_text(total.actual / total.count), average_text(total.expected / total.count)
        told = (
            words.say("one die showed {face}, {expected} expected", face=mean, expected=expected)
            if total.count == 1
            else words.say(
                "{mean} on the average of {dice}, {expected} expected",
                mean=mean,
                dice=words.say("{count} dice", count=total.count),
                expected=expected,
            )
        )
        lines.append("  " + words.about(_naming(names[name], side, is_thrower, words), told + _mark(total)))
    return lines


def roll_names(names: Iterable[str], words: Words) -> dict[str, str]:
    """What rolls are called; two that are called alike have the rules' own names beside them."""
    called = {name: words.name(name, "roll") for name in names}
    often = Counter(called.values())
    return {
        name: told if often[told] == 1 else words.aside(told, name.replace("_", " ")) for name, told in called.items()
    }


def luck_data(fortune: Fortune) -> dict[str, Any]:
    """The same as JSON data; totals, expectations and z (typical deviations) as numbers."""
    return {
        "tables": [
            {
                "table": account.table,
                "side": account.side,
                "rolls": list(account.rolls),
                "by": account.is_thrower,
                "half": [named for _, _, named in account.half],
                "part": part,
                **_sum_data(total),
            }
            for account, sums in table_sums(fortune.consulted).items()
            for part, total in sums.items()
        ],
        "rolls": [
            {"roll": name, "side": side, "by": is_thrower, **_sum_data(total)}
            for (name, side, is_thrower), total in roll_sums(fortune.casts).items()
        ],
        "stopped": fortune.stopped,
    }


def _sum_data(total: Sum) -> dict[str, Any]:
    z = total.z
    return {
        "count": total.count,
        "actual": round(float(total.actual), 6),
        "expected": round(float(total.expected), 6),
        "z": None if z is None else round(z, 3),
    }


def _part_words(part: str, total: Sum, words: Words) -> str:
    told = words.say(
        "{actual} against {expected} expected", actual=average_text(total.actual), expected=average_text(total.expected)
    )
    return f"{words.name(part)} {told}{_mark(total)}" if part != NUMBER else f"{told}{_mark(total)}"


def _mark(total: Sum) -> str:
    z = total.z
    if z is None or total.count < _FEW:
        return ""
    return f" (z {z:+.1f}{'!' if abs(z) >= _REMARKABLE else ''})"


def _naming(roll: str, side: str, is_thrower: bool, words: Words) -> str:
    """A roll with the side that throws it; in brackets the one that it names, where the rules say no more."""
    if is_thrower:
        return words.say("{what} by {side}", what=roll, side=words.thing("side", side))
    return words.aside(roll, words.thing("side", side)) if side else roll


def _table_name(table: str, words: Words) -> str:
    return words.label(words.data["tables"].get(table, {}).get("label") or {}, words.name(table))
