"""A database on a disk that is full, fails or stands still, with a lock of another, or without its file: no request is
lost, and each answer is true."""

import contextlib
import errno
import http.client
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.api import Pending
from harness.disk import Disk, SmallDisk
from harness.held import CODE, NONE, HoldingGateway, Visit, begin, outcome, release
from harness.issuer import authorize
from harness.loopback import LocalApp
from harness.programs import eventually

needs_mounts = pytest.mark.skipif(not SmallDisk.is_possible(), reason="no mount of its own here")


@pytest.fixture
def start(run_folder, issuer):
    """Makes gateways with a folder of their own for their requests."""
    programs = []

    def start(change=None, is_well=True):
        gateway = HoldingGateway(run_folder, issuer.base)
        programs.append(gateway)
        gateway.store = gateway.folder / "store"
        gateway.store.mkdir()
        gateway.database = gateway.store / "requests.db"
        gateway.configuration["store"] = f"sqlite:{gateway.database}"
        if change is not None:
            change(gateway)
        if not is_well:
            gateway._is_ready = lambda: is_alive(gateway)
        return gateway.start()

    yield start
    for program in programs:
        program.stop()


def is_alive(gateway):
    with contextlib.suppress(OSError):
        return gateway.admin("/healthz").status == 200


def code_of(callback):
    return parse_qs(urlsplit(callback).query)["code"][0]


def is_out(reply):
    return reply.status == 503 and int(reply.header("Retry-After")) > 0


class SignIns:
    """One at each step: an app waits, a callback is about to come, a code is held, a result lies there."""

    def __init__(self, gateway, issuer):
        self.gateway, self.issuer, self.api = gateway, issuer, gateway.api()
        self.waiting, arriving, self.finished = (begin(gateway, NONE) for _ in range(3))
        self.arriving, self.callback = arriving, authorize(arriving.authorization_url)
        self.held = Visit(gateway, begin(gateway, CODE))
        self.code = self.held.code
        self.done = authorize(self.finished.authorization_url)
        assert gateway.browse(self.done).status == 303
        self.pool = ThreadPoolExecutor(1)
        self.waiter = self.pool.submit(self._wait)

    def _wait(self):
        """Acts as a good app: it asks again if the answer says so, or if there is none."""
        while True:
            try:
                reply = self.waiting.poll(wait=20)
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
                continue
            if reply.status != 202:
                return reply

    def are_refused(self, *words):
        """New calls are told to come again, and change no request meanwhile."""
        assert is_out(self.api.begin_reply(NONE))
        assert is_out(release(self.held.pending, code=self.code))
        assert is_out(self.finished.poll())
        page = self.gateway.browse(self.callback)
        assert page.status == 503 and page.header("Retry-After") and "<html" in page.text
        told = eventually(lambda: not_ready(self.gateway), what="the reason")
        assert any(word in told.json["reasons"][0] for word in words), told.json
        assert self.gateway.admin("/healthz").status == 200
        assert not self.waiter.done(), "an app that waits goes on waiting"
        assert self.issuer.times_redeemed(code_of(self.callback)) == 0
        assert self.issuer.times_redeemed(self.held.authorization_code) == 0

    def all_end_well(self):
        """By themselves, once the cause is gone."""
        eventually(lambda: self.gateway.admin("/readyz").status == 200, what="recovery")
        assert self.gateway.browse(self.callback).status == 303
        assert self.arriving.outcome()["status"] == "completed"
        assert release(self.held.pending, code=self.code).status == 204
        assert outcome(self.held.pending)["status"] == "completed"
        assert self.finished.outcome()["status"] == "completed"
        last = authorize(self.waiting.authorization_url)
        assert self.gateway.browse(last).status == 303
        assert self.waiter.result(60).json["status"] == "completed"
        self.pool.shutdown()
        for code in (code_of(self.callback), code_of(self.done), code_of(last), self.held.authorization_code):
            assert self.issuer.times_redeemed(code) == 1


def not_ready(gateway):
    """The answer that says why the store keeps the gateway from being ready. Listeners that still open are a reason of a start's first moments."""
    reply = gateway.admin("/readyz")
    return reply.status == 503 and "listener" not in reply.json["reasons"][0] and reply


