"""A desktop's apps with https redirect URIs at a gateway elsewhere: their agent waits there, and redeems here."""

import json
import re
import secrets
import socketserver
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.certificates import Certificate
from harness.cutting import CuttingProxy
from harness.desktop import Desktop
from harness.gateway import Gateway
from harness.handlers import SocketApp
from harness.held import CHALLENGE, Visit, release
from harness.issuer import authorize
from harness.modes import FORM, answer_of
from harness.programs import SWITCHYARD, eventually, free_port
from harness.vault import VAULT

MAIL, CODED, POSTED, OWN, LISTED = (f"com.contoso.{name}" for name in ("mail", "coded", "posted", "own", "listed"))


class World:
    """A gateway with some apps, and a desktop with the same apps at its agent."""

    def __init__(self, folder, issuer, **changes):
        self.issuer = issuer
        self.remote = Gateway(folder, issuer.base, **changes)
        kinds = {
            "mail": {}, "coded": {"release": "code", "client_id": "coded"},
            "posted": {"response_mode": "form_post", "client_id": "posted"},
            "own": {"client_id": "own"}, "listed": {"client_id": "listed"}}
        self.remote.configuration["apps"] = [self.remote.app(name, name.title(), **keys) for name, keys in kinds.items()]
        self.remote.start()
        self.way = CuttingProxy(self.remote.api_port)
        self.desktop = Desktop(folder / "desktop")
        self.url = f"https://localhost:{self.way.port}"
        socket = {"socket": str(self.desktop.runtime / "app.sock")}
        handlers = {"own": {"handler": socket}, "listed": {"handler": [socket, "pending"]}}
        for name, keys in kinds.items():
            self.configure(name, {"url": self.url, "ca": "ca.pem"}, **keys, **handlers.get(name, {}))

    def configure(self, name, gateway, **keys):
        uris = [self.remote.url(f"/{name}/auth"), f"msauth.com.contoso.{name}://auth"]
        file = self.desktop.apps(self.issuer.base, name, gateway=gateway, redirect_uris=uris, **keys)
        if name == "own":
            # Scopes are its own business.
            content = yaml.safe_load(file.read_text())
            del content["apps"][0]["default_scope"]
            file.write_text(yaml.safe_dump(content))

    @property
    def api(self):
        return self.desktop.api

    def begin(self, app=MAIL, **fields):
        return self.api.begin(app, **{"scope": "openid profile", **fields})

    def begin_own(self, app=OWN, **fields):
        """For an app that keeps its own state and redeems by itself."""
        fields = {"completion": "response", "state": secrets.token_urlsafe(24), "code_challenge": CHALLENGE, "nonce": "n" * 22, **fields}
        return self.begin(app, **fields)

    def restart_agent(self):
        self.desktop.agents[-1].kill()
        self.desktop.start_agent()

    def bring(self, pending):
        """The browser's way."""
        callback = authorize(pending.authorization_url)
        assert self.remote.browse(callback).status == 303
        return callback

    def code(self, pending):
        return Visit(self.remote, pending).code

    def close(self):
        self.desktop.close()
        self.way.close()
        self.remote.stop()


@pytest.fixture
def make_world(tmp_path, issuer):
    worlds = []

    def make(**changes):
        worlds.append(World(tmp_path, issuer, **changes))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()


@pytest.fixture(scope="module")
def world(run_folder, issuer):
    folder = run_folder / "remote"
    folder.mkdir()
    world = World(folder, issuer)
    world.desktop.start_agent()
    yield world
    world.close()


