"""Databases of earlier versions: this one goes on with every request that it finds there."""

import json
import shutil
import time

import pytest

from harness.api import Pending
from harness.held import outcome, release
from harness.issuer import authorize
from harness.kept import FOLDER, World
from harness.programs import run
from harness.resource import come_back, parameters_of
from harness.vault import VAULT

VERSIONS = sorted(folder.name for folder in FOLDER.iterdir())


@pytest.fixture(params=VERSIONS)
def world(request, tmp_path):
    kept = FOLDER / request.param
    world = World(tmp_path)
    for file in kept.glob("requests.*"):
        if file.suffix != ".json":
            shutil.copy(file, world.gateway.folder)
            (world.gateway.folder / file.name).chmod(0o600)
    document = json.loads((kept / "requests.json").read_text())
    # A few seconds after it was written.
    world.disk.set(seconds_ahead=document["at"] + 5 - int(time.time()))
    world.kept = document["requests"]
    with world:
        yield world


def code_of(callback):
    return callback.split("code=")[1].split("&")[0]


def test_every_request_of_an_earlier_database_goes_on_where_it_stood(world):
    gateway, issuer, kept = world.gateway, world.issuer, world.kept
    checked = run("check", "--config", gateway.file, "--store")
    assert checked.returncode == 0 and f"holds {len(kept)} requests" in checked.stdout, checked.stdout + checked.stderr
    requests = {name: Pending(gateway.api(), one["begun"]) for name, one in kept.items()}
    for name, one in kept.items():
        VAULT.remember("result token", one["begun"]["result_token"])

    pending = requests["pending"]
    assert pending.is_untouched()
    callback = authorize(pending.authorization_url)
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed" and issuer.times_redeemed(code_of(callback)) == 1

    for name in ("held by a code", "held by a ticket"):
        held, one = requests[name], kept[name]
        assert held.poll().json == {"status": "release_required"}
        assert release(held, **one["proof"]).status == 204
        # This issuer has not given that code, but it was asked for it: what was sealed is open.
        assert outcome(held)["error"]["code"] == "release_failed"
        assert issuer.times_redeemed(code_of(one["callback"])) == 1

    assert requests["finished"].outcome()["token_response"]["access_token"]
    assert requests["read"].outcome() == kept["read"]["outcome"]
    assert requests["acknowledged"].poll().status == 404
    assert requests["canceled"].failure()["code"] == "user_canceled"
    for name in ("finished", "read", "acknowledged"):
        assert gateway.browse(kept[name]["callback"]).status == 303
        assert issuer.times_redeemed(code_of(kept[name]["callback"])) == 0
    assert requests["being redeemed"].failure()["code"] == "internal"
    assert issuer.times_redeemed(code_of(kept["being redeemed"]["callback"])) == 0

    if "of a resource" not in kept:
        return
    begun = kept["of a resource"]["begun"]
    come_back(gateway, begun)
    assert requests["of a resource"].outcome()["status"] == "completed"
    [exchange] = world.protected.token_requests
    assert exchange["form"]["client_secret"] == "a-secret-of-a-kept-client"
    # The next sign-in has the client that the earlier version has registered.
    assert parameters_of(world.begin_at_resource())["client_id"] == parameters_of(begun)["client_id"]
    assert not world.protected.registrations
