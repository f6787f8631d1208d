"""Encode options as integers: an option has the same number in every position and every process.

`whole`: one number per option with its arguments. `words`: an option is a sequence of words, each word a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, Protocol

from interpreter.environments.encodings import list_values
from interpreter.environments.word_actions import ActionVocabulary, WordNumbers
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.runtime.pending import get_pending_decision
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType

WHOLE, WORDS, AUTO = "whole", "words", "auto"
MAX_AUTO_OPTIONS = 4096  # maximum number of options that "auto" numbers one by one
_MAX_OPTIONS = 1_000_000
Place = Callable[[Any], int]


class ActionCodec(Protocol):
    """Codec between options and integers; `size` is the number of integers, `sort` either "whole" or "words"."""

    size: int
    sort: str

    def encode_options(self, state: State, options: Sequence[Any]) -> list[WordNumbers]:
        """Return, for each option of the pending decision in order, the numbers that spell it ("words").

        No option's sequence is a prefix of another's.
        """

    def encode_draft_steps(self, state: State) -> WordNumbers:
        """Return the words of the steps taken so far, if the pending draft is answered step by step."""

    def meaning(self, number: int) -> str:
        """Return the meaning of a number, as a text that is different for each number."""


def check_word(name: str, value: object, words: tuple[str, ...]) -> None:
    """Raise `SetupError` unless `value` is one of `words`, the possible values of the setting `name`."""
    if value not in words:
        raise SetupError(
            "`{name}` must be one of {known}, found {found}", name=name, known=words, found=repr(value)[:60]
        )


def create_codec(program: Program, form: str) -> ActionCodec:
    """Return the codec for the value `form` of the setting `actions`; "auto" means whole options if they are few.

    Raises `SetupError` if the ruleset does not allow the codec.
    """
    check_word("actions", form, (AUTO, WHOLE, WORDS))
    if form != WORDS:
        reason = _find_uncountable_reason(program)
        codec = WholeOptions(program) if not reason else None
        if codec is not None and codec.size <= (MAX_AUTO_OPTIONS if form == AUTO else _MAX_OPTIONS):
            return codec
        if form == WHOLE:
            raise SetupError(
                "the options of {ruleset} cannot be numbered: {reason}; use actions=words",
                ruleset=program.id,
                reason=reason or _("it has {count:,} options", count=0 if codec is None else codec.size),
            )
    return ActionVocabulary(program)


def _find_uncountable_reason(program: Program) -> str:
    """Return the reason why the options cannot be enumerated in advance, or '' if they can."""
    for decision in program.decisions:
        if decision.draft is not None:
            return _("`{name}` is a draft, built step by step", name=decision.name)
        for choice in decision.options:
            for param in choice.params:
                show = param.show
                if show == ["thing", "piece"] and (param.is_alike or any(program.is_alike)):
                    return _("`{name}` of `{option}` ranges over identical pieces", name=param.name, option=choice.name)
                if _list_domain(program, show, param.within) is None:
                    return _("`{name}` of `{option}` has no bounds in the rules", name=param.name, option=choice.name)
    return ""


def _list_domain(program: Program, show: DisplayType, within: tuple[int, int] | None) -> dict[Any, str] | None:
    """Return the text of each possible value of a parameter, by value, or None if the values cannot be enumerated.

    `show`: the type of the parameter. `within`: the least and the greatest number, if the rules state them.
    """
    match show[0]:
        case "flag":
            return {False: "false", True: "true"}
        case "int" if within is not None and within[1] - within[0] < _MAX_OPTIONS:
            return {number: str(number) for number in range(within[0], within[1] + 1)}
        case "maybe":
            inner = _list_domain(program, show[1], within)
            return None if inner is None else {None: "none", **inner}
        case "thing" if show[1] == "level":
            return None
    return list_values(program, show)


class WholeOptions:
    """Codec with one number for each option and combination of arguments, in the order of rules and documents."""

    def __init__(self, program: Program) -> None:
        self.sort = WHOLE
        self.size = 0
        self._starts: dict[tuple[int, int], int] = {}
        self._places: dict[tuple[int, int], list[tuple[Place, int]]] = {}
        self._names: list[tuple[int, str, list[list[str]]]] = []
        self._sequences: dict[tuple[int, int, tuple[Any, ...]], WordNumbers] = {}
        common = _find_shared_names(program)
        for number, decision in enumerate(program.decisions):
            for index, choice in enumerate(decision.options):
                domains = [_list_domain(program, p.show, p.within) for p in choice.params]
                finite = [d for d in domains if d is not None]
                name = f"{decision.address}.{choice.name}" if choice.name in common else choice.name
                self._add((number, index), name, finite)
            if decision.is_repeated:
                self._add((number, -1), f"{decision.address}.done" if "done" in common else "done", [])

    def _add(self, key: tuple[int, int], name: str, domains: list[dict[Any, str]]) -> None:
        """Give an option, identified by decision and index, its numbers.

        `domains`: the text of each value, by parameter.
        """
        self._starts[key] = self.size
        self._places[key] = [({value: n for n, value in enumerate(d)}.__getitem__, len(d)) for d in domains]
        self._names.append((self.size, name, [list(d.values()) for d in domains]))
        self.size += prod(map(len, domains))

    def encode_options(self, state: State, options: Sequence[Any]) -> list[WordNumbers]:
        """Return the number of each option as a sequence of length one."""
        decision, memo = get_pending_decision(state).number, self._sequences
        keys = [(decision, index, args) for index, args in options]
        for key in keys:
            if key not in memo:
                memo[key] = (self._number_option(key[:2], key[2]),)
        return [memo[key] for key in keys]

    def encode_draft_steps(self, state: State) -> WordNumbers:
        """Return (): rulesets with drafts do not use this codec."""
        return ()

    def _number_option(self, key: tuple[int, int], args: Iterable[Any]) -> int:
        """Return the number of an option with its arguments; `key`: the decision and the index of the option."""
        number = 0
        for (place, size), value in zip(self._places[key], args, strict=False):
            number = number * size + place(value)
        return self._starts[key] + number

    def meaning(self, number: int) -> str:
        """Return the option with a number, written as its key in a decision."""
        start, name, domains = next(x for x in reversed(self._names) if x[0] <= number)
        remainder, words = number - start, []
        for names in reversed(domains):
            remainder, position = divmod(remainder, len(names))
            words.append(names[position])
        return f"{name}({', '.join(reversed(words))})" if domains else name


def _find_shared_names(program: Program) -> set[str]:
    """Return the names of options that occur in more than one decision."""
    counts = Counter(choice.name for decision in program.decisions for choice in decision.options)
    counts["done"] += sum(decision.is_repeated for decision in program.decisions)
    return {name for name, count in counts.items() if count > 1}
