"""Analysis of past and future: ledger, charts with marked cells, odds, luck.

Works on copies, which never use the game's own future dice.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from interpreter.api.rules import Rules
from interpreter.i18n.translator import message_of
from interpreter.play.game import Game
from interpreter.play.ledger import cells_read, choices_since_roll, explain_last_choice, last_ledger
from interpreter.play.ledger_lines import ledger_lines
from interpreter.players.luck.luck_report import luck_lines
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.option_tree import option_words
from interpreter.players.summaries.hints import compute_hint, hint_lines
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.chart_view import ChartView, program_chart
from interpreter.tools.odds.odds_lines import format_probability, odds_lines
from interpreter.tools.odds.reading_marks import mark_readings, settled_words
from interpreter.tools.odds.readings import find_readings
from interpreter.tools.odds.resolution import Odds, odds_of_option
from interpreter.view_model.log_view import answer_lines
from interpreter.view_model.queries.text_queries import text_answer
from interpreter.view_model.records import ChartAnswer, ChartGrid, Hint, OptionPreview, TextAnswer
from interpreter.view_model.view_context import ViewContext

_QUICK, _THROWS = 1_500, 250  # most positions enumerated for a preview, else samples
_MOST_READ = 2  # charts named in a preview


def ledger_answer(stage: ViewContext, game: Game) -> TextAnswer:
    """Return how the last choice was resolved.

    If it neither rolled nor looked anything up, the answer covers the last choice that rolled dice.
    """
    words, form = stage.words, stage.rules.form("ledger")
    title = words.say("details")
    try:
        entries, back = explain_last_choice(game, form)
    except SetupError as problem:
        return text_answer(title, [words.say(message_of(problem))])
    if not entries:
        return text_answer(title, [words.say("the last choice used no dice and no tables")])
    title = words.say("details of the last choice with a roll:") if back else title
    return text_answer(title, ledger_lines(form, entries, stage.lang))


def last_cells_read(rules: Rules, game: Game) -> dict[str, set[tuple[int, ...]]]:
    """Return, for each table, the cells read by the last choice that rolled dice, as row numbers."""
    try:
        entries = last_ledger(game, rules.form("ledger"), choices_since_roll(game) or 0)
    except SetupError:
        return {}
    return cells_read(rules.program, entries)


def chart_answer(stage: ViewContext, game: Game, name: str, key: str) -> ChartAnswer:
    """Return a table with the cells an option would read or, if `key` is "", those read last.

    Raises SetupError for an unknown table.
    """
    words, program = stage.words, stage.rules.program
    if name not in program.charts:
        raise SetupError("there is no table `{text}`", text=name[:40])
    view = program_chart(program, name, stage.lang)
    lines = [view.note]
    if key:
        told = mark_readings(view, find_readings(stage.rules.form("ledger"), game, name, (key,)), stage.lang, words.say)
        lit: Collection[tuple[int, ...]] = told.cells
    else:
        lit = last_cells_read(stage.rules, game).get(name, set())
        lines += [words.say("marked: cells read last")] if lit else []
    return ChartAnswer(
        view.title,
        view.cites,
        view.source == "reconstructed",
        tuple(chart_grids(replace(view, lit=frozenset(lit)))),
        answer_lines(filter(None, lines)),
    )


def chart_grids(view: ChartView) -> list[ChartGrid]:
    """Return the sheets of a chart that have a cell, as the page shows them."""
    down, across, found = view.down, view.across, []
    for sheet in view.sheets():
        if not any(cell is not None for line in sheet.cells for cell in line):
            continue
        names = zip(view.axes, view.rows_at(sheet.at), strict=False)
        title = ", ".join(f"{axis.name} {row}" for axis, row in names)
        cells = tuple(tuple("" if cell is None else cell.words for cell in line) for line in sheet.cells)
        name, sides = ("", ()) if down is None else (down.name, down.rows)
        found.append(ChartGrid(title, across.name, name, across.rows, sides, cells, tuple(sorted(sheet.lit))))
    return found


def odds_answer(stage: ViewContext, game: Game, key: str, most: int, throws: int) -> TextAnswer:
    """Return the chances of an option's results; raise SetupError for an unknown key."""
    return _odds_lines(stage, game, key, odds_of_option(stage.rules, game, key, most=most, throws=throws))


