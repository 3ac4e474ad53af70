"""An app that listens on loopback for its browser, and redeems with a verifier of its own."""

import base64
import hashlib
import http.server
import json
import secrets
import threading

from harness.issuer import fetch
from harness.vault import VAULT


class LocalApp:
    """Listens on 127.0.0.1, and begins requests for its port."""

    def __init__(self):
        self.targets = []
        app = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                app.targets.append(self.path)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def begin(self, gateway, name, **fields):
        """A request in response mode; its state, verifier and nonce are the app's own."""
        self.verifier = secrets.token_urlsafe(48)
        state = secrets.token_urlsafe(24)
        for kind, value in [("verifier", self.verifier), ("state", state)]:
            VAULT.remember(kind, value)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return gateway.api().begin(
            f"com.contoso.{name}", completion="response", scope="openid", return_port=self.port, state=state,
            code_challenge=base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), nonce=secrets.token_urlsafe(24), **fields)

    def redeem(self, issuer, code, redirect_uri, client_id):
        """The issuer's tokens for the code."""
        status, _, body = fetch(issuer.metadata()["token_endpoint"], form={
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri, "client_id": client_id,
            "code_verifier": self.verifier})
        answer = json.loads(body)
        VAULT.remember_all(answer)
        return status, answer

    def close(self):
        self.server.shutdown()
        self.server.server_close()
