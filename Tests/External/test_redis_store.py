"""The store in Redis: any gateway may do any part of a sign-in. Sign-ins go on if one dies, or after Redis was away."""

import contextlib
import json
import re
import secrets
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.api import Pending
from harness.gateway import CA
from harness.held import CODE, DEVICE, NETWORK, NONE, Place, begin, is_held, release, shown, via
from harness.issuer import authorize
from harness.programs import CERTIFICATES, ROOT, eventually, run
from harness.redis import RedisCluster, RedisServer, SharingGateway
from harness.vault import VAULT


@pytest.fixture
def redis(run_folder):
    program = RedisServer(run_folder).start()
    yield program
    with contextlib.suppress(ProcessLookupError):
        program.signal(signal.SIGCONT)
    program.kill()


@pytest.fixture
def start_gateways(run_folder, issuer, redis):
    """Makes gateways behind one name."""
    gateways = []

    def start(count, change=None, is_well=True, store=None, **options):
        for _ in range(count):
            port = gateways[0].callbacks_port if gateways else None
            gateway = SharingGateway(
                run_folder, issuer.base, store or f"redis://127.0.0.1:{redis.port}/0", public_port=port, **options)
            gateways.append(gateway)
            if change is not None:
                change(gateway)
            if not is_well:
                gateway._is_ready = lambda gateway=gateway: is_alive(gateway)
            gateway.start()
        return gateways[-count:]

    yield start
    for gateway in gateways:
        gateway.kill() if gateway.process else None


def is_alive(gateway):
    with contextlib.suppress(OSError):
        return gateway.admin("/healthz").status == 200


def at(gateway, pending):
    """The same request, as an app sees it at another gateway."""
    return Pending(gateway.api(), pending.fields)


def code_of(callback):
    return parse_qs(urlsplit(callback).query)["code"][0]


def is_out(reply):
    return reply.status == 503 and int(reply.header("Retry-After")) > 0


# Any gateway, any part


def test_a_sign_in_goes_through_four_gateways(start_gateways, issuer):
    first, second, third, fourth = start_gateways(4)
    pending = begin(first, CODE)
    # The page that the app sends its browser to, the callback, its page, the release, and the result.
    assert second.visit(pending.start_url).status == 303
    callback = authorize(pending.authorization_url)
    answer = third.visit(callback)
    assert answer.status == 303
    cookie = answer.header("Set-Cookie").split(";")[0]
    page = fourth.visit(first.url(answer.header("Location")), headers={"Cookie": cookie})
    assert is_held(at(first, pending))
    assert release(at(second, pending), code=shown(page.text, "release-code")).status == 204
    assert at(fourth, pending).outcome()["status"] == "completed"
    assert at(third, pending).delete().status == 204
    assert at(first, pending).poll().status == 404
    # The same callback again gets the same page, wherever it comes.
    assert second.visit(callback).status == 303
    assert issuer.times_redeemed(code_of(callback)) == 1


def test_a_callback_that_comes_to_two_gateways_at_once_is_redeemed_once(start_gateways, issuer):
    gateways = start_gateways(2)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(15):
            pending = begin(gateways[0], NONE)
            callback = authorize(pending.authorization_url)
            together = threading.Barrier(2)

            def bring(gateway):
                together.wait()
                return gateway.visit(callback).status

            assert set(pool.map(bring, gateways)) == {303}
            assert at(gateways[1], pending).outcome()["status"] == "completed"
            assert issuer.times_redeemed(code_of(callback)) == 1


@pytest.mark.rule(8)
def test_an_app_that_waits_elsewhere_at_another_gateway_makes_it_ask_for_the_code(start_gateways, issuer):
    """The gateway that gets the callback remembers the request as it was before."""
    first, second = start_gateways(2)
    pending = begin(first, NETWORK)
    there = Place(second, **via("198.51.100.7"))
    assert pending.poll(api=there).json == {"status": "pending"}
    callback = authorize(pending.authorization_url)
    assert first.visit(callback).status == 303
    assert is_held(pending) and issuer.times_redeemed(code_of(callback)) == 0


