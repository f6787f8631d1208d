"""The search tree: which options were tried in which decision, how often, and with what results for the deciding seat.

A node is a decision reached by the same answers, whatever the dice were. Options that are not legal this time are
skipped (open-loop search).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple, TypeVar

from interpreter.players.bots.bot_game import BotDecision
from interpreter.players.bots.option_similarity import sum_in_order

Key = TypeVar("Key")

_MIN_VISITS = 3  # visits before results are used
_MIN_VISITS_TO_SEPARATE = 8  # visits after which two options may be separated permanently
_SEPARATING_ERRORS = 2.0  # standard errors by which two options must differ to be separated
_WIDENING = 2  # progressive widening: visits needed per squared number of tried options
_MAX_REUSED = 3  # options that a node takes over from earlier playouts
_MAX_REUSED_VISITS = 12  # maximum number of visits of an earlier search that count, each for half
_EXPLORATION = 0.1  # exploration constant of the PUCT-like rule, as a share of the range of rewards


class _Lead(NamedTuple):
    """The lead of one edge over another in `visits` with common dice: its mean and its standard error."""

    visits: int
    mean: float
    error: float


@dataclass(slots=True)
class TreeEdge:
    """One option of a decision in the search tree.

    `prior`: its value before any visit, from 0 to 1, which counts as much as `prior_weight` visits. `results`: the
    result of each visit, from 0 to 1; `total`: their sum. `child`: the decision that follows it, None before it is
    first reached.
    """

    prior: float
    prior_weight: float
    results: list[float] = field(default_factory=list)
    total: float = 0.0
    child: TreeNode | None = None

    @property
    def visits(self) -> int:
        """Return the number of visits."""
        return len(self.results)

    def compute_mean(self) -> float:
        """Return the average value for the deciding seat, including the prior."""
        weight = self.visits + self.prior_weight
        return (self.total + self.prior * self.prior_weight) / weight if weight else 0.5

    def record_visit(self, reward: float) -> None:
        """Record the result of one visit, a reward from 0 to 1."""
        self.results.append(reward)
        self.total += reward

    def build_prior(self, other: TreeEdge | None) -> TreeEdge:
        """Return an edge without visits whose prior combines this edge's results with the prior of `other`."""
        prior_weight = min(self.visits, _MAX_REUSED_VISITS) / 2
        prior = self.compute_mean() * prior_weight
        if other is not None:
            prior, prior_weight = prior + other.prior * other.prior_weight, prior_weight + other.prior_weight
        return TreeEdge(prior / prior_weight, prior_weight, child=self.child)

    def compute_lead_over(self, other: TreeEdge, min_standard_errors: float) -> float:
        """Return the mean lead over `other` in the visits with common dice, less `min_standard_errors` standard errors.

        The prior counts as visits too. With too few common visits, return 0.
        """
        count, mean, error = self._compute_lead(other)
        if count < _MIN_VISITS:
            return 0.0
        weight = count + self.prior_weight
        return (mean * count + (self.prior - other.prior) * self.prior_weight) / weight - min_standard_errors * error

    def is_behind(self, other: TreeEdge) -> bool:
        """Return True if further visits are unlikely to show that this edge is better than `other`."""
        count, mean, error = self._compute_lead(other)
        return count >= _MIN_VISITS_TO_SEPARATE and mean + _SEPARATING_ERRORS * error <= 0.0

    def is_ahead(self, other: TreeEdge) -> bool:
        """Return True if this edge is significantly better than `other`."""
        count, mean, error = self._compute_lead(other)
        return count >= _MIN_VISITS_TO_SEPARATE and mean - _SEPARATING_ERRORS * error > 0.0

    def _compute_lead(self, other: TreeEdge) -> _Lead:
        """Return the lead over `other` in the visits with common dice."""
        leads = [a - b for a, b in zip(self.results, other.results, strict=False)]
        count = len(leads)
        if count < 2:
            return _Lead(count, sum_in_order(leads), 0.0)
        mean = sum_in_order(leads) / count
        return _Lead(count, mean, sqrt(sum_in_order((lead - mean) ** 2 for lead in leads) / (count - 1) / count))


@dataclass(slots=True)
class TreeNode:
    """A decision in the search tree, identified by seat, address and side; `edges`: its options by key."""

    seat: str
    address: str
    side: str
    visits: int = 0
    edges: dict[Any, TreeEdge] = field(default_factory=dict)

    def matches_decision(self, decision: BotDecision) -> bool:
        """Return whether a decision is the one of this node: same seat, address and side."""
        return (self.seat, self.address, self.side) == (decision.seat, decision.address, decision.side)

    def select_option(self, legal: Sequence[Key]) -> Key | None:
        """Return the legal option to try next by a PUCT-like rule, or None if none of them has an edge.

        `legal`: option keys. Only square roots are used, so that the result is the same on every machine.
        """
        best_key, most = None, float("-inf")
        exploration = _EXPLORATION * sqrt(self.visits + 1)
        for key in legal:
            edge = self.edges.get(key)
            if edge is not None:
                value = edge.compute_mean() + exploration / (1 + edge.visits)
                if value > most:
                    best_key, most = key, value
        return best_key

    def should_widen(self, legal: Sequence[Any]) -> bool:
        """Return whether to try a new option, because few were tried for the number of visits (progressive widening).

        `legal`: the keys of the legal options.
        """
        tried = sum(1 for key in legal if key in self.edges)
        return tried < len(legal) and _WIDENING * tried * tried <= self.visits

    def reuse_edges(self, previous: TreeNode, legal: Sequence[Any]) -> None:
        """Reuse the best edges of `previous`, a node of an earlier search, as priors; the best becomes the favorite.

        So a plan is continued even if its next step gains nothing by itself.
        """
        tried = [key for key in legal if key in previous.edges and previous.edges[key].visits]
        keys = sorted(tried, key=lambda key: -previous.edges[key].compute_mean())
        for key in keys[:_MAX_REUSED]:
            self.edges[key] = previous.edges[key].build_prior(self.edges.get(key))
        reliable = [key for key in keys[:_MAX_REUSED] if previous.edges[key].visits > _MIN_VISITS]
        if reliable:
            self.edges = {reliable[0]: self.edges.pop(reliable[0])} | self.edges

    def list_undecided(self, candidates: Sequence[Any]) -> list[Any]:
        """Return the candidates that may still be best, the favorite first.

        `candidates`: the keys of the candidates, the favorite first. A significantly better candidate becomes the
        favorite.
        """
        first = candidates[0]
        for key in candidates[1:]:
            if self.edges[key].is_ahead(self.edges[first]):
                first = key
        if first != candidates[0]:
            self.edges = {first: self.edges.pop(first)} | self.edges
        favourite = self.edges[first]
        return [first, *(key for key in candidates if key != first and not self.edges[key].is_behind(favourite))]

    def choose_option(self, min_standard_errors: float) -> object:
        """Return the key of the option to choose: the favorite, or one that is significantly better.

        That is the option with the largest lead over the favorite after subtracting `min_standard_errors` standard
        errors.
        """
        best_key = next(iter(self.edges))
        favourite, most = self.edges[best_key], 0.0
        for key, edge in self.edges.items():
            lead = edge.compute_lead_over(favourite, min_standard_errors) if edge is not favourite else 0.0
            if lead > most:
                best_key, most = key, lead
        return best_key