def test_an_https_callback_comes_home_and_is_redeemed_here(world):
    before = world.issuer.count("token_requests")
    pending = world.begin()
    assert pending.redirect_uri == world.remote.url("/mail/auth") and pending.start_url.startswith(world.remote.origin)
    assert not pending.authorization_url.startswith(world.remote.origin)
    callback = world.bring(pending)
    outcome = pending.outcome()
    assert outcome["status"] == "completed" and outcome["id_token_claims"]["nonce"] == pending.nonce
    assert world.issuer.times_redeemed(parse_qs(urlsplit(callback).query)["code"][0]) == 1
    assert world.issuer.count("token_requests") == before + 1
    # Both sides find the sign-in by its reference, and the other gateway has forgotten the code.
    history = eventually(
        lambda: (told := world.remote.admin(f"/v1/sign-ins/{pending.reference}").json)["events"][-1]["event"] == "acknowledged" and told)
    assert "redeemed" not in str(history)


def test_the_browser_may_begin_at_the_gateways_page(world):
    pending = world.begin()
    there = world.remote.browse(pending.start_url)
    assert there.status == 303 and there.header("Location").startswith(world.issuer.base)
    sent = parse_qs(urlsplit(there.header("Location")).query)
    assert sent == parse_qs(urlsplit(pending.authorization_url).query)


def test_tokens_of_such_a_sign_in_are_kept_by_the_agent(world):
    pending = world.begin(scope="openid profile offline_access")
    world.bring(pending)
    assert pending.outcome()["status"] == "completed"
    reply = world.api.call("POST", "/v1/tokens", {"app": MAIL, "force_refresh": True})
    assert reply.status == 200 and VAULT.remember("access_token", reply.json["access_token"]) is None


def test_the_code_that_the_other_gateway_asks_for_goes_there(world):
    pending = world.begin(CODED)
    right = world.code(pending)
    assert eventually(lambda: (reply := pending.poll(wait=10)).json["status"] == "release_required" and reply).status == 202
    wrong = release(pending, code="BBBBBB" if right != "BBBBBB" else "CCCCCC")
    assert (wrong.status, wrong.json["error"], wrong.json["attempts_left"]) == (403, "invalid_code", 2)
    assert release(pending, code=right.lower()).status == 204
    reply = pending.poll(wait=30)
    assert reply.status == 200 and reply.json["status"] == "completed"
    assert release(pending, code=right).status == 409
    # Which proof it asked for, the other gateway alone knows.
    [held] = [line for line in world.desktop.agents[0].output().splitlines() if "event=held" in line and pending.reference in line]
    assert "proof" not in held


def test_three_wrong_codes_end_it_on_both_sides(world):
    pending = world.begin(CODED)
    right = world.code(pending)
    eventually(lambda: pending.poll(wait=5).json["status"] == "release_required")
    for left in (2, 1, 0):
        assert release(pending, code="BBBBBB" if right != "BBBBBB" else "CCCCCC").json["attempts_left"] == left
    reply = pending.poll(wait=20, seen="release_required")
    assert reply.json["status"] == "failed" and reply.json["error"]["code"] == "release_failed"


def test_a_stream_tells_of_each_step(world):
    pending = world.begin(CODED)
    told = []
    for _, status in (events := pending.events()):
        told.append(status["status"])
        if told == ["pending"]:
            code = world.code(pending)
        elif status["status"] == "release_required":
            assert release(pending, code=code).status == 204
    VAULT.remember_all(status.get("token_response"))
    events.close()
    assert told[0] == "pending" and "release_required" in told and told[-1] == "completed"


def test_a_form_post_comes_home_too(world):
    pending = world.begin(POSTED)
    content = urlencode(answer_of(pending.authorization_url)).encode()
    assert world.remote.browse(world.remote.url("/posted/auth"), method="POST", body=content, headers=FORM).status == 303
    assert pending.outcome()["status"] == "completed"


