"""`GET /v1/status`, `switchyard status` and the console: an operator's view of a gateway, and its limits."""

import json
import os
import pty
import re
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.api import Api
from harness.programs import SWITCHYARD, eventually, run
from harness.signin import SignIn
from harness.vault import VAULT

WIDTHS = (360, 800, 1400)


def status(gateway):
    return gateway.admin("/v1/status").json


def fresh(gateway, condition, what):
    """The status once it says so: it is made once a second."""
    return eventually(lambda: (told := status(gateway)) and condition(told) and told, what=what)


@pytest.fixture
def lively(start_gateway):
    """A gateway behind which one sign-in succeeded, one failed, one waits, and a callback was refused."""
    gateway = start_gateway()
    good = SignIn(gateway)
    good.deliver()
    assert good.pending.outcome()["status"] == "completed"
    bad = SignIn(gateway, "deny")
    bad.deliver()
    gateway.waiting = SignIn(gateway).pending
    gateway.failed = bad.pending.reference
    assert gateway.browse(gateway.url("/app1/auth?state=" + "s" * 43 + "&code=c0de-that-nobody-asked-for")).status == 400
    return gateway


def test_sign_ins_and_refusals_of_the_last_minutes_are_told(lively):
    told = fresh(lively, lambda told: sum(told["sign_ins"]["refused_callbacks"]) == 1, "the refused callback")
    signs = told["sign_ins"]
    assert {name: sum(signs[name]) for name in ("begun", "completed", "failed", "abandoned", "refused_callbacks")} == {
        "begun": 3, "completed": 1, "failed": 1, "abandoned": 0, "refused_callbacks": 1}
    assert len(signs["begun"]) * signs["step_seconds"] == 900
    assert signs["failures"] == {"access_denied": 1} and signs["refusals"] == {"unknown_state": 1}
    callback, failed = told["refusals"]
    assert (callback["kind"], callback["reason"], callback["app"]) == ("callback", "unknown_state", "com.contoso.app1")
    assert (failed["kind"], failed["reason"], failed["reference"]) == ("sign_in", "access_denied", lively.failed)
    assert told["requests"]["unfinished"] == 1 and told["ready"] is True and told["obstacles"] == []


def test_issuers_the_store_and_the_doors_are_told(lively):
    told = fresh(lively, lambda told: told["issuers"][0]["state"] == "ok", "the issuer")
    issuer, = told["issuers"]
    assert issuer["name"] == "demo" and issuer["redemptions"] == 1 and issuer["redemption_seconds"] > 0
    assert told["store"]["kind"] == "memory" and told["store"]["ok"] and told["store"]["operations"] > 0
    assert [one["listener"] for one in told["connections"]] == [
        entry["address"] for entry in lively.configuration["listen"]]
    assert all(one["days"] > 14 for one in told["certificates"]) and told["certificates"]


def test_an_issuer_that_fails_is_told_with_a_name_from_a_list(start_gateway, start_issuer):
    issuer = start_issuer()
    gateway = start_gateway(issuer.base)
    one = SignIn(gateway)
    issuer.stop()
    one.deliver()
    told = fresh(gateway, lambda told: told["issuers"][0]["state"] == "failing", "the failing issuer")
    error = told["issuers"][0]["last_error"]
    # Its keys are asked for together with the token.
    assert error["endpoint"] in ("keys", "token") and error["reason"] == "connection_refused"
    shown = run("status", "--config", gateway.file)
    assert "failing" in shown.stdout and "connection refused" in shown.stdout


@pytest.mark.rule(7)
def test_it_holds_no_secret_and_no_words_of_others(lively):
    """An issuer's error with its own words, and a caller's text in an address."""
    odd = SignIn(lively, "error=contoso_secret_policy")
    odd.deliver()
    lively.browse(lively.url("/app1/auth?state=<script>alert(1)</script>&error=<b>wicked</b>"))
    fresh(lively, lambda told: sum(told["sign_ins"]["failed"]) + sum(told["sign_ins"]["refused_callbacks"]) >= 3, "all")
    for text in (json.dumps(status(lively)), run("status", "--config", lively.file).stdout):
        assert "wicked" not in text and "contoso_secret_policy" not in text and "nobody-asked" not in text
        assert not [secret for secret in VAULT.items() if secret in text]


def test_a_flood_of_callbacks_does_not_push_out_the_sign_ins_that_failed(lively):
    for number in range(60):
        lively.browse(lively.url(f"/app1/auth?state={number:043}&code=x"))
    told = fresh(lively, lambda told: sum(told["sign_ins"]["refused_callbacks"]) == 61, "the flood")
    assert lively.failed in [one.get("reference") for one in told["refusals"]] and len(told["refusals"]) <= 40


def test_the_stream_tells_at_once_and_again(lively):
    answer = Api(f"http://127.0.0.1:{lively.admin_port}").connect()
    answer.request("GET", "/v1/status", headers={"Accept": "text/event-stream"})
    stream = answer.getresponse()
    assert stream.headers["Content-Type"] == "text/event-stream"
    for _ in range(2):
        assert stream.readline() == b"event: status\n"
        assert json.loads(stream.readline().removeprefix(b"data: "))["version"]
        assert stream.readline() == b"\n"
    answer.close()


