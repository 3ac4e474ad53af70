"""The example apps of docs/examples, run as a person would run them, and a front that spoils what they hear."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace

from harness.api import Reply
from harness.held import Visit
from harness.programs import ROOT
from harness.vault import VAULT

FOLDER = ROOT / "docs" / "examples"
PROGRAMS = {"python": [sys.executable, str(FOLDER / "sign_in.py")], "node": ["node", str(FOLDER / "sign_in.mjs")]}
HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY")


class Example:
    """One example app at work, with the test at its terminal."""

    def __init__(self, program, *arguments, env=None):
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN} | (env or {})
        self.process = subprocess.Popen(
            [*program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment)
        self.said = ""

    def hear(self, text, seconds=30):
        """Waits until the program has said this to the person, and forgets what came before."""
        end = time.monotonic() + seconds
        while text not in self.said:
            ready, _, _ = select.select([self.process.stderr], [], [], max(end - time.monotonic(), 0))
            part = os.read(self.process.stderr.fileno(), 65536) if ready else b""
            assert part, f"{text!r} was not said, only {self.said!r}"
            self.said += part.decode()
        before, _, self.said = self.said.partition(text)
        return before

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    @property
    def start_url(self):
        """The address that the person is to open."""
        said = self.hear("Waiting for sign-in ")
        return re.search(r"Open this address in a browser:\n\n  (https://\S+/start/\S+)\n", said)[1]

    def end(self, closes_input=False):
        """Waits for the end: (exit status, token response or None, output since `hear`)."""
        held = self.process.stdin
        if not closes_input:
            # `communicate` would close it at once, and a program that reads no more lines gives its sign-in up.
            self.process.stdin = None
        out, error = self.process.communicate(timeout=60)
        held.close()
        tokens = json.loads(out) if out else None
        VAULT.remember_all(tokens)
        return self.process.returncode, tokens, self.said + error.decode()

    def interrupt(self):
        """Python loses an interrupt that comes while it ends an import, so it gets another one after a while."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def visit(gateway, start_url):
    """The person opens the address, signs in, and comes back."""
    answer = gateway.browse(start_url)
    assert answer.status == 303, answer.text
    return Visit(gateway, SimpleNamespace(authorization_url=answer.header("Location")))


class Front:
    """Stands before a gateway on plain loopback and hands each call on, unless a test has it answer by itself.

    `instead(method)` may answer in the gateway's stead; `spoil(method, reply)` may change what the gateway answered.
    """

    def __init__(self, api):
        self.calls = []
        self.instead = lambda method: None
        self.spoil = lambda method, reply: None
        front = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
                reply = front.instead(self.command)
                if reply is None:
                    reply = api.call(self.command, self.path, body, headers=dict(self.headers))
                    front.calls.append((self.command, dict(self.headers), reply))
                    reply = front.spoil(self.command, reply) or reply
                self.send_response(reply.status)
                for name in ("Content-Type", "Retry-After"):
                    if reply.header(name):
                        self.send_header(name, reply.header(name))
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self._handler = Handler
        self.open(0)

    def open(self, port):
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler)
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def close(self):
        self._server.shutdown()
        self._server.socket.close()

    @staticmethod
    def answer(status, body, **headers):
        return Reply(status, headers, json.dumps(body).encode())
