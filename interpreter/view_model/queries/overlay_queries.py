"""Map overlays of a ruleset's views of places and counters, and of its rules about two things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.play.game import Game
from interpreter.players.orders.matching import get_kind
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.limits import one_budget
from interpreter.runtime.machine import evaluate_or_none
from interpreter.view_model.answer_records import Overlay, OverlayMark
from interpreter.view_model.queries.visibility_queries import build_visibility_overlay, list_visibility_names
from interpreter.view_model.view_context import ViewContext

View = Mapping[str, Any]


def list_overlay_names(context: ViewContext) -> tuple[tuple[str, str], ...]:
    """Return (id, title) of every overlay that the ruleset's views and rules provide."""
    views = context.localizer.data["views"]
    names = [(name, _get_title(context, name, view)) for name, view in views.items() if _is_overlay(view)]
    return (*names, *(name for name in list_visibility_names(context) if name[0] not in views))


@one_budget()
def build_overlay(context: ViewContext, game: Game, name: str, piece: str = "") -> Overlay | None:
    """Build an overlay of the current position, or None for an unknown name.

    An overlay about pieces is restricted to `piece` if one is given.
    """
    view = context.localizer.data["views"].get(name)
    if view is None and name in context.localizer.data["between"]:
        return build_visibility_overlay(context, game, name, piece)
    if view is None or not _is_overlay(view):
        return None
    marks, lines = [], []
    ids, localizer = game.program.ids, game.program.get_localizer(context.lang)
    for handle, value in _iter_values(game, name, view):
        if piece and view["kind"] == "piece" and ids["piece"][handle] != piece:
            continue
        place = handle if view["kind"] == "place" else game.state.at[handle]
        if not game.program.on_map[place]:
            continue
        text = "" if value is True else localizer.format_value(view["show"], value)
        things, kind = _list_things(value), get_kind(view["show"])
        sides = {find_side_of_thing(game.state, "piece", p) for p in things} if kind == "piece" else set()
        marks.append(OverlayMark(ids["place"][place], text, tuple(sorted(sides - {""}))))
        if view["kind"] == "piece":
            goals = [game.state.at[p] for p in things] if kind == "piece" else things if kind == "place" else ()
            lines += [(ids["place"][place], ids["place"][end]) for end in goals if game.program.on_map[end]]
    return Overlay(name, _get_title(context, name, view), tuple(view["cites"]), tuple(marks), tuple(lines))


def _is_overlay(view: View) -> bool:
    return view["kind"] in ("place", "piece")


def _get_title(context: ViewContext, name: str, view: View) -> str:
    localizer, label = context.localizer, context.localizer.translate_label(view["label"], name.replace("_", " "))
    if view["kind"] == "place":
        return localizer.prefix_topic(localizer.say("places"), label)
    cls = localizer.data["classes"].get(view["cls"] or "", {})
    return localizer.prefix_topic(
        localizer.translate_label(cls["label"], cls["many"]) if cls else localizer.say("pieces"), label
    )


def _iter_values(game: Game, name: str, view: View) -> Iterator[tuple[int, Any]]:
    """Yield (handle, value) for every thing for which the view `name` has a value."""
    program, kind = game.program, view["kind"]
    for handle, thing in enumerate(program.kinds[kind]["things"]):
        if view["cls"] and thing["cls"] != view["cls"]:
            continue
        value = evaluate_or_none(game.state, game.program.functions.get_view(name), handle)
        if value not in (None, False, ()):
            yield handle, value


def _list_things(value: object) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,) if isinstance(value, int) else ()
