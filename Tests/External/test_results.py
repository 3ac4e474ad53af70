"""GET and DELETE /v1/requests/{id}: how an app waits for its result, reads it and puts it away."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.api import Pending
from harness.issuer import authorize
from harness.programs import eventually

APP = "com.contoso.app1"


def finish(gateway, api, demo="auto", **fields):
    pending = api.begin(APP, demo=demo, **fields)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    return pending


def test_tokens_are_redeemed_and_kept_whole(gateway, api):
    outcome = finish(gateway, api, scope="openid profile offline_access").outcome()
    assert outcome["status"] == "completed"
    assert outcome["token_response"]["access_token"] and outcome["token_response"]["id_token"]
    assert outcome["token_response"]["token_type"].lower() == "bearer"
    assert outcome["id_token_claims"]["sub"] and outcome["id_token_claims"]["aud"]
    assert outcome["declined_scopes"] == [] and "openid" in outcome["granted_scopes"]


def test_the_id_token_answers_this_request(gateway, api):
    pending = finish(gateway, api, scope="openid")
    assert pending.outcome()["id_token_claims"]["nonce"] == pending.nonce


def test_fewer_scopes_are_a_success_that_says_so(gateway, api):
    pending = finish(gateway, api, demo="auto,fewer_scopes", scope="openid profile mail.read mail.send")
    outcome = pending.outcome()
    assert outcome["status"] == "completed" and outcome["declined_scopes"]
    assert set(outcome["declined_scopes"]) <= {"mail.read", "mail.send"}


def test_response_mode_hands_over_the_callback_byte_for_byte(gateway, api):
    state = "response-mode-state-of-an-app-0001"
    reply = api.begin_reply(APP, completion="response", state=state)
    assert reply.status == 201
    callback = f"{gateway.url('/app1/auth')}?state={state}&code=a%2Bb%7e%7E+c-of-response-mode&x=%C3%A9&empty=&flag"
    pending = Pending(api, reply.json)
    issuer = gateway.configuration["issuers"][0]["issuer"]
    callback += f"&iss={issuer}"
    assert gateway.browse(callback).status == 303
    outcome = pending.outcome()
    assert outcome["url"] == callback
    assert outcome["parameters"]["code"] == "a+b~~ c-of-response-mode" and outcome["parameters"]["x"] == "é"
    assert "token_response" not in outcome


def test_an_error_of_the_issuer_in_response_mode_is_handed_over_too(gateway, api):
    state = "response-mode-state-of-an-app-0002"
    pending = Pending(api, api.begin_reply(APP, completion="response", state=state).json)
    issuer = gateway.configuration["issuers"][0]["issuer"]
    gateway.browse(f"{gateway.url('/app1/auth')}?state={state}&error=access_denied&iss={issuer}")
    outcome = pending.outcome()
    assert outcome["status"] in ("completed", "failed")
    assert "access_denied" in str(outcome)


def test_a_pending_request_reads_as_pending_at_once(signed_in):
    assert signed_in[0].poll().json == {"status": "pending"}


def test_a_long_poll_ends_when_its_time_is_up(signed_in):
    reply = signed_in[0].poll(wait=1)
    assert (reply.status, reply.json["status"]) == (202, "pending")


def test_a_long_poll_that_has_seen_another_status_is_answered_at_once(signed_in):
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(signed_in[0].poll, wait=60, seen="release_required")
        assert waiting.result(timeout=20).json == {"status": "pending"}


@pytest.mark.parametrize("prefer", ["wait=0", "wait=nonsense", "respond-async", "wait=99999999999999999999"])
def test_a_preference_that_cannot_be_met_is_no_error(gateway, signed_in, prefer):
    pending, callback = signed_in
    gateway.browse(callback)
    pending.outcome()
    reply = pending.api.call("GET", pending.path, token=pending.token, headers={"Prefer": prefer})
    assert reply.status == 200


def test_a_long_poll_is_answered_by_the_callback(gateway, signed_in):
    pending, callback = signed_in
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(pending.poll, wait=60)
        time.sleep(0.3)
        assert gateway.browse(callback).status == 303
        assert waiting.result(timeout=30).json["status"] == "completed"


def test_an_event_stream_says_each_status_and_ends_with_the_outcome(gateway, signed_in):
    pending, callback = signed_in
    events = pending.events()
    assert next(events) == ("status", {"status": "pending"})
    assert gateway.browse(callback).status == 303
    rest = list(events)
    assert rest[-1][0] == "status" and rest[-1][1]["status"] == "completed"
    assert rest[-1][1]["token_response"]["access_token"]


@pytest.mark.parametrize("stream", [False, True], ids=["long poll", "event stream"])
@pytest.mark.parametrize("ending, code", [("cancel", "user_canceled"), ("deny", "access_denied")])
def test_a_waiting_app_hears_at_once(gateway, api, ending, code, stream):
    pending = api.begin(APP, demo="deny" if ending == "deny" else "auto")

    def wait():
        return list(pending.events())[-1][1] if stream else pending.poll(wait=60).json

    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(wait)
        time.sleep(0.3)
        if ending == "deny":
            gateway.browse(authorize(pending.authorization_url))
        else:
            assert pending.delete().status == 204
        # The long poll itself would have taken 60 seconds.
        outcome = waiting.result(timeout=30)
    assert (outcome["status"], outcome["error"]["code"]) == ("failed", code)


def test_a_canceled_request_takes_no_callback(gateway, signed_in):
    pending, callback = signed_in
    assert pending.delete().status == 204
    assert gateway.browse(callback).status == 400


def test_a_result_can_be_read_again_until_it_is_acknowledged(gateway, api):
    pending = finish(gateway, api)
    first = pending.outcome()
    assert pending.outcome() == first
    assert pending.delete().status == 204
    assert pending.poll().status == 404
    assert pending.delete().status == 404


def test_a_wrong_token_and_an_unknown_id_are_the_same_answer(gateway, api):
    pending = finish(gateway, api)
    wrong = pending.poll(token="A" * len(pending.token))
    unknown = api.call("GET", "/v1/requests/" + "A" * len(pending.id), token=pending.token)
    assert wrong.status == unknown.status == 404
    assert wrong.body == unknown.body
    assert pending.outcome()["status"] == "completed"


def test_a_call_without_a_token_learns_nothing(api, signed_in):
    pending, _ = signed_in
    assert api.call("GET", pending.path).status in (401, 404)
    assert api.call("DELETE", pending.path, token="wrong").status == 404
    assert pending.is_untouched()


def test_any_spaces_stand_in_front_of_the_token(api, signed_in):
    pending, _ = signed_in
    for scheme in ("Bearer ", "Bearer  ", "bearer    "):
        assert api.call("GET", pending.path, headers={"Authorization": scheme + pending.token}).status == 202


def test_a_request_expires(start_gateway):
    gateway = start_gateway(limits={"request_lifetime": "1s"})
    pending = gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    time.sleep(1)
    assert pending.poll().status == 410 and gateway.browse(callback).status == 400


def test_a_waiting_app_hears_of_the_expiry(start_gateway):
    gateway = start_gateway(limits={"request_lifetime": "2s"})
    pending = gateway.api().begin(APP)
    with ThreadPoolExecutor() as pool:
        reply = pool.submit(pending.poll, wait=60).result(timeout=30)
    assert reply.status in (200, 410)
    assert "expired" in reply.body.decode()


def test_a_result_that_was_read_is_forgotten_after_its_time(start_gateway):
    gateway = start_gateway(limits={"result_lifetime": "1s"})
    pending = finish(gateway, gateway.api())
    assert pending.outcome()["status"] == "completed"
    assert eventually(lambda: (status := pending.poll().status) != 200 and status, what="forgetting") in (404, 410)


def test_the_unix_socket_serves_the_same(gateway):
    pending = finish(gateway, gateway.local_api())
    assert pending.outcome()["status"] == "completed"
