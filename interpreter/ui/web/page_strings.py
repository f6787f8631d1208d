"""Strings of the page itself, in one language: labels of its buttons and panels."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from interpreter.diagnostics.html_markup import build_tag
from interpreter.i18n.translator import get_translator, list_languages, mark as _

_WORDS = {
    "about_place": _("About {place}"),
    "afterwards": _("Afterwards"),
    "all": _("All"),
    "all_luck": _("All figures"),
    "all_orders": _("All orders"),
    "all_units": _("All units"),
    "back": _("Back"),
    "back_to_map": _("Back to the map"),
    "briefing": _("Briefing"),
    "cancel": _("Cancel"),
    "charts": _("Charts"),
    "chat": _("Chat"),
    "close": _("Close"),
    "comers": _("Can reach this place:"),
    "copy": _("Copy"),
    "cost": _("Cost"),
    "dice": _("Rolls on the way"),
    "do_it": _("Do it"),
    "drawn": _("A draw"),
    "earlier": _("Earlier"),
    "earlier_card": _("Earlier roll"),
    "everything": _("Everything"),
    "exact_odds": _("Exact odds"),
    "facing": _("Facing"),
    "fast": _("Fast"),
    "fewer": _("Fewer"),
    "find": _("Search the rules"),
    "forward": _("Forward"),
    "front": _("Front"),
    "full_report": _("Full report"),
    "happened": _("What happened"),
    "help": _("Help"),
    "hide": _("Hide"),
    "hide_pieces": _("Hide the counters"),
    "hint": _("Hint"),
    "how_it_came": _("How it came about"),
    "how_many": _("How many go?"),
    "is_away": _("away"),
    "is_here": _("here"),
    "keep": _("Save"),
    "keys": _(
        "Click a counter with a rim, then a place: the order is shown before it is carried out. A double "
        "click carries it out; dragging the counter works too. In the list, a button carries its order out at"
        " once. Point at a place to see what is there and what bars the way. With the keyboard:"
    ),
    "language": _("Language"),
    "keep_open": _("Keep open"),
    "later": _("Later"),
    "later_card": _("Later roll"),
    "ledger": _("How it came about"),
    "legend": _("Legend"),
    "links": _("Links for others"),
    "links_here": _(
        "These links work on this computer only. For others on your home network, stop the server and start "
        "it again with --host 0.0.0.0; over the internet you need a tunnel and --public-url."
    ),
    "links_told": _("Anyone with a link can play that seat. Send each link to one person only."),
    "log": _("Log"),
    "look_at_map": _("Look at the map"),
    "looking_at": _("This is the position after choice {number} of {last}. Press Escape to return."),
    "loss_open": _("not decided yet"),
    "losses": _("Losses"),
    "lost": _("Connection lost. Trying again. Your game is safe."),
    "luck": _("Luck"),
    "map": _("Map"),
    "matches": _("{number} (match|matches)"),
    "more": _("Menu"),
    "more_of": _("More"),
    "more_orders": _("{number} more: click the counters that take part"),
    "new_game": _("New game"),
    "next": _("Next event"),
    "next_match": _("Next match"),
    "named": _("{what}: {values}"),
    "no_loss": _("no loss"),
    "no_match": _('No rule matches "{text}".'),
    "no_messages": _("No messages yet."),
    "no_points": _("This game keeps no tally of its points."),
    "no_seat": _("a seat link is needed; open the address that the server printed"),
    "no_seat_how": _(
        "The address is in the window in which the server was started. If somebody else runs the game, ask for the "
        "link of your seat."
    ),
    "no_seat_in_link": _("This is not the link of a seat: such a link contains `seat=` and a long code."),
    "no_seat_open": _("Open"),
    "no_seat_paste": _("Paste the link here:"),
    "no_seat_title": _("Which seat is yours?"),
    "normal": _("Normal"),
    "note": _("Write a message"),
    "nothing": _("You have no orders now."),
    "nothing_happened": _("What others do, and the results of your orders, will be shown here."),
    "number_of": _("{number} of {total}"),
    "off_map": _("Off the map"),
    "open_card": _("Show"),
    "order_rest": _("Order these too"),
    "orders": _("Orders"),
    "orders_of": _("{number} (order|orders)"),
    "overlay": _("Map overlay"),
    "overlay_empty": _("nothing to show now"),
    "own_link": _("this page"),
    "panels": _("Panels"),
    "path": _("Path"),
    "pause": _("Pause"),
    "play": _("Play"),
    "players": _("Players"),
    "point_first": _("Click a counter; then this shows what it can do from there."),
    "points_by_turn": _("Points turn by turn"),
    "points_counted": _("How points are counted"),
    "points_from": _("Where the points came from"),
    "present": _("Back to the game"),
    "previous": _("Previous event"),
    "reconstructed": _("reconstructed"),
    "redo": _("Redo"),
    "replay": _("Look back"),
    "replay_card": _("Replay"),
    "report": _("Report"),
    "roster": _("Roster"),
    "rules": _("Rules"),
    "score": _("Score"),
    "selected": _("Selected"),
    "send": _("Send"),
    "show_on_map": _("Show on the map"),
    "since_move": _("The latest moves"),
    "skip": _("Skip to now"),
    "slow": _("Slow"),
    "sound_off": _("Turn the sound off"),
    "sound_on": _("Turn the sound on"),
    "speed": _("Speed"),
    "status": _("Status"),
    "still_to_move": _("{number} of {total} (unit|units) still to act"),
    "strange_address": _(
        "This page was opened at {address}, but the server does not recognize that address, so you cannot "
        "choose anything here.\nIf you run this game behind a proxy or a tunnel, stop the server and start it "
        "again with: --public-url {address}\nIf someone else runs it, send them this message."
    ),
    "strengths": _("strengths compared"),
    "to_front": _("To the front"),
    "to_place": _("To {place}"),
    "together": _("Move together"),
    "turns": _("Turns"),
    "undo": _("Undo"),
    "undo_nothing": _("Nothing to undo"),
    "units": _("{number} (unit|units)"),
    "versus": _("against"),
    "waiting": _("Computing ..."),
    "ways": _("Ways to get there"),
    "ways_number": _("{number} (way|ways)"),
    "whole_chart": _("Whole chart"),
    "whole_log": _("The whole log"),
    "whole_map": _("Whole map"),
    "with_number": _("{what} ({more})"),
    "you_are": _("Your side: {side}"),
    "you_are_all": _("You play every seat"),
    "you_lost": _("You lost"),
    "you_watch": _("You are watching"),
    "you_won": _("You won"),
    "your_link": _("Your own link"),
    "your_link_told": _("Save this link to return to your seat: the address bar does not show it."),
    "your_move": _("Your move"),
    "your_name": _("Change your name"),
    "zoom": _("Zoom the map"),
    "zoom_in": _("Zoom in"),
    "zoom_out": _("Zoom out"),
    "choice": _("Choices"),
    "roll": _("Rolls"),
    "move": _("Moves"),
    "change": _("Changes of state"),
    "event": _("Events"),
    "ask": _("Ask a question"),
    "ask_example": _("what is ... / how do I win / attack ..."),
    "ask_send": _("Ask"),
    "learn": _("Learn: a guided first turn"),
    "lesson": _("Lesson"),
    "lesson_again": _("Repeat the lesson"),
    "lesson_back": _("Back"),
    "lesson_do_it": _("Do it for me"),
    "lesson_leave": _("Leave the lesson"),
    "lesson_next": _("Next"),
    "lesson_no_button": _("The order is not in the list that is shown. Press the button again to have it carried out."),
    "lesson_own_game": _("Begin a game of your own"),
    "lesson_play_on": _("Play on"),
    "lesson_show": _("Show me"),
    "lesson_step": _("Step {number} of {total}"),
    "start_begin": _("Start the game"),
    "start_continue": _("Continue"),
    "start_first": _("For a first game:"),
    "start_games": _("games"),
    "start_go_on": _("Continue"),
    "start_greedy": _("The computer"),
    "start_greedy_told": _("It looks one move ahead and plays at once."),
    "start_human": _("A friend, or both sides on this screen"),
    "start_human_told": _("The menu of the game has a link for each player. Nobody needs an account."),
    "start_learn": _("New to wargames? Play a guided first turn."),
    "start_lesson": _("Start the lesson"),
    "start_lesson_length": _("{number} (step|steps), about {minutes} (minute|minutes)."),
    "start_new": _("A new game"),
    "start_no_games": _("No saved games yet. Your games appear here."),
    "start_opponent": _("Opponent"),
    "start_random": _("The computer, without a plan"),
    "start_random_told": _("It makes any legal move. Good for trying things out."),
    "start_scenario": _("Scenario"),
    "start_search": _("The computer, thinking longer"),
    "start_search_told": _("It tries many continuations of each move."),
    "start_set_up": _("Set up {game}"),
    "start_side": _("Your side"),
    "start_sub": _("The program knows the rules and keeps them for you. You only decide."),
    "start_title": _("What do you want to play?"),
}

_KEYS = {
    "Tab": _("from button to button"),
    "m": _("to the map"),
    "l": _("to the orders"),
    "↑ ↓ ← →": _(
        "on the map, move from place to place; in the list, from order to order, and sideways from way to way"
    ),
    "n N": _("next and previous counter that can receive orders"),
    "t T": _("next and previous place that it can reach"),
    "Shift": _("with a click or Enter: adds a counter to the selected ones"),
    "Enter": _("selects the counter there, then where it goes; presses a button"),
    "1–9": _("on the map, selects a counter of the place by its number"),
    "1–6": _("elsewhere, opens a tab of the side bar"),
    "[ ]": _("turns the facing of the planned order"),
    "Esc": _("one step back"),
    "b B": _("the last fight of your own; then the roll before and after the one shown"),
    "p": _("plays or pauses what happened"),
    "h": _("a hint"),
    "o": _("shows map overlays in turn"),
    "x": _("exact odds of the order pointed at"),
    "u r": _("undo, redo"),
    "?": _("these keys"),
}


_SHELL = {
    "skip": _("Skip to the orders"),
    "no_script": _("This page needs JavaScript: allow it for this address, then reload the page."),
    "trouble": _("This page has not loaded completely."),
    "trouble_reload": _("Reload it. If that does not help, send this message to the person who sent you the link."),
    "trouble_proxy": _(
        "If you run this game behind a proxy or a tunnel, start it with --public-url and the address in the "
        "browser, up to the last slash; open it with that slash at the end."
    ),
}


_ICON = '<link rel="icon"'


@cache
def _list_scripts() -> tuple[str, ...]:
    """Return the file names of the page's scripts, which would otherwise be found only one import after another."""
    folder = files("interpreter.ui.web").joinpath("page")
    return tuple(sorted(file.name for file in folder.iterdir() if file.name.endswith(".js")))


def render_shell_page(lang: str, has_server: bool = True) -> bytes:
    """Return the HTML shell of the page, with the text shown if its scripts do not run.

    `has_server`: False leaves out the advice about proxies, and the list of scripts to load at once.
    """
    say = get_translator(lang)
    strings = _SHELL if has_server else {**_SHELL, "trouble_proxy": ""}
    text = files("interpreter.ui.web").joinpath("page", "index.html").read_text(encoding="utf-8")
    if has_server:
        links = (build_tag("link", rel="modulepreload", href=f"page/{name}") for name in _list_scripts())
        text = text.replace(_ICON, "\n".join([*map(str, links), _ICON]))
    for name, string in {"lang": lang or "en", **{name: say(text) for name, text in strings.items()}}.items():
        text = text.replace(f"{{{name}}}", escape(string))
    return text.encode()


def build_page_words(lang: str) -> dict[str, Any]:
    """Return all strings by the names that the page uses."""
    say = get_translator(lang)
    words: dict[str, Any] = {name: say(text) for name, text in _WORDS.items()}
    keys = {key: say(text) for key, text in _KEYS.items()}
    return words | {"key_words": keys, "lang": lang or "en", "languages": list(list_languages())}
