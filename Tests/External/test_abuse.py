"""Rules 11 and 14: a client that holds connections open, sends forever or does not read is disconnected. A flood shuts no
other caller out, and sign-ins under way finish."""

import selectors
import socket
import ssl
import threading
import time

import pytest

from harness.api import Api
from harness.gateway import CA
from harness.issuer import authorize
from harness.programs import eventually

pytestmark = pytest.mark.early

APP = "com.contoso.app1"
GUARDED = "com.contoso.guarded"

# Longer than any of the gateway's times for a connection (10, 20 and 30 s).
PATIENCE = 50


def plain(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def secure(port):
    context = ssl.create_default_context(cafile=str(CA))
    return context.wrap_socket(plain(port), server_hostname="localhost")


def drip(stream, data, pause):
    """Sends a byte now and then until the peer has had enough."""

    def run():
        try:
            for byte in data:
                stream.sendall(bytes([byte]))
                time.sleep(pause)
        except OSError:
            pass

    threading.Thread(target=run, daemon=True).start()


def silent(gateway):
    return plain(gateway.callbacks_port)


def half_a_handshake(gateway):
    stream = plain(gateway.callbacks_port)
    stream.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    return stream


def a_dripping_handshake(gateway):
    stream = plain(gateway.callbacks_port)
    drip(stream, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500, 0.5)
    return stream


def nothing_after_the_handshake(gateway):
    return secure(gateway.callbacks_port)


def half_a_header(gateway):
    stream = secure(gateway.callbacks_port)
    stream.sendall(b"GET /app1/auth HTTP/1.1\r\nHost: local")
    return stream


def a_dripping_header(gateway):
    stream = secure(gateway.callbacks_port)
    drip(stream, b"GET /app1/auth HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 500, 0.5)
    return stream


def half_a_body(gateway):
    stream = secure(gateway.api_port)
    stream.sendall(b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
    return stream


def a_body_that_never_ends(gateway):
    stream = secure(gateway.api_port)
    stream.sendall(b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    drip(stream, b"1\r\n \r\n" * 200, 0.3)
    return stream


ABUSES = [
    silent, half_a_handshake, a_dripping_handshake, nothing_after_the_handshake, half_a_header, a_dripping_header,
    half_a_body, a_body_that_never_ends,
]


def is_over(stream):
    """Whether the gateway has ended the connection; what it may have said before does not matter."""
    stream.settimeout(0.05)
    try:
        return stream.recv(65536) == b""
    except (TimeoutError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True


@pytest.mark.rule(11)
def test_who_keeps_a_connection_without_using_it_is_let_go_of(gateway, api):
    pending = api.begin(APP, scope="openid")
    streams = {(abuse.__name__, number): abuse(gateway) for abuse in ABUSES for number in range(3)}
    # Meanwhile everybody else is served.
    other = api.begin(APP, scope="openid")
    assert gateway.browse(authorize(other.authorization_url)).status == 303
    assert other.outcome()["status"] == "completed"

    def remaining():
        return [name for name, stream in streams.items() if not is_over(stream)]

    deadline = time.monotonic() + PATIENCE
    while (left := remaining()) and time.monotonic() < deadline:
        streams = {name: stream for name, stream in streams.items() if name in left}
        time.sleep(0.5)
    assert not left
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


@pytest.mark.rule(11)
def test_who_does_not_read_is_let_go_of(gateway, api):
    pending = api.begin(APP, scope="openid")
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.settimeout(PATIENCE)
    stream.connect(("127.0.0.1", gateway.callbacks_port))
    context = ssl.create_default_context(cafile=str(CA))
    stream = context.wrap_socket(stream, server_hostname="localhost")
    page = b"GET /nothing/here HTTP/1.1\r\nHost: localhost\r\n\r\n"
    stream.settimeout(1)
    sent = 0
    # Asks for pages without reading them, until the gateway takes no more and waits itself.
    with pytest.raises((TimeoutError, OSError)):
        while sent < 64 << 20:
            sent += stream.send(page * 200)
    events = selectors.DefaultSelector()
    events.register(stream, selectors.EVENT_WRITE)

    def is_reset():
        try:
            stream.send(b"x")
        except (TimeoutError, ssl.SSLWantWriteError):
            return False
        except OSError:
            return True
        return False

    eventually(is_reset, seconds=PATIENCE, what="the end of the connection")
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


@pytest.fixture
def crowded(start_gateway):
    """A gateway with little room, and an app that only this user may begin for."""

    def change(gateway):
        gateway.configuration["apps"].append(
            gateway.app("guarded", "Guarded", client_id="guarded", begin_from={"networks": ["127.0.0.9"]}))

    limits = {"requests": 40, "requests_per_app": 40, "requests_per_address": 30, "begin_rate": 100000}
    return start_gateway(limits=limits, change=change)


@pytest.mark.rule(14)
def test_a_flood_shuts_nobody_out(crowded):
    """Rule 14: caps are for each address and overall; callers that authenticate keep a share; no request is evicted."""
    first = crowded.api(source="127.0.0.8").begin(APP, scope="openid")
    stop = threading.Event()
    turned_away = []

    def flood(source):
        api = crowded.api(source=source)
        while not stop.is_set():
            reply = api.begin_reply(APP)
            if reply.status != 201:
                assert reply.status in (429, 503) and int(reply.header("Retry-After")) >= 0
                turned_away.append(reply.status)

    floods = [threading.Thread(target=flood, args=(f"127.0.0.{n}",)) for n in (2, 3, 4)]
    for thread in floods:
        thread.start()
    try:
        eventually(lambda: len(turned_away) > 50, what="the flood at its limit")
        # Anonymous callers have filled their part; an authenticated caller still begins, and finishes.
        guarded = Api(crowded.api().address, ca=CA, source="127.0.0.9").begin(GUARDED, scope="openid")
        for pending in (guarded, first):
            assert pending.is_untouched(), "nothing pending is ever evicted"
            assert crowded.browse(authorize(pending.authorization_url)).status == 303
            assert pending.outcome()["status"] == "completed"
    finally:
        stop.set()
        for thread in floods:
            thread.join()


@pytest.mark.rule(14)
def test_a_flood_of_unknown_states_leaves_the_owners_alone(gateway, api):
    pending = api.begin(APP, scope="openid")
    stop = threading.Event()
    answers = set()

    def flood(number):
        count = 0
        with gateway.wire() as wire:
            while not stop.is_set() and count < 3000:
                count += 1
                target = f"/app1/auth?code=c&state=nobody-{number}-{count:030d}"
                answer = wire.exchange(
                    f"GET {target} HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n".encode())
                answers.add(answer.status)

    floods = [threading.Thread(target=flood, args=(n,)) for n in range(4)]
    for thread in floods:
        thread.start()
    try:
        eventually(lambda: answers, what="the flood")

        # The flood and the browser share an address here, so the browser may be told to come again.
        def brought():
            answer = gateway.browse(authorize(pending.authorization_url))
            assert answer.status in (303, 429)
            return answer.status == 303

        eventually(brought, what="the callback")
        assert pending.outcome()["status"] == "completed"
    finally:
        stop.set()
        for thread in floods:
            thread.join()
    assert answers <= {400, 429}
