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


def install_command(extra: str) -> str:
    """Return the command that installs the optional dependencies `extra` from where this program was installed."""
    origin = _read_origin()
    return build_install_command(origin, extra) if origin else _from_folder(_PACKAGE.parent, extra)


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

        edited = "-e " if origin.get("dir_info", {}).get("editable") else ""
        return f'pip install {edited}"{url2pathname(urlsplit(url).path)}[{extra}]"'
    kind = origin.get("vcs_info", {}).get("vcs", "")
    return f'pip install "{_NAME}[{extra}] @ {kind + "+" if kind else ""}{url}"'


def _from_folder(folder: Path, extra: str) -> str:
    """Return the pip command that adds the optional dependencies `extra`.

    The command installs `folder` in editable mode if it holds the source, else the package of the index.
    """
    return (
        f'pip install -e "{folder}[{extra}]"'
        if (folder / "pyproject.toml").is_file()
        else build_install_command({}, extra)
    )


def _read_origin() -> Mapping[str, Any]:
    """Return the installer's record of the origin of this program, or {}."""
    from importlib.metadata import Distribution, PackageNotFoundError  # seldom needed

    try:
        noted = json.loads(Distribution.from_name(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}
