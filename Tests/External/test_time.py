"""Somebody sets the machine's clock: sign-ins neither all end nor live on."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from harness.api import Api
from harness.gateway import CA, Gateway
from harness.issuer import authorize
from harness.programs import SWITCHYARD, Program, eventually, run

APP = "com.contoso.app1"


@pytest.fixture
def movable(run_folder, issuer, tmp_path, monkeypatch):
    """A gateway with a clock that a test sets, by Debian's libfaketime, which leaves the monotonic clocks alone. The
    sign-ins have no ID tokens, because their issuer keeps its own time."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    assert library, "it comes with the package faketime"
    setting = tmp_path / "offset"
    setting.write_text("+0\n")
    programs = []

    def start(**limits):
        gateway = Gateway(run_folder, issuer.base, limits=limits)
        gateway.configuration["store"] = f"sqlite:{gateway.folder}/requests.db"
        for app in gateway.configuration["apps"][:2]:
            app["default_scope"] = "mail.read"
        env = shutil.which("env")
        Program.__init__(
            gateway, gateway.log, f"LD_PRELOAD={library}", f"FAKETIME_TIMESTAMP_FILE={setting}", "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "DONT_FAKE_MONOTONIC=1",
            # The library changes the environment of the first program that has it, where Swift looks for the arguments.
            "sh", "-c", 'exec "$@"', "sh", SWITCHYARD, "serve", "--config", gateway.file, program=env)
        programs.append(gateway.start())
        return gateway

    def move(gateway, offset):
        fresh = tmp_path / "fresh"
        fresh.write_text(f"{offset}\n")
        before = gateway.admin("/healthz").header("Date")
        os.replace(fresh, setting)
        eventually(lambda: gateway.admin("/healthz").header("Date")[:22] != before[:22], what="another time of day")

    yield start, move
    for gateway in programs:
        gateway.stop()


def test_the_doctor_tells_of_a_clock_that_was_set(movable):
    start, move = movable
    gateway = start()

    def told():
        done = run("doctor", "--config", gateway.file, "--json", "--ca", CA)
        return [one["what"] for one in json.loads(done.stdout)["findings"] if one["area"] == "machine" and "was set" in one["what"]]

    assert told() == []
    move(gateway, "-1h")
    words = eventually(told, what="a word of it")[0]
    assert re.search(r"was set once since the gateway began, lately back by 3(599|600|601) seconds", words)


@pytest.mark.parametrize("offset", ["+1h", "-1h"])
def test_work_under_way_is_finished_after_the_clock_was_set(movable, offset):
    start, move = movable
    gateway = start()
    pending, held = gateway.api().begin(APP), gateway.api().begin(APP)
    callback = authorize(pending.authorization_url)
    move(gateway, offset)
    assert pending.poll().json == {"status": "pending"}
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    # And what is begun now as well.
    later = gateway.api().begin(APP)
    assert gateway.browse(authorize(later.authorization_url)).status == 303
    assert later.outcome()["status"] == "completed"
    assert held.poll().json == {"status": "pending"}


def test_a_clock_that_was_put_back_prolongs_no_life(movable):
    start, move = movable
    gateway = start(request_lifetime="4s", issuer_timeout="1s")
    pending = gateway.api().begin(APP)
    move(gateway, "-1h")
    eventually(lambda: pending.poll().status == 410, what="its end", seconds=30)


def test_a_result_can_be_read_again_after_the_clock_was_put_forward(movable):
    start, move = movable
    gateway = start()
    pending = gateway.api().begin(APP)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    move(gateway, "+1h")
    assert pending.outcome()["status"] == "completed"
    assert isinstance(pending.api, Api) and pending.delete().status == 204
