"""Sign-in to a resource: its URL is all that the caller knows. The rows named `auth/…` are the client scenarios of
modelcontextprotocol/conformance (read on 2026-11-28) that a client's side can show without MCP itself."""

import base64
import json
import os
from urllib.parse import urlsplit

import pytest

from harness.gateway import Gateway
from harness.programs import run
from harness.resource import Protected, come_back, parameters_of
from harness.standin import JSON, StandIn


@pytest.fixture
def world(request, run_folder):
    """Makes a gateway for some resources, with entries of their own."""
    made = []

    def make(*resources, **changes):
        allow = [{"url": one.url, **entry} if isinstance(one, Protected) else {"url": one, **entry} for one, entry in resources]
        gateway = Gateway(run_folder, "https://localhost:1")
        gateway.configuration["resources"] = {
            "redirect_uri": gateway.url("/resource"), "release": "none", "allow": allow, **changes}
        made.extend([gateway, *(one for one, _ in resources if isinstance(one, Protected))])
        return gateway.start()

    yield make
    for one in made:
        one.stop()


def begin(gateway, resource, status=201, **fields):
    reply = gateway.api().call("POST", "/v1/requests", {"resource": resource, **fields})
    assert reply.status == status, (reply.status, reply.body)
    return reply.json


def outcome(gateway, begun):
    reply = gateway.api().call(
        "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
    assert reply.status == 200, (reply.status, reply.body)
    return reply.json


PLACES = {
    "auth/metadata-default": ({}, True),
    "auth/metadata-var1": ({"asm": "/.well-known/openid-configuration"}, False),
    "auth/metadata-var2": ({"prm": "/.well-known/oauth-protected-resource", "issuer_path": "/tenant1",
                            "asm": "/.well-known/oauth-authorization-server/tenant1"}, False),
    "auth/metadata-var3": ({"prm": "/custom/metadata/location.json", "issuer_path": "/tenant1",
                            "asm": "/tenant1/.well-known/openid-configuration"}, True),
    "openid-configuration between host and path": ({"issuer_path": "/tenant1",
                                                    "asm": "/.well-known/openid-configuration/tenant1"}, False),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_metadata_are_found_wherever_they_stand(world, name):
    """From discovery to tokens: `resource` is in each request, and the result says where the tokens are from."""
    options, has_challenge = PLACES[name]
    protected = Protected(**options)
    gateway = world((protected, {}))
    challenge = {"www_authenticate": protected.challenge(resource_metadata=protected.prm)} if has_challenge else {}
    begun = begin(gateway, protected.url, **challenge)
    asked = parameters_of(begun)
    assert asked["resource"] == protected.url and asked["code_challenge_method"] == "S256" and "scope" not in asked
    assert begun["authorization_url"].startswith(protected.metadata["authorization_endpoint"])
    come_back(gateway, begun)
    result = outcome(gateway, begun)
    assert result["status"] == "completed", result
    assert result["resource"] == protected.url and result["issuer"] == protected.identifier
    assert result["client_id"] == asked["client_id"] and result["token_endpoint"] == protected.metadata["token_endpoint"]
    [exchange] = protected.token_requests
    assert exchange["form"]["resource"] == protected.url and exchange["form"]["redirect_uri"] == begun["redirect_uri"]
    assert exchange["form"]["client_id"] == asked["client_id"] and "code_verifier" in exchange["form"]


def test_auth_basic_cimd(world):
    """Where the server reads client documents, ours is the client ID, and nothing is registered."""
    protected = Protected(documents=True)
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    address = parameters_of(begun)["client_id"]
    assert address.startswith(gateway.url("/clients/resource.")) and not protected.registrations
    answer = gateway.browse(address)
    document = json.loads(answer.body)
    assert answer.status == 200 and document["client_id"] == address
    assert document["redirect_uris"] == [begun["redirect_uri"]]
    assert urlsplit(protected.url).hostname in document["client_name"]


METHODS = {
    "auth/token-endpoint-auth-none": (["none", "client_secret_basic"], "none"),
    "auth/token-endpoint-auth-post": (["client_secret_basic", "client_secret_post"], "client_secret_post"),
    "auth/token-endpoint-auth-basic": (["client_secret_basic"], "client_secret_basic"),
    "without a list it is basic": (None, "client_secret_basic"),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_client_registers_itself(world, name):
    offered, chosen = METHODS[name]
    secret = None if chosen == "none" else "s3cret-of-the-registration"
    protected = Protected(metadata={"token_endpoint_auth_methods_supported": offered},
                          registered={"client_secret": secret} if secret else {},
                          resource_metadata={"scopes_supported": ["read", "write"]})
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url, scope="read")
    [registration] = protected.registrations
    asked = json.loads(registration["content"])
    assert asked["token_endpoint_auth_method"] == chosen and asked["application_type"] == "web"
    assert asked["redirect_uris"] == [begun["redirect_uri"]] and asked["scope"] == "read write"
    come_back(gateway, begun)
    assert outcome(gateway, begun)["status"] == "completed"
    [exchange] = protected.token_requests
    client = parameters_of(begun)["client_id"]
    assert exchange["form"]["client_id"] == client
    assert exchange["form"].get("client_secret") == (secret if chosen == "client_secret_post" else None)
    if chosen == "client_secret_basic":
        assert base64.b64decode(exchange["headers"]["authorization"].split()[1]).decode() == f"{client}:{secret}"
    # The next sign-in uses the same client.
    assert parameters_of(begin(gateway, protected.url))["client_id"] == client and len(protected.registrations) == 1


SCOPES = {
    "auth/scope-from-www-authenticate": ({"challenge": "write"}, {"scopes_supported": ["read"]}, {}, "write"),
    "auth/scope-from-scopes-supported": ({}, {"scopes_supported": ["read", "write"]}, {}, "read write"),
    "auth/scope-omitted-when-undefined": ({}, {}, {}, None),
    "auth/scope-step-up": ({"challenge": "write", "previous_scopes": "read"}, {}, {}, "read write"),
    "auth/offline-access-scope": ({"scope": "read"}, {}, {"scopes_supported": ["read", "offline_access"]}, "read offline_access"),
    "auth/offline-access-not-supported": ({"scope": "read offline_access"}, {}, {"scopes_supported": ["read"]}, "read"),
    "the caller's scope counts first": ({"scope": "own", "challenge": "write"}, {"scopes_supported": ["read"]}, {}, "own"),
}


@pytest.mark.parametrize("name", SCOPES)
def test_scopes(world, name):
    fields, resource, server, expected = SCOPES[name]
    protected = Protected(resource_metadata=resource, metadata=server)
    gateway = world((protected, {}))
    if "challenge" in fields:
        fields = {**fields, "www_authenticate": protected.challenge(error="insufficient_scope", scope=fields["challenge"])}
        del fields["challenge"]
    assert parameters_of(begin(gateway, protected.url, **fields)).get("scope") == expected


REFUSALS = {
    "auth/resource-mismatch": ({"resource_metadata": {"resource": "https://other.example/mcp"}}, 400, "not_a_resource"),
    "a sibling": ({"resource_metadata": {"resource": None}}, 400, "not_a_resource"),
    "no authorization server": ({"resource_metadata": {"authorization_servers": None}}, 400, "not_a_resource"),
    "no metadata": ({"prm": "/elsewhere"}, 400, "not_a_resource"),
    "auth/pkce-no-support": ({"metadata": {"code_challenge_methods_supported": None}}, 400, "no_pkce"),
    "plain only": ({"metadata": {"code_challenge_methods_supported": ["plain"]}}, 400, "no_pkce"),
    "auth/metadata-issuer-mismatch": ({"metadata": {"issuer": "https://honest.example"}}, 400, "issuer_not_allowed"),
    "neither document nor registration": ({"metadata": {"registration_endpoint": None}}, 400, "client_required"),
    "no server metadata": ({"asm": "/elsewhere"}, 502, "discovery_failed"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_by_name(world, name):
    options, status, error = REFUSALS[name]
    protected = Protected(**options)
    gateway = world((protected, {}))
    assert begin(gateway, protected.url, status)["error"] == error
    assert not protected.token_requests


def test_a_resource_that_no_entry_covers(world):
    protected = Protected()
    gateway = world((protected, {}))
    for url in (protected.url + "x", "https://mcp.example/", protected.server.base + "/"):
        assert begin(gateway, url, 400)["error"] == "resource_not_allowed"
    assert begin(gateway, "ftp://mcp.example/", 400)["error"] == "not_a_resource"
    assert begin(gateway, protected.url + "/../x", 400)["error"] == "not_a_resource"
    assert not protected.server.requests


def test_a_beginner_does_not_choose_the_issuer(world):
    """A challenge counts only at the resource's own origin."""
    protected, other = Protected(), StandIn()
    gateway = world((protected, {}))
    other.answers["/metadata"] = (200, JSON, {"resource": protected.url, "authorization_servers": [other.base]})
    answer = begin(gateway, protected.url, 400, www_authenticate=protected.challenge(resource_metadata=f"{other.base}/metadata"))
    assert answer["error"] == "not_a_resource" and not other.requests
    other.stop()


@pytest.mark.parametrize("issuer", ["http://localhost:1", "https://localhost:1", "https://169.254.169.254", "https://[::1]:1",
                                    "https://10.0.0.1", "https://2130706433"])
def test_metadata_lead_to_no_server_of_this_network(world, issuer):
    """SSRF: only hosts that the operator named may be private or loopback, and the answer tells nothing of others."""
    protected = Protected(resource_metadata={"authorization_servers": [issuer]})
    gateway = world((protected, {}))
    answer = gateway.api().call("POST", "/v1/requests", {"resource": protected.url})
    assert (answer.status, answer.json["error"]) in ((400, "issuer_not_allowed"), (502, "discovery_failed")), answer.body


def test_a_server_that_redirects_or_talks_too_much_is_not_followed(world):
    protected, other = Protected(), StandIn()
    gateway = world((protected, {}))
    path = urlsplit(protected.prm).path
    kept = protected.server.answers[path]
    protected.server.answers[path] = (302, {"Location": f"{other.base}/x"}, "")
    assert begin(gateway, protected.url, 502)["error"] == "discovery_failed" and not other.requests
    protected.server.answers[path] = (200, JSON, {**kept[2], "padding": "x" * 70_000})
    assert begin(gateway, protected.url, 502)["error"] == "discovery_failed"
    other.stop()


ISSUERS = {
    "auth/iss-supported": (True, "right", True), "auth/iss-not-advertised": (False, None, True),
    "auth/iss-supported-missing": (True, None, False), "auth/iss-wrong-issuer": (True, "https://evil.example", False),
    "auth/iss-unexpected": (False, "https://evil.example", False), "auth/iss-normalized": (True, "slash", False),
}


@pytest.mark.parametrize("name", ISSUERS)
def test_another_server_cannot_pose_as_the_one(world, name):
    """RFC 9207: `iss` is compared whenever it is there, byte for byte."""
    is_announced, sent, is_taken = ISSUERS[name]
    protected = Protected(metadata={"authorization_response_iss_parameter_supported": is_announced})
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    iss = {"right": protected.identifier, "slash": protected.identifier + "/"}.get(sent, sent)
    come_back(gateway, begun, iss=iss)
    if is_taken:
        assert outcome(gateway, begun)["status"] == "completed"
    else:
        assert not protected.token_requests


def test_auth_authorization_server_migration(world):
    """After a challenge, discovery is made anew; the client of the old server is not used at the new one."""
    old, new = Protected(), Protected()
    gateway = world((old, {}))
    first = parameters_of(begin(gateway, old.url))["client_id"]
    old.server.answers[urlsplit(old.prm).path] = (200, JSON, {"resource": old.url, "authorization_servers": [new.identifier]})
    begun = begin(gateway, old.url, www_authenticate=old.challenge(error="invalid_token"))
    assert begun["authorization_url"].startswith(new.identifier) and len(new.registrations) == 1
    assert parameters_of(begun)["client_id"] != first
    new.stop()


def test_auth_pre_registration(world):
    """A client that was registered by hand belongs to one issuer; a resource that names another one is refused."""
    protected = Protected(metadata={"registration_endpoint": None})
    client = {"client_id": "by-hand", "client_secret": "a-secret-by-hand", "issuer": protected.identifier}
    gateway = world((protected, {"client": client, "begin_from": {"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}}))
    begun = begin(gateway, protected.url)
    assert parameters_of(begun)["client_id"] == "by-hand"
    come_back(gateway, begun)
    assert outcome(gateway, begun)["client_id"] == "by-hand"
    path = urlsplit(protected.prm).path
    protected.server.answers[path] = (
        200, JSON, {"resource": protected.url, "authorization_servers": ["https://evil.example"]})
    answer = begin(gateway, protected.url, 400, www_authenticate="Bearer")
    assert answer["error"] == "issuer_not_allowed"


def test_refresh_and_revocation(world):
    protected = Protected()
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    come_back(gateway, begun)
    tokens = outcome(gateway, begun)["token_response"]
    reply = gateway.api().call("POST", "/v1/tokens", {"resource": protected.url, "refresh_token": tokens["refresh_token"]})
    assert reply.status == 200 and reply.json["resource"] == protected.url, reply.body
    form = protected.token_requests[-1]["form"]
    assert form["grant_type"] == "refresh_token" and form["resource"] == protected.url
    assert form["client_id"] == parameters_of(begun)["client_id"] and len(protected.registrations) == 1


def test_a_refused_client_is_forgotten(world):
    """`invalid_client` ends that sign-in, and the next begin registers anew. If the new client is refused before any
    token came, it is the last for an hour."""
    protected = Protected()
    gateway = world((protected, {}))
    protected.refusal = "invalid_client"
    for count in (1, 2):
        begun = begin(gateway, protected.url)
        assert len(protected.registrations) == count
        come_back(gateway, begun)
        assert outcome(gateway, begun)["status"] == "failed"
    assert begin(gateway, protected.url, 400)["error"] == "client_required" and len(protected.registrations) == 2


def test_resource_parameter_false(world):
    protected = Protected()
    gateway = world((protected, {"resource_parameter": False}))
    assert "resource" not in parameters_of(begin(gateway, protected.url))


def test_the_fields_of_a_call_are_checked(world):
    protected = Protected()
    gateway = world((protected, {}))
    assert begin(gateway, protected.url, 400, app="com.contoso.app1")["error"] == "invalid_request"
    assert begin(gateway, protected.url, 400, www_authenticate='Bearer scope="a')["error"] == "invalid_request"
    reply = gateway.api().call("POST", "/v1/requests", {"app": "com.contoso.app1", "previous_scopes": "a"})
    assert reply.status == 400 and "previous_scopes" in reply.json["error_description"]


def test_client_documents(run_folder):
    """`client_id: hosted`, and documents for tools that are not ours."""
    gateway = Gateway(run_folder, "https://localhost:1")
    gateway.configuration["apps"].append({
        "id": "com.contoso.hosted", "issuer": "demo", "client_id": "hosted", "default_scope": "openid",
        "redirect_uris": [gateway.url("/hosted"), "http://127.0.0.1/hosted"]})
    gateway.configuration["clients"] = [{"id": "claude-code", "name": "Claude Code", "redirect_uris": ["http://localhost/callback"]}]
    (gateway.folder / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1z"/></svg>')
    gateway.configuration["pages"] = {"name": "Contoso", "logo_file": str(gateway.folder / "logo.svg")}
    gateway.start()
    try:
        address = gateway.url("/clients/com.contoso.hosted")
        answer = gateway.browse(address)
        document = json.loads(answer.body)
        assert answer.status == 200 and answer.header("Content-Type") == "application/json"
        assert answer.header("Cache-Control") == "public, max-age=3600" and not answer.header("Set-Cookie")
        assert document["client_id"] == address and document["application_type"] == "web" and document["scope"] == "openid"
        assert document["redirect_uris"] == [gateway.url("/hosted"), "http://127.0.0.1/hosted"]
        logo = gateway.browse(document["logo_uri"])
        assert logo.status == 200 and logo.header("Content-Type") == "image/svg+xml"
        tag = answer.header("ETag")
        assert gateway.browse(address, headers={"If-None-Match": tag}).status == 304
        assert gateway.browse(address, method="HEAD").status == 200
        tool = json.loads(gateway.browse(gateway.url("/clients/claude-code")).body)
        assert tool["client_name"] == "Claude Code" and tool["application_type"] == "native"
        # The operator's logo says nothing of another maker's tool.
        assert "logo_uri" not in tool
        for wrong in ("/clients/com.contoso.hosted?x=1", "/clients/com.contoso.app1", "/clients/", "/clients/none"):
            assert gateway.browse(gateway.url(wrong)).status == 404, wrong
    finally:
        gateway.stop()


WRONG = {
    "a hosted client with a secret": (lambda c, g: c["apps"][0].update(client_id="hosted", client_secret="x" * 32), "client_id hosted with a secret"),
    "a hosted client with a custom scheme": (lambda c, g: c["apps"][0].update(client_id="hosted"), "neither https nor loopback"),
    "an app below /clients/": (lambda c, g: c["apps"][0].update(redirect_uris=[g.url("/clients/x")]), "/clients/"),
    "a client twice": (lambda c, g: c.update(clients=[{"id": "a", "name": "A", "redirect_uris": [f"https://a.example/{n}"]} for n in "xy"]), "a second client"),
    "an id of dots": (lambda c, g: c.update(clients=[{"id": "..", "name": "A", "redirect_uris": ["https://a.example/"]}]), "not of dots alone"),
    "a large document": (lambda c, g: c.update(clients=[{"id": "a", "name": "A", "redirect_uris": [f"https://a.example/{'x' * 200}{n}" for n in range(30)]}]), "issuers take at most 5120"),
    "an unknown key": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "clients": {}}]}), "did you mean \"client\"?"),
    "a resource twice": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example"}, {"url": "https://A.example/"}]}), "a second entry"),
    "a secret for anybody": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "client": {"client_id": "a", "client_secret": "b" * 32, "issuer": "https://i.example"}}]}), "anyone may use"),
    "a resource by http": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "http://a.example"}]}), "is not https"),
}


@pytest.mark.parametrize("name", WRONG)
def test_check_refuses(run_folder, name):
    change, words = WRONG[name]
    gateway = Gateway(run_folder, "https://localhost:1")
    change(gateway.configuration, gateway)
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr
