"""Resumption and verification of saved games, by replaying a journal through its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.api.other_versions import (
    format_difference_remark,
    format_divergence,
    format_refusal,
    format_uncomparable_remark,
)
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.ruleset_locations import list_known_locations, store_location
from interpreter.i18n.translator import Message, mark as _
from interpreter.runtime.dice import Ask, AskedDice, DiceExhaustedError, Faces, InvalidDiceError
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.saves import entries as e
from interpreter.saves.identity import SCHEME_OF_BYTES, Match, compute_identity, match_identity
from interpreter.saves.journal import Journal, JournalError, read_journal
from interpreter.saves.recorder import FORMAT_OF_PLAY, build_waiting_entry, iter_entries

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game

_UNDOABLE = (IllegalAction, RuleFault, SetupError, InvalidDiceError)
_BROKEN_EDIT = (AttributeError, ArithmeticError, LookupError, TypeError, ValueError)  # raised for invalid data
_MAX_QUOTED_CHARACTERS = 80  # maximum characters of a key, and faces of a roll, in messages


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a replay differs from its journal; `message` is translatable."""

    decision: int
    message: Message


class Replay:
    """The replay of a journal, entry by entry.

    `divergence` is set at the first difference, and iteration stops there. Dice entered by hand are taken from the
    journal; those missing at its end are requested from `ask`. Without `ask`, a last decision whose rolls are missing
    is left out and `lost_decision` is set. `match` says whether the rules are known to be those that the game was
    played with.
    """

    def __init__(self, journal: Journal, rules: Rules) -> None:
        self.journal = journal
        self.rules = rules
        self.match = match_identity(journal.header.identity, rules.program, journal.header.scenario)
        self.ask: Ask | None = None
        self.entries = e.list_effective_entries(journal.entries)
        self.divergence: Divergence | None = None
        self.lost_decision = False
        self.decisions = 0
        self._index = 0
        self._typed: list[e.RollEntry] = e.list_rolls_after(self.entries, -1)
        self.game: Game = restart_game(journal.header, rules, self._roll_again)
        self.rules = rules.as_played(self.game)
        self._expected: list[e.Entry] = list(iter_entries(self.game))

    @property
    def is_whole(self) -> bool:
        """Return whether the journal has everything that its last decision caused; valid after the replay."""
        return not self._expected and not self.lost_decision

    def _record_difference(self, message: Message) -> None:
        if self.divergence is None:
            self.divergence = Divergence(self.decisions, message)

    def __iter__(self) -> Iterator[e.Entry]:
        """Yield each entry after applying it."""
        for index, entry in enumerate(self.entries):
            self._index = index
            self._carry_out(entry)
            if self.lost_decision:
                return
            yield entry
            if self.divergence is not None:
                return

    def finish(self) -> Game:
        """Replay everything and return the game."""
        for _entry in self:
            pass
        return self.game

    def finish_without_divergence(self, path: str | PathLike[str]) -> Game:
        """Replay everything and return the game; raise JournalError if it diverges from the journal.

        `path`: the file, for messages.
        """
        game = self.finish()
        if self.divergence is None:
            return game
        problem = self.divergence.message
        if self.match is Match.UNKNOWN:
            raise JournalError(format_divergence(problem, self.rules, path))
        raise JournalError("{path} does not replay: {problem}", path=path, problem=problem)

    @property
    def rules_remark(self) -> Message | None:
        """Return a remark if the rules are not known to be those that the game was played with, else None."""
        match self.match:
            case Match.UNKNOWN:
                return format_uncomparable_remark(self.journal.header.identity)
            case Match.DIFFERENT:
                return format_difference_remark(self.journal.header, self.rules)
        return None

    def _carry_out(self, entry: e.Entry) -> None:
        match entry:
            case e.DecisionEntry():
                self._decide(entry)
            case e.RollEntry() | e.PhaseHashEntry() | e.EndEntry():
                self._compare(entry)
            case e.WaitingEntry():
                if not self._expected and build_waiting_entry(self.game) != entry:
                    message = _(
                        "the saved game continues with `{name}` of {side}, but the rules {asked}",
                        name=entry.name,
                        side=entry.side,
                        asked=self._describe_decision(),
                    )
                    self._record_difference(message)
            case e.EditEntry():
                try:
                    apply_edit(self.game, entry.changes)
                except (SetupError, RuleFault) as fault:
                    self._record_difference(_("a change made by hand cannot be applied: {fault}", fault=fault))
                except _BROKEN_EDIT:
                    self._record_difference(_("a change made by hand cannot be applied: it is not a valid change"))

    def _compare(self, entry: e.Entry) -> None:
        """Compare an entry of the journal with the result of the rules; set `divergence` if they differ."""
        produced = self._expected.pop(0) if self._expected else None
        if produced == entry:
            return
        match entry, produced:
            case e.PhaseHashEntry(_, phase, turn), e.PhaseHashEntry(_, now, now_turn) if (phase, turn) == (
                now,
                now_turn,
            ):
                message = _(
                    "the position at the start of `{phase}` in turn {turn} differs from the saved game",
                    phase=phase,
                    turn=turn,
                )
            case ((e.RollEntry() | e.PhaseHashEntry()), _):
                message = _(
                    "the saved game has {entry}, but the rules give {found}",
                    entry=_describe_entry(entry),
                    found=_describe_entry(produced),
                )
            case e.EndEntry(outcome=outcome), e.EndEntry(outcome=result):
                message = (
                    _("the final result differs from the saved game")
                    if outcome != result
                    else _("the final position differs from the saved game")
                )
            case _:
                message = _("the saved game ends here, but the rules continue")
        self._record_difference(message)

    def _decide(self, entry: e.DecisionEntry) -> None:
        """Make a recorded decision; set `divergence` if the rules ask for another one or refuse the choice."""
        decision = self.game.decision
        self.decisions = entry.number
        if self._expected and self.divergence is None:
            message = _(
                "the saved game lacks {left_out} before decision {number}",
                left_out=_describe_entry(self._expected[0]),
                number=entry.number,
            )
            self._record_difference(message)
        if decision is None:
            message = _(
                "the saved game has decision {number} ({name}), but the rules have no decision here",
                number=entry.number,
                name=entry.name,
            )
            self._record_difference(message)
            return
        if decision.name != entry.name or decision.side != entry.side:
            message = _(
                "decision {number} is `{name}` of {side} in the saved game, but the rules {asked}",
                number=entry.number,
                name=entry.name,
                side=entry.side,
                asked=self._describe_decision(),
            )
            self._record_difference(message)
            return
        start = len(self.game.get_raw_log()) + 1
        self._typed = e.list_rolls_after(self.entries, self._index)
        try:
            self.game.choose(entry.key)
        except DiceExhaustedError as fault:
            self._lose_decision(entry, fault)
            return
        except _UNDOABLE as fault:
            self._record_difference(
                _("decision {number}, `{key}`: {fault}", number=entry.number, key=_shorten(entry.key), fault=fault)
            )
            return
        self._expected = list(iter_entries(self.game, start, entry.number))

    def _lose_decision(self, entry: e.DecisionEntry, fault: DiceExhaustedError) -> None:
        """Handle a decision whose rolls are missing: drop it at the end of the file, report a divergence elsewhere.

        `entry`: the decision; `fault`: the error that names the missing roll.
        """
        if any(isinstance(x, e.DecisionEntry | e.WaitingEntry | e.EndEntry) for x in self.entries[self._index + 1 :]):
            message = _(
                "decision {number}, `{key}`: the saved game lacks the roll `{roll}`",
                number=entry.number,
                key=entry.key,
                roll=fault.name,
            )
            self._record_difference(message)
            return
        self.lost_decision = True
        self.decisions = entry.number - 1
        self._expected = []
        self._typed = []

    def _roll_again(self, name: str, subject: str, faces: Faces, count: int) -> Sequence[int]:
        """Return the recorded faces of the roll `name`; if the journal has no more rolls, request them from `ask`.

        `subject`, `faces` and `count` are passed to `ask`: the thing rolled for, the faces of a die, and the number of
        dice. Raises DiceExhaustedError without `ask`.
        """
        if self._typed:
            return pop_recorded_dice(self._typed, name)
        if self.ask is None:
            raise DiceExhaustedError(name, subject)
        return self.ask(name, subject, faces, count)

    def _describe_decision(self) -> Message:
        decision = self.game.decision
        return (
            _("have no decision here")
            if decision is None
            else _("ask {side} for `{name}`", side=decision.side, name=decision.name)
        )


