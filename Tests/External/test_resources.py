"""Sign-in to a resource: its URL is all that the caller knows. The rows named `auth/…` are the client scenarios of
modelcontextprotocol/conformance (read on 2026-11-28) that a client's side can show without MCP itself."""

import base64
import json
import os
from urllib.parse import urlsplit

import pytest

from harness.gateway import Gateway
from harness.held import shown
from harness.programs import run
from harness.resource import Protected, come_back, parameters_of
from harness.standin import JSON, StandIn
from harness.vault import VAULT


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
    """If the server reads client documents, ours is the client ID, and no client is registered."""
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
    "offline_access alone": ({"scope": "offline_access"}, {}, {"scopes_supported": ["offline_access"]}, "offline_access"),
    "offline_access alone, where the server has none": ({"scope": "offline_access"}, {}, {}, None),
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
    for other in (protected.url + "/../x", protected.server.base + "/%6dcp", protected.server.base + "/%6Dcp/x"):
        assert begin(gateway, other, 400)["error"] == "not_a_resource", other
    assert not protected.server.requests


def test_a_beginner_does_not_choose_the_issuer(world):
    """A challenge counts only at the resource's own origin."""
    protected, other = Protected(), StandIn()
    gateway = world((protected, {}))
    other.answers["/metadata"] = (200, JSON, {"resource": protected.url, "authorization_servers": [other.base]})
    answer = begin(gateway, protected.url, 400, www_authenticate=protected.challenge(resource_metadata=f"{other.base}/metadata"))
    assert answer["error"] == "not_a_resource" and not other.requests
    other.stop()


@pytest.mark.rule(10)
def test_a_challenge_decides_for_its_caller_alone(world):
    """A resource may have documents of others at its origin. A beginner that names one as metadata must not choose the issuer of
    the callers that come after."""
    protected, evil = Protected(), Protected()
    gateway = world((protected, {}))
    protected.server.answers["/uploads/evil.json"] = (
        200, JSON, {"resource": protected.url, "authorization_servers": [evil.identifier]})
    uploaded = protected.challenge(resource_metadata=f"{protected.server.base}/uploads/evil.json")
    assert begin(gateway, protected.url, www_authenticate=uploaded)["authorization_url"].startswith(evil.identifier)
    assert begin(gateway, protected.url)["authorization_url"].startswith(protected.identifier)
    # What stands at the usual place is remembered for all, also after a challenge.
    usual = protected.challenge(resource_metadata=protected.prm)
    begin(gateway, protected.url, www_authenticate=usual)
    seen = len(protected.server.requests)
    begin(gateway, protected.url)
    assert len(protected.server.requests) == seen
    evil.stop()


AUDIENCES = [{"resource": "https://other.example/mcp"}, {"audience": "https://other.example/mcp"}, {"RESOURCE": "https://other.example/mcp"},
             {"resource[]": "https://other.example/mcp"}, {"authorization": {"resource": "https://other.example/mcp"}},
             {"token": {"resource": "https://other.example/mcp"}}, {"token": {"audience": "https://other.example/mcp"}}]


@pytest.mark.parametrize("extra", AUDIENCES, ids=json.dumps)
def test_a_beginner_names_no_other_audience(world, extra):
    """The token is for the resource that an entry allows, and that the person is told of."""
    protected = Protected()
    gateway = world((protected, {}))
    answer = begin(gateway, protected.url, 400, extra_parameters=extra)
    assert answer["error"] == "invalid_request" and "resource" in answer["error_description"]
    asked = parameters_of(begin(gateway, protected.url, extra_parameters={"ui_locales": "fr"}))
    assert asked["resource"] == protected.url and asked["ui_locales"] == "fr"


@pytest.mark.parametrize("locations", [["https://other.example/mcp"], "https://other.example/mcp", [7], None], ids=json.dumps)
def test_details_of_an_authorization_name_no_other_server(world, locations):
    """RFC 9396 section 2.2."""
    protected = Protected()
    gateway = world((protected, {}))
    answer = begin(gateway, protected.url, 400, authorization_details=[{"type": "tools", "locations": locations}])
    assert answer["error"] == "invalid_request" and '"locations"' in answer["error_description"]
    details = [{"type": "tools", "locations": [protected.url, f"{protected.url}/tools"]}, {"type": "other"}]
    asked = parameters_of(begin(gateway, protected.url, authorization_details=details))
    assert json.loads(asked["authorization_details"]) == details


