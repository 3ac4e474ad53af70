"""DPoP towards issuers: tokens are bound to a key of the sign-in, and every request proves it."""

import json
import os
import subprocess
import time

import pytest
from joserfc import jwe, jws
from joserfc.jwk import ECKey

from harness.agent import AgentGateway
from harness.binding import BindingProvider, thumbprint
from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.programs import SWITCHYARD, run
from harness.vault import VAULT

PKCE = {"completion": "response", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "nonce": "n"}


class World:
    def __init__(self, folder):
        self.provider = BindingProvider()
        self.gateway = Gateway(folder, self.provider.base, log={"level": "debug"})
        self.gateway.configuration["issuers"] = [self.provider.configuration("demo")]
        self.gateway.configuration["apps"] = [
            self.gateway.app(name, "Bank", client_id=CLIENT, client_secret=SECRET, default_scope="openid mail",
                             token_endpoint_auth_method="client_secret_post", dpop=dpop, **more,
                             begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]})
            for name, dpop, more in (
                ("app", "required", {}), ("pushed", "required", {"par": "required"}), ("info", "required", {"userinfo": True}),
                ("off", "off", {}), ("auto", "auto", {}))]
        self.gateway.start()
        self.key = ECKey.generate_key("P-256")

    def result_key(self):
        return {name: value for name, value in self.key.as_dict(private=False).items() if name in ("kty", "crv", "x", "y")}

    def begin(self, app="app", **fields):
        return self.gateway.api().begin(f"com.contoso.{app}", demo=None, **{"result_key": self.result_key(), **fields})

    def refused(self, app="app", **fields):
        reply = self.gateway.api().begin_reply(f"com.contoso.{app}", **fields)
        assert (reply.status, reply.json["error"]) == (400, "invalid_request"), reply.body
        return reply.json["error_description"]

    def bring(self, pending):
        address = pending.authorization_url
        if "/start/" in address:
            address = self.gateway.browse(address).header("Location")
        answer = self.gateway.browse(self.provider.authorize(address))
        assert answer.status == 303, answer.text

    def sign_in(self, app="app", **fields):
        pending = self.begin(app, **fields)
        self.bring(pending)
        return pending

    def opened(self, pending):
        outcome = pending.outcome()
        assert outcome["status"] == "completed" and set(outcome) == {"status", "jwe"}, (outcome, self.provider.problems)
        registry = jwe.JWERegistry(algorithms=["ECDH-ES", "A256GCM"])
        result = json.loads(jwe.decrypt_compact(outcome["jwe"], self.key, registry=registry).plaintext)
        VAULT.remember_all(result["token_response"])
        VAULT.remember("key of tokens", result["dpop_jwk"]["d"])
        return result

    def proof(self, key, **claims):
        """A proof that an app makes for the token endpoint."""
        claims = {"jti": os.urandom(12).hex(), "htm": "POST", "htu": f"{self.provider.base}/token", "iat": int(time.time()),
                  **claims}
        public = {name: value for name, value in key.as_dict(private=False).items() if name in ("kty", "crv", "x", "y")}
        return jws.serialize_compact({"alg": "ES256", "typ": "dpop+jwt", "jwk": public}, json.dumps(claims), key)


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "dpop"
    folder.mkdir()
    world = World(folder)
    yield world
    world.gateway.stop()
    world.provider.stop()


@pytest.fixture
def world(running):
    running.provider.reset()
    return running


def test_tokens_are_bound_to_a_key_that_the_sealed_result_has(world):
    results = [world.opened(world.sign_in()) for _ in range(2)]
    for result in results:
        token, key = result["token_response"]["access_token"], result["dpop_jwk"]
        assert result["token_response"]["token_type"] == "DPoP"
        assert world.provider.bound[token] == thumbprint(key) and len(key["d"]) == 43
    assert not world.provider.problems
    # Each sign-in has a key of its own.
    assert results[0]["dpop_jwk"] != results[1]["dpop_jwk"]


def test_a_provider_of_other_hands_takes_the_proof(world):
    """idpyoidc's own check at its token endpoint."""
    dpop = pytest.importorskip("idpyoidc.server.oauth2.add_on.dpop")
    result = world.opened(world.sign_in())
    request = world.provider.asked("/token")[0]
    info = {"headers": request["headers"], "method": request["method"], "url": f"{world.provider.base}/token"}
    assert dpop.token_post_parse_request({}, CLIENT, None, http_info=info)["dpop_jkt"] == thumbprint(result["dpop_jwk"])


def test_a_pushed_request_proves_the_key_too(world):
    result = world.opened(world.sign_in("pushed"))
    paths = [proof["path"] for proof in world.provider.proofs]
    assert paths == ["/par", "/token"] and len({proof["jkt"] for proof in world.provider.proofs}) == 1
    assert world.provider.proofs[0]["jkt"] == thumbprint(result["dpop_jwk"]) and not world.provider.problems


