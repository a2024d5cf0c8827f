# SPDX-License-Identifier: BSD-3-Clause
"""What comes in: matrices, DataFrames, labels and vectors, borrowed where their layout allows it, else copied once."""

import sys

import numpy as np

from . import _core


def in_order(array, dtype=None):
    """The array without gaps and aligned, as C wants it, or a copy that is; what has come through a message or from a buffer
    at an odd offset is not aligned."""
    return np.require(np.atleast_1d(array), dtype, ("C", "A"))


def is_sparse(X):
    """Is it a matrix or an array of SciPy's sparse kinds? SciPy itself is not loaded for the question."""
    return hasattr(X, "nnz") and hasattr(X, "tocsr")


def is_frame(X):
    """Is it a DataFrame, of pandas or polars?"""
    return hasattr(X, "columns") and hasattr(X, "to_numpy")


def feature_names(X):
    """The names of a DataFrame's columns; None for others and for names that are no texts."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    return np.asarray(names, dtype=object) if names and all(isinstance(name, str) for name in names) else None


def numbers_of_frame(frame):
    """A DataFrame's numbers; columns that have none are refused by name. Missing values become NaN."""
    array = frame.to_numpy()
    if array.dtype.kind != "O":
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        pass
    refuse_frame(frame)
    return array


def _some(names):
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def refuse_texts(frame):
    """Columns of a DataFrame that are no numbers, by name."""
    texts = []
    for name in frame.columns:
        try:
            np.asarray(frame[name].dropna() if hasattr(frame[name], "dropna") else frame[name], np.float64)
        except (TypeError, ValueError):
            texts.append(str(name))
    if texts:
        raise ValueError(f"X: found columns that are no numbers: {_some(texts)}; leave them out, or code them, for example by "
                         "make_pipeline(dcpn.TableCoder(), ...)")


def refuse_frame(frame):
    """A DataFrame that no estimator can take, in words that name its columns."""
    kinds = [getattr(kind, "kind", "O") for kind in (frame.dtypes if hasattr(frame, "dtypes") else [])]
    if "O" in kinds or "M" in kinds:
        refuse_texts(frame)
    if not hasattr(frame, "isna"):
        return
    gaps = frame.isna().sum()
    gaps = gaps[gaps > 0]
    if len(gaps):
        raise ValueError(f"X: found {int(gaps.sum())} missing values (NaN) in {len(gaps)} columns: {_some([str(n) for n in gaps.index])}; "
                         "fill them first, for example by make_pipeline(dcpn.TableCoder(), ...) or the SimpleImputer of scikit-learn")


def _refuse_broken(X):
    """SciPy goes along the pointers without looking: what leads out of the arrays has to be found before."""
    pointers, lines = np.asarray(X.indptr), X.shape[X.format == "csc"]
    if pointers.ndim != 1 or pointers.dtype.kind not in "iu" or len(pointers) != lines + 1:
        raise ValueError(f"indptr of X: found {pointers.size} numbers, expected {lines + 1} whole ones")
    if pointers[0] != 0 or np.any(pointers[1:] < pointers[:-1]):
        raise ValueError("indptr of X: found pointers that do not rise from 0")
    for name, array in (("indices", X.indices), ("data", X.data)):
        if array.ndim != 1 or len(array) < pointers[-1]:
            raise ValueError(f"{name} of X: found {array.size} numbers, expected {pointers[-1]}, as indptr says")


def _sparse(X, threads):
    if X.format not in ("csr", "csc"):
        X = X.tocsr()
    _refuse_broken(X)
    if X.data.dtype not in (np.float64, np.float32):
        X = X.astype(np.float64)
    if not X.has_canonical_format:  # the same entry twice: SciPy means their sum
        X = X.copy()
        X.sum_duplicates()
    indices = X.indices if X.indices.dtype in (np.int32, np.int64) else X.indices.astype(np.int64)
    rows, columns = X.shape
    pointers = in_order(X.indptr, np.int64)
    return _core.Data.sparse(X.format == "csr", rows, columns, pointers, in_order(indices),
                             in_order(X.data), threads)


def _is_borrowable(X):
    if X.dtype not in (np.float64, np.float32) or not X.dtype.isnative or not X.flags.aligned or X.ndim != 2:
        return False
    rows, columns = X.shape
    down, right = X.strides
    size = X.itemsize
    return (right == size and down >= columns * size and down % size == 0) or (
        down == size and right >= rows * size and right % size == 0
    )


