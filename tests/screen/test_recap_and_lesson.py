"""The full screen beside play: where it opens, what others did step by step, and a lesson."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from interpreter.api.game import load
from interpreter.players.bots.registry import make_bots
from interpreter.ui.tui.background_tasks import BackgroundTasks, find_card
from interpreter.ui.tui.recap_player import RecapPlayer
from interpreter.view_model.queries.card_queries import build_card
from interpreter.view_model.view_context import build_view_context
from tests.screen.headless import screen

pytestmark = pytest.mark.anyio


def _news(board) -> str:
    return board.app.query_one("#news").text


async def test_recap_steps_through_moves_of_others_and_returns() -> None:
    async with screen("napoleon", (120, 40), bots={"allies": "greedy"}) as board:
        app = board.app
        await board.type("move_combat")
        await board.type("done anyway")
        await board.until(lambda: bool(app.prompt))
        present = app.game_view
        here = app.map_cursor.cursor
        await board.pilot.press("ctrl+r")
        await board.until(lambda: app.recap.is_open)
        total = int(_news(board).split(" of ")[1].split(":")[0])
        assert _news(board).startswith("1 of ") and total > 1
        for number in range(2, total + 2):
            await board.pilot.press("right")
            await board.until(lambda n=number: _news(board).startswith(f"{min(n, total)} of "))
        await board.pilot.press("left")
        await board.until(lambda: _news(board).startswith(f"{total - 1} of "))
        await board.pilot.press("escape")
        await board.until(lambda: not app.recap.is_open)
        assert app.game_view is present and app.map_cursor.cursor == here
        assert not _news(board).startswith(f"{total - 1} of ")


async def test_lesson_is_read_with_enter_and_refuses_other_orders() -> None:
    async with screen("napoleon", (80, 24), taught=True) as board:
        app, course = board.app, board.session.guide.course
        assert any("Step 1 of" in line for line in board.seen()), "its text is in sight in a small window"
        while app.port.lesson() != "order":
            number = course.number
            if course.step.look is not None:
                app.map_cursor.move_to(course.step.look.id)
            await board.press("enter")
            await board.until(lambda n=number: course.number > n and bool(app.prompt))
        made, before = len(board.session.game.keys), course.number
        for key in ("down", "end"):
            await board.press(key)
        assert course.number == before and len(board.session.game.keys) == made
        await board.type("show me")
        assert any("Type" in line for line in app.talk.lines[-3:])


async def test_small_window_opens_with_cursor_in_view() -> None:
    async with screen("denain-1712", (80, 24), played=2) as board:
        await board.until(lambda: any(f"[{board.app.map_cursor.cursor}" in row for row in board.map_rows()))


def test_recap_and_card_show_battle_that_march_led_to() -> None:
    """Regression: the recap and the card of the last roll showed the rolls of the march."""
    rules = load("napoleon")
    game, context = rules.start(seed=3), build_view_context(rules)
    bots = make_bots(dict.fromkeys(rules.program.ids["seat"], "greedy"), 1)
    while game.decision is not None and len(game.keys) < 120:
        game.pick(bots[game.decision.seat].choose(game))
    march = build_card(context, game, 120)
    assert march.title.startswith("march") and march.following == (120, 1)
    last = find_card(context, game)
    assert last.title == "fight: Austria" and find_card(context, game, last.previous) == march
    port = SimpleNamespace(context=context, bots=list)
    frame = RecapPlayer(BackgroundTasks(None, port, None))._compute_frame(game, 99)
    assert frame is not None and frame.item.number == 120
    assert frame.lines[0] == "Fight: Austria"