def test_an_app_that_redeems_by_itself_gets_the_callback_as_it_came(world):
    state = "a-state-of-the-apps-own-" + "x" * 8
    pending = world.begin(completion="response", state=state, code_challenge=CHALLENGE, nonce="n" * 22)
    callback = world.bring(pending)
    assert pending.outcome() == {
        "status": "completed", "url": callback, "parameters": {name: value for name, [value] in parse_qs(urlsplit(callback).query).items()}}
    # One that composes its own authorization request gives no challenge, and gets no address.
    mine = world.api.begin(MAIL, demo=None, completion="response", state=state + "2")
    assert mine.authorization_url is None and mine.start_url is None
    callback = f"{mine.redirect_uri}?code=c0de-of-nobody&state={state}2&iss={world.issuer.metadata()['issuer']}"
    assert world.remote.browse(callback).status == 303 and mine.outcome()["url"] == callback


def test_a_no_of_the_issuer_reaches_the_app_with_its_words(world):
    pending = world.begin(demo="deny")
    world.bring(pending)
    assert pending.failure()["code"] == "access_denied"


def test_giving_up_ends_it_there_too(world):
    pending = world.begin()
    assert pending.delete().status == 204 and pending.poll().json["error"]["code"] == "user_canceled"
    history = eventually(lambda: (reply := world.remote.admin(f"/v1/sign-ins/{pending.reference}")).status == 200
                         and any(event["event"] == "canceled" for event in reply.json["events"]) and reply.json)
    assert history["reference"] == pending.reference


def test_the_scheme_still_comes_by_the_desktop(world):
    pending = world.begin(redirect_uri="msauth.com.contoso.mail://auth")
    assert pending.start_url == pending.authorization_url
    assert world.desktop.run("open", authorize(pending.authorization_url)).returncode == 0
    assert pending.outcome()["status"] == "completed"


