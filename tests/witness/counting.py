"""Move counts (perft): sequences of choices to a depth from fixed positions, and one whole game of each ruleset.

The figures are kept in `counts.json`. After an intended change of a rule they are recomputed by

    python -m tests.witness.counting

The reason for a change of the figures belongs in the commit message.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from tests.properties.games import GUIDE, RULESETS

FILE = Path(__file__).with_name("counts.json")
GAMES: dict[str, Callable[[], Rules]] = {**RULESETS, **GUIDE}
LONGEST = 3_000  # choices of a whole game
QUICK, MOST = 1_500, 20_000  # sequences that are counted in the suite, and at most
# ruleset -> positions: (scenario, options, choices made before it)
POSITIONS: dict[str, tuple[tuple[str | None, tuple[str, ...], int], ...]] = {
    "napoleon": ((None, (), 0), (None, ("nelson",), 40), (None, ("road_to_paris",), 150)),
    "denain-1712": ((None, (), 0), (None, (), 60), (None, (), 150), (None, (), 400)),
    "skirmish": ((None, (), 0), (None, (), 20)),
    "salt-war": ((None, (), 0), (None, (), 12)),
    "crossroads": ((None, (), 0), (None, (), 12)),
    "two-rivers": ((None, (), 0), (None, (), 9)),
}


def position(name: str, scenario: str | None, options: tuple[str, ...], choices: int) -> Game:
    """Return a game after some choices from its beginning, all of them random from one seed."""
    game = GAMES[name]().start(scenario, options, seed=choices, record=False)
    chooser = SeededDice(choices)
    for _ in range(choices):
        if game.over:
            break
        game.pick(chooser.roll(game.count()))
    return game


def sequences(game: Game, depth: int) -> int:
    """Return the number of sequences of choices to a depth, with the dice of the seed; a finished game is one."""
    if depth == 0 or game.over:
        return 1
    options = game.count()
    if depth == 1:
        return options
    total = 0
    for number in range(options):
        after = game.clone()
        after.pick(number)
        total += sequences(after, depth - 1)
    return total


def counted(name: str, number: int, most: int = MOST) -> list[int]:
    """Return the numbers of sequences from one position by depth, up to the last depth with no more than `most`."""
    game = position(name, *POSITIONS[name][number])
    out = [1]
    while True:
        following = sequences(game, len(out))
        if following > most or len(out) > 1 and following == out[-1]:
            return out[1:]
        out.append(following)


def whole_game(name: str, seed: int = 1) -> dict[str, Any]:
    """Play a random game to its end; return the number of choices, the winner, the last position and the log."""
    game = GAMES[name]().start(seed=seed)
    chooser = SeededDice(seed)
    made = 0
    while not game.over and made < LONGEST:
        game.pick(chooser.roll(game.count()))
        made += 1
    told = [[e.sort, e.name, {k: str(v) for k, v in e.args.items()}] for e in game.log]
    digest = blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16).hexdigest()
    winner = None if game.outcome is None else str(game.outcome.winner)
    return {
        "choices": made,
        "winner": winner,
        "hash": game.hash(),
        "told": digest,
    }


def kept() -> dict[str, Any]:
    """Return the figures of the file."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def renew() -> None:
    """Compute all figures and write the file."""
    made = {}
    for name, places in POSITIONS.items():
        found = [counted(name, number) for number in range(len(places))]
        made[name] = {"sequences": found, "game": whole_game(name)}
    lines = [f'"{name}": {json.dumps(found)}' for name, found in made.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
