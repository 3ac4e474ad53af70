"""An upgrade in place (SIGUSR2) refuses no call and loses no sign-in."""

import contextlib
import os
import shutil
import sys
import signal
import socket
import ssl
import threading
import time

import pytest

from harness.disk import Disk
from harness.gateway import CA, Gateway
from harness.issuer import authorize
from harness.programs import SWITCHYARD, eventually, run
from harness.redis import RedisServer
from harness.upgradable import Upgradable
from test_store_ills import code_of
from test_operation import with_own_certificate, served_certificate

APP = "com.contoso.app1"


class UpgradableGateway(Upgradable, Gateway):
    def __init__(self, folder, issuer, change=None):
        super().__init__(folder, issuer)
        self.database = self.folder / "requests.db"
        self.configuration["store"] = f"sqlite:{self.database}"
        if change:
            change(self)
        self.make_upgradable()


@pytest.fixture
def upgradable(run_folder, issuer):
    programs = []

    def start(change=None):
        programs.append(UpgradableGateway(run_folder, issuer.base, change))
        return programs[-1].start()

    yield start
    for program in programs:
        program.stop()


def finishes(gateway, pending):
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def test_another_process_takes_the_requests_and_the_sockets_over(upgradable):
    gateway = upgradable()
    pending = gateway.api().begin(APP)
    path = gateway.socket.removeprefix("unix:")
    made = os.stat(path).st_ino
    first = gateway.process.pid
    second = gateway.upgrade()
    assert second != first and gateway.process.wait(timeout=30) == 0
    finishes(gateway, pending)
    # And that one can be replaced as well, by which the socket's file stays; it goes with the last.
    assert gateway.upgrade() not in (first, second)
    assert os.stat(path).st_ino == made
    assert gateway.local_api().begin_reply(APP).status == 201
    finishes(gateway, gateway.api().begin(APP))
    gateway.stop()
    assert not os.path.exists(path) and not gateway.pid.exists()


def test_the_program_that_now_stands_there_is_begun(upgradable):
    """Also by a link that was turned, as packages of several versions do."""
    gateway = upgradable()
    script = gateway.folder / "next"
    script.write_text(f"#!/bin/sh\ntouch {gateway.folder}/was-begun\nexec {SWITCHYARD} \"$@\"\n")
    script.chmod(0o755)
    gateway.program.unlink()
    gateway.program.symlink_to(script)
    gateway.upgrade()
    assert (gateway.folder / "was-begun").exists()
    finishes(gateway, gateway.api().begin(APP))


def test_it_reads_the_configuration_as_it_is_now(upgradable):
    gateway = upgradable()
    gateway.configuration["apps"].append(gateway.app("new", "New", client_id="new"))
    removed = gateway.configuration["listen"].pop(2)
    gateway.write()
    gateway.upgrade()
    assert gateway.api().begin_reply("com.contoso.new").status == 201
    assert not os.path.exists(removed["address"].removeprefix("unix:"))


def in_memory(gateway):
    gateway.configuration["store"] = "memory"


def test_requests_in_memory_are_not_thrown_away(upgradable):
    gateway = upgradable(in_memory)
    pending = gateway.api().begin(APP)
    assert "memory" in gateway.refused(len(gateway.output()))
    finishes(gateway, pending)


def replace(gateway, text):
    gateway.program.unlink()
    gateway.program.write_text(text)
    gateway.program.chmod(0o755)


@pytest.mark.parametrize(("spoil", "words"), [
    (lambda gateway: gateway.program.unlink(), "No such file"),
    (lambda gateway: replace(gateway, "#!/bin/sh\nexit 3\n"), "ended"),
    (lambda gateway: gateway.file.write_text("nonsense: true\n"), "nonsense"),
    (lambda gateway: (gateway.configuration["listen"].append({"address": "192.0.2.1:1", "serve": ["callbacks"]}),
                      gateway.write()), "192.0.2.1"),
    (lambda gateway: (gateway.configuration.update(store="memory"), gateway.write()), "the store cannot be changed"),
    (lambda gateway: (gateway.configuration.update(store=f"sqlite:{gateway.folder}/other.db"), gateway.write()),
     "the store cannot be changed"),
], ids=["no program", "a program that ends", "a wrong configuration", "an address that is not ours", "no database",
        "another database"])
def test_where_nothing_comes_of_it_the_old_one_serves_on_and_says_why(upgradable, spoil, words):
    gateway = upgradable()
    pending = gateway.api().begin(APP)
    length = len(gateway.output())
    spoil(gateway)
    assert words in gateway.refused(length)
    assert gateway.serving == gateway.process.pid and gateway.process.poll() is None
    finishes(gateway, pending)


