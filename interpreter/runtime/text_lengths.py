"""Upper bounds on the length of formatted text, which keep the texts of rules short enough to be shown."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.runtime.errors import BudgetExceededError
from interpreter.runtime.limits import LIMITS, spend
from interpreter.runtime.type_aliases import DisplayType

if TYPE_CHECKING:
    from interpreter.runtime.program import Program
    from interpreter.runtime.program_info import EventInfo
    from interpreter.runtime.state import State

_LETTERS_AT_ONCE = 8  # that are made in the time of one step of the budget
_UNCOUNTED_LENGTH = 1_000  # letters: of a text that can have no more they need not be counted
_MIN_NAME = 20  # letters, so that numbers count as names
_WIDE = 20_000  # letters of an event
_PARTS_OF_AN_ENTRY = 8  # names in a logged entry beside pieces and words


class Lengths:
    """Upper bounds on the number of letters of formatted texts.

    They are computed from a ruleset's longest name and its texts in all languages. `name` is the bound for a name;
    `texts` holds, by number, the bound for each text without its placeholders, and `bounds` the bound for each text
    with everything that its placeholders can contain. `entry` is the bound for a log entry; entries of the
    events in `wide` can be longer.
    """

    __slots__ = ("name", "texts", "bounds", "entry", "wide")

    def __init__(self, program: Program) -> None:
        data, translations = program.data, [locale["texts"] for locale in program.data["locales"].values()]
        names = [name for locale in program.data["locales"].values() for name in locale["names"].values()]
        for kind, described in program.kinds.items():
            names += program.ids[kind]
            names += [name for thing in described["things"] for name in (thing["label"] or {}).values()]
        for described in (*program.ladders.values(), *program.classes.values()):
            names += _iter_texts(described)
        self.name = max(_MIN_NAME, *map(len, names)) + len(", ") if names else _MIN_NAME
        self.texts = [
            max(map(_count_letters, (parts, *(texts[str(n)] for texts in translations if str(n) in texts))))
            for n, parts in enumerate(data["texts"])
        ]
        self.bounds = [
            length + self.name * sum(_count_most_names(program, part) for part in parts if not isinstance(part, str))
            for length, parts in zip(self.texts, data["texts"], strict=True)
        ]
        events = {name: self._bound_event_length(program, event) for name, event in program.events.items()}
        self.wide = frozenset(name for name, letters in events.items() if letters > _WIDE)
        narrow = [letters for name, letters in events.items() if name not in self.wide]
        self.entry = max(self.name * (len(program.ids["piece"]) + _PARTS_OF_AN_ENTRY), *narrow, 0)

    def _bound_event_length(self, program: Program, event: EventInfo) -> int:
        words = self.bounds[event.words] if event.words is not None else 0
        return words + self.name * sum(_count_most_names(program, show) for _, show in event.params)

    def bound_text_length(self, text: int | None, values: Iterable[Any]) -> int:
        """Return the upper bound for a text whose placeholders are filled with `values`. `text`: its number or None."""
        count = digits = 0
        waiting = [values]
        while waiting:
            for value in waiting.pop():
                if value.__class__ is tuple or value.__class__ is list:
                    waiting.append(value)
                elif value.__class__ is int:
                    digits += value.bit_length()
                elif value.__class__ is Fraction:
                    digits += value.numerator.bit_length() + value.denominator.bit_length()
                elif value.__class__ is str:
                    digits += len(value)
                count += 1
        return (self.texts[text] if text is not None else 0) + count * self.name + digits // 3


def _count_most_names(program: Program, show: DisplayType) -> int:
    """Return the maximum number of names that a formatted value of a type can contain."""
    match show[0]:
        case "maybe":
            return _count_most_names(program, show[1])
        case "many":
            return (
                len(program.ids[show[1][1]]) if show[1][0] == "thing" and show[1][1] in program.ids else LIMITS.members
            )
        case "plain":
            return LIMITS.members
    return 1


def get_lengths(program: Program) -> Lengths:
    """Return the greatest lengths of a ruleset's names and texts, computed on first use."""
    if program.lengths is None:
        program.lengths = Lengths(program)
    return program.lengths


def require_text(state: State, function: str, text: int | None, values: Iterable[Any]) -> None:
    """Charge the length of a text to the budget; raise BudgetExceededError if it is too long.

    `function`: the compiled function that fills the text. `text`: its number, or None. `values`: the values in its
    placeholders.
    """
    program = state.program
    lengths = program.lengths or get_lengths(program)
    if text is not None and lengths.bounds[text] <= _UNCOUNTED_LENGTH:
        return
    letters = lengths.bound_text_length(text, values)
    if letters > LIMITS.letters:
        code = getattr(program.namespace.get(function), "__code__", None)
        raise BudgetExceededError(
            f"a text of up to {letters:,} letters is made here; at most {LIMITS.letters:,} are told; "
            "put fewer or shorter things into its holes",
            None if code is None else (code.co_filename, code.co_firstlineno),
        )
    spend(state, letters // _LETTERS_AT_ONCE)


def _iter_texts(data: object) -> list[str]:
    """Return every text in nested data."""
    if isinstance(data, str):
        return [data]
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ()
    return [text for part in inside for text in _iter_texts(part)]


def _count_letters(parts: Iterable[Any]) -> int:
    return sum(len(part) for part in parts if isinstance(part, str))
