"""Taking up and proving saved games: a journal is replayed through the rules it was played with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.facade.other_versions import different_remark, refusal, unproved_parting, unproved_remark
from interpreter.files.assets import shipped_rulesets
from interpreter.files.whereabouts import note_place, places_of
from interpreter.runtime.dice import Ask, AskedDice, DiceExhausted, Faces, WrongDice
from interpreter.runtime.faults import IllegalAction, RuleFault, SetupError
from interpreter.saves import entries as e
from interpreter.saves.identity import SCHEME_OF_BYTES, Match, identity_of, match
from interpreter.saves.journal import Journal, JournalError, read_journal
from interpreter.saves.recording import FORMAT_OF_PLAY, entries_of, waiting_of
from interpreter.source.diagnostic import RulesetError
from interpreter.words.speech import Sentence, mark as _

if TYPE_CHECKING:
    from interpreter.facade.rules import Rules
    from interpreter.play.session import Game


_UNDOABLE = (IllegalAction, RuleFault, SetupError, WrongDice)
_BROKEN_EDIT = (AttributeError, ArithmeticError, LookupError, TypeError, ValueError)  # of data that is none
_SHOWN = 80  # letters of a key, faces of a roll


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a replay differs from its journal; `message` can be said in any language."""

    decision: int
    message: Sentence


