"""Test that looking up names, words and cycles in large rulesets does not scan all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from interpreter.checker.adhoc_expressions import build_scope
from interpreter.checker.expressions.name_resolution import resolve_bare_word
from interpreter.checker.lints.infinite_recursion import _find_items_near_cycles, _find_shortest_cycle
from interpreter.checker.scope import RulesScope, Signature
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import NOWHERE
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.model.checked_model import CheckedModel
from tests.tiny import checked_model, write

MANY = 2_000
EACH = 10  # comparisons of names that one lookup may take on average


class Word(str):
    """A name that counts how often one is compared with another."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Word.compared += 1
        return str.__eq__(self, other)  # a comparison with another type is left to that type

    __hash__ = str.__hash__


@pytest.fixture
def few_compared() -> Iterator[None]:
    """Check that each name is compared with few others, however many there are."""
    Word.compared = 0
    yield
    assert Word.compared <= EACH * MANY


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CheckedModel:
    members = "".join(f"  gem-{n}: {{class: unit, army: reds, at: a}}\n" for n in range(MANY))
    gems = f"kind: pieces\nformat: 1\npieces:\n{members}"
    found = checked_model(str(write(tmp_path_factory.mktemp("gems"), "", {"gems.yaml": gems})))
    return found


@pytest.mark.usefixtures("few_compared")
def test_names_are_declared_beside_existing_ones(model: CheckedModel) -> None:
    names = RulesScope(model.ruleset, Sink())

    for n in range(MANY):
        names.declare(names.defines, Word(f"d{n}"), Signature((), None, NOWHERE))
    assert len(names.defines) == MANY and not names.sink.items
    names.declare(names.rules, "d7", Signature((), None, NOWHERE))
    assert [d.code for d in names.sink.items] == ["name-taken"]


@pytest.mark.usefixtures("few_compared")
def test_words_find_their_things(model: CheckedModel) -> None:
    names = build_scope(model)
    found: list[object] = []

    for n in range(MANY):
        core = resolve_bare_word(names, Word(f"gem-{n}"), NOWHERE, None)
        found.append(None if core is None else core.span)
        assert resolve_bare_word(names, Word(f"nosuch-{n}"), NOWHERE, None) is None
    assert found.count(None) == 0


def test_unknown_name_is_reported_without_comparing_all_names() -> None:
    looked_at = 0

    def known() -> Iterator[str]:
        nonlocal looked_at
        for n in range(20_000):
            looked_at += 1
            yield f"word-{n}"

    assert not did_you_mean("nosuch", known())
    assert looked_at < 10_000


@pytest.mark.usefixtures("few_compared")
def test_cycle_search_visits_recursive_parts_only() -> None:
    words = [Word(n) for n in range(MANY + 1)]
    row = {("define", one): [("define", after)] for one, after in pairwise(words)} | {("define", words[-1]): []}
    assert not _find_items_near_cycles(row)


def test_shortest_cycle_is_found_for_each_item_near_cycles() -> None:
    a, b, d, e = (("rule", name) for name in "abde")
    asked = {a: [b, e], b: [d], d: [a], e: [b, e]}
    circling = _find_items_near_cycles(asked)
    assert circling == {a, b, d, e}
    assert _find_shortest_cycle(a, asked, circling) == [a, b, d]
    assert _find_shortest_cycle(e, asked, circling) == [e]
    apart = {a: [b], b: [a, d], d: [e], e: [d]}
    assert [_find_shortest_cycle(part, apart, _find_items_near_cycles(apart)) for part in apart] == [
        [a, b],
        [b, a],
        [d, e],
        [e, d],
    ]
    between = {a: [a, b], b: [d], d: [d, e], e: []}
    assert _find_items_near_cycles(between) == {a, b, d}
    assert not _find_shortest_cycle(b, between, _find_items_near_cycles(between))
