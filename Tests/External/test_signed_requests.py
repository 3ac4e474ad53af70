"""Signed authorization requests (RFC 9101): alone and pushed, with all parameters inside."""

import json
import os
import time
from urllib.parse import parse_qsl, urlsplit

import pytest

from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.modern import key_pair
from harness.programs import run
from harness.strict import StrictProvider

OWN = {"iss", "aud", "iat", "nbf", "exp", "jti"}


class World:
    def __init__(self, folder):
        self.keys = []
        self.plain = StrictProvider(keys=lambda: self.keys, par="offered", request_object="signed")
        self.pushing = StrictProvider("private_key_jwt", keys=lambda: self.keys, request_object="signed")
        key_pair("P-256", folder / "key.pem")
        gateway = self.gateway = Gateway(folder, self.plain.base)
        gateway.configuration["issuers"] = [
            {"name": "plain", "issuer": self.plain.base}, {"name": "pushing", "issuer": self.pushing.base}]

        def app(name, **keys):
            return gateway.app(
                name, name, issuer=name, client_id=CLIENT, default_scope="openid mail", request_object="signed",
                begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]},
                signing_keys=[{"id": "k", "key_file": str(folder / "key.pem")}], **keys)

        gateway.configuration["apps"] = [
            app("plain", client_secret=SECRET), app("pushing", token_endpoint_auth_method="private_key_jwt", dpop="off")]
        gateway.start()
        self.keys += json.loads(gateway.browse(gateway.url("/clients/com.contoso.plain/keys")).body)["keys"]

    def stop(self):
        self.gateway.stop()
        self.plain.stop()
        self.pushing.stop()


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "signed-requests"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.fixture
def world(running):
    running.plain.reset()
    running.pushing.reset()
    return running


def finish(world, provider, pending):
    opened = world.gateway.browse(pending.start_url)
    assert opened.status == 303, (opened.text, provider.problems)
    address = opened.header("Location")
    assert world.gateway.browse(provider.authorize(address)).status == 303
    return address, pending.outcome()


def test_the_address_has_the_client_and_the_object_only(world):
    began = time.time()
    pending = world.gateway.api().begin("com.contoso.plain", demo=None)
    for url in (pending.authorization_url, world.gateway.browse(pending.start_url).header("Location")):
        assert [name for name, _ in parse_qsl(urlsplit(url).query)] == ["client_id", "request"]
    address, result = finish(world, world.plain, pending)
    assert result["status"] in ("completed", "failed")
    one = world.plain.request_objects[-1]
    assert one["header"] == {"alg": "ES256", "kid": "k", "typ": "oauth-authz-req+jwt"}
    claims = one["claims"]
    assert claims["iss"] == claims["client_id"] == CLIENT and claims["aud"] == world.plain.base and "sub" not in claims
    assert claims["iat"] == claims["nbf"] and claims["exp"] >= began + pending.fields["expires_in"] - 5
    assert claims["exp"] <= time.time() + pending.fields["expires_in"] + 5
    assert claims["state"] == pending.state and claims["response_type"] == "code" and claims["code_challenge_method"] == "S256"


def test_a_signed_request_leads_to_tokens(world):
    _, result = finish(world, world.plain, world.gateway.api().begin("com.contoso.plain", demo=None))
    assert result["status"] == "completed", world.plain.problems


def test_a_signed_request_is_pushed(world):
    pending = world.gateway.api().begin("com.contoso.pushing", demo=None)
    address, result = finish(world, world.pushing, pending)
    assert [name for name, _ in parse_qsl(urlsplit(address).query)] == ["client_id", "request_uri"]
    assert result["status"] == "completed", world.pushing.problems
    sent = world.pushing.asked("/par")[-1]["form"]
    assert set(sent) == {"client_id", "request", "client_assertion", "client_assertion_type"}


def test_each_push_has_an_object_of_its_own(world):
    world.pushing.refuse("/par", (503, "later"))
    finish(world, world.pushing, world.gateway.api().begin("com.contoso.pushing", demo=None))
    sent = [one["form"]["request"] for one in world.pushing.asked("/par")]
    assert len(sent) == len(set(sent)) == 2