def test_a_wanted_nonce_is_given_once_and_remembered(world):
    world.provider.nonces["as"] = "first"
    world.opened(world.sign_in())
    assert [proof.get("nonce") for proof in world.provider.proofs][1:] == ["first"]
    # The next sign-in knows it already, and a good answer brings a new one.
    world.provider.next_nonce = "second"
    world.opened(world.sign_in())
    world.provider.nonces["as"] = "second"
    world.opened(world.sign_in())
    assert [proof.get("nonce") for proof in world.provider.proofs][1:] == ["first", "first", "second"]
    assert len(world.provider.asked("/token")) == 4


@pytest.mark.rule(5)
def test_a_server_that_is_never_content_is_asked_twice(world):
    world.provider.answers["/token"] = lambda _: (
        400, {"Content-Type": "application/json", "DPoP-Nonce": os.urandom(6).hex()}, {"error": "use_dpop_nonce"})
    error = world.sign_in().failure()
    assert error["oauth_error"] == "use_dpop_nonce" and len(world.provider.asked("/token")) == 2


@pytest.mark.parametrize("nonce", ["x" * 1025, 'a"b', "a b"])
def test_an_unusable_nonce_is_not_sent(world, nonce):
    world.provider.answers["/token"] = lambda _: (
        400, {"Content-Type": "application/json", "DPoP-Nonce": nonce}, {"error": "use_dpop_nonce"})
    assert world.sign_in().failure()["oauth_error"] == "use_dpop_nonce"
    assert len(world.provider.asked("/token")) == 1


def test_after_a_server_error_the_second_try_has_a_proof_of_its_own(world):
    honest, failed = world.provider.answers["/token"], []

    def answer(request):
        if failed:
            return honest(request)
        failed.append(request)
        return 503, {}, ""

    world.provider.answers["/token"] = answer
    world.opened(world.sign_in())
    proofs = [request["headers"]["dpop"] for request in world.provider.asked("/token")]
    assert len(proofs) == 2 and proofs[0] != proofs[1]


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "N_A"])
def test_a_token_that_is_not_bound_is_refused(world, kind):
    world.provider.token_type = kind
    assert world.sign_in().failure()["code"] == "invalid_response"


def test_userinfo_is_asked_with_a_proof_and_the_nonce_of_that_server(world):
    world.provider.nonces |= {"as": "of-the-server", "rs": "of-the-api"}
    result = world.opened(world.sign_in("info"))
    assert result["userinfo"]["email"] == "alice@contoso.com" and not world.provider.problems
    seen = [(proof["path"], proof.get("nonce"), "ath" in proof) for proof in world.provider.proofs]
    assert seen[1::2] == [("/token", "of-the-server", False), ("/userinfo", "of-the-api", True)], seen
    assert [path for path, _, _ in seen] == ["/token", "/token", "/userinfo", "/userinfo"]


@pytest.mark.rule(7)
def test_without_a_result_key_no_sign_in_begins(world):
    assert '"result_key"' in world.refused()


@pytest.mark.parametrize("app", ["off", "auto"])
def test_another_app_proves_nothing(world, app):
    world.provider.token_type = "Bearer"
    pending = world.begin(app)
    assert "dpop_jkt" not in pending.authorization_url
    world.provider.answers["/token"] = (200, {"Content-Type": "application/json"}, {"access_token": "a", "token_type": "Bearer"})
    world.bring(pending)
    pending.outcome()
    assert all("dpop" not in request["headers"] for request in world.provider.asked("/token"))


# An app that redeems by itself


def test_an_app_that_redeems_gives_its_thumbprint(world):
    jkt = thumbprint(world.result_key())
    pending = world.begin(dpop_jkt=jkt, state="0123456789abcdef0", **PKCE)
    assert f"dpop_jkt={jkt}" in pending.authorization_url
    assert '"dpop_jkt"' in world.refused(state="0123456789abcdef1", **PKCE)
    assert '"dpop_jkt"' in world.refused("off", state="0123456789abcdef2", dpop_jkt="short", **PKCE)
    assert '"dpop_jkt"' in world.refused(dpop_jkt=jkt, result_key=world.result_key())


