"""`switchyard mcp` before a server that wants a token: real servers of `mcp` and `fastmcp`, and a real agent or gateway."""

import os
import signal
import subprocess
import time

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import ElicitResult

from harness.agent import AgentGateway
from harness.gateway import Gateway
from harness.held import shown
from harness.keyring import Desktop
from harness.mcp import INITIALIZED, Bridge, Standin, call, initialize, legacy, modern
from harness.mcp_world import ADDRESS, Browser, World, alone
from harness.programs import CERTIFICATES, SWITCHYARD, eventually
from harness.protected_mcp import ProtectedServer, ScopedServer
from harness.vault import VAULT

@pytest.fixture
def agent(run_folder):
    """Makes an agent that allows the server."""
    made = []

    def make(kind="sdk", **options):
        server = ProtectedServer(run_folder, kind, **options)
        program = AgentGateway(run_folder, "https://localhost:1")
        program.configuration["resources"] = {"allow": [{"url": server.url}]}
        program.start()
        world = World(server, program, program.environment)
        world.agent = program
        made.extend([world, program])
        return world

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def gateway(run_folder, tmp_path):
    """Makes a gateway that allows the server, and no agent."""
    made = []

    def make(**options):
        server = ProtectedServer(run_folder, **options)
        program = Gateway(run_folder, "https://localhost:1")
        program.configuration["resources"] = {
            "redirect_uri": program.url("/resource"), "release": "code", "allow": [{"url": server.url}]}
        program.start()
        world = World(server, program, alone(tmp_path), ["--gateway", program.api().address, "--ca", str(CERTIFICATES / "ca.pem")])
        made.extend([world, program])
        return world

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def own(run_folder, tmp_path):
    """Makes a world with neither agent nor gateway."""
    made = []

    def make(**options):
        made.append(World(ProtectedServer(run_folder, **options), Browser, alone(tmp_path)))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def add(number, a=2, b=3):
    return call(number, "tools/call", name="add", arguments={"a": a, "b": b})


def text(answer):
    assert "result" in answer, answer
    return answer["result"]["content"][0]["text"]


# The agent


@pytest.mark.parametrize("kind", ["sdk", "fastmcp"])
def test_a_sign_in_while_initialize_waits_and_then_the_agents_token(agent, kind):
    world = agent(kind)
    bridge = world.signed_in()
    assert text(bridge.ask(add(1))) == "5"
    assert bridge.finish() == 0
    # Another process needs no sign-in, and no refresh.
    other = world.bridge()
    assert "result" in other.begin() and text(other.ask(add(1))) == "5"
    assert len(world.server.token_requests) == 1 and not ADDRESS.search("".join(other.notes))
    assert other.finish() == 0


def test_a_call_that_waits_too_long_says_where_to_sign_in(agent):
    """The sign-in goes on behind it, and the client's next call uses the token."""
    world = agent()
    bridge = world.bridge()
    answer = bridge.ask(initialize())
    address, reference = world.told(bridge)
    assert answer["error"]["code"] == 401 and address in answer["error"]["message"]
    assert answer["error"]["data"] == {"start_url": address, "reference": reference}
    world.sign_in(bridge)
    assert "result" in bridge.ask(initialize(1))
    assert bridge.finish() == 0


def test_calls_that_meet_the_refusal_together_share_one_sign_in(agent):
    world = agent()
    bridge = world.signed_in()
    world.server.revoke(refresh=True)
    bridge.send(*(add(number) for number in range(1, 6)))
    world.sign_in(bridge, 2)
    assert {bridge.next()["result"]["content"][0]["text"] for _ in range(5)} == {"5"}
    assert len(ADDRESS.findall("".join(bridge.notes))) == 2
    assert bridge.finish() == 0


def test_a_refused_token_is_refreshed_and_not_given_again(agent):
    world = agent()
    bridge = world.signed_in()
    world.server.revoke()
    assert text(bridge.ask(add(1))) == "5"
    assert len(world.server.refreshes) == 1 and len(ADDRESS.findall("".join(bridge.notes))) == 1
    assert bridge.finish() == 0


