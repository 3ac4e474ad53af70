#!/usr/bin/env python3
"""Signs in through a Switchyard gateway, and prints the token response as JSON. Needs joserfc from PyPI.

    python3 sign_in.py --gateway https://login.contoso.com:8444 --app com.contoso.app1
"""

import argparse
import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import socket
import ssl
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

from joserfc import jwe, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

PATIENCE = 60  # seconds: a gateway that is busy or restarting, or whose proxy says so, is asked again for as long
BUSY = (429, 500, 502, 503, 504)
MAXIMUM = 4 << 20  # bytes of an answer
UNREACHABLE = (OSError, http.client.HTTPException)


class Failure(Exception):
    """The reason for an end without tokens."""


def say(text, end="\n"):
    """Shows a text to the person, without control characters, which could rewrite the terminal."""
    print("".join(c if c.isprintable() or c == "\n" else "?" for c in text), end=end, file=sys.stderr, flush=True)


def rest(headers):
    """Waits before the next call: as long as the answer asks for, within reason."""
    pause = headers.get("Retry-After", "1")
    time.sleep(min(max(int(pause) if pause.isdecimal() else 1, 1), 30))


def reason(status, body):
    """The reason for a refused call: OAuth's code, if there is one, and the description."""
    description = body.get("error_description", f"status {status}")
    return f"{body['error']}: {description}" if "error" in body else description


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Gateway:
    """The apps' API at `https://HOST[:PORT]`, `unix:PATH`, or `http://…` on loopback, which no other machine can read."""

    def __init__(self, address):
        self.socket_path = address.removeprefix("unix:") if address.startswith("unix:") else None
        self.base = "http://localhost" if self.socket_path else address.rstrip("/")
        self.url = urlsplit(self.base)
        loopback = self.url.scheme == "http" and self.url.hostname in ("localhost", "127.0.0.1", "::1")
        is_bare = self.base == f"{self.url.scheme}://{self.url.netloc}" and "@" not in self.base
        if not (loopback or self.url.scheme == "https") or not is_bare or not self.url.hostname or self.url.port == 0:
            raise argparse.ArgumentTypeError(f'"{address}" is no gateway: write https://HOST[:PORT] or unix:PATH')
        self.tls = ssl.create_default_context()

    def connect(self, seconds):
        if self.socket_path:
            connection = UnixConnection("localhost", timeout=seconds)
            connection.path = self.socket_path
            return connection
        if self.url.scheme == "http":
            return http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=seconds)
        return http.client.HTTPSConnection(self.url.hostname, self.url.port, timeout=seconds, context=self.tls)

    def call(self, method, path, body=None, headers=(), wait=0):
        """One call: (status, headers, JSON object). A body that is no JSON, as a proxy's own errors, reads as {}."""
        fields = dict(headers) | ({"Prefer": f"wait={wait}"} if wait else {})
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection = self.connect(wait + 15)
        try:
            connection.request(method, path, body and json.dumps(body), fields)
            answer = connection.getresponse()
            content = answer.read(MAXIMUM)
        finally:
            connection.close()
        try:
            parsed = json.loads(content)
        except ValueError:
            parsed = {}
        return answer.status, answer.headers, parsed if isinstance(parsed, dict) else {}


