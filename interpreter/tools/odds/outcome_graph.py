"""Graph of all positions that a resolution can reach: rolls, decisions and ends, with its exact probabilities.

The program suspends at each roll; every possible outcome is fed in, and positions with equal continuations are merged
(transpositions). Deterministic; works on copies, so the game is unchanged. Shares of outcomes, and bounds over all
decisions, are computed with exact fractions and run no rules.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from interpreter.runtime import machine
from interpreter.runtime.log_entries import LogEntry, LoggedReport, measure_entry
from interpreter.runtime.pending import PendingChance, PendingClose, get_pending_decision
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.type_aliases import handle_of
from interpreter.tools.odds.outcome_enumeration import TooManyOutcomesError, iter_answers, iter_outcomes
from interpreter.tools.odds.resolution_scope import ExecutionSummary, Lookahead, ResolutionScope, Stop
from interpreter.tools.odds.results import Comparison, ResolutionOutcome, Seen

if TYPE_CHECKING:
    from interpreter.runtime.program import Program
    from interpreter.runtime.type_aliases import Value

Policy = Literal["uniform", "first"]  # how decisions inside are taken: at random, or always the first option


@dataclass(frozen=True, slots=True)
class EndNode:
    """An end of the resolution: the index of its outcome, and the reason for the stop."""

    outcome: int
    stop: Stop


@dataclass(frozen=True, slots=True)
class ChanceNode:
    """A roll or draw.

    `ways`: (weight, index of the node reached) for each node that an outcome leads to; its probability is the weight
    divided by `total`, the sum of the weights.
    """

    ways: tuple[tuple[int, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A decision of a side.

    `decision`: its number; `side`: the handle of the side; `ways`: the index of the node that each option leads to.
    """

    decision: int
    side: int
    ways: tuple[int, ...]


Node = EndNode | ChanceNode | DecisionNode


@dataclass(frozen=True, slots=True)
class OutcomeGraph:
    """A graph of positions; `nodes[0]` is the start.

    `outcomes`: the distinct outcomes, to which end nodes refer; `order`: the indices of nodes, each after all of its
    successors.
    """

    nodes: tuple[Node, ...]
    outcomes: tuple[ResolutionOutcome, ...]
    order: tuple[int, ...]

    @property
    def is_decided(self) -> bool:
        """Return True if the graph contains a decision."""
        return any(isinstance(node, DecisionNode) for node in self.nodes)


class ResolutionCycleError(Exception):
    """A cycle in the graph: the rules can return to an earlier position, so no outcome is final."""


class NoDice:
    """Dice source for a form that suspends at every roll, so no dice are ever rolled."""

    __slots__ = ()

    def clone(self) -> NoDice:
        """Return this object."""
        return self

    def roll_faces(self, name: str, subject: str, faces: tuple[int, ...], count: int) -> list[int]:
        """Return no faces for a roll without dice (`count` 0); fail for any other roll."""
        if count:
            raise AssertionError(f"the roll `{name}` was not asked for")
        return []


class EventRecorder:
    """Event sink that records which events have happened, each with its first argument, in place of the log.

    Interchangeable pieces count as one piece. `alike`: the piece that represents each interchangeable piece.
    """

    def __init__(self, program: Program, representatives: dict[int, int], seen: frozenset[Seen]) -> None:
        self.seen = set(seen)
        self.hashes = False
        self.text_steps = 0
        self._last: LogEntry | None = None
        self._program = program
        self._representatives = representatives

    def append(self, entry: LogEntry) -> None:
        """Record an event entry; ignore other entries."""
        self._last = entry
        if isinstance(entry, LoggedReport):
            params = self._program.events[entry.event].params
            first = entry.args[0] if params else None
            if params and list(params[0][1]) == ["thing", "piece"]:
                first = self._representatives.get(handle_of(first), first)  # alike pieces count as one
            self.seen.add((entry.event, first))

    def measure_last_entry(self) -> int:
        """Return the number of members in the last appended log entry, as a log does; 0 without one."""
        return 0 if self._last is None else measure_entry(self._last)


