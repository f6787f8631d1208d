"""Timeline of a saved game by decision: losses, scores, strengths, and the ends of phases, from a single replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.play.game import Game
from interpreter.players.ownership import find_side_of_thing
from interpreter.players.reports.losses import Strength, compute_strengths, compute_total_loss, list_lost_pieces
from interpreter.players.reports.replay_log import ReplayLog
from interpreter.runtime.log_entries import LoggedChoice


@dataclass(frozen=True, slots=True)
class Chapter:
    """Consecutive decisions of one phase of one turn; `first` and `last` are the numbers of the first and last one."""

    first: int
    last: int
    turn: int
    phase: str | None


@dataclass(frozen=True, slots=True)
class DecisionCost:
    """The effects of one decision: the losses of all sides (`cost`) and the largest change of a score (`swing`)."""

    decision: int
    cost: Fraction
    swing: Fraction


@dataclass(slots=True)
class Timeline:
    """The course of a game: the strength of each side at the start and at the end, and the values in between.

    `losses` counts lost pieces by turn and side; `costs` lists the decisions with losses or changed scores; `scores`
    (by seat) and `pieces` (on the map, by side) have an entry for the start and for each decision; `pieces_seen` holds
    the handles of the pieces that were ever on the map.
    """

    start: Mapping[str, Strength]
    end: Mapping[str, Strength]
    losses: dict[int, dict[str, int]] = field(default_factory=dict)
    costs: list[DecisionCost] = field(default_factory=list)
    scores: list[dict[str, Fraction]] = field(default_factory=list)
    pieces: list[dict[str, int]] = field(default_factory=list)
    pieces_seen: set[int] = field(default_factory=set)


def split_chapters(replay_log: ReplayLog) -> list[Chapter]:
    """Split all decisions into phases."""
    chapters: list[Chapter] = []
    for decision in range(1, replay_log.last + 1):
        moment = replay_log.moments[decision - 1]
        last = chapters[-1] if chapters else None
        if last is not None and (last.turn, last.phase) == (moment.turn, moment.phase):
            chapters[-1] = Chapter(last.first, decision, last.turn, last.phase)
        else:
            chapters.append(Chapter(decision, decision, moment.turn, moment.phase))
    return chapters


def compute_timeline(replay_log: ReplayLog, visit: Callable[[int], None] | None = None) -> Timeline:
    """Compute the timeline by replaying to the end.

    `visit` is called with the number of each decision after it is made, and with 0 at the start.
    """
    replay_log.go_to(0)
    now = compute_strengths(replay_log.game.state)
    course = Timeline(now, now)
    _record_step(course, replay_log.game, now)
    if visit is not None:
        visit(0)
    for decision in range(1, replay_log.last + 1):
        raws = replay_log.list_raw_events(decision - 1, decision)
        _count_losses(course, replay_log, decision)
        before, scores = now, course.scores[-1]
        replay_log.go_to(decision)
        now = compute_strengths(replay_log.game.state)
        _record_step(course, replay_log.game, now)
        led = course.scores[-1]
        swing = max((abs(led[s] - scores.get(s, Fraction())) for s in led), default=Fraction())
        cost = compute_total_loss(before, now)
        if (cost or swing) and any(isinstance(raw, LoggedChoice) for raw in raws):
            course.costs.append(DecisionCost(decision, cost, swing))
        if visit is not None:
            visit(decision)
    course.end = now
    return course


def _count_losses(timeline: Timeline, replay_log: ReplayLog, decision: int) -> None:
    """Add the pieces lost by one decision to the losses of each side in its turn."""
    state = replay_log.game.state
    for piece, _place in list_lost_pieces(replay_log.list_raw_events(decision - 1, decision), state.program):
        side = find_side_of_thing(state, "piece", piece)
        sides = timeline.losses.setdefault(replay_log.moments[decision - 1].turn, {})
        sides[side] = sides.get(side, 0) + 1


def _record_step(timeline: Timeline, game: Game, now: Mapping[str, Strength]) -> None:
    """Append the scores and the pieces of the current step to a timeline."""
    scores, _fault = game.compute_scores()  # on a fault the report continues without scores
    timeline.scores.append(
        {seat: Fraction(score) for seat, score in scores.items() if isinstance(score, int | Fraction)}
    )
    timeline.pieces.append({side: had.pieces for side, had in now.items()})
    timeline.pieces_seen.update(piece for piece, place in enumerate(game.state.at) if game.program.on_map[place])
