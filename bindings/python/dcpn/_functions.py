# SPDX-License-Identifier: BSD-3-Clause
"""The functions: fit, path, cv and read."""

import os
import re
import warnings

import numpy as np

from . import _core
from ._inputs import AT_ONCE, ORDERED, Labels, as_data, as_groups, as_survival, feature_names, in_order, threads_of, vector
from ._progress import finish
from ._results import ConvergenceWarning, CrossValidation, Fit, Path, doubles, integers, warn_of_notes
from ._settings import SETTINGS, as_options, in_words_of_python


def call(function, *arguments, callback=None, **words):
    """Calls the library; what it refuses is said with the names that the settings have in Python."""
    try:
        return function(*arguments, **words)
    except (ValueError, TypeError) as error:
        raise type(error)(in_words_of_python(str(error))) from None
    finally:
        finish(callback)


def _offsets(offset, rows):
    """One for each row; or a column of them for each class or response, one column after the other."""
    table = None if offset is None else np.asarray(offset)
    if table is None or table.ndim < 2 or table.shape[1] == 1:
        return vector(offset, "offset", rows)
    if table.ndim > 2 or len(table) != rows:
        raise ValueError(f"offset: found the shape {table.shape}, expected {rows} rows")
    return vector(table.T.ravel(), "offset")


def _problem(data, y, settings, sample_weight, offset, penalty_factors, lower, upper, groups, unlabelled=None, entry=None,
             strata=None):
    """What all three have in common: labels, options, and the vectors in the order of the library."""
    rows, columns = data.shape()
    loss = settings.get("loss") or SETTINGS["loss"].default
    options = as_options(settings)
    if isinstance(y, Labels):
        labels = y
    elif y is None:
        raise ValueError("y: found None, expected one label for each row")
    else:
        labels = Labels(y, loss, unlabelled)
    if len(labels.numbers) != rows * labels.responses:
        raise ValueError(f"y: found {len(labels.numbers) // labels.responses} numbers, expected {rows}")
    vectors = (
        vector(sample_weight, "sample_weight", rows),
        _offsets(offset, rows),
        vector(penalty_factors, "penalty_factors", columns),
        vector(lower, "lower", columns),
        vector(upper, "upper", columns),
        groups,
        as_survival(entry, strata, loss, rows),
    )
    return labels, options, vectors


def raise_with(exception, result):
    """Ctrl-C and what an observer raised take along what is there, as their attribute `result`."""
    if exception is not None:
        exception.result = result
        raise exception


def _by_score(found, loss):
    """Coefficients and intercept; of many classes a row and a number for each, of ordered ones several intercepts."""
    coefficients, intercepts = doubles(found["coefficients"]), doubles(found["intercepts"])
    if loss in ORDERED:
        return coefficients, intercepts
    if len(intercepts) == 1:
        return coefficients, float(intercepts[0])
    return coefficients.reshape(len(intercepts), -1), intercepts


def warn_unless_converged(fitted):
    if not fitted.converged:
        warnings.warn(
            f"the fit ended before it was done: {in_words_of_python(fitted.meaning)}; stationarity "
            f"{fitted.stationarity:.3g}, goal {fitted.stationarity_goal:.3g}",
            ConvergenceWarning,
            stacklevel=3,
        )


