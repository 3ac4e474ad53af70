"""`switchyard browse --gateway` and `switchyard run`: a tool's sign-in comes back by the gateway, in a sandbox without a browser."""

import fcntl
import json
import os
import pty
import re
import secrets
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
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

    def __init__(self, gateway, runtime, path="/tools/codex/abc", listeners=0, options=(), run=True, browser=(), container=()):
        self.gateway, self.runtime, self.uri = gateway, runtime, gateway.url(path)
        self.state = secrets.token_urlsafe(24)
        VAULT.remember("state", self.state)
        address = f"https://id.example/authorize?response_type=code&client_id=tool&state={self.state}&redirect_uri={quote(self.uri, safe='')}"
        self.environment = os.environ | {"XDG_RUNTIME_DIR": str(runtime), "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem")}
        way = [SWITCHYARD, "run", "--gateway", gateway.api().address, *options, "--"] if run else []
        self.process = subprocess.Popen(
            [*container, *way, sys.executable, TOOL, address, str(listeners), *browser], env=self.environment, stdout=subprocess.PIPE,
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
def test_a_server_that_the_tool_starts_later_gets_no_callback(tool, runtime):
    """The tool has given up, and a program of its group listens by then."""
    one = tool().opened()
    one.bring()
    other = subprocess.Popen(
        [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "0"], process_group=os.getpgid(one.process.pid), cwd=runtime,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        group = os.getpgid(one.process.pid)
        eventually(lambda: "0A" in open(f"/proc/{other.pid}/net/tcp").read() and os.getpgid(other.pid) == group, what="the other server")
        one.process.kill()
        one.process.wait()
        one.release()
        eventually(lambda: not waiting(runtime), what="the end of the process that waited")
        other.kill()
        assert "GET" not in other.communicate()[1]
    finally:
        other.kill()
        other.wait()


def test_a_sign_in_ends_with_its_tool(tool, gateway, runtime):
    """So it does not stand beside that of the next try, and its release is not asked for."""
    one = tool().opened()
    one.process.kill()
    one.process.wait()
    eventually(lambda: not waiting(runtime), what="the end of the process that waited")
    again = tool(path="/tools/codex/again").opened()
    again.bring()
    assert again.release().returncode == 0
    assert again.line()["path"] == again.target


@needs_root
def test_the_first_process_of_a_container_has_its_sign_in(tool):
    one = tool(container=("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "setsid")).opened()
    # The process that waits looks each second whether the tool is there.
    time.sleep(2.5)
    one.bring()
    assert one.release().returncode == 0
    assert one.line()["path"] == one.target


def test_of_several_ports_it_warns_when_the_sign_in_begins(tool):
    assert "several ports" in tool(listeners=1).opened().said


def test_a_home_with_a_long_path_has_room_for_the_release(gateway, tmp_path):
    """No login has made a folder for sockets, as in a container."""
    home = tmp_path / ("long-" * 12) / ("longer-" * 12)
    home.mkdir(parents=True, mode=0o700)
    state = secrets.token_urlsafe(24)
    VAULT.remember("state", state)
    uri = gateway.url("/tools/codex/long")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {
        "HOME": str(home), "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem")}
    if os.path.exists(f"/run/user/{os.geteuid()}"):
        pytest.skip("this user has a folder of a login")
    address = f"https://id.example/authorize?response_type=code&client_id=tool&state={state}&redirect_uri={quote(uri, safe='')}"
    shown = subprocess.run(
        [SWITCHYARD, "browse", "--gateway", gateway.api().address, "--port", "1", address], env=environment, capture_output=True,
        text=True, timeout=60)
    assert shown.returncode == 0, shown.stderr
    reference = re.search(r"Sign-in (\S+) waits", shown.stderr)[1]
    released = subprocess.run([SWITCHYARD, "release", "BBBB-BBBB"], env=environment, capture_output=True, text=True, timeout=60)
    assert released.returncode == 1 and f"{reference} does not wait for a code" in released.stderr, released.stderr
    for name in (home / ".cache" / "sy-waiting").glob("*-*"):
        os.kill(int(name.name.split("-")[0]), signal.SIGTERM)


# The address as a QR code


def on_a_terminal(columns, gateway, runtime, address, **more):
    """What `switchyard browse` prints on a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        [SWITCHYARD, "browse", "--gateway", gateway.api().address, "--port", "1", address], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=slave, env=os.environ | {
            "XDG_RUNTIME_DIR": str(runtime), "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem"), "TERM": "xterm", **more})
    os.close(slave)
    said = b""
    try:
        # The process that waits holds the terminal, too.
        while b"waits. If" not in said:
            said += os.read(master, 65536)
    finally:
        os.close(master)
    assert process.wait(30) == 0
    for name in waiting(runtime):
        os.kill(int(name.name.split("-")[0]), signal.SIGTERM)
    return said.decode()


def sign_in_address(gateway, length=0):
    state = secrets.token_urlsafe(24)
    VAULT.remember("state", state)
    uri = gateway.url("/tools/codex/q" + secrets.token_hex(4))
    address = f"https://id.example/authorize?response_type=code&client_id=tool&state={state}&redirect_uri={quote(uri, safe='')}&scope="
    return address + "a" * max(1, length - len(address))


def scanned(text, folder):
    """What a reader of other hands sees (zbar), from a picture of the terminal's blocks."""
    rows = []
    for line in re.findall("\x1b\\[38;5;231;48;5;16m([ ▀▄█]+)\x1b\\[0m", text):
        rows.append([255 if mark in "▀█" else 0 for mark in line])
        rows.append([255 if mark in "▄█" else 0 for mark in line])
    assert rows, text
    wide = [[value for value in row for _ in range(6)] for row in rows for _ in range(6)]
    picture = folder / "code.pgm"
    picture.write_bytes(b"P5 %d %d 255\n" % (len(wide[0]), len(wide)) + b"".join(map(bytes, wide)))
    done = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture], capture_output=True, text=True, timeout=60)
    return done.stdout.rstrip("\n")


@pytest.mark.parametrize("length", [0, 230, 300, 430, 700, 1000])
def test_a_terminal_shows_the_address_as_a_qr_code(gateway, runtime, tmp_path, length):
    address = sign_in_address(gateway, length)
    text = on_a_terminal(200, gateway, runtime, address)
    assert address in text and scanned(text, tmp_path) == address


def test_a_terminal_that_is_too_narrow_says_so(gateway, runtime):
    text = on_a_terminal(60, gateway, runtime, sign_in_address(gateway, 400))
    assert "█" not in text and "needs a terminal of" in text and "has 60" in text


def test_a_terminal_without_colors_gets_none(gateway, runtime):
    text = on_a_terminal(200, gateway, runtime, sign_in_address(gateway), NO_COLOR="1")
    assert "█" in text and "\x1b" not in text
    assert "█" not in on_a_terminal(200, gateway, runtime, sign_in_address(gateway), TERM="dumb")


def test_a_pipe_gets_no_qr_code(tool):
    assert not set(tool().opened().said) & set("▀▄█\x1b")


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
