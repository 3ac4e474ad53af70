"""No process of ours leaves a core file, with or without systemd: its memory holds codes, tokens and keys."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.desktop import Desktop
from harness.gateway import CA
from harness.programs import SWITCHYARD, eventually

OTHER_USER = 65534


def unlimited(folder):
    """The command with which a program would write a whole core file into `folder`."""
    return ["env", f"--chdir={folder}", "prlimit", "--core=unlimited:unlimited"]


def leaves_a_core_file(process):
    """Whether the kernel writes a core file of the process once it is aborted."""
    os.kill(process.pid, signal.SIGABRT)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = -os.WTERMSIG(status)
    assert os.WTERMSIG(status) == signal.SIGABRT
    return os.WCOREDUMP(status)


def is_visible(process, user):
    """Whether another process of the same user may look into the process."""
    words = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "readlink", f"/proc/{process.pid}/exe"]
    return subprocess.run(words, capture_output=True).returncode == 0


@pytest.fixture(autouse=True)
def folder(tmp_path):
    """Only where this machine writes core files at all."""
    try:
        words = [*unlimited(tmp_path), sys.executable, "-c", "print('up', flush=True); import time; time.sleep(60)"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"up\n"
    except AssertionError:
        pytest.skip("core files cannot be allowed here")
    if not leaves_a_core_file(process):
        pytest.skip("this machine writes no core files")
    return tmp_path


@pytest.mark.rule(7)
def test_a_gateway_leaves_no_core_file(start_gateway, folder):
    gateway = start_gateway(change=lambda program: program.prefix.extend(unlimited(folder)))
    gateway.api().begin("com.contoso.app1")
    assert not leaves_a_core_file(gateway.process)


@pytest.mark.rule(7)
def test_an_agent_leaves_no_core_file(issuer, folder):
    desktop = Desktop(folder)
    desktop.apps(issuer.base, "mail")
    agent = desktop.agent()
    agent.prefix.extend(unlimited(folder))
    try:
        agent.launch(desktop.socket.exists)
        assert not leaves_a_core_file(agent.process)
    finally:
        desktop.close()


@pytest.mark.rule(7)
def test_a_command_that_waits_for_tokens_leaves_no_core_file(gateway, folder):
    said = folder / "said"
    # Swift's runtime would look for the names of a backtrace for a minute.
    environment = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
    with said.open("w") as output:
        login = subprocess.Popen(
            [*unlimited(folder), SWITCHYARD, "login", "--app", "com.contoso.app1", "--no-browser", "--gateway",
             gateway.socket, "--ca", CA], stderr=output, env=environment)
    eventually(lambda: re.search(r"https?://\S+", said.read_text()), what="an address to open")
    assert not leaves_a_core_file(login)


@pytest.mark.rule(7)
@pytest.mark.skipif(os.geteuid() != 0, reason="takes two users")
def test_a_process_that_serves_is_hidden_from_others_of_its_user_and_a_command_is_not():
    folder = Path(tempfile.mkdtemp())
    os.chown(folder, OTHER_USER, OTHER_USER)
    words = ["setpriv", f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups", "env", f"--chdir={folder}",
             f"HOME={folder}", f"XDG_RUNTIME_DIR={folder}"]
    serving = subprocess.Popen([*words, SWITCHYARD, "agent"], stderr=subprocess.DEVNULL)
    asking = subprocess.Popen([*words, SWITCHYARD, "issuer", "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: (folder / "switchyard" / "agent.sock").exists(), what="the agent")
        assert not is_visible(serving, OTHER_USER)
        eventually(lambda: is_visible(asking, OTHER_USER), what="a command that can be seen")
    finally:
        for process in (serving, asking):
            process.kill()
            process.wait()
        shutil.rmtree(folder)
