"""The files of an exported game: the board's unchanged page, with a worker in place of the server."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

from interpreter.api.rules import Rules
from interpreter.tools.maps.svg import render_page_css
from interpreter.ui.web.browser.local_strings import list_loading_strings
from interpreter.ui.web.export.kit import Kit
from interpreter.ui.web.export.sources import Sources
from interpreter.ui.web.page_strings import render_shell_page
from interpreter.view_model.to_json import format_json

INDEX, CONFIG = "index.html", "grognard-config"
_WORKER = "worker.js"  # packed, since it runs together with the runtime
_OFFLINE = "offline.js"
_COUNTERS = "counters.css"  # made by the server, not a file of the page
_HEAD, _BODY = "</head>", "</body>"
_MARK = '<meta name="generator" content="grognard export">'
_LOADING = (
    '<div id="loading" role="status"><p id="loading-text"></p>'
    '<progress id="loading-bar" aria-labelledby="loading-text"></progress></div>'
)
_COLOURS = {"theme_color": "#f4f1e8", "background_color": "#f4f1e8"}


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """A game to export: its rules, the packed files that the page loads, and the settings of a visitor's first game.

    `bundle`: the packed rules by file name; `players`: "human" or a bot by seat; `options`: the optional rules chosen;
    `sources`: the documents in which visitors can try changes.
    """

    rules: Rules
    bundle: Mapping[str, bytes]
    sources: Sources
    players: Mapping[str, str] = field(default_factory=dict)
    scenario: str = ""
    options: Sequence[str] = ()
    lang: str = ""


def build_site(game: ExportedGame, kit: Kit) -> dict[str, bytes]:
    """Return the files of an exported game by name, as a folder for any web server."""
    packed = {f"kit/{name}": data for name, data in kit.files.items()}
    packed |= {f"game/{name}.gz": pack(data) for name, data in sorted(game.bundle.items())}
    packed["game/sources.zip.gz"] = pack(game.sources.archive)
    page_files = _list_page_files()
    packed[f"page/{_WORKER}.gz"] = pack(page_files.pop(_WORKER))
    offline = page_files.pop(_OFFLINE)
    config = _build_config(game, kit, packed)
    site = {INDEX: _render_index(game, config)}
    site |= {f"page/{name}": data for name, data in page_files.items()} | packed
    site["manifest.webmanifest"] = format_json(_build_manifest(game)).encode()
    site[_OFFLINE] = _render_service_worker(offline, site)
    return dict(sorted(site.items()))


def is_on_demand(name: str) -> bool:
    """Return True for a file that a page loads only when its visitor tries a change."""
    return name.startswith(("kit/workshop", "game/sources"))


def pack(data: bytes) -> bytes:
    """Return data compressed, with the same bytes each time."""
    return gzip.compress(data, 9, mtime=0)


def is_export(text: str) -> bool:
    """Return True for an index page that `export` has written."""
    return _MARK in text


def _list_page_files() -> dict[str, bytes]:
    """Return the page's files, with those that replace the server's."""
    contents: dict[str, bytes] = {}
    for folder in (("page",), ("browser", "page")):
        for file in files("interpreter.ui.web").joinpath(*folder).iterdir():
            if file.is_file() and file.name != INDEX:
                contents[file.name] = file.read_bytes()
    return {**contents, _COUNTERS: render_page_css().encode()}


def _build_config(game: ExportedGame, kit: Kit, packed: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the settings that the page needs before the interpreter runs.

    `packed`: the compressed files by name. In the result `key` is a digest of the rules and the kit, `files` has the
    size and a digest of each file that every start needs, `later` the digests of the other files.
    """
    needed = {name: data for name, data in packed.items() if name.endswith(".gz")}
    digest = hashlib.sha256(kit.sources.encode())
    for name, data in sorted(game.bundle.items()):
        digest.update(name.encode() + data)
    return {
        "id": game.rules.id,
        "key": digest.hexdigest()[:16],
        "tag": kit.tag,
        "lang": game.lang,
        "defaults": {"players": dict(game.players), "scenario": game.scenario, "options": list(game.options)},
        "files": {name: (len(data), _compute_digest(data)) for name, data in needed.items() if not is_on_demand(name)},
        "later": {name: _compute_digest(data) for name, data in needed.items() if is_on_demand(name)},
        "target": game.sources.target,
        "extends": game.sources.extends,
        "pictures": dict(game.sources.pictures),
        "words": list_loading_strings(),
        "lock": json.dumps(kit.lock),
    }


def _render_index(game: ExportedGame, config: Mapping[str, Any]) -> bytes:
    """Return the board's page with the settings `config`, the loading display and the page's own dialog."""
    text = render_shell_page(game.lang, has_server=False).decode()
    title = game.rules.title(game.lang)
    text = re.sub(r"<title>.*?</title>", lambda match: f"<title>{escape(title)}</title>", text)
    head = (
        f"{_MARK}\n"
        f'<meta name="description" content="{escape(title)}">\n'
        '<link rel="manifest" href="manifest.webmanifest">\n'
        '<link rel="stylesheet" href="page/local.css">\n'
    )
    settings = format_json(config).replace("<", "\\u003c")
    body = (
        f'<script type="application/json" id="{CONFIG}">{settings}</script>\n'
        '<script type="module" src="page/local.js"></script>\n'
    )
    text = text.replace(_HEAD, head + _HEAD).replace("<main>", f"{_LOADING}\n<main>").replace(_BODY, body + _BODY)
    return text.encode()


def _build_manifest(game: ExportedGame) -> dict[str, Any]:
    """Return the web manifest, with which browsers can install the page like a program."""
    title = game.rules.title(game.lang)
    icon = {"src": "page/icon.svg", "sizes": "any", "type": "image/svg+xml"}
    manifest = {"name": title, "short_name": title.partition(":")[0], "icons": [icon]}
    return {**manifest, "start_url": "./", "scope": "./", "display": "standalone", **_COLOURS}


def _render_service_worker(script: bytes, files: Mapping[str, bytes]) -> bytes:
    """Return the service worker with the digests of the files that it keeps; the page itself has the name "".

    `script`: the code of the service worker; `files`: the files by name.
    """
    digests = {
        "" if name == INDEX else name: _compute_digest(data)
        for name, data in files.items()
        if not name.endswith(".txt")
    }
    later = [name for name in digests if is_on_demand(name)]
    return f"const FILES = {json.dumps(digests)};\nconst LATER = {json.dumps(later)};\n".encode() + script


def _compute_digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
