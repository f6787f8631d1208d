"""Contents of the panels as lines: log, odds, charts, rules, score, place, help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.translator import Translator, mark as _
from interpreter.play.game import Game
from interpreter.play.lines import begin_sentence, format_citations
from interpreter.players.narration.lookup import render_rule
from interpreter.players.summaries.briefing import render_briefing_lines
from interpreter.players.summaries.scores import render_scores
from interpreter.players.summaries.turn_recap import collect_recap, find_index_after_last_choice, render_recap
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.localizer import Localizer
from interpreter.ui.tui.map.background_layer import BackgroundLayer
from interpreter.ui.tui.map.rendering import ABLE, OVER, PICKED, WENT, Legend
from interpreter.view_model.answer_records import CardPart, ResolutionCard
from interpreter.view_model.records import DynamicView, LogLine, ShownOption, StaticView

SHEETS = ("here", "log", "odds", "card", "charts", "rules", "score", "help", "briefing")
_RESULTS = ("event", "move", "change", "outcome")  # kinds of log lines that say what came of a choice
_MAX_RECENT = 12  # lines of what others did
TITLES: Mapping[str, str] = {
    "orders": _("orders"),
    "talk": _("talk"),
    "here": _("place"),
    "log": _("log"),
    "odds": _("odds"),
    "card": _("card"),
    "charts": _("charts"),
    "rules": _("rules"),
    "score": _("score"),
    "help": _("help"),
    "briefing": _("briefing"),
}
KEYS = (
    ("f1", "F1", "help"),
    ("f2", "F2", "orders"),
    ("f3", "F3", "talk"),
    ("f4", "F4", "log"),
    ("f5", "F5", "odds"),
    ("f6", "F6", "charts"),
    ("f7", "F7", "rules"),
    ("f8", "F8", "score"),
    ("ctrl+b", "^B", "card"),
)


def render_briefing_sheet(game: Game, seat: str, localizer: Localizer, players: Mapping[str, str]) -> list[str]:
    """Return the briefing of a seat, with the first key to press."""
    first = localizer.say("Enter on the map picks up a counter, F2 moves to the orders, F1 shows all keys")
    return [str(line) for line in render_briefing_lines(game, seat, localizer, players, first)]


def render_place(
    place: str, view: DynamicView | None, background: BackgroundLayer, still: StaticView, localizer: Localizer
) -> list[str]:
    """Return lines about a place: name, terrain and pieces.

    `place`: its id; `view`: the present view of the game; `still`: the view of what never changes.
    """
    place_view = next((p for p in still.places if p.id == place), None)
    if place_view is None or view is None:
        return [localizer.say("point at a place with the arrow keys")]
    ground = background.places.get(place)
    head = (
        place_view.name
        if place in place_view.name.split() or place_view.kind != "space"
        else f"{place} {place_view.name}"
    )
    lines = [head, *([f"  {ground.words}"] if ground is not None and ground.words else [])]
    marks = dict(background.legend)
    lines += [f"  {marks[sign]}" for sign in (ground.marks if ground is not None else "") if sign in marks]
    return [*lines, *(f"  {ABLE if p.orderable else '-'} {p.spoken}" for p in view.pieces if p.place == place)]


def render_borders(place: str, background: BackgroundLayer, still: StaticView, localizer: Localizer) -> list[str]:
    """Return the neighbours of a place across or along a line, such as a river, with its description."""
    marks, names = dict(background.legend), {p.id: p.name for p in still.places}
    around = {
        line.ends[1] if line.ends[0] == place else line.ends[0]: line.sign
        for line in background.lines
        if place in line.ends
    }
    return [
        f"  {localizer.with_detail(names.get(other, other), marks.get(sign, sign))}" for other, sign in around.items()
    ]


def render_log(view: DynamicView | None) -> list[str]:
    """Return the log, newest entry first."""
    log = reversed(view.log) if view is not None else ()
    return [("== " if line.kind in ("turn", "phase") else "") + line.text + format_citations(line.cite) for line in log]


def render_log_sheet(view: DynamicView | None, game: Game | None, localizer: Localizer) -> list[str]:
    """Return what other seats did since the deciding seat's last choice, then the log, newest entry first."""
    lines = render_log(view)
    if game is None or game.decision is None:
        return lines
    recent = collect_recap(game, find_index_after_last_choice(game, game.decision.seat), localizer)
    recap_lines = render_recap(recent, localizer, _MAX_RECENT)
    return (
        [localizer.say("The latest moves") + ":", *(f"  {line}" for line in recap_lines), "", *lines]
        if recap_lines
        else lines
    )


def list_news(view: DynamicView, since: int) -> list[LogLine]:
    """Return the log lines from number `since` on, or those since the last choice if `since` is -1."""
    if since < 0:
        since = next((line.number for line in reversed(view.log) if line.kind == "choice"), -1)
    return [line for line in view.log if 0 <= since <= line.number]


def has_rolled(view: DynamicView | None, since: int) -> bool:
    """Return whether dice were rolled in the log lines from number `since` on."""
    return view is not None and any(line.kind == "roll" for line in list_news(view, since))


