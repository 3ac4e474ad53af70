"""The answers at a redirect URI: the table of the contract, row by row.

A refused callback changes nothing: after each one the request is still pending, and the good callback completes it.
"""

import re
from urllib.parse import quote, urlencode

import pytest

from harness.issuer import authorize
from harness.modes import Arrival, ModesGateway
from harness.programs import eventually
from harness.vault import VAULT

APP = "com.contoso.app1"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CODE = re.compile(r"code=[^&]*")
STATE = re.compile(r"state=[^&]*")
ISS = re.compile(r"&?iss=[^&]*")


def untouched_and_completes(gateway, pending, callback):
    """The proof that the earlier callbacks changed nothing."""
    assert pending.is_untouched()
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"


MANGLED = {
    "state absent": lambda url: STATE.sub("x=y", url),
    "state empty": lambda url: STATE.sub("state=", url),
    "state unknown": lambda url: STATE.sub("state=" + "A" * 43, url),
    "state in other letters": lambda url: STATE.sub(lambda match: "state=" + match[0][6:].swapcase(), url),
    "iss wrong": lambda url: ISS.sub("&iss=" + quote("https://evil.example", safe=""), url),
    "iss missing though the issuer sends it": lambda url: ISS.sub("", url),
    "code twice": lambda url: url + "&code=another-code-of-nobody",
    "the same code twice": lambda url: url + "&" + CODE.search(url)[0],
    "state twice": lambda url: url + "&" + STATE.search(url)[0],
    "iss twice": lambda url: url + "&" + ISS.search(url)[0].lstrip("&"),
    "error twice": lambda url: CODE.sub("error=access_denied&error=access_denied", url),
    "code and error": lambda url: url + "&error=access_denied",
    "neither code nor error": lambda url: CODE.sub("x=y", url),
    "code empty": lambda url: CODE.sub("code=", url),
    "error with an unknown state": lambda url: STATE.sub("state=" + "B" * 43, CODE.sub("error=access_denied", url)),
    "error without a state": lambda url: STATE.sub("x=y", CODE.sub("error=access_denied", url)),
    "a broken escape in the state": lambda url: STATE.sub("state=%zz", url),
}


@pytest.mark.rule(3)
@pytest.mark.parametrize("mangle", MANGLED.values(), ids=MANGLED.keys())
def test_callback_is_refused_with_400(gateway, signed_in, mangle):
    pending, callback = signed_in
    answer = gateway.browse(mangle(callback))
    assert answer.status == 400
    assert "text/html" in answer.header("Content-Type") and "no-store" in answer.header("Cache-Control")
    assert answer.header("Set-Cookie") is None
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(3)
def test_state_of_another_redirect_uri_is_refused(gateway, signed_in):
    pending, callback = signed_in
    assert gateway.browse(callback.replace("/app1/auth", "/app2/auth")).status == 400
    untouched_and_completes(gateway, pending, callback)


def test_state_of_an_expired_request_is_refused(start_gateway):
    gateway = start_gateway(limits={"request_lifetime": "1s"})
    pending = gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    eventually(lambda: pending.poll().status == 410, what="expiry")
    assert gateway.browse(callback).status == 400


def test_the_stream_of_a_request_that_expires_ends_with_the_reason(start_gateway):
    pending = start_gateway(limits={"request_lifetime": "1s"}).api().begin(APP)
    first, *_, (event, last) = pending.events()
    assert first == ("status", {"status": "pending"}) and event == "status"
    assert last == {
        "error": "expired", "error_description": "the request expired before it was answered or collected"}


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", ["code", "state", "iss", "error", "response", "id_token"])
def test_a_parameter_in_query_and_content_is_refused(modes, name):
    """At a redirect URI that takes a form. Elsewhere the method is refused before the parameters are read."""
    arrival = Arrival(modes, "form")
    fields = dict(arrival.fields)
    value = fields.setdefault(name, "a-value-that-stands-in-both-places")
    assert arrival.by_form(fields, query="?" + urlencode({name: value})).status == 400
    fields = dict(arrival.fields)
    assert arrival.by_form(fields, query="?" + urlencode(fields)).status == 400
    assert arrival.finish_properly()


@pytest.mark.rule(4)
def test_an_unheard_of_parameter_in_the_query_is_not_the_reason(modes):
    """So that the test before cannot pass because every query is refused."""
    arrival = Arrival(modes, "form")
    assert arrival.by_form(arrival.fields, query="?padding=1").status == 303
    assert arrival.pending.outcome()["status"] == "completed"


def test_good_callback_leads_to_the_done_page(gateway, signed_in):
    pending, callback = signed_in
    answer = gateway.browse(callback)
    assert answer.status == 303
    assert answer.header("Location") in (f"/done/{pending.reference}", gateway.url(f"/done/{pending.reference}"))
    cookie = answer.header("Set-Cookie")
    assert cookie.startswith("__Host-")
    for attribute in ("secure", "httponly", "path=/", "samesite"):
        assert attribute in cookie.lower()
    assert "domain" not in cookie.lower()
    assert answer.header("Referrer-Policy") == "no-referrer" and "no-store" in answer.header("Cache-Control")


