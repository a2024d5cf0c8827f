# SPDX-License-Identifier: BSD-3-Clause
# Written by bindings/python/tools/write_stubs.py; a test looks whether it is up to date.
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

def fit(
    X: Any,
    y: ArrayLike | None,
    *,
    lam: float | None = ...,
    lam_ratio: float = ...,
    sample_weight: ArrayLike | None = ...,
    offset: ArrayLike | None = ...,
    penalty_factors: ArrayLike | float | None = ...,
    lower: ArrayLike | float | None = ...,
    upper: ArrayLike | float | None = ...,
    groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
    group_weights: Mapping[Any, float] | None = ...,
    start: ArrayLike | None = ...,
    start_intercept: float = ...,
    unlabelled: Any = ...,
    entry: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> Fit: ...

def path(
    X: Any,
    y: ArrayLike | None,
    *,
    lambdas: ArrayLike | None = ...,
    n_lambdas: int | None = ...,
    min_ratio: float | None = ...,
    penalties: str | Sequence[str] | None = ...,
    values: ArrayLike | None = ...,
    saturation: float | None = ...,
    sample_weight: ArrayLike | None = ...,
    offset: ArrayLike | None = ...,
    penalty_factors: ArrayLike | float | None = ...,
    lower: ArrayLike | float | None = ...,
    upper: ArrayLike | float | None = ...,
    groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
    group_weights: Mapping[Any, float] | None = ...,
    unlabelled: Any = ...,
    entry: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> Path | list[Path]: ...

def cv(
    X: Any,
    y: ArrayLike | None,
    *,
    folds: int | ArrayLike | None = ...,
    repeats: int = ...,
    seed: int = ...,
    stratified: bool = ...,
    measure: str | None = ...,
    rule: Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None = ...,
    relax: bool = ...,
    features_kept: int | None = ...,
    stability: int = ...,
    stability_share: Any = ...,
    stability_threshold: Any = ...,
    patience: int | None = ...,
    lambdas: ArrayLike | None = ...,
    n_lambdas: int | None = ...,
    min_ratio: float | None = ...,
    penalties: str | Sequence[str] | None = ...,
    values: ArrayLike | None = ...,
    saturation: float | None = ...,
    sample_weight: ArrayLike | None = ...,
    offset: ArrayLike | None = ...,
    penalty_factors: ArrayLike | float | None = ...,
    lower: ArrayLike | float | None = ...,
    upper: ArrayLike | float | None = ...,
    groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
    group_weights: Mapping[Any, float] | None = ...,
    unlabelled: Any = ...,
    entry: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> CrossValidation: ...

def read(
    path: str | PathLike[str],
    *,
    format: Any = ...,
    features: Sequence[int | str] | int | str | None = ...,
    labels_path: Any = ...,
    names_path: Any = ...,
    label_column: Any = ...,
    id: Any = ...,
    categorical: Any = ...,
    ignore: Any = ...,
    missing: Any = ...,
    unlabelled: Any = ...,
    storage: Any = ...,
    n_jobs: int | None = ...,
) -> Dataset: ...

def load(path: str | PathLike[str]) -> Fit | Path | list[Path] | CrossValidation: ...

def minimize(
    value: Callable[[NDArray[np.float64]], float],
    gradient: Callable[[NDArray[np.float64]], ArrayLike],
    start: ArrayLike | None,
    *,
    value2: Callable[[NDArray[np.float64]], float] | None = ...,
    gradient2: Callable[[NDArray[np.float64]], ArrayLike] | None = ...,
    hessian_product: Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike] | None = ...,
    lipschitz: float = ...,
    h: Regularizer | None = ...,
    lam: float | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> Fit: ...

def knockoffs(
    X: Any,
    y: ArrayLike | None,
    *,
    fdr: float = ...,
    kind: Literal['gaussian', 'fixed'] = ...,
    statistic: Literal['coefficient', 'entry'] = ...,
    distance: Literal['mvr', 'equal'] = ...,
    copies: int | None = ...,
    draws: int | None = ...,
    lenient: bool = ...,
    seed: int = ...,
    folds: int | ArrayLike | None = ...,
    sample_weight: ArrayLike | None = ...,
    offset: ArrayLike | None = ...,
    entry: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> Knockoffs: ...

def intervals(
    X: Any,
    y: ArrayLike | None,
    *,
    features: Sequence[int | str] | int | str | None = ...,
    level: float = ...,
    method: Literal['full', 'debiased', 'double'] | None = ...,
    seed: int = ...,
    folds: int | ArrayLike | None = ...,
    sample_weight: ArrayLike | None = ...,
    offset: ArrayLike | None = ...,
    penalty_factors: ArrayLike | float | None = ...,
    n_jobs: int | None = ...,
    callback: Callable[..., Any] | None = ...,
    loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] | None = ...,
    penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] | None = ...,
    inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] | None = ...,
    mix: float | None = ...,
    class_grouping: Literal['entry', 'row'] | None = ...,
    theta: float | None = ...,
    a: float | None = ...,
    gamma: float | None = ...,
    p: float | None = ...,
    eps: float | None = ...,
    tau: float | None = ...,
    sharpness: float | None = ...,
    delta: float | None = ...,
    quantile: float | None = ...,
    smoothing: float | None = ...,
    dispersion: float | None = ...,
    ridge: float | None = ...,
    unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] | None = ...,
    unlabelled_weight: float | None = ...,
    balance: float | None = ...,
    annealing: bool | None = ...,
    fit_intercept: bool | None = ...,
    standardize: bool | None = ...,
    orthonormal: bool | None = ...,
    scale: Literal['sum', 'mean'] | None = ...,
    shape_units: Literal['problem', 'raw'] | None = ...,
    ties: Literal['breslow', 'efron'] | None = ...,
    sums: Literal['plain', 'exact'] | None = ...,
    algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] | None = ...,
    metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] | None = ...,
    subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] | None = ...,
    nonmonotone: bool | None = ...,
    memory: int | None = ...,
    active_set: Literal['auto', 'on', 'off'] | None = ...,
    global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] | None = ...,
    curvature: Literal['clipped', 'f1'] | None = ...,
    extrapolate: bool | None = ...,
    gram: bool | None = ...,
    screening: bool | None = ...,
    majorize: bool | None = ...,
    armijo: float | None = ...,
    inner_tol: float | None = ...,
    inner_max: int | None = ...,
    stop: Literal['stationarity', 'relative-change'] | None = ...,
    tol: float | None = ...,
    relative_tol: float | None = ...,
    max_iter: int | None = ...,
    dc_max: int | None = ...,
    max_time: float | None = ...,
    search_budget: float | None = ...,
) -> Intervals: ...

