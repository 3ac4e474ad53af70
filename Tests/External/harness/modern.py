"""A provider that does more than OAuth 2.0 asks of one: step-up, authorization details, userinfo.

It breaks no rule unless a test tells it to: `claims` change its ID tokens, `members` its token responses, `profile` its
userinfo.
"""

import json
import time

from harness.deviating import DeviatingProvider
from harness.standin import JSON


class ModernProvider(DeviatingProvider):
    def __init__(self, **options):
        self.claims, self.members, self.profile, self.told = {}, {}, {}, {}
        super().__init__(**options)

    def reset(self):
        super().reset()
        self.claims.clear()
        self.members.clear()
        self.profile.clear()
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
        """An answer as `application/jwt`. Of the claims of an ID token, those that are None are left out."""
        named = {"nonce": None, "exp": None, "email": "alice@contoso.com"} | changes
        return 200, {"Content-Type": "application/jwt; charset=utf-8"}, self.jwt(
            {name: value for name, value in self.id_token_claims(**named).items() if value is not None})

    def id_token(self, nonce=None, **changes):
        return super().id_token(nonce, **{**self.told, **changes, **self.claims})

    def _tokens(self, grant):
        fields = grant.get("fields", {})
        # What a provider that supports it says of the sign-in just made.
        self.told = {"acr": fields.get("acr_values", "").split(" ")[0], "auth_time": int(time.time())}
        answer = super()._tokens(grant)
        if "authorization_details" in fields:
            answer["authorization_details"] = json.loads(fields["authorization_details"])
        return answer | self.members
