"""Orders typed for many at once, carried out one after another and told in a line each. Must not read what is typed."""

from __future__ import annotations

from interpreter.faces.terminal.doubts import agreed
from interpreter.faces.terminal.errand_giver import Follows, Sitting
from interpreter.faces.terminal.errands import dice_line
from interpreter.faces.terminal.glances import group_named
from interpreter.players.belonging import members, on_map, seat_of
from interpreter.players.orders.lexicon import Lexicon, tokens
from interpreter.players.orders.marches import Distances, nearer_ways, steps_to, who_can_go, without_dice
from interpreter.players.orders.matching import kind_of, named
from interpreter.players.orders.menus import option_words
from interpreter.players.orders.rows import Row, row_is_unused, row_of
from interpreter.players.orders.typed import destination, endpoints
from interpreter.players.orders.ways import MOST_REPEATED, comes_out, dice_fell, dice_on, largest_from
from interpreter.players.telling.reasons import why_not_there

_MOST_RISKY = 6  # names


def send(session: Sitting, text: str) -> Follows:
    """`all from A to B`, `all WHO forward`, `all WHO to PLACE`."""
    if session.keeper.looking:
        return session.only_looking()
    lexicon = session.words_here()
    ends = endpoints(text, lexicon) if _is_from(text, lexicon) else None
    if ends is not None:
        return _send_between(session, *ends)
    who, steps, spreads = _aimed(session, text)
    if steps is None:
        return session.refuse(
            [session.words.say("all where? write: all [WHO] forward, all [WHO] to PLACE, or all from PLACE to PLACE")]
        )
    pieces = _meant(session, who)
    if pieces is None:
        return session.refuse([session.words.say("`{text}` names no group and nobody here", text=who[:40])])
    if not pieces:
        return session.refuse([_nobody_now(session)])
    return _send_each(session, pieces, steps, spreads)


def _is_from(text: str, lexicon: Lexicon) -> bool:
    between = {"from", *tokens(lexicon.words.say("from"))}
    return any(word.casefold() in between for word in text.split())


def _aimed(session: Sitting, text: str) -> tuple[str, Distances | None, bool]:
    """Who is meant, how far every place is from where they shall go (None for no place), whether they spread out."""
    lexicon, game = session.words_here(), session.game
    given = text.split()
    forward = {"forward", session.words.say("forward").casefold()}
    if given and given[-1].casefold() in forward or not given:
        seat = game.decision.seat if game.decision else ""
        state = game.state
        enemies = {
            state.at[p]
            for p in range(len(game.program.ids["piece"]))
            if on_map(game, p) and seat_of(game, p) not in (None, seat)
        }
        return " ".join(given[:-1]), steps_to(game, sorted(enemies)) if given and enemies else None, True
    who, places = destination(text, lexicon)
    if len(places) != 1:
        return who, None, False
    return who, steps_to(game, [game.program.handles["place"][places[0]]]), False


def _meant(session: Sitting, who: str) -> tuple[str, ...] | None:
    """The pieces that can be ordered now and that these words mean; all of them for no words, None for nobody."""
    able = who_can_go(session.game)
    if not who:
        return able
    lexicon = session.words_here()
    group = group_named(who, lexicon)
    if group is not None:
        own = set(members(session.game, *group))
        return tuple(piece for piece in able if piece in own)
    found = set(named("piece", who, lexicon))
    return tuple(piece for piece in able if piece in found) if found else None


def _nobody_now(session: Sitting) -> str:
    """Why nobody can be sent piece by piece: pieces that are alike are named in groups, or something else is asked."""
    decision, say, single = session.game.decision, session.words.say, session.game.program.handles["piece"]
    for option in decision.options if decision is not None else ():
        if any(kind_of(show) == "piece" and option.args.get(name) not in single for name, show in option.shows.items()):
            return say("pieces that are alike are sent by place; write: all from PLACE to PLACE")
    asked = decision.prompt_text(session.words.lang) if decision is not None else ""
    return say("none of them can be ordered now; asked is: {question}", question=asked)


def _send_each(session: Sitting, pieces: tuple[str, ...], steps: Distances, spreads: bool) -> Follows:
    """Order each piece as near as it gets, the nearest first; told in one line each, and taken back as one.

    Stops where an order asks something of its own, or where the row of orders ends: nothing else is decided here.
    """
    game, say, words = session.game, session.words.say, session.words
    row, handles = row_of(game), game.program.handles["piece"]
    sent, made, risky = 0, len(game.keys), list[str]()
    for piece in sorted(pieces, key=lambda p: (steps.get(game.state.at[handles[p]], len(steps)), pieces.index(p))):
        found = nearer_ways(game, piece, steps, spreads)
        way = without_dice(game, found)
        if way is None:
            risky += [piece] if found else []
            continue
        follows = session.order(way)
        if follows is not Follows.MOVED:
            return follows
        sent += 1
        _leave_at_that(session, row)
        if row is None or not row.is_asked_in(game.state) or dice_fell(game):
            break
    if not sent:
        told = say("none of them can come nearer now without dice; `what PIECE` tells its reach")
        return session.refuse([told])
    session.way_taken = (len(game.keys), len(game.keys) - made, say("orders for {number}", number=sent))
    if row is not None and row.is_interrupted_in(game.state):
        session.screen.write(
            [say("(stopped here: this order asks something; give the others the same order afterwards)")]
        )
    elif risky:
        names = words.some(map(words.piece, risky), _MOST_RISKY)
        session.screen.write([say("(not ordered, as dice would fall: {names})", names=names)])
    return Follows.MOVED


def _leave_at_that(session: Sitting, row: Row | None) -> None:
    """End the rows that an order asks of its own, such as who goes along, with nothing chosen in them, and tell it.

    Never ends the row in which the order was given, nor any after it: those are phases of the game.
    """
    game, words = session.game, session.words
    seat = game.decision.seat if game.decision else ""
    while row is not None and row.is_interrupted_in(game.state):
        decision = game.decision
        done = None if decision is None else next((o for o in decision.options if o.key == "done"), None)
        if decision is None or done is None or decision.seat != seat or not row_is_unused(game):
            return
        asked = decision.prompt_text(words.lang)
        if comes_out(game, (done.key,)) or session.order(done) is not Follows.MOVED:
            return
        session.screen.write(
            ["    " + words.say("({question} {answer})", question=asked, answer=words.name("done", "option"))]
        )


def _send_between(session: Sitting, origin: str, goal: str) -> Follows:
    """Send everybody who can from one place to another, group after group."""
    say, lexicon = session.words.say, session.words_here()
    row, sent = row_of(session.game), 0
    while sent < MOST_REPEATED:
        way = largest_from(session.game, origin, goal)
        if way is None:
            break
        dice = dice_on(session.game, way)
        if dice:
            session.screen.write([option_words(way, Lexicon(session.game, session.words)), dice_line(session, dice)])
            if not agreed(session, say("go on? (yes or no)")):
                return Follows.MOVED if sent else Follows.ASK
        follows = session.order(way)
        if follows is not Follows.MOVED:
            return follows
        sent += 1
        if row is None or not row.is_asked_in(session.game.state) or dice_fell(session.game):
            break
    if not sent:
        called = f"{session.words.thing('place', origin)} {session.words.thing('place', goal)}"
        return session.refuse(why_not_there(called, session.game, lexicon))
    return Follows.MOVED
