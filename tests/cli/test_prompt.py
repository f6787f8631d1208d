"""Test improvements of the prompt that players asked for: short answers, routes, corrections and one-line changes."""

from __future__ import annotations

from pathlib import Path

from tests.recordings import assert_recorded, lines_with
from tests.tiny import write

from .conftest import Run

MARCH = "move and fight\n"
CENTRE = "done anyway\n" * 4 + "1\ncentre\nno other\n"  # to the march of one formation


def test_group_order_avoids_forced_march_and_sea(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + "all from france to rhine\nquit\n").out
    assert "10 French units: France to Confederation of the Rhine" in out
    assert "forced march for" not in out
    assert "sea attrition for" not in out


def test_group_order_without_candidates_is_explained(run: Run) -> None:
    fed = "all forward\n" + MARCH + "all forward\nall to austria\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    assert out.count("current decision: France: which activity?") == 1
    assert_recorded(lines_with(out, "PLACE to PLACE"))
    out = run("play", "denain-1712", "--seed", "5", fed="done anyway\n" * 4 + "all navarre to 2012\nquit\n").out
    assert_recorded(lines_with(out, "anywhere"))


def test_side_may_have_name_of_seat(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="roster france\nroster allies\nquit\n").out
    assert "France 10 face-up" in out.split("French player> ")[1]
    assert "England 4 face-up" in out.split("French player> ")[2]
    assert "`france`" not in out and "`allies`" not in out


def test_go_to_place_ignores_side_of_same_name(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="declaration\ngo prussia\nquit\n").out
    assert "1  bring Prussia from peace to truce" in out, "the nation and its home have one id"
    assert "to Prussia now" in out


def test_typing_error_is_corrected(run: Run) -> None:
    fed = "move and fihgt\nfrnt\nzzzz\ndeclaration of war prussia zzzz\n" + MARCH + "go 10 pruusia\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    for meant in ("move and fight", "front", "go 10 prussia"):
        assert f"did you mean `{meant}`?" in out
    assert out.count("did you mean") == 3, "of what is like no word nothing is proposed"
    out = run("play", "napoleon", "--seed", "1812", fed="why declration austria\nwhy declaration austria\nquit\n").out
    assert out.count("Did you mean `why declaration austria`?") == 1


def test_undo_takes_whole_way_back(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed=MARCH + "go 4 italy\nundo\nquit\n").out
    assert "Undone: move 4: Italy" in out
    assert out.count("France: which units move?") == 3


def test_way_from_list_asks_before_dice_fall(run: Run) -> None:
    fed = MARCH + "go 7 austria\ngo 3 italy\nno\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    assert ": first attack" in out
    assert "battle in Austria" not in out


