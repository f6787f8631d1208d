"""`replay` and `verify`: whole, torn, altered and foreign journals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recordings import assert_recorded

from .conftest import Run


@pytest.fixture
def journal(run: Run, tiny: Path, tmp_path: Path) -> Path:
    """Return the journal of a whole game."""
    path = tmp_path / "whole.journal"
    run("play", tiny, "--side", "reds=random", "--side", "blues=random", "--seed", "3", "--save", path)
    return path


def test_verify_of_good_journal_counts_entries(run: Run, journal: Path) -> None:
    done = run("verify", journal)
    assert done.code == 0
    assert "replays exactly" in done.out
    data = run("verify", journal, "--format", "json").json()
    assert data["ok"] and data["over"] and data["divergence"] is None
    assert data["decisions"] > 5 and data["rolls"] > 0 and data["hashes"] > 5


def test_replay_shows_game(run: Run, journal: Path) -> None:
    done = run("replay", journal)
    assert done.code == 0
    assert "=== Turn 1" in done.out
    assert "=== Won by" in done.out


def test_replay_to_decision_stops_there(run: Run, journal: Path) -> None:
    start, third = (run("replay", journal, "--to", n, "--format", "json").json() for n in ("0", "3"))
    assert (start["decisions"], third["decisions"]) == (0, 3)
    assert sum(e["sort"] == "decision" for e in third["events"]) == 3
    assert third["turn"] == 2
    assert "Turn 2, Acting" in run("replay", journal, "--to", "3").out


def test_replay_past_end_warns(run: Run, journal: Path) -> None:
    done = run("replay", journal, "--to", "99999")
    assert done.code == 0
    assert_recorded(done.err, FILE=journal)


def test_undone_choice_is_omitted(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="storm\nundo anyway\nrest\n")
    assert run("verify", path).code == 0
    events = run("replay", path, "--format", "json").json()["events"]
    assert [e["args"]["key"] for e in events if e["sort"] == "decision"] == ["rest"]


def test_verify_reports_torn_last_line(run: Run, journal: Path) -> None:
    content = journal.read_bytes()
    journal.write_bytes(content[: len(content) // 2])
    done = run("verify", journal, "--format", "json")
    assert done.code == 0
    assert done.json()["torn"]


def test_altered_line_is_refused(run: Run, journal: Path) -> None:
    journal.write_bytes(journal.read_bytes().replace(b'"key":"rest"', b'"key":"rezt"', 1))
    for command in ("verify", "replay"):
        done = run(command, journal)
        assert (done.code, done.out) == (1, "")
        assert "was altered" in done.err


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00\x01\x02", b'{"grognard":99}\n', b'{"grognard":1', b"[]\n"])
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_invalid_journal_is_rejected(run: Run, tmp_path: Path, content: bytes, command: str) -> None:
    path = tmp_path / "x.journal"
    path.write_bytes(content)
    done = run(command, path)
    assert (done.code, done.out) == (1, "")
    assert str(path) in done.err


def test_missing_journal_is_refused(run: Run) -> None:
    assert run("verify", "none.journal").code == 2
    assert run("replay", "none.journal").code == 2


def test_folder_as_journal_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("verify", tmp_path).code == 1


def test_change_of_rules_is_found(run: Run, tiny: Path, journal: Path) -> None:
    tables = tiny / "tables.yaml"
    tables.write_text(tables.read_text(encoding="utf-8").replace("loss: 1", "loss: 2"), encoding="utf-8")
    done = run("verify", journal, "--anyway")
    assert done.code == 1
    assert "differs after" in done.out
    assert "Changed: the value `loss`" in done.out
    assert "grognard replay" in done.out
    data = run("verify", journal, "--anyway", "--format", "json").json()
    assert not data["ok"] and data["divergence"]["decision"] >= 1
    assert "the replay differs" in run("replay", journal, "--anyway").err


def test_journal_of_deleted_ruleset_is_reported(run: Run, tiny: Path, journal: Path) -> None:
    moved = tiny.with_name("elsewhere")
    tiny.rename(moved)
    assert run("verify", journal).code == 2
    assert run("verify", journal, "--ruleset", moved).code == 0
