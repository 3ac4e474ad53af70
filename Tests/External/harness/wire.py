"""HTTP/1.1 written and read byte by byte, for what an ordinary client would tidy up or refuse to send."""

import os
import socket
import ssl
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from harness.vault import VAULT


@cache
def _context(ca, written):
    return ssl.create_default_context(cafile=ca)


def context(ca):
    """A TLS context that trusts this file. OpenSSL takes milliseconds to make one, so each file has one in a process."""
    return _context(str(ca), os.stat(ca).st_mtime_ns)


@dataclass(frozen=True)
class Answer:
    """One response as it came."""

    status: int
    headers: tuple
    body: bytes

    def header(self, name):
        """The value of a header field, or None; several are joined as RFC 9110 says."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    @property
    def text(self):
        return self.body.decode()


class Closed(Exception):
    """The peer closed the connection where an answer was expected."""


class Wire:
    """A connection on which a test writes what it likes."""

    def __init__(self, host, port, ca=None, seconds=15, source=None):
        plain = socket.create_connection((host, port), timeout=seconds, source_address=source and (source, 0))
        # As browsers do. Otherwise a request waits until the peer has confirmed the end of the handshake, 40 ms later.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = plain if ca is None else context(ca).wrap_socket(plain, server_hostname="localhost")
        self._buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def exchange(self, data, head=False):
        """Sends a request and reads its answer. A peer that stops reading early may still have answered."""
        try:
            self.send(data)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass
        return self.read(head=head)

    def read(self, head=False):
        lines = self._take_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines[1:]))
        fields = {name.lower(): value for name, value in headers}
        if head or status in (204, 304) or status < 200:
            body = b""
        elif fields.get("transfer-encoding", "").lower() == "chunked":
            body = self._take_chunks()
        elif "content-length" in fields:
            body = self._take(int(fields["content-length"]))
        else:
            body = self._take_rest()
        return Answer(status, headers, body)

    def is_closed(self):
        """Whether the peer ends the connection without further bytes."""
        try:
            return self._buffer == b"" and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError as error:
            raise Closed("reset") from error
        if not data:
            raise Closed(f"closed after {self._buffer[:200]!r}")
        self._buffer += data

    def _take(self, count):
        while len(self._buffer) < count:
            self._more()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _take_until(self, mark):
        while mark not in self._buffer:
            self._more()
        taken, _, self._buffer = self._buffer.partition(mark)
        return taken

    def _take_chunks(self):
        body = b""
        while size := int(self._take_until(b"\r\n").split(b";")[0], 16):
            body += self._take(size)
            self._take(2)
        while self._take_until(b"\r\n"):
            pass
        return body

    def _take_rest(self):
        try:
            while True:
                self._more()
        except Closed:
            taken, self._buffer = self._buffer, b""
            return taken


def request(url, ca=None, method="GET", headers=(), body=b"", source=None):
    """Sends one request to a URL, its target byte for byte, on a connection of its own, from `source` if given."""
    VAULT.remember_url(url)
    parts = urlsplit(url)
    target = url.split("#")[0].removeprefix(f"{parts.scheme}://{parts.netloc}") or "/"
    lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in dict(headers).items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    data = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
    with Wire(parts.hostname, parts.port, ca if parts.scheme == "https" else None, source=source) as wire:
        return wire.exchange(data, head=method == "HEAD")
