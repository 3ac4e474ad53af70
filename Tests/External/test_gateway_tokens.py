"""`POST /v1/tokens` and `POST /v1/revocations`: tokens of apps with a secret, which the gateway holds."""

import json
import os
import secrets

import pytest

from harness.app import ClientApp
from harness.cases import cases
from harness.gateway import CA, Gateway
from harness.issuer import TestIssuer, authorize, fetch
from harness.metrics import changes, counted, key, scrape
from harness.programs import eventually
from harness.vault import VAULT

SECRETS = {name: secrets.token_urlsafe(24) for name in ("mail", "calendar", "keyed", "elsewhere")}
SCOPE = "openid profile offline_access"
HERE, ELSEWHERE = {"networks": ["127.0.0.1"], "uids": [os.getuid()]}, {"networks": ["192.0.2.0/24"]}
TENANT = "11111111-2222-3333-4444-555555555555"


class World:
    """A gateway with two issuers, and apps with secrets."""

    def __init__(self, folder, limits=None):
        self.issuer = TestIssuer(folder, clients=SECRETS).start()
        self.other_issuer = TestIssuer(folder, clients=SECRETS).start()
        self.api_key = secrets.token_urlsafe(32)
        for secret in (*SECRETS.values(), self.api_key):
            VAULT.remember("client secret", secret)
        self.gateway = Gateway(folder, self.issuer.base, limits=limits)
        key_file = self.gateway.folder / "keys"
        key_file.write_text(self.api_key + "\n")
        key_file.chmod(0o600)
        secret_files = {}
        for name, secret in SECRETS.items():
            secret_files[name] = self.gateway.folder / f"{name}.secret"
            secret_files[name].write_text(secret)
            secret_files[name].chmod(0o600)

        def app(name, client, begin_from, **more):
            return self.gateway.app(
                name, name, client_id=client, client_secret_file=str(secret_files[client]), begin_from=json.loads(json.dumps(begin_from)), **more)

        configuration = self.gateway.configuration
        configuration["issuers"] += [
            {"name": "other", "issuer": self.other_issuer.base},
            {"name": "entra", "issuer": f"{self.issuer.base}/{TENANT}/v2.0"}]
        configuration["apps"] += [
            app("mail", "mail", HERE, token_endpoint_auth_method="client_secret_post"), app("calendar", "calendar", HERE),
            app("guarded", "mail", ELSEWHERE), app("keyed", "keyed", {"api_key_file": str(key_file)}),
            app("elsewhere", "elsewhere", HERE, issuer="other"), app("entra", "mail", HERE, issuer="entra"),
        ]
        self.gateway.start()
        self.api = self.gateway.api()

    def stop(self):
        for program in (self.gateway, self.issuer, self.other_issuer):
            program.stop()

    def sign_in(self, app="mail", headers=None, scope=SCOPE, **fields):
        """A whole sign-in; its token response."""
        fields["extra_parameters"] = {"demo": "auto"}
        begun = self.api.begin_reply(f"com.contoso.{app}", headers=headers, scope=scope, **fields)
        assert begun.status == 201, begun.body
        assert self.gateway.browse(authorize(begun.json["authorization_url"])).status == 303
        path = f"/v1/requests/{begun.json['id']}"
        outcome = self.api.call("GET", path, token=begun.json["result_token"], headers={"Prefer": "wait=30"}).json
        VAULT.remember_all(outcome["token_response"])
        return outcome["token_response"]

    def refresh(self, token, app="mail", api=None, headers=None, **fields):
        body = {"app": f"com.contoso.{app}", "refresh_token": token, **fields}
        reply = (api or self.api).call("POST", "/v1/tokens", body, headers=headers)
        if reply.status == 200:
            VAULT.remember_all(reply.json["token_response"])
        return reply

    def revoke(self, token, app="mail", headers=None, **fields):
        body = {"app": f"com.contoso.{app}", "token": token, **fields}
        return self.api.call("POST", "/v1/revocations", body, headers=headers)

    def asked(self, client="mail", kind="refresh_token"):
        """How often the issuer was asked for this."""
        return int(json.loads(fetch(f"{self.issuer.base}/demo/stats?client={client}")[2])[kind])


@pytest.fixture(scope="module")
def world(run_folder):
    folder = run_folder / "gateway-tokens"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


def failed(reply):
    """The status and the failure's code."""
    assert reply.json["status"] == "failed", reply.body
    return reply.status, reply.json["error"]["code"]


def refused(reply):
    return reply.status, reply.json["error"]


