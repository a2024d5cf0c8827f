# SPDX-License-Identifier: BSD-3-Clause
"""minimize: F = f + h for a smooth f, and a non-smooth h if that is wanted, that are functions of Python."""

import numpy as np

from . import _core
from ._functions import call, raise_with, warn_unless_converged
from ._inputs import in_order, vector
from ._results import Fit, doubles, warn_of_notes
from ._settings import SETTINGS, as_options


class Regularizer:
    """A non-smooth h = h1 - h2, h1 and h2 convex.

    Parameters
    ----------
    value : h1(x)
    prox : prox(x, step), the minimiser over y of |y - x|^2 / (2 step) + h1(y)
    value2, subgradient2 : h2(x), and some element of its subdifferential; None: h2 = 0
    """

    def __init__(self, value, prox, value2=None, subgradient2=None):
        if (value2 is None) != (subgradient2 is None):
            raise ValueError("h2: found one of value2 and subgradient2, expected both or none")
        self.value, self.prox, self.value2, self.subgradient2 = value, prox, value2, subgradient2


def _seen_as_arrays(function, vectors, gives_vector):
    """The function with arrays instead of bytes, and with what it returns as the library takes it."""
    if function is None:
        return None

    def called(*arguments):
        arrays = [np.frombuffer(a, np.float64) for a in arguments[:vectors]]
        answer = function(*arrays, *arguments[vectors:])
        return in_order(answer, np.float64).reshape(-1) if gives_vector else float(answer)

    return called


def minimize(value, gradient, start, *, value2=None, gradient2=None, hessian_product=None, lipschitz=0.0, h=None, lam=1.0,
             callback=None, **settings):
    """Minimises f1 - f2 + h from a start.

    Parameters
    ----------
    value, gradient : f1(x) and its gradient
    start : array, whose length is the number of variables
    value2, gradient2 : of the convex f2 that is subtracted; None: f2 = 0
    hessian_product : (x, d) -> the Hessian of f1 at x times d; None: metrics that need it are refused
    lipschitz : a Lipschitz constant of the gradient of f1; 0: not known
    h : Regularizer; None: the penalty of the settings, with the weight lam
    callback : called at the start and now and then with iteration, objective, stationarity and seconds; True ends the run
    settings : see dcpn.settings()

    Returns
    -------
    Fit, whose coefficients are x
    """
    start = vector(start, "start")
    if start is None or start.ndim != 1:
        raise ValueError("start: expected an array of one dimension")
    if (value2 is None) != (gradient2 is None):
        raise ValueError("f2: found one of value2 and gradient2, expected both or none")
    options = as_options({"fit_intercept": False, "standardize": False, "scale": "sum", **settings, "lam": lam})
    functions = (
        _seen_as_arrays(value, 1, False),
        _seen_as_arrays(gradient, 1, True),
        _seen_as_arrays(value2, 1, False),
        _seen_as_arrays(gradient2, 1, True),
        _seen_as_arrays(hessian_product, 2, True),
        _seen_as_arrays(h and h.value, 1, False),
        _seen_as_arrays(h and h.value2, 1, False),
        _seen_as_arrays(h and h.subgradient2, 1, True),
        _seen_as_arrays(h and h.prox, 1, True),
    )
    found = call(_core.minimize, len(start), functions, float(lipschitz), options, start, callback)
    given = {"penalty": "own" if h is not None else settings.get("penalty", SETTINGS["penalty"].default), **settings}
    fitted = Fit(doubles(found["coefficients"]), 0.0, float(lam), given, found["result"])
    raise_with(found["exception"], fitted)
    warn_of_notes(found["notes"])
    warn_unless_converged(fitted)
    return fitted
