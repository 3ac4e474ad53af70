"""A provider that does more than OAuth 2.0 asks of one: step-up, authorization details.

It breaks no rule unless a test tells it to: `claims` change its ID tokens, `members` its token responses.
"""

import json
import time

from harness.deviating import DeviatingProvider


class ModernProvider(DeviatingProvider):
    def __init__(self, **options):
        self.claims, self.members = {}, {}
        super().__init__(**options)

    def reset(self):
        super().reset()
        self.claims.clear()
        self.members.clear()

    def id_token(self, nonce=None, **changes):
        return super().id_token(nonce, **{**changes, **self.claims})

    def _tokens(self, grant):
        fields = grant.get("fields", {})
        # What a provider that supports it says of the sign-in just made.
        for name, value in (("acr", fields.get("acr_values", "").split(" ")[0]), ("auth_time", int(time.time()))):
            self.claims.setdefault(name, value)
        answer = super()._tokens(grant)
        if "authorization_details" in fields:
            answer["authorization_details"] = json.loads(fields["authorization_details"])
        return answer | self.members
