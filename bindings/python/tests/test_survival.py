# SPDX-License-Identifier: BSD-3-Clause
"""Times to events: fits are stationary for a partial likelihood written down naively, and y may come in three shapes."""

import numpy as np
import pytest

import dcpn
import problems

X, _, _ = problems.numbers(columns=8)
RNG = np.random.default_rng(11)
HAZARD = np.exp(0.8 * X[:, 0] - 0.6 * X[:, 1])
TIMES = np.ceil(8 * RNG.exponential(1 / HAZARD)) / 8  # some at the same time
EVENTS = RNG.random(len(X)) < 0.7
ENTRY = np.where(RNG.random(len(X)) < 0.5, 0.0, 0.4 * TIMES)
SITES = RNG.choice(["Lyon", "Oslo"], len(X))
SIGNED = np.where(EVENTS, TIMES, -TIMES)
LAM = 0.03
WORDS = dict(loss="cox", penalty="l1", standardize=False, tol=1e-9)


def slopes(x, entry=None, sites=None):
    """Of the mean of the negative logarithm of Breslow's partial likelihood."""
    risk, total = np.exp(X @ x), np.zeros(X.shape[1])
    for i in np.flatnonzero(EVENTS):
        seen = TIMES >= TIMES[i]
        seen &= True if entry is None else entry < TIMES[i]
        seen &= True if sites is None else sites == sites[i]
        total += risk[seen] @ X[seen] / risk[seen].sum() - X[i]
    return total / len(X)


def assert_stationary(x, **words):
    gradient, used = slopes(x, **words), x != 0
    assert 2 <= used.sum() < len(x)
    np.testing.assert_allclose(gradient[used], -LAM * np.sign(x[used]), atol=1e-6)
    assert np.abs(gradient).max() <= LAM + 1e-6


def test_fits_are_stationary_for_the_partial_likelihood():
    assert_stationary(dcpn.fit(X, SIGNED, lam=LAM, **WORDS).coefficients)
    assert_stationary(dcpn.fit(X, SIGNED, lam=LAM, entry=ENTRY, **WORDS).coefficients, entry=ENTRY)
    assert_stationary(dcpn.fit(X, SIGNED, lam=LAM, strata=SITES, **WORDS).coefficients, sites=SITES)


def test_times_and_events_in_three_shapes():
    structured = np.array(list(zip(EVENTS, TIMES)), dtype=[("event", "?"), ("time", "f8")])
    expected = dcpn.fit(X, SIGNED, lam=LAM, **WORDS)
    for y in (structured, np.column_stack([TIMES, EVENTS]), [[t, int(e)] for t, e in zip(TIMES, EVENTS)]):
        np.testing.assert_array_equal(dcpn.fit(X, y, lam=LAM, **WORDS).coefficients, expected.coefficients)
    np.testing.assert_allclose(expected.predict(X), np.exp(X @ expected.coefficients))
    pandas = pytest.importorskip("pandas")
    y = pandas.DataFrame({"months": TIMES, "dead": EVENTS})
    np.testing.assert_array_equal(dcpn.fit(X, y, lam=LAM, **WORDS).coefficients, expected.coefficients)


def test_what_is_no_time():
    for y, found in ((np.column_stack([-TIMES, EVENTS]), "expected times of 0 or more"),
                     (np.column_stack([TIMES, 2 * EVENTS]), "found the event 2"),
                     (np.column_stack([TIMES, TIMES, EVENTS]), "expected two columns"),
                     (np.zeros(len(X), dtype=[("a", "f8"), ("b", "f8")]), "found the fields a, b")):
        with pytest.raises(ValueError, match=found):
            dcpn.fit(X, y, lam=LAM, **WORDS)
    with pytest.raises(ValueError, match="entry: found some, expected none for the loss squared"):
        dcpn.fit(X, TIMES, loss="squared", entry=ENTRY)


def test_paths_and_cross_validations():
    words = {name: value for name, value in WORDS.items() if name != "lam"}
    found = dcpn.path(X, SIGNED, n_lambdas=5, strata=SITES, **words)
    alone = dcpn.fit(X, SIGNED, lam=found.lambdas[3], strata=SITES, **words)
    np.testing.assert_allclose(found.coefficients_at(3), alone.coefficients, atol=1e-6)
    chosen = dcpn.cv(X, SIGNED, folds=4, n_lambdas=8, measure="concordance", rule="min", **words)
    assert 0.6 < chosen.min.mean < 0.9


def test_the_estimators():
    pytest.importorskip("sklearn")
    from sklearn.base import clone

    model = dcpn.SparseCox(lam=LAM, **WORDS).fit(X, np.column_stack([TIMES, EVENTS]), strata=SITES)
    assert_stationary(model.coef_, sites=SITES)
    np.testing.assert_allclose(model.predict(X), np.exp(model.decision_function(X)))
    right = pairs = 0.0
    scores = model.decision_function(X)
    for i in range(len(X)):
        for j in range(len(X)):
            if EVENTS[i] and (TIMES[i] < TIMES[j] or (TIMES[i] == TIMES[j] and not EVENTS[j])):
                pairs += 1
                right += (scores[i] > scores[j]) + 0.5 * (scores[i] == scores[j])
    assert model.score(X, SIGNED) == pytest.approx(right / pairs)
    chosen = clone(dcpn.SparseCoxCV(penalties=["l1", "mcp"], n_lambdas=8, cv=4)).fit(X, SIGNED, entry=ENTRY)
    assert {0, 1} <= set(np.flatnonzero(chosen.coef_)) and chosen.score(X, SIGNED) > 0.6
    weights = np.where(np.arange(len(X)) < 40, 0.0, 1.0)
    few = dcpn.SparseCox(lam=LAM, **WORDS).fit(X, SIGNED, sample_weight=weights, strata=SITES)
    same = dcpn.SparseCox(lam=LAM, **WORDS).fit(X[40:], SIGNED[40:], strata=SITES[40:])
    np.testing.assert_allclose(few.coef_, same.coef_, atol=1e-7)
    with pytest.raises(ValueError, match="strata: found 3 entries"):
        dcpn.SparseCox(lam=LAM, **WORDS).fit(X, SIGNED, strata=SITES[:3])
    with pytest.raises(ValueError, match="SparseCox"):
        dcpn.SparseRegressor(loss="cox").fit(X, SIGNED)
    with pytest.raises(ValueError, match="no such model"):
        model.to_sklearn()
