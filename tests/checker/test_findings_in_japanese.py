"""Every finding of the check cases, told in Japanese: nothing but names, code and quoted text is left in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.source.diagnostic import Diagnostic
from interpreter.source.rendering import as_data
from interpreter.speech import speaker
from tests.checker.test_check_cases import CHUNKS, Chunk, judge

QUOTED = re.compile(r"`[^`]*`|「[^「」]*(?:「[^」]*」[^「」]*)*」|\"[^\"]*\"|[（(][\w, :.]*[)）]")
WORDS = re.compile(r"[A-Za-z]{2,}[ :;]+[A-Za-z]{2,}")
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")
SAY = speaker("ja")


def texts_of(found: Diagnostic) -> list[str]:
    """Message, hint and related places, as they are told in Japanese."""
    return [SAY(found.message), *([SAY(found.help)] if found.help else []), *(SAY(r.message) for r in found.related)]


def english(text: str) -> bool:
    plain = QUOTED.sub("", text)
    return bool(WORDS.search(plain)) or not JAPANESE.search(text)


@pytest.mark.parametrize("chunk", [c for c in CHUNKS if c.wanted or c.directives], ids=lambda c: c.name)
def test_a_finding_is_told_in_japanese(chunk: Chunk, tmp_path: Path) -> None:
    found = judge(chunk, tmp_path).found
    assert [text for d in found for text in texts_of(d) if english(text)] == []
    for d in found:
        assert as_data(d)["message"] == str(d.message)
