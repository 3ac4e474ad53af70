"""Switchyard under test, and the issuer that its sign-ins go to."""

import os
import urllib.error
import urllib.request

from bench.machine import CERTIFICATES, SWITCHYARD
from bench.processes import Server, accepts, free_port

# No address is exempt from limits, and all load comes from one: room for everything that is measured.
LIMITS = """limits:
  requests: 10000000
  requests_per_app: 10000000
  requests_per_address: 10000000
  waiting_per_address: 1000000
  connections: 1000000
  connections_per_address: 1000000
  begin_rate: 10000000
  callback_rate: 10000000
  collect_rate: 10000000
  kept_bytes: 512GiB
  kept_bytes_per_address: 512GiB
"""

TLS = f"    tls: {{ certificate: {CERTIFICATES}/server.pem, key: {CERTIFICATES}/server.key }}\n"


class Issuer(Server):
    """`switchyard issuer`, which signs everybody in at once."""

    def __init__(self, core, tls=False):
        self.port = free_port()
        self.scheme = "https" if tls else "http"
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        command = [SWITCHYARD, "issuer", "--auto-approve", "--listen", f"127.0.0.1:{self.port}"]
        if tls:
            command += ["--tls-certificate", CERTIFICATES / "server.pem", "--tls-key", CERTIFICATES / "server.key"]
        super().__init__("issuer", command, core)

    def is_ready(self):
        return accepts(self.port)


class Gateway(Server):
    """`switchyard serve` with one listener for browsers, one for apps and one for the operator."""

    def __init__(self, work, core, apps, issuer="http://127.0.0.1:9", log="error"):
        """`apps` makes the registrations, given the public URL. An issuer on port 9 is never asked. The peers
        write no line for a request, and neither does the gateway at the level `error`."""
        self.port, self.api_port, self.admin_port = free_port(), free_port(), free_port()
        self.public_url = f"https://localhost:{self.port}"
        file = work / f"switchyard-{self.port}.yaml"
        file.write_text(self._configuration(issuer) + f"log: {{ level: {log} }}\n" + "apps:\n" + "".join(apps(self.public_url)))
        super().__init__("switchyard", [SWITCHYARD, "serve", "--config", file], core, os.devnull)

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.admin_port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def _configuration(self, issuer):
        return (
            f"public_url: {self.public_url}\n"
            "listen:\n"
            f"  - address: 127.0.0.1:{self.port}\n{TLS}    serve: [callbacks]\n"
            f"  - address: 127.0.0.1:{self.api_port}\n{TLS}    serve: [api]\n"
            f"  - address: 127.0.0.1:{self.admin_port}\n    serve: [admin]\n"
            f"issuers:\n  - {{ name: bench, issuer: \"{issuer}\", ca: {CERTIFICATES}/ca.pem }}\n"
            f"{LIMITS}"
        )


def suite(public_url):
    """One app that waits for its sign-ins, one that only has its callbacks passed on."""
    yield waiting_app("com.contoso.app1", f"{public_url}/app1/auth")
    yield dispatched_app("com.contoso.legacy", f"{public_url}/legacy")


def dispatched_apps(count):
    """So many apps with a redirect URI each, as `wrk/routes.lua` calls them."""
    return lambda public_url: (
        dispatched_app(f"com.contoso.app{number:06d}", f"{public_url}/app{number:06d}/auth") for number in range(count)
    )


def waiting_apps(count):
    return lambda public_url: (
        waiting_app(f"com.contoso.app{number:06d}", f"{public_url}/app{number:06d}/auth") for number in range(count)
    )


def waiting_app(identifier, redirect_uri):
    return (
        f"  - id: {identifier}\n"
        "    name: Contoso Mail\n"
        "    issuer: bench\n"
        "    client_id: ABCDE-12345\n"
        f"    redirect_uris:\n      - {redirect_uri}\n      - msauth.{identifier}://auth\n"
        "    release: none\n"
        "    default_scope: openid profile\n"
    )


def dispatched_app(identifier, redirect_uri):
    return (
        f"  - id: {identifier}\n"
        "    issuer: bench\n"
        "    client_id: ABCDE-12345\n"
        f"    redirect_uris: [\"{redirect_uri}\"]\n"
        "    handler: { redirect: \"x-legacy://callback\" }\n"
    )
