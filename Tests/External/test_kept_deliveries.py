"""Callbacks on their way to a webhook outlive the gateway that tries: a stop, an upgrade, a crash, and its death beside another."""

import contextlib

import pytest
from standardwebhooks.webhooks import Webhook

from harness.gateway import Gateway
from harness.handlers import Receiver, app_of, bring, done_page, events, heading, query, reference_of
from harness.metrics import key, scrape
from harness.programs import eventually
from harness.redis import RedisServer
from harness.vault import VAULT
from test_upgrade import UpgradableGateway

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU"
TAKEN = "Continue in your app"


class Stubborn(Receiver):
    """Refuses each message until it is told otherwise."""

    answer = 503

    def status(self, body):
        return self.answer


@pytest.fixture
def receiver():
    receiver = Stubborn()
    yield receiver
    receiver.close()


def with_webhook(receiver, store=None):
    def change(gateway):
        VAULT.remember("webhook key", KEY)
        (gateway.folder / "hook.key").write_text(KEY + "\n")
        (gateway.folder / "hook.key").chmod(0o600)
        gateway.configuration["apps"].append(
            app_of(gateway, "hook", {"webhook": {"url": receiver.url, "secret_file": "hook.key"}}))
        if store:
            gateway.configuration |= store
    return change


@pytest.fixture
def start(run_folder, issuer):
    gateways = []

    def start(change, upgradable=True):
        if upgradable:
            gateway = UpgradableGateway(run_folder, issuer.base, change)
        else:
            gateway = Gateway(run_folder, issuer.base)
            change(gateway)
        gateways.append(gateway)
        return gateway.start()

    yield start
    for gateway in gateways:
        with contextlib.suppress(Exception):
            gateway.stop()


def under_way(gateway, receiver):
    """A callback that its receiver has refused once."""
    parameters = query()
    answer = bring(gateway, "hook", parameters)
    eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)), what="the first try that failed")
    return answer, parameters


def is_delivered(receiver, gateway, answer, parameters, seconds=30):
    """Both gateways send the same message until it is taken."""
    eventually(lambda: events(gateway, "delivered", reference_of(answer)), seconds, what="the delivery")
    assert len({headers["webhook-id"] for _, headers, _ in receiver.received}) == 1
    _, headers, body = receiver.received[-1]
    content = Webhook(KEY).verify(body, {name.lower(): value for name, value in headers.items()})
    assert content["reference"] == reference_of(answer) and content["url"].endswith(parameters)
    known = len(receiver.received)
    assert heading(done_page(gateway, answer)) == TAKEN
    # And it is over.
    assert bring(gateway, "hook", parameters).status == 303
    assert len(receiver.received) == known


def test_each_try_is_counted_and_the_first_that_fails_is_told(start, receiver):
    gateway = start(with_webhook(receiver))
    answer, _ = under_way(gateway, receiver)
    eventually(lambda: len(receiver.received) >= 3, what="further tries")
    told = events(gateway, "delivery_failed", reference_of(answer))
    assert len(told) == 1 and "reason=refused" in told[0] and "again=true" in told[0]
    counted = key("handler_deliveries_total", app="com.contoso.hook", handler="webhook", result="refused")
    eventually(lambda: scrape(gateway)[counted] >= 3, what="its count")
    # The delivery still goes on.
    history = gateway.admin(f"/v1/sign-ins/{reference_of(answer)}").json
    assert history["status"] == "pending"
    assert [entry["count"] for entry in history["events"] if entry["event"] == "delivery_failed"][0] >= 2
    receiver.answer = 204
    eventually(lambda: events(gateway, "delivered", reference_of(answer)), what="the delivery")


@pytest.mark.parametrize("end", ["stop", "upgrade"])
def test_the_next_process_goes_on_at_once(start, receiver, end):
    gateway = start(with_webhook(receiver))
    answer, parameters = under_way(gateway, receiver)
    code = parameters.split("code=")[1].split("&")[0].encode()
    kept = b"".join(file.read_bytes() for file in gateway.folder.glob("requests.db*"))
    assert kept and code not in kept
    if end == "stop":
        gateway.stop()
        gateway.start()
    else:
        gateway.upgrade()
    receiver.answer = 204
    is_delivered(receiver, gateway, answer, parameters)
    # No failure was reported.
    assert all("again=true" in line for line in events(gateway, "delivery_failed", reference_of(answer)))


def test_a_process_that_was_killed_has_a_lease_and_then_the_next_goes_on(start, receiver):
    gateway = start(with_webhook(receiver))
    answer, parameters = under_way(gateway, receiver)
    gateway.kill()
    receiver.answer = 204
    gateway.start()
    is_delivered(receiver, gateway, answer, parameters, seconds=60)


def test_another_gateway_goes_on_for_one_that_has_died(start, receiver, run_folder):
    redis = RedisServer(run_folder).start()
    try:
        shared = {"store": f"redis://127.0.0.1:{redis.port}/0", "encryption_keys": [{"id": "k1", "key": "5e" * 32}]}
        first = start(with_webhook(receiver, shared), upgradable=False)

        def behind_the_same_name(gateway):
            with_webhook(receiver, shared)(gateway)
            gateway.configuration["public_url"] = first.configuration["public_url"]
            gateway.configuration["apps"] = first.configuration["apps"]

        second = start(behind_the_same_name, upgradable=False)
        answer, _ = under_way(first, receiver)
        eventually(lambda: len(receiver.received) >= 2, what="a second try")
        assert not events(second, "delivery_failed", reference_of(answer)), "two gateways try at the same time"
        first.kill()
        receiver.answer = 204
        eventually(lambda: events(second, "delivered", reference_of(answer)), 60, what="the delivery")
        assert len({headers["webhook-id"] for _, headers, _ in receiver.received}) == 1
    finally:
        redis.kill()


def test_a_receiver_that_wants_no_more_ends_it_for_the_next_process_too(start, receiver):
    gateway = start(with_webhook(receiver))
    answer, _ = under_way(gateway, receiver)
    receiver.answer = 410
    eventually(lambda: [line for line in events(gateway, "delivery_failed", reference_of(answer)) if "again" not in line],
               what="the end")
    known = len(receiver.received)
    gateway.stop()
    gateway.start()
    # Its time comes within a few seconds, if at all.
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")
    assert gateway.admin("/v1/status").json["requests"]["unfinished"] == 0
    assert len(receiver.received) == known


def test_lost_requests_in_memory_are_reported(start, receiver):
    gateway = start(with_webhook(receiver, {"store": "memory"}), upgradable=False)
    answer, _ = under_way(gateway, receiver)
    gateway.stop()
    last = events(gateway, "delivery_failed", reference_of(answer))[-1]
    assert "again" not in last and "reason=refused" in last