def test_a_refresh_takes_the_proof_of_the_app(world):
    result = world.opened(world.sign_in())
    key = ECKey.import_key(result["dpop_jwk"])

    def refresh(token, **fields):
        return world.gateway.api().call("POST", "/v1/tokens", {"app": "com.contoso.app", "refresh_token": token, **fields})

    token = result["token_response"]["refresh_token"]
    for dpop in (None, "no proof", "a.b", "a..c"):
        reply = refresh(token, **({} if dpop is None else {"dpop": dpop}))
        assert reply.status == 400 and '"dpop"' in reply.json["error_description"], reply.body
    world.provider.nonces["as"] = "wanted"
    before = len(world.provider.asked("/token"))
    reply = refresh(token, dpop=world.proof(key))
    assert (reply.status, reply.json["dpop_nonce"], reply.json["error"]["oauth_error"]) == (400, "wanted", "use_dpop_nonce")
    assert len(world.provider.asked("/token")) == before + 1
    world.provider.next_nonce = "next"
    reply = refresh(token, dpop=world.proof(key, nonce="wanted"))
    assert reply.status == 200 and reply.json["dpop_nonce"] == "next", (reply.body, world.provider.problems)
    assert reply.json["token_response"]["token_type"] == "DPoP"
    # A key of somebody else's is the issuer's to refuse.
    other = refresh(reply.json["token_response"]["refresh_token"], dpop=world.proof(ECKey.generate_key("P-256"), nonce="wanted"))
    assert (other.status, other.json["error"]["oauth_error"]) == (400, "invalid_dpop_proof")


@pytest.mark.rule(7)
def test_no_key_and_no_proof_is_in_the_log(world):
    result = world.opened(world.sign_in("info"))
    log = world.gateway.output()
    assert result["dpop_jwk"]["d"] not in log
    for request in world.provider.requests:
        proof = request["headers"].get("dpop")
        assert proof is None or proof not in log and proof.split(".")[2] not in log


def test_check_names_the_values(world, tmp_path):
    gateway = Gateway(tmp_path, world.provider.base)
    gateway.configuration["apps"] = [gateway.app("one", "One", client_id="c", dpop="always")]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and "off or auto or required" in done.stdout + done.stderr


# An agent


@pytest.fixture(scope="module")
def agent(run_folder, running):
    folder = run_folder / "dpop-agent"
    folder.mkdir()
    agent = AgentGateway(folder, running.provider.base)
    agent.configuration["issuers"] = [running.provider.configuration("demo")]
    agent.configuration["apps"] = [
        agent.app("bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
                  begin_from={"uids": [os.getuid()]}, default_scope="openid mail", dpop="required")]
    agent.start()
    yield agent
    agent.stop()


