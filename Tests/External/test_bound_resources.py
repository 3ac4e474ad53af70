"""Tokens of resources that are bound to a key (`dpop: auto`), and resources whose issuer wants its requests pushed (PAR)."""

import json
import os
import time
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from joserfc import jwe, jws
from joserfc.jwk import ECKey

from harness.agent import AgentGateway
from harness.binding import BindingProvider, thumbprint
from harness.deviating import CLIENT, SECRET
from harness.gateway import CA, Gateway
from harness.programs import CERTIFICATES, eventually, run
from harness.standin import JSON, StandIn
from harness.vault import VAULT


class BoundResource(BindingProvider):
    """An API at `/api` that says whether it takes bound tokens only, and its authorization server at the same port."""

    def __init__(self, binds=True, pushes=False, documents=False):
        self.binds, self.pushes, self.documents = binds, pushes, documents
        super().__init__()
        self.url = f"{self.base}/api"

    def reset(self):
        super().reset()
        self.answers["/.well-known/oauth-protected-resource/api"] = lambda _: (200, JSON, {
            "resource": f"{self.base}/api", "authorization_servers": [self.base], "dpop_bound_access_tokens_required": self.binds})

    def metadata(self, **changes):
        return super().metadata(
            code_challenge_methods_supported=["S256"], require_pushed_authorization_requests=self.pushes,
            registration_endpoint=f"{self.base}/register", client_id_metadata_document_supported=self.documents, **changes)

    def entry(self, **more):
        client = {"client_id": CLIENT, "client_secret": SECRET, "token_endpoint_auth_method": "client_secret_post", "issuer": self.base}
        return {"url": self.url, "client": client, **more}

    def call(self, fields, method="GET"):
        """The status of a call to the API with these header fields."""
        headers = {name.lower(): value for name, value in fields.items()}
        return self._api({"method": method, "path": "/api", "headers": headers})[0]


def public(key):
    return {name: value for name, value in key.as_dict(private=False).items() if name in ("kty", "crv", "x", "y")}


