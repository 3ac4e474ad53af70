"""SwitchyardClient from outside: sign-ins by each way that a callback can take, in real programs and a real browser."""

import json
import re
import resource
import socket
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.app import ClientApp
from harness.cutting import CuttingProxy, ListeningProxy
from harness.gateway import CA
from harness.held import CODE, HoldingGateway, NONE
from harness.issuer import authorize, fetch
from harness.programs import eventually, free_port
from harness.users import flood_by_another_user, needs_root, status_for_another_user
from harness.vault import VAULT

AUTO = {"demo": "auto"}


@pytest.fixture
def start_client(issuer):
    apps = []

    def start(**settings):
        app = ClientApp(authority=issuer.base, **settings)
        apps.append(app)
        return app

    yield start
    for app in apps:
        app.stop()


@pytest.fixture(scope="module")
def holding(run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    yield gateway
    gateway.stop()


def assert_signed_in(result):
    assert "error" not in result, result
    VAULT.remember("access token", result["access_token"])
    assert result["access_token"] and result["scopes"] == ["mail.read"] and result["id_token"]
    assert result["access_token"] not in result["description"]


# Loopback


def test_a_browser_comes_back_over_loopback(start_client, start_browser):
    app, browser = start_client(redirect_uri="http://localhost/callback"), start_browser()
    name, url = app.begin_sign_in()
    browser.open(url)
    browser.press(re.compile("allow|accept|approve|continue|sign in", re.I))
    assert_signed_in(app.end(name))
    browser.wait_for(lambda: "You are signed in" in browser.text, "the page")
    assert browser.complaints() == []


def test_the_page_speaks_french_and_says_when_it_did_not_work(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra={"demo": "auto,wrong_signature"})
    callback = authorize(url)
    status, headers, body = fetch(callback)
    assert status == 200 and "You are not signed in" in body.decode()
    assert app.end(name)["error"]["code"] == "invalid_id_token"
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    answer = raw_get(callback, "Accept-Language: fr-CH\r\n")
    assert "Connexion réussie" in answer and "Referrer-Policy: no-referrer" in answer
    assert "default-src 'none'" in answer and "no-store" in answer
    assert_signed_in(app.end(name))


def raw_get(url, headers="", method="GET", host=None, address="127.0.0.1"):
    parts = urlsplit(url)
    with socket.create_connection((address, parts.port), timeout=20) as connection:
        connection.sendall(
            f"{method} {parts.path}?{parts.query} HTTP/1.1\r\nHost: {host or parts.netloc}\r\n{headers}\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def test_both_families_of_loopback_listen_on_one_port(start_client):
    app = start_client(redirect_uri="http://localhost/callback")
    for address in ("127.0.0.1", "::1"):
        name, url = app.begin_sign_in(extra=AUTO)
        assert "You are signed in" in raw_get(authorize(url), address=address)
        assert_signed_in(app.end(name))


@pytest.mark.parametrize("options, status", [
    ({"method": "HEAD"}, 405), ({"method": "POST"}, 405), ({"headers": "Sec-Purpose: prefetch\r\n"}, 503),
    ({"host": "attacker.example"}, 404), ({"host": "attacker.example:{port}"}, 404),
])
def test_only_the_browser_itself_takes_a_code(start_client, options, status):
    """A prefetch or another method consumes nothing (rules: exactly once); another name for this machine leads nowhere."""
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    options = {key: value.format(port=urlsplit(callback).port) for key, value in options.items()}
    assert raw_get(callback, **options).startswith(f"HTTP/1.1 {status} ")
    assert "You are signed in" in raw_get(callback)
    assert_signed_in(app.end(name))


def test_other_paths_and_forged_callbacks_leave_the_sign_in_alone(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    for wrong in (callback.replace("/callback?", "/other?"), re.sub("state=[^&]+", "state=forged", callback),
                  re.sub("state=[^&]+&?", "", callback), re.sub("code=[^&]+", "", callback),
                  callback + "&code=second", callback.split("?")[0]):
        assert raw_get(wrong).startswith(("HTTP/1.1 400 ", "HTTP/1.1 404 ")), wrong
    assert "You are signed in" in raw_get(callback)
    assert_signed_in(app.end(name))


@needs_root
def test_another_user_can_neither_sign_the_app_in_nor_end_its_sign_in(start_client):
    """The list of processes shows every user the authorization address, with its state."""
    app = start_client(redirect_uri="http://localhost/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    theirs = authorize(url)
    error = re.sub("code=[^&]+", "error=access_denied", theirs)
    for callback in (theirs, error, theirs.replace("localhost", "127.0.0.1")):
        parts = urlsplit(callback)
        for host in ("127.0.0.1", "[::1]"):
            reached = callback.replace(f"{parts.hostname}:", f"{host}:")
            assert status_for_another_user("-H", f"Host: {parts.netloc}", reached) in (403, 404)
    assert status_for_another_user(theirs) == status_for_another_user(error) == 403
    # The person's own browser still completes.
    assert "You are signed in" in raw_get(authorize(url))
    assert_signed_in(app.end(name))
    warnings = [line for line in app.logs if "was refused" in line["log"]]
    assert len(warnings) == 1 and "65534" in warnings[0]["log"]


@needs_root
def test_another_user_takes_no_place_of_the_persons_browser(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        with flood_by_another_user(urlsplit(callback).port, 1100):
            assert "You are signed in" in raw_get(callback)
            assert_signed_in(app.end(name))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_listener_ends_with_the_sign_in(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    raw_get(callback)
    assert_signed_in(app.end(name))
    def is_closed():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", urlsplit(callback).port)) != 0
    eventually(is_closed, what="the closed port")


def test_many_sign_ins_at_once_are_told_apart(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    begun = [app.begin_sign_in(extra=AUTO) for _ in range(12)]
    for _, url in reversed(begun):
        assert "You are signed in" in raw_get(authorize(url))
    for name, _ in begun:
        assert_signed_in(app.end(name))


# Forwarded callbacks


def test_forwarded_callbacks_end_as_what_they_are(start_client):
    app = start_client()
    assert app.ready["redirect_uri"] == "msauth.com.contoso.mail://auth"
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    def handle(url):
        return app.call("handle", url=url)["outcome"].split(":")[0]
    assert handle("other.app://auth?code=x&state=y") == "not_mine"
    assert handle("mailto:ada@contoso.example") == handle("other.app:") == "not_mine"
    assert handle(callback.replace("://auth", "://auth/other")) == "not_mine"
    assert handle(re.sub("state=[^&]+", "state=forged", callback)) == "state_mismatch"
    assert handle(re.sub("state=[^&]+&?", "", callback)) == "state_mismatch"
    assert handle(callback + "&state=again") == "malformed"
    assert handle("") == "malformed"
    assert app.call("handle_msal", url=re.sub("state=[^&]+", "state=forged", callback)) == {"handled": False}
    assert handle(callback) == "completed"
    assert handle(callback) == "already_consumed"
    assert_signed_in(app.end(name))
    assert handle("msauth.com.contoso.mail://auth?code=x&state=nobody") == "no_pending_request"


@pytest.mark.parametrize("slash", ["", "/"], ids=["as registered", "as Entra sends it"])
def test_msal_s_yes_means_that_a_request_goes_on_with_it(start_client, slash):
    app = start_client()
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url).replace("://auth?", f"://auth{slash}?")
    assert app.call("handle_msal", url=callback) == {"handled": True}
    assert app.call("handle_msal", url=callback) == {"handled": False}
    assert_signed_in(app.end(name))


def test_a_sign_in_that_takes_too_long_says_so_and_its_callback_is_expired(start_client):
    app = start_client()
    name, url = app.begin_sign_in(extra=AUTO, timeout=1)
    error = app.end(name)["error"]
    assert (error["code"], error["internal"]) == ("timed_out", "response_not_received")
    assert app.call("handle", url=authorize(url))["outcome"] == "expired"


def test_canceling_the_task_cancels_the_sign_in(start_client):
    app = start_client()
    name, url = app.begin_sign_in(extra=AUTO)
    app.call("cancel", **{"for": name})
    error = app.end(name)["error"]
    assert (error["code"], error["internal"], error["msal_code"]) == ("user_canceled", "session_canceled", -50005)


@pytest.mark.parametrize("answer, code", [("error=access_denied", "access_denied"),
                                          ("error=access_denied&error_subcode=cancel", "user_canceled"),
                                          ("error=login_required", "interaction_required"),
                                          ("error=server_error", "server_error"),
                                          ("error=invalid_scope", "invalid_scope")])
def test_an_error_of_the_issuer_reaches_the_app_as_itself(start_client, issuer, answer, code):
    app = start_client()
    name, url = app.begin_sign_in()
    query = parse_qs(urlsplit(url).query)
    callback = f"{query['redirect_uri'][0]}?{answer}&state={query['state'][0]}&iss={issuer.base}"
    assert app.call("handle", url=callback)["outcome"] == "completed"
    assert app.end(name)["error"]["code"] == code


def test_a_response_of_another_issuer_is_refused_and_the_right_one_still_counts(start_client):
    app = start_client()
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    mixed = re.sub("iss=[^&]+", "iss=https://attacker.example", callback)
    assert app.call("handle", url=mixed)["outcome"].startswith("malformed")
    assert app.call("handle", url=callback)["outcome"] == "completed"
    assert_signed_in(app.end(name))


def test_a_response_does_not_choose_where_its_code_goes(start_client):
    """Only clouds of the issuer's own maker count as cloud_instance_host_name."""
    app = start_client(kind="entra")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url) + "&cloud_instance_host_name=attacker.example"
    assert app.call("handle", url=callback)["outcome"] == "completed"
    assert_signed_in(app.end(name))
    assert any("not known" in entry["log"] for entry in app.logs)


def test_one_name_of_a_request_is_in_all_that_belongs_to_it(start_client):
    app = start_client(kind="entra")
    name, url = app.begin_sign_in(extra=AUTO)
    given = parse_qs(urlsplit(url).query)["client-request-id"][0]
    assert re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", given)
    app.call("handle", url=re.sub("code=[^&]+", "code=wrong", authorize(url)))
    assert app.end(name)["error"]["correlation_id"] == given


@pytest.mark.parametrize("authority, internal", [("http://127.0.0.1:9", "connection_refused"),
                                                 ("https://no-such-host.invalid", "offline")])
def test_offline_is_told_from_refused(start_client, authority, internal):
    app = ClientApp(authority=authority)
    error = app.call("acquire", scopes=["mail.read"])["error"]
    app.stop()
    assert (error["code"], error["internal"]) == ("network", internal)


@pytest.mark.parametrize("change", ["/", "/nobody"])
def test_an_authority_that_is_none_is_told_from_a_bad_connection(issuer, change):
    app = ClientApp(authority=issuer.base + change)
    error = app.call("acquire", scopes=["mail.read"])["error"]
    app.stop()
    assert (error["code"], error["internal"]) == ("invalid_configuration", "failed_authority_validation")


# A gateway


def release_code(browser, url):
    browser.open(url)
    browser.wait_for(lambda: browser.driver.find_elements("id", "release-code"), "the release code")
    return browser.element("release-code")


@pytest.mark.parametrize("redemption", ["gateway", "app"])
def test_a_gateway_asks_for_its_code_and_the_app_brings_it(start_client, start_browser, holding, redemption):
    app = start_client(gateway=f"https://localhost:{holding.api_port}", ca=str(CA), app=CODE, client_id="code",
                       redemption=redemption)
    name, url = app.begin_sign_in(extra=AUTO)
    code = release_code(start_browser(), url)
    VAULT.remember("release code", code)
    question = app.wait(name, "code_for", "error")
    assert question["attempts_left"] is None
    app.call("code", code="BCDFGH", **{"for": name})
    assert app.wait(name, "code_for", "error")["attempts_left"] == 2
    app.call("code", code=code.lower(), **{"for": name})
    assert_signed_in(app.end(name))


def test_a_sign_in_outlives_connections_to_the_gateway_that_break(start_client, holding):
    """Also where libcurl sends a call again by itself, with a proof that has been used."""
    proxy = CuttingProxy(holding.api_port)
    app = start_client(gateway=f"https://localhost:{proxy.port}", ca=str(CA), app=NONE, client_id="open")
    name, url = app.begin_sign_in(extra=AUTO)
    for _ in range(3):
        accepted = proxy.accepted
        assert eventually(proxy.cut, what="a connection to cut")
        eventually(lambda: proxy.accepted > accepted, what="another connection")
    fetch_page(holding, url)
    assert_signed_in(app.end(name))
    proxy.close()


def test_three_wrong_codes_end_the_sign_in(start_client, start_browser, holding):
    app = start_client(gateway=holding.socket, app=CODE, client_id="code")
    name, url = app.begin_sign_in(extra=AUTO)
    release_code(start_browser(), url)
    for _ in range(3):
        app.wait(name, "code_for", "error")
        app.call("code", code="BCDFGH", **{"for": name})
    assert app.end(name)["error"]["code"] == "release_failed"


def test_an_app_that_cannot_ask_for_the_code_is_told_so(start_client, start_browser, holding):
    app = start_client(gateway=holding.socket, app=CODE, client_id="code")
    name, url = app.begin_sign_in(extra=AUTO, answers_code=False)
    start_browser().open(url)
    error = app.end(name)["error"]
    assert error["code"] == "release_failed" and "releaseCode" in error["message"]


def test_without_a_release_the_gateway_s_tokens_come_at_once(start_client, holding):
    app = start_client(gateway=holding.socket, app=NONE, client_id="open")
    name, url = app.begin_sign_in(extra=AUTO)
    status, headers, _ = fetch_page(holding, url)
    assert_signed_in(app.end(name))
    assert app.call("accounts")["accounts"]


def fetch_page(gateway, url):
    """Acts as a browser: the start page, the issuer, the callback."""
    answer = gateway.browse(url)
    assert answer.status in (302, 303), (answer.status, answer.text)
    callback = authorize(answer.header("Location"))
    answer = gateway.browse(callback)
    return answer.status, answer.headers, answer.text


def test_a_redirect_uri_that_the_gateway_does_not_serve_is_named(start_client, holding):
    app = start_client(gateway=holding.socket, app=NONE, client_id="open", redirect_uri="https://elsewhere.example/auth")
    error = app.call("acquire", scopes=["mail.read"])["error"]
    assert (error["code"], error["internal"]) == ("invalid_configuration", "invalid_redirect_uri")
    assert "https://elsewhere.example/auth" in error["message"]


def test_the_redirect_uri_can_be_checked_beforehand(start_client, holding):
    app = start_client(gateway=holding.socket, app=NONE, client_id="open")
    assert app.call("check") == {"checked": True}
    app = start_client(gateway=holding.socket, app=NONE, client_id="open", redirect_uri="https://elsewhere.example/auth")
    assert app.call("check")["error"]["internal"] == "invalid_redirect_uri"


def test_a_gateway_out_of_reach_is_told_from_an_issuer_out_of_reach(start_client):
    app = start_client(gateway="unix:/nonexistent/gateway.sock")
    assert app.call("acquire", scopes=["mail.read"])["error"]["code"] == "gateway_failed"


def test_a_result_is_acknowledged_only_once_it_is_verified(holding, tmp_path):
    """The issuer does not answer the app, which then holds unverified tokens."""
    way = ListeningProxy(tmp_path / "gateway.sock", holding.socket)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        app = ClientApp(
            authority=f"http://127.0.0.1:{silent.getsockname()[1]}", gateway=way.address, app=NONE, client_id="open")
        name, url = app.begin_sign_in(extra=AUTO)
        status, _, _ = fetch_page(holding, url)
        assert status == 303
        connection, _ = silent.accept()
        assert b'"completed"' in way.heard and b"DELETE /v1/requests/" not in way.heard
        app.call("cancel", **{"for": name})
        assert app.end(name)["error"]["code"] == "user_canceled"
        eventually(lambda: b"DELETE /v1/requests/" in way.heard, what="the end of the request")
        app.stop()
        connection.close()
    way.close()


def test_a_caller_that_gave_up_sees_no_browser_open_afterwards(holding):
    """The issuer answers after the app has canceled."""
    with socket.create_server(("127.0.0.1", 0)) as slow:
        issuer = f"http://127.0.0.1:{slow.getsockname()[1]}"
        app = ClientApp(authority=issuer)
        name = app.begin("acquire", scopes=["mail.read"])
        connection, _ = slow.accept()
        app.call("cancel", **{"for": name})
        assert app.end(name)["error"]["code"] == "user_canceled"
        document = json.dumps({
            "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys"})
        try:
            connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(document)}\r\n"
                               f"\r\n{document}".encode())
        except OSError:
            pass  # The app has hung up, which is as good.
        # A second command goes through the same loop: what the first had still to do is done then.
        assert app.call("accounts")["accounts"] == []
        assert not [event for event in app.events.get(name, []) if "present" in event]
        app.stop()
        connection.close()


def test_canceling_tells_the_gateway_too(start_client, holding):
    app = start_client(gateway=holding.socket, app=NONE, client_id="open")
    name, url = app.begin_sign_in(extra=AUTO)
    answer = holding.browse(url)
    callback = authorize(answer.header("Location"))
    before = holding.output().count("event=canceled")
    app.call("cancel", **{"for": name})
    assert app.end(name)["error"]["code"] == "user_canceled"
    # The library has answered its app already; a callback that came before the gateway knows would complete the request.
    eventually(lambda: holding.output().count("event=canceled") > before, what="the gateway to know")
    assert holding.browse(callback).status == 400


# Logs


@pytest.mark.rule(7)
def test_no_secret_and_no_name_is_in_what_the_library_tells(start_client):
    app = start_client()
    name, url = app.begin_sign_in(extra=AUTO, login_hint="ada@contoso.example")
    callback = authorize(url)
    app.call("handle", url=callback)
    result = app.end(name)
    assert_signed_in(result)
    told = json.dumps(app.logs)
    assert app.logs and "ada@" not in told and "@contoso.example" in told
    query = parse_qs(urlsplit(callback).query)
    for secret in (result["access_token"], result["id_token"], query["code"][0], query["state"][0]):
        assert secret not in told


# Attacks that a hostile reader found


def test_a_redirect_uri_with_a_port_is_listened_on_there(start_client):
    port = free_port()
    app = start_client(redirect_uri=f"http://127.0.0.1:{port}/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    assert urlsplit(callback).port == port
    assert "You are signed in" in raw_get(callback)
    assert_signed_in(app.end(name))
    with socket.create_server(("127.0.0.1", port)):
        error = app.call("acquire", scopes=["mail.read"])["error"]
    assert str(port) in error["message"] and error["code"] == "invalid_configuration"


def test_requests_share_the_port_that_their_redirect_uri_names(start_client):
    """And the port is free for others as soon as the last of them has ended, and not before."""
    port = free_port()
    app = start_client(redirect_uri=f"http://localhost:{port}/callback")
    begun = [app.begin_sign_in(extra=AUTO) for _ in range(3)]
    for name, url in reversed(begun):
        with pytest.raises(OSError):
            socket.create_server(("127.0.0.1", port))
        assert "You are signed in" in raw_get(authorize(url))
        assert_signed_in(app.end(name))
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        socket.create_server((address, port), family=family).close()


def test_one_sign_in_follows_another_on_the_same_port(start_client):
    app = start_client(redirect_uri=f"http://127.0.0.1:{free_port()}/callback")
    for _ in range(10):
        name, url = app.begin_sign_in(extra=AUTO)
        app.call("cancel", **{"for": name})
        assert app.end(name)["error"]["code"] == "user_canceled"
        name, url = app.begin_sign_in(extra=AUTO)
        assert "You are signed in" in raw_get(authorize(url))
        assert_signed_in(app.end(name))


@pytest.mark.parametrize("how", ["timeout", "cancel"])
def test_time_out_and_cancel_count_while_the_issuer_keeps_silent(how):
    """Also before there is an address to show."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        app = ClientApp(authority=f"http://127.0.0.1:{silent.getsockname()[1]}")
        name = app.begin("acquire", scopes=["mail.read"], timeout=1 if how == "timeout" else 60)
        connection, _ = silent.accept()
        if how == "cancel":
            app.call("cancel", **{"for": name})
        error = app.end(name, seconds=8)["error"]
        app.stop()
        connection.close()
    assert error["code"] == ("timed_out" if how == "timeout" else "user_canceled")


def test_a_browser_that_stays_in_the_foreground_holds_nothing_up(start_client, tmp_path):
    """Some desktops' xdg-open ends with the browser."""
    opener = tmp_path / "xdg-open"
    opener.write_text(f"#!/bin/bash\ngrep SigBlk /proc/self/status > {tmp_path}/mask\necho \"$1\" > {tmp_path}/url\nexec sleep 20\n")
    opener.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":7", "HOME": str(tmp_path)}
    app = start_client(env=env, redirect_uri="http://127.0.0.1/callback")
    name = app.begin("acquire", scopes=["mail.read"], extra=AUTO, opens_browser=True)
    url = eventually(lambda: (tmp_path / "url").exists() and (tmp_path / "url").read_text().strip(), what="the address")
    assert app.call("accounts") == {"accounts": []}
    assert "You are signed in" in raw_get(authorize(url))
    assert_signed_in(app.end(name, seconds=15))
    assert (tmp_path / "mask").read_text().split()[1] == "0" * 16


def test_connections_that_say_nothing_do_not_keep_the_browser_out(start_client):
    app = start_client(redirect_uri="http://127.0.0.1/callback")
    name, url = app.begin_sign_in(extra=AUTO)
    callback = authorize(url)
    idle = [socket.create_connection(("127.0.0.1", urlsplit(callback).port)) for _ in range(200)]
    assert "You are signed in" in raw_get(callback)
    assert_signed_in(app.end(name))
    for connection in idle:
        connection.close()
