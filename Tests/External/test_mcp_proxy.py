"""`switchyard mcp --proxy` behind squid, which alone knows the host of the server and of its authorization server."""

import json
import secrets

import pytest
from cryptography import x509

from harness.certificates import Certificate
from harness.forward import ForwardProxy
from harness.mcp import Bridge, call, initialize
from harness.mcp_world import Browser, World, alone
from harness.resource import come_back, secret
from harness.standin import JSON, StandIn
from harness.vault import VAULT

HOST = "mcp.corp.test"
USER, PASSWORD = "ann", "of-the-proxy-" + secrets.token_urlsafe(12)


class Server(StandIn):
    """A resource and its authorization server at one address, by TLS."""

    def __init__(self, certificate):
        super().__init__(host=HOST, certificate=certificate)
        self.url, self.tokens = f"{self.base}/mcp", set()
        self.answers |= {
            "/.well-known/oauth-protected-resource/mcp": (200, JSON, {"resource": self.url, "authorization_servers": [self.base]}),
            "/.well-known/oauth-authorization-server": (200, JSON, {
                "issuer": self.base, "authorization_endpoint": f"{self.base}/authorize", "token_endpoint": f"{self.base}/token",
                "registration_endpoint": f"{self.base}/register", "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none"]}),
            "/register": lambda _: (201, JSON, {"client_id": "client"}), "/token": self._token, "/mcp": self._mcp}

    def _token(self, _):
        token = secret("token")
        self.tokens.add(token)
        return 200, JSON, {"access_token": token, "token_type": "Bearer", "expires_in": 3600}

    def _mcp(self, request):
        if request["headers"].get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            return 401, {"WWW-Authenticate": "Bearer"}, ""
        message = json.loads(request["content"] or "{}")
        if "id" not in message:
            return 202, {}, ""
        told = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "far", "version": "1"}}
        return 200, JSON, {"jsonrpc": "2.0", "id": message["id"], "result": told if message["method"] == "initialize" else {"done": True}}


@pytest.fixture(scope="module")
def authority(run_folder):
    folder = run_folder / "authority-of-mcp"
    folder.mkdir(exist_ok=True)
    return Certificate(folder, "Corp authority", is_authority=True)


@pytest.fixture
def server(authority, run_folder):
    server = Server(Certificate(run_folder / "authority-of-mcp", HOST, issuer=authority, names=[x509.DNSName(HOST)]))
    yield server
    server.stop()


@pytest.fixture
def start_proxy():
    proxies = []

    def start(**options):
        proxies.append(ForwardProxy(hosts=[HOST], **options).start())
        return proxies[-1]

    yield start
    for proxy in proxies:
        proxy.stop()


@pytest.fixture
def bridge(authority, server, tmp_path, request):
    def make(*options, **environment):
        made = Bridge(server.url, "--ca", str(authority.pem), *options,
                      env={"SWITCHYARD_GATEWAY": "", "SWITCHYARD_PROXY": "", "NO_PROXY": "", "no_proxy": "", **alone(tmp_path), **environment})
        request.addfinalizer(made.stop)
        return made

    return make


def test_calls_and_the_sign_in_go_through_the_proxy(server, start_proxy, bridge):
    """Discovery, registration and the token request too; the callback comes to loopback as ever."""
    proxy = start_proxy(user=USER, password=PASSWORD)
    VAULT.remember("password of the proxy", PASSWORD)
    one = bridge("--proxy", "environment", https_proxy=f"http://{USER}:{PASSWORD}@127.0.0.1:{proxy.port}")
    one.send(initialize())
    address, _ = World.told(one)
    come_back(Browser, {"authorization_url": address})
    assert "result" in one.next(), one.notes
    assert one.ask(call(1, "tools/call"))["result"] == {"done": True}
    assert one.finish() == 0
    assert {status for _, status in proxy.tunnels()} == {200} and len(server.asked("/token")) == 1
    assert all("proxy-authorization" not in request["headers"] for request in server.requests)
    assert not any(PASSWORD in note for note in one.notes)


def test_without_it_the_server_is_not_found_and_a_wrong_one_is_named(start_proxy, bridge):
    assert "switchyard:" in bridge().ask(initialize())["error"]["message"]
    proxy = start_proxy(user=USER, password=PASSWORD)
    said = bridge("--proxy", proxy.address).ask(initialize())["error"]["message"]
    assert f"the proxy {proxy.address}" in said and "user and a password" in said, said
