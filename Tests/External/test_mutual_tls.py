"""Clients that prove themselves by a certificate in TLS (RFC 8705): `tls_client_auth`, `self_signed_tls_client_auth`."""

import json
import os
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from harness.agent import AgentGateway
from harness.certificates import Certificate
from harness.deviating import CLIENT
from harness.forward import ForwardProxy
from harness.gateway import CA, Gateway
from harness.modern import key_pair
from harness.programs import CERTIFICATES, eventually, run
from harness.standin import JSON, StandIn
from harness.strict import StrictProvider
from harness.vault import VAULT

IDP = "idp.corp.test"
SERVER = SimpleNamespace(pem=CERTIFICATES / "server.pem", key_file=CERTIFICATES / "server.key")


class World:
    """A provider with its client endpoints on a server that asks for certificates, and two apps with a certificate each."""

    def __init__(self, folder):
        self.authority = Certificate(folder, "authority", is_authority=True)
        self.mail = Certificate(folder, "mail", issuer=self.authority)
        self.calendar = Certificate(folder, "calendar")
        for one in (self.mail, self.calendar):
            one.key_file.chmod(0o600)
        self.provider = StrictProvider(method="tls_client_auth", par="offered")
        self.front = StandIn(certificate=SERVER, clients=[self.authority.pem, self.calendar.pem])
        self.gateway = Gateway(folder, self.provider.base)
        self.gateway.configuration["issuers"] = [{"name": "strict", "issuer": self.provider.base, "ca": str(CA)}]
        self.gateway.configuration["apps"] = [
            self.app("mail", self.mail, "tls_client_auth"),
            self.app("pushed", self.mail, "tls_client_auth", par="required", userinfo=True),
            self.app("calendar", self.calendar, "self_signed_tls_client_auth"),
        ]
        self.reset()
        self.gateway.start()

    def app(self, name, certificate, method, **keys):
        return self.gateway.app(
            name, name, issuer="strict", client_id=CLIENT, token_endpoint_auth_method=method,
            tls_client_certificate=str(certificate.pem), tls_client_key=str(certificate.key_file),
            begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}, default_scope="openid mail", **keys)

    def reset(self):
        self.provider.reset()
        self.provider.certificates_of_client = [der(self.mail), der(self.calendar)]
        self.front.reset()
        aliases = {"token_endpoint": "/token", "revocation_endpoint": "/revoke",
                   "pushed_authorization_request_endpoint": "/par", "userinfo_endpoint": "/userinfo"}
        # Behind the front stands the provider itself.
        for path in aliases.values():
            self.front.answers[path] = lambda request, path=path: self.provider.answers[path](request)
        self.provider.answers["/userinfo"] = lambda request: (200, JSON, {"sub": "alice"})
        self.provider.answers["/.well-known/openid-configuration"] = (200, JSON, self.provider.metadata(
            userinfo_endpoint=f"{self.provider.base}/userinfo",
            mtls_endpoint_aliases={name: self.front.base + path for name, path in aliases.items()}))

    def sign_in(self, app):
        pending = self.gateway.api().begin(f"com.contoso.{app}", demo=None)
        url = pending.authorization_url
        if url == pending.start_url:
            url = self.gateway.browse(url).header("Location")
        assert self.gateway.browse(self.provider.authorize(url)).status == 303
        outcome = pending.outcome()
        assert outcome["status"] == "completed", (outcome, self.provider.problems)
        return outcome

    def shown(self, path):
        return [request["certificate"] for request in self.front.asked(path)]

    def stop(self):
        self.gateway.stop()
        self.front.stop()
        self.provider.stop()


def der(certificate):
    return certificate.certificate.public_bytes(Encoding.DER)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("mutual-tls"))
    yield world
    world.stop()


@pytest.fixture(autouse=True)
def fresh(world):
    world.reset()


@pytest.mark.parametrize("app, certificate", [("mail", "mail"), ("calendar", "calendar")])
def test_a_client_proves_itself_by_its_certificate_at_the_alias(world, app, certificate):
    assert world.sign_in(app)["token_response"]["access_token"]
    assert world.shown("/token") == [der(getattr(world, certificate))]
    assert not world.provider.asked("/token")
    form = world.front.asked("/token")[0]["form"]
    assert form["client_id"] == CLIENT and "client_secret" not in form and "client_assertion" not in form
    assert "authorization" not in world.front.asked("/token")[0]["headers"]


def test_refresh_revocation_push_and_userinfo_show_it_too(world):
    tokens = world.sign_in("pushed")
    assert tokens["userinfo"] == {"sub": "alice"}
    api, app = world.gateway.api(), "com.contoso.pushed"
    refreshed = api.call("POST", "/v1/tokens", {"app": app, "refresh_token": tokens["token_response"]["refresh_token"]})
    assert refreshed.status == 200, refreshed.body
    revoked = api.call("POST", "/v1/revocations", {"app": app, "token": refreshed.json["token_response"]["refresh_token"]})
    assert revoked.status in (200, 204), revoked.body
    for path, times in (("/par", 1), ("/token", 2), ("/userinfo", 1), ("/revoke", 1)):
        assert world.shown(path) == [der(world.mail)] * times, path


