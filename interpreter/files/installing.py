"""Instructions for installing the optional extras of this program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_NAME = "grognard"
_PACKAGE = Path(__file__).resolve().parents[1]
KIT_COMMAND = "python .ci/kit/build.py && pip install ./.ci/kit"  # run in the folder of the sources


def get_install_command(extra: str) -> str:
    """Return the command that installs the optional dependencies `extra` from where this program was installed."""
    origin = _read_origin()
    return build_install_command(origin, extra) if origin else _build_source_install_command(_PACKAGE.parent, extra)


def build_install_command(origin: Mapping[str, Any], extra: str) -> str:
    """Return the install command for a recorded origin of the program (`direct_url.json`); {} is the package index.

    >>> build_install_command({"url": "file:///home/ann/games", "dir_info": {"editable": True}}, "board")
    'pip install -e "/home/ann/games[board]"'
    >>> build_install_command({"url": "https://example.org/x.git", "vcs_info": {"vcs": "git"}}, "board")
    'pip install "grognard[board] @ git+https://example.org/x.git"'
    >>> build_install_command({}, "board")
    'pip install "grognard[board]"'
    """
    url = str(origin.get("url", ""))
    if not url:
        return f'pip install "{_NAME}[{extra}]"'
    if urlsplit(url).scheme == "file":
        from urllib.request import url2pathname  # imports network modules

        editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
        return f'pip install {editable}"{url2pathname(urlsplit(url).path)}[{extra}]"'
    kind = origin.get("vcs_info", {}).get("vcs", "")
    return f'pip install "{_NAME}[{extra}] @ {kind + "+" if kind else ""}{url}"'


def _build_source_install_command(folder: Path, extra: str) -> str:
    """Return the command that installs `folder` in editable mode if it holds the sources, else the indexed package."""
    is_source = (folder / "pyproject.toml").is_file()
    return f'pip install -e "{folder}[{extra}]"' if is_source else build_install_command({}, extra)


def _read_origin() -> Mapping[str, Any]:
    """Return the installer's record of the origin of this program, or {}."""
    from importlib.metadata import Distribution, PackageNotFoundError  # seldom needed

    try:
        origin = json.loads(Distribution.from_name(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return {}
    return origin if isinstance(origin, dict) else {}
