#!/usr/bin/env python3
"""Formats as other software reads and writes them.

usage: peers.py CONVERT

Writes matrices with NumPy and SciPy, has CONVERT (tests/formats/convert.c) read them and write them in another format,
and reads that with NumPy and SciPy again: every number must be the same.
"""

import csv
import gzip
import itertools
import sys
import zipfile

from converter import Converter, np, scipy, sp

try:
    import h5py

    from hdf5_files import add_head, write_anndata, write_matlab73
except ImportError:
    h5py = None

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


def converted(*job):
    answer = converter.run(*job)
    assert answer == "done", (job, answer)


def refused(fragment, *job):
    answer = converter.run(*job)
    assert fragment in answer, (job, answer)


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
        converted("npy", "x.npy", "npy", "out.npy")
        same(np.load("out.npy"), X)
        converted("npy", "x.npy", "npz", "out.npz")
        same(load("out.npz")[0], X)
    for version in ((1, 0), (2, 0), (3, 0)):
        with open("x.npy", "wb") as file:
            np.lib.format.write_array(file, X, version=version)
        converted("npy", "x.npy", "npy", "out.npy")
        same(np.load("out.npy"), X)
    np.save("x.npy", np.array([[None, 1]], dtype=object), allow_pickle=True)
    refused("objects are never loaded", "npy", "x.npy", "npy", "out.npy")


def scipy_matrices():
    A = sparse(23, 17)
    for form, index, compressed in itertools.product(("csr", "csc", "coo"), ("i4", "i8"), (False, True)):
        B = A.asformat(form)
        for name in ("indices", "indptr", "row", "col"):
            if hasattr(B, name):
                setattr(B, name, getattr(B, name).astype(index))
        sp.save_npz("x.npz", B, compressed=compressed)
        converted("npz", "x.npz", "npz", "out.npz")
        X, y = load("out.npz")
        same(X, A.toarray())
        assert np.isnan(y).all() and sp.load_npz("out.npz").nnz == A.nnz
    for form in ("bsr", "dia"):
        sp.save_npz("x.npz", A.asformat(form))
        refused(f"of the form '{form}'", "npz", "x.npz", "npz", "out.npz")
    doubled = sp.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 3))
    sp.save_npz("x.npz", doubled)
    converted("npz", "x.npz", "npz", "out.npz")
    same(load("out.npz")[0], doubled.toarray())


def labelled_archives():
    X = dense(11, 4, "f8")
    for y in (np.arange(11), np.arange(11) % 2 == 0, rng.standard_normal(11).astype("f4"),
              np.array(["née", "b"] * 5 + ["c"]), np.array([b"x", b"yy"] * 5 + [b"x"])):
        for save in (np.savez, np.savez_compressed):
            save("x.npz", X=X, y=y)
            converted("npz", "x.npz", "npz", "out.npz")
            Z, back = load("out.npz")
            same(Z, X)
            expected = y.astype(str) if y.dtype.kind in "SU" else y.astype(float)
            assert np.array_equal(back, expected), (back, expected)
    np.savez("x.npz", X, np.arange(11))
    converted("npz", "x.npz", "npz", "out.npz")
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
        converted("matrix-market", "x.mtx", "matrix-market", "out.mtx")
        back = scipy.io.mmread("out.mtx")
        same(back.toarray() if sp.issparse(back) else back, M.toarray() if sp.issparse(M) else M)


