"""The end of a list of handlers, the effect of a reload, and gateways that share a store and hand over once."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.gateway import Gateway
from harness.handlers import SocketApp, app_of, bring, cookie_of, done_page, events, heading, query, reference_of
from harness.issuer import authorize
from harness.loopback import LocalApp
from harness.programs import eventually, run
from harness.redis import RedisServer, SharingGateway

TAKEN, REFUSED = "Continue in your app", "Your app could not be reached"
LEGACY = "x-contoso-old://callback"


def listed(gateway, name, handler, **keys):
    """An app of the tests' usual kind, with this handler."""
    app = gateway.app(name, f"Contoso {name.title()}", [f"x-contoso-{name}://auth"], client_id=name, handler=handler, **keys)
    return app if keys.get("release") else {key: value for key, value in app.items() if key != "release"}


@pytest.fixture(scope="module")
def folder(run_folder):
    folder = run_folder / "listed"
    folder.mkdir()
    return folder


@pytest.fixture
def listen(folder):
    """Has an app listen at a path, with an answer."""
    with contextlib.ExitStack() as stack:
        def listen(name, answer=b'{"handled":true}\n'):
            app = SocketApp(folder / name, lambda line: [answer])
            stack.callback(app.close)
            return app
        yield listen


@pytest.fixture(scope="module")
def local():
    app = LocalApp()
    yield app
    app.close()


@pytest.fixture(scope="module")
def gateway(run_folder, issuer, folder):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"] += [
        listed(program, "waits", [{"socket": str(folder / "waits")}, "pending"], release="none"),
        listed(program, "held", [{"socket": str(folder / "held")}, "pending"], release="code"),
        listed(program, "local", [{"socket": str(folder / "local")}, "loopback"]),
        app_of(program, "old", [{"socket": str(folder / "old")}, {"redirect": LEGACY}])]
    yield program.start()
    program.stop()


def test_a_callback_that_no_handler_takes_completes_its_request(gateway, listen):
    app = listen("waits", b'{"handled":false}\n')
    pending = gateway.api().begin("com.contoso.waits")
    callback = authorize(pending.authorization_url)
    answer = gateway.browse(callback)
    assert (answer.status, answer.header("Location")) == (303, f"/done/{pending.reference}")
    assert "token_response" in pending.outcome() and [line["url"] for line in app.lines] == [callback]


@pytest.mark.rule(6)
def test_a_callback_that_went_on_is_not_handed_over_when_it_comes_again(gateway, listen):
    pending = gateway.api().begin("com.contoso.waits")
    callback = authorize(pending.authorization_url)
    first = gateway.browse(callback)
    app = listen("waits")
    again = gateway.browse(callback, headers={"Cookie": cookie_of(first)})
    assert again.header("Location") == first.header("Location") == f"/done/{pending.reference}"
    assert app.lines == []


@pytest.mark.rule(8)
def test_the_release_holds_at_the_end_of_a_list(gateway, issuer):
    pending = gateway.api().begin("com.contoso.held")
    callback = authorize(pending.authorization_url)
    gateway.browse(callback)
    assert pending.poll().json == {"status": "release_required"}


@pytest.mark.parametrize("name", ["waits", "local"])
def test_a_request_whose_callback_a_handler_took_is_over_and_tells_nothing_of_it(gateway, listen, local, name):
    app = listen(name)
    pending = local.begin(gateway, name)
    callback = authorize(pending.authorization_url)
    answer = gateway.browse(callback)
    assert heading(done_page(gateway, answer)) == TAKEN and app.lines[0]["url"] == callback
    assert pending.outcome() == {"status": "completed", "handed_over": "socket"}
    assert "handler=socket" in eventually(lambda: events(gateway, "passed_on", pending.reference))[0]
    assert gateway.browse(callback.replace("code=", "code=x")).status in (303, 409)


def test_a_callback_that_no_handler_takes_goes_to_the_browsers_own_machine(gateway, local):
    pending = local.begin(gateway, "local")
    callback = authorize(pending.authorization_url)
    answer = gateway.browse(callback)
    assert answer.header("Location") == f"http://127.0.0.1:{local.port}/local/auth?{callback.partition('?')[2]}"
    assert pending.outcome() == {"status": "completed", "handed_over": "loopback"}


def test_a_callback_that_no_handler_takes_is_sent_on_byte_for_byte(gateway, listen):
    parameters = query(x="%41+'")
    for _ in range(2):
        answer = bring(gateway, "old", parameters)
        assert (answer.status, answer.header("Location")) == (302, f"{LEGACY}?{parameters}")
    app = listen("old")
    # It went on before; what comes now is the app's.
    assert bring(gateway, "old", parameters).status == 302 and app.lines == []
    assert heading(done_page(gateway, bring(gateway, "old", query()))) == TAKEN and len(app.lines) == 1


