"""Native authentication at the demo issuer: an app signs people in by itself."""

import re

import pytest

from harness.client import Answer, DemoClient, unpadded
from harness.issuer import fetch
from harness.vault import VAULT

TENANT = "/contoso.onmicrosoft.com"
PASSWORD = "Demo-password-1"
ALL_TYPES = "password oob redirect"
NOT_GOOD = (400, "invalid_grant", None)


class NativeApp(DemoClient):
    """An app that signs people in by itself, one request at a time."""

    def __init__(self, issuer, client_id=None, authority=TENANT):
        super().__init__(issuer, client_id, authority)
        self._base = f"{issuer.base}{authority}/oauth2/v2.0"

    def ask(self, endpoint, **fields):
        fields = {"client_id": self.id} | fields
        form = {name: value for name, value in fields.items() if value is not None}
        answer = Answer(*fetch(f"{self._base}/{endpoint}", form=form))
        VAULT.remember("token", answer.json.get("continuation_token"))
        return answer

    def initiate(self, username, types=ALL_TYPES, capabilities="mfa_required"):
        return self.ask("initiate", username=username, challenge_type=types, capabilities=capabilities)

    def challenge(self, token, types=ALL_TYPES, **more):
        return self.ask("challenge", continuation_token=token, challenge_type=types, **more)

    def token(self, grant_type, token, scope="openid offline_access api://mail/read", **more):
        return self.ask("token", grant_type=grant_type, continuation_token=token, scope=scope, **more)

    def challenged(self, username, **more):
        """The continuation token after the challenge."""
        return self.challenge(self.initiate(username, **more)["continuation_token"])["continuation_token"]

    def second_factor(self, username="mfa@example.com"):
        """The continuation token after the right password."""
        answer = self.token("password", self.challenged(username), password=PASSWORD)
        assert answer.refusal == (400, "invalid_grant", "mfa_required")
        return answer["continuation_token"]

    def mailed(self, username):
        return self.issuer.control(mailbox=username)["code"]


@pytest.fixture
def app(issuer):
    return NativeApp(issuer)


def error(answer):
    return answer.status, answer["error"], answer.json.get("error_codes")


# Whole sign-ins


def test_a_password_signs_in(app):
    begun = app.initiate("password@example.com")
    assert begun.json.keys() == {"continuation_token"}
    challenged = app.challenge(begun["continuation_token"])
    assert challenged["challenge_type"] == "password"
    tokens = app.token(
        "password", challenged["continuation_token"], password=PASSWORD, username="password@example.com",
        client_info="true")
    assert tokens.scopes == {"openid", "offline_access", "api://mail/read"}
    assert tokens.claims["preferred_username"] == "password@example.com"
    assert unpadded(tokens["client_info"])["uid"] == tokens.claims["oid"]
    assert app.call("mail", tokens["access_token"]).status == 200
    assert app.refresh(tokens["refresh_token"], "api://mail/read").scopes == {"api://mail/read"}


def test_a_code_signs_in(app):
    challenged = app.challenge(app.initiate("code-1@example.com")["continuation_token"])
    code = app.mailed("code-1@example.com")
    assert re.fullmatch(r"\d{8}", code)
    assert challenged.json.items() >= {
        "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": "email",
        "challenge_target_label": "c***@example.com", "code_length": 8,
    }.items()
    assert "access_token" in app.token("oob", challenged["continuation_token"], oob=code)


def test_a_second_factor_signs_in(app):
    listed = app.ask("introspect", continuation_token=app.second_factor("mfa-1@example.com"))
    (method,) = listed["methods"]
    assert (method["challenge_type"], method["challenge_channel"]) == ("oob", "email")
    challenged = app.challenge(listed["continuation_token"], id=method["id"])
    assert (challenged["challenge_type"], challenged["code_length"]) == ("oob", 8)
    code = app.mailed("mfa-1@example.com")
    assert "access_token" in app.token("mfa_oob", challenged["continuation_token"], oob=code)


def test_a_person_who_has_just_signed_up_needs_no_further_step(app):
    token = app.issuer.control(client=app.id, continue_as="code-2@example.com")["continuation_token"]
    tokens = app.token("continuation_token", token, username="code-2@example.com")
    assert tokens.claims["preferred_username"] == "code-2@example.com"
    assert app.token("continuation_token", token).refusal == NOT_GOOD


