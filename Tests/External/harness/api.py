"""The apps' API, called as an app would: over TLS or over a Unix socket, one connection a call."""

import http.client
import json
import socket
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

from harness import wire
from harness.vault import VAULT


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


@dataclass(frozen=True)
class Reply:
    """The answer to one call."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    def header(self, name):
        return self.headers.get(name)


class Api:
    """A door to the API: `https://host:port` with the CA to trust, `http://host:port`, or `unix:PATH`."""

    def __init__(self, address, ca=None, source=None):
        self.address = address
        self._ca = ca
        self._source = source

    def connect(self, seconds=90):
        if self.address.startswith("unix:"):
            return UnixConnection(self.address.removeprefix("unix:"), seconds)
        parts = urlsplit(self.address)
        source = (self._source, 0) if self._source else None
        if parts.scheme == "http":
            return http.client.HTTPConnection(parts.hostname, parts.port, timeout=seconds, source_address=source)
        return http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=seconds, context=wire.context(self._ca), source_address=source)

    def call(self, method, path, body=None, token=None, headers=None):
        """Makes one call; `body` is sent as JSON unless it is bytes already."""
        fields = dict(headers or {})
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = self.connect()
        try:
            connection.request(method, path, body=body, headers=fields)
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def begin_reply(self, app, headers=None, **fields):
        reply = self.call("POST", "/v1/requests", {"app": app, **fields}, headers=headers)
        if reply.status == 201:
            VAULT.remember("result token", reply.json["result_token"])
            VAULT.remember("state", reply.json.get("state"))
        return reply

    def begin(self, app, demo="auto", **fields):
        """Begins a request whose sign-in the demo issuer answers at once, as `demo` tells it to."""
        if demo is not None:
            fields["extra_parameters"] = {"demo": demo, **fields.get("extra_parameters", {})}
        reply = self.begin_reply(app, **fields)
        assert reply.status == 201, (reply.status, reply.body)
        return Pending(self, reply.json)

    def relay(self, url, source="com.contoso.test"):
        VAULT.remember_url(url)
        return self.call("POST", "/v1/callbacks", {"url": url, "source_application": source})


class Pending:
    """A pending token request, as the app that began it holds it."""

    def __init__(self, api, fields):
        self.api = api
        self.fields = fields
        self.id = fields["id"]
        self.token = fields["result_token"]
        self.state = fields.get("state")
        self.reference = fields["reference"]
        self.redirect_uri = fields["redirect_uri"]
        self.authorization_url = fields.get("authorization_url")
        self.start_url = fields.get("start_url")

    @property
    def path(self):
        return f"/v1/requests/{quote(self.id, safe='')}"

    @property
    def nonce(self):
        return parse_qs(urlsplit(self.authorization_url).query)["nonce"][0]

    def poll(self, wait=None, seen=None, token=None, api=None):
        """Asks once; `wait` seconds as a long poll."""
        headers = {} if wait is None else {"Prefer": f"wait={wait}"}
        path = self.path if seen is None else f"{self.path}?seen={seen}"
        reply = (api or self.api).call("GET", path, token=token or self.token, headers=headers)
        if reply.status == 200:
            VAULT.remember_all(reply.json.get("token_response"))
            VAULT.remember_all(reply.json.get("parameters"))
        return reply

    def outcome(self):
        """Waits for the end, and returns it."""
        reply = self.poll(wait=30)
        assert reply.status == 200, (reply.status, reply.body)
        return reply.json

    def failure(self):
        """Waits for the end, which must be a failure, and returns its error."""
        outcome = self.outcome()
        assert outcome["status"] == "failed", outcome
        return outcome["error"]

    def is_untouched(self):
        reply = self.poll()
        return reply.status == 202 and reply.json == {"status": "pending"}

    def events(self, comments=None):
        """The event stream: one (event, JSON) pair after another until the gateway ends it. Comments go into the list."""
        connection = self.api.connect()
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self.token}"}
        connection.request("GET", self.path, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.getheader("Content-Type").startswith("text/event-stream")
        try:
            event, data = None, []
            while line := answer.readline().decode():
                name, _, value = line.rstrip("\r\n").partition(":")
                if name == "event":
                    event = value.strip()
                elif name == "data":
                    data.append(value.removeprefix(" "))
                elif line.startswith(":") and comments is not None:
                    comments.append(value.strip())
                elif line.strip() == "" and data:
                    yield event, json.loads("\n".join(data))
                    event, data = None, []
        finally:
            connection.close()

    def delete(self):
        return self.api.call("DELETE", self.path, token=self.token)
