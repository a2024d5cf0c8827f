#!/usr/bin/env python3
"""What is said of MATLAB and HDF5 files that cannot be read.

usage: refusals.py CONVERT

A case is a file, made here, and the sentence with which it is refused: the place, what was found, what was expected,
what to do. "done" is a file that is read: the others differ from it in what they are refused for. A crash would be
another sentence, that something brings down the library.
"""

import os
import sys

import matlab_elements as mat
from converter import Converter, SKIPPED, np

try:
    import h5py

    from hdf5_files import add_head, csr, hdf5, leading_to, matlab_class, write_target
except ImportError:
    h5py = None

DAMAGED = "the file is cut short or damaged: copy or write it again"
SHAPE = "expected 1 to 2147483647 rows, and as many columns; write the file again with what is meant"
TWO_DIMENSIONS = "expected 2: a row for each sample and a column for each feature; reshape it"
FINITE = "expected a finite number; remove or impute missing values"
NUMBERS = "expected numbers; store them as floats or integers"
NO_VARIABLE = "expected a matrix X (or A, or data) and labels y; rename the matrix"

X = np.arange(1.0, 7.0).reshape(3, 2)
HUGE = 2**31 - 1


def element(place, found, k, array, least, most):
    """A number in one of the arrays of a sparse matrix."""
    return f"{place}: found {found} as element {k} (from 0){array}, expected a number from {least} to {most}; {DAMAGED}"


def matlab_matrices():
    def refused(what):
        return f"variable 'X': found {what}"

    def array(*parts):
        return mat.file(mat.array("X", *parts))

    field = mat.numbers([8], "i4"), mat.element(1, b"field\0\0\0"), mat.full("", X)
    yield mat.file(mat.full("X", X)), "done"
    yield mat.file(), f"found no variable, {NO_VARIABLE}"
    yield mat.file(mat.full("B", X), mat.text("note", "hi")), f"found 'B', 'note', {NO_VARIABLE}"
    yield mat.file(mat.full("X", np.zeros((2, 2, 2)))), refused(f"3 dimensions, {TWO_DIMENSIONS}")
    yield mat.file(mat.full("X", np.zeros((0, 2)))), refused(f"a matrix of 0 x 2, {SHAPE}")
    yield mat.file(mat.full("X", np.zeros((3, 0)))), refused(f"a matrix of 3 x 0, {SHAPE}")
    yield (array(mat.DOUBLE | mat.COMPLEX, (3, 2), mat.numbers(X), mat.numbers(X)),
           refused("complex numbers, expected real ones; split the real and the imaginary parts into columns of their "
                   "own"))
    yield (mat.file(mat.text("X", "hello")),
           refused("characters, expected a matrix of numbers; save the numbers"))
    yield (array(mat.CELL, (1, 1), mat.full("", X)),
           refused("a cell array, expected a matrix of numbers; cell2mat makes one"))
    yield (array(mat.STRUCT, (1, 1), *field),
           refused("a struct, expected a matrix of numbers; save its fields as variables"))
    yield (array(mat.OBJECT, (1, 1), mat.element(1, b"table"), *field),
           refused("an object or a function, expected a matrix of numbers; table2array makes one of a table"))
    yield mat.file(mat.full("X", [[1, 2], [3, np.nan]])), f"row 2, column 2: found nan, {FINITE}"
    yield mat.file(mat.full("X", [[1, 2], [-np.inf, 4]])), f"row 2, column 1: found -inf, {FINITE}"
    yield (array(mat.DOUBLE, (3, 2), mat.numbers(X[:2])),
           "byte 128: found an array that has not as many numbers as its dimensions announce, expected a whole array; "
           + DAMAGED)


def matlab_sparse_matrices():
    def sparse(rows=(0, 2, 1), pointers=(0, 2, 3), values=(1, 2, 3), shape=(3, 2)):
        return mat.file(mat.sparse("X", shape, rows, pointers, values))

    def wrong(found, k, array, least, most):
        return element("variable 'X'", found, k, " of " + array, least, most)

    yield sparse(), "done"
    yield sparse(rows=[0, 3, 1]), wrong(3, 1, "ir", 0, 2)
    yield sparse(rows=[0, -1, 1]), wrong(-1, 1, "ir", 0, 2)
    yield sparse(rows=[0, 2]), wrong(3, 2, "jc", 2, 2)
    yield sparse(values=[1, 2]), wrong(3, 2, "jc", 2, 2)
    yield sparse(pointers=[0, 3, 2]), wrong(2, 2, "jc", 3, 3)
    yield sparse(pointers=[0, 2, 9]), wrong(9, 2, "jc", 2, 3)
    yield sparse(pointers=[0, -2, 3]), wrong(-2, 1, "jc", 0, 3)
    yield sparse(pointers=[1, 2, 3]), wrong(1, 0, "jc", 0, 0)
    yield (sparse(pointers=[0, 3]),
           f"variable 'X': found 2 column pointers, expected 3, one more than there are columns; {DAMAGED}")
    yield sparse(values=[1, np.nan, 2]), f"row 3, column 1: found nan, {FINITE}"
    yield (sparse(shape=(HUGE, 2)), f"found a header that announces {HUGE} rows in a file of 264 bytes, which is not "
           "believed; leave the empty rows out")


