"""Encrypted ID tokens, JARM responses and userinfo: opened only by the app's keys and the named algorithms."""

import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.modern import ModernProvider, encryptor, key_pair
from harness.programs import eventually, run

KINDS = ["RSA", "P-256", "P-384"]
MANAGEMENT = {"RSA": ["RSA-OAEP-256"], "P-256": ["ECDH-ES", "ECDH-ES+A256KW"], "P-384": ["ECDH-ES", "ECDH-ES+A256KW"]}
CONTENT = ["A128GCM", "A256GCM", "A128CBC-HS256"]
ALL = [(kind, alg, enc) for kind in KINDS for alg in MANAGEMENT[kind] for enc in CONTENT]


class World:
    def __init__(self, folder):
        self.provider = ModernProvider()
        self.keys = {kind: key_pair(kind, folder / f"{kind}.pem") for kind in KINDS}
        self.gateway = Gateway(folder, self.provider.base)
        self.gateway.configuration["issuers"] = [self.provider.configuration("demo")]

        def files():
            return [{"id": kind, "key_file": str(folder / f"{kind}.pem")} for kind in KINDS]

        def app(name, **keys):
            return self.gateway.app(
                name, "Bank", client_id=CLIENT, client_secret=SECRET, default_scope="openid mail",
                token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]},
                **keys)

        self.gateway.configuration["apps"] = [
            app("app", encryption_keys_for_tokens=files()), app("plain"),
            app("info", encryption_keys_for_tokens=files(), encrypted=["jarm"], userinfo=True),
            app("jarm", encryption_keys_for_tokens=files(), encrypted=["jarm"], response_mode="jwt"),
            app("idle", encryption_keys_for_tokens=files(), encrypted=["jarm"], response_mode="jwt"),
            app("both", encryption_keys_for_tokens=files(), encrypted=["id_token", "jarm"], response_mode="form_post.jwt")]
        self.gateway.start()

    def begin(self, app="app"):
        return self.gateway.api().begin(f"com.contoso.{app}", demo=None)

    def sign_in(self, app="app"):
        pending = self.begin(app)
        assert self.gateway.browse(self.provider.authorize(pending.authorization_url)).status == 303
        return pending


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "encrypted"
    folder.mkdir()
    world = World(folder)
    yield world
    world.gateway.stop()
    world.provider.stop()


@pytest.fixture
def world(running):
    running.provider.reset()
    return running


@pytest.mark.parametrize("kind, alg, enc", ALL)
@pytest.mark.parametrize("named", [True, False])
def test_an_id_token_opens(world, kind, alg, enc, named):
    header = {"kid": kind} if named else {}
    world.provider.encrypts = encryptor(world.keys[kind], alg, enc, **header)
    result = world.sign_in().outcome()
    assert result["status"] == "completed", result
    assert result["id_token_claims"]["sub"] == "alice"
    assert result["token_response"]["id_token"].count(".") == 4


def refusals(world):
    p256, rsa = world.keys["P-256"], world.keys["RSA"]
    good = encryptor(p256, "ECDH-ES", "A256GCM")
    flip = lambda text: text[:-3] + ("AAA" if not text.endswith("AAA") else "BBB")  # noqa: E731
    return {
        "zip": encryptor(p256, "ECDH-ES", "A256GCM", zip="DEF"),
        "another key": encryptor(key_pair("P-256"), "ECDH-ES", "A256GCM"),
        "another RSA key": encryptor(key_pair("RSA"), "RSA-OAEP-256", "A256GCM"),
        "another key under our name": encryptor(key_pair("P-256"), "ECDH-ES", "A256GCM", kid="P-256"),
        "RSA-OAEP with SHA-1": encryptor(rsa, "RSA-OAEP", "A256GCM"),
        "RSA1_5": encryptor(rsa, "RSA1_5", "A256GCM"),
        "A128KW": encryptor(p256, "ECDH-ES+A128KW", "A256GCM"),
        "A256CBC-HS512": encryptor(p256, "ECDH-ES", "A256CBC-HS512"),
        "A192GCM": encryptor(p256, "ECDH-ES", "A192GCM"),
        "a second layer": lambda text: good(good(text)),
        "unsigned inside": lambda text: good("eyJhbGciOiJub25lIn0." + text.split(".")[1] + "."),
        "claims alone inside": lambda text: good('{"sub":"alice"}'),
        "a changed tag": lambda text: flip(good(text)),
        "a changed key": lambda text: ".".join(
            [*encryptor(rsa, "RSA-OAEP-256", "A256GCM")(text).split(".")[:1], flip(encryptor(rsa, "RSA-OAEP-256", "A256GCM")(text).split(".")[1]),
             *encryptor(rsa, "RSA-OAEP-256", "A256GCM")(text).split(".")[2:]]),
        "six parts": lambda text: good(text) + ".x",
        "signed only": lambda text: text,
    }


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", [
    "zip", "another key", "another RSA key", "another key under our name", "RSA-OAEP with SHA-1", "RSA1_5", "A128KW",
    "A256CBC-HS512", "A192GCM", "a second layer", "unsigned inside", "claims alone inside", "a changed tag", "a changed key",
    "six parts", "signed only"])
def test_another_form_is_refused(world, name):
    world.provider.encrypts = refusals(world)[name]
    error = world.sign_in().failure()
    assert error["code"] == "invalid_id_token", error


