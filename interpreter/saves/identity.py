"""The identity of the rules that a game is played with: digests of the meaning of their documents.

A journal contains one, to decide whether rules that are loaded later play the same game, and if not, what differs.
`model/meaning.py` says what the digests cover. Loads no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

SCHEME_OF_BYTES = 0  # journals of format 2: a digest of the bytes of the ruleset's files


class Match(Enum):
    """Result of comparing two identities: whether they denote the same rules; UNKNOWN if they cannot be compared."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Identity:
    """Digests of the rules that a game is played with.

    `rules` covers everything except scenarios, `setup` the scenario the game was started from ('' without one).
    `parts` has a short digest for each named part of the rules, to find which of them differ. `scheme` identifies the
    method of computation; digests of different schemes cannot be compared.
    """

    scheme: int
    rules: str
    setup: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Differences:
    """The names of the parts that differ between two identities, each like "table.losses"."""

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


SCENARIO = "scenario"  # name of the part for the scenario of a game


def compute_identity(program: Program, scenario: str) -> Identity:
    """Return the identity of a loaded ruleset for a game started from a scenario ('' for none)."""
    data = program.data["identity"]
    return Identity(data["scheme"], data["rules"], data["scenarios"].get(scenario, ""), data["parts"])


def match_identity(saved: Identity, program: Program, scenario: str) -> Match:
    """Compare a saved game's identity with a loaded ruleset's; the result is UNKNOWN if they cannot be compared.

    `scenario`: the scenario from which the game was started, '' for none.
    """
    if saved.scheme == SCHEME_OF_BYTES:
        return Match.SAME if saved.rules == program.content_hash else Match.UNKNOWN
    now = compute_identity(program, scenario)
    if saved.scheme != now.scheme:
        return Match.UNKNOWN
    return Match.SAME if (saved.rules, saved.setup) == (now.rules, now.setup) else Match.DIFFERENT


def list_differences(saved: Identity, now: Identity) -> Differences:
    """Return the parts that differ between the rules of a saved game and other rules (`now`).

    Both identities must have the same scheme.
    """
    before, after = dict(saved.parts), dict(now.parts)
    if saved.setup != now.setup:
        before |= {SCENARIO: saved.setup} if saved.setup else {}
        after |= {SCENARIO: now.setup} if now.setup else {}
    return Differences(
        tuple(part for part in before if part in after and before[part] != after[part]),
        tuple(part for part in before if part not in after),
        tuple(part for part in after if part not in before),
    )
