"""A tiny ruleset made from strings, and ways to play it that check the state closely.

    rules = build(tmp_path, '''
        procedure run(a: army):
            ...
    ''', game={"total": "{type: int, default: 0}"})

Two armies, reds and blues; four places in a row, a - b - c - d; three units on each side; the events `note(n)` and
`said(t)`; a procedure `ask(a) -> int` that lets an army choose a number from 0 to 3.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from interpreter.api.game import Rules
from interpreter.api.loading import FileSource, read_model, with_identity
from interpreter.backends.python.program_printer import print_model
from interpreter.diagnostics.diagnostic import Sink
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.play.game import Game
from interpreter.runtime.program import Program
from interpreter.runtime.state import restore
from tests.folders import write_files

RULESET = """\
kind: ruleset
format: 1
id: tiny
title: Tiny
version: "1"
languages: [en]
dice:
  die: {{faces: 6}}
  coin: {{faces: [0, 1]}}
sides:
  word: {{one: army, many: armies}}
  attributes:
    home: place
    score: {{type: int, default: 0, changes: true}}
    spirit: {{type: spirit, default: steady, changes: true}}
{side}
  members:
    reds: {{home: a}}
    blues: {{home: d}}
seats:
  red_seat: {{sides: [reds]}}
  blue_seat: {{sides: [blues]}}
game:
  total: {{type: int, default: 0}}
{game}
options:
  fog: {{default: false}}
  length: {{values: [short, long], default: short}}
"""
SUM_OF_SCORES = {
    "victory.yaml": """\
kind: victory
format: 1
score: {of: p, value: "sum(a.score for a in armies where a.seat == p)"}
"""
}
MAP = """\
kind: map
format: 1
places:
  attributes:
    height: {{type: int, default: 0}}
    held: {{type: flag, changes: true}}
{place}
  members:
    a: {{height: 1}}
    b: {{}}
    c: {{height: 2}}
    d: {{}}
links:
  attributes:
    river: {{type: flag}}
  members:
    a-b: {{between: [a, b]}}
    b-c: {{between: [b, c], river: true}}
    c-d: {{between: [c, d]}}
holding:
  box: {{one_per: army}}
  pile: {{}}
"""
PIECES = """\
kind: pieces
format: 1
classes:
  unit:
    many: units
    alike: true
    counters: [army, condition]
    attributes:
      army: army
      condition: {{type: condition, default: fresh, changes: true}}
{unit}
pieces:
  red: {{class: unit, count: 3, army: reds, at: a}}
  blue: {{class: unit, count: 3, army: blues, at: d}}
"""
DISTINCT_UNITS = """\
kind: pieces
format: 1
classes:
  unit:
    many: units
    attributes:
      army: army
      condition: {type: condition, default: fresh, changes: true}
pieces:
"""  # the pieces follow, each under its own name
DOCUMENTS = {
    "ladders.yaml": """\
kind: ladders
format: 1
ladders:
  spirit: [broken, steady, proud]
  condition: [worn, fresh]
""",
    "victory.yaml": """\
kind: victory
format: 1
levels:
  small: {title: Small}
  great: {for: red_seat, title: Great, when: reds.score > 9}
""",
    "rulebook.yaml": """\
kind: rulebook
format: 1
paragraphs:
  "1.1": {text: One.}
  "1.2": {text: Two.}
""",
    "scenarios/plain.yaml": """\
kind: scenario
format: 1
id: plain
title: Plain
default: true
""",
}
COMMON = """\
event note(n: int) "{n}"
event said(t: text) "{t}"

procedure ask(a: army) -> int:
    choose answer by a "a number" alone:
        option say(n in 0..3):
            return n
"""
TURN = """\
turn:
    phase only_phase:
        end game drawn
