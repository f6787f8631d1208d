"""A saved game played with its own rules and with others, choice by choice, up to where they part.

Must not judge which change of the rules is to blame, nor write files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from interpreter.facade.resuming import apply_edit, begun_again, typed_again
from interpreter.facade.rules import Rules
from interpreter.play.session import Game
from interpreter.runtime.dice import DiceExhausted, Faces, WrongDice
from interpreter.runtime.faults import IllegalAction, Reason, RuleFault, SetupError
from interpreter.saves import entries as e
from interpreter.saves.journal import Journal
from interpreter.words.speech import Sentence, mark as _

Line = tuple[str, int]  # of the rules
_APART = ("roll", "event", "move", "set", "end", "taken")  # what is compared of what happened
_RULES = (".rules", ".yaml", ".yml")
_NOT_LIKE = (AttributeError, ArithmeticError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Parting:
    """Where a game goes another way. `number` is that of the choice, from 1; 0 for what comes before the first.

    `told` says what is different; `reasons` why a choice is refused; `lines` are those of the rules that were at work.
    """

    number: int
    entry: e.Decision | None
    told: Sentence
    reasons: tuple[Reason, ...] = ()
    lines: frozenset[Line] = frozenset()


@dataclass(slots=True)
class Course:
    """How far a game comes: the game by the other rules before the choice that parts, or at its end."""

    game: Game
    choices: int
    parting: Parting | None = None


@dataclass(slots=True)
class _Table:
    """The journal's typed dice for one of the games; a game with a seed needs none."""

    waiting: list[e.Roll]

    def roll(self, name: str, subject: str, _faces: Faces, _count: int) -> Sequence[int]:
        if not self.waiting:
            raise DiceExhausted(name, subject)
        return typed_again(self.waiting, name)


def played_on(journal: Journal, now: Rules, before: Rules | None) -> Course:
    """Play a journal with other rules. `before`: the rules it was played with, where they are still as they were."""
    course = _played(journal, now, before, None)
    if course.parting is None:
        return course
    seen: set[Line] = set()
    again = _played(journal, now, before, (course.parting.number, seen))
    assert again.parting is not None
    return replace(again, parting=replace(again.parting, lines=frozenset(seen)))


def _played(journal: Journal, now: Rules, before: Rules | None, watched: tuple[int, set[Line]] | None) -> Course:
    """`watched`: the number of a choice, and where to put the lines of the rules that it sets to work."""
    number, seen = watched if watched is not None else (-1, set[Line]())
    steps = list(_steps(journal))
    tables = [_Table(steps[0].typed()) for _rules in (now, before)]
    with_lines = _watching(seen) if number == 0 else _plainly
    game = with_lines(lambda: begun_again(journal.header, now, tables[0].roll))
    old = None if before is None else begun_again(journal.header, before, tables[1].roll)
    told = _apart(game, old, (0, 0))
    if told is not None:
        return Course(game, 0, Parting(0, None, told))
    for step in steps[1:]:
        entry, last = step.decision, game.whole_copy()
        assert entry is not None
        lengths = (len(game.raw_log()), len(old.raw_log()) if old is not None else 0)
        with_lines = _watching(seen) if number == entry.number else _plainly
        for table in tables:
            table.waiting = step.typed()
        parting = with_lines(lambda: _choose(game, entry, step.edits))  # noqa: B023 (called at once)
        if parting is None and old is not None:
            if _choose(old, entry, step.edits) is not None:
                old = None  # its own rules do not give it either: only the journal is left
            else:
                told = _apart(game, old, (lengths[0] + 1, lengths[1] + 1))
                parting = Parting(entry.number, entry, told) if told is not None else None
        elif parting is None:
            told = _against_journal(game, lengths[0], step.rolls)
            parting = Parting(entry.number, entry, told) if told is not None else None
        if parting is not None:
            return Course(last, entry.number - 1, parting)
    return Course(game, len(steps) - 1)


@dataclass(slots=True)
class _Step:
    """A choice with the rolls and changes by hand that follow it; without one, what comes before the first."""

    decision: e.Decision | None
    rolls: list[e.Roll] = field(default_factory=list)
    edits: list[Any] = field(default_factory=list)

    def typed(self) -> list[e.Roll]:
        """The rolls that somebody is asked about: not those of no dice."""
        return [roll for roll in self.rolls if roll.faces]


