"""Real tools on a machine that is reached by `switchyard ssh`, unchanged, and a real browser on this one."""

import json
import re
import sys
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.gateway import CA
from harness.issuer import TestIssuer
from harness.programs import ROOT, eventually, free_port
from harness.ssh_fixtures import ask, chromium, far, follow, make_far, needs_namespaces, sign_in, start  # noqa: F401

pytestmark = needs_namespaces
TOOLS = ROOT / "Tests" / "External" / "far_tools"


@pytest.fixture(scope="module")
def endpoint(tls_issuer):
    return tls_issuer.metadata()["authorization_endpoint"]


@pytest.fixture
def google(run_folder, far):
    """An issuer that gives desktop apps a secret, like Google."""
    program = TestIssuer(run_folder, tls=True, clients={"desktop-app": "no-secret-at-all"}).start()
    far.lend(program.port)
    yield program
    program.stop()


def received(session):
    """The callback that our tool reports."""
    return json.loads(session.wait_for(r"RECEIVED (\{.*\})\r?\n")[1])


def nothing_is_left(far, session):
    eventually(lambda: not far.leftovers() and not far.processes(), what=f"{far.leftovers()} {far.processes()} being gone")
    assert list(session.runtime.iterdir()) == []


def test_msal_signs_in_by_a_form(far, start, chromium, tls_issuer):
    session = start(sys.executable, TOOLS / "msal_tool.py", tls_issuer.metadata()["issuer"], CA)
    sign_in(chromium, session.next_page())
    chromium.wait_for(lambda: "MSAL is content" in chromium.text, "MSAL's own page")
    assert "code=" not in chromium.address
    session.wait_for(r"SIGNED IN AS \w+.* None")
    assert session.end() == 0
    nothing_is_left(far, session)


def test_google_is_asked_in_exactly_one_connection(far, start, chromium, google):
    session = start(sys.executable, TOOLS / "google_tool.py", google.metadata()["issuer"], CA)
    sign_in(chromium, session.next_page())
    chromium.wait_for(lambda: "Google is content" in chromium.text, "Google's own page")
    session.wait_for(r"SIGNED IN True")
    assert session.end() == 0
    nothing_is_left(far, session)


def test_a_tool_that_opens_a_page_of_its_own_first_and_last(far, start, chromium, endpoint):
    session = start(sys.executable, TOOLS / "own_page_tool.py", endpoint)
    sign_in(chromium, session.next_page())
    chromium.wait_for(lambda: "The tool's own page" in chromium.text, "the tool's own page")
    assert chromium.address.endswith("/success")
    got = received(session)
    assert re.fullmatch(r"/\?.*code=.*", got["target"]) and got["cookie"] is None
    session.wait_for("DONE")
    assert session.end() == 0
    assert "planted" not in str(chromium.driver.get_cookies())
    nothing_is_left(far, session)


def test_the_same_own_page_leads_to_a_second_sign_in(start, chromium, endpoint):
    """Its port is the tool's own, so its address is the same each time."""
    tool = f"{sys.executable} {TOOLS / 'own_page_tool.py'} {endpoint} {free_port()}"
    session = start(f"{tool} && {tool}")
    for number in (1, 2):
        sign_in(chromium, session.next_page(number))
        chromium.wait_for(lambda: "The tool's own page" in chromium.text, "the tool's own page")
    assert session.end() == 0
    assert session.text.count("DONE") == 2


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_tool_that_only_prints(start, chromium, endpoint, host):
    state = "printed-state-1234567890"
    session = start(sys.executable, TOOLS / "printing_tool.py", endpoint, host, free_port(), state, columns=100)
    sign_in(chromium, session.next_page())
    chromium.wait_for(lambda: "The tool is content" in chromium.text, "the tool's page")
    got = received(session)
    assert got["method"] == "GET" and f"state={state}" in got["target"] and got["count"] == 1
    assert "cookie" not in got["headers"]
    assert session.end() == 0


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
@pytest.mark.parametrize(("width", "columns"), [(100, 100), (70, 160)])
def test_an_address_that_is_printed_in_pieces_is_put_together(start, endpoint, host, width, columns):
    """Broken at the terminal's edge, and broken by the tool."""
    state, port = "printed-state-1234567890", free_port()
    session = start(sys.executable, TOOLS / "printing_tool.py", endpoint, host, port, state, width, columns=columns)
    status, address = follow(session.next_page() + "/continue", "POST")
    assert status == 303 and address.startswith(f"{endpoint}?")
    asked = parse_qs(urlsplit(address).query)
    assert (asked["redirect_uri"], asked["state"]) == ([f"http://{host}:{port}/cb"], [state])
    assert asked["code_challenge"] == ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"] and asked["scope"] == ["openid"]
    assert ask(f"http://127.0.0.1:{port}/cb?code=c&state={state}", headers={"Host": f"{host}:{port}"}) == 200
    got = received(session)
    assert got["method"] == "GET" and f"state={state}" in got["target"] and got["count"] == 1
    assert session.end() == 0


