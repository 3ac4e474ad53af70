"""Clients of resources that were registered by hand and prove themselves by a key or a certificate (`resources: allow: client`)."""

import json
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from joserfc.jwk import ECKey

from harness.agent import AgentGateway
from harness.certificates import Certificate
from harness.deviating import CLIENT
from harness.gateway import CA, Gateway
from harness.modern import key_pair
from harness.programs import CERTIFICATES, run
from harness.standin import JSON, StandIn
from harness.strict import StrictProvider
from harness.vault import VAULT

SERVER = SimpleNamespace(pem=CERTIFICATES / "server.pem", key_file=CERTIFICATES / "server.key")


class KeyedResource(StrictProvider):
    """A resource at `/api`, and at the same port an authorization server that verifies what its clients prove."""

    def __init__(self, method, **options):
        self.keys, self.front = [], None
        super().__init__(method, lambda: self.keys, par="offered", **options)
        self.url = f"{self.base}/api"

    def reset(self):
        super().reset()
        self.answers["/.well-known/oauth-protected-resource/api"] = (
            200, JSON, {"resource": f"{self.base}/api", "authorization_servers": [self.base]})

    def metadata(self, **changes):
        return super().metadata(
            code_challenge_methods_supported=["S256"], token_endpoint_auth_signing_alg_values_supported=["ES256"], **changes)

    def put_behind(self, certificates):
        """The endpoints for clients stand at a server of their own, which asks for certificates."""
        self.front = StandIn(certificate=SERVER, clients=[one.pem for one in certificates])
        self.certificates_of_client = [one.certificate.public_bytes(Encoding.DER) for one in certificates]
        aliases = {"token_endpoint": "/token", "revocation_endpoint": "/revoke"}
        for path in aliases.values():
            self.front.answers[path] = lambda request, path=path: self.answers[path](request)
        self.answers["/.well-known/openid-configuration"] = (200, JSON, self.metadata(
            mtls_endpoint_aliases={name: self.front.base + path for name, path in aliases.items()}))

    def stop(self):
        super().stop()
        if self.front:
            self.front.stop()


