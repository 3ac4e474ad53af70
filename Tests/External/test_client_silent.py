"""SwitchyardClient from outside: tokens without asking anybody. The issuer counts what it is asked."""

import time

import pytest

from harness.app import ClientApp
from harness.client import DemoClient
from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.gateway import CA
from harness.issuer import authorize
from harness.keyring import Desktop
from harness.programs import eventually
from harness.redis import RedisServer, SharingGateway
from harness.vault import VAULT

MAIL, FILES = "api://mail/read", "api://files/read"
TENANT = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"


class SignedIn:
    """An app in which somebody has signed in, and the issuer's view of it."""

    def __init__(self, issuer, demo="", scopes=(MAIL,), consent=(FILES,), client_id=None, family=None, **settings):
        self.client = DemoClient(issuer, client_id)
        if family:
            self.client.change(family=family)
        settings = {"kind": "entra", "tenant": "common"} | settings
        self.app = ClientApp(authority=issuer.base, client_id=self.client.id, **settings)
        self.result = self.sign_in(demo, scopes, consent)

    def sign_in(self, demo="", scopes=(MAIL,), consent=(FILES,), **fields):
        name, url = self.app.begin_sign_in(
            *scopes, consent=list(consent), login_hint="Alex Doe",
            extra={"demo": ",".join(filter(None, ["auto", demo]))}, **fields)
        assert self.app.call("handle", url=authorize(url))["outcome"] == "completed"
        return remembered(self.app.end(name))

    def silent(self, *scopes, **fields):
        return remembered(self.app.call("silent", scopes=list(scopes or [MAIL]), **fields))

    @property
    def refreshes(self):
        return self.client.count("refresh_token")


def remembered(result):
    VAULT.remember("access token", result.get("access_token"))
    VAULT.remember("id token", result.get("id_token"))
    return result


@pytest.fixture
def signed_in(issuer):
    made = []

    def make(*arguments, **settings):
        made.append(SignedIn(issuer, *arguments, **settings))
        return made[-1]

    yield make
    for one in made:
        one.app.stop()


# From the cache


def test_a_good_token_comes_from_the_cache(signed_in):
    one = signed_in()
    assert one.silent(MAIL)["access_token"] == one.result["access_token"]
    assert one.silent(MAIL.upper())["access_token"] == one.result["access_token"]
    assert one.refreshes == 0


def test_the_account_is_the_home_account(signed_in):
    one = signed_in()
    account = one.app.call("accounts")["accounts"][0]
    assert account["identifier"].endswith("." + TENANT) and account["username"]
    assert account["claims"]["name"] == "Alex Doe"
    assert one.app.call("account", account=account["identifier"].upper())["account"] == account
    assert one.app.call("account", account=account["username"].upper())["account"] == account
    assert one.app.call("account", account="nobody")["account"] is None
    assert one.app.call("account", account=" ")["error"]["code"] == "invalid_parameter"


def test_a_token_for_more_scopes_serves_for_fewer(signed_in):
    one = signed_in(scopes=(MAIL, "api://mail/send"))
    assert one.silent("api://mail/send")["access_token"] == one.result["access_token"]
    assert one.refreshes == 0


@pytest.mark.parametrize("demo", ["expires_in=200", "expires_in=0", "refresh_in=0", "expires_in=200,numbers_as_strings"])
def test_a_token_that_ends_soon_or_shall_be_renewed_is_renewed(signed_in, demo):
    one = signed_in(demo)
    renewed = one.silent()
    assert renewed["access_token"] != one.result["access_token"] and one.refreshes == 1
    assert one.silent()["access_token"] == renewed["access_token"] and one.refreshes == 1


@pytest.mark.parametrize("fields", [{"force": True}, {"claims": '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'}])
def test_force_and_claims_pass_over_the_cache(signed_in, fields):
    one = signed_in()
    assert one.silent(**fields)["access_token"] != one.result["access_token"] and one.refreshes == 1


def test_capabilities_alone_do_not_pass_over_the_cache(signed_in):
    one = signed_in(capabilities=["CP1"])
    assert one.silent()["access_token"] == one.result["access_token"] and one.refreshes == 0


