# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn: Lasso (coordinate descent) for the squared loss, saga for the logistic one."""

import warnings

import numpy as np
import scipy.sparse as sp
import worker
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression

warnings.simplefilter("ignore", ConvergenceWarning)


def prepare(A, y, problem):
    rows = A.shape[0]
    alpha = problem["lambda"] * (1.0 if problem["scale"] == "mean" else 1.0 / rows)
    if problem["loss"] == "squared":
        return lambda tolerance: Lasso(alpha=alpha, fit_intercept=False, tol=tolerance, max_iter=100000).fit(A, y).coef_

    R = sp.csr_matrix(A) if sp.issparse(A) else np.ascontiguousarray(A)

    def solve(tolerance):
        model = LogisticRegression(penalty="l1", C=1.0 / (alpha * rows), solver="saga", fit_intercept=False,
                                   tol=tolerance, max_iter=1000, random_state=0)
        return model.fit(R, y).coef_

    return solve


worker.main(prepare)