class Replay:
    """A journal being played again, entry by entry.

    `divergence` is set at the first difference, and iteration stops there. Dice that were
    typed at the table are taken from the journal; what it lacks at its end is asked of `ask`. Without
    one, a last decision whose rolls were lost is left out and `lost_decision` is set. `match` says whether the rules
    are known to be those that the game was played with.
    """

    def __init__(self, journal: Journal, rules: Rules) -> None:
        self.journal = journal
        self.rules = rules
        self.match = match(journal.header.identity, rules.program, journal.header.scenario)
        self.ask: Ask | None = None
        self.entries = e.kept_entries(journal.entries)
        self.divergence: Divergence | None = None
        self.lost_decision = False
        self.decisions = 0
        self._at = 0
        self._typed: list[e.Roll] = e.rolls_after(self.entries, -1)
        self.game: Game = begun_again(journal.header, rules, self._roll_again)
        self.rules = rules.as_played(self.game)
        self._expected: list[e.Entry] = list(entries_of(self.game))

    @property
    def is_whole(self) -> bool:
        """True when the journal holds all that its last decision set going; after it was carried out."""
        return not self._expected and not self.lost_decision

    def _differs(self, message: Sentence) -> None:
        if self.divergence is None:
            self.divergence = Divergence(self.decisions, message)

    def __iter__(self) -> Iterator[e.Entry]:
        """Each entry after it has been carried out."""
        for at, entry in enumerate(self.entries):
            self._at = at
            self._carry_out(entry)
            if self.lost_decision:
                return
            yield entry
            if self.divergence is not None:
                return

    def finish(self) -> Game:
        """Carry out everything; the game as it then stands."""
        for _entry in self:
            pass
        return self.game

    def finish_exactly(self, path: str | PathLike[str]) -> Game:
        """The same; JournalError for the file where it differs from its journal."""
        game = self.finish()
        if self.divergence is None:
            return game
        problem = self.divergence.message
        if self.match is Match.UNKNOWN:
            raise JournalError(unproved_parting(problem, self.rules, path))
        raise JournalError("{path} does not replay: {problem}", path=path, problem=problem)

    @property
    def unproved(self) -> Sentence | None:
        """What has to be said of the rules that a game was played with; None where they are those that are loaded."""
        match self.match:
            case Match.UNKNOWN:
                return unproved_remark(self.journal.header.identity)
            case Match.DIFFERENT:
                return different_remark(self.journal.header, self.rules)
        return None

    def _carry_out(self, entry: e.Entry) -> None:
        match entry:
            case e.Decision():
                self._decide(entry)
            case e.Roll() | e.PhaseHash() | e.End():
                self._compare(entry)
            case e.Waiting():
                if not self._expected and waiting_of(self.game) != entry:
                    self._differs(
                        _(
                            "the journal waits for `{name}` of {side}, the rules {asked}",
                            name=entry.name,
                            side=entry.side,
                            asked=self._asked(),
                        )
                    )
            case e.Edit():
                try:
                    apply_edit(self.game, entry.changes)
                except (SetupError, RuleFault) as fault:
                    self._differs(_("a change by hand cannot be made: {fault}", fault=fault))
                except _BROKEN_EDIT:
                    self._differs(_("a change by hand cannot be made: it is not written as changes are"))

    def _compare(self, entry: e.Entry) -> None:
        """What the journal says has happened against what the rules make happen."""
        found = self._expected.pop(0) if self._expected else None
        if found == entry:
            return
        match entry:
            case e.PhaseHash(phase=phase, turn=turn) if isinstance(found, e.PhaseHash) and (phase, turn) == (
                found.phase,
                found.turn,
            ):
                self._differs(
                    _(
                        "the position at the start of `{phase}` in turn {turn} is not the journal's",
                        phase=phase,
                        turn=turn,
                    )
                )
            case e.Roll() | e.PhaseHash():
                self._differs(
                    _("the journal has {entry}, the rules give {found}", entry=_told(entry), found=_told(found))
                )
            case e.End(outcome=outcome) if isinstance(found, e.End):
                self._differs(
                    _("the final outcome is not the journal's")
                    if outcome != found.outcome
                    else _("the final position is not the journal's")
                )
            case _:
                self._differs(_("the journal says that the game ended here, the rules go on"))

    def _decide(self, entry: e.Decision) -> None:
        decision = self.game.decision
        self.decisions = entry.number
        if self._expected and self.divergence is None:
            self._differs(
                _(
                    "the journal leaves out {left_out} before decision {number}",
                    left_out=_told(self._expected[0]),
                    number=entry.number,
                )
            )
        if decision is None:
            self._differs(
                _(
                    "the journal has decision {number} ({name}), the rules ask nothing here",
                    number=entry.number,
                    name=entry.name,
                )
            )
            return
        if decision.name != entry.name or decision.side != entry.side:
            self._differs(
                _(
                    "decision {number} is `{name}` of {side} in the journal, but the rules {asked}",
                    number=entry.number,
                    name=entry.name,
                    side=entry.side,
                    asked=self._asked(),
                )
            )
            return
        start = len(self.game.raw_log()) + 1
        self._typed = e.rolls_after(self.entries, self._at)
        try:
            self.game.choose(entry.key)
        except DiceExhausted as fault:
            self._lose_decision(entry, fault)
            return
        except _UNDOABLE as fault:
            self._differs(
                _("decision {number}, `{key}`: {fault}", number=entry.number, key=_shortened(entry.key), fault=fault)
            )
            return
        self._expected = list(entries_of(self.game, start, entry.number))

    def _lose_decision(self, entry: e.Decision, fault: DiceExhausted) -> None:
        """The rolls of a decision are not there: lost at the end of the file, left out elsewhere."""
        if any(isinstance(x, e.Decision | e.Waiting | e.End) for x in self.entries[self._at + 1 :]):
            self._differs(
                _(
                    "decision {number}, `{key}`: the journal leaves out the roll `{roll}`",
                    number=entry.number,
                    key=entry.key,
                    roll=fault.name,
                )
            )
            return
        self.lost_decision = True
        self.decisions = entry.number - 1
        self._expected = []
        self._typed = []

    def _roll_again(self, name: str, subject: str, faces: Faces, count: int) -> Sequence[int]:
        """What was typed for a roll, or is typed now where the journal has no more."""
        if self._typed:
            return typed_again(self._typed, name)
        if self.ask is None:
            raise DiceExhausted(name, subject)
        return self.ask(name, subject, faces, count)

    def _asked(self) -> Sentence:
        decision = self.game.decision
        return (
            _("ask nothing here")
            if decision is None
            else _("ask {side} for `{name}`", side=decision.side, name=decision.name)
        )


def begun_again(header: e.Header, rules: Rules, roll: Ask) -> Game:
    """The game of a journal at its first decision; `roll` gives the dice of one that has no seed."""
    dice = AskedDice(roll) if header.seed is None else None
    game = rules.start(header.scenario or None, header.options, header.seed, dice)
    if header.seed is None:
        game.seed = None
    return game


def typed_again(rolls: list[e.Roll], name: str) -> Sequence[int]:
    """What was typed for a roll: the first of those that are left; WrongDice where that is another roll."""
    roll = rolls.pop(0)
    if roll.name != name:
        raise WrongDice("the journal has the roll {name}, the rules make the roll {made}", name=roll.name, made=name)
    return roll.faces


