"""The table of docs/languages.md names each language of the pages, in their order, and how its file says it was checked."""

import re

from harness.programs import ROOT

PAGE = ROOT / "docs" / "languages.md"
PHRASES = ROOT / "Sources" / "Phrases"
ROW = "| {name} | `{tag}` | [{file}](../Sources/Phrases/Languages/{file}) | {checked} |"


def rows():
    """The rows that the table should have."""
    cases = (PHRASES / "Language.swift").read_text().partition("enum Language")[2].partition("{ rawValue")[0]
    for case, tag in re.findall(r'case (\w+) = "([\w-]+)"', cases):
        file = f"Phrases+{case[0].upper()}{case[1:]}.swift"
        checked = re.search(r"^/// Checked: (.+?)\.?$", (PHRASES / "Languages" / file).read_text(), re.M)[1]
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", f"{case[0].upper()}{case[1:]}")
        yield ROW.format(name=name, tag=tag, file=file, checked=checked)


def test_the_table_says_how_each_language_was_checked():
    table = re.findall(r"^\| [\w ]+ \| `[\w-]+` \| \[.*", PAGE.read_text(), re.M)
    assert len(table) == 16
    assert table == list(rows())


def test_every_file_of_phrases_is_a_language_of_the_table():
    files = sorted(file.name for file in (PHRASES / "Languages").glob("*.swift"))
    assert files == sorted(re.findall(r"\[(Phrases\+\w+\.swift)\]", PAGE.read_text()))
