"""The `socket` handler: a JSON line to the app's Unix socket; and what holds for every handler that hands a callback over."""

import os
import threading
import time

import pytest

from harness.gateway import Gateway
from harness.handlers import (
    FRENCH, SocketApp, app_of, bring, cookie_of, done_page, events, heading, query, reference_of)
from harness.programs import eventually
from harness.vault import VAULT

TAKEN, REFUSED = "Continue in your app", "Your app could not be reached"


@pytest.fixture(scope="module")
def release_of_late():
    return threading.Event()


@pytest.fixture(scope="module")
def apps(run_folder, release_of_late):
    folder = run_folder / "apps"
    folder.mkdir()

    def hold(line):
        release_of_late.wait(30)
        return [b'{"handled":true}\n']

    answers = {
        "good": lambda line: [b'{"handled"', b":true}\n"], "no": lambda line: [b'{"handled":false}\n'],
        "rubbish": lambda line: [b"<html>\n"], "long": lambda line: [b" " * 100_000 + b'{"handled":true}\n'],
        "silent": lambda line: [], "late": hold, "mute": lambda line: time.sleep(30) or [], "form": lambda line: [b'{"handled":true}'],
        "narrow": lambda line: [b'{"handled":true}\n'],
    }
    apps = {name: SocketApp(folder / name, answer) for name, answer in answers.items()}
    yield folder, apps
    release_of_late.set()
    for app in apps.values():
        app.close()


@pytest.fixture(scope="module")
def gateway(run_folder, issuer, apps):
    folder, _ = apps
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"] += [
        app_of(program, name, {"socket": str(folder / name)},
               **({"response_mode": "form_post"} if name == "form" else {}),
               **({"relay_from": {"uids": [12345]}} if name == "narrow" else {}))
        for name in ("good", "gone", "mute", "no", "rubbish", "long", "silent", "late", "form", "narrow")]
    yield program.start()
    program.stop()


@pytest.fixture
def good(apps):
    apps[1]["good"].lines.clear()
    return apps[1]["good"]


def test_the_app_gets_the_callback_byte_for_byte_and_the_browser_a_page_without_it(gateway, good):
    parameters = query(scope="a%20b", x="%41+'")
    answer = bring(gateway, "good", parameters)
    page = done_page(gateway, answer)
    assert good.lines == [{"url": gateway.url(f"/good?{parameters}"), "reference": reference_of(answer)}]
    assert heading(page) == TAKEN and "Contoso Good" in page and "has received the response" in page
    assert VAULT.found_in(page.encode()) == set()
    assert "no-store" in answer.header("Cache-Control") and answer.header("Referrer-Policy") == "no-referrer"
    assert "a bien reçu" in done_page(gateway, answer, **FRENCH)


def test_a_browser_without_the_cookie_learns_nothing(gateway, good):
    answer = bring(gateway, "good", query())
    page = gateway.browse(gateway.url(answer.header("Location"))).text
    assert "Contoso" not in page and heading(page) == "Nothing to show here"


@pytest.mark.rule(6)
def test_an_identical_callback_is_not_handed_over_twice(gateway, good):
    parameters = query()
    first = bring(gateway, "good", parameters)
    again = bring(gateway, "good", parameters, headers={"Cookie": cookie_of(first)})
    assert again.header("Location") == first.header("Location") and again.header("Set-Cookie") is None
    # The same parameters in another writing are the same callback.
    bring(gateway, "good", parameters.replace("code=", "%63ode="))
    assert len(good.lines) == 1


