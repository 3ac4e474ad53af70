"""Cases of the field. The table names the test of each public report; the tests here are neighboring cases.

| case | test |
|---|---|
| Entra's slash | `test_relay.py::test_a_custom_scheme_with_a_host_matches_with_a_slash_and_without` |
| status 201 | `test_issuers_as_they_are.py::test_tokens_come_with_any_2xx` |
| no User-Agent | `test_issuers_as_they_are.py::test_every_call_names_switchyard`, `test_every_call_of_an_agent_names_switchyard` here |
| corporate proxy | `test_outgoing.py` |
| resource | `test_issuers_as_they_are.py::test_a_resource_goes_to_both_requests` |
| 401 at openid-configuration | `test_issuers_as_they_are.py::test_discovery_goes_on_to_the_next_address` |
| LinkedIn without PKCE | `test_deviations.py::test_a_whole_sign_in_and_a_refresh[linkedin]`, `test_preset_sign_ins.py` |
| Slack bot token | `test_deviations.py::test_a_whole_sign_in_and_a_refresh[slack]`, `test_preset_sign_ins.py` |
| form-encoded tokens | `test_deviations.py::test_a_whole_sign_in_and_a_refresh[token_response]` |
| error object | `test_issuers_as_they_are.py::test_an_error_that_is_an_object_keeps_its_text` |
| forgot password | `test_issuers_as_they_are.py::test_numbers_of_b2c_pass_before_the_release` |
| Apple's name | `test_issuers_as_they_are.py::test_apples_name_reaches_the_app` |
| MSAL Python's state | `test_begin.py`, `test_libraries.py` |
| GitHub for git | `test_accounts.py::test_git_and_docker_get_it` |
| MCP tool without state | `test_ssh_attacks.py`, `test_ssh_sessions.py` ("it has no state") |
| empty DISPLAY | `test_agent_tokens.py::test_where_no_browser_opens_nobody_waits` |
| explain's words | `test_words_of_the_log.py::test_every_word_that_any_log_of_this_run_uses_is_explained` |
| remedies | `test_remedies.py`, `test_doctor_issuers.py` |
| empty login_hint | `test_issuers_as_they_are.py::test_an_empty_field_counts_as_left_out` |
| start-up file | `test_ssh_sessions.py::test_an_interactive_shell_has_our_browser_whatever_its_start_up_files_set` |
"""

import os
import re
import secrets
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.agent import AgentGateway
from harness.cases import cases
from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.held import CODE, NONE, HoldingGateway, outcome
from harness.programs import eventually, run
from harness.standin import JSON, StandIn
from harness.vault import VAULT

TOKENS = {"access_token": "a", "token_type": "bearer", "expires_in": 3600}


@pytest.fixture(scope="module")
def provider():
    standin = StandIn()
    yield standin
    standin.stop()


@pytest.fixture(autouse=True)
def as_usual(provider):
    provider.reset()


@pytest.fixture(scope="module")
def gateway(request, run_folder, provider):
    gateway = HoldingGateway(run_folder, provider.base, log={"level": "debug"}).start()
    request.addfinalizer(gateway.stop)
    return gateway


def begin(gateway, app=NONE, **fields):
    return gateway.api().begin(app, demo=None, **({"scope": "mail"} | fields))


def callback(pending, fields=()):
    """The address to which the provider sends the browser; `fields` may have a name twice."""
    return f"{pending.redirect_uri}?{urlencode([('state', pending.state), *fields])}"


def redeemed(gateway, pending):
    """The result of a code that the provider gives."""
    assert gateway.browse(callback(pending, [("code", secrets.token_urlsafe(24))])).status == 303
    return outcome(pending)


# Lifetimes and scopes of tokens


@pytest.mark.parametrize("lifetime", [
    3600, "3600", 3600.0, "3600.0", 3599.97, 3.6e3, 0, "0", "", None, 2**53, " 3600", "3600 "])
def test_a_lifetime_is_read_however_it_is_written(gateway, provider, lifetime):
    provider.answers["/token"] = (200, JSON, TOKENS | {"expires_in": lifetime})
    result = redeemed(gateway, begin(gateway))
    assert result["status"] == "completed", result
    assert result["token_response"]["expires_in"] == lifetime, "it is passed on as it came"


@pytest.mark.parametrize("lifetime", [-1, "-1", -0.5, 2**64, "9" * 40, 1e300, "never", True, [3600], {"s": 3600}])
def test_a_lifetime_that_is_none_is_refused(gateway, provider, lifetime):
    provider.answers["/token"] = (200, JSON, TOKENS | {"expires_in": lifetime})
    error = redeemed(gateway, begin(gateway))["error"]
    assert error["code"] == "invalid_response" and "expires_in" in error["description"]


@pytest.mark.parametrize("scope, granted", [
    (["mail", "files"], ["mail", "files"]), (["mail files"], ["mail", "files"]), ([], ["mail"]), ("", ["mail"]), (None, ["mail"]),
    ("mail,files", ["mail", "files"]), ("  mail   files ", ["mail", "files"]), (["mail", ""], ["mail"])])
