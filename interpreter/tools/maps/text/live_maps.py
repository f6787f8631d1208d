"""Text maps of a game in progress, drawn on a page that is made once and cached on disk between starts.

Returns lines; the caller chooses what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.files import disk_cache
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.play.game import Game
from interpreter.play.template_values import (
    find_template_value,
    format_documented_value,
    format_short_form,
    is_template_true,
)
from interpreter.programs.program_cache import compute_key
from interpreter.runtime.limits import one_budget
from interpreter.tools.maps.provenance_notes import ProvenanceNotes
from interpreter.tools.maps.text.area_sketch import AreaSketch, SketchArea
from interpreter.tools.maps.text.page import (
    WHOLE,
    Bank,
    ConditionMark,
    FillMark,
    MapWindow,
    PageSpace,
    TextGroup,
    TextLegend,
    TextPage,
    fill_page,
    render_page,
)

if TYPE_CHECKING:
    from interpreter.api.rules import Rules

_Drawn = TypeVar("_Drawn", TextPage, AreaSketch)


@one_budget()
def render_live_map(
    page: TextPage,
    game: Game,
    brief: bool = False,
    say: Translator = ENGLISH,
    when: str = "",
    window: MapWindow = WHOLE,
) -> list[str]:
    """Render the current position of a game on the page; the other parameters are as for `render_page`."""
    page, standing = _fill_page(page, game), group_current_pieces(page.legend, game)
    return render_page(page, standing, _collect_current_marks(page, game), window, say, when, brief)


def _fill_page(page: TextPage, game: Game) -> TextPage:
    """Return the page with each space marked by its current value of the key `page.fill`."""
    if not page.fill:
        return page
    values = [find_template_value(game.state, "place", page.fill, handle) for handle in range(game.program.place_count)]
    words = {
        fill.value: format_documented_value(game.program, "place", page.fill, fill.value, page.legend.lang)
        for fill in page.filling
    }
    return fill_page(page, values, words)


def _collect_current_marks(page: TextPage, game: Game) -> dict[int, str]:
    """Return the characters of the marks that each space shows now, by place handle."""
    return {
        space.handle: "".join(c.mark for c in page.conditions if is_template_true(game.state, c.when, (space.handle,)))
        for space in (page.spaces if page.conditions else ())
    }


def build_sketch(rules: Rules, lang: str = "") -> AreaSketch:
    """Return the sketch of a loaded ruleset's areas. Raises SetupError if the files have changed since loading."""

    def create() -> AreaSketch:
        from interpreter.tools.maps.text.characters import create_sketch

        return create_sketch(rules.documents(), lang)

    return _load_or_create(f"{lang}.areas", rules, _decode_sketch, create)


def build_page(rules: Rules, lang: str = "") -> TextPage:
    """Return the page of a loaded ruleset's grid map. Raises SetupError if the files have changed since loading."""

    def create() -> TextPage:
        from interpreter.tools.maps.text.characters import create_page

        ruleset = rules.documents()
        assert ruleset.grid is not None
        return create_page(ruleset, ruleset.grid, None, lang)

    return _load_or_create(lang, rules, _decode_page, create)


def _decode_sketch(data: dict[str, Any]) -> AreaSketch:
    areas = [SketchArea(**area) for area in data["areas"]]
    return AreaSketch(**{**data, "legend": TextLegend(**data["legend"]), "areas": areas})


def _decode_page(data: dict[str, Any]) -> TextPage:
    records = {
        "legend": TextLegend(**data["legend"]),
        "provenance": ProvenanceNotes(**data["provenance"]),
        "spaces": [PageSpace(**space) for space in data["spaces"]],
        "filling": [FillMark(**fill) for fill in data["filling"]],
        "conditions": [ConditionMark(**condition) for condition in data["conditions"]],
        "banks": [Bank(tuple(bank["first"]), tuple(bank["second"]), bank["sign"]) for bank in data["banks"]],
    }
    return TextPage(**{**data, **records})


