"""Test connections: partial requests, unread answers, floods of both, and how soon an answer is sent."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

import pytest

from interpreter.ui.web.network.connections import ConnectionLimits, compute_system_limits
from interpreter.ui.web.network.ports import bind_socket
from interpreter.ui.web.request_guard import RateLimiter, get_client_key
from tests.patience import PATIENCE, wait_until

from .conftest import LobbyServer, run_lobby_server

LIMIT = 10.0  # seconds by the server's own clock, which the tests advance


@pytest.fixture
def impatient(tmp_path):
    """Run a server whose timeouts pass when a test says so."""
    with run_lobby_server(LobbyServer(tmp_path, ConnectionLimits(LIMIT, LIMIT))) as own:
        yield own


def let_time_pass(own: LobbyServer, part: float = 1.1) -> None:
    """Advance the server's clock by a part of its timeouts, once it has read all that was sent before."""
    with closing(connected(own)) as connection:  # accepted last, so read last
        connection.sendall(HEAD + b"Connection: close\r\n\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 200")
    own.advance_clock(part * LIMIT)


@pytest.fixture
def narrow(tmp_path):
    """Run a server for eight connections, with long timeouts."""
    with run_lobby_server(LobbyServer(tmp_path, ConnectionLimits(PATIENCE, PATIENCE, connections=8))) as own:
        yield own


def connected(own: LobbyServer) -> socket.socket:
    return socket.create_connection(own.place, PATIENCE)


def rest_of(connection: socket.socket) -> bytes:
    """Return all bytes still to come, until the server ends the connection."""
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return found


def news_asked(own: LobbyServer):
    """Return the room of a new game, and a request for its news, which the server holds: `(room, bytes)`."""
    secret = own.game("napoleon").partition("seat=")[2]
    room = own.registry.find_access(secret).channel
    path = f"/api/news?after={room.served.version}&seat={secret}"
    return room, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"G", id="a-letter"),
        pytest.param(HEAD, id="headers-without-an-end"),
        pytest.param(
            b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9\r\n\r\n{",
            id="half-a-body",
        ),
        pytest.param(
            b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
            id="half-of-the-chunks",
        ),
    ],
)
def test_half_open_request_ends(impatient, sent, capfd):
    with closing(connected(impatient)) as connection:
        connection.sendall(sent)
        let_time_pass(impatient)
        assert b" 200 " not in rest_of(connection)
    assert capfd.readouterr().err == ""


def test_second_request_left_half_on_kept_connection_ends(impatient):
    with closing(connected(impatient)) as connection:
        connection.sendall(HEAD + b"\r\n" + HEAD)
        assert connection.recv(15).startswith(b"HTTP/1.1 200")
        wait_until(lambda: any(one._request_timer for one in list(impatient.server.server_state.connections)))
        let_time_pass(impatient)
        assert b"HTTP/1.1" not in rest_of(connection)


def test_half_request_in_slow_pieces_ends(impatient):
    """More bytes do not lengthen the time."""
    with closing(connected(impatient)) as connection:
        connection.sendall(HEAD)
        let_time_pass(impatient, 0.6)
        connection.sendall(b"X-A: b\r\n")
        let_time_pass(impatient, 0.3)
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):  # it is still open
            connection.recv(1)
        connection.settimeout(PATIENCE)
        connection.sendall(b"X-B: c\r\n")
        let_time_pass(impatient, 0.2)
        assert rest_of(connection) == b""


def test_waiting_for_news_does_not_count_as_half_request(impatient):
    """A whole request may be answered much later than it was to arrive."""
    room, asked = news_asked(impatient)
    with closing(connected(impatient)) as waiting, closing(connected(impatient)) as half:
        waiting.sendall(asked)
        half.sendall(HEAD)
        let_time_pass(impatient)
        assert rest_of(half) == b"", "the time for a request is over"
        impatient.loop.call_soon_threadsafe(room.close)
        assert waiting.recv(100).startswith(b"HTTP/1.1 200")


def test_flood_of_half_requests_shuts_nobody_out(narrow):
    flood = [connected(narrow) for _ in range(40)]
    for one in flood:
        one.sendall(HEAD)
    try:
        with closing(connected(narrow)) as connection:
            connection.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert rest_of(connection).startswith(b"HTTP/1.1 200")
    finally:
        for one in flood:
            one.close()


def test_newcomer_is_refused_where_all_others_wait_for_answers(narrow):
    room, asked = news_asked(narrow)
    waiting = [connected(narrow) for _ in range(8)]
    for one in waiting:
        one.sendall(asked)
    try:
        wait_until(lambda: sum(one.is_answering for one in list(narrow.server.server_state.connections)) == 8)
        with closing(connected(narrow)) as connection:
            assert rest_of(connection) == b""
        narrow.loop.call_soon_threadsafe(room.close)
        assert all(one.recv(100).startswith(b"HTTP/1.1 200") for one in waiting)
    finally:
        for one in waiting:
            one.close()


def test_response_without_reader_is_closed(impatient):
    address = impatient.game("denain-1712")
    secret = address.partition("seat=")[2]
    with closing(socket.socket()) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect(impatient.place)
        request = f"GET /api/still?seat={secret} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        open_there = impatient.server.server_state.connections
        wait_until(lambda: connection.sendall(request) or any(one._answer_timer for one in list(open_there)))
        let_time_pass(impatient)
        with pytest.raises(OSError):  # the server ends what it cannot get rid of
            while True:
                connection.sendall(request)


def test_length_beside_chunks_is_refused(impatient):
    with closing(connected(impatient)) as connection:
        connection.sendall(
            b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + HEAD + b"\r\n"
        )
        answer = rest_of(connection)
        assert answer.startswith(b"HTTP/1.1 400") and b"bad-request" in answer
        assert answer.count(b"HTTP/1.1") == 1, "nothing that follows is taken for a request"


def test_accepted_connections_send_at_once():
    """Without TCP_NODELAY each answer on a kept connection waits for 40 ms."""

    async def option() -> int:
        found = asyncio.get_running_loop().create_future()

        def accepted(reader, writer) -> None:
            found.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = bind_socket("127.0.0.1", 0)
        async with await asyncio.start_server(accepted, sock=listening):
            _reader, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await found

    assert asyncio.run(option()) != 0


def test_limits_leave_file_handles_for_games():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        limits = compute_system_limits()
        assert 16 <= limits.connections <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 96
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_rate_limiter_gives_each_client_share_that_grows_with_time():
    rates = RateLimiter(rate=2, burst=3)
    assert [rates.take("a", 1.0) for _ in range(4)] == [True, True, True, False]
    assert rates.take("b", 1.0)
    assert [rates.take("a", 2.0) for _ in range(3)] == [True, True, False]


def test_rate_limiter_forgets_no_client_that_has_used_up_its_share():
    rates = RateLimiter(rate=1, burst=2)
    assert [rates.take("greedy", 1.0) for _ in range(3)] == [True, True, False]
    assert all(rates.take(f"other {n}", 1.0) for n in range(900))
    assert all(rates.take(f"third {n}", 60.0) for n in range(900)), "those with a full share make room"
    assert [rates.take("greedy", 60.0) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("", "192.0.2.1", False),
    ],
)
def test_client_of_address_is_its_network_in_ipv6(one, other, is_same):
    assert (get_client_key(one) == get_client_key(other)) == is_same