_COPY_WORK = 200  # steps, for a copy, its digest and its description
_WORK_PER_POSITION = 1_500  # steps of the rules, for each position that may be looked at
_MIN_WORK = 2_000_000  # steps, however few positions these are


class Explorer:
    """Explorer of outcomes: runs the odds form of a program from position to position and counts the `runs`.

    `answer`: the answer that takes the option in question; `is_call`: the question is about a called procedure instead;
    `most`: the maximum number of positions; `valued`: whether positions are evaluated.
    """

    def __init__(
        self,
        program: Program,
        start: State,
        most: int,
        answer: Value = None,
        is_call: bool = False,
        valued: bool = True,
    ) -> None:
        self.program = program
        self.scope = ResolutionScope(start, is_call, answer, Lookahead(self.try_out, self.get_digest))
        self._try_memo: dict[tuple[bytes, Any], tuple[Any, ExecutionSummary]] = {}
        # memo: the same position is digested several times in a row
        self._last: tuple[Any, Any, bytes] = (None, None, b"")
        self.comparison = Comparison(program, start, valued)
        self.max_positions = most
        self.runs = 0
        self.work = 0
        self.max_work = max(_MIN_WORK, most * _WORK_PER_POSITION)
        marks = program.alike_groups
        members: dict[int, list[int]] = {}
        for piece, is_alike in enumerate(program.is_alike):
            if is_alike:
                members.setdefault(marks[piece], []).append(piece)
        self._groups = [m for m in members.values() if len(m) > 1]
        self.alike = {p: m[0] for m in members.values() for p in m}
        shows = {(k, n): program.kinds[k]["attributes"][n]["show"] for _, k, n, _ in program.columns}
        self._holders = [s for s, k, n, _ in program.columns if "piece" in str(shows[(k, n)])]

    def go_on(self, state: State, answer: Value, trail: ExecutionSummary, key: bytes) -> tuple[State, ExecutionSummary]:
        """Answer the pending decision or chance on a copy, within the budget of runs; return the copy and its trail.

        `trail` and `key`: the trail and the digest of `state`. Raises TooManyOutcomesError if the budget of runs is
        exhausted.
        """
        self.runs += 1
        if self.runs > self.max_positions or self.work > self.max_work:
            raise TooManyOutcomesError
        return self._try_memo.pop((key, answer), None) or self.follow(state, answer, trail)

    def try_out(
        self, state: State, answer: object, trail: ExecutionSummary, key: bytes
    ) -> tuple[State, ExecutionSummary]:
        """Answer the pending decision on a copy, regardless of the budget; return the copy and its trail. Memoized.

        `key`: the digest of `state` and `trail`.
        """
        known = self._try_memo.get((key, answer))
        if known is None:
            known = self._try_memo[key, answer] = self.follow(state, answer, trail)
        return known

    def follow(self, state: State, answer: Value, trail: ExecutionSummary) -> tuple[State, ExecutionSummary]:
        """Answer the pending decision or chance on a copy of the position; return the copy and its trail.

        `trail`: the trail of `state`.
        """
        return self.run(state, lambda new: machine.answer(new, answer), trail)

    def run(
        self, state: State, act: Callable[[State], None], trail: ExecutionSummary
    ) -> tuple[State, ExecutionSummary]:
        """Apply `act` to a copy of the position; return the copy and its trail.

        `trail`: the trail of `state`.
        """
        new = clone_state(state)
        recorder = EventRecorder(self.program, self.alike, trail.events)
        new.log = recorder
        before = new.spent
        act(new)
        self.work += _COPY_WORK + (new.spent - before if new.spent >= before else new.spent - self.program.unspent)
        new.log = None
        new_trail = trail.advance(state, new, frozenset(recorder.seen))
        if isinstance(new.pending, PendingClose) and self.scope.stop(new, new_trail) is None:
            return self.run(new, lambda closed: machine.answer(closed, None), new_trail)
        return new, new_trail

    def grow(self, state: State, trail: ExecutionSummary) -> OutcomeGraph:
        """Build the whole graph from a position.

        Raises TooManyOutcomesError beyond the budget and ResolutionCycleError for a cycle.
        """
        nodes: list[Node | None] = []
        known: dict[tuple[bytes, Stop | None], int] = {}
        ends: dict[int, tuple[Any, ExecutionSummary, Stop]] = {}
        waiting: list[tuple[int, Any, ExecutionSummary, bytes]] = []

        def add_node(state: State, trail: ExecutionSummary) -> int:
            stop = self.scope.stop(state, trail)
            key = (self.get_digest(state, trail, stop is not None), stop)
            if key in known:
                return known[key]
            known[key] = len(nodes)
            nodes.append(None)
            if stop is not None:
                ends[known[key]] = (state, trail, stop)
            else:
                waiting.append((known[key], state, trail, key[0]))
            return known[key]

        add_node(state, trail)
        while waiting:
            node, node_state, node_trail, digest = waiting.pop()
            nodes[node] = self._build_node(node_state, node_trail, digest, add_node)
        outcomes: dict[ResolutionOutcome, int] = {}
        for node, (
            state,
            trail,
            stop,
        ) in ends.items():  # deferred until the graph is complete, because growing may fail
            result = self.comparison.build_outcome(state, trail.events, self.get_result(state))
            nodes[node] = EndNode(outcomes.setdefault(result, len(outcomes)), stop)
        grown = tuple(n for n in nodes if n is not None)
        return OutcomeGraph(grown, tuple(outcomes), _sort_topologically(grown))

    def _build_node(
        self, state: State, trail: ExecutionSummary, key: bytes, add_node: Callable[[State, ExecutionSummary], int]
    ) -> Node:
        pending = state.pending
        if isinstance(pending, PendingChance):
            weights: dict[int, int] = {}
            for faces, weight in iter_outcomes(pending, self.max_positions - self.runs):
                successor = add_node(*self.go_on(state, faces, trail, key))
                weights[successor] = weights.get(successor, 0) + weight
            return ChanceNode(tuple((w, successor) for successor, w in weights.items()), sum(weights.values()))
        decision = get_pending_decision(state)
        side = machine.find_deciding_side(state, decision.number, decision.values)
        return DecisionNode(
            decision.number, side, tuple(add_node(*self.go_on(state, a, trail, key)) for a in iter_answers(state))
        )

    def get_result(self, state: State) -> object:
        """Return the result of the called procedure, or None if the odds are those of an option."""
        return state.ret if self.scope.decision is None else None

    def get_digest(self, state: State, trail: ExecutionSummary, is_end: bool = False) -> bytes:
        """Return a digest of everything that affects the continuation or the reported result.

        Interchangeable pieces that nothing later refers to may swap places. `is_end`: the position is an end, so that
        only the result matters.
        """
        last_state, last_trail, last_digest = self._last
        if last_state is state and last_trail is trail and not is_end:
            return last_digest
        digest = self._compute_digest(state, trail, is_end)
        if not is_end:
            self._last = (state, trail, digest)
        return digest

    def _compute_digest(self, state: State, trail: ExecutionSummary, is_end: bool) -> bytes:
        cls = type(state)
        pending_data: list[Any] = (
            [state.outcome, self.get_result(state)]
            if is_end
            else [
                state.frames,
                state.queue,
                None if state.pending is None else state.pending[:2],
                state.phase,
                state.turn,
                sorted(state.depth.items()),
                state.draft,
                trail.frames_left,
                trail.frames_at_roll,
                trail.phase,
                trail.has_rolled,
                trail.has_closed,
            ]
        )
        places = state.at
        columns = {c: getattr(state, c) for c in cls.columns}
        if self._groups:
            places, columns = self._canonicalize(state, pending_data, places, columns)
        data = [
            places,
            state.seat_of,
            list(columns.values()),
            [getattr(state, g) for g in cls.game],
            pending_data,
            sorted(trail.events, key=repr),
            is_end,
        ]
        try:
            text = marshal.dumps(data, 2)
        except ValueError:
            text = repr(data).encode()
        return blake2b(text, digest_size=16).digest()

    def _canonicalize(
        self, state: State, pending_data: list[Any], places: list[int], columns: dict[str, list[Any]]
    ) -> tuple[list[int], dict[str, Any]]:
        """Return places and columns in which interchangeable pieces are sorted by their values.

        Pieces to which anything else refers keep their places. `pending_data`: what determines the continuation.
        """
        pinned: set[int] = set()
        _collect_integers((pending_data, [getattr(state, g) for g in type(state).game]), pinned)
        for slot in self._holders:
            _collect_integers(columns[slot], pinned)
        names = [s for s, k, _, _ in self.program.columns if k == "piece"]
        piece_columns = [places, *(columns[n] for n in names)]
        rows_of_pieces = list(zip(*piece_columns, strict=True))
        is_copied = False
        for group in self._groups:
            free = [p for p in group if p not in pinned]
            rows = [rows_of_pieces[p] for p in free]
            if len(free) < 2 or rows.count(rows[0]) == len(rows):
                continue
            if not is_copied:
                piece_columns = [list(c) for c in piece_columns]
                is_copied = True
            for p, row in zip(free, _sort_rows(rows), strict=True):
                for column, value in zip(piece_columns, row, strict=True):
                    column[p] = value
        if not is_copied:
            return places, columns
        return piece_columns[0], {**columns, **dict(zip(names, piece_columns[1:], strict=True))}


