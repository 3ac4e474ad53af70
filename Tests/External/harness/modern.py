"""A provider that does more than OAuth 2.0 asks of one: step-up, authorization details, userinfo, encryption, JARM.

It breaks no rule unless a test tells it to: `claims` change its ID tokens, `members` its token responses, `profile` its
userinfo.
"""

import json
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwe
from joserfc.jwk import ECKey, RSAKey

from harness.deviating import CLIENT, DeviatingProvider
from harness.standin import JSON


class ModernProvider(DeviatingProvider):
    def __init__(self, **options):
        self.claims, self.members, self.profile, self.told = {}, {}, {}, {}
        self.encrypts = None
        super().__init__(**options)

    def reset(self):
        super().reset()
        self.claims.clear()
        self.members.clear()
        self.profile.clear()
        self.encrypts = None
        self.answers["/userinfo"] = self._userinfo

    def metadata(self, **changes):
        return super().metadata(userinfo_endpoint=f"{self.base}/userinfo", **changes)

    def _userinfo(self, request):
        """The claims as JSON; a test that wants them signed gives the answer itself, by `signed_userinfo`."""
        scheme, _, token = request["headers"].get("authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.access_tokens:
            return 401, JSON | {"WWW-Authenticate": "Bearer error=invalid_token"}, {"error": "invalid_token"}
        return 200, JSON, {"sub": "alice", "email": "alice@contoso.com"} | self.profile

    def signed_userinfo(self, **changes):
        """An answer as `application/jwt`. A claim of the ID token that is None is left out."""
        named = {"nonce": None, "exp": None, "email": "alice@contoso.com"} | changes
        return 200, {"Content-Type": "application/jwt; charset=utf-8"}, self.jwt(
            {name: value for name, value in self.id_token_claims(**named).items() if value is not None})

    def id_token(self, nonce=None, **changes):
        token = super().id_token(nonce, **{**self.told, **changes, **self.claims})
        return self.encrypts(token) if self.encrypts else token

    def jarm(self, url, **changes):
        """The callback of a request with a signed response mode (JARM), encrypted where the provider encrypts."""
        parts = urlsplit(self.authorize(url))
        inside = dict(parse_qsl(parts.query)) | {"iss": self.base, "aud": CLIENT, "exp": int(time.time()) + 300} | changes
        token = self.jwt(inside)
        return parts._replace(query=urlencode({"response": self.encrypts(token) if self.encrypts else token})).geturl()

    def _tokens(self, grant):
        fields = grant.get("fields", {})
        # The claims of a supporting provider about this sign-in.
        self.told = {"acr": fields.get("acr_values", "").split(" ")[0], "auth_time": int(time.time())}
        answer = super()._tokens(grant)
        if "authorization_details" in fields:
            answer["authorization_details"] = json.loads(fields["authorization_details"])
        return answer | self.members


def key_pair(kind, file=None):
    """A private key in PEM, in a file of its owner's, and the public key for an encryptor: `RSA`, or the name of a curve."""
    key = RSAKey.generate_key(2048) if kind == "RSA" else ECKey.generate_key(kind)
    if file is not None:
        file.touch(mode=0o600)
        file.write_bytes(key.as_pem(private=True))
    return key


def encryptor(key, alg, enc, **header):
    """A function that encrypts a text to a key."""
    registry = jwe.JWERegistry(algorithms=[alg, enc, "DEF"], strict_check_header=False)

    def encrypt(text):
        return jwe.encrypt_compact({"alg": alg, "enc": enc, **header}, text.encode(), key, registry=registry)
    return encrypt
