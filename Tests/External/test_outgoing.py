"""`outgoing`: calls leave through a proxy, here a real one that alone knows the names of the hosts behind it."""

import ipaddress
import json
import os
import secrets
import socket
import subprocess
from urllib.parse import quote, urlencode

import pytest
from cryptography import x509

from harness.agent import AgentGateway
from harness.certificates import Certificate
from harness.deviating import CLIENT, SECRET, DeviatingProvider
from harness.forward import ForwardProxy
from harness.handlers import app_of
from harness.held import NONE, HoldingGateway, outcome
from harness.programs import SWITCHYARD, eventually, free_port, run
from harness.standin import StandIn
from harness.vault import VAULT

IDP, HOOKS, FAR = "idp.corp.test", "hooks.corp.test", "gateway.corp.test"
VARIABLES = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
USER, PASSWORD = "ann", "p:a%s/ß-" + secrets.token_urlsafe(12)


@pytest.fixture(scope="module")
def authority(run_folder):
    folder = run_folder / "authority-of-the-corporation"
    folder.mkdir(exist_ok=True)
    authority = Certificate(folder, "Corp authority", is_authority=True)
    authority.folder = folder
    return authority


@pytest.fixture(scope="module")
def certificate(authority):
    names = [x509.DNSName(name) for name in (IDP, HOOKS, FAR)]
    return Certificate(authority.folder, IDP, issuer=authority, names=names)


@pytest.fixture(scope="module")
def provider(certificate):
    standin = StandIn(IDP, certificate)
    yield standin
    standin.stop()


@pytest.fixture(autouse=True)
def as_usual(provider):
    provider.reset()


@pytest.fixture
def start_proxy():
    proxies = []

    def start(**options):
        proxies.append(ForwardProxy(hosts=[IDP, HOOKS, FAR], **options).start())
        return proxies[-1]

    yield start
    for proxy in proxies:
        proxy.stop()


@pytest.fixture
def start(run_folder, provider, authority):
    """A gateway with an issuer that only the proxy can reach."""
    gateways = []

    def start(outgoing, environment=None):
        gateway = HoldingGateway(run_folder, provider.base)
        gateways.append(gateway)
        gateway.environment |= dict.fromkeys(VARIABLES, "") | (environment or {})
        gateway.configuration["issuers"][0]["ca"] = str(authority.pem)
        if outgoing is not None:
            gateway.configuration["outgoing"] = outgoing
        (gateway.folder / "proxy.password").write_text(PASSWORD + "\n")
        (gateway.folder / "proxy.password").chmod(0o600)
        VAULT.remember("password of the proxy", PASSWORD)
        return gateway.start()

    yield start
    for gateway in gateways:
        gateway.stop()


def begin(gateway):
    return gateway.api().begin_reply(NONE, scope="mail")


def sign_in(gateway):
    pending = gateway.api().begin(NONE, demo=None, scope="mail")
    fields = urlencode({"code": secrets.token_urlsafe(24), "state": pending.state})
    assert gateway.browse(f"{pending.redirect_uri}?{fields}").status == 303
    result = outcome(pending)
    assert result["status"] == "completed", result
    return result


def refusal(gateway):
    reply = begin(gateway)
    assert reply.status == 503, reply.body
    return reply.json["error_description"]


# Through a proxy


def test_a_sign_in_goes_through_the_proxy(start, start_proxy, provider):
    proxy = start_proxy()
    sign_in(start({"proxy": proxy.address}))
    assert len(provider.asked("/token")) == 1
    assert set(proxy.tunnels()) == {(f"{IDP}:{provider.port}", 200)}


def test_without_it_the_issuer_is_not_found(start):
    assert "through the proxy" not in refusal(start(None))


def test_the_proxy_gets_user_and_password(start, start_proxy, provider):
    proxy = start_proxy(user=USER, password=PASSWORD)
    gateway = start({"proxy": proxy.address, "user": USER, "password_file": "proxy.password"})
    sign_in(gateway)
    assert {status for _, status in proxy.tunnels()} == {200}
    assert all("proxy-authorization" not in request["headers"] for request in provider.requests)
    assert PASSWORD not in gateway.log.read_text()


