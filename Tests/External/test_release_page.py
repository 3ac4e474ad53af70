"""Rule 8: the page with the release code, which only the browser that brought the callback ever sees."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import pytest

from harness.held import HoldingGateway, Place, Visit, begin, finish_properly, outcome, release, shown, via
from harness.vault import VAULT


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture
def visit(holding):
    """A browser that has come back with a code, which is held."""
    return Visit(holding, begin(holding, host_label="dev-vm.17"))


@pytest.mark.rule(8)
def test_the_page_says_who_asked_from_where_and_when(holding):
    pending = begin(holding, host_label="dev-vm.17", api=Place(holding, **via("198.51.100.7")))
    visit = Visit(holding, pending)
    before = visit.page()
    assert before.status == 200
    for words in ("Coded Mail", "dev-vm.17", "198.51.100.7", f"{datetime.now(timezone.utc):%Y-%m-%d}"):
        assert words in before.text
    assert re.search(r"<time[^>]*>[^<]*\d\d:\d\d", before.text)
    assert "only into the program that you started" in before.text and "Nobody will ask you for it" in before.text
    assert shown(before.text, "reference") == pending.reference and shown(before.text, "release-code")
    assert visit.authorization_code not in before.text and pending.state not in before.text
    assert re.fullmatch(r".*/done/[\w-]+", visit.address), "no code in its address"
    for name, value in [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]:
        assert value in before.header(name)
    policy = before.header("Content-Security-Policy")
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert release(pending, code=visit.code).status == 204
    assert outcome(pending)["status"] == "completed" and visit.code is None


def test_the_page_speaks_the_readers_language(visit, issuer):
    english, french = visit.page(**{"Accept-Language": "en"}), visit.page(**{"Accept-Language": "fr-CA, en;q=0.5"})
    assert 'lang="en"' in english.text and 'lang="fr"' in french.text
    assert "Nobody will ask" not in french.text
    assert shown(english.text, "release-code") == shown(french.text, "release-code")
    assert finish_properly(visit, issuer)


@pytest.mark.rule(6)
def test_the_same_callback_again_is_the_same_page(holding, visit, issuer):
    code = visit.code
    again = holding.browse(visit.callback, headers={"Cookie": visit.cookie})
    assert (again.status, again.header("Location")) == (303, visit.answer.header("Location"))
    assert visit.code == code
    assert finish_properly(visit, issuer)


@pytest.mark.rule(6)
def test_another_code_for_a_held_sign_in_is_refused_and_changes_nothing(holding, visit, issuer):
    forged = visit.callback.replace("code=", "code=forged-")
    for headers in ({}, {"Cookie": visit.cookie}):
        assert holding.browse(forged, headers=headers).status == 409
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
@pytest.mark.parametrize("bring", ["nothing", "another sign-in's cookie", "that cookie under this name", "a cut one"])
def test_another_browser_sees_nothing_and_ends_nothing(holding, visit, issuer, bring):
    other = Visit(holding, begin(holding))
    (name, value), others_value = visit.cookie.split("=", 1), other.cookie.split("=", 1)[1]
    cookie = {
        "nothing": "", "another sign-in's cookie": other.cookie,
        "that cookie under this name": f"{name}={others_value}", "a cut one": f"{name}={value[:-1]}",
    }[bring]
    code = visit.code
    for page in (holding.browse(visit.address, headers={"Cookie": cookie} if cookie else {}),
                 holding.browse(visit.callback, headers={"Cookie": cookie} if cookie else {})):
        assert not any(secret in page.text for secret in (code, "Coded Mail", "dev-vm.17"))
        assert name not in (page.header("Set-Cookie") or "")
    assert visit.not_me(cookie=cookie).status == 403
    assert finish_properly(visit, issuer) and finish_properly(other, issuer)
    after = holding.browse(visit.address, headers={"Cookie": cookie} if cookie else {})
    assert "Coded Mail" not in after.text and "You are signed in" not in after.text, "nor the outcome"


@pytest.mark.rule(8)
def test_it_was_not_me_ends_the_request_for_all(visit, issuer):
    code = visit.code
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(outcome, visit.pending)
        assert visit.not_me().status == 303
        assert waiting.result(timeout=30)["error"]["code"] == "release_failed"
    assert release(visit.pending, code=code).status == 409
    assert "not signed in" in visit.page().text and visit.code is None
    assert visit.not_me().status < 500
    assert issuer.times_redeemed(visit.authorization_code) == 0


@pytest.mark.rule(8)
def test_it_was_not_me_comes_too_late_once_released(visit, issuer):
    assert finish_properly(visit, issuer)
    assert visit.not_me().status < 500
    assert visit.pending.poll().json["status"] == "completed"


@pytest.mark.rule(10)
@pytest.mark.parametrize("body, content_type", [
    (b"", "application/x-www-form-urlencoded"), (b"answer=", "application/x-www-form-urlencoded"),
    (b"answer=me", "application/x-www-form-urlencoded"),
    (b"answer=not_me&answer=me", "application/x-www-form-urlencoded"),
    (b"answer=not_me", "text/plain"), (b'{"answer":"not_me"}', "application/json"),
])
def test_another_answer_ends_nothing(holding, visit, issuer, body, content_type):
    headers = {"Cookie": visit.cookie, "Content-Type": content_type}
    assert 400 <= holding.browse(visit.address, method="POST", body=body, headers=headers).status < 500
    assert finish_properly(visit, issuer)


def test_a_person_reads_the_code_and_types_it(holding, start_browser):
    browser = start_browser(language="fr")
    pending = begin(holding, host_label="dev-vm.17")
    browser.open(pending.start_url)
    browser.wait_for(lambda: browser.address == holding.url(f"/done/{pending.reference}"), "the done page")
    code = browser.element("release-code").strip()
    VAULT.remember("release code", code)
    assert "Coded Mail" in browser.text and "dev-vm.17" in browser.text
    assert release(pending, code=code).status == 204 and outcome(pending)["status"] == "completed"
    browser.driver.refresh()
    assert code not in browser.driver.page_source and browser.complaints() == []


def test_a_person_says_that_it_was_not_them(holding, start_browser):
    browser = start_browser()
    pending = begin(holding)
    browser.open(pending.start_url)
    browser.wait_for(lambda: browser.address == holding.url(f"/done/{pending.reference}"), "the done page")
    browser.press(re.compile("not me", re.IGNORECASE))
    browser.wait_for(lambda: "not signed in" in browser.text, "the end")
    assert pending.failure()["code"] == "release_failed" and browser.complaints() == []
