"""The documentation of SwitchyardClient, read so that it can be held to account, and the samples of Snippets."""

import json
import os
import re
import select
import subprocess
import tempfile
import time
from pathlib import Path

from harness.programs import ROOT, SWITCHYARD

CATALOG = ROOT / "Sources" / "SwitchyardClient" / "SwitchyardClient.docc"
ARTICLES = sorted(CATALOG.glob("*.md"))
SNIPPETS = sorted((ROOT / "Snippets").glob("*.swift"))
SYMBOLS = ROOT / ".build" / "docs" / "symbols"


def build(catalog=CATALOG):
    return subprocess.run(
        [ROOT / "docs" / "generate", catalog], capture_output=True, text=True, timeout=300, cwd=ROOT)


def symbols():
    """Every public name as the articles write it: below its module, or with it."""
    names = set()
    for file in SYMBOLS.glob("*.symbols.json"):
        for symbol in json.loads(file.read_text())["symbols"]:
            path = "/".join(symbol["pathComponents"])
            module = file.name.split(".")[0]
            names |= {f"/{module}/{path}"} | ({path} if module == "SwitchyardClient" else set())
    return names


def links(article):
    """The names in double backticks outside of code blocks, without the module's own."""
    prose = re.sub(r"^```.*?^```$", "", article.read_text(), flags=re.MULTILINE | re.DOTALL)
    return [link for link in re.findall(r"``([^`]+)``", prose) if link != "SwitchyardClient"]


def swift_blocks(article):
    return re.findall(r"^```swift\n(.*?)^```$", article.read_text(), flags=re.MULTILINE | re.DOTALL)


def code(text):
    """The lines of a piece of Swift without empty lines, what only marks a snippet, and the formatter's ideas of spaces."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith(("//!", "// snippet."))]


def registered(*schemes, folder):
    """Makes a desktop on which some program has the schemes."""
    entries = Path(folder) / "applications"
    entries.mkdir()
    (entries / "sample.desktop").write_text(
        "[Desktop Entry]\nType=Application\nName=Sample\nExec=/bin/true %u\n"
        f"MimeType={''.join(f'x-scheme-handler/{scheme};' for scheme in schemes)}\n")
    return folder


class Sample:
    """One program of Snippets at work, without a desktop and with pipes for a terminal: what it buffers is not heard."""

    HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY")

    def __init__(self, name, *arguments, state=None):
        environment = {name: value for name, value in os.environ.items() if name not in self.HIDDEN}
        environment |= {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        self._desktop = tempfile.TemporaryDirectory()
        environment["XDG_DATA_HOME"] = registered("msauth.com.contoso.mail", "contoso-mail", folder=self._desktop.name)
        if state:
            environment["XDG_STATE_HOME"] = str(state)
        self.process = subprocess.Popen(
            [SWITCHYARD.parent / name, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        self.said = ""

    def hear(self, pattern, seconds=30):
        """Waits until the program has said something that matches, and returns the match."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.said)):
            ready, _, _ = select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))
            part = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            assert part, f"{pattern!r} was not said, only {self.said!r}"
            self.said += part.decode()
        return found

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self):
        """Everything that was said, once the program is over."""
        out, _ = self.process.communicate(timeout=60)
        self.said += out.decode()
        assert self.process.returncode == 0, self.said
        return self.said

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self._desktop.cleanup()
