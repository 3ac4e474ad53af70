"""The commands: what they print, and how they end."""

import fcntl
import json
import os
import re
import subprocess
import time
from urllib.parse import urlencode

import pytest
import yaml

from harness.cutting import CuttingProxy
from harness.gateway import CA
from harness.issuer import authorize, fetch
from harness.programs import CERTIFICATES, ROOT, SWITCHYARD, TEST_ISSUER, Program, eventually, free_port, run
from harness.vault import VAULT


def test_version_and_help():
    assert re.search(r"\d+\.\d+", run("--version").stdout)
    text = run("--help").stdout
    for command in ("serve", "check", "demo", "login", "open"):
        assert command in text


@pytest.mark.parametrize("command", ["serve", "check", "demo", "login", "open"])
def test_every_commands_help_has_an_example(command):
    done = run(command, "--help")
    assert done.returncode == 0 and re.search(rf"^\s*\$?\s*switchyard {command}", done.stdout, re.MULTILINE)


def test_a_result_that_cannot_be_written_is_no_success():
    with open("/dev/full", "w") as full:
        done = subprocess.run([SWITCHYARD, "explain", "--list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and "could not be written" in done.stderr and "space" in done.stderr


@pytest.mark.parametrize("arguments", [
    ["keys", "new"], ["--version"], ["--help"], ["check", "--config", ROOT / "deploy" / "switchyard.yaml"],
], ids=lambda arguments: arguments[0])
def test_no_command_succeeds_without_its_output(arguments):
    if arguments[0] == "check" and run(*arguments).returncode != 0:
        pytest.skip("the sample needs files of a machine with a gateway")
    with open("/dev/full", "w") as full:
        done = subprocess.run([SWITCHYARD, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and "could not be written" in done.stderr


def test_a_commands_wrong_argument_is_named(tmp_path):
    for arguments, words in [
        (["browse", "--bogus"], "there is --gateway"), (["paste", "--bogus"], "there is --help"),
        (["check", "--config="], "--config names nothing"), (["keys", "new", "--file", ""], "--file names nothing"),
        (["--version", "--bogus"], "--bogus"), (["register", tmp_path / "none.yaml"], "No such file"),
        (["login", "--app", "x", "--gateway", "https://127.0.0.1:1", "--ca", tmp_path / "none.pem"], "No such file"),
        (["open", "x-app://y?code=" + "1" * 70_000, "--gateway", "unix:/nowhere"], "is no callback"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2 and words in done.stderr, (arguments[:2], done.stderr)
    issuer = run("issuer", "--listen", "127.0.0.1:0", "--tls-certificate", tmp_path / "none.pem", "--tls-key", "x")
    assert "No such file" in issuer.stderr and "system lib" not in issuer.stderr and "error 2" not in issuer.stderr
    unset = run("login", "--app", "x", env={"SWITCHYARD_GATEWAY": "", "XDG_RUNTIME_DIR": str(tmp_path)})
    assert unset.returncode == 1 and '""' not in unset.stderr


def test_manual_pages_for_a_folder_that_is_not_there(tmp_path):
    done = run("help", "--man-pages", tmp_path / "nowhere")
    assert done.returncode == 1 and "No such file" in done.stderr and "name a folder" in done.stderr


def test_a_result_is_whole_for_a_reader_that_does_not_wait():
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    program = subprocess.Popen([SWITCHYARD, "explain", "--list"], stdout=writing)
    os.close(writing)
    # It has met a full pipe by the time that somebody reads.
    time.sleep(0.5)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    assert program.wait(60) == 0 and text == run("explain", "--list").stdout and len(text) > 8192


@pytest.mark.parametrize("arguments", [
    ["fly"], ["serve"], ["check"], ["serve", "--config"], ["serve", "--cnfig", "x"], ["login"], ["open"],
], ids=" ".join)
def test_wrong_usage_is_2(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr and not done.stdout


def test_check_prints_the_routes_and_what_to_register(gateway):
    done = run("check", "--config", gateway.file)
    assert done.returncode == 0, done.stderr
    for app in gateway.configuration["apps"]:
        for uri in app["redirect_uris"]:
            assert uri in done.stdout
    assert "protects nobody" in done.stdout + done.stderr


def spoil(configuration, path, value):
    """Sets a nested key of a configuration; None removes it."""
    for step in path[:-1]:
        configuration = configuration[step]
    if value is None:
        del configuration[path[-1]]
    else:
        configuration[path[-1]] = value


BAD = {
    "an unknown key": (["stroe"], "memory", "store"),
    "a store whose keys would not outlive the process": (["store"], "redis://localhost:6379/0", "encryption_keys"),
    "a key that is not built yet": (["apps", 0, "android"], True, "not_supported_yet"),
    "two releases under one client ID": (["apps", 0, "release"], "code", "same issuer and client ID"),
    "no release beside another": (["apps", 0, "release"], None, "same issuer and client ID"),
    "a release that nobody knows": (["apps", 0, "release"], "codes", 'did you mean "code"?'),
    "a return without same_device": (["apps", 0, "return_uri"], "x-app://done", "same_device"),
    "a response mode that nobody knows": (["apps", 0, "response_mode"], "form-post", "form_post"),
    "a start that is neither true nor false": (["apps", 0, "require_start"], "maybe", "true or false"),
    "an empty relay_from": (["apps", 0, "relay_from"], {}, "nobody relay"),
    "an empty begin_from": (["apps", 0, "begin_from"], {}, "nobody begin"),
    "an issuer that is not there": (["apps", 0, "issuer"], "nobody", "nobody"),
    "a redirect URI under /v1/": (["apps", 0, "redirect_uris"], ["https://localhost/v1/x"], "/v1/"),
    "a redirect URI under /done/": (["apps", 0, "redirect_uris"], ["https://localhost/done/x"], "/done/"),
    "a redirect URI with a fragment": (["apps", 0, "redirect_uris"], ["https://localhost/x#y"], "fragment"),
    "a plain http issuer elsewhere": (["issuers", 0, "issuer"], "http://issuer.example", "https"),
    "an app identifier twice": (["apps", 1, "id"], "com.contoso.app1", "com.contoso.app1"),
    "a redirect URI twice": (["apps", 1, "redirect_uris"], ["msauth.com.contoso.app1://auth"], "com.contoso.app1"),
    "a duration without a unit": (["limits", "request_lifetime"], 600, "request_lifetime"),
    "a negative limit": (["limits", "requests"], -1, "requests"),
    "a certificate that is not there": (["listen", 0, "tls", "certificate"], "nowhere.pem", "nowhere.pem"),
    "an admin listener for everyone": (["listen", 3, "address"], "0.0.0.0:9901", "admin"),
    # A fault that would stop a start.
    "a certificate of another key": (["listen", 0, "tls", "key"], str(CERTIFICATES / "client.key"), "key"),
    "a certificate that is none": (["listen", 0, "tls", "certificate"], str(ROOT / "README.md"), "certificate"),
    "an anchor that is none": (["issuers", 0, "ca"], str(ROOT / "README.md"), "README.md"),
    "signed responses without keys": (["issuers", 0], {
        "name": "demo", "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
        "token_endpoint": "https://id.example/t"}, "jwks_uri"),
}


@pytest.mark.parametrize("path, value, word", BAD.values(), ids=BAD.keys())
def test_check_refuses_and_says_where(gateway, tmp_path, path, value, word):
    configuration = json.loads(json.dumps(gateway.configuration))
    if word == "jwks_uri":
        configuration["apps"][0]["response_mode"] = "jwt"
    spoil(configuration, path, value)
    file = tmp_path / "bad.yaml"
    file.write_text(yaml.safe_dump(configuration, sort_keys=False))
    done = run("check", "--config", file)
    assert done.returncode == 2
    assert re.search(r"bad\.yaml:\d+:\d+", done.stderr) and word in done.stderr


@pytest.mark.parametrize("path, value, words", [
    (["trusted_proxies"], ["0.0.0.0/0"], "everybody"), (["networks"], ["::/0"], "everybody"),
    (["listen", 2, "address"], "unix:/nonexistent/switchyard.sock", "/nonexistent"),
    (["listen", 2, "group"], "no-such-group", "no-such-group"),
])
def test_check_warns_and_passes(gateway, tmp_path, path, value, words):
    configuration = json.loads(json.dumps(gateway.configuration))
    spoil(configuration, path, value)
    file = tmp_path / "odd.yaml"
    file.write_text(yaml.safe_dump(configuration, sort_keys=False))
    done = run("check", "--config", file)
    assert done.returncode == 0 and re.search(rf"odd\.yaml:\d+:\d+: warning: .*{re.escape(words)}", done.stdout), done


def test_check_tells_all_errors_at_once(gateway, tmp_path):
    configuration = json.loads(json.dumps(gateway.configuration))
    configuration["stroe"] = "memory"
    configuration["apps"][0]["issuer"] = "nobody"
    configuration["limits"]["requests"] = "many"
    file = tmp_path / "bad.yaml"
    file.write_text(yaml.safe_dump(configuration, sort_keys=False))
    errors = run("check", "--config", file).stderr
    assert len(re.findall(r"bad\.yaml:\d+:\d+", errors)) >= 3


@pytest.mark.parametrize("text", ["", "listen: [", "a: 1\na: 2\n", "- x\n", "\t", "\x00", "&a [*a]"])
def test_check_refuses_what_is_no_configuration(tmp_path, text):
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    done = run("check", "--config", file)
    assert done.returncode == 2 and "bad.yaml" in done.stderr


def test_check_of_a_file_that_is_not_there(tmp_path):
    done = run("check", "--config", tmp_path / "none.yaml")
    assert done.returncode == 2 and "none.yaml" in done.stderr


def test_a_gateway_does_not_start_with_a_bad_configuration(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("stroe: memory\n")
    assert run("serve", "--config", file).returncode == 2


def test_the_sample_configuration_is_good():
    done = run("check", "--config", ROOT / "deploy" / "switchyard.yaml")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def breaking(gateway):
    proxy = CuttingProxy(gateway.api_port)
    yield proxy
    proxy.close()


@pytest.mark.parametrize("way", ["a socket", "connections that break"])
def test_login_prints_the_tokens_and_nothing_else(gateway, breaking, tmp_path, way):
    address = gateway.socket if way == "a socket" else f"https://localhost:{breaking.port}"
    said = tmp_path / "said"
    with said.open("w") as stderr:
        login = subprocess.Popen(
            [SWITCHYARD, "login", "--app", "com.contoso.app1", "--scope", "openid demo:auto", "--no-browser",
             "--gateway", address, "--ca", CA],
            stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=ROOT,
        )
    try:
        url = eventually(lambda: re.search(r"https?://\S+", said.read_text()), what="an address to open")[0]
        while url.startswith(gateway.origin):
            url = gateway.browse(url).header("Location")
        VAULT.remember_url(url)
        if way == "connections that break":
            eventually(breaking.cut, what="a connection to cut")
        assert gateway.browse(authorize(url)).status == 303
        output, _ = login.communicate(timeout=30)
    finally:
        login.kill()
    tokens = json.loads(output)
    VAULT.remember_all(tokens)
    assert login.returncode == 0 and tokens["access_token"]
    assert tokens["access_token"] not in said.read_text()


def test_the_demo_is_one_whole_sign_in():
    done = run("demo")
    assert done.returncode == 0, done.stderr
    said = re.sub(r" +[0-9.]+ ms +", ": ", done.stdout)
    for step, shown in {
        "the callback arrives": "303", "the person types it in": "204", "the app collects": "completed",
        "the same callback again": "status 303", "another code, same state": "status 409",
        "somebody else's sign-in": "release_failed", "the person says no": "access_denied",
        "an ID token of a wrong key": "invalid_id_token",
    }.items():
        assert f"  {step}: {shown}" in said, said


def test_the_demo_needs_no_file(tmp_path):
    """As it is started from a package, far from any repository."""
    done = subprocess.run(
        [str(SWITCHYARD), "demo"], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "the app collects" in done.stdout and "in memory" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_demo_says_what_it_misses_in_a_folder_that_it_is_given(tmp_path):
    done = run("demo", "--certificates", tmp_path)
    assert done.returncode == 1 and f"{tmp_path}/ca.pem" in done.stderr and "--certificates" in done.stderr


def test_the_demo_that_keeps_running_has_a_certificate_that_a_client_can_trust(tmp_path):
    with (tmp_path / "said").open("w") as said:
        demo = subprocess.Popen([str(SWITCHYARD), "demo", "--keep-running"], cwd=tmp_path, stdout=said)
    try:
        told = eventually(lambda: re.search(r"runs at (\S+),.*trusts (\S+)\. ", (tmp_path / "said").read_text(), re.S), what="it runs")
        answer = subprocess.run(["curl", "--silent", "--show-error", "--cacert", told[2], told[1]], capture_output=True, timeout=30)
        assert answer.returncode == 0, answer.stderr
    finally:
        demo.terminate()
        assert demo.wait(timeout=30) == 0


def test_the_demo_issuer_runs_on_loopback_only():
    done = run("issuer", "--listen", "0.0.0.0:0")
    assert done.returncode in (1, 2) and "loopback" in done.stderr


@pytest.fixture
def demo_issuer(run_folder):
    port = free_port()
    program = Program(run_folder / f"demo-issuer-{port}.log", "issuer", "--listen", f"127.0.0.1:{port}")
    program.base = f"http://127.0.0.1:{port}"

    def answers():
        try:
            return fetch(f"{program.base}/.well-known/openid-configuration")[0] == 200
        except OSError:
            return False

    program.launch(answers)
    yield program
    assert program.stop() == 0


def test_the_demo_issuer_tells_who_it_is(demo_issuer):
    metadata = json.loads(fetch(f"{demo_issuer.base}/.well-known/openid-configuration")[2])
    assert metadata["issuer"] == demo_issuer.base and "S256" in metadata["code_challenge_methods_supported"]
    assert fetch(metadata["jwks_uri"])[0] == 200


def test_the_demo_issuer_is_honest_and_the_program_holds_no_other(demo_issuer):
    fields = {
        "client_id": "c", "redirect_uri": "http://127.0.0.1:1/callback", "response_type": "code", "scope": "openid",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        "demo": "auto,wrong_signature",
    }
    status, _, body = fetch(f"{demo_issuer.base}/authorize?{urlencode(fields)}")
    assert status == 200 and b"Sign in to" in body, "nobody is signed in without having been asked"
    for path, form in (("/demo/control", {"keys": "withhold"}), ("/demo/stats", None)):
        assert fetch(demo_issuer.base + path, form=form)[0] == 404
    words = (b"wrong_signature", b"hmac_pem", b"slow_drip", b"/demo/control")
    assert TEST_ISSUER.read_bytes().count(words[0]), "the words could not be found where they are"
    assert [word for word in words if word in SWITCHYARD.read_bytes()] == []