def test_a_reload_that_comes_meanwhile_is_not_forgotten(upgradable):
    gateway = upgradable()
    length = len(gateway.output())
    replace(gateway, "#!/bin/sh\nsleep 2\nexit 3\n")
    gateway.signal(signal.SIGUSR2)
    eventually(lambda: "event=upgrade" in gateway.output()[length:], what="the upgrade's begin")
    gateway.configuration["apps"].append(gateway.app("late", "Late", client_id="late"))
    gateway.write()
    gateway.signal(signal.SIGHUP)
    eventually(lambda: gateway.api().begin_reply("com.contoso.late").status == 201, what="the new app")
    assert "event=reloaded" in gateway.output()[length:]


# A new process that takes its time, and has not written yet that it is the gateway.
SUCCEEDING = """#!{python}
import os, pathlib, signal, socket, time
channel, folder = socket.socket(fileno=3), pathlib.Path({folder!r})
signal.signal(signal.SIGHUP, lambda *_: (folder / "told-to-reload").touch())
(folder / "begun").write_text(str(os.getpid()))
while not (folder / "go-on").exists():
    time.sleep(0.02)
for word in (b"prepared", b"ready"):
    channel.send(word)
    assert channel.recv(100) == b"go"
channel.send(b"taken")
time.sleep(60)
"""


def test_the_new_process_does_the_remaining_work(upgradable):
    """To read the configuration again, which changed after it had; and to write that it is the gateway."""
    gateway = upgradable()
    replace(gateway, SUCCEEDING.format(python=sys.executable, folder=str(gateway.folder)))
    old = gateway.begin_upgrade()
    begun = gateway.folder / "begun"
    new = int(eventually(lambda: begun.exists() and begun.read_text(), what="the new process"))
    try:
        gateway.signal(signal.SIGHUP)
        # Until it has come in.
        time.sleep(0.3)
        (gateway.folder / "go-on").touch()
        eventually((gateway.folder / "told-to-reload").exists, what="the reload being passed on")
        assert gateway.process.wait(timeout=30) == 0
        assert gateway.serving == old, "the file is the new one's to replace"
    finally:
        os.kill(new, signal.SIGKILL)


def test_one_that_dies_with_the_store_in_its_hands_gives_it_back(upgradable):
    """It has read the configuration and was given the database, and then is no more."""
    def behind_a_link(gateway):
        (gateway.folder / "disk").mkdir()
        (gateway.folder / "link").symlink_to("disk")
        gateway.configuration["store"] = f"sqlite:{gateway.folder}/link/requests.db"

    gateway = upgradable(behind_a_link)
    pending = gateway.api().begin(APP)
    length = len(gateway.output())
    # Like a lost disk: no process finds the database by its name.
    link = gateway.folder / "link"
    link.unlink()
    assert "link" in gateway.refused(length)
    link.symlink_to("disk")
    assert gateway.serving == gateway.process.pid and gateway.process.poll() is None
    eventually(lambda: gateway.admin("/readyz").status == 200, what="the database")
    finishes(gateway, pending)
    gateway.upgrade()
    finishes(gateway, gateway.api().begin(APP))


def test_an_app_that_waits_is_told_to_come_again_and_finds_its_result(upgradable):
    gateway = upgradable()
    pending = gateway.api().begin(APP)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(pending.poll(wait=60)))
    waiting.start()
    time.sleep(0.5)  # it shall have reached the gateway
    gateway.upgrade()
    waiting.join(30)
    assert answers[0].status == 202 and answers[0].header("Retry-After") == "0"
    finishes(gateway, pending)


def test_a_code_that_is_being_redeemed_is_redeemed_once(upgradable, issuer):
    gateway = upgradable(lambda gateway: gateway.configuration["limits"].update(issuer_timeout="3s"))
    pending = gateway.api().begin(APP, demo="auto,slow")
    callback = authorize(pending.authorization_url)
    browser = threading.Thread(target=gateway.browse, args=(callback,))
    browser.start()
    code = callback.split("code=")[1].split("&")[0]
    eventually(lambda: issuer.times_redeemed(code) == 1, what="the code on its way")
    gateway.upgrade()
    browser.join(30)
    # The issuer never answers. The process that sent the code must have noted that.
    assert pending.outcome()["error"]["code"] == "network"
    assert issuer.times_redeemed(code) == 1


