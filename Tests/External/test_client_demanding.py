"""SwitchyardClient at issuers that ask much of a client: pushed requests, a key in the keyring, tokens bound to a key."""

import json
import time
from urllib.parse import parse_qsl, urlsplit

import pytest
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.app import ClientApp
from harness.binding import BindingProvider, part
from harness.deviating import CLIENT, SECRET, DeviatingProvider, Refused
from harness.gateway import CA, Gateway
from harness.issuer import fetch
from harness.keyring import Desktop
from harness.modern import ModernProvider
from harness.standin import JSON, StandIn
from harness.strict import StrictProvider
from harness.vault import VAULT


class DemandingProvider(BindingProvider, StrictProvider):
    """It wants assertions, proofs and, with `par: required`, pushed requests, and verifies all of them."""

    def __init__(self, par="required"):
        self.keys = []
        super().__init__(method="private_key_jwt", keys=lambda: self.keys, par=par)

    def metadata(self, **changes):
        return DeviatingProvider.metadata(
            self, pushed_authorization_request_endpoint=f"{self.base}/par", dpop_signing_alg_values_supported=["ES256"],
            require_pushed_authorization_requests=self.par == "required", **changes)

    def _push(self, request):
        def work():
            if request["form"].get("dpop_jkt") != self.check(request, "as"):
                raise Refused("invalid_dpop_proof", "dpop_jkt is of another key")
            return self._par(request)
        return self._guard(request, "as", work)

    def authorize(self, url, **callback):
        return StrictProvider.authorize(self, url, **callback)


@pytest.fixture
def start():
    """Makes a provider, and apps of its client."""
    made = []

    def build(provider, **settings):
        settings = {"redirect_uri": "http://127.0.0.1/callback", "client_id": CLIENT, "binds": True, **settings}
        app = ClientApp(authority=provider.base, **settings)
        made.append(app)
        return app

    def provider(*arguments, **options):
        made.append(DemandingProvider(*arguments, **options))
        return made[-1]

    build.provider = provider
    yield build
    for one in made:
        one.stop()


@pytest.fixture
def desktop(tmp_path):
    session = Desktop(tmp_path)
    yield session.start_bus().start_keyring()
    session.close()


def register(provider, app):
    """Gives the provider the app's key set, and returns it."""
    keys = app.call("key_set")["keys"]
    provider.keys = json.loads(keys)["keys"]
    return keys


def finish(provider, app, name, url):
    assert fetch(provider.authorize(url))[0] == 200, provider.problems
    result = app.end(name)
    assert "error" not in result, (result, provider.problems)
    VAULT.remember("access token", result["access_token"])
    return result


def sign_in(provider, app, *scopes):
    return finish(provider, app, *app.begin_sign_in(*(scopes or ["mail"])))


def test_a_sign_in_with_a_key_of_the_keyring(start, desktop):
    provider = start.provider()
    settings = {"env": desktop.environment, "cache": "keyring", "client_key": True}
    app = start(provider, **settings)
    keys = register(provider, app)
    [key] = provider.keys
    assert (key["kty"], key["crv"], key["use"]) == ("EC", "P-256", "sig") and "d" not in key
    name, url = app.begin_sign_in("mail")
    assert {parameter for parameter, _ in parse_qsl(urlsplit(url).query)} == {"client_id", "request_uri"}
    result = finish(provider, app, name, url)
    assert result["bound"] and result["token_type"] == "DPoP" and result["account"]["username"] == "alice@contoso.com"
    # A second app of the client ID has the same key, and refreshes with it.
    other = start(provider, **settings)
    assert other.call("key_set")["keys"] == keys
    fresh = other.call("silent", scopes=["mail"], force=True)
    VAULT.remember("access token", fresh["access_token"])
    assert fresh["access_token"] != result["access_token"] and provider.bound[fresh["access_token"]] == provider.bound[result["access_token"]]
    assert [one["path"] for one in provider.assertions] == ["/par", "/token", "/token"]
    assert {one["header"]["kid"] for one in provider.assertions} == {key["kid"]} and provider.problems == []
    assert len({one["claims"]["jti"] for one in provider.assertions}) == 3


def test_a_server_that_wants_a_nonce_gets_a_new_assertion_too(start):
    provider = start.provider()
    app = start(provider, client_key=True)
    register(provider, app)
    provider.nonces["as"] = "n1"
    sign_in(provider, app)
    assert [(proof["path"], proof.get("nonce")) for proof in provider.proofs] == [("/par", None), ("/par", "n1"), ("/token", "n1")]
    assert provider.problems == []


