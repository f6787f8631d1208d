"""Names in docstrings and comments: a name in backquotes with an underscore or a capital inside is one of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.trees import PACKAGE, ROOT, nodes_of

QUOTED = re.compile(r"`([^`]+)`")
COMMENT = re.compile(r"(?:^|\s)# (.*)")
NAME = re.compile(r"[A-Za-z]\w*_\w+|_\w+|[A-Za-z][a-z]+[A-Z]\w*")
# names in examples, and a keyword of JSON Schema that is left out
EXAMPLES = set("left_bank supply_rech supply_reach patternProperties".split())
# a part of a generated name stands for any other: `list_n`, `p_name`, `watch_EVENT`
GENERATED = re.compile(r".*(?:_n|_name|_[A-Z]+)|\w+[NK]")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def split_prose(text: str, nodes: tuple[ast.AST, ...]) -> tuple[list[tuple[int, str]], str]:
    """Return the docstrings and comments of a module with the numbers of their lines, and the code without them."""
    lines, prose = text.splitlines(), []
    for node in nodes:
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            held = node.body[0]
            prose.append((held.lineno, "\n".join(lines[held.lineno - 1 : held.end_lineno])))
            lines[held.lineno - 1 : held.end_lineno] = [""] * (held.end_lineno - held.lineno + 1)
    for number, line in enumerate(lines, 1):
        if match := COMMENT.search(line):
            prose.append((number, match[1]))
            lines[number - 1] = line[: match.start()]
    return prose, "\n".join(lines)


def iter_code_files() -> Iterator[Path]:
    """Yield the files besides modules whose words docstrings may name: scripts, schemas, the grammar, settings."""
    for folder, patterns in ((PACKAGE, "*.js *.css *.lark *.html"), (ROOT / "schemas", "*.json"), (ROOT, "*.toml")):
        for pattern in patterns.split():
            yield from folder.glob(pattern) if folder == ROOT else folder.rglob(pattern)


def missing_names(prose: str, known: set[str]) -> list[str]:
    names = (name for quoted in QUOTED.findall(prose) if ".py" not in quoted for name in NAME.findall(quoted))
    return [name for name in names if not (name in known or name in EXAMPLES or GENERATED.fullmatch(name))]


def test_docstring_name_missing_from_code_is_reported() -> None:
    text = '"""Read a file; see `read_all`, `list_n` and `ReadError`."""\nclass ReadError: ...  # not `read_none`\n'
    prose, code = split_prose(text, tuple(ast.walk(ast.parse(text))))
    known = set(re.findall(r"\w+", code))
    assert [missing_names(part, known) for _, part in prose] == [["read_all"], ["read_none"]]


def test_names_in_docstrings_and_comments_exist() -> None:
    modules = sorted(PACKAGE.rglob("*.py"))
    texts = {path: split_prose(path.read_text(encoding="utf-8"), nodes_of(path)) for path in modules}
    code = [code for _, code in texts.values()] + [path.read_text(encoding="utf-8") for path in iter_code_files()]
    known = {word for text in code for word in re.findall(r"\w+", text)} | {path.stem for path in modules}
    found = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path, (prose, _) in texts.items()
        for number, part in prose
        for name in missing_names(part, known)
    ]
    assert found == []
