"""`switchyard ssh` behaves like ssh, in its bytes and statuses. After any end, neither side keeps a trace of it."""

import hashlib
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from harness.programs import ROOT, SWITCHYARD, eventually, free_port, run
from harness.ssh_fixtures import ask, come_home, far, make_far, needs_namespaces, start  # noqa: F401

pytestmark = needs_namespaces
TOOL = ROOT / "Tests" / "External" / "far_tools" / "printing_tool.py"
ENDPOINT = "https://login.contoso.com/authorize"
# How long the far side waits for a sign of life, in seconds.
NAP = 30


def address(port=None, state="s1", host="localhost", **changes):
    query = {"response_type": "code", "client_id": "contoso-suite", "state": state,
             "redirect_uri": f"http://{host}:{port or free_port()}/cb"} | changes
    return "https://login.contoso.com/authorize?" + urlencode({name: value for name, value in query.items() if value})


def browse(folder, **changes):
    """The command that gives an address to the browser. The screen does not show the address itself."""
    file = folder / f"address-{changes.get('state', 's1')}"
    file.write_text(address(**changes))
    return f"$BROWSER \"$(cat {file})\""


def nothing_is_left(far, session, seconds=60):
    """But for a command without a terminal, which ssh never ended."""
    def rest():
        return far.leftovers(), [command for command in far.processes().values() if "sleep 1000" not in command]

    try:
        eventually(lambda: rest() == ([], []), seconds)
    except AssertionError:
        raise AssertionError(f"left over there: {rest()}") from None
    eventually(lambda: not list(session.runtime.iterdir()), what="the near folder being gone")

    def running():
        return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout

    eventually(lambda: str(session.runtime) not in running(), what="the last program of this side being gone")


@pytest.mark.parametrize("status", [0, 1, 7, 200, 255])
def test_the_exit_status_is_the_commands(far, start, status):
    session = start(f"exit {status}", terminal=False)
    assert session.end() == status
    nothing_is_left(far, session)


def test_a_shell_of_its_own_at_a_terminal(far, start):
    session = start()
    session.wait_for(r"[#$] $")
    session.type("stty size; tty; shopt login_shell; exit 4\r")
    assert session.end() == 4
    assert "40 120" in session.text and "/dev/pts/" in session.text and re.search(r"login_shell\s+on", session.text)
    nothing_is_left(far, session)


def test_a_command_that_wants_a_terminal_gets_one_by_ssh_s_own_option(start):
    assert start("tty", ssh=("-t",)).end() == 0
    session = start("tty")
    assert session.end() == 1 and "not a tty" in session.text
    forced = start("tty", ssh=("-tt",), terminal=False)
    assert forced.end() == 0 and re.fullmatch(r"/dev/pts/\d+\s*", forced.text)


def test_the_environment_leads_tools_to_a_browser_and_never_to_a_display(far, start):
    session = start("env; ls -ld $(dirname $BROWSER); ls -l $(dirname $BROWSER)", terminal=False)
    assert session.end() == 0
    browser = re.search(r"^BROWSER=(.*)$", session.text, re.M)[1]
    assert re.fullmatch(r"/[^ :%]*", browser) and browser.startswith(str(far.home))
    assert "\nMIR_SOCKET=" in session.text and "\nXDG_CURRENT_DESKTOP=X-Generic\n" in session.text
    assert not re.search(r"^(WAYLAND_)?DISPLAY=", session.text, re.M)
    assert "drwx------" in session.text and re.search(r"^srw-------.* socket$", session.text, re.M)


@pytest.mark.parametrize("command", ["printf '%s|' \"a'b\" '$x' `echo c` \"\\\\d\"", "echo \"é\n two\""])
def test_a_command_reaches_the_far_shell_as_ssh_would_send_it(far, start, command):
    plain = subprocess.run(["ssh", "-F", far.config, "devbox", command], capture_output=True, text=True)
    session = start(command, terminal=False)
    session.end()
    assert session.text == plain.stdout


