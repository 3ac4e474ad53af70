"""The `dbus` handler: `org.freedesktop.Application.Open` on a session bus, with an app by GLib on the other side."""

import json
import subprocess
from pathlib import Path

import pytest

from harness.gateway import Gateway
from harness.handlers import app_of, bring, done_page, events, heading, query, reference_of
from harness.programs import eventually, run
from harness.vault import VAULT

APP = Path(__file__).parent / "harness" / "gio_app.py"
TAKEN, REFUSED = "Continue in your app", "Your app could not be reached"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><servicedir>{folder}</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""


class SessionBus:
    """A session bus of the tests' own, which can start the app."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "opened"
        self.address = f"unix:path={folder}/bus"
        (folder / "bus.conf").write_text(CONFIGURATION.format(folder=folder))
        for name, command in {"org.contoso.Own-Mail": f"/usr/bin/python3 {APP} org.contoso.Own-Mail {self.file}",
                              "org.contoso.Broken": "/nowhere/at/all"}.items():
            (folder / f"{name}.service").write_text(f"[D-BUS Service]\nName={name}\nExec={command}\n")
        self.process = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={folder}/bus.conf", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"})
        self.process.stdout.readline()

    @property
    def opened(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def bus(tmp_path_factory):
    program = SessionBus(tmp_path_factory.mktemp("bus"))
    yield program
    program.stop()


@pytest.fixture(scope="module")
def gateway(run_folder, issuer, bus):
    program = Gateway(run_folder, issuer.base)
    program.environment = {"DBUS_SESSION_BUS_ADDRESS": bus.address}
    program.configuration["apps"] += [
        app_of(program, "mail", {"dbus": "org.contoso.Own-Mail"}),
        app_of(program, "broken", {"dbus": "org.contoso.Broken"}),
        app_of(program, "nobody", {"dbus": "org.contoso.Nobody"})]
    yield program.start()
    program.stop()


def test_an_app_that_does_not_run_is_started_and_gets_the_callback(gateway, bus):
    parameters = query()
    answer = bring(gateway, "mail", parameters)
    eventually(lambda: heading(done_page(gateway, answer)) == TAKEN)
    assert [opened["uris"] for opened in bus.opened] == [[gateway.url(f"/mail?{parameters}")]]


def test_a_running_app_gets_the_token_by_which_it_raises_its_window(gateway, bus):
    url = f"x-contoso-mail://auth?{query()}"
    VAULT.remember_url(url)
    reply = gateway.local_api().call("POST", "/v1/callbacks", {"url": url, "activation_token": "token-of-the-click"})
    assert reply.json == {"handled": True, "app": "com.contoso.mail"}
    opened = bus.opened[-1]
    assert opened["uris"] == [url]
    assert opened["platform"]["activation-token"] == opened["platform"]["desktop-startup-id"] == "token-of-the-click"


def test_a_second_instance_does_not_start(gateway, bus):
    for _ in range(2):
        bring(gateway, "mail", query())
    eventually(lambda: len(bus.opened) >= 2)
    assert len({opened["process"] for opened in bus.opened}) == 1


@pytest.mark.parametrize(("variable", "token", "is_passed"), [
    ("XDG_ACTIVATION_TOKEN", "token-of-the-compositor", True), ("DESKTOP_STARTUP_ID", "id-of-the-start_TIME7", True),
    ("XDG_ACTIVATION_TOKEN", "not one word", False)])
def test_the_token_that_the_desktop_gives_goes_with_the_callback(gateway, bus, variable, token, is_passed):
    url = f"x-contoso-mail://auth?{query()}"
    VAULT.remember_url(url)
    done = run("open", url, "--gateway", gateway.socket, env={variable: token})
    assert done.returncode == 0, done.stderr
    assert bus.opened[-1]["uris"] == [url]
    assert bus.opened[-1]["platform"].get("activation-token") == (token if is_passed else None)


@pytest.mark.parametrize("name", ["nobody", "broken"])
def test_a_name_that_nobody_has_is_told(gateway, name):
    answer = bring(gateway, name, query())
    eventually(lambda: heading(done_page(gateway, answer)) == REFUSED)
    line = eventually(lambda: events(gateway, "delivery_failed", reference_of(answer)))[0]
    assert "reason=unreachable" in line and "handler=dbus" in line


@pytest.mark.rule(7)
def test_nothing_secret_is_in_the_log(gateway):
    assert VAULT.found_in(gateway.output().encode()) == set()


def test_without_a_session_bus_the_app_is_not_reached_and_with_one_again_it_is(gateway, bus):
    bus.process.kill()
    bus.process.wait()
    answer = bring(gateway, "mail", query())
    eventually(lambda: heading(done_page(gateway, answer)) == REFUSED)
    bus.__init__(bus.folder)
    again = bring(gateway, "mail", query())
    eventually(lambda: heading(done_page(gateway, again)) == TAKEN)
