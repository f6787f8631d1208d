"""Texts of the full screen's panels: the card of a roll, what others did, and where the map opens."""

from __future__ import annotations

from interpreter.api.game import load
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.log_entries import LoggedRoll
from interpreter.ui.tui.background_tasks import find_card
from interpreter.ui.tui.panel_texts import format_news, render_card_sheet, render_log_sheet
from interpreter.ui.tui.selection import find_front
from interpreter.view_model.dynamic_view import ViewBuilder, Viewer
from interpreter.view_model.view_context import build_view_context
from tests.recordings import assert_recorded


def test_panels_show_last_roll_and_recap() -> None:
    rules = load("denain-1712")
    stage, game = build_view_context(rules, ""), rules.start(seed=3)
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy"), 1)
    while not any(isinstance(raw, LoggedRoll) and raw.name == "melee" for raw in game.get_raw_log()):
        game.pick(bots[game.decision.seat].choose(game))
    lines = render_card_sheet(find_card(stage, game), stage.localizer)
    text = "\n".join(lines)
    assert lines[1].startswith("= "), "the result comes before the steps"
    assert "French: " in text and "Combat results table" in text and "[11.4-" in text
    seat = game.decision.seat
    view = ViewBuilder(stage).build_view(game, Viewer((seat,)), "1")
    lines = render_log_sheet(view, game, stage.localizer)
    assert_recorded(lines[0])
    assert render_log_sheet(view, None, stage.localizer)[0] == lines[lines.index("") + 1]


def test_news_tell_results_of_own_roll_and_of_answer_before_rolls() -> None:
    rules = load("denain-1712")
    stage, game = build_view_context(rules, ""), rules.start(seed=4)
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy"), 1)
    builder = ViewBuilder(stage)

    def view():
        return builder.build_view(game, Viewer((game.decision.seat,)), str(len(game.keys)))

    while not any(line.kind == "roll" for line in view().log):
        game.pick(bots[game.decision.seat].choose(game))
    log = view().log
    since = max(line.number for line in log if line.kind == "choice")
    told = format_news(view(), since, stage.localizer)
    rolled = next(line.text for line in log[since:] if line.kind == "roll")
    last = next(line.text for line in reversed(log) if line.kind in ("event", "change"))
    assert told.index(last) < told.index(rolled)
    assert format_news(view(), -1, stage.localizer) == told, "without a number, since the last choice"


def test_map_opens_at_orderable_piece_nearest_to_enemy() -> None:
    rules = load("denain-1712")
    stage, game = build_view_context(rules, ""), rules.start(seed=3)
    view = ViewBuilder(stage).build_view(game, Viewer(tuple(list_seats(game))), "1")
    middles = dict(zip(rules.program.ids["place"], map(stage.layout.middles.get, range(10_000)), strict=False))
    order = {place: n for n, (place, middle) in enumerate(middles.items()) if middle is not None}
    place = find_front(view, order, {name: middle for name, middle in middles.items() if middle is not None})
    here = [piece for piece in view.pieces if piece.place == place]
    assert any(piece.orderable for piece in here)
    x, y = middles[place]
    enemies = [middles[p.place] for p in view.pieces if p.at and p.side != here[0].side]
    assert min((a - x) ** 2 + (b - y) ** 2 for a, b in enemies) < 250**2, "a step or two from an enemy"
