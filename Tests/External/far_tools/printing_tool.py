"""Prints the address of its sign-in, and waits at a loopback port for one callback, which it prints. Its answer could harm
a browser that takes it for a page of its own machine, and loads from a port there. Usage: AUTHORIZATION_ENDPOINT HOST PORT
STATE [WIDTH [OTHER_PORT]]"""

import json
import socketserver
import sys
import textwrap
import urllib.parse
from http.server import BaseHTTPRequestHandler

endpoint, host, port, state = sys.argv[1:5]
width = int(sys.argv[5]) if len(sys.argv) > 5 else 0
other = sys.argv[6] if len(sys.argv) > 6 else "9"
count = 0
LOADS = f"""<link rel=stylesheet href=http://localhost:{other}/style><link rel=icon href=http://localhost:{other}/icon>
<link rel=preload as=image href=http://localhost:{other}/preload><link rel=prefetch href=http://localhost:{other}/prefetch>
<style>@import url(http://localhost:{other}/import);@font-face{{font-family:f;src:url(http://localhost:{other}/font)}}
h1{{color:rgb(1,2,3);font-family:f;background:url(http://localhost:{other}/background)}}</style>
<img src=http://localhost:{other}/image><video src=http://localhost:{other}/video></video>
<iframe src=http://localhost:{other}/frame></iframe><object data=http://localhost:{other}/object></object>
<script src=http://localhost:{other}/script></script>
<meta http-equiv=refresh content="0;url=http://localhost:{other}/refresh">"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        global count
        count += 1
        length = int(self.headers["Content-Length"] or 0)
        print("RECEIVED", json.dumps({
            "method": self.command, "target": self.path, "body": self.rfile.read(length).decode(),
            "headers": {name.lower(): value for name, value in self.headers.items()}, "count": count}), flush=True)
        body = (b"<!doctype html><title>tool</title><h1 id='tool'>The tool is content</h1><script>document.title='ran';"
                b"try{navigator.serviceWorker.register('/cb?sw').catch(()=>{})}catch(e){}</script>" + LOADS.encode())
        self.send_response(200)
        for name, value in (("Content-Type", "text/html"), ("Content-Length", str(len(body))), ("Set-Cookie", "planted=1; Path=/"),
                            ("Clear-Site-Data", '"*"'), ("Service-Worker-Allowed", "/"), ("X-Tool", "1")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *words):
        pass


class Server(socketserver.TCPServer):
    allow_reuse_address = True


with Server(("127.0.0.1", int(port)), Handler) as server:
    query = urllib.parse.urlencode({
        "response_type": "code", "client_id": "contoso-suite", "scope": "openid", "state": state,
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        "redirect_uri": f"http://{host}:{port}/cb"})
    address = f"{endpoint}?{query}"
    print("Open this:\n\n" + ("\n".join(textwrap.wrap(address, width, break_on_hyphens=False)) if width else address) + "\n",
          flush=True)
    server.handle_request()
