"""To be run at all: health, reload on SIGHUP, a graceful stop on SIGTERM."""

import copy
import os
import secrets
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.issuer import authorize
from harness.programs import ROOT, eventually, run

APP = "com.contoso.app1"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_told(gateway, path):
    assert gateway.admin(path).status == 200


def test_readiness_tells_what_is_kept(start_gateway):
    gateway = start_gateway()
    assert gateway.admin("/readyz").json == {
        "status": "ready", "pending_requests": 0, "kept_requests": 0, "kept_bytes": 0}
    pending = gateway.api().begin(APP)
    told = gateway.admin("/readyz").json
    assert told["pending_requests"] == told["kept_requests"] == 1 and 200 < told["kept_bytes"] < 8000
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    assert pending.delete().status == 204
    over = gateway.admin("/readyz").json
    assert over["pending_requests"] == 0 and over["kept_requests"] == 1
    # The tombstone answers a repeated callback, and takes less memory than a waiting request.
    assert 0 < over["kept_bytes"] < told["kept_bytes"]


def test_a_listener_that_is_lost_is_told(start_gateway):
    gateway = start_gateway()
    path = gateway.socket.removeprefix("unix:")
    os.rename(path, f"{path}.aside")
    told = gateway.admin("/readyz")
    assert told.status == 503 and told.json == {
        "status": "unavailable", "reasons": [f"{gateway.socket}: its file is gone"]}
    assert gateway.admin("/healthz").status == 200
    open(path, "w").close()
    assert gateway.admin("/readyz").json["reasons"] == [f"{gateway.socket}: its file is another's"]
    os.rename(f"{path}.aside", path)
    assert gateway.admin("/readyz").status == 200


@pytest.mark.rule(13)
def test_the_admin_listener_answers_to_its_own_name_only(gateway):
    assert gateway.admin("/healthz", headers={"Host": "evil.example"}).status in (400, 403, 404, 421)


@pytest.mark.rule(13)
def test_health_is_not_told_to_the_world(gateway, api):
    assert gateway.browse(gateway.url("/healthz")).status == 404
    assert api.call("GET", "/readyz").status == 404


def test_the_log_has_a_line_for_each_event_with_its_reference(gateway, signed_in):
    pending, callback = signed_in
    gateway.browse(callback)
    pending.outcome()

    def logged():
        return [line for line in gateway.output().splitlines() if pending.reference in line]

    # The log is written beside the answers, so a line may come after the outcome that it tells.
    for event in ("begun", "completed"):
        eventually(lambda: any(f"event={event} " in line for line in logged()), what=f"the line of {event}")


def test_the_unix_socket_has_the_mode_it_was_given(gateway):
    assert os.stat(gateway.socket.removeprefix("unix:")).st_mode & 0o777 == 0o600


def test_reload_takes_a_new_app_and_keeps_what_is_pending(start_gateway):
    gateway = start_gateway()
    pending = gateway.api().begin(APP)
    assert gateway.api().begin_reply("com.contoso.new").status != 201
    gateway.configuration["apps"].append(gateway.app("new", "Contoso New"))
    gateway.write()
    gateway.reload()
    eventually(lambda: gateway.api().begin_reply("com.contoso.new").status == 201, what="the new app")
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def reloaded(gateway, **changes):
    """Has the running gateway read other settings."""
    gateway.configuration.update(changes)
    length = len(gateway.output())
    gateway.write()
    gateway.reload()
    eventually(lambda: "event=reloaded" in gateway.output()[length:], what="the reload")


def test_reload_takes_limits_too(start_gateway):
    gateway = start_gateway()
    api = gateway.api()
    assert api.begin_reply(APP).json["expires_in"] == 600
    limits = {"request_lifetime": "30s", "requests_per_address": 2, "body_bytes": "1KiB", "header_bytes": "4KiB"}
    reloaded(gateway, limits=limits)
    assert api.begin_reply(APP).json["expires_in"] == 30
    assert api.begin_reply(APP).status == 429
    fresh = gateway.api()
    assert fresh.call("POST", "/v1/requests", {"app": APP, "scope": "x" * 2000}).status == 413
    assert fresh.call("GET", "/v1/requests/none", headers={"X-Long": "x" * 5000}).status == 431


