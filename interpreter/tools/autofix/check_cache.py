"""What was checked and found good is not worked through again: the verdict is kept, by all that it rests on.

Only a verdict without any finding is kept, so there is nothing to be told wrongly; after any change everything is
checked anew. Must not judge anything itself.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from interpreter.compiler import cache
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.documents.reading.folder import read_file, ruleset_files
from interpreter.documents.target import find_target, variants_of
from interpreter.files import disk_cache
from interpreter.files.assets import shipped_rulesets

_SORT = "good"
_GOOD = b"no findings"


def findings_of(target: str, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Every finding about a target, as `check_with_cases` has them; none at once where none were found before."""
    key = _key(target, odd)
    if key is not None and disk_cache.find(_SORT, key) == _GOOD:
        return ()
    from interpreter.api.loading import uncollected
    from interpreter.tools.cases.case_checks import check_with_cases  # a verdict that is known needs no checker

    with uncollected():
        found = check_with_cases(target, odd)
    if key is not None and not found and _key(target, odd) == key:
        disk_cache.keep(_SORT, key, _GOOD)
    return found


def _key(target: str, odd: bool) -> str | None:
    """A digest of the folder with its cases and variants, of what these rest on, and of this program itself.

    None for single files, and where something is to be said of the files.
    """
    root = shipped_rulesets().get(target) or Path(target)
    sink, digest = Sink(), blake2b(digest_size=20)
    keys = [cache.key_of(target) if root.is_dir() else None]
    if keys[0] is not None:
        keys += ["" if _rests_within(path, root, sink) else cache.key_of(path) for path in variants_of(target)]
    if None in keys:
        return None
    digest.update(f"{keys} {odd}".encode())
    for name in ruleset_files(root, sink, apart=()):
        file = read_file(root, name, sink)
        if file is None:
            return None
        digest.update(f"{name} {len(file.data)} ".encode() + file.data)
    return None if sink.items else digest.hexdigest()


def _rests_within(variant: str, root: Path, sink: Sink) -> bool:
    """Whether a variant rests on nothing but files of the folder in which it lies, which are all read anyway."""
    found = find_target(variant, sink, checked=False)
    if found is None:
        return False
    home = root.resolve()
    return found.root.resolve() == home and all(home in x.file.path.resolve().parents for x in found.variants)
