"""The sessions in the documentation are what the program says today."""

from __future__ import annotations

import pytest

from tests.docs.transcripts import TRANSCRIPTS, names, page


@pytest.mark.parametrize("name", names())
def test_transcript_matches_program_output(name: str) -> None:
    there = (TRANSCRIPTS / f"{name}.md").read_text(encoding="utf-8")
    assert "```text session\n" in there
    assert page(name) == there, "write it anew with: python -m tests.docs.transcripts"
