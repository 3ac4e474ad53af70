"""A gateway as a service manager runs it: what it tells, the sockets that it is given, the units that are shipped."""

import contextlib
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading

import pytest
import yaml

from harness.api import Api
from harness.gateway import Gateway
from harness.programs import ROOT, SWITCHYARD, Program, eventually, free_port, run
from harness.upgradable import parent_of
from test_upgrade import DYING, UpgradableGateway, replace

APP = "com.contoso.app1"


class Manager:
    """The notification socket of a service manager."""

    def __init__(self, folder):
        # The messages with their senders, a line each.
        self.path, self.said = folder / "notify", []
        # The parent of each process that was named as the main one, when it was.
        self.parents = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(str(self.path))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with contextlib.suppress(OSError):
            while True:
                message, ancillary, _, _ = self._socket.recvmsg(8192, socket.CMSG_SPACE(12))
                sender = struct.unpack("3i", ancillary[0][2])[0]
                for named in re.findall(r"^MAINPID=(\d+)$", message.decode(), re.M):
                    self.parents[int(named)] = parent_of(named)
                self.said += [(sender, line) for line in message.decode().splitlines()]

    def lines(self):
        return [line for _, line in list(self.said)]

    def waits_for(self, line, after=0):
        eventually(lambda: any(re.fullmatch(line, said) for said in self.lines()[after:]), what=line)


@pytest.fixture
def manager(tmp_path, monkeypatch):
    manager = Manager(tmp_path)
    monkeypatch.setenv("NOTIFY_SOCKET", str(manager.path))
    return manager


def test_the_manager_hears_of_readiness_reloads_and_the_end(start_gateway, manager):
    gateway = start_gateway()
    manager.waits_for("READY=1")
    manager.waits_for("STATUS=serving 3 apps of 1 issuer")
    known = len(manager.lines())
    gateway.configuration["apps"].append(gateway.app("new", "New", client_id="new"))
    gateway.write()
    assert run("reload", "--config", gateway.file).returncode == 0
    manager.waits_for("STATUS=serving 4 apps of 1 issuer", after=known)
    told = manager.lines()[known:]
    assert told[0] == "RELOADING=1" and re.fullmatch(r"MONOTONIC_USEC=\d+", told[1])
    assert told[2:] == ["READY=1", "STATUS=serving 4 apps of 1 issuer"]
    known = len(manager.lines())
    gateway.configuration["listen"].pop(0)
    gateway.write()
    assert run("reload", "--config", gateway.file).returncode == 2
    manager.waits_for("STATUS=.*the last reload was refused: listeners cannot be .*", after=known)
    gateway.stop()
    manager.waits_for("STOPPING=1")


def test_readiness_is_told_once_the_store_was_tried_and_every_listener_is_open(run_folder, issuer, manager):
    """Also when the store is out: then requests are answered 503, and the gateway tries on."""
    gateway = Gateway(run_folder, issuer.base, store=f"sqlite:{run_folder}/nowhere/requests.db")
    gateway._is_ready = lambda: "READY=1" in manager.lines()
    gateway.start()
    try:
        assert gateway.api().begin_reply(APP).status == 503
        assert gateway.admin("/readyz").status == 503
        assert gateway.local_api().begin_reply(APP).status == 503
    finally:
        gateway.stop()


def test_the_watchdog_is_fed_while_the_loops_go_round_and_not_when_they_stand(start_gateway, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "600000")
    gateway = start_gateway()
    manager.waits_for("WATCHDOG=1")
    # All loops, this time; one of them alone is looked at in LifecycleTests.
    gateway.process.send_signal(19)
    known = len(manager.lines())
    before = manager.lines().count("WATCHDOG=1")
    gateway.process.send_signal(18)
    eventually(lambda: manager.lines()[known:].count("WATCHDOG=1") > 2, what="being fed again")
    assert before >= 1


