"""A served game whose file is lost, full or was never there: the board goes on, and says where the game is kept."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.api.resume import open_replay
from interpreter.cli.main import main
from interpreter.saves import journal as journals
from interpreter.saves.journal import read_journal
from interpreter.saves.storage import list_notes
from tests.patience import PATIENCE
from tests.tiny import write

ROOT = Path(__file__).resolve().parents[2]
OTHERS: list[subprocess.Popen[bytes]] = []


def choose(table, times: int = 1) -> dict:
    for _ in range(times):
        key = table.scene()["decision"]["options"][0]["key"]
        answer = table.post("/api/choose", {"key": key})
        assert answer.status_code == 200, answer.text
    return answer.json()


def deleted(path) -> None:
    path.unlink()


def replaced(path) -> None:
    path.write_bytes(path.rename(path.with_suffix(".old")).read_bytes())


def lengthened(path) -> None:
    with path.open("ab") as file:
        file.write(b"more\n")


def cut(path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def taken_over(path) -> None:
    """Lock the file from another process that keeps running."""
    taking = "import sys; from pathlib import Path; from interpreter.saves.file_lock import acquire_lock; "
    other = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{taking}held = acquire_lock(Path(sys.argv[1]), True); print(held); sys.stdin.read()",
            str(path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    OTHERS.append(other)
    assert b"FileLock(" in other.stdout.readline()


@pytest.fixture(autouse=True)
def no_others():
    yield
    while OTHERS:
        OTHERS.pop().communicate(timeout=PATIENCE)


@pytest.mark.parametrize("how", [deleted, replaced, lengthened, cut, taken_over])
def test_game_continues_in_another_file_after_loss(serve, how):
    table = serve("napoleon", seed=4)
    choose(table, 3)
    path = table.served.autosave.path
    how(path)
    notices = choose(table)["notices"]
    rescued = path.with_name("napoleon-1-rescued-1.journal")
    assert table.served.autosave.path == rescued
    assert len(notices) == 1 and notices[0].count("napoleon-1.journal")
    assert notices[0].endswith(" napoleon-1-rescued-1.journal")
    assert str(path.parent) not in notices[0], "others at the table need not know where it lies"
    assert "napoleon-1-rescued-1.journal" in table.scene(lang="ja")["notices"][0]
    choose(table)
    assert table.post("/api/note", {"text": "after"}).status_code == 200
    assert table.scene()["name"] == "napoleon-1-rescued-1"
    replay = open_replay(rescued)  # on disk after every choice, not only at the end
    replay.finish()
    assert (replay.divergence, replay.game.keys) == (None, table.served.game.keys)
    assert len(list_notes(read_journal(rescued))) == 1


def test_note_that_finds_its_file_lost_moves_game_too(serve):
    table = serve("napoleon", seed=4)
    choose(table)
    table.served.autosave.path.unlink()
    assert table.post("/api/note", {"text": "kept?"}).status_code == 200
    assert list_notes(read_journal(table.served.autosave.path))[0].endswith("kept?")


@pytest.fixture
def full_disk(monkeypatch):
    """Call it with True for a disk on which nothing can be written, with False for room again."""
    state = {"full": False}
    written = os.fsync

    def fsync(number: int) -> None:
        if state["full"]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written(number)

    monkeypatch.setattr(journals.os, "fsync", fsync)
    return lambda is_full: state.update(full=is_full)


def test_full_disk_is_reported_and_game_saved_later(serve, full_disk):
    table = serve("napoleon", seed=4)
    choose(table, 2)
    full_disk(True)
    notices = choose(table)["notices"]
    assert len(notices) == 1
    assert notices[0].startswith("your moves are not being saved: ") and "no space left" in notices[0]
    choose(table, 4)
    full_disk(False)
    notices = choose(table, 4)["notices"]
    assert len(notices) == 1 and "no space left" in notices[0] and "the game continues in" in notices[0]
    assert open_replay(table.served.autosave.path).finish().keys == table.served.game.keys


def test_full_disk_is_tried_once_more_when_server_stops(serve, full_disk):
    table = serve("napoleon", seed=4)
    full_disk(True)
    choose(table, 3)
    full_disk(False)
    table.served.close()
    assert table.served.is_saved
    assert open_replay(table.served.autosave.path).finish().keys == table.served.game.keys


def test_board_without_folder_says_at_once_that_nothing_is_saved(serve, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    table = serve("napoleon", seed=4)
    (notice,) = table.scene()["notices"]
    assert "not being saved" in notice and "folder" in notice
    choose(table, 2)
    assert not table.served.is_saved


def test_board_that_cannot_write_its_folder_says_at_once_that_nothing_is_saved(serve, full_disk):
    full_disk(True)
    table = serve("napoleon", seed=4)
    (notice,) = table.scene("onlooker")["notices"]
    assert notice.startswith("your moves are not being saved: ")
    choose(table, 2)


@pytest.fixture
def small(monkeypatch):
    """Lower the limits, so that a short game reaches them."""
    monkeypatch.setattr(journals, "FULL_BYTES", 8_000)
    monkeypatch.setattr("interpreter.api.autosave.FULL_BYTES", 8_000)


def test_game_whose_journal_is_full_is_shown_and_changed_no_more(serve, small, capsys):
    table = serve("napoleon", seed=4)
    while not table.served.autosave.read_only_reason:
        choose(table)
    scene = table.scene()
    (notice,) = scene["notices"]
    assert "only viewing" in notice and "is full" in notice
    assert not scene["may_choose"] and scene["waiting"] == "" and scene["undo"] is None
    for path, body in (("choose", {"key": "pass"}), ("undo", {}), ("redo", {}), ("note", {"text": "x"})):
        answer = table.post(f"/api/{path}", body)
        assert (answer.status_code, answer.json()["error"]) == (409, "only-looking")
    assert table.get("/api/ask/report").status_code == 200
    path = table.served.autosave.path
    assert open_replay(path).finish().keys == table.served.game.keys
    assert capsys.readouterr().err == ""


def test_each_seat_has_share_of_room_for_notes(serve, monkeypatch):
    monkeypatch.setattr("interpreter.ui.web.note_book._MAX_NOTES", 3)
    monkeypatch.setattr("interpreter.ui.web.note_book._MAX_NOTE_BYTES", 3_000)
    table = serve("napoleon", seed=4)

    def note(who: str, text: str) -> int:
        return table.post("/api/note", {"text": text}, who).status_code

    assert [note("allies", "short") for _ in range(4)] == [200, 200, 200, 409]
    assert [note("france", "😀" * 200) for _ in range(2)] == [200, 409], "bytes count, not letters"
    answer = table.post("/api/note", {"text": "more"}, "allies")
    assert answer.json()["error"] == "no-room" and "notes" in answer.json()["message"]
    assert note("host", "still") == 200
    choose(table)
    assert table.served.is_saved and table.scene()["notices"] == []


def test_endless_undo_is_refused_before_journal_is_full(serve, monkeypatch):
    monkeypatch.setattr("interpreter.api.autosave.MAX_UNDONE_BYTES", 1_000)
    table = serve("napoleon", seed=4)
    choose(table)
    answers = [table.post("/api/" + path, {"anyway": True}) for _ in range(20) for path in ("undo", "redo")]
    refused = [answer for answer in answers if answer.json().get("error") == "no-room"]
    assert refused and "undone choices" in refused[0].json()["message"]
    assert table.scene()["decision"]["options"]
    choose(table)
    assert table.served.is_saved


def test_prompt_reports_full_journal_and_shows_game(tmp_path, monkeypatch, capsys, small):
    rules = "turn:\n    phase only:\n        ask(reds) -> n\n        ask(blues) -> m\n"
    folder = write(tmp_path, rules)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lines = iter([*["1"] * 60, "undo", "note more", "position", "quit"])
    monkeypatch.setattr("interpreter.ui.repl.terminal.Terminal.read", lambda *_: next(lines))
    assert main(["play", str(folder), "--seed", "1", "--plain"]) == 0
    said = capsys.readouterr()
    assert said.err.count("is full") == 1 and "only viewing" in said.err
    assert ": save FILE" in said.out
    assert "reds" in said.out.rpartition("save FILE")[2], "questions are answered"
    (path,) = tmp_path.rglob("*.journal")
    assert 8_000 < path.stat().st_size < 9_000
    assert main(["verify", str(path), "--ruleset", str(folder)]) == 0


def test_prompt_refuses_note_without_space(tmp_path, monkeypatch, capsys):
    rules = "turn:\n    phase only:\n        ask(reds) -> n\n        ask(blues) -> m\n"
    folder = write(tmp_path, rules)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lines = iter([f"note {'x' * 300_000}", "note short", "1", "quit"])
    monkeypatch.setattr("interpreter.ui.repl.terminal.Terminal.read", lambda *_: next(lines))
    assert main(["play", str(folder), "--seed", "1", "--plain"]) == 0
    assert "the limit" in capsys.readouterr().out
    (path,) = tmp_path.rglob("*.journal")
    assert len(list_notes(read_journal(path))) == 1
    assert "say(0)" in path.read_text(encoding="ascii"), "the game was kept on"