def matlab_labels():
    def labels(*parts):
        return mat.file(mat.full("X", X), *parts)

    def refused(what):
        return f"variable 'y': found {what}"

    field = mat.numbers([8], "i4"), mat.element(1, b"field\0\0\0"), *[mat.full("", [[1]])] * 3
    yield labels(mat.full("y", [[0], [1], [0]])), "done"
    yield (labels(mat.full("y", [[0], [1]])),
           refused("2 labels, expected 3, one for each row of the matrix; is it transposed?"))
    yield (labels(mat.full("y", [[0]])),
           refused("1 labels, expected 3, one for each row of the matrix; write one for each"))
    yield labels(mat.full("y", X)), refused("a matrix, expected a vector of labels, one for each row; save one")
    yield (labels(mat.text("y", "aba")),
           refused("an array of characters, expected numbers or a cell array of texts; cellstr makes one"))
    yield (labels(mat.array("y", mat.CELL, (3, 1), mat.text("", "a"), mat.full("", [[1]]), mat.text("", "a"))),
           refused("a cell that holds no text, expected the name of a class; write texts alone"))
    yield (labels(mat.sparse("y", (3, 1), [0], [0, 1], [1])),
           refused("a sparse vector, expected a full one of numbers; full makes one"))
    yield (labels(mat.array("y", mat.STRUCT, (3, 1), *field)),
           refused("a struct or an object, expected numbers or a cell array of texts; save one"))
    yield (labels(mat.full("y", [[0], [np.inf], [1]])),
           "row 2: found the label inf, expected a finite number; remove the row or correct its label")


def matlab_cut_short():
    whole = mat.file(mat.full("X", X), mat.full("y", [[0], [1], [0]]))
    for length, place in (140, 128), (200, 128), (len(whole) - 60, 240):
        yield (whole[:length], f"byte {place}: found an element that announces more bytes than follow, "
               f"expected a whole array; {DAMAGED}")
    yield (whole[:132],
           f"byte 128: found an element that ends within its first 8 bytes, expected a whole array; {DAMAGED}")


def anndata_matrices():
    yield hdf5(X=X), "done"
    yield hdf5(Y=X), "found no matrix X, expected an AnnData file, or one with X and y; rename the matrix"
    yield hdf5(X=3.0), f"X: found 0 dimensions, {TWO_DIMENSIONS}"
    yield hdf5(X=np.arange(3.0)), f"X: found 1 dimension, {TWO_DIMENSIONS}"
    yield hdf5(X=np.zeros((2, 2, 2))), f"X: found 3 dimensions, {TWO_DIMENSIONS}"
    yield hdf5(X=np.zeros((0, 2))), f"X: found a matrix of 0 x 2, {SHAPE}"
    yield hdf5(X=np.zeros((3, 0))), f"X: found a matrix of 3 x 0, {SHAPE}"
    yield hdf5(X=np.array([[b"a", b"b"]])), f"X: found texts, {NUMBERS}"
    yield hdf5(X=np.array([["a", "b"]], h5py.string_dtype())), f"X: found texts, {NUMBERS}"
    yield hdf5(X=X + 1j), f"X: found records or complex numbers, {NUMBERS}"
    yield hdf5(X=np.array([[h5py.Reference()]], h5py.ref_dtype)), f"X: found references, {NUMBERS}"
    yield hdf5(X=[[1.0, 2.0], [3.0, np.nan]]), f"row 2, column 2: found nan, {FINITE}"
    yield hdf5(X=[[1.0, 2.0], [np.inf, 4.0]]), f"row 2, column 1: found inf, {FINITE}"
    yield (hdf5(X=X, var={"_index": np.array([b"a"])}),
           f"var/_index: found 1 names, expected 2, one for each column of X; {DAMAGED}")