@pytest.fixture
def sharers(signed_in, issuer, tmp_path):
    """Makes several processes of one app, with one cache, in which somebody has signed in."""
    more = []

    def make(count, demo, **settings):
        env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
        shared = {"cache": "file", "env": env} | settings
        first = signed_in(demo, **shared)
        for _ in range(count - 1):
            more.append(ClientApp(
                authority=issuer.base, client_id=first.client.id, kind="entra", tenant="common", **shared))
        return first, [first.app, *more]

    yield make
    for app in more:
        app.stop()


@pytest.mark.parametrize("capabilities", [[], ["CP1"]])
def test_processes_that_share_a_cache_make_one_refresh(sharers, capabilities):
    first, apps = sharers(3, "expires_in=0", capabilities=capabilities)
    first.client.script(delay=500)
    callers = [(app, app.begin("silent", scopes=[MAIL])) for app in apps]
    tokens = {remembered(app.end(caller))["access_token"] for app, caller in callers}
    assert len(tokens) == 1 and first.refreshes == 1


def test_a_process_that_was_killed_in_a_refresh_holds_up_no_other(sharers):
    first, (victim, other) = sharers(2, "expires_in=0")
    first.client.script(delay=30_000)
    victim.begin("silent", scopes=[MAIL])
    eventually(lambda: first.refreshes == 1, what="the victim's refresh")
    victim.process.kill()
    # The issuer decides about the victim's refresh token. The lease is free long before its own end.
    other.end(other.begin("silent", scopes=[MAIL]), seconds=25)
    assert first.refreshes == 2


def test_ten_callers_make_one_refresh(signed_in):
    one = signed_in("expires_in=0")
    one.client.script(delay=500)
    callers = [one.app.begin("silent", scopes=[MAIL]) for _ in range(10)]
    tokens = {remembered(one.app.end(caller))["access_token"] for caller in callers}
    assert len(tokens) == 1 and one.refreshes == 1


# Several APIs from one sign-in


def test_each_api_gets_a_token_of_its_own(signed_in, issuer):
    one = signed_in()
    files = one.silent(FILES)
    assert files["access_token"] != one.result["access_token"] and files["scopes"] == [FILES]
    for _ in range(2):
        assert one.app.call("token", scopes=[MAIL])["access_token"] == one.result["access_token"]
        assert one.app.call("token", scopes=[FILES])["access_token"] == files["access_token"]
    assert one.refreshes == 1
    for api, scope in (("mail", MAIL), ("files", FILES)):
        assert one.app.call("api", url=f"{issuer.base}/api/{api}", scopes=[scope])["status"] == 200
    assert one.app.call("api", url=f"{issuer.base}/api/mail", scopes=[FILES])["status"] == 401


STEP_UP = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'


@pytest.fixture
def stepped_up(start_issuer):
    """A separate issuer, whose mail API asks for more."""
    issuer = start_issuer()
    issuer.control(api="mail", api_claims=STEP_UP)
    one = SignedIn(issuer)
    yield issuer, one
    one.app.stop()


def test_a_claims_challenge_is_answered_once_by_a_token_with_the_claims(stepped_up):
    issuer, one = stepped_up
    for _ in range(2):
        assert one.app.call("api", url=f"{issuer.base}/api/mail", scopes=[MAIL])["status"] == 200
    assert one.refreshes == 1


@pytest.mark.parametrize("interactive", [False, True])
def test_a_challenge_that_only_the_person_can_meet_goes_to_the_browser_or_to_the_app(stepped_up, interactive):
    issuer, one = stepped_up
    one.client.script(error="interaction_required", claims=STEP_UP)
    call = one.app.begin("api", url=f"{issuer.base}/api/mail", scopes=[MAIL], interactive=interactive,
                         extra={"demo": "auto"})
    if interactive:
        url = one.app.wait(call, "present", "error")["present"]
        assert "acrs" in url
        assert one.app.call("handle", url=authorize(url))["outcome"] == "completed"
        assert one.app.end(call)["status"] == 200
    else:
        error = one.app.end(call)["error"]
        assert error["code"] == "interaction_required" and error["claims"] == STEP_UP


# Refusals