def test_a_tool_that_prints_into_a_pipe(start, chromium, endpoint):
    session = start(
        sys.executable, TOOLS / "printing_tool.py", endpoint, "localhost", free_port(), "piped", terminal=False)
    sign_in(chromium, session.next_page())
    assert received(session)["count"] == 1
    assert session.end() == 0


def test_node_and_xdg_open(far, start, chromium, endpoint):
    session = start("node", TOOLS / "node_tool.js", endpoint)
    sign_in(chromium, session.next_page())
    chromium.wait_for(lambda: "Node is content" in chromium.text, "the tool's page")
    session.wait_for("RECEIVED /callback true true")
    assert session.end() == 0
    nothing_is_left(far, session)


def test_a_shell_and_two_sign_ins_at_once(start, chromium, endpoint):
    sessions = [start(), start()]
    for number, session in enumerate(sessions):
        session.wait_for(r"[#$] $")
        session.type(f"{sys.executable} {TOOLS / 'printing_tool.py'} {endpoint} localhost {free_port()} state-{number}\r")
    for number, session in reversed(list(enumerate(sessions))):
        sign_in(chromium, session.next_page())
        assert f"state=state-{number}&" in received(session)["target"] + "&"
    for session in sessions:
        session.type("exit 0\r")
        assert session.end() == 0


def test_two_tools_of_one_session_at_one_port(start, chromium, endpoint):
    """The first was interrupted, and left its sign-in behind."""
    port = free_port()
    session = start()
    session.wait_for(r"[#$] $")
    tool = f"{sys.executable} {TOOLS / 'printing_tool.py'} {endpoint} localhost {port}"
    session.type(f"{tool} first\r")
    session.next_page()
    session.type("\x03")
    session.wait_for("KeyboardInterrupt")
    session.type(f"{tool} second\r")
    sign_in(chromium, session.next_page(2))
    assert "state=second" in received(session)["target"]
    chromium.wait_for(lambda: chromium.address == f"http://localhost:{port}/cb", "the page, without the code in its address")
    assert "The tool is content" in chromium.text
    session.type("exit 0\r")
    assert session.end() == 0


def test_a_trusted_client_needs_no_page_and_is_told(start, chromium, endpoint, tls_issuer):
    session = start(
        sys.executable, TOOLS / "printing_tool.py", endpoint, "localhost", free_port(), "trusted",
        options=("--trust", f"127.0.0.1:{tls_issuer.port}/contoso-suite"))
    assert session.next_page().startswith(endpoint)
    session.wait_for("which --trust lets pass")
    chromium.open(session.next_page() + "&demo=auto")
    assert received(session)["count"] == 1
    assert session.end() == 0


def test_without_a_browser_the_page_is_printed(start, chromium, endpoint):
    session = start(
        sys.executable, TOOLS / "printing_tool.py", endpoint, "localhost", free_port(), "printed", options=("--no-browser",))
    sign_in(chromium, session.wait_for(r"(http://127\.0\.0\.1:\d+/\S+)\s")[1])
    assert received(session)["count"] == 1 and session.asked == []
    assert session.end() == 0
