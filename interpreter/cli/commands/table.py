"""Implement `grognard table`: export a chart to a spreadsheet or CSV file, and import it into the documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_file, add_flag, add_format, add_ruleset
from interpreter.cli.errors import GOOD, USAGE, UsageError, is_missing, prepare_output
from interpreter.cli.output import log, log_error, print_json, print_line, print_lines, print_message
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.diff.difference import Difference
    from interpreter.tools.spreadsheets.chart_import import ImportResult

HELP = _("write a chart to a spreadsheet or CSV file, or read it back from one")
ENDINGS = (".csv", ".xlsx")
_OTHERS = (".xls", ".xlsb", ".ods", ".numbers", ".tsv", ".txt")  # what spreadsheets save, too
_MAX_LISTED = 20  # cells that would be emptied


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "what", metavar="export|import", choices=("export", "import"), help=_("export to a file, or import from one")
    )
    add_ruleset(parser)
    parser.add_argument("table", metavar=_("TABLE"), help=_("name of the chart, as listed by `show RULESET tables`"))
    add_file(parser, "file", _("file that ends in .csv or .xlsx"))
    add_flag(parser, "--force", _("with `export`: overwrite an existing file"))
    parser.add_argument(
        "--delimiter",
        metavar=_("SIGN"),
        choices=("comma", "semicolon", "tab"),
        default="comma",
        help=_(
            "with `export`: separator of a CSV file: comma, tab, or semicolon, which uses decimal commas "
            "(default: comma)"
        ),
    )
    parser.add_argument(
        "--sheet", metavar=_("SHEET"), help=_("with `import`: sheet of an .xlsx file (default: the matching one)")
    )
    add_flag(parser, "--yes", _("with `import`: empty cells without asking"))
    add_flag(parser, "--dry-run", _("with `import`: show the changes without making them"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write or read the file. Errors in it are usage errors, reported by cell, and nothing is changed."""
    path = Path(arguments.file)
    ending = path.suffix.lower()
    if ending in _OTHERS:
        raise UsageError("{file}: save it as .xlsx or as `CSV UTF-8` in the spreadsheet program", file=arguments.file)
    if ending not in ENDINGS:
        raise UsageError("{file}: expected a file that ends in .csv or .xlsx", file=arguments.file)
    say = get_translator(arguments.lang)
    try:
        return _export(arguments, path, say) if arguments.what == "export" else _import(arguments, path, say)
    except RulesetError as fault:
        if is_missing(fault.diagnostics):
            raise
        from interpreter.diagnostics.rendering import render

        print(render(fault.diagnostics, say=say), file=sys.stderr)
        done = say("nothing was written") if arguments.what == "export" else say("nothing was changed")
        log_error(done, is_apart=True)
        return USAGE


def _export(arguments: argparse.Namespace, path: Path, say: Translator) -> int:
    """Write a chart to a spreadsheet or CSV file. Return GOOD."""
    from interpreter.tools.diff.comparison import read_snapshot
    from interpreter.tools.spreadsheets.chart_grids import build_chart_rows, may_hold_fractions
    from interpreter.tools.spreadsheets.chart_import import find_chart
    from interpreter.tools.spreadsheets.safe_cells import DELIMITERS
    from interpreter.tools.spreadsheets.sheet_writing import (
        convert_fractions_to_decimals,
        find_date_like,
        serialize_sheet,
        write_odds_with_colons,
    )

    snapshot = read_snapshot(arguments.ruleset)
    _section, _chart, table = find_chart(snapshot, arguments.table)
    if path.exists() and not arguments.force:
        raise UsageError("{file} already exists; choose another name, or overwrite it with --force", file=path)
    rows = build_chart_rows(table, snapshot.ruleset)
    is_csv = path.suffix.lower() == ".csv"
    if is_csv:
        rows = write_odds_with_colons(rows, max(1, len(table.axes) - 1))
        if may_hold_fractions(table, snapshot.ruleset):
            rows = convert_fractions_to_decimals(rows, "," if arguments.delimiter == "semicolon" else ".")
    data = serialize_sheet(path, table.id, rows, DELIMITERS[arguments.delimiter])
    with prepare_output(path):
        path.write_bytes(data)
    if arguments.format == "json":
        print_json({"table": table.id, "file": str(path), "rows": rows})
    else:
        print_line(say("{table}: {number} (row|rows) written to {file}", table=table.id, number=len(rows), file=path))
    dates = find_date_like(rows) if is_csv else []
    if dates:
        log(
            say(
                "spreadsheets read {texts} as dates; use a file that ends in .xlsx to avoid this",
                texts=tuple(dates[:4]),
            )
        )
    return GOOD


def _import(arguments: argparse.Namespace, path: Path, say: Translator) -> int:
    """Read a chart from a file and update the documents. Return USAGE if the user does not confirm, else GOOD."""
    from interpreter.tools.diff.comparison import format_comparison, read_snapshot, serialize_comparison
    from interpreter.tools.spreadsheets.chart_import import read_chart
    from interpreter.tools.spreadsheets.chart_update import write_chart

    snapshot = read_snapshot(arguments.ruleset)
    read = read_chart(snapshot, arguments.table, path, arguments.lang, say, arguments.sheet or "")
    is_json = arguments.format == "json"
    if read.skipped and not is_json:
        log(say("ignored around the chart: {texts}", texts=tuple(text[:40] for text in read.skipped[:4])))
    is_dry = arguments.dry_run or not read.differences
    if not is_dry and not _may_remove(read, arguments, say):
        log(say("nothing was changed"))
        return USAGE
    changed = None if is_dry else write_chart(arguments.ruleset, read)
    if is_json:
        data = {"table": arguments.table, "file": None if changed is None else str(changed)}
        print_json({**data, "differences": serialize_comparison(read.differences)})
        return GOOD
    print_lines(format_comparison(read.differences, say, with_place=False))
    if changed is not None:
        print_message(say("written to {file}", file=changed))
    elif read.differences:
        print_message(say("nothing was changed"))
    return GOOD


def _may_remove(read: ImportResult, arguments: argparse.Namespace, say: Translator) -> bool:
    """Return whether cells may be emptied: with `--yes`, after the user confirms, or if `read` empties none.

    `read`: the changes that the file asks for.
    """
    if not read.removals or arguments.yes:
        return True
    number = len(read.removals)
    log(say("{number} (cell|cells) would become empty:", number=number))
    for line in _format_removals(read.removals, say):
        log(f"  {line}")
    if arguments.format == "json" or sys.stdin is None or not sys.stdin.isatty():
        raise UsageError("nothing was changed; to empty these cells, add --yes; to keep them, fill them in the file")
    print(say("empty them? [y/N] "), end="", flush=True)
    try:
        typed = sys.stdin.readline().strip().casefold()
    except (OSError, ValueError):  # nobody is there to be asked
        typed = ""
    return typed in ("y", "yes", say("yes").casefold())


def _format_removals(removals: Sequence[Difference], say: Translator) -> list[str]:
    lines = [say(removal.message) for removal in removals[:_MAX_LISTED]]
    more = len(removals) - _MAX_LISTED
    return [*lines, say("and {number} more", number=more)] if more > 0 else lines
