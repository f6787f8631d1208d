"""Every finding of the check cases, told in Japanese: nothing but names, code and quoted text is left in English."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.diagnostics.rendering import encode_diagnostic
from interpreter.i18n.translator import get_translator
from tests.architecture.trees import nodes_of
from tests.checker.test_check_cases import CHUNKS, Chunk, judged

QUOTED = re.compile(r"`[^`]*`|「[^「」]*(?:「[^」]*」[^「」]*)*」|\"[^\"]*\"|[（(][\w, :.]*[)）]")
WORDS = re.compile(r"[A-Za-z]{2,}[ :;]+[A-Za-z]{2,}")
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")
SAY = get_translator("ja")


def texts_of(found: Diagnostic) -> list[str]:
    """Message, hint and related places, as they are told in Japanese."""
    return [SAY(found.message), *([SAY(found.help)] if found.help else []), *(SAY(r.message) for r in found.related)]


def english(text: str) -> bool:
    plain = QUOTED.sub("", text)
    return bool(WORDS.search(plain)) or not JAPANESE.search(text)


@pytest.mark.parametrize("chunk", [c for c in CHUNKS if c.wanted or c.directives], ids=lambda c: c.name)
def test_diagnostic_is_translated_to_japanese(chunk: Chunk) -> None:
    found = judged(chunk).found
    assert [text for d in found for text in texts_of(d) if english(text)] == []
    for d in found:
        assert encode_diagnostic(d)["message"] == str(d.message)


PLACES = {"error": (1, 3), "warning": (1,), "add_note": (1,), "Related": (0,), "_refuse": (3, 4)}
CODE = Path(__file__).resolve().parents[2] / "interpreter"
FILES = [
    *(p for part in ("checker", "documents", "language") for p in sorted((CODE / part).rglob("*.py"))),
    CODE / "api" / "loading.py",
    *sorted((CODE / "tools" / "cases").glob("*.py")),
]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(CODE).as_posix())
def test_diagnostic_message_is_in_catalogue(path: Path) -> None:
    bare = []
    for node in nodes_of(path):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            said = [a for n, a in enumerate(node.args) if n in PLACES.get(name, ())]
            said += [k.value for k in node.keywords if k.arg == "help" and name in PLACES]
            bare += [
                f"line {a.lineno}"
                for a in said
                if isinstance(a, ast.JoinedStr) or isinstance(a, ast.Constant) and a.value
            ]
    assert bare == [], "write these as _(...), see docs/translating.md"