def test_without_an_account_or_tokens_only_the_person_can_go_on(signed_in):
    one = signed_in()
    error = one.app.call("silent", scopes=[MAIL], no_account=True)["error"]
    assert (error["code"], error["internal"], error["msal_code"]) == (
        "interaction_required", "account_required", -50002)
    one.app.call("sign_out")
    assert one.app.call("accounts")["accounts"] == []


@pytest.mark.parametrize("scope", ["openid", "OpenID", "profile", "offline_access", "", "two words"])
def test_reserved_and_malformed_scopes_are_refused_before_anything_is_asked(signed_in, scope):
    one = signed_in()
    error = one.silent(scope)["error"]
    assert (error["code"], error["msal_internal"]) == ("invalid_parameter", -42000) and one.refreshes == 0


@pytest.mark.parametrize("fields, code, internal", [
    ({"error": "invalid_grant", "error_codes": "50173,70008"}, "interaction_required", "invalid_grant"),
    ({"error": "interaction_required"}, "interaction_required", None),
    ({"error": "consent_required"}, "interaction_required", None),
    ({"error": "invalid_client", "status": 401}, "invalid_client", "invalid_client"),
    ({"error": "invalid_scope"}, "invalid_scope", "invalid_scope"),
    ({"error": "unauthorized_client"}, "interaction_required", "unauthorized_client"),
    ({"error": "unauthorized_client", "suberror": "protection_policy_required"},
     "server_protection_policies_required", None),
    ({"status": 403}, "invalid_response", "unhandled_response"), ({"status": 404}, "invalid_response", "unhandled_response"),
])
def test_the_issuers_answer_decides(signed_in, fields, code, internal):
    one = signed_in(throttling=False)
    one.client.script(**fields)
    error = one.silent(force=True)["error"]
    assert error["code"] == code, error
    assert internal is None or error["internal"] == internal
    assert error["username"] == one.result["account"]["username"]
    assert error["home_account_id"] == one.result["account"]["identifier"]
    if "error_codes" in fields:
        assert error["sts"] == [50173, 70008] and error["oauth_error"] == "invalid_grant"
    # The refresh token is kept, and the cached token is still good.
    assert one.silent()["access_token"] == one.result["access_token"]
    assert "error" not in one.silent(force=True)


def test_a_claims_challenge_of_the_issuer_is_in_the_error(signed_in):
    one = signed_in()
    claims = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
    one.client.script(error="interaction_required", claims=claims)
    assert one.silent(force=True)["error"]["claims"] == claims


def test_a_bad_refresh_token_is_thrown_away(signed_in):
    one = signed_in(throttling=False)
    one.client.script(error="invalid_grant", suberror="bad_token")
    assert one.silent(force=True)["error"]["code"] == "interaction_required"
    error = one.silent(force=True)["error"]
    assert (error["code"], error["internal"]) == ("interaction_required", "no_tokens") and one.refreshes == 1


def test_a_deleted_account_goes_with_everything(signed_in):
    one = signed_in()
    one.client.script(error="invalid_grant", suberror="user_account_deleted")
    one.silent(force=True)
    assert one.app.call("accounts")["accounts"] == []


def test_a_response_without_a_refresh_token_keeps_the_old_one(signed_in):
    one = signed_in()
    one.client.script(demo="no_refresh_token")
    assert "error" not in one.silent(force=True)
    assert "error" not in one.silent(force=True)


def test_declined_scopes_come_with_the_tokens_and_the_granted_ones_are_cached(signed_in, issuer):
    one = signed_in()
    result = one.sign_in("fewer_scopes", scopes=(MAIL, "api://mail/send"), consent=())
    error = result["error"]
    assert (error["code"], error["msal_code"]) == ("server_declined_scopes", -50003)
    assert (error["granted"], error["declined"]) == ([MAIL], ["api://mail/send"])
    assert one.silent(MAIL)["access_token"] == error["result"]["access_token"]


# The issuer is down


def test_a_token_that_is_still_good_survives_a_failed_early_renewal(signed_in):
    one = signed_in("refresh_in=0")
    one.client.script(status=503, times=2)
    assert one.silent()["access_token"] == one.result["access_token"]


