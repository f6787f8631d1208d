"""Folders from strangers: what is no plain file is told quickly, by whatever reads a folder, cached or not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter
from interpreter.api import loading
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.documents.reading import folder as folder_module
from interpreter.files import disk_cache
from tests.tiny import write


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.delenv(disk_cache.OFF, raising=False)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a copy of a small ruleset, loaded once: its program is in the cache."""
    folder = Path(write(tmp_path, "turn:\n    phase only_phase:\n        ask(reds) -> n\n        report note(n)\n"))
    interpreter.load(folder)
    return folder


def _pipe(game: Path) -> None:
    os.mkfifo(game / "zzz.yaml")


def _device(game: Path) -> None:
    (game / "zzz.yaml").symlink_to("/dev/zero")


def _sparse(game: Path) -> None:
    with (game / "zzz.rules").open("wb") as file:
        file.truncate(6 * 1024**3)


def _undecodable(game: Path) -> None:
    (Path(os.fsdecode(os.fsencode(game) + b"/\xff\xfe.yaml"))).write_text("kind: map\n")


def _steering(game: Path) -> None:
    (game / "a\x1b[2J\n.yaml").write_text("kind: map\n")


def _undecodable_folder(game: Path) -> None:
    (Path(os.fsdecode(os.fsencode(game) + b"/\xff\xfe"))).mkdir()


def _link_out(game: Path) -> None:
    (game.parent / "secret.yaml").write_text("kind: map\nformat: 1\n")
    (game / "zzz.yaml").symlink_to(game.parent / "secret.yaml")


def _folder_out(game: Path) -> None:
    (game / "zzz").symlink_to(game.parent)


def _pipe_in_locale(game: Path) -> None:
    (game / "locale").mkdir()
    os.mkfifo(game / "locale" / "ja.yaml")


STRANGE = [
    (_pipe, "not a regular file"),
    (_device, "outside"),
    (_sparse, "6442450944 bytes"),
    (_undecodable, "UTF-8"),
    (_steering, "UTF-8"),
    (_undecodable_folder, "UTF-8"),
    (_link_out, "outside"),
    (_folder_out, "link to another"),
    (_pipe_in_locale, "not a regular file"),
]


