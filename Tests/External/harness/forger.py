"""An issuer whose keys are the test's: it signs tokens that no honest issuer would, with another JOSE library."""

import base64
import json
import secrets
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from joserfc import jws
from joserfc.jwk import ECKey

from harness.modes import FORM
from harness.vault import VAULT

ALGORITHMS = ["ES256", "ES384", "ES512", "RS256", "PS256", "HS256", "EdDSA", "none"]


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Forger:
    """Metadata, keys and a token endpoint that takes every code. The authorization endpoint is the test itself."""

    def __init__(self):
        self.key = ECKey.generate_key("P-256", {"kid": "honest"})
        self.published = [self.key.as_dict(private=False)]
        self.reachable = True
        self.redeemed = []
        forger = self

        class Endpoints(BaseHTTPRequestHandler):
            def do_GET(self):
                documents = {"/.well-known/openid-configuration": forger.metadata, "/jwks": forger.jwks}
                document = documents.get(self.path)
                self._answer(document() if document and forger.reachable else None)

            def do_POST(self):
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                forger.redeemed.append(form["code"][0])
                VAULT.remember("code_verifier", form["code_verifier"][0])
                self._answer({"access_token": forger.token(), "token_type": "Bearer", "expires_in": 60})

            def _answer(self, document):
                body = json.dumps(document).encode()
                self.send_response(503 if document is None else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoints)
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def metadata(self):
        return {
            "issuer": self.base, "authorization_endpoint": f"{self.base}/authorize", "jwks_uri": f"{self.base}/jwks",
            "token_endpoint": f"{self.base}/token", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
        }

    def jwks(self):
        return {"keys": self.published}

    def token(self):
        token = secrets.token_urlsafe(24)
        VAULT.remember("access_token", token)
        return token

    def claims(self, authorization_url, **changes):
        """The claims of a good response with changes; None removes a claim."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(authorization_url).query).items()}
        code = secrets.token_urlsafe(24)
        VAULT.remember("code", code)
        claims = {
            "iss": self.base, "aud": asked["client_id"], "exp": int(time.time()) + 600, "state": asked["state"],
            "code": code,
        } | changes
        return {name: value for name, value in claims.items() if value is not None}

    def sign(self, payload, key=None, **header):
        """A compact JWS of claims, or of raw bytes; None removes a header parameter."""
        payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        head = {"alg": "ES256", "kid": "honest"} | header
        head = {name: value for name, value in head.items() if value is not None}
        key = key or self.key
        if head["alg"] == "ES256":
            # By hand: the library has rules of its own for the rest of the header.
            return sign_by_hand(key, json.dumps(head).encode(), payload)
        registry = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        return jws.serialize_compact(head, payload, key, registry=registry)


def sign_by_hand(key, head, payload):
    """ES256 over any head and any payload."""
    signed = f"{encode(head)}.{encode(payload)}"
    r, s = decode_dss_signature(key.private_key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{signed}.{encode(r.to_bytes(32) + s.to_bytes(32))}"


class Response:
    """A pending request of an app, and the way of a JWT to its redirect URI; the app called `form` wants a form."""

    def __init__(self, gateway, forger, name="jwt"):
        self.gateway, self.forger, self.name = gateway, forger, name
        # Without `openid` there is no ID token, so only the response counts.
        self.pending = gateway.api().begin(f"com.contoso.{name}", demo=None, scope="profile")

    def claims(self, **changes):
        return self.forger.claims(self.pending.authorization_url, **changes)

    def deliver(self, jwt):
        VAULT.remember("response", jwt)
        body = urlencode({"response": jwt})
        url = self.gateway.url(f"/{self.name}/auth")
        if self.name == "form":
            return self.gateway.browse(url, method="POST", headers=FORM, body=body.encode())
        return self.gateway.browse(f"{url}?{body}")

    def finish_properly(self):
        assert self.pending.is_untouched()
        claims = self.claims()
        assert self.deliver(self.forger.sign(claims)).status == 303
        assert self.pending.outcome()["token_response"]["access_token"]
        return self.forger.redeemed.count(claims["code"]) == 1