class SignIn:
    """A pending token request. Its key opens the result and proves each call; it is never written anywhere."""

    def __init__(self, gateway, app, scope=None):
        self.gateway, self.key = gateway, ECKey.generate_key("P-256")
        host = re.sub(r"[^A-Za-z0-9._-]", "", socket.gethostname())[:64]
        fields = {"app": app, "scope": scope, "host_label": host or None,
                  "result_key": self.key.as_dict(private=False), "result_proof": True}
        patience = time.monotonic() + PATIENCE
        status, headers, begun = gateway.call("POST", "/v1/requests", fields)
        while status in BUSY and time.monotonic() < patience:
            rest(headers)
            status, headers, begun = gateway.call("POST", "/v1/requests", fields)
        if status != 201 or "id" not in begun:
            raise Failure(f"the sign-in did not begin: {reason(status, begun)}")
        self.path, self.token = f"/v1/requests/{begun['id']}", begun["result_token"]
        self.start_url, self.reference = begun["start_url"], begun["reference"]
        self.end_time = time.monotonic() + begun.get("expires_in", PATIENCE)

    def call(self, method, path="", body=None, wait=0):
        """Calls the API for this request, with a proof that is good for one call (RFC 9449 section 4.2)."""
        path = self.path + path
        digest = base64.urlsafe_b64encode(hashlib.sha256(self.token.encode()).digest())
        claims = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": self.gateway.base + path.split("?")[0],
                  "iat": int(time.time()), "ath": digest.decode().rstrip("=")}
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        headers = {"Authorization": f"Bearer {self.token}", "DPoP": jwt.encode(header, claims, self.key)}
        return self.gateway.call(method, path, body, headers, wait)

    def outcome(self):
        """Waits for the end. Lost connections cost nothing: the gateway keeps the result until it is collected."""
        seen, asked, patience = "pending", False, self.end_time
        while True:
            try:
                status, headers, body = self.call("GET", f"?seen={seen}", wait=50)
            except UNREACHABLE as error:
                status, headers, body = 503, {}, {"error_description": str(error)}
            if status == 200:
                return self.opened(body)
            if status == 202:
                seen, patience = body.get("status", seen), max(self.end_time, time.monotonic() + PATIENCE)
                if seen == "release_required" and not asked:
                    asked = True
                    threading.Thread(target=self.ask, daemon=True).start()
            elif status in (404, 410):
                raise Failure("the sign-in took too long, or the gateway has forgotten it; begin again")
            elif status not in BUSY or time.monotonic() > patience:
                raise Failure(f"the gateway did not give the outcome: {reason(status, body)}")
            # A gateway that restarts says 202 with Retry-After: 0, and is away for a moment.
            if status != 202 or "Retry-After" in headers:
                rest(headers)

    def ask(self):
        """Gives in the release code. It runs beside the wait, as the sign-in may also end at the browser."""
        say("Type the code that the browser shows: ", end="")
        # Unbuffered: a thread that holds the lock of sys.stdin would keep Python from exiting.
        for line in open(0, "rb", buffering=0, closefd=False):
            if not (code := line.decode(errors="replace").strip()):
                continue
            try:
                status, _, body = self.call("POST", "/release", {"code": code})
            except UNREACHABLE as error:
                status, body = 503, {"error_description": str(error)}
            left = body.get("attempts_left")
            if status in (204, 404, 409, 410) or left == 0:
                return
            tries = f"That code is wrong; {left} {'try' if left == 1 else 'tries'} left."
            say(f"{tries if left else reason(status, body)}\nType the code: ", end="")
        say("\nThe code cannot be typed in: standard input has ended.")
        self.end()

    def opened(self, outcome):
        if outcome.get("status") == "failed":
            error = outcome.get("error", {})
            raise Failure(f"the sign-in failed: {error.get('code')}: {error.get('description', 'no description')}")
        try:
            sealed = jwe.decrypt_compact(outcome.get("jwe", ""), self.key, algorithms=["ECDH-ES", "A256GCM"])
            return json.loads(sealed.plaintext)
        except (JoseError, ValueError):  # ValueError: what is no JSON, or no JWE at all
            raise Failure("the result cannot be opened: it is not sealed to our key, or was changed on its way") from None

    def end(self):
        """Tells the gateway that the outcome arrived, or cancels a pending request."""
        try:
            self.call("DELETE")
        except UNREACHABLE:
            pass  # The gateway forgets it by itself, later.


def open_browser(url):
    """Without a desktop, xdg-open would put a browser for text into this terminal."""
    if url.startswith(("https://", "http://")) and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        try:
            subprocess.Popen(["xdg-open", url], **quiet, start_new_session=True)
        except OSError:
            pass  # The person has the address.


def options():
    parser = argparse.ArgumentParser(description="Signs in through a Switchyard gateway.")
    parser.add_argument("--gateway", required=True, type=Gateway, help="https://HOST[:PORT] or unix:PATH")
    parser.add_argument("--app", required=True, help="the app, as registered with the gateway")
    parser.add_argument("--scope", help="scopes, separated by spaces (default: the app's default_scope)")
    parser.add_argument("--ca", help="an extra trust anchor in PEM")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    given = parser.parse_args()
    if given.ca:
        try:
            given.gateway.tls.load_verify_locations(given.ca)
        except OSError as error:
            parser.error(f"--ca: {error}")
    return given


def main():
    given, sign_in = options(), None
    try:
        sign_in = SignIn(given.gateway, given.app, given.scope)
        say(f"Open this address in a browser:\n\n  {sign_in.start_url}\n")
        if not given.no_browser:
            open_browser(sign_in.start_url)
        say(f"Waiting for sign-in {sign_in.reference} …")
        result = sign_in.outcome()
        if declined := result.get("declined_scopes"):
            say(f"Declined: {' '.join(declined)}")
        print(json.dumps(result["token_response"]), flush=True)
        return 0
    except Failure as failure:
        say(str(failure))
        return 1
    except UNREACHABLE as error:
        say(f"cannot reach the gateway: {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if sign_in:
            sign_in.end()


if __name__ == "__main__":
    sys.exit(main())
