"""The files that share the names of a ruleset.

These are its own files, cases, scenarios and translations, and its variants with theirs. Every file of a family leads
to the same family.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.folder import list_ruleset_files
from interpreter.documents.target import find_target, list_variants
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.file_names import is_document_name

_MAX_PATHS = 20_000  # limit of files and folders searched for variants
_HEAD = 2_000  # a document states its kind in this many characters


@dataclass(frozen=True, slots=True)
class Family:
    """A ruleset with its variants.

    `root`: the folder of the ruleset; `files`: the files of the ruleset and of its variants; `targets`: the arguments
    of the `check` commands that cover all these files; `is_shipped`: the ruleset comes with the program.
    """

    root: Path
    files: tuple[Path, ...]
    targets: tuple[str, ...]
    is_shipped: bool = False


def find_family(target: str, around: Iterable[Path] = ()) -> Family | None:
    """Find the family of a target, or return None if it has no ruleset.

    `around`: folders that may hold its variants.
    """
    resolved = find_target(target, Sink(), checked=False)
    if resolved is None:
        return None
    root = resolved.root.resolve()
    files = [root / name for name in list_ruleset_files(root, Sink(), apart=())]
    variants = [Path(name).resolve() for name in list_variants(str(root))]
    variant_paths = [variant.file.path.resolve() for variant in resolved.variants]
    for path in dict.fromkeys((*variant_paths, *_iter_variants(root, around))):
        if path not in variants:
            variants.append(path)
    for path in variants:
        files.append(path)
        beside = path.with_name(f"{path.stem}-tests")
        if beside.is_dir():
            files += [beside / name for name in list_ruleset_files(beside, Sink(), apart=())]
    if resolved.scenario is not None:
        files.append(resolved.scenario.file.path.resolve())
    shipped = {path.resolve() for path in list_shipped_rulesets().values()}
    targets = [str(root), *map(str, variants)]
    if resolved.scenario is not None and not resolved.scenario.file.path.resolve().is_relative_to(root):
        targets.append(str(resolved.scenario.file.path.resolve()))
    return Family(root, tuple(dict.fromkeys(files)), tuple(targets), root in shipped)


def _iter_variants(root: Path, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the variants of the ruleset in the folder `root` that lie in or below other folders."""
    for path in _iter_documents_below(folders):
        if path.is_relative_to(root) or not _is_variant(path):
            continue
        resolved = find_target(str(path), Sink(), checked=False)
        if resolved is not None and resolved.root.resolve() == root:
            yield path


def _iter_documents_below(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the documents in or below some folders, up to a limit; hidden folders and `node_modules` are skipped."""
    seen = 0
    for top in folders:
        for walked, inner, names in os.walk(top):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
            seen += 1 + len(names)
            if seen > _MAX_PATHS:
                return
            yield from (Path(walked, n).resolve() for n in sorted(names) if is_document_name(n))


def _is_variant(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except OSError:
        return False
    return "\nkind: variant" in "\n" + head
