"""Providers as they are: what they answer beside the standards, each case after a public report."""

import base64
import json
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.cases import cases
from harness.handlers import app_of
from harness.held import CODE, NONE, HoldingGateway, outcome, release, shown
from harness.modes import FORM
from harness.programs import eventually, run
from harness.standin import JSON, StandIn

APPLE, HELD = "com.contoso.apple", "com.contoso.held"
OPENID, OAUTH = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"
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
    gateway = HoldingGateway(run_folder, provider.base, log={"level": "debug"})
    gateway.configuration["apps"] += [
        gateway.app("apple", "Apple Mail", client_id="apple", response_mode="form_post"),
        gateway.app("held", "Held Mail", client_id="held", response_mode="form_post", release="code")]
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def begin(gateway, app=NONE, **fields):
    return gateway.api().begin(app, demo=None, **({"scope": "mail"} | fields))


def callback(pending, **fields):
    """The address to which the provider sends the browser."""
    fields = {"code": secrets.token_urlsafe(24), "state": pending.state} | fields
    return f"{pending.redirect_uri}?{urlencode({name: value for name, value in fields.items() if value is not None})}"


def bring(gateway, pending, **fields):
    answer = gateway.browse(callback(pending, **fields))
    assert answer.status == 303, answer.text
    return answer


def post(gateway, pending, **fields):
    """The same by form_post."""
    content = urlencode({"code": secrets.token_urlsafe(24), "state": pending.state} | fields).encode()
    answer = gateway.browse(pending.redirect_uri, method="POST", body=content, headers=FORM)
    assert answer.status == 303, answer.text
    return answer


def page_of(gateway, answer):
    cookie = "; ".join(value.split(";")[0] for name, value in answer.headers if name.lower() == "set-cookie")
    return gateway.browse(gateway.url(answer.header("Location")), headers={"Cookie": cookie})


# The token endpoint


@pytest.mark.parametrize("status", [200, 201, 202, 203, 206])
def test_tokens_come_with_any_2xx(gateway, provider, status):
    provider.answers["/token"] = (status, JSON, TOKENS)
    pending = begin(gateway)
    bring(gateway, pending)
    assert outcome(pending)["status"] == "completed"
    assert len(provider.asked("/token")) == 1


@pytest.mark.parametrize("scope, granted", [(["mail", "files"], ["mail", "files"]), (["mail files"], ["mail", "files"]), ([], ["mail"])])
def test_scopes_come_as_an_array(gateway, provider, scope, granted):
    provider.answers["/token"] = (200, JSON, TOKENS | {"scope": scope, "expires_in": "3600"})
    pending = begin(gateway)
    bring(gateway, pending)
    result = outcome(pending)
    assert (result["status"], result["granted_scopes"]) == ("completed", granted)
    assert result["token_response"]["scope"] == scope, "it is passed on as it came"


def test_an_error_that_is_an_object_keeps_its_text(gateway, provider):
    provider.answers["/token"] = (
        400, {"Content-Type": "text/javascript; charset=UTF-8"},
        {"error": {"message": "Invalid code", "type": "OAuthException", "code": 100}})
    pending = begin(gateway)
    bring(gateway, pending)
    error = pending.failure()
    assert (error["code"], error["internal_code"], error["http_status"]) == ("authorization_failed", -42104, 400)
    assert (error["description"], error["oauth_error"], error["oauth_suberror"]) == ("Invalid code", "OAuthException", "100")


def test_an_object_that_names_an_error_is_no_success(gateway, provider):
    provider.answers["/token"] = (200, JSON, TOKENS | {"error": {"message": "Invalid code"}})
    pending = begin(gateway)
    bring(gateway, pending)
    assert pending.failure()["description"] == "Invalid code"


HTML = {"Content-Type": "text/html; charset=UTF-8"}
BLOCKED = "<!DOCTYPE html><html><head>\n<title>Attention Required!\n | Cloudflare</title></head><body>Ray 8c1 for alice@contoso.com"


