"""Content of the form for a new game: scenarios, optional rules, seats and players, and how the current game began."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.api.game_code import GameCode
from interpreter.api.rules import Rules
from interpreter.players.bots.registry import BOTS, HUMAN
from interpreter.players.ownership import list_seats
from interpreter.runtime.localizer import Localizer
from interpreter.saves.recorder import build_header
from interpreter.ui.web.browser.local_game import StartDefaults
from interpreter.ui.web.served_game import ServedGame

_SEARCHES = ("search:50", "search:200")  # playouts; a browser makes a choice with 50 within a second
PLAYERS = (HUMAN, *(bot for bot in BOTS if bot != "search"), *_SEARCHES)


def build_start_form(rules: Rules, served: ServedGame, lang: str) -> dict[str, Any]:
    """Return the data of the form for a new game.

    The entry `now` holds the settings of the present game and the number of choices made in it.
    """
    data, localizer = rules.program.data, Localizer(rules.program, lang)
    header = build_header(served.game)
    return {
        "id": rules.id,
        "title": rules.title(lang),
        "about": localizer.translate_label(data["about"]),
        "scenarios": [
            {
                "id": scenario["id"],
                "name": localizer.translate_label(scenario["title"], scenario["id"]),
                "about": localizer.translate_label(scenario["about"]),
            }
            for scenario in data["scenarios"]
        ],
        "options": [_describe_option(option, localizer) for option in data["options"]],
        "players": [{"id": player, "name": localizer.format_player(player)} for player in PLAYERS],
        "now": {
            "scenario": header.scenario or served.game.scenario or "",
            "options": list(header.options),
            "players": dict(served.players),
            "choices": len(served.game.keys),
        },
        "has_lesson": served.has_lesson,
        "is_lesson": served.lesson is not None,
    }


def list_seats_for(rules: Rules, defaults: StartDefaults, game_code: GameCode, lang: str) -> list[dict[str, str]]:
    """Return id, name and default player of each seat of a new game; `game_code`: its scenario and optional rules."""
    localizer = Localizer(rules.program, lang)
    seats = list_seats(rules.start(game_code.scenario or None, game_code.options, 0))
    players = {**_choose_usual_players(seats), **defaults.players, **game_code.players}
    return [{"id": seat, "name": localizer.get_thing_name("seat", seat), "player": players[seat]} for seat in seats]


def _choose_usual_players(seats: Sequence[str]) -> dict[str, str]:
    return {seat: "greedy" if number else HUMAN for number, seat in enumerate(seats)}


def _describe_option(option: dict[str, Any], localizer: Localizer) -> dict[str, Any]:
    """Return an optional rule: its values are texts, of which "" means off."""
    label, note = localizer.translate_label(option["label"], option["id"]), localizer.translate_label(option["note"])
    values = option["shares"] if option["type"] == "split" else option["values"]
    return {
        "id": option["id"],
        "name": label,
        "note": note,
        "is_flag": option["type"] == "flag",
        "values": [str(value) for value in values],
        "default": _format_default(option["default"]),
    }


def _format_default(default: object) -> str:
    return "on" if default is True else str(default or "")
