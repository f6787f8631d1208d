"""Test the structure of the package: no import cycles, no needless late imports, documented modules exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, ROOT, nodes_of, tree_of

IMPORTS_INSIDE = re.compile(r"^[^\S\n]+(from|import)\b|[:;].*\bimport\b", re.MULTILINE)
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
FOLDERS = sorted({path.parent for path in MODULES.values()})


def name(folder: Path) -> str:
    return folder.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("folder", FOLDERS, ids=name)
def test_package_has_docstring(folder: Path) -> None:
    assert ast.get_docstring(tree_of(folder / "__init__.py"))


def test_no_module_can_be_reached_from_itself() -> None:
    """Check imports at any depth, also those for types alone across packages.

    Within a package records may name each other's types: a state holds its program, which makes its states.
    """
    imports = {module: set(_imported(module)) & set(MODULES) - {module} for module in MODULES}
    assert list(_circles(imports)) == []


def _imported(module: str) -> Iterator[str]:
    package = ".".join(module.split(".")[:2])
    of_types = {
        id(node)
        for test in nodes_of(MODULES[module])
        if isinstance(test, ast.If) and ast.unparse(test.test) == "TYPE_CHECKING"
        for node in test.body
    }
    for node in nodes_of(MODULES[module]):
        for found in _named([node]):
            if id(node) not in of_types or not found.startswith(f"{package}."):
                yield found


def _named(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the modules that the imports among these nodes name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (w if w in MODULES else node.module for w in whole)


def _circles(imports: dict[str, set[str]]) -> Iterator[list[str]]:
    """Yield the modules left after repeatedly removing those that import nothing or are imported by nothing."""
    left = dict(imports)
    while True:
        wanted = {target for targets in left.values() for target in targets}
        ends = {module for module, targets in left.items() if not targets & set(left) or module not in wanted}
        if not ends:
            break
        left = {module: targets - ends for module, targets in left.items() if module not in ends}
    if left:
        yield sorted(left)


def test_import_inside_function_saves_something() -> None:
    """Check that a late import loads a module that the module's own top-level imports do not load anyway."""
    idle = []
    for module, path in MODULES.items():
        if not IMPORTS_INSIDE.search(path.read_text(encoding="utf-8")):
            continue  # no late import to examine
        loaded = _loaded(module)
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                idle += [(module, wanted) for wanted in _named(ast.walk(node)) if wanted in loaded]
    assert idle == []


def _loaded(module: str) -> set[str]:
    """Return the modules of the package that are loaded once `module` has been imported."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [name.rpartition(".")[0]] * ("." in name)
            waiting += _at_once(name) if name in MODULES else ()
    return found


@cache
def _at_once(module: str) -> tuple[str, ...]:
    """Return the imports that run when a module is loaded, without those for types alone."""
    waiting: list[ast.stmt] = list(tree_of(MODULES[module]).body)
    found: list[str] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += _named([node])
        elif isinstance(node, ast.Try):
            waiting += node.body
        elif isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING":
            waiting += [*node.body, *node.orelse]
    return tuple(found)


def test_modules_that_documents_name_are_there() -> None:
    packages = "|".join(sorted({module.split(".")[1] for module in MODULES if module.count(".")}))
    path, dotted = rf"`(?:interpreter/)?((?:{packages})/[a-z_/]+)\.py`", rf"`((?:{packages})(?:\.[a-z_]+)+)\.[a-z_]+\("
    named = {
        (page.name, found.replace(".", "/"))
        for page in (ROOT / "docs").rglob("*.md")
        for either in re.findall(f"{path}|{dotted}", page.read_text(encoding="utf-8"))
        for found in either
        if found
    }
    assert len(named) > 40
    assert not [(page, module) for page, module in sorted(named) if not (PACKAGE / f"{module}.py").exists()]
