"""Expected changes of an option, estimated by trials with separate dice until the position is quiescent.

The trials are those of the greedy bot, in which each seat plays for itself. The game's own dice are never seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from interpreter.i18n.number_format import format_average, format_number
from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotGame
from interpreter.players.bots.greedy import DEFAULT_LOOKAHEAD
from interpreter.players.bots.option_evaluation import OptionEvaluator, OptionStats
from interpreter.runtime.localizer import Localizer
from interpreter.tools.odds.results import Comparison

TRIALS = 8
_SEED = 5  # equal positions give equal numbers
_MIN_CHANGE = 0.05  # a smaller change on the average is not listed
_MAX_CHANGES = 4  # changes listed
_LADDER_TYPE = "rung"  # attributes whose steps cannot be added up


@dataclass(frozen=True, slots=True)
class ExpectedChanges:
    """Mean changes by an option over trials.

    `points`: the points that each seat gains. `losses`: by (handle of the side, attribute), what the side loses of the
    attribute; the attribute '' denotes whole pieces.
    """

    trials: int
    points: Mapping[str, float]
    losses: Mapping[tuple[int, str], float]


def estimate_changes(game: Game, number: int) -> ExpectedChanges:
    """Estimate the mean changes that option `number` brings to every side."""
    decision = game.decision
    assert decision is not None
    comparison = Comparison(game.program, game.state, valued=False)
    points: dict[str, float] = {}
    losses: dict[tuple[int, str], float] = {}

    def add_trial(trial: BotGame) -> None:
        assert isinstance(trial, Game)
        for seat, value in trial.compute_scores()[0].items():
            points[seat] = points.get(seat, 0.0) + float(value)
        for side, name, amount in comparison.build_outcome(trial.state, frozenset()).losses:
            losses[side, name] = losses.get((side, name), 0.0) + float(amount)

    evaluator = OptionEvaluator(game, decision.seat, DEFAULT_LOOKAHEAD, _SEED, observer=add_trial)
    stats = OptionStats(number)
    for _ in range(TRIALS):
        before = stats.trials
        evaluator.run_trial(stats)
        if stats.trials == before or stats.is_certain:
            break
    tried = stats.trials or 1
    return ExpectedChanges(
        stats.trials, {s: v / tried for s, v in points.items()}, {key: v / tried for key, v in losses.items()}
    )


def format_expected_changes(game: Game, number: int, localizer: Localizer) -> list[str]:
    """Render the expected points and losses of an option, the greatest first; [] if it changes nothing."""
    changes, now = estimate_changes(game, number), game.compute_scores()[0]
    weighted_texts: list[tuple[float, str]] = []
    for seat, points in changes.points.items():
        by = points - float(now.get(seat, 0))
        if abs(by) >= _MIN_CHANGE:
            text = localizer.say(
                "points {before} to {after}", before=format_number(now.get(seat, 0)), after=_format_number(points)
            )
            weighted_texts.append((abs(by), localizer.prefix_topic(localizer.get_thing_name("seat", seat), text)))
    attributes, ids = game.program.kinds["piece"]["attributes"], game.program.ids["side"]
    for (side, name), amount in changes.losses.items():
        if side < 0 or abs(amount) < _MIN_CHANGE or (name and attributes[name]["show"][0] == _LADDER_TYPE):
            continue
        weighted_texts.append(
            (
                abs(amount),
                localizer.prefix_topic(
                    localizer.get_thing_name("side", ids[side]), _format_loss(name, amount, game, localizer)
                ),
            )
        )
    if not weighted_texts:
        return []
    weighted_texts.sort(key=lambda weighted: -weighted[0])
    facts = localizer.join_texts(text for _, text in weighted_texts[:_MAX_CHANGES])
    if changes.trials == 1:
        return [localizer.say("What it changes: {facts}", facts=facts)]
    return [
        localizer.say("What it changes on the average of {number} trials: {facts}", number=changes.trials, facts=facts)
    ]


def _format_loss(name: str, amount: float, game: Game, localizer: Localizer) -> str:
    """Format a mean loss (negative: a gain) of the attribute `name`, or of whole pieces for ''."""
    if name:
        attribute = localizer.translate_attribute(game.program.kinds["piece"]["attributes"][name])
        sign = "−" if amount > 0 else "+"
        return localizer.say("{what} {sign}{number}", what=attribute, sign=sign, number=_format_number(abs(amount)))
    if amount > 0:
        return localizer.say("units lost: {number}", number=_format_number(amount))
    return localizer.say("units gained: {number}", number=_format_number(-amount))


def _format_number(value: float) -> str:
    return format_average(Fraction(value).limit_denominator(100))
