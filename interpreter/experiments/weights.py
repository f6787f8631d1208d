"""The weights of an evaluation: numbers of a ruleset that only its evaluation reads."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.documents.reading.formats import get_newest_format
from interpreter.files.safe_read import write_atomically
from interpreter.model.checked_model import CheckedModel, iter_nested_records
from interpreter.model.expressions import CheckedCall, Literal
from interpreter.tools.scaffold import format_reference

Weights = dict[str, Fraction]
_PREFIX = "value."
_CALLED = ("defines", "tallies")  # what counts where it is called and not by itself
_APART = ("ruleset", "evaluation", "records", "phases", "cited", *_CALLED)


def find_weights(model: CheckedModel) -> Weights:
    """Return the numbers under `values:` that only the evaluation reads, in document order."""
    play = [getattr(model, name) for name in model.__dataclass_fields__ if name not in _APART]
    only = _list_values_read(model.evaluation, model) - _list_values_read(play, model)
    return {
        name: Fraction(constant.value)
        for name, constant in model.ruleset.constants.items()
        if name in only and str(constant.type) in ("int", "number") and isinstance(constant.value, int | Fraction)
    }


def find_integer_values(model: CheckedModel) -> frozenset[str]:
    """Return the names of the values that must be integers."""
    return frozenset(name for name, constant in model.ruleset.constants.items() if str(constant.type) == "int")


def _list_values_read(root: object, model: CheckedModel) -> set[str]:
    """Return the names of the named values that a part of the rules reads.

    Defines and tallies that it calls are included.
    """
    called: dict[str, Any] = {**model.defines, **model.tallies}
    names: set[str] = set()
    waiting, visited = [root], set[str]()
    while waiting:
        for record in iter_nested_records(waiting.pop()):
            if isinstance(record, CheckedCall) and record.name in called and record.name not in visited:
                visited.add(record.name)
                waiting.append(called[record.name])
            elif isinstance(record, Literal):
                text = record.span.source.text[record.span.start : record.span.end]
                if text.startswith(_PREFIX):
                    names.add(text.removeprefix(_PREFIX))
    return names


def write_variant(
    path: Path, target: str, id: str, weights: Mapping[str, Fraction], remarks: tuple[str, ...] = ()
) -> None:
    """Write a variant that plays like the target with other weights. Raises `OSError` if the file cannot be written.

    `id`: the id of the variant; `remarks`: comment lines at its top.
    """
    lines = [
        *(f"# {remark}" for remark in remarks),
        *([""] if remarks else []),
        "kind: variant",
        f"format: {get_newest_format()}",
        f"id: {id}",
        f"title: {id.replace('_', ' ').capitalize()}",
        f"extends: {format_reference(target, path)}",
        "tables:",
        "  values:",
        *(f"    {name}: {{value: {_format_fraction(value)}}}" for name, value in weights.items()),
    ]
    write_atomically(path, ("\n".join(lines) + "\n").encode("utf-8"))


def _format_fraction(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f'"{value.numerator}/{value.denominator}"'
