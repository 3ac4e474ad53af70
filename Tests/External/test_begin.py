"""POST /v1/requests: the calls that begin a sign-in, and the refused ones."""

import secrets
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.issuer import authorize

APP = "com.contoso.app1"


def test_begin_answers_with_everything_that_an_app_needs(api, gateway):
    reply = api.begin_reply(APP, scope="openid profile", login_hint="alice", prompt="login", domain_hint="contoso")
    assert reply.status == 201
    answer = reply.json
    query = parse_qs(urlsplit(answer["authorization_url"]).query)
    assert answer["redirect_uri"] == gateway.url("/app1/auth") == query["redirect_uri"][0]
    assert answer["state"] == query["state"][0] and len(answer["state"]) >= 22
    assert query["code_challenge_method"] == ["S256"] and len(query["code_challenge"][0]) == 43
    assert len(query["nonce"][0]) >= 22
    assert query["scope"] == ["openid profile"] and query["response_type"] == ["code"]
    assert query["login_hint"] == ["alice"] and query["prompt"] == ["login"] and query["domain_hint"] == ["contoso"]
    assert answer["start_url"].startswith(gateway.url("/"))
    assert 590 <= answer["expires_in"] <= 600
    assert answer["reference"] and answer["result_token"] not in answer["start_url"]


def test_every_answer_is_dated_and_never_cached(api):
    reply = api.begin_reply(APP, scope="openid")
    assert reply.header("Date")
    assert "no-store" in reply.header("Cache-Control")


def test_two_requests_share_nothing(api):
    first, second = api.begin(APP), api.begin(APP)
    for name in ("id", "result_token", "state", "reference"):
        assert first.fields[name] != second.fields[name]
    assert first.nonce != second.nonce


def test_an_apps_other_redirect_uri_is_taken_by_name(api):
    pending = api.begin(APP, redirect_uri="msauth.com.contoso.app1://auth")
    assert pending.redirect_uri == "msauth.com.contoso.app1://auth"
    assert authorize(pending.authorization_url).startswith("msauth.com.contoso.app1://auth?")


@pytest.mark.parametrize("method, path", [
    ("POST", "/v1/requests/"), ("GET", "/v1/requests/"), ("POST", "/v1/requests//release"), ("GET", "/v1/requests/a/b"),
    ("GET", "/v1/"), ("GET", "/v1/request"),
])
def test_an_address_that_is_none_is_404_whatever_the_method(api, method, path):
    reply = api.call(method, path, {"app": APP} if method == "POST" else None, token="t")
    assert (reply.status, reply.json["error"], reply.header("Allow")) == (404, "not_found", None)


BAD_BEGINS = {
    "an unknown app": {"app": "com.contoso.nobody"},
    "no app": {"app": None},
    "a redirect URI of another app": {"redirect_uri": "msauth.com.contoso.app2://auth"},
    "a redirect URI of nobody": {"redirect_uri": "https://evil.example/cb"},
    "an unknown completion": {"completion": "both"},
    "a parameter that the gateway sets: state": {"extra_parameters": {"state": "x" * 30}},
    "a parameter that the gateway sets: redirect_uri": {"extra_parameters": {"redirect_uri": "https://evil.example"}},
    "a parameter that the gateway sets: code_challenge": {"extra_parameters": {"code_challenge": "x" * 43}},
    "a parameter that the gateway sets: client_id": {"extra_parameters": {"client_id": "other"}},
    "a host label with a space": {"host_label": "my host"},
    "a host label with markup": {"host_label": "<b>host</b>"},
    "a host label that is too long": {"host_label": "h" * 65},
    "a state that is too short": {"completion": "response", "state": "s" * 15},
    "a state that is too long": {"completion": "response", "state": "s" * 2049},
    "response mode without a state": {"completion": "response"},
    "a scope that is no string": {"scope": ["openid"]},
}


@pytest.mark.parametrize("fields", BAD_BEGINS.values(), ids=BAD_BEGINS.keys())
def test_begin_refuses(api, fields):
    body = {"app": APP, **fields}
    reply = api.call("POST", "/v1/requests", {name: value for name, value in body.items() if value is not None})
    assert reply.status in (400, 404), reply.body
    assert reply.json["error"] and reply.json["error_description"]


BAD_BODIES = {
    "nothing": b"",
    "half an object": b'{"app": "com.contoso.app1"',
    "an array": b"[]",
    "a key twice": b'{"app": "com.contoso.app1", "app": "com.contoso.app2"}',
    "bytes that are not UTF-8": b'{"app": "\xff\xfe"}',
    "a deep nest": b"[" * 30000,
}


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES.keys())
def test_begin_refuses_a_body_that_is(api, body):
    reply = api.call("POST", "/v1/requests", body)
    assert reply.status == 400 and reply.json["error"] == "invalid_request"


def test_begin_refuses_another_content_type(api):
    reply = api.call("POST", "/v1/requests", {"app": APP}, headers={"Content-Type": "text/plain"})
    assert reply.status == 415


@pytest.mark.parametrize("header", [("Origin", "https://evil.example"), ("Origin", "null"),
                                    ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-origin")])
def test_the_api_is_not_for_pages(api, signed_in, header):
    headers = dict([header])
    assert api.call("POST", "/v1/requests", {"app": APP}, headers=headers).status == 403
    pending, _ = signed_in
    reply = api.call("GET", pending.path, token=pending.token, headers=headers)
    assert reply.status == 403 and reply.header("Access-Control-Allow-Origin") is None
    assert pending.is_untouched()


def test_a_request_typed_by_a_person_is_served(api):
    assert api.begin_reply(APP, headers={"Sec-Fetch-Site": "none"}).status == 201


def test_a_state_that_is_pending_or_was_cannot_be_given_again(api):
    state = secrets.token_urlsafe(32)
    pending = api.begin(APP, completion="response", state=state)
    again = [api.begin_reply(APP, completion="response", state=state)]
    pending.delete()
    again.append(api.begin_reply(APP, completion="response", state=state))
    assert [reply.status for reply in again] == [409, 409]
    assert all("is pending, or was until" in reply.json["error_description"] for reply in again)


def test_without_a_challenge_the_gateway_composes_nothing(api):
    answer = api.begin_reply(APP, completion="response", state=secrets.token_urlsafe(32)).json
    assert "authorization_url" not in answer and "start_url" not in answer


@pytest.mark.parametrize("method, path, statuses", [
    ("GET", "/v1/requests", {405}),
    ("PUT", "/v1/callbacks", {405}),
    ("GET", "/v1/nothing", {404}),
    ("POST", "/v2/requests", {404}),
])
def test_the_api_has_no(api, method, path, statuses):
    reply = api.call(method, path)
    assert reply.status in statuses
    assert reply.status != 405 or reply.header("Allow")


def test_callbacks_are_not_served_on_the_apps_listener(gateway, api, signed_in):
    _, callback = signed_in
    assert api.call("GET", callback.removeprefix(gateway.origin)).status == 404


def test_the_api_is_not_served_on_the_browsers_listener(gateway):
    body = b'{"app": "com.contoso.app1"}'
    answer = gateway.browse(gateway.url("/v1/requests"), method="POST", body=body,
                            headers={"Content-Type": "application/json"})
    assert answer.status == 404