def memory(gateway):
    """Bytes that the process has in memory."""
    status = Path(f"/proc/{gateway.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) << 10


@needs_mounts
def test_a_full_disk_takes_nothing_new_loses_nothing_and_is_not_made_up_for_in_memory(start, issuer):
    def on_a_small_disk(gateway):
        gateway.disk = SmallDisk(gateway.store)
        gateway.prefix = gateway.disk.prefix

    gateway = start(on_a_small_disk)
    sign_ins = SignIns(gateway, issuer)
    gateway.disk.fill(gateway.process)
    api = gateway.api()
    # SQLite may still take a change that fits into its present files.
    eventually(lambda: all(api.begin_reply(NONE).status == 503 for _ in range(5)), what="the end of the room")
    sign_ins.are_refused("make room")
    before = memory(gateway)
    with ThreadPoolExecutor(8) as pool:
        answers = [reply.status for reply in pool.map(lambda _: api.begin_reply(NONE), range(400))]
    assert set(answers) == {503}
    assert memory(gateway) - before < 32 << 20
    gateway.disk.empty(gateway.process)
    sign_ins.all_end_well()


def on_a_bad_disk(gateway):
    gateway.disk = Disk(gateway.folder)
    gateway.environment = gateway.disk.environment


@pytest.mark.parametrize(("ill", "words"), [
    ({"write_error": errno.EROFS}, "I/O error"),
    ({"write_error": errno.EIO}, "I/O error"),
    ({"sync_error": errno.EIO}, "I/O error"),
    ({"is_stalled": 1}, "in time"),
], ids=["became read-only", "fails to write", "fails to sync", "stands still"])
def test_a_disk_that_goes_in_mid_flight_loses_nothing(start, issuer, ill, words):
    gateway = start(on_a_bad_disk)
    sign_ins = SignIns(gateway, issuer)
    gateway.disk.set(**ill)
    sign_ins.are_refused(words)
    gateway.disk.set()
    sign_ins.all_end_well()


def test_a_step_in_the_log_of_a_failing_disk_counts_as_never_taken(start):
    """The changes of a transaction stand in SQLite's log before the disk is asked to keep them."""
    gateway = start(on_a_bad_disk)
    api, own = gateway.api(), {"completion": "response", "state": "an-own-state-" + "x" * 30}
    before = begin(gateway, NONE)
    gateway.disk.set(sync_error=errno.EIO)
    assert is_out(api.begin_reply(NONE, **own))
    assert is_out(before.delete())
    gateway.disk.set()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="recovery")
    reply = api.begin_reply(NONE, **own)
    assert reply.status == 201, reply.body
    gateway.kill()
    gateway.start()
    assert gateway.admin("/readyz").json["pending_requests"] == 2
    assert before.poll().json == {"status": "pending"}


def test_a_request_that_was_to_be_forgotten_when_the_disk_failed_is_no_obstacle_later(start):
    def with_little_room(gateway):
        on_a_bad_disk(gateway)
        gateway.configuration["limits"] |= {"kept_bytes": "64KiB", "kept_bytes_per_address": "64KiB"}

    gateway = start(with_little_room)

    def kept():
        return gateway.admin("/readyz").json["kept_requests"]

    def one_more_that_is_over():
        over = begin(gateway, NONE)
        over.delete()
        over.delete()

    large = {"extra_parameters": {"note": "x" * 2000}}
    # These stay, so fewer of the others fill the room. The oldest of those go when a new one needs their room, and not before.
    for _ in range(4):
        assert gateway.api().begin_reply(NONE, **large).status == 201
    most = -1
    while most < kept():
        most = kept()
        one_more_that_is_over()
    while kept() < most:
        one_more_that_is_over()
    gateway.disk.set(sync_error=errno.EIO)
    assert is_out(gateway.api().begin_reply(NONE, **large))
    gateway.disk.set()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="recovery")
    for _ in range(3):
        assert gateway.api().begin_reply(NONE, **large).status == 201