def settings() -> list[dict[str, Any]]: ...

class Fit:
    coefficients: NDArray[np.float64]
    intercept: float
    lam: float
    support: NDArray[np.intp]
    classes: NDArray[Any] | None
    feature_names: NDArray[Any] | None
    objective: float
    loss_value: float
    penalty_value: float
    stationarity: float
    stationarity_goal: float
    outcome: str
    converged: bool
    iterations: int
    passes: float
    time_s: float
    settings: dict[str, Any]
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        coefficients: Any,
        intercept: Any,
        lam: float | None,
        settings: Any,
        result: Any,
        labels: Any = ...,
        feature_names: Any = ...,
    ) -> None: ...
    def decision_function(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict_proba(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...

class Path:
    penalty: str
    varying: str | None
    value: float
    lambdas: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    objective: NDArray[np.float64]
    deviance: NDArray[np.float64]
    stationarity: NDArray[np.float64]
    nonzeros: NDArray[np.int64]
    iterations: NDArray[np.int64]
    converged: NDArray[np.bool_]
    lambda_max: float
    end: Literal['all', 'saturated', 'crowded', 'noise', 'interrupted']
    kind: str | None
    name: str
    mfdr: NDArray[np.float64]
    scores: int
    coefficients: Any
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        found: Any,
        features: Sequence[int | str] | int | str | None,
        settings: Any,
        classes: Any,
        names: Any,
        scores: Any = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def support(
        self,
        k: Any,
    ) -> Any: ...
    def coefficients_at(
        self,
        k: Any,
    ) -> Any: ...
    def nearest(
        self,
        lam: float | None,
    ) -> int: ...
    def predict(
        self,
        X: Any,
        k: Any,
    ) -> Any: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...

class CrossValidation:
    paths: list[Path]
    measures: list[str]
    measure: str
    min: Choice
    one_se: Choice
    chosen: Choice
    stability: Stability | None
    n_folds: int
    rule: str
    compares: bool
    is_complete: bool
    time_s: float
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        found: Any,
        settings: Any,
        classes: Any,
        names: Any,
    ) -> None: ...
    def keep(
        self,
        kept: Any,
    ) -> Any: ...
    def mean(
        self,
        path: str | PathLike[str] = ...,
        measure: str | None = ...,
    ) -> Any: ...
    def se(
        self,
        path: str | PathLike[str] = ...,
        measure: str | None = ...,
    ) -> Any: ...
    def folds(
        self,
        path: str | PathLike[str] = ...,
        measure: str | None = ...,
    ) -> Any: ...
    def coefficients(
        self,
        choice: Any = ...,
    ) -> Any: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...

class Knockoffs:
    selected: NDArray[np.int64]
    win: NDArray[np.float64]
    frequency: NDArray[np.float64]
    evidence: NDArray[np.float64]
    threshold: float
    fdr: float
    copies: int
    draws: int
    shrinkage: float
    extra_rows: int
    correlation: float
    lam: float
    feature_names: NDArray[Any] | None
    def __init__(
        self,
        found: Any,
        fdr: float,
        names: Any,
    ) -> None: ...

class Intervals:
    features: NDArray[np.int64]
    estimate: NDArray[np.float64]
    error: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    statistic: NDArray[np.float64]
    p_value: NDArray[np.float64]
    beside: NDArray[np.int64]
    method: str
    deviation: float
    level: float
    feature_names: NDArray[Any] | None
    def __init__(
        self,
        found: Any,
        level: float,
        names: Any,
    ) -> None: ...
    def __len__(self) -> int: ...

class Choice:
    path: int
    point: int
    mean: float
    se: float
    def __init__(
        self,
        found: Any,
    ) -> None: ...

class Stability:
    indices: NDArray[np.int64]
    frequency: NDArray[np.float64]
    stable: NDArray[np.int64]
    threshold: float
    def __init__(
        self,
        found: Any,
    ) -> None: ...
    def plot(
        self,
        ax: Any = ...,
        names: Any = ...,
        **words: Any,
    ) -> Any: ...

class Dataset:
    X: Any
    y: NDArray[np.float64]
    labels: NDArray[Any]
    feature_names: list[str] | None
    label_names: list[str] | None
    label_name: str | None
    format: str
    index_base: int
    row_names: list[str] | None
    def __init__(
        self,
        found: Any,
    ) -> None: ...

class Progress:
    calls: int
    left_s: float
    def __init__(
        self,
        file: Any = ...,
    ) -> None: ...
    def __call__(
        self,
        *seen: Any,
    ) -> Any: ...
    def close(self) -> None: ...

class Regularizer:
    def __init__(
        self,
        value: Callable[[NDArray[np.float64]], float],
        prox: Callable[[NDArray[np.float64], float], ArrayLike],
        value2: Callable[[NDArray[np.float64]], float] | None = ...,
        subgradient2: Callable[[NDArray[np.float64]], ArrayLike] | None = ...,
    ) -> None: ...

class ConvergenceWarning(UserWarning):
    ...

class SparseRegressor:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: float
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseRegressor: ...
    def densify(self) -> SparseRegressor: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> SparseRegressor: ...
    def __init__(
        self,
        *,
        lam: float | None = ...,
        lam_ratio: float = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SparseClassifier:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: NDArray[np.float64]
    classes_: NDArray[Any]
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseClassifier: ...
    def densify(self) -> SparseClassifier: ...
    def decision_function(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict_proba(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict_log_proba(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> SparseClassifier: ...
    def __init__(
        self,
        *,
        lam: float | None = ...,
        lam_ratio: float = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        class_weight: Mapping[Any, float] | Literal['balanced'] | None = ...,
        unlabelled: Any = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SparseRegressorCV:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: float
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseRegressorCV: ...
    def densify(self) -> SparseRegressorCV: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> SparseRegressorCV: ...
    def __init__(
        self,
        *,
        penalties: str | Sequence[str] | None = ...,
        values: ArrayLike | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        cv: Any = ...,
        repeats: int = ...,
        rule: Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None = ...,
        relax: bool = ...,
        features_kept: int | None = ...,
        measure: str | None = ...,
        stability: int = ...,
        patience: int | None = ...,
        seed: int = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SparseClassifierCV:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: NDArray[np.float64]
    classes_: NDArray[Any]
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseClassifierCV: ...
    def densify(self) -> SparseClassifierCV: ...
    def decision_function(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict_proba(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict_log_proba(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> SparseClassifierCV: ...
    def __init__(
        self,
        *,
        penalties: str | Sequence[str] | None = ...,
        values: ArrayLike | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        cv: Any = ...,
        repeats: int = ...,
        rule: Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None = ...,
        relax: bool = ...,
        features_kept: int | None = ...,
        measure: str | None = ...,
        stability: int = ...,
        patience: int | None = ...,
        seed: int = ...,
        class_weight: Mapping[Any, float] | Literal['balanced'] | None = ...,
        unlabelled: Any = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SparseCox:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: float
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseCox: ...
    def densify(self) -> SparseCox: ...
    def decision_function(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def score(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> float: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
        entry: ArrayLike | None = ...,
        strata: ArrayLike | None = ...,
    ) -> SparseCox: ...
    def __init__(
        self,
        *,
        lam: float | None = ...,
        lam_ratio: float = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SparseCoxCV:
    coef_: Any
    n_iter_: int
    certificate_: float
    converged_: bool
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: float
    def named_coefficients(self) -> dict[Any, float]: ...
    def plot(
        self,
        ax: Any = ...,
        **words: Any,
    ) -> Any: ...
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
    ) -> None: ...
    def to_sklearn(self) -> Any: ...
    def sparsify(self) -> SparseCoxCV: ...
    def densify(self) -> SparseCoxCV: ...
    def decision_function(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def predict(
        self,
        X: Any,
        offset: ArrayLike | None = ...,
    ) -> Any: ...
    def score(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
    ) -> float: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None = ...,
        offset: ArrayLike | None = ...,
        entry: ArrayLike | None = ...,
        strata: ArrayLike | None = ...,
    ) -> SparseCoxCV: ...
    def __init__(
        self,
        *,
        penalties: str | Sequence[str] | None = ...,
        values: ArrayLike | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        penalty_factors: ArrayLike | float | None = ...,
        lower: ArrayLike | float | None = ...,
        upper: ArrayLike | float | None = ...,
        groups: Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None = ...,
        group_weights: Mapping[Any, float] | None = ...,
        cv: Any = ...,
        repeats: int = ...,
        rule: Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None = ...,
        relax: bool = ...,
        features_kept: int | None = ...,
        measure: str | None = ...,
        stability: int = ...,
        patience: int | None = ...,
        seed: int = ...,
        loss: Literal['squared', 'logistic', 'squared-hinge', 'huber', 'welsch', 'smooth-ramp', 'quantile', 'poisson', 'negative-binomial', 'gamma', 'multinomial', 'ordinal', 'cox'] = ...,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        grouping: Literal['norm', 'sum', 'sparse', 'latent', 'tree', 'entry'] = ...,
        inner_penalty: Literal['auto', 'l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        mix: float = ...,
        class_grouping: Literal['entry', 'row'] = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        tau: float = ...,
        sharpness: float = ...,
        delta: float = ...,
        quantile: float = ...,
        smoothing: float = ...,
        dispersion: float = ...,
        ridge: float = ...,
        unlabelled_loss: Literal['transductive', 'symmetric-gaussian', 'symmetric-sigmoid', 'symmetric-ramp', 'symmetric-squared-hinge'] = ...,
        unlabelled_weight: float = ...,
        balance: float = ...,
        annealing: bool = ...,
        fit_intercept: bool = ...,
        standardize: bool = ...,
        orthonormal: bool = ...,
        scale: Literal['sum', 'mean'] = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        ties: Literal['breslow', 'efron'] = ...,
        sums: Literal['plain', 'exact'] = ...,
        algorithm: Literal['dcpn', 'gist', 'dca', 'scp', 'multi-stage', 'proximal-gradient', 'fista', 'proximal-newton', 'sparsa'] = ...,
        metric: Literal['auto', 'identity', 'identity-backtracked', 'barzilai-borwein', 'lbfgs', 'seeded-lbfgs', 'hessian'] = ...,
        subsolver: Literal['auto', 'forward-backward', 'fista', 'coordinate-descent'] = ...,
        nonmonotone: bool = ...,
        memory: int = ...,
        active_set: Literal['auto', 'on', 'off'] = ...,
        global_search: Literal['auto', 'off', 'path', 'path-then-drop', 'path+drop'] = ...,
        curvature: Literal['clipped', 'f1'] = ...,
        extrapolate: bool = ...,
        gram: bool = ...,
        screening: bool = ...,
        majorize: bool = ...,
        armijo: float = ...,
        inner_tol: float = ...,
        inner_max: int = ...,
        stop: Literal['stationarity', 'relative-change'] = ...,
        tol: float = ...,
        relative_tol: float = ...,
        max_iter: int = ...,
        dc_max: int = ...,
        max_time: float = ...,
        search_budget: float = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class GraphicalModel:
    precision_: NDArray[np.float64]
    covariance_: NDArray[np.float64]
    location_: NDArray[np.float64]
    partial_correlation_: NDArray[np.float64]
    edges_: NDArray[np.int64]
    stability_: NDArray[np.float64] | None
    path_: list[dict[str, Any]]
    lam_: float
    objective_: float
    violation_: float
    goal_: float
    n_iter_: int
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
        image_shape: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        *,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        lam: float | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        rule: Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None = ...,
        ebic_gamma: Any = ...,
        cv: Any = ...,
        stability: int = ...,
        seed: int = ...,
        ridge: float = ...,
        standardize: bool = ...,
        penalize_diagonal: Any = ...,
        penalty_factors: ArrayLike | float | None = ...,
        assume_covariance: Any = ...,
        rows: Any = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        tol: float = ...,
        max_iter: int = ...,
        max_time: float = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = ...,
        sample_weight: ArrayLike | None = ...,
    ) -> GraphicalModel: ...
    def impute(
        self,
        X: Any,
    ) -> Any: ...
    def score(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> float: ...

class NodewiseGraph:
    edges_: NDArray[np.int64]
    weights_: NDArray[np.float64]
    intercepts_: NDArray[np.float64]
    lams_: NDArray[np.float64]
    objectives_: NDArray[np.float64]
    violations_: NDArray[np.float64]
    goals_: NDArray[np.float64]
    coefficients_: Any
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
        image_shape: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        *,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        lam: float | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        ebic_gamma: Any = ...,
        join: Any = ...,
        two_values: Any = ...,
        ridge: float = ...,
        standardize: bool = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        tol: float = ...,
        max_iter: int = ...,
        max_time: float = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = ...,
        sample_weight: ArrayLike | None = ...,
    ) -> NodewiseGraph: ...
    def impute(
        self,
        X: Any,
    ) -> Any: ...

class MatrixCompletion:
    U_: NDArray[np.float64]
    singular_values_: NDArray[np.float64]
    V_: NDArray[np.float64]
    offset_: float
    sparse_: Any
    rank_: int
    lam_: float
    lam_max_: float
    held_out_error_: float
    objective_: float
    violation_: float
    goal_: float
    n_iter_: int
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
        image_shape: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        *,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        lam: float | None = ...,
        lambdas: ArrayLike | None = ...,
        n_lambdas: int | None = ...,
        min_ratio: float | None = ...,
        held_out: Any = ...,
        center: Any = ...,
        sparse_lam: Any = ...,
        sparse_penalty: Any = ...,
        most_rank: Any = ...,
        seed: int = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        tol: float = ...,
        max_iter: int = ...,
        max_time: float = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> MatrixCompletion: ...
    def complete(self) -> Any: ...
    def entries(
        self,
        rows: Any,
        columns: Any,
    ) -> Any: ...
    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> Any: ...

class SparseFactorization:
    components_: NDArray[np.float64]
    codes_: NDArray[np.float64]
    objective_: float
    unexplained_: float
    codes_violation_: float
    codes_goal_: float
    atoms_violation_: float
    atoms_goal_: float
    n_iter_: int
    def save(
        self,
        path: str | PathLike[str],
    ) -> None: ...
    def report(
        self,
        path: str | PathLike[str],
        title: Any = ...,
        image_shape: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        n_components: Any = ...,
        *,
        penalty: Literal['l1', 'capped-l1', 'scad', 'mcp', 'log', 'lp', 'exponential'] = ...,
        lam: float | None = ...,
        nonnegative: Any = ...,
        nonnegative_codes: Any = ...,
        nonnegative_atoms: Any = ...,
        of_columns: Any = ...,
        atom_lam: Any = ...,
        atom_penalty: Any = ...,
        ridge: float = ...,
        batch: Any = ...,
        start: ArrayLike | None = ...,
        seed: int = ...,
        theta: float = ...,
        a: float = ...,
        gamma: float = ...,
        p: float = ...,
        eps: float = ...,
        shape_units: Literal['problem', 'raw'] = ...,
        tol: float = ...,
        max_iter: int = ...,
        max_time: float = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> SparseFactorization: ...
    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> Any: ...
    def transform(
        self,
        X: Any,
    ) -> Any: ...
    def inverse_transform(
        self,
        codes: Any,
    ) -> Any: ...

class TableCoder:
    feature_names_in_: NDArray[Any]
    n_features_in_: int
    gaps_: dict[str, int]
    left_out_: list[str]
    def __init__(
        self,
        *,
        categorical: Any = ...,
        ignore: Any = ...,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = ...,
    ) -> TableCoder: ...
    def transform(
        self,
        X: Any,
    ) -> Any: ...
    def get_feature_names_out(
        self,
        input_features: Any = ...,
    ) -> Any: ...
