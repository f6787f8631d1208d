"""Strings of the page without a server: of its dialog, of its loading, and in place of those that name a server."""

from __future__ import annotations

from interpreter.i18n.translator import languages, mark as _, translator_for

_LOCAL = {
    "lost": _("the program of this page does not answer: reload the page"),
    "your_link": _("this page"),
    "your_link_told": _("Everyone who opens this page plays a game of their own, which their browser keeps."),
}

_LOADING = {
    "loading": _("loading: {done} of {all} MB"),
    "starting": _("starting the game ..."),
    "failed": _("This page could not start: {fault}. Reload it; if that does not help, try another browser."),
}


def local_words(lang: str) -> dict[str, str]:
    """Return the strings by the names that the page uses."""
    say = translator_for(lang)
    return {name: say(text) for name, text in _LOCAL.items()}


def loading_words() -> dict[str, dict[str, str]]:
    """Return the strings that are shown before the interpreter runs, by language."""
    return {
        code: {name: translator_for(code)(text.key) for name, text in _LOADING.items()} for code in ("en", *languages())
    }
