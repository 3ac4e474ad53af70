"""A provider that breaks exactly the rules that a configuration's `deviations:` name, and insists on all others.

It reads the same mapping as the gateway, so a test gives both one table. A request by other rules is refused, so no test
passes by chance: with `pkce: off` a `code_challenge` is an error, without it a missing one is.
"""

import base64
import copy
import hashlib
import hmac
import json
import secrets
import time
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from harness.standin import JSON, StandIn

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CLIENT, SECRET = "deviating-client", "a-secret-of-the-client-of-40-bytes-000000"
PERSON = {"id": 583231, "login": "octocat", "data": {"login": "nested-octocat"}}
_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Refused(Exception):
    """The token endpoint's answer in place of tokens."""

    def __init__(self, error, description, status=400):
        super().__init__(f"{error}: {description}")
        self.error, self.description, self.status = error, description, status


class DeviatingProvider(StandIn):
    """`rules` is the mapping `deviations:` of a configuration; `token_refresh_path` is where refreshes go."""

    def __init__(self, rules=None, *, scopes=("mail",), expires_in=3600, gives_refresh_tokens=True, host="127.0.0.1",
                 certificate=None):
        self.rules, self.scopes = dict(rules or {}), tuple(scopes)
        self.expires_in, self.gives_refresh_tokens = expires_in, gives_refresh_tokens
        self.codes, self.refresh_tokens, self.access_tokens, self.problems = {}, {}, {}, []
        super().__init__(host, certificate)

    def reset(self):
        super().reset()
        self.problems.clear()
        self.answers |= {
            "/.well-known/openid-configuration": (200, JSON, self.metadata()),
            "/token": lambda request: self._token(request, at_refresh=False),
            "/refresh": lambda request: self._token(request, at_refresh=True),
            "/keys": (200, JSON, self._keys()), "/me": self._account, "/revoke": (200, {}, ""),
        }

    def metadata(self, **changes):
        return super().metadata(jwks_uri=f"{self.base}/keys", revocation_endpoint=f"{self.base}/revoke") | changes

    def configuration(self, name="odd", **more):
        """The issuer as the configuration of a gateway names it."""
        rules = copy.deepcopy(self.rules)
        if "refresh_endpoint" in rules:
            rules["refresh_endpoint"] = f"{self.base}/refresh"
        return {"name": name, "issuer": self.base, **({"deviations": rules} if rules else {}), **more}

    # Names

    def _name(self, parameter, message):
        name = self.rules.get("parameter_names", {}).get(parameter, parameter)
        if isinstance(name, dict):
            return name.get(message, parameter)
        return parameter if parameter == "code" and message != "callback" else name

    def _take(self, fields, parameter, message):
        """The value of a parameter under its own name here; its other name must be absent."""
        name = self._name(parameter, message)
        if name != parameter and parameter in fields:
            raise Refused("invalid_request", f"{parameter} is unknown here, it is {name}")
        return fields.get(name)

    # The authorization endpoint

    def authorize(self, url, **callback):
        """Follows an authorization URL like a browser, and returns the callback's address. Fails if the request breaks a
        rule."""
        parts = urlsplit(url)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.base}/authorize", url
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        fields = dict(pairs)
        assert len(fields) == len(pairs), f"a parameter twice: {url}"

        def take(parameter):
            return self._take(fields, parameter, "authorization")

        assert take("response_type") == "code" and take("client_id") == CLIENT, url
        challenge = take("code_challenge")
        if self.rules.get("pkce") == "off":
            assert "code_challenge" not in fields and "code_challenge_method" not in fields, url
        else:
            assert challenge and take("code_challenge_method") == "S256", url
        scope = take("scope") or ""
        separator = self.rules.get("scope_separator", " ")
        asked = [one for one in scope.split(separator) if one]
        if self.rules.get("id_token") == "none":
            assert "openid" not in asked and "nonce" not in fields, url
        if self.rules.get("nonce") == "off":
            assert "nonce" not in fields, url
        elif "openid" in asked:
            assert fields.get("nonce"), url
        code = secrets.token_urlsafe(24)
        self.codes[code] = {"redirect_uri": take("redirect_uri"), "challenge": challenge, "scopes": asked,
                            "nonce": fields.get("nonce"), "fields": fields}
        answer = {self._name("code", "callback"): code, self._name("state", "callback"): take("state")} | callback
        return f"{take('redirect_uri')}?{urlencode(answer)}"

    # The token endpoint

    def _token(self, request, *, at_refresh):
        try:
            return self._answer(200, self._grant(request, at_refresh))
        except Refused as refused:
            self.problems.append(str(refused))
            return self._answer(refused.status, {"error": refused.error, "error_description": refused.description})

    def _answer(self, status, members):
        if self.rules.get("token_response") == "form":
            return status, FORM, urlencode(members)
        return status, JSON, members

    def _fields(self, request):
        wanted = "application/json" if self.rules.get("token_request") == "json" else FORM["Content-Type"]
        if request["headers"].get("content-type") != wanted:
            raise Refused("invalid_request", f"the content is not {wanted}")
        if wanted == "application/json":
            fields = json.loads(request["content"])
            if not all(isinstance(value, str) for value in fields.values()):
                raise Refused("invalid_request", "a member is no string")
            return fields
        pairs = parse_qsl(request["content"], keep_blank_values=True)
        if len(dict(pairs)) != len(pairs):
            raise Refused("invalid_request", "a parameter twice")
        return dict(pairs)

    def _authenticate(self, request, fields):
        basic = request["headers"].get("authorization", "")
        if basic.startswith("Basic "):
            client, secret = base64.b64decode(basic.removeprefix("Basic ")).decode().split(":", 1)
            pair = unquote_plus(client), unquote_plus(secret)
        else:
            pair = self._take(fields, "client_id", "token"), self._take(fields, "client_secret", "token")
        if pair != (CLIENT, SECRET):
            raise Refused("invalid_client", "another client, or another secret", 401)

    def _grant(self, request, at_refresh):
        fields = self._fields(request)
        self._authenticate(request, fields)

        def take(parameter):
            return self._take(fields, parameter, "token")

        kind = take("grant_type")
        moved = "refresh_endpoint" in self.rules
        if at_refresh != (moved and kind == "refresh_token"):
            raise Refused("invalid_request", f"{kind} at the wrong address")
        if kind == "refresh_token":
            grant = self.refresh_tokens.pop(take("refresh_token"), None)
            if grant is None:
                raise Refused("invalid_grant", "the refresh token is unknown")
            return self._tokens(grant | {"nonce": None})
        if kind != "authorization_code":
            raise Refused("unsupported_grant_type", str(kind))
        grant = self.codes.pop(take("code"), None)
        if grant is None or take("redirect_uri") != grant["redirect_uri"]:
            raise Refused("invalid_grant", "the code is unknown")
        verifier = take("code_verifier")
        if self.rules.get("pkce") == "off":
            if verifier is not None:
                raise Refused("invalid_request", "code_verifier is unknown here")
        elif b64(hashlib.sha256((verifier or "").encode()).digest()) != grant["challenge"]:
            raise Refused("invalid_grant", "the verifier is another one")
        return self._tokens(grant)

    def _tokens(self, grant):
        token, separator = secrets.token_urlsafe(24), self.rules.get("scope_separator", " ")
        self.access_tokens[token] = grant
        answer = {"access_token": token, "token_type": "Bearer", "scope": separator.join(grant["scopes"])}
        if self.expires_in is not None:
            answer["expires_in"] = self.expires_in
        if self.rules.get("token_type") == "any":
            answer["token_type"] = "user"
        if self.gives_refresh_tokens:
            refresh = secrets.token_urlsafe(24)
            self.refresh_tokens[refresh] = grant
            answer["refresh_token"] = refresh
        if "openid" in grant["scopes"] and self.rules.get("id_token") != "none":
            answer["id_token"] = self.id_token(grant["nonce"])
        for step in reversed(self.rules.get("token_path", "").split("/")[1:]):
            answer = {"ok": True, "access_token": "of-a-bot", "token_type": "bot", "team": {"id": "T1"}, step: answer}
        return answer

    # The account

    def id_token(self, nonce=None, *, algorithm=None, key=None, **changes):
        algorithm = algorithm or self.rules.get("id_token_algorithms", ["RS256"])[0]
        return self.jwt(self.id_token_claims(nonce, **changes), algorithm=algorithm, key=key)

    def id_token_claims(self, nonce=None, **changes):
        claims = {"iss": self.base, "sub": "alice", "aud": CLIENT, "iat": int(time.time()), "exp": int(time.time()) + 600,
                  "preferred_username": "alice@contoso.com"}
        if nonce and self.rules.get("nonce") != "off":
            claims["nonce"] = nonce
        return claims | changes

    @staticmethod
    def jwt(claims, *, algorithm="RS256", key=None):
        head = {"alg": algorithm, "kid": "1"}
        signed = ".".join(b64(json.dumps(part).encode()) for part in (head, claims))
        if algorithm.startswith("HS"):
            digest = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}[algorithm]
            return f"{signed}.{b64(hmac.digest((key or SECRET).encode(), signed.encode(), digest))}"
        return f"{signed}.{b64(_KEY.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"

    @staticmethod
    def _keys():
        public = _KEY.public_key().public_numbers()
        number = lambda value: b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))  # noqa: E731
        return {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": number(public.n), "e": number(public.e)}]}

    def _account(self, request):
        scheme, _, token = request["headers"].get("authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.access_tokens:
            return 401, JSON, {"message": "Bad credentials"}
        return 200, JSON, PERSON
