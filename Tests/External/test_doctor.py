"""`switchyard doctor`: each real fault is found, with its level and remedy, and a good set-up has no finding."""

import copy
import datetime
import http.server
import json
import os
import resource
import ssl
import subprocess
import tempfile
import threading
import unicodedata
from pathlib import Path

import pytest
from cryptography import x509

from harness.api import Api
from harness.cases import cases
from harness.certificates import Certificate
from harness.gateway import CA
from harness.programs import CERTIFICATES, ROOT, SWITCHYARD, eventually, free_port, run
from harness.vault import VAULT


class Found:
    """The doctor's findings for one gateway."""

    def __init__(self, done):
        assert done.returncode in (0, 1), done
        self.status = done.returncode
        self.report = json.loads(done.stdout)

    def all(self, area, level=None):
        return [
            one for one in self.report["findings"]
            if one["area"] == area and (level is None or one["level"] == level)
        ]

    def one(self, area, level, words):
        matching = [one for one in self.all(area, level) if words in one["what"]]
        assert matching, (words, self.report["findings"])
        assert level == "ok" or matching[0]["do"], matching
        return matching[0]

    @property
    def errors(self):
        return [one for one in self.report["findings"] if one["level"] == "error"]


def doctor(gateway, *options, **more):
    return Found(run("doctor", "--config", gateway.file, "--json", "--ca", CA, *options, **more))


def unstarted(start_gateway, change):
    """A gateway that was stopped again, with another configuration."""
    gateway = start_gateway()
    gateway.stop()
    change(gateway)
    gateway.write()
    return gateway


def test_a_good_set_up_has_no_error(start_gateway):
    gateway = start_gateway()
    found = doctor(gateway)
    assert found.errors == [] and found.status == 0
    found.one("doors", "ok", "it leads to this gateway")
    found.one("issuers", "ok", "clock")
    found.one("certificates", "ok", "it ends in")
    # Also as text for people, without colours if the output is no terminal.
    told = run("doctor", "--config", gateway.file, "--ca", CA)
    assert told.returncode == 0 and "The way to this gateway" in told.stdout and "\x1b" not in told.stdout


def test_a_configuration_that_cannot_be_used_is_2(start_gateway):
    gateway = unstarted(start_gateway, lambda gateway: gateway.configuration.pop("listen"))
    told = run("doctor", "--config", gateway.file)
    assert told.returncode == 2 and "listen" in told.stderr
    assert run("doctor", "--config", gateway.folder / "none.yaml").returncode == 2


def test_a_gateway_that_does_not_run_is_a_warning(start_gateway):
    gateway = unstarted(start_gateway, lambda gateway: None)
    found = doctor(gateway)
    assert "start it" in found.one("doors", "warning", "was not tried")["do"] and found.errors == []


# MARK: Certificates


def with_certificate(gateway, certificate):
    for listener in gateway.configuration["listen"]:
        if "tls" in listener and "callbacks" in listener["serve"]:
            listener["tls"] = {"certificate": str(certificate.pem), "key": str(certificate.key_file)}


@pytest.fixture
def issue(tmp_path):
    """Makes certificates of an authority of the test's own."""
    authority = Certificate(tmp_path, "authority", is_authority=True, days=90)

    def issue(host, days):
        made = Certificate(tmp_path, "server", authority, days=days, names=[x509.DNSName(host)])
        made.authority = authority.pem
        return made

    return issue


@pytest.mark.parametrize("days, level, words", [(-1, "error", "it expired on"), (9, "warning", "it ends in"), (60, "ok", "it ends in")])
def test_the_days_left_of_a_certificate_decide(start_gateway, issue, days, level, words):
    certificate = issue("localhost", days)
    gateway = unstarted(start_gateway, lambda gateway: with_certificate(gateway, certificate))
    found = doctor(gateway)
    one = found.one("certificates", level, words)
    assert one["subject"] == str(certificate.pem)
    assert found.status == (1 if level == "error" else 0)


def test_a_certificate_that_browsers_refuse_is_found_at_the_door(start_gateway, issue):
    certificate = issue("other.example", 60)
    gateway = start_gateway(change=lambda gateway: with_certificate(gateway, certificate))
    found = Found(run("doctor", "--config", gateway.file, "--json", "--ca", certificate.authority))
    found.one("doors", "error", "its certificate is for another host")
    assert found.status == 1


