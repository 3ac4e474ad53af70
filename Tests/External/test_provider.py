"""An independent provider, `oidc-provider-mock`: the gateway redeems and verifies its tokens."""

import threading
from urllib.parse import parse_qs

import flask
import pytest
import requests
import werkzeug.serving

from harness.vault import VAULT

APP = "com.contoso.app1"
SECRET = "a client's secret, with: signs & spaces"


@pytest.fixture
def provider():
    """(issuer, the token requests that it was sent)."""
    import oidc_provider_mock  # here, because each worker collects this file
    application = oidc_provider_mock.app(require_nonce=True)
    token_requests = []

    @application.before_request
    def remember():
        if flask.request.path == "/oauth2/token":
            form = {name: values[0] for name, values in parse_qs(flask.request.get_data(as_text=True)).items()}
            VAULT.remember_all(form)
            token_requests.append(form)

    server = werkzeug.serving.make_server("127.0.0.1", 0, application, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", token_requests
    server.shutdown()
    thread.join()
    server.server_close()


def confidential(method):
    """A change to a gateway's configuration: its first app authenticates, because this provider insists on it."""

    def change(gateway):
        gateway.configuration["apps"] = [
            gateway.app(
                "app1", "Contoso Mail", client_id="contoso-web", token_endpoint_auth_method=method,
                client_secret=SECRET, begin_from={"networks": ["127.0.0.0/8"]},
            )
        ]

    return change


def sign_in(pending, **form):
    """Fills in the provider's form, and returns the callback."""
    answer = requests.post(pending.authorization_url, data=form, allow_redirects=False, timeout=20)
    assert answer.status_code == 302, answer.text
    VAULT.remember_url(answer.headers["Location"])
    return answer.headers["Location"]


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_tokens_are_redeemed_and_verified(provider, start_gateway, method):
    issuer, token_requests = provider
    VAULT.remember("client_secret", SECRET)
    gateway = start_gateway(issuer_url=issuer, change=confidential(method))
    pending = gateway.api().begin(APP, demo=None, scope="openid email")
    assert gateway.browse(sign_in(pending, sub="alice@contoso.test")).status == 303
    outcome = pending.outcome()
    assert outcome["status"] == "completed", outcome
    assert outcome["id_token_claims"]["sub"] == "alice@contoso.test"
    assert outcome["id_token_claims"]["iss"] == issuer and outcome["id_token_claims"]["nonce"] == pending.nonce
    userinfo = requests.get(
        f"{issuer}/userinfo", timeout=20,
        headers={"Authorization": "Bearer " + outcome["token_response"]["access_token"]},
    )
    assert userinfo.json()["email"] == "alice@contoso.test"

    (sent,) = token_requests
    assert sent["grant_type"] == "authorization_code" and sent["redirect_uri"] == gateway.url("/app1/auth")
    assert 43 <= len(sent["code_verifier"]) <= 128
    assert sent.get("client_secret") == (SECRET if method == "client_secret_post" else None)


def test_a_refusal_is_handed_over(provider, start_gateway):
    gateway = start_gateway(issuer_url=provider[0], change=confidential("client_secret_basic"))
    pending = gateway.api().begin(APP, demo=None, scope="openid")
    callback = sign_in(pending, action="deny")
    if "state=" not in callback:
        # This provider forgets the state with an error; a real one must send it (RFC 6749, 4.1.2.1).
        callback += f"&state={pending.state}"
    assert gateway.browse(callback).status == 303
    assert pending.failure()["code"] == "access_denied"


def test_a_code_of_nobody_is_an_invalid_grant(provider, start_gateway):
    gateway = start_gateway(issuer_url=provider[0], change=confidential("client_secret_basic"))
    pending = gateway.api().begin(APP, demo=None, scope="openid")
    callback = f"{gateway.url('/app1/auth')}?code=a-code-that-was-never-issued&state={pending.state}"
    VAULT.remember_url(callback)
    assert gateway.browse(callback).status == 303
    error = pending.failure()
    assert error["code"] == "invalid_grant" and error["oauth_error"] == "invalid_grant"
    assert error["http_status"] == 400
