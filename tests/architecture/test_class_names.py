"""One public class name has one meaning in the whole package, so that a name found by search is the right one."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.architecture.trees import PACKAGE, tree_of


def test_public_class_names_are_unique() -> None:
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert found
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
