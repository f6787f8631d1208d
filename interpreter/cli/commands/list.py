"""Implement `grognard list`: list the shipped rulesets or the saved games."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format
from interpreter.cli.errors import FINDINGS, GOOD
from interpreter.cli.output import log_error, print_json, print_line, print_message
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.record_walk import select_fields
from interpreter.files.assets import resolve_target
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.documents.listing import Shipped
    from interpreter.runtime.localizer import Localizer
    from interpreter.saves.entries import JournalHeader
    from interpreter.saves.saved_games import SavedGame

HELP = _("list the built-in rulesets with their scenarios, variants and options, or your saved games")

_RULESETS, _GAMES = "rulesets", "games"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "what",
        nargs="?",
        type=parse_list_name,
        metavar="{rulesets,games}",
        default=_RULESETS,
        help=_("rulesets (default), or games: the saved games, newest first"),
    )
    add_format(parser)


def parse_list_name(text: str) -> str:
    """Parse the name of a list. For a target, the message says what to type to see it."""
    from interpreter.documents.target import find_target

    if text in (_RULESETS, _GAMES):
        return text
    if find_target(resolve_target(text), Sink(), checked=False) is not None:
        raise argparse.ArgumentTypeError(
            _(
                "`{word}` is a ruleset; its scenarios, variants and options: grognard list; its contents: "
                "grognard show {word}",
                word=text,
            )
        )
    raise argparse.ArgumentTypeError(_("`{word}` is not a list; write `rulesets` or `games`", word=text[:40]))


def run(arguments: argparse.Namespace) -> int:
    """Print the saved games, or the shipped rulesets with their scenarios, variants and options.

    Return the exit code.
    """
    if arguments.what == _GAMES:
        return _list_games(arguments.format, arguments.lang)
    from interpreter.documents.listing import list_shipped

    shipped, say = list_shipped(arguments.lang), get_translator(arguments.lang)
    if arguments.format == "json":
        print_json({"rulesets": [_serialize_ruleset(ruleset) for ruleset in shipped]})
        return GOOD
    if not shipped:
        log_error(say("no rulesets were found with the program; give a folder instead"))
        return FINDINGS
    for n, ruleset in enumerate(shipped):
        if n:
            print_line()
        print_line(f"{ruleset.id}: {ruleset.title}")
        for heading, entries in (
            (say("scenarios:"), ruleset.scenarios),
            (say("variants:"), ruleset.variants),
            (say("options:"), ruleset.options),
        ):
            _print_entries(heading, entries)
        if ruleset.variants:
            example, folder = f"{ruleset.id}/{next(iter(ruleset.variants))}", f"{ruleset.folder}/variants"
            print_line(
                "  " + say("(write a variant as {example}; the files are in {folder})", example=example, folder=folder)
            )
    return GOOD


def _print_entries(heading: str, entries: dict[str, str]) -> None:
    if not entries:
        return
    print_line(f"  {heading}")
    width = max(len(i) for i in entries)
    for entry, title in entries.items():
        print_line(f"    {entry.ljust(width)}  {title}")


def _serialize_ruleset(ruleset: Shipped) -> dict[str, Any]:
    lists = select_fields(ruleset, "scenarios", "variants", "options")
    entries = {name: [{"id": id, "title": title} for id, title in titles.items()] for name, titles in lists.items()}
    return {**select_fields(ruleset, "id", "title", "folder"), **entries}


def _list_games(form: str, lang: str) -> int:
    """Print the user's saved games, the most recently written first. Return GOOD."""
    from interpreter.players.summaries.saved_position import describe_saved_position
    from interpreter.saves.saved_games import list_saved_games
    from interpreter.saves.storage import find_games_folder

    games, say = list_saved_games(), get_translator(lang)
    names = _LocalizerCache(lang)
    if form == "json":
        print_json({"folder": str(find_games_folder() or ""), "games": [_serialize_game(game) for game in games]})
        return GOOD
    if not games:
        print_message(say("no saved games yet; to start one: grognard play RULESET"))
    for game in games:
        description = (
            say(game.problem) if game.problem else describe_saved_position(game, say, names.get_localizer(game))
        )
        print_line(say("{what}: {values}", what=game.name, values=description))
        if not game.problem:
            localizer = names.get_localizer(game)
            seats = say(", ").join(_format_seat(seat, player, localizer) for seat, player in game.seats.items())
            line = say(
                "last move {date}; {number} decisions; {players}",
                date=_format_date(game.last_written),
                number=game.decisions,
                players=seats or say("no players named"),
            )
            print_line(f"  {line}")
            if game.edits:
                print_line("  " + _format_edits(game.edits, say))
    if any(not game.is_over and not game.problem for game in games):
        print_message(say("to continue one: grognard play --resume NAME"))
    return GOOD


def _format_edits(count: int, say: Translator) -> str:
    return say("changed by hand once") if count == 1 else say("changed by hand {count} times", count=count)


class _LocalizerCache:
    """A cache of localizers for the rulesets of saved games, by version of the ruleset; `lang` is their language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.known: dict[str, Localizer | None] = {}

    def get_localizer(self, game: SavedGame) -> Localizer | None:
        """Return the localizer for a game, or None if its ids are printed instead of names."""
        if self.lang in ("", "en") or game.header is None:
            return None
        version = f"{game.header.ruleset} {game.header.identity.rules}"
        if version not in self.known:
            self.known[version] = self._load_localizer(game.header)
        return self.known[version]

    def _load_localizer(self, header: JournalHeader) -> Localizer | None:
        from interpreter.api.resume import load_journal_rules
        from interpreter.runtime.errors import SetupError
        from interpreter.runtime.localizer import Localizer

        try:
            localizer = Localizer(load_journal_rules(header).program, self.lang)
        except (RulesetError, SetupError, OSError):
            return None
        return localizer if localizer.lang == self.lang else None


def _format_seat(seat: str, player: str, localizer: Localizer | None) -> str:
    return (
        f"{seat} {player}"
        if localizer is None
        else f"{localizer.get_thing_name('seat', seat)} {localizer.format_player(player)}"
    )


def _serialize_game(game: SavedGame) -> dict[str, Any]:
    head = {"name": game.name, "file": str(game.path), "moved": _format_date(game.last_written)}
    if game.problem:
        return {**head, "problem": game.problem}
    return {
        **head,
        **select_fields(game, "ruleset", "scenario", "options", "turn", "phase"),
        "to_move": {"side": game.side, "seat": game.seat} if game.side else None,
        "over": game.is_over,
        "outcome": dict(game.outcome) if game.is_over else None,
        "decisions": game.decisions,
        "dice": "typed" if game.typed_dice else "seed",
        "seats": dict(game.seats),
        "edits": game.edits,
        "problem": None,
    }


def _format_date(seconds: float) -> str:
    """Format a time in seconds since 1970 as local time, to the minute; return "unknown" if it is out of range."""
    try:
        return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "unknown"
