"""Random games of the hex game, checked for broken invariants after every choice.

No piece is in two places; at the end of a move, a combat or a recovery no hex holds more than the stacking rules
allow, nor both sides; every piece that leaves the map was reported lost. Every game is replayed from its own choices
to the same hash. Run by hand: python -m tests.soak.invariants [--games N] [--seed N] [--replay K]
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from interpreter.api.game import Game, Rules, load
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.log_entries import LoggedReport

SETTLED = {"set_up", "preparation", "order", "formation", "movement", "combat", "breach", "chief", "recovery"}
LOSSES = {"destroyed": "u", "leader_lost": "l"}
MOST = 20_000


class Broken(AssertionError):
    """A broken invariant."""


def unknown_names(rules: Rules) -> set[str]:
    """Return the names in this file that the rules do not declare: the watch would silently skip them."""
    data = rules.program.data
    return (SETTLED - {d["name"] for d in data["decisions"]}) | (LOSSES.keys() - data["events"].keys())


class Watch:
    """The invariants of one game, checked after every choice. Reads only ids that every player may read."""

    def __init__(self, game: Game) -> None:
        program = game.program
        self.game = game
        self.place_ids = program.ids["place"]
        self.piece_ids = program.ids["piece"]
        kinds = program.kinds["piece"]["things"]
        self.units = [n for n, thing in enumerate(kinds) if thing["cls"] == "unit"]
        self.arms = [program.ids["arm"][a] if a is not None else "" for a in program.constants[("piece", "arm")]]
        self.seen = len(game.get_raw_log())
        self.on_map = self._standing()

    def side(self, piece: int) -> Any:
        slot = self.game.program.slot_of.get(("piece", "side"))
        if slot is not None:
            return getattr(self.game.state, slot)[piece]
        return self.game.program.get_constant(piece, "side")

    def _standing(self) -> set[int]:
        state = self.game.state
        return {n for n, place in enumerate(state.at) if self.game.program.on_map[place]}

    def look(self) -> None:
        """Raise Broken if an invariant does not hold now."""
        self._places()
        self._losses()
        decision = self.game.decision
        if decision is not None and decision.name in SETTLED:
            self._stacks()

    def _places(self) -> None:
        state = self.game.state
        found = Counter(piece for here in state.occ for piece in here)
        double = [self.piece_ids[p] for p, n in found.items() if n != 1]
        if double or len(found) != len(state.at):
            raise Broken(f"in two places or nowhere: {double}")
        wrong = [self.piece_ids[p] for place, here in enumerate(state.occ) for p in here if state.at[p] != place]
        if wrong:
            raise Broken(f"counted in one place, standing in another: {wrong}")

    def _losses(self) -> None:
        now = self._standing()
        log = self.game.get_raw_log()
        told = set()
        for raw in log[self.seen :]:
            if isinstance(raw, LoggedReport) and raw.event in LOSSES:
                told.add(raw.args[0])
        self.seen = len(log)
        silent = [self.piece_ids[p] for p in self.on_map - now if p not in told]
        if silent:
            raise Broken(f"gone without a word: {silent}")
        self.on_map = now

    def _stacks(self) -> None:
        state = self.game.state
        for place, here in enumerate(state.occ):
            if not self.game.program.on_map[place]:
                continue
            units = [p for p in here if p in self.units]
            if len({self.side(p) for p in units}) > 1:
                raise Broken(f"both sides stand in {self.place_ids[place]}")
            arms = sorted(self.arms[p] for p in units)
            if len(arms) > 1 and arms not in (["artillery", "dragoons"], ["artillery", "infantry"]):
                raise Broken(f"over-stacked: {self.place_ids[place]} holds {[self.piece_ids[p] for p in units]}")


def start(rules: Rules, seed: int) -> Game:
    """Start a game with random options."""
    chance = SeededDice(seed + 5_000_000)
    options = [o["id"] for o in rules.program.data["options"] if o["type"] == "flag" and chance.roll(2)]
    return rules.start(options=options, seed=seed)


def play(rules: Rules, seed: int, replay: bool) -> tuple[int, int, str]:
    """Play one game to its end; return decisions, last turn and result. Raise Broken if an invariant fails."""
    game = start(rules, seed)
    watch, choices, count = Watch(game), SeededDice(seed + 1_000_000), 0
    while not game.over and count < MOST:
        options = game.count()
        game.pick(choices.roll(options) if options > 1 else 0)
        count += 1
        watch.look()
    if not game.over:
        raise Broken(f"not over after {MOST} decisions")
    if replay:
        again = start(rules, seed)
        for key in game.keys:
            again.choose(key)
        if again.hash() != game.hash():
            raise Broken("a replay ends in another position")
    outcome = game.outcome
    return count, game.turn, str(outcome.level if outcome else None)


def main() -> None:
    """Play the games and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--replay", type=int, default=5, help="replay every K-th game")
    given = arguments.parse_args()
    rules = load("denain-1712")
    if unknown := unknown_names(rules):
        raise SystemExit(f"the rules have no such decision or event: {', '.join(sorted(unknown))}")
    decisions, broken = 0, 0
    turns: Counter[int] = Counter()
    levels: Counter[str] = Counter()
    replayed = 0
    for seed in range(given.seed, given.seed + given.games):
        try:
            again = (seed - given.seed) % given.replay == 0
            count, turn, level = play(rules, seed, again)
        except Broken as found:
            broken += 1
            print(f"seed {seed}: {found}")
            continue
        replayed += again
        decisions += count
        turns[turn] += 1
        levels[level] += 1
    print(f"{given.games} games, {decisions} decisions, {replayed} replayed to the same hash, {broken} broken")
    print("last turns:", dict(sorted(turns.items())))
    print("ends:", dict(sorted(levels.items())))


if __name__ == "__main__":
    main()
