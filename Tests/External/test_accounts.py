"""Accounts of issuers without ID tokens, and ID tokens of those with them: the agent, `switchyard token`, and its helpers."""

import base64
import json
import os
import shutil
import subprocess

import pytest

from harness.agent import AgentGateway
from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.programs import SWITCHYARD, eventually
from harness.standin import JSON
from harness.vault import VAULT

GITHUB = "com.contoso.github"
OPENID = "com.contoso.openid"
SLACK = "com.contoso.slack"


class World:
    """A user's agent with an issuer that knows OAuth 2.0 only, as GitHub does, and one with ID tokens."""

    def __init__(self, folder):
        self.github = DeviatingProvider(
            {"id_token": "none", "scope_separator": ","}, expires_in=None, gives_refresh_tokens=False)
        self.slack = DeviatingProvider(
            {"id_token": "none", "token_type": "any", "token_path": "/authed_user", "refresh_endpoint": "another address"})
        self.openid = DeviatingProvider()
        self.agent = AgentGateway(folder, "https://localhost:1")

        def mine():
            return {"client_id": CLIENT, "client_secret": SECRET, "token_endpoint_auth_method": "client_secret_post",
                    "begin_from": {"uids": [os.getuid()]}}

        self.agent.configuration["issuers"] += [
            self.github.configuration("github", account={"url": f"{self.github.base}/me", "id": "/id", "name": "/login"}),
            self.slack.configuration("slack", account={"url": f"{self.slack.base}/me", "id": "/data/login"}),
            self.openid.configuration("openid")]
        app = self.agent.app
        self.agent.configuration["apps"] += [
            app("github", "GitHub", issuer="github", default_scope="repo", **mine()),
            app("slack", "Slack", issuer="slack", default_scope="chat", **mine()),
            app("openid", "OpenID", issuer="openid", default_scope="openid mail", **mine())]
        self.agent.start()
        self.api = self.agent.local_api()

    def stop(self):
        self.agent.stop()
        for provider in (self.github, self.slack, self.openid):
            provider.stop()

    def token(self, app, **fields):
        reply = self.api.call("POST", "/v1/tokens", {"app": app, **fields})
        if reply.status == 200:
            VAULT.remember("access_token", reply.json["access_token"])
        return reply

    def sign_in(self, app, provider, **fields):
        refused = self.token(app, **fields)
        assert refused.status == 401, refused.body
        request = {name: value for name, value in refused.json["request"].items() if name != "app"}
        pending = self.api.begin(app, demo=None, **request)
        assert self.agent.browse(provider.authorize(pending.authorization_url)).status == 303
        outcome = pending.outcome()
        VAULT.remember_all(outcome["token_response"])
        pending.delete()
        return pending

    def forget(self, app):
        for account in self.api.call("GET", f"/v1/accounts?app={app}").json["accounts"]:
            assert self.api.call("DELETE", f"/v1/accounts/{account['id']}?app={app}").status == 204

    def command(self, *arguments, **options):
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.run(
            [str(SWITCHYARD), *map(str, arguments), "--gateway", self.agent.socket], capture_output=True, text=True, timeout=60,
            env=kept, **options)


@pytest.fixture(scope="module")
def world(run_folder):
    folder = run_folder / "accounts"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.fixture
def github(world):
    if world.token(GITHUB).status != 200:
        world.sign_in(GITHUB, world.github)
    return world


def test_the_account_comes_from_the_providers_api(github):
    reply = github.token(GITHUB)
    assert reply.status == 200, reply.body
    assert reply.json["access_token"] in github.github.access_tokens
    assert (reply.json["account"]["id"], reply.json["account"]["username"]) == ("583231", "octocat")
    # The request had no scope of OpenID Connect, and the provider named no expiry.
    assert list(github.github.access_tokens.values())[-1]["scopes"] == ["repo"]
    assert github.command("token", "--app", GITHUB, "--account", "octocat").stdout.strip() == reply.json["access_token"]


def test_git_and_docker_get_it(github, tmp_path):
    token = github.token(GITHUB).json["access_token"]
    helper = f"!{SWITCHYARD} token --app {GITHUB} --format git --host github.com --gateway {github.agent.socket}"
    if shutil.which("git"):
        done = subprocess.run(
            ["git", "-c", f"credential.helper={helper}", "credential", "fill"], input="protocol=https\nhost=github.com\n\n",
            capture_output=True, text=True, timeout=60, env=os.environ | {"GIT_TERMINAL_PROMPT": "0", "HOME": str(tmp_path)})
        assert f"password={token}" in done.stdout.splitlines(), done
    done = github.command("token", "get", "--app", GITHUB, "--format", "docker", "--host", "ghcr.io", input="https://ghcr.io\n")
    assert json.loads(done.stdout)["Secret"] == token, done
    done = github.command("token", "--app", GITHUB, "--format", "kubernetes")
    assert json.loads(done.stdout)["status"]["token"] == token, done


