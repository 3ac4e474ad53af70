"""Rule 8: where the browser that opens `start_url` is elsewhere than the app, a page comes before the issuer."""

import re
from html import unescape

import pytest

from harness.held import CODE, DEVICE, NETWORK, HoldingGateway, Place, begin, is_held, outcome, release, shown
from harness.held import via
from harness.issuer import authorize
from harness.jar import LaxJar

BOUND = "com.contoso.bound"
FAR, NEAR = "198.51.100.7", "192.168.7.20"
FORM = b"answer=not_me"


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base)
    gateway.configuration["apps"].append(
        gateway.app("bound", "Bound Mail", client_id="bound", release="code", require_start=True))
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def link(page):
    """The address behind “continue”."""
    return unescape(re.search(r'href="(/start/[^"]+)"', page.text)[1])


def is_question(answer):
    return answer.status == 200 and "confirm" in answer.text and answer.header("Location") is None


def finish_properly(holding, pending, browser):
    """Goes on in this browser, signs in, and types the code: the very same request."""
    assert pending.is_untouched()
    sent = browser.get(holding.url(link(browser.get(pending.start_url))))
    assert sent.status == 303 and "/authorize" in sent.header("Location")
    came = browser.get(authorize(sent.header("Location")))
    assert came.status == 303 and is_held(pending), "the page is no release"
    page = browser.follow(came)
    assert f"__Host-sy-{pending.id}" not in browser.cookies
    proof = {"code": shown(page.text, "release-code")} if page.status == 200 else {
        "ticket": re.search(r"ticket=([\w-]+)", page.header("Location"))[1]}
    assert release(pending, **proof).status == 204
    return outcome(pending)["status"] == "completed"


@pytest.mark.rule(8)
@pytest.mark.parametrize("app", [CODE, NETWORK, DEVICE, BOUND])
def test_the_page_says_who_asks_and_goes_on_in_that_browser_only(holding, app):
    pending = begin(holding, app, api=Place(holding, **via(FAR)), host_label="dev-vm.17")
    browser = LaxJar(holding)
    page = browser.get(pending.start_url)
    assert is_question(page)
    for words in (FAR, "dev-vm.17", "Mail", "If you did not start this yourself, do not continue"):
        assert words in page.text
    assert re.search(r"<time[^>]*>[^<]*\d\d:\d\d", page.text) and shown(page.text, "reference") == pending.reference
    assert pending.state not in page.text and "/authorize" not in page.text, "the way to the issuer is behind it"
    policy = page.header("Content-Security-Policy")
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert page.header("Cache-Control") == "no-store" and page.header("Referrer-Policy") == "no-referrer"
    assert finish_properly(holding, pending, browser)


@pytest.mark.rule(8)
@pytest.mark.parametrize("bring", ["nothing", "its own page", "another request's page"])
def test_the_confirm_link_is_good_with_its_own_cookie_only(holding, bring):
    """An attacker who sends the confirm link itself cannot skip the page."""
    pending = begin(holding, api=Place(holding, **via(FAR)))
    mine, other = LaxJar(holding), LaxJar(holding)
    confirm = holding.url(link(mine.get(pending.start_url)))
    if bring == "its own page":
        other.get(pending.start_url)
    elif bring == "another request's page":
        other.get(begin(holding, api=Place(holding, **via(FAR))).start_url)
    assert is_question(other.get(confirm))
    assert finish_properly(holding, pending, mine)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_page_that_was_opened_again_is_good_in_every_tab(holding, which):
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser = LaxJar(holding)
    links = [link(browser.get(pending.start_url)) for _ in range(3)]
    assert browser.get(holding.url(links[which])).status == 303
    # That browser is not asked again; another one is.
    assert browser.get(pending.start_url).status == 303
    assert finish_properly(holding, pending, LaxJar(holding))