def test_only_so_many_may_follow_it(start_gateway):
    gateway = start_gateway()
    connections = []
    try:
        codes = []
        for _ in range(18):
            connection = Api(f"http://127.0.0.1:{gateway.admin_port}").connect()
            connections.append(connection)
            connection.request("GET", "/v1/status", headers={"Accept": "text/event-stream"})
            codes.append(connection.getresponse().status)
        assert codes == [200] * 16 + [503] * 2
    finally:
        for connection in connections:
            connection.close()
    eventually(lambda: 200 == _one_stream(gateway), what="a free place")


def _one_stream(gateway):
    connection = Api(f"http://127.0.0.1:{gateway.admin_port}").connect()
    connection.request("GET", "/v1/status", headers={"Accept": "text/event-stream"})
    try:
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.rule(13)
@pytest.mark.parametrize("path", ["/", "/v1/status"])
def test_only_its_own_browser_sees_it(gateway, path):
    assert gateway.admin(path, headers={"Host": "evil.example"}).status == 421
    for dear in ("/v1/status", "/metrics", "/v1/sign-ins/7KX2M0Q9ZT"):
        for asked in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}):
            assert gateway.admin(dear, headers=asked).status == 403, (dear, asked)
    assert gateway.browse(gateway.url(path)).status == 404
    assert gateway.api().call("GET", path).status in (401, 404)


@contextmanager
def shown(gateway, told):
    """The address of a server with this status and the gateway's console."""
    page, status = gateway.admin("/").body, json.dumps(told).encode()

    class Admin(BaseHTTPRequestHandler):
        def do_GET(self):
            is_stream = "event-stream" in self.headers.get("Accept", "")
            body = page if self.path == "/" else b"event: status\ndata: " + status + b"\n\n" if is_stream else status
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if self.path == "/" else
                             "text/event-stream" if is_stream else "application/json")
            self.send_header("Content-Length", len(body))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Admin) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_request_whose_answer_is_being_made_waits_for_no_callback(gateway, browser):
    told = status(gateway)
    told["requests"] |= {"pending": 5, "claimed": 2, "release_required": 3, "redeeming": 4}
    with shown(gateway, told) as address:
        screen = run("status", "--admin", address).stdout
        assert "5 wait for a callback   3 for a release   6 are being redeemed" in screen, screen
        browser.open(address)
        browser.wait_for(lambda: "wait for a callback" in browser.element("figures"), "the numbers")
        words = browser.element("figures").splitlines()
        assert dict(zip(words[::2], words[1::2])).items() >= {
            "wait for a callback": "5", "wait for a release": "3", "are being redeemed": "6"}.items()


# MARK: The command


def test_the_command_shows_one_screen(lively):
    fresh(lively, lambda told: sum(told["sign_ins"]["refused_callbacks"]) == 1, "the refused callback")
    told = run("status", "--config", lively.file)
    assert told.returncode == 0 and "\x1b" not in told.stdout
    for words in ("ready", "1 completed", "1 failed", "access denied 1", "unknown state 1", lively.failed, "demo",
                  f"127.0.0.1:{lively.admin_port}"):
        assert words in told.stdout, (words, told.stdout)
    assert json.loads(run("status", "--config", lively.file, "--json").stdout)["version"]
    assert run("status", "--admin", f"http://127.0.0.1:{lively.admin_port}").returncode == 0


def test_a_gateway_that_is_not_ready_or_not_there_is_1(start_gateway):
    gateway = start_gateway()
    gateway.stop()
    told = run("status", "--config", gateway.file)
    assert told.returncode == 1 and "start it" in told.stderr


@pytest.mark.parametrize("environment, colored", [({"NO_COLOR": "", "TERM": "xterm"}, True), ({"NO_COLOR": "1", "TERM": "xterm"}, False)])
def test_colour_is_for_terminals_whose_person_wants_it(lively, environment, colored):
    main, other = pty.openpty()
    with subprocess.Popen([SWITCHYARD, "status", "--config", lively.file], stdout=other, env=os.environ | environment):
        os.close(other)
        shown = b""
        try:
            while piece := os.read(main, 65536):
                shown += piece
        except OSError:
            pass  # how a terminal says that nobody writes to it any more
    os.close(main)
    assert b"Sign-ins" in shown and (b"\x1b[3" in shown) == colored


