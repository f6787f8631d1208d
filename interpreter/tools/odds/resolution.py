"""Compute odds: the results of an option or a procedure, each with its probability.

Runs the rules of play, compiled to suspend at every roll. If there are too many positions, samples by throwing dice
(Monte Carlo) and reports that; branches that were not followed to their end are reported with their probability. Works
on copies and prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.game import Game
from interpreter.play.position_editing import convert_procedure_arguments
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime import machine
from interpreter.runtime.decisions import Option
from interpreter.runtime.drafts import DraftStep, to_answer
from interpreter.runtime.errors import SetupError
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Outcome, handle_of
from interpreter.runtime.value_ids import to_value_id
from interpreter.tools.odds.monte_carlo import Decided, OutcomeSample, sample_outcomes
from interpreter.tools.odds.outcome_enumeration import TooManyOutcomesError
from interpreter.tools.odds.outcome_graph import (
    DecisionNode,
    Explorer,
    NoDice,
    OutcomeGraph,
    Policy,
    ResolutionCycleError,
    compute_bounds,
    compute_shares,
)
from interpreter.tools.odds.resolution_scope import Stop
from interpreter.tools.odds.results import NetChange, ResolutionOutcome, Seen

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.runtime.program import Program

MAX_POSITIONS = 40_000  # positions explored before sampling starts
DEFAULT_THROWS = 2_000
_MAX_BOUNDS = 400_000  # nodes times events up to which bounds are computed without being requested
_ADDED = 2  # samples of each kind that the estimate of Agresti and Coull adds
_NO_EVENTS: frozenset[Seen] = frozenset()


@dataclass(frozen=True, slots=True)
class OddsResult:
    """One distinct result of a resolution.

    `events`: (name, id of the first argument); `ended`: how the game ended, or None; `returned`: the result of a called
    procedure; `outcome`: this result in the program's own values.
    """

    probability: Fraction
    changes: tuple[NetChange, ...]
    events: tuple[tuple[str, Any], ...]
    ended: str | None
    returned: Any
    outcome: ResolutionOutcome


@dataclass(frozen=True, slots=True)
class EventChance:
    """The probability that an event happens at least once with this first argument.

    `first`: the id of the argument; `best` and `worst`: the bounds over all decisions inside (None: unknown); `raw`:
    the event and its argument in the program's own values.
    """

    event: str
    first: Any
    probability: Fraction
    best: Fraction | None
    worst: Fraction | None
    raw: Seen


@dataclass(frozen=True, slots=True)
class Loss:
    """The expected loss of a side (None: unowned): pieces removed if `name` is "", else points of an attribute.

    A gain is a negative loss. `least` and `most` are the bounds over all decisions inside (None: unknown).
    """

    side: str | None
    name: str
    amount: Fraction
    least: Fraction | None
    most: Fraction | None


@dataclass(frozen=True, slots=True)
class SeatEvaluation:
    """The evaluation of a seat before the resolution and its expectation after it.

    `best` and `worst`: the bounds of the expectation over all decisions inside (None: unknown).
    """

    seat: str
    before: Any
    expected: Fraction
    best: Fraction | None
    worst: Fraction | None


@dataclass(frozen=True, slots=True)
class InnerDecision:
    """A decision met inside the resolution: its name and the side that takes the decision."""

    name: str
    side: str


@dataclass(frozen=True, slots=True)
class StopPoint:
    """A point of play at which the computation of odds stops, with its probability.

    `sort`: "decision" (`name` of `side`), "roll" (`name`), "over" (the game), "chosen" (the chosen option has
    finished), "end" (a call). `left_out`: the continuation belongs to the resolution but was not followed.
    """

    sort: str
    name: str
    side: str | None
    left_out: bool
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """The distribution of the results of an option or a procedure.

    `what`: the key of the option, or the call of the procedure. `side`: the side that takes the option, None for a
    procedure. `throws`: 0 if every probability is exact; else probabilities are frequencies in so many throws, see
    `compute_standard_error`. `most`: the limit on positions to explore; `positions`: how many were run. `policy`: takes
    the decisions met inside, which `decisions` lists. `chances`: the probabilities of events. `losses`: the expected
    losses of sides. `values`: the evaluations of seats. `until`: the points at which the computation stops, the
    likeliest first.
    """

    what: str
    side: str | None
    throws: int
    most: int
    positions: int
    policy: Policy
    decisions: tuple[InnerDecision, ...]
    results: tuple[OddsResult, ...]
    chances: tuple[EventChance, ...]
    losses: tuple[Loss, ...]
    values: tuple[SeatEvaluation, ...]
    until: tuple[StopPoint, ...]
    program: Program

    @property
    def exact(self) -> bool:
        """Return True if every probability is exact and every branch was followed to its end."""
        return not self.throws and not self.left_out

    @property
    def left_out(self) -> tuple[StopPoint, ...]:
        """Return the points at which the computation stops although the continuation belongs to the resolution."""
        return tuple(until for until in self.until if until.left_out)

    def compute_standard_error(self, probability: Fraction) -> float:
        """Return the standard error (one sigma) of a sampled probability; 0 if the odds are exact.

        A share of 0 or 1 is not certain either: its error is that of two further samples of each kind (Agresti-Coull).
        """
        if not self.throws:
            return 0.0
        throws = self.throws
        if not 0 < probability < 1:
            throws += 2 * _ADDED
            probability = Fraction(probability * self.throws + _ADDED, throws)
        return sqrt(float(probability * (1 - probability)) / throws)


def compute_option_odds(
    rules: Rules,
    game: Game,
    option: Option | str,
    *,
    policy: Policy = "uniform",
    most: int = MAX_POSITIONS,
    throws: int = DEFAULT_THROWS,
    requested_events: Iterable[str] = (),
    valued: bool = True,
) -> Odds:
    """Compute the odds of an option of the pending decision. Raises SetupError if it cannot be taken.

    `policy` takes the decisions inside. Beyond `most` positions, or too much work for so many, samples `throws` throws
    of the dice instead; with 0 throws raises NoExactOddsError. `requested_events`: names of events whose bounds are
    computed even if that takes long. `valued`: evaluate each seat at every end, which is slow.
    """
    decision = game.decision
    if decision is None:
        why = _("nothing needs to be decided now, so no option can be examined")
        raise SetupError(_("the game is over") if game.over else why)
    typed = option.key if isinstance(option, Option) else option.strip()
    raw = option.raw if isinstance(option, Option) and option.belongs_to(decision) else decision.find(typed)
    if raw is None:
        raise SetupError(_explain_unknown_option(game, typed))
    if isinstance(raw, DraftStep):
        example = decision.options[0].key
        raise SetupError("this is only one step of an answer; give the complete answer, such as `{key}`", key=example)
    key = decision.get_full_key(raw)
    program = rules.form("odds")
    start = _prepare_state(program, game.state)
    answer = to_answer(game.state, raw)
    explorer = Explorer(program, start, most, answer, valued=valued)
    question = _Question(key, decision.side, policy, throws, tuple(requested_events))
    return _compute_odds(explorer, start, lambda state: machine.answer(state, answer), question)


def compute_call_odds(
    rules: Rules,
    game: Game,
    procedure: str,
    arguments: Mapping[str, Any],
    *,
    policy: Policy = "uniform",
    most: int = MAX_POSITIONS,
    throws: int = DEFAULT_THROWS,
    requested_events: Iterable[str] = (),
) -> Odds:
    """Compute the odds of a procedure call in this position. Raises SetupError for an invalid call.

    `arguments` are as for `Game.call`; the other parameters are as for `compute_option_odds`.
    """
    values = convert_procedure_arguments(game.state, procedure, arguments)
    program = rules.form("odds")
    start = _prepare_state(program, game.state)
    start.frames, start.pending = [], None
    explorer = Explorer(program, start, most, is_call=True)
    text = ", ".join(f"{n}={_format_value(v)}" for n, v in arguments.items())
    question = _Question(f"{procedure}({text})", None, policy, throws, tuple(requested_events))
    return _compute_odds(explorer, start, lambda state: machine.call(state, procedure, values), question)


def _format_value(value: object) -> str:
    return "{" + ", ".join(str(v) for v in value) + "}" if isinstance(value, list | tuple) else str(value)


def _explain_unknown_option(game: Game, key: str) -> Message:
    decision = game.decision
    assert decision is not None
    keys = [o.key for o in decision.options]
    reasons = game.why_not(key.partition("(")[0]) if "(" not in key else ()
    hint = _("; {reasons}", reasons=reasons) if reasons else suggest_words(key, keys, all_of_them=len(keys) < 20)
    return _(
        "`{key}` is not an option of `{name}` of {side}{hint}",
        key=key,
        name=decision.name,
        side=decision.side,
        hint=hint,
    )


def _prepare_state(program: Program, state: State) -> State:
    new = transfer_state(program, state)
    new.dice = NoDice()
    new.log = None
    new.draft = ()
    return new


# --- the distribution ------------------------------------------------------------------------------


class NoExactOddsError(Exception):
    """Raised if exact odds take too much work and the limit on throws is 0, which forbids sampling."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about odds; the fields are explained at `Odds` and `compute_option_odds`."""

    what: str
    side: str | None
    policy: Policy
    throws: int
    requested_events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Distribution:
    """The outcomes of a resolution with their probabilities, from its graph, or from samples without one.

    `decisions`: (decision, side) of each decision met; `stops`: the probability of each stop; `throws`: the number of
    samples, 0 if the probabilities are exact.
    """

    weighted: Sequence[tuple[ResolutionOutcome, Fraction]]
    decisions: Sequence[Decided]
    stops: Mapping[Stop, Fraction]
    graph: OutcomeGraph | None
    throws: int = 0