def test_a_certificate_is_renewed_by_whoever_serves(upgradable, tmp_path):
    gateway = upgradable(with_own_certificate(tmp_path / "tls"))
    gateway.upgrade()
    old = served_certificate(gateway)
    with_own_certificate(tmp_path / "fresh")
    for name in ("server.pem", "server.key"):
        shutil.copy(tmp_path / "fresh" / name, tmp_path / "tls" / name)
    eventually(lambda: served_certificate(gateway) != old, what="the new certificate")
    assert run("reload", "--config", gateway.file, "--pid-file", gateway.pid).returncode == 0


class Load:
    """Clients that sign in, each with its own connections, and check every answer."""

    def __init__(self, gateway, people):
        self.gateway, self.finished, self.faults = gateway, 0, []
        self._ends = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._sign_in_again_and_again) for _ in range(people)]
        self._threads += [threading.Thread(target=self._knock) for _ in range(2)]
        for thread in self._threads:
            thread.start()

    def end(self):
        self._ends.set()
        for thread in self._threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self._threads)

    def _fault(self, what):
        with self._lock:
            self.faults.append(what)

    def _knock(self):
        """Connections only: one that is refused or reset is a fault."""
        context = ssl.create_default_context(cafile=str(CA))
        while not self._ends.is_set():
            try:
                with socket.create_connection(("localhost", self.gateway.api_port), timeout=30) as plain:
                    with context.wrap_socket(plain, server_hostname="localhost") as secure:
                        secure.sendall(b"GET /v1/requests/none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        answer = secure.recv(4096)
                        if not answer.startswith((b"HTTP/1.1 401", b"HTTP/1.1 503", b"HTTP/1.1 404")):
                            self._fault(("knock", answer[:80]))
            except OSError as error:
                self._fault(("knock", repr(error)))

    def _sign_in_again_and_again(self):
        while not self._ends.is_set():
            try:
                self._sign_in()
            except Exception as error:  # whatever it is, the test shall see it
                self._fault(("sign-in", repr(error)))

    def _sign_in(self):
        reply = self._again(lambda: self.gateway.api().begin_reply(APP, extra_parameters={"demo": "auto"}))
        assert reply.status == 201, (reply.status, reply.body)
        from harness.api import Pending
        pending = Pending(self.gateway.api(), reply.json)
        waits = []
        waiting = threading.Thread(target=lambda: waits.append(self._result(pending)))
        waiting.start()
        callback = authorize(pending.authorization_url)
        page = self._again(lambda: self.gateway.browse(callback))
        assert page.status == 303, page.status
        waiting.join(60)
        assert waits and waits[0]["status"] == "completed", waits
        with self._lock:
            self.finished += 1

    def _result(self, pending):
        while True:
            reply = self._again(lambda: pending.poll(wait=30))
            if reply.status == 200:
                return reply.json

    @staticmethod
    def _again(call):
        """Only 503 with Retry-After, which says to come again, is accepted."""
        while True:
            reply = call()
            if reply.status != 503 or reply.header("Retry-After") is None:
                return reply
            time.sleep(0.1)


@pytest.fixture
def redis(run_folder):
    """Gives a gateway a store that it shares."""
    server = RedisServer(run_folder).start()

    def change(gateway):
        gateway.configuration |= {
            "store": f"redis://127.0.0.1:{server.port}/0", "encryption_keys": [{"id": "k1", "key": "5e" * 32}]}

    yield change
    server.kill()


@pytest.mark.parametrize("store", ["sqlite", "redis"])
def test_under_load_nobody_is_refused_and_every_sign_in_is_finished(upgradable, store, request):
    gateway = upgradable(request.getfixturevalue("redis") if store == "redis" else None)
    load = Load(gateway, people=6)
    try:
        for _ in range(3):
            seen = load.finished
            eventually(lambda: load.finished >= seen + 5 or load.faults, what="sign-ins")
            gateway.upgrade()
        seen = load.finished
        eventually(lambda: load.finished >= seen + 5 or load.faults, what="sign-ins")
    finally:
        load.end()
    assert load.faults == []
    assert gateway.output().count("event=upgraded") == 3


# The moments at which the new process is killed (kill -9), by its messages to the old one.
DYING = """#!{python}
import os, signal, socket, sqlite3, sys, time
channel = socket.socket(fileno={first})
database, step = {database!r}, {step!r}
def die():
    os.kill(os.getpid(), signal.SIGKILL)
if step == "at once":
    die()
channel.send(b"prepared")
if step == "prepared":
    die()
assert channel.recv(100) == b"go"
if step == "with the database open":
    import fcntl
    lock = open(database + ".lock", "r+")
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE requests SET record = x'00'")
if step == "ready":
    channel.send(b"ready")
die()
"""


@pytest.mark.parametrize("store", ["sqlite", "redis"])
@pytest.mark.parametrize("step", ["at once", "prepared", "go", "with the database open", "ready"])
def test_a_new_process_that_is_killed_at_any_step_takes_nobodys_sign_in_along(upgradable, issuer, store, step, request):
    if (store, step) == ("redis", "with the database open"):
        pytest.skip("there is none")
    gateway = upgradable(request.getfixturevalue("redis") if store == "redis" else None)
    before = gateway.api().begin(APP)
    callback = authorize(before.authorization_url)
    waits = []
    waiting = threading.Thread(target=lambda: waits.append(Load._again(lambda: before.poll(wait=30))))
    waiting.start()
    length, old = len(gateway.output()), gateway.serving
    replace(gateway, DYING.format(python=sys.executable, first=3, database=str(gateway.database), step=step))
    gateway.begin_upgrade()
    # New connections wait, and the old process serves them.
    assert Load._again(lambda: gateway.api().begin_reply(APP)).status == 201
    assert "ended" in gateway.refusal(length)
    assert gateway.serving == old == gateway.process.pid
    assert gateway.browse(callback).status == 303
    waiting.join(40)
    assert before.outcome()["status"] == "completed"
    assert issuer.times_redeemed(callback.split("code=")[1].split("&")[0]) == 1
    # Time goes on for what is left, every listener is open, and the next new one comes to serve.
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")
    assert gateway.local_api().begin_reply(APP).status == 201
    gateway.program.unlink()
    gateway.program.symlink_to(SWITCHYARD)
    assert gateway.upgrade() != old
    finishes(gateway, gateway.api().begin(APP))


def test_a_store_that_somebody_else_has_meanwhile_is_taken_back_once_it_is_free(upgradable):
    """The new process has left another one behind, which holds the database and outlives it."""
    gateway = upgradable()
    pending = gateway.api().begin(APP)
    length = len(gateway.output())
    release = gateway.folder / "release"
    holder = (f"import fcntl, os, time; lock = open({str(gateway.database) + '.lock'!r}, 'r+'); fcntl.flock(lock, 2)\n"
              f"while not os.path.exists({str(release)!r}): time.sleep(0.05)")
    replace(gateway, DYING.format(python=sys.executable, first=3, database="", step="go").replace(
        '== b"go"', f'== b"go"; import subprocess; subprocess.Popen([sys.executable, "-c", {holder!r}]); time.sleep(1)'))
    gateway.begin_upgrade()
    eventually(lambda: "another gateway" in gateway.output()[length:], what="the holder's name")
    assert gateway.api().begin_reply(APP).status == 503
    release.touch()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="the store")
    finishes(gateway, pending)


