# SPDX-License-Identifier: BSD-3-Clause
"""picasso: pathwise coordinate descent on a dense matrix; here at the lambda or the lambdas of the case."""

import warnings

import numpy as np
import scipy.sparse as sp
import worker
from pycasso import Solver

warnings.simplefilter("ignore")
FAMILIES = {"squared": "gaussian", "logistic": "binomial"}


def prepare(A, y, problem):
    dense = np.ascontiguousarray(A.toarray() if sp.issparse(A) else A)
    rows = dense.shape[0]
    lambdas = np.array(problem.get("lambdas") or [problem["lambda"]]) / (1.0 if problem["scale"] == "mean" else rows)
    labels = y if problem["loss"] == "squared" else (y > 0).astype(float)
    shape = problem.get("gamma") if problem["penalty"] == "mcp" else problem.get("a")

    def solve(tolerance):
        solver = Solver(dense, labels, lambdas=lambdas, family=FAMILIES[problem["loss"]], penalty=problem["penalty"],
                        gamma=shape or 3, useintercept=False, standardize=False, prec=tolerance, max_ite=100000)
        solver.train()
        return solver.coef()["beta"]

    return solve


worker.main(prepare)
