"""Client authentication by assertions (RFC 7523), the keys that sign them, and the address that publishes these."""

import json
import os
import shutil
import tempfile
from base64 import b64decode
from datetime import datetime, timedelta, timezone
from pathlib import Path

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.exception import UnAuthorizedClient
from idpyoidc.server.oauth2.pushed_authorization import PushedAuthorization
from idpyoidc.server.oidc.authorization import Authorization
from idpyoidc.server.oidc.token import Token
from idpyoidc.server.user_authn.user import NoAuthn

from harness.agent import AgentGateway
from harness.certificates import Certificate
from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.modern import key_pair
from harness.programs import run
from harness.strict import StrictProvider

KINDS = {
    "p256": lambda: ec.generate_private_key(ec.SECP256R1()), "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "rsa": lambda: rsa.generate_private_key(65537, 2048), "ed25519": ed25519.Ed25519PrivateKey.generate,
}
ALGORITHMS = {"p256": "ES256", "p384": "ES384", "rsa": "PS256", "ed25519": "EdDSA"}


def callers():
    """A mapping of its own each time: YAML aliases are no configuration."""
    return {"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}



def pem(key):
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def private_file(path, content):
    path.touch(mode=0o600)
    path.write_bytes(content)
    return path


def certificate(key, name="client"):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(timezone.utc)
    return x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key()).serial_number(
        x509.random_serial_number()).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=9)).sign(
            key, hashes.SHA256()).public_bytes(Encoding.PEM)


class World:
    """A gateway with an app for each kind of key, at one provider that verifies all of it."""

    def __init__(self, folder):
        self.provider = StrictProvider("private_key_jwt", lambda: self.registered)
        self.secretive = StrictProvider("client_secret_jwt", par="offered")
        self.folder, self.registered = folder, []
        for kind, make in KINDS.items():
            private_file(folder / f"{kind}.pem", pem(make()))
        key_pair("P-256", folder / "enc.pem")
        gateway = self.gateway = Gateway(folder, self.provider.base, log={"level": "debug"})
        gateway.configuration["issuers"] = [
            {"name": "strict", "issuer": self.provider.base}, {"name": "secretive", "issuer": self.secretive.base}]

        def app(name, issuer="strict", **keys):
            return gateway.app(name, name, issuer=issuer, client_id=CLIENT, begin_from=callers(), default_scope="openid mail", **keys)

        def signing(*names):
            return {"token_endpoint_auth_method": "private_key_jwt",
                    "signing_keys": [{"id": name, "key_file": str(folder / f"{name}.pem")} for name in names]}

        gateway.configuration["apps"] = [
            *(app(kind, **signing(kind)) for kind in KINDS),
            app("turning", **signing("p256", "rsa")),
            app("both", **signing("p384"), encryption_keys_for_tokens=[{"id": "enc", "key_file": str(folder / "enc.pem")}],
                encrypted=["jarm"]),
            app("secret", "secretive", client_secret=SECRET, token_endpoint_auth_method="client_secret_jwt"),
            {"id": "com.contoso.hosted", "issuer": "strict", "client_id": "hosted", "begin_from": callers(), "dpop": "required",
             "redirect_uris": [gateway.url("/hosted")], **signing("p256")}]
        gateway.start()

    def keys(self, app):
        answer = self.gateway.browse(self.gateway.url(f"/clients/com.contoso.{app}/keys"))
        assert answer.status == 200, answer.text
        return json.loads(answer.body)["keys"]

    def begin(self, app):
        return self.gateway.api().begin(f"com.contoso.{app}", demo=None)

    def sign_in(self, app, provider=None):
        provider = provider or self.provider
        pending = self.begin(app)
        opened = self.gateway.browse(pending.start_url)
        assert opened.status == 303, (opened.text, provider.problems)
        assert self.gateway.browse(provider.authorize(opened.header("Location"))).status == 303
        result = pending.outcome()
        assert result["status"] == "completed", (result, provider.problems)
        return result

    def call(self, path, app, **fields):
        return self.gateway.api().call("POST", path, {"app": f"com.contoso.{app}"} | fields)

    def stop(self):
        self.gateway.stop()
        self.provider.stop()
        self.secretive.stop()


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "client-keys"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.fixture
def world(running):
    for provider in (running.provider, running.secretive):
        provider.reset()
        provider.more_metadata.clear()
    return running


