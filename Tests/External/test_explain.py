"""Every sign-in has a short history, which any gateway of its store tells by the reference that a page showed; and every name that
an operator meets has its cause and its remedy."""

import contextlib
import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.api import Api
from harness.cases import cases
from harness.held import CODE, NONE, HoldingGateway, begin, outcome, release, shown
from harness.issuer import authorize
from harness.modes import FORM
from harness.programs import ROOT, eventually, run
from harness.redis import RedisServer, SharingGateway
from harness.vault import VAULT

STORES = ["memory", "sqlite", "redis"]
STARTED = "com.contoso.started"


class World:
    """A gateway where sign-ins take place and one that is asked about them: the same one, but for Redis."""

    def __init__(self, kind, run_folder, issuer, **options):
        self.kind, self.issuer, self.redis = kind, issuer, None
        self.gateways = []
        if kind == "redis":
            self.redis = RedisServer(run_folder).start()
        for _ in range(2 if kind == "redis" else 1):
            self.gateways.append(self._gateway(run_folder, options).start())

    def _gateway(self, run_folder, options):
        options = {"log": {"level": "debug"}} | options
        if self.kind == "redis":
            port = self.gateways[0].callbacks_port if self.gateways else None
            address = f"redis://127.0.0.1:{self.redis.port}/0"
            gateway = SharingGateway(run_folder, self.issuer.base, address, public_port=port, **options)
        else:
            gateway = HoldingGateway(run_folder, self.issuer.base, **options)
        if self.kind == "sqlite":
            gateway.store = gateway.folder / "store"
            gateway.store.mkdir()
            gateway.configuration["store"] = f"sqlite:{gateway.store}/requests.db"
        gateway.configuration["apps"].append(
            gateway.app("started", "Started Mail", client_id="started", require_start=True))
        return gateway

    @property
    def here(self):
        return self.gateways[0]

    def explain(self, reference, *options):
        """The answer of a gateway without any part of the sign-in, if there is one."""
        return run("explain", reference, *options, "--admin", f"http://127.0.0.1:{self.gateways[-1].admin_port}")

    def story(self, reference, until=lambda story: True):
        """The history as JSON, once it says what is waited for."""
        def look():
            told = self.explain(reference, "--json")
            story = json.loads(told.stdout) if told.returncode == 0 else None
            return story if story and until(story) else None

        return eventually(look, seconds=30, what=f"the history of {reference}")

    def ended(self, reference, status):
        return self.story(reference, lambda story: story["status"] == status)

    def stop(self):
        for gateway in self.gateways:
            gateway.stop()
        if self.redis:
            self.redis.kill()


@pytest.fixture(scope="module", params=STORES)
def world(request, run_folder, issuer):
    world = World(request.param, run_folder, issuer)
    yield world
    world.stop()


@pytest.fixture(scope="module", params=STORES)
def hasty(request, run_folder, issuer):
    """A gateway with short lifetimes."""
    world = World(request.param, run_folder, issuer, limits={"request_lifetime": "3s", "release_lifetime": "1s"})
    yield world
    world.stop()


def names(story):
    return [event["event"] for event in story["events"]]


def event(story, name):
    return next(event for event in story["events"] if event["event"] == name)


def bring(gateway, callback, **headers):
    """A browser that follows to the page of its sign-in: its cookie, and the page's address."""
    answer = gateway.browse(callback, headers=headers)
    assert answer.status == 303, answer.text
    return answer.header("Set-Cookie").split(";")[0], gateway.url(answer.header("Location"))


def held(world):
    """A sign-in with a held code: the request, the callback, its browser's cookie and page."""
    gateway = world.here
    pending = begin(gateway, CODE)
    assert gateway.browse(pending.start_url).status in (200, 303)
    callback = authorize(pending.authorization_url)
    return pending, callback, *bring(gateway, callback)


# One of each end


def test_one_that_is_completed(world):
    gateway = world.here
    pending = begin(gateway, NONE)
    assert gateway.browse(pending.start_url).status == 303
    callback = authorize(pending.authorization_url)
    bring(gateway, callback)
    assert outcome(pending)["status"] == "completed"
    gateway.browse(callback)
    assert pending.api.call("DELETE", pending.path, token=pending.token).status == 204
    story = world.story(pending.reference, lambda story: "acknowledged" in names(story))
    assert sorted(names(story)) == sorted([
        "begun", "started", "accepted", "redeemed", "completed", "collected", "repeated", "acknowledged"])
    assert names(story)[:3] == ["begun", "started", "accepted"]
    assert (story["reference"], story["app"], story["issuer"]) == (pending.reference, NONE, "demo")
    assert story["status"] == "completed" and "cause" not in story and "remedy" not in story
    assert (event(story, "accepted")["by"], event(story, "accepted")["iss"]) == ("query", "right")
    assert event(story, "begun")["from"] == "127.0.0.1"
    assert event(story, "redeemed")["issuer"] == "demo" and event(story, "redeemed")["milliseconds"] >= 0
    assert [event["at"] for event in story["events"]] == sorted(event["at"] for event in story["events"])
    told = world.explain(pending.reference)
    assert told.returncode == 0 and len(told.stdout.splitlines()) > 10
    assert f"Sign-in {pending.reference}: completed" in told.stdout and "demo gave tokens" in told.stdout