def test_scopes_without_measure(world):
    """A resource that lists too many is asked for none of them; a challenge that wants too many is refused by name."""
    many = [f"scope-{number:04}" for number in range(500)]
    protected = Protected(resource_metadata={"scopes_supported": many})
    gateway = world((protected, {}))
    assert "scope" not in parameters_of(begin(gateway, protected.url))
    [registration] = protected.registrations
    assert "scope" not in json.loads(registration["content"])
    challenge = protected.challenge(error="insufficient_scope", scope=" ".join(many))
    assert begin(gateway, protected.url, 400, www_authenticate=challenge)["error"] == "invalid_scope"


@pytest.mark.parametrize("issuer", ["http://localhost:1", "https://localhost:1", "https://169.254.169.254", "https://[::1]:1",
                                    "https://10.0.0.1", "https://2130706433"])
def test_metadata_lead_to_no_server_of_this_network(world, issuer):
    """SSRF: only hosts that the operator named may be private or loopback, and the answer tells no facts of other hosts."""
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
    protected.metadata["revocation_endpoint"] = f"{protected.identifier}/revoke"
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    come_back(gateway, begun)
    tokens = outcome(gateway, begun)["token_response"]
    reply = gateway.api().call("POST", "/v1/tokens", {"resource": protected.url, "refresh_token": tokens["refresh_token"]})
    assert reply.status == 200 and reply.json["resource"] == protected.url, reply.body
    form = protected.token_requests[-1]["form"]
    assert form["grant_type"] == "refresh_token" and form["resource"] == protected.url
    assert form["client_id"] == parameters_of(begun)["client_id"] and len(protected.registrations) == 1
    protected.issuer.answers["/revoke"] = (200, {}, "")
    reply = gateway.api().call("POST", "/v1/revocations", {
        "resource": protected.url, "token": tokens["refresh_token"], "token_type_hint": "refresh_token"})
    assert reply.status == 204, reply.body
    [revocation] = protected.issuer.asked("/revoke")
    assert revocation["form"]["token"] == tokens["refresh_token"] and len(protected.registrations) == 1
    assert revocation["form"]["client_id"] == parameters_of(begun)["client_id"]


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


def places_below(protected, *paths):
    """Each path is a resource of its own at the host, with the same authorization server."""
    for path in paths:
        protected.server.answers[f"/.well-known/oauth-protected-resource{path}"] = (
            200, JSON, {"resource": protected.server.base + path, "authorization_servers": [protected.identifier]})


@pytest.mark.rule(2)
def test_each_resource_has_its_own_redirect_uri_and_document(world):
    """Also below one entry. Addresses follow from the resource alone, so they are the same after a restart, and each document
    lists one redirect URI."""
    protected = Protected(documents=True)
    places_below(protected, "/one", "/two")
    gateway = world((protected.server.base + "/", {}))
    begun = {path: begin(gateway, protected.server.base + path) for path in ("/one", "/two", "/mcp")}
    uris = {path: each["redirect_uri"] for path, each in begun.items()}
    assert len(set(uris.values())) == 3
    assert all(uri.startswith(gateway.url("/resource/")) and uri.count("/") == 4 for uri in uris.values()), uris
    clients = {path: parameters_of(each)["client_id"] for path, each in begun.items()}
    segment = {path: uri.rsplit("/", 1)[1] for path, uri in uris.items()}
    assert clients == {path: gateway.url(f"/clients/resource.{segment[path]}") for path in uris}
    # A slash at the end, and an address below the resource, lead to the same resource.
    protected.server.answers["/.well-known/oauth-protected-resource/one/tools"] = (
        200, JSON, {"resource": protected.server.base + "/one/", "authorization_servers": [protected.identifier]})
    gateway.stop()
    gateway.start()
    for path, client in clients.items():
        document = json.loads(gateway.browse(client).body)
        assert document["client_id"] == client and document["redirect_uris"] == [uris[path]]
        assert "127.0.0.1" in document["client_name"]
    assert begin(gateway, protected.server.base + "/one/tools")["redirect_uri"] == uris["/one"]
    again = begin(gateway, protected.server.base + "/two")
    assert again["redirect_uri"] == uris["/two"]
    come_back(gateway, again)
    assert outcome(gateway, again)["resource"] == protected.server.base + "/two"
    done = run("check", "--config", gateway.file)
    own = next(line.split()[0] for line in done.stdout.splitlines() if "/resource/" in line)
    assert all(uri.startswith(own + "-") for uri in uris.values()) and f"{own}-…" in done.stdout, done.stdout
    assert gateway.url(f"/clients/resource.{own.rsplit('/', 1)[1]}-…") in done.stdout


