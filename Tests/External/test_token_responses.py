"""Answers of the token endpoint that break the protocol, the connection, or the gateway's patience."""

import pytest

from harness.gateway import Gateway
from harness.signin import sign_in


@pytest.fixture(scope="module")
def impatient(run_folder, issuer):
    """A gateway that waits one second for the issuer."""
    program = Gateway(run_folder, issuer.base, limits={"issuer_timeout": "1s"}).start()
    yield program
    program.stop()


# The issuer's mistakes, the code of each failure, and its description.
REFUSED = {
    "missing_token_type": ("invalid_response", "not Bearer"),
    "wrong_token_type": ("invalid_response", "not Bearer"),
    "mac_token_type": ("invalid_response", "not Bearer"),
    "missing_access_token": ("invalid_response", "no access_token"),
    "empty_access_token": ("invalid_response", "no access_token"),
    "access_token_number": ("invalid_response", "access_token"),
    "expires_in_negative": ("invalid_response", "expires_in"),
    "expires_in_overflow": ("invalid_response", "expires_in"),
    "repeated_keys": ("invalid_response", "twice"),
    "garbage": ("invalid_response", "JSON object"),
    "not_json": ("invalid_response", "not JSON"),
    "no_content_type": ("invalid_response", "not JSON"),
    "error_in_200": ("invalid_grant", "An error in a 200."),
    "tokens_with_error": ("invalid_grant", "An error beside tokens."),
    "tokens_in_400": ("invalid_response", "neither tokens nor"),
    "no_content": ("invalid_response", "not JSON"),
    "redirect": ("invalid_response", "redirects"),
    "redirect_307": ("invalid_response", "redirects"),
    "huge": ("invalid_response", "more than 1048576 bytes"),
    "truncated": ("network", "may be spent"),
    "reset": ("network", "may be spent"),
}

# These outlast the patience of a gateway.
LASTING = ["slow", "slow_drip", "endless"]

LENIENT = {"expires_in_string": "3600", "expires_in_huge": 2**53 - 1}

STATUSES = {"tokens_in_400": 400, "no_content": 204, "redirect": 302, "redirect_307": 307, "error_in_200": 200}


def is_a_failure_of_this_request_only(gateway, issuer, one, code, reason):
    error = one.pending.failure()
    assert error["code"] == code
    assert reason in error["description"]
    assert "token_response" not in one.pending.outcome()
    # A code that may have been received is never sent again.
    assert issuer.times_redeemed(one.code) == 1
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    return error


@pytest.mark.parametrize("demo", REFUSED)
def test_a_token_response_that_is_wrong_is_refused_with_its_reason(gateway, issuer, demo):
    error = is_a_failure_of_this_request_only(gateway, issuer, sign_in(gateway, demo), *REFUSED[demo])
    if demo in STATUSES:
        assert error["http_status"] == STATUSES[demo]


@pytest.mark.parametrize("demo", LASTING)
def test_an_answer_that_takes_too_long_is_given_up(impatient, issuer, demo):
    is_a_failure_of_this_request_only(impatient, issuer, sign_in(impatient, demo), "network", "may be spent")


@pytest.mark.parametrize("demo", LENIENT)
def test_a_lifetime_is_passed_on_as_it_came(gateway, demo):
    outcome = sign_in(gateway, demo).pending.outcome()
    assert outcome["status"] == "completed"
    assert outcome["token_response"]["expires_in"] == LENIENT[demo]


def test_no_redirect_of_the_token_endpoint_is_followed(gateway, issuer):
    for demo in ("redirect", "redirect_307"):
        sign_in(gateway, demo).pending.failure()
    assert issuer.count("redirects_followed") == 0


@pytest.mark.rule(6)
@pytest.mark.parametrize("demo", ["reset", "truncated"])
def test_a_code_is_never_sent_again_over_a_second_connection(gateway, issuer, demo):
    # Every good sign-in leaves a kept connection behind, over which the next code then goes.
    for _ in range(4):
        assert sign_in(gateway).pending.outcome()["status"] == "completed"
        one = sign_in(gateway, demo)
        assert one.pending.failure()["code"] == "network"
        assert issuer.times_redeemed(one.code) == 1


@pytest.mark.parametrize("demo, status", [("server_error", "failed"), ("flaky", "completed")])
def test_a_5xx_is_the_only_answer_after_which_a_code_is_sent_again(gateway, issuer, demo, status):
    one = sign_in(gateway, demo)
    assert one.pending.outcome()["status"] == status
    assert issuer.times_redeemed(one.code) == 2
