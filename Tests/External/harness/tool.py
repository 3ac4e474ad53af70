"""A tool on the far side: it waits on loopback, opens its browser, and prints the one callback that it gets."""

import http.server
import json
import os
import subprocess
import sys


class Callback(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(json.dumps({"path": self.path, "host": self.headers["Host"]}), flush=True)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


def main(address, extra_listeners, *browser):
    servers = [http.server.HTTPServer(("127.0.0.1", 0), Callback) for _ in range(1 + int(extra_listeners))]
    print(json.dumps({"port": servers[0].server_address[1]}), flush=True)
    # Like tools that wait for their browser's output.
    done = subprocess.run([*(browser or [os.environ["BROWSER"]]), address], capture_output=True, text=True, timeout=60)
    print(json.dumps({"status": done.returncode, "said": done.stderr}), flush=True)
    servers[0].timeout = 60
    servers[0].handle_request()
    servers[0].timeout = 1
    servers[0].handle_request()
    return 7


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
