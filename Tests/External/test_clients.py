"""OAuth clients from other hands redeem the callback that the gateway hands over."""

import base64
import hashlib
import secrets

import msal
import requests
from authlib.integrations.requests_client import OAuth2Session
from requests.adapters import HTTPAdapter

from harness.api import Pending
from harness.gateway import CA
from harness.issuer import authorize
from harness.vault import VAULT

APP = "com.contoso.app1"
CLIENT = "contoso-suite"


def hand_over(gateway, state, authorization_url):
    """Acts as an app with completion `response`: begins, lets the browser go, collects the callback's URL."""
    reply = gateway.api().begin_reply(APP, completion="response", state=state)
    assert reply.status == 201, reply.body
    pending = Pending(gateway.api(), reply.json)
    assert gateway.browse(authorize(authorization_url)).status == 303
    return pending.outcome()


class AtRoot(HTTPAdapter):
    """MSAL wants a path in its authority; the demo issuer has none. Takes `/tenant` away on the way out."""

    def send(self, request, **options):
        request.url = request.url.replace("/tenant/.well-known/", "/.well-known/")
        return super().send(request, **options)


def msal_application(issuer):
    session = requests.Session()
    session.trust_env = False
    session.verify = str(CA)
    session.mount("https://", AtRoot())
    return msal.PublicClientApplication(
        CLIENT, oidc_authority=f"{issuer}/tenant", http_client=session, instance_discovery=False
    )


def msal_flow(application, gateway, **options):
    flow = application.initiate_auth_code_flow(["mail.read"], redirect_uri=gateway.url("/app1/auth"), **options)
    VAULT.remember("code_verifier", flow["code_verifier"])
    VAULT.remember("state", flow["state"])
    return flow


def test_msal_redeems_what_it_is_handed(tls_gateway, tls_issuer):
    application = msal_application(tls_issuer.metadata()["issuer"])
    flow = msal_flow(application, tls_gateway, login_hint="alice")
    outcome = hand_over(tls_gateway, flow["state"], flow["auth_uri"] + "&demo=auto")
    result = application.acquire_token_by_auth_code_flow(flow, outcome["parameters"])
    assert "error" not in result, result
    VAULT.remember_all(result)
    assert result["access_token"] and result["id_token_claims"]["sub"]
    assert application.get_accounts()


def test_msal_is_told_of_a_refusal(tls_gateway, tls_issuer):
    application = msal_application(tls_issuer.metadata()["issuer"])
    flow = msal_flow(application, tls_gateway)
    outcome = hand_over(tls_gateway, flow["state"], flow["auth_uri"] + "&demo=deny")
    if outcome["status"] == "completed":
        error = application.acquire_token_by_auth_code_flow(flow, outcome["parameters"])["error"]
    else:
        error = outcome["error"]["oauth_error"]
    assert error == "access_denied"


def test_authlib_redeems_what_it_is_handed(gateway, issuer):
    endpoints = issuer.metadata()
    verifier = secrets.token_urlsafe(48)
    VAULT.remember("code_verifier", verifier)
    session = OAuth2Session(
        CLIENT,
        scope="openid profile",
        redirect_uri=gateway.url("/app1/auth"),
        token_endpoint_auth_method="none",
        code_challenge_method="S256",
    )
    url, state = session.create_authorization_url(
        endpoints["authorization_endpoint"],
        code_verifier=verifier,
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(24),
        demo="auto",
    )
    outcome = hand_over(gateway, state, url)
    token = session.fetch_token(
        endpoints["token_endpoint"], authorization_response=outcome["url"], state=state, code_verifier=verifier
    )
    VAULT.remember_all(token)
    assert token["access_token"] and token["id_token"]


def test_an_app_may_let_the_gateway_compose_its_request(gateway, issuer):
    verifier = secrets.token_urlsafe(48)
    VAULT.remember("code_verifier", verifier)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    pending = gateway.api().begin(
        APP, completion="response", scope="openid", state=secrets.token_urlsafe(32),
        code_challenge=challenge, nonce=secrets.token_urlsafe(24),
    )
    assert f"code_challenge={challenge}" in pending.authorization_url
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    session = OAuth2Session(CLIENT, redirect_uri=gateway.url("/app1/auth"), token_endpoint_auth_method="none")
    token = session.fetch_token(
        issuer.metadata()["token_endpoint"], authorization_response=pending.outcome()["url"],
        state=pending.state, code_verifier=verifier,
    )
    VAULT.remember_all(token)
    assert token["access_token"]
