"""Names of measures and the format of their values. Computes nothing."""

from __future__ import annotations

from interpreter.experiments.measures import (
    DECISIONS,
    DRAWS,
    LEAD,
    LEVELS,
    LOSSES,
    SCORES,
    TURNS,
    UNFINISHED,
    WINS,
    is_share,
)
from interpreter.runtime.localizer import Localizer


def measure_name(name: str, words: Localizer) -> str:
    """Return the name of a measure for readers."""
    sort, _, of = name.partition(".")
    say = words.say
    match sort:
        case s if s == WINS:
            return say("won by {seat}", seat=words.thing("seat", of))
        case s if s == DRAWS:
            return say("drawn games")
        case s if s == LEVELS:
            return say("ended as {level}", level=words.level(of))
        case s if s == SCORES:
            return say("score of {seat}", seat=words.thing("seat", of))
        case s if s == LEAD:
            return say("lead in score of {seat}", seat=words.thing("seat", next(iter(words.program.ids["seat"]), "")))
        case s if s == TURNS:
            return say("turns")
        case s if s == DECISIONS:
            return say("decisions in a game")
        case s if s == UNFINISHED:
            return say("games cut off")
        case s if s == LOSSES:
            return _losses(of, words)
    return name


def _losses(of: str, words: Localizer) -> str:
    side, parted, attribute = of.partition(".")
    if not parted:
        return words.say("pieces lost by {side}", side=words.thing("side", side))
    name = words.attribute({"name": attribute, **words.kind("piece")["attributes"][attribute]})
    return words.say("{attribute} lost by {side}", attribute=name, side=words.thing("side", side))


def figure(name: str, value: float | None, signed: bool = False) -> str:
    """Format the value of the measure `name`: shares in percent, missing values as a dash; `signed`: with + or -."""
    if value is None:
        return "-"
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.1f}%" if is_share(name) else f"{value:{sign}.2f}"