def test_an_app_that_waits_at_one_gateway_hears_of_what_comes_to_another(start_gateways):
    first, second = start_gateways(2)
    # Without a message it would look again after five seconds, so ten sign-ins would take more than forty.
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        for _ in range(10):
            pending = begin(first, NONE)
            waits = pool.submit(pending.poll, wait=30)
            eventually(lambda: _is_waiting(pending), what="an app that waits")
            assert second.visit(authorize(pending.authorization_url)).status == 303
            assert waits.result().json["status"] == "completed"
    assert time.monotonic() - began < 40


def _is_waiting(pending):
    return pending.is_untouched()


def test_caps_hold_for_all_gateways_together(start_gateways):
    gateways = start_gateways(2, limits={"requests_per_app": 6})
    answers = [gateways[number % 2].api().begin_reply("com.contoso.app1") for number in range(10)]
    assert [answer.status for answer in answers] == [201] * 6 + [answers[-1].status] * 4
    assert answers[-1].status in (429, 503) and answers[-1].header("Retry-After")


def test_the_cap_of_a_network_holds_for_all_gateways_together(start_gateways):
    one, other = start_gateways(2, limits={"requests_per_network": 3})
    first = one.api(source="127.0.0.2").begin("com.contoso.app1")
    other.api(source="127.0.0.3").begin("com.contoso.app1")
    one.api(source="127.0.0.4").begin("com.contoso.app1")
    refused = other.api(source="127.0.0.5").begin_reply("com.contoso.app1")
    assert refused.status == 429 and "network" in refused.json["error_description"]
    assert other.api(source="127.0.1.5").begin_reply("com.contoso.app1").status == 201
    assert first.delete().status == 204
    assert other.api(source="127.0.0.5").begin_reply("com.contoso.app1").status == 201


@pytest.mark.parametrize("key, cap", [("requests", 3), ("requests_per_address", 3), ("kept_bytes_per_address", "16KiB")])
def test_the_other_caps_hold_for_all_gateways_together(start_gateways, key, cap):
    gateways = start_gateways(2, limits={key: cap})
    statuses = [gateways[number % 2].api().begin_reply("com.contoso.app1").status for number in range(6)]
    assert statuses[:3] == [201] * 3 and set(statuses[3:]) <= {429, 503}


def test_a_request_whose_gateway_died_fails_soon_and_is_not_redeemed_again(start_gateways, issuer):
    first, second = start_gateways(2, limits={"issuer_timeout": "1s"})
    pending = begin(first, NONE, demo="auto,slow")
    callback = authorize(pending.authorization_url)
    with ThreadPoolExecutor(2) as pool:
        browser = pool.submit(_ignoring_errors, first, callback)
        eventually(lambda: issuer.times_redeemed(code_of(callback)) == 1, what="the code on its way")
        waits = pool.submit(at(second, pending).poll, wait=60)
        first.kill()
        browser.result()
        outcome = waits.result().json
    # Its request lives for ten minutes; its lease ended before.
    assert outcome["status"] == "failed" and outcome["error"]["code"] == "internal"
    assert second.visit(callback).status == 303
    assert issuer.times_redeemed(code_of(callback)) == 1


def _ignoring_errors(gateway, callback):
    with contextlib.suppress(Exception):
        gateway.visit(callback)


def test_gateways_that_stop_and_start_lose_nothing(start_gateways, issuer):
    (gateway,) = start_gateways(1)
    pending = [begin(gateway, NONE) for _ in range(4)]
    gateway.kill()
    gateway.start()
    for request in pending:
        assert gateway.visit(authorize(request.authorization_url)).status == 303
        assert request.outcome()["status"] == "completed"


def rights_of_the_user():
    """The commands that docs/reference/configuration.md names for every user of Redis."""
    page = (ROOT / "docs/reference/configuration.md").read_text()
    named = re.search(r"^The user needs the commands (.*?) on `~", page, re.M | re.S)[1]
    return [name.lower().replace(" ", "|") for name in re.findall(r"`([A-Z ]+)`", named)]


