"""`switchyard browse --gateway` and `switchyard run`: a tool's sign-in comes back by the gateway, in a sandbox without a browser."""

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from urllib.parse import quote

import pytest

from harness.gateway import Gateway
from harness.held import shown
from harness.programs import CERTIFICATES, ROOT, SWITCHYARD, eventually
from harness.users import OTHER, needs_root
from harness.vault import VAULT

TOOL = ROOT / "Tests" / "External" / "harness" / "tool.py"


@pytest.fixture(scope="module")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"].append({
        "id": "com.contoso.codex", "name": "Codex", "issuer": "any",
        "redirect_uris": [program.url("/tools/codex"), program.url("/tools/codex/*")]})
    program.start()
    yield program
    program.stop()


@pytest.fixture
def runtime(tmp_path_factory):
    folder = tmp_path_factory.mktemp("t")
    folder.chmod(0o700)
    return folder


class Tool:
    """The tool under `switchyard run`, in a process group of its own, as a shell starts it."""

    def __init__(self, gateway, runtime, path="/tools/codex/abc", listeners=0, options=(), run=True, browser=()):
        self.gateway, self.runtime, self.uri = gateway, runtime, gateway.url(path)
        self.state = secrets.token_urlsafe(24)
        VAULT.remember("state", self.state)
        address = f"https://id.example/authorize?response_type=code&client_id=tool&state={self.state}&redirect_uri={quote(self.uri, safe='')}"
        self.environment = os.environ | {"XDG_RUNTIME_DIR": str(runtime), "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem")}
        way = [SWITCHYARD, "run", "--gateway", gateway.api().address, *options, "--"] if run else []
        self.process = subprocess.Popen(
            [*way, sys.executable, TOOL, address, str(listeners), *browser], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, process_group=0)
        self.port = self.line()["port"]

    def line(self):
        return json.loads(self.process.stdout.readline())

    def opened(self):
        """The browser has printed the address and gone."""
        said = self.line()
        assert said["status"] == 0, said
        self.said = said["said"]
        self.reference = re.search(r"Sign-in (\S+) waits", self.said)[1]
        return self

    def bring(self, **more):
        """Acts as the browser, and returns the release code of its page."""
        code = secrets.token_urlsafe(24)
        VAULT.remember("authorization code", code)
        self.target = f"{self.uri.removeprefix(self.gateway.origin)}?code={code}&state={self.state}&iss=https%3A%2F%2Fid.example"
        answer = self.gateway.browse(self.gateway.origin + self.target)
        assert answer.status == 303, answer.text
        page = self.gateway.browse(
            self.gateway.url(answer.header("Location")), headers={"Cookie": answer.header("Set-Cookie").split(";")[0]})
        self.code = shown(page.text, "release-code")
        VAULT.remember("release code", self.code)
        return self.code

    def release(self, code=None, *words):
        return subprocess.run(
            [SWITCHYARD, "release", code or self.code, *words], env=self.environment, capture_output=True, text=True, timeout=60)


@pytest.fixture
def tool(gateway, runtime):
    begun = []

    def make(**options):
        begun.append(Tool(gateway, runtime, **options))
        return begun[-1]

    yield make
    for one in begun:
        one.process.kill()
        one.process.communicate()


def waiting(runtime):
    folder = runtime / "sy-waiting"
    return [name for name in folder.iterdir() if name.is_socket()] if folder.exists() else []


@pytest.mark.parametrize("path", ["/tools/codex", "/tools/codex/abc-_9"])
def test_a_tool_in_a_sandbox_gets_its_callback_once(tool, runtime, path):
    one = tool(path=path).opened()
    assert "https://id.example/authorize?" in one.said and "switchyard release CODE" in one.said
    one.bring()
    assert one.release("BBBB-BBBB").returncode == 1
    shown = one.release()
    assert shown.returncode == 0, shown.stderr
    assert one.line() == {"path": one.target, "host": f"127.0.0.1:{one.port}"}
    # The callback comes once, and the status is the tool's own.
    assert one.process.stdout.read() == "" and one.process.wait(30) == 7
    eventually(lambda: not waiting(runtime), what="the end of the process that waited")