def test_one_that_several_calls_wait_for_is_collected_once(world):
    pending = begin(world.here, NONE)
    callback = authorize(world.here.browse(pending.start_url).header("Location"))
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(pending.poll, wait=60) for _ in range(6)]
        time.sleep(0.3)
        bring(world.here, callback)
        assert {call.result(timeout=30).json["status"] for call in waiting} == {"completed"}
    assert pending.api.call("DELETE", pending.path, token=pending.token).status == 204
    story = world.story(pending.reference, lambda story: "acknowledged" in names(story))
    assert event(story, "collected").get("count", 1) == 1


def test_one_that_is_released(world):
    pending, _, cookie, page = held(world)
    assert world.ended(pending.reference, "held")
    code = shown(world.here.browse(page, headers={"Cookie": cookie}).text, "release-code")
    assert release(pending, code="BCDFGH").status == 403
    assert release(pending, code=code).status == 204
    assert outcome(pending)["status"] == "completed"
    story = world.ended(pending.reference, "completed")
    assert event(story, "held")["proof"] == "code" and event(story, "wrong_code")["attempts_left"] == 2
    assert names(story).index("wrong_code") < names(story).index("released")


def test_one_that_the_issuer_denies(world):
    pending = begin(world.here, NONE, demo="deny")
    bring(world.here, authorize(pending.authorization_url))
    assert pending.failure()["code"] == "access_denied"
    story = world.ended(pending.reference, "failed")
    assert story["cause"] == "access_denied" and story["remedy"]
    # The program that began could have written that, so it does not count as the issuer's word.
    assert event(story, "failed")["told_by"] == "callback" and "somebody has written it into the address" in story["remedy"]
    told = world.explain(pending.reference).stdout
    assert "access_denied" in told and "Remedy" in told and story["remedy"].split()[0] in told


def test_one_whose_client_the_issuer_does_not_take(world, start_issuer):
    planted = "planted-words-of-the-issuer"
    pending = begin(world.here, NONE)
    callback = authorize(pending.authorization_url)
    world.issuer.control(token="answer", error="invalid_client", times=1,
                         error_description=f"AADSTS7000222: {planted}", suberror=planted)
    bring(world.here, callback)
    assert pending.failure()["code"] == "invalid_client"
    story = world.ended(pending.reference, "failed")
    assert (story["cause"], story["number"], story["issuer"]) == ("invalid_client", "AADSTS7000222", "demo")
    assert "expired" in story["explanation"] and "secret" in story["remedy"]
    assert planted not in json.dumps(story) + world.explain(pending.reference).stdout


def test_one_whose_code_was_typed_wrong_three_times(world):
    pending, *_ = held(world)
    for _ in range(3):
        assert release(pending, code="BCDFGH").status == 403
    story = world.ended(pending.reference, "failed")
    assert (story["cause"], story["code"]) == ("wrong_code", "release_failed")
    assert [event["attempts_left"] for event in story["events"] if event["event"] == "wrong_code"] == [2, 1, 0]


def test_one_that_was_not_me(world):
    pending, _, cookie, page = held(world)
    answer = world.here.browse(page, method="POST", body=b"answer=not_me", headers=FORM | {"Cookie": cookie})
    assert answer.status == 303
    story = world.ended(pending.reference, "failed")
    assert (story["cause"], story["code"]) == ("denied", "release_failed")


def test_one_that_was_canceled(world):
    pending = begin(world.here, NONE)
    assert pending.api.call("DELETE", pending.path, token=pending.token).status == 204
    story = world.ended(pending.reference, "failed")
    assert story["cause"] == "user_canceled" and "canceled" in names(story)


