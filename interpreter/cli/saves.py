"""Saved games named on the command line, by file, by name, or the most recent one, and how to open them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from interpreter.cli.arguments import add_file, add_flag, add_target
from interpreter.cli.errors import UsageError
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.files.file_names import resolve_spelling
from interpreter.i18n.translator import mark as _

if TYPE_CHECKING:
    from interpreter.api.resume import Replay

LAST_GAME = ""  # the value of --resume without an argument


def add_saves(parser: argparse.ArgumentParser) -> None:
    """Add --save, --name, --resume and --dice."""
    add_file(parser, "--save", _("save the game in this file"))
    parser.add_argument("--name", metavar=_("NAME"), help=_("save the game under this name in your list of games"))
    parser.add_argument(
        "--resume",
        metavar=_("GAME"),
        nargs="?",
        const=LAST_GAME,
        help=_("continue a game: its name or file, or nothing for the last one; RULESET may be left out"),
    )
    add_flag(
        parser,
        "--take-over",
        _("with --resume: play on even if another program has the game open; that program stops saving it"),
    )
    parser.add_argument(
        "--dice",
        choices=("seed", "ask"),
        help=_("seed: the program rolls; ask: you roll real dice and type the results (default: seed)"),
    )


def refuse_contradictions(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options of `play` that contradict each other."""
    if arguments.resume is None:
        if arguments.take_over:
            raise UsageError("--take-over needs --resume: it takes over a saved game from another program")
        _refuse_for_a_new_game(arguments)
        return
    if arguments.position:
        raise UsageError("--resume continues from the current position; leave out --position")
    if arguments.scenario or arguments.option or arguments.seed is not None:
        raise UsageError("--resume continues with the original settings; leave out --scenario, --option, --seed")
    if arguments.save or arguments.name:
        raise UsageError("--resume saves to the file it reads; leave out --save and --name, or copy the file first")


def _refuse_for_a_new_game(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that contradict each other when a new game starts."""
    from interpreter.saves.storage import check_game_name

    if arguments.ruleset is None:
        raise UsageError(
            "play what? Give a ruleset (to list them: grognard list), or continue your last game with --resume"
        )
    if arguments.dice == "ask" and arguments.seed is not None:
        raise UsageError("--dice ask does not use a seed; leave out --seed")
    if arguments.position and (arguments.scenario or arguments.option or arguments.save or arguments.name):
        raise UsageError(
            "--position sets its own scenario and options, and its game is not saved; leave out --scenario, "
            "--option, --save and --name"
        )
    if arguments.save and arguments.name:
        raise UsageError("--save gives the file and --name the name of the saved game; leave out one of them")
    if arguments.save and Path(arguments.save).exists():
        raise UsageError(
            "--save: {save} already exists; continue it with --resume {save}, or choose another name",
            save=arguments.save,
        )
    if arguments.name is None:
        return
    fault = check_game_name(arguments.name)
    if fault:
        raise UsageError("--name {name!r}: {fault}", name=arguments.name[:80], fault=fault)
    path = find_path_for_name(arguments)
    if path.exists():
        raise UsageError(
            "--name: the game `{name}` already exists; continue it with --resume {name!r}, or choose another name",
            name=arguments.name,
        )


def find_path_for_name(arguments: argparse.Namespace) -> Path:
    """Return the file of a game saved with --name."""
    from interpreter.saves.storage import find_journal_path

    path = find_journal_path(arguments.name)
    if path is None:
        raise UsageError("--name: there is no folder for saved games here; give a file with --save")
    return path


def find_path_to_resume(arguments: argparse.Namespace) -> Path:
    """Return the file that --resume refers to. Raises UsageError if the file does not exist."""
    if arguments.resume == LAST_GAME:
        return _find_last(arguments.ruleset)
    return find_game(arguments.resume, "--resume: ")


def find_game(spelling: str, option_prefix: str = "") -> Path:
    """Return the file of a game given by its path or by its name among the user's saved games.

    `option_prefix`: the start of error messages. Raises UsageError if the game does not exist.
    """
    from interpreter.saves.storage import check_game_name, find_journal_path, format_game_name, list_journals

    try:
        if (path := resolve_spelling(Path(spelling))).exists():
            return path
    except (OSError, ValueError):
        raise UsageError(
            "{before}{given!r} is not a valid file name", before=option_prefix, given=spelling[:80]
        ) from None
    saved_path = find_journal_path(spelling) if not check_game_name(normalize("NFC", spelling)) else None
    if saved_path is not None and (saved_path := resolve_spelling(saved_path)).exists():
        return saved_path
    names = [format_game_name(path) for path in list_journals()]
    hint = suggest_words(spelling, names)
    raise UsageError(
        "{before}{given} is not a file or a saved game (to list your games: grognard list games){hint}",
        before=option_prefix,
        given=spelling,
        hint=hint,
    )


def format_resume_command(path: Path, ruleset: str | None, lang: str = "") -> str:
    """Return the command that resumes a game in the language `lang`; `ruleset`: the ruleset to name, or None."""
    return (
        f"grognard play {ruleset + ' ' if ruleset else ''}--resume {_quote_path(path)}{_format_language_option(lang)}"
    )


def format_report_command(path: Path, lang: str = "") -> str:
    """Return the command that prints the report of a game."""
    return f"grognard report {_quote_path(path)}{_format_language_option(lang)}"


def _format_language_option(lang: str) -> str:
    return f" --lang {lang}" if lang else ""


def _quote_path(path: Path) -> str:
    from interpreter.saves.storage import format_game_name

    name = format_game_name(path)
    return f'"{name}"' if " " in name else name


def _find_last(ruleset: str | None) -> Path:
    from interpreter.api.loading import load
    from interpreter.saves.saved_games import find_last_unfinished

    game = find_last_unfinished(load(ruleset).id if ruleset is not None else None)
    if game is None:
        raise UsageError(
            _("--resume: you have no unfinished game; to list all your games: grognard list games")
            if ruleset is None
            else _(
                "--resume: you have no unfinished game of {ruleset}; to list all your games: grognard list games",
                ruleset=ruleset,
            )
        )
    return game.path


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add FILE, --ruleset and --anyway."""
    add_file(parser, "file", _("saved game: its file, or its name in your list"))
    add_target(parser, "--ruleset", _("RULESET"), _("ruleset of the game, if it is not found automatically"))
    add_flag(parser, "--anyway", _("replay up to the first difference even if the ruleset has changed"))


def open_journal(arguments: argparse.Namespace) -> Replay:
    """Open a replay at its start. Raises UsageError if the file does not exist, JournalError if it is invalid."""
    from interpreter.api.resume import open_replay

    return open_replay(find_game(arguments.file), anyway=arguments.anyway, target=arguments.ruleset)
