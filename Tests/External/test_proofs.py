"""Proofs of the app's key (RFC 9449) with each call: what a proof may say, how often, and on which door.

`test_sealed_results.py` holds the plain cases. A bad proof here says 401, uses up no try, and the same request goes on.
"""

import hashlib
import json
import re
import secrets
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.forger import encode, sign_by_hand
from harness.gateway import Gateway
from harness.issuer import authorize
from harness.programs import SWITCHYARD
from harness.vault import VAULT

APP = "com.contoso.coded"
KEY = ECKey.generate_key("P-256")
JWK = KEY.as_dict(private=False)


@pytest.fixture(scope="module")
def coded(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["apps"].append(gateway.app("coded", "Coded", client_id="coded", release="code"))
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def show_code(gateway, authorization_url):
    """The page in the browser of the person."""
    came = gateway.browse(authorize(authorization_url))
    cookie = came.header("Set-Cookie").split(";")[0]
    page = gateway.browse(gateway.url(came.header("Location")), headers={"Cookie": cookie})
    code = re.search(r'id="release-code"[^>]*>([^<]+)<', page.text)[1]
    VAULT.remember("release code", code)
    return code


class Proved:
    """A request with `result_proof` and a held code."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.pending = gateway.api().begin(APP, scope="openid", result_key=JWK, result_proof=True)
        self.code = show_code(gateway, self.pending.authorization_url)

    def claims(self, method="GET", path="", **changes):
        ath = encode(hashlib.sha256(self.pending.token.encode()).digest())
        claims = {
            "jti": secrets.token_urlsafe(16), "htm": method, "iat": int(time.time()), "ath": ath,
            "htu": self.pending.api.address + self.pending.path + path,
        } | changes
        return {name: value for name, value in claims.items() if value is not None}

    def proof(self, method="GET", path="", **changes):
        return self.sign(json.dumps(self.claims(method, path, **changes)).encode())

    @staticmethod
    def sign(payload, key=KEY, **head):
        head = {"typ": "dpop+jwt", "alg": "ES256", "jwk": JWK} | head
        head = {name: value for name, value in head.items() if value is not None}
        return sign_by_hand(key, json.dumps(head).encode(), payload)

    def call(self, proof, method="GET", path="", body=None, query="", **headers):
        headers |= {} if proof is None else {"DPoP": proof}
        return self.pending.api.call(
            method, self.pending.path + path + query, body, token=self.pending.token, headers=headers)

    def finish_properly(self):
        """All three tries are left, and the very same request is released, collected and acknowledged."""
        held = self.call(self.proof())
        assert (held.status, held.json) == (202, {"status": "release_required"})
        wrong = self.call(self.proof("POST", "/release"), "POST", "/release", {"code": "BCDFGH"})
        assert (wrong.status, wrong.json["attempts_left"]) == (403, 2)
        assert self.call(self.proof("POST", "/release"), "POST", "/release", {"code": self.code}).status == 204
        reply = self.call(self.proof(), query="?seen=release_required", Prefer="wait=30")
        if reply.status == 202:
            reply = self.call(self.proof(), Prefer="wait=30")
        assert reply.status == 200 and opened(reply.json)["token_response"]["access_token"]
        return self.call(self.proof("DELETE"), "DELETE").status == 204


def opened(sealed):
    result = json.loads(jwe.decrypt_compact(sealed["jwe"], KEY, algorithms=["ECDH-ES", "A256GCM"]).plaintext)
    VAULT.remember_all(result.get("token_response"))
    return result


@pytest.fixture
def proved(coded):
    return Proved(coded)


PRIVATE = KEY.as_dict(private=True)
RSA = {"kty": "RSA", "n": encode(b"\xc1" + secrets.token_bytes(254) + b"\x01"), "e": "AQAB"}
HEADS = {
    "no typ": {"typ": None}, "another typ": {"typ": "JWT"}, "no jwk": {"jwk": None}, "jwk a name": {"jwk": "key"},
    "the private key": {"jwk": PRIVATE}, "alg none": {"alg": "none"}, "no alg": {"alg": None},
    "alg of another curve": {"alg": "ES384"}, "alg HMAC": {"alg": "HS256"}, "critical": {"crit": ["x"], "x": 1},
    "an RSA key": {"jwk": RSA}, "no point": {"jwk": JWK | {"x": "AAAA"}},
    "a key by its name": {"jwk": None, "kid": "honest"},
}
CLAIMS = {
    "no htm": {"htm": None}, "htm in small letters": {"htm": "get"}, "htm a list": {"htm": ["GET", "POST", "DELETE"]},
    "no htu": {"htu": None}, "htu a path": {"htu": "/v1/requests"}, "htu a list": {"htu": ["https://localhost/"]},
    "htu empty": {"htu": ""}, "ath empty": {"ath": ""}, "jti empty": {"jti": ""},
    "jti a number": {"jti": 7}, "jti a book": {"jti": "A" * 6000}, "iat text": {"iat": "1700000000"},
    "iat long ago": {"iat": 0}, "iat negative": {"iat": -1}, "iat far ahead": {"iat": 2**62},
    "iat beyond numbers": {"iat": 10**40}, "iat true": {"iat": True},
}


@pytest.mark.parametrize("method, path", [("GET", ""), ("POST", "/release"), ("DELETE", "")])
@pytest.mark.parametrize("kind, changes", [
    *(pytest.param("head", changes, id=name) for name, changes in HEADS.items()),
    *(pytest.param("claims", changes, id=name) for name, changes in CLAIMS.items()),
])
def test_a_bad_proof_is_refused_and_uses_up_no_try(proved, kind, changes, method, path):
    body = {"code": "BCDFGH"} if path else None
    for _ in range(3):
        claims = proved.claims(method, path, **(changes if kind == "claims" else {}))
        bad = proved.sign(json.dumps(claims).encode(), **(changes if kind == "head" else {}))
        reply = proved.call(bad, method, path, body)
        # Too long for a header field is refused before it is read.
        assert reply.status == 401 or (len(bad) > 8000 and reply.status == 431)
        assert reply.status == 431 or reply.json["error"] == "invalid_dpop_proof"
    assert proved.finish_properly()


def test_a_proof_need_not_name_the_token(proved):
    """Its address names the request, and a request has one token: proofs of one request are of no use to another."""
    assert proved.call(proved.proof(ath=None)).status == 202
    other = proved.proof(ath=None, htu=proved.claims()["htu"][:-1] + "-")
    assert proved.call(other).status == 401
    assert proved.finish_properly()


@pytest.mark.parametrize("name", ["jti", "htm", "htu", "iat", "ath"])
def test_a_claim_of_a_proof_stands_once(proved, name):
    claims = proved.claims()
    text = json.dumps(claims)[:-1] + f', "{name}": {json.dumps(claims[name])}}}'
    assert proved.call(proved.sign(text.encode())).status == 401
    assert proved.finish_properly()


def test_two_proofs_are_none(proved):
    with proved.gateway.api_wire() as wire:
        lines = [f"GET {proved.pending.path} HTTP/1.1", f"Host: {urlsplit(proved.pending.api.address).netloc}",
                 f"Authorization: Bearer {proved.pending.token}", f"DPoP: {proved.proof()}", f"DPoP: {proved.proof()}"]
        assert wire.exchange("\r\n".join(lines).encode() + b"\r\n\r\n").status in (400, 401)
    assert proved.call(f"{proved.proof()}, {proved.proof()}").status == 401
    assert proved.finish_properly()


def test_a_used_proof_is_not_accepted_again(proved):
    """Another proof, freshly signed, under the id of one that was used."""
    jti = secrets.token_urlsafe(16)
    assert proved.call(proved.proof(jti=jti)).status == 202
    assert proved.call(proved.proof(jti=jti, iat=int(time.time()) - 1)).status == 401
    assert proved.call(proved.proof("DELETE", jti=jti), "DELETE").status == 401
    assert proved.finish_properly()


def test_one_proof_many_times_at_once_counts_once(proved):
    proof = proved.proof()
    with ThreadPoolExecutor(12) as pool:
        statuses = [reply.status for reply in pool.map(lambda _: proved.call(proof), range(12))]
    assert sorted(statuses) == [202] + [401] * 11
    assert proved.finish_properly()


def test_a_refused_proof_does_not_spend_its_id(proved):
    """Otherwise a reader of the id could use up the proof of its owner."""
    jti = secrets.token_urlsafe(16)
    stranger = ECKey.generate_key("P-256")
    bad = proved.sign(json.dumps(proved.claims(jti=jti)).encode(), stranger, jwk=stranger.as_dict(private=False))
    assert proved.call(bad).status == 401
    assert proved.call(proved.proof(jti=jti)).status == 202
    assert proved.finish_properly()


def test_a_proof_of_another_request_of_the_same_key_is_none(coded, proved):
    other = Proved(coded)
    assert proved.call(other.proof()).status == 401
    # Not even for the same address: the token that it names is another.
    foreign = other.claims()["ath"]
    assert proved.call(proved.proof(ath=foreign)).status == 401
    assert proved.finish_properly() and other.finish_properly()


def test_the_query_is_no_part_of_what_is_proved(proved):
    reply = proved.call(proved.proof(), query="?seen=pending", Prefer="wait=1")
    assert (reply.status, reply.json) == (202, {"status": "release_required"})
    assert proved.finish_properly()


def test_a_stream_is_proved_too(proved):
    stream = {"Accept": "text/event-stream"}
    assert proved.call(None, **stream).status == 401
    with ThreadPoolExecutor() as pool:
        listening = pool.submit(proved.call, proved.proof(), **stream)
        # `finish_properly` ends with an acknowledgement, after which no stream has anything to tell.
        assert proved.call(proved.proof("POST", "/release"), "POST", "/release", {"code": proved.code}).status == 204
        text = listening.result(timeout=30).body.decode()
    last = json.loads(re.findall(r"^data: ?(.*)$", text, re.MULTILINE)[-1])
    assert opened(last)["status"] == "completed"


def test_a_request_begun_without_proofs_asks_for_none(coded):
    pending = coded.api().begin(APP, scope="openid", result_key=JWK)
    code = show_code(coded, pending.authorization_url)
    assert pending.poll().json == {"status": "release_required"}
    assert pending.api.call("POST", f"{pending.path}/release", {"code": code}, token=pending.token).status == 204


def test_login_over_a_unix_socket_proves_as_well(coded):
    command = [SWITCHYARD, "login", "--app", APP, "--no-browser", "--scope", "openid demo:auto"]
    process = subprocess.Popen(
        [*command, "--gateway", coded.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    try:
        said = ""
        while "Waiting for sign-in" not in said:
            said += process.stderr.readline()
        start = coded.browse(re.search(r"https://\S+/start/\S+", said)[0])
        code = show_code(coded, start.header("Location"))
        out, _ = process.communicate(f"{code}\n", timeout=60)
    finally:
        process.kill()
    tokens = json.loads(out)
    VAULT.remember_all(tokens)
    assert process.returncode == 0 and tokens["access_token"]
