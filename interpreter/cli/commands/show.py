"""Implement `grognard show`: print a ruleset's resolved data in words, as charts, or by value with its origin."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_file, add_flag, add_format, add_ruleset
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, format_counts, prepare_output, write_new_document
from interpreter.cli.output import log_error, print_json, print_lines, print_message, print_result, write_document
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.suggestions import find_close_words, suggest_words
from interpreter.i18n.translator import Translator, get_translator, mark as _
from interpreter.play.lines import TextLine

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset
    from interpreter.tools.maps.piece_groups import ShownPosition

HELP = _("show the data of a ruleset: tables, map, pieces, ladders, scenarios, options, rulebook")
SHOWS_TEXTS = True  # of the ruleset: `cli.main` reports those left out

_SHEETS = ("tables", "map", "pieces", "ladders", "scenarios", "options", "rulebook")
# The paths whose values are listed one by one, by the word that asks for them.
_LISTED = {
    "ruleset": "ruleset", "activation": "activation", "victory": "victory", "tables": "tables", "map": "map",
    "pieces": "pieces", "ladders": "ladders", "scenarios": "scenarios", "scenario": "scenarios",
    "options": "ruleset.options", "rulebook": "rulebook", "sides": "ruleset.sides", "seats": "ruleset.seats",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The requested contents of a ruleset: as JSON data, and as lines of text."""

    data: Any
    lines: Sequence[TextLine]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "what",
        metavar=_("WHAT"),
        nargs="*",
        help=_(
            "tables, map, pieces, ladders, scenarios, options, rulebook, sides, seats, table NAME, scenario "
            "NAME, reconstructed (data still to be copied from the printed game), texts LANG (texts without "
            "a translation), or a document: ruleset, activation, victory (default: an overview)"
        ),
    )
    add_flag(parser, "--resolved", _("print one value per line, with its file and line number"))
    add_file(parser, "--svg", _("with `map`: write the map as an SVG picture"))
    add_flag(parser, "--dark", _("with --svg or --png: draw the map in dark colours"))
    add_file(parser, "--png", _("with `map`: write the map as a PNG picture (needs the extra `png`)"))
    parser.add_argument(
        "--scenario", metavar=_("S"), help=_("with `map`: scenario whose set-up is drawn (default: set by the ruleset)")
    )
    add_file(parser, "--out", _("with `texts`: write the document to this file, which must not exist yet"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the requested data of a ruleset, by default an overview."""
    from interpreter.documents.building.ruleset_builder import read_documents
    from interpreter.tools.describe.ruleset_names import add_names

    what: list[str] = arguments.what
    sink, say = Sink(), get_translator(arguments.lang)
    if what != ["map"] and (arguments.svg or arguments.png or arguments.scenario):
        raise UsageError("--svg, --png and --scenario need `map`: grognard show RULESET map --svg FILE")
    if arguments.dark and not (arguments.svg or arguments.png):
        raise UsageError("--dark needs --svg or --png: grognard show RULESET map --dark --svg FILE")
    if arguments.out and (what[:1] != ["texts"] or arguments.format == "json"):
        raise UsageError("--out needs `texts`: grognard show RULESET texts LANG --out FILE")
    if what[:1] == ["texts"]:
        _show_texts(arguments, what[1:], sink)
    elif arguments.resolved or (len(what) == 1 and what[0] in ("ruleset", "activation", "victory")):
        _show_origins(arguments, what)
    else:
        ruleset = read_documents(arguments.ruleset, sink)
        if ruleset is None:
            raise RulesetError(sink.list_sorted())
        if what == ["reconstructed"]:
            sheet = _build_reconstructed_sheet(arguments, ruleset, add_names(say, ruleset, arguments.lang))
        elif not what:
            sheet = _build_overview_sheet(arguments, ruleset, add_names(say, ruleset, arguments.lang))
        elif what == ["map"]:
            sheet = _build_map_sheet(arguments, ruleset, say)
        else:
            sheet = _build_sheet(ruleset, what, arguments.lang, add_names(say, ruleset, arguments.lang))
        print_result(arguments.format, sheet.data, lambda: sheet.lines)
    if sink.has_errors:
        log_error(
            say(
                "the data has errors ({summary}); to see them all: grognard check",
                summary=format_counts(sink.list_sorted(), say),
            )
        )
        return FINDINGS
    return GOOD


def _build_overview_sheet(arguments: argparse.Namespace, ruleset: Ruleset, say: Translator) -> _Sheet:
    """Return the overview of a ruleset; that of a variant has its differences from its base."""
    from interpreter.documents.target import find_base
    from interpreter.tools.describe.description_lines import format_overview
    from interpreter.tools.describe.descriptions import describe_overview

    lang = arguments.lang
    overview = describe_overview(ruleset, lang)
    base = find_base(arguments.ruleset) if ruleset.extends is not None else None
    if base is None:
        return _Sheet(overview, format_overview(overview, say))

    from interpreter.tools.diff.comparison import compare, format_comparison, read_snapshot, serialize_comparison

    say_plainly = get_translator(lang)
    changes = compare(read_snapshot(base), read_snapshot(arguments.ruleset), lang, say_plainly)
    differences = [
        say("differences from {base}:", base=ruleset.extends),
        *(f"  {line}" for line in format_comparison(changes, say_plainly, False)),
    ]
    data = {**overview, "differs": serialize_comparison(changes)}
    return _Sheet(data, format_overview(overview, say, differences))


def _build_reconstructed_sheet(arguments: argparse.Namespace, ruleset: Ruleset, say: Translator) -> _Sheet:
    """Return the values that are still reconstructed, with the lines of a to-do list."""
    from interpreter.documents.listing import list_resolved_values
    from interpreter.documents.pipeline import load_trees
    from interpreter.tools.provenance import format_todo_list, list_reconstructed

    entries = list_reconstructed(ruleset, list_resolved_values(load_trees(arguments.ruleset)), arguments.lang)
    return _Sheet({"reconstructed": entries}, format_todo_list(entries, arguments.ruleset, say))


def _build_map_sheet(arguments: argparse.Namespace, ruleset: Ruleset, say: Translator) -> _Sheet:
    """Return the sheet of the map, or write the requested pictures and return their names.

    Shows the position at the first decision, as far as the ruleset can be played.
    """
    from interpreter.queries.map_pictures import build_start_position
    from interpreter.tools.describe.descriptions import describe_map
    from interpreter.tools.maps.piece_groups import find_default_scenario, serialize_groups
    from interpreter.tools.maps.text.characters import render_text_map

    name, lang = arguments.scenario, arguments.lang
    if name is not None and name not in ruleset.scenarios:
        hint = suggest_words(name, ruleset.scenarios, all_of_them=True)
        raise UsageError("unknown scenario `{name}`{hint}", name=name, hint=hint)
    scenario = find_default_scenario(ruleset) if name is None else ruleset.scenarios[name]
    position = build_start_position(ruleset, arguments.ruleset, scenario, lang)
    if arguments.svg or arguments.png:
        files, warnings = _write_pictures(arguments, ruleset, position, say)
        lines = [*(say("wrote {file}", file=file) for file in files), *warnings]
        return _Sheet({"written": files, "warnings": warnings}, lines)
    data = {
        **describe_map(ruleset, lang),
        "scenario": position.scenario.id if position.scenario else None,
        "when": str(position.when),
        "standing": serialize_groups(ruleset, position.groups),
        "beside": serialize_groups(ruleset, position.off_map_groups),
        "turn": position.turn or None,
    }
    width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    return _Sheet(data, render_text_map(ruleset, position.scenario, lang, say, position, width))


def _write_pictures(
    arguments: argparse.Namespace, ruleset: Ruleset, position: ShownPosition, say: Translator
) -> tuple[list[str], list[str]]:
    """Write the requested pictures of a position. Return the file names and warnings."""
    from interpreter.queries.map_pictures import write_picture
    from interpreter.tools.maps.painting.palette import DARK, LIGHT
    from interpreter.tools.maps.svg import render_map

    palette = DARK if arguments.dark else LIGHT
    picture = render_map(ruleset, position.scenario, arguments.lang, position, say, palette=palette)
    warnings = list[str]()
    for name, is_png in ((arguments.svg, False), (arguments.png, True)):
        if name:
            with prepare_output(name):
                warnings += write_picture(name, picture, is_png, say)
    return [name for name in (arguments.svg, arguments.png) if name], warnings


def _show_texts(arguments: argparse.Namespace, languages: list[str], sink: Sink) -> None:
    from interpreter.api.loading import read_model
    from interpreter.tools.describe.translator_texts import describe_texts, format_texts

    model = read_model(arguments.ruleset, sink)
    if model is None:
        raise RulesetError(sink.list_sorted())
    own_languages = model.ruleset.languages
    requested = languages or [arguments.lang or next(iter(own_languages[1:]), own_languages[0])]
    if len(requested) > 1 or requested[0] not in own_languages:
        raise UsageError("`texts` needs one language of the ruleset: {known}", known=tuple(own_languages))
    data = describe_texts(model, requested[0])
    if arguments.format == "json":
        print_json(data)
        return
    text = "".join(line + "\n" for line in format_texts(data))
    if arguments.out:
        write_new_document(arguments.out, text)
        print_message(get_translator(arguments.lang)("wrote {file}", file=arguments.out))
    else:
        write_document(text)


def _show_origins(arguments: argparse.Namespace, what: list[str]) -> None:
    from interpreter.documents.listing import list_resolved_values
    from interpreter.documents.pipeline import load_trees
    from interpreter.tools.describe.origins import describe_origins, describe_rule_changes, format_origins

    trees = load_trees(arguments.ruleset)
    listing = list_resolved_values(trees)
    rules = describe_rule_changes(trees) if arguments.resolved and what in ([], ["rules"]) else []
    data: list[dict[str, Any]] = []
    for prefix in _list_prefixes(what, [*listing]) if what != ["rules"] else ():
        data += describe_origins(listing, prefix)
    if what and not data and what != ["rules"]:
        raise UsageError(
            "this ruleset has no `{what}`; its documents are {listing}", what=" ".join(what), listing=tuple(listing)
        )
    if arguments.format == "json":
        print_json({"values": data, **({"rules": rules} if rules else {})})
    else:
        print_lines(
            [
                *format_origins(data, with_place=arguments.resolved),
                *(f"{r['file']}:{r['line']}: rules: {r['what']} {r['path']}" for r in rules),
            ]
        )


def _list_prefixes(words: list[str], sections: list[str]) -> list[str]:
    match words:
        case []:
            return [""]
        case ["table", name]:
            return [f"tables.tables.{name}", f"tables.values.{name}", f"activation.orders.{name}"]
        case ["scenario", name]:
            return [f"scenarios.{name}"]
        case ["tables"]:
            return ["tables", "activation"]
        case [name] if name in _LISTED:
            return [_LISTED[name]]
        case [path] if "." in path and path.partition(".")[0] in sections:
            return [path]
    raise _build_unknown_error(words)


def _build_sheet(ruleset: Ruleset, what: list[str], lang: str, say: Translator) -> _Sheet:
    """Return the sheet that the words `what` ask for. Raise UsageError for other words."""
    from interpreter.tools.describe import description_lines as lines_of, descriptions as data_of
    from interpreter.tools.describe.chart_view import build_ruleset_chart

    parts = {
        "pieces": (data_of.describe_pieces, lines_of.format_pieces),
        "ladders": (data_of.describe_ladders, lines_of.format_ladders),
        "scenarios": (data_of.describe_scenarios, lines_of.format_scenarios),
        "options": (data_of.describe_options, lines_of.format_options),
        "rulebook": (data_of.describe_rulebook, lines_of.format_rulebook),
    }
    match what:
        case ["table", name]:
            return _build_table_sheet(ruleset, name, lang, say)
        case ["scenario", name]:
            return _build_scenario_sheet(ruleset, name, lang, say)
        case ["tables"]:
            data = data_of.describe_tables(ruleset, lang)
            charts = (build_ruleset_chart(table, ruleset, lang, say) for table in ruleset.tables.values())
            return _Sheet(data, lines_of.format_tables(data["values"], charts, say))
        case [name] if name in parts:
            describe, format_part = parts[name]
            data = describe(ruleset, lang)
            return _Sheet(data, format_part(data, say))
        case [name] if (kind := _find_kind(ruleset, name)) is not None:
            data = data_of.describe_things(ruleset, kind, lang)
            return _Sheet(data, lines_of.format_things(data, say))
        case [name] if name in ruleset.tables or name in ruleset.constants:
            return _build_table_sheet(ruleset, name, lang, say)
    kinds = [k.many for k in ruleset.kinds.values()]
    raise _build_unknown_error(what, [*kinds, *ruleset.tables])


def _find_kind(ruleset: Ruleset, word: str) -> str | None:
    """Return the kind that a word names, built-in or the ruleset's own, singular or plural, or None."""
    for kind in ruleset.kinds.values():
        if kind.id not in ("place", "edge", "piece") and word in (kind.id, kind.id + "s", kind.one, kind.many):
            return kind.id
    return None


def _build_table_sheet(ruleset: Ruleset, name: str, lang: str, say: Translator) -> _Sheet:
    from interpreter.tools.describe.chart_lines import format_chart
    from interpreter.tools.describe.chart_view import build_ruleset_chart
    from interpreter.tools.describe.description_lines import format_tables
    from interpreter.tools.describe.descriptions import describe_table, describe_tables

    if name in ruleset.tables:
        chart = build_ruleset_chart(ruleset.tables[name], ruleset, lang, say)
        return _Sheet(describe_table(ruleset.tables[name], ruleset, lang), format_chart(chart, say))
    if name in ruleset.constants:
        values = [v for v in describe_tables(ruleset, lang)["values"] if v["id"] == name]
        return _Sheet(values[0], format_tables(values, (), say))
    names = [*ruleset.tables, *ruleset.constants]
    raise UsageError("unknown table `{name}`{hint}", name=name, hint=suggest_words(name, names, all_of_them=True))


def _build_scenario_sheet(ruleset: Ruleset, name: str, lang: str, say: Translator) -> _Sheet:
    from interpreter.tools.describe.description_lines import format_scenarios
    from interpreter.tools.describe.descriptions import describe_scenarios

    scenarios = [s for s in describe_scenarios(ruleset, lang)["scenarios"] if s["id"] == name]
    if not scenarios:
        raise UsageError("unknown scenario `{name}`{hint}", name=name, hint=suggest_words(name, ruleset.scenarios))
    return _Sheet(scenarios[0], format_scenarios({"scenarios": scenarios}, say))


def _build_unknown_error(what: list[str], more: list[str] | None = None) -> UsageError:
    words = " ".join(what)
    sheet_names = [*_SHEETS, *_LISTED, *(more or []), "table NAME", "scenario NAME", "reconstructed"]
    if find_close_words(words, sheet_names):
        return UsageError("cannot show `{words}`{hint}", words=words, hint=suggest_words(words, sheet_names))
    sheets = dict.fromkeys(
        [*_SHEETS, *(more or []), _("table NAME"), "reconstructed", "texts", "ruleset", "activation", "victory"]
    )
    return UsageError("cannot show `{words}`; available: {sheets}", words=words, sheets=tuple(sheets))
