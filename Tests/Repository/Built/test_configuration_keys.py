"""The list of keys in docs/reference/configuration.md is the list that the program names."""

import re

import known
import pytest

from harness.programs import ROOT

PAGE = (ROOT / "docs" / "reference" / "configuration.md").read_text()
# The sections of the page, each with a key of its mapping.
SECTIONS = {
    "At the top": "public_url", "A store in Redis": "sentinel", "A listener": "address", "An issuer": "jwks_uri", "An app": "redirect_uris",
    "Limits": "begin_rate", "Outgoing calls": "no_proxy"}


@pytest.fixture(scope="module")
def mappings(tmp_path_factory):
    return known.keys(tmp_path_factory.mktemp("keys") / "switchyard.yaml")


@pytest.mark.parametrize("section", SECTIONS)
def test_the_list_has_the_keys_that_the_program_knows_and_no_other(section, mappings):
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    listed = {key for line in text.splitlines() if line.startswith("| `") for key in re.findall(r"`(\w+)`", line.split("|")[1])}
    [keys] = [keys for keys in mappings if SECTIONS[section] in keys]
    assert listed == keys


def test_the_keys_of_smaller_mappings_are_in_it(mappings):
    named = set(re.findall(r"`([a-z_]+)`", PAGE))
    # As in `{ redirect: "x-legacy://callback" }`.
    named |= set(re.findall(r"\{ ([a-z_]+):", PAGE))
    assert set().union(*mappings) - named == set()
