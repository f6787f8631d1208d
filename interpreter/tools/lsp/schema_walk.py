"""Look up the schemas at one place of a document: keys with their descriptions, words, prose.

A `Shape` holds every subschema that applies at a place. A document of kind `variant` contains sections of other kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from interpreter.documents.reading.validation import KINDS, read_schema

Schema = Mapping[str, Any]
KeyPath = Sequence[str | int]
_schema = cache(read_schema)
_TEXTS = frozenset(("label", "note", "texts", "names", "labels"))  # definitions whose values are prose


@dataclass(frozen=True, slots=True)
class Part:
    """A subschema of the document format.

    `home`: the schema document that resolves its references; `through`: the names of the definitions that led to it.
    """

    schema: Schema
    home: str
    through: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shape:
    """The subschemas of the format at one place of a document; empty if the place accepts any value."""

    parts: tuple[Part, ...]

    def get_value_shape(self, key: str) -> Shape:
        """Return the shape of the value of a key in the mapping at this place."""
        parts = [Part(p.schema["properties"][key], p.home) for p in self._list_parts_with_property(key)]
        if parts:
            return Shape(tuple(_resolve(parts)))
        return self._get_values_shape("additionalProperties")

    def get_item_shape(self) -> Shape:
        """Return the shape of the items of the list at this place."""
        return self._get_values_shape("items")

    def list_keys(self) -> dict[str, str]:
        """Return the keys that the format declares here, each with its description."""
        descriptions: dict[str, str] = {}
        for part in self.parts:
            for key, schema in part.schema.get("properties", {}).items():
                description = next((d for p in _resolve([Part(schema, part.home)]) if (d := _get_description(p))), "")
                descriptions.setdefault(key, description)
        return descriptions

    def has_declared_key(self, key: str) -> bool:
        """Return True if a key belongs to the format rather than to the ruleset's names."""
        return bool(self._list_parts_with_property(key))

    def list_words(self) -> list[str]:
        """Return the words that the format allows here: enumerations, constants, `true` and `false`."""
        words: list[str] = []
        for part in self.parts:
            schema = part.schema
            values = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
            words += [str(value) for value in values if not isinstance(value, bool)]
            if "boolean" in _list_types(schema) and "expression" not in part.through:
                words += ["true", "false"]
        return list(dict.fromkeys(words))

    @property
    def description(self) -> str:
        """Return the format's description of this place, or ''."""
        return next((description for part in self.parts if (description := _get_description(part))), "")

    @property
    def is_text(self) -> bool:
        """Return True if the format describes the value here as prose."""
        return any(part.through & _TEXTS for part in self.parts)

    @property
    def is_expression(self) -> bool:
        """Return True if the format describes the value here as an expression of the rules language."""
        return any("expression" in part.through for part in self.parts)

    @property
    def has_text_keys(self) -> bool:
        """Return True for a mapping whose keys are not names: they are texts of the rules, or languages."""
        return any(part.through & {"texts", "label", "note"} for part in self.parts)

    def _get_values_shape(self, keyword: str) -> Shape:
        """Return the shape of the values described by the subschema under a keyword, such as `items`."""
        schemas = [(part, part.schema.get(keyword)) for part in self.parts]
        inner_parts = [Part(schema, part.home, part.through) for part, schema in schemas if isinstance(schema, dict)]
        return Shape(tuple(_resolve(inner_parts)))

    def _list_parts_with_property(self, key: str) -> list[Part]:
        return [part for part in self.parts if key in part.schema.get("properties", {})]


@cache
def get_document_shape(kind: str) -> Shape:
    """Return the shape of a whole document, empty for an unknown kind."""
    return Shape(tuple(_resolve([Part(_schema(kind), kind)]))) if kind in KINDS else Shape(())


def find_shape(kind: str, path: KeyPath) -> Shape:
    """Return the shape at a path of keys and list indices."""
    kind, path = resolve_variant_path(kind, path)
    shape = get_document_shape(kind)
    for step in path:
        shape = shape.get_item_shape() if isinstance(step, int) else shape.get_value_shape(step)
    return shape


def resolve_variant_path(kind: str, path: KeyPath) -> tuple[str, tuple[str | int, ...]]:
    """Convert a path within a section of a variant to the path in a document of the section's kind.

    Return (kind, path), unchanged for other documents.

    >>> resolve_variant_path("variant", ("pieces", "pieces", "guards"))
    ('pieces', ('pieces', 'guards'))
    """
    if kind == "variant" and path:
        if path[0] in KINDS and path[0] not in ("locale", "scenario"):
            return str(path[0]), tuple(path[1:])
        if len(path) > 1 and path[0] in ("scenarios", "locale"):
            return str(path[0]).removesuffix("s"), tuple(path[2:])
    return kind, tuple(path)


def _resolve(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the subschemas with references resolved, including the ones inside `allOf`, `anyOf` and `oneOf`."""
    for part in parts:
        reference = part.schema.get("$ref")
        if isinstance(reference, str):
            file, _, address = reference.partition("#")
            home = file.partition(".")[0] or part.home
            target: Any = _schema(home)
            for step in address.strip("/").split("/"):
                target = target[step] if step else target
            other_keys = {key: value for key, value in part.schema.items() if key != "$ref"}
            through = part.through | {address.rpartition("/")[2]}
            if other_keys:
                yield Part(other_keys, part.home, through)
            yield from _resolve([Part(target, home, through)])
            continue
        yield part
        for word in ("allOf", "anyOf", "oneOf"):
            inner = [Part(schema, part.home, part.through) for schema in part.schema.get(word, ())]
            yield from _resolve(p for p in inner if "if" not in p.schema)


def _list_types(schema: Schema) -> tuple[str, ...]:
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)


def _get_description(part: Part) -> str:
    return str(part.schema.get("description", ""))