def test_scopes_are_read_however_they_are_written(gateway, provider, scope, granted):
    provider.answers["/token"] = (200, JSON, TOKENS | {"scope": scope})
    result = redeemed(gateway, begin(gateway))
    assert (result["status"], result.get("granted_scopes")) == ("completed", granted), result


# Errors of the token endpoint


@cases(
    dict(status=400, answer={"error": "invalid_request", "reason": "Invalid Token!"}, code="invalid_request", name="invalid_request"),
    dict(status=400, answer={"error": "invalid_grant", "message": "Invalid Token!"}, code="invalid_grant", name="invalid_grant"),
    dict(status=400, answer={"error": "invalid_grant", "errorDescription": "Invalid Token!"}, code="invalid_grant", name="invalid_grant"),
    dict(status=400, answer={"error": 40029, "error_description": "Invalid Token!"}, code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"error": True, "message": "Invalid Token!"}, code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"error": ["Invalid Token!"]}, code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"error": {"code": "invalid_grant", "message": "Invalid Token!"}}, code="invalid_grant", name="invalid_grant"),
    dict(status=400, answer={"errors": [{"message": "Invalid Token!"}]}, code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"errors": ["Invalid Token!"]}, code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"message": "Invalid Token!", "errors": [{"resource": "AuthorizationCode", "field": "code", "code": "invalid"}]},
         code="authorization_failed", name="invalid"),
    dict(status=400, answer={"error_type": "OAuthException", "code": 400, "error_message": "Invalid Token!"},
         code="authorization_failed", name="OAuthException"),
    dict(status=200, answer={"errcode": 40029, "errmsg": "Invalid Token!"}, code="authorization_failed", name="unknown_error"),
    dict(status=200, answer={"code": 20003, "msg": "Invalid Token!"}, code="authorization_failed", name="unknown_error"),
    dict(status=401, answer={"fault": {"faultstring": "Invalid Token!", "detail": {"errorcode": "oauth.v2.InvalidClientId"}}},
         code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"type": "https://provider.example/problems/token", "title": "Invalid Token!", "status": 400},
         code="authorization_failed", name="unknown_error"),
    dict(status=400, answer=[{"message": "Invalid Token!", "errorCode": "INVALID_TOKEN"}], code="authorization_failed", name="INVALID_TOKEN"),
    dict(status=400, answer={"data": {"error_code": 10007, "description": "Invalid Token!"}, "message": "error"},
         code="authorization_failed", name="unknown_error"),
    dict(status=400, answer={"Error": "invalid_grant", "ErrorDescription": "Invalid Token!"}, code="invalid_grant", name="invalid_grant"),
)
def test_no_word_of_a_refusal_is_lost(gateway, provider, status, answer, code, name):
    provider.answers["/token"] = (status, JSON, answer)
    error = redeemed(gateway, begin(gateway))["error"]
    assert (error["code"], error.get("oauth_error"), error["http_status"]) == (code, name, status), error
    assert "Invalid Token!" in error["description"]


# Callbacks


@cases(
    dict(fields=[("error", "login_failed"), ("error_description", "No!")], code="authorization_failed", name="login_failed"),
    dict(fields=[("error", "OAUTH_EC_APP_NOT_FOUND")], code="authorization_failed", name="OAUTH_EC_APP_NOT_FOUND"),
    dict(fields=[("error", "server_error")], code="server_error", name="server_error"),
    dict(fields=[("error", "temporarily_unavailable")], code="temporarily_unavailable", name="temporarily_unavailable"),
    dict(fields=[("error_code", "1349126"), ("error_message", "App not set up")], code="authorization_failed", name="1349126"),
    dict(fields=[("error_reason", "user_denied")], code="access_denied", name="user_denied"),
    dict(fields=[("error_reason", "access_denied")], code="access_denied", name="access_denied"),
    dict(fields=[("error_message", "Only words")], code="authorization_failed", name="unknown_error"),
    dict(fields=[("error_type", "OAuthException"), ("error_message", "words")], code="authorization_failed", name="OAuthException"),
    dict(fields=[("error_description", "Only words")], code="authorization_failed", name="unknown_error"),
    dict(fields=[("errorCode", "E5"), ("errorMessage", "words")], code="authorization_failed", name="E5"),
    dict(fields=[("error", ""), ("error_code", "7")], code="authorization_failed", name="7"),
    dict(fields=[("code", ""), ("error", "access_denied")], code="access_denied", name="access_denied"),
)
def test_a_callback_that_names_an_error_ends_the_request_with_it(gateway, fields, code, name):
    pending = begin(gateway)
    assert gateway.browse(callback(pending, fields)).status == 303
    error = pending.failure()
    assert (error["code"], error["oauth_error"]) == (code, name), error
    [line] = eventually(lambda: [line for line in gateway.output().splitlines()
                                 if f"event=failed reference={pending.reference} " in line], what="the line of the failure")
    assert f"reason={code}" in line
    assert run("explain", code).returncode == 0


