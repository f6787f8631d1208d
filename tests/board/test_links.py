"""Test links that last as long as their game: its identity, ports and secrets, and opening a link in the browser."""

from __future__ import annotations

import shutil
import signal
import socket
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.i18n.translator import get_translator
from interpreter.ui.web.access_tokens import Keyring, Requester
from interpreter.ui.web.game_factory import create_game, resume_game
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.network import redirect_file
from interpreter.ui.web.network.game_records import GameRecord, add_port, recall_game, save_game_record
from interpreter.ui.web.network.ports import bind_first_free, bind_socket
from interpreter.ui.web.seat_registry import SeatRegistry
from tests.board.server_process import serve_process
from tests.patience import PATIENCE, wait_until
from tests.processes import find_free_port

from .test_serving import ask

KEYS = Keyring(b"k" * 32)
SAY = get_translator("")


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def played(path: Path | None = None, seed: int = 1, choices: int = 0) -> tuple[Path, set[str]]:
    """Serve a new or saved game for a while; return its file and the secrets of its links."""
    served = create_game(load("napoleon"), SAY, {}, seed=seed) if path is None else resume_game(path, SAY)
    lobby = Lobby(SeatRegistry(KEYS))
    room = lobby.open_channel(served, is_new=path is None)
    for _ in range(choices):
        served.choose(served.get_viewer(Requester("host", "", "")), [served.game.decision.options[0].key], "", "")
    found = {link.secret for link in lobby.registry.list_links(room)}
    lobby.close()
    assert len(found) == 4
    return served.autosave.path, found


def test_links_of_game_stay_when_it_is_served_again():
    path, links = played(choices=2)
    assert played(path, choices=2)[1] == links
    assert played(path)[1] == links


def test_links_of_game_stay_after_kill():
    """Check that the links of a game survive a kill that leaves the record as it was on opening."""
    served = create_game(load("napoleon"), SAY, {}, seed=1)
    lobby = Lobby(SeatRegistry(KEYS))
    room = lobby.open_channel(served, is_new=True)
    served.choose(served.get_viewer(Requester("host", "", "")), [served.game.decision.options[0].key], "", "")
    links = {link.secret for link in lobby.registry.list_links(room)}
    served.close()
    assert played(served.autosave.path)[1] == links


def test_new_game_under_old_file_name_has_new_links():
    path, links = played(seed=1, choices=1)
    path.unlink()
    again, others = played(seed=1, choices=1)
    assert again == path and not links & others
    path.unlink()
    assert not played(seed=2)[1] & (links | others)


@pytest.mark.parametrize("seed", [1, 2])
def test_game_that_others_began_under_old_file_name_has_new_links(seed):
    """Check that links change where the journal under the old file name does not continue the served game."""
    path, links = played(seed=1, choices=1)
    path.unlink()
    again = create_game(load("napoleon"), SAY, {}, seed=seed)
    again.close()
    assert again.autosave.path == path
    assert not played(path)[1] & links


def test_copy_of_game_has_links_of_its_own(tmp_path):
    path, links = played(choices=1)
    copy = tmp_path / "copy.journal"
    shutil.copyfile(path, copy)
    assert not played(copy)[1] & links
    assert played(path)[1] == links


def test_links_of_game_stay_when_its_file_is_moved(tmp_path):
    path, links = played(choices=1)
    moved = path.rename(tmp_path / "elsewhere.journal")
    assert played(moved)[1] == links
    assert played(moved, choices=1)[1] == links


def test_list_of_games_has_another_link_at_each_start():
    assert Lobby(SeatRegistry(KEYS)).secret != Lobby(SeatRegistry(KEYS)).secret


def test_game_that_another_program_plays_keeps_its_record():
    path, links = played(choices=1)
    save_game_record(path, GameRecord(recall_game(path).identity, (20_001,)))
    first = resume_game(path, SAY)
    second = Lobby(SeatRegistry(KEYS), port=30_000)
    room = second.open_channel(resume_game(path, SAY))
    assert {link.secret for link in second.registry.list_links(room)} == links
    second.close()
    first.close()
    assert recall_game(path).ports == (20_001,)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"path": 1}', '{"identity": "a", "ports": [0], "length": 1}', "\x00"])
def test_damaged_game_record_is_ignored(tmp_path, text):
    path, links = played(choices=1)
    for file in tmp_path.rglob("served/*.json"):
        file.write_text(text, encoding="utf-8")
    assert recall_game(path) is None
    assert not played(path)[1] & links


def test_game_is_served_when_its_record_cannot_be_written(tmp_path, monkeypatch):
    path, _links = played(choices=1)
    folder = next(tmp_path.rglob("served"))
    shutil.rmtree(folder)
    folder.write_text("", encoding="utf-8")
    assert len(played(path)[1]) == 4


@pytest.mark.parametrize(
    ("known", "port", "is_wanted", "then"),
    [
        ((), 5, False, (5,)),
        ((1, 2), 2, False, (1, 2)),
        ((1, 2), 3, False, (1, 2, 3)),
        ((1, 2, 3, 4), 5, False, (1, 2, 3, 5)),
        ((1, 2), 2, True, (2, 1)),
        ((1, 2, 3, 4), 5, True, (5, 1, 2, 3)),
    ],
)
def test_ports_with_one_more_keep_those_that_links_name(known, port, is_wanted, then):
    assert add_port(known, port, is_wanted) == then


def test_first_free_socket_takes_known_ports_in_their_order():
    with closing(bind_socket("127.0.0.1", 0)) as taken:
        ports = [taken.getsockname()[1], find_free_port()]
        with closing(bind_first_free("127.0.0.1", ports)) as found:
            assert found.getsockname()[1] == ports[1]
        with closing(bind_first_free("127.0.0.1", ports[:1])) as found:
            assert found.getsockname()[1] not in ports


