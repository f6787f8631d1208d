"""Games in a Python session or a notebook: one line each, and the options of the present decision as a table.

A line never lists options, nor computes more than who decides: a debugger may ask for it anywhere.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.play.game import Game

_MOST_ROWS = 50  # options of a table


def game_repr(game: Game) -> str:
    """Return a game as `<Game ruleset, scenario, turn 1: order of reds>`."""
    about = ", ".join([game.program.id, *([game.scenario] if game.scenario else []), f"turn {game.turn}"])
    if game.over:
        outcome = game.state.outcome
        seats = ", ".join(game.program.ids["seat"][handle] for handle in (outcome and outcome[0]) or ())
        return f"<Game {about}: over, {f'won by {seats}' if seats else 'drawn'}>"
    if game.decision is None:
        return f"<Game {about}: nothing to decide>"
    try:
        asked = f"{game.decision.name} of {game.decision.side}"
    except Exception:  # who decides may be a fault of the rules, and a debugger must show the game all the same
        asked = game.decision.name
    return f"<Game {about}: {asked}>"


def game_html(game: Game) -> str:
    """Return a game as its line, with the options of the present decision: number, key and words."""
    line = f"<p>{escape(game_repr(game))}</p>"
    if game.decision is None:
        return line
    options = game.decision.options
    rows = [
        f"<tr><td>{number}</td><td><code>{escape(option.key)}</code></td><td>{escape(option.label)}</td></tr>"
        for number, option in enumerate(options[:_MOST_ROWS])
    ]
    more = len(options) - _MOST_ROWS
    return (
        f"{line}<table><caption>{escape(game.decision.prompt or game.decision.name)}</caption>"
        "<thead><tr><th>number</th><th>key</th><th>label</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>" + (f"<p>and {more} more</p>" if more > 0 else "")
    )
