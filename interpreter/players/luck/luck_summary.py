"""Luck in one line per roll: the average of its dice, and how many games with as many dice have one as high or as low.

The chances are exact: the distribution of the total is counted, not approximated. High and low are not called good or
bad, because the rules do not say which side a roll favours.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from interpreter.i18n.number_format import format_average
from interpreter.players.luck.luck_analysis import LuckRecord, drop_draws
from interpreter.players.luck.luck_report import RollKey, format_roll_with_side, name_rolls
from interpreter.runtime.localizer import Localizer

_MAX_LINES = 4  # rolls with a line: those with the most dice
_MIN_DICE = 5  # with fewer dice a total says nothing about luck
_GAMES = 100

Dice = Counter[tuple[int, ...]]  # how many dice there are with these faces


def count_outcomes_from(dice: Dice, least: int) -> tuple[int, int]:
    """Return in how many of all outcomes of some dice the total is `least` or more, and the number of all outcomes.

    The distribution is a product of polynomials with one term for each face, evaluated at a power of two that is larger
    than any coefficient (Kronecker substitution).
    """
    outcomes, lowest, product = 1, 0, 1
    for faces, number in dice.items():
        outcomes *= len(faces) ** number
        lowest += min(faces) * number
    bits = outcomes.bit_length() + 1
    for faces, number in dice.items():
        product *= sum(1 << bits * (face - min(faces)) for face in faces) ** number
    above = product >> bits * max(0, least - lowest)
    modulus = (1 << bits) - 1  # by it every power of two used is 1, so that the coefficients are added
    return above % modulus, outcomes


def summarize_luck(luck: LuckRecord, localizer: Localizer) -> list[str]:
    """Render the luck of the rolls with the most dice, one line each; [] if no roll has enough dice."""
    thrown: dict[RollKey, tuple[Dice, list[int]]] = {}
    for roll in drop_draws(luck.side_rolls):
        if len(set(roll.dice.die)) > 1:
            dice, faces = thrown.setdefault(RollKey.of_roll(roll), (Counter(), []))
            dice[tuple(roll.dice.die)] += len(roll.dice.faces)
            faces.extend(roll.dice.faces)
    most_frequent = sorted(thrown.items(), key=lambda entry: -len(entry[1][1]))[:_MAX_LINES]
    names = name_rolls({key.name for key, _ in most_frequent}, localizer)
    lines = []
    for key, (dice, faces_rolled) in most_frequent:
        if len(faces_rolled) >= _MIN_DICE:
            who = format_roll_with_side(names[key.name], key.side, key.is_thrower, localizer)
            lines.append(localizer.prefix_topic(who, _format_verdict(dice, faces_rolled, localizer)))
    return lines


def _format_verdict(dice: Dice, faces_rolled: list[int], localizer: Localizer) -> str:
    """Render the average of dice, the expected average, and in how many of 100 games it would be as high or as low."""
    say, total = localizer.say, sum(faces_rolled)
    expected = sum((Fraction(sum(faces) * number, len(faces)) for faces, number in dice.items()), Fraction())
    average = say(
        "average {mean} of {dice}, {expected} expected",
        mean=format_average(Fraction(total, len(faces_rolled))),
        dice=say("{count} (die|dice)", count=len(faces_rolled)),
        expected=format_average(expected / len(faces_rolled)),
    )
    if total == expected:
        return average
    is_high = total > expected
    above, outcomes = count_outcomes_from(dice, total if is_high else total + 1)
    number = round(Fraction(above if is_high else outcomes - above, outcomes) * _GAMES)
    if number == 0 and is_high:
        share = say("fewer than 1 of 100 games with as many dice rolls as high")
    elif number == 0:
        share = say("fewer than 1 of 100 games with as many dice rolls as low")
    elif is_high:
        share = say("about {number} of 100 games with as many dice (rolls|roll) as high", number=number)
    else:
        share = say("about {number} of 100 games with as many dice (rolls|roll) as low", number=number)
    return localizer.join_texts([average, share])
