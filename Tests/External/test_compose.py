"""The services of `deploy/compose.yaml` without containers: two gateways that share Redis, behind HAProxy, with the shipped
files."""

import json
import subprocess

import pytest
import yaml

from harness import wire
from harness.api import Api
from harness.gateway import CA, ROOMY, Gateway
from harness.issuer import authorize
from harness.programs import CERTIFICATES, ROOT, eventually, free_port, run

APP = "com.contoso.app1"
COMPOSE = ROOT / "deploy" / "compose"


def replaced(text, changes):
    """With each shipped line as it is here; one that is not there any more is an error."""
    for shipped, here in changes.items():
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    return text


class Stack:
    """The services, each with its shipped file. Addresses, certificates and settings that only containers allow are
    replaced."""

    def __init__(self, folder, issuer):
        self.folder = folder
        self.port, self.redis_port = free_port(), free_port()
        self.origin = f"https://localhost:{self.port}"
        (folder / "tls").mkdir(parents=True)
        (folder / "tls" / "login.pem").write_bytes(
            (CERTIFICATES / "server.pem").read_bytes() + (CERTIFICATES / "server.key").read_bytes())
        (folder / "redis").write_text("a-password-of-redis\n")
        (folder / "redis").chmod(0o400)
        assert run("keys", "new", "--file", folder / "k1").returncode == 0
        self.gateways = [self._gateway(issuer) for _ in range(2)]

    def _gateway(self, issuer):
        gateway = Gateway(self.folder, issuer)
        shipped = yaml.safe_load((COMPOSE / "switchyard.yaml").read_text())
        assert shipped["listen"][0]["address"] == "0.0.0.0:8080" and shipped["trusted_proxies"] == ["172.31.7.2"]
        shipped["listen"][0]["address"] = f"127.0.0.1:{gateway.callbacks_port}"
        shipped["listen"][1]["address"] = f"127.0.0.1:{gateway.admin_port}"
        shipped["store"]["redis"] |= {
            "url": f"redis://127.0.0.1:{self.redis_port}/0", "password_file": str(self.folder / "redis")}
        shipped["encryption_keys"][0]["key_file"] = str(self.folder / "k1")
        shipped["issuers"][0] |= {"issuer": issuer}
        shipped["apps"][0] |= {"redirect_uris": [f"{self.origin}/app1/auth"], "release": "none"}
        gateway.configuration = shipped | {
            "public_url": self.origin, "trusted_proxies": ["127.0.0.1"], "limits": ROOMY | {"requests_per_address": 3}}
        return gateway

    def start(self):
        (self.folder / "password.conf").write_text("requirepass a-password-of-redis\n")
        (self.folder / "redis.conf").write_text(replaced((COMPOSE / "redis.conf").read_text(), {
            "port 6379": f"port {self.redis_port}\nbind 127.0.0.1", "dir /data": f"dir {self.folder}",
            "/run/redis/password.conf": str(self.folder / "password.conf")}))
        self.redis = subprocess.Popen(["redis-server", self.folder / "redis.conf"], stdout=subprocess.DEVNULL)
        for gateway in self.gateways:
            gateway.start()
        servers = "\n".join(
            f"    server gateway{number} 127.0.0.1:{gateway.callbacks_port}"
            for number, gateway in enumerate(self.gateways))
        text, resolvers, _ = (COMPOSE / "haproxy.cfg").read_text().partition("resolvers docker\n    nameserver")
        assert resolvers
        (self.folder / "haproxy.cfg").write_text(replaced(text, {
            "bind :8443 ssl crt /etc/haproxy/tls/": f"bind 127.0.0.1:{self.port} ssl crt {self.folder}/tls/",
            " resolvers docker init-addr none": "", "    server-template gateway 4 switchyard:8080": servers}))
        self.log = self.folder / "haproxy.log"
        with self.log.open("wb") as log:
            self.haproxy = subprocess.Popen(
                ["haproxy", "-db", "-f", self.folder / "haproxy.cfg"], stdout=log, stderr=subprocess.STDOUT)
        eventually(self._answers, what="HAProxy with gateways behind it")
        return self

    def _answers(self):
        try:
            return wire.request(f"{self.origin}/nowhere", ca=CA).status == 404
        except OSError:
            return False

    def stop(self):
        for program in ("haproxy", "redis"):
            if hasattr(self, program):
                getattr(self, program).terminate()
                getattr(self, program).wait(timeout=20)
        for gateway in self.gateways:
            gateway.stop()


@pytest.fixture(scope="module")
def stack(run_folder, issuer):
    stack = Stack(run_folder / "compose", issuer.base)
    try:
        yield stack.start()
    finally:
        stack.stop()


def sign_in(stack):
    pending = Api(stack.origin, ca=CA).begin(APP, scope="openid")
    started = wire.request(pending.start_url, ca=CA)
    assert started.status == 303, "the browser is where the app is"
    assert wire.request(authorize(started.header("Location")), ca=CA).status == 303
    outcome = pending.outcome()
    pending.api.call("DELETE", pending.path, token=pending.token)
    return outcome["status"]


def test_people_sign_in_through_either_gateway(stack):
    assert [sign_in(stack) for _ in range(4)] == ["completed"] * 4
    answered = [line.split()[6] for line in stack.log.read_text().splitlines() if "/app1/auth" in line]
    assert {"gateways/gateway0", "gateways/gateway1"} >= set(answered)


def test_the_doctor_finds_nothing_wrong_with_how_redis_is_set_up(stack):
    report = json.loads(run("doctor", "--config", stack.gateways[0].file, "--json", "--ca", CA).stdout)
    found = [one for one in report["findings"] if one["area"] == "store"]
    assert found and [one for one in found if one["level"] != "ok"] == []


def test_no_code_is_in_the_proxys_log(stack):
    sign_in(stack)
    said = eventually(lambda: "/app1/auth" in stack.log.read_text() and stack.log.read_text(), what="a line of it")
    assert "code=" not in said and "state=" not in said


def test_a_gateway_that_goes_takes_no_sign_in_with_it(stack):
    pending = Api(stack.origin, ca=CA).begin(APP, scope="openid")
    stack.gateways[0].stop()
    try:
        assert wire.request(authorize(wire.request(pending.start_url, ca=CA).header("Location")), ca=CA).status == 303
        assert pending.outcome()["status"] == "completed"
        pending.api.call("DELETE", pending.path, token=pending.token)
    finally:
        stack.gateways[0].start()


def test_a_clients_claim_about_its_address_ends_at_the_proxy(stack):
    api = Api(stack.origin, ca=CA)
    statuses = [
        api.begin_reply(APP, headers={"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=198.51.100.{n}"}).status
        for n in range(5)]
    assert statuses[:3] == [201] * 3 and set(statuses[3:]) <= {429, 503}