@pytest.mark.parametrize(("change", "words"), STRANGE)
def test_special_file_is_rejected_by_every_reader(
    game: Path, change: Callable[[Path], None], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(game)
    assert any(words in d.message for d in interpreter.check(game))
    with pytest.raises(RulesetError) as caught:  # although the program is kept
        interpreter.load(game)
    assert words in caught.value.diagnostics[0].message
    for command in (["play"], ["simulate", "--games", "1"], ["test"], ["show"]):
        assert main([command[0], str(game), *command[1:]]) in (1, 2)
        err = capsys.readouterr().err
        assert "a bug in grognard:" not in err and "Traceback" not in err and "\x1b[2J" not in err


@pytest.mark.parametrize("where", [".hidden", "tests", "variants"])
def test_unread_special_file_does_not_block_loading(game: Path, where: str) -> None:
    (game / where).mkdir(exist_ok=True)
    before = interpreter.load(game).documents().content_hash
    os.mkfifo(game / where / "zzz.yaml")
    assert interpreter.load(game).documents().content_hash == before


def test_all_files_together_have_limit(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MAX_WHOLE", 100)
    assert any("100 bytes" in d.message for d in interpreter.check(game))


def test_file_that_is_saved_during_load_leaves_no_stale_program(game: Path, monkeypatch) -> None:
    rules = next(game.rglob("*.rules"))
    good = rules.read_text()
    rules.write_text(good + "\n# a comment\n")
    read = loading.read_model

    def meanwhile(target: str, sink: Sink, **options: bool) -> object:
        rules.write_text(good + "\n# another comment\nevent never_so()\n")
        found = read(target, sink, **options)
        rules.write_text(good + "\n# a comment\n")
        return found

    monkeypatch.setattr(loading, "read_model", meanwhile)
    saved = interpreter.load(game).program.content_hash
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(game.parent / "xdg_cache_home"))
    assert interpreter.load(game).program.content_hash != saved


# --- the cache ----------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    disk_cache.store("sort", "key", b"body")
    assert disk_cache.find("sort", "key") == b"body"
    return tmp_path / "cache" / "sort"


def test_cached_file_is_readable_by_its_owner_alone(cache: Path) -> None:
    assert (cache / "key").stat().st_mode & 0o777 == 0o600


def test_cache_keeps_no_value_that_it_would_not_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_MAX_FILE_BYTES", 60)
    disk_cache.store("sort", "large", b"x" * 60)
    assert not (cache / "large").exists()


def test_folder_that_others_may_write_to_is_not_trusted(cache: Path) -> None:
    cache.chmod(0o777)
    assert disk_cache.find("sort", "key") is None
    disk_cache.store("sort", "other", b"body")
    assert not (cache / "other").exists()


def test_folder_of_another_user_is_not_trusted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_get_user_id", lambda: os.geteuid() + 1)
    assert disk_cache.find("sort", "key") is None


def test_folder_that_is_link_is_not_trusted(cache: Path) -> None:
    cache.rename(cache.with_name("elsewhere"))
    cache.symlink_to(cache.with_name("elsewhere"))
    assert disk_cache.find("sort", "key") is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_cache_below_folder_writable_by_others_is_not_trusted(cache: Path, mode: int) -> None:
    cache.parent.chmod(mode)
    assert disk_cache.find("sort", "key") is None
    disk_cache.store("sort", "other", b"body")
    assert not (cache / "other").exists()


def test_cache_below_sticky_folder_is_trusted(cache: Path) -> None:
    cache.parent.chmod(0o1777)
    assert disk_cache.find("sort", "key") == b"body"


def test_cache_behind_link_in_writable_folder_is_not_trusted(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_folder = tmp_path / "open"
    open_folder.mkdir()
    (open_folder / "grognard").symlink_to(cache.parent)
    monkeypatch.setenv("GROGNARD_CACHE", str(open_folder / "grognard"))
    assert disk_cache.find("sort", "key") == b"body"
    open_folder.chmod(0o777)
    assert disk_cache.find("sort", "key") is None


def test_cache_behind_link_into_writable_folder_is_not_trusted(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = tmp_path / "open" / "cache"
    moved.parent.mkdir()
    cache.parent.rename(moved)
    cache.parent.symlink_to(Path("open") / ".." / "open" / "cache")
    assert disk_cache.find("sort", "key") == b"body"
    moved.parent.chmod(0o777)
    assert disk_cache.find("sort", "key") is None


def test_link_of_another_user_is_not_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    monkeypatch.setattr(disk_cache, "_ADMINISTRATOR", -1)
    assert disk_cache._is_safe(str(link), os.geteuid())
    assert not disk_cache._is_safe(str(link), os.geteuid() + 1)


def test_cache_behind_circle_of_links_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "one"))
    disk_cache.store("sort", "key", b"body")
    assert disk_cache.find("sort", "key") is None


def test_cache_folders_are_made_for_their_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        disk_cache.store("sort", "key", b"body")
    finally:
        os.umask(before)
    assert disk_cache.find("sort", "key") == b"body"


def test_pipe_in_cache_does_not_hang(cache: Path) -> None:
    (cache / "key").unlink()
    os.mkfifo(cache / "key")
    assert disk_cache.find("sort", "key") is None
    (cache / "key").unlink()
    (cache / "key").symlink_to("/dev/zero")
    assert disk_cache.find("sort", "key") is None


@pytest.mark.parametrize("place", ["sort/other", "another/key"])
def test_cached_file_in_another_place_is_not_read(cache: Path, place: str) -> None:
    """Else a copied or renamed file would be run as the program of another ruleset."""
    path = cache.parent / place
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes((cache / "key").read_bytes())
    namespace, key = place.split("/")
    assert disk_cache.find("sort", "key") == b"body"
    assert disk_cache.find(namespace, key) is None


def test_derived_key_stays_in_its_family_and_folder() -> None:
    for part in ("../../up", "a-b", "\ud800", "x" * 1_000):
        own, shipped = disk_cache.derive_key("0af", part, ()), disk_cache.derive_key("shipped-0af", part, ())
        assert own.isalnum() and shipped.startswith("shipped-") and shipped.removeprefix("shipped-").isalnum()
    assert len({disk_cache.derive_key("0af", *parts) for parts in ((), ("a",), ("a", "b"), ("ab",))}) == 4


def test_parts_of_killed_programs_are_cleared_away(cache: Path) -> None:
    old, new = cache / ".a.1.part", cache / ".b.2.part"
    old.write_bytes(b"")
    new.write_bytes(b"")
    os.utime(old, (1, 1))
    disk_cache.store("sort", "more", b"body")
    assert not old.exists() and new.exists()


def test_key_depends_on_schemas(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.files.assets import find_asset_folder
    from interpreter.programs import program_cache as compiled

    compiled._get_own_digest.cache_clear()  # it is taken once by each program
    before = compiled.compute_key(str(game))
    shutil.copytree(find_asset_folder("schemas"), tmp_path / "schemas")
    monkeypatch.setattr(compiled, "find_asset_folder", lambda name: tmp_path / name)
    assert before == compiled.compute_key(str(game))
    compiled._get_own_digest.cache_clear()
    assert before != compiled.compute_key(str(game))
    compiled._get_own_digest.cache_clear()


def test_loading_trusted_folder_reports_nothing(game: Path) -> None:
    sink = Sink()
    assert read_documents(str(game), sink) is not None and not sink.items
