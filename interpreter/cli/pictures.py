"""The map on the screen and in files: asks for the drawing, and writes pictures where they are wanted.

Must not draw anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.failures import UsageError
from interpreter.source.suggestion import did_you_mean

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Scenario


def map_sheet(
    ruleset: Ruleset, scenario: str | None, svg: str | None, png: str | None, lang: str
) -> tuple[Any, list[str]]:
    """The map as data and as lines; or, when pictures are asked for, which files were written."""
    chosen = _scenario(ruleset, scenario)
    if svg or png:
        written = _write_pictures(ruleset, chosen, svg, png, lang)
        return {"written": written}, [f"wrote {name}" for name in written]
    from interpreter.tools.descriptions import map_data
    from interpreter.tools.drawing_setup import standing_data
    from interpreter.tools.drawing_text import text_map

    data = {**map_data(ruleset, lang), "scenario": chosen.id if chosen else None}
    return {**data, "standing": standing_data(ruleset, chosen)}, text_map(ruleset, chosen, lang)


def _scenario(ruleset: Ruleset, name: str | None) -> Scenario | None:
    from interpreter.tools.drawing_setup import default_scenario

    if name is None:
        return default_scenario(ruleset)
    if name not in ruleset.scenarios:
        known = ", ".join(ruleset.scenarios) or "none"
        hint = did_you_mean(name, ruleset.scenarios) or f"known here: {known}"
        raise UsageError(f"there is no scenario `{name}`; {hint}")
    return ruleset.scenarios[name]


def _write_pictures(
    ruleset: Ruleset, scenario: Scenario | None, svg: str | None, png: str | None, lang: str
) -> list[str]:
    from interpreter.tools.drawing_png import NoPngError, png_of
    from interpreter.tools.drawing_svg import svg_map

    picture = svg_map(ruleset, scenario, lang)
    wanted: list[tuple[str, bytes]] = [(svg, picture.encode())] if svg else []
    if png:
        try:
            wanted.append((png, png_of(picture)))
        except NoPngError as error:
            raise UsageError(str(error)) from None
    for name, content in wanted:
        try:
            Path(name).write_bytes(content)
        except OSError as error:
            raise UsageError(f"cannot write {name}: {error.strerror or error}") from None
    return [name for name, _ in wanted]
