"""Analysis of past and future choices: ledger, charts with marked cells, odds, luck, hints.

Works on copies of the game, which never use its own future dice.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.game import Game
from interpreter.players.luck.luck_report import render_luck_report
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.luck.luck_summary import summarize_luck
from interpreter.players.orders.confirmations import find_confirmation
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.summaries.hints import compute_hint, list_hint_reasons
from interpreter.queries.expected_changes import format_expected_changes
from interpreter.queries.resolutions import (
    build_options_chart,
    find_last_resolution,
    format_losses,
    list_cells_read,
    preview_option,
    render_option_odds,
    render_quick_odds,
)
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.chart_view import ChartView, build_program_chart
from interpreter.view_model.answer_records import ChartAnswer, ChartGrid, OptionPreview, ShownHint, TextAnswer
from interpreter.view_model.log_view import build_answer_lines
from interpreter.view_model.queries.text_queries import build_text_answer
from interpreter.view_model.view_context import ViewContext


def answer_ledger(context: ViewContext, game: Game) -> TextAnswer:
    """Return how the last choice was resolved.

    If it neither rolled nor looked anything up, return how the last choice that rolled dice was resolved.
    """
    resolution = find_last_resolution(context.rules, game, context.localizer)
    say = context.localizer.say
    title = say("details of the last choice with a roll:") if resolution.is_earlier else say("details")
    return build_text_answer(title, resolution.lines)


def answer_chart(context: ViewContext, game: Game, name: str, key: str) -> ChartAnswer:
    """Return a table with the cells marked that the option `key` would read, or, if `key` is "", those read last.

    Raises SetupError for an unknown table.
    """
    localizer, program = context.localizer, context.rules.program
    if name not in program.charts:
        raise SetupError("unknown table `{text}`", text=quote_typed(name))
    view = build_program_chart(program, name, context.lang)
    lines = [view.note]
    if key:
        lit = build_options_chart(context.rules, game, localizer, name, (key,)).view.lit
    else:
        lit = frozenset(list_cells_read(context.rules, game, since_roll=True).get(name, ()))
        lines += [localizer.say("marked: cells read last")] if lit else []
    return ChartAnswer(
        view.title,
        view.cites,
        view.source == "reconstructed",
        tuple(build_chart_grids(replace(view, lit=lit))),
        build_answer_lines(filter(None, lines)),
    )


def build_chart_grids(view: ChartView) -> list[ChartGrid]:
    """Return the sheets of a chart that have a cell, as the page shows them."""
    down, across, grids = view.down, view.across, []
    for sheet in view.iter_sheets():
        if not any(cell is not None for line in sheet.cells for cell in line):
            continue
        names = zip(view.axes, view.list_row_titles(sheet.row_numbers), strict=False)
        title = ", ".join(axis.format_row_title(row) for axis, row in names)
        cells = tuple(tuple("" if cell is None else cell.words for cell in line) for line in sheet.cells)
        name, sides = ("", ()) if down is None else (down.name, down.rows)
        grids.append(ChartGrid(title, across.name, name, across.rows, sides, cells, tuple(sorted(sheet.lit))))
    return grids


def answer_odds(context: ViewContext, game: Game, key: str, most: int, throws: int) -> TextAnswer:
    """Return the chances of an option's results; raise SetupError for an unknown key.

    `most` and `throws` limit the exact computation and the sampling, as for `compute_option_odds`.
    """
    return build_text_answer(*render_option_odds(context.rules, game, key, context.lang, most, throws))


def answer_quick_odds(context: ViewContext, game: Game, key: str) -> TextAnswer | None:
    """Return the chances of an option's results if they are exact and cheap, else None.

    Raises SetupError for an unknown key.
    """
    odds = render_quick_odds(context.rules, game, key, context.lang)
    return None if odds is None else build_text_answer(*odds)


def answer_luck(context: ViewContext, game: Game, luck: LuckService) -> TextAnswer:
    """Return a comparison of the dice rolled so far with their expected values."""
    return build_text_answer(
        context.localizer.say("luck"), render_luck_report(luck.analyze_game(game), context.localizer)
    )


def answer_luck_summary(context: ViewContext, game: Game, luck: LuckService) -> TextAnswer:
    """Return the luck of the rolls with the most dice, in a line each."""
    say, luck_figures = context.localizer.say, luck.analyze_game(game)
    lines = summarize_luck(luck_figures, context.localizer)
    return build_text_answer(say("luck"), lines or [say("too few dice were rolled to speak of luck")])


def build_hint(context: ViewContext, game: Game, seats: Collection[str]) -> ShownHint:
    """Return the option a bot would choose for the deciding seat, its reasons and its expected results.

    Raises SetupError unless one of `seats` decides.
    """
    decision = game.decision
    if decision is None or decision.seat not in seats:
        raise SetupError("this decision belongs to another seat")
    hint = compute_hint(game)
    assert hint is not None
    name_index = NameIndex(game, context.localizer)
    option = hint.chosen.option
    reasons = list_hint_reasons(hint, game, name_index)
    first = len(reasons) - len(hint.others) if len(reasons) > 1 else len(reasons)
    for n, judged in zip(range(first, len(reasons)), hint.others, strict=False):  # compare their results with this one
        chances = format_losses(context.rules, game, judged.option.key, context.localizer)
        reasons[n] = context.localizer.join_texts([reasons[n], *chances])
    preview = build_preview(context, game, option.key).lines
    changes = format_expected_changes(game, option.number, context.localizer) if game.count() > 1 else []
    answer_lines = build_answer_lines([*preview, *reasons[:1], *changes, *reasons[1:]])
    return ShownHint(
        option.key,
        format_option(option, name_index),
        option.cite,
        tuple(replace(answer_line, depth=0) for answer_line in answer_lines),
    )


def build_preview(context: ViewContext, game: Game, key: str) -> OptionPreview:
    """Preview an option's results in few lines; raise SetupError for an unknown key."""
    lines = tuple(preview_option(context.rules, game, key, context.localizer))
    needed = find_confirmation(game, key, context.localizer)
    return OptionPreview(lines, needed.reasons if needed is not None else ())
