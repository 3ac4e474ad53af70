"""`switchyard agent` and `switchyard open`: the gateway of one person's desktop session."""

import os
import re
import signal
import socket
import stat
import subprocess
import time

import pytest
import yaml

from harness.api import Api
from harness.desktop import Desktop
from harness.issuer import authorize
from harness.programs import SWITCHYARD, eventually
from harness.vault import VAULT

MAIL = "com.contoso.mail"


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


@pytest.fixture
def session(desktop, issuer):
    """A desktop with two apps and a running agent."""
    desktop.apps(issuer.base, "mail", "chat")
    desktop.start_agent()
    return desktop


def test_callback_that_the_desktop_opens_reaches_the_app_that_waits(session):
    pending = session.api.begin(MAIL, scope="openid profile")
    assert pending.redirect_uri == "msauth.com.contoso.mail://auth"
    done = session.run("open", authorize(pending.authorization_url))
    assert done.returncode == 0 and MAIL in done.stderr
    outcome = pending.outcome()
    assert outcome["status"] == "completed" and outcome["token_response"]["access_token"]


def test_whole_sign_in_of_a_command_goes_through_the_agent(session):
    """`login` finds the agent by itself, and gets an address that it can open: no page of a gateway stands between."""
    process = subprocess.Popen(
        [str(SWITCHYARD), "login", "--app", MAIL, "--scope", "openid profile", "--no-browser"],
        env=session.environment, cwd=session.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = ""
        while not (found := re.search(r"^  (http\S+)$", said, re.MULTILINE)):
            said += process.stderr.readline()
        assert session.run("open", authorize(found[1] + "&demo=auto")).returncode == 0
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0 and "access_token" in out
        VAULT.remember_all(yaml.safe_load(out))
    finally:
        process.kill()
        process.communicate()


def test_only_its_user_finds_the_socket(session):
    assert stat.S_IMODE(session.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(session.socket.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="takes two users")
def test_another_user_gets_nothing_even_through_an_open_door(session):
    """The socket and its folders are open to all users: the kernel still names the caller."""
    for place in (session.socket, session.socket.parent, *session.socket.parents):
        if str(place).startswith("/tmp/"):
            place.chmod(0o777 if place == session.socket else place.stat().st_mode | 0o055)
    script = (
        "import socket\ns = socket.socket(socket.AF_UNIX)\n"
        f"s.connect({str(session.socket)!r})\n"
        "s.sendall(b'GET /v1/requests/x HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')\n"
        "print(s.recv(4096).decode())\n")
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script],
        capture_output=True, text=True, timeout=30)
    assert " 403 " in done.stdout and "access_denied" in done.stdout, done
    assert session.api.call("GET", "/v1/requests/x").status == 401


def test_status_and_explain_show_this_users_agent(session):
    pending = session.api.begin(MAIL, scope="openid")
    admin = session.private / "admin.sock"
    assert stat.S_IMODE(admin.stat().st_mode) == 0o600
    done = session.run("status", "--json", "--admin", f"unix:{admin}")
    assert done.returncode == 0 and yaml.safe_load(done.stdout), done
    told = eventually(lambda: (told := session.run("explain", pending.reference, "--admin", f"unix:{admin}")).returncode == 0 and told)
    assert MAIL in told.stdout


@pytest.mark.skipif(os.path.exists("/etc/switchyard/switchyard.yaml"), reason="this machine has a gateway")
def test_status_finds_the_agent_by_itself(session):
    done = session.run("status")
    assert done.returncode == 0 and done.stdout, done
    session.agents[0].stop()
    done = session.run("status")
    assert done.returncode == 1 and "switchyard agent" in done.stderr, done


@pytest.mark.skipif(os.path.exists("/etc/switchyard/switchyard.yaml"), reason="this machine has a gateway")
def test_reload_finds_the_agent_by_itself(session):
    done = session.run("reload")
    assert done.returncode == 0 and "2 apps" in done.stdout, done


def test_commands_that_are_given_the_agents_file_do_as_the_agent_does_without_it(session):
    file = session.configuration / "switchyard" / "agent.yaml"
    assert not file.exists()
    done = session.run("status", "--json", "--config", file)
    assert done.returncode == 0 and yaml.safe_load(done.stdout), done
    pending = session.api.begin(MAIL, scope="openid")
    told = eventually(lambda: (told := session.run("explain", pending.reference, "--config", file)).returncode == 0 and told)
    assert MAIL in told.stdout
    done = session.run("reload", "--config", file)
    assert done.returncode == 0 and "2 apps" in done.stdout, done
    done = session.run("doctor", "--config", file)
    assert "it can be used: 2 apps" in done.stdout and "it takes connections" in done.stdout, done
    assert "any program of this user may ask for tokens of" in done.stdout, done


def test_second_agent_says_who_runs(session):
    done = session.run("agent")
    assert done.returncode == 1 and str(session.agents[0].serving) in done.stderr
    assert session.api.begin_reply(MAIL).status == 201


def test_agent_that_was_killed_leaves_nothing_in_the_way(session):
    session.agents[0].kill()
    session.start_agent()
    assert session.api.begin_reply(MAIL).status == 201