def _load_or_create(
    cache_name: str, rules: Rules, decode: Callable[[dict[str, Any]], _Drawn], create: Callable[[], _Drawn]
) -> _Drawn:
    """Return a page or sketch from the cache on disk, or create it and store it there.

    `cache_name`: tells the pages and sketches of one ruleset apart.
    """
    ruleset_key = compute_key(rules.target)
    key = None if ruleset_key is None else disk_cache.derive_key(ruleset_key, cache_name, rules.program.exchanged)
    body = None if key is None else disk_cache.find(disk_cache.Namespace.MAPS, key)
    try:
        page = None if body is None else decode(json.loads(body))
    except (ValueError, TypeError, KeyError):
        page = None
    if page is None or page.content_hash != rules.program.content_hash:
        page = create()
        if key is not None:
            written = json.dumps(asdict(page), ensure_ascii=False, separators=(",", ":"))
            disk_cache.store(disk_cache.Namespace.MAPS, key, written.encode())
    return page


def find_focus(page: TextPage, game: Game, columns: int, rows: int) -> str:
    """Return the id of the space around which a window of this size shows most pieces; "" if the page has no spaces.

    Pieces that can act count four times.
    """
    decision = game.decision
    able = {v for o in (decision.options if decision else ()) for v in o.args.values() if isinstance(v, str)}
    ids = game.program.ids["piece"]
    weights: dict[int, int] = {}
    for piece, place in enumerate(game.state.at):
        weights[place] = weights.get(place, 0) + (4 if ids[piece] in able else 1)
    occupied = [(space, weights[space.handle]) for space in page.spaces if space.handle in weights]

    def weigh_window(centre: PageSpace) -> int:
        left, top = centre.column - columns // 2, centre.row - rows // 2
        return sum(
            weight
            for space, weight in occupied
            if left <= space.column < left + columns and top <= space.row < top + rows
        )

    focus = max(page.spaces, key=lambda space: (weigh_window(space), -space.column, -space.row), default=None)
    return "" if focus is None else focus.id


@one_budget()
def group_current_pieces(legend: TextLegend, game: Game) -> dict[int, list[TextGroup]]:
    """Return the current pieces on the map by place handle, interchangeable pieces grouped."""
    program = game.program
    things = program.kinds["piece"]["things"]
    values = _collect_values(game)
    groups: dict[int, dict[Any, list[int]]] = {}
    shorts: dict[int, str] = {}
    owners: dict[int, int | None] = {}
    for piece, place in enumerate(game.state.at):
        if program.on_map[place]:
            cls = things[piece]["cls"]
            short = shorts[piece] = format_short_form(game.state, "piece", piece, legend.lang)
            owner = owners[piece] = _find_owner(legend, game, values, cls, piece)
            group_key = (cls, short, owner, *(column[piece] for column in values.values()))
            key = group_key if cls in legend.classes else piece
            groups.setdefault(place, {}).setdefault(key, []).append(piece)

    def build_group(pieces: list[int]) -> TextGroup:
        cls = things[pieces[0]]["cls"] or ""
        return TextGroup(pieces[0], cls, owners[pieces[0]], len(pieces), shorts[pieces[0]])

    return {place: [build_group(pieces) for pieces in groups[place].values()] for place in sorted(groups)}


def _find_owner(legend: TextLegend, game: Game, values: dict[str, Any], cls: str, piece: int) -> int | None:
    """Return the handle of the side that owns a piece, or None if it is unowned.

    `values`: the values of all pieces by attribute; `cls`: the id of the piece's class; `piece`: its handle.
    """
    name = legend.owners.get(cls, "")
    if name in game.program.data["worded"]:
        written = find_template_value(game.state, "piece", name, piece)
        return None if written is None else game.program.handles["side"].get(written)
    return values[name][piece] if name in values else None


def _collect_values(game: Game) -> dict[str, Any]:
    """Return the values of all pieces, by attribute and then by piece handle."""
    program = game.program
    fixed = {name: values for (kind, name), values in program.constants.items() if kind == "piece"}
    return fixed | {name: getattr(game.state, slot) for slot, kind, name, _ in program.columns if kind == "piece"}
