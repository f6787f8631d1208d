"""Errors of play: mistakes of the player, of the setup and of the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from interpreter.i18n.translator import LocalizedError


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why something is illegal: words, citations, the requirement's address and position in the rules.

    `text` is in the ruleset's first language; `text_in` returns it in another. `translate`: returns the text in a
    language, or None if there is only `text`. `besides`: the later requirements that failed too; they may depend on
    this one, so they are not shown.
    """

    text: str
    cite: tuple[str, ...] = ()
    address: str = ""
    file: str = ""
    line: int = 0
    translate: Callable[[str], str] | None = field(default=None, compare=False, repr=False)
    besides: tuple[Reason, ...] = field(default=(), compare=False, repr=False)

    def text_in(self, language: str = "") -> str:
        """Return the words in a language, as far as they are translated."""
        return self.text if self.translate is None else self.translate(language)

    def __str__(self) -> str:
        cited = " ".join(f"[{c}]" for c in self.cite)
        return f"{self.text} {cited}".rstrip()


class IllegalAction(LocalizedError):  # noqa: N818 - public name
    """A mistake of the player; the game is unchanged. `reasons` explain it with the rules they come from."""

    def __init__(self, sentence: str, /, reasons: tuple[Reason, ...] = (), **holes: object) -> None:
        self.reasons = reasons
        super().__init__(sentence, **holes)


class NotNativeError(Exception):
    """Raised when the WebAssembly module of a ruleset cannot compute a result exactly; Python must do it instead."""


class SetupError(LocalizedError, ValueError):
    """Raised when a game cannot be started: unknown scenario, unknown or impossible option, bad seed."""


class RuleFault(Exception):  # noqa: N818 - the term of the language for an error in rules
    """A mistake of the ruleset found in play: with its position in the rules, the seed and the choices so far.

    `is_exhausted` is True if a budget was exceeded.
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


class RuntimeFault(Exception):  # noqa: N818 - the term of the language for an error in rules
    """A fault raised by a runtime function inside rules code; the machine adds the position if none is known.

    `place` is the file and line to blame if it is not the running line, such as the draft being searched.
    """

    def __init__(self, message: str = "", place: tuple[str, int] | None = None) -> None:
        self.place = place
        super().__init__(message)


class SkipSignal(Exception):  # noqa: N818 - control flow
    """A control-flow signal of the statement `skip to`: it leaves procedures up to the one that holds the phase."""

    def __init__(self, phase: str) -> None:
        self.phase = phase
        super().__init__(phase)


class GameEnded(Exception):  # noqa: N818 - control flow
    """A control-flow signal that the game is over; the outcome is in the state."""


class MissingValue:
    """A placeholder for the value of an attribute that a thing does not have.

    It equals no value and no chart has a row for it; any other use raises a fault that names the attribute.
    """

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = message

    def raise_missing(self, *_others: object) -> NoReturn:
        """Raise the fault for any use of the missing value."""
        raise RuntimeFault(self.message)

    def __eq__(self, other: object) -> bool:
        return other is None or other is self

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __iter__ = __len__ = __contains__ = raise_missing
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = __index__ = raise_missing
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __getitem__ = __float__ = (
        raise_missing
    )

    def __hash__(self) -> int:
        return hash(None)

    def __repr__(self) -> str:
        return f"nothing: {self.message}"


class BudgetExceededError(RuntimeFault):
    """Raised when a budget of the rules is exceeded: steps, text length, or search size."""
