"""The programs that a run needs: an issuer, a store, gateways, and HAProxy before them."""

import asyncio
import contextlib
import os
import secrets
import signal
import time
from pathlib import Path

from chaos import redis
from chaos.links import Link
from chaos.web import Web
from harness.disk import Disk
from harness.gateway import CA
from harness.held import CODE, DEVICE, NETWORK, NONE, HoldingGateway
from harness.issuer import TestIssuer
from harness.programs import CERTIFICATES, Program, eventually, free_port
from harness.upgradable import Upgradable, alive

STARTED = "com.contoso.started"
STARTED_DEVICE = "com.contoso.starteddevice"

LIMITS = {
    "request_lifetime": "40s", "release_lifetime": "10s", "result_lifetime": "30s", "issuer_timeout": "3s",
    # An app that left without a word still counts for a while.
    "requests": 1_000_000, "requests_per_app": 1_000_000, "requests_per_address": 1_000_000,
    "kept_bytes": "2048MiB", "kept_bytes_per_address": "2048MiB",
}


class ChaosGateway(Upgradable, HoldingGateway):
    """Its connections to HAProxy, and to Redis, go over links that break."""

    def __init__(self, folder, issuer, public_port):
        super().__init__(folder, issuer, limits=LIMITS, public_port=public_port)
        self.configuration["trusted_proxies"] = ["127.0.0.1"]
        self.configuration["log"] = {"level": "info"}
        self.configuration["apps"] += [
            self.app("started", "Started Mail", client_id="started", release="code", require_start=True),
            self.app("starteddevice", "Started Devised Mail", client_id="starteddevice", release="same_device",
                     return_uri="http://127.0.0.1/back", require_start=True),
        ]
        self.links, self.redis_links, self.disk = [], [], None
        self.make_upgradable()

    def _is_ready(self):
        """It runs. Whether its store does is another question here."""
        with contextlib.suppress(OSError):
            return self.admin("/healthz").status == 200 and self.serving == self.process.pid


class WellTime:
    """The seconds without a trouble. Troubles, and pauses of the machine, do not use up the clients' patience."""

    def __init__(self):
        self.seconds, self.troubles = 0.0, 0

    async def run(self):
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.1)
            if (passed := time.monotonic() - before) < 0.3 and not self.troubles:
                self.seconds += passed


