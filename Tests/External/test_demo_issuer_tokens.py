"""The demo issuer's answers to a client library: the account, refresh tokens, lifetimes, and families."""

import json
import time

import pytest

from harness.client import DemoClient, unpadded
from harness.issuer import fetch

MAIL, FILES = "api://mail/read", "api://files/read"
RESERVED = "openid offline_access"
TENANT = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"


@pytest.fixture
def client(issuer):
    return DemoClient(issuer)


# The account


@pytest.mark.parametrize("place", ["authorization request", "token request"])
def test_client_info_comes_when_either_request_asks_for_it(client, place):
    asked = {"client_info": "1"}
    tokens = client.sign_in(request=asked) if place == "authorization request" else client.sign_in(**asked)
    info = unpadded(tokens["client_info"])
    assert info == {"uid": tokens.claims["oid"], "utid": TENANT}
    assert tokens.claims["tid"] == TENANT
    assert (tokens.claims["preferred_username"], tokens.claims["name"]) == ("alex.doe@example.com", "Alex Doe")


def test_client_info_does_not_come_unasked(client):
    assert "client_info" not in client.sign_in()


def test_client_info_is_the_same_for_one_person_and_another_for_another(client):
    one, again, other = (client.sign_in(user=u, client_info="1")["client_info"] for u in ("Alex", "Alex", "Kim"))
    assert one == again != other


def test_a_refresh_brings_client_info_too(client):
    tokens = client.sign_in(client_info="1")
    assert client.refresh(tokens["refresh_token"], client_info="1")["client_info"] == tokens["client_info"]


# Refresh tokens


def test_a_refresh_token_is_good_once_and_leaves_another(client):
    first = client.sign_in()["refresh_token"]
    second = client.refresh(first)["refresh_token"]
    assert second != first
    assert client.refresh(first).refusal == (400, "invalid_grant", None)
    assert client.refresh(second).status == 200


def test_a_refresh_without_a_new_refresh_token_leaves_the_old_one_good(client):
    token = client.sign_in()["refresh_token"]
    client.script(demo="no_refresh_token", times=2)
    assert "refresh_token" not in client.refresh(token)
    assert "refresh_token" not in client.refresh(token)
    assert "refresh_token" in client.refresh(token)


def test_a_refresh_for_less_leaves_a_refresh_token_for_all(client):
    tokens = client.sign_in(f"{RESERVED} {MAIL} {FILES}")
    narrow = client.refresh(tokens["refresh_token"], MAIL)
    assert narrow.scopes == {MAIL}
    assert client.refresh(narrow["refresh_token"], FILES).scopes == {FILES}


def test_a_token_request_with_a_code_may_ask_for_less(client):
    tokens = client.sign_in(f"{RESERVED} {MAIL} {FILES}", scope=f"{RESERVED} {MAIL}")
    assert tokens.scopes == {*RESERVED.split(), MAIL}


def test_a_refresh_for_what_nobody_consented_to_is_refused_and_uses_nothing_up(client):
    tokens = client.sign_in(f"{RESERVED} {MAIL}")
    assert client.refresh(tokens["refresh_token"], FILES).refusal == (400, "invalid_scope", None)
    assert client.refresh(tokens["refresh_token"], MAIL).status == 200


def test_a_refresh_may_ask_for_what_was_consented_to_in_another_sign_in(client):
    tokens = client.sign_in(f"{RESERVED} {MAIL}")
    client.sign_in(FILES)
    assert client.refresh(tokens["refresh_token"], FILES).scopes == {FILES}


def test_consent_is_of_one_person_and_one_client(client, issuer):
    token = client.sign_in(f"{RESERVED} {MAIL}")["refresh_token"]
    client.sign_in(FILES, user="Kim")
    DemoClient(issuer).sign_in(FILES)
    assert client.refresh(token, FILES).refusal == (400, "invalid_scope", None)


@pytest.mark.parametrize("preconsent, refused", [("*", False), (FILES, False), ("api://other/read", True)])
def test_a_client_may_have_consent_beforehand(client, preconsent, refused):
    client.change(preconsent=preconsent)
    answer = client.refresh(client.sign_in()["refresh_token"], FILES)
    assert answer.refusal == (400, "invalid_scope", None) if refused else answer.scopes == {FILES}


def test_default_stands_for_all_that_was_consented_to_of_its_resource(client):
    tokens = client.sign_in(f"{RESERVED} {MAIL} api://mail/send {FILES}")
    default = "api://mail/.default"
    assert client.refresh(tokens["refresh_token"], default).scopes == {default, MAIL, "api://mail/send"}


