"""Playouts: play one game on from a position, first in the tree, then by the rollout policies, and evaluate the end.

A playout has its own dice, never those of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotDecision, BotGame, get_decision, run_with_fallback
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.lookahead import identify_pending, is_at_rest
from interpreter.players.bots.mast import AnswerId, MastTable, identify_answer
from interpreter.players.bots.option_evaluation import classify_ending
from interpreter.players.bots.search.mcts_tree import TreeEdge, TreeNode
from interpreter.players.bots.search.rollout_policy import RolloutPolicy
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import NotNativeError


@dataclass(frozen=True, slots=True)
class PlayoutConfig:
    """Settings of a playout: its end, and its policy for options outside the tree.

    A playout ends when the decision at the root is settled (see `lookahead.is_quiescent`), with the turn, or after
    `max_decisions` decisions. The searching seat uses lookahead: in a new decision it takes the best of `lookaheads`
    sampled options. The other seats use MAST: the best of `mast_samples` sampled options; a repeated decision is ended
    at once with a probability of `end_percentage` percent.
    """

    max_decisions: int = 120
    lookaheads: int = 6
    end_percentage: int = 40
    mast_samples: int = 5


@dataclass(frozen=True, slots=True)
class RewardScale:
    """A scale from values of positions to rewards between 0 and 1; the value at the start has the reward 0.5.

    `base`: the value at the start, by seat. `spread`: a gain that halves the distance to the end of the scale.
    """

    base: Mapping[str, float]
    spread: float

    def compute_reward(self, seat: str, value: float, ended: int) -> float:
        """Return the reward of a position with the value `value` for a seat, from 0 to 1.

        `ended`: WON, LOST or OPEN. A lost game is at most 0.1, a won game at least 0.9.
        """
        gain = value - self.base[seat]
        reward = 0.5 + 0.5 * gain / (self.spread + abs(gain))
        if ended:
            return 0.9 + 0.1 * reward if ended > 0 else 0.1 * reward
        return 0.1 + 0.8 * reward

    def compute_rewards(self, game: BotGame) -> dict[str, float]:
        """Return the reward of a position for each seat, from 0 to 1."""
        seats = list(self.base)
        values = evaluate_seats(game, seats)
        return {s: self.compute_reward(s, w, classify_ending(game, s)) for s, w in zip(seats, values, strict=True)}


@dataclass(slots=True)
class Playout:
    """One playout: the game is played on in `trial`, a copy with its own dice.

    `chance`: the random source of all seats' choices; `mast`: the policy of the other seats (MAST); `policy`: the
    policy of the searching seat; `config`: the settings; `path`: (node, edge) for each step in the tree; `answers`: the
    answers that the MAST table learns.
    """

    trial: BotGame
    chance: SeededDice
    mast: MastTable
    policy: RolloutPolicy
    config: PlayoutConfig
    path: list[tuple[TreeNode, TreeEdge]] = field(default_factory=list)
    answers: list[AnswerId] = field(default_factory=list)

    def run(self, root: TreeNode, first: object, scale: RewardScale) -> None:
        """Play the option `first` of the root and continue to the end; update the tree and the MAST table.

        `scale` converts values to rewards. May raise `RuleFault`.
        """
        turn, start = self.trial.turn, identify_pending(self.trial)
        edge = root.edges[first]
        self.path.append((root, edge))
        self._choose_option(get_decision(self.trial).list_offers().index(first))
        node = self._get_child(edge)
        for _ in range(self.config.max_decisions):
            decision = self._advance_to_decision()
            if decision is None or self.trial.turn != turn or is_at_rest(self.trial, start):
                break
            if node is not None and node.matches_decision(decision):
                node = self._answer_at_node(node, decision)
            else:  # beyond the tree, or chance led elsewhere
                node = None
                self._answer_outside_tree(decision)
        rewards = run_with_fallback(self.trial, scale.compute_rewards)
        for visited_node, visited_edge in self.path:
            visited_node.visits += 1
            visited_edge.record_visit(rewards[visited_node.seat])
        self.mast.learn(self.answers, rewards)

    def _answer_at_node(self, node: TreeNode, decision: BotDecision) -> TreeNode | None:
        """Answer the decision of a node of the tree with an option tried before or a new one.

        Return the next node, or None if the playout leaves the tree.
        """
        keys = decision.list_offers()
        key = None if node.should_widen(keys) else node.select_option(keys)
        number = self._choose_outside_tree(decision) if key is None else keys.index(key)
        edge = node.edges.setdefault(keys[number], TreeEdge(0.5, 0.0))
        self.path.append((node, edge))
        if key is not None and decision.seat != self.path[0][0].seat:
            self.answers.append(identify_answer(decision, key))
        self._choose_option(number)
        return self._get_child(edge) if edge.visits else None

    def _answer_outside_tree(self, decision: BotDecision) -> None:
        """Answer a decision outside the tree."""
        self._choose_option(None if self._draw_early_end(decision) else self._choose_by_policy(decision))

    def _choose_option(self, number: int | None) -> None:
        """Choose option `number`; None ends a repeated decision. If the module cannot do it, continue in Python."""
        try:
            self.trial.end_series() if number is None else self.trial.pick(number)
        except NotNativeError:
            if isinstance(self.trial, Game):
                raise
            self.trial = self.trial.in_python()
            self._choose_option(number)

    def _draw_early_end(self, decision: BotDecision) -> bool:
        """Draw whether to end another seat's repeated decision at once; False for the searching seat."""
        is_opponent = decision.seat != self.path[0][0].seat
        return is_opponent and decision.may_end and self.chance.roll(100) < self.config.end_percentage

    def _choose_outside_tree(self, decision: BotDecision) -> int:
        """Return the number of the option to choose outside the tree, by the policy of the deciding seat.

        Another seat's repeated decision is sometimes ended at once.
        """
        return self.trial.count() - 1 if self._draw_early_end(decision) else self._choose_by_policy(decision)

    def _choose_by_policy(self, decision: BotDecision) -> int:
        """Return the number of the option that a policy chooses: lookahead for the searching seat, MAST for others."""
        if decision.seat == self.path[0][0].seat:
            return self.policy.pick(self.trial, self.config.lookaheads, self.chance)
        number, answer = self.mast.pick(decision, self.trial.count(), self.config.mast_samples, self.chance)
        self.answers.append(answer)
        return number

    def _get_child(self, edge: TreeEdge) -> TreeNode | None:
        """Return the node below an edge, created on the first visit; None if the game is over."""
        decision = self._advance_to_decision()
        if decision is None:
            return None
        if edge.child is None:
            edge.child = TreeNode(decision.seat, decision.address, decision.side)
        return edge.child

    def _advance_to_decision(self) -> BotDecision | None:
        """Advance to the next decision with more than one option and return it; None at the end of the game."""
        decision = self.trial.decision
        while decision is not None and not (decision.may_end or self.trial.count() > 1):
            self._choose_option(0)
            decision = self.trial.decision
        return decision
