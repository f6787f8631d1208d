"""Measure what each heuristic of the bots is worth: the bot without it plays the whole bot.

    python -m tests.soak.ablation greedy napoleon FOLDER --seconds 25
    python -m tests.soak.ablation search:24 FOLDER --only mast,plans

Games come in pairs with one seed and exchanged sides (common random numbers). A row of the table shows the share of
the points of the bot *without* the heuristic with its 95 % Wilson interval, the mean lead in the evaluation at the ends
of a pair with its 95 % interval, and how much processor time a decision takes without it, relative to the whole bot.
A share below 50 % says that the heuristic pays.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from time import process_time
from typing import Any
from unittest.mock import patch

from interpreter.api.game import Rules, load
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.bots import greedy, option_evaluation
from interpreter.players.bots.evaluation import EvaluationCache, evaluate_seats
from interpreter.players.bots.greedy import GreedyPlayer, SeriesMemory, SeriesStack
from interpreter.players.bots.mast import MastTable, identify_answer
from interpreter.players.bots.option_evaluation import BestReply, LookaheadConfig, OptionEvaluator
from interpreter.players.bots.registry import parse_budget
from interpreter.players.bots.search import mcts_player
from interpreter.players.bots.search.mcts_player import ROOT_LOOKAHEAD, MctsPlayer, SearchBudget
from interpreter.players.bots.search.mcts_tree import TreeNode
from interpreter.players.bots.search.rollout_policy import RolloutPolicy
from interpreter.players.ownership import list_seats
from interpreter.runtime.dice import SeededDice
from interpreter.simulation.games import list_winners
from interpreter.simulation.seeds import derive_game_seed
from tests.soak.opponents import MOST_DECISIONS, mean_and_reach, wilson

Patch = tuple[Any, str, Any]


@dataclass(frozen=True)
class Heuristic:
    """One heuristic: how to switch it off, by patches of its code and by values of the bot's configuration."""

    patches: tuple[Patch, ...] = ()
    care: Mapping[str, Any] = field(default_factory=dict)
    budget: Mapping[str, Any] = field(default_factory=dict)
    playout: Mapping[str, Any] = field(default_factory=dict)