def test_a_watchdog_of_another_process_is_left_alone(start_gateway, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "100000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    gateway = start_gateway()
    gateway.stop()
    assert "READY=1" in manager.lines() and "WATCHDOG=1" not in manager.lines()


def of_process(manager, process, after):
    """Its messages since then, in order; the kernel names the sender."""
    return [line for sender, line in manager.said[after:] if sender == process]


def test_at_an_upgrade_the_manager_hears_who_the_service_is_before_that_one_speaks(run_folder, issuer, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    gateway = UpgradableGateway(run_folder, issuer.base)
    gateway.start()
    try:
        old = gateway.serving
        known = len(manager.said)
        new = gateway.upgrade()
        eventually(lambda: "READY=1" in of_process(manager, new, known), what="its readiness")
        said = manager.said[known:]
        named = said.index((old, f"MAINPID={new}"))
        # A manager with NotifyAccess=main listens only to the main process.
        assert named < said.index((new, "READY=1"))
        assert not [line for sender, line in said[:named] if sender == new]
        assert "STOPPING=1" not in of_process(manager, old, known), "the service goes on"
    finally:
        gateway.stop()
    manager.waits_for("STOPPING=1", after=known)


def test_the_manager_is_told_of_a_process_that_is_nobody_elses_child_and_stops_it_like_the_first_one(run_folder, issuer, manager):
    """A manager waits for its own children only, and kills any other process at once."""
    gateway = UpgradableGateway(run_folder, issuer.base)
    gateway.start()
    try:
        old = gateway.serving
        new = gateway.upgrade()
        assert manager.parents[new] != old
        waits, answers = [gateway.api().begin(APP) for _ in range(10)], []
        apps = [threading.Thread(target=lambda wait=wait: answers.append(wait.poll(wait=60))) for wait in waits]
        for app in apps:
            app.start()
        eventually(lambda: gateway.admin("/v1/status").json["waiting_apps"] == len(apps), what="the apps that wait")
        length = len(gateway.output())
        gateway.stop()
        for app in apps:
            app.join(30)
        assert [(answer.status, answer.header("Retry-After")) for answer in answers] == [(202, "0")] * len(apps)
        assert re.findall(r"event=(stopp\w+)", gateway.output()[length:]) == ["stopping", "stopped"]
    finally:
        gateway.stop()


def test_an_upgrade_that_comes_to_nothing_leaves_the_service_with_its_process(run_folder, issuer, manager):
    gateway = UpgradableGateway(run_folder, issuer.base)
    gateway.start()
    try:
        old, known, length = gateway.serving, len(manager.said), len(gateway.output())
        # It says that it serves, and is killed.
        replace(gateway, DYING.format(python=sys.executable, first=3, database="", step="ready"))
        gateway.refused(length)
        manager.waits_for(f"MAINPID={old}", after=known)
        told = [line for _, line in manager.said[known:] if line.startswith("MAINPID=")]
        assert len(told) == 2 and told[1] == f"MAINPID={old}"
    finally:
        gateway.stop()


# MARK: sockets

LAUNCHER = """
import os, socket, sys
sockets = []
for address in sys.argv[1].split(","):
    if address.startswith("/"):
        made = socket.socket(socket.AF_UNIX)
        made.bind(address)
    elif address.startswith("datagram:"):
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind(("127.0.0.1", int(address.removeprefix("datagram:"))))
    else:
        host, port = address.rsplit(":", 1)
        made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, int(port)))
    if made.type == socket.SOCK_STREAM:
        made.listen(128)
    sockets.append(made)
copies = [os.dup(made.fileno()) for made in sockets]
copies = [os.dup2(copy, 40 + number) for number, copy in enumerate(copies)]
for number, copy in enumerate(copies):
    os.dup2(copy, 3 + number, inheritable=True)
os.environ["LISTEN_FDS"], os.environ["LISTEN_PID"] = str(len(copies)), str(os.getpid())
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture
def given(run_folder, issuer, tmp_path):
    """Starts a gateway with sockets that were opened for it, as systemd does."""
    script = tmp_path / "launcher.py"
    script.write_text(LAUNCHER)
    programs = []

    def start(addresses, change=lambda gateway: None, is_ready=None):
        gateway = Gateway(run_folder, issuer.base)
        change(gateway)
        Program.__init__(gateway, gateway.log, script, ",".join(addresses(gateway)), SWITCHYARD, "serve",
                         "--config", gateway.file, program=shutil.which("python3"))
        if is_ready:
            gateway._is_ready = is_ready
        programs.append(gateway)
        return gateway

    yield start
    for program in programs:
        program.stop()


def test_sockets_that_were_opened_before_are_used_and_stay(given):
    """By address, in whatever order; a socket file that is the manager's is not removed."""
    path = None

    def addresses(gateway):
        nonlocal path
        path = gateway.folder / "gateway.sock"
        return [str(path), f"127.0.0.1:{gateway.api_port}"]

    gateway = given(addresses).start()
    made = os.stat(path).st_ino
    assert gateway.local_api().begin_reply(APP).status == 201
    assert gateway.api().begin_reply(APP).status == 201
    assert gateway.browse(gateway.url("/nowhere")).status == 404  # this one it opened itself
    gateway.stop()
    assert os.stat(path).st_ino == made


def test_a_given_socket_that_no_listener_has_is_named(given):
    port = free_port()
    gateway = given(lambda gateway: [f"127.0.0.1:{gateway.api_port}", f"127.0.0.1:{port}"])
    with pytest.raises(AssertionError, match=f"127.0.0.1:{port}.*no listener"):
        gateway.start()


def test_a_given_socket_of_another_kind_is_refused(given):
    gateway = given(lambda gateway: [f"datagram:{free_port()}"])
    with pytest.raises(AssertionError, match="descriptor 3 is no listening stream socket"):
        gateway.start()


def test_a_client_that_connects_before_the_gateway_runs_is_served(run_folder, issuer):
    """With systemd's own program for trying such services."""
    gateway = Gateway(run_folder, issuer.base)
    activate = shutil.which("systemd-socket-activate")
    assert activate, "it comes with the package systemd"
    Program.__init__(
        gateway, gateway.log, "--listen", f"127.0.0.1:{gateway.api_port}", SWITCHYARD, "serve", "--config", gateway.file,
        program=activate)
    gateway.write()
    gateway.launch(lambda: "Listening on" in gateway.output())
    try:
        # The first connection is what starts it.
        assert gateway.api().begin_reply(APP).status == 201
    finally:
        gateway.stop()


# MARK: units

@pytest.mark.parametrize("unit", ["switchyard.service", "switchyard.socket", "switchyard-agent.service", "switchyard-agent.socket"])
def test_the_units_are_right(unit, tmp_path):
    """As they stand, but for the program's path, and for manual pages, which are not installed here. The agent's are of people."""
    name = unit.split(".")[0]
    for file in (f"{name}.service", f"{name}.socket"):
        text = (ROOT / "deploy" / file).read_text()
        (tmp_path / file).write_text(text.replace("/usr/bin/switchyard", str(SWITCHYARD)))
    manager = ["--user"] if name == "switchyard-agent" else []
    told = subprocess.run(
        ["systemd-analyze", *manager, "verify", "--man=no", tmp_path / unit], capture_output=True, text=True,
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)})
    said = [line for line in told.stderr.splitlines() if "switchyard" in line]
    assert told.returncode == 0 and said == [], told.stderr


