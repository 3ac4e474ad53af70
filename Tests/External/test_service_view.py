"""Commands of root or of a shell, and a configuration that a service reads with its user's rights and systemd's folders."""

import grp
import os
import pwd
import shlex
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
import yaml

from harness.programs import ROOT, SWITCHYARD, run

NOBODY = pwd.getpwnam("nobody")
GROUP = grp.getgrgid(NOBODY.pw_gid).gr_name

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root sees with the eyes of another user")


class Service:
    """A configuration of another user's gateway: the owner of the admin socket."""

    def __init__(self, folder):
        self.folder = folder
        folder.chmod(0o755)
        self.admin = folder / "admin.sock"
        self.file = folder / "switchyard.yaml"
        self.configuration = {
            "public_url": "http://localhost:8400",
            "listen": [{"address": "127.0.0.1:8400", "serve": ["callbacks", "api"]},
                       {"address": f"unix:{self.admin}", "mode": "0660", "serve": ["admin"]}],
            "issuers": [{"name": "demo", "issuer": "http://127.0.0.1:9400"}],
            "apps": [{"id": "com.contoso.app1", "issuer": "demo", "client_id": "one",
                      "redirect_uris": ["http://localhost:8400/app1"]}]}

    def __enter__(self):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self.admin))
        os.chown(self.admin, NOBODY.pw_uid, NOBODY.pw_gid)
        self.write()
        return self

    def __exit__(self, *_):
        self._socket.close()

    def write(self, **changes):
        self.file.write_text(yaml.safe_dump(self.configuration | changes))
        self.file.chmod(0o644)

    def check(self):
        return run("check", "--config", self.file)


@pytest.fixture
def service():
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder)) as service:
        yield service


def advice(text):
    """The command that a remedy names."""
    begin = text.index("chgrp ")
    return text[begin:].splitlines()[0]


@needs_root
def test_a_secret_that_root_made_is_read_once_the_advice_was_followed(service):
    """The advice of `check` is walked to its end, for a file and for the folder above it."""
    (service.folder / "keys").mkdir(mode=0o700)
    key = service.folder / "keys" / "k1"
    assert run("keys", "new", "--file", key).returncode == 0
    key.chmod(0o600)
    service.write(encryption_keys=[{"id": "k1", "key_file": str(key)}])
    for path in (key.parent, key):
        done = service.check()
        assert done.returncode == 2 and "Permission denied" in done.stderr, done
        command = advice(done.stderr)
        assert command == f"chgrp {GROUP} {path} && chmod {'0750' if path == key.parent else '0640'} {path}"
        # doctor says the same.
        assert command in run("doctor", "--config", service.file).stderr
        subprocess.run(command, shell=True, check=True)
    assert service.check().returncode == 0
    seen = subprocess.run(["setpriv", f"--reuid={NOBODY.pw_uid}", f"--regid={NOBODY.pw_gid}", "--clear-groups", "cat", key],
                          capture_output=True, text=True)
    assert seen.returncode == 0 and len(seen.stdout) == 65


@needs_root
def test_an_open_secret_of_root_is_closed_by_the_advice_and_still_read(service):
    key = service.folder / "k1"
    key.write_text("ab" * 32 + "\n")
    key.chmod(0o644)
    service.write(encryption_keys=[{"id": "k1", "key_file": str(key)}])
    done = service.check()
    assert done.returncode == 2 and f"the key file {key}: everybody on this machine can read it" in done.stderr
    command = advice(done.stderr)
    assert command == f"chgrp {GROUP} {key} && chmod 0640 {key}"
    assert command in run("doctor", "--config", service.file, "--json").stderr
    mended = run("doctor", "--config", service.file, "--fix")
    assert f"and the group {GROUP}" in mended.stdout, mended
    assert key.stat().st_mode & 0o777 == 0o640 and key.stat().st_gid == NOBODY.pw_gid
    done = service.check()
    assert done.returncode == 0 and "everybody" not in done.stdout


@needs_root
def test_a_secret_below_a_folder_that_shuts_others_out_gets_no_warning(service):
    folder = service.folder / "keys"
    folder.mkdir()
    key = folder / "k1"
    key.write_text("ab" * 32 + "\n")
    key.chmod(0o644)
    service.write(encryption_keys=[{"id": "k1", "key_file": str(key)}])
    assert "everybody on this machine" in service.check().stderr
    os.chown(folder, 0, NOBODY.pw_gid)
    folder.chmod(0o750)
    done = service.check()
    assert done.returncode == 0 and "everybody on this machine" not in done.stdout
    assert "everybody on this machine" not in run("doctor", "--config", service.file).stdout


@needs_root
def test_a_new_key_is_for_the_group_of_its_folder(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir()
    for mode, group, expected in ((0o2750, NOBODY.pw_gid, 0o640), (0o750, NOBODY.pw_gid, 0o640), (0o700, NOBODY.pw_gid, 0o600),
                                  (0o755, 0, 0o600), (0o1777, NOBODY.pw_gid, 0o600)):
        os.chown(folder, 0, group)
        folder.chmod(mode)
        key = folder / f"{mode:o}-{group}"
        done = run("keys", "new", "--file", key)
        assert done.returncode == 0 and key.stat().st_mode & 0o7777 == expected, (oct(mode), done)
        assert (key.stat().st_gid == group) == (expected == 0o640 or mode & 0o2000 != 0 or group == 0)
        assert (f"which the group {GROUP} can read" in done.stderr) == (expected == 0o640)


# The environment of a service from systemd.


def elsewhere(script, **environment):
    """Runs a script with mounts of its own; /etc is a copy, and /run is empty."""
    with tempfile.TemporaryDirectory() as folder:
        begin = f"cp -a /etc {folder}/etc; mount --bind {folder}/etc /etc; mount -t tmpfs tmpfs /run\n"
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "bash", "-euc", begin + script], cwd=ROOT, capture_output=True,
            text=True, env=os.environ | {"SWITCHYARD": str(SWITCHYARD)} | environment, timeout=60)
    return done