@pytest.mark.parametrize("name", ["waits", "local"])
def test_a_state_of_the_apps_own_finds_it_later(gateway, listen, name):
    parameters = query()
    first = gateway.browse(gateway.url(f"/{name}/auth?{parameters}"))
    assert heading(done_page(gateway, first)) == REFUSED
    app = listen(name)
    again = gateway.browse(gateway.url(f"/{name}/auth?{parameters}"))
    assert heading(done_page(gateway, again)) == TAKEN and len(app.lines) == 1


@pytest.mark.rule(3)
def test_a_callback_that_the_request_refuses_is_refused_and_may_come_again(gateway, local):
    pending = local.begin(gateway, "local")
    callback = authorize(pending.authorization_url)
    assert gateway.browse(callback.replace("iss=", "iss=https%3A%2F%2Fevil.example%2F")).status == 400
    assert pending.is_untouched()
    assert gateway.browse(callback).header("Location").startswith("http://127.0.0.1:")


def test_a_relayed_string_goes_on_to_its_request_and_never_to_a_browser(gateway, local):
    pending = gateway.api().begin("com.contoso.waits", redirect_uri="x-contoso-waits://auth")
    assert gateway.local_api().relay(authorize(pending.authorization_url)).json["handled"]
    assert "token_response" in pending.outcome()
    for name in ("local", "old"):
        reply = gateway.local_api().relay(f"x-contoso-{name}://auth?{query()}")
        assert (reply.status, reply.json["reason"]) == (404, "no_pending_request")


# A reload.

def test_a_reload_moves_an_app_to_another_handler_and_what_is_on_its_way_ends_well(run_folder, issuer, folder):
    gateway = Gateway(run_folder, issuer.base)
    asked, go_on = threading.Event(), threading.Event()

    def late(line):
        asked.set()
        go_on.wait(9)
        return [b'{"handled":true}\n']

    before, after = SocketApp(folder / "before", late), SocketApp(folder / "after")
    gateway.configuration["apps"].append(app_of(gateway, "moved", {"socket": str(before.path)}))
    with contextlib.closing(before), contextlib.closing(after), contextlib.ExitStack() as stack:
        gateway.start()
        stack.callback(gateway.stop)

        def reload(handler, **keys):
            gateway.configuration["apps"][-1] = app_of(gateway, "moved", handler, **keys)
            gateway.write()
            assert run("reload", "--config", gateway.file).returncode == 0

        answers = []
        first = threading.Thread(target=lambda: answers.append(bring(gateway, "moved", query())))
        first.start()
        assert asked.wait(30)
        reload({"socket": str(after.path)})
        assert heading(done_page(gateway, bring(gateway, "moved", query()))) == TAKEN
        assert (len(before.lines), len(after.lines)) == (1, 1)
        go_on.set()
        first.join()
        eventually(lambda: heading(done_page(gateway, answers[0])) == TAKEN)

        # To requests, and from them to the browser's own machine: what was begun for the one is not the other's.
        reload("pending", release="none")
        pending = gateway.api().begin("com.contoso.moved", redirect_uri=gateway.url("/moved"))
        callback = authorize(pending.authorization_url)
        reload("loopback")
        answer = gateway.browse(callback)
        assert answer.header("Location") == f"/done/{pending.reference}"
        assert pending.failure()["code"] == "internal" and (len(before.lines), len(after.lines)) == (1, 1)


# Once, at any gateway that a callback comes to.

def test_gateways_that_share_a_store_hand_over_once(run_folder, issuer, folder):
    with contextlib.ExitStack() as stack:
        redis = RedisServer(run_folder).start()
        stack.callback(redis.kill)
        gateways = []
        for _ in range(2):
            gateway = SharingGateway(
                run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}/0",
                public_port=gateways[0].callbacks_port if gateways else None)
            gateway.configuration["apps"] += [
                app_of(gateway, "shared", {"socket": str(folder / "shared")}),
                app_of(gateway, "both", [{"socket": str(folder / "both")}, {"redirect": LEGACY}])]
            gateways.append(gateway.start())
            stack.callback(gateway.stop)
        one, other = gateways
        parameters = query()
        # No app listens yet: a callback that no handler took may come again, at either gateway.
        assert heading(page_at(one, one.visit(one.url(f"/shared?{parameters}")))) == REFUSED
        app = SocketApp(folder / "shared")
        stack.callback(app.close)
        assert heading(page_at(other, other.visit(one.url(f"/shared?{parameters}")))) == TAKEN
        assert one.visit(one.url(f"/shared?{parameters}")).status == 303
        assert one.local_api().relay(f"x-contoso-shared://auth?{parameters}").json["handled"], "another address, another callback"
        assert other.local_api().relay(f"x-contoso-shared://auth?{parameters}").json["reason"] == "already_consumed"
        assert len(app.lines) == 2
        # A callback that one gateway sent on, the other sends on too, without asking a handler.
        assert one.visit(one.url(f"/both?{parameters}")).header("Location") == f"{LEGACY}?{parameters}"
        late = SocketApp(folder / "both")
        stack.callback(late.close)
        assert other.visit(one.url(f"/both?{parameters}")).header("Location") == f"{LEGACY}?{parameters}"
        assert late.lines == []
        # A callback that an app took at one gateway, the other does not hand over.
        more = query()
        assert one.visit(one.url(f"/both?{more}")).status == 303 and len(late.lines) == 1
        assert other.visit(one.url(f"/both?{more}")).header("Location").startswith("/done/")