class World:
    """
    :param folder: for everything that the programs write
    :param store: `sqlite`, `redis`, `sentinel` or `cluster`
    """

    apps = [NONE, NETWORK, CODE, DEVICE, STARTED, STARTED_DEVICE]

    def __init__(self, folder, store, gateways, leisure):
        self.folder, self.kind, self.leisure = Path(folder), store, leisure
        self.count = 1 if store == "sqlite" else gateways
        self.public_port, self.api_port = free_port(), free_port()
        self.api = f"https://localhost:{self.api_port}"
        self.web = Web(str(CA), source="127.0.0.5")
        self.gateways, self.programs, self.well = [], [], WellTime()
        # When a server of the store was in trouble.
        self.fail_overs = []
        self.store = redis.NODES[store](self.folder) if store != "sqlite" else None

    async def start(self):
        # Not on this thread: the links run on it.
        self.issuer = await asyncio.to_thread(TestIssuer(self.folder, tls=True).start)
        if self.store is not None:
            await asyncio.to_thread(self.store.start)
        for _ in range(self.count):
            gateway = ChaosGateway(self.folder, self.issuer.base, self.public_port)
            gateway.links = [await Link(gateway.callbacks_port).start(), await Link(gateway.api_port).start()]
            await self._give_store(gateway)
            self.gateways.append(gateway)
        for gateway in self.gateways:
            await asyncio.to_thread(self._start_gateway, gateway)
        await asyncio.to_thread(self._start_haproxy)

    @staticmethod
    def _start_gateway(gateway):
        gateway.start()
        eventually(lambda: gateway.admin("/readyz").status == 200, what="a gateway with its store")

    async def _give_store(self, gateway):
        if self.kind == "sqlite":
            gateway.configuration["store"] = f"sqlite:{gateway.folder}/requests.db"
            gateway.disk = Disk(gateway.folder)
            gateway.environment = gateway.disk.environment
            return
        key = self.folder / "k1"
        if not key.exists():
            key.write_text(secrets.token_hex(32))
            key.chmod(0o600)
        gateway.configuration["encryption_keys"] = [{"id": "k1", "key_file": str(key)}]
        if self.kind == "redis":
            # Only here the way there can be broken: Sentinel and Cluster name their nodes themselves.
            gateway.redis_links = [await Link(self.store.port).start()]
            gateway.configuration["store"] = f"redis://127.0.0.1:{gateway.redis_links[0].port}/0"
        else:
            gateway.configuration["store"] = {"redis": self.store.configuration}

    def _start_haproxy(self):
        pair = self.folder / "haproxy.pem"
        pair.write_text((CERTIFICATES / "server.pem").read_text() + (CERTIFICATES / "server.key").read_text())

        def backend(name, index):
            servers = "".join(
                f"  server g{number} 127.0.0.1:{gateway.links[index].port} ssl verify required ca-file {CA} "
                f"verifyhost localhost check port {gateway.admin_port} no-check-ssl inter 200ms fall 2 rise 1 "
                "on-marked-down shutdown-sessions\n"
                for number, gateway in enumerate(self.gateways))
            return (f"backend {name}\n  balance roundrobin\n  option httpchk\n"
                    "  http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host 127.0.0.1\n" + servers)

        file = self.folder / "haproxy.cfg"
        file.write_text(
            "global\n  maxconn 4000\n"
            "defaults\n  mode http\n  timeout connect 5s\n  timeout check 2s\n  timeout client 70s\n"
            # Handshakes that are given up half done, and begun again, are all that a slow machine would still do.
            "  timeout server 70s\n  timeout http-request 10s\n  retries 3\n  option redispatch 1\n  option forwardfor\n"
            f"frontend browsers\n  bind 127.0.0.1:{self.public_port} ssl crt {pair}\n  default_backend callbacks\n"
            f"frontend apps\n  bind 127.0.0.1:{self.api_port} ssl crt {pair}\n  default_backend api\n"
            + backend("callbacks", 0) + backend("api", 1))
        haproxy = Program(self.folder / "haproxy.log", "-db", "-f", file, program="/usr/sbin/haproxy")
        haproxy.launch(lambda: haproxy.process.poll() is not None or _answers(self.web, self.public_port))
        self.programs.append(haproxy)

    def may_have_taken_back(self, since):
        """Whether steps since then may be as if they had never been: a server took another's place, which copies them a moment later."""
        return self.store is not None and self.store.may_take_back and any(moment > since - 15 for moment in self.fail_overs)

    # MARK: Trouble

    def restart(self, program, number, pause):
        """Ends a gateway, or a store, by a signal and starts it again; from a thread of its own."""
        process = program.serving
        program.signal(number)
        program.wait_for_end(process)
        time.sleep(pause)
        program.start()

    def upgrade(self, gateway, killed_after=None):
        """Has another process take a gateway's place.
        :param killed_after: how many seconds after its beginning that one is killed; whatever it has done by then"""
        length, old = len(gateway.output()), gateway.begin_upgrade()

        def is_refused():
            return "event=upgrade_refused" in gateway.output()[length:]

        def taken_over():
            # All of it may be over between two looks; then no child is left to be seen.
            return gateway.serving if gateway.serving not in (0, old) and not gateway.lives(old) else None

        new = eventually(lambda: gateway.begun(length) or is_refused() or taken_over(), what="the new process")
        if killed_after is not None and new is not True:
            time.sleep(killed_after)
            with contextlib.suppress(ProcessLookupError):
                os.kill(new, signal.SIGKILL)
            # It lives on for a moment, and a look at that moment would take it for a running one.
            eventually(lambda: not alive(new), what="the end of the process that was killed")
        eventually(lambda: is_refused() or not gateway.lives(old), 120, what="the end of an upgrade")
        if is_refused():
            return
        if not alive(new):
            # It was killed when it had taken the place, as any gateway may be.
            gateway.start()
        else:
            eventually(lambda: gateway.serving == new, what="its pid file")

    def freeze(self, program, seconds):
        program.signal(signal.SIGSTOP)
        time.sleep(seconds)
        program.signal(signal.SIGCONT)

    def stop(self):
        for gateway in self.gateways:
            for link in gateway.links + gateway.redis_links:
                link.close()
            with contextlib.suppress(Exception):
                gateway.kill()
        for program in [*self.programs, self.issuer, *(self.store.programs if self.store else [])]:
            with contextlib.suppress(Exception):
                program.kill()


def _answers(web, port):
    import socket
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