def restart_game(header: e.JournalHeader, rules: Rules, roll: Ask) -> Game:
    """Start the game of a journal at its first decision; `roll` provides the dice of a game without a seed."""
    dice = AskedDice(roll) if header.seed is None else None
    game = rules.start(header.scenario or None, header.options, header.seed, dice)
    if header.seed is None:
        game.seed = None
    return game


def pop_recorded_dice(rolls: list[e.RollEntry], name: str) -> Sequence[int]:
    """Remove the first entry of `rolls` and return its faces. Raises InvalidDiceError if it is not the roll `name`."""
    roll = rolls.pop(0)
    if roll.name != name:
        raise InvalidDiceError(
            "the saved game has the roll {name}, but the rules make the roll {made}", name=roll.name, made=name
        )
    return roll.faces


def _describe_entry(entry: e.Entry | None) -> Message:
    """Describe an event that the rules produce: a roll, a phase, the end; "nothing more" for None."""
    match entry:
        case e.RollEntry(name=name, faces=faces):
            return _("the roll {name} {faces}", name=name, faces=_shorten(str(list(faces[:_MAX_QUOTED_CHARACTERS]))))
        case e.PhaseHashEntry(phase=phase, turn=turn):
            return _("the phase `{phase}` of turn {turn}", phase=phase, turn=turn)
        case e.EndEntry():
            return _("the end of the game")
    return _("nothing more")


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED_CHARACTERS else text[:_MAX_QUOTED_CHARACTERS] + "..."


