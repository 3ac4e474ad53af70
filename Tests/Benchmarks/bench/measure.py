"""One round of load, several rounds in turn, and what to make of them."""

import statistics
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """A load generator's own figures."""

    count: int
    seconds: float
    p50_us: float
    p99_us: float
    failures: int = 0


@dataclass(frozen=True)
class Sample:
    """One round of one server."""

    cpu_us: float    # of the server, for one unit
    rate: float      # units a second
    busy: float      # share of its core that the server used
    p50_us: float
    p99_us: float


@dataclass(frozen=True)
class Side:
    """A server and how it is loaded; `load` runs one round and returns a Load."""

    name: str
    server: object
    load: object


def sample(side):
    """One round: the server's CPU before and after it."""
    before, start = side.server.cpu_seconds(), time.monotonic()
    load = side.load()
    elapsed, cpu = time.monotonic() - start, side.server.cpu_seconds() - before
    if load.count == 0 or load.failures > load.count / 1000:
        raise SystemExit(f"{side.name}: {load.failures} failures beside {load.count} units; this measures nothing")
    return Sample(cpu / load.count * 1e6, load.count / load.seconds, cpu / elapsed, load.p50_us, load.p99_us)


def in_turn(ours, peer, rounds):
    """A B A B …: what disturbs the machine for a while disturbs both. One round each beforehand, to warm up."""
    sample(ours)
    sample(peer)
    pairs = [(sample(ours), sample(peer)) for _ in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def middle(samples):
    """The median of each figure by itself."""
    return Sample(*(statistics.median(getattr(one, name) for one in samples) for name in Sample.__dataclass_fields__))


def ratio(ours, peer):
    """The median of what each pair of rounds says."""
    return statistics.median(mine.cpu_us / other.cpu_us for mine, other in zip(ours, peer))