def test_a_server_that_refuses_every_token_ends_the_call(agent):
    world = agent()
    bridge = world.signed_in()
    assert text(bridge.ask(add(0))) == "5"
    world.server.issuer.answers["/introspect"] = (200, {"Content-Type": "application/json"}, {"active": False})
    answer = bridge.ask(add(1))
    assert answer["error"]["code"] == 401 and "refuses the token" in answer["error"]["message"]
    assert 1 <= len(world.server.refreshes) <= 2
    assert bridge.finish() == 0


def test_a_token_that_ends_soon_is_renewed_before(agent):
    """The server would still take the old one, so the refresh is of our own accord."""
    world = agent(lifetime=10)
    bridge = world.signed_in()
    assert not world.server.refreshes
    time.sleep(8.6)
    assert text(bridge.ask(add(1))) == "5"
    assert len(world.server.refreshes) == 1
    assert bridge.finish() == 0


def test_auth_scope_step_up(agent):
    """403 with `insufficient_scope`: one sign-in that asks for more."""
    world = agent(scopes=("read", "write"))
    world.server.granted = "read"
    bridge = world.bridge()
    bridge.send(initialize())
    world.sign_in(bridge)
    world.told(bridge, 2)
    world.server.granted = "read write"
    asked = world.sign_in(bridge, 2)
    assert set(asked["scope"].split()) == {"read", "write"}
    assert "result" in bridge.next(), bridge.notes
    assert bridge.finish() == 0


def test_auth_scope_retry_limit(agent):
    """A step-up that brings no more scopes is not made again for the same call."""
    world = agent(scopes=("read", "write"))
    world.server.granted = "read"
    bridge = world.bridge()
    bridge.send(initialize())
    world.sign_in(bridge)
    world.sign_in(bridge, 2)
    answer = bridge.next()
    assert "insufficient_scope" in answer["error"]["message"], answer
    assert len(ADDRESS.findall("".join(bridge.notes))) == 2
    assert bridge.finish() == 0


def test_the_scopes_that_the_person_names(agent):
    world = agent()
    bridge = world.bridge("--scope", "read extra")
    bridge.send(initialize())
    assert world.sign_in(bridge)["scope"] == "read extra"
    assert "result" in bridge.next()
    assert bridge.finish() == 0


def test_a_sign_in_of_another_program_serves_the_waiting_one(agent):
    world = agent()
    one, other = world.bridge(), world.bridge()
    one.send(initialize())
    assert "error" in other.ask(initialize())
    world.sign_in(other)
    eventually(lambda: "signed in" in "".join(other.notes), what="the end of the other sign-in")
    # Its own sign-in still waits; the next call looks at the agent again.
    first = one.next()
    answer = first if "result" in first else one.ask(initialize(1))
    assert "result" in answer
    assert one.finish() == 0


@pytest.mark.parametrize("ending", ["input", "signal"])
def test_the_end_while_a_sign_in_waits(agent, ending):
    """It is prompt; the session is deleted; and the agent finishes the sign-in for the next process."""
    world = agent()
    bridge = world.signed_in()
    world.server.revoke(refresh=True)
    bridge.send(add(1))
    address, _ = world.told(bridge, 2)
    began = time.monotonic()
    if ending == "input":
        assert bridge.finish() == 0
        assert bridge.next()["error"]["data"]["start_url"] == address
    else:
        bridge.process.send_signal(signal.SIGTERM)
        assert bridge.end() == 0
    took = time.monotonic() - began
    world.server.sign_in(world.browser, address)
    other = world.bridge()
    assert "result" in other.begin(), took
    assert other.finish() == 0


def test_the_parameter_resource_can_be_left_out(agent):
    world = agent()
    world.server.tokens = Audience(world.server.url)
    bridge = world.bridge("--no-resource")
    bridge.send(initialize())
    assert "resource" not in world.sign_in(bridge)
    assert "result" in bridge.next()
    assert all("resource" not in one["form"] for one in world.server.token_requests)
    assert bridge.finish() == 0