@cases(
    # Names of the standards keep their meaning.
    dict(status=400, answer={"error": "invalid_grant", "error_description": "words"}, code="invalid_grant", name=None),
    dict(status=401, answer={"error": "invalid_client", "error_description": "words"}, code="invalid_client", name=None),
    dict(status=400, answer={"error": "unsupported_grant_type", "error_description": "words"},
         code="invalid_request", name="unsupported_grant_type"),
    # GitHub's, with the status of a success, and Slack's.
    dict(status=200, answer={"error": "bad_verification_code", "error_description": "words", "error_uri": "x"},
         code="invalid_grant", name="bad_verification_code"),
    dict(status=200, answer={"error": "incorrect_client_credentials", "error_description": "words"},
         code="invalid_client", name="incorrect_client_credentials"),
    dict(status=200, answer={"error": "redirect_uri_mismatch", "error_description": "words"},
         code="invalid_request", name="redirect_uri_mismatch"),
    dict(status=200, answer={"ok": False, "error": "invalid_code"}, code="invalid_grant", name="invalid_code"),
    # Any other name is the provider's own, and no failure of its server.
    dict(status=400, answer={"error": "an_error_of_its_own", "error_description": "words"},
         code="authorization_failed", name="an_error_of_its_own"),
    dict(status=401, answer={"error": "an_error_of_its_own", "error_description": "words"},
         code="authorization_failed", name="an_error_of_its_own"),
    dict(status=200, answer={"error": "an_error_of_its_own", "error_description": "words"},
         code="authorization_failed", name="an_error_of_its_own"),
    dict(status=500, answer={"error": "an_error_of_its_own", "error_description": "words"},
         code="server_error", name="an_error_of_its_own"),
    # Errors without `error`.
    dict(status=400, answer={"status": "BAD_AUTH_CODE", "message": "words"}, code="authorization_failed", name="BAD_AUTH_CODE"),
    dict(status=403, answer={"errorCode": "E0000022", "errorSummary": "words"}, code="authorization_failed", name="E0000022"),
    dict(status=400, answer={"errors": [{"code": "E1", "message": "words"}]}, code="authorization_failed", name="E1"),
    dict(status=200, answer={"message": "words", "code": 4002}, code="authorization_failed", name=None),
)
def test_an_error_of_the_token_endpoint_reaches_app_log_and_history(gateway, provider, status, answer, code, name):
    provider.answers["/token"] = (status, JSON, answer)
    pending = begin(gateway)
    bring(gateway, pending)
    error = pending.failure()
    assert (error["code"], error["http_status"]) == (code, status)
    assert error["oauth_error"] == (name or answer.get("error") or "unknown_error")
    assert error.get("description", "words").endswith("words")
    [line] = eventually(lambda: [line for line in gateway.output().splitlines()
                                 if f"event=failed reference={pending.reference} " in line], what="the line of the failure")
    assert f"reason={code}" in line and (name is None or f"oauth_error={name}" in line)
    assert "words" not in line, "they may name the person"
    told = run("explain", pending.reference, "--admin", f"http://127.0.0.1:{gateway.admin_port}")
    assert told.returncode == 0 and code in told.stdout, told
    assert "To mend it" in told.stdout or "remedy" in told.stdout.lower() or len(told.stdout.splitlines()) > 3


@pytest.mark.parametrize("name", ["bad_verification_code", "incorrect_client_credentials", "redirect_uri_mismatch", "invalid_code",
                                  "OAuthException"])
def test_explain_knows_the_names_of_big_providers(name):
    told = run("explain", name)
    assert told.returncode == 0, told


@pytest.mark.parametrize("status, code, cause", [
    (403, "invalid_response", "status_403"), (200, "invalid_response", "wrong_answer"), (503, "server_error", "status_503"),
])
def test_a_page_in_the_issuers_place_is_told_by_status_and_title(gateway, provider, status, code, cause):
    provider.answers["/token"] = (status, HTML, BLOCKED)
    pending = begin(gateway)
    bring(gateway, pending)
    error = pending.failure()
    assert (error["code"], error["http_status"]) == (code, status)
    assert "Attention Required! | Cloudflare" in error["description"] and "alice" not in error["description"]
    [line] = eventually(lambda: [line for line in gateway.output().splitlines()
                                 if f"event=failed reference={pending.reference} " in line], what="the line of the failure")
    assert f"cause={cause}" in line and "Attention Required! | Cloudflare" in line and "alice" not in gateway.output()
    assert run("explain", cause).returncode == 0


def test_a_form_encoded_answer_names_the_deviation(gateway, provider):
    provider.answers["/token"] = (200, {"Content-Type": "application/x-www-form-urlencoded"}, "access_token=a&token_type=bearer")
    pending = begin(gateway)
    bring(gateway, pending)
    assert "token_response: form" in pending.failure()["description"]


def test_another_token_type_names_the_deviation(gateway, provider):
    provider.answers["/token"] = (200, JSON, {"access_token": "a", "token_type": "bot"})
    pending = begin(gateway)
    bring(gateway, pending)
    assert "token_type: any" in pending.failure()["description"]


