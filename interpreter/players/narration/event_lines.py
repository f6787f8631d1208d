"""Event lines: render the events of a game's log as text; simultaneous moves of several pieces become one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import number_text
from interpreter.play.events import LogEvent, event_of, format_change, format_outcome, format_roll_name, is_silent
from interpreter.play.game import Game, GameOutcome
from interpreter.players.narration.localizer import Localizer, format_citations
from interpreter.players.narration.position_lines import phase_title
from interpreter.runtime.log_entries import (
    LoggedChange,
    LoggedChoice,
    LoggedEnd,
    LoggedForcedChoice,
    LoggedMove,
    LoggedPhase,
    LoggedPhaseEnd,
    LoggedReport,
    LoggedRoll,
    LoggedTurn,
)

if TYPE_CHECKING:
    pass

_MOST_NAMED = 6  # things with the same change named in a line; more are counted


def events_since(game: Game, told: int) -> list[LogEvent]:
    """Return the events logged after the first `told` entries, without decoding the earlier ones."""
    return [event_of(game.program, raw) for raw in game.raw_log()[told:]]


@dataclass(slots=True)
class EventFormatter:
    """Renders events in order; holds back the headings of phases until something happens in them.

    `decisions`: also render the choices, made or automatic; False if the caller renders them itself.
    """

    words: Localizer
    decisions: bool = True
    begun: bool = False
    headings: list[tuple[str, str]] = field(default_factory=list)

    def lines(self, events: Sequence[LogEvent]) -> list[str]:
        """Render each event as a line with its rules in brackets, merging similar events that are adjacent."""
        lines: list[str] = []
        for _key, run in groupby(events, key=lambda e: _run_key(e, self.words)):
            together = list(run)
            match together[0].raw:
                case LoggedMove():
                    lines += self.below_headings(_move_line(together, self.words))
                case LoggedRoll():
                    lines += self.below_headings(_roll_line(together, self.words))
                case LoggedChange():
                    lines += self.below_headings(_change_line(together, self.words))
                case _:
                    lines += [line for event in together for line in self._lines(event)]
        return self._counted(lines)

    def stand_after(self, events: Sequence[LogEvent]) -> None:
        """Set the state to the end of these events, after the game was undone or redone.

        A heading still waiting for its first line keeps waiting.
        """
        waiting = {name: heading for name, heading in self.headings if heading}
        self.begun, self.headings = bool(events), []
        for event in events:
            match event.sort:
                case "turn":
                    self.headings = []
                case "phase":
                    self.headings.append((event.name, waiting.get(event.name, "")))
                case "phase_end":
                    self.headings = [h for h in self.headings if h[0] != event.name]

    def _counted(self, lines: Sequence[str]) -> list[str]:
        """Merge adjacent equal lines into one with a count."""
        counted: list[str] = []
        for line, run in groupby(lines):
            number = len(list(run))
            counted.append(
                line if number == 1 or not line else self.words.say("{what} ({number} times)", what=line, number=number)
            )
        return counted

    def below_headings(self, line: str) -> list[str]:
        """Return a line preceded by the headings waiting for one."""
        if not self.begun and not self.headings:
            self.headings.append(("", "=== " + self.words.say("setting up")))
        self.begun = True
        waiting = [part for _, heading in self.headings if heading for part in ("", heading)]
        self.headings = [(name, "") for name, _ in self.headings]  # rendered, but not yet ended
        return [*waiting, line]

    def _lines(self, event: LogEvent) -> list[str]:
        match event.raw:
            case LoggedTurn(turn, scenario):
                self.begun = True
                self.headings = []
                return ["", "=== " + self.words.turn(turn, scenario)]
            case LoggedPhase(phase, title_values=values):
                self.begun = True
                title = f"== {phase_title(phase, self.words, values)}{format_citations(event.cite)}"
                self.headings.append((phase, title))
                return []
            case LoggedPhaseEnd(phase):
                self.headings = [h for h in self.headings if h[0] != phase]
                return []
            case LoggedEnd():
                return []
            case LoggedReport() if is_silent(self.words.program, event.raw):
                return []
            case LoggedForcedChoice() if not self.decisions:  # its result is rendered, and there was no alternative
                return []
            case LoggedChoice():
                if not self.decisions:
                    return []
                side = self.words.thing("side", event.raw.side)
                return self.below_headings(
                    self.words.about(side, event.text(self.words.lang)) + format_citations(event.cite)
                )
        return self.below_headings(f"    {event.text(self.words.lang)}{format_citations(event.cite)}")


def _run_key(event: LogEvent, words: Localizer) -> tuple[Any, ...]:
    """Return the grouping key of an event.

    Grouped are moves by one rule between the same places, rolls of one name for one subject, and equal changes.
    """
    match event.raw:
        case LoggedMove(_, origin, destination):
            return ("move", origin, destination, event.cite)
        case LoggedRoll():
            return ("roll", format_roll_name(words.program.naming(words.lang), event.raw), event.cite)
        case LoggedChange(kind, attribute, _, value):
            return ("set", kind, attribute, value, event.cite)
    return (event.sort,)


def _roll_line(events: Sequence[LogEvent], words: Localizer) -> str:
    naming = words.program.naming(words.lang)
    rolls = [event.raw for event in events if isinstance(event.raw, LoggedRoll)]
    fell = format_outcome(naming, rolls)
    return f"    {words.about(format_roll_name(naming, rolls[0]), fell)}{format_citations(events[0].cite)}"


def _change_line(events: Sequence[LogEvent], words: Localizer) -> str:
    """Render the change of one thing, or the equal change of several."""
    naming = words.program.naming(words.lang)
    changes = [format_change(e.program, naming, e.raw) for e in events if isinstance(e.raw, LoggedChange)]
    whose, what = zip(*changes, strict=True)
    who = words.some(filter(None, whose), _MOST_NAMED)
    return f"    {words.about(who, what[0]) if who else what[0]}{format_citations(events[0].cite)}"


def _move_line(events: Sequence[LogEvent], words: Localizer) -> str:
    who = words.listed(words.company(piece for event in events for piece in event.args["pieces"]))
    origin, goal = (words.thing("place", str(events[0].args[end])) for end in ("from", "to"))
    told = words.say("{who}: {origin} to {goal}", who=who, origin=origin, goal=goal)
    return f"    {told}{format_citations(events[0].cite)}"


def outcome_lines(outcome: GameOutcome | None, words: Localizer) -> list[str]:
    """Render the winner, the victory level and the scores; return no line without an outcome."""
    if outcome is None:
        return []
    say, winner = words.say, outcome.winner
    if winner in (None, "draw", ()):
        line = say("the game is a draw")
    else:
        names = [winner] if isinstance(winner, str) else list(winner)
        line = say("won by {winner}", winner=say(" and ").join(words.thing("seat", n) for n in names))
    if outcome.level:
        line = words.about(line, words.level(outcome.level))
    lines = ["", f"=== {line}"]
    if outcome.scores:
        told = words.listed(f"{words.thing('seat', s)} {number_text(v)}" for s, v in outcome.scores.items())
        lines.append(say("scores: {scores}", scores=told))
    return lines