def test_reload_takes_new_encryption_keys_in_front(start_gateway):
    """Data that was sealed with a present key opens; without the key, the sign-in waits for it."""
    old, new = ({"id": name, "key": secrets.token_hex(32)} for name in ("old", "new"))
    gateway = start_gateway()
    requests = [gateway.api().begin(APP)]
    for keys in ([old], [new, old]):
        reloaded(gateway, encryption_keys=keys)
        requests.append(gateway.api().begin(APP))
    first, second, third = requests
    for pending in (first, second):
        assert gateway.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
    fourth, waiting = gateway.api().begin(APP), gateway.api().begin(APP)
    poll = ThreadPoolExecutor().submit(waiting.poll, wait=5)
    eventually(lambda: gateway.admin("/v1/status").json["waiting_apps"] == 1, what="the waiting app")
    reloaded(gateway, encryption_keys=[old])
    length = len(gateway.output())
    answer = gateway.browse(authorize(fourth.authorization_url))
    assert answer.status == 503 and int(answer.header("Retry-After")) > 0
    # The answers, also the one to the app that was waiting, name the key and not the store, which works.
    for refused in (fourth.poll(), poll.result()):
        assert refused.status == 503 and "encryption key" in refused.json["error_description"]
    # The operator is told the key and the remedy, once for all calls.
    told = [line for line in gateway.output()[length:].splitlines() if "event=key_missing" in line]
    assert len(told) == 1 and "level=error" in told[0] and "id=new" in told[0]
    status = gateway.admin("/v1/status").json
    assert status["ready"] and [one for one in status["obstacles"] if '"new"' in one and "encryption_keys" in one]
    assert '"new"' in run("status", "--config", gateway.file).stdout
    explained = run("explain", "key_missing")
    assert explained.returncode == 0 and "encryption_keys" in explained.stdout
    reloaded(gateway, encryption_keys=[new])
    # The status is made once a second at the most.
    eventually(lambda: gateway.admin("/v1/status").json["obstacles"] == [], what="a status without obstacles")
    for pending in (third, fourth):
        assert gateway.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("spoil", [
    lambda configuration: configuration.update(nonsense=True),
    lambda configuration: configuration["apps"].append(copy.deepcopy(configuration["apps"][0])),
    lambda configuration: configuration["listen"][0]["tls"].update(certificate="/nonexistent.pem"),
], ids=["an unknown key", "an app twice", "a certificate that is not there"])
def test_a_bad_configuration_is_refused_and_the_old_one_kept(start_gateway, spoil):
    gateway = start_gateway()
    good = copy.deepcopy(gateway.configuration)
    length = len(gateway.output())
    spoil(gateway.configuration)
    gateway.write()
    gateway.reload()
    eventually(lambda: "switchyard.yaml" in gateway.output()[length:], what="an explanation in the log")
    pending = gateway.api().begin(APP)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303

    gateway.configuration = good
    gateway.configuration["apps"].append(gateway.app("later", "Contoso Later"))
    gateway.write()
    gateway.reload()
    eventually(lambda: gateway.api().begin_reply("com.contoso.later").status == 201, what="the mended configuration")


def served_certificate(gateway):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("localhost", gateway.callbacks_port), timeout=15) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            return secure.getpeercert(binary_form=True)


def with_own_certificate(folder):
    """A change to a gateway's configuration: its certificate is of this folder, where a test can replace it."""
    subprocess.run([ROOT / "certs" / "generate", folder], check=True)

    def change(gateway):
        tls = {"certificate": str(folder / "server.pem"), "key": str(folder / "server.key")}
        gateway.configuration["listen"][0]["tls"] = tls

    return change


