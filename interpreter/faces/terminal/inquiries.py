"""Answers to what a player asks beside his choice, each as lines. Nothing here changes the game.

Must not print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.faces.terminal.commands import command_of
from interpreter.play.session import Game
from interpreter.players.belonging import group_kind
from interpreter.players.orders.answers import answer
from interpreter.players.orders.lexicon import Lexicon, narrowed, tokens
from interpreter.players.orders.matching import is_other_thing, named, named_in_full, things_named
from interpreter.players.orders.menus import Menu, entries, entry_lines, question, several, whole_menu
from interpreter.players.orders.ways import Way
from interpreter.players.overview.muster import roster_lines
from interpreter.players.telling.finding import find_lines, look_lines, rule_lines
from interpreter.players.telling.happenings import Teller, events_since
from interpreter.players.telling.piece import piece_lines
from interpreter.players.telling.place import place_lines
from interpreter.players.telling.reasons import pointing_on, why_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.keys import piece_group

_MOST_LOG = 1000
_USUAL_LOG = 20
_MOST_LISTED = 12
PICTURES = (".svg", ".png")  # how names of files end to which the map is written


@dataclass(frozen=True, slots=True)
class Sheets:
    """What is drawn or worked out elsewhere and shown here; each gives lines, and None means: not to be had.

    `chart(name, game, keys)` with what the options with these keys would read, `map(game, brief, width, around, size)`,
    `odds(game, key)`, `preview(game, key)` in one line ('' for none),
    `ledger(game)` of its last choice, `tallies(game)` of its scores, `luck(game)`, `ask(game, expression)` of the
    rules. `count_on(game)` may do a little of what `luck` will need, while the player reads. `picture(game, name)`
    writes the map to a file, `record(game, name)` gives the last choice as a case, or writes it.
    """

    chart: Callable[[str, Game, Sequence[str]], Sequence[str]] | None = None
    map: Callable[[Game, bool, int, str, int], Sequence[str]] | None = None
    odds: Callable[[Game, str], Sequence[str]] | None = None
    preview: Callable[[Game, str], str] | None = None
    ledger: Callable[[Game], Sequence[str]] | None = None
    tallies: Callable[[Game], Sequence[str]] | None = None
    luck: Callable[[Game], Sequence[str]] | None = None
    ask: Callable[[Game, str], Sequence[str]] | None = None
    count_on: Callable[[Game], None] | None = None
    picture: Callable[[Game, str], Sequence[str]] | None = None
    record: Callable[[Game, str], Sequence[str]] | None = None


NO_SHEETS = Sheets()


@dataclass(slots=True)
class Inquiries:
    """Answers about one game. `lexicon` belongs to the present position; `width` of a line in cells, 0 for any."""

    game: Game
    words: Words
    sheets: Sheets = NO_SHEETS
    notes: Sequence[str] = ()
    width: int = 0

    def answer(self, command: str, rest: str, lexicon: Lexicon) -> Sequence[str] | None:
        """The lines that answer a command; None when it asks nothing."""
        match command:
            case "why":
                return why_lines(rest, self.game, lexicon)
            case "what":
                return self._what(rest, lexicon)
            case "look":
                return self._look(rest, lexicon)
            case "rule":
                return rule_lines(rest, self.words)
            case "find":
                return find_lines(rest, lexicon)
            case "log":
                return self._log(rest)
            case "tables":
                return self._tables()
            case "map" if rest.casefold().endswith(PICTURES) and self.sheets.picture is not None:
                return self.sheets.picture(self.game, rest)
            case "map":
                return self._map(rest, lexicon)
            case "ledger":
                return self._sheet(self.sheets.ledger, self.words.say("there is no ledger here"))
            case "luck":
                return self._sheet(self.sheets.luck, self.words.say("the dice are not counted here"))
            case "ask":
                return self._ask(rest)
            case "record":
                if self.sheets.record is None:
                    return [self.words.say("nothing can be recorded here")]
                return self.sheets.record(self.game, rest)
            case "notes":
                return self.notes or [self.words.say("there are no notes yet; write: note TEXT")]
        return None

    def _sheet(self, sheet: Callable[[Game], Sequence[str]] | None, otherwise: str) -> Sequence[str]:
        return [otherwise] if sheet is None else sheet(self.game)

    def _ask(self, rest: str) -> Sequence[str]:
        if self.sheets.ask is None:
            return [self.words.say("nothing can be worked out here")]
        return self.sheets.ask(self.game, rest) if rest else [self.words.say("ask what? write: ask EXPRESSION")]

    def _map(self, rest: str, lexicon: Lexicon) -> Sequence[str]:
        """The map without its lists, `all` of it, or the part around a place."""
        say = self.words.say
        if self.sheets.map is None:
            return [say("there is no map to draw here")]
        if not rest or rest.casefold() in ("all", say("all").casefold()):
            return self.sheets.map(self.game, not rest, self.width, "", 0)
        head, _, last = rest.rpartition(" ")
        is_sized = bool(head) and last.isascii() and last.isdigit() and not named_in_full("place", last, lexicon)
        rest, size = (head, int(last[:2])) if is_sized else (rest, 0)
        found = [p for p in named("place", rest, lexicon) if lexicon.is_on_map(p)]
        if len(found) != 1:
            named_places = [self.words.thing("place", p) for p in found]
            places = self.words.listed(self.words.counted_off(named_places, _MOST_LISTED))
            return [
                say("`{text}` may be {places}", text=rest[:40], places=places)
                if found
                else say(
                    "`{text}` names no place on the map; write: map, map all, map PLACE, or map FILE.svg",
                    text=rest[:40],
                )
            ]
        view = self.game.view()
        drawn = self.sheets.map(self.game, True, self.width, found[0], size)
        return [*drawn, *place_lines(found[0], view, self.words)] if self.game.program.data["grid"] else drawn

    def _look(self, rest: str, lexicon: Lexicon) -> list[str]:
        """A place; or a side or a group, with who belongs to it and where they stand."""
        lines = look_lines(rest, self.game, lexicon)
        found = things_named(rest, lexicon)
        is_group = len(found) == 1 and found[0][0] in ("side", group_kind(self.game.program))
        if is_group and not named_in_full("place", rest, lexicon):
            lines += roster_lines(self.game, self.words, found[0])
        return lines

    def _what(self, rest: str, lexicon: Lexicon) -> list[str]:
        say = self.words.say
        if not rest:
            return [say("what is what? write: what PIECE")]
        if is_other_thing("piece", rest, lexicon):
            return self._look(rest, lexicon)
        found = named("piece", rest, lexicon)
        if len(found) == 1 or found and self._alike(found):
            return piece_lines(found[0], self.game, lexicon)
        if found:
            pieces = dict.fromkeys(self.words.aside(self.words.piece(p), lexicon.place_of(p)) for p in found)
            shown = self.words.listed(self.words.counted_off([*pieces], _MOST_LISTED))
            return [say("`{text}` may be {pieces}", text=rest[:40], pieces=shown)]
        if named("place", rest, lexicon) or things_named(rest, lexicon):
            return self._look(rest, lexicon)
        ids = self.game.program.ids["piece"]
        hint = self.words.hint(rest, [*(self.words.thing("piece", i) for i in ids), *ids])
        return [say("there is no piece `{text}`", text=rest[:40]) + hint]

    def _alike(self, found: Sequence[str]) -> bool:
        handles, alike = self.game.program.handles["piece"], self.game.program.is_alike
        if not all(alike[handles[p]] for p in found):
            return False
        return len({piece_group(self.game.state, handles[p]) for p in found}) == 1

    def _log(self, rest: str) -> list[str]:
        """The last things that happened: so many, or those of a turn, the rolls, or those with a word in them."""
        say = self.words.say
        events = events_since(self.game, 0)
        number = _USUAL_LOG
        if rest.isascii() and rest.isdigit():
            number = min(int(rest[:6]), _MOST_LOG)
        elif rest:
            kept = _filtered(events, rest, self.words)
            if kept is None:
                return [say("log what? write: log N, log turn N, log rolls, or log WORD")]
            events, number = kept, _MOST_LOG
        lines = [line for line in Teller(self.words, begun=bool(rest) and not rest.isdigit()).lines(events) if line]
        if not lines:
            return [say("nothing of the kind has happened")]
        return lines[-number:] if number else []

    def _tables(self) -> list[str]:
        lines = []
        for name, table in self.words.data["tables"].items():
            label = self.words.label(table["label"])
            mark = self.words.say("reconstructed") if table["source"] == "reconstructed" else ""
            more = self.words.listed(part for part in (label if label != name else "", mark) if part)
            lines.append("  " + self.words.about(name, more))
        return lines or [self.words.say("this game has no tables")]

    def table(self, rest: str, menu: Menu, lexicon: Lexicon) -> Sequence[str]:
        """The chart of a table, of one of its parts, or as it would be read by an option of the menu that is shown."""
        say = self.words.say
        known = {name: f"{name} {self.words.label(t['label'])}" for name, t in self.words.data["tables"].items()}
        if not rest:
            return [say("which table? write: table NAME; tables lists them")]
        called, option = self._parted(rest)
        wanted = tokens(called)
        labels = {name: self.words.label(t["label"]) for name, t in self.words.data["tables"].items()}
        found = [n for n in known if wanted in (tokens(n), tokens(labels[n]))] or [
            n for n, words in known.items() if all(any(t.startswith(w) for t in tokens(words)) for w in wanted)
        ]
        table, part = (found[0], ()) if len(found) == 1 else ("", ()) if found else _part_of_a_table(wanted, known)
        if table and self.sheets.chart is not None:
            return self._chart(table, part, option, menu, lexicon)
        if found:
            names = self.words.listed(labels[n] or n for n in found)
            return [say("`{text}` may be {tables}", text=rest[:40], tables=names)]
        return [say("there is no table `{text}`", text=rest[:40]) + self.words.hint(called, known)]

    def _parted(self, rest: str) -> tuple[str, str]:
        """What is typed before and after the word `for`."""
        words = rest.split()
        for number, word in enumerate(words[1:-1], 1):
            if narrowed(word).casefold() in ("for", self.words.say("for").casefold()):
                return " ".join(words[:number]), " ".join(words[number + 1 :])
        return rest, ""

    def _chart(self, table: str, part: Sequence[str], option: str, menu: Menu, lexicon: Lexicon) -> Sequence[str]:
        """A chart; `part` are words for a part of it or, where they fit none, for an option."""
        assert self.sheets.chart is not None
        if part and not option:
            sections = _sections(self.sheets.chart(table, self.game, ()), part)
            if sections is not None:
                return sections
            option, part = " ".join(part), ()
        if not option:
            return self.sheets.chart(table, self.game, ())
        found = answer(menu, option, lexicon) or answer(whole_menu(menu), option, lexicon)
        if found is None:
            return [self._no_option(option, lexicon)]
        leads = found.leads
        meant = leads.options if isinstance(leads, Menu) else (leads,)
        lines = self.sheets.chart(table, self.game, [o.keys[0] if isinstance(o, Way) else o.key for o in meant])
        return (_sections(lines, part) or lines) if part else lines

    def _no_option(self, text: str, lexicon: Lexicon) -> str:
        order, _, rest = text.partition(" ")
        command = command_of(order, self.words)
        if command is not None and command.name in ("go", "plan") and rest:
            plan = self.words.say("plan")
            return self.words.say("an order is no option: `{plan} {rest}` tells its way", plan=plan, rest=rest[:40])
        told = pointing_on(text, self.game, lexicon)
        return told or self.words.say("`{text}` fits none of the options", text=text[:40])

    def odds(self, rest: str, menu: Menu, lexicon: Lexicon) -> Sequence[str]:
        """The chances of the option that these words, or this number, mean in the menu that is shown."""
        say = self.words.say
        if self.sheets.odds is None:
            return [say("the odds cannot be worked out here")]
        if not rest:
            return [say("the odds of what? write: odds OPTION, with words that fit one option")]
        found = answer(menu, rest, lexicon) or answer(whole_menu(menu), rest, lexicon)
        if found is None:
            return [self._no_option(rest, lexicon)]
        leads = found.leads
        if isinstance(leads, Menu):
            asked, fitting = question(leads, lexicon), entries(leads, lexicon)
            whole = [f"  {words}" for words in self.words.counted_off([e.words for e in fitting], _MOST_LISTED)]
            told = entry_lines(fitting, self.words) if asked and len(fitting) < len(leads.options) else whole
            return [several(rest, leads, self.words), *([asked] if asked else []), *told]
        return self.sheets.odds(self.game, leads.key)


def _part_of_a_table(wanted: Sequence[str], known: Mapping[str, str]) -> tuple[str, Sequence[str]]:
    """A table named by the first words, and the words that tell which of its parts is meant; "" for no table."""
    for cut in range(len(wanted) - 1, 0, -1):
        found = [
            n for n, called in known.items() if all(any(t.startswith(w) for t in tokens(called)) for w in wanted[:cut])
        ]
        if len(found) == 1:
            return found[0], wanted[cut:]
    return "", ()


def _sections(lines: Sequence[str], wanted: Sequence[str]) -> list[str] | None:
    """A chart without the parts whose heading does not hold the words; None where no heading does."""
    kept: list[str] = []
    shown, is_found = True, False
    for number, line in enumerate(lines):
        if not line.startswith("    "):
            has_rows = number + 1 < len(lines) and lines[number + 1].startswith("    ")
            heading = tokens(line)
            fits = all(any(t.startswith(w) for t in heading) for w in wanted)
            is_found = is_found or has_rows and fits
            shown = not has_rows or fits
        if shown:
            kept.append(line)
    return kept if is_found else None


def _filtered(events: Sequence[Any], rest: str, words: Words) -> list[Any] | None:
    """The events that a filter keeps; None for one that says nothing."""
    wanted = tokens(rest)
    if not wanted:
        return None
    if wanted[0] in ("rolls", "dice", *tokens(words.say("rolls"))):
        return [e for e in events if e.sort == "roll"]
    if wanted[0] in ("turn", *tokens(words.say("turn"))) and len(wanted) == 2 and wanted[1].isdigit():
        return _of_turn(events, wanted[1])
    return [
        e
        for e in events
        if e.sort not in ("turn", "phase", "phase_end")
        and all(w in " ".join(tokens(e.text(words.lang))) for w in wanted)
    ]


def _of_turn(events: Sequence[Any], turn: str) -> list[Any]:
    kept, inside = [], False
    for event in events:
        if event.sort == "turn":
            inside = str(event.args["turn"]) == turn
        if inside:
            kept.append(event)
    return kept
