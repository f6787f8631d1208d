"""Rules text -> syntax nodes, and expressions inside documents -> syntax nodes.

Faults of form become diagnostics in the sink; nothing is raised for bad text.
"""

from __future__ import annotations

import marshal
import re
import sys
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter import kept
from interpreter.language import syntax as s
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import Source, Span

if TYPE_CHECKING:
    from lark import Lark

MAX_NESTING = 60
_CODE = re.compile(r'(?:[^"#]|"[^"]*"?)*')
_OPENING = {"LPAR": ")", "LSQB": "]", "LBRACE": "}", "_INDEX": "]", "_CALL": ")"}
_STARTS = ("setup", "turn", "procedure", "define", "rule", "tally", "draft", "record", "event", "whenever",
           "replace", "remove", "add", "before", "after")
_STATEMENT_STARTS = ("phase", "let", "set", "raise", "lower", "advance", "drop", "move", "if", "for", "while",
                     "repeat", "choose", "roll", "report", "end", "skip", "later", "settle", "return",
                     "assert",
                     "together", "nothing", "match", "else", "option", "require", "prefer", "otherwise",
                     "finish", "offer")


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark
    from lark.indenter import Indenter

    class _Layout(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL"]
        CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    grammar = Path(__file__).with_name("rules.lark").read_text(encoding="utf-8")
    return _ready_parser(Lark, grammar, _Layout())


def _ready_parser(lark: type[Lark], grammar: str, layout: Any) -> Lark:
    """The parser, its tables taken from an earlier start when grammar and library are the same."""
    from importlib.metadata import version

    options: dict[str, Any] = {
        "parser": "lalr", "lexer": "contextual", "start": ["start", "expression_start"], "propagate_positions": True,
        "maybe_placeholders": True}
    key = blake2b(f"{grammar} {version('lark')} {sys.version} {options}".encode(), digest_size=20).hexdigest()
    found = kept.find("grammar", key)
    if found is not None:
        ready: Lark = lark.__new__(lark)
        ready._load(marshal.loads(found), postlex=layout)
        return ready
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    made = lark(grammar, postlex=layout, **options)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"]["postlex"] = None
    with suppress(ValueError):  # what another version of the library adds to its tables may be nothing to be kept
        kept.keep("grammar", key, marshal.dumps(_plain({"data": data, "memo": memo})))
    return made


def _plain(value: Any) -> Any:
    """The same data made of Python's own types only."""
    if isinstance(value, dict):
        return {_plain(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_plain(v) for v in value) if type(value) in (list, tuple) else [_plain(v) for v in value]
    if isinstance(value, set | frozenset):
        return sorted(_plain(v) for v in value)
    return str(value) if isinstance(value, str) else value


def parse_module(source: Source, sink: Sink) -> s.Module | None:
    """One `.rules` file; None when its form is at fault."""
    if not _is_plain(source, 0, len(source.text), sink):
        return None
    from interpreter.language.from_tree import TreeReader

    tree = _parse(source, unfolded(source.text) + "\n", "start", 0, sink)
    if tree is None:
        return None
    reader = TreeReader(source, 0, lambda src, a, b: parse_expression(src, a, b, sink))
    return reader.module(tree)


def parse_expression(source: Source, start: int, end: int, sink: Sink) -> s.Expr | None:
    """The expression written between two offsets of a source."""
    from interpreter.language.from_tree import TreeReader

    text = source.text[start:end]
    if not text.strip():
        sink.error("missing-expression", "an expression was expected here, found nothing",
                   Span(source, start, end))
        return None
    if not _is_plain(source, start, end, sink):
        return None
    flat = text.replace("\n", " ").replace("\r", " ")
    tree = _parse(source, flat, "expression_start", start, sink)
    if tree is None:
        return None
    reader = TreeReader(source, start, lambda src, a, b: parse_expression(src, a, b, sink))
    result: s.Expr = reader.expr(tree.children[0])
    return result


def unfolded(text: str) -> str:
    """The text with continued lines joined by spaces, every character keeping its place.

    A line that ends with `=` goes on over all deeper-indented lines that follow it; one that
    ends with `and`, `or`, `then`, `else` or a comma goes on with the next line.
    """
    lines = text.split("\n")
    bare = [_CODE.match(line).group().rstrip() for line in lines]  # type: ignore[union-attr]
    joined = [False] * len(lines)
    at = 0
    while at < len(lines):
        head = bare[at]
        if head.endswith("=") and not head.endswith("=="):
            width = len(head) - len(head.lstrip())
            last = at
            for n in range(at + 1, len(lines)):
                if bare[n].strip():
                    if len(bare[n]) - len(bare[n].lstrip()) <= width:
                        break
                    last = n
            for n in range(at, last):
                joined[n] = True
            at = last
        elif head.endswith(",") or head.rsplit(" ", 1)[-1] in ("and", "or", "then", "else"):
            joined[at] = True
        at += 1
    out: list[str] = []
    for n, line in enumerate(lines):
        if joined[n]:
            out.append(bare[n].ljust(len(line)) + " ")
        else:
            out.append(line + "\n")
    return "".join(out)[:-1] if out else text


def _is_plain(source: Source, start: int, end: int, sink: Sink) -> bool:
    """Refuses tabs in the indentation and nesting too deep to be meant."""
    depth = deepest = 0
    for ch in source.text[start:end]:
        if ch in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif ch in ")]}":
            depth -= 1
    if deepest > MAX_NESTING:
        sink.error("nested-too-deep",
                   f"brackets are nested {deepest} deep, at most {MAX_NESTING} are allowed",
                   Span(source, start, end), help="give parts of the expression names with `define`")
        return False
    for number in range(1, len(source.line_starts()) + 1) if start == 0 else ():
        line = source.line(number)
        lead = line[:len(line) - len(line.lstrip())]
        if "\t" in lead and line.strip():
            at = source.line_starts()[number - 1] + lead.index("\t")
            sink.error("tab-in-indentation", "found a tab in the indentation, expected spaces",
                       Span(source, at, at + 1), help="indent with spaces, four for each step")
            return False
    return True


def _parse(source: Source, text: str, start: str, offset: int, sink: Sink) -> Any:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken
    from lark.indenter import DedentError

    try:
        return _parser().parse(text, start=start)
    except UnexpectedToken as fault:
        _report_token(source, offset, fault, sink)
    except UnexpectedCharacters as fault:
        position = fault.pos_in_stream or 0
        at = offset + position
        char = text[position] if position < len(text) else ""
        if char == '"':
            sink.error("unclosed-text", 'a text opened with " is not closed on its line',
                       Span(source, at, at + 1),
                       help='close it with "')
        else:
            sink.error("unexpected-character", f"found `{char}`, which means nothing here",
                       Span(source, at, at + 1), help=_hint(char))
    except DedentError:
        _report_indentation(source, sink)
    return None


def _hint(char: str) -> str:
    return {"=": "to compare write ==; to name a value write let x = ...", "&": "write `and`",
            "|": "write `or`",
            "'": 'texts stand in double quotes: "..."', "!": "write `not` or !=",
            "\t": "use spaces"}.get(char, "")


def _report_token(source: Source, offset: int, fault: Any, sink: Sink) -> None:
    token = fault.token
    start = offset + (token.start_pos if token.start_pos is not None else 0)
    length = max(1, len(str(token).strip()) if token.type not in ("_NL", "_INDENT", "_DEDENT", "$END") else 1)
    span = Span(source, start, start + length)
    kind = token.type
    expected = _expected_words(fault)
    if _report_first_word(source, start, expected, sink):
        return
    bracket = _open_bracket(source, offset, start)
    if bracket is not None and kind in ("_NL", "$END", "_INDENT", "_DEDENT", "COLON") or (
            bracket is not None and _starts_statement(source, start)):
        assert bracket is not None
        at, closing = bracket
        sink.error("unclosed-bracket", f"the bracket opened here is not closed: expected `{closing}`",
                   Span(source, at, at + 1), help=f"add the missing `{closing}`")
        return
    word = str(token)
    if kind == "_INDENT":
        at = _start_of_line_after(source, start)
        sink.error("unexpected-indentation", "these lines stand further in than the line above allows",
                   Span(source, at, at + 1),
                   help="indent only after a line that ends with `:`")
    elif kind in ("_NL", "_DEDENT", "$END"):
        at = _end_of_line_before(source, start)
        what = " or ".join(expected[:6]) or "more"
        sink.error("unfinished-line", f"the line ends too early: expected {what}", Span(source, at, at + 1),
                   help="end a line that opens a block with `:`" if "`:`" in expected else "")
    else:
        what = f"; expected {' or '.join(expected[:6])}" if expected else ""
        known = _STARTS + _STATEMENT_STARTS if kind in ("NAME",) else ()
        sink.error("unexpected-word", f"found `{word}`, which cannot stand here{what}", span,
                   help=did_you_mean(word, known) if known and word not in known else
                   ("to compare write ==" if word == "=" else ""))


_PLACES = {
    "require": "requirements stand at the top of an option, a rule or a step of a draft; here write `assert`",
    "prefer": "preferences stand at the top of an option or a step of a draft",
    "option": "options stand inside a `choose` or a `draft`", "otherwise": "it ends a `choose`",
    "finish": "it stands inside a `choose` or a `draft`", "offer": "it ends a `draft`",
    "else": "it follows an `if` and stands below it",
}


def _report_first_word(source: Source, at: int, expected: list[str], sink: Sink) -> bool:
    """A line's first word that was taken for a call because it begins no statement."""
    if expected != ["`(`"]:
        return False
    line, _ = source.position(at)
    begin = source.line_starts()[line - 1]
    before = source.text[begin:at]
    word = before.strip()
    if not word.isidentifier():
        return False
    start = begin + len(before) - len(before.lstrip())
    known = _STARTS + _STATEMENT_STARTS
    help_text = _PLACES.get(word) or ("" if word in known else did_you_mean(word, _STATEMENT_STARTS))
    sink.error("unexpected-word", f"found `{word}`, which " + ("cannot stand here" if word in known else
                                                              "begins no statement"),
               Span(source, start, start + len(word)), help=help_text)
    return True


def _start_of_line_after(source: Source, at: int) -> int:
    """The first character of the next line that holds something."""
    text = source.text
    end = text.find("\n", at)
    while 0 <= end < len(text) and text[end].isspace():
        end += 1
    return min(max(end, at), max(len(text) - 1, 0))


def _expected_words(fault: Any) -> list[str]:
    terminals = {t.name: t for t in _parser().terminals}
    out: list[str] = []
    names = {"NAME": "a name", "INT": "a number", "TEXT": 'a text in "..."', "CITE": "a citation [..]",
             "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "", "$END": "",
             "_CALL": "`(`", "_INDEX": "`[`", "SIGN": "`+` or `-`", "MUL": "`*` or `/`",
             "COMPARE": "a comparison"}
    for name in sorted(fault.accepts or fault.expected or ()):
        if name in names:
            words = names[name]
        else:
            pattern = terminals[name].pattern if name in terminals else None
            words = f"`{pattern.value}`" if pattern is not None and pattern.type == "str" else ""
        if words and words not in out:
            out.append(words)
    plain = ("a name", "a number", "`:`", "the end of the line")
    return out if len(out) <= 8 else [w for w in out if w in plain]


def _open_bracket(source: Source, offset: int, at: int) -> tuple[int, str] | None:
    """The innermost bracket open at `at`, looking back over one statement's lines."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    stack: list[tuple[int, str]] = []
    in_text = in_comment = False
    for i in range(offset, min(at, len(source.text))):
        ch = source.text[i]
        if ch == "\n":
            in_text = in_comment = False
        elif in_comment:
            continue
        elif ch == '"':
            in_text = not in_text
        elif in_text:
            continue
        elif ch == "#":
            in_comment = True
        elif ch in pairs:
            stack.append((i, pairs[ch]))
        elif ch in ")]}" and stack:
            stack.pop()
    return stack[0] if stack else None


def _starts_statement(source: Source, at: int) -> bool:
    line, _ = source.position(at)
    words = source.line(line).split()
    return bool(words) and words[0].rstrip(":") in _STARTS + _STATEMENT_STARTS


def _end_of_line_before(source: Source, at: int) -> int:
    text = source.text
    at = min(at, len(text))
    while at > 0 and (at >= len(text) or text[at - 1].isspace()):
        at -= 1
        if text[at:at + 1] and not text[at].isspace():
            return at
    return max(at - 1, 0)


def _report_indentation(source: Source, sink: Sink) -> None:
    """Finds the first line that returns to an indentation nobody opened."""
    open_at = [0]
    previous_opens = False
    depth = 0
    for number in range(1, len(source.line_starts()) + 1):
        line = source.line(number)
        bare = line.split("#")[0].rstrip()
        if not bare.strip():
            continue
        width = len(bare) - len(bare.lstrip())
        if depth == 0:
            if width > open_at[-1]:
                open_at.append(width)
            else:
                while open_at and open_at[-1] > width:
                    open_at.pop()
                if not open_at or open_at[-1] != width:
                    at = source.line_starts()[number - 1]
                    sink.error("uneven-indentation",
                               "this line stands at an indentation that no line above opened",
                               Span(source, at, at + max(width, 1)),
                               help="line it up with the lines of the block it belongs to")
                    return
        depth += sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")
        depth = max(depth, 0)
        previous_opens = bare.endswith(":")
    del previous_opens
    sink.error("uneven-indentation", "the indentation of this file does not fit together",
               Span(source, 0, 1))
