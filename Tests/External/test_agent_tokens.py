"""Tokens for any program: the agent's API, `switchyard token` and its formats, with git, curl and kubectl where they are."""

import base64
import fcntl
import http.server
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from cryptography import x509

from harness.agent import AgentGateway
from harness.api import Api
from harness.certificates import Certificate
from harness.gateway import CA
from harness.issuer import TestIssuer, authorize, fetch
from harness.keyring import Desktop
from harness.programs import ROOT, SWITCHYARD, eventually
from harness.users import flood_by_another_user, needs_root, status_for_another_user
from harness.vault import VAULT

SECRET = {"confidential": "a-secret-that-only-the-agent-has"}
MAIL, CALENDAR, SECRETIVE = "com.contoso.app1", "com.contoso.app2", "com.contoso.secretive"
PYTHONS, CURLS, NOBODYS = "com.contoso.python", "com.contoso.curl", "com.contoso.nobody"
READ = "api://mail/read"


class World:
    """An agent with a home of its own, and its issuer."""

    def __init__(self, folder, bus=None):
        self.folder = folder
        self.issuer = TestIssuer(folder, clients=SECRET).start()
        self.agent = AgentGateway(folder, self.issuer.base)
        if bus is not None:
            self.agent.environment["DBUS_SESSION_BUS_ADDRESS"] = bus
        app = self.agent.app
        mine = {"uids": [os.getuid()]}
        self.agent.configuration["apps"] += [
            app("secretive", "Secretive", client_id="confidential", client_secret=SECRET["confidential"], begin_from=mine),
            app("python", "Python's", client_id="python", use_from={"executables": ["/usr/bin/gone", os.path.realpath(sys.executable)]}),
            app("curl", "curl's", client_id="curl", use_from={"executables": ["/usr/bin/curl"]}),
            app("sandboxed", "A sandbox's", client_id="sandboxed", use_from={"desktop_ids": ["org.gnome.Evolution"]}),
            app("nobody", "Nobody's", client_id="nobody", use_from={"executables": []}),
        ]
        self.agent.start()
        self.api = self.agent.local_api()

    def stop(self):
        self.agent.stop()
        self.issuer.stop()

    def token(self, app=MAIL, **fields):
        reply = self.api.call("POST", "/v1/tokens", {"app": app, **fields})
        if reply.status == 200:
            VAULT.remember("access_token", reply.json["access_token"])
        return reply

    def sign_in(self, app=MAIL, user=None, **fields):
        """Does what the agent says when there is no token: posts its `request`, and follows the browser's way."""
        refused = self.token(app, **fields)
        assert refused.status == 401, refused.body
        return self.follow(refused.json["request"], app, user)

    def follow(self, request, app=MAIL, user=None):
        demo = {"demo": "auto"} | ({"login_hint": user} if user and "login_hint" not in request else {})
        request = request | ({"login_hint": user} if user else {})
        demo.pop("login_hint", None)
        pending = self.api.begin(app, **{name: value for name, value in request.items() if name != "app"}, extra_parameters=demo)
        assert self.agent.browse(authorize(pending.authorization_url)).status == 303
        outcome = pending.outcome()
        assert outcome["status"] == "completed", outcome
        self.reference = pending.reference
        pending.delete()
        return outcome

    def accounts(self, app=MAIL):
        reply = self.api.call("GET", f"/v1/accounts?app={app}")
        assert reply.status == 200, reply.body
        return reply.json["accounts"]

    def forget(self, app=MAIL):
        for account in self.accounts(app):
            path = f"/v1/accounts/{quote(account['id'], safe='')}?app={app}"
            assert self.api.call("DELETE", path).status == 204

    def said(self, event):
        """The log's line of this event about the last sign-in."""
        def lines():
            return [line for line in self.agent.output().splitlines() if f"event={event} reference={self.reference} " in f"{line} "]
        return eventually(lines, seconds=60, what=f"{event} in the log")[0]

    def explained(self):
        """The history of the last sign-in, once it is there."""
        admin = self.agent.admin_socket
        done = subprocess.run(
            [SWITCHYARD, "explain", self.reference, "--json", "--admin", admin], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def refreshes(self, client="contoso-suite"):
        return json.loads(fetch(f"{self.issuer.base}/demo/stats?client={client}")[2])["refresh_token"]

    def command(self, *arguments, environment=None, **options):
        """One `switchyard` command of this user, without a display unless it is given."""
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        program = [str(SWITCHYARD), *map(str, arguments), "--gateway", self.agent.socket, "--ca", str(CA)]
        return subprocess.run(
            program, capture_output=True, text=True, timeout=60, env=kept | (environment or {}), **options)


@pytest.fixture(scope="module")
def world(run_folder):
    folder = run_folder / "agent-tokens"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.fixture
def signed_in(world):
    """Somebody has signed in."""
    if world.token().status != 200:
        world.sign_in()
    return world


def test_a_person_who_has_not_signed_in_is_told_what_a_sign_in_needs(world):
    world.forget()
    reply = world.token(scope=READ, claims={"id_token": {"auth_time": None}})
    assert reply.status == 401 and reply.json["error"] == "interaction_required" and reply.header("WWW-Authenticate")
    request = reply.json["request"]
    assert (request["app"], request["scope"]) == (MAIL, f"{READ} openid profile offline_access")
    assert json.loads(request["claims"]) == {"id_token": {"auth_time": None}} and "login_hint" not in request
    assert world.token(account="somebody@contoso.com").json["request"]["login_hint"] == "somebody@contoso.com"


@needs_root
def test_another_user_brings_no_callback_to_an_agent(world):
    """The list of processes shows every user the authorization address, with its state."""
    pending = world.api.begin(MAIL, extra_parameters={"demo": "auto"})
    theirs = authorize(pending.authorization_url)
    error = re.sub("code=[^&]+", "error=access_denied", theirs)
    for address in (theirs, error, world.agent.url("/legacy?code=x&state=y"), world.agent.url("/start/x")):
        assert status_for_another_user("-k", address) == 403
    assert status_for_another_user("-k", "-d", theirs.partition("?")[2], theirs.partition("?")[0]) == 403
    said = [line for line in world.agent.output().splitlines() if "reason=access_denied" in line and "65534" in line]
    assert said and "event=call_refused" in said[0]
    # The person's own browser still completes, and other users cannot take its connections.
    with flood_by_another_user(world.agent.callbacks_port, 40):
        assert status_for_another_user("-k", theirs) in (0, 503)
        assert world.agent.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    pending.delete()


def test_after_that_sign_in_every_program_gets_tokens(world):
    world.forget()
    world.sign_in(scope=READ)
    answer = world.token(scope=READ).json
    assert set(answer) == {"access_token", "token_type", "expires_on", "granted_scopes", "account"}
    assert answer["token_type"] == "Bearer" and answer["granted_scopes"] == [READ]
    assert isinstance(answer["expires_on"], int) and 3000 < answer["expires_on"] - time.time() < 3700
    [account] = world.accounts()
    assert answer["account"] == account and account["id"] and account["username"]
    # The cache answers, by identifier and by name.
    for name in (account["id"], account["username"], account["username"].upper()):
        assert world.token(scope=READ, account=name).json["access_token"] == answer["access_token"]
    fresh = world.token(scope=READ, force_refresh=True).json["access_token"]
    assert fresh != answer["access_token"] == answer["access_token"]
    assert world.token(scope=READ).json["access_token"] == fresh


def test_the_token_is_good_at_the_api(signed_in):
    token = signed_in.token(scope="openid profile").json["access_token"]
    status, _, body = fetch(f"{signed_in.issuer.base}/userinfo", headers={"Authorization": f"Bearer {token}"})
    assert status == 200 and json.loads(body)["sub"]


def test_apps_of_one_client_id_share_their_accounts(world):
    world.forget()
    world.sign_in(MAIL)
    assert world.token(CALENDAR).status == 200 and world.accounts(CALENDAR) == world.accounts(MAIL)
    assert world.token(SECRETIVE).status == 401
    world.forget(CALENDAR)
    assert world.token(MAIL).status == 401


def test_all_callers_share_one_refresh(signed_in):
    signed_in.token()
    before = signed_in.refreshes()
    signed_in.issuer.control(token="answer", client="contoso-suite", grant_type="refresh_token", delay=700, demo="refresh_in=3000")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: signed_in.token(force_refresh=True), range(8)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json["access_token"] for answer in answers}) == 1
    assert signed_in.refreshes() == before + 1