def anndata_sparse_matrices():
    kinds = "expected an array, or a csr_matrix or csc_matrix; convert it with X.tocsr()"
    no_shape = f"X: found no attribute shape of 2 numbers, expected the rows and columns of the matrix; {DAMAGED}"
    nothing = f"found nothing, expected an array; {DAMAGED}"

    def index(found, k, most=1):
        return element("X/indices", found, k, "", 0, most)

    def pointer(found, k, least, most=3):
        return element("X/indptr", found, k, "", least, most)

    yield csr(), "done"
    yield csr(encoding=None), f"X: found a group without an encoding, {kinds}"
    yield csr(encoding="coo_matrix"), f"X: found a group of the encoding coo_matrix, {kinds}"
    yield (csr(encoding="csc_matrix"),
           f"X/indptr: found 4 pointers, expected 3, one more than there are columns; {DAMAGED}")
    yield csr(shape=None), no_shape
    yield csr(shape=[3, 2, 1]), no_shape
    yield csr(shape=[3, -2]), f"X: found a matrix of 3 x -2, {SHAPE}"
    yield csr(shape=[3, 0]), f"X: found a matrix of 3 x 0, {SHAPE}"
    yield csr(shape=[3, 2**40]), f"X: found a matrix of 3 x {2**40}, {SHAPE}"
    yield csr(indices=None), f"X/indices: {nothing}"
    yield csr(indptr=None), f"X/indptr: {nothing}"
    yield csr(data=None), f"X/indices: found 3 indices, expected 0, one for each value in data; {DAMAGED}"
    yield csr(data=[1.0, 2.0]), f"X/indices: found 3 indices, expected 2, one for each value in data; {DAMAGED}"
    yield csr(data=[b"a", b"b", b"c"]), f"X/data: found texts, {NUMBERS}"
    yield csr(data=[1, 2, 2j]), f"X/data: found records or complex numbers, {NUMBERS}"
    yield csr(data=[1, np.nan, 2]), f"row 1, column 2: found nan, {FINITE}"
    yield (csr(indices=[0.5, 1, 0]),
           "X/indices: found floating-point numbers, expected whole numbers; store them as int32 or int64")
    yield (csr(indices=[b"0", b"1", b"0"]),
           "X/indices: found texts, expected whole numbers; store them as int32 or int64")
    yield csr(indices=[[0, 1], [0, 1]]), "X/indices: found a matrix of 2 x 2, expected a vector; write one"
    yield csr(indices=[[[0, 1, 0]]]), "X/indices: found 3 dimensions, expected a vector; write one"
    yield csr(indices=[0, -1, 0]), index(-1, 1)
    yield csr(indices=[0, 2, 0]), index(2, 1)
    yield csr(indices=np.array([0, 2**63, 0], "u8")), index(2**63 - 1, 1)
    yield csr(indptr=[0, 2, 1, 3]), pointer(1, 2, 2)
    yield csr(indptr=[0, -2, 2, 3]), pointer(-2, 1, 0)
    yield csr(indptr=[1, 2, 2, 3]), pointer(1, 0, 0, 0)
    yield csr(indptr=[0, 2, 2, 9]), pointer(9, 3, 2)
    yield csr(indptr=[0, 2, 3]), f"X/indptr: found 3 pointers, expected 4, one more than there are rows; {DAMAGED}"
    yield (csr(indptr=np.array([], "i4")),
           f"X/indptr: found 0 pointers, expected 4, one more than there are rows; {DAMAGED}")


def anndata_labels():
    texts, categories = np.array([b"a", b"b"]), "expected -1 or one of 2 categories, from 0"
    too_few = "found 2 labels, expected 3, one for each row of the matrix; is it transposed?"

    def labels(column):
        return hdf5(X=X, obs={"label": column})

    def codes(codes, categories):
        return labels({"codes": np.array(codes, "i1"), "categories": categories})

    yield labels(np.arange(3)), "done"
    yield codes([0, 1, -1], texts), "done"
    yield labels(np.arange(2)), f"obs/label: {too_few}"
    yield labels(texts), f"obs/label: {too_few}"
    yield codes([0, 1], [7, 8]), f"obs/label/codes: {too_few}"
    yield codes([0, 1, 2], texts), f"obs/label/codes: found the code 2 for row 3, {categories}; {DAMAGED}"
    yield codes([0, -2, 1], texts), f"obs/label/codes: found the code -2 for row 2, {categories}; {DAMAGED}"
    yield codes([0, 1, 2], [7, 8]), f"obs/label/codes: found the code 2 for row 3, {categories}; {DAMAGED}"
    yield (labels({"codes": np.array([0, 1, 0], "i1")}),
           f"obs/label/categories: found nothing, expected an array; {DAMAGED}")
    yield labels(X), "obs/label: found a matrix of 3 x 2, expected a vector; write one"
    yield labels([0, 1, 2j]), f"obs/label: found records or complex numbers, {NUMBERS}"
    yield (labels([0, 1, np.inf]),
           "row 3: found the label inf, expected a finite number; remove the row or correct its label")


