"""Games in a Python session or a notebook: one line each, and the options of the pending decision as a table.

The line is cheap to format, because a debugger may show it at any moment: it never lists the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.diagnostics.html_markup import build_tag, join_parts

if TYPE_CHECKING:
    from interpreter.play.game import Game

_MAX_ROWS = 50  # options of a table


def format_game_repr(game: Game) -> str:
    """Return a game as `<Game ruleset, scenario, turn 1: order of reds>`."""
    about = ", ".join([game.program.id, *([game.scenario] if game.scenario else []), f"turn {game.turn}"])
    if game.over:
        outcome = game.state.outcome
        seats = ", ".join(game.program.ids["seat"][handle] for handle in (outcome and outcome[0]) or ())
        return f"<Game {about}: over, {f'won by {seats}' if seats else 'drawn'}>"
    if game.decision is None:
        return f"<Game {about}: nothing to decide>"
    try:
        status = f"{game.decision.name} of {game.decision.side}"
    except Exception:  # the rules may fail to name the decider; a debugger must show the game anyway
        status = game.decision.name
    return f"<Game {about}: {status}>"


def format_game_html(game: Game) -> str:
    """Return a game as HTML: its line, and a table of the options of the pending decision."""
    line = build_tag("p", format_game_repr(game))
    if game.decision is None:
        return line
    options = game.decision.options
    rows = [
        build_tag(
            "tr",
            build_tag("td", str(number)),
            build_tag("td", build_tag("code", option.key)),
            build_tag("td", option.label),
        )
        for number, option in enumerate(options[:_MAX_ROWS])
    ]
    table = build_tag(
        "table",
        build_tag("caption", game.decision.prompt or game.decision.name),
        build_tag("thead", build_tag("tr", [build_tag("th", head) for head in ("number", "key", "label")])),
        build_tag("tbody", rows),
    )
    more = len(options) - _MAX_ROWS
    return join_parts(line, table, build_tag("p", f"and {more} more") if more > 0 else None)
