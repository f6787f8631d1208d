"""Implement `grognard docs`: render a ruleset's rulebook, charts, map, counters and scenarios as printable pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.errors import GOOD, UsageError, prepare_output
from interpreter.cli.output import print_message
from interpreter.files.safe_read import write_inside
from interpreter.i18n.translator import get_translator, mark as _

HELP = _("make pages of a ruleset: rulebook, charts, map and counters, to read and to print")
SHOWS_TEXTS = True  # of the ruleset: `cli.main` reports those left out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument("--out", metavar=_("DIR"), required=True, help=_("folder for the pages; created if missing"))


def run(arguments: argparse.Namespace) -> int:
    """Render all pages, then write them; if one cannot be rendered, nothing is written."""
    from interpreter.api.game import load
    from interpreter.queries.map_pictures import build_start_position
    from interpreter.tools.site.site import build_book

    say, folder = get_translator(arguments.lang), Path(arguments.out)
    if folder.exists() and not folder.is_dir():
        raise UsageError("{file} is not a folder", file=arguments.out)
    rules = load(arguments.ruleset, checked=True)
    ruleset = rules.documents()
    language = arguments.lang or ""
    files = build_book(
        rules,
        lambda scenario, lang: build_start_position(ruleset, rules.target, ruleset.scenarios[scenario], lang, rules),
        language,
    )
    _refuse_unknown_files(folder, set(files))
    _write(folder, files)
    localized = f"{language}/index.html"
    start_page = (folder / (localized if localized in files else "index.html")).as_posix()
    print_message(say("wrote {number} (file|files); start with {file}", number=len(files), file=start_page))
    return GOOD


def _refuse_unknown_files(folder: Path, names: set[str]) -> None:
    """Raise UsageError if the folder contains other files than the pages of this book, which have these `names`."""
    if not folder.is_dir():
        return
    with prepare_output(folder):
        existing = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    strange = [name for name in existing if name not in names]
    if strange:
        raise UsageError(
            "{folder} contains {file}, which is not a page of this book; give an empty folder",
            folder=folder,
            file=strange[0],
        )


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        with prepare_output(folder / name):
            write_inside(folder, name, text.encode())
