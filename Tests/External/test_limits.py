"""Every key under `limits` is enforced: 429 or 503 with `Retry-After`, 413, 414, 431."""

import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.issuer import authorize
from harness.programs import eventually
from harness.wire import Closed

APP, OTHER = "com.contoso.app1", "com.contoso.app2"


def is_turned_away(answer):
    return answer.status in (429, 503) and int(answer.header("Retry-After")) >= 0


@pytest.mark.rule(11)
@pytest.mark.parametrize("key", ["requests", "requests_per_app", "requests_per_address"])
def test_pending_requests_are_limited_by(start_gateway, key):
    gateway = start_gateway(limits={key: 2})
    api = gateway.api()
    first, _ = api.begin(APP), api.begin(APP)
    assert is_turned_away(api.begin_reply(APP))
    # A pending request is never evicted, and an end makes room.
    assert first.is_untouched()
    assert first.delete().status == 204
    assert api.begin_reply(APP).status == 201


def failing_callback(gateway, begun, description=""):
    """The callback by which the issuer ends a request with an error."""
    issuer = gateway.configuration["issuers"][0]["issuer"]
    return (f"{begun['redirect_uri']}?error=server_error&state={begun['state']}&iss={issuer}"
            f"&error_description={description}")


@pytest.mark.rule(11)
def test_failures_that_nobody_collects_count_for_their_address_until_they_are_gone(start_gateway):
    gateway = start_gateway(limits={"kept_bytes_per_address": "32KiB"})
    api = gateway.api()
    for count in range(200):
        reply = api.begin_reply(APP)
        if reply.status != 201:
            break
        assert gateway.browse(failing_callback(gateway, reply.json, "e" * 3000)).status == 303
    assert reply.status == 429 and int(reply.header("Retry-After")) > 0
    assert 5 < count < 100
    told = gateway.admin("/readyz").json
    assert told["pending_requests"] == 0 and told["kept_requests"] == count
    assert 10_000 < told["kept_bytes"] < 64_000
    assert gateway.api(source="127.0.0.2").begin_reply(APP).status == 201


@pytest.mark.rule(11)
def test_beyond_kept_bytes_a_begin_and_a_callback_are_told_to_come_again(start_gateway):
    gateway = start_gateway(limits={"kept_bytes": "64KiB", "requests_per_address": 1000})
    api = gateway.api()
    # Its app gets the whole callback, which is kept for it.
    large = api.begin_reply(APP, completion="response", state="s" * 43).json
    begun = []
    while (reply := api.begin_reply(APP)).status == 201:
        begun.append(reply.json)
    assert reply.status == 503 and reply.json["error"] == "temporarily_unavailable"
    assert int(reply.header("Retry-After")) > 0
    # The callback of a request that was taken in has its room; only a request that is larger than a callback must come again.
    assert gateway.browse(failing_callback(gateway, begun.pop())).status == 303
    issuer = gateway.configuration["issuers"][0]["issuer"]
    callback = f"{large['redirect_uri']}?state={large['state']}&iss={issuer}&code={'c' * 7000}"
    page = gateway.browse(callback)
    assert page.status == 503 and int(page.header("Retry-After")) > 0
    for request in begun:
        headers = {"Authorization": f"Bearer {request['result_token']}"}
        assert api.call("DELETE", f"/v1/requests/{request['id']}", headers=headers).status == 204
        assert api.call("DELETE", f"/v1/requests/{request['id']}", headers=headers).status == 204
    # The request is unchanged, so the callback may be repeated.
    assert gateway.browse(callback).status == 303


@pytest.mark.rule(14)
def test_one_app_does_not_use_up_another_apps_requests(start_gateway):
    api = start_gateway(limits={"requests_per_app": 1}).api()
    api.begin(APP)
    assert is_turned_away(api.begin_reply(APP))
    assert api.begin_reply(OTHER).status == 201


