"""Orders to several pieces at once that the page sends, carried out on a served game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import IdlePieces, compute_distances, list_orderable_pieces
from interpreter.players.orders.confirmations import count_idle_pieces
from interpreter.players.orders.group_orders import (
    KEPT_APART,
    GroupEnd,
    GroupResult,
    compute_forward_distances,
    find_undo_point,
    format_result,
    iter_orderable_groups,
    send_each,
    send_stack,
)
from interpreter.players.orders.route_planning import Route, charge_choice
from interpreter.runtime.decisions import Option
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.machine import is_setting_up
from interpreter.ui.web.commands import CommandRefusedError, GroupCommand

_MIN_GROUPED = 2  # choices that form a group


@dataclass(frozen=True, slots=True)
class OrderReport:
    """Report of orders given together, shown to the seats that gave them while the position after them lasts.

    `version`: the version of that position; `command`: the group order, or None for choices that were sent together,
    of which `unmade` were not made; `idle`: the pieces that could still act when the player ended a series of orders.
    """

    version: str
    seats: tuple[str, ...]
    command: GroupCommand | None
    result: GroupResult
    unmade: int = 0
    idle: tuple[IdlePieces, ...] = ()

    def is_for(self, version: str, seats: tuple[str, ...]) -> bool:
        """Return whether a viewer with these seats is shown the report at this version of the game."""
        return (self.version, self.seats) == (version, seats)

    def serialize(self, localizer: Localizer) -> dict[str, Any] | None:
        """Return the report as the page shows it: lines, and the request that orders the rest; None if all is done."""
        lines = list(format_result(self.result, localizer, self.command.place if self.command is not None else ""))
        if self.unmade:
            carried_out, total = self.result.sent, self.result.sent + self.unmade
            lines.append(
                localizer.say("{number} of {total} (order|orders) carried out", number=carried_out, total=total)
            )
            lines.append(localizer.say("something else comes first; the rest can be ordered after it"))
        if self.idle:
            lines.append(count_idle_pieces(self.idle, localizer))
        if not lines:
            return None
        more: Mapping[str, Any] | None = None
        if self.command is not None and self.result.risky and self.result.end is GroupEnd.COMPLETE:
            group, pieces, place = self.command.group, list(self.command.pieces), self.command.place
            more = {"group": group, "pieces": pieces, "place": place, "careful": False}
        return {"lines": lines, "more": more}


class UndoGroups:
    """The choices of a game that were made together and are undone together.

    They are kept as spans: the number of choices before each group, and the number at its end.
    """

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def add(self, game: Game, start: int) -> None:
        """Group the choices after the first `start`, as far as undo may cross them: never back over a roll of dice."""
        if len(game.keys) - start < _MIN_GROUPED:
            return
        start = find_undo_point(game, start)
        if len(game.keys) - start >= _MIN_GROUPED:
            self._spans.append((start, len(game.keys)))

    def find_start(self, choice_count: int) -> int:
        """Return the number of choices that remain when choice `choice_count` is undone with its group."""
        return next((start for start, end in self._spans if end == choice_count), choice_count - 1)

    def truncate(self, choice_count: int) -> None:
        """Discard the groups that end after the first `choice_count` choices."""
        self._spans = [span for span in self._spans if span[1] <= choice_count]


def order_group(game: Game, command: GroupCommand) -> GroupResult:
    """Order a group by its id, or some pieces.

    Raises CommandRefusedError for an unknown group or place, and during setup.
    """
    program, place = game.program, command.place
    if place and place not in program.handles["place"]:
        raise CommandRefusedError("illegal", _("unknown place `{text}`", text=quote_typed(place)))
    if is_setting_up(game.state):
        raise CommandRefusedError(
            "illegal", _("orders to several pieces begin with the first turn; set them up one by one")
        )
    group = next((g for g in iter_orderable_groups(game) if f"{g.kind}/{g.thing}" == command.group), None)
    orderable = list_orderable_pieces(game)
    pieces = () if group is None else group.pieces
    if command.pieces:
        pieces = tuple(piece for piece in orderable if piece in command.pieces)
    origins = [] if pieces else _list_stacks(game, command.pieces)
    if group is not None and group.is_stack:
        origins = [group.thing]
    if not pieces and not origins:
        raise CommandRefusedError("illegal", _("none of this group can be ordered now"))
    if origins and not place:
        raise CommandRefusedError("illegal", _("identical pieces are sent to a place: select one on the map first"))

    def carry_out(choices: Route | Option) -> bool:
        """Carry out an order, or the choices of a route while they can be made."""
        for key in choices.keys if isinstance(choices, Route) else (choices.key,):
            decision = game.decision
            if decision is None or decision.find(key) is None:
                return False
            game.choose(key)
            charge_choice(game)
        return True

    if origins:
        return _send_stacks(game, origins, command, carry_out)
    distances = compute_distances(game, [program.handles["place"][place]]) if place else compute_forward_distances(game)
    return send_each(game, pieces, distances, not place, carry_out, with_dice=command.with_dice)


def _list_stacks(game: Game, pieces: Sequence[str]) -> list[str]:
    """Return the places of some pieces at which identical pieces can be ordered now."""
    handles, ids = game.program.handles["piece"], game.program.ids["place"]
    places = {ids[game.state.at[handles[piece]]] for piece in pieces if piece in handles}
    return [group.thing for group in iter_orderable_groups(game) if group.is_stack and group.thing in places]


def _send_stacks(
    game: Game, origins: Sequence[str], command: GroupCommand, carry_out: Callable[[Route | Option], bool]
) -> GroupResult:
    """Send the identical pieces of the places `origins` to one place, until something stops them.

    `carry_out` carries out a choice and returns False if it is refused.
    """
    sent, risky, rolls = 0, tuple[str, ...](), tuple[str, ...]()
    for origin in origins:
        result = send_stack(game, origin, command.place, carry_out, command.with_dice)
        sent, risky, rolls = sent + result.sent, (*risky, *result.risky), rolls or result.rolls
        if result.end is not GroupEnd.COMPLETE:
            return GroupResult(sent, risky, result.left, result.end, rolls)
    return GroupResult(sent, risky, rolls=rolls)


def build_group_refusal(result: GroupResult, localizer: Localizer, place: str = "") -> CommandRefusedError:
    """Return the refusal of a group order that has moved nothing; it asks for a confirmation if orders roll dice.

    `place`: the id of the place that the group was sent to, or '' if it went forward.
    """
    if result.risky:
        answers = (localizer.say("Continue"), localizer.say("Go back"))
        return CommandRefusedError("confirm", _("continue?"), format_result(result, localizer, place), answers)
    message = KEPT_APART if result.apart else _("none of this group can move closer now")
    return CommandRefusedError("illegal", message, format_result(result, localizer, place))