def test_structured_parameters_keep_their_types(world):
    details = [{"type": "payment", "amount": 7}]
    pending = world.gateway.api().begin(
        "com.contoso.plain", demo=None, max_age=3600, acr_values="a b", authorization_details=details,
        claims=json.dumps({"id_token": {"email": None}}), extra_parameters={"purpose": "7"})
    world.plain.authorize(pending.authorization_url)
    claims = world.plain.request_objects[-1]["claims"]
    assert claims["max_age"] == 3600 and claims["authorization_details"] == details
    assert claims["claims"] == {"id_token": {"email": None}} and claims["purpose"] == "7" and claims["acr_values"] == "a b"


def test_a_parameter_replaces_no_claim_about_the_object(world):
    wrong = {"iss": "evil", "aud": "https://evil.example", "sub": CLIENT, "exp": "1", "jti": "x", "nbf": "1", "iat": "1"}
    pending = world.gateway.api().begin("com.contoso.plain", demo=None, extra_parameters=wrong)
    world.plain.authorize(pending.authorization_url)
    claims = world.plain.request_objects[-1]["claims"]
    assert claims["iss"] == CLIENT and claims["aud"] == world.plain.base and "sub" not in claims and claims["jti"] != "x"
    assert all(isinstance(claims[name], int) for name in ("iat", "nbf", "exp"))


@pytest.mark.parametrize("keys, words", [
    ({"request_object": "signed"}, "request_object signed without signing_keys"),
    ({"request_object": "encrypted"}, "write off or signed"),
    ({"request_object": "signed", "handler": {"redirect": "x-legacy://cb"}}, "has no meaning here"),
])
def test_check_refuses(world, tmp_path, keys, words):
    gateway = Gateway(tmp_path, world.plain.base)
    gateway.configuration["apps"] = [gateway.app("one", "One", client_id="c", **keys)]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr


# FAPI 2.0


def test_check_says_what_fapi_would_want(world):
    said = run("check", "--config", world.gateway.file).stdout
    blocks = said.split("com.contoso.")
    (pushing,) = [block for block in blocks if block.startswith("pushing (")]
    assert "FAPI 2.0 would also want par: required, dpop: required" in pushing
    (plain,) = [block for block in blocks if block.startswith("plain (")]
    assert "FAPI 2.0 would also want private_key_jwt or a client certificate, par: required, dpop: required" in plain


def test_check_says_that_nothing_is_missing(world, tmp_path):
    gateway = Gateway(tmp_path, world.plain.base)
    key_pair("P-256", tmp_path / "key.pem")
    gateway.configuration["apps"] = [gateway.app(
        "one", "One", client_id="c", token_endpoint_auth_method="private_key_jwt", par="required", dpop="required",
        begin_from={"uids": [1]}, signing_keys=[{"id": "k", "key_file": str(tmp_path / "key.pem")}])]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 0 and "FAPI 2.0: the configuration misses nothing" in done.stdout, done.stdout + done.stderr


def test_doctor_says_which_signatures_an_issuer_takes(tmp_path):
    provider = StrictProvider("private_key_jwt", par="none", metadata={
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "token_endpoint_auth_signing_alg_values_supported": ["PS256"], "request_object_signing_alg_values_supported": ["RS256"]})
    key_pair("P-256", tmp_path / "key.pem")
    gateway = Gateway(tmp_path, provider.base)
    gateway.configuration["apps"] = [gateway.app(
        "one", "One", client_id="c", token_endpoint_auth_method="private_key_jwt", par="required", request_object="signed",
        begin_from={"uids": [1]}, signing_keys=[{"id": "k", "key_file": str(tmp_path / "key.pem")}])]
    gateway.write()
    try:
        said = run("doctor", "--config", gateway.file).stdout
    finally:
        provider.stop()
    for words in ("it does not take private_key_jwt", "it takes no client assertions with ES256", "it takes no request objects with ES256",
                  "it names no pushed_authorization_request_endpoint"):
        assert words in said, said
