"""An agent's tokens for resources: its cache, one refresh for all, the callback on its own port, and the commands."""

import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingUnixStreamServer
from urllib.parse import quote, urlsplit

import httpx
import pytest

from harness.agent import AgentGateway
from harness.programs import SWITCHYARD, eventually, run
from harness.resource import Protected, come_back, parameters_of
from harness.standin import JSON
from harness.users import needs_root, status_for_another_user


class Rotating(Protected):
    """Its refresh tokens are good once, and a second use ends the sign-in, as RFC 9700 section 4.14.2 asks for."""

    def __init__(self, lifetime=3600, rotates=True, scope=None, **options):
        super().__init__(metadata={"revocation_endpoint": None, **options.pop("metadata", {})}, **options)
        self.lifetime, self.rotates, self.scope = lifetime, rotates, scope
        self.living, self.reused = set(), 0
        self.metadata["revocation_endpoint"] = f"{self.identifier}/revoke"
        self.issuer.answers["/revoke"] = (200, JSON, {})

    def _token(self, request):
        form = request["form"]
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.living:
                self.reused += 1
                return 400, JSON, {"error": "invalid_grant"}
            if self.rotates:
                self.living.remove(form["refresh_token"])
        status, headers, body = super()._token(request)
        if status == 200:
            self.living.add(body["refresh_token"])
            body["expires_in"] = self.lifetime
            if self.scope:
                body["scope"] = self.scope
        return status, headers, body

    @property
    def refreshes(self):
        return [one for one in self.token_requests if one["form"]["grant_type"] == "refresh_token"]