def test_login_on_the_desktop_needs_nothing_more(world):
    process = subprocess.Popen(
        [str(SWITCHYARD), "login", "--app", MAIL, "--scope", "openid", "--no-browser"], env=world.desktop.environment,
        cwd=world.desktop.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = ""
        while not (found := re.search(r"^  (http\S+)$", said, re.MULTILINE)):
            said += process.stderr.readline()
        there = world.remote.browse(found[1])
        assert world.remote.browse(authorize(there.header("Location") + "&demo=auto")).status == 303
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        VAULT.remember_all(json.loads(out))
    finally:
        process.kill()
        process.communicate()


# Apps with handlers of their own


@pytest.fixture
def app(world):
    app = SocketApp(world.desktop.runtime / "app.sock")
    yield app
    app.close()


@pytest.mark.parametrize("name", [OWN, LISTED])
def test_a_handler_of_the_app_gets_what_the_gateway_brings(world, app, name):
    pending = world.begin_own(name)
    callback = world.bring(pending)
    assert pending.outcome() == {"status": "completed", "handed_over": "socket"}
    assert app.lines == [{"url": callback, "reference": pending.reference}]
    # One story, from the beginning to the app.
    admin = world.desktop.private / "admin.sock"
    told = eventually(lambda: "the request is over" in (said := world.desktop.run(
        "explain", pending.reference, "--admin", f"unix:{admin}").stdout) and said)
    assert "an app began it" in told and "the app took the callback, by socket" in told


@pytest.mark.parametrize("name", [OWN, LISTED])
def test_a_callback_that_no_handler_takes_is_for_the_program_that_began(world, name):
    pending = world.begin_own(name)
    callback = world.bring(pending)
    assert pending.outcome()["url"] == callback


def test_an_app_with_a_handler_alone_begins_only_what_its_gateway_carries(world):
    reply = world.api.begin_reply(OWN)
    assert reply.status == 400 and "completion" in reply.json["error_description"]
    reply = world.api.begin_reply(OWN, redirect_uri="msauth.com.contoso.own://auth", completion="response", state="s" * 30)
    assert reply.status == 400 and "handed over" in reply.json["error_description"]


# Gateways with `begin_from`


@pytest.fixture
def guarded(make_world, tmp_path):
    """A gateway where two apps may be begun only with a key and with a certificate."""
    world = make_world()
    ways = {"keyed": {"api_key_file": str(tmp_path / "key")}, "shown": {"client_certificates": [str(tmp_path / "agent.pem")]}}
    key = secrets.token_hex(32)
    (tmp_path / "key").write_text(f"{key}\n")
    (tmp_path / "key").chmod(0o600)
    certificate = Certificate(tmp_path, "agent")
    world.remote.configuration["apps"] += [
        world.remote.app(name, name.title(), client_id=name, begin_from=way) for name, way in ways.items()]
    world.remote.stop()
    world.remote.start()
    folder = world.desktop.configuration / "switchyard" / "apps.d"
    for name, content in {"key": (tmp_path / "key"), "agent.pem": certificate.pem, "agent.key": certificate.key_file}.items():
        (folder / name).write_bytes(content.read_bytes())
        (folder / name).chmod(0o600)
    return world


def test_a_key_and_a_certificate_let_the_agent_begin(guarded):
    address = {"url": f"https://localhost:{guarded.remote.api_port}", "ca": "ca.pem"}
    guarded.configure("keyed", address | {"api_key_file": "key"}, client_id="keyed")
    guarded.configure("shown", address | {"certificate": "agent.pem", "key": "agent.key"}, client_id="shown")
    guarded.desktop.start_agent()
    for name in ("keyed", "shown"):
        pending = guarded.begin(f"com.contoso.{name}")
        guarded.bring(pending)
        assert pending.outcome()["status"] == "completed"


def test_a_program_with_neither_is_told_what_to_give_the_agent(guarded):
    for name in ("keyed", "shown"):
        guarded.configure(name, {"url": guarded.url, "ca": "ca.pem"}, client_id=name)
    guarded.desktop.start_agent()
    for name in ("keyed", "shown"):
        reply = guarded.api.begin_reply(f"com.contoso.{name}")
        assert (reply.status, reply.json["error"]) == (403, "unauthorized_client")
        assert guarded.url in reply.json["error_description"] and "api_key_file" in reply.json["error_description"]


# What fails


def test_a_lost_connection_costs_nothing(world):
    pending = world.begin()
    eventually(lambda: world.way.accepted and world.way.cut(), what="a call to cut")
    world.bring(pending)
    assert pending.outcome()["status"] == "completed"


def test_the_wait_outlives_a_gateway_that_is_restarted(make_world):
    world = make_world(store="sqlite:requests.db")
    world.desktop.start_agent()
    pending = world.begin()
    callback = authorize(pending.authorization_url)
    world.remote.kill()
    assert pending.poll(wait=1).json == {"status": "pending"}
    world.remote.start()
    assert world.remote.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    assert "gateway_silent" in world.desktop.agents[0].output()


def test_a_gateway_that_has_forgotten_the_sign_in_ends_it(make_world):
    world = make_world()
    world.desktop.start_agent()
    pending = world.begin()
    world.remote.kill()
    world.remote.start()
    error = pending.failure()
    assert error["code"] == "internal" and world.url in error["description"]


def test_a_gateway_that_is_down_is_named_with_what_to_do(make_world):
    world = make_world()
    world.desktop.start_agent()
    world.remote.kill()
    reply = world.api.begin_reply(MAIL)
    assert (reply.status, reply.json["error"]) == (503, "temporarily_unavailable") and reply.header("Retry-After")
    assert world.url in reply.json["error_description"] and '"gateway"' in reply.json["error_description"]
    # The scheme does not need it.
    assert world.api.begin_reply(MAIL, redirect_uri="msauth.com.contoso.mail://auth").status == 201


def test_a_certificate_of_nobodys_is_not_believed(make_world):
    world = make_world()
    world.configure("mail", world.url)
    world.desktop.start_agent()
    reply = world.api.begin_reply(MAIL)
    assert reply.status == 503 and "ca: FILE" in reply.json["error_description"]


def test_a_refusal_of_the_gateway_is_told_in_its_words(world):
    there = world.remote.api().begin(MAIL, completion="response", state="s" * 30, code_challenge=CHALLENGE, nonce="n" * 22)
    reply = world.api.begin_reply(MAIL, completion="response", state="s" * 30, code_challenge=CHALLENGE, nonce="n" * 22)
    assert reply.status == 409 and world.url in reply.json["error_description"] and "state" in reply.json["error_description"]
    there.delete()


@pytest.fixture
def lasting(make_world):
    """An agent with a database for its requests."""
    world = make_world()
    file = world.desktop.configuration / "switchyard" / "agent.yaml"
    file.write_text(f"store: sqlite:{world.desktop.home}/requests.db\n")
    world.desktop.start_agent()
    return world


def test_an_agent_that_was_restarted_goes_on_waiting(lasting):
    pending = lasting.begin()
    held = lasting.begin(CODED)
    right = lasting.code(held)
    eventually(lambda: held.poll(wait=5).json["status"] == "release_required")
    lasting.restart_agent()
    lasting.bring(pending)
    assert release(held, code=right).status == 204
    assert pending.outcome()["status"] == "completed" and held.outcome()["status"] == "completed"


def test_a_callback_after_a_restart_reaches_a_handler_without_a_waiting_app(lasting):
    pending = lasting.begin_own()
    lasting.restart_agent()
    app = SocketApp(lasting.desktop.runtime / "app.sock")
    callback = lasting.bring(pending)
    eventually(lambda: app.lines == [{"url": callback, "reference": pending.reference}], what="the callback at the app")
    app.close()


def test_a_callback_that_came_while_no_agent_ran_is_there_when_one_runs_again(lasting):
    pending = lasting.begin()
    lasting.desktop.agents[-1].kill()
    lasting.bring(pending)
    lasting.desktop.start_agent()
    assert pending.outcome()["status"] == "completed"


def test_an_agent_tells_no_other_gateway_of_what_the_first_one_carries(lasting):
    pending = lasting.begin()
    lasting.desktop.agents[-1].kill()
    lasting.configure("mail", "http://127.0.0.1:9")
    lasting.desktop.start_agent()
    error = pending.failure()
    assert error["code"] == "internal" and "restarted" in error["description"]


def test_the_data_for_going_on_is_nowhere_in_the_clear(lasting):
    """The database holds neither the result token nor the key."""
    lasting.begin()
    stored = b"".join(path.read_bytes() for path in lasting.desktop.home.glob("requests.db*"))
    for word in (b"result_token", b"P-256", lasting.url.encode()):
        assert word not in stored


class Taken:
    """A gateway that somebody has taken over: it answers as it likes."""

    def __init__(self, begun, outcome, issuer):
        self.port, self.asked, self.issuer = free_port(), [], issuer
        # The request line of the call that a thread answers.
        self.call = threading.local()
        taken = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                while line := self.rfile.readline():
                    head = [line]
                    while (line := self.rfile.readline()).strip():
                        head.append(line)
                    fields = dict(field.decode().strip().lower().split(": ", 1) for field in head[1:])
                    content = self.rfile.read(int(fields.get("content-length", 0)))
                    taken.asked.append((head[0].decode().split()[:2], fields, content))
                    is_begin = head[0].startswith(b"POST /v1/requests ")
                    if is_begin:
                        taken.begun = json.loads(content)
                    taken.call.line = head[0].decode()
                    answer = begun(taken) if is_begin else outcome(taken)
                    status, answer = answer if isinstance(answer, tuple) else (201 if is_begin else 200, answer)
                    body = b"" if status == 204 else json.dumps(answer).encode()
                    length = b"" if status == 204 else b"Content-Length: %d\r\n" % len(body)
                    self.wfile.write(b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\n%s\r\n%s" % (status, length, body))

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def fields(self, **changes):
        return {"id": "A" * 22, "result_token": "t" * 43, "reference": "ABCDEFGH12", "redirect_uri": self.begun["redirect_uri"],
                "start_url": f"http://127.0.0.1:{self.port}/start/x", "authorization_url": "https://evil.example/authorize",
                "expires_in": 600, "state": self.begun["state"]} | changes

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def take_over(tmp_path, issuer):
    opened = []

    def take(begun=lambda taken: taken.fields(), outcome=lambda taken: {}, **keys):
        taken = Taken(begun, outcome, issuer.metadata()["issuer"])
        desktop = Desktop(tmp_path)
        desktop.apps(issuer.base, "mail", redirect_uris=["https://login.contoso.example/mail/auth"],
                     gateway=f"http://127.0.0.1:{taken.port}", **keys)
        desktop.start_agent()
        opened.extend((desktop, taken))
        return taken, desktop.api

    yield take
    for one in opened:
        one.close()


def test_the_other_gateways_knowledge_is_worth_no_token(take_over):
    taken, api = take_over(outcome=lambda taken: {"status": "failed", "error": {"code": "server_error"}})
    pending = api.begin(MAIL, demo=None, scope="openid")
    assert pending.failure()["code"] == "server_error"
    told = json.loads(taken.asked[0][2])
    assert set(told) == {"app", "redirect_uri", "completion", "state", "scope", "nonce", "code_challenge", "result_key", "result_proof"}
    assert "d" not in told["result_key"] and told["completion"] == "response" and told["code_challenge"] != told["state"]
    for _, fields, _ in taken.asked:
        assert not {"cookie", "x-forwarded-for"} & set(fields)


def test_it_chooses_no_address_for_the_browser(take_over):
    taken, api = take_over()
    pending = api.begin(MAIL, demo=None, scope="openid")
    # Its own page is its own; the issuer's address is not for it to say.
    assert pending.start_url == f"http://127.0.0.1:{taken.port}/start/x" and "evil.example" not in pending.authorization_url


@pytest.mark.parametrize("address", [
    "https://evil.example/start/x", "javascript:alert(1)", "http://localhost.evil.example/x",
    # Another port is another server.
    "https://login.contoso.example:8443/start/x", "http://login.contoso.example/start/x", "http://127.0.0.1:1/start/x"])
def test_a_page_of_others_is_none(take_over, address):
    _, api = take_over(begun=lambda taken: taken.fields(start_url=address))
    assert api.begin_reply(MAIL, scope="openid").status == 503


def sealed(taken, answer):
    key = ECKey.import_key(taken.begun["result_key"])
    return {"status": "completed", "jwe": jwe.encrypt_compact({"alg": "ECDH-ES", "enc": "A256GCM"}, json.dumps(answer).encode(), key)}


def at(taken, address="https://login.contoso.example/mail/auth", state=None, **fields):
    query = urlencode({"code": "c0de-of-an-attacker", "state": state or taken.begun["state"], "iss": taken.issuer, **fields})
    return sealed(taken, {"status": "completed", "url": f"{address}?{query}", "parameters": {}})


STRANGE = [
    lambda taken: at(taken, padding="x" * 70_000),
    lambda taken: at(taken, state="z" * 43), lambda taken: at(taken, "https://evil.example/"), lambda taken: at(taken, iss="https://evil.example"),
    lambda taken: at(taken, "https://login.contoso.example/other"), lambda taken: at(taken, error="access_denied"),
    lambda taken: sealed(taken, {"status": "completed", "token_response": {"access_token": "of-somebody-else"}}),
    lambda taken: sealed(taken, {"status": "completed"}), lambda taken: {"status": "completed", "jwe": "e30..a.b.c"},
    lambda taken: {"status": "completed", "url": f"https://login.contoso.example/mail/auth?code=x&state={taken.begun['state']}"}]


@pytest.mark.parametrize("bring", STRANGE, ids=range(len(STRANGE)))
def test_a_callback_of_another_sign_in_is_no_outcome(take_over, bring):
    _, api = take_over(outcome=bring)
    error = api.begin(MAIL, demo=None, scope="openid").failure()
    assert error["code"] in ("network", "invalid_response")
    assert api.call("GET", f"/v1/accounts?app={MAIL}").json == {"accounts": []}


def test_a_code_that_it_got_by_itself_brings_nobodys_tokens(take_over, issuer):
    """It knows state, nonce and challenge, but a code of another sign-in has another challenge."""
    _, api = take_over(outcome=at)
    error = api.begin(MAIL, demo=None, scope="openid").failure()
    assert error["code"] == "invalid_grant" and issuer.times_redeemed("c0de-of-an-attacker") == 1


def test_a_release_counts_although_its_answer_comes_after_the_outcome(take_over):
    """Otherwise the app would not hear that its code has grown too old while it was held."""
    held, given, told = threading.Event(), threading.Event(), threading.Event()

    def outcome(taken):
        line = taken.call.line
        if "/release " in line:
            given.set()
            assert told.wait(20)
            time.sleep(1)
            return 204, None
        if line.startswith("DELETE"):
            return 204, None
        if not held.is_set():
            held.set()
            return 202, {"status": "release_required"}
        assert given.wait(20)
        told.set()
        return at(taken)

    _, api = take_over(outcome=outcome)
    pending = api.begin(MAIL, demo=None, scope="openid")
    eventually(lambda: pending.poll(wait=5).json["status"] == "release_required")
    with ThreadPoolExecutor() as pool:
        released = pool.submit(release, pending, code="BBBBBB")
        reply = eventually(lambda: (reply := pending.poll(wait=10, seen="release_required")).status == 200 and reply)
        assert reply.json["error"]["code"] == "release_failed"
        assert released.result().status == 204


# The configuration


@pytest.mark.parametrize("value, words", [
    ("http://login.contoso.com", "plain http"), ("https://login.contoso.com/?x", "gateway"), ({"ca": "x.pem"}, "url"),
    ({"url": "https://login.contoso.com", "cert": "x"}, "cert"), ("unix:/run/x.sock", "gateway"),
    ({"url": "https://login.contoso.com", "certificate": "x.pem"}, "key"),
    ({"url": "https://login.contoso.com", "api_key_file": "missing"}, "missing")])
def test_a_gateway_that_cannot_be_used_is_told(tmp_path, issuer, value, words):
    desktop = Desktop(tmp_path)
    file = desktop.apps(issuer.base, "mail", redirect_uris=["https://login.contoso.com/mail/auth"], gateway=value)
    done = desktop.run("check", "--config", file.parent.parent / "agent.yaml")
    assert done.returncode == 2 and "mail.yaml" in done.stderr and words in done.stderr


def test_a_gateway_has_no_gateway_and_a_scheme_needs_none(tmp_path, issuer, gateway):
    desktop = Desktop(tmp_path)
    file = desktop.apps(issuer.base, "mail", gateway="https://login.contoso.com")
    done = desktop.run("check", "--config", file.parent.parent / "agent.yaml")
    assert done.returncode == 2 and "no https redirect URI" in done.stderr
    own = tmp_path / "switchyard.yaml"
    own.write_text(yaml.safe_dump(gateway.configuration | {
        "apps": [gateway.app("mail", "Mail") | {"gateway": "https://login.contoso.com"}]}))
    done = desktop.run("check", "--config", own)
    assert done.returncode == 2 and "agent" in done.stderr


def test_check_says_who_carries(tmp_path, issuer):
    desktop = Desktop(tmp_path)
    file = desktop.apps(issuer.base, "mail", redirect_uris=["https://login.contoso.com/mail/auth"], gateway="https://login.contoso.com:8444")
    done = desktop.run("check", "--config", file.parent.parent / "agent.yaml")
    assert done.returncode == 0 and "carried by https://login.contoso.com:8444" in done.stdout and "verifier" in done.stdout


def test_check_says_what_stands_behind_a_handler_and_refuses_what_needs_a_browser(tmp_path, issuer):
    desktop = Desktop(tmp_path)
    uris, way = ["https://login.contoso.com/mail/auth"], "https://login.contoso.com:8444"
    file = desktop.apps(issuer.base, "mail", redirect_uris=uris, gateway=way, handler=[{"dbus": "com.contoso.Mail"}, "pending"])
    done = desktop.run("check", "--config", file.parent.parent / "agent.yaml")
    assert done.returncode == 0 and f"dbus com.contoso.Mail, then pending, carried by {way}" in done.stdout
    for handler in ({"redirect": "x-mail://callback"}, "loopback", [{"dbus": "com.contoso.Mail"}, {"redirect": "x-mail://callback"}]):
        desktop.apps(issuer.base, "mail", redirect_uris=uris, gateway=way, handler=handler)
        done = desktop.run("check", "--config", file.parent.parent / "agent.yaml")
        assert done.returncode == 2 and '"gateway"' in done.stderr, done


# A gateway that somebody else has taken over.

class TakenOver:
    """Begins every request, and gives a test's answers."""

    def __init__(self):
        self.reference, self.answer, self.asked = "7KX2M0Q9ZT", (202, {"status": "pending"}), 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self, status, answer):
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.reply(201, {
                    "id": "x1", "result_token": "tok", "start_url": f"{outer.url}/start/x", "reference": outer.reference,
                    "redirect_uri": asked["redirect_uri"], "expires_in": 1})

            def do_GET(self):
                outer.asked += 1
                self.reply(*outer.answer)

            def do_DELETE(self):
                self.reply(503, {"error": "no"})

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def taken_over(world):
    gateway = TakenOver()
    world.configure("taken", {"url": gateway.url}, release="code", client_id="taken")
    eventually(lambda: world.api.call("GET", "/v1/accounts?app=com.contoso.taken").status == 200)
    yield gateway
    gateway.close()


def begin_at(world, gateway):
    gateway.reference = "".join(secrets.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(10))
    reply = world.api.begin_reply("com.contoso.taken", scope="openid")
    assert reply.status == 201, reply.body
    return f"/v1/requests/{reply.json['id']}", reply.json["result_token"]


@pytest.mark.rule(11)
def test_a_gateway_that_never_ends_a_sign_in_is_asked_no_longer_than_somebody_waits(world, taken_over):
    path, token = begin_at(world, taken_over)
    eventually(lambda: taken_over.asked > 1)
    assert world.api.call("DELETE", path, token=token).status == 204
    # A call that is under way may still come.
    def is_left_alone():
        before = taken_over.asked
        time.sleep(2.5)
        return taken_over.asked == before
    eventually(is_left_alone)


def test_a_gateway_cannot_give_two_sign_ins_one_name(world, taken_over):
    begin_at(world, taken_over)
    reply = world.api.begin_reply("com.contoso.taken", scope="openid")
    assert (reply.status, reply.json["error"]) == (503, "temporarily_unavailable")


@pytest.mark.rule(8)
def test_before_the_release_a_gateways_words_stay_here(world, taken_over):
    taken_over.answer = (200, {"status": "failed", "error": {
        "code": "access_denied", "oauth_error": "access_denied", "description": "AADSTS65004: go to https://evil.example",
        "oauth_suberror": "https://evil.example", "correlation_id": "https://evil.example", "claims": "{}"}})
    path, token = begin_at(world, taken_over)
    reply = eventually(lambda: (reply := world.api.call("GET", path, token=token)).status == 200 and reply)
    assert reply.json["error"] == {"code": "access_denied", "oauth_error": "access_denied", "description": "AADSTS65004"}