def _sort_rows(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Sort rows into a fixed order, by their repr if values cannot be compared."""
    try:
        return sorted(rows)
    except TypeError:  # None among numbers
        return sorted(rows, key=repr)


def _collect_integers(value: object, integers: set[int]) -> None:
    """Add every integer inside a value to `integers`, since any of them may be a piece."""
    if isinstance(value, tuple | list):
        for item in value:
            _collect_integers(item, integers)
    elif isinstance(value, int):
        integers.add(value)


def _sort_topologically(nodes: tuple[Node, ...]) -> tuple[int, ...]:
    """Return the nodes in topological order, successors first. Raises ResolutionCycleError for a cycle."""
    try:
        return tuple(
            TopologicalSorter({index: _list_successors(node) for index, node in enumerate(nodes)}).static_order()
        )
    except CycleError:
        raise ResolutionCycleError from None


def _list_successors(node: Node) -> list[int]:
    match node:
        case ChanceNode(ways=ways):
            return [to for _, to in ways]
        case DecisionNode(ways=ways):
            return list(dict.fromkeys(ways))
    return []


def compute_shares(graph: OutcomeGraph, policy: Policy) -> tuple[list[Fraction], dict[Stop, Fraction]]:
    """Return the probability of each outcome, by number, and of each stop.

    `policy`: takes the decisions: the first option, or all options with equal probability.
    """
    reached = [Fraction(0)] * len(graph.nodes)
    reached[0] = Fraction(1)
    shares = [Fraction(0)] * len(graph.outcomes)
    stops: dict[Stop, Fraction] = {}
    for index in reversed(graph.order):
        p = reached[index]
        match graph.nodes[index]:
            case EndNode(outcome=number, stop=stop):
                shares[number] += p
                stops[stop] = stops.get(stop, Fraction(0)) + p
            case ChanceNode(ways=ways, total=total):
                for weight, successor in ways:
                    reached[successor] += p * Fraction(weight, total)
            case DecisionNode(ways=ways):
                chosen = ways[:1] if policy == "first" else ways
                for successor in chosen:
                    reached[successor] += p / len(chosen)
    return shares, stops


def compute_bounds(graph: OutcomeGraph, values: list[Any]) -> tuple[Fraction, Fraction]:
    """Return (maximum, minimum) of the expected value over all ways to make the decisions.

    `values`: the value of each outcome, by its number in the graph.
    """
    most: list[Any] = [None] * len(graph.nodes)
    least: list[Any] = [None] * len(graph.nodes)
    for index in graph.order:
        match graph.nodes[index]:
            case EndNode(outcome=number):
                most[index] = least[index] = values[number]
            case ChanceNode(ways=ways, total=total):
                most[index] = Fraction(sum(w * most[successor] for w, successor in ways)) / total
                least[index] = Fraction(sum(w * least[successor] for w, successor in ways)) / total
            case DecisionNode(ways=ways):
                most[index] = max(most[successor] for successor in ways)
                least[index] = min(least[successor] for successor in ways)
    return Fraction(most[0]), Fraction(least[0])
