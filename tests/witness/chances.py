"""Odds counted the slow way: every fall of every die is played out by the program for play, and like results added up.

Random rules in which dice fall and decisions are few, and rows of choices whose options are such rules. Must not know
how odds are worked out.
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
    """More ways for the dice to fall than were asked for."""


class Falling:
    """Dice and answers that fall as they are told, by number; what nothing was told of is the first face or option."""

    def __init__(self, told: Sequence[int]) -> None:
        self.told = list(told)
        self.sizes: list[int] = []

    def roll_faces(self, name: str, subject: str, faces: Sequence[int], count: int) -> list[int]:
        """What falls; how many faces each die has is noted."""
        return [faces[self.one_of(len(faces))] for _ in range(count)]

    def one_of(self, size: int) -> int:
        """A number below `size`."""
        place = len(self.sizes)
        if place == len(self.told):
            self.told.append(0)
        self.sizes.append(size)
        return self.told[place]

    def clone(self) -> Falling:
        """Nobody copies a position while dice are counted."""
        raise AssertionError("a position was copied while its dice were counted")

    def next(self) -> list[int] | None:
        """What to tell the dice of the next way, None after the last."""
        for place in range(len(self.sizes) - 1, -1, -1):
            if self.told[place] + 1 < self.sizes[place]:
                return [*self.told[:place], self.told[place] + 1]
        return None

    @property
    def share(self) -> Fraction:
        """How likely this way is."""
        share = Fraction(1)
        for size in self.sizes:
            share /= size
        return share


def ways(
    state: Any, begin: Callable[[Any], None], most: int, ends: Callable[[Any], bool]
) -> Iterator[tuple[Any, EventRecorder, Fraction]]:
    """Each way for dice and answers to fall: the position behind it, what happened, how likely it is.

    A decision for which `ends` is true is not answered. TooWide over `most` ways.
    """
    program = state.program
    marks = program.functions["MARK"]
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
            options = Decision(twin).raw_options()
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
    """Every result with its probability: net changes, events, losses, values, how the game ended.

    TooWide also where a way ends in a position that `goes_too_far`.
    """
    comparison = Comparison(state.program, state)
    comparison.prepare(state)
    found: dict[Any, Fraction] = {}
    for twin, recorder, share in ways(state, begin, most, ends):
        if goes_too_far(twin):
            raise TooWide
        key = told_of(comparison.outcome(twin, frozenset(recorder.seen)))
        found[key] = found.get(key, Fraction(0)) + share
    return found


def told_of(outcome: ResolutionOutcome) -> Any:
    """What is compared of a result."""
    return outcome.changes, outcome.events, outcome.losses, outcome.values, outcome.ended


class Chances(Writer):
    """Writes a ruleset in which dice fall and nobody is asked, but in one row of choices of the first phase."""

    def ruleset(self) -> str:
        """The rules as text; the procedures that can be asked about are `b0` and on, without parameters."""
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
        """A procedure without parameters in which dice fall."""
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
        """A row of choices."""
        while True:
            lines = Writer.choose(self, {}, 1)
            if any("repeat until done" in line for line in lines):
                return lines

    def roll(self, env: Env) -> list[str]:
        """What fell is read at once, with heed to the order of several dice or without; much of it never again."""
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
        """Seldom does somebody decide; else dice fall instead."""
        inner = dict(env)
        return [
            *self.roll(inner),
            *(Writer.choose(self, inner, 0) if self.chance.random() < 0.3 else self.block(inner, depth)),
        ]

    def ask(self, env: Env) -> list[str]:
        """Nor is a draft asked."""
        return self.change(env)
