"""Roster: the pieces on the map by side and group, and those off the map by holding place. Read-only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.players.narration.position_lines import Data, group_pieces_by_place, render_stack
from interpreter.players.orders.route_planning import find_reachable_places, list_piece_orders
from interpreter.players.ownership import find_group, find_group_kind, find_seat_of_piece, find_side_of_thing, is_on_map
from interpreter.runtime.localizer import Localizer

_MAX_PLACES = 12  # places named in a line


@dataclass(frozen=True, slots=True)
class RosterGroup:
    """The pieces of one side and group; `places` pairs each place id with the ids of the pieces there.

    `group` is '' for pieces without a group, and `kind` is the kind of thing that groups are; `elsewhere` counts the
    pieces off the map.
    """

    side: str | None
    kind: str
    group: str
    places: tuple[tuple[str, tuple[str, ...]], ...]
    elsewhere: int


def list_groups(game: Game) -> tuple[RosterGroup, ...]:
    """Return every side's groups in the ruleset's order; a group without pieces on the map has no places."""
    program = game.program
    kind, ids = find_group_kind(program), program.ids
    order = [*ids["side"], None]
    groups = [*(ids[kind] if kind else ()), ""]
    ids_by_group: dict[tuple[str | None, str], dict[str, list[str]]] = {}
    away: dict[tuple[str | None, str], int] = {}
    for piece, name in enumerate(ids["piece"]):
        group = find_group(game, piece, kind) if kind else None
        body = find_side_of_thing(game.state, "piece", piece) or None, group or ""
        if is_on_map(game, piece):
            ids_by_group.setdefault(body, {}).setdefault(ids["place"][game.state.at[piece]], []).append(name)
        else:
            away[body] = away.get(body, 0) + 1
    return tuple(
        RosterGroup(
            side,
            kind,
            group,
            tuple((p, tuple(x)) for p, x in sorted(ids_by_group.get(body, {}).items())),
            away.get(body, 0),
        )
        for side in order
        for group in groups
        if (body := (side, group)) in ids_by_group or group and body in away
    )


def render_roster_lines(game: Game, localizer: Localizer, member_of: tuple[str, str] | None = None) -> list[str]:
    """Render the groups by side.

    `member_of`: the kind and id of the side, seat or group to show; None for all.
    """
    pieces_at = group_pieces_by_place(game.view())
    lines: list[str] = []
    before: str | None = ""
    for body in list_groups(game):
        if member_of is not None and not _is_member(game, body, *member_of):
            continue
        if body.side != before:
            lines.append(localizer.get_thing_name("side", body.side) if body.side else localizer.say("unowned"))
            before = body.side
        lines += _render_group(body, pieces_at, localizer)
    return lines or [localizer.say("none of these are on the map")]


def _is_member(game: Game, body: RosterGroup, kind: str, thing: str) -> bool:
    """Return whether a group belongs to the side, the seat or the group with the id `thing`."""
    if kind == "side":
        return body.side == thing
    if kind == "seat":
        handles = game.program.handles["piece"]
        return any(find_seat_of_piece(game, handles[piece]) == thing for _, pieces in body.places for piece in pieces)
    return (body.kind, body.group) == (kind, thing)


def _render_group(
    body: RosterGroup, pieces_at: Mapping[str, Sequence[tuple[str, Data]]], localizer: Localizer
) -> list[str]:
    """Render a group: a heading with the number of its pieces off the map, then a line for each place with its pieces.

    Pieces without a group get only the lines of their places. `pieces_at`: pieces as (id, attributes), by place.
    """
    head = localizer.get_thing_name(body.kind, body.group) if body.group else ""
    away = localizer.say("off the map {number}", number=body.elsewhere) if body.elsewhere and body.group else ""
    texts = []
    for place, pieces in body.places:
        values = [(p, v) for p, v in pieces_at[place] if p in pieces]
        texts.append(
            localizer.prefix_topic(
                localizer.get_thing_name("place", place), localizer.join_list(render_stack(values, localizer))
            )
        )
    if not head:
        return [f"  {line}" for line in texts]
    return ["  " + localizer.with_detail(head, away), *(f"    {line}" for line in texts)]


def list_pieces_off_map(game: Game) -> dict[str, list[tuple[str, Data]]]:
    """Return the pieces (id, attributes) in each occupied place off the map, by place in the order of the ruleset."""
    pieces_at = group_pieces_by_place(game.view())
    holdings = (thing["id"] for thing in game.program.kinds["place"]["things"] if thing["holding"])
    return {place: pieces_at[place] for place in holdings if place in pieces_at}


def render_arrivals(game: Game, localizer: Localizer) -> list[str]:
    """Render a line for each place off the map with its pieces, and below it the places they can be ordered to now."""
    lines: list[str] = []
    for holding, pieces in list_pieces_off_map(game).items():
        lines.append(
            localizer.prefix_topic(
                localizer.get_thing_name("place", holding), localizer.join_texts(render_stack(pieces, localizer))
            )
        )
        entries = {
            place for piece, _ in pieces for place in find_reachable_places(game, list_piece_orders(piece, game))
        }
        places = [place for place in game.program.ids["place"] if place in entries]
        if places:
            listed = localizer.limit_texts([localizer.get_thing_name("place", place) for place in places], _MAX_PLACES)
            lines.append("  " + localizer.say("can enter at {places} now", places=localizer.join_list(listed)))
    return lines or [localizer.say("no pieces are off the map")]
