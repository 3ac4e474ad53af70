"""`switchyard mcp` under real coding agents: Claude Code and Codex, as their wheels bring them, as far as they go without an account."""

import subprocess

import pytest

from harness.agents import CLAUDE, CODEX, CodexServer
from harness.mcp import Standin, legacy, result
from harness.programs import SWITCHYARD

TOOL = {"name": "greet", "description": "Greets.", "inputSchema": {"type": "object", "properties": {}}}


def answer(exchange):
    if exchange.method == "initialize":
        capabilities = {"tools": {}}
        return exchange.reply(200, result(
            exchange.message, protocolVersion=exchange.message["params"]["protocolVersion"], capabilities=capabilities,
            serverInfo={"name": "standin", "version": "1"}), Mcp_Session_Id="one")
    if exchange.method == "tools/list":
        return exchange.reply(200, result(exchange.message, tools=[TOOL]))
    legacy(exchange)


@pytest.fixture
def server():
    standin = Standin(answer)
    yield standin
    standin.stop()


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    (tmp_path / "codex").mkdir()
    return tmp_path


def say(*arguments, home):
    done = subprocess.run([str(one) for one in arguments], cwd=home, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_claude_code_connects(server, home):
    say(CLAUDE, "mcp", "add", "docs", "--", SWITCHYARD, "mcp", server.url, home=home)
    assert "Connected" in say(CLAUDE, "mcp", "get", "docs", home=home)
    server.wait_for(lambda one: one.method == "initialize")


def test_codex_lists_the_tools(server, home):
    say(CODEX, "mcp", "add", "docs", "--", SWITCHYARD, "mcp", server.url, home=home)
    with CodexServer(home) as codex:
        codex.ask(1, "mcpServerStatus/list")
        docs, = codex.answer(1)["data"]
        assert docs["serverInfo"]["name"] == "standin" and list(docs["tools"]) == ["greet"]
