"""The test issuer (Tests/TestIssuer), and what a browser does at it."""

import http.client
import json
from urllib.parse import urlencode, urlsplit

from harness import wire
from harness.programs import CERTIFICATES, TEST_ISSUER, Program, free_port
from harness.vault import VAULT


# A client of the ordinary issuer that has a secret.
CONFIDENTIAL = {"confidential": "a-secret-that-the-gateway-keeps"}


def fetch(url, form=None, headers=None):
    """One GET, or one POST of a form, without following redirects: (status, headers, body)."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        context = wire.context(CERTIFICATES / "ca.pem")
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=30, context=context)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        path = parts.path or "/"
        target = f"{path}?{parts.query}" if parts.query else path
        if form is None:
            connection.request("GET", target, headers=headers or {})
        else:
            fields = {"Content-Type": "application/x-www-form-urlencoded"} | (headers or {})
            connection.request("POST", target, body=urlencode(form), headers=fields)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def authorize(authorization_url):
    """Signs in at an issuer that shows no page, and returns the callback's address."""
    status, headers, body = fetch(authorization_url)
    assert status in (302, 303, 307), (status, body[:500])
    callback = headers["Location"]
    VAULT.remember_url(callback)
    return callback


class TestIssuer(Program):
    """`test-issuer` on a loopback port of its own; `clients` have secrets, by client ID."""

    __test__ = False

    def __init__(self, folder, tls=False, port=None, clients=None):
        self.port = port or free_port()
        self.base = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        arguments = ["--listen", f"127.0.0.1:{self.port}"]
        if tls:
            arguments += ["--tls-certificate", CERTIFICATES / "server.pem"]
            arguments += ["--tls-key", CERTIFICATES / "server.key"]
        if clients:
            arguments += ["--client", ",".join(f"{name}:{secret}" for name, secret in clients.items())]
        super().__init__(folder / f"issuer-{self.port}.log", *arguments, program=TEST_ISSUER)

    def start(self):
        self.launch(self._answers)
        return self

    def metadata(self):
        return json.loads(fetch(f"{self.base}/.well-known/openid-configuration")[2])

    def keys(self):
        """The keys that are published now."""
        return json.loads(fetch(f"{self.base}/jwks")[2])["keys"]

    def control(self, **fields):
        """Changes keys (`keys=`), makes endpoints unreachable (`outage=`), or what else Tests/TestIssuer says."""
        status, _, body = fetch(f"{self.base}/demo/control", form=fields)
        assert status == 200, body
        return json.loads(body)

    def count(self, name):
        """One of the issuer's counters."""
        return json.loads(fetch(f"{self.base}/demo/stats")[2])[name]

    def times_redeemed(self, code):
        """How often this code was sent to the token endpoint, with any result."""
        return json.loads(fetch(f"{self.base}/demo/stats?{urlencode({'code': code})}")[2])["token_requests"]

    def _answers(self):
        try:
            return self.metadata()["issuer"]
        except OSError:
            return None
