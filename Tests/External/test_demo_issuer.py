"""The demo issuer by itself: others verify its signatures, and each of its mistakes is the only one."""

import base64
import hashlib
import hmac
import http.client
import json
import re
import time
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from harness.issuer import fetch
from harness.vault import VAULT

SIGNED_MODES = ["jwt", "query.jwt", "fragment.jwt", "form_post.jwt"]
CLIENT = "contoso-suite"
REDIRECT = "https://localhost:1/app1/auth"
STATE = "a-state-that-the-client-made"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def respond(issuer, mode, demo="auto", **changes):
    """The parameters of the authorization response, from where the mode puts them."""
    fields = {
        "client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid", "state": STATE,
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", "response_mode": mode, "demo": demo,
    }
    status, headers, body = fetch(f"{issuer.base}/authorize?{urlencode(fields | changes)}")
    if mode.startswith("form_post"):
        assert status == 200
        text = body.decode()
        assert f'action="{REDIRECT}"' in text
        parameters = [
            (unescape(name), unescape(value))
            for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', text)
        ]
    else:
        assert status == 302
        target = urlsplit(headers["Location"])
        assert target._replace(query="", fragment="").geturl() == REDIRECT
        used, unused = target.query, target.fragment
        if mode.startswith("fragment"):
            used, unused = unused, used
        assert unused == ""
        parameters = parse_qsl(used)
    assert len(dict(parameters)) == len(parameters)
    VAULT.remember("code", dict(parameters).get("code"))
    return dict(parameters)


def public_key(issuer):
    return jwt.PyJWK(issuer.keys()[0])


def verify(issuer, token):
    """The claims, believed as a careful client would."""
    assert jwt.get_unverified_header(token)["kid"] == issuer.keys()[0]["kid"]
    return jwt.decode(
        token, public_key(issuer), algorithms=["RS256"], audience=CLIENT, issuer=issuer.base,
        options={"require": ["iss", "aud", "exp"]},
    )


def test_the_metadata_names_what_is_there(issuer):
    metadata = issuer.metadata()
    assert set(metadata["response_modes_supported"]) == {"query", "form_post", "fragment", *SIGNED_MODES}
    assert metadata["authorization_signing_alg_values_supported"] == ["RS256"]


@pytest.mark.parametrize("mode", ["query", "fragment", "form_post"])
def test_a_response_that_nobody_wants_signed_comes_as_it_is(issuer, mode):
    parameters = respond(issuer, mode)
    assert parameters.keys() == {"code", "state", "iss"}
    assert (parameters["state"], parameters["iss"]) == (STATE, issuer.base)


@pytest.mark.parametrize("mode", SIGNED_MODES)
def test_a_signed_response_holds_code_and_state(issuer, mode):
    parameters = respond(issuer, mode)
    assert parameters.keys() == {"response"}
    claims = verify(issuer, parameters["response"])
    VAULT.remember("code", claims["code"])
    assert claims.keys() == {"iss", "aud", "exp", "code", "state"}
    assert claims["state"] == STATE
    # JARM section 2.1: ten minutes at most.
    assert 0 < claims["exp"] - time.time() <= 601


@pytest.mark.parametrize("mode", SIGNED_MODES)
@pytest.mark.parametrize(
    "changes, error",
    [({"demo": "deny"}, "access_denied"), ({"demo": "no_such_name"}, "invalid_request"),
     ({"prompt": "none", "demo": ""}, "login_required")],
)
def test_errors_are_signed_too(issuer, mode, changes, error):
    parameters = respond(issuer, mode, **changes)
    assert parameters.keys() == {"response"}
    claims = verify(issuer, parameters["response"])
    assert claims.keys() == {"iss", "aud", "exp", "error", "error_description", "state"}
    assert (claims["error"], claims["state"]) == (error, STATE)