def test_a_refresh_answers_like_a_sign_in_that_is_completed(world):
    first = world.sign_in()
    reply = world.refresh(first["refresh_token"], scope=SCOPE)
    assert reply.status == 200 and reply.header("Cache-Control") == "no-store"
    answer = reply.json
    assert set(answer) == {"status", "token_response", "granted_scopes", "declined_scopes", "id_token_claims"}
    assert answer["status"] == "completed" and answer["declined_scopes"] == []
    assert answer["granted_scopes"] == SCOPE.split() and answer["id_token_claims"]["aud"] == "mail"
    tokens = answer["token_response"]
    assert {"access_token", "refresh_token", "id_token", "expires_in"} <= set(tokens)
    assert tokens["access_token"] != first["access_token"] and tokens["refresh_token"] != first["refresh_token"]
    # The issuer rotates: the old one is spent, the new one is good.
    assert failed(world.refresh(first["refresh_token"])) == (400, "invalid_grant")
    assert world.refresh(tokens["refresh_token"]).status == 200


def test_without_a_scope_all_that_was_granted_is_asked_for(world):
    answer = world.refresh(world.sign_in()["refresh_token"]).json
    assert answer["granted_scopes"] == SCOPE.split() and answer["declined_scopes"] == []
    assert "id_token_claims" in answer


def test_scopes_that_are_not_granted_are_declined(world):
    token = world.sign_in(scope=f"{SCOPE} api://one/read api://two/read")["refresh_token"]
    answer = world.refresh(token, scope="openid api://one/read api://two/read demo:fewer_scopes").json
    assert "api://one/read" in answer["granted_scopes"] and answer["declined_scopes"] == ["api://two/read"]


def test_claims_go_to_the_issuer(world):
    answer = world.refresh(
        world.sign_in()["refresh_token"], scope=SCOPE, claims={"id_token": {"auth_time": {"essential": True}}})
    assert answer.status == 200, answer.body
    assert refused(world.refresh("x" * 20, claims="no object")) == (400, "invalid_request")


def test_only_who_may_begin_may_refresh_and_revoke(world):
    token = world.sign_in()["refresh_token"]
    asked = world.asked()
    before = scrape(world.gateway)
    for call in (world.refresh, world.revoke):
        assert refused(call(token, "guarded")) == (403, "unauthorized_client")
        assert refused(call(token, "keyed")) == (401, "invalid_client")
        assert refused(call(token, "keyed", headers={"Authorization": "Bearer wrong"})) == (403, "unauthorized_client")
        assert refused(call(token, "mail", headers={"X-Forwarded-For": "127.0.0.1"})) == (403, "unauthorized_client")
        assert refused(call(token, "unknown")) == (400, "invalid_request")
    assert world.asked() == asked and world.asked(kind="revocation") == 0
    assert not any("refreshes" in name or "revocations" in name for name, _ in changes(before, scrape(world.gateway)))
    assert world.refresh(token).status == 200


def test_a_caller_with_the_apps_key_may(world):
    headers = {"Authorization": f"Bearer {world.api_key}"}
    token = world.sign_in("keyed", headers=headers)["refresh_token"]
    assert world.refresh(token, "keyed", headers=headers).status == 200


def test_a_listed_user_may_on_the_unix_socket(world):
    assert world.refresh(world.sign_in()["refresh_token"], api=world.gateway.local_api()).status == 200


def test_an_app_without_a_secret_is_told_that_it_needs_no_gateway(world):
    for reply in (world.refresh("x" * 20, "app1"), world.revoke("x" * 20, "app1")):
        assert refused(reply) == (400, "invalid_request")
        assert "no client authentication" in reply.json["error_description"]


def test_the_token_of_another_client_is_worth_nothing(world):
    token = world.sign_in("mail")["refresh_token"]
    assert failed(world.refresh(token, "calendar")) == (400, "invalid_grant")
    assert failed(world.revoke(token, "calendar")) == (400, "unauthorized_client")
    assert world.refresh(token, "mail").status == 200


def test_a_token_goes_to_its_apps_issuer_and_no_other(world):
    token = world.sign_in("elsewhere")["refresh_token"]
    asked = world.issuer.count("token_requests")
    assert world.refresh(token, "elsewhere").status == 200
    assert failed(world.refresh(world.sign_in("mail")["refresh_token"], "elsewhere")) == (400, "invalid_grant")
    # One for the sign-in.
    assert world.issuer.count("token_requests") == asked + 1


# The issuer's answer, what the app gets, and how often the token is sent.
@cases(
    dict(answer={"error": "invalid_grant"}, status=400, code="invalid_grant", times=1),
    dict(answer={"error": "interaction_required", "claims": '{"id_token":{}}'}, status=400, code="interaction_required", times=1),
    dict(answer={"error": "invalid_scope"}, status=400, code="invalid_scope", times=1),
    dict(answer={"error": "an_error_of_its_own"}, status=400, code="authorization_failed", times=1),
    dict(answer={"error": "invalid_client", "status": 401}, status=502, code="invalid_client", times=1),
    dict(answer={"status": 503, "retry_after": 7, "times": 2}, status=502, code="server_error", times=2),
    dict(answer={"error": "temporarily_unavailable", "status": 503, "times": 2}, status=503, code="temporarily_unavailable", times=2),
    dict(answer={"status": 429, "retry_after": 7}, status=429, code="throttled", times=1),
    dict(answer={"cut": 1}, status=502, code="network", times=1),
    dict(answer={"demo": "reset"}, status=502, code="network", times=1),
    dict(answer={"demo": "garbage"}, status=502, code="invalid_response", times=1),
    dict(answer={"demo": "redirect_307"}, status=502, code="invalid_response", times=1),
    dict(answer={"demo": "wrong_signature"}, status=502, code="invalid_id_token", times=1),
    dict(answer={"demo": "wrong_issuer"}, status=502, code="invalid_id_token", times=1),
    dict(answer={"demo": "wrong_audience"}, status=502, code="invalid_id_token", times=1),
    dict(answer={"demo": "alg_none"}, status=502, code="invalid_id_token", times=1),
    ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_a_failure_says_whose_it_is_and_a_token_is_not_sent_twice(world, answer, status, code, times):
    token = world.sign_in()["refresh_token"]
    asked = world.asked()
    try:
        world.issuer.control(token="answer", client="mail", grant_type="refresh_token", **answer)
        reply = world.refresh(token, scope=SCOPE)
    finally:
        world.issuer.control(token="forget", client="mail")
    assert failed(reply) == (status, code), reply.body
    assert world.asked() == asked + times
    assert reply.header("Retry-After") == (str(answer["retry_after"]) if "retry_after" in answer else None)
    assert token.encode() not in reply.body


def test_an_issuer_without_its_keys_does_not_get_the_token(run_folder):
    """A rotating token would be spent for an answer that cannot be verified."""
    folder = run_folder / "gateway-tokens-keys"
    folder.mkdir()
    world = World(folder)
    try:
        # Without openid, the keys were not needed so far.
        token = world.sign_in(scope="offline_access api://one/read")["refresh_token"]
        world.issuer.control(outage="jwks")
        asked = world.asked()
        assert failed(world.refresh(token, scope="offline_access api://one/read")) == (502, "network")
        assert world.asked() == asked
        world.issuer.control(outage="none")
        eventually(lambda: world.refresh(token).status == 200, seconds=15, what="the keys")
    finally:
        world.stop()


def test_an_issuer_that_cannot_be_found_is_tried_later(run_folder):
    folder = run_folder / "gateway-tokens-away"
    folder.mkdir()
    world = World(folder)
    try:
        world.issuer.stop()
        reply = world.refresh("x" * 20)
        assert refused(reply) == (503, "temporarily_unavailable") and int(reply.header("Retry-After")) > 0
    finally:
        world.stop()


BAD = [
    {"refresh_token": None}, {"refresh_token": ""}, {"refresh_token": 7}, {"refresh_token": "a\nb"}, {"app": None},
    {"refresh_token": "x" * 33_000}, {"refresh_token": "\u00e9" * 6000}, {"scope": 'a"b'}, {"scope": "x" * 5000}, {"nonsense": "x"},
]


@pytest.mark.parametrize("change", BAD, ids=lambda change: repr(change)[:40])
def test_a_wrong_call_changes_nothing(world, change):
    asked = world.asked()
    reply = world.api.call("POST", "/v1/tokens", {"app": "com.contoso.mail", "refresh_token": "x" * 20} | change)
    assert reply.status == 400 and reply.json["error"] in ("invalid_request", "invalid_scope")
    assert b"xxxxxxxxxx" not in reply.body and world.asked() == asked


def test_the_calls_are_for_apps_not_for_pages(world):
    for path in ("/v1/tokens", "/v1/revocations"):
        assert world.api.call("POST", path, {}, headers={"Origin": "https://evil.example"}).status == 403
        assert world.api.call("POST", path, b"app=x", headers={"Content-Type": "application/x-www-form-urlencoded"}).status == 415
        assert world.api.call("GET", path).header("Allow") == "POST"
        assert world.api.call("POST", path, {"app": "x" * 70_000}).status == 413


def test_a_flood_is_turned_away_at_the_rate_of_beginnings(run_folder):
    folder = run_folder / "gateway-tokens-flood"
    folder.mkdir()
    world = World(folder, limits={"begin_rate": 1})
    try:
        replies = [world.refresh("x" * 20) for _ in range(6)]
        assert {reply.status for reply in replies} == {400, 429}
        assert replies[-1].json["error"] == "slow_down" and int(replies[-1].header("Retry-After")) > 0
        assert world.revoke("x" * 20).status == 429
        assert scrape(world.gateway)[key("limited_total", limit="begin_rate")] >= 1
    finally:
        world.stop()


# MARK: The library


@pytest.fixture
def app(world):
    """An app that links the library; somebody has signed in to it."""
    app = ClientApp(
        authority=world.issuer.base, client_id="mail", gateway=world.api.address, app="com.contoso.mail", ca=str(CA), refresh="gateway")
    name, url = app.begin_sign_in(extra={"demo": "auto"})
    start = world.gateway.browse(url)
    world.gateway.browse(authorize(start.header("Location") if start.status == 303 else url))
    result = app.end(name)
    assert "error" not in result, result
    app.token = result["access_token"]
    yield app
    app.stop()


def test_the_library_refreshes_through_the_gateway(world, app):
    before, asked = scrape(world.gateway), world.asked()
    renewed = app.call("silent", scopes=["mail.read"], force=True)
    assert "error" not in renewed, renewed
    assert renewed["access_token"] != app.token
    again = app.call("silent", scopes=["mail.read"], force=True)
    # The token that rotated was kept.
    assert again["access_token"] != renewed["access_token"] and world.asked() == asked + 2
    assert changes(before, scrape(world.gateway))[key("refreshes_total", app="com.contoso.mail", result="completed")] == 2


def test_the_library_knows_a_refusal_of_the_issuer_from_one_of_the_gateway(world, app):
    world.issuer.control(token="answer", client="mail", grant_type="refresh_token", error="invalid_grant")
    assert app.call("silent", scopes=["mail.read"], force=True)["error"]["code"] == "interaction_required"
    outsider = ClientApp(
        authority=world.issuer.base, client_id="mail", gateway=world.api.address, app="com.contoso.mail", ca=str(CA))
    try:
        # Without the gateway the client has no secret, and the issuer says so.
        name, url = outsider.begin_sign_in(extra={"demo": "auto"})
        world.gateway.browse(authorize(world.gateway.browse(url).header("Location")))
        assert "error" not in outsider.end(name)
        assert outsider.call("silent", scopes=["mail.read"], force=True)["error"]["code"] == "invalid_client"
    finally:
        outsider.stop()


# MARK: Revocation


def test_a_revoked_token_is_worth_nothing(world):
    token = world.sign_in()["refresh_token"]
    reply = world.revoke(token, token_type_hint="refresh_token")
    assert (reply.status, reply.body) == (204, b"")
    assert failed(world.refresh(token)) == (400, "invalid_grant")
    # Again, and one that never was.
    assert world.revoke(token).status == world.revoke("x" * 20).status == 204


def test_an_issuer_that_revokes_nothing_says_so(world):
    reply = world.revoke("x" * 20, "entra")
    assert refused(reply) == (400, "unsupported_token_type") and "revocation_endpoint" in reply.json["error_description"]
    world.issuer.control(token="answer", client="mail", grant_type="revocation", error="unsupported_token_type")
    assert refused(world.revoke("x" * 20)) == (400, "unsupported_token_type")


def test_a_revocation_that_fails_says_so(world):
    world.issuer.control(outage="revocation")
    assert failed(world.revoke("x" * 20)) == (502, "network")
    world.issuer.control(outage="none")
    world.issuer.control(token="answer", client="mail", grant_type="revocation", status=503, retry_after=7, times=2)
    reply = world.revoke("x" * 20)
    assert failed(reply) == (502, "server_error") and reply.header("Retry-After") == "7"
    assert refused(world.revoke(None)) == (400, "invalid_request")


def test_each_is_counted_and_logged_without_a_secret(world):
    token = world.sign_in()["refresh_token"]
    before = scrape(world.gateway)
    assert before[key("refreshes_total", app="com.contoso.mail", result="completed")] >= 0
    assert key("refreshes_total", app="com.contoso.app1", result="completed") not in before
    new = world.refresh(token).json["token_response"]["refresh_token"]
    assert world.refresh(token).status == 400
    assert world.revoke(new).status == 204
    counted(world.gateway, before, {
        key("refreshes_total", app="com.contoso.mail", result="completed"): 1,
        key("refreshes_total", app="com.contoso.mail", result="invalid_grant"): 1,
        key("revocations_total", app="com.contoso.mail", result="completed"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="token", result="ok"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="token", result="refused"): 1,
        key("issuer_requests_total", issuer="demo", endpoint="revocation", result="ok"): 1,
    })
    log = world.gateway.log.read_bytes()
    lines = [line for line in log.decode().splitlines() if "app=com.contoso.mail" in line]
    assert any(" event=refreshed " in line and "from=127.0.0.1" in line for line in lines)
    assert any(" event=refresh_failed " in line and "reason=invalid_grant" in line for line in lines)
    assert any(" event=revoked " in line for line in lines)
    assert not VAULT.found_in(log)
