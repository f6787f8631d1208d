"""Event lines: render the events of a game's log as text; simultaneous moves of several pieces become one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.events import LogEvent, build_event, format_changes, format_outcome, format_roll_name, is_silent
from interpreter.play.game import Game, GameOutcome
from interpreter.play.lines import BLANK, Line, LineKind, begin_sentence
from interpreter.play.template_values import format_turn
from interpreter.players.narration.position_lines import format_phase_title
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    LogEntry,
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

_KINDS: dict[str, LineKind] = {"decision": "choice", "taken": "choice", "roll": "roll", "move": "move", "set": "change"}
_MAX_NAMED = 6  # things with the same change named in a line; more are counted


def list_events_since(game: Game, reported: int) -> list[LogEvent]:
    """Return the events logged after the first `reported` log entries, without decoding the earlier ones."""
    return [build_event(game.program, raw) for raw in game.get_raw_log()[reported:]]


@dataclass(slots=True)
class EventFormatter:
    """Renderer of events in order; the heading of a phase is rendered only when something happens in the phase.

    `decisions`: also render the choices, made or automatic; False if the caller renders them itself. `has_started`: a
    line or a heading was rendered, so "setting up" is not the first. `headings`: the phases that have begun, with the
    heading if it is not rendered yet.
    """

    localizer: Localizer
    decisions: bool = True
    has_started: bool = False
    headings: list[tuple[str, Line | None]] = field(default_factory=list)

    def render_lines(self, events: Sequence[LogEvent]) -> list[Line]:
        """Render each event as a line with the paragraphs it cites, merging similar events that are adjacent."""
        lines: list[Line] = []
        for _key, run in groupby(events, key=lambda e: _run_key(e, self.localizer)):
            together = list(run)
            match together[0].raw:
                case LoggedMove():
                    lines += self._render_event(_format_moves(together, self.localizer), together)
                case LoggedRoll():
                    lines += self._render_event(_format_rolls(together, self.localizer), together)
                case LoggedChange():
                    lines += self._render_event(_format_changes(together, self.localizer), together)
                case _:
                    lines += [line for event in together for line in self._render_single_event(event)]
        return self._merge_equal_lines(lines)

    def continue_after(self, events: Sequence[LogEvent]) -> None:
        """Set the formatter to the moment after `events`, for example when the game was undone or redone.

        Headings of phases that are not rendered yet remain to be rendered.
        """
        waiting = {name: heading for name, heading in self.headings if heading}
        self.has_started, self.headings = bool(events), []
        for event in events:
            match event.sort:
                case "turn":
                    self.headings = []
                case "phase":
                    self.headings.append((event.name, waiting.get(event.name)))
                case "phase_end":
                    self.headings = [h for h in self.headings if h[0] != event.name]

    def _merge_equal_lines(self, lines: Sequence[Line]) -> list[Line]:
        """Merge adjacent lines of equal text and rules into one with a count."""
        counted: list[Line] = []
        for (_kind, text, _cites), run in groupby(lines, key=lambda line: (line.kind, line.text, line.citations)):
            alike = list(run)
            if len(alike) == 1 or not text:
                counted += alike
                continue
            merged = self.localizer.say("{what} ({number} times)", what=text, number=len(alike))
            places = tuple(dict.fromkeys(place for line in alike for place in line.places))
            pieces = tuple(dict.fromkeys(piece for line in alike for piece in line.pieces))
            counted.append(replace(alike[0], text=merged, places=places, pieces=pieces))
        return counted

    def add_headings(self, line: Line) -> list[Line]:
        """Return the line, preceded by the phase headings that were not rendered yet."""
        if not self.has_started and not self.headings:
            self.headings.append(("", Line(begin_sentence(self.localizer.say("setting up")), kind="turn")))
        self.has_started = True
        waiting = [part for _, heading in self.headings if heading is not None for part in (BLANK, heading)]
        self.headings = [(name, None) for name, _ in self.headings]  # rendered, but not yet ended
        return [*waiting, line]

    def _render_event(self, text: str, events: Sequence[LogEvent], level: int = 2) -> list[Line]:
        """Return one line for events of one sort, preceded by the phase headings that were not rendered yet.

        `text`: the text of the line; `level`: its indentation. The line records the places and pieces that the events
        name.
        """
        kind = _KINDS.get(events[0].sort, "event")
        side = str(events[0].args.get("side") or events[0].args.get("by") or "")
        places, pieces = ((), ()) if events[0].sort == "decision" else collect_ids(events)
        return self.add_headings(Line(begin_sentence(text), events[0].cite, kind, level, False, side, places, pieces))

    def _render_single_event(self, event: LogEvent) -> list[Line]:
        """Render one event that is not merged with others; [] if it has no line of its own."""
        match event.raw:
            case LoggedTurn(turn, scenario):
                self.has_started = True
                self.headings = []
                return [BLANK, Line(begin_sentence(format_turn(self.localizer, turn, scenario)), kind="turn")]
            case LoggedPhase(phase, title_values=values):
                self.has_started = True
                title = format_phase_title(phase, self.localizer, values)
                self.headings.append((phase, Line(title, event.cite, "phase")))
                return []
            case LoggedPhaseEnd(phase):
                self.headings = [h for h in self.headings if h[0] != phase]
                return []
            case LoggedEnd():
                return []
            case LoggedReport() if is_silent(self.localizer.program, event.raw):
                return []
            case LoggedForcedChoice() if not self.decisions:  # its result is rendered; the player had no alternative
                return []
            case LoggedChoice():
                if not self.decisions:
                    return []
                side = self.localizer.get_thing_name("side", event.raw.side)
                return self._render_event(
                    self.localizer.prefix_topic(side, event.text(self.localizer.lang)), [event], 0
                )
        return self._render_event(event.text(self.localizer.lang), [event])


def collect_ids(events: Sequence[LogEvent]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the places and of the pieces that events name, each once."""
    places: dict[str, None] = {}
    pieces: dict[str, None] = {}
    for event in events:
        handles = event.program.handles
        for value in event.args.values():
            for part in value if isinstance(value, list | tuple) else (value,):
                if isinstance(part, str) and part in handles["place"]:
                    places[part] = None
                elif isinstance(part, str) and part in handles["piece"]:
                    pieces[part] = None
    return tuple(places), tuple(pieces)


