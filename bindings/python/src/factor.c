/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.factor: codes and atoms; Data.codes: codes of other rows with atoms that are known. */
#include "settings.h"
#include "structured.h"

#include <stdlib.h>

static PyObject *codes_of(const dcpn_factors *f)
{
    return Py_BuildValue("(NNN)", dcpn_python_integers(f->codes.first, f->count + 1),
                         dcpn_python_integers(f->codes.index, f->codes.first[f->count]),
                         dcpn_python_doubles(f->codes.value, f->codes.first[f->count]));
}

static PyObject *answer(const dcpn_factors *f, const struct call *call)
{
    return Py_BuildValue(
        "{s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:s,s:O,s:(sddddddd),s:O,s:N}", "atoms",
        dcpn_python_doubles(f->atom, f->atoms * f->length), "codes", codes_of(f), "objective", f->objective,
        "unexplained", f->unexplained, "codes_violation", f->codes_end.violation, "codes_goal", f->codes_end.goal,
        "atoms_violation", f->atoms_end.violation, "atoms_goal", f->atoms_end.goal, "iterations",
        (long long)f->iterations, "outcome", dcpn_outcome_name(f->outcome), "converged",
        dcpn_has_converged(f->outcome) ? Py_True : Py_False, "penalty", f->penalty.name, f->penalty.lambda,
        f->penalty.theta, f->penalty.a, f->penalty.gamma, f->penalty.p, f->penalty.eps, f->codes_end.goal, "notes",
        call->notes, "exception", dcpn_python_exception(call));
}

PyObject *dcpn_python_factor(PyObject *self, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"settings", "atoms", "of_columns", "nonnegative_codes", "nonnegative_atoms", "seed", NULL};
    const struct data *data = (const struct data *)self;
    dcpn_settings settings;
    dcpn_factor_options options = {0};
    dcpn_factors *factors = NULL;
    struct call call;
    PyObject *dictionary, *found = NULL;
    long long atoms, seed = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "O!L|pppL", names, &PyDict_Type, &dictionary, &atoms,
                                     &options.of_columns, &options.nonnegative_codes, &options.nonnegative_atoms,
                                     &seed))
        return NULL;
    options.atoms = atoms;
    options.seed = (uint64_t)seed;
    if (dcpn_python_settings(dictionary, &settings) < 0) return NULL;
    if (dcpn_python_data_enter((struct data *)self, &call, Py_None) < 0) return NULL;
    dcpn_python_unlock(&call);
    dcpn_status status = dcpn_factors_fit(call.context, data->matrix, &settings, &options, &factors);
    dcpn_python_lock(&call);
    if (!dcpn_python_raises(&call, status)) found = answer(factors, &call);
    dcpn_factors_free(factors);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}

/* penalty is what factor gave under that name. */
PyObject *dcpn_python_codes(PyObject *self, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"atoms", "count", "penalty", "nonnegative_codes", NULL};
    const struct data *data = (const struct data *)self;
    dcpn_factors f = {.length = dcpn_matrix_columns(data->matrix)};
    struct borrowed atoms = {0};
    struct call call;
    PyObject *atoms_object, *found = NULL;
    long long count;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "OL(sddddddd)|p", names, &atoms_object, &count, &f.penalty.name,
                                     &f.penalty.lambda, &f.penalty.theta, &f.penalty.a, &f.penalty.gamma, &f.penalty.p,
                                     &f.penalty.eps, &f.codes_end.goal, &f.nonnegative_codes))
        return NULL;
    if (dcpn_python_borrow(atoms_object, "atoms", DCPN_PYTHON_DOUBLE, count * f.length, &atoms) < 0) return NULL;
    f.atoms = count;
    f.atom = (double *)(uintptr_t)atoms.entries;
    int64_t numbers = dcpn_matrix_rows(data->matrix) * f.atoms;
    double *codes = calloc((size_t)numbers + 1, sizeof *codes);
    if (!codes) PyErr_NoMemory();
    if (codes && dcpn_python_data_enter((struct data *)self, &call, Py_None) == 0) {
        f.context = call.context;
        dcpn_python_unlock(&call);
        dcpn_status status = dcpn_factors_codes(&f, data->matrix, codes);
        dcpn_python_lock(&call);
        if (!dcpn_python_raises(&call, status)) found = dcpn_python_doubles(codes, numbers);
        dcpn_python_data_leave((struct data *)self, &call);
    }
    free(codes);
    dcpn_python_release(&atoms);
    return found;
}