def test_one_that_came_in_other_browsers(world):
    pending = begin(world.here, STARTED)
    callback = authorize(world.here.browse(pending.start_url).header("Location"))
    fields = parse_qs(urlsplit(callback).query)
    for number in range(3):
        changed = {name: values[0] for name, values in fields.items()} | {"code": f"a-code-from-elsewhere-{number}"}
        VAULT.remember("code", changed["code"])
        answer = world.here.browse(f"{callback.split('?')[0]}?{urlencode(changed)}")
        assert answer.status == 303 and answer.header("Location").endswith("another-browser")
    # The events of another gateway come within about a second.
    story = eventually(
        lambda: event(found := world.ended(pending.reference, "failed"), "refused")["count"] == 3 and found, what="all three")
    assert (story["cause"], story["code"]) == ("another_browser", "release_failed")
    refused = event(story, "refused")
    assert (refused["reason"], refused["count"], refused["by"]) == ("another_browser", 3, "query")
    assert refused["last"] >= refused["at"]


def test_one_that_nobody_released_and_one_that_expired(hasty):
    pending, *_ = held(hasty)
    late = begin(hasty.here, NONE)
    story = hasty.ended(pending.reference, "failed")
    assert (story["cause"], story["code"]) == ("held_too_long", "release_failed")
    story = hasty.ended(late.reference, "expired")
    assert story["cause"] == "expired" and story["remedy"]


# Callbacks without a request


def reference_on(answer):
    found = shown(answer.text, "reference")
    assert found and len(found) == 10, answer.text
    return found


@cases(
    dict(target="/open/auth?code=a-planted-code-of-nobody&state=a-planted-state-of-nobody",
         method="GET", status=400, cause="unknown_state"),
    dict(target="/open/auth?state=a-planted-state-of-nobody", method="GET", status=400, cause="missing_code"),
    dict(target="/open/auth?code=a&code=b&state=c", method="GET", status=400, cause="duplicate_parameter"),
    dict(target="/open/auth?code=a", method="GET", status=400, cause="missing_state"),
    dict(target="/nothing/here?code=a&state=b", method="GET", status=404, cause="not_mine"),
    dict(target="/open/auth", method="PUT", status=405, cause="wrong_method"),
)
def test_a_refusal_is_found_by_the_reference_on_its_page(world, target, method, status, cause):
    answer = world.here.browse(world.here.url(target), method=method)
    assert answer.status == status
    reference = reference_on(answer)
    story = world.ended(reference, "failed")
    assert (story["cause"], names(story)) == (cause, ["refused"])
    assert story["app"] == ("" if cause == "not_mine" else "com.contoso.open")
    assert "planted" not in json.dumps(story)
    line = next(line for line in world.here.output().splitlines() if f"reference={reference}" in line)
    assert f"reason={cause}" in line


def test_each_refusal_has_a_reference_of_its_own(world):
    found = {reference_on(world.here.browse(world.here.url("/open/auth?code=a&state=b"))) for _ in range(3)}
    assert len(found) == 3


def test_a_refusal_of_a_known_state_belongs_to_its_sign_in(world):
    pending = begin(world.here, NONE)
    callback = authorize(pending.authorization_url)
    answer = world.here.browse(callback + "-changed")
    if "iss=" not in callback.split("&")[-1]:
        pytest.skip("the issuer does not name itself last")
    assert answer.status == 400 and reference_on(answer) == pending.reference
    story = world.story(pending.reference, lambda story: "refused" in names(story))
    assert story["status"] == "pending" and event(story, "refused")["reason"] == "wrong_issuer"


def test_a_flood_is_limited_and_its_pages_have_references(run_folder, issuer):
    world = World("memory", run_folder, issuer, limits={"callback_rate": 2})
    try:
        answers = [world.here.browse(world.here.url("/open/auth?code=a&state=b")) for _ in range(12)]
        limited = next(answer for answer in answers if answer.status == 429)
        assert world.ended(reference_on(limited), "failed")["cause"] == "limited"
    finally:
        world.stop()


def test_with_require_start_the_clean_page_has_the_reference_too(world):
    answer = world.here.browse(world.here.url("/started/auth?code=a-code-of-nobody-at-all&state=b"))
    assert answer.status == 400
    place = answer.header("Refresh").split("url=")[1]
    again = world.here.browse(world.here.url(place))
    assert again.status == 400 and reference_on(again) == reference_on(answer)
    changed = world.here.browse(world.here.url(place[:-1] + "!"))
    assert changed.status == 400 and 'id="reference"' not in changed.text
    assert world.here.browse(world.here.url(place.rsplit("/", 1)[0] + "/!")).status == 404


# Stores


