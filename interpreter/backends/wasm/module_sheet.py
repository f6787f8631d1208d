"""Description of a module for the host that copies positions in and out of its memory; stored as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from interpreter.backends.wasm.value_encoding import ValueEncoding
from interpreter.model import types as t

_TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(t.IntType, t.NumberType, t.FlagType, t.TextType, t.DirectionType, t.ThingType, t.RungType, t.OneOfType),
        *(t.SetType, t.ListType, t.RecordType, t.PartType, t.MaybeType, t.NeverType),
    )
}
TypeJson = list[Any]  # a type as JSON: its name, then its fields


def write_type(type_: t.Type) -> TypeJson:
    """Return a type as JSON data.

    >>> read_type(write_type(t.SetType(t.ThingType("piece", "unit"))))
    SetType(item=ThingType(kind='piece', cls='unit'))
    """
    out: TypeJson = [type(type_).__name__]
    for part in fields(type_):
        value = getattr(type_, part.name)
        out.append(write_type(value) if type(value).__name__ in _TYPES else value)
    return out


def read_type(data: TypeJson) -> t.Type:
    """Parse a type from its JSON form."""
    name, *parts = data
    arguments: list[object] = []
    for part in parts:
        if isinstance(part, list) and part and isinstance(part[0], str) and part[0] in _TYPES:
            arguments.append(read_type(part))
        elif isinstance(part, list):
            arguments.append(tuple(tuple(x) if isinstance(x, list) else x for x in part))
        else:
            arguments.append(part)
    type_: t.Type = _TYPES[name](*arguments)
    return type_


@dataclass(frozen=True, slots=True)
class ColumnSheet:
    """A column of the state in memory.

    `kind` and `name`: its slot; `base`: the address of its first value; `width`: the bytes of a value; `type`: the type
    of the values; `count`: how many there are.
    """

    kind: str
    name: str
    base: int
    width: int
    type: t.Type
    count: int


@dataclass(frozen=True, slots=True)
class VariableSheet:
    """A variable of a frame.

    `name`: its Python name; `offset`: where it lies in the frame, in bytes; `words`: how many words a set takes that
    lies in the frame itself, else 0. A variable with a `role` has another form in Python. With "left" the frame holds
    the number of iterations left, and Python a list and an index (`name` is the number of the statement). With "before"
    the frame holds the number of a phase, and Python its name.
    """

    name: str
    offset: int
    type: t.Type
    words: int
    role: str


class SharedVariable(NamedTuple):
    """A Python variable that represents several variables of the module, where a procedure resumes.

    `block`: the block at which the procedure resumes. `name`: the Python name. `variable`: the variable that `name`
    represents there, or None if several are read.
    """

    block: int
    name: str
    variable: str | None


@dataclass(frozen=True, slots=True)
class ProcedureSheet:
    """A procedure: the types of its parameters and of its result and, if it has a frame, the contents of the frame.

    `size`: the bytes of a frame; `variables`: the variables in it. `blocks` holds, by block, the number of the
    statement after which it resumes. `phases`: (number of a statement that enters a phase, name of the phase around
    it).
    """

    name: str
    params: list[t.Type]
    result: t.Type | None
    size: int = 0
    variables: list[VariableSheet] = field(default_factory=list)
    blocks: list[int | None] = field(default_factory=list)
    phases: list[tuple[int, str | None]] = field(default_factory=list)
    shared: list[SharedVariable] = field(default_factory=list)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> ProcedureSheet:
        """Return a sheet from its JSON form."""
        variables = [VariableSheet(**x) for x in data["variables"]]
        return cls(**{**data, "variables": variables, "shared": [SharedVariable(*x) for x in data["shared"]]})


@dataclass(frozen=True, slots=True)
class DecisionSheet:
    """A decision of a module.

    `options`: the types of the parameters of each option; `draft`: the draft that answers it, or None. `address`: its
    address in the rules; `address_number`: the number of that address, which decisions may share.
    """

    name: str
    options: list[list[t.Type]]
    draft: str | None
    address: str
    address_number: int


@dataclass(frozen=True, slots=True)
class DraftSheet:
    """A draft of a module.

    `params`, `offer`, `fields`: the types of its arguments, of the values of an offer, and of its fields. `end`: the
    size in bytes of an end. `keeps_stages`: whether its record says which steps led to it.
    """

    params: list[t.Type]
    offer: list[t.Type]
    fields: list[t.Type]
    end: int
    keeps_stages: bool


class OptionalRuleSheet(NamedTuple):
    """An optional rule: its id, the address of its value, and whether it splits a seat."""

    id: str
    address: int
    is_split: bool


@dataclass(frozen=True, slots=True)
class PositionSheet:
    """Addresses of the parts of a position; sizes are in bytes.

    `state`, `frames`, `heap`: the beginnings of these regions. `copied`: where the part begins that a saved position
    holds. `turn`, `last_turn`: the addresses of these numbers. `first_at`, `next_at`: the first piece of each place,
    and the piece that follows each piece in its place; `places`, `pieces`: how many there are. `machine`: the address
    of each value of the machine by name; `depths`: the address of the call depth of each procedure. `queue`,
    `queue_entry`: the queue of calls, and the size of an entry. `draft_args`: the arguments of the pending draft.
    `dice`: the dice of the game. `dealt`: the deal from which the dice of a trial come, see `NativeSession.deal`;
    `rolled`: how often each of the `roll_count` names has been rolled.
    """

    state: int
    frames: int
    heap: int
    copied: int
    columns: list[ColumnSheet]
    options: list[OptionalRuleSheet]
    turn: int
    last_turn: int
    first_at: int
    next_at: int
    places: int
    pieces: int
    machine: dict[str, int]
    depths: dict[str, int]
    queue: int
    queue_entry: int
    draft_args: int
    dice: int
    dealt: int
    rolled: int
    roll_count: int

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> PositionSheet:
        """Return a sheet from its JSON form."""
        columns = [ColumnSheet(**x) for x in data["columns"]]
        return cls(**{**data, "columns": columns, "options": [OptionalRuleSheet(*x) for x in data["options"]]})


@dataclass(frozen=True, slots=True)
class SessionSheet:
    """Addresses outside positions through which host and module exchange data; sizes are in bytes.

    `chooser`: the random source that chooses options. `listed`, `option_size`: the listed options, and the size of
    each. `ends`: the listed ends of a draft. `slots`, `slot_size`, `slot_count`: the saved positions. `request`: the
    arguments of a call from the host. `known`: the marks of known decisions. `lanes`, `lane_inputs`: the games of a
    batch, and their actions and seeds. `trials`: what trials of options use, by name; empty if the module has none.
    """

    chooser: int
    listed: int
    option_size: int
    ends: int
    slots: int
    slot_size: int
    slot_count: int
    request: int
    known: int
    lanes: int
    lane_inputs: int
    trials: dict[str, int]


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """Items of the rules that a module refers to by number.

    `end_cites`: the paragraphs of each statement that ends the game. `worth`: the type of the evaluation, or None.
    """

    phases: list[str]
    procedures: list[ProcedureSheet]
    decisions: list[DecisionSheet]
    drafts: dict[str, DraftSheet]
    end_cites: list[list[str]]
    worth: t.Type | None

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> RulesSheet:
        """Return a sheet from its JSON form."""
        return cls(
            **{
                **data,
                "procedures": [ProcedureSheet.from_data(x) for x in data["procedures"]],
                "decisions": [DecisionSheet(**x) for x in data["decisions"]],
                "drafts": {name: DraftSheet(**x) for name, x in data["drafts"].items()},
            }
        )


@dataclass(frozen=True, slots=True)
class ModuleSheet:
    """Description of one module: where positions lie, how to exchange data, its rules, and how values are encoded."""

    position: PositionSheet
    session: SessionSheet
    rules: RulesSheet
    values: ValueEncoding

    def to_json(self) -> bytes:
        """Return the sheet as JSON."""
        return json.dumps(self, separators=(",", ":"), default=_to_data).encode()

    @classmethod
    def from_json(cls, raw: bytes) -> ModuleSheet:
        """Parse a sheet from JSON."""
        data = json.loads(raw, object_hook=_from_data)
        return cls(
            PositionSheet.from_data(data["position"]),
            SessionSheet(**data["session"]),
            RulesSheet.from_data(data["rules"]),
            ValueEncoding(**data["values"]),
        )


_TYPE_KEY = "$type"  # the only key of a JSON object that holds a type


def _to_data(record: Any) -> dict[str, Any]:  # noqa: ANN401 - a sheet or a type
    """Return a sheet or a type for the JSON encoder, which calls this for values that JSON lacks."""
    if type(record).__name__ in _TYPES:
        return {_TYPE_KEY: write_type(record)}
    return {part.name: getattr(record, part.name) for part in fields(record)}


def _from_data(data: dict[str, Any]) -> object:
    """Return a JSON object, or the type that it holds."""
    return read_type(data[_TYPE_KEY]) if _TYPE_KEY in data else data
