"""Real coding agents, as their wheels bring them: Claude Code and Codex."""

import json
import os
import queue
import subprocess
import threading
from pathlib import Path

import claude_agent_sdk
import codex_cli_bin

CLAUDE = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
CODEX = Path(codex_cli_bin.__file__).parent / "bin" / "codex"


class CodexServer:
    """Codex as an editor drives it, over standard input and output. Its servers start with the first question about them."""

    def __init__(self, home):
        self.process = subprocess.Popen(
            [str(CODEX), "app-server"], cwd=home, env=dict(os.environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        self.ask(0, "initialize", clientInfo={"name": "test", "title": "test", "version": "1"})
        self.answer(0)
        self._send(method="initialized")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, number, method, **params):
        self._send(id=number, method=method, params=params)

    def answer(self, number):
        while True:
            message = self.lines.get(timeout=120)
            if message.get("id") == number:
                return message["result"]

    def _send(self, **message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
