/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.fit: one fit. */
#include "kept.h"
#include "problem.h"
#include "results.h"
#include "settings.h"

struct request {
    struct ingredients problem;
    dcpn_settings settings;
    PyObject *start_object, *observer;
    struct borrowed start;
    double start_intercept;
    double share; /* of lambda_max, which is lambda then; NaN: the settings say it */
    dcpn_solver *solver;
};

static int parse(PyObject *arguments, PyObject *words, struct request *r)
{
    static char *names[] = {"y",      "settings", "weights", "offset",          "factors", "lower",    "upper",
                            "groups", "survival", "start",   "start_intercept", "share",   "observer", NULL};
    PyObject **o = r->problem.objects, *settings;
    for (int k = 0; k < INGREDIENTS; k++) o[k] = Py_None;
    r->start_object = r->observer = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "OO!|OOOOOOOOddO", names, &o[LABELS], &PyDict_Type, &settings,
                                     &o[WEIGHTS], &o[OFFSET], &o[FACTORS], &o[LOWER], &o[UPPER], &o[GROUPS],
                                     &o[SURVIVAL], &r->start_object, &r->start_intercept, &r->share, &r->observer))
        return -1;
    return dcpn_python_settings(settings, &r->settings);
}

/* A share of lambda_max means one fit more, that of the null model. */
static dcpn_status set_share(struct request *r)
{
    double lambda_max;
    if (r->share != r->share) return DCPN_OK;
    dcpn_status status = dcpn_solver_lambda_max(r->solver, &lambda_max);
    if (status != DCPN_OK) return status;
    r->settings.lambda = r->share * lambda_max;
    return dcpn_solver_set_lambda(r->solver, r->settings.lambda);
}

static dcpn_status run(struct request *r, struct call *call)
{
    dcpn_status status = dcpn_solver_new(call->context, r->problem.problem, &r->settings, &r->solver);
    if (status == DCPN_OK) dcpn_solver_set_observer(r->solver, dcpn_python_observe, call);
    if (status == DCPN_OK) status = set_share(r);
    if (status == DCPN_OK && r->start.entries && dcpn_solver_scores(r->solver) == 1)
        status = dcpn_solver_set_start(r->solver, r->start.entries, r->start_intercept);
    return status == DCPN_OK ? dcpn_solver_run(r->solver) : status;
}

/* The fit as a model that can be written; none if it was ended before its first step. */
static PyObject *kept_model(const struct request *r, const struct data *data)
{
    dcpn_model *model;
    if (dcpn_solver_result(r->solver)->outcome == DCPN_NOT_RUN) return Py_NewRef(Py_None);
    if (dcpn_model_new(r->solver, 0, &model) != DCPN_OK) return PyErr_NoMemory();
    return dcpn_python_keep(data, &(struct results_kept){.model = model, .groups = dcpn_python_groups(&r->problem)});
}

static PyObject *answer(const struct request *r, const struct call *call, const struct data *data)
{
    int64_t scores = dcpn_solver_scores(r->solver), features = dcpn_matrix_columns(data->matrix);
    int64_t intercepts = dcpn_solver_intercept_count(r->solver);
    return Py_BuildValue("{s:N,s:N,s:N,s:d,s:N,s:O,s:N}", "kept", kept_model(r, data), "coefficients",
                         dcpn_python_doubles(dcpn_solver_coefficients(r->solver), features * scores), "intercepts",
                         dcpn_python_doubles(dcpn_solver_intercepts(r->solver), intercepts), "lambda",
                         r->settings.lambda,
                         "result", dcpn_python_result(dcpn_solver_result(r->solver)), "notes", call->notes, "exception",
                         dcpn_python_exception(call));
}

static PyObject *fit(struct request *r, struct call *call, const struct data *data)
{
    int64_t features = dcpn_matrix_columns(data->matrix);
    if (dcpn_python_problem(&r->problem, call, data) < 0) return NULL;
    if (dcpn_python_borrow(r->start_object, "start", DCPN_PYTHON_DOUBLE, features, &r->start) < 0) return NULL;
    dcpn_python_unlock(call);
    dcpn_status status = run(r, call);
    dcpn_python_lock(call);
    PyObject *found = dcpn_python_raises(call, status) ? NULL : answer(r, call, data);
    dcpn_solver_free(r->solver);
    dcpn_python_release(&r->start);
    return found;
}

PyObject *dcpn_python_fit(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct request request = {.share = Py_NAN};
    struct call call;
    if (parse(arguments, words, &request) < 0) return NULL;
    if (dcpn_python_data_enter((struct data *)self, &call, request.observer) < 0) return NULL;
    PyObject *found = fit(&request, &call, (struct data *)self);
    dcpn_python_problem_free(&request.problem);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}
