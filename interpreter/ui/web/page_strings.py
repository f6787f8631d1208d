"""Strings of the page itself, in one language: labels of its buttons and panels."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Any

from interpreter.i18n.translator import languages, mark as _, translator_for

_WORDS = {
    "all_orders": _("all orders"),
    "ask": _("Ask a question"),
    "ask_example": _("what is ... / how do I win / attack ..."),
    "ask_send": _("Ask"),
    "back": _("back"),
    "briefing": _("briefing"),
    "cancel": _("cancel"),
    "charts": _("charts"),
    "close": _("close"),
    "comers": _("can reach this place:"),
    "copy": _("copy"),
    "dice": _("rolls on the way"),
    "do_it": _("do it"),
    "everything": _("everything"),
    "exact_odds": _("exact odds"),
    "find": _("find"),
    "front": _("front"),
    "help": _("help"),
    "hide_pieces": _("hide the counters"),
    "keys": _(
        "Every order is a button, which carries it out at once; a click on the map shows the order first. "
        "Point at a place to see its counters and what blocks the way. With the keyboard:"
    ),
    "language": _("language"),
    "later": _("later"),
    "earlier": _("earlier"),
    "learn": _("Learn: a guided first turn"),
    "ledger": _("details"),
    "legend": _("legend"),
    "lesson": _("Lesson"),
    "lesson_again": _("Repeat the lesson"),
    "lesson_back": _("Back"),
    "lesson_do_it": _("Do it for me"),
    "lesson_leave": _("Leave the lesson"),
    "lesson_next": _("Next"),
    "lesson_no_button": _("The order is not in the list that is shown. Press the button again to have it carried out."),
    "lesson_play_on": _("Play on"),
    "lesson_show": _("Show me"),
    "lesson_step": _("Step {number} of {total}"),
    "links": _("links for others"),
    "links_here": _(
        "These links work on this computer only. For others on your home network, stop the server and start "
        "it again with --host 0.0.0.0; over the internet you need a tunnel and --public-url."
    ),
    "links_told": _("Anyone with a link can play that seat. Send each link to one person only."),
    "log": _("log"),
    "more_orders": _("{number} more: point at the counters that take part"),
    "looking_at": _("viewing choice {number} of {last}; Escape returns"),
    "lost": _("the server does not answer; trying again"),
    "luck": _("luck"),
    "map": _("map"),
    "more": _("menu"),
    "no_seat": _("this needs the link of a seat: open the address that the server printed"),
    "note": _("write a note"),
    "notes": _("notes"),
    "note_new": _("new note:"),
    "nothing": _("you have no decision now"),
    "off_map": _("off the map"),
    "overlay": _("map overlay"),
    "own_link": _("this page"),
    "overlay_empty": _("nothing to show now"),
    "orders": _("orders"),
    "players": _("players"),
    "point_first": _("point at a counter to see what it can do from there"),
    "present": _("back to the game"),
    "reconstructed": _("reconstructed"),
    "redo": _("redo"),
    "replay": _("look back"),
    "report": _("report"),
    "roster": _("roster"),
    "rules": _("rules"),
    "score": _("score"),
    "since": _("since your last choice"),
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
    "start_lesson_length": _("{number} steps, about {minutes} minutes."),
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
    "strange_address": _(
        "This page was opened at {address}, but the server does not recognize that address, so you cannot "
        "choose anything here.\nIf you run this game behind a proxy or a tunnel, stop the server and start it "
        "again with: --public-url {address}\nIf someone else runs it, send them this message."
    ),
    "tracks": _("current state"),
    "turns": _("turns"),
    "undo": _("undo"),
    "undo_anyway": _("undo anyway"),
    "waiting": _("computing ..."),
    "whole_log": _("the whole log"),
    "whole_map": _("whole map"),
    "your_link": _("your own link"),
    "your_link_told": _("Save this link to return to your seat: the address bar does not show it."),
    "zoom_in": _("closer"),
    "zoom_out": _("farther"),
    "choice": _("choices"),
    "roll": _("rolls"),
    "move": _("moves"),
    "change": _("changes of state"),
    "event": _("events"),
}

_KEYS = {
    "Tab": _("from button to button"),
    "m": _("to the map"),
    "l": _("to the orders"),
    "↑ ↓ ← →": _("on the map, move from place to place; in the list, from order to order"),
    "n N": _("next and previous counter that can receive orders"),
    "t T": _("next and previous place that it can reach"),
    "Enter": _("picks up a counter, then chooses its destination; presses a button"),
    "1–9": _("picks up a counter of the place by its number"),
    "Esc": _("one step back"),
    "o": _("shows map overlays in turn"),
    "x": _("exact odds of the order pointed at"),
    "u r": _("undo, redo"),
    "/": _("a question in plain words"),
    "?": _("these keys"),
}


_SHELL = {
    "no_script": _("This page needs JavaScript: allow it for this address, then reload the page."),
    "trouble": _("This page has not loaded completely."),
    "trouble_reload": _("Reload it. If that does not help, send this message to the person who sent you the link."),
    "trouble_proxy": _(
        "If you run this game behind a proxy or a tunnel, start it with --public-url and the address in the "
        "browser, up to the last slash; open it with that slash at the end."
    ),
}


def render_shell_page(lang: str, has_server: bool = True) -> bytes:
    """Return the HTML shell of the page, with the text shown if its scripts do not run."""
    say = translator_for(lang)
    shown = _SHELL if has_server else {**_SHELL, "trouble_proxy": ""}
    text = files("interpreter.ui.web").joinpath("page", "index.html").read_text(encoding="utf-8")
    for name, told in {"lang": lang or "en", **{name: say(text) for name, text in shown.items()}}.items():
        text = text.replace(f"{{{name}}}", escape(told))
    return text.encode()


def page_words(lang: str) -> dict[str, Any]:
    """Return all strings by the names that the page uses."""
    say = translator_for(lang)
    words: dict[str, Any] = {name: say(text) for name, text in _WORDS.items()}
    keys = {key: say(text) for key, text in _KEYS.items()}
    return words | {"key_words": keys, "lang": lang or "en", "languages": list(languages())}
