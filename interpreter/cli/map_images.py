"""Map images: have the map of a ruleset rendered for the terminal or for files."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.cli.errors import UsageError
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import Translate
from interpreter.queries.map_pictures import shown_at_start, write_picture

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Scenario
    from interpreter.tools.maps.piece_groups import ShownPosition


@dataclass(frozen=True, slots=True)
class PictureFiles:
    """The files that a map is written to, None for none, and whether in dark colours."""

    svg: str | None
    png: str | None
    is_dark: bool = False


def map_sheet(
    ruleset: Ruleset, target: str, scenario: str | None, pictures: PictureFiles, lang: str, say: Translate
) -> tuple[Any, list[str]]:
    """Return the map as data and as lines, or write the requested pictures and return their names.

    Shows the position at the first decision, as far as the ruleset can be played.
    """
    from interpreter.tools.maps.piece_groups import groups_data

    shown = shown_at_start(ruleset, target, _scenario(ruleset, scenario), lang)
    chosen = shown.scenario
    if pictures.svg or pictures.png:
        written, warnings = _write_pictures(ruleset, shown, pictures, lang, say)
        return {"written": written, "warnings": warnings}, [
            *(say("wrote {file}", file=name) for name in written),
            *warnings,
        ]
    from interpreter.tools.describe.descriptions import map_data
    from interpreter.tools.maps.text.characters import text_map

    data = {**map_data(ruleset, lang), "scenario": chosen.id if chosen else None, "when": str(shown.when)}
    width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    return (
        {
            **data,
            "standing": groups_data(ruleset, shown.groups),
            "beside": groups_data(ruleset, shown.off_map_groups),
            "turn": shown.turn or None,
        },
        text_map(ruleset, chosen, lang, say, shown, width),
    )


def _scenario(ruleset: Ruleset, name: str | None) -> Scenario | None:
    from interpreter.tools.maps.piece_groups import default_scenario

    if name is None:
        return default_scenario(ruleset)
    if name not in ruleset.scenarios:
        hint = suggest_words(name, ruleset.scenarios, all_of_them=True)
        raise UsageError("there is no scenario `{name}`{hint}", name=name, hint=hint)
    return ruleset.scenarios[name]


def _write_pictures(
    ruleset: Ruleset, position: ShownPosition, files: PictureFiles, lang: str, say: Translate
) -> tuple[list[str], list[str]]:
    """Write the pictures. Return the file names and warnings."""
    from interpreter.tools.maps.painting.palette import DARK, LIGHT
    from interpreter.tools.maps.svg import render_map

    palette, warnings = DARK if files.is_dark else LIGHT, list[str]()
    picture = render_map(ruleset, position.scenario, lang, position, say, palette=palette)
    for name, is_png in ((files.svg, False), (files.png, True)):
        if name:
            warnings += write_picture(name, picture, is_png, say)
    return [name for name in (files.svg, files.png) if name], warnings
