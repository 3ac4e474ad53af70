"""Rule 8 with `release: code`: the code is held, and redeemed only once the person has typed what their page shows."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.held import CODE, DEVICE, NETWORK, HoldingGateway, Place, Visit, begin, finish_properly
from harness.held import is_held, outcome, release, via

WRONG = "BCDFGHJK"


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture
def visit(holding):
    """A browser that has come back with a code, which is held."""
    return Visit(holding, begin(holding, host_label="dev-vm.17"))


# The typed code.


@pytest.mark.rule(8)
@pytest.mark.parametrize("spell", [
    str, str.lower, str.title, lambda code: code.replace("-", ""), lambda code: " ".join(code),
    lambda code: "-".join(code.replace("-", "")), lambda code: f"  --{code}- ",
], ids=["as shown", "lower case", "mixed case", "no hyphen", "spaces", "hyphens", "around it"])
def test_case_spaces_and_hyphens_do_not_count(visit, spell, issuer):
    assert is_held(visit.pending) and issuer.times_redeemed(visit.authorization_code) == 0
    assert release(visit.pending, code=spell(visit.code)).status == 204
    assert outcome(visit.pending)["token_response"]["access_token"]
    assert issuer.times_redeemed(visit.authorization_code) == 1


@pytest.mark.rule(8)
@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_two_wrong_codes_are_forgiven(visit, wrong, issuer):
    for left in (2, 1)[:wrong]:
        reply = release(visit.pending, code=WRONG)
        assert (reply.status, reply.json["error"], reply.json["attempts_left"]) == (403, "invalid_code", left)
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
def test_the_third_wrong_code_ends_the_request(visit, issuer):
    right = visit.code
    lefts = [release(visit.pending, code=WRONG).json["attempts_left"] for _ in range(3)]
    assert lefts == [2, 1, 0]
    assert release(visit.pending, code=right).status == 409, "the right one comes too late"
    assert visit.pending.failure()["code"] == "release_failed"
    assert issuer.times_redeemed(visit.authorization_code) == 0
    assert visit.code is None


@pytest.mark.rule(8)
@pytest.mark.parametrize("wrong", [
    lambda code: code[:-1], lambda code: code + code[0], lambda code: code[::-1], lambda code: "%00" + code,
    lambda code: code + "\x00", lambda code: code.replace("-", "_"), lambda code: code.replace("-", "\u2010"),
    lambda code: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in code),
], ids=["short", "long", "backwards", "escaped", "NUL", "underscore", "another hyphen", "full-width letters"])
def test_a_nearly_right_code_is_refused(visit, wrong, issuer):
    assert release(visit.pending, code=wrong(visit.code)).status in (400, 403)
    assert finish_properly(visit, issuer)


@pytest.mark.rule(10)
@pytest.mark.parametrize("body, headers, statuses", [
    ({}, {}, {400}), ({"code": 1}, {}, {400}), ({"code": None}, {}, {400}), ({"code": ""}, {}, {400}),
    ({"code": ["A"]}, {}, {400}), ({"code": "A" * 5000}, {}, {400}), ([], {}, {400}), (b"{", {}, {400}),
    (b"", {}, {400}), (b'{"code":"A","code":"B"}', {}, {400}), ({"code": "A", "ticket": "B"}, {}, {400}),
    ({"code": WRONG}, {"Content-Type": "text/plain"}, {415}),
    ({"code": WRONG}, {"Content-Type": "application/x-www-form-urlencoded"}, {415}),
    ({"code": WRONG}, {"Origin": "https://evil.example"}, {403}), ({"code": WRONG}, {"Origin": "null"}, {403}),
    ({"code": WRONG}, {"Sec-Fetch-Site": "same-origin"}, {403}),
    ({"code": WRONG}, {"Authorization": "Bearer x"}, {404}),
    ({"code": WRONG}, {"Authorization": "Basic eDp5"}, {401, 404}),
    ({"code": WRONG}, {"Authorization": ""}, {401, 404}),
])
def test_a_malformed_proof_uses_up_no_try(visit, issuer, body, headers, statuses):
    """A page, a stranger and a mistake of the program may not end a sign-in."""
    pending = visit.pending
    fields = {"Authorization": f"Bearer {pending.token}"} | headers
    for _ in range(3):
        assert pending.api.call("POST", f"{pending.path}/release", body, headers=fields).status in statuses
    assert release(pending, code=WRONG).json["attempts_left"] == 2
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
def test_a_code_with_another_requests_token_counts_for_neither(holding, visit, issuer):
    other = Visit(holding, begin(holding))
    assert release(visit.pending, token=other.pending.token, code=visit.code).status == 404
    for one in (visit, other):
        assert release(one.pending, code=WRONG).json["attempts_left"] == 2
        assert finish_properly(one, issuer)


@pytest.mark.rule(8)
def test_a_release_before_the_callback_is_refused(holding, issuer):
    pending = begin(holding)
    for _ in range(4):
        assert 400 <= release(pending, code=WRONG).status < 500
    assert pending.is_untouched()
    assert finish_properly(Visit(holding, pending), issuer)


@pytest.mark.rule(6)
def test_the_right_code_many_times_at_once_redeems_once(visit, issuer):
    code = visit.code
    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(lambda _: release(visit.pending, code=code).status, range(12)))
    assert statuses.count(204) == 1 and set(statuses) == {204, 409}
    assert outcome(visit.pending)["status"] == "completed"
    assert issuer.times_redeemed(visit.authorization_code) == 1


@pytest.mark.rule(8)
def test_many_wrong_codes_at_once_are_three_tries(visit):
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda _: release(visit.pending, code=WRONG), range(12)))
    tries = [reply.json["attempts_left"] for reply in replies if reply.status == 403]
    assert sorted(tries) == [0, 1, 2] and {reply.status for reply in replies} == {403, 409}
    assert visit.pending.failure()["code"] == "release_failed"


@pytest.mark.rule(8)
def test_codes_are_short_and_cannot_be_misread(holding):
    codes = [Visit(holding, begin(holding)).code for _ in range(12)]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert re.fullmatch(r"[A-Z0-9]{2,5}(?:-[A-Z0-9]{2,5})*", code) and len(code.replace("-", "")) in range(6, 11)
        assert not any(look_alikes <= set("".join(codes)) for look_alikes in ({"0", "O"}, {"1", "I"}, {"1", "L"}))


@pytest.mark.rule(7)
def test_no_log_holds_a_release_code_or_what_was_typed_instead(holding, issuer):
    """They are too short for the search of all logs that ends the run."""
    visit = Visit(holding, begin(holding))
    code = visit.code
    assert release(visit.pending, code="XWRNGXWR").status == 403
    assert finish_properly(visit, issuer)
    log = holding.output()
    assert visit.pending.reference in log
    for secret in (code, code.replace("-", ""), code.lower(), "XWRNGXWR"):
        assert secret not in log


# The answers to the program.


@pytest.mark.rule(8)
@pytest.mark.parametrize("completion", ["tokens", "response"])
def test_a_waiting_app_hears_that_a_release_is_required(holding, completion):
    fields = {"state": "a-state-of-the-app-itself-waiting"} if completion == "response" else {}
    pending = begin(holding, completion=completion, **fields)
    events = pending.events()
    assert next(events) == ("status", {"status": "pending"})
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(pending.poll, wait=60)
        visit = Visit(holding, pending)
        reply = waiting.result(timeout=30)
        # The whole answer: neither code nor URL is delivered before the release.
        assert (reply.status, reply.json) == (202, {"status": "release_required"})
        assert next(events) == ("status", {"status": "release_required"})
        assert pending.poll(wait=60, seen="pending").json == {"status": "release_required"}
        after = pool.submit(outcome, pending)
        assert release(pending, code=visit.code).status == 204
        result = after.result(timeout=30)
    rest = [data for _, data in events]
    assert rest[-1] == result and result["status"] == "completed"
    assert result.get("url") == (visit.callback if completion == "response" else None)


@pytest.mark.rule(8)
def test_one_who_has_seen_it_waits_on_until_the_end(visit):
    assert visit.pending.poll(wait=1, seen="release_required").json == {"status": "release_required"}
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(visit.pending.poll, wait=60, seen="release_required")
        for _ in range(3):
            assert release(visit.pending, code=WRONG).status == 403
        assert waiting.result(timeout=30).json["error"]["code"] == "release_failed"


@pytest.mark.parametrize("app", [CODE, NETWORK, DEVICE])
@pytest.mark.parametrize("completion", ["tokens", "response"])
def test_a_refusal_of_the_issuer_is_delivered_at_once(holding, app, completion):
    fields = {"state": f"a-state-of-the-app-itself-{app}"} if completion == "response" else {}
    # From elsewhere, so that no policy passes by itself.
    elsewhere = Place(holding, **via("198.51.100.7"))
    pending = begin(holding, app, demo="deny", completion=completion, api=elsewhere, **fields)
    Visit(holding, pending)
    result = pending.outcome()
    assert result["status"] in ("failed", "completed") and "access_denied" in str(result)


@pytest.mark.rule(8)
def test_a_program_that_gives_up_ends_what_is_held(visit, issuer):
    code = visit.code
    events = visit.pending.events()
    assert next(events)[1] == {"status": "release_required"}
    assert visit.pending.delete().status == 204
    assert [data for _, data in events][-1]["error"]["code"] == "user_canceled"
    assert release(visit.pending, code=code).status in (404, 409)
    assert issuer.times_redeemed(visit.authorization_code) == 0


@pytest.mark.rule(8)
@pytest.mark.parametrize("completion", ["tokens", "response"])
def test_a_code_that_nobody_releases_fails_and_says_why(run_folder, issuer, completion):
    holding = HoldingGateway(run_folder, issuer.base, limits={"release_lifetime": "1s"}).start()
    try:
        fields = {"state": "a-state-of-the-app-itself-too-old"} if completion == "response" else {}
        pending = begin(holding, completion=completion, **fields)
        visit = Visit(holding, pending)
        events = list(pending.events())
        assert [data["status"] for _, data in events][-1] == "failed"
        error = events[-1][1]["error"]
        assert error["code"] == "release_failed" and error["description"]
        assert "url" not in events[-1][1] and visit.authorization_code not in str(events)
        assert issuer.times_redeemed(visit.authorization_code) == 0
        assert release(pending, code=WRONG).status == 409
    finally:
        holding.stop()
