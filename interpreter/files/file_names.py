"""Names of files: those of a ruleset, with extensions in lower or upper case, and Unicode normalization.

A system may return `ü` as one character, or as `u` with a combining diaeresis.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from unicodedata import normalize

DOCUMENT_ENDINGS = (".yaml", ".yml")
RULES_ENDING = ".rules"
_HIDDEN = re.compile(r".+(?:\.ya?ml|\.rules)(?P<added>\.(?:txt|rtf|docx?|odt))", re.IGNORECASE)


def is_document_name(name: str | PathLike[str]) -> bool:
    """Return whether a file is a document by its name: `map.yaml`, `MAP.YAML`, `map.yml`."""
    return fspath(name).lower().endswith(DOCUMENT_ENDINGS)


def is_rules_name(name: str | PathLike[str]) -> bool:
    """Return whether a file holds rules by its name: `turn.rules`, `TURN.RULES`."""
    return fspath(name).lower().endswith(RULES_ENDING)


def find_added_suffix(name: str) -> str:
    """Return the second extension that an editor appended to the name of a ruleset's file, or '' if there is none.

    >>> [find_added_suffix(name) for name in ("words.rules.txt", "MAP.YAML.TXT", "notes.txt")]
    ['.txt', '.TXT', '']
    """
    match = _HIDDEN.fullmatch(name)
    return match["added"] if match else ""


def iter_documents(root: Path) -> Iterator[Path]:
    """Yield the documents of a folder and those below it, in the order of their paths."""
    yield from (path for path in sorted(root.rglob("*")) if is_document_name(path) and path.is_file())


def find_ruleset_document(folder: Path) -> Path | None:
    """Return the path of `ruleset.yaml` in a folder, ignoring case, or None."""
    usual = folder / "ruleset.yaml"
    if usual.is_file():
        return usual
    try:
        files = sorted(folder.iterdir())
    except OSError:
        return None
    return next((f for f in files if f.name.lower() in ("ruleset.yaml", "ruleset.yml") and f.is_file()), None)


def resolve_spelling(path: Path) -> Path:
    """Return a path as its folders spell it; unchanged if no entry matches in another normalization form."""
    if str(path).isascii() or os.path.lexists(path):
        return path
    stored = Path(path.anchor)
    for part in path.parts[1:] if path.anchor else path.parts:
        candidate = stored / part
        if not os.path.lexists(candidate):
            twin = _find_normalized(stored, part)
            if twin is None:
                return path
            candidate = stored / twin
        stored = candidate
    return stored


def _find_normalized(folder: Path, name: str) -> str | None:
    """Return the entry of a folder whose name has the same letters in another Unicode normalization, or None."""
    wanted = normalize("NFC", name)
    try:
        return next((entry for entry in sorted(os.listdir(folder)) if normalize("NFC", entry) == wanted), None)
    except (OSError, ValueError):
        return None
