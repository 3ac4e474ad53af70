"""The reference and the other pages that describe the sources name the same rules, keys, files and fields as these do."""

import json
import re

import yaml

from harness.programs import ROOT
from sources import literals

REFERENCE = ROOT / "docs" / "reference"
CITED = re.compile(r"\(rules: ([a-z A-Z]+)\)")


def rules():
    return {name.lower() for name in re.findall(r"^## \d+\. (.*)$", (REFERENCE / "rules.md").read_text(), re.M)}


def sources():
    return [*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Tests").rglob("*.swift")]


def test_every_rule_that_a_comment_cites_is_written_down():
    known = rules()
    unknown = {(file.name, name) for file in sources()
               for name in CITED.findall(re.sub(r"\n\s*///? ?", " ", file.read_text())) if name.lower() not in known}
    assert known and not unknown


# A key stands at the start of a line, or behind "#" where it is off; or within the braces behind one.
MANUAL = [line for line in (ROOT / "deploy" / "switchyard.yaml").read_text().splitlines()
          if re.match(r"\s*(?:# )?(?:- )?(?:\{ )?[a-z_]+:(?: \S|$)", line) and not line.rstrip().endswith(".")]
KEYS = sorted({key for line in MANUAL for key in re.findall(r"(?:^|[{,]|- |# )\s*([a-z_]+):(?=\s|$)", line.split("  #")[0])})


def test_every_key_of_the_manual_is_in_the_list():
    assert {"public_url", "redirect", "client_secret", "requests_per_app", "uids"} <= set(KEYS)
    listed = (REFERENCE / "configuration.md").read_text()
    assert [key for key in KEYS if f"`{key}`" not in listed] == []


def test_each_file_where_a_change_begins_is_there():
    table = (ROOT / "docs" / "architecture.md").read_text().split("## Where a change begins")[1].split("\n## ")[0]
    files = re.findall(r"`([\w/+-]+\.swift)`", table)
    assert len(files) >= 15 and not [file for file in files if not (ROOT / "Sources" / file).exists()]


def test_every_page_that_a_text_names_is_there():
    named = [(place, page) for place, text in literals() for page in re.findall(r"docs/[\w/.-]+\.md(?:#[\w-]+)?", text)]
    assert named
    for place, page in named:
        path, _, anchor = page.partition("#")
        assert (ROOT / path).is_file(), f"{place}: {page}"
        headings = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(), re.M)
        slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, f"{place}: {page}"


def test_every_event_of_the_sources_is_of_the_closed_list():
    """The list is a type, so an event without an explanation does not compile. Code must not go around it."""
    assert [file for file in (ROOT / "Sources").rglob("*.swift") if re.search(r'LogLine\(\s*"', file.read_text())] == []


# The description of the API for machines


def test_every_failure_and_field_of_the_reference_is_in_the_description():
    document = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
    codes = set(document["components"]["schemas"]["Failure"]["properties"]["code"]["enum"])
    api = (REFERENCE / "api.md").read_text()
    listed = re.search(r"`code` is one of (.*?)\.\n", api, re.S)[1]
    assert codes == set(re.findall(r"`([a-z_]+)`", listed))
    fields = set(document["components"]["schemas"]["Begin"]["properties"])
    table = re.search(r"\| field \| is \|\n(.*?)\n\n", api, re.S)[1]
    assert fields == set(re.findall(r"`([a-z_]+)`", "\n".join(line.split("|")[1] for line in table.splitlines())))


def test_the_description_can_be_read_and_has_the_version_of_the_changes():
    document = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
    assert document["openapi"].startswith("3.1.") and json.dumps(document)
    assert document["info"]["version"] in (ROOT / "CHANGELOG.md").read_text()
