"""An issuer for the bench of demanding sign-ins: pushed requests, and tokens bound to any key. It does not verify, because
the bench does not measure it. Usage: demanding_issuer.py PORT"""

import json
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

PORT = int(sys.argv[1])
BASE = f"http://127.0.0.1:{PORT}"
PUSHED = {}
METADATA = {
    "issuer": BASE, "authorization_endpoint": f"{BASE}/authorize", "token_endpoint": f"{BASE}/token",
    "pushed_authorization_request_endpoint": f"{BASE}/par",
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the content go out in one piece; two would wait for an acknowledgement.
    wbufsize = -1

    def do_GET(self):
        parts = urlsplit(self.path)
        if parts.path == "/authorize":
            fields = dict(parse_qsl(parts.query))
            fields = PUSHED.pop(fields["request_uri"]) if "request_uri" in fields else fields
            answer = {"code": secrets.token_urlsafe(24), "state": fields["state"]}
            self._answer(302, b"", Location=f"{fields['redirect_uri']}?{urlencode(answer)}")
        elif parts.path == "/.well-known/openid-configuration":
            self._json(200, METADATA)
        else:
            self._answer(404, b"")

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/par":
            uri = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(16)}"
            PUSHED[uri] = dict(parse_qsl(content))
            self._json(201, {"request_uri": uri, "expires_in": 60})
        else:
            kind = "DPoP" if "DPoP" in self.headers else "Bearer"
            self._json(200, {"access_token": secrets.token_urlsafe(32), "token_type": kind, "expires_in": 3600})

    def _json(self, status, content):
        self._answer(status, json.dumps(content).encode(), **{"Content-Type": "application/json"})

    def _answer(self, status, content, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


# Each of the gateway's connections at once.
ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
