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
        self._open, self._lock, self._is_over = [], threading.Lock(), False
        self._listener = socket.create_server(("127.0.0.1", self.port))
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
            pair = (client, socket.create_connection(("127.0.0.1", self._target)))
            with self._lock:
                self._open.append(pair)
                self.accepted += 1
            threading.Thread(target=self._forward, args=pair, daemon=True).start()

    @staticmethod
    def _forward(*pair):
        with selectors.DefaultSelector() as selector:
            try:
                for end, other in (pair, pair[::-1]):
                    selector.register(end, selectors.EVENT_READ, other)
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        key.data.sendall(data)
            except (OSError, ValueError):
                return
            finally:
                for end in pair:
                    end.close()