def test_a_critical_header_is_refused(world):
    def encrypt(text):
        head, *rest = encryptor(world.keys["P-256"], "ECDH-ES", "A256GCM")(text).split(".")
        import base64, json  # noqa: E401
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))) | {"crit": ["x"], "x": 1}
        return ".".join([base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=").decode(), *rest])

    world.provider.encrypts = encrypt
    assert "crit" in world.sign_in().failure()["description"]


def test_an_app_without_keys_opens_nothing(world):
    world.provider.encrypts = encryptor(world.keys["P-256"], "ECDH-ES", "A256GCM")
    error = world.sign_in("plain").failure()
    assert error["code"] == "invalid_id_token" and "encrypted" in error["description"]


def test_userinfo_opens_too(world):
    encrypt = encryptor(world.keys["RSA"], "RSA-OAEP-256", "A128CBC-HS256")

    def userinfo(_):
        status, headers, token = world.provider.signed_userinfo()
        return status, headers, encrypt(token)

    world.provider.answers["/userinfo"] = userinfo
    assert world.sign_in("info").outcome()["userinfo"]["email"] == "alice@contoso.com"


# JARM


@pytest.mark.parametrize("kind, alg, enc", ALL[::3])
def test_an_encrypted_response_is_accepted(world, kind, alg, enc):
    pending = world.begin("jarm")
    world.provider.encrypts = encryptor(world.keys[kind], alg, enc)
    callback = world.provider.jarm(pending.authorization_url)
    world.provider.encrypts = None
    assert world.gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"


def test_both_may_be_encrypted(world):
    pending = world.begin("both")
    world.provider.encrypts = encryptor(world.keys["P-384"], "ECDH-ES", "A256GCM")
    callback = world.provider.jarm(pending.authorization_url)
    address, content = callback.split("?")
    answer = world.gateway.browse(address, method="POST", body=content.encode(),
                                  headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status == 303, answer.text
    assert pending.outcome()["status"] == "completed"


def test_a_response_that_is_only_signed_is_refused_where_it_must_be_encrypted(world):
    pending = world.begin("jarm")
    assert world.gateway.browse(world.provider.jarm(pending.authorization_url)).status == 400
    assert pending.is_untouched()


@pytest.mark.parametrize("name", ["another key", "zip", "A192GCM", "unsigned inside", "a second layer", "a changed tag"])
def test_a_response_of_another_form_changes_nothing(world, name):
    pending = world.begin("jarm")
    world.provider.encrypts = refusals(world)[name]
    assert world.gateway.browse(world.provider.jarm(pending.authorization_url)).status == 400
    assert pending.is_untouched()


@pytest.mark.rule(9)
def test_nothing_is_opened_while_the_app_waits_for_nothing(world):
    """A text that does not open has another page than one that was not opened."""
    world.provider.encrypts = encryptor(key_pair("P-256"), "ECDH-ES", "A256GCM")
    text = parse_qs(urlsplit(world.provider.jarm(world.begin("jarm").authorization_url)).query)["response"][0]

    def title(path):
        return re.search("<h1>(.*?)</h1>", world.gateway.browse(world.gateway.url(path)).text).group(1)

    assert title(f"/idle/auth?response={text}") == title("/app/auth?code=c&state=unknown")
    assert title(f"/idle/auth?response={text}") != title(f"/jarm/auth?response={text}")


@pytest.mark.rule(9)
def test_an_address_has_few_responses_opened(world):
    pending = world.begin("jarm")
    world.provider.encrypts = encryptor(key_pair("P-256"), "ECDH-ES", "A256GCM")
    text = parse_qs(urlsplit(world.provider.jarm(pending.authorization_url)).query)["response"][0]

    def bring(_):
        return world.gateway.browse(world.gateway.url(f"/jarm/auth?response={text}"), source="127.0.0.77").status

    # Side by side, because one after another may be slower than the limit on a busy machine.
    with ThreadPoolExecutor(16) as pool:
        eventually(lambda: 503 in set(pool.map(bring, range(200))), what="a refusal")
    # Other addresses are not held back.
    assert world.gateway.browse(world.gateway.url(f"/jarm/auth?response={text}"), source="127.0.0.78").status == 400


# The configuration


@pytest.mark.parametrize("fault, words", [
    ("open", "other users of this machine can open the private key"), ("small", "2048 bits"), ("curve", "2048 bits"),
    ("public", "no private key"), ("twice", "a second key"), ("empty", "an empty list"), ("nothing", "encrypted names nothing"),
    ("without", "has no meaning here"),
])
def test_check_refuses_unusable_keys(world, tmp_path, fault, words):
    # A folder that others may enter. In pytest's folders no other user reaches a file, so its mode would not matter.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        check_unusable_keys(world, tmp_path, Path(folder) / "key.pem", fault, words)


def check_unusable_keys(world, tmp_path, file, fault, words):
    key = key_pair("P-256", file)
    if fault == "open":
        file.chmod(0o644)
    elif fault in ("small", "curve"):
        private = rsa.generate_private_key(65537, 1024) if fault == "small" else ec.generate_private_key(ec.SECP521R1())
        file.write_bytes(private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    elif fault == "public":
        file.write_bytes(key.as_pem(private=False))
    entry = {"id": "e", "key_file": str(file)}
    keys = {"encryption_keys_for_tokens": [entry, dict(entry)] if fault == "twice" else [entry]}
    if fault == "empty":
        keys = {"encryption_keys_for_tokens": []}
    elif fault == "nothing":
        keys["encrypted"] = []
    elif fault == "without":
        keys = {"encrypted": ["jarm"]}
    gateway = Gateway(tmp_path, world.provider.base)
    gateway.configuration["apps"] = [gateway.app("one", "One", client_id="c", **keys)]
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr
