"""Description of a module's memory for the host that copies positions in and out; plain data, stored as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

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
    made: list[object] = []
    for part in parts:
        if isinstance(part, list) and part and isinstance(part[0], str) and part[0] in _TYPES:
            made.append(read_type(part))
        elif isinstance(part, list):
            made.append(tuple(tuple(x) if isinstance(x, list) else x for x in part))
        else:
            made.append(part)
    type_: t.Type = _TYPES[name](*made)
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
    type: TypeJson
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
    type: TypeJson
    words: int
    role: str


@dataclass(frozen=True, slots=True)
class ProcedureSheet:
    """A procedure: the types of its parameters and of its result and, if it has a frame, the contents of the frame.

    `size`: the bytes of a frame; `variables`: the variables in it. `blocks` holds, by block, the number of the
    statement after which it resumes. `phases`: (number of a statement that enters a phase, name of the phase around
    it). `shared`: (block, Python name, variable that this name represents there, or None if that is not known).
    """

    name: str
    params: list[TypeJson]
    result: TypeJson | None
    size: int = 0
    variables: list[VariableSheet] = field(default_factory=list)
    blocks: list[int | None] = field(default_factory=list)
    phases: list[tuple[int, str | None]] = field(default_factory=list)
    shared: list[tuple[int, str, str | None]] = field(default_factory=list)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> ProcedureSheet:
        """Return a sheet from its JSON form."""
        variables = [VariableSheet(**x) for x in data["variables"]]
        return cls(
            **{
                **data,
                "variables": variables,
                "phases": [(x[0], x[1]) for x in data["phases"]],
                "shared": [(x[0], x[1], x[2]) for x in data["shared"]],
            }
        )


@dataclass(frozen=True, slots=True)
class DecisionSheet:
    """A decision of a module.

    `options`: the types of the parameters of each option; `draft`: the draft that answers it, or None. `address`: its
    address in the rules; `address_number`: the number of that address, which decisions may share.
    """

    name: str
    options: list[list[TypeJson]]
    draft: str | None
    address: str
    address_number: int


@dataclass(frozen=True, slots=True)
class DraftSheet:
    """Description of a draft for the host.

    `params`, `offer`, `fields`: the types of its arguments, of the values of an offer, and of its fields. `end`,
    `node`: the size in bytes of an end and of a node; `before`: the offset of the predecessor in a node.
    `keeps_stages`: whether its record says which steps led to it.
    """

    params: list[TypeJson]
    offer: list[TypeJson]
    fields: list[TypeJson]
    end: int
    node: int
    before: int
    keeps_stages: bool  # whether its record says which steps led to it


@dataclass(frozen=True, slots=True)
class ModuleSheet:
    """Addresses, types and names of one module, as the host reads them.

    Addresses and sizes are in bytes. `state`, `frames`, `heap`: the beginnings of these regions of a position. `turn`,
    `last_turn`: the addresses of these numbers. `first_at`, `next_at`: the first piece of each place, and the piece
    that follows each piece in its place. `places`, `pieces`: their numbers. `machine`: the address of each value of the
    machine by name; `depths`: the address of the call depth of each procedure. `queue`, `queue_entry`: the queue of
    calls, and the size of an entry. `dice`, `chooser`: the dice of the game, and the random source that chooses
    options. `listed`, `option_size`: the listed options, and the size of each. `ends_at`, `draft_args`: the listed ends
    of a draft, and its arguments. `words`: the words that values can be; a value holds an index. `scale`: the factor by
    which numbers are stored. `slots`, `slot_size`, `slot_count`: the saved positions. `request`: the arguments of a
    call from the host. `known`: the marks of known decisions. `copied`: where the part of a position begins that a
    saved one holds. `lanes`, `lane_inputs`: the games of a batch, and their actions and seeds. `dealt`: the deal from
    which the dice of a trial come, see `NativeSession.deal`; `rolled`: how often each of the `roll_count` names has
    been rolled.
    """

    state: int
    frames: int
    heap: int
    columns: list[ColumnSheet]
    options: list[tuple[str, int, bool]]  # id, address, whether it splits a seat
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
    dice: int
    chooser: int
    listed: int
    option_size: int
    ends_at: int
    draft_args: int
    words: list[str]
    scale: int
    sizes: dict[str, int]  # values of each kind ("kind:side") and ladder ("ladder:mood")
    records: dict[str, list[TypeJson]]
    phases: list[str]
    procedures: list[ProcedureSheet]
    decisions: list[DecisionSheet]
    drafts: dict[str, DraftSheet]
    ends: list[list[str]]  # citations of each statement that ends the game
    slots: int
    slot_size: int
    slot_count: int
    request: int
    known: int
    copied: int
    lanes: int
    lane_inputs: int
    dealt: int
    rolled: int
    roll_count: int
    trials: dict[str, int]  # addresses of what trials of options use; empty if the module has none
    worth: TypeJson | None  # type of the evaluation
    points: TypeJson | None  # type of the score

    def to_json(self) -> bytes:
        """Return the sheet as JSON."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, raw: bytes) -> ModuleSheet:
        """Parse a sheet from JSON."""
        data = json.loads(raw)
        return cls(
            **{
                **data,
                "columns": [ColumnSheet(**x) for x in data["columns"]],
                "options": [(x[0], x[1], x[2]) for x in data["options"]],
                "procedures": [ProcedureSheet.from_data(x) for x in data["procedures"]],
                "decisions": [DecisionSheet(**x) for x in data["decisions"]],
                "drafts": {name: DraftSheet(**x) for name, x in data["drafts"].items()},
            }
        )

    def get_domain_size(self, type_: t.Type) -> int:
        """Return how many values a type of things, rungs or flags has; else 0."""
        match type_:
            case t.ThingType(kind=kind):
                return self.sizes["kind:" + kind]
            case t.RungType(ladder=ladder):
                return self.sizes["ladder:" + ladder]
            case t.FlagType():
                return 2
        return 0

    def count_set_words(self, type_: t.SetType) -> int:
        """Return the number of 64-bit words of a bit set of this type; 0 for sets that are stored as lists."""
        if type_.item is None:
            return 1
        return (self.get_domain_size(type_.item) + 63) // 64
