"""JARM against an issuer with the test's keys: faults that a signature does not mend, and invalid signatures."""

import base64
import json
import time

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from joserfc.jwk import ECKey, OKPKey, RSAKey

from harness.forger import Forger, Response, encode, sign_by_hand
from harness.gateway import Gateway


@pytest.fixture(scope="module")
def forgers(request):
    made = {"honest": Forger(), "evil": Forger()}
    for forger in made.values():
        request.addfinalizer(forger.stop)
    return made


@pytest.fixture(scope="module")
def signed(request, run_folder, forgers):
    """A gateway with apps at these two issuers, which take signed responses only."""
    gateway = Gateway(run_folder, forgers["honest"].base)
    gateway.configuration["issuers"].append({"name": "evil", "issuer": forgers["evil"].base})
    gateway.configuration["apps"] = [
        gateway.app("jwt", "Query", client_id="jwt", response_mode="jwt"),
        gateway.app("form", "Form", client_id="form", response_mode="form_post.jwt"),
        gateway.app("evil", "Evil", client_id="jwt", response_mode="jwt") | {"issuer": "evil"},
    ]
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture(params=["jwt", "form"])
def response(request, signed, forgers):
    return Response(signed, forgers["honest"], request.param)


def cut_signature(jwt):
    return jwt[:jwt.rindex(".") + 1]


def as_json(jwt):
    """The same signature in the other serialization of RFC 7515."""
    head, payload, signature = jwt.split(".")
    return json.dumps({"protected": head, "payload": payload, "signature": signature})


def der_signature(jwt):
    raw = base64.urlsafe_b64decode(jwt.rpartition(".")[2] + "==")
    r, s = (int.from_bytes(half) for half in (raw[:32], raw[32:]))
    return cut_signature(jwt) + encode(encode_dss_signature(r, s))


def test_what_is_well_signed_is_believed(response):
    assert response.finish_properly()


NOW = time.time()
CLAIMS = {
    "no iss": {"iss": None}, "iss a list": {"iss": ["x"]}, "iss empty": {"iss": ""},
    "no aud": {"aud": None}, "aud empty": {"aud": ""}, "aud an empty list": {"aud": []},
    "aud in capitals": {"aud": "JWT"}, "aud of nobody here": {"aud": ["x", "y"]}, "aud a number": {"aud": 1},
    "aud an object": {"aud": {"jwt": "form"}},
    "no exp": {"exp": None}, "exp as text": {"exp": str(int(NOW) + 600)}, "exp a while ago": {"exp": int(NOW) - 3600},
    "exp never": {"exp": True}, "exp null": {"exp": [int(NOW) + 600]}, "exp negative": {"exp": -1},
    "not before tomorrow": {"nbf": int(NOW) + 86400}, "from tomorrow": {"iat": int(NOW) + 86400},
    "no state": {"state": None}, "empty state": {"state": ""}, "state a number": {"state": 1},
    "unknown state": {"state": "a-state-that-nobody-ever-gave-out-000012"},
    "no code": {"code": None}, "empty code": {"code": ""}, "code a number": {"code": 123456789},
    "code true": {"code": True}, "code a list": {"code": ["a", "b"]}, "code an object": {"code": {"code": "x"}},
    "code and error": {"error": "access_denied"}, "error a number": {"code": None, "error": 1},
    "error empty": {"code": None, "error": ""}, "error without state": {"code": None, "error": "x", "state": None},
}


@pytest.mark.rule(3)
@pytest.mark.rule(10)
@pytest.mark.parametrize("changes", CLAIMS.values(), ids=CLAIMS)
def test_a_signature_does_not_mend_its_claims(response, changes):
    assert response.deliver(response.forger.sign(response.claims(**changes))).status == 400
    assert response.finish_properly()


@pytest.mark.parametrize("changes", [
    {"iat": int(NOW)}, {"nbf": int(NOW) - 60}, {"session_state": "a=b c"}, {"extra": {"nested": [1, None]}},
])
def test_further_parameters_of_a_good_response_do_no_harm(response, changes):
    assert response.deliver(response.forger.sign(response.claims(**changes))).status == 303
    assert response.pending.outcome()["status"] == "completed"


@pytest.mark.rule(4)
@pytest.mark.parametrize("name", ["code", "state", "iss", "aud", "exp", "error"])
def test_a_claim_stands_once(response, name):
    claims = response.claims()
    first = claims.get(name, "access_denied")
    for second in (first, "another"):
        text = json.dumps(claims)[:-1] + f', "{name}": {json.dumps(second)}'
        text += "}" if name in claims else f', "{name}": "x"}}'
        assert response.deliver(response.forger.sign(text.encode())).status == 400
    assert response.finish_properly()


@pytest.mark.rule(10)
@pytest.mark.parametrize("payload", [
    b"", b"{", b"[]", b"null", b'"text"', b"1", b"\xff\xfe", b"{}", b"{}" * 2, b"[" * 5000, b'{"a":' * 3000,
], ids=["empty", "cut", "list", "null", "text", "number", "no UTF-8", "no claims", "two", "deep list", "deep object"])
def test_a_signature_does_not_mend_what_is_no_object(response, payload):
    assert response.deliver(response.forger.sign(payload)).status in (400, 413, 414)
    assert response.finish_properly()