# People


@pytest.mark.parametrize("username", ["nobody@example.com", "password", "passwordx@example.com", "password@", "@"])
def test_an_unknown_user_is_refused(app, username):
    assert error(app.initiate(username)) == (400, "invalid_grant", [50034])


def test_a_wrong_password_is_refused_and_can_be_put_right(app):
    token = app.challenged("password@example.com")
    assert error(app.token("password", token, password="wrong")) == (400, "invalid_grant", [50126])
    assert app.token("password", token, password=PASSWORD).status == 200


def test_a_wrong_code_is_refused_and_can_be_put_right(app):
    token = app.challenged("code-3@example.com")
    right = app.mailed("code-3@example.com")
    wrong = f"{(int(right) + 1) % 10**8:08}"
    assert app.token("oob", token, oob=wrong).refusal == (400, "invalid_grant", "invalid_oob_value")
    assert app.token("oob", token, oob=right).status == 200


def test_a_password_that_has_to_be_changed_does_not_sign_in(app):
    token = app.challenged("reset@example.com")
    assert error(app.token("password", token, password="wrong")) == (400, "invalid_grant", [50126])
    assert error(app.token("password", token, password=PASSWORD)) == (400, "invalid_request", [50142])


def test_a_username_that_comes_again_must_be_the_same(app):
    token = app.challenged("password@example.com")
    answer = app.token("password", token, password=PASSWORD, username="password-2@example.com")
    assert answer.refusal == NOT_GOOD


# The browser


REDIRECT = {"challenge_type": "redirect"}


def test_some_people_sign_in_in_a_browser_only(app):
    begun = app.initiate("redirect@example.com")
    answer = app.challenge(begun["continuation_token"])
    assert (answer.status, answer.json) == (200, REDIRECT)


@pytest.mark.parametrize(
    "username, types",
    [("password@example.com", "oob redirect"), ("mfa@example.com", "redirect"), ("code@example.com", "password redirect")],
)
def test_an_app_that_cannot_ask_for_it_is_sent_to_a_browser(app, username, types):
    answer = app.initiate(username, types=types)
    assert (answer.status, answer.json) == (200, REDIRECT)
    token = app.initiate(username)["continuation_token"]
    assert app.challenge(token, types=types).json == REDIRECT


def test_an_app_without_second_factors_is_sent_to_a_browser(app):
    token = app.challenged("mfa@example.com", capabilities=None)
    assert app.token("password", token, password=PASSWORD).json == REDIRECT


@pytest.mark.parametrize("endpoint", ["initiate", "challenge", "introspect"])
def test_any_step_can_be_sent_to_a_browser(app, endpoint):
    app.script(grant_type=endpoint, challenge_type="redirect")
    assert app.ask(endpoint).json == REDIRECT
    assert app.ask(endpoint).status == 400


# Continuation tokens


def test_a_continuation_token_is_good_for_one_step(app):
    begun = app.initiate("password@example.com")["continuation_token"]
    challenged = app.challenge(begun)["continuation_token"]
    assert app.challenge(begun).refusal == NOT_GOOD
    assert app.token("password", challenged, password=PASSWORD).status == 200
    assert app.token("password", challenged, password=PASSWORD).refusal == NOT_GOOD


def test_a_continuation_token_is_of_one_app(app, issuer):
    token = app.challenged("password@example.com")
    assert NativeApp(issuer).token("password", token, password=PASSWORD).refusal == NOT_GOOD
    assert app.token("password", token, password=PASSWORD).status == 200


def test_a_continuation_token_is_of_one_step(app):
    begun = app.initiate("password@example.com")["continuation_token"]
    for grant_type, proof in [("password", {"password": PASSWORD}), ("oob", {"oob": "1"}), ("mfa_oob", {"oob": "1"}),
                              ("continuation_token", {})]:
        assert app.token(grant_type, begun, **proof).refusal == NOT_GOOD
    assert app.ask("introspect", continuation_token=begun).refusal == NOT_GOOD


