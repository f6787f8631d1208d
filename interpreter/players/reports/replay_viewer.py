"""Replay viewer for the terminal: step forwards and backwards through a saved game, as text or map.

Read-only; drawing the map is delegated to a callback.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine, mark_drawing_lines
from interpreter.players.manual_dice import DiceQuestion
from interpreter.players.narration.event_lines import EventFormatter, render_outcome
from interpreter.players.narration.position_lines import position_lines, render_heading
from interpreter.players.orders.name_index import to_half_width
from interpreter.players.reports.replay_log import ReplayLog
from interpreter.runtime.localizer import Localizer

HELP = _(
    "  n [N]       forward, one decision or N         b [N]      back, one decision or N\n  p, bp       "
    "next phase, previous phase         t, bt      next turn, previous turn\n  goto N      after "
    "decision N (0: the start)    start, end\n  position    the whole position                 map [all] "
    " draw the map\n  map FILE    write the map to FILE.svg or .png\n  log [N]     the last N events      "
    "            luck       dice against their average, up to here\n  help        show this list         "
    "            quit"
)

_MAX_DECISION = 100_000
_STEPS = {"n": 1, "next": 1, "b": -1, "back": -1}
_COMMANDS = (
    _("next"),
    _("back"),
    _("goto"),
    _("start"),
    _("end"),
    _("position"),
    _("map"),
    _("log"),
    _("luck"),
    _("help"),
    _("quit"),
    _("phase"),
    _("turn"),
    _("all"),
)


@dataclass(slots=True)
class ReplayViewer:
    """Interactive viewer of a replay log.

    `draw` renders the lines of the map (True: without the lists beside it); `weigh` renders the luck up to a decision;
    `save` writes a picture to a file and returns lines to show. If one of them is None, its command is not available.
    """

    replay_log: ReplayLog
    localizer: Localizer
    screen: DiceQuestion
    draw: Callable[[Game, bool], Sequence[str]] | None = None
    weigh: Callable[[int], Sequence[TextLine]] | None = None
    save: Callable[[Game, str], Sequence[str]] | None = None

    def run(self) -> None:
        """Start at the beginning and run until the user quits or input ends."""
        self.replay_log.go_to(0)
        first = self.localizer.say("n: forward; help: list all commands")
        self.screen.write([*self._render_events(0, 0), *self._render_step(), first])
        while True:
            typed = self.screen.read(f"{self.replay_log.at}/{self.replay_log.last}> ")
            if typed is None:
                return
            if self._is_saved(typed.split()):
                continue
            if self._carry_out(" ".join(typed.split()).casefold()):
                return

    def _is_saved(self, parts: list[str]) -> bool:
        """Save the map as a picture if the command, given as words, names a picture file; return whether it did.

        File names keep their case.
        """
        if self.save is None or len(parts) < 2 or not parts[-1].casefold().endswith((".svg", ".png")):
            return False
        if parts[0].casefold() not in ("map", self.localizer.say("map").casefold()):
            return False
        self.screen.write(self.save(self.replay_log.game, " ".join(parts[1:])))
        return True

    def _carry_out(self, text: str) -> bool:
        """Execute a typed command. Return True for the one that quits."""
        say, story = self.localizer.say, self.replay_log
        english = {say(name).casefold(): name for name in _COMMANDS}
        parts = [english.get(part, part) for part in to_half_width(text or "n").split()]
        word, rest = parts[0], " ".join(parts[1:])
        match word:
            case "q" | "quit" | "exit":
                return True
            case "help" | "?":
                self.screen.write(say(HELP).split("\n"))
            case "n" | "next" | "b" | "back" if (steps := _parse_count(rest, 1)) is not None:
                self._move(story.at + _STEPS[word] * steps)
            case "next" | "p" | "phase" | "t" | "turn" if rest in ("", "phase", "turn"):
                self._move(story.find_next_change(by_turn="turn" in (word, rest) or word == "t"))
            case "bp" | "bt" if not rest:
                self._move(story.find_change_before(by_turn=word == "bt"))
            case "b" | "back" if rest in ("phase", "turn"):
                self._move(story.find_change_before(by_turn=rest == "turn"))
            case "goto" | "g" if (goal := _parse_count(rest, None)) is not None:
                self._move(goal, is_told=False)
            case "start" | "end" if not rest:
                self._move(0 if word == "start" else story.last, is_told=False)
            case "position" | "pos" if not rest:
                self.screen.write(position_lines(story.game, self.localizer))
            case "map" if rest in ("", "all"):
                map_lines = self.draw(story.game, not rest) if self.draw else ()
                self._show(mark_drawing_lines(map_lines), say("this map cannot be drawn"))
            case "luck" if not rest:
                self._show(self.weigh(story.at) if self.weigh else (), say("luck cannot be computed here"))
            case "log" if (many := _parse_count(rest, 20)) is not None:
                lines = [line for line in self._render_events(0, story.at) if line.text]
                self.screen.write(lines[-many:] if many else [])
            case _ if (goal := _parse_count(word if not rest else "", None)) is not None:
                self._move(goal, is_told=False)
            case _:
                shortened = quote_typed(text, "...")
                self.screen.write([say("`{typed}` is not a command here; help lists the commands", typed=shortened)])
        return False

    def _show(self, lines: Sequence[TextLine], otherwise: str) -> None:
        self.screen.write(lines or [otherwise])

    def _move(self, goal: int, is_told: bool = True) -> None:
        """Go to the step after decision `goal`; `is_told`: write the events in between if the step is later."""
        before = self.replay_log.at
        if goal > self.replay_log.last and before == self.replay_log.last:
            self.screen.write([self.localizer.say("this is the end of the file; b goes back")])
            return
        if goal < 0 and before == 0:
            self.screen.write([self.localizer.say("this is the start; n goes forward")])
            return
        self.replay_log.go_to(goal)
        is_told = is_told and self.replay_log.at > before
        events = self._render_events(before, self.replay_log.at) if is_told else []
        self.screen.write([*events, *self._render_step()])

    def _render_events(self, after: int, upto: int) -> list[Line]:
        """Render the events after decision `after` up to decision `upto`."""
        return render_events_between(self.replay_log, self.localizer, after, upto, is_complete=after == 0)

    def _render_step(self) -> list[TextLine]:
        """Render the current step in a line or two."""
        game, say = self.replay_log.game, self.localizer.say
        heading = say(
            "after decision {number} of {last}: {place}",
            number=self.replay_log.at,
            last=self.replay_log.last,
            place=render_heading(game.view(), self.localizer),
        )
        if game.over:
            return ["", heading, *render_outcome(game.outcome, self.localizer)]
        decision = game.decision
        if decision is None:
            return ["", heading]
        seat, side = (
            self.localizer.get_thing_name("seat", decision.seat),
            self.localizer.get_thing_name("side", decision.side),
        )
        return ["", heading, say("to move: {seat}, for {side}", seat=seat, side=side)]


def render_events_between(
    replay_log: ReplayLog, localizer: Localizer, after: int, upto: int, is_complete: bool
) -> list[Line]:
    """Render the events after decision `after` up to `upto`; with `is_complete` also the set-up of the game.

    The current step of the log is unchanged.
    """
    teller = EventFormatter(localizer, decisions=False)
    lines: list[Line] = []
    if is_complete:
        lines += teller.render_lines(replay_log.list_opening_events())
    else:
        teller.has_started = True
    for number in range(after + 1, upto + 1):
        lines += teller.add_headings(render_choice(replay_log, localizer, number))
        lines += teller.render_lines(replay_log.list_events(number - 1, number)[1:])
    return lines


def render_choice(replay_log: ReplayLog, localizer: Localizer, number: int) -> Line:
    """Render a choice with its side: "Reds: pass the hill"."""
    entry = replay_log.get_decision_entry(number)
    text = localizer.prefix_topic(localizer.get_thing_name("side", entry.side), localizer.format_telling(entry.words))
    return Line(text, tuple(entry.cites), "choice", side=entry.side)


def render_replay(replay_log: ReplayLog, localizer: Localizer, start: int, to: int, each: bool) -> list[TextLine]:
    """Render the replay after decision `start` up to decision `to`, with the position at the end.

    `each`: with the position after every decision.
    """
    start, to = min(start, replay_log.last), min(max(start, to), replay_log.last)
    lines: list[TextLine] = []
    if start:
        replay_log.go_to(start)
        lines += position_lines(replay_log.game, localizer)
    marks = range(start + 1, to + 1) if each else [to]
    before = start
    lines += render_events_between(replay_log, localizer, 0, 0, is_complete=True) if each and not start else []
    for mark in marks:
        lines += render_events_between(replay_log, localizer, before, mark, is_complete=not start and not each)
        replay_log.go_to(mark)
        lines += ["", *position_lines(replay_log.game, localizer)]
        before = mark
    return [*lines, *(render_outcome(replay_log.game.outcome, localizer) if replay_log.game.over else [])]


def _parse_count(text: str, otherwise: int | None) -> int | None:
    """Parse a whole number from 0, limited to a maximum. Return `otherwise` for empty text, None for any other text."""
    if not text:
        return otherwise
    return min(int(text), _MAX_DECISION) if text.isascii() and text.isdigit() and len(text) <= 9 else None
