"""Turn recap: recent moves, one line per choice with its results, in few words and without brackets.

Built from a game's log. Always includes what decides a game: losses, states, points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from interpreter.play.events import event_of, format_change, is_silent
from interpreter.play.game import Game
from interpreter.players.narration.localizer import Localizer

_MOST_NAMED = 4  # pieces with the same move or change named; more are counted
_MOST_CAME = 14  # results of one choice listed; more are counted
_PLAIN = ("thing", "direction", "flag", "place")  # value types whose change follows from the move itself
_PAUSE, _JOINED, _WIDE_END = "\u3001", "\u30fb", "\uff09"  # punctuation of scripts with wide characters
_BRACKETS = re.compile(r"\s*[(\uff08]([^()\uff08\uff09]*)[)\uff09]")
# the description of pieces before a count, which stays unsplit
_GROUP = re.compile("\uff08([^\uff08\uff09]*)\uff09(?=\u00d7)")
_Move = tuple[tuple[str, ...], str, str]


@dataclass(frozen=True, slots=True)
class TurnRecapItem:
    """One choice of a side, or several that belong together, with the results; side "" for automatic events.

    `turn` is the turn it was made in; `chosen` holds its text, `moves` (piece ids, from, to) with place ids, `came`
    the text of all other results.
    """

    turn: int
    side: str
    seat: str
    chosen: tuple[str, ...]
    moves: tuple[_Move, ...]
    came: tuple[str, ...]

    @property
    def is_plain_move(self) -> bool:
        """Return whether the only result is that pieces moved."""
        return bool(self.moves) and not self.came


def collect_recap(game: Game, start: int, words: Localizer, end: int | None = None) -> tuple[TurnRecapItem, ...]:
    """Return the moves from entry `start` of the log on, without the bare ends of repeated decisions."""
    found: list[TurnRecapItem] = []
    turn = _turn_at(game, start)
    log = game.raw_log()
    if not start:  # set-up before the first turn is not a move
        start = next((n for n, raw in enumerate(log) if raw[0] == "turn"), 0)
    for deed in _iter_items(log[start:end], turn, words):
        last = found[-1] if found else None
        if last is not None and (last.turn, last.side) == (deed.turn, deed.side) and not (last.moves or last.came):
            led = tuple(dict.fromkeys((*last.chosen, *deed.chosen)))
            found[-1] = replace(deed, chosen=led)  # the earlier choice led to this one
        else:
            found.append(deed)
    return tuple(d for d in found if d.chosen or d.moves or d.came)


def recap_lines(deeds: Sequence[TurnRecapItem], words: Localizer, most: int = 0) -> list[str]:
    """Render one line per move, merging plain moves of one side, and a line for each new turn.

    `most`: keep only this many of the last lines, with a line that counts those left out; 0 for all.
    """
    lines: list[str] = []
    turn: int | None = None
    for key, run in groupby(deeds, key=lambda d: (d.turn, d.side, d.is_plain_move)):
        if turn is not None and key[0] != turn:
            lines.append(words.say("turn {number}", number=key[0]))
        turn = key[0]
        together = list(run)
        lines += (
            [_line(replace(together[0], moves=_merge_moves(m for d in together for m in d.moves)), words)]
            if key[2]
            else [_line(deed, words) for deed in together]
        )
    if most and len(lines) > most:
        return [words.say("({number} earlier lines: `log` shows all)", number=len(lines) - most), *lines[-most:]]
    return lines


def index_after_last_choice(game: Game, seat: str) -> int:
    """Return the log index after the last choice of a seat, or 0 if it has made none."""
    log = game.raw_log()
    return next((n + 1 for n in range(len(log) - 1, -1, -1) if log[n][0] == "decision" and log[n][2] == seat), 0)


def remove_brackets(text: str) -> str:
    """Remove the brackets of a text but keep their content.

    >>> remove_brackets("3 units (reds): move (cost 2)")
    '3 units reds: move cost 2'
    """
    before, text = "", _GROUP.sub(lambda m: _JOINED + m[1].replace(_PAUSE, _JOINED), text)
    while before != text:
        before, text = text, _BRACKETS.sub(lambda m: (_PAUSE if m[0].endswith(_WIDE_END) else " ") + m[1], text)
    return text


def _turn_at(game: Game, start: int) -> int:
    log = game.raw_log()
    return next((int(log[n][1]) for n in range(min(start, len(log)) - 1, -1, -1) if log[n][0] == "turn"), game.turn)


def _iter_items(log: Sequence[Any], turn: int, words: Localizer) -> Iterable[TurnRecapItem]:
    """Yield an item for each choice and for the events at the start of the log, of a turn or of a phase."""
    begun = TurnRecapItem(turn, "", "", (), (), ())
    entries: list[Any] = []
    for raw in log:
        if raw[0] not in ("decision", "turn", "phase"):
            entries.append(raw)
            continue
        yield _with_results(begun, entries, words)
        entries = []
        if raw[0] != "decision":
            turn = int(raw[1]) if raw[0] == "turn" else turn
            begun = TurnRecapItem(turn, "", "", (), (), ())
        else:
            chosen = () if raw[4] == "done" else (remove_brackets(words.told(raw[6])),)
            begun = TurnRecapItem(turn, str(raw[1]), str(raw[2]), chosen, (), ())
    yield _with_results(begun, entries, words)


def _with_results(deed: TurnRecapItem, entries: Sequence[Any], words: Localizer) -> TurnRecapItem:
    """Return the item extended by the results in these log entries."""
    moves: list[_Move] = []
    came: dict[str, int] = {}
    changed: dict[str, list[str]] = {}
    for raw in entries:
        if raw[0] == "move":
            ids = words.program.ids
            moves.append((tuple(ids["piece"][p] for p in raw[1]), ids["place"][raw[2]], ids["place"][raw[3]]))
        elif raw[0] == "set" and _is_reportable(raw, words):
            whose, what = format_change(words.program, words.program.naming(words.lang), raw)
            changed.setdefault(what, []).append(whose)
            came[what] = 0
        elif raw[0] == "event" and not is_silent(words.program, raw):
            text = event_of(words.program, raw).text(words.lang)
            came[text] = came.get(text, 0) + 1
    told = [
        _changed(changed[text], text, words)
        if text in changed
        else text
        if number == 1
        else words.say("{what} ({number} times)", what=text, number=number)
        for text, number in came.items()
    ]
    return replace(deed, moves=_merge_moves(moves), came=tuple(remove_brackets(text) for text in told))


def _changed(whose: Sequence[str], what: str, words: Localizer) -> str:
    names = words.some(filter(None, whose), _MOST_NAMED)
    return words.about(names, what) if names else what


def _is_reportable(raw: Any, words: Localizer) -> bool:
    """Return whether a change is worth reporting; flags, directions and the like follow from the move itself."""
    _, kind, name, _, value, _ = raw
    if kind == "game":
        show = next(a["show"] for _, n, a in words.program.game if n == name)
    else:
        show = words.program.kinds[kind]["attributes"][name]["show"]
    while show and show[0] == "maybe":
        show = show[1]
    if kind != "piece" and value is not None:
        return show[0] != "flag" or bool(value)
    return show[0] not in _PLAIN


def _merge_moves(moves: Iterable[_Move]) -> tuple[_Move, ...]:
    """Chain consecutive moves of the same pieces, then merge moves with the same origin and goal."""
    chains: dict[tuple[str, ...], tuple[str, str]] = {}
    for pieces, origin, goal in moves:
        before = chains.pop(pieces, None)
        chains[pieces] = (before[0] if before else origin, goal)
    ends: dict[tuple[str, str], list[str]] = {}
    for pieces, way in chains.items():
        if way[0] != way[1]:
            ends.setdefault(way, []).extend(pieces)
    return tuple((tuple(pieces), *way) for way, pieces in ends.items())


def _line(deed: TurnRecapItem, words: Localizer) -> str:
    """Render "Reds: Guards to Ford 3; Hussars to Mill", with the choice if the moves alone do not show it."""
    say = words.say
    moved = [
        say("{who} to {goal}", who=_pieces(pieces, words), goal=words.thing("place", goal))
        for pieces, _origin, goal in deed.moves
    ]
    came = words.counted_off(deed.came, _MOST_CAME)
    chosen = words.listed(deed.chosen) if not deed.is_plain_move else ""
    told = words.parted(t for t in (chosen, words.listed(moved), words.parted(came)) if t)
    return words.about(words.thing("side", deed.side), told) if deed.side else told


def _pieces(pieces: Sequence[str], words: Localizer) -> str:
    return words.some(filter(None, map(remove_brackets, words.company(pieces))), _MOST_NAMED)
