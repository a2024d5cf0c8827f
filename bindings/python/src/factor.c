/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.factor: codes and atoms; Data.codes: codes of other rows with atoms that are known. */
#include "kept_matrix.h"
#include "settings.h"
#include "structured.h"

#include <stdlib.h>

static PyObject *codes_of(const dcpn_factors *f)
{
    return Py_BuildValue("(NNN)", dcpn_python_integers(f->codes.first, f->count + 1),
                         dcpn_python_integers(f->codes.index, f->codes.first[f->count]),
                         dcpn_python_doubles(f->codes.value, f->codes.first[f->count]));
}

static PyObject *answer(const struct data *data, dcpn_factors *f, const struct call *call)
{
    PyObject *kept = dcpn_python_keep_matrix(data, &(struct matrix_kept){.factors = f}), *found;
    if (!kept) return NULL;
    found = Py_BuildValue(
        "{s:O,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:s,s:O,s:(sdddddddd),s:O,s:N}", "kept", kept, "atoms",
        dcpn_python_doubles(f->atom, f->atoms * f->length), "codes", codes_of(f), "multiplier",
        dcpn_python_doubles(f->of_atoms.multiplier, f->atoms), "objective", f->objective,
        "unexplained", f->unexplained, "codes_violation", f->codes_end.violation, "codes_goal", f->codes_end.goal,
        "atoms_violation", f->atoms_end.violation, "atoms_goal", f->atoms_end.goal, "iterations",
        (long long)f->iterations, "outcome", dcpn_outcome_name(f->outcome), "converged",
        dcpn_has_converged(f->outcome) ? Py_True : Py_False, "penalty", f->penalty.name, f->penalty.lambda,
        f->penalty.theta, f->penalty.a, f->penalty.gamma, f->penalty.p, f->penalty.eps, f->penalty.ridge,
        f->codes_end.goal, "notes",
        call->notes, "exception", dcpn_python_exception(call));
    Py_DECREF(kept);
    return found;
}

PyObject *dcpn_python_factor(PyObject *self, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"settings", "atoms", "of_columns", "nonnegative_codes", "nonnegative_atoms", "seed",
                            "atom_lambda", "atom_penalty", "batch", "start", NULL};
    const struct data *data = (const struct data *)self;
    dcpn_settings settings;
    dcpn_factor_options options = {0};
    dcpn_factors *factors = NULL;
    struct call call;
    PyObject *dictionary, *start_object = Py_None, *found = NULL;
    struct borrowed start = {0};
    long long atoms, seed = 1, batch = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "O!L|pppLdzLO", names, &PyDict_Type, &dictionary, &atoms,
                                     &options.of_columns, &options.nonnegative_codes, &options.nonnegative_atoms,
                                     &seed, &options.atom_lambda, &options.atom_penalty, &batch, &start_object))
        return NULL;
    options.atoms = atoms;
    options.seed = (uint64_t)seed;
    options.batch = batch;
    if (dcpn_python_settings(dictionary, &settings) < 0) return NULL;
    int64_t length = options.of_columns ? dcpn_matrix_rows(data->matrix) : dcpn_matrix_columns(data->matrix);
    if (dcpn_python_borrow(start_object, "start", DCPN_PYTHON_DOUBLE, atoms * length, &start) < 0) return NULL;
    options.start = start.entries;
    if (dcpn_python_data_enter((struct data *)self, &call, Py_None) < 0) return dcpn_python_release(&start), NULL;
    dcpn_python_unlock(&call);
    dcpn_status status = dcpn_factors_fit(call.context, data->matrix, &settings, &options, &factors);
    dcpn_python_lock(&call);
    if (!dcpn_python_raises(&call, status)) found = answer(data, factors, &call);
    dcpn_python_release(&start);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}

/* What has been asked of codes. */
struct codes_request {
    dcpn_factors factors;
    PyObject *atoms_object, *multiplier_object;
    struct borrowed atoms, multiplier;
};

