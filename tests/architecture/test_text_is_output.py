"""Text is output: code that shows a game formats `Line` records and reads nothing back from rendered text.

What is checked: regular expressions, and string tests for the marks that lines are rendered with, occur only in modules
that read what somebody else wrote. A reason beside each says what that is. A module that reads our own sentences by
other means, such as a comparison with a whole sentence, is not found.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, nodes_of

SHOWING = ("play", "players", "view_model", "ui/repl", "ui/tui", "ui/web")
READS = {
    "play/lines.py": "typography: brackets of any text, for players who listen",
    "play/illegal_action.py": "option keys",
    "play/setup.py": "NAME=VALUE of an optional rule",
    "players/manual_dice.py": "dice that a player typed",
    "runtime/localizer.py": "NAME=VALUE of an optional rule",
    "players/narration/synonyms.py": "entries of the catalogue that list words",
    "players/narration/why_queries.py": "orders that a player typed",
    "players/orders/name_index.py": "words that a player typed",
    "players/orders/menu.py": "labels that the author of a ruleset wrote, to add what they leave out",
    "players/questions/plain_answers.py": "questions that a player typed, and the catalogue's lists of phrases",
    "players/questions/plain_commands.py": "questions that a player typed, and the catalogue's lists of phrases",
    "players/reports/action_report.py": "Markdown syntax in any text, to escape it",
    "ui/repl/terminal.py": "colour marks of drawings",
    "ui/web/browser/workshop.py": "values that an author typed",
    "ui/web/export/writing.py": "files of the page, to put them into one",
    "ui/web/export/site.py": "files of the page, to fill in a title",
    "ui/web/network/game_records.py": "checksums of journals",
    "ui/web/network/public_url.py": "addresses that an operator typed",
    "ui/web/network/server_names.py": "host names of requests",
}
_TESTS = {"startswith", "endswith", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip", "partition", "split"}
_MARKS = "=[](（)）"


def _readers(module: Path) -> list[str]:
    """Return the expressions of a module that read text: regular expressions, and tests for marks of lines."""
    found = []
    for node in nodes_of(module):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        base, name = node.func.value, node.func.attr
        if isinstance(base, ast.Name) and base.id == "re" and name != "escape":
            found.append(ast.unparse(node))
        elif name in _TESTS and node.args:
            given = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
            texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if any(set(_MARKS) & set(text) or text and not text.strip() and len(text) > 1 for text in texts):
                found.append(ast.unparse(node))
    return found


def _modules() -> dict[str, list[str]]:
    files = [file for folder in SHOWING for file in sorted((PACKAGE / folder).rglob("*.py"))]
    files.append(PACKAGE / "runtime" / "localizer.py")
    return {file.relative_to(PACKAGE).as_posix(): _readers(file) for file in files}


def test_showing_code_reads_no_rendered_text() -> None:
    found = {module: readers for module, readers in _modules().items() if readers}
    assert {m: r for m, r in found.items() if m not in READS} == {}
    assert sorted(READS) == sorted(found), "a module that reads nothing any more leaves the list"


@pytest.mark.parametrize(
    "code",
    ['line.startswith("== ")', 'line.lstrip("= ")', 're.compile(r" [(.*)]$")', 'line.startswith("    ")'],
)
def test_code_that_parses_output_marks_is_reported(tmp_path: Path, code: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"import re\n{code}\n", encoding="utf-8")
    assert len(_readers(module)) == 1
