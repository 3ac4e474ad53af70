"""An issuer that is out of reach, or slow. Other files test faulty answers."""

from harness.issuer import authorize
from harness.programs import free_port
from harness.signin import APP, sign_in


def test_a_failure_names_the_status_and_when_to_come_again(gateway):
    error = sign_in(gateway, "throttled").pending.failure()
    assert (error["code"], error["http_status"], error["retry_after"]) == ("throttled", 429, 7)
    error = sign_in(gateway, "server_error").pending.failure()
    assert (error["code"], error["http_status"]) == ("server_error", 500)


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


def test_discovered_metadata_outlives_the_issuer(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    gateway.api().begin(APP)
    issuer.stop()
    assert gateway.api().begin_reply(APP).status == 201


def test_an_issuer_that_is_not_who_it_should_be_is_refused(issuer, start_gateway):
    # The same server under another name: its metadata do not match the configured issuer.
    gateway = start_gateway(issuer_url=issuer.base.replace("127.0.0.1", "localhost"))
    assert gateway.api().begin_reply(APP).status == 503