def test_the_key_set_has_a_certificate_that_is_known_by_registration(world):
    answer = world.gateway.browse(world.gateway.url("/clients/com.contoso.calendar/keys"))
    assert answer.status == 200
    key, = json.loads(answer.text)["keys"]
    assert b64decode(key["x5c"][0]) == der(world.calendar) and "d" not in key
    assert world.gateway.browse(world.gateway.url("/clients/com.contoso.mail/keys")).status == 404


def test_the_key_set_has_each_id_once(world, run_folder):
    folder = run_folder / "key-ids"
    folder.mkdir()
    key_pair("P-256", folder / "tls.pem")
    gateway = Gateway(folder, "https://localhost:1")
    gateway.configuration["issuers"] = [{"name": "strict", "issuer": "https://localhost:1"}]
    gateway.configuration["apps"] = [world.app(
        "calendar", world.calendar, "self_signed_tls_client_auth", request_object="signed",
        signing_keys=[{"id": "tls", "key_file": str(folder / "tls.pem")}]) | {"redirect_uris": [gateway.url("/calendar/auth")]}]
    gateway.start()
    try:
        keys = json.loads(gateway.browse(gateway.url("/clients/com.contoso.calendar/keys")).text)["keys"]
    finally:
        gateway.stop()
    assert len(keys) == 2 and len({key["kid"] for key in keys}) == 2


@pytest.mark.rule(6)
def test_apps_share_neither_connections_nor_sessions(world):
    for app in ("mail", "calendar", "mail", "calendar"):
        world.sign_in(app)
    assert world.shown("/token") == [der(world.mail), der(world.calendar)] * 2
    by_connection = {}
    for request in world.front.requests:
        by_connection.setdefault(request["peer"], set()).add(request["certificate"])
    assert all(len(shown) == 1 for shown in by_connection.values())


def test_a_reload_takes_a_new_certificate(world, tmp_path):
    old = der(world.mail)
    new = Certificate(tmp_path, "mail", issuer=world.authority)
    kept = world.mail.pem.read_bytes(), world.mail.key_file.read_bytes()
    try:
        world.sign_in("mail")
        world.mail.pem.write_bytes(new.pem.read_bytes())
        world.mail.key_file.write_bytes(new.key_file.read_bytes())
        world.provider.certificates_of_client.append(der(new))
        world.gateway.reload()

        def shows_the_new_one():
            world.sign_in("mail")
            return world.shown("/token")[-1] == der(new)

        eventually(shows_the_new_one, what="the new certificate")
        assert world.shown("/token")[0] == old
    finally:
        world.mail.pem.write_bytes(kept[0])
        world.mail.key_file.write_bytes(kept[1])
        world.gateway.reload()


# Elsewhere


def start_agent(agent, world):
    agent.configuration["issuers"] = [{"name": "strict", "issuer": world.provider.base, "ca": str(CA)}]
    app = world.app("mail", world.mail, "tls_client_auth") | {"redirect_uris": [agent.url("/mail/auth")], "begin_from": {"uids": [os.getuid()]}}
    agent.configuration["apps"] = [app]
    agent.start()
    return agent.local_api()


