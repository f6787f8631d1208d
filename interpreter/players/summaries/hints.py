"""Hints: the choice a bot would make now and the values behind it. Neither sees future dice nor makes a choice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from interpreter.i18n.number_format import format_average
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.option_evaluation import OptionStats
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.decisions import Option

_SEED = 0  # equal positions get equal hints
_OTHERS = 2  # alternatives shown
_SLIGHT, _CLEAR = 0.15, 0.5  # shares of the widest difference below which an option is slightly worse, or just worse


@dataclass(frozen=True, slots=True)
class JudgedOption:
    """An option with the mean value of its trials, in the unit of the ruleset's evaluation, or None if not tried."""

    option: Option
    value: float | None


@dataclass(frozen=True, slots=True)
class Hint:
    """A bot's choice and the best alternatives it tried.

    `tried`: the number of options played out on copies; `now`: the value of the position before the choice; `least`:
    the value of the worst option.
    """

    chosen: JudgedOption
    others: tuple[JudgedOption, ...]
    tried: int
    now: float
    least: float


def compute_hint(game: Game) -> Hint | None:
    """Compute a hint for the deciding seat, or None if no decision is pending."""
    decision = game.decision
    if decision is None:
        return None
    best = GreedyPlayer(decision.seat, _SEED).choose(game)
    evaluated: list[OptionStats] = []
    if game.count() > 1:
        evaluated, _prize = GreedyPlayer(decision.seat, _SEED).evaluate_options(game)
    value = {stats.number: stats.total / stats.trials for stats in evaluated if stats.trials}
    options = decision.options
    alternatives = sorted((n for n in value if n != best), key=lambda n: (-value[n], n))
    return Hint(
        JudgedOption(options[best], value.get(best)),
        tuple(JudgedOption(options[n], value[n]) for n in alternatives[:_OTHERS]),
        len(value),
        (now := evaluate_seats(game, (decision.seat,))[0]),
        min(value.values(), default=now),
    )


def render_hint(game: Game, name_index: NameIndex, hint: Hint | None = None) -> list[TextLine]:
    """Render a hint: the option with the paragraphs it cites, then its value and the values of alternatives, if any.

    `hint`: the hint to render; None computes one.
    """
    say, hint = name_index.localizer.say, hint or compute_hint(game)
    if hint is None:
        return [say("nothing needs to be decided now")]
    option, value = hint.chosen.option, hint.chosen.value
    headline = say("the bot `greedy` would choose: {option}", option=format_option(option, name_index))
    lines: list[TextLine] = [Line(headline, option.cite)]
    if game.count() == 1:
        return [*lines, "  " + say("(nothing else is possible)")]
    if value is None or hint.tried < 2:
        return [*lines, "  " + say("(based on its earlier analysis of this sequence; there are no values for it now)")]
    expectation = say(
        "it rates your position {now} now and {worth} after this order: a number that adds up what the rules count for "
        "you (more is better); orders compared: {number}",
        worth=_format_number(value),
        now=_format_number(hint.now),
        number=hint.tried,
    )
    effect = _describe_effect(hint, value, name_index)
    return [
        *lines,
        f"  {expectation}",
        f"  {effect}",
        *(f"  {_format_comparison(judged, value, name_index)}" for judged in hint.others),
    ]


def list_hint_reasons(hint: Hint, game: Game, name_index: NameIndex) -> list[str]:
    """Render the reasons for a hint in words: what it brings, and how much better it is than the next options."""
    say, value = name_index.localizer.say, hint.chosen.value
    if game.count() == 1:
        return [say("Nothing else is possible.")]
    if value is None or hint.tried < 2:
        return [say("It continues the plan of the order before.")]
    lines = [_describe_effect(hint, value, name_index)]
    values = [judged.value for judged in hint.others if judged.value is not None]
    widest = max([abs(value - hint.now), value - hint.least, *(value - other for other in values)])
    for judged in hint.others:
        assert judged.value is not None
        share = (value - judged.value) / widest if widest else 0.0
        lines.append(_describe_degree(share, format_option(judged.option, name_index), name_index))
    return lines


def _describe_effect(hint: Hint, value: float, name_index: NameIndex) -> str:
    """Render whether the position becomes better or worse by the chosen option, which has the value `value`."""
    say = name_index.localizer.say
    if value > hint.now:
        return say("It improves your position, as far as can be foreseen.")
    if value == hint.now:
        return say("It keeps your position as it is; the other orders that were tried are no better.")
    return say("Your position becomes worse by any order that was tried; by this one it loses least.")


def _describe_degree(share: float, option_text: str, name_index: NameIndex) -> str:
    """Render how much better the chosen option is than the option with the text `option_text`.

    `share`: the difference of their values, as a share of the largest difference.
    """
    say = name_index.localizer.say
    if share == 0:
        return say("Equally good: {option}", option=option_text)
    if share < 0:  # it ends a repeated decision, or had more trials
        return say("Perhaps better, but tried less often: {option}", option=option_text)
    if share < _SLIGHT:
        return say("Slightly worse: {option}", option=option_text)
    return (
        say("Worse: {option}", option=option_text)
        if share < _CLEAR
        else say("Much worse: {option}", option=option_text)
    )


def _format_comparison(judged: JudgedOption, value: float, name_index: NameIndex) -> str:
    """Render another option with the difference of its value to `value`, the value of the chosen option."""
    say, label = name_index.localizer.say, format_option(judged.option, name_index)
    assert judged.value is not None
    if judged.value == value:
        return say("equally good: {option}", option=label)
    less = value - judged.value
    if less < 0:  # it ends a repeated decision, or had more trials
        return say("{number} more, with fewer trials: {option}", number=_format_number(-less), option=label)
    return say("{number} less: {option}", number=_format_number(less), option=label)


def _format_number(value: float) -> str:
    return format_average(Fraction(value).limit_denominator(100))
