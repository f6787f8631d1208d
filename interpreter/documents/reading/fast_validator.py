"""Fast schema validation with a yes-or-no answer and no error messages.

A schema is compiled to a function once. Only the keywords of the shipped schemas are supported; any other is rejected,
so that none is ignored. `validation` finds and describes the faults of data that does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Test = Callable[[Any], bool]
Refer = Callable[[str], Test]
_Keyword = Callable[[Any, Refer], list[Test]]
_WORDS = frozenset(("$schema", "$id", "$defs", "title", "description", "examples", "default"))
_TYPES: Mapping[str, Test] = {
    "string": lambda x: isinstance(x, str),
    "integer": lambda x: type(x) is int,
    "number": lambda x: type(x) is int,  # documents contain no other numbers
    "boolean": lambda x: isinstance(x, bool),
    "null": lambda x: x is None,
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
}


def compile_schema(schema: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> Test:
    """Compile a schema to a test; `schemas`: the schemas that it refers to, by name.

    Raises KeyError for an unsupported keyword.
    """
    tests_by_reference: dict[str, Test] = {}

    def compile_reference(address: str, home: Mapping[str, Any]) -> Test:
        name, _, path = address.partition("#")
        root = schemas[name] if name else home
        key = f"{name or id(home)}#{path}"
        if key not in tests_by_reference:
            schema_part: Any = root
            for step in path.strip("/").split("/") if path.strip("/") else ():
                schema_part = schema_part[step]
            tests_by_reference[key] = lambda x: tests_by_reference[key](x)  # a schema may refer to itself
            tests_by_reference[key] = _compile(schema_part, lambda a: compile_reference(a, root))
        return lambda x: tests_by_reference[key](x)

    return _compile(schema, lambda a: compile_reference(a, schema))


def _compile(schema: Mapping[str, Any] | bool, refer: Refer) -> Test:
    """Compile a schema to a test; `refer`: the function that compiles the schema at an address."""
    if isinstance(schema, bool):
        return lambda _x: schema
    tests = [test for key in schema if key not in _WORDS for test in _KEYWORDS[key](schema, refer)]
    if len(tests) == 1:
        return tests[0]
    return lambda x: _is_valid_for_all(tests, x)


def _is_valid_for_all(tests: list[Test], data: object) -> bool:
    for test in tests:
        if not test(data):
            return False
    return True


def _is_equal(left: object, right: object) -> bool:
    """Return whether two values are equal as JSON: true is not equal to 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_is_equal(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_is_equal, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _compile_type(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
    names = schema["type"]
    tests = [_TYPES[name] for name in ([names] if isinstance(names, str) else names)]
    return tests if len(tests) == 1 else [lambda x: any(test(x) for test in tests)]


def _compile_values(values: list[Any]) -> list[Test]:
    if all(isinstance(value, str) for value in values):
        words = frozenset(values)
        return [lambda x: isinstance(x, str) and x in words]
    return [lambda x: any(_is_equal(x, value) for value in values)]


def _compile_object(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    """Return a test for `properties` and `additionalProperties` together; `patternProperties` are not used.

    `refer` returns the test of another schema by its name.
    """
    tests = {key: _compile(below, refer) for key, below in schema.get("properties", {}).items()}
    is_valid_extra = _compile(schema.get("additionalProperties", True), refer)
    rest = schema.get("additionalProperties", True)

    def test(data: object) -> bool:
        if not isinstance(data, dict):
            return True
        for key, value in data.items():
            below = tests.get(key)
            if below is not None:
                if not below(value):
                    return False
            elif rest is False or (rest is not True and not is_valid_extra(value)):
                return False
        return True

    return [test]


def _compile_required(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
    keys = schema["required"]
    return [lambda x: not isinstance(x, dict) or _has_all(keys, x)]


def _has_all(keys: list[str], data: Mapping[str, Any]) -> bool:
    return all(key in data for key in keys)


def _compile_dependent(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
    needs = schema["dependentRequired"]
    return [lambda x: not isinstance(x, dict) or all(_has_all(keys, x) for key, keys in needs.items() if key in x)]


def _compile_names(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    test = _compile(schema["propertyNames"], refer)
    return [lambda x: not isinstance(x, dict) or all(test(key) for key in x)]


def _compile_items(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    test = _compile(schema["items"], refer)
    return [lambda x: not isinstance(x, list) or all(test(item) for item in x)]


def _compile_unique(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
    if not schema["uniqueItems"]:
        return []
    return [lambda x: not isinstance(x, list) or _are_all_different(x)]


def _are_all_different(items: list[Any]) -> bool:
    if all(isinstance(item, str) for item in items):
        return len(set(items)) == len(items)
    return not any(_is_equal(a, b) for n, a in enumerate(items) for b in items[:n])


def _compile_pattern_keyword(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
    search = compile_pattern(schema["pattern"]).search
    return [lambda x: not isinstance(x, str) or search(x) is not None]


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern as JSON Schema defines it; Python's `$` would also match before a trailing newline."""
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


def _compile_conditional(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    """Return a test for `if` with its `then` and `else`; `refer` returns the test of another schema by its name."""
    condition = _compile(schema["if"], refer)
    yes, no = _compile(schema.get("then", True), refer), _compile(schema.get("else", True), refer)
    return [lambda x: yes(x) if condition(x) else no(x)]


def _compile_any_of(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    tests = [_compile(below, refer) for below in schema["anyOf"]]
    return [lambda x: any(test(x) for test in tests)]


def _compile_not(schema: Mapping[str, Any], refer: Refer) -> list[Test]:
    test = _compile(schema["not"], refer)
    return [lambda x: not test(x)]


def _compile_size_limit(
    keyword: str, sort: type | tuple[type, ...], least: bool, measure: Callable[[Any], int]
) -> _Keyword:
    """Return a function that compiles the keyword `keyword`, which limits a size or a number.

    Values not of the type `sort` are valid. `measure` computes the size of a value; the bound is a minimum if `least`,
    else a maximum.
    """

    def compile_keyword(schema: Mapping[str, Any], _refer: Refer) -> list[Test]:
        bound = schema[keyword]
        if least:
            return [lambda x: not isinstance(x, sort) or isinstance(x, bool) or measure(x) >= bound]
        return [lambda x: not isinstance(x, sort) or isinstance(x, bool) or measure(x) <= bound]

    return compile_keyword


_KEYWORDS: Mapping[str, _Keyword] = {
    "type": _compile_type,
    "const": lambda schema, _refer: _compile_values([schema["const"]]),
    "enum": lambda schema, _refer: _compile_values(schema["enum"]),
    "properties": _compile_object,
    "additionalProperties": lambda schema, refer: [] if "properties" in schema else _compile_object(schema, refer),
    "required": _compile_required,
    "dependentRequired": _compile_dependent,
    "propertyNames": _compile_names,
    "items": _compile_items,
    "uniqueItems": _compile_unique,
    "pattern": _compile_pattern_keyword,
    "$ref": lambda schema, refer: [refer(schema["$ref"])],
    "allOf": lambda schema, refer: [_compile(below, refer) for below in schema["allOf"]],
    "anyOf": _compile_any_of,
    "not": _compile_not,
    "if": _compile_conditional,
    "then": lambda schema, _refer: [],  # handled with `if`
    "else": lambda schema, _refer: [],
    "minItems": _compile_size_limit("minItems", list, True, len),
    "maxItems": _compile_size_limit("maxItems", list, False, len),
    "minLength": _compile_size_limit("minLength", str, True, len),
    "maxLength": _compile_size_limit("maxLength", str, False, len),
    "minProperties": _compile_size_limit("minProperties", dict, True, len),
    "maxProperties": _compile_size_limit("maxProperties", dict, False, len),
    "minimum": _compile_size_limit("minimum", int, True, int),
    "maximum": _compile_size_limit("maximum", int, False, int),
}
