"""`switchyard reload`: it finds the gateway, says what came of it, and does no harm."""

import copy
import os
import signal

import pytest

from harness.api import Api
from harness.gateway import Gateway
from harness.issuer import authorize
from harness.programs import Program, eventually, run

APP = "com.contoso.app1"


def is_known(gateway, app):
    return gateway.api().begin_reply(f"com.contoso.{app}").status == 201


def with_new_app(gateway, name="new"):
    gateway.configuration["apps"].append(gateway.app(name, name.title(), client_id=name))
    gateway.write()


def test_reload_finds_the_gateway_by_its_configuration_and_says_that_it_was_taken(start_gateway):
    gateway = start_gateway()
    with_new_app(gateway)
    assert not is_known(gateway, "new")
    done = run("reload", "--config", gateway.file)
    assert done.returncode == 0 and "4 apps" in done.stdout, done
    # It is taken when the command says so.
    assert is_known(gateway, "new")


def test_a_wrong_configuration_is_said_and_the_gateway_is_not_asked(start_gateway):
    gateway = start_gateway()
    good, length = copy.deepcopy(gateway.configuration), len(gateway.output())
    gateway.configuration["nonsense"] = True
    gateway.write()
    told = run("reload", "--config", gateway.file)
    assert told.returncode == 2 and "nonsense" in told.stderr
    assert "reload" not in gateway.output()[length:] and is_known(gateway, "app1")
    gateway.configuration = good
    gateway.write()
    assert run("reload", "--config", gateway.file).returncode == 0


def test_the_gateways_own_refusal_is_told_with_its_reason(start_gateway):
    """The listeners are another matter than the file."""
    gateway = start_gateway()
    gateway.configuration["listen"].pop(0)
    gateway.write()
    told = run("reload", "--config", gateway.file)
    assert told.returncode == 2 and "listeners cannot be added" in told.stderr and "old configuration" in told.stderr


def test_the_gateway_can_be_named_by_its_admin_listener_alone(start_gateway):
    gateway = start_gateway()
    with_new_app(gateway)
    assert run("reload", "--admin", f"http://127.0.0.1:{gateway.admin_port}").returncode == 0
    assert is_known(gateway, "new")


def on_a_socket(gateway):
    gateway.operator = gateway.folder / "admin.sock"
    gateway.configuration["listen"].insert(0, {
        "address": f"unix:{gateway.operator}", "mode": "0666", "serve": ["admin"]})


