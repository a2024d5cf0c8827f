# SPDX-License-Identifier: BSD-3-Clause
"""Knockoffs and intervals: what was planted is found, least squares is that of NumPy, and Ctrl-C and refusals arrive."""

import math

import numpy as np
import pytest

import dcpn

rng = np.random.default_rng(3)
X = rng.standard_normal((160, 24))
b = np.zeros(24)
b[[1, 4, 9, 12, 17, 20]] = [1.0, -1.0, 1.5, -0.8, 1.2, -1.1]
y = 3.0 + X @ b + rng.standard_normal(160)


def test_knockoffs_find_what_was_planted():
    made = dcpn.knockoffs(X, y, loss="squared", statistic="entry")
    assert set(np.flatnonzero(b)) <= set(made.selected) and len(made.selected) < 9
    assert made.copies == 4 and made.draws == 5 and made.win.shape == (24,) and 0 < made.shrinkage <= 1
    np.testing.assert_array_equal(made.selected, np.flatnonzero(made.evidence >= made.threshold))
    assert np.all(made.frequency[np.flatnonzero(b)] > 0.5)
    plain = dcpn.knockoffs(X, y, loss="squared", statistic="entry", draws=1)
    np.testing.assert_array_equal(plain.selected, np.flatnonzero(plain.win >= plain.threshold))
    again = dcpn.knockoffs(X, y, loss="squared", statistic="entry", n_jobs=2)
    np.testing.assert_array_equal(made.win, again.win)
    other = dcpn.knockoffs(X, y, loss="squared", statistic="entry", seed=2)
    assert np.any(made.win != other.win)


def test_fixed_features_and_classes():
    made = dcpn.knockoffs(X, y, loss="squared", kind="fixed", fdr=0.2, copies=1, draws=1)
    assert set(np.flatnonzero(b)) <= set(made.selected)
    made = dcpn.knockoffs(X, np.where(y > 3, "yes", "no"), fdr=0.3, statistic="entry", loss="logistic")
    assert len(made.selected) >= 4
    with pytest.raises(ValueError, match="expected squared"):
        dcpn.knockoffs(X, y > 3, kind="fixed", loss="logistic")
    with pytest.raises(ValueError, match="fdr: found 1.5"):
        dcpn.knockoffs(X, y, fdr=1.5, loss="squared")


def test_full_intervals_are_least_squares():
    made = dcpn.intervals(X, y, loss="squared")
    A = np.column_stack([X, np.ones(len(X))])
    inverse = np.linalg.inv(A.T @ A)
    x = inverse @ A.T @ y
    sigma = math.sqrt(np.sum((y - A @ x) ** 2) / (160 - 25))
    assert made.method == "full" and len(made) == 24
    np.testing.assert_allclose(made.estimate, x[:-1], rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(made.error, sigma * np.sqrt(np.diag(inverse)[:-1]), rtol=1e-8)
    np.testing.assert_allclose(made.deviation, sigma, rtol=1e-10)
    np.testing.assert_allclose(made.high - made.low, 2 * 1.977692 * made.error, rtol=1e-5)  # t(135) of R


def test_some_features_by_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"g{j}" for j in range(24)])
    made = dcpn.intervals(frame, y, features=["g9", "g2"], loss="squared", method="debiased", folds=3)
    np.testing.assert_array_equal(made.features, [9, 2])
    assert made.low[0] < 1.5 < made.high[0] and made.p_value[0] < 1e-6 < made.p_value[1]
    with pytest.raises(ValueError, match="found 'g99'"):
        dcpn.intervals(frame, y, features=["g99"], loss="squared")
    with pytest.raises(ValueError, match="found 24"):
        dcpn.intervals(X, y, features=[24], loss="squared")


def test_what_a_callback_raises_arrives():
    def stop(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        dcpn.knockoffs(X, y, loss="squared", callback=stop)