@pytest.mark.rule(3)
def test_a_callback_at_the_redirect_uri_of_another_resource(world):
    """Two resources of one entry may have authorization servers of different parties. One that sends no `iss` cannot answer
    for the other, because each has a redirect URI of its own."""
    protected = Protected()
    places_below(protected, "/one", "/two")
    gateway = world((protected.server.base + "/", {}))
    one, two = (begin(gateway, protected.server.base + path) for path in ("/one", "/two"))
    state = parameters_of(one)["state"]
    answer = gateway.browse(f"{two['redirect_uri']}?code=stolen-elsewhere&state={state}")
    assert answer.status == 400 and not protected.token_requests
    for path in ("x", "-AAAAAAAAAAAAAAAA"):
        answer = gateway.browse(f"{one['redirect_uri']}{path}?code=stolen-elsewhere&state={state}")
        assert answer.status == 404
    come_back(gateway, one)
    assert outcome(gateway, one)["status"] == "completed"


@pytest.mark.rule(1)
def test_a_client_document_gives_nobody_else_a_token(world):
    """Everybody can name our document's address as a client ID, and host a document that names ours. The document says its own
    address byte for byte, lists one redirect URI, which is this gateway's, and has one spelling."""
    protected = Protected(documents=True)
    places_below(protected, "/one")
    gateway = world((protected.server.base + "/", {}))
    begun = begin(gateway, protected.server.base + "/one")
    address = parameters_of(begun)["client_id"]
    document = json.loads(gateway.browse(address).body)
    assert document["client_id"] == address and document["redirect_uris"] == [begun["redirect_uri"]]
    assert document["token_endpoint_auth_method"] == "none" and "jwks_uri" not in document
    # No other spelling leads to it, so each document of ours has its own address as client_id.
    path = urlsplit(address).path
    for other in (path + "/", path + "?", path + "?redirect_uri=https://evil.example/", path.replace("clients", "CLIENTS"),
                  path.replace("/clients/", "/clients//"), path.replace("/clients/", "/clients/./"), path.replace("resource", "%72esource"),
                  path + "%00", path[:-1], path + "x", path + "/keys", path.replace("resource.", "")):
        answer = gateway.browse(gateway.url(other))
        assert answer.status in (400, 404), (other, answer.status)
        assert "redirect_uris" not in str(answer.body)
    # At another host the same gateway says its own address, which no issuer takes for the other one's.
    with gateway.wire() as wire:
        answer = wire.exchange(f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
    assert answer.status != 200 or json.loads(answer.body)["client_id"] == address
    # A sign-in that somebody else began with our client ID ends here: no request has its state.
    answer = gateway.browse(f"{begun['redirect_uri']}?code=of-somebody-else&state={'x' * 43}")
    assert answer.status == 400 and not protected.token_requests


def test_metadata_that_the_operator_names(world):
    """`metadata` is where the resource's metadata are. A challenge may name that place or one at the resource, and no other."""
    protected, other = Protected(prm="/elsewhere"), StandIn()
    other.answers = {"/metadata": (200, JSON, {"resource": protected.url, "authorization_servers": [protected.identifier]})}
    gateway = world((protected, {"metadata": f"{other.base}/metadata"}))
    challenges = [None, protected.challenge(resource_metadata=f"{other.base}/metadata"),
                  protected.challenge(resource_metadata=f"{protected.server.base}/x")]
    for challenge in challenges:
        fields = {"www_authenticate": challenge} if challenge else {}
        assert begin(gateway, protected.url, **fields)["authorization_url"].startswith(protected.identifier)
    for place in (f"{other.base}/other", "https://evil.example/metadata", f"{other.base}/metadata?x"):
        answer = begin(gateway, protected.url, 400, www_authenticate=protected.challenge(resource_metadata=place))
        assert answer["error"] == "not_a_resource", place
    assert {request["path"] for request in other.requests} == {"/metadata"} and not protected.server.requests
    other.stop()


def test_the_first_authorization_server_that_the_rules_allow(world):
    """Servers without https, with a query, and addresses of special use are passed over."""
    protected = Protected()
    servers = ["http://id.example", "https://id.example/?x=1", "https://10.0.0.1", "https://[fd00::1]", "https://169.254.169.254",
               "https://0x7f.1", protected.identifier, "https://other.example"]
    protected.server.answers[urlsplit(protected.prm).path][2]["authorization_servers"] = servers
    gateway = world((protected, {}))
    assert begin(gateway, protected.url)["authorization_url"].startswith(protected.identifier)
    protected.server.answers[urlsplit(protected.prm).path][2]["authorization_servers"] = servers[:6]
    assert begin(gateway, protected.url, 400, www_authenticate="Bearer")["error"] == "issuer_not_allowed"


def test_behind_a_proxy_addresses_are_refused_and_names_are_the_proxys(world, run_folder):
    """The gateway does not see where a proxy goes, so it refuses addresses before it asks the proxy, and `check` says the rest."""
    protected, proxy = Protected(), StandIn()
    proxy.answers = {}
    gateway = world((protected, {}))
    gateway.stop()
    gateway.configuration["outgoing"] = {"proxy": proxy.base}
    gateway.start()
    path = urlsplit(protected.prm).path
    for servers in (["https://10.0.0.1"], ["https://[fe80::1]"], ["https://192.168.1.1.:8443"]):
        protected.server.answers[path][2]["authorization_servers"] = servers
        answer = begin(gateway, protected.url, 400, www_authenticate="Bearer")
        assert answer["error"] == "issuer_not_allowed" and not proxy.requests
    # An endpoint is judged too: here the one for registrations.
    protected.server.answers[path][2]["authorization_servers"] = [protected.identifier]
    protected.metadata["registration_endpoint"] = "https://10.0.0.1/register"
    assert begin(gateway, protected.url, 502, www_authenticate="Bearer")["error"] == "discovery_failed" and not proxy.requests
    # The stand-in is no proxy, but it was asked for a name.
    protected.server.answers[path][2]["authorization_servers"] = ["https://id.example"]
    assert begin(gateway, protected.url, 502, www_authenticate="Bearer")["error"] == "discovery_failed"
    assert {request["method"] for request in proxy.requests} == {"CONNECT"}
    done = run("check", "--config", gateway.file)
    assert "names that others gave are the proxy's to judge" in done.stdout, done.stdout
    proxy.stop()


def test_a_failed_discovery_says_the_address_and_the_status_and_nothing_of_the_answer(world):
    """The caller must not read a server through the gateway."""
    protected = Protected()
    gateway = world((protected, {}))
    path = urlsplit(protected.prm).path
    kept = protected.server.answers[path]
    protected.server.answers[path] = (503, {"X-Inner": "inner-words"}, "inner-words")
    answer = begin(gateway, protected.url, 502)
    assert answer == {"error": "discovery_failed", "error_description": f"{protected.prm} answered with status 503"}
    protected.server.answers[path] = (200, JSON, '{"resource": "inner-words"')
    assert "inner-words" not in json.dumps(begin(gateway, protected.url, 400))
    protected.server.answers[path] = kept
    protected.issuer.answers[protected.register_path] = (403, JSON, {"error": "inner-words"})
    answer = begin(gateway, protected.url, 400)
    assert answer["error"] == "client_required" and "403" in answer["error_description"] and "inner" not in json.dumps(answer)


ENDPOINTS = {
    "a token endpoint in this network": ({"token_endpoint": "https://10.0.0.1/token"}, "network"),
    "a token endpoint of a cloud's metadata": ({"token_endpoint": "https://169.254.169.254/token"}, "network"),
    "keys in this network": ({"jwks_uri": "https://192.168.0.1/keys"}, "network"),
}


@pytest.mark.parametrize("name", ENDPOINTS)
def test_endpoints_that_the_metadata_name_are_under_the_same_rules(world, name):
    changes, code = ENDPOINTS[name]
    protected = Protected(metadata=changes)
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url, scope="openid")
    come_back(gateway, begun)
    result = outcome(gateway, begun)
    assert result["status"] == "failed" and result["error"]["code"] == code, result
    # Without keys no ID token can be verified, so the code was not spent.
    assert not protected.token_requests


