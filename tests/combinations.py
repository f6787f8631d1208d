"""A made-up game in which any of eight units may act together: 255 combinations of one draft."""

from __future__ import annotations

from pathlib import Path

from tests.tiny import DISTINCT_UNITS, write

RULES = """
    draft company(a: army) unordered starting who = {} [1.1]:
        option with_unit(u in {v in units where v.army == a and v not in who}) now who = who + {u} "{u}"
        finish require some_one: who != {} "nobody"
        offer distinct by who

    turn:
        phase only_phase "Fight":
            company(reds) by reds "who attacks?" -> chosen
            report note(count(chosen.who))
            end game drawn
"""
UNITS = tuple(f"red{n}" for n in range(8))


def write_combinations(folder: Path) -> Path:
    """Write the ruleset: two units in each of four places."""
    pieces = "".join(f"  {unit}: {{class: unit, army: reds, at: {'abcd'[n // 2]}}}\n" for n, unit in enumerate(UNITS))
    victory = "kind: victory\nformat: 1\n"
    return write(folder, RULES, {"pieces.yaml": DISTINCT_UNITS + pieces, "victory.yaml": victory})