def test_a_first_code_is_no_second_factor_and_a_second_factor_no_first_code(app):
    token = app.challenged("code-4@example.com")
    assert app.token("mfa_oob", token, oob=app.mailed("code-4@example.com")).refusal == NOT_GOOD
    token = app.challenge(app.second_factor("mfa-4@example.com"), id="email-1")["continuation_token"]
    assert app.token("oob", token, oob=app.mailed("mfa-4@example.com")).refusal == NOT_GOOD


def test_the_password_alone_is_not_enough_where_a_second_factor_is_needed(app):
    token = app.second_factor()
    assert app.token("continuation_token", token).refusal == NOT_GOOD
    assert app.token("password", token, password=PASSWORD).refusal == NOT_GOOD


def test_a_new_code_takes_the_place_of_the_old_one(app):
    first = app.challenged("code-5@example.com")
    old = app.mailed("code-5@example.com")
    second = app.challenge(first)["continuation_token"]
    new = app.mailed("code-5@example.com")
    assert app.token("oob", first, oob=old).refusal == NOT_GOOD
    assert app.token("oob", second, oob=new).status == 200


def test_a_second_factor_must_be_one_that_was_listed(app):
    token = app.second_factor()
    assert app.challenge(token).refusal == (400, "invalid_request", None)
    assert app.challenge(token, id="sms-1").refusal == (400, "invalid_request", None)
    assert app.challenge(token, id="email-1").status == 200


# Requests


@pytest.mark.parametrize("types, expected", [
    (None, "invalid_request"), ("password oob", "unsupported_challenge_type"),
    ("password redirect sms", "unsupported_challenge_type")])
def test_the_challenge_types_must_be_given_and_hold_redirect(app, types, expected):
    assert app.initiate("password@example.com", types=types)["error"] == expected
    token = app.initiate("password@example.com")["continuation_token"]
    assert app.challenge(token, types=types)["error"] == expected
    assert app.challenge(token).status == 200


@pytest.mark.parametrize("endpoint, missing, status", [
    ("initiate", "username", 400), ("challenge", "continuation_token", 400), ("introspect", "continuation_token", 400),
    ("initiate", "client_id", 401)])
def test_a_request_must_be_whole(app, endpoint, missing, status):
    fields = {"username": "password@example.com", "challenge_type": ALL_TYPES, "continuation_token": "x"}
    answer = app.ask(endpoint, **fields | {missing: None})
    assert answer.status == status and answer["error"] in ("invalid_request", "invalid_client")


@pytest.mark.parametrize("grant_type", ["password", "oob", "mfa_oob"])
def test_a_token_request_must_bring_its_proof(app, grant_type):
    assert app.token(grant_type, "x").refusal == (400, "invalid_request", None)


@pytest.mark.parametrize("authority", ["/common", "/organizations", "/consumers"])
def test_native_authentication_is_of_one_tenant(issuer, authority):
    app = NativeApp(issuer, authority=authority)
    assert app.initiate("password@example.com").refusal == (400, "invalid_request", None)
    assert app.token("password", "x", password=PASSWORD)["error"] == "unsupported_grant_type"


def test_native_authentication_is_not_at_the_plain_address(issuer, app):
    assert fetch(f"{issuer.base}/oauth2/v2.0/initiate", form={"client_id": app.id})[0] == 404
    form = {"client_id": app.id, "grant_type": "password", "continuation_token": "x", "password": PASSWORD}
    assert Answer(*fetch(f"{issuer.base}/token", form=form))["error"] == "unsupported_grant_type"


@pytest.mark.parametrize("grant_type", ["initiate", "challenge", "introspect"])
def test_the_name_of_an_endpoint_is_no_grant_type(app, grant_type):
    assert app.token(grant_type, "x")["error"] == "unsupported_grant_type"


def test_a_failure_for_a_moment_uses_nothing_up(app):
    token = app.challenged("password@example.com")
    app.script(demo="server_error", grant_type="password")
    assert app.token("password", token, password=PASSWORD).status == 500
    app.script(status="503", grant_type="password")
    assert app.token("password", token, password=PASSWORD).status == 503
    assert app.token("password", token, password=PASSWORD).status == 200
    assert (app.count("initiate"), app.count("challenge"), app.count("password")) == (1, 1, 3)
