# SPDX-License-Identifier: BSD-3-Clause
"""Settings have the names, defaults and ranges of the library's table, and refusals speak of them as Python does."""

import os
import pathlib
import re

import numpy as np
import pytest

import dcpn
import problems

X, y, _ = problems.numbers()


def test_every_row_of_the_table_is_a_setting():
    table = pathlib.Path(os.environ["DCPN_SOURCE"], "include/dcpn/settings.def").read_text()
    options = re.findall(r'^DCPN_(?:REAL|COUNT|FLAG|CHOICE)\(\w+, "([a-z0-9-]+)"', table, re.MULTILINE)
    renamed = {"lambda": "lam", "global": "global_search", "intercept": "fit_intercept"}
    assert [s["name"] for s in dcpn.settings()] == [renamed.get(o, o.replace("-", "_")) for o in options]


@pytest.mark.parametrize("setting", dcpn.settings(), ids=lambda s: s["name"])
def test_what_is_out_of_range_is_refused_by_name(setting):
    if setting["choices"]:
        wrong, error = "no such word", ValueError
    elif isinstance(setting["default"], bool):
        wrong, error = np.ones(3), TypeError
    else:
        wrong, error = "text", TypeError
    with pytest.raises(error, match=rf"^{setting['name']}: found"):
        dcpn.fit(X, y, **{"loss": "squared", setting["name"]: wrong})
    if not setting["choices"] and not isinstance(setting["default"], bool) and setting["low"] > -1e300:
        with pytest.raises(ValueError, match=rf"{setting['name']}: found"):
            dcpn.fit(X, y, **{"loss": "squared", setting["name"]: int(setting["low"]) - 1})


def test_nothing_speaks_of_options_of_the_command():
    for setting in dcpn.settings():
        assert "--" not in setting["help"]


def test_a_stranger_is_told_its_neighbour():
    with pytest.raises(TypeError, match="did you mean 'penalty'"):
        dcpn.fit(X, y, loss="squared", penalti="l1")


@pytest.mark.parametrize("words", [dict(penalty="l1\0"), dict(penalty=1), dict(penalties=["l1\0"]), dict(penalties=["l1", None])])
def test_what_is_no_text_of_c_is_refused(words):
    with pytest.raises(TypeError, match="penalt.*expected a text"):
        dcpn.path(np.eye(3), np.arange(3.0), loss="squared", **words)


def test_numbers_of_numpy_are_numbers():
    one = dcpn.fit(X, y, loss="squared", lam=np.float32(0.5), max_iter=np.int32(100), standardize=np.bool_(True))
    other = dcpn.fit(X, y, loss="squared", lam=0.5, max_iter=100, standardize=True)
    np.testing.assert_array_equal(one.coefficients, other.coefficients)


@pytest.mark.parametrize("words, hint", [
    (dict(penalty="MCP"), "did you mean 'mcp'"), (dict(penalty="lasso"), "did you mean 'l1'"), (dict(loss="gaussian"), "'squared'"),
    (dict(alpha=0.1), "is lam"), (dict(penalty="elasticnet"), "'l1' with ridge"), (dict(n_alphas=3), "n_lambdas")])
def test_words_of_elsewhere_are_explained(words, hint):
    with pytest.raises((TypeError, ValueError), match=hint):
        dcpn.fit(X, y, **{"loss": "squared", **words})
