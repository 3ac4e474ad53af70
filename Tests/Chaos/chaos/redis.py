"""Redis on private ports: one server, three with their Sentinels, or a Cluster of three and three."""

import contextlib
import subprocess

from harness.programs import Program, eventually, free_port


def ask(port, *words):
    """Runs one command with Redis's own client; returns no text if there is no answer."""
    answered = subprocess.run(
        ["redis-cli", "-p", str(port), *words], capture_output=True, text=True, timeout=20)
    return answered.stdout.strip() if answered.returncode == 0 else ""


class Server(Program):
    """One Redis, which has on the disk what it has answered."""

    def __init__(self, folder, *options, port=None):
        self.port = port or free_port()
        self.folder = folder / f"redis-{self.port}"
        self.folder.mkdir()
        super().__init__(
            self.folder / "redis.log", "--port", self.port, "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
            "--appendonly", "yes", "--appendfsync", "always", *options, program="/usr/bin/redis-server")

    def start(self):
        self.launch(lambda: ask(self.port, "PING").startswith(("PONG", "LOADING", "MASTERDOWN")))
        return self


    def facts(self):
        """The server's own report of its replication."""
        return dict(line.partition(":")[::2] for line in ask(self.port, "INFO", "replication").splitlines())


# Answered writes are then at two servers, except those on their way.
COPIES = ["--min-replicas-to-write", "1", "--min-replicas-max-lag", "2", "--repl-diskless-sync-delay", "0"]


def _are_whole(nodes, primaries):
    """Whether there are as many primaries as there should be, and everybody else follows one of them closely."""
    facts = [node.facts() for node in nodes]
    leading = [one for one in facts if one.get("role") == "master"]
    following = [one for one in facts if one.get("role") == "slave" and one.get("master_link_status") == "up"]
    return len(leading) == primaries and len(following) == len(nodes) - primaries and all(
        "state=online" in value for one in leading for name, value in one.items() if name.startswith("slave"))


class Single:
    """One server."""

    may_take_back = False

    def __init__(self, folder):
        self._node = Server(folder)
        self.port = self._node.port
        self.nodes = self.programs = [self._node]

    def start(self):
        self._node.start()

    def is_whole(self):
        return True


class Sentinel:
    """One that writes and two that follow, watched by three."""

    may_take_back = True

    def __init__(self, folder):
        self.nodes = [Server(folder, *COPIES)]
        first = self.nodes[0].port
        self.nodes += [Server(folder, *COPIES, "--replicaof", "127.0.0.1", first) for _ in range(2)]
        self.sentinels = []
        for _ in range(3):
            port = free_port()
            place = folder / f"sentinel-{port}"
            place.mkdir()
            file = place / "sentinel.conf"
            file.write_text(
                f"port {port}\nbind 127.0.0.1\ndir {place}\nsentinel monitor main 127.0.0.1 {first} 2\n"
                "sentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 3000\n")
            sentinel = Program(place / "sentinel.log", file, "--sentinel", program="/usr/bin/redis-server")
            sentinel.port = port
            self.sentinels.append(sentinel)
        self.programs = self.nodes + self.sentinels
        self.configuration = {
            "sentinel": {"name": "main", "addresses": [f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels]}}

    def start(self):
        for node in self.nodes:
            node.start()
        for sentinel in self.sentinels:
            sentinel.launch(lambda: ask(sentinel.port, "PING") == "PONG")
        eventually(lambda: all(self._knows_all(sentinel) for sentinel in self.sentinels), what="Sentinels that know all")

    def is_whole(self):
        return _are_whole(self.nodes, 1)

    @staticmethod
    def _knows_all(sentinel):
        lines = ask(sentinel.port, "SENTINEL", "MASTER", "main").split("\n")
        facts = dict(zip(lines[::2], lines[1::2]))
        return (facts.get("flags"), facts.get("num-slaves"), facts.get("num-other-sentinels")) == ("master", "2", "2")


class Cluster:
    """Three that write, each with one that follows."""

    may_take_back = True

    def __init__(self, folder):
        self.nodes = [
            Server(folder, *COPIES, "--cluster-enabled", "yes", "--cluster-node-timeout", "1500", "--cluster-port", free_port(),
                   "--cluster-config-file", "nodes.conf")
            for _ in range(6)]
        self.programs = self.nodes
        self.configuration = {"cluster": [f"127.0.0.1:{node.port}" for node in self.nodes]}

    def start(self):
        for node in self.nodes:
            node.start()
        addresses = [f"127.0.0.1:{node.port}" for node in self.nodes]
        made = subprocess.run(
            ["redis-cli", "--cluster", "create", *addresses, "--cluster-replicas", "1", "--cluster-yes"],
            capture_output=True, text=True, timeout=60)
        assert made.returncode == 0, made.stdout + made.stderr
        with contextlib.suppress(ValueError):
            eventually(lambda: all("cluster_state:ok" in ask(node.port, "CLUSTER", "INFO") for node in self.nodes),
                       what="the cluster")
        eventually(self.is_whole, what="copies")

    def is_whole(self):
        return _are_whole(self.nodes, 3)


NODES = {"redis": Single, "sentinel": Sentinel, "cluster": Cluster}
