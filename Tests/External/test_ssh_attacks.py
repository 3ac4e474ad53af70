"""Attacks through `switchyard ssh`: by a hostile far machine, and by a hostile page in the browser here."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode, urlsplit

import pytest

from harness.browser import ALLOW
from harness.keyring import BUS
from harness.programs import ROOT, eventually, free_port
from harness.users import flood_by_another_user, needs_root, status_for_another_user
from harness.ssh_fixtures import chromium, far, go_on, needs_namespaces, start  # noqa: F401

pytestmark = needs_namespaces
TOOLS = ROOT / "Tests" / "External" / "far_tools"
NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture(scope="module")
def endpoint(tls_issuer):
    return tls_issuer.metadata()["authorization_endpoint"]


class Waiting:
    """A tool over there that waits at a port, and the sign-in that the person may have gone on with."""

    def __init__(self, start, endpoint, goes_on=True, host="localhost", program="printing_tool", more=()):
        self.port, self.state, self.host = free_port(), "the-right-state", f"{host}"
        self.session = start(sys.executable, TOOLS / f"{program}.py", endpoint, host, self.port, self.state, *more)
        self.page = self.session.next_page()
        if goes_on:
            assert ask(self.page + "/continue", "POST")[0] == 303

    def ask(self, query=None, method="GET", path="/cb", host=None, body=None, address="127.0.0.1", **headers):
        query = f"code=c&state={self.state}" if query is None else query
        url = f"http://{address}:{self.port}{path}" + (f"?{query}" if query else "")
        headers = {"Host": host or f"{self.host}:{self.port}"} | headers
        answer = ask(url, method, headers, body)
        if answer[0] == 303 and answer[1]["Location"] == f"http://{self.host}:{self.port}/cb":
            # The tool's page stands at an address without the code.
            return ask(f"http://{address}:{self.port}/cb", "GET", headers)
        return answer

    @property
    def has_received(self):
        return "RECEIVED" in self.session.text

    @property
    def received(self):
        """The callback that the tool reports. Its line comes through the terminal, perhaps after its answer came through
        the browser."""
        return json.loads(self.session.wait_for(r"RECEIVED (\{.*\})\r?\n")[1])


def ask(url, method="GET", headers=None, body=None):
    """(status, headers, body), without following redirects."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def listens(port, address="127.0.0.1"):
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.settimeout(2)
        return probe.connect_ex((address, port)) == 0


def address(port, state="s", client="contoso-suite", **changes):
    query = {"response_type": "code", "client_id": client, "state": state, "redirect_uri": f"http://localhost:{port}/cb"}
    return "https://login.contoso.com/authorize?" + urlencode(query | changes)


# MARK: the callback

