"""Incidents of this field, and the permanent test that would have stopped each.

Most are held by tests elsewhere: the table names them, and they have to exist. Those that nothing else holds are here.
"""

import re

import pytest

from harness.api import Pending
from harness.gateway import Gateway
from harness.issuer import authorize
from harness.programs import ROOT

APP = "com.contoso.app1"
CODED, OTHER = "com.contoso.coded", "com.contoso.coded2"

INCIDENTS = {
    "auth.expo.io, CVE-2023-28131: the link chose where credentials went": ["test_a_parameter_chooses_no_address"],
    "Booking.com: a redirect chain behind a loose path": ["test_paths", "test_the_query_goes_on_byte_for_byte"],
    "oauth2-proxy: open redirects by spelling": ["test_a_path_chooses_no_address", "test_hosts", "test_strings"],
    "mod_auth_openidc CVE-2022-23527: open by default": ["test_path_that_is_no_redirect_uri_is_404"],
    "oauth2-proxy: bypass by header or user agent": [
        "test_no_word_of_the_client_opens_a_door", "test_nobody_elses_forwarding_header_counts"],
    "Envoy CVE-2022-29226: a token that is there is no token that is right": [
        "test_a_wrong_token_and_an_unknown_id_are_the_same_answer"],
    "Envoy: no binding to the browser": ["test_another_browser_is_refused"],
    "nginx-openid-connect: state=0": ["test_a_state_that_can_be_guessed_is_nobodys"],
    "Auth.js GHSA-x445-f3h2-j279: a cookie of one provider taken for another": [
        "test_another_browser_is_refused", "test_state_of_another_redirect_uri_is_refused"],
    "mix-up, COAT, CORF": [
        "test_a_response_that_is_refused_leaves_its_request_to_be_finished",
        "test_a_response_for_another_redirect_uri_is_refused"],
    "COSF: an attacker's session completed by the victim": [
        "test_an_attacker_who_began_gets_nothing_of_the_victims_sign_in"],
    "Nango, CVE-2023-36019: binding that is an option": ["test_an_app_that_says_nothing_of_release_is_protected"],
    "better-auth CVE-2026-45337: anybody approves": ["test_nobody_but_the_browser_that_came_sees_the_code"],
    "better-auth: redemption race": [
        "test_one_callback_from_many_at_once_is_redeemed_once", "test_one_state_with_many_codes_at_once_has_one_winner"],
    "oauth2-proxy GHSA-f24x-5g9q-753f: a session id from before": ["test_a_cookie_that_was_planted_opens_nothing"],
    "vscode.dev, ConsentFix: a code that no app asked for": ["test_a_callback_that_nobody_asked_for_is_explained"],
    "a live code in a public issue": ["test_good_callback_leads_to_the_done_page"],
    "device-code phishing": ["test_a_browser_elsewhere_is_shown_who_asks_before_the_issuer"],
    "mcp-remote CVE-2025-6514: an endpoint that is a command": ["an endpoint is https, or http on loopback"],
    "himmelblau: a handler that trusted the end of a URL": ["test_hosts"],
    "cookie bombs; crafted cookies": ["test_never_more_than_eight_pile_up", "outcome-cookie"],
    "tokens in addresses": ["test_a_real_browser_brings_every_mode"],
    "a stolen custom scheme": [
        "test_same_device_sends_the_browser_on_with_a_ticket", "test_a_result_is_sealed_to_the_key"],
    "public client secrets": ["an app with client authentication says who may begin"],
    "tinyauth CVE-2026-32245: a code of one taken from another": ["test_a_release_code_is_for_its_own_request"],
    "codes in logs": ["test_no_log_holds_a_secret"],
    # Not ours yet: assertions with private_key_jwt (the audience is the issuer alone).
}


@pytest.mark.parametrize("incident, tests", INCIDENTS.items(), ids=INCIDENTS)
def test_the_check_is_there(incident, tests):
    files = [*(ROOT / "Tests").rglob("*.py"), *(ROOT / "Tests").rglob("*.swift")]
    text = "\n".join(file.read_text() for file in files if file.name != "test_incidents.py")
    own = {name for name in globals() if name.startswith("test_")}
    for name in tests:
        pattern = rf"def {name}\(" if name.startswith("test_") else re.escape(name)
        assert name in own or re.search(pattern, text), f"nothing holds “{incident}” any more: {name}"


