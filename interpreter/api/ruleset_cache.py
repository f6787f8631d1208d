"""Rulesets that this process has loaded: who loads the same again shares what was made of it.

The same is what reads the same and is called the same in messages, so nothing here can be out of date. Must not know
how anything is read or made.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.model.ruleset import Ruleset
    from interpreter.model.statements import CheckedModel
    from interpreter.runtime.program import Program

_MOST = 8  # rulesets: those not asked for longest make room


@dataclass(slots=True)
class RulesetCacheEntry:
    """What was made of one reading; what is None, or not among the forms, nobody has asked for yet.

    `key` names the reading, as `compiler.cache.key_of` does; None where nothing can be shared.
    """

    key: str | None
    program: Program
    model: CheckedModel | None
    documents: Ruleset | None = None
    forms: dict[str, Program] = field(default_factory=dict)


_newest: OrderedDict[str, RulesetCacheEntry] = OrderedDict()


def find_loaded(key: str | None) -> RulesetCacheEntry | None:
    """What this process has made of a reading."""
    if key is None or key not in _newest:
        return None
    _newest.move_to_end(key)
    return _newest[key]


def keep_loaded(loaded: RulesetCacheEntry) -> None:
    """Share it with whoever loads the same from now on."""
    if loaded.key is None:
        return
    _newest[loaded.key] = loaded
    _newest.move_to_end(loaded.key)
    while len(_newest) > _MOST:
        _newest.popitem(last=False)