def test_one_address_does_not_use_up_another_addresss_requests(start_gateway):
    gateway = start_gateway(limits={"requests_per_address": 1})
    gateway.api().begin(APP)
    assert is_turned_away(gateway.api().begin_reply(APP))
    assert gateway.api(source="127.0.0.2").begin_reply(APP).status == 201


@pytest.mark.rule(11)
@pytest.mark.rule(14)
@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_one_network_does_not_use_up_another_networks_requests(start_gateway, tmp_path, store):
    gateway = start_gateway(
        limits={"requests_per_address": 2, "requests_per_network": 3},
        store="memory" if store == "memory" else f"sqlite:{tmp_path}/requests.db")
    for last in (2, 2, 3):
        gateway.api(source=f"127.0.0.{last}").begin(APP)
    answer = gateway.api(source="127.0.0.4").begin_reply(APP)
    assert answer.status == 429 and is_turned_away(answer) and answer.json["error"] == "slow_down"
    assert logged_limit(gateway, "requests_per_network")
    assert gateway.api(source="127.0.1.1").begin_reply(APP).status == 201


@pytest.mark.rule(11)
@pytest.mark.parametrize("whole", [30, 2])
def test_one_network_begins_a_third_of_the_requests_by_default(start_gateway, whole):
    gateway = start_gateway(limits={"requests": whole, "requests_per_address": 4})
    # One address begins as many as it may, even if that is more than a third.
    begun = max(whole // 3, min(4, whole))
    for number in range(begun):
        gateway.api(source=f"127.0.0.{2 + number // 4}").begin(APP)
    assert is_turned_away(gateway.api(source="127.0.0.9").begin_reply(APP))
    assert gateway.api(source="127.0.1.1").begin_reply(APP).status == (201 if begun < whole else 503)


@pytest.mark.rule(12)
def test_a_48_is_one_network(start_gateway):
    api = start_gateway(limits={"requests_per_network": 2}, trusted_proxies=["127.0.0.1/32"]).api()

    def begin(forwarded):
        return api.begin_reply(APP, headers={"X-Forwarded-For": forwarded})

    assert begin("2001:db8:7:1::1").status == 201
    assert begin("2001:db8:7:2::1").status == 201
    assert is_turned_away(begin("2001:db8:7:ffff::1"))
    assert begin("2001:db8:8:1::1").status == 201


@pytest.mark.rule(11)
def test_failures_that_nobody_collects_count_for_their_network(start_gateway):
    gateway = start_gateway(limits={"kept_bytes_per_address": "16KiB", "kept_bytes_per_network": "32KiB"})
    statuses = [gateway.api(source=f"127.0.0.{2 + number}").begin_reply(APP).status for number in range(20)]
    assert statuses[:3] == [201] * 3 and statuses[-1] == 429
    assert logged_limit(gateway, "kept_bytes_per_network")
    assert gateway.api(source="127.0.1.1").begin_reply(APP).status == 201


def logged_limit(gateway, key):
    return eventually(lambda: f"reason={key}" in gateway.output(), what=f"a line about {key}")


def test_waiting_apps_are_limited_by_address(start_gateway):
    gateway = start_gateway(limits={"waiting_per_address": 1})
    first, second = gateway.api().begin(APP), gateway.api().begin(APP)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(first.poll, wait=60)
        time.sleep(0.5)  # there is one place, and the first shall have it
        eventually(lambda: is_turned_away(second.poll(wait=1)), what="the limit")
        # To ask without waiting is always free.
        assert second.is_untouched()
        assert gateway.browse(authorize(first.authorization_url)).status == 303
        assert waiting.result(timeout=30).json["status"] == "completed"
    eventually(lambda: second.poll(wait=1).status == 202, what="room")


RATES = {
    "begin_rate": lambda gateway, pending: gateway.api().begin_reply(APP),
    "callback_rate": lambda gateway, pending: gateway.browse(gateway.url("/app1/auth?state=x&code=y")),
    "collect_rate": lambda gateway, pending: pending.poll(),
}


@pytest.mark.rule(11)
@pytest.mark.parametrize("key", RATES)
def test_events_a_second_are_limited_by(start_gateway, key):
    gateway = start_gateway(limits={key: 1})
    pending = gateway.api().begin(APP)
    answers = [RATES[key](gateway, pending) for _ in range(30)]
    turned_away = [answer for answer in answers if is_turned_away(answer)]
    assert turned_away
    # The rate is a rate: patience helps.
    eventually(lambda: not is_turned_away(RATES[key](gateway, pending)), what="the next event")


@pytest.mark.rule(11)
@pytest.mark.parametrize("path", ["/clients/none", "/done/none", "/start/none"])
def test_pages_over_the_rate_are_logged(start_gateway, path):
    gateway = start_gateway(limits={"callback_rate": 1})
    answers = [gateway.browse(gateway.url(path)) for _ in range(30)]
    assert any(is_turned_away(answer) for answer in answers)
    assert logged_limit(gateway, "callback_rate")


def is_refused(open_wire, host):
    """Whether a new connection gets no service."""
    try:
        with open_wire(seconds=5) as wire:
            answer = wire.exchange(f"GET /legacy HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            return answer.status in (429, 503)
    except (Closed, ConnectionError, TimeoutError, ssl.SSLError):
        return True


@pytest.mark.rule(11)
@pytest.mark.parametrize("key", ["connections", "connections_per_address"])
def test_connections_are_limited_by(start_gateway, key):
    gateway = start_gateway(limits={key: 3})
    host = f"localhost:{gateway.callbacks_port}"
    eventually(lambda: not is_refused(gateway.wire, host), what="the first connection")
    held = [gateway.wire() for _ in range(3)]
    eventually(lambda: is_refused(gateway.wire, host), what="the limit")
    for wire in held:
        wire.socket.close()
    eventually(lambda: not is_refused(gateway.wire, host), what="room")


@pytest.mark.rule(11)
@pytest.mark.rule(14)
def test_one_network_does_not_use_up_another_networks_connections(start_gateway):
    gateway = start_gateway(limits={"connections_per_address": 2, "connections_per_network": 3})
    held = [gateway.wire(source=f"127.0.0.{last}") for last in (2, 2, 3)]
    with gateway.wire(source="127.0.0.4") as wire:
        answer = wire.exchange(f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n".encode())
        assert answer.status == 503 and answer.header("Retry-After")
    assert logged_limit(gateway, "connections_per_network")
    with gateway.wire(source="127.0.1.1") as wire:
        answer = wire.exchange(f"GET /legacy HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n\r\n".encode())
        assert answer.status == 302
    for wire in held:
        wire.socket.close()


@pytest.mark.rule(11)
def test_a_user_of_this_machine_is_no_exception_to_the_limit_of_connections(start_gateway):
    gateway = start_gateway(limits={"connections_per_address": 3})
    held = []

    def refused():
        held.append(socket.socket(socket.AF_UNIX))
        held[-1].connect(gateway.socket.removeprefix("unix:"))
        reply = gateway.local_api().begin_reply("com.contoso.app1")
        return reply.status == 503

    eventually(refused, what="the limit")
    assert len(held) <= 4
    assert gateway.api().begin_reply("com.contoso.app1").status == 201
    for connection in held:
        connection.close()
    eventually(lambda: gateway.local_api().begin_reply("com.contoso.app1").status == 201, what="room")


@pytest.mark.rule(14)
def test_a_flood_of_connections_leaves_the_operator_and_this_machine_in(start_gateway):
    gateway = start_gateway(limits={"connections": 5})
    held = []

    def refused():
        # Those of the start may have made room meanwhile.
        held.append(socket.create_connection(("127.0.0.1", gateway.callbacks_port)))
        reply = gateway.api().begin_reply("com.contoso.app1")
        return reply.status == 503 and reply

    reply = eventually(refused, what="the limit")
    assert reply.json["error"] == "temporarily_unavailable" and reply.header("Retry-After")
    assert gateway.admin("/readyz").status == 200
    assert gateway.local_api().begin_reply("com.contoso.app1").status == 201
    for connection in held:
        connection.close()


def test_header_bytes_are_limited(start_gateway):
    gateway = start_gateway(limits={"header_bytes": "2KiB"})
    assert gateway.browse(gateway.url("/legacy"), headers={"X-Padding": "p" * 1000}).status in (302, 303)
    assert gateway.browse(gateway.url("/legacy"), headers={"X-Padding": "p" * 3000}).status == 431


def test_the_request_line_and_the_header_fields_are_limited_each_by_its_own(start_gateway):
    gateway = start_gateway(limits={"request_line_bytes": "6KiB", "header_bytes": "2KiB"})
    frame = len("GET /legacy?x= HTTP/1.1")
    for length, status in ((6144 - frame, 302), (6145 - frame, 414)):
        assert gateway.browse(gateway.url("/legacy?x=" + "p" * length)).status == status
    long = gateway.url("/legacy?x=" + "p" * 6000)
    assert gateway.browse(long, headers={"X-Padding": "p" * 1500}).status == 302, "neither counts for the other"
    assert gateway.browse(long, headers={"X-Padding": "p" * 2500}).status == 431


def test_a_callback_of_16_kib_is_read_by_default_and_a_longer_one_is_not(gateway):
    for length, status in ((16_000, 302), (16_500, 414)):
        assert gateway.browse(gateway.url("/legacy?x=" + "p" * length)).status == status


@pytest.mark.rule(11)
@pytest.mark.parametrize("is_chunked", [False, True], ids=["with a length", "chunked"])
def test_body_bytes_are_limited(start_gateway, is_chunked):
    gateway = start_gateway(limits={"body_bytes": "1KiB"})
    body = b'{"app": "com.contoso.app1", "login_hint": "' + b"p" * 2000 + b'"}'
    head = b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with gateway.api_wire() as wire:
        if is_chunked:
            chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
            answer = wire.exchange(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
        else:
            answer = wire.exchange(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert answer.status == 413


def test_a_body_of_the_default_size_is_read_and_more_is_not(gateway):
    for size, statuses in ((60 * 1024, {400}), (70 * 1024, {413})):
        body = b'{"app": "com.contoso.nobody", "login_hint": "' + b"p" * size + b'"}'
        reply = gateway.api().call("POST", "/v1/requests", body)
        assert reply.status in statuses | ({404} if 400 in statuses else set())


@pytest.mark.rule(12)
def test_a_trusted_proxy_says_whose_requests_they_are(start_gateway):
    api = start_gateway(limits={"requests_per_address": 1}, trusted_proxies=["127.0.0.1/32"]).api()

    def begin(forwarded):
        return api.begin_reply(APP, headers={"X-Forwarded-For": forwarded})

    assert begin("203.0.113.1").status == 201
    assert is_turned_away(begin("203.0.113.1"))
    # The addresses before the last are the client's own claim.
    assert is_turned_away(begin("198.51.100.7, 203.0.113.1"))
    assert begin("203.0.113.2").status == 201
    assert begin("2001:db8::1").status == 201
    assert is_turned_away(begin("2001:db8::2"))
    assert begin("2001:db8:0:1::1").status == 201


@pytest.mark.rule(12)
def test_nobody_elses_forwarding_header_counts(start_gateway):
    api = start_gateway(limits={"requests_per_address": 1}).api()
    assert api.begin_reply(APP, headers={"X-Forwarded-For": "203.0.113.1"}).status == 201
    assert is_turned_away(api.begin_reply(APP, headers={"X-Forwarded-For": "203.0.113.2"}))
    assert is_turned_away(api.begin_reply(APP, headers={"Forwarded": "for=203.0.113.3"}))
