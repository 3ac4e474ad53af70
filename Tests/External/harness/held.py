"""A gateway with an app for each release policy, and a sign-in whose code is held."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from harness.api import Pending
from harness.gateway import Gateway
from harness.issuer import CONFIDENTIAL, authorize
from harness.modes import FORM
from harness.vault import VAULT

# The trusted proxies, and the networks where `same_network` may pass.
PROXY, NETWORKS = "127.0.0.9", ["192.168.7.0/24", "2001:db8:7::/48"]
NAMES = ("code", "network", "device", "scheme", "open")
CODE, NETWORK, DEVICE, SCHEME, NONE = (f"com.contoso.{name}" for name in NAMES)
PORT = 40406
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class HoldingGateway(Gateway):
    """Behind a trusted proxy, so that a test can be anywhere."""

    def __init__(self, folder, issuer, **options):
        super().__init__(folder, issuer, **options)
        self.configuration |= {"trusted_proxies": [PROXY], "networks": NETWORKS}
        self.configuration["apps"] += [
            self.app("code", "Coded Mail", client_id="code", release="code"),
            self.app("network", "Networked Mail", client_id="network", release="same_network"),
            self.app("device", "Devised Mail", client_id="device", release="same_device",
                     return_uri="http://127.0.0.1/back"),
            self.app("scheme", "Schemed Mail", client_id="scheme", release="same_device",
                     return_uri="msauth.com.contoso.scheme://back"),
            self.app("open", "Opened Mail", client_id="open", release="none"),
            self.app("confidential", "Confidential Mail", client_id="confidential",
                     client_secret=CONFIDENTIAL["confidential"], begin_from={"networks": ["127.0.0.1"]}),
        ]


def via(address):
    """The header fields of a request that the trusted proxy forwards for `address`."""
    return {"source": PROXY, "headers": {"X-Forwarded-For": address}}


class Place:
    """An app that calls from one place: this machine, behind the proxy, or wherever it says it is."""

    def __init__(self, gateway, source=None, headers=None):
        self.address = gateway.api(source=source).address
        self._api, self._headers = gateway.api(source=source), headers or {}

    def __getattr__(self, name):
        return getattr(self._api, name)

    def call(self, method, path, body=None, token=None, headers=None):
        return self._api.call(method, path, body, token, self._headers | (headers or {}))


def begin(gateway, app=CODE, demo="auto", api=None, **fields):
    """A request for that app, from `api`'s place."""
    if app == DEVICE:
        fields.setdefault("return_port", PORT)
    if fields.get("completion") == "response":
        fields |= {"code_challenge": CHALLENGE, "nonce": "n" * 32}
    api = api or gateway.api()
    body = {"app": app, "scope": "openid", "extra_parameters": {"demo": demo}, **fields}
    reply = api.call("POST", "/v1/requests", body)
    assert reply.status == 201, reply.body
    VAULT.remember("result token", reply.json["result_token"])
    return Pending(api, reply.json)


class Visit:
    """The browser of the person: it brings the callback, and keeps the cookie of its page."""

    def __init__(self, gateway, pending, callback=None, **options):
        self.gateway, self.pending, self._options = gateway, pending, options
        self.callback = callback or authorize(pending.authorization_url)
        self.answer = gateway.browse(self.callback, **options)
        assert self.answer.status == 303, self.answer.text
        self.cookie = self.answer.header("Set-Cookie").split(";")[0]
        self.address = gateway.url(self.answer.header("Location"))

    @property
    def authorization_code(self):
        return parse_qs(urlsplit(self.callback).query)["code"][0]

    def page(self, **headers):
        return self.gateway.browse(self.address, headers={"Cookie": self.cookie} | headers)

    @property
    def code(self):
        """The release code on the page, or None."""
        found = shown(self.page().text, "release-code")
        VAULT.remember("release code", found)
        return found

    @property
    def ticket(self):
        """The ticket with which the page sends the browser on."""
        found = parse_qs(urlsplit(self.page().header("Location")).query)["ticket"][0]
        VAULT.remember("ticket", found)
        return found

    def not_me(self, cookie=None, **headers):
        """Presses “it was not me”, with this browser's cookie unless told otherwise."""
        fields = FORM | {"Cookie": self.cookie if cookie is None else cookie} | headers
        return self.gateway.browse(self.address, method="POST", body=b"answer=not_me", headers=fields)


def shown(page, identifier):
    """The text of the element with this id; None without such an element."""
    found = re.search(rf'<\w+[^>]*\sid="{identifier}"[^>]*>([^<]*)<', page)
    return found and unescape(found[1]).strip()


def release(pending, api=None, token=None, headers=None, **proof):
    return (api or pending.api).call(
        "POST", f"{pending.path}/release", proof, token=token or pending.token, headers=headers)


def is_held(pending):
    """Whether the request waits for its release, and its answer has no other member."""
    reply = pending.poll()
    return (reply.status, reply.json) == (202, {"status": "release_required"})


def outcome(pending):
    """The program's result after the release."""
    reply = pending.poll(wait=30, seen="release_required")
    if reply.status == 202:
        reply = pending.poll(wait=30)
    assert reply.status == 200, (reply.status, reply.body)
    return reply.json


def finish_properly(visit, issuer):
    """Releases the very same request as its person would; its code is redeemed now, once."""
    assert is_held(visit.pending) and issuer.times_redeemed(visit.authorization_code) == 0, "it was only held"
    assert release(visit.pending, code=visit.code).status == 204
    assert outcome(visit.pending)["status"] == "completed"
    return issuer.times_redeemed(visit.authorization_code) == 1