def _spread(keys: Sequence[Any], seen: Mapping[int, float], most: int) -> list[int]:
    """Return untried options at equal distances, whatever their parts."""
    left = [number for number in range(len(keys)) if number not in seen]
    return left if len(left) <= most else [left[place * len(left) // most] for place in range(most)]


def _first_reply(game: Game, outer: Any, seat: str, seed: int, inner: Any) -> BestReply:
    """Return a quick reply without lookahead."""
    assert game.decision is not None
    return BestReply(game.count() - 1 if game.decision.may_end else SeededDice(seed).roll(game.count()))


_GET_MEMORY = SeriesStack.get_memory


def _forgetful(stack: SeriesStack, game: Game) -> SeriesMemory:
    """Open the memory of a repeated decision without what it remembers."""
    memory = _GET_MEMORY(stack, game)
    memory.gains.clear()
    memory.replies.clear()
    return memory


def _any_answer(table: MastTable, decision: Any, count: int, tries: int, chance: SeededDice) -> Any:
    number = chance.roll(count)
    return number, identify_answer(decision, decision.list_raw_options()[number])


def _quick_rollout(policy: RolloutPolicy, game: Game, keys: Sequence[Any], looks: int, chance: SeededDice) -> int:
    assert game.decision is not None
    return game.count() - 1 if game.decision.may_end else chance.roll(len(keys))


GREEDY: dict[str, Heuristic] = {
    "similarity": Heuristic(
        ((greedy, "find_similar_options", _spread), (option_evaluation, "find_similar_options", _spread))
    ),
    "retests": Heuristic(care={"repeats": 0}),
    "closer": Heuristic(((OptionEvaluator, "_repeat_deeper", lambda self, one: setattr(one, "is_exhaustive", True)),)),
    "replies": Heuristic(((option_evaluation, "find_best_reply", _first_reply),)),
    "memory": Heuristic(((SeriesStack, "get_memory", _forgetful),)),
    "again": Heuristic(care={"reevaluated": 0}),
    "probe": Heuristic(((SeriesStack, "may_pay_off", lambda self, address: False),)),
    "patience": Heuristic(((SeriesStack, "may_pay_off", lambda self, address: True),)),
    "planned": Heuristic(((SeriesStack, "plan_replies", lambda self, replies, is_committed: None),)),
    "cache": Heuristic(((EvaluationCache, "copy_for_lookahead", lambda self, game: game.trial(SeededDice(0))),)),
}
SEARCH: dict[str, Heuristic] = {
    "mast": Heuristic(((MastTable, "pick", _any_answer),)),
    "lazy": Heuristic(playout={"end_percentage": 0}),
    "rollouts": Heuristic(((RolloutPolicy, "pick", _quick_rollout),)),
    "widening": Heuristic(
        ((TreeNode, "should_widen", lambda self, legal: any(key not in self.edges for key in legal)),)
    ),
    "halving": Heuristic(budget={"halving": False}),
    "elimination": Heuristic(((TreeNode, "list_undecided", lambda self, live: list(live)),)),
    "strata": Heuristic(((mcts_player, "StratifiedDice", lambda seed, number: SeededDice(seed + number)),)),
    "plans": Heuristic(((TreeNode, "reuse_edges", lambda self, previous, legal: None),)),
    "margin": Heuristic(budget={"margin": float("inf")}),
    "prior": Heuristic(budget={"prior_weight": 0.01}),
    "doubt": Heuristic(budget={"min_standard_errors": 0.0}),
    "care": Heuristic(care={"max_replies": 3, "repeats": 2, "max_replies_to_best": 6}),
}


@dataclass
class AblatedBot:
    """A bot whose code is patched while it chooses."""

    bot: Bot
    patches: Sequence[Patch]

    def choose(self, game: Game) -> int:
        """Return the choice of the bot without the heuristic."""
        with _patched(self.patches):
            return self.bot.choose(game)


@contextmanager
def _patched(patches: Sequence[Patch]) -> Iterator[None]:
    with ExitStack() as stack:
        for owner, name, other in patches:
            stack.enter_context(patch.object(owner, name, other))
        yield


def make_bot(name: str, seat: str, seed: int, without: Heuristic = Heuristic()) -> Bot:
    """Return a bot without a heuristic."""
    if name == "greedy":
        bot: Bot = GreedyPlayer(seat, seed, replace(LookaheadConfig(), **without.care))
    else:
        budget: SearchBudget = replace(parse_budget(name), **without.budget)
        budget = replace(budget, playout=replace(budget.playout, **without.playout))
        bot = MctsPlayer(seat, seed, budget, replace(ROOT_LOOKAHEAD, **without.care))
    return AblatedBot(bot, without.patches) if without.patches else bot


@dataclass
class Result:
    """Games of one bot without a heuristic: points, games, margins of pairs, seconds and decisions of both bots."""

    points: float = 0.0
    games: int = 0
    margins: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    asked: list[int] = field(default_factory=lambda: [0, 0])

    def row(self, game: str, name: str) -> str:
        """Return the row of the table."""
        low, high = wilson(self.points, self.games)
        mean, reach = mean_and_reach(self.margins)
        cost = (self.seconds[0] / max(1, self.asked[0])) / (self.seconds[1] / max(1, self.asked[1]))
        share = f"{100 * self.points / self.games:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
        return f"| {name} | {game} | {self.games} | {share} | {mean:+.1f} ± {reach:.1f} | {cost:.2f} |"


def measure(rules: Rules, bot: str, without: Heuristic, seconds: float, seed: int) -> Result:
    """Play pairs of games until the processor time is used up."""
    result, start, number = Result(), process_time(), 0
    seats = list_seats(rules.start(seed=0))
    while process_time() - start < seconds:
        margin = 0.0
        for own, foe in (seats, seats[::-1]):
            dice = derive_game_seed(seed, number)
            game = rules.start(seed=dice, record=False)
            bots = {own: make_bot(bot, own, dice + 1, without), foe: make_bot(bot, foe, dice + 1)}
            _play(game, bots, own, result)
            winners = list_winners(game)
            result.points += (1 + (own in winners) - (foe in winners)) / 2
            result.games += 1
            mine, theirs = evaluate_seats(game, (own, foe))
            margin += mine - theirs
        result.margins.append(margin)
        number += 1
    return result


def _play(game: Game, bots: Mapping[str, Bot], own: str, result: Result) -> None:
    for _ in range(MOST_DECISIONS):
        if game.over or game.decision is None:
            return
        seat = game.decision.seat
        start = process_time()
        number = bots[seat].choose(game)
        result.seconds[seat != own] += process_time() - start
        result.asked[seat != own] += 1
        game.pick(number)


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot", help="greedy, search, or search:N")
    parser.add_argument("rulesets", nargs="+")
    parser.add_argument("--only", default="", help="heuristics, separated by commas (default: all of the bot)")
    parser.add_argument("--seconds", type=float, default=20.0, help="processor seconds per row (default: 20)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    known = GREEDY if arguments.bot == "greedy" else SEARCH
    print("| without | ruleset | games | points | evaluation of a pair | time |\n|---|---|---|---|---|---|")
    for target in arguments.rulesets:
        rules = load(target)
        for name in arguments.only.split(",") if arguments.only else known:
            result = measure(rules, arguments.bot, known[name], arguments.seconds, arguments.seed)
            print(result.row(rules.id, name), flush=True)


if __name__ == "__main__":
    main()
