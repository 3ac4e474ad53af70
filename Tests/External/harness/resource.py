"""A protected resource, such as an MCP server, and its authorization server, each at a port of its own."""

import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

from harness.redis import SharingGateway
from harness.standin import JSON, StandIn
from harness.vault import VAULT


def secret(kind):
    """A fresh one, which no log may show."""
    value = secrets.token_urlsafe(16)
    VAULT.remember(kind, value)
    return value


class Protected:
    """`metadata` are members of the authorization server's document (None leaves one out), `resource_metadata` of the
    resource's; `prm` and `asm` are the only paths of these documents."""

    def __init__(self, path="/mcp", prm="/.well-known/oauth-protected-resource/mcp",
                 asm="/.well-known/oauth-authorization-server", issuer_path="", metadata=None, resource_metadata=None,
                 documents=False, registered=None):
        self.server, self.issuer = StandIn(), StandIn()
        self.server.answers, self.issuer.answers = {}, {}
        self.url, self.identifier = self.server.base + path, self.issuer.base + issuer_path
        self.prm, self.registered = self.server.base + prm, dict(registered or {})
        members = {
            "issuer": self.identifier, "authorization_endpoint": f"{self.identifier}/authorize",
            "token_endpoint": f"{self.identifier}/token", "registration_endpoint": f"{self.identifier}/register",
            "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
            "client_id_metadata_document_supported": documents, **(metadata or {})}
        self.metadata = {name: value for name, value in members.items() if value is not None}
        resource = {"resource": self.url, "authorization_servers": [self.identifier], **(resource_metadata or {})}
        self.server.answers[prm] = (200, JSON, {n: v for n, v in resource.items() if v is not None})
        self.issuer.answers[asm] = (200, JSON, self.metadata)
        self.issuer.answers[f"{issuer_path}/register"] = self._register
        self.issuer.answers[f"{issuer_path}/token"] = self._token
        self.token_path, self.register_path = f"{issuer_path}/token", f"{issuer_path}/register"
        self.refusal = None

    def _register(self, _):
        client = {"client_id": secrets.token_urlsafe(8), **self.registered}
        return 201, JSON, client

    def _token(self, _):
        if self.refusal:
            return 400, JSON, {"error": self.refusal}
        access, refresh = secret("token"), secret("token")
        return 200, JSON, {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600}

    @property
    def registrations(self):
        return self.issuer.asked(self.register_path)

    @property
    def token_requests(self):
        return self.issuer.asked(self.token_path)

    def challenge(self, **parameters):
        return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items())

    def stop(self):
        self.server.stop()
        self.issuer.stop()


def parameters_of(begun):
    """Those of the authorization request, each once."""
    values = parse_qs(urlsplit(begun["authorization_url"]).query)
    assert all(len(value) == 1 for value in values.values())
    return {name: value[0] for name, value in values.items()}


def come_back(gateway, begun, **changes):
    """Brings the callback that the authorization server would; a change to None leaves a parameter out."""
    asked = parameters_of(begun)
    answer = {"code": secret("code"), "state": asked["state"], **changes}
    query = urlencode({name: value for name, value in answer.items() if value is not None})
    # At one of several gateways behind one name.
    browse = gateway.visit if isinstance(gateway, SharingGateway) else gateway.browse
    return browse(f"{asked['redirect_uri']}?{query}")
