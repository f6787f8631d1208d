"""Diagnostics for syntax errors in rules: what was found, what was expected, and where.

Reports the location of the mistake, which often precedes the token that the parser rejected. Parses nothing itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import BLANKS, CURLY_QUOTES
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import Message, mark as _
from interpreter.language.foreign_syntax import (
    FOREIGN_STARTS,
    suggest_for_character,
    suggest_for_start,
    suggest_for_word,
)

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedToken

STARTS = tuple(
    "setup turn procedure define rule tally draft record event whenever replace remove add before after move".split()
)
STATEMENT_STARTS = tuple(
    (
        "phase let set raise lower advance drop move if for while repeat choose roll report end skip later settle "
        "return assert together nothing match else option require prefer otherwise finish offer"
    ).split()
)
_ALL_STARTS = STARTS + STATEMENT_STARTS
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CODE = re.compile(r'"[^"\n]*"|#[^\n]*')
_LINE_ENDS = ("_NL", "$END", "_INDENT", "_DEDENT")
_PLACE_HINTS = {
    "require": _("requirements belong at the top of an option, a rule or a step of a draft; here use `assert`"),
    "prefer": _("preferences belong at the top of an option or a step of a draft"),
    "option": _("options belong inside a `choose` or a `draft`"),
    "otherwise": _("it belongs at the end of a `choose`"),
    "finish": _("it belongs inside a `choose` or a `draft`"),
    "offer": _("it belongs at the end of a `draft`"),
    "else": _("it belongs below an `if`"),
}
_SIGN_HINTS = {
    "=": _("to compare, write ==; to name a value, write let x = ..."),
    "&": _("write `and`"),
    "|": _("write `or`"),
    "'": _('write texts in double quotes: "..."'),
    "!": _("write `not` or !="),
    "\t": _("use spaces"),
}
_OTHER_STARTS = {
    "elif": "else if ...:",
    "elseif": "else if ...:",
    "elsif": "else if ...:",
    "foreach": "for x in ...:",
    "var": "let x = ...",
    "const": "let x = ...",
    "call": "NAME(...)",
    "when": "whenever EVENT(...):",
    "on": "whenever EVENT(...):",
    "function": "procedure NAME(...):",
    "func": "procedure NAME(...):",
}  # first words of statements in other languages
_ASSIGNMENT = re.compile(r"(\w+(?:\.\w+)*) *(\+=|-=|:=|\+\+|--|=)(?!=)")
_DICE = re.compile(r"[0-9]+ ?[dDwW] ?[0-9]+")
_OPERATORS = ("any", "can", "closure", "every", "if", "no", "not", "playing", "possible")
_NAME_POSITION = re.compile(r"(?:^ *(?:require|prefer|set|raise|lower) +|[{[(] *)(\w+) *(?:[:=]|(?:in|by)\b)")
_MIN_KEYWORD_LETTERS = 4  # letters of a keyword that is unlikely to begin another word by chance
_MAX_DISTANCE = 12  # maximum distance in characters from a mistake to the rejected token
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_TERMINAL_NAMES = {
    "NAME": _("a name"),
    "INT": _("a number"),
    "TEXT": _('a text in "..."'),
    "CITE": _("a citation [..]"),
    "_NL": _("the end of the line"),
    "_INDENT": _("an indented block"),
}
_TERMINAL_SIGNS = {
    "_CALL": "`(`",
    "_INDEX": "`[`",
    "SIGN": "`+` / `-`",
    "MUL": "`*` / `/`",
    "COMPARE": "`==` `!=` `<` `>`",
}
_COMMON_TERMINALS = ("NAME", "INT", "COLON", "_NL")  # the terminals listed if there are too many alternatives


def report_full_width(source: Source, start: int, end: int, sink: Sink) -> bool:
    """Report full-width characters, curly quotes and unusual blanks outside texts and comments; one per line.

    Returns whether any was found.
    """
    text = source.text[start:end]
    if text.isascii():
        return False
    is_reported = False
    plain = _CODE.sub(lambda part: " " * len(part[0]), text)
    for line in re.finditer(r"[^\n]+", plain):
        for n, sign in enumerate(line[0]):
            offset = start + line.start() + n
            if not sign.isascii() and _report_look_alike(sign, Span(source, offset, offset + 1), sink):
                is_reported = True
                break
    return is_reported


def _report_look_alike(sign: str, span: Span, sink: Sink) -> bool:
    """Report the character `sign` if it looks like one of the language; return False for any other character."""
    right = unicodedata.normalize("NFKC", sign)
    if sign in CURLY_QUOTES:
        message = _("`{sign}` is a typographic quotation mark, which has no meaning here", sign=sign)
        sink.add_error("curly-quote", message, span, help=_("write `{right}`", right='"'))
    elif sign in BLANKS and sign != "\u3000":
        message = _("this character looks like a space but is {code}", code=f"U+{ord(sign):04X}")
        sink.add_error("look-alike-space", message, span, help=_("write an ordinary space"))
    elif len(right) == 1 and right.isascii():
        message = _("`{sign}` is a full-width character, which has no meaning here", sign=sign)
        cure = _("write an ordinary space") if right == " " else _("write `{right}`", right=right)
        sink.add_error("full-width-character", message, span, help=cure)
    else:
        return False
    return True


def report_character(source: Source, offset: int, sign: str, sink: Sink) -> None:
    """Report the character `sign` at `offset`, which starts no token of the language."""
    span, (_before, after) = Span(source, offset, offset + 1), _split_line(source, offset)
    if sign == '"':
        if not _report_unopened_text(source, offset, sink):
            sink.add_error(
                "unclosed-text", _('the text opened with " is not closed on its line'), span, help=_('close it with "')
            )
    else:
        sink.add_error(
            "unexpected-character",
            _("found `{char}`, which has no meaning here", char=sign),
            span,
            help=_SIGN_HINTS.get(sign)
            or _suggest_for_character(source.text[offset : offset + 40])
            or suggest_for_character(after),
        )


def _split_line(source: Source, offset: int) -> tuple[str, str]:
    """Return the line around `offset` in two parts: up to the offset, without indentation, and from it on."""
    begin = source.get_line_starts()[source.get_position(offset)[0] - 1]
    end = source.text.find("\n", offset)
    return source.text[begin:offset].lstrip(), source.text[offset : end if end >= 0 else len(source.text)]


def _suggest_for_character(text: str) -> Message:
    """Return a hint on what to write in place of a text whose first character starts no token."""
    if _DICE.match(text):
        return _(
            "roll dice by their names, several as in `roll test: 2 of die -> thrown`; the dice are listed "
            "under `dice:` of the ruleset"
        )
    if text[:1].isalpha() and not text[:1].isascii() or unicodedata.combining(text[:1] or " "):
        return _("names can contain a to z, digits and `_`; other letters are only allowed in texts")
    if word := re.match(r"[A-Z]\w*", text):
        return _("names begin with a lower-case letter: `{right}`", right=word[0].lower())
    return Message("")


def report_token(source: Source, offset: int, fault: UnexpectedToken, signs: Mapping[str, str], sink: Sink) -> None:
    """Report an unexpected token; `signs` are the terminals with a fixed spelling.

    `offset`: the offset in the source at which the parsed text begins; `fault`: the parser's error.
    """
    token = fault.token
    start = offset + (token.start_pos if token.start_pos is not None else 0)
    kind, word = token.type, str(token)
    expected = set(fault.accepts or fault.expected or ())
    if _report_longer_word(source, start, word, signs, sink):
        return
    if set(_describe_expected(expected, signs).values()) == {"`(`"} and _report_first_word(source, start, sink):
        return
    if _report_unopened_text(source, start, sink) or _report_operator_as_name(source, start, sink):
        return
    bracket = _find_open_bracket(source, offset, start)
    if (
        bracket is not None
        and (kind == "$END" or not _is_closed(source, bracket[0], start))  # in a document other text follows
        and (kind in (*_LINE_ENDS, "COLON") or _is_statement_start(source, start))
    ):
        place, closing = bracket
        sink.add_error(
            "unclosed-bracket",
            _("the bracket opened here is not closed: expected `{closing}`", closing=closing),
            Span(source, place, place + 1),
            help=_("add the missing `{closing}`", closing=closing),
        )
    elif kind == "_INDENT":
        place = _find_start_of_line_after(source, start)
        sink.add_error(
            "unexpected-indentation",
            _("these lines are indented more than the line above allows"),
            Span(source, place, place + 1),
            help=_("indent only after a line that ends with `:`"),
        )
    elif kind in _LINE_ENDS:
        place = _find_end_of_line_before(source, start)
        sink.add_error(
            "unfinished-line",
            _("the line ends too early: expected {what}", what=_format_expected(expected, signs) or _("more")),
            Span(source, place, place + 1),
            help=_("end a line that opens a block with `:`")
            if "COLON" in expected
            else _suggest_for_word(source, max(start, place + 1), ""),
        )
    elif (
        bracket is not None
        and "COMMA" in expected
        and (kind in ("NAME", "INT", "TEXT") or word in _PAIRS)
        and word not in _ALL_STARTS
        and not _suggest_for_word(source, start, word)
    ):
        sink.add_error(
            "missing-comma",
            _("a comma is missing before `{word}`", word=word),
            Span(source, start, start + len(word)),
            help=_("put a comma between two values"),
        )
    else:
        _report_word(source, start, kind, word, _format_expected(expected, signs), sink)


def _report_longer_word(source: Source, start: int, rest: str, signs: Mapping[str, str], sink: Sink) -> bool:
    """Report a word that begins with a keyword, such as `requirement` for `require`; return whether it is one.

    `rest`: the rejected token at the offset `start`, which follows the keyword without a space.
    """
    keyword = re.search(r"[a-z]*$", source.text[max(0, start - _MAX_DISTANCE) : start])
    if (
        keyword is None
        or len(keyword[0]) < _MIN_KEYWORD_LETTERS
        or keyword[0] not in signs.values()
        or not rest[:1].isalpha()
    ):
        return False
    word = keyword[0] + rest
    if word in signs.values() or word in _ALL_STARTS:
        return False
    sink.add_error(
        "unexpected-word",
        _("found `{word}`, expected `{keyword}`", word=word, keyword=keyword[0]),
        Span(source, start - len(keyword[0]), start + len(rest)),
        help=_("write `{right}`", right=keyword[0]),
    )
    return True


def _report_word(source: Source, start: int, kind: str, word: str, expected: str, sink: Sink) -> None:
    span = Span(source, start, start + max(1, len(word.strip())))
    line = _split_line(source, start)
    hint = (
        _suggest_for_block(*line)
        or suggest_for_word(*line)
        or (_("use == to compare") if word == "=" else _suggest_for_word(source, start, word))
    )
    if not hint and kind == "NAME" and word not in _ALL_STARTS:
        hint = did_you_mean(word, _ALL_STARTS)
    message = (
        _("found `{word}`, which is not allowed here; expected {what}", word=word, what=expected)
        if expected
        else _("found `{word}`, which is not allowed here", word=word)
    )
    sink.add_error("unexpected-word", message, span, help=hint)


def _suggest_for_word(source: Source, start: int, word: str) -> Message:
    """Return a hint for a word that is correct in other languages or in plain English, or ''.

    `start`: the offset of the word.
    """
    before, _after = _split_line(source, start)
    if advice := _suggest_for_roll(before, word) or _suggest_for_heading(before, word):
        return advice
    if word == "in" and re.search(r"\bin +\w+ +$", before):
        return _("the pieces at a place are written with `at`: `pieces at place`")
    if word == "to" and before.startswith("for "):
        return _("a range of numbers is written with two dots: `1..3`")
    if before == "for each ":
        return _("write `{right}`", right=f"for {word} in ...:")
    if word in ("when", "if", "with") and re.search(r"[{(][^{}()]*\bin\b[^{}()]*$", before):
        return _("write the condition on the members after `where`")
    if word == "where" and before.startswith("for "):
        return _("a `for` iterates over a set: put it in braces, with its `where` inside")
    if word in _COMPARISONS and re.search("==|!=|[<>]", _CODE.sub("", before)):
        return _("a comparison has two sides: join two comparisons with `and`, or write `x in 1..3`")
    if word == "[" and re.match(r"\[[ ]*[\w.-]+[ ]*\]", source.text[start : start + 40]):
        return _(
            "a citation is a number with a point or a hyphen, such as [2.1] or [4-b], or capitals with a "
            "number, such as [A7]; number cited paragraphs the same way"
        )
    if re.search(r'"[^"]*\{[^"{}]*"\s*$', before):
        return _(
            "a text cannot be used in a placeholder of another text: return the text from a define, and "
            "call it in the placeholder"
        )
    if before.startswith("add phase "):
        return _("say where: `before PHASE` or `after PHASE`")
    return Message("")


def _suggest_for_roll(before: str, word: str) -> Message:
    """Return a hint for a roll or draw that lacks its name or the variable for its result, or ''.

    `before`: the line up to the unexpected `word`, without indentation; `word` is '' at the end of the line.
    """
    start = before.split(" ", 1)[0]
    if start not in ("roll", "draw"):
        return Message("")
    if ":" not in before and word != ":":
        return _("it needs a name first: `{right}`", right=f"{start} NAME: ...")
    if "->" not in before and (not word or word.startswith("[")):
        return _("its result needs a name: `{right}`", right="... -> result")
    return Message("")


def _suggest_for_heading(before: str, word: str) -> Message:
    """Return a hint for a heading without an identifier, or with a parameter that has no type, or ''.

    `before`: the line up to the unexpected `word`, without indentation.
    """
    start = before.split(" ", 1)[0]
    if start in ("phase", "choose", "option", "event") and before.strip() == start and word.startswith('"'):
        return _("write its name before its text: `{right}`", right=f'{start} NAME "..."')
    if start in STARTS and word in (",", ")") and (bare := re.search(r"[(,] *(\w+) *$", before)):
        return _("every parameter needs a type: `{right}`", right=f"{bare[1]}: TYPE")
    return Message("")


def _suggest_for_block(before: str, after: str) -> Message:
    """Return a hint for a heading that continues with `=` as only a define does, or ''.

    `before`, `after`: the line up to the unexpected sign, and from it on.
    """
    heading = re.match(r"(?:replace +)?(rule|procedure|tally|draft)\b.*\) *$", before)
    if heading is None or not after.startswith("=") or after.startswith("=="):
        return Message("")
    return _("only a `define` has `=`; end this line with `:` and write the {what} below it, indented", what=heading[1])


def _report_first_word(source: Source, offset: int, sink: Sink) -> bool:
    """Report the first word of the line at `offset` if it was parsed as a call because it starts no statement.

    Returns whether it was reported.
    """
    begin = source.get_line_starts()[source.get_position(offset)[0] - 1]
    before = source.text[begin:offset]
    word = before.strip()
    if not word.isidentifier():
        return False
    start = begin + len(before) - len(before.lstrip())
    line = source.text[start : start + 200].split("\n")[0]
    if word in _ALL_STARTS:
        message = _("found `{word}`, which is not allowed here", word=word)
        hint = _PLACE_HINTS.get(word) or suggest_for_start(line, word)
    else:
        message, hint = _("no statement begins with `{word}`", word=word), _suggest_for_first_word(line, word)
    sink.add_error("unexpected-word", message, Span(source, start, start + len(word)), help=hint)
    return True


def _suggest_for_first_word(line: str, word: str) -> Message:
    """Return a hint for a line that starts as in other languages, such as with an assignment target, or ''.

    `word`: the first word of the line.
    """
    if word in _OTHER_STARTS:
        return _("write `{right}`", right=_OTHER_STARTS[word])
    if not (setting := _ASSIGNMENT.match(line)):
        if word in FOREIGN_STARTS:
            return suggest_for_start(line, word)
        return did_you_mean(word, STATEMENT_STARTS) or suggest_for_start(line, word)
    construct, sign = setting[1], setting[2]
    if sign in ("+=", "++", "-=", "--"):
        start = "raise" if sign[0] == "+" else "lower"
        return _("to change a number, write `{right}`", right=f"{start} {construct} by ...")
    if construct.endswith(".at"):
        return _("to move a piece, write `{right}`", right=f"move {construct[:-3]} to ...")
    if "." in construct:
        return _("to change a value, write `{right}`", right=f"set {construct} = ...")
    return _("`let {word} = ...` names a value, `set {word} = ...` changes it", word=construct)


def _report_operator_as_name(source: Source, offset: int, sink: Sink) -> bool:
    """Report a keyword of expressions, such as `can`, used as a name on the line that has an error at `offset`.

    Returns whether one was reported.
    """
    number = source.get_position(offset)[0]
    line, begin = source.get_line(number), source.get_line_starts()[number - 1]
    for match in _NAME_POSITION.finditer(_CODE.sub(lambda part: " " * len(part[0]), line)):
        word, start = match[1], begin + match.start(1)
        if word in _OPERATORS and start <= offset <= start + len(word) + _MAX_DISTANCE:
            sink.add_error(
                "reserved-word",
                _("`{name}` is a word of the language and cannot be used as a name", name=word),
                Span(source, start, start + len(word)),
                help=_("use another name"),
            )
            return True
    return False


def _report_unopened_text(source: Source, offset: int, sink: Sink) -> bool:
    """Report an unmatched closing quotation mark on the line that has an error at `offset`.

    Returns whether one was reported.
    """
    number = source.get_position(offset)[0]
    line, begin = source.get_line(number), source.get_line_starts()[number - 1]
    marks = [n for n, sign in enumerate(line) if sign == '"']
    if len(marks) % 2 == 0 or begin + marks[-1] < offset:
        return False
    last = marks[-1]
    closes = (
        last > 0
        and not line[last - 1].isspace()
        and line[last - 1] not in "([{,="
        and (last + 1 == len(line) or line[last + 1] in " ,)]}")
    )
    if len(marks) > 1 or not closes:
        return False
    sink.add_error(
        "unclosed-text",
        _('the text that ends here with " was never opened'),
        Span(source, begin + last, begin + last + 1),
        help=_('put " before its first word too'),
    )
    return True


def _describe_expected(expected: set[str], signs: Mapping[str, str]) -> dict[str, str]:
    """Return the expected terminals that have a description, with it.

    `expected`: the names of the terminals; `signs`: the terminals with a fixed spelling.
    """
    named = {
        name: _TERMINAL_NAMES.get(name) or _TERMINAL_SIGNS.get(name) or (f"`{signs[name]}`" if name in signs else "")
        for name in sorted(expected)
    }
    return {name: words for name, words in named.items() if words}


def _format_expected(expected: set[str], signs: Mapping[str, str]) -> str:
    """Return the expected terminals as a list in words; if there are many, only the most common ones.

    `expected`: the names of the terminals; `signs`: the terminals with a fixed spelling.
    """
    descriptions = _describe_expected(expected, signs)
    listed_descriptions = (
        list(descriptions.values())
        if len(descriptions) <= 8
        else [w for n, w in descriptions.items() if n in _COMMON_TERMINALS]
    )
    listed: str = listed_descriptions[0] if listed_descriptions else ""
    for description in listed_descriptions[1:6]:
        listed = _("{one} or {other}", one=listed, other=description)
    return listed


def _find_open_bracket(source: Source, begin: int, offset: int) -> tuple[int, str] | None:
    """Return (offset, counterpart) of the outermost bracket that is open at `offset`, or None.

    `begin`: the beginning of the statement.
    """
    stack: list[tuple[int, str]] = []
    text = source.text[begin : min(offset, len(source.text))]
    plain = _CODE.sub(lambda part: " " * len(part[0]), text)
    for n, sign in enumerate(plain):
        if sign in _PAIRS:
            stack.append((begin + n, _PAIRS[sign]))
        elif sign in ")]}" and stack:
            stack.pop()
    return stack[0] if stack else None


def _is_closed(source: Source, opened: int, offset: int) -> bool:
    """Return whether the bracket at offset `opened` is closed at or after `offset`, before another statement begins."""
    plain = source.text[:opened] + _CODE.sub(lambda part: " " * len(part[0]), source.text[opened:])
    expected_closings: list[str] = []
    for n in range(opened, len(plain)):
        if plain[n] in _PAIRS:
            expected_closings.append(_PAIRS[plain[n]])
        elif plain[n] in ")]}":
            if plain[n] != expected_closings.pop():
                return False
            if not expected_closings:
                return n >= offset
        elif plain[n] == "\n":
            words = plain[n + 1 : n + 200].split(None, 1)
            if not words or words[0].rstrip(":") in _ALL_STARTS:
                return False
    return False


def _is_statement_start(source: Source, offset: int) -> bool:
    words = source.get_line(source.get_position(offset)[0]).split()
    return bool(words) and words[0].rstrip(":") in _ALL_STARTS


def _find_start_of_line_after(source: Source, offset: int) -> int:
    """Return the offset of the first character of the next non-empty line after `offset`."""
    text = source.text
    end = text.find("\n", offset)
    while 0 <= end < len(text) and text[end].isspace():
        end += 1
    return min(max(end, offset), max(len(text) - 1, 0))


def _find_end_of_line_before(source: Source, offset: int) -> int:
    text = source.text
    offset = min(offset, len(text))
    while offset > 0 and (offset >= len(text) or text[offset - 1].isspace()):
        offset -= 1
        if text[offset : offset + 1] and not text[offset].isspace():
            return offset
    return max(offset - 1, 0)


def report_indentation(source: Source, sink: Sink) -> None:
    """Report the first line whose indentation matches no open block."""
    open_widths = [0]
    depth = 0
    for number in range(1, len(source.get_line_starts()) + 1):
        bare = source.get_line(number).split("#")[0].rstrip()
        if not bare.strip():
            continue
        width = len(bare) - len(bare.lstrip())
        if depth == 0 and width > open_widths[-1]:
            open_widths.append(width)
        elif depth == 0:
            while open_widths and open_widths[-1] > width:
                open_widths.pop()
            if not open_widths or open_widths[-1] != width:
                offset = source.get_line_starts()[number - 1]
                sink.add_error(
                    "uneven-indentation",
                    _("the indentation of this line matches no line above"),
                    Span(source, offset, offset + max(width, 1)),
                    help=_("align it with the lines of its block"),
                )
                return
        depth += sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")
        depth = max(depth, 0)
    sink.add_error("uneven-indentation", _("the indentation of this file is inconsistent"), Span(source, 0, 1))
