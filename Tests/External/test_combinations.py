"""Every response mode with every release, for both completions, sealed and not, started and not: each keeps its promises
beside the others. Rule 8 does not depend on how a response comes."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.modes import Arrival, MODES, ModesGateway, answer_of, is_sent_away
from harness.vault import VAULT

RELEASES = {
    "code": {"release": "code"}, "network": {"release": "same_network"}, "none": {"release": "none"},
    "device": {"release": "same_device", "return_uri": "http://127.0.0.1/back"},
}
PORT = 40407
KEY = ECKey.generate_key("P-256")
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.fixture(scope="module")
def gateways(request, run_folder, issuer):
    """A gateway for each release, with an app for each mode."""
    made = {}

    def of(release):
        if release not in made:
            gateway = ModesGateway(run_folder, issuer.base)
            for app in gateway.configuration["apps"]:
                if "response_mode" in app:
                    app |= RELEASES[release]
            made[release] = gateway.start()
            request.addfinalizer(gateway.stop)
        return made[release]

    return of


class SignIn:
    """One sign-in with everything at once, in a browser that keeps its cookies."""

    def __init__(self, gateway, release, mode, completion, sealed, start):
        fields = {"return_port": PORT} if release == "device" else {}
        if completion == "response":
            fields |= {"completion": "response", "state": f"a-state-of-the-app-{release}-{mode}-{sealed}-{start}",
                       "nonce": "n" * 32, "code_challenge": CHALLENGE}
        if sealed:
            fields["result_key"] = KEY.as_dict(private=False)
        self.gateway, self.release, self.completion, self.sealed = gateway, release, completion, sealed
        self.arrival = Arrival(gateway, mode + ("start" if start else ""), **fields)
        self.pending = self.arrival.pending
        if start:
            self.arrival.start()
        self.fields = answer_of(self.arrival.url)

    def arrive(self, cookies=True):
        """Brings the response, follows our own redirects, and returns the done page (with its cookie)."""
        jar = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.arrival.cookies.items())}
        jar = jar if cookies and self.arrival.cookies else {}
        form = self.arrival.mode.startswith(("form_post", "fragment"))
        site = {"Sec-Fetch-Site": "cross-site" if "form_post" in self.arrival.mode else "same-origin"} if form else {}
        answer = self.arrival.deliver(self.fields, **site, **({} if "cross-site" in site.values() else jar))
        if answer.status == 303 and answer.header("Location").startswith("/start/"):
            pairs = [jar["Cookie"]] if jar else []
            pairs += [value.split(";")[0] for name, value in answer.headers if name.lower() == "set-cookie"]
            answer = self.gateway.browse(
                self.gateway.url(answer.header("Location")), headers={"Cookie": "; ".join(pairs)})
        return answer

    def page(self, came):
        fresh = [value.split(";")[0] for name, value in came.headers if name.lower() == "set-cookie"]
        done = next(value for value in fresh if value.startswith("__Host-sy-done-"))
        return self.gateway.browse(self.gateway.url(came.header("Location")), headers={"Cookie": done})

    def proof(self, page):
        """The proof that the person, or the browser, brings to the program."""
        if self.release == "code":
            code = re.search(r'id="release-code"[^>]*>([^<]+)<', page.text)[1]
            VAULT.remember("release code", code)
            return {"code": code}
        # A fragment comes by a form of ours, after which only a page can send the browser on.
        address = page.header("Location") or page.header("Refresh").partition("url=")[2]
        assert address.startswith(f"http://127.0.0.1:{PORT}/back?")
        ticket = parse_qs(urlsplit(address).query)["ticket"][0]
        VAULT.remember("ticket", ticket)
        return {"ticket": ticket}

    def outcome(self):
        reply = self.pending.poll(wait=30, seen="release_required")
        result = reply.json if reply.status == 200 else self.pending.outcome()
        if self.sealed:
            assert set(result) == {"status", "jwe"}
            result = json.loads(jwe.decrypt_compact(result["jwe"], KEY, algorithms=["ECDH-ES", "A256GCM"]).plaintext)
            VAULT.remember_all(result.get("token_response"))
        return result


@pytest.fixture(params=[False, True], ids=["plain", "sealed"])
def sealed(request):
    return request.param


@pytest.fixture(params=[False, True], ids=["", "start"])
def start(request):
    return request.param


@pytest.mark.rule(8)
@pytest.mark.parametrize("completion", ["tokens", "response"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("release", RELEASES)
def test_all_together(gateways, issuer, release, mode, completion, sealed, start):
    one = SignIn(gateways(release), release, mode, completion, sealed, start)
    if start:
        assert is_sent_away(one.arrive(cookies=False), one.pending) and one.pending.is_untouched()
        one.fields = answer_of(one.arrival.url)
    came = one.arrive()
    assert (came.status, came.header("Location")) == (303, f"/done/{one.pending.reference}")
    if release in ("code", "device"):
        assert one.pending.poll().json == {"status": "release_required"}
        wrong = one.pending.api.call(
            "POST", f"{one.pending.path}/release", {"code": "BCDFGH"}, token=one.pending.token)
        assert wrong.status == 403
        if "jwt" not in mode:
            assert issuer.times_redeemed(dict(one.fields)["code"]) == 0
        proof = one.proof(one.page(came))
        assert one.pending.api.call(
            "POST", f"{one.pending.path}/release", proof, token=one.pending.token).status == 204
    result = one.outcome()
    assert result["status"] == "completed"
    if completion == "tokens":
        assert result["token_response"]["access_token"] and result["id_token_claims"]["nonce"]
    else:
        assert result["parameters"] == dict(one.fields)
        assert result["url"].split("?")[0] == one.arrival.target
        assert ("?" in result["url"]) == (mode == "query")
    # The same again in the same browser leads to the same page.
    assert one.arrive().header("Location") == came.header("Location")
    assert one.pending.delete().status == 204


@pytest.mark.rule(8)
@pytest.mark.parametrize("mode", MODES)
def test_a_real_browser_brings_the_ticket_in_every_mode(gateways, start_browser, mode):
    asked = []

    class Program(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers.get("Referer")))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"Back in the program.")

        def log_message(self, *_):
            pass

    # A thread each: a browser opens connections in advance that it may never use.
    with ThreadingHTTPServer(("127.0.0.1", 0), Program) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        pending = gateways("device").api().begin(
            f"com.contoso.{mode}start", scope="openid", return_port=server.server_port)
        browser = start_browser()
        browser.open(pending.start_url)
        browser.wait_for(lambda: "Back in the program." in browser.text, "the program's page")
        server.shutdown()
    path, referer = next(entry for entry in asked if entry[0].startswith("/back"))
    ticket = parse_qs(urlsplit(path).query)["ticket"][0]
    VAULT.remember("ticket", ticket)
    assert referer is None and not re.search(r"[?&#](code|state|response)=", path)
    assert pending.api.call(
        "POST", f"{pending.path}/release", {"ticket": ticket}, token=pending.token).status == 204
    outcome = pending.outcome()
    assert outcome["status"] == "completed", outcome