def _run_key(event: LogEvent, localizer: Localizer) -> tuple[Any, ...]:
    """Return the grouping key of an event: adjacent events with equal keys are rendered together.

    Moves are grouped by rule and places, rolls by name, subject and rule, changes by attribute, value and rule.
    """
    match event.raw:
        case LoggedMove(_, origin, destination):
            return ("move", origin, destination, event.cite)
        case LoggedRoll():
            return ("roll", format_roll_name(localizer, event.raw), event.cite)
        case LoggedChange(kind, attribute, _, value):
            return ("set", kind, attribute, value, event.cite)
    return (event.sort,)


def _format_rolls(events: Sequence[LogEvent], localizer: Localizer) -> str:
    rolls = [event.raw for event in events if isinstance(event.raw, LoggedRoll)]
    return localizer.prefix_topic(format_roll_name(localizer, rolls[0]), format_outcome(localizer, rolls))


def _format_changes(events: Sequence[LogEvent], localizer: Localizer) -> str:
    """Render changes that give one or several things the same new value."""
    return format_changes(localizer, [e.raw for e in events if isinstance(e.raw, LoggedChange)], _MAX_NAMED)


def _format_moves(events: Sequence[LogEvent], localizer: Localizer) -> str:
    """Render moves between the same two places."""
    names = localizer.join_list(
        localizer.list_piece_counts(piece for event in events for piece in event.args["pieces"])
    )
    origin, goal = (localizer.get_thing_name("place", str(events[0].args[end])) for end in ("from", "to"))
    return localizer.say("{who}: {origin} to {goal}", who=names, origin=origin, goal=goal)


def render_outcome(outcome: GameOutcome | None, localizer: Localizer) -> list[Line]:
    """Render the winner, the victory level and the scores; return no line without an outcome."""
    if outcome is None:
        return []
    say, winner = localizer.say, outcome.winner
    if winner in (None, "draw", ()):
        line = say("the game is a draw")
    else:
        names = [winner] if isinstance(winner, str) else list(winner)
        line = say("won by {winner}", winner=say(" and ").join(localizer.get_thing_name("seat", n) for n in names))
    if outcome.level:
        line = localizer.prefix_topic(line, localizer.format_level(outcome.level))
    lines = [BLANK, Line(begin_sentence(line), kind="outcome")]
    if outcome.scores:
        scores = localizer.join_list(
            f"{localizer.get_thing_name('seat', s)} {format_number(v)}" for s, v in outcome.scores.items()
        )
        lines.append(Line(begin_sentence(say("scores: {scores}", scores=scores))))
    return lines


def render_revealed(entries: Iterable[LogEntry], localizer: Localizer) -> tuple[str, ...]:
    """Render what log entries revealed: a line with the names of the rolls, and one with the sides that decided."""
    rolls: dict[str, None] = {}
    sides: dict[str, None] = {}
    for raw in entries:
        if isinstance(raw, LoggedRoll):
            rolls[localizer.translate_name(raw.name, "roll")] = None
        elif isinstance(raw, LoggedChoice):
            sides[localizer.get_thing_name("side", raw.side)] = None
    lines = ((localizer.say("dice"), rolls), (localizer.say("decided"), sides))
    return tuple(localizer.prefix_topic(label, localizer.join_list(names)) for label, names in lines if names)