@pytest.mark.parametrize("call", ["failing_sync", "failing_write"])
def test_any_one_call_to_the_disk_may_fail(start, issuer, call):
    """A good app and a good browser, which come again when they are told to, notice no more of it than that."""
    def patiently(ask, *good):
        return eventually(lambda: (reply := ask()).status in good and reply, what="the disk")

    gateway = start(on_a_bad_disk)
    api, number, has_failed = gateway.api(), 0, True
    while has_failed:
        # Only some of the writes: a transaction has many, and fails at each of them in the same way.
        number += 1 if call == "failing_sync" else 5
        gateway.disk.set(**{call: number})
        reply = patiently(lambda: api.begin_reply(NONE, extra_parameters={"demo": "auto"}), 201)
        pending = Pending(api, reply.json)
        callback = authorize(pending.authorization_url)
        patiently(lambda: gateway.browse(callback), 303)
        assert patiently(pending.poll, 200).json["status"] == "completed"
        assert issuer.times_redeemed(code_of(callback)) == 1
        patiently(pending.delete, 204, 404)
        assert pending.poll().status == 404
        has_failed = gateway.disk.get(call) <= 0
    assert number > 3
    gateway.disk.set()
    gateway.kill()
    gateway.start()
    assert pending.poll().status == 404


def test_tokens_that_come_while_the_disk_is_away_are_there_once_it_is_back(start, issuer):
    gateway = start(on_a_bad_disk)
    pending = begin(gateway, NONE)
    callback = authorize(pending.authorization_url)
    issuer.control(token="answer", client="open", delay=1500)
    with ThreadPoolExecutor(1) as pool:
        browser = pool.submit(gateway.browse, callback)
        eventually(lambda: issuer.times_redeemed(code_of(callback)) == 1, what="the code on its way")
        gateway.disk.set(sync_error=errno.EIO)
        # Until after the issuer's answer.
        assert browser.result(30).status == 303
        eventually(lambda: not_ready(gateway), what="the disk being missed")
        gateway.disk.set()
    assert pending.outcome()["status"] == "completed"
    assert issuer.times_redeemed(code_of(callback)) == 1


@pytest.mark.parametrize("step", ["callback", "release"])
def test_a_claim_that_the_disk_takes_late_is_gone_on_with(start, issuer, step):
    """Its browser, or its app, was told to come again, and is told then that it was here before."""
    gateway = start(on_a_bad_disk)
    for _ in range(3):
        if step == "callback":
            pending = begin(gateway, NONE)
            callback = authorize(pending.authorization_url)
            gateway.disk.set(is_stalled=1)
            assert gateway.browse(callback).status == 503
            gateway.disk.set()
            eventually(lambda: gateway.browse(callback).status == 303, what="the disk")
        else:
            held = Visit(gateway, begin(gateway, CODE))
            pending, callback, code = held.pending, held.callback, held.code
            gateway.disk.set(is_stalled=1)
            assert release(pending, code=code).status == 503
            gateway.disk.set()
            eventually(lambda: release(pending, code=code).status in (204, 409), what="the disk")
        assert outcome(pending)["status"] == "completed"
        assert issuer.times_redeemed(code_of(callback)) == 1


def test_a_browser_whose_held_code_the_disk_takes_late_sees_the_release_code(start, issuer):
    """The browser was told to come again, and finds its callback taken. No other browser may see the release code."""
    gateway = start(on_a_bad_disk)
    for _ in range(3):
        pending = begin(gateway, CODE)
        callback = authorize(pending.authorization_url)
        gateway.disk.set(is_stalled=1)
        answers = [gateway.browse(callback)]
        assert answers[0].status == 503
        gateway.disk.set()

        def is_taken():
            answers.append(gateway.browse(callback))
            return answers[-1].status == 303

        eventually(is_taken, what="the disk")
        cookie = [answer.header("Set-Cookie") for answer in answers if answer.header("Set-Cookie")][-1].split(";")[0]
        page = gateway.browse(gateway.url(answers[-1].header("Location")), headers={"Cookie": cookie}).text
        code = re.search(r'id="release-code"[^>]*>([^<]+)<', page)
        assert code, page
        assert release(pending, code=code[1]).status == 204
        assert outcome(pending)["status"] == "completed"
        assert issuer.times_redeemed(code_of(callback)) == 1


@pytest.mark.parametrize("is_followed", [False, True], ids=["that nobody asks about", "that its app asks for again"])
def test_an_end_that_the_disk_takes_late_is_told(start, is_followed):
    gateway = start(on_a_bad_disk)
    pending = begin(gateway, NONE)
    gateway.disk.set(is_stalled=1)
    assert is_out(pending.delete())
    gateway.disk.set()
    if is_followed:
        eventually(lambda: pending.delete().status == 204, what="the disk")

    def told():
        return [line.split("event=")[1].split()[0] for line in gateway.output().splitlines()
                if f"reference={pending.reference}" in line]

    eventually(lambda: "canceled" in told(), what="the end")
    assert gateway.stop() == 0 and told() == ["begun", "canceled"]


