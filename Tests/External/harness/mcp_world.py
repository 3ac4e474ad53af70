"""A server that asks for tokens, the gateway or agent that signs in to it, and the bridges of clients before it."""

import re

from harness import wire
from harness.gateway import CA
from harness.mcp import INITIALIZED, Bridge, initialize
from harness.programs import eventually

ADDRESS = re.compile(r"sign in to \S+: open (\S+) in a browser \(sign-in (\S+)\)")


class Browser:
    """A browser beside a process that serves no page of its own."""

    origin = "none:"

    @staticmethod
    def browse(url, **options):
        return wire.request(url, ca=CA, **options)


class World:
    """A server, the gateway or agent that signs in, and the bridges of clients."""

    def __init__(self, server, browser, environment, options=()):
        self.server, self.browser, self.environment, self.options, self.bridges = server, browser, environment, list(options), []

    def bridge(self, *options, **more):
        self.bridges.append(Bridge(
            self.server.url, *self.options, *options, env={"SWITCHYARD_GATEWAY": "", "SWITCHYARD_CA": "", **self.environment, **more}))
        return self.bridges[-1]

    @staticmethod
    def told(bridge, number=1):
        """The address and the reference on standard error."""
        def look():
            found = ADDRESS.findall("".join(bridge.notes))
            return found[number - 1] if len(found) >= number else None

        return eventually(look, what="the address of a sign-in on standard error")

    def sign_in(self, bridge, number=1, **changes):
        page, asked = self.server.sign_in(self.browser, self.told(bridge, number)[0], **changes)
        self.page = page
        return asked

    def signed_in(self, *options):
        """A bridge whose session has begun after a sign-in."""
        bridge = self.bridge(*options)
        bridge.send(initialize())
        self.sign_in(bridge)
        assert "result" in bridge.next(), bridge.notes
        bridge.send(INITIALIZED)
        return bridge

    def stop(self):
        for bridge in self.bridges:
            bridge.stop()
        self.server.stop()


def alone(folder):
    runtime = folder / "r"
    runtime.mkdir(mode=0o700, exist_ok=True)
    return {"HOME": str(folder), "XDG_RUNTIME_DIR": str(runtime), "XDG_CONFIG_HOME": str(folder / "c"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/no-bus"}
