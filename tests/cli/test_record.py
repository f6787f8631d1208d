"""A saved game as a case: what `record` gives holds, and does not hold with other dice."""

from __future__ import annotations

from pathlib import Path

from tests.tiny import write

from .conftest import Run

RULES = """\
turn:
    phase only_phase:
        for a in armies:
            storm(a)
        end game drawn

procedure storm(a: army) [1.1]:
    choose where_to by a "whither":
        option to_top(p in {x in places where x.height > 0}) [1.2]:
            roll luck: die -> face
            set p.held = face > 0
            raise a.score by face
"""


def test_recorded_choice_is_passing_case(run: Run, tmp_path: Path) -> None:
    folder = write(tmp_path, RULES)
    saved, out = tmp_path / "g.jsonl", folder / "tests" / "r.yaml"
    assert run("play", folder, "--seed", "3", "--save", saved, fed="2\nquit\n").code == 0
    done = run("record", saved, "--id", "R1", "--title", "the reds storm", "--out", out)
    assert (done.code, done.out) == (0, f"the case `R1` passes; written to {out.as_posix()}\n")
    text = out.read_text(encoding="utf-8")
    assert 'where_to: "to_top(c)"' in text and "places: {c: {held: true}}" in text and "side: blues" in text
    assert run("test", folder).out == "1 of 1 case passed\n"
    face = text.partition("luck: [")[2][0]
    out.write_text(text.replace(f"luck: [{face}]", f"luck: [{int(face) % 6 + 1}]"), encoding="utf-8")
    assert run("test", folder).code == 1
    assert run("record", saved, "--out", out).code == 2


def test_record_outside_test_folder_names_folder(run: Run, tmp_path: Path) -> None:
    folder, saved = write(tmp_path, RULES), tmp_path / "g.jsonl"
    assert run("play", folder, "--seed", "3", "--save", saved, fed=f"2\nrecord {tmp_path / 'a'}\nquit\n").code == 0
    done = run("record", saved, "--out", tmp_path / "b.yaml")
    assert "NAME-tests/" in done.out


def test_game_without_choices_is_not_recorded(run: Run, tmp_path: Path) -> None:
    folder, saved = write(tmp_path, RULES), tmp_path / "g.jsonl"
    assert run("play", folder, "--seed", "3", "--save", saved, fed="quit\n").code == 0
    done = run("record", saved)
    assert done.code == 2 and "nothing has been chosen" in done.err


def test_record_command_shows_or_writes_last_choice(run: Run, tmp_path: Path) -> None:
    folder = write(tmp_path, RULES)
    path = folder / "tests" / "mine.yaml"
    path.parent.mkdir()
    typed = f"record\n2\nrecord\nrecord {path}\nrecord {path}\nrecord 1 2\nquit\n"
    done = run("play", folder, "--seed", "3", fed=typed)
    assert done.code == 0 and "Traceback" not in done.err
    before, shown = done.out.split("kind: cases", 1)
    assert "Nothing has been chosen" in before
    assert 'where_to: "to_top(c)"' in shown and "side: blues" in shown
    assert "The case `mine`" in shown and shown.count("choose another") == 2
    assert "places: {c: {held: true}}" in path.read_text(encoding="utf-8")
    assert run("test", folder).out == "1 of 1 case passed\n"
