"""Profile a running game: sample its position at intervals, and count calls in a separate run.

Both runs play the same games, so that counts are exact and times undisturbed.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter, sleep
from types import FrameType

_SAMPLE_INTERVAL = 0.001  # seconds between two samples
_PATIENCE = 0.0005  # thread switch interval in seconds, which bounds the sampler's delay

Function = tuple[str, int, str]  # file, first line, name in the compiled rules
Place = tuple[str, int]  # file and line of the rules


@dataclass(slots=True)
class Samples:
    """The collected samples.

    `seconds`: how long the play took; `taken`: the number of samples; `program`: how many of these had no rules
    active. `own`: samples by the innermost line of the rules and its function; `within`: by the set of all active
    lines and functions.
    """

    seconds: float = 0.0
    taken: int = 0
    program: int = 0
    own: Counter[tuple[Place, Function]] = field(default_factory=Counter)
    within: Counter[frozenset[tuple[Place, Function]]] = field(default_factory=Counter)


def sample_play(play: Callable[[], None], is_rules: Callable[[str], bool]) -> Samples:
    """Call `play` while sampling its thread every millisecond.

    `is_rules`: returns True for the name of a file of the ruleset.
    """
    samples, done = Samples(), threading.Event()
    player = threading.get_ident()

    def take_sample() -> None:
        while not done.is_set():
            sleep(_SAMPLE_INTERVAL)
            frame = sys._current_frames().get(player)
            if frame is not None and not done.is_set():
                _record_sample(frame, samples, is_rules)

    watcher = threading.Thread(target=take_sample, daemon=True)
    old_interval = sys.getswitchinterval()
    sys.setswitchinterval(_PATIENCE)
    begun = perf_counter()
    try:
        watcher.start()
        play()
        samples.seconds = perf_counter() - begun
    finally:
        done.set()
        watcher.join()
        sys.setswitchinterval(old_interval)
    return samples


def _record_sample(frame: FrameType | None, samples: Samples, is_rules: Callable[[str], bool]) -> None:
    samples.taken += 1
    seen: list[tuple[Place, Function]] = []
    while frame is not None:
        code = frame.f_code
        if is_rules(code.co_filename):
            function = (code.co_filename, code.co_firstlineno, code.co_name)
            seen.append(((code.co_filename, frame.f_lineno or code.co_firstlineno), function))
        frame = frame.f_back
    if seen:
        samples.own[seen[0]] += 1
        samples.within[frozenset(seen)] += 1
    else:
        samples.program += 1


def count_calls(play: Callable[[], None], is_rules: Callable[[str], bool]) -> Counter[Function]:
    """Call `play` and count the calls of each function of the rules."""
    calls: Counter[Function] = Counter()
    functions_by_code: dict[object, Function | None] = {}

    def record_call(frame: FrameType, event: str, _given: object) -> None:
        if event == "call":
            code = frame.f_code
            if code not in functions_by_code:
                code_key = (code.co_filename, code.co_firstlineno, code.co_name)
                functions_by_code[code] = code_key if is_rules(code.co_filename) else None
            function = functions_by_code[code]
            if function is not None:
                calls[function] += 1

    sys.setprofile(record_call)
    try:
        play()
    finally:
        sys.setprofile(None)
    return calls