def test_redis_over_tls_with_a_certificate_a_user_and_a_password(run_folder, issuer):
    redis = RedisServer(run_folder, True).start()
    password = secrets.token_urlsafe()
    VAULT.remember("redis password", password)
    commands = rights_of_the_user()
    redis.ask("ACL", "SETUSER", "gate", "on", f">{password}", "~sy:*", "&sy:*", *(f"+{name}" for name in commands))
    redis.ask("ACL", "SETUSER", "default", "off")
    (redis.folder / "password").write_text(password + "\n")
    store = {"redis": {
        "url": f"rediss://gate@localhost:{redis.port}/0", "password_file": str(redis.folder / "password"),
        "ca": str(CERTIFICATES / "ca.pem"), "certificate": str(CERTIFICATES / "client.pem"),
        "key": str(CERTIFICATES / "client.key"), "prefix": "sy:"}}
    gateway = SharingGateway(run_folder, issuer.base, store)
    try:
        gateway.start()
        pending = begin(gateway, NONE)
        assert gateway.visit(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
        # It may not look at the server's settings, and says so once.
        eventually(lambda: gateway.output().count("event=store_warning") == 1, what="the warning")
        assert "event=store_failed" not in gateway.output()
        assert password not in gateway.output()
    finally:
        gateway.kill()
        redis.kill()


# Redis away


class SignIns:
    """One that is about to come back from the issuer, one that waits, and one that is held."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.arriving = begin(gateway, NONE)
        self.callback = authorize(self.arriving.authorization_url)
        self.held = begin(gateway, CODE)
        self.answer = gateway.visit(authorize(self.held.authorization_url))
        self.cookie = self.answer.header("Set-Cookie").split(";")[0]
        page = gateway.visit(gateway.url(self.answer.header("Location")), headers={"Cookie": self.cookie})
        self.code = shown(page.text, "release-code")

    def expect_out(self):
        """Calls are answered soon, requests keep their state, and the operator is told."""
        assert is_out(self.gateway.api().begin_reply("com.contoso.app1"))
        page = self.gateway.visit(self.callback)
        assert page.status == 503 and page.header("Retry-After")
        assert is_out(release(self.held, code=self.code))
        told = eventually(
            lambda: self.gateway.admin("/readyz").status == 503 and self.gateway.admin("/readyz"), what="the reason")
        assert self.gateway.admin("/healthz").status == 200
        return told.json["reasons"][0]

    def expect_back(self, issuer, is_told=True):
        """With `is_told`, by the gateway that missed it."""
        eventually(lambda: self.gateway.admin("/readyz").status == 200, what="recovery")
        assert self.gateway.visit(self.callback).status == 303
        assert self.arriving.outcome()["status"] == "completed"
        assert issuer.times_redeemed(code_of(self.callback)) == 1
        assert release(self.held, code=self.code).status == 204
        reply = self.held.poll(wait=30, seen="release_required")
        reply = self.held.poll(wait=30) if reply.status == 202 else reply
        assert reply.json["status"] == "completed"
        for event in ("store_failed", "store_back") if is_told else ():
            eventually(lambda: f"event={event}" in self.gateway.output(), what=f"the line of {event}")


def test_redis_restarts_and_everything_goes_on(start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    sign_ins = SignIns(gateway)
    redis.kill()
    assert sign_ins.expect_out()
    redis.start()
    sign_ins.expect_back(issuer)


def test_redis_without_memory_refuses_what_is_new_and_goes_on_by_itself(start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    sign_ins = SignIns(gateway)
    given_up = gateway.api().begin("com.contoso.app1")
    redis.ask("CONFIG", "SET", "maxmemory", "1")
    assert "OOM" in sign_ins.expect_out()
    # Steps that make room are taken.
    for _ in range(2):
        assert given_up.delete().status == 204
    redis.ask("CONFIG", "SET", "maxmemory", "0")
    sign_ins.expect_back(issuer)


def test_redis_that_became_a_replica_refuses_what_is_new_and_goes_on_by_itself(start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    sign_ins = SignIns(gateway)
    redis.ask("REPLICAOF", "127.0.0.1", "1")
    sign_ins.expect_out()
    eventually(lambda: "READONLY" in gateway.admin("/readyz").body.decode(), what="the reason")
    redis.ask("REPLICAOF", "NO", "ONE")
    sign_ins.expect_back(issuer)


def test_redis_that_still_reads_its_data_refuses_what_is_new_and_goes_on_when_it_has_them(
        start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    sign_ins = SignIns(gateway)
    # A minute's reading, of a file in which it looks up from time to time.
    redis.ask("EVAL", "for i = 1, 30000 do redis.call('SET', 'of another program ' .. i, i) end", 0)
    redis.ask("BGREWRITEAOF")
    eventually(lambda: "aof_rewrite_scheduled:0" in (told := redis.ask("INFO", "persistence"))
               and "aof_rewrite_in_progress:0" in told, what="the rewritten file")
    redis.kill()
    redis.start_reading()
    sign_ins.expect_out()
    eventually(lambda: "LOADING" in gateway.admin("/readyz").body.decode(), what="the reason")
    redis.finish_reading()
    sign_ins.expect_back(issuer)


def test_a_cluster_without_some_of_its_slots_refuses_what_is_new_and_goes_on_when_it_is_whole(
        run_folder, start_gateways, issuer):
    cluster = RedisCluster(run_folder)
    try:
        cluster.start()
        (gateway,) = start_gateways(1, store=cluster.store)
        sign_ins = SignIns(gateway)
        # Not the one with the counts, of which it would be said that it is not there.
        cluster.nodes[2].kill()
        eventually(lambda: all("cluster_state:fail" in node.ask("CLUSTER", "INFO") for node in cluster.nodes[:2]),
                   what="a cluster that is down")
        sign_ins.expect_out()
        eventually(lambda: "CLUSTERDOWN" in gateway.admin("/readyz").body.decode(), what="the reason")
        cluster.nodes[2].start()
        sign_ins.expect_back(issuer)
    finally:
        cluster.kill()


def test_redis_that_stands_still_is_answered_for_in_time(start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    waiting, comments, opened = begin(gateway, NONE), [], time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        waits = pool.submit(waiting.poll, wait=60)
        follows = pool.submit(lambda: list(waiting.events(comments)))
        time.sleep(0.5)
        redis.signal(signal.SIGSTOP)
        began = time.monotonic()
        assert is_out(gateway.api().begin_reply("com.contoso.app1"))
        told = eventually(
            lambda: gateway.admin("/readyz").status == 503 and gateway.admin("/readyz"), what="the reason")
        assert told.json["reasons"] and time.monotonic() - began < 30
        # They look again meanwhile.
        time.sleep(max(0, began + 8 - time.monotonic()))
        redis.signal(signal.SIGCONT)
        eventually(lambda: gateway.admin("/readyz").status == 200, what="recovery")
        callback = authorize(waiting.authorization_url)
        assert gateway.visit(callback).status == 303
        assert waits.result().json["status"] == "completed"
        assert follows.result()[-1][1]["status"] == "completed"
    # The stream has a comment every 15 s, as while Redis works.
    assert len(comments) <= (time.monotonic() - opened) // 15
    assert issuer.times_redeemed(code_of(callback)) == 1


def test_a_gateway_can_be_stopped_while_redis_stands_still_and_loses_nothing_by_it(start_gateways, redis, issuer):
    (gateway,) = start_gateways(1)
    sign_ins = SignIns(gateway)
    redis.signal(signal.SIGSTOP)
    assert is_out(gateway.api().begin_reply("com.contoso.app1"))
    assert gateway.stop() == 0
    redis.signal(signal.SIGCONT)
    gateway.start()
    sign_ins.expect_back(issuer, is_told=False)


def test_a_redis_that_is_not_there_at_the_start_is_tried_on_and_said(start_gateways, redis):
    redis.kill()
    (gateway,) = start_gateways(1, is_well=False)
    assert is_out(gateway.api().begin_reply("com.contoso.app1"))
    told = gateway.admin("/readyz")
    assert told.status == 503 and str(redis.port) in told.json["reasons"][0]
    redis.start()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")
    assert gateway.api().begin_reply("com.contoso.app1").status == 201


def test_settings_that_may_lose_requests_are_named_by_the_start_and_by_the_doctor(run_folder, start_gateways, redis):
    replica = RedisServer(run_folder, False, "--replicaof", "127.0.0.1", redis.port).start()
    try:
        for setting in (("appendfsync", "everysec"), ("maxmemory", "1gb"), ("maxmemory-policy", "allkeys-lru")):
            assert redis.ask("CONFIG", "SET", *setting) == "OK"
        eventually(lambda: "connected_slaves:1" in redis.ask("INFO", "replication"), what="the replica")
        (gateway,) = start_gateways(1)
        words = ("appendfsync everysec", "maxmemory-policy allkeys-lru", "min-replicas-to-write")

        def warned(lines):
            return all(any(word in line for line in lines) for word in words)

        eventually(
            lambda: warned([line for line in gateway.output().splitlines() if "event=store_warning" in line]),
            what="the warnings")
        found = json.loads(run("doctor", "--config", gateway.file, "--json", "--ca", CA).stdout)["findings"]
        assert warned([one["what"] for one in found if (one["area"], one["level"]) == ("store", "warning")]), found
    finally:
        replica.kill()


# Secrets


def test_a_stolen_dump_of_redis_holds_no_secret(start_gateways, redis):
    (gateway,) = start_gateways(1)

    def arrive(app):
        pending = begin(gateway, app)
        asked = parse_qs(urlsplit(pending.authorization_url).query)
        for name in ("state", "nonce"):
            VAULT.remember(name, asked.get(name, [None])[0])
        answer = gateway.visit(authorize(pending.authorization_url))
        assert answer.status == 303
        VAULT.remember("cookie", answer.header("Set-Cookie").split(";")[0].partition("=")[2])
        return pending

    begin(gateway, NONE)
    arrive(CODE)
    arrive(DEVICE)
    arrive(NONE)
    collected = arrive(NONE)
    assert collected.outcome()["status"] == "completed"
    assert collected.delete().status == 204
    kinds = set(VAULT.items().values())
    assert {"state", "result token", "code", "access_token", "cookie"} <= kinds
    assert redis.ask("SAVE") == "OK"
    files = {str(file): file.read_bytes() for file in redis.folder.rglob("*") if file.is_file()}
    assert any(NONE.encode() in data for data in files.values()), "this looks where the requests are"
    for name, data in files.items():
        assert VAULT.found_in(data) == set(), name
    keys = redis.ask("KEYS", "*").encode()
    assert VAULT.found_in(keys) == set()
    assert all(key.startswith(b"switchyard:") for key in keys.split())


def test_keys_are_required_and_the_start_says_how_to_make_one(run_folder, issuer, redis):
    gateway = SharingGateway(run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}")
    del gateway.configuration["encryption_keys"]
    gateway.write()
    ended = run("serve", "--config", gateway.file)
    assert ended.returncode == 2 and "encryption_keys" in ended.stderr and "switchyard keys new" in ended.stderr


def test_a_password_that_was_changed_is_taken_from_its_file_without_a_restart(start_gateways, redis):
    """The operator renews it in the file and in Redis, which keeps open connections."""
    def with_password(gateway):
        gateway.password = gateway.folder / "redis.password"
        gateway.password.write_text("the first one\n")
        gateway.password.chmod(0o600)
        gateway.configuration["store"] = {
            "redis": {"url": f"redis://127.0.0.1:{redis.port}/0", "password_file": str(gateway.password)}}

    redis.ask("CONFIG", "SET", "requirepass", "the first one")
    gateway, = start_gateways(1, with_password)
    before, length = begin(gateway, NONE), len(gateway.output())
    redis.ask("CONFIG", "SET", "requirepass", "the second one", password="the first one")
    gateway.password.write_text("the second one\n")
    eventually(lambda: "event=reloaded" in gateway.output()[length:], what="the new password")
    redis.ask("CLIENT", "KILL", "TYPE", "normal", password="the second one")
    eventually(lambda: gateway.api().begin_reply(NONE).status == 201, what="connections with the new one")
    assert before.poll().json == {"status": "pending"} and "reload_refused" not in gateway.output()