def test_a_refresh_can_grant_fewer_scopes_than_asked(client):
    token = client.sign_in(f"{RESERVED} {MAIL} api://mail/send")["refresh_token"]
    client.script(demo="fewer_scopes")
    assert client.refresh(token, f"{MAIL} api://mail/send").scopes == {MAIL}


# Lifetimes


@pytest.mark.parametrize("name", ["expires_in", "refresh_in", "ext_expires_in"])
@pytest.mark.parametrize("way", ["parameter", "scope", "script", "refresh"])
def test_lifetimes_are_chosen(client, name, way):
    demo = f"{name}=77"
    if way == "script":
        client.script(demo=demo)
    request = {"demo": demo} if way == "parameter" else {}
    tokens = client.sign_in(f"{RESERVED} demo:{demo}" if way == "scope" else RESERVED, request=request)
    if way == "refresh":
        tokens = client.refresh(tokens["refresh_token"], demo=demo)
    assert tokens[name] == 77
    again = client.refresh(tokens["refresh_token"], "openid").json
    assert again.get(name) == {"expires_in": 3600}.get(name)


@pytest.mark.parametrize("value", ["-1", "", "x", "315360001", "1.5"])
def test_a_lifetime_that_is_none_is_refused(client, value):
    tokens = client.sign_in()
    answer = client.refresh(tokens["refresh_token"], demo=f"expires_in={value}")
    assert answer.refusal == (400, "invalid_request", None)


def test_numbers_can_come_as_strings(client):
    demo = "numbers_as_strings,expires_on,expires_in=60,refresh_in=30,ext_expires_in=120"
    before = int(time.time())
    tokens = client.sign_in(request={"demo": demo})
    assert (tokens["expires_in"], tokens["refresh_in"], tokens["ext_expires_in"]) == ("60", "30", "120")
    assert before + 60 <= int(tokens["expires_on"]) <= time.time() + 60


@pytest.mark.parametrize("name", ["expires_in", "scope"])
def test_members_can_be_missing(client, name):
    assert name not in client.sign_in(request={"demo": f"missing_{name}"})


# Families


@pytest.fixture
def family(issuer):
    """Two clients of the family 1, and the refresh token that the first got."""
    clients = DemoClient(issuer), DemoClient(issuer)
    for member in clients:
        member.change(family="1", preconsent="*")
    return *clients, clients[0].sign_in(f"{RESERVED} {MAIL}")


def test_a_family_tells_itself_in_token_responses(family, client):
    assert family[2]["foci"] == "1"
    assert "foci" not in client.sign_in()


def test_a_refresh_token_is_good_for_the_whole_family(family):
    one, other, tokens = family
    refreshed = other.refresh(tokens["refresh_token"], f"{RESERVED} {FILES}")
    assert (refreshed["foci"], refreshed.claims["aud"], refreshed.claims["oid"]) == ("1", other.id, tokens.claims["oid"])
    assert one.refresh(refreshed["refresh_token"]).status == 200


def test_a_family_refresh_token_is_not_good_outside_and_stays_good_inside(family, client):
    one, _, tokens = family
    assert client.refresh(tokens["refresh_token"]).refusal == (400, "invalid_grant", "client_mismatch")
    client.change(family="2")
    assert client.refresh(tokens["refresh_token"]).refusal == (400, "invalid_grant", "client_mismatch")
    assert one.refresh(tokens["refresh_token"]).status == 200


def test_a_client_can_leave_its_family(family):
    _, other, tokens = family
    other.change(family="none")
    assert other.refresh(tokens["refresh_token"]).refusal == (400, "invalid_grant", "client_mismatch")


def test_a_refresh_token_of_a_single_client_is_just_not_good_for_others(client, issuer):
    token = client.sign_in()["refresh_token"]
    assert DemoClient(issuer).refresh(token).refusal == (400, "invalid_grant", None)


# Counters


def test_token_requests_are_counted_by_client_and_grant_type(client, issuer):
    tokens = client.sign_in()
    for _ in range(2):
        tokens = client.refresh(tokens["refresh_token"])
    client.refresh("no-such-token")
    DemoClient(issuer).sign_in()
    counts = json.loads(fetch(f"{issuer.base}/demo/stats?client={client.id}")[2])
    assert (counts["authorization_code"], counts["refresh_token"]) == (1, 3)
