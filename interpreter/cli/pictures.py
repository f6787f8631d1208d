"""The map on the screen and in files: asks for the drawing, and writes pictures where they are wanted.

Must not draw anything.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.failures import UsageError
from interpreter.files.system_words import said_by_system
from interpreter.source.diagnostic import RulesetError
from interpreter.source.guessing import guess
from interpreter.words.speech import Say, Sentence, message_of
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset, Scenario
    from interpreter.tools.maps.standing import Shown

_SEED = 0  # of the dice that fall before anybody is asked


def map_sheet(
    ruleset: Ruleset, target: str, scenario: str | None, svg: str | None, png: str | None, lang: str, say: Say
) -> tuple[Any, list[str]]:
    """The map as data and as lines; or, when pictures are asked for, which files were written.

    Everybody stands where he does when the first decision is asked, as far as the ruleset can be played.
    """
    from interpreter.tools.maps.standing import standing_data

    shown = _shown(ruleset, target, _scenario(ruleset, scenario), lang)
    chosen = shown.scenario
    if svg or png:
        written, warnings = _write_pictures(ruleset, shown, svg, png, lang, say)
        return {"written": written, "warnings": warnings}, [
            *(say("wrote {file}", file=name) for name in written),
            *warnings,
        ]
    from interpreter.tools.handbook.descriptions import map_data
    from interpreter.tools.maps.characters import text_map

    data = {**map_data(ruleset, lang), "scenario": chosen.id if chosen else None, "when": str(shown.when)}
    width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    return (
        {**data, "standing": standing_data(ruleset, shown.standing)},
        text_map(ruleset, chosen, lang, say, shown, width),
    )


def _shown(ruleset: Ruleset, target: str, scenario: Scenario | None, lang: str) -> Shown:
    """The position at the first decision; where the rules cannot be played, what the documents place."""
    from interpreter.facade.game import load
    from interpreter.runtime.faults import RuleFault, SetupError
    from interpreter.tools.maps.standing import shown_in, shown_of, with_titles

    try:
        game = load(target).start(scenario.id if scenario else None, seed=_SEED)
    except (RulesetError, SetupError, RuleFault):
        shown = shown_of(ruleset, scenario, _("what the documents place; what the rules place is not in it"))
        return shown if shown.standing else shown_of(ruleset, scenario)
    when: Sentence | str = _("at the first decision")
    if any(raw[0] == "roll" for raw in game.raw_log()):
        when = _("at the first decision, dice of seed {seed}", seed=_SEED)
    return with_titles(shown_in(ruleset, scenario, game, when, lang), game, lang)


def _scenario(ruleset: Ruleset, name: str | None) -> Scenario | None:
    from interpreter.tools.maps.standing import default_scenario

    if name is None:
        return default_scenario(ruleset)
    if name not in ruleset.scenarios:
        hint = guess(name, ruleset.scenarios, all_of_them=True)
        raise UsageError(_("there is no scenario `{name}`{hint}", name=name, hint=hint))
    return ruleset.scenarios[name]


def _write_pictures(
    ruleset: Ruleset, shown: Shown, svg: str | None, png: str | None, lang: str, say: Say
) -> tuple[list[str], list[str]]:
    """The names of the files written, and warnings about them."""
    from interpreter.tools.maps.png import NO_FONT, NoPngError, png_of, unwritable
    from interpreter.tools.maps.svg import svg_map

    picture, warnings = svg_map(ruleset, shown.scenario, lang, shown, say), []
    wanted: list[tuple[str, bytes]] = [(svg, picture.encode())] if svg else []
    if png:
        try:
            wanted.append((png, png_of(picture)))
            if missing := unwritable(picture):
                warnings.append(say(NO_FONT, letters="".join(missing)))
        except NoPngError as error:
            raise UsageError(message_of(error)) from None
    for name, content in wanted:
        try:
            Path(name).write_bytes(content)
        except OSError as error:
            raise UsageError(_("cannot write {file}: {problem}", file=name, problem=said_by_system(error))) from None
    return [name for name, _ in wanted], warnings
