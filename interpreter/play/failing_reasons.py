"""Reasons why something is illegal, built from the requirements that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from interpreter.runtime.errors import Reason
from interpreter.runtime.intrinsics import distinct
from interpreter.runtime.program import Program
from interpreter.runtime.program_info import OptionInfo, ParamInfo
from interpreter.runtime.state import State
from interpreter.runtime.text_lengths import require_text
from interpreter.runtime.type_aliases import Cites, Failures, Telling, Value, Values

MOST_VALUES = 400_000  # of arguments, looked at for one explanation


def reasons_text(state: State, found: Failures, language: str = "") -> tuple[Reason, ...]:
    """Build the reasons of failing requirements."""
    program = state.program
    out: dict[str, Reason] = {}
    for number, values in found:
        data = program.requirements[number]
        require_text(state, f"ex_{number}", data.words, values)
        reason = reason_of(
            program,
            ("words", data.words, values),
            language,
            data.cites,
            data.address,
            data.file,
            data.line,
        )
        out.setdefault(data.address + reason.text, reason)
    return tuple(out.values())


def reason_of(
    program: Program,
    telling: Telling,
    language: str = "",
    cite: Cites = (),
    address: str = "",
    file: str = "",
    line: int = 0,
) -> Reason:
    """Build a reason that can be formatted in any language; `telling` is as for `Localizer.format_telling`."""
    return Reason(
        program.localizer(language).format_telling(telling),
        cite,
        address,
        file,
        line,
        lambda other: program.localizer(other).format_telling(telling),
    )


def first_failing(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the failing requirements, starting with the first, or () if all hold."""
    rank, first = rank_of_failure(state, numbers, values)
    return state.program.failing(state, numbers[rank:], values) if first else ()


def rank_of_failure(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]]:
    """Return how many requirements hold before the first failing one, and that one; () if all hold."""
    functions = state.program.functions
    for rank, number in enumerate(numbers):
        if first := functions[f"ex_{number}"](state, *values):
            return rank, first
    return len(numbers), ()


def combine_reasons(state: State, found: tuple[Any, ...], language: str) -> tuple[Reason, ...]:
    """Return the first failing reason with the others attached to it, or () for none."""
    first, *besides = reasons_text(state, found, language) or (None,)
    return () if first is None else (replace(first, besides=tuple(besides)),)


def all_arguments(
    state: State,
    choice: OptionInfo,
    function: str,
    given: Values,
    wanted: Callable[[ParamInfo, Value], bool] | None = None,
) -> Iterator[Values]:
    """Yield every combination of arguments from the parameters' domains, legal or not.

    `wanted(parameter, value)` leaves values out before they are combined with others. After `MOST_VALUES` values, one
    by one in each combination, no more are looked at.
    """
    functions, looked = state.program.functions, 0

    def fill(done: Values) -> Iterator[Values]:
        nonlocal looked
        if len(done) == len(choice.params):
            yield done
            return
        param = choice.params[len(done)]
        domain = functions[f"{function}_{len(done)}"](state, *given, *done)
        if param.is_alike:
            domain = distinct(state, domain)
        for value in domain:
            looked += 1
            if looked > MOST_VALUES:
                return
            if wanted is None or wanted(param, value):
                yield from fill((*done, value))

    yield from fill(())
