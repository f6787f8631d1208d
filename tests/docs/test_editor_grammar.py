"""The syntax highlighting for editors knows the words of the rules language."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIGHLIGHTING = ROOT / "docs" / "editors" / "vscode" / "syntaxes" / "grognard.tmLanguage.json"
GRAMMAR = (ROOT / "interpreter" / "language" / "rules.lark").read_text(encoding="utf-8")


def test_highlighted_words_are_those_of_grammar() -> None:
    patterns = json.loads(HIGHLIGHTING.read_text(encoding="utf-8"))["patterns"]
    listed = [re.match(r"\\b\(([a-z_|]+)\)", pattern.get("match", "")) for pattern in patterns]
    highlighted = {word for words in listed if words for word in words[1].split("|")}
    of_grammar = set(re.findall(r'"([a-z_]{2,})"', GRAMMAR))
    assert sorted(of_grammar - highlighted) == []
    assert sorted(highlighted - set(re.findall(r"[a-z_]+", GRAMMAR)) - {"none"}) == []
