"""The handler `loopback`: the browser takes the callback to the app on its own machine, and no other party gets it."""

import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.browser import ALLOW
from harness.gateway import Gateway
from harness.handlers import cookie_of, events, heading
from harness.issuer import authorize, fetch
from harness.loopback import LocalApp
from harness.modes import FORM, answer_of
from harness.programs import eventually
from harness.vault import VAULT

HANDED_OVER = {"status": "completed", "handed_over": "loopback"}
CONTINUE = "Continue in your app"


def local_app(gateway, name, **keys):
    app = gateway.app(name, f"Contoso {name.title()}", client_id=name, handler="loopback", **keys)
    del app["release"]
    return app


@pytest.fixture(scope="module")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"] += [
        local_app(program, "local", more_uris=["x-contoso-local://auth"]), local_app(program, "form", response_mode="form_post"),
        local_app(program, "fragment", response_mode="fragment"), local_app(program, "jwt", response_mode="query.jwt"),
        local_app(program, "bound", require_start=True)]
    yield program.start()
    program.stop()


@pytest.fixture(scope="module")
def app():
    app = LocalApp()
    yield app
    app.close()


class SignIn:
    """A request of the app's, and what the issuer made of it."""

    def __init__(self, gateway, app, name="local", demo="auto"):
        self.gateway, self.app, self.name = gateway, app, name
        self.pending = app.begin(gateway, name, demo=demo)
        self.callback = authorize(self.pending.authorization_url)

    @property
    def query(self):
        return urlsplit(self.callback).query

    @property
    def code(self):
        return parse_qs(self.query)["code"][0]

    def bring(self, callback=None, **headers):
        return self.gateway.browse(callback or self.callback, headers=headers)

    @property
    def there(self):
        """The address that the browser takes the callback to."""
        return f"http://127.0.0.1:{self.app.port}/{self.name}/auth?{self.query}"

    def finishes_properly(self):
        """The very same callback is good."""
        answer = self.bring()
        return (answer.status, answer.header("Location")) == (303, self.there)


def test_the_app_on_the_browsers_machine_gets_the_callback_byte_for_byte_and_redeems(gateway, issuer, app):
    one = SignIn(gateway, app)
    one.callback += "&x=%41+'%2F"
    answer = one.bring()
    assert (answer.status, answer.header("Location")) == (303, one.there)
    assert answer.header("Referrer-Policy") == "no-referrer" and "no-store" in answer.header("Cache-Control")
    assert heading(answer.text) == CONTINUE and VAULT.found_in(answer.body) == set()
    assert fetch(answer.header("Location"))[0] == 200
    assert app.targets[-1] == f"/local/auth?{one.query}"
    status, tokens = app.redeem(issuer, one.code, one.pending.redirect_uri, "local")
    assert status == 200 and tokens["access_token"]


@pytest.mark.rule(8)
def test_the_program_that_began_is_told_only_that_it_was_handed_over(gateway, app):
    one = SignIn(gateway, app)
    assert one.pending.is_untouched()
    one.bring()
    assert one.pending.outcome() == HANDED_OVER
    assert list(one.pending.events()) == [("status", HANDED_OVER)]
    release = one.pending.api.call("POST", f"{one.pending.path}/release", {"code": "BCDF-GHJK"}, token=one.pending.token)
    assert release.status == 409
    assert one.pending.delete().status == 204 and one.pending.poll().status == 404


@pytest.mark.rule(8)
def test_a_refusal_of_the_issuer_goes_to_the_app_too_and_not_to_who_began(gateway, app):
    one = SignIn(gateway, app, demo="auto,deny")
    answer = one.bring()
    assert answer.header("Location") == one.there and "error=access_denied" in one.there
    assert one.pending.outcome() == HANDED_OVER


