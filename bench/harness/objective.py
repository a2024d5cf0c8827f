# SPDX-License-Identifier: BSD-3-Clause
"""The one evaluator: F(x) = loss(A x) + penalty(x) in double precision, for whoever found x."""

import numpy as np


def logistic(u, y):
    return np.logaddexp(0.0, -y * u)


def squared(u, y):
    return 0.5 * (u - y) ** 2


def squared_hinge(u, y):
    return np.maximum(0.0, 1.0 - y * u) ** 2


LOSSES = {"logistic": logistic, "squared": squared, "squared-hinge": squared_hinge}

# phi'(0), for lambda_max
SLOPES_AT_ZERO = {
    "logistic": lambda y: -0.5 * y,
    "squared": lambda y: -y,
    "squared-hinge": lambda y: -2.0 * y,
}


def l1(t, problem):
    return problem["lambda"] * t


def capped_l1(t, problem):
    return problem["lambda"] * np.minimum(t, problem["theta"])


def mcp(t, problem):
    lam, gamma = problem["lambda"], problem["gamma"]
    return np.where(t <= gamma * lam, lam * t - t * t / (2.0 * gamma), 0.5 * gamma * lam * lam)


def scad(t, problem):
    lam, a = problem["lambda"], problem["a"]
    middle = (2.0 * a * lam * t - t * t - lam * lam) / (2.0 * (a - 1.0))
    return np.where(t <= lam, lam * t, np.where(t <= a * lam, middle, 0.5 * lam * lam * (a + 1.0)))


PENALTIES = {"l1": l1, "capped-l1": capped_l1, "mcp": mcp, "scad": scad}


def loss_weight(problem, rows):
    return 1.0 / rows if problem["scale"] == "mean" else 1.0


def objective(A, y, x, problem):
    """F at x; problem holds loss, penalty, lambda, scale and the parameters of the penalty."""
    support = np.flatnonzero(x)
    u = A[:, support] @ x[support]
    losses = LOSSES[problem["loss"]](np.asarray(u).ravel(), y)
    penalties = PENALTIES[problem["penalty"]](np.abs(x[support]), problem)
    return float(loss_weight(problem, A.shape[0]) * np.sum(losses) + np.sum(penalties))


def lambda_max(A, y, problem):
    """The least lambda with which 0 is stationary."""
    gradient = A.T @ SLOPES_AT_ZERO[problem["loss"]](y)
    return float(loss_weight(problem, A.shape[0]) * np.max(np.abs(gradient)))
