# SPDX-License-Identifier: BSD-3-Clause
"""adelie: coordinate descent along a path with strong rules, for l1 here; groups are its purpose.

Its losses are means over the rows."""

import warnings

import adelie
import numpy as np
import scipy.sparse as sp
import worker

warnings.simplefilter("ignore")


def prepare(A, y, problem):
    rows = A.shape[0]
    lambdas = np.array(problem.get("lambdas") or [problem["lambda"]], dtype=float)
    if problem["scale"] != "mean":
        lambdas = lambdas / rows
    X = adelie.matrix.sparse(sp.csc_matrix(A), method="naive") if sp.issparse(A) else np.asfortranarray(A)
    is_class = problem["loss"] == "logistic"
    glm = adelie.glm.binomial(y=np.where(y > 0.0, 1.0, 0.0)) if is_class else adelie.glm.gaussian(y=y)

    def solve(tolerance):
        state = adelie.grpnet(X, glm, lmda_path=lambdas, intercept=False, early_exit=False, tol=tolerance,
                              irls_tol=tolerance, progress_bar=False, n_threads=1)
        return state.betas.toarray()

    return solve


worker.main(prepare)
