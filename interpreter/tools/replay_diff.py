"""Replay a saved game with its own rules and with others, choice by choice, up to the divergence.

Differences of the rulesets that may explain the divergence come closest first: a requirement that refuses, then a
rule whose lines were executed, then a value or chart that these lines mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from interpreter.api.resume import apply_edit, pop_recorded_dice, restart_game
from interpreter.api.rules import Rules
from interpreter.i18n.translator import Message, mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.play.game import Game
from interpreter.runtime.dice import DiceExhaustedError, Faces, InvalidDiceError
from interpreter.runtime.errors import IllegalAction, Reason, RuleFault, SetupError
from interpreter.runtime.log_entries import LoggedRoll
from interpreter.saves import entries as e
from interpreter.saves.journal import Journal
from interpreter.tools.diff.difference import Difference
from interpreter.tools.mutation.case_trace import Line, trace_lines
from interpreter.tools.profiling.rule_lines import list_items

T = TypeVar("T")
_SORTS = ("roll", "event", "move", "set", "end", "taken")  # sorts of events that are compared
_NOT_LIKE = (AttributeError, ArithmeticError, LookupError, TypeError, ValueError)
_WORD = re.compile(r"[A-Za-z_]\w*")
_MAX_CAUSES = 5


@dataclass(frozen=True, slots=True)
class RulesDivergence:
    """The point at which a replay diverges from the journal.

    `number`: the number of the choice, from 1, or 0 before the first choice; `entry`: the choice in the journal, or
    None before the first; `message`: the difference as a sentence; `reasons`: why a choice is refused; `lines`: the
    rule lines that were executed.
    """

    number: int
    entry: e.DecisionEntry | None
    message: Message
    reasons: tuple[Reason, ...] = ()
    lines: frozenset[Line] = frozenset()


@dataclass(slots=True)
class ReplayDiff:
    """Result of replaying a game with other rules.

    `game`: the game before the diverging choice, or at its end; `choices`: the number of choices that agree;
    `divergence`: where the game diverges, or None.
    """

    game: Game
    choices: int
    divergence: RulesDivergence | None = None


@dataclass(slots=True)
class _TypedDice:
    """A source of the dice typed by players, read from the journal for one of the two games.

    `rolls`: the recorded rolls still to be used. A game with a seed needs none.
    """

    rolls: list[e.RollEntry]

    def roll(self, name: str, subject: str, _faces: Faces, _count: int) -> Sequence[int]:
        if not self.rolls:
            raise DiceExhaustedError(name, subject)
        return pop_recorded_dice(self.rolls, name)


def replay_with_rules(journal: Journal, now: Rules, before: Rules | None) -> ReplayDiff:
    """Replay a journal with the rules `now`, and find where the game diverges.

    `before`: the journal's original rules, or None if they have changed.
    """
    replayed = _replay(journal, now, before, None)
    if replayed.divergence is None:
        return replayed
    executed: set[Line] = set()
    again = _replay(journal, now, before, (replayed.divergence.number, executed))
    assert again.divergence is not None
    return replace(again, divergence=replace(again.divergence, lines=frozenset(executed)))


def _replay(journal: Journal, now: Rules, before: Rules | None, watched: tuple[int, set[Line]] | None) -> ReplayDiff:
    """Replay the journal with the rules `now`, beside a game with the rules `before` if these are given.

    `watched`: the number of a choice, and a set that collects the rule lines executed by it; or None.
    """
    number, executed = watched if watched is not None else (-1, set[Line]())
    steps = list(_iter_steps(journal))
    tables = [_TypedDice(steps[0].list_typed_rolls()) for _rules in (now, before)]
    game = _run_traced(lambda: restart_game(journal.header, now, tables[0].roll), executed if number == 0 else None)
    old = None if before is None else restart_game(journal.header, before, tables[1].roll)
    difference = _describe_difference(game, old, (0, 0))
    if difference is not None:
        return ReplayDiff(game, 0, RulesDivergence(0, None, difference))
    for step in steps[1:]:
        entry, game_before = step.decision, game.copy_with_history()
        assert entry is not None
        lengths = (len(game.get_raw_log()), len(old.get_raw_log()) if old is not None else 0)
        for table in tables:
            table.rolls = step.list_typed_rolls()
        noted = executed if number == entry.number else None
        divergence = _run_traced(partial(_choose, game, entry, step.edits), noted)
        if divergence is None and old is not None:
            if _choose(old, entry, step.edits) is not None:
                old = None  # the original rules cannot reproduce it either, so compare with the journal only
            else:
                difference = _describe_difference(game, old, (lengths[0] + 1, lengths[1] + 1))
                divergence = RulesDivergence(entry.number, entry, difference) if difference is not None else None
        elif divergence is None:
            difference = _compare_with_journal(game, lengths[0], step.rolls)
            divergence = RulesDivergence(entry.number, entry, difference) if difference is not None else None
        if divergence is not None:
            return ReplayDiff(game_before, entry.number - 1, divergence)
    return ReplayDiff(game, len(steps) - 1)


@dataclass(slots=True)
class _Step:
    """A choice with the rolls and manual edits that follow it in the journal.

    `decision` is None for the rolls and edits before the first choice.
    """

    decision: e.DecisionEntry | None
    rolls: list[e.RollEntry] = field(default_factory=list)
    edits: list[Any] = field(default_factory=list)

    def list_typed_rolls(self) -> list[e.RollEntry]:
        """Return the rolls that a player types, leaving out rolls without dice."""
        return [roll for roll in self.rolls if roll.faces]


def _iter_steps(journal: Journal) -> Iterator[_Step]:
    step = _Step(None)
    for entry in e.list_effective_entries(journal.entries):
        match entry:
            case e.DecisionEntry():
                yield step
                step = _Step(entry)
            case e.RollEntry():
                step.rolls.append(entry)
            case e.EditEntry():
                step.edits.append(entry.changes)
    yield step


def _choose(game: Game, entry: e.DecisionEntry, edits: Sequence[Any]) -> RulesDivergence | None:
    """Apply a recorded choice and the manual edits that followed it; return the divergence, or None if it fits."""
    decision = game.decision
    if decision is None or (decision.name, decision.side) != (entry.name, entry.side):
        text = _("the decision `{name}` of {side} no longer occurs", name=entry.name, side=entry.side)
        return RulesDivergence(entry.number, entry, text)
    try:
        game.choose(entry.key)
        for changes in edits:
            apply_edit(game, changes)
    except IllegalAction as fault:
        text = _("the choice is illegal here: {fault}", fault=fault.reasons)
        return RulesDivergence(entry.number, entry, text, fault.reasons)
    except (DiceExhaustedError, InvalidDiceError) as fault:
        return RulesDivergence(entry.number, entry, _("other dice are rolled: {fault}", fault=fault))
    except RuleFault as fault:
        return RulesDivergence(entry.number, entry, _("the rules have an error: {fault}", fault=fault.message))
    except (SetupError, *_NOT_LIKE) as fault:
        return RulesDivergence(entry.number, entry, _("a change made by hand cannot be applied: {fault}", fault=fault))
    return None


def _describe_difference(game: Game, old: Game | None, start: tuple[int, int]) -> Message | None:
    """Return a sentence on the first difference of two games: in events, else in the position, else in the decision.

    `start`: the indices in both logs from which events are compared. Return None if the games agree, or without an old
    game.
    """
    if old is None:
        return None
    now, was = (
        [event for event in compared.log[number:] if event.sort in _SORTS]
        for compared, number in zip((game, old), start, strict=True)
    )
    for new_entry, old_entry in zip(now, was, strict=False):
        if (new_entry.sort, new_entry.name, new_entry.args) != (old_entry.sort, old_entry.name, old_entry.args):
            return _("before: {was}; now: {now}", was=old_entry.text(), now=new_entry.text())
    if len(now) > len(was):
        return _("additional event: {now}", now=now[len(was)].text())
    if len(was) > len(now):
        return _("missing event: {was}", was=was[len(now)].text())
    if difference := _find_difference(old.view(), game.view(), ()):
        path, before, after = difference
        return _("{what} is {now} (before: {was})", what=" ".join(path), now=after, was=before)
    return _compare_decisions(game, old)


def _compare_decisions(game: Game, old: Game) -> Message | None:
    new_decision, old_decision = game.decision, old.decision
    if (new_decision and (new_decision.name, new_decision.side)) == (
        old_decision and (old_decision.name, old_decision.side)
    ):
        return None
    nothing = _("nothing")
    return _(
        "the decision is {now} (before: {was})",
        now=nothing if new_decision is None else f"`{new_decision.name}` {new_decision.side}",
        was=nothing if old_decision is None else f"`{old_decision.name}` {old_decision.side}",
    )


def _find_difference(was: object, now: object, path: tuple[str, ...]) -> tuple[tuple[str, ...], Any, Any] | None:
    """Return (path, old value, new value) of the first difference between two views, or None.

    Only keys that both have are compared. `path`: the keys that lead to `was` and `now`.
    """
    if isinstance(was, dict) and isinstance(now, dict):
        for key, value in was.items():
            if (
                key in now
                and key not in ("ruleset", "title")
                and (difference := _find_difference(value, now[key], (*path, str(key))))
            ):
                return difference
        return None
    return None if was == now else (path, was, now)


def _compare_with_journal(game: Game, start: int, rolls: Sequence[e.RollEntry]) -> Message | None:
    """Return a sentence on the first difference between the dice of a game and the dice in the journal, or None.

    Dice are the only result that a journal records. `start`: the index in the game's log of the first entry; `rolls`:
    the recorded rolls.
    """
    thrown = [entry for entry in game.get_raw_log()[start:] if isinstance(entry, LoggedRoll)]
    for raw, roll in zip(thrown, rolls, strict=False):
        if (raw.name, raw.faces) != (roll.name, tuple(roll.faces)):
            return _(
                "before: {was}; now: {now}",
                was=f"{roll.name} {list(roll.faces)}",
                now=f"{raw.name} {list(raw.faces)}",
            )
    if len(thrown) != len(rolls):
        return _("{now} rolls (before: {was})", now=len(thrown), was=len(rolls))
    return None


def _run_traced(run: Callable[[], T], executed: set[Line] | None) -> T:
    """Call `run` and return its result; add the lines of the rules that it executes to `executed`, if that is a set."""
    return run() if executed is None else trace_lines(run, executed)


def find_causes(
    divergence: RulesDivergence, differences: Sequence[Difference], model: CheckedModel
) -> list[Difference]:
    """Return at most five differences between the rules that may have caused a divergence; [] if none fits.

    All are of the closest category that has any: a requirement that refuses, then an executed rule, then a value or
    chart that the executed lines mention. `divergence`: the divergence; `differences`: all differences between the
    rulesets; `model`: the checked model of the rules that the replay ran on.
    """
    addresses = {r.address for reason in divergence.reasons for r in (reason, *reason.besides) if r.address}
    listed = [difference for difference in differences if difference.part != "cases"]
    for called in (False, True):
        lines, words = _find_executed_lines(divergence.lines, model, called)
        weighed = [(_compute_weight(difference, addresses, lines, words), difference) for difference in listed]
        best = max((weight for weight, _each in weighed), default=0)
        if best:
            return [difference for weight, difference in weighed if weight == best][:_MAX_CAUSES]
    return []


def _find_executed_lines(executed: Iterable[Line], model: CheckedModel, called: bool) -> tuple[set[Line], set[str]]:
    """Return the executed lines and the words in them.

    `executed`: the lines that were traced. With `called`, include the lines of items they mention: memoized items leave
    no trace.
    """
    sources = {source.name: source for source in (*model.ruleset.rules, *model.ruleset.changes)}
    items_by_name = {item.name: item for item in list_items(model) if item.sort in ("define", "tally", "rule", "draft")}
    lines, words, waiting = set[Line](), set[str](), set(executed)
    while waiting:
        file, line = waiting.pop()
        lines.add((file, line))
        if file not in sources:
            continue
        for word in _WORD.findall(sources[file].get_line(line)):
            if called and word not in words and word in items_by_name:
                item = items_by_name[word]
                waiting |= {(item.file, n) for n in range(item.first, item.last + 1)} - lines
            words.add(word)
    return lines, words


def _compute_weight(difference: Difference, addresses: set[str], lines: set[Line], words: set[str]) -> int:
    if difference.part == "rules":
        if any(address == difference.path or address.startswith(difference.path + ".") for address in addresses):
            return 4
        if any(difference.path and address.rpartition(".")[0] == difference.path for address in addresses):
            filled = {str(value) for value in difference.message.holes.values()}
            return 4 if filled & {a.rpartition(".")[2] for a in addresses} else 3
        return 3 if _was_executed(difference, lines) else 0
    if difference.part in ("values", "charts"):
        path_words = _WORD.findall(difference.path)
        return 2 if path_words and path_words[-1] in words else 1 if set(path_words) & words else 0
    return 0


def _was_executed(difference: Difference, lines: set[Line]) -> bool:
    """Return True if one of the executed lines belongs to the changed item."""
    span = difference.span
    first_line, last_line = span.line, span.last_line
    return any(file == span.file and first_line <= line <= last_line for file, line in lines)
