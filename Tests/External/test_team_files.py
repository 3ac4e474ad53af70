"""Files of `apps_directory`: the secrets that a team may name, and the effect of a faulty file on the others."""

import os
import tempfile
from pathlib import Path

import pytest
import yaml

from harness.api import Api
from harness.programs import eventually, run

A, B, OPERATOR = 1001, 1002, 0
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")


@pytest.fixture
def public():
    """A folder that every user of the machine can enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


class Teams:
    """A configuration with an apps_directory, and the files of teams in it."""

    def __init__(self, folder):
        self.folder = folder / "apps.d"
        self.folder.mkdir()
        self.file = folder / "switchyard.yaml"
        self.file.write_text(yaml.safe_dump({
            "public_url": "http://localhost:8400",
            "listen": [{"address": "127.0.0.1:8400", "serve": ["callbacks", "api"]}],
            "issuers": [{"name": "demo", "issuer": "http://127.0.0.1:9400"}], "apps_directory": str(self.folder)}))

    def put(self, name, text="hunter2", owner=OPERATOR, mode=0o600):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        os.chown(file, owner, owner)

    def team(self, name, owner, **app):
        team = name.removesuffix(".yaml")
        self.put(name, yaml.safe_dump({"apps": [{
            "id": team, "issuer": "demo", "client_id": team, "redirect_uris": [f"x-{team}://auth"], **app}]}), owner, 0o644)

    def names(self, team, secret, owner=B):
        """The finding of `check` for a team's file that names this secret."""
        self.team(team, owner, client_secret_file=secret, begin_from={"uids": [1]})
        return run("check", "--config", self.file)


@pytest.fixture
def teams(public):
    return Teams(public)


def refused(done, words):
    return done.returncode == 2 and words in done.stderr and "hunter2" not in done.stderr + done.stdout


@needs_root
def test_a_team_takes_no_secret_that_an_operator_put_there_for_another_one(teams):
    teams.team("a.yaml", A)
    teams.put("a.secret")
    done = teams.names("b.yaml", "a.secret")
    assert refused(done, "neither its name nor its folder says that it is for b.yaml"), done
    assert "b.yaml would" not in done.stderr and "a start would leave out" in done.stderr
    assert teams.names("a.yaml", "a.secret", A).returncode == 2, "b.yaml is still wrong"
    (teams.folder / "b.yaml").unlink()
    assert teams.names("a.yaml", "a.secret", A).returncode == 0


