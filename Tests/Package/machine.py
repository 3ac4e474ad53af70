"""A clean system that boots with its own systemd, shut off from this machine: the place where a package is installed."""

import contextlib
import os
import pty
import shutil
import subprocess
import threading
import time
from pathlib import Path

from systems import WORK, clean_tree

ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root",
}


class Machine:
    def __init__(self, system, name="machine"):
        self.system, name = system, f"{name}-{system}"
        self.tree = WORK / name
        self._cgroup = Path("/sys/fs/cgroup/unified" if Path("/sys/fs/cgroup/unified").exists() else "/sys/fs/cgroup")
        self._cgroup /= f"switchyard-{os.getpid()}-{name}"

    def boot(self):
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        subprocess.run(["tar", "-xf", clean_tree(self.system), "--numeric-owner", "-C", self.tree], check=True)
        self._cgroup.mkdir()
        terminal, console = pty.openpty()
        self._unshare = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child",
             "--propagation", "private", Path(__file__).with_name("boot"), self.tree, os.ttyname(console)],
            stdin=console, stdout=console, stderr=console, start_new_session=True,
            preexec_fn=lambda: (self._cgroup / "cgroup.procs").write_text("0"))
        os.close(console)
        threading.Thread(target=self._log, args=(terminal,), daemon=True).start()
        self.eventually(lambda: self._first_process() is not None, "a first process")
        self.eventually(
            lambda: self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"),
            "a booted machine")
        self.run("hostname", "switchyard-package-test")

    def _log(self, terminal):
        with open(WORK / f"{self.tree.name}.console.log", "wb") as log, contextlib.suppress(OSError):
            while said := os.read(terminal, 4096):
                log.write(said)
                log.flush()

    def _first_process(self):
        with contextlib.suppress(OSError, IndexError):
            return int(Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children").read_text().split()[0])
        return None

    def run(self, *command, check=True, user=None, online=False, **more):
        """Runs something inside; `online` with this machine's network, as for apt."""
        spaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd"] + ([] if online else ["--net"])
        if user:
            command = ("runuser", "-u", user, "--", *command)
        done = subprocess.run(
            ["nsenter", f"--target={self._first_process()}", *spaces, "--", *map(str, command)], env=ENVIRONMENT,
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, **more)
        if check and done.returncode != 0:
            journal = self.run("journalctl", "--unit=switchyard", "--lines=30", "--output=cat", check=False).stdout
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}\n{journal}")
        return done

    def install(self, package):
        """As an administrator does, with whatever it depends on from Debian; an edited conffile is kept."""
        shutil.copy(package, self.tree / "root" / package.name)
        shutil.copy("/etc/resolv.conf", self.tree / "etc" / "resolv.conf")
        self.run("apt-get", "update", "-q", online=True)
        return self.run(
            "apt-get", "install", "-q", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold",
            f"/root/{package.name}", online=True)

    def path(self, path):
        """A file of the running machine, seen from here."""
        return Path(f"/proc/{self._first_process()}/root{path}")

    def eventually(self, holds, what, seconds=90):
        end = time.monotonic() + seconds
        while not holds():
            assert self._unshare.poll() is None, f"the machine ended; see {WORK}/{self.tree.name}.console.log"
            assert time.monotonic() < end, f"there was never {what}"
            time.sleep(0.2)

    def halt(self):
        """Kills the first process, and with it all of its kind."""
        self._unshare.kill()
        self._unshare.wait()
        for _ in range(50):
            for folder in sorted(self._cgroup.rglob("*/"), reverse=True) + [self._cgroup]:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            if not self._cgroup.exists():
                break
            time.sleep(0.1)
        shutil.rmtree(self.tree, ignore_errors=True)