@pytest.mark.parametrize("fields", [
    [("code", "c1"), ("code", "c2")], [("code", "c"), ("state", "s")], [("code", "c"), ("error", "e")], [("error", "e"), ("error", "f")],
    [("error_code", "1"), ("error_code", "2")], [("code", ""), ("error", "")], [("error_code", "")], [("code", "c"), ("iss", "")],
    [("error_message", "")], [("error_uri", "https://x")]], ids=str)
def test_a_callback_that_contradicts_itself_changes_nothing(gateway, fields):
    pending = begin(gateway)
    assert gateway.browse(callback(pending, fields)).status == 400
    assert pending.is_untouched()


@pytest.mark.parametrize("fields", [
    [("code", "c"), ("error", "")], [("error", ""), ("code", "c"), ("error_description", "")], [("code", "c"), ("scope", ""), ("scope", "")],
    [("code", "c"), ("session_state", "1"), ("session_state", "2")], [("code", "c"), ("error_code", "0"), ("error_message", "")],
    [("code", "c"), ("", "x")]], ids=str)
def test_empty_and_unknown_parameters_beside_a_code_are_harmless(gateway, fields):
    pending = begin(gateway)
    assert gateway.browse(callback(pending, fields)).status == 303
    assert outcome(pending)["status"] == "completed"


@pytest.mark.parametrize("fields", [
    {"login_hint": None}, {"prompt": None, "domain_hint": None}, {"extra_parameters": {}}, {"extra_parameters": None},
    {"extra_parameters": {"authorization": {}, "token": {}}}, {"claims": None},
    {"host_label": None}, {"state": ""}, {"state": None}, {"redirect_uri": ""}, {"redirect_uri": None}, {"completion": ""}], ids=str)
def test_a_field_of_begin_without_a_value_counts_as_left_out(gateway, fields):
    query = parse_qs(urlsplit(begin(gateway, **fields).authorization_url).query, keep_blank_values=True)
    assert [""] not in query.values()


@pytest.mark.parametrize("words, told", [
    ("AADB2C90273: x", "AADB2C90273"), (" AADB2C90118: x", "AADB2C90118"), ("AADSTS90072: x", "AADSTS90072"), ("aadb2c90118: x", None)])
def test_a_number_of_microsofts_passes_before_the_release(gateway, words, told):
    pending = begin(gateway, CODE)
    assert gateway.browse(callback(pending, [("error", "access_denied"), ("error_description", words)])).status == 303
    assert pending.failure().get("description") == told


# The table


def test_each_case_is_a_test():
    here = Path(__file__).parent
    rows = [row for row in __doc__.splitlines() if row.startswith("| ")][1:]
    assert len(rows) == 20
    for row in rows:
        for file, name in re.findall(r"`(?:(test_\w+\.py)(?:::)?)?(test_\w+)?[^`]*`", row):
            text = (here / (file or Path(__file__).name)).read_text()
            assert not name or f"def {name}(" in text, row


# The name of the caller


def test_every_call_of_an_agent_names_switchyard(run_folder):
    """Keys, the account's address, a refresh and a revocation too."""
    version = run("--version").stdout.split()[1]
    folder = run_folder / "agent-of-the-field"
    folder.mkdir()
    openid = DeviatingProvider()
    plain = DeviatingProvider({"id_token": "none", "refresh_endpoint": "another address"})
    agent = AgentGateway(folder, "https://localhost:1")
    agent.configuration["issuers"] += [
        openid.configuration("openid"), plain.configuration("plain", account={"url": f"{plain.base}/me", "id": "/id", "name": "/login"})]
    agent.configuration["apps"] += [agent.app(
        name, name, issuer=name, client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
        begin_from={"uids": [os.getuid()]}, default_scope=scope) for name, scope in (("openid", "openid mail"), ("plain", "mail"))]
    agent.start()
    try:
        api = agent.local_api()
        for provider, app in ((openid, "com.contoso.openid"), (plain, "com.contoso.plain")):
            refused = api.call("POST", "/v1/tokens", {"app": app})
            assert refused.status == 401, refused.body
            pending = api.begin(app, demo=None, **{name: value for name, value in refused.json["request"].items() if name != "app"})
            assert agent.browse(provider.authorize(pending.authorization_url)).status == 303
            VAULT.remember_all(pending.outcome()["token_response"])
            pending.delete()
            reply = api.call("POST", "/v1/tokens", {"app": app, "force_refresh": True})
            assert reply.status == 200, reply.body
            VAULT.remember("access_token", reply.json["access_token"])
            [account] = api.call("GET", f"/v1/accounts?app={app}").json["accounts"]
            assert api.call("DELETE", f"/v1/accounts/{account['id']}?app={app}").status == 204
        eventually(lambda: openid.asked("/revoke") and plain.asked("/revoke"), what="the revocations")
    finally:
        agent.stop()
        openid.stop()
        plain.stop()
    called = [(one["path"], one["headers"].get("user-agent")) for provider in (openid, plain) for one in provider.requests]
    assert {agent for _, agent in called} == {f"switchyard/{version}"}, called
    assert {path for path, _ in called} >= {"/.well-known/openid-configuration", "/token", "/refresh", "/keys", "/me", "/revoke"}
