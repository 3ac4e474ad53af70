"""The words of an issuer's refusal: before the release only the person at the browser reads them, not the program that
began."""

import json
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.held import CODE, DEVICE, NETWORK, NONE, HoldingGateway, Place, begin, shown, via
from harness.issuer import authorize

WORDS = "AADSTS50105: Ann Example (ann@contoso.example) is not assigned to a role <b>here</b>."
SAID = {"error_description": WORDS, "suberror": "bad_token", "correlation_id": "c0ffee00-1234",
        "claims": '{"id_token":{}}'}
FAR = via("198.51.100.7")


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def refused(gateway, pending, said=None, **options):
    """Brings the issuer's refusal; the answer, and the page that the browser sees behind it."""
    address, _, query = authorize(pending.authorization_url).partition("?")
    fields = dict(parse_qsl(query))
    assert fields["error"] == "access_denied"
    came = gateway.browse(f"{address}?{urlencode(fields | (SAID if said is None else said))}", **options)
    assert came.status == 303, came.text
    kept = "; ".join(value.split(";")[0] for name, value in came.headers if name.lower() == "set-cookie")
    headers = options.get("headers", {}) | {"Cookie": kept}
    page = gateway.browse(gateway.url(came.header("Location")), **(options | {"headers": headers}))
    return came, page


@pytest.mark.rule(8)
@pytest.mark.parametrize("completion", ["tokens", "response"])
@pytest.mark.parametrize("app", [CODE, DEVICE, NETWORK])
def test_a_program_that_began_elsewhere_hears_the_name_of_the_error_only(holding, app, completion):
    more = {"completion": completion, "state": f"a-state-of-the-app-{app}-words"} if completion == "response" else {}
    pending = begin(holding, app, demo="deny", api=Place(holding, **FAR), **more)
    _, page = refused(holding, pending)
    outcome = pending.outcome()
    assert outcome["status"] == "failed" and set(outcome) == {"status", "error"}
    assert outcome["error"] == {
        "code": "access_denied", "oauth_error": "access_denied", "description": "AADSTS50105"}
    assert "Ann Example (ann@contoso.example)" in page.text and "&lt;b&gt;here" in page.text
    assert "bad_token" in page.text and "c0ffee00-1234" in page.text and "nobody has verified" in page.text


@pytest.mark.rule(8)
@pytest.mark.parametrize("words, told", [
    ("Ann was here", None), ("x AADSTS50105: Ann", None), ("AADSTS: Ann", None), ("AADSTS7000218Ann", "AADSTS7000218"),
    ("AADSTS" + "1" * 40, None),
])
def test_only_a_number_of_the_words_is_told(holding, words, told):
    pending = begin(holding, CODE, demo="deny")
    refused(holding, pending, {"error_description": words})
    assert pending.failure().get("description") == told


@pytest.mark.rule(8)
@pytest.mark.parametrize("app, place", [(NONE, FAR), (NETWORK, {})])
def test_once_it_is_released_everything_is_told(holding, app, place):
    pending = begin(holding, app, demo="deny", api=Place(holding, **place))
    refused(holding, pending)
    error = pending.failure()
    assert (error["description"], error["oauth_suberror"], error["correlation_id"], error["claims"]) == (
        WORDS, "bad_token", "c0ffee00-1234", '{"id_token":{}}')


@pytest.mark.rule(8)
@pytest.mark.parametrize("app, place", [(NONE, FAR), (NETWORK, {})])
@pytest.mark.parametrize("sealed", [False, True])
def test_in_response_mode_it_is_handed_over_once_it_is_released(holding, app, place, sealed):
    key = ECKey.generate_key("P-256")
    more = {"result_key": key.as_dict(private=False)} if sealed else {}
    pending = begin(
        holding, app, demo="deny", api=Place(holding, **place), completion="response",
        state=f"a-state-of-the-app-{app}-{sealed}", **more)
    refused(holding, pending)
    outcome = pending.outcome()
    if sealed:
        assert set(outcome) == {"status", "jwe"}
        opened = jwe.decrypt_compact(outcome["jwe"], key, algorithms=["ECDH-ES", "A256GCM"])
        outcome = json.loads(opened.plaintext)
    assert outcome["status"] == "completed" and outcome["parameters"]["error_description"] == WORDS
    assert urlsplit(outcome["url"]).path == urlsplit(pending.redirect_uri).path


@pytest.mark.rule(8)
def test_an_end_that_passed_by_its_place_is_told_there_only(holding):
    pending = begin(holding, NETWORK, demo="deny")
    refused(holding, pending)
    reply = pending.poll(api=Place(holding, **FAR))
    assert reply.status == 403 and WORDS.split()[1] not in reply.body.decode()
    assert pending.failure()["description"] == WORDS


@pytest.mark.rule(7)
def test_the_words_are_for_the_browser_that_brought_them(holding):
    pending = begin(holding, CODE, demo="deny")
    came, page = refused(holding, pending)
    assert "Ann Example" in page.text and shown(page.text, "reference") == pending.reference
    assert pending.failure() and pending.delete().status == 204
    address = holding.url(came.header("Location"))
    kept = dict(value.split(";")[0].split("=", 1) for name, value in came.headers if name.lower() == "set-cookie")
    assert not any("Ann" in value for value in kept.values()), "sealed, also where it is kept"
    both = "; ".join(f"{name}={value}" for name, value in kept.items())
    assert "Ann Example" in holding.browse(address, headers={"Cookie": both}).text, "also once the app has acknowledged"
    for name in kept:
        alone = holding.browse(address, headers={"Cookie": f"{name}={kept[name]}"})
        assert alone.status == 200 and "Ann Example" not in alone.text
    other = begin(holding, CODE, demo="deny")
    others, _ = refused(holding, other, {"error_description": "Something else"})
    own = others.header("Set-Cookie").split(";")[0]
    mixed = "; ".join(f"{name}={value}" for name, value in kept.items() if name.endswith("said"))
    page = holding.browse(holding.url(others.header("Location")), headers={"Cookie": f"{own}; {mixed}"})
    assert page.status == 200 and "Ann Example" not in page.text


@pytest.mark.rule(11)
def test_long_words_fit_into_a_cookie(holding):
    pending = begin(holding, CODE, demo="deny")
    long = {"error_description": "é" * 600, "suberror": "s" * 900, "correlation_id": "c" * 900}
    came, page = refused(holding, pending, long)
    cookies = [value for name, value in came.headers if name.lower() == "set-cookie"]
    assert all(len(cookie) < 4096 for cookie in cookies) and "é" * 500 in page.text