def test_only_the_persons_browser_with_the_state_gets_through(start, endpoint):
    tool = Waiting(start, endpoint)
    assert tool.ask(host=f"evil.example:{tool.port}")[0] == 421
    assert tool.ask(host=f"127.0.0.1:{tool.port}")[0] == 421
    assert tool.ask("code=c&state=wrong")[0] == tool.ask("code=c")[0] == 400
    assert tool.ask(f"code=c&state={tool.state}&state=x")[0] == 400
    assert tool.ask(path="/")[0] == tool.ask(path="/cb/")[0] == tool.ask(path="/%63b")[0] == 404
    assert tool.ask(method="HEAD")[0] == tool.ask(method="PUT")[0] == tool.ask(method="OPTIONS")[0] == 405
    for sent in ({"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}, {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
                 {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}):
        assert tool.ask(**sent)[0] == 403
    assert tool.ask(**{"Sec-Purpose": "prefetch"})[0] == 503
    assert tool.ask("", "POST", body=json.dumps({"state": tool.state}), **{"Content-Type": "application/json"})[0] == 415
    assert tool.ask("", "POST", body="code=c&state=x", **{"Content-Type": "application/x-www-form-urlencoded"})[0] == 400
    assert not tool.has_received
    status, headers, body = tool.ask(**NAVIGATION, Cookie="other=service", Authorization="Basic eDp5", Referer="http://x/")
    assert status == 200 and "The tool is content" in body
    assert tool.received["count"] == 1 and tool.received["target"] == f"/cb?code=c&state={tool.state}"
    assert not {"cookie", "authorization"} & set(tool.received["headers"])
    policy = headers.get_all("Content-Security-Policy")
    assert len(policy) == 1 and {"sandbox", "default-src 'none'"} <= set(policy[0].split("; ")) and headers["Content-Type"] == "text/html"
    assert not any(headers[name] for name in ("Set-Cookie", "Clear-Site-Data", "Service-Worker-Allowed", "X-Tool"))
    assert tool.session.end() == 0


@pytest.mark.rule(7)
def test_no_code_stays_in_the_address_bar(start, endpoint):
    tool = Waiting(start, endpoint)
    url, host = f"http://127.0.0.1:{tool.port}/cb", {"Host": f"localhost:{tool.port}"} | NAVIGATION
    status, headers, body = ask(f"{url}?code=c&state={tool.state}", headers=host)
    assert (status, headers["Location"], body) == (303, f"http://localhost:{tool.port}/cb", "")
    assert ask(f"{url}?code=c&state={tool.state}", headers=host)[0] == 409, "the tool has it already"
    assert ask(url, headers=host | {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"})[0] == 403
    status, headers, body = ask(url, headers=host)
    assert status == 200 and "The tool is content" in body and "default-src 'none'" in headers["Content-Security-Policy"]
    assert tool.received["count"] == 1
    assert tool.session.end() == 0


def test_a_tool_that_says_nothing_gets_its_callback_once(start, endpoint):
    tool = Waiting(start, endpoint, program="mute_tool")
    assert "The tool is content" not in tool.ask()[2]
    tool.session.wait_for("RECEIVED")
    assert tool.session.text.count("RECEIVED") == 1


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_the_listener_takes_that_one_callback_only(start, endpoint, host):
    tool = Waiting(start, endpoint, host=host)
    assert listens(tool.port) and listens(tool.port, "::1") == (host == "localhost")
    consent = urlsplit(tool.page).port
    assert tool.ask()[0] == 200
    eventually(lambda: not listens(tool.port) and not listens(consent), what="both ports being closed")
    assert tool.session.end() == 0


def test_a_second_callback_goes_nowhere(start, endpoint):
    tool = Waiting(start, endpoint)
    statuses = []

    def callback(code):
        try:
            statuses.append(tool.ask(f"code={code}&state={tool.state}")[0])
        except OSError:
            statuses.append(None)

    threads = [threading.Thread(target=callback, args=(code,)) for code in "abcde"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses.count(200) == 1 and set(statuses) <= {200, 409, None}
    assert tool.received["count"] == 1
    assert tool.session.end() == 0


def test_a_callback_byte_for_byte(start, endpoint):
    tool = Waiting(start, endpoint)
    query = f"state={tool.state}&code=a%2Bb+c%7e~&x=%41&&iss=https%3A%2F%2Fissuer.example&session_state=1"
    assert tool.ask(query)[0] == 200
    assert tool.received["target"] == f"/cb?{query}"
    assert tool.session.end() == 0


def test_a_tool_that_is_gone_is_said_and_nothing_waits_on(start, endpoint):
    session = start()
    session.wait_for(r"[#$] $")
    port = free_port()
    session.type(f"$BROWSER '{address(port)}'\r")
    page = session.next_page()
    assert ask(page + "/continue", "POST")[0] == 303
    status, _, body = ask(f"http://127.0.0.1:{port}/cb?code=c&state=s", headers={"Host": f"localhost:{port}"})
    assert status == 502 and "no longer waiting" in body
    session.wait_for("no longer listens on port")
    eventually(lambda: not listens(port), what="the port being closed")
    session.type("exit 0\r")
    assert session.end() == 0


# MARK: consent

def test_without_the_persons_button_nothing_comes_back(start, endpoint):
    """A host knows its state, and some page could send the browser to the issuer, which answers silently."""
    tool = Waiting(start, endpoint, goes_on=False)
    assert tool.ask(**NAVIGATION)[0] == 403 and not tool.has_received
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert ask(tool.page + "/continue", "POST", headers)[0] == 403
    assert ask(tool.page, headers={"Origin": "https://evil.example"})[0] == 403
    assert ask(tool.page + "/continue")[0] == 405
    assert ask(tool.page, headers={"Host": "evil.example"})[0] == 421
    port = urlsplit(tool.page).port
    assert ask(f"http://127.0.0.1:{port}/")[0] == ask(f"http://127.0.0.1:{port}/guessed")[0] == 404
    assert tool.ask(**NAVIGATION)[0] == 403
    own = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}
    status, headers, _ = ask(tool.page + "/continue", "POST", own)
    assert status == 303 and headers["Location"].startswith(endpoint)
    assert tool.ask(**NAVIGATION)[0] == 200
    assert tool.session.end() == 0


@needs_root
def test_another_user_of_this_machine_can_neither_go_on_nor_bring_a_callback(start, endpoint):
    """The list of processes shows everybody which page the browser was told to open."""
    tool = Waiting(start, endpoint, goes_on=False)
    assert status_for_another_user(tool.page) == status_for_another_user("-X", "POST", tool.page + "/continue") == 403
    assert tool.ask()[0] == 403
    assert ask(tool.page + "/continue", "POST")[0] == 303
    assert status_for_another_user(f"http://localhost:{tool.port}/cb?code=theirs&state={tool.state}") == 403
    assert tool.ask()[0] == 200
    eventually(lambda: tool.received, what="the callback being shown")
    assert "theirs" not in tool.session.text
    assert tool.session.end() == 0


@needs_root
def test_another_user_takes_no_place_of_the_persons_browser(start, endpoint):
    tool = Waiting(start, endpoint, goes_on=False)
    with flood_by_another_user(tool.port, 300), flood_by_another_user(urlsplit(tool.page).port, 300):
        assert ask(tool.page)[0] == 200
        assert ask(tool.page + "/continue", "POST")[0] == 303
        assert tool.ask()[0] == 200
    assert tool.session.end() == 0


def test_it_was_not_me_ends_it(start, endpoint):
    tool = Waiting(start, endpoint, goes_on=False)
    status, _, body = ask(tool.page + "/refuse", "POST")
    assert status == 200 and "Nothing was opened" in body
    tool.session.wait_for("was refused")
    eventually(lambda: not listens(tool.port), what="the port being closed")
    assert not tool.has_received


@pytest.mark.parametrize("more", [
    "&nonce=x;client_id=EVIL;scope=api", "&+client_id=EVIL", "&client.id=EVIL", "&client_id%00=EVIL", "&client_id[]=EVIL",
    "&redirect.uri=http://localhost:9/", "&client_id%5B%5D=EVIL", "&%20scope=api", "&[client_id]=EVIL", "&]client_id=EVIL",
    "&[]client_id=EVIL", "&client_id]=EVIL", "&%5Bclient_id%5D=EVIL", "&client_id%5D=EVIL", "&[scope]=api"])
def test_an_address_that_services_read_differently_is_not_followed(start, more):
    """The page would name one client, and the service would read another."""
    session = start(options=("--trust", "login.contoso.com/contoso-suite"))
    session.wait_for(r"[#$] $")
    session.type("stty -echo\r")
    session.type(f"$BROWSER '{address(free_port())}{more}'\r")
    session.wait_for("not opened, it .* cannot be told")
    session.type("exit 0\r")
    assert session.end() == 0
    assert session.asked == []


def test_the_page_shows_all_that_decides(start):
    session = start()
    session.wait_for(r"[#$] $")
    more = {"resource": "https://mail.contoso.com/", "authorization_details": '[{"type":"payment"}]', "prompt": "consent",
            "x-client-SKU": "MSAL.Python", "nonce": "a;b"}
    session.type(f"$BROWSER '{address(free_port(), **more)}'\r")
    status, _, body = ask(session.next_page())
    assert status == 200
    for shown in (">https://mail.contoso.com/<", ">[{&quot;type&quot;:&quot;payment&quot;}]<", ">consent<", ">/authorize<"):
        assert shown in body or shown.replace("&quot;", '"') in body, body
    session.type("exit 0\r")
    assert session.end() == 0


@pytest.mark.parametrize(("language", "words"), [
    ("en", "Did you just start"), ("fr", "Venez-vous de lancer"), ("de", "Haben Sie diese Anmeldung gerade gestartet?"),
    ("ar", "هل بدأت أنت تسجيل الدخول هذا للتو؟")])
def test_the_page_names_who_asks_as_a_claim(start, language, words):
    session = start()
    session.wait_for(r"[#$] $")
    evil = "<a href=//evil.example>x</a>\x1b[2J" + "y" * 600
    session.type(f"$BROWSER '{address(free_port(), client=evil, scope='mail.read <b>')}'\r")
    status, headers, body = ask(session.next_page(), headers={"Accept-Language": language})
    assert status == 200 and words in body and headers["Content-Language"] == language
    assert "devbox" in body and "login.contoso.com" in body and "mail.read &lt;b&gt;" in body
    assert "<a " not in body and "<b>" not in body and "\x1b" not in body
    assert "y" * 300 in body, "what is cut off may be what tells"
    assert "<script" not in body and "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"] and headers["Cache-Control"] == "no-store"
    session.type("exit 0\r")
    assert session.end() == 0


# MARK: what is opened

def test_a_host_that_floods_pages_gets_five_a_minute_and_each_once(start):
    session = start()
    session.wait_for(r"[#$] $")
    port = free_port()
    same = address(port, state="same")
    session.type(f"for i in 1 2 3; do $BROWSER '{same}'; done; for i in 1 2 3 4 5 6 7 8 9; do $BROWSER '{same}'$i; done\r")
    session.wait_for("the rest is left out")
    eventually(lambda: len(session.asked) >= 5, what="five pages")
    session.type("exit 0\r")
    assert session.end() == 0
    assert len(session.asked) == len(set(session.asked)) == 5
    assert session.text.count("the rest is left out") == 1


def test_an_address_without_a_sign_in_is_shown_with_a_reason_and_not_opened(start):
    port = free_port()
    links = {
        "https://contoso.com/page": "no OAuth authorization request",
        address(port, redirect_uri=f"https://localhost:{port}/"): "https on loopback",
        address(port, state=""): "no state",
        "https://login.contoso.com/authorize?client_id=a&request_uri=urn%3Ax": "pushed",
        "https://contoso.com/\x1b]0;title\x07\x1b[2J": "no address may hold",
    }
    session = start()
    session.wait_for(r"[#$] $")
    session.type("stty -echo\r")
    for link, reason in links.items():
        quoted = link.replace("\x1b", "\\033").replace("\x07", "\\007").replace("%", "%%")
        session.type(f"\"$BROWSER\" \"$(printf '{quoted}')\"\r")
        session.wait_for(re.escape(reason))
    assert session.asked == []
    assert "\x1b]0;title" not in session.text and "\\u{1B}]0;title" in session.text
    session.type("exit 0\r")
    assert session.end() == 0


@pytest.mark.parametrize("link, reason, remedy", [
    ("https://as.contoso.com/authorize?response_type=code&client_id=x&code_challenge=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A4001%2Fcb",
     "it has no state", "ssh -L 4001:localhost:4001 devbox"),
    ("https://as.contoso.com/authorize?client_id=x&request_uri=urn%3Ax", "a pushed request", "ssh -L PORT:localhost:PORT devbox"),
    ("https://idp.contoso.com/sso?SAMLRequest=fZJ&RelayState=x", "it is a SAML request", "on its own machine"),
    ("https://as.contoso.com/authorize?response_type=code&client_id=x&state=s", "it names no redirect URI", "device code"),
])
def test_an_address_that_is_not_followed_is_told_with_what_helps(start, link, reason, remedy):
    session = start(columns=2000)
    session.wait_for(r"[#$] $")
    session.type(f"stty -echo; $BROWSER '{link}'\r")
    session.wait_for(f"not opened, .*{re.escape(reason)}.*{re.escape(remedy)}")
    session.type("exit 0\r")
    assert session.end() == 0
    assert session.asked == []


def test_open_links_opens_https_only(start):
    session = start(options=("--open-links",))
    session.wait_for(r"[#$] $")
    session.type("for u in https://contoso.com/a https://router.local/c http://contoso.com/b file:///etc/passwd javascript:x; do $BROWSER --new-tab $u; done\r")
    assert session.next_page() == "https://contoso.com/a"
    for refused in ("https://router.local/c", "http://contoso.com/b", "file:///etc/passwd", "javascript:x"):
        session.wait_for(f"{refused}: not opened")
    session.type("exit 0\r")
    assert session.end() == 0
    assert session.asked == ["https://contoso.com/a"]


def test_a_second_sign_in_on_a_port_is_listened_for_wherever_it_may_come_back(start):
    port = free_port()
    session = start()
    session.wait_for(r"[#$] $")
    session.type(f"$BROWSER '{address(port, state='one', redirect_uri=f'http://127.0.0.1:{port}/cb')}'\r")
    session.next_page()
    assert listens(port) and not listens(port, "::1")
    session.type(f"$BROWSER '{address(port, state='two')}'\r")
    session.next_page(2)
    assert listens(port) and listens(port, "::1")
    session.type("exit 0\r")
    assert session.end() == 0
    assert not listens(port) and not listens(port, "::1")


@pytest.mark.parametrize("here", ["127.0.0.1", "::1"])
def test_a_port_that_is_in_use_here_is_told_with_its_owner_and_nothing_is_opened(start, here):
    with socket.socket(socket.AF_INET6 if ":" in here else socket.AF_INET) as taken:
        taken.bind((here, 0))
        taken.listen()
        port = taken.getsockname()[1]
        session = start()
        session.wait_for(r"[#$] $")
        session.type(f"$BROWSER '{address(port)}'\r")
        session.wait_for(rf"port {port}.*is in use on this machine by \S+ \(process \d+\): nothing was opened")
        assert session.asked == []
        assert not listens(port, "127.0.0.1" if ":" in here else "::1")
        session.type("exit 0\r")
        assert session.end() == 0


def test_a_port_that_a_connection_has_here_is_told_with_its_program(start):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as connection:
        port = connection.getsockname()[1]
        session = start()
        session.wait_for(r"[#$] $")
        session.type(f"$BROWSER '{address(port)}'\r")
        session.wait_for(rf"port {port}.*is in use on this machine by \S+ \(process \d+\): nothing was opened. It is a connection's")
        session.type("exit 0\r")
        assert session.end() == 0


def test_a_port_that_another_session_waits_at_is_told_with_its_machine(start):
    port = free_port()
    first, second = start(), start()
    for session in (first, second):
        session.wait_for(r"[#$] $")
    first.type(f"$BROWSER '{address(port)}'\r")
    page = first.next_page()
    second.type(f"$BROWSER '{address(port)}'\r")
    second.wait_for(r"in use on this machine by \S+ \(process \d+, the session with devbox\): nothing was opened. Finish or refuse")
    assert ask(page + "/refuse", "POST")[0] == 200
    second.type(f"$BROWSER '{address(port, state='again')}'\r")
    second.next_page()
    for session in (first, second):
        session.type("exit 0\r")
        assert session.end() == 0


@pytest.fixture
def desktop(tmp_path):
    """A bus with a notification service: its address, and the file with the notifications."""
    bus, shown = tmp_path / "bus", tmp_path / "notices"
    (tmp_path / "bus.conf").write_text(BUS.format(socket=bus, policies=""))
    address = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}"}
    programs = [subprocess.Popen(["dbus-daemon", "--nofork", f"--config-file={tmp_path / 'bus.conf'}"])]
    try:
        eventually(bus.exists, what="the bus")
        notices = ROOT / "Tests" / "External" / "harness" / "notices.py"
        programs.append(subprocess.Popen(["/usr/bin/python3", notices, shown], env=os.environ | address))
        owned = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
                 "org.freedesktop.DBus.NameHasOwner", "org.freedesktop.Notifications"]
        eventually(lambda: b"true" in subprocess.run(owned, capture_output=True, env=os.environ | address).stdout, what="notifications")
        yield address, shown
    finally:
        for program in reversed(programs):
            program.kill()
            program.wait()


