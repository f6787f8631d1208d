"""Test that the fast validator accepts the same documents as the one that explains errors."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.fast_validator import _KEYWORDS, compile_schema
from interpreter.documents.reading.tree import MappingNode, to_plain_data
from interpreter.documents.reading.validation import KINDS, _get_compiled_schema, _get_validator
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.files.assets import list_shipped_rulesets

VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    10**6,
    "",
    "a",
    "A b",
    "x" * 200,
    "a\n",
    [],
    {},
    ["a", "a"],
    [1, True],
    {"en": 1},
]


@cache
def shipped() -> dict[str, list[tuple[str, str]]]:
    """Return the names and texts of all documents that ship, by their kinds."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file in sorted(f for folder in list_shipped_rulesets().values() for f in folder.rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        for kind in KINDS:
            if f"\nkind: {kind}\n" in "\n" + text:
                found.setdefault(kind, []).append((file.name, text))
    return found


def small(data: Any, chance: random.Random, most: int = 4) -> Any:
    """Return data reduced to few entries, so that many variants can be tried."""
    if isinstance(data, dict):
        keys = [*data] if len(data) <= 12 else sorted(chance.sample([*data], most))
        return {key: small(data[key], chance) for key in keys}
    if isinstance(data, list):
        return [small(item, chance) for item in data[:most]]
    return data


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Return every place in the data that can be changed: its container, and its key."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [spot for key, value in pairs for spot in ((data, key), *spots(value))]


def spoil(data: Any, chance: random.Random) -> None:
    holder, key = chance.choice(spots(data))
    match chance.randrange(4):
        case 0:
            holder[key] = chance.choice(VALUES)
        case 1:
            del holder[key]
        case 2 if isinstance(holder, dict):
            holder[chance.choice(["nosuch", "No Such", "name", "en", "type", "cite", "above"])] = holder.pop(key)
        case _:
            other, name = chance.choice(spots(data))
            holder[key] = small(other[name], chance)


@pytest.mark.parametrize("kind", KINDS)
def test_fast_and_full_validation_agree_on_spoiled_documents(kind: str) -> None:
    roots = [read_yaml(Source(name, text), Sink()) for name, text in shipped()[kind]]
    plains: dict[int, Any] = {}
    verdicts: set[bool] = set()
    for seed in range(40):
        chance = random.Random(seed)
        root = chance.choice(roots)
        assert isinstance(root, MappingNode)
        if id(root) not in plains:
            plains[id(root)] = to_plain_data(root)
        data = {key: small(value, chance) for key, value in plains[id(root)].items()}
        for _ in range(seed % 3):
            spoil(data, chance)
        fits = not any(True for _ in _get_validator(kind).iter_errors(data))
        assert _get_compiled_schema(kind)(data) == fits, data
        verdicts.add(fits)
    assert verdicts == {True, False}


def test_unknown_schema_keyword_is_rejected() -> None:
    with pytest.raises(KeyError):
        compile_schema({"type": "object", "patternProperties": {}}, {})


def test_validator_distinguishes_true_from_one() -> None:
    assert not compile_schema({"const": 1}, {})(True)
    assert not compile_schema({"enum": [1, "a"]}, {})(True)
    assert compile_schema({"uniqueItems": True}, {})([1, True, {"a": 1}, {"a": True}])
    assert not compile_schema({"uniqueItems": True}, {})([{"a": [1]}, {"a": [1]}])


ALONE: dict[str, dict[str, Any]] = {
    "dependentRequired": {"dependentRequired": {"a": ["b"]}},
    "anyOf": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    "oneOf": {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
    "allOf": {"allOf": [{"type": "integer"}, {"minimum": 2}]},
    "not": {"not": {"type": "integer"}},
    "minItems": {"minItems": 2},
    "maxItems": {"maxItems": 2},
    "minLength": {"minLength": 2},
    "maxLength": {"maxLength": 2},
    "minProperties": {"minProperties": 2},
    "maxProperties": {"maxProperties": 2},
    "minimum": {"minimum": 2},
    "maximum": {"maximum": 2},
    "uniqueItems": {"uniqueItems": True},
    "const": {"const": 1},
    "enum": {"enum": ["a", 1, None]},
    "pattern": {"pattern": "^a"},
    "items": {"items": {"type": "integer"}},
    "required": {"required": ["a"]},
    "propertyNames": {"propertyNames": {"maxLength": 1}},
    "type": {"type": ["integer", "null"]},
}
SAMPLES = [
    *VALUES,
    *([], [1], [1, 2], [1, 2, 3], [1, "a"], [1, 1]),
    *("", "a", "aa", "aaa", "b"),
    *(1, 2, 3, -3),
    *({}, {"a": 1}, {"a": 1, "b": 2}, {"b": 2}, {"a": 1, "bb": 2, "c": 3}),
]


@pytest.mark.parametrize("keyword", sorted(_KEYWORDS.keys() & ALONE.keys()))
def test_fast_validator_agrees_with_library_on_each_keyword(keyword: str) -> None:
    """Check values on both sides of a keyword: some fit, and some do not."""
    schema = ALONE[keyword]
    fits, judge = compile_schema(schema, {}), Draft202012Validator(schema)
    told = [judge.is_valid(value) for value in SAMPLES]
    assert [fits(value) for value in SAMPLES] == told
    assert set(told) == {True, False}


def test_no_keyword_is_left_without_test() -> None:
    together = {"properties", "additionalProperties", "$ref", "if", "then", "else"}  # shown by the shipped schemas
    assert _KEYWORDS.keys() - ALONE.keys() <= together
