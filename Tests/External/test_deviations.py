"""Deviations: a provider that breaks a rule is usable once the operator has named it, and only then."""

import os
import re
import secrets
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.gateway import Gateway
from harness.programs import run
from harness.standin import JSON
from harness.vault import VAULT

TIKTOK = {"parameter_names": {"client_id": "client_key"}, "scope_separator": ",", "id_token": "none"}
# Every deviation alone, then providers that have several.
RULES = {
    "pkce": {"pkce": "off"},
    "nonce": {"nonce": "off"},
    "id_token": {"id_token": "none"},
    "hs256": {"id_token_algorithms": ["HS256"]},
    "token_request": {"token_request": "json"},
    "token_response": {"token_response": "form"},
    "token_type": {"token_type": "any"},
    "token_path": {"token_path": "/data/authed_user", "token_type": "any"},
    "scope_separator": {"scope_separator": ","},
    "refresh_endpoint": {"refresh_endpoint": "another address"},
    "client_key": {"parameter_names": {"client_id": "client_key", "redirect_uri": "redirect_url"}},
    "code": {"parameter_names": {"code": "spapi_oauth_code", "state": "amazon_state"}},
    "code_everywhere": {"parameter_names": {"code": {"callback": "auth_code", "token": "auth_code"}}, "token_request": "json"},
    "tiktok": TIKTOK,
    "slack": {"token_type": "any", "token_path": "/authed_user", "scope_separator": ",", "id_token": "none",
              "parameter_names": {"scope": "user_scope"}},
    "linkedin": {"pkce": "off", "nonce": "off"},
    "everything": {"pkce": "off", "nonce": "off", "id_token_algorithms": ["HS256"], "token_request": "json",
                   "token_type": "any", "token_path": "/data", "scope_separator": "+", "refresh_endpoint": "another address",
                   "parameter_names": {"client_id": "key", "client_secret": "password", "grant_type": "kind", "code": "ticket",
                                       "state": "st", "scope": "rights", "response_type": "rt", "refresh_token": "again"}},
}
NAMES = list(RULES)
# An issuer that keeps a rule which the provider breaks gets no tokens from it. These four differ only in the accepted answers, or
# at the refresh.
STRICT_WORKS = {"refresh_endpoint"}


def app_of(name):
    return f"com.contoso.{name.replace('_', '-')}"


class World:
    def __init__(self, folder):
        self.providers = {name: DeviatingProvider(rules) for name, rules in RULES.items()}
        self.gateway = Gateway(folder, "https://localhost:1", log={"level": "debug"})

        def add(name, issuer):
            self.gateway.configuration["issuers"].append(issuer)
            self.gateway.configuration["apps"].append(self.gateway.app(
                app_of(issuer["name"]).removeprefix("com.contoso."), name, issuer=issuer["name"], client_id=CLIENT,
                client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
                begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]},
                default_scope="openid mail files" if issuer["name"].startswith("strict-") else self.scope(name)))

        for name, provider in self.providers.items():
            add(name, provider.configuration(name))
            add(name, {"name": f"strict-{name}", "issuer": provider.base})
        self.gateway.start()

    def scope(self, name):
        return "mail files" if RULES[name].get("id_token") == "none" else "openid mail files"

    def begin(self, name, **fields):
        return self.gateway.api().begin(app_of(name), demo=None, **fields)

    def bring(self, address):
        answer = self.gateway.browse(address)
        assert answer.status == 303, answer.text

    def sign_in(self, name, **fields):
        pending = self.begin(name, **fields)
        self.bring(self.providers[name].authorize(pending.authorization_url))
        return pending

    def stop(self):
        self.gateway.stop()
        for provider in self.providers.values():
            provider.stop()


