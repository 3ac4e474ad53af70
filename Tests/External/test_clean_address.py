"""With `require_start` no refusal leaves a code in the address bar, from where it could be copied to the browser that started."""

import errno
import re
import secrets
import time
from urllib.parse import urlencode, urlsplit

import pytest

from harness.disk import Disk
from harness.jar import LaxJar
from harness.modes import Arrival, ModesGateway, answer_of, is_sent_away
from harness.programs import eventually
from harness.signin import well_behaved
from harness.wire import Closed

AGAIN = "/start/again"


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    return opened(request, run_folder, issuer)


def opened(request, folder, issuer, **options):
    gateway = ModesGateway(folder, issuer.base, **options).start()
    request.addfinalizer(gateway.stop)
    return gateway


def leaves_for(answer):
    """The address to which a page takes the browser at once, without a script; no part of the callback is in it."""
    return re.fullmatch(r"0; url=(/start/(?:again|refused/\w+/[\w-]{22}\.[\w-]+))", answer.header("Refresh"))[1]


def waits(answer):
    """Whether a page looks for news, and does not load itself again by a timer."""
    return 'data-stage="again"' in answer.text and "<script>" in answer.text and answer.header("Refresh") is None


class SignIn:
    """The attacker began it and opened its start address; the victim brings the code."""

    def __init__(self, gateway, name, started_from=None):
        self.gateway, self.attacker = gateway, LaxJar(gateway, source=started_from)
        arrival = Arrival(gateway, name)
        self.pending, self.target = arrival.pending, arrival.target
        url = self.attacker.get(self.pending.start_url).header("Location")
        self.fields = answer_of(well_behaved(url))
        self.address = f"{self.target}?{urlencode(self.fields)}"


def comes_again(browser, gateway):
    """Goes on as the page says until there is an answer."""
    def settled():
        answer = browser.get(gateway.url(AGAIN))
        if answer.status == 303:
            return answer
        assert answer.status in (429, 503) and waits(answer)
        return None
    # A browser that comes again at once is told to wait a minute.
    return eventually(settled, what="an answer", pause=0.3)


def drained(gateway, source):
    """Uses up an address's callbacks; the last answer."""
    for _ in range(20):
        answer = gateway.browse(gateway.url("/query/auth?state=x&code=y"), source=source)
        if answer.status == 429:
            return answer
    raise AssertionError("there is no limit")


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", ["querystart", "jwtstart"])
def test_over_a_rate_the_code_leaves_the_address_bar_and_is_judged_later(request, run_folder, issuer, name):
    gateway = opened(request, run_folder, issuer, limits={"callback_rate": 1})
    sign_in, victim = SignIn(gateway, name, "127.0.0.2"), LaxJar(gateway, source="127.0.0.3")
    assert drained(gateway, "127.0.0.3").header("Refresh") is None, "an app without require_start: it may be reloaded"
    refused = victim.get(sign_in.address)
    assert refused.status == 429 and int(refused.header("Retry-After")) > 0
    assert leaves_for(refused) == AGAIN
    code = dict(sign_in.fields).get("code") or dict(sign_in.fields)["response"]
    assert code not in str(refused.headers) + refused.text
    # No copied address leads on in another browser.
    assert LaxJar(gateway, source="127.0.0.4").get(gateway.url(AGAIN)).status == 410
    assert victim.get(gateway.url(AGAIN)).status == 429
    assert victim.get(gateway.url(AGAIN + "/news")).text == "again"
    eventually(lambda: victim.get(gateway.url(AGAIN + "/news")).text == "still", what="news", pause=0.6)
    assert is_another_browser(comes_again(victim, gateway), sign_in)
    assert sign_in.pending.is_untouched()
    time.sleep(1)
    assert is_sent_away(sign_in.attacker.get(sign_in.address), sign_in.pending), "and the code is dead"
    assert victim.get(gateway.url(AGAIN)).status == 410, "it is done with"


def is_another_browser(answer, sign_in):
    return answer.header("Location") == f"/done/{sign_in.pending.reference}/another-browser"


