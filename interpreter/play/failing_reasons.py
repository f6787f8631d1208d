"""Reasons why something is illegal, built from the requirements that fail.

A requirement is compiled to a function `ex_n` that tests it and returns the values of its message
(`backends/python/decision_printer.py`). `why_not` and `why_not_draft` choose which requirements to test, with which
arguments; this module formats those that fail.
"""

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

MAX_EXAMINED_VALUES = 400_000  # values of arguments that are examined for one explanation


def format_reasons(state: State, failures: Failures) -> tuple[Reason, ...]:
    """Return the reasons of failing requirements, each reason once.

    `failures`: (number of the requirement, values of its text) for each.
    """
    program = state.program
    reasons: dict[str, Reason] = {}
    for number, values in failures:
        data = program.requirements[number]
        require_text(state, f"ex_{number}", data.words, values)
        telling = ("words", data.words, values)
        reason = build_reason(program, telling, data.cites, data.address, data.file, data.line)
        reasons.setdefault(data.address + reason.text, reason)
    return tuple(reasons.values())


def build_reason(
    program: Program, telling: Telling, cite: Cites = (), address: str = "", file: str = "", line: int = 0
) -> Reason:
    """Return a reason in the ruleset's first language, which can be formatted in any other.

    `telling`: its words as data, as for `Localizer.format_telling`; `address`, `file` and `line`: where the rules
    state it; `cite`: the paragraphs it cites.
    """

    def text_in(language: str) -> str:
        return program.get_localizer(language).format_telling(telling)

    return Reason(text_in(""), cite, address, file, line, text_in)


def find_failures(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the failing requirements from the first one on, as (number, values of its text); () if all hold.

    `numbers`: the requirements to test, in order; `values`: the values of their parameters.
    """
    rank, first = rank_failure(state, numbers, values)
    return state.program.list_failures(state, numbers[rank:], values) if first else ()


def rank_failure(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]]:
    """Return (number of requirements that hold before the first failing one, failures from there on).

    `numbers`: the requirements to test, in order; `values`: the values of their parameters. The failures are pairs
    (number, values of its text), () if all requirements hold.
    """
    functions = state.program.functions
    for rank, number in enumerate(numbers):
        if first := functions[f"ex_{number}"](state, *values):
            return rank, first
    return len(numbers), ()


def combine_reasons(state: State, failures: tuple[Any, ...]) -> tuple[Reason, ...]:
    """Return the reason of the first failure with the other reasons attached to it, as a tuple; () without a failure.

    `failures`: (number of the requirement, values of its text) for each failure.
    """
    first, *besides = format_reasons(state, failures) or (None,)
    return () if first is None else (replace(first, besides=tuple(besides)),)


def iter_arguments(
    state: State,
    choice: OptionInfo,
    function: str,
    scope: Values,
    is_wanted: Callable[[ParamInfo, Value], bool] | None = None,
) -> Iterator[Values]:
    """Yield every combination of arguments from the domains of an option's parameters, legal or not.

    `function`: the prefix of the names of the compiled domains; `scope`: the values of the names in scope around the
    option. `is_wanted(parameter, value)`: False leaves a value out of all combinations. The search stops after
    `MAX_EXAMINED_VALUES` values, counted in each combination.
    """
    functions, examined = state.program.functions, 0

    def iter_completions(arguments: Values) -> Iterator[Values]:
        nonlocal examined
        if len(arguments) == len(choice.params):
            yield arguments
            return
        param = choice.params[len(arguments)]
        domain = functions[f"{function}_{len(arguments)}"](state, *scope, *arguments)
        if param.is_alike:
            domain = distinct(state, domain)
        for value in domain:
            examined += 1
            if examined > MAX_EXAMINED_VALUES:
                return
            if is_wanted is None or is_wanted(param, value):
                yield from iter_completions((*arguments, value))

    yield from iter_completions(())
