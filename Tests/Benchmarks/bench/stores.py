"""The cost of a store: the same work with requests in memory, in SQLite and in Redis, and beside mod_auth_openidc with
Redis."""

import contextlib
import os
import secrets
import socket
import statistics
import subprocess
import threading
import time
import urllib.parse

from bench.gateway import Gateway, Issuer, suite
from bench.load import Apps, Generators, IdleConnections
from bench.machine import SWITCHYARD
from bench.measure import Load, Side, middle, ratio, sample
from bench.peers import Apache
from bench.processes import Server, accepts, free_port
from bench.results import Detail, Row
from bench.scenarios import compare, fill

STORES = ("memory", "sqlite", "redis")


class Redis(Server):
    """Redis as most run it that must not lose much: what it answers is on the disk within a second."""

    def __init__(self, work, core):
        self.port = free_port()
        self.folder = work / f"redis-{self.port}"
        self.folder.mkdir()
        super().__init__("redis", [
            "/usr/bin/redis-server", "--port", self.port, "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
            "--appendonly", "yes", "--appendfsync", "everysec"], core)

    def is_ready(self):
        return accepts(self.port)

    def used_memory(self):
        return self.figure("memory", "used_memory")

    def figure(self, section, name):
        """One number of INFO."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(f"INFO {section}\r\n".encode())
            answer = b""
            while f"\r\n{name}:".encode() not in answer or not answer.endswith(b"\r\n"):
                answer += connection.recv(65536)
        return int(answer.split(f"\r\n{name}:".encode())[1].split(b"\r\n")[0])


class StoredGateway(Gateway):
    """A gateway with a store of the test's choice."""

    def __init__(self, work, core, issuer, store="memory", redis=None, public_url=None, key=None):
        self._public_url = public_url
        self._folder = work / f"store-{secrets.token_hex(4)}"
        self._folder.mkdir()
        self.database = self._folder / "requests.db"
        self._store = {
            "memory": "store: memory\n",
            "sqlite": f"store: sqlite:{self.database}\n",
            "redis": f"store: redis://127.0.0.1:{redis.port}/0\n" if redis else "",
        }[store]
        if store == "redis":
            self._store += f"encryption_keys: [{{ id: k1, key_file: {key or new_key(self._folder)} }}]\n"
        super().__init__(work, core, suite, issuer)
        self.name = f"switchyard, {store}"

    def _configuration(self, issuer):
        if self._public_url:
            self.public_url = self._public_url
        return super()._configuration(issuer) + self._store

    def bytes_on_disk(self):
        return sum(file.stat().st_blocks * 512 for file in self._folder.glob("requests.db*"))


def new_key(folder):
    file = folder / "key"
    file.write_text(subprocess.run([SWITCHYARD, "keys", "new"], capture_output=True, text=True, check=True).stdout)
    file.chmod(0o600)
    return file


def sign_ins(bench, results):
    """Whole sign-ins, one server after the other in each round."""
    bench.say("whole sign-ins with memory, SQLite and Redis, and Apache with Redis")
    with (
        Issuer(bench.cores.issuer, tls=True) as issuer,
        Redis(bench.work, bench.cores.issuer) as redis,
        StoredGateway(bench.work, bench.cores.server, issuer.url) as memory,
        StoredGateway(bench.work, bench.cores.server, issuer.url, "sqlite") as sqlite,
        StoredGateway(bench.work, bench.cores.server, issuer.url, "redis", redis) as in_redis,
        Apache(bench.work, bench.cores.server, issuer.url,
               f"OIDCSessionType server-cache\nOIDCCacheType redis\nOIDCRedisCacheServer 127.0.0.1:{redis.port}") as apache,
    ):
        def side(gateway):
            return Side(gateway.name, gateway, lambda: bench.load.gateway_sign_ins(gateway, issuer, bench.seconds))

        sides = [side(memory), side(sqlite), side(in_redis),
                 Side("apache, redis", apache, lambda: bench.load.apache_sign_ins(apache, issuer, bench.seconds))]
        rounds = _rounds(sides, bench.rounds)
        work = "a whole sign-in, by store"
        results.details += [Detail(work, one.name, middle(samples)) for one, samples in zip(sides, rounds)]
        ours, by_sqlite, by_redis, peer = rounds
        for mine, other, name, budget, aim in (
            (by_sqlite, ours, "a whole sign-in, SQLite beside memory", 1.3, 1.2),
            (by_redis, ours, "a whole sign-in, Redis beside memory", 1.15, 1.1),
            (by_sqlite, peer, "a whole sign-in, SQLite beside mod_auth_openidc with Redis", 0.5, None),
            (by_redis, peer, "a whole sign-in, both with Redis", 0.5, None),
        ):
            results.rows.append(Row(
                name, f"{middle(mine).cpu_us:.0f} µs", f"{middle(other).cpu_us:.0f} µs", ratio(mine, other), budget,
                aim))
        results.figures |= {"c_sqlite": middle(by_sqlite).cpu_us, "c_redis": middle(by_redis).cpu_us}
        _note_redis(redis, in_redis, issuer, bench, results)


