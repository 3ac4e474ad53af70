"""Every response mode refuses what the query refuses, with the same status, and leaves the request to be finished."""

import json
import re
from base64 import urlsafe_b64encode
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from harness.held import CHALLENGE
from harness.modes import FORM, MODES, Arrival, ModesGateway, app_id

PLAIN = ["query", "form", "fragment"]
BY = {name: "query" if mode in ("query", "jwt", "query.jwt") else "form" for name, mode in MODES.items()}


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", MODES)
def test_the_other_carrier_is_refused(modes, name):
    """A query where a content was asked for, and the other way round; the fragment's GET is a page of its own."""
    arrival = Arrival(modes, name)
    fields = arrival.fields
    if BY[name] == "query":
        answer, allowed = arrival.by_form(fields), "GET"
    else:
        answer, allowed = arrival.by_query(fields), "POST"
    assert answer.status == (400 if name.startswith("fragment") else 405)
    assert answer.status == 400 or allowed in answer.header("Allow")
    assert arrival.finish_properly()


SPOILED = {
    "no state": lambda fields: fields.pop("state"),
    "empty state": lambda fields: fields.update(state=""),
    "unknown state": lambda fields: fields.update(state="a-state-that-nobody-ever-gave-out-000011"),
    "state in another case": lambda fields: fields.update(state=fields["state"].swapcase()),
    "neither code nor error": lambda fields: fields.pop("code"),
    "empty code": lambda fields: fields.update(code=""),
    "code and error": lambda fields: fields.update(error="access_denied"),
    "no iss": lambda fields: fields.pop("iss"),
    "wrong iss": lambda fields: fields.update(iss="https://evil.example"),
    "iss with a slash more": lambda fields: fields.update(iss=fields["iss"] + "/"),
    "error with the wrong iss": lambda fields: fields.update(iss="https://evil.example", error=fields.pop("code")),
    "error without iss": lambda fields: (fields.pop("iss"), fields.update(error=fields.pop("code"))),
    "error without state": lambda fields: (fields.pop("state"), fields.update(error=fields.pop("code"))),
    "another app's state": None,
}


@pytest.mark.rule(3)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_a_response_for_another_request_is_400(modes, name, spoil):
    arrival, other = Arrival(modes, name), Arrival(modes, PLAIN[PLAIN.index(name) - 1])
    fields = dict(arrival.fields)
    if spoil is None:
        fields["state"] = other.pending.state
    else:
        spoil(fields)
    assert arrival.deliver(list(fields.items())).status == 400
    assert other.finish_properly() and arrival.finish_properly()


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("parameter", ["code", "state", "error", "iss", "response", "id_token"])
def test_each_parameter_of_rule_4_stands_once(modes, name, parameter):
    arrival = Arrival(modes, name)
    fields = [(key, value) for key, value in arrival.fields if not (parameter == "error" and key == "code")]
    values = dict(fields)
    for again in (values.get(parameter, "x"), "another", ""):
        twice = fields + [(parameter, again)] + ([] if parameter in values else [(parameter, again)])
        assert arrival.deliver(twice).status == 400
    # The same name, spelled otherwise.
    spelled = urlencode(fields) + f"&%{ord(parameter[0]):02x}{parameter[1:]}=x"
    spelled += "" if parameter in values else f"&{parameter}=x"
    if BY[name] == "query":
        answer = modes.browse(f"{arrival.target}?{spelled}")
    else:
        answer = modes.browse(arrival.target, method="POST", headers=FORM, body=spelled.encode())
    assert answer.status == 400
    assert arrival.finish_properly()


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", ["form", "fragment", "formjwt", "fragmentjwt"])
@pytest.mark.parametrize("parameter", ["code", "state", "error", "iss", "response", "id_token"])
def test_parameters_of_rule_4_are_refused_in_the_query_beside_a_content(modes, name, parameter):
    arrival = Arrival(modes, name)
    fields = arrival.fields
    if parameter not in dict(fields):
        fields = fields + [(parameter, "x")]
    assert arrival.by_form(fields, query=f"?{parameter}=x").status == 400
    assert arrival.finish_properly()


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("state", [
    "a+plus/slash==and-equals-signs", "percent%2Bpercent%25-a-state", "&ampersand;semicolon&x=y-state",
    "~!*'()-quotes\"<>`{}|^[]-and-so-on",
], ids=["base64", "percent", "separators", "punctuation"])
def test_values_come_through_as_they_were(modes, name, state):
    """`+` is a blank, `%2B` is a plus, and a value may hold `=`."""
    state = f"{name}+{state}"
    arrival = Arrival(modes, name, completion="response", state=state, nonce="n" * 32, code_challenge=CHALLENGE)
    fields = arrival.fields
    assert dict(fields)["state"] == state
    answer = arrival.deliver(fields + [("session_state", "a=b+c d&e"), ("empty", "")])
    assert answer.status == 303
    parameters = arrival.pending.outcome()["parameters"]
    assert parameters["state"] == state and parameters["session_state"] == "a=b+c d&e" and parameters["empty"] == ""


