"""Odds by enumeration: every outcome of every die is played out by the program for play, and equal results added up.

The rules are random, with dice and few decisions, and rows of choices whose options are such rules. Independent of
the computation of odds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import DraftEnd
from interpreter.runtime.state import clone_state
from interpreter.tools.odds.outcome_graph import EventRecorder
from interpreter.tools.odds.results import Comparison, ResolutionOutcome
from tests.witness.phrases import Env
from tests.witness.writer import HEAD, Writer, indented


class TooWide(Exception):
    """There are more ways for the dice to fall than the limit allows."""


class Falling:
    """Dice and answers scripted by number; those beyond the script take the first face or option."""

    def __init__(self, told: Sequence[int]) -> None:
        self.told = list(told)
        self.sizes: list[int] = []

    def roll_faces(self, name: str, subject: str, faces: Sequence[int], count: int) -> list[int]:
        """Return the scripted faces, and note how many faces each die has."""
        return [faces[self.one_of(len(faces))] for _ in range(count)]

    def one_of(self, size: int) -> int:
        """Return the next scripted number, below `size`."""
        place = len(self.sizes)
        if place == len(self.told):
            self.told.append(0)
        self.sizes.append(size)
        return self.told[place]

    def clone(self) -> Falling:
        """Fail: no position is copied while dice are counted."""
        raise AssertionError("a position was copied while its dice were counted")

    def next(self) -> list[int] | None:
        """Return the script of the next way, or None after the last."""
        for place in range(len(self.sizes) - 1, -1, -1):
            if self.told[place] + 1 < self.sizes[place]:
                return [*self.told[:place], self.told[place] + 1]
        return None

    @property
    def share(self) -> Fraction:
        """Return the probability of this way."""
        share = Fraction(1)
        for size in self.sizes:
            share /= size
        return share


def ways(
    state: Any, begin: Callable[[Any], None], most: int, ends: Callable[[Any], bool]
) -> Iterator[tuple[Any, EventRecorder, Fraction]]:
    """Yield each way for dice and answers to fall: the position after it, what happened, and its probability.

    A decision for which `ends` is true is not answered. Raises TooWide beyond `most` ways.
    """
    program = state.program
    marks = program.namespace["MARK"]
    first: dict[int, int] = {}
    alike = {p: first.setdefault(marks[p], p) for p, is_alike in enumerate(program.is_alike) if is_alike}
    told: list[int] | None = []
    for _ in range(most):
        if told is None:
            return
        twin = clone_state(state)
        twin.dice = dice = Falling(told)
        twin.log = recorder = EventRecorder(program, alike, frozenset())
        begin(twin)
        while twin.pending is not None and not ends(twin):
            options = Decision(twin).list_raw_options()
            raw = options[dice.one_of(len(options))]
            machine.answer(twin, raw.fields if isinstance(raw, DraftEnd) else raw)
        yield twin, recorder, dice.share
        told = dice.next()
    if told is not None:
        raise TooWide


def counted(
    state: Any,
    begin: Callable[[Any], None],
    most: int,
    ends: Callable[[Any], bool] = lambda state: False,
    goes_too_far: Callable[[Any], bool] = lambda state: False,
) -> dict[Any, Fraction]:
    """Return every result with its probability: net changes, events, losses, values, how the game ended.

    Raises TooWide also where a way ends in a position that `goes_too_far`.
    """
    comparison = Comparison(state.program, state)
    comparison.prepare(state)
    found: dict[Any, Fraction] = {}
    for twin, recorder, share in ways(state, begin, most, ends):
        if goes_too_far(twin):
            raise TooWide
        key = told_of(comparison.build_outcome(twin, frozenset(recorder.seen)))
        found[key] = found.get(key, Fraction(0)) + share
    return found


def told_of(outcome: ResolutionOutcome) -> Any:
    """Return the fields of a result that are compared."""
    return outcome.changes, outcome.events, outcome.losses, outcome.values, outcome.ended


class Chances(Writer):
    """Writer of rulesets with dice and no decisions, except one row of choices in the first phase."""

    def ruleset(self) -> str:
        """Return the rules as text; the procedures that can be asked about are `b0` and on, without parameters."""
        made = [HEAD]
        for number in range(self.chance.randint(2, 5)):
            made.append(self.chance.choice((self.define, self.define, self.rule, self.tally))(f"a{number}"))
        for number in range(self.chance.randint(2, 4)):
            made.append(self.throwing(f"b{number}"))
        made += [self.watcher() for _ in range(self.chance.randint(0, 2))]
        row = self.row()
        made.append(
            "\n".join(["turn:", "    phase first:", *indented(row, 2), "    phase second:", "        report note(0)"])
        )
        return "\n".join(made) + "\n"

    def throwing(self, name: str) -> str:
        """Return a procedure without parameters in which dice fall."""
        env: Env = {}
        lines = self.roll(env)
        lines += self.block(env, 2, longest=4)
        if self.chance.random() < 0.6:
            lines += self.roll(env) + self.block(env, 1)
        result = self.chance.random() < 0.3
        if result:
            lines.append(f"return {self.expression('int', env, 2)}")
        self.procedures[name] = ((), "int" if result else "")
        return "\n".join([f"procedure {name}(){' -> int' if result else ''}:", *indented(lines)])

    def row(self) -> list[str]:
        """Return a row of choices."""
        while True:
            lines = Writer.choose(self, {}, 1)
            if any("repeat until done" in line for line in lines):
                return lines

    def roll(self, env: Env) -> list[str]:
        """Write a roll that is read at once, by the order of its dice or not, and often never again."""
        line = Writer.roll(self, env)[0]
        lines = [re.sub(r"abs\(.*\) of", f"{self.chance.choice((2, 2, 3))} of", line)]
        thrown = line.rpartition(" ")[2]
        least = self.chance.randrange(4)
        if env[thrown] == "list of int":
            told = (
                f"({thrown}[0] else 0)",
                f"(first({thrown}) else 0) - sum({thrown})",
                f"sum({thrown})",
                f"count(face in {thrown} where face > {least})",
                f"count(face in {thrown} where face == {least}) - count(face in {thrown} where face > 3)",
                f"sum(face - 1 for face in {thrown} where face > {least})",
                f"(max({thrown}) else 0)",
            )
        else:
            told = (f"(if {thrown} > {least} then 2 else 0)", f"odds[{thrown} / 2]", thrown)
        lines.append(f"raise game.total by {self.chance.choice(told)}")
        if self.chance.random() < 0.6:
            del env[thrown]
        return lines

    def choose(self, env: Env, depth: int) -> list[str]:
        """Write a roll, followed by a decision, but seldom, or by other statements."""
        inner = dict(env)
        return [
            *self.roll(inner),
            *(Writer.choose(self, inner, 0) if self.chance.random() < 0.3 else self.block(inner, depth)),
        ]

    def ask(self, env: Env) -> list[str]:
        """Write a change instead of a draft."""
        return self.change(env)
