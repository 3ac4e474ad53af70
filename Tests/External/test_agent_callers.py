"""An agent judges each caller: the tokens that it may use, the sandbox that it runs in, and its share of the agent."""

import contextlib
import json
import os
import re
import resource
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml

from harness.desktop import Desktop
from harness.fuse import SilentFileSystem
from harness.issuer import authorize
from harness.programs import eventually

MAIL, OTHER = "com.contoso.mail", "com.contoso.other"
PYTHON = os.path.realpath(sys.executable)
ONLY_PYTHON = {"use_from": {"executables": [PYTHON]}}
# Without this right, the kernel hides from root what it hides from other users. Callers give it up, too: no process sees a program
# with more rights than its own.
WITHOUT_PTRACE = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"]


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


def sign_in(desktop, app=MAIL):
    pending = desktop.api.begin(app, scope="openid offline_access")
    assert desktop.api.relay(authorize(pending.authorization_url)).status == 200
    assert pending.outcome()["status"] == "completed"


def curl(desktop, app, path="/v1/tokens"):
    """The answer to another program of the same user."""
    done = subprocess.run(
        ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", desktop.socket, "--json",
         json.dumps({"app": app}), f"http://localhost{path}"], capture_output=True, text=True, timeout=30, check=True)
    return int(done.stdout)


def python(desktop, app):
    return desktop.api.call("POST", "/v1/tokens", {"app": app}).status


def add(desktop, name, *apps):
    """A further file of apps, with its issuer in another file."""
    file = desktop.configuration / "switchyard" / "apps.d" / name
    file.write_text(yaml.safe_dump({"apps": list(apps)}))
    return file


# MARK: The lists of one token cache


def other_app(**keys):
    app = Desktop.app("other", **keys)
    if "handler" in keys:
        del app["default_scope"]
    return app


@pytest.mark.parametrize("keys", [
    {}, {"handler": {"socket": "/run/user/0/nobody.sock"}}, {"handler": {"exec": ["/bin/true", "{ticket}"]}},
    {"handler": {"redirect": "x-legacy://callback"}, "redirect_uris": ["https://login.contoso.com/other"]},
    {"handler": "loopback", "redirect_uris": ["https://login.contoso.com/other"]},
    {"use_from": {"executables": [PYTHON, "/usr/bin/curl"]}},
], ids=lambda keys: json.dumps(keys.get("handler", keys.get("use_from", "no list")))[:20])
def test_no_app_widens_the_list_of_another_with_the_same_tokens(desktop, issuer, keys):
    """The other app's file sorts first, and its handler completes no requests."""
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    add(desktop, "00-other.yaml", other_app(**keys))
    desktop.start_agent()
    sign_in(desktop)
    assert python(desktop, MAIL) == 200 and curl(desktop, MAIL) == 403
    assert python(desktop, OTHER) == 200 and curl(desktop, OTHER) == 403


def test_no_file_keeps_the_app_of_another_with_the_same_client_from_signing_in(desktop, issuer):
    """Neither by another list nor by another release."""
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    add(desktop, "00-other.yaml", other_app(release="none", use_from={"executables": [PYTHON, "/usr/bin/curl"]}))
    agent = desktop.start_agent()
    sign_in(desktop)
    assert python(desktop, MAIL) == 200 and curl(desktop, OTHER) == 403
    assert "the weaker would hold for both" in agent.output() and "left out" not in agent.output()


def test_an_app_that_keeps_nothing_keeps_nothing_of_the_others_of_its_client(desktop, issuer):
    desktop.apps(issuer.base, "mail", use_from={"executables": []})
    add(desktop, "00-other.yaml", other_app())
    desktop.start_agent()
    sign_in(desktop, OTHER)
    assert python(desktop, OTHER) == curl(desktop, OTHER) == 403
    assert not list(desktop.home.rglob("*.sealed"))