def test_a_token_that_git_refused_is_not_given_again(world):
    if world.token(GITHUB).status != 200:
        world.sign_in(GITHUB, world.github)
    question = "protocol=https\nhost=github.com\n\n"
    arguments = ("token", "erase", "--app", GITHUB, "--format", "git", "--host", "github.com")
    assert world.command(*arguments, input=question).returncode == 0
    assert world.token(GITHUB).status == 401
    world.sign_in(GITHUB, world.github)
    assert world.token(GITHUB).status == 200


def test_a_token_of_another_type_is_refreshed_at_its_address(world):
    world.sign_in(SLACK, world.slack)
    first = world.token(SLACK).json
    assert (first["token_type"], first["account"]["id"]) == ("user", "nested-octocat")
    again = world.token(SLACK, force_refresh=True)
    assert again.status == 200 and again.json["access_token"] != first["access_token"], again.body
    assert (again.json["token_type"], again.json["account"]["id"]) == ("user", "nested-octocat")
    assert len(world.slack.asked("/refresh")) == 1 and not world.slack.problems


@pytest.mark.parametrize("answer, said", [
    ((401, JSON, {"message": "Bad credentials"}), "Bad credentials"),
    ((200, JSON, {"login": "octocat"}), "/id"),
    ((200, JSON, {"id": 1}), "/login"),
    ((200, JSON, {"id": 1.5, "login": "octocat"}), "/id"),
    ((200, JSON, {"id": "x" * 300, "login": "octocat"}), "/id"),
    ((200, JSON, {"id": "octocat\nevent=forged", "login": "octocat"}), "/id"),
    ((200, JSON, {"id": "octo\u202ecat", "login": "octocat"}), "/id"),
    ((200, {"Content-Type": "text/html"}, "<title>Nothing</title>"), "no JSON object"),
])
def test_an_account_that_is_not_told_keeps_nothing_and_says_why(world, answer, said):
    world.forget(GITHUB)
    world.github.answers["/me"] = answer
    try:
        pending = world.sign_in(GITHUB, world.github)
        [line] = eventually(
            lambda: [line for line in world.agent.output().splitlines()
                     if f"event=tokens_not_kept reference={pending.reference} " in line], what="the line of the loss")
        assert "reason=no_account" in line, line
        if said != "Bad credentials":
            assert said in line, line
        assert world.token(GITHUB).status == 401
    finally:
        world.github.reset()


# ID tokens


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


@pytest.fixture
def openid(world):
    if world.token(OPENID).status != 200:
        world.sign_in(OPENID, world.openid)
    return world


def test_the_id_token_is_given_to_a_caller_that_wants_it(openid):
    plain, full = openid.token(OPENID).json, openid.token(OPENID, id_token=True).json
    assert "id_token" not in plain
    VAULT.remember("id_token", full["id_token"])
    assert claims(full["id_token"])["aud"] == CLIENT and full["id_token_expires_on"] == claims(full["id_token"])["exp"]
    done = openid.command("token", "--app", OPENID, "--id-token")
    assert done.stdout.strip() == full["id_token"], done
    done = openid.command("token", "--app", OPENID, "--id-token", "--format", "header")
    assert done.stdout.strip() == f"Authorization: Bearer {full['id_token']}"


def test_kubernetes_gets_the_id_token_with_its_own_end(openid):
    done = openid.command("token", "--app", OPENID, "--id-token", "--format", "kubernetes")
    status = json.loads(done.stdout)["status"]
    VAULT.remember("id_token", status["token"])
    assert claims(status["token"])["sub"] == "alice"
    access = json.loads(openid.command("token", "--app", OPENID, "--format", "kubernetes").stdout)["status"]
    assert access["token"] != status["token"] and access["expirationTimestamp"] != status["expirationTimestamp"]


def test_an_id_token_that_has_ended_is_renewed_by_a_refresh(world):
    world.forget(OPENID)
    usual = world.openid.id_token
    ended = []

    def ending(nonce=None, **changes):
        ended.append(usual(nonce, exp=int(__import__("time").time()) + 30, **changes))
        return ended[-1]

    world.openid.id_token = ending
    try:
        world.sign_in(OPENID, world.openid)
    finally:
        world.openid.id_token = usual
    reply = world.token(OPENID, id_token=True)
    assert reply.status == 200, reply.body
    VAULT.remember("id_token", reply.json["id_token"])
    assert reply.json["id_token"] not in ended and reply.json["id_token_expires_on"] > claims(ended[0])["exp"]


def test_an_issuer_without_id_tokens_gives_none(github):
    reply = github.token(GITHUB, id_token=True)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request") and "no ID tokens" in reply.json["error_description"]
    done = github.command("token", "--app", GITHUB, "--id-token")
    assert done.returncode == 1 and not done.stdout and "no ID tokens" in done.stderr


@pytest.mark.parametrize("format", ["git", "docker"])
def test_helpers_of_git_and_docker_take_no_id_token(world, format):
    done = world.command("token", "--app", OPENID, "--id-token", "--format", format, "--host", "git.contoso.com")
    assert done.returncode == 2 and "--id-token" in done.stderr


def test_the_flag_is_true_or_false(world):
    assert world.token(OPENID, id_token="yes").status == 400
