"""OpenSSL's client by its C interface, for what Python's `ssl` does not offer."""

import ctypes
import ctypes.util
import socket

WANT_READ = 2


def _library():
    library = ctypes.CDLL(ctypes.util.find_library("ssl"))
    for name, result, arguments in (
            ("TLS_client_method", ctypes.c_void_p, []), ("SSL_CTX_new", ctypes.c_void_p, [ctypes.c_void_p]),
            ("SSL_new", ctypes.c_void_p, [ctypes.c_void_p]), ("SSL_set_fd", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
            ("SSL_connect", ctypes.c_int, [ctypes.c_void_p]), ("SSL_free", None, [ctypes.c_void_p]),
            ("SSL_CTX_free", None, [ctypes.c_void_p]), ("SSL_key_update", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
            ("SSL_do_handshake", ctypes.c_int, [ctypes.c_void_p]),
            ("SSL_write", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]),
            ("SSL_read", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int])):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Client:
    """One TLS connection; the server's certificate is not looked at."""

    def __init__(self, port, seconds=15):
        self._library = _library()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        # The library reads from the descriptor itself.
        self._socket.setblocking(True)
        self._context = self._library.SSL_CTX_new(self._library.TLS_client_method())
        self._session = self._library.SSL_new(self._context)
        self._library.SSL_set_fd(self._session, self._socket.fileno())
        assert self._library.SSL_connect(self._session) == 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._library.SSL_free(self._session)
        self._library.SSL_CTX_free(self._context)
        self._socket.close()

    def update_key(self, asks_for_answer=False):
        """Sends a KeyUpdate. False if the connection is over."""
        return (self._library.SSL_key_update(self._session, int(asks_for_answer)) == 1
                and self._library.SSL_do_handshake(self._session) == 1)

    def write(self, data):
        return self._library.SSL_write(self._session, data, len(data)) == len(data)

    def read(self, size=65536):
        """The bytes that are there; no bytes once the connection is over."""
        buffer = ctypes.create_string_buffer(size)
        count = self._library.SSL_read(self._session, buffer, size)
        return buffer.raw[:count] if count > 0 else b""
