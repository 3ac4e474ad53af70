"""A user's agent with a home of its own, and a gateway's door for browsers beside its socket."""

import socket

from harness.gateway import Gateway


class AgentGateway(Gateway):
    """Keeps its tokens in an encrypted file, as there is no session bus."""

    def __init__(self, folder, issuer, **options):
        super().__init__(folder, issuer, **options)
        self.home = self.folder / "home"
        self.home.mkdir(mode=0o700)
        self.environment = {
            "HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state"), "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_RUNTIME_DIR": str(self.folder), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/no-bus",
        }
        # Its own socket is where a session has it; over the network it takes only callbacks.
        self.configuration["listen"] = [one for one in self.configuration["listen"] if one["serve"] == ["callbacks"]]
        self.socket = f"unix:{self.folder}/switchyard/agent.sock"
        self.admin_socket = f"unix:{self.folder}/sy-private/admin.sock"
        self._arguments[1] = "agent"

    def _is_ready(self):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket.removeprefix("unix:")) == 0
