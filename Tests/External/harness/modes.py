"""A gateway with one app for each response mode, and the ways of a response to it."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

from harness.gateway import Gateway
from harness.issuer import fetch
from harness.signin import well_behaved
from harness.vault import VAULT

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MODES = {
    "query": "query", "form": "form_post", "fragment": "fragment", "jwt": "jwt", "queryjwt": "query.jwt",
    "formjwt": "form_post.jwt", "fragmentjwt": "fragment.jwt",
}


def app_id(name):
    return f"com.contoso.{name}"


class ModesGateway(Gateway):
    """Its apps are named by their mode; `…start` ones have `require_start`."""

    def __init__(self, folder, issuer, **options):
        super().__init__(folder, issuer, **options)
        for name, mode in MODES.items():
            more = {"response_mode": mode}
            self.configuration["apps"] += [
                self.app(name, name.title(), client_id=name, **more),
                self.app(f"{name}start", f"{name} start", client_id=f"{name}s", require_start=True, **more),
            ]


def answer_of(authorization_url):
    """The issuer's answer: the address for the browser and the parameters, by the requested mode."""
    mode = dict(parse_qsl(urlsplit(authorization_url).query)).get("response_mode", "query")
    status, headers, body = fetch(authorization_url)
    if mode.startswith("form_post"):
        assert status == 200, body
        found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', body.decode())
        fields = [(unescape(name), unescape(value)) for name, value in found]
    else:
        assert status == 302, body
        target = urlsplit(headers["Location"])
        fields = parse_qsl(target.fragment if mode.startswith("fragment") else target.query)
    for name, value in fields:
        if name in ("code", "state", "response"):
            VAULT.remember(name, value)
    return fields


def is_sent_away(answer, pending):
    """Whether the gateway says that the sign-in was started in another browser: the code is out of the address bar."""
    there = (answer.status, answer.header("Location")) == (303, f"/done/{pending.reference}/another-browser")
    return there and answer.header("Set-Cookie") is None


class Arrival:
    """A response on its way to its redirect URI."""

    def __init__(self, gateway, name, demo="auto", **fields):
        self.gateway = gateway
        self.name = name
        self.pending = gateway.api().begin(app_id(name), demo=demo, scope="openid", **fields)
        self.target = gateway.url(f"/{name}/auth")
        self.url = self.pending.authorization_url
        self.cookies = {}

    def start(self):
        """Opens the start address, as `require_start` wants it, and keeps its cookie."""
        answer = self.gateway.browse(self.pending.start_url)
        assert answer.status == 303, answer.text
        self.url = answer.header("Location")
        name, _, value = answer.header("Set-Cookie").split(";")[0].partition("=")
        self.cookies[name] = value
        return self

    @property
    def fields(self):
        return answer_of(self.url)

    def by_query(self, fields, **headers):
        return self.gateway.browse(f"{self.target}?{urlencode(fields)}", headers=headers)

    def by_form(self, fields, query="", **headers):
        return self.gateway.browse(
            self.target + query, method="POST", body=urlencode(fields).encode(), headers=FORM | headers)

    def deliver(self, fields, **headers):
        """The way that the app's mode asks for."""
        return (self.by_query if "query" in self.mode or self.mode == "jwt" else self.by_form)(fields, **headers)

    @property
    def mode(self):
        return MODES[self.name.removesuffix("start")]

    def finish_properly(self, **headers):
        """A good response for the very same request."""
        assert self.pending.is_untouched()
        assert self.deliver(answer_of(well_behaved(self.url)), **headers).status == 303
        return self.pending.outcome()["status"] == "completed"
