"""Apps that keep their own state, as handlers reach them: on a socket, as a program, behind a webhook, on a session bus."""

import http.server
import json
import re
import secrets
import socket
import threading
from pathlib import Path

from harness.vault import VAULT

FRENCH = {"Accept-Language": "fr"}
# A program's own face: how it is started, and what it does with its ticket.
FETCHER = Path(__file__).with_name("fetcher.py")


def app_of(gateway, name, handler, **keys):
    """A registration of an app with this handler."""
    return {
        "id": f"com.contoso.{name}", "name": f"Contoso {name.title()}", "issuer": "demo", "client_id": "own-state",
        "redirect_uris": [gateway.url(f"/{name}"), f"x-contoso-{name}://auth"], "handler": handler, **keys,
    }


def query(**more):
    """A callback's parameters, with a code and a state that no log may show."""
    fields = {"code": secrets.token_urlsafe(24), "state": secrets.token_urlsafe(24), **more}
    for name in ("code", "state"):
        VAULT.remember(name, fields[name])
    return "&".join(f"{name}={value}" for name, value in fields.items())


def bring(gateway, name, parameters, **options):
    """A browser brings a callback."""
    return gateway.browse(gateway.url(f"/{name}?{parameters}"), **options)


def cookie_of(answer):
    """The cookies of an answer, as the browser sends them back."""
    return "; ".join(value.split(";")[0] for name, value in answer.headers if name.lower() == "set-cookie")


def done_page(gateway, answer, **headers):
    """The page that an answer sends its browser to."""
    assert answer.status == 303, (answer.status, answer.text)
    location = answer.header("Location")
    assert location.startswith("/done/") and "code" not in location
    return gateway.browse(gateway.url(location), headers={"Cookie": cookie_of(answer), **headers}).text


def heading(page):
    return re.search("<h1[^>]*>(.*?)</h1>", page).group(1)


class SocketApp:
    """An app that listens on a Unix socket; `answer` gets each line that came and gives what is sent back, in pieces."""

    def __init__(self, path, answer=lambda line: [b'{"handled":true}\n']):
        self.path, self.answer, self.lines = path, answer, []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(16)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        with connection:
            line = connection.makefile().readline()
            self.lines.append(json.loads(line))
            try:
                for piece in self.answer(line):
                    connection.sendall(piece)
            except OSError:
                pass  # the gateway has had enough

    def close(self):
        self.listener.close()
        self.path.unlink(missing_ok=True)


class Receiver:
    """A webhook's receiver on loopback, which answers with each of `statuses` in turn and then with 204."""

    def __init__(self, statuses=(), headers=()):
        self.statuses, self.received = list(statuses), []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.received.append((self.path, dict(self.headers), body))
                self.send_response(receiver.status(body))
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def status(self, body):
        return self.statuses.pop(0) if self.statuses else 204

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def processes():
    """The arguments and the environment of every process that this user may look at."""
    seen = b""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            for name in ("cmdline", "environ"):
                try:
                    seen += (folder / name).read_bytes() + b"\n"
                except OSError:
                    pass
    return seen


def events(gateway, event, reference=None):
    """Lines of the gateway's log about an event."""
    return [line for line in gateway.output().splitlines()
            if f"event={event} " in line and (reference is None or reference in line)]


def reference_of(answer):
    return answer.header("Location").rsplit("/", 1)[1]
