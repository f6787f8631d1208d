"""A bot that searches a Monte Carlo tree over the decisions of all seats, with stratified dice.

A greedy lookahead selects the candidates. Playouts are divided among them by sequential elimination: candidates that
are clearly worse drop out, so most playouts go to those that are hard to tell apart. The subtree of the chosen answer
is reused in the next decision. Playouts use the bot's own dice: common random numbers (variance reduction), spread
evenly over a series of trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from time import perf_counter
from typing import Any

from interpreter.players.bots.bot_game import BotDecision, BotGame, get_decision, run_with_fallback
from interpreter.players.bots.evaluation import EvaluationCache, evaluate_seats
from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.lookahead import draw_seed, find_end_option
from interpreter.players.bots.mast import MastTable
from interpreter.players.bots.option_evaluation import LookaheadConfig, OptionStats, compute_spread, rank_options
from interpreter.players.bots.search.mcts_tree import TreeEdge, TreeNode
from interpreter.players.bots.search.playouts import Playout, PlayoutConfig, RewardScale
from interpreter.players.bots.search.rollout_policy import RolloutPolicy
from interpreter.players.ownership import list_seats
from interpreter.runtime.dice import Faces, SeededDice
from interpreter.runtime.errors import RuleFault

DEAL = 8  # rounds over which a die is dealt out

_PERSON = b"grognard deal 1"


class StratifiedDice:
    """Dice of one round of the search, stratified so that the rounds of a deal see evenly spread faces.

    A deal is DEAL consecutive rounds. `counter`: the number of dice rolled.
    """

    __slots__ = ("_seed", "_deal", "_place", "_rolled", "counter")

    def __init__(self, seed: int, number: int) -> None:
        self._seed = seed
        self._deal, self._place = divmod(number, DEAL)
        self._rolled: dict[str, int] = {}
        self.counter = 0

    @property
    def deal(self) -> tuple[str, int]:
        """Return the prefix of the texts hashed for this deal, and the index of this round within the deal."""
        return f"{self._seed} {self._deal} ", self._place

    def clone(self) -> StratifiedDice:
        """Return dice that continue with the same faces."""
        twin = StratifiedDice.__new__(StratifiedDice)
        twin._seed, twin._deal, twin._place, twin._rolled = self._seed, self._deal, self._place, dict(self._rolled)
        twin.counter = self.counter
        return twin

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Roll `count` dice by stratified sampling and return their faces.

        `name` identifies the roll; `faces` are the faces of one die. `subject` is ignored because some programs pass ''
        instead of it (those with `quick_dice`), and a bot's choices must not depend on that.
        """
        before = self._rolled.get(name, 0)
        self._rolled[name] = before + count
        self.counter += count
        place, sides = self._place, len(faces)
        return [
            faces[_stratify_die(self._seed, self._deal, name, nth)[place] * sides // (DEAL * 256)]
            for nth in range(before, before + count)
        ]


@lru_cache(maxsize=8192)
def _stratify_die(seed: int, deal: int, name: str, nth: int) -> tuple[int, ...]:
    """Return the result of one die in every round of a deal, as a number below 256 times the number of rounds.

    Each round gets a stratum of its own and a random position in it. `name` identifies the roll, `nth` is the number of
    the die among those of its name.
    """
    roll = f"{seed} {deal} {name}\n\n{nth}"
    digest = blake2b(roll.encode(), digest_size=2 * DEAL, person=_PERSON).digest()
    order = sorted(range(DEAL), key=lambda place: (digest[place], place))
    parts = [0] * DEAL
    for part, place in enumerate(order):
        parts[place] = part * 256 + digest[DEAL + place]
    return tuple(parts)


ROOT_LOOKAHEAD = LookaheadConfig(max_replies=6, max_replies_to_best=12, repeats=4)
_MIN_PLAYOUTS = 4  # playouts that a candidate must be able to have at first
_SPREAD_DECAY = 0.9  # how much of the difference seen in the last decision is expected in this one


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """Budget of a bot's search per decision: at most `playouts`, or `seconds` if that is not 0.

    The `candidates` best options of a greedy lookahead are searched, and the last option, but none that is worse by
    more than `margin` of the spread. The lookahead counts as `prior_weight` playouts. The favorite (the greedy choice,
    or the next step of a plan) is kept until another option is better by `min_standard_errors` standard errors.
    `halving`: from time to time the worse half of the other candidates drops out. `playout`: the settings of playouts.
    """

    playouts: int = 50
    seconds: float = 0.0
    candidates: int = 6
    prior_weight: float = 3.0
    margin: float = 1.0
    min_standard_errors: float = 1.0
    halving: bool = True
    playout: PlayoutConfig = field(default_factory=PlayoutConfig)


class MctsPlayer:
    """Bot that plays one seat by Monte Carlo tree search.

    Deterministic for a given seed if the budget is a number of playouts, not seconds.
    """

    plays_native = True

    def __init__(
        self, seat: str, seed: int, budget: SearchBudget = SearchBudget(), config: LookaheadConfig = ROOT_LOOKAHEAD
    ) -> None:
        self.seat = seat
        self.budget = budget
        self._stream = SeededDice(seed)
        self._greedy = GreedyPlayer(seat, -1 - seed, config)
        self._mast = MastTable()
        self._policy, self._turn = RolloutPolicy(seat), -1  # a policy for one turn: positions change
        self._spread = 1e-6
        self._scale = RewardScale({}, 1.0)
        self._evaluations = EvaluationCache()
        self._next_root: TreeNode | None = None  # the subtree below the last answer

    def choose(self, game: BotGame) -> int:
        """Return the number of the greedy bot's choice, or of an option that the search found significantly better."""
        decision = get_decision(game)
        if game.count() == 1:
            return 0
        start = perf_counter()
        game = self._evaluations.copy_for_lookahead(game)
        if game.turn != self._turn:
            self._policy, self._turn = RolloutPolicy(self.seat), game.turn
        tried, win_bonus = self._greedy.evaluate_options(game)
        self._spread = max(compute_spread(tried), _SPREAD_DECAY * self._spread)
        reused_root = (
            self._next_root if self._next_root is not None and self._next_root.matches_decision(decision) else None
        )
        if reused_root is None:  # rewards of a reused tree are on the scale with which it began
            seats = list_seats(game)
            base = run_with_fallback(game, lambda game: evaluate_seats(game, seats))
            self._scale = RewardScale(dict(zip(seats, base, strict=True)), self._spread)
        keys = decision.list_offers()
        root = self._build_root(decision, keys, rank_options(tried, win_bonus, find_end_option(game)), win_bonus)
        if reused_root is not None:
            root.reuse_edges(reused_root, keys)
        if len(root.edges) > 1:
            self._search(game, root, start)
        key = root.choose_option(self.budget.min_standard_errors)
        self._next_root = root.edges[key].child
        return keys.index(key)

    def _build_root(
        self, decision: BotDecision, keys: Sequence[Any], options: Sequence[OptionStats], win_bonus: float
    ) -> TreeNode:
        """Return the root node with the candidates as edges, the greedy choice first.

        `keys`: the key of each option by number; `options`: their statistics, best first; `win_bonus`: the value of a
        won game.
        """
        budget = self.budget
        most = budget.candidates
        if not budget.seconds:
            most = min(most, max(2, budget.playouts // _MIN_PLAYOUTS))
        least = options[0].compute_mean(win_bonus) - budget.margin * compute_spread(options)
        last = len(keys) - 1
        node = TreeNode(self.seat, decision.address, decision.side)
        for place, stats in enumerate(options):
            if place < most and stats.compute_mean(win_bonus) >= least or stats.number == last:
                reward = self._scale.compute_reward(self.seat, stats.compute_mean(0.0), stats.find_certain_result())
                node.edges[keys[stats.number]] = TreeEdge(reward, budget.prior_weight)
        return node

    def _search(self, game: BotGame, root: TreeNode, start: float) -> None:
        """Run playouts of all candidates with common random numbers until one is left or the budget is spent.

        `start`: the time at which the search began, in seconds. A candidate that is significantly worse than the
        favorite drops out, as does a favorite that is significantly worse than another. From time to time the worse
        half of the remaining options drop out too.
        """
        budget = self.budget
        candidates = list(root.edges)
        rounds = max(1, (len(candidates) - 1).bit_length())
        seed, number = draw_seed(self._stream), 0
        played, halvings = 0, 0
        while len(candidates) > 1:
            share_spent = (
                (perf_counter() - start) / budget.seconds
                if budget.seconds
                else (played + len(candidates)) / budget.playouts
            )
            if share_spent > 1 and played:
                return
            if budget.halving and share_spent * rounds > halvings + 1 and len(candidates) > 2:
                halvings += 1
                rest = sorted(candidates[1:], key=lambda key: -root.edges[key].compute_mean())
                candidates = [candidates[0], *rest[: max(1, len(candidates) // 2 - 1)]]
            chance = draw_seed(self._stream)
            for key in candidates:
                self._run_playout(game.trial(StratifiedDice(seed, number)), SeededDice(chance), root, key)
            played += len(candidates)
            number += 1
            candidates = root.list_undecided(candidates)

    def _run_playout(self, trial: BotGame, chance: SeededDice, root: TreeNode, key: object) -> None:
        """Run one playout of the option `key` of the root; one that ends in a fault of the rules counts as lost."""
        playout = Playout(trial, chance, self._mast, self._policy, self.budget.playout)
        try:
            playout.run(root, key, self._scale)
        except RuleFault:  # it is reported when the game itself reaches it
            root.edges[key].record_visit(0.0)
