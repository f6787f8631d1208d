"""Messages for faults of YAML syntax, located at the line that causes them.

The parsers' own messages are not used: they name parser internals, and the two parsers word them differently.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

import yaml

from interpreter.diagnostics.diagnostic import Diagnostic, build_control_character_error
from interpreter.diagnostics.plain_signs import to_half_width
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.yaml_slips import LOADER, find_slip_before, mask_quoted
from interpreter.i18n.translator import Message, mark as _


def build_syntax_error(source: Source, fault: yaml.YAMLError, shift: int) -> Diagnostic:
    """Return the diagnostic for a parser's error; `shift` is the offset in the source at which the parser began."""
    if isinstance(fault, yaml.reader.ReaderError):
        offset = int(fault.position) + shift
        return build_control_character_error(source.text[offset : offset + 1] or "\0", Span(source, offset, offset + 1))
    mark = getattr(fault, "problem_mark", None)
    quote = _find_open_quote(source.text[shift:], mark)
    if quote is not None:
        return _build_diagnostic(*_UNCLOSED_QUOTE[:2], source, quote + shift, _UNCLOSED_QUOTE[2])
    problem = str(getattr(fault, "problem", "") or "")
    context = str(getattr(fault, "context", "") or "")
    offset = _compute_offset(source, getattr(fault, "problem_mark", None), shift)
    opened = _compute_offset(source, getattr(fault, "context_mark", None), shift)
    tab = _find_tab_in_indentation(source, offset)
    if tab is not None:
        return _build_diagnostic(
            "tab-in-indentation",
            _("the indentation of this line contains a tab"),
            source,
            tab,
            _("indent with spaces only"),
        )
    if (slip := find_slip_before(source, offset, shift)) is not None:
        return slip
    typo = _find_typo(source, min(opened, offset) if opened else offset, offset)
    if typo is not None:
        return typo
    mixed = source.text[offset : offset + 1] in ("]", "}")  # the other bracket closes first
    if re.search(r"flow (sequence|mapping)", context) and not mixed and _is_closed(source, opened, offset):
        return _diagnose_missing_comma(source, opened, offset)
    if "flow node" in context and not source.text[offset:].strip():
        context, opened = "flow mapping", _find_open_bracket(source.text[shift:]) + shift
    for case in _SYNTAX_CASES:
        if re.search(case.pattern, f"{context} / {problem}"):
            cure = case.help
            if case.code == "unclosed-bracket" and _is_closed_in_comment(source, opened):
                cure = _("`#` begins a comment, which hides the closing bracket; move the comment behind the bracket")
            return _build_diagnostic(case.code, case.message, source, opened if case.is_at_start else offset, cure)
    return _build_diagnostic(
        "yaml-syntax",
        _("this cannot be read as YAML"),
        source,
        offset,
        _("check the indentation, colons, quotes and brackets of this line and the one above"),
    )


_MAX_SEARCHED_CHARACTERS = 4000  # characters around a fault that are searched for typos
_UNCLOSED_QUOTE = (
    "unclosed-quote",
    _("the quotation mark here is never closed, or its text cannot be read"),
    _("close it, or double every `'` in the text"),
)
_ENTRY = re.compile(r"\n[ ]*(- |[\w\"'.-]+:(\s|$))")  # a line that begins like an entry


def _find_open_quote(text: str, mark: yaml.Mark | None) -> int | None:
    """Return the offset where the unclosed quotation before the fault opens, or None.

    An unclosed quotation ends where the next one opens, and everything in between is read inverted. So the first
    quotation that contains a line like an entry is the cause, wherever the parser failed.
    """
    start = text.find("\n") if mark is None else mark.index
    try:
        for token in yaml.scan(text, Loader=LOADER):
            if token.start_mark.index > start:
                return None
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                if _ENTRY.search(text[token.start_mark.index : token.end_mark.index]):
                    return int(token.start_mark.index)
    except yaml.scanner.ScannerError as fault:
        opened = fault.context_mark
        if opened is not None and "quoted" in str(fault.context) and _ENTRY.search(text[opened.index :]):
            return int(opened.index)
    except yaml.YAMLError:
        return None
    return None


_COLON_HELP = _(
    "write `key: value`; text that contains `: ` needs quotes, and all keys of one mapping begin in the same column"
)


class _SyntaxCase(NamedTuple):
    """The diagnostic for the parser's messages that match a pattern.

    `is_at_start`: it is reported where the faulty construct begins, else where the parser stopped.
    """

    pattern: str
    code: str
    message: Message
    help: Message
    is_at_start: bool


