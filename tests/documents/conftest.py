"""A small made-up ruleset that uses every kind of document, and ways to write and load spoiled copies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model.ruleset import Ruleset

RULESET = """\
kind: ruleset
format: 1
id: two_hills
title: {en: Two Hills, ja: 二つの丘}
version: "1.0"
about: {en: A fight for two hills., ja: 二つの丘をめぐる戦い。}
languages: [en, ja]
reconstructed: The fire chart is our own.
dice:
  die: {faces: 6}
  odd_die: {faces: [1, 1, 3, 5]}
sides:
  word: {one: army, many: armies}
  attributes:
    home: place
    camp: {one_of: [north, south]}
    spirit: {type: spirit, default: steady, changes: true, top: best}
    best: {type: spirit, default: proud}
    shots: {type: int, default: 0, low: 0, high: 9, lasts: turn}
  members:
    reds: {name: {en: Reds, ja: 赤軍}, home: hill, camp: north}
    blues: {home: "0101", camp: south, cite: "1.1"}
    greens: {home: ford, camp: south}
seats:
  reds: {name: Red player, sides: [reds]}
  others: {sides: [blues, greens]}
  other_1: {sides: []}
  other_2: {sides: []}
seat_attributes:
  points: {type: number, default: "1/2", changes: true}
kinds:
  wing:
    many: wings
    attributes: {commander: marshal_piece, tired: {type: flag, changes: true}}
    members:
      left: {commander: ney}
      right: {commander: soult}
game:
  morale: {type: int, low: 0, high: 20, clamp: true, default: 20, cite: 1.2}
  order: {type: {list_of: side}, default: []}
options:
  fog: {default: false}
  mud: {default: false, needs: [fog], excludes: [length]}
  length: {values: [short, long], default: short}
  shared: {splits: others, into: [other_1, other_2]}
regions:
  high: [hill, "0102"]
"""

MAP = """\
kind: map
format: 1
places:
  attributes:
    terrain: {one_of: [open, wood, water]}
    height: {type: int, default: 0}
    bans: {type: {set_of: int}, default: []}
    owner: {type: {maybe: army}, default: null}
  members:
    hill: {name: {en: The Hill, ja: 丘}, terrain: open, height: 2, bans: [3, 1]}
    ford: {terrain: water, owner: reds}
    "0102": {height: 1}
links:
  attributes:
    river: {type: flag}
  members:
    hill-ford: {between: [hill, ford], river: true}
    hill-0101: {between: [hill, "0101"]}
grid:
  shape: hex
  orientation: flat
  columns: [1, 3]
  rows: {odd: [1, 3], even: [1, 2]}
  numbering: CCRR
  stagger: even_low
  default: {terrain: wood}
  edges: {"0102/0101": {river: true}}
holding:
  box: {one_per: army, name: Box}
  arrives: {one_per: turn, count: 2}
  dead_pile: {}
regions:
  low: [ford, "0101"]
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
      condition: {type: condition, default: fresh, changes: true}
      tired: {type: flag, lasts: fight}
  marshal:
    one: marshal_piece
    many: marshals
    attributes:
      army: {type: army}
      rating: number
pieces:
  red: {class: unit, count: 3, names: [One, Two, {en: Three, ja: 三}], army: reds, at: box.reds}
  blue: {class: unit, count: 2, army: blues, at: box.blues}
  ney: {class: marshal, army: reds, rating: "3/2", at: hill}
  soult: {class: marshal, army: blues, rating: 2}
"""

TABLES = """\
kind: tables
format: 1
values:
  stop_limit: {value: 5, cite: "1.1"}
  hand: 7
  half: "1/2"
  first_sides: {value: [reds, greens], type: {set_of: army}}
tables:
  fire:
    axes: {die: {of: die, below: refuse, above: clamp}}
    gives: int
    cells: {1: 2, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0}
  charge:
    source: reconstructed
    axes:
      odds: {ratio: ["1-2", "1-1", "2-1"], round: for_defender, below: refuse, above: {result: "E"}}
      die: {range: -1..1, below: clamp}
    gives: {parts: {n: {loss: int}, D: disorder, Rn: {retreat: 1}, "*": star, E: destroyed}}
    cells:
      1-2: ["2D", "D R2", "-"]
      1-1: {-1: "R", 0: "1DR2*", 1: E}
      2-1: ["1", "*", "R3"]
  supply:
    axes: {army: army, level: spirit}
    gives: {gain: int, limit: {maybe: int}}
    blanks: true
    cells:
      reds:
        steady: {gain: 1, limit: 4}
        proud: {gain: 2, limit: null}
      blues:
        proud: {gain: 3}
  weight:
    axes: {load: {bands: ["..10", "above 10 to 25", "above 25"]}}
    gives: {one_of: [light, heavy]}
    cells: {"..10": light, "above 10 to 25": heavy, "above 25": heavy}
  luck:
    axes: {die: odd_die, terrain: {one_of: [open, wood]}}
    gives: flag
    cells: {1: {open: true, wood: false}, 3: {open: true, wood: false}, 5: [false, false]}
