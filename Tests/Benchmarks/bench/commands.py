"""Commands that a person's programs start: how long one waits for them."""

import http.client
import json
import os
import socket
import ssl
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bench.gateway import TLS
from bench.machine import CERTIFICATES, SWITCHYARD
from bench.processes import Server, accepts, free_port
from bench.results import Row

MCP_SERVER = Path(__file__).with_name("mcp_server.py")


class Agent(Server):
    """`switchyard agent` with a home of its own, and its answers on a Unix socket."""

    def __init__(self, work, core, issuer):
        home = work / "agent"
        home.mkdir(mode=0o700)
        self.port = free_port()
        self.redirect_uri = f"https://localhost:{self.port}/app1/auth"
        self.socket = home / "switchyard" / "agent.sock"
        self.environment = os.environ | {
            "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/no-bus",
        }
        file = home / "agent.yaml"
        file.write_text(
            f"public_url: https://localhost:{self.port}\n"
            f"listen:\n  - address: 127.0.0.1:{self.port}\n{TLS}    serve: [callbacks]\n"
            f"issuers:\n  - {{ name: bench, issuer: \"{issuer.url}\", ca: {CERTIFICATES}/ca.pem }}\n"
            "log: { level: error }\n"
            "apps:\n"
            "  - id: com.contoso.app1\n    name: App\n    issuer: bench\n    client_id: bench\n    release: none\n"
            f"    default_scope: openid profile offline_access\n    redirect_uris: [\"{self.redirect_uri}\"]\n")
        super().__init__("switchyard agent", [SWITCHYARD, "agent", "--config", file], core, environment=self.environment)

    def is_ready(self):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def sign_in(self):
        """Whole, as a browser that the issuer knows does it: every redirect is followed."""
        begun = self._call("POST", "/v1/requests", {
            "app": "com.contoso.app1", "redirect_uri": self.redirect_uri, "scope": "openid profile offline_access"})
        trust = ssl.create_default_context(cafile=CERTIFICATES / "ca.pem")
        with urllib.request.urlopen(begun["authorization_url"], context=trust, timeout=30) as page:
            page.read()
        while self._call("GET", f"/v1/requests/{begun['id']}", token=begun["result_token"])["status"] == "pending":
            time.sleep(0.05)

    def _call(self, method, path, content=None, token=None):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.socket))
        fields = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request(method, path, json.dumps(content) if content is not None else None, fields)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 400:
            raise SystemExit(f"the agent answered {method} {path} with {answer.status}: {text.decode()}")
        return json.loads(text)


def token(bench, results):
    """`switchyard token` as a process, with the token in the agent's cache."""
    bench.say("`switchyard token`, a process each")
    times = []
    with Agent(bench.work, bench.cores.server, bench.issuer) as agent:
        agent.sign_in()
        for _ in range(20 if bench.is_quick else 200):
            start = time.monotonic()
            subprocess.run(
                [SWITCHYARD, "token", "--app", "com.contoso.app1", "--gateway", f"unix:{agent.socket}"],
                env=agent.environment, stdout=subprocess.DEVNULL, check=True)
            times.append((time.monotonic() - start) * 1000)
    each = statistics.median(times)
    results.rows.append(Row("`switchyard token` as a process", f"{each:.1f} ms", "", each, 20, 10, "ms"))


class MCPServer(Server):
    """Answers each call of a tool at once."""

    def __init__(self, core):
        self.port = free_port()
        super().__init__("MCP server", [sys.executable, MCP_SERVER, self.port], core)

    def is_ready(self):
        return accepts(self.port)


class Bridge:
    """`switchyard mcp`, asked as a client does that waits for each answer."""

    def __init__(self, port, core):
        self._process = subprocess.Popen(
            ["taskset", "-c", str(core), str(SWITCHYARD), "mcp", f"http://127.0.0.1:{port}/mcp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask(_message(0, "initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}))
        self._send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())

    def ask(self, message):
        self._send(message)
        self._process.stdout.readline()

    def _send(self, message):
        self._process.stdin.write(message + b"\n")
        self._process.stdin.flush()

    def close(self):
        self._process.stdin.close()
        self._process.wait(timeout=30)


def mcp(bench, results):
    """A call of a tool through `switchyard mcp`, beside the call itself on a connection that is kept."""
    bench.say("calls through `switchyard mcp`")
    count = 200 if bench.is_quick else 1000
    rounds = []
    with MCPServer(bench.cores.issuer) as server:
        bridge, direct = Bridge(server.port, bench.cores.server), http.client.HTTPConnection("127.0.0.1", server.port)

        def ask_directly(message):
            direct.request("POST", "/mcp", message, {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
            direct.getresponse().read()

        for _ in range(bench.rounds + 1):
            rounds.append((_median_ms(bridge.ask, count), _median_ms(ask_directly, count)))
        bridge.close()
        direct.close()
    ours, peer = (statistics.median(one[side] for one in rounds[1:]) for side in (0, 1))
    results.rows.append(Row(
        "a call through `switchyard mcp`, beside the call itself", f"{ours:.2f} ms", f"the call itself: {peer:.2f} ms",
        ours - peer, 1, 0.3, "ms more"))


def _median_ms(ask, count):
    times = []
    for number in range(count):
        message = _message(number + 1, "tools/call", {"name": "echo", "arguments": {"text": "x" * 200}})
        start = time.monotonic()
        ask(message)
        times.append((time.monotonic() - start) * 1000)
    return statistics.median(times)


def _message(number, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
