"""Findings of hostile reviews, each with a test against its return."""

import socket
import ssl
import struct
import threading
import time

import pytest

from harness.gateway import CA
from harness.issuer import authorize
from harness.modes import Arrival, ModesGateway, is_sent_away
from harness.programs import eventually, run

APP = "com.contoso.app1"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def proxied(start_gateway):
    """A gateway that trusts the proxy at 127.0.0.1, with an app for each rule that asks about addresses."""

    def change(gateway):
        gateway.configuration["trusted_proxies"] = ["127.0.0.1"]
        gateway.configuration["apps"] += [
            gateway.app("network", "Networked", client_id="network", release="same_network"),
            gateway.app("few", "Few", client_id="few", begin_from={"networks": ["127.0.0.0/8"]}),
        ]

    return start_gateway(change=change)


NOBODY = ["127.0.0.1", "198.51.100.7:5555, 127.0.0.1", "unknown", "198.51.100.7:4711", "1.2.3.4\u0600, 8.8.8.8:1", ""]


@pytest.mark.rule(12)
@pytest.mark.parametrize("chain", NOBODY)
def test_a_proxy_that_names_nobody_stands_for_nobody(proxied, chain):
    headers = {"X-Forwarded-For": chain.encode()}
    api = proxied.api()
    assert api.begin_reply("com.contoso.few", headers=headers).status == 403
    reply = api.begin_reply("com.contoso.network", headers=headers, scope="openid", extra_parameters={"demo": "auto"})
    callback = authorize(reply.json["authorization_url"])
    assert proxied.browse(callback, headers={"X-Forwarded-For": "127.0.0.1"}).status == 303
    held = api.call("GET", f"/v1/requests/{reply.json['id']}", token=reply.json["result_token"], headers=headers)
    assert held.json == {"status": "release_required"}


@pytest.mark.rule(10)
@pytest.mark.parametrize("coding", ["chun\u212aed", "chunked\u0301", "CHUN\u212aED"])
def test_a_coding_that_only_looks_like_chunked_is_none(gateway, coding):
    with gateway.api_wire() as wire:
        answer = wire.exchange(
            b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + f"Transfer-Encoding: {coding}\r\n\r\n".encode() + b'1a\r\n{"app":"com.contoso.app1"}\r\n0\r\n\r\n')
    assert answer.status == 501


@pytest.mark.rule(14)
def test_a_client_that_never_pauses_does_not_keep_the_loop(gateway, api):
    stop = threading.Event()
    context = ssl.create_default_context(cafile=str(CA))

    def flood():
        plain = socket.create_connection(("127.0.0.1", gateway.api_port))
        stream = context.wrap_socket(plain, server_hostname="localhost")
        stream.settimeout(1)
        request = b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50
        reader = threading.Thread(target=lambda: drain(stream), daemon=True)
        reader.start()
        try:
            while not stop.is_set():
                stream.sendall(request)
        except OSError:
            pass
        # Otherwise the gateway goes on answering what it has received, for a minute.
        plain = socket.socket(fileno=stream.detach())
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()

    def drain(stream):
        try:
            while stream.recv(1 << 16):
                pass
        except OSError:
            pass

    floods = [threading.Thread(target=flood) for _ in range(4)]
    for thread in floods:
        thread.start()
    try:
        for _ in range(10):
            api.begin(APP).delete()
    finally:
        stop.set()
        for thread in floods:
            thread.join()


@pytest.mark.rule(11)
def test_a_request_that_no_browser_could_carry_is_not_kept(api):
    reply = api.begin_reply(APP, extra_parameters={f"p{n}": "é" * 1000 for n in range(6)})
    assert reply.status == 400 and "too long" in reply.json["error_description"]


@pytest.mark.rule(11)
def test_a_local_user_has_a_share_like_an_address(start_gateway):
    api = start_gateway(limits={"requests_per_address": 2}).local_api()
    first, _ = api.begin(APP), api.begin(APP)
    assert api.begin_reply(APP).status in (429, 503)
    assert first.delete().status == 204 and api.begin_reply(APP).status == 201


