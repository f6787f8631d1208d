"""What is asked of every name, word and circle is answered at once, however many there are."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from interpreter.checker.asked_expressions import names_of
from interpreter.checker.expressions.bare_words import resolve_bare_word
from interpreter.checker.loose_ends.circles import _circle, _rings
from interpreter.checker.scope import Names, Signature
from interpreter.facade.loading import load_model
from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import NOWHERE
from tests.tiny import write

MANY = 20_000
SECONDS = 10.0  # of the processor: what goes through all for each would take minutes


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CheckedModel:
    members = "".join(f"  gem-{n}: {{class: unit, army: reds, at: a}}\n" for n in range(MANY))
    gems = f"kind: pieces\nformat: 1\npieces:\n{members}"
    found = load_model(str(write(tmp_path_factory.mktemp("gems"), "", {"gems.yaml": gems})), Sink())
    assert found is not None
    return found


def in_time(work: Callable[[], None]) -> None:
    begun = time.process_time()
    work()
    assert time.process_time() - begun < SECONDS


def test_names_are_declared_whatever_is_declared_already(model: CheckedModel) -> None:
    names = Names(model.ruleset, Sink())

    def work() -> None:
        for n in range(MANY):
            names.declare(names.defines, f"d{n}", Signature((), None, NOWHERE))

    in_time(work)
    assert len(names.defines) == MANY and not names.sink.items
    names.declare(names.rules, "d7", Signature((), None, NOWHERE))
    assert [d.code for d in names.sink.items] == ["name-taken"]


def test_words_find_their_things(model: CheckedModel) -> None:
    names = names_of(model)
    found: list[object] = []

    def work() -> None:
        for n in range(MANY):
            core = resolve_bare_word(names, f"gem-{n}", NOWHERE, None)
            found.append(None if core is None else core.span)
            assert resolve_bare_word(names, f"nosuch-{n}", NOWHERE, None) is None

    in_time(work)
    assert found.count(None) == 0


def test_what_nobody_knows_is_told_without_looking_at_everything() -> None:
    known = {f"word-{n}": None for n in range(MANY)}

    def work() -> None:
        for n in range(MANY):
            assert not did_you_mean(f"nosuch-{n}", iter(known))

    in_time(work)


def test_circles_are_looked_for_among_what_comes_back_to_itself() -> None:
    row = {("define", str(n)): [("define", str(n + 1))] for n in range(MANY)} | {("define", str(MANY)): []}
    found: list[dict[tuple[str, str], int]] = []
    in_time(lambda: found.append(_rings(row)))
    assert found == [{}]


def test_the_shortest_circle_of_a_part() -> None:
    a, b, d, e = (("rule", name) for name in "abde")
    asked = {a: [b, e], b: [d], d: [a], e: [b, e]}
    rings = _rings(asked)
    assert set(rings) == {a, b, d, e} and len(set(rings.values())) == 1
    assert _circle(a, asked, rings) == [a, b, d]
    assert _circle(e, asked, rings) == [e]
    apart = {a: [b], b: [a, d], d: [e], e: [d]}
    numbers = _rings(apart)
    assert numbers[a] == numbers[b] != numbers[d] == numbers[e]
