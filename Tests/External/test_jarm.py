"""JARM: a signed authorization response is believed when its issuer signed it for this client, and not before."""

import pytest

from harness.modes import Arrival, ModesGateway

FORGED = {
    "jarm_wrong_signature": 400, "jarm_alg_none": 400, "jarm_hmac": 400, "jarm_unpublished_key": 400,
    "jarm_wrong_issuer": 400, "jarm_wrong_audience": 400, "jarm_expired": 400, "jarm_missing_exp": 400,
    "jarm_wrong_state": 400, "jarm_encrypted": 400,
    # An unsigned response to a request for a signed one is a downgrade.
    "jarm_plain": 400,
}


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.mark.rule(3)
@pytest.mark.parametrize("name", ["jwt", "formjwt", "fragmentjwt"])
@pytest.mark.parametrize("demo, status", FORGED.items(), ids=FORGED)
def test_a_response_that_its_issuer_did_not_sign_for_us_is_refused(modes, name, demo, status):
    arrival = Arrival(modes, name, demo=f"auto,{demo}")
    assert arrival.deliver(arrival.fields).status == status
    assert arrival.finish_properly()


def test_a_signed_refusal_ends_the_request(modes):
    arrival = Arrival(modes, "jwt", demo="deny")
    assert arrival.deliver(arrival.fields).status == 303
    assert arrival.pending.failure()["code"] == "access_denied"


@pytest.mark.rule(4)
@pytest.mark.parametrize("beside", ["code", "state", "error", "iss", "id_token", "response"])
def test_a_signed_response_has_no_other_parameters(modes, beside):
    arrival = Arrival(modes, "jwt")
    assert arrival.deliver(arrival.fields + [(beside, "x")]).status == 400
    assert arrival.finish_properly()


@pytest.mark.rule(3)
def test_a_response_for_another_redirect_uri_is_refused(modes):
    arrival, other = Arrival(modes, "jwt"), Arrival(modes, "queryjwt")
    assert other.by_query(arrival.fields).status == 400
    assert arrival.finish_properly() and other.finish_properly()


@pytest.mark.rule(6)
def test_the_same_signed_response_again_is_the_same(modes):
    arrival = Arrival(modes, "jwt")
    fields = arrival.fields
    assert [arrival.deliver(fields).status for _ in range(3)] == [303, 303, 303]
    assert arrival.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("value", ["", "a.b.c", "e30.e30.AA", ".....", "A" * 70000, "\x00", "%"])
def test_a_malformed_jwt_is_refused(modes, value):
    arrival = Arrival(modes, "formjwt")
    assert arrival.by_form([("response", value)]).status in (400, 413)
    assert arrival.finish_properly()


def test_a_plain_app_does_not_read_a_signed_response(modes):
    arrival, signed = Arrival(modes, "query"), Arrival(modes, "jwt")
    assert arrival.by_query(signed.fields).status == 400
    assert arrival.finish_properly()
