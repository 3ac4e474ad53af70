"""HTTP/1.1 on the wire: RFC 9112 strictly, over TLS, with bytes that no ordinary client would send."""

import json
import os
import socket
import ssl
import subprocess
import time

import pytest

from harness.gateway import CA
from harness.issuer import authorize
from harness.wire import Closed

BODY = b'{"app": "com.contoso.app1"}'
JSON = b"Content-Type: application/json\r\n"
POST = b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\n" + JSON
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

REFUSED = {
    "bare LF after the request line": b"GET /legacy?code=1 HTTP/1.1\nHost: {host}\r\n\r\n",
    "bare LF after a field": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\nX: y\r\n\r\n",
    "bare CR in a field": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\nX: a\rb\r\n\r\n",
    "obs-fold": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n",
    "space before the colon": b"GET /legacy?code=1 HTTP/1.1\r\nHost : {host}\r\n\r\n",
    "space before the first field": b"GET /legacy?code=1 HTTP/1.1\r\n Host: {host}\r\n\r\n",
    "a field without a name": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\n: x\r\n\r\n",
    "a field without a colon": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\nX\r\n\r\n",
    "NUL in a field": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n",
    "NUL in the target": b"GET /legacy?code=\0 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a raw byte in the target": b"GET /legacy?code=\xc3\xa9 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a space in the target": b"GET /legacy?code=1 2 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a fragment in the target": b"GET /legacy?code=1#x HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "two spaces in the request line": b"GET  /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "no Host": b"GET /legacy?code=1 HTTP/1.1\r\nX: y\r\n\r\n",
    "two Hosts": b"GET /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n",
    "a Host that is none": b"GET /legacy?code=1 HTTP/1.1\r\nHost: a b\r\n\r\n",
    "a Host with a user": b"GET /legacy?code=1 HTTP/1.1\r\nHost: user@{host}\r\n\r\n",
    "absolute form of another Host": b"GET https://evil.example/legacy HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a version that is none": b"GET /legacy?code=1 HTTP/1.x\r\nHost: {host}\r\n\r\n",
    "no version": b"GET /legacy?code=1\r\nHost: {host}\r\n\r\n",
    "a method that is no token": b"G(T /legacy?code=1 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "TLS inside TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "two lengths that differ": POST + b"Content-Length: 27\r\nContent-Length: 5\r\n\r\n" + BODY,
    "two lengths in one field": POST + b"Content-Length: 27, 5\r\n\r\n" + BODY,
    "a length with a sign": POST + b"Content-Length: +27\r\n\r\n" + BODY,
    "a length in hexadecimal": POST + b"Content-Length: 0x1b\r\n\r\n" + BODY,
    "a length that overflows": POST + b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY,
    "length and transfer encoding": POST + b"Content-Length: 27\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an unknown transfer encoding": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunked not last": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "chunked in HTTP/1.0": b"POST /v1/requests HTTP/1.0\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk size that is none": CHUNKED + b"zz\r\n",
    "a negative chunk size": CHUNKED + b"-1\r\n",
    "a chunk size that overflows": CHUNKED + b"fffffffffffffffff1\r\n",
    "an empty chunk size": CHUNKED + b"\r\n",
    "a chunk size ended by a bare LF": CHUNKED + b"1b\n" + BODY + b"\r\n0\r\n\r\n",
    "a trailer without a colon": CHUNKED + b"1b\r\n" + BODY + b"\r\n0\r\nbad trailer\r\n\r\n",
    "a trailer with a space before its colon": CHUNKED + b"1b\r\n" + BODY + b"\r\n0\r\nX-A : b\r\n\r\n",
    "a chunk that is longer than its size": CHUNKED + b"5\r\n" + BODY + b"\r\n0\r\n\r\n",
}


@pytest.mark.rule(10)
@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_refused_and_closed(gateway, data):
    # Requests without a host go to the apps' listener, which reads bodies.
    is_callback = not data.startswith(b"POST")
    host = f"localhost:{gateway.callbacks_port}".encode()
    with gateway.wire() if is_callback else gateway.api_wire() as wire:
        answer = wire.exchange(data.replace(b"{host}", host))
        assert answer.status in (400, 413, 501, 505)
        assert answer.header("Date") and answer.header("Location") is None
        assert (answer.header("Connection") or "close").lower() == "close"
        assert wire.is_closed()


def get(gateway, path, *fields, version=b"1.1"):
    lines = [b"GET " + path + b" HTTP/" + version, f"Host: localhost:{gateway.callbacks_port}".encode(), *fields]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def test_requests_may_be_pipelined(gateway):
    with gateway.wire() as wire:
        wire.send(b"".join(get(gateway, b"/legacy?n=%d" % n) for n in range(20)))
        for n in range(20):
            assert wire.read().header("Location") == f"x-legacy://callback?n={n}"


