"""A desktop session: a private bus, a screen, a real browser, xdg-open; callbacks reach their apps, or the person is told."""

import http.server
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
import yaml
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from harness.browser import BLANK, leave_out
from harness.desktop import Desktop, other_program
from harness.handlers import SocketApp
from harness.issuer import authorize
from harness.keyring import BUS, without_libsecret
from harness.programs import SWITCHYARD, eventually, free_port
from harness.vault import VAULT

MAIL = "com.contoso.mail"
SCHEME = "msauth.com.contoso.mail"
CHAT, CHAT_SCHEME = "com.contoso.chat", "msauth.com.contoso.chat"
PYTHON = "/usr/bin/python3"


class Session(Desktop):
    """A desktop with a session bus and a notification service."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder = folder
        self.programs = []
        (folder / "bus.conf").write_text(BUS.format(socket=folder / "bus", policies=""))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={folder / 'bus'}"
        self.start("dbus-daemon", "--nofork", f"--config-file={folder / 'bus.conf'}")
        eventually((folder / "bus").exists, what="the session bus")

    def start(self, *command, **options):
        log = (self.folder / f"{Path(command[0]).name}.log").open("ab")
        with log:
            program = subprocess.Popen(
                [str(word) for word in command], env=self.environment, cwd=self.home, stdout=log, stderr=log, **options)
        self.programs.append(program)
        return program

    def show_notices(self):
        self.notices = self.folder / "notices"
        self.start(PYTHON, Path(__file__).parent / "harness" / "notices.py", self.notices)
        eventually(lambda: "(true,)" in self.run(
            "/usr/bin/gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
            "org.freedesktop.DBus.NameHasOwner", "org.freedesktop.Notifications").stdout, what="notifications")
        return self

    def shown(self):
        text = self.notices.read_text() if self.notices.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def start_screen(self):
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", writing, "-screen", "0", "1024x768x24", "-nolisten", "tcp", pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.environment["DISPLAY"] = f":{pipe.readline().strip()}"
        return self

    def close(self):
        super().close()
        for program in reversed(self.programs):
            program.terminate()
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()


@pytest.fixture
def session(tmp_path, issuer):
    session = Session(tmp_path)
    try:
        session.apps(issuer.base, "mail", "chat")
        session.show_notices()
        yield session
    finally:
        session.close()


@pytest.fixture
def pages():
    """A page on loopback with the test's link."""
    content = {}

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = f'<!DOCTYPE html><title>x</title><a id="go" href="{content.get("link", "")}">go</a>'.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    content["origin"] = f"http://127.0.0.1:{server.server_port}"
    yield content
    server.shutdown()
    server.server_close()


