# SPDX-License-Identifier: BSD-3-Clause
"""The case file: what is measured, as data."""

import pathlib
import tomllib

DEFAULTS = {"scale": "sum"}


def read(path=None):
    path = path or pathlib.Path(__file__).resolve().parent.parent / "cases.toml"
    with open(path, "rb") as lines:
        return tomllib.load(lines)


def chosen(cases, names):
    """The cases whose names are, or begin with, one of names; without names those not marked by hand = true."""
    if not names:
        return [case for case in cases if not case.get("by-hand")]
    return [case for case in cases if any(case["name"].startswith(name) for name in names)]


def problem_of(case):
    """What defines the objective, without lambda."""
    kept = ("loss", "penalty", "scale", "gamma", "a", "theta")
    return dict(DEFAULTS, **{key: case[key] for key in kept if key in case})


def lambdas_of(case, largest):
    """(label, lambda) of a case."""
    for ratio in case.get("lambda-ratio", []):
        yield f"{ratio:g} max", ratio * largest()
    for value in case.get("lambda", []):
        yield f"{value:g}", value