def _dense(X, threads):
    if "numpy.ma" in sys.modules and isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):  # which takes 5 ms to load
        raise ValueError("X: found masked entries, expected numbers; fill them, or leave their rows out")
    X = numbers_of_frame(X) if is_frame(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X: found {X.ndim} dimensions, expected 2: rows and features")
    if X.dtype.kind == "c":
        raise ValueError("X: found complex numbers, expected real ones")
    if X.dtype.kind not in "fiubO":
        raise ValueError(f"X: found entries of the type {X.dtype}, expected numbers")
    if not _is_borrowable(X):
        X = in_order(X, X.dtype.newbyteorder("=") if X.dtype in (np.float32, np.float64) else np.float64)
    if X.shape[0] and X.shape[1] and not _is_borrowable(X):  # of one row or column NumPy keeps strides of any size
        X = X.copy()
    return _core.Data.dense(X, threads)


def as_data(X, n_jobs=None):
    """The matrix for the library. What is borrowed has to stay unchanged until the result is there."""
    if isinstance(X, _core.Data):
        return X
    threads = threads_of(n_jobs)
    return _sparse(X, threads) if is_sparse(X) else _dense(X, threads)


def threads_of(n_jobs):
    """As in scikit-learn: None is one, -1 all of them; 0 means nothing there and is refused."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs: found 0, expected a number of threads, or -1 for one on each processor")
    return 0 if n_jobs < 0 else int(n_jobs)


def vector(values, what, count=None):
    """An array of doubles without gaps, or None."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{what}: found entries of the type {array.dtype}, expected numbers") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 0 and count is not None:
        array = np.full(count, array)
    return in_order(array, np.float64)


def _members_of(label, members, names):
    """Positions, from positions or names."""
    positions = []
    for member in members:
        if isinstance(member, str):
            where = np.flatnonzero(names == member) if names is not None else []
            if len(where) != 1:
                raise ValueError(f"groups: {label!r} has the feature {member!r}: found {len(where)} columns of this name")
            member = where[0]
        positions.append(int(member))
    return positions


def _groups_by_prefix(separator, names):
    """What stands before the separator; names without it are in no group."""
    if names is None:
        raise ValueError("groups: 'prefix:SEP' needs a DataFrame, whose columns have names")
    return [name.split(separator, 1)[0] if separator and separator in name else None for name in names]


def _is_no_group(label):
    return label is None or label != label


def as_groups(groups, weights, columns, names):
    """Starts, members and weights as the library takes them, and names; None where there are no groups."""
    if groups is None:
        if weights is not None:
            raise ValueError("group_weights: found some, expected groups as well")
        return None
    if isinstance(groups, str):
        if not groups.startswith("prefix:"):
            raise ValueError(f"groups: found {groups!r}, expected 'prefix:SEP', a dict or one label a feature")
        groups = _groups_by_prefix(groups[len("prefix:"):], names)
    if not hasattr(groups, "items"):
        labels = list(groups)
        if len(labels) != columns:
            raise ValueError(f"groups: found {len(labels)} labels, expected {columns}: one a feature")
        groups = {}
        for j, label in enumerate(labels):
            if not _is_no_group(label):
                groups.setdefault(label, []).append(j)
    members = [_members_of(label, listed, names) for label, listed in groups.items()]
    starts = np.concatenate([[0], np.cumsum([len(listed) for listed in members])]).astype(np.int64)
    flat = np.array([j for listed in members for j in listed], np.int64)
    if weights is not None:
        strangers = [label for label in weights if label not in groups]
        if strangers:
            raise ValueError(f"group_weights: found {strangers[0]!r}, which is no group")
        weights = np.array([weights.get(label, np.nan) for label in groups], np.float64)
    return starts, flat, weights, [str(label) for label in groups]


MANY_CLASSES = ("multinomial",)  # losses that have a score for each class
ORDERED = ("ordinal",)  # losses of classes in an order, which have one score and an intercept for each boundary between two
AT_ONCE = MANY_CLASSES + ORDERED  # losses that take all classes in one fit
OF_TIMES = ("cox",)  # losses of times to events
# Losses whose score is the logarithm of what is predicted; of times to events that is the risk relative to a score of 0.
BY_LOGARITHM = ("poisson", "negative-binomial", "gamma", *OF_TIMES)


def wants_classes(loss):
    """Are its labels classes, as opposed to numbers?"""
    return loss in AT_ONCE or _core.loss_wants_classes(loss)


