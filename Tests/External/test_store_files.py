"""The files of a store are for the gateway's user alone: it takes its own back, says so, and refuses those of another user."""

import contextlib
import os

import pytest

from harness.held import begin
from harness.programs import eventually, run

APP = "com.contoso.app1"
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
FOREIGN = 4711


@pytest.fixture
def durable(start_gateway):
    def change(gateway):
        gateway.state = gateway.folder / "state"
        gateway.state.mkdir(mode=0o700)
        gateway.configuration["store"] = f"sqlite:{gateway.state}/requests.db"

    gateway = start_gateway(change=change)
    begin(gateway, APP)
    gateway.kill()
    return gateway


def is_alive(gateway):
    with contextlib.suppress(OSError):
        return gateway.admin("/healthz").status == 200


def warnings(gateway, since):
    return [line for line in gateway.output()[since:].splitlines() if "event=store_warning" in line]


@pytest.mark.parametrize("name", ["requests.key", "requests.db", "requests.db.history"])
@pytest.mark.parametrize("mode, deed", [(0o644, "read it"), (0o660, "change it"), (0o666, "change it")])
def test_a_file_that_others_could_use_is_taken_back_with_a_warning(durable, name, mode, deed):
    file, since = durable.state / name, len(durable.output())
    eventually(file.exists, what=name) if name != "requests.db.history" else file.touch()
    file.chmod(mode)
    durable.start()
    begin(durable, APP)
    eventually(lambda: [line for line in warnings(durable, since) if str(file) in line and deed in line],
               what="the warning")
    assert file.stat().st_mode & 0o777 == 0o600
    # It is said once.
    since = len(durable.output())
    durable.kill()
    durable.start()
    begin(durable, APP)
    assert warnings(durable, since) == []


@as_root
@pytest.mark.parametrize("name", ["requests.key", "requests.db"])
def test_a_file_of_another_user_is_refused_and_named(durable, name):
    file = durable.state / name
    os.chown(file, FOREIGN, -1)
    durable._is_ready = lambda: is_alive(durable)
    durable.start()
    refused = durable.api().begin_reply(APP)
    assert refused.status == 503
    ready = durable.admin("/readyz")
    assert ready.status == 503 and str(file) in ready.body.decode() and str(FOREIGN) in ready.body.decode()
    # Mended, it goes on by itself.
    os.chown(file, os.geteuid(), -1)
    eventually(lambda: durable.api().begin_reply(APP).status == 201, what="the store")


@as_root
def test_check_and_doctor_name_a_key_of_another_user(durable):
    key = durable.state / "requests.key"
    assert run("check", "--config", durable.file).returncode == 0
    os.chown(key, FOREIGN, -1)
    checked = run("check", "--config", durable.file)
    assert checked.returncode == 2 and str(key) in checked.stderr and str(FOREIGN) in checked.stderr
    found = run("doctor", "--config", durable.file, "--json").stdout
    assert str(key) in found and f"it belongs to user {FOREIGN}" in found


@as_root
def test_a_key_that_is_not_used_may_be_anybodys(durable):
    os.chown(durable.state / "requests.key", FOREIGN, -1)
    durable.configuration["encryption_keys"] = [{"id": "k1", "key": "00" * 32}]
    durable.start()
    begin(durable, APP)
    assert run("check", "--config", durable.file).returncode == 0
