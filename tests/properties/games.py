"""The rulesets over which properties are shown, and random walks through their games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from tests.docs.blocks import write_all
from tests.tiny import build

# Preferences, drafts, decisions inside options, repetition, dice and pieces that are alike.
SKIRMISH = """
    draft march(u: unit, most: int) starting here = u.at, steps = 0:
        option go(p in neighbours(here)) now here = p, steps = steps + 1:
            require far: steps < most  "{p} is too far"
            require blocked: steps == 0 or no v in units at here where v.army != u.army  "an enemy blocks the way"
        finish require moved: steps > 0  "the unit has not moved"
        offer distinct by here

    rule may_fire(u: unit, v: unit):
        require enemy: u.army != v.army  "{v} is a friend"
        require near: (distance from u.at to v.at else 9) <= 1  "{v} is out of range"
        require fresh: u.condition == fresh  "{u} is worn"

    define enemy_of(a: army) -> army = if a == reds then blues else reds

    procedure retreat(u: unit):
        choose retreat by u.army alone:
            option back(p in neighbours(u.at)):
                require free: no v in units at p where v.army != u.army  "{v} declared in {p}"
                prefer count(units at p) == 0  "an empty place comes first"
                prefer least distance from p to u.army.home else 9  "the way home comes first"
                move u to p
            otherwise: move u to pile

    procedure fight(a: army):
        choose fire by a repeat until done:
            option shoot(u in units, v in units):
                require may_fire(u, v)
                set u.condition = worn
                roll shot: die for v -> face
                if face > 4: retreat(v)
                else if face == 4 and v.condition == worn: move v to pile
            option rally(u in units at a.home, number in 1..3):
                require worn: u.condition == worn  "{u} is fresh"
                require own: u.army == a  "{u} is not yours"
                require enough: number <= count(alike(u, units))  "there are not so many"
                for v in take(number, alike(u, units)): set v.condition = fresh

    turn:
        phase move_phase:
            for a in armies:
                for u in {v in units where v.army == a} while still u on map:
                    choose order by a:
                        option stay: nothing
                        option march(most in 1..2):
                            require possible march_of(u, most)  "no way is open"
                            march_of(u, most) by a -> way
                            move u to way.here
        phase fire_phase:
            for a in armies: fight(a)
            if turn == 6 or no u in units where u.army == reds and u on map: end game drawn
""".replace("draft march(", "draft march_of(")

OPTIONS = ("road_to_paris", "nelson", "french_mobilisation", "allied_mobilisation", "multiplayer=3")


@lru_cache(maxsize=1)
def napoleon() -> Rules:
    """Return the shipped game."""
    return load("napoleon", checked=True)


@lru_cache(maxsize=1)
def skirmish() -> Rules:
    """Return the made-up game."""
    with TemporaryDirectory() as folder:
        return build(Path(folder), SKIRMISH)


@lru_cache(maxsize=1)
def denain() -> Rules:
    """Return the other shipped game."""
    return load("denain-1712", checked=True)


@lru_cache(maxsize=3)
def of_the_guide(page: str) -> Rules:
    """Return a whole game that a page of the author's guide builds."""
    with TemporaryDirectory() as folder:
        return load(write_all(page, Path(folder)), checked=True)


GUIDE = {
    "salt-war": partial(of_the_guide, "tutorial.md"),
    "crossroads": partial(of_the_guide, "hexes.md"),
    "two-rivers": partial(of_the_guide, "documents.md"),
}
RULESETS = {"napoleon": napoleon, "denain-1712": denain, "skirmish": skirmish}


def walk(
    rules: Rules,
    seed: int,
    most: int = 400,
    record: bool = False,
    options: tuple[str, ...] = (),
    scenario: str | None = None,
) -> Iterator[Game]:
    """Play a random game; yield the same Game at each of its decisions, then once more at its end or where it stops."""
    game = rules.start(scenario, options, seed=seed, record=record)
    chooser = SeededDice(seed + 10**6)
    for _ in range(most):
        if game.over:
            break
        yield game
        count = game.count()
        game.pick(chooser.roll(count) if count > 1 else 0)
    yield game
