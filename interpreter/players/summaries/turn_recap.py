"""Turn recap: recent moves, one line per choice with its results, in few words and without brackets.

Built from a game's log. Always includes what decides a game: losses, states, points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from interpreter.play.events import format_change, format_changes, format_event, get_changed_attribute, is_silent
from interpreter.play.game import Game
from interpreter.play.lines import begin_sentence, remove_brackets
from interpreter.players.orders.matching import get_kind
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedChange,
    LoggedChoice,
    LoggedMove,
    LoggedPhase,
    LoggedReport,
    LoggedTurn,
)
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType

_MAX_NAMED = 4  # pieces with the same move or change named; more are counted
_MAX_CAME = 14  # results of one choice listed; more are counted
_PLAIN = ("thing", "direction", "flag", "place")  # value types whose change follows from the move itself
_Move = tuple[tuple[str, ...], str, str]


@dataclass(frozen=True, slots=True)
class TurnRecapItem:
    """One choice of a side, or several that belong together, with the results.

    `turn`: the turn it was made in. `side` and `seat`: those that made the choice, '' for automatic events. `chosen`:
    the texts of the options. `moves`: (piece ids, from, to), with place ids. `came`: the texts of all other results;
    `subjects`: for each of them the side that it concerns, '' for none or several. `entries`: the log entries of all.
    """

    turn: int
    side: str
    seat: str
    chosen: tuple[str, ...]
    moves: tuple[_Move, ...]
    came: tuple[str, ...]
    subjects: tuple[str, ...] = ()
    entries: tuple[LogEntry, ...] = ()

    @property
    def is_plain_move(self) -> bool:
        """Return whether the only result is that pieces moved."""
        return bool(self.moves) and not self.came


def collect_recap(game: Game, start: int, localizer: Localizer, end: int | None = None) -> tuple[TurnRecapItem, ...]:
    """Return the choices with their results from log entry `start` on.

    The end of a repeated decision is left out if it had no results. `end`: the log entry before which to stop, or None.
    """
    items: list[TurnRecapItem] = []
    turn = _find_turn(game, start)
    log = game.get_raw_log()
    if not start:  # set-up before the first turn is not a move
        start = next((n for n, raw in enumerate(log) if isinstance(raw, LoggedTurn)), 0)
    for item in _iter_items(log[start:end], turn, localizer, game.state):
        last = items[-1] if items else None
        if last is not None and (last.turn, last.side) == (item.turn, item.side) and not (last.moves or last.came):
            led = tuple(dict.fromkeys((*last.chosen, *item.chosen)))
            items[-1] = replace(item, chosen=led)  # the earlier choice led to this one
        else:
            items.append(item)
    return tuple(d for d in items if d.chosen or d.moves or d.came)


def render_recap(items: Sequence[TurnRecapItem], localizer: Localizer, most: int = 0) -> list[str]:
    """Render one line per item, merging plain moves of one side, and a line for each new turn.

    `most`: keep only this many of the last lines, with a line that counts those left out; 0 for all.
    """
    lines: list[str] = []
    turn: int | None = None
    for key, run in groupby(items, key=lambda d: (d.turn, d.side, d.is_plain_move)):
        if turn is not None and key[0] != turn:
            lines.append(begin_sentence(localizer.say("turn {number}", number=key[0])))
        turn = key[0]
        together = list(run)
        lines += (
            [_render_item(replace(together[0], moves=_merge_moves(m for d in together for m in d.moves)), localizer)]
            if key[2]
            else [_render_item(item, localizer) for item in together]
        )
    if most and len(lines) > most:
        return [
            localizer.say("({number} earlier (line|lines): `log` shows all)", number=len(lines) - most),
            *lines[-most:],
        ]
    return lines


def find_index_after_last_choice(game: Game, seat: str) -> int:
    """Return the log index after the last choice of a seat, or 0 if it has made none."""
    log = game.get_raw_log()
    for number in range(len(log), 0, -1):
        entry = log[number - 1]
        if isinstance(entry, LoggedChoice) and entry.seat == seat:
            return number
    return 0


def _find_turn(game: Game, start: int) -> int:
    log = game.get_raw_log()
    return next((entry.turn for entry in reversed(log[:start]) if isinstance(entry, LoggedTurn)), game.turn)


def _iter_items(log: Sequence[LogEntry], turn: int, localizer: Localizer, state: State) -> Iterable[TurnRecapItem]:
    """Yield an item for each choice, and for the events at the start of the log, of a turn or of a phase.

    `turn`: the turn in which the log entries begin. `state`: a position in which to look up the sides of things.
    """
    begun = TurnRecapItem(turn, "", "", (), (), ())
    entries: list[LogEntry] = []
    for raw in log:
        if not isinstance(raw, LoggedChoice | LoggedTurn | LoggedPhase):
            entries.append(raw)
            continue
        yield _add_results(begun, entries, localizer, state)
        entries = []
        if isinstance(raw, LoggedChoice):
            option_words = (
                () if raw.key == "done" else (_strip_remarks(localizer.format_telling(raw.words), localizer),)
            )
            begun = TurnRecapItem(turn, raw.side, raw.seat, option_words, (), ())
        else:
            turn = raw.turn if isinstance(raw, LoggedTurn) else turn
            begun = TurnRecapItem(turn, "", "", (), (), ())
    yield _add_results(begun, entries, localizer, state)


def _add_results(item: TurnRecapItem, entries: Sequence[LogEntry], localizer: Localizer, state: State) -> TurnRecapItem:
    """Return the item with its results: the moves, changes and reports in these log entries."""
    moves: list[_Move] = []
    came: dict[str, int] = {}
    changed: dict[str, list[LoggedChange]] = {}
    sides: dict[str, set[str]] = {}
    for raw in entries:
        match raw:
            case LoggedMove(pieces, origin, goal):
                ids = localizer.program.ids
                moves.append((tuple(ids["piece"][p] for p in pieces), ids["place"][origin], ids["place"][goal]))
            case LoggedChange() if _is_reportable(raw, localizer):
                change = " ".join((raw.kind, format_change(localizer.program, localizer, raw)[1]))
                changed.setdefault(change, []).append(raw)
                came[change] = 0
                sides.setdefault(change, set()).add(_find_subject_side(state, raw))
            case LoggedReport() if not is_silent(localizer.program, raw):
                text = format_event(localizer.program, raw, localizer.lang)
                came[text] = came.get(text, 0) + 1
                sides.setdefault(text, set()).add(_find_subject_side(state, raw))
    results = tuple(
        format_changes(localizer, changed[text], _MAX_NAMED)
        if text in changed
        else _strip_remarks(
            text if number == 1 else localizer.say("{what} ({number} times)", what=text, number=number), localizer
        )
        for text, number in came.items()
    )
    subjects = tuple(next(iter(sides[text])) if len(sides[text]) == 1 else "" for text in came)
    return replace(item, moves=_merge_moves(moves), came=results, subjects=subjects, entries=tuple(entries))


def _is_reportable(raw: LoggedChange, localizer: Localizer) -> bool:
    """Return whether a change is worth reporting; flags, directions and the like follow from the move itself."""
    show = get_changed_attribute(localizer.program, raw)["show"]
    while show and show[0] == "maybe":
        show = show[1]
    if raw.kind != "piece" and raw.value is not None:
        return show[0] != "flag" or bool(raw.value)
    return show[0] not in _PLAIN


def _merge_moves(moves: Iterable[_Move]) -> tuple[_Move, ...]:
    """Chain the moves (piece ids, from, to) of the same pieces, then merge moves with one origin and destination."""
    chains: dict[tuple[str, ...], tuple[str, str]] = {}
    for pieces, origin, goal in moves:
        before = chains.pop(pieces, None)
        chains[pieces] = (before[0] if before else origin, goal)
    ends: dict[tuple[str, str], list[str]] = {}
    for pieces, way in chains.items():
        if way[0] != way[1]:
            ends.setdefault(way, []).extend(pieces)
    return tuple((tuple(pieces), *way) for way, pieces in ends.items())


def _render_item(item: TurnRecapItem, localizer: Localizer) -> str:
    """Render an item: "Reds: Guards to Ford 3; Hussars to Mill", with the choice unless the moves alone show it."""
    say = localizer.say
    moved = [
        say("{who} to {goal}", who=_format_pieces(pieces, localizer), goal=localizer.get_thing_name("place", goal))
        for pieces, _origin, goal in item.moves
    ]
    came = localizer.limit_texts(item.came, _MAX_CAME)
    option_words = localizer.join_list(item.chosen) if not item.is_plain_move else ""
    line = localizer.join_sentences(t for t in (option_words, localizer.join_list(moved), *came) if t)
    return localizer.prefix_topic(localizer.get_thing_name("side", item.side), line) if item.side else line


def _format_pieces(pieces: Sequence[str], localizer: Localizer) -> str:
    return localizer.join_some(
        filter(None, (_strip_remarks(text, localizer) for text in localizer.list_piece_counts(pieces))), _MAX_NAMED
    )


def _strip_remarks(text: str, localizer: Localizer) -> str:
    """Return a text without the brackets of remarks; names keep theirs."""
    return remove_brackets(text, localizer.names_with_brackets)


def _find_subject_side(state: State, raw: LoggedChange | LoggedReport) -> str:
    """Return the id of the side that an event concerns, or '' if it names nothing that belongs to a side.

    A change belongs to the side of what changed, a report to the side of the thing that its text names first.
    """
    if isinstance(raw, LoggedChange):
        return "" if raw.kind == "game" else find_side_of_thing(state, raw.kind, raw.owner)
    program = state.program
    event = program.events[raw.event]
    things = list(_iter_things((show for _name, show in event.params), raw.args))
    if event.words is not None:
        shows = (part for part in program.data["texts"][event.words] if not isinstance(part, str))
        things = [thing for thing in _iter_things(shows, raw.words) if thing in things]
    return next(filter(None, (find_side_of_thing(state, kind, thing) for kind, thing in things)), "")


def _iter_things(shows: Iterable[DisplayType], values: Iterable[object]) -> Iterator[tuple[str, int]]:
    """Yield kind and handle of each thing among some values, with their types in `shows`."""
    for show, value in zip(shows, values, strict=True):
        kind = get_kind(show)
        for part in value if isinstance(value, list | tuple) else (value,):
            if kind and isinstance(part, int):
                yield kind, part
