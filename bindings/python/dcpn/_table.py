# SPDX-License-Identifier: BSD-3-Clause
"""Numbers from DataFrames, as the command makes them of tables: levels of categories, and means in place of gaps."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._estimators import _ALLOW_NAN, validate_data
from ._inputs import is_frame

# Texts that hardly ever come twice are names of rows: so many of them, if they are more than half of the rows or all different.
FEW, FEWEST = 10, 3


class _Numbers:
    """A column of numbers or truth values."""

    def __init__(self, name, values):
        self.names = [name]
        numbers = self._read(name, values)
        known = numbers[np.isfinite(numbers)]
        if len(known) == 0:
            raise ValueError(f"X: the column {name!r} has no numbers, expected some; leave it out")
        self.mean = known.mean()

    @staticmethod
    def _read(name, values):
        try:
            return np.array([np.nan if _is_gap(v) else v for v in values], np.float64) if values.dtype.kind == "O" else values.astype(np.float64)
        except (TypeError, ValueError):
            found = next(v for v in values if not _is_gap(v) and not np.isreal(v))
            raise ValueError(f"X: the column {name!r} has {found!r}, expected numbers as in the fit") from None

    def gaps(self, values):
        return int(np.isnan(self._read(None, values)).sum())

    def code(self, name, values):
        numbers = self._read(name, values)
        return [np.where(np.isnan(numbers), self.mean, numbers)]


class _Levels:
    """A column of categories: a column of 0 and 1 for each level but the first, the reference."""

    def __init__(self, name, values, levels):
        texts = [str(v) for v in values if not _is_gap(v)]
        counts = dict.fromkeys(texts, 0) if levels is None else dict.fromkeys(map(str, levels), 0)
        for text in texts:
            counts[text] += 1
        used = [level for level, count in counts.items() if count]
        self.levels = used if levels is not None else sorted(used)
        if not self.levels:
            raise ValueError(f"X: the column {name!r} is empty; leave it out")
        self.names = [f"{name}={level}" for level in self.levels[1:]]
        self.means = np.array([counts[level] for level in self.levels[1:]]) / len(texts)

    def gaps(self, values):
        return sum(map(_is_gap, values))

    def code(self, name, values):
        place = {level: k for k, level in enumerate(self.levels)}
        at = np.array([-1 if _is_gap(v) else place.get(str(v), -2) for v in values])
        if np.any(at == -2):
            found = str(values[np.flatnonzero(at == -2)[0]])
            raise ValueError(f"X: the column {name!r} has {found!r}, expected one of {', '.join(self.levels[:5])}"
                             f"{', ...' if len(self.levels) > 5 else ''} as in the fit")
        return [np.where(at == -1, mean, at == k) for k, mean in enumerate(self.means, 1)]


def _is_gap(value):
    """None, NaN, NaT and pandas.NA are no values."""
    if isinstance(value, str):
        return False
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _why_left_out(values, levels):
    """Why a column can be no feature, in words; None: it can."""
    if values.dtype.kind in "mM":
        return "dates"
    texts = [v for v in values if isinstance(v, str)]
    many = len(set(texts))
    if not texts or levels is not None or not ((many > FEW and 2 * many > len(texts)) or (many > FEWEST and many == len(texts))):
        return None
    return f"{many} different texts in {len(texts)} rows"


def _column(table, name):
    """The values of a column, and its levels if it says them."""
    if isinstance(table, np.ndarray):
        return table[:, name], None
    column = table[name]
    if hasattr(column, "astype") and hasattr(column.dtype, "categories"):
        return np.asarray(column.astype(object), object), list(column.dtype.categories)
    return np.asarray(column.to_numpy()), None


class _Place(int):
    """A column of an array."""

    def __str__(self):
        return f"x{int(self)}"


class TableCoder(TransformerMixin, BaseEstimator):
    """Makes numbers of the columns of a DataFrame, of pandas or polars, or of an array, whose columns are called x0, x1, ...

    Texts and categories become a column `name=level` for each level but the first, the reference; gaps become the mean of
    their column in the fit. `groups="prefix:="` of the estimators keeps the levels of a category together. Columns of dates, and
    those of texts that hardly ever come twice, like names and notes, are left out with a warning.

    Parameters
    ----------
    categorical : list or None: names of columns that are categories though they are numbers; texts are always
    ignore : list or None: names of columns to leave out without a warning

    Attributes
    ----------
    feature_names_in_, n_features_in_ : the columns of the fit
    gaps_ : dict of the columns with gaps and how many each had
    left_out_ : names of the columns that are no features
    """

    def __init__(self, *, categorical=None, ignore=None):
        self.categorical, self.ignore = categorical, ignore

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _more_tags(self):
        """The same for scikit-learn before 1.6."""
        return {"allow_nan": True, "X_types": ["2darray", "string"]}

    def fit(self, X, y=None):
        """Looks at the columns: which are categories, of which levels, and what the means are."""
        X, columns = self._table(X, reset=True)
        names = [str(name) for name in columns]
        for word, asked in (("categorical", self.categorical), ("ignore", self.ignore)):
            strangers = [name for name in asked or () if name not in names]
            if strangers:
                raise ValueError(f"{word}: found {strangers[0]!r}, which is no column of X")
        if is_frame(X):
            self.feature_names_in_, self.n_features_in_ = np.array(names, object), len(names)
        self.coders_, self.gaps_, self.left_out_ = {}, {}, []
        for column, name in zip(columns, names):
            values, levels = _column(X, column)
            if name in (self.ignore or ()) or self._is_left_out(name, values, levels):
                self.left_out_.append(name)
                continue
            coder = self._coder(name, values, levels)
            self.coders_[column] = coder
            if coder.gaps(values):
                self.gaps_[name] = coder.gaps(values)
        if not self.coders_:
            raise ValueError("X: found no columns, expected some")
        return self

    def _is_left_out(self, name, values, levels):
        why = None if name in (self.categorical or ()) else _why_left_out(values, levels)
        if why:
            warnings.warn(f"X: the column {name!r} has {why}, and is left out; ignore=[{name!r}] says so beforehand", stacklevel=3)
        return why is not None

    def _coder(self, name, values, levels):
        has_texts = values.dtype.kind in "OUT" and any(isinstance(v, str) for v in values)
        if levels is not None or has_texts or name in (self.categorical or ()):
            return _Levels(name, values, levels)
        return _Numbers(name, values)

    def _table(self, X, reset):
        """The table and what its columns are known by: names, or of an array numbers."""
        if is_frame(X):
            return X, list(X.columns)
        X = validate_data(self, X, reset=reset, dtype=None, **_ALLOW_NAN)
        return X, [_Place(j) for j in range(X.shape[1])]

    def transform(self, X):
        """The numbers, as a DataFrame of the same kind, whose columns are found by their names, or as an array."""
        check_is_fitted(self)
        X, columns = self._table(X, reset=False)
        missing = [str(column) for column in self.coders_ if column not in columns]
        if missing:
            raise ValueError(f"X: found no column {missing[0]!r}, expected those of the fit")
        made = {}
        for column, coder in self.coders_.items():
            made.update(zip(coder.names, coder.code(str(column), _column(X, column)[0])))
        made = {name: np.asarray(values, np.float64) for name, values in made.items()}
        if not is_frame(X):
            return np.column_stack(list(made.values()))
        return type(X)(made, index=X.index) if hasattr(X, "index") else type(X)(made)

    def get_feature_names_out(self, input_features=None):
        """The names of the columns that it makes."""
        check_is_fitted(self)
        return np.array([name for coder in self.coders_.values() for name in coder.names], object)
