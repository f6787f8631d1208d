"""Cures that are certain, and a ruleset under watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.tools.autofix.apply_fixes import apply_fixes
from interpreter.tools.autofix.watcher import RulesetWatcher
from tests.first_game import write_first_game
from tests.folders import replace_in_file


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a new game of areas, with no fault."""
    return write_first_game(tmp_path, "game", "areas")


SLIPS = [
    ("combat.rules", "roll combat: die by", "roll combat: dei by"),
    ("combat.rules", "u.side == s and u on map", "u.side == s && u on map"),
    ("combat.rules", "if u on map:", "if u on map"),
    ("combat.rules", "attack(s, e)", "attack(s e)"),
    ("words.rules", "if u.strength == 0:", "if u.strength = 0:"),
    ("words.rules", "define cost(a: place) [1.2] =", "define cost(a: place) [1.2] =="),
    ("words.rules", "e.side != s", "e.sde != s"),
    ("words.rules", "    lower u.strength", "\tlower u.strength"),
    ("turn.rules", "for s in sides:", "for s in sidse:"),
    ("movement.rules", "require points", "requier points"),
    ("movement.rules", "u.allowance", "u．allowance"),
    ("map.yaml", "terrain: woods", "terrian: woods"),
    ("map.yaml", "format: 2", "format:2"),
    ("map.yaml", "[red_town, red_fields]", "[red_town, red_feilds]"),
    ("pieces.yaml", "side: blues, strength: 4", "side: blue, strength: 4"),
    ("tables.yaml", "round: for_defender", "round: for_defnder"),
    ("scenario.yaml", "turns: 6", "turn: 6"),
    ("tests/first.yaml", "attack_on:", "attak_on:"),
]


@pytest.mark.parametrize(("name", "old", "new"), SLIPS, ids=[new for _, _, new in SLIPS])
def test_slip_is_cured_as_it_was(game: Path, name: str, old: str, new: str) -> None:
    sound = (game / name).read_text(encoding="utf-8")
    replace_in_file(game / name, old, new)
    spoilt = (game / name).read_text(encoding="utf-8")
    mended = apply_fixes(str(game))
    if new == "turn: 6":  # another key with a meaning of its own: nothing is certain
        assert not mended.cured
        return
    assert [c.diagnostic.severity for c in mended.cured] == ["error"]
    ((path, content),) = mended.texts.items()
    assert path == (game / name).resolve()
    assert content.decode("utf-8").replace("    lower", "    lower") == sound
    assert mended.remaining == ()
    assert (game / name).read_text(encoding="utf-8") == spoilt, "nothing is written yet"


def test_several_slips_hidden_behind_one_another(game: Path) -> None:
    for slip in SLIPS[:4] + SLIPS[11:13]:
        replace_in_file(game / slip[0], *slip[1:])
    mended = apply_fixes(str(game))
    assert len(mended.cured) == 6
    for path, content in mended.texts.items():
        path.write_bytes(content)
    assert check(game) == ()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("words.rules", "[1.2] = terrain_cost[a.terrain]", "[1.2] = terrain_costs_of[a.terrain]"),
        ("combat.rules", "fight(s, e)\n", "fight(s, e\n"),
        ("combat.rules", "lose(e, n)", "destroy(e, n)"),
        ("rulebook.yaml", '"1.3": {text: A unit', '"1.3": {txt A unit'),
    ],
)
def test_uncertain_fix_is_not_applied(game: Path, name: str, old: str, new: str) -> None:
    replace_in_file(game / name, old, new)
    mended = apply_fixes(str(game))
    assert not mended.cured and not mended.texts
    assert mended.remaining


def test_change_reruns_only_affected_cases(game: Path) -> None:
    vigil = RulesetWatcher(str(game))
    first = vigil.check_for_changes()
    assert first is not None and (first.run, first.cases, first.failed) == (4, 4, ())
    assert vigil.check_for_changes() is None
    sound = (game / "movement.rules").read_text(encoding="utf-8")
    replace_in_file(game / "movement.rules", "v != u ", "v == u ")
    seen = vigil.check_for_changes()
    assert seen is not None and seen.changed == ("game/movement.rules",)
    assert seen.run == 2, "the two that march"
    assert [r.case.id for r in seen.failed] == ["no_room"]
    (game / "movement.rules").write_text(sound, encoding="utf-8")
    seen = vigil.check_for_changes()
    assert seen is not None and seen.failed == ()
    replace_in_file(game / "combat.rules", "# A requirement", "# The requirement")
    seen = vigil.check_for_changes()
    assert seen is not None and seen.run == 0, "a comment no adjacent places"


def test_cases_that_change_run_again_and_data_runs_all(game: Path) -> None:
    vigil = RulesetWatcher(str(game))
    vigil.check_for_changes()
    replace_in_file(game / "tests/first.yaml", "strength: 2, fought", "strength: 1, fought")
    seen = vigil.check_for_changes()
    assert seen is not None and (seen.run, [r.case.id for r in seen.failed]) == (1, ["a_loss"])
    replace_in_file(game / "tables.yaml", "1-1: [A2,", "1-1: [A3,")
    seen = vigil.check_for_changes()
    assert seen is not None and (seen.run, seen.failed) == (4, ())


def test_faults_are_reported_and_new_file_is_seen(game: Path) -> None:
    vigil = RulesetWatcher(str(game))
    vigil.check_for_changes()
    (game / "more.rules").write_text("define (\n", encoding="utf-8")
    seen = vigil.check_for_changes()
    assert seen is not None and seen.cases == 0
    assert [d.file for d in seen.findings] == ["game/more.rules"]
    (game / "more.rules").unlink()
    seen = vigil.check_for_changes()
    assert seen is not None and seen.findings == ()
