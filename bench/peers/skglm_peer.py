# SPDX-License-Identifier: BSD-3-Clause
"""skglm: working sets, Anderson acceleration or proximal Newton; compiled on a small part of the data beforehand."""

import warnings

import numpy as np
import worker
from skglm.datafits import Logistic, Quadratic
from skglm.penalties import L1, MCPenalty, SCAD
from skglm.solvers import AndersonCD, ProxNewton

warnings.simplefilter("ignore")


def penalty_of(problem, rows, share=1.0):
    scale = share if problem["scale"] == "mean" else share / rows
    if problem["penalty"] == "mcp":  # mcp / n is mcp with lambda / n and gamma n
        return MCPenalty(problem["lambda"] * scale, problem["gamma"] / scale)
    if problem["penalty"] == "scad":
        if problem["scale"] != "mean":
            raise ValueError("scad has no equal on another scale")
        return SCAD(problem["lambda"] * share, problem["a"])
    return L1(problem["lambda"] * scale)


def prepare(A, y, problem):
    datafit = Logistic() if problem["loss"] == "logistic" else Quadratic()
    penalty, small_penalty = (penalty_of(problem, A.shape[0], share) for share in (1.0, 0.01))
    # ProxNewton needs a convex penalty's subproblem; it is skglm's choice for l1 logistic regression.
    newton = problem["loss"] == "logistic" and problem["penalty"] == "l1"

    def solver(tolerance):
        if newton:
            return ProxNewton(tol=tolerance, max_iter=1000, fit_intercept=False)
        return AndersonCD(tol=tolerance, max_iter=1000, fit_intercept=False)

    # Every step must have run once to be compiled: a small part of the data, with a lambda that lets features in.
    strongest = np.sort(np.argsort(-np.abs(A.T @ y))[:50])
    solver(1e-8).solve(A[:, strongest], y, datafit, small_penalty)
    return lambda tolerance: solver(tolerance).solve(A, y, datafit, penalty)[0]


worker.main(prepare)
