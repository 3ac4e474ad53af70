"""Opens a page of its own first, which redirects to the issuer, and sends the browser to another page of its own at the end,
as kubelogin does. Prints what it received. Usage: AUTHORIZATION_ENDPOINT [PORT]"""

import json
import secrets
import sys
import urllib.parse
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

endpoint = sys.argv[1]
state = secrets.token_urlsafe(16)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/" and "code=" not in self.path:
            query = urllib.parse.urlencode({
                "response_type": "code", "client_id": "contoso-suite", "scope": "openid", "state": state,
                "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
                "redirect_uri": f"http://localhost:{server.server_port}"})
            return self.answer(302, ("Location", f"{endpoint}?{query}"))
        if path == "/":
            print("RECEIVED", json.dumps({"target": self.path, "cookie": self.headers["Cookie"],
                                          "authorization": self.headers["Authorization"]}), flush=True)
            return self.answer(302, ("Location", "/success"), ("Set-Cookie", "planted=1; Path=/"))
        if path == "/success":
            self.answer(200, ("Content-Type", "text/html"), body=b"<h1>The tool's own page</h1>")
            print("DONE", flush=True)
            return server.shutdown_soon()
        self.answer(404)

    def answer(self, status, *fields, body=b""):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Server(ThreadingHTTPServer):
    def shutdown_soon(self):
        import threading
        threading.Thread(target=self.shutdown).start()


server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
webbrowser.open(f"http://localhost:{server.server_port}/")
server.serve_forever()