STRANGER = ECKey.generate_key("P-256")
HEADERS = {
    "a key of its own in jwk": {"key": STRANGER, "kid": None, "jwk": STRANGER.as_dict(private=False)},
    "that key under the honest name": {"key": STRANGER, "jwk": STRANGER.as_dict(private=False) | {"kid": "honest"}},
    "a key at jku": {"key": STRANGER, "jku": "https://evil.example/jwks"},
    "an extension that must be understood": {"crit": ["exp"], "exp": int(NOW) + 600},
    "an empty crit": {"crit": []},
    "a detached payload": {"crit": ["b64"], "b64": False},
    "an algorithm the key is not for": {"key": lambda: RSAKey.generate_key(2048), "alg": "RS256"},
    "EdDSA": {"key": OKPKey.generate_key("Ed25519"), "alg": "EdDSA"},
    "a kid that nobody has": {"kid": "nobody"},
}


@pytest.mark.rule(3)
@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_header_chooses_no_key_and_no_rule(response, header):
    if callable(header.get("key")):
        header = header | {"key": header["key"]()}
    assert response.deliver(response.forger.sign(response.claims(), **header)).status == 400
    assert response.finish_properly()


@pytest.mark.rule(3)
@pytest.mark.parametrize("kid", [1, ["honest"], {}, True])
def test_a_kid_is_text(response, kid):
    assert response.deliver(response.forger.sign(response.claims(), kid=kid)).status == 400
    assert response.finish_properly()


@pytest.mark.rule(4)
@pytest.mark.parametrize("head", [
    b'{"alg":"ES256","kid":"honest","alg":"ES256"}', b'{"alg":"none","alg":"ES256","kid":"honest"}',
    b'{"alg":"ES256","kid":"nobody","kid":"honest"}', b'["ES256"]', b"", b"{}", b'{"alg":"ES256","kid":"honest"',
    b'{"alg":["ES256"],"kid":"honest"}', b'{"alg":null,"kid":"honest"}', b'{"alg":"es256","kid":"honest"}',
])
def test_a_head_is_one_object_that_says_each_thing_once(response, head):
    claims = json.dumps(response.claims()).encode()
    assert response.deliver(sign_by_hand(response.forger.key, head, claims)).status == 400
    assert response.finish_properly()


SPELLINGS = {
    "a fourth part": lambda jwt: jwt + ".", "a part before": lambda jwt: "." + jwt, "no signature": cut_signature,
    "padding": lambda jwt: jwt + "==", "a blank": lambda jwt: jwt + " ", "a line": lambda jwt: jwt + "\n",
    "a NUL": lambda jwt: jwt + "\0", "a blank before": lambda jwt: " " + jwt, "a short signature": lambda jwt: jwt[:-4],
    "a long signature": lambda jwt: jwt + "AAAA", "twice": lambda jwt: f"{jwt}.{jwt}", "JSON": as_json,
    "a signature of zeros": lambda jwt: cut_signature(jwt) + "A" * 86, "DER": der_signature,
    "the other alphabet": lambda jwt: jwt.replace(".", ".+", 1),
}


@pytest.mark.rule(10)
@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_signed_response_is_spelled_one_way(response, spell):
    assert response.deliver(spell(response.forger.sign(response.claims()))).status == 400
    assert response.finish_properly()


# The issuer of the response.


@pytest.mark.rule(3)
@pytest.mark.parametrize("iss", ["honest", "evil"])
@pytest.mark.parametrize("signer", ["honest", "evil"])
def test_two_issuers_are_never_mixed_up(signed, forgers, iss, signer):
    """Both apps have the same client ID; a response of either issuer is good at that issuer's app alone."""
    good, evil = Response(signed, forgers["honest"]), Response(signed, forgers["evil"], "evil")
    for one, issuer in ((good, "honest"), (evil, "evil")):
        if (iss, signer) != (issuer, issuer):
            jwt = forgers[signer].sign(one.claims(iss=forgers[iss].base))
            assert one.deliver(jwt).status == 400
    assert good.finish_properly() and evil.finish_properly()


@pytest.mark.rule(3)
def test_a_response_is_for_its_own_request(signed, forgers):
    one, other = Response(signed, forgers["honest"]), Response(signed, forgers["honest"], "form")
    jwt = one.forger.sign(one.claims())
    assert other.deliver(jwt).status == 400
    # Signed for the other client, with this one's state.
    assert one.deliver(one.forger.sign(one.claims(aud="form"))).status == 400
    assert other.finish_properly() and one.finish_properly()


@pytest.mark.rule(3)
def test_an_id_token_is_no_authorization_response(response):
    claims = response.claims(code=None, state=None, sub="person", iat=int(NOW), nonce="n" * 22)
    assert response.deliver(response.forger.sign(claims)).status == 400
    assert response.finish_properly()


@pytest.mark.rule(6)
def test_a_used_state_with_another_signed_code_is_409(response):
    assert response.deliver(response.forger.sign(response.claims())).status == 303
    assert response.deliver(response.forger.sign(response.claims())).status == 409
    assert response.pending.outcome()["status"] == "completed"
