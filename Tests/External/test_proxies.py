"""Whole sign-ins behind real proxies, each with the configuration that the book shows for it."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import wire
from harness.api import Api
from harness.gateway import CA
from harness.issuer import authorize
from harness.programs import eventually, free_port
from harness.proxies import KINDS, NginxOfSeveral
from harness.redis import RedisServer, SharingGateway
from harness.vault import VAULT

APP = "com.contoso.app1"


@pytest.fixture
def start_proxy(start_gateway, run_folder):
    """Starts a gateway and a proxy in front of it."""
    proxies = []

    def start(kind):
        port = free_port()
        # The user of the proxy's processes: here this one; in the book www-data, haproxy and caddy.
        gateway = start_gateway(
            public_port=port, limits={"requests_per_address": 3}, trusted_proxies=[f"uid:{os.getuid()}"])
        proxy = KINDS[kind](run_folder / f"{kind}-{port}", gateway.socket, port)
        proxies.append(proxy.start())
        proxy.origin, proxy.gateway = gateway.origin, gateway
        return proxy

    yield start
    for proxy in proxies:
        proxy.stop()


@pytest.fixture(params=KINDS)
def proxy(request, start_proxy):
    return start_proxy(request.param)


def test_a_whole_sign_in(proxy):
    """And what a client claims about its address ends at the proxy, and its log has no code."""
    claimed = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=198.51.100.9", "X-Real-IP": "203.0.113.10"}
    reply = Api(proxy.origin, ca=CA).begin_reply(
        APP, headers=claimed, scope="openid", extra_parameters={"demo": "auto"})
    assert reply.status == 201, reply.body
    begun = reply.json
    eventually(lambda: f"reference={begun['reference']}" in proxy.gateway.output(), what="the log line")
    [line] = [line for line in proxy.gateway.output().splitlines() if f"event=begun reference={begun['reference']}" in line]
    assert line.endswith("from=127.0.0.1"), line

    started = wire.request(begun["start_url"], ca=CA)
    assert started.status in (302, 303)
    callback = authorize(started.header("Location"))
    assert callback.startswith(proxy.origin)
    answer = wire.request(callback, ca=CA)
    assert answer.status == 303 and answer.header("Location").endswith(f"/done/{begun['reference']}")
    assert answer.header("Strict-Transport-Security")
    cookie = answer.header("Set-Cookie").split(";")[0]
    page = wire.request(f"{proxy.origin}/done/{begun['reference']}", ca=CA, headers={"Cookie": cookie})
    assert page.status == 200 and "Contoso Mail" in page.text
    outcome = Api(proxy.origin, ca=CA).call(
        "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=30"})
    assert outcome.json["status"] == "completed"
    VAULT.remember_all(outcome.json["token_response"])

    eventually(lambda: "/app1/auth" in proxy.access_log, what="the callback's line in the access log")
    assert not VAULT.found_in(proxy.logs())


def test_streaming_works_through_it(proxy):
    pending = Api(proxy.origin, ca=CA).begin(APP, scope="openid")
    events = pending.events()
    assert next(events)[1] == {"status": "pending"}
    assert wire.request(authorize(pending.authorization_url), ca=CA).status == 303
    assert list(events)[-1][1]["status"] == "completed"


def test_it_hands_over_bytes_as_they_are(proxy):
    query = "code=a%2Bb%2bc+d&path=%2F..%2f&x=//y"
    answer = wire.request(f"{proxy.origin}/legacy?{query}", ca=CA)
    assert answer.header("Location") == f"x-legacy://callback?{query}"
    # The proxy does not decode the path, so the gateway refuses it.
    assert wire.request(f"{proxy.origin}/app1/%61uth?code=x&state=y", ca=CA).status == 404


def test_addresses_cannot_be_made_up(proxy):
    api = Api(proxy.origin, ca=CA)
    statuses = [
        api.begin_reply(APP, headers={"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=198.51.100.{n}"}).status
        for n in range(5)
    ]
    assert statuses[:3] == [201] * 3 and set(statuses[3:]) <= {429, 503}


def test_limits_answer_as_they_do_without_it(proxy):
    assert wire.request(f"{proxy.origin}/legacy?" + "p" * 17000, ca=CA).status == 414
    assert wire.request(f"{proxy.origin}/legacy", ca=CA, headers={"X-Padding": "p" * 17000}).status == 431


def test_a_gateway_that_is_away_puts_no_code_into_a_log(proxy):
    pending = Api(proxy.origin, ca=CA).begin(APP, scope="openid")
    callback = authorize(pending.authorization_url)
    proxy.gateway.stop()
    assert wire.request(callback, ca=CA).status in (502, 503)
    proxy.stop()
    assert not VAULT.found_in(proxy.logs())


@pytest.mark.early
def test_a_wait_of_sixty_seconds_is_not_cut(start_proxy):
    """All of them at the same time, because it takes a minute."""
    def wait(proxy):
        return Api(proxy.origin, ca=CA).begin(APP, scope="openid").poll(wait=60)

    proxies = [start_proxy(kind) for kind in KINDS]
    with ThreadPoolExecutor(len(proxies)) as threads:
        assert [(reply.status, reply.json) for reply in threads.map(wait, proxies)] == [(202, {"status": "pending"})] * 3


def test_nginx_goes_on_to_the_next_gateway_while_one_is_down(run_folder, issuer):
    """docs/proxies/several.md: one of two gateways is killed, and no browser or app sees a 502."""
    port, redis, programs = free_port(), RedisServer(run_folder).start(), []
    try:
        for _ in range(2):
            gateway = SharingGateway(run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}/0", public_port=port)
            gateway.configuration["trusted_proxies"] = [f"uid:{os.getuid()}"]
            programs.append(gateway.start())
        first, second = programs
        programs.append(NginxOfSeveral(run_folder / f"several-{port}", first.socket, second.socket, port).start())
        api = Api(first.origin, ca=CA)
        begun = [api.begin(APP, scope="openid") for _ in range(6)]
        callbacks = [authorize(one.authorization_url) for one in begun]
        first.kill()
        assert [wire.request(callback, ca=CA).status for callback in callbacks] == [303] * 6
        # For longer than the ten seconds after which nginx tries the dead gateway again.
        statuses = set()
        for _ in range(25):
            statuses.add(begun[0].poll().status)
            time.sleep(0.5)
        assert statuses == {200}
    finally:
        for program in reversed(programs):
            program.stop()
        redis.stop()
