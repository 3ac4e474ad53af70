"""Callbacks that are strings: custom schemes and loopback, through POST /v1/callbacks and `switchyard open`."""

import secrets

import pytest

from harness.gateway import Gateway
from harness.held import CHALLENGE
from harness.issuer import authorize
from harness.programs import eventually, run
from harness.vault import VAULT

APP = "com.contoso.app1"
SCHEME_URI = "msauth.com.contoso.app1://auth"
STATE = "a-state-that-nobody-ever-gave-out-000001"


@pytest.fixture
def relayed(api):
    """(request, callback) of a sign-in that ends on a custom scheme."""
    pending = api.begin(APP, redirect_uri=SCHEME_URI, scope="openid")
    return pending, authorize(pending.authorization_url)


def test_a_custom_scheme_is_handled(api, relayed):
    pending, callback = relayed
    reply = api.relay(callback)
    assert (reply.status, reply.json) == (200, {"handled": True, "app": APP})
    assert pending.outcome()["status"] == "completed"


# Behind a custom scheme's host an empty path and `/` are one

@pytest.fixture(scope="module")
def spelled(request, run_folder, issuer):
    """A gateway with an app for each spelling."""
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["apps"] += [
        gateway.app("bare", "Bare Mail", ["msauth.com.contoso.bare://auth"], client_id="spelled"),
        gateway.app("slash", "Slash Mail", ["msauth.com.contoso.slash://auth/"], client_id="spelled"),
        gateway.app("path", "Path Mail", ["msauth.com.contoso.path://auth/cb"], client_id="spelled")]
    request.addfinalizer(gateway.start().stop)
    return gateway


@pytest.mark.rule(2)
@pytest.mark.parametrize("come", ["", "/"], ids=["without", "with"])
@pytest.mark.parametrize("asked", ["", "/"], ids=["asked without", "asked with"])
@pytest.mark.parametrize("name, registered", [("bare", ""), ("slash", "/")])
def test_a_custom_scheme_with_a_host_matches_with_a_slash_and_without(spelled, name, registered, asked, come):
    uri = f"msauth.com.contoso.{name}://auth"
    for completion in ("tokens", "response"):
        fields = {"state": "0123456789abcdef" + secrets.token_hex(4), "completion": "response"} if completion == "response" else {}
        if fields:
            fields |= {"code_challenge": CHALLENGE, "nonce": "n" * 32}
        pending = spelled.api().begin(f"com.contoso.{name}", redirect_uri=uri + asked, scope="openid", **fields)
        assert pending.redirect_uri == uri + registered, "the issuer is told the registered one, byte for byte"
        callback = authorize(pending.authorization_url)
        assert callback.startswith(f"{uri}{registered}?")
        brought = callback.replace(f"{uri}{registered}?", f"{uri}{come}?")
        VAULT.remember_url(brought)
        assert spelled.api().relay(brought).json == {"handled": True, "app": f"com.contoso.{name}"}
        outcome = pending.outcome()
        # The test's issuer refuses a redirect URI at the token endpoint that is not the one of its authorization request.
        assert outcome["status"] == "completed"
        assert completion == "tokens" or outcome["url"] == brought


@pytest.mark.rule(2)
@pytest.mark.parametrize("uri", [
    "msauth.com.contoso.path://auth/", "msauth.com.contoso.path://auth/cb/", "msauth.com.contoso.bare://auth//",
    "msauth.com.contoso.bare://auth/x", "msauth.com.contoso.bare:///", "msauth.com.contoso.bare:/auth"])
def test_no_other_slash_is_free(spelled, uri):
    assert spelled.api().relay(f"{uri}?code=some-code-or-other&state={STATE}").json["handled"] is False
    assert spelled.api().begin_reply("com.contoso.bare", redirect_uri=uri).status == 400


def test_two_apps_with_the_two_spellings_conflict(run_folder, issuer):
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["apps"].append(gateway.app("other", "Other Mail", [SCHEME_URI + "/"], client_id="other"))
    gateway.write()
    checked = run("check", "--config", gateway.file)
    assert checked.returncode == 2 and f'"{SCHEME_URI}/"' in checked.stdout + checked.stderr


def test_a_loopback_callback_is_handled_on_any_port(api):
    pending = api.begin(APP, redirect_uri="http://127.0.0.1:51234/app1", scope="openid")
    assert pending.redirect_uri == "http://127.0.0.1:51234/app1"
    assert api.relay(authorize(pending.authorization_url)).json["handled"] is True
    assert pending.outcome()["status"] == "completed"


