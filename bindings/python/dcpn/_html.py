# SPDX-License-Identifier: BSD-3-Clause
"""Results as tables of HTML, which is what notebooks show of them."""

from html import escape


def table(title, rows, columns=None):
    """A caption, a head if there are columns, and rows of texts and numbers."""
    parts = [f"<table><caption>{escape(title)}</caption>"]
    if columns:
        parts.append("<tr>" + "".join(f"<th>{escape(column)}</th>" for column in columns) + "</tr>")
    for row in rows:
        parts.append("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>")
    return "".join(parts) + "</table>"


def _cell(cell):
    return f"{cell:.6g}" if isinstance(cell, float) else escape(str(cell))


def coefficients(named, most=20):
    """The largest coefficients, and how many are left out."""
    ordered = sorted(named.items(), key=lambda item: -abs(item[1]))
    rows = [(name, float(value)) for name, value in ordered[:most]]
    return rows + ([(f"and {len(ordered) - most} more", "")] if len(ordered) > most else [])