def test_agent_without_any_file_starts(desktop):
    desktop.start_agent()
    reply = desktop.api.begin_reply(MAIL)
    assert reply.status == 400 and MAIL in reply.json["error_description"]


def test_new_file_of_apps_is_taken_by_itself(desktop, issuer):
    desktop.start_agent()
    desktop.apps(issuer.base, "mail")
    eventually(lambda: desktop.api.begin_reply(MAIL).status == 201, what="the app being known")
    (desktop.configuration / "switchyard" / "apps.d" / "mail.yaml").unlink()
    eventually(lambda: desktop.api.begin_reply(MAIL).status == 400, what="the app being gone")


def test_its_own_file_is_taken_on_sighup(desktop, issuer):
    agent = desktop.start_agent()
    file = desktop.configuration / "switchyard" / "agent.yaml"
    file.parent.mkdir(parents=True)
    (file.parent / "ca.pem").write_bytes((desktop.apps(issuer.base, "chat").parent / "ca.pem").read_bytes())
    file.write_text(yaml.safe_dump({
        "issuers": [{"name": "demo", "issuer": issuer.base, "ca": "apps.d/ca.pem"}],
        "apps": [desktop.app("mail")]}))
    agent.signal(signal.SIGHUP)
    eventually(lambda: "com.contoso.mail" in agent.output() or desktop.api.begin_reply(MAIL).status == 201)


