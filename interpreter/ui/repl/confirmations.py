"""Confirmation prompts before guesses and before choices that cannot be undone."""

from __future__ import annotations

from interpreter.diagnostics.terminal_text import cell_width
from interpreter.players.narration.localizer import Localizer
from interpreter.players.orders.confirming import confirmation_of, idle_names
from interpreter.players.orders.menu_answers import MenuAnswer, no_words, yes_words
from interpreter.players.orders.name_index import to_half_width
from interpreter.players.orders.option_tree import OptionTree, option_words
from interpreter.players.orders.route_planning import Route, is_irreversible
from interpreter.ui.repl.repl_protocol import ReplProtocol

_ROOM = 10  # cells reserved for the answer after a question


def confirm_answer(session: ReplProtocol, found: MenuAnswer, text: str) -> bool:
    """Return whether the typed order may be carried out: it is certain and can be undone, or the player agrees."""
    say, words, option = session.words.say, session.words, found.leads
    assert not isinstance(option, OptionTree)
    if isinstance(option, Route):
        return True  # its dice are asked about where it is taken
    needed = confirmation_of(session.game, option.key, words) if not found.is_outright else None
    if needed is not None and not (needed.ends_row and found.is_printed):
        hint = say("(`{typed} anyway`, or its number, ends it without a question)", typed=words.name("done", "option"))
        session.screen.write([*needed.reasons, *([hint] if needed.ends_row else [])])
        return ask_yes_no(session, say("{question} (yes or no)", question=needed.question), text)
    if option.name == "done" and not session.words_here().is_row_unused:
        if idle := idle_names(session.game, words):
            session.screen.write([say("(left without orders: {names})", names=idle)])
    if found.is_plain or not is_irreversible(session.game, (option.key,)):
        return True
    meant = option_words(option, session.words_here())
    return ask_yes_no(session, say("did you mean: {option}? (yes or no)", option=meant))


def ask_yes_no(session: ReplProtocol, question: str, insisted: str = "") -> bool:
    """Ask a yes-or-no question and return True for yes.

    Anything else means no and is read as the next answer. `insisted` also means yes: the text that led to the
    question, typed again. Answers chained after a semicolon are used only if they answer the question.
    """
    name_index = session.words_here()
    answers = (*yes_words(name_index), *no_words(name_index), insisted.casefold())
    if session.waiting and to_half_width(session.waiting[0]).casefold() in answers:
        typed: str | None = session.waiting.pop(0)
        session.screen.write([f"{question} {typed}"])
    else:
        session.leave_out()
        width = session.screen.width()
        is_long = width > 0 and cell_width(question) + _ROOM > width  # readline would wrap inside a word
        if is_long:
            session.screen.write([question])
        typed = session.screen.read("? " if is_long else question + " ")
    plain = "" if typed is None else to_half_width(typed).strip().casefold()
    if plain and plain in (*yes_words(name_index), insisted.casefold()):
        return True
    session.screen.write([session.words.say("cancelled")])
    if typed is not None and plain not in no_words(name_index):
        session.typed_ahead = typed
    return False


def strip_anyway(text: str, words: Localizer) -> str:
    """Return the typed text without its trailing word `anyway`, or '' if it does not end with that word."""
    before, _, last = text.rpartition(" ")
    return before.strip() if last.casefold() in ("anyway", words.say("anyway").casefold()) else ""
