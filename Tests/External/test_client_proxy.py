"""SwitchyardClient behind a real proxy (`ProxyConfiguration`), which alone knows the host of the issuer."""

import pytest
from cryptography import x509

from harness.app import ClientApp
from harness.certificates import Certificate
from harness.deviating import CLIENT
from harness.forward import ForwardProxy
from harness.issuer import fetch
from harness.strict import StrictProvider
from harness.vault import VAULT

IDP = "idp.corp.test"
USER, PASSWORD = "ann", "p:a%s/ß-of-the-proxy"


@pytest.fixture(scope="module")
def authority(run_folder):
    folder = run_folder / "authority-of-the-library"
    folder.mkdir(exist_ok=True)
    return Certificate(folder, "Corp authority", is_authority=True)


@pytest.fixture(scope="module")
def provider(authority, run_folder):
    own = Certificate(run_folder / "authority-of-the-library", IDP, issuer=authority, names=[x509.DNSName(IDP)])
    provider = StrictProvider("none", par="none", host=IDP, certificate=own)
    yield provider
    provider.stop()


@pytest.fixture
def world(provider, authority):
    made = []

    def start_proxy(**options):
        made.append(ForwardProxy(hosts=[IDP], **options).start())
        return made[-1]

    def start(env=None, **settings):
        made.append(ClientApp(
            env, authority=provider.base, ca=str(authority.pem), client_id=CLIENT, redirect_uri="http://127.0.0.1/callback", **settings))
        return made[-1]

    start.proxy = start_proxy
    yield start
    for one in made:
        one.stop()


def sign_in(provider, app):
    name, url = app.begin_sign_in("mail")
    assert fetch(provider.authorize(url))[0] == 200
    result = app.end(name)
    assert "error" not in result, result
    VAULT.remember("access token", result["access_token"])


def refusal(app):
    return app.call("acquire", scopes=["mail"])["error"]


def test_a_sign_in_goes_through_the_proxy(world, provider):
    proxy = world.proxy(user=USER, password=PASSWORD)
    sign_in(provider, world(proxy=proxy.address, proxy_user=USER, proxy_password=PASSWORD))
    assert set(proxy.tunnels()) == {(f"{IDP}:{provider.port}", 200)}
    # Only the proxy can resolve the name.
    assert refusal(world())["code"] == "network"


def test_another_password_is_named(world):
    proxy = world.proxy(user=USER, password=PASSWORD)
    error = refusal(world(proxy=proxy.address, proxy_user=USER, proxy_password="another"))
    assert error["code"] == "network" and "does not accept user and password" in error["message"], error
    assert "another" not in error["message"] and PASSWORD not in error["message"]


def test_exceptions_are_reached_directly(world):
    proxy = world.proxy()
    assert refusal(world(proxy=proxy.address, proxy_exceptions=[".corp.test"]))["code"] == "network"
    assert proxy.tunnels() == []


def test_the_environment_names_it(world, provider):
    proxy = world.proxy()
    sign_in(provider, world({"HTTPS_PROXY": proxy.address, "NO_PROXY": "elsewhere.test"}, proxy="environment"))
    assert set(proxy.tunnels()) == {(f"{IDP}:{provider.port}", 200)}
    app = world({"HTTPS_PROXY": proxy.address, "NO_PROXY": "corp.test"}, proxy="environment")
    assert refusal(app)["code"] == "network"


@pytest.mark.parametrize("settings, words", [
    ({"proxy": "ftp://proxy.test:3128"}, "the address of the proxy"),
    ({"proxy": "http://proxy.test:3128", "proxy_exceptions": ["a b"]}, 'exception "a b"')])
def test_a_wrong_proxy_is_an_error_of_the_configuration(world, settings, words):
    error = world(**settings).ready["error"]
    assert error["code"] == "invalid_configuration" and words in error["message"], error