def page_at(gateway, answer):
    """The page that an answer sends its browser to, at this gateway."""
    assert answer.status == 303, answer.text
    return gateway.visit(gateway.url(answer.header("Location")), headers={"Cookie": cookie_of(answer)}).text


def test_a_database_knows_what_was_handed_over_before_the_gateway_began_anew(run_folder, issuer, folder):
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["store"] = f"sqlite:{gateway.folder / 'requests.db'}"
    gateway.configuration["apps"] += [
        app_of(gateway, "kept", {"socket": str(folder / "kept")}),
        app_of(gateway, "ended", [{"socket": str(folder / "kept")}, {"redirect": LEGACY}]),
        app_of(gateway, "left", [{"socket": str(folder / "nobody")}, {"redirect": LEGACY}])]
    with contextlib.closing(SocketApp(folder / "kept")) as app:
        parameters, other = query(), query()
        gateway.start()
        taken = bring(gateway, "kept", parameters)
        assert heading(done_page(gateway, taken)) == TAKEN
        # A list with another end: a callback that the app took, and one that went on.
        ended, left = query(), query()
        assert bring(gateway, "ended", ended).status == 303 and bring(gateway, "left", left).status == 302
        gateway.stop()
        gateway.start()
        try:
            again = bring(gateway, "kept", parameters)
            assert again.status == 303 and reference_of(again) != reference_of(taken)
            assert bring(gateway, "ended", ended).header("Location").startswith("/done/")
            assert bring(gateway, "left", left).header("Location") == f"{LEGACY}?{left}"
            assert len(app.lines) == 2
            assert heading(done_page(gateway, bring(gateway, "kept", other))) == TAKEN
        finally:
            gateway.stop()


def test_a_store_that_is_out_hands_nothing_over_and_the_callback_may_come_again(run_folder, issuer, folder):
    with contextlib.ExitStack() as stack:
        redis = RedisServer(run_folder).start()
        stack.callback(redis.kill)
        gateway = SharingGateway(run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}/0")
        gateway.configuration["apps"].append(app_of(gateway, "out", {"socket": str(folder / "out")}))
        app = SocketApp(folder / "out")
        stack.callback(app.close)
        gateway.start()
        stack.callback(gateway.stop)
        redis.kill()
        parameters = query()
        answer = bring(gateway, "out", parameters)
        assert answer.status == 503 and int(answer.header("Retry-After")) > 0 and app.lines == []
        redis.start()
        eventually(lambda: bring(gateway, "out", parameters).status == 303)
        eventually(lambda: len(app.lines) == 1)


def test_a_reload_while_a_handler_is_asked_sends_the_browser_on_and_counts_it_for_its_app(start_gateway, folder):
    """The app has another number in the new configuration, and there are fewer of them."""
    asked, go_on = threading.Event(), threading.Event()

    def answer(_):
        asked.set()
        go_on.wait(20)
        return [b'{"handled":false}\n']

    app = SocketApp(folder / "slow", answer)
    gateway = start_gateway(change=lambda gateway: gateway.configuration["apps"].append(
        app_of(gateway, "slow", [{"socket": str(folder / "slow")}, {"redirect": LEGACY}])))
    last = gateway.configuration["apps"][-1]
    with ThreadPoolExecutor(1) as pool:
        browser = pool.submit(gateway.browse, gateway.url(f"/slow?{query()}"))
        assert asked.wait(20)
        length = len(gateway.output())
        gateway.configuration["apps"] = [last]
        gateway.write()
        gateway.reload()
        eventually(lambda: "event=reloaded" in gateway.output()[length:], what="the reload")
        go_on.set()
        assert browser.result(30).header("Location").startswith(LEGACY)
    app.close()
    assert 'switchyard_dispatched_total{app="com.contoso.slow"} 1' in gateway.admin("/metrics").body.decode()
