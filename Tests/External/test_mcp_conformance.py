"""The client scenarios of modelcontextprotocol/conformance (`src/scenarios/client/auth`, commit c321dd3, read 2026-11-28) with
`switchyard mcp` as the client, an MCP server of `mcp` (PyPI), and an authorization server of the test's own.

Left out are scenarios of extensions (`client-credentials-*`, `enterprise-managed-authorization`, `wif-jwt-bearer`) and those of revision 2025-03-26 (`2025-03-26-oauth-*`), whose servers have no metadata of the resource.
"""

import base64
import json

import pytest

from harness.agent import AgentGateway
from harness.gateway import Gateway
from harness.mcp import INITIALIZED, call, initialize
from harness.mcp_world import ADDRESS, Browser, World, alone
from harness.programs import CERTIFICATES, eventually
from harness.protected_mcp import BoundServer, ProtectedServer, ScopedServer


@pytest.fixture
def own(run_folder, tmp_path):
    """Makes a world where the process signs in by itself."""
    made = []

    def make(kind=ProtectedServer, **options):
        made.append(World(kind(run_folder, **options), Browser, alone(tmp_path)))
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def agent(run_folder):
    """Makes a world with an agent; `section` are members of its `resources`, `entry` those of the server's entry."""
    made = []

    def make(section=None, entry=lambda server: {}, **options):
        server = ProtectedServer(run_folder, **options)
        program = AgentGateway(run_folder, "https://localhost:1")
        program.configuration["resources"] = {"allow": [{"url": server.url, **entry(server)}], **(section or {})}
        program.start()
        made.extend([World(server, program, program.environment), program])
        return made[-2]

    yield make
    for one in made:
        one.stop()


def use(world, **changes):
    """A whole session: the sign-in, and a call. Returns what the authorization request asked for."""
    bridge = world.bridge()
    bridge.send(initialize())
    asked = world.sign_in(bridge, **changes)
    assert "result" in bridge.next(), bridge.notes
    bridge.send(INITIALIZED)
    answer = bridge.ask(call(1, "tools/call", name="add", arguments={"a": 2, "b": 3}))
    assert answer["result"]["content"][0]["text"] == "5"
    assert bridge.finish() == 0
    return asked


def fail(world, **changes):
    """A sign-in with a refused callback. No code goes to any server."""
    bridge = world.bridge()
    bridge.send(initialize())
    world.sign_in(bridge, **changes)
    assert bridge.next()["error"]["code"] == 401
    assert not world.server.token_requests
    assert bridge.finish() == 0


PLACES = {
    "auth/metadata-default": {},
    "auth/metadata-var1": {"asm": "/.well-known/openid-configuration"},
    "auth/metadata-var2": {"issuer_path": "/tenant1", "asm": "/.well-known/oauth-authorization-server/tenant1"},
    "auth/metadata-var3": {"issuer_path": "/tenant1", "asm": "/tenant1/.well-known/openid-configuration"},
}


@pytest.mark.parametrize("name", PLACES)
def test_metadata(own, name):
    world = own(**PLACES[name])
    asked = use(world)
    assert asked["resource"] == world.server.url and asked["code_challenge_method"] == "S256"
    [exchange] = world.server.token_requests
    assert exchange["form"]["resource"] == world.server.url and "code_verifier" in exchange["form"]


SCOPES = {
    "auth/scope-from-scopes-supported": ({"scopes": ("read", "write")}, {"read", "write"}),
    "auth/scope-omitted-when-undefined": ({"scopes": ()}, None),
    "auth/offline-access-scope": ({"metadata": {"scopes_supported": ["read", "offline_access"]}}, {"read", "offline_access"}),
    "auth/offline-access-not-supported": ({"metadata": {"scopes_supported": ["read"]}}, {"read"}),
}


