"""`grognard serve` as a process: one line on standard output, an end within moments, nothing lost when killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from interpreter.cli.commands.serve import _print_restart_command
from interpreter.cli.main import main
from interpreter.i18n.translator import get_translator
from tests.board.server_process import ROOT, serve_process
from tests.patience import PATIENCE

pytest.importorskip("starlette", reason="the extra `board` is not installed")


def ask(address: str, path: str, body=None):
    base, _, seat = address.partition("/?seat=")
    request = urllib.request.Request(
        base + path,
        headers={"Authorization": f"Bearer {seat}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_server_prints_address_and_stops_despite_waiting_pages(tmp_path, how):
    with serve_process(
        tmp_path, "napoleon", "--side", "allies=search:3600s", "--side", "france=search:3600s"
    ) as process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        place, version = urlsplit(address), ask(address, "/api/scene")["version"]
        held = f"GET /api/news?{place.query}&after={version} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with socket.create_connection((place.hostname, place.port), PATIENCE) as waiting:
            waiting.sendall(held.encode())
            ask(address, "/api/scene")  # when this is answered, the earlier request is held
            process.send_signal(how)
            assert process.wait(PATIENCE) == 0  # its programs would think for an hour
        told = process.stderr.read()
        assert process.stdout.read() == "" and "Ctrl-C" in told and "grognard serve napoleon-1" in told
        assert "bug in grognard" not in told and "Traceback" not in told
    journals = list(tmp_path.rglob("*.journal"))
    assert len(journals) == 1 and not list(tmp_path.rglob("*.lock"))


def test_server_killed_at_any_moment_loses_nothing(tmp_path):
    made = 0
    for number in range(2):
        with serve_process(tmp_path, *(["napoleon", "--seed", "4"] if number == 0 else ["napoleon-1"])) as process:
            address = process.stdout.readline().strip()
            scene = ask(address, "/api/scene")
            assert scene["choices"] == made
            for _ in range(4 + number):
                scene = ask(address, "/api/choose", {"key": scene["decision"]["options"][0]["key"]})
                made += 1
            process.kill()
            process.wait(PATIENCE)
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "verify", "napoleon-1"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_game_is_served_once_and_then_only_shown(tmp_path):
    with serve_process(tmp_path, "napoleon", "--seed", "4") as first:
        address = first.stdout.readline().strip()
        key = ask(address, "/api/scene")["decision"]["options"][0]["key"]
        with serve_process(tmp_path, "napoleon-1") as second:
            other = second.stdout.readline().strip()
            assert other.partition("?")[0] != address.partition("?")[0]
            scene = ask(other, "/api/scene")
            assert not scene["may_choose"] and scene["decision"]["options"] == [] and scene["undo"] is None
            assert "already" in scene["notices"][0] and "opened" in scene["waiting"]
            with pytest.raises(urllib.error.HTTPError) as declined:
                ask(other, "/api/choose", {"key": key})
            assert json.load(declined.value)["error"] == "only-looking"
            second.send_signal(signal.SIGTERM)
            second.wait(PATIENCE)
            assert "only viewing" in second.stderr.read()
        assert ask(address, "/api/choose", {"key": key})["choices"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there file handles are not counted")
def test_server_with_few_file_handles_answers_during_flood_of_half_requests(tmp_path):
    with serve_process(tmp_path, "napoleon", handles=128) as process:
        address = process.stdout.readline().strip()
        place = urlsplit(address)
        flood = []
        try:
            for _ in range(200):
                flood.append(socket.create_connection((place.hostname, place.port), PATIENCE))
                flood[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            assert ask(address, "/api/scene")["may_choose"]
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
            assert "Traceback" not in process.stderr.read()
        finally:
            for one in flood:
                one.close()


def test_serve_of_unknown_ruleset_exits_with_usage_error(tmp_path):
    with serve_process(tmp_path, "nowhere") as process:
        assert process.wait(PATIENCE) == 2
        assert process.stdout.read() == ""
        error = process.stderr.read()
        assert "nowhere" in error and "Traceback" not in error


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["napoleon", "--port", "99999"], "99999"),
        (["napoleon", "--side", "mars=random"], "mars"),
        (["napoleon", "--host", "203.0.113.9"], "203.0.113.9"),
        (["lost.journal"], "lost.journal"),
    ],
)
def test_unservable_arguments_are_refused(tmp_path, monkeypatch, capsys, arguments, told):
    def served(*_):
        raise AssertionError("it is served")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("interpreter.ui.web.server.run_server", served)
    assert main(["serve", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and told in printed.err


@pytest.mark.parametrize("is_list", [True, False])
def test_last_line_names_game_saved_last(tmp_path, capsys, is_list):
    """Regression: the game opened first was named, even if another had been begun from its page."""
    rooms = {}
    for number, name in enumerate(["first", "last", "other"]):
        path = tmp_path / name
        path.touch()
        os.utime(path, ns=(0, 10 if name == "last" else number))
        keeper = SimpleNamespace(path=path, trouble="")
        rooms[name] = SimpleNamespace(served=SimpleNamespace(name=name, is_saved=True, autosave=keeper))
    lobby = SimpleNamespace(registry=SimpleNamespace(channels=rooms))
    _print_restart_command(lobby, is_list, get_translator(""))
    assert capsys.readouterr().err.endswith("grognard serve last\n")
    rooms.clear()
    _print_restart_command(lobby, is_list, get_translator(""))
    assert capsys.readouterr().err.endswith("grognard serve\n" if is_list else "")
