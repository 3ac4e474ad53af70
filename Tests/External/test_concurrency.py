"""Many sign-ins at once: each result in the right hands."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.issuer import authorize

COUNT = 200
APPS = ("com.contoso.app1", "com.contoso.app2")


def test_two_hundred_at_once_across_two_apps_that_share_a_client_id(gateway, api):
    with ThreadPoolExecutor(COUNT) as apps, ThreadPoolExecutor(32) as browsers:
        pendings = list(apps.map(lambda n: api.begin(APPS[n % 2], scope="openid"), range(COUNT)))
        waiting = [apps.submit(pending.outcome) for pending in pendings]

        callbacks = list(browsers.map(authorize, [pending.authorization_url for pending in pendings]))
        random.shuffle(callbacks)
        statuses = [answer.status for answer in browsers.map(gateway.browse, callbacks)]
        assert statuses == [303] * COUNT

        outcomes = [future.result(timeout=60) for future in waiting]
    for pending, outcome in zip(pendings, outcomes):
        assert outcome["status"] == "completed"
        assert outcome["id_token_claims"]["nonce"] == pending.nonce
    assert len({outcome["token_response"]["access_token"] for outcome in outcomes}) == COUNT


@pytest.mark.rule(6)
def test_one_callback_from_many_at_once_is_redeemed_once(gateway, signed_in):
    pending, callback = signed_in
    with ThreadPoolExecutor(20) as pool:
        statuses = {answer.status for answer in pool.map(gateway.browse, [callback] * 20)}
    assert statuses == {303}
    # A second redemption would have been refused by the issuer, and might have won.
    assert pending.outcome()["status"] == "completed"


def test_one_state_with_many_codes_at_once_has_one_winner(gateway, signed_in):
    pending, callback = signed_in
    codes = [callback] + [callback.replace("code=", f"code=forged-{n:02}-") for n in range(10)]
    random.shuffle(codes)
    with ThreadPoolExecutor(len(codes)) as pool:
        statuses = [answer.status for answer in pool.map(gateway.browse, codes)]
    assert statuses.count(303) == 1 and set(statuses) == {303, 409}
    assert pending.outcome()["status"] in ("completed", "failed")