@pytest.fixture
def signed_in(agent, world):
    api = agent.local_api()
    asked = api.call("POST", "/v1/tokens", {"app": "com.contoso.bank", "force_refresh": False})
    request = asked.json.get("request") or {"app": "com.contoso.bank", "scope": "openid mail profile offline_access"}
    pending = api.begin(request.pop("app"), demo=None, **request)
    assert agent.browse(world.provider.authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    return api


def prove(api, url, **fields):
    reply = api.call("POST", "/v1/proofs", {"app": "com.contoso.bank", "url": url, "method": "GET", **fields})
    assert reply.status == 200, reply.body
    return {"authorization": reply.json["authorization"], "dpop": reply.json["dpop"]}


def test_an_agent_makes_the_proof_of_each_call(world, signed_in):
    provider, url = world.provider, f"{world.provider.base}/api"

    def call(headers, method="GET"):
        return provider._api({"method": method, "path": "/api", "headers": headers})[0]

    headers = prove(signed_in, f"{url}?q=1#f")
    assert call(headers) == 200 and call(headers) == 401, "a proof counts once"
    assert call(prove(signed_in, url), "POST") == 401
    assert call(prove(signed_in, f"{url}/other")) == 401
    provider.nonces["rs"] = "api-nonce"
    assert call(prove(signed_in, url)) == 401
    assert call(prove(signed_in, url, nonce="api-nonce")) == 200
    token = signed_in.call("POST", "/v1/tokens", {"app": "com.contoso.bank"}).json
    assert token["token_type"] == "DPoP" and "key" not in token and "dpop_jwk" not in token


def test_an_agent_refreshes_with_the_key(world, signed_in):
    old = signed_in.call("POST", "/v1/tokens", {"app": "com.contoso.bank"}).json["access_token"]
    reply = signed_in.call("POST", "/v1/tokens", {"app": "com.contoso.bank", "force_refresh": True})
    assert reply.status == 200 and reply.json["access_token"] != old, (reply.body, world.provider.problems)
    assert world.provider.bound[old] == world.provider.bound[reply.json["access_token"]]


@pytest.mark.parametrize("fields, words", [
    ({"url": "http://evil.example/"}, '"url"'), ({"url": "not a url"}, '"url"'), ({"method": "get it"}, '"method"'),
    ({"method": None}, '"method"'), ({"nonce": 'a"b'}, '"nonce"'), ({"app": "com.contoso.none"}, '"app"'), ({"more": 1}, "more"),
])
def test_a_wrong_call_for_a_proof_is_named(agent, fields, words):
    body = {"app": "com.contoso.bank", "url": "https://api.example/", "method": "GET", **fields}
    reply = agent.local_api().call("POST", "/v1/proofs", body)
    assert reply.status == 400 and words in reply.json["error_description"], reply.body


def test_a_gateway_makes_no_proofs(world):
    reply = world.gateway.api().call("POST", "/v1/proofs", {"app": "com.contoso.app", "url": "https://a.example/", "method": "GET"})
    assert reply.status == 404


def test_the_command_prints_the_fields_of_one_call(world, agent, signed_in):
    def token(*arguments):
        return subprocess.run(
            [str(SWITCHYARD), "token", "--app", "com.contoso.bank", *arguments, "--gateway", agent.socket],
            capture_output=True, text=True, timeout=60)

    url = f"{world.provider.base}/api"
    done = token("--format", "curl", "--url", url, "--method", "POST")
    assert done.returncode == 0, done.stderr
    fields = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert set(fields) == {"Authorization", "DPoP"}
    request = {"method": "POST", "path": "/api", "headers": {name.lower(): value for name, value in fields.items()}}
    assert world.provider._api(request)[0] == 200, world.provider.problems
    assert token("--format", "header").stdout.startswith("Authorization: DPoP ")
    for wrong in (["--format", "curl"], ["--url", url], ["--format", "curl", "--url", url, "--id-token"]):
        assert token(*wrong).returncode == 2


def test_an_agents_bearer_tokens_of_before_do_not_count(run_folder, world):
    """With `dpop: required` no token that is not bound is given out, also none that is in the cache."""
    agent, provider = AgentGateway(run_folder, world.provider.base), world.provider
    agent.configuration["issuers"] = [provider.configuration("demo")]
    app = agent.app("bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
                    begin_from={"uids": [os.getuid()]}, default_scope="openid mail")
    agent.configuration["apps"] = [app]
    provider.answers["/token"] = lambda request: provider._token(request, at_refresh=False)
    agent.start()
    try:
        api = agent.local_api()
        request = api.call("POST", "/v1/tokens", {"app": "com.contoso.bank"}).json["request"]
        pending = api.begin(request.pop("app"), demo=None, **request)
        assert agent.browse(provider.authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
        before = api.call("POST", "/v1/tokens", {"app": "com.contoso.bank"})
        assert (before.status, before.json["token_type"]) == (200, "Bearer")
        VAULT.remember("access token", before.json["access_token"])
        agent.stop()
        app["dpop"] = "required"
        agent.start()
        asked = len(provider.asked("/token"))
        for force in (False, True):
            reply = api.call("POST", "/v1/tokens", {"app": "com.contoso.bank", "force_refresh": force})
            assert (reply.status, reply.json["error"]) == (401, "interaction_required"), reply.body
        assert len(provider.asked("/token")) == asked
    finally:
        agent.stop()


def test_the_account_is_asked_for_with_a_proof(run_folder):
    """At an issuer without ID tokens the provider's API says who signed in, and it takes a bound token with its proof only."""
    provider, agent = BindingProvider(rules={"id_token": "none"}), None

    def me(request):
        status, headers, body = provider._api(request)
        return status, headers, {"id": 7, "login": "octocat"} if status == 200 else body
    provider.answers["/me"] = me
    provider.nonces["rs"] = "of-the-api"
    try:
        agent = AgentGateway(run_folder, provider.base)
        agent.configuration["issuers"] = [
            provider.configuration("demo", account={"url": f"{provider.base}/me", "id": "/id", "name": "/login"})]
        agent.configuration["apps"] = [
            agent.app("bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
                      begin_from={"uids": [os.getuid()]}, default_scope="mail", dpop="required")]
        agent.start()
        api = agent.local_api()
        pending = api.begin("com.contoso.bank", demo=None)
        assert agent.browse(provider.authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
        reply = api.call("POST", "/v1/tokens", {"app": "com.contoso.bank"})
        assert reply.status == 200 and reply.json["account"]["username"] == "octocat", (reply.body, provider.problems)
        VAULT.remember("access token", reply.json["access_token"])
        assert reply.json["token_type"] == "DPoP" and len(provider.asked("/me")) == 2 and not provider.problems
    finally:
        provider.stop()
        if agent:
            agent.stop()


@pytest.mark.parametrize("handler", [{"redirect": "x-bank://auth"}, [{"socket": "/run/bank.sock"}]])
def test_check_refuses_dpop_where_it_would_bind_nothing(tmp_path, handler):
    gateway = Gateway(tmp_path, "https://localhost:1")
    app = gateway.app("bank", "Bank", handler=handler, dpop="required")
    del app["release"], app["default_scope"]
    gateway.configuration["apps"] = [app]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and '"dpop" has no meaning here' in done.stdout + done.stderr, done.stdout + done.stderr