def test_reload_takes_a_new_certificate(start_gateway, tmp_path):
    folder = tmp_path / "certificates"
    gateway = start_gateway(change=with_own_certificate(folder))
    old = served_certificate(gateway)
    (folder / "stamp").unlink()
    subprocess.run([ROOT / "certs" / "generate", folder], check=True)
    gateway.reload()
    eventually(lambda: served_certificate(gateway) != old, what="the new certificate")


@pytest.mark.parametrize("broken", ["server.pem", "server.key"])
def test_a_bad_certificate_is_refused_and_the_old_one_kept(start_gateway, tmp_path, broken):
    folder = tmp_path / "certificates"
    gateway = start_gateway(change=with_own_certificate(folder))
    old, length = served_certificate(gateway), len(gateway.output())
    (folder / broken).write_text("this is no PEM\n")
    gateway.reload()
    eventually(lambda: broken in gateway.output()[length:], what="an explanation in the log")
    assert served_certificate(gateway) == old


def test_a_stop_tells_waiting_apps_to_come_again(start_gateway):
    gateway = start_gateway()
    pending, streaming = gateway.api().begin(APP), gateway.api().begin(APP)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(pending.poll, wait=60)
        events = streaming.events()
        assert next(events)[1]["status"] == "pending"
        eventually(lambda: waiting.running(), what="waiting")
        time.sleep(0.5)  # it shall have reached the gateway
        gateway.process.terminate()
        reply = waiting.result(timeout=30)
        assert all(event[1]["status"] == "pending" for event in events)
    assert reply.status == 202 and reply.header("Retry-After") == "0"
    assert gateway.process.wait(timeout=30) == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", gateway.callbacks_port), timeout=5)


def test_a_stop_lets_running_requests_finish(start_gateway):
    gateway = start_gateway()
    body = b'{"app": "com.contoso.app1"}'
    head = b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with gateway.api_wire() as wire:
        wire.send(head + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
        assert wire.read().status == 100
        gateway.process.terminate()
        eventually(lambda: not accepts(gateway.api_port), what="the end of listening")
        answer = wire.exchange(body)
        assert answer.status in (201, 503)
        assert (answer.header("Connection") or "").lower() == "close"
        assert wire.is_closed()
    assert gateway.process.wait(timeout=30) == 0


@pytest.fixture
def redeeming(start_gateway, issuer):
    """A gateway, and a request with a code on its way to an issuer that takes longer than the gateway will wait."""
    def begin(**changes):
        gateway = start_gateway(change=lambda gateway: gateway.configuration.update(changes))
        pending = gateway.api().begin(APP, demo="auto,slow")
        callback = authorize(pending.authorization_url)
        subprocess.Popen(["curl", "--silent", "--cacert", str(ROOT / "certs/dev/ca.pem"), callback],
                         stdout=subprocess.DEVNULL)
        code = callback.split("code=")[1].split("&")[0]
        eventually(lambda: issuer.times_redeemed(code) == 1, what="the code on its way")
        return gateway

    return begin


def test_a_stop_cuts_what_is_not_over_within_stop_timeout(redeeming):
    gateway = redeeming(stop_timeout="500ms")
    gateway.process.terminate()
    assert gateway.process.wait(timeout=8) == 0
    assert "event=stopped cut=" in gateway.output()


def test_a_second_signal_ends_at_once(redeeming):
    gateway = redeeming(stop_timeout="1h", limits={"issuer_timeout": "120s"})
    gateway.process.terminate()
    eventually(lambda: "event=stopping" in gateway.output(), what="the first signal")
    gateway.process.terminate()
    assert gateway.process.wait(timeout=8) == 0


def test_a_new_start_takes_over_the_socket_of_one_that_crashed(start_gateway):
    gateway = start_gateway()
    gateway.kill()
    gateway.start()
    assert gateway.local_api().begin_reply(APP).status == 201
