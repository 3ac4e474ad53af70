"""Whole sign-ins: Switchyard beside Apache with mod_auth_openidc, against the same issuer."""

from bench.gateway import Gateway, Issuer, suite
from bench.measure import Side
from bench.peers import SESSIONS_IN_CACHE, SESSIONS_IN_COOKIE, Apache
from bench.scenarios import compare


def sign_ins(bench, results):
    """The issuer speaks plain HTTP, so that what is measured is the two servers and not a TLS client."""
    bench.say("whole sign-ins, the issuer over plain HTTP")
    _compare(bench, results, bench.issuer, "a whole sign-in, issuer over plain HTTP", SESSIONS_IN_COOKIE, 0.7, 0.65)


def sign_ins_over_tls(bench, results):
    """The issuer speaks TLS, as real ones do."""
    bench.say("whole sign-ins, the issuer over TLS")
    with Issuer(bench.cores.issuer, tls=True) as issuer:
        _compare(bench, results, issuer, "a whole sign-in", SESSIONS_IN_COOKIE, 0.36, 0.33)


def sign_ins_with_cache(bench, results):
    """Apache with its default store of sessions."""
    bench.say("whole sign-ins, Apache with its default session cache")
    _compare(bench, results, bench.issuer, "a whole sign-in, Apache's default session cache", SESSIONS_IN_CACHE, 0.7, 0.65)


def sign_ins_logged(bench, results):
    """The cost of the log lines of a sign-in, at the default level."""
    bench.say("whole sign-ins, with log lines and without")
    with (
        Gateway(bench.work, bench.cores.server, suite, bench.issuer.url, log="info") as logging,
        Gateway(bench.work, bench.cores.server, suite, bench.issuer.url) as silent,
    ):
        sides = [
            Side(name, gateway, lambda gateway=gateway: bench.load.gateway_sign_ins(
                gateway, bench.issuer, bench.seconds))
            for name, gateway in (("switchyard, level info", logging), ("switchyard, level error", silent))
        ]
        compare(results, "a whole sign-in, its lines in the log", sides, bench.rounds, 1.1, None)


def _compare(bench, results, issuer, work, sessions, budget, aim):
    with (
        Gateway(bench.work, bench.cores.server, suite, issuer.url) as gateway,
        Apache(bench.work, bench.cores.server, issuer.url, sessions) as apache,
    ):
        for server in (gateway, apache):
            results.tls[server.name] = bench.load.negotiated(server.port)
        if results.tls["switchyard"] != results.tls["apache"]:
            raise SystemExit(f"the servers do not speak the same TLS: {results.tls}")
        sides = [
            Side("switchyard", gateway, lambda: bench.load.gateway_sign_ins(gateway, issuer, bench.seconds)),
            Side("apache", apache, lambda: bench.load.apache_sign_ins(apache, issuer, bench.seconds)),
        ]
        compare(results, work, sides, bench.rounds, budget, aim)
