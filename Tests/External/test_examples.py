"""The example apps of docs/examples: whole sign-ins from a terminal, in Python and in JavaScript."""

import shutil
import time

import pytest

from harness.examples import PROGRAMS, Example, Front, visit
from harness.gateway import CA
from harness.held import CODE, NONE, HoldingGateway
from harness.programs import eventually, free_port
from harness.vault import VAULT

PROMPT = "Type the code that the browser shows: "


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


@pytest.fixture(params=PROGRAMS.values(), ids=PROGRAMS)
def start(request, holding):
    """Starts the example, over TLS by default, at an issuer that shows no page."""
    examples = []

    def start(app=NONE, gateway=f"https://localhost:{holding.api_port}", demo="auto", more=("--no-browser",), **options):
        arguments = ["--gateway", gateway, "--app", app, "--scope", f"openid profile demo:{demo}", "--ca", CA, *more]
        examples.append(Example(request.param, *arguments, **options))
        return examples[-1]

    start.program = request.param
    yield start
    for example in examples:
        example.stop()


@pytest.fixture
def front(holding):
    front = Front(holding.local_api())
    yield front
    front.close()


# Signing in.


@pytest.mark.parametrize("door", ["TLS", "Unix socket", "loopback"])
def test_an_app_signs_in_and_prints_the_token_response(start, holding, front, door):
    gateway = {"TLS": f"https://localhost:{holding.api_port}/", "Unix socket": holding.socket, "loopback": front.address}
    example = start(gateway=gateway[door])
    visit(holding, example.start_url)
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"] and tokens["id_token"]


def test_the_code_of_the_page_is_typed_in(start, holding):
    example = start(CODE)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    example.type(page.code.lower())
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"]


def test_a_wrong_code_is_told_with_the_tries_that_are_left(start, holding):
    example = start(CODE)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    example.type("BCDFGH")
    example.hear("That code is wrong; 2 tries left.\nType the code: ")
    example.type("")
    example.type("B" * 100)
    example.hear("invalid_request")
    example.type("BCDFGH")
    example.hear("That code is wrong; 1 try left.\nType the code: ")
    example.type(page.code)
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"]


def test_declined_scopes_are_told(start, holding):
    example = start(demo="auto demo:fewer_scopes mail.read mail.send")
    visit(holding, example.start_url)
    status, tokens, said = example.end()
    assert status == 0 and tokens and "Declined: mail." in said


# Failing.


def test_the_third_wrong_code_ends_the_sign_in(start, holding):
    example = start(CODE)
    visit(holding, example.start_url)
    example.hear(PROMPT)
    for _ in range(3):
        example.type("BCDFGH")
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None) and "the sign-in failed: release_failed: " in said


def test_it_was_not_me_ends_the_question(start, holding):
    example = start(CODE)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    page.not_me()
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None) and "the sign-in failed: release_failed: " in said


def test_no_terminal_to_type_the_code_into_ends_the_sign_in(start, holding):
    example = start(CODE)
    visit(holding, example.start_url)
    example.hear(PROMPT)
    status, tokens, said = example.end(closes_input=True)
    assert (status, tokens) == (1, None)
    assert "standard input has ended" in said and "the sign-in failed: user_canceled" in said


@pytest.mark.parametrize("demo, code", [("deny", "access_denied"), ("auto demo:wrong_nonce", "invalid_id_token")])
def test_a_failure_is_told_with_its_code_and_description(start, holding, demo, code):
    example = start(demo=demo)
    visit(holding, example.start_url)
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None)
    assert f"the sign-in failed: {code}: " in said and "no description" not in said


def test_an_issuers_words_cannot_rewrite_the_terminal(start, front):
    failed = {"status": "failed", "error": {"code": "server_error", "description": "\x1b[2Jwiped\x07\r\u202e\u009b"}}
    front.instead = lambda method: Front.answer(200, failed) if method == "GET" else None
    status, _, said = start(gateway=front.address).end()
    assert status == 1 and "?[2Jwiped????" in said