@pytest.mark.rule(6)
def test_many_at_once_are_handed_over_once(gateway, good):
    parameters = query()
    threads = [threading.Thread(target=bring, args=(gateway, "good", parameters)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(good.lines) == 1


@pytest.mark.rule(6)
@pytest.mark.parametrize("options, status", [
    ({"method": "HEAD"}, 204),
    ({"headers": {"Sec-Purpose": "prefetch"}}, 503), ({"headers": {"Purpose": "prefetch"}}, 503),
    ({"headers": {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}}, 503),
    ({"headers": {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}}, 503),
    ({"headers": {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}}, 503),
], ids=["head", "sec-purpose", "purpose", "picture", "fetch", "frame"])
def test_a_callback_without_a_navigation_is_not_handed_over(gateway, good, options, status):
    parameters = query()
    assert bring(gateway, "good", parameters, **options).status == status
    assert good.lines == []
    answer = bring(gateway, "good", parameters, headers={"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"})
    assert answer.status == 303 and len(good.lines) == 1


@pytest.mark.rule(4)
@pytest.mark.rule(10)
@pytest.mark.parametrize("parameters", [
    "code=aaaaaaaaaaaaaaaa&code=b&state=sssssssssssssssssssssss", "code=aaaaaaaaaaaaaaaa",
    "state=sssssssssssssssssssssss", "", "code=aaaaaaaaaaaaaaaa&error=access_denied&state=sssssssssssssssssssssss",
    "code=%zz&state=sssssssssssssssssssssss"],
    ids=["twice", "no state", "no code", "empty", "both", "not decodable"])
def test_only_an_authorization_response_goes_on(gateway, good, parameters):
    assert bring(gateway, "good", parameters).status == 400
    assert good.lines == []


def test_a_refusal_of_the_issuer_is_handed_over_too(gateway, good):
    done_page(gateway, bring(gateway, "good", f"error=access_denied&state={query()[5:27]}"))
    assert "error=access_denied" in good.lines[0]["url"]


def test_another_method_has_its_status(gateway, good):
    answer = bring(gateway, "good", query(), method="DELETE")
    assert answer.status == 405 and answer.header("Allow") == "GET, HEAD"


@pytest.mark.parametrize("name, result", [
    ("gone", "unreachable"), ("no", "refused"), ("rubbish", "failed"), ("long", "failed"), ("silent", "failed")])
def test_the_page_says_that_the_app_was_not_reached(gateway, name, result):
    answer = bring(gateway, name, query())
    page = done_page(gateway, answer)
    assert heading(page) == REFUSED and f"Contoso {name.title()}" in page
    line = eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]
    assert f"reason={result}" in line and "handler=socket" in line and "level=warning" in line


def test_a_callback_that_nobody_took_may_come_again(gateway, apps):
    folder, _ = apps
    parameters = query()
    first = bring(gateway, "gone", parameters)
    assert heading(done_page(gateway, first)) == REFUSED
    app = SocketApp(folder / "gone")
    try:
        again = bring(gateway, "gone", parameters)
        assert heading(done_page(gateway, again)) == TAKEN and len(app.lines) == 1
        assert heading(done_page(gateway, first)) == REFUSED
    finally:
        app.close()


def test_the_browser_does_not_wait_for_a_slow_app_and_its_page_follows(gateway, release_of_late):
    answer = bring(gateway, "late", query())
    page = done_page(gateway, answer)
    assert heading(page) == "Contacting your app" and 'id="news"' in page
    release_of_late.set()
    eventually(lambda: heading(done_page(gateway, answer)) == TAKEN)


def test_an_app_that_never_answers_is_given_up(gateway):
    answer = bring(gateway, "mute", query())
    assert heading(done_page(gateway, answer)) == "Contacting your app"
    eventually(lambda: heading(done_page(gateway, answer)) == REFUSED)
    assert "reason=timed_out" in events(gateway, "delivery_failed", reference_of(answer))[0]


def test_a_form_is_handed_over_as_the_same_url(gateway, apps):
    content = query().encode()
    answer = gateway.browse(
        gateway.url("/form"), method="POST", body=content, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert heading(done_page(gateway, answer)) == TAKEN
    assert apps[1]["form"].lines[0]["url"] == gateway.url("/form?") + content.decode()


def test_a_relayed_string_is_handed_over_and_its_program_told(gateway, good):
    url = f"x-contoso-good://auth?{query()}"
    reply = gateway.local_api().relay(url)
    assert (reply.status, reply.json) == (200, {"handled": True, "app": "com.contoso.good"})
    assert good.lines[0]["url"] == url
    again = gateway.local_api().relay(url)
    assert (again.status, again.json) == (404, {"handled": False, "reason": "already_consumed"})
    assert len(good.lines) == 1


def test_a_relayed_string_that_nobody_takes_finds_no_app_that_waits(gateway):
    reply = gateway.local_api().relay(f"x-contoso-gone://auth?{query()}")
    assert (reply.status, reply.json) == (404, {"handled": False, "reason": "no_pending_request"})


def test_a_relayed_string_that_is_no_response_is_malformed(gateway, good):
    assert gateway.local_api().relay("x-contoso-good://auth?code=only-a-code-here").json["reason"] == "malformed"
    assert good.lines == []


def test_relay_from_holds_here_too(gateway, apps):
    reply = gateway.local_api().relay(f"x-contoso-narrow://auth?{query()}")
    assert reply.json["reason"] == "not_mine" and apps[1]["narrow"].lines == []


def test_no_request_can_be_begun(gateway):
    reply = gateway.api().begin_reply("com.contoso.good")
    assert reply.status == 400 and "holds no requests" in reply.json["error_description"]


@pytest.mark.skipif(os.geteuid() != 0, reason="another user can be played by root only")
def test_another_user_who_listens_there_first_gets_nothing(gateway, apps, tmp_path):
    """The first program that makes the path listens there. In a folder that all may write in, that may be any user's."""
    folder, _ = apps
    path = folder / "gone"
    seen = tmp_path / "seen"
    seen.touch()
    seen.chmod(0o666)
    child = os.fork()
    if child == 0:
        try:
            import socket
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            os.setuid(65534)
            listener.listen(1)
            connection, _ = listener.accept()
            connection.settimeout(5)
            open(seen, "wb").write(connection.recv(65536))
            os.close(connection.detach())
        finally:
            os._exit(0)
    eventually(path.exists)
    time.sleep(0.2)
    answer = bring(gateway, "gone", query())
    assert heading(done_page(gateway, answer)) == REFUSED
    os.waitpid(child, 0)
    path.unlink()
    assert seen.read_bytes() == b""
    assert "reason=not_trusted" in eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]


def test_an_operator_can_follow_and_count_it(gateway, good):
    answer = bring(gateway, "good", query())
    line = eventually(lambda: events(gateway, "delivered", reference_of(answer)))[0]
    assert "handler=socket" in line and "app=com.contoso.good" in line and "level=info" in line
    metrics = gateway.admin("/metrics").body.decode()
    assert 'switchyard_handler_deliveries_total{app="com.contoso.good",handler="socket",result="ok"}' in metrics
    assert 'switchyard_handler_deliveries_total{app="com.contoso.gone",handler="socket",result="unreachable"}' in metrics
    assert 'switchyard_dispatched_total{app="com.contoso.good"}' not in metrics
    path = f"/v1/sign-ins/{reference_of(answer)}"
    history = eventually(lambda: gateway.admin(path).status == 200 and gateway.admin(path).json)
    assert [event["event"] for event in history["events"]] == ["accepted", "delivered"]
    assert history["status"] == "completed"


@pytest.mark.rule(7)
def test_nothing_secret_is_in_the_log(gateway, good):
    bring(gateway, "good", query())
    assert VAULT.found_in(gateway.output().encode()) == set()
