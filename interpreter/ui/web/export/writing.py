"""Writing of an exported game: as a folder, a zip archive or one HTML file that also opens from a disk or a mail.

A page from a disk may load no module by address, so an import map gives each module a name and its text as data.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from interpreter.files.safe_read import write_inside
from interpreter.runtime.errors import SetupError
from interpreter.ui.web.export.site import INDEX, is_export

_TIME = (2020, 1, 1, 0, 0, 0)  # of every file in an archive, so that its bytes are the same each time
_MODE = 0o644 << 16


def write_export(files: Mapping[str, bytes], out: Path) -> int:
    """Write the files into FILE.html, FILE.zip or a folder; return the number of bytes written.

    `files`: the content of the files by name. A folder with an earlier export is replaced file by file. Raises
    SetupError for one with anything else in it.
    """
    match out.suffix.lower():
        case ".html" | ".htm":
            return _write(out, build_single_page(files))
        case ".zip":
            return _write(out, build_archive(files))
    _require_empty_or_exported(out)
    for name, data in files.items():
        write_inside(out, name, data)
    return sum(map(len, files.values()))


def _require_empty_or_exported(folder: Path) -> None:
    if folder.is_file():
        raise SetupError("{file} is a file; name a folder, or a file that ends in .html or .zip", file=folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    index = folder / INDEX
    if not (index.is_file() and is_export(index.read_text(encoding="utf-8", errors="replace"))):
        raise SetupError("{folder} contains other files; name an empty or new folder", folder=folder)


def _write(path: Path, data: bytes) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return len(data)


def build_archive(files: Mapping[str, bytes]) -> bytes:
    """Return the files as a zip archive; files that are already compressed are stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = _MODE
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".gz") else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


_PAGE = "page/"
_SPECIFIER = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])\./([\w.-]+\.js)\2""")
_STYLE = re.compile(r'<link rel="stylesheet" href="(page/[\w.-]+)">\n?')
_ICON = re.compile(r'<link rel="icon" href="(page/[\w.-]+)">')
_MODULE = re.compile(r'<script type="module" src="(page/[\w.-]+)"></script>')
_MANIFEST = re.compile(r'<link rel="manifest"[^>]*>\n?')
_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".js": "text/javascript"}


def build_single_page(files: Mapping[str, bytes]) -> bytes:
    """Return the files of an exported game as one page."""
    text = files[INDEX].decode()
    modules = {name: _rename_imports(data.decode()) for name, data in files.items() if _is_module(name)}
    imports = {name: encode_data_url(name, code.encode()) for name, code in modules.items()}
    import_map = f'<script type="importmap">{json.dumps({"imports": imports})}</script>\n'
    text = _MANIFEST.sub("", text)
    text = _ICON.sub(lambda match: f'<link rel="icon" href="{encode_data_url(match[1], files[match[1]])}">', text)
    text = _STYLE.sub(lambda match: f"<style>\n{files[match[1]].decode()}</style>\n", text)
    text = _MODULE.sub(lambda match: f'<script type="module">import "{match[1]}";</script>', text)
    text = text.replace("<title>", f"{import_map}<title>", 1)
    embedded = "".join(
        f'<script type="text/plain" data-file="{name}">{b64encode(data).decode()}</script>\n'
        for name, data in files.items()
        if name.endswith(".gz")
    )
    notices = "".join(
        f'<script type="text/plain" data-licence="{name}">\n{data.decode()}</script>\n'
        for name, data in files.items()
        if name.endswith(".txt")
    )
    return text.replace("</body>", f"{embedded}{notices}</body>").encode()


def _is_module(name: str) -> bool:
    return name.startswith(_PAGE) and name.endswith(".js")


def _rename_imports(code: str) -> str:
    """Return a module's code with addresses replaced by the names of the import map."""
    return _SPECIFIER.sub(lambda match: f"{match[1]}{match[2]}{_PAGE}{match[3]}{match[2]}", code)


def encode_data_url(name: str, data: bytes) -> str:
    """Return data as a `data:` URL."""
    ending = name[name.rindex(".") :]
    return f"data:{_TYPES.get(ending, 'application/octet-stream')};base64,{b64encode(data).decode()}"
