"""Lessons: what the checker reports, what `test` plays, and how a lesson goes on, back and past wrong orders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.api.game import check, load
from interpreter.cli.main import main
from interpreter.documents.learning import read_lesson
from interpreter.documents.pipeline import compute_content_hash
from interpreter.tools.lessons.course import LessonCourse, LessonError, OtherOrderError, start_lesson
from interpreter.tools.lessons.playthrough import play_lesson
from tests.first_game import spoil
from tests.recordings import assert_recorded

SAMPLE = Path(__file__).resolve().parents[1] / "formats" / "samples" / "documents" / "2"


@pytest.fixture
def meadow(tmp_path: Path) -> Path:
    """Return a copy of the sample ruleset, which has a lesson of one order."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "meadow"))


def course_of(target: str | Path) -> LessonCourse:
    rules = load(target, checked=True)
    lesson = read_lesson(str(target), rules.program.languages)
    assert lesson is not None
    return start_lesson(lesson, rules)


def findings(folder: Path) -> list[tuple[str, str]]:
    from interpreter.tools.cases.case_checks import check_with_cases

    return [(d.code, d.message) for d in check_with_cases(str(folder))]


def fault(folder: Path) -> str:
    report = play_lesson(str(folder))
    assert report is not None
    assert not report.ok
    return str(report.faults[0][0])


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_lesson_of_shipped_game_holds_and_is_of_length_that_teaches(ruleset: str) -> None:
    report = play_lesson(ruleset)
    assert report is not None
    assert report.ok, report.faults
    assert 15 <= report.steps <= 25


def test_lesson_refuses_another_order_and_leaves_game_unchanged() -> None:
    course = course_of("napoleon")
    while not course.list_accepted_options():
        course.number += 1
        course.choices_at_start.append(len(course.game.keys))
    before = course.game.hash()
    with pytest.raises(OtherOrderError):
        course.choose("reinforcement")
    assert course.game.hash() == before
    course.choose("move_combat")
    assert course.game.hash() != before


def test_lesson_goes_back_and_repeats_battle_with_same_dice() -> None:
    course = course_of("napoleon")
    seen = []
    for _time in range(2):
        while course.is_on:
            accepted = course.list_accepted_options()
            if accepted:
                course.choose(accepted[0].key)
            elif not course.read():
                step = course.step
                assert step is not None
                assert step.look is not None
                assert course.finish_look_step(step.look.kind, [step.look.id])
        seen.append(course.game.hash())
        while course.go_back():
            pass
        assert course.number == 0
        assert not course.game.keys
    assert seen[0] == seen[1]


def test_lesson_shows_a_result_before_other_seats_go_on() -> None:
    course = course_of("napoleon")
    while (step := course.step) is not None:
        seat, turn = course.game.decision.seat, course.game.turn
        if not step.orders and step.meanwhile:
            assert (seat != course.lesson.seat, turn) == (True, 1), "the text about the battle is read in its turn"
            progress = course.get_progress()
            course.read()
            assert course.game.turn == 2
            again = course_of("napoleon")
            again.resume(course.get_progress())
            assert (again.number, again.game.hash()) == (course.number, course.game.hash())
            assert len(progress.steps) == course.number - 1
            return
        if step.orders:
            course.choose(course.list_accepted_options()[0].key)
        elif not course.read():
            course.finish_look_step(step.look.kind, [step.look.id])
    raise AssertionError("no step of the lesson is read before the others choose")


def test_lesson_step_waits_until_its_target_is_looked_at(meadow: Path) -> None:
    course = course_of(meadow)
    assert not course.finish_look_step("place", ["0102"])
    assert not course.read()
    assert course.finish_look_step("piece", ["red_1"]), "a piece counts for the place it is at"
    assert course.number == 1


def test_lesson_with_face_that_die_lacks_is_a_fault_of_the_lesson(meadow: Path, capsys) -> None:
    spoil(meadow / "learn" / "tutorial.yaml", "dice: {begins: [1]}", "dice: {begins: [7]}")
    assert fault(meadow).startswith("the roll `begins`")
    assert main(["learn", str(meadow)]) == 2
    assert "`begins`" in capsys.readouterr().err


def test_lesson_dice_report_too_few_faces_of_a_step(meadow: Path) -> None:
    course = course_of(meadow)
    dice = course.game.state.dice
    dice.load({"fire": [3]}, course.lesson.span)
    with pytest.raises(LessonError, match="`fire`"):
        dice.clone().roll_faces("fire", "", (1, 2, 3), 2)
    assert dice.roll_faces("fire", "", (1, 2, 3), 1) == [3]


