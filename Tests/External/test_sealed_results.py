"""Results sealed to the app's key, and proofs of that key with each call (`result_key`, `result_proof`)."""

import base64
import hashlib
import json
import re
import secrets
import subprocess
import time

import pytest
from joserfc import jwe, jws
from joserfc.jwk import ECKey, OctKey

from harness.forger import encode
from harness.gateway import CA, Gateway
from harness.issuer import authorize, fetch
from harness.programs import SWITCHYARD
from harness.vault import VAULT

APP = "com.contoso.app1"


@pytest.fixture
def key():
    return ECKey.generate_key("P-256")


def opened(key, sealed):
    compact = jwe.decrypt_compact(sealed["jwe"], key, algorithms=["ECDH-ES", "A256GCM"])
    assert (compact.headers()["alg"], compact.headers()["enc"]) == ("ECDH-ES", "A256GCM")
    result = json.loads(compact.plaintext)
    VAULT.remember_all(result.get("token_response"))
    VAULT.remember_all(result.get("parameters"))
    return result


def proof(key, pending, method="GET", path=None, signer=None, header=None, **changes):
    """A DPoP proof (RFC 9449 section 4.2), made by a library from other hands."""
    claims = {
        "jti": secrets.token_urlsafe(16), "htm": method, "htu": pending.api.address + (path or pending.path),
        "iat": int(time.time()),
        "ath": base64.urlsafe_b64encode(hashlib.sha256(pending.token.encode()).digest()).decode().rstrip("="),
    } | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    head = {"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)} | (header or {})
    registry = jws.JWSRegistry(algorithms=["ES256", "HS256", "RS256"], strict_check_header=False)
    return jws.serialize_compact(head, json.dumps(claims), signer or key, registry=registry)


def call(pending, method, path="", body=None, **proofs):
    headers = {"DPoP": proof(method=method, pending=pending, path=pending.path + path, **proofs)} if proofs else {}
    return pending.api.call(method, pending.path + path, body, token=pending.token, headers=headers)


def test_a_result_is_sealed_to_the_key(gateway, api, key):
    pending = api.begin(APP, scope="openid", result_key=key.as_dict(private=False))
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    outcome = pending.outcome()
    assert set(outcome) == {"status", "jwe"} and outcome["status"] == "completed"
    result = opened(key, outcome)
    assert result["status"] == "completed" and result["token_response"]["access_token"]
    assert result["id_token_claims"]["nonce"] == pending.nonce
    assert pending.poll().json == outcome, "it can be read again"
    with pytest.raises(Exception):
        opened(ECKey.generate_key("P-256"), outcome)


def test_a_callback_is_sealed_too(gateway, api, key):
    pending = api.begin(
        APP, completion="response", state="a-state-of-the-app-itself-seal", nonce="n" * 32, scope="openid",
        code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", result_key=key.as_dict(private=False))
    callback = authorize(pending.authorization_url)
    assert gateway.browse(callback).status == 303
    assert opened(key, pending.outcome())["url"] == callback


def test_a_failure_is_not_sealed(gateway, api, key):
    pending = api.begin(APP, demo="deny", result_key=key.as_dict(private=False))
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.failure()["code"] == "access_denied"


def test_the_event_stream_is_sealed(gateway, api, key):
    pending = api.begin(APP, scope="openid", result_key=key.as_dict(private=False))
    events = pending.events()
    assert next(events) == ("status", {"status": "pending"})
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    *_, (_, last) = events
    assert opened(key, last)["token_response"]


BAD_KEYS = {
    "a string": "key", "empty": {}, "RSA": {"kty": "RSA", "n": encode(b"\xc1" + secrets.token_bytes(254) + b"\x01"), "e": "AQAB"},
    "P-384": ECKey.generate_key("P-384").as_dict(private=False), "a secret": OctKey.generate_key(256).as_dict(),
    "private": ECKey.generate_key("P-256").as_dict(private=True),
    "no point": ECKey.generate_key("P-256").as_dict(private=False) | {"y": "A" * 43},
    "padded": ECKey.generate_key("P-256").as_dict(private=False) | {"x": "A" * 42 + "=="},
}


@pytest.mark.parametrize("bad", BAD_KEYS.values(), ids=BAD_KEYS)
def test_another_kind_of_key_is_refused(api, bad):
    reply = api.begin_reply(APP, result_key=bad)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")
    assert "result_key" in reply.json["error_description"]


def test_a_proof_needs_a_key(api):
    assert api.begin_reply(APP, result_proof=True).status == 400
    assert api.begin_reply(APP, result_proof="yes", result_key=ECKey.generate_key("P-256").as_dict(private=False)).status == 400


# Proofs.


@pytest.fixture(scope="module")
def coded(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["apps"].append(gateway.app("coded", "Coded", client_id="coded", release="code"))
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture
def held(coded, key):
    """(request begun with a proof, the code that its page shows)."""
    pending = coded.api().begin(
        "com.contoso.coded", scope="openid", result_key=key.as_dict(private=False), result_proof=True)
    return pending, show_code(coded, pending.authorization_url)


def show_code(gateway, authorization_url):
    came = gateway.browse(authorize(authorization_url))
    cookie = came.header("Set-Cookie").split(";")[0]
    page = gateway.browse(gateway.url(came.header("Location")), headers={"Cookie": cookie})
    return re.search(r'id="release-code"[^>]*>([^<]+)<', page.text)[1]


def test_each_call_is_proved(held, key):
    pending, code = held
    assert call(pending, "GET", key=key).json == {"status": "release_required"}
    assert call(pending, "POST", "/release", {"code": code}, key=key).status == 204
    while (reply := call(pending, "GET", key=key)).status == 202:
        time.sleep(0.05)
    assert opened(key, reply.json)["token_response"]
    assert call(pending, "DELETE", key=key).status == 204
    assert call(pending, "GET", key=key).status == 404


OTHER = ECKey.generate_key("P-256")
BAD_PROOFS = {
    "none": None,
    "another key's": lambda key: {"key": OTHER},
    "signed by another key": lambda key: {"key": key, "signer": OTHER},
    "another method's": lambda key: {"key": key, "htm": "PATCH"},
    "another address's": lambda key: {"key": key, "htu": "https://localhost/v1/requests/other"},
    "too old": lambda key: {"key": key, "iat": int(time.time()) - 600},
    "from the future": lambda key: {"key": key, "iat": int(time.time()) + 600},
    "another token's": lambda key: {"key": key, "ath": "A" * 43},
    "without an id": lambda key: {"key": key, "jti": None},
    "without a time": lambda key: {"key": key, "iat": None},
    "another type": lambda key: {"key": key, "header": {"typ": "JWT"}},
    "HMAC with the public key": lambda key: {
        "key": key, "header": {"alg": "HS256"}, "signer": OctKey.import_key(json.dumps(key.as_dict(private=False)))},
}


@pytest.mark.parametrize("method, path", [("GET", ""), ("POST", "/release"), ("DELETE", "")])
@pytest.mark.parametrize("spoil", BAD_PROOFS.values(), ids=BAD_PROOFS)
def test_a_call_without_a_good_proof_is_refused_and_changes_nothing(held, key, method, path, spoil):
    pending, code = held
    body = {"code": code} if path else None
    reply = call(pending, method, path, body, **(spoil(key) if spoil else {}))
    assert reply.status == 401 and reply.json["error"] == "invalid_dpop_proof"
    assert reply.header("WWW-Authenticate").startswith("DPoP")
    assert call(pending, "GET", key=key).json == {"status": "release_required"}
    assert call(pending, "POST", "/release", {"code": code}, key=key).status == 204


def test_a_proof_is_good_once(held, key):
    pending, _ = held
    once = {"DPoP": proof(key, pending)}
    assert pending.api.call("GET", pending.path, token=pending.token, headers=once).status == 202
    assert pending.api.call("GET", pending.path, token=pending.token, headers=once).status == 401


@pytest.mark.parametrize("value", ["", "a", "A.A.A=", "e30.e30.A=", "." * 9000, "\t", "e30.e30.A==="])
def test_a_malformed_proof_does_no_harm(held, key, value):
    pending, code = held
    reply = pending.api.call("GET", pending.path, token=pending.token, headers={"DPoP": value})
    assert reply.status == 401
    good = proof(key, pending).split(".")
    padded = f"{good[0]}.{good[1]}.A==="
    assert pending.api.call("GET", pending.path, token=pending.token, headers={"DPoP": padded}).status == 401
    assert call(pending, "POST", "/release", {"code": code}, key=key).status == 204


def test_a_proof_does_not_replace_the_token(held, key):
    pending, _ = held
    reply = pending.api.call("GET", pending.path, token="A" * 43, headers={"DPoP": proof(key, pending)})
    assert reply.status == 404


def test_login_seals_proves_and_asks_for_the_code(coded):
    process = subprocess.Popen(
        [SWITCHYARD, "login", "--app", "com.contoso.coded", "--no-browser", "--scope", "openid demo:auto",
         "--gateway", f"https://localhost:{coded.api_port}", "--ca", CA],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = ""
        while "Waiting for sign-in" not in said:
            said += process.stderr.readline()
        start = coded.browse(re.search(r"https://\S+/start/\S+", said)[0])
        code = show_code(coded, start.header("Location"))
        out, error = process.communicate(f"wrong\n\n{code.lower()}\n", timeout=60)
    finally:
        process.kill()
    tokens = json.loads(out)
    VAULT.remember_all(tokens)
    assert process.returncode == 0 and tokens["access_token"]
    assert "2 tries left" in error
