#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/matrices.md: planted edges, ranks and atoms, found with l1 and with penalties that are not convex.

usage: PYTHONPATH=build/release/python experiments/matrices.py [--small]

Needs NumPy and scikit-learn; --small takes seconds.
"""

import sys

import numpy as np

import dcpn


def precision(kind, p, rng):
    """banded: .4 and .2 beside the diagonal; random: about four neighbours each. Both of diagonal 1."""
    if kind == "banded":
        return np.eye(p) + 0.4 * (np.eye(p, k=1) + np.eye(p, k=-1)) + 0.2 * (np.eye(p, k=2) + np.eye(p, k=-2))
    A = np.triu(rng.random((p, p)) < 4 / p, 1) * rng.uniform(0.3, 0.6, (p, p)) * rng.choice([-1, 1], (p, p))
    A = A + A.T
    np.fill_diagonal(A, np.abs(A).sum(1) + 0.1)
    d = np.sqrt(np.diag(A))
    return A / d / d[:, None]


def graphs(p, rows):
    for kind in ("banded", "random"):
        K = precision(kind, p, np.random.default_rng(5))
        X = np.linalg.solve(np.linalg.cholesky(K).T, np.random.default_rng(6).standard_normal((p, rows))).T
        truth = np.abs(np.triu(K, 1)) > 0
        for penalty in ("l1", "scad", "capped-l1", "mcp"):
            model = dcpn.GraphicalModel(penalty=penalty).fit(X)
            found = np.zeros_like(truth)
            found[tuple(model.edges_.T)] = True
            hits = np.sum(found & truth)
            print(f"graph {kind:7} {penalty:10} {len(model.edges_):4} edges, {truth.sum()} true, F1 {2 * hits / (found.sum() + truth.sum()):.2f}")


def completion(rows, columns, rank):
    rng = np.random.default_rng(8)
    M = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns)) / np.sqrt(rank)
    seen = rng.random(M.shape) < 0.1
    Y = np.where(seen, M + 0.5 * rng.standard_normal(M.shape), np.nan)
    largest = np.linalg.norm(np.nan_to_num(Y), 2)
    for penalty, share in (("l1", 0.2), ("mcp", 0.2), ("mcp", 0.3), ("mcp", None)):
        model = dcpn.MatrixCompletion(penalty=penalty, lam=share and share * largest, tol=1e-3 if share else 1e-2).fit(Y)
        error = np.linalg.norm(model.complete() - M) / np.linalg.norm(M)
        how = "given" if share else "chosen by entries held out"
        print(f"completion {penalty:4} lambda {model.lam_:.3g} ({how}): rank {model.rank_} of {rank}, error {error:.3f}")


def dictionary(rows, length, atoms, used, draws):
    """Means over draws of the atoms found and of the codes of a row."""
    found = {"l1": [], "mcp": [], "capped-l1": []}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        D = rng.standard_normal((atoms, length))
        D /= np.linalg.norm(D, axis=1)[:, None]
        C = np.zeros((rows, atoms))
        for code in C:
            code[rng.choice(atoms, used, replace=False)] = rng.choice([-1, 1], used) * rng.uniform(1, 2, used)
        X = C @ D + 0.2 * rng.standard_normal((rows, length))
        for penalty, so_far in found.items():
            model = dcpn.SparseFactorization(atoms, penalty=penalty, lam=0.4, tol=1e-3, seed=seed).fit(X)
            hits = np.sum(np.max(np.abs(model.components_ @ D.T), axis=0) > 0.99)
            so_far.append((hits, np.mean(np.sum(model.codes_ != 0, axis=1))))
    for penalty, so_far in found.items():
        hits, codes = np.mean(so_far, axis=0)
        print(f"dictionary {penalty:9} {hits:.1f} of {atoms} atoms found, {codes:.1f} a row ({used} true)")


def main():
    small = "--small" in sys.argv
    graphs(*((40, 200) if small else (200, 400)))
    completion(*((200, 100, 3) if small else (2000, 1000, 10)))
    dictionary(*((300, 20, 15, 3, 2) if small else (600, 30, 40, 3, 4)))


main()
