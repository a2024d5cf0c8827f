# SPDX-License-Identifier: BSD-3-Clause
"""snapml: IBM's coordinate solver for l1 logistic regression."""

import warnings

import numpy as np
import scipy.sparse as sp
import worker
from snapml import LogisticRegression

warnings.simplefilter("ignore")


def prepare(A, y, problem):
    # Its F is sum of losses + regularizer |x|_1; its data are by rows.
    regularizer = problem["lambda"] * (A.shape[0] if problem["scale"] == "mean" else 1.0)
    X = sp.csr_matrix(A) if sp.issparse(A) else np.ascontiguousarray(A)

    def solve(tolerance):
        model = LogisticRegression(penalty="l1", dual=False, regularizer=regularizer, tol=tolerance, max_iter=10000,
                                   fit_intercept=False, normalize=False, n_jobs=1, random_state=1)
        return np.ravel(model.fit(X, y).coef_)

    return solve


worker.main(prepare)
