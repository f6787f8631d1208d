"""Commands at the prompt that change the game or its file: going somewhere, taking back, notes, saving.

Each takes the sitting it is carried out in and says what follows. Must not read what is typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.facade.keeping import NoRoomError
from interpreter.faces.terminal.doubts import agreed
from interpreter.faces.terminal.errand_giver import Follows, Sitting
from interpreter.players.orders.answers import answer
from interpreter.players.orders.matching import is_called_in_full, matching
from interpreter.players.orders.menus import Menu, entries, entry_lines, option_words, question, several
from interpreter.players.orders.typed import destination_and_how
from interpreter.players.orders.ways import Way, comes_out, dice_on, plainest, ways
from interpreter.players.telling.come_out import come_out_lines
from interpreter.players.telling.happenings import events_since
from interpreter.players.telling.position import heading
from interpreter.players.telling.reasons import why_not_ordered, why_not_there
from interpreter.players.telling.vocabulary import cited
from interpreter.runtime.choices import Decision
from interpreter.runtime.faults import IllegalAction
from interpreter.saves.journal import JournalError
from interpreter.words.speech import message_of

_MOST_NAMED = 12  # places that a text may mean; more are counted


def go(session: Sitting, text: str, only_told: bool) -> Follows:
    """Find the way to a place and take it, or only tell it; what names no place is an answer."""
    say, lexicon = session.words.say, session.words_here()
    who, places, how = destination_and_how(text, lexicon)
    if not places:
        command = "plan" if only_told else "go"
        typed = [f"{word} {text}" for word in (command, say(command))]
        if any(answer(session.menu, t, lexicon) or why_not_ordered(t, session.game, lexicon) for t in typed):
            return Follows.ANSWER
        if nearest := session.put_right(text):
            shown = f"{say('plan' if only_told else 'go')} {nearest}"
            return session.refuse(
                [say("`{text}` is not understood; did you mean `{meant}`?", text=text[:40], meant=shown)]
            )
        if text:
            return session.refuse([say("`{text}` names no place on the map; write: go [WHO] PLACE", text=text[:40])])
        return session.refuse([say("go where? write: go [WHO] PLACE")])
    if len(places) > 1:
        return session.refuse(
            [
                say(
                    "`{text}` may be {places}",
                    text=text[:40],
                    places=session.words.listed(
                        session.words.counted_off([session.words.thing("place", p) for p in places], _MOST_NAMED)
                    ),
                )
            ]
        )
    found = ways(session.game, who, places[0], lexicon)
    is_plain = is_called_in_full("place", places[0], text.removesuffix(how), lexicon)
    if not found:
        return session.refuse(why_not_there(text.removesuffix(how), session.game, lexicon))
    if how:
        meant = matching(found, how, lexicon)
        if not meant:
            return session.refuse(
                [say("no way there fits `{text}`; the ways are:", text=how[:40]), *_listed(session, found)]
            )
        found = meant
    found = plainest(session.game, found)
    if len(found) > 1:
        menu = Menu(tuple(found), found[0].name, (), session.menu)
        if len(entries(menu, lexicon)) < len(found):
            session.screen.write([several(text, menu, session.words)])
        if only_told:
            session.screen.write([question(menu, session.words_here())])
            session.screen.write(entry_lines(entries(menu, lexicon), session.words, room=session.screen.width()))
        else:
            session.show_menu(menu)
        return Follows.ASK
    return take_way(session, found[0], only_told, is_guess=not is_plain)


def _listed(session: Sitting, found: Sequence[Way]) -> list[str]:
    """Ways as a list."""
    menu = Menu(tuple(found), found[0].name, (), session.menu)
    return entry_lines(entries(menu, session.words_here()), session.words, room=session.screen.width())


def take_way(session: Sitting, way: Way, only_told: bool = False, is_guess: bool = False) -> Follows:
    """Tell a way and take it; where dice will fall, or a guess could not be taken back, only if the player agrees."""
    dice = dice_on(session.game, way)
    session.screen.write([option_words(way, session.words_here()) + cited(way.cite)])
    if dice:
        session.screen.write([dice_line(session, dice)])
    is_final = bool(dice) or is_guess and comes_out(session.game, way.keys)
    if only_told or is_final and not agreed(session, session.words.say("go on? (yes or no)")):
        return Follows.ASK
    return session.order(way)


def dice_line(session: Sitting, dice: Sequence[str]) -> str:
    """Which dice fall on the way."""
    rolls = session.words.listed(session.words.name(d, "roll") for d in dice)
    return session.words.say("dice on the way: {rolls}", rolls=rolls)


def take_back(session: Sitting, word: str, rest: str) -> Follows:
    """Undo or redo; what bots chose since the last decision of a person goes with it."""
    if session.keeper.looking:
        return session.only_looking()
    say = session.words.say
    if rest and (word == "redo" or rest.strip().casefold() not in ("anyway", say("anyway").casefold())):
        return session.refuse([say("`undo` may be followed by `anyway` alone: what is `{rest}`?", rest=rest[:40])])
    fell = () if word == "redo" or session.game.state.draft else _revealed(session)
    if fell and not rest:
        return session.refuse(
            [
                say("since your last choice this has come out:"),
                *(f"  {line}" for line in fell),
                say("undo anyway: takes it back all the same"),
            ]
        )
    if word == "undo":
        try:
            session.keeper.require_room_to_take_back()
        except NoRoomError as problem:
            return session.refuse([say(message_of(problem))])
    chosen = say("the last step") if session.game.state.draft else _last_chosen(session)
    made, choices, way = session.way_taken  # a way is taken back as a whole
    since = forced_since(session)
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
            return Follows.ASK
    asked = session.game.decision
    session.building = session.building and asked is not None and asked.is_draft
    before, session.shown = session.shown, (session.game.turn, session.game.phase)
    session.told = len(session.game.raw_log())
    session.teller.stand_after(events_since(session.game, 0))
    session.way_taken = (0, 0, "")
    session.keeper.keep(session.game)
    if word == "redo":
        chosen = say("the last step") if session.game.state.draft else _last_chosen(session)
    here = heading(session.game.view(), session.words)
    now = chosen or here
    session.screen.write([say("taken back: {now}", now=now) if word == "undo" else say("done again: {now}", now=now)])
    if before != session.shown and now != here:
        session.screen.write(["", here])
    return Follows.MOVED


def forced_since(session: Sitting) -> int:
    """How many of the last choices were no choices: each of them all that was possible then, for a person."""
    number = 0
    for before, _length, key in reversed(session.game.past()):
        if not key or before.pending is None or before.draft:
            break
        decision = Decision(before)
        if decision.seat in session.bots or len(decision.raw_options()) != 1:
            break
        number += 1
    return number


def _last_chosen(session: Sitting) -> str:
    """What a person chose last, in words; '' at the beginning."""
    forced = forced_since(session)
    for raw in reversed(session.game.raw_log()):
        if raw[0] == "decision" and raw[2] not in session.bots:
            if not forced:
                return session.words.told(raw[6])
            forced -= 1
    return ""


def _revealed(session: Sitting) -> tuple[str, ...]:
    """Return what came out since the last choice of a person: which dice fell, and what bots decided."""
    found: list[tuple[Any, ...]] = []
    forced = forced_since(session)
    for raw in reversed(session.game.raw_log()):
        if raw[0] == "decision" and raw[2] not in session.bots:
            if not forced:
                break
            forced -= 1
        else:
            found.append(raw)
    return come_out_lines(reversed(found), session.words)


def note(session: Sitting, text: str) -> Follows:
    """Write a remark into the game's file, with the turn and phase it belongs to, who wrote it and when."""
    if not text.strip():
        return session.refuse([session.words.say("note what? write: note TEXT")])
    if session.keeper.looking:
        return session.only_looking()
    decision = session.game.decision
    by = session.words.thing("seat", decision.seat) if decision is not None else ""
    try:
        session.keeper.note(text.strip(), heading(session.game.view(), session.words), by)
    except NoRoomError as problem:
        return session.refuse([session.words.say(message_of(problem))])
    session.screen.write([session.words.say("noted")])
    return Follows.ASK


def save_copy(session: Sitting, name: str) -> Follows:
    """Say where the game is kept, or write it to another file."""
    say = session.words.say
    if not name:
        session.keeper.keep(session.game)
        session.screen.write([session.keeper.where()])
        return Follows.ASK
    try:
        session.keeper.copy(session.game, name)
        session.screen.write([say("saved in {file}", file=name)])
        if session.keeper.looking:
            session.screen.write([say("play on in the copy with: {command}", command=f"grognard play --resume {name}")])
    except JournalError as problem:
        session.screen.write([say("not saved: {problem}", problem=problem)])
    return Follows.ASK
