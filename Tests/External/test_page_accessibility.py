"""The pages in a real browser: news without a reload by a timer, and WCAG 2.2 AA by axe-core in every language."""

import re

import pytest

from harness.held import HoldingGateway, Place, begin, outcome, release, via
from harness.looks import AXE, LOOKS, excess, faults, look, plainly, read_in, width
from harness.programs import ROOT

SOURCE = (ROOT / "Sources" / "Phrases" / "Language.swift").read_text().split("enum WritingDirection")[0]
LANGUAGES = re.findall(r'case \w+ = "([\w-]+)"', SOURCE)

@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base)
    gateway.configuration["apps"].append(
        gateway.app("fragment", "Fragment Mail", client_id="fragment", response_mode="fragment"))
    request.addfinalizer(gateway.stop)
    return gateway.start()


@pytest.fixture
def person(start_browser):
    """A browser with a language and a look that a test may change."""
    browser = start_browser()
    yield browser
    plainly(browser)


def to_code(holding, browser):
    """Signs in, up to the page with the release code."""
    pending = begin(holding, host_label="dev-vm.17")
    browser.open(pending.start_url)
    browser.wait_for(lambda: browser.address == holding.url(f"/done/{pending.reference}"), "the done page")
    return pending


@pytest.fixture
def pages(holding, person):
    """The address of a page of each shape, for this browser: a code, a question, news, an end, an empty page, a refusal."""
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
                   "refused": holding.url("/nothing/here"), "fragment": holding.url("/fragment/auth")}


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


def test_the_keyboard_reaches_the_refusal_before_the_other_choice(person, pages):
    person.open(pages["question"])
    order = person.driver.execute_script(
        "return [...document.querySelectorAll('a[href], button')].map(e => [e.tagName, getComputedStyle(e).backgroundColor])")
    assert [tag for tag, _ in order] == ["BUTTON", "A"]
    assert order[0][1] != order[1][1], "the refusal stands out"


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make .venv/axe-core")
def test_in_every_language_axe_finds_nothing_and_no_page_overflows_a_narrow_screen(person, pages):
    """Each language in light; the looks do not depend on words, so two languages stand for all in dark and forced colors."""
    found, wide = [], []
    for language in LANGUAGES:
        read_in(person, language)
        for page, address in pages.items():
            width(person, 320)
            person.open(address)
            assert person.driver.execute_script("return document.documentElement.lang") == language
            wide += [(language, page, excess(person))] if excess(person) > 0 else []
            width(person, None)
            for name in LOOKS if language in ("en", "ar") else ["light"]:
                look(person, name)
                found += [(language, name, page, *fault) for fault in faults(person)]
    assert (found, wide) == ([], [])


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make .venv/axe-core")
def test_axe_finds_nothing_on_the_fragment_page_without_scripts(holding, start_browser):
    """axe-core is a script itself, so the part for browsers without scripts is shown to it by hand."""
    browser = start_browser()
    browser.open(holding.url("/fragment/auth"))
    browser.driver.execute_script("""
        document.getElementById("incomplete").remove();
        const none = document.querySelector("noscript");
        const part = document.createElement("div");
        part.innerHTML = none.textContent;
        none.replaceWith(...part.childNodes);""")
    assert "script" in browser.text.lower() and faults(browser) == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make .venv/axe-core")
@pytest.mark.parametrize("name", LOOKS)
def test_axe_finds_nothing_on_the_console(holding, person, name):
    code = to_code(holding, person)
    person.open(f"http://127.0.0.1:{holding.admin_port}/")
    person.wait_for(lambda: "Ready" in person.element("state"), "the console")
    look(person, name)
    for pixels in (375, 1280):
        width(person, pixels, 900)
        assert faults(person) == [] and excess(person) <= 0, pixels
    person.driver.find_element("id", "reference").send_keys(f"{code.reference}\n".lower())
    person.wait_for(lambda: "authorization" in person.element("history").lower() or "began" in person.element("history").lower()
                    or code.reference in person.element("sign-in-name"), "the history")
    assert faults(person) == []


def test_the_console_tells_of_a_refused_reload(holding, person):
    good = holding.file.read_text()
    person.open(f"http://127.0.0.1:{holding.admin_port}/")
    try:
        holding.file.write_text(good + "nonsense: 1\n")
        holding.reload()
        person.wait_for(lambda: "refused" in person.element("configuration") and "nonsense" in person.element("configuration"),
                        "the refusal")
        assert "Times are those of this browser's zone" in person.element("zone")
    finally:
        holding.file.write_text(good)
        holding.reload()
    person.wait_for(lambda: "refused" not in person.element("configuration"), "the good one")


def test_the_legend_of_the_console_stays_in_forced_colors(holding, person):
    person.open(f"http://127.0.0.1:{holding.admin_port}/")
    person.wait_for(lambda: "Ready" in person.element("state"), "the console")
    colors = {}
    for name in ("light", "forced"):
        look(person, name)
        colors[name] = person.driver.execute_script(
            "return [...document.querySelectorAll('.key')].map(key => getComputedStyle(key).backgroundColor)")
        assert len(set(colors[name])) == 3 and "rgba(0, 0, 0, 0)" not in colors[name]