def _odds_lines(stage: ViewContext, game: Game, key: str, odds: Odds) -> TextAnswer:
    decision = game.decision
    option = next((o for o in decision.options if o.key == key), None) if decision is not None else None
    first, *lines = odds_lines(odds, stage.lang)
    return text_answer(option.text(stage.lang) if option is not None else first, lines)


def quick_odds(stage: ViewContext, game: Game, key: str) -> TextAnswer | None:
    """Return the chances of an option's results if they are exact and cheap, else None.

    Raises SetupError for an unknown key.
    """
    odds = odds_of_option(stage.rules, game, key, most=_QUICK, throws=1)
    return None if odds.throws else _odds_lines(stage, game, key, odds)


def luck_answer(stage: ViewContext, game: Game, teller: LuckService) -> TextAnswer:
    """Compare the dice rolled so far with their expectation."""
    return text_answer(stage.words.say("luck"), luck_lines(teller.count_game(game), stage.words))


def hint_of(stage: ViewContext, game: Game, seats: Collection[str]) -> Hint:
    """Return what a bot would choose for the deciding seat, why, and what would probably come of it.

    Raises SetupError if none of these seats decides.
    """
    decision = game.decision
    if decision is None or decision.seat not in seats:
        raise SetupError("this decision belongs to another seat")
    found = compute_hint(game)
    assert found is not None
    lexicon = NameIndex(game, stage.words)
    option = found.chosen.option
    _first, *lines = hint_lines(game, lexicon)
    preview = preview_of(stage, game, option.key).lines
    told = answer_lines([*preview, *lines])
    return Hint(option.key, option_words(option, lexicon), option.cite, tuple(replace(one, depth=0) for one in told))


def preview_of(stage: ViewContext, game: Game, key: str) -> OptionPreview:
    """Preview an option's results in few lines; raise SetupError for an unknown key."""
    decision = game.decision
    if decision is not None and any(option.is_step and option.key == key for option in decision.options):
        return OptionPreview(())  # a step decides nothing yet
    odds = odds_of_option(stage.rules, game, key, most=_QUICK, throws=_THROWS, valued=False)
    if not odds.throws and len(odds.results) < 2:
        return OptionPreview(())
    return OptionPreview((*_charts_read_by(stage, game, key), *_loss_chances(stage, odds)))


def _charts_read_by(stage: ViewContext, game: Game, key: str) -> list[str]:
    """Return the charts with odds that an option would read and the known part of the row; else other charts."""
    program, words, form = stage.rules.program, stage.words, stage.rules.form("ledger")
    first: list[str] = []
    others: list[str] = []
    for name, chart in program.charts.items():
        found = find_readings(form, game, name, (key,))
        view = program_chart(program, name, stage.lang)
        told = settled_words(view, found, stage.lang, words.say) if found else ""
        if told:
            has_odds = any(axis.sort == "ratio" for axis in chart.axes)
            (first if has_odds else others).append(words.about(view.title, told))
    return (first or others)[:_MOST_READ]


def _loss_chances(stage: ViewContext, odds: Odds) -> list[str]:
    """Return how likely each side is to lose pieces or steps, the likeliest first."""
    words, loses = stage.words, dict[int, Fraction]()
    for result in odds.results:
        for side in {side for side, _name, amount in result.outcome.losses if amount > 0 and side >= 0}:
            loses[side] = loses.get(side, Fraction(0)) + result.probability
    ids = stage.rules.program.ids["side"]
    return [
        words.say(
            "{side} loses something: {share}",
            side=words.thing("side", ids[side]),
            share=format_probability(odds, p).split()[0],
        )
        for side, p in sorted(loses.items(), key=lambda one: (-one[1], one[0]))
    ]
