"""Incidents of this field, and the permanent test that would have stopped each.

Most of these tests are in other files. The table names them, and a test here asks that each has run and passed. The others
are here.
"""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from harness.api import Pending
from harness.forger import Forger
from harness.gateway import Gateway
from harness.issuer import authorize
from harness.outcomes import OUTCOMES
from harness.programs import ROOT, run

APP = "com.contoso.app1"
CODED, OTHER = "com.contoso.coded", "com.contoso.coded2"

INCIDENTS = {
    "auth.expo.io, CVE-2023-28131: the link chose where credentials went": [
        "test_attacks::test_a_parameter_chooses_no_address"],
    "Booking.com: a redirect chain behind a loose path": [
        "test_attacks::test_paths",
        "test_redirect_handler::test_the_query_goes_on_byte_for_byte"],
    "oauth2-proxy: open redirects by spelling": [
        "test_attacks::test_a_path_chooses_no_address",
        "test_attacks::test_hosts",
        "test_attacks::test_strings"],
    "mod_auth_openidc CVE-2022-23527: open by default": ["test_callbacks::test_path_that_is_no_redirect_uri_is_404"],
    "oauth2-proxy: bypass by header or user agent": [
        "test_incidents::test_no_word_of_the_client_opens_a_door",
        "test_limits::test_nobody_elses_forwarding_header_counts"],
    "Envoy CVE-2022-29226: a token that is there is no token that is right": [
        "test_results::test_a_wrong_token_and_an_unknown_id_are_the_same_answer"],
    "Envoy: no binding to the browser": ["test_browser_binding::test_another_browser_is_refused"],
    "nginx-openid-connect: state=0": ["test_incidents::test_a_state_that_can_be_guessed_is_nobodys"],
    "Auth.js GHSA-x445-f3h2-j279: a cookie of one provider taken for another": [
        "test_browser_binding::test_another_browser_is_refused",
        "test_callbacks::test_state_of_another_redirect_uri_is_refused"],
    "mix-up, COAT, CORF": [
        "test_relying_party::test_a_response_that_is_refused_leaves_its_request_to_be_finished",
        "test_jarm::test_a_response_for_another_redirect_uri_is_refused"],
    "COSF: an attacker's session completed by the victim": [
        "test_session_fixation::test_an_attacker_who_began_gets_nothing_of_the_victims_sign_in"],
    "Nango, CVE-2023-36019: binding that is an option": [
        "test_incidents::test_an_app_that_says_nothing_of_release_is_protected"],
    "better-auth CVE-2026-45337: anybody approves": [
        "test_session_fixation::test_nobody_but_the_browser_that_came_sees_the_code"],
    "better-auth: redemption race": [
        "test_concurrency::test_one_callback_from_many_at_once_is_redeemed_once",
        "test_concurrency::test_one_state_with_many_codes_at_once_has_one_winner"],
    "oauth2-proxy GHSA-f24x-5g9q-753f: a session id from before": [
        "test_incidents::test_a_cookie_that_was_planted_opens_nothing"],
    "vscode.dev, ConsentFix: a code that no app asked for": [
        "test_callbacks::test_a_callback_that_nobody_asked_for_is_explained"],
    "a live code in a public issue": ["test_callbacks::test_good_callback_leads_to_the_done_page"],
    "device-code phishing": ["test_session_fixation::test_a_browser_elsewhere_is_shown_who_asks_before_the_issuer"],
    "mcp-remote CVE-2025-6514: an endpoint that is a command": [
        "test_incidents::test_metadata_that_names_no_https_endpoint_is_not_followed"],
    "himmelblau: a handler that trusted the end of a URL": ["test_attacks::test_hosts"],
    "cookie bombs; crafted cookies": [
        "test_browser_binding::test_never_more_than_eight_pile_up",
        "test_incidents::test_crafted_cookies_open_and_break_nothing"],
    "tokens in addresses": ["test_response_modes::test_a_real_browser_brings_every_mode"],
    "a stolen custom scheme": [
        "test_session_fixation::test_same_device_sends_the_browser_on_with_a_ticket",
        "test_sealed_results::test_a_result_is_sealed_to_the_key"],
    "public client secrets": ["test_incidents::test_an_app_with_a_secret_says_who_may_begin"],
    "tinyauth CVE-2026-32245: a code of one taken from another": [
        "test_incidents::test_a_release_code_is_for_its_own_request"],
    "codes in logs": [
        "test_jarm_forged::test_what_is_well_signed_is_believed",
        "test_secrets::test_no_log_holds_a_secret"],
    "audience injection: an assertion that counts at another issuer": [
        "test_client_keys::test_an_app_with_a_key_proves_itself_at_every_endpoint"],
}


