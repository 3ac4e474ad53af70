"""A machine that is reached by ssh: a network namespace with a private sshd in it, whose localhost is not this one's.

Its files are this machine's, its home is a folder of the test. The connection is a pipe (ProxyCommand), without a network.
`lend` lets the far machine reach a port here.
"""

import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from pathlib import Path

from harness.programs import ROOT, SWITCHYARD, eventually

RELAY = r"""
import asyncio, sys
async def copy(reader, writer):
    try:
        while piece := await reader.read(65536):
            writer.write(piece); await writer.drain()
    except OSError:
        pass
    writer.close()
async def meet(reader, writer):
    try:
        other, back = await (asyncio.open_unix_connection(target) if target.startswith("/")
                             else asyncio.open_connection("127.0.0.1", int(target)))
    except OSError:
        writer.close(); return
    await asyncio.gather(copy(reader, back), copy(other, writer))
async def main():
    server = await (asyncio.start_unix_server(meet, place) if place.startswith("/")
                    else asyncio.start_server(meet, "127.0.0.1", int(place)))
    print("ready", flush=True)
    await server.serve_forever()
place, target = sys.argv[1:]
asyncio.run(main())
"""


# The usual one, which is made for computers to come, takes half of the time that these tests compute.
KEY_EXCHANGE = "KexAlgorithms curve25519-sha256"


def obstacle():
    """The reason why no such machine can be made here; None if one can."""
    for program in ("ip", "sshd", "ssh"):
        if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            return f"there is no {program}"
    name = f"sy-try-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return f"no network namespace can be made: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None


class FarMachine:
    """One far machine. `sshd_options` are lines of its sshd's configuration, `mounts` files of its own in the place of this
    machine's."""

    def __init__(self, folder, sshd_options=(), path=None, mounts=()):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        # Short, as homes are: the path of a socket is.
        self.home = Path(tempfile.mkdtemp(prefix="far-", dir="/tmp"))
        self.home.chmod(0o755)
        self.namespace = f"sy-{uuid.uuid4().hex[:8]}"
        self.programs = []
        self._ip("netns", "add", self.namespace)
        self.run("ip", "link", "set", "lo", "up", check=True)
        # Keep the ports that tools choose there apart from the ports that this machine gives to connections: a run makes thousands.
        self.run("sh", "-c", "echo 61000 65535 >/proc/sys/net/ipv4/ip_local_port_range", check=True)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        Path("/run/sshd").mkdir(exist_ok=True)
        user_path = path or "/usr/local/bin:/usr/bin:/bin"
        (self.folder / "sshd_config").write_text("\n".join([
            *sshd_options,
            f"HostKey {self.folder / 'host'}", f"AuthorizedKeysFile {self.folder / 'user.pub'}", "StrictModes no",
            KEY_EXCHANGE, "UsePAM no", "PidFile none", "PermitRootLogin yes", "PrintMotd no", "LogLevel ERROR",
            f"SetEnv HOME={self.home} PATH={user_path} XDG_RUNTIME_DIR= LC_ALL=C.UTF-8", ""]))
        self.sshd = [shutil.which("sshd", path="/usr/sbin"), "-f", str(self.folder / "sshd_config")]
        # In a mount namespace of its own, as `ip netns exec` makes one.
        door = self.folder / "door"
        door.write_text("\n".join([
            *(f"mount --bind '{ours}' '{theirs}' || exit" for theirs, ours in mounts), f"exec {' '.join(self.sshd)} -i", ""]))
        self.config = self.folder / "ssh_config"
        self.config.write_text("\n".join(["Host *", *self.way(f"ip netns exec {self.namespace} sh {door}"), ""]))

    def way(self, proxy=None):
        """The lines of ssh's configuration by which it is reached."""
        lines = [f"ProxyCommand {proxy} 2>>{self.folder / 'sshd.log'}"] if proxy else []
        return [f"  {line}" for line in [
            *lines, KEY_EXCHANGE, f"IdentityFile {self.folder / 'user'}", "IdentitiesOnly yes", f"UserKnownHostsFile {self.folder / 'known'}",
            "StrictHostKeyChecking accept-new", "LogLevel ERROR"]]

    def _ip(self, *words):
        subprocess.run(["ip", *words], check=True)

    def run(self, *words, **options):
        """A program on the far machine, by another door."""
        return subprocess.run(
            ["ip", "netns", "exec", self.namespace, *map(str, words)], capture_output=True, text=True, timeout=60, **options)

    def start(self, *words, **options):
        process = subprocess.Popen(["ip", "netns", "exec", self.namespace, *map(str, words)], **options)
        self.programs.append(process)
        return process

    def lend(self, port):
        """Lets a port of this machine's loopback be reached at the same port of the far machine's."""
        place = str(self.folder / f"port-{port}")
        here = subprocess.Popen([sys.executable, "-c", RELAY, place, str(port)], stdout=subprocess.PIPE)
        self.programs.append(here)
        assert here.stdout.readline() == b"ready\n"
        there = self.start(sys.executable, "-c", RELAY, str(port), place, stdout=subprocess.PIPE)
        assert there.stdout.readline() == b"ready\n"

    def listen_on(self, other, port):
        """Has its sshd listen at a port of another far machine's loopback."""
        place = str(self.folder / "reach")
        self.start(*self.sshd, "-D", "-o", f"ListenAddress=127.0.0.1:{port}")
        for machine, words in ((self, (place, port)), (other, (port, place))):
            relay = machine.start(sys.executable, "-c", RELAY, *words, stdout=subprocess.PIPE)
            assert relay.stdout.readline() == b"ready\n"

    def processes(self):
        """The processes of the namespace, by their command lines."""
        listed = subprocess.run(["ip", "netns", "pids", self.namespace], capture_output=True, text=True).stdout.split()
        found = {}
        for process in listed:
            try:
                found[int(process)] = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
            except OSError:
                continue
        for program in self.programs:
            found.pop(program.pid, None)
        return found

    def leftovers(self):
        """The files that a session left in the home."""
        root = self.home / ".switchyard"
        # Not by `rglob`, which fails where a folder goes away meanwhile.
        return sorted(os.path.relpath(os.path.join(folder, name), self.home)
                      for folder, folders, files in os.walk(root) for name in folders + files)

    def stop(self):
        for program in self.programs:
            program.kill()
            program.wait()
        for process in list(self.processes()):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._ip("netns", "del", self.namespace)
        shutil.rmtree(self.home, ignore_errors=True)


