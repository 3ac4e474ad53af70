"""The faults that `switchyard check` finds: certificates, names, ports, users, files of teams."""

import copy
import os
import re

import pytest
import yaml
from cryptography import x509

from harness import wire
from harness.api import Api
from harness.certificates import Certificate
from harness.held import Visit, outcome, release
from harness.programs import eventually, free_port, run


@pytest.fixture
def check(gateway, tmp_path):
    """Checks the ordinary configuration with changes: the result of the command."""

    def checked(change):
        configuration = copy.deepcopy(gateway.configuration)
        change(configuration)
        (tmp_path / "c.yaml").write_text(yaml.safe_dump(configuration, sort_keys=False))
        return run("check", "--config", tmp_path / "c.yaml")

    return checked


def certificate(folder, days, *names):
    made = Certificate(folder, "door", days=days, names=[x509.DNSName(name) for name in names or ("localhost",)])
    return {"certificate": str(made.pem), "key": str(made.key_file)}


def test_an_expired_certificate_is_an_error(check, tmp_path):
    done = check(lambda file: file["listen"][0].update(tls=certificate(tmp_path, -1)))
    assert done.returncode == 2 and re.search(r"c\.yaml:\d+:\d+: .*door\.pem expired on .*: browsers refuse it", done.stderr)


def test_one_that_ends_soon_is_a_warning(check, tmp_path):
    done = check(lambda file: file["listen"][0].update(tls=certificate(tmp_path, 5)))
    assert done.returncode == 0 and re.search(r"warning: .*door\.pem expires on .*, in [45] days", done.stdout)
    assert "expires" not in check(lambda file: file["listen"][0].update(tls=certificate(tmp_path, 20))).stdout


def test_a_certificate_for_other_names_is_a_warning(check, tmp_path):
    done = check(lambda file: file["listen"][0].update(tls=certificate(tmp_path, 90, "sso.contoso.com")))
    assert done.returncode == 0
    assert re.search(r"warning: no certificate for callbacks is for localhost, .*sso\.contoso\.com", done.stdout)
    assert "no certificate" not in check(lambda file: None).stdout


def test_a_gateway_says_so_when_it_starts_and_when_it_reads_an_expired_one(start_gateway, tmp_path):
    gateway = start_gateway()
    gateway.configuration["listen"][0]["tls"] = certificate(tmp_path, -1)
    gateway.write()
    gateway.reload()
    eventually(lambda: "expired on" in gateway.output(), what="the reason in the log")
    # It goes on: programs on its Unix socket need no certificate.
    assert gateway.local_api().begin_reply("com.contoso.app1").status == 201
    assert gateway.stop() == 0
    gateway.start()
    assert gateway.output().count("expired on") >= 2


def test_a_user_that_nobody_is_cannot_be_a_proxy(check):
    done = check(lambda file: file.update(trusted_proxies=["uid:nobody-of-this-name"]))
    assert done.returncode == 2
    assert re.search(r'c\.yaml:\d+:\d+: there is no user "nobody-of-this-name" on this machine; write uid:', done.stderr)
    assert check(lambda file: file.update(trusted_proxies=["uid:root", f"uid:{os.getuid()}"])).returncode == 0


@pytest.mark.parametrize("uri, words", [
    ("https://localhost:{other}/x", "has port {other}, although public_url has {port}"), ("https://localhost:{port}/x", None),
])
def test_a_redirect_uri_at_another_port_is_a_warning(check, gateway, uri, words):
    ports = {"other": gateway.callbacks_port + 1, "port": gateway.callbacks_port}

    def change(file):
        file["apps"][0]["redirect_uris"] = [uri.format(**ports)]

    done = check(change)
    assert done.returncode == 0 and ("although public_url has" in done.stdout) == bool(words)
    assert (words or "").format(**ports) in done.stdout