# Assertions


@pytest.mark.parametrize("kind", KINDS)
def test_an_app_with_a_key_proves_itself_at_every_endpoint(world, kind):
    world.registered = world.keys(kind)
    tokens = world.sign_in(kind)["token_response"]
    again = world.call("/v1/tokens", kind, refresh_token=tokens["refresh_token"])
    assert again.status == 200, (again.text, world.provider.problems)
    refresh_token = again.json["token_response"]["refresh_token"]
    assert world.call("/v1/revocations", kind, token=refresh_token).status == 204
    assert [one["path"] for one in world.provider.assertions] == ["/par", "/token", "/token", "/revoke"]
    assert world.provider.problems == []
    for one in world.provider.assertions:
        header, claims = one["header"], one["claims"]
        assert header == {"alg": ALGORITHMS[kind], "kid": kind, "typ": "client-authentication+jwt"}
        assert set(claims) == {"iss", "sub", "aud", "jti", "iat", "exp"}
        assert claims["aud"] == world.provider.base and claims["exp"] - claims["iat"] == 60
    assert len({one["claims"]["jti"] for one in world.provider.assertions}) == 4


@pytest.mark.parametrize("kind, announced, algorithm", [
    ("ed25519", ["Ed25519", "EdDSA"], "Ed25519"), ("ed25519", ["EdDSA"], "EdDSA"), ("ed25519", ["ES256"], "EdDSA"),
    ("rsa", ["RS256"], "RS256"), ("rsa", ["RS256", "PS256"], "PS256"), ("rsa", ["ES256", "PS256"], "PS256"),
    ("p384", ["ES256", "ES384"], "ES384"),
])
def test_the_algorithm_follows_the_key_and_the_issuers_metadata(start_gateway, world, kind, announced, algorithm):
    provider = StrictProvider(
        "private_key_jwt", lambda: world.registered, metadata={"token_endpoint_auth_signing_alg_values_supported": announced})

    def change(gateway):
        gateway.configuration["apps"] = [gateway.app(
            kind, kind, client_id=CLIENT, begin_from=callers(), token_endpoint_auth_method="private_key_jwt",
            signing_keys=[{"id": kind, "key_file": str(world.folder / f"{kind}.pem")}])]

    gateway = start_gateway(provider.base, change)
    try:
        gateway.browse(gateway.api().begin(f"com.contoso.{kind}", demo=None).start_url)
        sent = provider.asked("/par")[0]["form"]["client_assertion"]
        assert jwt.get_unverified_header(sent)["alg"] == algorithm
    finally:
        provider.stop()


