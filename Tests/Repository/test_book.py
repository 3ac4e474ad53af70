"""The book as a whole: every example reads as what it says it is, and every link leads somewhere."""

import ast
import json
import re
import subprocess
from urllib.parse import unquote

import pytest
import yaml

from harness.book import Page
from harness.programs import ROOT


def markdown(folder):
    """The Markdown files below a folder. Hidden folders, such as the build's, are left out."""
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name == "node_modules":
            continue
        if path.is_dir():
            yield from markdown(path)
        elif path.suffix == ".md":
            yield path


PAGES = sorted(markdown(ROOT))


def name(file):
    return str(file.relative_to(ROOT))


def blocks(*languages):
    return [pytest.param(page, block, id=f"{name(page)}:{block.line}")
            for page in PAGES for block in Page(page).blocks if block.language in languages]


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
