"""Implement `grognard table`: export a chart to a spreadsheet or CSV file, and import it into the documents."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.arguments import add_file, add_flag, add_format, add_ruleset
from interpreter.cli.errors import GOOD, USAGE, UsageError, is_missing
from interpreter.cli.output import say, say_json, say_lines, tell, tell_prepared
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.os_errors import said_by_system
from interpreter.i18n.translator import Translate, mark as _, speaker

HELP = _("write a chart into a spreadsheet or CSV file, or read it back from one")
ENDINGS = (".csv", ".xlsx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("what", metavar="export|import", choices=("export", "import"), help=_("out to a file, or in"))
    add_ruleset(parser)
    parser.add_argument("table", metavar=_("TABLE"), help=_("the chart's name, as `show RULESET tables` gives it"))
    add_file(parser, "file", _("a file that ends in .csv or .xlsx"))
    add_flag(parser, "--force", _("with `export`: write over a file, and cells that spreadsheets would carry out"))
    add_flag(parser, "--dry-run", _("with `import`: say what would change, and change nothing"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write or read the file. Errors in it are usage errors, reported by cell, and nothing is changed."""
    path = Path(arguments.file)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError("{file}: expected a file that ends in .csv or .xlsx", file=arguments.file)
    told = speaker(arguments.lang)
    return _export(arguments, path, told) if arguments.what == "export" else _import(arguments, path, told)


def _export(arguments: argparse.Namespace, path: Path, told: Translate) -> int:
    from interpreter.diagnostics.suggestions import guess
    from interpreter.tools.diff.snapshot import read_held
    from interpreter.tools.spreadsheets.chart_grids import chart_rows
    from interpreter.tools.spreadsheets.sheet_writing import like_dates, sheet_bytes, with_colons

    ruleset = read_held(arguments.ruleset).ruleset
    table = ruleset.tables.get(arguments.table)
    if table is None:
        hint = guess(arguments.table, ruleset.tables, all_of_them=True)
        raise UsageError("there is no chart `{name}`{hint}", name=arguments.table, hint=hint)
    if path.exists() and not arguments.force:
        raise UsageError("{file} exists already; choose another name, or write over it with --force", file=path)
    rows = chart_rows(table, ruleset)
    is_csv = path.suffix.lower() == ".csv"
    if is_csv:
        rows = with_colons(rows, max(1, len(table.axes) - 1))
    data = sheet_bytes(path, table.id, rows, arguments.force)
    try:
        path.write_bytes(data)
    except OSError as fault:
        raise UsageError("{file} cannot be written: {problem}", file=path, problem=said_by_system(fault)) from None
    if arguments.format == "json":
        say_json({"table": table.id, "file": str(path), "rows": rows})
    else:
        say(told("{table}: {number} rows written to {file}", table=table.id, number=len(rows), file=path))
    dates = like_dates(rows) if is_csv else []
    if dates:
        tell(told("spreadsheets will read {texts} as dates; a file that ends in .xlsx is safe", texts=tuple(dates[:4])))
    return GOOD


def _import(arguments: argparse.Namespace, path: Path, told: Translate) -> int:
    from interpreter.diagnostics.rendering import render
    from interpreter.tools.diff.comparison import comparison_data, comparison_lines
    from interpreter.tools.diff.snapshot import read_held
    from interpreter.tools.spreadsheets.chart_import import read_chart
    from interpreter.tools.spreadsheets.chart_update import write_chart

    held = read_held(arguments.ruleset)
    try:
        read = read_chart(held, arguments.table, path, arguments.lang, told)
    except RulesetError as fault:
        if is_missing(fault.diagnostics):
            raise
        tell_prepared(render(fault.diagnostics, say=told))
        tell("\ngrognard: " + told("nothing was changed"))
        return USAGE
    changed = None if arguments.dry_run or not read.differences else write_chart(arguments.ruleset, read)
    if arguments.format == "json":
        data = {"table": arguments.table, "file": None if changed is None else str(changed)}
        say_json({**data, "differences": comparison_data(read.differences)})
        return GOOD
    say_lines(comparison_lines(read.differences, told, with_place=False))
    if changed is not None:
        say(told("written to {file}", file=changed))
    elif read.differences:
        say(told("nothing was changed"))
    return GOOD