def chromium(session, origin):
    """A browser with a window on the session's screen. The person has allowed the page to open the app."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in (f"--user-data-dir={session.folder / 'profile'}", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--no-first-run"):
        options.add_argument(argument)
    leave_out(options)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.add_experimental_option("prefs", BLANK | {
        "protocol_handler": {"allowed_origin_protocol_pairs": {origin: {SCHEME: True, CHAT_SCHEME: True}}}})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env=session.environment))


def test_click_in_a_real_browser_reaches_the_app_that_waits(session, pages):
    session.start_agent()
    assert session.run("register", "--id", MAIL, "--scheme", SCHEME).returncode == 0
    pending = session.api.begin(MAIL, scope="openid profile")
    pages["link"] = authorize(pending.authorization_url).replace("&", "&amp;")
    browser = chromium(session.start_screen(), pages["origin"])
    try:
        browser.get(pages["origin"])
        browser.find_element(By.ID, "go").click()
        assert pending.outcome()["status"] == "completed"
    finally:
        browser.quit()


def test_two_apps_of_one_client_with_schemes_of_their_own_share_an_account(session, pages):
    session.start_agent()
    browser = chromium(session.start_screen(), pages["origin"])

    def token(app):
        reply = session.api.call("POST", "/v1/tokens", {"app": app})
        if reply.status == 200:
            VAULT.remember("access_token", reply.json["access_token"])
        return reply

    def sign_in(app, scheme, request):
        assert session.run("register", "--id", app, "--scheme", scheme).returncode == 0
        pending = session.api.begin(app, **{name: value for name, value in request.items() if name != "app"})
        callback = authorize(pending.authorization_url)
        assert callback.startswith(f"{scheme}://auth?")
        pages["link"] = callback.replace("&", "&amp;")
        browser.get(pages["origin"])
        browser.find_element(By.ID, "go").click()
        assert pending.outcome()["status"] == "completed"
        pending.delete()

    def accounts(app):
        return [account["id"] for account in session.api.call("GET", f"/v1/accounts?app={app}").json["accounts"]]

    try:
        refused = token(MAIL)
        assert refused.status == token(CHAT).status == 401
        sign_in(MAIL, SCHEME, refused.json["request"])
        assert token(MAIL).status == token(CHAT).status == 200, "nobody has to sign in for the second app"
        sign_in(CHAT, CHAT_SCHEME, refused.json["request"])
        assert len(accounts(MAIL)) == 1 and accounts(CHAT) == accounts(MAIL)
    finally:
        browser.quit()


def test_xdg_open_reaches_the_app_that_waits(session):
    session.start_agent()
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    pending = session.api.begin(MAIL, scope="openid")
    # Without one, it brings the callback to no program.
    session.start_screen()
    done = session.run("/usr/bin/xdg-open", authorize(pending.authorization_url))
    assert done.returncode == 0, done
    assert pending.outcome()["status"] == "completed"


def test_gio_open_reaches_the_app_that_waits(session):
    session.start_agent()
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    pending = session.api.begin(MAIL, scope="openid")
    session.run("/usr/bin/gio", "open", authorize(pending.authorization_url))
    assert pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("language, word", [("en_US.UTF-8", "No app waits"), ("fr_FR.UTF-8", "Aucune application n’attend"),
                                            ("de_DE.UTF-8", "Keine App wartet"), ("pt_PT.UTF-8@euro", "Nenhum aplicativo espera"),
                                            ("zh_TW.UTF-8", "没有应用在等待"), ("sv_SE.UTF-8", "No app waits"), ("C.UTF-8", "No app waits")])
def test_person_is_told_in_their_language_when_nobody_waits(session, language, word):
    session.start_agent()
    done = session.run("open", f"{SCHEME}://auth?code=c0de-of-a-test&state=s", env={"LANG": language})
    assert done.returncode == 1
    [notice] = session.shown()
    assert word in notice["heading"] and "c0de" not in notice["text"]


def test_person_is_told_when_the_address_is_nobodys(session):
    session.start_agent()
    assert session.run("open", "x-nobody://auth?code=x&state=y").returncode == 1
    assert "belongs to no app" in session.shown()[0]["heading"]


def test_person_is_told_when_the_agent_cannot_be_begun(session):
    (session.configuration / "switchyard" / "agent.yaml").write_text("stroe: memory\n")
    assert session.run("open", f"{SCHEME}://auth?code=x&state=y").returncode == 1
    assert "could not be handed over" in session.shown()[0]["heading"]


@pytest.mark.parametrize("handler", [{"socket": "{folder}/app.sock"}, {"exec": ["{folder}/gone", "{ticket}"]}, {"dbus": "com.contoso.Mail"}],
                         ids=lambda handler: next(iter(handler)))
def test_person_is_told_when_the_app_is_gone_and_the_callback_is_good_still(session, issuer, handler):
    file = session.apps(issuer.base, "mail", handler=handler)
    content = yaml.safe_load(file.read_text().replace("{folder}", str(session.runtime)))
    del content["apps"][0]["default_scope"]
    file.write_text(yaml.safe_dump(content))
    session.start_agent()
    callback = f"{SCHEME}://auth?code=c0de-of-a-test&state=s"
    done = session.run("open", callback)
    assert done.returncode == 1 and MAIL in done.stderr and "c0de" not in done.stderr
    [notice] = session.shown()
    assert "cannot be reached" in notice["heading"] and "c0de" not in notice["text"]
    # The app is there again, and a second call of the same address reaches it.
    app = SocketApp(session.runtime / "app.sock")
    content["apps"][0]["handler"] = {"socket": str(app.path)}
    file.write_text(yaml.safe_dump(content))
    eventually(lambda: session.run("open", callback).returncode == 0, what="the app having the callback")
    assert [line["url"] for line in app.lines] == [callback]
    app.close()


def test_a_broken_desktop_file_loses_no_sign_in(session):
    session.start_agent()
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    session.entry(MAIL).write_text("[Desktop Entry\nExec")
    pending = session.api.begin(MAIL, scope="openid")
    callback = authorize(pending.authorization_url)
    # Now a click does not reach the agent. The remedy of `doctor` mends it, and the click works.
    session.run("/usr/bin/gio", "open", callback)
    assert pending.poll(wait=0).json == {"status": "pending"}
    assert f"switchyard unregister {MAIL}, then register it" in session.run("doctor", "--desktop", "--json").stdout
    assert session.run("unregister", MAIL).returncode == 0
    assert session.run("register", "--id", MAIL, "--scheme", SCHEME).returncode == 0
    session.run("/usr/bin/gio", "open", callback)
    assert pending.outcome()["status"] == "completed"


def test_refused_address_is_given_to_no_browser_behind_ours(session):
    """After a failure xdg-open tries every browser that it knows, with the code in their arguments."""
    session.start_agent()
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    caught = session.folder / "caught"
    browser = session.folder / "browser"
    browser.write_text(f"#!/bin/sh\necho \"$@\" >> {caught}\n")
    browser.chmod(0o755)
    session.start_screen()
    session.run("/usr/bin/xdg-open", f"{SCHEME}://auth?code=c0de-of-a-test&state=s", env={"BROWSER": str(browser)})
    assert session.shown() and not caught.exists()


# `switchyard doctor --desktop`


def findings(session, *options, env=None):
    done = session.run("doctor", "--desktop", "--json", *options, env=env)
    report = json.loads(done.stdout)
    return done.returncode, {(found["subject"], found["level"]): found["what"] for found in report["findings"]}


def test_doctor_finds_nothing_wrong_with_what_register_has_done(session):
    session.start_agent()
    session.run("register", session.configuration / "switchyard" / "apps.d" / "mail.yaml")
    code, found = findings(session)
    assert code == 0, found
    for subject in (SCHEME, "msauth.com.contoso.chat", "agent", "notifications"):
        assert (subject, "ok") in found


def test_doctor_registers_what_is_not_and_only_with_fix(session):
    code, found = findings(session)
    assert code == 1 and (SCHEME, "error") in found and session.gio(SCHEME) is None
    assert ("agent", "warning") in found
    code, found = findings(session, "--fix")
    assert code == 0 and (SCHEME, "ok") in found
    assert session.gio(SCHEME) == session.xdg_mime(SCHEME) == f"switchyard-{MAIL}.desktop"


def test_doctor_names_the_program_that_has_a_scheme_of_ours_and_leaves_it(session):
    other_program(session, SCHEME)
    code, found = findings(session, "--fix")
    assert code == 1 and "other.desktop" in found[SCHEME, "error"]
    assert session.gio(SCHEME) == "other.desktop"


def test_a_person_is_told_that_an_app_is_left_out(session):
    """At the start, and once for each new mistake."""
    folder = session.configuration / "switchyard" / "apps.d"
    (folder / "broken.yaml").write_text("apps: [")
    session.start_agent()
    eventually(lambda: len(session.shown()) == 1, what="a notification")
    assert session.shown()[0]["heading"] == "An app cannot sign you in"
    assert session.run("reload").returncode == 0
    (folder / "torn.yaml").write_text("apps: [")
    eventually(lambda: len(session.shown()) == 2, what="another one")


def test_doctor_prints_no_escape_of_another_programs_entry(session, issuer):
    """One scheme has to be registered, and the app's other one is a program's with a name for terminals."""
    session.apps(issuer.base, "mail", redirect_uris=["msauth.com.contoso.mail://auth", "msauth.com.contoso.post://auth"])
    other_program(session, SCHEME)
    entry = session.data / "applications" / "other.desktop"
    entry.write_text(entry.read_text().replace("Name=Other", "Name=Evil\x1b[2J\u009b31m\u202e"))
    done = session.run("doctor", "--desktop", "--fix")
    assert "Evil" in done.stdout and "not repaired" in done.stdout, done
    assert not any(character in done.stdout + done.stderr for character in "\x1b\u009b\u202e"), done


def test_doctor_finds_a_handler_that_is_gone_and_mends_it(session):
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    entry = session.entry(MAIL)
    entry.write_text(entry.read_text().replace(str(SWITCHYARD), "/opt/gone/switchyard"))
    code, found = findings(session)
    assert code == 1 and "/opt/gone/switchyard" in found[SCHEME, "error"]
    assert findings(session, "--fix")[0] == 0


def test_doctor_says_that_tokens_cannot_be_kept_and_changes_nothing(session):
    state = session.home / ".local" / "state"
    folder = state / "switchyard" / "tokens"
    state.parent.mkdir(exist_ok=True)
    assert not any("no directory" in what for what in findings(session)[1].values()) and not state.exists()
    state.write_text("a file")
    assert f"{state} is no directory" in findings(session)[1]["tokens", "warning"]
    state.unlink()
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert f"{folder} has mode 777" in findings(session)[1]["tokens", "warning"]
    assert f"chmod 700 {folder}" in session.run("doctor", "--desktop", "--json").stdout.replace("\\/", "/")
    assert folder.stat().st_mode & 0o777 == 0o777


def test_doctor_finds_a_broken_entry(session):
    session.run("register", "--id", MAIL, "--scheme", SCHEME)
    session.entry(MAIL).write_text("[Desktop Entry\nExec")
    code, found = findings(session)
    assert code == 1 and (str(session.entry(MAIL)), "error") in found


def test_doctor_finds_a_stub_and_a_missing_screen(session):
    folder = session.folder / "bin"
    folder.mkdir()
    (folder / "xdg-open").write_text("#!/bin/sh\nexit 0\n")
    (folder / "xdg-open").chmod(0o755)
    _, found = findings(session, env={"PATH": f"{folder}:{os.environ['PATH']}"})
    assert (str(folder / "xdg-open"), "warning") in found and ("display", "warning") in found


def test_doctor_says_of_a_bus_that_answers_nothing_what_it_could_not_find_out(session, tmp_path):
    """The remedy does not tell to install a package that may be there."""
    place = tmp_path / "mute"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place))
    listener.listen()

    def hang_up():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.recv(4096)
            connection.close()

    threading.Thread(target=hang_up, daemon=True).start()
    try:
        _, found = findings(session, env={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={place}"})
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
    assert "does not say" in found["notifications", "warning"] and "does not answer" in found["keyring", "warning"]


def test_agent_and_doctor_say_what_to_install_where_the_desktop_has_a_keyring_and_libsecret_is_missing(session, tmp_path):
    session.environment |= without_libsecret(tmp_path / "libraries")
    agent = session.start_agent()
    assert "there is none" in findings(session)[1]["keyring", "warning"]
    agent.stop()
    assert "libsecret" not in agent.output(), "there is no keyring to reach"
    keyring = session.start(
        "gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock", stdin=subprocess.PIPE)
    keyring.stdin.write(b"open sesame")
    keyring.stdin.close()
    eventually(lambda: ("keyring", "warning") in (found := findings(session)[1])
               and "libsecret is missing" in found["keyring", "warning"], what="the finding")
    assert "install libsecret-1-0" in session.run("doctor", "--desktop").stdout
    agent = session.start_agent()
    eventually(lambda: "event=libsecret_missing" in agent.output(), what="the line")
    assert "install libsecret-1-0" in agent.output()
    assert agent.process.poll() is None


# A fresh account


@pytest.mark.skipif(os.geteuid() != 0, reason="makes files of another user")
def test_fresh_account_without_systemd_gets_its_callbacks(issuer):
    """No runtime folder, no bus, no agent, no desktop file: what somebody has in a container."""
    place = Path(tempfile.mkdtemp(prefix="fresh-"))
    desktop = Desktop(place / "user")
    desktop.runtime = desktop.home / ".cache"
    try:
        place.chmod(0o755)
        program = place / "switchyard"
        shutil.copy(SWITCHYARD, program)
        program.chmod(0o755)
        desktop.apps(issuer.base, "mail")
        user = 61234
        for path in (place / "user", *(place / "user").rglob("*")):
            os.chown(path, user, user)
        environment = {"PATH": os.environ["PATH"], "HOME": str(desktop.home), "NO_PROXY": "*"}

        def run(*command):
            return subprocess.run(
                ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *map(str, command)],
                env=environment, cwd=desktop.home, capture_output=True, text=True, timeout=60)

        assert run(program, "register", "--id", MAIL, "--scheme", SCHEME).returncode == 0
        assert run("/usr/bin/xdg-mime", "query", "default", f"x-scheme-handler/{SCHEME}").stdout.strip() \
            == f"switchyard-{MAIL}.desktop"
        done = run(program, "open", f"{SCHEME}://auth?code=x&state=y")
        assert done.returncode == 1 and "no_pending_request" in done.stderr, done
        assert desktop.socket.stat().st_uid == user and desktop.started_agent()
        # The test is root, and so another user.
        assert desktop.api.begin_reply(MAIL).status == 403
    finally:
        desktop.stop_started_agent()
        shutil.rmtree(place, ignore_errors=True)
