"""Monte Carlo odds, for resolutions with too many positions to enumerate.

Runs the same "odds" program as the exact method, so a resolution begins and ends at the same places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.drafts import DraftEnd, answer_of
from interpreter.runtime.errors import SetupError
from interpreter.runtime.machine import decided_by
from interpreter.tools.odds.outcome_enumeration import CHANCE
from interpreter.tools.odds.outcome_graph import Explorer
from interpreter.tools.odds.probabilities import Policy
from interpreter.tools.odds.resolution_scope import Stop
from interpreter.tools.odds.results import ResolutionOutcome

_LONGEST = 20_000  # limit of rolls and decisions per throw, against endless rules
_WORK = 15_000  # steps of the rules per throw
_LEAST_WORK = 20_000_000  # steps of the rules in all, for small numbers of throws
Decided = tuple[int, int]  # a decision and the side that took it


def sample_outcomes(
    explorer: Explorer, start: Any, begin: Callable[[Any], None], policy: Policy, throws: int
) -> tuple[dict[ResolutionOutcome, int], tuple[Decided, ...], dict[Stop, int]]:
    """Sample the resolution `throws` times: count outcomes, decisions met and stops.

    The dice have a fixed seed of their own, so equal questions get equal answers.
    """
    explorer.work, most_work = 0, max(_LEAST_WORK, throws * _WORK)
    dice = SeededDice(0)
    counted: dict[ResolutionOutcome, int] = {}
    decisions: dict[Decided, None] = {}
    stops: dict[Stop, int] = {}
    for throw in range(throws):
        if throw and explorer.work > most_work:
            break
        state, trail = explorer.run(start, begin, explorer.reach.begin(frozenset()))
        left = _LONGEST
        while (stop := explorer.reach.stop(state, trail)) is None:
            left -= 1
            if not left:
                raise SetupError(
                    "the resolution does not end within {most:,} rolls and decisions, so it has no odds", most=_LONGEST
                )
            if not throw and explorer.work > most_work:
                raise SetupError(
                    "what follows takes more than {most:,} steps of work a single time: it has no odds",
                    most=most_work,
                )
            answer = (
                _throw_once(state, dice)
                if state.pending[0] in CHANCE
                else _decided(explorer, state, policy, dice, decisions)
            )
            state, trail = explorer.follow(state, answer, trail)
        result = explorer.comparison.outcome(state, trail.seen, explorer.returned(state))
        counted[result] = counted.get(result, 0) + 1
        stops[stop] = stops.get(stop, 0) + 1
    return counted, tuple(decisions), stops


def _throw_once(state: Any, dice: SeededDice) -> tuple[Any, ...]:
    sort, name, _, _, source, count, *_ = state.pending
    if sort == "roll":
        return tuple(dice.roll_faces(name, "", source, count))
    left = list(source)
    return tuple(left.pop(dice.roll(len(left))) for _ in range(min(count, len(left))))


def _decided(explorer: Explorer, state: Any, policy: Policy, dice: SeededDice, decisions: dict[Decided, None]) -> Any:
    decisions[(state.pending[0], decided_by(state, state.pending[0], state.pending[1]))] = None
    while True:
        options = Decision(state).raw_options()
        raw = options[0 if policy == "first" else dice.roll(len(options))]
        if isinstance(raw, DraftEnd):
            state.draft = ()
            return answer_of(state, raw)
        if not (raw and raw[0] == "step"):
            return raw
        state.draft = (*state.draft, raw[1])