@pytest.mark.parametrize("outgoing, words", [
    ({}, "asks for a user and a password"), ({"user": "bob", "password_file": "proxy.password"}, "does not accept user and password"),
])
def test_a_proxy_that_wants_another_login_is_named(start, start_proxy, outgoing, words):
    proxy = start_proxy(user=USER, password=PASSWORD)
    gateway = start({"proxy": proxy.address} | outgoing)
    told = refusal(gateway)
    assert f"the proxy {proxy.address}" in told and words in told
    # The line may be written behind the answer.
    eventually(lambda: "reason=proxy_refused" in gateway.log.read_text(), what="the reason in the log")
    assert PASSWORD not in gateway.log.read_text()


def test_a_proxy_that_refuses_the_host_is_named_with_its_status(start, start_proxy):
    proxy = start_proxy(denied=[IDP])
    assert f"the proxy {proxy.address} refused the connection with status 403" in refusal(start({"proxy": proxy.address}))


def test_a_proxy_is_reached_by_tls_with_an_authority_of_its_own(start, start_proxy, run_folder, provider):
    folder = run_folder / f"proxys-authority-{free_port()}"
    folder.mkdir()
    own = Certificate(folder, "Proxy authority", is_authority=True)
    served = Certificate(folder, "127.0.0.1", issuer=own, names=[x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    proxy = start_proxy(certificate=served)
    address = proxy.address.replace("http:", "https:")
    assert f"the certificate of the proxy {address} does not pass" in refusal(start({"proxy": address}))
    sign_in(start({"proxy": address, "ca": str(own.pem)}))
    assert {status for _, status in proxy.tunnels()} == {200}


def test_the_authority_also_counts_for_servers_behind_the_proxy(start, start_proxy, authority):
    """A proxy that opens TLS shows certificates of its own authority."""
    proxy = start_proxy()
    gateway = start({"proxy": proxy.address, "ca": str(authority.pem)})
    del gateway.configuration["issuers"][0]["ca"]
    gateway.write()
    gateway.reload()
    eventually(lambda: "event=reloaded" in gateway.log.read_text(), what="the reload")
    sign_in(gateway)


def test_a_proxy_that_is_not_there_is_named(start):
    address = f"http://127.0.0.1:{free_port()}"
    assert f"through the proxy {address}" in refusal(start({"proxy": address}))


def test_a_time_out_says_through_what_it_went(run_folder, start, provider):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        gateway = start({"proxy": address})
        gateway.configuration["limits"]["issuer_timeout"] = "1s"
        gateway.write()
        gateway.reload()
        eventually(lambda: "event=reloaded" in gateway.log.read_text(), what="the reload")
        assert f"through the proxy {address}" in refusal(gateway)
        eventually(lambda: all(words in gateway.log.read_text() for words in ("reason=timed_out", f"proxy={address}")), what="the log")


def test_a_reload_takes_another_proxy(start, start_proxy):
    gateway = start(None)
    refusal(gateway)
    proxy = start_proxy()
    gateway.configuration["outgoing"] = {"proxy": proxy.address}
    gateway.write()
    gateway.reload()
    eventually(lambda: begin(gateway).status == 201, what="the way through the proxy")


def test_a_code_is_sent_once_through_a_proxy(start, start_proxy, provider):
    proxy = start_proxy()
    gateway = start({"proxy": proxy.address})
    # Several on one tunnel: the connection is kept.
    for _ in range(4):
        sign_in(gateway)
    assert len(provider.asked("/token")) == 4
    assert len({request["form"]["code"] for request in provider.asked("/token")}) == 4
    assert len(proxy.tunnels()) < 8


def test_a_code_whose_answer_is_lost_is_not_sent_again(start, start_proxy, provider):
    gateway = start({"proxy": start_proxy().address})
    # The tunnel stands now, and is kept.
    sign_in(gateway)

    def lose(_):
        raise ConnectionResetError

    provider.answers["/token"] = lose
    pending = gateway.api().begin(NONE, demo=None, scope="mail")
    fields = urlencode({"code": secrets.token_urlsafe(24), "state": pending.state})
    assert gateway.browse(f"{pending.redirect_uri}?{fields}").status == 303
    assert pending.failure()["code"] == "network"
    assert len(provider.asked("/token")) == 2


def test_a_webhook_goes_through_the_proxy(run_folder, start, start_proxy, provider, authority):
    proxy = start_proxy()
    gateway = start({"proxy": proxy.address, "ca": str(authority.pem)})
    (gateway.folder / "hook.key").write_text("c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0")
    (gateway.folder / "hook.key").chmod(0o600)
    hook = {"webhook": {"url": f"https://{HOOKS}:{provider.port}/hook", "secret_file": "hook.key"}}
    provider.answers["/hook"] = (200, {}, "")
    gateway.configuration["apps"].append(app_of(gateway, "hook", hook))
    gateway.write()
    gateway.reload()
    eventually(lambda: "event=reloaded" in gateway.log.read_text(), what="the reload")
    gateway.browse(gateway.url("/hook?code=c&state=s"))
    eventually(lambda: provider.asked("/hook"), what="the webhook")
    assert (f"{HOOKS}:{provider.port}", 200) in proxy.tunnels()


# Past the proxy


@pytest.mark.parametrize("exception", [IDP, ".corp.test", f"{IDP}:PORT"])
def test_an_exception_is_reached_directly(start, start_proxy, provider, exception):
    proxy = start_proxy()
    exception = exception.replace("PORT", str(provider.port))
    told = refusal(start({"proxy": proxy.address, "no_proxy": ["10.0.0.0/8", exception]}))
    assert "the proxy" not in told and not proxy.tunnels()


@pytest.mark.parametrize("exception", ["corp.test", ".idp.corp.test.example", "10.0.0.0/8", f"{IDP}:1"])
def test_another_exception_changes_nothing(start, start_proxy, exception):
    sign_in(start({"proxy": start_proxy().address, "no_proxy": [exception]}))


def test_loopback_is_always_reached_directly(start_gateway, start_proxy, issuer):
    """The test issuer is on localhost, as a local gateway or agent is."""
    proxy = start_proxy()
    gateway = start_gateway(outgoing={"proxy": proxy.address})
    assert gateway.api().begin_reply("com.contoso.app1").status == 201
    assert not proxy.tunnels()


# The environment


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_the_environment_names_the_proxy_where_that_is_wanted(start, start_proxy, variable):
    proxy = start_proxy(user=USER, password="pass word")
    environment = {variable: proxy.address.replace("://", f"://{USER}:pass%20word@")}
    sign_in(start({"proxy": "environment"}, environment))
    assert {status for _, status in proxy.tunnels()} == {200}


def test_no_proxy_of_the_environment_counts(start, start_proxy):
    proxy = start_proxy()
    refusal(start({"proxy": "environment"}, {"HTTPS_PROXY": proxy.address, "NO_PROXY": "example.com,corp.test"}))
    assert not proxy.tunnels()


def test_the_environment_is_not_used_by_itself(start, start_proxy):
    proxy = start_proxy()
    refusal(start(None, {"HTTPS_PROXY": proxy.address, "https_proxy": proxy.address}))
    assert not proxy.tunnels()


# An agent


class World:
    """A user's agent with an issuer that only the proxy can reach; `account` for one without ID tokens."""

    app = "com.contoso.far"

    def __init__(self, folder, authority, certificate, outgoing, environment=None, rules=None):
        self.provider = DeviatingProvider(rules, host=IDP, certificate=certificate)
        self.agent = AgentGateway(folder, "https://localhost:1")
        self.agent.environment |= dict.fromkeys(VARIABLES, "") | (environment or {})
        account = {"account": {"url": f"{self.provider.base}/me", "id": "/id", "name": "/login"}} if rules else {}
        self.agent.configuration["outgoing"] = outgoing
        self.agent.configuration["issuers"].append(self.provider.configuration("far", ca=str(authority.pem), **account))
        self.agent.configuration["apps"].append(self.agent.app(
            "far", "Far", issuer="far", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
            begin_from={"uids": [os.getuid()]}, default_scope="mail" if rules else "openid mail"))
        password = self.agent.folder / "proxy.password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        VAULT.remember("password of the proxy", PASSWORD)
        self.agent.start()
        self.api = self.agent.local_api()

    def token(self, **fields):
        reply = self.api.call("POST", "/v1/tokens", {"app": self.app, **fields})
        if reply.status == 200:
            VAULT.remember("access_token", reply.json["access_token"])
        return reply

    def sign_in(self):
        refused = self.token()
        assert refused.status == 401, refused.body
        pending = self.api.begin(self.app, demo=None, **{k: v for k, v in refused.json["request"].items() if k != "app"})
        assert self.agent.browse(self.provider.authorize(pending.authorization_url)).status == 303
        VAULT.remember_all(pending.outcome()["token_response"])
        pending.delete()

    def stop(self):
        self.agent.stop()
        self.provider.stop()


@pytest.mark.parametrize("rules", [None, {"id_token": "none", "refresh_endpoint": "another address"}], ids=["openid", "oauth"])
@pytest.mark.parametrize("by_environment", [False, True], ids=["named", "environment"])
def test_an_agents_refresh_goes_through_the_proxy(run_folder, authority, certificate, start_proxy, by_environment, rules):
    proxy = start_proxy(user=USER, password=PASSWORD)
    outgoing, environment = {"proxy": proxy.address, "user": USER, "password_file": "proxy.password"}, {}
    if by_environment:
        outgoing["proxy"], environment = "environment", {"HTTPS_PROXY": proxy.address}
    world = World(run_folder, authority, certificate, outgoing, environment, rules)
    try:
        world.sign_in()
        first = world.token().json["access_token"]
        reply = world.token(force_refresh=True)
        assert reply.status == 200 and reply.json["access_token"] != first, reply.body
        assert len(world.provider.asked("/refresh" if rules else "/token")) == (1 if rules else 2)
        # There is no other way to the issuer.
        tunnels = proxy.tunnels()
        assert tunnels and set(tunnels) == {(f"{IDP}:{world.provider.port}", 200)}
        reply = world.token(force_refresh=True)
        assert reply.status == 502 and f"the proxy {proxy.address}" in reply.body.decode(), reply.body
        assert PASSWORD not in world.agent.log.read_text() and PASSWORD not in reply.body.decode()
    finally:
        world.stop()


# Configurations


@pytest.mark.parametrize("outgoing, words", [
    ({}, '"proxy" is missing'), ({"proxy": "socks5://127.0.0.1:1080"}, "socks5"),
    ({"proxy": "http://ann:secret@127.0.0.1:3128"}, "give them as user and password_file"), ({"proxy": "http://:3128"}, "no host"),
    ({"proxy": "http://proxy:99999"}, "a port that is not from 1 to 65535"),
    ({"proxy": "http://proxy:3128/path"}, "or a path"),
    ({"proxy": "http://proxy:3128", "user": "a:b"}, "without a colon"), ({"proxy": "http://proxy", "password_file": "x"}, "without \"user\""),
    ({"proxy": "http://proxy", "no_proxy": ["10.0.0.1/8"]}, "a network such as 10.0.0.0/8"), ({"proxy": "http://proxy", "noproxy": []}, "no_proxy"),
])
def test_check_refuses_what_cannot_work(run_folder, outgoing, words):
    gateway = HoldingGateway(run_folder, "https://idp.corp.test")
    gateway.configuration["outgoing"] = outgoing
    gateway.write()
    done = run("check", "--config", gateway.file)
    assert done.returncode == 2 and words in done.stderr + done.stdout, done
    assert "secret@" not in done.stderr + done.stdout


# doctor


def findings(done):
    return [one for one in json.loads(done.stdout)["findings"] if one["area"] == "issuers"]


def test_doctor_tries_issuers_through_the_proxy(start, start_proxy, provider):
    proxy = start_proxy()
    gateway = start({"proxy": proxy.address})
    found = findings(run("doctor", "--json", "--config", gateway.file))
    assert any(proxy.address in one["what"] for one in found if one["subject"] == "outgoing"), found
    assert not [one for one in found if "cannot be had" in one["what"]], found
    assert (f"{IDP}:{provider.port}", 200) in proxy.tunnels()


def test_doctor_names_the_proxy_that_refuses(start, start_proxy):
    proxy = start_proxy(user=USER, password=PASSWORD)
    gateway = start({"proxy": proxy.address})
    found = [one for one in findings(run("doctor", "--json", "--config", gateway.file)) if one["level"] == "error"]
    assert any("407" in one["what"] or "asks for a user" in one["what"] for one in found), found
    assert any("password_file" in one["do"] for one in found), found


def test_doctor_names_a_proxy_of_the_environment_that_is_not_used(start):
    gateway = start(None)
    environment = dict.fromkeys(VARIABLES, "") | {"HTTPS_PROXY": "http://ann:hidden@proxy.corp.test:3128"}
    done = run("doctor", "--json", "--config", gateway.file, env=environment)
    [one] = [one for one in findings(done) if one["subject"] == "outgoing"]
    assert one["level"] == "warning" and "HTTPS_PROXY" in one["what"] and "environment" in one["do"]
    assert "hidden" not in done.stdout + done.stderr


# Commands


def test_a_command_reaches_a_gateway_through_the_proxy(start, start_proxy, certificate, authority):
    proxy = start_proxy()
    gateway = start({"proxy": proxy.address})
    api = next(one for one in gateway.configuration["listen"] if one["serve"] == ["api"])
    api["tls"] = {"certificate": str(certificate.pem), "key": str(certificate.key_file)}
    gateway.stop()
    gateway.start()
    url = f"https://{FAR}:{gateway.api_port}"
    login = ["login", "--app", "com.contoso.unknown", "--gateway", url, "--ca", authority.pem]
    direct = run(*login)
    assert direct.returncode != 0 and "through the proxy" not in direct.stderr
    run(*login, "--proxy", proxy.address)
    run(*login, env=dict.fromkeys(VARIABLES, "") | {"SWITCHYARD_PROXY": "environment", "HTTPS_PROXY": proxy.address})
    assert [name for name, _ in proxy.tunnels() if FAR in name] == [f"{FAR}:{gateway.api_port}"] * 2


COMMANDS = {
    "login": ["login", "--app", "com.contoso.unknown"], "open": ["open", "msauth.com.contoso.app1://auth?code=c&state=s"],
    "token": ["token", "--app", "com.contoso.unknown"], "accounts": ["accounts", "--app", "com.contoso.unknown"],
    "logout": ["logout", "--app", "com.contoso.unknown", "--account", "ann"],
    "git": ["token", "get", "--app", "com.contoso.unknown", "--format", "git", "--host", "git.contoso.com"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("by", ["address", "environment"])
def test_every_command_gives_the_proxy_user_and_password(start, start_proxy, certificate, authority, command, by):
    """The address with the password is in the environment, and goes to no other program."""
    proxy = start_proxy(user=USER, password=PASSWORD)
    gateway = start(None)
    api = next(one for one in gateway.configuration["listen"] if one["serve"] == ["api"])
    api["tls"] = {"certificate": str(certificate.pem), "key": str(certificate.key_file)}
    gateway.stop()
    gateway.start()
    address = proxy.address.replace("://", f"://{USER}:{quote(PASSWORD, safe='')}@")
    environment = {"SWITCHYARD_PROXY": address} if by == "address" else {"SWITCHYARD_PROXY": "environment", "https_proxy": address}
    arguments = [*COMMANDS[command], "--gateway", f"https://{FAR}:{gateway.api_port}", "--ca", authority.pem]
    done = subprocess.run(
        [SWITCHYARD, *arguments], capture_output=True, text=True, timeout=60, input="protocol=https\nhost=git.contoso.com\n\n",
        env={name: value for name, value in os.environ.items() if name not in VARIABLES} | environment)
    tunnels = proxy.tunnels()
    assert tunnels and set(tunnels) == {(f"{FAR}:{gateway.api_port}", 200)}, (done, tunnels)
    for told in (done.stdout, done.stderr, gateway.log.read_text()):
        assert PASSWORD not in told and quote(PASSWORD, safe="") not in told


def test_a_password_in_an_argument_is_refused():
    done = run("login", "--app", "a", "--gateway", "https://g.test", "--proxy", "http://ann:secret@proxy:3128")
    assert done.returncode == 2 and "SWITCHYARD_PROXY" in done.stderr and "secret" not in done.stderr.replace("SECRET", "")
