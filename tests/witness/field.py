"""Documents of every random ruleset: a small map of hexes, two armies, and a thing of every sort.

Contains no rules.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.folders import write_files

FILES = {
    "ruleset.yaml": """\
kind: ruleset
format: 1
id: field
title: Field
version: "1"
languages: [en]
dice:
  die: {faces: 6}
  coin: {faces: [0, 1]}
sides:
  word: {one: army, many: armies}
  attributes:
    home: place
    weariness: {type: int, default: 0, changes: true, low: 0, high: 5, clamp: true}
    points: {type: number, default: 1/2, changes: true}
    mood: {type: mood, default: steady, changes: true}
    camp: {type: {maybe: place}, default: null, changes: true}
  members:
    reds: {home: "0101"}
    blues: {home: "0303"}
seats:
  red_seat: {sides: [reds]}
  blue_seat: {sides: [blues]}
kinds:
  wing: {many: wings, attributes: {rank: int}, members: {left: {rank: 1}, right: {rank: 2}}}
game:
  total: {type: int, default: 0}
  share: {type: number, default: 0}
  weather: {type: {one_of: [fair, rain]}, default: fair}
  morale: {type: mood, default: shaken}
  chosen: {type: {maybe: unit}, default: null}
  seen: {type: {set_of: place}, default: []}
  once: {type: int, default: 0, lasts: second}
  bout: {type: int, default: 0, lasts: turn}
options:
  fog: {default: false}
  length: {values: [short, long], default: long}
""",
    "map.yaml": """\
kind: map
format: 1
places:
  attributes:
    terrain: {type: {one_of: [open, woods]}, default: open}
    worth: {type: int, default: 0}
    held: {type: {maybe: army}, default: null, changes: true}
    mark: {type: int, default: 0, changes: true}
    burnt: {type: flag, lasts: first}
  members:
    "0102": {terrain: woods, worth: 1}
    "0202": {worth: 2}
    "0302": {terrain: woods}
    "0303": {worth: 3}
links:
  attributes:
    river: {type: flag}
    toll: {type: int, default: 1}
regions:
  hills: ["0102", "0302", "0303"]
grid:
  shape: hex
  orientation: flat
  columns: [1, 3]
  rows: [1, 3]
  numbering: CCRR
  stagger: even_low
  default: {terrain: open}
  edges:
    "0102/0202": {river: true, toll: 2}
    "0202/0203": {river: true}
    "0202/0302": {toll: 0}
holding:
  box: {one_per: army}
  arrives: {one_per: turn, count: 2}
  pile: {}
""",
    "pieces.yaml": """\
kind: pieces
format: 1
classes:
  unit:
    many: units
    attributes:
      army: army
      strength: {type: int, default: 2, changes: true, low: 0, high: 9}
      pace: {type: number, default: 2}
      state: {type: mood, default: steady, changes: true}
      wing: {type: {maybe: wing}, default: null}
      friend: {type: {maybe: unit}, default: null, changes: true}
      moved: {type: flag, lasts: turn}
  militia:
    many: militias
    alike: true
    counters: [army]
    attributes:
      army: army
      worn: {type: flag, changes: true}
pieces:
  red_one: {class: unit, army: reds, strength: 3, pace: 3/2, wing: left, at: "0101"}
  red_two: {class: unit, army: reds, at: "0102", wing: right}
  blue_one: {class: unit, army: blues, strength: 4, at: "0303"}
  blue_two: {class: unit, army: blues, pace: 1, at: box.blues}
  red_band: {class: militia, count: 2, army: reds, at: "0102"}
  blue_band: {class: militia, count: 2, army: blues, at: "0302"}
""",
    "ladders.yaml": """\
kind: ladders
format: 1
ladders:
  mood: [routed, shaken, steady]
""",
    "tables.yaml": """\
kind: tables
format: 1
values:
  limit: 3
  half: "1/2"
tables:
  steps:
    axes: {number: {range: 0..3}}
    gives: int
    cells: [1, 0, 2, 5]
  gaps:
    axes: {number: {range: 0..3, below: clamp, above: refuse}, weather: {one_of: [fair, rain]}}
    gives: number
    blanks: true
    cells: {0: {fair: 1}, 1: {fair: "1/2", rain: 2}, 3: {rain: 0}}
  weights:
    axes: {number: {bands: ["..0", "1..2", "3.."]}}
    gives: {one_of: [light, heavy]}
    cells: {"..0": light, "1..2": light, "3..": heavy}
  costs:
    axes: {terrain: {one_of: [open, woods]}, army: army}
    gives: int
    blanks: true
    cells: {open: {reds: 1, blues: 1}, woods: {reds: 2}}
  odds:
    axes: {ratio: {ratio: ["1-2", "1-1", "2-1", "3-1"], round: near, below: {result: 7}, above: clamp}}
    gives: int
    cells: {1-2: 1, 1-1: 2, 2-1: 3, 3-1: 4}
  rare_odds:
    axes: {ratio: {ratio: ["1-3", "1-1", "3-1"], round: up, below: refuse, above: refuse}}
    gives: int
    blanks: true
    cells: {1-3: 1, 3-1: 3}
  few:
    axes: {number: {range: 1..3}}
    gives: int
    blanks: true
    cells: {1: 0, 3: 2}
  whose:
    axes: {place: {of: place, only: ["0101", "0102"]}}
    gives: int
    blanks: true
    cells: {"0101": 1}
  owners:
    axes: {number: {range: 1..2}}
    gives: army
    cells: {1: reds, 2: blues}
  hits:
    axes: {die: {of: die, below: clamp, above: clamp}}
    gives: {parts: {n: {loss: int}, D: disorder, Rn: {retreat: 1}}}
    cells: ["-", D, 1, "1D", R2, "2DR"]
  upkeep:
    axes: {army: army, mood: mood}
    gives: {food: int, rest: {maybe: int}}
    blanks: true
    cells:
      reds: {routed: {food: 2, rest: null}, steady: {food: 1, rest: 3}}
      blues: {shaken: {food: 3, rest: 0}}
""",
    "victory.yaml": """\
kind: victory
format: 1
conditions:
  tired: {when: any s in armies where s.weariness > 3}
levels:
  small: {title: Small}
  held: {for: red_seat, title: Held, when: count(units at place("0101")) > 0}
  great: {for: red_seat, title: Great, when: blues.weariness > 1}
score:
  of: p
  value: sum(5 - s.weariness for s in armies where s.seat == p)
""",
    "rulebook.yaml": """\
kind: rulebook
format: 1
paragraphs:
  "1.1": {text: One.}
""",
    "scenarios/plain.yaml": """\
kind: scenario
format: 1
id: plain
title: Plain
default: true
turns: 3
""",
}


def write(folder: Path, rules: str) -> Path:
    """Write a ruleset with these rules into a folder of its own."""
    judged = " + ".join(f"(if {name} == {name} then 1 else 0)" for name in re.findall(r"^define (\w+) ->", rules, re.M))
    victory = FILES["victory.yaml"] + (f'evaluation: "{judged}"\n' if judged else "")  # of whatever asks for nothing
    return write_files(folder / "field", {**FILES, "victory.yaml": victory, "own.rules": rules})