def sign_in_by_agent(agent, api, world):
    pending = api.begin("com.contoso.mail", demo=None, scope="openid mail profile offline_access")
    assert agent.browse(world.provider.authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed", world.provider.problems


def test_an_agents_app_shows_its_certificate(world, run_folder):
    agent = AgentGateway(run_folder, world.provider.base)
    api = start_agent(agent, world)
    try:
        sign_in_by_agent(agent, api, world)
        reply = api.call("POST", "/v1/tokens", {"app": "com.contoso.mail", "scope": "mail", "force_refresh": True})
        assert reply.status == 200, (reply.body, world.provider.problems)
        VAULT.remember("token", reply.json["access_token"])
        account = api.call("GET", "/v1/accounts?app=com.contoso.mail").json["accounts"][0]["id"]
        assert api.call("DELETE", f"/v1/accounts/{account}?app=com.contoso.mail").status == 204
    finally:
        agent.stop()
    assert world.shown("/token") == [der(world.mail)] * 2 and world.shown("/revoke") == [der(world.mail)]


def test_an_agents_refresh_token_goes_to_no_other_alias(world, run_folder):
    """Changed metadata could collect refresh tokens by an alias, as they could by another token endpoint."""
    agent, elsewhere = AgentGateway(run_folder, world.provider.base), StandIn(certificate=SERVER, clients=[world.authority.pem])
    api = start_agent(agent, world)
    try:
        sign_in_by_agent(agent, api, world)
        agent.stop()
        world.provider.answers["/.well-known/openid-configuration"] = (200, JSON, world.provider.metadata(
            mtls_endpoint_aliases={"token_endpoint": f"{elsewhere.base}/token", "revocation_endpoint": f"{elsewhere.base}/revoke"}))
        agent.start()
        reply = api.call("POST", "/v1/tokens", {"app": "com.contoso.mail", "scope": "mail", "force_refresh": True})
        assert (reply.status, reply.json["error"]) == (401, "interaction_required"), reply.body
        account = api.call("GET", "/v1/accounts?app=com.contoso.mail").json["accounts"][0]["id"]
        signed_out = api.call(
            "DELETE", f"/v1/accounts/{account}?app=com.contoso.mail", headers={"Prefer": "return=representation"})
        assert signed_out.json == {"revocation": "failed"}, signed_out.body
    finally:
        agent.stop()
        elsewhere.stop()
    assert not elsewhere.requests


def test_a_certificate_goes_through_a_proxy(world, run_folder):
    """The proxy makes a tunnel, so the issuer sees the certificate of the app. The host of the alias is known there alone."""
    folder = run_folder / "mutual-tls-proxy"
    folder.mkdir()
    server = Certificate(folder, IDP, issuer=world.authority, names=[x509.DNSName(IDP)])
    front, proxy = StandIn(IDP, server, clients=[world.authority.pem]), ForwardProxy(hosts=[IDP]).start()
    gateway = Gateway(folder, world.provider.base)
    try:
        front.answers["/token"] = lambda request: world.provider.answers["/token"](request)
        world.provider.answers["/.well-known/openid-configuration"] = (
            200, JSON, world.provider.metadata(mtls_endpoint_aliases={"token_endpoint": f"{front.base}/token"}))
        gateway.configuration["outgoing"] = {"proxy": proxy.address}
        gateway.configuration["issuers"] = [{"name": "strict", "issuer": world.provider.base, "ca": str(world.authority.pem)}]
        gateway.configuration["apps"] = [
            world.app("mail", world.mail, "tls_client_auth") | {"redirect_uris": [gateway.url("/mail/auth")]}]
        gateway.start()
        pending = gateway.api().begin("com.contoso.mail", demo=None)
        assert gateway.browse(world.provider.authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed", world.provider.problems
        assert [request["certificate"] for request in front.asked("/token")] == [der(world.mail)]
        assert proxy.tunnels() == [(f"{IDP}:{front.port}", 200)]
    finally:
        gateway.stop()
        front.stop()
        proxy.stop()


# The words of `check`


@pytest.fixture
def check(world, tmp_path):
    # A folder that others may enter. In pytest's folders no other user reaches a file, so its mode would not matter.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield checking(world, tmp_path, Path(folder))


def checking(world, tmp_path, folder):
    def say(change):
        gateway = Gateway(tmp_path, "http://127.0.0.1:9")
        certificate = Certificate(folder, "client", issuer=world.authority)
        certificate.key_file.chmod(0o600)
        app = world.app("mail", certificate, "tls_client_auth")
        app |= {"issuer": "demo", "redirect_uris": [gateway.url("/mail/auth")]}
        change(app, certificate, folder)
        gateway.configuration["apps"] = [app]
        gateway.write()
        return run("check", "--config", gateway.file)

    return say


def readable(app, certificate, folder):
    certificate.key_file.chmod(0o644)


def anothers(app, certificate, folder):
    other = Certificate(folder, "other")
    other.key_file.chmod(0o600)
    app["tls_client_key"] = str(other.key_file)


def halved(app, certificate, folder):
    """The public half is the certificate's, the private half another key's."""
    other = Certificate(folder, "other")
    der = certificate.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    one, two = (key.private_numbers().private_value.to_bytes(32, "big") for key in (certificate.key, other.key))
    text = b64encode(der.replace(one, two)).decode()
    certificate.key_file.write_text(f"-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n")


def expired(app, certificate, folder):
    old = Certificate(folder, "old", days=-1)
    old.key_file.chmod(0o600)
    app |= {"tls_client_certificate": str(old.pem), "tls_client_key": str(old.key_file)}


def with_secret(app, certificate, folder):
    app["client_secret"] = "a-secret"


def keyless(app, certificate, folder):
    del app["tls_client_key"]


def by_secret(app, certificate, folder):
    app |= {"token_endpoint_auth_method": "client_secret_post", "client_secret": "a-secret"}


@pytest.mark.parametrize("change, words", [
    (readable, "other users of this machine can open the private key"),
    (anothers, "the private key does not belong to the certificate"),
    (halved, "the private key does not belong to the certificate"),
    (expired, "expired on"),
    (with_secret, "token_endpoint_auth_method is tls_client_auth"),
    (keyless, "tls_client_key"),
    (by_secret, "with a certificate it is tls_client_auth or self_signed_tls_client_auth"),
])
def test_check_refuses(check, change, words):
    done = check(change)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr


def test_check_names_the_subject_and_says_who_can_use_bound_tokens(check):
    done = check(lambda *_: None)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tls_client_auth with the certificate of CN=client" in done.stdout and "only holders of its key" in done.stdout
