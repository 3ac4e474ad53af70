"""The store in a database: its content after a crash, and a gateway while its disk is away."""

import contextlib
import sqlite3
import subprocess
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml

from harness.forger import Forger
from harness.gateway import Gateway
from harness.held import CODE, DEVICE, NONE, HoldingGateway, begin, shown
from harness.issuer import authorize
from harness.programs import ROOT, eventually, run
from harness.vault import VAULT

APP = "com.contoso.app1"


def in_database(gateway):
    """A change to a gateway's configuration: its requests are in a database of its folder."""
    gateway.database = gateway.folder / "requests.db"
    gateway.configuration["store"] = f"sqlite:{gateway.database}"


@pytest.fixture
def durable(start_gateway):
    return start_gateway(change=in_database)


def crash(gateway):
    gateway.kill()
    gateway.start()


def code_of(callback):
    return callback.split("code=")[1].split("&")[0]


def test_a_crash_between_begin_and_callback_loses_nothing(durable):
    begun = [durable.api().begin(APP) for _ in range(5)]
    crash(durable)
    for pending in begun:
        assert pending.poll().json == {"status": "pending"}
        assert durable.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"


def test_a_crash_after_completion_leaves_the_result_for_the_app_and_the_page_for_the_browser(durable, issuer):
    pending = durable.api().begin(APP)
    callback = authorize(pending.authorization_url)
    assert durable.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    crash(durable)
    assert pending.outcome()["status"] == "completed"
    # The same callback again is known, and its code is not sent again.
    assert durable.browse(callback).status == 303
    assert issuer.times_redeemed(code_of(callback)) == 1
    assert pending.delete().status == 204
    crash(durable)
    assert pending.poll().status == 404
    assert durable.browse(callback).status == 303


def test_a_crash_while_a_code_is_redeemed_fails_the_request_and_sends_nothing_again(start_gateway, issuer):
    gateway = start_gateway(change=in_database, limits={"issuer_timeout": "1s"})
    pending = gateway.api().begin(APP, demo="auto,slow")
    callback = authorize(pending.authorization_url)
    browser = subprocess.Popen(
        ["curl", "--silent", "--cacert", str(ROOT / "certs/dev/ca.pem"), callback], stdout=subprocess.DEVNULL)
    eventually(lambda: issuer.times_redeemed(code_of(callback)) == 1, what="the code on its way")
    crash(gateway)
    browser.wait()
    outcome = pending.outcome()
    assert outcome["status"] == "failed" and outcome["error"]["code"] == "internal"
    assert gateway.browse(callback).status == 303
    assert issuer.times_redeemed(code_of(callback)) == 1


def test_a_second_gateway_on_the_same_database_is_refused_with_who_has_it(durable, tmp_path):
    second = Gateway(tmp_path, durable.configuration["issuers"][0]["issuer"], store=f"sqlite:{durable.database}")
    second.write()
    ended = run("serve", "--config", second.file)
    assert ended.returncode != 0 and f"process {durable.process.pid}" in ended.stderr
    assert durable.api().begin_reply(APP).status == 201


def files_of(gateway):
    return [file for file in gateway.folder.iterdir() if file.name.startswith("requests.")]


def test_the_files_of_the_store_are_for_its_user_only(durable):
    durable.api().begin(APP)
    files = files_of(durable)
    assert {file.name for file in files} >= {"requests.db", "requests.db-wal", "requests.key", "requests.db.lock"}
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600, file


@pytest.fixture
def forger():
    program = Forger()
    yield program
    program.stop()