@pytest.mark.rule(8)
@pytest.mark.parametrize("spoil", [
    lambda url: url[:-1], lambda url: url + "A", lambda url: url.split("?")[0] + "?confirm=",
    lambda url: url + "&confirm=x",
    lambda url: url.split("?")[0] + "?confirm=" + "A" * 22, lambda url: url.split("?")[0] + "?x=" + url.split("=")[1],
])
def test_a_confirm_link_that_was_changed_asks_again(holding, spoil):
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser = LaxJar(holding)
    confirm = holding.url(link(browser.get(pending.start_url)))
    answer = browser.get(spoil(confirm))
    assert answer.header("Location") is None and (answer.status == 400 or is_question(answer))
    assert finish_properly(holding, pending, browser)


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("app_at, browser_at, asks", [
    ({}, {}, False), ({}, {"source": "127.0.0.5"}, True), ({"source": "127.0.0.5"}, {"source": "127.0.0.5"}, False), (via(FAR), via(FAR), False), (via(NEAR), via(NEAR), False),
    (via(FAR), via(NEAR), True), (via(FAR), {}, True), ({}, via(FAR), True),
    # Somebody's own word for where they are is no place.
    (via(NEAR), {"headers": {"X-Forwarded-For": NEAR}}, True),
    ({}, {"headers": {"X-Forwarded-For": "127.0.0.1"}}, True),
    ({"headers": {"X-Forwarded-For": NEAR}}, via(NEAR), True), (via(NEAR), via(f"{NEAR}, {FAR}"), True),
])
def test_it_comes_exactly_where_the_two_are_not_in_one_place(holding, app_at, browser_at, asks):
    pending = begin(holding, api=Place(holding, **app_at))
    browser = LaxJar(holding, browser_at.get("source"), **browser_at.get("headers", {}))
    answer = browser.get(pending.start_url)
    if asks:
        assert is_question(answer) and finish_properly(holding, pending, browser)
    else:
        assert answer.status == 303 and "/authorize" in answer.header("Location")


@pytest.mark.rule(8)
def test_it_was_not_me_counts_in_the_browser_that_was_asked(holding):
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser, other, fresh = LaxJar(holding), LaxJar(holding), LaxJar(holding)
    browser.get(pending.start_url)
    other.get(begin(holding, api=Place(holding, **via(FAR))).start_url)
    assert fresh.post(pending.start_url, FORM, cross_site=False).status == 403
    assert other.post(pending.start_url, FORM, cross_site=False).status == 403
    # A page of another site makes the right browser post; its cookie stays behind.
    assert browser.post(pending.start_url, FORM, cross_site=True).status == 403
    assert finish_properly(holding, pending, browser)
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser.get(pending.start_url)
    assert browser.post(pending.start_url, FORM, cross_site=False).status in (200, 303)
    assert pending.failure()["code"] == "release_failed"
    assert browser.get(pending.start_url).header("Location") is None


@pytest.mark.rule(6)
def test_looking_ahead_starts_nothing(holding):
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser = LaxJar(holding)
    for method, headers, status in (("HEAD", {}, 204), ("GET", {"Sec-Purpose": "prefetch"}, 503),
                                    ("GET", {"Purpose": "prefetch"}, 503)):
        answer = holding.browse(pending.start_url, method=method, headers=headers)
        assert (answer.status, answer.header("Set-Cookie")) == (status, None)
    assert finish_properly(holding, pending, browser)


def test_the_page_speaks_the_readers_language(holding):
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser = LaxJar(holding)
    french = browser.get(pending.start_url, **{"Accept-Language": "fr"})
    assert 'lang="fr"' in french.text and FAR in french.text and "did not start" not in french.text
    assert finish_properly(holding, pending, browser)


@pytest.mark.rule(8)
def test_a_browser_that_was_sent_straight_to_the_issuer_is_still_asked_for_the_code(holding):
    """The attacker has the authorization URL too, and skips our page with it: the code is held."""
    pending = begin(holding, api=Place(holding, **via(FAR)))
    victim = LaxJar(holding)
    page = victim.follow(victim.get(authorize(pending.authorization_url)))
    assert is_held(pending) and FAR in page.text and shown(page.text, "release-code")
    bound = begin(holding, BOUND, api=Place(holding, **via(FAR)))
    assert bound.authorization_url == bound.start_url, "with require_start there is nothing to skip it with"


def test_a_person_is_asked_and_says_no(holding, start_browser):
    browser = start_browser()
    pending = begin(holding, api=Place(holding, **via(FAR)))
    browser.open(pending.start_url)
    assert FAR in browser.text
    browser.press(re.compile("not me", re.IGNORECASE))
    assert pending.failure()["code"] == "release_failed" and browser.complaints() == []


def test_a_person_is_asked_and_goes_on(holding, start_browser):
    browser = start_browser()
    pending = begin(holding, BOUND, api=Place(holding, **via(FAR)))
    browser.open(pending.start_url)
    browser.driver.find_element("partial link text", "Continue").click()
    browser.wait_for(lambda: browser.address == holding.url(f"/done/{pending.reference}"), "the done page")
    assert release(pending, code=browser.element("release-code")).status == 204
    assert outcome(pending)["status"] == "completed" and browser.complaints() == []