def test_sqlite_remembers_over_a_restart(run_folder, issuer):
    world = World("sqlite", run_folder, issuer)
    try:
        pending = begin(world.here, NONE)
        bring(world.here, authorize(pending.authorization_url))
        assert outcome(pending)["status"] == "completed"
        world.here.stop()
        world.here.start()
        story = world.ended(pending.reference, "completed")
        assert {"begun", "accepted", "redeemed", "completed", "collected"} <= set(names(story))
        for name in os.listdir(world.here.store):
            assert (world.here.store / name).stat().st_mode & 0o077 == 0, name
    finally:
        world.stop()


def test_a_history_that_cannot_be_written_costs_no_sign_in_and_is_told_of(run_folder, issuer):
    world = World("sqlite", run_folder, issuer)
    try:
        world.here.stop()
        history = world.here.store / "requests.db.history"
        for file in world.here.store.glob("requests.db.history*"):
            file.unlink()
        history.mkdir()
        world.here.start()
        pending = begin(world.here, NONE)
        bring(world.here, authorize(pending.authorization_url))
        assert outcome(pending)["status"] == "completed"
        assert world.ended(pending.reference, "completed"), "it is in memory"
        eventually(lambda: "event=history_failed" in world.here.output(), what="the line")
        history.rmdir()
        eventually(lambda: begin(world.here, NONE) and history.is_file(), seconds=30, what="the file")
        world.here.stop()
        world.here.start()
        assert world.ended(pending.reference, "completed"), "it was written in the end"
    finally:
        world.stop()


def test_a_damaged_history_is_begun_anew(run_folder, issuer):
    world = World("sqlite", run_folder, issuer)
    try:
        world.here.stop()
        for file in world.here.store.glob("requests.db.history*"):
            file.unlink()
        (world.here.store / "requests.db.history").write_bytes(b"no database " * 1000)
        world.here.start()
        pending = begin(world.here, NONE)
        assert names(world.story(pending.reference)) == ["begun"]
        world.here.stop()
        world.here.start()
        assert names(world.story(pending.reference)) == ["begun"]
    finally:
        world.stop()


def test_a_callback_while_the_store_is_out_is_found_by_its_reference(run_folder, issuer):
    world = World("sqlite", run_folder, issuer)
    try:
        gateway = world.here
        pending = begin(gateway, NONE)
        callback = authorize(pending.authorization_url)
        database = gateway.store / "requests.db"
        # A reader looks into memory; a step needs the file.
        database.rename(database.with_suffix(".away"))
        answer = gateway.browse(callback)
        assert answer.status == 503
        story = world.story(reference_on(answer), lambda story: "refused" in names(story))
        assert event(story, "refused")["reason"] == "unavailable"
        database.with_suffix(".away").rename(database)
        eventually(lambda: gateway.browse(callback).status == 303, what="the store being back")
        assert outcome(pending)["status"] == "completed"
    finally:
        world.stop()


def test_redis_that_is_out_costs_no_history_of_that_time(run_folder, issuer):
    world = World("redis", run_folder, issuer)
    try:
        gateway = world.here
        world.redis.kill()
        answer = gateway.browse(gateway.url("/open/auth?code=a&state=b"))
        assert answer.status == 503
        reference = reference_on(answer)
        told = run("explain", reference, "--json", "--admin", f"http://127.0.0.1:{gateway.admin_port}")
        assert told.returncode == 0 and json.loads(told.stdout)["cause"] == "unavailable"
        world.redis.start()
        assert world.ended(reference, "failed")["cause"] == "unavailable", "the other gateway knows it as well"
        pending = begin(gateway, NONE)
        bring(gateway, authorize(pending.authorization_url))
        assert outcome(pending)["status"] == "completed"
    finally:
        world.stop()


# The command


def test_a_reference_is_taken_as_people_say_it(world):
    pending = begin(world.here, NONE)
    world.story(pending.reference)
    said = pending.reference.lower().replace("0", "o").replace("1", "l")
    for spelling in (said, f"{said[:5]}-{said[5:]}", f" {said[:5]} {said[5:]} "):
        assert json.loads(world.explain(spelling, "--json").stdout)["reference"] == pending.reference
        api = Api(f"http://127.0.0.1:{world.gateways[-1].admin_port}")
        path = spelling.replace(" ", "%20")
        assert api.call("GET", f"/v1/sign-ins/{path}").json["reference"] == pending.reference


