"""Evaluation of a ruleset's `views`: derived values of a thing that are shown beside its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from interpreter.runtime.limits import one_budget
from interpreter.runtime.machine import evaluate_or_none

if TYPE_CHECKING:
    from interpreter.runtime.state import State


class ViewText(NamedTuple):
    """A view of a thing in words: its label, its value ('' for a flag that is set) and its citations."""

    label: str
    text: str
    citations: tuple[str, ...]


@one_budget()
def build_views(state: State, kind: str | None, handle: int = 0, language: str = "") -> list[ViewText]:
    """Return the views of a thing, or of the game if `kind` is None; views without a value are left out.

    `handle`: the thing's handle.
    """
    program = state.program
    localizer = program.get_localizer(language)
    views = []
    for name, view in program.data["views"].items():
        if view["kind"] != kind:
            continue
        if kind is not None and view["cls"] and program.kinds[kind]["things"][handle]["cls"] != view["cls"]:
            continue
        value = evaluate_or_none(state, program.functions.get_view(name), *(() if kind is None else (handle,)))
        if value is None or value is False or value == ():
            continue
        text = "" if value is True else localizer.format_value(view["show"], value)
        label = localizer.translate_label(view["label"], name.replace("_", " "))
        views.append(ViewText(label, text, tuple(view["cites"])))
    return views


@one_budget()
def build_all_views(state: State, language: str = "") -> dict[str, dict[str, list[ViewText]]]:
    """Return the views of the game, its sides and its seats, each as `build_views` returns it, by kind and id.

    The views of the game have "" as kind and id.
    """
    program = state.program
    kinds = {view["kind"] for view in program.data["views"].values()}
    views_by_kind = {
        kind: {
            thing: views
            for handle, thing in enumerate(program.ids[kind])
            if (views := build_views(state, kind, handle, language))
        }
        for kind in ("side", "seat")
        if kind in kinds
    }
    return {"": {"": build_views(state, None, 0, language)}, **views_by_kind} if None in kinds else views_by_kind