def fit(
    X,
    y,
    *,
    lam=None,
    lam_ratio=0.1,
    sample_weight=None,
    offset=None,
    penalty_factors=None,
    lower=None,
    upper=None,
    groups=None,
    group_weights=None,
    start=None,
    start_intercept=0.0,
    unlabelled=None,
    entry=None,
    strata=None,
    n_jobs=None,
    callback=None,
    **settings,
):
    """Fits one model.

    Parameters
    ----------
    X : array, SciPy matrix or DataFrame of rows x features
    y : labels; rows without one are NaN or None, or have the label that `unlabelled` says. Several columns are several
        responses, each with coefficients of its own; `class_grouping` 'row' has a feature for all of them or none. With the loss cox times and events:
        two columns, a structured array as scikit-survival has it, or times that are negative where there was no event
    lam : weight of the penalty; None: `lam_ratio` of the smallest one at which no feature is in use
    sample_weight, offset : one number a row; offset with the loss multinomial, or with several responses, one column for each
    penalty_factors, lower, upper : one number a feature, or one for all
    groups : which features belong together, under the setting `grouping`: one label a feature, None for none; or a dict of
        label and list of positions or names; or 'prefix:SEP', what names have before SEP
    group_weights : dict of label and the weight of that group's penalty; None: the root of its size for a norm, else 1
    entry, strata : with the loss cox: from when on each row was under observation, and labels of rows that are compared with
        none but their own kind
    start, start_intercept : coefficients to start from instead of 0
    n_jobs : threads, -1 for one on each processor; the result is the same bytes
    callback : called at the start and now and then with iteration, objective, stationarity and seconds; True ends the fit
    settings : see dcpn.settings()

    Returns
    -------
    Fit
    """
    data = as_data(X, n_jobs)
    labels, options, vectors = _problem(
        data, y, settings, sample_weight, offset, penalty_factors, lower, upper,
        as_groups(groups, group_weights, data.shape()[1], feature_names(X)), unlabelled, entry, strata
    )
    if start is not None and settings.get("loss") in AT_ONCE:
        raise ValueError(f"start: found one, expected none for the loss {settings['loss']}")
    share = float("nan") if lam is not None else float(lam_ratio)
    if lam is not None:
        options["lambda"] = lam
    found = call(
        data.fit, labels.numbers, options, *vectors, vector(start, "start"), float(start_intercept), share, callback, callback=callback
    )
    names = feature_names(X)
    fitted = Fit(
        *_by_score(found, settings.get("loss")), found["lambda"], settings, found["result"], labels, names
    )
    fitted.kept = found["kept"]
    raise_with(found["exception"], fitted)
    warn_of_notes(found["notes"])
    warn_unless_converged(fitted)
    return fitted


def _path_options(lambdas, n_lambdas, min_ratio, penalties, values, saturation):
    options = {"n_lambdas": int(n_lambdas or 0), "min_ratio": float(min_ratio or 0.0)}
    if lambdas is not None:
        options["lambdas"] = vector(lambdas, "lambdas")
    if penalties is not None:
        options["penalties"] = [penalties] if isinstance(penalties, str) else list(penalties)
    if values is not None:
        options["values"] = vector(values, "values")
    options["saturation"] = float(saturation or 0.0)
    return options


def path(
    X,
    y,
    *,
    lambdas=None,
    n_lambdas=None,
    min_ratio=None,
    penalties=None,
    values=None,
    saturation=None,
    sample_weight=None,
    offset=None,
    penalty_factors=None,
    lower=None,
    upper=None,
    groups=None,
    group_weights=None,
    unlabelled=None,
    entry=None,
    strata=None,
    n_jobs=None,
    callback=None,
    **settings,
):
    """Fits down a grid of lambdas, for one penalty or several.

    Parameters
    ----------
    lambdas : the grid; None: n_lambdas (100) from the largest one that is needed down to min_ratio of it
    penalties : names of several penalties, instead of the setting `penalty`
    values : of theta, a or gamma, whichever the penalty has, instead of the setting
    saturation : a path ends after a share of the deviance explained above this; None: 0.999
    callback : called for every fit and now and then with penalty, lambda, fold (-1), fits done and all; True ends the work

    The others are those of `fit`.

    Returns
    -------
    Path, or a list of them where penalties or values are several
    """
    data = as_data(X, n_jobs)
    labels, options, vectors = _problem(
        data, y, settings, sample_weight, offset, penalty_factors, lower, upper,
        as_groups(groups, group_weights, data.shape()[1], feature_names(X)), unlabelled, entry, strata
    )
    asked = _path_options(lambdas, n_lambdas, min_ratio, penalties, values, saturation)
    found = call(data.path, labels.numbers, options, *vectors, asked, observer=callback, callback=callback)
    features, names = found["paths"]["features"], feature_names(X)
    paths = [Path(one, features, settings, labels.classes, names, found["paths"]["scores"]) for one in found["paths"]["paths"]]
    for one in paths:
        one.kept = found["kept"]
    result = paths[0] if penalties is None and values is None else paths
    raise_with(found["exception"], result)
    warn_of_notes(found["notes"])
    return result


