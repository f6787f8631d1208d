"""Primitive operations, one entry each: signature and meaning.

Lowering, verifier, passes and printers read the facts of an operation here; a back end has one handler for each.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Primitive:
    """An operation: its meaning, its number of operands (None for any) and whether they have one type (`alike`).

    `symbol`: how it is printed between its operands. `copies`: it makes a new number, set or list, which takes time.
    """

    meaning: str
    operands: int | None = 1
    alike: bool = False
    symbol: str = ""
    may_fault: bool = False
    copies: bool = False


PRIMITIVES: dict[str, Primitive] = {
    "not": Primitive("the opposite of a flag"),
    "eq": Primitive("whether two values are equal; a missing one equals a missing one", 2, True, symbol="=="),
    "ne": Primitive("whether two values differ", 2, True, symbol="!="),
    "lt": Primitive("whether one comes before the other", 2, True, symbol="<"),
    "le": Primitive("whether one does not come after the other", 2, True, symbol="<="),
    "gt": Primitive("whether one comes after the other", 2, True, symbol=">"),
    "ge": Primitive("whether one does not come before the other", 2, True, symbol=">="),
    "add": Primitive("the sum", 2, True, symbol="+"),
    "sub": Primitive("the difference", 2, True, symbol="-"),
    "mul": Primitive("the product", 2, True, symbol="*"),
    "neg": Primitive("the number with the other sign"),
    "div": Primitive("the exact quotient of two fractions; a fault for 0", 2, True, symbol="/", may_fault=True),
    "abs": Primitive("the number without its sign"),
    "remainder": Primitive(
        "the rest of a division of whole numbers, with the sign of the divisor", 2, True, may_fault=True
    ),
    "widen": Primitive("a whole number as a fraction; missing stays missing"),
    "floor": Primitive("the whole number below a fraction", copies=True),
    "ceil": Primitive("the whole number above a fraction", copies=True),
    "near": Primitive("the nearest whole number, halves up", copies=True),
    "floor_div": Primitive("the whole number below a quotient", 2, True, may_fault=True),
    "ceil_div": Primitive("the whole number above a quotient", 2, True, may_fault=True),
    "near_div": Primitive("the whole number nearest to a quotient, halves up", 2, True, may_fault=True, copies=True),
    "min_of": Primitive("the least of the operands", None, True),
    "max_of": Primitive("the greatest of the operands", None, True),
    "offset": Primitive("a rung some rungs higher", 2),
    "is_missing": Primitive("whether a value is missing"),
    "is_arm": Primitive("whether a part of a result has an arm", 2),
    "arm_number": Primitive("the number that a part carries"),
    "first_alike": Primitive("the first piece alike to one: of equal constants, values and place"),
    "in": Primitive("whether a value is a member", 2, symbol="in"),
    "union": Primitive(
        "members of both sets, or one list after the other", 2, True, symbol="|", may_fault=True, copies=True
    ),
    "minus": Primitive("members of the first that are not in the second", 2, True, symbol="-", copies=True),
    "set": Primitive("the set of the operands", None, True, copies=True),
    "list": Primitive("the list of the operands", None, True),
    "range": Primitive("the whole numbers from one to another; a fault if too many", 2, may_fault=True, copies=True),
    "as_list": Primitive("the members of a set, in order"),
    "first": Primitive("the first member, missing for none"),
    "last": Primitive("the last member, missing for none"),
    "item": Primitive("the n-th member counted from 1, missing outside", 2),
    "take": Primitive("the first n members", 2),
    "unique": Primitive("the members of a list once, in the order they came", copies=True),
}
