#!/usr/bin/env python3
"""Formats as other software reads and writes them.

usage: peers.py CONVERT

Writes matrices with NumPy and SciPy, has CONVERT (tests/formats/convert.c) read them and write them in another format,
and reads that with NumPy and SciPy again: every number must be the same. Without them there is nothing to compare with;
that is said, and is no failure.
"""

import csv
import itertools
import os
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError:
    system = "/usr/bin/python3"
    if sys.executable != system and os.path.exists(system) and "DCPN_PEERS_AGAIN" not in os.environ:
        os.environ["DCPN_PEERS_AGAIN"] = "1"
        os.execv(system, [system, *sys.argv])
    print("skipped: NumPy and SciPy (python3-scipy) are not installed")
    sys.exit(0)

convert = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(20240607)


def dense(rows, columns, dtype):
    X = np.round(rng.standard_normal((rows, columns)) * 50)
    if np.dtype(dtype).kind == "u" or np.dtype(dtype).kind == "b":
        X = np.abs(X)
    if np.dtype(dtype).kind == "f":
        X = X * 0.37
    return X.astype(dtype)


def sparse(rows, columns, density=0.2):
    return sp.random(rows, columns, density, "coo", random_state=rng, data_rvs=rng.standard_normal)


def run(source, source_format, target, target_format, *labels):
    done = subprocess.run([convert, source_format, source, target_format, target, *labels],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def converted(*arguments):
    code, said = run(*arguments)
    assert code == 0 and said == "", (arguments, said)


def refused(fragment, *arguments):
    code, said = run(*arguments)
    assert code == 1 and fragment in said, (arguments, said)


def load(path):
    """The matrix and the labels of an archive that dcpn wrote."""
    with np.load(path) as archive:
        y = archive["y"]
        X = archive["X"] if "X" in archive else sp.load_npz(path).toarray()
    assert zipfile.ZipFile(path).testzip() is None
    return X, y


def same(X, Y):
    assert X.shape == Y.shape and np.array_equal(np.asarray(X, float), np.asarray(Y, float))


def numpy_arrays():
    types = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
    for kind, order, layout in itertools.product(types, "<>", "CF"):
        X = np.array(dense(7, 5, kind), dtype=np.dtype(kind).newbyteorder(order), order=layout)
        np.save("x.npy", X)
        converted("x.npy", "npy", "out.npy", "npy")
        same(np.load("out.npy"), X)
        converted("x.npy", "npy", "out.npz", "npz")
        same(load("out.npz")[0], X)
    for version in ((1, 0), (2, 0), (3, 0)):
        with open("x.npy", "wb") as file:
            np.lib.format.write_array(file, X, version=version)
        converted("x.npy", "npy", "out.npy", "npy")
        same(np.load("out.npy"), X)
    np.save("x.npy", np.array([[None, 1]], dtype=object), allow_pickle=True)
    refused("objects are never loaded", "x.npy", "npy", "out.npy", "npy")


def scipy_matrices():
    A = sparse(23, 17)
    for form, index, compressed in itertools.product(("csr", "csc", "coo"), ("i4", "i8"), (False, True)):
        B = A.asformat(form)
        for name in ("indices", "indptr", "row", "col"):
            if hasattr(B, name):
                setattr(B, name, getattr(B, name).astype(index))
        sp.save_npz("x.npz", B, compressed=compressed)
        converted("x.npz", "npz", "out.npz", "npz")
        X, y = load("out.npz")
        same(X, A.toarray())
        assert np.isnan(y).all() and sp.load_npz("out.npz").nnz == A.nnz
    for form in ("bsr", "dia"):
        sp.save_npz("x.npz", A.asformat(form))
        refused(f"of the form '{form}'", "x.npz", "npz", "out.npz", "npz")
    doubled = sp.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 3))
    sp.save_npz("x.npz", doubled)
    converted("x.npz", "npz", "out.npz", "npz")
    same(load("out.npz")[0], doubled.toarray())


def labelled_archives():
    X = dense(11, 4, "f8")
    for y in (np.arange(11), np.arange(11) % 2 == 0, rng.standard_normal(11).astype("f4"),
              np.array(["née", "b"] * 5 + ["c"]), np.array([b"x", b"yy"] * 5 + [b"x"])):
        for save in (np.savez, np.savez_compressed):
            save("x.npz", X=X, y=y)
            converted("x.npz", "npz", "out.npz", "npz")
            Z, back = load("out.npz")
            same(Z, X)
            expected = y.astype(str) if y.dtype.kind in "SU" else y.astype(float)
            assert np.array_equal(back, expected), (back, expected)
    np.savez("x.npz", X, np.arange(11))
    converted("x.npz", "npz", "out.npz", "npz")
    assert np.array_equal(load("out.npz")[1], np.arange(11))


def matrix_market():
    A = sparse(19, 13)
    square = sparse(9, 9)
    cases = [(A, "real", "general"), (A.toarray(), "real", "general"), ((A != 0).astype(int), "pattern", "general"),
             (sp.coo_matrix(np.round(9 * A.toarray()).astype(int)), "integer", "general"),
             (sp.coo_matrix(square + square.T), "real", "symmetric"),
             (sp.coo_matrix(square - square.T), "real", "skew-symmetric"),
             ((square + square.T).toarray(), "real", "symmetric"),
             ((square - square.T).toarray(), "real", "skew-symmetric")]
    for M, field, symmetry in cases:
        scipy.io.mmwrite("x.mtx", M, field=field, symmetry=symmetry, precision=17)
        converted("x.mtx", "matrix-market", "out.mtx", "matrix-market")
        back = scipy.io.mmread("out.mtx")
        same(back.toarray() if sp.issparse(back) else back, M.toarray() if sp.issparse(M) else M)


def separated():
    X = dense(9, 6, "f8")
    names = ["plain", "with, comma", 'with "quote"', "x4", " blank", "é"]
    with open("x.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(names + ["species"])
        rows.writerows([*map(repr, map(float, x)), "a b" if i % 3 else 'q"uote, d'] for i, x in enumerate(X))
    for source, target in (("csv", "csv"), ("csv", "tsv")):
        converted("x." + source, source, "out." + target, target)
        with open("out." + target, newline="", encoding="utf-8") as file:
            back = list(csv.reader(file, delimiter="," if target == "csv" else "\t"))
        assert back[0] == ["plain", "with, comma", 'with "quote"', "x4", "blank", "é", "label"], back[0]
        same(np.array([[float(v) for v in row[:-1]] for row in back[1:]]), X)
        assert [row[-1] for row in back[1:]] == ["a b" if i % 3 else 'q"uote, d' for i in range(9)]
    converted("x.csv", "csv", "out.npz", "npz")
    assert np.load("out.npz")["feature_names"].tolist()[:3] == names[:3]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in (numpy_arrays, scipy_matrices, labelled_archives, matrix_market, separated):
        part()
        print(part.__name__, "agrees")
    os.chdir("/")
