"""SwitchyardClient at issuers that ask much of a client: pushed requests, a key in the keyring, tokens bound to a key."""

import json
import time
from urllib.parse import parse_qsl, urlsplit

import pytest

from harness.app import ClientApp
from harness.binding import BindingProvider
from harness.deviating import CLIENT, DeviatingProvider, Refused
from harness.issuer import fetch
from harness.keyring import Desktop
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