def _patience(asked):
    """As the library has it: 0 is the usual one, a negative number has no end."""
    return 0 if asked is None else int(asked) or -1


# Settings that name a penalty or belong to one.
_OF_ONE_PENALTY = {"penalty", "theta", "a", "gamma", "p", "eps", "global_search", "shape_units"}


def cv(
    X,
    y,
    *,
    folds=None,
    repeats=1,
    seed=0,
    stratified=True,
    measure=None,
    rule=None,
    relax=False,
    features_kept=None,
    stability=0,
    stability_share=None,
    stability_threshold=None,
    patience=None,
    lambdas=None,
    n_lambdas=None,
    min_ratio=None,
    penalties=None,
    values=None,
    saturation=None,
    sample_weight=None,
    offset=None,
    penalty_factors=None,
    lower=None,
    upper=None,
    groups=None,
    group_weights=None,
    unlabelled=None,
    entry=None,
    strata=None,
    n_jobs=None,
    callback=None,
    **settings,
):
    """Fits paths, and chooses a penalty and a lambda by cross-validation.

    Parameters
    ----------
    folds : how many (10), or for each row the number of its fold, from 0
    repeats : how often folds are drawn, and every row is held out
    measure : what chooses: 'deviance', 'error', 'auc', 'mse', 'mae', of many classes 'class-error'
    rule : 'min', the best mean; '1se', the sparsest model within a standard error of it; 'paired', of the paths' best
        models the sparsest that the folds do not tell from it; 'earned', the least -2 log likelihood of rows held out, plus
        2 for each feature; 'convex', the best mean of convex penalties; 'aic', 'bic', 'ebic', 'gic', a criterion; 'sized',
        the features of gic with the ridge that predicts best; None: '1se', but of a comparison 'sized' with the loss
        'logistic' and 'earned' with 'squared', unless 'convex' predicts better, else 'paired'
    relax : the choice is among models of which the features are refitted without shrinkage
    features_kept : the best model of at most so many features, instead of a rule
    penalty : 'several', which is usual, compares l1, mcp of two shapes and their models refitted; with groups l1 and mcp
    stability : how many subsamples tell how often each feature is selected; 0: none
    patience : the path of a fold ends after so many lambdas in a row that are clearly worse than its best; 0: never;
        None: a fifth of the grid, and never where `lambdas` are given

    The others are those of `path`.

    Returns
    -------
    CrossValidation
    """
    data = as_data(X, n_jobs)
    names_one = penalties is not None or values is not None or bool(_OF_ONE_PENALTY & set(settings))
    compares = settings.get("penalty", None if names_one else "several") == "several" and penalties is None and values is None
    if settings.get("penalty") == "several":
        settings = {name: value for name, value in settings.items() if name != "penalty"}
    labels, options, vectors = _problem(
        data, y, settings, sample_weight, offset, penalty_factors, lower, upper,
        as_groups(groups, group_weights, data.shape()[1], feature_names(X)), unlabelled, entry, strata
    )
    asked = _path_options(lambdas, n_lambdas, min_ratio, penalties, values, saturation)
    words = dict(seed=seed, stratified=stratified, measure=measure, rule=rule, subsamples=stability,
                 share=stability_share or 0.0, threshold=stability_threshold or 0.0, patience=_patience(patience),
                 observer=callback, compares=compares, repeats=int(repeats), relax=relax,
                 features_kept=int(features_kept or 0))
    if folds is not None and np.ndim(folds) > 0:
        words["fold_of"] = in_order(folds, np.int64)
        words["folds"] = int(words["fold_of"].max(initial=-1)) + 1
    else:
        words["folds"] = int(folds or 0)
    found = call(data.cv, labels.numbers, options, *vectors, asked, **words, callback=callback)
    result = CrossValidation(found["cv"], settings, labels.classes, feature_names(X))
    result.keep(found["kept"])
    raise_with(found["exception"], result)
    warn_of_notes(found["notes"])
    return result


