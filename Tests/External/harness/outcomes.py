"""The results of this run's tests so far."""

from collections import defaultdict

# By `file::test`, over all parameters: `passed`, `failed`, `skipped` or `error`.
OUTCOMES = defaultdict(set)


def note(report):
    """Takes a report of pytest's: of the call, or of what went wrong before or after it."""
    if report.when == "call" or report.outcome != "passed":
        file, _, test = report.nodeid.partition("::")
        name = f"{file.split('/')[-1].removesuffix('.py')}::{test.split('[')[0]}"
        OUTCOMES[name].add(report.outcome if report.when == "call" or report.skipped else "error")
