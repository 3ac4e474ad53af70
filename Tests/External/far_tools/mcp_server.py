"""An MCP server of the SDK (`mcp`) or of `fastmcp`, with tools that a test asks for: `mcp_server.py sdk|fastmcp PORT [json]`."""

import asyncio
import sys

kind, port, form = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

if kind == "sdk":
    from mcp.server.mcpserver import Context, MCPServer

    server = MCPServer("real")
else:
    from fastmcp import Context, FastMCP

    server = FastMCP("real")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and tells how far it is."""
    for number in range(to):
        await ctx.report_progress(number + 1, to)
        await asyncio.sleep(0)
    return "done"


@server.resource("demo://large")
def large() -> str:
    """A large text."""
    return "é\n" * 200_000


app = server.streamable_http_app(json_response="json" in form) if kind == "sdk" else server.http_app(json_response="json" in form)

if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
