"""The load generators: wrk, the driver of this folder, and connections that only wait."""

import http.client
import json
import os
import secrets
import socket
import ssl
import subprocess
from pathlib import Path

from bench.machine import CERTIFICATES
from bench.measure import Load

SCRIPTS = Path(__file__).resolve().parents[1] / "wrk"

# An authorization response of the size that most issuers send.
QUERY = "code=" + "c" * 64 + "&state=" + "s" * 43

# OpenSSL's clients take their first choices from here, so that every server is asked for the same.
OPENSSL_CONFIGURATION = """openssl_conf = everything
[everything]
ssl_conf = modules
[modules]
system_default = tls
[tls]
MinProtocol = TLSv1.3
Ciphersuites = TLS_AES_128_GCM_SHA256
Groups = X25519
"""


class Generators:
    """Everything that makes load, on the core for load."""

    def __init__(self, work, core):
        self._work = work
        self._pin = ["taskset", "-c", str(core)]
        settings = work / "openssl-client.cnf"
        settings.write_text(OPENSSL_CONFIGURATION)
        self._environment = os.environ | {"OPENSSL_CONF": str(settings)}

    def wrk(self, port, target, seconds, new_connections=False, connections=32):
        """Requests of one target; on new connections if asked for."""
        header = ["-H", "Connection: close"] if new_connections else []
        return self._wrk(port, target, seconds, connections, SCRIPTS / "report.lua", header)

    def wrk_routes(self, port, apps, seconds):
        """Requests of so many apps' redirect URIs, in random order."""
        return self._wrk(port, "/", seconds, 32, SCRIPTS / "routes.lua", [], [str(apps), QUERY])

    def wrk_begin(self, port, seconds):
        """Begins sign-ins without finishing them."""
        return self._wrk(port, "/v1/requests", seconds, 16, SCRIPTS / "begin.lua", [])

    def gateway_sign_ins(self, gateway, issuer, seconds, threads=8):
        return self._driver(
            "gateway", threads, seconds, f"{issuer.scheme}:{issuer.port}", gateway.api_port, gateway.port)

    def started_sign_ins(self, gateway, issuer, seconds, body, threads=8):
        """Sign-ins that the browser begins at `start_url`; `body` is the content of begin."""
        return self._driver(
            "start", threads, seconds, f"{issuer.scheme}:{issuer.port}", gateway.api_port, gateway.port, body)

    def crossed_sign_ins(self, api_port, callbacks_port, public_port, issuer, seconds, threads):
        """The same, with callbacks that come to another gateway than the one that began; both have one public URL."""
        return self._driver(
            "gateway", threads, seconds, f"{issuer.scheme}:{issuer.port}", api_port, callbacks_port, public_port)

    def apache_sign_ins(self, apache, issuer, seconds, threads=8):
        return self._driver("apache", threads, seconds, f"{issuer.scheme}:{issuer.port}", apache.port)

    def replay(self, port, status, targets):
        """Each target once, one after the other, on one keep-alive connection."""
        file = self._work / f"targets-{secrets.token_hex(4)}"
        file.write_text("".join(f"{target}\n" for target in targets))
        return self._driver("replay", port, status, file)

    def negotiated(self, port):
        """The TLS that a server negotiates with these clients: (protocol, cipher suite, group, whether it resumes)."""
        session = self._work / f"session-{port}"
        first = self._s_client(port, "-sess_out", session)
        resumes = session.exists() and "Reused" in self._s_client(port, "-sess_in", session)
        lines = dict(line.split(":", 1) for line in first.splitlines() if line.count(":") == 1)
        suite = next((line for line in first.splitlines() if line.startswith("New, ")), "")
        protocol, _, cipher = suite.removeprefix("New, ").partition(", Cipher is ")
        group = next((value for key, value in lines.items() if key.startswith("Server Temp Key")), "").split(",")[0]
        return protocol, cipher, group.strip(), resumes

    def _s_client(self, port, *more):
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", *map(str, more)]
        # One request and its answer, because tickets come after the handshake.
        question = b"GET /legacy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        outcome = subprocess.run(
            [*command, "-ign_eof"], input=question, capture_output=True, timeout=20, env=self._environment)
        return outcome.stdout.decode(errors="replace")

    def _wrk(self, port, target, seconds, connections, script, options, arguments=()):
        command = [*self._pin, "wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "-s", str(script)]
        command += ["--latency", *options, f"https://localhost:{port}{target}"]
        if arguments:
            command += ["--", *arguments]
        outcome = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds + 60, env=self._environment)
        for line in outcome.stdout.splitlines():
            if line.startswith("RESULT "):
                return Load(**json.loads(line.removeprefix("RESULT ")))
        raise SystemExit(f"wrk failed:\n{outcome.stdout}\n{outcome.stderr}")

    def _driver(self, *arguments):
        command = [*self._pin, str(self._work / "driver"), *map(str, arguments)]
        outcome = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if outcome.returncode != 0:
            raise SystemExit(f"the driver failed:\n{outcome.stderr}")
        return Load(**json.loads(outcome.stdout))


def trust():
    return ssl.create_default_context(cafile=CERTIFICATES / "ca.pem")


class Apps:
    """Apps that begin sign-ins, all on one keep-alive connection."""

    def __init__(self, gateway):
        self._connection = http.client.HTTPSConnection("localhost", gateway.api_port, context=trust())

    def begin(self, **fields):
        body = json.dumps({"app": "com.contoso.app1", **fields})
        self._connection.request("POST", "/v1/requests", body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 201:
            raise SystemExit(f"begin answered {answer.status}: {content.decode()}")
        return json.loads(content)

    def begin_in_response_mode(self, count):
        """Begins requests with codes that the app redeems itself; returns their states."""
        return list(self.begun_in_response_mode(count))

    def begun_in_response_mode(self, count):
        """The same with what the gateway answered, by state."""
        states = [secrets.token_urlsafe(32) for _ in range(count)]
        return {state: self.begin(completion="response", state=state) for state in states}

    def collect(self, begun):
        """Takes the result, and says that it has arrived."""
        fields = {"Authorization": f"Bearer {begun['result_token']}"}
        for method, status in (("GET", 200), ("DELETE", 204)):
            self._connection.request(method, f"/v1/requests/{begun['id']}", headers=fields)
            answer = self._connection.getresponse()
            content = answer.read()
            if answer.status != status:
                raise SystemExit(f"{method} answered {answer.status}: {content.decode()}")

    def close(self):
        self._connection.close()


class IdleConnections:
    """TLS connections that have sent one request each and then only stay open."""

    def __init__(self, port):
        self._port = port
        self._context = trust()
        self._open = []

    def add(self, request, expects_answer):
        plain = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        # Without this the request waits for the acknowledgement of the handshake's last message, 40 ms each time.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream = self._context.wrap_socket(plain, server_hostname="localhost")
        stream.sendall(request.encode())
        if expects_answer and not stream.recv(65536).startswith(b"HTTP/1.1 "):
            raise SystemExit("an idle connection got no answer")
        self._open.append(stream)

    def close(self):
        for stream in self._open:
            stream.close()
