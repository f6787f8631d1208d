"""Every diagnostic code has a page, every page a code, and the examples of the pages bring what they promise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.tools.describe.explanations import read_diagnostic_page
from tests.checker.test_check_cases import Chunk, judge

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "diagnostics"
PAGES = sorted(FOLDER.glob("*.md"))
CODE = re.compile(r"[a-z]+(-[a-z0-9]+)+")
# A file without the like holds no code: of texts that stand together as one, one at least has the hyphen.
HINT = re.compile(r"""["'][a-z0-9]*-[a-z0-9-]*["']|check_word\(""")
NO_CODES = {
    "sans-serif",
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-32",
    "latin-1",
    "box-name",
    "wasm-module",
    "g-page",
}
CODELESS = ("ui/web", "tools/maps")  # what the board sends, and the names of parts of drawings
NO_CODES |= {"north-east", "north-west", "south-east", "south-west"}
# Codes put together from a part: where, and what the part can be beyond the words found in the source.
PARTS = {
    "unused-": ("procedure", "define", "rule", "tally", "draft", "event"),
    "unknown-": ("side", "seat", "place", "edge", "piece", "word", "direction", "rung", "thing", "draft", "attribute"),
}
_FENCE = re.compile(r"```(\S+)([^\n]*)\n(.*?)```", re.DOTALL)


def codes_in_source() -> set[str]:
    """Return all texts in the form of a code, and codes built from `unknown-` and a word, except those of the board."""
    found: set[str] = set()
    for path in sorted((ROOT / "interpreter").rglob("*.py")):
        if any(path.is_relative_to(ROOT / "interpreter" / folder) for folder in CODELESS):
            continue
        text = path.read_text(encoding="utf-8")
        if not HINT.search(text):
            continue
        nodes = list(ast.walk(ast.parse(text)))
        inside = {id(v) for n in nodes if isinstance(n, ast.JoinedStr) for v in n.values}
        for node in nodes:
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in inside
                and CODE.fullmatch(node.value)
            ):
                found.add(node.value)
            elif isinstance(node, ast.Call):
                found.update("unknown-" + w.replace(" ", "-") for w in _unknown_words(node))
    return (found | {head + part for head, parts in PARTS.items() for part in parts}) - NO_CODES


def _unknown_words(call: ast.Call) -> Iterator[str]:
    """Yield the word in `unknown("word", ...)`, `report_unknown("word", ...)` and `check_word(node, "word", ...)`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    index = {"unknown": 0, "report_unknown": 0, "check_word": 1}.get(name)
    if index is not None and len(call.args) > 2:
        word = call.args[index]
        if isinstance(word, ast.Constant) and isinstance(word.value, str):
            yield word.value


def test_every_code_has_page_and_every_page_code() -> None:
    pages = {p.stem for p in PAGES}
    codes = codes_in_source()
    assert sorted(codes - pages) == [], "codes without a page"
    assert sorted(pages - codes) == [], "pages without a code"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_page_has_its_parts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    assert lines[0] == f"# {path.stem}"
    assert [line for line in lines if line.startswith("## ")] == ["## For example", "## What to do"]
    what, _, rest = text.partition("## For example")
    example, _, cure = rest.partition("## What to do")
    assert len(what.split()) > 5 and len(cure.split()) > 1
    assert len(_FENCE.findall(example)) == 1
    assert max(len(line) for line in _FENCE.sub("", text).split("\n")) <= 120
    assert text.endswith("\n") and not text.endswith("\n\n")


def chunk_of(path: Path) -> Chunk | None:
    """Return the example as a chunk for the sample ruleset of the check cases, or None if it is only to be read."""
    language, tags, text = _FENCE.findall(path.read_text(encoding="utf-8"))[0]
    word = tags.strip()
    if language == "rules":
        return Chunk(path.stem, text, (), ("variant",) if word == "variant" else ())
    if language == "yaml":
        head = "" if word == "whole" else f"kind: {word}\nformat: 1\n"
        return Chunk(path.stem, head + text, (), ("yaml extra.yaml",))
    assert language == "text", path.stem
    return None


EXAMPLES = [p for p in PAGES if chunk_of(p) is not None]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_brings_its_finding(path: Path, tmp_path: Path) -> None:
    chunk = chunk_of(path)
    assert chunk is not None
    found = judge(chunk, tmp_path).found
    assert path.stem in {d.code for d in found}, [f"{d.span}: {d.code}: {d.message}" for d in found]


def test_most_examples_are_tried() -> None:
    assert len(EXAMPLES) > 0.75 * len(PAGES)


TRANSLATED = sorted(p.stem for p in (FOLDER / "translations").glob("*.md"))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_code_is_explained_in_language(language: str) -> None:
    codes = re.findall(r"(?m)^## (\S+)$", (FOLDER / "translations" / f"{language}.md").read_text(encoding="utf-8"))
    assert codes == sorted(p.stem for p in PAGES)
    for code in codes:
        page, english = read_diagnostic_page(code, language), read_diagnostic_page(code)
        assert page and english and page != english
        assert _FENCE.findall(page) == _FENCE.findall(english)
        plain = re.sub(r"`[^`]*`|（[^）]*）|kind は.*|種類は .*", "", _FENCE.sub("", page).split("\n", 1)[1])
        assert not re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", plain), plain


def test_code_is_explained_in_english_where_language_has_no_page() -> None:
    assert read_diagnostic_page("unknown-key", "xx") == read_diagnostic_page("unknown-key")
    assert read_diagnostic_page("no-such-code", TRANSLATED[0]) is None
