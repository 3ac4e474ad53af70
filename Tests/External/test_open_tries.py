"""`switchyard open` at a gateway with a late or lost first answer."""

import json
import socket
import threading
import time

from harness.programs import run

URL = "msauth.com.contoso.app1://auth?code=c&state=s"
CONSUMED = {"handled": False, "reason": "already_consumed"}


class Scripted:
    """A gateway that a test scripts, one entry for each connection: an answer, or None to close without one."""

    def __init__(self, folder, answers, delay=0):
        self.path, self.answers, self.delay, self.calls = folder / "gateway.sock", answers, delay, 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self.path))
        self._socket.listen(8)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        for answer in self.answers:
            connection, _ = self._socket.accept()
            with connection:
                if answer == "unread":
                    continue
                self._read(connection)
                self.calls += 1
                time.sleep(self.delay)
                if answer is not None:
                    status, body = answer
                    content = json.dumps(body).encode()
                    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
                    connection.sendall(head.encode() + content)

    def _read(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(65536)
        head, content = data.split(b"\r\n\r\n", 1)
        length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")).split(b":")[1])
        while len(content) < length:
            content += connection.recv(65536)

    def open(self):
        return run("open", URL, "--gateway", f"unix:{self.path}")


def test_a_second_try_of_its_own_is_not_told_as_another_callback(tmp_path):
    gateway = Scripted(tmp_path, [None, (409, CONSUMED)])
    done = gateway.open()
    assert gateway.calls == 2
    assert done.returncode == 0 and "already_consumed" not in done.stderr, done.stderr


def test_a_callback_that_was_taken_before_is_told_as_that(tmp_path):
    done = Scripted(tmp_path, [(409, CONSUMED)]).open()
    assert done.returncode == 1 and "already_consumed" in done.stderr


def test_it_waits_as_long_as_the_slowest_handler_may_take(tmp_path):
    """Some 45 s; here it is longer than other calls may take."""
    gateway = Scripted(tmp_path, [(200, {"handled": True, "app": "com.contoso.app1"})], delay=17)
    done = gateway.open()
    assert done.returncode == 0 and gateway.calls == 1, done.stderr
