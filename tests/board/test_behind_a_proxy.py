"""A board behind reverse proxies that pass the Host header on or rewrite it, below a path or not, with a browser."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from interpreter.ui.web.network.public_url import PublicUrl, parse_public_url
from tests.browsers import BROWSER
from tests.patience import PATIENCE

from .conftest import BrowserWindow, LobbyServer, run_lobby_server
from .reverse_proxy import reverse_proxy

NAME = "game.example.org"
PROXIES = [
    pytest.param({"keeps_host": True}, id="host-kept"),
    pytest.param({"keeps_host": False}, id="host-rewritten"),
    pytest.param({"keeps_host": True, "prefix": "/board"}, id="host-kept-path-kept"),
    pytest.param({"keeps_host": True, "prefix": "/a/board", "strips_prefix": True}, id="host-kept-path-stripped"),
    pytest.param({"keeps_host": False, "prefix": "/a/board"}, id="host-rewritten-path-kept"),
    pytest.param({"keeps_host": False, "prefix": "/board", "strips_prefix": True}, id="host-rewritten-path-stripped"),
]


def public(text: str) -> PublicUrl:
    found = parse_public_url(text)
    assert isinstance(found, PublicUrl), found
    return found


def ask(port: int, method: str, path: str, host: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Send a request that calls the server by a name of the test's choice."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    body = headers.pop("body", None)
    connection.request(method, path, body, {"Host": host, **{n.replace("_", "-"): v for n, v in headers.items()}})
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


@pytest.fixture
def own_lobby_server(tmp_path) -> LobbyServer:
    return LobbyServer(tmp_path)


@pytest.fixture(scope="module")
def far_browser(browser):
    """Return a browser that finds the board's public name on this machine."""
    found = browser.browser_type.launch(
        executable_path=BROWSER, timeout=PATIENCE * 1000, args=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    )
    yield found
    found.close()


@pytest.mark.parametrize("settings", PROXIES)
def test_page_behind_proxy_chooses_and_shows_public_links(own_lobby_server, far_browser, settings):
    with reverse_proxy(own_lobby_server.place, **settings) as proxy:
        address = public(f"http://{NAME}:{proxy.port}{proxy.prefix}")
        with run_lobby_server(own_lobby_server, address):
            secret = own_lobby_server.game("napoleon").partition("seat=")[2]
            visitor = BrowserWindow(far_browser)
            page = visitor.page
            page.goto(f"{address.base}?seat={secret}")
            button = page.locator("button[data-option]").first
            button.wait_for()
            before = page.evaluate("document.body.dataset.version")
            button.click()
            page.wait_for_function("before => document.body.dataset.version !== before", arg=before)
            assert page.url == address.base
            page.reload()
            page.locator("button[data-option]").first.wait_for()
            page.locator("#more summary").click()
            page.get_by_role("button", name="Players", exact=True).click()
            page.locator("dialog a").nth(3).wait_for()
            links = page.locator("dialog a").evaluate_all("all => all.map(one => one.href)")
            assert len(links) == 4 and all(link.startswith(f"{address.base}#seat=") for link in links)
            page.goto(links[0])
            page.locator("#map image[href*='/ground/']").wait_for(state="attached")
            assert [text for text in visitor.wrong if "untrustworthy" not in text] == []  # http is none to a browser
            visitor.context.close()
            assert len(own_lobby_server.served(f"?seat={secret}").game.keys) == 1


@pytest.mark.parametrize("settings", PROXIES)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_guard_behind_proxy_accepts_only_public_origin(own_lobby_server, settings, scheme):
    with reverse_proxy(own_lobby_server.place, **settings) as proxy:
        address = public(f"{scheme}://{NAME}:{proxy.port}{proxy.prefix}")
        with run_lobby_server(own_lobby_server, address):
            secret = own_lobby_server.game("napoleon").partition("seat=")[2]
            sent = {"Authorization": f"Bearer {secret}", "Content_Type": "application/json", "body": '{"key": "fly"}'}
            path, host = f"{proxy.prefix}/api/choose", urlsplit(address.origin).netloc
            codes = {}
            for origin in (address.origin, "https://evil.example", f"http://{NAME}", f"ftp://{host}", "null"):
                status, _headers, body = ask(proxy.port, "POST", path, host, Origin=origin, **sent)
                codes[origin] = status, json.loads(body)["error"]
            assert codes.pop(address.origin) == (422, "illegal")
            assert set(codes.values()) == {(403, "strange-origin")}


def test_public_scheme_is_only_one_for_public_name(own_lobby_server):
    with run_lobby_server(own_lobby_server, public(f"https://{NAME}")):
        sent = {"Content_Type": "application/json", "body": "{}"}
        for origin, status in ((f"https://{NAME}", 401), (f"http://{NAME}", 403), (f"https://{NAME}:8443", 403)):
            assert ask(own_lobby_server.place[1], "POST", "/api/undo", NAME, Origin=origin, **sent)[0] == status