def test_a_request_may_come_byte_by_byte(gateway):
    with gateway.wire() as wire:
        for byte in get(gateway, b"/legacy?slowly"):
            wire.send(bytes([byte]))
        assert wire.read().header("Location") == "x-legacy://callback?slowly"


def test_a_connection_serves_one_request_after_another_until_asked_to_close(gateway):
    with gateway.wire() as wire:
        for _ in range(3):
            assert wire.exchange(get(gateway, b"/legacy")).status in (302, 303)
        assert wire.exchange(get(gateway, b"/legacy", b"Connection: close")).header("Connection").lower() == "close"
        assert wire.is_closed()


def test_absolute_form_of_the_same_host_is_accepted(gateway):
    target = gateway.url("/legacy?absolute").encode()
    with gateway.wire() as wire:
        assert wire.exchange(get(gateway, target)).header("Location") == "x-legacy://callback?absolute"


def test_a_valid_host_of_nobody_is_404(gateway):
    with gateway.wire() as wire:
        assert wire.exchange(b"GET /legacy HTTP/1.1\r\nHost: evil.example\r\n\r\n").status == 404


def test_the_host_is_compared_without_regard_to_case(gateway):
    with gateway.wire() as wire:
        answer = wire.exchange(f"GET /legacy HTTP/1.1\r\nHost: LOCALHOST:{gateway.callbacks_port}\r\n\r\n".encode())
        assert answer.status in (302, 303)


def test_http_1_0_is_answered_and_closed(gateway):
    with gateway.wire() as wire:
        assert wire.exchange(get(gateway, b"/legacy", version=b"1.0")).status in (302, 303)
        assert wire.is_closed()


@pytest.mark.parametrize("path, status", [(b"/v1/nothing", 404), (b"/v1/requests/" + b"A" * 22, 404)])
def test_http_1_0_without_a_host_is_served_where_none_is_needed(gateway, path, status):
    with gateway.api_wire() as wire:
        assert wire.exchange(b"GET " + path + b" HTTP/1.0\r\nAuthorization: Bearer x\r\n\r\n").status == status


def test_a_client_that_asks_first_is_told_to_continue(gateway):
    with gateway.api_wire() as wire:
        wire.send(POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY))
        assert wire.read().status == 100
        wire.send(BODY)
        assert wire.read().status == 201


