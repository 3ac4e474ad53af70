"""A desktop session for one test: a session bus of its own, and a real gnome-keyring on it; and storages in processes."""

import json
import os
import subprocess
from pathlib import Path

from harness.programs import ROOT, eventually

PROBE = Path(os.environ.get("STORAGE_PROBE_BIN", ROOT / ".build" / "debug" / "storage-probe")).resolve()

# No service folders, so the bus starts no program by itself.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="false"/><allow own="*"/></policy>{policies}</busconfig>
"""


def without_libsecret(folder):
    """An environment in which the loader finds an empty libsecret."""
    folder.mkdir()
    (folder / "libsecret-1.so.0").write_text("no library")
    return {"LD_LIBRARY_PATH": str(folder)}


class Desktop:
    """A home of its own, with or without a bus, with or without a keyring."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in ("home", "runtime", "bus"):
            (self.folder / name).mkdir(mode=0o700)
        self.state = self.folder / "home" / ".local" / "state" / "switchyard" / "tokens"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus/socket",
        }
        self.bus = self.daemon = self.notices = None
        self._probes = []

    def start_bus(self, policies=""):
        configuration = self.folder / "bus" / "bus.conf"
        configuration.write_text(BUS.format(socket=self.folder / "bus" / "socket", policies=policies))
        self.bus = self._start("dbus-daemon", "--nofork", f"--config-file={configuration}")
        eventually(lambda: (self.folder / "bus" / "socket").exists(), what="the session bus")
        return self

    def start_keyring(self, password="open sesame"):
        """`password` unlocks the keyring, or makes it; None leaves it unchanged."""
        more = [] if password is None else ["--unlock"]
        self.daemon = self._start("gnome-keyring-daemon", "--foreground", "--components=secrets", *more)
        if password is not None:
            self.daemon.stdin.write(password.encode())
        self.daemon.stdin.close()
        eventually(lambda: self.owner("org.freedesktop.secrets"), what="the Secret Service")
        return self

    def start_failing_keyring(self, how, method):
        """A stand-in that ends or hangs at the first call of ``method``."""
        program = Path(__file__).parent / "secret_service.py"
        self.daemon = self._start("/usr/bin/python3", program, how, method)
        eventually(lambda: self.owner("org.freedesktop.secrets"), what="the Secret Service")
        return self

    def start_notices(self):
        """A notification service: ``shown`` has the notifications."""
        self.notices = self._start("/usr/bin/python3", Path(__file__).parent / "notices.py", self.folder / "notices")
        eventually(lambda: self.owner("org.freedesktop.Notifications"), what="notifications")
        return self

    @property
    def shown(self):
        file = self.folder / "notices"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def owner(self, name):
        return self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", name).strip() == "(true,)"

    def call(self, destination, path, method, *arguments):
        return subprocess.run(
            ["gdbus", "call", "--session", "--dest", destination, "--object-path", path, "--method", method, *arguments],
            env=self.environment, capture_output=True, text=True, timeout=30).stdout

    def items(self, schema):
        """The paths of all items with this schema."""
        found = self.call(
            "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.SearchItems",
            f"{{'xdg:schema': '{schema}'}}")
        return [word.strip("'\",[]()") for word in found.split() if "/collection/" in word]

    def lock(self):
        collection = "/org/freedesktop/secrets/collection/login"
        return self.call(
            "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
            f"['{collection}']")

    def stop_keyring(self):
        self._kill(self.daemon)
        eventually(lambda: not self.owner("org.freedesktop.secrets"), what="the Secret Service being gone")

    def stop_bus(self):
        self._kill(self.bus)
        (self.folder / "bus" / "socket").unlink(missing_ok=True)

    def probe(self, place, name="app", prefix=(), **environment):
        """`prefix` is a command that runs the probe."""
        probe = Probe(place, name, self.environment | environment, prefix)
        self._probes.append(probe)
        return probe

    def close(self):
        for probe in self._probes:
            probe.kill()
        for process in (self.notices, self.daemon, self.bus):
            self._kill(process)

    def _start(self, *command):
        log = (self.folder / f"{Path(command[0]).name}.log").open("ab")
        with log:
            return subprocess.Popen(
                command, env=self.environment, cwd=self.folder, stdin=subprocess.PIPE, stdout=log, stderr=log)

    @staticmethod
    def _kill(process):
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


class Probe:
    """`storage-probe`: a storage in a process of its own, which answers each line with a line."""

    def __init__(self, place, name, environment, prefix=()):
        self.process = subprocess.Popen(
            [*prefix, PROBE, place, name], env=environment, cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.greeting = self.answer()

    def ask(self, *words):
        self.say(*words)
        return self.answer()

    def say(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def answer(self):
        return self.process.stdout.readline().rstrip("\n")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
