"""Response modes: query, form_post and fragment come to one record; what comes in another way is refused."""

import base64
import hashlib
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.modes import MODES, Arrival, ModesGateway, app_id

PLAIN = ["query", "form", "fragment"]


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.mark.parametrize("name", MODES)
def test_the_authorization_request_asks_for_the_mode(modes, name):
    asked = parse_qs(urlsplit(Arrival(modes, name).url).query).get("response_mode")
    assert asked == (None if name == "query" else [MODES[name]])


@pytest.mark.parametrize("name", MODES)
def test_a_good_response_completes_its_request(modes, name):
    arrival = Arrival(modes, name)
    answer = arrival.deliver(arrival.fields)
    assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
    assert arrival.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("name, by, statuses", [
    ("query", "form", {405}), ("form", "query", {405}), ("fragment", "query", {400}),
])
@pytest.mark.rule(10)
def test_a_response_that_comes_in_another_way_is_refused(modes, name, by, statuses):
    arrival = Arrival(modes, name)
    answer = (arrival.by_form if by == "form" else arrival.by_query)(arrival.fields)
    assert answer.status in statuses
    assert answer.status != 405 or answer.header("Allow")
    assert arrival.finish_properly()


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", ["form", "fragment"])
@pytest.mark.parametrize("parameter", ["code", "state", "iss", "error"])
def test_a_parameter_twice_is_refused_wherever_it_stands(modes, name, parameter):
    arrival = Arrival(modes, name)
    fields = arrival.fields
    value = dict(fields).get(parameter, "access_denied")
    again = [(parameter, value)] if parameter in dict(fields) else [(parameter, value)] * 2
    assert arrival.by_form(fields + again).status == 400
    assert arrival.by_form(fields, query=f"?{urlencode({parameter: value})}").status == 400
    assert arrival.finish_properly()


@pytest.mark.parametrize("content_type, status", [
    ("application/json", 415), ("text/plain", 415), ("multipart/form-data; boundary=x", 415), ("", 415),
    ("application/x-www-form-urlencoded; charset=UTF-8", 303), ("Application/X-WWW-Form-URLEncoded", 303),
])
def test_only_a_form_is_read(modes, content_type, status):
    arrival = Arrival(modes, "form")
    body = urlencode(arrival.fields).encode()
    answer = modes.browse(arrival.target, method="POST", body=body, headers={"Content-Type": content_type})
    assert answer.status == status
    assert status == 303 or arrival.finish_properly()


def test_values_are_decoded_as_forms_are(modes):
    arrival = Arrival(modes, "form", demo="auto,deny")
    body = urlencode(arrival.fields).replace("The+request+was+denied.", "a%2Bb+c%3Dd=e%26f")
    assert modes.browse(
        arrival.target, method="POST", body=body.encode(),
        headers={"Content-Type": "application/x-www-form-urlencoded"}).status == 303
    error = arrival.pending.failure()
    assert (error["code"], error["description"]) == ("access_denied", "a+b c=d=e&f")


@pytest.mark.parametrize("words, told", [
    ("a\r\nb\x1b[2Jc\x9bd\u202ee\u2028f", "a  b [2Jc d e f"), ("é" * 2000, "é" * 512), ("w" * 60000, "w" * 1024),
])
def test_words_of_an_issuer_are_cut_and_cannot_steer_a_terminal(modes, words, told):
    arrival = Arrival(modes, "form", demo="auto,deny")
    fields = [(name, words if name == "error_description" else value) for name, value in arrival.fields]
    assert arrival.by_form(fields).status == 303
    error = arrival.pending.failure()
    assert (error["code"], error["description"]) == ("access_denied", told)


@pytest.mark.parametrize("name", ["form", "fragment", "jwt", "fragmentjwt"])
def test_an_app_that_redeems_by_itself_gets_the_bare_uri_and_the_whole_content(modes, name):
    arrival = Arrival(
        modes, name, completion="response", state=f"a-state-of-the-app-itself-{name}", nonce="n" * 32,
        code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    fields = arrival.fields
    assert arrival.deliver(fields).status == 303
    outcome = arrival.pending.outcome()
    assert (outcome["url"], outcome["parameters"]) == (arrival.target, dict(fields))


# The fragment stays with the browser: a page of ours brings it.


def test_the_fragment_page_is_allowed_its_own_script_only(modes):
    page = modes.browse(modes.url("/fragment/auth"))
    assert page.status == 200
    script = re.search(r"<script>(.*?)</script>", page.text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = page.header("Content-Security-Policy")
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert "unsafe" not in policy and "form-action 'self'" in policy
    assert "<noscript>" in page.text and page.header("Cache-Control") == "no-store"


@pytest.mark.parametrize("site, status", [("same-origin", 303), ("none", 303), ("cross-site", 400), ("same-site", 400)])
def test_only_our_own_page_brings_a_fragment(modes, site, status):
    arrival = Arrival(modes, "fragment")
    assert arrival.by_form(arrival.fields, **{"Sec-Fetch-Site": site}).status == status
    assert status == 303 or arrival.finish_properly()


@pytest.mark.parametrize("name", ["form", "fragment", "formjwt", "fragmentjwt", "queryjwt"])
def test_a_real_browser_brings_every_mode(modes, start_browser, name):
    browser = start_browser()
    pending = modes.api().begin(app_id(name), demo="auto", scope="openid")
    browser.open(pending.start_url)
    done = modes.url(f"/done/{pending.reference}")
    try:
        browser.wait_for(lambda: browser.address == done, "the done page")
    except Exception:
        raise AssertionError((browser.address.split("?")[0], browser.text, browser.complaints())) from None
    assert pending.outcome()["status"] == "completed"
    assert browser.complaints() == []
    # The history keeps no part of the response.
    assert "code=" not in browser.address and "response=" not in browser.address


def test_a_real_browser_shows_a_fragment_page_without_a_fragment(modes, start_browser):
    browser = start_browser()
    browser.open(modes.url("/fragment/auth"))
    browser.wait_for(lambda: "incomplete" in browser.text, "the words for an empty fragment")
    assert browser.complaints() == []


@pytest.mark.parametrize("name", ["form", "fragment"])
def test_a_real_browser_keeps_to_the_start_with_every_mode(modes, start_browser, name):
    browser = start_browser()
    pending = modes.api().begin(app_id(f"{name}start"), demo="auto", scope="openid")
    browser.open(pending.start_url)
    browser.wait_for(lambda: browser.address == modes.url(f"/done/{pending.reference}"), "the done page")
    assert pending.outcome()["status"] == "completed"
