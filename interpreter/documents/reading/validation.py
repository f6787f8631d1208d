"""Validation of a document against the schema of its kind.

Names are resolved later, when the ruleset is built.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.fast_validator import Test, compile_pattern, compile_schema
from interpreter.documents.reading.schema_errors import report_schema_fault
from interpreter.documents.reading.tree import MappingNode, to_plain_data
from interpreter.files.assets import find_schema_file

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

KINDS = (
    "ruleset", "rulebook", "map", "pieces", "tables", "ladders", "activation", "victory", "scenario", "variant",
    "locale", "cases", "tutorial", "glossary",
)  # fmt: skip


def validate(kind: str, root: MappingNode, sink: Sink) -> bool:
    """Report every schema violation of a document; return True if the document is valid.

    `root` may lack `kind` and `format` (merged documents do).
    """
    data = {"kind": kind, "format": 1, **to_plain_data(root)}
    if _get_compiled_schema(kind)(data):
        return True
    faults = list(_get_validator(kind).iter_errors(data))
    for fault in faults:
        report_schema_fault(fault, root, read_schema(kind), sink)
    return not faults


def read_schema(name: str) -> dict[str, Any]:
    """Return a shipped schema by the kind of document it describes (or "common")."""
    path = find_schema_file(name)
    if path is None:
        raise FileNotFoundError(f"the schema {name}.schema.json is missing from this installation")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


@cache
def _get_compiled_schema(kind: str) -> Test:
    return compile_schema(read_schema(kind), {"common.schema.json": read_schema("common")})


@cache
def _get_validator(kind: str) -> Draft202012Validator:
    # Late imports: together they take longer than reading a whole ruleset.
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT202012

    common = Resource.from_contents(read_schema("common"), default_specification=DRAFT202012)
    registry: Any = Registry().with_resource("common.schema.json", common)
    extend: Any = validators.extend
    validator: Draft202012Validator = extend(Draft202012Validator, {"pattern": _check_pattern})(
        read_schema(kind), registry=registry
    )
    return validator


def _check_pattern(_validator: object, pattern: str, instance: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not compile_pattern(pattern).search(instance):
        yield ValidationError("")
