"""Maps of a game in progress. The page they are drawn on is made from the documents once, and kept between starts.

Makes lines; must not choose what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.compiler.cache import key_of
from interpreter.files import kept
from interpreter.play.session import Game
from interpreter.play.wordings import holds, looked_up, short_form, value_words
from interpreter.tools.maps.authority import Ours
from interpreter.tools.maps.plain.area_sketch import Sketch
from interpreter.tools.maps.plain.page import Group, Page, filled, page_lines
from interpreter.words.speech import ENGLISH, Say

if TYPE_CHECKING:
    from interpreter.facade.rules import Rules

_SORT = "maps"
_Drawn = TypeVar("_Drawn", Page, Sketch)


def map_lines(
    page: Page,
    game: Game,
    brief: bool = False,
    say: Say = ENGLISH,
    when: str = "",
    width: int = 0,
    around: str = "",
    size: tuple[int, int] = (11, 11),
) -> list[str]:
    """The map drawn with characters, everybody where he stands now; the rest as `page_lines` tells."""
    page, standing = _filled(page, game), standing_now(page, game)
    return page_lines(page, standing, brief, say, when, width, around, _marked(page, game), size)


def _filled(page: Page, game: Game) -> Page:
    """The page with the marks of what holds now, where they change."""
    if not page.fill:
        return page
    values = [looked_up(game.state, "place", page.fill, handle) for handle in range(game.program.place_count)]
    words = {value: value_words(game.program, "place", page.fill, value, page.lang) for value, *_ in page.filling}
    return filled(page, values, words)


def _marked(page: Page, game: Game) -> dict[int, str]:
    """The characters of the marks that are drawn in each space now."""
    if not page.drawn:
        return {}
    return {
        int(handle): "".join(mark for key, mark, _ in page.drawn if holds(game.state, key, (int(handle),)))
        for handle, *_ in page.spaces
    }


def sketch_of(rules: Rules, lang: str = "") -> Sketch:
    """The sketch of a loaded ruleset's map, which has no grid; SetupError when it has changed on disk since."""

    def make() -> Sketch:
        from interpreter.tools.maps.plain.characters import sketched

        return sketched(rules.documents(), lang)

    return _kept_or_made(f"{lang}.areas", rules, lambda data: Sketch(**data), make)


def map_page(rules: Rules, lang: str = "") -> Page:
    """The page of a loaded ruleset's map, which has a grid; SetupError when it has changed on disk since."""

    def make() -> Page:
        from interpreter.tools.maps.plain.characters import page_of

        ruleset = rules.documents()
        assert ruleset.grid is not None
        return page_of(ruleset, ruleset.grid, None, lang)

    return _kept_or_made(lang, rules, lambda data: Page(**{**data, "ours": Ours(**data["ours"])}), make)


def _kept_or_made(what: str, rules: Rules, read: Callable[[Any], _Drawn], make: Callable[[], _Drawn]) -> _Drawn:
    key = key_of(rules.target)
    what += "".join(f".{kind}-{one}-{other}" for kind, one, other in rules.program.exchanged)
    body = None if key is None else kept.find(_SORT, f"{key}.{what}")
    try:
        found = None if body is None else read(json.loads(body))
    except (ValueError, TypeError, KeyError):
        found = None
    if found is None or found.content_hash != rules.program.content_hash:
        found = make()
        if key is not None:
            written = json.dumps(asdict(found), ensure_ascii=False, separators=(",", ":"))
            kept.keep(_SORT, f"{key}.{what}", written.encode())
    return found


def focus_of(page: Page, game: Game, size: tuple[int, int]) -> str:
    """The id of the space around which a part of this size shows most of what matters now: who can act weighs more."""
    decision = game.decision
    able = {v for o in (decision.options if decision else ()) for v in o.args.values() if isinstance(v, str)}
    ids = game.program.ids["piece"]
    weights: dict[int, int] = {}
    for piece, place in enumerate(game.state.at):
        weights[place] = weights.get(place, 0) + (4 if ids[piece] in able else 1)
    cells = {(int(c), int(r)): weights.get(int(handle), 0) for handle, c, r, *_ in page.spaces}
    names = {(int(c), int(r)): str(place) for _, c, r, place, _ in page.spaces}

    def weight(at: tuple[int, int]) -> int:
        left, top = at[0] - size[0] // 2, at[1] - size[1] // 2
        return sum(w for (c, r), w in full if left <= c < left + size[0] and top <= r < top + size[1])

    full = [(at, w) for at, w in cells.items() if w]
    return names[max(names, key=lambda at: (weight(at), -at[0], -at[1]))] if names else ""


def standing_now(page: Page | Sketch, game: Game) -> dict[int, list[Group]]:
    """By place handle the pieces on the map as the game stands; those that look alike together."""
    program = game.program
    things = program.kinds["piece"]["things"]
    values = _values_now(game)
    found: dict[int, dict[Any, list[int]]] = {}
    shorts: dict[int, str] = {}
    owners: dict[int, int | None] = {}
    for piece, place in enumerate(game.state.at):
        if program.on_map[place]:
            cls = things[piece]["cls"]
            short = shorts[piece] = short_form(game.state, "piece", piece, page.lang)
            owner = owners[piece] = _owner(page, game, values, cls, piece)
            kept = (cls, short, owner, *(column[piece] for column in values.values()))
            alike = kept if cls in page.classes else piece
            found.setdefault(place, {}).setdefault(alike, []).append(piece)

    def group(pieces: list[int]) -> Group:
        cls = things[pieces[0]]["cls"] or ""
        return Group(pieces[0], cls, owners[pieces[0]], len(pieces), shorts[pieces[0]])

    return {place: [group(pieces) for pieces in found[place].values()] for place in sorted(found)}


def _owner(page: Page | Sketch, game: Game, values: dict[str, Any], cls: str, piece: int) -> int | None:
    """The handle of a piece's side, None for nobody's."""
    name = page.owners.get(cls, "")
    if name in game.program.data["worded"]:
        written = looked_up(game.state, "piece", name, piece)
        return None if written is None else game.program.handles["side"].get(written)
    return values[name][piece] if name in values else None


def _values_now(game: Game) -> dict[str, Any]:
    """The values of all pieces by attribute, whether they change or not."""
    program = game.program
    fixed = {name: values for (kind, name), values in program.constants.items() if kind == "piece"}
    return fixed | {name: getattr(game.state, slot) for slot, kind, name, _ in program.columns if kind == "piece"}
