"""Queries about resolutions, past and future: ledger, odds, previews, and charts with the cells that were read.

Works on copies, which never use the game's own future dice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.i18n.translator import get_error_message
from interpreter.play.ledger import build_last_ledger, collect_read_cells, count_choices_since_roll, explain_last_choice
from interpreter.play.ledger_lines import format_ledger
from interpreter.players.orders.matching import get_kind
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.decisions import Option
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.chart_view import ChartView, build_program_chart
from interpreter.tools.odds.odds_lines import format_odds, format_share
from interpreter.tools.odds.reading_marks import describe_settled_rows, mark_readings
from interpreter.tools.odds.readings import OPTIONS, find_readings
from interpreter.tools.odds.resolution import Odds, OddsResult, compute_option_odds
from interpreter.tools.odds.results import is_loss

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game
    from interpreter.play.lines import TextLine
    from interpreter.runtime.localizer import Localizer

_MAX_QUICK_POSITIONS, _SAMPLES = 1_500, 250  # most positions enumerated for a preview, else samples
_MAX_POSITIONS = 8_000  # most positions enumerated for a question of a player
_MAX_PLACES = 3  # places whose changes are listed
_MAX_CHARTS = 2  # charts named in a preview

_SidePlace = tuple[str, str]  # ids of a side and of a place, '' for anywhere


@dataclass(frozen=True, slots=True)
class MarkedChart:
    """A chart with marked cells, and lines that explain the marks."""

    view: ChartView
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """Lines that tell how a choice was resolved.

    `is_earlier`: it is a choice before the last one, because the last one neither rolled nor read a chart.
    """

    lines: Sequence[TextLine]
    is_earlier: bool = False


def find_last_resolution(rules: Rules, game: Game, localizer: Localizer) -> Resolution:
    """Return the lines that explain how the last choice was resolved.

    If it neither rolled nor read a chart, explain the last choice that rolled dice. If there is none, or the choice
    cannot be explained, return one line that says so.
    """
    form = rules.form("ledger")
    try:
        entries, back = explain_last_choice(game, form)
    except SetupError as problem:
        return Resolution([localizer.say(get_error_message(problem))])
    if not entries:
        return Resolution([localizer.say("the last choice used no dice and no tables")])
    return Resolution(format_ledger(form, entries, localizer.lang), back > 0)


def list_cells_read(rules: Rules, game: Game, since_roll: bool = False) -> Mapping[str, Collection[tuple[int, ...]]]:
    """Return the cells that the last choice read, as row indices, by table.

    `since_roll`: return instead the cells read by the last choice that rolled dice.
    """
    back = count_choices_since_roll(game) or 0 if since_roll else 0
    try:
        entries = build_last_ledger(game, rules.form("ledger"), back)
    except SetupError:
        return {}
    return collect_read_cells(rules.program, entries)


def build_options_chart(
    rules: Rules, game: Game, localizer: Localizer, table: str, keys: Sequence[str] = ()
) -> MarkedChart:
    """Return a chart with the cells marked that the options with these keys, or all options, would read.

    If no option would read it, the cells that the last choice read are marked. Raises SetupError for an unknown key.
    """
    say, view = localizer.say, build_program_chart(rules.program, table, localizer.lang)
    readings = find_readings(rules.form("ledger"), game, table, keys)
    cells: Collection[tuple[int, ...]] = ()
    if readings:
        marks = mark_readings(view, readings, localizer.lang, say)
        cells, lines = marks.cells, list(marks.lines)
    elif keys:
        lines = [say("no brackets: the named options do not read this table")]
    else:
        cells = list_cells_read(rules, game).get(table, ())
        lines = [say("in brackets: cells read by the last choice")]
        if not cells:
            lines = [say("no brackets: neither the current options nor the last choice read this table")]
    number = 0 if keys or game.decision is None else game.count()
    if number > OPTIONS:
        lines.append(
            say(
                "(examined {looked} of {number} options; `table {name} for OPTION` examines one)",
                number=number,
                looked=OPTIONS,
                name=table,
            )
        )
    return MarkedChart(replace(view, lit=frozenset(cells)), tuple(lines))


def format_option_odds(game: Game, key: str, odds: Odds, lang: str) -> tuple[str, Sequence[str]]:
    """Return (text of the option `key`, lines with its odds)."""
    first, *lines = format_odds(odds, lang)
    decision = game.decision
    option = next((o for o in decision.options if o.key == key), None) if decision is not None else None
    return (first if option is None else option.text(lang)), lines


def render_option_odds(
    rules: Rules, game: Game, key: str, lang: str, most: int = _MAX_POSITIONS, throws: int = _SAMPLES
) -> tuple[str, Sequence[str]]:
    """Return (text of the option `key`, lines with the chances of its results); raise SetupError for an unknown key.

    `most` and `throws` limit the exact computation and the sampling, as for `compute_option_odds`.
    """
    return format_option_odds(game, key, compute_option_odds(rules, game, key, most=most, throws=throws), lang)


def render_quick_odds(rules: Rules, game: Game, key: str, lang: str) -> tuple[str, Sequence[str]] | None:
    """Return (text of the option `key`, lines with the chances of its results), or None.

    None means that the chances cannot be computed exactly at little cost.
    """
    odds = compute_option_odds(rules, game, key, most=_MAX_QUICK_POSITIONS, throws=1)
    return None if odds.throws else format_option_odds(game, key, odds, lang)


def preview_option(rules: Rules, game: Game, key: str, localizer: Localizer) -> Sequence[str]:
    """Return the likely results of an option in few lines; raise SetupError for an unknown key."""
    odds = _compute_quick_odds(rules, game, key)
    if odds is None:
        return ()
    return (
        *_render_charts_read(rules, game, key, localizer),
        *_render_loss_chances(rules, game, key, odds, localizer),
        *_render_place_chances(game, key, odds, localizer),
    )


def format_losses(rules: Rules, game: Game, key: str, localizer: Localizer) -> Sequence[str]:
    """Return each side's probability of losing something by an option; () for a step or without dice."""
    odds = None if game.decision is None else _compute_quick_odds(rules, game, key)
    return () if odds is None else _render_loss_chances(rules, game, key, odds, localizer)