def test_a_result_that_was_changed_on_its_way_is_refused(start, holding, front):
    def flip(method, reply):
        if method == "GET" and reply.status == 200:
            head, key, iv, text, tag = reply.json["jwe"].split(".")
            text = ("B" if text[0] == "A" else "A") + text[1:]
            return Front.answer(200, {"status": "completed", "jwe": ".".join([head, key, iv, text, tag])})

    front.spoil = flip
    example = start(gateway=front.address)
    visit(holding, example.start_url)
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None) and "the result cannot be opened" in said


@pytest.mark.parametrize("result", [{"token_response": {"access_token": "planted"}}, {"jwe": ""}, {"jwe": "e30.e30.A"}])
def test_a_result_that_is_not_sealed_is_refused(start, front, result):
    front.instead = lambda method: Front.answer(200, {"status": "completed"} | result) if method == "GET" else None
    status, tokens, said = start(gateway=front.address).end()
    assert (status, tokens) == (1, None) and "the result cannot be opened" in said


def test_an_unknown_app_is_told(start):
    status, tokens, said = start("com.contoso.unknown").end()
    assert (status, tokens) == (1, None) and "the sign-in did not begin: invalid_request: " in said


def test_a_gateway_out_of_reach_is_told(start):
    status, tokens, said = start(gateway=f"https://localhost:{free_port()}").end()
    assert (status, tokens) == (1, None) and "cannot reach the gateway: " in said


def test_a_gateway_that_nobody_vouches_for_is_refused(request, start, holding, tmp_path):
    example = Example(start.program, "--gateway", f"https://localhost:{holding.api_port}", "--app", NONE)
    request.addfinalizer(example.stop)
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None) and "certificate" in said


@pytest.mark.parametrize("gateway", [
    "http://login.contoso.com", "login.contoso.com", "http://localhost.evil.example", "http://localhost@evil.example",
    "https://", "https://login.contoso.com/path", "https://login.contoso.com?x", "https://login.contoso.com:http",
])
def test_an_address_that_others_could_listen_to_is_wrong_usage(start, gateway):
    status, tokens, said = start(gateway=gateway).end()
    assert (status, tokens) == (2, None) and "sign_in" in said and "ateway" in said and "Traceback" not in said


# Lasting.


def test_a_gateway_that_restarts_is_survived(start, holding, front):
    """The gateway tells the app to come again at once and is away then. The app comes again later, and gets its result."""
    answers = [Front.answer(202, {"status": "pending"}, **{"Retry-After": "0"})]
    front.instead = lambda method: answers.pop() if method == "GET" and answers else None
    example = start(gateway=front.address)
    url = example.start_url
    eventually(lambda: not answers, what="the stop")
    front.close()
    visit(holding, url)
    time.sleep(1.5)  # it shall have found nobody
    front.open(front.port)
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"]


def test_a_code_that_did_not_reach_the_gateway_is_asked_for_again(start, holding, front):
    example = start(CODE, gateway=front.address)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    front.close()
    example.type(page.code)
    example.hear("Type the code: ")
    front.open(front.port)
    example.type(page.code)
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"]


@pytest.mark.parametrize("busy", [429, 502, 503])
def test_a_gateway_that_is_busy_is_asked_again(start, holding, front, busy):
    answers = [Front.answer(busy, "no JSON object", **{"Retry-After": "0"}) for _ in range(2)]
    front.instead = lambda method: answers.pop() if method == "GET" and answers else None
    example = start(gateway=front.address)
    visit(holding, example.start_url)
    status, tokens, _ = example.end()
    assert status == 0 and tokens["access_token"] and not answers