def stopped(process) -> str:
    """Interrupt a server and return what it has written to stderr."""
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    return process.stderr.read()


@pytest.mark.parametrize("target", [["napoleon-1"], []])
def test_served_again_without_port_it_has_its_address_again(tmp_path, target):
    with serve_process(tmp_path, *(["napoleon"] if target else [])) as process:
        first = process.stdout.readline()
        assert "Ctrl-C" in stopped(process)
    for how in (signal.SIGKILL, signal.SIGINT):
        with serve_process(tmp_path, *target) as process:
            again = process.stdout.readline()
            assert again.partition("?")[0] == first.partition("?")[0]
            assert (again == first) == bool(target), "the link to all games is another one each time"
            process.send_signal(how)
            process.wait(PATIENCE)


def test_port_in_use_is_reported_and_reused_later(tmp_path):
    with serve_process(tmp_path, "napoleon") as process:
        first = process.stdout.readline()
        stopped(process)
    port = int(first.partition("/?")[0].rpartition(":")[2])
    with closing(socket.create_server(("127.0.0.1", port))):
        with serve_process(tmp_path, "napoleon-1") as process:
            other = process.stdout.readline()
            assert f"port {port}" in stopped(process)
    assert other != first and other.partition("seat=")[2] == first.partition("seat=")[2]
    with serve_process(tmp_path, "napoleon-1") as process:
        assert process.stdout.readline() == first
        assert "taken" not in stopped(process)


def test_port_that_is_asked_for_is_kept_for_next_time(tmp_path):
    port = find_free_port()
    with serve_process(tmp_path, "napoleon") as process:
        process.stdout.readline()
        stopped(process)
    with serve_process(tmp_path, "napoleon-1", "--port", str(port)) as process:
        first = process.stdout.readline()
        assert f":{port}/" in first
        stopped(process)
    with serve_process(tmp_path, "napoleon-1") as process:
        assert process.stdout.readline() == first
        stopped(process)


def test_restarted_game_of_same_name_refuses_old_links(tmp_path):
    with serve_process(tmp_path, "napoleon", "--seed", "1") as process:
        first = process.stdout.readline().strip()
        links = ask(first, "/api/seats")["links"]
        stopped(process)
    next(tmp_path.rglob("napoleon-1.journal")).unlink()
    with serve_process(tmp_path, "napoleon", "--seed", "1") as process:
        second = process.stdout.readline().strip()
        assert ask(second, "/api/scene")["name"] == "napoleon-1"
        base = second.partition("?")[0]
        for old in (first.partition("?")[2], *(link["path"][1:] for link in links)):
            with pytest.raises(OSError, match="403"):
                ask(f"{base}?{old}", "/api/scene")


# --- opened in the browser ---------------------------------------------------------------------------

BROWSER = """#!/bin/sh
echo "$@" > "{folder}/arguments"
ls -ln "${{1#file://}}" > "{folder}/listed"
cat "${{1#file://}}" > "{folder}/content"
mv "{folder}/content" "{folder}/read"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the browser of this test is a script of the shell")
def test_open_gives_browser_no_secret_on_its_command_line(tmp_path, monkeypatch):
    home, browser = tmp_path / "home", tmp_path / "browser"
    home.mkdir()
    browser.write_text(BROWSER.format(folder=tmp_path), encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("BROWSER", str(browser))
    with serve_process(tmp_path, "napoleon", "--open") as process:
        address = process.stdout.readline().strip()
        wait_until(lambda: (tmp_path / "read").exists() or process.poll() is not None, "the browser has read the file")
        secret = address.partition("seat=")[2]
        assert secret not in (tmp_path / "arguments").read_text()
        assert (tmp_path / "listed").read_text().startswith("-rw------- ")
        assert address in (tmp_path / "read").read_text()
        stopped(process)
    assert list(home.iterdir()) == [], "the file is deleted at the end at the latest"


def test_redirect_file_is_deleted_after_its_time(tmp_path, monkeypatch):
    opened, failed = [], []
    monkeypatch.setattr(redirect_file.Path, "home", lambda: tmp_path)
    monkeypatch.setattr(redirect_file.webbrowser, "open", lambda uri: opened.append(uri) or True)
    redirect = redirect_file.RedirectFile("http://127.0.0.1:1/?seat=a&b=<c>", lambda: failed.append(True))
    assert stat.S_IMODE(redirect.path.stat().st_mode) & 0o077 == 0 or sys.platform == "win32"
    assert 'url=http://127.0.0.1:1/?seat=a&amp;b=&lt;c&gt;"' in redirect.path.read_text(encoding="utf-8")
    wait_until(lambda: opened, "the browser is opened")
    assert "seat" not in opened[0] and not failed
    redirect._timer.function()
    assert not redirect.path.exists()
    redirect.delete()


def test_redirect_file_without_place_or_browser_is_reported(tmp_path, monkeypatch):
    failed = []
    monkeypatch.setattr(redirect_file.webbrowser, "open", lambda uri: False)
    monkeypatch.setattr(redirect_file.Path, "home", lambda: tmp_path / "nowhere")
    redirect_file.RedirectFile("http://x/", lambda: failed.append("place")).delete()
    assert failed == ["place"]
    monkeypatch.setattr(redirect_file.Path, "home", lambda: tmp_path)
    redirect = redirect_file.RedirectFile("http://x/", lambda: failed.append("browser"))
    wait_until(lambda: len(failed) == 2, "the missing browser is reported")
    redirect.delete()
    assert failed == ["place", "browser"]
