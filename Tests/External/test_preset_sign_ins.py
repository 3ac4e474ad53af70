"""Each preset through a sign-in, a refresh and a failure at a stand-in that behaves as the preset's sources say. This file
repeats the facts of the sources, apart from the presets' data, so that a change of one is noticed.
"""

import json
import os
import secrets
from types import SimpleNamespace
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.deviating import CLIENT, FORM, SECRET, DeviatingProvider
from harness.gateway import Gateway
from harness.programs import run
from harness.standin import JSON
from harness.vault import VAULT

OAUTH = {"id_token": "none"}
# For each: the rules that the provider breaks, the parameters that it must get, and how the client authenticates where the
# sources want it one way.
PROVIDERS = {
    "entra": {}, "external-id": {}, "b2c": {}, "adfs": {}, "okta": {}, "auth0": {}, "keycloak": {}, "authentik": {}, "authelia": {},
    "zitadel": {}, "cognito": {}, "onelogin": {}, "gitlab": {}, "salesforce": {},
    "apple": {"method": "client_secret_post"}, "twitch": {"method": "client_secret_post"},
    "google": {"wants": {"access_type": "offline"}},
    "linkedin": {"rules": {"pkce": "off", "nonce": "off"}, "method": "client_secret_post"},
    "line": {"rules": {"id_token_algorithms": ["HS256"]}, "method": "client_secret_post"},
    "github": {"rules": OAUTH | {"token_response": "form"}, "account": True},
    "slack": {"rules": OAUTH | {"pkce": "off", "token_type": "any", "scope_separator": ","}},
    "facebook": {"rules": OAUTH | {"scope_separator": ","}, "account": True},
    "notion": {"rules": OAUTH | {"token_request": "json"}, "wants": {"owner": "user"}, "method": "client_secret_basic"},
    "figma": {"rules": OAUTH | {"refresh_endpoint": "another"}, "method": "client_secret_basic", "account": True},
    "dropbox": {"rules": OAUTH, "wants": {"token_access_type": "offline"}},
    "atlassian": {"rules": OAUTH, "wants": {"audience": "api.atlassian.com"}, "account": True},
    "x": {"rules": OAUTH, "method": "client_secret_basic", "account": True},
    "bitbucket": {"rules": OAUTH, "account": True}, "discord": {"rules": OAUTH, "account": True}, "spotify": {"rules": OAUTH, "account": True},
    "zoom": {"rules": OAUTH, "account": True}, "quickbooks": {"rules": OAUTH}, "amazon": {"rules": OAUTH, "account": True},
    "hubspot": {"rules": OAUTH, "method": "client_secret_post"}, "box": {"rules": OAUTH, "account": True},
}
# How some refuse a code, and the words that have to reach the app.
REFUSALS = {
    "slack": ((200, JSON, {"ok": False, "error": "invalid_code"}), "invalid_code"),
    "facebook": ((400, JSON, {"error": {"message": "Invalid code", "type": "OAuthException", "code": 100}}), "Invalid code"),
    "github": ((200, FORM, urlencode({"error": "bad_verification_code", "error_description": "The code is incorrect or expired."})),
               "The code is incorrect or expired."),
}


