"""Types as the plain descriptions by which values are shown."""

from __future__ import annotations

from interpreter.model import types as t
from interpreter.runtime.type_aliases import Show


def display_type(type_: t.Type) -> Show:
    """Return the display type of values: ("thing", kind), ("rung", ladder), ("flag",), ("many", inner), ...

    A set is ("many", inner, "set").
    """
    match type_:
        case t.ThingType(kind=kind):
            return ("thing", kind)
        case t.RungType(ladder=ladder):
            return ("rung", ladder)
        case t.FlagType():
            return ("flag",)
        case t.IntType() | t.NumberType():
            return ("int",) if isinstance(type_, t.IntType) else ("number",)
        case t.SetType(item=item):
            return ("many", display_type(item) if item is not None else ("plain",), "set")
        case t.ListType(item=item):
            return ("many", display_type(item) if item is not None else ("plain",))
        case t.MaybeType(item=item):
            return ("maybe", display_type(item))
        case t.OneOfType(values=words):
            return ("word", words)
        case t.PartType(arms=arms):
            return ("part", arms)
        case t.DirectionType():
            return ("direction",)
        case t.RecordType():
            return ("plain",)
    return ("plain",)
