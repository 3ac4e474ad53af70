"""The pages in a real browser: news without a reload by a timer, and WCAG 2.2 AA by axe-core in every language."""

import os
import re
from pathlib import Path

import pytest

from harness.held import HoldingGateway, Place, begin, outcome, release, via
from harness.programs import ROOT

AXE = Path(os.environ.get("AXE_CORE", ROOT / ".venv" / "axe-core" / "axe.min.js"))
SOURCE = (ROOT / "Sources" / "Phrases" / "Language.swift").read_text().split("enum WritingDirection")[0]
LANGUAGES = re.findall(r'case \w+ = "([\w-]+)"', SOURCE)
LOOKS = {
    "light": [("prefers-color-scheme", "light")], "dark": [("prefers-color-scheme", "dark")],
    "forced": [("prefers-color-scheme", "dark"), ("forced-colors", "active")],
}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture
def person(start_browser):
    """A browser whose language and look a test may change."""
    browser = start_browser()
    yield browser
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def read_in(browser, language):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})


def look(browser, name):
    features = [{"name": feature, "value": value} for feature, value in LOOKS[name]]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def to_code(holding, browser):
    """Signs in, up to the page with the release code."""
    pending = begin(holding, host_label="dev-vm.17")
    browser.open(pending.start_url)
    browser.wait_for(lambda: browser.address == holding.url(f"/done/{pending.reference}"), "the done page")
    return pending


@pytest.fixture
def pages(holding, person):
    """The address of a page of each shape, for this browser: a code, a question, news, an end, nothing, a refusal."""
    code = to_code(holding, person)
    ended = to_code(holding, person)
    person.press(re.compile("not me", re.IGNORECASE))
    person.wait_for(lambda: "not signed in" in person.text, "the end")
    waiting = to_code(holding, person)
    assert release(waiting, code=person.element("release-code").strip()).status == 204
    question = begin(holding, api=Place(holding, **via("198.51.100.7")), host_label="dev-vm.17")
    done = {name: holding.url(f"/done/{pending.reference}")
            for name, pending in [("code", code), ("ended", ended), ("waiting", waiting)]}
    return done | {"question": question.start_url, "neutral": holding.url("/done/K7QXM2PA00"),
                   "refused": holding.url("/nothing/here")}


def test_a_selected_code_and_the_focus_stay_until_there_is_news(holding, person):
    """(WCAG 2.2, success criterion 2.2.1)"""
    pending = to_code(holding, person)
    driver = person.driver
    driver.execute_script("""
        getSelection().selectAllChildren(document.getElementById("release-code"));
        document.querySelector("button").focus();
        window.isSame = true;
        window.asked = 0;
        const fetch = window.fetch;
        window.fetch = (...all) => { window.asked += 1; return fetch(...all); };""")
    person.wait_for(lambda: driver.execute_script("return window.asked") >= 2, "two looks for news")
    assert driver.execute_script("return window.isSame && document.activeElement.tagName") == "BUTTON"
    assert driver.execute_script("return getSelection().toString()").strip() == person.element("release-code").strip()
    news = driver.execute_script("const n = document.getElementById('news'); return [n.role || n.getAttribute('role'), n.textContent]")
    assert news[0] == "status" and "by itself" in news[1]
    assert release(pending, code=person.element("release-code").strip()).status == 204
    person.wait_for(lambda: "not collected it yet" in person.text, "the next page")
    assert outcome(pending)["status"] == "completed"
    person.wait_for(lambda: "You are signed in" in person.text, "the end")
    assert person.complaints() == []


def test_times_are_in_the_readers_zone(holding, person):
    person.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kathmandu"})
    try:
        to_code(holding, person)
        time = person.driver.execute_script("const t = document.querySelector('time'); return [t.textContent, t.title]")
    finally:
        person.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    assert "GMT+5:45" in time[0] and time[1].endswith(" UTC")


def test_without_scripts_a_link_loads_the_page_again(holding, start_browser):
    browser = start_browser(scripts=False)
    pending = to_code(holding, browser)
    assert "Reload this page to see if anything has changed." in browser.text
    assert release(pending, code=browser.element("release-code").strip()).status == 204
    assert outcome(pending)["status"] == "completed"
    browser.driver.find_element("id", "reload").click()
    browser.wait_for(lambda: "You are signed in" in browser.text, "the end")


def test_another_browser_hears_no_news(holding, person):
    pending = to_code(holding, person)
    answer = holding.browse(holding.url(f"/done/{pending.reference}/news"))
    assert (answer.status, answer.text) == (200, "still") and answer.header("Cache-Control") == "no-store"


def test_nothing_overflows_a_narrow_screen_in_any_language(person, pages):
    person.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                  {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": False})
    wide = []
    for language in LANGUAGES:
        read_in(person, language)
        for name, address in pages.items():
            person.open(address)
            assert person.driver.execute_script("return document.documentElement.lang") == language
            excess = person.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            wide += [(language, name, excess)] if excess > 0 else []
    assert wide == []


def test_the_keyboard_reaches_the_refusal_before_the_other_choice(person, pages):
    person.open(pages["question"])
    order = person.driver.execute_script(
        "return [...document.querySelectorAll('a[href], button')].map(e => [e.tagName, getComputedStyle(e).backgroundColor])")
    assert [tag for tag, _ in order] == ["BUTTON", "A"]
    assert order[0][1] != order[1][1], "the refusal stands out"


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make .venv/axe-core")
def test_axe_finds_nothing(person, pages):
    """Each language in light; the looks do not depend on words, so two languages stand for all in dark and forced colors."""
    script, found = AXE.read_text(), []
    for language in LANGUAGES:
        read_in(person, language)
        for name in LOOKS if language in ("en", "ar") else ["light"]:
            look(person, name)
            for page, address in pages.items():
                person.open(address)
                person.driver.execute_script(script)
                result = person.driver.execute_async_script(
                    "axe.run({runOnly: arguments[0]}).then(arguments[1])", TAGS)
                found += [(language, name, page, fault["id"], fault["nodes"][0]["html"][:120]) for fault in result["violations"]]
                assert result["passes"]
    assert found == []
