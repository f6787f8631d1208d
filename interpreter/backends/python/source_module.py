"""Python source with positions in the rules: text is written with marks, then parsed and placed.

Printed:  return v_a / «3»v_b«»        # mark 3: the author's `a / b`, line 12
Placed:   the same syntax tree; a fault in the division is reported at line 12 of the author's file

Each line of the text has the span of its statement; a mark gives one expression in it a span of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import CodeType
from typing import Any, NamedTuple

from interpreter.diagnostics.source_text import Source, Span

Place = tuple[int, int, int, int]  # line and column in bytes, then those of the end
_MARK = re.compile("\x01(\\d+)\x02|\x03")
_INDENT = "    "
_WORDS = frozenset({"ctx", "op", "ops", "id", "attr", "name", "kind", "type_comment", "conversion", "simple"})
_PLAIN = {(ast.Constant, "value"), (ast.arg, "arg"), (ast.keyword, "arg"), (ast.comprehension, "is_async")}
_INTERNAL = "<tables>"  # co_filename of what no author has written


class NestingTooDeepError(Exception):
    """Error for rules nested more deeply than Python can compile, with the innermost position."""

    def __init__(self, file: str, line: int) -> None:
        super().__init__(f"{file}:{line}")
        self.file = file
        self.line = line


@dataclass(slots=True)
class SourceBlock:
    """Lines of a function being written; `depth` is the indentation of the next line."""

    lines: list[tuple[str, Span]] = field(default_factory=list)
    depth: int = 0

    def add(self, text: str, span: Span) -> None:
        """Add one line."""
        self.lines.append((_INDENT * self.depth + text, span))

    @contextmanager
    def open_block(self, head: str, span: Span) -> Iterator[None]:
        """Add the line `head` that begins a block; lines added in the `with` statement are inside it."""
        self.add(head, span)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def extend(self, block: SourceBlock) -> None:
        """Add the lines of another block below the present indentation."""
        before = _INDENT * self.depth
        self.lines += [(before + text, span) for text, span in block.lines]


@dataclass(frozen=True, slots=True)
class ModuleTexts:
    """A printed program as text: the names of tables by their text, the lines of functions by their names."""

    tables: Mapping[str, str]
    functions: Mapping[str, tuple[str, ...]]


NO_TEXTS = ModuleTexts({}, {})


class SourceModule:
    """Builder of the Python code of one program.

    Functions are compiled under the name of the rules file that their span is in, so that a fault is reported there.
    """

    def __init__(self, tables: str = "S", base: ModuleTexts = NO_TEXTS) -> None:
        """Create an empty module; `tables` begins the names of its tables, which are unique in a program.

        With a `base`, tables of the same text keep the names that they have there.
        """
        self._prefix = tables
        self.spans: list[Span] = []
        self._base = base
        self._functions: list[tuple[str, Span, SourceBlock]] = []
        self._tables: dict[str, str] = {}
        self._names: dict[str, str] = dict(base.tables)
        self._taken = set(self._names.values())

    def mark_position(self, text: str, span: Span) -> str:
        """Return the code of an expression that may fault, between marks that refer to its position in the rules."""
        self.spans.append(span)
        return f"\x01{len(self.spans) - 1}\x02{text}\x03"

    def add_table(self, text: str, name: str = "") -> str:
        """Return the name of the constant table with this code, which is written once. `name`: a hint for its name."""
        table_name = self._names.get(text)
        if table_name is None:
            table_name = self._names[text] = f"{self._prefix}_{name}" if name else f"{self._prefix}{len(self._names)}"
            if table_name in self._taken:
                table_name = self._names[text] = f"{table_name}_{len(self._names)}"
            self._taken.add(table_name)
            self._tables[table_name] = text
        return table_name

    def add_function(self, name: str, params: Iterable[str], body: SourceBlock, span: Span) -> None:
        """Add a function; an empty body becomes `pass`. `params`: the names of its parameters."""
        block = SourceBlock()
        block.add(f"def {name}({', '.join(params)}):", span)
        block.depth = 1
        if body.lines:
            block.extend(body)
        else:
            block.add("pass", span)
        self._functions.append((name, span, block))

    def to_text(self, name: str = "") -> str:
        """Return all functions as text, or only those whose name is `name` or ends in `_` and `name`."""
        out: list[str] = []
        if not name:
            out += [f"{table} = {text}" for table, text in self._tables.items()]
        for function, _, body in self._functions:
            if name and function != name and not function.endswith("_" + name):
                continue
            out += ["", ""]
            before = ""
            for text, span in body.lines:
                plain = _MARK.sub("", text)
                where = f"{span.file}:{span.line}" if span.source.text else ""
                out.append(f"{plain:<90}  # {where}" if where and where != before else plain)
                before = where
        return "\n".join(out).strip("\n") + "\n"

    def to_texts(self) -> ModuleTexts:
        """Return the module as text, without positions."""
        return ModuleTexts(self._names, {name: _list_plain_lines(body) for name, _, body in self._functions})

    def compile_code(self) -> tuple[CodeType, ...]:
        """Return one code object for the tables and one for each file. Raise NestingTooDeepError."""
        return self._compile_functions(self._functions)

    def compile_changes(self) -> tuple[CodeType, ...] | None:
        """Return code objects of the tables and functions that differ from the base, () if none does.

        Executed after the base they replace its functions by name. None if a function of the base is missing here.
        Raise NestingTooDeepError.
        """
        before = self._base.functions
        if not before.keys() <= {name for name, _, _ in self._functions}:
            return None
        changed = [
            function for function in self._functions if before.get(function[0]) != _list_plain_lines(function[2])
        ]
        return self._compile_functions(changed) if changed or self._tables else ()

    def _compile_functions(self, functions: Iterable[tuple[str, Span, SourceBlock]]) -> tuple[CodeType, ...]:
        tables = "\n".join(f"{table} = {text}" for table, text in self._tables.items())
        by_file: dict[str, list[tuple[str, Span]]] = {}
        for _, span, body in functions:
            by_file.setdefault(span.file, []).extend(body.lines)
        codes = [compile(tables, _INTERNAL, "exec", dont_inherit=True)]
        for file, lines in by_file.items():
            try:
                codes.append(compile(self._build_tree(file, lines), file, "exec", dont_inherit=True))
            except SyntaxError as fault:  # Python's own limit of blocks inside one another
                raise NestingTooDeepError(file, fault.lineno or 0) from None
            except (RecursionError, MemoryError):
                raise NestingTooDeepError(file, min(span.line for _, span in lines)) from None
        return tuple(codes)

    def _build_tree(self, file: str, lines: list[tuple[str, Span]]) -> ast.Module:
        """Return the syntax tree of the functions of a file; its nodes have positions in that file of the rules.

        `lines`: the marked code, each line with its span in the rules.
        """
        marked: dict[tuple[int, int, int], Place] = {}
        plain: list[str] = []
        for number, (text, _) in enumerate(lines, 1):
            plain.append(self._strip_marks(text, number, file, marked))
        try:
            tree = ast.parse("\n".join(plain))
        except SyntaxError as fault:
            raise SyntaxError(fault.msg, (file, lines[(fault.lineno or 1) - 1][1].line, 1, "")) from None
        of_line = [get_place(span.source, span.start, span.end) for _, span in lines]
        _set_positions(tree, of_line, marked)
        return tree

    def _strip_marks(self, text: str, number: int, file: str, marked: dict[tuple[int, int, int], Place]) -> str:
        """Return a line without its marks, and record the columns that each mark covers.

        `number`: the number of the line. `marked`: receives the place in `file` for each (line, first column, end
        column).
        """
        if "\x01" not in text:
            return text
        out: list[str] = []
        begun: list[tuple[int, int]] = []
        at = column = 0
        for mark in _MARK.finditer(text):
            part = text[at : mark.start()]
            out.append(part)
            column += len(part)
            at = mark.end()
            if mark.group(1) is not None:
                begun.append((int(mark.group(1)), column))
                continue
            span_number, first = begun.pop()
            span = self.spans[span_number]
            if span.file == file:
                place = get_place(span.source, span.start, span.end)
                marked[number, first, column] = place
                marked.setdefault((number, first + 1, column - 1), place)  # the node inside parentheses
        out.append(text[at:])
        return "".join(out)


@lru_cache(maxsize=20_000)
def get_place(source: Source, start: int, end: int) -> Place:
    """Return (line, column in bytes, end line, end column in bytes) of a range of a source."""
    line, column = source.get_position(start)
    end_line, end_column = source.get_position(end)
    begin = len(source.get_line(line)[: column - 1].encode()) if source.text else 0
    stop = len(source.get_line(end_line)[: end_column - 1].encode()) if source.text else 0
    return max(line, 1), begin, max(end_line, 1), stop


class _Shape(NamedTuple):
    """Facts about a class of syntax nodes; `parts`: the fields that may hold nodes with a position, at any depth."""

    is_statement: bool
    is_expression: bool
    has_position: bool
    parts: tuple[str, ...]


@cache
def _describe_shape(node: type) -> _Shape:
    assert issubclass(node, ast.AST)
    return _Shape(
        issubclass(node, ast.stmt),
        issubclass(node, ast.expr),
        "lineno" in node._attributes,
        tuple(name for name in node._fields if (node, name) not in _PLAIN and name not in _WORDS),
    )


def _list_plain_lines(block: SourceBlock) -> tuple[str, ...]:
    """Return the lines of a block without marks."""
    return tuple([_MARK.sub("", text) if "\x01" in text else text for text, _ in block.lines])


def _set_positions(tree: ast.Module, of_line: list[Place], marked: dict[tuple[int, int, int], Place]) -> None:
    """Set the position of every node to the place of its mark in the rules, else to the position of the enclosing node.

    `of_line`: the place of each line. `marked`: the place for each (line, first column, end column).
    """
    marked_lines = {line for line, _, _ in marked}
    waiting: list[tuple[Any, Place]] = [(node, of_line[0]) for node in tree.body]
    while waiting:
        node, place = waiting.pop()
        is_statement, is_expression, has_position, parts = _describe_shape(node.__class__)
        if is_statement:
            place = of_line[node.lineno - 1]
        elif is_expression and node.lineno in marked_lines:
            place = marked.get((node.lineno, node.col_offset, node.end_col_offset), place)
        if has_position:
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
        for name in parts:
            child = getattr(node, name)
            if type(child) is list:
                waiting += [(x, place) for x in child]
            elif child is not None:
                waiting.append((child, place))