def matlab():
    X = dense(8, 5, "f8")
    scipy.io.savemat("x.mat", {"X": X})
    if "does not read" in converter.run("mat", "x.mat", "npz", "out.npz"):
        return
    A = sparse(8, 5)
    labels = [np.arange(8.0), (np.arange(8) % 2).astype("u1"), np.array(["b", "née", "b", "b", "a", "b", "b", "b"], object)]
    matrices = [X, A.tocsc(), X.astype("f4"), dense(8, 5, "i2"), dense(8, 5, "u1")]
    for compressed, M, y in itertools.product((False, True), matrices, labels):
        scipy.io.savemat("x.mat", {"other": "text", "X": M, "Y": y.reshape(-1, 1)}, do_compression=compressed)
        converted("mat", "x.mat", "npz", "out.npz")
        Z, back = load("out.npz")
        same(Z, M.toarray() if sp.issparse(M) else M)
        assert np.array_equal(back, y.astype(str) if y.dtype == object else y.astype(float)), (back, y)
    scipy.io.savemat("x.mat", {"A": X, "group": np.arange(8.0)})
    converted("mat", "x.mat", "npz", "out.npz", "group")
    assert np.array_equal(load("out.npz")[1], np.arange(8))
    refused("found no variable 'z'", "mat", "x.mat", "npz", "out.npz", "z")
    scipy.io.savemat("x.mat", {"B": X})
    refused("found 'B', expected a matrix X", "mat", "x.mat", "npz", "out.npz")
    scipy.io.savemat("x.mat", {"X": X + 1j})
    refused("found complex numbers", "mat", "x.mat", "npz", "out.npz")
    for M in (X, A.tocsc()):
        for compressed in (False, True):
            scipy.io.savemat("x.mat", {"X": M, "y": labels[2]}, do_compression=compressed)
            converted("mat", "x.mat", "damage", "509")
            cut_anywhere("mat", "x.mat")
    scipy.io.savemat("x.mat", {"X": X, "y": np.array(["a"] * 8)})
    refused("cellstr makes one", "mat", "x.mat", "npz", "out.npz")


def cut_anywhere(format, path):
    """What is missing at the end is never made up."""
    with open(path, "rb") as file:
        whole = file.read()
    for length in range(128, len(whole) - 8, 97):
        with open("cut", "wb") as file:
            file.write(whole[:length])
        assert converter.run(format, "cut", "npz", "out.npz") != "done", (path, length)


def write_with_head(path, X, y, classes=True):
    write_matlab73(path, X, y, classes=classes)
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(add_head(content))


def matlab73():
    X, A = dense(8, 5, "f8"), sparse(8, 5)
    write_anndata("x.h5ad", X, {}, ["a"] * 5)
    if "does not read" in converter.run("h5ad", "x.h5ad", "npz", "out.npz"):
        return
    texts = np.array(["b", "née", "b", "b", "\U0001f600", "b", "b", "b"], object)
    for M, y, classes in itertools.product((X, A.tocsc(), sp.csc_matrix((8, 5))), (np.arange(8.0), texts), (True, False)):
        write_with_head("x.mat", M, y, classes)
        converted("mat", "x.mat", "npz", "out.npz")
        Z, back = load("out.npz")
        same(Z, M.toarray() if sp.issparse(M) else M)
        assert np.array_equal(back, y.astype(str) if y.dtype == object else y), (back, y)
    for userblock in (True, False):  # without the head, as h5py makes them: still MATLAB's way round
        write_matlab73("x.mat", X, np.arange(8.0), userblock)
        converted("h5ad", "x.mat", "npz", "out.npz")
        same(load("out.npz")[0], X)
    write_with_head("x.mat", X.T, np.arange(8.0))
    refused("found 8 labels, expected 5, one for each row of the matrix; is it transposed?", "mat", "x.mat", "npz",
            "out.npz")
    converted("mat", "x.mat", "damage", "4093")
    with h5py.File("x.h5", "w") as file:
        file["X"], file["y"] = X, np.arange(8)
    converted("h5ad", "x.h5", "npz", "out.npz")
    same(load("out.npz")[0], X)
    assert np.array_equal(load("out.npz")[1], np.arange(8))


