"""Connections that can be cut and stalled: a forwarder between two programs."""

import asyncio

from harness.programs import free_port


class Link:
    """Forwards TCP connections to a port, until a trouble cuts them."""

    def __init__(self, target):
        self.port, self._target = free_port(), target
        self._writers = set()
        self._flows = asyncio.Event()
        self._flows.set()

    async def start(self):
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        return self

    def cut(self):
        """Ends every connection at once, in the middle of whatever it carries."""
        for writer in list(self._writers):
            writer.transport.abort()

    def stall(self):
        """Takes no byte on until `flow` is called."""
        self._flows.clear()

    def flow(self):
        self._flows.set()

    def close(self):
        self._server.close()
        self.cut()

    async def _accept(self, reader, writer):
        other = None
        self._writers.add(writer)
        try:
            other_reader, other = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(other)
            await asyncio.gather(self._forward(reader, other), self._forward(other_reader, writer))
        except (OSError, asyncio.CancelledError):
            pass  # ended by one side, or by the end of the run
        finally:
            for end in (writer, other):
                if end is not None:
                    self._writers.discard(end)
                    end.transport.abort()

    async def _forward(self, reader, writer):
        while data := await reader.read(65536):
            await self._flows.wait()
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