def _two_columns(y):
    """Times, and whether an event has ended each: fields of a structured array are told apart by their types."""
    if y.dtype.names is None:
        return y[:, 0], y[:, 1]
    events = [name for name in y.dtype.names if y.dtype[name].kind == "b"]
    times = [name for name in y.dtype.names if y.dtype[name].kind in "fiu"]
    if len(events) != 1 or len(times) != 1:
        raise ValueError(f"y: found the fields {', '.join(y.dtype.names)}, expected one of truth values, the event, and one of "
                         "numbers, the time")
    return y[times[0]], y[events[0]]


def as_times(y):
    """Times to events as the library takes them: those that no event has ended are negative, and so is -0.0.

    y is a structured array with an event and a time, as scikit-survival makes them; a table of two columns, the time and
    then whether there was an event; or numbers, which are negative where there was none.
    """
    y = y.to_numpy() if is_frame(y) else np.asarray(y)
    if y.dtype.names is None and y.ndim == 1:
        return vector(y, "y")
    if y.dtype.names is None and (y.ndim != 2 or y.shape[1] != 2):
        raise ValueError(f"y: found the shape {y.shape}, expected two columns, the time and whether there was an event")
    times, events = (vector(part, "y") for part in _two_columns(y))
    if not np.all(times >= 0):
        raise ValueError(f"y: found the time {times[~(times >= 0)][0]:g}, expected times of 0 or more, and then the events")
    if not np.all((events == 0) | (events == 1)):
        raise ValueError(f"y: found the event {events[(events != 0) & (events != 1)][0]:g}, expected 1, or 0 where there was none")
    return np.where(events == 1, times, -times)


def as_survival(entry, strata, loss, rows):
    """Entry times and the numbers of strata, or None."""
    if entry is None and strata is None:
        return None
    if loss not in OF_TIMES:
        raise ValueError(f"{'strata' if entry is None else 'entry'}: found some, expected none for the loss {loss}; 'cox' has them")
    if strata is not None:
        strata = np.unique(np.asarray(strata), return_inverse=True)[1].astype(np.float64)
    return vector(entry, "entry", rows), strata


class Labels:
    """The labels of two classes, or numbers, as the library takes them; rows without a label are NaN. Of several responses a row
    the first of all rows comes first, then the second, and so on."""

    def __init__(self, y, loss, unlabelled=None):
        self.classes, self.responses = None, 1
        if loss in OF_TIMES:
            self.numbers = as_times(y)
            return
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim == 2 and y.shape[1] > 1 and not wants_classes(loss):
            self.numbers, self.responses = vector(y.T.ravel(), "y"), y.shape[1]
            return
        if y.ndim != 1:
            raise ValueError(f"y: found {y.ndim} dimensions, expected 1")
        if not wants_classes(loss):
            self.numbers = vector(y, "y")
            return
        missing = without_label(y, unlabelled)
        classes, inverse = np.unique(y[~missing], return_inverse=True)
        if loss in AT_ONCE:
            self._set_many(classes, inverse, missing, loss)
            return
        if len(classes) != 2:
            raise ValueError(
                f"y: found {len(classes)} classes, expected 2 for the loss {loss}; "
                "SparseClassifier and the loss 'multinomial' take more, and the loss 'squared' takes numbers"
            )
        self.classes = classes
        self.numbers = np.full(len(y), np.nan)
        self.numbers[~missing] = 2.0 * inverse - 1.0

    def _set_many(self, classes, inverse, missing, loss):
        refuse_without_order(classes, loss)
        if len(classes) < 2:
            raise ValueError(f"y: found {len(classes)} class, expected at least 2")
        if missing.any():
            raise ValueError(f"y: found {missing.sum()} rows without a label, expected none for the loss {loss}")
        self.classes, self.numbers = classes, inverse.astype(np.float64)

    @classmethod
    def of_numbers(cls, numbers, classes=None, responses=1):
        """Labels that are as the library takes them already."""
        labels = cls.__new__(cls)
        labels.numbers, labels.classes, labels.responses = numbers, classes, responses
        return labels


def refuse_without_order(classes, loss):
    """The order of numbers is theirs; that of texts would be the alphabet's."""
    if loss in ORDERED and classes.dtype.kind not in "biuf":
        raise ValueError(f"y: found {classes[0]!r}, whose order the loss {loss} needs; give numbers in place of texts, "
                         "1, 2, 3 ... (of an ordered pandas column: y.cat.codes)")


def without_label(y, unlabelled=None):
    """Which rows have no label: NaN, None, or the value that stands for it."""
    missing = np.zeros(len(y), bool)
    if y.dtype.kind == "f":
        missing = np.isnan(y)
    elif y.dtype.kind == "O":
        missing = np.array([label is None or label != label for label in y], bool)
    return missing if unlabelled is None else missing | (y == unlabelled)