@pytest.mark.parametrize("name", SCOPES)
def test_scopes(own, name):
    options, expected = SCOPES[name]
    scope = use(own(**options)).get("scope")
    assert (scope and set(scope.split())) == expected


def test_auth_scope_from_www_authenticate(own):
    world = own(ScopedServer, first="one", needed="one")
    world.server.granted = "one"
    bridge = world.bridge()
    bridge.send(initialize())
    assert world.sign_in(bridge)["scope"] == "one"
    assert "result" in bridge.next()
    assert bridge.finish() == 0


@pytest.mark.parametrize("name, granted, is_enough", [
    ("auth/scope-step-up", "read write", True), ("auth/scope-retry-limit", "read", False)])
def test_step_up(own, name, granted, is_enough):
    """One more sign-in, for the earlier scopes and those that the call needs. The same call does not cause a second one."""
    world = own(ScopedServer, first="read", needed="write")
    world.server.granted = "read"
    bridge = world.bridge()
    bridge.send(initialize())
    assert world.sign_in(bridge)["scope"] == "read"
    assert "result" in bridge.next()
    bridge.send(INITIALIZED, call(1, "tools/call", name="x"))
    world.told(bridge, 2)
    world.server.granted = granted
    assert set(world.sign_in(bridge, 2)["scope"].split()) == {"read", "write"}
    answer = bridge.next()
    assert ("result" in answer) == is_enough, answer
    assert len(ADDRESS.findall("".join(bridge.notes))) == 2
    assert bridge.finish() == 0


METHODS = {
    "auth/token-endpoint-auth-none": ("none", None),
    "auth/token-endpoint-auth-post": ("client_secret_post", "s3cret-of-the-registration"),
    "auth/token-endpoint-auth-basic": ("client_secret_basic", "s3cret-of-the-registration"),
}


@pytest.mark.parametrize("name", METHODS)
def test_token_endpoint_authentication(own, name):
    method, secret = METHODS[name]
    world = own(metadata={"token_endpoint_auth_methods_supported": [method]}, registered={"client_secret": secret} if secret else {})
    client = use(world)["client_id"]
    [exchange] = world.server.token_requests
    assert exchange["form"].get("client_secret") == (secret if method == "client_secret_post" else None)
    basic = exchange["headers"].get("authorization", "").removeprefix("Basic ")
    assert base64.b64decode(basic).decode() == (f"{client}:{secret}" if method == "client_secret_basic" else "")
    [registration] = world.server.registrations
    assert json.loads(registration["content"])["application_type"] == "native"


def test_auth_basic_cimd(agent):
    document = "https://login.example/clients/agent"
    world = agent({"client_id": document, "redirect_uri": "http://127.0.0.1/mine"}, documents=True)
    assert use(world)["client_id"] == document and not world.server.registrations


def test_auth_pre_registration(agent):
    world = agent(entry=lambda server: {"client": {"client_id": "by-hand", "issuer": server.identifier}}, metadata={"registration_endpoint": None})
    assert use(world)["client_id"] == "by-hand"


ISSUERS = {
    "auth/iss-supported": (True, "right", use), "auth/iss-not-advertised": (False, None, use),
    "auth/iss-supported-missing": (True, None, fail), "auth/iss-wrong-issuer": (True, "https://evil.example", fail),
    "auth/iss-unexpected": (False, "https://evil.example", fail), "auth/iss-normalized": (True, "slash", fail),
}


@pytest.mark.parametrize("name", ISSUERS)
def test_issuer_parameter(own, name):
    is_announced, sent, check = ISSUERS[name]
    world = own(metadata={"authorization_response_iss_parameter_supported": is_announced})
    identifier = world.server.identifier
    check(world, iss={"right": identifier, "slash": f"{identifier}/"}.get(sent, sent))


