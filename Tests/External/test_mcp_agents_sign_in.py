"""Claude Code and Codex start `switchyard mcp` before a server that wants a token; the person learns of it from the desktop, signs in
with a browser, and the client has the server's tools."""

import json
import os
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.agents import CLAUDE, CODEX, CodexServer
from harness.keyring import Desktop
from harness.mcp_world import Browser, World, alone
from harness.programs import SWITCHYARD, eventually
from harness.protected_mcp import ProtectedServer


@pytest.fixture
def world(run_folder, tmp_path, monkeypatch):
    """A home where neither an agent nor a gateway is, and a desktop that shows notifications."""
    folder = tmp_path / "desktop"
    folder.mkdir()
    desktop = Desktop(folder).start_bus().start_notices()
    world = World(ProtectedServer(run_folder), Browser, alone(tmp_path))
    world.home, world.desktop = tmp_path, desktop
    (tmp_path / "codex").mkdir()
    environment = world.environment | {
        "CODEX_HOME": str(tmp_path / "codex"), "SWITCHYARD_GATEWAY": "", "SWITCHYARD_CA": "",
        "DBUS_SESSION_BUS_ADDRESS": desktop.environment["DBUS_SESSION_BUS_ADDRESS"]}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    yield world
    world.stop()
    desktop.close()


def person(world, number=1):
    """Reads the address in the notification, and signs in."""
    notice = eventually(lambda: len(world.desktop.shown) >= number and world.desktop.shown[number - 1], what="the notification")
    address = re.search(r"(http\S+)", notice["text"])[1].replace("&amp;", "&")
    return world.server.sign_in(world.browser, address)


def run(world, *arguments, **more):
    return subprocess.Popen(
        [str(one) for one in arguments], cwd=world.home, env=os.environ | more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)


def say(world, *arguments):
    process = run(world, *arguments)
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said
    return said


def add(world, client):
    # The variables in the file: Codex gives its servers few of its own.
    names = ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS")
    given = [word for name in names for word in ("--env", f"{name}={os.environ[name]}")]
    words = ("docs", *given) if client == CODEX else ("docs", *[word.replace("--env", "-e") for word in given])
    say(world, client, "mcp", "add", *words, "--", SWITCHYARD, "mcp", world.server.url)


def test_claude_code_connects_after_a_sign_in(world):
    add(world, CLAUDE)
    looking = run(world, CLAUDE, "mcp", "get", "docs")
    person(world)
    said = looking.communicate(timeout=120)[0]
    assert "Connected" in said, said
    assert len(world.server.token_requests) == 1


def test_codex_lists_the_tools_after_a_sign_in(world):
    add(world, CODEX)
    with CodexServer(world.home) as codex:
        codex.ask(1, "mcpServerStatus/list")
        person(world)
        docs, = codex.answer(1)["data"]
        assert list(docs["tools"]) == ["add"], docs


class Model:
    """The service of a model in the place of Anthropic's: it reads a file until the server's tool is there, calls that, and ends with
    what it gave."""

    def __init__(self, file):
        model = self
        self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                tools = [tool["name"] for tool in asked.get("tools", [])]
                if "/v1/messages" not in self.path or "count_tokens" in self.path:
                    return self.reply({"input_tokens": 1})
                model.asked.append(asked)
                results = [part for message in asked["messages"] if isinstance(message["content"], list)
                           for part in message["content"] if part.get("type") == "tool_result" and part["tool_use_id"] == "toolu_add"]
                wanted = next((name for name in tools if name.endswith("__add")), None)
                if results:
                    block = {"type": "text", "text": "It is " + json.dumps(results[-1]["content"])}
                elif wanted:
                    block = {"type": "tool_use", "id": "toolu_add", "name": wanted, "input": {"a": 2, "b": 3}}
                elif len(model.asked) > 60:
                    block = {"type": "text", "text": "The tool did not come."}
                else:
                    # Claude Code asks its model before its servers are there.
                    time.sleep(0.5)
                    block = {"type": "tool_use", "id": f"toolu_{len(model.asked)}", "name": "Read", "input": {"file_path": str(file)}}
                self.events(block, asked) if asked.get("stream") else self.reply(self.message(asked, [block], self.reason(block)))

            def reason(self, block):
                return "tool_use" if block["type"] == "tool_use" else "end_turn"

            def message(self, asked, content, reason):
                return {"id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "content": content,
                        "stop_reason": reason, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}

            def reply(self, body):
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def events(self, block, asked):
                is_text = block["type"] == "text"
                begun = {"type": "text", "text": ""} if is_text else block | {"input": {}}
                delta = {"type": "text_delta", "text": block["text"]} if is_text else {
                    "type": "input_json_delta", "partial_json": json.dumps(block["input"])}
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for event in (
                        {"type": "message_start", "message": self.message(asked, [], None)},
                        {"type": "content_block_start", "index": 0, "content_block": begun},
                        {"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "content_block_stop", "index": 0},
                        {"type": "message_delta", "delta": {"stop_reason": self.reason(block), "stop_sequence": None}, "usage": {"output_tokens": 1}},
                        {"type": "message_stop"}):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def test_a_tool_is_called_by_claude_code_after_a_sign_in(world):
    """The model is a stand-in that asks for the tool; everything between it and the server is real."""
    add(world, CLAUDE)
    (world.home / "note").write_text("wait")
    model = Model(world.home / "note")
    try:
        working = run(
            world, CLAUDE, "-p", "Add 2 and 3.", "--allowedTools", "mcp__docs__add", ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_API_KEY="none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", MCP_TIMEOUT="60000", ENABLE_TOOL_SEARCH="false")
        person(world)
        said = working.communicate(timeout=120)[0]
        assert "It is" in said and "5" in said, (said, [tool["name"] for tool in model.asked[-1].get("tools", [])])
    finally:
        working.kill()
        model.stop()
