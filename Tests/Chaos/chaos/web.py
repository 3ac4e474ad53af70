"""HTTP as an app or a browser speaks it, over TLS, from one of many on the same loop."""

import asyncio
import json
import ssl
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit


class Broken(Exception):
    """No answer, or an incomplete one."""


class Endless(Exception):
    """A stream that goes on when it must have ended."""


@dataclass
class Answer:
    status: int
    fields: list
    body: bytes = b""

    def all(self, name):
        return [value for key, value in self.fields if key == name]

    def first(self, name, default=None):
        return next(iter(self.all(name)), default)

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Broken("no JSON") from error

    @property
    def pause(self):
        """How long to wait before the next try: what the answer asks for, within reason for a test."""
        return min(float(self.first("retry-after", "0.3") or 0.3), 1.0) or 0.1


@dataclass
class Web:
    """Trusts one certificate authority, and comes from one address."""

    ca: str
    source: str = "127.0.0.1"
    connections: int = field(default=0, init=False)

    def __post_init__(self):
        self._context = ssl.create_default_context(cafile=self.ca)

    async def fetch(self, method, url, headers=None, body=b"", seconds=8, kept=None):
        """One request and its whole answer.
        :param kept: a list with the connection that is to be used again, if there is one; else each request has its own
        :raises Broken:"""
        async with self._exchange(method, url, headers, body, seconds, kept) as (answer, reader):
            answer.body = await _content(answer, reader)
            return answer

    async def events(self, url, headers, seconds=20, until=float("inf")):
        """The data of each event of a stream, until it ends; `seconds` is how long it may be silent.
        The first thing given is the answer itself where it is no stream.
        :param until: by the monotonic clock, when it has to have ended
        :raises Broken:
        :raises Endless:"""
        try:
            async with self._exchange("GET", url, headers | {"Accept": "text/event-stream"}, b"", 20, lasts=True) as (answer, reader):
                if answer.status != 200 or not answer.first("content-type", "").startswith("text/event-stream"):
                    answer.body = await _content(answer, reader)
                    yield answer
                    return
                chunks = _chunks(reader) if answer.first("transfer-encoding") else _lines(reader)
                buffer = b""
                while True:
                    async with asyncio.timeout(seconds):
                        chunk = await anext(chunks, None)
                    if chunk is None:
                        return
                    if time.monotonic() > until and not chunk.startswith(b"event"):
                        raise Endless
                    buffer += chunk
                    while b"\n\n" in buffer:
                        event, _, buffer = buffer.partition(b"\n\n")
                        data = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
                        if data:
                            yield json.loads(b"\n".join(data))
        except (OSError, TimeoutError, EOFError, ValueError) as error:
            raise Broken(repr(error)) from error

    @asynccontextmanager
    async def _exchange(self, method, url, headers, body, seconds, kept=None, lasts=False):
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        fields = {"Host": parts.netloc} | ({"Connection": "close"} if kept is None else {}) | (headers or {})
        if body:
            fields["Content-Length"] = len(body)
        head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        writer, is_whole = None, False
        try:
            async with asyncio.timeout(seconds) as patience:
                reader, writer = kept.pop() if kept else (None, None)
                secure = {"ssl": self._context, "server_hostname": parts.hostname} if parts.scheme == "https" else {}
                if writer is None:
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", parts.port, local_addr=(self.source, 0), limit=1 << 20, **secure)
                    self.connections += 1
                writer.write(head.encode("latin-1") + body)
                answer = await _head(reader)
                if lasts:
                    patience.reschedule(None)
                yield answer, reader
                is_whole = True
        except (OSError, TimeoutError, EOFError, ValueError, ssl.SSLError) as error:
            raise Broken(repr(error)) from error
        finally:
            if is_whole and kept is not None and not kept and answer.first("connection", "").lower() != "close":
                kept.append((reader, writer))
            elif writer is not None:
                writer.transport.abort()


async def _head(reader):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:] if line)]
    return Answer(int(lines[0].split(" ")[1]), fields)


async def _content(answer, reader):
    if answer.status in (204, 304):
        return b""
    if answer.first("transfer-encoding"):
        return b"".join([chunk async for chunk in _chunks(reader)])
    if (length := answer.first("content-length")) is not None:
        return await reader.readexactly(int(length))
    return await reader.read()


async def _chunks(reader):
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)


async def _lines(reader):
    while line := await reader.readline():
        yield line
