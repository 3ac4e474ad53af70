"""`begin_from`: only listed users, networks, client certificates and API keys may begin."""

import http.client
import os
import secrets
import ssl
import subprocess
from urllib.parse import urlsplit

import pytest

from harness.api import Api
from harness.certificates import Certificate
from harness.gateway import CA, Gateway
from harness.programs import CERTIFICATES, eventually
from harness.vault import VAULT

NOBODY = 64999
ELSEWHERE = ["192.0.2.0/24"]


class CertifiedApi(Api):
    """The API over TLS, by a client that shows a certificate if it is asked for one."""

    def __init__(self, address, pem, key, version=None):
        super().__init__(address, ca=CA)
        self._context = ssl.create_default_context(cafile=str(CA))
        self._context.load_cert_chain(pem, key)
        if version is not None:
            self._context.minimum_version = self._context.maximum_version = version

    def connect(self, seconds=90):
        parts = urlsplit(self.address)
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=seconds, context=self._context)


def certified(gateway, certificate, version=None):
    return CertifiedApi(f"https://localhost:{gateway.api_port}", certificate.pem, certificate.key_file, version)


def api_key():
    key = secrets.token_urlsafe(32)
    VAULT.remember("api key", key)
    return key


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def refusal(reply):
    return reply.status, reply.json["error"], reply.header("WWW-Authenticate")


FORBIDDEN = (403, "unauthorized_client", None)
UNAUTHORIZED = (401, "invalid_client", "Bearer")


@pytest.fixture(scope="module")
def world(run_folder, issuer):
    """One gateway with an app for each way to be let in: (gateway, keys, certificates)."""
    folder = run_folder / "begin-from"
    folder.mkdir()
    ca = Certificate(folder, "authority", is_authority=True)
    other_ca = Certificate(folder, "other-authority", is_authority=True)
    certificates = {
        "by the authority": Certificate(folder, "client", ca),
        "by another authority": Certificate(folder, "stranger", other_ca),
        "expired": Certificate(folder, "expired", ca, days=-1),
        "listed itself": Certificate(folder, "own", other_ca),
        "listed itself and expired": Certificate(folder, "own-expired", other_ca, days=-1),
    }
    keys = [api_key(), api_key()]
    key_file = folder / "keys"
    key_file.write_text("\n".join(keys) + "\n")
    key_file.chmod(0o600)
    listed = [ca.pem, certificates["listed itself"].pem, certificates["listed itself and expired"].pem]
    ways = {
        "anybody": None,
        "user": {"uids": [os.getuid()]},
        "other-user": {"uids": [NOBODY]},
        "network": {"networks": ["127.0.0.9", *ELSEWHERE]},
        "certificate": {"client_certificates": [str(path) for path in listed]},
        "key": {"api_key_file": str(key_file)},
        "all": {
            "uids": [NOBODY], "networks": ["127.0.0.9"], "client_certificates": [str(ca.pem)],
            "api_key_file": str(key_file),
        },
    }
    program = Gateway(run_folder, issuer.base)
    for name, way in ways.items():
        # An app with a secret, which others must not use; the app for all callers has none.
        more = {} if way is None else {"begin_from": way, "client_secret": "a-secret-not-to-borrow"}
        program.configuration["apps"].append(program.app(name, name, client_id=name, **more))
    program.start()
    yield program, keys, certificates
    program.stop()


def begin(api, name, headers=None):
    return api.begin_reply(f"com.contoso.{name}", headers=headers)


def test_an_app_without_begin_from_takes_everybody(world):
    gateway, _, certificates = world
    for api in (gateway.api(), gateway.local_api(), certified(gateway, certificates["by another authority"])):
        assert begin(api, "anybody").status == 201
    assert begin(gateway.api(), "anybody", bearer("no key of anybody's")).status == 201


