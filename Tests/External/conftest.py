"""Fixtures: one ordinary gateway and issuer for each worker of a run, and others where a test needs its own.

`make test` lets several workers run the files side by side (pytest-xdist); without `-n` there is this process alone. Tests
that look at the whole run are marked `last`. They run in the process that directs the workers, after these and their
programs have ended.
"""

import gc
import os
import signal
import subprocess

import pytest

from harness import outcomes
from harness.browser import Browsers
from harness.gateway import Gateway
from harness.issuer import CONFIDENTIAL, TestIssuer, authorize
from harness.programs import ROOT, SWITCHYARD
from harness.vault import VAULT

# Everything here is on loopback, so this machine's proxy does not count.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


def is_worker(config):
    return hasattr(config, "workerinput")


def directs_workers(config):
    return config.pluginmanager.hasplugin("dsession")


def pytest_sessionstart(session):
    """Before any worker starts, because all of them need the same certificates."""
    # Until the tests are collected, which makes no garbage to speak of.
    gc.disable()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A script's background job ignores it, and so would every program of this run, which tests interrupt.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not is_worker(session.config):
        if not SWITCHYARD.exists():
            pytest.exit(f"{SWITCHYARD} does not exist: run `make test`, or set SWITCHYARD_BIN", returncode=2)
        subprocess.run([ROOT / "certs" / "generate"], check=True)


# The files that take longest, in this order behind the early ones. The rest is short, so no worker waits for another one at the end.
LONGEST = [f"test_{name}.py" for name in (
    "page_accessibility", "examples", "store_ills", "outgoing", "mcp_sign_in", "kept_deliveries", "tool_sign_ins", "proxies", "redis_store",
    "openapi", "explain", "mcp_conformance", "token_storage", "abuse", "doctor", "agent_tokens", "imports", "registrations", "ssh_sessions",
    "mcp_agents_sign_in", "upgrade", "client_docs", "agent_resources", "mcp_floods", "mcp_servers", "ssh_tools", "mcp", "clean_address",
    "status", "agent_callers", "ssh_attacks", "client_neighbors", "resources", "remote_gateway", "ssh_slow_readers", "desktop_session")]


def turn(item):
    if item.get_closest_marker("early"):
        return -1
    return LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(config, items):
    last = [item for item in items if item.get_closest_marker("last")]
    others = [item for item in items if not item.get_closest_marker("last")]
    others.sort(key=turn)
    last.sort(key=lambda item: item.get_closest_marker("last").args)
    if is_worker(config):
        items[:] = others
    elif directs_workers(config):
        items[:] = last
    else:
        items[:] = others + last


def pytest_collection_finish():
    """The garbage collector need not look at thousands of tests again and again: they stay to the end."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    result = yield
    if directs_workers(session.config) and not session.shouldstop:
        collected = session.testscollected
        for item in session.perform_collect():
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        session.testscollected += collected
    return result


def pytest_runtest_logreport(report):
    outcomes.note(report)


def pytest_sessionfinish(session):
    if is_worker(session.config):
        session.config.workeroutput["secrets"] = VAULT.items()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for secret, kind in getattr(node, "workeroutput", {}).get("secrets", {}).items():
        VAULT.remember(kind, secret)


@pytest.fixture
def run_folders(tmp_path_factory):
    """The `run_folder` of every worker, or of this process if there are none."""
    base = tmp_path_factory.getbasetemp()
    return [*base.glob("run*"), *base.glob("popen-*/run*")]


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory):
    """The folder in which every program of this worker keeps its configuration and its log."""
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="session")
def issuer(run_folder):
    program = TestIssuer(run_folder, clients=CONFIDENTIAL).start()
    yield program
    program.stop()


@pytest.fixture(scope="session")
def tls_issuer(run_folder):
    """The demo issuer over TLS: MSAL takes no other."""
    program = TestIssuer(run_folder, tls=True).start()
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
        programs.append(TestIssuer(run_folder).start())
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


@pytest.fixture(scope="session")
def browsers(tmp_path_factory):
    """Those of this worker. A start takes a second of the processor, so a test gives its browser back."""
    lent = Browsers(tmp_path_factory)
    yield lent
    lent.close()


@pytest.fixture
def start_browser(browsers):
    """Makes browsers without the state of another test: each call gives a new one."""
    used = []

    def start(**options):
        used.append(browsers.take(**options))
        return used[-1]

    yield start
    for browser in used:
        browsers.give_back(browser)