@pytest.mark.parametrize("name", ["form", "fragment", "formjwt"])
def test_escapes_in_a_form_are_read_as_written(modes, name):
    """Every byte may be escaped, in either case of letters, and a raw `=` stays in the value."""
    arrival = Arrival(modes, name)
    body = "&".join(f"{key}=" + "".join(f"%{byte:02x}" for byte in value.encode()) for key, value in arrival.fields)
    answer = modes.browse(arrival.target, method="POST", headers=FORM, body=f"x=a=b==&{body}".encode())
    assert answer.status == 303 and arrival.pending.outcome()["status"] == "completed"


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("tail", ["&x=%", "&x=%z1", "&x=%a", "&x=%ff", "&%00=x", "&code%00=x", "&x=%c3%28"])
def test_a_malformed_form_is_refused_or_harmless(modes, name, tail):
    arrival = Arrival(modes, name)
    fields = dict(arrival.fields) | {"iss": "https://evil.example"}
    text = urlencode(fields) + tail
    if BY[name] == "query":
        answer = modes.browse(f"{arrival.target}?{text}")
    else:
        answer = modes.browse(arrival.target, method="POST", headers=FORM, body=text.encode())
    assert answer.status == 400 and "%z1" not in answer.text
    assert arrival.finish_properly()


@pytest.mark.rule(11)
@pytest.mark.parametrize("name", MODES)
def test_a_too_large_input_is_refused(modes, name):
    arrival = Arrival(modes, name)
    large = arrival.fields + [("x", "A" * (20_000 if BY[name] == "query" else 70_000))]
    assert arrival.deliver(large).status == (414 if BY[name] == "query" else 413)
    assert arrival.deliver(arrival.fields[:1], **{"X-Large": "A" * 20_000}).status == 431
    assert arrival.finish_properly()


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", MODES)
def test_a_state_longer_than_any_is_unknown(modes, name):
    arrival = Arrival(modes, name)
    state = "s" * 513
    if "jwt" in name:
        fields = [("response", unsigned({"state": state, "code": "c"}))]
    else:
        fields = [(key, state if key == "state" else value) for key, value in arrival.fields]
    answer = arrival.deliver(fields)
    assert answer.status == 400 and "too large" not in answer.text
    assert arrival.finish_properly()


def unsigned(claims):
    parts = [json.dumps(part).encode() for part in ({"alg": "RS256"}, claims)] + [b"no signature"]
    return ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", ["form", "fragment", "formjwt", "fragmentjwt"])
def test_content_that_is_encoded_is_415(modes, name):
    arrival = Arrival(modes, name)
    assert arrival.by_form(arrival.fields, **{"Content-Encoding": "gzip"}).status == 415
    assert arrival.finish_properly()


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", ["form", "fragment", "formjwt", "fragmentjwt"])
@pytest.mark.parametrize("content_type", [
    None, "text/plain", "application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencodedx",
])
def test_another_content_type_is_415(modes, name, content_type):
    arrival = Arrival(modes, name)
    body = urlencode(arrival.fields).encode()
    headers = {"Content-Type": content_type} if content_type else {}
    assert modes.browse(arrival.target, method="POST", body=body, headers=headers).status == 415
    assert arrival.finish_properly()


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", MODES)
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "QUERY"])
def test_another_method_is_405(modes, name, method):
    arrival = Arrival(modes, name)
    answer = modes.browse(f"{arrival.target}?{urlencode(arrival.fields)}", method=method)
    allowed = {word.strip() for word in answer.header("Allow").split(",")}
    assert answer.status == 405 and ("GET" if BY[name] == "query" else "POST") in allowed and method not in allowed
    assert arrival.finish_properly()


@pytest.mark.rule(6)
@pytest.mark.parametrize("name", MODES)
def test_looking_ahead_consumes_nothing(modes, name):
    arrival = Arrival(modes, name)
    fields = arrival.fields
    target = f"{arrival.target}?{urlencode(fields)}"
    assert modes.browse(target, method="HEAD").status == 204
    for header in ("Sec-Purpose", "Purpose"):
        answer = modes.browse(target, headers={header: "prefetch"})
        # If only a POST is good, the method may be judged first.
        assert answer.status == 503 or (BY[name] == "form" and answer.status == 405)
        assert "no-store" in answer.header("Cache-Control")
    assert arrival.finish_properly()


