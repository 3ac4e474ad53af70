"""An issuer's metadata as a peer may need it: without the one endpoint that Switchyard does not call either."""

import http.server
import json
import ssl
import threading
import urllib.request

from bench.machine import CERTIFICATES


class TrimmedMetadata:
    """Serves an issuer's metadata without its userinfo endpoint, on a loopback port of its own.

    mod_auth_openidc asks for user information in every sign-in if the metadata names where, and has no switch for it;
    its other way, each endpoint by a directive, takes https only.
    """

    def __init__(self, issuer):
        trust = ssl.create_default_context(cafile=CERTIFICATES / "ca.pem")
        with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", context=trust) as answer:
            metadata = json.load(answer)
        metadata.pop("userinfo_endpoint", None)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(json.dumps(metadata).encode()))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/.well-known/openid-configuration"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def _handler(document):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(document)))
            self.end_headers()
            self.wfile.write(document)

        def log_message(self, *_):
            pass

    return Handler