def test_a_development_certificate_is_said_plainly(start_gateway):
    gateway = start_gateway()
    # The doctor does not know the authority.
    found = Found(run("doctor", "--config", gateway.file, "--json"))
    found.one("doors", "warning", "an authority that this machine does not believe")
    found.one("doors", "ok", "it leads to this gateway")
    assert found.status == 0


# MARK: Issuers


class Issuer(http.server.BaseHTTPRequestHandler):
    """Says of itself what a test wants."""

    def do_GET(self):
        server = self.server
        base = f"http://127.0.0.1:{server.server_port}"
        if self.path.endswith("openid-configuration"):
            body = {
                "issuer": base, "authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/token",
                "jwks_uri": f"{base}/keys", "code_challenge_methods_supported": ["S256"],
                "response_types_supported": ["code"], "id_token_signing_alg_values_supported": ["RS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            } | server.metadata
            body = {name: value for name, value in body.items() if value is not None}
        elif self.path == "/keys":
            body = server.keys
        else:
            body = {"error": "invalid_request"}
        text = json.dumps(body).encode()
        self.send_response_only(400 if "error" in body else 200)
        now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=server.skew)
        self.send_header("Date", now.strftime("%a, %d %b %Y %H:%M:%S GMT"))
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


RSA = {
    "kty": "RSA", "use": "sig", "kid": "1", "e": "AQAB", "alg": "RS256",
    "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj"
    "hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5"
    "hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
}


@pytest.fixture
def strange_issuer():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Issuer)
    server.metadata, server.keys, server.skew = {}, {"keys": [RSA]}, 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def with_issuer(start_gateway, server, **keys):
    gateway = start_gateway(f"http://127.0.0.1:{server.server_port}", change=lambda gateway: [
        app.update(copy.deepcopy(keys)) for app in gateway.configuration["apps"] if "handler" not in app])
    return doctor(gateway)


@pytest.mark.parametrize("metadata, words", [
    ({"issuer": "http://127.0.0.1:1"}, "of another issuer"),
    ({"code_challenge_methods_supported": ["plain"]}, "does not know S256"),
    ({"token_endpoint": "http://issuer.example/token"}, "token_endpoint"),
    ({"authorization_endpoint": None}, "authorization_endpoint"),
    ({"response_types_supported": ["id_token"]}, "response_type code"),
    ({"grant_types_supported": ["implicit"]}, "authorization code grant"),
    ({"id_token_signing_alg_values_supported": ["HS256"]}, "signs ID tokens with HS256"),
    ({"jwks_uri": None}, "no jwks_uri"),
    ({"response_types_supported": [f"type{number}" for number in range(500)]}, "type7 and 492 more"),
    ({"response_types_supported": ["a" * 5000]}, "a" * 200 + "…"),
])
def test_an_issuer_that_says_the_wrong_thing_is_an_error(start_gateway, strange_issuer, metadata, words):
    strange_issuer.metadata = metadata
    found = with_issuer(start_gateway, strange_issuer)
    assert found.one("issuers", "error", words)["subject"] == "demo" and found.status == 1


