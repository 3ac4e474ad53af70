"""A person's way: Chromium, from the start address to the done page, over TLS."""

from urllib.parse import urlsplit

import pytest

from harness.browser import ALLOW, REFUSE
from harness.vault import VAULT

APP = "com.contoso.app1"


def start(gateway, browser, pending):
    """Opens the start address and waits for the issuer's page."""
    browser.open(pending.start_url)
    browser.wait_for(lambda: urlsplit(browser.address).netloc != urlsplit(gateway.origin).netloc, "the issuer's page")


def wait_for_done(gateway, browser, pending):
    browser.wait_for(lambda: browser.address == gateway.url(f"/done/{pending.reference}"), "the done page")


def test_a_whole_sign_in(gateway, api, start_browser):
    browser = start_browser()
    pending = api.begin(APP, demo=None, login_hint="alice", scope="openid profile")
    start(gateway, browser, pending)
    browser.press(ALLOW)
    wait_for_done(gateway, browser, pending)

    assert "Contoso Mail has not collected it yet" in browser.text
    assert browser.element("reference").strip() == pending.reference

    outcome = pending.outcome()
    assert outcome["status"] == "completed" and outcome["id_token_claims"]["nonce"] == pending.nonce
    assert pending.delete().status == 204
    browser.driver.refresh()
    assert "You are signed in" in browser.text and "Contoso Mail has received your sign-in" in browser.text
    assert browser.complaints() == []


def test_refusing_at_the_issuer_is_told_to_both(gateway, api, start_browser):
    browser = start_browser()
    pending = api.begin(APP, demo=None, login_hint="alice", scope="openid profile")
    start(gateway, browser, pending)
    browser.press(REFUSE)
    wait_for_done(gateway, browser, pending)
    assert "You are not signed in" in browser.text and "Contoso Mail" in browser.text
    assert pending.failure()["code"] == "access_denied"


def test_the_same_callback_again_shows_the_same_page(gateway, signed_in, start_browser):
    browser = start_browser()
    pending, callback = signed_in
    browser.open(callback)
    wait_for_done(gateway, browser, pending)
    outcome = pending.outcome()
    browser.open(callback)
    wait_for_done(gateway, browser, pending)
    assert "Contoso Mail" in browser.text
    assert pending.outcome() == outcome


@pytest.mark.parametrize("language, words", [("en", "sign-in"), ("fr", "connexion")])
def test_the_done_page_speaks_the_browsers_language(gateway, api, start_browser, language, words):
    browser = start_browser(language=language)
    pending = api.begin(APP, scope="openid")
    browser.open(pending.start_url)
    wait_for_done(gateway, browser, pending)
    assert browser.driver.execute_script("return document.documentElement.lang") == language
    assert words in browser.text.lower()


def test_a_page_fits_a_narrow_window(gateway, api, start_browser):
    browser = start_browser()
    browser.driver.set_window_size(320, 640)
    pending = api.begin(APP, scope="openid")
    browser.open(pending.start_url)
    wait_for_done(gateway, browser, pending)
    assert browser.driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


def test_a_refused_callback_is_readable(gateway, start_browser):
    browser = start_browser()
    VAULT.remember("code", "planted-code-in-a-browser")
    browser.open(gateway.url("/app1/auth?code=planted-code-in-a-browser&state=" + "E" * 43))
    assert len(browser.text) > 40 and "planted-code" not in browser.text
