"""Slowdown of listing marches and zones of Denain 1712, against a program written for it by hand.

Run by hand: python -m tests.bench.marches [--positions N] [--rounds N] [--play N]
"""

from __future__ import annotations

import argparse
import gc
import statistics
from time import perf_counter
from typing import Any

from interpreter.api.game import Rules, load
from interpreter.backends.python.adhoc_printer import AdhocPrinter
from interpreter.checker.adhoc_expressions import check_expression
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.play.game import Game
from interpreter.runtime import drafts
from interpreter.runtime.dice import SeededDice
from tests.bench.march_by_hand import End, Ground, Position

RULESET = "denain-1712"
FORMATIONS = ("denain_garrison", "centre", "cavalry_group", "right_wing")
FRESH = (0, 0, True, 0, False)  # nothing spent, no hex entered, on the road, no run-up, not halted
Answer = tuple[list[list[int]], list[dict[End, Any]]]


def positions(rules: Rules, number: int) -> list[tuple[Game, int]]:
    """Return positions of seeded games after some random moves, each with the formation whose marches are wanted."""
    out = []
    for n in range(number):
        game, choices = rules.start(seed=n, record=False), SeededDice(n + 1_000_000)
        for _ in range(60 + 90 * (n % 6)):
            if game.over:
                break
            options = game.count()
            game.pick(choices.roll(options) if options > 1 else 0)
        out.append((game, rules.program.handles["formation"][FORMATIONS[n % len(FORMATIONS)]]))
    return out


def members(state: Any, formation: int) -> list[int]:
    """Return the units of a formation that are on the map."""
    program = state.program
    of = program.constants[("piece", "formation")]
    cls = [x["cls"] for x in program.kinds["piece"]["things"]]
    return [u for u, f in enumerate(of) if cls[u] == "unit" and f == formation and program.on_map[state.at[u]]]


def questions(rules: Rules) -> list[Any]:
    """Return compiled expressions for the hexes in enemy zones and flanks, for both sides."""
    assert rules.model is not None
    printer = AdhocPrinter(rules.model, frozenset(rules.program.data["static"]))
    out = []
    for define in ("in_enemy_zone", "in_enemy_flank"):
        for side in rules.program.ids["side"]:
            source = Source("question", f"{{h in places where {define}({side}, h)}}")
            core = check_expression(rules.model, source, Sink())
            assert core is not None
            space = dict(rules.program.namespace)
            for code in printer.compile(core):
                exec(code, space)
            out.append(space["answer"])
    return out


def by_ruleset(state: Any, units: list[int], zones: list[Any]) -> Answer:
    """Return zones and flanks for both sides, and the marches of some units, by the ruleset."""
    march = state.program.drafts["march"]
    price = march.fields.index("spent")
    listed = [
        {offer: 2 * fields[price] for offer, fields in drafts.enumerate_finished(state, march, (u, *FRESH)).ends}
        for u in units
    ]
    return [list(test(state)) for test in zones], listed


def by_program(position: Position, units: list[int]) -> Answer:
    """Return zones and flanks for both sides, and the marches of some units, by the program written by hand."""
    zone, flank = position.zones()
    zones = [sorted(x) for x in (*zone, *flank)]
    return zones, [position.marches(u, zone[position.side[u]]) for u in units]


def measure(rules: Rules, number: int, rounds: int) -> tuple[list[float], float, float]:
    """Return the ratios of the rounds, and the milliseconds of one position by the ruleset and by hand."""
    ground = Ground(rules.program)
    zones = questions(rules)
    found = [(game, Position(ground, game.state), members(game.state, f)) for game, f in positions(rules, number)]
    ratios, slow, fast = [], [], []
    for _ in range(rounds):
        games = [(game.clone().state, units) for game, _, units in found]  # a clone has an empty cache
        hands = [(position.copy(), units) for _, position, units in found]
        gc.collect()
        start = perf_counter()
        mine = [by_ruleset(state, units, zones) for state, units in games]
        middle = perf_counter()
        theirs = [by_program(position, units) for position, units in hands]
        end = perf_counter()
        assert mine == theirs, "the two programs do not find the same marches"
        ratios.append((middle - start) / (end - middle))
        slow.append((middle - start) * 1000 / number)
        fast.append((end - middle) * 1000 / number)
    return ratios, statistics.median(slow), statistics.median(fast)


def play(rules: Rules, games: int) -> float:
    """Return the decisions a second of random play."""
    decisions, start = 0, perf_counter()
    for seed in range(games):
        game, choices = rules.start(seed=seed, record=False), SeededDice(seed + 1_000_000)
        while not game.over:
            options = game.count()
            game.pick(choices.roll(options) if options > 1 else 0)
            decisions += 1
    return decisions / (perf_counter() - start)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--positions", type=int, default=24)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--play", type=int, default=0, metavar="N", help="also play N random games")
    given = arguments.parse_args()
    rules = load(RULESET, checked=True)
    ratios, mine, theirs = measure(rules, given.positions, given.rounds)
    print(
        f"marches and zones: ruleset / by hand, median of {given.rounds}: {statistics.median(ratios):.2f} "
        f"(from {min(ratios):.2f} to {max(ratios):.2f}); a position takes {mine:.2f} and {theirs:.2f} ms"
    )
    if given.play:
        print(f"random play: {play(rules, given.play):,.0f} decisions a second")


if __name__ == "__main__":
    main()
