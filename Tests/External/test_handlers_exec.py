"""The `exec` handler: a program gets a ticket for its callback, and no code stands where others look."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.gateway import Gateway
from harness.handlers import FETCHER, app_of, bring, done_page, events, heading, processes, query, reference_of
from harness.programs import eventually

TAKEN, REFUSED = "Continue in your app", "Your app could not be reached"


@pytest.fixture(scope="module")
def results(run_folder):
    folder = run_folder / "programs"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def gateway(run_folder, issuer, results):
    program = Gateway(run_folder, issuer.base)
    program.environment = {"A_SECRET_OF_THE_GATEWAY": "must-not-be-passed-on", "XDG_DATA_HOME": "/tmp/data"}

    def handler(mode):
        return {"exec": [sys.executable, str(FETCHER), str(results / mode), mode, "{ticket}"]}

    program.configuration["apps"] += [app_of(program, mode, handler(mode)) for mode in ("fetch", "twice", "fail", "sleep", "stay", "torn")]
    program.configuration["apps"] += [
        app_of(program, "gone", {"exec": ["/nowhere/program", "{ticket}"]}),
        app_of(program, "shell", {"exec": [sys.executable, str(FETCHER), str(results / "shell"), "fetch", "{ticket}",
                                           "$(touch pwned)", "; touch pwned", "{ticket} && {ticket}"]})]
    yield program.start()
    program.stop()


def report(results, name):
    path = results / name
    eventually(path.exists, what=f"a report of {name}")
    found = json.loads(path.read_text())
    path.unlink()
    return found


def test_a_program_fetches_the_callback_by_its_ticket(gateway, results):
    parameters = query()
    answer = bring(gateway, "fetch", parameters)
    found = report(results, "fetch")
    assert found["answers"] == [[200, {"app": "com.contoso.fetch", "reference": reference_of(answer),
                                       "url": gateway.url(f"/fetch?{parameters}")}]]
    assert heading(done_page(gateway, answer)) == TAKEN


def test_a_program_has_nothing_of_the_gateway_but_what_a_desktop_needs(gateway, results):
    bring(gateway, "fetch", query())
    found = report(results, "fetch")
    assert found["session"] == found["process"] != os.getsid(0)
    assert set(found["descriptors"].values()) == {"/dev/null"} and found["folder"] == "/"
    assert "A_SECRET_OF_THE_GATEWAY" not in found["environment"]
    assert found["environment"]["XDG_DATA_HOME"] == "/tmp/data" and "PATH" in found["environment"]
    assert "what a program says" not in gateway.output()


def test_a_ticket_counts_once(gateway, results):
    bring(gateway, "twice", query())
    first, second = report(results, "twice")["answers"]
    assert first[0] == 200 and second[0] == 404 and second[1]["error"] == "not_found"


def test_no_code_is_in_a_list_of_processes(gateway, results):
    parameters = query()
    code = parameters.split("&")[0].removeprefix("code=").encode()
    answer = bring(gateway, "sleep", parameters)
    found = report(results, "sleep")
    try:
        seen = processes()
        assert found["ticket"].encode() in seen and code not in seen
        assert heading(done_page(gateway, answer)) == "Contacting your app"
    finally:
        os.kill(found["process"], 9)
    eventually(lambda: heading(done_page(gateway, answer)) == REFUSED)
    # Its ticket no longer counts.
    assert gateway.local_api().call("POST", "/v1/tickets", {"ticket": found["ticket"]}).status == 404


def test_no_shell_reads_the_arguments(gateway, results):
    answer = bring(gateway, "shell", query())
    assert report(results, "shell")["answers"][0][0] == 200
    assert heading(done_page(gateway, answer)) == TAKEN


@pytest.mark.parametrize("name, result", [("gone", "unreachable"), ("fail", "failed")])
def test_a_program_that_is_gone_or_fails_is_told(gateway, name, result):
    answer = bring(gateway, name, query())
    assert heading(done_page(gateway, answer)) == REFUSED
    line = eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]
    assert f"reason={result}" in line and "handler=exec" in line


def test_a_program_that_is_killed_before_it_has_the_callback_is_told_at_once(gateway, results):
    parameters = query()
    with ThreadPoolExecutor() as pool:
        browser = pool.submit(bring, gateway, "sleep", parameters)
        found = report(results, "sleep")
        begin = time.monotonic()
        os.kill(found["process"], signal.SIGKILL)
        answer = browser.result()
    # Shorten the half minute that a program has.
    assert time.monotonic() - begin < 20 and heading(done_page(gateway, answer)) == REFUSED
    line = eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]
    assert "reason=failed" in line and "handler=exec" in line
    assert gateway.local_api().call("POST", "/v1/tickets", {"ticket": found["ticket"]}).status == 404
    eventually(lambda: not os.path.exists(f"/proc/{found['process']}"), what="the program being reaped")
    # The callback is good still: a program that lives gets it.
    with ThreadPoolExecutor() as pool:
        browser = pool.submit(bring, gateway, "sleep", parameters)
        found = report(results, "sleep")
        taken = gateway.local_api().call("POST", "/v1/tickets", {"ticket": found["ticket"]})
        assert taken.status == 200 and taken.json["url"] == gateway.url(f"/sleep?{parameters}")
        assert heading(done_page(gateway, browser.result())) == TAKEN
    os.kill(found["process"], signal.SIGKILL)


@pytest.mark.parametrize("name", ["stay", "torn"])
def test_a_program_that_is_killed_once_it_has_asked_for_the_callback_had_it(gateway, results, name):
    parameters = query()
    answer = bring(gateway, name, parameters)
    if name == "stay":
        os.kill(report(results, name)["process"], signal.SIGKILL)
    assert heading(done_page(gateway, answer)) == TAKEN
    assert eventually(lambda: events(gateway, "delivered", reference_of(answer)))
    assert not events(gateway, "delivery_failed", reference_of(answer))
    # A code is never given twice, also if the first program's progress is unknown.
    bring(gateway, name, parameters)
    assert eventually(lambda: events(gateway, "repeated", reference_of(answer))) and not (results / name).exists()


def test_programs_are_reaped(gateway, results):
    bring(gateway, "fetch", query())
    process = report(results, "fetch")["process"]
    eventually(lambda: not os.path.exists(f"/proc/{process}"), what="the program being reaped")


@pytest.mark.parametrize("ticket", ["sy-AAAAAAAAAAAAAAAAAAAAAA", "x", "{ticket}"])
def test_a_ticket_that_is_none_gets_nothing(gateway, ticket):
    assert gateway.local_api().call("POST", "/v1/tickets", {"ticket": ticket}).status == 404


def test_tickets_are_for_this_user_on_the_socket(gateway, results):
    bring(gateway, "sleep", query())
    found = report(results, "sleep")
    body = {"ticket": found["ticket"]}
    try:
        over_tls = gateway.api().call("POST", "/v1/tickets", body)
        assert (over_tls.status, over_tls.json["error"]) == (403, "access_denied")
        proxied = gateway.local_api().call("POST", "/v1/tickets", body, headers={"X-Forwarded-For": "127.0.0.1"})
        assert proxied.status == 403
        if os.geteuid() == 0:
            os.chmod(gateway.socket.removeprefix("unix:"), 0o666)
            script = ("import sys; from harness.api import Api; "
                      "print(Api(sys.argv[1]).call('POST', '/v1/tickets', {'ticket': sys.argv[2]}).status)")
            status = subprocess.run(
                [sys.executable, "-c", f"import os; os.setuid(65534)\n{script}", gateway.socket, found["ticket"]],
                capture_output=True, text=True, cwd=os.path.dirname(__file__))
            assert status.stdout.strip() in ("403", ""), status
        assert gateway.local_api().call("POST", "/v1/tickets", body).status == 200
    finally:
        os.kill(found["process"], 9)


def test_only_a_post_has_an_answer(gateway):
    answer = gateway.local_api().call("GET", "/v1/tickets")
    assert answer.status == 405 and answer.header("Allow") == "POST"