def test_a_restart_that_forgets_the_sign_in_is_told(start, start_gateway):
    """A real gateway with a store in memory: it tells the app to come again, is away, and then does not know the request."""
    gateway = start_gateway()
    example = start("com.contoso.app1", gateway=f"https://localhost:{gateway.api_port}")
    example.hear("Waiting for sign-in ")
    assert gateway.stop() == 0
    gateway.start()
    status, tokens, said = example.end()
    assert (status, tokens) == (1, None) and "begin again" in said


@pytest.mark.parametrize("gone", [404, 410])
def test_a_request_that_is_gone_is_told(start, front, gone):
    front.instead = lambda method: Front.answer(gone, {"error": "expired"}) if method == "GET" else None
    status, tokens, said = start(gateway=front.address).end()
    assert (status, tokens) == (1, None) and "begin again" in said


# Good manners.


def test_the_result_is_sealed_proved_and_acknowledged(start, holding, front):
    example = start(CODE, gateway=front.address)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    example.type(page.code)
    assert example.end()[0] == 0
    (_, _, begun), *calls = front.calls
    VAULT.remember("result token", begun.json["result_token"])
    assert all(headers["DPoP"].count(".") == 2 for _, headers, _ in calls)
    assert len({headers["DPoP"] for _, headers, _ in calls}) == len(calls)
    assert [set(reply.json) for _, _, reply in calls if reply.status == 200] == [{"status", "jwe"}]
    assert [reply.status for method, _, reply in calls if method == "DELETE"] == [204]
    assert {headers.get("Prefer") for method, headers, _ in calls if method == "GET"} == {"wait=50"}


@pytest.mark.rule(7)
def test_no_secret_is_said(start, holding, front):
    example = start(CODE, gateway=front.address)
    page = visit(holding, example.start_url)
    example.hear(PROMPT)
    example.type(page.code)
    _, tokens, said = example.end()
    begun = front.calls[0][2].json
    secrets = [begun["result_token"], begun["state"], tokens["access_token"], tokens["id_token"], page.authorization_code]
    VAULT.remember("state", begun["state"])
    assert not any(secret in said for secret in secrets)


@pytest.mark.rule(7)
def test_an_interrupted_app_cancels_its_sign_in(start, holding, front):
    example = start(gateway=front.address)
    url = example.start_url
    eventually(lambda: front.calls, what="the beginning")
    example.interrupt()
    status, tokens, said = example.end()
    assert (status, tokens) == (130, None) and "Traceback" not in said
    assert [reply.status for method, _, reply in front.calls if method == "DELETE"][0] == 204
    assert holding.browse(url).status in (400, 404, 410)


@pytest.mark.parametrize("more, env, is_opened", [
    ((), {"DISPLAY": ":9"}, True), ((), {"WAYLAND_DISPLAY": "wayland-9"}, True), ((), {}, False),
    (("--no-browser",), {"DISPLAY": ":9"}, False),
], ids=["X11", "Wayland", "no desktop", "told not to"])
def test_the_address_is_opened_on_a_desktop_unless_told_not_to(start, holding, tmp_path, more, env, is_opened):
    opener, opened = tmp_path / "xdg-open", tmp_path / "opened"
    opener.write_text(f'#!/bin/sh\nprintf "%s\\n" "$#" "$1" > {opened}.part && mv {opened}.part {opened}\n')
    opener.chmod(0o755)
    example = start(more=more, env=env | {"PATH": f"{tmp_path}:/usr/bin:/bin"})
    url = example.start_url
    if is_opened:
        eventually(opened.exists, what="xdg-open")
        assert opened.read_text() == f"1\n{url}\n"
    visit(holding, url)
    assert example.end()[0] == 0
    assert opened.exists() == is_opened


def test_a_desktop_without_xdg_open_is_no_error(start, holding, tmp_path):
    (tmp_path / "node").symlink_to(shutil.which("node"))
    example = start(more=(), env={"DISPLAY": ":9", "PATH": str(tmp_path)})
    visit(holding, example.start_url)
    assert example.end()[0] == 0
