"""Analysis of past and future: ledger, charts with marked cells, odds, luck.

Works on copies, which never use the game's own future dice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from interpreter.api.rules import Rules
from interpreter.i18n.translator import message_of
from interpreter.play.game import Game
from interpreter.play.ledger import cells_read, choices_since_roll, explain_last_choice, last_ledger
from interpreter.play.ledger_lines import ledger_lines
from interpreter.players.luck.luck_report import luck_lines
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.option_tree import option_words
from interpreter.players.summaries.hints import compute_hint, hint_reasons
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.live_charts import chart_data
from interpreter.tools.odds.odds_lines import format_probability, odds_lines
from interpreter.tools.odds.reading_marks import mark_readings, settled_words
from interpreter.tools.odds.readings import find_readings
from interpreter.tools.odds.resolution import Odds, odds_of_option
from interpreter.view_model.log_view import answer_lines
from interpreter.view_model.queries.text_queries import text_answer
from interpreter.view_model.records import ChartAnswer, ChartGrid, OptionPreview, ShownHint, TextAnswer
from interpreter.view_model.view_context import ViewContext

_QUICK, _THROWS = 1_500, 250  # most positions enumerated for a preview, else samples
_MOST_READ = 2  # charts named in a preview


def ledger_answer(context: ViewContext, game: Game) -> TextAnswer:
    """Return how the last choice was resolved.

    If it neither rolled nor looked anything up, the answer covers the last choice that rolled dice.
    """
    words, form = context.words, context.rules.form("ledger")
    title = words.say("details")
    try:
        entries, back = explain_last_choice(game, form)
    except SetupError as problem:
        return text_answer(title, [words.say(message_of(problem))])
    if not entries:
        return text_answer(title, [words.say("the last choice used no dice and no tables")])
    title = words.say("details of the last choice with a roll:") if back else title
    return text_answer(title, ledger_lines(form, entries, context.lang))


def last_cells_read(rules: Rules, game: Game) -> dict[str, set[tuple[int, ...]]]:
    """Return, for each table, the cells read by the last choice that rolled dice, as row numbers."""
    try:
        entries = last_ledger(game, rules.form("ledger"), choices_since_roll(game) or 0)
    except SetupError:
        return {}
    return cells_read(rules.program, entries)


def chart_answer(context: ViewContext, game: Game, name: str, key: str) -> ChartAnswer:
    """Return a table with the cells an option would read or, if `key` is "", those read last.

    Raises SetupError for an unknown table.
    """
    words, program = context.words, context.rules.program
    if name not in program.data["tables"]:
        raise SetupError("there is no table `{text}`", text=name[:40])
    data, lines = chart_data(program, name, context.lang), [words.label(program.data["tables"][name]["note"])]
    if key:
        told = mark_readings(
            data, find_readings(context.rules.form("ledger"), game, name, (key,)), context.lang, words.say
        )
        lit: Collection[tuple[int, ...]] = told.cells
    else:
        lit = last_cells_read(context.rules, game).get(name, set())
        lines += [words.say("marked: cells read last")] if lit else []
    return ChartAnswer(
        data["label"] or name.replace("_", " "),
        tuple(data["cite"]),
        data["source"] == "reconstructed",
        tuple(chart_grids(data, lit)),
        answer_lines(filter(None, lines)),
    )


def chart_grids(data: Mapping[str, Any], lit: Collection[tuple[int, ...]]) -> list[ChartGrid]:
    """Split a chart into sheets: last axis as columns, the one before as rows, one sheet per row of the others."""
    axes = data["axes"]
    cells = {tuple(_index(axes, cell["at"])): _text(cell["value"]) for cell in data["cells"]}
    down, across = (axes[-2] if len(axes) > 1 else None), axes[-1]
    sheets: dict[tuple[int, ...], None] = dict.fromkeys(at[:-2] for at in cells)
    found = []
    for sheet in sheets:
        rows = range(len(down["rows"])) if down else (0,)
        spots = {(r, c): (*sheet, r, c) if down else (c,) for r in rows for c in range(len(across["rows"]))}
        table = tuple(tuple(cells.get(spots[r, c], "") for c in range(len(across["rows"]))) for r in rows)
        marks = [spot for spot, at in spots.items() if at in lit]
        title = ", ".join(f"{axis['name']} {axis['rows'][n]}" for axis, n in zip(axes, sheet, strict=False))
        heads, sides = tuple(map(str, across["rows"])), tuple(map(str, down["rows"])) if down else ()
        found.append(ChartGrid(title, across["name"], down["name"] if down else "", heads, sides, table, tuple(marks)))
    return found


def _index(axes: Sequence[Mapping[str, Any]], at: Sequence[Any]) -> list[int]:
    return [list(axis["rows"]).index(row) for axis, row in zip(axes, at, strict=True)]


def _text(value: object) -> str:
    """Format a cell as one text."""
    if isinstance(value, list):
        return " ".join(" ".join(f"{k} {v}" for k, v in p.items()) if isinstance(p, dict) else str(p) for p in value)
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return str(value)


def odds_answer(context: ViewContext, game: Game, key: str, most: int, throws: int) -> TextAnswer:
    """Return the chances of an option's results; raise SetupError for an unknown key."""
    return _odds_lines(context, game, key, odds_of_option(context.rules, game, key, most=most, throws=throws))


