"""Metrics: each thing that happens counts once, by names that are known beforehand, in two formats."""

import re
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime

import pytest

from harness.issuer import authorize
from harness.metrics import OPENMETRICS, changes, counted, key, scrape, scrape_prometheus
from harness.programs import ROOT, eventually, free_port, run
from harness.vault import VAULT

APP, LEGACY = "com.contoso.app1", "com.contoso.legacy"


def test_each_format_has_its_content_type(gateway):
    for accept, expected in [
        (None, "text/plain; version=0.0.4; charset=utf-8"),
        ("*/*", "text/plain; version=0.0.4; charset=utf-8"),
        ("application/openmetrics-text", "application/openmetrics-text; version=1.0.0; charset=utf-8"),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
         "application/openmetrics-text; version=1.0.0; charset=utf-8"),
        ("application/openmetrics-text;q=0,*/*", "text/plain; version=0.0.4; charset=utf-8"),
    ]:
        reply = gateway.admin("/metrics", headers=accept and {"Accept": accept})
        assert (reply.status, reply.header("Content-Type")) == (200, expected)
        assert reply.header("Cache-Control") == "no-store" and reply.header("Vary") == "Accept"
        assert reply.body.endswith(b"# EOF\n") == ("openmetrics" in expected)


def test_head_is_answered_and_other_methods_are_not(start_gateway):
    gateway = start_gateway()
    door = type(gateway.api())(f"http://127.0.0.1:{gateway.admin_port}")
    head = door.call("HEAD", "/metrics")
    assert head.status == 200 and head.body == b"" and int(head.header("Content-Length")) > 1000
    for method in ("POST", "PUT", "DELETE"):
        reply = door.call(method, "/metrics", b"x")
        assert reply.status == 405 and reply.header("Allow") == "GET, HEAD"


def test_a_foreign_host_gets_no_metrics(gateway):
    reply = gateway.admin("/metrics", headers={"Host": "evil.example"})
    assert reply.status == 421 and b"switchyard_" not in reply.body


def test_no_other_listener_has_metrics(gateway):
    assert gateway.browse(gateway.url("/metrics")).status == 404
    assert gateway.api().call("GET", "/metrics").status == 404


def test_promtool_finds_nothing_to_complain_of(start_gateway):
    gateway = start_gateway()
    pending = gateway.api().begin(APP)
    gateway.browse(authorize(pending.authorization_url))
    assert pending.outcome()["status"] == "completed"
    for headers in (None, OPENMETRICS):
        text = gateway.admin("/metrics", headers=headers).body
        if headers:
            # promtool checks the older format only. There the metric that names the program has no type, and a counter's type
            # stands under its samples' name.
            text = re.sub(rb"# TYPE (\S+) counter", rb"# TYPE \1_total counter", text)
            text = re.sub(rb"# HELP (\S+) ", lambda found: b"# HELP " + found[1] + (
                b"_total " if b"# TYPE " + found[1] + b"_total counter" in text else b" "), text)
            text = text.replace(b"# TYPE switchyard_build info", b"# TYPE switchyard_build_info gauge")
            text = text.replace(b"# HELP switchyard_build ", b"# HELP switchyard_build_info ")
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_both_formats_say_the_same(start_gateway):
    gateway = start_gateway()
    gateway.browse(gateway.url("/legacy?code=1"))
    one, other = scrape(gateway), scrape_prometheus(gateway)
    assert one.keys() == other.keys()
    assert not changes(one, other)


