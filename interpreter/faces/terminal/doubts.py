"""Questions before what cannot be taken back: what was only guessed, and what needs a confirmation on any face.

Each takes the sitting it is asked in. Must not carry anything out.
"""

from __future__ import annotations

from interpreter.faces.terminal.errand_giver import Sitting
from interpreter.players.orders.answers import Answer, no_words, yes_words
from interpreter.players.orders.confirming import confirmation_of, idle_names
from interpreter.players.orders.lexicon import narrowed
from interpreter.players.orders.menus import Menu, option_words
from interpreter.players.orders.ways import Way, comes_out
from interpreter.players.telling.vocabulary import Words
from interpreter.source.printing import cell_width

_ROOM = 10  # cells for what is typed behind a question


def goes_ahead(session: Sitting, found: Answer, text: str) -> bool:
    """Return True if what was typed may be carried out: it is plain and can be taken back, or the player agrees."""
    say, words, option = session.words.say, session.words, found.leads
    assert not isinstance(option, Menu)
    if isinstance(option, Way):
        return True  # its dice are asked about where it is taken
    needed = confirmation_of(session.game, option.key, words) if not found.is_outright else None
    if needed is not None and not (needed.ends_row and found.is_printed):
        hint = say("(`{typed} anyway`, or its number, ends it without asking)", typed=words.name("done", "option"))
        session.screen.write([*needed.reasons, *([hint] if needed.ends_row else [])])
        return agreed(session, say("{question} (yes or no)", question=needed.question), text)
    if option.name == "done" and not session.words_here().is_row_unused:
        if idle := idle_names(session.game, words):
            session.screen.write([say("(left without orders: {names})", names=idle)])
    if found.is_plain or not comes_out(session.game, (option.key,)):
        return True
    meant = option_words(option, session.words_here())
    return agreed(session, say("did you mean: {option}? (yes or no)", option=meant))


def agreed(session: Sitting, question: str, insisted: str = "") -> bool:
    """Ask a question that yes or no answers. What is neither means no, and is read as the next answer.

    `insisted`: typed again, it means yes. What follows in a line goes on only where it answers.
    """
    lexicon = session.words_here()
    answers = (*yes_words(lexicon), *no_words(lexicon), insisted.casefold())
    if session.waiting and narrowed(session.waiting[0]).casefold() in answers:
        typed: str | None = session.waiting.pop(0)
        session.screen.write([f"{question} {typed}"])
    else:
        session.leave_out()
        width = session.screen.width()
        is_long = width > 0 and cell_width(question) + _ROOM > width  # a line editor breaks no words
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


def without_anyway(text: str, words: Words) -> str:
    """What was typed before the word that says it outright; '' where that word does not stand at the end."""
    before, _, last = text.rpartition(" ")
    return before.strip() if last.casefold() in ("anyway", words.say("anyway").casefold()) else ""
