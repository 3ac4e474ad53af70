"""Real tools on a machine that is reached by `switchyard ssh`, unchanged, and a real browser on this one."""

import json
import re
import sys

import pytest

from harness import far as machines
from harness.browser import ALLOW
from harness.far import FarMachine, Session
from harness.gateway import CA
from harness.programs import ROOT, eventually, free_port

OBSTACLE = machines.obstacle()
pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=str(OBSTACLE))

TOOLS = ROOT / "Tests" / "External" / "far_tools"


@pytest.fixture(scope="module")
def far(tmp_path_factory, tls_issuer):
    machine = FarMachine(tmp_path_factory.mktemp("far") / "machine")
    machine.lend(tls_issuer.port)
    yield machine
    machine.stop()


@pytest.fixture
def start(far, tmp_path):
    sessions = []

    def begin(*words, **options):
        sessions.append(Session(far, tmp_path / f"session-{len(sessions)}", *words, **options))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.stop()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from harness.browser import Browser
    program = Browser(tmp_path_factory.mktemp("browser") / "profile")
    yield program
    program.close()


def sign_in(browser, page):
    """What the person does: looks at our page, goes on, and allows what the issuer asks."""
    browser.open(page)
    assert browser.element("host") == "devbox" and browser.element("client") == "contoso-suite"
    browser.driver.find_element("id", "continue").click()
    browser.press(ALLOW)


def authorization_endpoint(issuer):
    return issuer.metadata()["authorization_endpoint"]


def test_msal_signs_in_by_a_form(start, browser, tls_issuer):
    session = start(sys.executable, TOOLS / "msal_tool.py", tls_issuer.metadata()["issuer"], CA)
    sign_in(browser, session.next_page())
    browser.wait_for(lambda: "MSAL is content" in browser.text, "MSAL's own page")
    assert "code=" not in browser.address
    session.wait_for(r"SIGNED IN AS \w+.* None")
    assert session.end() == 0