"""


def write(
    folder: Path,
    rules: str,
    documents: Mapping[str, str] | None = None,
    *,
    side: Mapping[str, str] | None = None,
    game: Mapping[str, str] | None = None,
    place: Mapping[str, str] | None = None,
    unit: Mapping[str, str] | None = None,
) -> Path:
    """Write the ruleset; attributes are given as name -> declaration, documents as file name -> text."""

    def lines(given: Mapping[str, str] | None, depth: int) -> str:
        return "\n".join(f"{' ' * depth}{n}: {d}" for n, d in (given or {}).items())

    rules = dedent(rules)
    if "\nturn:" not in "\n" + rules:
        rules += "\n" + TURN
    files = {
        "ruleset.yaml": RULESET.format(side=lines(side, 4), game=lines(game, 2)),
        "map.yaml": MAP.format(place=lines(place, 4)),
        "pieces.yaml": PIECES.format(unit=lines(unit, 6)),
        **DOCUMENTS,
        "common.rules": COMMON,
        "own.rules": rules,
        **{n: dedent(t) for n, t in (documents or {}).items()},
    }
    return write_files(folder / "tiny", files)


def checked_model(target: str | Path) -> CheckedModel:
    """Return the checked rules of a target, which must have no error."""
    sink = Sink()
    model = read_model(str(target), sink)
    errors = [f"{d.span}: {d.code}: {d.message}" for d in sink.list_sorted() if d.severity == "error"]
    assert model is not None and not errors, "\n".join(errors)
    return model


def build(folder: Path, rules: str, documents: Mapping[str, str] | None = None, **attributes: Any) -> Rules:
    """Write, check, compile and link; any error fails."""
    target = str(write(folder, rules, documents, **attributes))
    model = checked_model(target)
    compiled = with_identity(print_model(lower_model(model, explained=True), model), model)
    return Rules(Program(compiled.codes, json.loads(json.dumps(compiled.data))), model, target, FileSource(target))


def started(rules: Rules, **arguments: Any) -> Game:
    """Return a game in which no procedure runs yet, ready for `call`."""
    return rules.start(empty=True, **arguments)


def called(rules: Rules, procedure: str, **arguments: Any) -> Game:
    """Return a game in which only this procedure runs, at its first decision."""
    game = started(rules)
    game.call(procedure, **arguments)
    return game


def notes(game: Game) -> list[int]:
    """Return the numbers reported with `note`, in order."""
    return [int(e.args["n"]) for e in game.log if e.sort == "event" and e.name == "note"]


def said(game: Game) -> list[str]:
    """Return the texts reported with `said`, in order."""
    return [str(e.args["t"]) for e in game.log if e.sort == "event" and e.name == "said"]


def reborn(game: Game) -> Game:
    """Return a copy of the game restored from its state serialized as JSON text."""
    data = json.loads(json.dumps(game.data()))
    state = game.program.create_state()
    restore(state, data)
    state.dice = game.state.dice.clone()
    return Game(game.program, state, game.scenario, game.seed, True)


def option_keys(game: Game) -> list[str]:
    """Return the keys of the options available now."""
    return [o.key for o in game.decision.options] if game.decision is not None else []


def closely(game: Game, keys: Iterable[str]) -> Game:
    """Play the keys, and check at each decision that the state behaves as a value.

    A state restored from JSON continues exactly as the game itself, clones are independent, and undo and redo pass
    through the same hashes.
    """
    keys = list(keys)
    hashes = [game.hash()]
    twins: list[tuple[int, Game]] = []
    for number, key in enumerate(keys):
        twin = reborn(game)
        assert twin.hash() == game.hash()
        assert option_keys(twin) == option_keys(game)
        twins.append((number, twin))
        clone = game.clone()
        before = game.hash()
        clone.choose(key)
        assert game.hash() == before, "playing a clone changed the game"
        game.choose(key)
        assert clone.hash() == game.hash()
        hashes.append(game.hash())
    for number, twin in twins:
        for key in keys[number:]:
            twin.choose(key)
        assert twin.hash() == game.hash(), f"taken up again at decision {number + 1}, the game went another way"
        assert twin.over == game.over
    seen = game.log
    for before in reversed(hashes[:-1]):
        game.undo()
        assert game.hash() == before
    for after in hashes[1:]:
        game.redo()
        assert game.hash() == after
    assert game.log == seen
    return game