class World:
    def __init__(self, folder, protected, section=None, **entry):
        self.protected = protected
        self.agent = AgentGateway(folder, "https://localhost:1")
        self.agent.configuration["resources"] = {"allow": [{"url": protected.url, **entry}], **(section or {})}
        self.agent.start()

    @property
    def api(self):
        return self.agent.local_api()

    def token(self, status=200, **fields):
        reply = self.api.call("POST", "/v1/tokens", {"resource": self.protected.url, **fields})
        assert reply.status == status, (reply.status, reply.body)
        return reply.json

    def begin(self, status=201, **fields):
        reply = self.api.call("POST", "/v1/requests", {"resource": self.protected.url, **fields})
        assert reply.status == status, (reply.status, reply.body)
        return reply.json

    def finish(self, begun, **changes):
        page = come_back(self.agent, begun, **changes)
        reply = self.api.call(
            "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
        assert reply.status == 200, (reply.status, reply.body)
        return page, reply.json

    def sign_in(self, **fields):
        """Does what the agent says where it has no token."""
        refused = self.token(401, **fields)
        assert refused["error"] == "interaction_required", refused
        reply = self.api.call("POST", "/v1/requests", refused["request"])
        assert reply.status == 201, reply.body
        return self.finish(reply.json)[1]

    def command(self, *words, **options):
        return run(*words, env=self.agent.environment, **options)

    def allow(self, url, **entry):
        """Adds an entry, or replaces one, while the agent runs."""
        section = self.agent.configuration["resources"]
        section["allow"] = [one for one in section["allow"] if one["url"] != url] + [{"url": url, **entry}]
        self.reload()

    def reload(self):
        """Lets the agent read its configuration as it is by now."""
        seen = self.agent.log.read_text().count("event=reloaded")
        self.agent.write()
        self.agent.reload()
        eventually(lambda: self.agent.log.read_text().count("event=reloaded") > seen, what="the reload")

    def stop(self):
        self.agent.stop()
        self.protected.stop()


@pytest.fixture
def make(run_folder):
    made = []

    def build(protected=None, **options):
        made.append(World(run_folder, protected or Rotating(), **options))
        return made[-1]

    yield build
    for one in made:
        one.stop()


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_sign_in_and_then_the_cache(make):
    """The callback comes to a port of the agent's own, no release is asked for, and the token is kept for all programs."""
    world = make()
    refused = world.token(401)
    assert refused["request"] == {"resource": world.protected.url}
    begun = world.begin()
    uri = urlsplit(begun["redirect_uri"])
    assert (uri.scheme, uri.hostname) == ("http", "127.0.0.1") and uri.port
    asked = parameters_of(begun)
    assert asked["redirect_uri"] == begun["redirect_uri"] and asked["resource"] == world.protected.url
    [registration] = world.protected.registrations
    metadata = json.loads(registration["content"])
    assert metadata["redirect_uris"] == [begun["redirect_uri"]] and metadata["application_type"] == "native"
    page, result = world.finish(begun)
    assert page.status == 303 and result["status"] == "completed", result
    given = world.token()
    assert given["access_token"] == result["token_response"]["access_token"]
    assert given["resource"] == world.protected.url and given["issuer"] == world.protected.identifier
    assert given["client_id"] == asked["client_id"] and given["token_type"] == "Bearer" and given["expires_on"] > 0
    assert len(world.protected.token_requests) == 1


def test_the_port_is_open_while_a_sign_in_waits(make):
    """The registration keeps its port, and the next sign-in opens it again."""
    world = make()
    begun = world.begin()
    port = urlsplit(begun["redirect_uri"]).port
    assert is_open(port)
    assert world.finish(begun)[1]["status"] == "completed"
    eventually(lambda: not is_open(port), what="a closed port")
    again = world.begin()
    assert again["redirect_uri"] == begun["redirect_uri"] and is_open(port)
    assert world.api.call("DELETE", f"/v1/requests/{again['id']}", token=again["result_token"]).status == 204
    eventually(lambda: not is_open(port), what="a closed port")
    assert len(world.protected.registrations) == 1


def test_a_port_that_another_program_has(make):
    """Then the agent registers anew, with another one."""
    world = make()
    first = world.begin()
    port = urlsplit(first["redirect_uri"]).port
    world.api.call("DELETE", f"/v1/requests/{first['id']}", token=first["result_token"])
    eventually(lambda: not is_open(port), what="a closed port")
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        second = world.begin()
    assert urlsplit(second["redirect_uri"]).port != port and len(world.protected.registrations) == 2
    assert world.finish(second)[1]["status"] == "completed"


def test_the_port_takes_nothing_else(make):
    world = make()
    begun = world.begin()
    base = "http://127.0.0.1:{}".format(urlsplit(begun["redirect_uri"]).port)
    for path in ("/", "/v1/requests", "/v1/tokens", "/admin", "/metrics", "/resource/other"):
        assert httpx.get(base + path).status_code == 404, path
    state = parameters_of(begun)["state"]
    wrong = httpx.get(begun["redirect_uri"], params={"code": "c", "state": state}, headers={"Host": "evil.example"})
    assert wrong.status_code == 404
    assert httpx.get(begun["redirect_uri"], params={"code": "c", "state": "x" * 43}).status_code in (400, 404, 410)
    assert not world.protected.token_requests
    assert world.finish(begun)[1]["status"] == "completed"


def test_limits_change_at_once_at_ports_too(make):
    """A reload holds for a port that was open before it, and for one that is opened after it."""
    world = make()
    other = Rotating()
    try:
        world.allow(other.url)
        before = world.begin()
        large = {"X-Padding": "p" * 3000}
        assert httpx.get(before["redirect_uri"], headers=large).status_code != 431
        world.agent.configuration["limits"] = {"header_bytes": "2KiB"}
        world.reload()
        after = world.api.call("POST", "/v1/requests", {"resource": other.url}).json
        assert urlsplit(after["redirect_uri"]).port != urlsplit(before["redirect_uri"]).port
        for begun in (before, after):
            assert httpx.get(begun["redirect_uri"], headers=large).status_code == 431, begun["redirect_uri"]
        assert world.finish(before)[1]["status"] == "completed"
    finally:
        other.stop()


def test_a_callback_at_the_port_of_another_registration(make):
    """Each registration has a port of its own, so an authorization server cannot answer for another one."""
    world = make()
    other = Rotating()
    try:
        world.allow(other.url)
        first, second = world.begin(), world.api.call("POST", "/v1/requests", {"resource": other.url}).json
        wrong = urlsplit(first["redirect_uri"])._replace(netloc=urlsplit(second["redirect_uri"]).netloc).geturl()
        answer = httpx.get(wrong, params={"code": "c", "state": parameters_of(first)["state"]})
        assert answer.status_code == 400 and not world.protected.token_requests
        assert world.finish(first)[1]["status"] == "completed"
    finally:
        other.stop()


@needs_root
def test_another_user_cannot_bring_a_callback(make):
    world = make()
    begun = world.begin()
    state = parameters_of(begun)["state"]
    url = f"{begun['redirect_uri']}?code=theirs&state={state}"
    assert status_for_another_user(url) == 403
    assert not world.protected.token_requests
    assert world.finish(begun)[1]["status"] == "completed"


def test_registrations_and_tokens_outlive_the_agent(make):
    """Both are sealed in its token storage: no file has one of them in the clear."""
    world = make()
    result = world.sign_in()
    port = urlsplit(world.begin()["redirect_uri"]).port
    world.agent.stop()
    world.agent.start()
    assert world.token()["access_token"] == result["token_response"]["access_token"]
    assert urlsplit(world.begin()["redirect_uri"]).port == port and len(world.protected.registrations) == 1
    files = [one for one in world.agent.home.rglob("*") if one.is_file()]
    assert files and not any(stat.S_IMODE(one.stat().st_mode) & 0o077 for one in files)
    for text in (*result["token_response"].values(), result["client_id"]):
        assert not any(str(text).encode() in one.read_bytes() for one in files if isinstance(text, str) and len(text) > 8)


def test_one_refresh_for_all(make):
    """Twenty processes at once, and a refresh token that is good once: one refresh, and the account stays signed in."""
    world = make(Rotating(lifetime=1))
    world.sign_in()
    eventually(lambda: world.protected.living)
    world.protected.lifetime = 3600
    time.sleep(1.2)  # the first token has ended

    def ask(_):
        return world.command("token", "--resource", world.protected.url)

    with ThreadPoolExecutor(20) as pool:
        done = list(pool.map(ask, range(20)))
    assert [one.returncode for one in done] == [0] * 20, [one.stderr for one in done]
    assert len({one.stdout for one in done}) == 1
    assert len(world.protected.refreshes) == 1 and world.protected.reused == 0
    form = world.protected.refreshes[0]["form"]
    assert form["resource"] == world.protected.url and form["client_id"]
    assert world.token()["access_token"] == done[0].stdout.strip()


def test_forced_refreshes_at_once(make):
    """However many race, no refresh token is used twice."""
    world = make()
    world.sign_in()
    with ThreadPoolExecutor(20) as pool:
        tokens = list(pool.map(lambda _: world.token(force_refresh=True)["access_token"], range(20)))
    assert world.protected.reused == 0 and 1 <= len(world.protected.refreshes) <= 20
    assert world.token()["access_token"] in tokens


class Slow(Rotating):
    """Its refreshes take a moment, so two of them meet."""

    def _token(self, request):
        if request["form"]["grant_type"] == "refresh_token":
            time.sleep(0.3)
        return super()._token(request)


def offer(protected, path, resource=None):
    """Its metadata name the resource that serves the path."""
    protected.server.answers[f"/.well-known/oauth-protected-resource{path}"] = (
        200, JSON, {"resource": protected.server.base + (resource or path), "authorization_servers": [protected.identifier]})


def second_agent(world, folder):
    """In a container with the same home, or without the folder of a session."""
    other = AgentGateway(folder, "https://localhost:1")
    other.environment.update({name: world.agent.environment[name] for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")})
    other.configuration["resources"] = world.agent.configuration["resources"]
    other.start()
    return other


def test_an_agent_whose_storage_failed_takes_the_tokens_of_the_other(make, run_folder):
    """One more URL of a sign-in is all that it has in memory. The refresh token that it remembers is used up."""
    protected = Rotating()
    offer(protected, "/mcp/below", "/mcp")
    world = make(protected)
    world.allow(protected.server.base + "/")
    world.sign_in()
    other = second_agent(world, run_folder)
    [document] = (world.agent.home / "state" / "switchyard" / "tokens").glob("*.sealed")
    # Root may write anywhere, so a folder takes the place of the draft.
    obstacle = document.with_suffix(".unfinished")
    try:
        obstacle.mkdir()
        below = {"resource": protected.server.base + "/mcp/below"}
        assert "not_kept" in world.token(**below)
        obstacle.rmdir()
        renewed = other.local_api().call("POST", "/v1/tokens", {"resource": protected.url, "force_refresh": True})
        assert renewed.status == 200, renewed.body
        token = world.token(force_refresh=True)["access_token"]
        eventually(lambda: "not_kept" not in world.token(**below), what="the change being stored")
        assert world.token(**below)["access_token"] == token
        assert other.local_api().call("POST", "/v1/tokens", below).json["access_token"] == token
        assert protected.reused == 0
    finally:
        other.stop()


def test_two_agents_of_one_user(make, run_folder):
    """None undoes a change of the other, and one refreshes."""
    protected = Slow()
    paths = [f"/r{number}" for number in range(8)]
    for path in paths:
        offer(protected, path)
    world = make(protected)
    world.allow(protected.server.base + "/")
    other = second_agent(world, run_folder)
    agents = [world.agent, other]

    def sign_in(number):
        agent = agents[number % 2]
        api = agent.local_api()
        begun = api.call("POST", "/v1/requests", {"resource": protected.server.base + paths[number]}).json
        come_back(agent, begun)
        reply = api.call("GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
        return reply.json["token_response"]["access_token"]

    def ask(agent, path, **fields):
        reply = agent.local_api().call("POST", "/v1/tokens", {"resource": protected.server.base + path, **fields})
        return reply.json.get("access_token") or reply.body

    try:
        with ThreadPoolExecutor(8) as pool:
            tokens = list(pool.map(sign_in, range(len(paths))))
            for agent in agents:
                assert [ask(agent, path) for path in paths] == tokens
            renewed = list(pool.map(lambda number: ask(agents[number % 2], paths[0], force_refresh=True), range(8)))
        assert protected.reused == 0, renewed
        assert ask(world.agent, paths[0]) == ask(other, paths[0]) and ask(other, paths[0]) in renewed
    finally:
        other.stop()


def test_a_refused_token_is_not_given_again(make):
    """A 401's challenge: discovery is made anew, and then the token is refreshed."""
    world = make()
    first = world.sign_in()["token_response"]["access_token"]
    seen = len(world.protected.server.requests)
    challenge = world.protected.challenge(error="invalid_token")
    assert world.token(www_authenticate=challenge)["access_token"] != first
    assert len(world.protected.server.requests) == seen + 1 and len(world.protected.refreshes) == 1
    world.protected.living.clear()
    refused = world.token(401, www_authenticate=challenge)
    assert refused["error"] == "interaction_required"
    assert refused["request"]["resource"] == world.protected.url
    assert refused["request"]["www_authenticate"] == challenge
    # The tokens are gone, also for a call without a challenge.
    assert world.token(401)["error"] == "interaction_required"


def test_insufficient_scope_says_what_to_begin(make):
    """auth/scope-step-up, at the agent: the union of the earlier scopes and those that the call needs."""
    world = make(Rotating(scope="read"))
    world.sign_in(scope="read")
    challenge = world.protected.challenge(error="insufficient_scope", scope="write")
    refused = world.token(401, www_authenticate=challenge)
    assert refused["error"] == "interaction_required"
    request = refused["request"]
    assert request["resource"] == world.protected.url
    assert request["scope"] == "write" and request["previous_scopes"] == "read"
    world.protected.scope = "read write"
    begun = world.api.call("POST", "/v1/requests", request).json
    assert parameters_of(begun)["scope"] == "read write"
    assert world.finish(begun)[1]["status"] == "completed"
    assert world.token(scope="write")["granted_scopes"] == ["read", "write"]
    assert not world.protected.refreshes


def test_an_authorization_server_that_changed(make):
    """auth/authorization-server-migration: tokens of the old server are not refreshed there."""
    world, new = make(), Rotating()
    try:
        world.sign_in()
        path = urlsplit(world.protected.prm).path
        world.protected.server.answers[path] = (
            200, JSON, {"resource": world.protected.url, "authorization_servers": [new.identifier]})
        refused = world.token(401, www_authenticate=world.protected.challenge(error="invalid_token"))
        assert refused["error"] == "interaction_required" and not world.protected.refreshes
        begun = world.api.call("POST", "/v1/requests", refused["request"]).json
        assert begun["authorization_url"].startswith(new.identifier)
        assert world.finish(begun)[1]["status"] == "completed"
        assert world.token()["issuer"] == new.identifier
    finally:
        new.stop()


def test_while_the_issuer_is_out(make):
    """A valid token is given, a refused one is not, and the account stays signed in."""
    world = make(Rotating(lifetime=100))
    world.sign_in()
    world.protected.issuer.answers[world.protected.token_path] = (503, {"Retry-After": "7"}, "")
    assert world.token()["access_token"]
    reply = world.api.call("POST", "/v1/tokens", {"resource": world.protected.url, "force_refresh": True})
    assert reply.status in (502, 503), reply.body
    world.protected.issuer.answers[world.protected.token_path] = world.protected._token
    assert world.token(force_refresh=True)["access_token"]


def test_each_resource_has_its_own_client(make):
    """Another resource that names the same authorization server must not come in by the consent that the first one was given."""
    protected = Rotating()
    for path in ("/one", "/two"):
        protected.server.answers[f"/.well-known/oauth-protected-resource{path}"] = (
            200, JSON, {"resource": protected.server.base + path, "authorization_servers": [protected.identifier]})
    world = make(protected)
    world.allow(protected.server.base + "/")
    begun = {}
    for path in ("/one", "/two", "/mcp", "/one"):
        begun[path] = world.api.call("POST", "/v1/requests", {"resource": protected.server.base + path}).json
        assert world.finish(begun[path])[1]["status"] == "completed"
    clients = {path: parameters_of(one)["client_id"] for path, one in begun.items()}
    assert len(set(clients.values())) == 3 and len(protected.registrations) == 3, clients
    uris = {one["redirect_uri"].split(":", 2)[2].split("/", 1)[1] for one in begun.values()}
    assert len(uris) == 3 and all(uri.startswith("resource/") for uri in uris), uris


@pytest.mark.parametrize("ends, count", [(300, 2), (3600, 1)])
def test_a_secret_that_ends(make, ends, count):
    """A client whose secret ends during the sign-in is replaced before the person has signed in for nothing, also after a restart."""
    world = make(Rotating(
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]},
        registered={"client_secret": "a-secret-that-ends", "client_secret_expires_at": int(time.time()) + ends}))
    world.begin()
    world.agent.stop()
    world.agent.start()
    world.begin()
    assert len(world.protected.registrations) == count


def test_scopes_of_a_client_do_not_grow_without_end(make):
    """Each sign-in that asks for other scopes registers anew, for a bounded list."""
    world = make()
    for number in range(4):
        world.begin(scope=" ".join(f"scope-{number}-{one:03}" for one in range(250)))
    registered = [json.loads(one["content"])["scope"] for one in world.protected.registrations]
    assert len(registered) == 4 and max(map(len, registered)) <= 4096


def test_resources_that_no_entry_names(make):
    """Others are https resources of the internet; by default an agent allows them, and no address of this network."""
    world = make()
    for url in ("http://127.0.0.1:1/mcp", "http://localhost/"):
        reply = world.api.call("POST", "/v1/tokens", {"resource": url})
        assert (reply.status, reply.json["error"]) == (400, "resource_not_allowed"), reply.body
    reply = world.api.call("POST", "/v1/tokens", {"resource": "https://mcp.example/"})
    assert (reply.status, reply.json["error"]) == (401, "interaction_required")
    for url in ("https://127.0.0.1:1/mcp", "https://169.254.169.254/", "https://[::1]/", "https://10.0.0.1/x"):
        reply = world.api.call("POST", "/v1/requests", {"resource": url})
        assert (reply.status, reply.json["error"]) == (502, "discovery_failed"), (url, reply.body)


def test_others_false(make):
    world = make(section={"others": False})
    reply = world.api.call("POST", "/v1/tokens", {"resource": "https://mcp.example/"})
    assert (reply.status, reply.json["error"]) == (400, "resource_not_allowed"), reply.body
    assert world.token(401)["error"] == "interaction_required"


def test_use_from_guards_the_tokens(make):
    """As for apps: by whichever URL a program asks for the same tokens."""
    protected = Rotating()
    protected.server.answers["/.well-known/oauth-protected-resource"] = (
        200, JSON, {"resource": protected.server.base, "authorization_servers": [protected.identifier]})
    world = make(protected, use_from={"executables": ["/usr/bin/gone"]})
    refused = world.token(403)
    assert refused["error"] == "access_denied"
    assert world.begin(403)["error"] == "access_denied"
    # The metadata of a neighbor make the whole server one resource, and so its tokens those of the guarded one.
    world.allow(protected.server.base + "/other")
    reply = world.api.call("POST", "/v1/requests", {"resource": protected.server.base + "/other"})
    assert (reply.status, reply.json["error"]) == (403, "access_denied"), reply.body
    world.allow(protected.url, use_from={"executables": [os.path.realpath(sys.executable)]})
    assert world.sign_in()["status"] == "completed"


def test_signing_out_revokes(make):
    world = make()
    result = world.sign_in()
    accounts = world.api.call("GET", f"/v1/accounts?resource={quote(world.protected.url, safe='')}").json["accounts"]
    assert len(accounts) == 1
    done = world.command("logout", "--resource", world.protected.url)
    assert done.returncode == 0, done.stderr
    [revocation] = world.protected.issuer.asked("/revoke")
    assert revocation["form"]["token"] == result["token_response"]["refresh_token"]
    assert world.token(401)["error"] == "interaction_required"


def test_people_are_told_apart_by_their_id_tokens(make):
    """Without an ID token there is one account for each resource, and the later sign-in counts."""
    world = make()
    world.sign_in()
    second = world.finish(world.begin())[1]
    assert world.token()["access_token"] == second["token_response"]["access_token"]
    reply = world.api.call("POST", "/v1/tokens", {"resource": world.protected.url, "account": "somebody"})
    assert reply.status == 401


def test_a_client_that_the_issuer_forgot(make):
    """`invalid_client` at a refresh: the person signs in again, with a new client."""
    world = make()
    client = world.sign_in()["client_id"]
    world.protected.refusal = "invalid_client"
    world.protected._token, kept = Protected._token.__get__(world.protected), world.protected._token
    world.protected.issuer.answers[world.protected.token_path] = world.protected._token
    refused = world.token(401, force_refresh=True)
    assert refused["error"] == "interaction_required"
    world.protected.refusal = None
    world.protected.issuer.answers[world.protected.token_path] = kept
    begun = world.begin()
    assert parameters_of(begun)["client_id"] != client and len(world.protected.registrations) == 2
    assert world.finish(begun)[1]["status"] == "completed"


# The commands


def test_formats(make):
    world = make()
    token = world.sign_in()["token_response"]["access_token"]
    url = world.protected.url
    assert world.command("token", "--resource", url).stdout == token + "\n"
    assert world.command("token", "--resource", url, "--format", "header").stdout == f"Authorization: Bearer {token}\n"
    fields = world.command("token", "--resource", url, "--format", "mcp").stdout
    assert json.loads(fields) == {"Authorization": f"Bearer {token}"}
    whole = json.loads(world.command("token", "--resource", url, "--format", "json").stdout)
    assert whole["access_token"] == token and whole["resource"] == url
    curl = world.command("token", "--resource", url, "--format", "curl", "--url", url)
    assert curl.stdout == f"Authorization: Bearer {token}\n", curl.stderr
    elsewhere = world.command("token", "--resource", url, "--format", "curl", "--url", "https://evil.example/")
    assert elsewhere.returncode == 1 and token not in elsewhere.stdout


def test_the_variable_of_claude_code(make):
    """Its `headersHelper` gets the server's address in a variable."""
    world = make()
    token = world.sign_in()["token_response"]["access_token"]
    environment = {**world.agent.environment, "CLAUDE_CODE_MCP_SERVER_URL": world.protected.url}
    done = run("token", "--format", "mcp", env=environment)
    assert json.loads(done.stdout) == {"Authorization": f"Bearer {token}"}, done.stderr
    environment["CLAUDE_CODE_MCP_SERVER_URL"] = "ftp://x"
    done = run("token", "--format", "mcp", env=environment)
    assert done.returncode == 2 and "CLAUDE_CODE_MCP_SERVER_URL" in done.stderr


@pytest.mark.parametrize("words", [
    ["token"], ["token", "--app", "a", "--resource", "https://b.example"], ["token", "--resource", "nowhere"],
    ["token", "--resource", "https://b.example", "--format", "git", "--host", "h"],
    ["token", "--resource", "https://b.example", "--id-token"], ["login"], ["logout"],
    ["login", "--app", "a", "--resource", "https://b.example"],
])
def test_usage(words):
    assert run(*words, env={"CLAUDE_CODE_MCP_SERVER_URL": ""}).returncode == 2


def test_a_program_with_a_token_in_its_environment(make, tmp_path):
    """`switchyard run --token-env`, as Codex reads a token. The program has it before it starts, and BROWSER stays as it is."""
    world = make()
    token = world.sign_in()["token_response"]["access_token"]
    environment = {**world.agent.environment, "BROWSER": "mine"}
    way = ["run", "--token-env", f"A_TOKEN={world.protected.url}", f"--token-env=B={world.protected.url}", "--"]
    done = run(*way, "sh", "-c", 'printf %s "$A_TOKEN $B $BROWSER $0 $1"; exit 5', "sh", "--token-env", env=environment)
    assert (done.returncode, done.stdout) == (5, f"{token} {token} mine sh --token-env"), done.stderr
    # No argument of a process has it.
    done = run(*way, "sh", "-c", "tr '\\0' ' ' < /proc/$$/cmdline", env=environment)
    assert done.returncode == 0 and token not in done.stdout
    assert len(world.protected.refreshes) == 0


def test_a_program_that_gets_no_token_is_not_run(make, tmp_path):
    world = make()
    proof = tmp_path / "was-run"
    way = ["--", "touch", str(proof)]
    environment = {**world.agent.environment, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run("run", "--token-env", f"A={world.protected.url}", *way, env=environment)
    assert done.returncode == 1 and f"switchyard login --resource {world.protected.url}" in done.stderr, done.stderr
    done = run("run", "--token-env", "A=http://127.0.0.1:1/other", *way, env=environment)
    assert done.returncode == 1 and "no entry of resources" in done.stderr, done.stderr
    url = world.protected.url
    for words in ([f"={url}"], ["A"], [url], [f"1A={url}"], [f"A-B={url}"], ["A="], ["A=nowhere"], ["A=ftp://x.example"],
                  [f"A={url}", "--token-env", f"A={url}"]):
        done = run("run", "--token-env", *words, *way, env=environment)
        assert done.returncode == 2 and "--token-env" in done.stderr, (words, done.stderr)
    assert not proof.exists()


def test_a_bound_token_is_of_no_use_in_a_variable(make, tmp_path):
    """Tokens of a resource are bearer tokens today; an agent that answers otherwise is told."""
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            content = json.dumps({"access_token": "t", "token_type": "DPoP", "expires_on": 4102444800}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def address_string(self):
            return "a socket"

    with ThreadingUnixStreamServer(str(tmp_path / "s"), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = run("run", "--token-env", "A=https://mcp.example/", "--", "true", env={"SWITCHYARD_GATEWAY": f"unix:{tmp_path}/s"})
        server.shutdown()
    assert done.returncode == 1 and "bound to a key" in done.stderr, done.stderr


def test_login_at_a_terminal(make):
    """`switchyard login --resource`: the address is printed, the callback comes, and the agent has the token."""
    world = make()
    environment = {**os.environ, **world.agent.environment}
    process = subprocess.Popen(
        [SWITCHYARD, "login", "--resource", world.protected.url, "--no-browser"], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    address = next(line.strip() for line in process.stderr if line.strip().startswith("http"))
    # The agent of these tests has a page that starts the sign-in.
    come_back(world.agent, {"authorization_url": world.agent.browse(address).header("Location")})
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert json.loads(output)["access_token"] == world.token()["access_token"]


WRONG = {
    "another redirect URI": ({"redirect_uri": "https://login.example/x"}, "is not on 127.0.0.1"),
    "a release": ({"release": "code"}, "a release at an agent"),
    "begin_from": ({"begin_from": {"uids": [1]}}, "only the agent's own user begins there"),
    "no document": ({"client_id": "http://x.example/c"}, "is no address of a client document"),
}


@pytest.mark.parametrize("name", WRONG)
def test_check_refuses(run_folder, name):
    section, words = WRONG[name]
    file = run_folder / "agent.yaml"
    file.write_text(json.dumps({"resources": section}))
    done = run("check", "--config", str(file))
    assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr


def test_check_refuses_an_agents_keys_at_a_gateway(run_folder):
    from harness.gateway import Gateway
    gateway = Gateway(run_folder, "https://localhost:1")
    allow = [{"url": "https://a.example"}]
    for section, words in (({"others": True}, "others: true at a gateway"), ({"use_from": {"executables": []}}, "use_from"),
                           ({"client_id": "https://a.example/c"}, "client_id")):
        gateway.configuration["resources"] = {"redirect_uri": gateway.url("/r"), "allow": allow, **section}
        gateway.write()
        done = run("check", "--config", gateway.file)
        assert done.returncode == 2 and words in done.stdout + done.stderr, done.stdout + done.stderr


def test_a_client_document_of_a_gateway(make):
    """`client_id` of the section: the address of a document that lists the agent's redirect URI."""
    document = "https://login.example/clients/agent"
    world = make(Rotating(documents=True), section={"client_id": document, "redirect_uri": "http://127.0.0.1/mine"})
    begun = world.begin()
    assert parameters_of(begun)["client_id"] == document and not world.protected.registrations
    assert urlsplit(begun["redirect_uri"]).path.startswith("/mine/") and urlsplit(begun["redirect_uri"]).port
    assert world.finish(begun)[1]["client_id"] == document
    assert world.token()["client_id"] == document