@pytest.fixture(scope="module")
def world(run_folder):
    folder = run_folder / "deviations"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_sign_in_and_a_refresh(world, name):
    provider = world.providers[name]
    provider.problems.clear()
    result = world.sign_in(name).outcome()
    assert result["status"] == "completed" and not provider.problems, (result, provider.problems)
    tokens = result["token_response"]
    VAULT.remember_all(tokens)
    assert tokens["access_token"] in provider.access_tokens
    assert result["granted_scopes"] == world.scope(name).split() and result["declined_scopes"] == []
    assert ("id_token_claims" in result) == ("id_token" in tokens) == (RULES[name].get("id_token") != "none")
    assert tokens["token_type"] == ("user" if RULES[name].get("token_type") == "any" else "Bearer")

    reply = world.gateway.api().call("POST", "/v1/tokens", {"app": app_of(name), "refresh_token": tokens["refresh_token"],
                                                            "scope": world.scope(name)})
    assert reply.status == 200 and not provider.problems, (reply.body, provider.problems)
    fresh = reply.json["token_response"]
    assert fresh["access_token"] in provider.access_tokens and fresh["access_token"] != tokens["access_token"]
    # The old one is spent; the provider's refusal reaches the app in the provider's form.
    reply = world.gateway.api().call("POST", "/v1/tokens", {"app": app_of(name), "refresh_token": tokens["refresh_token"]})
    assert (reply.status, reply.json["error"]["code"]) == (400, "invalid_grant"), reply.body
    assert reply.json["error"]["description"] == "the refresh token is unknown"


@pytest.mark.parametrize("name", NAMES)
def test_a_refused_code_reaches_the_app(world, name):
    provider = world.providers[name]
    pending = world.begin(name)
    address = provider.authorize(pending.authorization_url, **{provider._name("code", "callback"): secrets.token_urlsafe(24)})
    world.bring(address)
    error = pending.failure()
    assert (error["code"], error["oauth_error"], error["description"]) == ("invalid_grant", "invalid_grant", "the code is unknown")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in STRICT_WORKS])
def test_without_its_deviation_the_provider_is_of_no_use(world, name):
    provider = world.providers[name]
    pending = world.begin(f"strict-{name}")
    try:
        address = provider.authorize(pending.authorization_url)
    except Exception:  # noqa: BLE001 - the provider refuses the authorization request itself
        return
    answer = world.gateway.browse(address)
    if answer.status == 303:
        pending.failure()