@pytest.mark.rule(6)
@pytest.mark.parametrize("name", ["form", "fragment", "formjwt", "fragmentjwt"])
@pytest.mark.parametrize("header", ["Sec-Purpose", "Purpose"])
def test_a_content_that_says_it_is_a_prefetch_consumes_nothing(modes, name, header):
    arrival = Arrival(modes, name)
    assert arrival.deliver(arrival.fields, **{header: "prefetch"}).status == 503
    assert arrival.finish_properly()


@pytest.mark.rule(6)
@pytest.mark.parametrize("name", PLAIN)
def test_once_used_a_state_is_used_in_every_mode(modes, name):
    arrival = Arrival(modes, name)
    fields = arrival.fields
    assert [arrival.deliver(fields).status for _ in range(2)] == [303, 303]
    forged = dict(fields) | {"code": "another-code-for-a-used-state"}
    assert arrival.deliver(list(forged.items())).status == 409
    assert arrival.pending.outcome()["status"] == "completed"


def test_a_form_from_the_issuers_page_needs_no_cookie(modes):
    """A form_post comes without Lax cookies. An app that needs no cookie gets no second request."""
    for origin in ("https://issuer.example", "null"):
        arrival = Arrival(modes, "form")
        answer = arrival.by_form(arrival.fields, **{"Sec-Fetch-Site": "cross-site", "Origin": origin})
        assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
        assert arrival.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("name", MODES)
def test_the_mode_is_the_apps_setting_and_not_the_callers(modes, name):
    reply = modes.api().begin_reply(app_id(name), scope="openid", extra_parameters={"response_mode": "query"})
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")
    arrival = Arrival(modes, name)
    asked = [value for key, value in parse_qsl(urlsplit(arrival.url).query) if key == "response_mode"]
    assert asked in ([MODES[name]], [] if name == "query" else None) and arrival.finish_properly()


# The fragment's page.


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", ["fragment", "fragmentjwt"])
@pytest.mark.parametrize("parameter", ["code", "state", "error", "iss", "response", "id_token"])
def test_a_response_parameter_in_the_query_gets_no_page(modes, name, parameter):
    page = modes.browse(modes.url(f"/{name}/auth?{parameter}=a-value-that-came-in-a-query"))
    assert page.status == 400 and "a-value-that-came-in-a-query" not in page.text and "<script" not in page.text


@pytest.mark.parametrize("query", ["", "?", "?utm_source=x"])
def test_a_get_without_response_parameters_gets_the_page(modes, query):
    page = modes.browse(modes.url(f"/fragment/auth{query}"))
    assert page.status == 200 and page.header("Set-Cookie") is None
    assert page.header("Content-Type").startswith("text/html") and page.header("Referrer-Policy") == "no-referrer"
    assert page.text.count("<script") == 1 and not re.search(r"\son\w+=|javascript:|<style>[^<]*url\(", page.text)


def test_the_page_speaks_the_readers_language_without_scripts_too(modes):
    words = {}
    for language in ("en", "fr"):
        page = modes.browse(modes.url("/fragment/auth"), headers={"Accept-Language": language})
        assert f'lang="{language}"' in page.text
        words[language] = re.search(r"<noscript>(.*?)</noscript>", page.text, re.DOTALL)[1]
    assert words["en"] != words["fr"] and "script" in words["en"].lower()


def test_a_browser_without_scripts_is_told_what_to_do(modes, start_browser):
    arrival = Arrival(modes, "fragment")
    fields = arrival.fields
    browser = start_browser(scripts=False)
    browser.open(f"{arrival.target}#{urlencode(fields)}")
    assert "script" in browser.text.lower() and dict(fields)["code"] not in browser.text
    assert arrival.finish_properly()


def test_a_fragment_with_a_wrong_response_is_refused_in_a_real_browser(modes, start_browser):
    arrival = Arrival(modes, "fragment")
    fields = dict(arrival.fields) | {"iss": "https://evil.example"}
    browser = start_browser()
    browser.open(f"{arrival.target}#{urlencode(fields)}")
    browser.wait_for(lambda: browser.driver.find_elements("tag name", "h1"), "a page")
    browser.wait_for(lambda: "fragment" not in browser.address.partition("#")[2] and
                     fields["code"] not in browser.address, "the address to lose its code")
    assert fields["code"] not in browser.driver.page_source
    assert arrival.finish_properly()
