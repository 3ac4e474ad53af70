"""The work that needs no peer but nginx: callbacks that are passed on, and what a flood costs."""

import secrets
import urllib.parse

from bench.gateway import Gateway, dispatched_apps, suite
from bench.load import QUERY, Apps
from bench.measure import Side, in_turn, middle, ratio
from bench.peers import Nginx
from bench.results import Detail, Row


def compare(results, work, sides, rounds, budget, aim):
    """Measures two servers in turn and notes what came out."""
    ours, peer = in_turn(*sides, rounds)
    mine, other = middle(ours), middle(peer)
    results.details += [Detail(work, sides[0].name, mine), Detail(work, sides[1].name, other)]
    results.rows.append(Row(
        work, f"{mine.cpu_us:.1f} µs", f"{sides[1].name}: {other.cpu_us:.1f} µs", ratio(ours, peer), budget, aim))


def dispatch(bench, results):
    """Callbacks dispatched to a custom scheme, with keep-alive and with a new TLS 1.3 connection each."""
    target = f"/legacy?{QUERY}"
    with (
        Gateway(bench.work, bench.cores.server, suite) as gateway,
        Nginx(bench.work, bench.cores.server, bench.open_files) as nginx,
    ):
        for server in (gateway, nginx):
            results.tls[server.name] = bench.load.negotiated(server.port)
        if results.tls["switchyard"] != results.tls["nginx"]:
            raise SystemExit(f"the servers do not speak the same TLS: {results.tls}")

        def side(server, new):
            return Side(server.name, server, lambda: bench.load.wrk(server.port, target, bench.seconds, new))

        bench.say("callbacks dispatched, keep-alive")
        compare(results, "callback dispatched, keep-alive TLS", [side(gateway, False), side(nginx, False)],
                bench.rounds, 0.92, 0.85)
        bench.say("callbacks dispatched, a new TLS connection each")
        compare(results, "callback dispatched, new TLS 1.3 connection each", [side(gateway, True), side(nginx, True)],
                bench.rounds, 0.88, 0.8)


def routes(bench, results):
    """The whole cost of a dispatch among 10 apps and among 100,000, every request for another app."""
    few, many = 10, 100_000
    bench.say("route look-up, 10 apps and 100,000 apps")
    with (
        Gateway(bench.work, bench.cores.server, dispatched_apps(many)) as large,
        Gateway(bench.work, bench.cores.server, dispatched_apps(few)) as small,
    ):
        sides = [
            Side("switchyard, 100,000 apps", large, lambda: bench.load.wrk_routes(large.port, many, bench.seconds)),
            Side("switchyard, 10 apps", small, lambda: bench.load.wrk_routes(small.port, few, bench.seconds)),
        ]
        compare(results, "dispatch among 100,000 apps, beside 10 apps", sides, bench.rounds, 1.2, 1.0)


def flood(bench, results):
    """A callback with an unknown state beside a good one. The good one is the cheapest kind: the app gets its code, so the
    gateway redeems no code."""
    bench.say("unknown states beside good callbacks")
    count = bench.callbacks

    with Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as gateway:
        apps = Apps(gateway)

        def hit(status, states):
            rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
            targets = [f"/app1/auth?{rest}&state={state}" for state in states]
            return lambda: bench.load.replay(gateway.port, status, targets)

        def unknown():
            return hit(400, [secrets.token_urlsafe(32) for _ in range(count)])()

        prepared = [apps.begin_in_response_mode(count) for _ in range(bench.rounds + 1)]
        good = iter([hit(303, states) for states in prepared])
        apps.close()
        sides = [
            Side("switchyard, unknown state", gateway, unknown),
            Side("switchyard, good callback", gateway, lambda: next(good)()),
        ]
        compare(results, "callback with an unknown state, beside a good one", sides, bench.rounds, 1.0, None)


def crowd(bench, results):
    """Begin and claim among a million pending requests, beside a thousand. The app redeems the codes itself, so that the
    figures have no other part."""
    few, many, count = 1_000, 20_000 if bench.is_quick else 1_000_000, bench.callbacks
    bench.say(f"begin and claim, {few:,} and {many:,} pending")
    with (
        Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as large,
        Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as small,
    ):
        def side(gateway, pending):
            fill(bench, gateway, pending)
            apps = Apps(gateway)

            def load():
                states = apps.begin_in_response_mode(count)
                rest = urllib.parse.urlencode({"code": "c" * 64, "iss": bench.issuer.url})
                return bench.load.replay(gateway.port, 303, [f"/app1/auth?{rest}&state={state}" for state in states])

            return Side(f"switchyard, {pending:,} pending", gateway, load)

        work = f"begin and claim among {many:,} pending, beside {few:,}"
        compare(results, work, [side(large, many), side(small, few)], bench.few_rounds, 1.1, 1.0)


def fill(bench, gateway, pending):
    """Begins so many requests, and lets them be."""
    begun = 0
    while begun < pending:
        begun += bench.load.wrk_begin(gateway.api_port, 1 if pending - begun < 20_000 else 5).count