def test_the_browser_that_started_goes_on_by_itself(request, run_folder, issuer):
    gateway = opened(request, run_folder, issuer, limits={"callback_rate": 1})
    sign_in = SignIn(gateway, "querystart", "127.0.0.2")
    drained(gateway, "127.0.0.2")
    assert leaves_for(sign_in.attacker.get(sign_in.address)) == AGAIN
    done = comes_again(sign_in.attacker, gateway)
    assert done.header("Location") == f"/done/{sign_in.pending.reference}"
    assert sign_in.pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
def test_with_too_many_connections_too(request, run_folder, issuer):
    gateway = opened(request, run_folder, issuer, limits={"connections_per_address": 3})
    sign_in, victim = SignIn(gateway, "querystart"), LaxJar(gateway, source="127.0.0.3")
    held = []

    def refused():
        held.append(gateway.wire(source="127.0.0.3"))
        try:
            answer = victim.get(sign_in.address)
        except (Closed, OSError):
            return None
        return answer if answer.status == 503 else None
    answer = eventually(refused, what="the limit")
    assert leaves_for(answer) == AGAIN and not answer.header("Location")
    for wire in held:
        wire.socket.close()
    assert is_another_browser(eventually(lambda: room(victim, gateway), what="room"), sign_in)


def room(browser, gateway):
    answer = browser.get(gateway.url(AGAIN))
    return answer if answer.status == 303 else None


@pytest.mark.rule(8)
def test_while_the_issuer_is_out_too(request, run_folder, start_issuer):
    issuer = start_issuer()
    gateway = opened(request, run_folder, issuer)
    sign_in, victim = SignIn(gateway, "jwtstart"), LaxJar(gateway)
    issuer.stop()
    for browser in (victim, sign_in.attacker):
        refused = browser.get(sign_in.address)
        assert refused.status == 503 and leaves_for(refused) == AGAIN
        again = browser.get(gateway.url(AGAIN))
        assert again.status == 503 and waits(again) and int(again.header("Retry-After")) > 0
        assert browser.get(gateway.url(AGAIN + "/news")).text == "again"
    assert LaxJar(gateway).get(gateway.url(AGAIN + "/news")).text == "still", "nothing is kept there"
    assert sign_in.pending.is_untouched()


def with_store(gateway):
    gateway.disk = Disk(gateway.folder)
    gateway.environment = gateway.disk.environment
    gateway.configuration["store"] = f"sqlite:{gateway.folder}/requests.db"


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", ["querystart", "queryjwtstart"])
@pytest.mark.parametrize("ill", [{"sync_error": errno.EIO}, {"is_stalled": 1}], ids=["failing", "standing still"])
def test_while_the_store_is_out_too_and_the_code_is_dead_once_it_is_back(request, run_folder, issuer, name, ill):
    gateway = ModesGateway(run_folder, issuer.base)
    with_store(gateway)
    request.addfinalizer(gateway.stop)
    gateway.start()
    sign_in, victim = SignIn(gateway, name), LaxJar(gateway)
    gateway.disk.set(**ill)
    refused = victim.get(sign_in.address)
    assert refused.status == 503 and leaves_for(refused) == AGAIN and not refused.header("Location")
    again = victim.get(gateway.url(AGAIN))
    assert again.status == 503 and waits(again) and int(again.header("Retry-After")) > 0
    gateway.disk.set()
    assert is_another_browser(comes_again(victim, gateway), sign_in)
    # An address that was copied before it was gone is useless.
    assert is_sent_away(sign_in.attacker.get(sign_in.address), sign_in.pending)
    assert sign_in.pending.is_untouched()


@pytest.mark.rule(8)
def test_the_browser_that_started_goes_on_by_itself_once_the_store_is_back(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base)
    with_store(gateway)
    request.addfinalizer(gateway.stop)
    gateway.start()
    sign_in = SignIn(gateway, "querystart")
    gateway.disk.set(sync_error=errno.EIO)
    assert leaves_for(sign_in.attacker.get(sign_in.address)) == AGAIN
    gateway.disk.set()
    done = comes_again(sign_in.attacker, gateway)
    assert done.header("Location") == f"/done/{sign_in.pending.reference}"
    assert sign_in.pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