@pytest.mark.parametrize("extended", [True, False])
def test_an_expired_token_serves_on_only_where_app_and_issuer_allow_it(signed_in, extended):
    one = signed_in("expires_in=0,ext_expires_in=3600", extended=extended)
    one.client.script(status=503, times=2)
    result = one.silent()
    if extended:
        assert result["access_token"] == one.result["access_token"] and result["extended"]
    else:
        assert result["error"]["code"] == "server_error" and result["error"]["http_status"] == 503


def test_a_5xx_is_tried_once_more(signed_in):
    one = signed_in()
    one.client.script(status=503)
    assert "error" not in one.silent(force=True) and one.refreshes == 2


def test_a_lost_answer_is_the_network_s_fault_and_not_the_person_s(signed_in):
    one = signed_in()
    one.client.script(cut=1)
    error = one.silent(force=True)["error"]
    assert error["code"] == "network" and one.refreshes == 1


# Throttling


@pytest.mark.parametrize("fields, seconds", [({"retry_after": 7}, 7), ({"retry_after_date": 30}, 30), ({}, None)])
def test_an_issuer_that_asks_for_patience_gets_it(signed_in, fields, seconds):
    one = signed_in()
    one.client.script(status=429, **fields)
    first = one.silent(force=True)["error"]
    assert first["code"] == "throttled" and not first["throttled"]
    assert first.get("retry_after") in ((seconds, seconds - 1) if seconds else (None,))
    again = one.silent(force=True)["error"]
    assert again["code"] == "throttled" and again["throttled"] and one.refreshes == 1
    # Another API is another request.
    assert "error" not in one.silent(FILES)


def test_a_request_that_needs_the_person_is_not_repeated_until_the_person_came(signed_in):
    one = signed_in()
    one.client.script(error="invalid_grant")
    assert one.silent(force=True)["error"]["code"] == "interaction_required"
    assert one.silent(force=True)["error"]["throttled"] and one.refreshes == 1
    one.sign_in()
    assert "error" not in one.silent(force=True)


def test_a_refresh_that_brings_fewer_scopes_is_held_back_until_the_person_came(signed_in):
    asked = (MAIL, "api://mail/send")
    one = signed_in(scopes=asked, consent=())
    one.client.script(demo="fewer_scopes")
    first = one.silent(*asked, force=True)["error"]
    assert first["code"] == "server_declined_scopes" and not first["throttled"]
    again = one.silent(*asked, force=True)["error"]
    assert again["code"] == "server_declined_scopes" and again["throttled"] and one.refreshes == 1
    assert (again["granted"], again["declined"]) == (first["granted"], first["declined"])
    assert again["result"]["access_token"]
    assert "error" not in one.silent(*first["granted"]) and one.refreshes == 1
    one.sign_in(scopes=asked, consent=())
    assert "error" not in one.silent(*asked, force=True)


def test_throttling_can_be_switched_off(signed_in):
    one = signed_in(throttling=False)
    one.client.script(status=429)
    assert one.silent(force=True)["error"]["code"] == "throttled"
    assert "error" not in one.silent(force=True)


# Shared between apps