def format_news(view: DynamicView, since: int, localizer: Localizer) -> str:
    """Return what has happened from log line `since` on: first all results, then the rolls of the first choice.

    If the first choice rolled no dice, it is named too; if no choice had a result, the other ones are named as well.
    Headings are left out.
    """
    choices: list[list[LogLine]] = []
    for line in list_news(view, since):
        if line.kind == "choice" or not choices:
            choices.append([])
        choices[-1].append(line)
    made, came = list[str](), list[str]()
    rolls = [line.text for line in (choices[0] if choices else ()) if line.kind == "roll"]
    for number, lines in enumerate(choices):
        rolled = next((n for n, line in enumerate(lines) if line.kind == "roll"), 0)
        results = [line.text for line in lines[rolled:] if line.kind in _RESULTS]
        is_named = bool(number) or not rolls
        (made if number else came).extend(line.text for line in lines if is_named and line.kind == "choice")
        came += results
    told = localizer.join_sentences(
        dict.fromkeys(text.strip() for text in (came if len(came) > 1 or rolls else [*came, *made]))
    )
    detail = localizer.join_sentences(text.strip() for text in rolls)
    return localizer.with_detail(told, detail) if told and detail else told or detail


def render_score_sheet(view: DynamicView | None, game: Game | None, localizer: Localizer) -> list[str]:
    """Return the position's summary and the scores."""
    if view is None:
        return []
    lines = [*view.outcome, view.heading, *(f"  {line}" for line in view.standing)]
    if game is not None:
        return [*lines, "", *map(str, render_scores(game, localizer))]
    return [*lines, "", *(localizer.prefix_topic(seat, number) for seat, number in view.scores)]


def render_rules(
    option: ShownOption | None, view: DynamicView | None, still: StaticView, localizer: Localizer
) -> list[str]:
    """Return the rules cited by the selected option and the decision, then all rule headings.

    `option`: the selected option, or None; `still`: the view of what never changes.
    """
    decision = view.decision if view is not None else None
    numbers = [*(option.cite if option else ()), *(decision.cite if decision else ())]
    lines: list[str] = []
    for number in dict.fromkeys(numbers):
        lines += [*render_rule(number, localizer), ""]
    return [*lines, *(f"{number}  {title}" for number, title in still.rules)]


def render_odds(option: ShownOption | None, queries: GameQueries, game: Game, localizer: Localizer) -> list[str]:
    """Return the odds of the selected option."""
    if option is None:
        return [localizer.say("point at an order (F2, arrow keys), then F5 shows its odds")]
    return list(queries.render_odds(game, option.key))


def render_card_sheet(card: ResolutionCard | None, localizer: Localizer) -> list[str]:
    """Return the card of a roll, preceded by the key that shows the one before; None if no dice were rolled."""
    if card is None:
        return [localizer.say("no dice have been rolled yet")]
    lines = render_card(card, localizer)
    head = localizer.with_detail(lines[0], localizer.say("Ctrl+B again: the one before")) if card.previous else lines[0]
    return [head, *lines[1:]]


def render_card(card: ResolutionCard, localizer: Localizer) -> list[str]:
    """Render a resolution card as text: its title, results or losses, opponents, then every step."""
    came = [text.text for part in card.parts if part.kind == "came" for text in part.texts]
    losses = [localizer.prefix_topic(name, text) for _side, name, text in card.losses]
    results = [line.text for line in (*card.result, *card.later)] or losses or came[-1:]
    facts = []
    for side in card.sides:
        facts.append(localizer.prefix_topic(side.name, side.names) + (f" [{side.strength}]" if side.strength else ""))
    facts += [ratio] if (ratio := " -> ".join(filter(None, card.ratio))) else []
    lines = [begin_sentence(card.title), *(f"= {text}" for text in dict.fromkeys(results)), localizer.join_texts(facts)]
    lines += [card.about] if card.about not in (card.title, *came) else []
    for part in card.parts:
        lines += _render_card_part(part)
    return [line for line in lines if line.strip()]


def _render_card_part(part: CardPart) -> list[str]:
    """Render one step of a card."""
    match part.kind:
        case "sums":
            return [f"{line.amount:>6}  {line.text}{format_citations(line.cite[:2])}" for line in part.lines]
        case "dice":
            terms = " ".join(f"{amount} ({name})" if name else amount for amount, name in part.terms)
            total = f"{terms} = {part.total}" if terms else part.total
            faces = " ".join(f"[{face}]" for face in part.faces)
            return ["  ".join(filter(None, (f"{part.title}: {faces}", total, part.compared)))]
        case "chart":
            return [part.title + format_citations(part.cite[:2]), *(f"  {line}" for line in part.results)]
        case "came":
            return [f"> {line.text}{format_citations(line.cite[:2])}" for line in part.texts]
    return [f"== {part.title}"]


def render_chart(
    number: int, option: ShownOption | None, queries: GameQueries, game: Game, still: StaticView, say: Translator
) -> list[str]:
    """Return chart `number` (in cyclic order), with brackets around the cells that the selected option would read.

    `option`: the selected option, or None; `still`: the view of what never changes.
    """
    if not still.charts:
        return [say("this game has no tables")]
    name, title = still.charts[number % len(still.charts)]
    head = say("{number} of {all}; F6 again: next", number=number % len(still.charts) + 1, all=len(still.charts))
    lines = queries.render_chart(name, game, (option.key,) if option is not None else ())
    return [f"{title} ({head})", *map(str, lines)]


