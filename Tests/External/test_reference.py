"""docs/reference against what it describes: what the code cites is there, and what the configuration has is listed."""

import re

import pytest

from harness.programs import ROOT, run

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


@pytest.mark.parametrize("key", KEYS)
def test_every_key_of_the_manual_is_in_the_list(key):
    assert f"`{key}`" in (REFERENCE / "configuration.md").read_text()


def test_the_manual_was_read():
    assert {"public_url", "redirect", "client_secret", "requests_per_app", "uids"} <= set(KEYS)


# Of each mapping that there is one line with a key that is none: then the program says which it knows.
NONE = "no_such_key_at_all_in_here"
ASKING = f"""public_url: http://localhost:8400
{NONE}: the top
listen: [{{ {NONE}: a listener, tls: {{ {NONE}: tls }} }}]
store: {{ redis: {{ {NONE}: Redis, sentinel: {{ {NONE}: sentinel }} }} }}
encryption_keys: [{{ {NONE}: a key }}]
issuers: [{{ {NONE}: an issuer }}]
apps: [{{ {NONE}: an app, handler: {{ {NONE}: handler }}, begin_from: {{ {NONE}: begin }}, relay_from: {{ {NONE}: relay }} }}]
limits: {{ {NONE}: limits }}
log: {{ {NONE}: log }}
"""
SECTIONS = {
    "At the top": "public_url", "A store in Redis": "sentinel", "A listener": "address", "An issuer": "jwks_uri", "An app": "redirect_uris",
    "Limits": "begin_rate"}


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """The keys of each mapping, as the program names them."""
    file = tmp_path_factory.mktemp("keys") / "switchyard.yaml"
    file.write_text(ASKING)
    said = re.findall(rf'unknown key "{NONE}"; known here are: (.*)', run("check", "--config", file).stderr)
    assert len(said) == ASKING.count(NONE)
    return [set(keys.split(", ")) for keys in said]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_list_has_the_keys_that_the_program_knows_and_no_other(section, known):
    text = (REFERENCE / "configuration.md").read_text().split(f"\n## {section}\n")[1].split("\n## ")[0]
    listed = {key for line in text.splitlines() if line.startswith("| `") for key in re.findall(r"`(\w+)`", line.split("|")[1])}
    [keys] = [keys for keys in known if SECTIONS[section] in keys]
    assert listed == keys


def test_the_keys_of_smaller_mappings_are_in_it(known):
    named = set(re.findall(r"`([a-z_]+)`", (REFERENCE / "configuration.md").read_text()))
    # As in `{ redirect: "x-legacy://callback" }`.
    named |= set(re.findall(r"\{ ([a-z_]+):", (REFERENCE / "configuration.md").read_text()))
    assert set().union(*known) - named == set()


def test_each_file_where_a_change_begins_is_there():
    table = (ROOT / "docs" / "architecture.md").read_text().split("## Where a change begins")[1].split("\n## ")[0]
    files = re.findall(r"`([\w/+-]+\.swift)`", table)
    assert len(files) >= 15 and not [file for file in files if not (ROOT / "Sources" / file).exists()]
