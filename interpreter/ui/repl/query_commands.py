"""Queries of the player about the game, answered as lines. Nothing here changes the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import format_number_range
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine, mark_drawing_lines
from interpreter.players.narration.event_lines import EventFormatter, list_events_since
from interpreter.players.narration.lookup import render_look, render_matches, render_rule
from interpreter.players.narration.piece_lines import render_piece
from interpreter.players.narration.place_lines import render_place
from interpreter.players.narration.why_lines import suggest_next_step
from interpreter.players.orders.matching import is_name_of_other_kind, match_any_kind, match_full_names, match_things
from interpreter.players.orders.menu import (
    Menu,
    find_root,
    list_entries,
    render_entries,
    render_question,
    render_several_matches,
    skip_single_questions,
)
from interpreter.players.orders.menu_answers import MenuAnswer, parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, to_half_width, tokenize_words
from interpreter.players.orders.route_planning import Route
from interpreter.players.ownership import find_group_kind
from interpreter.players.questions.plain_answers import answer_plainly, explain_word, format_unknown_word
from interpreter.players.questions.terms import find_term, format_term, list_terms
from interpreter.players.summaries.roster import render_roster_lines
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.option_keys import format_piece_group
from interpreter.ui.repl.commands import find_command
from interpreter.ui.repl.play_context import PlayContext

_MAX_LOG_LINES = 1000
_USUAL_LOG = 20
_MAX_LISTED = 12
PICTURES = (".svg", ".png")  # file name endings that select a picture


@dataclass(frozen=True, slots=True)
class QueryCommands:
    """Service for the commands that ask about the game."""

    context: PlayContext

    def answer(self, command: str, rest: str) -> Sequence[TextLine] | None:
        """Return the lines that answer a command, or None if the command is not a query; `rest`: the words after it."""
        context, name_index = self.context, self.context.name_index
        game, queries = context.game, context.queries
        match command:
            case "what":
                return self._render_what(rest)
            case "look":
                return self._render_look(rest)
            case "rule":
                return render_rule(rest, context.localizer)
            case "find":
                return render_matches(rest, name_index)
            case "log":
                return self._render_log(rest)
            case "tables":
                return self._list_tables()
            case "map" if rest.casefold().endswith(PICTURES):
                return queries.write_picture(game, rest)
            case "map":
                return self._render_map(rest)
            case "ledger":
                return queries.render_ledger(game)
            case "luck":
                return queries.render_luck(game)
            case "ask" if rest:
                return mark_drawing_lines(queries.evaluate(game, rest))
            case "ask":
                return [context.say("ask what? Write: ask EXPRESSION")]
            case "record":
                return queries.record_case(game, rest)
            case "glossary":
                return explain_word(rest, game, name_index, queries.glossary)
            case "notes":
                return context.autosave.notes or [
                    context.say("no notes have been written yet; to write one: note TEXT")
                ]
        return None

    def answer_question(self, text: str, seat: str) -> Sequence[TextLine] | None:
        """Return the answer to a question in plain words, or None if the text is not one."""
        context, command = self.context, self.context.queries.get_lesson_command()
        lesson = context.say("A guided first turn: quit, then type: {command}", command=command) if command else ""
        return answer_plainly(text, context.game, seat, context.name_index, context.queries.glossary, lesson)

    def explain_word(self, text: str) -> Sequence[TextLine]:
        """Explain a word of the game; [] if neither the glossary, the names nor the rules have it."""
        context = self.context
        lines = explain_word(text, context.game, context.name_index, context.queries.glossary)
        return [] if list(lines) == [format_unknown_word(text, context.localizer)] else lines

    def _render_map(self, rest: str) -> Sequence[TextLine]:
        """Return the lines of a map: without lists, the full map for "all", or the neighbourhood of a place.

        `rest`: '', "all", or a place with an optional size.
        """
        context, localizer, name_index = self.context, self.context.localizer, self.context.name_index
        say, game, queries, width = localizer.say, context.game, context.queries, context.screen.width()
        if not rest or rest.casefold() in ("all", say("all").casefold()):
            return mark_drawing_lines(queries.render_map(game, not rest, width, "", 0))
        head, _, last = rest.rpartition(" ")
        is_sized = bool(head) and last.isascii() and last.isdigit() and not match_full_names("place", last, name_index)
        rest, size = (head, int(last[:2])) if is_sized else (rest, 0)
        places = [p for p in match_things("place", rest, name_index) if name_index.is_on_map(p)]
        if not places:
            return [
                say(
                    "`{text}` is not a place on the map; write: map, map all, map PLACE, or map FILE.svg",
                    text=quote_typed(rest),
                )
            ]
        if len(places) > 1:
            listed = localizer.limit_texts([localizer.get_thing_name("place", p) for p in places], _MAX_LISTED)
            return [say("`{text}` can mean {places}", text=quote_typed(rest), places=localizer.join_list(listed))]
        map_lines = mark_drawing_lines(queries.render_map(game, True, width, places[0], size))
        return (
            [*map_lines, *render_place(places[0], game.view(), localizer)] if game.program.data["grid"] else map_lines
        )

    def _render_look(self, rest: str) -> list[TextLine]:
        """Describe the place or thing that `rest` names; a side or group also with its members and their places."""
        game, localizer, name_index = self.context.game, self.context.localizer, self.context.name_index
        lines: list[TextLine] = [*render_look(rest, game, name_index)]
        things = match_any_kind(rest, name_index)
        is_group = len(things) == 1 and things[0][0] in ("side", find_group_kind(game.program))
        if is_group and not match_full_names("place", rest, name_index):
            lines += render_roster_lines(game, localizer, things[0])
        return lines

    def _render_what(self, rest: str) -> list[TextLine]:
        """Describe the piece that `rest` names, or else the place, the thing or the term."""
        game, localizer, name_index = self.context.game, self.context.localizer, self.context.name_index
        say, ids = localizer.say, game.program.ids["piece"]
        if not rest:
            return [say("which piece? Write: what PIECE")]
        if is_name_of_other_kind("piece", rest, name_index):
            return self._render_look(rest)
        pieces = match_things("piece", rest, name_index)
        if len(pieces) == 1 or pieces and _are_alike(pieces, game):
            return render_piece(pieces[0], game, name_index)
        if pieces:
            names = dict.fromkeys(
                localizer.with_detail(localizer.get_piece_name(p), name_index.find_place_name(p)) for p in pieces
            )
            names_text = localizer.join_list(localizer.limit_texts([*names], _MAX_LISTED))
            return [say("`{text}` can mean {pieces}", text=quote_typed(rest), pieces=names_text)]
        if match_things("place", rest, name_index) or match_any_kind(rest, name_index):
            return self._render_look(rest)
        if (term := find_term(rest, list_terms(self.context.queries.glossary, localizer))) is not None:
            return format_term(term, localizer)
        hint = localizer.format_hint(rest, [*(localizer.get_thing_name("piece", i) for i in ids), *ids])
        return [say("no piece, place or term is called `{text}`", text=quote_typed(rest)) + hint]

    def _render_log(self, rest: str) -> Sequence[TextLine]:
        """Return the log lines that `rest` asks for: the last ones, one turn, the rolls, or lines with a word."""
        say, localizer = self.context.say, self.context.localizer
        events = list_events_since(self.context.game, 0)
        number = _USUAL_LOG
        if rest.isascii() and rest.isdigit():
            number = min(int(rest[:6]), _MAX_LOG_LINES)
        elif rest:
            selected = _filter_events(events, rest, localizer)
            if selected is None:
                return [say("log of what? Write: log N, log turn N, log rolls, or log WORD")]
            events, number = selected, _MAX_LOG_LINES
        formatter = EventFormatter(localizer, has_started=bool(rest) and not rest.isdigit())
        lines = [line for line in formatter.render_lines(events) if line.text]
        if not lines:
            return [say("no such events")]
        return lines[-number:] if number else []

    def _list_tables(self) -> list[str]:
        """Return a line for each table of the ruleset."""
        localizer, lines = self.context.localizer, []
        for name, chart in localizer.program.charts.items():
            label = localizer.translate_label(chart.label)
            mark = localizer.say("reconstructed") if chart.source == "reconstructed" else ""
            lines.append(
                "  "
                + localizer.prefix_topic(
                    name, localizer.join_list(filter(None, (label if label != name else "", mark)))
                )
            )
        return lines or [localizer.say("this game has no tables")]

    def render_table(self, rest: str, menu: Menu) -> Sequence[TextLine]:
        """Return the chart of a table, a section of it, or the chart as an option of the shown menu would read it.

        `rest`: the table and section, then perhaps "for" and the option.
        """
        localizer, say = self.context.localizer, self.context.say
        if not rest:
            return [say("which table? Write: table NAME; tables lists them")]
        name, option = self._split_at_for(rest)
        typed_words = tokenize_words(name)
        labels = {table: localizer.translate_label(chart.label) for table, chart in localizer.program.charts.items()}
        titles = {table: f"{table} {label}" for table, label in labels.items()}
        tables = [n for n in titles if typed_words in (tokenize_words(n), tokenize_words(labels[n]))] or _match_tables(
            typed_words, titles
        )
        if len(tables) > 1:
            names = localizer.join_list(labels[n] or n for n in tables)
            return [say("`{text}` can mean {tables}", text=quote_typed(rest), tables=names)]
        table, part = (tables[0], ()) if tables else _split_table_part(typed_words, titles)
        if table:
            return self._render_chart(table, part, option, menu)
        return [say("unknown table `{text}`", text=quote_typed(rest)) + localizer.format_hint(name, titles)]

    def _split_at_for(self, rest: str) -> tuple[str, str]:
        """Split the text at the word `for` into the parts before and after it; the second is '' without it."""
        typed_words = rest.split()
        for number, word in enumerate(typed_words[1:-1], 1):
            if to_half_width(word).casefold() in ("for", self.context.say("for").casefold()):
                return " ".join(typed_words[:number]), " ".join(typed_words[number + 1 :])
        return rest, ""

    def _render_chart(self, table: str, part: Sequence[str], option: str, menu: Menu) -> Sequence[TextLine]:
        """Return the chart of a table.

        `part`: words that select sections or, if no section has them, name an option; `option`: words that name the
        option of the menu whose cells are marked, '' for none.
        """
        game, queries = self.context.game, self.context.queries
        if part and not option:
            sections = _filter_sections(queries.render_chart(table, game), part)
            if sections is not None:
                return sections
            option, part = " ".join(part), ()
        if not option:
            return queries.render_chart(table, game)
        answer = self._find_option(option, menu)
        if answer is None:
            return [self._explain_no_option(option)]
        options = answer.target.options if isinstance(answer.target, Menu) else (answer.target,)
        lines = queries.render_chart(table, game, [o.keys[0] if isinstance(o, Route) else o.key for o in options])
        return (_filter_sections(lines, part) or lines) if part else lines

    def _find_option(self, text: str, menu: Menu) -> MenuAnswer | None:
        """Return what a text selects in a menu or in its root menu, or None if it fits neither."""
        name_index = self.context.name_index
        return parse_menu_answer(menu, text, name_index) or parse_menu_answer(find_root(menu), text, name_index)

    def _explain_no_option(self, text: str) -> TextLine:
        """Return the line about a text that matches no option."""
        context, say = self.context, self.context.say
        order, _, rest = text.partition(" ")
        command = find_command(order, context.localizer)
        if command is not None and command.name in ("go", "plan") and rest:
            return say(
                "`{order}` is a command, not an option; `{plan} {rest}` shows its route and dice",
                order=order,
                plan=say("plan"),
                rest=quote_typed(rest),
            )
        advice = suggest_next_step(text, context.game, context.name_index)
        return advice or say("`{text}` matches no option", text=quote_typed(text))

    def render_odds(self, rest: str, menu: Menu) -> Sequence[TextLine]:
        """Return the odds of an option of the shown menu; `rest`: its number, or words that match it."""
        localizer, name_index, say = self.context.localizer, self.context.name_index, self.context.say
        if not rest:
            return [say("odds of what? Write: odds OPTION, with words that match one option")]
        typed, rest = rest, to_half_width(rest)
        *numbers, last = rest.split()
        is_numbered = all(word.isdigit() for word in rest.split())
        if is_numbered and (head := _follow_numbers(numbers, menu, name_index)) is not None:
            menu, rest = head, last
        answer = self._find_option(rest, menu)
        if answer is None:
            allowed = format_number_range(1, len(list_entries(menu, name_index)), say)
            if is_numbered and allowed:
                return [
                    say("`{text}` is not a number of the list; type {number}", text=quote_typed(typed), number=allowed)
                ]
            return [self._explain_no_option(rest)]
        if not isinstance(answer.target, Menu):
            return self.context.queries.render_odds(self.context.game, answer.target.key)
        target = skip_single_questions(answer.target, name_index)
        question, shown_entries = render_question(target, name_index), list_entries(target, name_index)
        if is_numbered and shown_entries:
            first = 1 if shown_entries[0].value is None else shown_entries[0].value
            command = say("odds")
            how = say("for example: {examples}", examples=f"`{command} {typed} {first}`")
            matches = render_several_matches(typed, target, localizer)
            return [matches, question, *render_entries(shown_entries, localizer), how]
        listed: Sequence[TextLine] = [
            f"  {e}" for e in localizer.limit_texts([e.text for e in shown_entries], _MAX_LISTED)
        ]
        if question and len(shown_entries) < len(target.options):
            listed = render_entries(shown_entries, localizer)
        return [render_several_matches(rest, target, localizer), *([question] if question else []), *listed]


def _are_alike(pieces: Sequence[str], game: Game) -> bool:
    """Return whether pieces, given by their ids, are interchangeable."""
    handles = [game.program.handles["piece"][piece] for piece in pieces]
    is_alike = all(game.program.is_alike[handle] for handle in handles)
    return is_alike and len({format_piece_group(game.state, handle) for handle in handles}) == 1


def _match_tables(typed_words: Sequence[str], titles: Mapping[str, str]) -> list[str]:
    """Return the ids of the tables whose id and label, given in `titles`, have words that begin with those wanted."""
    return [
        n for n, text in titles.items() if all(any(t.startswith(w) for t in tokenize_words(text)) for w in typed_words)
    ]


def _follow_numbers(numbers: Sequence[str], menu: Menu, name_index: NameIndex) -> Menu | None:
    """Return the menu below `menu` that the numbers of its entries lead to, one after another; None if they do not."""
    for number in numbers:
        answer = parse_menu_answer(menu, number, name_index)
        if answer is None or not isinstance(answer.target, Menu):
            return None
        menu = skip_single_questions(answer.target, name_index)
    return menu


def _split_table_part(typed_words: Sequence[str], titles: Mapping[str, str]) -> tuple[str, Sequence[str]]:
    """Split the words `typed_words` into the id of a table and the words for a section of it; ("", ()) if none fits.

    `titles`: the id and label of each table, by id.
    """
    for cut in range(len(typed_words) - 1, 0, -1):
        tables = _match_tables(typed_words[:cut], titles)
        if len(tables) == 1:
            return tables[0], typed_words[cut:]
    return "", ()


def _filter_sections(lines: Sequence[TextLine], typed_words: Sequence[str]) -> list[TextLine] | None:
    """Return a chart without the sections whose heading lacks the words `typed_words`; None if no heading has them."""
    selected: list[TextLine] = []
    is_shown, is_found = True, False
    for line in lines:
        kind = line.kind if isinstance(line, Line) else "text"
        if kind == "section":
            heading = tokenize_words(str(line))
            is_shown = all(any(t.startswith(w) for t in heading) for w in typed_words)
            is_found = is_found or is_shown
        elif kind != "row":
            is_shown = True
        if is_shown:
            selected.append(line)
    return selected if is_found else None


def _filter_events(events: Sequence[Any], rest: str, localizer: Localizer) -> list[Any] | None:
    """Return the events that match a filter, or None if the filter has no words.

    `rest`: "rolls", "turn" with a number, or words that the event's text must contain.
    """
    typed_words = tokenize_words(rest)
    if not typed_words:
        return None
    if typed_words[0] in ("rolls", "dice", *tokenize_words(localizer.say("rolls"))):
        return [e for e in events if e.sort == "roll"]
    if (
        typed_words[0] in ("turn", *tokenize_words(localizer.say("turn")))
        and len(typed_words) == 2
        and typed_words[1].isdigit()
    ):
        return _filter_turn(events, typed_words[1])
    return [
        e
        for e in events
        if e.sort not in ("turn", "phase", "phase_end")
        and all(w in " ".join(tokenize_words(e.text(localizer.lang))) for w in typed_words)
    ]


def _filter_turn(events: Sequence[Any], turn: str) -> list[Any]:
    """Return the events of the turn with this number, as text."""
    selected, inside = [], False
    for event in events:
        if event.sort == "turn":
            inside = str(event.args["turn"]) == turn
        if inside:
            selected.append(event)
    return selected
