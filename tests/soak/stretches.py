"""Advantage of one bot over another in a stretch of the game, which shows sooner than in whole games.

    python -m tests.soak.stretches denain-1712 formation search:48 greedy
    python -m tests.soak.stretches napoleon activity search:96 greedy --games 6 --every 3

A stretch begins at a decision of the given name in a game between two greedy bots, and ends when its consequences are
resolved. The seat that decides is played by the first bot, then by the second, from the same position with the same
dice (see `StratifiedDice`); the other seat is greedy. Printed are the difference between the values of the
position to that seat afterwards, by the ruleset's evaluation, with a 95 % interval, and the time of a decision. It
does not show whether the evaluation leads to victory: for that see `opponents.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from interpreter.api.game import Rules, load
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.lookahead import identify_pending, is_at_rest
from interpreter.players.bots.registry import check_player_name, make_bots
from interpreter.players.bots.search.mcts_player import StratifiedDice
from interpreter.players.ownership import list_seats
from tests.soak.opponents import mean_and_reach


@dataclass
class Clock:
    """The number of a bot's decisions, and the seconds they took."""

    asked: int = 0
    seconds: float = 0.0

    def choose(self, bot: Bot, game: Game) -> int:
        """Return the bot's choice, and count its time."""
        start = perf_counter()
        number = bot.choose(game)
        self.seconds += perf_counter() - start
        self.asked += 1
        return number


@dataclass
class Comparison:
    """The first bot's advantage in each stretch, and the time of both bots."""

    target: list[float] = field(default_factory=list)
    clocks: tuple[Clock, Clock] = field(default_factory=lambda: (Clock(), Clock()))

    def told(self, names: Sequence[str]) -> str:
        """Return the comparison as one line."""
        mean, reach = mean_and_reach(self.target)
        took = ", ".join(
            f"{name} {1000 * clock.seconds / max(1, clock.asked):.0f} ms a decision"
            for name, clock in zip(names, self.clocks, strict=True)
        )
        return f"{len(self.target)} stretches: {mean:+.2f} [{mean - reach:+.2f}, {mean + reach:+.2f}]; {took}"


def positions(rules: Rules, name: str, seed: int, every: int) -> Iterator[Game]:
    """Yield copies of a game between greedy bots, at each `every`th decision of that name."""
    game = rules.start(seed=seed, record=False)
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy"), seed)
    met = 0
    while not game.over:
        decision = game.decision
        assert decision is not None
        if decision.name == name and game.count() > 1:
            met += 1
            if met % every == seed % every:
                yield game.clone()
        game.pick(bots[decision.seat].choose(game))


def stretch(position: Game, player: str, seed: int, clock: Clock) -> float:
    """Play a stretch; return the value of its end to the seat that decides at its start."""
    game = position.trial(StratifiedDice(seed, 0))
    start = identify_pending(game)
    assert position.decision is not None
    seat = position.decision.seat
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy") | {seat: player}, seed)
    while True:
        decision = game.decision
        assert decision is not None
        bot = bots[decision.seat]
        game.pick(clock.choose(bot, game) if decision.seat == seat else bot.choose(game))
        if game.over or is_at_rest(game, start):
            return evaluate_seats(game, (seat,))[0]


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("decision", help="the name of the decision at which stretches begin")
    parser.add_argument("bots", nargs=2, metavar="BOT")
    parser.add_argument("--games", type=int, default=4, help="games that positions are taken from (default: 4)")
    parser.add_argument("--every", type=int, default=5, help="take every so-manieth position (default: 5)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    for bot in arguments.bots:
        if fault := check_player_name(bot, ("random", "greedy", "search")):
            parser.error(fault)
    rules = load(arguments.ruleset)
    found = Comparison()
    for number in range(arguments.seed, arguments.seed + arguments.games):
        for place, position in enumerate(positions(rules, arguments.decision, number, arguments.every)):
            ends = [
                stretch(position, bot, 1000 * number + place, clock)
                for bot, clock in zip(arguments.bots, found.clocks, strict=True)
            ]
            found.target.append(ends[0] - ends[1])
        if not found.target:
            parser.error(f"no decision `{arguments.decision}` was asked in a game of {rules.id}")
        print(found.told(arguments.bots), flush=True)


if __name__ == "__main__":
    main()
