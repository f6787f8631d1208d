"""Locations of the data shipped with the program: rulesets, schemas, templates and manual pages.

A checkout has them next to the package, an installed wheel inside it under `_data`. Parses no contents.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from interpreter.files.file_names import resolve_spelling

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def find_asset_folder(name: str) -> Path | None:
    """Return the shipped folder `name` ("rulesets", "schemas", "docs"), or None if it is missing."""
    for parent in (_PACKAGE.parent, _PACKAGE / "_data"):
        folder = parent / name
        if folder.is_dir() and (parent != _PACKAGE.parent or _is_checkout(parent)):
            return folder
    return None


def _is_checkout(parent: Path) -> bool:
    # an installed package lies beside other packages, whose folder "docs" does not belong to this program
    return (parent / "pyproject.toml").is_file() or (parent / "schemas").is_dir()


def list_shipped_rulesets() -> dict[str, Path]:
    """Return the folder of each shipped ruleset by its id (the folder's name), sorted."""
    root = find_asset_folder("rulesets")
    if root is None:
        return {}
    return {folder.name: folder for folder in sorted(root.iterdir()) if folder.is_dir() and _has_documents(folder)}


def _has_documents(folder: Path) -> bool:
    return any(name.endswith((".yaml", ".yml")) for name in os.listdir(folder))


def list_shipped_parts() -> dict[str, Path]:
    """Return the files of all shipped variants and scenarios by name: ID/NAME, where NAME is the file's stem."""
    return {
        f"{identifier}/{file.stem}": file
        for identifier, root in list_shipped_rulesets().items()
        for folder in ("scenarios", "variants")
        for file in sorted((root / folder).glob("*.y*ml"))
    }


def resolve_target(text: str) -> str:
    """Resolve the name of a target: ID/NAME to the file of a shipped variant or scenario, else the name itself.

    A path is spelled with the Unicode normalization form that its folders use.
    """
    text = text if text.isascii() else str(resolve_spelling(Path(text)))
    part = list_shipped_parts().get(text) if "/" in text else None
    return text if part is None or Path(text).exists() else str(part)


def format_target_name(target: str) -> str:
    """Return the command-line name of a target: ID/NAME for the file of a shipped variant or scenario."""
    return next((name for name, file in list_shipped_parts().items() if str(file) == target), target)


def find_shadowed_path(target: str) -> str | None:
    """Return the folder or file in the working directory that the shipped `target` hides, or None.

    Looks for a folder `NAME` or `rulesets/NAME` whose documents differ from those of the shipped ruleset NAME. The path
    is returned as the user must type it to load it.

    `target`: a target as `resolve_target` returns it.
    """
    for identifier, shipped in list_shipped_rulesets().items():
        if target != identifier and shipped not in Path(target).parents:
            continue
        for folder in (Path(identifier), Path("rulesets", identifier)):
            own = folder if target == identifier else folder / Path(target).relative_to(shipped)
            if own.exists() and not folder.samefile(shipped) and not _has_equal_documents(folder, shipped):
                return own.as_posix() if own.parts[0] != identifier else f"./{own.as_posix()}"
    return None


def _has_equal_documents(folder: Path, other: Path) -> bool:
    """Return whether two folders hold the same documents, byte by byte."""
    files, other_files = _list_documents(folder), _list_documents(other)
    return files == other_files and all((folder / file).read_bytes() == (other / file).read_bytes() for file in files)


def _list_documents(folder: Path) -> set[Path]:
    return {file.relative_to(folder) for kind in ("yaml", "yml", "rules") for file in folder.rglob(f"*.{kind}")}


def find_schema_file(name: str) -> Path | None:
    """Return the schema file of a document kind ("map" gives `map.schema.json`), or None."""
    root = find_asset_folder("schemas")
    path = root / f"{name}.schema.json" if root else None
    return path if path is not None and path.is_file() else None
