"""Strength of the bots: duels of paired games with sides exchanged.

    python -m tests.soak.opponents                                    # every duel, both games; takes hours
    python -m tests.soak.opponents napoleon greedy random -n 40
    python -m tests.soak.opponents denain-1712 search:50 greedy -n 10

A pair is one seed played twice, each bot once on each side, because the sides need not be equally strong. Printed are
the games, with a 95 % Wilson interval for the share of the points and the Elo difference it corresponds to; the pairs,
won by the bot with more wins, or with the better evaluation at the ends of both games if each won one; the mean of
that evaluation over pairs, which shows sooner than games won which bot is better; and the time each bot took. Equal
arguments give equal games, except for bots that think by the clock.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log10, sqrt
from time import perf_counter

from interpreter.api.game import Rules, load
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.registry import check_player_name, make_bots
from interpreter.players.ownership import list_seats
from interpreter.simulation.games import list_winners
from interpreter.simulation.seeds import derive_game_seed

DUELS = (("greedy", "random"), ("search", "greedy"), ("search", "random"))
RULESETS = ("napoleon", "denain-1712")
MOST_DECISIONS = 4000  # a longer game counts as a draw


@dataclass
class Tally:
    """Games and pairs from the first bot's view: won, drawn, lost; its games by seat; decisions and seconds.

    `margins` holds for each pair the value of the ends of both games to that bot.
    """

    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0])
    margins: list[float] = field(default_factory=list)
    seats: dict[str, list[int]] = field(default_factory=dict)
    asked: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])


def duel(rules: Rules, one: str, other: str, pairs: int, seed: int = 0) -> Iterator[Tally]:
    """Play pairs of games; yield the tally after each."""
    seats = list_seats(rules.start(seed=0))
    if len(seats) != 2:
        raise SystemExit(f"a duel needs two seats; {rules.id} has {', '.join(seats)}")
    tally = Tally(seats={seat: [0, 0, 0] for seat in seats})
    for number in range(pairs):
        points, better = 0, 0.0
        for own, foe in (seats, seats[::-1]):
            result, worth = one_game(rules, (own, one), (foe, other), derive_game_seed(seed, number), tally)
            tally.games[1 - result] += 1
            tally.seats[own][1 - result] += 1
            points += result
            better += worth
        tally.margins.append(better)
        verdict = points or better
        tally.pairs[0 if verdict > 0 else 2 if verdict < 0 else 1] += 1
        yield tally


def one_game(rules: Rules, own: tuple[str, str], foe: tuple[str, str], seed: int, tally: Tally) -> tuple[int, float]:
    """Return 1, 0 or -1 for the first bot, and the value of the end to it; add the time to the tally."""
    game = rules.start(seed=seed, record=False)
    bots = make_bots(dict([own, foe]), seed)
    for _ in range(MOST_DECISIONS):
        if game.over:
            break
        assert game.decision is not None
        seat = game.decision.seat
        who = 0 if seat == own[0] else 1
        start = perf_counter()
        number = bots[seat].choose(game)
        tally.seconds[who] += perf_counter() - start
        tally.asked[who] += 1
        game.pick(number)
    winners = list_winners(game)
    return (own[0] in winners) - (foe[0] in winners), evaluate_seats(game, (own[0],))[0]


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval for a share of points."""
    z = 1.96
    share, extra = points / games, z * z / games
    middle, reach = share + extra / 2, z * sqrt(share * (1 - share) / games + extra / games / 4)
    return (middle - reach) / (1 + extra), (middle + reach) / (1 + extra)


def mean_and_reach(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and the half-width of its 95 % interval."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, float("inf")
    return mean, 1.96 * sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def elo(share: float) -> float:
    """Return the Elo difference that corresponds to a share of the points."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return 400 * log10(share / (1 - share))


def report(name: str, one: str, other: str, tally: Tally) -> str:
    """Return one paragraph about a duel."""
    lines = [f"{name}: {one} against {other}"]
    for what, (won, drawn, lost) in (("games", tally.games), ("pairs", tally.pairs)):
        count = won + drawn + lost
        points = won + drawn / 2
        low, high = wilson(points, count)
        lines.append(
            f"  {what}: won {won}, drawn {drawn}, lost {lost}: {100 * points / count:.0f} % "
            f"[{100 * low:.0f}, {100 * high:.0f}], Elo {elo(points / count):+.0f} "
            f"[{elo(low):+.0f}, {elo(high):+.0f}]"
        )
    mean, reach = mean_and_reach(tally.margins)
    lines.append(
        f"  a pair, by evaluation at the ends: {mean:+.0f} [{mean - reach:+.0f}, {mean + reach:+.0f}], "
        f"better in {sum(m > 0 for m in tally.margins)} of {len(tally.margins)}"
    )
    for seat, (won, drawn, lost) in tally.seats.items():
        lines.append(f"  as {seat}: won {won}, drawn {drawn}, lost {lost}")
    for player, asked, seconds in zip((one, other), tally.asked, tally.seconds, strict=True):
        lines.append(f"  {player}: {1000 * seconds / max(asked, 1):.1f} ms a decision")
    return "\n".join(lines)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="?")
    parser.add_argument("bots", nargs="*", metavar="BOT")
    parser.add_argument("-n", type=int, default=20, help="pairs of games (default: 20)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0, help="begin no further pair after so long")
    arguments = parser.parse_args(given)
    if len(arguments.bots) not in (0, 2):
        parser.error("name two bots, or none")
    for bot in arguments.bots:
        if fault := check_player_name(bot, ("random", "greedy", "search")):
            parser.error(fault)
    for name in (arguments.ruleset,) if arguments.ruleset else RULESETS:
        rules = load(name)
        for one, other in (tuple(arguments.bots),) if arguments.bots else DUELS:
            start = perf_counter()
            tally = Tally()
            for tally in duel(rules, one, other, arguments.n, arguments.seed):  # noqa: B007 - the last one is told
                if arguments.seconds and perf_counter() - start > arguments.seconds:
                    break
            print(report(name, one, other, tally), flush=True)


if __name__ == "__main__":
    main()