class World:
    def __init__(self, folder, **options):
        self.provider, self.key = BoundResource(**options), ECKey.generate_key("P-256")
        self.gateway = Gateway(folder, "https://localhost:1")
        self.gateway.configuration["resources"] = {
            "redirect_uri": self.gateway.url("/resource"), "release": "none", "begin_from": {"networks": ["127.0.0.0/8"]},
            "allow": [self.provider.entry()]}
        self.gateway.start()

    def call(self, path, **fields):
        return self.gateway.api().call("POST", path, {"resource": self.provider.url, **fields})

    def begin(self, **fields):
        reply = self.call("/v1/requests", **fields)
        assert reply.status == 201, reply.body
        return reply.json

    def result(self, begun):
        address = begun["authorization_url"]
        if "/start/" in address:
            address = self.gateway.browse(address).header("Location")
        assert self.gateway.browse(self.provider.authorize(address)).status == 303, self.provider.problems
        reply = self.gateway.api().call(
            "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
        assert reply.json["status"] == "completed", (reply.body, self.provider.problems)
        if "jwe" not in reply.json:
            VAULT.remember_all(reply.json["token_response"])
            return reply.json
        registry = jwe.JWERegistry(algorithms=["ECDH-ES", "A256GCM"])
        result = json.loads(jwe.decrypt_compact(reply.json["jwe"], self.key, registry=registry).plaintext)
        VAULT.remember_all(result["token_response"])
        return result

    def stop(self):
        self.gateway.stop()
        self.provider.stop()


@pytest.fixture
def make(run_folder):
    made = []

    def build(**options):
        made.append(World(run_folder, **options))
        return made[-1]

    yield build
    for one in made:
        one.stop()


# A gateway


def test_tokens_of_a_resource_that_requires_it_are_bound(make):
    world = make()
    provider = world.provider
    result = world.result(world.begin(result_key=public(world.key)))
    access = result["token_response"]["access_token"]
    assert provider.bound[access] == thumbprint(result["dpop_jwk"]) and result["token_response"]["token_type"] == "DPoP"
    key = ECKey.import_key(result["dpop_jwk"])

    def proof(path):
        claims = {"jti": os.urandom(12).hex(), "htm": "POST", "htu": f"{provider.base}{path}", "iat": int(time.time())}
        return jws.serialize_compact({"alg": "ES256", "typ": "dpop+jwt", "jwk": public(key)}, json.dumps(claims), key)

    token = result["token_response"]["refresh_token"]
    reply = world.call("/v1/tokens", refresh_token=token)
    assert reply.status == 400 and '"dpop"' in reply.json["error_description"], reply.body
    reply = world.call("/v1/tokens", refresh_token=token, dpop=proof("/token"))
    assert reply.status == 200 and reply.json["token_response"]["token_type"] == "DPoP", (reply.body, provider.problems)
    # An issuer may want a proof at its revocation endpoint too, although no RFC asks for one.
    given = proof("/revoke")
    reply = world.call("/v1/revocations", token=reply.json["token_response"]["refresh_token"], dpop=given)
    assert reply.status == 204, reply.body
    assert [request["headers"]["dpop"] for request in provider.asked("/revoke")] == [given]


@pytest.mark.rule(7)
def test_without_a_result_key_nothing_begins(make):
    """The key of the tokens goes out sealed only. A refused begin registers no client."""
    world = make()
    world.gateway.configuration["resources"]["allow"] = [{"url": world.provider.url}]
    world.gateway.stop()
    world.gateway.start()
    reply = world.call("/v1/requests")
    assert reply.status == 400 and '"result_key"' in reply.json["error_description"], reply.body
    assert not world.provider.asked("/register")


def test_another_resource_has_bearer_tokens(make):
    world = make(binds=False)
    world.provider.answers["/token"] = lambda request: world.provider._token(request, at_refresh=False)
    begun = world.begin()
    assert "dpop_jkt" not in begun["authorization_url"]
    assert "dpop_jwk" not in world.result(begun)
    assert all("dpop" not in request["headers"] for request in world.provider.requests)


def test_a_request_to_a_resource_is_pushed(make):
    """The issuer's metadata require it. A sealed record of the request knows the endpoint too."""
    world = make(pushes=True)
    begun = world.begin(result_key=public(world.key))
    assert begun["authorization_url"] == begun["start_url"]
    result = world.result(begun)
    [pushed] = world.provider.asked("/par")
    assert pushed["form"]["resource"] == world.provider.url and pushed["form"]["client_secret"] == SECRET
    keys = {proof["path"]: proof["jkt"] for proof in world.provider.proofs}
    assert keys == {"/par": thumbprint(result["dpop_jwk"]), "/token": thumbprint(result["dpop_jwk"])}
    assert not world.provider.problems


def test_the_document_of_a_client_decides_for_an_app(run_folder):
    """An app with `dpop: auto`. Its client ID is a document of this gateway with `dpop_bound_access_tokens`."""
    provider, gateway = BoundResource(), None
    try:
        gateway = Gateway(run_folder, provider.base)
        gateway.configuration["issuers"] = [provider.configuration("demo")]
        gateway.configuration["clients"] = [
            {"id": name, "name": name, "redirect_uris": [gateway.url(f"/{name}")], "dpop_bound_access_tokens": binds}
            for name, binds in (("bound", True), ("plain", False))]
        gateway.configuration["apps"] = [
            gateway.app(app, app, client_id=gateway.url(f"/clients/{document}"), begin_from={"networks": ["127.0.0.0/8"]}, **more)
            for app, document, more in (("one", "bound", {}), ("two", "plain", {}), ("three", "bound", {"dpop": "off"}))]
        gateway.start()
        documents = {name: json.loads(gateway.browse(gateway.url(f"/clients/{name}")).body) for name in ("bound", "plain")}
        assert documents["bound"]["dpop_bound_access_tokens"] is True
        assert "dpop_bound_access_tokens" not in documents["plain"]
        key = public(ECKey.generate_key("P-256"))
        bound = [
            "dpop_jkt=" in gateway.api().begin(f"com.contoso.{app}", demo=None, result_key=key).authorization_url
            for app in ("one", "two", "three")]
        assert bound == [True, False, False]
        reply = gateway.api().begin_reply("com.contoso.one")
        assert reply.status == 400 and '"result_key"' in reply.json["error_description"], reply.body
    finally:
        provider.stop()
        if gateway:
            gateway.stop()


@pytest.fixture
def elsewhere(run_folder):
    """Client documents on a server of others, and a gateway with an app for each of them."""
    provider, documents = BoundResource(documents=True), Gateway(run_folder, "https://localhost:1")
    documents.configuration["clients"] = [
        {"id": name, "name": name, "redirect_uris": [documents.url(f"/{name}")], "dpop_bound_access_tokens": name == "bound"}
        for name in ("bound", "plain")]
    documents.start()
    gateway = Gateway(run_folder, provider.base)
    gateway.configuration["issuers"] = [provider.configuration("demo", ca=str(CA))]
    gateway.configuration["apps"] = [
        gateway.app(name, name, client_id=documents.url(f"/clients/{document}"), begin_from={"networks": ["127.0.0.0/8"]}, **more)
        for name, document, more in (
            ("bound", "bound", {}), ("plain", "plain", {}), ("none", "none", {}), ("off", "bound", {"dpop": "off"}))]
    yield provider, documents, gateway.start()
    for one in (gateway, documents, provider):
        one.stop()


def begin_bound(gateway, app):
    """Whether the begin of an app asks for bound tokens."""
    reply = gateway.api().begin_reply(f"com.contoso.{app}", result_key=public(ECKey.generate_key("P-256")))
    assert reply.status == 201, reply.body
    return "dpop_jkt=" in reply.json["authorization_url"]


def test_a_client_document_on_another_server_decides_too(elsewhere):
    provider, documents, gateway = elsewhere
    assert [begin_bound(gateway, app) for app in ("bound", "plain", "off")] == [True, False, False]
    # Where no document stands, the client ID is only a name.
    assert not begin_bound(gateway, "none")
    # Without a key of the app's nothing could bring it the key of its tokens.
    reply = gateway.api().begin_reply("com.contoso.bound")
    assert reply.status == 400 and '"result_key"' in reply.json["error_description"], reply.body
    own = {"completion": "response", "state": "0123456789abcdef", "code_challenge": "E" * 43, "nonce": "n"}
    reply = gateway.api().begin_reply("com.contoso.bound", **own)
    assert reply.status == 400 and '"dpop_jkt"' in reply.json["error_description"], reply.body


def test_a_client_document_that_does_not_answer_is_no_permission(elsewhere):
    """The demand is unknown then, and an unknown one is not an absent one. What was once said goes on."""
    provider, documents, gateway = elsewhere
    assert begin_bound(gateway, "bound")
    documents.stop()
    assert begin_bound(gateway, "bound")
    reply = gateway.api().begin_reply("com.contoso.plain", result_key=public(ECKey.generate_key("P-256")))
    assert (reply.status, reply.json["error"]) == (503, "temporarily_unavailable"), reply.body
    assert "/clients/plain" in reply.json["error_description"] and "dpop: required" in reply.json["error_description"]
    assert not begin_bound(gateway, "off")


@pytest.mark.rule(12)
@pytest.mark.parametrize("answer", [(403, {}, "no"), (401, {}, ""), (200, {}, "<p>Back soon</p>"), (200, JSON, {"client_id": "https://other.example"})])
def test_an_answer_that_is_no_client_document_is_no_permission(run_folder, answer):
    provider, documents = BoundResource(documents=True), StandIn("localhost", SimpleNamespace(pem=CERTIFICATES / "server.pem", key_file=CERTIFICATES / "server.key"))
    documents.answers["/clients/app"] = answer
    gateway = Gateway(run_folder, provider.base)
    gateway.configuration["issuers"] = [provider.configuration("demo", ca=str(CA))]
    gateway.configuration["apps"] = [
        gateway.app("app", "app", client_id=f"{documents.base}/clients/app", begin_from={"networks": ["127.0.0.0/8"]})]
    gateway.start()
    try:
        reply = gateway.api().begin_reply("com.contoso.app", result_key=public(ECKey.generate_key("P-256")))
        assert (reply.status, reply.json["error"]) == (503, "temporarily_unavailable"), reply.body
        documents.answers["/clients/app"] = (404, {}, "")
        eventually(lambda: gateway.api().begin_reply("com.contoso.app").status == 201, what="the next look at the document")
    finally:
        for one in (gateway, documents, provider):
            one.stop()


# An agent


class AgentWorld:
    def __init__(self, folder, **options):
        self.provider = BoundResource(**options)
        self.agent = AgentGateway(folder, "https://localhost:1")
        self.agent.configuration["resources"] = {"allow": [self.provider.entry()]}
        self.agent.start()

    def call(self, path, status=200, **fields):
        reply = self.agent.local_api().call("POST", path, {"resource": self.provider.url, **fields})
        assert reply.status == status, (reply.status, reply.body, self.provider.problems)
        return reply.json

    def sign_in(self):
        begun = self.call("/v1/requests", 201)
        address = begun["authorization_url"]
        if "/start/" in address:
            address = self.agent.browse(address).header("Location")
        assert self.agent.browse(self.provider.authorize(address)).status == 303
        reply = self.agent.local_api().call(
            "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
        assert reply.json["status"] == "completed", (reply.body, self.provider.problems)
        VAULT.remember_all(reply.json["token_response"])

    def proof(self, **fields):
        answer = self.call("/v1/proofs", url=self.provider.url, **{"method": "GET", **fields})
        return {"authorization": answer["authorization"], "dpop": answer["dpop"]}

    def command(self, *words):
        return run(*words, env=self.agent.environment)

    def stop(self):
        self.agent.stop()
        self.provider.stop()


@pytest.fixture
def signed_in(run_folder):
    world = AgentWorld(run_folder)
    try:
        world.sign_in()
        yield world
    finally:
        world.stop()


def test_an_agent_makes_the_proof_of_each_call_to_a_resource(signed_in):
    provider = signed_in.provider
    fields = signed_in.proof()
    assert provider.call(fields) == 200 and provider.call(fields) == 401, "a proof counts once"
    assert provider.call(signed_in.proof(), "POST") == 401
    provider.nonces["rs"] = "api-nonce"
    assert provider.call(signed_in.proof()) == 401
    assert provider.call(signed_in.proof(nonce="api-nonce")) == 200
    token = signed_in.call("/v1/tokens")
    assert token["token_type"] == "DPoP" and not {"dpop_jwk", "binding_key"} & set(token)
    for wrong in ({"method": "get it"}, {"method": None}, {"nonce": 'a"b'}):
        answer = signed_in.call("/v1/proofs", 400, **{"url": provider.url, "method": "GET", **wrong})
        assert f'"{next(iter(wrong))}"' in answer["error_description"]


def test_an_agent_keeps_the_key_over_a_restart_and_refreshes_with_it(signed_in):
    signed_in.agent.stop()
    signed_in.agent.start()
    old = signed_in.call("/v1/tokens")["access_token"]
    new = signed_in.call("/v1/tokens", force_refresh=True)["access_token"]
    VAULT.remember("token", new)
    bound = signed_in.provider.bound
    assert new != old and bound[old] == bound[new] and signed_in.provider.call(signed_in.proof()) == 200
    home = b"".join(file.read_bytes() for file in signed_in.agent.home.rglob("*") if file.is_file())
    assert b"binding_key" not in home and old.encode() not in home


def test_the_command_prints_the_fields_of_one_call_to_a_resource(signed_in):
    url = signed_in.provider.url
    done = signed_in.command("token", "--resource", url, "--format", "curl", "--url", url, "--method", "POST")
    assert done.returncode == 0, done.stderr
    fields = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert set(fields) == {"Authorization", "DPoP"} and signed_in.provider.call(fields, "POST") == 200
    header = signed_in.command("token", "--resource", url, "--format", "header").stdout
    assert header.startswith("Authorization: DPoP ")


def test_signing_out_proves_the_key(signed_in):
    signed_in.provider.answers["/revoke"] = lambda request: (signed_in.provider.check(request, "as") and 200, {}, "")
    account = signed_in.agent.local_api().call(
        "GET", f"/v1/accounts?resource={quote(signed_in.provider.url, safe='')}").json["accounts"][0]["id"]
    reply = signed_in.agent.local_api().call(
        "DELETE", f"/v1/accounts/{account}?resource={quote(signed_in.provider.url, safe='')}")
    assert reply.status == 204 and len(signed_in.provider.asked("/revoke")) == 1
    keys = {proof["jkt"] for proof in signed_in.provider.proofs}
    assert len(keys) == 1 and [proof["path"] for proof in signed_in.provider.proofs][-1] == "/revoke"


def test_an_agent_reads_the_client_document_that_a_gateway_serves(run_folder):
    provider = BoundResource(binds=False, documents=True)
    agent, gateway = AgentGateway(run_folder, "https://localhost:1"), Gateway(run_folder, "https://localhost:1")
    gateway.configuration["clients"] = [
        {"id": name, "name": name, "redirect_uris": ["http://127.0.0.1/mine"], "dpop_bound_access_tokens": binds}
        for name, binds in (("bound", True), ("plain", False))]
    gateway.start()
    try:
        for name, binds in (("bound", True), ("plain", False)):
            agent.configuration["resources"] = {
                "client_id": gateway.url(f"/clients/{name}"), "redirect_uri": "http://127.0.0.1/mine",
                "allow": [{"url": provider.url, "ca": str(CA)}]}
            agent.start()
            for _ in range(2):
                begun = agent.local_api().call("POST", "/v1/requests", {"resource": provider.url}).json
                assert ("dpop_jkt=" in begun["authorization_url"]) == binds, begun
            agent.stop()
    finally:
        for one in (agent, gateway, provider):
            one.stop()


def test_a_client_document_that_an_agent_cannot_read_counts_as_a_demand(run_folder):
    """It does so wherever the authorization server says that it can bind tokens."""
    provider, agent = BoundResource(binds=False, documents=True), AgentGateway(run_folder, "https://localhost:1")
    document = f"https://localhost:{agent.api_port}/clients/mine"
    agent.configuration["resources"] = {
        "client_id": document, "redirect_uri": "http://127.0.0.1/mine", "allow": [{"url": provider.url, "ca": str(CA)}]}
    agent.start()
    try:
        reply = agent.local_api().call("POST", "/v1/requests", {"resource": provider.url})
        assert reply.status == 201 and "dpop_jkt=" in reply.json["authorization_url"], reply.body
    finally:
        agent.stop()
        provider.stop()


def test_a_resource_that_begins_to_require_bound_tokens(run_folder):
    """A refresh brings no bound token, so the refused call leads to a sign-in."""
    world = AgentWorld(run_folder, binds=False)
    provider = world.provider
    provider.answers["/token"] = lambda request: provider._token(request, at_refresh=False)
    try:
        world.sign_in()
        assert world.call("/v1/tokens")["token_type"] == "Bearer"
        provider.binds = True
        provider.answers["/token"] = provider._bound_token
        refused = world.call("/v1/tokens", 401, www_authenticate='DPoP error="invalid_token", algs="ES256"')
        assert refused["error"] == "interaction_required" and "bound to a key" in refused["error_description"]
        world.sign_in()
        assert provider.call(world.proof()) == 200
    finally:
        world.stop()


def test_an_agents_request_to_a_resource_is_pushed(run_folder):
    world = AgentWorld(run_folder, pushes=True)
    try:
        world.sign_in()
        assert [proof["path"] for proof in world.provider.proofs] == ["/par", "/token"]
        assert not world.provider.problems
    finally:
        world.stop()
