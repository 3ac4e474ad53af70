"""Pushed authorization requests (RFC 9126): the issuer gets the request before the browser comes."""

import os
from urllib.parse import parse_qsl, urlsplit

import pytest

from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.handlers import events
from harness.programs import eventually
from harness.strict import StrictProvider

DENIED = {"error": "invalid_scope", "error_description": "AADSTS70011: the scope mail is not for alice@contoso.com"}


class World:
    """Two gateways at one provider: one with pages, and one that browsers cannot reach, so that it pushes at begin."""

    def __init__(self, folder):
        self.provider = StrictProvider()
        self.quiet, self.third = StrictProvider(par="offered"), StrictProvider()
        self.gateway = self._gateway(folder)
        # No listener serves callbacks there, so a custom scheme brings them.
        self.pageless = self._gateway(folder, redirect_uri="com.contoso.pushed://auth")
        for listener in self.pageless.configuration["listen"]:
            listener["serve"] = [one for one in listener["serve"] if one != "callbacks"]
        self.pageless.configuration["listen"] = [one for one in self.pageless.configuration["listen"] if one["serve"]]
        self.gateway.start()
        self.pageless.start()

    def _gateway(self, folder, redirect_uri=None):
        gateway = Gateway(folder, self.provider.base, log={"level": "debug"})
        gateway.configuration["issuers"] = [
            {"name": "strict", "issuer": self.provider.base}, {"name": "quiet", "issuer": self.quiet.base},
            {"name": "third", "issuer": self.third.base},
            {"name": "configured", "issuer": self.quiet.base, "authorization_endpoint": f"{self.quiet.base}/authorize",
             "token_endpoint": f"{self.quiet.base}/token", "jwks_uri": f"{self.quiet.base}/keys",
             "pushed_authorization_request_endpoint": f"{self.quiet.base}/par"}]
        gateway.configuration["apps"] = [
            gateway.app(name, name, issuer=issuer, client_id=CLIENT, client_secret=SECRET,
                        begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}, default_scope="openid mail",
                        **({"redirect_uris": [redirect_uri + name]} if redirect_uri else {}), **keys)
            for name, issuer, keys in [
                ("auto", "strict", {}), ("off", "quiet", {"par": "off"}), ("idle", "quiet", {}),
                ("required", "quiet", {"par": "required"}), ("configured", "configured", {"par": "required"}),
                ("coded", "third", {"release": "code"})]]
        return gateway

    def begin(self, app, gateway=None, **fields):
        return (gateway or self.gateway).api().begin(f"com.contoso.{app}", demo=None, **fields)

    def open(self, pending):
        """The address that the start page sends a browser to."""
        answer = self.gateway.browse(pending.start_url)
        assert answer.status == 303, answer.text
        return answer.header("Location")

    def bring(self, pending, address):
        answer = self.gateway.browse(address)
        assert answer.status == 303, answer.text
        return pending.outcome()

    def stop(self):
        self.gateway.stop()
        self.pageless.stop()
        self.provider.stop()
        self.quiet.stop()
        self.third.stop()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("pushed"))
    yield world
    world.stop()


@pytest.fixture(autouse=True)
def fresh(world):
    world.provider.reset()
    world.quiet.reset()
    world.third.reset()


@pytest.mark.parametrize("app, provider", [("auto", "provider"), ("required", "quiet"), ("configured", "quiet")])
def test_a_browser_that_opens_the_start_page_goes_on_with_a_reference_only(world, app, provider):
    issuer = getattr(world, provider)
    pending = world.begin(app)
    assert pending.authorization_url == pending.start_url
    assert issuer.asked("/par") == [], "nothing is pushed before a browser comes"
    address = world.open(pending)
    assert [name for name, _ in parse_qsl(urlsplit(address).query)] == ["client_id", "request_uri"]
    assert issuer.problems == []
    outcome = world.bring(pending, issuer.authorize(address))
    assert outcome["status"] == "completed" and outcome["id_token_claims"]["sub"] == "alice"
    assert issuer.opened[0]["state"] == pending.state


@pytest.mark.parametrize("app", ["off", "idle"])
def test_without_a_need_nothing_is_pushed(world, app):
    pending = world.begin(app)
    assert "code_challenge" in dict(parse_qsl(urlsplit(pending.authorization_url).query))
    assert "code_challenge" in dict(parse_qsl(urlsplit(world.open(pending)).query))
    assert world.quiet.asked("/par") == []


def test_each_navigation_pushes_anew_at_most_five_times(world):
    pending = world.begin("auto")
    addresses = [world.open(pending) for _ in range(7)]
    assert len(world.provider.asked("/par")) == 5
    assert len(set(addresses)) == 5 and addresses[4] == addresses[5] == addresses[6]
    assert world.bring(pending, world.provider.authorize(addresses[6]))["status"] == "completed"


def test_the_last_reference_stands_only_until_it_lapses(world):
    world.provider.lifetime = 1
    pending = world.begin("auto")
    try:
        for _ in range(5):
            world.open(pending)
        eventually(lambda: world.gateway.browse(pending.start_url).status == 410, what="the reference lapsing", pause=0.2)
    finally:
        world.provider.lifetime = 60
    assert pending.is_untouched()


