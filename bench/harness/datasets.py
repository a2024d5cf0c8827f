# SPDX-License-Identifier: BSD-3-Clause
"""The data of the cases: generated from a seed, or read from DCPN_DATA, and kept in the form each peer reads.

NAME/A.npz (csc) or NAME/A.npy (column-major), NAME/y.npy      the peers in Python and the evaluator
NAME/data.svm                                                  dcpn, and the readers of text
NAME/test.npz, NAME/test-y.npy                                 rows held back, where a recipe asks for it
NAME/r.json and the raw arrays beside it                       the peers in R
"""

import json
import lzma
import os
import pathlib

import numpy as np
import scipy.sparse as sp


class Missing(Exception):
    """A data set that cannot be had here; the text says why."""


# ------------------------------------------------------------------------------------------- generated

def text_like(rows, columns, seed, words_per_row=150, relevant=500, noise=0.3):
    """Words by Zipf's law, term frequencies damped by a logarithm and weighted by rarity, rows of norm 1."""
    rng = np.random.default_rng(seed)
    lengths = 2 * np.maximum(5, rng.lognormal(np.log(words_per_row / 2), 0.5, rows)).astype(int)
    ranks = np.arange(1, columns + 1)
    share = 1.0 / (ranks + 20.0)
    words = np.searchsorted(np.cumsum(share / share.sum()), rng.random(int(lengths.sum()))).clip(0, columns - 1)
    row = np.repeat(np.arange(rows), lengths)
    counts = sp.csr_matrix((np.ones(len(row)), (row, words)), shape=(rows, columns))
    counts.sum_duplicates()
    counts.data = 1.0 + np.log(counts.data)
    seen = np.bincount(counts.indices, minlength=columns)
    A = unit_rows(sp.csr_matrix(counts @ sp.diags(np.log(rows / np.maximum(seen, 1.0)))))
    truth = np.zeros(columns)
    chosen = rng.choice(min(columns, 10000), relevant, replace=False)
    truth[chosen] = rng.standard_normal(relevant) * 5.0
    return A, A @ truth, noise, rng


