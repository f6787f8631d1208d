"""Orders for many pieces at once, carried out one by one and reported in a line each."""

from __future__ import annotations

from interpreter.players.narration.why_lines import why_not_there
from interpreter.players.orders.bulk_orders import Distances, compute_distances, list_orderable_pieces
from interpreter.players.orders.group_orders import distances_forward, risky_names, send_each
from interpreter.players.orders.matching import kind_of, match_things
from interpreter.players.orders.name_index import NameIndex, tokens
from interpreter.players.orders.option_tree import option_words
from interpreter.players.orders.repeated_decisions import row_of
from interpreter.players.orders.route_planning import (
    MOST_REPEATED,
    Route,
    find_largest_move,
    has_rolled_dice,
    list_route_rolls,
)
from interpreter.players.orders.tokenizer import split_destination, split_endpoints
from interpreter.players.ownership import list_members
from interpreter.runtime.decisions import Decision, Option
from interpreter.ui.repl.confirmations import ask_yes_no
from interpreter.ui.repl.mutating_commands import dice_line
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol
from interpreter.ui.repl.summary_commands import find_group

_MOST_RISKY = 6  # names


def send_group(session: ReplProtocol, text: str) -> CommandResult:
    """Carry out `all from A to B`, `all WHO forward` or `all WHO to PLACE`."""
    if session.autosave.looking:
        return session.only_looking()
    name_index = session.words_here()
    ends = split_endpoints(text, name_index) if _is_from(text, name_index) else None
    if ends is not None:
        return _send_between(session, *ends)
    who, steps, spreads = _parse_goal(session, text)
    if steps is None:
        return session.refuse(
            [
                session.words.say(
                    "all where? Write: all [GROUP] forward, all [GROUP] to PLACE, or all from PLACE to PLACE"
                )
            ]
        )
    pieces = _find_pieces(session, who)
    if pieces is None:
        return session.refuse([session.words.say("`{text}` is not a group or a piece here", text=who[:40])])
    if not pieces:
        return session.refuse([_explain_none(session)])
    return _send_each(session, pieces, steps, spreads)


def _is_from(text: str, name_index: NameIndex) -> bool:
    between = {"from", *tokens(name_index.words.say("from"))}
    return any(word.casefold() in between for word in text.split())


def _parse_goal(session: ReplProtocol, text: str) -> tuple[str, Distances | None, bool]:
    """Parse a group order into the group's words, the distances to its goal, and whether pieces spread out.

    The distances are keyed by place handle, or None if the text names no single goal.
    """
    name_index, game = session.words_here(), session.game
    given = text.split()
    forward = {"forward", session.words.say("forward").casefold()}
    if given and given[-1].casefold() in forward or not given:
        steps = distances_forward(game) if given else {}
        return " ".join(given[:-1]), steps or None, True
    who, places = split_destination(text, name_index)
    if len(places) != 1:
        return who, None, False
    return who, compute_distances(game, [game.program.handles["place"][places[0]]]), False


def _find_pieces(session: ReplProtocol, who: str) -> tuple[str, ...] | None:
    """Return the pieces that can be ordered now and match `who`, or None if `who` names nothing.

    An empty `who` matches all of them.
    """
    able = list_orderable_pieces(session.game)
    if not who:
        return able
    name_index = session.words_here()
    group = find_group(who, name_index)
    if group is not None:
        own = set(list_members(session.game, *group))
        return tuple(piece for piece in able if piece in own)
    found = set(match_things("piece", who, name_index))
    return tuple(piece for piece in able if piece in found) if found else None


def _explain_none(session: ReplProtocol) -> str:
    """Explain why no piece can be sent: alike pieces are match_things by group, or another decision is pending."""
    decision, say, single = session.game.decision, session.words.say, session.game.program.handles["piece"]
    for option in decision.options if decision is not None else ():
        if any(kind_of(show) == "piece" and option.args.get(name) not in single for name, show in option.shows.items()):
            return say("identical pieces are moved by place; write: all from PLACE to PLACE")
    asked = decision.prompt_text(session.words.lang) if decision is not None else ""
    return say("none of them can receive orders now; current decision: {question}", question=asked)


def _send_each(session: ReplProtocol, pieces: tuple[str, ...], steps: Distances, spreads: bool) -> CommandResult:
    """Order each piece as near as possible; one line each, undone as one."""
    game, say, words = session.game, session.words.say, session.words
    made, last = len(game.keys), CommandResult.MOVED

    def order(way: Route | Option) -> bool:
        nonlocal last
        last = session.order(way)
        return last is CommandResult.MOVED

    def ended(asked: Decision) -> None:
        question = asked.prompt_text(words.lang)
        session.screen.write(
            ["    " + say("({question} {answer})", question=question, answer=words.name("done", "option"))]
        )

    result = send_each(game, pieces, steps, spreads, order, ended)
    if result.is_refused:
        return last
    if not result.sent:
        told = say("none of them can move closer now without a roll; `what PIECE` shows its range")
        return session.refuse([told])
    session.way_taken = (len(game.keys), len(game.keys) - made, say("orders for {number}", number=result.sent))
    if result.is_interrupted:
        session.screen.write(
            [say("(stopped here: this order needs a decision; give the others the same order afterwards)")]
        )
    elif result.risky:
        names = risky_names(result, words, _MOST_RISKY)
        session.screen.write([say("(not moved, because dice would be rolled: {names})", names=names)])
    return CommandResult.MOVED


def _send_between(session: ReplProtocol, origin: str, goal: str) -> CommandResult:
    """Send all pieces that can move from one place to another, one group after another."""
    say, name_index = session.words.say, session.words_here()
    row, sent = row_of(session.game), 0
    while sent < MOST_REPEATED:
        way = find_largest_move(session.game, origin, goal)
        if way is None:
            break
        dice = list_route_rolls(session.game, way)
        if dice:
            session.screen.write([option_words(way, NameIndex(session.game, session.words)), dice_line(session, dice)])
            if not ask_yes_no(session, say("continue? (yes or no)")):
                return CommandResult.MOVED if sent else CommandResult.ASK
        follows = session.order(way)
        if follows is not CommandResult.MOVED:
            return follows
        sent += 1
        if row is None or not row.is_asked_in(session.game.state) or has_rolled_dice(session.game):
            break
    if not sent:
        called = f"{session.words.thing('place', origin)} {session.words.thing('place', goal)}"
        return session.refuse(why_not_there(called, session.game, name_index))
    return CommandResult.MOVED
