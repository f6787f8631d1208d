"""Create files completely: all or none, and never overwriting others."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.files.durable import replace_file
from interpreter.i18n.translator import LocalizedError
from interpreter.tools.formatting.layouts import format_source

_ID = re.compile(r"[a-z][a-z0-9_]{0,59}", re.ASCII)
_PLAIN = re.compile(r"[^\W_][\w' ().-]*", re.ASCII)
_NUMBER = re.compile(r"[0-9.]+", re.ASCII)
_WORDS = ("true", "false", "null")


class ScaffoldError(LocalizedError):
    """Raised if files cannot be created and none are; the message says why and how to fix it."""


def id_of(name: str) -> str:
    """Derive an id from a name: "My Game" becomes `my_game`. Raises ScaffoldError if that is impossible."""
    made = re.sub(r"[\s.-]+", "_", Path(name).name.strip().lower().removesuffix(".yaml"))
    if not _ID.fullmatch(made):
        raise ScaffoldError(
            "`{name}` cannot be an id: use lower-case letters, digits and underscores, beginning with a letter",
            name=name or " ",
        )
    return made


def title_of(name: str) -> str:
    """Derive a title from a name: `my_game` becomes "My game"."""
    words = re.sub(r"[_\s-]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def quote_text(text: str) -> str:
    """Format a text for a document, quoted if necessary."""
    if _PLAIN.fullmatch(text) and text == text.strip() and text.lower() not in _WORDS and not _NUMBER.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False)


def strip_controls(text: str) -> str:
    """Return an answer without surrounding blanks and control characters."""
    return "".join(letter for letter in text.strip() if letter.isprintable())


def _laid_out(name: str, text: str) -> str:
    made = format_source(Source(name, text), Sink())
    return text if made is None else made


def refuse_existing(paths: Iterable[Path]) -> None:
    """Raise ScaffoldError for the first path that exists, even as a broken symbolic link."""
    for path in paths:
        if path.exists() or path.is_symlink():
            raise ScaffoldError("{file} already exists; choose another name", file=path.as_posix())


def create_files(files: Mapping[Path, str]) -> tuple[Path, ...]:
    """Create files and their folders, and return the paths.

    Raises ScaffoldError if one exists, and then creates none.
    """
    refuse_existing(files)
    made: list[Path] = []
    folders = [f for path in files for f in reversed(path.parents) if not f.exists()]
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                made.append(path)
                file.write(_laid_out(path.name, text))
    except OSError:
        remove_created(made, folders)
        raise
    return tuple(made)


def remove_created(made: Iterable[Path], folders: Iterable[Path] = ()) -> None:
    """Remove created files and the folders created for them."""
    for path in made:
        path.unlink(missing_ok=True)
    for folder in sorted(dict.fromkeys(folders), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def create_folder(folder: Path, files: Mapping[str, str]) -> Path:
    """Create a folder atomically: it appears once all its files are written."""
    refuse_existing([folder])
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.parent / f".{folder.name}.{os.getpid()}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        for name, text in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_laid_out(path.name, text), encoding="utf-8", newline="\n")
        replace_file(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder
