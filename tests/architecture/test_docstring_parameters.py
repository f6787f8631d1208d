"""Notes on parameters in docstrings: "`name`: ..." names a parameter of the function."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import interpreter

ROOT = Path(interpreter.__file__).parent
NOTE = re.compile(r"(?:^|(?<=[.;]\s))`([a-z_]\w*)`: ", re.MULTILINE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def unknown_notes(source: str) -> list[str]:
    """Return "function: name" for each note of a docstring that names neither a parameter nor anything in the body."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, Function) or not (text := ast.get_docstring(node)):
            continue
        known = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        for part in node.body[1:]:
            known |= set(re.findall(r"\w+", ast.unparse(part)))
        lines = "\n".join(line.strip() for line in text.splitlines())
        found += [f"{node.name}: {name}" for name in NOTE.findall(lines) if name not in known]
    return found


def test_note_on_unknown_parameter_is_reported() -> None:
    source = 'def draw(lang):\n    """Draw.\n\n    `asked`: the language.\n    """\n'
    assert unknown_notes(source) == ["draw: asked"]
    assert unknown_notes(source.replace("(lang)", "(asked)")) == []


def test_notes_of_docstrings_name_parameters() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): wrong
        for path in sorted(ROOT.rglob("*.py"))
        if (wrong := unknown_notes(path.read_text(encoding="utf-8")))
    }
    assert not found
