"""A provider that asks much of its clients: pushed requests, assertions, certificates, signed request objects.

It verifies everything that a client sends and refuses the rest, so a sign-in that succeeds has shown all of it. `problems`
has its refusals with their reasons.
"""

import hashlib
import json
import secrets
import time
from base64 import b64decode, urlsafe_b64decode
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

import jwt

from harness.deviating import CLIENT, SECRET, DeviatingProvider, Refused, b64
from harness.standin import JSON

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ALGORITHMS = ["ES256", "ES384", "PS256", "RS256", "EdDSA", "Ed25519", "HS256", "HS384", "HS512"]


def header_of(token):
    part = token.split(".")[0]
    return json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class StrictProvider(DeviatingProvider):
    """`method` is the client's authentication; `keys` returns its JWKS (a list of JWK)."""

    def __init__(self, method="client_secret_basic", keys=lambda: [], *, par="required", request_object="off", rules=None,
                 metadata=None, jws_types=("client-authentication+jwt",), issuer_audience=True, **options):
        self.method, self.keys_of_client, self.par, self.request_object = method, keys, par, request_object
        self.more_metadata, self.jws_types, self.issuer_audience = dict(metadata or {}), jws_types, issuer_audience
        self.pushed, self.used, self.refusals, self.assertions, self.request_objects = {}, set(), {}, [], []
        self.lifetime, self.opened, self.certificates_of_client = 60, [], []
        super().__init__(rules, **options)

    def reset(self):
        super().reset()
        for memory in (self.pushed, self.used, self.refusals, self.assertions, self.request_objects, self.opened):
            memory.clear()
        self.answers["/par"] = self._par
        self.answers["/revoke"] = self._revoke

    def metadata(self, **changes):
        push = {"pushed_authorization_request_endpoint": f"{self.base}/par"} if self.par != "none" else {}
        if self.par == "required":
            push["require_pushed_authorization_requests"] = True
        return super().metadata(**push, **self.more_metadata, **changes)

    def refuse(self, path, *answers):
        """The next requests to this path get these answers: (status, content) or (status, headers, content)."""
        self.refusals.setdefault(path, []).extend(answers)

    def _refusal(self, path):
        if not self.refusals.get(path):
            return None
        answer = self.refusals[path].pop(0)
        return answer if len(answer) == 3 else (answer[0], JSON, answer[1])

    # The client

    def _authenticate(self, request, fields):
        if not self.rules.get("parameter_names") and fields.get("client_id") != CLIENT:
            raise Refused("invalid_client", "client_id is not the client's", 401)
        basic = request["headers"].get("authorization", "")
        if self.method != "client_secret_basic" and basic:
            raise Refused("invalid_client", "Basic, which this client does not use", 401)
        if self.method != "client_secret_post" and "client_secret" in fields:
            raise Refused("invalid_client", "client_secret, which this client does not use", 401)
        match self.method:
            case "none":
                if "client_assertion" in fields:
                    raise Refused("invalid_client", "an assertion of a public client", 401)
            case "client_secret_basic":
                if not basic.startswith("Basic "):
                    raise Refused("invalid_client", "no Basic", 401)
                client, _, secret = _text(basic.removeprefix("Basic ")).partition(":")
                if (unquote_plus(client), unquote_plus(secret)) != (CLIENT, SECRET):
                    raise Refused("invalid_client", "another secret", 401)
            case "client_secret_post":
                if fields.get("client_secret") != SECRET:
                    raise Refused("invalid_client", "another secret", 401)
            case "client_secret_jwt" | "private_key_jwt":
                self._assertion(fields, request["path"])
            case "tls_client_auth" | "self_signed_tls_client_auth":
                self._certificate(request)

    def _assertion(self, fields, path):
        if fields.get("client_assertion_type") != ASSERTION_TYPE:
            raise Refused("invalid_client", "no client_assertion_type of RFC 7523", 401)
        token = fields.get("client_assertion", "")
        claims = self.verified(token, self.jws_types, by_secret=self.method == "client_secret_jwt")
        self.assertions.append({"header": header_of(token), "claims": claims, "path": path})
        if claims["iss"] != CLIENT or claims["sub"] != CLIENT:
            raise Refused("invalid_client", "iss or sub is not the client", 401)
        audience = self.base if self.issuer_audience else f"{self.base}/token"
        if claims["aud"] != audience:
            raise Refused("invalid_client", f"aud is {claims['aud']}, not {audience}", 401)
        if claims["exp"] - claims["iat"] > 60:
            raise Refused("invalid_client", "it lives for more than a minute", 401)

    def _certificate(self, request):
        if request["certificate"] is None:
            raise Refused("invalid_client", "no certificate", 401)
        if request["certificate"] not in self.certificates_of_client:
            raise Refused("invalid_client", "another client's certificate", 401)

    def verified(self, token, types, *, by_secret=False):
        """The claims of a JWT of the client. Each `jti` counts once."""
        try:
            header = header_of(token)
        except ValueError:
            raise Refused("invalid_client", "no JWT", 401) from None
        if header.get("typ") not in types:
            raise Refused("invalid_client", f"typ is {header.get('typ')}", 401)
        allowed = self.more_metadata.get("token_endpoint_auth_signing_alg_values_supported", ALGORITHMS)
        if header["alg"] not in allowed:
            raise Refused("invalid_client", f"alg is {header['alg']}", 401)
        # PyJWT knows Ed25519 by its older name only.
        algorithms = ["EdDSA"] if header["alg"] == "Ed25519" else [header["alg"]]
        key = SECRET if by_secret else self._key(header)
        if header["alg"] == "Ed25519":
            return self._checked(self._by_ed25519(token, key))
        try:
            claims = jwt.decode(token, key, algorithms=algorithms, options={"verify_aud": False}, leeway=5)
        except jwt.PyJWTError as error:
            raise Refused("invalid_client", f"{type(error).__name__}: {error}", 401) from None
        return self._checked(claims)

    def _by_ed25519(self, token, key):
        signed, _, signature = token.rpartition(".")
        key.verify(urlsafe_b64decode(signature + "=="), signed.encode())
        return json.loads(_bytes(signed.split(".")[1]))

    def _key(self, header):
        if self.issuer_audience:
            found = [key for key in self.keys_of_client() if key.get("kid") == header.get("kid")]
        else:
            # Like Entra, it finds the key by the certificate only.
            found = [key for key in self.keys_of_client()
                     if "kid" not in header and thumbprint(b64decode(key["x5c"][0])) == header.get("x5t#S256")]
        if len(found) != 1:
            raise Refused("invalid_client", f"the client has no key {header}", 401)
        if any(private in found[0] for private in ("d", "p", "q", "k")):
            raise Refused("invalid_client", "the key set has private parts", 401)
        return jwt.PyJWK(found[0], algorithm="EdDSA" if header["alg"] == "Ed25519" else header["alg"]).key

    def _checked(self, claims):
        if not isinstance(claims.get("jti"), str) or len(_bytes(claims["jti"])) < 16:
            raise Refused("invalid_client", "jti has less than 128 bits", 401)
        if claims["jti"] in self.used:
            raise Refused("invalid_client", "jti was used before", 401)
        self.used.add(claims["jti"])
        if not isinstance(claims.get("aud"), str):
            raise Refused("invalid_client", "aud is no string", 401)
        now = time.time()
        if not claims["iat"] <= now + 5 or not claims["exp"] > now - 5:
            raise Refused("invalid_client", "its time is not now", 401)
        return claims

    # The pushed request

    def _par(self, request):
        if refusal := self._refusal("/par"):
            return refusal
        try:
            fields = self._fields(request)
            self._authenticate(request, fields)
            for name in ("client_assertion", "client_assertion_type", "client_secret"):
                fields.pop(name, None)
            if "request_uri" in fields:
                raise Refused("invalid_request", "request_uri in a pushed request")
            self._request(fields)
        except Refused as refused:
            self.problems.append(str(refused))
            return refused.status, JSON, {"error": refused.error, "error_description": refused.description}
        uri = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(16)}"
        self.pushed[uri] = fields
        return 201, JSON, {"request_uri": uri, "expires_in": self.lifetime}

    def _request(self, fields):
        """The parameters of an authorization request, whichever way they came."""
        if self.request_object != "off":
            token = fields.pop("request", None)
            if token is None:
                raise Refused("invalid_request", "no request object")
            if set(fields) != {"client_id"}:
                raise Refused("invalid_request", f"beside the request object: {sorted(fields)}")
            claims = self.verified(token, ["oauth-authz-req+jwt"])
            self.request_objects.append({"header": header_of(token), "claims": claims})
            if claims["aud"] != self.base or claims["iss"] != CLIENT or "sub" in claims or claims["nbf"] > time.time() + 5:
                raise Refused("invalid_request_object", "aud, iss, sub or nbf")
            own = {"iss", "aud", "iat", "nbf", "exp", "jti"}
            fields |= {name: value for name, value in claims.items() if name not in own}
        if fields.get("response_type") != "code" or fields.get("client_id") != CLIENT:
            raise Refused("invalid_request", "response_type or client_id")
        if fields.get("code_challenge_method") != "S256" or not fields.get("code_challenge"):
            raise Refused("invalid_request", "no PKCE with S256")
        if not fields.get("redirect_uri"):
            raise Refused("invalid_request", "no redirect_uri")

    # The authorization endpoint

    def authorize(self, url, **callback):
        parts = urlsplit(url)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.base}/authorize", url
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        fields = dict(pairs)
        assert len(fields) == len(pairs), f"a parameter twice: {url}"
        if self.par == "required" or "request_uri" in fields:
            assert set(fields) == {"client_id", "request_uri"} and fields["client_id"] == CLIENT, url
            fields = self.pushed.pop(fields["request_uri"])
        else:
            self._request(fields)
        self.opened.append(fields)
        code = secrets.token_urlsafe(24)
        self.codes[code] = {
            "redirect_uri": fields["redirect_uri"], "challenge": fields["code_challenge"],
            "scopes": fields.get("scope", "").split(), "nonce": fields.get("nonce"), "fields": fields}
        answer = {"code": code, "state": fields["state"]} | callback
        return f"{fields['redirect_uri']}?{urlencode(answer)}"

    def _token(self, request, *, at_refresh):
        return self._refusal("/token") or super()._token(request, at_refresh=at_refresh)

    def _revoke(self, request):
        if refusal := self._refusal("/revoke"):
            return refusal
        try:
            fields = self._fields(request)
            self._authenticate(request, fields)
        except Refused as refused:
            self.problems.append(str(refused))
            return refused.status, JSON, {"error": refused.error, "error_description": refused.description}
        return 200, {}, ""


def _bytes(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(basic):
    return _bytes(basic.replace("+", "-").replace("/", "_")).decode()


def thumbprint(der):
    return b64(hashlib.sha256(der).digest())