def _steps(journal: Journal) -> Iterator[_Step]:
    here = _Step(None)
    for entry in e.kept_entries(journal.entries):
        match entry:
            case e.Decision():
                yield here
                here = _Step(entry)
            case e.Roll():
                here.rolls.append(entry)
            case e.Edit():
                here.edits.append(entry.changes)
    yield here


def _choose(game: Game, entry: e.Decision, edits: Sequence[Any]) -> Parting | None:
    """Carry out a choice; where it parts, why."""
    decision = game.decision
    if decision is None or (decision.name, decision.side) != (entry.name, entry.side):
        told = _("`{name}` of {side} is not asked any more", name=entry.name, side=entry.side)
        return Parting(entry.number, entry, told)
    try:
        game.choose(entry.key)
        for changes in edits:
            apply_edit(game, changes)
    except IllegalAction as fault:
        return Parting(entry.number, entry, _("it is no longer possible: {fault}", fault=fault.reasons), fault.reasons)
    except (DiceExhausted, WrongDice) as fault:
        return Parting(entry.number, entry, _("other dice are thrown: {fault}", fault=fault))
    except RuleFault as fault:
        return Parting(entry.number, entry, _("the rules come to a fault: {fault}", fault=fault.message))
    except (SetupError, *_NOT_LIKE) as fault:
        return Parting(entry.number, entry, _("a change by hand cannot be made: {fault}", fault=fault))
    return None


def _apart(game: Game, old: Game | None, start: tuple[int, int]) -> Sentence | None:
    """What comes out otherwise: the first event that differs, then the position, then what is asked."""
    if old is None:
        return None
    now, was = (
        [event for event in each.log[at:] if event.sort in _APART] for each, at in zip((game, old), start, strict=True)
    )
    for one, other in zip(now, was, strict=False):
        if (one.sort, one.name, one.args) != (other.sort, other.name, other.args):
            return _("it was: {was}; it is: {now}", was=other.text(), now=one.text())
    if len(now) > len(was):
        return _("something more happens: {now}", now=now[len(was)].text())
    if len(was) > len(now):
        return _("something no longer happens: {was}", was=was[len(now)].text())
    if found := _differing(old.view(), game.view(), ()):
        path, before, after = found
        return _("{what} is {now}, was {was}", what=" ".join(path), now=after, was=before)
    return _asked_apart(game, old)


def _asked_apart(game: Game, old: Game) -> Sentence | None:
    one, other = game.decision, old.decision
    if (one and (one.name, one.side)) == (other and (other.name, other.side)):
        return None
    nothing = _("nothing")
    return _(
        "{now} is asked, was {was}",
        now=nothing if one is None else f"`{one.name}` {one.side}",
        was=nothing if other is None else f"`{other.name}` {other.side}",
    )


def _differing(was: Any, now: Any, path: tuple[str, ...]) -> tuple[tuple[str, ...], Any, Any] | None:
    """The first place where two views differ, of what both have."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key, value in was.items():
            if (
                key in now
                and key not in ("ruleset", "title")
                and (found := _differing(value, now[key], (*path, str(key))))
            ):
                return found
        return None
    return None if was == now else (path, was, now)


def _against_journal(game: Game, start: int, rolls: Sequence[e.Roll]) -> Sentence | None:
    """What the journal itself can tell: which dice were thrown."""
    thrown = [event for event in game.raw_log()[start:] if event[0] == "roll"]
    for raw, roll in zip(thrown, rolls, strict=False):
        if (raw[1], tuple(raw[3])) != (roll.name, tuple(roll.faces)):
            return _(
                "it was: {was}; it is: {now}", was=f"{roll.name} {list(roll.faces)}", now=f"{raw[1]} {list(raw[3])}"
            )
    if len(thrown) != len(rolls):
        return _("there are {now} rolls, were {was}", now=len(thrown), was=len(rolls))
    return None


def _plainly(run: Callable[[], Any]) -> Any:
    return run()


def _watching(seen: set[Line]) -> Callable[[Callable[[], Any]], Any]:
    """Run something and note every line of the rules that is come to."""

    def note(frame: FrameType, event: str, _given: object) -> Any:
        if not frame.f_code.co_filename.lower().endswith(_RULES):
            return None
        if event in ("call", "line"):
            seen.add((frame.f_code.co_filename, frame.f_lineno or frame.f_code.co_firstlineno))
        return note

    def run(what: Callable[[], Any]) -> Any:
        before = sys.gettrace()
        sys.settrace(note)
        try:
            return what()
        finally:
            sys.settrace(before)

    return run
