"""Implement `grognard show`: print a ruleset's resolved data in words, as charts, or by value with its origin."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_file, add_flag, add_format, add_ruleset
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, format_counts, write_new_document, writing_output
from interpreter.cli.output import log_error, print_json, print_lines, print_message, print_result, write_document
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.suggestions import close_words, suggest_words
from interpreter.i18n.translator import Translator, mark as _, translator_for
from interpreter.play.lines import TextLine

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset
    from interpreter.tools.maps.piece_groups import ShownPosition

HELP = _("show the data of a ruleset: tables, map, pieces, ladders, scenarios, options, rulebook")

_SHEETS = ("tables", "map", "pieces", "ladders", "scenarios", "options", "rulebook")
# Printed value by value: the merged documents, and the paths of the parts of a sheet in them.
_LISTED = {
    "ruleset": "ruleset", "activation": "activation", "victory": "victory", "tables": "tables", "map": "map",
    "pieces": "pieces", "ladders": "ladders", "scenarios": "scenarios", "scenario": "scenarios",
    "options": "ruleset.options", "rulebook": "rulebook", "sides": "ruleset.sides", "seats": "ruleset.seats",
}  # fmt: skip


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
    add_flag(parser, "--resolved", _("one value per line, each with its file and line number"))
    add_file(parser, "--svg", _("with `map`: write the map as an SVG picture"))
    add_flag(parser, "--dark", _("with --svg or --png: draw the map in dark colours"))
    add_file(parser, "--png", _("with `map`: write the map as a PNG picture (needs the extra `png`)"))
    parser.add_argument(
        "--scenario", metavar=_("S"), help=_("with `map`: scenario whose set-up is drawn (default: set by the ruleset)")
    )
    add_file(parser, "--out", _("with `texts`: write the document to this file, which must not exist"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the requested data of a ruleset, by default an overview."""
    from interpreter.documents.building.ruleset_builder import load_documents
    from interpreter.tools.describe.ruleset_names import with_names

    what: list[str] = arguments.what
    sink, say = Sink(), translator_for(arguments.lang)
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
        ruleset = load_documents(arguments.ruleset, sink)
        if ruleset is None:
            raise RulesetError(sink.sorted())
        if what == ["reconstructed"]:
            data, lines = _reconstructed_sheet(arguments, ruleset, with_names(say, ruleset, arguments.lang))
        elif what == ["map"]:
            data, lines = _map_sheet(arguments, ruleset, say)
        else:
            data, lines = _sheet(ruleset, what, arguments.lang, with_names(say, ruleset, arguments.lang))
            if not what and ruleset.extends is not None:
                data, lines = _with_differences(arguments.ruleset, ruleset.extends, data, lines, arguments.lang)
        print_result(arguments.format, data, lambda: lines)
    if sink.has_errors:
        log_error(
            say(
                "the data has errors ({summary}); to see them all: grognard check",
                summary=format_counts(sink.sorted(), say),
            )
        )
        return FINDINGS
    return GOOD


def _with_differences(
    target: str, base: str, data: Mapping[str, Any], lines: Sequence[TextLine], lang: str
) -> tuple[Any, Sequence[TextLine]]:
    """Return the overview of a variant with its differences from the base, as data and as lines.

    `base`: the base as the variant names it; `data` and `lines`: the overview without the differences, which is
    returned unchanged if the target is not a variant.
    """
    from interpreter.documents.target import base_of
    from interpreter.tools.diff.comparison import compare, comparison_data, comparison_lines, read_snapshot

    below = base_of(target)
    if below is None:
        return data, lines
    say = translator_for(lang)
    changes = compare(read_snapshot(below), read_snapshot(target), lang, say)
    differences = [
        say("differences from {base}:", base=base),
        *(f"  {line}" for line in comparison_lines(changes, say, False)),
    ]
    head = 3 if data["about"] else 1  # the title and the variant's description
    return {**data, "differs": comparison_data(changes)}, [*lines[:head], "", *differences, *lines[head:]]


def _reconstructed_sheet(
    arguments: argparse.Namespace, ruleset: Ruleset, say: Translator
) -> tuple[Any, Sequence[TextLine]]:
    """Return the values that are still reconstructed, as data and as the lines of a to-do list."""
    from interpreter.documents.listing import resolved_listing
    from interpreter.documents.pipeline import trees_of
    from interpreter.tools.provenance import list_reconstructed, todo_lines

    entries = list_reconstructed(ruleset, resolved_listing(trees_of(arguments.ruleset)), arguments.lang)
    return {"reconstructed": entries}, todo_lines(entries, arguments.ruleset, say)


