"""Rule 8: cross-user session fixation. An attacker begins a sign-in, a victim's browser completes it; with each release
policy, the attacker's program never gets the victim's tokens, and the person who began gets theirs."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.api import Pending
from harness.gateway import Gateway
from harness.issuer import authorize, fetch
from harness.vault import VAULT

CODE, NETWORK, DEVICE, NONE = "com.contoso.code", "com.contoso.network", "com.contoso.device", "com.contoso.open"
PROTECTED = [CODE, NETWORK, DEVICE]
FORWARDED = {"X-Forwarded-For": "198.51.100.7"}


@pytest.fixture(scope="module")
def guarded(request, run_folder, issuer):
    """A gateway with an app of each policy, behind a proxy at 127.0.0.9."""
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["trusted_proxies"] = ["127.0.0.9"]
    gateway.configuration["apps"] += [
        gateway.app("code", "Coded", client_id="code", release="code"),
        gateway.app("network", "Networked", client_id="network", release="same_network"),
        gateway.app(
            "device", "Devised", client_id="device", release="same_device", return_uri="http://127.0.0.1/back"),
        gateway.app("open", "Opened", client_id="open", release="none"),
    ]
    gateway.start()
    request.addfinalizer(gateway.stop)
    return gateway


def begin(gateway, app, source=None, headers=None):
    fields = {"return_port": 40404} if app == DEVICE else {}
    reply = gateway.api(source=source).begin_reply(
        app, headers=headers, scope="openid", extra_parameters={"demo": "auto"}, **fields)
    assert reply.status == 201, reply.body
    return Pending(gateway.api(source=source), reply.json)


class Visit:
    """The browser of the person who signs in."""

    def __init__(self, gateway, pending):
        self._gateway = gateway
        self.callback = authorize(pending.authorization_url)
        answer = gateway.browse(self.callback)
        assert answer.status == 303, answer.text
        self.cookie = answer.header("Set-Cookie").split(";")[0]
        self.address = gateway.url(answer.header("Location"))

    def page(self, **options):
        return self._gateway.browse(self.address, headers={"Cookie": self.cookie}, **options)

    @property
    def code(self):
        shown = re.search(r'id="release-code"[^>]*>([^<]+)<', self.page().text)
        return shown and shown[1]


def outcome(pending):
    """The program's result; a released sign-in reads as pending until it is redeemed."""
    reply = pending.poll(wait=10, seen="release_required")
    return reply.json if reply.status == 200 else pending.outcome()


def release(pending, **proof):
    return pending.api.call("POST", f"{pending.path}/release", proof, token=pending.token)


@pytest.mark.rule(8)
@pytest.mark.parametrize("app", PROTECTED)
def test_an_attacker_who_began_gets_nothing_of_the_victims_sign_in(guarded, issuer, app):
    # From elsewhere, so that no policy takes the two for one.
    attacker = begin(guarded, app, source="127.0.0.9", headers=FORWARDED)
    victim = Visit(guarded, attacker)
    waiting = attacker.poll()
    assert (waiting.status, waiting.json) == (202, {"status": "release_required"})
    for left in (2, 1, 0):
        wrong = release(attacker, code="BCDFGH")
        assert (wrong.status, wrong.json["error"], wrong.json["attempts_left"]) == (403, "invalid_code", left)
    assert attacker.failure()["code"] == "release_failed"
    assert release(attacker, code="BCDFGH").status == 409
    assert "not signed in" in victim.page().text
    assert issuer.times_redeemed(parse_qs(urlsplit(victim.callback).query)["code"][0]) == 0, "it was only held"


@pytest.mark.rule(8)
def test_the_person_who_began_types_the_code_and_is_signed_in(guarded):
    pending = begin(guarded, CODE)
    visit = Visit(guarded, pending)
    assert "Coded" in visit.page().text
    code = visit.code
    typed = f" {code.lower().replace('-', ' ')} "
    assert release(pending, code=typed).status == 204
    result = outcome(pending)
    assert result["status"] == "completed" and result["token_response"]["access_token"]
    assert release(pending, code=code).status == 409, "a code is good once"
    assert "You are signed in" in visit.page().text


@pytest.mark.rule(8)
def test_nobody_but_the_browser_that_came_sees_the_code(guarded):
    pending = begin(guarded, CODE)
    visit = Visit(guarded, pending)
    shown = visit.code
    VAULT.remember("release code", shown)
    for headers in ({}, {"Cookie": visit.cookie[:-4] + "AAAA"}):
        page = guarded.browse(visit.address, headers=headers).text
        assert shown not in page and "Coded" not in page
    # Another browser that brings the very same callback is no better off.
    again = guarded.browse(visit.callback)
    assert again.status == 303 and again.header("Set-Cookie") is None
    assert release(pending, code=shown).status == 204


@pytest.mark.rule(8)
def test_it_was_not_me_ends_the_sign_in(guarded):
    attacker = begin(guarded, CODE)
    visit = Visit(guarded, attacker)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    # Without the cookie the answer has no effect: another site cannot make a browser send it with a POST.
    said = guarded.browse(visit.address, method="POST", body=b"answer=not_me", headers=form)
    assert said.status == 403 and attacker.poll().json == {"status": "release_required"}
    said = visit_post(guarded, visit, form)
    assert said.status == 303 and "not signed in" in visit.page().text
    assert attacker.failure()["code"] == "release_failed"


def visit_post(gateway, visit, form):
    return gateway.browse(visit.address, method="POST", body=b"answer=not_me", headers=form | {"Cookie": visit.cookie})


