"""A gateway as a user without privileges: its files, its sockets, and its successor."""

import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
import yaml

from harness.gateway import CA, Gateway
from harness.issuer import authorize
from harness.programs import CERTIFICATES, SWITCHYARD, eventually, free_port
from harness.upgradable import Upgradable

APP = "com.contoso.app1"
# The user `nobody`, and another one.
USER, OTHER = 65534, 65533

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")


class UnprivilegedGateway(Upgradable, Gateway):
    def __init__(self, folder, issuer):
        super().__init__(folder, issuer)
        (self.folder / "store").mkdir(mode=0o700)
        for name, mode in (("server.pem", 0o644), ("server.key", 0o600), ("ca.pem", 0o644)):
            shutil.copy(CERTIFICATES / name, self.folder)
            (self.folder / name).chmod(mode)
        self.configuration["store"] = f"sqlite:{self.folder}/store/requests.db"
        self.configuration["issuers"][0]["ca"] = str(self.folder / CA.name)
        for listener in self.configuration["listen"]:
            if "tls" in listener:
                listener["tls"] = {name: str(self.folder / file) for name, file in
                                   (("certificate", "server.pem"), ("key", "server.key"))}
        self.configuration["listen"][2] |= {"mode": "0660", "group": "nogroup"}
        self.admin_socket = self.folder / "admin.sock"
        self.configuration["listen"].append({"address": f"unix:{self.admin_socket}", "mode": "0666", "serve": ["admin"]})
        self.make_upgradable()
        # That user may not look into the folder of the program's builder.
        self.program.unlink()
        shutil.copy(SWITCHYARD, self.program)
        self.prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all"]
        for file in [self.folder, *self.folder.iterdir()]:
            os.chown(file, USER, USER)


@pytest.fixture
def gateway(issuer):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        gateway = UnprivilegedGateway(Path(folder), issuer.base)
        gateway.start()
        yield gateway
        gateway.stop()


def of(path):
    status = os.stat(path)
    return status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)


def finishes(gateway, pending):
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def test_its_files_are_its_own_and_its_sockets_have_the_modes_that_were_given(gateway):
    finishes(gateway, gateway.api().begin(APP))
    kept = list((gateway.folder / "store").iterdir())
    assert {"requests.db", "requests.db-wal", "requests.db-shm", "requests.db.lock", "requests.key"} <= {f.name for f in kept}
    assert {of(file) for file in kept} == {(USER, USER, 0o600)}
    assert of(gateway.socket.removeprefix("unix:")) == (USER, USER, 0o660)
    assert Path(f"/proc/{gateway.serving}/status").read_text().split("Uid:")[1].split()[:4] == [str(USER)] * 4


def test_another_user_gets_neither_its_database_nor_a_reload(gateway):
    gateway.api().begin(APP)
    elsewhere = gateway.folder / "elsewhere.yaml"
    listeners = [{"address": f"127.0.0.1:{free_port()}", "serve": ["api"]}]
    elsewhere.write_text(yaml.safe_dump(gateway.configuration | {"listen": listeners}))
    # Not even root, while it runs; its own user neither.
    for user in (0, USER):
        second = subprocess.run([gateway.program, "serve", "--config", elsewhere], user=user, group=user,
                                capture_output=True, text=True, timeout=60)
        assert second.returncode != 0 and "the store of another gateway: process" in second.stderr, second.stderr

    def reload(user):
        return subprocess.run(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", gateway.admin_socket,
             "-H", "Content-Type: application/json", "-d", "{}", "http://localhost/v1/reload"],
            user=user, group=user, extra_groups=[], capture_output=True, text=True, timeout=60).stdout

    assert [reload(user) for user in (OTHER, USER, 0)] == ["403", "200", "200"]


def test_another_process_takes_its_place(gateway):
    pending = gateway.api().begin(APP)
    gateway.upgrade()
    assert of(f"/proc/{gateway.serving}")[0] == USER
    finishes(gateway, pending)
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")
