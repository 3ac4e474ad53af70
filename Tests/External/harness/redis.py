"""A server of Redis on a port of its own, and gateways that share it."""

import secrets
import socket
import subprocess
from urllib.parse import urlsplit

from harness.held import HoldingGateway
from harness.programs import CERTIFICATES, Program, eventually, free_port
from harness.vault import VAULT


class RedisServer(Program):
    """One server, which keeps what it has answered on its disk.

    With `tls`, it is reached over TLS only, and by those with a certificate of the authority for development."""

    def __init__(self, folder, tls=False, *options):
        self.port, self.tls = free_port(), tls
        self.folder = folder / f"redis-{self.port}"
        self.folder.mkdir()
        super().__init__(
            self.folder / "redis.log", *self._listening(), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
            "--appendonly", "yes", "--appendfsync", "always", *options, program="/usr/bin/redis-server")

    def _listening(self):
        if not self.tls:
            return ["--port", self.port]
        return ["--port", 0, "--tls-port", self.port, "--tls-cert-file", CERTIFICATES / "server.pem",
                "--tls-key-file", CERTIFICATES / "server.key", "--tls-ca-cert-file", CERTIFICATES / "ca.pem"]

    def start(self):
        self.launch(lambda: self.ask("PING") == "PONG")
        return self

    def start_reading(self):
        """Starts it on what it has on its disk, which it reads until `finish_reading`."""
        before = self._arguments
        self._arguments = [*before, "--key-load-delay", "2000", "--loading-process-events-interval-bytes", "1024"]
        try:
            self.launch(lambda: self.ask("PING").startswith("LOADING"))
        finally:
            self._arguments = before

    def finish_reading(self):
        assert self.ask("CONFIG", "SET", "key-load-delay", 0) == "OK"

    def ask(self, *words, password=None):
        """Runs one command with Redis's own client; returns no text if there is no answer."""
        tls = ["--tls", "--cacert", CERTIFICATES / "ca.pem", "--cert", CERTIFICATES / "client.pem", "--key",
               CERTIFICATES / "client.key", "-h", "localhost"] if self.tls else []
        tls += ["-a", password] if password else []
        answered = subprocess.run(
            ["redis-cli", "-p", str(self.port), *map(str, [*tls, *words])], capture_output=True, timeout=20)
        return answered.stdout.decode(errors="replace").strip() if answered.returncode == 0 else ""


class Writer:
    """A writer of a server without the gateways' keys. Values are bytes."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._file = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def ask(self, *words):
        """One command; an error is raised."""
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self._socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        return self._read()

    def _read(self):
        line = self._file.readline()
        kind, rest = line[:1], line[1:].strip()
        if kind == b"$":
            return None if rest == b"-1" else self._file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self._read() for _ in range(int(rest))]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        return int(rest) if kind == b":" else rest.decode()

    def record(self, pending):
        """The key and the value of a request."""
        key = f"switchyard:{{0}}:r:{pending.id}".encode()
        value = self.ask("GET", key)
        assert value, f"{key} is not there"
        return key, value

    def put(self, key, value):
        assert self.ask("SET", key, value, "KEEPTTL") == "OK"

    def change(self, pending, old, new):
        """Puts other bytes of the same length into a request."""
        key, value = self.record(pending)
        assert value.count(old) == 1 and len(old) == len(new), (value.count(old), len(old), len(new))
        self.put(key, value.replace(old, new))


class RedisCluster:
    """Three servers that share the slots, without replicas: while one is away, the others refuse commands."""

    def __init__(self, folder):
        self.nodes = [
            RedisServer(folder, False, "--cluster-enabled", "yes", "--cluster-node-timeout", 1500, "--cluster-port",
                        free_port()) for _ in range(3)]
        self.store = {"redis": {"cluster": [f"127.0.0.1:{node.port}" for node in self.nodes]}}

    def start(self):
        for node in self.nodes:
            node.start()
        made = subprocess.run(
            ["redis-cli", "--cluster", "create", *self.store["redis"]["cluster"], "--cluster-yes"],
            capture_output=True, text=True, timeout=60)
        assert made.returncode == 0, made.stdout + made.stderr
        eventually(lambda: all("cluster_state:ok" in node.ask("CLUSTER", "INFO") for node in self.nodes),
                   what="the cluster")
        return self

    def kill(self):
        for node in self.nodes:
            if node.process:
                node.kill()


class SharingGateway(HoldingGateway):
    """One of several gateways behind one name, whose requests are in Redis."""

    KEY = secrets.token_hex(32)

    def __init__(self, folder, issuer, store, **options):
        super().__init__(folder, issuer, **options)
        self.configuration |= {"store": store, "encryption_keys": [{"id": "k1", "key": self.KEY}]}
        VAULT.remember("encryption key", self.KEY)

    def visit(self, url, method="GET", headers=(), body=b""):
        """A browser's request for an address of all of them, brought to this one."""
        VAULT.remember_url(url)
        parts = urlsplit(url)
        target = url.removeprefix(f"{parts.scheme}://{parts.netloc}") or "/"
        lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in dict(headers).items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        with self.wire() as wire:
            return wire.exchange("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
