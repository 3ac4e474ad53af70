"""A whole sign-in as FAPI 2.0 and its message signing want it: pushed, signed, with a key that authenticates and one that binds."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from joserfc import jwe
from joserfc.jwk import ECKey

from harness.binding import part, thumbprint
from harness.deviating import CLIENT
from harness.gateway import Gateway
from harness.modern import key_pair
from harness.standin import JSON
from harness.strict import StrictProvider


class NonceProvider(StrictProvider):
    """It looks at the assertion and the request object, so they count as used, before it asks for a nonce."""

    def reset(self):
        super().reset()
        self.keys_of_proofs = []

    def _wants_nonce(self, request):
        head, claims = (part(text) for text in request["headers"]["dpop"].split(".")[:2])
        self.keys_of_proofs.append(thumbprint(head["jwk"]))
        if claims.get("nonce") == "n1":
            return None
        fields = self._fields(request)
        self._authenticate(request, fields)
        if "request" in fields:
            self.verified(fields["request"], ["oauth-authz-req+jwt"])
        return 400, JSON | {"DPoP-Nonce": "n1"}, {"error": "use_dpop_nonce"}

    def _par(self, request):
        return self._wants_nonce(request) or super()._par(request)

    def _token(self, request, *, at_refresh):
        wants = self._wants_nonce(request)
        if wants:
            return wants
        status, headers, answer = super()._token(request, at_refresh=at_refresh)
        return status, headers, answer | ({"token_type": "DPoP"} if status == 200 else {})


@pytest.mark.parametrize("request_object", ["off", "signed"])
def test_every_try_is_signed_anew_and_the_tokens_are_bound(run_folder, request_object):
    folder = run_folder / f"fapi-{request_object}"
    folder.mkdir()
    keys = []
    provider = NonceProvider("private_key_jwt", lambda: keys, request_object=request_object)
    key_pair("P-256", folder / "key.pem")
    gateway = Gateway(folder, provider.base)
    gateway.configuration["apps"] = [gateway.app(
        "bank", "Bank", client_id=CLIENT, default_scope="openid mail", token_endpoint_auth_method="private_key_jwt",
        signing_keys=[{"id": "k", "key_file": str(folder / "key.pem")}], par="required", dpop="required",
        request_object=request_object, begin_from={"networks": ["127.0.0.0/8"]})]
    own = ECKey.generate_key("P-256")
    public = {name: value for name, value in own.as_dict(private=False).items() if name in ("kty", "crv", "x", "y")}
    gateway.start()
    try:
        keys += json.loads(gateway.browse(gateway.url("/clients/com.contoso.bank/keys")).body)["keys"]
        pending = gateway.api().begin("com.contoso.bank", demo=None, result_key=public)
        opened = gateway.browse(pending.start_url)
        assert opened.status == 303, (opened.text, provider.problems)
        address = opened.header("Location")
        assert {name for name, _ in parse_qsl(urlsplit(address).query)} == {"client_id", "request_uri"}
        assert gateway.browse(provider.authorize(address)).status == 303
        outcome = pending.outcome()
        assert outcome["status"] == "completed" and provider.problems == [], (outcome, provider.problems)
        registry = jwe.JWERegistry(algorithms=["ECDH-ES", "A256GCM"])
        result = json.loads(jwe.decrypt_compact(outcome["jwe"], own, registry=registry).plaintext)
    finally:
        gateway.stop()
        provider.stop()
    # Only the first server request had to learn the nonce.
    assert [len(provider.asked(path)) for path in ("/par", "/token")] == [2, 1]
    assert len({one["claims"]["jti"] for one in provider.assertions}) == len(provider.assertions) == 3
    if request_object == "signed":
        objects = [one["form"]["request"] for one in provider.asked("/par")]
        assert len(set(objects)) == 2
    assert set(provider.keys_of_proofs) == {thumbprint(result["dpop_jwk"])}