def render_legend(
    background: BackgroundLayer, legend: Legend, sides: Sequence[tuple[str, str]], say: Translator
) -> list[str]:
    """Return the explanation of the signs on the map; `sides`: the letter and name of each side."""
    lines = [say("Signs on the map:")]
    lines += [f"  {sign}  {words}" for sign, words in dict.fromkeys((*sides, *background.legend))]
    lines += [
        f"  {ABLE}  " + say("a counter here can receive orders"),
        "  +  " + say("reachable, with the cost"),
        "  o  " + say("on the route of the order pointed at; O: its end"),
        f"  {WENT}  " + say("the last event here"),
        f"  {OVER}  " + say("the overlay on the map (Ctrl+O), with the letters of sides"),
    ]
    if not legend.is_plain:
        lines.append("  → " + say("the facing; --ascii writes all signs with ASCII letters"))
    return lines


def render_help(say: Translator) -> list[str]:
    """Return the list of keys."""
    rows = (
        (say("arrow keys"), say("move over the map; in a list, up and down")),
        (
            "Enter",
            say(
                "pick up a counter there (again: the next of a stack); then choose the destination, or "
                "an order from the list"
            ),
        ),
        ("Esc", say("one step back; closes help, odds and other texts")),
        (
            "Tab",
            say(
                "to the next place with a counter that can act; with a counter picked up, to the next "
                "place it can reach"
            ),
        ),
        ("Shift+Tab", say("the same, backward")),
        ("End", say("done: end a series of orders")),
        (".", say("repeat the last order for the next counter that can act")),
        (">", say("move every counter forward that can, like `all forward`")),
        ("Ctrl+O, F10", say("show overlays in turn: zones, threats, sight")),
        ("Ctrl+R", say("what others did: step through it with the left and right arrow keys, Esc returns")),
        ("+ -", say("zoom")),
        ("F2", say("choose from the list of orders with the arrow keys")),
        ("F3 - F8", say("messages, log, odds, charts, rules, score")),
        ("Ctrl+B", say("the card of the last roll, step by step; again: the one before")),
        ("F9", say("show only the map, or all panels")),
        ("PgUp PgDn", say("scroll the text; ^ v < > at an edge show that there is more")),
        ("Ctrl+Z Ctrl+Y", say("undo, redo")),
        ("Ctrl+Q", say("quit; the game is saved")),
    )
    return [
        say(
            "With an empty line, keys move over the map. Text that you type appears in the line below the map and can "
            "be any command of the plain prompt; `help` lists them, Tab completes."
        ),
        "",
        *(f"{key:<14} {text}" for key, text in rows),
        "",
        say("A click points at a place, a second click picks up a counter; a click on an order chooses it."),
        say("With a screen reader, play without --screen and with --brief, which is made for listening."),
        "",
    ]


@dataclass(frozen=True, slots=True)
class KeyState:
    """State of the screen that determines what the keys do.

    `is_listing`: the arrow keys select an option; `is_going`: a destination is chosen; `is_recap`: the recap is open;
    `has_end`: a series of orders can be ended; `has_rolled`: dice have been rolled; `has_more`: text can be scrolled.
    """

    is_listing: bool = False
    is_going: bool = False
    is_recap: bool = False
    has_end: bool = False
    has_rolled: bool = False
    has_more: bool = False


def render_key_row(width: int, state: KeyState, say: Translator) -> str:
    """Return the keys, the most relevant ones first, as many as fit into `width` cells."""
    if state.is_recap:
        steering = [("<- ->", say("step")), ("Esc", say("back"))]
    elif state.is_listing:
        steering = [("Enter", say("order")), ("Esc", say("map"))]
    elif state.is_going:
        steering = [("Tab", say("in reach")), ("Enter", say("go")), ("Esc", say("back"))]
    else:
        steering = [("Enter", say("pick")), ("Tab", say("next")), ("F2", say("orders"))]
    steering += [("PgDn", say("more"))] if state.has_more else []
    steering += [("End", say("done"))] if state.has_end and not state.is_recap else []
    steering += [("^B", say("card"))] if state.has_rolled else []
    steering += [("F1", say("help")), ("^R", say("what happened")), ("^O", say("zones")), (".", say("again"))]
    panels = [(key_label, say(TITLES[name])) for _, key_label, name in KEYS]
    always = [*panels, ("F9", say("map alone")), ("+-", say("zoom")), ("^Z", say("undo")), ("^Q", say("quit"))]
    row = ""
    for part in dict.fromkeys(f"{key} {words}" for key, words in (*steering, *always)):
        if measure_cells(row) + 2 + measure_cells(part) > width:
            break
        row += ("  " if row else "") + part
    return row


def format_picked(text: str) -> str:
    """Return a piece's name with the sign for a picked piece."""
    return f"{PICKED} {text}"