def test_a_text_without_room_on_a_full_screen_is_shown_by_the_desktop(start, desktop, tmp_path):
    """In tmux it would be read when that is left."""
    environment, shown = desktop
    session = start(environment=environment)
    session.wait_for(r"[#$] $")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # The address itself is not seen on the screen.
        (tmp_path / "address").write_text(address(port))
        session.type(f"printf '\\033[?1049h'; $BROWSER \"$(cat {tmp_path / 'address'})\"\r")
        eventually(lambda: shown.exists() and shown.read_text().endswith("\n"), what="a notification")
    notice = json.loads(shown.read_text())
    assert "devbox" in notice["heading"] and f"port {port}" in notice["text"] and "is in use" in notice["text"]
    assert "is in use" not in session.text
    session.type("printf '\\033[?1049l'\r")
    session.wait_for(f"port {port}.*is in use")
    session.type("exit 0\r")
    assert session.end() == 0


# MARK: a real browser

def test_a_foreign_page_cannot_finish_a_sign_in(start, chromium, endpoint):
    tool = Waiting(start, endpoint)
    target = f"http://localhost:{tool.port}/cb?code=evil&state={tool.state}"

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(
                f"<!doctype html><title>busy</title><img src='{target}'><iframe src='{target}'></iframe>"
                f"<script>Promise.allSettled([fetch('{target}',{{mode:'no-cors'}}),fetch('{target}',{{method:'POST',mode:'no-cors',"
                f"body:new URLSearchParams({{state:'{tool.state}',code:'evil'}})}})])"
                ".then(()=>setTimeout(()=>document.title='tried',500))</script>".encode())

        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        chromium.open(f"http://127.0.0.1:{server.server_port}/")
        chromium.wait_for(lambda: chromium.driver.title == "tried", "the page's attempts")
    finally:
        server.shutdown()
    assert not tool.has_received
    assert tool.ask()[0] == 200
    assert tool.session.end() == 0


