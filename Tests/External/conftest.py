"""Fixtures: one ordinary gateway and issuer for the whole run, and others where a test needs its own."""

import os
import subprocess
from pathlib import Path

import pytest

from harness.browser import Browser
from harness.gateway import Gateway
from harness.issuer import DemoIssuer, authorize
from harness.programs import ROOT, SWITCHYARD

# Everything here is on loopback, whatever proxy this machine uses for the rest of the world.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory):
    """Where every program of this run keeps its configuration and its log."""
    if not SWITCHYARD.exists():
        pytest.exit(f"{SWITCHYARD} does not exist: run `make test`, or set SWITCHYARD_BIN", returncode=2)
    subprocess.run([ROOT / "certs" / "generate"], check=True)
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="session")
def issuer(run_folder):
    program = DemoIssuer(run_folder).start()
    yield program
    program.stop()


@pytest.fixture(scope="session")
def tls_issuer(run_folder):
    """The demo issuer over TLS: MSAL takes no other."""
    program = DemoIssuer(run_folder, tls=True).start()
    yield program
    program.stop()


@pytest.fixture(scope="session")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base).start()
    yield program
    program.stop()


@pytest.fixture(scope="session")
def tls_gateway(run_folder, tls_issuer):
    """A gateway in front of the issuer that speaks TLS."""
    program = Gateway(run_folder, tls_issuer.metadata()["issuer"]).start()
    yield program
    program.stop()


@pytest.fixture
def start_gateway(run_folder, issuer):
    """Makes gateways with other limits or keys, and stops them when the test is over."""
    programs = []

    def start(issuer_url=issuer.base, change=None, **options):
        program = Gateway(run_folder, issuer_url, **options)
        programs.append(program)
        if change is not None:
            change(program)
        return program.start()

    yield start
    for program in programs:
        program.stop()


@pytest.fixture
def start_issuer(run_folder):
    """Makes issuers that a test may stop."""
    programs = []

    def start():
        programs.append(DemoIssuer(run_folder).start())
        return programs[-1]

    yield start
    for program in programs:
        program.stop()


@pytest.fixture
def api(gateway):
    return gateway.api()


@pytest.fixture
def signed_in(api):
    """A pending request whose person has signed in at the issuer: (request, callback), not delivered yet."""
    pending = api.begin("com.contoso.app1", scope="openid profile")
    return pending, authorize(pending.authorization_url)


@pytest.fixture
def start_browser(tmp_path: Path):
    browsers = []

    def start(**options):
        browsers.append(Browser(tmp_path / f"profile-{len(browsers)}", **options))
        return browsers[-1]

    yield start
    for browser in browsers:
        browser.close()
