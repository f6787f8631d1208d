"""Orders for many pieces at once, carried out one by one and reported in a line each."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.players.narration.why_lines import render_why_unreachable
from interpreter.players.orders.bulk_orders import Distances, compute_distances, list_orderable_pieces
from interpreter.players.orders.confirmations import find_confirmation
from interpreter.players.orders.group_orders import (
    KEPT_APART,
    GroupEnd,
    compute_forward_distances,
    find_undo_point,
    format_result,
    send_each,
)
from interpreter.players.orders.matching import get_kind, match_things
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.players.orders.repeated_decisions import find_series
from interpreter.players.orders.route_planning import MAX_REPEATED_ORDERS, Route, find_largest_move, has_rolled_dice
from interpreter.players.orders.tokenizer import split_destination, split_endpoints
from interpreter.players.ownership import list_members
from interpreter.runtime.decisions import Decision, Option
from interpreter.ui.repl.line_input import LineInput, strip_forcing_word
from interpreter.ui.repl.order_taker import OrderTaker
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.summary_commands import find_group

_MAX_NAMED = 6  # pieces


@dataclass(slots=True)
class GroupOrders:
    """Service for the command `all`: orders for a group of pieces, or for all."""

    context: PlayContext
    line_input: LineInput
    orders: OrderTaker

    def send_group(self, text: str) -> CommandResult:
        """Carry out `all from A to B`, `all WHO forward` or `all WHO to PLACE`; `anyway` after it confirms the dice."""
        if self.context.autosave.read_only_reason:
            return self.context.refuse_viewer()
        name_index = self.context.name_index
        outright = strip_forcing_word(text, self.context.localizer)
        text = outright or text
        if name_index.is_setting_up:
            return self.context.refuse(
                self.context.say("orders to several pieces begin with the first turn; set them up one by one")
            )
        ends = split_endpoints(text, name_index) if _is_from(text, name_index) else None
        if ends is not None:
            return self._send_between(*ends, is_outright=bool(outright))
        who, steps, place = self._parse_goal(text)
        if steps is None:
            return self.context.refuse(
                self.context.say(
                    "all where? Write: all [GROUP] forward, all [GROUP] to PLACE, or all from PLACE to PLACE"
                )
            )
        pieces = self._find_pieces(who)
        if pieces is None:
            return self.context.refuse(
                self.context.say("`{text}` is not a group or a piece here", text=quote_typed(who))
            )
        if not pieces:
            return self.context.refuse(self._explain_none(who))
        return self._send_each(pieces, steps, place, is_outright=bool(outright))

    def has_goal(self, text: str) -> bool:
        """Return whether the words after `all` name a goal and, if they name pieces, a group or pieces of the game."""
        name_index = self.context.name_index
        text = strip_forcing_word(text, self.context.localizer) or text
        if _is_from(text, name_index) and split_endpoints(text, name_index) is not None:
            return True
        who, steps, _place = self._parse_goal(text)
        return steps is not None and self._find_pieces(who) is not None

    def _parse_goal(self, text: str) -> tuple[str, Distances | None, str]:
        """Parse a group order into the group's words, the distances to its goal, and the goal's id.

        The id is '' for an order to move forward, which means toward the nearest enemies.

        The distances are keyed by place handle, or None if the text names no single goal.
        """
        name_index, game = self.context.name_index, self.context.game
        typed_words = text.split()
        forward = {"forward", self.context.say("forward").casefold()}
        if typed_words and typed_words[-1].casefold() in forward or not typed_words:
            steps = compute_forward_distances(game) if typed_words else {}
            return " ".join(typed_words[:-1]), steps or None, ""
        who, places = split_destination(text, name_index)
        if len(places) != 1:
            return who, None, ""
        return who, compute_distances(game, [game.program.handles["place"][places[0]]]), places[0]

    def _find_pieces(self, who: str) -> tuple[str, ...] | None:
        """Return the pieces that can be ordered now and match `who`; None if `who` names neither a group nor a piece.

        `who`: the typed words; '' for all pieces that can be ordered.
        """
        able = list_orderable_pieces(self.context.game)
        if not who:
            return able
        name_index = self.context.name_index
        group = find_group(who, name_index)
        if group is not None:
            own = set(list_members(self.context.game, *group))
            return tuple(piece for piece in able if piece in own)
        matching = set(match_things("piece", who, name_index))
        return tuple(piece for piece in able if piece in matching) if matching else None

    def _explain_none(self, who: str) -> str:
        """Explain why no piece can be sent: identical pieces are moved by place, or another decision is pending.

        `who`: the typed words for the pieces; '' for all.
        """
        decision, say = self.context.game.decision, self.context.say
        for option in decision.options if decision is not None else ():
            pieces = (option.args.get(name) for name, show in option.shows.items() if get_kind(show) == "piece")
            if not all(piece in self.context.game.program.handles["piece"] for piece in pieces):
                return say("identical pieces are moved by place; write: all from PLACE to PLACE")
        question = decision.format_prompt(self.context.localizer.lang) if decision is not None else ""
        if not who:
            return say("no unit can be sent anywhere now; current decision: {question}", question=question)
        localizer, group = self.context.localizer, find_group(who, self.context.name_index)
        named = (
            list_members(self.context.game, *group) if group else match_things("piece", who, self.context.name_index)
        )
        names = localizer.join_some(map(localizer.get_piece_name, named), _MAX_NAMED)
        return say("{names} cannot be sent anywhere now; current decision: {question}", names=names, question=question)

    def _send_each(self, pieces: tuple[str, ...], steps: Distances, place: str, is_outright: bool) -> CommandResult:
        """Order each piece to go as near to a goal as possible, and write one line for each.

        The orders after the last roll of dice are undone together.

        `steps`: the distance of each place from the goal, by place handle; `place`: the goal, or '' for a move toward
        the nearest enemies, in which pieces avoid stacks. Orders that roll dice are given last, and only if the player
        agrees, or has agreed in advance (`is_outright`).
        """
        game, say, localizer = self.context.game, self.context.say, self.context.localizer
        spreads = not place
        choice_count, last = len(game.keys), CommandResult.MOVED

        def order_piece(way: Route | Option) -> bool:
            nonlocal last
            last = self.orders.carry_out(way)
            return last is CommandResult.MOVED

        def report_end(asked: Decision) -> None:
            question = asked.format_prompt(localizer.lang)
            self.context.write(
                "    "
                + say("({question} {answer})", question=question, answer=localizer.translate_name("done", "option"))
            )

        result = send_each(game, pieces, steps, spreads, order_piece, report_end)
        self.context.write(*format_result(result, localizer, place))
        sent = result.sent
        if result.risky and result.end is GroupEnd.COMPLETE:
            question = say("order these too?") if sent else say("continue?")
            if is_outright or self.line_input.ask_yes_no(say("{question} (yes or no)", question=question)):
                result = send_each(game, result.risky, steps, spreads, order_piece, report_end, with_dice=True)
                self.context.write(*format_result(result, localizer, place))
                sent += result.sent
            elif not sent:
                return CommandResult.ASK
        if result.end is GroupEnd.REFUSED and not sent:
            return last
        if not sent:
            none = say("no order was given; `what PIECE` shows where a unit can go")
            return self.context.refuse(say(KEPT_APART) if result.apart else none)
        start = find_undo_point(game, choice_count)
        self.orders.record_route(len(game.keys) - start, say("orders for {number}", number=sent))
        return last if result.end is GroupEnd.REFUSED else CommandResult.MOVED

    def _send_between(self, origin: str, goal: str, is_outright: bool) -> CommandResult:
        """Send all pieces that can move from the place `origin` to `goal`, one group after another.

        `is_outright`: the player has agreed to dice in advance.
        """
        say, name_index = self.context.say, self.context.name_index
        series, sent = find_series(self.context.game), 0
        while sent < MAX_REPEATED_ORDERS:
            way = find_largest_move(self.context.game, origin, goal)
            if way is None:
                break
            needed = find_confirmation(self.context.game, way.keys, self.context.localizer)
            if needed is not None:
                option_text = format_option(way, NameIndex(self.context.game, self.context.localizer))
                self.context.write(option_text, *needed.reasons)
                question = say("{question} (yes or no)", question=needed.question)
                if not is_outright and not self.line_input.ask_yes_no(question):
                    return CommandResult.MOVED if sent else CommandResult.ASK
            result = self.orders.carry_out(way)
            if result is not CommandResult.MOVED:
                return result
            sent += 1
            if series is None or not series.is_asked_in(self.context.game.state) or has_rolled_dice(self.context.game):
                break
        if not sent:
            called = " ".join(self.context.localizer.get_thing_name("place", place) for place in (origin, goal))
            return self.context.refuse(*render_why_unreachable(called, self.context.game, name_index))
        return CommandResult.MOVED


def _is_from(text: str, name_index: NameIndex) -> bool:
    between = {"from", *tokenize_words(name_index.localizer.say("from"))}
    return any(word.casefold() in between for word in text.split())
