"""Contacts: pieces next to enemies, threats, pieces that can still act, and the phases left. Read-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.play.views import build_views
from interpreter.players.orders.matching import get_kind
from interpreter.players.orders.menu import format_after_colon, format_value
from interpreter.players.ownership import find_seat_of_piece, is_on_map
from interpreter.runtime.localizer import Localizer

_MAX_NAMED = 12  # things named in a line; more are counted


@dataclass(frozen=True, slots=True)
class Contact:
    """A place where pieces of a seat are adjacent to, or together with, pieces of other seats.

    `ours`: the ids of the seat's pieces there; `theirs`: the pieces of other seats as (place, ids); `threats`: texts of
    the ruleset's views of the seat's pieces that name other pieces.
    """

    place: str
    ours: tuple[str, ...]
    theirs: tuple[tuple[str, tuple[str, ...]], ...]
    threats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadyUnit:
    """Things that can be given one order now: the name of the option, the kind of the things, and their ids."""

    option: str
    kind: str
    units: tuple[str, ...]


def find_contacts(game: Game, seat: str, localizer: Localizer) -> tuple[Contact, ...]:
    """Return the contacts of a seat with others, in the order of the places."""
    program, at = game.program, game.state.at
    ours: dict[int, list[int]] = {}
    theirs: dict[int, list[int]] = {}
    for piece in range(len(program.ids["piece"])):
        owner = find_seat_of_piece(game, piece)
        if owner is not None and is_on_map(game, piece):
            (ours if owner == seat else theirs).setdefault(at[piece], []).append(piece)
    ids = program.ids
    pairs = []
    for place in sorted(ours):
        touched = [p for p in (place, *sorted(program.links.neighbours[place])) if p in theirs]
        if touched:
            near = tuple((ids["place"][p], tuple(ids["piece"][x] for x in theirs[p])) for p in touched)
            own_pieces = tuple(ids["piece"][x] for x in ours[place])
            pairs.append(Contact(ids["place"][place], own_pieces, near, _list_threats(game, ours[place], localizer)))
    return tuple(pairs)


def list_ready_units(game: Game) -> tuple[ReadyUnit, ...]:
    """Return the things that can be given an order in the current decision.

    Grouped by option and by the kind of its first argument that is a thing.
    """
    decision = game.decision
    names: dict[tuple[str, str], dict[str, None]] = {}
    for option in decision.options if decision is not None and not decision.is_draft else ():
        for name, show in option.shows.items():
            kind, value = get_kind(show), option.args.get(name)
            if kind in ("", "place", "edge") or value is None:
                continue
            several = value if isinstance(value, list | tuple) else (value,)
            names.setdefault((option.name, kind), {}).update(dict.fromkeys(str(v) for v in several))
            break
    return tuple(ReadyUnit(option, kind, tuple(pieces)) for (option, kind), pieces in names.items())


def list_phases_left(game: Game) -> tuple[str, ...]:
    """Return the ids of the phases after the current one in the same procedure of the rules."""
    phases = game.program.data["phases"]
    if game.phase not in phases:
        return ()
    order = [p for p, title in phases.items() if title["procedure"] == phases[game.phase]["procedure"]]
    return tuple(order[order.index(game.phase) + 1 :])


def render_front(game: Game, seat: str, localizer: Localizer) -> list[str]:
    """Render a seat's contacts, available orders and remaining phases; without contacts, a line that says so."""
    say = localizer.say
    lines = [f"  {_format_contact(contact, localizer)}" for contact in find_contacts(game, seat, localizer)]
    lines.insert(0, say("in contact:") if lines else say("no pieces are adjacent to an enemy"))
    decision = game.decision
    if decision is not None:
        seat_name = localizer.get_thing_name("seat", decision.seat)
        question = format_after_colon(decision.format_prompt(localizer.lang), localizer)
        lines.append(say("current decision: {seat}: {question}", seat=seat_name, question=question))
    for ready in list_ready_units(game):
        units = localizer.join_some([format_value(unit, localizer, ready.kind) for unit in ready.units], _MAX_NAMED)
        lines.append("  " + say("{order}: {who}", order=localizer.translate_name(ready.option, "option"), who=units))
    if phases := [localizer.format_phase_title(phase) for phase in list_phases_left(game)]:
        lines.append(say("remaining phases of this turn: {phases}", phases=localizer.join_list(phases)))
    return lines


def _format_contact(contact: Contact, localizer: Localizer) -> str:
    """Render a contact: the place, the pieces on both sides, and the threats."""
    ours = localizer.join_list(localizer.list_piece_counts(contact.ours))
    near = [
        localizer.prefix_topic(localizer.get_thing_name("place", place), company) if place != contact.place else company
        for place, pieces in contact.theirs
        if (company := localizer.join_list(localizer.list_piece_counts(pieces)))
    ]
    line = localizer.say(
        "{place}: {ours} against {theirs}",
        place=localizer.get_thing_name("place", contact.place),
        ours=ours,
        theirs=localizer.join_texts(near),
    )
    return localizer.join_texts([line, *contact.threats])


def _list_threats(game: Game, pieces: Sequence[int], localizer: Localizer) -> tuple[str, ...]:
    """Return a text "label value" for each of the ruleset's views of these pieces that names other pieces.

    Zones of control are an example.
    """
    views = game.program.data["views"].values()
    labels = {
        localizer.translate_label(view["label"])
        for view in views
        if view["kind"] == "piece" and get_kind(view["show"]) == "piece"
    }
    views = (view for piece in pieces for view in build_views(game.state, "piece", piece, localizer.lang))
    return tuple(dict.fromkeys(f"{label} {text}".rstrip() for label, text, _ in views if label in labels))
