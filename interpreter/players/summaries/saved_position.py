"""Summary of a saved game: ruleset, scenario and options, turn, and which seat is to move or has won.

Derived from the journal without replaying it; `words` localizes names, None shows ids.
"""

from __future__ import annotations

from interpreter.i18n.translator import Translator
from interpreter.play.template_values import format_turn
from interpreter.runtime.localizer import Localizer
from interpreter.saves.saved_games import SavedGame


def describe_saved_position(game: SavedGame, say: Translator, localizer: Localizer | None) -> str:
    """Render the state of a saved game: "tiny, usual: turn 3, fire; reds to move (red_seat)".

    `localizer`: the localizer of the game's ruleset, or None to show ids.
    """
    title = say(", ").join(x for x in list_titles(game, localizer) if x)
    if game.is_over:
        return say("{game}: over, {result}", game=title, result=_describe_winner(game, say, localizer))
    if not game.decisions and not game.side:
        return say("{game}: nothing has been chosen yet", game=title)
    moment = (
        say("turn {number}", number=game.turn)
        if localizer is None
        else format_turn(localizer, game.turn, game.scenario)
    )
    if game.phase:
        phase = game.phase.replace("_", " ") if localizer is None else localizer.format_phase_title(game.phase)
        moment += say(", ") + phase
    next_one = say("cut off after a choice")
    if game.side:
        side, seat = _format_name(localizer, "side", game.side), _format_name(localizer, "seat", game.seat)
        next_one = say("{side} to move ({seat})", side=side, seat=seat)
    return say("{game}: {where}; {next_one}", game=title, where=moment, next_one=next_one)


def list_titles(game: SavedGame, localizer: Localizer | None) -> list[str]:
    """Return the titles of the ruleset, the scenario and the options of a game; their ids if `localizer` is None."""
    if localizer is None:
        return [game.ruleset, game.scenario, *game.options]
    data = localizer.data
    scenario = next(
        (localizer.translate_label(s["title"], s["id"]) for s in data["scenarios"] if s["id"] == game.scenario),
        game.scenario,
    )
    return [
        localizer.translate_label(data["title"], game.ruleset),
        scenario,
        *(localizer.format_option(option) for option in game.options),
    ]


def _describe_winner(game: SavedGame, say: Translator, localizer: Localizer | None) -> str:
    """Say who won a finished game, or that it was drawn; `localizer`: None if the ruleset cannot be loaded."""
    winner = game.outcome.get("winner")
    if winner in (None, "draw"):
        return say("drawn")
    names = winner if isinstance(winner, list) else [winner]
    return say(
        "won by {winner}", winner=say(" and ").join(_format_name(localizer, "seat", str(name)) for name in names)
    )


def _format_name(localizer: Localizer | None, kind: str, identifier: str) -> str:
    return identifier if localizer is None else localizer.get_thing_name(kind, identifier)
