# SPDX-License-Identifier: BSD-3-Clause
"""Seeded problems, and F recomputed without dcpn."""

import numpy as np


def numbers(rows=120, columns=30, relevant=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    truth = np.zeros(columns)
    truth[:relevant] = np.linspace(3.0, 1.5, relevant)
    return X, X @ truth + 0.5 * rng.standard_normal(rows) + 2.0, truth


def classes(rows=150, columns=25, relevant=3, seed=1):
    X, y, truth = numbers(rows, columns, relevant, seed)
    return X, np.where(y > 2.0, "yes", "no"), truth


def penalty(name, lam, t, theta=1.0, a=3.7, gamma=3.0, p=0.5, eps=1e-3):
    """The penalty of coefficients of size t, from the formulas of their authors."""
    if name == "l1":
        return lam * t
    if name == "capped-l1":
        return lam * np.minimum(t, theta)
    if name == "mcp":
        return np.where(t <= gamma * lam, lam * t - t**2 / (2 * gamma), gamma * lam**2 / 2)
    if name == "scad":
        middle = (2 * a * lam * t - t**2 - lam**2) / (2 * (a - 1))
        return np.where(t <= lam, lam * t, np.where(t <= a * lam, middle, lam**2 * (a + 1) / 2))
    if name == "exponential":
        return gamma * lam**2 * (1 - np.exp(-t / (gamma * lam)))
    if name == "log":
        return lam * np.log1p(t / theta)
    return lam * ((t + eps) ** p - eps**p)


def objective(X, y, fit, name, weights=None):
    """F of squared loss, mean scale, no standardisation, from X and y alone."""
    w = np.ones(len(y)) if weights is None else weights
    residual = X @ fit.coefficients + fit.intercept - y
    return 0.5 * np.sum(w * residual**2) / np.sum(w) + np.sum(penalty(name, fit.lam, np.abs(fit.coefficients)))