def test_a_tools_page_is_shown_and_cannot_act(start, chromium, endpoint):
    tool = Waiting(start, endpoint, goes_on=False)
    beside = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    threading.Thread(target=beside.serve_forever, daemon=True).start()
    chromium.open(f"http://localhost:{beside.server_port}/")
    chromium.driver.add_cookie({"name": "other", "value": "service", "path": "/"})
    go_on(chromium, tool.page)
    chromium.press(ALLOW)
    chromium.wait_for(lambda: "The tool is content" in chromium.text, "the tool's page")
    assert chromium.driver.title == "tool" and "cookie" not in tool.received["headers"]
    assert tool.session.end() == 0
    chromium.open(f"http://localhost:{beside.server_port}/")
    beside.shutdown()
    assert {cookie["name"] for cookie in chromium.driver.get_cookies()} == {"other"}


def test_a_tools_page_loads_nothing_from_this_machine(start, chromium, endpoint):
    asked = []

    class Service(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *words):
            pass

    other = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    tool = Waiting(start, endpoint, goes_on=False, more=(0, other.server_port))
    go_on(chromium, tool.page)
    chromium.press(ALLOW)
    chromium.wait_for(lambda: "The tool is content" in chromium.text, "the tool's page")
    chromium.wait_for(lambda: chromium.driver.execute_script("return document.readyState") == "complete", "the whole page")
    # Its own styles count.
    heading = chromium.driver.find_element("id", "tool")
    assert "1, 2, 3" in heading.value_of_css_property("color")
    assert tool.session.end() == 0
    other.shutdown()
    assert asked == []


def test_the_consent_page_works_without_scripts(start, start_browser, endpoint):
    tool = Waiting(start, endpoint, goes_on=False)
    browser = start_browser(scripts=False)
    go_on(browser, tool.page)
    browser.press(ALLOW)
    browser.wait_for(lambda: "The tool is content" in browser.text, "the tool's page")
    assert tool.session.end() == 0
