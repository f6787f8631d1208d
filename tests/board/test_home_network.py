"""Test a board on the home network: the printed addresses, the accepted host names, and the code to scan."""

from __future__ import annotations

import io
import socket
from ipaddress import ip_address

import pytest

from interpreter.ui.web.network import addresses, qr_code as module
from interpreter.ui.web.network.addresses import build_board_address, list_machine_names, list_network_addresses
from interpreter.ui.web.network.public_url import PublicUrl
from interpreter.ui.web.network.qr_code import draw_squares, render_qr_code
from interpreter.ui.web.network.server_names import ServerNames
from tests.board.server_process import serve_process

from .test_serving import ask


class Adapter:
    """An adapter as the library `ifaddr` describes it."""

    def __init__(self, name: str, *numbers: str) -> None:
        self.name = self.nice_name = name
        self.ips = [type("Ip", (), {"ip": (n, 0, 0) if ":" in n else n})() for n in numbers]


@pytest.fixture
def adapters(monkeypatch):
    ifaddr = pytest.importorskip("ifaddr", reason="the extra `board` is not installed")
    found = [
        Adapter("lo", "127.0.0.1", "::1"),
        Adapter("docker0", "172.17.0.1"),
        Adapter("vEthernet (WSL)", "172.20.0.1"),
        Adapter("Hyper-V Virtual Ethernet Adapter", "172.21.0.1"),
        Adapter("wlan0", "192.168.1.7", "fe80::1", "fd00::7"),
        Adapter("eth0", "169.254.3.4", "10.0.0.5", "198.51.100.9"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: found)
    monkeypatch.setattr(addresses, "_usual_address", lambda family: None)


def test_network_addresses_omit_unreachable_ones(adapters):
    assert list_network_addresses() == ["10.0.0.5", "192.168.1.7", "198.51.100.9"]
    assert list_network_addresses(with_ipv6=True) == ["10.0.0.5", "192.168.1.7", "198.51.100.9", "fd00::7"]


def test_address_that_leads_to_internet_comes_first(adapters, monkeypatch):
    monkeypatch.setattr(addresses, "_usual_address", lambda family: ip_address("192.168.1.7"))
    assert list_network_addresses()[0] == "192.168.1.7"


def test_network_addresses_without_ifaddr_are_default_routes(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ifaddr", None)
    monkeypatch.setattr(addresses, "_usual_address", lambda family: ip_address("192.168.1.7"))
    assert list_network_addresses() == ["192.168.1.7"]


@pytest.mark.parametrize(
    ("host", "pages", "is_shared"),
    [
        ("127.0.0.1", ("http://127.0.0.1:80/",), False),
        ("::1", ("http://[::1]:80/",), False),
        ("192.168.1.7", ("http://192.168.1.7:80/",), True),
        ("0.0.0.0", ("http://10.0.0.5:80/", "http://192.168.1.7:80/", "http://198.51.100.9:80/"), True),
    ],
)
def test_pages_of_board_by_where_it_listens(adapters, host, pages, is_shared):
    found = build_board_address(host, 80)
    assert (found.pages, found.is_shared) == (pages, is_shared)
    assert bool(found.names.names) == is_shared, "a board for this machine alone has no other name"


def test_board_on_no_network_is_still_on_this_machine(monkeypatch):
    monkeypatch.setattr(addresses, "_adapter_addresses", lambda: iter(()))
    found = build_board_address("0.0.0.0", 80)
    assert (found.pages, found.is_shared) == (("http://127.0.0.1:80/",), False)


def test_public_address_takes_place_of_all_others(adapters):
    found = build_board_address("0.0.0.0", 80, PublicUrl("https", "game.example.org", 443, "/board"))
    assert found.list_links("s") == ["https://game.example.org/board/?seat=s"]
    assert (found.local, found.is_shared) == ("http://127.0.0.1:80/", True)


def test_machine_is_known_by_its_own_name_alone_and_on_home_networks(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Anna-PC.corp.example")
    names = ServerNames(list_machine_names(["Verein.example"]))
    for name in (
        "anna-pc",
        "Anna-PC.local:8799",
        "anna-pc.fritz.box",
        "ANNA-PC.lan:80",
        "anna-pc.corp.example",
        "anna-pc.verein.example",
    ):
        assert names.is_known(name), name
    for name in ("anna-pc.evil.example", "evil.example", "fritz.box", "other.local", "xanna-pc.local", "local"):
        assert not names.is_known(name), name


def test_search_domains_are_read_from_resolver(tmp_path, monkeypatch):
    settings = tmp_path / "resolv.conf"
    settings.write_text("nameserver 192.0.2.1\nsearch Verein.example. b.example\ndomain c.example\n#search d\nsearch\n")
    monkeypatch.setattr(addresses, "_RESOLVER_SETTINGS", settings)
    monkeypatch.setattr(socket, "gethostname", lambda: "vm")
    assert {"vm.verein.example", "vm.b.example", "vm.c.example"} <= list_machine_names()
    monkeypatch.setattr(addresses, "_RESOLVER_SETTINGS", tmp_path / "missing")
    assert "vm.verein.example" not in list_machine_names()


def test_serve_on_network_prints_address_by_number_on_each_line(tmp_path):
    with serve_process(tmp_path, "napoleon", "--host", "0.0.0.0") as process:
        expected = list_network_addresses() or ["127.0.0.1"]
        lines = [process.stdout.readline().strip() for _ in expected]
        for number, line in zip(expected, lines, strict=True):
            assert line.startswith(f"http://{number}:")
            assert ask(line, "/api/scene")["role"] == "host"
        base = ask(lines[0], "/api/seats")["base"]
        assert base == (f"{lines[0].partition('?')[0]}" if list_network_addresses() else "")
        process.terminate()
        assert process.stdout.read() == "", "nothing else is there for programs to read"
        assert "█" not in process.stderr.read(), "a file cannot show the code"


# --- the code -----------------------------------------------------------------------------------


class Terminal(io.TextIOWrapper):
    """A stream to a terminal with an encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


ADDRESS = "http://192.168.178.23:54321/?seat=abcdefghijklmnopqrstuvwx"


@pytest.fixture
def terminal(monkeypatch):
    pytest.importorskip("segno", reason="the extra `board` is not installed")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def squares(drawn: str, dark_ink: bool) -> list[list[bool]]:
    """Return the squares of a drawn code, row by row: True where dark."""
    rows = []
    for line in drawn.replace("\x1b[30;107m", "").replace("\x1b[0m", "").split("\n"):
        rows += [[(one in "█▀") == dark_ink for one in line], [(one in "█▄") == dark_ink for one in line]]
    return rows


@pytest.mark.parametrize("in_colour", [True, False])
def test_code_shows_address(terminal, monkeypatch, in_colour):
    import segno

    if not in_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    drawn = render_qr_code(ADDRESS, terminal)
    assert ("\x1b" in drawn) == in_colour
    wanted = [[bool(one) for one in row] for row in segno.make_qr(ADDRESS, error="l").matrix_iter(border=2)]
    found = squares(drawn, dark_ink=in_colour)
    assert found[: len(wanted)] == wanted and not any(any(row) for row in found[len(wanted) :])


@pytest.mark.parametrize(
    "change",
    [
        lambda monkeypatch: monkeypatch.setenv("TERM", "dumb"),
        lambda monkeypatch: monkeypatch.delenv("TERM"),
        lambda monkeypatch: monkeypatch.setenv("COLUMNS", "30"),
        lambda monkeypatch: monkeypatch.setitem(__import__("sys").modules, "segno", None),
    ],
    ids=["dumb", "no-terminal-named", "narrow", "no-library"],
)
def test_no_code_where_terminal_cannot_show_it(terminal, monkeypatch, change):
    change(monkeypatch)
    monkeypatch.setattr(module.sys, "platform", "linux")
    assert render_qr_code(ADDRESS, terminal) == ""


@pytest.mark.parametrize("stream", [None, io.StringIO(), Terminal("ascii"), Terminal("cp1252"), Terminal("latin-1")])
def test_no_code_for_file_or_encoding_without_blocks(terminal, stream):
    assert render_qr_code(ADDRESS, stream) == ""


def test_code_for_old_code_page_with_blocks(terminal):
    assert render_qr_code(ADDRESS, Terminal("cp437"))


def test_squares_are_drawn_two_rows_to_line():
    rows = [[True, True, False], [True, False, True], [False, True, False]]
    assert draw_squares(rows, in_colour=True) == "\x1b[30;107m█▀▄\x1b[0m\n\x1b[30;107m ▀ \x1b[0m"
    assert draw_squares(rows, in_colour=False) == " ▄▀\n█▄█"