@pytest.mark.rule(8)
def test_same_network_passes_at_once_where_begin_and_callback_are_one_place(guarded):
    pending = begin(guarded, NETWORK)
    Visit(guarded, pending)
    assert pending.outcome()["status"] == "completed"
    elsewhere = guarded.api(source="127.0.0.9").call("GET", pending.path, token=pending.token, headers=FORWARDED)
    assert elsewhere.status == 403, "every collect comes from there too"


@pytest.mark.rule(8)
@pytest.mark.rule(12)
@pytest.mark.parametrize("field", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_who_brings_a_forwarding_header_never_passes_as_same_network(guarded, field):
    pending = begin(guarded, NETWORK, headers={field: "127.0.0.1"})
    visit = Visit(guarded, pending)
    assert pending.poll().json == {"status": "release_required"}
    assert release(pending, code=visit.code).status == 204
    assert outcome(pending)["status"] == "completed"


@pytest.mark.rule(8)
def test_who_waits_elsewhere_makes_same_network_ask_for_the_code(guarded):
    pending = begin(guarded, NETWORK)
    guarded.api(source="127.0.0.9").call("GET", pending.path, token=pending.token, headers=FORWARDED)
    visit = Visit(guarded, pending)
    assert pending.poll().json == {"status": "release_required"}
    assert release(pending, code=visit.code).status == 204


@pytest.mark.rule(8)
def test_same_device_sends_the_browser_on_with_a_ticket(guarded):
    pending = begin(guarded, DEVICE)
    visit = Visit(guarded, pending)
    sent = visit.page()
    assert sent.status == 303
    where, _, query = sent.header("Location").partition("?")
    assert where == "http://127.0.0.1:40404/back"
    ticket = re.search(r"ticket=([\w-]+)", query)[1]
    VAULT.remember("ticket", ticket)
    assert guarded.browse(visit.address).header("Location") is None, "for the browser that came only"
    assert release(pending, code=ticket).status == 403 and release(pending, ticket=ticket).status == 204
    assert outcome(pending)["status"] == "completed"
    assert release(pending, ticket=ticket).status == 409


@pytest.mark.rule(8)
def test_a_browser_elsewhere_is_shown_who_asks_before_the_issuer(guarded):
    attacker = begin(guarded, CODE, source="127.0.0.9", headers=FORWARDED)
    page = guarded.browse(attacker.start_url)
    assert page.status == 200 and "198.51.100.7" in page.text and "Coded" in page.text
    link = re.search(r'href="(/start/[^"]+)"', page.text)[1].replace("&amp;", "&")
    cookie = page.header("Set-Cookie").split(";")[0]
    # The link is good in the browser that was shown the page, and in no other.
    assert guarded.browse(guarded.url(link)).status == 200
    assert guarded.browse(guarded.url(link), headers={"Cookie": cookie}).status == 303
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    ended = guarded.browse(attacker.start_url, method="POST", body=b"answer=not_me", headers=form)
    assert ended.status == 200 and attacker.failure()["code"] == "release_failed"


@pytest.mark.rule(8)
def test_none_protects_nobody(guarded):
    attacker = begin(guarded, NONE, source="127.0.0.9", headers=FORWARDED)
    Visit(guarded, attacker)
    assert attacker.outcome()["status"] == "completed", "which is why check warns of it"


@pytest.mark.rule(8)
def test_a_code_that_is_held_for_too_long_fails_the_release(start_gateway):
    def change(gateway):
        gateway.configuration["apps"].append(gateway.app("code", "Coded", client_id="code", release="code"))

    gateway = start_gateway(change=change, limits={"release_lifetime": "1s"})
    pending = begin(gateway, CODE)
    visit = Visit(gateway, pending)
    code = visit.code
    assert outcome(pending)["error"]["code"] == "release_failed"
    assert release(pending, code=code).status == 409
    assert "not signed in" in visit.page().text


@pytest.mark.rule(8)
def test_a_code_that_the_issuer_no_longer_takes_fails_the_release_and_says_why(guarded, issuer):
    pending = begin(guarded, CODE)
    visit = Visit(guarded, pending)
    # Somebody has spent it meanwhile, as its age would have.
    code = parse_qs(urlsplit(visit.callback).query)["code"][0]
    fetch(f"{issuer.base}/token", form={
        "grant_type": "authorization_code", "code": code, "client_id": "code", "code_verifier": "v" * 43,
        "redirect_uri": pending.redirect_uri})
    assert release(pending, code=visit.code).status == 204
    error = outcome(pending)["error"]
    assert (error["code"], error["oauth_error"]) == ("release_failed", "invalid_grant")
    assert "no longer takes" in error["description"]


@pytest.mark.rule(8)
def test_a_refusal_holds_nothing_and_is_told_at_once(guarded):
    reply = guarded.api().begin_reply(CODE, scope="openid", extra_parameters={"demo": "deny"})
    pending = Pending(guarded.api(), reply.json)
    assert guarded.browse(authorize(pending.authorization_url)).status == 303
    assert pending.failure()["code"] == "access_denied"


@pytest.mark.rule(8)
def test_a_callback_for_an_app_that_redeems_by_itself_is_held_too(guarded):
    pending = guarded.api().begin(
        CODE, completion="response", state="a-state-of-the-app-itself-held", scope="profile",
        code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    visit = Visit(guarded, pending)
    assert pending.poll().json == {"status": "release_required"}
    events = pending.events()
    assert next(events) == ("status", {"status": "release_required"})
    assert release(pending, code=visit.code).status == 204
    assert outcome(pending)["url"] == visit.callback
