"""Fixtures of the tests of `switchyard ssh`: one far machine for each file, and sessions to it."""

import http.client
from urllib.parse import urlsplit

import pytest

from harness import far as machines
from harness.browser import ALLOW
from harness.far import FarMachine, Session

OBSTACLE = machines.obstacle()
needs_namespaces = pytest.mark.skipif(OBSTACLE is not None, reason=str(OBSTACLE))


@pytest.fixture(scope="module")
def far(tmp_path_factory, tls_issuer):
    machine = FarMachine(tmp_path_factory.mktemp("far") / "machine")
    machine.lend(tls_issuer.port)
    yield machine
    machine.stop()


@pytest.fixture
def make_far(tmp_path, tls_issuer):
    """Other far machines, with a server or programs that a test needs."""
    made = []

    def make(**options):
        made.append(FarMachine(tmp_path / f"far-{len(made)}", **options))
        return made[-1]

    yield make
    for machine in made:
        machine.stop()


@pytest.fixture
def start(request, tmp_path):
    sessions = []

    def begin(*words, to=None, **options):
        machine = to or request.getfixturevalue("far")
        sessions.append(Session(machine, tmp_path / f"session-{len(sessions)}", *words, **options))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.stop()


@pytest.fixture(scope="module")
def chromium(browsers):
    program = browsers.take()
    yield program
    browsers.give_back(program)


def go_on(browser, page):
    """The person's answer on our page."""
    browser.open(page)
    assert browser.element("host") == "devbox"
    browser.driver.find_element("id", "continue").click()


def sign_in(browser, page):
    """Looks at our page, goes on, and allows what the issuer asks."""
    go_on(browser, page)
    browser.press(ALLOW)


def follow(url, method="GET", headers=None):
    """Its status, and the address where it leads."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers["Location"]
    finally:
        connection.close()


def ask(url, method="GET", headers=None):
    """The status of one request, without following redirects."""
    return follow(url, method, headers)[0]


def come_home(session, port, state):
    """The person goes on, and the issuer sends the browser back, which gets the tool's answer."""
    assert ask(session.next_page() + "/continue", "POST") == 303
    assert ask(f"http://127.0.0.1:{port}/cb?code=c&state={state}", headers={"Host": f"localhost:{port}"}) == 200
