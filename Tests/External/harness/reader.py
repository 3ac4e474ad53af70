"""A person who works through a page of the book: makes its files, types its commands, and signs in."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from html import unescape
from urllib.parse import urlencode, urlsplit

from harness import wire
from harness.book import pattern, steps
from harness.gateway import CA
from harness.held import shown
from harness.issuer import fetch
from harness.modes import FORM
from harness.programs import SWITCHYARD, free_port
from harness.vault import VAULT

# The variables that tell of a browser. There is none here.
HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY", "SWITCHYARD_GATEWAY", "SWITCHYARD_CA")
# How pages write a release code, an id and a result token.
SAMPLE_CODE, SAMPLE_ID, SAMPLE_TOKEN = "RVXF-XJTB", "ID", "RESULT_TOKEN"
# Lines of the gateway in the background, which a reader overlooks.
LOG_LINE = re.compile(r"at=\S+ level=\w+ event=.*\n")
# The address of a tool that composes its own authorization request.
TOOLS_OWN = re.compile(r"Open this address in a browser:\n\n  (http\S+/authorize\?\S+)\n")
PROMPT = "Type the code that the browser shows"


class Reader:
    """At a terminal of their own, in an empty folder, with free ports in the place of those that the page names."""

    def __init__(self, folder, ports=(), replace=None, environment=None):
        self.folder = folder
        home = folder / "home"
        home.mkdir(parents=True)
        programs = folder / "bin"
        programs.mkdir()
        (programs / "switchyard").symlink_to(SWITCHYARD)
        # A link would lead out of the virtual environment.
        (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (programs / "python3").chmod(0o755)
        self.replace = {str(port): str(free_port()) for port in ports} | (replace or {})
        self.visited, self.codes, self.last = set(), [], {}
        self._custom = None
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN} | {
            "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "PS1": "",
            "XDG_DATA_HOME": str(home / ".local/share"), "XDG_CONFIG_HOME": str(home / ".config"), "LC_ALL": "C.UTF-8",
        } | (environment or {})
        self.environment = environment
        self._said, self._news, self._mark = "", threading.Condition(), 0
        self._shell = subprocess.Popen(
            ["bash"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        threading.Thread(target=self._listen, daemon=True).start()

    def adapted(self, text):
        """The page's text, with this run's addresses and files."""
        for there, here in self.replace.items():
            text = re.sub(rf"(?<![\w.]){re.escape(there)}(?![\w.])" if there.isdigit() else re.escape(there), here, text)
        return text

    def read(self, page, only=None):
        """From the first block to the last."""
        for block in page.blocks:
            if only is not None and not only(block):
                continue
            if block.name:
                self.write(block.name, block.text)
            elif block.language == "console":
                for step in steps(block):
                    self.do(step)

    def write(self, name, text):
        file = self.folder / self.adapted(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.adapted(text))

    def do(self, step):
        """Types a command, does a person's part, and compares the output with the page."""
        command = self.adapted(self._filled(step.command))
        self._mark += 1
        file = self.folder / f"step-{self._mark}"
        file.write_text(command + "\n")
        begin = len(self._said)
        end = f"<end of step {self._mark}>"
        self._type(f". {file}; printf '%s\\n' '{end}'\n")
        if command.endswith("&"):
            expected = self._expected("\n".join(step.shown))
            self._until(lambda said: expected.fullmatch(said), begin, f"{step.command}: {step.shown}", end)
        else:
            self._until(lambda said: end in self._said[begin:], begin, f"the end of {step.command}", end)
            said = whole(LOG_LINE.sub("", self._said[begin:].split(end)[0]))
            shown_here = self._filled("\n".join(step.shown))
            expected = self._expected(shown_here)
            assert expected.fullmatch(said), f"{command}\nprinted\n{said}\nin the place of\n{shown_here}"
            self._note(said)

    def _expected(self, shown):
        return pattern(whole(self.adapted(shown)).splitlines())

    def stop(self):
        try:
            os.killpg(self._shell.pid, signal.SIGTERM)
            self._shell.wait(timeout=20)
        except ProcessLookupError:
            pass
        self._shell.stdin.close()

    def _filled(self, command):
        values = {SAMPLE_ID: self.last.get("id"), SAMPLE_TOKEN: self.last.get("result_token"),
                  "REFERENCE": self.last.get("reference")}
        for name, value in values.items():
            if value:
                command = re.sub(rf"\b{name}\b", value, command)
        return command.replace(SAMPLE_CODE, self.codes[-1]) if self.codes else command

    def _note(self, said):
        """Keeps the members of an answer in JSON, and does a person's part."""
        for line in said.splitlines():
            try:
                values = json.loads(line)
            except ValueError:
                continue
            if isinstance(values, dict):
                VAULT.remember("result token", values.get("result_token"))
                VAULT.remember("state", values.get("state"))
                VAULT.remember_all(values.get("token_response"))
                VAULT.remember_all(values)
                self.last |= values

    def _type(self, text):
        self._shell.stdin.write(text.encode())
        self._shell.stdin.flush()

    def _listen(self):
        while data := os.read(self._shell.stdout.fileno(), 65536):
            with self._news:
                self._said += data.decode(errors="replace")
                self._news.notify_all()

    def _until(self, condition, begin, what, end, seconds=40):
        deadline = time.monotonic() + seconds
        asked = 0
        while True:
            said = self._said[begin:].replace(f"{end}\n", "")
            # Only addresses that have come to their end.
            for url in re.findall(r"(https?://[^\s\"]+/start/[\w-]+)[\s\"]", said) + TOOLS_OWN.findall(said):
                self._visit(url)
            if said.count(PROMPT) > asked:
                asked += 1
                with self._news:
                    self._said += f"{self.codes[-1]}\n"  # as a terminal echoes it
                self._type(f"{self.codes[-1]}\n")
            if condition(said):
                return
            left = deadline - time.monotonic()
            assert left > 0, f"{what}: not seen, only\n{said}"
            with self._news:
                self._news.wait(min(left, 0.1))

    def _visit(self, url):
        """Opens the address, signs in at the demo issuer, and comes back, as a browser that keeps its cookies."""
        if url in self.visited:
            return
        self.visited.add(url)
        cookies = {}
        if "/start/" in url:
            start = self.browse(url, cookies)
            if start.status == 200:
                form = re.search(r'<form[^>]*action="([^"]*)"', start.text)
                start = self.browse(f"{origin(url)}{form[1]}" if form and form[1] else url, cookies, {})
            assert start.status == 303, start.text
            url = start.header("Location")
        callback, form = consent(url)
        if not callback.startswith("http"):
            subprocess.run(["gio", "open", callback], env=self.environment, check=True, timeout=30)
            return
        answer = self.browse(callback, cookies, form, "cross-site")
        while answer.status == 303:
            answer = self.browse(origin(callback) + answer.header("Location"), cookies)
        assert answer.status == 200, answer.text
        if code := shown(answer.text, "release-code"):
            VAULT.remember("release code", code)
            self.codes.append(code)

    @staticmethod
    def browse(url, cookies, form=None, site="same-origin"):
        sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
        # A form from another site comes without cookies that are Lax.
        headers = {"Cookie": sent} if sent and (form is None or site == "same-origin") else {}
        if form is None:
            answer = wire.request(url, ca=CA, headers=headers)
        else:
            headers |= FORM | {"Sec-Fetch-Site": site}
            answer = wire.request(url, ca=CA, method="POST", headers=headers, body=urlencode(form).encode())
        for name, field in answer.headers:
            if name.lower() == "set-cookie":
                key, _, value = field.split(";")[0].partition("=")
                if "max-age=0" in field.lower().replace(" ", "").split(";"):
                    cookies.pop(key, None)
                else:
                    cookies[key] = value
        return answer


def whole(text):
    """Without blank lines at its end, which a reader does not see."""
    return text.rstrip("\n") + "\n" if text.strip("\n") else ""


def consent(authorization_url):
    """Presses the button of the demo issuer's page: the callback that comes of it, and the form that is posted there, if any."""
    status, _, body = fetch(authorization_url)
    assert status == 200, (status, body[:500])
    status, headers, body = fetch(*filled(body.decode(), {"demo_decision": "approve"}))
    if status == 200:
        action, fields = filled(body.decode())
        VAULT.remember_all(fields)
        return action, fields
    assert status in (302, 303), (status, body[:500])
    VAULT.remember_url(headers["Location"])
    return headers["Location"], None


def filled(page, more=None):
    """The address of a page's one form, and its fields."""
    [action] = re.findall(r'<form[^>]* action="([^"]*)"', page)
    fields = {name: unescape(value) for name, value in re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', page)}
    return unescape(action), fields | (more or {})


def origin(url):
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