def test_a_socket_is_as_good(start_gateway):
    gateway = start_gateway(change=on_a_socket)
    with_new_app(gateway)
    assert run("reload", "--config", gateway.file).returncode == 0
    assert is_known(gateway, "new")


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_another_user_of_the_machine_cannot_reload_over_a_socket(start_gateway):
    gateway = start_gateway(change=on_a_socket)
    for folder in [gateway.folder, *gateway.folder.parents]:
        folder.chmod(folder.stat().st_mode | 0o111)
    length = len(gateway.output())
    child = os.fork()
    if child == 0:
        os.setresuid(65534, 65534, 65534)
        reply = Api(f"unix:{gateway.operator}").call("POST", "/v1/reload", {})
        os._exit(0 if reply.status == 403 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert "reload" not in gateway.output()[length:]


def test_no_gateway_is_said(start_gateway):
    gateway = start_gateway()
    gateway.stop()
    told = run("reload", "--config", gateway.file)
    assert told.returncode == 1 and "no gateway" in told.stderr


def test_whom_no_gateway_answers_is_told_what_to_do(start_gateway, tmp_path):
    gateway = start_gateway(change=on_a_socket)
    gateway.stop()
    for told, word in [
        (run("reload", "--config", gateway.file), "systemctl start switchyard"),
        (run("reload", "--admin", f"unix:{tmp_path}/none.sock"), "there is no socket"),
        (run("reload", "--admin", "http://203.0.113.1:9901"), "http on loopback only"),
    ]:
        assert told.returncode == (2 if "loopback" in word else 1) and word in told.stderr, told
    gateway.configuration["listen"] = [entry for entry in gateway.configuration["listen"] if "admin" not in entry["serve"]]
    gateway.write()
    told = run("reload", "--config", gateway.file)
    assert told.returncode == 1 and "- address: 127.0.0.1:9901" in told.stderr and "serve: [admin]" in told.stderr


def test_another_listener_than_the_operators_is_said(gateway):
    told = run("reload", "--admin", gateway.socket)
    assert told.returncode == 1 and "the listener that serves admin alone" in told.stderr, told


@pytest.mark.rule(13)
@pytest.mark.parametrize("headers", [
    {"Origin": "http://127.0.0.1"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"},
    {"Content-Type": "text/plain"},
])
def test_a_page_cannot_ask_for_a_reload(gateway, headers):
    length = len(gateway.output())
    reply = Api(f"http://127.0.0.1:{gateway.admin_port}").call("POST", "/v1/reload", b"{}", headers={
        "Content-Type": "application/json"} | headers)
    assert reply.status in (403, 421)
    assert "event=reload" not in gateway.output()[length:]


def test_only_the_admin_listener_takes_it_and_only_as_a_post(gateway):
    assert gateway.api().call("POST", "/v1/reload", {}).status in (401, 404)
    assert gateway.admin("/v1/reload").status == 405


@pytest.fixture
def silent(run_folder, issuer):
    """A gateway without an admin listener, which writes its process into a file."""
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["listen"] = gateway.configuration["listen"][:3]
    gateway.pid = gateway.folder / "switchyard.pid"
    Program.__init__(gateway, gateway.log, "serve", "--config", gateway.file, "--pid-file", gateway.pid)
    gateway._is_ready = lambda: "event=ready" in gateway.output() and gateway.pid.exists()
    gateway.start()
    yield gateway
    gateway.stop()


def test_without_an_admin_listener_the_pid_file_does(silent):
    assert silent.pid.read_text() == f"{silent.process.pid}\n"
    told = run("reload", "--config", silent.file)
    assert told.returncode == 1 and "--pid-file" in told.stderr
    with_new_app(silent)
    done = run("reload", "--config", silent.file, "--pid-file", silent.pid)
    assert done.returncode == 0, done
    assert is_known(silent, "new")
    # Only the gateway can see this fault.
    silent.configuration["listen"].pop(0)
    silent.write()
    refused = run("reload", "--pid-file", silent.pid)
    assert refused.returncode == 2 and "listeners cannot be added" in refused.stderr
    silent.stop()
    assert not silent.pid.exists()


def test_a_pid_file_that_cannot_be_made_is_told_before_anybody_is_served(silent, tmp_path):
    silent.stop()
    for path in (tmp_path / "nowhere" / "pid", tmp_path):
        done = run("serve", "--config", silent.file, "--pid-file", path)
        assert done.returncode == 1 and str(path) in done.stderr and "name a file" in done.stderr
        assert "event=ready" not in done.stderr


def test_a_warning_is_told_once(gateway):
    done = run("reload", "--config", gateway.file)
    warnings = [line for line in done.stderr.splitlines() if "release" in line]
    assert done.returncode == 0 and warnings and len(warnings) == len(set(warnings))


def test_a_file_in_the_place_of_a_socket_is_called_one_and_kept(silent, tmp_path):
    silent.stop()
    precious = tmp_path / "precious"
    precious.write_text("work")
    silent.configuration["listen"][2]["address"] = f"unix:{precious}"
    silent.write()
    done = run("serve", "--config", silent.file)
    assert done.returncode == 1 and "a regular file stands there" in done.stderr and "move it away" in done.stderr
    assert "another program" not in done.stderr and precious.read_text() == "work"


def test_a_pid_file_that_names_another_program_aims_no_signal_at_it(tmp_path):
    """Also one that is left over from a gateway that is gone."""
    pid = tmp_path / "switchyard.pid"
    bystander = Program(tmp_path / "log", "60", program="/bin/sleep")
    bystander.launch(lambda: True)
    try:
        pid.write_text(f"{bystander.process.pid}\n")
        told = run("reload", "--pid-file", pid)
        assert told.returncode == 1 and "another program" in told.stderr
        assert bystander.process.poll() is None
    finally:
        bystander.kill()
    told = run("reload", "--pid-file", pid)
    assert told.returncode == 1 and "gone" in told.stderr


def test_the_signal_does_the_same(start_gateway):
    gateway = start_gateway()
    with_new_app(gateway)
    gateway.signal(signal.SIGHUP)
    eventually(lambda: is_known(gateway, "new"), what="the new app")


def test_the_documents_of_issuers_outlive_a_reload(start_gateway, issuer):
    """Otherwise adding an app while an issuer is away would end all sign-ins."""
    gateway = start_gateway(issuer_url=issuer.base)
    pending = gateway.api().begin(APP, extra_parameters={"demo": "auto"})
    callback = authorize(pending.authorization_url)
    issuer.control(outage="discovery,jwks")
    try:
        with_new_app(gateway)
        assert run("reload", "--config", gateway.file).returncode == 0
        assert is_known(gateway, "new")
        assert gateway.browse(callback).status == 303
    finally:
        issuer.control(outage="none")


@pytest.mark.rule(13)
def test_a_trusted_proxy_that_asks_for_somebody_elsewhere_gets_nothing_of_the_operators(start_gateway):
    """With any Host that it lets through."""
    gateway = start_gateway(trusted_proxies=["127.0.0.1"])
    for path in ["/", "/readyz", "/metrics", "/v1/status"]:
        assert gateway.admin(path).status == 200
        for field in ["X-Forwarded-For", "Forwarded"]:
            value = "198.51.100.7" if field == "X-Forwarded-For" else "for=198.51.100.7"
            assert gateway.admin(path, headers={field: value}).status == 421
    admin = Api(f"http://127.0.0.1:{gateway.admin_port}")
    assert admin.call("POST", "/v1/reload", {}, headers={"X-Forwarded-For": "198.51.100.7"}).status == 421
    assert admin.call("POST", "/v1/reload", {}).status == 200


def test_a_listener_that_serves_the_api_too_has_what_is_the_operators(start_gateway):
    gateway = start_gateway(change=lambda gateway: gateway.configuration["listen"][2]["serve"].append("admin"))
    for command in ["status", "reload"]:
        done = run(command, "--admin", gateway.socket)
        assert done.returncode == 0, done
    assert gateway.local_api().begin_reply(APP).status == 201
