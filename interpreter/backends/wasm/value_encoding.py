"""Encoding of the values of the rules in linear memory, which the compiler and the host share.

A thing, rung, flag or word is a 32-bit number, missing is -1; an integer is a 64-bit number, missing is the least one;
a fraction is an integer number of units of 1/scale; a set of things is a bit set, any other collection a list; a
record is its fields; a part is `arm << 32 | number`. A set, list or record is represented by its address.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from interpreter.ir import program_records as ir
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import strip_maybe
from interpreter.runtime.errors import NotNativeError

NONE_64 = -(1 << 63)
MAX_NUMBER = 1 << 62  # numbers beyond this are a trap
UNITS = 720720  # divides by every number up to 16
PART_SHIFT = 1 << 31  # added to the number of a part, so that 0 means none
_MAX_SCALE = 1 << 40  # a larger scale would leave too few digits before the point

Place = Callable[[bytes], int]  # writes bytes into memory and returns their address


class NotEncodableError(NotNativeError):
    """Raised for a value that linear memory cannot represent; Python plays instead."""


def is_wide(type_: t.Type) -> bool:
    """Return whether values of a type are 64-bit numbers in registers, else 32-bit ones."""
    return isinstance(strip_maybe(type_), t.IntType | t.NumberType | t.PartType)


def get_register_type(type_: t.Type) -> str:
    """Return the WebAssembly type that holds values of a type of the rules."""
    return "i64" if is_wide(type_) else "i32"


def get_missing_value(type_: t.Type) -> int:
    """Return the number that encodes a missing value of a type."""
    return NONE_64 if is_wide(type_) else -1


def is_compound(type_: t.Type) -> bool:
    """Return whether values of a type are represented by addresses: sets, lists and records."""
    return isinstance(strip_maybe(type_), t.SetType | t.ListType | t.RecordType)


def is_plain(type_: t.Type | None) -> bool:
    """Return whether a member or field is one word that holds the value itself."""
    return type_ is not None and not is_compound(type_)


def pack_words(words: list[int]) -> bytes:
    """Return signed 64-bit numbers as bytes."""
    return struct.pack(f"<{len(words)}q", *words)


@dataclass(frozen=True)
class ValueEncoding:
    """Encoding of the values of one ruleset.

    `words`: the words that values can be; a value holds an index. `scale`: the number of units that represent 1.
    `sizes`: the number of values of each kind ("kind:side") and ladder ("ladder:mood"). `records`: the types of the
    fields of each record.
    """

    words: list[str]
    scale: int
    sizes: dict[str, int]
    records: dict[str, list[t.Type]]

    @classmethod
    def from_program(cls, program: ir.LoweredProgram, ruleset: Ruleset) -> ValueEncoding:
        """Return the encoding of the values of a program."""
        sizes = {"kind:level": max(1, len(ruleset.victory.levels))}
        sizes |= {"kind:" + name: max(1, len(kind.things)) for name, kind in ruleset.kinds.items()}
        sizes |= {"ladder:" + name: len(ladder.rungs) for name, ladder in ruleset.ladders.items()}
        records = {name: [type_ for _, type_ in fields] for name, fields in program.records.items()}
        return cls(sorted(program.words), _compute_scale(ruleset), sizes, records)

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

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

    def count_set_words(self, type_: t.Type) -> int:
        """Return the number of 64-bit words of a bit set of this type; 0 for types that are not stored as bit sets."""
        if not isinstance(type_, t.SetType):
            return 0
        return 1 if type_.item is None else (self.get_domain_size(type_.item) + 63) // 64

    def number_word(self, word: str) -> int:
        """Return the number of a word, by its position in the list of words."""
        if word not in self._word_numbers:
            raise NotEncodableError(f"the word `{word}`, which no document or rule holds")
        return self._word_numbers[word]

    def encode(self, value: Value, type_: t.Type, place: Place) -> int:
        """Return the 64-bit number that represents a value; for a compound value, its address.

        `place`: writes the bytes of a compound value into memory.
        """
        bare_type = strip_maybe(type_)
        if value is not None and is_compound(bare_type):
            return place(pack_words(self.encode_words(value, bare_type, place)))
        return self.encode_scalar(value, type_)

    def encode_words(self, value: Value, type_: t.Type, place: Place) -> list[int]:
        """Return the signed 64-bit words of a set, list or record.

        `place`: writes the bytes of nested compound values. Python leaves out the stages of a draft's record if the
        rules do not read them; they become an empty list.
        """
        assert isinstance(value, tuple)
        match type_:
            case t.SetType() if words := self.count_set_words(type_):
                return self.encode_bits(value, words)
            case t.SetType(item=item) | t.ListType(item=item):
                return [len(value), *(self.encode(member, item or t.INT, place) for member in value)]
            case t.RecordType(id=record):
                types = self.records[record]
                fields = [self.encode(part, field, place) for part, field in zip(value, types, strict=False)]
                return fields + [place(pack_words([0])) for _ in types[len(value) :]]
        raise AssertionError(type_)

    def encode_scalar(self, value: Value, type_: t.Type) -> int:
        """Return the 64-bit number that represents a value that is not a set, list or record."""
        if value is None:
            return get_missing_value(type_)
        if isinstance(value, str):
            return self.number_word(value)
        if isinstance(value, tuple):
            arm, number = value
            assert isinstance(arm, str)
            return self.number_word(arm) << 32 | (0 if number is None else _shift_part(number))
        assert isinstance(value, int | Fraction)
        scaled = Fraction(value) * (self.scale if isinstance(strip_maybe(type_), t.NumberType) else 1)
        if scaled.denominator != 1 or not -MAX_NUMBER < scaled.numerator < MAX_NUMBER:
            raise NotEncodableError(f"the number {value}")
        return scaled.numerator

    def encode_bits(self, members: tuple[Value, ...], words: int) -> list[int]:
        """Return a bit set with these members as `words` signed 64-bit numbers."""
        bits = [0] * words
        for member in members:
            assert isinstance(member, int)
            bits[member // 64] |= 1 << member % 64
        return [word - (1 << 64) if word >> 63 else word for word in bits]


def _shift_part(number: Value) -> int:
    """Return the number of a part as it is stored."""
    assert isinstance(number, int)
    if not -PART_SHIFT < number < PART_SHIFT:
        raise NotEncodableError("a large number in a part")
    return number + PART_SHIFT


def _compute_scale(ruleset: Ruleset) -> int:
    """Return the number of units that represent 1.

    With it the fractions of the rules, their products and their quotients are integers.
    """
    common = lcm(*(fraction.denominator for fraction in _iter_fractions(ruleset)))
    scale = common * common * UNITS
    return scale if scale < _MAX_SCALE else UNITS * common


def _iter_fractions(ruleset: Ruleset) -> Iterator[Fraction]:
    """Iterate over the fractions in the values of the documents, those in tuples included."""
    waiting: list[object] = [cell for table in ruleset.tables.values() for cell in table.cells.values()]
    for kind in ruleset.kinds.values():
        waiting += [value for thing in kind.things for value in thing.values.values()]
        waiting += [attribute.default for attribute in kind.attributes.values()]
    waiting += [constant.value for constant in ruleset.constants.values()]
    waiting += [value.default for value in ruleset.game.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Fraction):
            yield value
        elif isinstance(value, tuple):
            waiting += value
