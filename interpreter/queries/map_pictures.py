"""Pictures of positions: draw the map of a game and write it to files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import Message, Translator, get_error_message, mark as _
from interpreter.runtime.errors import RuleFault, SetupError

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.model.ruleset import Ruleset, Scenario
    from interpreter.play.game import Game
    from interpreter.players.reports.replay_log import ReplayLog
    from interpreter.runtime.localizer import Localizer
    from interpreter.tools.maps.piece_groups import ShownPosition
    from interpreter.tools.svg_series import SvgSeries

_SEED = 0  # seed of the dice rolled before the first decision


def make_svg_series(rules: Rules, localizer: Localizer) -> SvgSeries:
    """Return an SVG series for a game of these rules."""
    from interpreter.tools.svg_series import SvgSeries

    return SvgSeries(rules.documents(), localizer.lang, localizer.say)


def build_start_position(
    ruleset: Ruleset, target: str, scenario: Scenario | None, lang: str, rules: Rules | None = None
) -> ShownPosition:
    """Return the position at the first decision, or, if the rules cannot be played, the one that the documents set up.

    `rules`: the rules of the target, if already loaded.
    """
    from interpreter.api.game import load
    from interpreter.runtime.log_entries import LoggedRoll
    from interpreter.tools.maps.piece_groups import add_turn_titles, build_current_position, build_initial_position

    try:
        game = (rules or load(target)).start(scenario.id if scenario else None, seed=_SEED)
    except (RulesetError, SetupError, RuleFault):
        start_position = build_initial_position(
            ruleset, scenario, _("the set-up in the documents, without pieces placed by the rules")
        )
        return start_position if start_position.groups else build_initial_position(ruleset, scenario)
    when: Message | str = _("at the first decision")
    if any(isinstance(raw, LoggedRoll) for raw in game.get_raw_log()):
        when = _("at the first decision, dice of seed {seed}", seed=_SEED)
    return add_turn_titles(build_current_position(ruleset, scenario, game, when, lang), game, lang)


@contextmanager
def _report_write_errors(file: object) -> Iterator[None]:
    """In the `with` block, convert an error on writing the file or folder `file` into a SetupError."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise SetupError("cannot write {file}: {problem}", file=file, problem=format_os_error(error)) from None


def write_picture(name: str, picture: str, is_png: bool, say: Translator) -> list[str]:
    """Write the picture, an SVG text, to the file `name`, as PNG if `is_png`; return lines that warn about it."""
    from interpreter.tools.maps.png import NO_FONT, NoPngError, find_missing_glyphs, render_png

    warnings, content = [], picture.encode()
    if is_png:
        try:
            content = render_png(picture)
            if missing := find_missing_glyphs(picture):
                warnings.append(say(NO_FONT, letters="".join(missing)))
        except NoPngError as error:
            raise SetupError(get_error_message(error)) from None
    with _report_write_errors(name):
        Path(name).write_bytes(content)
    return warnings


def is_picture_name(name: str) -> bool:
    """Return whether a file name ends in a supported picture format."""
    return Path(name).suffix.casefold() in (".svg", ".png")


def save_picture(rules: Rules, game: Game, localizer: Localizer, name: str) -> list[str]:
    """Write the current position to a .svg or .png file. Return the lines that report success or the problem.

    An existing file is not overwritten. Never raises for problems with the file.
    """
    say = localizer.say
    try:
        if not is_picture_name(name):
            raise SetupError("a picture needs a file name that ends in .svg or .png, not {file}", file=name)
        if exists(name):
            raise SetupError("{file} already exists; choose another name", file=name)
        picture = MapImageWriter(rules, localizer).draw_picture(game)
        return [*write_picture(name, picture, name.casefold().endswith(".png"), say), say("wrote {file}", file=name)]
    except SetupError as error:
        return [say(get_error_message(error))]


class MapImageWriter:
    """Drawer of positions of games of one ruleset, which caches the documents of the ruleset."""

    def __init__(self, rules: Rules, localizer: Localizer) -> None:
        from interpreter.tools.maps.geometry import compute_geometry

        self.localizer = localizer
        self.ruleset = rules.documents()
        self.layout = compute_geometry(self.ruleset)
        self._before: tuple[ShownPosition, tuple[int, ...]] | None = None

    def draw_picture(self, game: Game, is_change: bool = False, when: str = "") -> str:
        """Draw the position of a game as SVG.

        `is_change` marks what changed since the previous picture; `when` is a text for its heading.
        """
        from interpreter.players.narration.position_lines import describe_moment
        from interpreter.tools.maps.piece_groups import add_turn_titles, build_current_position
        from interpreter.tools.maps.style import resolve_style
        from interpreter.tools.maps.svg import render_map
        from interpreter.tools.svg_series import render_changes

        localizer = self.localizer
        scenario = self.ruleset.scenarios.get(game.scenario or "")
        when = when or describe_moment(game.view(), localizer)
        position = add_turn_titles(
            build_current_position(self.ruleset, scenario, game, when, localizer.lang), game, localizer.lang
        )
        before, self._before = self._before, (position, tuple(game.state.at))
        traces = ("", "")
        if is_change and before is not None:
            traces = render_changes(
                before, self._before, self.layout, resolve_style(self.ruleset, localizer.lang, position.look_values)
            )
        return render_map(self.ruleset, scenario, localizer.lang, position, localizer.say, traces, layout=self.layout)


def write_phases(rules: Rules, story: ReplayLog, localizer: Localizer, folder: str, is_png: bool) -> Iterator[str]:
    """Write a picture of the start and of each phase with changes into `folder`, as PNG or SVG.

    Yields a line that reports each file, and then the warnings.
    """
    from interpreter.players.narration.position_lines import describe_moment
    from interpreter.players.reports.timeline import split_chapters

    say, picturer, ending = localizer.say, MapImageWriter(rules, localizer), "png" if is_png else "svg"
    with _report_write_errors(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
    story.go_to(0)
    last_key = _build_position_key(story.game)
    ends = [(0, say("the map at the start"))]
    for part in split_chapters(story):
        story.go_to(part.first - 1)
        title = describe_moment(story.game.view(), localizer)
        ends.append((part.last, say("after decision {number}: {what}", number=part.last, what=title)))
    warned: dict[str, None] = {}
    for number, (decision, what) in enumerate(ends):
        story.go_to(decision)
        if number and _build_position_key(story.game) == last_key:
            continue
        last_key = _build_position_key(story.game)
        name = str(Path(folder) / f"{decision:05}.{ending}")
        warned |= dict.fromkeys(
            write_picture(name, picturer.draw_picture(story.game, is_change=True, when=what), is_png, say)
        )
        yield localizer.prefix_topic(name, what)
    yield from warned


def _build_position_key(game: Game) -> str:
    """Return a canonical text of everything in a position that its picture can show; equal texts, equal pictures."""
    view = game.view()
    return json.dumps([view["pieces"], view["places"], view.get("edges", {})], sort_keys=True, default=str)