@pytest.mark.parametrize("app, provider", [("auto", "provider"), ("coded", "third")])
def test_a_refused_push_ends_the_sign_in_with_all_of_the_issuers_words(world, app, provider):
    pending = world.begin(app)
    getattr(world, provider).refuse("/par", (400, DENIED))
    page = world.gateway.browse(pending.start_url)
    assert page.status == 200 and "invalid_scope" in page.text and DENIED["error_description"] in page.text
    error = pending.failure()
    assert error["code"] == "invalid_scope" and error["oauth_error"] == "invalid_scope"
    assert error["description"] == DENIED["error_description"]
    assert world.gateway.browse(pending.start_url).status == 410


@pytest.mark.parametrize("answer", [
    (200, {"request_uri": "urn:x"}), (201, {"expires_in": 60}), (201, {"request_uri": "urn:with space", "expires_in": 60}),
    (201, {"request_uri": "urn:x", "expires_in": 0}), (201, {"Content-Type": "text/html"}, "<title>hello</title>"),
    (404, {}), (302, {"Location": "https://evil.example"}, "")], ids=str)
def test_an_answer_that_is_none_ends_the_sign_in(world, answer):
    pending = world.begin("auto")
    world.provider.refuse("/par", answer)
    page = world.gateway.browse(pending.start_url)
    assert page.status == 200 and page.header("Location") is None
    assert pending.failure()["code"] == "invalid_response"


@pytest.mark.parametrize("answers", [[(503, {}), (503, {})], [(429, {"error": "slow_down"})]], ids=["503", "429"])
def test_an_issuer_that_does_not_answer_leaves_the_request_pending(world, answers):
    pending = world.begin("auto")
    for _ in range(6):
        world.provider.refuse("/par", *answers)
        page = world.gateway.browse(pending.start_url)
        assert page.status == 503 and page.header("Retry-After")
        assert pending.is_untouched()
    assert world.bring(pending, world.provider.authorize(world.open(pending)))["status"] == "completed"


@pytest.mark.rule(5)
def test_a_prefetch_and_head_push_nothing(world):
    pending = world.begin("auto")
    world.gateway.browse(pending.start_url, method="HEAD")
    world.gateway.browse(pending.start_url, headers={"Sec-Purpose": "prefetch"})
    assert world.provider.asked("/par") == []


def test_without_a_start_page_the_push_is_made_at_begin(world):
    pending = world.begin("auto", world.pageless)
    assert [name for name, _ in parse_qsl(urlsplit(pending.authorization_url).query)] == ["client_id", "request_uri"]
    assert len(world.provider.asked("/par")) == 1
    relayed = world.pageless.local_api().relay(world.provider.authorize(pending.authorization_url))
    assert relayed.status == 200, relayed.body
    assert pending.outcome()["status"] == "completed"


def test_the_app_pushes_again_where_there_is_no_start_page(world):
    pending = world.begin("auto", world.pageless)
    again = [_again(pending) for _ in range(6)]
    assert [reply.status for reply in again] == [200] * 6
    urls = [reply.json["authorization_url"] for reply in again]
    assert len(world.provider.asked("/par")) == 5 and urls[3] == urls[4] == urls[5]
    assert len({pending.authorization_url, *urls}) == 5


def test_with_a_start_page_the_app_gets_its_address_again(world):
    pending = world.begin("auto")
    assert _again(pending).json == {"authorization_url": pending.start_url}
    plain = world.begin("off")
    assert _again(plain).json == {"authorization_url": plain.authorization_url}
    assert world.provider.asked("/par") == []


def test_only_the_beginner_pushes_again(world):
    pending = world.begin("auto", world.pageless)
    assert pending.api.call("POST", f"{pending.path}/authorization_url", token="wrong").status == 404
    assert pending.api.call("GET", f"{pending.path}/authorization_url", token=pending.token).status == 405
    assert len(world.provider.asked("/par")) == 1


def test_a_push_that_is_refused_at_begin_is_400_with_the_issuers_error(world):
    world.provider.refuse("/par", (400, DENIED))
    reply = world.pageless.api().begin_reply("com.contoso.auto")
    assert reply.status == 400 and reply.json["error"] == "invalid_scope"
    assert DENIED["error_description"] in reply.json["error_description"]


def test_an_issuer_that_does_not_answer_at_begin_is_503(world):
    world.provider.refuse("/par", (500, {}), (500, {}))
    reply = world.pageless.api().begin_reply("com.contoso.auto")
    assert reply.status == 503 and reply.header("Retry-After")


def test_a_push_that_is_refused_later_ends_the_sign_in(world):
    pending = world.begin("auto", world.pageless)
    world.provider.refuse("/par", (400, DENIED))
    reply = _again(pending)
    assert reply.status == 400 and reply.json["error"] == "invalid_scope"
    assert pending.failure()["description"] == DENIED["error_description"]


def test_the_log_and_the_metrics_name_the_endpoint(world):
    pending = world.begin("auto")
    world.open(pending)
    metrics = world.gateway.admin("/metrics").body.decode()
    assert 'switchyard_issuer_requests_total{issuer="strict",endpoint="push",result="ok"}' in metrics
    assert any("endpoint=push" in line for line in events(world.gateway, "issuer_called"))


def _again(pending):
    return pending.api.call("POST", f"{pending.path}/authorization_url", token=pending.token)
