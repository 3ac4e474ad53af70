"""The first messages of a TLS client: hellos up to 16 KiB work, and no larger one takes memory."""

import contextlib
import signal
import socket
import ssl
import subprocess
import time

import pytest

from harness.gateway import CA
from harness.openssl import Client
from harness.programs import eventually

# Fatal alert 47, illegal_parameter.
REFUSED = b"\x15\x03\x03\x00\x02\x02\x2f"


def record(content, kind=22):
    return bytes([kind, 3, 1]) + len(content).to_bytes(2, "big") + content


def message(claimed, content=b""):
    """A ClientHello that claims a length, or its beginning."""
    return b"\x01" + claimed.to_bytes(3, "big") + content


def one_byte_records(content):
    return b"".join(record(content[index:index + 1]) for index in range(len(content)))


def extension(number, content):
    return number.to_bytes(2, "big") + len(content).to_bytes(2, "big") + content


def hello_without_share():
    """A ClientHello of TLS 1.3 that names P-256 and brings no key, so that the server asks for another hello."""
    extensions = (
        extension(43, b"\x02\x03\x04") + extension(10, b"\x00\x02\x00\x17") + extension(51, b"\x00\x00")
        + extension(13, b"\x00\x02\x04\x03"))
    content = (
        b"\x03\x03" + bytes(32) + b"\x20" + bytes(32) + b"\x00\x02\x13\x01" + b"\x01\x00"
        + len(extensions).to_bytes(2, "big") + extensions)
    return message(len(content), content)


def connect(gateway, source="127.0.0.1"):
    return socket.create_connection(("localhost", gateway.callbacks_port), timeout=30, source_address=(source, 0))


def rest(connection):
    """All that the gateway says until it ends the connection."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while data := connection.recv(4096):
            said += data
    return said


def served_in_two_pieces(gateway, source):
    """Whether a hello in two parts leads to a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context(cafile=CA).wrap_bio(incoming, outgoing, server_hostname="localhost")
    with connect(gateway, source) as connection, contextlib.suppress(ConnectionResetError):
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.do_handshake()
        hello = outgoing.read()
        connection.sendall(hello[:100])
        time.sleep(0.3)
        connection.sendall(hello[100:])
        while answer := connection.recv(16384):
            incoming.write(answer)
            with contextlib.suppress(ssl.SSLWantReadError):
                tls.do_handshake()
                return True
    return False


BEGINNING = b"\x03\x03" + bytes(58)
TOO_LONG = {
    "69 bytes": record(message(131_000, BEGINNING)),
    "the first length too many": record(message((16 << 10) + 1, BEGINNING)),
    "one byte a record": one_byte_records(message(131_000, BEGINNING)),
    "the header alone": record(message(0xFFFFFF)),
}


@pytest.mark.rule(11)
@pytest.mark.parametrize("kind", TOO_LONG)
def test_a_hello_that_claims_more_ends_the_connection_at_once(gateway, kind):
    with connect(gateway) as connection:
        connection.sendall(TOO_LONG[kind])
        assert rest(connection) == REFUSED


@pytest.mark.rule(11)
@pytest.mark.parametrize("between", [b"", record(b"\x01", 20), record(b"e" * 40, 23)], ids=["", "ccs", "early data"])
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_second_hello_that_claims_more_ends_the_connection_at_once(gateway, between, is_cut):
    with connect(gateway) as connection:
        connection.sendall(record(hello_without_share()))
        # A ServerHello with the random value of a HelloRetryRequest.
        asked = connection.recv(4096)
        assert asked[0] == 22 and bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891") in asked
        second = message(131_000, BEGINNING)
        connection.sendall(between + (one_byte_records(second) if is_cut else record(second)))
        assert rest(connection).endswith(REFUSED)


def protocols(count):
    """Names that make a hello 251 bytes longer each; the first is the one that is spoken. With 60 of them, the hello of OpenSSL
    3.5, which brings a key of ML-KEM, is beyond 16 KiB."""
    return ["http/1.1"] + ["x" * 250] * count


