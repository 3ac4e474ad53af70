"""The start cookie: one for each sign-in, and with `require_start` a callback counts only where it was started."""

import re
from urllib.parse import urlencode

import pytest

from harness.jar import LaxJar
from harness.modes import MODES, Arrival, ModesGateway, answer_of, is_sent_away
from harness.signin import well_behaved
from harness.wire import Closed

CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def cookies_set(answer):
    """The cookies of an answer: name → (value, attributes)."""
    found = {}
    for name, field in answer.headers:
        if name.lower() == "set-cookie":
            pair, *attributes = [part.strip() for part in field.split(";")]
            key, _, value = pair.partition("=")
            found[key] = (value, attributes)
    return found


def kept(answer):
    """The cookies that a browser keeps of an answer."""
    return {name: value for name, (value, attributes) in cookies_set(answer).items() if "Max-Age=0" not in attributes}


def jar(cookies):
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def test_the_cookie_is_for_this_sign_in_and_this_origin_only(modes):
    pending = Arrival(modes, "query").pending
    set_ = cookies_set(modes.browse(pending.start_url))
    value, attributes = set_.pop(f"__Host-sy-{pending.id}")
    assert value and set(attributes) >= {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"}
    age = next(int(a.removeprefix("Max-Age=")) for a in attributes if a.startswith("Max-Age="))
    assert 0 < age <= pending.fields["expires_in"]
    assert not any(a.lower().startswith("domain") for a in attributes) and not set_


def test_never_more_than_eight_pile_up(modes):
    cookies, order = {}, []
    for _ in range(11):
        pending = Arrival(modes, "query").pending
        answer = modes.browse(pending.start_url, headers=jar(cookies))
        for name, (value, attributes) in cookies_set(answer).items():
            if "Max-Age=0" in attributes:
                assert name == order.pop(0), "the oldest goes first"
                del cookies[name]
            else:
                cookies[name] = value
                order.append(name)
    assert len(cookies) == 8


@pytest.mark.parametrize("name", ["querystart", "formstart", "fragmentstart", "jwtstart"])
def test_tabs_never_collide(modes, name):
    tabs = [Arrival(modes, name).start() for _ in range(3)]
    cookies = {key: value for tab in tabs for key, value in tab.cookies.items()}
    for tab in reversed(tabs):
        answer = tab.deliver(tab.fields, **jar(cookies))
        if answer.header("Location").startswith("/start/"):
            answer = modes.browse(modes.url(answer.header("Location")), headers=jar(cookies | kept(answer)))
        assert answer.status == 303 and tab.pending.outcome()["status"] == "completed"
        gone = [key for key, (_, attributes) in cookies_set(answer).items() if "Max-Age=0" in attributes]
        assert f"__Host-sy-{tab.pending.id}" in gone, "it is deleted at the callback"


def test_the_authorization_url_is_the_start(modes):
    pending = Arrival(modes, "querystart").pending
    assert pending.authorization_url == pending.start_url


@pytest.mark.parametrize("spoil", ["none", "another request's", "invented", "cut"])
def test_another_browser_is_refused(modes, spoil):
    arrival = Arrival(modes, "querystart").start()
    (name, value), = arrival.cookies.items()
    if spoil == "another request's":
        value = next(iter(Arrival(modes, "querystart").start().cookies.values()))
    bad = {"none": {}, "cut": {name: value[:-1]}, "invented": {name: "A" * len(value)}}.get(spoil, {name: value})
    assert is_sent_away(arrival.by_query(arrival.fields, **jar(bad)), arrival.pending)
    assert arrival.pending.is_untouched()
    fields = arrival.fields
    assert arrival.by_query(fields, **jar(arrival.cookies)).status == 303
    assert arrival.pending.outcome()["status"] == "completed"
    # While it is remembered the same callback gets the same answer, although the cookie has done its work.
    assert arrival.by_query(fields).status == 303


def test_a_form_from_another_site_comes_again_with_the_cookie(modes):
    arrival = Arrival(modes, "formstart").start()
    held = arrival.by_form(arrival.fields, **CROSS_SITE)
    again, cookies = held.header("Location"), arrival.cookies | kept(held)
    assert held.status == 303 and re.fullmatch(rf"/start/{arrival.pending.id}/[\w-]+", again)
    assert arrival.pending.is_untouched(), "nothing happens before the cookie is seen"
    assert modes.browse(modes.url(again), method="HEAD", headers=jar(cookies)).status == 204
    prefetch = {"Sec-Purpose": "prefetch"}
    assert modes.browse(modes.url(again), headers=jar(cookies) | prefetch).status == 503
    assert arrival.pending.is_untouched()
    answer = modes.browse(modes.url(again), headers=jar(cookies))
    assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
    assert arrival.pending.outcome()["status"] == "completed"


def test_a_form_as_large_as_any_comes_again_too(modes):
    arrival = Arrival(modes, "formstart").start()
    held = arrival.by_form(arrival.fields + [("junk", "x" * 60_000)], **CROSS_SITE)
    answer = modes.browse(modes.url(held.header("Location")), headers=jar(arrival.cookies | kept(held)))
    assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
    assert arrival.pending.outcome()["status"] == "completed"


def test_the_same_browser_may_come_again_with_what_it_brought(modes):
    """A repeated callback gets the same page and never an error, with the cookie of the answer and after a lost answer."""
    arrival = Arrival(modes, "formstart").start()
    held = arrival.by_form(arrival.fields, **CROSS_SITE)
    again, brought = held.header("Location"), kept(held)
    first = modes.browse(modes.url(again), headers=jar(arrival.cookies | brought))
    done = kept(first)
    lost = modes.browse(modes.url(again), headers=jar(arrival.cookies | brought))
    assert cookies_set(lost) == cookies_set(first)
    for cookies in (done | brought, arrival.cookies | brought):
        answer = modes.browse(modes.url(again), headers=jar(cookies))
        assert (answer.status, answer.header("Location")) == (303, f"/done/{arrival.pending.reference}")
    page = modes.browse(modes.url(first.header("Location")), headers=jar(done))
    assert "Almost done" in page.text
    other = modes.browse(modes.url(again))
    assert is_sent_away(other, arrival.pending), "another one sees nothing there"


def test_a_held_form_is_for_its_own_request_only(modes):
    one, other = Arrival(modes, "formstart").start(), Arrival(modes, "formstart").start()
    held = one.by_form(one.fields, **CROSS_SITE)
    handle = held.header("Location").rsplit("/", 1)[1]
    stolen = modes.browse(modes.url(f"/start/{other.pending.id}/{handle}"), headers=jar(other.cookies | kept(held)))
    assert stolen.status == 410 and one.pending.is_untouched() and other.pending.is_untouched()
    own = jar(one.cookies | kept(held))
    assert modes.browse(modes.url(f"/start/{one.pending.id}/{handle}"), headers=own).status == 303
    assert one.pending.outcome()["status"] == "completed"


def test_a_callback_without_a_request_is_not_held(modes):
    arrival = Arrival(modes, "formstart").start()
    fields = dict(arrival.fields) | {"state": "a-state-that-nobody-ever-gave-out-000009"}
    assert arrival.by_form(list(fields.items()), **CROSS_SITE).status == 400
    held = arrival.by_form(answer_of(arrival.url), **CROSS_SITE)
    assert modes.browse(modes.url(held.header("Location")), headers=jar(arrival.cookies | kept(held))).status == 303


def test_an_app_that_composes_its_own_request_cannot_be_bound(modes):
    reply = modes.api().begin_reply(
        "com.contoso.querystart", completion="response", state="a-state-of-the-app-itself-0001")
    assert reply.status == 400 and "code_challenge" in reply.json["error_description"]


@pytest.mark.parametrize("name", ["querystart", "form", "fragment", "formjwt", "fragmentjwt"])
@pytest.mark.parametrize("uri", ["msauth.com.contoso.relayed://auth", "http://127.0.0.1/relayed"])
def test_a_redirect_uri_that_cannot_bring_the_mode_cannot_be_begun(start_gateway, name, uri):
    """A relayed callback shows no cookie, is no POST, and has lost its fragment."""
    mode = {"querystart": "query", "form": "form_post", "formjwt": "form_post.jwt", "fragmentjwt": "fragment.jwt"}
    gateway = start_gateway(change=lambda gateway: gateway.configuration["apps"].append(gateway.app(
        "relayed", "Relayed Mail", redirect_uris=[gateway.url("/relayed/auth"), uri], release="none",
        response_mode=mode.get(name, name), require_start=name.endswith("start"))))
    refused = gateway.api().begin_reply("com.contoso.relayed", redirect_uri=uri)
    assert (refused.status, refused.json["error"]) == (400, "invalid_request")
    assert "https" in refused.json["error_description"]
    assert gateway.api().begin_reply("com.contoso.relayed").status == 201


@pytest.mark.parametrize("path", ["/start/", "/start/x", "/start/" + "A" * 22, "/start/" + "A" * 22 + "/x", "/start/../x"])
def test_a_start_that_nobody_began_is_told(modes, path):
    try:
        assert modes.browse(modes.url(path)).status in (400, 404, 410)
    except Closed:
        pytest.fail("no answer")


# A whole browser, its cookies kept by hand.

STARTED = [f"{name}start" for name in MODES]


class Tab:
    """One sign-in in a browser with several tabs, which share the cookies."""

    def __init__(self, jar_, modes, name, demo="auto"):
        self.arrival = Arrival(modes, name, demo=demo)
        self.pending, self._jar, self._target = self.arrival.pending, jar_, self.arrival.target
        self.start()

    def start(self):
        answer = self._jar.get(self.pending.start_url)
        assert answer.status == 303
        self.url = answer.header("Location")

    def bring(self, fields, jar_=None):
        """Follows the issuer's page like a browser, up to the redirect to the done page."""
        jar_ = jar_ or self._jar
        mode = self.arrival.mode
        if mode.startswith("query") or mode == "jwt":
            return jar_.get(f"{self._target}?{urlencode(fields)}")
        # The fragment's page is ours; a form_post's is the issuer's.
        answer = jar_.post(self._target, urlencode(fields).encode(), cross_site=mode.startswith("form_post"))
        if answer.status == 303 and answer.header("Location").startswith("/start/"):
            return jar_.follow(answer)
        return answer

    def finish_properly(self):
        assert self.pending.is_untouched()
        answer = self.bring(answer_of(well_behaved(self.url)))
        assert (answer.status, answer.header("Location")) == (303, f"/done/{self.pending.reference}")
        assert f"__Host-sy-{self.pending.id}" not in self._jar.cookies, "it is deleted at the callback"
        return self.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("name", STARTED)
@pytest.mark.parametrize("other", ["empty", "with its own sign-in"])
def test_only_the_browser_that_started_finishes(modes, name, other):
    mine, others = LaxJar(modes), LaxJar(modes)
    tab = Tab(mine, modes, name)
    if other == "with its own sign-in":
        Tab(others, modes, name)
    assert is_sent_away(tab.bring(answer_of(tab.url), others), tab.pending)
    assert tab.finish_properly()


@pytest.mark.rule(3)
@pytest.mark.parametrize("name", STARTED)
def test_errors_are_bound_to_the_browser_too(modes, name):
    """Otherwise any reader of a state could end a sign-in with a made-up error."""
    tab = Tab(LaxJar(modes), modes, name, demo="deny")
    fields = answer_of(tab.url)
    assert is_sent_away(tab.bring(fields, LaxJar(modes)), tab.pending)
    assert tab.pending.is_untouched()
    assert tab.bring(fields).status == 303
    assert tab.pending.failure()["code"] == "access_denied"


@pytest.mark.rule(10)
@pytest.mark.parametrize("name", ["querystart", "formstart", "fragmentstart"])
@pytest.mark.parametrize("spoil", [
    {"iss": "https://evil.example"}, {"state": "a-state-that-nobody-ever-gave-out-000010"}, {"code": ""},
    {"error": "access_denied"},
], ids=["wrong iss", "unknown state", "no code", "code and error"])
def test_a_refused_callback_leaves_the_cookie(modes, name, spoil):
    tab = Tab(LaxJar(modes), modes, name)
    fields = dict(answer_of(tab.url)) | spoil
    assert tab.bring(list(fields.items())).status == 400
    assert tab.finish_properly()


@pytest.mark.parametrize("name", ["querystart", "formstart"])
def test_a_start_that_is_opened_again_stays_good(modes, name):
    tab = Tab(LaxJar(modes), modes, name)
    tab.start()
    assert tab.finish_properly()


@pytest.mark.parametrize("name", STARTED)
def test_the_newest_eight_work_and_the_oldest_starts_again(modes, name):
    mine = LaxJar(modes)
    tabs = [Tab(mine, modes, name) for _ in range(9)]
    assert len(mine.cookies) == 8
    dropped = tabs.pop(0)
    assert is_sent_away(dropped.bring(answer_of(dropped.url)), dropped.pending)
    for tab in tabs:
        assert tab.finish_properly()
    dropped.start()
    assert dropped.finish_properly()


def test_cookies_of_finished_sign_ins_do_not_pile_up_either(modes):
    mine = LaxJar(modes)
    for _ in range(20):
        assert Tab(mine, modes, "querystart").finish_properly()
    assert len(mine.cookies) <= 8 and len(str(mine.cookies)) < 4096


@pytest.mark.parametrize("junk", [
    "x" * 3000, "; ".join(f"a{n}=b" for n in range(60)), "=;=;==;;;", "__Host-sy-=", "__Host-sy-x=y", '"quoted"="x y"',
    "__Host-sy-" + "A" * 22 + "=" + "A" * 43, "\u00e9=\u00fc", "; ".join(f"__Host-sy-{n:022}=x" for n in range(40)),
], ids=["long", "many", "separators", "no id", "short id", "quoted", "nobody's", "not ASCII", "forty of ours"])
def test_other_cookies_do_not_get_in_the_way(modes, junk):
    """Cookies of other programs on the same host, and bombs (CVE-2024-24814): the sign-in goes on."""
    tab = Tab(LaxJar(modes), modes, "querystart")
    own = "; ".join(f"{name}={value}" for name, value in tab._jar.cookies.items())

    def url():
        return f"{tab.arrival.target}?{urlencode(answer_of(tab.url))}"

    alone = modes.browse(url(), headers={"Cookie": junk})
    assert alone.status == 400 or alone.header("Location").endswith("/another-browser")
    assert tab.pending.is_untouched()
    assert modes.browse(url(), headers={"Cookie": f"{junk}; {own}"}).status == 303
    assert tab.pending.outcome()["status"] == "completed"
