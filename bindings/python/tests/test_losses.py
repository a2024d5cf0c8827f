# SPDX-License-Identifier: BSD-3-Clause
"""Losses of many classes and of counts: fits are those of scikit-learn, and predictions are on the scale of the labels."""

import warnings

import numpy as np
import pytest

import dcpn
import problems

X, _, _ = problems.numbers(columns=8)
NAMES = np.array(["ash", "elm", "oak"])
Y = NAMES[np.argmax(X[:, :3] + 0.5 * np.random.default_rng(6).standard_normal((len(X), 3)), axis=1)]
WORDS = dict(loss="multinomial", penalty="l1", lam=0.02, standardize=False, tol=1e-8)


def test_many_classes_are_those_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    model = dcpn.SparseClassifier(**WORDS).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how the penalty is named has changed
        theirs = linear_model.LogisticRegression(
            penalty="l1", C=1 / (0.02 * len(Y)), solver="saga", tol=1e-10, max_iter=100000
        ).fit(X, Y)
    assert model.coef_.shape == (3, 8) and list(model.classes_) == list(NAMES)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    np.testing.assert_array_equal(model.predict(X), theirs.predict(X))


def test_the_function_is_the_estimator():
    pytest.importorskip("sklearn")
    model, found = dcpn.SparseClassifier(**WORDS).fit(X, Y), dcpn.fit(X, Y, **WORDS)
    np.testing.assert_array_equal(found.coefficients, model.coef_)
    np.testing.assert_array_equal(found.predict(X), model.predict(X))
    assert list(found.support) == list(np.flatnonzero(np.any(model.coef_ != 0, axis=0)))
    assert "8 features" in repr(found) and len(found.named_coefficients()) == len(found.support)


def test_two_classes_are_a_logistic_regression():
    pytest.importorskip("sklearn")
    y = Y == "elm"
    many = dcpn.SparseClassifier(**{**WORDS, "lam": 0.04}).fit(X, y)
    two = dcpn.SparseClassifier(**{**WORDS, "loss": "logistic", "lam": 0.04}).fit(X, y)
    assert many.coef_.shape == (1, 8)  # of a score and its negative the penalty is the same
    np.testing.assert_allclose(many.predict_proba(X), two.predict_proba(X), atol=1e-4)


def test_paths_and_cross_validations_of_many_classes():
    words = {**WORDS, "tol": 1e-9}
    del words["lam"]
    found = dcpn.path(X, Y, n_lambdas=6, saturation=1.0, **words)
    assert found.scores == 3 and found.intercepts.shape == (6, 3) and found.coefficients.shape == (24, 6)
    for k in (1, 5):
        alone = dcpn.fit(X, Y, lam=found.lambdas[k], **words)
        np.testing.assert_allclose(found.coefficients_at(k), alone.coefficients, atol=1e-5)
        np.testing.assert_array_equal(found.support(k), alone.support)
        np.testing.assert_allclose(found.predict(X, k), alone.decision_function(X), atol=1e-4)  # constants of mean 0
    chosen = dcpn.cv(X, Y, folds=4, n_lambdas=6, measure="class-error", rule="min", **words)
    means = chosen.mean()
    assert chosen.measures == ["deviance", "error", "class-error"] and chosen.min.mean == means.min() < 0.5
    coefficients, intercept = chosen.coefficients()
    assert coefficients.shape == (3, 8) and intercept.shape == (3,)


def test_the_estimator_chooses_for_all_classes():
    pytest.importorskip("sklearn")
    model = dcpn.SparseClassifierCV(loss="multinomial", penalties=["l1"], n_lambdas=8, cv=4, measure="error").fit(X, Y)
    assert model.coef_.shape == (3, 8) and model.intercept_.shape == (3,) and isinstance(model.lam_, float)
    assert model.score(X, Y) > 0.7
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    two = dcpn.SparseClassifierCV(loss="multinomial", penalties=["l1"], n_lambdas=8, cv=4).fit(X, Y == "elm")
    assert two.coef_.shape == (1, 8) and two.predict_proba(X).shape == (len(X), 2)


def test_what_many_classes_do_not_take():
    missing = Y.astype(object)
    missing[3] = None
    with pytest.raises(ValueError, match="1 rows without a label"):
        dcpn.fit(X, missing, **WORDS)
    with pytest.raises(ValueError, match="start"):
        dcpn.fit(X, Y, start=np.zeros(8), **WORDS)
    with pytest.raises(ValueError, match="found 1 class"):
        dcpn.fit(X, np.ones(len(X)), **WORDS)


def test_counts_are_predicted_on_their_own_scale():
    counts = np.random.default_rng(7).poisson(np.exp(0.5 + 0.6 * X[:, 0]))
    words = dict(loss="poisson", penalty="l1", lam=0.05, standardize=False, tol=1e-8)
    found = dcpn.fit(X, counts, **words)
    response = found.predict(X)
    np.testing.assert_allclose(response, np.exp(found.decision_function(X)))
    slopes = X.T @ (response - counts) / len(counts)  # of the mean deviance; the intercept's is 0
    assert np.mean(response) == pytest.approx(np.mean(counts), abs=1e-6)
    np.testing.assert_allclose(slopes[found.support], -0.05 * np.sign(found.coefficients[found.support]), atol=1e-6)
    assert np.abs(slopes).max() <= 0.05 + 1e-6
    pytest.importorskip("sklearn")
    np.testing.assert_allclose(dcpn.SparseRegressor(**words).fit(X, counts).predict(X), response)
