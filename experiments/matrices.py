#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Planted edges, ranks and atoms: what l1, penalties that are not convex, and other software find of them.

usage: PYTHONPATH=build/release/python experiments/matrices.py [graphs] [completion] [atoms] [--draws N] [--small] [--output FOLDER]

Everything is as it comes: no setting was chosen by these draws, which are numbered from 1000. Each part makes a table of
all draws (CSV) and a page with their means and a figure; both parts of a name are in FOLDER, build/matrices unless said.
Times are processor seconds. Needs NumPy and scikit-learn; --small takes seconds.
"""

import argparse
import csv
import html
import os
import pathlib
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
from sklearn.covariance import GraphicalLassoCV
from sklearn.decomposition import DictionaryLearning, MiniBatchDictionaryLearning

import dcpn

warnings.filterwarnings("ignore")
FIRST_DRAW = 1000


def timed(work):
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


# ---- edges -----------------------------------------------------------------------------------------------------------

def precision(kind, p, rng):
    """banded: .4 and .2 beside the diagonal; random: about four neighbours each. Both of diagonal 1."""
    if kind == "banded":
        return np.eye(p) + 0.4 * (np.eye(p, k=1) + np.eye(p, k=-1)) + 0.2 * (np.eye(p, k=2) + np.eye(p, k=-2))
    A = np.triu(rng.random((p, p)) < 4 / p, 1) * rng.uniform(0.3, 0.6, (p, p)) * rng.choice([-1, 1], (p, p))
    A = A + A.T
    np.fill_diagonal(A, np.abs(A).sum(1) + 0.1)
    d = np.sqrt(np.diag(A))
    return A / d / d[:, None]


def edges_of(precision_matrix):
    return np.abs(np.triu(precision_matrix, 1)) > 0


def graphs(draw, small):
    p, rows = (30, 150) if small else (100, 300)
    for kind in ("banded", "random"):
        rng = np.random.default_rng(draw)
        K = precision(kind, p, rng)
        X = np.linalg.solve(np.linalg.cholesky(K).T, rng.standard_normal((p, rows))).T
        truth = edges_of(K)

        def score(found, seconds, method):
            hits = np.sum(found & truth)
            return {"problem": kind, "method": method, "score": 2 * hits / (found.sum() + truth.sum()), "kept": int(found.sum()),
                    "true": int(truth.sum()), "seconds": seconds}

        for penalty in ("l1", "mcp", "scad", "capped-l1", "log"):
            model, seconds = timed(lambda penalty=penalty: dcpn.GraphicalModel(penalty=penalty).fit(X))
            yield score(edges_of(model.precision_), seconds, f"dcpn {penalty}, EBIC")
        scaled = (X - X.mean(0)) / X.std(0)
        model, seconds = timed(lambda: GraphicalLassoCV().fit(scaled))
        yield score(edges_of(model.precision_), seconds, "scikit-learn GraphicalLassoCV")


# ---- rank ------------------------------------------------------------------------------------------------------------

def soft_impute(Y, seen, threshold, X):
    """The nuclear norm by its textbook iteration: the places that are not seen from the last X, then soft singular values."""
    for _ in range(200):
        U, s, V = np.linalg.svd(np.where(seen, Y, X), full_matrices=False)
        s = np.maximum(s - threshold, 0)
        before, X = X, (U * s) @ V
        if np.linalg.norm(X - before) <= 1e-4 * np.linalg.norm(before) + 1e-12:
            break
    return X, int(np.sum(s > 0))


def soft_impute_by_held_out(Y, seen, rng):
    held = seen & (rng.random(Y.shape) < 0.1)
    fitted, best = seen & ~held, (np.inf, 0)
    largest, X = np.linalg.norm(np.where(fitted, Y, 0), 2), np.zeros_like(Y)
    for share in np.geomspace(1, 0.05, 20):
        X, _ = soft_impute(Y, fitted, share * largest, X)
        best = min(best, (np.mean((Y - X)[held] ** 2), share * largest))
    return soft_impute(Y, seen, best[1], X)


def completion(draw, small):
    rows, columns, rank = (60, 40, 3) if small else (300, 200, 6)
    rng = np.random.default_rng(draw)
    M = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns)) / np.sqrt(rank)
    seen = rng.random(M.shape) < (0.5 if small else 0.25)
    Y = np.where(seen, M + 0.5 * rng.standard_normal(M.shape), np.nan)

    def score(X, found, seconds, method):
        return {"problem": f"rank {rank}", "method": method, "score": np.linalg.norm(X - M) / np.linalg.norm(M), "kept": found,
                "true": rank, "seconds": seconds}

    for penalty in ("l1", "mcp", "scad", "capped-l1", "log"):
        model, seconds = timed(lambda penalty=penalty: dcpn.MatrixCompletion(penalty=penalty).fit(Y))
        yield score(model.complete(), model.rank_, seconds, f"dcpn {penalty}, entries held out")
    (X, found), seconds = timed(lambda: soft_impute_by_held_out(np.nan_to_num(Y), seen, rng))
    yield score(X, found, seconds, "soft-impute, entries held out")


# ---- atoms -----------------------------------------------------------------------------------------------------------

def atoms(draw, small):
    rows, length, count, used = (200, 15, 12, 2) if small else (600, 30, 40, 3)
    rng = np.random.default_rng(draw)
    D = rng.standard_normal((count, length))
    D /= np.linalg.norm(D, axis=1)[:, None]
    C = np.zeros((rows, count))
    for code in C:
        code[rng.choice(count, used, replace=False)] = rng.choice([-1, 1], used) * rng.uniform(1, 2, used)
    X = C @ D + 0.2 * rng.standard_normal((rows, length))

    def score(found, codes, seconds, method):
        norms = np.maximum(np.linalg.norm(found, axis=1), 1e-12)
        hits = np.sum(np.max(np.abs((found / norms[:, None]) @ D.T), axis=0) > 0.99)
        return {"problem": f"{count} atoms", "method": method, "score": hits / count, "kept": np.mean(np.sum(codes != 0, axis=1)),
                "true": used, "seconds": seconds}

    for penalty in ("l1", "mcp", "scad", "capped-l1", "log"):
        model, seconds = timed(lambda penalty=penalty: dcpn.SparseFactorization(count, penalty=penalty, lam=0.4, tol=1e-3, seed=draw).fit(X))
        yield score(model.components_, model.codes_, seconds, f"dcpn {penalty}")
    for peer in (DictionaryLearning(count, alpha=0.4, fit_algorithm="cd", transform_algorithm="lasso_cd", random_state=draw),
                 MiniBatchDictionaryLearning(count, alpha=0.4, transform_algorithm="lasso_cd", random_state=draw)):
        codes, seconds = timed(lambda peer=peer: peer.fit_transform(X))
        yield score(peer.components_, codes, seconds, f"scikit-learn {type(peer).__name__}")


# ---- tables and pages ------------------------------------------------------------------------------------------------

PARTS = {"graphs": (graphs, "Edges found", "F1 of the edges", "edges kept"),
         "completion": (completion, "Rank found", "error on all entries, to the norm of the truth", "rank"),
         "atoms": (atoms, "Atoms found", "share of the atoms with a cosine above 0.99", "codes of a row")}


def means(rows):
    """Of each problem and method, in the order they came."""
    groups = {}
    for row in rows:
        groups.setdefault((row["problem"], row["method"]), []).append(row)
    for (problem, method), some in groups.items():
        scores = np.array([row["score"] for row in some])
        yield {"problem": problem, "method": method, "score": scores.mean(), "se": scores.std(ddof=min(1, len(some) - 1)) / np.sqrt(len(some)),
               "kept": np.mean([row["kept"] for row in some]), "true": some[0]["true"], "seconds": np.mean([row["seconds"] for row in some]),
               "all": scores}


def figure(lines, label):
    """A dot for each draw, a bar for their mean."""
    width, left, step = 760, 260, 26
    top = max(max(line["all"].max() for line in lines), 1e-12) * 1.05
    at = lambda value: left + (width - left - 20) * value / top
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{step * len(lines) + 50}" role="img" '
             f'style="max-width:100%;height:auto;font:13px sans-serif"><title>{html.escape(label)}</title>']
    for k, line in enumerate(lines):
        y = 20 + step * k
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end" fill="currentColor">{html.escape(line["method"])}</text>')
        parts.append(f'<line x1="{left}" x2="{at(line["score"]):.1f}" y1="{y}" y2="{y}" stroke="#0068a8" stroke-width="8" opacity="0.35"/>')
        parts += [f'<circle cx="{at(value):.1f}" cy="{y}" r="3" fill="#0068a8"/>' for value in line["all"]]
    y = step * len(lines) + 20
    for tick in np.linspace(0, top / 1.05, 5):
        parts.append(f'<text x="{at(tick):.1f}" y="{y + 14}" text-anchor="middle" fill="currentColor">{tick:.2f}</text>')
    return "\n".join([*parts, "</svg>"])


def write(folder, name, rows):
    _, title, label, kept = PARTS[name]
    with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    lines, page = list(means(rows)), [f"<!DOCTYPE html><meta charset=utf-8><title>{title}</title><style>body{{font:16px sans-serif;"
                                      "max-width:52rem;margin:2rem auto;padding:0 1rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left}"
                                      f"</style><h1>{title}</h1><p>{len({row['draw'] for row in rows})} draws; settings as they come.</p>"]
    for problem in dict.fromkeys(line["problem"] for line in lines):
        some = [line for line in lines if line["problem"] == problem]
        page += [f"<h2>{html.escape(problem)}</h2><p>{label}</p>", figure(some, label),
                 f"<table><tr><th>method<th>{label}<th>{kept} ({some[0]['true']} true)<th>seconds"]
        for line in some:
            print(f"{name:10} {problem:9} {line['method']:34} {line['score']:.3f} +- {line['se']:.3f}   {kept} {line['kept']:.1f} of "
                  f"{line['true']}   {line['seconds']:.2f} s")
            page.append(f"<tr><td>{html.escape(line['method'])}<td>{line['score']:.3f} &plusmn; {line['se']:.3f}<td>{line['kept']:.1f}"
                        f"<td>{line['seconds']:.2f}")
        page.append("</table>")
    (folder / f"{name}.html").write_text("\n".join(page) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/matrices"))
    words = parser.parse_args()
    words.output.mkdir(parents=True, exist_ok=True)
    for name in words.parts or PARTS:
        if name not in PARTS:
            parser.error(f"found {name!r}, expected {', '.join(PARTS)}")
        rows = [{"draw": draw, **row} for draw in range(FIRST_DRAW, FIRST_DRAW + words.draws) for row in PARTS[name][0](draw, words.small)]
        write(words.output, name, rows)


main()
