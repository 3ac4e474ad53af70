"""A person's desktop: folders of their own, an agent, and what the desktop's programs say of schemes."""

import os
import subprocess
from pathlib import Path

import yaml

from harness.api import Api
from harness.gateway import CA
from harness.programs import SWITCHYARD, Program, eventually


class Desktop:
    """An empty home, and commands that run in it."""

    def __init__(self, folder):
        # The name of a socket is short.
        self.home = folder / "home"
        self.runtime = folder / "run"
        for made in (self.home, self.runtime):
            made.mkdir(parents=True)
            made.chmod(0o700)
        self.configuration = self.home / ".config"
        self.data = self.home / ".local" / "share"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "NO_PROXY": "*",
        }
        self.agents = []

    # Both follow `runtime`, which a test may change.

    @property
    def socket(self):
        return self.runtime / "switchyard" / "agent.sock"

    @property
    def private(self):
        """The folder that no sandbox reaches, with the admin socket, the lock and the log."""
        return self.runtime / "sy-private"

    def run(self, *command, env=None, **options):
        """A `switchyard` command, or with a path in front another program, to its end."""
        words = [str(word) for word in command]
        if not words[0].startswith("/"):
            words.insert(0, str(SWITCHYARD))
        return subprocess.run(
            words, capture_output=True, text=True, timeout=60, cwd=self.home, env=self.environment | (env or {}),
            **options)

    # Its agent.

    def apps(self, issuer, *names, **keys):
        """A file of apps as an app's installer would leave it; each has a scheme of its own."""
        folder = self.configuration / "switchyard" / "apps.d"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{names[0]}.yaml"
        file.write_text(yaml.safe_dump({
            "issuers": [{"name": "demo", "issuer": issuer, "ca": self._anchor(folder)}],
            "apps": [self.app(name, **keys) for name in names],
        }, sort_keys=False))
        return file

    @staticmethod
    def _anchor(folder):
        (folder / "ca.pem").write_bytes(CA.read_bytes())
        return "ca.pem"

    @staticmethod
    def app(name, **keys):
        return {
            "id": f"com.contoso.{name}", "name": f"Contoso {name.title()}", "issuer": "demo",
            "client_id": "contoso-suite", "redirect_uris": [f"msauth.com.contoso.{name}://auth"],
            "default_scope": "openid profile offline_access", **keys,
        }

    def agent(self, *options):
        program = Program(self.home / f"agent-{len(self.agents)}.log", "agent", *options)
        program.environment = self.environment
        program.prefix = ["env", "-i", *[f"{name}={value}" for name, value in self.environment.items()]]
        self.agents.append(program)
        return program

    def start_agent(self, *options):
        program = self.agent(*options)
        program.launch(lambda: "ready" in program.output())
        return program

    @property
    def api(self):
        return Api(f"unix:{self.socket}")

    def close(self):
        for agent in self.agents:
            if agent.process is not None and agent.process.poll() is None:
                agent.stop()
        self.stop_started_agent()

    def started_agent(self):
        """The process of an agent that this test did not begin, by the lock that it holds."""
        lock = self.private / "agent.lock"
        if not lock.exists():
            return None
        number = lock.stat().st_ino
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] == "POSIX" and words[5].split(":")[2] == str(number):
                return int(words[4])
        return None

    def stop_started_agent(self):
        """Ends it, if there is one, and waits until it has given its lock back."""
        process = self.started_agent()
        if process is not None:
            os.kill(process, 15)
            eventually(lambda: self.started_agent() is None, what="the end of the agent")

    # The answers of the desktop's own programs.

    def gio(self, scheme):
        said = self.run("/usr/bin/gio", "mime", f"x-scheme-handler/{scheme}", env={"LC_ALL": "C.UTF-8"}).stdout
        last = said.split("\n")[0].split()[-1:]
        return last[0] if last and last[0].endswith(".desktop") else None

    def xdg_mime(self, scheme):
        return self.run("/usr/bin/xdg-mime", "query", "default", f"x-scheme-handler/{scheme}").stdout.strip() or None

    def tree(self):
        """Every path below the home, with what is in it."""
        return {
            str(path.relative_to(self.home)): path.read_text() if path.is_file() else None
            for path in sorted(self.home.rglob("*")) if "switchyard" not in path.parts and path.suffix != ".log"
        }

    def entry(self, app):
        return self.data / "applications" / f"switchyard-{app}.desktop"


def other_program(desktop, scheme, name="other.desktop"):
    """Another program that says it takes a scheme."""
    folder = desktop.data / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(
        f"[Desktop Entry]\nType=Application\nName=Other\nExec=/bin/true %u\nMimeType=x-scheme-handler/{scheme};\n")
    desktop.run("/usr/bin/update-desktop-database", folder)