def test_browser_is_one_word_that_tools_can_start(gateway, runtime):
    shown = subprocess.run(
        [SWITCHYARD, "run", "--gateway", gateway.api().address, "--", "sh", "-c", 'printf %s "$BROWSER"; exit 3'],
        env=os.environ | {"XDG_RUNTIME_DIR": str(runtime)}, capture_output=True, text=True, timeout=60)
    assert shown.returncode == 3 and os.access(shown.stdout, os.X_OK)
    assert not set(shown.stdout) & set(" \t\n:"), shown.stdout


def test_signals_and_missing_programs_are_as_without_it(gateway, runtime):
    environment = os.environ | {"XDG_RUNTIME_DIR": str(runtime)}
    way = [SWITCHYARD, "run", "--gateway", gateway.api().address, "--"]
    process = subprocess.Popen([*way, "sleep", "60"], env=environment)
    eventually(lambda: open(f"/proc/{process.pid}/comm").read() == "sleep\n", what="the program")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == -signal.SIGTERM
    piped = subprocess.run([*way, "sh", "-c", "kill -PIPE $$; exit 0"], env=environment, timeout=60)
    assert piped.returncode == -signal.SIGPIPE
    assert subprocess.run([*way, "/nowhere/program"], env=environment, capture_output=True, timeout=60).returncode == 127
    for words in ([], ["--"], ["--port", "0", "--", "true"], ["--bogus", "--", "true"]):
        assert subprocess.run([SWITCHYARD, "run", *words], env=environment, capture_output=True, timeout=60).returncode == 2, words


def test_the_person_names_one_of_several_ports(tool):
    one = tool(listeners=1).opened()
    one.bring()
    assert one.release().returncode == 0
    # Neither is tried.
    assert one.process.wait(90) == 7 and one.process.stdout.read() == ""


def test_the_named_port_gets_the_callback(tool, gateway, runtime):
    os.mkfifo(runtime / "port")
    free = tool(listeners=1, run=False, browser=[
        "sh", "-c", f'read port <{runtime}/port; exec {SWITCHYARD} browse --gateway {gateway.api().address} --port $port "$0"'])
    (runtime / "port").write_text(f"{free.port}\n")
    free.opened().bring()
    assert free.release().returncode == 0
    assert free.line()["path"] == free.target


@needs_root
@pytest.mark.rule(11)
def test_another_users_program_on_the_port_gets_no_callback(tool, gateway, runtime):
    os.seteuid(OTHER)
    try:
        catcher = socket.create_server(("127.0.0.1", 0))
    finally:
        os.seteuid(0)
    with catcher:
        one = tool(options=["--port", str(catcher.getsockname()[1])]).opened()
        one.bring()
        assert one.release().returncode == 0
        eventually(lambda: not waiting(runtime), what="the end of the process that waited")
        catcher.settimeout(0)
        with pytest.raises(BlockingIOError):
            catcher.accept()


def test_several_tools_that_wait_are_told_apart(tool):
    one, two = tool(path="/tools/codex/one").opened(), tool(path="/tools/codex/two").opened()
    one.bring(), two.bring()
    mixed = one.release()
    assert mixed.returncode == 1 and one.reference in mixed.stderr and two.reference in mixed.stderr
    assert two.release(two.code, "--reference", two.reference).returncode == 0
    assert one.release(one.code, "--reference", one.reference).returncode == 0
    assert one.line()["path"] == one.target and two.line()["path"] == two.target


def test_a_redirect_uri_that_the_gateway_does_not_have_is_told_at_once(tool):
    one = tool(path="/nowhere/x")
    said = one.line()
    assert said["status"] == 1 and "issuer: any" in said["said"], said


def test_an_address_without_a_sign_in_by_the_gateway_is_opened_as_before(gateway, runtime):
    shown = subprocess.run(
        [SWITCHYARD, "browse", "--gateway", gateway.api().address, "https://example.com/docs"],
        env=os.environ | {"XDG_RUNTIME_DIR": str(runtime), "HOME": str(runtime)}, capture_output=True, text=True, timeout=60)
    assert shown.returncode == 0 and "https://example.com/docs" in shown.stderr


@pytest.mark.rule(7)
def test_no_secret_stands_in_arguments_or_variables(tool):
    one = tool().opened()
    found = []
    for process in os.listdir("/proc"):
        try:
            words = open(f"/proc/{process}/cmdline", "rb").read()
            if b"browse\0-" in words:
                found.append(words + open(f"/proc/{process}/environ", "rb").read())
        except OSError:
            pass
    assert found and not any(one.state.encode() in text or b"result_token" in text for text in found)