def test_a_user_is_known_on_a_unix_socket_only(world):
    gateway, _, _ = world
    assert begin(gateway.local_api(), "user").status == 201
    assert refusal(begin(gateway.api(), "user")) == FORBIDDEN
    assert refusal(begin(gateway.local_api(), "other-user")) == FORBIDDEN


def test_a_network_is_known_on_tcp_only(world):
    gateway, _, _ = world
    assert begin(gateway.api(source="127.0.0.9"), "network").status == 201
    assert refusal(begin(gateway.api(source="127.0.0.8"), "network")) == FORBIDDEN
    assert refusal(begin(gateway.local_api(), "network")) == FORBIDDEN


def test_a_forwarded_address_of_a_network_counts_from_trusted_proxies_only(world):
    gateway, _, _ = world
    reply = begin(gateway.api(), "network", {"X-Forwarded-For": "192.0.2.7"})
    assert refusal(reply) == FORBIDDEN


@pytest.mark.rule(12)
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_a_proxy_that_is_not_trusted_lends_its_own_address_to_nobody(world, header):
    gateway, _, certificates = world
    reply = begin(gateway.api(source="127.0.0.9"), "network", {header: "for=192.0.2.7"})
    assert refusal(reply) == FORBIDDEN and "trusted_proxies" in reply.json["error_description"]
    proxied = begin(certified(gateway, certificates["listed itself"]), "certificate", {header: "for=192.0.2.7"})
    assert refusal(proxied) == FORBIDDEN, "nor its certificate"


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("kind, passes", [
    ("by the authority", True), ("listed itself", True), ("by another authority", False), ("expired", False),
    ("listed itself and expired", False),
])
def test_a_certificate_counts_by_itself_or_by_its_authority_until_it_expires(world, kind, passes, version):
    gateway, _, certificates = world
    reply = begin(certified(gateway, certificates[kind], version), "certificate")
    assert reply.status == 201 if passes else refusal(reply) == FORBIDDEN


def test_a_client_without_a_certificate_is_served_but_may_not_begin(world):
    gateway, _, _ = world
    assert refusal(begin(gateway.api(), "certificate")) == FORBIDDEN
    assert refusal(begin(gateway.local_api(), "certificate")) == FORBIDDEN
    assert begin(gateway.api(), "anybody").status == 201


def test_a_certificate_is_judged_for_each_app_by_its_own_list(world):
    gateway, _, certificates = world
    # The app "all" lists the authority, and not that other certificate.
    assert begin(certified(gateway, certificates["by the authority"]), "all").status == 201
    assert begin(certified(gateway, certificates["listed itself"]), "all").status == 401
    assert refusal(begin(certified(gateway, certificates["by the authority"]), "network")) == FORBIDDEN


def test_browsers_are_not_asked_for_a_certificate(world):
    gateway, _, _ = world
    asked = {}
    for name, port in (("browsers", gateway.callbacks_port), ("apps", gateway.api_port)):
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"localhost:{port}", "-msg", "-tls1_3"],
            input=b"", capture_output=True, timeout=30)
        asked[name] = b"CertificateRequest" in done.stdout
    assert asked == {"browsers": False, "apps": True}


@pytest.mark.parametrize("index", [0, 1])
def test_each_key_of_the_file_passes(world, index):
    gateway, keys, _ = world
    for api in (gateway.api(), gateway.local_api()):
        assert begin(api, "key", bearer(keys[index])).status == 201
    assert begin(gateway.api(), "key", {"Authorization": f"bearer  {keys[index]}"}).status == 201


def test_a_missing_key_is_401_and_says_how(world):
    gateway, _, _ = world
    for api in (gateway.api(), gateway.local_api()):
        assert refusal(begin(api, "key")) == UNAUTHORIZED
    assert begin(gateway.api(), "key", bearer(world[1][0])).status == 201