def _compute_odds(explorer: Explorer, start: State, begin: Callable[[State], None], question: _Question) -> Odds:
    """Return the odds from the graph of all positions, or from samples if the graph takes too much work."""
    explorer.comparison.prepare(start)
    try:
        graph = explorer.grow(*explorer.run(start, begin, explorer.scope.create_root_trail(_NO_EVENTS)))
    except (TooManyOutcomesError, ResolutionCycleError) as reason:
        if not question.throws:
            raise NoExactOddsError from reason
        sample = sample_outcomes(explorer, start, begin, question.policy, question.throws)
        return _build_odds(explorer, question, _weigh_sample(sample))
    return _build_odds(explorer, question, _weigh_graph(graph, question.policy))


def _weigh_sample(sample: OutcomeSample) -> _Distribution:
    throws = sum(sample.outcomes.values())
    weighted = [(outcome, Fraction(n, throws)) for outcome, n in sample.outcomes.items()]
    stops = {stop: Fraction(n, throws) for stop, n in sample.stops.items()}
    return _Distribution(weighted, sample.decisions, stops, None, throws)


def _weigh_graph(graph: OutcomeGraph, policy: Policy) -> _Distribution:
    decisions = dict.fromkeys(
        (node.decision, node.side) for node in graph.nodes if isinstance(node, DecisionNode) and len(node.ways) > 1
    )
    shares, stops = compute_shares(graph, policy)
    return _Distribution(list(zip(graph.outcomes, shares, strict=True)), tuple(decisions), stops, graph)