def lines_of(gateway, pending):
    """The log's lines of a sign-in."""
    return [line.split("event=")[1].split()[0] for line in gateway.output().splitlines()
            if f"reference={pending.reference}" in line]


@pytest.mark.parametrize(("policy", "told"), [
    (NONE, ["begun", "refused", "accepted", "completed"]), (CODE, ["begun", "refused", "accepted", "held"]),
], ids=["of a claim", "of a held code"])
def test_the_events_after_a_callback_that_the_disk_takes_late_are_told_in_order(start, policy, told):
    gateway = start(on_a_bad_disk)
    pending = begin(gateway, policy)
    callback = authorize(pending.authorization_url)
    gateway.disk.set(is_stalled=1)
    assert gateway.browse(callback).status == 503
    gateway.disk.set()
    eventually(lambda: told[-1] in lines_of(gateway, pending), what="the last of it")
    assert lines_of(gateway, pending)[:len(told)] == told


def test_a_begin_that_the_disk_takes_late_is_in_nobodys_way(start):
    gateway = start(on_a_bad_disk)
    api, own = gateway.api(), {"completion": "response", "state": "an-own-state-" + "x" * 30}
    gateway.disk.set(is_stalled=1)
    assert is_out(api.begin_reply(NONE, **own))
    gateway.disk.set()
    reply = eventually(lambda: (reply := api.begin_reply(NONE, **own)).status != 503 and reply, what="the disk")
    assert reply.status == 201, reply.body
    gateway.disk.set(is_stalled=1)
    assert is_out(api.begin_reply(NONE))
    gateway.disk.set()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="the disk")
    eventually(lambda: gateway.admin("/readyz").json["kept_requests"] == 1, what="room")
    assert Pending(api, reply.json).poll().json == {"status": "pending"}


def test_a_claim_that_the_disk_takes_late_is_gone_on_with_by_a_gateway_that_stops(start, issuer):
    """Its code was not sent yet, and only this gateway knows that."""
    gateway = start(on_a_bad_disk)
    pending = begin(gateway, NONE)
    callback = authorize(pending.authorization_url)
    gateway.disk.set(is_stalled=1)
    assert gateway.browse(callback).status == 503
    gateway.signal(signal.SIGTERM)
    eventually(lambda: "event=stopping" in gateway.output(), what="the stop")
    gateway.disk.set()
    assert gateway.process.wait(30) == 0
    gateway.start()
    assert outcome(pending)["status"] == "completed"
    assert issuer.times_redeemed(code_of(callback)) == 1


def test_an_end_by_time_that_the_disk_takes_late_is_told(start):
    def in_a_hurry(gateway):
        on_a_bad_disk(gateway)
        gateway.configuration["limits"] |= {"request_lifetime": "2s"}

    gateway = start(in_a_hurry)
    pending = begin(gateway, NONE)
    gateway.disk.set(is_stalled=1)
    eventually(lambda: not_ready(gateway), what="the disk being missed")
    # The caller has given up by then.
    time.sleep(2)
    gateway.disk.set()
    eventually(lambda: "expired" in lines_of(gateway, pending), what="the end")
    time.sleep(2)
    assert lines_of(gateway, pending) == ["begun", "expired"]


def test_a_callback_that_the_disk_takes_late_reaches_an_app_that_listens_on_its_browsers_machine(start):
    """The browser was told to come again, and is sent on then; once only, and no other one."""
    def with_a_local_app(gateway):
        on_a_bad_disk(gateway)
        local = gateway.app("local", "Contoso Local", client_id="local", handler="loopback")
        del local["release"]
        gateway.configuration["apps"].append(local)

    gateway, app = start(with_a_local_app), LocalApp()
    pending = app.begin(gateway, "local", demo="auto")
    callback = authorize(pending.authorization_url)
    cookie, answers = None, []

    def bring(**headers):
        nonlocal cookie
        answers.append(gateway.browse(callback, headers=headers | ({"Cookie": cookie} if cookie else {})))
        if value := answers[-1].header("Set-Cookie"):
            cookie = value.split(";")[0]
        return answers[-1]

    gateway.disk.set(is_stalled=1)
    # The second try must not make it forget what it had of the first one.
    assert [bring().status for _ in range(2)] == [503, 503]
    gateway.disk.set()
    eventually(lambda: pending.poll().json.get("handed_over") == "loopback", what="the disk")
    assert gateway.browse(callback).header("Location") == f"/done/{pending.reference}", "another browser"
    there = f"http://127.0.0.1:{app.port}/local/auth?{urlsplit(callback).query}"
    assert (bring().status, answers[-1].header("Location")) == (303, there)
    assert bring().header("Location") == f"/done/{pending.reference}"
    assert lines_of(gateway, pending)[:4] == ["begun", "refused", "refused", "accepted"]
    app.close()


