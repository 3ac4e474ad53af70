"""Memory of idle connections and requests, and the time of a start."""

import socket
import statistics
import time
import urllib.parse

from bench.gateway import Gateway, suite, waiting_apps
from bench.load import Apps, IdleConnections
from bench.peers import Nginx
from bench.results import Row

# The first ones are not counted: they bring in code and tables that stay.
WARM, WAITING = 500, 2000


def waiting_connections(bench, results):
    """Apps that wait by long poll, beside nginx's idle keep-alive connections. The pending requests are there before
    the first measurement; they have a budget of their own."""
    bench.say("memory of waiting connections")
    with Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as gateway:
        apps = Apps(gateway)
        begun = iter([apps.begin() for _ in range(WARM + WAITING)])

        def wait(connections):
            request = next(begun)
            connections.add(
                f"GET /v1/requests/{request['id']} HTTP/1.1\r\nHost: localhost:{gateway.api_port}\r\n"
                f"Authorization: Bearer {request['result_token']}\r\nPrefer: wait=60\r\n\r\n", expects_answer=False)

        ours = _bytes_each(gateway, gateway.api_port, wait)
        apps.close()
    with Nginx(bench.work, bench.cores.server, bench.open_files) as nginx:

        def idle(connections):
            connections.add("GET /legacy HTTP/1.1\r\nHost: localhost\r\n\r\n", expects_answer=True)

        peer = _bytes_each(nginx, nginx.port, idle)
    results.rows.append(Row(
        "memory of a waiting app's TLS connection", f"{ours / 1000:.1f} KB", f"nginx, idle: {peer / 1000:.1f} KB",
        ours / peer, 0.85, 0.75))


def unfinished_hellos(bench, results):
    """Connections that sent 69 bytes: a TLS record with the beginning of a ClientHello of 16 KiB, the largest that is
    taken. A larger claim ends the connection."""
    bench.say("memory of connections that sent 69 bytes")
    hello = b"\x16\x03\x01\x00\x40" + b"\x01" + (16 << 10).to_bytes(3, "big") + b"\x03\x03" + bytes(58)
    with Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as gateway:
        held = []

        def begin(count):
            for _ in range(count):
                held.append(socket.create_connection(("127.0.0.1", gateway.port)))
                held[-1].sendall(hello)
            time.sleep(1)
            return gateway.memory_bytes()

        before = begin(WARM)
        each = (begin(WAITING) - before) / WAITING
        for connection in held:
            connection.close()
        time.sleep(1)
        after = gateway.memory_bytes()
    results.rows.append(Row(
        "memory of a connection that sent 69 bytes", f"{each / 1024:.1f} KiB", "", each / 1024, 12, 8, "KiB"))
    results.remarks.append(
        f"Once {WARM + WAITING:,} connections that had sent 69 bytes each were closed, the process held "
        f"{(after - before) / 2**20:.1f} MiB more than with the first {WARM:,} of them.")


def finished_requests(bench, results):
    """The tombstones of acknowledged sign-ins, which answer repeated callbacks. The app redeems the codes itself; a sign-in
    that the gateway redeems leaves no larger tombstone."""
    bench.say("memory of finished requests")
    warm, count = (500, 2000) if bench.is_quick else (2000, 86_000)
    with Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as gateway:
        apps = Apps(gateway)

        def finish(number):
            begun = apps.begun_in_response_mode(number)
            rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
            bench.load.replay(gateway.port, 303, [f"/app1/auth?{rest}&state={state}" for state in begun])
            for request in begun.values():
                apps.collect(request)

        finish(warm)
        before = gateway.memory_bytes()
        total = warm + count
        # In parts, so that memory for many at once, which stays with the process, is not counted to each.
        for _ in range(count // warm):
            finish(warm)
        after = gateway.memory_bytes()
        each = (after - before) / count
        apps.close()
    results.rows.append(Row(
        "memory of a request that is over", f"{each:.0f} bytes", "", each, 350, None, "bytes"))
    results.remarks.append(
        f"After {total:,} sign-ins whose results were collected and acknowledged, and before any of them was forgotten, the "
        f"process held {after / 2**20:.0f} MiB, {(after - before) / 2**20:.0f} MiB more than after the first {warm:,}.")


def start(bench, results):
    """From the program's start to its first readiness, each app with an https and a custom redirect URI."""
    bench.say("start with 100,000 apps")
    walls, cpus, memory = [], [], 0
    for _ in range(3):
        gateway = Gateway(bench.work, bench.cores.server, waiting_apps(100_000))
        begin = time.monotonic()
        with gateway:
            walls.append(time.monotonic() - begin)
            cpus.append(gateway.cpu_seconds())
            memory = gateway.memory_bytes()
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    results.rows.append(Row("start with 100,000 apps", f"{wall:.2f} s", "", wall, 1.5, 1.0, "s"))
    results.remarks.append(
        f"The start with 100,000 apps took {cpu:.2f} s of CPU; the process then held {memory / 2**20:.0f} MiB.")


def _bytes_each(server, port, add):
    connections = IdleConnections(port)
    for _ in range(WARM):
        add(connections)
    time.sleep(1)
    before = server.memory_bytes()
    for _ in range(WAITING):
        add(connections)
    time.sleep(1)
    each = (server.memory_bytes() - before) / WAITING
    connections.close()
    return each
