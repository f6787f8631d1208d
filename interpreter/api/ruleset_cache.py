"""LRU cache of the rulesets loaded by this process.

The key covers the contents and the display names of all files, so entries never become stale. Independent of how
rulesets are read and compiled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.files.memory_cache import MemoryCache

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset
    from interpreter.model.statements import CheckedModel
    from interpreter.runtime.program import Program

_MOST = 8  # rulesets; the least recently used are evicted


@dataclass(slots=True)
class RulesetCacheEntry:
    """The products of loading one ruleset; absent ones have not been requested yet.

    `key` identifies the contents, as `program_cache.key_of` does; None if the entry cannot be shared.
    """

    key: str | None
    program: Program
    model: CheckedModel | None
    documents: Ruleset | None = None
    forms: dict[str, Program] = field(default_factory=dict)


_newest: MemoryCache[str, RulesetCacheEntry] = MemoryCache(_MOST)


def find_loaded(key: str | None) -> RulesetCacheEntry | None:
    """Return the cached entry of a key, or None."""
    return None if key is None else _newest.find(key)


def store_loaded(loaded: RulesetCacheEntry) -> None:
    """Cache an entry for later loads of the same contents."""
    if loaded.key is not None:
        _newest.keep(loaded.key, loaded)
