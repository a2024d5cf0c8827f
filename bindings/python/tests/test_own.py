# SPDX-License-Identifier: BSD-3-Clause
"""f and h of one's own: the ends are those of the same problem built in, or of a formula, and what they raise comes through."""

import numpy as np
import pytest

import dcpn
import problems

X, y, truth = problems.numbers(80, 10)
TOL = dict(tol=1e-7, max_iter=100000)


def value(x):
    return 0.5 * np.sum((X @ x - y) ** 2)


def gradient(x):
    return X.T @ (X @ x - y)


def product(x, d):
    return X.T @ (X @ d)


@pytest.mark.parametrize("penalty", ["l1", "mcp", "scad"])
def test_the_built_in_penalties_on_a_function_of_ones_own(penalty):
    words = dict(penalty=penalty, lam=20.0, shape_units="raw", **TOL)
    found = dcpn.minimize(value, gradient, np.zeros(10), hessian_product=product, **words)
    built_in = dcpn.fit(X, y, loss="squared", fit_intercept=False, standardize=False, scale="sum", **words)
    assert found.converged and found.objective == pytest.approx(built_in.objective, rel=1e-8)
    np.testing.assert_allclose(found.coefficients, built_in.coefficients, atol=1e-4)


def test_a_prox_of_ones_own_is_the_built_in_penalty():
    lam = 15.0
    h = dcpn.Regularizer(lambda x: lam * np.abs(x).sum(),
                         lambda x, step: np.sign(x) * np.maximum(np.abs(x) - step * lam, 0.0))
    found = dcpn.minimize(value, gradient, np.zeros(10), h=h, lipschitz=np.linalg.norm(X, 2) ** 2, **TOL)
    built_in = dcpn.fit(X, y, loss="squared", penalty="l1", lam=lam, fit_intercept=False, standardize=False, scale="sum", **TOL)
    np.testing.assert_allclose(found.coefficients, built_in.coefficients, atol=1e-4)


def test_differences_of_convex_functions():
    """f = |x - a|^2 - |x|^2 / 2 in each variable is |x|^2 / 2 - 2 a x + ..., whose minimum with lam |x| is known."""
    a, lam = np.array([3.0, -0.2, 0.0, 1.0]), 1.0
    found = dcpn.minimize(lambda x: np.sum((x - a) ** 2), lambda x: 2 * (x - a), np.zeros(4),
                          value2=lambda x: 0.5 * np.sum(x**2), gradient2=lambda x: x, lipschitz=2.0, penalty="l1", lam=lam, **TOL)
    np.testing.assert_allclose(found.coefficients, np.sign(a) * np.maximum(2 * np.abs(a) - lam, 0), atol=1e-4)


def test_what_a_function_raises_comes_through():
    class Mine(Exception):
        pass

    def broken(x):
        raise Mine("here")

    with pytest.raises(Mine, match="here"):
        dcpn.minimize(value, broken, np.zeros(10), penalty="l1")
    with pytest.raises(Mine, match="here"):
        dcpn.minimize(broken, gradient, np.zeros(10), penalty="l1")
    with pytest.raises(ValueError, match="found 3 numbers, expected 10"):
        dcpn.minimize(value, lambda x: x[:3], np.zeros(10), penalty="l1")
    with pytest.raises(TypeError):
        dcpn.minimize(lambda x: "text" * 2, gradient, np.zeros(10), penalty="l1", callback=None, lam=[])


def test_half_a_function_is_refused():
    with pytest.raises(ValueError, match="value2 and gradient2"):
        dcpn.minimize(value, gradient, np.zeros(10), value2=value)
    with pytest.raises(ValueError, match="value2 and subgradient2"):
        dcpn.Regularizer(value, gradient, value2=value)


def test_an_observer_ends_it():
    seen = []
    with pytest.warns(dcpn.ConvergenceWarning):
        found = dcpn.minimize(value, gradient, np.zeros(10), penalty="l1", callback=lambda *p: seen.append(p) or True)
    assert found.outcome == "interrupted" and len(seen) == 1 and len(seen[0]) == 4
