"""Event lines: render the events of a game's log as text; simultaneous moves of several pieces become one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from interpreter.i18n.number_format import number_text
from interpreter.play.events import LogEvent, event_of, format_change, format_outcome, format_roll_name, is_silent
from interpreter.play.game import Game
from interpreter.players.narration.localizer import Localizer, format_citations
from interpreter.players.narration.position_lines import phase_title

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
        for key, run in groupby(events, key=lambda e: _run_key(e, self.words)):
            together = list(run)
            match key[0]:
                case "move":
                    lines += self.below_headings(_move_line(together, self.words))
                case "roll":
                    lines += self.below_headings(_roll_line(together, self.words))
                case "set":
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
        match event.sort:
            case "turn":
                self.begun = True
                self.headings = []
                return ["", "=== " + self.words.turn(event.args["turn"], event.raw[2])]
            case "phase":
                self.begun = True
                title = f"== {phase_title(event.name, self.words, event.raw[5])}{format_citations(event.cite)}"
                self.headings.append((event.name, title))
                return []
            case "phase_end":
                self.headings = [h for h in self.headings if h[0] != event.name]
                return []
            case "end":
                return []
            case "event" if is_silent(self.words.program, event.raw):
                return []
            case "taken" if not self.decisions:  # its result is rendered, and there was no alternative
                return []
            case "decision":
                if not self.decisions:
                    return []
                side = self.words.thing("side", str(event.args["side"]))
                return self.below_headings(
                    self.words.about(side, event.text(self.words.lang)) + format_citations(event.cite)
                )
        return self.below_headings(f"    {event.text(self.words.lang)}{format_citations(event.cite)}")


def _run_key(event: LogEvent, words: Localizer) -> tuple[Any, ...]:
    """Return the grouping key of an event.

    Grouped are moves by one rule between the same places, rolls of one name for one subject, and equal changes.
    """
    if event.sort == "move":
        return ("move", event.args["from"], event.args["to"], event.cite)
    if event.sort == "roll":
        return ("roll", format_roll_name(words.program.naming(words.lang), event.raw), event.cite)
    if event.sort == "set":
        return ("set", event.raw[1], event.name, event.raw[4], event.cite)
    return (event.sort,)


def _roll_line(events: Sequence[LogEvent], words: Localizer) -> str:
    naming = words.program.naming(words.lang)
    fell = format_outcome(naming, [event.raw for event in events])
    return f"    {words.about(format_roll_name(naming, events[0].raw), fell)}{format_citations(events[0].cite)}"


def _change_line(events: Sequence[LogEvent], words: Localizer) -> str:
    """Render the change of one thing, or the equal change of several."""
    naming = words.program.naming(words.lang)
    whose, what = zip(*(format_change(e.program, naming, e.raw) for e in events), strict=True)
    who = words.some(filter(None, whose), _MOST_NAMED)
    return f"    {words.about(who, what[0]) if who else what[0]}{format_citations(events[0].cite)}"


def _move_line(events: Sequence[LogEvent], words: Localizer) -> str:
    who = words.listed(words.company(piece for event in events for piece in event.args["pieces"]))
    origin, goal = (words.thing("place", str(events[0].args[end])) for end in ("from", "to"))
    told = words.say("{who}: {origin} to {goal}", who=who, origin=origin, goal=goal)
    return f"    {told}{format_citations(events[0].cite)}"


def outcome_lines(outcome: Any, words: Localizer) -> list[str]:
    """Render the winner, the victory level and the scores."""
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