def test_calls_of_an_api_prove_the_key(start):
    provider = start.provider()
    app = start(provider, client_key=True)
    register(provider, app)
    sign_in(provider, app)
    url = f"{provider.base}/api"

    def call():
        answer = app.call("api", url=f"{url}?q=1", scopes=["mail"])
        return answer["status"], len(provider.asked("/api"))

    assert call() == (200, 1)
    # The API wants a nonce from now on: the same call goes once more with it, and the next one has it already.
    provider.nonces["rs"] = "of-the-api"
    assert call() == (200, 3) and call() == (200, 4)
    # One that is never content is asked twice.
    provider.answers["/api"] = lambda _: (401, {"DPoP-Nonce": str(time.monotonic_ns()), "WWW-Authenticate": 'DPoP error="use_dpop_nonce"'}, "")
    assert call() == (401, 6)
    # A 401 for another reason is the app's to see.
    provider.answers["/api"] = lambda _: (401, {"DPoP-Nonce": "n", "WWW-Authenticate": 'DPoP error="invalid_token"'}, "")
    assert call() == (401, 7)
    proofs = [request["headers"]["dpop"] for request in provider.asked("/api")]
    assert len(set(proofs)) == len(proofs) and provider.problems == []


def test_without_a_key_no_browser_is_opened(start):
    provider = start.provider()
    for settings, words in (({"client_key": True}, "clientKeySet()"), ({"par": "required"}, None)):
        app = start(provider, **settings)
        error = app.call("acquire", scopes=["mail"])["error"]
        if words:
            assert error["code"] == "invalid_configuration" and words in error["message"]
            assert not provider.asked("/par")
        else:
            assert (error["code"], error["oauth_error"]) == ("invalid_client", "invalid_client"), error
    assert "error" in start(provider).call("key_set")


@pytest.mark.parametrize("issuer, app, pushed", [
    ("required", None, True), ("optional", None, False), ("optional", "required", True), ("required", "off", False)])
def test_which_requests_are_pushed(start, issuer, app, pushed):
    provider = start.provider(issuer)
    client = start(provider, client_key=True, **({"par": app} if app else {}))
    register(provider, client)
    _, url = client.begin_sign_in("mail")
    assert ("request_uri=" in url) == pushed == bool(provider.asked("/par"))
    assert ("code_challenge=" in url) != pushed


@pytest.mark.parametrize("status, answer, code", [
    (400, {"error": "invalid_request", "error_description": "not this one"}, None), (201, {"expires_in": 60}, "invalid_response")])
def test_a_refused_push_ends_the_sign_in(start, status, answer, code):
    provider = start.provider()
    app = start(provider, client_key=True)
    register(provider, app)
    provider.refuse("/par", (status, answer), (status, answer))
    error = app.call("acquire", scopes=["mail"])["error"]
    if code:
        assert error["code"] == code, error
    else:
        assert error["oauth_error"] == "invalid_request" and "not this one" in error["message"]
    assert len(provider.asked("/par")) == 1


def test_the_nonce_of_the_second_answer_is_used_next(start):
    """A server whose nonces count once gives the next one with each answer."""
    provider = start.provider()
    app = start(provider, client_key=True)
    register(provider, app)
    sign_in(provider, app)
    asked = []

    def api(request):
        asked.append(part(request["headers"]["dpop"].split(".")[1]).get("nonce"))
        headers = JSON | {"DPoP-Nonce": f"n{len(asked)}"}
        if asked[-1] != (f"n{len(asked) - 1}" if len(asked) > 1 else "never"):
            return 401, headers | {"WWW-Authenticate": 'DPoP error="use_dpop_nonce"'}, {}
        return 200, headers, {}
    provider.answers["/api"] = api
    for _ in range(2):
        assert app.call("api", url=f"{provider.base}/api", scopes=["mail"])["status"] == 200
    assert asked == [None, "n1", "n2"]