_SYNTAX_CASES = (
    _SyntaxCase(r"quoted scalar", *_UNCLOSED_QUOTE, True),
    _SyntaxCase(
        r"unknown escape|escape",
        "unclosed-quote",
        _("a backslash in double quotes comes before a character that cannot be escaped"),
        _("use single quotes, or write the backslash twice"),
        False,
    ),
    _SyntaxCase(
        r"flow (sequence|mapping)",
        "unclosed-bracket",
        _("the bracket that opens here is not closed"),
        _("close it; text that contains brackets or commas needs quotes"),
        True,
    ),
    _SyntaxCase(
        r"mapping values are not allowed",
        "misplaced-colon",
        _("this line has a second `:`, or its indentation differs from the lines around it"),
        _COLON_HELP,
        False,
    ),
    _SyntaxCase(
        r"simple key",
        "missing-colon",
        _("this line has no `:`, so it is neither a key nor a list entry"),
        _("write `key: value`, or `- value` in a list"),
        True,
    ),
    _SyntaxCase(
        r"sequence entries are not allowed|block sequence entries",
        "bad-indentation",
        _("a list entry `-` is not allowed here"),
        _("begin the list on its own line below its key, with all its `-` in one column"),
        False,
    ),
    _SyntaxCase(
        r"block (mapping|sequence|collection|end)|document start|expected <block end>",
        "bad-indentation",
        _("the indentation of this line differs from the other entries"),
        _("begin all keys of one mapping, and all `-` of one list, in the same column"),
        False,
    ),
    _SyntaxCase(
        r"cannot start any token",
        "reserved-character",
        _("text cannot begin with this character"),
        _("put the text in quotes"),
        False,
    ),
    _SyntaxCase(
        r"directive|%", "yaml-tag", _("lines that begin with `%` are not allowed"), _("remove this line"), False
    ),
    _SyntaxCase(
        r"block scalar",
        "bad-indentation",
        _("the block of text that begins here is not indented correctly"),
        _("write `|` at the end of the line and indent every line of the text by two spaces"),
        True,
    ),
    _SyntaxCase(
        r"anchor|alias", "yaml-alias", _("text cannot begin with `&` or `*`"), _("put the text in quotes"), False
    ),
    _SyntaxCase(r"tag", "yaml-tag", _("text cannot begin with `!`"), _("put the text in quotes"), False),
)


_FULL_WIDTH_SIGN = re.compile(
    r"""^[ \t]*(?P<a>\u3000)|[:,-][ \t]*(?P<b>\u3000)|[\w\])}"'](?P<c>[：，])|(?P<d>[［｛］｝])""", re.ASCII | re.M
)
_STUCK_COLON = re.compile(
    r"""(?:^[ \t]*(?:- +)?|[{,][ \t]*)(?P<key>[\w./-]+):(?=["'\[{])|"""
    r"^[ \t]*(?:- +)?(?P<other>[\w./-]+):(?=[^\s:/][^:]*$)",
    re.ASCII | re.M,
)
_COMMENT = re.compile(r"(?<=\s)#[^\n]*")


_OPENING_HOLE = re.compile(r":[ ]+(?P<hole>\{\w+\})[ ]*[^\s,:}\]#]")  # a text that begins with a placeholder


def _find_typo(source: Source, first: int, last: int) -> Diagnostic | None:
    """Return the diagnostic for a typo near a parser's error, or None.

    Typos are a reserved first character, a full-width sign, and a colon without a space. Searches from the line before
    the offset `first` to the line of the offset `last`.
    """
    text = source.text
    start = text.rfind("\n", 0, max(0, text.rfind("\n", 0, first))) + 1
    end = len(text) if (line_end := text.find("\n", last)) < 0 else line_end
    if end - start > _MAX_SEARCHED_CHARACTERS:
        start = max(start, end - _MAX_SEARCHED_CHARACTERS)
    plain = mask_quoted(text[start:end], '"', with_comments=True)
    if match := _OPENING_HOLE.search(plain):
        return _build_diagnostic(
            "reserved-character",
            _("text cannot begin with this character"),
            source,
            start + match.start("hole"),
            _("put the text in quotes"),
        )
    if match := _FULL_WIDTH_SIGN.search(plain):
        offset = start + match.start(match.lastgroup or 0)
        sign = text[offset]
        return _build_diagnostic(
            "full-width-character",
            _("`{sign}` is a full-width character and is read as text here", sign=sign),
            source,
            offset,
            _("write `{right}`", right=f"{to_half_width(sign)} " if sign in "：，" else to_half_width(sign)),
        )
    if match := _STUCK_COLON.search(plain):
        key, value = match["key"] or match["other"], text[start + match.end() :].split("\n")[0].strip()
        return _build_diagnostic(
            "missing-space",
            _("a space is missing after the colon of `{key}`", key=key),
            source,
            start + match.end() - 1,
            _("write `{right}`", right=f"{key}: {value}"),
        )
    return None