def anndata():
    if not h5py:
        print("skipped: h5py (python3-h5py) is not installed")
        return
    matlab73()
    X, A = dense(70, 5, "f4"), sparse(70, 5)
    names = ["Actb", "née", "x", "y", "z"]
    codes = [i % 3 - 1 for i in range(70)]
    columns = {"label": (codes, ["T cell", "B cell"]), "age": ([i * 0.5 for i in range(70)], None),
               "batch": (["u" if i % 2 else "v" for i in range(70)], None), "site": (codes, [7, 8]),
               "dead": ([bool(i % 2) for i in range(70)], None)}
    expected = {"label": ["?" if c < 0 else ["T cell", "B cell"][c] for c in codes], "age": columns["age"][0],
                "batch": columns["batch"][0], "site": [np.nan if c < 0 else c + 7.0 for c in codes],
                "dead": [i % 2 for i in range(70)]}
    write_anndata("x.h5ad", X, columns, names)
    if "does not read" in converter.run("h5ad", "x.h5ad", "npz", "out.npz"):
        return
    for M, old in itertools.product((X, A.tocsr(), A.tocsc(), X.astype("f8"), dense(70, 5, "i4")), (False, True)):
        write_anndata("x.h5ad", M, columns, names, old)
        for column in (None, *columns):
            converted("h5ad", "x.h5ad", "npz", "out.npz", *([column] if column else []))
            Z, y = load("out.npz")
            same(Z, M.toarray() if sp.issparse(M) else M)
            wanted = np.array(expected[column or "label"])
            assert np.array_equal(y, wanted, equal_nan=wanted.dtype.kind == "f"), (column, y)
        assert np.load("out.npz")["feature_names"].tolist() == names
    refused("found no column 'z' in obs, expected one of:", "h5ad", "x.h5ad", "npz", "out.npz", "z")
    for M in (X, A.tocsr()):
        write_anndata("x.h5ad", M[:8], {"label": (codes[:8], ["T cell", "B cell"])}, names)
        converted("h5ad", "x.h5ad", "damage", "509")
    with h5py.File("x.h5ad", "w") as file:
        file.create_dataset("X", shape=(100000, 1000000), dtype="f8", chunks=(100, 100))
    refused("expected no more than the bytes of the file can expand to", "h5ad", "x.h5ad", "npz", "out.npz")
    write_anndata("x.h5ad", X, columns, names[:4])
    refused("var/gene: found 4 names, expected 5, one for each column of X", "h5ad", "x.h5ad", "npz", "out.npz")
    write_anndata("x.h5ad", X, columns, names)
    with open("x.h5ad", "rb") as plain, gzip.open("x.h5ad.gz", "wb") as packed:
        packed.write(plain.read())
    converted("h5ad", "x.h5ad.gz", "npz", "out.npz")
    same(load("out.npz")[0], X)
    with h5py.File("x.h5ad", "w") as file:
        file.create_dataset("Y", data=X)
    refused("found no matrix X", "h5ad", "x.h5ad", "npz", "out.npz")


def separated():
    X = dense(9, 6, "f8")
    names = ["plain", "with, comma", 'with "quote"', "x4", " blank", "é"]
    with open("x.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(names + ["class"])
        rows.writerows([*map(repr, map(float, x)), "a b" if i % 3 else 'q"uote, d'] for i, x in enumerate(X))
    for source, target in (("csv", "csv"), ("csv", "tsv")):
        converted(source, "x." + source, target, "out." + target)
        with open("out." + target, newline="", encoding="utf-8") as file:
            back = list(csv.reader(file, delimiter="," if target == "csv" else "\t"))
        assert back[0] == ["plain", "with, comma", 'with "quote"', "x4", "blank", "é", "label"], back[0]
        same(np.array([[float(v) for v in row[:-1]] for row in back[1:]]), X)
        assert [row[-1] for row in back[1:]] == ["a b" if i % 3 else 'q"uote, d' for i in range(9)]
    converted("csv", "x.csv", "npz", "out.npz")
    assert np.load("out.npz")["feature_names"].tolist()[:3] == names[:3]


with Converter(sys.argv[1]) as converter:
    for part in (numpy_arrays, scipy_matrices, labelled_archives, matrix_market, separated, matlab, anndata):
        part()
        print(part.__name__, "agrees")