def test_the_service_is_shut_in(tmp_path):
    """systemd's own measure, in which 10 is worst."""
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=19", ROOT / "deploy" / "switchyard.service"],
        capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-2000:]


def test_the_shipped_sockets_are_listeners_of_the_shipped_configuration():
    """`systemctl enable switchyard.socket` must not keep the package's own configuration from starting."""
    unit = (ROOT / "deploy" / "switchyard.socket").read_text()
    listeners = {
        listener["address"]: listener for listener in
        yaml.safe_load((ROOT / "deploy" / "debian" / "switchyard.yaml").read_text())["listen"]}
    opened = re.findall(r"^ListenStream=(.*)$", unit, re.M)
    assert opened == ["/run/switchyard/switchyard.sock", "/run/switchyard/proxy.sock"]
    [mode] = re.findall(r"^SocketMode=(.*)$", unit, re.M)
    assert {listeners[f"unix:{path}"]["mode"] for path in opened} == {mode}
    assert "RuntimeDirectoryPreserve=yes" in (ROOT / "deploy" / "switchyard.service").read_text()


def test_an_api_on_a_given_socket_knows_its_callers(given):
    """The user at the other end is told by the kernel as on a socket of our own."""
    path = None

    def addresses(gateway):
        nonlocal path
        path = gateway.folder / "gateway.sock"
        return [str(path)]

    def change(gateway):
        gateway.configuration["apps"].append(gateway.app(
            "mine", "Mine", client_id="mine", client_secret="x", begin_from={"uids": [os.geteuid()]}))

    given(addresses, change).start()
    assert Api(f"unix:{path}").begin_reply("com.contoso.mine").status == 201
