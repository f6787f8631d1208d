"""HTML and SVG are written by one module each: no other code puts tags together from strings."""

from __future__ import annotations

import ast
import re

from tests.architecture.trees import PACKAGE, nodes_of

WRITERS = {"diagnostics/html_markup.py", "diagnostics/svg_markup.py"}
EDITS = {
    "experiments/plots.py": "scales what matplotlib has drawn",
    "players/reports/html_page.py": "names a finished picture after its caption",
    "ui/web/export/writing.py": "puts the files of the page into one",
    "ui/web/export/site.py": "fills in the title of the page",
}
_TAG = re.compile(r"(?<!\(\?)(?<!\(\?P)</?[a-z][a-z0-9]*[ >/]")  # not a group of a regular expression


def _tags(module: str) -> list[str]:
    """Return the formatted strings of a module that contain tags."""
    return [
        ast.unparse(node)
        for node in nodes_of(PACKAGE / module)
        if isinstance(node, ast.JoinedStr)
        and any(isinstance(part, ast.Constant) and _TAG.search(str(part.value)) for part in node.values)
    ]


def test_tags_are_formatted_by_writers_alone() -> None:
    modules = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    found = {module: tags for module in modules if (tags := _tags(module)) and module not in WRITERS}
    assert {module: tags for module, tags in found.items() if module not in EDITS} == {}
    assert sorted(found) == sorted(EDITS), "a module that edits no page any more leaves the list"