def test_watching_goes_on_when_the_gateway_comes_back(start_gateway):
    gateway = start_gateway()
    watcher = subprocess.Popen(
        [SWITCHYARD, "status", "--config", gateway.file, "--json", "--watch"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    lines, notes = [], []
    for stream, into in ((watcher.stdout, lines), (watcher.stderr, notes)):
        threading.Thread(target=lambda stream=stream, into=into: into.extend(stream), daemon=True).start()
    try:
        # Lines come one by one; `extend` takes them as they come.
        eventually(lambda: len(lines) >= 2, what="two times")
        gateway.stop()
        eventually(lambda: any("lost the gateway" in note for note in notes), what="a word that it is lost")
        before = len(lines)
        gateway.start()
        eventually(lambda: len(lines) > before, what="the gateway again")
        assert all(json.loads(line)["version"] for line in lines)
    finally:
        watcher.terminate()
        watcher.wait(timeout=10)


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_watching_ends_with_its_reader(gateway, form):
    watcher = subprocess.Popen(
        [SWITCHYARD, "status", "--config", gateway.file, "--watch", *form], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    try:
        assert watcher.stdout.readline()
        watcher.stdout.close()
        assert watcher.wait(timeout=30) == 0 and not watcher.stderr.read()
    finally:
        watcher.kill()


def test_watching_ends_where_nothing_can_be_written(gateway):
    with open("/dev/full", "w") as full:
        done = subprocess.run([SWITCHYARD, "status", "--config", gateway.file, "--watch"], stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=30)
    assert done.returncode == 1 and "could not be written" in done.stderr


# MARK: The console


@pytest.fixture
def browser(start_browser):
    return start_browser()


def resize(browser, width, scheme="light"):
    driver = browser.driver
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def test_the_console_keeps_the_world_out(gateway):
    page = gateway.admin("/")
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
    assert "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert page.headers["Cache-Control"] == "no-store"
    # The console loads no address of another server; names of XML namespaces are not loaded.
    assert set(re.findall(r"https?://[^\"'` )]+", page.body.decode())) <= {"http://www.w3.org/2000/svg"}


def test_the_console_shows_real_sign_ins_at_three_widths_in_light_and_dark(lively, browser):
    fresh(lively, lambda told: sum(told["sign_ins"]["refused_callbacks"]) == 1, "the refused callback")
    browser.open(f"http://127.0.0.1:{lively.admin_port}/")
    browser.wait_for(lambda: browser.element("state") == "Ready", "the state")
    assert "1 completed" in browser.element("legend") and "1 failed" in browser.element("legend")
    assert lively.failed in browser.element("refusals") and "access denied" in browser.element("refusals")
    assert "demo" in browser.element("issuers") and "well" in browser.element("issuers")
    driver, colors = browser.driver, set()
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            resize(browser, width, scheme)
            assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), (width, scheme)
            assert driver.execute_script("return document.querySelectorAll('#plot rect').length") >= 2
            assert browser.element("state") == "Ready" and lively.failed in browser.element("refusals")
            colors.add(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert len(colors) == 2
    # The label tells what the plot shows.
    assert "1 completed, 1 failed" in driver.execute_script("return document.getElementById('plot').getAttribute('aria-label')")
    driver.find_element("css selector", "summary").click()
    assert len(driver.find_elements("css selector", "#numbers tr")) == 30
    for width in WIDTHS:
        resize(browser, width)
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
    assert VAULT.found_in(driver.page_source.encode()) == set()
    assert browser.complaints() == []


def test_the_console_works_by_keyboard_and_keeps_its_place(lively, browser):
    fresh(lively, lambda told: sum(told["sign_ins"]["failed"]) == 1, "the failed sign-in")
    browser.open(f"http://127.0.0.1:{lively.admin_port}/")
    browser.wait_for(lambda: lively.failed in browser.element("refusals"), "the refusal")
    driver = browser.driver
    focused = "return document.activeElement.textContent"
    for _ in range(20):
        driver.switch_to.active_element.send_keys("\ue004")
        if driver.execute_script(focused) == lively.failed:
            break
    assert driver.execute_script(focused) == lively.failed
    # Another refusal comes above it; the focus stays with the one that it was at.
    lively.browse(lively.url("/app1/auth?state=" + "t" * 43 + "&code=x"))
    browser.wait_for(lambda: len(driver.find_elements("css selector", "#refusals tr")) == 3, "the next refusal")
    assert driver.execute_script(focused) == lively.failed
    driver.switch_to.active_element.send_keys("\ue007")
    browser.wait_for(lambda: driver.execute_script("return document.getElementById('sign-in').open"), "the dialog")
    assert browser.element("sign-in-name") == lively.failed
    browser.wait_for(lambda: browser.element("history") not in ("", "Asking the gateway …"), "the history")
    assert "access_denied" in browser.element("history") and VAULT.found_in(driver.page_source.encode()) == set()
    driver.switch_to.active_element.send_keys("\ue00c")
    browser.wait_for(lambda: not driver.execute_script("return document.getElementById('sign-in').open"), "the end")


def test_the_console_says_when_it_lost_the_gateway_and_finds_it_again(start_gateway, browser):
    gateway = start_gateway()
    browser.open(f"http://127.0.0.1:{gateway.admin_port}/")
    browser.wait_for(lambda: browser.element("state") == "Ready", "the state")
    gateway.stop()
    browser.wait_for(lambda: "Lost the gateway" in browser.element("state"), "the loss")
    gateway.start()
    browser.wait_for(lambda: browser.element("state") == "Ready", "the gateway again")
