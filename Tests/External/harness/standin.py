"""A stand-in for a provider that answers as a test says: each path has one answer, and every request is kept."""

import json
import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

JSON = {"Content-Type": "application/json"}


class StandIn:
    """`answers` maps a path to (status, headers, content), or to a function of the request that returns these three."""

    def __init__(self, host="127.0.0.1", certificate=None, clients=()):
        """`host` is the name that it goes by, which need not lead here; with a certificate it speaks TLS. With `clients`,
        files of certificates, each client has to show one of them, or one that one of them signed."""
        self.answers, self.requests = {}, []
        standin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                path = urlsplit(self.path).path
                request = {
                    "method": self.command, "path": path, "headers": {n.lower(): v for n, v in self.headers.items()},
                    "form": dict(parse_qsl(content, keep_blank_values=True)), "content": content, "peer": self.client_address,
                    "certificate": self.connection.getpeercert(binary_form=True) if clients else None}
                standin.requests.append(request)
                found = standin.answers.get(path, (404, {}, ""))
                status, headers, body = found(request) if callable(found) else found
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_CONNECT = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.pem, certificate.key_file)
            for file in clients:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(file)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.port = self.server.server_address[1]
        self.base = f"{'https' if certificate else 'http'}://{host}:{self.port}"
        self.reset()

    def reset(self):
        """A provider of OAuth 2.0 that keeps all rules."""
        self.requests.clear()
        self.answers = {
            "/.well-known/openid-configuration": (200, JSON, self.metadata()),
            "/token": (200, JSON, {"access_token": "a", "token_type": "Bearer", "expires_in": 3600}),
        }

    def metadata(self, **changes):
        return {"issuer": self.base, "authorization_endpoint": f"{self.base}/authorize",
                "token_endpoint": f"{self.base}/token", **changes}

    def asked(self, path):
        return [request for request in self.requests if request["path"] == path]

    def stop(self):
        self.server.shutdown()
