"""Disk cache for `check`: remembers which targets had no findings, by a digest of everything they depend on.

Only a clean result is stored, so a stale diagnostic can never be shown; after any change the target is checked again.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.documents.reading.folder import list_ruleset_files, read_file
from interpreter.documents.target import find_target, list_variants
from interpreter.files import disk_cache
from interpreter.files.assets import list_shipped_rulesets
from interpreter.programs import program_cache

_NO_FINDINGS = b"no findings"


def find_diagnostics(target: str, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Return every diagnostic of a target, as `check_with_cases` does; () from the cache if it was clean before.

    `odd`: also report what is valid but unusual for a wargame.
    """
    key = _compute_cache_key(target, odd)
    if key is not None and disk_cache.find(disk_cache.Namespace.CLEAN, key) == _NO_FINDINGS:
        return ()
    from interpreter.api.loading import disable_gc
    from interpreter.tools.cases.case_checks import check_with_cases  # a cache hit needs no checker

    with disable_gc():
        diagnostics = check_with_cases(target, odd)
    if key is not None and not diagnostics and _compute_cache_key(target, odd) == key:
        disk_cache.store(disk_cache.Namespace.CLEAN, key, _NO_FINDINGS)
    return diagnostics


def _compute_cache_key(target: str, odd: bool) -> str | None:
    """Compute a digest of the folder with its cases and variants, their dependencies, and the program itself.

    Return None for a single file, or if reading the files reports a diagnostic. `odd`: whether the check reports what
    is valid but unusual, which is part of the digest.
    """
    root = list_shipped_rulesets().get(target) or Path(target)
    sink, digest = Sink(), blake2b(digest_size=20)
    keys = [program_cache.compute_key(target) if root.is_dir() else None]
    if keys[0] is not None:
        keys += [
            "" if _is_self_contained(path, root, sink) else program_cache.compute_key(path)
            for path in list_variants(target)
        ]
    if None in keys:
        return None
    digest.update(f"{keys} {odd}".encode())
    for name in list_ruleset_files(root, sink, apart=()):
        file = read_file(root, name, sink)
        if file is None:
            return None
        digest.update(f"{name!r} {len(file.data)} ".encode() + file.data)
    return None if sink.items else digest.hexdigest()


def _is_self_contained(variant: str, root: Path, sink: Sink) -> bool:
    """Return True if a variant and its base consist only of files in the folder `root`.

    The digest covers these files anyway. Diagnostics go to `sink`.
    """
    target = find_target(variant, sink, checked=False)
    if target is None:
        return False
    home = root.resolve()
    return target.root.resolve() == home and all(home in x.file.path.resolve().parents for x in target.variants)
