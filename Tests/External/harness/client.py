"""A client of the demo issuer that a test directs: it sends the given parameters, and shows the answers."""

import base64
import hashlib
import json
import secrets
from urllib.parse import parse_qsl, urlencode, urlsplit

from harness.issuer import fetch
from harness.vault import VAULT

REDIRECT = "http://127.0.0.1:1/callback"


class Answer:
    """One answer of the token endpoint or of an API."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body
        self.json = json.loads(body) if headers.get("Content-Type", "").startswith("application/json") else {}
        for name in ("access_token", "refresh_token", "id_token"):
            VAULT.remember("token", self.json.get(name))

    def __getitem__(self, name):
        return self.json[name]

    def __contains__(self, name):
        return name in self.json

    @property
    def scopes(self):
        return set(self.json["scope"].split())

    @property
    def claims(self):
        """The claims of the ID token, not verified; another test does that."""
        return unpadded(self.json["id_token"].split(".")[1])

    @property
    def refusal(self):
        return self.status, self.json.get("error"), self.json.get("suberror")


class DemoClient:
    """A public client with an ID of its own, so that the counters of one test are not another's."""

    def __init__(self, issuer, client_id=None, authority=""):
        self.issuer = issuer
        self.id = client_id or f"client-{secrets.token_hex(6)}"
        base = f"{issuer.base}{authority}"
        below = {"": "", "/adfs": "/oauth2"}.get(authority, "/oauth2/v2.0")
        self.authorization_endpoint, self.token_endpoint = f"{base}{below}/authorize", f"{base}{below}/token"

    def call(self, api, token):
        """GET of `/api/{api}` with an access token."""
        return Answer(*fetch(f"{self.issuer.base}/api/{api}", headers=token and {"Authorization": f"Bearer {token}"}))

    def change(self, **fields):
        self.issuer.control(client=self.id, **fields)

    def script(self, **fields):
        """Sets the answers to the next token requests of this client."""
        self.change(token="answer", **fields)

    def count(self, grant_type):
        return json.loads(fetch(f"{self.issuer.base}/demo/stats?{urlencode({'client': self.id})}")[2])[grant_type]

    def code(self, scope, user="Alex Doe", **more):
        """Signs in without asking: (code, verifier)."""
        verifier = secrets.token_urlsafe(32)
        digest = hashlib.sha256(verifier.encode()).digest()
        fields = {
            "client_id": self.id, "redirect_uri": REDIRECT, "response_type": "code", "scope": scope, "state": "s",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), "code_challenge_method": "S256",
            "login_hint": user,
        } | more
        fields["demo"] = ",".join(filter(None, ["auto", more.get("demo")]))
        status, headers, body = fetch(f"{self.authorization_endpoint}?{urlencode(fields)}")
        assert status == 302, (status, body)
        answer = dict(parse_qsl(urlsplit(headers["Location"]).query))
        VAULT.remember("code", answer.get("code"))
        assert "code" in answer, answer
        return answer["code"], verifier

    def post(self, **fields):
        fields = {"client_id": self.id} | fields
        return Answer(*fetch(self.token_endpoint, form={k: v for k, v in fields.items() if v is not None}))

    def redeem(self, code, verifier, **more):
        return self.post(
            grant_type="authorization_code", code=code, code_verifier=verifier, redirect_uri=REDIRECT, **more)

    def sign_in(self, scope="openid offline_access", /, user="Alex Doe", request=None, **more):
        """A whole sign-in; `request` goes into the authorization request, the rest into the token request."""
        return self.redeem(*self.code(scope, user, **(request or {})), **more)

    def refresh(self, token, scope=None, **more):
        return self.post(grant_type="refresh_token", refresh_token=token, scope=scope, **more)


def unpadded(part):
    """JSON in base64url."""
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
