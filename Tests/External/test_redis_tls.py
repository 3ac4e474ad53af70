"""Sentinels and clusters over TLS: every name and address that servers give for each other is held against their certificates."""

import subprocess

import pytest

from harness.held import NONE, begin
from harness.issuer import authorize
from harness.programs import CERTIFICATES, Program, eventually, free_port
from harness.redis import RedisServer, SharingGateway

# With `tls-auth-clients yes`, which is Redis's own default: each connection shows a certificate.
BETWEEN = ["--tls-client-cert-file", CERTIFICATES / "client.pem", "--tls-client-key-file", CERTIFICATES / "client.key",
           "--tls-replication", "yes"]
SHOWN = {"ca": str(CERTIFICATES / "ca.pem"), "certificate": str(CERTIFICATES / "client.pem"),
         "key": str(CERTIFICATES / "client.key"), "tls": True}


@pytest.fixture
def started(run_folder):
    programs = []

    def start(program):
        programs.append(program)
        program.start()
        return program

    yield start
    for program in programs:
        program.kill()


class Sentinel(RedisServer):
    """One that watches a primary, alone."""

    def __init__(self, folder, primary):
        super().__init__(folder, True)
        file = self.folder / "sentinel.conf"
        file.write_text(
            f"port 0\ntls-port {self.port}\nbind 127.0.0.1\ndir {self.folder}\ntls-replication yes\n"
            f"tls-cert-file {CERTIFICATES}/server.pem\ntls-key-file {CERTIFICATES}/server.key\n"
            f"tls-ca-cert-file {CERTIFICATES}/ca.pem\n"
            f"tls-client-cert-file {CERTIFICATES}/client.pem\ntls-client-key-file {CERTIFICATES}/client.key\n"
            f"sentinel monitor main 127.0.0.1 {primary} 1\n"
            "sentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 3000\n")
        Program.__init__(self, self.folder / "redis.log", file, "--sentinel", program="/usr/bin/redis-server")

    def knows_replica(self):
        lines = self.ask("SENTINEL", "MASTER", "main").split("\n")
        return dict(zip(lines[::2], lines[1::2])).get("num-slaves") == "1"


def sign_in(gateway):
    pending = begin(gateway, NONE)
    assert gateway.visit(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def gateway_with(store, run_folder, issuer, started):
    return started(SharingGateway(run_folder, issuer.base, {"redis": store | SHOWN}))


def test_sentinels_and_a_fail_over(run_folder, issuer, started):
    primary = started(RedisServer(run_folder, True, *BETWEEN))
    replica = started(RedisServer(run_folder, True, *BETWEEN, "--replicaof", "127.0.0.1", primary.port))
    sentinel = started(Sentinel(run_folder, primary.port))
    eventually(sentinel.knows_replica, what="a Sentinel that knows the replica")
    store = {"sentinel": {"name": "main", "addresses": [f"localhost:{sentinel.port}"]}}
    gateway = gateway_with(store, run_folder, issuer, started)
    sign_in(gateway)
    before = begin(gateway, NONE)
    eventually(lambda: replica.ask("DBSIZE") == primary.ask("DBSIZE"), what="a replica that follows")
    primary.kill()
    # Whether the gateway misses it in between is a matter of moments.
    eventually(lambda: str(replica.port) in sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"), what="the fail-over")
    eventually(lambda: gateway.admin("/readyz").status == 200, what="the new primary")
    assert gateway.visit(authorize(before.authorization_url)).status == 303
    assert before.outcome()["status"] == "completed"


def test_a_cluster(run_folder, issuer, started):
    nodes = [
        started(RedisServer(run_folder, True, *BETWEEN, "--tls-cluster", "yes", "--cluster-enabled", "yes",
                            "--cluster-port", free_port(), "--cluster-config-file", "nodes.conf"))
        for _ in range(3)]
    made = subprocess.run(
        ["redis-cli", "--tls", "--cacert", CERTIFICATES / "ca.pem", "--cert", CERTIFICATES / "client.pem", "--key",
         CERTIFICATES / "client.key", "--cluster", "create", *(f"127.0.0.1:{node.port}" for node in nodes), "--cluster-yes"],
        capture_output=True, text=True, timeout=60)
    assert made.returncode == 0, made.stdout + made.stderr
    eventually(lambda: all("cluster_state:ok" in node.ask("CLUSTER", "INFO") for node in nodes), what="the cluster")
    gateway = gateway_with({"cluster": [f"localhost:{nodes[0].port}"]}, run_folder, issuer, started)
    # Their requests are at different nodes.
    for _ in range(12):
        sign_in(gateway)
    assert all(int(node.ask("DBSIZE")) > 0 for node in nodes)


def test_servers_whose_certificate_is_of_another_authority_get_nothing(run_folder, issuer, started, tmp_path):
    other = tmp_path / "other"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=other", "-keyout", f"{other}.key", "-out", f"{other}.pem"], check=True, capture_output=True)
    primary = started(RedisServer(run_folder, True, *BETWEEN))
    sentinel = started(Sentinel(run_folder, primary.port))
    gateway = SharingGateway(run_folder, issuer.base, {"redis": {
        "sentinel": {"name": "main", "addresses": [f"localhost:{sentinel.port}"]}, **SHOWN, "ca": f"{other}.pem"}})
    gateway._is_ready = lambda: gateway.admin("/healthz").status == 200 if "event=listening" in gateway.output() else False
    started(gateway)
    told = eventually(lambda: gateway.admin("/readyz").status == 503 and gateway.admin("/readyz"), what="the reason")
    assert "certificate" in told.json["reasons"][0], told.json
    assert gateway.api().begin_reply(NONE).status == 503
