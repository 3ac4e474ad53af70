"""An MCP server of the SDK (`mcp`) or of `fastmcp` that asks for a token: `mcp_protected.py sdk|fastmcp PORT ISSUER SCOPES
[NAME]`.

It asks the issuer about each token (`ISSUER/introspect`, as RFC 7662 has it) and names the issuer in its metadata (RFC 9728). Each
token has to be for this server, and has to have every scope of SCOPES, which are separated by commas. The SDK's metadata
can have another resource, whose path is NAME, in place of the server.
"""

import sys

import httpx
from mcp.server.auth.provider import AccessToken

kind, port, issuer = sys.argv[1], int(sys.argv[2]), sys.argv[3]
scopes = [scope for scope in sys.argv[4].split(",") if scope]
url = f"http://127.0.0.1:{port}"


async def look_up(token, make):
    async with httpx.AsyncClient(trust_env=False) as client:
        said = (await client.post(f"{issuer}/introspect", data={"token": token})).json()
    if not said["active"]:
        return None
    return make(token=token, client_id=said["client_id"], scopes=said["scope"].split(), resource=said["aud"])


if kind == "sdk":
    from mcp.server.auth.settings import AuthSettings
    from mcp.server.mcpserver import MCPServer

    class Verifier:
        async def verify_token(self, token):
            return await look_up(token, AccessToken)

    server = MCPServer("protected", token_verifier=Verifier(), auth=AuthSettings(
        issuer_url=issuer, resource_server_url=f"{url}{sys.argv[5] or '/mcp'}", required_scopes=scopes, validate_token_resource=True))
else:
    from fastmcp import FastMCP
    from fastmcp.server.auth import RemoteAuthProvider, TokenVerifier
    from fastmcp.server.auth.auth import AccessToken as Token

    class Verifier(TokenVerifier):
        async def verify_token(self, token):
            return await look_up(token, Token)

    server = FastMCP("protected", auth=RemoteAuthProvider(
        token_verifier=Verifier(base_url=url, required_scopes=scopes), authorization_servers=[issuer], base_url=url,
        scopes_supported=scopes))


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


app = server.streamable_http_app() if kind == "sdk" else server.http_app()

if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