"""

LADDERS = """\
kind: ladders
format: 1
ladders:
  spirit: [broken, steady, proud]
  condition: {rungs: {worn: {name: worn out}, fresh: {}}, name: Condition}
"""

ACTIVATION = """\
kind: activation
format: 1
orders:
  order_of_march:
    axes: {die: {of: die, only: [1, 2]}}
    cells:
      1: [reds, blues, greens]
      2: [blues, reds]
"""

VICTORY = """\
kind: victory
format: 1
conditions:
  collapse: {when: "game.morale == 0", cite: "1.2"}
levels:
  draw: {title: A draw}
  triumph:
    for: reds
    title: {en: Triumph, ja: 勝利}
    when: |
      game.morale > 3 and
        not playing fog
score: {value: points(s), of: s}
"""

RULEBOOK = """\
kind: rulebook
format: 1
paragraphs:
  "1.1": {title: Hills, text: {en: There are two hills., ja: 丘は二つある。}, definition: true}
  1.2: {text: Morale falls., replaced_when: 'playing fog'}
"""

DAWN = """\
kind: scenario
format: 1
id: dawn
title: {en: Dawn, ja: 夜明け}
default: true
options: {fog: true, length: long}
turns: 8
setup:
  pieces:
    hill: {reds: {fresh: 1, worn: 1}, blues: 1}
    ford: [soult]
  each:
    red-3: {at: dead_pile, condition: worn}
  armies: {reds: {spirit: broken}}
  wings: {left: {tired: true}}
  game: {morale: 12}
"""

DUSK = """\
kind: scenario
format: 1
id: dusk
title: Dusk
setup:
  pieces:
    hill: [soult]
"""

VARIANT = """\
kind: variant
format: 1
id: long_day
title: {en: A Long Day, ja: 長い一日}
extends: ..
ruleset:
  sides:
    members:
      reds: {camp: south}
      new yellows: {home: hill, camp: north}
  seats:
    reds: {sides: [reds, yellows]}
tables:
  values:
    stop_limit: {value: 6}
    hand: null
  tables:
    fire: {cells: {1: 3}}
activation:
  orders:
    order_of_march: {cells: {2: [greens]}}
scenarios:
  dusk: {turns: 4}
  new night: {title: Night, setup: {pieces: {ford: [soult]}}}
rules: |
  replace define a() -> int = 2

  before march:
      report late
"""

FILES = {
    "ruleset.yaml": RULESET,
    "map.yaml": MAP,
    "pieces.yaml": PIECES,
    "tables.yaml": TABLES,
    "ladders.yaml": LADDERS,
    "activation.yaml": ACTIVATION,
    "victory.yaml": VICTORY,
    "rulebook.yaml": RULEBOOK,
    "scenarios/dawn.yaml": DAWN,
    "scenarios/dusk.yaml": DUSK,
    "variants/long_day.yaml": VARIANT,
    "sequence.rules": "# sequence\n",
    "more/words.rules": "# words\n",
}


@dataclass(frozen=True)
class Loaded:
    """The result of loading: the ruleset, if any, and the findings in order."""

    ruleset: Ruleset | None
    found: tuple[Diagnostic, ...]

    @property
    def codes(self) -> list[str]:
        return [d.code for d in self.found]

    def only(self, code: str) -> Diagnostic:
        """Return the one finding, which must have this code."""
        fitting = [d for d in self.found if d.code == code]
        assert len(fitting) == 1, [(d.code, str(d.span), d.message) for d in self.found]
        return fitting[0]

    def good(self) -> Ruleset:
        """Return the ruleset, which must be without findings."""
        assert not self.found, [(d.code, str(d.span), d.message) for d in self.found]
        assert self.ruleset is not None
        return self.ruleset


class Desk:
    """A folder in which rulesets can be written, spoiled and loaded."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "two_hills"
        self.files = dict(FILES)

    def spoil(self, file: str, old: str, new: str) -> None:
        """Replace the one occurrence of `old` in a file."""
        assert self.files[file].count(old) == 1, f"{old!r} stands {self.files[file].count(old)} times in {file}"
        self.files[file] = self.files[file].replace(old, new)

    def write(self, files: Mapping[str, str | bytes] | None = None) -> Path:
        """Write the files of the ruleset, and any others given."""
        for name, content in {**self.files, **(files or {})}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.folder

    def load(self, inside: str = "") -> Loaded:
        """Write everything and load the folder, or a file in it."""
        return load(self.write() / inside)


def load(target: Path | str) -> Loaded:
    """Load a target."""
    sink = Sink()
    ruleset = read_documents(str(target), sink)
    return Loaded(ruleset, sink.list_sorted())


@pytest.fixture
def workspace(tmp_path: Path) -> Desk:
    """Return a desk with the files of the sample ruleset."""
    return Desk(tmp_path)


@pytest.fixture
def load_target() -> Callable[[Path | str], Loaded]:
    """Return the function that loads a target."""
    return load
