"""The key exchange that a TLS listener and its clients agree on."""

import re
import subprocess

import pytest

from harness.programs import CERTIFICATES


def knows(group):
    """Whether this machine's OpenSSL has the group; 3.5 has X25519MLKEM768, and Debian 12's does not."""
    told = subprocess.run(["openssl", "list", "-tls-groups"], capture_output=True, text=True)
    return group in told.stdout


def agreed(gateway, groups):
    """How a client ends up that offers these groups, and has a key share ready for each with a star."""
    return subprocess.run(
        ["openssl", "s_client", "-connect", f"localhost:{gateway.callbacks_port}", "-CAfile", CERTIFICATES / "ca.pem", "-groups", groups],
        input="", capture_output=True, text=True, timeout=60).stdout


@pytest.mark.skipif(not knows("X25519MLKEM768"), reason="this OpenSSL has no X25519MLKEM768")
def test_a_client_that_offers_both_gets_the_hybrid_group(gateway):
    said = agreed(gateway, "*X25519:*X25519MLKEM768")
    assert re.search(r"Negotiated TLS1\.3 group: X25519MLKEM768", said), said


def test_a_client_without_it_is_served_as_before(gateway):
    said = agreed(gateway, "X25519")
    assert "Verify return code: 0 (ok)" in said and re.search("X25519(?!MLKEM)", said), said