def url_like(rows, columns, seed, entries_per_row=115, noise=0.3):
    """A few features that nearly every row has, some that many have, and a long tail seen once or twice."""
    rng = np.random.default_rng(seed)
    parts = []
    for i in range(rows):
        common = rng.choice(200, entries_per_row // 2, replace=False)
        tail = np.unique((columns * rng.random(entries_per_row - len(common)) ** 3).astype(int))
        parts.append(np.unique(np.concatenate([common, tail])))
    indptr = np.concatenate([[0], np.cumsum([len(p) for p in parts])])
    A = sp.csr_matrix((np.ones(indptr[-1]), np.concatenate(parts), indptr), shape=(rows, columns))
    truth = np.zeros(columns)
    truth[:200] = rng.standard_normal(200)
    return A, A @ truth, noise, rng


def gaussian(rows, columns, seed, relevant=50, correlation=0.5, noise=0.3):
    """Columns with an autoregressive correlation, standardised (mean 0, mean square 1)."""
    rng = np.random.default_rng(seed)
    A = np.empty((rows, columns), order="F")
    A[:, 0] = rng.standard_normal(rows)
    innovation = np.sqrt(1.0 - correlation**2)
    for j in range(1, columns):
        A[:, j] = correlation * A[:, j - 1] + innovation * rng.standard_normal(rows)
    standardise(A)
    truth = np.zeros(columns)
    chosen = rng.choice(columns, relevant, replace=False)
    truth[chosen] = rng.choice([-1.0, 1.0], relevant)
    return A, A @ truth, noise, rng


def pairs(rows, columns, seed, relevant=20, noise=0.3):
    """Independent columns, each there twice, standardised."""
    rng = np.random.default_rng(seed)
    A = np.asfortranarray(np.repeat(rng.standard_normal((rows, columns // 2)), 2, axis=1))
    standardise(A)
    truth = np.zeros(columns)
    chosen = rng.choice(columns, relevant, replace=False)
    truth[chosen] = rng.choice([-1.0, 1.0], relevant)
    return A, A @ truth, noise, rng


def toy(rows, columns, seed, relevant=50):
    """Two classes that differ in the relevant features, with one covariance: nearly separable; columns standardised."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(rows) < 0.5, -1.0, 1.0)
    mixing = rng.standard_normal((relevant, relevant)) / np.sqrt(relevant)
    means = rng.choice([-1.0, 1.0], relevant)
    A = np.empty((rows, columns), order="F")
    for j in range(columns):
        A[:, j] = rng.standard_normal(rows)
    A[:, :relevant] = A[:, :relevant] @ mixing + np.outer(y, means) * 0.2
    A[:, :] = A[:, rng.permutation(columns)]
    standardise(A)
    return A, y, None, rng


def paper_toy(rows, columns, seed, relevant=50):
    """The paper's toy problem: means of +-1 and a Wishart covariance for each class; columns standardised."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(rows) < 0.5, -1.0, 1.0)
    A = np.empty((rows, columns), order="F")
    for j in range(columns):
        A[:, j] = rng.standard_normal(rows)
    for label in (-1.0, 1.0):
        A[y == label, :relevant] = A[y == label, :relevant] @ rng.standard_normal((relevant, relevant))
    A[:, :relevant] += np.outer(y, rng.choice([-1.0, 1.0], relevant))
    A[:, :] = A[:, rng.permutation(columns)]
    standardise(A)
    return A, y, None, rng


GENERATORS = {"text-like": text_like, "url-like": url_like, "gaussian": gaussian, "pairs": pairs, "toy": toy,
              "paper-toy": paper_toy}


def standardise(A):
    for j in range(A.shape[1]):
        A[:, j] -= A[:, j].mean()
        A[:, j] /= np.sqrt(np.mean(A[:, j] ** 2))


def unit_rows(A):
    norms = np.sqrt(np.asarray(A.multiply(A).sum(axis=1)).ravel())
    return sp.csr_matrix(sp.diags(1.0 / np.where(norms > 0.0, norms, 1.0)) @ A)


def unit_columns(A):
    """Columns of mean square 1, not centred: what a sparse matrix can stand."""
    squares = np.asarray(A.multiply(A).mean(axis=0)).ravel()
    return sp.csr_matrix(A @ sp.diags(1.0 / np.sqrt(np.where(squares > 0.0, squares, 1.0))))


def generate(recipe):
    around = ("generate", "target", "digits", "column-scale")
    arguments = {key: value for key, value in recipe.items() if key not in around}
    A, signal, noise, rng = GENERATORS[recipe["generate"]](**arguments)
    if noise is None:
        y = signal
    else:
        signal = signal / np.std(signal)
        y = signal + noise * rng.standard_normal(len(signal))
        y -= y.mean()
        if recipe.get("target", "class") == "class":
            y = np.where(y >= 0.0, 1.0, -1.0)
    if recipe.get("column-scale"):
        A = unit_columns(A)
    if "digits" in recipe:
        A = np.round(A, recipe["digits"])
    return A, y


# ------------------------------------------------------------------------------------------------ read

def parse_libsvm(text, columns):
    """Plain LIBSVM text with feature numbers from 1; columns as the caller declares them."""
    lines = text.splitlines()
    counts = np.fromiter((line.count(b":") for line in lines), dtype=np.int64, count=len(lines))
    numbers = np.array(text.replace(b":", b" ").split(), dtype=np.float64)
    starts = np.concatenate([[0], np.cumsum(2 * counts + 1)[:-1]])
    y = numbers[starts]
    pairs = np.delete(numbers, starts).reshape(-1, 2)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    A = sp.csr_matrix((pairs[:, 1].copy(), (pairs[:, 0] - 1).astype(np.int64), indptr), shape=(len(lines), columns))
    A.sort_indices()
    return A, y


def read_real(recipe):
    folder = os.environ.get("DCPN_DATA")
    if not folder:
        raise Missing("DCPN_DATA does not name the folder of the real sets")
    path = pathlib.Path(folder) / (recipe["real"] + ".libsvm.xz")
    if not path.exists():
        raise Missing(f"DCPN_DATA has no {path.name}")
    A, y = parse_libsvm(lzma.open(path).read(), recipe["columns"])
    return (unit_rows(A) if recipe.get("rows") == "unit" else A), y


# ------------------------------------------------------------------------------------------------ kept

def write_libsvm(path, A, y, digits):
    form = f"{{}}:{{:.{digits}f}}" if digits else "{}:{!r}"
    labels = ["+1" if v == 1.0 else "-1" if v == -1.0 else repr(float(v)) for v in y]
    with open(path, "w", encoding="ascii") as out:
        if sp.issparse(A):
            R = sp.csr_matrix(A)
            for i, label in enumerate(labels):
                part = slice(R.indptr[i], R.indptr[i + 1])
                pairs = zip((R.indices[part] + 1).tolist(), R.data[part].tolist())
                out.write(label + "".join(f" {j}:{v!r}" for j, v in pairs) + "\n")
        else:
            template = " ".join(["{}"] + [form.replace("{}", str(j + 1), 1) for j in range(A.shape[1])]) + "\n"
            for i, label in enumerate(labels):
                out.write(template.format(label, *A[i].tolist()))


def write_for_r(folder, A, y):
    y.astype("<f8").tofile(folder / "y.bin")
    if sp.issparse(A):
        A.data.astype("<f8").tofile(folder / "x.bin")
        A.indices.astype("<i4").tofile(folder / "i.bin")
        A.indptr.astype("<i4").tofile(folder / "p.bin")
    else:
        A.T.astype("<f8", copy=False).tofile(folder / "x.bin")
    facts = {"rows": A.shape[0], "columns": A.shape[1], "entries": int(A.nnz) if sp.issparse(A) else A.size,
             "dense": not sp.issparse(A)}
    (folder / "r.json").write_text(json.dumps(facts))


def split(A, y, share):
    """Some rows for training and a share of them held back, by a fixed shuffle."""
    order = np.random.default_rng(0).permutation(len(y))
    held = int(round(share * len(y)))
    test, train = np.sort(order[:held]), np.sort(order[held:])
    R = sp.csr_matrix(A)
    return R[train], y[train], R[test], y[test]


def store(folder, A, y, recipe):
    folder.mkdir(parents=True, exist_ok=True)
    if "test-share" in recipe:
        A, y, test, test_y = split(A, y, recipe["test-share"])
        sp.save_npz(folder / "test.npz", test, compressed=False)
        np.save(folder / "test-y.npy", test_y)
    if sp.issparse(A):
        A = sp.csc_matrix(A)
        A.sort_indices()
        sp.save_npz(folder / "A.npz", A, compressed=False)
    else:
        A = np.asfortranarray(A)
        np.save(folder / "A.npy", A)
    np.save(folder / "y.npy", y)
    write_libsvm(folder / "data.svm", A, y, recipe.get("digits"))
    write_for_r(folder, A, y)
    (folder / "recipe.json").write_text(json.dumps(recipe, sort_keys=True))


def load(folder):
    """A (csc, or a column-major array) and y."""
    folder = pathlib.Path(folder)
    y = np.load(folder / "y.npy")
    if (folder / "A.npy").exists():
        return np.load(folder / "A.npy"), y
    return sp.load_npz(folder / "A.npz"), y


def load_test(folder):
    return sp.load_npz(folder / "test.npz"), np.load(folder / "test-y.npy")


def prepare(root, name, recipe):
    """The folder of a data set, made if it is not there or was made by another recipe."""
    folder = pathlib.Path(root) / name
    kept = folder / "recipe.json"
    if not (kept.exists() and json.loads(kept.read_text()) == recipe):
        A, y = generate(recipe) if "generate" in recipe else read_real(recipe)
        store(folder, A, y, recipe)
    return folder