def test_a_database_whose_disk_stands_still_stays_where_it_is_and_serves_on_once_it_answers(upgradable):
    def on_a_bad_disk(gateway):
        gateway.disk = Disk(gateway.folder)
        gateway.environment = gateway.disk.environment
        gateway.configuration["stop_timeout"] = "1s"

    gateway = upgradable(on_a_bad_disk)
    pending = gateway.api().begin(APP)
    length, old = len(gateway.output()), gateway.serving
    gateway.disk.set(is_stalled=1)
    assert gateway.api().begin_reply(APP).status == 503
    assert "does not answer" in gateway.refused(length)
    assert gateway.api().begin_reply(APP).status == 503
    assert gateway.serving == old
    gateway.disk.set()
    eventually(lambda: gateway.admin("/readyz").status == 200, what="the store")
    finishes(gateway, pending)
    assert gateway.output()[length:].count("event=upgrade_refused") == 1
    assert gateway.upgrade() != old


def test_a_claim_that_the_disk_takes_late_is_gone_on_with_by_the_process_that_gives_way(upgradable, issuer):
    """Its code was not sent yet, and the other process could only say that it is lost."""
    def on_a_bad_disk(gateway):
        gateway.disk = Disk(gateway.folder)
        gateway.environment = gateway.disk.environment

    gateway = upgradable(on_a_bad_disk)
    pending, length = gateway.api().begin(APP), len(gateway.output())
    callback = authorize(pending.authorization_url)
    issuer.control(token="answer", client="contoso-suite", delay=1500)
    gateway.disk.set(is_stalled=1)
    assert gateway.browse(callback).status == 503
    old = gateway.begin_upgrade()
    # It waits for the disk, then for the issuer.
    time.sleep(1)
    gateway.disk.set()
    eventually(lambda: gateway.serving not in (0, old) and not gateway.lives(old), what="the other process")
    assert "upgrade_refused" not in gateway.output()[length:]
    assert pending.outcome()["status"] == "completed"
    assert issuer.times_redeemed(code_of(callback)) == 1
