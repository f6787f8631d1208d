"""Long lists in a case that differ: told by what is missing, what was not expected, or the order."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.tools.cases.expectations import _build_mismatch, format_case_value


@pytest.mark.parametrize(
    ("expected", "found", "told"),
    [
        ([*range(20)], [*range(1, 20)], "missing: 0"),
        ([*range(19)], [*range(20)], "unexpected: 19"),
        ([*range(20), True], [*range(1, 22)], "missing: 0, true; unexpected: 20, 21"),
        (
            [*range(20)],
            [1, 0, *range(2, 20)],
            "the order of the members differs, first at number 1: expected 0, found 1",
        ),
        ([*range(20)], [], "missing: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more"),
    ],
)
def test_long_list_mismatch_shows_difference(expected: list, found: list, told: str) -> None:
    root = read_yaml(Source("", f"value: {format_case_value(expected)}\n"), Sink())
    assert isinstance(root, MappingNode)
    node = root.get("value")
    assert node is not None
    assert str(_build_mismatch("the value", node, tuple(found)).message) == f"the value: {told}"
