"""Rule 8 with `release: same_network`: it passes at once for one place only, and otherwise asks for the code."""

import pytest

from harness.held import NETWORK, NONE, PROXY, HoldingGateway, Place, Visit, begin, finish_properly
from harness.held import is_held, outcome, release, via

INSIDE, INSIDE6, OUTSIDE = "192.168.7.20", "2001:db8:7::5", "198.51.100.7"

# The place that a request comes from: its source and its header fields.
PLACES = {
    "here": {},
    "another loopback address": {"source": "127.0.0.5"},
    "inside": via(INSIDE),
    "inside, IPv6": via(INSIDE6),
    "inside, elsewhere": via("192.168.7.21"),
    "outside": via(OUTSIDE),
    "just outside": via("192.168.8.20"),
    "outside, IPv6": via("2001:db8:8::5"),
    # The client's own claim comes first, and does not count.
    "outside, who claims inside": via(f"{INSIDE}, {OUTSIDE}"),
    "outside, who claims here": via(f"127.0.0.1, {OUTSIDE}"),
    "liar who claims inside": {"source": "127.0.0.5", "headers": {"X-Forwarded-For": INSIDE}},
    "liar who claims here": {"headers": {"X-Forwarded-For": "127.0.0.1"}},
    "liar with nothing to say": {"headers": {"X-Forwarded-For": ""}},
    "liar by another field": {"headers": {"Forwarded": "for=127.0.0.1"}},
    "proxy that cannot spell": {"source": PROXY, "headers": {"X-Forwarded-For": "somewhere"}},
}


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def at(gateway, place):
    return gateway.local_api() if place == "socket" else Place(gateway, **PLACES[place])


@pytest.mark.rule(8)
@pytest.mark.parametrize("began, came", [
    ("here", "here"), ("another loopback address", "another loopback address"), ("socket", "here"),
    ("inside", "inside"), ("inside, IPv6", "inside, IPv6"),
])
def test_one_place_passes_at_once(holding, issuer, began, came):
    pending = begin(holding, NETWORK, api=at(holding, began))
    visit = Visit(holding, pending, **PLACES[came])
    assert pending.outcome()["status"] == "completed" and visit.code is None
    assert issuer.times_redeemed(visit.authorization_code) == 1


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("began, came", [
    ("here", "another loopback address"), ("another loopback address", "here"), ("socket", "another loopback address"),
    ("here", "inside"), ("here", "outside"), ("socket", "outside"), ("inside", "here"), ("outside", "here"),
    ("inside", "inside, elsewhere"), ("inside", "inside, IPv6"), ("outside", "outside"),
    ("just outside", "just outside"), ("outside, IPv6", "outside, IPv6"),
    ("inside", "outside, who claims inside"), ("outside, who claims inside", "inside"),
    ("here", "outside, who claims here"), ("outside, who claims here", "here"),
    ("inside", "liar who claims inside"), ("liar who claims inside", "inside"),
    ("liar who claims inside", "liar who claims inside"), ("here", "liar who claims here"),
    ("liar who claims here", "here"), ("liar who claims here", "liar who claims here"),
    ("here", "liar by another field"), ("liar by another field", "here"), ("here", "liar with nothing to say"),
    ("here", "proxy that cannot spell"), ("proxy that cannot spell", "here"),
    ("proxy that cannot spell", "proxy that cannot spell"),
])
def test_anything_else_asks_for_the_code(holding, issuer, began, came):
    visit = Visit(holding, begin(holding, NETWORK, api=at(holding, began)), **PLACES[came])
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
@pytest.mark.parametrize("how", ["poll", "wait", "stream"])
@pytest.mark.parametrize("place", ["inside", "outside", "liar who claims here"])
def test_an_app_that_waits_elsewhere_makes_it_ask_for_the_code(holding, issuer, place, how):
    pending = begin(holding, NETWORK)
    there = at(holding, place)
    if how == "stream":
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {pending.token}"} | there._headers
        connection = there.connect()
        connection.request("GET", pending.path, headers=headers)
        stream = connection.getresponse()
        assert stream.status == 200 and b"event" in stream.readline()
    else:
        assert pending.poll(wait=1 if how == "wait" else None, api=there).json == {"status": "pending"}
    assert finish_properly(Visit(holding, pending), issuer)


@pytest.mark.rule(8)
def test_a_stranger_without_the_token_cannot_make_it_ask(holding):
    pending = begin(holding, NETWORK)
    there = at(holding, "outside")
    assert pending.poll(token="A" * 43, api=there).status == 404
    assert there.call("GET", pending.path).status in (401, 404)
    assert release(pending, api=there, token="A" * 43, code="BCDFGH").status == 404
    Visit(holding, pending)
    assert pending.outcome()["status"] == "completed"


ELSEWHERE = ["another loopback address", "inside", "outside", "liar who claims here", "liar by another field"]


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_result_that_passed_by_its_place_is_collected_there_only(holding, place):
    pending = begin(holding, NETWORK)
    Visit(holding, pending)
    first = pending.outcome()
    there = at(holding, place)
    for reply in (pending.poll(api=there), pending.poll(wait=1, api=there)):
        assert reply.status == 403 and "token_response" not in reply.json
    assert "access_token" not in stream(pending, there).body.decode()
    assert pending.poll().json == first and pending.poll(api=at(holding, "socket")).json == first
    assert pending.delete().status == 204


def stream(pending, api):
    """The answer to a request for an event stream after the end."""
    return api.call("GET", pending.path, token=pending.token, headers={"Accept": "text/event-stream"})


@pytest.mark.rule(8)
def test_a_stream_says_what_the_plain_answer_says(holding):
    pending = begin(holding, NETWORK)
    Visit(holding, pending)
    assert pending.outcome()["status"] == "completed"
    there = at(holding, "outside")
    plain, streamed = pending.poll(api=there), stream(pending, there)
    assert plain.json["error"] == "access_denied"
    assert streamed.status == 403 or "access_denied" in streamed.body.decode()


@pytest.mark.rule(8)
def test_a_result_released_by_its_code_is_collected_anywhere(holding):
    """It has become a matter of the code, as `release: code` is."""
    pending = begin(holding, NETWORK, api=at(holding, "outside"))
    visit = Visit(holding, pending)
    assert release(pending, code=visit.code).status == 204
    first = outcome(pending)
    assert first["status"] == "completed" and pending.poll(api=holding.api()).json == first


@pytest.mark.rule(8)
def test_a_callback_for_an_app_that_redeems_by_itself_passes_and_is_held_likewise(holding):
    fields = {"completion": "response"}
    here = begin(holding, NETWORK, state="a-state-of-the-app-itself-here", **fields)
    visit = Visit(holding, here)
    assert here.outcome()["url"] == visit.callback
    away = begin(holding, NETWORK, state="a-state-of-the-app-itself-away", api=at(holding, "outside"), **fields)
    visit = Visit(holding, away)
    assert is_held(away) and release(away, code=visit.code).status == 204
    assert outcome(away)["url"] == visit.callback


@pytest.mark.rule(8)
@pytest.mark.parametrize("began, came", [("here", "here"), ("outside", "inside"), ("liar who claims here", "outside")])
def test_none_passes_from_anywhere(holding, began, came):
    pending = begin(holding, NONE, api=at(holding, began))
    Visit(holding, pending, **PLACES[came])
    assert pending.outcome()["status"] == "completed"
