"""The log: one line an event, in a form that programs read, and never in the way of a sign-in."""

import fcntl
import json
import os
import re
import socket
import struct
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.api import Pending
from harness.issuer import authorize
from harness.metrics import key, scrape
from harness.programs import eventually, free_port

APP = "com.contoso.app1"


def fields(line):
    """The fields of a line of logfmt; quoted values are strings of JSON."""
    pairs = re.findall(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|[^ "]*)(?: |$)', line)
    assert " ".join(f"{name}={value}" for name, value in pairs) == line, line
    return {name: json.loads(value) if value.startswith('"') else value for name, value in pairs}


def entries(gateway, *events):
    """The lines of these events so far, oldest first."""
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
    counted = scrape(gateway)[key("log_lines_lost_total")]
    assert counted > 0

    text = bytearray()

    def read():
        while part := os.read(reading, 65536):
            text.extend(part)

    reader = threading.Thread(target=read)
    reader.start()
    eventually(lambda: b"log_lines_lost" in text, what="the number of lost lines")
    gateway.stop()
    reader.join()
    os.close(reading)
    lines = [fields(line) for line in text.decode().splitlines()]
    lost = [int(line["count"]) for line in lines if line["event"] == "log_lines_lost"]
    assert sum(lost) >= counted
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


# Failures at an issuer

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


# Refused calls

def test_whom_begin_from_does_not_let_in_is_told(start_gateway):
    def closed(gateway):
        gateway.configuration["apps"][0]["begin_from"] = {"networks": ["192.0.2.0/24"]}

    gateway = start_gateway(change=closed)
    assert gateway.api().begin_reply(APP).status == 403
    assert logged(gateway, "begin_refused", app=APP)[0]["from"] == "127.0.0.1"


def test_a_callback_that_reaches_no_app_is_logged_at_its_level(start_gateway):
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


@pytest.mark.rule(9)
@pytest.mark.rule(10)
def test_every_refusal_is_told_at_the_usual_level_with_its_reason(start_gateway):
    gateway = start_gateway(limits={"request_line_bytes": "2KiB", "header_bytes": "2KiB"})
    page = gateway.url("/app1/auth")
    assert gateway.browse(gateway.url("/nothing?code=c")).status == 404
    logged(gateway, "refused", reason="not_mine", level="info")
    assert gateway.browse(page + "?code=1&state=2", headers={"Sec-Fetch-Mode": "no-cors"}).status == 503
    logged(gateway, "refused", reason="prefetch", app=APP, level="info")
    assert gateway.browse(page + "?code=" + "p" * 3000).status == 414
    assert "request line" in logged(gateway, "refused", reason="too_large", status="414", level="info")[0]["detail"]
    eventually(lambda: gateway.browse(page, headers={"X-Padding": "p" * 3000}).status == 431
               and has(gateway, "refused", reason="too_large", status="431"), what="431 in the log")
    for connect, event in ((gateway.wire, "refused"), (gateway.api_wire, "call_refused")):
        def nonsense():
            with connect() as wire:
                return wire.exchange(b"nonsense\r\n\r\n").status
        eventually(lambda: nonsense() == 400 and has(gateway, event, reason="malformed", status="400", level="info"), what=event)
    assert gateway.api().call("GET", "/v1/nothing").status == 404
    logged(gateway, "call_refused", reason="not_found", status="404", level="info")
    assert gateway.browse(gateway.url("/start/nothing")).status == 404
    for path, reason in (("/start/again", "expired"), ("/done/nothing", "not_found")):
        eventually(lambda: gateway.browse(gateway.url(path)).status >= 400 and has(gateway, "call_refused", reason=reason),
                   what=path)


def has(gateway, event, **expected):
    return any(line.items() >= expected.items() for line in entries(gateway, event))


def test_a_flood_of_refusals_has_one_line_a_second_and_their_number(start_gateway):
    gateway = start_gateway()
    begin = time.time()
    for _ in range(200):
        gateway.browse(gateway.url("/nothing?code=c"))
    seconds = int(time.time() - begin) + 2
    shown = entries(gateway, "refused")
    assert 1 <= len(shown) <= seconds
    eventually(lambda: len(entries(gateway, "refused")) + sum(
        int(line["count"]) for line in entries(gateway, "lines_not_shown") if line["reason"] == "not_mine") == 200,
        what="how many were left out")


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


# The journal


class JournalSocket:
    """The journal's socket, at its own place for one program alone: in a mount namespace."""

    def __init__(self, folder):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "socket"))
        self.socket.settimeout(30)
        alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        mount = ("mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal"
                 ' && mount --bind "$0" /run/systemd/journal && exec "$@"')
        self.prefix = [*alone, "sh", "-c", mount, str(folder)]
        self.file = folder / "stderr"
        self.errors = os.open(self.file, os.O_CREAT | os.O_RDWR)
        status = os.fstat(self.errors)
        self.environment = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}

    def behind(self, gateway):
        gateway.prefix, gateway.environment, gateway.errors = self.prefix, self.environment, self.errors

    def entry(self):
        """The next entry, by the journal's own protocol."""
        data, fields = self.socket.recv(1 << 20), {}
        while data:
            line, _, rest = data.partition(b"\n")
            name, equals, value = line.partition(b"=")
            if not equals:
                length, = struct.unpack("<Q", rest[:8])
                value, rest = rest[8:8 + length], rest[9 + length:]
            fields[name.decode()], data = value.decode(), rest
        return fields

    def until(self, event):
        entries = []
        while not entries or entries[-1]["SWITCHYARD_EVENT"] != event:
            entries.append(self.entry())
        return entries


