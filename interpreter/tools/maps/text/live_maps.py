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
from interpreter.tools.maps.text.area_sketch import AreaSketch
from interpreter.tools.maps.text.page import TextGroup, TextMap, TextPage, fill_page, render_page

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
    width: int = 0,
    around: str = "",
    size: tuple[int, int] = (11, 11),
) -> list[str]:
    """Render the current position of a game on the page; the other parameters are as for `render_page`."""
    page, standing = _fill_page(page, game), group_current_pieces(page, game)
    return render_page(page, standing, brief, say, when, width, around, _collect_current_marks(page, game), size)


def _fill_page(page: TextPage, game: Game) -> TextPage:
    """Return the page with each space marked by its current value of the key `page.fill`."""
    if not page.fill:
        return page
    values = [find_template_value(game.state, "place", page.fill, handle) for handle in range(game.program.place_count)]
    words = {
        value: format_documented_value(game.program, "place", page.fill, value, page.lang) for value, *_ in page.filling
    }
    return fill_page(page, values, words)


def _collect_current_marks(page: TextPage, game: Game) -> dict[int, str]:
    """Return the characters of the marks that each space shows now, by place handle."""
    if not page.rows:
        return {}
    return {
        int(handle): "".join(mark for key, mark, _ in page.rows if is_template_true(game.state, key, (int(handle),)))
        for handle, *_ in page.spaces
    }


def sketch_of(rules: Rules, lang: str = "") -> AreaSketch:
    """Return the sketch of a loaded ruleset's areas. Raises SetupError if the files have changed since loading."""

    def make() -> AreaSketch:
        from interpreter.tools.maps.text.characters import create_sketch

        return create_sketch(rules.documents(), lang)

    return _load_or_make(f"{lang}.areas", rules, lambda data: AreaSketch(**data), make)


def build_page(rules: Rules, lang: str = "") -> TextPage:
    """Return the page of a loaded ruleset's grid map. Raises SetupError if the files have changed since loading."""

    def make() -> TextPage:
        from interpreter.tools.maps.text.characters import create_page

        ruleset = rules.documents()
        assert ruleset.grid is not None
        return create_page(ruleset, ruleset.grid, None, lang)

    return _load_or_make(lang, rules, lambda data: TextPage(**{**data, "ours": ProvenanceNotes(**data["ours"])}), make)


def _load_or_make(what: str, rules: Rules, read: Callable[[Any], _Drawn], make: Callable[[], _Drawn]) -> _Drawn:
    own = compute_key(rules.target)
    key = None if own is None else disk_cache.derive_key(own, what, rules.program.exchanged)
    body = None if key is None else disk_cache.find(disk_cache.Namespace.MAPS, key)
    try:
        found = None if body is None else read(json.loads(body))
    except (ValueError, TypeError, KeyError):
        found = None
    if found is None or found.content_hash != rules.program.content_hash:
        found = make()
        if key is not None:
            written = json.dumps(asdict(found), ensure_ascii=False, separators=(",", ":"))
            disk_cache.store(disk_cache.Namespace.MAPS, key, written.encode())
    return found


def focus_of(page: TextPage, game: Game, size: tuple[int, int]) -> str:
    """Return the id of the space around which a window of `size` columns and rows shows most pieces.

    Pieces that can act count four times.
    """
    decision = game.decision
    able = {v for o in (decision.options if decision else ()) for v in o.args.values() if isinstance(v, str)}
    ids = game.program.ids["piece"]
    weights: dict[int, int] = {}
    for piece, place in enumerate(game.state.at):
        weights[place] = weights.get(place, 0) + (4 if ids[piece] in able else 1)
    cells = {(int(c), int(r)): weights.get(int(handle), 0) for handle, c, r, *_ in page.spaces}
    names = {(int(c), int(r)): str(place) for _, c, r, place, _ in page.spaces}

    def weigh_place(at: tuple[int, int]) -> int:
        left, top = at[0] - size[0] // 2, at[1] - size[1] // 2
        return sum(w for (c, r), w in full if left <= c < left + size[0] and top <= r < top + size[1])

    full = [(at, w) for at, w in cells.items() if w]
    return names[max(names, key=lambda at: (weigh_place(at), -at[0], -at[1]))] if names else ""


@one_budget()
def group_current_pieces(page: TextMap, game: Game) -> dict[int, list[TextGroup]]:
    """Return the current pieces on the map by place handle, interchangeable pieces grouped."""
    program = game.program
    things = program.kinds["piece"]["things"]
    values = _collect_values(game)
    found: dict[int, dict[Any, list[int]]] = {}
    shorts: dict[int, str] = {}
    owners: dict[int, int | None] = {}
    for piece, place in enumerate(game.state.at):
        if program.on_map[place]:
            cls = things[piece]["cls"]
            short = shorts[piece] = format_short_form(game.state, "piece", piece, page.lang)
            owner = owners[piece] = _find_owner(page, game, values, cls, piece)
            kept = (cls, short, owner, *(column[piece] for column in values.values()))
            alike = kept if cls in page.classes else piece
            found.setdefault(place, {}).setdefault(alike, []).append(piece)

    def build_group(pieces: list[int]) -> TextGroup:
        cls = things[pieces[0]]["cls"] or ""
        return TextGroup(pieces[0], cls, owners[pieces[0]], len(pieces), shorts[pieces[0]])

    return {place: [build_group(pieces) for pieces in found[place].values()] for place in sorted(found)}


def _find_owner(page: TextMap, game: Game, values: dict[str, Any], cls: str, piece: int) -> int | None:
    """Return the handle of the side that owns a piece, or None if it is unowned.

    `values`: the values of all pieces by attribute; `cls`: the id of the piece's class; `piece`: its handle.
    """
    name = page.owners.get(cls, "")
    if name in game.program.data["worded"]:
        written = find_template_value(game.state, "piece", name, piece)
        return None if written is None else game.program.handles["side"].get(written)
    return values[name][piece] if name in values else None


def _collect_values(game: Game) -> dict[str, Any]:
    """Return the values of all pieces, by attribute and then by piece handle."""
    program = game.program
    fixed = {name: values for (kind, name), values in program.constants.items() if kind == "piece"}
    return fixed | {name: getattr(game.state, slot) for slot, kind, name, _ in program.columns if kind == "piece"}