def test_the_list_of_a_file_that_was_left_out_still_counts(desktop, issuer):
    """A file that sorts first takes the app's id, and keeps its list from being read."""
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    file = add(desktop, "00-evil.yaml", Desktop.app("mail", redirect_uris=["msauth.com.contoso.evil://auth"]))
    issuers = [{"name": "demo", "issuer": issuer.base, "ca": "ca.pem"}]
    file.write_text(yaml.safe_dump({"issuers": issuers} | yaml.safe_load(file.read_text())))
    agent = desktop.start_agent()
    assert "mail.yaml" in agent.output() and "left out" in agent.output()
    sign_in(desktop)
    assert curl(desktop, MAIL) == 403 and python(desktop, MAIL) == 200
    # It counts for as long as the file is there.
    (file.parent / "mail.yaml").unlink()
    eventually(lambda: curl(desktop, MAIL) == 200, what="the list being gone")


@pytest.mark.parametrize("evil_has_a_list", [False, True])
def test_no_file_takes_the_issuer_of_another_app_by_its_name(desktop, issuer, evil_has_a_list):
    """Without the check, mail's next sign-in and its secret go to the other issuer, and its list guards the wrong tokens."""
    folder = desktop.apps(issuer.base, "mail", **ONLY_PYTHON).parent
    real = {"issuer": issuer.base, "ca": "ca.pem"}
    (folder / "issuers.yaml").write_text(yaml.safe_dump({"issuers": [{"name": "work"} | real]}))
    add(desktop, "mail.yaml", Desktop.app("mail", issuer="work", **ONLY_PYTHON))
    agent = desktop.start_agent()
    sign_in(desktop)
    assert python(desktop, MAIL) == 200 and curl(desktop, MAIL) == 403
    assert agent.stop() == 0
    keys = {"use_from": {"executables": [PYTHON, "/usr/bin/curl"]}} if evil_has_a_list else {}
    evil = {"issuers": [{"name": "work", "issuer": "https://evil.example"}, {"name": "mine"} | real],
            "apps": [Desktop.app("evil", issuer="mine", **keys)]}
    (folder / "00-x.yaml").write_text(yaml.safe_dump(evil))
    agent = desktop.start_agent()
    assert curl(desktop, "com.contoso.evil") == 403 and python(desktop, "com.contoso.evil") == 200
    assert curl(desktop, "com.contoso.evil", "/v1/requests") == 403
    # No request goes to the other issuer.
    assert desktop.api.begin_reply(MAIL).status == 400
    assert "is not the same in each file that defines it" in agent.output()
    (folder / "00-x.yaml").unlink()
    eventually(lambda: python(desktop, MAIL) == 200, what="the app being back")


def test_an_app_of_the_own_file_is_not_sent_to_another_issuer(desktop, issuer):
    folder = desktop.apps(issuer.base, "mail").parent
    (folder / "mail.yaml").rename(folder / "issuers.yaml")
    own = desktop.configuration / "switchyard" / "agent.yaml"
    own.write_text(yaml.safe_dump({"apps": [Desktop.app("other", **ONLY_PYTHON)]}))
    evil = [{"name": "demo", "issuer": "https://evil.example"}]
    (folder / "00-x.yaml").write_text(yaml.safe_dump({"issuers": evil}))
    agent = desktop.start_agent()
    assert desktop.api.begin_reply(OTHER).status == 400 and re.search(f'{OTHER}.{{1,4}}is left out', agent.output())
    (folder / "00-x.yaml").unlink()
    eventually(lambda: desktop.api.begin_reply(OTHER).status == 201, what="the app being back")


def break_syntax(file):
    file.write_text(file.read_text() + "apps: [\n")


def link(file):
    os.link(file, file.with_suffix(".copy"))


def replace_by_pipe(file):
    file.unlink()
    os.mkfifo(file)


BREAKS = {"syntax": break_syntax, "group": lambda file: file.chmod(0o660), "link": link, "pipe": replace_by_pipe}


