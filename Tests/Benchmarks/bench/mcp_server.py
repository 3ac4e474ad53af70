"""An MCP server that answers every request at once, for the bench of `switchyard mcp`. Usage: mcp_server.py PORT"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the content go out in one piece; two would wait for an acknowledgement.
    wbufsize = -1

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            self._answer(202, b"")
            return
        result = {"content": [{"type": "text", "text": "x" * 200}]}
        if message["method"] == "initialize":
            result = {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "bench", "version": "1"}}
        self._answer(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())

    def do_GET(self):
        self._answer(405, b"")

    def _answer(self, status, content):
        self.send_response(status)
        if content:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
