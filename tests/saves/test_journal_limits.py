"""A journal never grows past what is read, whatever fills it: choices, taking back, remarks, long lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.api.autosave import Autosave, NoRoomError
from interpreter.api.resume import build_replay, load_journal_rules
from interpreter.play.game import Game
from interpreter.saves import journal as journals
from interpreter.saves.entries import JournalHeader, NoteEntry
from interpreter.saves.identity import Identity
from interpreter.saves.journal import FULL_BYTES, MAX_BYTES, JournalError, JournalWriter, read_journal, write_journal
from interpreter.saves.recorder import Recorder

HEADER = JournalHeader("skirmish", Identity(1, "ab12", "cd34", {}), "standard", (), 7, "0.1.0", {})


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that a short game reaches them."""
    monkeypatch.setattr(journals, "MAX_BYTES", 12_000)
    monkeypatch.setattr(journals, "FULL_BYTES", 10_000)
    monkeypatch.setattr("interpreter.api.autosave.FULL_BYTES", 10_000)


def kept(path: Path, complaints: list[str] | None = None) -> tuple[Game, Autosave]:
    game = load("napoleon").start(seed=4)
    keeper = Autosave(path, {}, [].append if complaints is None else complaints.append)
    keeper.begin(game)
    return game, keeper


def choose(game: Game, keeper: Autosave) -> None:
    game.pick(0)
    keeper.save_progress(game)


def test_limit_of_writer_leaves_room_below_that_of_reader() -> None:
    assert FULL_BYTES < MAX_BYTES <= FULL_BYTES * 1.1


@pytest.mark.usefixtures("small")
def test_writer_stops_at_read_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.journal"
    with JournalWriter(path) as writer:
        writer.start(HEADER)
        with pytest.raises(JournalError) as full:
            while True:
                writer.write(NoteEntry("😀" * 20))
    assert full.value.fault == "full"
    assert path.stat().st_size <= 12_000 < path.stat().st_size + 20 * 12 + 100
    assert len(read_journal(path).entries) > 10


@pytest.mark.usefixtures("small")
def test_whole_journal_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "long.journal"
    write_journal(path, HEADER, [NoteEntry("first")])
    before = path.read_bytes()
    with pytest.raises(JournalError, match="is full"):
        write_journal(path, HEADER, [NoteEntry("x" * 100)] * 120)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("small")
def test_full_journal_can_be_viewed_and_read(tmp_path: Path) -> None:
    complaints: list[str] = []
    game, keeper = kept(tmp_path / "long.journal", complaints)
    while not keeper.read_only_reason:
        choose(game, keeper)
    assert len(complaints) == 1 and keeper.read_only_reason in complaints[0]
    assert keeper.is_full and keeper.is_saved and not keeper.is_lost
    keeper.close()
    size = (tmp_path / "long.journal").stat().st_size
    journal = read_journal(tmp_path / "long.journal")
    replay = build_replay(
        journal, load_journal_rules(journal.header, tmp_path / "long.journal"), tmp_path / "long.journal"
    )
    assert replay.finish_without_divergence(tmp_path / "long.journal").hash() == game.hash()
    again = Autosave(tmp_path / "long.journal", {}, complaints.append)
    again.begin(replay.game, journal)
    assert again.is_full and again.read_only_reason and len(complaints) == 2
    again.save_progress(replay.game)
    again.close()
    assert (tmp_path / "long.journal").stat().st_size == size


@pytest.mark.usefixtures("small")
def test_copy_of_full_journal_skips_undone_entries(tmp_path: Path) -> None:
    game, keeper = kept(tmp_path / "long.journal")
    while not keeper.read_only_reason:
        choose(game, keeper)
        game.undo()
        keeper.save_progress(game)
    keeper.copy(game, str(tmp_path / "copy.journal"))
    assert (tmp_path / "copy.journal").stat().st_size < 6_000


def test_bytes_taken_back_are_counted_as_they_are_written_and_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    game, keeper = kept(path)
    for _ in range(3):
        choose(game, keeper)
    before = path.stat().st_size
    choose(game, keeper)
    keeper.save_note("a remark in between")
    noted = path.stat().st_size
    game.undo()
    keeper.save_progress(game)
    remark = len(path.read_bytes().splitlines(keepends=True)[-2])
    recorder = keeper.recorder
    assert recorder is not None
    assert recorder.undone.bytes == noted - before - remark + path.stat().st_size - noted
    game.redo()
    keeper.save_progress(game)
    for _ in range(3):
        game.undo()
    keeper.save_progress(game)
    counted = recorder.undone.bytes
    keeper.close()
    journal = read_journal(path)
    again = Recorder(game, JournalWriter.reopen(path, journal), journal)
    assert again.undone.bytes == counted > 0
    again.close()


def test_taking_back_is_refused_before_it_fills_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.api.autosave.MAX_UNDONE_BYTES", 2_000)
    game, keeper = kept(tmp_path / "a.journal")
    choose(game, keeper)
    begun = (tmp_path / "a.journal").stat().st_size
    with pytest.raises(NoRoomError, match="undone choices"):
        for _ in range(100):
            keeper.require_room_to_take_back()
            game.undo()
            keeper.save_progress(game)
            game.redo()
            keeper.save_progress(game)
    assert not keeper.read_only_reason and (tmp_path / "a.journal").stat().st_size < begun + 2_500
    choose(game, keeper)
    assert keeper.is_saved
    keeper.close()


def test_notes_over_limit_are_rejected_and_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.api.autosave.MAX_NOTE_BYTES", 1_000)
    path = tmp_path / "a.journal"
    game, keeper = kept(path)
    for _ in range(3):
        keeper.save_note("😀" * 20)
    with pytest.raises(NoRoomError, match="notes"):
        keeper.save_note("😀" * 20)
    with pytest.raises(NoRoomError, match="saved game would have"):
        keeper.save_note("x" * 300_000)
    choose(game, keeper)
    keeper.close()
    journal = read_journal(path)
    assert len(keeper.notes) == 3 == sum(isinstance(entry, NoteEntry) for entry in journal.entries)
    again = Autosave(path, {}, [].append)
    again.begin(game, journal)
    with pytest.raises(NoRoomError):
        again.save_note("😀" * 20)
    again.close()
