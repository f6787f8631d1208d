"""Summary commands: briefing, aim, score, front, roster, arrivals, news and hint.

`players/summaries` produces the text; this module requests it for the seat at the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.lines import TextLine
from interpreter.players.orders.matching import match_any_kind
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.summaries.briefing import render_briefing_lines
from interpreter.players.summaries.hints import compute_hint, render_hint
from interpreter.players.summaries.objectives import build_aim_text, build_optional_rules_text
from interpreter.players.summaries.roster import render_roster_lines
from interpreter.queries.expected_changes import format_expected_changes
from interpreter.queries.summaries import summarize
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.play_context import PlayContext


def answer_summary(context: PlayContext, command: str, rest: str) -> Sequence[TextLine] | None:
    """Return the lines of a summary command, or None for other commands; `rest`: the words after it."""
    game, localizer = context.game, context.localizer
    seat = get_deciding_seat(context)
    match command:
        case "briefing":
            return render_briefing(context, seat)
        case "aim":
            aim, options = build_aim_text(game, seat, localizer), build_optional_rules_text(game, localizer)
            line = (
                aim.format_line("", localizer)
                if aim.text
                else localizer.say("only the rules decide the winner; try `find victory`")
            )
            return [line, *([options.format_line(localizer.say("optional rules"), localizer)] if options.text else [])]
        case "roster":
            return render_roster(context, rest)
        case "news":
            return render_news(context, seat) or [localizer.say("no other player has acted since your last choice")]
        case "hint":
            with context.screen.show_progress(localizer.say("trying options ...")):
                return _render_hint_with_changes(context)
    return summarize(command, game, seat, localizer, context.queries.rules.form)


def _render_hint_with_changes(context: PlayContext) -> Sequence[TextLine]:
    """Render the hint, with the expected changes below its option."""
    hint = compute_hint(context.game)
    first, *others = render_hint(context.game, context.name_index, hint)
    if hint is None or context.game.count() == 1 or hint.tried < 2:
        return [first, *others]
    changes = format_expected_changes(context.game, hint.chosen.option.number, context.localizer)
    return [first, *(f"  {line}" for line in changes), *others]


def get_deciding_seat(context: PlayContext) -> str:
    """Return the seat that decides now."""
    decision = context.game.decision
    assert decision is not None
    return decision.seat


def render_briefing(context: PlayContext, seat: str) -> list[TextLine]:
    """Return the briefing of a seat."""
    localizer = context.localizer
    first = localizer.say(
        "type a number or words of an option; `hint` suggests one, `front` and `map` show the situation, "
        "`help` lists the commands"
    )
    return render_briefing_lines(context.game, seat, localizer, context.autosave.seats, first)


def render_news(context: PlayContext, seat: str) -> Sequence[TextLine]:
    """Summarize what has happened since a seat's last choice in a few lines; [] if nothing has."""
    return summarize("news", context.game, seat, context.localizer) or ()


def render_roster(context: PlayContext, text: str) -> list[str]:
    """Return the roster, or only that of the named side or group."""
    localizer = context.localizer
    if not text:
        return render_roster_lines(context.game, localizer)
    name_index = context.name_index
    groups = find_groups(text, name_index)
    if not groups:
        return [
            localizer.say("`{text}` is not a side or a group", text=quote_typed(text)) + _render_known_sides(name_index)
        ]
    if len(groups) > 1:
        names = ", ".join(f"`{localizer.get_thing_name(*group)}`" for group in groups)
        return [localizer.say("`{text}` can mean {groups}", text=quote_typed(text), groups=names)]
    return render_roster_lines(context.game, localizer, groups[0])


def find_groups(text: str, name_index: NameIndex) -> list[tuple[str, str]]:
    """Return the sides and groups with this name as (kind, id) pairs, or seats if only those match."""
    things = list(dict.fromkeys(match_any_kind(text, name_index)))
    return [thing for thing in things if thing[0] != "seat"] or things


def find_group(text: str, name_index: NameIndex) -> tuple[str, str] | None:
    """Return the side, seat or group with this name as (kind, id), or None if none or several match."""
    groups = find_groups(text, name_index)
    return groups[0] if len(groups) == 1 else None


def _render_known_sides(name_index: NameIndex) -> str:
    localizer: Localizer = name_index.localizer
    return localizer.format_hint(
        "", [localizer.get_thing_name("side", side) for side in name_index.program.ids["side"]]
    )
