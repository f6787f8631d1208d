"""`grognard list`: what ships with the program."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.output import say, say_json, tell

HELP = "list the shipped rulesets with their scenarios, variants and options"

_Title = str | dict[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    from interpreter.documents.loading import list_shipped

    shipped = list_shipped()
    lang: str = arguments.lang
    if arguments.format == "json":
        say_json(
            {
                "rulesets": [
                    {
                        "id": s.id,
                        "title": _words(s.title, lang),
                        "folder": s.folder,
                        "scenarios": _named(s.scenarios, lang),
                        "variants": _named(s.variants, lang),
                        "options": _named(s.options, lang),
                    }
                    for s in shipped
                ]
            }
        )
        return GOOD
    if not shipped:
        tell("grognard: no rulesets were found beside the program; name a folder instead")
        return FINDINGS
    for n, ruleset in enumerate(shipped):
        if n:
            say()
        say(f"{ruleset.id}: {_words(ruleset.title, lang)}")
        for what, entries in (
            ("scenarios", ruleset.scenarios),
            ("variants", ruleset.variants),
            ("options", ruleset.options),
        ):
            _say_entries(what, entries, lang)
        if ruleset.variants:
            say(f"  (a variant is named by its file, in {ruleset.folder}/variants)")
    return GOOD


def _say_entries(what: str, entries: dict[str, _Title], lang: str) -> None:
    if not entries:
        return
    say(f"  {what}:")
    width = max(len(i) for i in entries)
    for entry, title in entries.items():
        say(f"    {entry.ljust(width)}  {_words(title, lang)}")


def _named(entries: dict[str, _Title], lang: str) -> list[dict[str, str]]:
    return [{"id": i, "title": _words(t, lang)} for i, t in entries.items()]


def _words(title: _Title, lang: str) -> str:
    if isinstance(title, str):
        return title
    return title.get(lang) or next(iter(title.values()), "")