@pytest.mark.parametrize("way", BREAKS)
@pytest.mark.parametrize("keys", [{}, {"use_from": {"executables": [PYTHON, "/usr/bin/curl"]}}], ids=["no list", "own list"])
def test_a_file_that_can_no_longer_be_read_keeps_its_list(desktop, issuer, way, keys):
    file = desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    other = add(desktop, "other.yaml", other_app(**keys))
    issuers = [{"name": "demo", "issuer": issuer.base, "ca": "ca.pem"}]
    other.write_text(yaml.safe_dump({"issuers": issuers} | yaml.safe_load(other.read_text())))
    agent = desktop.start_agent()
    sign_in(desktop)
    assert python(desktop, OTHER) == 200 and curl(desktop, OTHER) == 403
    BREAKS[way](file)
    eventually(lambda: "left out" in agent.output(), what="the file being left out")
    assert python(desktop, OTHER) == 200 and curl(desktop, OTHER) == 403
    # A second reading remembers it as well.
    other.write_text(other.read_text() + "\n")
    eventually(lambda: agent.output().count("reloaded") >= 2, what="another reading")
    assert python(desktop, OTHER) == 200 and curl(desktop, OTHER) == 403
    assert agent.stop() == 0
    # An agent that starts now knows no version that can be read.
    agent = desktop.start_agent()
    assert curl(desktop, OTHER) == 403
    is_parsed = way in ("group", "link")
    assert python(desktop, OTHER) == (200 if is_parsed else 403)
    doctor = desktop.run("doctor", "--config", desktop.configuration / "switchyard" / "agent.yaml")
    assert ("use_from lists are unknown" in doctor.stdout + doctor.stderr) == (not is_parsed)
    if not is_parsed:
        answer = desktop.api.call("POST", "/v1/tokens", {"app": OTHER}).json
        assert answer["error"] == "access_denied" and str(file) in json.dumps(answer)
    file.unlink()
    eventually(lambda: curl(desktop, OTHER) == 200, what="the list being gone")


