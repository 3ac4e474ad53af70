"""The program of the packages: which libraries and which versions of their symbols it asks for."""

import re
import subprocess

import pytest
from systems import ROOT

PROGRAM = ROOT / ".build" / "release" / "switchyard"
# The oldest system that the packages are for is Debian 12: its glibc, and its libstdc++.
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}


@pytest.fixture(scope="module")
def asked():
    """The versions that it asks for, as (library, version)."""
    said = subprocess.run(
        ["readelf", "--version-info", "--wide", PROGRAM], check=True, capture_output=True, text=True).stdout
    said = said[said.index("Version needs section"):]
    found, library = set(), None
    for line in said.splitlines():
        if file := re.search(r"File: (\S+)", line):
            library = file[1]
        elif name := re.search(r"Name: (\S+)", line):
            found.add((library, name[1]))
    assert any(library == "libc.so.6" for library, _ in found)
    return found


@pytest.mark.parametrize("name", NEWEST)
def test_no_symbol_is_newer_than_debian_12(asked, name):
    versions = [tuple(map(int, version.split("_")[1].split("."))) for _, version in asked
                if re.fullmatch(rf"{name}_[0-9.]+", version)]
    assert max(versions, default=(0,)) <= NEWEST[name]


def test_no_version_of_a_symbol_of_libcurl_is_asked_for(asked):
    """Fedora's libcurl has no version, Debian's has CURL_OPENSSL_4."""
    assert not any("libcurl" in library or "CURL" in version for library, version in asked)
    symbols = subprocess.run(["objdump", "--dynamic-syms", PROGRAM], check=True, capture_output=True, text=True).stdout
    assert re.search(r"\*UND\*\s+0+\s+(Base\s+)?curl_easy_init", symbols)
