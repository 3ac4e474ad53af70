"""A program at each end of `switchyard mcp`: a client on its standard input and output, and a server that does as a test says."""

import json
import os
import queue
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

from harness.programs import ROOT, SWITCHYARD

MODERN = "2026-07-28"


def call(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def modern(number, method, capabilities=None, **params):
    meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": capabilities or {}}
    return call(number, method, _meta=meta, **params)


def initialize(number=0, **capabilities):
    return call(number, "initialize", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo={"name": "test", "version": "1"})


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def result(message, **members):
    return {"jsonrpc": "2.0", "id": message["id"], "result": members}


class Bridge:
    """A running `switchyard mcp`."""

    def __init__(self, url, *options, env=None):
        self.process = subprocess.Popen(
            [str(SWITCHYARD), "mcp", url, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
            env=os.environ | (env or {}))
        self.lines, self.notes = queue.Queue(), []
        self._threads = [threading.Thread(target=self._read, daemon=True), threading.Thread(target=self._note, daemon=True)]
        for thread in self._threads:
            thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def _note(self):
        for line in self.process.stderr:
            self.notes.append(line.decode(errors="replace"))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def line(self, seconds=30):
        """The next line that the client gets, as bytes."""
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no line came; standard error has {''.join(self.notes)}") from None

    def next(self, seconds=30):
        return json.loads(self.line(seconds))

    def ask(self, message):
        self.send(message)
        answer = self.next()
        assert answer["id"] == message["id"], answer
        return answer

    def begin(self, **capabilities):
        answer = self.ask(initialize(**capabilities))
        self.send(INITIALIZED)
        return answer

    def finish(self, seconds=30):
        """Closes standard input. Returns the exit status, and leaves what else came in `lines`."""
        self.process.stdin.close()
        return self.end(seconds)

    def end(self, seconds=30):
        status = self.process.wait(seconds)
        for thread in self._threads:
            thread.join(10)
        return status

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Standin:
    """An HTTP server whose answers a test writes: `answer(exchange)` is called for each request, on a thread of its own."""

    def __init__(self, answer):
        standin = self
        self.requests, self.arrived = [], threading.Condition()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                self.content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.message = json.loads(self.content) if self.content else None
                with standin.arrived:
                    # A copy: the next request of the connection comes to the same object.
                    standin.requests.append(SimpleNamespace(
                        command=self.command, headers=self.headers, content=self.content, message=self.message, method=self.method))
                    standin.arrived.notify_all()
                try:
                    answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *_):
                pass

            @property
            def method(self):
                return (self.message or {}).get("method")

            def reply(self, status, body=b"", kind="application/json", **fields):
                body = json.dumps(body).encode() if isinstance(body, dict) else body
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                if body:
                    self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def stream(self, *events, **fields):
                """A stream of events that ends with its connection."""
                self.send_response(200)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                for event in events:
                    self.event(event)

            def stream_until(self, closed):
                """A stream of comments that ends with its client; sets `closed` then."""
                try:
                    self.stream(b": 1\n\n")
                    while True:
                        self.event(b": still here\n\n")
                        closed.wait(0.02)
                except OSError:
                    closed.set()

            def event(self, event):
                self.wfile.write(event if isinstance(event, bytes) else b"data: " + json.dumps(event).encode() + b"\n\n")
                self.wfile.flush()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/mcp"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, condition, seconds=30):
        """The first request for which the condition is true."""
        def found():
            return next((one for one in self.requests if condition(one)), None)

        with self.arrived:
            assert self.arrived.wait_for(found, seconds), [(one.command, one.method) for one in self.requests]
            return found()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def legacy(exchange, session="session-1"):
    """The answers of an ordinary server of revision 2025-11-25."""
    if exchange.command == "GET":
        exchange.reply(405)
    elif exchange.command == "DELETE":
        exchange.reply(204)
    elif exchange.method == "initialize":
        exchange.reply(200, result(exchange.message, protocolVersion="2025-11-25", capabilities={}, serverInfo={"name": "s", "version": "1"}),
                       **({"Mcp_Session_Id": session} if session else {}))
    elif "id" not in exchange.message or "method" not in exchange.message:
        exchange.reply(202)
    else:
        exchange.reply(200, result(exchange.message, echo=exchange.message.get("params")))
