"""An issuer of OAuth without OpenID Connect, as GitHub is one: no discovery, no keys, no ID token, scopes with commas."""

import base64
import hashlib
import json
import os
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import pytest

from harness import wire
from harness.gateway import CA, Gateway
from harness.issuer import authorize
from harness.vault import VAULT

APP, SECRET = "com.contoso.builds", "a-secret-of-the-gateway-only"


class TokenEndpoint:
    """Answers like GitHub: always with 200, and with JSON if the client asks for it."""

    def __init__(self):
        self.asked, self.answer = [], {}
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                endpoint.asked.append((dict(parse_qsl(body)), self.headers["Accept"]))
                data = json.dumps(endpoint.answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/login/oauth/access_token"


@pytest.fixture(scope="module")
def plain(request, run_folder, issuer):
    """Its authorization endpoint is the test issuer's, which names itself in its answers."""
    endpoint, metadata = TokenEndpoint(), issuer.metadata()
    request.addfinalizer(endpoint.server.shutdown)
    gateway = Gateway(run_folder, issuer.base)
    gateway.configuration["issuers"].append({
        "name": "plain", "issuer": metadata["issuer"], "authorization_endpoint": metadata["authorization_endpoint"],
        "token_endpoint": endpoint.address})
    gateway.configuration["apps"].append(gateway.app(
        "builds", "Contoso Builds", client_id="builds", issuer="plain", default_scope="read:user repo", client_secret=SECRET,
        token_endpoint_auth_method="client_secret_post", begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]}))
    gateway.start()
    request.addfinalizer(gateway.stop)
    gateway.endpoint = endpoint
    return gateway


def sign_in(gateway, answer, **fields):
    gateway.endpoint.answer = answer
    VAULT.remember_all(answer)
    pending = gateway.api().begin(APP, **fields)
    assert wire.request(authorize(pending.authorization_url), ca=CA).status == 303
    return pending


def token(**more):
    return {"access_token": f"gho_{secrets.token_hex(16)}", "token_type": "bearer", **more}


def test_tokens_come_without_an_id_token(plain):
    pending = sign_in(plain, answer := token(scope="read:user repo"))
    outcome = pending.outcome()
    assert outcome == {
        "status": "completed", "token_response": answer, "granted_scopes": ["read:user", "repo"], "declined_scopes": []}
    form, accept = plain.endpoint.asked[-1]
    asked = dict(parse_qsl(urlsplit(pending.authorization_url).query))
    assert accept == "application/json" and form["client_secret"] == SECRET
    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
    assert asked["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert "nonce" not in asked and asked["scope"] == "read:user repo"


def test_scopes_with_commas_are_read_as_they_are_meant(plain):
    outcome = sign_in(plain, token(scope="read:user,repo")).outcome()
    assert (outcome["granted_scopes"], outcome["declined_scopes"]) == (["read:user", "repo"], [])
    outcome = sign_in(plain, token(scope="repo")).outcome()
    assert (outcome["granted_scopes"], outcome["declined_scopes"]) == (["repo"], ["read:user"])


def test_an_error_with_the_status_of_a_success_is_a_failure(plain):
    error = sign_in(plain, {"error": "bad_verification_code", "error_description": "It is incorrect or expired."}).failure()
    assert error["oauth_error"] == "bad_verification_code" and error["http_status"] == 200


def test_openid_spends_no_code_because_nobody_could_verify_the_token(plain):
    before = len(plain.endpoint.asked)
    pending = sign_in(plain, token(scope="openid"), scope="openid")
    error = pending.failure()
    assert error["code"] == "network" and "jwks_uri" in error["description"]
    assert len(plain.endpoint.asked) == before
