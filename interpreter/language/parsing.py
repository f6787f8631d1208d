"""Parsing of rules files, and of expressions inside documents, into syntax nodes.

Syntax errors become diagnostics in the sink; bad text raises no exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from threading import local
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.diagnostics.diagnostic import Sink, build_control_character_error
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.terminal_text import find_control_character
from interpreter.files.memory_cache import memoize_per_source, memoize_per_span
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.language.parser_tables import load_parser
from interpreter.language.syntax_errors import report_character, report_full_width, report_indentation, report_token

if TYPE_CHECKING:
    from lark import Lark, Tree

_T = TypeVar("_T")
MAX_NESTING = 60
MAX_DIGITS = 1_000  # digits of a number in rules; see the limits of play
_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1},}}")
_CODE = re.compile(r'(?:[^"#]|"[^"]*"?)*')
_BRACKET = re.compile(r"[()\[\]{}]")
_CONTINUATION = re.compile(r'\s*(?:["\[]|(?:now|then|starting|because)\b)')  # tokens that start no statement
_thread_local = local()  # the parser has state, so each thread has its own


def _get_parser() -> Lark:
    if not hasattr(_thread_local, "parser"):
        _thread_local.parser = load_parser()
    parser: Lark = _thread_local.parser
    return parser


@memoize_per_source
def parse_module(source: Source, sink: Sink) -> s.RulesModule | None:
    """Parse one `.rules` file; return None if it has syntax errors."""
    if _report_unfit_text(source, 0, len(source.text), sink):
        return None
    from interpreter.language.ast_builder import TreeReader

    tree = _parse(source, join_continued_lines(source.text) + "\n", "start", 0, sink)
    if tree is None:
        return None
    reader = TreeReader(source, 0, lambda src, a, b: parse_hole(src, a, b, sink))
    return _convert_tree(lambda: reader.build_module(tree), source, sink)


@dataclass(frozen=True, slots=True)
class RulesToken:
    """One token of a rules text: its grammar name and its span.

    `_NL`, `_INDENT` and `_DEDENT` mark the ends of lines and the limits of blocks.
    """

    type: str
    start: int
    end: int


def tokenize(source: Source) -> tuple[RulesToken, ...]:
    """Return the tokens of a syntactically valid text, without comments."""
    tokens = _get_parser().parse_interactive(join_continued_lines(source.text) + "\n", start="start").exhaust_lexer()
    return tuple(RulesToken(t.type, t.start_pos or 0, t.end_pos or 0) for t in tokens)


def _convert_tree(read: Callable[[], _T], source: Source, sink: Sink) -> _T | None:
    """Return the result of `read`, which converts a parse tree.

    Too deep nesting is reported, and None is returned.
    """
    from interpreter.language.ast_builder import SyntaxTooDeepError

    try:
        return read()
    except SyntaxTooDeepError as fault:
        span, most = fault.span, fault.most
        nested_parts = _("loops") if fault.what == "loops" else _("parts of an expression")
    except RecursionError:
        span, most, nested_parts = Span(source, 0, 0), MAX_NESTING, _("parts of an expression")
    sink.add_error(
        "nested-too-deep",
        _("{what} are nested more than {most} deep", what=nested_parts, most=most),
        span,
        help=_("move parts of it into a `define` or a procedure"),
    )
    return None


@memoize_per_span
def parse_expression(source: Source, start: int, end: int, sink: Sink) -> s.Expr | None:
    """Parse the expression between two offsets of a source; return None after an error."""
    from interpreter.language.ast_builder import TreeReader

    text = source.text[start:end]
    if not text.strip():
        sink.add_error("missing-expression", _("found nothing, expected an expression"), Span(source, start, end))
        return None
    if _report_unfit_text(source, start, end, sink):
        return None
    flat = text.replace("\n", " ").replace("\r", " ")
    tree = _parse(source, flat, "expression_start", start, sink)
    if tree is None:
        return None
    reader = TreeReader(source, start, lambda src, a, b: parse_hole(src, a, b, sink))
    result: s.Expr | None = _convert_tree(lambda: reader.build_expr(tree.children[0]), source, sink)
    return result


def parse_hole(source: Source, start: int, end: int, sink: Sink) -> s.Expr | None:
    """Parse the expression in a template's hole, which begins at offset `start`; return None after an error.

    `end` is the offset of its `}`, or the end of the template if it is not closed.
    """
    if source.text[end : end + 1] != "}":
        sink.add_error(
            "unclosed-bracket",
            _("the placeholder that begins here is not closed"),
            Span(source, start - 1, start),
            help=_("close it with a closing brace"),
        )
        return None
    if source.text.count("{", start, end):
        sink.add_error(
            "unclosed-bracket",
            _("a placeholder ends at the first closing brace, so it cannot contain a set in braces"),
            Span(source, start - 1, end + 1),
            help=_("name the set with a define, and use that name in the placeholder"),
        )
        return None
    return parse_expression(source, start, end, sink)


def join_continued_lines(text: str) -> str:
    """Return the text with continued lines joined by spaces; every character keeps its offset.

    A line ending with `=` is continued by all following lines that are indented deeper; one ending with `and`, `or`,
    `then`, `else` or a comma by the next line. A line that begins with a text, a citation or a word that starts no
    statement continues the line above if it is indented deeper than the statement.
    """
    if text.startswith("\ufeff"):  # the mark of UTF-8, which some editors put there; an empty line keeps all offsets
        text = "\n" + text[1:]
    lines = text.split("\n")
    bare = [_CODE.match(line).group().rstrip() for line in lines]  # type: ignore[union-attr]
    out: list[str] = []
    first = 0
    while first < len(lines):
        last = _find_end_of_statement(bare, first)
        out += [bare[n].ljust(len(lines[n])) + " " for n in range(first, last)]
        out.append(lines[last] + "\n")
        first = last + 1
    return "".join(out)[:-1] if out else text


def _find_end_of_statement(bare: list[str], head: int) -> int:
    """Return the index of the last line of the statement that begins in line `head`.

    `bare`: the lines without comments. Brackets are ignored, and empty lines may be in between.
    """
    width = len(bare[head]) - len(bare[head].lstrip())
    current = head
    while bare[current].strip() and (below := _find_next_nonempty_line(bare, current)) is not None:
        line, after = bare[current], bare[below]
        if line.endswith("=") and not line.endswith("=="):
            while below is not None and len(bare[below]) - len(bare[below].lstrip()) > width:
                current, below = below, _find_next_nonempty_line(bare, below)
            return current
        is_deeper = len(after) - len(after.lstrip()) > width
        if not (
            line.endswith(",")
            or line.rsplit(" ", 1)[-1] in ("and", "or", "then", "else")
            or (is_deeper and _CONTINUATION.match(after))
        ):
            break
        current = below
    return current


def _find_next_nonempty_line(bare: list[str], index: int) -> int | None:
    """Return the index of the next non-empty line after line `index`, or None.

    `bare`: the lines without comments.
    """
    return next((n for n in range(index + 1, len(bare)) if bare[n].strip()), None)


def _report_unfit_text(source: Source, start: int, end: int, sink: Sink) -> bool:
    """Report the first text between two offsets that is unfit for the parser; return whether there is any.

    That is a control character, a number with too many digits, a full-width character, a tab in the indentation, or
    too deep nesting.
    """
    offset = find_control_character(source.text, 1 if source.text.startswith("\ufeff") else 0) if start == 0 else -1
    if offset >= 0:
        sink.add(build_control_character_error(source.text[offset], Span(source, offset, offset + 1)))
        return True
    digits = _LONG_NUMBER.search(source.text, start, end)
    if digits is not None:
        sink.add_error(
            "number-too-long",
            _("`{more}...` has more than {max_digits} digits", more=digits[0][:24], max_digits=MAX_DIGITS),
            Span(source, digits.start(), digits.end()),
            help=_("write a smaller number; where a text is expected, write it in quotes"),
        )
        return True
    if report_full_width(source, start, end, sink):
        return True
    deepest = _measure_bracket_depth(source.text[start:end])
    if deepest > MAX_NESTING:
        sink.add_error(
            "nested-too-deep",
            _(
                "brackets are nested {deepest} deep; the limit is {max_nesting}",
                deepest=deepest,
                max_nesting=MAX_NESTING,
            ),
            Span(source, start, end),
            help=_("name parts of the expression with `define`"),
        )
        return True
    for number in range(1, len(source.get_line_starts()) + 1) if start == 0 and "\t" in source.text else ():
        line = source.get_line(number)
        lead = line[: len(line) - len(line.lstrip())]
        if "\t" in lead and line.strip():
            offset = source.get_line_starts()[number - 1] + lead.index("\t")
            sink.add_error(
                "tab-in-indentation",
                _("found a tab in the indentation, expected spaces"),
                Span(source, offset, offset + 1),
                help=_("indent with spaces, four for each level"),
            )
            return True
    return False


def _measure_bracket_depth(text: str) -> int:
    """Return the maximum bracket depth, or 0 if there are too few brackets to exceed the limit."""
    if text.count("(") + text.count("[") + text.count("{") <= MAX_NESTING:
        return 0
    depth = deepest = 0
    for bracket in _BRACKET.findall(text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return deepest


def _parse(source: Source, text: str, start: str, offset: int, sink: Sink) -> Tree[Any] | None:
    """Return the parse tree of `text`, or None after a (reported) syntax error.

    `start`: the rule of the grammar; `offset`: where the text begins in the source.
    """
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken
    from lark.indenter import DedentError

    try:
        return _get_parser().parse(text, start=start)
    except UnexpectedToken as fault:
        report_token(source, offset, fault, _list_fixed_spellings(), sink)
    except UnexpectedCharacters as fault:
        position = fault.pos_in_stream or 0
        report_character(source, offset + position, text[position] if position < len(text) else "", sink)
    except DedentError:
        report_indentation(source, sink)
    return None


def _list_fixed_spellings() -> dict[str, str]:
    """Return the terminals with a fixed spelling: name -> spelling."""
    return {t.name: t.pattern.value for t in _get_parser().terminals if t.pattern.type == "str"}
