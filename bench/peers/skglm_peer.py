# SPDX-License-Identifier: BSD-3-Clause
"""skglm: working sets, Anderson acceleration or proximal Newton; compiled on a small part of the data beforehand."""

import warnings

import numpy as np
import worker
from skglm.datafits import Logistic, Quadratic
from skglm.penalties import L1, MCPenalty, SCAD
from skglm.solvers import AndersonCD, ProxNewton

warnings.simplefilter("ignore")


def penalty_of(problem, rows, lam):
    scale = 1.0 if problem["scale"] == "mean" else 1.0 / rows
    if problem["penalty"] == "mcp":  # mcp / n is mcp with lambda / n and gamma n
        return MCPenalty(lam * scale, problem["gamma"] / scale)
    if problem["penalty"] == "scad":
        if problem["scale"] != "mean":
            raise ValueError("scad has no equal on another scale")
        return SCAD(lam, problem["a"])
    return L1(lam * scale)


def prepare(A, y, problem):
    datafit = Logistic() if problem["loss"] == "logistic" else Quadratic()
    lambdas = problem.get("lambdas") or [problem["lambda"]]
    penalties = [penalty_of(problem, A.shape[0], lam) for lam in lambdas]
    # ProxNewton needs a convex penalty's subproblem; it is skglm's choice for l1 logistic regression.
    newton = problem["loss"] == "logistic" and problem["penalty"] == "l1"

    def solver(tolerance):
        if newton:
            return ProxNewton(tol=tolerance, max_iter=1000, fit_intercept=False)
        return AndersonCD(tol=tolerance, max_iter=1000, fit_intercept=False)

    # Every step must have run once to be compiled: a small part of the data, with a lambda that lets features in.
    strongest = np.sort(np.argsort(-np.abs(A.T @ y))[:50])
    solver(1e-8).solve(A[:, strongest], y, datafit, penalty_of(problem, A.shape[0], 0.01 * lambdas[-1]))

    def solve(tolerance):
        """From 0, and along a path from the fit before."""
        x, u, found = np.zeros(A.shape[1]), np.zeros(A.shape[0]), []
        for penalty in penalties:
            x = solver(tolerance).solve(A, y, datafit, penalty, x.copy(), u)[0]
            u = A @ x
            found.append(x)
        return found

    return solve


worker.main(prepare)