def _compute_quick_odds(rules: Rules, game: Game, key: str) -> Odds | None:
    """Return the chances of an option's results, or None for a step, which decides nothing yet, or a sole result."""
    decision = game.decision
    if decision is not None and any(option.is_step and option.key == key for option in decision.options):
        return None
    odds = compute_option_odds(rules, game, key, most=_MAX_QUICK_POSITIONS, throws=_SAMPLES, valued=False)
    return odds if odds.throws or len(odds.results) > 1 else None


def _render_charts_read(rules: Rules, game: Game, key: str, localizer: Localizer) -> list[str]:
    """Return a line for each odds chart that the option `key` would read, with its settled rows or columns.

    If it would read no odds chart, the lines are about the other charts that it would read.
    """
    first: list[str] = []
    without_odds: list[str] = []
    for name, chart in rules.program.charts.items():
        readings = find_readings(rules.form("ledger"), game, name, (key,))
        view = build_program_chart(rules.program, name, localizer.lang)
        text = describe_settled_rows(view, readings, localizer.lang, localizer.say) if readings else ""
        if text:
            has_odds = any(axis.sort == "ratio" for axis in chart.axes)
            (first if has_odds else without_odds).append(localizer.prefix_topic(view.title, text))
    return (first or without_odds)[:_MAX_CHARTS]


def _render_loss_chances(rules: Rules, game: Game, key: str, odds: Odds, localizer: Localizer) -> list[str]:
    """Return lines with the probability that each side loses pieces or steps, most probable first.

    If an opponent may lose pieces elsewhere than at the places that the option names, as in another fight that follows
    at once, there is a line for each side and place.
    """
    by_side: dict[_SidePlace, Fraction] = defaultdict(Fraction)
    by_place: dict[_SidePlace, Fraction] = defaultdict(Fraction)
    ids = rules.program.ids["side"]
    for result in odds.results:
        sides = {ids[side] for side, _name, amount in result.outcome.losses if amount > 0 and side >= 0}
        for side in sides:
            by_side[side, ""] += result.probability
        for side_place in _list_places_of_losses(game, result, sides):
            by_place[side_place] += result.probability
    decision, named_places = game.decision, _list_named_places(game, key)
    is_elsewhere = (
        decision is not None
        and bool(named_places)
        and any(side != decision.side and place not in named_places for side, place in by_place)
    )
    chances = by_place if is_elsewhere else by_side
    lines = []
    for (side, place), p in sorted(chances.items(), key=lambda item: (-item[1], item[0])):
        who = localizer.get_thing_name("side", side)
        if place:
            who = localizer.say("{side} in {place}", side=who, place=localizer.get_thing_name("place", place))
        lines.append(
            localizer.say("chance of losses, {side}: {share}", side=who, share=format_share(odds, p, localizer))
        )
    return lines


def _render_place_chances(game: Game, key: str, odds: Odds, localizer: Localizer) -> list[str]:
    """Return lines with the probable changes of places that the option does not name, most probable first.

    They show the target of an order whose arguments do not name it. Certain changes are left out.
    """
    program, named_places = game.program, _list_named_places(game, key)
    attributes, changed = program.kinds["place"]["attributes"], defaultdict[tuple[int, str, object], Fraction](Fraction)
    for result in odds.results:
        for kind, handle, name, _was, now, _count in result.outcome.changes:
            if kind == "place" and attributes[name]["told"] and program.ids["place"][handle] not in named_places:
                changed[handle, name, now] += result.probability
    likely = sorted(((p, change) for change, p in changed.items() if p < 1), key=lambda item: (-item[0], item[1][:2]))
    lines = []
    for p, (handle, name, now) in likely[:_MAX_PLACES]:
        attribute = attributes[name]
        label, text = localizer.translate_attribute(attribute), localizer.format_value(attribute["show"], now)
        lines.append(
            localizer.say(
                "chance in {place}, {what}: {share}",
                place=localizer.get_name_by_handle("place", handle),
                what=label if now is True else localizer.prefix_topic(label, text),
                share=format_share(odds, p, localizer),
            )
        )
    return lines


def _list_places_of_losses(game: Game, result: OddsResult, sides: Collection[str]) -> set[_SidePlace]:
    """Return (side, place) of the pieces of these sides that a result eliminates or lowers."""
    program, state = game.program, game.state
    places = set()
    for kind, handle, name, was, now, _count in result.outcome.changes:
        side = find_side_of_thing(state, "piece", handle) if kind == "piece" else ""
        if side in sides and is_loss(program, name, was, now):
            places.add((side, program.ids["place"][state.at[handle]]))
    return places


def _list_named_places(game: Game, key: str) -> set[str]:
    """Return the ids of the places among the arguments of an option."""
    decision = game.decision
    raw = decision.find(key) if decision is not None else None
    if decision is None or raw is None:
        return set()
    option = Option(decision, raw)
    shows = option.shows
    return {v for name, v in option.args.items() if isinstance(v, str) and get_kind(shows.get(name, ())) == "place"}