@pytest.mark.parametrize("answer", [(307, "elsewhere", ""), (200, None, {"padding": "x" * 70_000, "access_token": "t", "token_type": "Bearer"})],
                         ids=["a redirect", "too much"])
def test_a_token_endpoint_that_redirects_or_talks_too_much(world, answer):
    protected, other = Protected(), StandIn()
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    status, place, body = answer
    headers = {"Location": f"{other.base}/token"} if place else JSON
    protected.issuer.answers[protected.token_path] = (status, headers, body)
    come_back(gateway, begun)
    assert outcome(gateway, begun)["status"] == "failed" and not other.requests
    assert len(protected.token_requests) == 1
    other.stop()


@pytest.mark.rule(8)
def test_the_release_of_a_resource_is_a_code_unless_the_operator_says_otherwise(world):
    protected = Protected()
    gateway = world((protected, {}))
    gateway.stop()
    del gateway.configuration["resources"]["release"]
    gateway.start()
    begun = begin(gateway, protected.url)
    answer = come_back(gateway, begun)
    assert answer.status == 303
    cookie = answer.header("Set-Cookie").split(";")[0]
    page = gateway.browse(gateway.url(answer.header("Location")), headers={"Cookie": cookie}).text
    assert urlsplit(protected.url).hostname in page and not protected.token_requests
    code = shown(page, "release-code")
    VAULT.remember("release code", code)
    reply = gateway.api().call("POST", f"/v1/requests/{begun['id']}/release", {"code": code}, token=begun["result_token"])
    assert reply.status == 204, reply.body
    assert outcome(gateway, begun)["status"] == "completed"