def test_equal_changes_are_one_line(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1712", fed=CENTRE + "quit\n").out
    assert "Picardie, Regiment du Roi, Piemont, Bourbonnais, Tourville, French artillery 1: in command" in out
    assert "activated yes" not in out


def test_long_menu_names_its_entries(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1712", fed=CENTRE + "ride\nquit\n").out
    assert "go: Picardie 3-4-2, Regiment du Roi 3-4-2, Piemont 3-3-2, Bourbonnais 2-3-2, Tourville 2-3-2" in out
    assert "ride Dreux (24 ways)" in out
    assert "Ride: which place?" in out
    assert "   1  1209    2  1210" in out


def test_go_finds_route_for_named_piece(run: Run) -> None:
    fed = CENTRE + "picardie\ngo picardie 1512\nquit\n"
    assert "1512, south-east (by 1511; cost 2)" in run("play", "denain-1712", "--seed", "1712", fed=fed).out


def test_note_may_hold_semicolons(run: Run) -> None:
    out = run("play", "napoleon", fed="note Vienna first; then Prague\nnotes\nquit\n").out
    assert "Vienna first; then Prague" in out


def test_table_command_shows_part_of_table(run: Run) -> None:
    out = run("play", "denain-1712", fed="table crt defender redoubt\nquit\n").out
    assert "defender, town, redoubt" in out
    assert "attacker, " not in out


def test_table_command_marks_cells_that_option_reads(run: Run) -> None:
    fed = "table footing for mobilisation\ntable footing mobilisation\ntable footing for waltz\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    assert out.count("In brackets: cells that mobilisation and reform would read: France, second column") == 2
    assert "`waltz` matches no option" in out


def test_table_for_present_options(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="table declaration\nquit\n").out
    assert "Spain, die not yet known (declaration of war: bring Spain from peace to truce, chance 2 in 6)" in out


def test_odds_show_how_far_they_reach(run: Run) -> None:
    fed = MARCH + "go 3 rhine\ngo 3 austria\nodds done\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    assert "up to: the decision activity (" in out
    assert "battle fought: Austria" in out


def test_odds_of_order_are_asked_with_plan(run: Run) -> None:
    out = run("play", "napoleon", "--seed", "1812", fed="odds go 3 austria\nquit\n").out
    assert "`plan 3 austria`" in out


def test_look_finds_place_by_attribute_text(run: Run) -> None:
    out = run("play", "napoleon", fed="look paris\nquit\n").out
    assert "capital: Paris" in out


def test_internal_values_are_not_shown(run: Run) -> None:
    out = run("play", "napoleon", fed="position\nquit\n").out
    assert "war status war" in out
    assert "initial strength" not in out


def test_redo_names_step(run: Run) -> None:
    typed = "done anyway\n" * 4 + "1\ncentre\nno other\npicardie\nsteps\nenter 1611\nundo\nredo\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=typed).out
    assert "Undone: the last step" in out
    assert "Redone: the last step" in out


def test_variant_without_kind_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "quick.yaml").write_text("extends: napoleon\ntitle: Quick\n", encoding="utf-8")
    assert "`kind: variant`" in run("check", tmp_path / "quick.yaml").out


def test_score_lists_its_parts(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "4", fed="score\nquit\n").out
    told = "  final points: 50 [13.3-a] [A-57] [A-82] [A-83] [A-84] [A-85] [A-87]\n    +40 ground held [13.3-b]"
    assert f"Allied player\n{told}" in out
    assert f"Allies\n{told}" not in out  # a seat of one side does not repeat its lines
    assert "    +10 the train [13.3-d]" in out
    out = run("play", "denain-1712", "--seed", "4", "--lang", "ja", fed="得点\nquit\n").out
    assert "final points" not in out.split("> ")[1] and "+40" in out


FAULTY = """
turn:
    phase marching:
        for s in armies:
            choose march by s "{s}?" repeat until done:
                option go(u in {v in units where v.army == s}, p in neighbours(u.at)) "{u} to {p}":
                    assert count(units at pile) > 9 "none is lost yet"
                    move u to p

define standing(p: seat) -> number = 1 / count(units at pile)
"""


def test_game_survives_query_with_rule_fault(run: Run, tmp_path: Path) -> None:
    victory = "kind: victory\nformat: 1\nevaluation: standing(s)\n"
    folder = write(tmp_path, FAULTY, {"victory.yaml": victory})
    fed = "odds done\nodds 1\nhint\nplan b\nfront\nhelp\ngo b\nposition\n"
    done = run("play", str(folder), "--seed", "1", fed=fed)
    assert "division by zero" in done.out
    assert_recorded(lines_with(done.err + done.out, "the error"), FOLDER=tmp_path)
    assert "a bug in grognard:" not in done.err
    assert "type a number" in done.out, "the game went on until then"


def test_words_that_lead_nowhere_are_not_proposed(run: Run) -> None:
    fed = "units\ngibberish\nmarch the elbe englnd\nquit\n"
    out = run("play", "napoleon", "--seed", "1812", fed=fed).out
    assert "did you mean" not in out


def test_translated_examples_omit_brackets(run: Run, tmp_path: Path) -> None:
    generals = """\
        kind: pieces
        format: 1
        classes:
          general: {many: generals, short: "{rank}-{rank}", attributes: {army: army, rank: int}}
        pieces:
          old: {name: Old Fox, class: general, army: reds, rank: 3, at: a}
          new: {name: Young Wolf, class: general, army: reds, rank: 2, at: b}
        """
    rules = """
        turn:
            choose march by reds repeat until done:
                option send(g in generals) "{g} from {g.at}": move g to c
        """
    folder = write(tmp_path, rules, {"generals.yaml": generals})
    ruleset = folder / "ruleset.yaml"
    ruleset.write_text(ruleset.read_text().replace("languages: [en]", "languages: [en, ja]"))
    out = run("play", folder, "--lang", "ja", "--seed", "1", fed="help\nquit\n").out
    assert "Old Fox from a（3-3）" in out
    assert "例：Old Fox from a、Young Wolf from b" in out