def not_mine(api, gateway):
    return f"x-somebody-else://auth?code=some-code-or-other&state={STATE}"


def https_has_its_own_door(api, gateway):
    pending = api.begin(APP, scope="openid")
    return authorize(pending.authorization_url)


def no_pending_request(api, gateway):
    return f"{SCHEME_URI}?code=some-code-or-other&state={STATE}"


def already_consumed(api, gateway):
    pending = api.begin(APP, redirect_uri=SCHEME_URI, scope="openid")
    callback = authorize(pending.authorization_url)
    assert api.relay(callback).status == 200
    return callback.replace("code=", "code=another-")


def state_mismatch(api, gateway):
    pending = api.begin(APP, redirect_uri=SCHEME_URI, scope="openid")
    return authorize(pending.authorization_url).replace("contoso.app1", "contoso.app2")


def state_of_an_https_redirect_uri(api, gateway):
    pending = api.begin(APP, scope="openid")
    return authorize(pending.authorization_url).replace(gateway.url("/app1/auth"), SCHEME_URI)


REASONS = [
    (not_mine, 404, "not_mine"),
    (https_has_its_own_door, 404, "not_mine"),
    (no_pending_request, 404, "no_pending_request"),
    (already_consumed, 404, "already_consumed"),
    (state_mismatch, 404, "state_mismatch"),
    (state_of_an_https_redirect_uri, 404, "state_mismatch"),
]


@pytest.mark.parametrize("make, status, reason", REASONS, ids=[case[0].__name__ for case in REASONS])
def test_a_relay_that_is_not_handled_says_why(api, gateway, make, status, reason):
    reply = api.relay(make(api, gateway))
    assert (reply.status, reply.json["handled"], reply.json["reason"]) == (status, False, reason)


def test_a_relay_that_came_too_late_says_so(start_gateway):
    gateway = start_gateway(limits={"request_lifetime": "1s"})
    pending = gateway.api().begin(APP, redirect_uri=SCHEME_URI)
    callback = authorize(pending.authorization_url)
    eventually(lambda: pending.poll().status == 410, what="expiry")
    reply = gateway.api().relay(callback)
    assert (reply.status, reply.json["reason"]) == (404, "expired")


@pytest.mark.parametrize("url", [
    "", "no url at all", "msauth.com.contoso.app1:", f"{SCHEME_URI}?code=c",
    f"{SCHEME_URI}?state={STATE}", f"{SCHEME_URI}?code=c&state={STATE}&state={STATE}",
    f"{SCHEME_URI}?code=c&state={STATE}\r\nX: y", f"{SCHEME_URI}?code=%zz&state={STATE}",
])
def test_a_malformed_relay_is_400(api, url):
    reply = api.relay(url)
    assert reply.status in (400, 404)
    assert reply.json.get("reason") in ("malformed", "not_mine", "no_pending_request")
    assert reply.status == 404 or reply.json["reason"] == "malformed"


def test_a_mismatched_relay_leaves_the_request_pending(api, relayed):
    pending, callback = relayed
    assert api.relay(callback.replace("contoso.app1", "contoso.app2")).status == 404
    assert pending.is_untouched()
    assert api.relay(callback).status == 200


def test_open_relays_and_says_how_it_went(gateway):
    pending = gateway.local_api().begin(APP, redirect_uri=SCHEME_URI, scope="openid")
    callback = authorize(pending.authorization_url)
    done = run("open", callback, "--source", "com.contoso.test", "--gateway", gateway.socket)
    assert done.returncode == 0, done.stderr
    assert pending.outcome()["status"] == "completed"
    forged = callback.replace("code=", "code=another-")
    VAULT.remember_url(forged)
    again = run("open", forged, f"--gateway={gateway.socket}")
    assert again.returncode == 1 and again.stderr and pending.state not in again.stderr
    assert run("open", f"x-somebody-else://auth?state={STATE}", "--gateway", gateway.socket).returncode == 1


def test_open_takes_its_gateway_from_the_environment(gateway):
    VAULT.remember("state", STATE)
    callback = f"{SCHEME_URI}?code=some-code-or-other&state={STATE}"
    done = run("open", callback, env={"SWITCHYARD_GATEWAY": gateway.socket})
    assert done.returncode == 1 and done.stderr


def test_open_without_a_gateway_fails_plainly(tmp_path):
    done = run("open", f"{SCHEME_URI}?code=c&state={STATE}", "--gateway", f"unix:{tmp_path}/nobody.sock")
    assert done.returncode == 1 and "nobody.sock" in done.stderr