def test_tokens_go_to_no_other_issuer_than_theirs(world):
    """A resource that was taken over names another server: it gets no refresh token of the one before."""
    protected, evil = Protected(documents=True), Protected(documents=True)
    gateway = world((protected, {}))
    begun = begin(gateway, protected.url)
    come_back(gateway, begun)
    result = outcome(gateway, begun)
    of_before = {"resource": protected.url, "issuer": result["issuer"]}
    refresh = {**of_before, "refresh_token": result["token_response"]["refresh_token"]}
    assert gateway.api().call("POST", "/v1/tokens", refresh).status == 200
    protected.server.answers[urlsplit(protected.prm).path][2]["authorization_servers"] = [evil.identifier]
    begin(gateway, protected.url, www_authenticate="Bearer")
    for path, fields in (("/v1/tokens", refresh), ("/v1/revocations", {**of_before, "token": "t"})):
        reply = gateway.api().call("POST", path, fields)
        assert (reply.status, reply.json["error"]) == (400, "issuer_not_allowed"), reply.body
    assert not evil.token_requests
    reply = gateway.api().call("POST", "/v1/tokens", {"app": "com.contoso.app1", "issuer": "x", "refresh_token": "t"})
    assert reply.status == 400 and "issuer" in reply.json["error_description"]
    evil.stop()