def test_an_issuers_words_do_not_move_a_terminals_cursor(start_gateway, strange_issuer):
    strange_issuer.metadata = {"issuer": "https://\u202egro.live\u202c\u009b2J\u2028 x", "response_types_supported": ["\u2066x"]}
    gateway = start_gateway(f"http://127.0.0.1:{strange_issuer.server_port}")
    for options in ([], ["--json"]):
        said = run("doctor", "--config", gateway.file, "--ca", CA, *options).stdout
        assert "of another issuer" in said
        assert not [character for character in said if character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")]


def test_an_issuer_that_says_nothing_of_pkce_is_a_warning(start_gateway, strange_issuer):
    strange_issuer.metadata = {"code_challenge_methods_supported": None}
    found = with_issuer(start_gateway, strange_issuer)
    found.one("issuers", "warning", "does not say whether it knows PKCE")
    assert found.status == 0


def test_an_apps_wishes_are_compared_with_the_issuers_offers(start_gateway, strange_issuer):
    strange_issuer.metadata = {"response_modes_supported": ["query"], "token_endpoint_auth_methods_supported": ["private_key_jwt"]}
    found = with_issuer(
        start_gateway, strange_issuer, response_mode="form_post", client_secret="s" * 20,
        token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"]})
    found.one("issuers", "error", "response_mode form_post")
    found.one("issuers", "error", "client_secret_post")


@pytest.mark.parametrize("keys", [{}, {"keys": []}, {"keys": [{"kty": "oct", "k": "AAAA"}]}])
def test_an_issuer_without_keys_is_an_error(start_gateway, strange_issuer, keys):
    strange_issuer.keys = keys
    assert "keys" in with_issuer(start_gateway, strange_issuer).one("issuers", "error", "its keys")["what"]


@pytest.mark.parametrize("skew, level", [(300, "error"), (-300, "error"), (30, "warning"), (1, "ok")])
def test_an_issuers_clock_beside_ours(start_gateway, strange_issuer, skew, level):
    strange_issuer.skew = skew
    with_issuer(start_gateway, strange_issuer).one("issuers", level, "clock")


def test_an_issuer_that_does_not_answer_is_an_error(start_gateway):
    gateway = start_gateway(f"http://127.0.0.1:{free_port()}")
    assert doctor(gateway).one("issuers", "error", "its metadata cannot be had")["subject"] == "demo"


def test_an_issuer_whose_authority_nobody_named_is_an_error(start_gateway, tls_issuer):
    gateway = start_gateway(
        tls_issuer.metadata()["issuer"], change=lambda gateway: gateway.configuration["issuers"][0].pop("ca"))
    told = doctor(gateway).one("issuers", "error", "an authority that this machine does not believe")
    assert "ca: FILE" in told["do"]


# MARK: The way


@pytest.fixture
def nginx(tmp_path):
    """Starts a real nginx in front of a gateway, with the lines of its one location."""
    servers = []

    def start(gateway, port, lines):
        (tmp_path / "nginx.conf").write_text(
            f"user root; daemon off; pid {tmp_path}/nginx.pid; worker_processes 1; error_log {tmp_path}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/p;\n"
            f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;\n"
            f"server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {CERTIFICATES}/server.pem;\n"
            f"ssl_certificate_key {CERTIFICATES}/server.key; location / {{ {' '.join(lines)}\n"
            f"proxy_pass https://127.0.0.1:{gateway.callbacks_port}; }} }} }}\n")
        server = subprocess.Popen(["/usr/sbin/nginx", "-e", tmp_path / "error.log", "-c", tmp_path / "nginx.conf"])
        servers.append(server)
        eventually(lambda: server.poll() is not None or (tmp_path / "nginx.pid").exists(), what="nginx")
        assert server.poll() is None, (tmp_path / "error.log").read_text()

    yield start
    for server in servers:
        server.terminate()
        server.wait(timeout=20)


FORWARDED = "proxy_set_header X-Forwarded-For $remote_addr;"
HOST = "proxy_set_header Host $http_host;"


@cases(
    dict(lines=[HOST, FORWARDED], trusted=True, level="ok", words="through the proxy"),
    dict(lines=[HOST, FORWARDED], trusted=False, level="warning", words="is not believed"),
    dict(lines=[HOST], trusted=True, level="warning", words="does not say for whom"),
    dict(lines=[FORWARDED], trusted=True, level="error", words="instead of"),
    dict(lines=[HOST, FORWARDED, 'proxy_set_header Cookie "";'], trusted=True, level="error", words="cookies"),
    dict(lines=[HOST, FORWARDED, "proxy_hide_header Set-Cookie;"], trusted=True, level="error", words="cookies"),
    dict(lines=[HOST, FORWARDED, "rewrite ^(.*)$ $1? break;"], trusted=True, level="error", words="query"),
    dict(lines=["return 302 https://elsewhere.example/;"], trusted=True, level="error", words="not this gateway (status 302)"),
    dict(lines=["return 200 echo;"], trusted=True, level="error", words="not this gateway"),
    ids=["good", "untrusted", "nobody", "host", "cookie", "set-cookie", "query", "redirect", "another"])
def test_a_proxys_change_to_a_callback_is_found(start_gateway, nginx, lines, trusted, level, words):
    port = free_port()
    gateway = start_gateway(
        public_port=port, change=lambda gateway: gateway.configuration.update(
            {"trusted_proxies": ["127.0.0.1"]} if trusted else {}))
    nginx(gateway, port, lines)
    found = doctor(gateway)
    found.one("doors", level, words)
    assert found.status == (1 if level == "error" else 0), found.errors


def test_a_proxy_that_ends_a_long_wait_is_found(start_gateway, nginx):
    port = free_port()
    gateway = start_gateway(
        public_port=port, change=lambda gateway: gateway.configuration.update({"trusted_proxies": ["127.0.0.1"]}))
    nginx(gateway, port, [HOST, FORWARDED, "proxy_read_timeout 2s;"])
    found = doctor(gateway, "--slow")
    warning = found.one("doors", "warning", "something in front ends a wait after")
    assert "proxy_read_timeout 75s" in warning["do"] and found.status == 0


def test_a_host_that_leads_nowhere_or_elsewhere_is_an_error(start_gateway):
    def change(gateway):
        gateway.configuration["apps"][1]["redirect_uris"].append("https://no-such-host.invalid/app2/auth")
        gateway.configuration["apps"][1]["redirect_uris"].append(f"https://localhost:{free_port()}/app2/auth")
        gateway.configuration["apps"][1]["redirect_uris"].append(f"https://localhost:{gateway.api_port}/app2/auth")

    found = doctor(start_gateway(change=change))
    assert "no-such-host.invalid" in found.one("doors", "error", "is not found")["subject"]
    found.one("doors", "error", "does not answer")


def test_another_gateway_in_our_place_is_found(start_gateway):
    other = start_gateway()
    gateway = start_gateway(change=lambda gateway: gateway.configuration["apps"][1]["redirect_uris"].append(
        other.url("/stolen")))
    assert doctor(gateway).one("doors", "error", "is not this gateway")["subject"] == other.origin


@pytest.mark.parametrize("mute", ["/v1/probes", "/v1/probes/answers"])
def test_a_gateway_that_cannot_judge_its_own_answer_is_not_taken_for_another(start_gateway, mute):
    gateway = start_gateway()
    admin = Api(f"http://127.0.0.1:{gateway.admin_port}")
    asked = []

    class Between(http.server.BaseHTTPRequestHandler):
        """The admin listener, which says no to one call; to the second one where the doctor asks twice."""

        def answer(self):
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
            asked.append(self.path)
            if self.path == mute and asked.count("/v1/probes") > 1:
                status, text = 503, b'{"error": "temporarily_unavailable", "error_description": "it stops"}'
            else:
                reply = admin.call(self.command, self.path, body if self.command == "POST" else None)
                status, text = reply.status, reply.body
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Between)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        found = doctor(gateway, "--admin", f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()
    warning = found.one("doors", "warning", "could not be tried")
    assert "it stops" in warning["what"] and found.all("doors", "error") == []


def test_only_the_operator_gets_an_address_or_reads_an_answer(gateway):
    admin = Api(f"http://127.0.0.1:{gateway.admin_port}")
    assert gateway.api().call("POST", "/v1/probes", {}).status in (401, 404)
    path = admin.call("POST", "/v1/probes", {}).json["path"]
    answer = gateway.browse(gateway.url(path))
    assert answer.status == 200 and "127.0.0.1" not in answer.text
    assert admin.call("POST", "/v1/probes/answers", {"path": path, "answer": answer.text}).json["this_gateway"] is True
    # An address that was made up is one that does not exist, and an answer belongs to its address.
    for made_up in [path[:-2] + "AA", path.rsplit(".", 1)[0], "/.well-known/switchyard/", "/.well-known/switchyard/x.y"]:
        assert gateway.browse(gateway.url(made_up)).status == 404
    other = admin.call("POST", "/v1/probes", {}).json["path"]
    assert admin.call("POST", "/v1/probes/answers", {"path": other, "answer": answer.text}).status == 400
    assert admin.call("POST", "/v1/probes", {}, headers={"Origin": "http://127.0.0.1"}).status == 403


@pytest.mark.parametrize("prefer", ["wait=60", "respond-async, wait=60", "Wait=60", 'wait="60"'])
def test_a_probe_waits_as_the_api_does(gateway, prefer):
    admin = Api(f"http://127.0.0.1:{gateway.admin_port}")
    path = admin.call("POST", "/v1/probes", {}).json["path"]

    def asked(fields=""):
        wire = gateway.wire()
        wire.send(f"GET {path} HTTP/1.1\r\nHost: localhost:{gateway.callbacks_port}\r\n{fields}\r\n".encode())
        return wire

    with asked(f"Prefer: {prefer}\r\n") as held:
        # Calls without the preference are answered meanwhile.
        for _ in range(3):
            with asked() as plain:
                assert plain.read().status == 200
        held.socket.setblocking(False)
        with pytest.raises(ssl.SSLWantReadError):
            held.socket.recv(1)


# MARK: Files, the store, the machine


def test_an_admin_port_that_every_user_of_the_machine_reaches_is_a_warning(start_gateway):
    def change(gateway):
        gateway.configuration["public_url"] = "https://login.example.test"
        for issuer in gateway.configuration["issuers"]:
            issuer["issuer"] = "https://issuer.invalid"

    gateway = unstarted(start_gateway, change)
    found = doctor(gateway).one("configuration", "warning", "every user of this machine")
    assert "unix:/run/switchyard/admin.sock" in found["do"]
    admin = next(one for one in gateway.configuration["listen"] if "admin" in one["serve"])
    admin["address"] = f"unix:{gateway.folder}/admin.sock"
    gateway.write()
    assert not [one for one in doctor(gateway).all("configuration") if "every user" in one["what"]]


def on_sqlite(gateway):
    gateway.configuration["store"] = f"sqlite:{gateway.folder}/state/requests.db"


def test_a_secret_that_everybody_can_read_is_found_and_mended(start_gateway):
    gateway = start_gateway()
    with tempfile.TemporaryDirectory() as folder:
        # No folder above shuts anybody out.
        os.chmod(folder, 0o755)
        is_found_and_mended(gateway, Path(folder) / "server.key")


def test_a_gateway_closes_a_key_file_of_its_own_that_others_can_read(start_gateway):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        key = Path(folder) / "k1"
        key.write_text("ab" * 32 + "\n")
        key.chmod(0o644)
        keys = [{"id": "k1", "key_file": str(key)}]
        gateway = start_gateway(change=lambda gateway: gateway.configuration.update(encryption_keys=keys))
        assert key.stat().st_mode & 0o777 == 0o640
        assert f"everybody on this machine could read the key file {key}" in gateway.output()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file to another user")
def test_a_key_file_of_another_user_that_everybody_can_read_is_refused(start_gateway):
    gateway = unstarted(start_gateway, lambda gateway: None)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        key = Path(folder) / "k1"
        key.write_text("ab" * 32 + "\n")
        key.chmod(0o644)
        gateway.configuration["encryption_keys"] = [{"id": "k1", "key_file": str(key)}]
        gateway.write()
        os.chown(gateway.file, 4711, -1)
        os.chown(key, 4711, -1)
        done = run("check", "--config", gateway.file)
        assert done.returncode == 2 and f"the key file {key}: everybody on this machine can read it" in done.stderr
        assert key.stat().st_mode & 0o777 == 0o644


def is_found_and_mended(gateway, key):
    key.write_bytes((ROOT / "certs" / "dev" / "server.key").read_bytes())
    key.chmod(0o644)
    gateway.configuration["listen"][0]["tls"]["key"] = str(key)
    gateway.write()
    assert "chmod 0640" in doctor(gateway).one("files", "warning", "everybody on this machine")["do"]
    # The doctor makes no change.
    assert key.stat().st_mode & 0o777 == 0o644
    mended = doctor(gateway, "--fix")
    assert [line for line in mended.report["repairs"] if "0640" in line and str(key) in line]
    assert key.stat().st_mode & 0o777 == 0o640 and mended.all("files", "warning") == []


def test_a_database_that_others_can_read_is_found_and_mended(start_gateway):
    def change(gateway):
        (gateway.folder / "state").mkdir()
        on_sqlite(gateway)

    gateway = start_gateway(change=change)
    database = gateway.folder / "state" / "requests.db"
    database.chmod(0o640)
    doctor(gateway).one("files", "warning", "its whole group")
    doctor(gateway, "--fix")
    assert database.stat().st_mode & 0o777 == 0o600


def named_elsewhere_by_a_link(database, victim):
    database.symlink_to(victim)


def named_elsewhere_by_a_hard_link(database, victim):
    os.link(victim, database)


def in_a_folder_elsewhere(database, victim):
    victim.rename(victim.with_name("requests.db"))
    database.parent.rmdir()
    database.parent.symlink_to(victim.parent)


@pytest.mark.parametrize("place", [named_elsewhere_by_a_link, named_elsewhere_by_a_hard_link, in_a_folder_elsewhere])
def test_root_is_not_led_to_a_file_of_somebody_else(start_gateway, place):
    """By the gateway's user, who owns the database's folder."""
    def change(gateway):
        (gateway.folder / "own" / "state").mkdir(parents=True)
        gateway.configuration["store"] = f"sqlite:{gateway.folder}/own/state/requests.db"

    gateway = unstarted(start_gateway, lambda gateway: None)
    change(gateway)
    gateway.write()
    (gateway.folder / "elsewhere").mkdir()
    victim = gateway.folder / "elsewhere" / "file"
    victim.write_text("everybody reads it, and has to")
    victim.chmod(0o644)
    place(gateway.folder / "own" / "state" / "requests.db", victim)
    for folder in (gateway.folder / "own", gateway.folder / "own" / "state"):
        os.chown(folder, 4711, 4711, follow_symlinks=False)
    repairs = doctor(gateway, "--fix").report["repairs"]
    assert [line for line in repairs if "not repaired" in line]
    assert [file.stat().st_mode & 0o777 for file in victim.parent.iterdir()] == [0o644]


def test_a_missing_folder_of_the_database_is_found_and_made(start_gateway):
    gateway = unstarted(start_gateway, on_sqlite)
    found = doctor(gateway)
    found.one("files", "error", "is not there")
    assert found.status == 1 and not (gateway.folder / "state").exists()
    mended = doctor(gateway, "--fix")
    assert (gateway.folder / "state").stat().st_mode & 0o777 == 0o700
    assert mended.errors == []
    mended.one("store", "ok", "it can be read and written")
    assert list((gateway.folder / "state").iterdir()) == []


def test_a_database_that_cannot_be_written_is_an_error(start_gateway):
    def change(gateway):
        (gateway.folder / "state").mkdir()
        (gateway.folder / "state" / "requests.db").write_bytes(b"no database at all, " * 100)
        on_sqlite(gateway)

    found = doctor(unstarted(start_gateway, change))
    found.one("store", "error", "it cannot be used")
    assert found.status == 1


@pytest.mark.parametrize("key, is_beside", [(None, True), ("state/k1", True), ("state/keys/k1", True), ("keys/k1", False)])
def test_a_key_beside_its_database_is_found_in_production(tmp_path, key, is_beside):
    """The one that the gateway makes for itself as much as one that somebody has put there."""
    configuration = {
        "public_url": "https://login.contoso.invalid", "listen": [{"address": f"unix:{tmp_path}/s", "serve": ["callbacks", "api"]}],
        "store": "sqlite:state/requests.db", "issuers": [{"name": "contoso", "issuer": "https://issuer.contoso.invalid"}], "apps": []}
    (tmp_path / "state").mkdir()
    if key:
        (tmp_path / key).parent.mkdir(exist_ok=True)
        assert run("keys", "new", "--file", tmp_path / key).returncode == 0
        configuration["encryption_keys"] = [{"id": "k1", "key_file": key}]
    file = tmp_path / "switchyard.yaml"
    file.write_text(json.dumps(configuration))
    found = Found(run("doctor", "--config", file, "--json"))
    assert bool([one for one in found.all("store", "warning") if "its key lies beside it" in one["what"]]) == is_beside


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts")
def test_a_store_on_a_disk_that_takes_nothing_is_an_error(start_gateway, tmp_path):
    gateway = unstarted(start_gateway, lambda gateway: gateway.configuration.update(
        {"store": f"sqlite:{tmp_path}/requests.db"}))
    command = f"mount -t tmpfs -o ro none {tmp_path} && exec {SWITCHYARD} doctor --config {gateway.file} --json --ca {CA}"
    done = subprocess.run(["unshare", "-m", "sh", "-c", command], capture_output=True, text=True, timeout=60)
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip(done.stderr)
    Found(done).one("store", "error", "it cannot be used")


def test_a_running_gateway_says_itself_how_its_store_is(start_gateway):
    def change(gateway):
        (gateway.folder / "state").mkdir()
        on_sqlite(gateway)

    doctor(start_gateway(change=change)).one("store", "ok", "it can read and write")


def test_too_few_open_files_are_found(start_gateway):
    gateway = start_gateway()

    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    def doctor_with_few():
        return Found(subprocess.run(
            [SWITCHYARD, "doctor", "--config", gateway.file, "--json", "--ca", CA], preexec_fn=few, capture_output=True,
            text=True, timeout=60))

    doctor_with_few().one("machine", "ok", "may be open in the running gateway")
    resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE, (257, 257))

    def warned():
        return [one for one in doctor(gateway).all("machine", "warning") if "257 may be open in the running gateway" in one["what"]]

    assert "LimitNOFILE" in eventually(warned, what="a fresh status")[0]["do"]
    gateway.stop()
    assert "LimitNOFILE" in doctor_with_few().one("machine", "warning", "256 may be open here")["do"]


def test_limits_beyond_the_memory_are_found(start_gateway):
    gateway = start_gateway(limits={"kept_bytes": "1024GiB"})
    doctor(gateway).one("machine", "warning", "MiB are free to the running gateway")
    gateway.stop()
    doctor(gateway).one("machine", "warning", "MiB are free here")


def test_its_words_hold_no_secret(start_gateway, strange_issuer):
    """For a running gateway, a stopped one, and one with a broken issuer and store."""
    def planted(name):
        secret = f"planted-{name}-{os.urandom(9).hex()}"
        VAULT.remember(name, secret)
        return secret

    def change(gateway):
        key = gateway.folder / "api-key"
        key.write_text(planted("api-key"))
        key.chmod(0o644)
        gateway.configuration["apps"][0].update(
            client_secret=planted("client-secret"),
            begin_from={"networks": ["127.0.0.0/8"], "api_key_file": str(key)})

    gateway = start_gateway(change=change)
    pending = gateway.api().begin(gateway.configuration["apps"][0]["id"])
    VAULT.remember("result token", pending.token)

    def look():
        for options in ([], ["--json"]):
            done = run("doctor", "--config", gateway.file, *options)
            assert VAULT.found_in((done.stdout + done.stderr).encode()) == set()

    look()
    gateway.stop()
    gateway.configuration["issuers"][0]["issuer"] = f"http://127.0.0.1:{strange_issuer.server_port}"
    gateway.configuration["store"] = {"redis": {"url": f"redis://127.0.0.1:{free_port()}/0", "password": planted("password")}}
    gateway.configuration["encryption_keys"] = [{"id": "k1", "key": run("keys", "new").stdout.strip()}]
    VAULT.remember("encryption key", gateway.configuration["encryption_keys"][0]["key"])
    gateway.write()
    look()


def test_the_store_is_the_running_gateways_not_the_shells(start_gateway):
    """systemd gives the service a folder for its database; a shell has no such folder."""
    def change(gateway):
        gateway.configuration.pop("store", None)
        (gateway.folder / "state").mkdir(mode=0o700)
        gateway.environment["STATE_DIRECTORY"] = str(gateway.folder / "state")

    gateway = start_gateway(change=change)
    doctor(gateway).one("store", "ok", "the running gateway keeps requests there")
    assert not [one for one in doctor(gateway).all("store") if "memory" in one["subject"]]


def test_each_client_document_is_fetched_as_an_issuer_would(start_gateway):
    gateway = start_gateway()
    gateway.configuration["apps"].append({
        "id": "com.contoso.hosted", "issuer": "demo", "client_id": "hosted", "redirect_uris": [gateway.url("/hosted")]})
    gateway.configuration["clients"] = [{"id": "claude", "name": "Claude Code", "redirect_uris": ["http://localhost/callback"]}]
    gateway.configuration["resources"] = {
        "redirect_uri": gateway.url("/resource"), "begin_from": {"networks": ["127.0.0.0/8"]},
        "allow": [{"url": "https://a.example/"}, {"url": "https://b.example/", "client": {"client_id": "b", "issuer": "https://b.example"}}]}
    gateway.write()
    # The gateway that runs does not know them yet.
    found = doctor(gateway)
    for name in ("com.contoso.hosted", "claude"):
        one = [one for one in found.all("doors", "error") if one["subject"] == gateway.url(f"/clients/{name}")]
        assert len(one) == 1 and "status 404" in one[0]["what"] and one[0]["do"], found.report
    gateway.reload()
    eventually(lambda: gateway.browse(gateway.url("/clients/claude")).status == 200, what="the reload")
    served = [one["subject"] for one in doctor(gateway).all("doors", "ok") if "client document is there" in one["what"]]
    own, below = [one for one in served if "/clients/resource." in one]
    assert below == own + "-" + 16 * "A"
    assert set(served) - {own, below} == {gateway.url("/clients/com.contoso.hosted"), gateway.url("/clients/claude")}
    gateway.stop()
    late = doctor(gateway).all("doors", "warning")
    assert sum("client document was not fetched" in one["what"] for one in late) == 4