def _told(entry: e.Entry | None) -> Sentence:
    """What the rules make happen, as a journal would have it."""
    match entry:
        case e.Roll(name=name, faces=faces):
            return _("the roll {name} {faces}", name=name, faces=_shortened(str(list(faces[:_SHOWN]))))
        case e.PhaseHash(phase=phase, turn=turn):
            return _("the phase `{phase}` of turn {turn}", phase=phase, turn=turn)
        case e.End():
            return _("the end of the game")
    return _("nothing more")


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def apply_edit(game: Game, changes: Any) -> None:
    """Make a change by hand as a journal has it; fails in many ways where the data is nonsense."""
    things = {"sides" if kind == "side" else kind: values for kind, values in changes.get("things", {}).items()}
    sides = things.pop("sides", None)
    game.edit(changes.get("pieces"), sides, changes.get("game"), changes.get("groups"), **things)


def found_target(header: e.Header, path: str | PathLike[str] = "") -> str:
    """What to load for a journal: where this machine knows its ruleset to lie, or what ships under its id.

    The one that is known to be the journal's own, if there is one. A journal never says what is opened. SetupError when
    nothing is known.
    """
    known = known_targets(header)
    if not known:
        raise SetupError(
            "{path} was played with the ruleset `{ruleset}`, which does not ship with grognard and has "
            "not been used on this machine; name the folder or file it has here: grognard play RULESET "
            "--resume FILE, or --ruleset RULESET where a game is only looked at",
            path=path,
            ruleset=header.ruleset,
        )
    if len(known) == 1:
        return known[0]
    return next((target for target in known if _plays(target, header)), known[0])


def _plays(target: str, header: e.Header) -> bool:
    """Return whether a ruleset is known to be the one that a game was played with."""
    from interpreter.facade.rules import load

    if header.identity.scheme == SCHEME_OF_BYTES:
        from interpreter.documents.trees import content_hash

        return content_hash(target) == header.identity.rules
    try:
        program = load(target).program
    except RulesetError:
        return False
    return match(header.identity, program, header.scenario) is Match.SAME


def known_targets(header: e.Header) -> list[str]:
    """What may be loaded for a journal, likeliest first; all of it comes from this machine."""
    places = sorted(places_of(header.ruleset), key=lambda place: place.hash != header.identity.rules)
    found = [place.path for place in places if Path(place.path).exists()]
    if header.ruleset in shipped_rulesets():
        found.append(header.ruleset)
    elif not found:
        from interpreter.documents.target import shipped_variants

        found += map(str, shipped_variants(header.ruleset))
    return list(dict.fromkeys(found))


def remember(rules: Rules) -> None:
    """Keep in mind where a ruleset lies that the player has named, for games that are taken up again."""
    if rules.location:
        note_place(rules.id, identity_of(rules.program, "").rules, rules.location)


def rules_of(header: e.Header, path: str | PathLike[str] = "", target: str | None = None) -> Rules:
    """The ruleset of a journal: `target` where the player names it (which is remembered), else what is known here."""
    from interpreter.facade.rules import load

    rules = load(target or found_target(header, path))
    if target and rules.id == header.ruleset:
        remember(rules)
    return rules


def open_replay(path: str | PathLike[str], anyway: bool = False, target: str | None = None) -> Replay:
    """Return a replay of a file; raise JournalError, with a way on, when the rules have changed since."""
    journal = read_journal(path)
    return replay_of(journal, rules_of(journal.header, path, target), path, anyway)


def replay_of(journal: Journal, rules: Rules, path: str | PathLike[str], anyway: bool = False) -> Replay:
    """As `open_replay`, from what was read and loaded."""
    header = journal.header
    if rules.id != header.ruleset:
        raise JournalError(
            "{path} is a game of `{ruleset}`, not of `{given}`; leave the ruleset out, or name the right one",
            path=path,
            ruleset=header.ruleset,
            given=rules.id,
        )
    if not anyway and match(header.identity, rules.program, header.scenario) is Match.DIFFERENT:
        raise JournalError(refusal(header, rules, path))
    if header.engine != FORMAT_OF_PLAY and not anyway:
        raise JournalError(
            "{path} was played with another version of grognard (play {engine!r}, this is "
            "{ours!r}); replay it with --anyway to see where it first differs",
            path=path,
            engine=header.engine[:20],
            ours=FORMAT_OF_PLAY,
        )
    try:
        return Replay(journal, rules)
    except (SetupError, e.EntryError, DiceExhausted, WrongDice) as fault:
        raise JournalError(_("{path} cannot be replayed: {fault}", path=path, fault=fault)) from None


def resume_game(path: str | PathLike[str], target: str | None = None) -> Game:
    """The game in a file, at its last decision; raises JournalError when it does not replay exactly.

    `target`: the ruleset, where it neither ships nor has been used on this machine.
    """
    return open_replay(Path(path), target=target).finish_exactly(path)