def test_a_file_without_apps_is_told_once(check):
    done = check(lambda file: file.update(apps=[]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("There is no app yet") == 1 and "nothing" not in done.stdout and "Routes" not in done.stdout


def test_a_slip_in_an_option_is_answered_with_the_option():
    done = run("check", "--confg", "c.yaml")
    assert done.returncode == 2 and 'unknown option "--confg"; did you mean --config?' in done.stderr


def test_an_unknown_issuer_is_told_beside_the_other_mistakes_of_its_app(check):
    def change(file):
        file["apps"][0] |= {"issuer": "nobody", "redirect_uris": ["https://*.contoso.com/a"], "release": "codes"}

    errors = check(change).stderr
    assert all(words in errors for words in ('unknown issuer "nobody"', "wildcard", '"codes"')), errors


def test_entras_other_clouds_stand_for_many_tenants_too(check):
    def change(file):
        file["issuers"].append({"name": "us", "issuer": "https://login.microsoftonline.us/organizations/v2.0"})
        file["apps"].append({
            "id": "com.contoso.us", "issuer": "us", "client_id": "us", "redirect_uris": ["x-us://auth"]})

    done = check(change)
    assert done.returncode == 2 and 'no tenants, although the issuer "us" stands for many' in done.stderr


@pytest.mark.parametrize("name", ["outer", "linked", "hard"])
def test_a_teams_file_takes_no_secret_through_a_link(check, tmp_path, name):
    (tmp_path / "apps.d").mkdir(mode=0o755)
    (tmp_path / "outer").write_text("hunter2")
    (tmp_path / "apps.d" / "linked").symlink_to("../outer")
    os.link(tmp_path / "outer", tmp_path / "apps.d" / "hard")
    secret = "../outer" if name == "outer" else name
    (tmp_path / "apps.d" / "team.yaml").write_text(yaml.safe_dump({"apps": [{
        "id": "team", "issuer": "demo", "client_id": "team", "redirect_uris": ["x-team://auth"],
        "client_secret_file": secret, "begin_from": {"uids": [1000]}}]}))
    done = check(lambda file: file.update(apps_directory=str(tmp_path / "apps.d")))
    words = {"outer": "is not beside this file", "linked": "it is a symbolic link that leads out of", "hard": "a hard link"}
    assert done.returncode == 2 and words[name] in done.stderr and "hunter2" not in done.stderr + done.stdout


# A gateway for this machine alone.


@pytest.fixture
def plain(start_gateway):
    """A gateway with a plain http public_url on loopback, and an app with a redirect URI below it."""
    port = free_port()

    def change(gateway):
        gateway.origin = f"http://127.0.0.1:{port}"
        file = gateway.configuration
        file["public_url"] = gateway.origin
        file["listen"].append({"address": f"127.0.0.1:{port}", "serve": ["callbacks", "api"]})
        file["apps"].append(gateway.app("local", "Local Mail", client_id="local", release="code"))

    return start_gateway(change=change)


def test_a_plain_http_redirect_uri_on_loopback_is_served(plain):
    api = Api(plain.origin)
    pending = api.begin("com.contoso.local", scope="openid", extra_parameters={"demo": "auto"})
    assert pending.redirect_uri == f"{plain.origin}/local/auth"
    visit = Visit(plain, pending)
    assert visit.code, visit.page().text
    assert release(pending, code=visit.code).status == 204
    assert outcome(pending)["status"] == "completed"


@pytest.mark.parametrize("host, status", [
    ("127.0.0.1:{port}", 400), ("localhost:{port}", 404), ("127.0.0.1", 404), ("127.0.0.1:1", 404), ("login.contoso.com", 404),
])
def test_it_is_served_at_its_own_host_and_port_only(plain, host, status):
    port = int(plain.origin.rsplit(":", 1)[1])
    line = f"GET /local/auth?code=x&state=y HTTP/1.1\r\nHost: {host.format(port=port)}\r\n\r\n"
    with wire.Wire("127.0.0.1", port) as connection:
        assert connection.exchange(line.encode()).status == status


def test_check_tells_what_the_gateway_answers_and_what_is_relayed(plain):
    done = run("check", "--config", plain.file)
    assert re.search(rf"{plain.origin}/local/auth +com\.contoso\.local +pending\n", done.stdout)
    assert re.search(r"msauth\.com\.contoso\.app1://auth +com\.contoso\.app1 +pending, by relay\n", done.stdout)
    assert re.search(r"http://127\.0\.0\.1/app1 +com\.contoso\.app1 +pending, by relay\n", done.stdout)
