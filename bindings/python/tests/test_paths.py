# SPDX-License-Identifier: BSD-3-Clause
"""Paths and cross-validation: the same as single fits, as scikit-learn, and as the folds say."""

import copy
import math
import pickle

import numpy as np
import pytest

import dcpn
import problems

X, y, truth = problems.numbers()


def test_a_path_is_its_fits():
    path = dcpn.path(X, y, loss="squared", penalty="l1", n_lambdas=12, tol=1e-8)
    assert np.all(np.diff(path.lambdas) < 0) and path.nonzeros[0] == 0
    for k in (3, 7, len(path) - 1):
        one = dcpn.fit(X, y, loss="squared", penalty="l1", lam=path.lambdas[k], tol=1e-8)
        np.testing.assert_allclose(path.coefficients_at(k), one.coefficients, atol=1e-6)
        np.testing.assert_allclose(path.predict(X, k), one.predict(X), atol=1e-5)
        assert set(path.support(k)) == set(np.flatnonzero(path.coefficients_at(k)))


def test_the_matrix_of_a_path():
    pytest.importorskip("scipy.sparse")
    path = dcpn.path(X, y, loss="squared", penalty="scad", n_lambdas=12)
    table = path.coefficients.toarray()
    assert table.shape == (X.shape[1], len(path))
    for k in range(len(path)):
        np.testing.assert_array_equal(table[:, k], path.coefficients_at(k))


def test_l1_path_is_that_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    centred, numbers = X - X.mean(0), y - y.mean()
    lambdas, expected, _ = linear_model.lasso_path(centred, numbers, alphas=[1.0, 0.3, 0.1], tol=1e-12)
    path = dcpn.path(centred, numbers, loss="squared", penalty="l1", lambdas=lambdas, standardize=False, tol=1e-9)
    np.testing.assert_allclose([path.coefficients_at(k) for k in range(3)], expected.T, atol=1e-6)


def test_several_penalties_and_values():
    paths = dcpn.path(X, y, loss="squared", penalties=["l1", "mcp"], values=[2.0, 5.0], n_lambdas=5)
    assert [(p.penalty, p.varying, p.value) for p in paths if p.varying] == [("mcp", "gamma", 5.0), ("mcp", "gamma", 2.0)]
    assert paths[0].penalty == "l1" and paths[0].varying is None


def test_a_cross_validation_measures_what_its_folds_say():
    fold_of = np.arange(len(y)) % 4
    found = dcpn.cv(X, y, loss="squared", penalty="l1", folds=fold_of, n_lambdas=6, measure="mse", tol=1e-8)
    lambdas = found.paths[0].lambdas
    for fold in range(4):
        kept = fold_of != fold
        part = dcpn.path(X[kept], y[kept], loss="squared", penalty="l1", lambdas=lambdas, tol=1e-8)
        for k in range(len(lambdas)):
            residual = part.predict(X[~kept], k) - y[~kept]
            assert found.folds()[k, fold] == pytest.approx(np.mean(residual**2), rel=1e-4)
    assert found.min.point == np.argmin(found.mean())
    assert found.one_se.point <= found.min.point and found.chosen.point == found.one_se.point


def test_the_planted_features_are_chosen():
    found = dcpn.cv(X, y, loss="squared", penalties=["l1", "mcp"], stability=20)
    coefficients, _ = found.coefficients()
    assert set(np.flatnonzero(coefficients)) == set(np.flatnonzero(truth))
    assert set(found.stability.stable) == set(np.flatnonzero(truth))


def test_threads_change_no_bit():
    one = dcpn.cv(X, y, loss="squared", penalty="mcp", n_lambdas=10, stability=6, n_jobs=1)
    more = dcpn.cv(X, y, loss="squared", penalty="mcp", n_lambdas=10, stability=6, n_jobs=3)
    assert one.folds().tobytes() == more.folds().tobytes()
    assert one.stability.frequency.tobytes() == more.stability.frequency.tobytes()


@pytest.mark.parametrize("make", [
    lambda: dcpn.fit(X, y, loss="squared"),
    lambda: dcpn.path(X, y, loss="squared", n_lambdas=5),
    lambda: dcpn.cv(X, y, loss="squared", n_lambdas=5, folds=3, stability=4),
])
def test_results_are_pickled_and_copied(make):
    found = make()
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert repr(other) == repr(found)
        for name, value in vars(found).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(getattr(other, name), value)


def test_an_observer_ends_a_path_and_keeps_what_is_done():
    seen = []

    def watch(penalty, lam, fold, done, total):
        seen.append((penalty, fold, done, total))
        return done == 3

    whole = dcpn.path(X, y, loss="squared", penalty="log", n_lambdas=100)
    found = dcpn.path(X, y, loss="squared", penalty="log", n_lambdas=100, callback=watch)
    assert found.end == "interrupted" and 3 <= len(found) < len(whole)
    assert [done for _, _, done, _ in seen][:1] == [0] and seen[-1] == ("log", -1, 3, 100)
    np.testing.assert_array_equal(found.coefficients_at(2), whole.coefficients_at(2))


