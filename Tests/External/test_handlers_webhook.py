"""The `webhook` handler, read by the library of Standard Webhooks; and lists of handlers."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from standardwebhooks.webhooks import Webhook

from harness.gateway import Gateway
from harness.handlers import Receiver, SocketApp, app_of, bring, done_page, events, heading, query, reference_of
from harness.programs import eventually, free_port
from harness.vault import VAULT

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU"
TAKEN, REFUSED = "Continue in your app", "Your app could not be reached"


class Strict(Receiver):
    """Refuses every callback but those with a scope that it knows."""

    def status(self, body):
        return 204 if b"scope=known" in body else 400


@pytest.fixture(scope="module")
def receivers():
    found = {"good": Receiver(), "fails": Receiver([500, 503]), "over": Receiver([410] * 9), "listed": Receiver(), "strict": Strict(),
             "moved": Receiver([302], headers=[("Location", "http://127.0.0.1:1/elsewhere")])}
    yield found
    for receiver in found.values():
        receiver.close()


@pytest.fixture(scope="module")
def socket_app(run_folder):
    app = SocketApp(run_folder / "listed.sock")
    yield app
    app.close()


@pytest.fixture(scope="module")
def gateway(run_folder, issuer, receivers, socket_app):
    VAULT.remember("webhook key", KEY)
    program = Gateway(run_folder, issuer.base, limits={"request_lifetime": "20s"})
    (program.folder / "hook.key").write_text(KEY + "\n")
    (program.folder / "hook.key").chmod(0o600)

    def webhook(url):
        return {"webhook": {"url": url, "secret_file": "hook.key"}}

    program.configuration["apps"] += [
        app_of(program, name, webhook(receiver.url)) for name, receiver in receivers.items() if name != "listed"]
    def dead():
        return {"socket": str(run_folder / "nobody.sock")}

    program.configuration["apps"] += [
        app_of(program, "dead", webhook(f"http://127.0.0.1:{free_port()}/hook")),
        app_of(program, "listed", [dead(), {"exec": ["/nowhere/at/all", "{ticket}"]}, webhook(receivers["listed"].url)]),
        app_of(program, "first", [{"socket": str(socket_app.path)}, webhook(receivers["listed"].url)]),
        app_of(program, "none", [dead(), dead()])]
    yield program.start()
    program.stop()


def test_the_receiver_can_verify_what_it_gets(gateway, receivers):
    parameters = query()
    answer = bring(gateway, "good", parameters)
    assert heading(done_page(gateway, answer)) == TAKEN
    path, headers, body = receivers["good"].received[-1]
    content = Webhook(KEY).verify(body, {name.lower(): value for name, value in headers.items()})
    assert content == {"app": "com.contoso.good", "reference": reference_of(answer), "url": gateway.url(f"/good?{parameters}")}
    assert path == "/hook" and headers["Content-Type"] == "application/json"


def test_a_receiver_that_fails_twice_gets_the_same_message_again(gateway, receivers):
    answer = bring(gateway, "fails", query())
    eventually(lambda: heading(done_page(gateway, answer)) == TAKEN)
    received = receivers["fails"].received
    assert len(received) == 3
    for _, headers, body in received:
        Webhook(KEY).verify(body, {name.lower(): value for name, value in headers.items()})
    assert len({headers["webhook-id"] for _, headers, _ in received}) == 1
    assert len({body for _, _, body in received}) == 1


def test_a_redirect_is_never_followed(gateway, receivers):
    answer = bring(gateway, "moved", query())
    eventually(lambda: heading(done_page(gateway, answer)) == TAKEN)
    assert [path for path, _, _ in receivers["moved"].received] == ["/hook", "/hook"]


def test_a_receiver_that_wants_no_more_is_left_alone(gateway, receivers):
    answer = bring(gateway, "over", query())
    assert heading(done_page(gateway, answer)) == REFUSED
    assert len(receivers["over"].received) == 1
    assert "reason=refused" in eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]


def test_a_receiver_that_is_out_is_tried_until_nobody_waits(gateway):
    answer = bring(gateway, "dead", query())
    assert heading(done_page(gateway, answer)) == "Contacting your app"
    line = eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]
    assert "reason=unreachable" in line and "handler=webhook" in line


@pytest.mark.rule(14)
def test_refused_deliveries_shut_no_other_out(gateway, receivers):
    """Anybody brings callbacks with states of their own making; the receiver says 400 to them."""
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda _: bring(gateway, "strict", query()), range(40)))
    answer = bring(gateway, "strict", query(scope="known"))
    eventually(lambda: heading(done_page(gateway, answer)) == TAKEN)


def test_a_list_is_tried_in_order_until_one_takes_it(gateway, receivers, socket_app):
    answer = bring(gateway, "listed", query())
    assert heading(done_page(gateway, answer)) == TAKEN
    assert len(receivers["listed"].received) == 1

    def failed():
        return [line.split("handler=")[1].split()[0] for line in events(gateway, "delivery_failed", reference_of(answer))]

    eventually(lambda: failed() == ["socket", "exec"], what="both failures in the log, in this order")
    # The second handler never sees a callback that the first takes.
    assert heading(done_page(gateway, bring(gateway, "first", query()))) == TAKEN
    assert len(socket_app.lines) == 1 and len(receivers["listed"].received) == 1


def test_a_list_in_which_none_takes_it_says_so(gateway):
    answer = bring(gateway, "none", query())
    assert heading(done_page(gateway, answer)) == REFUSED
    reply = gateway.local_api().relay(f"x-contoso-none://auth?{query()}")
    assert (reply.status, reply.json["reason"]) == (404, "no_pending_request")


@pytest.mark.rule(7)
def test_nothing_secret_is_in_the_log(gateway):
    assert VAULT.found_in(gateway.output().encode()) == set()
