"""Only a person's navigation brings a callback: no handler takes one that a page loads as an image, in a frame or by fetch."""

import http.server
import threading
from urllib.parse import urlencode

import pytest

from harness.handlers import heading
from harness.issuer import authorize
from harness.modes import Arrival, ModesGateway, answer_of
from harness.programs import eventually

NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"}
LOADS = [
    {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}, {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"},
    {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}, {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "object"}, {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "embed"},
    {"Sec-Fetch-Mode": "websocket", "Sec-Fetch-Dest": "websocket"}, {"Sec-Fetch-Dest": "iframe"},
    {"Sec-Fetch-Mode": "no-cors"}, {"Sec-Purpose": "prefetch"},
]
NAMES = ["image", "script", "no-cors", "fetch", "frame", "object", "embed", "socket", "destination", "mode", "prefetch"]
LEGACY = "/legacy?code=c&state=s"


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base, log={"level": "debug"})
    gateway.configuration["apps"].append(gateway.app("held", "Held Mail", client_id="held", release="code"))
    request.addfinalizer(gateway.start().stop)
    return gateway


def own_site(arrival):
    """Only our own page posts a fragment."""
    return {"Sec-Fetch-Site": "same-origin"} if arrival.mode.startswith("fragment") else {}


@pytest.mark.rule(6)
@pytest.mark.rule(8)
@pytest.mark.parametrize("load", LOADS, ids=NAMES)
@pytest.mark.parametrize("name", ["query", "form", "fragment", "jwt", "querystart", "formstart"])
def test_what_a_page_loads_brings_no_callback(modes, name, load):
    arrival = Arrival(modes, name)
    if name.endswith("start"):
        arrival.start()
    cookies = {"Cookie": "; ".join(f"{key}={value}" for key, value in arrival.cookies.items())} if arrival.cookies else {}
    fields = arrival.fields
    answer = arrival.deliver(fields, **cookies, **own_site(arrival) | load)
    assert (answer.status, heading(answer.text)) == (503, "Nothing has happened yet")
    assert answer.header("Set-Cookie") is None and answer.header("Location") is None
    assert arrival.pending.is_untouched()
    assert arrival.deliver(fields, **cookies, **NAVIGATION | own_site(arrival)).status == 303, "the person goes there"


@pytest.mark.rule(8)
@pytest.mark.parametrize("load", LOADS, ids=NAMES)
def test_what_a_page_loads_leaves_no_code_to_be_guessed(modes, load):
    pending = modes.api().begin("com.contoso.held", demo="auto")
    callback = authorize(pending.authorization_url)
    assert modes.browse(callback, headers=load).status == 503
    assert pending.is_untouched()
    assert modes.browse(callback, headers=NAVIGATION).status == 303
    assert pending.poll().json == {"status": "release_required"}


@pytest.mark.parametrize("load", LOADS, ids=NAMES)
def test_a_pages_load_is_not_dispatched(modes, load):
    answer = modes.browse(modes.url(LEGACY), headers=load)
    assert (answer.status, heading(answer.text)) == (503, "Nothing has happened yet")
    assert answer.header("Location") is None
    assert modes.browse(modes.url(LEGACY), headers=NAVIGATION).header("Location") == "x-legacy://callback?code=c&state=s"
    assert modes.browse(modes.url(LEGACY)).status == 302, "a browser without Sec-Fetch-*"


@pytest.mark.parametrize("load", LOADS, ids=NAMES)
def test_the_page_that_posts_a_fragment_is_for_a_navigation(modes, load):
    assert modes.browse(modes.url("/fragment/auth"), headers=load).status == 503
    assert modes.browse(modes.url("/fragment/auth"), headers=NAVIGATION).status == 200


@pytest.mark.parametrize("load", LOADS, ids=NAMES)
def test_a_pages_load_starts_no_sign_in(modes, load):
    pending = modes.api().begin("com.contoso.querystart")
    answer = modes.browse(pending.start_url, headers=load)
    assert (answer.status, answer.header("Set-Cookie")) == (503, None)
    assert modes.browse(pending.start_url, headers=NAVIGATION).status == 303


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-User": "?1"}, NAVIGATION])
def test_a_navigation_and_a_browser_that_says_nothing_bring_it(modes, headers):
    arrival = Arrival(modes, "query")
    assert arrival.by_query(arrival.fields, **headers).status == 303


# In a real browser

class Attacker(http.server.BaseHTTPRequestHandler):
    """Serves one page."""

    page = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_):
        pass


@pytest.fixture
def evil():
    """The address of a page that loads other addresses in every hidden way."""
    handler = type("Page", (Attacker,), {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def page(*addresses):
        loads = "".join(
            f'<img src="{address}"><iframe src="{address}"></iframe><embed src="{address}"><object data="{address}"></object>'
            f'<script>fetch("{address}", {{mode: "no-cors", credentials: "include"}}).finally(() => document.title += "+")</script>'
            for address in addresses)
        handler.page = f"<!doctype html><title>page</title>{loads}".replace("&code", "&amp;code").encode()
        return f"http://localhost:{server.server_port}/"

    yield page
    server.shutdown()
    server.server_close()


@pytest.mark.rule(8)
def test_a_page_in_a_real_browser_cannot_bring_a_callback_by_itself(modes, evil, start_browser):
    browser = start_browser()
    pending = modes.api().begin("com.contoso.held", demo="auto")
    silent = pending.authorization_url + "&" + urlencode({"prompt": "none"})
    browser.open(evil(silent, authorize(pending.authorization_url)))
    browser.wait_for(lambda: browser.driver.title == "page++", "the page's loads")
    eventually(lambda: modes.output().count("reason=prefetch") >= 1, what="the loads at the gateway")
    assert pending.is_untouched()
    browser.open(pending.authorization_url)
    assert browser.element("release-code"), "the person's own navigation"


@pytest.mark.parametrize("name", ["query", "form", "fragment"])
def test_a_person_in_a_real_browser_signs_in_by_every_response_mode(modes, name, start_browser):
    browser = start_browser()
    arrival = Arrival(modes, name)
    browser.open(arrival.url)
    assert arrival.pending.outcome()["status"] == "completed"