def _is_closed(source: Source, opened: int, offset: int) -> bool:
    """Return whether the bracket at offset `opened` closes at or after `offset`, before a line indented no further."""
    text, depth = source.text, 0
    line_start = text.rfind("\n", 0, opened) + 1
    width = len(text[line_start:opened]) - len(text[line_start:opened].lstrip())
    plain = text[:opened] + mask_quoted(text[opened:], "_", with_comments=True)
    for n in range(opened, len(plain)):
        if plain[n] in "[{":
            depth += 1
        elif plain[n] in "]}":
            depth -= 1
            if depth == 0:
                return n >= offset
        elif plain[n] == "\n":
            line_end = plain.find("\n", n + 1)
            rest = plain[n + 1 : line_end if line_end >= 0 else None]
            if rest.strip() and len(rest) - len(rest.lstrip()) <= width and rest.lstrip()[0] not in "]}":
                return False
    return False


def _find_open_bracket(text: str) -> int:
    """Return the offset of the innermost bracket that is still open at the end of a text, 0 if there is none."""
    opened = [0]
    with suppress(yaml.YAMLError):
        for token in yaml.scan(text, Loader=LOADER):
            if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
                opened.append(token.start_mark.index)
            elif isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken):
                opened.pop()
    return opened[-1]


def _is_closed_in_comment(source: Source, opened: int) -> bool:
    """Return whether a comment on the line of the bracket at offset `opened` contains a closing bracket."""
    line = source.text[opened:].split("\n", 1)[0]
    match = _COMMENT.search(mask_quoted(line, "_"))
    return match is not None and any(sign in match[0] for sign in "]}")


def _diagnose_missing_comma(source: Source, opened: int, offset: int) -> Diagnostic:
    """Return the diagnostic for two entries without a comma between them, located where the comma belongs.

    `opened`: the offset of the bracket around them; `offset`: the offset of the parser's error.
    """
    if source.text[offset : offset + 1] == ":":  # the word before it is the next entry's key
        if re.search(r":\s+[^\s\[{,]+\s*$", source.text[opened:offset]):
            message = _("this entry has a second `:`")
            return _build_diagnostic(
                "misplaced-colon", message, source, offset, _("text that contains `: ` needs quotes")
            )
        word = re.search(r"[^\s\[{,]+\s*$", source.text[opened:offset])
        offset = opened + word.start() if word else offset
    before = source.text[opened:offset].rstrip()
    if before.endswith("'") and source.text[offset : offset + 1].isalpha():
        message = _("the apostrophe before this ends the text in single quotes")
        cure = _("double the apostrophe, or put the text in double quotes")
        return _build_diagnostic("unclosed-quote", message, source, offset, cure)
    if before.endswith(";"):
        return _build_diagnostic(
            "missing-comma",
            _("`;` does not separate entries"),
            source,
            opened + len(before) - 1,
            _("write a comma; text that contains `;` and `: ` needs quotes"),
        )
    return _build_diagnostic(
        "missing-comma",
        _("a comma is missing before this"),
        source,
        offset,
        _("put a comma between the entries; text that contains brackets, commas or `: ` needs quotes"),
    )


def _compute_offset(source: Source, mark: yaml.Mark | None, shift: int) -> int:
    return min(mark.index + shift, len(source.text)) if mark is not None else 0


def _find_tab_in_indentation(source: Source, offset: int) -> int | None:
    start = source.text.rfind("\n", 0, offset) + 1
    indent = re.match(r"[ \t]*", source.text[start:])
    tab = indent.group().find("\t") if indent else -1
    return start + tab if tab >= 0 else None


def _build_diagnostic(code: str, message: str, source: Source, offset: int, cure: str) -> Diagnostic:
    """Return a diagnostic at an offset; a fault at the end of the text is reported at its last non-empty line."""
    if offset >= len(source.text.rstrip()):
        offset = max(0, len(source.text.rstrip()) - 1)
    return Diagnostic(code, message, Span(source, offset, min(offset + 1, len(source.text))), "error", cure)
