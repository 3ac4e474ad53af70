"""The book as a whole: every configuration in it is accepted, every example reads as what it says it is, every link leads somewhere."""

import ast
import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from cryptography import x509

from harness.book import DOCS, Page
from harness.certificates import Certificate
from harness.programs import CERTIFICATES, ROOT, run

PAGES = sorted(file for file in ROOT.rglob("*.md")
               if not any(part.startswith(".") or part == "node_modules" for part in file.relative_to(ROOT).parts))
# What `check` may warn about, and why that is as it is meant there.
MEANT = {
    "proxies/traefik.md": "over the network in plain text",
}


def name(file):
    return str(file.relative_to(ROOT))


def blocks(*languages):
    return [pytest.param(page, block, id=f"{name(page)}:{block.line}")
            for page in PAGES for block in Page(page).blocks if block.language in languages]


def configurations():
    return [pytest.param(page, block, id=f"{name(page)}:{block.name}") for page in PAGES if DOCS in page.parents
            for block in Page(page).blocks if block.name.endswith(".yaml") and re.search("^public_url:", block.text, re.M)]


# Configurations.


def made(folder, configuration):
    """Makes each file that the configuration names, as somebody would who follows the page."""
    wanted = [name for host in re.findall(r"https://([\w.-]+)", str(configuration)) if (name := host)]
    certificate = Certificate(folder, "made", days=90, names=[x509.DNSName(one) for one in dict.fromkeys(wanted)])
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
    # Of whom the page takes for granted that they are there.
    text = re.sub(r"uid:[a-z-]+", f"uid:{os.getuid()}", re.sub(r"group: [\w-]+", "group: root" if os.getuid() == 0 else "", text))
    made(tmp_path, yaml.safe_load(text))
    (tmp_path / "switchyard.yaml").write_text(text)
    done = run("check", "--config", tmp_path / "switchyard.yaml")
    assert done.returncode == 0, done.stderr
    meant = MEANT.get(str(page.relative_to(DOCS)))
    warnings = [line for line in done.stdout.splitlines() if ": warning: " in line and not (meant and meant in line)]
    assert not warnings
    if meant:
        assert meant in done.stdout, "it is not said any more: take it out of the list"


def test_each_issuer_and_proxy_has_its_configuration():
    shown = {one.values[0] for one in configurations()}
    assert {*(DOCS / "issuers").glob("*.md"), *(DOCS / "proxies").glob("*.md")} - shown == {
        DOCS / "issuers" / "README.md", DOCS / "proxies" / "README.md"}


# Examples.


@pytest.mark.parametrize("page, block", blocks("json"))
def test_an_example_in_json_is_json(page, block):
    json.loads(block.text.replace("{…}", '"…"').replace("[…]", '"…"'))


@pytest.mark.parametrize("page, block", blocks("yaml"))
def test_an_example_in_yaml_is_yaml(page, block):
    assert yaml.safe_load(block.text)


@pytest.mark.parametrize("page, block", blocks("sh", "bash"))
def test_commands_are_commands(page, block):
    done = subprocess.run(["bash", "-n"], input=block.text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page, block", [one for one in blocks("python") if one.values[1].name])
def test_a_program_can_be_read(page, block):
    ast.parse(block.text)


# Links.


def slug(heading):
    """The anchor of a heading, as forges make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(page):
    found = {}
    for heading in re.findall(r"^#{1,6} (.*)$", page.prose, re.M):
        base = slug(heading)
        found[base if base not in found else f"{base}-{found[base]}"] = found.get(base, 0) + 1
        found.setdefault(base, 1)
    return set(found)


def links(page):
    prose = re.sub(r"`[^`\n]*`", "", page.prose)
    return re.findall(r"\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?(?: \"[^\"]*\")?\)", prose)


@pytest.mark.parametrize("file", PAGES, ids=name)
def test_every_link_leads_somewhere(file):
    page, dead = Page(file), []
    for link in links(page):
        if re.match(r"(https?|mailto):", link) or link.startswith("doc:"):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / unquote(path)) if path else file
        if not target.exists():
            dead.append(link)
        elif anchor and target.suffix == ".md" and anchor not in anchors(Page(target)):
            dead.append(link)
    assert not dead


@pytest.mark.parametrize("file", PAGES, ids=name)
def test_no_page_names_a_foreign_address_as_plain_http(file):
    """But loopback's, those of sockets, and what stands for one."""
    found = re.findall(r"\]\((http://[^)]+)\)", file.read_text())
    assert not found