@pytest.mark.parametrize("mode", SIGNED_MODES)
def test_signed_is_what_is_signed_with_the_current_key(start_issuer, mode):
    issuer = start_issuer()
    old = public_key(issuer)
    current = issuer.control(keys="rotate")["current_kid"]
    assert [key["kid"] for key in issuer.keys()] == [current, old.key_id]
    verify(issuer, respond(issuer, mode)["response"])


REFUSED = {
    "jarm_wrong_signature": jwt.InvalidSignatureError,
    "jarm_unpublished_key": jwt.InvalidSignatureError,
    "jarm_hmac": jwt.InvalidAlgorithmError,
    "jarm_wrong_issuer": jwt.InvalidIssuerError,
    "jarm_wrong_audience": jwt.InvalidAudienceError,
    "jarm_expired": jwt.ExpiredSignatureError,
    "jarm_missing_exp": jwt.MissingRequiredClaimError,
    "wrong_iss": jwt.InvalidIssuerError,
    "no_iss": jwt.MissingRequiredClaimError,
}


@pytest.mark.parametrize("mode", SIGNED_MODES)
@pytest.mark.parametrize("demo, error", REFUSED.items(), ids=REFUSED.keys())
def test_a_signed_response_is_wrong_in_the_way_that_was_asked_for(issuer, mode, demo, error):
    parameters = respond(issuer, mode, f"auto,{demo}")
    assert parameters.keys() == {"response"}
    with pytest.raises(error):
        verify(issuer, parameters["response"])


def test_an_error_can_be_signed_wrongly_too(issuer):
    with pytest.raises(jwt.InvalidSignatureError):
        verify(issuer, respond(issuer, "jwt", "deny,jarm_wrong_signature")["response"])


@pytest.mark.parametrize("mode", SIGNED_MODES)
def test_a_plain_response_can_come_where_a_signed_one_should(issuer, mode):
    assert respond(issuer, mode, "auto,jarm_plain").keys() == {"code", "state", "iss"}


@pytest.mark.parametrize("mode", SIGNED_MODES)
def test_the_state_within_can_be_another(issuer, mode):
    claims = verify(issuer, respond(issuer, mode, "auto,jarm_wrong_state")["response"])
    assert claims["state"] != STATE and "code" in claims


def test_alg_none_has_no_signature(issuer):
    header, claims, signature = respond(issuer, "jwt", "auto,jarm_alg_none")["response"].split(".")
    assert decoded(header) == {"alg": "none"} and signature == ""
    assert decoded(claims)["state"] == STATE


def test_an_encrypted_token_has_five_parts(issuer):
    parts = respond(issuer, "jwt", "auto,jarm_encrypted")["response"].split(".")
    assert len(parts) == 5
    assert decoded(parts[0]) == {"alg": "ECDH-ES", "enc": "A256GCM"}


def test_the_hmac_is_one_with_the_public_key(issuer):
    token = respond(issuer, "jwt", "auto,jarm_hmac")["response"]
    assert jwt.get_unverified_header(token)["alg"] == "HS256"
    content, _, signature = token.rpartition(".")
    pem = public_key(issuer).key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    assert raw(signature) == hmac.digest(pem, content.encode(), hashlib.sha256)


def test_the_test_interface_is_not_for_pages(issuer):
    before = issuer.keys()
    headers = {"Origin": "https://contoso.test", "Content-Type": "application/x-www-form-urlencoded"}
    connection = http.client.HTTPConnection("127.0.0.1", issuer.port, timeout=30)
    connection.request("POST", "/demo/control", body="keys=rotate", headers=headers)
    assert connection.getresponse().status == 403
    connection.close()
    assert issuer.keys() == before


@pytest.mark.parametrize("form", [{"keys": "no_such"}, {"outage": "no_such"}, {"outage": "jwks,no_such"}])
def test_the_test_interface_refuses_what_it_does_not_know(issuer, form):
    before = issuer.keys()
    assert fetch(f"{issuer.base}/demo/control", form={"keys": "replace"} | form)[0] == 400
    assert issuer.keys() == before


def raw(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def decoded(part):
    return json.loads(raw(part))
