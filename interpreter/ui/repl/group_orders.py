"""Orders for many pieces at once, carried out one by one and reported in a line each."""

from __future__ import annotations

from interpreter.players.narration.why_lines import why_not_there
from interpreter.players.orders.bulk_orders import Distances, nearer, steps_to, who_can_go
from interpreter.players.orders.matching import kind_of, named
from interpreter.players.orders.name_index import NameIndex, tokens
from interpreter.players.orders.option_tree import option_words
from interpreter.players.orders.repeated_decisions import row_is_unused
from interpreter.players.orders.route_planning import MOST_REPEATED, comes_out, dice_fell, dice_on, largest_from
from interpreter.players.orders.tokenizer import destination, endpoints
from interpreter.players.ownership import members, on_map, seat_of
from interpreter.ui.repl.confirmations import agreed
from interpreter.ui.repl.mutating_commands import dice_line
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol
from interpreter.ui.repl.summary_commands import group_named


def send(session: ReplProtocol, text: str) -> CommandResult:
    """Carry out `all from A to B`, `all WHO forward` or `all WHO to PLACE`."""
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


def _is_from(text: str, lexicon: NameIndex) -> bool:
    between = {"from", *tokens(lexicon.words.say("from"))}
    return any(word.casefold() in between for word in text.split())


def _aimed(session: ReplProtocol, text: str) -> tuple[str, Distances | None, bool]:
    """Parse a group order into the group's words, the distances to its goal, and whether pieces spread out.

    The distances are keyed by place handle, or None if the text names no single goal.
    """
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


def _meant(session: ReplProtocol, who: str) -> tuple[str, ...] | None:
    """Return the pieces that can be ordered now and match `who`, or None if `who` names nothing.

    An empty `who` matches all of them.
    """
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


def _nobody_now(session: ReplProtocol) -> str:
    """Explain why no piece can be sent: alike pieces are named by group, or another decision is pending."""
    decision, say, single = session.game.decision, session.words.say, session.game.program.handles["piece"]
    for option in decision.options if decision is not None else ():
        if any(kind_of(show) == "piece" and option.args.get(name) not in single for name, show in option.shows.items()):
            return say("pieces that are alike are sent by place; write: all from PLACE to PLACE")
    asked = decision.prompt_text(session.words.lang) if decision is not None else ""
    return say("none of them can be ordered now; asked is: {question}", question=asked)


def _send_each(session: ReplProtocol, pieces: tuple[str, ...], steps: Distances, spreads: bool) -> CommandResult:
    """Move each piece as near to the goal as it can get, nearest first, as one undoable step."""
    game, say = session.game, session.words.say
    decision = game.decision
    address = decision.address if decision else ""
    handles = game.program.handles["piece"]
    sent, made = 0, len(game.keys)
    for piece in sorted(pieces, key=lambda p: (steps.get(game.state.at[handles[p]], len(steps)), pieces.index(p))):
        way = nearer(game, piece, steps, spreads)
        if way is None:
            continue
        follows = session.order(way)
        if follows is not CommandResult.MOVED:
            return follows
        sent += 1
        _leave_at_that(session, address)
        decision = game.decision
        if decision is None or decision.address != address or dice_fell(game):
            break
    if not sent:
        return session.refuse([say("none of them can come nearer now without dice; `what PIECE` tells its reach")])
    session.way_taken = (len(game.keys), len(game.keys) - made, say("orders for {number}", number=sent))
    return CommandResult.MOVED


def _leave_at_that(session: ReplProtocol, address: str) -> None:
    """End rows of choices that come between two orders, such as who joins a move, with nothing chosen."""
    game = session.game
    seat = game.decision.seat if game.decision else ""
    while (decision := game.decision) is not None and decision.address != address and decision.seat == seat:
        if (
            not row_is_unused(game)
            or comes_out(game, ("done",))
            or session.order(decision.options[-1]) is not CommandResult.MOVED
        ):
            return


def _send_between(session: ReplProtocol, origin: str, goal: str) -> CommandResult:
    """Send all pieces that can move from one place to another, one group after another."""
    say, lexicon = session.words.say, session.words_here()
    decision = session.game.decision
    address = decision.address if decision else ""
    sent = 0
    while sent < MOST_REPEATED:
        way = largest_from(session.game, origin, goal)
        if way is None:
            break
        dice = dice_on(session.game, way)
        if dice:
            session.screen.write([option_words(way, NameIndex(session.game, session.words)), dice_line(session, dice)])
            if not agreed(session, say("go on? (yes or no)")):
                return CommandResult.MOVED if sent else CommandResult.ASK
        follows = session.order(way)
        if follows is not CommandResult.MOVED:
            return follows
        sent += 1
        decision = session.game.decision
        if decision is None or decision.address != address or dice_fell(session.game):
            break
    if not sent:
        called = f"{session.words.thing('place', origin)} {session.words.thing('place', goal)}"
        return session.refuse(why_not_there(called, session.game, lexicon))
    return CommandResult.MOVED