def _note_redis(redis, gateway, issuer, bench, results):
    """The commands of one sign-in to Redis."""
    commands, cpu = redis.figure("stats", "total_commands_processed"), redis.cpu_seconds()
    load = bench.load.gateway_sign_ins(gateway, issuer, bench.seconds)
    commands, cpu = redis.figure("stats", "total_commands_processed") - commands, redis.cpu_seconds() - cpu
    commands, cpu = commands / load.count, cpu / load.count * 1e6
    results.figures |= {"r_commands": commands, "r_cpu": cpu}
    results.rows += [
        Row("Redis: its CPU a sign-in", f"{cpu:.0f} µs", "", cpu, 150, 100, "µs"),
        Row("Redis: commands a sign-in, those inside scripts included", f"{commands:.1f}", "", commands, 35, 20, "commands"),
    ]


class Both:
    """Two servers as one."""

    def __init__(self, first, second):
        self.name, self._both = "two switchyards, one redis", (first, second)

    def cpu_seconds(self):
        return sum(one.cpu_seconds() for one in self._both)


def two_gateways(bench, results):
    """Each sign-in begins and ends at one gateway, and its callback comes to the other, beside one gateway alone.

    Each of the two gets as much work as the one, because the question is the cost of sharing. So each has a core, like the
    one. On one core for both they also pay for switching; there they run a second time, each with all of its own sign-ins.
    """
    bench.say("two gateways on one Redis, each on a core, beside one on a core")
    work = "a whole sign-in, its callback at another gateway"
    beside_two = Generators(bench.work, bench.cores.beside_two)
    with _Pair(bench, bench.cores.beside_two, bench.cores.second, beside_two) as pair:
        # All else takes turns with them where there are only two cores, which makes the rounds uneven: more of them.
        compare(results, work, [pair.crossed, pair.one], 2 * bench.rounds, 1.1, None)
        results.figures["two_gateways"] = results.rows[-1].value
    bench.say("two gateways on one core, beside one on it, and beside two that keep to themselves")
    with _Pair(bench, bench.cores.issuer, bench.cores.server, bench.load) as pair:
        compare(results, "the same, both on the core that one has", [pair.crossed, pair.one], bench.rounds, 1.1, None)
        compare(results, "the same, beside two on one core that keep to themselves", [pair.crossed, pair.apart],
                bench.rounds, 1.1, None)


