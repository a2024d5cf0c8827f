# SPDX-License-Identifier: BSD-3-Clause
"""skglm: working sets, Anderson acceleration or proximal Newton; compiled on a small part of the data beforehand."""

import warnings

import worker
from skglm.datafits import Logistic, Quadratic
from skglm.penalties import L1, MCPenalty, SCAD
from skglm.solvers import AndersonCD, ProxNewton

warnings.simplefilter("ignore")


def penalty_of(problem, rows):
    scale = 1.0 if problem["scale"] == "mean" else 1.0 / rows
    if problem["penalty"] == "mcp":  # mcp / n is mcp with lambda / n and gamma n
        return MCPenalty(problem["lambda"] * scale, problem["gamma"] / scale)
    if problem["penalty"] == "scad":
        if problem["scale"] != "mean":
            raise ValueError("scad has no equal on another scale")
        return SCAD(problem["lambda"], problem["a"])
    return L1(problem["lambda"] * scale)


def prepare(A, y, problem):
    datafit = Logistic() if problem["loss"] == "logistic" else Quadratic()
    penalty = penalty_of(problem, A.shape[0])
    # ProxNewton needs a convex penalty's subproblem; it is skglm's choice for l1 logistic regression.
    newton = problem["loss"] == "logistic" and problem["penalty"] == "l1"

    def solver(tolerance):
        if newton:
            return ProxNewton(tol=tolerance, max_iter=1000, fit_intercept=False)
        return AndersonCD(tol=tolerance, max_iter=1000, fit_intercept=False)

    def solve_on(part, labels, tolerance):
        return solver(tolerance).solve(part, labels, datafit, penalty)[0]

    solve_on(A[:, :20], y, 1e-2)
    return lambda tolerance: solve_on(A, y, tolerance)


worker.main(prepare)
