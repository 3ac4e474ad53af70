"""A way to a gateway on which connections break."""

import selectors
import socket
import struct
import threading

from harness.programs import free_port


class CuttingProxy:
    """Forwards TCP connections, and cuts those that are open when it is told to."""

    def __init__(self, port):
        self.port, self._target = free_port(), port
        self._start(socket.create_server(("127.0.0.1", self.port)))

    def _connect(self):
        return socket.create_connection(("127.0.0.1", self._target))

    def _start(self, listener):
        self._open, self._lock, self._is_over = [], threading.Lock(), False
        self._listener = listener
        self.accepted = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Ends every connection as a network that has gone does: with a reset."""
        with self._lock:
            pairs, self._open = self._open, []
        for pair in pairs:
            for end in pair:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    end.shutdown(socket.SHUT_RD)  # the thread that forwards closes it
                except OSError:
                    pass  # closed already
        return len(pairs)

    def close(self):
        self._is_over = True
        self._listener.close()
        self.cut()

    def _accept(self):
        while not self._is_over:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                pair = (client, self._connect())
            except OSError:
                client.close()  # nobody listens there at the moment
                continue
            with self._lock:
                self._open.append(pair)
                self.accepted += 1
            threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _heard(self, end, data):
        """Lets a test see the messages."""

    def _forward(self, *pair):
        with selectors.DefaultSelector() as selector:
            try:
                for end, other in (pair, pair[::-1]):
                    selector.register(end, selectors.EVENT_READ, other)
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        self._heard(key.fileobj, data)
                        key.data.sendall(data)
            except (OSError, ValueError):
                return
            finally:
                for end in pair:
                    end.close()


class ListeningProxy(CuttingProxy):
    """The same on Unix sockets, with all that goes through in `heard`, in its order."""

    def __init__(self, path, target):
        self.address, self._target = f"unix:{path}", target.removeprefix("unix:")
        self.heard = bytearray()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        self._start(listener)

    def _connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self._target)
        return connection

    def _heard(self, end, data):
        self.heard += data
