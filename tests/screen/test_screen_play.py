"""Games on the full screen: chosen on the map, in the list and in the line; what is shown; sizes and languages."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.saves.journal import read_journal
from interpreter.saves.storage import count_decisions
from interpreter.ui.tui.app import has_light_background
from interpreter.ui.tui.background_tasks import OverlayMade, ReasonsFound, SheetMade
from interpreter.ui.tui.messages import NewsMessage, SceneMessage
from interpreter.ui.tui.widgets import OptionList, TextView
from interpreter.view_model.answer_records import Overlay
from interpreter.view_model.queries.overlay_queries import list_overlay_names
from tests.docs import blocks
from tests.screen.headless import screen

pytestmark = pytest.mark.anyio


def texts(board) -> list[str]:
    """Return the list of orders."""
    return board.app.query_one("#orders", OptionList).texts


async def test_order_is_given_on_map_alone() -> None:
    """Check moving a piece: Tab to it, Enter to pick it up, arrows to a place in reach, Enter to put it there."""
    async with screen("denain-1712", (120, 40)) as board:
        app = board.app
        await board.press("tab")
        here = app.map_cursor.cursor
        await board.press("enter")
        piece = app.order_entry.selection.piece
        assert piece
        assert all(piece in option.pieces for option in app.order_entry.list_options())
        goals = {option.places[-1] for option in app.order_entry.list_options() if option.places}
        pointed = app.order_entry.build_highlights()
        assert set(pointed.reach) == goals and pointed.picked == piece
        near = sorted(goals & app.map_cursor.neighbours[here])
        ways = {}
        for key in ("up", "down", "left", "right"):
            await board.press(key)
            ways[app.map_cursor.cursor] = key
            app.move_cursor(here)
        goal = next(place for place in near if place in ways)
        await board.press(ways[goal], "enter")
        assert len(board.keys()) == 1 and goal in board.keys()[0]
        assert next(p for p in app.game_view.pieces if p.id == piece).place == goal


async def test_list_is_walked_and_its_order_taken() -> None:
    async with screen("napoleon", (100, 34)) as board:
        app = board.app
        assert app.order_entry.selection.row == 0, "a question that has nothing to do with the map points at the list"
        await board.press("up")
        last = app.order_entry.list_options()[-1]
        assert app.order_entry.get_selected_option() == last
        await board.press("enter")
        assert board.keys() == [last.key]
        assert last.label in "\n".join(board.seen()) or "units move" in texts(board)[0]
        await board.press("ctrl+z")
        assert board.keys() == []


async def test_typed_commands_are_those_of_prompt() -> None:
    async with screen("napoleon", (80, 24)) as board:
        talk = board.app.query_one("#talk", TextView)
        await board.type("look france")
        assert any("touches" in line for line in talk.lines)
        assert board.app.panels.shown == "talk", "on a small window the answer is shown"
        await board.type("5")
        assert board.keys() == ["move_combat"]
        await board.type("no such thing")
        assert board.keys() == ["move_combat"]
        assert "no such thing" in talk.lines[-1]
        await board.pilot.press("r", "u", "l", "tab")
        assert board.app.line.value == "rule", "a word is completed"
        await board.press("escape")
        await board.pilot.press("up")
        assert board.app.line.value == "", "with an empty line the arrow keys steer the map"


async def test_clear_key_empties_log_and_shows_options() -> None:
    async with screen("napoleon", (120, 40)) as board:
        talk = board.app.query_one("#talk", TextView)
        await board.type("look france")
        assert any("touches" in line for line in talk.lines)
        await board.press("ctrl+l")
        assert not any("touches" in line for line in talk.lines)
        assert any("which activity?" in line for line in talk.lines)


async def test_overlay_without_anything_to_show_says_so() -> None:
    async with screen("napoleon", (120, 40)) as board:
        board.app.post_message(OverlayMade(Overlay("x", "sight", (), (), ())))
        await board.until(lambda: any("nothing to show now" in line for line in board.seen()))
        assert any("sight" in line and "nothing to show now" in line for line in board.seen())


async def test_question_that_is_answered_by_yes_or_no_is_seen() -> None:
    async with screen("napoleon", (80, 24)) as board:
        await board.type("move and fight")
        before = board.keys()
        await board.type("done")
        assert not board.app.prompt.endswith("> ")
        assert any("(yes or no)" in line for line in board.seen())
        await board.type("no")
        assert board.keys() == before
        assert board.app.prompt.endswith("> ")


async def test_briefing_names_players_of_other_seats() -> None:
    async with screen("napoleon", (120, 40)) as board:
        told = " ".join(await board.sheet("against"))
        assert any(f"{player})" in told for player in ("human", "random", "greedy")), told


async def test_panels_show_of_order_pointed_at() -> None:
    async with screen("napoleon", (130, 45)) as board:
        await board.press("f7")
        option = board.app.order_entry.get_selected_option()
        lines = await board.sheet(option.cite[0])
        assert lines[0].startswith(option.cite[0])
        await board.press("f6")
        first = await board.sheet("F6")
        await board.press("f6")
        second = await board.sheet(board.app.port.static_view.charts[1][1])
        assert first[0] != second[0]
        await board.press("f5")
        await board.sheet("100.00%")
        await board.press("f8")
        assert any("morale" in line for line in await board.sheet(board.app.game_view.heading))
        await board.press("f1")
        told = "\n".join(await board.sheet("--brief"))
        for sign, words in board.app.background.legend:
            assert sign in told and words in told
        await board.press("down", "enter", "f4")
        assert board.app.game_view.log[-1].text in "\n".join(await board.sheet(board.app.game_view.log[-1].text))


@pytest.mark.parametrize(
    ("ruleset", "size"),
    [("napoleon", (80, 24)), ("napoleon", (40, 12)), ("denain-1712", (160, 50)), ("denain-1712", (40, 12))],
)
async def test_every_zoom_fits_every_window(ruleset: str, size: tuple[int, int]) -> None:
    async with screen(ruleset, size) as board:
        for _ in range(4):
            await board.press("minus")
        for zoom in range(4):
            assert board.app.map_cursor.zoom == zoom
            rows = board.map_rows()
            assert rows and {measure_cells(row) for row in rows} == {board.app.map.size.width}
            seen = board.seen()
            assert len(seen) == size[1] and {measure_cells(row) for row in seen} == {size[0]}
            cursor = board.app.map_cursor.get_layout(zoom).spots[board.app.map_cursor.cursor]
            left, top = board.app.map.scroll_offset
            x, y, _ = cursor.rows[0]
            assert 0 <= y - top < board.app.map.size.height, "the cursor is in sight"
            assert 0 <= x - left < board.app.map.size.width
            await board.press("plus")
        await board.pilot.resize_terminal(100, 30)
        await board.pilot.pause()
        assert len(board.seen()[0]) == 100
        await board.press("f9")
        alone = board.app.map.size.height
        await board.press("f9")
        assert alone >= board.app.map.size.height


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_map_alone_gives_room_to_question_refusal_and_requested_panel(size: tuple[int, int]) -> None:
    async with screen("napoleon", size) as board:
        await board.type("move and fight")
        for keys in (["end"], ["n", "o", "n", "o", "enter"], ["f4"]):
            await board.press("f9")
            assert board.app.screen.has_class("alone")
            await board.press(*keys)
            await board.pilot.pause()
            assert not board.app.screen.has_class("alone"), keys


def test_signs_accompany_colours_and_can_be_plain() -> None:
    async def play(is_plain: bool) -> str:
        async with screen("denain-1712", (160, 60), plain_signs=is_plain) as board:
            return "\n".join(board.map_rows())

    signs, plain = asyncio.run(play(False)), asyncio.run(play(True))
    assert re.search("[↑↗→↘↓↙←↖]", signs)
    assert plain.isascii()
    for sign in ("~", "#", "!", "F", "A", "["):
        assert sign in plain


async def test_click_points_and_second_one_takes() -> None:
    async with screen("denain-1712", (120, 40)) as board:
        app = board.app
        await board.press("tab")
        place = app.map_cursor.cursor
        app.move_cursor(next(iter(app.map_cursor.neighbours[place])))
        await board.pilot.pause()
        x, y, _ = app.map_cursor.get_layout(app.map_cursor.zoom).spots[place].rows[0]
        left, top = app.map.scroll_offset
        await board.pilot.click("#map", offset=(x - left, y - top))
        assert app.map_cursor.cursor == place and not app.order_entry.selection.piece
        await board.pilot.click("#map", offset=(x - left, y - top))
        assert app.order_entry.selection.piece
        orders = app.query_one("#orders", OptionList)
        row = next(n for n, (_, number) in enumerate(orders._shown) if number == 0)
        key = app.order_entry.list_options()[0].key
        await board.pilot.click("#orders", offset=(4, row - orders.scroll_offset.y))
        await board.settle()
        assert board.keys() == [key]


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
async def test_japanese_text_fills_whole_cells(ruleset: str) -> None:
    async with screen(ruleset, (120, 40), lang="ja") as board:
        for key in ("f1", "f8", "tab", "enter"):
            await board.press(key)
            seen = board.seen()
            assert {measure_cells(row) for row in seen} == {120}
        told = "\n".join(board.seen())
        assert "記録" in told and "命令" in told
        assert not re.search(r"[a-z]{4,} [a-z]{3,} [a-z]{3,}", told), "English among the Japanese"


@pytest.mark.parametrize("page", ["tutorial.md", "hexes.md", "documents.md"])
async def test_games_of_guide_need_no_word_added(page: str, tmp_path: Path) -> None:
    """The first option of the list again and again; counters and places are seen."""
    async with screen(str(blocks.write_all(page, tmp_path)), (130, 40)) as board:
        for _ in range(6):
            if board.session.game.over:
                break
            before = board.keys()
            await board.press("f2", "enter")
            assert board.session.game.over or board.keys() != before
        rows = "\n".join(board.map_rows())
        for side in board.app.port.static_view.sides:
            assert any(piece.side == side.id for piece in board.app.game_view.pieces) <= (side.letter in rows)


async def test_bots_play_on_until_end_and_last_picture_stays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    bots = {"france": "random", "allies": "random"}
    async with screen("napoleon", (100, 30), bots=bots, path=path) as board:
        assert board.session.game.over
        assert board.app.is_running
        await board.until(lambda: board.app.game_view is not None and bool(board.app.game_view.outcome))
        assert any(line in "\n".join(board.seen()) for line in board.app.game_view.outcome)
    assert count_decisions(read_journal(path)) == len(board.keys())


async def test_leaving_stops_sitting_and_keeps_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    async with screen("napoleon", (100, 30), path=path) as board:
        await board.press("enter")
        chosen = board.keys()
        assert len(chosen) == 1
        await board.pilot.press("ctrl+q")
    assert board.keys() == chosen
    assert count_decisions(read_journal(path)) == 1
    board.session.context.screen.write(["told afterwards"])
    assert board.plain.written == ["Told afterwards"]


async def test_dice_rolled_at_table_are_typed_in_line() -> None:
    """While a roll is asked for, the list chooses nothing: the choice before is still being carried out."""
    async with screen("napoleon", (100, 34), is_asked=True) as board:
        app = board.app
        for _ in range(40):
            if not app.is_suspended:
                break
            await board.press("f2", "enter")
        assert not app.is_suspended, "nothing was rolled"
        before = board.keys()
        for name in ("f5", "f6", "f2"):
            await board.press(name)
        await board.press("enter")
        assert board.keys() == before and not app.is_suspended
        for _ in range(9):
            if app.is_suspended:
                break
            await board.type("3")
        assert app.is_suspended and len(board.keys()) > len(before)


async def test_tab_goes_through_reach_and_point_gives_order_again() -> None:
    """Enter, Tab, Enter is a whole march; `.` sends the next one as far in the same direction."""
    async with screen("denain-1712", (120, 40)) as board:
        app = board.app
        await board.press("tab", "enter")
        piece = app.order_entry.selection.piece
        start = next(p.place for p in app.game_view.pieces if p.id == piece)
        assert app.order_entry.build_highlights().reach
        await board.press("tab")
        enemies = {p.place for p in app.game_view.pieces if p.at and p.side != app.game_view.decision.side}
        nearest = app.map_cursor.list_nearest(list(app.order_entry.build_highlights().reach), start, enemies)
        assert app.map_cursor.cursor == nearest[0]
        await board.press("tab")
        assert app.map_cursor.cursor == nearest[1]
        await board.press("shift+tab", "enter")
        assert (
            len(board.keys()) == 1
            and app.order_entry.last_order.start == start
            and app.order_entry.last_order.goal == nearest[0]
        )
        able = {p.place for p in app.game_view.pieces if p.orderable}
        assert app.map_cursor.cursor in able, "the cursor stands where the next one can act"
        for _ in range(30):
            before = len(board.keys())
            await board.press("full_stop")
            if len(board.keys()) > before:
                break
            await board.press("escape", "tab")
        name, second = board.keys()[-1].partition("(")[0], board.keys()[-1]
        assert name == board.keys()[0].partition("(")[0] and piece not in second


async def test_tab_prefers_places_towards_enemy() -> None:
    async with screen("denain-1712", (120, 40)) as board:
        pointer = board.app.map_cursor
        around = [place for place in pointer.neighbours["1610"] if place in pointer.order]
        assert pointer.list_nearest(around, "1610", ["1712"])[0] in pointer.neighbours["1611"] | {"1611"}
        assert pointer.list_nearest(around, "1610", ["1508"])[0] in pointer.neighbours["1509"] | {"1509"}


async def test_setup_opens_on_counters_and_ends_at_second_end() -> None:
    async with screen("denain-1712", (120, 40)) as board:
        app = board.app
        own = [p for p in app.game_view.pieces if p.at and p.side == app.game_view.decision.side]
        await board.until(lambda: app.map.scroll_offset.y > 0)
        plan, (left, top) = app.map_cursor.get_layout(app.map_cursor.zoom), app.map.scroll_offset
        seen = [p for p in own if left <= plan.spots[p.place].middle[0] < left + app.map.size.width]
        seen = [p for p in seen if top <= plan.spots[p.place].middle[1] < top + app.map.size.height]
        assert len(seen) > 0.9 * len(own), "the map does not open on empty ground"
        await board.press("end")
        assert not board.keys() and app.prompt
        await board.press("end")
        assert board.keys() == ["done"]


async def test_map_follows_side_that_decides_without_its_counters() -> None:
    async with screen("napoleon", (120, 40)) as board:
        app = board.app
        for _ in range(3):
            side = app.game_view.decision.side
            here = {p.side for p in app.game_view.pieces if p.place == app.map_cursor.cursor}
            assert side in here
            await board.type("do nothing")


async def test_line_below_map_shows_obstacles_and_reachability() -> None:
    async def told(board, wanted: str) -> str:
        from textual.widgets import Static

        def text() -> str:
            return str(board.app.query_one("#place", Static).render())

        await board.until(lambda: wanted in text())
        return text()

    async with screen("denain-1712", (140, 40)) as board:
        app = board.app
        app.move_cursor("1313")
        assert "Navarre" in await told(board, "can reach this place now")
        app.move_cursor("1312")
        await board.press("enter")
        assert app.order_entry.selection.piece == "navarre"
        app.move_cursor("2012")
        await told(board, "2012")
        names = [name for name, *_ in list_overlay_names(app.port.context)]
        for _ in range(names.index("sees") + 1):
            await board.press("ctrl+o")
        await board.until(lambda: app.order_entry.overlay is not None and app.order_entry.overlay.id == "sees")
        assert app.port.context.localizer.data["between"] and app.order_entry.overlay.marks
        assert "*F" in "\n".join(board.map_rows())
        app.move_cursor("2212")
        assert "[10.2-d]" in await told(board, "line of sight")


async def test_single_key_ends_row_and_sends_all() -> None:
    async with screen("denain-1712", (120, 40), played=3) as board:
        app = board.app
        for _ in range(60):
            if app.game_view.decision is not None and any("go" == o.name for o in app.game_view.decision.options):
                break
            await board.press("end")
            if not app.prompt.endswith("> "):
                await board.type("yes")
            elif app.order_entry.selection.row >= 0:
                await board.press("enter")
        before, places = len(board.keys()), {p.id: p.place for p in app.game_view.pieces}
        asked = app.game_view.decision.prompt
        offered = {piece for option in app.game_view.decision.options for piece in option.pieces}
        await board.press("greater_than_sign")
        moved = [p.id for p in app.game_view.pieces if p.place != places[p.id]]
        assert len(board.keys()) > before and len(moved) > 1
        assert app.game_view.decision.prompt == asked or offered <= set(moved), "who can still go is not passed over"
        await board.press("ctrl+z")
        assert len(board.keys()) == before, "all of it is taken back at once"


async def test_result_after_leaving_screen_is_dropped() -> None:
    async with screen("napoleon", (80, 24)) as board:
        app, moment = board.app, board.app.game_view
    assert moment is not None and not app.is_running
    app.on_news_message(NewsMessage(["late"]))
    app.on_scene_message(SceneMessage(replace(moment, version=moment.version + "x"), app.background))
    app.on_sheet_made(SheetMade(app.panels.sheet, ["late"]))
    app.on_reasons_found(ReasonsFound(app.map_cursor.cursor, ["late"]))
    app.on_overlay_made(OverlayMade(None))
    assert app.game_view is moment


async def test_small_window_shows_result_of_own_roll_and_its_card() -> None:
    async with screen("denain-1712", (80, 24), seed=4, bots={"allied": "greedy"}) as board:
        seen = board.seen()
        assert any(row.endswith("v") for row in seen[-9:-2]), "the briefing goes on below"
        await board.until(lambda: "PgDn" in board.seen()[-1])
        await board.type("done anyway")
        await board.press("f2", "enter")
        log = board.app.game_view.log
        last = next(line.text for line in reversed(log) if line.kind in ("event", "change"))
        news = board.app.query_one("#news").text
        assert news.startswith(last) and last[:60] in "\n".join(board.seen())
        await board.press("ctrl+b")
        card = await board.sheet("= ")
        assert f"= {last}" in card[:4] and f"= {last}"[:60] in "\n".join(board.seen())


async def test_order_on_map_takes_group_of_equal_pieces() -> None:
    async with screen("napoleon", (80, 24)) as board:
        await board.type("move and fight")
        app = board.app
        await board.press("escape", "enter", "tab")
        assert app.order_entry.selection.piece and app.map_cursor.cursor in app.order_entry.reach
        await board.press("enter")
        assert not any("does not match" in line for line in app.talk.lines)
        assert app.panels.shown == "talk", "the ways there are listed"
        for _ in range(2):  # how many, and which way
            await board.type("1")
        assert len(board.keys()) > 1


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_cut_rows_say_so_and_recap_shows_where(size: tuple[int, int]) -> None:
    async with screen("denain-1712", size, seed=4, bots={"allied": "greedy"}) as board:
        app = board.app
        app.rows.set_text("news", "word " * 100)
        await board.pilot.pause()
        assert any("... F4" in row for row in board.seen())
        await board.type("done anyway")
        await board.press("f2", "enter")
        await board.press("f2", "enter")
        await board.pilot.press("ctrl+r")
        await board.until(lambda: app.recap.is_open)
        shown, cursors = app.recap.shown, []
        while True:
            if on_map := [place for place in shown.places if place in app.map_cursor.order]:
                cursors.append((app.map_cursor.cursor, on_map[-1]))
            assert shown.game_view.heading in board.seen()[0]
            if shown.number + 1 == shown.total:
                break
            await board.pilot.press("right")
            await board.until(lambda n=shown.number: app.recap.shown.number > n)
            shown = app.recap.shown
        assert cursors, "no step has a place"
        assert all(cursor == place for cursor, place in cursors)


def test_terminal_with_light_background_gets_light_panels(monkeypatch) -> None:
    for value, is_light in (("0;15", True), ("15;0", False), ("", False)):
        monkeypatch.setenv("COLORFGBG", value)
        assert has_light_background() is is_light


async def test_question_that_does_not_fit_begins_at_top_of_messages() -> None:
    async with screen("napoleon", (80, 24), bots={"allies": "random"}) as board:
        for line in ("move and fight", "go 10 austria", "yes"):
            await board.type(line)
        talk = board.app.query_one("#talk", TextView)
        assert board.app.panels.shown == "talk" and talk.has_more
        rows = [talk.render_line(n).text for n in range(talk.size.height)]
        assert "which units remain" in rows[0]


async def test_cursor_moves_to_place_of_battle() -> None:
    async with screen("napoleon", (80, 24), bots={"allies": "random"}) as board:
        for line in ("move and fight", "go 10 austria", "yes"):
            await board.type(line)
        assert board.app.map_cursor.cursor == "austria"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_escape_closes_help(size) -> None:
    async with screen("denain-1712", size) as board:
        await board.press("f1")
        assert board.app.panels.is_sheet("help")
        await board.press("escape")
        assert board.app.panels.sheet == "here" and board.app.panels.shown == "orders"