def test_bytes_go_through_untouched_without_a_terminal(far, start):
    sent = os.urandom(3_000_000) + b"\x1b]0;x\x07\r\n\0\xff~.\r~."
    done = subprocess.run(
        [SWITCHYARD, "ssh", "-F", far.config, "devbox", "tee /dev/stderr"], input=sent, capture_output=True, timeout=60,
        env=os.environ | {"XDG_RUNTIME_DIR": ""})
    assert done.returncode == 0
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(sent).digest() == hashlib.sha256(done.stderr).digest()


def test_bytes_go_through_untouched_at_a_terminal(start, tmp_path):
    shown = "\x1b[1;31mred\x1b[0m\x1b]8;;https://contoso.com/\x07link\x1b]8;;\x07\x1b[?1049h\x1b[2J\x1b[?1049lé→\r\n"
    (tmp_path / "shown").write_text(shown, newline="")
    session = start(f"cat {tmp_path / 'shown'}", ssh=("-t",))
    assert session.end() == 0
    assert shown.replace("\r\n", "\r\r\n") in session.text or shown in session.text


def test_a_changed_window_is_changed_over_there(start):
    import fcntl
    import struct
    session = start()
    session.wait_for(r"[#$] $")
    fcntl.ioctl(session.master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
    session.process.send_signal(signal.SIGWINCH)
    session.type("until [ \"$(stty size)\" = '33 77' ]; do sleep 0.1; done; echo has chang''ed\r")
    session.wait_for("has changed")
    session.type("exit\r")
    assert session.end() == 0


def test_a_shell_is_greeted_as_the_server_would(make_far, start, tmp_path):
    (tmp_path / "motd").write_text("Mind the gap.\n")
    machine = make_far(mounts=[("/etc/motd", tmp_path / "motd")])
    session = start(to=machine)
    session.wait_for(r"Mind the gap\.\r\n[^\n]*[#$] $")
    session.type("touch ~/.hushlogin; exit\r")
    assert session.end() == 0
    hushed = start(to=machine)
    hushed.wait_for(r"[#$] $")
    hushed.type("exit\r")
    assert hushed.end() == 0
    command = start("true", to=machine, ssh=("-t",))
    assert command.end() == 0
    assert "Mind" not in hushed.text + command.text


def test_ssh_s_escapes_work(far, start):
    session = start()
    session.wait_for(r"[#$] $")
    session.type("\r~?")
    session.wait_for("Supported escape sequences")
    session.type("\r~.")
    assert session.end() == 255
    nothing_is_left(far, session)


def test_the_escape_to_the_near_shell_and_back(far, start):
    session = start("PS1='far> ' bash --norc --noprofile -i", ssh=("-t",), by_shell=True)
    session.wait_for("near> $")
    session.type(f"{session.command}\r")
    session.wait_for("far> $")
    session.type("echo over the''re\r")
    session.wait_for("over there\r\n.*far> $")
    session.type("~\x1a")
    session.wait_for("Stopped(.|\n)*near> $")
    session.type("stty -a | tr ';' '\\n' | grep -w icanon; fg\r")
    session.wait_for(r"\sicanon")
    session.type("\recho bac''k\r")
    session.wait_for("back\r\n")
    session.type("~\x1a")
    session.wait_for("Stopped(.|\n)*Stopped(.|\n)*near> $")
    session.type("kill %1; fg; exit\r")
    session.end()
    nothing_is_left(far, session)


def test_a_command_without_a_terminal_is_suspended_as_any_job(far, start):
    session = start("echo rea''dy; cat", by_shell=True)
    session.wait_for("near> $")
    session.type(f"{session.command}\r")
    session.wait_for("ready")
    session.type("\x1a")
    session.wait_for("Stopped(.|\n)*near> $")
    session.type("fg\r")
    session.type("and on\r")
    session.wait_for(r"and on\r\nand on\r\n")
    session.type("\x04")
    session.wait_for("and on\r\n.*near> $")
    session.type("exit\r")
    assert session.end() == 0
    nothing_is_left(far, session)


def test_ssh_that_cannot_connect_says_so_itself(far, tmp_path):
    (tmp_path / "config").write_text("Host *\n  HostName 127.0.0.1\n  Port 1\n")
    done = run("ssh", "-F", tmp_path / "config", "nowhere", "true")
    plain = subprocess.run(["ssh", "-F", tmp_path / "config", "nowhere", "true"], capture_output=True, text=True)
    assert done.returncode == plain.returncode == 255 and done.stderr == plain.stderr


def test_ssh_answers_its_own_options():
    for words in (["-V"], ["-Q", "cipher"], ["-G", "host"]):
        plain = subprocess.run(["ssh", *words], capture_output=True, text=True)
        done = run("ssh", *words)
        assert (done.returncode, done.stdout, done.stderr) == (plain.returncode, plain.stdout, plain.stderr)


# MARK: the end

def started(start, terminal=False):
    session = start("echo ready; sleep 1000", terminal=terminal, ssh=("-t",) if terminal else ())
    session.wait_for("ready")
    return session


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_without_a_trace(far, start, number, terminal):
    session = started(start, terminal)
    session.process.send_signal(number)
    assert session.end() != 0
    nothing_is_left(far, session)


def test_ctrl_c_at_a_terminal_is_the_far_programs(far, start):
    session = start()
    session.wait_for(r"[#$] $")
    session.type("sleep 2000\r")
    eventually(lambda: any("sleep 2000" in command for command in far.processes().values()), what="the program over there")
    session.type("\x03")
    session.wait_for(r"\^C[^$#]*[#$] ")
    session.type("echo status $?\r")
    session.wait_for(r"status 130")
    session.type("exit 0\r")
    assert session.end() == 0
    nothing_is_left(far, session)


def test_kill_9_of_this_side_leaves_nothing(far, start, tmp_path):
    session = start()
    session.wait_for(r"[#$] $")
    session.type(f"{browse(tmp_path)}\r")
    session.next_page()
    os.kill(session.process.pid, signal.SIGKILL)
    session.end()
    nothing_is_left(far, session)


def test_a_lost_connection_leaves_nothing(far, start):
    session = started(start)
    for process, command in far.processes().items():
        if "sshd" in command:
            os.kill(process, signal.SIGKILL)
    assert session.end() == 255
    nothing_is_left(far, session)


def test_a_side_that_falls_silent_is_given_up_over_there_and_comes_back(far, start, tmp_path):
    """The far side gets no message when a laptop sleeps, or is gone."""
    session = start()
    session.wait_for(r"[#$] $")
    os.kill(session.process.pid, signal.SIGSTOP)

    def has_given_up():
        # Time passes over there: the helper's nap is over.
        for process, command in far.processes().items():
            if command == f"sleep {NAP}":
                try:
                    os.kill(process, signal.SIGTERM)
                except ProcessLookupError:
                    pass
        return not far.leftovers()

    try:
        eventually(has_given_up, what="the far folder being gone")
    finally:
        os.kill(session.process.pid, signal.SIGCONT)
    eventually(lambda: any(name.endswith("/1/socket") for name in far.leftovers()), what="the far folder being there again")
    session.type(f"{browse(tmp_path, state='again')}\r")
    session.next_page()
    session.type("exit 0\r")
    assert session.end() == 0
    nothing_is_left(far, session)


# MARK: the far side

def test_sessions_have_folders_of_their_own_and_the_newest_the_stable_path(far, start):
    first = start()
    first.wait_for(r"[#$] $")
    second = start()
    second.wait_for(r"[#$] $")
    root = next((far.home / ".switchyard").iterdir())
    assert os.readlink(root / "socket") == "2/socket"
    second.type("exit 0\r")
    assert second.end() == 0
    eventually(lambda: os.readlink(root / "socket") == "1/socket", what="the first being the newest")
    first.type("exit 0\r")
    assert first.end() == 0
    nothing_is_left(far, first)


def test_tmux_that_is_attached_again_reaches_the_browser_of_now(far, start, tmp_path):
    socket = tmp_path / "tmux"
    first = start(f"tmux -S {socket} new-session -s work", ssh=("-t",))
    first.wait_for("work")
    first.type("\x02d")
    assert first.end() == 0
    second = start(f"tmux -S {socket} attach", ssh=("-t",))
    second.wait_for("work")
    second.type(f"{browse(tmp_path, state='tmux')}\r")
    assert second.next_page().startswith("http://127.0.0.1:")
    second.type("exit\r")
    assert second.end() == 0
    assert first.asked == []


def test_a_multiplexer_asks_who_came_last(far, start, tmp_path):
    first = start()
    first.wait_for(r"[#$] $")
    second = start()
    second.wait_for(r"[#$] $")
    first.type(f"TMUX=x {browse(tmp_path, state='last')}\r")
    second.next_page()
    first.type(f"{browse(tmp_path, state='own')}\r")
    first.next_page()
    assert len(first.asked) == len(second.asked) == 1
    for session in (first, second):
        session.type("exit 0\r")
        assert session.end() == 0


def test_a_program_of_a_session_that_is_over_asks_another_one(far, start, tmp_path):
    first = start()
    first.wait_for(r"[#$] $")
    second = start()
    second.wait_for(r"[#$] $")
    root = next((far.home / ".switchyard").iterdir())
    first.type("exit 0\r")
    assert first.end() == 0
    eventually((root / "1").is_symlink, what="the first's folder leading on")
    second.type(f"BROWSER={root}/1/browse; {browse(tmp_path, state='orphan')}\r")
    second.next_page()
    third = start()
    third.wait_for(r"[#$] $")
    assert (root / "3" / "browse").exists()
    eventually(lambda: os.readlink(root / "1") == "3", what="its leading to the newest")
    for session in (second, third):
        session.type("exit 0\r")
        assert session.end() == 0
    nothing_is_left(far, second)


def test_browse_tells_when_nobody_takes_an_address(far, start, tmp_path):
    session = start()
    session.wait_for(r"[#$] $")
    (tmp_path / "dead").mkdir()
    address_file = tmp_path / "address"
    address_file.write_text(address() + "\x1b[2J\n")
    dead = f"import socket; socket.socket(socket.AF_UNIX).bind('{tmp_path}/dead/socket')"
    session.type(f"cp $BROWSER {tmp_path}/dead; {sys.executable} -c \"{dead}\"; {tmp_path}/dead/browse \"$(cat {address_file})\"\r")
    shown = session.wait_for(r"nobody is connected; open this address in a browser: (\S+)\r")[1]
    assert shown == address_file.read_text().replace("\x1b", "").strip()
    session.type("exit 0\r")
    assert session.end() == 0


def test_browse_returns_0_at_once_whatever_it_is_given(start):
    given = address()
    session = start(f"$BROWSER; echo $?; $BROWSER ''; echo $?; $BROWSER 'a b'; echo $?; $BROWSER '{given}'; echo $?", terminal=False)
    assert session.end() == 0
    assert [line for line in session.text.splitlines() if line.isdigit()] == ["0", "0", "0", "0"]


@pytest.mark.parametrize("option", ["AllowStreamLocalForwarding no", "AllowTcpForwarding no", "DisableForwarding yes"])
def test_a_server_that_forbids_forwarding_costs_one_line(make_far, start, option):
    machine = make_far(sshd_options=[option])
    session = start("echo B=$BROWSER; exit 5", to=machine, terminal=False)
    assert session.end() == 5
    lines = session.text.splitlines()
    assert sorted(lines)[0] == "B=" and len(lines) == 2 and "forbids forwarding" in session.text
    nothing_is_left(machine, session)


@pytest.mark.parametrize("named", ["-J", "ProxyJump"])
def test_behind_a_jump_host_only_the_last_machine_is_asked_for_anything(make_far, start, tmp_path, named):
    jump, machine, door, port = make_far(), make_far(), free_port(), free_port()
    machine.listen_on(jump, door)
    config = tmp_path / "config"
    config.write_text("\n".join([
        jump.config.read_text().replace("Host *", "Host jump"), "Host devbox", "  HostName 127.0.0.1", f"  Port {door}",
        *machine.way(), *(["  ProxyJump jump"] if named == "ProxyJump" else []), ""]))
    session = start(
        sys.executable, TOOL, ENDPOINT, "localhost", port, "jumped", to=SimpleNamespace(config=config), terminal=False,
        ssh=("-J", "jump") if named == "-J" else ())
    come_home(session, port, "jumped")
    session.wait_for(r"RECEIVED .*jumped")
    assert session.end() == 0
    assert jump.leftovers() == []
    eventually(lambda: not machine.leftovers(), what="the last machine being left as it was")


def test_in_a_container_the_mounted_socket_is_enough(far, start, tmp_path):
    """As `docker run -v ~/.switchyard:$HOME/.switchyard:ro -e BROWSER --network host` has it, by the same kernel's means."""
    port = free_port()
    (tmp_path / "tool").write_text(f"exec $BROWSER '{address(port)}'\n")
    session = start(
        f"unshare --mount sh -c 'mkdir {tmp_path}/aside && mount --bind ~/.switchyard {tmp_path}/aside && mount -t tmpfs none ~ && "
        f"mkdir ~/.switchyard && mount --bind {tmp_path}/aside ~/.switchyard && mount -o remount,bind,ro ~/.switchyard && ls -A ~ && sh {tmp_path}/tool' && read word", terminal=False)
    session.next_page()
    session.type("go\n")
    assert session.end() == 0 and session.text.splitlines()[0] == ".switchyard"
    nothing_is_left(far, session)


@pytest.mark.skipif(shutil.which("sudo") is None, reason="there is no sudo")
def test_sudo_keeps_the_browser_where_it_is_told_to(far, start):
    session = start(
        f"sudo sh -c 'echo \"[$BROWSER]\"'; sudo --preserve-env=BROWSER sh -c '$BROWSER \"{address()}\"'; read word", terminal=False)
    session.next_page()
    session.type("go\n")
    assert session.end() == 0 and "[]" in session.text
    nothing_is_left(far, session)


def test_a_server_that_lets_nothing_reach_the_tool_is_told(make_far, start, tmp_path):
    machine, port = make_far(sshd_options=["AllowTcpForwarding remote"]), free_port()
    session = start(f"$BROWSER '{address(port)}'; read word", to=machine, terminal=False, ssh=("-o", "LogLevel=INFO"))
    assert ask(session.next_page() + "/continue", "POST") == 303
    assert ask(f"http://127.0.0.1:{port}/cb?code=c&state=s1", headers={"Host": f"localhost:{port}"}) == 502
    session.wait_for("AllowTcpForwarding")
    session.type("go\n")
    assert session.end() == 0


def a_path(folder, *programs):
    folder.mkdir()
    for program in programs:
        (folder / program).symlink_to(shutil.which(program))
    return folder


# POSIX names these as programs. Some shells have the last four built in, yash only if there is such a program.
BASICS = ("sh", "bash", "uname", "tr", "mkdir", "cat", "chmod", "rm", "rmdir", "ls", "head", "ln", "mv", "sleep", "env", "kill",
          "printf", "echo", "[")


def test_without_curl_it_is_told_and_what_is_printed_is_still_seen(make_far, start, tmp_path):
    machine = make_far(path=a_path(tmp_path / "bin", *BASICS))
    session = start(to=machine)
    session.wait_for(r"[#$] $")
    session.wait_for("there is no curl on devbox")
    session.type(f"$BROWSER '{address()}'; echo status $?\r")
    session.next_page()
    session.wait_for("status 0")
    session.type("exit 0\r")
    assert session.end() == 0
    nothing_is_left(machine, session)


def test_busybox_is_shell_enough(make_far, start, tmp_path):
    folder = a_path(tmp_path / "bin", "curl", "bash")
    for name in BASICS:
        if name != "bash":
            (folder / name).symlink_to(shutil.which("busybox"))
    machine = make_far(path=folder)
    session = start(f"ls -l /proc/$$/exe; sh $BROWSER '{address()}'; read word; exit 6", to=machine, terminal=False)
    session.next_page()
    session.type("go\n")
    assert session.end() == 6
    nothing_is_left(machine, session)


@pytest.mark.parametrize("shell", ["bash", "dash", "ksh93", "mksh", "posh", "yash", "zsh"])
def test_any_posix_shell_is_shell_enough(make_far, start, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    folder = a_path(tmp_path / "bin", "curl", *BASICS)
    (folder / "sh").unlink()
    (folder / "sh").symlink_to(shutil.which(shell))
    machine = make_far(path=folder)
    sessions = [start(f"sh $BROWSER '{address(state=state)}'; read word; exit 6", to=machine, terminal=False) for state in "ab"]
    for session in sessions:
        session.next_page()
    for session in sessions:
        session.type("go\n")
        assert session.end() == 6 and "no browser" not in session.text
    nothing_is_left(machine, sessions[0])


def test_where_switchyard_is_there_it_is_used(make_far, start, tmp_path):
    folder = a_path(tmp_path / "bin", *BASICS)
    (folder / "switchyard").symlink_to(SWITCHYARD)
    machine = make_far(path=folder)
    session = start(f"$BROWSER '{address()}'; switchyard browse '{address(state='other')}'; read word", to=machine, terminal=False)
    session.next_page(2)
    session.type("go\n")
    assert session.end() == 0


def set_environment(machine, **variables):
    """The variables that a session there has beside the usual ones."""
    config = Path(machine.folder / "sshd_config")
    words = " ".join(f"{name}={value}" for name, value in variables.items())
    config.write_text(config.read_text().replace("SetEnv ", f"SetEnv {words} ", 1))


@pytest.mark.parametrize("home", ["home:with%odd", "group", "others"])
def test_without_a_folder_of_its_own_there_is_no_browser_and_one_line_says_so(make_far, start, tmp_path, home):
    """BROWSER lives on in tmux, so no other user may make a folder at the old one's path."""
    machine = make_far()
    place = tmp_path / home
    place.mkdir()
    place.chmod({"group": 0o775, "others": 0o1777}.get(home, 0o755))
    config = Path(machine.folder / "sshd_config")
    config.write_text(config.read_text().replace(f"HOME={machine.home}", f"HOME={place}"))
    session = start("echo [$BROWSER]", to=machine, terminal=False)
    assert session.end() == 0
    assert "[]" in session.text and session.text.count("no browser for devbox: ") == 1
    assert "BROWSER is not set" in session.text
    assert list(place.iterdir()) == [] and list(Path("/tmp").glob("switchyard-*/*/1")) == []


@pytest.mark.parametrize("mode", [0o700, 0o770])
def test_the_folder_of_the_login_does_where_the_home_does_not(make_far, start, tmp_path, mode):
    machine = make_far()
    home, runtime = tmp_path / "home:odd", Path(tempfile.mkdtemp(dir="/tmp"))
    home.mkdir()
    runtime.chmod(mode)
    config = Path(machine.folder / "sshd_config")
    config.write_text(config.read_text().replace(f"HOME={machine.home}", f"HOME={home}").replace(
        "XDG_RUNTIME_DIR=", f"XDG_RUNTIME_DIR={runtime}"))
    try:
        session = start("echo [$BROWSER]", to=machine, terminal=False)
        assert session.end() == 0
        assert (f"[{runtime}/switchyard/" in session.text) == (mode == 0o700)
        assert ("no browser for devbox" in session.text) == (mode != 0o700)
        eventually(lambda: list(runtime.iterdir()) == [], what="the folder being empty again")
    finally:
        shutil.rmtree(runtime)


# MARK: start-up files

START_UP = {
    "bash": (".bashrc", "export BROWSER=lynx\n"), "zsh": (".zshenv", "export BROWSER=lynx\n"),
    "fish": (".config/fish/config.fish", "set -gx BROWSER lynx\n"),
}


def start_up_file(machine, shell, name, text):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    file = machine.home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize("shell", START_UP)
def test_a_command_has_our_browser_whatever_its_shells_start_up_files_set(make_far, start, shell):
    machine = make_far()
    start_up_file(machine, shell, *START_UP[shell])
    set_environment(machine, SHELL=shutil.which(shell))
    session = start("echo is=$BROWSER; exit 7", to=machine, terminal=False)
    assert session.end() == 7
    assert re.search(r"^is=/\S+/\.switchyard/\S+/1/browse$", session.text, re.M), session.text
    assert "switchyard:" not in session.text


@pytest.mark.parametrize("shell, name, text", [
    ("bash", ".bashrc", "export BROWSER=lynx; PROMPT_COMMAND=true; echo read\n"),
    ("bash", ".bash_profile", "export BROWSER=lynx; echo read\n"), ("bash", ".profile", "export BROWSER=lynx; echo read\n"),
    ("zsh", ".zshrc", "export BROWSER=lynx; echo read\n"), ("zsh", ".zlogin", "export BROWSER=lynx; echo read\n"),
    ("zsh", ".zshenv", "export BROWSER=lynx; ZDOTDIR=$HOME/z; echo read\n"),
    ("fish", ".config/fish/config.fish", "set -gx BROWSER lynx; echo read\n"),
])
def test_an_interactive_shell_has_our_browser_whatever_its_start_up_files_set(make_far, start, shell, name, text):
    machine = make_far()
    start_up_file(machine, shell, name, text)
    if name == ".bashrc":
        (machine.home / ".profile").write_text(". ~/.bashrc\n")
    # Else zsh asks a newcomer questions.
    (machine.home / ".zshrc").touch()
    set_environment(machine, SHELL=shutil.which(shell))
    session = start(to=machine)
    session.wait_for("read")
    session.type("echo is=$BROWSER=\r")
    session.wait_for(r"is=/\S+/\.switchyard/\S+/1/browse=")
    if shell == "bash":
        session.type("shopt -q login_shell && echo is a $?login; set -o | grep posix; echo file=$HISTFILE; echo env=$ENV=\r")
        session.wait_for("is a 0login")
        session.wait_for(r"posix\s+off")
        session.wait_for(r"file=\S+/\.bash_history")
        session.wait_for("env==")
    if shell == "zsh":
        session.type('echo dot=$ZDOTDIR=; echo "hooks=$precmd_functions=$+functions[_switchyard_keep]="\r')
        session.wait_for(f"dot={machine.home}/z=" if name == ".zshenv" else "dot==")
        session.wait_for("hooks=[^=]*=0=")
    session.type("exit 3\r")
    assert session.end() == 3
    assert "switchyard:" not in session.text
    nothing_is_left(machine, session)


def test_a_shell_that_gives_no_way_to_set_ours_is_told_in_one_line(make_far, start):
    machine = make_far()
    start_up_file(machine, "dash", ".profile", "# BROWSER=no\nexport BROWSER=lynx\n")
    set_environment(machine, SHELL=shutil.which("dash"))
    session = start(to=machine, columns=1000)
    session.wait_for(r"switchyard: \S+/\.profile sets another BROWSER, and dash gives no way to set ours after it")
    session.type("exit 0\r")
    assert session.end() == 0
    assert session.text.count("switchyard:") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_users_runtime_folder_is_no_place_for_the_connection(start, tmp_path):
    """As root has it after `su`: that user could put a folder of its own in the place of ours."""
    theirs = Path(tempfile.mkdtemp(dir="/tmp"))
    os.chown(theirs, 65534, 65534)
    try:
        session = start("echo begun; read word", terminal=False, environment={"XDG_RUNTIME_DIR": str(theirs)})
        session.wait_for("begun")
        assert list(theirs.iterdir()) == []
        session.type("go\n")
        assert session.end() == 0
    finally:
        shutil.rmtree(theirs)


# MARK: without ssh

def test_browse_and_paste_name_the_reason_why_an_address_is_not_followed(tmp_path):
    env = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": ""}

    def browse(url):
        done = subprocess.run([SWITCHYARD, "browse", url], capture_output=True, text=True, env=env)
        assert done.returncode == 0 and url in done.stderr
        return done.stderr

    def paste(text):
        done = subprocess.run([SWITCHYARD, "paste"], input=text + "\n", capture_output=True, text=True, env=env)
        assert done.returncode == 1
        return done.stderr

    base = "https://as.contoso.com/authorize?client_id=x"
    stateless = f"{base}&response_type=code&code_challenge=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A4001%2Fcb"
    told = browse(stateless)
    assert "it has no state" in told and "ssh -L 4001:localhost:4001" in told and "paste its address" not in told
    told = paste("http://127.0.0.1:4001/cb?code=c")
    assert "it has no state" in told and "curl" in told and "no program here" not in told
    for url, reason, remedy in [
            (f"{base}&request_uri=urn%3Ax", "a pushed request", "ssh -L"),
            (f"{base}&response_type=code&state=s", "no redirect URI", "device code"),
            ("https://idp.contoso.com/sso?SAMLRequest=fZJ", "a SAML request", "browser on its own machine"),
            (f"{base}&response_type=code&state=s&redirect_uri=https%3A%2F%2Fapp.contoso.com%2Fcb",
             "does not lead back to this program's own machine", "device code")]:
        told = browse(url)
        assert reason in told and remedy in told, told
        assert reason in paste("https://app.contoso.com/cb?code=c&state=s")
    assert "no OAuth authorization request" in browse("https://contoso.com/")


def test_paste_brings_the_address_to_the_tool(tmp_path):
    port = free_port()
    env = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": ""}
    done = subprocess.run([SWITCHYARD, "browse", address(port)], capture_output=True, text=True, env=env)
    assert done.returncode == 0 and address(port) in done.stderr and "switchyard paste" in done.stderr
    tool = subprocess.Popen(
        [sys.executable, "-c", "import http.server,sys\n"
         "class H(http.server.BaseHTTPRequestHandler):\n"
         "  def do_GET(s): print(s.path, s.headers['Host'], flush=True); s.send_response(200); s.end_headers()\n"
         "  def log_message(*a): pass\n"
         f"http.server.HTTPServer(('127.0.0.1', {port}), H).handle_request()"], stdout=subprocess.PIPE, text=True)

    def paste(text):
        return subprocess.run([SWITCHYARD, "paste"], input=text + "\n", capture_output=True, text=True, env=env)

    base = f"http://localhost:{port}/cb"
    for wrong in (f"{base}?code=c&state=s2", f"http://localhost:{port + 1}/cb?code=c&state=s1", f"{base}/x?code=c&state=s1",
                  f"http://evil.example:{port}/cb?code=c&state=s1", "hello", f"{base}?code=c&state=s1&state=s1"):
        refused = paste(wrong)
        assert refused.returncode == 1 and "hint" in refused.stderr, wrong
    eventually(lambda: paste(f"{base}?code=%41b&state=s1").returncode == 0, 10)
    assert tool.stdout.readline() == f"/cb?code=%41b&state=s1 localhost:{port}\n"
    tool.wait(10)
    assert paste(f"{base}?code=%41b&state=s1").returncode == 1


def test_an_address_that_is_longer_than_a_terminal_s_lines_can_be_pasted_at_one(tmp_path):
    port, state = free_port(), "s" * 3000
    env = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": ""}
    subprocess.run([SWITCHYARD, "browse", address(port, state=state)], capture_output=True, env=env, check=True)
    target = f"/cb?code={'c' * 5000}&state={state}"
    with socket.create_server(("127.0.0.1", port)) as server:
        master, slave = pty.openpty()
        command = subprocess.Popen([SWITCHYARD, "paste"], stdin=slave, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        shown = bytearray()

        def read():
            try:
                while piece := os.read(master, 65536):
                    shown.extend(piece)
            except OSError:
                pass

        threading.Thread(target=read, daemon=True).start()
        eventually(lambda: b"Paste" in shown, what="the question")
        # The terminal itself edits text that is typed before the command listens.
        eventually(lambda: not termios.tcgetattr(master)[3] & termios.ICANON, what="the command listening")
        os.write(master, b"wrong\x15" + f"http://localhost:{port}{target}x\x7f\r".encode())
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as request:
            assert request.readline() == f"GET {target} HTTP/1.1\r\n".encode()
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        assert command.wait(30) == 0
        assert termios.tcgetattr(master)[3] & termios.ICANON
    os.close(master)


def test_paste_says_that_a_form_cannot_be_pasted(tmp_path):
    port = free_port()
    env = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": ""}
    given = address(port, response_mode="form_post")
    done = subprocess.run([SWITCHYARD, "browse", given], capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "form" in done.stderr
    refused = subprocess.run(
        [SWITCHYARD, "paste"], input=f"http://localhost:{port}/cb\n", capture_output=True, text=True, env=env)
    assert refused.returncode == 1 and "form" in refused.stderr