def test_a_client_that_asks_first_may_be_refused_at_once(gateway):
    with gateway.api_wire() as wire:
        answer = wire.exchange(POST + b"Expect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
        assert answer.status == 413


def test_an_expectation_that_nobody_knows_is_417(gateway):
    with gateway.api_wire() as wire:
        answer = wire.exchange(POST + b"Expect: miracles\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY)
        assert answer.status == 417


@pytest.mark.parametrize("chunks", [
    b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"%X;name=value\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"00\r\n\r\n",
    b"%x\r\n%s\r\n0\r\nTrailer: ignored\r\n\r\n" % (len(BODY), BODY),
], ids=["one chunk", "with an extension", "byte by byte", "with a trailer"])
def test_a_body_may_be_chunked(gateway, chunks):
    with gateway.api_wire() as wire:
        answer = wire.exchange(CHUNKED + chunks)
        assert answer.status == 201 and json.loads(answer.body)["id"]
        # The connection stands at the right byte.
        assert wire.exchange(b"GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 404


def test_a_callback_cannot_be_smuggled_in_a_body(gateway, api):
    pending = api.begin("com.contoso.app1", scope="openid")
    hidden = get(gateway, authorize(pending.authorization_url).removeprefix(gateway.origin).encode())
    request = f"POST /app1/auth HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n".encode()
    request += b"Content-Length: %d\r\nContent-Type: text/plain\r\n\r\n" % len(hidden)
    with gateway.wire() as wire:
        assert wire.exchange(request + hidden).status in (405, 415)
        try:
            # An answer to a smuggled request would come before this one.
            assert wire.exchange(get(gateway, b"/nothing/here")).status == 404
        except Closed:
            pass
    assert pending.is_untouched()


def connect_tls(port, change):
    context = ssl.create_default_context(cafile=str(CA))
    change(context)
    with socket.create_connection(("localhost", port), timeout=15) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            return secure.version(), secure.cipher()[0], secure.selected_alpn_protocol()


def test_tls_1_2_and_1_3_are_spoken_with_forward_secrecy(gateway):
    def at_most_1_2(context):
        context.maximum_version = ssl.TLSVersion.TLSv1_2

    assert connect_tls(gateway.callbacks_port, lambda context: None)[0] == "TLSv1.3"
    version, cipher, _ = connect_tls(gateway.callbacks_port, at_most_1_2)
    assert version == "TLSv1.2" and cipher.startswith("ECDHE-") and ("GCM" in cipher or "CHACHA20" in cipher)


class TLSClient:
    """A client that passes its TLS records through the test."""

    def __init__(self, port, highest=ssl.TLSVersion.TLSv1_3):
        self.plain = socket.create_connection(("localhost", port), timeout=15)
        self.plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context(cafile=str(CA))
        context.maximum_version = highest
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")

    def attempt(self, operation, *arguments):
        """The result; None if bytes from the server are missing."""
        try:
            return operation(*arguments)
        except ssl.SSLWantReadError:
            return None

    def receive(self):
        self.incoming.write(self.plain.recv(65536))

    def send(self):
        self.plain.sendall(self.outgoing.read())

    def shake_hands(self):
        while self.attempt(lambda: self.tls.do_handshake() or True) is None:
            self.send()
            self.receive()
        self.send()

    def ask(self, request):
        self.tls.write(request)
        self.send()
        while (answer := self.attempt(self.tls.read, 65536)) is None:
            self.receive()
        return answer


def test_sessions_that_come_in_pieces_side_by_side_do_not_mix(gateway):
    """Each record of every connection arrives in two parts, with parts of all the others between them."""
    clients = [TLSClient(gateway.callbacks_port) for _ in range(12)]

    def send():
        pieces = [client.outgoing.read() for client in clients]
        for client, piece in zip(clients, pieces):
            client.plain.sendall(piece[:len(piece) // 2])
        for client, piece in zip(reversed(clients), reversed(pieces)):
            client.plain.sendall(piece[len(piece) // 2:])

    for client in clients:
        client.attempt(client.tls.do_handshake)
    send()
    for client in clients:
        while client.tls.version() is None or not client.outgoing.pending:
            client.receive()
            client.attempt(client.tls.do_handshake)
    send()
    for client in clients:
        client.tls.write(get(gateway, b"/nothing/here"))
    send()
    for client in clients:
        while (answer := client.attempt(client.tls.read, 65536)) is None:
            client.receive()
        assert answer.startswith(b"HTTP/1.1 404 ")
        client.plain.close()


VERSIONS = pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])


@VERSIONS
def test_a_record_that_was_changed_on_its_way_ends_the_connection_with_an_alert(gateway, version):
    client = TLSClient(gateway.callbacks_port, version)
    client.shake_hands()
    assert client.ask(get(gateway, b"/nothing/here")).startswith(b"HTTP/1.1 404 ")
    client.tls.write(get(gateway, b"/nothing/here"))
    record = bytearray(client.outgoing.read())
    record[-1] ^= 1
    client.plain.sendall(record)
    with pytest.raises(ssl.SSLError, match="BAD_RECORD_MAC"):
        while True:
            client.receive()
            client.attempt(client.tls.read, 65536)
    assert_still_serves(gateway)


@VERSIONS
def test_a_client_may_end_a_connection_with_an_alert(gateway, version):
    client = TLSClient(gateway.callbacks_port, version)
    client.shake_hands()
    assert client.ask(get(gateway, b"/nothing/here")).startswith(b"HTTP/1.1 404 ")
    client.incoming.write(b"\x17\x03\x03\x00\x20" + bytes(32))
    with pytest.raises(ssl.SSLError):
        client.tls.read(65536)
    client.send()
    client.plain.settimeout(5)
    while client.plain.recv(65536):
        pass
    assert_still_serves(gateway)


@pytest.mark.parametrize("command", ["K", "k"])
def test_a_client_may_change_the_keys_of_a_connection(gateway, command):
    """The keys of its own records (k), or of the gateway's as well (K), again and again (RFC 8446 section 4.6.3)."""
    words = ["openssl", "s_client", "-connect", f"localhost:{gateway.callbacks_port}", "-CAfile", str(CA), "-tls1_3"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as client:
        os.set_blocking(client.stdout.fileno(), False)
        seen = b""

        def wait_for(text, count):
            nonlocal seen
            end = time.monotonic() + 15
            while seen.count(text) < count:
                assert time.monotonic() < end, seen.decode()
                seen += client.stdout.read() or b""
                time.sleep(0.01)

        def tell(line):
            client.stdin.write(line)
            client.stdin.flush()

        wait_for(b"Verify return code: 0 (ok)", 1)
        for number in range(1, 4):
            tell(command.encode() + b"\n")
            wait_for(b"KEYUPDATE", number)
            tell(get(gateway, b"/nothing/here"))
            wait_for(b"HTTP/1.1 404 ", number)
        client.kill()


def assert_still_serves(gateway):
    client = TLSClient(gateway.callbacks_port)
    client.shake_hands()
    assert client.ask(get(gateway, b"/nothing/here")).startswith(b"HTTP/1.1 404 ")


REFUSED_HEADS = [
    b"HEAD /legacy HTTP/1.1\r\nX: y\r\n\r\n", b"HEAD /legacy HTTP/2.0\r\nHost: {host}\r\n\r\n",
    b"HEAD /" + b"x" * 17000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"HEAD /legacy HTTP/1.1\r\nHost: {host}\r\nX: " + b"x" * 20000 + b"\r\n\r\n",
    b"HEAD /legacy HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n",
    b"HEAD /legacy HTTP/1.1\r\nHost: {host}\r\nExpect: x\r\n\r\n",
]


@pytest.mark.parametrize("data", REFUSED_HEADS, ids=["no Host", "version", "line", "header", "content", "expectation"])
def test_a_refused_head_gets_no_content_either(gateway, data):
    """RFC 9110 section 9.3.2."""
    with gateway.wire() as wire:
        try:
            wire.send(data.replace(b"{host}", f"localhost:{gateway.callbacks_port}".encode()))
        except OSError:
            pass
        answer = wire.read(head=True)
        assert answer.status in (400, 413, 414, 417, 431, 505)
        assert wire.is_closed()


@pytest.mark.parametrize("way", ["unix", "tls", "half a handshake"])
def test_a_peer_that_ends_with_what_it_sends_is_answered_and_let_go(gateway, way):
    """The end may come together with the request. No later event would wake the gateway again."""
    def connect():
        if way == "unix":
            peer = socket.socket(socket.AF_UNIX)
            peer.settimeout(8)
            peer.connect(gateway.socket.removeprefix("unix:"))
            return peer, get(gateway, b"/nothing/here")
        client = TLSClient(gateway.callbacks_port)
        client.plain.settimeout(8)
        if way == "tls":
            client.shake_hands()
            client.tls.write(get(gateway, b"/nothing/here"))
        else:
            client.attempt(client.tls.do_handshake)
        data = client.outgoing.read()
        return client.plain, data if way == "tls" else data[:len(data) // 2]

    peers = [connect() for _ in range(40)]
    for peer, data in peers:
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
    for peer, _ in peers:
        answer = b""
        while piece := peer.recv(65536):
            answer += piece
        assert answer or way == "half a handshake"
        assert way != "unix" or answer.startswith(b"HTTP/1.1 404 ")
        peer.close()


@pytest.mark.parametrize("ciphers", ["ECDHE-ECDSA-AES128-SHA", "AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256"])
def test_weak_suites_are_refused(gateway, ciphers):
    def weaken(context):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(f"{ciphers}:@SECLEVEL=0")

    with pytest.raises((ssl.SSLError, ConnectionError)):
        connect_tls(gateway.callbacks_port, weaken)


def test_alpn_needs_a_protocol_in_common(gateway):
    offered = connect_tls(gateway.callbacks_port, lambda context: context.set_alpn_protocols(["h3", "http/1.1"]))
    assert offered[2] == "http/1.1"
    with pytest.raises((ssl.SSLError, ConnectionError)):
        connect_tls(gateway.callbacks_port, lambda context: context.set_alpn_protocols(["h3"]))


def test_a_connection_ends_with_close_notify(gateway):
    context = ssl.create_default_context(cafile=str(CA))
    plain = socket.create_connection(("localhost", gateway.callbacks_port), timeout=15)
    with context.wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False) as secure:
        secure.sendall(get(gateway, b"/legacy", b"Connection: close"))
        # An end without close_notify, which an attacker can forge, is an exception here.
        while secure.recv(4096):
            pass


def test_plain_http_on_a_tls_port_gets_no_page(gateway):
    with socket.create_connection(("localhost", gateway.callbacks_port), timeout=15) as plain:
        plain.sendall(get(gateway, b"/legacy"))
        try:
            assert b"x-legacy" not in plain.recv(4096)
        except ConnectionResetError:
            pass


def test_a_client_that_goes_away_in_the_middle_harms_nobody(gateway):
    for part in (b"GET /leg", b"GET /legacy HTTP/1.1\r\nHost: l", POST + b"Content-Length: 100\r\n\r\n{"):
        with gateway.api_wire() as wire:
            wire.send(part)
    with gateway.wire() as wire:
        assert wire.exchange(get(gateway, b"/legacy")).status in (302, 303)
        with pytest.raises((Closed, TimeoutError)):
            wire.socket.settimeout(1)
            wire.read()