def test_lesson_does_not_change_identity_of_ruleset(meadow: Path) -> None:
    before = compute_content_hash(str(meadow))
    spoil(meadow / "learn" / "tutorial.yaml", "One unit marches.", "A unit marches.")
    assert compute_content_hash(str(meadow)) == before


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('look: {place: "0101"}', 'look: {place: "9999"}', "unknown-place"),
        ("show: {piece: red_1}", "show: {piece: red_7}", "unknown-piece"),
        ("{moving: order(red_1)}", "{movin: order(red_1)}", "unknown-decision"),
        ("{moving: order(red_1)}", "{moving: ordr(red_1)}", "unknown-option"),
        ("dice: {begins: [1]}", "dice: {begin: [1]}", "unknown-roll"),
        ("seat: red_player\nbegin", "seat: red\nbegin", "unknown-seat"),
        ("scenario: dawn", "scenario: noon", "unknown-scenario"),
        ("show: [{place: map}]", "", ""),
        ('look: {place: "0101"}', 'look: {place: "0101"}\n  order: {moving: done}', "not-allowed-here"),
        ('look: {place: "0101"}', 'look: {place: "0101"}\n  dice: {begins: [1]}', "not-allowed-here"),
        ('look: {place: "0101"}', 'look: {place: "0101"}\n  meanwhile: [{moving: done}]', "not-allowed-here"),
        ("minutes: 1", "minute: 1", "unknown-key"),
    ],
)
def test_check_reports_lesson_errors(meadow: Path, old: str, new: str, expected: str) -> None:
    path = meadow / "learn" / "tutorial.yaml"
    if not expected:
        assert findings(meadow) == []
        return
    spoil(path, old, new)
    assert expected in {code for code, _message in findings(meadow)}


def test_check_warns_of_texts_that_complete_translation_lacks(meadow: Path) -> None:
    spoil(meadow / "locale" / "ja.yaml", "language: ja", "language: ja\ncomplete: true")
    before = [code for code, _message in findings(meadow)]
    spoil(meadow / "learn" / "tutorial.yaml", "text: {en: That is all., ja: 以上です。}", "text: That is all.")
    after = [code for code, _message in findings(meadow)]
    assert after.count("missing-translation") == before.count("missing-translation") + 1


def test_check_reports_misplaced_and_repeated_documents(meadow: Path) -> None:
    learn = meadow / "learn"
    shutil.copy(learn / "tutorial.yaml", meadow / "tutorial.yaml")
    shutil.copy(meadow / "tables.yaml", learn / "tables.yaml")
    assert [code for code, _message in findings(meadow)] == ["misplaced-document"] * 2
    for misplaced in (meadow / "tutorial.yaml", learn / "tables.yaml"):
        misplaced.unlink()
    shutil.copy(learn / "tutorial.yaml", learn / "second.yaml")
    shutil.copy(learn / "glossary.yaml", learn / "terms.yaml")
    assert [code for code, _message in findings(meadow)] == ["defined-twice"] * 3
    assert check(SAMPLE) == ()


def test_playthrough_names_order_that_is_not_legal(meadow: Path) -> None:
    spoil(meadow / "learn" / "tutorial.yaml", "order(red_1)", "order(blue_1)")
    assert_recorded(fault(meadow), FOLDER=meadow.parent)


def test_playthrough_plays_every_accepted_order(meadow: Path) -> None:
    path = meadow / "learn" / "tutorial.yaml"
    text = path.read_text(encoding="utf-8")
    more = "- title: {en: Where, ja: どこへ}\n  text: {en: March., ja: 行軍。}\n  order: {march: {here: '0102'}}\n"
    text = text.replace("order: {moving: order(red_1)}", "order: [{moving: order(red_1)}, {moving: done}]")
    path.write_text(text.replace("- title: {en: Done", more + "- title: {en: Done"), encoding="utf-8")
    assert "after `done` the next order" in fault(meadow)


def test_playthrough_reports_unused_dice(meadow: Path) -> None:
    spoil(
        meadow / "learn" / "tutorial.yaml",
        "order: {moving: order(red_1)}",
        "order: {moving: order(red_1)}\n  dice: {combat: [3]}",
    )
    assert_recorded(fault(meadow), FOLDER=meadow.parent)


def test_command_test_fails_with_place_of_fault(meadow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(meadow)]) == 0
    assert "the lesson `The first march` holds: 3 steps" in capsys.readouterr().out
    spoil(meadow / "learn" / "tutorial.yaml", "order(red_1)", "order(blue_1)")
    assert main(["test", str(meadow)]) == 1
    assert "learn/tutorial.yaml:" in capsys.readouterr().out