# Discovery


@pytest.mark.parametrize("refusal", [
    (400, {}, ""), (401, {}, ""), (403, {}, "<html>"), (404, {}, ""), (405, {}, ""), (410, {}, ""),
    (200, {"Content-Type": "text/html"}, "<!doctype html><title>App</title>"), (200, JSON, {"error": "not_found"}), (200, JSON, []),
])
def test_discovery_goes_on_to_the_next_address(start_gateway, refusal):
    provider = StandIn()
    provider.answers |= {OPENID: refusal, OAUTH: (200, JSON, provider.metadata())}
    gateway = start_gateway(issuer_url=provider.base)
    pending = begin(gateway, "com.contoso.app1")
    assert pending.authorization_url.startswith(f"{provider.base}/authorize?")
    assert [request["path"] for request in provider.requests] == [OPENID, OAUTH]
    provider.stop()


@pytest.mark.parametrize("status", [500, 503, 302])
def test_discovery_asks_no_other_address_after_another_failure(start_gateway, status):
    provider = StandIn()
    provider.answers |= {OPENID: (status, {"Location": "/other"}, ""), OAUTH: (200, JSON, provider.metadata())}
    gateway = start_gateway(issuer_url=provider.base)
    assert gateway.api().begin_reply("com.contoso.app1").status == 503
    assert [request["path"] for request in provider.requests] == [OPENID]
    provider.stop()


# The name of the caller


def test_every_call_names_switchyard(run_folder):
    version = run("--version").stdout.split()[1]
    provider = StandIn()

    def guarded(path):
        plain = provider.answers[path]
        return lambda request: plain if request["headers"].get("user-agent") else (403, {}, "")

    provider.answers |= {path: guarded(path) for path in (OPENID, "/token")} | {"/hook": (200, {}, "")}
    gateway = HoldingGateway(run_folder, provider.base)
    (gateway.folder / "hook.key").write_text(base64.b64encode(secrets.token_bytes(32)).decode())
    (gateway.folder / "hook.key").chmod(0o600)
    hook = {"webhook": {"url": f"{provider.base}/hook", "secret_file": "hook.key"}}
    gateway.configuration["apps"].append(app_of(gateway, "hook", hook))
    gateway.start()
    try:
        pending = begin(gateway)
        bring(gateway, pending)
        assert outcome(pending)["status"] == "completed"
        gateway.browse(gateway.url("/hook?code=c&state=s"))
        eventually(lambda: provider.asked("/hook"), what="the webhook")
        assert run("doctor", "--config", gateway.file).stdout
    finally:
        gateway.stop()
        provider.stop()
    called = {(request["path"], request["headers"].get("user-agent")) for request in provider.requests}
    assert called >= {(path, f"switchyard/{version}") for path in (OPENID, "/token", "/hook")}
    assert {agent for _, agent in called} == {f"switchyard/{version}"}, called


# Callbacks


@pytest.mark.parametrize("fields, name, words", [
    ({"error_code": "1349126", "error_message": "App not set up"}, "1349126", "App not set up"),
    ({"error_reason": "user_denied", "error_code": "200", "error_message": "No"}, "user_denied", "No"),
    ({"error_message": "Only words"}, "unknown_error", "Only words"),
])
def test_a_callback_that_names_an_error_otherwise_ends_the_request(gateway, fields, name, words):
    pending = begin(gateway)
    bring(gateway, pending, code=None, **fields)
    error = pending.failure()
    assert (error["oauth_error"], error["description"]) == (name, words)


def test_such_an_error_is_held_back_before_the_release(gateway):
    pending = begin(gateway, CODE)
    answer = bring(gateway, pending, code=None, error_code="5", error_message="Ann was here")
    error = pending.failure()
    assert error["oauth_error"] == "5" and "description" not in error
    assert "Ann was here" in page_of(gateway, answer).text


def test_a_callback_with_a_state_alone_is_still_none(gateway):
    pending = begin(gateway)
    assert gateway.browse(callback(pending, code=None, error_uri="https://x")).status == 400
    assert pending.is_untouched()


@pytest.mark.parametrize("words, told", [
    ("AADB2C90118: The user has forgotten their password.", "AADB2C90118"), ("AADB2C: Ann", None), ("AADB2CX90118", None),
])
def test_numbers_of_b2c_pass_before_the_release(gateway, words, told):
    pending = begin(gateway, CODE)
    bring(gateway, pending, code=None, error="access_denied", error_description=words)
    assert pending.failure().get("description") == told


