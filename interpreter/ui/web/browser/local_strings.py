"""Strings of the page without a server: of its dialog, of loading, and replacements for those about a server."""

from __future__ import annotations

from interpreter.i18n.translator import get_translator, list_languages, mark as _

_LOCAL = {
    "lost": _("the program of this page does not answer; reload the page"),
    "your_link": _("this page"),
    "your_link_told": _("Everyone who opens this page plays a game of their own, which their browser keeps."),
    "local_game": _("Game"),
    "local_this_game": _("this game"),
    "local_choices": _("up to choice (0 to {last}):"),
    "local_link": _("copy a link to this position"),
    "local_copied": _("The link has been copied."),
    "local_link_about": _(
        "The link holds the whole game up to this position. Send it to your opponent, who plays on and sends you a "
        "link back. It contains the seed, so future dice can be computed from it."
    ),
    "local_lesson_about": _(
        "This is the lesson. It is saved in this browser, but it cannot be sent as a link or saved as a file."
    ),
    "local_save_file": _("save as a file"),
    "local_not_kept": _(
        "This browser does not keep games for this page: save the game as a file before you close the page."
    ),
    "local_new_game": _("new game"),
    "local_scenario": _("scenario"),
    "local_person": _("A person at this screen"),
    "local_options": _("optional rules"),
    "local_start": _("start"),
    "local_saves": _("saved games"),
    "local_no_saves": _("no game has been saved yet; each choice saves the game"),
    "local_choices_made": _("{number} choices"),
    "local_open": _("open"),
    "local_delete": _("delete"),
    "local_open_file": _("open a saved game from a file:"),
    "local_change": _("try a change"),
    "local_change_about": _(
        "Change cells in the charts of this game, then play the changed game or download the changes as a variant. "
        "Each change begins from the game as it was published."
    ),
    "local_reading": _("reading the rules ..."),
    "local_chart": _("chart"),
    "local_check": _("check"),
    "local_checking": _("checking ..."),
    "local_play_change": _("play the changed game"),
    "local_download_change": _("download the variant"),
    "local_no_change": _("nothing has been changed yet"),
    "local_sound": _("no errors were found"),
    "local_unsound": _("the change has errors; see the marked cells"),
}

_LOADING = {
    "loading": _("loading: {done} of {all} MB"),
    "starting": _("starting the game ..."),
    "failed": _("This page could not start: {fault}. Reload it; if that does not help, try another browser."),
}


def list_page_strings(lang: str) -> dict[str, str]:
    """Return the strings of the page without a server, by the names that the page uses."""
    say = get_translator(lang)
    return {name: say(text) for name, text in _LOCAL.items()}


def list_loading_strings() -> dict[str, dict[str, str]]:
    """Return the strings shown before the interpreter runs, by language."""
    return {
        code: {name: get_translator(code)(text.key) for name, text in _LOADING.items()}
        for code in ("en", *list_languages())
    }
