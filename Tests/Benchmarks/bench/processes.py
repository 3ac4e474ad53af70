"""A server under test: started on a core of its own, and what it has cost so far."""

import os
import resource
import socket
import subprocess
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def raise_open_files():
    """Thousands of connections need as many descriptors, here and in every program that is started from here."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A program with all its processes. Its output goes to `log`, and by default is dropped."""

    def __init__(self, name, command, core, log=os.devnull, environment=None):
        self.name = name
        self.process = None
        self._command = ["taskset", "-c", str(core), *map(str, command)]
        self._log = log
        self._environment = environment

    def __enter__(self):
        with open(self._log, "ab") as output:
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self._environment)
        try:
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def is_ready(self):
        raise NotImplementedError

    def wait_until_ready(self, seconds=60):
        end = time.monotonic() + seconds
        while not self.is_ready():
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} ended at once with status {self.process.returncode}")
            if time.monotonic() > end:
                raise SystemExit(f"{self.name} was not ready within {seconds} s")
            time.sleep(0.005)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu_seconds(self):
        """User and system time of all its processes since they started."""
        return sum(self._ticks(pid) for pid in self._pids()) / TICKS

    def memory_bytes(self):
        """The proportional set size of all its processes."""
        return sum(self._pss_kib(pid) for pid in self._pids()) * 1024

    def _pids(self):
        found = [self.process.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        return found

    @staticmethod
    def _ticks(pid):
        # The second field, the name, may hold anything; what follows its last parenthesis is plain.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    @staticmethod
    def _pss_kib(pid):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
        raise RuntimeError("smaps_rollup shows no Pss")


def accepts(port):
    """Whether somebody listens on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
