# SPDX-License-Identifier: BSD-3-Clause
"""The case file: what is measured, as data."""

import pathlib
import tomllib

DEFAULTS = {"scale": "sum"}
OBJECTIVE = ("loss", "penalty", "scale", "gamma", "a", "theta")


def read(path=None):
    path = path or pathlib.Path(__file__).resolve().parent.parent / "cases.toml"
    with open(path, "rb") as lines:
        return tomllib.load(lines)


def with_data(cases):
    """(case, data set) for each data set of each case."""
    for case in cases:
        for data in [case["data"]] if isinstance(case["data"], str) else case["data"]:
            yield case, data


def chosen(cases, names, quick):
    """(case, data set) of what is asked: CASE, or CASE/DATA, which may be cut short; else all that is not by-hand."""
    for case, data in with_data(cases):
        full = f"{case['name']}/{data}"
        if names:
            asked = any(full == name or full.startswith(name + ("" if "/" in name else "/")) for name in names)
        else:
            asked = case.get("quick", False) if quick else not case.get("by-hand", False)
        if asked:
            yield case, data


def problem_of(case):
    """What defines the objective, without lambda."""
    return dict(DEFAULTS, **{key: case[key] for key in OBJECTIVE if key in case})