class Audience(dict):
    """Tokens for one resource, whatever was asked for."""

    def __init__(self, resource):
        self.resource = resource

    def __setitem__(self, token, said):
        super().__setitem__(token, said | {"aud": self.resource})


def test_use_from_can_name_the_program(agent):
    """The process is visible to the agent, which refuses other programs."""
    world = agent()
    entry = world.agent.configuration["resources"]["allow"][0]
    for program, is_allowed in (("/usr/bin/gone", False), (os.path.realpath(SWITCHYARD), True)):
        entry["use_from"] = {"executables": [program]}
        seen = world.agent.log.read_text().count("event=reloaded")
        world.agent.write()
        world.agent.reload()
        eventually(lambda: world.agent.log.read_text().count("event=reloaded") > seen, what="the reload")
        bridge = world.bridge()
        bridge.send(initialize())
        if is_allowed:
            world.sign_in(bridge)
        assert ("result" in bridge.next()) == is_allowed
        assert bridge.finish() == 0


def test_the_desktop_tells_the_person(agent, tmp_path_factory):
    world = agent()
    desktop = Desktop(tmp_path_factory.mktemp("d")).start_bus().start_notices()
    try:
        bridge = world.bridge(DBUS_SESSION_BUS_ADDRESS=desktop.environment["DBUS_SESSION_BUS_ADDRESS"], LC_ALL="de_DE.UTF-8")
        bridge.send(initialize())
        address, _ = world.told(bridge)
        notice, = eventually(lambda: desktop.shown, what="the notification")
        assert notice["heading"] == "Ein Programm wartet auf Ihre Anmeldung"
        assert "127.0.0.1" in notice["text"] and address.replace("&", "&amp;") in notice["text"]
    finally:
        desktop.close()


# A gateway


def test_a_gateway_signs_in_where_no_agent_runs(gateway):
    """The code of the page goes to the process by `switchyard release`; refreshes go by the gateway."""
    world = gateway()
    bridge = world.bridge()
    bridge.send(initialize())
    reference = world.told(bridge)[1]
    asked = world.sign_in(bridge)
    assert asked["resource"] == world.server.url
    release(world, reference)
    assert "result" in bridge.next(), bridge.notes
    bridge.send(INITIALIZED)
    assert text(bridge.ask(add(1))) == "5"
    world.server.revoke()
    assert text(bridge.ask(add(2))) == "5"
    assert len(world.server.refreshes) == 1 and len(ADDRESS.findall("".join(bridge.notes))) == 1
    assert bridge.finish() == 0
    # The tokens ended with the process.
    other = world.bridge()
    other.send(initialize())
    assert world.told(other)
    assert other.finish() == 0