def test_configured_names_begin_with_zero(start_gateway):
    gateway = start_gateway()
    there = scrape(gateway)
    for app in (APP, "com.contoso.app2"):
        assert there[key("requests_begun_total", app=app)] == 0
        assert there[key("handler_deliveries_total", app=app, handler="pending", result="ok")] == 0
        for outcome in ("accepted", "repeated", "unknown_state", "replayed", "wrong_redirect_uri", "limited"):
            assert there[key("callbacks_total", app=app, outcome=outcome)] == 0
        for result in ("completed", "access_denied", "network", "expired", "release_failed", "internal"):
            assert there[key("sign_ins_total", app=app, result=result)] == 0
    assert there[key("dispatched_total", app=LEGACY)] == 0
    assert key("requests_begun_total", app=LEGACY) not in there
    assert key("dispatched_total", app=APP) not in there
    assert there[key("callbacks_total", app="", outcome="not_mine")] == 0
    for endpoint in ("discovery", "keys", "token"):
        for result in ("ok", "refused", "failed", "unreachable"):
            assert key("issuer_requests_total", issuer="demo", endpoint=endpoint, result=result) in there
    assert there[key("redemption_seconds_count", issuer="demo")] == 0
    for limit in ("requests", "requests_per_app", "requests_per_address", "kept_bytes", "kept_bytes_per_address",
                  "waiting_per_address", "connections", "connections_per_address", "begin_rate", "callback_rate",
                  "collect_rate", "request_line_bytes", "header_bytes", "body_bytes"):
        assert there[key("limited_total", limit=limit)] == 0
    assert there[key("store_failures_total")] == there[key("log_lines_lost_total")] == 0
    assert there[key("waiting_apps")] == 0 and there[key("ready")] == 1
    version = run("--version").stdout.split()[1]
    assert there[key("build_info", version=version)] == 1


def test_a_whole_sign_in_counts_each_step_once(start_gateway):
    gateway = start_gateway()
    before = scrape(gateway)
    pending = gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    gateway.browse(callback)
    assert pending.outcome()["status"] == "completed"
    gateway.browse(callback)
    counted(gateway, before, {
        key("requests_begun_total", app=APP): 1,
        key("callbacks_total", app=APP, outcome="accepted"): 1,
        key("callbacks_total", app=APP, outcome="repeated"): 1,
        key("sign_ins_total", app=APP, result="completed"): 1,
        key("handler_deliveries_total", app=APP, handler="pending", result="ok"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="discovery", result="ok"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="keys", result="ok"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="token", result="ok"): 1,
    })
    after = scrape(gateway)
    assert after[key("redemption_seconds_count", issuer="demo")] == 1
    assert after[key("redemption_seconds_sum", issuer="demo")] > 0
    for operation in ("insert", "find", "apply"):
        assert after[key("store_seconds_count", operation=operation)] > 0


@pytest.mark.parametrize("release", ["none", "same_network"])
def test_an_app_that_waits_where_it_began_costs_the_store_a_step_less(start_gateway, release):
    gateway = start_gateway(change=lambda gateway: gateway.configuration["apps"].append(
        gateway.app("waiting", "Waiting Mail", client_id="waiting", release=release)))

    def cost(waits):
        before = scrape(gateway).get(key("store_seconds_count", operation="apply"), 0)
        pending, pool = gateway.api().begin("com.contoso.waiting"), ThreadPoolExecutor()
        if waits:
            outcome = pool.submit(pending.outcome)
            eventually(lambda: gateway.admin("/v1/status").json["waiting_apps"] == 1, what="the waiting app")
        assert gateway.browse(authorize(pending.authorization_url)).status == 303
        eventually(lambda: gateway.admin("/v1/status").json["requests"]["unfinished"] == 0, what="the end of the sign-in")
        if not waits:
            outcome = pool.submit(pending.outcome)
        assert outcome.result()["status"] == "completed"
        return scrape(gateway)[key("store_seconds_count", operation="apply")] - before

    assert cost(waits=True) == cost(waits=False) - 1


