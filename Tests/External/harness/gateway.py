"""A gateway with a configuration of the test's own, on free loopback ports."""

import signal

import yaml

from harness import wire
from harness.api import Api
from harness.programs import CERTIFICATES, Program, free_port

CA = CERTIFICATES / "ca.pem"

# No address is exempt from limits and every test comes from 127.0.0.1, so the ordinary gateway has room for all.
ROOMY = {
    "requests": 100000,
    "requests_per_app": 50000,
    "requests_per_address": 50000,
    "waiting_per_address": 5000,
    "connections": 5000,
    "connections_per_address": 5000,
    "begin_rate": 5000,
    "callback_rate": 5000,
    "collect_rate": 50000,
}


class Gateway(Program):
    """`switchyard serve`: a listener for browsers, one for apps, a Unix socket for both, one for the operator."""

    def __init__(self, folder, issuer, limits=None, public_port=None, **changes):
        self.callbacks_port, self.api_port, self.admin_port = free_port(), free_port(), free_port()
        self.folder = folder / f"gateway-{self.callbacks_port}"
        self.folder.mkdir()
        self.origin = f"https://localhost:{public_port or self.callbacks_port}"
        self.socket = f"unix:{self.folder / 'gateway.sock'}"
        self.file = self.folder / "switchyard.yaml"
        self.configuration = self._standard(issuer) | {"limits": ROOMY | (limits or {})} | changes
        super().__init__(self.folder / "gateway.log", "serve", "--config", self.file)

    def start(self):
        self.write()
        self.launch(self._is_ready)
        return self

    def write(self):
        self.file.write_text(yaml.safe_dump(self.configuration, sort_keys=False))

    def reload(self):
        self.signal(signal.SIGHUP)

    def url(self, path):
        """An address on the listener for browsers."""
        return self.origin + path

    def api(self, source=None):
        """The API over TLS, from a loopback address of the caller's choice."""
        return Api(f"https://localhost:{self.api_port}", ca=CA, source=source)

    def local_api(self):
        """The API on the Unix socket."""
        return Api(self.socket)

    def browse(self, url, **options):
        """One request of a browser, its target byte for byte."""
        return wire.request(url, ca=CA, **options)

    def wire(self, **options):
        """A raw TLS connection to the listener for browsers."""
        return wire.Wire("localhost", self.callbacks_port, ca=CA, **options)

    def api_wire(self, **options):
        """A raw TLS connection to the listener for apps."""
        return wire.Wire("localhost", self.api_port, ca=CA, **options)

    def admin(self, path, headers=None):
        return Api(f"http://127.0.0.1:{self.admin_port}").call("GET", path, headers=headers)

    def _is_ready(self):
        try:
            return self.admin("/readyz").status == 200
        except OSError:
            return False

    def _standard(self, issuer):
        def tls():
            return {"certificate": str(CERTIFICATES / "server.pem"), "key": str(CERTIFICATES / "server.key")}

        return {
            "public_url": self.origin,
            "listen": [
                {"address": f"127.0.0.1:{self.callbacks_port}", "tls": tls(), "serve": ["callbacks"]},
                {"address": f"127.0.0.1:{self.api_port}", "tls": tls(), "serve": ["api"]},
                {"address": self.socket, "mode": "0600", "serve": ["callbacks", "api"]},
                {"address": f"127.0.0.1:{self.admin_port}", "serve": ["admin"]},
            ],
            "store": "memory",
            "issuers": [{"name": "demo", "issuer": issuer, "ca": str(CA)}],
            "apps": [
                self.app("app1", "Contoso Mail", ["msauth.com.contoso.app1://auth", "http://127.0.0.1/app1"]),
                self.app("app2", "Contoso Calendar", ["msauth.com.contoso.app2://auth"]),
                {
                    "id": "com.contoso.legacy",
                    "client_id": "legacy",
                    "issuer": "demo",
                    "redirect_uris": [self.url("/legacy")],
                    "handler": {"redirect": "x-legacy://callback"},
                },
            ],
        }

    def app(self, name, title, more_uris=(), client_id="contoso-suite", **keys):
        """A registration; the apps of the suite share one client ID."""
        return {
            "id": f"com.contoso.{name}",
            "name": title,
            "issuer": "demo",
            "client_id": client_id,
            "redirect_uris": [self.url(f"/{name}/auth"), *more_uris],
            "release": "none",
            "default_scope": "openid profile offline_access",
            **keys,
        }