@pytest.mark.parametrize("name, change, status", [
    ("querystart", {"iss": "https://evil.example"}, 400), ("querystart", {"state": "nobody" * 8}, 400),
    ("formstart", {}, 405), ("fragmentstart", {}, 400), ("jwtstart", {}, 400),
])
def test_the_address_is_cleaned_with_any_other_fault(modes, name, change, status):
    """The beginner may have changed the link that the victim follows, so that the code comes in another way."""
    sign_in, victim = SignIn(modes, name), LaxJar(modes)
    fields = {"state": dict(sign_in.fields).get("state", "x" * 43), "code": secrets.token_urlsafe(32)} | change
    refused = victim.get(f"{sign_in.target}?{urlencode(fields)}")
    assert refused.status == status
    clean = modes.url(leaves_for(refused))
    page = victim.get(clean)
    assert (page.status, page.header("Refresh")) == (status, None) and page.text == refused.text
    assert sign_in.pending.is_untouched()


@pytest.mark.rule(8)
def test_a_code_in_a_fragment_leaves_with_it(modes):
    """A server never sees it; a redirect would carry it on, a refresh does not."""
    sign_in = SignIn(modes, "querystart")
    refused = LaxJar(modes).get(sign_in.target)
    assert refused.status == 400 and leaves_for(refused).startswith("/start/refused/unknownState/")


UNREAD = {
    "too many cookies": ("", {"Cookie": "x=" + "y" * 20_000}, 431), "too many fields": ("", {f"X-{n}": "y" for n in range(120)}, 431),
    "too long": ("&x=" + "y" * 20_000, {}, 414),
}


@pytest.mark.rule(7)
@pytest.mark.parametrize("why", UNREAD)
@pytest.mark.parametrize("name", ["query", "querystart"])
def test_a_request_that_cannot_be_read_leaves_its_address_too(modes, name, why):
    """A site beside ours can plant cookies of any size for its domain and all that is below."""
    arrival = Arrival(modes, name)
    if name == "querystart":
        arrival.start()
    more, headers, status = UNREAD[why]
    cookies = {"Cookie": "; ".join(f"{key}={value}" for key, value in arrival.cookies.items())} if arrival.cookies else {}
    code = dict(arrival.fields)["code"]
    address = f"{arrival.target}?{urlencode(arrival.fields)}{more}"
    refused = unread(modes, address, headers)
    assert refused.status == status and code not in str(refused.headers) + refused.text
    clean = modes.url(leaves_for(refused))
    page = modes.browse(clean)
    assert page.header("Refresh") is None and page.text == refused.text
    # While the cookies are there the browser stays at the clean address, and does not go round in a circle.
    again = unread(modes, clean, UNREAD["too many cookies"][1])
    assert (again.status, again.header("Refresh")) == (431, None)
    assert arrival.pending.is_untouched()
    assert arrival.by_query(answer_of(well_behaved(arrival.url)), **cookies).status == 303, "a fresh callback completes"
    assert arrival.pending.outcome()["status"] == "completed"