def another_provider(issuer, keys, redirect_uri, folder):
    """idpyoidc at the same issuer, which knows the client and its keys."""
    crypt = {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": name} for name in ("password", "salt")]}
    settings = {"client_authn_method": ["private_key_jwt"]}
    server = Server(OPConfiguration(base_path="", conf={
        "issuer": issuer, "template_dir": "", "key_conf": {"key_defs": [{"type": "EC", "crv": "P-256", "use": ["sig"]}], "uri_path": "keys"},
        "token_handler_args": {"jwks_def": {"private_path": str(folder / "other-provider.json"), "read_only": False,
                                            "key_defs": [{"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}]},
                               "code": {"lifetime": 600}},
        "endpoint": {"authorization": {"path": "authorize", "class": Authorization, "kwargs": {}},
                     "pushed_authorization": {"path": "par", "class": PushedAuthorization, "kwargs": settings},
                     "token": {"path": "token", "class": Token, "kwargs": settings}},
        "authentication": {"anon": {"acr": "x", "class": NoAuthn, "kwargs": {"user": "alice"}}},
        "session_params": {"encrypter": {"kwargs": {"keys": crypt, "iterations": 1}}}}))
    server.context.cdb[CLIENT] = {
        "client_id": CLIENT, "redirect_uris": [(redirect_uri, {})], "response_types_supported": ["code"],
        "token_endpoint_auth_method": "private_key_jwt", "allowed_scopes": ["openid", "mail"]}
    server.keyjar.import_jwks({"keys": keys}, CLIENT)
    return server


@pytest.mark.parametrize("kind", ["p256", "p384", "rsa"])
def test_a_provider_of_other_hands_takes_the_assertions(world, kind):
    world.registered = world.keys(kind)
    world.sign_in(kind)
    form = world.provider.asked("/par")[0]["form"]
    server = another_provider(world.provider.base, world.registered, form["redirect_uri"], world.folder)
    call = {"headers": {}, "method": "POST", "url": world.provider.base}
    push = server.get_endpoint("pushed_authorization")
    # The issuer's identifier is the only audience.
    push.allowed_targets = [""]
    assert push.process_request(push.parse_request(form, http_info=call))["http_response"]["request_uri"]
    with pytest.raises(UnAuthorizedClient):
        push.parse_request(form, http_info=call)
    token = server.get_endpoint("token")
    token.allowed_targets = [""]
    known = token.client_authentication(world.provider.asked("/token")[0]["form"], call, endpoint=token)
    assert known["client_id"] == CLIENT


def test_an_app_with_a_secret_never_sends_it(world):
    world.sign_in("secret", world.secretive)
    assert world.secretive.problems == []
    assert [one["header"] for one in world.secretive.assertions] == [{"alg": "HS256", "typ": "client-authentication+jwt"}]
    assert all(SECRET not in json.dumps(one) for one in world.secretive.requests)


@pytest.mark.parametrize("path", ["/par", "/token"])
def test_each_try_has_an_assertion_of_its_own(world, path):
    world.registered = world.keys("p256")
    world.provider.refuse(path, (503, "later"))
    world.sign_in("p256")
    sent = [one["form"]["client_assertion"] for one in world.provider.asked("/par") + world.provider.asked("/token")]
    assert len(sent) == len(set(sent)) == 3 and world.provider.problems == []


def test_a_refused_assertion_ends_the_sign_in_and_nothing_else_is_tried(world):
    world.registered = []
    pending = world.begin("p256")
    assert world.gateway.browse(pending.start_url).status != 303
    assert pending.outcome()["error"]["oauth_error"] == "invalid_client"
    for one in world.provider.asked("/par"):
        assert "client_assertion" in one["form"] and "client_secret" not in one["form"]
        assert "authorization" not in one["headers"]
    assert len(world.provider.asked("/par")) == 1, "no second try with less"


def test_no_log_holds_an_assertion_or_a_key(world):
    world.registered = world.keys("p256")
    world.sign_in("p256")
    log = world.gateway.log.read_text()
    assert "com.contoso.p256" in log
    for asked in world.provider.asked("/par") + world.provider.asked("/token"):
        assert asked["form"]["client_assertion"].rsplit(".", 1)[1] not in log
    for line in (world.folder / "p256.pem").read_text().splitlines()[1:-1]:
        assert line not in log


# Issuers that want their token endpoint as the audience


@pytest.fixture
def endpoint_world(tmp_path, start_gateway):
    key = KINDS["rsa"]()
    private_file(tmp_path / "key.pem", pem(key))
    (tmp_path / "cert.pem").write_bytes(certificate(key))
    keys = []
    provider = StrictProvider("private_key_jwt", lambda: keys, jws_types=("JWT",), issuer_audience=False)

    def change(gateway):
        gateway.configuration["issuers"] = [
            {"name": "demo", "issuer": provider.base, "deviations": {"assertion_audience": "token_endpoint"}},
            {"name": "other", "issuer": "https://other.example"}]
        gateway.configuration["apps"] = [gateway.app(
            "one", "One", client_id=CLIENT, begin_from=callers(), default_scope="openid mail",
            token_endpoint_auth_method="private_key_jwt", signing_keys=[
                {"id": "k", "key_file": str(tmp_path / "key.pem"), "certificate_file": str(tmp_path / "cert.pem")}])]

    gateway = start_gateway(provider.base, change)
    yield gateway, provider, keys
    provider.stop()


def test_an_assertion_for_a_token_endpoint_is_named_by_its_certificate(endpoint_world, tmp_path):
    gateway, provider, keys = endpoint_world
    keys += json.loads(gateway.browse(gateway.url("/clients/com.contoso.one/keys")).body)["keys"]
    der = x509.load_pem_x509_certificate((tmp_path / "cert.pem").read_bytes()).public_bytes(Encoding.DER)
    assert [b64decode(one) for one in keys[0]["x5c"]] == [der]
    pending = gateway.api().begin("com.contoso.one", demo=None)
    opened = gateway.browse(pending.start_url)
    assert opened.status == 303, provider.problems
    assert gateway.browse(provider.authorize(opened.header("Location"))).status == 303
    assert pending.outcome()["status"] == "completed", provider.problems
    assert provider.problems == [] and len(provider.assertions) == 2
    for one in provider.assertions:
        assert set(one["header"]) == {"alg", "typ", "x5t#S256"} and one["claims"]["aud"] == f"{provider.base}/token"


def test_a_key_for_a_token_endpoint_belongs_to_one_issuer(endpoint_world, tmp_path):
    gateway, _, _ = endpoint_world
    again = gateway.app("two", "Two", client_id="c", issuer="other", begin_from=callers(), token_endpoint_auth_method="private_key_jwt",
                        signing_keys=[{"id": "another-id", "key_file": str(tmp_path / "key.pem")}])
    gateway.configuration["apps"].append(again)
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and "at an app of another issuer" in done.stderr + done.stdout
    again["issuer"] = "demo"
    gateway.write()
    assert run("check", "--config", gateway.file).returncode == 0


def test_the_preset_of_entra_names_the_deviation():
    assert "assertion_audience" in run("issuers", "entra").stdout


# Rotation


def test_a_key_is_changed_without_a_restart(world):
    world.registered = published = world.keys("turning")
    assert [key["kid"] for key in published] == ["p256", "rsa"]
    world.sign_in("turning")
    assert {one["header"]["kid"] for one in world.provider.assertions} == {"p256"}
    app = next(app for app in world.gateway.configuration["apps"] if app["id"] == "com.contoso.turning")
    pending = world.begin("turning")
    opened = world.gateway.browse(pending.start_url)
    app["signing_keys"].reverse()
    world.gateway.write()
    assert run("reload", "--config", world.gateway.file).returncode == 0
    assert [key["kid"] for key in world.keys("turning")] == ["rsa", "p256"]
    # A sign-in that is on its way goes on, with the key of now.
    assert world.gateway.browse(world.provider.authorize(opened.header("Location"))).status == 303
    assert pending.outcome()["status"] == "completed", world.provider.problems
    assert world.provider.assertions[-1]["header"]["kid"] == "rsa"
    assert world.provider.problems == []


# The key set


def test_the_key_set_has_the_public_halves_of_all_keys(world):
    keys = world.keys("both")
    assert [(key["kid"], key["use"], key["crv"]) for key in keys] == [("p384", "sig", "P-384"), ("enc", "enc", "P-256")]
    for app in ("rsa", "ed25519", "both"):
        for key in world.keys(app):
            assert not {"d", "p", "q", "dp", "dq", "qi", "k", "oth"} & set(key)
    public = serialization.load_pem_private_key((world.folder / "rsa.pem").read_bytes(), None).public_key()
    assert jwt.PyJWK(world.keys("rsa")[0], algorithm="PS256").key.public_numbers() == public.public_numbers()


def test_the_key_set_is_served_as_client_documents_are(world):
    address = world.gateway.url("/clients/com.contoso.rsa/keys")
    answer = world.gateway.browse(address)
    assert answer.status == 200 and answer.header("Content-Type") == "application/json"
    assert answer.header("Cache-Control") == "public, max-age=3600" and not answer.header("Set-Cookie")
    tag = answer.header("ETag")
    assert tag and world.gateway.browse(address, headers={"If-None-Match": tag}).status == 304
    head = world.gateway.browse(address, method="HEAD")
    assert head.status == 200 and head.header("ETag") == tag and not head.body
    assert world.gateway.browse(address, method="POST").status == 405
    for wrong in ("com.contoso.secret/keys", "none/keys", "com.contoso.rsa/keys?x=1", "com.contoso.rsa/keys/", "/keys", "keys"):
        assert world.gateway.browse(world.gateway.url(f"/clients/{wrong}")).status == 404, wrong


def test_a_hosted_client_names_its_keys(world):
    address = world.gateway.url("/clients/com.contoso.hosted")
    document = json.loads(world.gateway.browse(address).body)
    assert document["token_endpoint_auth_method"] == "private_key_jwt" and document["jwks_uri"] == f"{address}/keys"
    assert document["dpop_bound_access_tokens"] is True
    assert [key["kid"] for key in json.loads(world.gateway.browse(document["jwks_uri"]).body)["keys"]] == ["p256"]


def test_check_prints_the_address_of_the_keys(world):
    done = run("check", "--config", world.gateway.file)
    assert done.returncode == 0, done.stderr
    assert world.gateway.url("/clients/com.contoso.rsa/keys") in done.stdout
    assert "/clients/com.contoso.secret/keys" not in done.stdout


# An agent


def test_an_agents_app_signs_too(run_folder, world):
    folder = run_folder / "key-agent"
    folder.mkdir()
    shutil.copy(world.folder / "p256.pem", folder / "p256.pem")
    provider = StrictProvider("private_key_jwt", lambda: world.registered, par="offered")
    world.registered = world.keys("p256")
    agent = AgentGateway(folder, provider.base)
    agent.configuration["issuers"] = [provider.configuration("demo")]
    agent.configuration["apps"] = [agent.app(
        "bank", "Bank", client_id=CLIENT, default_scope="openid mail", token_endpoint_auth_method="private_key_jwt",
        begin_from={"uids": [os.getuid()]}, signing_keys=[{"id": "p256", "key_file": str(folder / "p256.pem")}])]
    agent.start()
    try:
        api = agent.local_api()
        pending = api.begin("com.contoso.bank", demo=None)
        assert agent.browse(provider.authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed", provider.problems
        assert [one["header"]["kid"] for one in provider.assertions] == ["p256"]
    finally:
        agent.stop()
        provider.stop()


# The configuration


def refused(folder, issuer, **keys):
    gateway = Gateway(folder, issuer)
    app = {"client_id": "c", "begin_from": callers()} | keys
    gateway.configuration["apps"] = [gateway.app("one", "One", **{name: value for name, value in app.items() if value is not None})]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("fault, words", [
    ("open", "other users of this machine can open the private key"), ("weak", "an RSA key of 1024 bits"),
    ("curve", "a key on the curve P-521"), ("public", "no private key"), ("twice", "a second key"),
    ("empty", "an empty list"), ("absent", "cannot be read"), ("foreign", "the certificate is for another key"),
    ("unreadable", "no certificate in PEM"), ("none", "private_key_jwt without signing_keys"),
    ("short", "client_secret_jwt with a client secret of 31 bytes"), ("secret", "has no meaning here"),
    ("anyone", "write begin_from"),
])
def test_check_refuses_unusable_keys(world, tmp_path, fault, words):
    # A folder that others may enter. In pytest's folders no other user reaches a file, so its mode would not matter.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        file = Path(folder) / "key.pem"
        key = {"weak": lambda: rsa.generate_private_key(65537, 1024), "curve": lambda: ec.generate_private_key(ec.SECP521R1())}.get(
            fault, KINDS["p256"])()
        if fault != "absent":
            private_file(file, pem(key))
        entry = {"id": "k", "key_file": str(file)}
        keys = {"token_endpoint_auth_method": "private_key_jwt", "signing_keys": [entry]}
        match fault:
            case "open":
                file.chmod(0o644)
            case "public":
                file.write_bytes(key.public_key().public_bytes(Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
            case "twice":
                keys["signing_keys"] = [entry, dict(entry)]
            case "empty":
                keys["signing_keys"] = []
            case "foreign" | "unreadable":
                other = Path(folder) / "cert.pem"
                other.write_bytes(certificate(KINDS["p256"]()) if fault == "foreign" else b"none")
                entry["certificate_file"] = str(other)
            case "none":
                del keys["signing_keys"]
            case "short":
                keys = {"token_endpoint_auth_method": "client_secret_jwt", "client_secret": "x" * 31}
            case "secret":
                keys["client_secret"] = SECRET
            case "anyone":
                keys["begin_from"] = None
        said = refused(tmp_path, world.provider.base, **keys)
        assert words in said, said


def test_check_warns_of_a_certificate_that_has_expired(tmp_path, world):
    old = Certificate(tmp_path, "old", days=-1)
    old.key_file.chmod(0o600)
    gateway = Gateway(tmp_path, world.provider.base)
    gateway.configuration["apps"] = [gateway.app(
        "one", "One", client_id=CLIENT, begin_from=callers(), token_endpoint_auth_method="private_key_jwt",
        signing_keys=[{"id": "k", "key_file": str(old.key_file), "certificate_file": str(old.pem)}])]
    gateway.write()
    done = run("check", "--config", gateway.file)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "the certificate of a signing key expired on" in said, said


# The command


@pytest.mark.parametrize("algorithm, kind", [(None, "EC"), ("ES384", "EC"), ("PS256", "RSA"), ("Ed25519", "OKP")])
def test_a_signing_key_is_made_and_what_to_register_is_said(tmp_path, world, algorithm, kind):
    file = tmp_path / "new.pem"
    made = run("keys", "new", "--kind", "signing", "--file", file, *(["--algorithm", algorithm] if algorithm else []))
    assert made.returncode == 0, made.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    (key,) = json.loads(made.stdout)["keys"]
    assert key["kty"] == kind and key["use"] == "sig" and "d" not in key
    assert "PRIVATE" not in made.stdout + made.stderr
    for word in ("private_key_jwt", "signing_keys", key["kid"], "jwks_uri", str(file)):
        assert word in made.stderr
    serialization.load_pem_private_key(file.read_bytes(), None)
    before = file.read_bytes()
    again = run("keys", "new", "--kind", "signing", "--file", file)
    assert again.returncode == 1 and file.read_bytes() == before


def test_a_key_that_was_made_signs(start_gateway, tmp_path):
    made = run("keys", "new", "--kind", "signing", "--file", tmp_path / "new.pem")
    keys = json.loads(made.stdout)["keys"]
    provider = StrictProvider("private_key_jwt", lambda: keys, par="offered")

    def change(gateway):
        gateway.configuration["apps"] = [gateway.app(
            "made", "Made", client_id=CLIENT, begin_from=callers(), token_endpoint_auth_method="private_key_jwt",
            default_scope="openid mail", signing_keys=[{"id": keys[0]["kid"], "key_file": str(tmp_path / "new.pem")}])]

    gateway = start_gateway(provider.base, change)
    try:
        pending = gateway.api().begin("com.contoso.made", demo=None)
        assert gateway.browse(provider.authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed", provider.problems
    finally:
        provider.stop()


@pytest.mark.parametrize("arguments", [("--kind", "secret"), ("--algorithm", "ES256"), ("--kind", "signing", "--algorithm", "HS256")])
def test_a_wrong_kind_is_wrong_usage(arguments):
    assert run("keys", "new", *arguments).returncode == 2
