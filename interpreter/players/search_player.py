"""A bot that searches: a Monte Carlo tree over the decisions of all seats, dice thrown anew in each playout.

What the greedy look finds is where it starts from. Each playout goes down the tree, where every seat takes what
is best for itself, then on for a number of decisions by short looks, and the position it comes to is judged.
Must not see the dice to come: playouts throw the bot's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from interpreter.players.greedy_player import Care, GreedyPlayer, ending, ranked, spread_of
from interpreter.players.looking import sample
from interpreter.players.search_tree import Edge, Node
from interpreter.players.seating import seats_of
from interpreter.players.worth import worths
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import RuleFault
from interpreter.runtime.session import Game


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot searches for one decision: `playouts`, or `seconds` where that is not 0.

    The `candidates` best options by a greedy look are searched, but none that is worse by more than `margin` of all
    the difference seen there, and that look counts as `faith` playouts. A playout goes `depth` decisions ahead, each
    chosen among `tastes`. The greedy choice stands until another is better by `doubt` standard errors.
    """

    playouts: int = 50
    seconds: float = 0.0
    candidates: int = 6
    depth: int = 16
    tastes: int = 3
    faith: float = 3.0
    margin: float = 0.5
    doubt: float = 1.0


class SearchPlayer:
    """Plays one seat. With a budget in playouts equal seeds choose alike; with one in seconds they need not."""

    __slots__ = ("seat", "budget", "_greedy", "_stream", "_plan", "_seats")

    def __init__(self, seat: str, seed: int, budget: Budget = Budget(), care: Care = Care()) -> None:  # noqa: B008
        self.seat = seat
        self.budget = budget
        self._stream = SeededDice(seed)
        self._greedy = GreedyPlayer(seat, -1 - seed, care)
        self._plan: tuple[Node, Scale] | None = None
        self._seats: list[str] = []

    def choose(self, game: Game) -> int:
        """The number of the greedy choice, or of what the search found to be surely better."""
        if game.count() == 1:
            return 0
        end = perf_counter() + self.budget.seconds
        self._seats = seats_of(game)
        keys = keys_of(game)
        root, scale = self._root(game, keys)
        if len(root.edges) > 1:
            self._search(game, root, scale, end)
        chosen = root.verdict(self.budget.doubt)
        below = root.edges[chosen].leads
        self._plan = None if below is None else (below, scale)
        return keys.index(chosen)

    def _root(self, game: Game, keys: Sequence[Any]) -> tuple[Node, Scale]:
        """A node with the best candidates by a greedy look, and what the last search foresaw about them."""
        decision = game.decision
        assert decision is not None
        node = Node(self.seat, decision.address, decision.side)
        tried, prize = self._greedy.look(game)
        spread = max(spread_of(tried), 1e-6)
        old, scale = self._plan or (None, None)
        if old is None or scale is None or not old.is_like(node):
            old, scale = None, Scale(worths(game, self._seats), 2 * spread)
        own = self._seats.index(self.seat)
        first = ranked(tried, prize)[: self.budget.candidates]
        least = first[0].mean(prize) - self.budget.margin * spread
        for one in first:
            if one.mean(prize) >= least:
                share = scale.share(own, one.mean(0.0), one.fate())
                node.edges[keys[one.number]] = Edge(share, self.budget.faith)
        if old is not None:
            node.learn_from(old)
        return node, scale

    def _search(self, game: Game, root: Node, scale: Scale, end: float) -> None:
        budget = self.budget
        seeds: list[int] = []
        done = 0
        while perf_counter() < end if budget.seconds else done < budget.playouts:
            key = root.next_candidate()
            visit = root.edges[key].visits
            if visit == len(seeds):
                seeds.append(self._draw())
            playout = Playout(game.trial(SeededDice(seeds[visit])), SeededDice(-1 - seeds[visit]), budget, game.depth)
            try:
                judge(playout.trial, playout.run(root, key), self._seats, scale)
            except RuleFault:  # it is told when the game itself comes to it
                root.edges[key].note(0.0)
            done += 1

    def _draw(self) -> int:
        return sum(self._stream.roll(256) << 8 * place for place in range(7))