def unread(gateway, address, headers):
    """The answer to a navigation with a malformed head."""
    parts = urlsplit(address)
    lines = [f"GET {parts.path}{'?' + parts.query if parts.query else ''} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with gateway.wire() as wire:
        return wire.exchange("\r\n".join([*lines, "", ""]).encode("latin-1"))


@pytest.mark.rule(7)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("name, behind", [
    ("query", "?code=a-code-to-copy&state=s"), ("querystart", "?code=a-code-to-copy&state=s"),
    ("fragmentstart", "#code=a-code-to-copy&state=s")])
def test_a_real_browser_with_too_many_cookies_leaves_at_once_and_signs_in_without_them(modes, start_browser, name, behind, scripts):
    browser = start_browser(scripts=scripts)
    browser.open(modes.url("/query/auth"))
    for number in range(6):
        browser.driver.add_cookie({"name": f"planted-{number}", "value": "x" * 3900, "domain": "localhost", "path": "/"})
    browser.open(modes.url(f"/{name}/auth") + behind)
    eventually(lambda: browser.address.startswith(modes.url("/start/refused/tooLarge/")), what="the address without a code")
    browser.driver.delete_all_cookies()
    pending = modes.api().begin("com.contoso.querystart", demo="auto")
    browser.open(pending.start_url)
    eventually(lambda: browser.address == modes.url(f"/done/{pending.reference}"), what="the page of the sign-in")


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", ["formstart", "formjwtstart"])
def test_the_address_of_a_form_that_waits_is_for_its_browser(modes, name):
    sign_in, victim = SignIn(modes, name), LaxJar(modes)
    parked = victim.post(sign_in.target, urlencode(sign_in.fields).encode(), cross_site=True)
    address = modes.url(parked.header("Location"))
    # The attacker is quicker than the victim's own browser.
    assert is_sent_away(sign_in.attacker.get(address), sign_in.pending)
    assert sign_in.pending.is_untouched()
    assert is_sent_away(victim.get(address), sign_in.pending)
    # Another form of the same request in the attacker's browser gives no cookie for the victim's.
    sign_in.attacker.post(sign_in.target, urlencode(sign_in.fields).encode(), cross_site=True)
    assert is_sent_away(sign_in.attacker.get(address), sign_in.pending) or \
        sign_in.attacker.get(address).status == 410
    assert sign_in.pending.is_untouched()


def test_other_sites_cannot_make_our_pages_show_a_reference(modes):
    refused = modes.browse(modes.url("/querystart/auth?code=c&state=" + "x" * 43))
    address = leaves_for(refused)
    shown = re.search(r'id="reference">([0-9A-Z]{10})<', refused.text)[1]
    assert shown not in address and modes.browse(modes.url(address)).text == refused.text
    sealed = address.rsplit("/", 1)[1]
    for other in ["unknownState/0155501234", f"expired/{sealed}", f"unknownState/{sealed[:-2]}", "unknownState/" + "A" * 22 + ".AAAA"]:
        page = modes.browse(modes.url(f"/start/refused/{other}"))
        assert page.status == 400 and 'id="reference"' not in page.text, other


@pytest.mark.parametrize("path, method, status", [
    ("/start/again", "GET", 410), ("/start/again", "POST", 405), ("/start/again/", "GET", 404), ("/start/again", "HEAD", 204),
    ("/start/refused/expired", "GET", 400), ("/start/refused/nothing", "GET", 404), ("/start/refused", "GET", 404),
    ("/start/refused/expired/7KX2M0Q9ZT", "GET", 400), ("/start/refused/expired/words", "GET", 404),
    ("/start/refused/expired/7KX2M0Q9ZT/", "GET", 404), ("/start/refused/expired/", "GET", 404),
    ("/start/refused/expired", "POST", 405),
])
def test_the_addresses_are_exact(modes, path, method, status):
    assert modes.browse(modes.url(path), method=method).status == status


def test_a_cookie_of_another_gateways_making_is_none(modes):
    cookie = {"Cookie": f"__Host-sy-again={secrets.token_urlsafe(16)}.{secrets.token_urlsafe(64)}"}
    assert modes.browse(modes.url(AGAIN), headers=cookie).status == 410


@pytest.mark.rule(10)
def test_looking_ahead_leads_nowhere(modes):
    sign_in = SignIn(modes, "querystart")
    ahead = modes.browse(sign_in.address, headers={"Sec-Purpose": "prefetch"})
    assert ahead.status == 503 and ahead.header("Refresh") is None and ahead.header("Set-Cookie") is None


@pytest.mark.rule(8)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("behind, why", [
    ("?code=a-code-to-copy&state=" + "x" * 43, "unknownState"), ("#code=a-code-to-copy&state=s", "unknownState"),
    ("?code=a-code-to-copy&code=b&state=s", "duplicateParameter"),
])
def test_a_real_browser_leaves_at_once(modes, start_browser, behind, why, scripts):
    browser = start_browser(scripts=scripts)
    browser.open(modes.url("/querystart/auth") + behind)
    eventually(lambda: browser.address.startswith(modes.url(f"/start/refused/{why}/")), what="the address without a code")


@pytest.mark.parametrize("name", ["formstart", "querystart", "fragmentstart"])
def test_a_real_browser_that_started_comes_to_its_end(modes, start_browser, name):
    browser, arrival = start_browser(), Arrival(modes, name)
    browser.open(arrival.pending.start_url)
    eventually(lambda: browser.address == modes.url(f"/done/{arrival.pending.reference}"), what="the page of the sign-in")
    assert arrival.pending.outcome()["status"] == "completed"
