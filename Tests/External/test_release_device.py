"""Rule 8 with `release: same_device`: the browser goes on to the app's own place, with a ticket for the app."""

import re
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.held import CODE, DEVICE, NETWORK, PORT, SCHEME, HoldingGateway, Place, Visit, begin
from harness.held import is_held, outcome, release, via
from harness.vault import VAULT

BACK = {DEVICE: f"http://127.0.0.1:{PORT}/back", SCHEME: "msauth.com.contoso.scheme://back"}


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def finish_properly(visit, issuer):
    """Presents the ticket of the very same request; its code is redeemed now, once."""
    assert is_held(visit.pending) and issuer.times_redeemed(visit.authorization_code) == 0
    assert release(visit.pending, ticket=visit.ticket).status == 204
    assert outcome(visit.pending)["status"] == "completed"
    return issuer.times_redeemed(visit.authorization_code) == 1


@pytest.mark.rule(1)
@pytest.mark.rule(8)
@pytest.mark.parametrize("app", BACK)
def test_the_browser_is_sent_to_the_registered_place_with_a_ticket_and_nothing_else(holding, issuer, app):
    visit = Visit(holding, begin(holding, app, host_label="dev-vm.17"))
    sent = visit.page()
    where, _, query = sent.header("Location").partition("?")
    assert (sent.status, where) == (303, BACK[app]) and parse_qs(query)["ticket"]
    for secret in (visit.authorization_code, visit.pending.state, visit.pending.token, visit.pending.id):
        assert secret not in sent.header("Location")
    assert sent.header("Cache-Control") == "no-store" and sent.header("Referrer-Policy") == "no-referrer"
    assert finish_properly(visit, issuer)


@pytest.mark.rule(1)
def test_the_callback_cannot_choose_the_place(holding, issuer):
    pending = begin(holding, DEVICE)
    pending.authorization_url += "&return_uri=http://evil.example/"
    visit = Visit(holding, pending)
    spoiled = holding.browse(visit.address + "?return_uri=https://evil.example/&return_port=1&ticket=x",
                             headers={"Cookie": visit.cookie})
    assert "evil.example" not in (spoiled.header("Location") or "")
    assert visit.page().header("Location").startswith(BACK[DEVICE] + "?")
    assert finish_properly(visit, issuer)


@pytest.mark.rule(10)
@pytest.mark.parametrize("port", ["missing", 0, -1, 65536, "80", 80.5, True, [80], None])
def test_a_loopback_return_needs_a_port(holding, issuer, port):
    body = {"app": DEVICE, "scope": "openid", "extra_parameters": {"demo": "auto"}}
    if port != "missing":
        body["return_port"] = port
    reply = holding.api().call("POST", "/v1/requests", body)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")
    assert finish_properly(Visit(holding, begin(holding, DEVICE)), issuer)


@pytest.mark.rule(8)
def test_a_return_to_a_scheme_needs_no_port(holding, issuer):
    assert finish_properly(Visit(holding, begin(holding, SCHEME)), issuer)


@pytest.mark.rule(8)
@pytest.mark.parametrize("wrong", [
    lambda ticket: ticket[:-1], lambda ticket: ticket + "A", lambda ticket: ticket.swapcase(), lambda ticket: "A" * 22,
], ids=["short", "long", "other case", "invented"])
def test_a_wrong_ticket_is_refused_and_counted(holding, issuer, wrong):
    visit = Visit(holding, begin(holding, DEVICE))
    reply = release(visit.pending, ticket=wrong(visit.ticket))
    assert (reply.status, reply.json["error"], reply.json["attempts_left"]) == (403, "invalid_code", 2)
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
@pytest.mark.parametrize("app", BACK)
def test_the_third_wrong_ticket_ends_the_request(holding, issuer, app):
    visit = Visit(holding, begin(holding, app))
    ticket = visit.ticket
    assert [release(visit.pending, ticket="A" * 22).json["attempts_left"] for _ in range(3)] == [2, 1, 0]
    assert release(visit.pending, ticket=ticket).status == 409
    assert visit.pending.failure()["code"] == "release_failed"
    assert issuer.times_redeemed(visit.authorization_code) == 0
    page = visit.page()
    assert page.status == 200 and "not signed in" in page.text, "it is not sent on any more"


@pytest.mark.rule(8)
@pytest.mark.parametrize("others", [DEVICE, SCHEME])
def test_a_ticket_is_for_its_own_request(holding, issuer, others):
    one, other = Visit(holding, begin(holding, DEVICE)), Visit(holding, begin(holding, others))
    assert release(one.pending, ticket=other.ticket).status == 403
    assert release(one.pending, token=other.pending.token, ticket=one.ticket).status == 404
    assert finish_properly(one, issuer) and finish_properly(other, issuer)


@pytest.mark.rule(8)
@pytest.mark.parametrize("app", [CODE, NETWORK])
def test_a_ticket_releases_nothing_where_a_code_is_asked_for(holding, app):
    elsewhere = Place(holding, **via("198.51.100.7"))
    visit = Visit(holding, begin(holding, app, api=elsewhere))
    assert release(visit.pending, ticket=visit.code).status in (400, 403)
    assert is_held(visit.pending)
    assert release(visit.pending, code=visit.code).status == 204


@pytest.mark.rule(6)
def test_a_ticket_is_good_once(holding, issuer):
    visit = Visit(holding, begin(holding, DEVICE))
    ticket = visit.ticket
    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(lambda _: release(visit.pending, ticket=ticket).status, range(12)))
    assert statuses.count(204) == 1 and set(statuses) == {204, 409}
    assert outcome(visit.pending)["status"] == "completed"
    assert issuer.times_redeemed(visit.authorization_code) == 1


@pytest.mark.rule(6)
def test_the_same_callback_again_goes_the_same_way(holding, issuer):
    visit = Visit(holding, begin(holding, DEVICE))
    ticket = visit.ticket
    again = holding.browse(visit.callback, headers={"Cookie": visit.cookie})
    assert (again.status, again.header("Location")) == (303, visit.answer.header("Location"))
    assert visit.ticket == ticket and finish_properly(visit, issuer)
    after = visit.page()
    assert after.status == 200 and "You are signed in" in after.text


@pytest.mark.rule(8)
def test_another_browser_is_sent_nowhere(holding, issuer):
    visit = Visit(holding, begin(holding, DEVICE))
    other = Visit(holding, begin(holding, DEVICE))
    for headers in ({}, {"Cookie": other.cookie}, {"Cookie": visit.cookie[:-1]}):
        for answer in (holding.browse(visit.address, headers=headers),
                       holding.browse(visit.callback, headers=headers)):
            assert "ticket" not in (answer.header("Location") or "") and "Devised Mail" not in answer.text
    assert finish_properly(visit, issuer)


@pytest.mark.rule(8)
def test_a_real_browser_brings_the_ticket_to_the_program(holding, start_browser):
    asked = []

    class Program(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers.get("Referer")))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"Back in the program.")

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Program) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = start_browser()
        pending = begin(holding, DEVICE, return_port=server.server_port)
        browser.open(pending.start_url)
        browser.wait_for(lambda: "Back in the program." in browser.text, "the program's page")
        server.shutdown()
    path, referer = next(entry for entry in asked if entry[0].startswith("/back"))
    ticket = parse_qs(urlsplit(path).query)["ticket"][0]
    VAULT.remember("ticket", ticket)
    assert referer is None and not re.search(r"[?&](code|state)=", path)
    assert release(pending, ticket=ticket).status == 204 and outcome(pending)["status"] == "completed"
