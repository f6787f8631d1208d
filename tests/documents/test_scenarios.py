"""Test scenarios that extend others, and scenario files in any folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check, load
from interpreter.api.resume import resume_game
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.overlays.scenario_layers import resolve_extends
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, get_entry_mapping
from interpreter.tools.cases.suite import format_report, run_cases
from tests.tiny import write

RULES = """
turn:
    phase only_phase:
        choose go_on by reds:
            option yes:
                set game.total = turn
            option no
"""
FIRST = """
kind: scenario
format: 1
id: plain
title: Plain
default: true
turns: 4
options: {fog: true}
setup:
  each: {red-1: {at: b}, blue-1: {at: c}}
  game: {total: 3}
"""
SECOND = """
kind: scenario
format: 1
id: second
title: Second
extends: plain
turns: 6
options: {fog: null, length: long}
setup:
  each: {red-1: {at: d}, blue-1: null, blue-2: {at: b}}
"""


def found(folder: Path) -> list[tuple[str, int]]:
    return [(d.code, d.line) for d in check(folder) if d.severity == "error"]


def test_scenario_extends_another(tmp_path: Path) -> None:
    folder = write(tmp_path, RULES, {"scenarios/plain.yaml": FIRST, "scenarios/second.yaml": SECOND})
    assert found(folder) == []
    rules = load(folder)
    assert rules.start().scenario == "plain"
    game = rules.start("second")
    view = game.view()
    assert (game.state.last_turn, view["options"], view["game"]["total"]) == (6, {"fog": False, "length": "long"}, 3)
    assert [view["pieces"][p]["at"] for p in ("red-1", "blue-1", "blue-2")] == ["d", "d", "b"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("extends: plain", "extends: plian"), "unknown-scenario"),
        (("extends: plain", "extends: second"), "variant-circle"),
        (("blue-1: null", "blue-3: null"), "nothing-to-delete"),
    ],
)
def test_faulty_scenario_is_diagnosed(tmp_path: Path, change: tuple[str, str], code: str) -> None:
    folder = write(tmp_path, RULES, {"scenarios/plain.yaml": FIRST, "scenarios/second.yaml": SECOND.replace(*change)})
    assert [c for c, _ in found(folder)] == [code]


@pytest.mark.parametrize("ruleset", ["ruleset: ../tiny\n", "ruleset: ../tiny/variants/more.yaml\n"])
def test_scenario_file_works_in_any_folder(tmp_path: Path, ruleset: str) -> None:
    write(
        tmp_path,
        RULES,
        {
            "scenarios/plain.yaml": FIRST,
            "variants/more.yaml": (
                "kind: variant\nformat: 1\nid: more\ntitle: More\nextends: ..\nscenarios: {plain: {turns: 5}}\n"
            ),
        },
    )
    path = tmp_path / "mine" / "third.yaml"
    (path.parent / "third-tests").mkdir(parents=True)
    path.write_text(SECOND.replace("turns: 6\n", ruleset))
    (path.parent / "third-tests" / "own.yaml").write_text(
        "kind: cases\nformat: 1\ncases: {own: {title: own, given: {position: start}, when: [{ask: game.total}], "
        "then: {value: 3, each: {red-1: {at: d}}}}}\n"
    )
    assert found(path) == []
    rules = load(path)
    game = rules.start()
    assert (game.scenario, game.state.last_turn) == ("second", 5 if "more" in ruleset else 4)
    assert format_report(run_cases(str(path))) == "1 of 1 case passed"
    game.choose("yes")
    game.save(tmp_path / "game.jsonl")
    assert resume_game(tmp_path / "game.jsonl", str(path)).hash() == game.hash()


def test_scenario_file_in_its_folder_is_played(tmp_path: Path) -> None:
    folder = write(tmp_path, RULES, {"scenarios/plain.yaml": FIRST, "scenarios/second.yaml": SECOND})
    assert load(folder / "scenarios" / "second.yaml").start().scenario == "second"


def test_faults_of_scenario_file(tmp_path: Path) -> None:
    write(tmp_path, RULES, {"scenarios/plain.yaml": FIRST})
    path = tmp_path / "alone" / "third.yaml"
    path.parent.mkdir()
    path.write_text(SECOND)
    assert found(path) == [("missing-key", 2)]
    path.write_text(SECOND.replace("id: second", "id: plain\nruleset: ../tiny").replace("extends: plain\n", ""))
    assert ("defined-twice", 4) in found(path)
    path.write_text(SECOND.replace("id: second", "id: second\nruleset: ../tinny"))
    assert found(path) == [("no-such-ruleset", 5)]


@pytest.mark.parametrize("written", ["each: {red-1: {at: d}}", "pieces: {d: [red-1]}"])
@pytest.mark.parametrize("before", ["each: {red-1: {at: b}}", "pieces: {b: [red-1, red-2]}"])
def test_piece_placed_again_leaves_old_place(tmp_path: Path, written: str, before: str) -> None:
    first = FIRST.replace("each: {red-1: {at: b}, blue-1: {at: c}}", before)
    second = SECOND.replace("each: {red-1: {at: d}, blue-1: null, blue-2: {at: b}}", written).replace("fog: null, ", "")
    folder = write(tmp_path, RULES, {"scenarios/plain.yaml": first, "scenarios/second.yaml": second})
    assert found(folder) == []
    assert load(folder).start("second").view()["pieces"]["red-1"]["at"] == "d"


def test_variant_can_move_piece_placed_by_scenario(tmp_path: Path) -> None:
    first = FIRST.replace("each: {red-1: {at: b}, blue-1: {at: c}}", "pieces: {b: [red-1]}")
    variant = (
        "kind: variant\nformat: 1\nid: v\ntitle: V\nextends: ..\nscenarios:\n"
        '  plain: {setup: {pieces: {new "d": [red-1]}}}\n'
    )
    folder = write(tmp_path, RULES, {"scenarios/plain.yaml": first, "variants/v.yaml": variant})
    assert found(folder / "variants" / "v.yaml") == []
    assert load(folder / "variants" / "v.yaml").start().view()["pieces"]["red-1"]["at"] == "d"


def test_thousands_of_scenarios_that_extend_each_other_are_read() -> None:
    """The first one extends the second, and so on: the base comes last."""
    span = Span(Source("s.yaml", ""), 0, 0)

    def text(value: str) -> ScalarNode:
        return ScalarNode(value, value, span)

    def entry(key: str, value: Node) -> MappingEntry:
        return MappingEntry(text(key), value)

    last = 3_000
    found = {
        f"s{n}": entry(f"s{n}", MappingNode({"extends": entry("extends", text(f"s{n + 1}"))}, span))
        for n in range(last)
    }
    found[f"s{last}"] = entry(f"s{last}", MappingNode({"about": entry("about", text("the base"))}, span))
    sink = Sink()
    whole = resolve_extends(MappingNode(found, span), sink)
    assert not sink.has_errors and get_entry_mapping(whole.entries["s0"]).get_text("about") == "the base"
