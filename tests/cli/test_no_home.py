"""A user without a home folder and without an entry among the system's users: every command works, nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from interpreter.files import disk_cache
from interpreter.files.ruleset_locations import find_user_file, find_user_folder
from tests.cli.conftest import Run


def no_home(*_args: object, **_named: object) -> str:
    raise RuntimeError("could not determine the home directory")


def unexpanded(*_args: object, **_named: object) -> str:
    return "~/.local/share/grognard"


@pytest.fixture(params=[no_home, unexpanded])
def without_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Remove the home folder, as versions of platformdirs report it: an error, or `~` left in a relative path."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "GROGNARD_CACHE", disk_cache.OFF):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(platformdirs, "user_data_dir", request.param)
    monkeypatch.setattr(platformdirs, "user_cache_dir", request.param)
    yield tmp_path
    assert not (tmp_path / "~").exists()


def test_user_without_home_has_no_own_folders(without_home: Path) -> None:
    assert find_user_folder("data") is None and find_user_folder("cache") is None and find_user_file("games") is None
    disk_cache.store("sort", "key", b"body")
    assert disk_cache.find("sort", "key") is None


@pytest.mark.parametrize(
    "command",
    [
        ["check", "tiny"],
        ["test", "tiny"],
        ["list"],
        ["list", "games"],
        ["show", "tiny", "map"],
        ["simulate", "tiny", "-n", "2", "--max-decisions", "5"],
        ["ask", "tiny", "1 + 1"],
        ["docs", "tiny", "--out", "pages"],
    ],
)
def test_command_works_without_home(without_home: Path, run: Run, tiny: Path, command: list[str]) -> None:
    done = run(*command)
    assert done.code in (0, 1) and "a bug in grognard:" not in done.err


def test_play_without_home_warns_about_saving(without_home: Path, run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="rest\n")
    assert done.code == 0 and "save FILE" in done.out + done.err
    assert "cannot create a folder" in done.err, "it is told at once"


def test_save_in_unknown_home_is_refused(without_home: Path, run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--seed", "1", fed="save ~no_such_user/game\nrest\n")
    assert done.code == 0
    assert "Not saved: ~no_such_user/game" in done.out