class Provider(DeviatingProvider):
    def __init__(self, name):
        self.told = SimpleNamespace(**({"rules": {}, "wants": {}, "method": None, "account": False} | PROVIDERS[name]))
        self.preset = name
        super().__init__(self.told.rules)

    def authorize(self, url, **callback):
        given = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert {name: given.get(name) for name in self.told.wants} == self.told.wants, url
        return super().authorize(url, **callback)

    def _authenticate(self, request, fields):
        basic = request["headers"].get("authorization", "").startswith("Basic ")
        assert self.told.method is None or basic == (self.told.method == "client_secret_basic"), self.told.method
        super()._authenticate(request, fields)

    def issuer(self, preset):
        """The preset with its values, and the stand-in's addresses in place of the provider's."""
        values = {one["key"]: one["example"] for one in preset["asks"] if one["required"]}
        addresses = {"issuer": self.base}
        for key, path in (("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("jwks_uri", "keys")):
            if key in preset["sets"]:
                addresses[key] = f"{self.base}/{path}"
        if "refresh_endpoint" in self.rules:
            addresses["deviations"] = {"refresh_endpoint": f"{self.base}/refresh"}
        return {"name": self.preset, "preset": self.preset} | values | addresses


class World:
    def __init__(self, folder):
        self.presets = {one["name"]: one for one in json.loads(run("issuers", "--json").stdout)}
        self.providers = {name: Provider(name) for name in PROVIDERS}
        self.gateway = Gateway(folder, "https://localhost:1", log={"level": "debug"})
        VAULT.remember("client secret", SECRET)
        for name, provider in self.providers.items():
            self.gateway.configuration["issuers"].append(provider.issuer(self.presets[name]))
            app = {key: value for key, value in self.presets[name]["app"].items() if key == "token_endpoint_auth_method"}
            self.gateway.configuration["apps"].append(self.gateway.app(
                name, name, issuer=name, client_id=CLIENT, client_secret=SECRET, default_scope=self.scope(name),
                begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}, **app))
        self.gateway.start()

    def scope(self, name):
        return "mail files" if "id_token" in self.providers[name].rules else "openid mail files"

    def begin(self, name):
        return self.gateway.api().begin(f"com.contoso.{name}", demo=None)

    def bring(self, address):
        answer = self.gateway.browse(address)
        assert answer.status == 303, answer.text

    def stop(self):
        self.gateway.stop()
        for provider in self.providers.values():
            provider.stop()


@pytest.fixture(scope="module")
def world(run_folder):
    folder = run_folder / "preset-sign-ins"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


def test_each_preset_has_its_stand_in(world):
    assert set(PROVIDERS) == set(world.presets)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_sign_in_and_a_refresh(world, name):
    provider = world.providers[name]
    pending = world.begin(name)
    world.bring(provider.authorize(pending.authorization_url))
    result = pending.outcome()
    assert result["status"] == "completed" and not provider.problems, (result, provider.problems)
    tokens = result["token_response"]
    VAULT.remember_all(tokens)
    assert tokens["access_token"] in provider.access_tokens
    assert ("id_token_claims" in result) == ("id_token" not in provider.rules)
    reply = world.gateway.api().call(
        "POST", "/v1/tokens", {"app": f"com.contoso.{name}", "refresh_token": tokens["refresh_token"], "scope": world.scope(name)})
    assert reply.status == 200 and not provider.problems, (reply.body, provider.problems)
    assert reply.json["token_response"]["access_token"] in provider.access_tokens


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_refused_code_reaches_the_app_in_the_providers_words(world, name):
    provider = world.providers[name]
    before = provider.answers["/token"]
    pending = world.begin(name)
    address = provider.authorize(pending.authorization_url, code=secrets.token_urlsafe(24))
    refusal, words = REFUSALS.get(name, (before, "the code is unknown"))
    provider.answers["/token"] = refusal
    try:
        world.bring(address)
        error = pending.failure()
    finally:
        provider.answers["/token"] = before
    assert words in (error.get("description", ""), error.get("oauth_error")), error


@pytest.mark.parametrize("name", [name for name, told in PROVIDERS.items() if told.get("account")])
def test_its_account_stands_where_the_sources_say(world, name):
    """The account is what an agent keeps tokens by; a provider with ID tokens has it there."""
    account = world.presets[name]["sets"]["account"]
    assert account["url"].startswith("https://") and account["id"].startswith("/") and account["name"].startswith("/")
    assert world.presets[name]["works"]["agent_account"] == "yes"


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_answer_about_agent_accounts_is_true(world, name):
    preset = world.presets[name]
    can = "account" in preset["sets"] or preset["sets"].get("deviations", {}).get("id_token") != "none"
    assert can == (preset["works"]["agent_account"] == "yes")
