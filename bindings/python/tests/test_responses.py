# SPDX-License-Identifier: BSD-3-Clause
"""Several responses: beside scikit-learn's Lasso and MultiTaskLasso, and what the estimators make of a y of two dimensions."""

import numpy as np
import pytest

import dcpn

linear_model = pytest.importorskip("sklearn.linear_model")


def data():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 12))
    B = np.zeros((12, 3))
    B[:3] = rng.standard_normal((3, 3))
    return X, X @ B + 0.3 * rng.standard_normal((60, 3)) + [1.0, -2.0, 3.0]


@pytest.mark.parametrize("grouping, peer", [("row", "MultiTaskLasso"), ("entry", "Lasso")])
def test_the_same_as_scikit_learn(grouping, peer):
    X, Y = data()
    theirs = getattr(linear_model, peer)(alpha=0.2, tol=1e-12, max_iter=100000).fit(X, Y)
    ours = dcpn.fit(X, Y, lam=0.2, loss="squared", penalty="l1", class_grouping=grouping, fit_intercept=True, standardize=False, scale="mean", tol=1e-10)
    assert ours.coefficients.shape == (3, 12) and ours.intercept.shape == (3,)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, atol=1e-7)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-6)
    model = dcpn.SparseRegressor(lam=0.2, penalty="l1", class_grouping=grouping, fit_intercept=True, standardize=False, scale="mean", tol=1e-10).fit(X, Y)
    np.testing.assert_array_equal(model.coef_, ours.coefficients)
    assert model.predict(X).shape == (60, 3)
    assert model.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=1e-7)


def test_cross_validation_finds_the_features():
    X, Y = data()
    model = dcpn.SparseRegressorCV(class_grouping="row", seed=1).fit(X, Y)
    assert model.coef_.shape == (3, 12) and model.intercept_.shape == (3,)
    assert sorted(np.flatnonzero(model.coef_.any(axis=0))) == [0, 1, 2]
    found = dcpn.cv(X, Y, loss="squared", class_grouping="row", seed=1, fit_intercept=True, standardize=True, scale="mean")
    np.testing.assert_array_equal(found.coefficients()[0], model.coef_)


def test_paths_have_all_responses():
    X, Y = data()
    path = dcpn.path(X, Y, loss="squared", penalty="l1", n_lambdas=6, min_ratio=0.05, fit_intercept=True, scale="mean", saturation=1.0)
    assert path.scores == 3 and path.intercepts.shape == (6, 3)
    np.testing.assert_allclose(path.intercepts[0], Y.mean(axis=0), atol=1e-9)
    assert path.predict(X, 5).shape == (60, 3)


def test_one_column_is_one_response():
    X, Y = data()
    one = dcpn.fit(X, Y[:, :1], lam=0.2, loss="squared", penalty="l1")
    assert one.coefficients.shape == (12,)
    np.testing.assert_array_equal(one.coefficients, dcpn.fit(X, Y[:, 0], lam=0.2, loss="squared", penalty="l1").coefficients)


@pytest.mark.parametrize(
    "y, sentence",
    [
        (np.zeros(120), "found 120 numbers, expected 60"),
        (np.zeros((50, 2)), "found 50 numbers, expected 60"),
        (np.full((60, 2), np.nan), "response 1 of row 1"),
    ],
)
def test_what_is_no_response_is_refused(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        dcpn.fit(data()[0], y, lam=0.2, loss="squared")


def test_offsets_of_each_score():
    X, Y = data()
    offsets = np.sin(np.arange(180.0)).reshape(60, 3)
    words = {"lam": 0.2, "loss": "squared", "penalty": "l1", "fit_intercept": True, "standardize": False, "scale": "mean", "tol": 1e-10}
    together = dcpn.fit(X, Y, offset=offsets, class_grouping="entry", **words)
    for k in range(3):
        alone = dcpn.fit(X, Y[:, k], offset=offsets[:, k], **words)
        np.testing.assert_allclose(together.coefficients[k], alone.coefficients, atol=1e-8)
    np.testing.assert_allclose(together.predict(X, offsets) - together.predict(X), offsets, atol=1e-12)
    classes = Y.argmax(axis=1)
    many = dcpn.SparseClassifier(loss="multinomial", lam_ratio=0.2, penalty="l1", tol=1e-8).fit(X, classes, offset=offsets)
    fit = many.fits_[0]
    scores = X @ fit.coefficients.T + fit.intercept + offsets
    loss = np.mean(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(60), classes])
    assert fit.loss_value == pytest.approx(loss, rel=1e-10)
    np.testing.assert_array_equal(many.predict(X, offset=offsets), scores.argmax(axis=1))
    with pytest.raises(ValueError, match="expected 3"):
        dcpn.fit(X, classes, lam=0.1, loss="multinomial", offset=offsets[:, :2])
    with pytest.raises(ValueError, match="expected 60 rows"):
        dcpn.fit(X, classes, lam=0.1, loss="multinomial", offset=offsets[:9])
