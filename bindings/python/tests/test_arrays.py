# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of every layout give the same fit, are borrowed where they can be, and are refused where they are wrong."""

import mmap
import tempfile

import numpy as np
import pytest

import dcpn
import problems
from dcpn._inputs import as_data

X, y, _ = problems.numbers()
WORDS = dict(loss="squared", penalty="mcp", lam=0.2, tol=1e-9)
REFERENCE = dcpn.fit(X, y, **WORDS)


def read_only(table):
    table = table.copy()
    table.flags.writeable = False
    return table


def in_gaps(table):
    wide = np.full((table.shape[0] * 2, table.shape[1] * 3), np.nan)
    wide[::2, ::3] = table
    return wide[::2, ::3]


def mapped(table):
    file = tempfile.TemporaryFile()
    file.write(table.tobytes())
    file.flush()
    memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(memory, np.float64).reshape(table.shape)


LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "read-only": read_only,
    "negative strides": lambda table: table[::-1, ::-1].copy()[::-1, ::-1],
    "gaps": in_gaps,
    "some columns of more": lambda table: np.hstack([table, table])[:, : table.shape[1]],
    "every second row of more": lambda table: np.repeat(table, 2, axis=0)[::2],
    "other byte order": lambda table: table.astype(table.dtype.newbyteorder()),
    "objects": lambda table: table.astype(object),
    "long double": lambda table: table.astype(np.longdouble),
    "lists": lambda table: table.tolist(),
    "memory map": mapped,
    "misaligned": lambda table: np.frombuffer(b"x" + table.tobytes(), np.float64, offset=1).reshape(table.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_mean_the_same(layout):
    found = dcpn.fit(LAYOUTS[layout](X), y, **WORDS)
    np.testing.assert_allclose(found.coefficients, REFERENCE.coefficients, rtol=1e-7, atol=1e-9)


def misaligned(array):
    return np.frombuffer(b"x" + array.tobytes(), array.dtype, offset=1)


def test_misaligned_vectors_and_sparse_arrays_mean_the_same():
    sparse = pytest.importorskip("scipy.sparse")
    weights = np.arange(1.0, len(y) + 1)
    matrix = sparse.csr_matrix(X)
    matrix.data, matrix.indices, matrix.indptr = (misaligned(array) for array in (matrix.data, matrix.indices, matrix.indptr))
    expected = dcpn.fit(sparse.csr_matrix(X), y, sample_weight=weights, **WORDS)
    found = dcpn.fit(matrix, misaligned(np.asarray(y, np.float64)), sample_weight=misaligned(weights), **WORDS)
    assert np.array_equal(found.coefficients, expected.coefficients)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("values", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_kinds_mean_the_same(kind, values, index):
    sparse = pytest.importorskip("scipy.sparse")
    table = np.round(4 * X) * (np.abs(X) > 1)  # exact in every type
    expected = dcpn.fit(table, y, **WORDS)
    A = sparse.csr_matrix(table.astype(values)).asformat(kind)
    if kind in ("csr", "csc"):
        A.indices, A.indptr = A.indices.astype(index), A.indptr.astype(index)
    found = dcpn.fit(A, y, **WORDS)
    np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-7, atol=1e-9)


def test_entries_that_are_there_twice_are_summed():
    sparse = pytest.importorskip("scipy.sparse")
    A = sparse.csr_matrix(X)
    twice = sparse.csr_matrix((np.repeat(A.data / 2, 2), np.repeat(A.indices, 2), 2 * A.indptr), X.shape)
    before = twice.nnz
    found = dcpn.fit(twice, y, **WORDS)
    np.testing.assert_allclose(found.coefficients, REFERENCE.coefficients, rtol=1e-7, atol=1e-9)
    assert twice.nnz == before  # what was given is as it was


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("values", [np.float32, np.float64])
def test_dense_arrays_are_borrowed(order, values):
    table = np.array(X, values, order=order)
    data = as_data(table)
    table *= 2  # seen by the library, because it has no copy
    found = dcpn.fit(data, y, standardize=False, **WORDS)
    expected = dcpn.fit(table.copy(order=order), y, standardize=False, **WORDS)
    np.testing.assert_array_equal(found.coefficients, expected.coefficients)


def test_arrays_live_as_long_as_the_data():
    data = as_data(X.copy())  # nobody else holds it
    found = dcpn.fit(data, y, **WORDS)
    np.testing.assert_array_equal(found.coefficients, REFERENCE.coefficients)


@pytest.mark.parametrize(
    "table, sentence",
    [
        (np.where(np.arange(X.size).reshape(X.shape) == 7, np.nan, X), "finite|NaN|nan"),
        (np.where(np.arange(X.size).reshape(X.shape) == 7, np.inf, X), "finite|inf"),
        (X[0], "1 dimensions"),
        (X[None], "3 dimensions"),
        (X + 1j, "complex"),
        (np.full(X.shape, "a"), "type"),
        (np.full(X.shape, {"a": 1}, dtype=object), "."),
        (X[:0], "."),
        (X[:, :0], "."),
    ],
)
def test_hostile_tables_are_refused(table, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        dcpn.fit(table, y[: len(table)], **WORDS)


@pytest.mark.parametrize(
    "broken",
    ["indices beyond", "indices below", "pointers fall", "pointers beyond", "few pointers", "NaN"],
)
def test_hostile_sparse_arrays_are_refused(broken):
    from dcpn import _core

    pointers, indices, values = np.array([0, 2, 3, 4]), np.array([0, 1, 1, 0]), np.ones(4)
    if broken == "indices beyond":
        indices[1] = 2
    elif broken == "indices below":
        indices[1] = -1
    elif broken == "pointers fall":
        pointers[1] = 4
    elif broken == "pointers beyond":
        pointers[3] = 5
    elif broken == "few pointers":
        pointers = pointers[:3]
    else:
        values[2] = np.nan
    with pytest.raises(ValueError):
        _core.Data.sparse(True, 3, 2, pointers, indices, values, 1)


@pytest.mark.parametrize(
    "pointers, indices, values",
    [
        ([0, 4, 3, 4], [0, 1, 1, 0], 4),
        ([0, 2, 3, 9], [0, 1, 1, 0], 4),
        ([0, 2, 2**62, 4], [0, 1, 1, 0], 4),
        ([-1, 2, 3, 4], [0, 1, 1, 0], 4),
        ([1, 2, 3, 4], [0, 1, 1, 0], 4),
        ([0, 2, 4], [0, 1, 1, 0], 4),
        ([0, 2, 3, 4], [0, 1, 1], 4),
        ([0, 2, 3, 4], [1, 0, 1, 0], 2),
        ([0, 2, 3, 4], [0, 7, 1, 0], 4),
        ([0, 2, 3, 4], [0, -1, 1, 0], 4),
        ([0.0, 2.0, 3.0, 4.0], [0, 1, 1, 0], 4),
    ],
)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix"])
def test_sparse_matrices_broken_by_hand_are_refused(kind, pointers, indices, values):
    sparse = pytest.importorskip("scipy.sparse")
    broken = getattr(sparse, kind)((3, 3))
    broken.indptr, broken.indices, broken.data = np.array(pointers), np.array(indices), np.ones(values)
    with pytest.raises(ValueError, match="indptr|indices|data|index"):
        dcpn.fit(broken, np.array([1.0, 2.0, 4.0]), loss="squared", lam=0.1)


def test_masked_entries_are_refused():
    with pytest.raises(ValueError, match="masked"):
        dcpn.fit(np.ma.masked_array(X, X > 1), y, **WORDS)


@pytest.mark.parametrize(
    "words, sentence",
    [
        (dict(sample_weight=np.ones(3)), "sample_weight: found 3 numbers, expected 120"),
        (dict(sample_weight=-np.ones(120)), "weight"),
        (dict(sample_weight=np.zeros(120)), "weight"),
        (dict(sample_weight=np.full(120, np.nan)), "weight"),
        (dict(sample_weight=["a"] * 120), "sample_weight"),
        (dict(offset=np.full(120, np.inf)), "offset"),
        (dict(penalty_factors=-1), "factor"),
        (dict(lower=1), "lower|bound"),
        (dict(start=np.ones(3)), "start: found 3"),
        (dict(start=np.full(30, np.nan)), "start"),
    ],
)
def test_hostile_vectors_are_refused(words, sentence):
    with pytest.raises(ValueError, match=sentence):
        dcpn.fit(X, y, **WORDS, **words)


@pytest.mark.parametrize("labels", [y[:5], np.full(120, np.nan), np.full(120, np.inf), None, [["a"]] * 3])
def test_hostile_labels_are_refused(labels):
    with pytest.raises(ValueError):
        dcpn.fit(X, labels, **WORDS)