@pytest.mark.rule(6)
def test_it_is_handed_over_once_and_its_browser_gets_a_page_after_that(gateway, app):
    one = SignIn(gateway, app)
    first = one.bring()
    again = one.bring(Cookie=cookie_of(first))
    assert (again.status, again.header("Location")) == (303, f"/done/{one.pending.reference}")
    page = gateway.browse(gateway.url(again.header("Location")), headers={"Cookie": cookie_of(first)})
    assert heading(page.text) == CONTINUE and "Contoso Local" in page.text and VAULT.found_in(page.body) == set()
    stranger = gateway.browse(gateway.url(again.header("Location")))
    assert "Contoso" not in stranger.text
    other = one.bring(one.callback.replace(one.code, secrets.token_urlsafe(24)))
    assert other.status == 409 and "127.0.0.1" not in (other.header("Location") or "")


@pytest.mark.rule(3)
@pytest.mark.rule(10)
@pytest.mark.parametrize("spoil", [
    lambda one: one.callback.replace(one.pending.state, secrets.token_urlsafe(24)),
    lambda one: one.callback + "&code=another", lambda one: one.callback + "&iss=https%3A%2F%2Fevil.example",
    lambda one: one.callback.replace("iss=", "iss=https%3A%2F%2Fevil.example%2F"),
    lambda one: one.callback.replace("/local/", "/app1/"), lambda one: one.callback.replace("code=", "kode="),
], ids=["state", "code twice", "iss twice", "another issuer", "another app's address", "no code"])
def test_a_callback_that_is_not_the_requests_goes_nowhere(gateway, app, spoil):
    one = SignIn(gateway, app)
    answer = one.bring(spoil(one))
    assert answer.status == 400 and answer.header("Location") is None
    assert one.pending.is_untouched() and one.finishes_properly()


@pytest.mark.rule(1)
def test_a_callback_cannot_choose_the_place(gateway, app):
    one = SignIn(gateway, app)
    one.callback += "&return_port=1&redirect_uri=https%3A%2F%2Fevil.example&@evil.example/"
    assert one.bring().header("Location").startswith(f"http://127.0.0.1:{app.port}/local/auth?")


@pytest.mark.rule(6)
@pytest.mark.parametrize("headers", [
    {"Sec-Purpose": "prefetch"}, {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}], ids=["prefetch", "frame", "picture"])
def test_a_callback_without_a_navigation_is_not_sent_on(gateway, app, headers):
    one = SignIn(gateway, app)
    assert one.bring(**headers).status == 503
    assert one.pending.is_untouched() and one.finishes_properly()


def test_a_form_goes_on_as_a_query(gateway, app):
    pending = app.begin(gateway, "form")
    content = urlencode(answer_of(pending.authorization_url))
    answer = gateway.browse(gateway.url("/form/auth"), method="POST", body=content.encode(), headers=FORM)
    assert (answer.status, answer.header("Location")) == (303, f"http://127.0.0.1:{app.port}/form/auth?{content}")
    assert pending.outcome() == HANDED_OVER


def test_the_page_of_a_fragment_sends_the_browser_on(gateway, app):
    """The answer to a form of ours redirects no further than our own policy lets forms go."""
    pending = app.begin(gateway, "fragment")
    content = urlencode(answer_of(pending.authorization_url))
    answer = gateway.browse(gateway.url("/fragment/auth"), method="POST", body=content.encode(), headers=FORM)
    assert answer.header("Refresh") == f"0; url=http://127.0.0.1:{app.port}/fragment/auth?{content}"
    assert answer.status == 200 and heading(answer.text) == CONTINUE and VAULT.found_in(answer.body) == set()


def test_a_signed_response_goes_on_as_it_is_once_it_is_verified(gateway, app):
    pending = app.begin(gateway, "jwt")
    content = urlencode(answer_of(pending.authorization_url))
    spoiled = gateway.browse(gateway.url(f"/jwt/auth?{content[:-6]}AAAAAA"))
    assert spoiled.status == 400 and pending.is_untouched()
    answer = gateway.browse(gateway.url(f"/jwt/auth?{content}"))
    assert answer.header("Location") == f"http://127.0.0.1:{app.port}/jwt/auth?{content}"


