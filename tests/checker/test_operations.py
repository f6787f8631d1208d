"""Test that the properties of every operation are declared, and that declarations of builtins are consistent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from interpreter.checker.operations import BUILTINS, FaultMemo, find_slots_read, get_facts, may_fault
from interpreter.model import expressions as n
from interpreter.model.checked_model import CheckedModel
from tests.tiny import build


def every_expression(model: CheckedModel) -> list[n.Core]:
    found = [*(d.value for d in model.defines.values()), *(r.test for x in model.rules.values() for r in x.requires)]
    return [part for core in found for part in n.list_descendants(core)]


def test_builtin_with_position_declares_its_reads() -> None:
    assert all(bool(b.facts.reads) == (b.needs == "state") for b in BUILTINS.values())


def test_expression_is_rebuilt_of_its_parts(tmp_path: Path) -> None:
    model = build(
        tmp_path,
        """
        define far(p: place, most: int) =
            count(q in places where (distance from p to q through x where x != p cost x.height + 1 else 9) < most)
        define next_to(a: army) -> set of place = {q in places where any u in units at q where u.army == a}
        rule fine(p: place, a: army):
            require near: p in next_to(a) and far(p, 3) > 0 or not (every q in neighbours(p) satisfies q != p)  "no"
        """,
    ).model
    assert model is not None
    for core in every_expression(model):
        assert n.rebuild(core, lambda part: part) is core
        again = n.rebuild(core, lambda part: replace(part, type=part.type))
        assert [child.span for child in n.list_children(again)] == [child.span for child in n.list_children(core)]
        assert n.list_bound_names(again) == n.list_bound_names(core)
        inside = {name for _, scope in n.list_scoped_children(core) for name in scope}
        assert (
            inside <= set(n.list_bound_names(core))
            and not n.find_free_names(core) & inside
            or isinstance(core, n.CheckedLocal)
        )
        assert get_facts(core) is not None


def test_reads_and_faults_include_those_of_callees(tmp_path: Path) -> None:
    model = build(
        tmp_path,
        """
        define halved(k: int) = 6 / k
        define level(p: place) = if p.held then 1 else p.height
        define lost(a: army) = count(u in units where u.at == a.home and u.condition == worn)
        tally worth(a: army):
            + lost(a) "lost"
            + total_of(a) if a.score > 2 "sum"
        define total_of(a: army) = game.total
        define whole(a: army) = round_down(halved(worth(a)))
        """,
    ).model
    assert model is not None
    read = {d.name: find_slots_read(model, d.value, {}) for d in model.defines.values()}
    assert read["halved"] == frozenset()
    assert read["level"] == {("place", "held")}
    assert read["lost"] == {("piece", "at"), ("piece", "condition")}
    assert read["whole"] == {*read["lost"], ("game", "total"), ("side", "score")}
    faulty = {d.name for d in model.defines.values() if may_fault(model, d.value, FaultMemo())}
    assert faulty == {"halved", "whole"}
