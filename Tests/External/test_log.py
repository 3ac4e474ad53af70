"""The log: one line an event, in a form that programs read, and never in the way of a sign-in."""

import fcntl
import json
import os
import re
import threading

from harness.issuer import authorize
from harness.programs import eventually, free_port

APP = "com.contoso.app1"


def fields(line):
    """The fields of a line of logfmt, whose quoted values are strings of JSON."""
    pairs = re.findall(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|[^ "]*)(?: |$)', line)
    assert " ".join(f"{name}={value}" for name, value in pairs) == line, line
    return {name: json.loads(value) if value.startswith('"') else value for name, value in pairs}


def entries(gateway, *events):
    """What the log says of these events so far, oldest first."""
    lines = [fields(line) for line in gateway.output().splitlines()]
    return [line for line in lines if not events or line["event"] in events]


def logged(gateway, event, count=1, **expected):
    """Waits for lines of this event that say what is expected."""
    def found():
        lines = [line for line in entries(gateway, event) if line.items() >= expected.items()]
        return lines if len(lines) >= count else None

    return eventually(found, what=f"{event} with {expected} in the log")


def test_a_sign_in_is_told_step_by_step(start_gateway):
    gateway = start_gateway()
    pending = gateway.api().begin(APP)
    gateway.browse(authorize(pending.authorization_url))
    assert pending.outcome()["status"] == "completed"
    logged(gateway, "collected")
    steps = [line for line in entries(gateway) if line.get("reference") == pending.reference]
    assert [line["event"] for line in steps] == ["begun", "accepted", "completed", "collected"]
    assert all(list(line)[:5] == ["at", "level", "event", "reference", "app"] for line in steps)
    assert all(line["app"] == APP and line["level"] == "info" for line in steps)
    assert steps[0]["from"] == steps[1]["from"] == "127.0.0.1"


def test_the_log_can_be_json(start_gateway):
    gateway = start_gateway(log={"format": "json"})
    pending = gateway.api().begin(APP)
    line = eventually(lambda: [line for line in map(json.loads, gateway.output().splitlines())
                               if line["event"] == "begun"], what="a line")[0]
    assert list(line) == ["at", "level", "event", "reference", "app", "from"]
    assert (line["reference"], line["app"], line["from"]) == (pending.reference, APP, "127.0.0.1")


def test_a_level_is_the_least_that_is_told(start_gateway):
    gateway = start_gateway(log={"level": "error"})
    gateway.api().begin(APP)
    gateway.stop()
    assert entries(gateway) == []


def test_a_log_that_nobody_reads_stops_nobody_and_says_later_what_it_lost(start_gateway):
    reading, writing = os.pipe()
    fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
    gateway = start_gateway(change=lambda gateway: setattr(gateway, "errors", writing))
    os.close(writing)
    api, begun = gateway.local_api(), []
    for _ in range(1200):
        begun.append(api.begin(APP).reference)
    assert gateway.browse(authorize(gateway.api().begin(APP).authorization_url)).status == 303

    text = bytearray()

    def read():
        while part := os.read(reading, 65536):
            text.extend(part)

    reader = threading.Thread(target=read)
    reader.start()
    gateway.stop()
    reader.join()
    os.close(reading)
    lines = [fields(line) for line in text.decode().splitlines()]
    lost = [int(line["count"]) for line in lines if line["event"] == "log_lines_lost"]
    assert lost and sum(lost) > 0
    told = {line.get("reference") for line in lines if line["event"] == "begun"}
    assert begun[0] in told, "what came before the pipe was full is there"
    assert len(told) + sum(lost) >= len(begun)
    assert lines[-1]["event"] == "stopped"


def test_an_end_that_nobody_reads_is_an_end_all_the_same(start_gateway):
    reading, writing = os.pipe()
    fcntl.fcntl(writing, 1031, 4096)
    gateway = start_gateway(change=lambda gateway: setattr(gateway, "errors", writing))
    os.close(writing)
    for _ in range(100):
        gateway.local_api().begin(APP)
    assert gateway.stop() == 0
    os.close(reading)


# What goes wrong at an issuer

def test_an_issuer_that_is_down_is_told_of_when_it_begins_and_when_it_ends(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    issuer.control(outage="discovery")
    for _ in range(3):
        assert gateway.api().begin_reply(APP).status == 503
    down = logged(gateway, "issuer_failing", issuer="demo", endpoint="discovery", level="error")
    assert len(down) == 1 and down[0]["reason"] == "interrupted"
    issuer.control(outage="none")
    eventually(lambda: gateway.api().begin_reply(APP).status == 201, what="the issuer being back")
    well = logged(gateway, "issuer_well", issuer="demo", endpoint="discovery")[0]
    assert int(well["failures"]) >= 1


def test_an_issuer_that_nobody_answers_for_is_told_of_with_its_reason(start_gateway):
    gateway = start_gateway(issuer_url=f"http://127.0.0.1:{free_port()}")
    assert gateway.api().begin_reply(APP).status == 503
    logged(gateway, "issuer_failing", issuer="demo", endpoint="discovery", reason="connection_refused")


def test_a_client_that_the_issuer_does_not_take_is_told_of_with_the_issuer_and_what_to_compare(
        start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    pending = gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    issuer.control(token="answer", error="invalid_client")
    gateway.browse(callback)
    assert pending.failure()["code"] == "invalid_client"
    failed = logged(gateway, "failed", reference=pending.reference, reason="invalid_client", issuer="demo")[0]
    assert failed["level"] == "warning" and "client_secret" in failed["detail"]


# What is turned away

def test_whom_begin_from_does_not_let_in_is_told(start_gateway):
    def closed(gateway):
        gateway.configuration["apps"][0]["begin_from"] = {"networks": ["192.0.2.0/24"]}

    gateway = start_gateway(change=closed)
    assert gateway.api().begin_reply(APP).status == 403
    assert logged(gateway, "begin_refused", app=APP)[0]["from"] == "127.0.0.1"


def test_what_reaches_no_app_is_told_at_the_level_for_it(start_gateway):
    gateway = start_gateway(log={"level": "debug"}, limits={"callback_rate": 5})
    legacy, page = gateway.url("/legacy"), gateway.url("/app1/auth")
    gateway.browse(legacy + "?code=1")
    logged(gateway, "dispatched", app="com.contoso.legacy")
    gateway.browse(gateway.url("/nothing"))
    logged(gateway, "refused", reason="not_mine")
    gateway.browse(page + "?code=1&state=2", headers={"Purpose": "prefetch"})
    logged(gateway, "refused", reason="prefetch", app=APP)
    gateway.browse(page, method="PUT")
    logged(gateway, "refused", reason="wrong_method", app=APP)
    with gateway.wire() as wire:
        wire.send(b"nonsense\r\n\r\n")
        wire.read()
    logged(gateway, "refused", reason="malformed")
    for _ in range(30):
        gateway.browse(page + "?code=1&state=2")
    logged(gateway, "refused", reason="limited", app=APP, level="warning")


def test_a_caller_over_its_share_is_told_of_with_the_limit(start_gateway):
    gateway = start_gateway(limits={"requests_per_address": 1})
    assert gateway.api().begin_reply(APP).status == 201
    assert gateway.api().begin_reply(APP).status == 429
    assert logged(gateway, "limited", reason="requests_per_address")[0]["from"] == "127.0.0.1"


# A new configuration

def test_a_reload_says_what_it_took_and_what_it_warns_of(start_gateway):
    gateway = start_gateway()
    gateway.configuration["apps"].append(gateway.app("new", "Contoso New"))
    gateway.write()
    gateway.reload()
    taken = logged(gateway, "reloaded", file=str(gateway.file))[0]
    assert taken["apps"] == "4"
    warned = logged(gateway, "configuration_warning")
    assert all("switchyard.yaml" in line["reason"] for line in warned)

    gateway.configuration["nonsense"] = True
    gateway.write()
    gateway.reload()
    assert "nonsense" in logged(gateway, "reload_refused", level="error")[0]["reason"]


def test_a_reload_takes_the_level_too(start_gateway):
    gateway = start_gateway(log={"level": "error"})
    gateway.configuration["log"]["level"] = "debug"
    gateway.write()
    gateway.reload()
    logged(gateway, "reloaded")
    gateway.browse(gateway.url("/legacy?code=1"))
    logged(gateway, "dispatched")
