"""An issuer that misbehaves: a clear failure for that request, and nothing else."""

import pytest

from harness.gateway import Gateway
from harness.issuer import authorize
from harness.programs import free_port

APP = "com.contoso.app1"


@pytest.fixture(scope="module")
def impatient(run_folder, issuer):
    """A gateway that waits one second for the issuer."""
    program = Gateway(run_folder, issuer.base, limits={"issuer_timeout": "1s"}).start()
    yield program
    program.stop()


def sign_in(gateway, demo, scope="openid profile"):
    pending = gateway.api().begin(APP, demo=f"auto,{demo}".rstrip(","), scope=scope)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    return pending


FAILURES = {
    "server_error": {"server_error"},
    "throttled": {"throttled"},
    "garbage": {"invalid_response"},
    "not_json": {"invalid_response"},
    "redirect": {"invalid_response"},
    "huge": {"invalid_response", "network"},
    "endless": {"network", "invalid_response"},
    "slow": {"network"},
    "reset": {"network"},
    "wrong_nonce": {"invalid_id_token"},
    "wrong_signature": {"invalid_id_token"},
    "wrong_issuer": {"invalid_id_token"},
    "wrong_audience": {"invalid_id_token"},
    "expired": {"invalid_id_token"},
}


@pytest.mark.parametrize("demo, codes", FAILURES.items(), ids=FAILURES.keys())
def test_it_is_a_failure_of_that_request_only(impatient, demo, codes):
    error = sign_in(impatient, demo).failure()
    assert error["code"] in codes, error
    assert error.get("description")
    assert sign_in(impatient, "").outcome()["status"] == "completed"


def test_a_failure_names_the_status_and_when_to_come_again(impatient):
    error = sign_in(impatient, "throttled").failure()
    assert error["http_status"] == 429 and error["retry_after"] == 7
    assert sign_in(impatient, "server_error").failure()["http_status"] == 500


def test_one_5xx_is_tried_once_more(impatient):
    assert sign_in(impatient, "flaky").outcome()["status"] == "completed"


def test_a_failure_holds_no_token(impatient):
    pending = sign_in(impatient, "wrong_signature")
    assert pending.failure() and "token_response" not in pending.outcome()


def test_a_callback_without_iss_is_refused_where_the_issuer_sends_it(impatient):
    pending = impatient.api().begin(APP, demo="auto,no_iss", scope="openid")
    assert impatient.browse(authorize(pending.authorization_url)).status == 400
    assert pending.is_untouched()


def test_an_issuer_that_is_down_is_told_at_begin(start_gateway):
    gateway = start_gateway(issuer_url=f"http://127.0.0.1:{free_port()}")
    for _ in range(2):
        reply = gateway.api().begin_reply(APP)
        assert (reply.status, reply.json["error"]) == (503, "temporarily_unavailable")
        assert int(reply.header("Retry-After")) >= 0


def test_an_issuer_that_goes_down_before_the_code_is_redeemed(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    pending = gateway.api().begin(APP, scope="openid")
    callback = authorize(pending.authorization_url)
    issuer.stop()
    assert gateway.browse(callback).status == 303
    assert pending.failure()["code"] == "network"


def test_what_was_discovered_outlives_the_issuer(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    gateway.api().begin(APP)
    issuer.stop()
    assert gateway.api().begin_reply(APP).status == 201


def test_an_issuer_that_is_not_who_it_should_be_is_refused(issuer, start_gateway):
    # The same server under another name: what it says of itself does not match what was configured.
    gateway = start_gateway(issuer_url=issuer.base.replace("127.0.0.1", "localhost"))
    assert gateway.api().begin_reply(APP).status == 503
