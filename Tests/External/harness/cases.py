"""Tables of cases with names for their columns."""

import pytest


def cases(*rows, ids=None):
    """Runs a test once for each row. A row is a `dict`: a table of more than three columns cannot be read without their names."""
    columns = list(rows[0])
    assert all(list(row) == columns for row in rows), "each row has the same columns in the same order"
    return pytest.mark.parametrize(columns, [tuple(row.values()) for row in rows], ids=ids)
