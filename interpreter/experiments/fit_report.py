"""Render the result of fitting an evaluation, as text and as data. Computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.experiments.weight_fitting import FitRound, FitTrial, WeightStudy
from interpreter.i18n.number_format import format_number
from interpreter.i18n.translator import mark as _
from interpreter.runtime.localizer import Localizer

_VERDICTS = {
    "better": _("the new weights win more games"),
    "worse": _("the new weights win fewer games: keep the old ones"),
    "unknown": _("it is uncertain whether the new weights are better: play more games (-n)"),
}


def render_study(study: WeightStudy, rounds: Sequence[FitRound], trial: FitTrial, localizer: Localizer) -> list[str]:
    """Return lines for the rounds, the weights and the result of the trial."""
    say = localizer.say
    lines = []
    for number, fit_round in enumerate(rounds, 1):
        won = localizer.join_list(
            f"{localizer.get_thing_name('seat', seat)} {count}" for seat, count in fit_round.won.items()
        )
        lines.append(
            say(
                "round {number}: {games} games (won by {won}); prediction error {before:.3f} before, {after:.3f} after",
                number=number,
                games=fit_round.games,
                won=won,
                before=fit_round.fit.before,
                after=fit_round.fit.after,
            )
        )
    lines += ["", say("value of a position:")]
    lines += [f"  {line}" for line in _render_weights(study, rounds, localizer)]
    lines += ["", say("test in new games, one seat with the new weights, the others with the old:")]
    seats = [(localizer.get_thing_name("seat", seat), differences) for seat, differences in trial.gains.items()]
    for name, gain in [*seats, (say("all"), trial.overall)]:
        interval = trial.compute_interval(gain)
        lines.append(
            say(
                "  {seat}: {gain:+.1%} games won ({low:+.1%} to {high:+.1%}, {pairs} pairs)",
                seat=name,
                gain=gain.mean,
                low=interval.low,
                high=interval.high,
                pairs=gain.count,
            )
        )
    return [*lines, say(_VERDICTS[trial.verdict])]


def _render_weights(study: WeightStudy, rounds: Sequence[FitRound], localizer: Localizer) -> list[str]:
    """Return a line for each weight: its value before and after the fit."""
    lines = []
    for (name, value), is_seen in zip(study.weights.items(), _parse_flags(rounds), strict=True):
        label, before, after = (
            localizer.translate_name(name),
            format_number(value),
            format_number(rounds[-1].weights[name]),
        )
        if not is_seen:
            lines.append(localizer.say("{name}: {value}; no effect in these games", name=label, value=before))
        elif before == after:
            lines.append(localizer.say("{name}: {value} (unchanged)", name=label, value=before))
        else:
            lines.append(localizer.say("{name}: {value} changes to {after}", name=label, value=before, after=after))
    return lines


def _parse_flags(rounds: Sequence[FitRound]) -> list[bool]:
    return [any(flags) for flags in zip(*(r.fit.seen for r in rounds), strict=True)]


def list_remarks(study: WeightStudy, trial: FitTrial) -> tuple[str, ...]:
    """Return the comment lines at the top of the file with the fitted weights.

    They give the number of games and the result of the trial.
    """
    overall, interval = trial.overall, trial.compute_interval(trial.overall)
    return (
        f"How opponents that think weigh a position, learnt from {study.rounds * study.games} games.",
        f"In {overall.count} fresh pairs of games {overall.mean:+.1%} won "
        f"({interval.low:+.1%} to {interval.high:+.1%} at 95 %).",
    )


def serialize_study(study: WeightStudy, rounds: Sequence[FitRound], trial: FitTrial) -> dict[str, object]:
    """Return a study with its rounds and its trial as JSON data."""

    def serialize_gain(seat: str | None) -> dict[str, object]:
        differences = trial.overall if seat is None else trial.gains[seat]
        interval = trial.compute_interval(differences)
        return {"pairs": differences.count, "gain": differences.mean, "low": interval.low, "high": interval.high}

    return {
        "ruleset": study.spec.target,
        "bots": dict(study.spec.seats),
        "weights": {
            name: {"before": _to_number(value), "after": _to_number(rounds[-1].weights[name]), "seen": is_seen}
            for (name, value), is_seen in zip(study.weights.items(), _parse_flags(rounds), strict=True)
        },
        "rounds": [{"games": r.games, "won": r.won, "before": r.fit.before, "after": r.fit.after} for r in rounds],
        "trial": {
            "all": serialize_gain(None),
            "seats": {s: serialize_gain(s) for s in trial.gains},
            "verdict": trial.verdict,
        },
    }


def _to_number(value: Fraction) -> float | int:
    return value.numerator if value.denominator == 1 else float(value)