def release(world, reference):
    answer = world.page
    assert answer.status == 303, answer.text
    page = world.browser.browse(
        world.browser.url(answer.header("Location")), headers={"Cookie": answer.header("Set-Cookie").split(";")[0]})
    code = shown(page.text, "release-code")
    VAULT.remember("release code", code)
    done = subprocess.run(
        [SWITCHYARD, "release", code, "--reference", reference], env=os.environ | world.environment, capture_output=True, text=True,
        timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_gateway_decides_about_the_parameter_itself(gateway):
    world = gateway()
    reply = world.browser.api().call("POST", "/v1/requests", {"resource": world.server.url, "resource_parameter": False})
    assert reply.status == 400 and "at an agent" in reply.json["error_description"]


def test_a_step_up_by_a_gateway(gateway):
    world = gateway(scopes=("read", "write"))
    world.server.granted = "read"
    bridge = world.bridge()
    bridge.send(initialize())
    for number in (1, 2):
        reference = world.told(bridge, number)[1]
        asked = world.sign_in(bridge, number)
        world.server.granted = "read" if number == 1 else "read write"
        release(world, reference)
    assert set(asked["scope"].split()) == {"read", "write"}
    assert "result" in bridge.next(), bridge.notes
    assert bridge.finish() == 0


def test_a_gateways_token_that_ends_soon_is_renewed_before(gateway):
    world = gateway(lifetime=10)
    bridge = world.bridge()
    bridge.send(initialize())
    reference = world.told(bridge)[1]
    world.sign_in(bridge)
    release(world, reference)
    assert "result" in bridge.next()
    bridge.send(INITIALIZED)
    time.sleep(8.6)
    assert text(bridge.ask(add(1))) == "5"
    assert len(world.server.refreshes) >= 1
    assert bridge.finish() == 0


def test_the_end_while_a_gateways_sign_in_waits(gateway):
    """It is cancelled there, because no other process could use it."""
    world = gateway()
    bridge = world.bridge()
    bridge.send(initialize())
    address, _ = world.told(bridge)
    bridge.process.send_signal(signal.SIGTERM)
    assert bridge.end() == 0
    page = world.browser.browse(address)
    assert page.status in (404, 410), page.status
    folder = world.environment["XDG_RUNTIME_DIR"] + "/sy-waiting"
    assert not os.listdir(folder)


# A sign-in of this process


def test_a_sign_in_of_the_process_itself(own):
    """The callback comes to a loopback port; the tokens, and everything else, end with the process."""
    world = own()
    bridge = world.bridge()
    bridge.send(initialize())
    asked = world.sign_in(bridge)
    assert asked["redirect_uri"].startswith("http://127.0.0.1:") and asked["resource"] == world.server.url
    assert "result" in bridge.next(), bridge.notes
    bridge.send(INITIALIZED)
    world.server.revoke()
    assert text(bridge.ask(add(1))) == "5"
    assert len(world.server.refreshes) == 1
    assert bridge.finish() == 0
    assert not os.listdir(world.environment["XDG_RUNTIME_DIR"] + "/sy-waiting")
    other = world.bridge("--no-resource")
    other.send(initialize())
    assert "resource" not in world.server.sign_in(Browser, world.told(other)[0])[1]


def test_the_end_while_the_processs_own_sign_in_waits(own):
    world = own()
    bridge = world.bridge()
    bridge.send(initialize())
    world.told(bridge)
    bridge.process.send_signal(signal.SIGTERM)
    assert bridge.end() == 0
    assert not os.listdir(world.environment["XDG_RUNTIME_DIR"] + "/sy-waiting")


def test_a_server_without_metadata_says_what_is_missing(own):
    world = own()
    silent = Standin(lambda exchange: exchange.reply(401))
    try:
        bridge = Bridge(silent.url, env={"SWITCHYARD_GATEWAY": "", **world.environment})
        message = bridge.ask(initialize())["error"]["message"]
        assert "there is none" in message and "--header" in message
        bridge.stop()
    finally:
        silent.stop()


def test_a_notification_that_is_refused_holds_no_call_and_goes_first_after_the_sign_in(run_folder, tmp_path):
    world = World(ScopedServer(run_folder, "read", "read"), Browser, alone(tmp_path))
    server = world.server
    try:
        bridge = world.bridge()
        bridge.send(initialize())
        world.sign_in(bridge)
        assert "result" in bridge.next(), bridge.notes
        server.revoke(refresh=True)
        bridge.send(INITIALIZED, add(1))
        world.told(bridge, 2)
        # It does not wait behind the notification, so it can tell its client where to sign in.
        server.standin.wait_for(lambda one: one.method == "tools/call")
        before = len(server.standin.requests)
        world.sign_in(bridge, 2)
        assert bridge.next()["id"] == 1
        after = [one.method for one in server.standin.requests[before:] if one.command == "POST"]
        assert after[:2] == ["notifications/initialized", "tools/call"], after
        assert bridge.finish() == 0
    finally:
        world.stop()


# Elicitation

URL_MODE = {"elicitation": {"url": {}}}


def test_a_client_with_sessions_shows_the_address(agent):
    world = agent()
    world.signed_in().finish()
    bridge = world.bridge()
    assert "result" in bridge.begin(**URL_MODE)
    world.server.revoke(refresh=True)
    bridge.send(add(1))
    asked = bridge.next()
    address, _ = world.told(bridge)
    assert asked["method"] == "elicitation/create" and asked["params"]["mode"] == "url" and asked["params"]["url"] == address
    bridge.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
    world.sign_in(bridge)
    done = bridge.next()
    assert done == {"jsonrpc": "2.0", "method": "notifications/elicitation/complete",
                    "params": {"elicitationId": asked["params"]["elicitationId"]}}
    assert text(bridge.next()) == "5"
    assert bridge.finish() == 0 and bridge.lines.empty()


def test_a_client_without_url_mode_is_not_asked(agent):
    world = agent()
    world.signed_in().finish()
    bridge = world.bridge()
    bridge.begin(elicitation={})
    world.server.revoke(refresh=True)
    bridge.send(add(1))
    world.sign_in(bridge)
    assert text(bridge.next()) == "5"
    assert bridge.finish() == 0 and bridge.lines.empty()


def test_a_modern_client_is_asked_by_a_result_and_its_retry_goes_on(agent):
    world = agent()
    bridge = world.bridge()
    arguments = {"name": "add", "arguments": {"a": 2, "b": 3}}
    asked = bridge.ask(modern(1, "tools/call", URL_MODE, **arguments))["result"]
    address, _ = world.told(bridge)
    assert asked["resultType"] == "input_required" and "requestState" not in asked
    [(key, question)] = asked["inputRequests"].items()
    assert question["method"] == "elicitation/create" and question["params"]["url"] == address
    bridge.send(modern(2, "tools/call", URL_MODE, **arguments, inputResponses={key: {"action": "accept"}}))
    world.sign_in(bridge)
    answer = bridge.next()
    assert answer["id"] == 2 and text(answer) == "5"
    assert bridge.finish() == 0


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_client_of_the_sdk_shows_the_address(agent, mode):
    world = agent()
    world.signed_in().finish()
    opened = []

    async def show(context, asked):
        opened.append(asked.url)
        await anyio.to_thread.run_sync(world.server.sign_in, world.browser, asked.url)
        return ElicitResult(action="accept")

    async def use():
        command = StdioServerParameters(
            command=str(SWITCHYARD), args=["mcp", world.server.url], env={**os.environ, "SWITCHYARD_GATEWAY": "", **world.environment})
        with anyio.fail_after(60):
            async with Client(command, mode=mode, elicitation_callback=show) as client:
                assert (await client.call_tool("add", {"a": 1, "b": 1})).content[0].text == "2"
                world.server.revoke(refresh=True)
                assert (await client.call_tool("add", {"a": 2, "b": 3})).content[0].text == "5"

    anyio.run(use)
    assert len(opened) == 1


def test_our_part_of_a_retry_does_not_reach_the_server(own):
    world = own()
    server = Standin(lambda exchange: legacy(exchange))
    try:
        bridge = Bridge(server.url, env={"SWITCHYARD_GATEWAY": "", **world.environment})
        bridge.ask(modern(1, "tools/call", URL_MODE, name="x", inputResponses={"switchyard-sign-in": {"action": "accept"}}))
        bridge.ask(modern(2, "tools/call", URL_MODE, name="x", inputResponses={
            "switchyard-sign-in": {"action": "accept"}, "theirs": {"action": "accept"}}))
        first, second = (one.message["params"] for one in server.requests)
        assert "inputResponses" not in first and second["inputResponses"] == {"theirs": {"action": "accept"}}
        assert bridge.finish() == 0
    finally:
        server.stop()


@pytest.mark.parametrize("message", [
    modern(1, "tools/list", URL_MODE), modern(1, "tools/call", {"elicitation": {}}, name="add", arguments={}),
    modern(1, "tools/call", URL_MODE, name="add", arguments={}, requestState="theirs"),
], ids=["another method", "no URL mode", "a retry of the server's own"])
def test_a_modern_request_that_takes_no_question(agent, message):
    world = agent()
    bridge = world.bridge()
    bridge.send(message)
    world.sign_in(bridge)
    answer = bridge.next()
    assert answer.get("result", {}).get("resultType") != "input_required"
    assert bridge.finish() == 0
