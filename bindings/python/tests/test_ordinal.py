# SPDX-License-Identifier: BSD-3-Clause
"""Classes in an order: optima of statsmodels' OrderedModel, which are recorded, and what the estimators make of them."""

import pickle

import numpy as np
import pytest

import dcpn

pytest.importorskip("sklearn")


def data():
    """The rows of tests/problems/test_ordinal.c."""
    i, j = np.arange(80)[:, None], np.arange(4)[None, :]
    X = ((i * 7 + j * 11 + i * i * (j + 1)) % 13 - 6) / 3.0
    i = np.arange(80)
    u = X[:, 0] - X[:, 1] + ((i * 17) % 11 - 5) / 2.0
    return X, 10 * (1 + (u > -2).astype(int) + (u > 0.4) + (u > 2.5))


COEFFICIENTS = [1.3220250842, -0.9960473576, -0.3310716961, -0.1572391502]
INTERCEPTS = [2.5200615771, -0.3329907455, -2.2669775326]


def shares(X):
    above = 1.0 / (1.0 + np.exp(-((X @ COEFFICIENTS)[:, None] + INTERCEPTS)))
    ends = np.ones((len(X), 1))
    return -np.diff(np.hstack([ends, above, 0 * ends]), axis=1)


def test_maximum_likelihood_is_that_of_statsmodels(tmp_path):
    X, y = data()
    fit = dcpn.fit(X, y, lam=0.0, loss="ordinal", penalty="l1", scale="sum", standardize=False, tol=1e-10)
    np.testing.assert_allclose(fit.coefficients, COEFFICIENTS, atol=1e-7)
    np.testing.assert_allclose(fit.intercept, INTERCEPTS, atol=1e-7)
    assert fit.objective == pytest.approx(77.454546899689, abs=1e-9)
    np.testing.assert_allclose(fit.predict_proba(X), shares(X), atol=1e-7)
    np.testing.assert_array_equal(fit.predict(X), np.array([10, 20, 30, 40])[shares(X).argmax(axis=1)])
    fit.save(tmp_path / "model.json")
    again = dcpn.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X), fit.predict_proba(X))
    np.testing.assert_array_equal(again.predict(X).astype(int), fit.predict(X))


def test_the_classifier_is_the_fit():
    X, y = data()
    model = dcpn.SparseClassifier(loss="ordinal", lam=2.0, penalty="l1", tol=1e-8, standardize=False, scale="sum").fit(X, y)
    fit = dcpn.fit(X, y, lam=2.0, loss="ordinal", penalty="l1", tol=1e-8, standardize=False, scale="sum")
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (3,)
    np.testing.assert_array_equal(model.coef_[0], fit.coefficients)
    np.testing.assert_array_equal(model.predict(X), fit.predict(X))
    np.testing.assert_allclose(model.predict_proba(X), fit.predict_proba(X), rtol=1e-13)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-13)
    np.testing.assert_allclose(model.decision_function(X), X @ fit.coefficients + fit.intercept[0], rtol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert model.score(X, y) == np.mean(model.predict(X) == y)


def test_paths_and_cross_validation():
    X, y = data()
    path = dcpn.path(X, y, loss="ordinal", penalty="mcp", n_lambdas=6)
    assert path.intercepts.shape == (len(path), 3) and np.all(np.diff(path.intercepts, axis=1) < 0)
    assert path.predict(X, 2).shape == (80,)
    model = dcpn.SparseClassifierCV(loss="ordinal", cv=4, n_lambdas=8, seed=1).fit(X, y)
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (3,)
    assert model.predict_proba(X).shape == (80, 4) and set(model.predict(X)) <= set(y)
    assert np.flatnonzero(model.coef_[0])[:2].tolist() == [0, 1]


def test_two_classes_are_the_logistic_loss():
    X, y = data()
    ordered = dcpn.SparseClassifier(loss="ordinal", lam=2.0, penalty="l1", tol=1e-10).fit(X, y > 20)
    logistic = dcpn.SparseClassifier(loss="logistic", lam=2.0, penalty="l1", tol=1e-10).fit(X, y > 20)
    np.testing.assert_allclose(ordered.coef_, logistic.coef_, atol=1e-7)
    np.testing.assert_allclose(ordered.predict_proba(X), logistic.predict_proba(X), atol=1e-7)


def test_texts_have_no_order():
    X, y = data()
    words = np.array(["low", "middle", "high", "best"])[y // 10 - 1]
    for fit in (lambda: dcpn.SparseClassifier(loss="ordinal").fit(X, words), lambda: dcpn.fit(X, words, lam=1.0, loss="ordinal")):
        with pytest.raises(ValueError, match="whose order the loss ordinal needs"):
            fit()
    with pytest.raises(ValueError, match="expected none for the loss ordinal"):
        dcpn.fit(X, y, lam=1.0, loss="ordinal", start=np.zeros(4))