@pytest.mark.parametrize("spoil", [
    lambda key: f"Bearer {key[:-1]}", lambda key: f"Bearer {key}x", lambda key: f"Bearer {key.swapcase()}",
    lambda key: f"Basic {key}", lambda key: key, lambda key: "Bearer", lambda key: "Bearer ",
    lambda key: f"Bearer {key}, Bearer {key}", lambda key: "",
])
def test_a_wrong_key_is_403_and_never_echoed(world, spoil):
    gateway, keys, _ = world
    field = spoil(keys[0])
    reply = begin(gateway.api(), "key", {"Authorization": field})
    assert refusal(reply) == FORBIDDEN
    assert keys[0].encode()[:-1] not in reply.body
    assert begin(gateway.api(), "key", bearer(keys[0])).status == 201


def test_any_one_of_the_ways_is_enough(world):
    gateway, keys, certificates = world
    assert begin(gateway.api(source="127.0.0.9"), "all").status == 201
    assert begin(gateway.api(), "all", bearer(keys[1])).status == 201
    assert begin(certified(gateway, certificates["by the authority"]), "all", bearer("a wrong one")).status == 201
    assert refusal(begin(gateway.api(), "all")) == UNAUTHORIZED
    assert refusal(begin(gateway.api(), "all", bearer("a wrong one"))) == FORBIDDEN


def test_a_refused_caller_leaves_nothing_behind(world):
    gateway, _, _ = world
    before = gateway.admin("/readyz").json["pending_requests"]
    begin(gateway.api(), "key", bearer("a wrong one"))
    begin(gateway.api(), "user")
    assert gateway.admin("/readyz").json["pending_requests"] == before


def test_a_key_is_replaced_without_a_gap(start_gateway, tmp_path):
    old, new = api_key(), api_key()
    file = tmp_path / "keys"

    def write(*keys):
        file.write_text("\n".join(keys))
        file.chmod(0o600)

    def change(program):
        app = program.app("app1", "Contoso Mail", client_id="keyed", begin_from={"api_key_file": str(file)})
        program.configuration["apps"] = [app]

    def passes(key):
        return begin(gateway.api(), "app1", bearer(key)).status == 201

    write(old)
    gateway = start_gateway(change=change)
    assert passes(old) and not passes(new)
    write(new, old)
    gateway.reload()
    eventually(lambda: passes(new), what="the new key")
    assert passes(old)
    write(new)
    gateway.reload()
    eventually(lambda: not passes(old), what="the end of the old key")
    assert passes(new)


def test_a_reload_begins_to_ask_for_certificates(start_gateway):
    class Client:
        pem, key_file = CERTIFICATES / "client.pem", CERTIFICATES / "client.key"

    gateway = start_gateway(change=lambda program: program.configuration.update(
        apps=[program.app("app1", "Contoso Mail", begin_from={"networks": ELSEWHERE})]))
    assert refusal(begin(certified(gateway, Client), "app1")) == FORBIDDEN
    gateway.configuration["apps"][0]["begin_from"] = {"client_certificates": [str(CERTIFICATES / "ca.pem")]}
    gateway.write()
    gateway.reload()
    eventually(lambda: begin(certified(gateway, Client), "app1").status == 201, what="the certificate to count")
    assert refusal(begin(gateway.api(), "app1")) == FORBIDDEN


def test_the_certificate_of_a_trusted_proxy_is_not_that_of_its_clients(start_gateway):
    class Proxy:
        pem, key_file = CERTIFICATES / "client.pem", CERTIFICATES / "client.key"

    authority = str(CERTIFICATES / "ca.pem")
    gateway = start_gateway(trusted_proxies=["127.0.0.1"], change=lambda program: program.configuration.update(
        apps=[program.app("app1", "Contoso Mail", begin_from={"client_certificates": [authority]})]))
    for headers in ({"X-Forwarded-For": "192.0.2.9"}, {}):
        assert refusal(begin(certified(gateway, Proxy), "app1", headers)) == FORBIDDEN