class Dataset:
    """What was read from a file: X, y, and what the file calls them."""

    def __init__(self, found):
        rows, columns, pointers, indices, values, is_dense = found["X"]
        pointers = integers(pointers)
        indices, values = integers(indices)[: pointers[-1]], doubles(values)[: pointers[-1]]
        if is_dense:
            self.X = np.zeros((rows, columns))
            self.X[np.repeat(np.arange(rows), np.diff(pointers)), indices] = values
        else:
            from scipy.sparse import csr_matrix

            self.X = csr_matrix((values, indices, pointers), (rows, columns))
        self.y = doubles(found["y"])
        self.feature_names, self.label_names = found["feature_names"], found["label_names"]
        self.label_name, self.format, self.index_base = found["label_name"], found["format"], found["index_base"]
        self.row_names = found["row_names"]

    def __repr__(self):
        rows, columns = self.X.shape
        named = f", labels {self.label_name}" if self.label_name else ""
        return f"<Dataset: {rows} rows, {columns} features{named} ({self.format})>"

    @property
    def labels(self):
        """The labels as the file has them: texts, where they are texts."""
        if self.label_names is None:
            return self.y
        names = np.asarray(self.label_names + [None], dtype=object)
        return names[np.where(np.isnan(self.y), -1, self.y).astype(np.intp)]


def _columns(asked):
    """Columns by names or numbers from 1, as the library has them: one text."""
    if asked is None or isinstance(asked, str):
        return asked
    return ",".join(str(column) for column in ([asked] if np.ndim(asked) == 0 else asked))


_ADVICE = re.compile(r"read the table as it looks: (.*)$")
_GAP = "a missing value, expected a number; --missing"


def _advised(sentence, words):
    """The options by which a table that was refused can be read as it looks; empty: there are none, or they were given."""
    advice = _ADVICE.search(sentence)
    found = (advice.group(1) if advice else "--missing mean" if _GAP in sentence else "").split()
    options = {option[2:]: value for option, value in zip(found[::2], found[1::2])}
    if "ignore" in options and words["ignore"]:
        options["ignore"] = f"{words['ignore']},{options['ignore']}"
    return {} if any(words[name] is not None for name in options if name != "ignore") else options


def _read_as_it_looks(path, n_jobs, words):
    """Reads a file; of a table what nobody has said of ids, categories and gaps is taken as it looks, and said."""
    taken = {}
    while True:
        try:
            data = _core.Data.read(path, threads_of(n_jobs), **words)
            break
        except ValueError as error:
            options = _advised(str(error), words)
            if not options:
                raise
            taken, words = taken | options, words | options
    if taken:
        said = ", ".join(f"{name}={value!r}" for name, value in taken.items())
        warnings.warn(f"{path}: read as it looks (other words say otherwise): {said}", stacklevel=4)
    return data


def read(path, *, format=None, features=None, labels_path=None, names_path=None, label_column=None, id=None,
         categorical=None, ignore=None, missing=None, unlabelled=True, storage="auto", n_jobs=None):
    """Reads a data set in any of the formats that the command reads, plain or compressed.

    Parameters
    ----------
    label_column, id : of a table: the columns of the labels and of the names of the rows, by name or number from 1
    categorical, ignore : of a table: columns of categories, and those to leave out, as a list; 'auto': all that have texts
    missing : of a table: 'refuse', 'zero' or 'mean'
        Where none of these says otherwise, a table is read as it looks: texts that all differ are names of rows, others
        categories, gaps count as means, and a warning says what was taken.

    Returns
    -------
    Dataset, with X (a SciPy matrix by rows, or an array), y, feature_names, label_names and row_names
    """
    storages = ("auto", "sparse", "dense")
    if storage not in storages:
        raise ValueError(f"storage: found {storage!r}, expected one of {', '.join(storages)}")
    words = dict(format=format, features=features or 0, labels_path=labels_path, names_path=names_path,
                 label_column=_columns(label_column), id=_columns(id), categorical=_columns(categorical),
                 ignore=_columns(ignore), missing=missing, unlabelled=unlabelled, storage=storages.index(storage))
    return Dataset(call(_read_as_it_looks, os.fspath(path), n_jobs, words).contents())


def settings():
    """All settings: their names, defaults, ranges and meaning, by group."""
    return [
        {"name": s.name, "default": s.default, "choices": s.choices, "low": s.low, "high": s.high,
         "help": in_words_of_python(s.help), "group": s.group}
        for s in SETTINGS.values()
    ]