def test_a_broken_file_of_another_client_takes_no_tokens_away(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    add(desktop, "broken.yaml", Desktop.app("other", client_id="another-client")).open("a").write("apps: [\n")
    desktop.start_agent()
    sign_in(desktop)
    assert curl(desktop, MAIL) == 200


def test_a_sign_in_for_another_app_of_the_client_is_no_way_round(desktop, issuer):
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    add(desktop, "00-other.yaml", other_app())
    desktop.start_agent()
    assert curl(desktop, OTHER, "/v1/requests") == 403 and desktop.api.begin_reply(OTHER).status == 201


def test_check_tells_lists_that_differ_and_leaves_no_file_out(desktop, issuer):
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    add(desktop, "00-other.yaml", other_app())
    done = desktop.run("check", "--config", desktop.configuration / "switchyard" / "agent.yaml")
    assert done.returncode == 0 and "in each list" in done.stderr + done.stdout, done


# MARK: The sandbox of a program

ASKS = """
import ctypes, os, socket, sys, threading, time
path, app, root, trick = sys.argv[1:5]
peer = socket.socket(socket.AF_UNIX)
peer.connect(path)
if root:
    os.chroot(root)
if trick == "not dumpable":
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
def ask():
    body = b'{"app":"%s"}' % app.encode()
    peer.sendall(b"POST /v1/tokens HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nConnection: close\\r\\n"
                 b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    while piece := peer.recv(65536):
        os.write(1, piece)
    os._exit(0)
if trick == "first thread ended":
    def later():
        time.sleep(0.5)
        ask()
    threading.Thread(target=later).start()
    ctypes.CDLL(None).syscall(60, 0)
ask()
"""


def asks(desktop, app, root="", trick="", **options):
    done = subprocess.run(
        [*WITHOUT_PTRACE, sys.executable, "-c", ASKS, str(desktop.socket), app, str(root), trick], capture_output=True,
        text=True, timeout=60, check=False, **options)
    return int(done.stdout.split()[1])


@pytest.fixture
def scope():
    """Puts a child into a control group as a desktop names it."""
    places = [place for place in (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup")) if (place / "cgroup.procs").exists()]
    unit = f"user@{os.getuid()}.service/app.slice/app-gnome-org.gnome.Evolution-{os.getpid()}.scope"
    try:
        folder = places[0] / f"switchyard-{os.getpid()}" / unit
        folder.mkdir(parents=True)
    except (IndexError, OSError):
        pytest.skip("takes control groups")
    yield lambda: (folder / "cgroup.procs").write_text(str(os.getpid()))
    for place in (folder, folder.parent, folder.parent.parent, folder.parent.parent.parent):
        eventually(lambda place=place: _removed(place), what="the end of a control group")


def _removed(folder):
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


@pytest.mark.skipif(os.getuid() != 0, reason="takes a root of its own")
@pytest.mark.parametrize("trick", ["", "not dumpable", "first thread ended"])
def test_a_program_that_hides_its_root_is_in_no_known_sandbox(desktop, issuer, scope, tmp_path, trick):
    """It runs in the scope of a listed app, which counts only for a program that has the agent's own root."""
    desktop.apps(issuer.base, "mail", use_from={"desktop_ids": ["org.gnome.Evolution"]})
    agent = desktop.agent()
    agent.prefix = WITHOUT_PTRACE + agent.prefix
    agent.launch(lambda: "ready" in agent.output())
    assert asks(desktop, MAIL, preexec_fn=scope) == 401
    root = tmp_path / "root"
    root.mkdir()
    (root / ".flatpak-info").write_text("[Application]\nname=com.evil.Game\n\n[Instance]\ninstance-id=1\n")
    assert asks(desktop, MAIL, root=root, trick=trick, preexec_fn=scope) == 403
    if trick:
        assert asks(desktop, MAIL, trick=trick, preexec_fn=scope) == 403


@pytest.mark.skipif(os.getuid() != 0, reason="takes a root of its own")
def test_a_root_of_its_own_is_a_sandbox_whatever_stands_in_it(desktop, issuer, tmp_path):
    desktop.apps(issuer.base, "mail", **ONLY_PYTHON)
    desktop.start_agent()
    (tmp_path / "root").mkdir()
    assert asks(desktop, MAIL) == 401 and asks(desktop, MAIL, root=tmp_path / "root") == 403


@pytest.mark.skipif(os.getuid() != 0, reason="takes a root of its own")
def test_an_app_without_a_list_asks_nothing_of_who_calls(desktop, issuer):
    """Programs that leave no core file, ours among them, get the tokens that any program gets."""
    desktop.apps(issuer.base, "mail")
    agent = desktop.agent()
    agent.prefix = WITHOUT_PTRACE + agent.prefix
    agent.launch(lambda: "ready" in agent.output())
    assert asks(desktop, MAIL, trick="not dumpable") == 401


@pytest.fixture
def silent(tmp_path):
    folder = tmp_path / "silent"
    folder.mkdir()
    try:
        silent = SilentFileSystem(folder)
    except OSError as error:
        pytest.skip(f"takes FUSE: {error}")
    yield silent
    silent.close()


def test_a_file_system_that_never_answers_holds_up_nobody(desktop, issuer, silent):
    """The caller's root is one, and a list names a file in one."""
    lists = {"use_from": {"executables": [f"{silent.folder}/bin/mail", PYTHON]}}
    desktop.apps(issuer.base, "mail", **lists)
    agent = desktop.start_agent()
    process = subprocess.Popen(
        [sys.executable, "-c", ASKS, str(desktop.socket), MAIL, str(silent.folder), ""], stdout=subprocess.PIPE, text=True)
    try:
        out, _ = process.communicate(timeout=20)
        assert out.startswith("HTTP/1.1 403 ")
        assert python(desktop, MAIL) == 401 and curl(desktop, MAIL) == 403
        assert not silent.asked.is_set()
        assert agent.stop() == 0
    finally:
        # Before anything else: an agent that waits for it cannot be killed.
        silent.close()
        process.kill()
        silent.close = lambda: None


# MARK: How much of the agent is theirs


@pytest.mark.rule(11)
def test_one_programs_flood_leaves_room_for_the_others(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    own = desktop.configuration / "switchyard" / "agent.yaml"
    own.write_text("limits: { begin_rate: 2, requests_per_address: 20, collect_rate: 2, callback_rate: 2 }\n")
    desktop.start_agent()
    stop = threading.Event()
    statuses = []

    def flood():
        while not stop.is_set():
            statuses.append((desktop.api.begin_reply(MAIL).status, python(desktop, MAIL),
                             desktop.api.relay("msauth.com.contoso.mail://auth?code=x&state=y").status))

    threads = [threading.Thread(target=flood) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        eventually(lambda: sum(429 in some for some in statuses) > 30, what="the flood at its limit")
        assert curl(desktop, MAIL, "/v1/requests") == 201
        assert curl(desktop, MAIL) == 401
        # `switchyard open` is a program of its own: it hears what became of the callback.
        done = desktop.run("open", "msauth.com.contoso.mail://auth?code=x&state=y")
        assert "no_pending_request" in done.stderr, done
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.rule(14)
def test_one_program_does_not_use_up_the_agents_connections(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    desktop.start_agent()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    held = []
    try:
        for _ in range(1200):
            held.append(socket.socket(socket.AF_UNIX))
            with contextlib.suppress(OSError):
                held[-1].connect(str(desktop.socket))
                held[-1].sendall(b"G")
        assert curl(desktop, MAIL, "/v1/requests") == 201
    finally:
        for connection in held:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def has_room():
        # A connection above the limit is reset.
        try:
            return python(desktop, MAIL) == 401
        except ConnectionError:
            return False

    eventually(has_room, what="room for this program")


@pytest.mark.rule(14)
def test_a_program_may_have_64_connections_to_an_agent(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    agent = desktop.start_agent()
    with contextlib.ExitStack() as held:
        for _ in range(64):
            held.enter_context(socket.socket(socket.AF_UNIX)).connect(str(desktop.socket))
        assert python(desktop, MAIL) == 503
        assert curl(desktop, MAIL) == 401
    assert "connections_per_address" in agent.output()
    eventually(lambda: python(desktop, MAIL) == 401, what="room for this program")


# MARK: The folder that sandboxes are given


def test_the_folder_for_sandboxes_holds_the_programs_socket_alone(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    assert desktop.run("open", "msauth.com.contoso.mail://auth?code=x&state=y").returncode == 1
    eventually(desktop.started_agent)
    assert [file.name for file in desktop.socket.parent.iterdir()] == ["agent.sock"]
    names = {"admin.sock", "agent.lock", "agent.log"}
    assert {file.name for file in desktop.private.iterdir()} == names
    assert (desktop.private.stat().st_mode & 0o777) == 0o700


def test_another_users_folder_for_the_admin_socket_is_not_used(desktop):
    desktop.private.mkdir()
    desktop.private.chmod(0o755)
    done = desktop.run("agent")
    assert done.returncode == 1 and f"chmod 700 {desktop.private}" in done.stderr


def test_a_shared_lock_keeps_no_agent_from_starting(desktop, issuer):
    desktop.private.mkdir(mode=0o700)
    lock = desktop.private / "agent.lock"
    lock.touch(mode=0o600)
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys\nf = open(sys.argv[1])\nfcntl.lockf(f, fcntl.LOCK_SH)\nprint(1, flush=True)\nsys.stdin.read()",
         lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        holder.stdout.readline()
        desktop.start_agent()
        done = desktop.run("agent")
        assert done.returncode == 1 and "runs already" in done.stderr
    finally:
        holder.kill()
        holder.communicate()


# MARK: register


def test_an_app_that_is_registered_is_known_to_the_agent(desktop, issuer):
    desktop.start_agent()
    file = desktop.apps(issuer.base, "mail")
    done = desktop.run("register", file)
    assert done.returncode == 0 and "registered" in done.stdout and "note: the" not in done.stderr, done
    # At once.
    assert desktop.api.begin_reply(MAIL).status == 201


def test_register_says_that_the_agent_does_not_know_the_app(desktop, issuer):
    desktop.start_agent()
    file = desktop.apps(issuer.base, "mail")
    elsewhere = desktop.home / "mail.yaml"
    file.rename(elsewhere)
    done = desktop.run("register", elsewhere)
    assert done.returncode == 0 and f"does not know {MAIL}" in done.stderr and "apps.d" in done.stderr, done
