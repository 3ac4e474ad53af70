"""The start cookie: one for each sign-in, and with `require_start` a callback counts only where it was started."""

import re

import pytest

from harness.modes import Arrival, ModesGateway, answer_of
from harness.wire import Closed

CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def cookies_set(answer):
    """The cookies of an answer: name → (value, attributes)."""
    found = {}
    for name, field in answer.headers:
        if name.lower() == "set-cookie":
            pair, *attributes = [part.strip() for part in field.split(";")]
            key, _, value = pair.partition("=")
            found[key] = (value, attributes)
    return found


def jar(cookies):
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def test_the_cookie_is_for_this_sign_in_and_this_origin_only(modes):
    pending = Arrival(modes, "query").pending
    set_ = cookies_set(modes.browse(pending.start_url))
    value, attributes = set_.pop(f"__Host-sy-{pending.id}")
    assert value and set(attributes) >= {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"}
    age = next(int(a.removeprefix("Max-Age=")) for a in attributes if a.startswith("Max-Age="))
    assert 0 < age <= pending.fields["expires_in"]
    assert not any(a.lower().startswith("domain") for a in attributes) and not set_


def test_never_more_than_eight_pile_up(modes):
    cookies, order = {}, []
    for _ in range(11):
        pending = Arrival(modes, "query").pending
        answer = modes.browse(pending.start_url, headers=jar(cookies))
        for name, (value, attributes) in cookies_set(answer).items():
            if "Max-Age=0" in attributes:
                assert name == order.pop(0), "the oldest goes first"
                del cookies[name]
            else:
                cookies[name] = value
                order.append(name)
    assert len(cookies) == 8


@pytest.mark.parametrize("name", ["querystart", "formstart", "fragmentstart", "jwtstart"])
def test_tabs_never_collide(modes, name):
    tabs = [Arrival(modes, name).start() for _ in range(3)]
    cookies = {key: value for tab in tabs for key, value in tab.cookies.items()}
    for tab in reversed(tabs):
        answer = tab.deliver(tab.fields, **jar(cookies))
        if answer.header("Location").startswith("/start/"):
            answer = modes.browse(modes.url(answer.header("Location")), headers=jar(cookies))
        assert answer.status == 303 and tab.pending.outcome()["status"] == "completed"
        gone = [key for key, (_, attributes) in cookies_set(answer).items() if "Max-Age=0" in attributes]
        assert f"__Host-sy-{tab.pending.id}" in gone, "it is deleted at the callback"


def test_the_authorization_url_is_the_start(modes):
    pending = Arrival(modes, "querystart").pending
    assert pending.authorization_url == pending.start_url


@pytest.mark.parametrize("spoil", ["none", "another request's", "invented", "cut"])
def test_another_browser_is_refused(modes, spoil):
    arrival = Arrival(modes, "querystart").start()
    (name, value), = arrival.cookies.items()
    if spoil == "another request's":
        value = next(iter(Arrival(modes, "querystart").start().cookies.values()))
    bad = {"none": {}, "cut": {name: value[:-1]}, "invented": {name: "A" * len(value)}}.get(spoil, {name: value})
    fields = arrival.fields
    assert arrival.by_query(fields, **jar(bad)).status == 403
    assert arrival.pending.is_untouched()
    assert arrival.by_query(fields, **jar(arrival.cookies)).status == 303
    assert arrival.pending.outcome()["status"] == "completed"
    # While it is remembered the same callback gets the same answer, although the cookie has done its work.
    assert arrival.by_query(fields).status == 303


def test_a_form_from_another_site_comes_again_with_the_cookie(modes):
    arrival = Arrival(modes, "formstart").start()
    held = arrival.by_form(arrival.fields, **CROSS_SITE)
    again = held.header("Location")
    assert held.status == 303 and re.fullmatch(rf"/start/{arrival.pending.id}/[\w-]+", again)
    assert arrival.pending.is_untouched(), "nothing happens before the cookie is seen"
    assert modes.browse(modes.url(again)).status == 403
    assert modes.browse(modes.url(again), method="HEAD", headers=jar(arrival.cookies)).status == 204
    prefetch = {"Sec-Purpose": "prefetch"}
    assert modes.browse(modes.url(again), headers=jar(arrival.cookies) | prefetch).status == 503
    assert arrival.pending.is_untouched()
    answer = modes.browse(modes.url(again), headers=jar(arrival.cookies))
    assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
    assert arrival.pending.outcome()["status"] == "completed"


def test_a_held_form_is_for_its_own_request_only(modes):
    one, other = Arrival(modes, "formstart").start(), Arrival(modes, "formstart").start()
    handle = one.by_form(one.fields, **CROSS_SITE).header("Location").rsplit("/", 1)[1]
    stolen = modes.browse(modes.url(f"/start/{other.pending.id}/{handle}"), headers=jar(other.cookies))
    assert stolen.status == 410 and one.pending.is_untouched() and other.pending.is_untouched()
    assert modes.browse(modes.url(f"/start/{one.pending.id}/{handle}"), headers=jar(one.cookies)).status == 303


def test_what_no_request_waits_for_is_not_held(modes):
    arrival = Arrival(modes, "formstart").start()
    fields = dict(arrival.fields) | {"state": "a-state-that-nobody-ever-gave-out-000009"}
    assert arrival.by_form(list(fields.items()), **CROSS_SITE).status == 400
    held = arrival.by_form(answer_of(arrival.url), **CROSS_SITE)
    assert modes.browse(modes.url(held.header("Location")), headers=jar(arrival.cookies)).status == 303


def test_an_app_that_composes_its_own_request_cannot_be_bound(modes):
    reply = modes.api().begin_reply(
        "com.contoso.querystart", completion="response", state="a-state-of-the-app-itself-0001")
    assert reply.status == 400 and "code_challenge" in reply.json["error_description"]


@pytest.mark.parametrize("path", ["/start/", "/start/x", "/start/" + "A" * 22, "/start/" + "A" * 22 + "/x", "/start/../x"])
def test_a_start_that_nobody_began_is_told(modes, path):
    try:
        assert modes.browse(modes.url(path)).status in (400, 404, 410)
    except Closed:
        pytest.fail("no answer")