@pytest.mark.rule(8)
def test_with_require_start_another_browser_is_sent_nowhere(gateway, app):
    pending = app.begin(gateway, "bound")
    started = gateway.browse(pending.start_url)
    callback = authorize(started.header("Location"))
    stranger = gateway.browse(callback)
    assert stranger.header("Location") == f"/done/{pending.reference}/another-browser"
    pending = app.begin(gateway, "bound")
    started = gateway.browse(pending.start_url)
    callback = authorize(started.header("Location"))
    answer = gateway.browse(callback, headers={"Cookie": cookie_of(started)})
    assert answer.header("Location") == f"http://127.0.0.1:{app.port}/bound/auth?{urlsplit(callback).query}"


@pytest.mark.rule(10)
@pytest.mark.parametrize("change, words", [
    ({"completion": "tokens", "state": None, "code_challenge": None, "nonce": None}, 'has to be "response"'),
    ({"return_port": None}, '"return_port" is missing'), ({"return_port": 80}, "from 1024 to 65535"),
    ({"return_port": 65536}, "from 1024 to 65535"), ({"return_port": "40000"}, "from 1024 to 65535"),
    ({"result_key": {"kty": "EC"}}, '"result_key" is of no use'),
    ({"redirect_uri": "x-contoso-local://auth"}, "has to be one of the app's https ones"),
], ids=["tokens", "no port", "system port", "no such port", "text", "result key", "custom scheme"])
def test_a_request_that_cannot_be_for_loopback_is_refused_and_says_what_to_do(gateway, change, words):
    fields = {"completion": "response", "scope": "profile", "return_port": 40000, "state": secrets.token_urlsafe(24)} | change
    reply = gateway.api().begin_reply("com.contoso.local", **{name: value for name, value in fields.items() if value is not None})
    assert (reply.status, reply.json["error"]) == (400, "invalid_request") and words in reply.json["error_description"]


def test_a_program_cannot_bring_a_callback_that_only_a_browser_can_take_further(gateway, app):
    one = SignIn(gateway, app)
    reply = gateway.local_api().relay(f"x-contoso-local://auth?{one.query}")
    assert (reply.status, reply.json["reason"]) == (404, "no_pending_request")
    assert one.pending.is_untouched() and one.finishes_properly()


def test_an_operator_can_follow_and_count_it_and_sees_no_secret(gateway, app):
    one = SignIn(gateway, app)
    one.bring()
    line = eventually(lambda: events(gateway, "passed_on", one.pending.reference))[0]
    assert "handler=loopback" in line and "level=info" in line
    metrics = gateway.admin("/metrics").body.decode()
    assert 'switchyard_handler_deliveries_total{app="com.contoso.local",handler="loopback",result="ok"}' in metrics
    assert 'switchyard_handler_deliveries_total{app="com.contoso.local",handler="pending"' not in metrics
    path = f"/v1/sign-ins/{one.pending.reference}"
    history = eventually(lambda: gateway.admin(path).status == 200 and gateway.admin(path).json)
    assert [event["event"] for event in history["events"]] == ["begun", "accepted", "passed_on"]
    assert history["status"] == "completed" and VAULT.found_in(gateway.output().encode()) == set()


def test_a_real_browser_ends_up_at_the_app(gateway, issuer, app, start_browser):
    browser = start_browser()
    pending = app.begin(gateway, "local", demo=None)
    browser.open(pending.start_url)
    browser.press(ALLOW)
    browser.wait_for(lambda: browser.address.startswith(f"http://127.0.0.1:{app.port}/local/auth?"), "the app's address")
    VAULT.remember_url(browser.address)
    code = parse_qs(urlsplit(browser.address).query)["code"][0]
    assert app.redeem(issuer, code, pending.redirect_uri, "local")[0] == 200
    assert pending.outcome() == HANDED_OVER
