"""A gateway that another process may replace (SIGUSR2)."""

import contextlib
import os
import re
import signal

from harness.programs import SWITCHYARD, Program, eventually


def alive(process):
    try:
        return open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def parent_of(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


class Upgradable:
    """Mixed into a gateway. It runs a copy of the program, which a test may replace; the pid file names the serving process."""

    def make_upgradable(self):
        self.program, self.pid = self.folder / "switchyard", self.folder / "switchyard.pid"
        self.program.symlink_to(SWITCHYARD)
        environment = getattr(self, "environment", {})
        Program.__init__(
            self, self.log, "serve", "--config", self.file, "--pid-file", self.pid, program=self.program)
        self.environment = environment

    def _is_ready(self):
        return super()._is_ready() and self.serving == self.process.pid

    @property
    def serving(self):
        """Its process; 0 between two."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            return int(self.pid.read_text().split()[0])
        return 0

    @property
    def is_alive(self):
        self.process.poll()
        return alive(self.serving)

    def signal(self, number):
        os.kill(self.serving, number)

    def begin_upgrade(self):
        """Returns the process that is asked to give way."""
        old = self.serving
        os.kill(old, signal.SIGUSR2)
        return old

    def begun(self, length):
        """The successor that the log names after `length`; None before that."""
        begun = re.search(r"event=upgrade_begun .*?process=(\d+)", self.output()[length:])
        return int(begun[1]) if begun else None

    def upgrade(self):
        """Has another process take over; returns it."""
        old = self.begin_upgrade()
        eventually(lambda: self.serving not in (0, old) and not self.lives(old), what="the other process")
        return self.serving

    def refused(self, length):
        """Tries an upgrade that fails, and returns the reason."""
        self.begin_upgrade()
        return self.refusal(length)

    def refusal(self, length):
        return eventually(lambda: re.search(r"event=upgrade_refused reason=(.*)", self.output()[length:]),
                          what="a word in the log")[1]

    def lives(self, process):
        self.process.poll()
        return alive(process)

    def wait_for_end(self, process, seconds=60):
        eventually(lambda: not self.lives(process), seconds, what="the end")

    def _end(self, number):
        if self.process is None:
            return
        if (process := self.serving) and self.lives(process):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
            self.wait_for_end(process)

    def stop(self):
        self._end(signal.SIGTERM)
        return super().stop()

    def kill(self):
        self._end(signal.SIGKILL)
        super().kill()