@pytest.mark.parametrize("headers", [
    {"User-Agent": "GoogleHC/1.0"}, {"User-Agent": "kube-probe/1.29"}, {"X-Forwarded-Uri": "/healthz"},
    {"X-Original-URL": "/app1/auth"}, {"X-Rewrite-URL": "/app1/auth"}, {"X-Auth-Request-Redirect": "https://evil.example"},
    {"X-Forwarded-Host": "evil.example"}, {"X-Forwarded-Proto": "http"}, {"X-HTTP-Method-Override": "DELETE"},
    {"Authorization": "Bearer x"}, {"X-Forwarded-User": "root"},
])
def test_no_word_of_the_client_opens_a_door(gateway, api, headers):
    pending = api.begin(APP, scope="openid")
    unknown = gateway.browse(gateway.url("/app1/auth?code=c&state=" + "D" * 43), headers=headers)
    assert unknown.status == 400 and unknown.header("Location") is None
    assert gateway.browse(gateway.url("/nothing/here"), headers=headers).status == 404
    assert api.call("GET", pending.path, headers=headers).status in (401, 404)
    assert gateway.browse(authorize(pending.authorization_url), headers=headers).status == 303
    assert pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("state", ["0", "1", "null", "undefined", "A" * 21, ""])
def test_a_state_that_can_be_guessed_is_nobodys(gateway, api, state):
    pending = api.begin(APP, scope="openid")
    assert len(pending.state) >= 22 and pending.state != api.begin(APP).state
    assert gateway.browse(gateway.url(f"/app1/auth?code=c&state={state}")).status == 400
    assert api.begin_reply(APP, completion="response", state=state).status == 400
    assert gateway.browse(authorize(pending.authorization_url)).status == 303


@pytest.fixture(scope="module")
def coded(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    for name in ("coded", "coded2"):
        app = gateway.app(name, name, client_id="coded")
        del app["release"]
        gateway.configuration["apps"].append(app)
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def held(gateway, app=CODED, **headers):
    """(request whose code is held, the cookie of its browser, the code that is shown)."""
    pending = gateway.api().begin(app, scope="openid")
    came = gateway.browse(authorize(pending.authorization_url), headers=headers)
    assert came.status == 303
    cookie = came.header("Set-Cookie").split(";")[0]
    page = gateway.browse(gateway.url(came.header("Location")), headers={"Cookie": cookie})
    return pending, cookie, re.search(r'id="release-code"[^>]*>([^<]+)<', page.text)[1]


def release(pending: Pending, **proof):
    return pending.api.call("POST", f"{pending.path}/release", proof, token=pending.token)


@pytest.mark.rule(8)
def test_an_app_that_says_nothing_of_release_is_protected(coded):
    pending, _, code = held(coded)
    assert pending.poll().json == {"status": "release_required"}
    assert release(pending, code=code).status == 204


@pytest.mark.rule(8)
def test_a_release_code_is_for_its_own_request(coded):
    (one, _, code), (other, _, others_code) = held(coded), held(coded, OTHER)
    assert release(other, code=code).status == 403
    assert release(one, code=others_code).status == 403
    assert release(one, code=code).status == 204 and release(other, code=others_code).status == 204


@pytest.mark.rule(8)
def test_a_cookie_that_was_planted_opens_nothing(coded):
    pending = coded.api().begin(CODED, scope="openid")
    planted = f"__Host-sy-done-{pending.reference}={pending.id}.{'A' * 22}"
    came = coded.browse(authorize(pending.authorization_url), headers={"Cookie": planted})
    address, fresh = coded.url(came.header("Location")), came.header("Set-Cookie").split(";")[0]
    assert fresh != planted
    shown = coded.browse(address, headers={"Cookie": planted})
    assert "release-code" not in shown.text.split("</style>")[1] and "coded" not in shown.text
    assert "release-code" in coded.browse(address, headers={"Cookie": fresh}).text.split("</style>")[1]