def apply_edit(game: Game, changes: Mapping[str, Any]) -> None:
    """Apply the manual changes of a journal entry, given as JSON data, to `game`.

    Raises what `Game.edit` raises, or another error, if the data is invalid.
    """
    things = {"sides" if kind == "side" else kind: values for kind, values in changes.get("things", {}).items()}
    sides = things.pop("sides", None)
    game.edit(changes.get("pieces"), sides, changes.get("game"), changes.get("groups"), **things)


def find_target(header: e.JournalHeader, path: str | PathLike[str] = "") -> str:
    """Return the target to load for a journal: a location known on this machine, or a shipped ruleset.

    Prefers the one with the journal's identity. A journal never determines which file is opened. Raises SetupError if
    no location is known.
    """
    targets = list_known_targets(header)
    if not targets:
        raise SetupError(
            "{path} was played with the ruleset `{ruleset}`, which does not come with grognard and has not "
            "been used on this computer. Give its folder or file: grognard play RULESET --resume FILE, or "
            "only to view the game: --ruleset RULESET",
            path=path,
            ruleset=header.ruleset,
        )
    if len(targets) == 1:
        return targets[0]
    return next((target for target in targets if _has_identity_of(target, header)), targets[0])


def _has_identity_of(target: str, header: e.JournalHeader) -> bool:
    """Return whether a ruleset is known to be the one that a game was played with."""
    from interpreter.api.loading import load

    if header.identity.scheme == SCHEME_OF_BYTES:
        from interpreter.documents.pipeline import compute_content_hash

        return compute_content_hash(target) == header.identity.rules
    try:
        program = load(target).program
    except RulesetError:
        return False
    return match_identity(header.identity, program, header.scenario) is Match.SAME


def list_known_targets(header: e.JournalHeader) -> list[str]:
    """Return the targets that may be loaded for a journal, most likely first; this machine knows all of them."""
    places = sorted(list_known_locations(header.ruleset), key=lambda place: place.hash != header.identity.rules)
    targets = [place.path for place in places if Path(place.path).exists()]
    if header.ruleset in list_shipped_rulesets():
        targets.append(header.ruleset)
    elif not targets:
        from interpreter.documents.target import find_shipped_variants

        targets += map(str, find_shipped_variants(header.ruleset))
    return list(dict.fromkeys(targets))


def store_target(rules: Rules) -> None:
    """Store the location of a ruleset that the player has named, so that games can be resumed later."""
    if rules.location:
        store_location(rules.id, compute_identity(rules.program, "").rules, rules.location)


def load_journal_rules(header: e.JournalHeader, path: str | PathLike[str] = "", target: str | None = None) -> Rules:
    """Load the ruleset of a journal: `target` if the player names it, else one known on this machine.

    `path`: the file of the journal, for messages. The location of `target` is stored for later.
    """
    from interpreter.api.loading import load

    rules = load(target or find_target(header, path))
    if target and rules.id == header.ruleset:
        store_target(rules)
    return rules


def open_replay(path: str | PathLike[str], anyway: bool = False, target: str | None = None) -> Replay:
    """Return the replay of the journal in a file.

    Raises JournalError, with a way to continue, if the journal cannot be read or was recorded with other rules.
    `anyway`: in the latter case replay up to the first difference; `target`: the ruleset, if the player names it.
    """
    journal = read_journal(path)
    return build_replay(journal, load_journal_rules(journal.header, path, target), path, anyway)


def build_replay(journal: Journal, rules: Rules, path: str | PathLike[str], anyway: bool = False) -> Replay:
    """Return the replay of a journal under loaded rules.

    Raises JournalError if the journal belongs to another ruleset, or was recorded with other rules or another version
    of the program. `anyway`: in the second case replay up to the first difference. `path`: the file, for messages.
    """
    header = journal.header
    if rules.id != header.ruleset:
        raise JournalError(
            "{path} is a game of `{ruleset}`, not of `{given}`; leave out the ruleset, or give the right one",
            path=path,
            ruleset=header.ruleset,
            given=rules.id,
        )
    if not anyway and match_identity(header.identity, rules.program, header.scenario) is Match.DIFFERENT:
        raise JournalError(format_refusal(header, rules, path))
    if header.engine != FORMAT_OF_PLAY and not anyway:
        raise JournalError(
            "{path} was played with another version of grognard (file {engine!r}, program {ours!r}); to see "
            "the first difference, replay it with --anyway",
            path=path,
            engine=header.engine[:20],
            ours=FORMAT_OF_PLAY,
        )
    try:
        return Replay(journal, rules)
    except (SetupError, e.EntryError, DiceExhaustedError, InvalidDiceError) as fault:
        raise JournalError(_("cannot replay {path}: {fault}", path=path, fault=fault)) from None


def resume_game(path: str | PathLike[str], target: str | None = None) -> Game:
    """Return the game in a file, after its last decision; raise JournalError unless it replays exactly.

    `target`: the ruleset, if it neither ships nor is known on this machine.
    """
    return open_replay(Path(path), target=target).finish_without_divergence(path)