def _build_odds(explorer: Explorer, question: _Question, distribution: _Distribution) -> Odds:
    program, weighted, graph = explorer.program, distribution.weighted, distribution.graph
    decisions = dict.fromkeys(
        InnerDecision(program.decisions[decision].name, program.ids["side"][side])
        for decision, side in distribution.decisions
    )
    return Odds(
        what=question.what,
        side=question.side,
        throws=distribution.throws,
        most=explorer.max_positions,
        positions=explorer.runs,
        policy=question.policy,
        decisions=tuple(decisions),
        results=_merge_outcomes(explorer, weighted),
        chances=_compute_event_chances(program, weighted, graph, question.requested_events),
        losses=_compute_expected_losses(program, weighted, graph),
        values=_compute_expected_values(explorer, weighted, graph),
        until=_merge_stops(program, distribution.stops),
        program=program,
    )


def _merge_stops(program: Program, stops: Mapping[Stop, Fraction]) -> tuple[StopPoint, ...]:
    """Return the points of play at which the computation stops, such as a decision or a roll, likeliest first.

    Points of equal description are merged, impossible ones left out. `stops`: the probability of each stop.
    """
    summed: dict[tuple[str, str, str | None, bool], Fraction] = {}
    for stop, p in stops.items():
        name, side = "", None
        if stop.sort == "decision":
            name, side = str(program.decisions[stop.what].name), program.ids["side"][stop.side]
        elif stop.sort == "roll":
            name = str(stop.what)
        description = stop.sort, name, side, stop.inside
        summed[description] = summed.get(description, Fraction(0)) + p
    rows = sorted(summed.items(), key=lambda row: (-row[1], repr(row[0])))
    return tuple(StopPoint(*description, p) for description, p in rows if p)


def _merge_outcomes(
    explorer: Explorer, weighted: Sequence[tuple[ResolutionOutcome, Fraction]]
) -> tuple[OddsResult, ...]:
    """Return the results, likeliest first, merging outcomes that differ only in unreported values.

    `weighted`: (outcome, probability) pairs.
    """
    program = explorer.program
    summed: dict[Any, Fraction] = {}
    first: dict[Any, ResolutionOutcome] = {}
    for outcome, p in weighted:
        key = (outcome.changes, outcome.events, outcome.ended, outcome.returned)
        summed[key] = summed.get(key, Fraction(0)) + p
        first.setdefault(key, outcome)
    rows = []
    for key, p in summed.items():
        if p:
            o = first[key]
            rows.append(
                OddsResult(
                    p,
                    tuple(explorer.comparison.convert_change(c) for c in o.changes),
                    tuple((e, _get_first_id(program, e, f)) for e, f in o.events),
                    _format_ending(program, o.ended),
                    o.returned,
                    o,
                )
            )
    rows.sort(key=lambda r: (-r.probability, repr(r.outcome)))
    return tuple(rows)


