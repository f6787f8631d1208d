"""One line of progress with what is known so far: on a terminal always, elsewhere a line now and then.

Must not reach what is written to files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from interpreter.cli.output import PassingLine, tell
from interpreter.words.speech import Say

_TELL_EVERY = 30.0  # seconds, where it is no terminal
_SHOW_EVERY = 0.25


@dataclass(slots=True)
class Outlook:
    """Shows how many of `total` games were played, what is known, and how long the rest will take."""

    say: Say
    total: int
    line: PassingLine = field(default_factory=PassingLine)
    begun: float = field(default_factory=monotonic)
    told: float = field(default_factory=monotonic)

    def __call__(self, done: int, known: Callable[[], str]) -> None:
        """`done` games by now; `known` gives a few words and is asked only when they are shown."""
        now = monotonic()
        is_shown = sys.stderr.isatty()
        if now - self.told < (_SHOW_EVERY if is_shown else _TELL_EVERY) or done >= self.total:
            return
        self.told = now
        left = (now - self.begun) / max(1, done) * (self.total - done)
        line = self.say(
            "{done} of {total} games; {known}; about {time} to go if all are played",
            done=done,
            total=self.total,
            known=known(),
            time=duration(left, self.say),
        )
        if is_shown:
            self.line.show(line)
        else:
            tell(line)

    def close(self) -> None:
        """Take the line away."""
        self.line.close()


def duration(seconds: float, say: Say) -> str:
    """ "40 s", "12 min", "3.5 h", "9 days"."""
    if seconds < 90:
        return say("{number} s", number=f"{seconds:.0f}")
    if seconds < 5400:
        return say("{number} min", number=f"{seconds / 60:.0f}")
    if seconds < 48 * 3600:
        return say("{number} h", number=f"{seconds / 3600:.1f}")
    return say("{number} days", number=f"{seconds / 86400:.0f}")
