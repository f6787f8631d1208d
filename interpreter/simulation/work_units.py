"""Work units: a few games of one batch, played by one process. They are the only tasks that executors run."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

from interpreter.api.game import Rules, load
from interpreter.files.memory_cache import MemoryCache
from interpreter.runtime.errors import SetupError
from interpreter.simulation.games import BatchSpec, GameResult, play_game
from interpreter.simulation.seeds import derive_game_seed

_MAX_RULES = 12  # rulesets that a process caches
_loaded: MemoryCache[tuple[str, str], Rules] = MemoryCache(_MAX_RULES)


class RulesChangedError(SetupError):
    """Raised if a process reads other rules or runs other code than the batch expects."""


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """Games of a batch by their numbers. `spec_number` identifies the batch; `code` is the expected code digest."""

    spec_number: int
    spec: BatchSpec
    numbers: tuple[int, ...]
    code: str = ""


@dataclass(frozen=True, slots=True)
class WorkResult:
    """Results of a work unit and the seconds it took."""

    spec_number: int
    played: tuple[GameResult, ...]
    seconds: float


def play_work_unit(unit: WorkUnit) -> WorkResult:
    """Play the games of a work unit. Raise `RulesChangedError` if this process has other rules or other code."""
    if unit.code and unit.code != compute_code_digest():
        raise RulesChangedError("a worker runs a different version of this program")
    rules = load_batch_rules(unit.spec)
    start = perf_counter()
    played = tuple(play_game(rules, unit.spec, n, derive_game_seed(unit.spec.seed, n)) for n in unit.numbers)
    return WorkResult(unit.spec_number, played, perf_counter() - start)


def load_batch_rules(spec: BatchSpec) -> Rules:
    """Return the rules of a batch. The most recently used are cached if the batch gives their content hash."""
    key = (spec.target, spec.content)
    loaded = _loaded.find(key) if spec.content else None
    if loaded is not None:
        return loaded
    rules = load(spec.target)
    if spec.content and rules.program.content_hash != spec.content:
        raise RulesChangedError(
            "a worker reads different rules for {target}: it has another copy, or a file has changed since "
            "the games began; start the games again",
            target=spec.target,
        )
    cache_rules(spec, rules)
    if spec.content:
        gc.freeze()  # rules that are kept: the collector need not visit them again
    return rules


def cache_rules(spec: BatchSpec, rules: Rules) -> None:
    """Cache loaded rules for the work units that this process plays, if the batch states their content hash."""
    if spec.content:
        _loaded.store((spec.target, spec.content), rules)


@cache
def compute_code_digest() -> str:
    """Return a digest of this program's source. Equal digests play equal games."""
    package = Path(__file__).resolve().parents[1]
    digest = blake2b(digest_size=16)
    for path in sorted((*package.rglob("*.py"), *package.rglob("*.lark"))):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(data)} ".encode() + data)
    return digest.hexdigest()


def compute_digests(target: str) -> tuple[str, str]:
    """Return the code digest of this process and the content hash of the rules of `target` ('' without rules)."""
    from interpreter.documents.pipeline import compute_content_hash

    return compute_code_digest(), compute_content_hash(target) or ""