@pytest.fixture
def journal(tmp_path_factory):
    folder = tmp_path_factory.mktemp("j")
    journal = JournalSocket(folder)
    yield journal
    journal.socket.close()
    os.close(journal.errors)


def test_where_standard_error_is_the_journal_an_event_is_an_entry_with_fields(start_gateway, journal):
    gateway = start_gateway(change=journal.behind)
    pending = gateway.api().begin(APP)
    gateway.browse(authorize(pending.authorization_url))
    assert pending.outcome()["status"] == "completed"
    begun = next(entry for entry in journal.until("collected") if entry["SWITCHYARD_EVENT"] == "begun")
    assert begun.items() >= {
        "PRIORITY": "6", "SYSLOG_IDENTIFIER": "switchyard", "SWITCHYARD_REFERENCE": pending.reference,
        "SWITCHYARD_APP": APP, "SWITCHYARD_FROM": "127.0.0.1"}.items()
    line = fields(begun["MESSAGE"])
    assert (line["event"], line["reference"]) == ("begun", pending.reference)
    assert not [name for name in begun if name.startswith("CODE_")]
    gateway.browse(gateway.url("/app1/auth?code=1&state=2"))
    assert journal.until("refused")[-1]["SWITCHYARD_REASON"] == "unknown_state"
    gateway.configuration["nonsense"] = "two\nlines"
    gateway.write()
    gateway.reload()
    refused = journal.until("reload_refused")[-1]
    assert refused["PRIORITY"] == "3" and refused["SWITCHYARD_FILE"] == str(gateway.file)
    assert journal.file.read_text() == "", "nothing is told twice"


@pytest.mark.parametrize("stream", ["", "1:2", "nonsense"])
def test_a_log_that_was_led_elsewhere_stays_there(start_gateway, journal, stream):
    def led(gateway):
        journal.behind(gateway)
        gateway.environment = {"JOURNAL_STREAM": stream}

    start_gateway(change=led)
    eventually(lambda: "event=ready" in journal.file.read_text(), what="the line")