def test_each_end_of_a_sign_in_counts_as_what_its_app_is_told(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base, limits={"request_lifetime": "3s"})
    api = gateway.api()
    before = scrape(gateway)

    api.begin(APP).delete()
    denied = api.begin(APP, demo="deny")
    gateway.browse(authorize(denied.authorization_url))
    assert denied.failure()["code"] == "access_denied"
    refused = api.begin(APP)
    callback = authorize(refused.authorization_url)
    issuer.control(token="answer", error="invalid_client")
    gateway.browse(callback)
    assert refused.failure()["code"] == "invalid_client"
    api.begin(APP)

    def ended(result):
        return changes(before, scrape(gateway)).get(key("sign_ins_total", app=APP, result=result))

    eventually(lambda: ended("expired") == 1, what="the one that nobody finished")
    assert {result: ended(result) for result in ("user_canceled", "access_denied", "invalid_client", "completed")} == {
        "user_canceled": 1, "access_denied": 1, "invalid_client": 1, "completed": None}
    after = scrape(gateway)
    assert after[key("requests_begun_total", app=APP)] == 4
    assert after[key("issuer_requests_total", issuer="demo", endpoint="token", result="refused")] == 1


def test_each_refused_callback_counts_by_its_reason_and_its_app(start_gateway):
    gateway = start_gateway()
    page = gateway.url("/app1/auth")
    pending = gateway.api().begin("com.contoso.app2")
    stolen = authorize(pending.authorization_url).replace("/app2/", "/app1/")
    before = scrape(gateway)
    gateway.browse(page + "?code=1&state=2")
    gateway.browse(page + "?code=1&state=2&state=3")
    gateway.browse(page + "?code=1")
    gateway.browse(page, method="PUT")
    gateway.browse(page + "?code=1&state=2", headers={"Purpose": "prefetch"})
    gateway.browse(stolen)
    gateway.browse(gateway.url("/nobodys"))
    gateway.browse(gateway.url("/legacy?code=1"))
    gateway.browse(gateway.url("/legacy?code=1"), method="HEAD")
    with gateway.wire() as wire:
        wire.send(b"nonsense\r\n\r\n")
        wire.read()

    def callback(outcome, app=APP):
        return key("callbacks_total", app=app, outcome=outcome)

    counted(gateway, before, {
        callback("unknown_state"): 1, callback("duplicate_parameter"): 1, callback("missing_state"): 1,
        callback("wrong_method"): 1, callback("prefetch"): 1, callback("wrong_redirect_uri"): 1,
        callback("not_mine", app=""): 1, callback("malformed", app=""): 1,
        key("dispatched_total", app=LEGACY): 1, callback("prefetch", app=LEGACY): 1,
    })


def test_each_limit_that_turns_somebody_away_counts_by_its_key(start_gateway):
    gateway = start_gateway(limits={
        "requests_per_address": 1, "callback_rate": 1, "waiting_per_address": 1, "connections_per_address": 4,
        "request_line_bytes": "2KiB", "header_bytes": "4KiB", "body_bytes": "4KiB"})
    api = gateway.api()
    before = scrape(gateway)

    def limited(limit):
        return changes(before, scrape(gateway)).get(key("limited_total", limit=limit), 0)

    pending = api.begin(APP)
    assert api.begin_reply(APP).status == 429
    assert limited("requests_per_address") == 1
    assert api.call("POST", "/v1/requests", b"x" * 5000).status == 413
    assert limited("body_bytes") == 1
    assert api.call("GET", "/v1/requests/x", headers={"X-Long": "x" * 5000}).status == 431
    assert limited("header_bytes") == 1
    assert api.call("GET", "/v1/requests/" + "x" * 3000).status == 414
    assert (limited("request_line_bytes"), limited("header_bytes")) == (1, 1)
    for _ in range(5):
        gateway.browse(gateway.url("/app1/auth?code=1&state=2"))
    assert limited("callback_rate") >= 1
    stream = pending.events()
    next(stream)
    assert scrape(gateway)[key("waiting_apps")] == 1
    assert pending.poll(wait=5).status == 429
    assert limited("waiting_per_address") == 1
    stream.close()
    eventually(lambda: scrape(gateway)[key("waiting_apps")] == 0, what="nobody waiting")
    assert limited("connections_per_address") == 0
    with ExitStack() as open_connections:
        for _ in range(5):
            open_connections.enter_context(gateway.wire(source="127.0.0.7"))
        eventually(lambda: limited("connections_per_address") == 1, what="the connection over the limit")
    assert limited("connections") == 0


