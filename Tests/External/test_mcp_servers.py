"""`switchyard mcp` between the client of the MCP SDK (`mcp`) and servers of it and of `fastmcp`, in both eras of the protocol."""

import socket
import sys

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from harness.programs import ROOT, SWITCHYARD, Program, free_port

SERVER = ROOT / "Tests" / "External" / "far_tools" / "mcp_server.py"


@pytest.fixture(scope="module", params=["sdk", "sdk json", "fastmcp"])
def url(request, run_folder):
    kind, *form = request.param.split()
    port = free_port()
    program = Program(run_folder / f"mcp-{port}.log", SERVER, kind, port, *form, program=sys.executable)

    def is_ready():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    program.launch(is_ready)
    yield f"http://127.0.0.1:{port}/mcp"
    program.stop()


def connect(url, **options):
    return Client(StdioServerParameters(command=str(SWITCHYARD), args=["mcp", url]), **options)


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_a_client_uses_a_server(url, mode):
    progress = []

    async def told(done, total, message):
        progress.append(done)

    async def use():
        with anyio.fail_after(60):
            async with connect(url, mode=mode) as client:
                assert {tool.name for tool in (await client.list_tools()).tools} == {"add", "count"}
                assert (await client.call_tool("add", {"a": 2, "b": 3})).content[0].text == "5"
                assert (await client.call_tool("count", {"to": 5}, progress_callback=told)).content[0].text == "done"
                large = await client.read_resource("demo://large")
                assert large.contents[0].text == "é\n" * 200_000
                sums = [0] * 20
                async with anyio.create_task_group() as group:
                    for number in range(20):
                        group.start_soon(add, client, number, sums)
                assert sums == [2 * number for number in range(20)]

    async def add(client, number, sums):
        sums[number] = int((await client.call_tool("add", {"a": number, "b": number})).content[0].text)

    anyio.run(use)
    assert progress == [] or progress == sorted(progress)