def test_apps_of_one_client_id_share_accounts_and_tokens(signed_in, issuer, tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    one = signed_in(cache="file", env=env)
    other = ClientApp(authority=issuer.base, client_id=one.client.id, bundle_id="com.contoso.files", kind="entra",
                      cache="file", env=env)
    alone = ClientApp(authority=issuer.base, client_id=one.client.id, bundle_id="com.contoso.alone", kind="entra",
                      cache="file", sharing="app", env=env)
    try:
        assert other.call("silent", scopes=[MAIL])["access_token"] == one.result["access_token"]
        assert "error" not in remembered(other.call("silent", scopes=[FILES]))
        assert alone.call("accounts")["accounts"] == []
        other.call("remove")
        assert one.app.call("accounts")["accounts"] == []
    finally:
        other.stop()
        alone.stop()


def test_a_family_shares_its_refresh_token_and_a_stranger_learns_that_it_is_none(signed_in, issuer, tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    shared = {"cache": "file", "group": "family", "env": env}
    one = signed_in(family="1", **shared)
    member, stranger = DemoClient(issuer), DemoClient(issuer)
    member.change(family="1", preconsent="*")
    apps = [ClientApp(authority=issuer.base, client_id=client.id, kind="entra", **shared)
            for client in (member, stranger)]
    try:
        result = remembered(apps[0].call("silent", scopes=[MAIL]))
        assert "error" not in result and result["access_token"] != one.result["access_token"]
        for _ in range(2):
            assert apps[1].call("silent", scopes=[MAIL])["error"]["code"] == "interaction_required"
        assert stranger.count("refresh_token") == 1
    finally:
        for app in apps:
            app.stop()


def test_signing_out_of_one_app_leaves_the_others(signed_in, issuer, tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    shared = {"cache": "file", "group": "both", "env": env}
    one = signed_in(**shared)
    other = SignedIn(issuer, **shared)
    try:
        one.app.call("sign_out")
        assert one.app.call("accounts")["accounts"] == []
        assert other.silent(MAIL)["access_token"] == other.result["access_token"]
    finally:
        other.app.stop()


def test_a_damaged_cache_is_told_and_set_aside_and_a_new_sign_in_works(signed_in, tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    one = signed_in(cache="file", env=env)
    [file] = tmp_path.rglob("*.sealed")
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    error = one.app.call("accounts")["error"]
    assert (error["code"], error["internal"]) == ("cache_failed", "cache_corrupt")
    assert one.app.call("accounts")["accounts"] == []
    assert [kept for kept in tmp_path.rglob("*set-aside*")]
    assert "error" not in one.sign_in()


# The desktop's keyring


def test_apps_share_the_keyring_and_lose_nothing_to_each_other(issuer, tmp_path):
    desktop = Desktop(tmp_path).start_bus().start_keyring()
    shared = {"cache": "automatic", "env": desktop.environment, "throttling": False}
    one = SignedIn(issuer, **shared)
    other = ClientApp(authority=issuer.base, client_id=one.client.id, kind="entra", **shared)
    try:
        assert not list(desktop.folder.rglob("*.sealed"))
        scopes = [f"api://api{number}/read" for number in range(12)]
        one.client.change(preconsent="*")
        calls = [(app, app.begin("silent", scopes=[scope]))
                 for app, half in ((one.app, scopes[::2]), (other, scopes[1::2])) for scope in half]
        tokens = [remembered(app.end(call))["access_token"] for app, call in calls]
        asked = one.refreshes
        for app in (one.app, other):
            found = [app.call("silent", scopes=[scope])["access_token"] for scope in scopes]
            assert sorted(found) == sorted(tokens)
        assert one.refreshes == asked
    finally:
        one.app.stop()
        other.stop()
        desktop.stop_keyring()
        desktop.stop_bus()


# Authorities


@pytest.mark.parametrize("settings, username", [
    ({"kind": "entra", "tenant": "organizations"}, True), ({"kind": "entra", "tenant": TENANT}, True),
    ({"kind": "entra", "tenant": "contoso.onmicrosoft.com"}, True), ({"kind": "entra", "tenant": "consumers"}, True),
    ({"kind": "b2c", "tenant": "contoso.onmicrosoft.com", "policy": "B2C_1_signin"}, True),
    ({"kind": "adfs"}, True), ({"kind": "oidc"}, True),
])
def test_every_kind_of_authority_signs_in_and_refreshes(signed_in, settings, username):
    one = signed_in(**settings)
    assert "error" not in one.result, one.result
    assert "error" not in one.silent(force=True)
    assert one.app.call("accounts")["accounts"][0]["username"]


def test_an_account_of_another_issuer_is_nobody_here(issuer, start_issuer, tmp_path):
    shared = {"cache": "file", "group": "clouds", "env": {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}}
    one = SignedIn(issuer, **shared)
    elsewhere = ClientApp(authority=start_issuer().base, client_id=one.client.id, kind="entra", **shared)
    try:
        assert elsewhere.call("accounts")["accounts"] == []
        assert elsewhere.call("silent", scopes=[MAIL])["error"]["code"] == "interaction_required"
        assert one.app.call("accounts")["accounts"]
    finally:
        one.app.stop()
        elsewhere.stop()


# Attacks that a hostile reader found


def test_two_issuers_on_one_host_are_two_issuers(issuer, tmp_path):
    """Their people may have the same subjects: neither gets the other's tokens."""
    shared = {"cache": "file", "env": {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}}
    one = SignedIn(issuer, kind="oidc", **shared)
    other = ClientApp(authority=f"{issuer.base}/adfs", client_id=one.client.id, kind="oidc", **shared)
    try:
        assert other.call("accounts")["accounts"] == []
        assert one.app.call("accounts")["accounts"]
    finally:
        one.app.stop()
        other.stop()


def test_a_token_without_a_scope_is_good_for_what_it_was_asked_for_only(signed_in):
    one = signed_in("missing_scope", kind="oidc")
    assert one.result["scopes"] == [MAIL]
    assert one.silent(FILES)["access_token"] != one.result["access_token"]


def test_a_tenant_by_name_is_not_answered_with_another_tenant_s_token(signed_in, issuer, tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    one = signed_in(cache="file", env=env)
    other = ClientApp(authority=issuer.base, client_id=one.client.id, kind="entra", tenant="fabrikam.onmicrosoft.com",
                      cache="file", env=env)
    try:
        result = other.call("silent", scopes=[MAIL])
        assert result.get("access_token") != one.result["access_token"]
    finally:
        other.stop()


def test_a_refresh_under_way_does_not_bring_a_removed_account_back(signed_in):
    one = signed_in()
    one.client.script(delay=1500)
    refresh = one.app.begin("silent", scopes=[MAIL], force=True)
    eventually(lambda: one.refreshes == 1, what="the refresh being under way")
    one.app.call("remove")
    error = one.app.end(refresh)["error"]
    assert error["code"] == "interaction_required"
    assert one.app.call("accounts")["accounts"] == []


def test_a_throttled_token_of_its_own_leaves_the_family_s(signed_in, issuer, tmp_path):
    shared = {"cache": "file", "group": "family", "env": {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}}
    own = signed_in(**shared)
    family = SignedIn(issuer, family="1", **shared)
    try:
        own.client.change(family="1", preconsent="*")
        own.client.script(error="invalid_grant")
        own.client.script(demo="no_refresh_token")
        assert "error" not in own.silent(force=True)
        assert own.refreshes == 2
        # Its own token is not asked for again so soon; the family's is.
        assert "error" not in own.silent(force=True)
        assert own.refreshes == 3
    finally:
        family.app.stop()


def test_twenty_processes_make_one_refresh_by_two_gateways_on_one_redis(run_folder, tmp_path):
    """The refresh token is good once, and the gateways have the client's secret."""
    redis, provider, apps = RedisServer(run_folder).start(), DeviatingProvider(expires_in=1), []
    store = f"redis://127.0.0.1:{redis.port}/0"
    first = SharingGateway(run_folder, "https://localhost:1", store)
    second = SharingGateway(run_folder, "https://localhost:1", store, public_port=first.callbacks_port)
    for gateway in (first, second):
        gateway.configuration["issuers"] = [provider.configuration("demo")]
        gateway.configuration["apps"] = [gateway.app(
            "bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post", release="none",
            default_scope="openid mail", begin_from={"networks": ["127.0.0.0/8"]})]
        gateway.start()
    shared = {"authority": provider.base, "ca": str(CA), "app": "com.contoso.bank", "client_id": CLIENT, "refresh": "gateway",
              "cache": "file", "env": {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}}
    try:
        apps += [ClientApp(gateway=f"https://localhost:{(first, second)[number % 2].api_port}", **shared) for number in range(20)]
        name, url = apps[0].begin_sign_in("mail")
        assert first.browse(provider.authorize(first.browse(url).header("Location"))).status == 303
        remembered(apps[0].end(name))
        provider.expires_in = 3600
        time.sleep(1.2)  # the first token has ended
        callers = [(app, app.begin("silent", scopes=["mail"])) for app in apps]
        assert len({remembered(app.end(caller))["access_token"] for app, caller in callers}) == 1
        sent = [one["form"]["grant_type"] for one in provider.asked("/token")]
        assert sent == ["authorization_code", "refresh_token"] and not provider.problems
    finally:
        for one in (*apps, first, second, provider):
            one.stop()
        redis.kill()
