"""docs/scale.md: the needs of a hundred million sign-ins a day, computed from a run's figures."""

import datetime

from bench.machine import processor

# The figures that it needs, and their scenarios.
NEEDED = {
    "c_redis": "stores", "c_sqlite": "stores", "r_cpu": "stores", "r_commands": "stores", "two_gateways": "two-gateways",
    "m_redis": "kept", "w_kb": "ten-thousand", "fsync_ms": "fsync",
}

A_DAY, BUSIEST_HOUR, WORST_MINUTE, LOAD = 100_000_000, 0.15, 2, 0.6
PERSON, ABANDONED, LIFE = 30, 0.1, 600


def missing(figures):
    """The scenarios that have not run and would have to."""
    return sorted({scenario for name, scenario in NEEDED.items() if name not in figures})


def page(figures):
    f = figures | {"machine": processor(), "date": datetime.datetime.now(datetime.timezone.utc).date()}
    c, r, k, m, w, cs = (f[name] for name in ("c_redis", "r_cpu", "r_commands", "m_redis", "w_kb", "c_sqlite"))
    hour = A_DAY * BUSIEST_HOUR / 3600
    P, t, a, life, u = hour * WORST_MINUTE, PERSON, ABANDONED, LIFE, LOAD
    live = P * t * (1 - a) + P * a * life
    cores, rc, per_redis = P * c / 1e6, P * r / 1e6, u * 1e6 / r
    masters = -(-P // per_redis)
    enough = (
        "That is more than P: one master is enough, and its replicas are for its death." if per_redis > P
        else f"P needs {n(masters)} masters: a Cluster.")

    return f"""# A hundred million sign-ins a day

On paper: what it takes, from what was measured. Written by `Tests/Benchmarks/run --scale FILE` on {f['date']}, with the figures of that run
on {f['machine']}. What we could not measure stands here as a formula and is called an assumption; put your own in.

## The load

| | | |
|---|---|---|
| sign-ins a day | D | 100,000,000 |
| on average | D / 86,400 s | {n(A_DAY / 86400)} a second |
| in the busiest hour | D × 15 % / 3,600 s (assumption) | {n(hour)} a second |
| in the worst minute | **P** = twice that (assumption) | **{n(P)} a second** |
| from begin to outcome | t (assumption: a person takes half a minute) | {t} s |
| begun and never finished | a (assumption) | {a:.0%}, each there for `request_lifetime`, {life} s |

## Gateways

| what | measured | at P |
|---|---|---|
| CPU of a sign-in, Redis, issuer over TLS | {n(c)} µs | P × {n(c)} µs = {n(cores,1)} cores busy; {n(cores/u)} at {u:.0%} of each |
| one waiting app (TLS) | {n(w,1)} KB | P × t = {n(P*t)} apps: {n(P*t*w/1e6,1)} GB over all gateways |
| callbacks, each a new TLS connection | in the sign-in's CPU | {n(P)} handshakes a second |
| pages (`/done/…`, `/start/…`) | not in the sign-in's CPU | P × pages a sign-in × the CPU of a small page on a kept-alive connection |

Gateways share nothing but Redis, and none has an identity: their number is the cores' number by the cores of a machine, and one machine
more than that, so that one may die in the worst minute. Two gateways that share a sign-in cost {n(f['two_gateways'], 2)} × the CPU of one that has
it alone. Apps hold a connection while they wait: raise `LimitNOFILE`, `limits: connections` and `waiting_per_address` to P × t by
gateways, twice, and let the balancer have as many.

## Redis

| what | measured | at P |
|---|---|---|
| commands a sign-in, those inside scripts included | {n(k,1)} | {n(P*k)} a second |
| CPU of Redis a sign-in | {n(r)} µs | {n(rc,2)} cores; a server runs commands on one |
| a pending request | {n(m)} bytes | P × t × {1-a:.0%} + P × {life} s × {a:.0%} = {n(live)} requests: {n(live*m/1e9,1)} GB |
| one that is over | at most 200 bytes and its keys | what is remembered (`limits`) × those |
| the append-only file | as much as is written | P × the bytes of a sign-in's writes; `appendfsync always` needs a disk with an `fsync` that comes back in less time than the writes of one round take |

One Redis carries about {u:.0%} / {n(r)} µs = {n(per_redis)} sign-ins a second, measured on this processor. {enough}

## SQLite, for comparison

A sign-in costs a gateway {n(cs)} µs with SQLite; one file belongs to one gateway, so one machine has to do it all:
{n(P*cs/1e6,1)} cores at P. Group commit makes of all that is asked for at once one `fsync`, so the disk sees at most
as many as it can do, {n(1000/f['fsync_ms'])} a second here, however many sign-ins there are. SQLite ends where one machine ends, and its death is an
outage; it is not how to do a hundred million a day.

## The issuer

Each sign-in is one request at the authorization endpoint, which the browser makes, and one at the token endpoint, which a gateway makes:
{n(P)} a second at P, from as many addresses as there are gateways. Metadata and keys are fetched once a gateway and again when
they grow old. An issuer's limits are its own and not ours to invent: ask for the token requests a second of one client ID and of one
address, and compare them with P. When it says 429, the sign-in fails as `throttled` with its `Retry-After`; codes are not queued, they
are worth a minute or so. Refreshes come on top: users × refreshes a day / 86,400 s.

## What breaks first

1. **The issuer**, nearly always: its limit for one client is a contract, and nothing here moves it.
2. **CPU of gateways**: {n(cores/u)} cores are the largest number above, and the easiest to raise.
3. **One Redis** at {n(per_redis)} sign-ins a second by its one core, sooner where `appendfsync always` meets a slow disk.
4. **Waiting connections**: {n(P*t)} of them take memory at gateways and ports at the balancer (65,000 for each pair of addresses: give it
   several addresses, or Unix sockets).
5. **Counts that all share.** A begin, an end and an acknowledgement move the counts of all requests, of the app, the address and the
   network. They are one key, which a Cluster cannot spread.

## How Cluster carries it

All that belongs to one request has one hash tag, of 32 that lie evenly over the slots: with n masters each has 1/n of the requests, and
each step is still one script at one node. So memory and scripts divide by n. What does not:

- all counts are one key, at one master. Each begin, each end and each acknowledgement goes there once: 3 P =
  {n(3*P)} small scripts a second at one node beside its share of the rest. That node is full first, at about
  {u:.0%} / (scripts on counts × their µs + {n(r)} µs / n);
- a published change goes to all nodes over the cluster's bus: P × changes a sign-in × n messages. Each gateway listens at one node.

Three masters with a replica each carry P with room for the loss of one, if one Redis carries P / 2: {n(P/2)} a second{", and it does here" if per_redis > P / 2 else ", which it does not here"}.
Beyond, run several houses side by side, each with its own public URL, gateways and store: nothing here needs to be one.
"""


def n(number, places=0):
    return "(not measured)" if number != number else f"{number:,.{places}f}"
