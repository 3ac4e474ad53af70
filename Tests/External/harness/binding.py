"""A provider that binds tokens to keys (DPoP, RFC 9449), with pushed requests, and an API that takes such tokens.

It verifies each proof: type, algorithm, signature, `htm`, `htu`, `ath`, `iat`, `jti` once, the thumbprint, and the nonce of
that server where it wants one. A proof that is wrong is a problem that the tests see.
"""

import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jws
from joserfc.jwk import ECKey

from harness.deviating import Refused, b64
from harness.modern import ModernProvider
from harness.standin import JSON


def thumbprint(jwk):
    """RFC 7638."""
    text = json.dumps({name: jwk[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"))
    return b64(hashlib.sha256(text.encode()).digest())


def part(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class WantsNonce(Exception):
    pass


class BindingProvider(ModernProvider):
    """`nonces` maps "as" and "rs" to the nonce that the authorization server or the API asks for now; None if it asks for
    no nonce."""

    def __init__(self, **options):
        # A client remembers nonces, so they count for as long as the provider lives.
        self.given = {"as": set(), "rs": set()}
        super().__init__(**options)

    def reset(self):
        super().reset()
        self.nonces, self.seen, self.proofs, self.bound = {"as": None, "rs": None}, set(), [], {}
        self.pushed, self.token_type, self.next_nonce = {}, "DPoP", None
        self.answers |= {"/par": self._push, "/token": self._bound_token, "/api": self._api, "/userinfo": self._api_userinfo}

    def metadata(self, **changes):
        return super().metadata(pushed_authorization_request_endpoint=f"{self.base}/par",
                                dpop_signing_alg_values_supported=["ES256"], **changes)

    # Proofs

    def check(self, request, role, token=None):
        """The thumbprint of the key that proved the request."""
        proof = request["headers"].get("dpop")
        if not proof:
            raise Refused("invalid_dpop_proof", "there is no proof")
        head, claims = (part(text) for text in proof.split(".")[:2])
        if head.get("typ") != "dpop+jwt" or head.get("alg") != "ES256" or "d" in head.get("jwk", {}):
            raise Refused("invalid_dpop_proof", f"the header is {head}")
        jws.deserialize_compact(proof, ECKey.import_key(head["jwk"]), algorithms=["ES256"])
        self.proofs.append(claims | {"path": request["path"], "jkt": thumbprint(head["jwk"])})
        wrong = [name for name, value in (("htm", request["method"]), ("htu", f"{self.base}{request['path']}"))
                 if claims.get(name) != value]
        if token is not None and claims.get("ath") != b64(hashlib.sha256(token.encode()).digest()):
            wrong.append("ath")
        if token is None and "ath" in claims:
            wrong.append("ath")
        if abs(claims.get("iat", 0) - time.time()) > 60:
            wrong.append("iat")
        if not claims.get("jti") or claims["jti"] in self.seen:
            wrong.append("jti")
        self.seen.add(claims.get("jti"))
        if claims.get("nonce") in self.given["rs" if role == "as" else "as"]:
            wrong.append("nonce")
        if wrong:
            raise Refused("invalid_dpop_proof", f"wrong: {wrong}")
        if self.nonces[role] is not None and claims.get("nonce") != self.nonces[role]:
            self.given[role].add(self.nonces[role])
            raise WantsNonce
        return thumbprint(head["jwk"])

    def _answered(self, role, status, headers, body):
        if self.next_nonce and role == "as":
            self.given["as"].add(self.next_nonce)
            headers = headers | {"DPoP-Nonce": self.next_nonce}
        return status, headers, body

    def _guard(self, request, role, work):
        try:
            return self._answered(role, *work())
        except WantsNonce:
            return 400, JSON | {"DPoP-Nonce": self.nonces[role]}, {"error": "use_dpop_nonce"}
        except Refused as refused:
            self.problems.append(str(refused))
            return refused.status, JSON, {"error": refused.error, "error_description": refused.description}

    # The endpoints

    def _push(self, request):
        def work():
            key = self.check(request, "as")
            if request["form"].get("dpop_jkt") not in (None, key):
                raise Refused("invalid_dpop_proof", "the pushed dpop_jkt is of another key")
            uri = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(8)}"
            self.pushed[uri] = {name: value for name, value in request["form"].items() if name != "client_secret"}
            return 201, JSON, {"request_uri": uri, "expires_in": 60}
        return self._guard(request, "as", work)

    def authorize(self, url, **callback):
        fields = dict(parse_qsl(urlsplit(url).query))
        if "request_uri" in fields:
            url = f"{self.base}/authorize?{urlencode(self.pushed.pop(fields['request_uri']))}"
        return super().authorize(url, **callback)

    def _bound_token(self, request):
        def work():
            key = self.check(request, "as")
            grants = self.codes if request["form"].get("grant_type") == "authorization_code" else self.refresh_tokens
            grant = grants.get(request["form"].get("code") or request["form"].get("refresh_token"), {})
            expected = grant.get("key") or grant.get("fields", {}).get("dpop_jkt")
            if expected != key:
                raise Refused("invalid_dpop_proof", f"the key is another one than {expected}")
            grant["key"] = key
            status, headers, answer = self._token(request, at_refresh=False)
            if status == 200:
                self.bound[answer["access_token"]] = key
                answer["token_type"] = self.token_type
            return status, headers, answer
        return self._guard(request, "as", work)

    def _api(self, request):
        scheme, _, token = request["headers"].get("authorization", "").partition(" ")
        if scheme != "DPoP" or token not in self.bound:
            return 401, JSON | {"WWW-Authenticate": 'DPoP error="invalid_token"'}, {"error": "invalid_token"}
        try:
            if self.check(request, "rs", token) != self.bound[token]:
                raise Refused("invalid_dpop_proof", "another key than the token's", 401)
        except WantsNonce:
            return 401, JSON | {"DPoP-Nonce": self.nonces["rs"], "WWW-Authenticate": 'DPoP error="use_dpop_nonce"'}, {}
        except Refused as refused:
            self.problems.append(str(refused))
            return 401, JSON | {"WWW-Authenticate": f'DPoP error="{refused.error}"'}, {"error": refused.error}
        return 200, JSON, {"hello": "alice"}

    def _api_userinfo(self, request):
        status, headers, body = self._api(request)
        return status, headers, {"sub": "alice", "email": "alice@contoso.com"} if status == 200 else body