@pytest.mark.parametrize("penalty", ["l1", "mcp"])
def test_folds_end_when_they_are_worse_for_long(penalty):
    rng = np.random.default_rng(3)
    many = rng.standard_normal((400, 60))
    labels = many[:, :3] @ [1.0, -0.5, 0.5] + 2.0 * rng.standard_normal(400)
    fold_of = np.arange(400) % 4
    words = dict(loss="squared", penalty=penalty, folds=fold_of, global_search="off")
    whole, short = (dcpn.cv(many, labels, patience=patience, **words) for patience in (0, 8))
    ends = np.isfinite(short.folds()).sum(axis=0)  # of each fold
    assert np.all(np.isfinite(whole.folds())) and ends.min() < len(short.paths[0])
    for fold, end in enumerate(ends):
        values = whole.folds()[:, fold]
        np.testing.assert_array_equal(short.folds()[:end, fold], values[:end])
        best = np.minimum.accumulate(values)
        worse = values > best + 0.05 * (values[0] - best)
        runs = [k + 1 for k in range(7, len(values)) if worse[k - 7 : k + 1].all()]
        assert end == (runs[0] if runs else len(values))
    assert np.all(np.isnan(short.mean()[ends.min() :])) and np.all(np.isfinite(short.mean()[: ends.min()]))
    assert short.chosen.point == whole.chosen.point and short.min.point == whole.min.point


def test_folds_that_end_too_early_are_fitted_again():
    """One fold is misled by rows of its own; the mean is still falling where it ends."""
    rng = np.random.default_rng(4)
    many = rng.standard_normal((300, 20))
    labels = many @ np.linspace(1.0, 0.2, 20) + 0.3 * rng.standard_normal(300)
    fold_of = np.arange(300) % 5
    labels[fold_of == 0] *= -1.0
    words = dict(loss="squared", penalty="l1", folds=fold_of)
    whole, short = (dcpn.cv(many, labels, patience=patience, **words) for patience in (0, None))
    np.testing.assert_array_equal(short.folds(), whole.folds())
    given = dcpn.cv(many, labels, lambdas=whole.paths[0].lambdas, **words)  # all of these are wanted
    np.testing.assert_array_equal(given.folds(), whole.folds())


def test_an_early_end_keeps_the_folds_that_are_done():
    words = dict(loss="squared", penalty="l1", folds=np.arange(len(y)) % 4, n_lambdas=10, patience=0, n_jobs=1)

    def in_the_third(penalty, lam, fold, done, total):
        return fold == 2

    def in_the_second(penalty, lam, fold, done, total):
        return fold == 1

    whole, short = dcpn.cv(X, y, **words), dcpn.cv(X, y, callback=in_the_third, **words)
    np.testing.assert_array_equal(short.folds()[:, :2], whole.folds()[:, :2])
    assert np.all(np.isnan(short.folds()[:, 2:])) and not short.is_complete and whole.is_complete
    sizes = np.bincount(words["folds"])[:2]
    np.testing.assert_allclose(short.mean(), whole.folds()[:, :2] @ sizes / sizes.sum(), rtol=1e-12)
    assert short.min.point == np.argmin(short.mean()) and short.chosen.path == 0
    assert dcpn.cv(X, y, callback=in_the_second, **words).min.path == -1  # one fold is no choice


def test_the_rates_of_false_discoveries_are_those_of_the_formula():
    path = dcpn.path(X, y, loss="squared", penalty="mcp", n_lambdas=8)
    rows, features = X.shape
    for k in range(1, len(path)):
        used = path.nonzeros[k]
        sigma = np.sqrt(np.sum((y - path.predict(X, k)) ** 2) / (rows - used - 1))
        expected = features * math.erfc(path.lambdas[k] * np.sqrt(rows) / sigma / np.sqrt(2))
        assert path.mfdr[k] == pytest.approx(min(expected / used, 1.0))
    assert np.all(np.isnan(dcpn.path(X, y > 0, penalty="mcp", n_lambdas=3, fit_intercept=False).mfdr))


def test_repeated_folds():
    words = dict(loss="squared", penalty="l1", folds=4, n_lambdas=6, rule="min", patience=0)
    once, often = dcpn.cv(X, y, **words), dcpn.cv(X, y, repeats=3, **words)
    assert often.n_folds == 12
    np.testing.assert_array_equal(often.folds()[:, :4], once.folds())
    assert not np.array_equal(often.folds()[:, 4:8], once.folds())


def test_features_kept_and_relaxed():
    found = dcpn.cv(X, y, loss="squared", folds=3, features_kept=2)
    path = found.paths[found.chosen.path]
    assert found.rule == "kept" and path.nonzeros[found.chosen.point] == 2
    kept = np.flatnonzero(found.coefficients()[0])
    best = np.linalg.lstsq(np.column_stack([np.ones(len(y)), X[:, kept]]), y, rcond=None)[0]
    np.testing.assert_allclose(found.coefficients()[0][kept], best[1:], rtol=1e-5)
    relaxed = dcpn.cv(X, y, loss="squared", penalty="mcp", folds=3, relax=True)
    assert relaxed.chosen.path == len(relaxed.paths) - 1 == 1
    with pytest.raises(ValueError, match="expected one of the two"):
        dcpn.cv(X, y, loss="squared", folds=3, features_kept=2, rule="min")
