"""Rule 8 for relays: with a release other than `none`, only the user that began relays, on a Unix socket."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.gateway import Gateway
from harness.issuer import authorize
from harness.programs import run
from harness.vault import VAULT

STRANGER = 65534
POLICIES = {"code": {}, "network": {"release": "same_network"},
            "device": {"release": "same_device", "return_uri": "http://127.0.0.1/back"}}

CALL = """
import http.client, json, os, socket, sys
os.setgroups([]); os.setgid({uid}); os.setuid({uid})
class Unix(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX); self.sock.settimeout(20); self.sock.connect({path!r})
connection = Unix("localhost")
connection.request("POST", {target!r}, sys.stdin.read(), {{"Content-Type": "application/json"}})
answer = connection.getresponse()
print(json.dumps([answer.status, json.loads(answer.read())]))
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture(scope="module")
def guarded(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    # All users may reach the socket; the rule decides by the user.
    folder = tempfile.TemporaryDirectory()
    Path(folder.name).chmod(0o755)
    gateway.socket = f"unix:{folder.name}/gateway.sock"
    gateway.configuration["listen"][2] |= {"address": gateway.socket, "mode": "0666"}
    for name, keys in POLICIES.items():
        uri = f"msauth.com.contoso.{name}://auth"
        gateway.configuration["apps"].append(
            gateway.app(name, name, [uri], client_id=name, **({"release": "code"} | keys)))
    gateway.configuration["apps"] += [
        gateway.app("narrow", "Narrow", ["msauth.com.contoso.narrow://auth"], client_id="narrow", release="code",
                    relay_from={"uids": [12345]}),
        gateway.app("mine", "Mine", ["msauth.com.contoso.mine://auth"], client_id="mine", release="code",
                    relay_from={"uids": [os.geteuid()]}),
        gateway.app("hosts", "Hosts", ["msauth.com.contoso.hosts://auth"], client_id="hosts",
                    relay_from={"networks": ["192.0.2.0/24"]}),
        gateway.app("near", "Near", ["msauth.com.contoso.near://auth"], client_id="near",
                    relay_from={"networks": ["127.0.0.9"]}),
    ]
    gateway.start()
    request.addfinalizer(lambda: (gateway.stop(), folder.cleanup()))
    return gateway


def begin(api, name):
    fields = {"return_port": 40405} if name == "device" else {}
    pending = api.begin(f"com.contoso.{name}", redirect_uri=f"msauth.com.contoso.{name}://auth", scope="openid", **fields)
    return pending, authorize(pending.authorization_url)


def post_as(uid, gateway, target, **content):
    path = gateway.socket.removeprefix("unix:")
    done = subprocess.run(
        [sys.executable, "-c", CALL.format(uid=uid, path=path, target=target)], input=json.dumps(content),
        capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def relay_as(uid, gateway, url):
    VAULT.remember_url(url)
    return post_as(uid, gateway, "/v1/callbacks", url=url)


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", POLICIES)
def test_the_user_that_began_relays(guarded, name):
    pending, callback = begin(guarded.local_api(), name)
    reply = guarded.local_api().relay(callback)
    assert (reply.status, reply.json["handled"]) == (200, True)
    assert pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", POLICIES)
def test_a_relay_over_the_network_does_not_count(guarded, name):
    pending, callback = begin(guarded.local_api(), name)
    reply = guarded.api().relay(callback)
    assert (reply.status, reply.json["handled"]) == (404, False)
    assert pending.is_untouched()
    assert guarded.local_api().relay(callback).status == 200 and pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
def test_a_request_from_the_network_cannot_be_relayed_by_a_local_user(guarded):
    """An attacker elsewhere begins, and talks a local user's desktop into relaying."""
    pending, callback = begin(guarded.api(), "code")
    assert guarded.local_api().relay(callback).json["handled"] is False
    assert pending.is_untouched()
    done = run("open", callback, "--gateway", guarded.socket)
    assert done.returncode == 1 and pending.is_untouched()
    assert pending.delete().status == 204


@needs_root
@pytest.mark.rule(8)
@pytest.mark.parametrize("name", POLICIES)
def test_another_user_of_the_machine_does_not_count(guarded, name):
    pending, callback = begin(guarded.local_api(), name)
    status, answer = relay_as(STRANGER, guarded, callback)
    assert (status, answer["handled"]) == (404, False)
    assert pending.is_untouched()
    assert guarded.local_api().relay(callback).status == 200 and pending.outcome()["status"] == "completed"


@needs_root
@pytest.mark.rule(8)
def test_users_whom_a_user_namespace_does_not_know_are_nobody(run_folder, issuer):
    """A rootless container with a socket that the host's users reach: all of them have one number, which is no user's."""
    if subprocess.run(["unshare", "--user", "--map-root-user", "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody make a user namespace")
    gateway = Gateway(run_folder, issuer.base)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        gateway.prefix = ["unshare", "--user", "--map-root-user"]
        gateway.socket = f"unix:{folder}/gateway.sock"
        gateway.configuration["listen"][2] |= {"address": gateway.socket, "mode": "0666"}
        uri = "msauth.com.contoso.code://auth"
        gateway.configuration["apps"] += [
            gateway.app("code", "Code", [uri], client_id="code", release="code"),
            gateway.app("other", "Other", ["msauth.com.contoso.other://auth"], relay_from={"uids": [STRANGER]}),
        ]
        gateway.start()
        try:
            status, begun = post_as(
                4711, gateway, "/v1/requests", app="com.contoso.code", redirect_uri=uri, scope="openid",
                extra_parameters={"demo": "auto"})
            assert status == 201
            VAULT.remember("result token", begun["result_token"])
            callback = authorize(begun["authorization_url"])
            for uid in (4711, 4712, STRANGER):
                assert relay_as(uid, gateway, callback)[0] == 404
            # The user that the namespace knows has its own number.
            pending, callback = begin(gateway.local_api(), "code")
            assert gateway.local_api().relay(callback).status == 200 and pending.outcome()["status"] == "completed"
        finally:
            gateway.stop()
        assert f"no user is known to be {STRANGER}" in gateway.log.read_text()


@pytest.mark.rule(8)
def test_relay_from_narrows(guarded):
    pending, callback = begin(guarded.local_api(), "narrow")
    assert guarded.local_api().relay(callback).json["handled"] is False
    assert pending.is_untouched()
    pending, callback = begin(guarded.local_api(), "mine")
    assert guarded.local_api().relay(callback).json["handled"] is True
    assert pending.outcome()["status"] == "completed"
    for api in (guarded.local_api(), guarded.api()):
        pending, callback = begin(api, "hosts")
        assert api.relay(callback).json["handled"] is False
        assert pending.is_untouched()


@pytest.mark.rule(12)
def test_a_proxy_that_is_not_trusted_relays_for_nobody_by_its_own_address(guarded):
    api = guarded.api(source="127.0.0.9")
    pending, callback = begin(api, "near")
    VAULT.remember_url(callback)
    for header in ("X-Forwarded-For", "Forwarded"):
        reply = api.call("POST", "/v1/callbacks", {"url": callback}, headers={header: "for=192.0.2.7"})
        assert (reply.status, reply.json) == (404, {"handled": False, "reason": "not_mine"})
    assert pending.is_untouched() and api.relay(callback).json["handled"] is True


def test_an_https_callback_is_never_relayed(guarded):
    for name in ("code", "mine"):
        pending = guarded.local_api().begin(f"com.contoso.{name}", scope="openid")
        callback = authorize(pending.authorization_url)
        reply = guarded.local_api().relay(callback)
        assert (reply.status, reply.json) == (404, {"handled": False, "reason": "not_mine"})
        assert pending.is_untouched()
