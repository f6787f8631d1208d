"""Monte Carlo odds, for resolutions with too many positions to enumerate.

Runs the same "odds" program as the exact method, so a resolution begins and ends at the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.drafts import DraftEnd, DraftStep, to_answer
from interpreter.runtime.errors import SetupError
from interpreter.runtime.machine import find_deciding_side
from interpreter.runtime.pending import PendingChance, get_pending_decision
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Values, handle_of
from interpreter.tools.odds.outcome_graph import Explorer, Policy
from interpreter.tools.odds.resolution_scope import Stop
from interpreter.tools.odds.results import ResolutionOutcome

_MAX_STEPS = 20_000  # limit of rolls and decisions per throw, against endless rules
_WORK = 15_000  # steps of the rules per throw
_MIN_WORK = 20_000_000  # steps of the rules in all, for small numbers of throws
Decided = tuple[int, int]  # a decision and the side that took it


@dataclass(frozen=True, slots=True)
class OutcomeSample:
    """The results of sampling: how often each outcome and each stop occurred, and the decisions met."""

    outcomes: Mapping[ResolutionOutcome, int]
    stops: Mapping[Stop, int]
    decisions: tuple[Decided, ...]


def sample_outcomes(
    explorer: Explorer, start: State, begin: Callable[[State], None], policy: Policy, throws: int
) -> OutcomeSample:
    """Sample the resolution up to `throws` times.

    `begin`: starts the resolution on a copy of the position `start`; `policy`: takes the decisions inside. The dice
    have their own fixed seed, so equal questions get equal answers. Ends early if it takes too much work; raises
    SetupError if a single sample does not end.
    """
    explorer.work, most_work = 0, max(_MIN_WORK, throws * _WORK)
    dice = SeededDice(0)
    outcome_counts: dict[ResolutionOutcome, int] = {}
    decisions: dict[Decided, None] = {}
    stops: dict[Stop, int] = {}
    for throw in range(throws):
        if throw and explorer.work > most_work:
            break
        state, trail = explorer.run(start, begin, explorer.scope.create_root_trail(frozenset()))
        remaining = _MAX_STEPS
        while (stop := explorer.scope.stop(state, trail)) is None:
            remaining -= 1
            if not remaining:
                raise SetupError(
                    "the resolution does not end within {most:,} rolls and decisions, so it has no odds",
                    most=_MAX_STEPS,
                )
            if not throw and explorer.work > most_work:
                raise SetupError(
                    "what follows takes more than {most:,} steps of work a single time: it has no odds",
                    most=most_work,
                )
            answer = (
                _sample_chance(state.pending, dice)
                if isinstance(state.pending, PendingChance)
                else _decide(state, policy, dice, decisions)
            )
            state, trail = explorer.follow(state, answer, trail)
        result = explorer.comparison.build_outcome(state, trail.events, explorer.get_result(state))
        outcome_counts[result] = outcome_counts.get(result, 0) + 1
        stops[stop] = stops.get(stop, 0) + 1
    return OutcomeSample(outcome_counts, stops, tuple(decisions))


def _sample_chance(pending: PendingChance, dice: SeededDice) -> Values:
    if pending.sort == "roll":
        faces = tuple([handle_of(face) for face in pending.source])
        return tuple(dice.roll_faces(pending.name, "", faces, pending.amount))
    remaining = list(pending.source)
    return tuple(remaining.pop(dice.roll(len(remaining))) for _ in range(min(pending.amount, len(remaining))))


def _decide(state: State, policy: Policy, dice: SeededDice, decisions: dict[Decided, None]) -> object:
    pending = get_pending_decision(state)
    decisions[(pending.number, find_deciding_side(state, pending.number, pending.values))] = None
    while True:
        options = Decision(state).list_raw_options()
        raw = options[0 if policy == "first" else dice.roll(len(options))]
        if isinstance(raw, DraftEnd):
            state.draft = ()
            return to_answer(state, raw)
        if not isinstance(raw, DraftStep):
            return raw
        state.draft = (*state.draft, raw.step)
