"""Taking up and proving saved games: a journal is replayed through the rules it was played with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.runtime import entries as e
from interpreter.runtime.faults import IllegalAction, RuleFault, SetupError
from interpreter.runtime.journal import Journal, JournalError, read_journal

if TYPE_CHECKING:
    from interpreter.rules import Rules
    from interpreter.runtime.session import Game


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a replay differs from its journal."""

    decision: int
    message: str


class Replay:
    """A journal being played again, entry by entry.

    `divergence` is set at the first difference; with `strict` iteration stops there.
    """

    __slots__ = ("journal", "rules", "game", "divergence", "entries", "_log_at", "decisions", "strict")

    def __init__(self, journal: Journal, rules: Rules, strict: bool = True) -> None:
        self.journal = journal
        self.rules = rules
        self.strict = strict
        self.entries = e.kept_entries(journal.entries)
        header = journal.header
        dice = None
        if header.seed is None:
            dice = [f for x in self.entries if isinstance(x, e.Roll) for f in x.faces]
        self.game: Game = rules.start(header.scenario or None, header.options, header.seed, dice)
        if header.seed is None:
            self.game.seed = None
        self.divergence: Divergence | None = None
        self._log_at = 0
        self.decisions = 0

    def _differs(self, message: str) -> None:
        if self.divergence is None:
            self.divergence = Divergence(self.decisions, message)

    def __iter__(self) -> Iterator[e.Entry]:
        """Each entry after it has been carried out."""
        for entry in self.entries:
            self._carry_out(entry)
            yield entry
            if self.divergence is not None and self.strict:
                return

    def finish(self) -> Game:
        """Carry out everything; the game as it then stands."""
        for _ in self:
            pass
        return self.game

    def _carry_out(self, entry: e.Entry) -> None:
        match entry:
            case e.Decision():
                self._decide(entry)
            case e.Roll():
                raw = self._next("roll")
                if raw is None or raw[1] != entry.name or tuple(raw[3]) != tuple(entry.faces):
                    found = "no roll" if raw is None else f"{raw[1]} {list(raw[3])}"
                    self._differs(f"the journal has the roll {entry.name} {list(entry.faces)}, the rules give {found}")
            case e.PhaseHash():
                raw = self._next("phase")
                if raw is None or raw[1] != entry.phase or raw[3] != entry.hash:
                    self._differs(f"the position at the start of `{entry.phase}` in turn {entry.turn} is not the "
                                  "journal's")
            case e.Edit():
                _apply_edit(self.game, entry.changes)
            case e.End():
                if self.game.outcome is None:
                    self._differs("the journal says that the game ended here, the rules go on")
                elif self.game.hash() != entry.hash:
                    self._differs("the final position is not the journal's")

    def _decide(self, entry: e.Decision) -> None:
        decision = self.game.decision
        self.decisions = entry.number
        if decision is None:
            self._differs(f"the journal has decision {entry.number} ({entry.name}), the rules ask nothing here")
            return
        if decision.name != entry.name or decision.side != entry.side:
            self._differs(f"decision {entry.number} is `{entry.name}` of {entry.side} in the journal, but the rules "
                          f"ask {decision.side} for `{decision.name}`")
            return
        self._log_at = len(self.game.raw_log()) + 1
        try:
            self.game.choose(entry.key)
        except (IllegalAction, RuleFault) as fault:
            self._differs(f"decision {entry.number}, `{entry.key}`: {fault}")

    def _next(self, sort: str) -> Any:
        log = self.game.raw_log()
        while self._log_at < len(log):
            raw = log[self._log_at]
            self._log_at += 1
            if raw[0] == sort:
                return raw
        return None


def _apply_edit(game: Game, changes: Any) -> None:
    things = {k if k not in ("side",) else "sides": v for k, v in changes.get("things", {}).items()}
    sides = things.pop("sides", None)
    game.edit(changes.get("pieces"), sides, changes.get("game"), changes.get("groups"), **things)


def open_replay(path: str | PathLike[str], anyway: bool = False, target: str | None = None,
                strict: bool = True) -> Replay:
    """A replay of a file; raises JournalError with a clear choice when the ruleset has changed since."""
    from interpreter.rules import load

    journal = read_journal(path)
    header = journal.header
    rules = load(target or header.location or header.ruleset)
    if rules.program.content_hash != header.content_hash and not anyway:
        raise JournalError(f"{path} was played with another version of `{header.ruleset}`; replay it with --anyway to "
                           "see where it first differs, or bring back the ruleset it was played with")
    try:
        return Replay(journal, rules, strict)
    except (SetupError, e.EntryError) as fault:
        raise JournalError(f"{path} cannot be replayed: {fault}") from None


def resume_game(path: str | PathLike[str], on_step: Callable[[e.Entry], None] | None = None) -> Game:
    """The game in a file, at its last decision; raises JournalError when it does not replay exactly."""
    replay = open_replay(Path(path))
    for entry in replay:
        if on_step is not None:
            on_step(entry)
    if replay.divergence is not None:
        raise JournalError(f"{path} does not replay: {replay.divergence.message}")
    return replay.game
