"""Writing of an exported game: as a folder, a zip archive or one HTML file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from interpreter.runtime.errors import SetupError
from interpreter.ui.web.export.single_file import single_page
from interpreter.ui.web.export.site import INDEX, is_export

_TIME = (2020, 1, 1, 0, 0, 0)  # of every file in an archive, so that its bytes are the same each time
_MODE = 0o644 << 16


def write_export(made: Mapping[str, bytes], out: Path) -> int:
    """Write the files into FILE.html, FILE.zip or a folder; return the bytes written.

    A folder with an earlier export is replaced file by file. Raises SetupError for one with anything else in it.
    """
    match out.suffix.lower():
        case ".html" | ".htm":
            return _write(out, single_page(made))
        case ".zip":
            return _write(out, archive(made))
    _require_own(out)
    return sum(_write(out / name, data) for name, data in made.items())


def _require_own(folder: Path) -> None:
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


def archive(made: Mapping[str, bytes]) -> bytes:
    """Return the files as a zip archive; what is packed already is stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for name, data in made.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = _MODE
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".gz") else zipfile.ZIP_DEFLATED
            written.writestr(info, data)
    return out.getvalue()
