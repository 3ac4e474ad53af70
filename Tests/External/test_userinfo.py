"""Userinfo: the claims of the issuer's endpoint are in the result if they are of the person in the ID token."""

import os
import time

import pytest

from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.gateway import Gateway
from harness.metrics import key, scrape
from harness.modern import ModernProvider
from harness.programs import run
from harness.standin import JSON


class World:
    def __init__(self, folder):
        self.provider = ModernProvider()
        self.gateway = Gateway(folder, self.provider.base)
        by_hand = {"name": "hand", "issuer": self.provider.base, "authorization_endpoint": f"{self.provider.base}/authorize",
                   "token_endpoint": f"{self.provider.base}/token", "jwks_uri": f"{self.provider.base}/keys",
                   "userinfo_endpoint": f"{self.provider.base}/userinfo"}
        self.gateway.configuration["issuers"] = [self.provider.configuration("demo"), by_hand]
        self.gateway.configuration["apps"] = [
            self.gateway.app(name, "Mail", client_id=CLIENT, client_secret=SECRET, default_scope="openid mail",
                             token_endpoint_auth_method="client_secret_post", userinfo=userinfo, issuer=issuer,
                             begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]})
            for name, issuer, userinfo in (("app", "demo", True), ("hand", "hand", True), ("plain", "demo", False))]
        self.gateway.start()

    def sign_in(self, app="com.contoso.app", **fields):
        pending = self.gateway.api().begin(app, demo=None, **fields)
        assert self.gateway.browse(self.provider.authorize(pending.authorization_url)).status == 303
        return pending


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "userinfo"
    folder.mkdir()
    world = World(folder)
    yield world
    world.gateway.stop()
    world.provider.stop()


@pytest.fixture
def world(running):
    running.provider.reset()
    return running


@pytest.mark.parametrize("app", ["com.contoso.app", "com.contoso.hand"])
def test_the_claims_are_in_the_result(world, app):
    result = world.sign_in(app).outcome()
    assert result["userinfo"] == {"sub": "alice", "email": "alice@contoso.com"}
    assert len(world.provider.asked("/userinfo")) == 1


def test_an_app_that_does_not_ask_gets_none(world):
    assert "userinfo" not in world.sign_in("com.contoso.plain").outcome()
    assert not world.provider.asked("/userinfo")


def test_signed_claims_are_verified(world):
    world.provider.answers["/userinfo"] = lambda _: world.provider.signed_userinfo()
    result = world.sign_in().outcome()
    assert result["userinfo"]["email"] == "alice@contoso.com" and result["userinfo"]["aud"] == CLIENT


def answers(provider):
    """The faulty answers, by name."""
    signed = provider.signed_userinfo
    forged = signed()[2][:-8] + "AAAAAAAA"
    unsigned = "eyJhbGciOiJub25lIn0." + signed()[2].split(".")[1] + "."
    jwt = {"Content-Type": "application/jwt"}
    return {
        "another person": (200, JSON, {"sub": "mallory"}),
        "nobody": (200, JSON, {"email": "alice@contoso.com"}),
        "a number": (200, JSON, {"sub": 7}),
        "no JSON": (200, {"Content-Type": "text/html"}, "<title>Log in</title>"),
        "a list": (200, JSON, [1]),
        "an error": (401, JSON, {"error": "invalid_token"}),
        "a redirect": (302, {"Location": "https://evil.example/"}, ""),
        "not there": (404, {}, ""),
        "a server error": (503, {}, ""),
        "a forged signature": (200, jwt, forged),
        "no signature": (200, jwt, unsigned),
        "no JWT": (200, jwt, "surprise"),
        "signed for another client": signed(aud="another-client"),
        "signed without an audience": signed(aud=None),
        "signed by another issuer": signed(iss="https://evil.example"),
        "signed without an issuer": signed(iss=None),
        "signed about another person": signed(sub="mallory"),
        "signed long ago": signed(exp=int(time.time()) - 3600),
        "signed in the future": signed(iat=int(time.time()) + 3600),
        "HS256 with the secret": (200, jwt, provider.jwt(provider.id_token_claims(), algorithm="HS256")),
    }


@pytest.mark.parametrize("name", list(answers(type("Names", (), {
    "signed_userinfo": lambda self=None, **_: (200, {}, "a.b.c"), "jwt": lambda self=None, *_, **__: "",
    "id_token_claims": lambda self=None: {}}))))
def test_an_answer_that_is_not_the_person_s_ends_the_sign_in(world, name):
    world.provider.answers["/userinfo"] = answers(world.provider)[name]
    error = world.sign_in().failure()
    assert (error["code"], error["internal_code"]) == ("invalid_response", "userinfo"), error


def test_without_an_endpoint_no_code_is_spent(run_folder):
    folder = run_folder / "no-userinfo"
    folder.mkdir()
    provider = DeviatingProvider()
    gateway = Gateway(folder, provider.base)
    gateway.configuration["issuers"] = [provider.configuration("demo")]
    gateway.configuration["apps"] = [gateway.app(
        "app", "App", client_id=CLIENT, client_secret=SECRET, default_scope="openid", userinfo=True,
        token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"]})]
    gateway.start()
    try:
        pending = gateway.api().begin("com.contoso.app", demo=None)
        assert gateway.browse(provider.authorize(pending.authorization_url)).status == 303
        error = pending.failure()
        assert (error["code"], error["internal_code"]) == ("invalid_response", "userinfo")
        assert "userinfo_endpoint" in error["description"] and not provider.asked("/token")
    finally:
        gateway.stop()
        provider.stop()


def test_a_scope_without_openid_is_refused(world):
    reply = world.gateway.api().begin_reply("com.contoso.app", scope="mail")
    assert (reply.status, reply.json["error"]) == (400, "invalid_scope"), reply.body
    assert "openid" in reply.json["error_description"]


def test_the_call_is_counted_and_logged(world):
    world.provider.answers["/userinfo"] = (503, {}, "")
    world.sign_in().failure()
    failed = key("issuer_requests_total", issuer="demo", endpoint="userinfo", result="failed")
    assert scrape(world.gateway)[failed] >= 1
    assert "endpoint=userinfo" in world.gateway.output()


@pytest.mark.parametrize("app, issuer, words", [
    ({"default_scope": "mail"}, {}, "default_scope lacks openid"),
    ({}, {"deviations": {"id_token": "none"}}, "id_token: none"),
    ({"handler": {"redirect": "x-app://callback"}, "default_scope": None}, {}, "has no meaning here"),
])
def test_check_refuses_it_where_it_cannot_work(world, tmp_path, app, issuer, words):
    gateway = Gateway(tmp_path, world.provider.base)
    gateway.configuration["issuers"][0] |= issuer
    whole = {"id": "com.contoso.one", "issuer": "demo", "client_id": "c", "redirect_uris": [gateway.url("/one")],
             "default_scope": "openid", "userinfo": True, **app}
    gateway.configuration["apps"] = [{name: value for name, value in whole.items() if value is not None}]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr
