"""Entry point of the command line: discover the commands, parse the arguments, run one, and return its exit code.

Imports only what every command needs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from interpreter import __version__
from interpreter.cli import authoring, commands, experiments
from interpreter.cli.arguments import add_language, list_given_targets
from interpreter.cli.errors import FINDINGS, INTERRUPTED, USAGE, print_failure
from interpreter.cli.output import log, log_error, prepare_streams
from interpreter.cli.parser import Parser, find_requested_language, localize_argparse, translate_parser
from interpreter.files.assets import find_shadowed_path, format_target_name
from interpreter.i18n.translator import ENGLISH, Translator, get_translator, mark as _

_HELP = ("-h", "--help")
_WITHOUT_COMMANDS = ("", "--version")  # what can be answered without any command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return 0 on success, 1 for findings or failures, 2 for wrong usage."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    say: Translator = ENGLISH
    try:
        prepare_streams()
        say = get_translator(find_requested_language(args))
        code = _run(args, say)
        _flush()
        return code
    except KeyboardInterrupt:
        log_error(say("stopped"), is_apart=True)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return FINDINGS
    except OSError as error:  # the output cannot be written
        _drop_output()
        return print_failure(error, say)


def list_command_names() -> list[str]:
    """Return the names of all commands in alphabetical order."""
    return sorted(_list_command_modules())


@cache
def _list_command_modules() -> dict[str, str]:
    """Return the module of each command by name."""
    return {
        module.name: f"{package.__name__}.{module.name}"
        for package in (commands, authoring, experiments)
        for module in iter_modules(package.__path__)
        if not module.name.startswith("_")
    }


def _find_first_word(args: list[str]) -> str:
    """Return the first argument, skipping a leading `--lang X` or `--lang=X`; '' if none is left."""
    words = args[2:] if args[:1] == ["--lang"] else args[1:] if args[:1] and args[0].startswith("--lang=") else args
    return words[0] if words else ""


def _run(args: list[str], say: Translator) -> int:
    if args and not args[0].startswith("-") and args[0] not in list_command_names():
        return _print_unknown_command(args[0], say)
    try:
        with localize_argparse(say):
            parsed = _parse_arguments(args, say)
    except SystemExit as end:  # argparse has printed the error or the help
        _flush()
        return end.code if isinstance(end.code, int) else USAGE
    command: ModuleType | None = parsed.command
    if command is None:
        from interpreter.cli.start_menu import run_menu

        return run_menu(parsed.lang, main)
    _print_shadowed(list_given_targets(parsed), say)
    try:
        shows_texts = getattr(command, "SHOWS_TEXTS", False)
        code: int = _run_with_exhaustible_texts(command, parsed, say) if shows_texts else command.run(parsed)
        return code
    except BrokenPipeError:
        raise
    except Exception as error:
        return print_failure(error, say)


def _print_shadowed(targets: list[str], say: Translator) -> None:
    """Tell which folders or files in the working directory are not loaded because a built-in ruleset has their name."""
    for target in targets:
        path = find_shadowed_path(target)
        other_targets = [Path(other) for other in targets if other != target]
        if path is not None and Path(path) not in other_targets:
            log(
                say(
                    "`{name}` is the built-in ruleset; to use your own copy in this folder, write {path}",
                    name=format_target_name(target),
                    path=path,
                )
            )


def _run_with_exhaustible_texts(command: ModuleType, parsed: argparse.Namespace, say: Translator) -> int:
    """Run a command that shows texts of a ruleset, and return its exit code.

    Texts that are left out because their shared budget of computation is used up are reported.
    """
    from interpreter.runtime.limits import tolerate_exhaustion

    with tolerate_exhaustion(
        lambda fault: log(say("some texts are left out here; error in the rules: {fault}", fault=fault))
    ):
        code: int = command.run(parsed)
        return code


def _parse_arguments(args: list[str], say: Translator) -> argparse.Namespace:
    """Parse the arguments; `command` is None if no command is given."""
    command_word = _find_first_word(args)
    if command_word in _list_command_modules():
        names = [command_word]
    else:
        names = [] if command_word in _WITHOUT_COMMANDS else list_command_names()
    parsed: argparse.Namespace = _build_parser(say, names, command_word not in _HELP).parse_args(args)
    return parsed


def _build_parser(say: Translator, names: Sequence[str], with_arguments: bool) -> argparse.ArgumentParser:
    """Build the parser of the commands with these names, so that the modules of others are not imported.

    `with_arguments`: add the arguments of each command, which import more.
    """
    parser = Parser(
        prog="grognard",
        allow_abbrev=False,
        description=_("Plays board wargames from data, checks the data, and cites the rule behind every answer."),
        epilog=_(
            "RULESET is a built-in ruleset, its variant or scenario as ID/NAME, a folder, or a variant or scenario "
            "file. Exit codes: 0 success, 1 findings or failures, 2 wrong usage."
        ),
    )
    parser.add_argument("--version", action="version", version=f"grognard {__version__}")
    add_language(parser, of_a_command=False)
    parser.set_defaults(command=None)
    choices = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"))
    for name in names:
        module = import_module(_list_command_modules()[name])
        subparser = choices.add_parser(name, help=module.HELP, description=module.HELP, allow_abbrev=False)
        if with_arguments:
            module.add_arguments(subparser)
        add_language(subparser)
        subparser.set_defaults(command=module)
        translate_parser(subparser, say)
    translate_parser(parser, say)
    return parser


def _print_unknown_command(word: str, say: Translator) -> int:
    from interpreter.diagnostics.suggestions import suggest_words

    hint = suggest_words(word, list_command_names(), all_of_them=True)
    log_error(say("`{word}` is not a command{hint}", word=word, hint=hint))
    log(say("try: {command}", command="grognard --help"))
    return USAGE


def _flush() -> None:
    """Flush the output, if there is one, while a failure can still be reported."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Redirect the output to the null device after a broken pipe, so that later writes cannot raise."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
