"""MCP servers of Python that begin as copies of one process, which has loaded their libraries. To load them takes some seconds,
most of what such a test took.

As a program: it reads a line of JSON for each server from standard input, and answers with its process.
"""

import contextlib
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys

from harness.programs import Program


class CopiedProgram(Program):
    """A script that runs in a copy of the process."""

    def __init__(self, log, script, *arguments):
        super().__init__(log, *arguments, program=script)

    def _begin(self):
        return Copy(_nursery().ask(self._arguments, self.log))


class Copy:
    """A process that is not a child of this one. Its exit status is not known."""

    def __init__(self, process):
        self.pid = process
        self._descriptor = os.pidfd_open(process)

    def __del__(self):
        os.close(self._descriptor)

    def poll(self):
        return 0 if select.select([self._descriptor], [], [], 0)[0] else None

    def wait(self, timeout=None):
        if not select.select([self._descriptor], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
        return 0

    def send_signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class _Nursery:
    def __init__(self):
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "harness.nursery"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)

    def ask(self, arguments, log):
        """Begins a server, and returns its process."""
        self._process.stdin.write(json.dumps({"arguments": arguments, "log": str(log)}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


_nurseries = []


def _nursery():
    """The one of this worker. It ends with the worker, which closes its input."""
    if not _nurseries:
        _nurseries.append(_Nursery())
    return _nurseries[0]


def _run(arguments, log):
    """The life of a copy."""
    for number, path in ((0, os.devnull), (1, log), (2, log)):
        os.dup2(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT), number)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(os.path.dirname(arguments[0]))
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


def _serve():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The kernel forgets each copy as it ends.
    for module in ("mcp.server.mcpserver", "mcp.server.auth.settings", "httpx", "uvicorn"):
        importlib.import_module(module)
    for line in sys.stdin:
        asked = json.loads(line)
        if "fastmcp" in asked["arguments"]:
            importlib.import_module("fastmcp.server.auth")
        process = os.fork()
        if process == 0:
            _run(asked["arguments"], asked["log"])
            os._exit(0)
        print(process, flush=True)


if __name__ == "__main__":
    _serve()
