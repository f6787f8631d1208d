"""One program writes a saved game: the second one looks; a file changed under a player's feet is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.api.autosave import Autosave
from interpreter.api.game import load
from interpreter.saves.file_lock import FileLock, acquire_lock, get_marker_path
from interpreter.saves.journal import read_journal
from tests.patience import PATIENCE
from tests.recordings import assert_recorded, lines_with

from .conftest import Run


@pytest.fixture
def saved_game(run: Run, tiny: Path, tmp_path: Path) -> Path:
    """Return a game that can be resumed."""
    path = tmp_path / "evening.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="rest\n")
    return path


@pytest.fixture
def playing(saved_game: Path) -> FileLock:
    """Another program that plays it."""
    found = acquire_lock(saved_game)
    assert isinstance(found, FileLock)
    yield found
    found.release()


def test_game_open_in_another_program_is_read_only(run: Run, saved_game: Path, playing: FileLock) -> None:
    before = saved_game.read_bytes()
    done = run("play", "--resume", saved_game, fed="look middle\nrest\n1\nundo\nnote x\nsave\nposition\n")
    assert done.code == 0
    assert "already open: by" in done.out
    assert f"(process {os.getpid()}), since 20" in done.out
    assert_recorded(lines_with(done.out, "viewing").partition("already open")[0].rstrip())
    assert len(lines_with(done.out, "viewing").splitlines()) == 5
    assert "--take-over" in done.out and "The Middle" in done.out
    assert "no changes were made" in done.out
    assert saved_game.read_bytes() == before
    assert playing.is_ours


def test_viewer_of_locked_game_can_save_copy(run: Run, saved_game: Path, playing: FileLock, tmp_path: Path) -> None:
    assert "give another name" in run("play", "--resume", saved_game, fed=f"save {saved_game}\n").out
    copy = tmp_path / "copy.journal"
    assert_recorded(
        lines_with(run("play", "--resume", saved_game, fed=f"save {copy}\n").out, copy.name), FOLDER=tmp_path
    )
    assert "only viewing" not in run("play", "--resume", copy, fed="rest\n").out
    assert len(read_journal(copy).entries) > len(read_journal(saved_game).entries)


def test_take_over_option_moves_lock_to_new_program(run: Run, saved_game: Path, playing: FileLock) -> None:
    before = read_journal(saved_game).entries
    # in this process the mark is made by the same program: another machine's name makes it a stranger's
    done = run("play", "--resume", saved_game, "--take-over", fed="rest\n")
    assert "only viewing" not in done.out
    assert len(read_journal(saved_game).entries) > len(before)
    assert not playing.is_ours


def test_writer_notices_takeover_before_writing(tiny: Path, tmp_path: Path) -> None:
    game = load(str(tiny)).start(seed=1)
    told: list[str] = []
    keeper = Autosave(tmp_path / "a.journal", {}, told.append)
    keeper.begin(game)
    (tmp_path / "mark").write_text("1\nelsewhere\n")
    (tmp_path / "mark").replace(get_marker_path(tmp_path / "a.journal"))
    before = (tmp_path / "a.journal").read_bytes()
    game.choose("rest")
    keeper.save_progress(game)
    assert "already open: by" in told[0] and "on the computer elsewhere (process 1)" in told[0]
    assert "save FILE" in told[0]
    assert (tmp_path / "a.journal").read_bytes() == before
    get_marker_path(tmp_path / "a.journal").unlink()


def test_killed_program_leaves_no_lock(run: Run, saved_game: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from interpreter.saves.file_lock import acquire_lock\n"
        "h = acquire_lock(Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, str(saved_game)], check=False, timeout=PATIENCE)
    assert get_marker_path(saved_game).exists()
    assert "only viewing" not in run("play", "--resume", saved_game, fed="rest\n").out
    assert not get_marker_path(saved_game).exists()


@pytest.mark.parametrize("mark", [b"", b"\xff\xfe", b"x" * 5000, b"1\n\x1b[2Jhost\n", b"99999999999999\nzzz\n"])
def test_corrupt_lock_is_reported_and_can_be_taken_over(run: Run, saved_game: Path, mark: bytes) -> None:
    get_marker_path(saved_game).write_bytes(mark)
    done = run("play", "--resume", saved_game, fed="")
    assert "already open: by" in done.out
    assert "\x1b" not in done.out
    assert "only viewing" not in run("play", "--resume", saved_game, "--take-over", fed="").out


def _lengthened(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x\n")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def _replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def _altered(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[60] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, (1, 1))


@pytest.mark.parametrize(
    "change",
    [Path.unlink, _lengthened, _cut, _replaced, _altered],
    ids="deleted longer cut other altered".split(),
)
def test_file_changed_by_another_program_stops_autosave(tiny: Path, tmp_path: Path, change) -> None:
    path = tmp_path / "a.journal"
    game = load(str(tiny)).start(seed=1)
    told: list[str] = []
    keeper = Autosave(path, {}, told.append)
    keeper.begin(game)
    change(path)
    before = path.read_bytes() if path.exists() else None
    for _ in range(2):
        game.choose("rest")
        keeper.save_progress(game)
    assert len(told) == 1
    assert_recorded(told, FOLDER=tmp_path)
    assert (path.read_bytes() if path.exists() else None) == before
    assert not keeper.is_saved and "saved in" not in keeper.describe_location()
    rescued = keeper.rescue(game)
    assert rescued is not None and sum("rest" in str(e) for e in read_journal(rescued).entries) == 2
    keeper.copy(game, str(tmp_path / "b.journal"))
    game.choose("rest")
    keeper.save_progress(game)
    keeper.close()
    assert keeper.is_saved and sum("rest" in str(e) for e in read_journal(tmp_path / "b.journal").entries) == 3


def test_changed_date_alone_is_ignored(tiny: Path, tmp_path: Path) -> None:
    game = load(str(tiny)).start(seed=1)
    keeper = Autosave(tmp_path / "a.journal", {}, pytest.fail)
    keeper.begin(game)
    os.utime(tmp_path / "a.journal", (1, 1))
    game.choose("rest")
    keeper.save_progress(game)
    keeper.close()


def test_unsaved_game_is_rescued_on_exit(run: Run, tiny: Path, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.journal"
    choose = Autosave.save_progress

    def spoiled(self: Autosave, game) -> None:
        path.unlink(missing_ok=True)
        choose(self, game)

    monkeypatch.setattr(Autosave, "save_progress", spoiled)
    done = run("play", tiny, "--seed", "1", "--save", path, fed="rest\nrest\n")
    assert_recorded(lines_with(done.err, "-rescued-1"), FOLDER=tmp_path)
    assert (tmp_path / "a-rescued-1.journal").exists()


def test_game_that_is_only_opened_keeps_its_date(run: Run, saved_game: Path) -> None:
    os.utime(saved_game, (1_000_000_000, 1_000_000_000))
    for command in (("play", "--resume"), ("replay",), ("verify",), ("report",)):
        assert run(*command, saved_game).code == 0
    assert saved_game.stat().st_mtime == 1_000_000_000