def anndata_cut_short():
    whole = csr()
    for length in 60, len(whole) // 2, len(whole) - 100:
        yield whole[:length], f"found an HDF5 file that cannot be opened, expected a whole one; {DAMAGED}"


def matlab73():
    """Arrays are the other way round; sparse ones are groups."""
    def made(**members):
        return add_head(hdf5(userblock=512, **members))

    def sparse(**changes):
        parts = {"data": [1.0, 2.0, 3.0], "ir": [0, 2, 1], "jc": [0, 2, 3], "@MATLAB_sparse": np.uint64(3), **changes}
        return made(X={name: value for name, value in parts.items() if value is not None})

    yield made(X=X.T, y=[[0, 1, 0]]), "done"
    yield sparse(), "done"
    yield made(B=X.T), f"found B, {NO_VARIABLE}"
    yield made(), f"found no variable, {NO_VARIABLE}"
    yield made(X=np.zeros((2, 2, 2))), f"X: found 3 dimensions, {TWO_DIMENSIONS}"
    yield made(X=[[1.0, np.nan]]), f"row 2, column 1: found nan, {FINITE}"
    yield made(X={"field": X}), "X: found a struct, expected a matrix; save its fields as variables"
    for kind, found in (("char", "characters, expected a matrix of numbers; save the numbers"),
                        ("cell", "a cell array, expected a matrix of numbers; cell2mat makes a matrix of it"),
                        ("struct", "a struct, expected a matrix of numbers; save its fields as variables"),
                        ("function_handle", "a function, expected a matrix of numbers; save its values")):
        yield made(X=matlab_class(kind, X)), f"X: found {found}"
    yield sparse(ir=[0, 3, 1]), element("X/ir", 3, 1, "", 0, 2)
    yield sparse(jc=[0, 3, 2]), element("X/jc", 2, 2, "", 3, 3)
    yield sparse(jc=None), f"X/jc: found nothing, expected an array; {DAMAGED}"
    yield (made(X=X.T, y=[[0, 1]]),
           "y: found 2 labels, expected 3, one for each row of the matrix; is it transposed?")
    yield (made(X=X.T, y=matlab_class("char", np.array([[97, 98, 97]], "u2"))),
           "y: found an array of characters, expected numbers or a cell array of texts; cellstr makes one")


def elsewhere(matlab):
    """Files whose data lie in another file, an honest one or a pipe that nobody writes to: neither is ever opened."""
    in_this_file = "expected all data in this one, because no other file is opened; copy them into it"
    found = {"raw": "external storage: data in another file", "virtual": "a virtual dataset, made of parts of others"}
    write_target("other", matlab)
    if not os.path.exists("pipe"):
        os.mkfifo("pipe")
    for target in os.path.abspath("other"), os.path.abspath("pipe"):
        for place, how, content in leading_to(target, matlab):
            yield content, (f"found an external link to the file '{target}', {in_this_file}" if how == "link" else
                            f"{place}: found {found[how]}, {in_this_file}")


def anndata_elsewhere():
    yield from elsewhere(matlab=False)


def matlab73_elsewhere():
    yield from elsewhere(matlab=True)


def check(format, cases):
    """The number of cases, all of them as expected."""
    count = 0
    for count, (content, expected) in enumerate(cases(), 1):
        name = f"case.{format}"
        with open(name, "wb") as file:
            file.write(content)
        answer = converter.run(format, name, "npz", "out.npz")
        wanted = expected if expected == "done" else f"{name}: {expected}"
        assert answer == wanted, f"\n{cases.__name__}, case {count}:\nfound    {answer}\nexpected {wanted}"
    return count


def is_read(format, content):
    with open("probe", "wb") as file:
        file.write(content)
    return converter.run(format, "probe", "npz", "out.npz") == "done"


with Converter(sys.argv[1]) as converter:
    has_mat = is_read("mat", mat.file(mat.full("X", X)))
    has_hdf5 = h5py is not None and is_read("h5ad", hdf5(X=X))
    suites = [("mat", suite) for suite in (matlab_matrices, matlab_sparse_matrices, matlab_labels, matlab_cut_short)
              if has_mat]
    suites += [("h5ad", suite) for suite in (anndata_matrices, anndata_sparse_matrices, anndata_labels,
                                             anndata_cut_short, anndata_elsewhere) if has_hdf5]
    suites += [("mat", suite) for suite in (matlab73, matlab73_elsewhere) if has_hdf5]
    for format, suite in suites:
        print(suite.__name__ + ":", check(format, suite), "files as expected")
    if not has_mat:
        print("skipped: MATLAB files, which this build does not read")
    if not has_hdf5:
        print("skipped: HDF5 files, which this build does not read or h5py (python3-h5py) is not there to write")
if not suites:
    sys.exit(SKIPPED)
