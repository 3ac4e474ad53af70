"""The libraries that the program is linked with, and those that a running gateway has loaded."""

import re
import subprocess
from pathlib import Path

from harness.programs import SWITCHYARD

# Debian 12 and 13, Ubuntu 24.04 and 26.04 have each of these under this name.
ALLOWED = {
    "libssl.so.3", "libcrypto.so.3", "libcurl.so.4", "libsqlite3.so.0", "libsystemd.so.0", "libyaml-0.so.2",
    "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
}
# A release has Swift's library inside.
SWIFT = re.compile(r"^(libswift|lib_?Foundation|libBlocksRuntime|libdispatch|ld-linux)")


def test_the_program_is_linked_with_libraries_that_each_system_has():
    said = subprocess.run(["readelf", "--dynamic", SWITCHYARD], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", said))
    assert "libssl.so.3" in needed
    assert {name for name in needed if not SWIFT.match(name)} <= ALLOWED


def test_a_gateway_loads_neither_glib_nor_a_keyring(gateway):
    maps = Path(f"/proc/{gateway.process.pid}/maps").read_text()
    loaded = {Path(line.split()[-1]).name for line in maps.splitlines() if ".so" in line}
    assert any(name.startswith("libssl") for name in loaded)
    assert [name for name in loaded if re.match("lib(glib|gio|gobject|secret|hiredis)", name)] == []