def with_unit(folder, more=""):
    """The package's unit, for a configuration of its own."""
    unit = (ROOT / "deploy" / "switchyard.service").read_text().replace("/etc/switchyard/switchyard.yaml", f"{folder}/switchyard.yaml")
    (folder / "switchyard.service").write_text(unit.replace("User=switchyard", "User=nobody"))
    return f"cp {shlex.quote(str(folder))}/switchyard.service /etc/systemd/system/\nchown root:root /etc/systemd/system/switchyard.service\n{more}"


PACKAGED = """
public_url: https://login.contoso.com
trusted_proxies: ["uid:nobody"]
listen:
  - { address: "unix:/run/switchyard/switchyard.sock", mode: "0666", serve: [callbacks, api] }
  - { address: "unix:/run/switchyard/admin.sock", mode: "0660", serve: [admin] }
issuers: [{ name: main, issuer: "http://127.0.0.1:1" }]
apps: []
"""


@needs_root
def test_before_the_first_start_no_folder_of_systemds_is_missed_and_the_store_is_the_services(service):
    service.file.write_text(PACKAGED.replace("http://127.0.0.1:1", "https://127.0.0.1:1"))
    unseen = elsewhere(f"$SWITCHYARD check --store --config {service.file}")
    assert "the directory /run/switchyard does not exist" in unseen.stdout and "in memory" in unseen.stdout, unseen
    made = "mount -t tmpfs tmpfs /var/lib\nmkdir /var/lib/switchyard\n"
    seen = elsewhere(with_unit(service.folder, f"{made}$SWITCHYARD check --store --config {service.file}"))
    assert seen.returncode == 0 and "does not exist" not in seen.stdout, seen
    assert "/var/lib/switchyard/requests.db is not there yet" in seen.stdout


@needs_root
def test_the_user_of_the_unit_counts_before_there_is_a_socket(service):
    key = service.folder / "k1"
    key.write_text("ab" * 32 + "\n")
    key.chmod(0o600)
    service.file.write_text(PACKAGED.replace("http://127.0.0.1:1", "https://127.0.0.1:1")
                            + f"encryption_keys: [{{ id: k1, key_file: {key} }}]\n")
    seen = elsewhere(with_unit(service.folder, f"$SWITCHYARD check --config {service.file}"))
    assert seen.returncode == 2 and f"let nobody read it: chgrp {GROUP} {key} && chmod 0640 {key}" in seen.stderr, seen


@needs_root
def test_status_asks_at_the_usual_socket_when_the_configuration_is_wrong(gateway, tmp_path):
    (tmp_path / "wrong.yaml").write_text("nonsense: [\n")
    socket_path = gateway.socket.removeprefix("unix:")
    done = elsewhere(
        f"mkdir /run/switchyard\nln -s {socket_path} /run/switchyard/admin.sock\n$SWITCHYARD status --config {tmp_path}/wrong.yaml || true")
    # The socket of the API is no admin listener; what counts is that it was asked.
    assert "asking the gateway at /run/switchyard/admin.sock" in done.stderr
    assert "does not say where" not in done.stderr


@needs_root
@pytest.mark.parametrize("mode, expected", [("0750", 0), ("0751", 0)])
def test_an_agent_passes_over_a_folder_of_the_machine_that_it_cannot_reach(tmp_path, mode, expected):
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, NOBODY.pw_uid, NOBODY.pw_gid)
        program = Path(home) / "switchyard"
        shutil.copy(SWITCHYARD, program)
        done = elsewhere(
            f"mkdir -m {mode} /etc/switchyard\nmkdir /etc/switchyard/agent.d\n"
            f"setpriv --reuid={NOBODY.pw_uid} --regid={NOBODY.pw_gid} --clear-groups {program} check --config {home}/agent.yaml",
            HOME=home)
    assert done.returncode == expected and "agent.d" not in done.stderr, done


# Commands without a file.


def test_a_file_of_an_app_has_no_environment_variables_when_it_is_registered(tmp_path):
    file = tmp_path / "mail.yaml"
    file.write_text(yaml.safe_dump({"apps": [{
        "id": "com.contoso.mail", "name": "${SECRET}", "issuer": "demo", "client_id": "x", "redirect_uris": ["x-mail://auth"]}]}))
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "SECRET": "hunter2"}
    done = run("register", file, env=home)
    assert done.returncode == 2 and "an environment variable in an app to register" in done.stderr, done
    for made in tmp_path.rglob("*"):
        assert made.is_dir() or "hunter2" not in made.read_text()


def test_a_mistyped_command_is_answered_with_the_one_that_was_meant():
    done = run("reloda")
    assert done.returncode == 2 and "did you mean `switchyard reload`?" in done.stderr


@needs_root
@pytest.mark.parametrize("command", ["check", "serve"])
def test_the_usual_configuration_is_taken_where_there_is_one(command):
    done = elsewhere(f"mkdir /etc/switchyard\necho nonsense: 1 >/etc/switchyard/switchyard.yaml\n$SWITCHYARD {command}")
    assert done.returncode == 2 and "/etc/switchyard/switchyard.yaml:1:" in done.stderr, done
    done = elsewhere(f"$SWITCHYARD {command}")
    assert done.returncode == 2 and "--config is missing" in done.stderr, done