def test_an_app_with_a_secret_is_refreshed_with_it(world):
    world.forget(SECRETIVE)
    world.sign_in(SECRETIVE)
    first = world.token(SECRETIVE).json["access_token"]
    assert world.token(SECRETIVE, force_refresh=True).json["access_token"] != first
    # With a refresh token of its own it is the gateway's call.
    reply = world.api.call("POST", "/v1/tokens", {"app": SECRETIVE, "refresh_token": "x" * 20})
    assert (reply.status, reply.json["status"]) == (400, "failed")


def test_failures_of_the_issuer_are_told_apart(signed_in):
    signed_in.issuer.control(token="answer", client="contoso-suite", grant_type="refresh_token", error="invalid_grant", suberror="bad_token")
    reply = signed_in.token(force_refresh=True)
    assert reply.status == 401 and reply.json["request"]["login_hint"]
    signed_in.forget()
    signed_in.sign_in()
    signed_in.issuer.control(token="answer", client="contoso-suite", grant_type="refresh_token", status=429, retry_after=7)
    reply = signed_in.token(force_refresh=True)
    assert (reply.status, reply.json["error"], reply.header("Retry-After")) == (429, "throttled", "7")
    # The agent does not even ask the issuer again.
    before = signed_in.refreshes()
    assert signed_in.token(force_refresh=True).status == 429 and signed_in.refreshes() == before
    signed_in.forget()


def test_tokens_outlive_the_agent(world):
    world.forget()
    world.sign_in()
    token = world.token().json["access_token"]
    world.agent.stop()
    world.agent.start()
    assert world.token().json["access_token"] == token


