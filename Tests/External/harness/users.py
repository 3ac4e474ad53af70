"""Another user of this machine, for as long as a test needs one."""

import contextlib
import os
import socket
import subprocess

import pytest

OTHER = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")


def status_for_another_user(*words):
    """The status that another user's curl gets."""
    shown = subprocess.run(
        ["curl", "-q", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", *words], user=OTHER, group=OTHER,
        extra_groups=[], capture_output=True, text=True, timeout=60)
    return int(shown.stdout)


@contextlib.contextmanager
def flood_by_another_user(port, count, address="127.0.0.1"):
    """Connections of another user that each send one byte, as long as the server lets them."""
    connections = []
    try:
        for _ in range(count):
            os.seteuid(OTHER)
            try:
                connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
            finally:
                os.seteuid(0)
            connections.append(connection)
            connection.settimeout(20)
            with contextlib.suppress(OSError):
                connection.connect((address, port))
                connection.sendall(b"G")
        yield connections
    finally:
        for connection in connections:
            connection.close()
