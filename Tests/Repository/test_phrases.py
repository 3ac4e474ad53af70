"""Each language says what the English says: above each sentence on which safety hangs stands the same comment."""

import re

import pytest

from harness.programs import ROOT

LANGUAGES = sorted((ROOT / "Sources" / "Phrases" / "Languages").glob("Phrases+*.swift"))
ENGLISH = ROOT / "Sources" / "Phrases" / "Languages" / "Phrases+English.swift"


def safety(file):
    """The safety comments of a file, each with the name of the phrase or the group that it stands in."""
    found, group, name = [], "", ""
    for line in file.read_text().splitlines():
        if extended := re.match(r"extension (\w+)", line):
            group = extended[1]
        if named := re.match(r"        (\w+): (?:Notice|Ending|Message)\(", line):
            name = named[1]
        if noted := re.match(r"\s*// safety: (.+)", line):
            found.append((group, name, noted[1]))
    return found


@pytest.mark.parametrize("file", LANGUAGES, ids=lambda file: file.stem.split("+")[1])
def test_a_language_has_the_safety_comments_of_the_english(file):
    assert len(safety(ENGLISH)) > 40
    assert safety(file) == safety(ENGLISH)


@pytest.mark.parametrize("file", LANGUAGES, ids=lambda file: file.stem.split("+")[1])
def test_a_language_says_how_it_was_checked(file):
    assert re.search(r"^/// Checked: \S.*", file.read_text(), re.M)