def _map_sheet(arguments: argparse.Namespace, ruleset: Ruleset, say: Translator) -> tuple[Any, Sequence[TextLine]]:
    """Return the map as data and as lines, or write the requested pictures and return their names.

    Shows the position at the first decision, as far as the ruleset can be played.
    """
    from interpreter.queries.map_pictures import shown_at_start
    from interpreter.tools.describe.descriptions import map_data
    from interpreter.tools.maps.piece_groups import default_scenario, groups_data
    from interpreter.tools.maps.text.characters import text_map

    name, lang = arguments.scenario, arguments.lang
    if name is not None and name not in ruleset.scenarios:
        hint = suggest_words(name, ruleset.scenarios, all_of_them=True)
        raise UsageError("unknown scenario `{name}`{hint}", name=name, hint=hint)
    scenario = default_scenario(ruleset) if name is None else ruleset.scenarios[name]
    position = shown_at_start(ruleset, arguments.ruleset, scenario, lang)
    if arguments.svg or arguments.png:
        written, warnings = _write_pictures(arguments, ruleset, position, say)
        return {"written": written, "warnings": warnings}, [*(say("wrote {file}", file=x) for x in written), *warnings]
    data = {
        **map_data(ruleset, lang),
        "scenario": position.scenario.id if position.scenario else None,
        "when": str(position.when),
        "standing": groups_data(ruleset, position.groups),
        "beside": groups_data(ruleset, position.off_map_groups),
        "turn": position.turn or None,
    }
    width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    return data, text_map(ruleset, position.scenario, lang, say, position, width)


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
            with writing_output(name):
                warnings += write_picture(name, picture, is_png, say)
    return [name for name in (arguments.svg, arguments.png) if name], warnings


def _show_texts(arguments: argparse.Namespace, languages: list[str], sink: Sink) -> None:
    from interpreter.api.loading import load_model
    from interpreter.tools.describe.translator_texts import texts_data, texts_lines

    model = load_model(arguments.ruleset, sink)
    if model is None:
        raise RulesetError(sink.sorted())
    known = model.ruleset.languages
    wanted = languages or [arguments.lang or next(iter(known[1:]), known[0])]
    if len(wanted) > 1 or wanted[0] not in known:
        raise UsageError("`texts` needs one language of the ruleset: {known}", known=tuple(known))
    data = texts_data(model, wanted[0])
    if arguments.format == "json":
        print_json(data)
        return
    text = "".join(line + "\n" for line in texts_lines(data))
    if arguments.out:
        write_new_document(arguments.out, text)
        print_message(translator_for(arguments.lang)("wrote {file}", file=arguments.out))
    else:
        write_document(text)


def _show_origins(arguments: argparse.Namespace, what: list[str]) -> None:
    from interpreter.documents.listing import resolved_listing
    from interpreter.documents.pipeline import trees_of
    from interpreter.tools.describe.origins import origins_data, origins_lines, rule_changes_data

    trees = trees_of(arguments.ruleset)
    listing = resolved_listing(trees)
    rules = rule_changes_data(trees) if arguments.resolved and what in ([], ["rules"]) else []
    data: list[dict[str, Any]] = []
    for prefix in _prefixes(what, [*listing]) if what != ["rules"] else ():
        data += origins_data(listing, prefix)
    if what and not data and what != ["rules"]:
        raise UsageError(
            "this ruleset has no `{what}`; its documents are {listing}", what=" ".join(what), listing=tuple(listing)
        )
    if arguments.format == "json":
        print_json({"values": data, **({"rules": rules} if rules else {})})
    else:
        print_lines(
            [
                *origins_lines(data, with_place=arguments.resolved),
                *(f"{r['file']}:{r['line']}: rules: {r['what']} {r['path']}" for r in rules),
            ]
        )


def _prefixes(what: list[str], sections: list[str]) -> list[str]:
    match what:
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
    raise _unknown(what)


