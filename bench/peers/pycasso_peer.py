# SPDX-License-Identifier: BSD-3-Clause
"""picasso: pathwise coordinate descent on a dense matrix; here at the one lambda, and as a path of ten down to it."""

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
    lam = problem["lambda"] * (1.0 if problem["scale"] == "mean" else 1.0 / rows)
    labels = y if problem["loss"] == "squared" else (y > 0).astype(float)
    shape = problem.get("gamma") if problem["penalty"] == "mcp" else problem.get("a")
    if problem.get("lambdas"):
        lambdas = np.array(problem["lambdas"]) * lam / problem["lambda"]
    else:
        lambdas = np.array([lam])

    def make(tolerance):
        return Solver(dense, labels, lambdas=lambdas, family=FAMILIES[problem["loss"]], penalty=problem["penalty"],
                      gamma=shape or 3, useintercept=False, standardize=False, prec=tolerance, max_ite=100000)

    def solve(tolerance):
        solver = make(tolerance)
        solver.train()
        return solver.coef()["beta"][-1]

    return solve


worker.main(prepare)
