"""The answers that a test can have the demo issuer give to the next token requests."""

import http.client
import select
from email.utils import parsedate_to_datetime

import pytest

from harness.client import DemoClient
from harness.issuer import fetch
from harness.programs import eventually


@pytest.fixture
def client(issuer):
    return DemoClient(issuer)


@pytest.fixture
def token(client):
    return client.sign_in()["refresh_token"]


ERRORS = [
    ("invalid_grant", {}),
    ("invalid_grant", {"suberror": "bad_token"}),
    ("invalid_grant", {"suberror": "user_account_deleted"}),
    ("invalid_grant", {"error_codes": "50173,70008"}),
    ("interaction_required", {"claims": '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'}),
    ("invalid_client", {"status": "401"}),
    ("unauthorized_client", {"suberror": "client_mismatch"}),
    ("unauthorized_client", {"suberror": "protection_policy_required"}),
    ("temporarily_unavailable", {"status": "503"}),
]


@pytest.mark.parametrize("error, more", ERRORS)
def test_an_error_comes_as_it_was_told_and_uses_nothing_up(client, token, error, more):
    client.script(error=error, error_description="Said so.", **more)
    answer = client.refresh(token)
    assert answer.status == int(more.get("status", 400))
    expected = {"error": error, "error_description": "Said so."} | more
    expected.pop("status", None)
    if "error_codes" in more:
        expected["error_codes"] = [50173, 70008]
    assert answer.json == expected
    assert client.refresh(token).status == 200


def test_the_clients_own_request_id_comes_back_beside_a_scripted_error(client, issuer):
    client.script(error="invalid_grant")
    connection = http.client.HTTPConnection("127.0.0.1", issuer.port, timeout=30)
    connection.request(
        "POST", "/token", body=f"grant_type=refresh_token&refresh_token=x&client_id={client.id}",
        headers={"Content-Type": "application/x-www-form-urlencoded", "client-request-id": "my-request"})
    assert b'"correlation_id":"my-request"' in connection.getresponse().read()
    connection.close()


def test_a_script_is_for_so_many_requests(client, token):
    client.script(error="invalid_grant", times=2)
    assert [client.refresh(token).status for _ in range(3)] == [400, 400, 200]


def test_scripted_answers_come_one_after_the_other(client, token):
    client.script(status="503")
    client.script(status="429")
    assert [client.refresh(token).status for _ in range(3)] == [503, 429, 200]


def test_a_script_is_for_one_client(client, issuer):
    client.script(error="invalid_grant")
    assert DemoClient(issuer).sign_in().status == 200
    assert client.sign_in().status == 400


def test_a_script_can_be_for_every_client(start_issuer):
    issuer = start_issuer()
    issuer.control(token="answer", error="invalid_client", times=2)
    clients = [DemoClient(issuer) for _ in range(3)]
    assert [client.sign_in().status for client in clients] == [400, 400, 200]


def test_a_script_can_be_for_one_grant_type(client):
    client.script(error="invalid_grant", grant_type="refresh_token")
    tokens = client.sign_in()
    assert tokens.status == 200
    assert client.refresh(tokens["refresh_token"]).status == 400


def test_a_script_can_be_forgotten(client, token):
    client.script(error="invalid_grant", times=100)
    client.change(token="forget")
    assert client.refresh(token).status == 200


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
def test_a_status_comes_alone_with_content_that_is_no_json(client, token, status):
    client.script(status=status)
    answer = client.refresh(token)
    assert (answer.status, answer.headers["Retry-After"], answer.json) == (status, None, {})
    assert client.refresh(token).status == 200


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("value", ["0", "7", "7200", "soon"])
def test_retry_after_comes_as_it_was_told(client, token, status, value):
    client.script(status=status, retry_after=value)
    answer = client.refresh(token)
    assert (answer.status, answer.headers["Retry-After"]) == (status, value)


@pytest.mark.parametrize("seconds", [120, -60])
def test_retry_after_can_be_a_date(client, token, seconds):
    client.script(status=429, retry_after_date=seconds)
    headers = client.refresh(token).headers
    difference = parsedate_to_datetime(headers["Retry-After"]) - parsedate_to_datetime(headers["Date"])
    assert abs(difference.total_seconds() - seconds) <= 2


def test_a_token_response_can_have_retry_after(client, token):
    client.script(retry_after=30)
    answer = client.refresh(token)
    assert (answer.status, answer.headers["Retry-After"]) == (200, "30")
    assert "access_token" in answer


def test_an_answer_can_be_slow(client, issuer, token):
    client.script(delay=60_000)
    slow = http.client.HTTPConnection("127.0.0.1", issuer.port, timeout=30)
    slow.request(
        "POST", "/token", body=f"grant_type=refresh_token&refresh_token={token}&client_id={client.id}",
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    eventually(lambda: client.count("refresh_token") == 1)
    # Others are answered while this one waits, and it is still good afterwards.
    tokens = client.refresh(token)
    assert tokens.status == 200
    assert select.select([slow.sock], [], [], 0)[0] == []
    slow.close()


def test_a_slow_answer_comes(client, token):
    client.script(delay=50)
    assert client.refresh(token).status == 200


def test_a_connection_can_be_cut_before_anything_is_used_up(client, token):
    client.script(cut="1")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        client.refresh(token)
    assert client.refresh(token).status == 200


def test_a_connection_can_be_cut_after_the_token_is_used_up(client, token):
    client.script(demo="reset")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        client.refresh(token)
    assert client.refresh(token).refusal == (400, "invalid_grant", None)


@pytest.mark.parametrize("demo, status", [("server_error", 500), ("flaky", 500), ("throttled", 429)])
def test_a_refresh_that_fails_for_a_moment_uses_nothing_up(client, token, demo, status):
    client.script(demo=demo)
    assert client.refresh(token).status == status
    assert client.refresh(token).status == 200


def test_an_unanswered_request_is_counted(client, token):
    client.script(cut="1")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        client.refresh(token)
    assert client.count("refresh_token") == 1


@pytest.mark.parametrize(
    "form",
    [{"token": "no_such"}, {"token": "answer", "times": "0"}, {"token": "answer", "status": "999"},
     {"token": "answer", "delay": "60001"}, {"token": "answer", "demo": "no_such"},
     {"token": "answer", "error": "x", "error_codes": "1,,2"}, {"token": "answer", "suberror": "bad_token"},
     {"token": "answer", "cut": "yes"}, {"token": "answer", "grant_type": "no_such"}, {"family": "1"},
     {"client": "x", "error": "invalid_grant"}, {"token": "answer", "challenge_type": "oob"}, {"continue_as": "code@x"},
     {"client": "x", "continue_as": "nobody@x"}, {"api": "mail"}, {"api_claims": "none"},
     {"api": "mail", "api_claims": "none", "api_form": "no_such"}, {"client": "x", "no_such": "1"}],
)
def test_the_test_interface_refuses_a_script_that_it_does_not_understand(issuer, form):
    before = issuer.keys()
    assert fetch(f"{issuer.base}/demo/control", form={"keys": "replace"} | form)[0] == 400
    assert issuer.keys() == before