class _Pair:
    """Two gateways that share a Redis and their sign-ins, and one beside them with its own."""

    def __init__(self, bench, others, second, load):
        """`others` is where the issuer and Redis run, `second` where the second gateway does; the others are on the core
        for servers."""
        self._bench, self._others, self._second, self._load = bench, others, second, load

    def __enter__(self):
        bench = self._bench
        with contextlib.ExitStack() as started:
            enter = started.enter_context
            issuer = enter(Issuer(self._others, tls=True))
            redis = enter(Redis(bench.work, self._others))
            key = new_key(bench.work)

            def gateway(core, public_url=None):
                return enter(StoredGateway(bench.work, core, issuer.url, "redis", redis, public_url, key))

            alone, first = gateway(bench.cores.server), gateway(bench.cores.server)
            second = gateway(self._second, first.public_url)
            self._running = started.pop_all()
        self._issuer, self._public = issuer, urllib.parse.urlsplit(first.public_url).port
        both = Both(first, second)
        self.crossed = Side("two switchyards, one redis", both, lambda: self._sign_ins((first, second), (second, first)))
        self.apart = Side("two switchyards, uncrossed", both, lambda: self._sign_ins((first, first), (second, second)))
        self.one = Side("switchyard, redis", alone, lambda: self._load.gateway_sign_ins(alone, issuer, bench.seconds))
        return self

    def __exit__(self, *_):
        self._running.close()

    def _sign_ins(self, *pairs):
        """In each pair one gateway begins, and the other gets the callbacks."""
        loads = []
        threads = [
            threading.Thread(target=lambda api=api, callbacks=callbacks: loads.append(self._load.crossed_sign_ins(
                api.api_port, callbacks.port, self._public, self._issuer, self._bench.seconds, threads=8)))
            for api, callbacks in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return Load(sum(load.count for load in loads), max(load.seconds for load in loads),
                    statistics.mean(load.p50_us for load in loads), max(load.p99_us for load in loads))


def _crowd(store):
    def crowd(bench, results):
        few, count = 1_000, bench.callbacks
        many = 100_000 if bench.is_quick else 1_000_000
        bench.say(f"begin and claim with {store}, {few:,} and {many:,} pending")
        with (
            Redis(bench.work, bench.cores.issuer) as redis,
            Redis(bench.work, bench.cores.issuer) as other,
            StoredGateway(bench.work, bench.cores.server, bench.issuer.url, store, redis) as large,
            StoredGateway(bench.work, bench.cores.server, bench.issuer.url, store, other) as small,
        ):
            def side(gateway, pending):
                fill(bench, gateway, pending)
                apps = Apps(gateway)

                def load():
                    states = apps.begin_in_response_mode(count)
                    rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
                    return bench.load.replay(
                        gateway.port, 303, [f"/app1/auth?{rest}&state={state}" for state in states])

                return Side(f"{gateway.name}, {pending:,} pending", gateway, load)

            compare(results, f"begin and claim among {many:,} pending in {store}, beside {few:,}",
                    [side(large, many), side(small, few)], bench.few_rounds, 1.1, 1.0)
    return crowd


crowd_in_sqlite, crowd_in_redis = _crowd("sqlite"), _crowd("redis")


def kept(bench, results):
    """The size of a pending request: in the gateway's memory, on the disk, in Redis."""
    warm, count = (500, 4000) if bench.is_quick else (2000, 20_000)
    for store in STORES:
        bench.say(f"memory and disk of pending requests with {store}")
        with (
            Redis(bench.work, bench.cores.issuer) as redis,
            StoredGateway(bench.work, bench.cores.server, bench.issuer.url, store, redis) as gateway,
        ):
            apps = Apps(gateway)
            for _ in range(warm):
                apps.begin()
            before = gateway.memory_bytes(), gateway.bytes_on_disk(), redis.used_memory()
            for _ in range(count):
                apps.begin()
            after = gateway.memory_bytes(), gateway.bytes_on_disk(), redis.used_memory()
            apps.close()
        memory, disk, in_redis = ((now - then) / count for now, then in zip(after, before))
        if store == "redis":
            results.figures["m_redis"] = in_redis
        if store == "memory":
            results.rows.append(Row("memory of a pending request", f"{memory:.0f} bytes", "", memory, 600, None, "bytes"))
        else:
            rest = f"{disk:.0f} bytes on the disk, its log included" if store == "sqlite" else f"{in_redis:.0f} bytes of Redis"
            results.remarks.append(f"A pending request takes {memory:.0f} bytes of the gateway with {store}, and {rest}.")


def ten_thousand(bench, results):
    """Ten thousand waiting apps: their memory, their cost while idle, and the delay until one of them gets its answer."""
    waiting, woken = (3_000, 100) if bench.is_quick else (10_000, 300)
    bench.say(f"{waiting:,} waiting apps")
    with StoredGateway(bench.work, bench.cores.server, bench.issuer.url, "sqlite") as gateway:
        apps = Apps(gateway)
        begun = list(apps.begun_in_response_mode(waiting).items())
        connections = IdleConnections(gateway.api_port)
        before, asked = gateway.memory_bytes(), []
        for _, request in begun:
            asked.append(time.monotonic())
            connections.add(
                f"GET /v1/requests/{request['id']} HTTP/1.1\r\nHost: localhost:{gateway.api_port}\r\n"
                f"Authorization: Bearer {request['result_token']}\r\nPrefer: wait=60\r\n\r\n", expects_answer=False)
        time.sleep(1)
        each = (gateway.memory_bytes() - before) / waiting
        cpu, began = gateway.cpu_seconds(), time.monotonic()
        time.sleep(5)
        idle = (gateway.cpu_seconds() - cpu) / (time.monotonic() - began)
        # The latest, and for as long as their minute lasts: after it each is told that its request is still pending.
        rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
        times = []
        for (state, _), stream, since in list(zip(begun, connections._open, asked))[-woken:]:
            start = time.monotonic()
            if start > since + 50 and times:
                break
            bench.load.replay(gateway.port, 303, [f"/app1/auth?{rest}&state={state}"])
            answer = b""
            while b'"status"' not in answer:
                answer += stream.recv(65536)
            if b'"completed"' not in answer:
                raise SystemExit(f"a waiting app did not hear of its callback: {answer!r}")
            times.append(time.monotonic() - start)
        connections.close()
        apps.close()
    results.figures["w_kb"] = each / 1000
    results.remarks.append(
        f"Among {waiting:,} waiting apps each took {each / 1000:.1f} KB; all of them cost {idle:.1%} of a core while nothing "
        f"happened, and one heard of its callback {statistics.median(times) * 1000:.1f} ms (p99 {_p99(times) * 1000:.1f} ms) "
        "after a browser set out with it on a new TLS connection.")


def fsync(bench, results):
    """A callback's p99 with SQLite, which writes its claim to the disk before the answer, beside the disk by itself."""
    bench.say("callbacks with SQLite beside the disk's own fsync")
    count = bench.callbacks
    rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
    with StoredGateway(bench.work, bench.cores.server, bench.issuer.url, "sqlite") as gateway:
        apps = Apps(gateway)
        loads, syncs, processors = [], [], []
        for _ in range(bench.rounds):
            states = apps.begin_in_response_mode(count)
            loads.append(bench.load.replay(gateway.port, 303, [f"/app1/auth?{rest}&state={state}" for state in states]))
            before = time.process_time()
            syncs.append(_syncs(bench.work / "sync", count))
            processors.append((time.process_time() - before) / count * 1e6)
        apps.close()
    p50, p99 = (statistics.median(getattr(load, name) for load in loads) / 1000 for name in ("p50_us", "p99_us"))
    disk50 = statistics.median(statistics.median(times) for times in syncs) * 1000
    disk99 = statistics.median(_p99(times) for times in syncs) * 1000
    processor = statistics.median(processors)
    results.figures["fsync_ms"] = disk50
    results.remarks.append(
        f"A callback with SQLite took {p50:.2f} ms (p99 {p99:.2f} ms); appending 4 KiB and `fdatasync` on the same disk took "
        f"{disk50:.2f} ms (p99 {disk99:.2f} ms): {p99 / disk99:.1f} × at p99. Of the processor that writing and syncing took "
        f"{processor:.0f} µs.")


def _syncs(path, count):
    times = []
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for _ in range(count):
        start = time.monotonic()
        os.write(file, bytes(4096))
        os.fdatasync(file)
        times.append(time.monotonic() - start)
    os.close(file)
    return times


def _p99(times):
    return sorted(times)[len(times) * 99 // 100]


def _rounds(sides, rounds):
    """Every side once in each round, after one to warm up: samples by side."""
    for side in sides:
        sample(side)
    taken = [[] for _ in sides]
    for _ in range(rounds):
        for side, samples in zip(sides, taken):
            samples.append(sample(side))
    return taken