def test_a_gateway_refreshes_bound_tokens_with_proofs_of_the_app(run_folder):
    """The gateway has the client's secret, and the app the key: each refresh takes both."""
    provider, gateway, app = BindingProvider(), Gateway(run_folder, "https://localhost:1"), None
    gateway.configuration["issuers"] = [provider.configuration("demo")]
    gateway.configuration["apps"] = [gateway.app(
        "bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post", dpop="required",
        default_scope="openid mail", begin_from={"networks": ["127.0.0.0/8"]})]
    gateway.start()
    try:
        app = ClientApp(authority=provider.base, gateway=f"https://localhost:{gateway.api_port}", ca=str(CA), app="com.contoso.bank",
                        client_id=CLIENT, refresh="gateway", binds=True)
        name, url = app.begin_sign_in("mail")
        assert gateway.browse(provider.authorize(gateway.browse(url).header("Location"))).status == 303
        result = app.end(name)
        VAULT.remember("access token", result["access_token"])
        provider.nonces["as"] = "n1"
        fresh = app.call("silent", scopes=["mail"], force=True)
        VAULT.remember("access token", fresh["access_token"])
        assert fresh["bound"] and provider.bound[fresh["access_token"]] == provider.bound[result["access_token"]]
        assert [proof.get("nonce") for proof in provider.proofs] == [None, None, "n1"] and not provider.problems
        assert app.call("silent", scopes=["mail"], force=True)["bound"]
    finally:
        for one in (app, gateway, provider):
            if one:
                one.stop()


# A gateway that is not honest


class OtherGateway(StandIn):
    """Seals what a test says to the app's key, whatever the app has asked for."""

    def __init__(self, provider):
        self.provider, self.claims, self.result, self.type = provider, {}, {}, "Bearer"
        super().__init__()

    def reset(self):
        super().reset()
        self.answers = {"/v1/requests": self._begin, "/v1/requests/1": self._collect}

    def _begin(self, request):
        self.begun = json.loads(request["content"])
        return 201, JSON, {
            "id": "1", "result_token": "t" * 43, "reference": "reference", "state": "s", "expires_in": 60,
            "redirect_uri": "https://login.contoso.com/auth", "start_url": f"{self.base}/start/1",
            "authorization_url": f"{self.base}/start/1"}

    def _collect(self, _):
        tokens = {"access_token": "opaque", "token_type": self.type, "expires_in": 3600, "scope": "openid mail",
                  "id_token": self.provider.id_token(**self.claims)}
        key = ECKey.import_key(self.begun["result_key"])
        sealed = jwe.encrypt_compact(
            {"alg": "ECDH-ES", "enc": "A256GCM"}, json.dumps({"status": "completed", "token_response": tokens, **self.result}), key,
            registry=jwe.JWERegistry(algorithms=["ECDH-ES", "A256GCM"]))
        return 200, JSON, {"status": "completed", "jwe": sealed}


@pytest.fixture
def other():
    """An app that has a dishonest gateway redeem."""
    provider, made = ModernProvider(), []
    gateway = OtherGateway(provider)

    def build(**settings):
        made.append(ClientApp(authority=provider.base, gateway=gateway.base, client_id=CLIENT, **settings))
        return made[-1]

    build.gateway = gateway
    yield build
    for one in [*made, gateway, provider]:
        one.stop()


CHALLENGE = 'Bearer error="insufficient_user_authentication", acr_values="urn:gold", max_age="300"'


@pytest.mark.parametrize("claims, fits", [
    ({"acr": "urn:gold"}, True), ({"acr": "urn:bronze"}, False), ({"acr": None}, False),
    ({"acr": "urn:gold", "auth_time": 1}, False), ({"acr": "urn:gold", "auth_time": None}, False)])
def test_a_gateway_is_not_believed_about_the_kind_of_sign_in(other, claims, fits):
    app = other()
    other.gateway.claims = {"auth_time": int(time.time()), **claims}
    name, _ = app.begin_sign_in("mail", www_authenticate=CHALLENGE)
    result = app.end(name)
    assert other.gateway.begun["acr_values"] == "urn:gold" and other.gateway.begun["max_age"] == 300
    if fits:
        assert "error" not in result, result
    else:
        assert (result["error"]["code"], result["error"]["internal"]) == ("invalid_id_token", "step_up_not_met"), result


def test_a_gateways_tokens_are_bound_where_the_app_demands_it(other):
    app = other(binds=True)
    name, _ = app.begin_sign_in("mail")
    result = app.end(name)
    assert result["error"]["code"] == "gateway_failed", result
    key = ECKey.generate_key("P-256").as_dict(private=True)
    other.gateway.result = {"dpop_jwk": {name: key[name] for name in ("kty", "crv", "x", "y", "d")}}
    name, _ = app.begin_sign_in("mail")
    assert app.end(name)["error"]["code"] == "gateway_failed", "a bearer token beside a key"
    other.gateway.type = "DPoP"
    name, _ = app.begin_sign_in("mail")
    result = app.end(name)
    assert result["bound"] and result["token_type"] == "DPoP", result
