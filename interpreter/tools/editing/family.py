"""All files that share the names of a ruleset: its own, cases, scenarios and translations, variants and their cases.

A file belongs to one family whichever of them it is looked at from.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.documents.reading.folder import ruleset_files
from interpreter.documents.target import find_target, variants_of
from interpreter.files.assets import shipped_rulesets
from interpreter.files.file_names import is_document_name, is_rules_name
from interpreter.source.diagnostic import Sink

_MOST = 20_000  # files and folders that are walked through for variants
_HEAD = 2_000  # characters in which a document says its kind


@dataclass(frozen=True, slots=True)
class Family:
    """The files of a ruleset and its variants, and what `check` must be asked so that each of them is checked."""

    root: Path
    files: tuple[Path, ...]
    targets: tuple[str, ...]
    is_shipped: bool = False


def family_of(target: str, around: Iterable[Path] = ()) -> Family | None:
    """Find the family of a target; None where no ruleset is found. `around`: folders that may hold variants of it."""
    found = find_target(target, Sink(), checked=False)
    if found is None:
        return None
    root = found.root.resolve()
    files = [root / name for name in ruleset_files(root, Sink(), apart=())]
    variants = [Path(name).resolve() for name in variants_of(str(root))]
    own = [variant.file.path.resolve() for variant in found.variants]
    for path in dict.fromkeys((*own, *_variants_around(root, around))):
        if path not in variants:
            variants.append(path)
    for path in variants:
        files.append(path)
        beside = path.with_name(f"{path.stem}-tests")
        if beside.is_dir():
            files += [beside / name for name in ruleset_files(beside, Sink(), apart=())]
    if found.scenario is not None:
        files.append(found.scenario.file.path.resolve())
    shipped = {path.resolve() for path in shipped_rulesets().values()}
    targets = [str(root), *map(str, variants)]
    if found.scenario is not None and not found.scenario.file.path.resolve().is_relative_to(root):
        targets.append(str(found.scenario.file.path.resolve()))
    return Family(root, tuple(dict.fromkeys(files)), tuple(targets), root in shipped)


def _variants_around(root: Path, folders: Iterable[Path]) -> Iterator[Path]:
    """Find variants of a ruleset that lie outside its folder."""
    for path in _documents_below(folders):
        if path.is_relative_to(root) or not _is_variant(path):
            continue
        found = find_target(str(path), Sink(), checked=False)
        if found is not None and found.root.resolve() == root:
            yield path


def _documents_below(folders: Iterable[Path]) -> Iterator[Path]:
    """Walk the folders for documents, hidden and installed ones left out, up to a limit."""
    seen = 0
    for top in folders:
        for walked, inner, names in os.walk(top):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
            seen += 1 + len(names)
            if seen > _MOST:
                return
            yield from (Path(walked, n).resolve() for n in sorted(names) if is_document_name(n))


def _is_variant(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8", errors="replace")
    except OSError:
        return False
    return "\nkind: variant" in "\n" + head


def is_rules(path: Path) -> bool:
    """Return True for a file in the rules language."""
    return is_rules_name(path)