def test_a_stolen_database_without_its_key_holds_no_secret(run_folder, forger, request):
    """At each step: pending, held, parked for another browser, completed, failed, collected, and over."""
    gateway = HoldingGateway(run_folder, forger.base)
    in_database(gateway)
    request.addfinalizer(gateway.stop)
    gateway.start()
    api = gateway.api()

    def arrive(app, **fields):
        # Without `openid` this issuer has no ID token to make.
        pending = begin(gateway, app, scope="profile", **fields)
        asked = parse_qs(urlsplit(pending.authorization_url).query)
        for name in ("state", "nonce"):
            VAULT.remember(name, asked.get(name, [None])[0])
        claims = forger.claims(pending.authorization_url)
        callback = f"{pending.redirect_uri}?{urlencode({'code': claims['code'], 'state': claims['state'], 'iss': forger.base})}"
        answer = gateway.browse(callback)
        assert answer.status == 303, answer.text
        VAULT.remember("cookie", answer.header("Set-Cookie").split(";")[0].partition("=")[2])
        page = gateway.browse(gateway.url(answer.header("Location")),
                              headers={"Cookie": answer.header("Set-Cookie").split(";")[0]})
        VAULT.remember("release code", shown(page.text, "release-code"))
        if page.header("Location"):
            VAULT.remember_all({"code": parse_qs(urlsplit(page.header("Location")).query)["ticket"][0]})
        return pending

    begin(gateway, NONE, scope="profile")
    arrive(CODE)
    arrive(DEVICE)
    arrive(NONE)
    collected = arrive(NONE)
    assert collected.outcome()["status"] == "completed"
    assert collected.delete().status == 204
    canceled = begin(gateway, NONE, scope="profile")
    assert canceled.delete().status == 204
    kinds = set(VAULT.items().values())
    assert {"state", "result token", "code", "code_verifier", "access_token", "cookie"} <= kinds
    gateway.kill()
    kept = {file.name: file.read_bytes() for file in files_of(gateway) if file.name != "requests.key"}
    assert NONE.encode() in kept["requests.db-wal"], "this looks where the requests are"
    with contextlib.closing(sqlite3.connect(gateway.database)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept["after the log was brought in"] = gateway.database.read_bytes()
    for name, data in kept.items():
        assert VAULT.found_in(data) == set(), name


def test_a_database_without_its_key_answers_come_again_and_goes_on_with_it(durable):
    pending = durable.api().begin(APP)
    key = durable.folder / "requests.key"
    kept = key.read_text()
    durable.kill()
    key.unlink()
    durable.start()
    assert pending.poll().status == 503
    durable.kill()
    key.write_text(kept)
    durable.start()
    assert durable.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def test_check_looks_through_the_store_also_while_a_gateway_uses_it(durable):
    durable.api().begin(APP)
    whole = run("check", "--config", durable.file, "--store")
    assert whole.returncode == 0 and "holds 1 requests" in whole.stdout
    durable.kill()
    with contextlib.closing(sqlite3.connect(durable.database)) as database:
        database.execute("UPDATE requests SET record = x'0102'")
        database.commit()
    damaged = run("check", "--config", durable.file, "--store")
    assert damaged.returncode == 1 and "request 1 cannot be read" in damaged.stderr


def test_check_tells_a_store_that_is_not_there_yet_from_one_that_is_none(durable):
    durable.kill()
    durable.configuration["store"] = f"sqlite:{durable.folder}/later.db"
    durable.write()
    early = run("check", "--config", durable.file, "--store")
    assert early.returncode == 0 and "the gateway makes it" in early.stdout, early
    (durable.folder / "later.db").write_text("this is no database" * 100)
    other = run("check", "--config", durable.file, "--store")
    assert other.returncode == 1 and "not a database; name another file" in other.stderr, other


def test_a_second_gateway_does_not_start_on_a_link_to_the_same_database(durable):
    link = durable.folder / "link.db"
    link.symlink_to(durable.database)
    second = yaml.safe_load(durable.file.read_text()) | {"store": f"sqlite:{link}"}
    second["listen"] = [{"address": f"unix:{durable.folder}/second.sock", "serve": ["api", "callbacks"]}]
    (durable.folder / "second.yaml").write_text(yaml.safe_dump(second))
    done = run("serve", "--config", durable.folder / "second.yaml")
    assert done.returncode == 1 and "another gateway" in done.stderr and "event=ready" not in done.stderr, done


def is_out(reply):
    return reply.status == 503 and int(reply.header("Retry-After")) > 0


def test_a_store_that_cannot_be_opened_is_tried_on_and_said(start_gateway):
    """The gateway starts, answers 503, and serves once the place is there."""
    folder = None

    def elsewhere(gateway):
        nonlocal folder
        folder = gateway.folder / "later"
        gateway.configuration["store"] = f"sqlite:{folder}/requests.db"
        gateway._is_ready = lambda: _answers(gateway)

    gateway = start_gateway(change=elsewhere)
    assert is_out(gateway.api().begin_reply(APP))
    page = gateway.browse(gateway.url("/app1/auth?state=x&code=y"))
    assert page.status == 503 and page.header("Retry-After")
    told = gateway.admin("/readyz")
    assert told.status == 503 and "No such file" in told.json["reasons"][0]
    assert gateway.admin("/healthz").status == 200
    assert "No such file" in gateway.output()
    folder.mkdir()
    eventually(lambda: gateway.api().begin_reply(APP).status == 201, what="the store")
    eventually(lambda: gateway.admin("/readyz").status == 200, what="readiness")


def _answers(gateway):
    with contextlib.suppress(OSError):
        return gateway.admin("/healthz").status == 200


def test_a_database_that_another_program_holds_refuses_what_is_new_and_goes_on_by_itself(durable):
    api = durable.api()
    pending = api.begin(APP)
    callback = authorize(pending.authorization_url)
    with contextlib.closing(sqlite3.connect(durable.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert is_out(api.begin_reply(APP))
        page = durable.browse(callback)
        assert page.status == 503 and page.header("Retry-After")
        # A reader does not wait.
        assert pending.poll().json == {"status": "pending"}
        told = eventually(lambda: durable.admin("/readyz").status == 503 and durable.admin("/readyz"), what="the reason")
        assert "holds it" in told.json["reasons"][0]
        other.execute("ROLLBACK")
    eventually(lambda: durable.admin("/readyz").status == 200, what="recovery")
    # The callback was not consumed.
    assert durable.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    assert durable.output().count("event=store_failed") <= 3
    assert "event=store_back" in durable.output()


def test_the_state_directory_of_the_service_manager_is_the_standard_place(start_gateway, monkeypatch, tmp_path):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    gateway = start_gateway(change=lambda gateway: gateway.configuration.pop("store"))
    # The log may come a moment after the gateway serves.
    eventually(lambda: f"path={tmp_path}/requests.db" in gateway.output(), what="the store in the log")
    pending = gateway.api().begin(APP)
    crash(gateway)
    assert pending.poll().json == {"status": "pending"}
