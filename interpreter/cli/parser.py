"""Localized argparse: messages of argparse itself in a language, and help columns that fit wide characters."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from interpreter.diagnostics.terminal_text import escape_lines, measure_cells
from interpreter.i18n.translator import ENGLISH, Translator, get_error_message, mark as _

LANGUAGE = "--lang"
# Messages of argparse that users may see; its other messages report programming errors in a command.
ARGPARSE = (
    _("usage: "),
    _("positional arguments"),
    _("optional arguments"),
    _("show this help message and exit"),
    _("show program's version number and exit"),
    _("%(prog)s: error: %(message)s\n"),
    _("argument %(argument_name)s: %(message)s"),
    _("the following arguments are required: %s"),
    _("one of the arguments %s is required"),
    _("unrecognized arguments: %s"),
    _("not allowed with argument %s"),
    _("ignored explicit argument %r"),
    _("ambiguous option: %(option)s could match %(matches)s"),
    _("unexpected option string: %s"),
    _("expected one argument"),
    _("expected at most one argument"),
    _("expected at least one argument"),
    _("expected %s argument"),
    _("expected %s arguments"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    _("invalid %(type)s value: %(value)r"),
    _("unknown parser %(parser_name)r (choices: %(choices)s)"),
    _("can't open '%(filename)s': %(error)s"),
)
_OTHERWISE = {"options": "optional arguments"}  # "option" has another meaning in the game
# characters that may not begin a line
_NO_START = "、。，．）］」』｝：；？！ー～・々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NO_END = "（［「『｛"  # characters that may not end a line


def find_requested_language(args: Sequence[str]) -> str:
    """Return the language named on the command line, before parsing, so that parse errors are localized too."""
    language = ""
    for word, following in zip(args, [*args[1:], ""], strict=False):
        if word == "--":
            break
        if word == LANGUAGE:
            language = following
        elif word.startswith(LANGUAGE + "="):
            language = word.partition("=")[2]
    return language


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors of argument types in the language of `say`."""

    say: Translator = ENGLISH

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if isinstance(error.__context__, argparse.ArgumentTypeError):
                error.message = self.say(get_error_message(error.__context__))
            raise

    def error(self, message: str) -> NoReturn:
        """Print a message about the command line and exit; words of the user, such as names of files, are escaped."""
        super().error(escape_lines(message))

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse declares it
        """Parse the arguments as argparse does; an extra word is explained as a possible scenario name."""
        parsed, unparsed = self.parse_known_args(args, namespace)
        if unparsed:
            message = vars(argparse)["_"]("unrecognized arguments: %s") % " ".join(unparsed)
            if (
                len(unparsed) == 1
                and not unparsed[0].startswith("-")
                and hasattr(parsed, "scenario")
                and not parsed.scenario
            ):
                message += self.say("; use {option} to choose a scenario", option=f"--scenario {unparsed[0]}")
            self.error(message)
        return parsed


@contextmanager
def localize_argparse(say: Translator) -> Iterator[None]:
    """Make argparse use a language within the context.

    argparse takes its language only from the environment, so its two gettext functions are replaced and then restored.
    """

    def gettext(text: str) -> str:
        return say(_OTHERWISE.get(text, text))

    def ngettext(one: str, many: str, number: int) -> str:
        return say(one if number == 1 else many)

    originals = {name: getattr(argparse, name) for name in ("_", "ngettext")}
    if say is not ENGLISH:
        vars(argparse).update({"_": gettext, "ngettext": ngettext})
    try:
        yield
    finally:
        vars(argparse).update(originals)


def translate_parser(parser: Parser, say: Translator) -> None:
    """Translate the texts of a command and of its arguments."""
    parser.say = say
    if say is ENGLISH:
        return
    parser.formatter_class = CellHelpFormatter
    for name in ("usage", "description", "epilog"):
        if text := getattr(parser, name):
            setattr(parser, name, say(text))
    for group in parser._action_groups:
        group.title = say(group.title or "")
    for action in parser._actions:
        if action.help and action.help != argparse.SUPPRESS:
            action.help = say(action.help)
        if isinstance(action.metavar, str):
            action.metavar = say(action.metavar)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                choice.help = say(choice.help or "")


class CellHelpFormatter(argparse.HelpFormatter):
    """A help formatter that measures columns in terminal cells, because wide characters take two."""

    def add_argument(self, action: argparse.Action) -> None:
        """Add an argument as the base class does, with a column width measured in cells."""
        super().add_argument(action)
        if action.help is not argparse.SUPPRESS:
            inside = list(self._iter_indented_subactions(action))
            widest = max(measure_cells(self._format_action_invocation(a)) for a in [action, *inside])
            self._action_max_length = max(self._action_max_length, widest + self._current_indent + 2 * bool(inside))

    def _format_action(self, action: argparse.Action) -> str:
        position = min(self._action_max_length + 2, self._max_help_position)
        head = " " * self._current_indent + self._format_action_invocation(action)
        help_lines = wrap_cells(self._expand_help(action), max(self._width - position, 20)) if action.help else []
        lines = [head]
        if help_lines and measure_cells(head) + 2 <= position:
            lines = [head + " " * (position - measure_cells(head)) + help_lines.pop(0)]
        lines += [" " * position + line for line in help_lines]
        inside = [self._format_action(sub) for sub in self._iter_indented_subactions(action)]
        return "".join([*(f"{line}\n" for line in lines), *inside])

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap a text, but keep the line breaks it has."""
        lines = text.split("\n") if "\n" in text else wrap_cells(text, width - len(indent))
        return "\n".join(indent + line for line in lines)


def wrap_cells(text: str, width: int) -> list[str]:
    """Wrap a text to lines of at most `width` cells, at a space or between wide characters.

    >>> wrap_cells("乱数の種。同じ種なら同じ目が出る", 12)
    ['乱数の種。同', 'じ種なら同じ', '目が出る']
    """
    lines, line = [], ""
    for part in _split_at_break_opportunities(" ".join(text.split())):
        if line and measure_cells(line + part.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += part if line else part.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


def _split_at_break_opportunities(text: str) -> list[str]:
    """Split a text into parts that must not be broken.

    These are single wide characters with their punctuation, and narrow words with the spaces after them.
    """
    parts: list[str] = []
    for letter in text:
        narrow = measure_cells(letter) == 1
        if parts and (
            letter in _NO_START
            or letter == " "
            or parts[-1][-1] in _NO_END
            or narrow
            and measure_cells(parts[-1][-1]) == 1
            and not parts[-1].endswith(" ")
        ):
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts
