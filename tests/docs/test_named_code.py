"""Test that the files, modules, classes and functions that the pages for developers name in code spans exist."""

from __future__ import annotations

import builtins
import re
from functools import cache
from pathlib import Path

import pytest

from interpreter.checker.operations import BUILTINS
from tests.docs.test_glossary import PACKAGES, resolves

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = {  # decisions that were superseded name what is no more, and the changelog what once was
    path.relative_to(ROOT).as_posix(): text
    for path in sorted([ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("[!d]*/*.md"), *DOCS.glob("decisions/*.md")])
    if path.name != "changelog.md" and "**Superseded**" not in (text := path.read_text(encoding="utf-8"))
}
DEVELOPERS = [page for page in PAGES if page.count("/") < 2 or "decisions" in page]  # not calls of rules or SQL
FENCE = re.compile(r"^ *```([^`\n]*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`((?:[^`\n]|\n(?!\s*\n))+)`")
FOLDERS = (ROOT, ROOT / "interpreter", ROOT / "interpreter/ui/web/page", ROOT / "tests", DOCS)
FILE = re.compile(r"(?<![\w/.~-])[\w*][\w./*-]*\.(?:py|js|css|lark|md)(?![\w*])")
# calls, classes and options of the standard library and of other packages
FOREIGN = set("astype default_rng get_type mkdtemp".split())
FOREIGN |= set("LockFileEx ParallelEnv ProcessPoolExecutor SoftFileLock".split())
DEFINED = re.compile(
    r"^[ \t]*(?:async )?(?:def|class) (\w+)|^[ \t]*(\w+)(?: *:[^=\n]+)? = "
    r"|^(?:export )?(?:async )?function\*? (\w+)|^  (?:async |static |get |set )*(\w+)\(.*\{$",
    re.MULTILINE,
)


def spans_of(page: str) -> list[str]:
    return SPAN.findall(FENCE.sub("", PAGES[page]))


def sources(*patterns: str) -> list[str]:
    files = [path for pattern in patterns for path in (ROOT / "interpreter").rglob(pattern)]
    return [path.read_text(encoding="utf-8") for path in [*files, *(ROOT / "tests").rglob("*.py")]]


@cache
def defined_names() -> frozenset[str]:
    found = {name for text in sources("*.py", "*.js") for names in DEFINED.findall(text) for name in names}
    return frozenset(found | {*BUILTINS, *dir(builtins), *FOREIGN})


def exists(path: str) -> bool:
    """Return whether a path exists below one of the folders that pages name files from; `*` matches any letters."""
    below = [folder for folder in FOLDERS if any(folder.glob(path))]
    return bool(below) or "/" not in path and any(any(folder.rglob(path)) for folder in FOLDERS)


@pytest.mark.parametrize("page", PAGES)
def test_files_that_page_names_exist(page: str) -> None:
    named = {path for span in spans_of(page) if " " not in span for path in FILE.findall(span)}
    assert [path for path in sorted(named) if not exists(path) and not re.search("[A-Z]{3}", path)] == []


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_page_names_exist(page: str) -> None:
    dotted = re.compile(rf"(?:interpreter\.)?((?:{'|'.join(PACKAGES)})(?:\.\w+)+)(?:\(.*\))?", re.DOTALL)
    named = {match[1] for span in spans_of(page) if (match := dotted.fullmatch(span))}
    assert [name for name in sorted(named) if not FILE.fullmatch(name) and not resolves(name)] == []


@pytest.mark.parametrize("page", DEVELOPERS)
def test_functions_that_page_calls_are_defined(page: str) -> None:
    code = [
        *spans_of(page),
        *(text for sort, text in FENCE.findall(PAGES[page]) if sort == "python" and ">>>" not in text),
    ]
    called = {name for text in code for name in re.findall(r"\b([a-zA-Z_]\w+)\(", re.sub(r"\"[^\"]*\"", '""', text))}
    assert sorted(called - defined_names()) == []


@pytest.mark.parametrize("page", PAGES)
def test_classes_that_page_names_are_defined(page: str) -> None:
    named = {match[1] for span in spans_of(page) if (match := re.fullmatch(r"([A-Z][a-z]+[A-Z]\w*)(?:\..*)?", span))}
    assert sorted(named - defined_names()) == []


def test_missing_names_are_found() -> None:
    assert exists("runtime/state.py") and exists("test_named_code.py") and exists("backends/wasm/assembly/*_text.py")
    assert not exists("runtime/nothing.py") and not exists("nothing.py")
    assert "load_native" in defined_names() and "handleKey" in defined_names() and "load_nothing" not in defined_names()
