"""ID tokens, as the relying-party plan of the OpenID Foundation tries them, and the issuer's keys."""

import pytest

from harness.gateway import Gateway
from harness.issuer import TestIssuer
from harness.programs import eventually
from harness.signin import SignIn, sign_in


@pytest.fixture(scope="module")
def issuer(run_folder):
    """An issuer of this module's own: some of its tokens make gateways fetch the keys again."""
    program = TestIssuer(run_folder).start()
    yield program
    program.stop()


@pytest.fixture(scope="module")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base).start()
    yield program
    program.stop()


@pytest.fixture
def changing(start_issuer, start_gateway):
    """An issuer with changing keys, and a gateway that has only its metadata."""
    issuer = start_issuer()
    return issuer, start_gateway(issuer_url=issuer.base)


# The issuer's mistakes, and the failure's words for each.
REFUSED = {
    "wrong_issuer": "another issuer",
    "missing_iss": "lacks a valid iss",
    "wrong_audience": "for another client",
    "missing_aud": "lacks a valid aud",
    "several_audiences": "lacks a valid azp",
    "wrong_azp": "issued to another client",
    "missing_sub": "lacks a valid sub",
    "expired": "has expired",
    "missing_exp": "lacks a valid exp",
    "future": "from the future",
    "missing_iat": "lacks a valid iat",
    "wrong_nonce": "nonce differs",
    "missing_nonce": "lacks a valid nonce",
    "wrong_at_hash": "at_hash",
    "wrong_c_hash": "c_hash",
    "wrong_signature": "its signature is wrong",
    "alg_none": "no compact JWS",
    "alg_none_signed": "algorithm that is not allowed",
    "hmac_pem": "algorithm that is not allowed",
    "hmac_jwk": "algorithm that is not allowed",
    "unpublished_key": "its signature is wrong",
    "unknown_kid": "no key that may verify",
    "no_id_token": "no id_token",
    "id_token_no_jwt": "no compact JWS",
}

BELIEVED = ["several_audiences_with_azp", "c_hash", "missing_kid"]


@pytest.mark.rule(5)
@pytest.mark.parametrize("demo, reason", REFUSED.items(), ids=REFUSED.keys())
def test_an_id_token_that_is_wrong_is_refused_with_its_reason(gateway, issuer, demo, reason):
    one = sign_in(gateway, demo)
    error = one.pending.failure()
    assert error["code"] == "invalid_id_token"
    assert reason in error["description"]
    assert "token_response" not in one.pending.outcome()
    # The code is not tried again, and the next sign-in succeeds.
    assert issuer.times_redeemed(one.code) == 1
    assert sign_in(gateway).pending.outcome()["status"] == "completed"


def test_the_issuer_takes_its_orders_as_scopes_too(gateway):
    one = sign_in(gateway, scope="openid demo:wrong_azp")
    assert one.pending.failure()["code"] == "invalid_id_token"


@pytest.mark.parametrize("demo", BELIEVED)
def test_an_id_token_that_is_unusual_and_right_is_believed(gateway, demo):
    assert sign_in(gateway, demo).pending.outcome()["status"] == "completed"


def test_no_id_token_is_missed_where_none_was_asked_for(gateway):
    outcome = sign_in(gateway, "no_id_token", scope="Mail.Read").pending.outcome()
    assert outcome["status"] == "completed" and not outcome.get("id_token_claims")


@pytest.mark.rule(3)
@pytest.mark.parametrize("demo", ["no_iss", "wrong_iss", "no_state", "wrong_state"])
def test_a_response_that_is_refused_leaves_its_request_to_be_finished(gateway, issuer, demo):
    one = SignIn(gateway, demo)
    refused = one.code
    assert one.deliver().status == 400
    assert one.pending.is_untouched()
    assert issuer.times_redeemed(refused) == 0
    assert one.finish_properly()["status"] == "completed"


@pytest.mark.parametrize("demo", ["rotate_keys", "replace_keys"])
def test_keys_may_change_while_a_code_is_on_its_way(changing, demo):
    issuer, gateway = changing
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    old = issuer.keys()
    # The gateway has the keys of before, and the token that it gets for this code is signed with a newer one.
    assert sign_in(gateway, demo).pending.outcome()["status"] == "completed"
    assert (old[0] in issuer.keys()) == (demo == "rotate_keys") and issuer.keys() != old
    assert sign_in(gateway).pending.outcome()["status"] == "completed"


def test_keys_are_fetched_again_once_for_many_tokens_with_unknown_keys(changing):
    issuer, gateway = changing
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    before = issuer.count("jwks_requests")
    for _ in range(5):
        assert sign_in(gateway, "unknown_kid").pending.failure()["code"] == "invalid_id_token"
    assert issuer.count("jwks_requests") == before + 1


@pytest.mark.parametrize("parts", ["jwks", "jwks,discovery"])
def test_known_keys_serve_on_while_the_issuer_does_not_give_any(changing, parts):
    issuer, gateway = changing
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    issuer.control(outage=parts)
    assert sign_in(gateway).pending.outcome()["status"] == "completed"


def test_without_any_keys_a_code_is_not_spent(changing):
    issuer, gateway = changing
    issuer.control(outage="jwks")
    one = sign_in(gateway)
    error = one.pending.failure()
    assert error["code"] == "network" and "keys" in error["description"]
    assert issuer.times_redeemed(one.code) == 0
    issuer.control(outage="none")
    eventually(lambda: sign_in(gateway).pending.outcome()["status"] == "completed", what="the issuer being back")


def test_a_token_is_not_believed_while_its_key_cannot_be_had(changing):
    issuer, gateway = changing
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    issuer.control(keys="replace", outage="jwks")
    one = sign_in(gateway)
    assert one.pending.failure()["code"] in ("invalid_id_token", "network")
    assert issuer.times_redeemed(one.code) == 1


@pytest.mark.rule(5)
def test_an_issuer_without_keys_is_not_believed(changing):
    issuer, gateway = changing
    issuer.control(keys="withhold")
    error = sign_in(gateway).pending.failure()
    assert error["code"] == "invalid_id_token" and "no key that may verify" in error["description"]


def test_the_right_one_of_several_keys_with_one_id_is_found(changing):
    issuer, gateway = changing
    issuer.control(keys="same_kid")
    assert len({key["kid"] for key in issuer.keys()}) == 1 and len(issuer.keys()) == 2
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    error = sign_in(gateway, "unpublished_key").pending.failure()
    assert error["code"] == "invalid_id_token" and "signature" in error["description"]


def test_a_token_without_key_id_is_tried_with_every_key(changing):
    issuer, gateway = changing
    issuer.control(keys="rotate")
    assert len({key["kid"] for key in issuer.keys()}) == 2
    assert sign_in(gateway, "missing_kid").pending.outcome()["status"] == "completed"
