"""Requests that have begun to arrive and are not whole: their memory is bounded, and whole requests are served."""

import contextlib
import json

import pytest

from harness.programs import eventually
from harness.wire import Closed

APP = "com.contoso.app1"
LINE = b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
UNFINISHED = {
    "content": LINE + b"Content-Length: 60000\r\n\r\n" + b" " * 30_000,
    "chunked content": LINE + b"Transfer-Encoding: chunked\r\n\r\n" + b"ea60\r\n" + b" " * 30_000,
    "head": LINE + b"X-Padding: " + b"p" * 12_000,
}


def begin_whole(gateway, source):
    """Begins a request by one that is there whole."""
    return gateway.api(source=source).begin_reply(APP).status


@pytest.mark.rule(11)
@pytest.mark.parametrize("kind", UNFINISHED)
def test_a_network_holds_a_third_of_the_unfinished_bytes(start_gateway, kind):
    gateway = start_gateway(limits={"unfinished_bytes": "768KiB"})
    with contextlib.ExitStack() as stack:
        answer, held = None, []
        for number in range(60):
            wire = stack.enter_context(gateway.api_wire(source=f"127.0.0.{2 + number % 5}"))
            wire.send(UNFINISHED[kind])
            if answer := refusal(wire):
                break
            held.append(wire)
        # A third is 256 KiB; a request takes what has come of it, and not twice as much.
        assert (4 if kind != "head" else 10) <= len(held) <= (9 if kind != "head" else 22)
        assert answer.status == 503 and int(answer.header("Retry-After")) > 0
        assert json.loads(answer.body)["error"] == "temporarily_unavailable" and wire.is_closed()
        assert begin_whole(gateway, "127.0.0.2") == 201
        # Other networks have their part.
        with gateway.api_wire(source="127.0.1.1") as other:
            other.send(UNFINISHED[kind])
            assert refusal(other) is None
        assert "reason=unfinished_bytes" in gateway.output()
    eventually(lambda: is_taken(gateway, UNFINISHED[kind]), what="room")


@pytest.mark.rule(14)
def test_many_networks_hold_no_more_than_there_may_be_and_whole_requests_are_served(start_gateway):
    gateway = start_gateway(limits={"unfinished_bytes": "384KiB"})
    with contextlib.ExitStack() as stack:
        refused = 0
        for number in range(30):
            wire = stack.enter_context(gateway.api_wire(source=f"127.0.{number}.2"))
            wire.send(UNFINISHED["content"])
            refused += refusal(wire) is not None
        assert 15 <= refused <= 26
        for number in (0, 29, 40):
            assert begin_whole(gateway, f"127.0.{number}.2") == 201


@pytest.mark.rule(11)
def test_a_request_in_two_parts_is_answered_and_counts_no_longer(start_gateway):
    gateway = start_gateway(limits={"unfinished_bytes": "64KiB"})
    content = json.dumps({"app": APP}).encode()
    for _ in range(30):
        with gateway.api_wire() as wire:
            wire.send(LINE + b"Content-Length: %d\r\n" % len(content))
            assert refusal(wire) is None
            wire.send(b"\r\n" + content[:5])
            assert refusal(wire) is None
            assert wire.exchange(content[5:]).status == 201


def refusal(wire):
    """The answer to an incomplete request; None if the gateway waits for the rest."""
    wire.socket.settimeout(0.3)
    try:
        return wire.read()
    except TimeoutError:
        return None
    finally:
        wire.socket.settimeout(15)


def is_taken(gateway, data):
    with gateway.api_wire(source="127.0.0.2") as wire:
        wire.send(data)
        try:
            return refusal(wire) is None
        except Closed:
            return False
