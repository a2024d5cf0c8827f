# SPDX-License-Identifier: BSD-3-Clause
"""celer: dual extrapolation and working sets for l1."""

import warnings

import worker
from celer import Lasso, LogisticRegression

warnings.simplefilter("ignore")


def prepare(A, y, problem):
    rows = A.shape[0]
    weight = 1.0 / rows if problem["scale"] == "mean" else 1.0
    if problem["loss"] == "squared":
        alpha = problem["lambda"] / (weight * rows)
        return lambda tolerance: Lasso(alpha=alpha, tol=tolerance, max_iter=1000, fit_intercept=False).fit(A, y).coef_
    C = weight / problem["lambda"]
    return lambda tolerance: LogisticRegression(C=C, tol=tolerance, max_iter=1000).fit(A, y).coef_


worker.main(prepare)
