"""Queries of the player about the game, answered as lines. Nothing here changes the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.model.learning import NO_TERMS, Glossary
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine, drawing_lines
from interpreter.players.narration.event_lines import EventFormatter, events_since
from interpreter.players.narration.lookup import find_lines, look_lines, rule_lines
from interpreter.players.narration.piece_lines import piece_lines
from interpreter.players.narration.place_lines import place_lines
from interpreter.players.narration.why_lines import suggest_next_step
from interpreter.players.orders.matching import is_name_of_other_kind, match_any_kind, match_full_names, match_things
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, to_half_width, tokens
from interpreter.players.orders.option_tree import (
    OptionTree,
    entries,
    entry_lines,
    find_root,
    render_question,
    render_several_matches,
    without_single_questions,
)
from interpreter.players.orders.route_planning import Route
from interpreter.players.ownership import group_kind
from interpreter.players.questions.plain_answers import answer_plainly, unknown_word, word_lines
from interpreter.players.questions.terms import find_term, term_lines, terms_of
from interpreter.players.summaries.roster import roster_lines
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.option_keys import piece_group
from interpreter.ui.repl.commands import find_command

_MOST_LOG = 1000
_USUAL_LOG = 20
_MOST_LISTED = 12
PICTURES = (".svg", ".png")  # file name endings that select a picture


@dataclass(slots=True)
class QueryCommands:
    """Query commands for one game. `width` is the number of cells of a line, 0 for any.

    The `name_index` passed to the methods belongs to the present position.
    """

    game: Game
    words: Localizer
    queries: GameQueries | None = None
    notes: Sequence[str] = ()
    width: int = 0

    def answer(self, command: str, rest: str, name_index: NameIndex) -> Sequence[TextLine] | None:
        """Return the lines that answer a command, or None if the command is not a query; `rest`: the words after it."""
        match command:
            case "what":
                return self._what(rest, name_index)
            case "look":
                return self._look(rest, name_index)
            case "rule":
                return rule_lines(rest, self.words)
            case "find":
                return find_lines(rest, name_index)
            case "log":
                return self._log(rest)
            case "tables":
                return self._tables()
            case "map" if rest.casefold().endswith(PICTURES) and self.queries is not None:
                return self.queries.picture(self.game, rest)
            case "map":
                return self._map(rest, name_index)
            case "ledger":
                if self.queries is None:
                    return [self.words.say("no details are available here")]
                return self.queries.ledger(self.game)
            case "luck":
                if self.queries is None:
                    return [self.words.say("dice are not counted here")]
                return self.queries.luck(self.game)
            case "ask":
                return self._ask(rest)
            case "record":
                if self.queries is None:
                    return [self.words.say("this cannot be recorded here")]
                return self.queries.record(self.game, rest)
            case "glossary":
                return word_lines(rest, self.game, name_index, self.terms())
            case "notes":
                return self.notes or [self.words.say("there are no notes yet; write: note TEXT")]
        return None

    def terms(self) -> Glossary:
        """Return the glossary of the ruleset."""
        return NO_TERMS if self.queries is None else self.queries.glossary()

    def plainly(self, text: str, seat: str, name_index: NameIndex) -> Sequence[TextLine] | None:
        """Return the answer to a question in plain words, or None if the text is not one."""
        command = "" if self.queries is None else self.queries.lesson()
        lesson = self.words.say("A guided first turn: quit, then type: {command}", command=command) if command else ""
        return answer_plainly(text, self.game, seat, name_index, self.terms(), lesson)

    def word(self, text: str, name_index: NameIndex) -> Sequence[TextLine]:
        """Explain a word of the game; [] if neither the glossary, the names nor the rules have it."""
        lines = word_lines(text, self.game, name_index, self.terms())
        return [] if list(lines) == [unknown_word(text, self.words)] else lines

    def _ask(self, rest: str) -> Sequence[TextLine]:
        if self.queries is None:
            return [self.words.say("nothing can be computed here")]
        return (
            drawing_lines(self.queries.ask(self.game, rest))
            if rest
            else [self.words.say("ask what? Write: ask EXPRESSION")]
        )

    def _map(self, rest: str, name_index: NameIndex) -> Sequence[TextLine]:
        """Return the lines of a map: without lists, the full map for "all", or the neighbourhood of a place.

        `rest`: '', "all", or a place with an optional size.
        """
        say = self.words.say
        if self.queries is None:
            return [say("there is no map to draw here")]
        if not rest or rest.casefold() in ("all", say("all").casefold()):
            return drawing_lines(self.queries.map(self.game, not rest, self.width, "", 0))
        head, _, last = rest.rpartition(" ")
        is_sized = bool(head) and last.isascii() and last.isdigit() and not match_full_names("place", last, name_index)
        rest, size = (head, int(last[:2])) if is_sized else (rest, 0)
        found = [p for p in match_things("place", rest, name_index) if name_index.is_on_map(p)]
        if len(found) != 1:
            named_places = [self.words.thing("place", p) for p in found]
            places = self.words.join_list(self.words.counted_off(named_places, _MOST_LISTED))
            return [
                say("`{text}` can mean {places}", text=rest[:40], places=places)
                if found
                else say(
                    "`{text}` is not a place on the map; write: map, map all, map PLACE, or map FILE.svg",
                    text=rest[:40],
                )
            ]
        view = self.game.view()
        drawn = drawing_lines(self.queries.map(self.game, True, self.width, found[0], size))
        return [*drawn, *place_lines(found[0], view, self.words)] if self.game.program.data["grid"] else drawn

    def _look(self, rest: str, name_index: NameIndex) -> list[TextLine]:
        """Describe the place or thing that `rest` names; a side or group also with its members and their places."""
        lines: list[TextLine] = [*look_lines(rest, self.game, name_index)]
        found = match_any_kind(rest, name_index)
        is_group = len(found) == 1 and found[0][0] in ("side", group_kind(self.game.program))
        if is_group and not match_full_names("place", rest, name_index):
            lines += roster_lines(self.game, self.words, found[0])
        return lines

    def _what(self, rest: str, name_index: NameIndex) -> list[TextLine]:
        say = self.words.say
        if not rest:
            return [say("which piece? Write: what PIECE")]
        if is_name_of_other_kind("piece", rest, name_index):
            return self._look(rest, name_index)
        found = match_things("piece", rest, name_index)
        if len(found) == 1 or found and self._are_alike(found):
            return piece_lines(found[0], self.game, name_index)
        if found:
            pieces = dict.fromkeys(self.words.with_detail(self.words.piece(p), name_index.place_of(p)) for p in found)
            shown = self.words.join_list(self.words.counted_off([*pieces], _MOST_LISTED))
            return [say("`{text}` can mean {pieces}", text=rest[:40], pieces=shown)]
        if match_things("place", rest, name_index) or match_any_kind(rest, name_index):
            return self._look(rest, name_index)
        if (term := find_term(rest, terms_of(self.terms(), self.words))) is not None:
            return term_lines(term, self.words)
        ids = self.game.program.ids["piece"]
        hint = self.words.hint(rest, [*(self.words.thing("piece", i) for i in ids), *ids])
        return [say("no piece, place or term is called `{text}`", text=rest[:40]) + hint]

    def _are_alike(self, found: Sequence[str]) -> bool:
        handles, alike = self.game.program.handles["piece"], self.game.program.is_alike
        if not all(alike[handles[p]] for p in found):
            return False
        return len({piece_group(self.game.state, handles[p]) for p in found}) == 1

    def _log(self, rest: str) -> Sequence[TextLine]:
        """Return the log lines that `rest` asks for: the last ones, one turn, the rolls, or lines with a word."""
        say = self.words.say
        events = events_since(self.game, 0)
        number = _USUAL_LOG
        if rest.isascii() and rest.isdigit():
            number = min(int(rest[:6]), _MOST_LOG)
        elif rest:
            kept = _filter_events(events, rest, self.words)
            if kept is None:
                return [say("log of what? Write: log N, log turn N, log rolls, or log WORD")]
            events, number = kept, _MOST_LOG
        teller = EventFormatter(self.words, has_started=bool(rest) and not rest.isdigit())
        lines = [line for line in teller.lines(events) if line.text]
        if not lines:
            return [say("no such events")]
        return lines[-number:] if number else []

    def _tables(self) -> list[str]:
        lines = []
        for name, chart in self.words.program.charts.items():
            label = self.words.label(chart.label)
            mark = self.words.say("reconstructed") if chart.source == "reconstructed" else ""
            more = self.words.join_list(part for part in (label if label != name else "", mark) if part)
            lines.append("  " + self.words.about(name, more))
        return lines or [self.words.say("this game has no tables")]

    def table(self, rest: str, menu: OptionTree, name_index: NameIndex) -> Sequence[TextLine]:
        """Return the chart of a table, a section of it, or the chart as an option of the shown menu would read it.

        `rest`: the table and section, then perhaps "for" and the option.
        """
        say = self.words.say
        if not rest:
            return [say("which table? Write: table NAME; tables lists them")]
        called, option = self._split_at_for(rest)
        wanted = tokens(called)
        labels = {name: self.words.label(chart.label) for name, chart in self.words.program.charts.items()}
        known = {name: f"{name} {label}" for name, label in labels.items()}
        found = [n for n in known if wanted in (tokens(n), tokens(labels[n]))] or [
            n for n, words in known.items() if all(any(t.startswith(w) for t in tokens(words)) for w in wanted)
        ]
        table, part = (found[0], ()) if len(found) == 1 else ("", ()) if found else _split_table_part(wanted, known)
        if table and self.queries is not None:
            return self._chart(table, part, option, menu, name_index)
        if found:
            names = self.words.join_list(labels[n] or n for n in found)
            return [say("`{text}` can mean {tables}", text=rest[:40], tables=names)]
        return [say("unknown table `{text}`", text=rest[:40]) + self.words.hint(called, known)]

    def _split_at_for(self, rest: str) -> tuple[str, str]:
        """Split the text at the word `for` into the parts before and after it; the second is '' without it."""
        words = rest.split()
        for number, word in enumerate(words[1:-1], 1):
            if to_half_width(word).casefold() in ("for", self.words.say("for").casefold()):
                return " ".join(words[:number]), " ".join(words[number + 1 :])
        return rest, ""

    def _chart(
        self, table: str, part: Sequence[str], option: str, menu: OptionTree, name_index: NameIndex
    ) -> Sequence[TextLine]:
        """Return the chart of a table.

        `part`: words that select sections or, if no section has them, name an option; `option`: words that name the
        option of the menu whose cells are marked, '' for none.
        """
        assert self.queries is not None
        if part and not option:
            sections = _filter_sections(self.queries.chart(table, self.game, ()), part)
            if sections is not None:
                return sections
            option, part = " ".join(part), ()
        if not option:
            return self.queries.chart(table, self.game, ())
        found = parse_menu_answer(menu, option, name_index) or parse_menu_answer(find_root(menu), option, name_index)
        if found is None:
            return [self._no_option(option, name_index)]
        leads = found.leads
        meant = leads.options if isinstance(leads, OptionTree) else (leads,)
        lines = self.queries.chart(table, self.game, [o.keys[0] if isinstance(o, Route) else o.key for o in meant])
        return (_filter_sections(lines, part) or lines) if part else lines

    def _no_option(self, text: str, name_index: NameIndex) -> TextLine:
        order, _, rest = text.partition(" ")
        command = find_command(order, self.words)
        if command is not None and command.name in ("go", "plan") and rest:
            plan = self.words.say("plan")
            return self.words.say(
                "`{order}` is a command, not an option; `{plan} {rest}` shows its route and dice",
                order=order,
                plan=plan,
                rest=rest[:40],
            )
        told = suggest_next_step(text, self.game, name_index)
        return told or self.words.say("`{text}` matches no option", text=text[:40])

    def odds(self, rest: str, menu: OptionTree, name_index: NameIndex) -> Sequence[TextLine]:
        """Return the odds of an option of the shown menu; `rest`: its number, or words that match it."""
        say = self.words.say
        if self.queries is None:
            return [say("the odds cannot be computed here")]
        if not rest:
            return [say("odds of what? Write: odds OPTION, with words that match one option")]
        shown, rest = rest, to_half_width(rest)
        *numbers, last = rest.split()
        is_numbered = all(word.isdigit() for word in rest.split())
        if is_numbered and (head := _follow_numbers(numbers, menu, name_index)) is not None:
            menu, rest = head, last
        found = parse_menu_answer(menu, rest, name_index) or parse_menu_answer(find_root(menu), rest, name_index)
        if found is None:
            return [self._no_option(rest, name_index)]
        leads = found.leads
        if isinstance(leads, OptionTree):
            leads = without_single_questions(leads, name_index)
            asked, fitting = render_question(leads, name_index), entries(leads, name_index)
            if is_numbered and fitting:
                first = 1 if fitting[0].value is None else fitting[0].value
                command = say("odds")
                how = say("for example: {examples}", examples=f"`{command} {shown} {first}`")
                return [render_several_matches(shown, leads, self.words), asked, *entry_lines(fitting, self.words), how]
            whole = [f"  {words}" for words in self.words.counted_off([e.words for e in fitting], _MOST_LISTED)]
            told: Sequence[TextLine] = whole
            if asked and len(fitting) < len(leads.options):
                told = entry_lines(fitting, self.words)
            return [render_several_matches(rest, leads, self.words), *([asked] if asked else []), *told]
        return self.queries.odds(self.game, leads.key)


def _follow_numbers(numbers: Sequence[str], menu: OptionTree, name_index: NameIndex) -> OptionTree | None:
    """Return the menu below `menu` that the numbers of its entries lead to, one after another; None if they do not."""
    for number in numbers:
        found = parse_menu_answer(menu, number, name_index)
        if found is None or not isinstance(found.leads, OptionTree):
            return None
        menu = without_single_questions(found.leads, name_index)
    return menu


def _split_table_part(wanted: Sequence[str], known: Mapping[str, str]) -> tuple[str, Sequence[str]]:
    """Split the words `wanted` into the id of a table and the words for a section of it; ("", ()) if no table fits.

    `known`: the id and label of each table, by id.
    """
    for cut in range(len(wanted) - 1, 0, -1):
        found = [
            n for n, called in known.items() if all(any(t.startswith(w) for t in tokens(called)) for w in wanted[:cut])
        ]
        if len(found) == 1:
            return found[0], wanted[cut:]
    return "", ()


def _filter_sections(lines: Sequence[TextLine], wanted: Sequence[str]) -> list[TextLine] | None:
    """Return a chart without the sections whose heading lacks the words `wanted`; None if no heading has them."""
    kept: list[TextLine] = []
    shown, is_found = True, False
    for line in lines:
        kind = line.kind if isinstance(line, Line) else "text"
        if kind == "section":
            heading = tokens(str(line))
            shown = all(any(t.startswith(w) for t in heading) for w in wanted)
            is_found = is_found or shown
        elif kind != "row":
            shown = True
        if shown:
            kept.append(line)
    return kept if is_found else None


def _filter_events(events: Sequence[Any], rest: str, words: Localizer) -> list[Any] | None:
    """Return the events that match a filter, or None if the filter has no words.

    `rest`: "rolls", "turn" with a number, or words that the event's text must contain.
    """
    wanted = tokens(rest)
    if not wanted:
        return None
    if wanted[0] in ("rolls", "dice", *tokens(words.say("rolls"))):
        return [e for e in events if e.sort == "roll"]
    if wanted[0] in ("turn", *tokens(words.say("turn"))) and len(wanted) == 2 and wanted[1].isdigit():
        return _filter_turn(events, wanted[1])
    return [
        e
        for e in events
        if e.sort not in ("turn", "phase", "phase_end")
        and all(w in " ".join(tokens(e.text(words.lang))) for w in wanted)
    ]


def _filter_turn(events: Sequence[Any], turn: str) -> list[Any]:
    kept, inside = [], False
    for event in events:
        if event.sort == "turn":
            inside = str(event.args["turn"]) == turn
        if inside:
            kept.append(event)
    return kept