# Parameters beside the code

USER = json.dumps({"name": {"firstName": "Ann", "lastName": "Ämple"}, "email": "ann@contoso.example"})


def test_apples_name_reaches_the_app(gateway):
    pending = begin(gateway, APPLE)
    post(gateway, pending, id_token="a.b.c", user=USER, session_state="x\ny")
    assert outcome(pending)["callback_parameters"] == {"user": USER, "session_state": "x y"}


def test_it_outlives_the_release(gateway):
    pending = begin(gateway, CODE)
    answer = bring(gateway, pending, realmId="4620816365")
    assert "callback_parameters" not in json.dumps(pending.poll().json)
    assert release(pending, code=shown(page_of(gateway, answer).text, "release-code")).status == 204
    assert outcome(pending)["callback_parameters"] == {"realmId": "4620816365"}


def test_a_callback_without_more_adds_nothing(gateway):
    pending = begin(gateway)
    bring(gateway, pending)
    assert not {"callback_parameters", "callback_parameters_cut"} & outcome(pending).keys()


@pytest.mark.parametrize("app", [APPLE, HELD])
@pytest.mark.parametrize("length, is_cut", [(8192 - 4, False), (8192 - 3, True)])
def test_a_text_longer_than_8_kib_is_left_out_whole(gateway, app, length, is_cut):
    pending = begin(gateway, app)
    answer = post(gateway, pending, long="x" * length)
    if app == HELD:
        assert release(pending, code=shown(page_of(gateway, answer).text, "release-code")).status == 204
    result = outcome(pending)
    assert result["status"] == "completed"
    assert result.get("callback_parameters") == (None if is_cut else {"long": "x" * length})
    assert result.get("callback_parameters_cut") == (True if is_cut else None)


# Parameters that the app adds


def test_a_resource_goes_to_both_requests(gateway, provider):
    provider.answers["/token"] = lambda request: (
        (200, JSON, TOKENS) if request["form"].get("resource") else (400, JSON, {"error": "invalid_target"}))
    pending = begin(gateway, extra_parameters={"resource": "https://mcp.example/", "audience": "api"})
    query = parse_qs(urlsplit(pending.authorization_url).query)
    assert (query["resource"], query["audience"]) == (["https://mcp.example/"], ["api"])
    bring(gateway, pending)
    assert outcome(pending)["status"] == "completed"
    [asked] = provider.asked("/token")
    assert asked["form"]["resource"] == "https://mcp.example/" and "audience" not in asked["form"]


def test_parameters_go_where_they_are_told_to(gateway, provider):
    pending = begin(gateway, CODE, extra_parameters={
        "authorization": {"access_type": "offline"}, "token": {"audience": "api", "resource": "https://r.example/"}})
    query = parse_qs(urlsplit(pending.authorization_url).query)
    assert query["access_type"] == ["offline"] and not {"audience", "resource"} & query.keys()
    answer = bring(gateway, pending)
    assert release(pending, code=shown(page_of(gateway, answer).text, "release-code")).status == 204
    assert outcome(pending)["status"] == "completed"
    [asked] = provider.asked("/token")
    assert (asked["form"]["audience"], asked["form"]["resource"]) == ("api", "https://r.example/")
    assert "access_type" not in asked["form"]


@pytest.mark.parametrize("extra, named", [
    ({"authorization": {"a": "b"}, "audience": "api"}, "audience"), ({"token": {"code": "x"}}, "code"),
    ({"token": {"client_secret": "x"}}, "client_secret"), ({"authorization": {"state": "x"}}, "state"),
    ({"authorization": {"redirect_uri": "x"}}, "redirect_uri"), ({"token": {"redirect_uri": "x"}}, "redirect_uri"),
])
def test_what_the_gateway_sets_and_a_mix_are_refused_by_name(gateway, extra, named):
    reply = gateway.api().begin_reply(NONE, extra_parameters=extra)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")
    assert "extra_parameters" in reply.json["error_description"] and f'"{named}"' in reply.json["error_description"]


@pytest.mark.parametrize("name", ["login_hint", "prompt", "domain_hint", "host_label", "scope", "claims"])
def test_an_empty_field_counts_as_left_out(gateway, name):
    pending = begin(gateway, **{name: ""})
    assert name == "scope" or name not in parse_qs(urlsplit(pending.authorization_url).query, keep_blank_values=True)