@pytest.mark.parametrize("ill", [{"is_stalled": 1}, {"sync_error": errno.EIO}], ids=["stands still", "fails to sync"])
def test_a_gateway_can_be_stopped_while_its_disk_is_away_and_loses_nothing_by_it(start, issuer, ill):
    def in_a_hurry(gateway):
        on_a_bad_disk(gateway)
        gateway.configuration["stop_timeout"] = "1s"

    gateway = start(in_a_hurry)
    sign_ins = SignIns(gateway, issuer)
    gateway.disk.set(**ill)
    assert is_out(sign_ins.api.begin_reply(NONE))
    assert gateway.stop() == 0
    told = [line for line in gateway.output().splitlines() if "event=store_not_closed" in line]
    if "is_stalled" in ill:
        assert len(told) == 1 and "does not answer" in told[0] and "is not known" in told[0]
    else:
        assert told == []
    gateway.disk.set()
    gateway.start()
    sign_ins.all_end_well()


def test_a_stop_waits_for_a_disk_that_is_slow_and_what_was_acknowledged_is_there(start):
    def on_a_slow_disk(gateway):
        gateway.disk = Disk(gateway.folder, database="requests.db-wal")
        gateway.environment = gateway.disk.environment

    gateway = start(on_a_slow_disk)
    api, writes = gateway.api(), 1000
    gateway.disk.set(is_stalled=1, failing_write=writes)
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(api.begin_reply, NONE)
        eventually(lambda: gateway.disk.get("failing_write") < writes, what="the writer waiting for the disk")
        gateway.signal(signal.SIGTERM)
        eventually(lambda: "event=stopping" in gateway.output(), what="the stop")
        gateway.disk.set()
        reply = begun.result(30)
    assert reply.status == 201, reply.body
    assert gateway.stop() == 0
    assert "event=store_not_closed" not in gateway.output()
    gateway.start()
    assert Pending(api, reply.json).poll().json == {"status": "pending"}


HOLD = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_database_that_another_process_holds_loses_nothing(start, issuer):
    gateway = start()
    sign_ins = SignIns(gateway, issuer)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, gateway.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        sign_ins.are_refused("holds it")
        other.stdin.close()
    sign_ins.all_end_well()


@pytest.mark.parametrize("is_replaced", [False, True], ids=["moved away", "replaced by another"])
def test_a_database_that_was_moved_away_is_never_made_anew_behind_everybodys_back(start, issuer, is_replaced):
    gateway = start()
    sign_ins = SignIns(gateway, issuer)
    aside = gateway.store / "aside.db"
    gateway.database.rename(aside)
    if is_replaced:
        with contextlib.closing(sqlite3.connect(gateway.database)) as other:
            other.execute("CREATE TABLE other (x)")
    kept = gateway.database.read_bytes() if is_replaced else None
    sign_ins.are_refused("stands in its place" if is_replaced else "put it back")
    assert gateway.database.exists() == is_replaced
    if is_replaced:
        assert gateway.database.read_bytes() == kept
    aside.rename(gateway.database)
    sign_ins.all_end_well()
    # The steps that were answered since are in that file.
    after = gateway.api().begin(NONE)
    gateway.kill()
    gateway.start()
    assert after.poll().json == {"status": "pending"}


def test_a_database_that_is_deleted_while_something_else_is_wrong_is_not_made_anew_either(start, issuer):
    gateway = start(on_a_bad_disk)
    sign_ins = SignIns(gateway, issuer)
    gateway.disk.set(write_error=errno.EIO)
    sign_ins.are_refused("I/O error")
    aside = gateway.store / "aside.db"
    gateway.database.rename(aside)
    gateway.disk.set()
    sign_ins.are_refused("I/O error", "put it back")
    assert not gateway.database.exists()
    aside.rename(gateway.database)
    sign_ins.all_end_well()


