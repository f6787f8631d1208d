"""Queries about a game in one language, answered as lines: charts, maps, odds, ledgers, luck, expressions, cases.

Joins the players' side with the tools, which are independent of each other. Heavy modules are loaded on first use.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.i18n.translator import get_error_message
from interpreter.play.lines import TextLine
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.log_entries import LoggedRoll

if TYPE_CHECKING:
    from interpreter.api.game import Rules
    from interpreter.model.learning import Glossary
    from interpreter.play.game import Game
    from interpreter.players.luck.luck_service import LuckService
    from interpreter.runtime.localizer import Localizer
    from interpreter.tools.maps.text.area_sketch import AreaSketch
    from interpreter.tools.maps.text.page import TextPage
    from interpreter.tools.odds.previews import Previewer


class GameQueries:
    """Answers to queries about games of one ruleset, as lines in one language.

    `is_coloured`: maps contain colour marks.
    """

    def __init__(self, rules: Rules, localizer: Localizer, is_coloured: bool = False) -> None:
        self.rules = rules
        self.localizer = localizer
        self.is_coloured = is_coloured

    @cached_property
    def _page(self) -> TextPage:
        """Return the page that maps are drawn on."""
        from interpreter.tools.maps.text.live_maps import build_page

        return build_page(self.rules, self.localizer.lang)

    @cached_property
    def _sketch(self) -> AreaSketch:
        from interpreter.tools.maps.text.live_maps import build_sketch

        return build_sketch(self.rules, self.localizer.lang)

    @cached_property
    def _luck_service(self) -> LuckService:
        from interpreter.players.luck.luck_service import LuckService

        return LuckService(self.rules)

    def render_chart(self, name: str, game: Game, keys: Sequence[str] = ()) -> Sequence[TextLine]:
        """Return a table as a chart, with the cells in brackets that the options with these keys (or all) would read.

        If no option would read it, the cells that the last choice read are marked. A line of text explains the marks.
        """
        from interpreter.queries.resolutions import build_options_chart
        from interpreter.tools.describe.chart_lines import format_chart

        try:
            chart = build_options_chart(self.rules, game, self.localizer, name, keys)
        except SetupError as problem:
            return [self.localizer.say(get_error_message(problem))]
        return [*format_chart(chart.view, self.localizer.say), *chart.lines]

    @cached_property
    def glossary(self) -> Glossary:
        """Return the terms of the ruleset's glossary."""
        return self.rules.source.load_glossary(self.rules.program.languages)

    def get_lesson_command(self) -> str:
        """Return the command that starts the ruleset's lesson, '' if it has none."""
        from interpreter.files.assets import format_target_name

        lesson = self.rules.source.load_lesson(self.rules.program.languages)
        return "" if lesson is None else f"grognard learn {format_target_name(self.rules.target)}"

    def render_map(self, game: Game, brief: bool, width: int = 0, around: str = "", size: int = 0) -> Sequence[str]:
        """Return a text map of the current position: the most relevant part, or the part around a place.

        `brief`: the part with the most relevant pieces; otherwise the whole map in parts as wide as the window, with
        its lists. `around`: the id of a place, '' for none; `size`: number of spaces around it. `width`: the number of
        cells of a line.
        """
        try:
            if self.rules.program.data["grid"] is None:
                return self._render_areas(game, brief, width, around)
            return self._render_grid(game, brief, width, around, size)
        except SetupError as problem:
            return [self.localizer.say(get_error_message(problem))]

    def _render_areas(self, game: Game, brief: bool, width: int, around: str) -> Sequence[str]:
        """Return a sketch of an area map in lines of at most `width` cells, or a list of the places and their contents.

        It is a list if not `brief`, or for the surroundings of the place `around` if one is given.
        """
        from interpreter.tools.maps.text.area_sketch import render_sketch
        from interpreter.tools.maps.text.colors import add_color_marks
        from interpreter.tools.maps.text.live_maps import group_current_pieces

        if around or not brief:
            from interpreter.players.narration.place_lines import render_area_map

            return render_area_map(game.view(), self.localizer, around)
        sketch = self._sketch
        lines = render_sketch(sketch, group_current_pieces(sketch.legend, game), width, self.localizer.say)
        return add_color_marks(lines, sketch.legend.colours, ()) if self.is_coloured else lines

    def _render_grid(self, game: Game, brief: bool, width: int, around: str, size: int) -> Sequence[str]:
        """Return the map of a grid as lines; the arguments are those of `render_map`."""
        from interpreter.players.narration.position_lines import describe_moment
        from interpreter.tools.maps.text.colors import add_color_marks
        from interpreter.tools.maps.text.live_maps import find_focus, render_live_map
        from interpreter.tools.maps.text.page import MapWindow, compute_fitting_size

        say, page = self.localizer.say, self._page
        columns, rows = compute_fitting_size(page, width, shutil.get_terminal_size().lines) if width else (0, 0)
        all_columns, all_rows = len({space.column for space in page.spaces}), len({space.row for space in page.spaces})
        window, focus = MapWindow(width, around), ""
        if around and size:
            window = MapWindow(width, around, 2 * size + 1, 2 * size + 1)
        elif brief and not around and width and (columns < all_columns or rows < all_rows):
            columns, rows = min(columns, all_columns), min(rows, all_rows)
            focus = find_focus(page, game, columns, rows)
            window = MapWindow(width, focus, columns, rows)
        lines = render_live_map(page, game, brief, say, describe_moment(game.view(), self.localizer), window)
        if focus:
            lines.append(say("(part of the map; `map all` shows all of it, `map PLACE` another part)"))
        signs = [sign for sign, _ in page.bank_names]
        return add_color_marks(lines, page.legend.colours, signs) if self.is_coloured else lines

    def write_picture(self, game: Game, name: str) -> Sequence[str]:
        """Write a picture of the current position to the file `name` and return lines that report the result.

        The file name may follow the word `--svg` or `--png`, which is ignored.
        """
        from interpreter.queries.map_pictures import save_picture

        return save_picture(self.rules, game, self.localizer, re.sub(r"^--(svg|png)\s+", "", name.strip()))

    def render_odds(self, game: Game, key: str) -> Sequence[str]:
        """Return lines with the probabilities of the outcomes of the option `key`, or the reason why it has none."""
        from interpreter.queries.resolutions import render_option_odds

        try:
            text, lines = render_option_odds(self.rules, game, key, self.localizer.lang)
        except SetupError as problem:
            return [self.localizer.say(get_error_message(problem))]
        return [text, *lines]

    @cached_property
    def _previewer(self) -> Previewer:
        from interpreter.tools.odds.previews import Previewer

        return Previewer(self.rules)

    def preview_option(self, game: Game, key: str) -> str:
        """Return a line about the option `key` if it is an attack, else ''.

        It names the column of the chart and the side that is likely to lose something.
        """
        from interpreter.tools.describe.chart_view import build_program_chart
        from interpreter.tools.odds.odds_lines import format_percent
        from interpreter.tools.odds.reading_marks import describe_common_rows

        say, lang, program = self.localizer.say, self.localizer.lang, self.rules.program
        try:
            chances = self._previewer.preview(game, key)
        except SetupError:
            return ""
        if chances is None:
            return ""
        row_texts = []
        for table, looks in chances.where:
            row_texts += describe_common_rows(build_program_chart(program, table, lang), looks, lang)
        harm = say(
            "losses of others {theirs}, own losses {ours}",
            theirs=format_percent(chances.to_them, self.localizer),
            ours=format_percent(chances.to_us, self.localizer),
        )
        return self.localizer.join_texts([*([self.localizer.join_list(row_texts)] if row_texts else []), harm])

    def get_preview_note(self) -> str:
        """Return the line below a list with previews: which changes of a piece count as losses."""
        from interpreter.tools.odds.results import find_lowered_attributes

        program, localizer = self.rules.program, self.localizer
        attributes = program.kinds["piece"]["attributes"]
        labels = [localizer.translate_attribute(attributes[name]) for name in find_lowered_attributes(program)]
        if not labels:
            return localizer.say("(losses: a piece leaves the map)")
        return localizer.say(
            "(losses: a piece leaves the map, or a value of it becomes worse: {attributes})",
            attributes=localizer.join_list(labels),
        )

    def render_ledger(self, game: Game) -> Sequence[TextLine]:
        """Return the lines that explain how the last choice was resolved.

        If it neither rolled nor looked anything up, explain the last choice that rolled dice, below a heading that says
        so. If no choice rolled, or the choice cannot be explained, return one line that says so.
        """
        from interpreter.queries.resolutions import find_last_resolution

        resolution = find_last_resolution(self.rules, game, self.localizer)
        heading = [self.localizer.say("details of the last choice with a roll:")] if resolution.is_earlier else []
        return [*heading, *resolution.lines]

    def render_luck(self, game: Game) -> Sequence[TextLine]:
        """Return lines that compare the dice rolled so far with their expected values."""
        from interpreter.players.luck.luck_report import render_luck_report

        return render_luck_report(self._luck_service.analyze_game(game), self.localizer)

    @cached_property
    def _checked_rules(self) -> Rules:
        """Return the rules with their checked model. Raises SetupError if the files have changed since loading."""
        if self.rules.model is not None:
            return self.rules
        from interpreter.api.game import load

        try:
            checked_rules = load(self.rules.target, checked=True)
        except RulesetError as problem:
            raise SetupError("the rules on disk can no longer be read: {problem}", problem=problem) from None
        if checked_rules.program.content_hash != self.rules.program.content_hash:
            raise SetupError("the rules on disk have changed since this game began; start a new game to use this")
        return checked_rules

    def evaluate(self, game: Game, text: str) -> Sequence[str]:
        """Evaluate an expression of the rules language in the current position and return the result as lines."""
        from interpreter.api.evaluate import EvaluationError
        from interpreter.diagnostics.rendering import render
        from interpreter.tools.evaluate import evaluate_to_data, explain_fault, format_expression

        say, is_foreign = self.localizer.say, self.localizer.lang != self.rules.program.languages[0]
        try:
            return format_expression(
                evaluate_to_data(self._checked_rules, game, text, self.localizer.lang), say, in_words=is_foreign
            )
        except EvaluationError as fault:
            return render(fault.diagnostics, say=say).splitlines()
        except SetupError as problem:
            return [say(get_error_message(problem))]
        except RuleFault as fault:
            return explain_fault(fault, say)

    def record_case(self, game: Game, name: str) -> Sequence[TextLine]:
        """Return the last choice of the deciding seat and its results as a case, written to a file if one is named."""
        from interpreter.queries.case_recording import render_case_lines

        try:
            return render_case_lines(self._checked_rules, game, name, self.localizer.say)
        except SetupError as problem:
            return [self.localizer.say(get_error_message(problem))]

    def advance_luck(self, game: Game) -> None:
        """Compute a part of the luck report in advance."""
        if any(isinstance(raw, LoggedRoll) for raw in game.get_raw_log()):
            self._luck_service.advance_analysis(game)