@pytest.fixture(scope="module")
def outcomes(request, tmp_path_factory):
    """The outcomes of the checks that are asked for: in this run, or in one of their own if they were not part of it."""
    asked = [item.callspec.params["tests"] for item in request.session.items if item.originalname == "test_the_check_holds"]
    missing = sorted({name for names in asked for name in names if name not in OUTCOMES})
    if missing:
        report = tmp_path_factory.mktemp("incidents") / "report.xml"
        tests = [f"{ROOT}/Tests/External/{name.replace('::', '.py::')}" for name in missing]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *tests, f"--junitxml={report}", f"--basetemp={report.parent / 'run'}"],
            cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
        assert report.exists(), done.stdout + done.stderr
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname').split('.')[-1]}::{case.get('name').split('[')[0]}"
            OUTCOMES[name].add(case[0].tag if len(case) else "passed")
    return OUTCOMES


@pytest.mark.last(2)
@pytest.mark.timeout(660)
@pytest.mark.parametrize("incident, tests", INCIDENTS.items(), ids=INCIDENTS)
def test_the_check_holds(outcomes, incident, tests):
    assert {name: outcomes[name] for name in tests} == {name: {"passed"} for name in tests}


def test_metadata_that_names_no_https_endpoint_is_not_followed(start_gateway, request):
    forger = Forger()
    request.addfinalizer(forger.stop)
    honest = forger.metadata()
    for endpoint in ("http://evil.example/authorize", "$(touch /tmp/evil)", "file:///etc/passwd", "-x", "javascript:1"):
        forger.metadata = lambda endpoint=endpoint: honest | {"authorization_endpoint": endpoint}
        reply = start_gateway(issuer_url=forger.base).api().begin_reply(APP)
        assert reply.status in (502, 503) and "evil" not in reply.body.decode(), reply.body
    forger.metadata = lambda: honest
    assert start_gateway(issuer_url=forger.base).api().begin_reply(APP).status == 201


def test_an_app_with_a_secret_says_who_may_begin(run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    app = gateway.app("secret", "Secret", client_id="secret", client_secret="a-secret-that-all-would-borrow")
    gateway.configuration["apps"].append(app)
    gateway.write()
    refused = run("check", "--config", gateway.file)
    assert refused.returncode == 2 and "begin_from" in refused.stdout + refused.stderr
    app["begin_from"] = {"networks": ["127.0.0.9"]}
    gateway.write()
    assert run("check", "--config", gateway.file).returncode == 0


@pytest.mark.parametrize("value", ["x" * 3000, "%00%ff", "..", "=;=;=", '"', "\u00e9", "." * 500])
def test_crafted_cookies_open_and_break_nothing(gateway, api, value):
    pending = api.begin(APP, scope="openid")
    came = gateway.browse(authorize(pending.authorization_url))
    name = came.header("Set-Cookie").split("=")[0]
    page = gateway.browse(gateway.url(came.header("Location")), headers={"Cookie": f"{name}={value}"})
    assert page.status in (200, 400, 404) and "Contoso Mail" not in page.text
    assert pending.outcome()["status"] == "completed"


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


@pytest.mark.parametrize("state", ["0", "1", "null", "undefined", "A" * 15, ""])
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
    """(a request with a held code, the cookie of its browser, the shown code)."""
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
