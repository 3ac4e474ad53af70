"""The systems that the package is tried on, each as an archive of a clean tree."""

import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "package-test"
# The tests use these; the package brings what it needs itself.
TOOLS = "apt,systemd,systemd-sysv,dbus,man-db,bash-completion,ca-certificates,curl,procps"
# Each name with the suite and the mirror that mmdebstrap takes it from.
DEBIAN = {"debian-12": "bookworm", "debian-13": "trixie"}
UBUNTU = {"ubuntu-24.04": "noble", "ubuntu-26.04": "resolute"}
UBUNTU_MIRROR = "http://archive.ubuntu.com/ubuntu"
UBUNTU_KEYS = "usr/share/keyrings/ubuntu-archive-keyring.gpg"

CHOSEN = os.environ.get("PACKAGE_SYSTEMS", " ".join(DEBIAN)).split()


def clean_tree(system):
    """An archive of the system's tree, made once a week at most."""
    archive = WORK / f"{system}.tar"
    if not archive.exists() or time.time() - archive.stat().st_mtime > 7 * 86400:
        WORK.mkdir(parents=True, exist_ok=True)
        fresh = archive.with_suffix(".fresh.tar")
        subprocess.run(
            ["mmdebstrap", "--variant=minbase", f"--include={','.join([TOOLS, *_more(system)])}", *_keys(system),
             (DEBIAN | UBUNTU)[system], fresh, *_mirror(system)], check=True)
        fresh.rename(archive)
    return archive


def _more(system):
    """Debian 13 has Ubuntu's keys, and Debian 12 has none."""
    return ["ubuntu-archive-keyring"] if system == "debian-13" else []


def _mirror(system):
    return [UBUNTU_MIRROR] if system in UBUNTU else []


def _keys(system):
    if system not in UBUNTU:
        return []
    keys = WORK / Path(UBUNTU_KEYS).name
    keys.write_bytes(subprocess.run(
        ["tar", "-xOf", clean_tree("debian-13"), f"./{UBUNTU_KEYS}"], check=True, capture_output=True).stdout)
    return [f"--keyring={keys}"]
