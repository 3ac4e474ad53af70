"""The APIs that take the demo issuer's access tokens."""

import base64
import http.client
import json
import re

import pytest

from harness.client import DemoClient
from harness.issuer import fetch

MAIL, FILES = "api://mail/read", "api://files/read"
STEP_UP = {"access_token": {"acrs": {"essential": True, "value": "c1"}}}


@pytest.fixture
def client(issuer):
    return DemoClient(issuer)


def challenge(answer):
    """The parameters of `WWW-Authenticate: Bearer …`."""
    assert answer.status == 401
    scheme, _, rest = answer.headers["WWW-Authenticate"].partition(" ")
    assert scheme == "Bearer"
    found = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', rest)
    return {name: re.sub(r"\\(.)", r"\1", value) for name, value in found}


@pytest.mark.parametrize("scope", [MAIL, "mail.read", "Mail.Read", "https://contoso.test/api/mail/read"])
def test_an_api_takes_a_token_for_it(client, scope):
    tokens = client.sign_in(scope)
    answer = client.call("mail", tokens["access_token"])
    assert answer.status == 200
    assert (answer["scope"], answer["client_id"], answer["name"]) == (scope, client.id, "Alex Doe")


def test_each_access_token_is_for_what_was_asked_for_with_it(client):
    tokens = client.sign_in(f"openid offline_access {MAIL} {FILES}", scope=MAIL)
    assert client.call("mail", tokens["access_token"])["aud"] == ["api://mail"]
    assert challenge(client.call("files", tokens["access_token"]))["error"] == "invalid_token"
    tokens = client.refresh(tokens["refresh_token"], FILES)
    assert client.call("files", tokens["access_token"])["aud"] == ["api://files"]
    assert client.call("mail", tokens["access_token"]).status == 401


@pytest.mark.parametrize("scope", ["openid profile", "mailbox.read", "api://mail.evil/read", "api://x/mail"])
def test_an_api_refuses_a_token_for_something_else(client, scope):
    assert challenge(client.call("mail", client.sign_in(scope)["access_token"]))["error"] == "invalid_token"


def test_an_api_refuses_an_unknown_token_and_asks_for_one_where_there_is_none(client, issuer):
    told = challenge(client.call("mail", "no-such-token"))
    assert told["error"] == "invalid_token"
    assert told["authorization_uri"] == f"{issuer.base}/common/oauth2/v2.0/authorize"
    assert "error" not in challenge(client.call("mail", None))


def test_an_api_refuses_a_refresh_token(client):
    tokens = client.sign_in(f"offline_access {MAIL}")
    assert client.call("mail", tokens["refresh_token"]).status == 401


def test_an_expired_token_is_refused(client):
    token = client.sign_in(MAIL, request={"demo": "expires_in=0"})["access_token"]
    assert challenge(client.call("mail", token))["error"] == "invalid_token"


def test_a_token_is_taken_for_its_extended_lifetime(client):
    token = client.sign_in(MAIL, request={"demo": "expires_in=0,ext_expires_in=600"})["access_token"]
    assert client.call("mail", token).status == 200


# Claims challenges


@pytest.fixture
def stepped_up(start_issuer):
    """A separate issuer, whose mail API asks for more."""
    issuer = start_issuer()
    issuer.control(api="mail", api_claims=json.dumps(STEP_UP))
    return DemoClient(issuer)


READ = {
    "base64": lambda text: json.loads(base64.b64decode(text, validate=True)),
    "base64url": lambda text: json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))),
    "json": json.loads,
}


@pytest.mark.parametrize("form", READ)
def test_a_challenge_says_which_claims_are_wanted(stepped_up, form):
    claims = STEP_UP | {"x": 'a"b\\c'}
    stepped_up.issuer.control(api="mail", api_claims=json.dumps(claims), api_form=form)
    told = challenge(stepped_up.call("mail", stepped_up.sign_in(MAIL)["access_token"]))
    assert told["error"] == "insufficient_claims"
    assert READ[form](told["claims"]) == claims


@pytest.mark.parametrize("place", ["authorization request", "token request", "refresh"])
def test_a_token_that_was_asked_for_with_the_claims_meets_the_challenge(stepped_up, place):
    more = {"access_token": STEP_UP["access_token"] | {"xms_cc": {"values": ["cp1"]}}, "id_token": {"amr": None}}
    claims = {"claims": json.dumps(more)}
    scope = f"offline_access {MAIL}"
    if place == "authorization request":
        tokens = stepped_up.sign_in(scope, request=claims)
    elif place == "token request":
        tokens = stepped_up.sign_in(scope, **claims)
    else:
        tokens = stepped_up.refresh(stepped_up.sign_in(scope)["refresh_token"], **claims)
    assert stepped_up.call("mail", tokens["access_token"]).status == 200


@pytest.mark.parametrize(
    "claims",
    [{}, {"id_token": STEP_UP["access_token"]}, {"access_token": {"acrs": None}},
     {"access_token": {"acrs": {"essential": True, "value": "c2"}}},
     {"access_token": {"acrs": {"value": "c1"}}}],
)
def test_other_claims_do_not_meet_the_challenge(stepped_up, claims):
    tokens = stepped_up.sign_in(MAIL, claims=json.dumps(claims))
    assert challenge(stepped_up.call("mail", tokens["access_token"]))["error"] == "insufficient_claims"


def test_a_refresh_without_the_claims_does_not_inherit_them(stepped_up):
    tokens = stepped_up.sign_in(f"offline_access {MAIL}", claims=json.dumps(STEP_UP))
    tokens = stepped_up.refresh(tokens["refresh_token"])
    assert challenge(stepped_up.call("mail", tokens["access_token"]))["error"] == "insufficient_claims"


def test_a_challenge_is_of_one_api_and_can_end(stepped_up):
    tokens = stepped_up.sign_in(f"{MAIL} {FILES}")
    assert stepped_up.call("files", tokens["access_token"]).status == 200
    stepped_up.issuer.control(api="mail", api_claims="none")
    assert stepped_up.call("mail", tokens["access_token"]).status == 200


@pytest.mark.parametrize("claims", ["{", "[]", '"x"', '{"a":1,"a":2}'])
def test_claims_that_are_no_object_are_refused(client, issuer, claims):
    tokens = client.sign_in()
    assert client.refresh(tokens["refresh_token"], claims=claims).refusal == (400, "invalid_request", None)
    form = {"api": "mail", "api_claims": claims}
    assert fetch(f"{issuer.base}/demo/control", form=form)[0] == 400


@pytest.mark.parametrize("part, form", [("api", None), ("native", {"client_id": "x"})])
def test_the_apis_and_native_authentication_can_be_out_of_reach(start_issuer, part, form):
    issuer = start_issuer()
    path = {"api": "/api/mail", "native": "/contoso.onmicrosoft.com/oauth2/v2.0/initiate"}[part]
    issuer.control(outage=part)
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        fetch(issuer.base + path, form=form)
    issuer.control(outage="none")
    assert fetch(issuer.base + path, form=form)[0] in (400, 401)
