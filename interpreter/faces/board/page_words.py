"""The words of the page itself: labels of its buttons and panels, in one language. Must not word a game."""

from __future__ import annotations

from interpreter.words.speech import mark as _
from interpreter.words.speech import speaker

_WORDS = {
    "map": _("map"),
    "orders": _("orders"),
    "log": _("log"),
    "undo": _("undo"),
    "redo": _("redo"),
    "all_orders": _("all orders"),
    "off_map": _("off the map"),
    "only_for": _("orders for {name}"),
    "undo_anyway": _("undo all the same"),
    "cancel": _("cancel"),
    "zoom_in": _("closer"),
    "zoom_out": _("farther"),
    "whole_map": _("whole map"),
    "lost": _("the server does not answer; this page goes on asking"),
    "no_seat": _("this needs a seat's link: open the address that the server has printed"),
    "position": _("position"),
    "nothing": _("nothing is asked of you now"),
}


def page_words(lang: str) -> dict[str, str]:
    """Every word by what the page calls it."""
    say = speaker(lang)
    return {name: say(text) for name, text in _WORDS.items()} | {"lang": lang or "en"}
