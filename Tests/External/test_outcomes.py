"""Each thing that can become of a callback, or of a call, has its line in the log: of one closed list, told once."""

import re

import pytest

from harness.cases import cases
from harness.gateway import Gateway
from harness.held import Place, via
from harness.issuer import authorize
from harness.modes import FORM
from harness.programs import eventually

APP, LEGACY = "com.contoso.app1", "com.contoso.legacy"
LOW = {"begin_rate": 0.5, "callback_rate": 0.5, "collect_rate": 0.5}


@pytest.fixture(scope="module")
def told(request, run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base, trusted_proxies=["127.0.0.9"], log={"level": "debug"})
    gateway.configuration["apps"].append(gateway.app(
        "guarded", "Guarded", client_id="guarded", client_secret="a-secret-not-to-borrow",
        begin_from={"uids": [64999]}))
    gateway.configuration["limits"] |= LOW
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


class Lines:
    """The log's lines from here on, of one caller."""

    count = 0

    def __init__(self, gateway):
        Lines.count += 1
        self.gateway, self.address = gateway, f"198.51.100.{Lines.count}"
        self.place, self.api = via(self.address), Place(gateway, **via(self.address))

    def browse(self, path, headers=(), **options):
        more = {"source": self.place["source"], "headers": self.place["headers"] | dict(headers)}
        return self.gateway.browse(self.gateway.url(path), **(options | more))

    def begin(self, app):
        return self.api.call("POST", "/v1/requests", {"app": app}).status

    def found(self):
        return [
            (re.search(r"\bevent=(\S+)", line)[1], (re.search(r"\breason=(\S+)", line) or [None, None])[1],
             (re.search(r"\bapp=(\S+)", line) or [None, None])[1])
            for line in self.gateway.output().splitlines() if f"from={self.address}" in line and "event=" in line]

    def says(self, *events):
        eventually(lambda: len(self.found()) >= len(events), what=f"{events} in the log")
        return self.found() == list(events)


@cases(
    dict(path="/app1/auth?code=c", options={}, status=400, event=("refused", "missing_state", APP)),
    dict(path="/app1/auth?code=c&state=s", options={}, status=400, event=("refused", "unknown_state", APP)),
    dict(path="/app1/auth?code=c&code=d&state=s", options={}, status=400, event=("refused", "duplicate_parameter", APP)),
    dict(path="/app1/auth", options={"method": "HEAD"}, status=204, event=("refused", "prefetch", APP)),
    dict(path="/app1/auth?x", options={"headers": {"Purpose": "prefetch"}}, status=503, event=("refused", "prefetch", APP)),
    dict(path="/app1/auth", options={"method": "PUT"}, status=405, event=("refused", "wrong_method", APP)),
    dict(path="/app1/auth", options={"method": "POST", "headers": FORM, "body": b"a=b"},
         status=405, event=("refused", "wrong_method", APP)),
    dict(path="/nowhere", options={}, status=404, event=("refused", "not_mine", None)),
    dict(path="/legacy?code=c", options={"method": "POST"}, status=405, event=("refused", "wrong_method", LEGACY)),
    dict(path="/legacy?code=c", options={"method": "HEAD"}, status=204, event=("refused", "prefetch", LEGACY)),
)
def test_a_callback_has_its_line(told, path, options, status, event):
    lines = Lines(told)
    assert lines.browse(path, **options).status == status
    assert lines.says(event)


@pytest.mark.rule(9)
@pytest.mark.rule(11)
def test_a_client_that_sends_too_many_is_named(told):
    lines = Lines(told)
    statuses = [lines.browse("/app1/auth?code=c&state=s").status for _ in range(2)]
    assert statuses == [400, 429]
    assert lines.says(("refused", "unknown_state", APP), ("refused", "limited", APP))


def test_a_good_callback_and_the_same_again(told):
    lines = Lines(told)
    pending = told.local_api().begin(APP, scope="openid")
    callback = authorize(pending.authorization_url)
    assert told.browse(callback, **lines.place).status == 303
    assert lines.says(("accepted", None, APP))
    again = Lines(told)
    assert told.browse(callback, **again.place).status == 303
    assert again.says(("repeated", None, APP))


def test_a_call_that_is_refused_has_its_line(told):
    lines = Lines(told)
    assert lines.begin("com.contoso.guarded") == 403
    assert lines.says(("begin_refused", "begin_from", "com.contoso.guarded"))
    lines = Lines(told)
    assert [lines.begin("nobody") for _ in range(2)] == [400, 429]
    assert lines.says(("call_refused", "invalid_request", None), ("limited", "begin_rate", None))
    lines = Lines(told)
    assert lines.api.call("GET", "/v1/nothing").status == 404
    assert lines.api.call("GET", "/v1/requests").status == 405
    assert lines.says(("call_refused", "not_found", None), ("call_refused", "invalid_request", None))


def test_a_redirect_has_its_line_where_it_is_wanted(told):
    length = len(told.output())
    assert told.browse(told.url("/legacy?code=c"), source="127.0.0.77").status == 302
    eventually(lambda: "event=dispatched" in told.output()[length:], what="the line")