def test_a_real_keyring_keeps_them(run_folder):
    # The names of sockets are short.
    folder = run_folder / "keyring"
    folder.mkdir()
    desktop = Desktop(folder).start_bus().start_keyring()
    world = None
    try:
        (folder / "agent").mkdir()
        world = World(folder / "agent", desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
        world.sign_in()
        token = world.token().json["access_token"]
        world.agent.stop()
        world.agent.start()
        assert world.token().json["access_token"] == token
        assert desktop.items("org.switchyard.TokenCache"), "nothing is in the keyring"
        world.forget()
        assert world.token().status == 401
    finally:
        if world is not None:
            world.stop()
        desktop.close()


@pytest.fixture
def keyring(run_folder, request):
    """A session with a keyring, a notification service and an agent; and the change to the keyring."""
    # The names of sockets are short.
    folder = run_folder / f"k{len(request.node.name)}"
    folder.mkdir()
    desktop = Desktop(folder).start_bus().start_keyring().start_notices()
    world = None
    try:
        (folder / "a").mkdir()
        world = World(folder / "a", desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
        yield desktop, world
    finally:
        if world is not None:
            world.stop()
        desktop.close()


def test_a_locked_keyring_is_told_of_and_loses_no_sign_in(keyring):
    desktop, world = keyring
    desktop.lock()
    outcome = world.sign_in()
    # The program that began has the tokens, the other programs have them, too, and the person is told of the consequences.
    token = world.token()
    assert token.status == 200 and "locked" in token.json["not_kept"] and world.accounts()
    done = world.command("token", "--app", MAIL)
    assert done.stdout.strip() == token.json["access_token"] and "memory only" in done.stderr and "locked" in done.stderr
    line = world.said("tokens_not_kept")
    assert "level=warning" in line and f"app={MAIL} reason=storage_locked" in line and "remedy=" in line
    eventually(lambda: desktop.shown, what="a notification")
    assert [notice["heading"] for notice in desktop.shown] == ["Your sign-in is not saved yet"]
    story = eventually(lambda: "cause" in (story := world.explained()) and story, what="its history")
    assert story["status"] == "completed" and story["cause"] == "storage_locked" and "nlock the keyring" in story["remedy"]
    # A refresh in memory spends the token that the issuer gave, and its successor is not lost either.
    fresh = world.token(force_refresh=True).json["access_token"]
    assert fresh != token.json["access_token"] and not desktop.items("org.switchyard.TokenCache")
    for text in (world.agent.output(), json.dumps(story), json.dumps(desktop.shown), done.stderr):
        assert not any(secret in text for secret in (fresh, outcome["token_response"]["refresh_token"]))
    # Another process of the same keyring, with its password.
    desktop.stop_keyring()
    desktop.start_keyring()
    assert world.said("tokens_kept")
    assert "not_kept" not in world.token().json and desktop.items("org.switchyard.TokenCache")
    world.agent.stop()
    world.agent.start()
    assert world.token().json["access_token"] == fresh and world.token(force_refresh=True).status == 200


def test_a_keyring_that_hangs_is_told_of_and_loses_no_sign_in(keyring):
    desktop, world = keyring
    desktop.daemon.send_signal(signal.SIGSTOP)
    try:
        pending = world.api.begin(MAIL, scope="openid profile offline_access", extra_parameters={"demo": "auto"})
        assert world.agent.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
        world.reference = pending.reference
        assert "reason=storage_slow" in world.said("tokens_not_kept")
    finally:
        desktop.daemon.send_signal(signal.SIGCONT)
    assert world.said("tokens_kept")
    assert world.token().status == 200 and desktop.items("org.switchyard.TokenCache")


@pytest.mark.parametrize("ill, reason", [("open to others", "storage_denied"), ("not to be written", "storage_failed")])
def test_a_folder_that_takes_no_tokens_is_told_of_and_loses_no_sign_in(world, ill, reason):
    world.forget()
    request = world.token().json["request"]
    folder = world.agent.home / "state" / "switchyard" / "tokens"
    # Root may write anywhere, so a folder takes the file's place: no user can write that.
    obstacle = folder / "contoso-suite.unfinished"
    obstacle.mkdir() if reason == "storage_failed" else folder.chmod(0o755)
    try:
        first = world.follow(request, user="adele")
        assert f"reason={reason}" in world.said("tokens_not_kept") and str(folder) in world.token().json["not_kept"]
        [adele] = world.accounts()
        world.follow(request, user="bruno")
        assert len(world.accounts()) == 2 and world.token().json["error"] == "account_required"
        assert world.token(account=adele["id"]).status == 200
        if reason == "storage_failed":
            # It can be read, and these accounts are not there: a signed-out account stays out.
            path = f"/v1/accounts/{quote(adele['id'], safe='')}?app={MAIL}"
            reply = world.api.call("DELETE", path, headers={"Prefer": "return=representation"})
            assert reply.json == {"revocation": "revoked"}
    finally:
        obstacle.rmdir() if reason == "storage_failed" else folder.chmod(0o700)
    assert world.said("tokens_kept")
    kept = world.accounts()
    assert (adele in kept) == (reason == "storage_denied") and len(kept) == 1 + (adele in kept)
    assert "not_kept" not in world.token(account=kept[0]["id"]).json
    world.agent.stop()
    world.agent.start()
    assert world.accounts() == kept
    assert first["token_response"]["refresh_token"] not in world.agent.output()


def test_an_agent_that_ends_tries_once_more(world):
    world.forget()
    request = world.token().json["request"]
    folder = world.agent.home / "state" / "switchyard" / "tokens"
    folder.chmod(0o755)
    try:
        world.follow(request)
        # It has tried again by itself, and waits longer now.
        time.sleep(1.3)
        assert "not_kept" in world.token().json
    finally:
        folder.chmod(0o700)
    world.agent.stop()
    assert world.said("tokens_kept")
    world.agent.start()
    assert world.token().status == 200


def test_a_refresh_whose_end_cannot_be_kept_spends_no_token(world):
    world.forget()
    world.sign_in()
    folder = world.agent.home / "state" / "switchyard" / "tokens"
    world.issuer.control(token="answer", client="contoso-suite", grant_type="refresh_token", delay=1500, demo="expires_in=3600")
    with ThreadPoolExecutor() as pool:
        reply = pool.submit(world.token, force_refresh=True)
        # By now the issuer thinks.
        time.sleep(0.7)
        folder.chmod(0o755)
        try:
            first = reply.result()
            assert first.status == 200 and str(folder) in first.json["not_kept"], first.body
        finally:
            folder.chmod(0o700)
    eventually(lambda: "not_kept" not in world.token().json, what="the tokens being kept")
    assert world.token().json["access_token"] == first.json["access_token"]
    world.agent.stop()
    world.agent.start()
    # The refresh token of the sign-in was spent: only its successor is good.
    assert world.token(force_refresh=True).status == 200


def test_tokens_of_nobody_are_told_of(world):
    world.forget()
    pending = world.api.begin(MAIL, scope=READ)
    assert world.agent.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    world.reference = pending.reference
    assert "level=info" in world.said("tokens_not_kept") and "reason=no_id_token" in world.said("tokens_not_kept")
    refused = world.token()
    assert refused.status == 401 and "openid" in refused.json["error_description"]
    world.sign_in()
    assert world.token().status == 200


def sign_out(world, app=MAIL):
    """The issuer's answer to it."""
    [account] = world.accounts(app)
    path = f"/v1/accounts/{quote(account['id'], safe='')}?app={app}"
    reply = world.api.call("DELETE", path, headers={"Prefer": "return=representation"})
    assert reply.status == 200 and world.accounts(app) == []
    return reply.json["revocation"]


def test_a_sign_out_revokes_the_refresh_token(signed_in):
    world = signed_in
    world.forget()
    old = world.sign_in()["token_response"]["refresh_token"]
    assert sign_out(world) == "revoked"
    eventually(lambda: "event=revoked" in world.agent.output(), what="a word of it in the log")
    form = {"grant_type": "refresh_token", "refresh_token": old, "client_id": "contoso-suite"}
    assert json.loads(fetch(f"{world.issuer.base}/token", form)[2])["error"] == "invalid_grant"


@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["kept", "not kept"])
def test_a_refresh_that_ends_after_the_sign_out_brings_nobody_back(world, mode):
    """Neither where the storage would take its end, nor where it does not and memory would."""
    world.forget()
    world.sign_in()
    folder = world.agent.home / "state" / "switchyard" / "tokens"
    world.issuer.control(token="answer", client="contoso-suite", grant_type="refresh_token", delay=1500)
    # Else the issuer has forgotten the refresh token when it comes to it.
    world.issuer.control(outage="revocation")
    try:
        with ThreadPoolExecutor() as pool:
            reply = pool.submit(world.token, force_refresh=True)
            time.sleep(0.7)
            assert sign_out(world) == "failed"
            folder.chmod(mode)
            refreshed = reply.result()
    finally:
        folder.chmod(0o700)
        world.issuer.control(outage="none")
    assert refreshed.status == 401 and "signed out meanwhile" in refreshed.json["error_description"], refreshed.body
    # Longer than until it would be tried again to keep what memory has.
    time.sleep(1.5)
    assert world.accounts() == [] and world.token().status == 401


def test_a_sign_out_counts_with_any_answer_of_the_issuer(world):
    world.forget()
    world.sign_in()
    world.issuer.control(outage="revocation")
    try:
        assert sign_out(world) == "failed"
        eventually(lambda: "event=revocation_failed" in world.agent.output(), what="a word of it in the log")
    finally:
        world.issuer.control(outage="none")
    world.sign_in()
    done = world.command("logout", "--app", MAIL)
    assert done.returncode == 0 and "revoked the refresh token" in done.stderr and world.accounts() == []


@pytest.fixture
def elsewhere(world, start_issuer):
    """Another issuer, and a way to have the apps' be another one."""
    other, issuers = start_issuer(), world.agent.configuration["issuers"]

    def move(**changes):
        world.agent.configuration["issuers"] = [issuers[0] | changes]
        world.agent.stop()
        world.agent.start()

    yield other, move
    move()


def test_tokens_of_one_issuer_are_never_sent_to_another(world, elsewhere):
    other, move = elsewhere
    world.forget()
    world.sign_in()
    move(issuer=other.base)
    assert world.accounts() == [] and world.token().status == 401 and world.token(force_refresh=True).status == 401
    # The same issuer by its name, with the endpoints of somebody else.
    endpoints = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/jwks"}
    move(**{name: other.base + path for name, path in endpoints.items()})
    assert len(world.accounts()) == 1 and world.token(force_refresh=True).status == 401
    assert sign_out(world) in ("failed", "not_offered") and other.count("token_requests") == 0


def test_the_agents_calls_are_as_described(world):
    import schemathesis  # here, because each worker collects this file
    schema = schemathesis.openapi.from_path(str(ROOT / "docs" / "openapi.yaml"))
    client = httpx.Client(transport=httpx.HTTPTransport(uds=world.agent.socket.removeprefix("unix:")), base_url="http://localhost")

    def call(method, path, body=None, headers=None, at=None, **query):
        answer = client.request(method, at or path, json=body, headers=headers, params={"app": MAIL} | query if body is None else None)
        schema[path][method].validate_response(answer)
        return answer

    tokens, one = "/v1/tokens", "/v1/accounts/{account}"
    world.forget()
    assert call("POST", tokens, {"app": MAIL}).status_code == 401
    assert call("POST", tokens, {"app": NOBODYS}).status_code == 403
    for user in ("one@contoso.com", "two@contoso.com"):
        request = call("POST", tokens, {"app": MAIL, "account": user}).json()["request"]
        pending = world.api.begin(MAIL, **{name: value for name, value in request.items() if name != "app"})
        assert world.agent.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"
    several = call("POST", tokens, {"app": MAIL})
    assert several.status_code == 400 and len(several.json()["accounts"]) == len(call("GET", "/v1/accounts").json()["accounts"]) == 2
    given = call("POST", tokens, {"app": MAIL, "account": "two@contoso.com", "force_refresh": True})
    VAULT.remember("access_token", given.json().get("access_token"))
    assert given.status_code == 200
    declined = call("POST", tokens, {"app": MAIL, "account": "two@contoso.com", "scope": READ})
    assert declined.status_code == 400 and declined.json()["error"] == "invalid_scope"
    assert call("POST", tokens, {"app": MAIL, "nonsense": 1}).status_code == 400
    assert call("GET", "/v1/accounts", app="unknown").status_code == 400
    assert call("DELETE", one, at="/v1/accounts/two%40contoso.com").status_code == 204
    assert call("DELETE", one, at="/v1/accounts/one%40contoso.com", headers={"Prefer": "return=representation"}).status_code == 200
    assert call("DELETE", one, at="/v1/accounts/nobody").status_code == 404
    assert call("POST", "/v1/tickets", {"ticket": "n0ne"}).status_code == 404


def test_the_agent_counts_what_it_gives(world):
    def counted():
        admin = Api(world.agent.admin_socket)
        found = re.findall(r'^switchyard_(tokens_given|revocations)_total\{app="com.contoso.app1",result="(\w+)"\} (\d+)$',
                           admin.call("GET", "/metrics").body.decode(), re.M)
        return {(name, result): int(value) for name, result, value in found}

    world.forget()
    before = counted()
    world.token()
    world.sign_in()
    assert world.token().status == 200
    world.forget()
    grown = {key: value - before.get(key, 0) for key, value in counted().items() if value != before.get(key, 0)}
    # One is what the sign-in began with.
    assert grown == {("tokens_given", "interaction_required"): 2, ("tokens_given", "completed"): 1, ("revocations", "completed"): 1}


BAD = [
    {"app": None}, {"app": "unknown"}, {"scope": 'a"b'}, {"scope": 7}, {"force_refresh": "yes"}, {"claims": "x"}, {"account": ""},
    {"refresh_token": ""},
    {"nonsense": 1},
]


@pytest.mark.parametrize("change", BAD, ids=str)
def test_a_wrong_call_says_what_is_wrong(world, change):
    reply = world.api.call("POST", "/v1/tokens", {"app": MAIL} | change)
    assert reply.status == 400 and reply.json["error"] in ("invalid_request", "invalid_scope")


def test_accounts_have_their_methods(world):
    assert world.api.call("POST", "/v1/accounts?app=x", {}).header("Allow") == "GET"
    assert world.api.call("GET", "/v1/accounts/x?app=x").header("Allow") == "DELETE"
    assert world.api.call("GET", "/v1/accounts").status == 400
    assert world.api.call("DELETE", f"/v1/accounts/nobody?app={MAIL}").status == 404
    assert world.api.call("GET", f"/v1/accounts?app={MAIL}", headers={"Origin": "https://evil.example"}).status == 403


def test_a_gateway_that_is_no_agent_has_no_accounts(gateway):
    assert gateway.local_api().call("GET", f"/v1/accounts?app={MAIL}").status == 404
    assert gateway.local_api().call("POST", "/v1/tokens", {"app": MAIL}).json["error_description"] == '"refresh_token" is missing'


# MARK: The callers that may ask


def curl(world, path, *arguments, body=None):
    """curl asks the agent."""
    more = [] if body is None else ["--json", json.dumps(body)]
    done = subprocess.run(
        ["curl", "-s", "-w", "\n%{http_code}", "--unix-socket", world.agent.socket.removeprefix("unix:"), *more, *arguments,
         f"http://localhost{path}"], capture_output=True, text=True, timeout=30, check=True)
    text, _, status = done.stdout.rpartition("\n")
    return int(status), text


def test_only_the_programs_of_use_from_may_ask(world):
    """This test is Python, and curl is curl."""
    world.sign_in(PYTHONS)
    assert world.token(PYTHONS).status == 200
    for path, body in (("/v1/tokens", {"app": PYTHONS}), (f"/v1/accounts?app={PYTHONS}", None)):
        status, text = curl(world, path, body=body)
        assert status == 403 and "use_from" in text
    assert curl(world, f"/v1/accounts/x?app={PYTHONS}", "-X", "DELETE")[0] == 403
    assert world.token(CURLS).status == 403
    assert curl(world, "/v1/tokens", body={"app": CURLS})[0] == 401
    assert world.accounts(PYTHONS)


def test_a_program_that_may_not_ask_may_not_sign_in_either(world):
    """Python would have the tokens of curl's app by a sign-in of its own, or of curl's."""
    fields = {"app": CURLS, "scope": "openid offline_access"}
    refused = world.api.call("POST", "/v1/requests", fields)
    assert (refused.status, refused.json["error"]) == (403, "access_denied")
    # The message names the program as the list must have it.
    assert os.path.realpath(sys.executable) in refused.json["error_description"]

    def is_told():
        """One line a second stands for the refusals of an address, so another app's may have taken its place."""
        assert world.api.call("POST", "/v1/requests", fields).status == 403
        return f"use_refused app={CURLS}" in world.agent.output()

    eventually(is_told, what="a word of it in the log")
    for path, name in (("/v1/tokens", "refresh_token"), ("/v1/revocations", "token")):
        assert world.api.call("POST", path, {"app": CURLS, name: "x" * 20}).status == 403
    status, text = curl(world, "/v1/requests", body=fields)
    assert status == 201, text
    begun = json.loads(text)
    VAULT.remember("result token", begun["result_token"])
    VAULT.remember("state", begun["state"])
    one = f"/v1/requests/{begun['id']}"
    for method, path, body in (("GET", one, None), ("DELETE", one, None), ("POST", f"{one}/release", {"code": "x"})):
        assert world.api.call(method, path, body, token=begun["result_token"]).status == 403
    bearer = ("-H", f"Authorization: Bearer {begun['result_token']}")
    assert curl(world, one, *bearer)[0] == 202 and curl(world, one, *bearer, "-X", "DELETE")[0] == 204


ASKS_UNDER_A_ROOT = """
import os, socket, sys
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
os.chroot(sys.argv[2])
body = b'{"app":"com.contoso.sandboxed"}'
peer.sendall(b"POST /v1/tokens HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nConnection: close\\r\\n"
             b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
while piece := peer.recv(65536):
    sys.stdout.buffer.write(piece)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="takes a root of its own")
def test_a_sandbox_has_the_name_that_flatpak_gave_it_outside(world, tmp_path):
    def ask(instance):
        (tmp_path / ".flatpak-info").write_text(f"[Application]\nname=org.gnome.Evolution\n\n[Instance]\ninstance-id={instance}\n")
        done = subprocess.run(
            [sys.executable, "-c", ASKS_UNDER_A_ROOT, world.agent.socket.removeprefix("unix:"), str(tmp_path)],
            capture_output=True, text=True, timeout=30, check=True)
        return done.stdout

    def make(instance, name, space, child=os.getpid()):
        folder = world.agent.folder / ".flatpak" / str(instance)
        folder.mkdir(parents=True)
        (folder / "info").write_text(f"[Application]\nname={name}\n\n[Instance]\ninstance-id={instance}\n")
        (folder / "bwrapinfo.json").write_text(json.dumps({"child-pid": child, "pid-namespace": space}))
        return folder / ".ref"

    ours = os.stat("/proc/self/ns/pid").st_ino
    make(41, "org.gnome.Evolution", ours + 1)
    make(42, "com.contoso.Game", ours)
    make(43, "org.gnome.Evolution", ours)
    # Its folder is still there, and the number of its name space is another's by now.
    ended = subprocess.Popen(["true"])
    ended.wait()
    make(44, "org.gnome.Evolution", ours, ended.pid).touch()
    for instance in ("", "40", "41", "42", "../41", "41/../43", "44"):
        answer = ask(instance)
        assert answer.startswith("HTTP/1.1 403 ") and "use_from" in answer, (instance, answer)
    assert ask(43).startswith("HTTP/1.1 401 ")
    # Flatpak holds a lock for as long as an instance runs.
    with open(make(45, "org.gnome.Evolution", ours, ended.pid), "w+") as ref:
        fcntl.lockf(ref, fcntl.LOCK_SH)
        assert ask(45).startswith("HTTP/1.1 401 ")


ASKS_WITH_MOUNTS = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
root = os.fsencode(sys.argv[2])
def mount(place, kind, flags=0):
    if libc.mount(b"none", place, kind, flags, None):
        sys.exit(77)
if libc.unshare(0x20000):
    sys.exit(77)
mount(b"/", None, 0x44000)
mount(root, b"tmpfs")
with open(root + b"/.flatpak-info", "w") as info:
    info.write("[Application]\\nname=x\\n\\n[Instance]\\ninstance-id=46\\n")
os.mkdir(root + b"/m")
for _ in range(int(sys.argv[3])):
    mount(root + b"/m", b"tmpfs")
""" + ASKS_UNDER_A_ROOT


@pytest.mark.skipif(os.getuid() != 0, reason="takes a root of its own")
def test_a_sandbox_with_endless_mounts_is_unknown(world, tmp_path):
    """Reading them would hold up every other program."""
    folder = world.agent.folder / ".flatpak" / "46"
    folder.mkdir(parents=True)
    (folder / "info").write_text("[Application]\nname=org.gnome.Evolution\n\n[Instance]\ninstance-id=46\n")
    space = os.stat("/proc/self/ns/pid").st_ino
    (folder / "bwrapinfo.json").write_text(json.dumps({"child-pid": os.getpid(), "pid-namespace": space}))

    def ask(mounts):
        done = subprocess.run(
            [sys.executable, "-c", ASKS_WITH_MOUNTS, world.agent.socket.removeprefix("unix:"), str(tmp_path), str(mounts)],
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 77:
            pytest.skip("takes mounts")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert ask(2).startswith("HTTP/1.1 401 ")
    answer = ask(2000)
    assert answer.startswith("HTTP/1.1 403 ") and "use_from" in answer
    assert world.token(PYTHONS).status in (200, 401), "others are still answered"


def test_a_copy_of_the_program_is_another_program(world, tmp_path):
    copy = tmp_path / "curl"
    shutil.copy(shutil.which("curl"), copy)
    done = subprocess.run(
        [copy, "-s", "--unix-socket", world.agent.socket.removeprefix("unix:"), "--json", json.dumps({"app": CURLS}),
         "http://localhost/v1/tokens"], capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(done.stdout)["error"] == "access_denied"


def test_tokens_that_no_program_may_have_are_not_kept(world):
    pending = world.api.begin(NOBODYS, scope="openid offline_access")
    assert world.agent.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    assert world.token(NOBODYS).status == 403


@pytest.mark.skipif(os.getuid() != 0, reason="takes two users")
def test_another_user_gets_nothing(signed_in):
    socket = Path(signed_in.agent.socket.removeprefix("unix:"))
    folders = [folder for folder in socket.parents if folder.stat().st_uid == 0 and folder != Path("/")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (socket, *folders)}
    try:
        for path in modes:
            path.chmod(modes[path] | (0o666 if path == socket else 0o011))
        done = subprocess.run(
            ["curl", "-s", "--unix-socket", socket, "--json", json.dumps({"app": MAIL}), "http://localhost/v1/tokens"],
            capture_output=True, text=True, timeout=30, user=65534, group=65534, check=False)
        assert "error" in json.loads(done.stdout) and "access_token" not in done.stdout
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def test_a_forwarding_header_makes_it_nobodys_call(signed_in):
    assert signed_in.api.call("POST", "/v1/tokens", {"app": MAIL}, headers={"X-Forwarded-For": "127.0.0.1"}).status == 403


# MARK: switchyard token


class Browser:
    """An `xdg-open` that a person sits behind."""

    def __init__(self, world, folder):
        self.world, self.addresses = world, folder / "addresses"
        program = folder / "xdg-open"
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{self.addresses}"\n')
        program.chmod(0o755)
        self.environment = {"PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":99"}
        self._thread = threading.Thread(target=self._sign_in, daemon=True)
        self._thread.start()

    def _sign_in(self):
        address = eventually(lambda: self.addresses.exists() and self.addresses.read_text().strip(), what="a browser")
        answer = self.world.agent.browse(address)
        assert answer.status == 303, answer.text
        self.world.agent.browse(authorize(answer.header("Location") + "&demo=auto"))


def test_a_token_is_printed_for_each_kind_of_program(signed_in):
    token = signed_in.token().json["access_token"]

    def printed(*arguments, environment=None):
        done = signed_in.command("token", "--app", MAIL, *arguments, environment=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert printed() == printed("--format", "text") == f"{token}\n"
    assert printed("--format", "header") == f"Authorization: Bearer {token}\n"
    assert json.loads(printed("--format", "json"))["access_token"] == token
    account = signed_in.accounts()[0]["username"]
    assert printed("--account", account) == f"{token}\n"
    info = {"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential", "spec": {"interactive": False}}
    credential = json.loads(printed("--format", "kubernetes", environment={"KUBERNETES_EXEC_INFO": json.dumps(info)}))
    assert credential["apiVersion"] == info["apiVersion"] and credential["kind"] == "ExecCredential"
    assert credential["status"]["token"] == token and credential["status"]["expirationTimestamp"].endswith("Z")
    assert json.loads(printed("--format", "kubernetes"))["apiVersion"] == "client.authentication.k8s.io/v1"


def test_curl_takes_the_header(signed_in):
    command = f'curl -s -H "$({SWITCHYARD} token --app {MAIL} --scope "openid profile" --format header --gateway {signed_in.agent.socket})" {signed_in.issuer.base}/userinfo'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["sub"]


def test_the_person_signs_in_where_a_display_is(world, tmp_path):
    world.forget()
    done = world.command("token", "--app", MAIL, environment=Browser(world, tmp_path).environment, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == world.token().json["access_token"]
    assert "Waiting for sign-in" in done.stderr


def test_where_nobody_is_there_it_says_what_to_do(world):
    world.forget()
    done = world.command("token", "--app", MAIL, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and done.stdout == "" and "somebody has to sign in first" in done.stderr


@pytest.mark.parametrize("environment", [
    {"DISPLAY": ""}, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}, {"DISPLAY": ":99", "PATH": "/nowhere"}], ids=str)
def test_where_no_browser_opens_nobody_waits(world, environment):
    """An empty variable names no display, and without `xdg-open` no browser opens: it is told at once."""
    world.forget()
    options = ["--format", "git", "--host", "git.contoso.com"]
    done = world.command("token", "--app", MAIL, *options, environment=environment, input="protocol=https\nhost=git.contoso.com\n\n")
    assert done.returncode == 1 and done.stdout == "" and "somebody has to sign in first" in done.stderr


def test_the_command_that_it_prints_asks_for_the_same(world, tmp_path):
    world.forget()
    wish = ["--scope", f"openid {READ}", "--account", "o'brien; $HOME"]
    done = world.command("token", "--app", MAIL, *wish, stdin=subprocess.DEVNULL)
    [said] = [line.split("in a terminal: ")[1] for line in done.stderr.splitlines() if "in a terminal: " in line]
    words = shlex.split(said)
    assert words[:2] == ["switchyard", "token"] and words[-1] == ">/dev/null"
    asked = dict(zip(words[2:-1:2], words[3:-1:2], strict=True))
    assert asked == {"--app": MAIL, wish[0]: wish[1], wish[2]: wish[3], "--gateway": world.agent.socket,
                     "--ca": str(CA), "--format": "text"}


def test_accounts_and_logout(world):
    world.forget()
    world.sign_in()
    [account] = world.accounts()
    done = world.command("accounts", "--app", MAIL)
    assert done.stdout.split("\t")[:2] == [account["id"], account["username"]]
    assert json.loads(world.command("accounts", "--app", MAIL, "--json").stdout) == {"accounts": [account]}
    assert world.command("logout", "--app", MAIL).returncode == 0
    assert world.accounts() == [] and world.token().status == 401
    assert "Nobody" in world.command("accounts", "--app", MAIL).stderr
    assert world.command("logout", "--app", MAIL, "--account", "nobody").returncode == 1


def test_several_people_have_to_be_told_apart(world):
    world.forget()
    world.sign_in(user="adele")
    world.sign_in(user="megan", account="megan")
    names = {account["username"] for account in world.accounts()}
    assert len(names) == 2
    reply = world.token()
    assert (reply.status, reply.json["error"]) == (400, "account_required") and len(reply.json["accounts"]) == 2
    done = world.command("token", "--app", MAIL)
    assert done.returncode == 1 and all(name in done.stderr for name in names)
    assert world.command("logout", "--app", MAIL).returncode == 1
    assert world.command("logout", "--app", MAIL, "--all").returncode == 0 and world.accounts() == []


# MARK: git


def git(world, question, *configuration, verb="fill", environment=None):
    options = [word for line in configuration for word in ("-c", line)]
    return subprocess.run(
        ["git", "-c", "credential.helper=", *options, "credential", verb], input=question, capture_output=True, text=True, timeout=60,
        env=os.environ | {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "SWITCHYARD_GATEWAY": world.agent.socket} | (environment or {}))


def helper(world):
    return f"credential.helper=!{SWITCHYARD} token --app {MAIL} --format git --host git.contoso.com --gateway {world.agent.socket}"


def test_git_gets_a_token_as_the_password(signed_in):
    done = git(signed_in, "protocol=https\nhost=git.contoso.com\n\n", helper(signed_in))
    fields = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert fields["password"] == signed_in.token().json["access_token"] and fields["username"] == "oauth2", done.stderr
    named = git(signed_in, "protocol=https\nhost=git.contoso.com\nusername=adele\n\n", helper(signed_in))
    assert "username=adele\n" in named.stdout and fields["password"] in named.stdout


@pytest.mark.parametrize("question", [
    "protocol=https\nhost=git.evil.example\n\n", "protocol=http\nhost=git.contoso.com\n\n",
    "protocol=https\nhost=git.contoso.com.evil.example\n\n", "protocol=https\nhost=git.contoso.com:8443\n\n",
])
def test_git_gets_nothing_for_another_address(signed_in, question):
    done = git(signed_in, question, helper(signed_in))
    assert done.returncode != 0 and signed_in.token().json["access_token"] not in done.stdout + done.stderr


@pytest.mark.parametrize("more, answers", [
    ("host=git.contoso.com\n", False), ("protocol=https\n", False), ("username=a\nusername=b\n", False),
    ("url=https://git.contoso.com/\n", False), ("url=https://evil.example/\n", False), ("username\n", False),
    ("wwwauth[]=Basic\nwwwauth[]=Bearer\ncapability[]=authtype\ncapability[]=state\n", True)])
def test_git_is_answered_only_to_one_question(signed_in, more, answers):
    """git and the helper could mean different hosts; only `NAME[]` comes several times."""
    question = f"protocol=https\nhost=evil.example\n{more}\n" if more.startswith("host") else f"protocol=https\nhost=git.contoso.com\n{more}\n"
    done = signed_in.command("token", "--app", MAIL, "--format", "git", "--host", "git.contoso.com", input=question)
    assert done.returncode == 0 and ("password=" in done.stdout) == answers, done


def test_a_token_that_git_was_refused_with_is_replaced(signed_in):
    old = signed_in.token().json["access_token"]
    question = f"protocol=https\nhost=git.contoso.com\nusername=oauth2\npassword={old}\n\n"
    assert git(signed_in, question, helper(signed_in), verb="approve").returncode == 0
    assert signed_in.token().json["access_token"] == old
    assert git(signed_in, question, helper(signed_in), verb="reject").returncode == 0
    assert signed_in.token().json["access_token"] != old


def test_git_calls_the_helper_by_its_name(signed_in, tmp_path):
    (tmp_path / f"git-credential-{MAIL}@git.contoso.com").symlink_to(SWITCHYARD)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    configuration = f"credential.https://git.contoso.com.helper={MAIL}@git.contoso.com"
    done = git(signed_in, "protocol=https\nhost=git.contoso.com\n\n", configuration, environment=path)
    assert f"password={signed_in.token().json['access_token']}\n" in done.stdout, done.stderr


class LyingAgent:
    """Gives out whatever stands in `token`, until `expires_on`, on a socket."""

    def __init__(self, path):
        self.token = None
        self.expires_on = 1 << 40
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                body = json.dumps(outer.answer, ensure_ascii=False)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def address_string(self):
                return "-"

            def log_message(self, *_):
                pass

        class Server(HTTPServer):
            address_family = socket.AF_UNIX

            def server_bind(self):
                self.socket.bind(str(path))
                self.server_name, self.server_port = "localhost", 0

        self.server = Server(str(path), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def answer(self):
        return {"access_token": self.token, "token_type": "Bearer", "expires_on": self.expires_on, "account": {"id": "x"}}

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.mark.parametrize("options", [
    ["git", "--host", "git.contoso.com"], ["docker", "--host", "git.contoso.com"], ["header"], ["kubernetes"], ["text"]], ids=lambda all: all[0])
def test_no_token_is_more_than_one_line_of_a_helpers_protocol(world, tmp_path, options):
    agent = LyingAgent(tmp_path / "agent.sock")
    try:
        def ask():
            question = "protocol=https\nhost=git.contoso.com\n\n" if options[0] == "git" else "git.contoso.com\n"
            return subprocess.run(
                [SWITCHYARD, "token", "--app", MAIL, "--gateway", f"unix:{tmp_path}/agent.sock", "--format", *options],
                input=question, capture_output=True, text=True, timeout=30)

        agent.token = "good"
        assert ask().returncode == 0 and "good" in ask().stdout
        for text in ("tok\nhost=github.com", "tok\rX-Evil: 1", "tok\0", "t\u00f6k", "tok\u2028"):
            agent.token = text
            assert (ask().returncode, ask().stdout) == (1, ""), text
    finally:
        agent.stop()


@pytest.mark.parametrize("expires_on", [1 << 40, (1 << 63) - 1])
def test_a_token_that_ends_when_no_date_can_say_is_given_with_the_last_date(world, tmp_path, expires_on):
    agent = LyingAgent(tmp_path / "agent.sock")
    try:
        agent.token, agent.expires_on = "good", expires_on
        done = subprocess.run(
            [SWITCHYARD, "token", "--app", MAIL, "--gateway", f"unix:{tmp_path}/agent.sock", "--format", "kubernetes"],
            capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["status"]["expirationTimestamp"] == "9999-12-31T23:59:59Z"
    finally:
        agent.stop()


class LyingGateway(LyingAgent):
    """Gives out a token response with whatever stands in `token`."""

    @property
    def answer(self):
        return {"status": "completed", "token_response": {"access_token": "x", "scope": self.token}}


@pytest.mark.parametrize("text", ["\u009b31m", "\u0085", "\u202e", "\x1b[2J"], ids=ascii)
def test_no_character_of_an_issuer_moves_the_terminal(tmp_path, text):
    gateway = LyingGateway(tmp_path / "gateway.sock")
    try:
        gateway.token = text
        done = subprocess.run(
            [SWITCHYARD, "refresh", "--app", MAIL, "--gateway", f"unix:{tmp_path}/gateway.sock"], input="refresh-token", capture_output=True,
            text=True, timeout=30)
        assert done.returncode == 0, done.stderr
        assert text not in done.stdout + done.stderr and json.loads(done.stdout)["scope"] == text
    finally:
        gateway.stop()


# MARK: docker


def docker(world, verb, question, *options):
    return world.command(
        "token", "--app", MAIL, "--format", "docker", "--host", "registry.contoso.com", *options, verb, input=question)


def test_docker_gets_a_token_as_the_secret(signed_in):
    token = signed_in.token().json["access_token"]
    for server in ("registry.contoso.com", "https://registry.contoso.com/v2/"):
        answer = json.loads(docker(signed_in, "get", f"{server}\n").stdout)
        assert answer == {"ServerURL": server, "Username": "oauth2", "Secret": token}
    named = docker(signed_in, "get", "registry.contoso.com", "--username", "00000000-0000-0000-0000-000000000000")
    assert json.loads(named.stdout)["Username"].startswith("0000")
    assert docker(signed_in, "list", "").stdout == "{}\n"
    stored = docker(signed_in, "store", '{"ServerURL":"registry.contoso.com","Username":"x","Secret":"y"}')
    assert (stored.returncode, stored.stdout) == (0, "")
    assert docker(signed_in, "erase", "registry.contoso.com").returncode == 0
    assert signed_in.token().json["access_token"] != token


@pytest.mark.parametrize("server", ["registry.contoso.com\nregistry.evil.example", "registry.evil.example", "http://registry.contoso.com", "https://registry.contoso.com.evil.example/", ""])
def test_docker_gets_nothing_for_another_registry(signed_in, server):
    done = docker(signed_in, "get", server)
    assert (done.returncode, done.stdout) == (1, "credentials not found in native keychain\n")


def test_docker_calls_the_helper_by_its_name(signed_in, tmp_path):
    program = tmp_path / f"docker-credential-{MAIL}@registry.contoso.com"
    program.symlink_to(SWITCHYARD)
    done = subprocess.run(
        [program, "get"], input="registry.contoso.com", capture_output=True, text=True, timeout=60,
        env=os.environ | {"SWITCHYARD_GATEWAY": signed_in.agent.socket})
    assert json.loads(done.stdout)["Secret"] == signed_in.token().json["access_token"], done.stderr


# MARK: The programs themselves, where they are installed


class Listener:
    """A server that notes the `Authorization` of its callers; a caller without it gets a 401."""

    def __init__(self, body, certificate=None):
        self.brought = []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                brought = self.headers.get("Authorization")
                if brought:
                    listener.brought.append(brought)
                self.send_response(200 if brought else 401)
                self.send_header("WWW-Authenticate", 'Basic realm="contoso"')
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.pem, certificate.key_file)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl here")
def test_kubectl_itself_brings_the_token_to_its_cluster(signed_in, tmp_path):
    cluster = Listener(b'{"major":"1","minor":"30"}', Certificate(tmp_path, "cluster", names=[x509.DNSName("localhost")]))
    arguments = ["token", "--app", MAIL, "--format", "kubernetes", "--gateway", signed_in.agent.socket]
    (tmp_path / "config").write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "contoso",
        "clusters": [{"name": "contoso", "cluster": {
            "server": f"https://localhost:{cluster.port}", "certificate-authority": str(tmp_path / "cluster.pem")}}],
        "contexts": [{"name": "contoso", "context": {"cluster": "contoso", "user": "contoso"}}],
        "users": [{"name": "contoso", "user": {"exec": {
            "apiVersion": "client.authentication.k8s.io/v1", "command": str(SWITCHYARD), "args": arguments,
            "interactiveMode": "IfAvailable"}}}]}))
    try:
        done = subprocess.run(
            ["kubectl", "--kubeconfig", tmp_path / "config", "get", "--raw", "/version"], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=os.environ | {"HOME": str(tmp_path), "NO_PROXY": "*"})
        assert done.returncode == 0 and '"minor":"30"' in done.stdout, done.stderr
        assert set(cluster.brought) == {f"Bearer {signed_in.token().json['access_token']}"}
    finally:
        cluster.close()


@pytest.mark.skipif(shutil.which("skopeo") is None, reason="no skopeo here")
def test_a_program_with_dockers_helpers_brings_the_token_to_its_registry(signed_in, tmp_path):
    registry = Listener(b'{"name":"mail","tags":["latest"]}')
    place = f"127.0.0.1:{registry.port}"
    (tmp_path / f"docker-credential-{MAIL}@{place}").symlink_to(SWITCHYARD)
    (tmp_path / "auth.json").write_text(json.dumps({"credHelpers": {place: f"{MAIL}@{place}"}}))
    try:
        done = subprocess.run(
            ["skopeo", "list-tags", "--authfile", tmp_path / "auth.json", "--tls-verify=false", f"docker://{place}/mail"],
            capture_output=True, text=True, timeout=60, env=os.environ | {
                "HOME": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}", "SWITCHYARD_GATEWAY": signed_in.agent.socket})
        assert done.returncode == 0 and "latest" in done.stdout, done.stderr
        said = base64.b64decode(registry.brought[-1].removeprefix("Basic ")).decode()
        assert said == f"oauth2:{signed_in.token().json['access_token']}"
    finally:
        registry.close()


@pytest.mark.parametrize("arguments", [
    ["--format", "git"], ["--format", "docker", "get"], ["--format", "xml"], ["--host", "x"], ["get"], ["--username", "x"]])
def test_wrong_usage_says_what_is_right(world, arguments):
    done = world.command("token", "--app", MAIL, *arguments)
    assert done.returncode == 2 and done.stdout == ""


# MARK: refresh and revoke


def test_an_app_with_a_secret_refreshes_and_revokes_from_a_terminal(world):
    world.forget(SECRETIVE)
    token = world.sign_in(SECRETIVE)["token_response"]["refresh_token"]
    done = world.command("refresh", "--app", SECRETIVE, input=f"{token}\n")
    assert done.returncode == 0, done.stderr
    tokens = json.loads(done.stdout)
    VAULT.remember_all(tokens)
    again = world.command("refresh", "--app", SECRETIVE, input=token)
    assert again.returncode == 1 and "invalid_grant" in again.stderr
    assert world.command("revoke", "--app", SECRETIVE, input=tokens["refresh_token"]).returncode == 0
    assert world.command("refresh", "--app", SECRETIVE, input=tokens["refresh_token"]).returncode == 1
    assert world.command("refresh", "--app", SECRETIVE, input="").returncode == 2
    assert world.command("refresh", "--app", MAIL, input=token).returncode == 1


def test_no_token_is_in_the_log_or_in_the_clear_on_the_disk(signed_in):
    assert not VAULT.found_in(signed_in.agent.log.read_bytes())
    for file in signed_in.agent.home.rglob("*"):
        if file.is_file():
            assert not VAULT.found_in(file.read_bytes()), file
