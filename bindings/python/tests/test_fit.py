# SPDX-License-Identifier: BSD-3-Clause
"""Fits are what other software and naive code say."""

import warnings

import numpy as np
import pytest

import dcpn
import problems

X, y, truth = problems.numbers()
PENALTIES = ["l1", "capped-l1", "scad", "mcp", "exponential", "log", "lp"]


def test_l1_is_the_lasso_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    found = dcpn.fit(X, y, loss="squared", penalty="l1", lam=0.3, standardize=False, tol=1e-9)
    lasso = linear_model.Lasso(alpha=0.3, tol=1e-12, max_iter=100000).fit(X, y)
    np.testing.assert_allclose(found.coefficients, lasso.coef_, atol=1e-7)
    np.testing.assert_allclose(found.intercept, lasso.intercept_, atol=1e-7)


def test_logistic_l1_is_that_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, y, _ = problems.classes()
    found = dcpn.fit(X, y, penalty="l1", lam=0.02, standardize=False, tol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how the penalty is named has changed
        model = linear_model.LogisticRegression(
            penalty="l1", C=1 / (0.02 * len(y)), solver="saga", tol=1e-11, max_iter=100000
        ).fit(X, y)
    np.testing.assert_allclose(found.coefficients, model.coef_[0], atol=1e-6)
    assert list(found.predict(X)) == list(model.predict(X))


@pytest.mark.parametrize("penalty", PENALTIES)
def test_objective_is_what_the_formulas_say(penalty):
    weights = np.random.default_rng(3).uniform(0.5, 2.0, len(y))
    found = dcpn.fit(
        X, y, loss="squared", penalty=penalty, lam=0.2, standardize=False, sample_weight=weights, shape_units="raw"
    )
    assert found.converged and 0 < len(found.support) < X.shape[1]
    assert found.objective == pytest.approx(problems.objective(X, y, found, penalty, weights), rel=1e-10)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_no_single_coefficient_is_better_elsewhere_nearby(penalty):
    found = dcpn.fit(X, y, loss="squared", penalty=penalty, lam=0.2, standardize=False, tol=1e-8, shape_units="raw")
    here = problems.objective(X, y, found, penalty)
    for j in range(X.shape[1]):
        for change in (-1e-3, 1e-3):
            kept = found.coefficients[j]
            found.coefficients[j] = kept + change
            assert problems.objective(X, y, found, penalty) > here - 1e-12
            found.coefficients[j] = kept


def test_lambda_is_a_share_of_the_largest():
    whole = dcpn.fit(X, y, loss="squared", penalty="l1", lam_ratio=1.0)
    largest = np.abs(((X - X.mean(0)) / X.std(0)).T @ (y - y.mean())).max() / len(y)
    assert whole.lam == pytest.approx(largest, rel=1e-9) and len(whole.support) == 0
    assert dcpn.fit(X, y, loss="squared", penalty="l1").lam == pytest.approx(0.1 * largest, rel=1e-9)


def test_threads_change_no_bit():
    big = problems.numbers(3000, 200, 10, 5)
    one = dcpn.fit(big[0], big[1], loss="squared", penalty="mcp", n_jobs=1)
    more = dcpn.fit(big[0], big[1], loss="squared", penalty="mcp", n_jobs=3)
    assert one.coefficients.tobytes() == more.coefficients.tobytes()


def test_rows_without_a_label_take_part():
    X, y, _ = problems.classes(rows=300)
    few = y.astype(object)
    few[20:] = None
    found = dcpn.fit(X, few, penalty="l1", lam=0.02)
    alone = dcpn.fit(X[:20], y[:20], penalty="l1", lam=0.02)
    assert set(found.predict(X)) <= {"yes", "no"}
    assert not np.array_equal(found.coefficients, alone.coefficients)
    marked = np.where(y == "yes", 1, 0)
    marked[20:] = -1
    same = dcpn.fit(X, marked, penalty="l1", lam=0.02, unlabelled=-1)
    np.testing.assert_array_equal(found.coefficients, same.coefficients)


def test_bounds_and_factors():
    found = dcpn.fit(X, y, loss="squared", penalty="l1", lam=0.1, upper=1.0, standardize=False)
    assert found.coefficients.max() == 1.0
    factors = np.ones(X.shape[1])
    factors[:2] = [1e6, 0]
    found = dcpn.fit(X, y, loss="squared", penalty="l1", lam=0.1, penalty_factors=factors)
    assert found.coefficients[0] == 0 and found.coefficients[1] != 0


def test_a_fit_that_is_cut_short_warns():
    with pytest.warns(dcpn.ConvergenceWarning, match="limit of iterations"):
        found = dcpn.fit(X, y, loss="squared", penalty="mcp", max_iter=1)
    assert not found.converged and found.outcome == "max-iter"


def test_more_than_two_classes_are_refused_with_advice():
    with pytest.raises(ValueError, match="3 classes.*SparseClassifier"):
        dcpn.fit(X, np.arange(len(y)) % 3)


def test_an_observer_sees_and_ends():
    seen = []

    def watch(*progress):
        seen.append(progress)
        return True

    big = problems.numbers(4000, 900, 30, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dcpn.fit(big[0], big[1], loss="squared", penalty="log", lam_ratio=1e-4, tol=0.0, max_iter=10**6,
                         max_time=60.0, callback=watch)
    assert len(seen) == 1 and found.outcome == "interrupted"
    assert np.isfinite(found.objective)


def test_what_an_observer_raises_comes_through():
    class Mine(Exception):
        pass

    def watch(*progress):
        raise Mine

    big = problems.numbers(4000, 900, 30, 5)
    with pytest.raises(Mine) as raised:
        dcpn.fit(big[0], big[1], loss="squared", penalty="log", lam_ratio=1e-4, tol=0.0, max_iter=10**6,
                 max_time=60.0, callback=watch)
    assert isinstance(raised.value.result, dcpn.Fit)


def test_ctrl_c_ends_a_fit_and_keeps_its_best_point():
    import _thread
    import threading

    has_begun = threading.Event()
    threading.Thread(target=lambda: has_begun.wait() and _thread.interrupt_main(), daemon=True).start()
    big = problems.numbers(4000, 900, 30, 5)
    with pytest.raises(KeyboardInterrupt) as raised:
        dcpn.fit(big[0], big[1], loss="squared", penalty="log", lam_ratio=1e-4, tol=0.0, max_iter=10**6, max_time=60.0,
                 callback=lambda *progress: has_begun.set())
    assert raised.value.result.outcome == "interrupted" and np.isfinite(raised.value.result.objective)

