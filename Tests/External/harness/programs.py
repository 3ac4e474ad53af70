"""The programs under test: where they are, and how one is started, watched and stopped."""

import errno
import os
import random
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CERTIFICATES = ROOT / "certs" / "dev"
# Only tests build it, so there is one of it, whichever `switchyard` is tested.
TEST_ISSUER = Path(os.environ.get("TEST_ISSUER_BIN", ROOT / ".build" / "debug" / "test-issuer")).resolve()
SWITCHYARD = Path(os.environ.get("SWITCHYARD_BIN", ROOT / ".build" / "debug" / "switchyard")).resolve()


_given = set()


def _ports_for_listeners():
    """Below those that the kernel gives to connections that go out, of which a run makes thousands.

    Each worker of a run has a share of its own: between the choice of a port and its use, another must not choose it. A program that
    runs beside them has the ports that `TEST_PORTS` names, such as 10000-12000."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    first, end = (12_000, lowest) if lowest > 14_000 else (12_000, 65_000)
    if "TEST_PORTS" in os.environ:
        first, end = map(int, os.environ["TEST_PORTS"].split("-"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = max(int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")), worker + 1)
    share = (end - first) // workers
    return first + worker * share, first + (worker + 1) * share


def free_port():
    """A free loopback port, which no other program of this run was given."""
    while True:
        port = random.randrange(*_ports_for_listeners())
        if port in _given:
            continue
        try:
            for address in ("127.0.0.1", "::1"):
                with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
                    probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            if error.errno != errno.EADDRNOTAVAIL:  # no IPv6 here
                raise
        _given.add(port)
        return port


def eventually(condition, seconds=60, what="the condition", pause=0.005):
    """Waits until `condition()` is true and returns what it returned. The first pause between two looks is the shortest."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(pause)
        pause = max(pause, min(pause * 1.5, 0.05))
    raise AssertionError(f"{what} did not become true within {seconds} s")


def run(*arguments, env=None):
    """Runs one `switchyard` command to its end."""
    return subprocess.run(
        [str(SWITCHYARD), *map(str, arguments)],
        capture_output=True, text=True, timeout=60, cwd=ROOT, env=os.environ | (env or {}),
    )


class Program:
    """A `switchyard` command, or another program, that keeps running, with everything it says in a file."""

    def __init__(self, log, *arguments, program=SWITCHYARD):
        self.log = Path(log)
        self._arguments = [str(program), *map(str, arguments)]
        self.process = None
        # A descriptor in the place of the file, for a test that looks at how it is written.
        self.errors = None
        # The command in front of the program, and its environment.
        self.prefix, self.environment = [], {}

    def launch(self, is_ready):
        self.process = self._begin()
        try:
            eventually(lambda: self._has_died() or is_ready(), what=f"{' '.join(self._arguments[:2])} being ready")
        except AssertionError:
            self.kill()
            raise
        if self._has_died():
            raise AssertionError(f"{' '.join(self._arguments)} ended:\n{self.output()}")

    def _begin(self):
        with self.log.open("ab") as output:
            return subprocess.Popen(
                [*self.prefix, *self._arguments], stdout=output, stderr=self.errors or output, cwd=ROOT,
                env=os.environ | self.environment)

    def signal(self, number):
        self.process.send_signal(number)

    @property
    def serving(self):
        """Its process."""
        return self.process.pid

    def wait_for_end(self, process, seconds=60):
        self.process.wait(seconds)

    def output(self):
        return self.log.read_text(errors="replace")

    def stop(self):
        """Ends the program as an operator would, and returns its exit status."""
        if self.process is None:
            return None
        if not self._has_died():
            self.process.terminate()
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self):
        self.process.kill()
        self.process.wait()

    def _has_died(self):
        return self.process.poll() is not None
