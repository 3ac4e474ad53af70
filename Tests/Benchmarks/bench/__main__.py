"""Runs the scenarios one after the other, shows what came out, and writes the page."""

import argparse
import time
from pathlib import Path

from bench import commands, demanding, footprint, report, scale, scenarios, signins, stores
from bench.gateway import Issuer
from bench.load import Generators
from bench.machine import ROOT, SWITCHYARD, Cores
from bench.processes import raise_open_files
from bench.results import Results

SCENARIOS = {
    "dispatch": scenarios.dispatch,
    "signins-tls": signins.sign_ins_over_tls,
    "signins": signins.sign_ins,
    "signins-cache": signins.sign_ins_with_cache,
    "log": signins.sign_ins_logged,
    "demanding": demanding.sign_ins,
    "waiting": footprint.waiting_connections,
    "hello": footprint.unfinished_hellos,
    "finished": footprint.finished_requests,
    "crowd": scenarios.crowd,
    "routes": scenarios.routes,
    "start": footprint.start,
    "flood": scenarios.flood,
    "stores": stores.sign_ins,
    "two-gateways": stores.two_gateways,
    "kept": stores.kept,
    "fsync": stores.fsync,
    "ten-thousand": stores.ten_thousand,
    "crowd-sqlite": stores.crowd_in_sqlite,
    "crowd-redis": stores.crowd_in_redis,
    "token": commands.token,
    "mcp": commands.mcp,
}


class Bench:
    """The common parts of all scenarios: the output, the cores of each program, the length of a round."""

    def __init__(self, work, quick, open_files):
        self.work = work
        self.cores = Cores()
        self.load = Generators(work, self.cores.load)
        self.open_files = open_files
        self.is_quick = quick
        self.rounds = 2 if quick else 5
        # The rounds of scenarios that take long to prepare, and long to run.
        self.few_rounds = 2 if quick else 3
        self.seconds = 1 if quick else 3
        self.callbacks = 500 if quick else 2000
        self.issuer = None
        self._began = time.monotonic()

    def say(self, text):
        print(f"[{time.monotonic() - self._began:5.0f} s] {text}", flush=True)


def main():
    arguments = _arguments()
    if not SWITCHYARD.exists():
        raise SystemExit(f"there is no {SWITCHYARD}; `make bench` builds it")
    bench = Bench(arguments.work, arguments.quick, raise_open_files())
    results = Results()
    with Issuer(bench.cores.issuer) as bench.issuer:
        for name in arguments.names or SCENARIOS:
            SCENARIOS[name](bench, results)
    bench.say("done")
    print(f"\n{report.table(results)}\n\n{report.details(results)}\n\n" + "\n".join(results.remarks))
    if arguments.scale is not None:
        if lacking := scale.missing(results.figures):
            raise SystemExit(f"{arguments.scale} is not written: it needs {', '.join(lacking)} as well")
        arguments.scale.write_text(scale.page(results.figures))
    output = arguments.output
    if output is None and not arguments.quick and not arguments.names:
        output = ROOT / "docs" / "benchmarks.md"
    if output is not None:
        output.write_text(report.page(results, SCENARIOS, f"{footprint.WAITING:,}"))
        print(f"\nwritten to {output}")


def _arguments():
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/run", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="short rounds, for a look; writes no page by itself")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(SCENARIOS)}")
    parser.add_argument("--output", type=Path, help="where the page goes (default: docs/benchmarks.md, of a full run)")
    parser.add_argument("--scale", type=Path, help="where docs/scale.md goes, worked out from this run")
    arguments = parser.parse_args()
    if strangers := set(arguments.names) - SCENARIOS.keys():
        parser.error(f"there is no {', '.join(sorted(strangers))}; there are {', '.join(SCENARIOS)}")
    return arguments


if __name__ == "__main__":
    main()