@dataclass(slots=True)
class Playout:
    """One game on from the root: `trial` has dice of its own, `chance` is for the answers of all seats.

    It ends `depth` decisions on, or later as soon as no procedure deeper than `level` is under way.
    """

    trial: Game
    chance: SeededDice
    budget: Budget
    level: int

    def run(self, root: Node, first: Any) -> list[tuple[Node, Edge]]:
        """Down the tree from an option of the root, then on by short looks; the way through the tree."""
        path = [(root, root.edges[first])]
        trial = self.trial
        trial.pick(keys_of(trial).index(first))
        node = below(trial, root.edges[first])
        for made in range(1, 3 * self.budget.depth):
            pass_single_options(trial)
            decision = trial.decision
            if decision is None or made >= self.budget.depth and trial.depth <= self.level:
                break
            if node is None or not node.is_like(Node(decision.seat, decision.address, decision.side)):
                node = None  # beyond the tree, or chance led elsewhere
                trial.pick(self._taste(decision.seat))
                continue
            number, edge = self._step(node)
            path.append((node, edge))
            trial.pick(number)
            node = below(trial, edge) if edge.visits else None
        return path

    def _step(self, node: Node) -> tuple[int, Edge]:
        """The option of a node to go on with: one tried before, or one more."""
        keys = keys_of(self.trial)
        if not node.wants_more(keys):
            key = node.best(keys)
            if key is not None:
                return keys.index(key), node.edges[key]
        number = self._taste(node.seat)
        return number, node.edges.setdefault(keys[number], Edge(0.5, 0.0))

    def _taste(self, seat: str) -> int:
        """The best of a few options taken by chance, by what they are worth at once."""
        game, chance = self.trial, self.chance
        if self.budget.tastes < 2:
            return chance.roll(game.count())
        best, chosen = float("-inf"), 0
        some = sample(game.count(), self.budget.tastes, chance)
        seed = chance.roll(256)
        first = chance.roll(len(some))
        for number in some[first:] + some[:first]:
            trial = game.trial(SeededDice(seed))
            trial.pick(number)
            worth = worths(trial, (seat,))[0]
            if worth > best:
                best, chosen = worth, number
        return chosen


@dataclass(frozen=True, slots=True)
class Scale:
    """Brings worths of a search between 0 and 1: by how much they differ from those at its start."""

    base: tuple[float, ...]
    spread: float

    def share(self, seat: int, worth: float, ended: int) -> float:
        """From 0 (worst) to 1 (best); a game won is better than any that goes on, one lost worse."""
        more = worth - self.base[seat]
        share = 0.5 + 0.5 * more / (self.spread + abs(more))
        if ended:
            return 0.9 + 0.1 * share if ended > 0 else 0.1 * share
        return 0.1 + 0.8 * share


def judge(trial: Game, path: Sequence[tuple[Node, Edge]], seats: Sequence[str], scale: Scale) -> None:
    """Tell every decision on the way what the end is worth to whoever decided it."""
    found = worths(trial, seats)
    for node, edge in path:
        own = seats.index(node.seat)
        node.visits += 1
        edge.note(scale.share(own, found[own], ending(trial, node.seat)))


def below(trial: Game, edge: Edge) -> Node | None:
    """The node that an option leads to; made when it is first come to."""
    pass_single_options(trial)
    decision = trial.decision
    if decision is None:
        return None
    if edge.leads is None:
        edge.leads = Node(decision.seat, decision.address, decision.side)
    return edge.leads


def pass_single_options(game: Game) -> None:
    """Go on to a decision that has a choice, or to the end."""
    while not game.over and game.count() == 1:
        game.pick(0)


def keys_of(game: Game) -> list[Any]:
    """What the options are known by in a tree: the end of a draft by what tells its offer apart."""
    decision = game.decision
    assert decision is not None
    return [getattr(option, "offer", option) for option in decision.raw_options()]