/* Components become codes of columns, none of them left out; f->atom has them. */
static int take_components(dcpn_factors *f)
{
    f->of_columns = 1;
    f->nonnegative_atoms = f->nonnegative_codes;
    f->count = f->length;
    f->codes.first = calloc((size_t)f->count + 1, sizeof *f->codes.first);
    f->codes.index = calloc((size_t)(f->count * f->atoms) + 1, sizeof *f->codes.index);
    f->codes.value = calloc((size_t)(f->count * f->atoms) + 1, sizeof *f->codes.value);
    if (!f->codes.first || !f->codes.index || !f->codes.value) return 0;
    for (int64_t j = 0; j < f->count; j++)
        for (int64_t k = 0; k < f->atoms; k++) {
            f->codes.index[j * f->atoms + k] = k;
            f->codes.value[j * f->atoms + k] = f->atom[k * f->length + j];
        }
    for (int64_t j = 0; j <= f->count; j++) f->codes.first[j] = j * f->atoms;
    return 1;
}

static int borrow(struct codes_request *r)
{
    dcpn_factors *f = &r->factors;
    if (dcpn_python_borrow(r->atoms_object, "atoms", DCPN_PYTHON_DOUBLE, f->atoms * f->length, &r->atoms) < 0)
        return -1;
    f->atom = (double *)(uintptr_t)r->atoms.entries;
    if (r->multiplier_object == Py_None) return 0;
    if (dcpn_python_borrow(r->multiplier_object, "multiplier", DCPN_PYTHON_DOUBLE, f->atoms, &r->multiplier) < 0)
        return -1;
    f->of_atoms.multiplier = (double *)(uintptr_t)r->multiplier.entries;
    if (take_components(f)) return 0;
    PyErr_NoMemory();
    return -1;
}

static void release(struct codes_request *r)
{
    free(r->factors.codes.first);
    free(r->factors.codes.index);
    free(r->factors.codes.value);
    dcpn_python_release(&r->atoms);
    dcpn_python_release(&r->multiplier);
}

static PyObject *make_codes(PyObject *self, struct codes_request *r)
{
    const struct data *data = (const struct data *)self;
    PyObject *found = NULL;
    struct call call;
    int64_t numbers = dcpn_matrix_rows(data->matrix) * r->factors.atoms;
    double *codes = calloc((size_t)numbers + 1, sizeof *codes);
    if (!codes) PyErr_NoMemory();
    if (codes && dcpn_python_data_enter((struct data *)self, &call, Py_None) == 0) {
        r->factors.context = call.context;
        dcpn_python_unlock(&call);
        dcpn_status status = dcpn_factors_codes(&r->factors, data->matrix, codes);
        dcpn_python_lock(&call);
        if (!dcpn_python_raises(&call, status)) found = dcpn_python_doubles(codes, numbers);
        dcpn_python_data_leave((struct data *)self, &call);
    }
    free(codes);
    return found;
}

/* penalty is what factor gave under that name; with the multiplier of factors of columns atoms are components. */
PyObject *dcpn_python_codes(PyObject *self, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"atoms", "count", "penalty", "nonnegative_codes", "multiplier", NULL};
    const struct data *data = (const struct data *)self;
    struct codes_request request = {.multiplier_object = Py_None};
    dcpn_factors *f = &request.factors;
    long long count;
    PyObject *found = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "OL(sdddddddd)|pO", names, &request.atoms_object, &count,
                                     &f->penalty.name, &f->penalty.lambda, &f->penalty.theta, &f->penalty.a,
                                     &f->penalty.gamma, &f->penalty.p, &f->penalty.eps, &f->penalty.ridge,
                                     &f->codes_end.goal, &f->nonnegative_codes, &request.multiplier_object))
        return NULL;
    f->length = dcpn_matrix_columns(data->matrix);
    f->atoms = count;
    if (borrow(&request) == 0) found = make_codes(self, &request);
    release(&request);
    return found;
}
