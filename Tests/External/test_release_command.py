"""`switchyard release`: the code of the page, given to this user's own process that waits for it."""

import os
import re
import signal
import stat
import subprocess

import pytest

from harness.gateway import Gateway
from harness.held import Visit
from harness.programs import CERTIFICATES, SWITCHYARD, eventually
from harness.users import OTHER, needs_root


@pytest.fixture(scope="module")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"].append(program.app("code", "Coded Mail", client_id="code", release="code"))
    program.start()
    yield program
    program.stop()


@pytest.fixture
def runtime(tmp_path_factory):
    folder = tmp_path_factory.mktemp("r")
    folder.chmod(0o700)
    return folder


def environment(runtime, **more):
    return os.environ | {"XDG_RUNTIME_DIR": str(runtime), "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem"), **more}


class Login:
    """`switchyard login` at a terminal without a person."""

    def __init__(self, gateway, runtime):
        self.process = subprocess.Popen(
            [SWITCHYARD, "login", "--app", "com.contoso.code", "--scope", "openid demo:auto", "--no-browser", "--gateway", gateway.api().address],
            env=environment(runtime), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        text = ""
        while "Waiting for sign-in" not in text:
            line = self.process.stderr.readline()
            assert line, text
            text += line
        self.authorization_url = re.search(r"https://\S+/start/\S+", text)[0]
        self.reference = re.search(r"Waiting for sign-in (\S+)", text)[1]

    def visit(self, gateway):
        """Brings the callback; the page shows the code."""
        answer = gateway.browse(self.authorization_url)
        self.authorization_url = answer.header("Location")
        return Visit(gateway, self)


def release(runtime, *words, **more):
    return subprocess.run([SWITCHYARD, "release", *words], env=environment(runtime), capture_output=True, text=True, timeout=60, **more)


@pytest.fixture
def login(gateway, runtime):
    begun = []

    def make():
        begun.append(Login(gateway, runtime))
        return begun[-1]

    yield make
    for one in begun:
        one.process.kill()
        one.process.communicate()


def waiting(runtime):
    folder = runtime / "sy-waiting"
    return list(folder.iterdir()) if folder.exists() else []


def test_the_code_reaches_the_process_that_waits(gateway, runtime, login):
    one = login()
    visit = one.visit(gateway)
    eventually(lambda: waiting(runtime), what="the socket of the waiting process")
    assert stat.S_IMODE((runtime / "sy-waiting").stat().st_mode) == 0o700
    wrong = release(runtime, "BBBB-BBBB")
    assert wrong.returncode == 1 and "2 tries left" in wrong.stderr, wrong.stderr
    shown = release(runtime, visit.code)
    assert shown.returncode == 0, shown.stderr
    assert one.process.wait(30) == 0 and "access_token" in one.process.stdout.read()
    assert not waiting(runtime)


def test_where_several_wait_it_names_them_and_tries_none(gateway, runtime, login):
    one, two = login(), login()
    visits = [one.visit(gateway), two.visit(gateway)]
    eventually(lambda: len(waiting(runtime)) == 2, what="both sockets")
    shown = release(runtime, visits[0].code)
    assert shown.returncode == 1 and one.reference in shown.stderr and two.reference in shown.stderr, shown.stderr
    unknown = release(runtime, visits[0].code, "--reference", "none")
    assert unknown.returncode == 1 and one.reference in unknown.stderr
    # Each still has all its tries.
    crossed = release(runtime, visits[0].code, "--reference", two.reference)
    assert crossed.returncode == 1 and "2 tries left" in crossed.stderr, crossed.stderr
    for visit, waiter in zip(visits, (one, two)):
        assert release(runtime, visit.code, "--reference", waiter.reference).returncode == 0
        assert waiter.process.wait(30) == 0


def test_a_process_that_was_killed_is_not_in_the_way(gateway, runtime, login):
    gone, one = login(), login()
    gone.visit(gateway)
    visit = one.visit(gateway)
    eventually(lambda: len(waiting(runtime)) == 2, what="both sockets")
    gone.process.send_signal(signal.SIGKILL)
    gone.process.wait()
    assert release(runtime, visit.code).returncode == 0
    assert one.process.wait(30) == 0


def test_without_a_process_that_waits_it_says_so(runtime):
    shown = release(runtime, "ABCD-EFGH")
    assert shown.returncode == 1 and "no process of this user waits" in shown.stderr
    assert release(runtime).returncode == 2 and release(runtime, " ").returncode == 2


@needs_root
@pytest.mark.rule(11)
def test_another_user_gives_no_code_and_learns_of_no_sign_in(gateway, runtime, login):
    one = login()
    visit = one.visit(gateway)
    eventually(lambda: waiting(runtime), what="the socket")
    other = {"user": OTHER, "group": OTHER, "extra_groups": []}
    # Even with folders that are open, the socket judges its peer.
    for folder in (runtime, runtime.parent, runtime / "sy-waiting"):
        folder.chmod(0o755)
    waiting(runtime)[0].chmod(0o666)
    call = ["curl", "-q", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", waiting(runtime)[0], "http://localhost/sign-in"]
    answer = subprocess.run(call, capture_output=True, text=True, timeout=60, **other)
    assert answer.stdout in ("403", "000"), answer.stdout
    # A folder that others can open is not trusted.
    shown = release(runtime, visit.code)
    assert shown.returncode == 1 and "not a folder that this user alone can open" in shown.stderr
    (runtime / "sy-waiting").chmod(0o700)
    assert release(runtime, visit.code).returncode == 0


@needs_root
@pytest.mark.rule(11)
def test_a_folder_of_another_user_is_refused(runtime):
    folder = runtime / "sy-waiting"
    folder.mkdir(0o700)
    os.chown(folder, OTHER, OTHER)
    shown = release(runtime, "ABCD-EFGH")
    assert shown.returncode == 1 and "this user alone" in shown.stderr
