"""Division of the interpreter into the parts that a page loads: found by following the imports of its own modules.

The workshop also takes the libraries that read and check documents, from the environment in which the kit is built.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ENTRY = "interpreter.ui.web.browser.entry"
COMPILER = ("interpreter.api.loading", "interpreter.backends.python.program_printer")
WORKSHOP = ("interpreter.ui.web.browser.workshop",)

# What a game is not played with: it is left out of a part unless a module of the part cannot be imported without it.
COMPILING = (
    "interpreter.programs", "interpreter.backends", "interpreter.lowering", "interpreter.passes", "interpreter.ir",
)  # fmt: skip
READING = ("interpreter.checker", "interpreter.documents", "interpreter.language")
# What no page needs, even if a function there imports it.
UNUSED = (
    "interpreter.backends.wasm", "interpreter.cli", "interpreter.environments", "interpreter.experiments",
    "interpreter.tools.cases", "interpreter.simulation", "interpreter.ui.repl", "interpreter.ui.tui",
    "interpreter.ui.web.worker_process", "interpreter.files.safe_processes",
)  # fmt: skip

LIBRARIES = ("yaml", "lark", "jsonschema", "jsonschema_specifications", "referencing", "attr", "attrs")
DISTRIBUTIONS = {"yaml": "PyYAML", "attr": "attrs"}
_LEFT_OUT = ("__pycache__", "tests", "benchmarks", "__pyinstaller", "tools", "grammars", "cli.py", "_mypy.py")


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its name, and its files by their names in the archive."""

    name: str
    files: Mapping[str, Path]


def parts_of_interpreter(root: Path) -> list[Part]:
    """Return the parts: the engine, the compiler, and the workshop, which reads and checks documents."""
    tree = ModuleTree(root)
    engine = tree.closure([ENTRY], without=(*COMPILING, *READING, *WORKSHOP, *UNUSED))
    compiler = tree.closure(COMPILER, without=(*READING, *WORKSHOP, *UNUSED)) - engine
    workshop = tree.closure(WORKSHOP, without=UNUSED) - engine - compiler
    locales = {f"interpreter/{path.relative_to(root / 'interpreter').as_posix()}": path for path in _catalogues(root)}
    return [
        Part("engine", {**tree.files(engine), **locales}),
        Part("compiler", tree.files(compiler)),
        Part("workshop", {**tree.files(workshop), **_workshop_data(root)}),
    ]


def _catalogues(root: Path) -> Iterator[Path]:
    yield from sorted((root / "interpreter" / "locale").glob("*/LC_MESSAGES/*.mo"))


def _workshop_data(root: Path) -> dict[str, Path]:
    """Return what the workshop reads besides modules: the grammar, schemas, and the libraries that it imports."""
    grammar = sorted((root / "interpreter" / "language").glob("rules.[lt]*"))
    found = {path.relative_to(root).as_posix(): path for path in grammar}
    found |= {f"schemas/{path.name}": path for path in sorted((root / "schemas").glob("*.json"))}
    for library in LIBRARIES:
        found |= _library_files(library)
    return found | {path.name: path for path in sorted((root / ".ci" / "kit" / "stand_ins").glob("*.py"))}


def _library_files(library: str) -> dict[str, Path]:
    """Return the modules and data of an installed library."""
    spec = find_spec(library)
    if spec is None or spec.origin is None:
        raise LookupError(library)
    folder = Path(spec.origin).parent
    return {
        f"{library}/{path.relative_to(folder).as_posix()}": path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".py", ".json", "") and path.is_file() and not _is_left_out(path.relative_to(folder))
    }


def _is_left_out(path: Path) -> bool:
    return any(part in _LEFT_OUT or part.startswith("_test") for part in path.parts)


class ModuleTree:
    """The modules of the interpreter and what they import."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def closure(self, roots: Iterable[str], without: Iterable[str]) -> set[str]:
        """Return the modules that the roots import, directly or not, also inside functions.

        Modules below `without` are left out unless a module that is not left out imports them on its top level.
        """
        skipped = tuple(without)
        found: set[str] = set()
        waiting = [(name, True) for name in roots if self._path(name)]
        while waiting:
            name, is_needed = waiting.pop()
            if name in found or not is_needed and _is_below(name, skipped):
                continue
            found.add(name)
            waiting += [(parent, True) for parent in _parents(name)]
            waiting += [(other, is_top) for other, is_top in self._imports(name) if self._path(other)]
        return found

    def files(self, modules: Set[str]) -> dict[str, Path]:
        """Return the files of modules by their names below the root."""
        paths = [path for name in modules if (path := self._path(name)) is not None]
        paths += {
            data for path in paths for data in path.parent.iterdir() if data.suffix in (".json", ".css", ".txt")
        }  # what modules read beside them
        return {path.relative_to(self.root).as_posix(): path for path in sorted(paths)}

    @cache  # noqa: B019 - the tree lives as long as the build
    def _path(self, name: str) -> Path | None:
        if not name.startswith("interpreter"):
            return None
        path = self.root.joinpath(*name.split("."))
        return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)

    @cache  # noqa: B019
    def _imports(self, name: str) -> tuple[tuple[str, bool], ...]:
        """Return the modules that a module names in imports, and whether each is imported on its top level."""
        path = self._path(name)
        assert path is not None
        return tuple(self._named(ast.parse(path.read_text(encoding="utf-8")), True))

    def _named(self, node: ast.AST, is_top: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            match child:
                case ast.Import(names=names):
                    yield from ((one.name, is_top) for one in names)
                case ast.ImportFrom(module=str(module), names=names):
                    yield module, is_top
                    yield from ((f"{module}.{one.name}", is_top) for one in names)
            yield from self._named(child, is_top and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def _parents(name: str) -> list[str]:
    steps = name.split(".")
    return [".".join(steps[:end]) for end in range(1, len(steps))]


def _is_below(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)
