"""The map on the screen and in files: asks for the drawing, and writes pictures where they are wanted.

Must not draw anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.failures import UsageError
from interpreter.runtime.guessing import guess
from interpreter.runtime.system_words import said_by_system
from interpreter.speech import Say, message_of
from interpreter.speech import mark as _

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Scenario


def map_sheet(
    ruleset: Ruleset, scenario: str | None, svg: str | None, png: str | None, lang: str, say: Say
) -> tuple[Any, list[str]]:
    """The map as data and as lines; or, when pictures are asked for, which files were written."""
    chosen = _scenario(ruleset, scenario)
    if svg or png:
        written = _write_pictures(ruleset, chosen, svg, png, lang)
        return {"written": written}, [say("wrote {file}", file=name) for name in written]
    from interpreter.tools.descriptions import map_data
    from interpreter.tools.drawing_setup import standing_data
    from interpreter.tools.drawing_text import text_map

    data = {**map_data(ruleset, lang), "scenario": chosen.id if chosen else None}
    return {**data, "standing": standing_data(ruleset, chosen)}, text_map(ruleset, chosen, lang, say=say)


def _scenario(ruleset: Ruleset, name: str | None) -> Scenario | None:
    from interpreter.tools.drawing_setup import default_scenario

    if name is None:
        return default_scenario(ruleset)
    if name not in ruleset.scenarios:
        hint = guess(name, ruleset.scenarios, all_of_them=True)
        raise UsageError(_("there is no scenario `{name}`{hint}", name=name, hint=hint))
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
            raise UsageError(message_of(error)) from None
    for name, content in wanted:
        try:
            Path(name).write_bytes(content)
        except OSError as error:
            raise UsageError(_("cannot write {file}: {problem}", file=name, problem=said_by_system(error))) from None
    return [name for name, _ in wanted]