def test_mistake_in_one_file_keeps_no_other_app_from_signing_in(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    folder = desktop.configuration / "switchyard" / "apps.d"
    (folder / "broken.yaml").write_text("apps: [{ id: com.contoso.broken, issuer: nobody }]\n")
    (folder / "torn.yaml").write_text("apps: [")
    (folder / "open.yaml").write_text("apps: []\n")
    (folder / "open.yaml").chmod(0o666)
    agent = desktop.start_agent()
    assert desktop.api.begin_reply(MAIL).status == 201
    for name in ("broken.yaml", "torn.yaml", "open.yaml"):
        assert name in agent.output()
    checked = desktop.run("check", "--config", folder.parent / "agent.yaml")
    assert checked.returncode == 2 and "broken.yaml:1:" in checked.stderr and "torn.yaml:" in checked.stderr


def test_a_file_that_a_group_can_change_does_not_count(desktop, issuer):
    """Another member of the group would name a program that the agent runs."""
    file = desktop.apps(issuer.base, "mail")
    folder, own = file.parent, file.parent.parent / "agent.yaml"
    own.write_text("{}\n")
    for path, mode in ((file, 0o660), (folder, 0o770), (own, 0o660)):
        good = path.stat().st_mode & 0o777
        path.chmod(mode)
        checked = desktop.run("check", "--config", own)
        assert checked.returncode == 2 and f"chmod g-w {path}" in checked.stderr, checked
        path.chmod(mode & ~0o020)
        assert desktop.run("check", "--config", own).returncode == 0
        path.chmod(good)
    file.chmod(0o660)
    agent = desktop.start_agent()
    assert desktop.api.begin_reply(MAIL).status == 400 and f"chmod g-w {file}" in agent.output()


def test_same_issuer_may_come_with_every_app_of_a_suite(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    desktop.apps(issuer.base, "chat")
    desktop.start_agent()
    for app in ("mail", "chat"):
        assert desktop.api.begin_reply(f"com.contoso.{app}").status == 201


def test_another_issuer_under_a_known_name_is_left_out(desktop, issuer):
    desktop.apps(issuer.base, "chat")
    evil = desktop.apps(issuer.base, "mail")
    evil.write_text(evil.read_text().replace(issuer.base, "https://login.evil.example"))
    agent = desktop.start_agent()
    assert desktop.api.begin_reply("com.contoso.chat").status == 201
    assert desktop.api.begin_reply(MAIL).status == 400 and "mail.yaml" in agent.output()


def test_check_knows_an_agents_file_by_its_name(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    done = desktop.run("check", "--config", desktop.configuration / "switchyard" / "agent.yaml")
    assert done.returncode == 0, done.stderr
    assert "msauth.com.contoso.mail://auth" in done.stdout and "pending, by relay" in done.stdout


def test_listener_that_everybody_reaches_serves_no_apps(desktop):
    file = desktop.configuration / "switchyard" / "agent.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("listen: [{ address: 127.0.0.1:9, serve: [api] }]\n")
    done = desktop.run("agent")
    assert done.returncode == 2 and "agent.yaml:1:" in done.stderr


def test_folder_that_somebody_else_could_use_is_not_trusted(desktop):
    (desktop.runtime / "switchyard").mkdir(mode=0o700)
    (desktop.runtime / "switchyard").chmod(0o755)
    for command in (["agent"], ["open", "msauth.com.contoso.mail://auth?code=x&state=y"], ["login", "--app", MAIL]):
        done = desktop.run(*command)
        assert done.returncode == 1 and "switchyard" in done.stderr and "chmod 700" in done.stderr, done


# `switchyard open`


def test_open_begins_the_agent_where_there_is_none_and_tells_it_nothing(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    done = desktop.run("open", "msauth.com.contoso.mail://auth?code=c0de-of-a-test&state=some-state-of-a-test")
    assert done.returncode == 1 and "no_pending_request" in done.stderr
    process = eventually(desktop.started_agent)
    for name in ("cmdline", "environ"):
        assert b"c0de-of-a-test" not in open(f"/proc/{process}/{name}", "rb").read()
    assert "c0de-of-a-test" not in (desktop.private / "agent.log").read_text()
    pending = desktop.api.begin(MAIL, scope="openid")
    assert desktop.run("open", authorize(pending.authorization_url)).returncode == 0
    assert pending.outcome()["status"] == "completed"


def test_open_says_why_the_agent_cannot_be_begun(desktop):
    file = desktop.configuration / "switchyard" / "agent.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("stroe: memory\n")
    done = desktop.run("open", "msauth.com.contoso.mail://auth?code=x&state=y")
    assert done.returncode == 1 and "stroe" in done.stderr


def test_address_is_not_seen_among_the_processes(desktop):
    """The agent's door is held shut, so that `open` waits while we look."""
    folder = desktop.runtime / "switchyard"
    folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(desktop.socket))
        door.listen()
        process = subprocess.Popen(
            [str(SWITCHYARD), "open", "msauth.com.contoso.mail://auth?code=c0de-of-a-test&state=x"],
            env=desktop.environment, cwd=desktop.home, stderr=subprocess.PIPE)
        try:
            connection, _ = door.accept()
            connection, _ = door.accept()
            assert b"c0de-of-a-test" not in open(f"/proc/{process.pid}/cmdline", "rb").read()
            connection.close()
        finally:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("url, reason", [
    ("msauth.com.contoso.stranger://auth?code=x&state=y", "not_mine"),
    ("msauth.com.contoso.mail://auth?code=x&state=y", "no_pending_request"),
    ("msauth.com.contoso.mail://auth?code=x&code=y&state=z", "malformed"),
    ("https://login.contoso.com/auth?code=x&state=y", "not_mine"),
])
def test_callback_that_is_nobodys_is_refused_with_its_reason(session, url, reason):
    done = session.run("open", url)
    assert done.returncode == 1 and reason in done.stderr and "code=x" not in done.stderr


# The end of an idle agent


def activated(desktop, *options):
    """As systemd would start it: with the socket open already."""
    folder = desktop.runtime / "switchyard"
    folder.mkdir(mode=0o700, exist_ok=True)
    door = socket.socket(socket.AF_UNIX)
    desktop.socket.unlink(missing_ok=True)
    door.bind(str(desktop.socket))
    desktop.socket.chmod(0o600)
    door.listen()
    agent = desktop.agent(*options)
    environment = desktop.environment | {"STATE_DIRECTORY": str(desktop.home / "state"), "LISTEN_FDS": "1"}
    (desktop.home / "state").mkdir(exist_ok=True)

    def start():
        # LISTEN_PID has to be the process's own.
        agent.process = subprocess.Popen(
            ["bash", "-c", f'exec {door.fileno()}<&{door.fileno()} 3<&{door.fileno()}; LISTEN_PID=$$ exec "$@"', "-",
             str(SWITCHYARD), "agent", *options],
            env=environment, cwd=desktop.home, pass_fds=[door.fileno()],
            stdout=agent.log.open("ab"), stderr=subprocess.STDOUT)
        return agent

    return door, start


def test_agent_that_was_activated_ends_when_it_has_nothing_to_do_and_loses_nothing(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    door, start = activated(desktop, "--idle", "1s")
    with door:
        agent = start()
        pending = desktop.api.begin(MAIL, scope="openid")
        time.sleep(3)
        assert agent.process.poll() is None, "it ended while somebody signs in"
        callback = authorize(pending.authorization_url)
        eventually(lambda: desktop.api.relay(callback).status == 200, what="the callback being taken")
        # The app is away; the result waits for it, in the store.
        assert agent.process.wait(60) == 0
        assert desktop.socket.exists()
        start()
        assert pending.outcome()["status"] == "completed"


def test_agent_that_has_tokens_in_memory_alone_stays_until_they_are_kept(desktop, issuer):
    desktop.apps(issuer.base, "mail")
    door, start = activated(desktop, "--idle", "1s")
    tokens = desktop.home / ".local" / "state" / "switchyard" / "tokens"
    tokens.mkdir(mode=0o755, parents=True)
    tokens.chmod(0o755)
    with door:
        agent = start()
        pending = desktop.api.begin(MAIL, scope="openid")
        assert desktop.api.relay(authorize(pending.authorization_url)).status == 200
        assert pending.outcome()["status"] == "completed"
        time.sleep(3)
        assert agent.process.poll() is None, "it ended, and the sign-in with it"
        tokens.chmod(0o700)
        assert agent.process.wait(60) == 0
        assert list(tokens.glob("*.sealed"))


def test_agent_that_was_not_activated_stays(session):
    time.sleep(2)
    assert session.agents[0].process.poll() is None
