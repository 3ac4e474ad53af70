"""A proxy on a Unix socket: the kernel names the proxy's user, which is no caller behind it."""

import os
import socket

import pytest

from harness.api import Api
from harness.gateway import Gateway
from harness.held import is_held
from harness.issuer import authorize
from harness.wire import Wire

ATTACKER, VICTIM = "198.51.100.7", "203.0.113.9"
URI = "msauth.com.contoso.behind://auth"

# The headers in which proxies name their clients; the last two name no client.
WAYS = {
    "X-Forwarded-For": lambda who: {"X-Forwarded-For": who},
    "Forwarded": lambda who: {"Forwarded": f"for={who}"},
    "X-Real-IP": lambda who: {"X-Real-IP": who},
    "X-Forwarded-Proto": lambda _: {"X-Forwarded-Proto": "https"},
    "Via": lambda _: {"Via": "1.1 proxy"},
}


class ProxiedApi(Api):
    """The API through a proxy that reaches the gateway over its socket and names its client."""

    def __init__(self, gateway, headers):
        super().__init__(gateway.socket)
        self._headers = headers

    def call(self, method, path, body=None, token=None, headers=None):
        return super().call(method, path, body, token, self._headers | (headers or {}))


class SocketWire(Wire):
    """A browser's connection through such a proxy."""

    def __init__(self, gateway):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(15)
        self.socket.connect(gateway.socket.removeprefix("unix:"))
        self._buffer = b""


@pytest.fixture(scope="module")
def behind(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["apps"] += [
        gateway.app("behind", "Behind Mail", [URI], client_id="behind", release="code"),
        gateway.app("open", "Open Mail", ["msauth.com.contoso.open://auth"], client_id="open",
                    relay_from={"uids": [os.geteuid()]}),
        gateway.app("mine", "Mine", client_id="mine", client_secret="a-secret-not-to-borrow",
                    begin_from={"uids": [os.geteuid()]}),
    ]
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def begin(api, app="behind", uri=URI):
    return api.begin(f"com.contoso.{app}", redirect_uri=uri, scope="openid")


def start_page(gateway, path, headers):
    lines = [f"GET {path} HTTP/1.1", f"Host: {gateway.origin.removeprefix('https://')}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with SocketWire(gateway) as wire:
        return wire.exchange("\r\n".join(lines).encode() + b"\r\n\r\n")


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("way", WAYS)
def test_a_relay_through_the_proxy_that_the_attacker_used_redeems_nothing(behind, issuer, way):
    pending = begin(ProxiedApi(behind, WAYS[way](ATTACKER)))
    callback = authorize(pending.authorization_url)
    reply = ProxiedApi(behind, WAYS[way](VICTIM)).relay(callback)
    assert (reply.status, reply.json) == (404, {"handled": False, "reason": "not_mine"})
    assert pending.is_untouched() and issuer.times_redeemed(callback.split("code=")[1].split("&")[0]) == 0


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("began, relayed", [("direct", "proxied"), ("proxied", "direct")])
def test_a_caller_behind_a_proxy_and_a_local_user_are_different(behind, began, relayed):
    apis = {"direct": behind.local_api(), "proxied": ProxiedApi(behind, {"X-Forwarded-For": VICTIM})}
    pending = begin(apis[began])
    reply = apis[relayed].relay(authorize(pending.authorization_url))
    assert (reply.status, reply.json["reason"]) == (404, "not_mine") and pending.is_untouched()


@pytest.mark.rule(12)
def test_relay_from_asks_for_the_user_itself(behind):
    pending = begin(behind.local_api(), "open", "msauth.com.contoso.open://auth")
    callback = authorize(pending.authorization_url)
    assert ProxiedApi(behind, {"X-Forwarded-For": "127.0.0.1"}).relay(callback).status == 404
    assert pending.is_untouched()
    assert behind.local_api().relay(callback).json["handled"] is True
    assert pending.outcome()["status"] == "completed"


@pytest.mark.rule(12)
@pytest.mark.parametrize("way", WAYS)
def test_begin_from_asks_for_the_user_itself_and_names_who_was_seen(behind, way):
    refused = ProxiedApi(behind, WAYS[way]("127.0.0.1")).begin_reply("com.contoso.mine")
    assert (refused.status, refused.json["error"]) == (403, "unauthorized_client")
    assert f"uid:{os.geteuid()}" in refused.json["error_description"]
    assert behind.local_api().begin_reply("com.contoso.mine").status == 201


@pytest.mark.rule(12)
def test_the_page_does_not_say_that_this_machine_asks(behind):
    pending = begin(ProxiedApi(behind, {"X-Forwarded-For": ATTACKER}))
    for headers in ({"X-Forwarded-For": VICTIM}, {}):
        page = start_page(behind, f"/start/{pending.id}", headers)
        assert page.status == 200 and "on the server that shows" not in page.text and "is not known where" in page.text
    direct = start_page(behind, f"/start/{begin(behind.local_api()).id}", {})
    assert direct.status == 200 and "on the server that shows" in direct.text


@pytest.mark.rule(8)
def test_the_user_itself_still_relays(behind):
    pending = begin(behind.local_api())
    callback = authorize(pending.authorization_url)
    assert behind.local_api().relay(callback).json["handled"] is True
    assert pending.outcome()["status"] == "completed" and not is_held(pending)
