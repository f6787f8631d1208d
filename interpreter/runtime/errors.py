"""What can go wrong in play: the player's mistake, the set-up's, the ruleset's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from interpreter.i18n.translator import LocalizedError


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not legal: words, citations, the requirement's address and place in the rules.

    `text` is in the language that was asked for; `text_in` says the same in another. `besides`: what else fails in the
    same attempt; it may lean on what failed first, so nobody is told of it.
    """

    text: str
    cite: tuple[str, ...] = ()
    address: str = ""
    file: str = ""
    line: int = 0
    told: Callable[[str], str] | None = field(default=None, compare=False, repr=False)
    besides: tuple[Reason, ...] = field(default=(), compare=False, repr=False)

    def text_in(self, language: str = "") -> str:
        """The words in a language, as far as it has them."""
        return self.text if self.told is None else self.told(language)

    def __str__(self) -> str:
        cited = " ".join(f"[{c}]" for c in self.cite)
        return f"{self.text} {cited}".rstrip()


class IllegalAction(LocalizedError):
    """The player's mistake: nothing has changed. `reasons` say why, with their rules."""

    def __init__(self, sentence: str, /, reasons: tuple[Reason, ...] = (), **holes: object) -> None:
        self.reasons = reasons
        super().__init__(sentence, **holes)


class SetupError(LocalizedError, ValueError):
    """A game cannot be started like this: unknown scenario, unknown or impossible option, bad seed."""


class RuleFault(Exception):
    """The ruleset's mistake, found in play: where in the rules, with which seed, after which choices.

    `is_exhausted` is True where a budget was used up.
    """

    def __init__(
        self,
        message: str,
        file: str = "",
        line: int = 0,
        column: int = 0,
        stack: tuple[str, ...] = (),
        seed: object = None,
        is_exhausted: bool = False,
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.stack = stack
        self.seed = seed
        self.is_exhausted = is_exhausted
        super().__init__(f"{file}:{line}: {message}" if file else message)


class RuntimeFault(Exception):
    """A fault met by a function of the runtime inside rules code; the machine adds the place where none is known.

    `place` is the file and line to blame where that is not the line that runs, such as the draft being searched.
    """

    def __init__(self, message: str = "", place: tuple[str, int] | None = None) -> None:
        self.place = place
        super().__init__(message)


class SkipSignal(Exception):
    """Leaves procedures up to the one that holds a phase."""

    def __init__(self, phase: str) -> None:
        self.phase = phase
        super().__init__(phase)


class GameEnded(Exception):
    """The game is over; the outcome stands in the state."""


class MissingValueError:
    """In place of a value that a thing does not have: it equals nothing that is there, no chart has a row for it, and
    whoever does anything else with it meets a fault that says so."""

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = message

    def missed(self, *_others: object) -> NoReturn:
        """Whatever is done with it."""
        raise RuntimeFault(self.message)

    def __eq__(self, other: object) -> bool:
        return other is None or other is self

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __iter__ = __len__ = __contains__ = missed
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = __index__ = missed
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __getitem__ = __float__ = missed

    def __hash__(self) -> int:
        return hash(None)

    def __repr__(self) -> str:
        return f"nothing: {self.message}"


class BudgetExceededError(RuntimeFault):
    """A budget of the rules is used up: of steps, of letters, or of what is searched."""
