"""A database that an earlier version has written, kept in the repository, and the gateway and issuer that it was written for.

`python -m harness.kept VERSION`, in `Tests/External` of that version, writes `kept/VERSION`. A database that is there is
never written again: a version with another format must migrate it.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.disk import Disk
from harness.gateway import CA
from harness.held import CODE, DEVICE, NONE, HoldingGateway, Visit, begin
from harness.issuer import TestIssuer, authorize
from harness.programs import eventually

FOLDER = Path(__file__).resolve().parents[1] / "kept"
# Registrations name both, so they cannot be chosen anew. No other test takes ports down there.
ISSUER_PORT, PUBLIC_PORT = 9417, 9418


class World:
    """The issuer and the gateway of a kept database, with a clock of their own."""

    def __init__(self, folder):
        self.disk = Disk(folder)
        self.issuer = TestIssuer(folder, port=ISSUER_PORT)
        self.gateway = HoldingGateway(folder, self.issuer.base, public_port=PUBLIC_PORT)
        self.gateway.configuration["listen"][0]["address"] = f"127.0.0.1:{PUBLIC_PORT}"
        self.database = self.gateway.folder / "requests.db"
        self.gateway.configuration["store"] = f"sqlite:{self.database}"
        self.issuer.environment = self.gateway.environment = self.disk.environment

    def __enter__(self):
        self.issuer.start()
        try:
            self.gateway.start()
        except BaseException:
            self.issuer.stop()
            raise
        return self

    def __exit__(self, *_):
        self.gateway.stop()
        self.issuer.stop()


def write(version):
    """One request at each step that a crash may leave."""
    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        gateway, issuer, requests = world.gateway, world.issuer, {}

        def keep(name, pending, callback=None, **more):
            requests[name] = {"begun": pending.fields, "callback": callback} | more

        def finish():
            pending = begin(gateway, NONE)
            callback = authorize(pending.authorization_url)
            assert gateway.browse(callback).status == 303
            return pending, callback

        keep("pending", begin(gateway, NONE, host_label="dev-vm.17"))
        for name, app in (("held by a code", CODE), ("held by a ticket", DEVICE)):
            visit = Visit(gateway, begin(gateway, app))
            proof = {"code": visit.code} if app == CODE else {"ticket": visit.ticket}
            keep(name, visit.pending, visit.callback, proof=proof)
        keep("finished", *finish())
        pending, callback = finish()
        keep("read", pending, callback, outcome=pending.outcome())
        pending, callback = finish()
        assert pending.outcome()["status"] == "completed" and pending.delete().status == 204
        keep("acknowledged", pending, callback)
        canceled = begin(gateway, NONE)
        assert canceled.delete().status == 204
        keep("canceled", canceled)
        pending = begin(gateway, NONE, demo="auto,slow")
        callback = authorize(pending.authorization_url)
        browser = subprocess.Popen(["curl", "--silent", "--cacert", CA, callback], stdout=subprocess.DEVNULL)
        eventually(lambda: issuer.times_redeemed(callback.split("code=")[1].split("&")[0]) == 1, what="the code on its way")
        gateway.kill()
        browser.wait()
        keep("being redeemed", pending, callback)
        place = FOLDER / version
        place.mkdir(parents=True)
        # The database as after a crash, with changes that only its log has.
        for name in ("requests.db", "requests.db-wal", "requests.key"):
            shutil.copy(gateway.folder / name, place / name)
        (place / "requests.json").write_text(json.dumps({"at": int(time.time()), "requests": requests}, indent=1))
        gateway.start()


if __name__ == "__main__":
    write(sys.argv[1])
