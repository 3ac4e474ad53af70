"""A table of cases names its columns: a row of more than three bare values cannot be read."""

import re

from harness.programs import ROOT

COLUMNS = 3


def test_a_table_of_python_with_more_than_three_columns_names_them_in_each_row():
    """Such a table is written with `harness.cases`."""
    wide = [(file.name, names) for file in (ROOT / "Tests").rglob("test_*.py")
            for names in re.findall(r'parametrize\(\s*"([^"]*)"', file.read_text()) if names.count(",") >= COLUMNS]
    assert wide == []


def test_a_table_of_swift_with_more_than_three_columns_names_them_in_its_type():
    types = [(file.name, element) for file in (ROOT / "Tests").rglob("*.swift")
             for element in re.findall(r"\bas \[\(([^()\[\]]*(?:\[[^\]]*\][^()\[\]]*)*)\)\]", file.read_text())]
    assert types
    assert [(name, element) for name, element in types if element.count(",") >= COLUMNS and ":" not in element] == []