def test_an_unknown_name_is_told_with_its_remedy(world):
    told = world.explain("7KX2M0Q9ZT")
    assert told.returncode == 1 and "7KX2M0Q9ZT" in told.stderr and "24 hours" in told.stderr and told.stdout == ""
    reply = Api(f"http://127.0.0.1:{world.here.admin_port}").call("GET", "/v1/sign-ins/7KX2M0Q9ZT")
    assert reply.status == 404 and reply.json["error"] == "not_found"
    assert Api(f"http://127.0.0.1:{world.here.admin_port}").call("GET", "/v1/sign-ins/x").status == 404
    assert Api(f"http://127.0.0.1:{world.here.admin_port}").call("POST", "/v1/sign-ins/7KX2M0Q9ZT").status == 405


def test_the_reference_opens_nothing_but_on_the_admin_listener(world):
    pending = begin(world.here, NONE)
    assert world.here.api().call("GET", f"/v1/sign-ins/{pending.reference}").status == 404
    assert world.here.browse(world.here.url(f"/v1/sign-ins/{pending.reference}")).status == 404


@pytest.mark.parametrize("name, words", [
    ("AADSTS50011", "redirect URI"), ("50011", "redirect URI"), ("aadsts50105", "assigned"), ("invalid_client", "client"),
    ("login-required", "signed in"), ("unknown_state", "store"), ("begin_rate", "begin_rate"), ("wrong_code", "code"),
    ("held_too_long", "release_lifetime"), ("not_mine", "switchyard check"), ("7000222", "expired"),
    ("AADSTS50011: The redirect URI 'https://…' does not match", "redirect URI"),
])
def test_a_name_is_explained_without_a_gateway(name, words):
    told = run("explain", name)
    assert told.returncode == 0 and words in told.stdout and "Remedy" in told.stdout
    found = json.loads(run("explain", name, "--json").stdout)
    assert found and all(entry.keys() == {"kind", "name", "cause", "remedy"} for entry in found)


@pytest.mark.parametrize("arguments, status", [
    ((), 2), (("--list", "x"), 2), (("--markdown",), 2), (("x", "--nonsense"), 2), (("--list", "--markdown", "--json"), 2),
    (("no-such-name-at-all",), 1), (("AADSTS99999999999",), 1), (("7KX2M0Q9ZT", "--admin", "http://127.0.0.1:1"), 1),
    (("7KX2M0Q9ZT", "--config", "/nonexistent.yaml"), 2),
])
def test_a_mistake_says_what_to_do(arguments, status):
    told = run("explain", *arguments)
    assert told.returncode == status and told.stderr and told.stdout == ""
    assert "hint:" in told.stderr or "--" in told.stderr


def test_the_numbers_that_operators_meet_are_explained():
    listed = {entry["name"] for entry in json.loads(run("explain", "--list", "--json").stdout)}
    for number in (50011, 50105, 50020, 65001, 65004, 70008, 700016, 7000215, 7000218, 7000222, 90014, 90072, 500113,
                   53003, 50076, 50079, 50058, 16000, 700082, 54005, 50126, 50053, 50057, 90019, 900144, 9002313):
        assert f"AADSTS{number}" in listed


def test_the_reference_of_errors_is_the_table_of_the_program():
    assert (ROOT / "docs/reference/errors.md").read_text() == run("explain", "--list", "--markdown").stdout, \
        "print it anew: switchyard explain --list --markdown > docs/reference/errors.md"


def test_every_error_of_the_api_is_in_the_table():
    import re

    listed = {entry["name"] for entry in json.loads(run("explain", "--list", "--json").stdout)
              if entry["kind"] in ("answer", "failure")}
    used = set()
    for file in [*(ROOT / "Sources/Gateway").rglob("*.swift"), *(ROOT / "Sources/Agent").rglob("*.swift")]:
        used |= set(re.findall(r'APIError\(\s*\.\w+,\s*"([a-z_]+)"', file.read_text()))
        used |= set(re.findall(r'"error": "([a-z_]+)"', file.read_text()))
    assert len(used) > 8 and used - listed == set()


# Secrets


def test_no_history_holds_a_secret(world):
    pending = begin(world.here, NONE)
    callback = authorize(pending.authorization_url)
    VAULT.remember_url(callback)
    cookie, _ = bring(world.here, callback)
    VAULT.remember("cookie", cookie.split("=", 1)[1])
    tokens = outcome(pending)["token_response"]
    VAULT.remember_all(tokens)
    told = json.dumps(world.ended(pending.reference, "completed")) + world.explain(pending.reference).stdout
    assert VAULT.found_in(told.encode()) == set()
    assert pending.id not in told
    if world.kind == "sqlite":
        with contextlib.suppress(FileNotFoundError):
            for file in world.here.store.glob("requests.db.history*"):
                copy = world.here.folder / "copy-of-history"
                shutil.copy(file, copy)
                assert VAULT.found_in(copy.read_bytes()) == set()