REFUSALS = {
    "auth/metadata-issuer-mismatch": ({"metadata": {"issuer": "https://honest.example"}}, "another issuer"),
    "auth/pkce-no-support": ({"metadata": {"code_challenge_methods_supported": None}}, "S256"),
    "auth/resource-mismatch": ({"names": "/other"}, "/other"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(own, name):
    """No sign-in begins, and the call says why."""
    options, words = REFUSALS[name]
    world = own(**options)
    bridge = world.bridge()
    answer = bridge.ask(initialize())
    assert answer["error"]["code"] == 401 and "start_url" not in answer["error"].get("data", {})
    assert words in answer["error"]["message"], answer
    assert not world.server.token_requests
    assert bridge.finish() == 0


def test_auth_authorization_server_migration(agent, run_folder):
    """Tokens and clients of the old authorization server are not used at the new one."""
    world = agent()
    first = use(world)
    old, new = world.server, ProtectedServer(run_folder, port=world.server.port, starts=False)
    try:
        old.program.stop()
        new.start()
        world.server = new
        second = use(world)
        assert second["client_id"] != first["client_id"] and len(new.registrations) == 1
        assert not old.refreshes and len(old.token_requests) == 1
    finally:
        new.program.stop()
        old.issuer.stop()


@pytest.fixture(params=["agent", "gateway"])
def bound(request, run_folder, tmp_path):
    """A server that takes bound tokens only, before an agent, which keeps the key, and before a gateway, which gives it away."""
    server = BoundServer()
    if request.param == "agent":
        program = AgentGateway(run_folder, "https://localhost:1")
        program.configuration["resources"] = {"allow": [server.entry()]}
        world = World(server, program.start(), program.environment)
    else:
        program = Gateway(run_folder, "https://localhost:1")
        program.configuration["resources"] = {
            "redirect_uri": program.url("/resource"), "release": "none", "begin_from": {"networks": ["127.0.0.0/8"]}, "allow": [server.entry()]}
        world = World(server, program.start(), alone(tmp_path), [
            "--gateway", program.api().address, "--ca", str(CERTIFICATES / "ca.pem")])
    yield world
    world.stop()
    program.stop()


def test_the_stream_of_the_server_takes_a_new_nonce(bound):
    """It comes with the refusal of the GET, and no other call brings it."""
    server = bound.server

    def answer(request):
        if request["method"] == "GET":
            server.nonces["rs"] = "nonce-of-the-stream"
        return server._mcp(request)

    server.answers["/mcp"] = answer
    bridge = bound.bridge()
    bridge.send(initialize())
    bound.sign_in(bridge)
    assert "result" in bridge.next(), bridge.notes
    bridge.send(INITIALIZED)
    eventually(lambda: [one for one in server.proofs if one["htm"] == "GET" and one.get("nonce") == "nonce-of-the-stream"],
               what="a proof for the stream with the new nonce")
    assert bridge.finish() == 0


@pytest.mark.parametrize("name, nonces", [("auth/dpop", {}), ("auth/dpop-nonce", {"as": "nonce-of-as", "rs": "nonce-of-rs"})])
def test_bound_tokens(bound, name, nonces):
    """Each call has a proof of its own, also after a refresh."""
    server = bound.server
    server.nonces |= nonces
    bridge = bound.bridge()
    bridge.send(initialize())
    bound.sign_in(bridge)
    assert "result" in bridge.next(), (bridge.notes, server.problems)
    bridge.send(INITIALIZED)
    assert bridge.ask(call(1, "tools/call", name="x"))["result"] == {"done": True}
    first = set(server.bound)
    server.bound.clear()
    assert bridge.ask(call(2, "tools/call", name="x"))["result"] == {"done": True}
    assert not first & set(server.bound) and len(ADDRESS.findall("".join(bridge.notes))) == 1
    proofs = [one for one in server.proofs if one["path"] == "/mcp"]
    assert len(proofs) >= 4 and len({one["jti"] for one in proofs}) == len(proofs)
    assert not server.problems
    assert bridge.finish() == 0
