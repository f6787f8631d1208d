"""Implement `grognard explain`: explain a diagnostic code or show a rule of a ruleset."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_format, add_target
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import print_json, print_line, print_result
from interpreter.diagnostics.diagnostic import Sink
from interpreter.files.assets import list_shipped_rulesets
from interpreter.i18n.number_format import normalize_paragraph_number
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.lsp.symbol_index import RulesetSymbol

_ASKED = ("procedure", "define", "rule", "tally", "draft", "event", "attribute", "value", "table", "option")
HELP = _("explain a diagnostic code, or a rule of a ruleset")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.usage = _("grognard explain CODE | grognard explain RULESET RULE [--format text|json] [--lang L]")
    add_target(parser, "subject", _("CODE|RULESET"), _("a code such as unknown-key, or a ruleset"))
    parser.add_argument(
        "rule", metavar=_("RULE"), nargs="?", help=_("paragraph number of the ruleset, or a name in its rules")
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation of a diagnostic code, or of a rule or name of a ruleset."""
    if arguments.rule is None:
        return _explain_code(arguments.subject, arguments.format, arguments.lang)
    return _explain_rule(arguments)


def _explain_code(code: str, form: str, lang: str) -> int:
    from interpreter.diagnostics.suggestions import suggest_words
    from interpreter.tools.describe.explanations import list_diagnostic_codes, read_diagnostic_page

    page = read_diagnostic_page(code, "" if form == "json" else lang)
    if page is None:
        if code in list_shipped_rulesets():
            raise UsageError(
                "which rule of {code}? Name one: grognard explain {code} RULE (grognard show {code} rulebook "
                "lists them)",
                code=code,
            )
        raise UsageError(
            "the code `{code}` has no page{hint}", code=code, hint=suggest_words(code, list_diagnostic_codes())
        )
    if form == "json":
        print_json({"code": code, "text": page})
    else:
        print_line(page.rstrip())
    return GOOD


def _explain_rule(arguments: argparse.Namespace) -> int:
    from interpreter.api.game import load
    from interpreter.diagnostics.suggestions import suggest_words
    from interpreter.tools.cases.case_documents import collect_cases
    from interpreter.tools.describe.explanations import describe_rule, format_rule
    from interpreter.tools.describe.ruleset_names import add_names
    from interpreter.tools.lsp.symbol_index import build_index

    model = load(arguments.subject, checked=True).model
    assert model is not None
    number = normalize_paragraph_number(arguments.rule, model.ruleset.rulebook)
    if number not in model.ruleset.rulebook:
        if symbols := [name for name in build_index(model).names.get(number, ()) if name.sort != "keyword"]:
            return _explain_names(symbols, arguments)
        below = [p for p in model.ruleset.rulebook if p.startswith((number + "-", number + "."))]
        hint = (
            _("; its paragraphs: {numbers}", numbers=tuple(below[:12]))
            if below
            else suggest_words(
                number, [*model.ruleset.rulebook, *(n.name for n in build_index(model).iter_symbols(*_ASKED))]
            )
        )
        raise UsageError("the rulebook has no paragraph `{number}`{hint}", number=number, hint=hint)
    data = describe_rule(model, number, collect_cases(arguments.subject, Sink()), arguments.lang)
    print_result(
        arguments.format,
        data,
        lambda: format_rule(data, add_names(get_translator(arguments.lang), model.ruleset, arguments.lang)),
    )
    return GOOD


def _explain_names(symbols: list[RulesetSymbol], arguments: argparse.Namespace) -> int:
    """Print what each name refers to, where it is declared, and what the rules say about it. Return GOOD."""
    say = get_translator(arguments.lang)
    data = [
        {"name": n.name, "sort": n.sort, "what": n.brief, "place": str(n.span) if n.span else None, "told": n.summary}
        for n in symbols
    ]

    def iter_lines() -> Iterator[str]:
        for name in symbols:
            yield name.brief if name.brief.startswith(name.sort) else f"{name.sort} {name.brief or name.name}"
            if name.span is not None:
                yield "  " + say("declared in {place}", place=f"{name.span.file}:{name.span.line}")
            yield from (f"  {line}" for line in name.summary.splitlines() if line)

    print_result(arguments.format, {"names": data}, lambda: list(iter_lines()))
    return GOOD
