"""This machine: its processors, and the versions of what is measured."""

import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CERTIFICATES = ROOT / "certs" / "dev"
SWITCHYARD = Path(os.environ.get("SWITCHYARD_BIN", ROOT / ".build" / "release" / "switchyard")).resolve()

PACKAGES = (
    "nginx-light", "apache2-bin", "libapache2-mod-auth-openidc", "wrk", "libssl3", "libcurl4", "libsqlite3-0", "redis-server",
)


class Cores:
    """The cores: the server under test has one to itself."""

    def __init__(self):
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            raise SystemExit("the benchmarks need two processor cores: one for the server, one for the load")
        self.server, self.load = usable[0], usable[1]
        # The issuer is not what is measured; it moves out of the way where there is room.
        self.issuer = usable[2] if len(usable) > 2 else usable[1]
        # If two servers have a core each, all other programs get the remaining cores, or both if there are no more. A list in
        # taskset's form.
        self.second = usable[1]
        self.beside_two = ",".join(map(str, usable[2:] or usable))


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def description():
    """Pairs of what and which, for the report."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = [
        ("Processor", f"{processor()}, {os.cpu_count()} cores"),
        ("Memory", f"{memory:.0f} GiB"),
        ("Kernel", f"{platform.system()} {platform.release()}"),
        ("System", platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")),
        ("Switchyard", f"{_line(SWITCHYARD, '--version')}, commit {_commit()}"),
        ("Swift", _line("swift", "--version")),
    ]
    return facts + [(package, _version(package)) for package in PACKAGES]


def _commit():
    commit = _line("git", "-C", ROOT, "rev-parse", "--short", "HEAD")
    changed = _line("git", "-C", ROOT, "status", "--porcelain", "--", "Sources", "Package.swift")
    return f"{commit} with local changes" if changed else commit


def _version(package):
    return _line("dpkg-query", "-W", "-f=${Version}", package) or "unknown"


def _line(*command):
    """The first line that a command prints, empty if it cannot."""
    try:
        outcome = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=30)
    except OSError:
        return ""
    return next(iter(outcome.stdout.splitlines()), "").strip()
