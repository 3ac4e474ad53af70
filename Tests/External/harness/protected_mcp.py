"""A real MCP server that wants tokens, and the authorization server that issues them."""

import json
import socket

from harness.binding import BindingProvider
from harness.deviating import CLIENT, SECRET
from harness.mcp import Standin, legacy
from harness.nursery import CopiedProgram
from harness.programs import ROOT, free_port
from harness.resource import Protected, come_back, parameters_of
from harness.standin import JSON

SERVER = ROOT / "Tests" / "External" / "far_tools" / "mcp_protected.py"


class ProtectedServer(Protected):
    """The resource is a server of `mcp` or `fastmcp` (`kind`); the authorization server is the test's own.

    `granted` are the scopes of the next tokens, whatever was asked for. A token that `revoke` was told of is refused."""

    def __init__(self, folder, kind="sdk", scopes=("read",), lifetime=3600, rotates=True, port=None, names="", starts=True, **options):
        """`names` is the path of the resource in the server's metadata, if that is not the server itself."""
        super().__init__(**options)
        self.server.stop()
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.scopes, self.granted, self.lifetime, self.rotates = scopes, " ".join(scopes), lifetime, rotates
        self.tokens, self.living = {}, set()
        self.introspection = f"{options.get('issuer_path', '')}/introspect"
        self.issuer.answers[self.introspection] = self._introspect
        self.program = CopiedProgram(
            folder / f"protected-{self.issuer.port}.log", SERVER, kind, self.port, self.identifier, ",".join(scopes), names)
        if starts:
            self.start()

    def start(self):
        self.program.launch(self._is_ready)

    def _is_ready(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _token(self, request):
        form = request["form"]
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.living:
                return 400, JSON, {"error": "invalid_grant"}
            if self.rotates:
                self.living.remove(form["refresh_token"])
        status, headers, body = super()._token(request)
        if status == 200:
            body |= {"expires_in": self.lifetime, "scope": self.granted}
            self.living.add(body["refresh_token"])
            self.tokens[body["access_token"]] = {
                "active": True, "client_id": form["client_id"], "scope": self.granted, "aud": form.get("resource", "")}
        return status, headers, body

    def _introspect(self, request):
        return 200, JSON, self.tokens.get(request["form"]["token"], {"active": False})

    def revoke(self, refresh=False):
        """Ends every access token, and the refresh tokens too if asked to."""
        self.tokens.clear()
        if refresh:
            self.living.clear()

    @property
    def refreshes(self):
        return [one for one in self.token_requests if one["form"]["grant_type"] == "refresh_token"]

    def sign_in(self, gateway, start_url, **changes):
        """Does what the person's browser does with the address; returns the page at the end and what was asked for."""
        answer = gateway.browse(start_url) if start_url.startswith(gateway.origin) else None
        begun = {"authorization_url": answer.header("Location") if answer else start_url}
        return come_back(gateway, begun, **changes), parameters_of(begun)

    def stop(self):
        self.program.stop()
        self.issuer.stop()


class ScopedServer(ProtectedServer):
    """A server that names the scopes which a call needs: `first` in its 401, and `needed` in the 403 of each `tools/call`.
    Servers of `mcp` and `fastmcp` name no scopes."""

    def __init__(self, folder, first, needed, **options):
        super().__init__(folder, starts=False, **options)
        self.first, self.needed = first, needed
        self.standin = Standin(self._answer)
        self.url = self.standin.url

    def _answer(self, exchange):
        base = self.url.removesuffix("/mcp")
        if exchange.path == "/.well-known/oauth-protected-resource/mcp":
            return exchange.reply(200, {"resource": self.url, "authorization_servers": [self.identifier]})
        said = self.tokens.get(exchange.headers.get("Authorization", "").removeprefix("Bearer "))
        place = f'resource_metadata="{base}/.well-known/oauth-protected-resource/mcp"'
        if said is None:
            return exchange.reply(401, WWW_Authenticate=f'Bearer scope="{self.first}", {place}')
        if exchange.method == "tools/call" and self.needed not in said["scope"].split():
            return exchange.reply(403, WWW_Authenticate=f'Bearer error="insufficient_scope", scope="{self.needed}", {place}')
        legacy(exchange)

    def stop(self):
        self.standin.stop()
        self.issuer.stop()


class BoundServer(BindingProvider):
    """A server that takes bound tokens only (DPoP), and its authorization server at the same port. Both verify each proof."""

    def __init__(self):
        super().__init__()
        self.url = f"{self.base}/mcp"

    def reset(self):
        super().reset()
        self.answers["/.well-known/oauth-protected-resource/mcp"] = lambda _: (200, JSON, {
            "resource": f"{self.base}/mcp", "authorization_servers": [self.base], "dpop_bound_access_tokens_required": True})
        self.answers["/mcp"] = self._mcp

    def metadata(self, **changes):
        return super().metadata(code_challenge_methods_supported=["S256"], **changes)

    def entry(self):
        client = {"client_id": CLIENT, "client_secret": SECRET, "token_endpoint_auth_method": "client_secret_post", "issuer": self.base}
        return {"url": self.url, "client": client}

    def _mcp(self, request):
        status, headers, body = self._api(request)
        if status != 200:
            return status, headers, body
        if request["method"] != "POST":
            return 405, {}, ""
        message = json.loads(request["content"])
        if "id" not in message:
            return 202, {}, ""
        told = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "bound", "version": "1"}}
        return 200, JSON, {"jsonrpc": "2.0", "id": message["id"], "result": told if message["method"] == "initialize" else {"done": True}}

    def sign_in(self, gateway, start_url):
        """Does what the person's browser does with the address."""
        answer = gateway.browse(start_url) if start_url.startswith(gateway.origin) else None
        address = answer.header("Location") if answer else start_url
        return gateway.browse(self.authorize(address)), {}
