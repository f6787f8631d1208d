"""Yes-or-no questions before an irreversible or guessed action."""

from __future__ import annotations

from interpreter.diagnostics.terminal_text import cell_width
from interpreter.players.narration.localizer import Localizer
from interpreter.players.orders.bulk_orders import who_can_go
from interpreter.players.orders.menu_answers import MenuAnswer, no_words, yes_words
from interpreter.players.orders.name_index import narrowed
from interpreter.players.orders.option_tree import OptionTree, option_words
from interpreter.players.orders.route_planning import Route, comes_out
from interpreter.ui.repl.repl_protocol import ReplProtocol

_MOST_IDLE = 6  # number of names listed
_ROOM = 10  # cells reserved for the answer after a question


def goes_ahead(session: ReplProtocol, found: MenuAnswer, text: str) -> bool:
    """Return True if the typed answer may be carried out.

    That holds if it is unambiguous, if `undo` can revert it, or if the player confirms it.
    """
    say, option = session.words.say, found.leads
    assert not isinstance(option, OptionTree)
    idle = idle_names(session) if option.name == "done" else ""
    if option.name == "done" and not found.is_printed and _throws_away(session, option.key, bool(idle)):
        decision = session.game.decision
        asked = decision.prompt_text(session.words.lang) if decision else ""
        is_unused = session.words_here().is_row_unused
        session.screen.write(
            [
                *([say("nothing has been done yet: {question}", question=asked)] if is_unused else []),
                *([say("still without orders: {names}", names=idle)] if idle else []),
                say(
                    "(`{typed} anyway`, or its number, says outright that nothing shall be)",
                    typed=session.words.name("done", "option"),
                ),
            ]
        )
        return agreed(session, say("done all the same? (yes or no)"), text)
    if idle and not session.words_here().is_row_unused:
        session.screen.write([say("(left without orders: {names})", names=idle)])
    if found.is_plain or isinstance(option, Route) or not comes_out(session.game, (option.key,)):
        return True
    meant = option_words(option, session.words_here())
    return agreed(session, say("did you mean: {option}? (yes or no)", option=meant))


def _throws_away(session: ReplProtocol, key: str, is_idle: bool) -> bool:
    """Return True if ending the row of choices wastes it irreversibly.

    A row is wasted if nothing was done in it or some pieces are idle; irreversible means that `undo` cannot revert it.
    """
    return (is_idle or session.words_here().is_row_unused) and comes_out(session.game, (key,))


def idle_names(session: ReplProtocol) -> str:
    """Return the names of the pieces that could still be ordered in a row of choices, or '' if there are none."""
    return session.words.some(map(session.words.piece, who_can_go(session.game)), _MOST_IDLE)


def agreed(session: ReplProtocol, question: str, insisted: str = "") -> bool:
    """Ask a yes-or-no question and return True for yes.

    Anything else means no and is read as the next answer. `insisted` also means yes: the text that led to the
    question, typed again. Answers chained after a semicolon are used only if they answer the question.
    """
    lexicon = session.words_here()
    answers = (*yes_words(lexicon), *no_words(lexicon), insisted.casefold())
    if session.waiting and narrowed(session.waiting[0]).casefold() in answers:
        typed: str | None = session.waiting.pop(0)
        session.screen.write([f"{question} {typed}"])
    else:
        session.leave_out()
        width = session.screen.width()
        is_long = width > 0 and cell_width(question) + _ROOM > width  # readline would wrap inside a word
        if is_long:
            session.screen.write([question])
        typed = session.screen.read("? " if is_long else question + " ")
    plain = "" if typed is None else narrowed(typed).strip().casefold()
    if plain and plain in (*yes_words(lexicon), insisted.casefold()):
        return True
    session.screen.write([session.words.say("not done")])
    if typed is not None and plain not in no_words(lexicon):
        session.typed_ahead = typed
    return False


def without_anyway(text: str, words: Localizer) -> str:
    """Return the typed text without its trailing word `anyway`, or '' if it does not end with that word."""
    before, _, last = text.rpartition(" ")
    return before.strip() if last.casefold() in ("anyway", words.say("anyway").casefold()) else ""