def _odds_lines(context: ViewContext, game: Game, key: str, odds: Odds) -> TextAnswer:
    decision = game.decision
    option = next((o for o in decision.options if o.key == key), None) if decision is not None else None
    first, *lines = odds_lines(odds, context.lang)
    return text_answer(option.text(context.lang) if option is not None else first, lines)


def quick_odds(context: ViewContext, game: Game, key: str) -> TextAnswer | None:
    """Return the chances of an option's results if they are exact and cheap, else None.

    Raises SetupError for an unknown key.
    """
    odds = odds_of_option(context.rules, game, key, most=_QUICK, throws=1)
    return None if odds.throws else _odds_lines(context, game, key, odds)


def luck_answer(context: ViewContext, game: Game, luck: LuckService) -> TextAnswer:
    """Compare the dice rolled so far with their expectation."""
    return text_answer(context.words.say("luck"), luck_lines(luck.count_game(game), context.words))


def hint_of(context: ViewContext, game: Game, seats: Collection[str]) -> ShownHint:
    """Return what a bot would choose for the deciding seat, why, and what would probably come of it.

    Raises SetupError if none of these seats decides.
    """
    decision = game.decision
    if decision is None or decision.seat not in seats:
        raise SetupError("this decision belongs to another seat")
    found = compute_hint(game)
    assert found is not None
    name_index = NameIndex(game, context.words)
    option = found.chosen.option
    reasons = hint_reasons(found, game, name_index)
    others = reasons[len(reasons) - len(found.others) :] if len(reasons) > 1 else []
    for n, other in enumerate(others):  # what would come of the others, beside what comes of this one
        chances = _loss_lines(context, game, found.others[n].option.key)
        reasons[len(reasons) - len(others) + n] = context.words.parted([other, *chances])
    preview = preview_of(context, game, option.key).lines
    told = answer_lines([*preview, *reasons])
    return ShownHint(
        option.key, option_words(option, name_index), option.cite, tuple(replace(one, depth=0) for one in told)
    )


def preview_of(context: ViewContext, game: Game, key: str) -> OptionPreview:
    """Preview an option's results in few lines; raise SetupError for an unknown key."""
    decision = game.decision
    if decision is not None and any(option.is_step and option.key == key for option in decision.options):
        return OptionPreview(())  # a step decides nothing yet
    odds = odds_of_option(context.rules, game, key, most=_QUICK, throws=_THROWS, valued=False)
    if not odds.throws and len(odds.results) < 2:
        return OptionPreview(())
    return OptionPreview((*_charts_read_by(context, game, key), *_loss_chances(context, odds)))


def _loss_lines(context: ViewContext, game: Game, key: str) -> list[str]:
    """Return how likely each side is to lose something by an option; [] for a step, or if nothing is rolled."""
    decision = game.decision
    if decision is None or any(option.is_step and option.key == key for option in decision.options):
        return []
    odds = odds_of_option(context.rules, game, key, most=_QUICK, throws=_THROWS, valued=False)
    return _loss_chances(context, odds) if odds.throws or len(odds.results) > 1 else []


def _charts_read_by(context: ViewContext, game: Game, key: str) -> list[str]:
    """Return the odds charts that an option would read, with the known part of each row, or the remaining charts."""
    program, words, form = context.rules.program, context.words, context.rules.form("ledger")
    first: list[str] = []
    others: list[str] = []
    for name, table in program.data["tables"].items():
        found = find_readings(form, game, name, (key,))
        data = chart_data(program, name, context.lang)
        told = settled_words(data, found, context.lang, words.say) if found else ""
        if told:
            has_odds = any(axis["sort"] == "ratio" for axis in table["axes"])
            (first if has_odds else others).append(words.about(data["label"] or name.replace("_", " "), told))
    return (first or others)[:_MOST_READ]


def _loss_chances(context: ViewContext, odds: Odds) -> list[str]:
    """Return how likely each side is to lose pieces or steps, the likeliest first."""
    words, loses = context.words, dict[int, Fraction]()
    for result in odds.results:
        for side in {side for side, _name, amount in result.outcome.losses if amount > 0 and side >= 0}:
            loses[side] = loses.get(side, Fraction(0)) + result.probability
    ids = context.rules.program.ids["side"]
    return [
        words.say(
            "{side} loses something: {share}",
            side=words.thing("side", ids[side]),
            share=format_probability(odds, p).split()[0],
        )
        for side, p in sorted(loses.items(), key=lambda one: (-one[1], one[0]))
    ]