class Session:
    """`switchyard ssh` to a far machine: at a terminal of its own, or with pipes. `asked` has the addresses that its
    browser was to open."""

    def __init__(
            self, far, folder, *words, options=(), terminal=True, columns=120, ssh=(), environment=None, by_shell=False):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.asked_file = self.folder / "asked"
        self.asked_file.touch()
        bin_folder = self.folder / "bin"
        bin_folder.mkdir(exist_ok=True)
        opener = bin_folder / "xdg-open"
        opener.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$1\" >>'{self.asked_file}'\n")
        opener.chmod(0o755)
        runtime = self.folder / "runtime"
        runtime.mkdir(exist_ok=True, mode=0o700)
        self.runtime = runtime
        env = {name: value for name, value in os.environ.items() if name not in ("BROWSER", "TMUX", "STY", "SSH_AUTH_SOCK")}
        env |= {"PATH": f"{bin_folder}:{os.environ['PATH']}", "DISPLAY": ":99", "XDG_RUNTIME_DIR": str(runtime), "TERM": "xterm"}
        env |= environment or {}
        command = [str(SWITCHYARD), "ssh", *options, "-F", str(far.config), *ssh, "devbox", *map(str, words)]
        if by_shell:
            # A shell with jobs, to which the command is typed.
            self.command = shlex.join(command)
            env |= {"PS1": "near> "}
            command = ["bash", "--norc", "--noprofile", "-i"]
        self.output = bytearray()
        self._lock = threading.Lock()
        # While this is down, the session's output stays unread after one piece.
        self.reads = threading.Event()
        self.reads.set()
        if terminal:
            self.master, slave = pty.openpty()
            import fcntl
            import struct
            import termios
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            self.process = subprocess.Popen(
                command, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=ROOT, start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
            os.close(slave)
        else:
            self.master = None
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, cwd=ROOT)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        source = self.master if self.master is not None else self.process.stdout.fileno()
        while True:
            self.reads.wait()
            try:
                piece = os.read(source, 65536)
            except OSError:
                return
            if not piece:
                return
            with self._lock:
                self.output += piece

    @property
    def text(self):
        with self._lock:
            return self.output.decode(errors="replace")

    @property
    def _last_text(self):
        return self.text[-5000:]

    def type(self, text):
        data = text.encode()
        if self.master is not None:
            os.write(self.master, data)
        else:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def wait_for(self, pattern, seconds=30):
        try:
            return eventually(lambda: re.search(pattern, self.text), seconds, pattern)
        except AssertionError:
            raise AssertionError(f"{pattern!r} is not in:\n{self._last_text}") from None

    @property
    def asked(self):
        return self.asked_file.read_text().split("\n")[:-1]

    def next_page(self, number=1, seconds=30):
        """The address that the browser is asked to open as the `number`th."""
        try:
            return eventually(lambda: len(self.asked) >= number and self.asked[number - 1], seconds, "a page")
        except AssertionError:
            raise AssertionError(f"no page {number}; {self.asked}\n{self._last_text}") from None

    def end(self, seconds=30):
        """Waits for the end, and returns the exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running:\n{self._last_text}") from None

    def stop(self):
        self.reads.set()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.master is not None:
            os.close(self.master)
            self.master = None
