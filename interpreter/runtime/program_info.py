"""Descriptions of what a program can ask and explain: decisions, options, drafts, requirements, events, procedures.

A compiled program carries them as plain data, so that it can be cached as JSON; `Program` reads them into these records
once, when it is linked. Numbers are indexes into `program.requirements` or into the texts of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from interpreter.runtime.type_aliases import DisplayType

Data: TypeAlias = Mapping[str, Any]  # plain data of a compiled program


def _read(data: Data, names: str, sequences: str = "") -> dict[str, Any]:
    """Return the fields of a record that plain data holds under their own names, for use as keyword arguments.

    `names`: the fields to take unchanged, separated by spaces; `sequences`: those to convert from lists to tuples.
    """
    return {name: data[name] for name in names.split()} | {name: tuple(data[name]) for name in sequences.split()}


@dataclass(frozen=True, slots=True)
class ParamInfo:
    """A parameter of an option, a draft step or a draft.

    `show`: its type as plain data. `is_alike`: one of a group of interchangeable pieces represents all. `within`: the
    least and the greatest number, or None if the rules state none. `is_worded`: the option's label mentions it.
    """

    name: str
    show: DisplayType
    is_alike: bool = False
    within: tuple[int, int] | None = None
    is_worded: bool = False

    @classmethod
    def from_data(cls, data: Data) -> ParamInfo:
        """Build the record from plain data."""
        within = data.get("within")
        return cls(
            data["name"], data["show"], data["alike"], tuple(within) if within else None, data.get("worded", False)
        )


@dataclass(frozen=True, slots=True)
class PreferenceInfo:
    """A preference that narrows the candidates for an option or a step.

    `sort`: "test", "least" or "most". `words`: the index of the text that states it in the program's `texts`, or None.
    """

    sort: str
    words: int | None
    cites: tuple[str, ...]
    line: int

    @classmethod
    def from_data(cls, data: Data) -> PreferenceInfo:
        """Build the record from plain data."""
        return cls(**_read(data, "sort words line", "cites"))


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """An option of a decision; also the part of a draft step's data that an option has.

    `address`: the address by which variants refer to it. `requires`: numbers of its requirements. `label`: the number
    of the text of its label, or None.
    """

    name: str
    address: str
    params: tuple[ParamInfo, ...]
    cites: tuple[str, ...]
    requires: tuple[int, ...]
    prefers: tuple[PreferenceInfo, ...]
    file: str
    line: int
    label: int | None

    @classmethod
    def from_data(cls, data: Data) -> OptionInfo:
        """Build the record from plain data."""
        return cls(**_read_option_fields(data))


@dataclass(frozen=True, slots=True)
class StepInfo(OptionInfo):
    """A step of a draft.

    `because`: the number of the text that says why the draft stops after it, or None. `stops`: whether the draft stops
    after it; None if that depends on the step.
    """

    because: int | None
    stops: bool | None
    because_cites: tuple[str, ...]

    @classmethod
    def from_data(cls, data: Data) -> StepInfo:
        """Build the record from plain data."""
        return cls(**_read_option_fields(data), **_read(data, "because stops", "because_cites"))


def _read_option_fields(data: Data) -> dict[str, Any]:
    """Return the fields of an option's description by name, read from plain data."""
    return {
        **_read(data, "name address file line label", "cites requires"),
        "params": tuple(ParamInfo.from_data(p) for p in data["params"]),
        "prefers": tuple(PreferenceInfo.from_data(p) for p in data["prefers"]),
    }


@dataclass(frozen=True, slots=True)
class DecisionInfo:
    """A decision as data.

    `is_alone`: a sole option is taken automatically. `is_repeated`: it is asked until the player is done. `draft`: the
    name of the draft that answers it, or None. `given`: name and type of each value its expressions read. `finish`:
    numbers of the requirements for being done. `decider`: index of the deciding side among the given values, or None if
    a function computes it. `prompt`: the number of its text, or None.
    """

    name: str
    address: str
    cites: tuple[str, ...]
    is_alone: bool
    is_repeated: bool
    draft: str | None
    given: tuple[tuple[str, DisplayType], ...]
    file: str
    line: int
    options: tuple[OptionInfo, ...]
    finish: tuple[int, ...]
    decider: int | None
    prompt: int | None

    @classmethod
    def from_data(cls, data: Data) -> DecisionInfo:
        """Build the record from plain data."""
        return cls(
            **_read(data, "name address draft file line decider prompt", "cites finish"),
            is_alone=data["alone"],
            is_repeated=data["until_done"],
            given=tuple((name, show) for name, show in data["given"]),
            options=tuple(OptionInfo.from_data(x) for x in data["choices"]),
        )


@dataclass(frozen=True, slots=True)
class DraftInfo:
    """A draft as data. Its ends (finished drafts) are the options of a decision.

    `fields`, `shows`: names and types of its fields. `offer`, `offer_shows`: names and types of the values that tell
    its ends apart. `finish`: numbers of the requirements for finishing. `is_unordered`: the steps may be taken in any
    order. `is_cheapest`: the ends are sorted by cost, and of each offer only the cheapest is listed. `ending`: number
    of the text that describes an end, or None; the text is filled with the fields and with the members of the offer
    that `told` numbers. `is_staged`: the rules read the fields after each step. `kept`: name of the memo that caches
    the ends, or ''. `read_fields`: numbers of the fields that steps and ends depend on. `prefers`: "test", "least" or
    "most" for each preference, in order.
    """

    name: str
    fields: tuple[str, ...]
    shows: tuple[DisplayType, ...]
    params: tuple[ParamInfo, ...]
    steps: tuple[StepInfo, ...]
    finish: tuple[int, ...]
    is_unordered: bool
    is_cheapest: bool
    ending: int | None
    told: tuple[int, ...]
    cites: tuple[str, ...]
    is_staged: bool
    kept: str
    read_fields: tuple[int, ...]
    prefers: tuple[str, ...]
    offer: tuple[str, ...]
    offer_shows: tuple[DisplayType, ...]
    file: str
    line: int

    @classmethod
    def from_data(cls, data: Data) -> DraftInfo:
        """Build the record from plain data."""
        return cls(
            **_read(data, "name ending kept file line", "fields shows finish told cites prefers offer offer_shows"),
            params=tuple(ParamInfo.from_data(p) for p in data["params"]),
            steps=tuple(StepInfo.from_data(x) for x in data["steps"]),
            is_unordered=data["unordered"],
            is_cheapest=data["cheapest"],
            is_staged=data["staged"],
            read_fields=tuple(data["read"]),
        )


@dataclass(frozen=True, slots=True)
class RequirementInfo:
    """A requirement of an option, a step, a rule or the end of a draft.

    `words`: the index of its message in the program's `texts`, or None without a message.
    """

    address: str
    cites: tuple[str, ...]
    file: str
    line: int
    words: int | None

    @classmethod
    def from_data(cls, data: Data) -> RequirementInfo:
        """Build the record from plain data."""
        return cls(**_read(data, "address file line words", "cites"))


@dataclass(frozen=True, slots=True)
class EventInfo:
    """An event that the rules report.

    `params`: name and type of each parameter. `words`: the index of its text in the program's `texts`, or None.
    `cites`: the paragraphs it cites.
    """

    params: tuple[tuple[str, DisplayType], ...]
    words: int | None
    cites: tuple[str, ...]

    @classmethod
    def from_data(cls, data: Data) -> EventInfo:
        """Build the record from plain data."""
        return cls(tuple((name, show) for name, show in data["params"]), data["words"], tuple(data["cites"]))