def test_listeners_count_their_connections_answers_and_handshakes(start_gateway):
    gateway = start_gateway()
    listener, host = f"127.0.0.1:{gateway.callbacks_port}", f"Host: localhost:{gateway.callbacks_port}"
    before = scrape(gateway)
    with gateway.wire() as wire:
        assert wire.exchange(f"GET /legacy?code=1 HTTP/1.1\r\n{host}\r\n\r\n".encode()).status == 302
        there = scrape(gateway)
        assert there[key("connections", listener=listener)] == 1
        assert there[key("http_requests_total", listener=listener, code="302")] == 1
        assert changes(before, there, is_whole=True)[key("tls_handshakes_total", result="ok")] == 1
    eventually(lambda: scrape(gateway)[key("connections", listener=listener)] == 0, what="a closed connection")
    # Plain text is no handshake.
    with socket.create_connection(("127.0.0.1", gateway.callbacks_port)) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        while plain.recv(1000):
            pass
    eventually(lambda: changes(before, scrape(gateway), is_whole=True).get(key("tls_handshakes_total", result="failed")) == 1,
               what="a handshake that failed")


def test_requests_are_counted_where_they_stand(start_gateway):
    def held(gateway):
        gateway.configuration["apps"][0]["release"] = "code"
        gateway.configuration["apps"] = [gateway.configuration["apps"][0], gateway.configuration["apps"][2]]

    gateway = start_gateway(change=held)
    pending = gateway.api().begin(APP)
    assert scrape(gateway)[key("requests", phase="pending")] == 1
    gateway.browse(authorize(pending.authorization_url))
    there = scrape(gateway)
    phases = {dict(labels)["phase"]: value for (name, labels), value in there.items() if name == "switchyard_requests"}
    assert phases == {"pending": 0, "claimed": 0, "release_required": 1, "redeeming": 0, "finished": 0}
    pending.delete()
    assert scrape(gateway)[key("requests", phase="finished")] == 1


def test_three_thousand_unknown_names_make_no_new_series(start_gateway):
    gateway = start_gateway()
    before, host = scrape(gateway).keys(), f"Host: localhost:{gateway.callbacks_port}"
    with gateway.wire() as wire:
        for number in range(1000):
            for line in (f"GET /unknown-{number} HTTP/1.1\r\n{host}",
                         f"GET /app1/auth?code=c{number}&state=s{number} HTTP/1.1\r\n{host}",
                         f"GET /app1/auth HTTP/1.1\r\nHost: host-{number}.example"):
                assert wire.exchange(f"{line}\r\n\r\n".encode()).status in (400, 404)
    after = scrape(gateway)
    new = {name for name in after.keys() - before if name[0] != "switchyard_http_requests_total"}
    assert not new
    assert after[key("callbacks_total", app="", outcome="not_mine")] == 2000
    assert after[key("callbacks_total", app=APP, outcome="unknown_state")] == 1000
    for number in range(3):
        assert gateway.api().begin_reply(f"unknown-{number}").status == 400
    assert not {name for name in scrape(gateway).keys() - after.keys() if name[0] != "switchyard_http_requests_total"}


def test_a_reload_lets_no_counter_go_down_and_an_app_that_comes_back_goes_on(start_gateway):
    gateway = start_gateway()
    begun = key("requests_begun_total", app=APP)
    gateway.api().begin(APP)
    gateway.browse(gateway.url("/legacy?code=1"))
    apps = gateway.configuration["apps"]

    def reload(apps):
        count = gateway.output().count("event=reloaded")
        gateway.configuration["apps"] = apps
        gateway.write()
        gateway.reload()
        eventually(lambda: gateway.output().count("event=reloaded") > count, what="a reload")

    reload([gateway.app("other", "Contoso Other"), apps[2]])
    there = scrape(gateway)
    assert there[begun] == 1 and there[key("dispatched_total", app=LEGACY)] == 1
    assert there[key("requests_begun_total", app="com.contoso.other")] == 0
    gateway.browse(gateway.url("/legacy?code=1"))
    assert scrape(gateway)[key("dispatched_total", app=LEGACY)] == 2
    reload(apps)
    gateway.api().begin(APP)
    assert scrape(gateway)[begun] == 2