def test_unknown_host_gets_page_or_json_by_client(own_lobby_server):
    with run_lobby_server(own_lobby_server):
        host = f"{NAME}:8801"
        status, headers, body = ask(own_lobby_server.place[1], "GET", "/?seat=x", host, Accept="text/html,*/*")
        assert (status, headers["content-type"]) == (421, "text/html; charset=utf-8")
        page = body.decode()
        assert f"--public-url http://{host}" in page and "unsafe" not in headers["content-security-policy"]
        status, headers, body = ask(own_lobby_server.place[1], "GET", "/api/scene", host)
        told = json.loads(body)
        assert (status, told["error"]) == (421, "strange-host")
        assert host in told["message"] and any("--public-url" in line for line in told["reasons"])


def test_strange_host_page_escapes_name_and_speaks_japanese(own_lobby_server):
    with run_lobby_server(own_lobby_server):
        host = "<b>x</b>"
        _status, _headers, body = ask(own_lobby_server.place[1], "GET", "/?lang=ja", host, Accept="text/html")
        page = body.decode()
        assert "&lt;b&gt;x&lt;/b&gt;" in page and "<b>" not in page
        assert '<html lang="ja">' in page and "プロキシ" in page


def test_page_at_unknown_address_explains_itself(own_lobby_server, far_browser):
    """Check a proxy that rewrites the Host header, which hides the strange name until the page sends something."""
    with reverse_proxy(own_lobby_server.place, keeps_host=False) as proxy, run_lobby_server(own_lobby_server):
        secret = own_lobby_server.game("napoleon").partition("seat=")[2]
        page = far_browser.new_page()
        page.goto(f"http://{NAME}:{proxy.port}/?seat={secret}")
        alert = page.locator("#alert")
        alert.get_by_text(f"--public-url http://{NAME}:{proxy.port}/").wait_for()
        assert "does not recognize that address" in alert.inner_text()
        page.close()


def test_page_whose_program_does_not_load_says_so(own_lobby_server, far_browser):
    """Check a path without its final slash, below which the page requests its files at the wrong address."""
    with (
        reverse_proxy(own_lobby_server.place, prefix="/board", strips_prefix=True) as proxy,
        run_lobby_server(own_lobby_server),
    ):
        page = far_browser.new_page()
        page.route("**/page/*.js", lambda route: route.fulfill(status=404, body=""))
        page.goto(f"http://localhost:{proxy.port}/board/")
        page.get_by_text("This page has not loaded completely.").wait_for()
        assert page.get_by_text("--public-url").is_visible()
        page.close()


def test_bare_prefix_leads_to_page_behind_its_slash(own_lobby_server):
    with reverse_proxy(own_lobby_server.place, prefix="") as proxy:
        with run_lobby_server(own_lobby_server, public(f"http://{NAME}:{proxy.port}/a/board")):
            status, headers, _body = ask(proxy.port, "GET", "/a/board?seat=x", f"{NAME}:{proxy.port}")
            assert (status, headers["location"]) == (307, "board/?seat=x")


def test_forwarded_headers_change_no_address_in_answer(own_lobby_server):
    with run_lobby_server(own_lobby_server, public(f"https://{NAME}")):
        strange = {"X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "https", "Forwarded": "host=evil.example"}
        for path in ("/page", "/api/scene/", "/page/", "/"):
            _status, headers, body = ask(own_lobby_server.place[1], "GET", path, "127.0.0.1", **strange)
            assert "location" not in headers and b"evil" not in body


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("https://game.example.org", "https://game.example.org/"),
        ("https://Game.Example.org:443/board/", "https://game.example.org/board/"),
        ("http://game.example.org:8801/a/b", "http://game.example.org:8801/a/b/"),
        ("http://[FD00::1]:80", "http://[fd00::1]/"),
        ("https://bücher.example", "https://xn--bcher-kva.example/"),
    ],
)
def test_public_url_is_parsed(text, base):
    assert public(text).base == base


@pytest.mark.parametrize(
    "text",
    [
        "game.example.org",
        "ftp://game.example.org",
        "https://",
        "https://user@game.example.org",
        "https://game.example.org/?a=b",
        "https://game.example.org/#a",
        "https://game.example.org/api",
        "https://game.example.org/page/x",
        "https://game.example.org/a b",
        "https://game.example.org/../x",
        "https://game.example.org:99999",
        "https://game example.org",
    ],
)
def test_invalid_public_url_is_reported(text, capsys, tmp_path, monkeypatch):
    from interpreter.cli.main import main

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", "napoleon", "--public-url", text]) == 2
    assert "--public-url" in capsys.readouterr().err
