"""The pages of this machine in a real browser: the question of `switchyard ssh`, and the library's loopback page."""

import pytest

from harness.looks import AXE, LOOKS, excess, faults, look, plainly, read_in, width
from harness.programs import free_port
from harness.ssh_fixtures import chromium, far, needs_namespaces, start  # noqa: F401
from test_client import AUTO, start_client  # noqa: F401
from test_ssh_attacks import address

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make .venv/axe-core")


@pytest.fixture
def person(start_browser):
    browser = start_browser()
    yield browser
    plainly(browser)


def judge(person, url, languages=("en", "de", "ar", "ja")):
    found = []
    for language in languages:
        read_in(person, language)
        for name in LOOKS:
            look(person, name)
            person.open(url)
            assert person.driver.execute_script("return document.documentElement.lang") == language
            found += [(language, name, *fault) for fault in faults(person)]
        width(person, 320)
        found += [(language, "too wide", excess(person))] if excess(person) > 0 else []
        width(person, None)
    assert found == []


@needs_namespaces
def test_the_question_before_a_sign_in_of_a_far_machine(start, person):
    session = start()
    session.wait_for(r"[#$] $")
    session.type(f"$BROWSER '{address(free_port(), scope='mail.read ' + 'x' * 80)}'\r")
    page = session.next_page()
    judge(person, page)
    colors = person.driver.execute_script(
        "return [...document.querySelectorAll('button')].map(button => getComputedStyle(button).backgroundColor)")
    assert len(colors) == 2 and colors[0] != colors[1], "the refusal stands out"
    session.type("exit 0\r")
    assert session.end() == 0


def test_the_page_at_a_loopback_redirect_uri(start_client, person):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    for language in ("en", "ar"):
        read_in(person, language)
        for name in LOOKS:
            look(person, name)
            running, url = app.begin_sign_in(extra=AUTO)
            person.open(url)
            person.wait_for(lambda: person.address.startswith("http://127.0.0.1") and person.address.endswith("/callback"),
                            "the page, without the code")
            assert faults(person) == []
            width(person, 320)
            assert excess(person) <= 0
            width(person, None)
            assert "error" not in app.end(running)