def test_the_end_of_each_certificate_is_told(gateway):
    there = scrape(gateway)
    ends = {dict(labels)["subject"]: value for (name, labels), value in there.items()
            if name == "switchyard_certificate_expiry_timestamp_seconds"}
    file = gateway.configuration["listen"][0]["tls"]["certificate"]
    said = subprocess.run(["openssl", "x509", "-in", file, "-noout", "-enddate", "-dateopt", "iso_8601", "-subject",
                           "-nameopt", "RFC2253"], capture_output=True, text=True, check=True).stdout
    end, subject = re.search(r"notAfter=(.*)\nsubject=(.*)\n", said).groups()
    expected = datetime.fromisoformat(end.replace("Z", "+00:00")).timestamp()
    assert list(ends) == [subject] if subject else len(ends) == 1
    assert list(ends.values())[0] <= expected


def test_an_issuer_that_nobody_answers_for_is_unreachable(start_gateway):
    gateway = start_gateway(issuer_url=f"http://127.0.0.1:{free_port()}")
    assert gateway.api().begin_reply(APP).status == 503
    assert scrape(gateway)[key("issuer_requests_total", issuer="demo", endpoint="discovery", result="unreachable")] >= 1


@pytest.mark.rule(7)
def test_no_metric_holds_a_secret(start_gateway):
    gateway = start_gateway()
    pending = gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    gateway.browse(callback)
    assert pending.outcome()["status"] == "completed"
    gateway.browse(callback.replace("code=", "code=planted-secret-code-"))
    text = gateway.admin("/metrics").body + gateway.admin("/metrics", headers=OPENMETRICS).body
    assert VAULT.found_in(text) == set()
    for word in (b"planted", pending.reference.encode(), b"alex", b"127.0.0.1:" + b"0"):
        assert word not in text


def test_the_gateway_says_that_it_is_not_ready(start_gateway, tmp_path):
    key_file = tmp_path / "k1"
    assert run("keys", "new", "--file", key_file).returncode == 0
    gateway = start_gateway(
        store=f"redis://127.0.0.1:{free_port()}/0", encryption_keys=[{"id": "k1", "key_file": str(key_file)}],
        change=lambda gateway: setattr(gateway, "_is_ready", lambda: is_alive(gateway)))
    there = scrape(gateway)
    assert there[key("ready")] == 0
    assert not [name for name, _ in there if name == "switchyard_requests"]
    eventually(lambda: scrape(gateway)[key("store_failures_total")] > there[key("store_failures_total")],
               what="more failures of the store")


def is_alive(gateway):
    try:
        return gateway.admin("/healthz").status == 200
    except OSError:
        return False


def test_the_reference_names_each_metric_with_its_labels_and_no_other(start_gateway):
    gateway = start_gateway()
    gateway.browse(gateway.url("/legacy?code=1"))
    text = (ROOT / "docs" / "reference" / "metrics.md").read_text()
    documented = {name: set(re.findall(r"`(\w+)`", labels))
                  for name, labels in re.findall(r"^\| `(switchyard_\w+)` \| (.*?) ?\| ", text, re.MULTILINE)}
    real = {}
    for name, labels in scrape(gateway):
        for part in ("_bucket", "_sum", "_count"):
            name = name.removesuffix(part)
        real.setdefault(name, set()).update(label for label, _ in labels if label != "le")
    assert documented == real
    outcomes = {dict(labels)["outcome"] for name, labels in scrape(gateway) if name == "switchyard_callbacks_total"}
    section = text[text.index("## Outcomes of callbacks"):text.index("## What is not counted")]
    assert set(re.findall(r"`(\w+)`", section)) == outcomes