def test_a_client_registered_by_hand_has_one_redirect_uri(world):
    """A person has registered it at the issuer, which takes callbacks for all resources of the entry."""
    protected = Protected(documents=True)
    places_below(protected, "/one", "/two")
    client = {"client_id": "by-hand", "issuer": protected.identifier}
    gateway = world((protected.server.base + "/", {"client": client}))
    one, two = (begin(gateway, protected.server.base + path) for path in ("/one", "/two"))
    assert one["redirect_uri"] == two["redirect_uri"]
    come_back(gateway, two)
    assert outcome(gateway, two)["resource"] == protected.server.base + "/two"
    segment = one["redirect_uri"].rsplit("/", 1)[1]
    assert gateway.browse(gateway.url(f"/clients/resource.{segment}")).status == 404
    done = run("check", "--config", gateway.file)
    assert one["redirect_uri"] in done.stdout and f"{one['redirect_uri']}-…" not in done.stdout
    assert "by-hand, registered by hand" in done.stdout


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
        # The operator's logo does not vouch for another maker's tool.
        assert "logo_uri" not in tool
        for wrong in ("/clients/com.contoso.hosted?x=1", "/clients/com.contoso.app1", "/clients/", "/clients/none"):
            assert gateway.browse(gateway.url(wrong)).status == 404, wrong
    finally:
        gateway.stop()


def test_client_documents_name_the_logo(world):
    """An app's own, else the operator's, at an address that everybody can fetch."""
    protected = Protected(documents=True)
    gateway = world((protected, {}))
    gateway.stop()
    for name in ("operator", "app"):
        (gateway.folder / f"{name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 {len(name)}"><path d="M0 0h4v1z" fill="#7a1fa2"/></svg>')
    gateway.configuration["pages"] = {"logo_file": "operator.svg"}
    gateway.configuration["apps"].append({
        "id": "com.contoso.hosted", "issuer": "demo", "client_id": "hosted", "default_scope": "openid",
        "redirect_uris": [gateway.url("/hosted")], "logo_file": "app.svg"})
    gateway.start()
    for name, address in (("operator", parameters_of(begin(gateway, protected.url))["client_id"]),
                          ("app", gateway.url("/clients/com.contoso.hosted"))):
        logo = gateway.browse(json.loads(gateway.browse(address).body)["logo_uri"])
        assert logo.status == 200 and f"0 0 4 {len(name)}" in logo.text and not logo.header("Set-Cookie")


WRONG = {
    "a hosted client with a secret": (lambda c, g: c["apps"][0].update(client_id="hosted", client_secret="x" * 32), "client_id hosted with a secret"),
    "a hosted client with a custom scheme": (lambda c, g: c["apps"][0].update(client_id="hosted"), "neither https nor loopback"),
    "an app below /clients/": (lambda c, g: c["apps"][0].update(redirect_uris=[g.url("/clients/x")]), "/clients/"),
    "a client twice": (lambda c, g: c.update(clients=[{"id": "a", "name": "A", "redirect_uris": [f"https://a.example/{n}"]} for n in "xy"]), "a second client"),
    "an id of dots": (lambda c, g: c.update(clients=[{"id": "..", "name": "A", "redirect_uris": ["https://a.example/"]}]), "not of dots alone"),
    "a large document": (lambda c, g: c.update(clients=[{"id": "a", "name": "A", "redirect_uris": [f"https://a.example/{'x' * 200}{n}" for n in range(30)]}]), "issuers take at most 5120"),
    "an unknown key": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "clients": {}}]}), "did you mean \"client\"?"),
    "a resource twice": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example"}, {"url": "https://A.example/"}]}), "a second entry"),
    "an app at a resource's redirect URI": (lambda c, g: (c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example"}]}), c["apps"][0].update(redirect_uris=[g.url("/r/*")])), "cannot be told apart"),
    "a secret for anybody": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "client": {"client_id": "a", "client_secret": "b" * 32, "issuer": "https://i.example"}}]}), "anyone may use"),
    "metadata by http in a private network": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "metadata": "http://10.0.0.1/m"}]}), "plain http passes only on loopback"),
    "an issuer by http in a private network": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "https://a.example", "client": {"client_id": "a", "issuer": "http://id.corp"}}]}), "plain http passes only on loopback"),
    "a resource by http in a private network": (lambda c, g: c.update(resources={"redirect_uri": g.url("/r"), "allow": [{"url": "http://192.168.1.1/mcp"}]}), "is not https"),
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