def _compute_event_chances(
    program: Program,
    weighted: Sequence[tuple[ResolutionOutcome, Fraction]],
    graph: OutcomeGraph | None,
    requested_events: tuple[str, ...],
) -> tuple[EventChance, ...]:
    happened: dict[Seen, Fraction] = {}
    for outcome, p in weighted:
        for event in outcome.events:
            happened[event] = happened.get(event, Fraction(0)) + p

    def count_event(outcome: ResolutionOutcome, event: Seen) -> int:
        return int(event in outcome.events)

    chances = []
    for event, p in happened.items():
        bound_count = 0 if event[0] in requested_events else len(happened)
        best, worst = _compute_bounds(graph, partial(count_event, event=event), p, bound_count)
        chances.append(EventChance(event[0], _get_first_id(program, *event), p, best, worst, event))
    return tuple(sorted(chances, key=lambda c: (-c.probability, c.event, repr(c.first))))


def _compute_expected_losses(
    program: Program, weighted: Sequence[tuple[ResolutionOutcome, Fraction]], graph: OutcomeGraph | None
) -> tuple[Loss, ...]:
    total: dict[tuple[int, str], Fraction] = {}
    for outcome, p in weighted:
        for side, name, amount in outcome.losses:
            total[(side, name)] = total.get((side, name), Fraction(0)) + p * Fraction(amount)

    def get_amount(outcome: ResolutionOutcome, side: int, name: str) -> Any:  # noqa: ANN401 - a number of any type
        return next((amount for s, n, amount in outcome.losses if (s, n) == (side, name)), 0)

    losses = []
    for (side, name), amount in sorted(total.items()):
        most, least = _compute_bounds(graph, partial(get_amount, side=side, name=name), amount, len(total))
        if amount or most or least:
            losses.append(Loss(None if side < 0 else program.ids["side"][side], name, amount, least, most))
    return tuple(losses)


def _compute_bounds(
    graph: OutcomeGraph | None, get_value: Callable[[ResolutionOutcome], Any], mean: Fraction, bound_count: int
) -> tuple[Fraction | None, Fraction | None]:
    """Return (best, worst) expected value over the decisions inside.

    `get_value`: returns the value of an outcome; `mean`: the expected value, which is both bounds without a decision;
    `bound_count`: how many bounds are computed in all. Return (None, None) without a graph or if it takes too much
    work.
    """
    if graph is None or len(graph.nodes) * bound_count > _MAX_BOUNDS and graph.is_decided:
        return None, None
    return (
        compute_bounds(graph, [get_value(outcome) for outcome in graph.outcomes]) if graph.is_decided else (mean, mean)
    )


def _compute_expected_values(
    explorer: Explorer, weighted: Sequence[tuple[ResolutionOutcome, Fraction]], graph: OutcomeGraph | None
) -> tuple[SeatEvaluation, ...]:
    comparison = explorer.comparison
    if not comparison.has_values:
        return ()
    before = comparison.build_outcome(comparison.start, _NO_EVENTS).values
    values = []
    for n, seat in enumerate(comparison.seats):
        expected = sum((p * Fraction(o.values[n]) for o, p in weighted), Fraction(0))
        best, worst = (None, None) if graph is None else compute_bounds(graph, [o.values[n] for o in graph.outcomes])
        values.append(SeatEvaluation(explorer.program.ids["seat"][seat], before[n], expected, best, worst))
    return tuple(values)


def _get_first_id(program: Program, event: str, first: object) -> object:
    params = program.events[event].params
    if not params:
        return None
    show = params[0][1]
    if show[0] == "thing" and show[1] == "piece" and program.is_alike[handle_of(first)]:
        return program.get_localizer().get_name_by_handle("piece", handle_of(first))
    return to_value_id(program, show, first)


def _format_ending(program: Program, ended: Outcome | None) -> str | None:
    if ended is None:
        return None
    winner = "draw" if not ended[0] else ", ".join(program.ids["seat"][w] for w in ended[0])
    return winner if ended[1] is None else f"{winner}: {program.level_data[ended[1]]['id']}"
