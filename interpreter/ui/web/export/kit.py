"""The kit of an exported page: Python for the browser and the interpreter compiled for it, from `grognard-web`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from interpreter.files.installing import KIT_COMMAND
from interpreter.runtime.errors import SetupError

_PACKAGE = "grognard_web"
_ABOUT = "kit.json"
_ROOT = Path(__file__).resolve().parents[4]


@dataclass(frozen=True, slots=True)
class Kit:
    """Runtime of an exported page: Python and the interpreter, compiled for the browser, with metadata.

    `files`: the contents by file name; `tag`: the version of Python that compiled the interpreter; `lock`: the lock
    file in which Pyodide lists its packages; `sources`: the digest of the interpreter's sources that it was made from.
    """

    files: Mapping[str, bytes]
    tag: str
    lock: Mapping[str, Any]
    sources: str


def load_kit() -> Kit:
    """Return the kit. Raises SetupError if it is not installed, or made from other sources than this interpreter."""
    folder = _find_folder()
    if folder is None:
        raise SetupError(
            "to export a game, first build Python for the browser, once, in the folder of Grognard's source: {command}",
            command=KIT_COMMAND,
        )
    about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
    if about["sources"] != _compute_digest(about["modules"]):
        raise SetupError(
            "the package grognard-web ({version}) belongs to another version of grognard, so an exported game would "
            "not play as it does here; update it in the folder of Grognard's source: {command}",
            version=about["version"],
            command=KIT_COMMAND,
        )
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".gz", ".txt")}
    return Kit(files, about["tag"], about["lock"], about["sources"])


def _find_folder() -> Path | None:
    """Return the folder of the kit's files in the installed package, else in a checkout; None if neither has it."""
    spec = find_spec(_PACKAGE)
    places = [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    for place in (*places, _ROOT / ".ci" / "kit" / _PACKAGE):
        if (place / "files" / _ABOUT).is_file():
            return place / "files"
    return None


def _compute_digest(names: list[str]) -> str:
    """Return the digest of this interpreter's own sources, as `.ci/kit/build.py` computes it; '' if one is missing."""
    digest = hashlib.sha256()
    try:
        for name in names:
            data = (_ROOT / name).read_bytes()
            digest.update(f"{name} {len(data)} ".encode() + data)
    except OSError:
        return ""
    return digest.hexdigest()
