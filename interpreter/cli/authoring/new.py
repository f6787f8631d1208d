"""Implement `grognard new`: create the first files of a ruleset, a scenario, a variant, a chart or a case."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_target
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import print_message
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.diagnostics.terminal_text import strip_byte_order_mark
from interpreter.files.assets import list_shipped_rulesets
from interpreter.i18n.translator import Translator, get_error_message, get_translator, mark as _
from interpreter.play.lines import format_terminal_line

if TYPE_CHECKING:
    from interpreter.api.game import Rules

HELP = _("create a ruleset, scenario, variant, table or case; asks two questions and writes files that pass the check")
KINDS = ("ruleset", "scenario", "variant", "table", "case")
_MAX_ANSWER_LENGTH = 200  # characters of an answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("kind", metavar=_("KIND"), choices=KINDS, help=_("ruleset, scenario, variant, table or case"))
    parser.add_argument("name", metavar=_("NAME"), help=_("its name in files, such as my_game"))
    add_target(
        parser,
        "--of",
        _("RULESET"),
        _("its ruleset: a built-in id, ID/NAME, a folder or a variant file; asked if left out"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Ask for details, create the files of a ruleset or of a part of one, check them, and print the next steps."""
    from interpreter.tools.scaffold import ScaffoldError

    say = get_translator(arguments.lang)
    try:
        if arguments.kind == "ruleset":
            return _create_ruleset(arguments, say)
        return _create_part(arguments, say)
    except ScaffoldError as fault:
        raise UsageError("{fault}; nothing was written", fault=get_error_message(fault)) from None


def _create_ruleset(arguments: argparse.Namespace, say: Translator) -> int:
    from interpreter.tools.scaffold import (
        BOARDS,
        build_game_files,
        create_folder,
        derive_id,
        derive_title,
        refuse_existing,
        strip_controls,
    )

    if arguments.of is not None:
        raise UsageError("--of: a new ruleset does not belong to another; to change one, make a variant")
    folder = Path(arguments.name)
    id = derive_id(arguments.name)
    refuse_existing([folder])
    title = _ask(_("what is its title?"), derive_title(folder.name), say)
    board = _choose(_("a map of hexes, squares or areas?"), BOARDS, say)
    create_folder(folder, build_game_files(id, strip_controls(title), board))
    _print_next_steps(folder.as_posix(), [folder], say)
    return GOOD


def _create_part(arguments: argparse.Namespace, say: Translator) -> int:
    """Ask for the details of a part of a ruleset, create and check its files, and print the next steps."""
    from interpreter.tools.scaffold import (
        LOOK_UPS,
        build_case_file,
        build_chart_files,
        build_scenario_file,
        build_variant_file,
        create_files,
        derive_id,
        derive_title,
        find_default_paragraph,
        refuse_existing,
        strip_controls,
    )

    id, title = derive_id(arguments.name), derive_title(Path(arguments.name).name)
    target = arguments.of or _ask(_("for which ruleset?"), _find_default_ruleset(), say)
    rules = _load_rules(target)
    if arguments.kind == "case":
        usual, question = find_default_paragraph(rules), _("which paragraph of the rules does it cover?")
    elif arguments.kind == "table":
        usual, question = LOOK_UPS[0], _("how is it read: a die, or odds and a die?")
    else:
        usual, question = title, _("what is its title?")

    def build_files(answer: str) -> dict[Path, str]:
        match arguments.kind:
            case "case":
                return build_case_file(rules, id, answer)
            case "table":
                return build_chart_files(rules, id, title, answer)
            case "scenario":
                return build_scenario_file(rules, id, strip_controls(answer))
            case _:
                return build_variant_file(rules, id, strip_controls(answer))

    refuse_existing(build_files(usual))
    is_table = arguments.kind == "table"
    created = create_files(build_files(_choose(question, LOOK_UPS, say) if is_table else _ask(question, usual, say)))
    folder_or_file = created[0] if arguments.kind in ("variant", "scenario") else Path(target)
    _refuse_faults(folder_or_file.as_posix(), created)
    _print_next_steps(folder_or_file.as_posix() if folder_or_file != Path(target) else target, created, say)
    return GOOD


def _refuse_faults(target: str, created: tuple[Path, ...]) -> None:
    """Delete the created files and raise RulesetError if `check` finds an error in them.

    `target`: the ruleset; `created`: the created files.
    """
    from interpreter.tools.cases.case_checks import check_with_cases
    from interpreter.tools.scaffold import remove_created

    names = {path.name for path in created}
    errors = [d for d in check_with_cases(target) if d.severity == "error" and Path(d.file).name in names]
    if errors:
        remove_created(created)
        raise RulesetError(tuple(errors))


def _load_rules(target: str) -> Rules:
    from interpreter.api.game import load

    return load(target, checked=True)


def _find_default_ruleset() -> str:
    """Return the default ruleset: the current folder, the only one in a subfolder, or else a shipped one."""
    if Path("ruleset.yaml").is_file():
        return "."
    folders = sorted(path.parent.as_posix() for path in Path().glob("*/ruleset.yaml"))
    return folders[0] if len(folders) == 1 else sorted(list_shipped_rulesets())[-1]


def _ask(question: str, default: str, say: Translator) -> str:
    """Read an answer from the keyboard; return the default if nothing is typed or input is closed."""
    text = say("{question} [{default}] ", question=say(question), default=default)
    print(format_terminal_line(text), end="", flush=True)
    try:
        typed = sys.stdin.readline() if sys.stdin is not None else ""
    except (OSError, ValueError):  # standard input is closed
        typed = ""
    if sys.stdin is None or not sys.stdin.isatty():
        print()
    return strip_byte_order_mark(typed, getattr(sys.stdin, "encoding", None)).strip()[:_MAX_ANSWER_LENGTH] or default


def _choose(question: str, words: tuple[str, ...], say: Translator) -> str:
    """Read one of several words, or a unique prefix of one; the first word is the default.

    Raises UsageError for any other text.
    """
    from interpreter.diagnostics.suggestions import suggest_words

    typed = _ask(question, words[0], say).lower()
    matches = [w for w in words if w == typed] or [w for w in words if w.startswith(typed)]
    if len(matches) != 1:
        raise UsageError(
            "nothing was written: expected one of {words}, found `{typed}`{hint}",
            typed=typed,
            words=", ".join(words),
            hint=suggest_words(typed, words),
        )
    return matches[0]


def _print_next_steps(target: str, created: list[Path] | tuple[Path, ...], say: Translator) -> None:
    """Print the created files and folders, and the next commands to try with the ruleset `target`."""
    for path in created:
        print_message(say("made: {file}", file=path.as_posix() + ("/" if path.is_dir() else "")))
    print_message(say("next: grognard check {target}, grognard test {target}, grognard play {target}", target=target))