@pytest.mark.rule(6)
def test_identical_callback_again_gets_the_same_and_redeems_nothing(gateway, signed_in):
    pending, callback = signed_in
    first = gateway.browse(callback)
    outcome = pending.outcome()
    cookie = first.header("Set-Cookie").split(";")[0]
    again = gateway.browse(callback, headers={"Cookie": cookie})
    assert (again.status, again.header("Location")) == (303, first.header("Location"))
    assert gateway.browse(callback).status == 303
    assert pending.outcome() == outcome


@pytest.mark.rule(6)
def test_used_state_with_another_code_is_refused(gateway, signed_in):
    pending, callback = signed_in
    assert gateway.browse(callback).status == 303
    outcome = pending.outcome()
    forged = CODE.sub("code=another-code-from-an-attacker", callback)
    VAULT.remember_url(forged)
    assert gateway.browse(forged).status == 409
    assert pending.outcome() == outcome


def test_error_with_a_good_state_ends_the_request(gateway, api):
    pending = api.begin(APP, demo="deny")
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    error = pending.failure()
    assert error["code"] == "access_denied" and error["oauth_error"] == "access_denied"


@pytest.mark.rule(2)
@pytest.mark.parametrize("path", ["/", "/app1", "/app1/auth/", "/app1/AUTH", "/app1/%61uth", "/app1//auth",
                                  "/app1/./auth", "/app1/x/../auth", "/app1/auth;x", "/done", "/favicon.ico"])
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_path_that_is_no_redirect_uri_is_404(gateway, signed_in, path, method):
    pending, callback = signed_in
    query = callback.partition("?")[2]
    assert gateway.browse(f"{gateway.origin}{path}?{query}", method=method).status == 404
    assert pending.is_untouched()


@pytest.mark.rule(10)
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
def test_another_method_is_405_and_says_what_is_allowed(gateway, signed_in, method):
    pending, callback = signed_in
    answer = gateway.browse(callback, method=method)
    assert answer.status == 405 and "GET" in answer.header("Allow")
    untouched_and_completes(gateway, pending, callback)


def test_a_form_for_an_app_that_expects_a_query_is_405(gateway, signed_in):
    pending, callback = signed_in
    url, _, query = callback.partition("?")
    answer = gateway.browse(url, method="POST", headers=FORM, body=query.encode())
    assert answer.status == 405 and "GET" in answer.header("Allow")
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(10)
@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "multipart/form-data; boundary=x"])
def test_content_of_another_type_is_415(gateway, signed_in, content_type):
    pending, callback = signed_in
    url, _, query = callback.partition("?")
    answer = gateway.browse(url, method="POST", headers={"Content-Type": content_type}, body=query.encode())
    assert answer.status == 415
    untouched_and_completes(gateway, pending, callback)


def test_a_target_that_is_too_long_is_414(gateway, signed_in):
    pending, callback = signed_in
    assert gateway.browse(callback + "&padding=" + "p" * 17000).status == 414
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.parametrize("headers", [{"X-Padding": "p" * 17000}, {f"X-{n}": "p" for n in range(120)}],
                         ids=["too long", "too many"])
def test_headers_that_are_too_large_are_431(gateway, signed_in, headers):
    pending, callback = signed_in
    assert gateway.browse(callback, headers=headers).status == 431
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(10)
def test_content_that_is_too_large_is_413(gateway, signed_in):
    pending, callback = signed_in
    body = urlencode({"padding": "p" * 70000}).encode()
    # The method is no good here either; either may be said first.
    assert gateway.browse(callback.partition("?")[0], method="POST", headers=FORM, body=body).status in (405, 413)
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(6)
def test_head_consumes_nothing(gateway, signed_in):
    pending, callback = signed_in
    answer = gateway.browse(callback, method="HEAD")
    assert (answer.status, answer.body) == (204, b"")
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(6)
@pytest.mark.parametrize("header", [("Sec-Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"),
                                    ("Purpose", "prefetch")])
def test_a_prefetch_consumes_nothing(gateway, signed_in, header):
    pending, callback = signed_in
    answer = gateway.browse(callback, headers=dict([header]))
    assert answer.status == 503 and "no-store" in answer.header("Cache-Control")
    untouched_and_completes(gateway, pending, callback)


@pytest.mark.rule(9)
def test_a_callback_that_nobody_asked_for_is_explained(gateway):
    answer = gateway.browse(gateway.url("/app1/auth?code=a-code-that-nobody-asked-for&state=" + "C" * 43))
    assert answer.status == 400 and "a-code-that-nobody-asked-for" not in answer.text
    assert "do not copy" in answer.text.lower()


@pytest.mark.parametrize("demo, code, subcode", [
    ("deny", "access_denied", None), ("cancel", "user_canceled", "cancel"),
])
def test_a_refusal_and_a_cancel_are_told_apart(gateway, api, demo, code, subcode):
    pending = api.begin(APP, demo=demo)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    error = pending.failure()
    assert error["code"] == code
    # The issuer's words are kept unchanged.
    assert (error["oauth_error"], error.get("oauth_suberror")) == ("access_denied", subcode)
