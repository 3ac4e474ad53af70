"""The results as text: a table for the terminal, a page for the documentation."""

import datetime

from bench.machine import description

HOW = """## How it is measured

- The unit of cost is the CPU time of the server process, user and system, with all its processes, from
  `/proc/PID/stat`, divided by the units of work that the load generator counted in the same round. Latency and rate are
  what the client saw at that load; where the load generator is the slower part, they say more about it.
- The server has one core to itself (`taskset`) and one worker; the load generator has another. The issuer runs on a
  third where there is one, else beside the load; its cost is not counted.
- Rounds alternate, ours and the peer's, after one of each to warm up. A figure is the median of the rounds, a ratio the
  median of the ratios of neighbouring rounds.
- All servers use the same P-256 key and certificate. Clients offer one choice only: {tls}. Nobody resumes sessions and
  nobody sends tickets; the run stops if two servers agree to something else.
- Nobody logs: Switchyard says only what is an error, nginx and Apache have no log of accesses. Switchyard's histories,
  metrics and recent activity are in its figures, and so are its lines, which go to `/dev/null`, in the row that says so.
  Its rate limits are raised, because all load comes from one address.
- Callbacks: `wrk`, one thread, 32 connections. With new connections, `wrk` takes the time of a request from when the
  handshake is over.
- A whole sign-in with Switchyard: `POST /v1/requests` over TLS, a `GET` that waits for the result from then on, as apps do, the
  issuer, the callback on a new TLS connection, redemption with PKCE and a verified ID token, and the result. With Apache: the protected page over
  TLS, the issuer, the redirect URI on a new TLS connection, redemption with PKCE and a verified ID token, and the
  redirect that sets the session. Neither counts the page that the browser shows afterwards. Eight at a time.
- mod_auth_openidc reads the issuer's metadata without its userinfo endpoint. It would otherwise ask there in every
  sign-in, which Switchyard does not do, and on a TLS connection of its own.
- mod_auth_openidc keeps sessions in a cookie here; its default, a cache in shared memory, has a row of its own.
- Memory is the proportional set size (`smaps_rollup`): the growth by {waiting} connections, 20,000 pending requests or
  86,000 that are over, after some that are not counted. A request that is over was
  answered, collected and acknowledged. What the kernel holds for a socket is in neither figure.
- By store: four servers take turns in each round. Redis is on the issuer's core and not counted; it appends to its log and syncs once
  a second, for both who use it. SQLite's `fsync` is in the gateway's figures. mod_auth_openidc keeps its sessions and what it has to
  remember of a sign-in in that Redis (`OIDCCacheType redis`).
- Two gateways on one Redis: each sign-in begins and ends at one and has its callback at the other, and each has eight at a
  time, as the one gateway beside them. Each has a core, as the one has; where there are only two cores, everything else runs
  on both of them, for both sides, in twice as many rounds. Both on one core also pay for taking turns, which a row
  shows; another has them beside the same two with each callback where its sign-in began.
- A demanding issuer: an issuer of this folder that verifies nothing, because only the gateway's work is counted. The app's keys are
  P-256. All sign-ins begin at `start_url`, have a callback on a new TLS connection, and bring no ID token.
- The flood's good callback is the cheapest that there is: of an app that redeems the code itself.

Run it again with `make bench`; it takes about twenty minutes and wants an otherwise idle machine with two cores.
`Tests/Benchmarks/run --quick` is a fast look, and `Tests/Benchmarks/run NAME…` picks among: {names}.
"""


def table(results):
    """The budgets, as lines of Markdown, which a terminal shows well enough."""
    lines = [["work", "Switchyard", "peer", "measured", "budget", "aim", ""]]
    for row in results.rows:
        aim = "" if row.aim is None else f"{row.aim:g} {row.unit}"
        lines.append([
            row.work, row.ours, row.peer, f"{row.value:.2f} {row.unit}", f"≤ {row.budget:g} {row.unit}", aim,
            row.verdict,
        ])
    return _aligned(lines)


def details(results):
    lines = [["work", "server", "CPU for one", "a second", "core used", "p50", "p99"]]
    for detail in results.details:
        one = detail.sample
        lines.append([
            detail.work, detail.name, f"{one.cpu_us:.1f} µs", f"{one.rate:,.0f}", f"{one.busy:.0%}",
            f"{one.p50_us / 1000:.2f} ms", f"{one.p99_us / 1000:.2f} ms",
        ])
    return _aligned(lines)


def page(results, names, waiting):
    date = datetime.datetime.now(datetime.timezone.utc).date()
    facts = _aligned([["what", "which"]] + [list(fact) for fact in description()])
    agreed = next(iter(results.tls.values()), ("TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", False))
    tls = ", ".join(part for part in agreed[:3])
    parts = [
        "# Benchmarks",
        f"Written by `make bench` on {date}. Only the ratios mean anything elsewhere: both sides ran in turn, in the\n"
        "same minutes, on the same core.",
        table(results),
        "“×” is CPU (or memory) of Switchyard over that of the peer. Smaller is better throughout.",
        "## In detail", details(results), *results.remarks,
        "## The machine", facts, HOW.format(tls=tls, waiting=waiting, names=", ".join(f"`{name}`" for name in names)),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _aligned(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([rows[0], rule, *rows[1:]])
