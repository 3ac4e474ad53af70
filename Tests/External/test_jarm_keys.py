"""JARM: with which of its issuer's keys a response may be signed, and what happens when they change or are away."""

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from harness.forger import Forger, Response
from harness.gateway import Gateway
from harness.programs import eventually


@pytest.fixture
def keyed(run_folder):
    """An issuer of the test's own, and a gateway that has not asked for its keys yet."""
    forger = Forger()
    gateway = Gateway(run_folder, forger.base)
    gateway.configuration["apps"] = [gateway.app("jwt", "Query", client_id="jwt", response_mode="jwt")]
    gateway.start()
    yield forger, gateway
    gateway.stop()
    forger.stop()


def published(key, **changes):
    found = key.as_dict(private=False) | {"kid": "honest"} | changes
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("alg, key", [
    ("RS256", lambda: RSAKey.generate_key(2048)), ("PS256", lambda: RSAKey.generate_key(3072)),
    ("ES384", lambda: ECKey.generate_key("P-384")), ("EdDSA", lambda: OKPKey.generate_key("Ed25519")),
], ids=["RS256", "PS256", "ES384", "EdDSA"])
def test_other_good_signatures_are_believed(keyed, alg, key):
    forger, gateway = keyed
    key = key()
    forger.published = [published(key, use="sig", alg=alg)]
    response = Response(gateway, forger)
    assert response.deliver(forger.sign(response.claims(), key, alg=alg)).status == 303
    assert response.pending.outcome()["status"] == "completed"


def small():
    return RSAKey.import_key(rsa.generate_private_key(65537, 1024).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


BAD_KEYS = {
    "for encryption": (None, {"use": "enc"}, "ES256"), "for another algorithm": (None, {"alg": "ES384"}, "ES256"),
    "RSA under 2048 bits": (small, {}, "RS256"), "of another name": (None, {"kid": "other"}, "ES256"),
    "without its point": (None, {"y": None}, "ES256"), "of no kind": (None, {"kty": "XX"}, "ES256"),
    "the public key as a secret": (lambda: OctKey.generate_key(256), {}, "HS256"),
}


@pytest.mark.parametrize("key, changes, alg", BAD_KEYS.values(), ids=BAD_KEYS)
def test_a_key_is_used_for_what_it_is_published_for(keyed, key, changes, alg):
    forger, gateway = keyed
    key = key and key()
    good = published(forger.key, kid="good")
    forger.published = [good, published(key or forger.key, **changes)]
    response = Response(gateway, forger)
    assert response.deliver(forger.sign(response.claims(), key, alg=alg)).status == 400
    assert response.pending.is_untouched() and forger.redeemed == []
    assert response.deliver(forger.sign(response.claims(), kid="good")).status == 303
    assert response.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("keys", [[], [{}], [1], "x", None], ids=str)
def test_without_a_usable_key_nothing_is_believed(keyed, keys):
    forger, gateway = keyed
    forger.published = keys
    response = Response(gateway, forger)
    refused = response.deliver(forger.sign(response.claims()))
    assert refused.status in (400, 503) and refused.header("Location") is None
    assert response.pending.is_untouched() and forger.redeemed == []


def test_a_new_key_is_fetched_at_once(keyed):
    forger, gateway = keyed
    assert Response(gateway, forger).finish_properly()
    new = ECKey.generate_key("P-256")
    forger.published = [*forger.published, published(new, kid="new")]
    response = Response(gateway, forger)
    assert response.deliver(forger.sign(response.claims(), new, kid="new")).status == 303
    assert response.pending.outcome()["status"] == "completed"


def test_a_key_that_replaces_another_under_its_name_is_fetched_at_once(keyed):
    forger, gateway = keyed
    assert Response(gateway, forger).finish_properly()
    new = ECKey.generate_key("P-256")
    forger.published = [published(new)]
    response = Response(gateway, forger)
    assert response.deliver(forger.sign(response.claims(), new)).status == 303
    assert response.pending.outcome()["status"] == "completed"
    assert Response(gateway, forger).deliver(forger.sign(response.claims())).status == 400, "the one before is gone"


def test_while_keys_are_unreachable_nothing_is_believed_and_nothing_is_lost(keyed):
    forger, gateway = keyed
    response = Response(gateway, forger)
    forger.reachable = False
    refused = response.deliver(forger.sign(response.claims()))
    assert refused.status in (400, 503) and refused.header("Location") is None
    assert response.pending.is_untouched()
    forger.reachable = True
    claims = response.claims()
    # The failure is remembered for a few seconds.
    eventually(lambda: response.deliver(forger.sign(claims)).status == 303, what="the keys being there again")
    assert response.pending.outcome()["status"] == "completed" and forger.redeemed == [claims["code"]]
