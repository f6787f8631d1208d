"""Demo for a terminal without input: bots play the whole game in brief, with a map now and then.

The game is not saved to a file.
"""

from __future__ import annotations

from interpreter.i18n.number_format import format_number
from interpreter.play.lines import Line, TextLine, begin_sentence, mark_drawing_lines
from interpreter.play.template_values import format_turn
from interpreter.players.narration.event_lines import render_outcome
from interpreter.players.narration.position_lines import render_heading
from interpreter.players.summaries.scores import compute_scores
from interpreter.players.summaries.turn_recap import collect_recap, render_recap
from interpreter.runtime.log_entries import LoggedEnd, LoggedTurn
from interpreter.ui.repl.play_context import PlayContext

_TURNS_BETWEEN_MAPS = 4
_DEFAULT_WIDTH = 80  # cells of a map if the terminal width is unknown


def play_demo(context: PlayContext, most: int) -> None:
    """Let the bots of a game choose for every seat until the game is over or `most` decisions are made."""
    game, say = context.game, context.say
    context.write("", say("no input is possible here: bots finish the game, one line per move"), "")
    write_map(context)
    turn, turn_drawn = game.turn, game.turn
    context.write("", render_heading(game.view(), context.localizer))
    start = len(game.get_raw_log())
    while game.decision is not None and len(game.keys) < most:
        game.pick(context.bots[game.decision.seat].choose(game))
        if game.over or game.turn != turn:
            start = _write_recap(context, start)
            turn = game.turn
            if not game.over and turn - turn_drawn >= _TURNS_BETWEEN_MAPS:
                turn_drawn = turn
                write_map(context)
            if not game.over:
                context.write(
                    "",
                    f"{begin_sentence(format_turn(context.localizer, turn, game.scenario))}{_format_scores(context)}",
                )
    context.write("")
    write_map(context)
    if game.over:
        context.write(*render_outcome(game.outcome, context.localizer), *render_end_reason(context))
    else:
        context.write(say("the bots have made {number} (decision|decisions); stopping here", number=most))


def write_map(context: PlayContext) -> None:
    """Write the current map, as wide as the window."""
    map_lines = context.queries.render_map(context.game, True, context.screen.width() or _DEFAULT_WIDTH)
    context.write(*mark_drawing_lines(map_lines))


def render_end_reason(context: PlayContext) -> list[TextLine]:
    """Return lines with the rulebook paragraphs that ended the game, or [] if it has no end entry."""
    localizer, book = context.localizer, context.localizer.data["rulebook"]
    ended = next((raw for raw in reversed(context.game.get_raw_log()) if isinstance(raw, LoggedEnd)), None)
    if ended is None:
        return []
    cites = [cite for cite in dict.fromkeys(ended.cites) if cite in book]
    if not cites:
        return [localizer.say("reason: the last turn is over")]
    return [localizer.say("why:"), *(Line(localizer.translate_label(book[c]["text"]), (c,), level=1) for c in cites)]


def _write_recap(context: PlayContext, start: int) -> int:
    """Write a recap of the turn from log entry `start` on and return the index of the next unreported entry."""
    log = context.game.get_raw_log()
    turns = [n for n in range(len(log) - 1, start, -1) if isinstance(log[n], LoggedTurn)]
    until = turns[0] if turns and not context.game.over else len(log)
    items = collect_recap(context.game, start, context.localizer, until)
    context.write(*(f"  {line}" for line in render_recap(items, context.localizer)))
    return until


def _format_scores(context: PlayContext) -> str:
    """Return the scores in parentheses to follow the turn number, or '' without scores."""
    localizer = context.localizer
    scores = [
        localizer.say(
            "{name} {number}", name=localizer.get_thing_name("seat", score.seat), number=format_number(score.points)
        )
        for score in compute_scores(context.game, localizer)
        if score.points is not None
    ]
    return f" ({localizer.join_list(scores)})" if scores else ""