def visit(gateway, connection, context, cut):
    """Shakes hands and sends a request, with the first flight as `cut` makes it."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    is_first = True

    def step(call):
        nonlocal is_first
        while True:
            try:
                result = call()
            except ssl.SSLWantReadError:
                result = None
            if data := outgoing.read():
                connection.sendall(cut(data) if is_first else data)
                is_first = False
            if result is not None:
                return result
            data = connection.recv(65536)
            assert data, "the gateway closed the connection"
            incoming.write(data)

    step(lambda: tls.do_handshake() or True)
    step(lambda: tls.write(f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n".encode()))
    return step(lambda: tls.read(4096))


def plaintext(flight):
    """The content of a flight of one or more records."""
    content = b""
    while flight:
        size = int.from_bytes(flight[3:5], "big")
        content, flight = content + flight[5:5 + size], flight[5 + size:]
    return content


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("count", [0, 20, 55])
@pytest.mark.parametrize("cut", [lambda flight: flight, lambda flight: one_byte_records(plaintext(flight))],
                         ids=["as it is", "one byte a record"])
def test_hellos_up_to_the_limit_are_taken(gateway, version, count, cut):
    context = ssl.create_default_context(cafile=str(CA))
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(protocols(count))
    with connect(gateway) as connection:
        assert visit(gateway, connection, context, cut).startswith(b"HTTP/1.1 302 ")


def test_a_client_that_is_asked_for_another_hello_is_served(gateway):
    words = ["openssl", "s_client", "-connect", f"127.0.0.1:{gateway.callbacks_port}", "-servername", "localhost", "-quiet",
             "-groups", "P-521:P-256", "-CAfile", str(CA), "-verify_return_error"]
    request = f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\nConnection: close\r\n\r\n"
    ended = subprocess.run(words, input=request.encode(), capture_output=True, timeout=60)
    assert ended.stdout.startswith(b"HTTP/1.1 302 "), ended.stderr


@pytest.mark.rule(11)
def test_hellos_that_are_not_whole_count_as_unfinished_bytes(start_gateway):
    gateway = start_gateway(limits={"unfinished_bytes": "192KiB"})
    beginning = record(message(16 << 10, b"\x03\x03" + bytes(15_000)))
    with contextlib.ExitStack() as stack:

        def held(source):
            connection = stack.enter_context(connect(gateway, source))
            connection.sendall(beginning)
            connection.settimeout(0.3)
            try:
                return connection.recv(1) != b""
            except TimeoutError:
                return True
            except ConnectionResetError:
                return False

        taken = 0
        while held("127.0.0.2"):
            taken += 1
            assert taken < 10
        assert taken >= 2
        assert held("127.0.1.2")
        # A browser's hello, which takes two packets, is served.
        assert served_in_two_pieces(gateway, "127.0.0.2")
        # A hello that is there whole is served.
        with gateway.wire(source="127.0.0.2") as wire:
            request = f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n"
            assert wire.exchange(request.encode()).status == 302
    eventually(lambda: held("127.0.0.2"), what="room")


def ask(client, gateway):
    request = f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n"
    return client.read() if client.write(request.encode()) else b""


@pytest.mark.parametrize("asks", [False, True], ids=["", "asks for an answer"])
def test_a_client_may_update_its_keys(gateway, asks):
    with Client(gateway.callbacks_port) as client:
        for _ in range(32):
            assert client.update_key(asks)
        assert ask(client, gateway).startswith(b"HTTP/1.1 302 ")


@pytest.mark.rule(11)
@pytest.mark.parametrize("asks", [False, True], ids=["", "asks for an answer"])
def test_a_client_that_updates_its_keys_without_end_is_let_go_of(gateway, asks):
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with Client(gateway.callbacks_port) as client:
        for _ in range(100):
            if not client.update_key(asks):
                break
        assert ask(client, gateway) == b""