def test_a_deleted_log_of_the_database_costs_nothing_that_was_answered(start, issuer):
    gateway = start()
    sign_ins = SignIns(gateway, issuer)
    (gateway.store / "requests.db-wal").unlink()
    after = gateway.api().begin(NONE)
    gateway.kill()
    gateway.start()
    assert after.poll().json == {"status": "pending"}
    sign_ins.all_end_well()


@needs_mounts
def test_a_disk_that_is_read_only_at_the_start_is_said_and_tried_on(start, issuer):
    def on_a_disk_that_cannot_be_written(gateway):
        gateway.disk = SmallDisk(gateway.store, is_read_only=True)
        gateway.prefix = gateway.disk.prefix

    gateway = start(on_a_disk_that_cannot_be_written, is_well=False)
    assert is_out(gateway.api().begin_reply(NONE))
    told = eventually(lambda: not_ready(gateway), what="the reason")
    assert "Read-only" in told.json["reasons"][0]
    gateway.disk.make_writable(gateway.process)
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")
    SignIns(gateway, issuer).all_end_well()


def spoil_page(path):
    """The root of the table of requests."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)


def change(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()


@pytest.mark.parametrize(("spoil", "words"), [
    (spoil_page, "malformed"),
    (lambda path: path.write_bytes(b"no database, but long enough to be one " * 30), "not a database"),
    (lambda path: change(path, "PRAGMA user_version = 99"), "newer version"),
    (lambda path: change(path, "PRAGMA application_id = 7"), "another program"),
    (lambda path: change(path, "UPDATE requests SET record = x'0102'"), "cannot be read"),
], ids=["corrupt", "no database", "of a newer version", "another program's", "an unreadable request"])
def test_a_spoiled_database_is_left_alone_and_taken_once_it_is_restored(start, spoil, words):
    gateway = start()
    pending = gateway.api().begin(NONE)
    gateway.stop()
    # The last process that closes a database merges its log.
    change(gateway.database, "PRAGMA user_version")
    good = gateway.database.read_bytes()
    spoil(gateway.database)
    bad = gateway.database.read_bytes()
    gateway._is_ready = lambda: is_alive(gateway)
    gateway.start()
    # The operator's door is open before the others are.
    eventually(lambda: words in "".join(gateway.admin("/readyz").json.get("reasons", [])), what="the reason")
    assert is_out(gateway.api().begin_reply(NONE)) and is_out(pending.poll())
    assert gateway.database.read_bytes() == bad
    restored = gateway.store / "restored.db"
    restored.write_bytes(good)
    restored.chmod(0o600)
    restored.replace(gateway.database)
    eventually(lambda: gateway.admin("/readyz").status == 200, what="recovery")
    assert pending.poll().json == {"status": "pending"}
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_two_users_never_share_a_database(start):
    """The second user cannot open the first one's file. A gateway also refuses a file of another owner, who could read it."""
    gateway = start()
    pending = gateway.api().begin(NONE)
    gateway.stop()
    stranger = 65534
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o1777)
        for file in gateway.store.iterdir():
            kept = shutil.copy2(file, folder)
            assert subprocess.run(["cat", kept], user=stranger, capture_output=True).returncode != 0, file
    os.chown(gateway.database, stranger, -1)
    gateway._is_ready = lambda: is_alive(gateway)
    gateway.start()
    told = eventually(lambda: not_ready(gateway), what="the reason")
    assert f"belongs to user {stranger}" in told.json["reasons"][0]
    assert is_out(pending.poll())
    os.chown(gateway.database, 0, -1)
    eventually(lambda: gateway.admin("/readyz").status == 200, what="recovery")
    assert pending.poll().json == {"status": "pending"}


def test_a_lock_that_was_deleted_lets_no_second_gateway_in(start, issuer):
    gateway = start()
    pending = gateway.api().begin(NONE)
    (gateway.store / "requests.db.lock").unlink()
    second = start(lambda second: second.configuration.update(store=f"sqlite:{gateway.database}"), is_well=False)
    told = eventually(lambda: not_ready(second), what="the reason")
    assert "another gateway uses it" in told.json["reasons"][0]
    assert is_out(second.api().begin_reply(NONE))
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