def _sheet(ruleset: Ruleset, what: list[str], lang: str, say: Translator) -> tuple[Any, Sequence[TextLine]]:
    """Return the sheet that the words `what` ask for, as data and as lines; the overview without words."""
    from interpreter.tools.describe import description_lines as text_of, descriptions as data_of
    from interpreter.tools.describe.chart_view import ruleset_chart

    match what:
        case []:
            data = data_of.overview_data(ruleset, lang)
            return data, text_of.overview_lines(data, say)
        case ["table", name]:
            return _table(ruleset, name, lang, say)
        case ["scenario", name]:
            return _scenario(ruleset, name, lang, say)
        case ["tables"]:
            data = data_of.tables_data(ruleset, lang)
            views = (ruleset_chart(t, ruleset, lang, say) for t in ruleset.tables.values())
            return data, text_of.tables_lines(data["values"], views, say)
        case ["map"]:
            data = data_of.map_data(ruleset, lang)
            return data, text_of.map_lines(data, say)
        case ["pieces"]:
            data = data_of.pieces_data(ruleset, lang)
            return data, text_of.pieces_lines(data, say)
        case ["ladders"]:
            data = data_of.ladders_data(ruleset, lang)
            return data, text_of.ladders_lines(data, say)
        case ["scenarios"]:
            data = data_of.scenarios_data(ruleset, lang)
            return data, text_of.scenarios_lines(data, say)
        case ["options"]:
            data = data_of.options_data(ruleset, lang)
            return data, text_of.options_lines(data, say)
        case ["rulebook"]:
            data = data_of.rulebook_data(ruleset, lang)
            return data, text_of.rulebook_lines(data, say)
        case [name] if (kind := _find_kind(ruleset, name)) is not None:
            data = data_of.things_data(ruleset, kind, lang)
            return data, text_of.things_lines(data, say)
        case [name] if name in ruleset.tables or name in ruleset.constants:
            return _table(ruleset, name, lang, say)
    kinds = [k.many for k in ruleset.kinds.values()]
    raise _unknown(what, [*kinds, *ruleset.tables])


def _find_kind(ruleset: Ruleset, word: str) -> str | None:
    """Return the kind that a word names, built-in or the ruleset's own, singular or plural, or None."""
    for kind in ruleset.kinds.values():
        if kind.id not in ("place", "edge", "piece") and word in (kind.id, kind.id + "s", kind.one, kind.many):
            return kind.id
    return None


def _table(ruleset: Ruleset, name: str, lang: str, say: Translator) -> tuple[Any, Sequence[TextLine]]:
    from interpreter.tools.describe.chart_lines import chart_lines
    from interpreter.tools.describe.chart_view import ruleset_chart
    from interpreter.tools.describe.description_lines import tables_lines
    from interpreter.tools.describe.descriptions import table_data, tables_data

    if name in ruleset.tables:
        data = table_data(ruleset.tables[name], ruleset, lang)
        return data, chart_lines(ruleset_chart(ruleset.tables[name], ruleset, lang, say), say)
    if name in ruleset.constants:
        values = [v for v in tables_data(ruleset, lang)["values"] if v["id"] == name]
        return values[0], tables_lines(values, (), say)
    known = [*ruleset.tables, *ruleset.constants]
    raise UsageError("unknown table `{name}`{hint}", name=name, hint=suggest_words(name, known, all_of_them=True))


def _scenario(ruleset: Ruleset, name: str, lang: str, say: Translator) -> tuple[Any, Sequence[TextLine]]:
    from interpreter.tools.describe.description_lines import scenarios_lines
    from interpreter.tools.describe.descriptions import scenarios_data

    scenarios = [s for s in scenarios_data(ruleset, lang)["scenarios"] if s["id"] == name]
    if not scenarios:
        raise UsageError("unknown scenario `{name}`{hint}", name=name, hint=suggest_words(name, ruleset.scenarios))
    return scenarios[0], scenarios_lines({"scenarios": scenarios}, say)


def _unknown(what: list[str], more: list[str] | None = None) -> UsageError:
    words = " ".join(what)
    known = [*_SHEETS, *_LISTED, *(more or []), "table NAME", "scenario NAME", "reconstructed"]
    if close_words(words, known):
        return UsageError("cannot show `{words}`{hint}", words=words, hint=suggest_words(words, known))
    sheets = dict.fromkeys(
        [*_SHEETS, *(more or []), _("table NAME"), "reconstructed", "texts", "ruleset", "activation", "victory"]
    )
    return UsageError("cannot show `{words}`; available: {sheets}", words=words, sheets=tuple(sheets))
