"""The words of the page itself: labels of its buttons and panels, in one language. Must not word a game."""

from __future__ import annotations

from typing import Any

from interpreter.words.speech import languages, mark as _, speaker

_WORDS = {
    "all_orders": _("all orders"),
    "back": _("back"),
    "briefing": _("briefing"),
    "cancel": _("cancel"),
    "charts": _("charts"),
    "close": _("close"),
    "comers": _("can come here:"),
    "copy": _("copy"),
    "dice": _("dice on the way"),
    "do_it": _("do it"),
    "everything": _("everything"),
    "exact_odds": _("exact odds"),
    "find": _("find"),
    "front": _("front"),
    "help": _("help"),
    "hide_pieces": _("hide the counters"),
    "keys": _(
        "Every order is a button, which carries it out at once; a click on the map shows it first. Point at a place to "
        "see who stands there and what bars the way. With the keyboard:"
    ),
    "language": _("language"),
    "later": _("later"),
    "earlier": _("earlier"),
    "ledger": _("how it came"),
    "legend": _("legend"),
    "links": _("links for others"),
    "links_told": _("whoever opens a link plays that seat; give each to one person"),
    "log": _("log"),
    "looking_at": _("you look at choice {number} of {last}; Escape returns"),
    "lost": _("the server does not answer; this page goes on asking"),
    "luck": _("luck"),
    "map": _("map"),
    "more": _("menu"),
    "no_seat": _("this needs a seat's link: open the address that the server has printed"),
    "note": _("write a note"),
    "notes": _("notes"),
    "note_new": _("new note:"),
    "nothing": _("nothing is asked of you now"),
    "off_map": _("off the map"),
    "overlay": _("shown on the map"),
    "overlay_empty": _("there is nothing of it to show now"),
    "orders": _("orders"),
    "players": _("players"),
    "point_first": _("point out a counter, then this shows what it can do from there"),
    "present": _("back to the game"),
    "reconstructed": _("reconstructed"),
    "redo": _("redo"),
    "replay": _("look back"),
    "report": _("report"),
    "roster": _("roster"),
    "rules": _("rules"),
    "score": _("score"),
    "since": _("since your last choice"),
    "tracks": _("how it stands"),
    "turns": _("turns"),
    "undo": _("undo"),
    "undo_anyway": _("undo all the same"),
    "waiting": _("working it out ..."),
    "whole_log": _("the whole log"),
    "whole_map": _("whole map"),
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
    "↑ ↓ ← →": _("on the map from place to place, in the list from order to order"),
    "n N": _("the next and the previous counter that can be ordered"),
    "t T": _("the next and the previous place where it can go"),
    "Enter": _("points out who stands there, then where he goes; presses a button"),
    "1–9": _("points out a counter of the place by its number"),
    "Esc": _("one step back"),
    "o": _("lays what the rules know over the map, one thing after another"),
    "x": _("exact odds of the order pointed at"),
    "u r": _("undo, redo"),
    "?": _("these keys"),
}


def page_words(lang: str) -> dict[str, Any]:
    """Every word by what the page calls it."""
    say = speaker(lang)
    words: dict[str, Any] = {name: say(text) for name, text in _WORDS.items()}
    keys = {key: say(text) for key, text in _KEYS.items()}
    return words | {"key_words": keys, "lang": lang or "en", "languages": list(languages())}