@pytest.mark.rule(5)
def test_a_neighbor_that_deviates_changes_no_request_of_a_strict_issuer(run_folder):
    """Byte for byte, except the random values of each sign-in."""
    folder = run_folder / "neighbors"
    folder.mkdir()

    def requests(neighbors):
        strict = DeviatingProvider()
        gateway = Gateway(folder, strict.base)
        gateway.configuration["issuers"] = [{"name": "demo", "issuer": strict.base}, *neighbors]
        gateway.configuration["apps"] = [gateway.app(
            "app", "App", client_id=CLIENT, client_secret=SECRET, default_scope="openid mail",
            token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"]})]
        gateway.start()
        try:
            pending = gateway.api().begin("com.contoso.app", demo=None)
            assert gateway.browse(strict.authorize(pending.authorization_url)).status == 303
            tokens = pending.outcome()["token_response"]
            VAULT.remember_all(tokens)
            reply = gateway.api().call(
                "POST", "/v1/tokens", {"app": "com.contoso.app", "refresh_token": tokens["refresh_token"]})
            assert reply.status == 200
            seen = [pending.authorization_url] + [
                f"{one['method']} {one['path']} {sorted(one['headers'].items())} {one['content']}" for one in strict.requests]
        finally:
            gateway.stop()
            strict.stop()
        text = "\n".join(seen).replace(strict.base, "BASE").replace(str(gateway.callbacks_port), "PORT")
        text = text.replace(strict.base.split("//")[1], "HOST").replace(strict.base.replace(":", "%3A").replace("/", "%2F"), "BASE")
        text = re.sub(r"\b(code|state|nonce|code_challenge|code_verifier|refresh_token)=[\w.-]+", r"\1=RANDOM", text)
        return re.sub(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-9a-f]", "TRACE", text)

    odd = DeviatingProvider(RULES["everything"])
    try:
        neighbor = odd.configuration(
            "odd", authorization_parameters={"access_type": "offline"}, token_parameters={"audience": "api"},
            account={"url": f"{odd.base}/me", "id": "/id", "name": "/login"})
        assert requests([]) == requests([neighbor])
    finally:
        odd.stop()


# Parameters


@pytest.fixture(scope="module")
def defaults(run_folder):
    """An issuer with parameters for each request."""
    folder = run_folder / "parameters"
    folder.mkdir()
    provider = DeviatingProvider({"parameter_names": {"client_id": "client_key"}})
    gateway = Gateway(folder, provider.base)
    gateway.configuration["issuers"].append(provider.configuration(
        authorization_parameters={"access_type": "offline", "prompt": "consent", "resource": "https://api.example/"},
        token_parameters={"audience": "api"}))
    gateway.configuration["apps"].append(gateway.app(
        "app", "App", issuer="odd", client_id=CLIENT, client_secret=SECRET, default_scope="mail",
        token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"]}))
    gateway.start()
    yield gateway, provider
    gateway.stop()
    provider.stop()


def asked(url):
    return {name: values for name, values in parse_qs(urlsplit(url).query).items()}


def test_each_request_gets_the_issuers_parameters(defaults):
    gateway, provider = defaults
    provider.requests.clear()
    pending = gateway.api().begin("com.contoso.app", demo=None)
    query = asked(pending.authorization_url)
    assert (query["access_type"], query["prompt"], query["resource"]) == (["offline"], ["consent"], ["https://api.example/"])
    assert "audience" not in query
    gateway.browse(provider.authorize(pending.authorization_url))
    tokens = pending.outcome()["token_response"]
    VAULT.remember_all(tokens)
    reply = gateway.api().call("POST", "/v1/tokens", {"app": "com.contoso.app", "refresh_token": tokens["refresh_token"]})
    assert reply.status == 200, reply.body
    redeemed, refreshed = [request["form"] for request in provider.asked("/token")]
    for form in (redeemed, refreshed):
        assert (form["audience"], form["resource"]) == ("api", "https://api.example/")
        assert "access_type" not in form


def test_the_apps_own_parameters_win(defaults):
    gateway, provider = defaults
    provider.requests.clear()
    pending = gateway.api().begin(
        "com.contoso.app", demo=None, prompt="none",
        extra_parameters={"authorization": {"access_type": "online"}, "token": {"audience": "mine"}})
    query = asked(pending.authorization_url)
    assert (query["access_type"], query["prompt"]) == (["online"], ["none"])
    gateway.browse(provider.authorize(pending.authorization_url))
    VAULT.remember_all(pending.outcome()["token_response"])
    [request] = provider.asked("/token")
    assert request["form"]["audience"] == "mine" and request["content"].count("audience") == 1


@pytest.mark.parametrize("extra", [
    {"client_key": "mine"}, {"authorization": {"client_key": "mine"}}, {"authorization": {"CLIENT_KEY": "mine"}},
    {"authorization": {"client.key": "mine"}}, {"authorization": {"[client_key]": "mine"}},
    {"token": {"client_key": "mine"}}, {"token": {"CLIENT_KEY": "mine"}},
])
def test_an_app_cannot_replace_a_parameter_under_the_providers_name(defaults, extra):
    gateway, provider = defaults
    provider.requests.clear()
    pending = gateway.api().begin("com.contoso.app", demo=None, extra_parameters=extra)
    assert "mine" not in pending.authorization_url
    gateway.browse(provider.authorize(pending.authorization_url))
    VAULT.remember_all(pending.outcome()["token_response"])
    assert "mine" not in [value for _, value in parse_qsl(provider.asked("/token")[0]["content"])]


# The checks that remain with a deviation


def signed_by(provider, world, name, **token):
    """The outcome of a sign-in with another ID token."""
    pending = world.begin(name)
    address = provider.authorize(pending.authorization_url)
    code = parse_qs(urlsplit(address).query)["code"][0]
    nonce = provider.codes[code]["nonce"]
    answer = {"access_token": secrets.token_urlsafe(9), "token_type": "Bearer", "id_token": provider.id_token(**({"nonce": nonce} | token))}
    provider.answers["/token"] = (200, JSON, answer)
    try:
        world.bring(address)
        reply = pending.poll(wait=20)
        return reply.json
    finally:
        provider.reset()


@pytest.mark.rule(5)
@pytest.mark.parametrize("name, token, cause", [
    ("hs256", {}, None),
    ("hs256", {"algorithm": "RS256"}, "an algorithm that is not allowed"),
    ("hs256", {"algorithm": "HS512"}, "an algorithm that is not allowed"),
    ("hs256", {"key": "another secret of more than 32 bytes 000000"}, "its signature is wrong"),
    ("hs256", {"aud": "another"}, "another client"),
    ("hs256", {"exp": 1}, "expired"),
    ("hs256", {"nonce": "another"}, "nonce differs"),
    ("nonce", {"exp": 1}, "expired"),
    ("nonce", {"aud": "another"}, "another client"),
    ("nonce", {"algorithm": "HS256"}, "an algorithm that is not allowed"),
    ("pkce", {"nonce": "another"}, "nonce differs"),
    ("token_type", {"algorithm": "HS256"}, "an algorithm that is not allowed"),
])
def test_all_other_checks_of_an_id_token_stay(world, name, token, cause):
    outcome = signed_by(world.providers[name], world, name, **token)
    if cause is None:
        assert outcome["status"] == "completed", outcome
        return
    assert outcome["error"]["code"] == "invalid_id_token" and cause in outcome["error"]["description"], outcome


def test_an_id_token_that_nobody_expects_is_dropped_unread(world):
    provider = world.providers["id_token"]
    pending = world.begin("id_token")
    address = provider.authorize(pending.authorization_url)
    provider.answers["/token"] = (200, JSON, {"access_token": "a", "token_type": "Bearer", "id_token": "forged.by.somebody"})
    try:
        world.bring(address)
        outcome = pending.outcome()
    finally:
        provider.reset()
    assert "id_token" not in outcome["token_response"] and "id_token_claims" not in outcome
    assert not provider.asked("/keys")


def test_the_members_beside_the_tokens_are_kept_but_no_other_token(world):
    tokens = world.sign_in("slack").outcome()["token_response"]
    VAULT.remember_all(tokens)
    assert tokens["team"] == {"id": "T1"} and tokens["ok"] is True
    assert "of-a-bot" not in str(tokens) and "authed_user" not in tokens


@pytest.mark.parametrize("name", ["token_path", "slack"])
def test_an_answer_without_the_object_is_no_success(world, name):
    provider = world.providers[name]
    pending = world.begin(name)
    address = provider.authorize(pending.authorization_url)
    provider.answers["/token"] = (200, JSON, {"ok": True, "access_token": "of-a-bot", "token_type": "bot"})
    try:
        world.bring(address)
        error = pending.failure()
    finally:
        provider.reset()
    assert error["code"] == "invalid_response" and "token_path" in error["description"]


@pytest.mark.parametrize("name", ["code", "everything"])
def test_a_renamed_code_counts_under_its_own_name_alone(world, name):
    provider = world.providers[name]
    pending = world.begin(name)
    good = dict(pair.split("=", 1) for pair in urlsplit(provider.authorize(pending.authorization_url)).query.split("&"))
    renamed = {provider._name(parameter, "callback"): parameter for parameter in ("code", "state")}
    plain = urlencode({renamed[key]: value for key, value in good.items()})
    assert world.gateway.browse(f"{pending.redirect_uri}?{plain}").status == 400
    both = urlencode(good | {provider._name("code", "callback"): good[provider._name("code", "callback")], "code": "another"})
    world.bring(f"{pending.redirect_uri}?{both}")
    outcome = pending.outcome()
    VAULT.remember_all(outcome["token_response"])
    assert outcome["status"] == "completed"
    assert not {"code", provider._name("code", "callback")} & set(outcome.get("callback_parameters", {}))


def test_with_completion_response_the_callback_stays_as_it_came(world):
    provider = world.providers["code"]
    pending = world.begin("code", completion="response", state=secrets.token_urlsafe(24), code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                          nonce="n" * 32)
    address = provider.authorize(pending.authorization_url)
    world.bring(address)
    result = pending.outcome()
    assert result["url"] == address and set(result["parameters"]) == {"spapi_oauth_code", "amazon_state"}


# The words of `check`


def test_check_tells_what_each_costs(world):
    said = run("check", "--config", world.gateway.file)
    assert said.returncode == 0, said.stderr
    protection = said.stdout.split("Protection\n")[1].split("\nTo register")[0]
    for name in NAMES:
        lines = protection.split(f"issuer {name}, which deviates:\n")[1].split("\n  issuer ")[0]
        for key in RULES[name]:
            assert re.search(rf"^    {key}\b", lines, re.M), (name, key, lines)
    assert "issuer strict-pkce" not in protection