def test_a_journal_that_takes_nothing_stops_nobody_and_what_was_lost_is_counted(start_gateway, journal):
    gateway = start_gateway(change=journal.behind)
    api = gateway.local_api()
    for _ in range(1500):
        api.begin(APP)
    eventually(lambda: scrape(gateway)[key("log_lines_lost_total")] > 0, what="lines that found no room")
    lost = next(entry for entry in journal.until("log_lines_lost") if entry["SWITCHYARD_EVENT"] == "log_lines_lost")
    assert int(lost["SWITCHYARD_COUNT"]) > 0 and lost["PRIORITY"] == "4"


# Traces

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"


@pytest.fixture
def watched_token_endpoint(issuer):
    """The issuer's token endpoint behind a door that notes what `traceparent` comes."""
    seen, real = [], issuer.metadata()["token_endpoint"]

    class Door(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(self.headers.get_all("traceparent"))
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = urllib.request.Request(real, body, {"Content-Type": self.headers["Content-Type"]})
            with urllib.request.urlopen(request) as answer:
                content = answer.read()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    door = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=door.serve_forever, daemon=True).start()
    metadata = issuer.metadata()
    yield seen, {
        "name": "demo", "issuer": metadata["issuer"], "jwks_uri": metadata["jwks_uri"],
        "authorization_endpoint": metadata["authorization_endpoint"],
        "token_endpoint": f"http://127.0.0.1:{door.server_port}/token",
    }
    door.shutdown()


def test_the_trace_of_an_apps_call_goes_through_its_sign_in_and_on_to_the_issuer(start_gateway, watched_token_endpoint):
    seen, issuer = watched_token_endpoint
    gateway = start_gateway(issuers=[issuer])
    api = gateway.api()
    reply = api.begin_reply(APP, headers={"traceparent": PARENT}, extra_parameters={"demo": "auto"})
    assert reply.status == 201
    pending = Pending(api, reply.json)
    callback = authorize(pending.authorization_url)
    gateway.browse(callback)
    assert pending.outcome()["status"] == "completed"
    (traceparent,), = seen
    version, trace, span, flags = traceparent.split("-")
    assert (version, trace, flags) == ("00", TRACE, "01") and re.fullmatch("[0-9a-f]{16}", span) and span != SPAN
    gateway.browse(callback.replace("code=", "code=another-"))
    logged(gateway, "refused", reference=pending.reference, reason="replayed")
    steps = [line for line in entries(gateway) if line.get("reference") == pending.reference]
    assert {line["event"] for line in steps} >= {"begun", "accepted", "completed", "collected"}
    assert all(line["trace"] == TRACE for line in steps)

    pending = api.begin(APP)
    gateway.browse(authorize(pending.authorization_url))
    assert pending.outcome()["status"] == "completed" and seen[1:] == [None]


@pytest.mark.parametrize("value", [
    PARENT.upper(), PARENT + "-", f"ff-{TRACE}-{SPAN}-01", f"00-{'0' * 32}-{SPAN}-01", f"00-{TRACE}-{'0' * 16}-01",
    'x" event=forged', PARENT + "," + PARENT])
def test_a_trace_that_is_none_is_nothing(gateway, value):
    reply = gateway.api().begin_reply(APP, headers={"traceparent": value})
    assert reply.status == 201
    assert "trace" not in logged(gateway, "begun", reference=reply.json["reference"])[0]


def test_a_browsers_trace_counts_by_the_word_of_a_trusted_proxy_only(start_gateway):
    for trusted in ([], ["127.0.0.0/8"]):
        gateway = start_gateway(trusted_proxies=trusted)
        pending = gateway.api().begin(APP)
        headers = {"traceparent": PARENT, "X-Forwarded-For": "192.0.2.7"}
        gateway.browse(authorize(pending.authorization_url), headers=headers)
        assert pending.outcome()["status"] == "completed"
        for event in ("accepted", "completed"):
            line = logged(gateway, event, reference=pending.reference)[0]
            assert line.get("trace") == (TRACE if trusted else None)
