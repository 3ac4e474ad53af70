"""The threat model names, for each rule, the tests that hold it: they exist, and say so themselves."""

import re

import pytest

from harness.programs import ROOT

MODEL = (ROOT / "docs" / "threat-model.md").read_text()
ROW = re.compile(r"^\| (\d+)\. .*$", re.MULTILINE)
RULES = {int(row[1]): row[0] for row in ROW.finditer(MODEL)}


def external_tests(number):
    """The outside tests that are marked with a rule."""
    marked = re.compile(rf"^@pytest\.mark\.rule\({number}\)\n(?:(?!def )[^\n]*\n)*?def (test_\w+)", re.MULTILINE)
    found = set()
    for file in (ROOT / "Tests" / "External").glob("test_*.py"):
        found |= set(marked.findall(file.read_text()))
    return found


def test_every_rule_has_its_row():
    rules = (ROOT / "docs" / "reference" / "rules.md").read_text()
    assert sorted(RULES) == sorted(map(int, re.findall(r"^## (\d+)\. ", rules, re.MULTILINE))) != []


@pytest.mark.parametrize("number", sorted(RULES))
def test_the_tests_that_the_row_of_a_rule_names_exist(number):
    named = set(re.findall(r"`(test_\w+)`", RULES[number]))
    assert named, "a rule without a test from outside"
    assert named <= external_tests(number), "each says by its marker which rule it holds"
    suites = re.findall(r"`(\w+Tests)`", RULES[number])
    sources = {file.stem for file in (ROOT / "Tests").rglob("*.swift")}
    assert set(suites) <= sources


def test_the_tests_that_the_page_of_fapi_names_are_there():
    page = (ROOT / "docs" / "reference" / "fapi.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", page))
    there = {name for file in (ROOT / "Tests" / "External").glob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}
    assert named and named <= there, named - there