@pytest.mark.rule(3)
def test_a_code_never_goes_to_an_issuer_that_it_is_not_of(start_gateway, start_issuer, issuer):
    other = start_issuer()

    def change(gateway):
        gateway.configuration["issuers"].append({"name": "other", "issuer": other.base})

    gateway = start_gateway(change=change)
    waiting, held = gateway.api().begin(APP, scope="openid"), gateway.api().begin(APP, scope="openid")
    callback = authorize(waiting.authorization_url)
    gateway.configuration["apps"][0]["issuer"] = "other"
    gateway.write()
    gateway.reload()
    probe = lambda: gateway.api().begin(APP).authorization_url.startswith(other.base)  # noqa: E731
    eventually(probe, what="the reload")
    assert gateway.browse(callback).status == 400, "its issuer is not the one of the app any more"
    without_issuer = callback.split("&iss=")[0]
    other_codes = other.count("token_requests")
    gateway.browse(without_issuer)
    assert other.count("token_requests") == other_codes
    assert held.is_untouched()


@pytest.mark.rule(14)
def test_parked_responses_of_one_address_leave_room_for_others(run_folder, issuer, request):
    gateway = ModesGateway(run_folder, issuer.base, limits={"kept_bytes_per_address": "1MiB"}).start()
    request.addfinalizer(gateway.stop)
    arrival = Arrival(gateway, "formstart").start()
    fields = arrival.fields
    assert arrival.by_form(fields + [("junk", "x" * 70000)]).status == 413, "far larger than any response"
    for _ in range(12):
        other = Arrival(gateway, "formstart").start()
        other.by_form(other.fields + [("junk", "x" * 60000)])
    assert any(gateway.api().begin_reply("com.contoso.formstart").status == 429 for _ in range(200)), "no room of its own is left"
    elsewhere = gateway.api(source="127.0.0.2").begin_reply(
        "com.contoso.formstart", scope="openid", extra_parameters={"demo": "auto"})
    assert elsewhere.status == 201
    assert arrival.pending.is_untouched()


def test_a_start_whose_issuer_is_down_says_come_again(start_gateway, start_issuer):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base, limits={"issuer_timeout": "1s"})
    pending = gateway.api().begin(APP)
    assert gateway.browse(pending.start_url).status == 303
    composed = gateway.api().begin(APP, demo=None, completion="response", state="a-state-of-the-app-itself-down")
    assert gateway.browse(gateway.url(f"/start/{composed.id}")).status == 404


@pytest.mark.rule(8)
def test_to_be_asked_is_not_to_have_started(run_folder, issuer, request):
    """The cookie of the page before the issuer does not count as `require_start`'s."""
    gateway = ModesGateway(run_folder, issuer.base)
    gateway.configuration["trusted_proxies"] = ["127.0.0.9"]
    for app in gateway.configuration["apps"]:
        if app["id"] == "com.contoso.querystart":
            app["release"] = "code"
    gateway.start()
    request.addfinalizer(gateway.stop)
    arrival = Arrival(gateway, "querystart").start()
    elsewhere = gateway.api(source="127.0.0.9").call(
        "GET", f"/start/{arrival.pending.id}", headers={"X-Forwarded-For": "198.51.100.7"})
    assert elsewhere.status in (200, 404)
    page = gateway.browse(arrival.pending.start_url, headers={"X-Real-IP": "198.51.100.7"})
    assert page.status == 200
    asked = page.header("Set-Cookie").split(";")[0]
    assert is_sent_away(arrival.by_query(arrival.fields, Cookie=asked), arrival.pending)
    (name, value), = arrival.cookies.items()
    assert arrival.by_query(arrival.fields, Cookie=f"{name}={value}").status == 303


def test_a_gateway_in_plain_text_over_a_network_is_refused():
    done = run("login", "--app", APP, "--gateway", "http://login.contoso.com:8444")
    assert done.returncode == 2 and "loopback" in done.stderr


def test_an_error_that_an_app_was_handed_is_no_success_on_the_page(gateway, api):
    pending = api.begin(
        APP, demo="deny", completion="response", state="a-state-of-the-app-itself-deny", scope="profile",
        code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    came = gateway.browse(authorize(pending.authorization_url))
    page = gateway.browse(
        gateway.url(came.header("Location")), headers={"Cookie": came.header("Set-Cookie").split(";")[0]})
    assert "You are not signed in" in page.text
    assert pending.outcome()["parameters"]["error"] == "access_denied"
