"""The program accepts every configuration in the book."""

import os
import re

import pytest
import yaml
from cryptography import x509

from harness.book import DOCS, Page
from harness.certificates import Certificate
from harness.programs import CERTIFICATES, run

# The warnings that `check` may give, with the reason for each.
MEANT = {
    "proxies/traefik.md": "over the network in plain text",
}


def configurations():
    return [pytest.param(page, block, id=f"{page.relative_to(DOCS)}:{block.name}") for page in sorted(DOCS.rglob("*.md"))
            for block in Page(page).blocks if block.name.endswith(".yaml") and re.search("^public_url:", block.text, re.M)]


def made(folder, configuration):
    """Makes each file that the configuration names, as a reader of the page would."""
    hosts = dict.fromkeys(re.findall(r"https://([\w.-]+)", str(configuration)))
    certificate = Certificate(folder, "made", days=90, names=[x509.DNSName(host) for host in hosts])
    for key, value in named_files(configuration):
        file = folder / value
        file.parent.mkdir(parents=True, exist_ok=True)
        if key == "apps_directory":
            file.mkdir(exist_ok=True)
            continue
        what = {"certificate": certificate.pem, "key": certificate.key_file, "ca": CERTIFICATES / "ca.pem"}.get(key)
        file.write_bytes(what.read_bytes() if what else b"5c1e7ab04d3f96285c1e7ab04d3f96285c1e7ab04d3f96285c1e7ab04d3f9628\n")
        file.chmod(0o600)


def named_files(value, key=""):
    if isinstance(value, dict):
        for name, below in value.items():
            yield from named_files(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from named_files(below, key)
    elif key.endswith("_file") or key in ("certificate", "key", "ca", "apps_directory"):
        yield key, value


@pytest.mark.parametrize("page, block", configurations())
def test_a_configuration_is_accepted(page, block, tmp_path):
    text = block.text
    for folder in ("/run/switchyard", "/var/lib/switchyard"):
        (tmp_path / folder[1:]).mkdir(parents=True)
        text = text.replace(folder, str(tmp_path / folder[1:]))
    # The page takes these users and groups for granted.
    text = re.sub(r"uid:[a-z-]+", f"uid:{os.getuid()}", re.sub(r"group: [\w-]+", "group: root" if os.getuid() == 0 else "", text))
    made(tmp_path, yaml.safe_load(text))
    (tmp_path / "switchyard.yaml").write_text(text)
    done = run("check", "--config", tmp_path / "switchyard.yaml")
    assert done.returncode == 0, done.stderr
    meant = MEANT.get(str(page.relative_to(DOCS)))
    warnings = [line for line in done.stdout.splitlines() if ": warning: " in line and not (meant and meant in line)]
    assert not warnings
    if meant:
        assert meant in done.stdout, "the warning is gone: take it out of the list"


def test_each_issuer_and_proxy_has_its_configuration():
    shown = {one.values[0] for one in configurations()}
    assert {*(DOCS / "issuers").glob("*.md"), *(DOCS / "proxies").glob("*.md")} - shown == {
        DOCS / "issuers" / "README.md", DOCS / "proxies" / "README.md"}