class World:
    def __init__(self, gateway, provider, client):
        self.gateway, self.provider = gateway, provider
        entry = {"url": provider.url, "ca": str(CA), "client": {"client_id": CLIENT, "issuer": provider.base, **client}}
        self.is_agent = isinstance(gateway, AgentGateway)
        self.gateway.configuration["resources"] = {"allow": [entry]} | ({} if self.is_agent else {
            "redirect_uri": gateway.url("/resource"), "release": "none", "begin_from": {"networks": ["127.0.0.0/8"]}})
        self.gateway.start()

    @property
    def api(self):
        return self.gateway.local_api() if self.is_agent else self.gateway.api()

    def call(self, path, **fields):
        return self.api.call("POST", path, {"resource": self.provider.url, **fields})

    def sign_in(self):
        begun = self.call("/v1/requests").json
        if not self.provider.keys and self.provider.method == "private_key_jwt" and not self.is_agent:
            document = begun["redirect_uri"].rsplit("/", 1)[1]
            answer = self.gateway.browse(self.gateway.url(f"/clients/resource.{document}/keys"))
            self.provider.keys += json.loads(answer.body)["keys"]
        assert self.gateway.browse(self.provider.authorize(begun["authorization_url"])).status == 303
        reply = self.api.call("GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
        assert reply.json["status"] == "completed", (reply.body, self.provider.problems)
        VAULT.remember_all(reply.json["token_response"])
        return reply.json["token_response"]

    def stop(self):
        self.gateway.stop()
        self.provider.stop()


@pytest.fixture
def make():
    made = []

    def build(*arguments):
        made.append(World(*arguments))
        return made[-1]

    yield build
    for one in made:
        one.stop()


def signing(folder):
    key_pair("P-256", folder / "client.pem")
    return {"token_endpoint_auth_method": "private_key_jwt", "signing_keys": [{"id": "k", "key_file": str(folder / "client.pem")}]}


def certified(folder, method, **options):
    certificate = Certificate(folder, "client", **options)
    certificate.key_file.chmod(0o600)
    return certificate, {"token_endpoint_auth_method": method, "tls_client_certificate": str(certificate.pem),
                         "tls_client_key": str(certificate.key_file)}


def test_a_gateways_client_signs_its_assertions(make, run_folder):
    world = make(Gateway(run_folder, "https://localhost:1"), KeyedResource("private_key_jwt"), signing(run_folder))
    token = world.sign_in()["refresh_token"]
    reply = world.call("/v1/tokens", refresh_token=token)
    assert reply.status == 200, (reply.body, world.provider.problems)
    VAULT.remember_all(reply.json["token_response"])
    reply = world.call("/v1/revocations", token=reply.json["token_response"]["refresh_token"])
    assert reply.status == 204, (reply.body, world.provider.problems)
    assert [one["path"] for one in world.provider.assertions] == ["/token", "/token", "/revoke"]
    assert "public keys (jwks_uri): " in run("check", "--config", world.gateway.file).stdout
    assert world.provider.problems == []


@pytest.mark.parametrize("method", ["tls_client_auth", "self_signed_tls_client_auth"])
def test_a_gateways_client_shows_its_certificate(make, run_folder, method):
    provider = KeyedResource(method)
    certificate, client = certified(run_folder, method)
    provider.put_behind([certificate])
    world = make(Gateway(run_folder, "https://localhost:1"), provider, client)
    world.sign_in()
    [request] = provider.front.asked("/token")
    assert request["certificate"] == provider.certificates_of_client[0] and not provider.asked("/token")


def stopped_agent(make, run_folder):
    """An agent that keeps a refresh token, and the issuer of it."""
    provider = KeyedResource("private_key_jwt")
    client = signing(run_folder)
    # An agent serves no key set, so the issuer is given the key by hand.
    provider.keys.append(public_key(run_folder / "client.pem"))
    world = make(AgentGateway(run_folder, "https://localhost:1"), provider, client)
    world.sign_in()
    world.gateway.stop()
    return world, provider


def test_an_agents_client_has_its_key_after_a_restart_too(make, run_folder):
    world, provider = stopped_agent(make, run_folder)
    world.gateway.start()
    reply = world.call("/v1/tokens", force_refresh=True)
    assert reply.status == 200, (reply.body, provider.problems)
    VAULT.remember("token", reply.json["access_token"])
    assert [one["path"] for one in provider.assertions] == ["/token", "/token"] and provider.problems == []
    pem = (run_folder / "client.pem").read_text().splitlines()[1]
    home = b"".join(file.read_bytes() for file in world.gateway.home.rglob("*") if file.is_file())
    assert pem.encode() not in home


def test_an_agent_without_the_key_of_a_client_sends_its_token_nowhere(make, run_folder):
    """Nothing would prove the client any more: a request without its assertion is not sent in its place."""
    world, provider = stopped_agent(make, run_folder)
    del world.gateway.configuration["resources"]["allow"][0]["client"]
    world.gateway.start()
    sent = len(provider.asked("/token"))
    reply = world.call("/v1/tokens", force_refresh=True)
    assert (reply.status, reply.json["error"]) == (401, "interaction_required"), reply.body
    assert "no longer configured" in reply.json["error_description"]
    account = world.api.call("GET", f"/v1/accounts?resource={provider.url}").json["accounts"][0]["id"]
    signed_out = world.api.call(
        "DELETE", f"/v1/accounts/{account}?resource={provider.url}", headers={"Prefer": "return=representation"})
    assert (signed_out.status, signed_out.json) == (200, {"revocation": "failed"}), signed_out.body
    assert len(provider.asked("/token")) == sent and not provider.asked("/revoke")


def public_key(file):
    key = ECKey.import_key(file.read_bytes()).as_dict(private=False)
    return {**{name: key[name] for name in ("kty", "crv", "x", "y")}, "kid": "k", "use": "sig"}


def without(name):
    return lambda client: client.pop(name)


@pytest.mark.parametrize("change, words", [
    (without("signing_keys"), "private_key_jwt without signing_keys"),
    (lambda client: client.update(client_secret="x" * 32), "a secret beside private_key_jwt"),
    (lambda client: client.update(token_endpoint_auth_method="client_secret_basic", client_secret="x" * 32), '"signing_keys" has no meaning here'),
    (lambda client: client.update(tls_client_key="/none"), '"tls_client_key" has no meaning here'),
    (lambda client: os.chmod(client["signing_keys"][0]["key_file"], 0o644), "other users of this machine can open the private key"),
])
def test_check_refuses(tmp_path, change, words):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        client = {"client_id": CLIENT, "issuer": "https://id.example", **signing(Path(folder))}
        change(client)
        gateway = Gateway(tmp_path, "https://localhost:1")
        gateway.configuration["resources"] = {
            "redirect_uri": gateway.url("/resource"), "begin_from": {"networks": ["127.0.0.0/8"]},
            "allow": [{"url": "https://api.example/", "client": client}]}
        gateway.write()
        done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr
