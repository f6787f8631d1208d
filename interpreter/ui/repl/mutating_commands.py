"""Commands that change the game or its file: go, undo, redo, note and save.

Each takes the session that it runs in and returns a CommandResult.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.api.autosave import NoRoomError
from interpreter.i18n.translator import message_of
from interpreter.play.lines import Line, TextLine, begin_sentence
from interpreter.players.narration.come_out import come_out_lines
from interpreter.players.narration.event_lines import events_since
from interpreter.players.narration.position_lines import describe_moment
from interpreter.players.narration.why_lines import why_not_ordered, why_not_there
from interpreter.players.orders.matching import ends_in_full_name, match_options
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.option_tree import (
    OptionTree,
    entries,
    entry_lines,
    option_words,
    render_question,
    render_several_matches,
)
from interpreter.players.orders.route_planning import (
    Route,
    find_routes,
    is_irreversible,
    list_route_rolls,
    prefer_plain_routes,
)
from interpreter.players.orders.tokenizer import split_destination_and_route
from interpreter.players.questions.plain_answers import later_lines
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.log_entries import LogEntry, LoggedChoice
from interpreter.saves.journal import JournalError
from interpreter.ui.repl.confirmations import ask_yes_no
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol

_MOST_NAMED = 12  # places that a text may mean; more are counted


def go(session: ReplProtocol, text: str, only_told: bool) -> CommandResult:
    """Find the route to a place and take it, or only describe it if `only_told`.

    Returns CommandResult.ANSWER if the text names no place but fits an option or a known order.
    """
    say, name_index = session.words.say, session.words_here()
    who, places, how = split_destination_and_route(text, name_index)
    if not places:
        command = "plan" if only_told else "go"
        typed = [f"{word} {text}" for word in (command, say(command))]
        if any(
            parse_menu_answer(session.menu, t, name_index) or why_not_ordered(t, session.game, name_index)
            for t in typed
        ):
            return CommandResult.ANSWER
        if nearest := session.put_right(text):
            shown = f"{say('plan' if only_told else 'go')} {nearest}"
            return session.refuse(
                [say("cannot understand `{text}`; did you mean `{meant}`?", text=text[:40], meant=shown)]
            )
        if text:
            return session.refuse([say("`{text}` is not a place on the map; write: go [PIECE] PLACE", text=text[:40])])
        return session.refuse([say("go where? Write: go [PIECE] PLACE")])
    if len(places) > 1:
        return session.refuse(
            [
                say(
                    "`{text}` can mean {places}",
                    text=text[:40],
                    places=session.words.join_list(
                        session.words.counted_off([session.words.thing("place", p) for p in places], _MOST_NAMED)
                    ),
                )
            ]
        )
    found = find_routes(session.game, who, places[0], name_index)
    is_plain = ends_in_full_name("place", places[0], text.removesuffix(how), name_index)
    if not found:
        target = session.words.thing("place", places[0])
        later = [] if who else later_lines(target, session.game, name_index)
        return session.refuse(later or why_not_there(text.removesuffix(how), session.game, name_index))
    if how:
        meant = match_options(found, how, name_index)
        if not meant:
            return session.refuse(
                [say("no route there matches `{text}`; the routes are:", text=how[:40]), *_route_lines(session, found)]
            )
        found = meant
    found = prefer_plain_routes(session.game, found)
    if len(found) > 1:
        menu = OptionTree(tuple(found), found[0].name, (), session.menu)
        if len(entries(menu, name_index)) < len(found):
            session.screen.write([render_several_matches(text, menu, session.words)])
        if only_told:
            session.screen.write([render_question(menu, session.words_here())])
            session.screen.write(entry_lines(entries(menu, name_index), session.words, room=session.screen.width()))
        else:
            session.show_menu(menu)
        return CommandResult.ASK
    return take_route(session, found[0], only_told, is_guess=not is_plain)


def _route_lines(session: ReplProtocol, found: Sequence[Route]) -> Sequence[TextLine]:
    """Return routes as the lines of a menu."""
    menu = OptionTree(tuple(found), found[0].name, (), session.menu)
    return entry_lines(entries(menu, session.words_here()), session.words, room=session.screen.width())


def take_route(session: ReplProtocol, way: Route, only_told: bool = False, is_guess: bool = False) -> CommandResult:
    """Describe a route and take it, asking first if dice will fall or a guess could not be undone."""
    dice = list_route_rolls(session.game, way)
    session.screen.write([Line(option_words(way, session.words_here()), way.cite)])
    if dice:
        session.screen.write([dice_line(session, dice)])
    is_final = bool(dice) or is_guess and is_irreversible(session.game, way.keys)
    if only_told or is_final and not ask_yes_no(session, session.words.say("continue? (yes or no)")):
        return CommandResult.ASK
    return session.order(way)


def dice_line(session: ReplProtocol, dice: Sequence[str]) -> str:
    """Return a line that names the dice rolled on the route."""
    rolls = session.words.join_list(session.words.name(d, "roll") for d in dice)
    return session.words.say("rolls on the way: {rolls}", rolls=rolls)


def undo_or_redo(session: ReplProtocol, word: str, rest: str) -> CommandResult:
    """Undo or redo the player's last choice, along with the bots' choices since."""
    if session.autosave.looking:
        return session.only_looking()
    say = session.words.say
    if rest and (word == "redo" or rest.strip().casefold() not in ("anyway", say("anyway").casefold())):
        return session.refuse([say("only `anyway` can follow `undo`; `{rest}` is unknown", rest=rest[:40])])
    fell = () if word == "redo" or session.game.state.draft else _find_revealed(session)
    if fell and not rest:
        return session.refuse(
            [
                say("revealed since your last choice:"),
                *(f"  {line}" for line in fell),
                say("to undo it anyway: undo anyway"),
            ]
        )
    if word == "undo":
        try:
            session.autosave.require_room_to_take_back()
        except NoRoomError as problem:
            return session.refuse([say(message_of(problem))])
    chosen = say("the last step") if session.game.state.draft else _last_choice_text(session)
    made, choices, way = session.way_taken  # a route is undone as a whole
    since = count_forced_choices(session)
    whole = word == "undo" and choices > 0 and made == len(session.game.keys) - since and not session.game.state.draft
    chosen = way if whole else chosen
    try:
        for _ in range(choices + since if whole else 1):
            getattr(session.game, word)()
        while not session.game.over and (session.is_bots_turn() or session.game.count() == 1):
            getattr(session.game, word)()
    except IllegalAction as refused:
        session.screen.write([say(refused.message)])
        if not session.is_bots_turn():
            return CommandResult.ASK
    asked = session.game.decision
    session.building = session.building and asked is not None and asked.is_draft
    before, session.shown_decision = session.shown_decision, (session.game.turn, session.game.phase)
    session.log_position = len(session.game.raw_log())
    session.event_formatter.stand_after(events_since(session.game, 0))
    session.way_taken = (0, 0, "")
    session.autosave.keep(session.game)
    if word == "redo":
        chosen = say("the last step") if session.game.state.draft else _last_choice_text(session)
    here = describe_moment(session.game.view(), session.words)
    now = chosen or here
    session.screen.write([say("undone: {now}", now=now) if word == "undo" else say("redone: {now}", now=now)])
    if before != session.shown_decision and now != here:
        session.screen.write(["", begin_sentence(here)])
    return CommandResult.MOVED


def count_forced_choices(session: ReplProtocol) -> int:
    """Count the player's most recent consecutive choices that had only one option."""
    number = 0
    for before, _length, key in reversed(session.game.past()):
        if not key or before.pending is None or before.draft:
            break
        decision = Decision(before)
        if decision.seat in session.bots or len(decision.raw_options()) != 1:
            break
        number += 1
    return number


def _last_choice_text(session: ReplProtocol) -> str:
    """Return the player's last unforced choice in words, or '' at the beginning."""
    forced = count_forced_choices(session)
    for raw in reversed(session.game.raw_log()):
        if isinstance(raw, LoggedChoice) and raw.seat not in session.bots:
            if not forced:
                return session.words.format_telling(raw.words)
            forced -= 1
    return ""


def _find_revealed(session: ReplProtocol) -> tuple[str, ...]:
    """Return what came out since the last choice of a person: which dice fell, and what bots decided."""
    found: list[LogEntry] = []
    forced = count_forced_choices(session)
    for raw in reversed(session.game.raw_log()):
        if isinstance(raw, LoggedChoice) and raw.seat not in session.bots:
            if not forced:
                break
            forced -= 1
        else:
            found.append(raw)
    return come_out_lines(reversed(found), session.words)


def write_note(session: ReplProtocol, text: str) -> CommandResult:
    """Write a remark into the game's file, with the turn and phase it belongs to, who wrote it and when."""
    if not text.strip():
        return session.refuse([session.words.say("note what? Write: note TEXT")])
    if session.autosave.looking:
        return session.only_looking()
    decision = session.game.decision
    by = session.words.thing("seat", decision.seat) if decision is not None else ""
    try:
        session.autosave.note(text.strip(), describe_moment(session.game.view(), session.words), by)
    except NoRoomError as problem:
        return session.refuse([session.words.say(message_of(problem))])
    session.screen.write([session.words.say("noted")])
    return CommandResult.ASK


def save_copy(session: ReplProtocol, name: str) -> CommandResult:
    """Report where the game is saved, or write a copy to another file."""
    say = session.words.say
    if not name:
        session.autosave.keep(session.game)
        session.screen.write([session.autosave.where()])
        return CommandResult.ASK
    try:
        session.autosave.copy(session.game, name)
        session.screen.write([say("saved in {file}", file=name)])
        if session.autosave.looking:
            session.screen.write([say("to play on in the copy: {command}", command=f"grognard play --resume {name}")])
    except JournalError as problem:
        session.screen.write([say("not saved: {problem}", problem=problem)])
    return CommandResult.ASK