@needs_root
@pytest.mark.parametrize("kind", ["webhook", "api_key", "client_certificates"])
def test_every_kind_of_file_is_judged_alike(teams, kind):
    teams.put("a.key", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwj=", mode=0o600)
    app = {
        "webhook": {"handler": {"webhook": {"url": "https://b.contoso.com/hook", "secret_file": "a.key"}}},
        "api_key": {"begin_from": {"api_key_file": "a.key"}},
        "client_certificates": {"begin_from": {"client_certificates": ["a.key"]}},
    }[kind]
    teams.team("a.yaml", A)
    teams.team("b.yaml", B, **app)
    assert refused(run("check", "--config", teams.file), "an operator put it there")


@needs_root
@pytest.mark.parametrize("secret", ["b.secret", "b.client.secret", "b/secret", "b/a.secret"])
def test_a_name_or_a_folder_gives_an_operators_file_to_a_team(teams, secret):
    teams.team("a.yaml", A)
    teams.put(secret)
    assert teams.names("b.yaml", secret).returncode == 0


@needs_root
def test_the_longest_name_wins(teams):
    teams.put("b.eu.secret")
    assert teams.names("b.yaml", "b.eu.secret").returncode == 0
    teams.team("b.eu.yaml", A)
    assert refused(teams.names("b.yaml", "b.eu.secret"), "an operator put it there")


@needs_root
def test_an_owner_who_could_read_a_file_may_name_it(teams):
    teams.put("shared.secret", mode=0o644)
    assert teams.names("b.yaml", "shared.secret").returncode == 0
    teams.put("shared.secret", mode=0o640)
    assert refused(teams.names("b.yaml", "shared.secret"), "an operator put it there")
    os.chown(teams.folder / "shared.secret", OPERATOR, B)
    # The user database knows no user B, and so no groups of B.
    assert refused(teams.names("b.yaml", "shared.secret"), "an operator put it there")
    # A folder above that shuts the owner out counts as well.
    teams.put("shared.secret", mode=0o644)
    teams.folder.parent.chmod(0o750)
    assert refused(teams.names("b.yaml", "shared.secret"), "an operator put it there")


@needs_root
def test_a_link_opens_no_other_teams_file(teams):
    teams.team("a.yaml", A)
    teams.put("a.secret")
    (teams.folder / "b").mkdir()
    os.chown(teams.folder / "b", B, B)
    for link in ("b.secret", "b/secret"):
        (teams.folder / link).symlink_to("a.secret" if "/" not in link else "../a.secret")
        assert refused(teams.names("b.yaml", link), "an operator put it there"), link
    (teams.folder / "b" / "out").symlink_to("/etc/hostname")
    assert refused(teams.names("b.yaml", "b/out"), "leads out of")


@needs_root
def test_links_of_a_kubernetes_volume_are_followed(teams):
    teams.put("..2026_1/b.secret")
    (teams.folder / "..data").symlink_to("..2026_1")
    (teams.folder / "b.secret").symlink_to("..data/b.secret")
    assert teams.names("b.yaml", "b.secret").returncode == 0
    (teams.folder / "a.secret").symlink_to("..data/b.secret")
    (teams.folder / "b.yaml").unlink()
    assert refused(teams.names("a.yaml", "a.secret"), "an operator put it there")


@needs_root
def test_a_teams_own_files_work_as_before(teams):
    teams.put("any", owner=B)
    assert teams.names("b.yaml", "any").returncode == 0
    teams.put("any", owner=A)
    assert refused(teams.names("b.yaml", "any"), "it belongs to another user")
    assert teams.names("b.yaml", "any", OPERATOR).returncode == 0


def test_a_file_that_its_group_can_change_does_not_count(teams):
    teams.team("b.yaml", os.geteuid())
    (teams.folder / "b.yaml").chmod(0o664)
    done = run("check", "--config", teams.file)
    assert refused(done, f"chmod g-w {teams.folder}/b.yaml"), done
    (teams.folder / "b.yaml").chmod(0o644)
    assert run("check", "--config", teams.file).returncode == 0


# A faulty file.


@pytest.fixture
def gateway(start_gateway, tmp_path):
    """Not started yet, with two good files in its folder."""
    folder = tmp_path / "apps.d"
    folder.mkdir()

    def change(gateway):
        gateway.apps_folder = folder
        gateway.configuration["apps_directory"] = str(folder)
        for name in ("mail", "tasks"):
            (folder / f"{name}.yaml").write_text(file(gateway, name))

    return lambda more=lambda gateway: None: start_gateway(change=lambda gateway: (change(gateway), more(gateway)))


def file(gateway, name, **changes):
    return yaml.safe_dump({"apps": [gateway.app(name, name.title(), client_id=name, **changes)]})


def is_known(gateway, app):
    return gateway.api().begin_reply(f"com.contoso.{app}").status == 201


def left_out(gateway):
    return gateway.admin("/v1/status").json["configuration"]["files_left_out"]


def ask_to_reload(gateway):
    return Api(f"http://127.0.0.1:{gateway.admin_port}").call("POST", "/v1/reload", {})


def metric(gateway, name):
    return [line for line in gateway.admin("/metrics").body.decode().splitlines() if line.startswith(f"switchyard_{name} ")][0]


def test_a_faulty_file_is_left_out_at_a_start_and_all_else_is_served(gateway):
    def break_mail(gateway):
        (gateway.apps_folder / "mail.yaml").write_text("apps: [{ id: com.contoso.mail }]\n")

    gateway = gateway(break_mail)
    assert is_known(gateway, "app1") and is_known(gateway, "tasks") and not is_known(gateway, "mail")
    ready = gateway.admin("/readyz")
    assert ready.status == 200 and "mail.yaml:1:" in ready.json["warnings"][0]
    [told] = left_out(gateway)
    assert told["file"].endswith("apps.d/mail.yaml") and told["serves"] == "nothing" and "mail.yaml:1:" in told["reason"]
    assert metric(gateway, "configuration_files_left_out").endswith(" 1")
    assert "mail.yaml:1:" in gateway.output() and "the file is left out" in gateway.output()
    shown = run("status", "--config", gateway.file)
    assert shown.returncode == 0 and "not in use: " in shown.stdout and "mail.yaml" in shown.stdout
    seen = run("doctor", "--config", gateway.file)
    assert "mail.yaml" in seen.stdout and "Certificates" in seen.stdout and seen.returncode == 1
    # A right change of another team is taken, by itself and by a reload.
    (gateway.apps_folder / "more.yaml").write_text(file(gateway, "more"))
    eventually(lambda: is_known(gateway, "more"), what="the other team's app")
    done = run("reload", "--config", gateway.file)
    assert done.returncode == 0 and "mail.yaml" in done.stderr and "reloaded: " in done.stdout
    (gateway.apps_folder / "mail.yaml").write_text(file(gateway, "mail"))
    eventually(lambda: is_known(gateway, "mail"), what="the mended file")
    eventually(lambda: left_out(gateway) == [], what="a status without the file")
    assert "warnings" not in gateway.admin("/readyz").json


def test_the_last_good_version_of_a_file_goes_on(gateway):
    gateway = gateway()
    length = len(gateway.output())
    (gateway.apps_folder / "mail.yaml").write_text("apps: [")
    eventually(lambda: "last good version" in gateway.output()[length:], what="a word about it")
    assert is_known(gateway, "mail") and is_known(gateway, "tasks")
    eventually(lambda: [one["serves"] for one in left_out(gateway)] == ["last_good_version"], what="the status")
    assert run("reload", "--config", gateway.file).returncode == 0 and is_known(gateway, "mail")
    # With the file, its app goes.
    (gateway.apps_folder / "mail.yaml").unlink()
    eventually(lambda: not is_known(gateway, "mail"), what="the end of the app")


def test_in_a_conflict_the_main_file_wins_and_then_the_earlier_name(gateway):
    gateway = gateway()
    uri = gateway.configuration["apps"][0]["redirect_uris"][0]
    (gateway.apps_folder / "a.yaml").write_text(file(gateway, "a", redirect_uris=[uri]))
    (gateway.apps_folder / "z.yaml").write_text(file(gateway, "mail"))
    (gateway.apps_folder / "good.yaml").write_text(file(gateway, "good"))
    eventually(lambda: is_known(gateway, "good"), what="the good file")
    eventually(lambda: [Path(one["file"]).name for one in left_out(gateway)] == ["a.yaml", "z.yaml"], what="the status")
    assert is_known(gateway, "app1") and is_known(gateway, "mail") and not is_known(gateway, "a")
    checked = run("check", "--config", gateway.file)
    assert checked.returncode == 2 and "a.yaml:" in checked.stderr and "z.yaml:" in checked.stderr
    assert "a start would leave out" in checked.stderr
    started = run("check", "--start", "--config", gateway.file)
    assert started.returncode == 0 and "the file is left out" in started.stderr and "com.contoso.mail" in started.stdout


def test_a_fault_in_the_main_file_still_stops_a_start_and_a_reload(gateway):
    gateway = gateway()
    assert metric(gateway, "configuration_refused").endswith(" 0")
    loaded = gateway.admin("/v1/status").json["configuration"]
    assert "refused" not in loaded and loaded["loaded_at"].endswith("Z")
    gateway.file.write_text(gateway.file.read_text() + "nonsense: 1\n")
    assert ask_to_reload(gateway).status == 409
    # The status is made anew once a second at the most.
    eventually(lambda: "refused" in gateway.admin("/v1/status").json["configuration"], what="the refusal")
    now = gateway.admin("/v1/status").json["configuration"]
    assert "nonsense" in now["refused"]["reason"] and now["refused"]["at"] and now["loaded_at"] == loaded["loaded_at"]
    assert metric(gateway, "configuration_refused").endswith(" 1")
    shown = run("status", "--admin", f"http://127.0.0.1:{gateway.admin_port}")
    assert "was refused: " in shown.stdout and "nonsense" in shown.stdout
    assert run("serve", "--config", gateway.file).returncode == 2
    gateway.write()
    assert run("reload", "--config", gateway.file).returncode == 0
    eventually(lambda: "refused" not in gateway.admin("/v1/status").json["configuration"], what="the end of it")
    seconds = float(metric(gateway, "configuration_loaded_timestamp_seconds").split()[-1])
    assert seconds > 1_700_000_000


def test_doctor_tells_of_a_refused_reload(gateway):
    gateway = gateway()
    good = gateway.file.read_text()
    gateway.file.write_text(good + "nonsense: 1\n")
    # The gateway may just be taking a change of the files of apps.
    eventually(lambda: ask_to_reload(gateway).status == 409, what="the refusal")
    gateway.file.write_text(good)
    assert "refused a reload at" in run("doctor", "--config", gateway.file).stdout
