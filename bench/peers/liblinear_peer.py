# SPDX-License-Identifier: BSD-3-Clause
"""LIBLINEAR: C sum of losses + |x|_1, C = 1 / lambda. Its rows are made beforehand; its train() is timed."""

import warnings

import numpy as np
import scipy
import scipy.sparse as sp
import worker

warnings.simplefilter("ignore", DeprecationWarning)
scipy.ctypeslib = np.ctypeslib  # LIBLINEAR's module looks for it there, where newer versions do not have it
from liblinear import liblinear, parameter, problem as rows_of  # noqa: E402

SOLVERS = {"logistic": 6, "squared-hinge": 5}


def prepare(A, y, problem):
    rows, columns = A.shape
    weight = 1.0 / rows if problem["scale"] == "mean" else 1.0
    data = rows_of(y, sp.csr_matrix(A), bias=-1)
    data.n = columns  # trailing empty columns too
    C = weight / problem["lambda"]

    def solve(tolerance):
        settings = parameter(f"-s {SOLVERS[problem['loss']]} -c {C!r} -e {tolerance!r} -q")
        liblinear.set_print_string_function(settings.print_func)
        model = liblinear.train(data, settings)
        found = model.contents
        x = np.ctypeslib.as_array(found.w, shape=(columns,)).copy()
        sign = 1.0 if found.label[0] == 1 else -1.0
        liblinear.free_model_content(model)
        return sign * x

    return solve


worker.main(prepare)
