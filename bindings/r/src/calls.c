/* SPDX-License-Identifier: BSD-3-Clause */
/* fit, path and cv, as R calls them. */
#include "dcpn_r.h"

static SEXP begin(SEXP x, SEXP problem, SEXP given, SEXP threads)
{
    SEXP handle = PROTECT(dcpn_r_begin(Rf_asInteger(threads)));
    dcpn_r_take_matrix(handle, x);
    dcpn_r_take_problem(handle, problem);
    dcpn_r_take_settings(handle, given);
    UNPROTECT(1);
    return handle;
}

/* What was found, and what the library has said of it; nothing is left of the call afterwards. */
static SEXP finish(SEXP handle, const char *name, SEXP found)
{
    PROTECT(found);
    struct answer answer = dcpn_r_answer(2);
    dcpn_r_add(&answer, name, found);
    dcpn_r_add(&answer, "notes", dcpn_r_notes(dcpn_r_work(handle)));
    SEXP list = dcpn_r_answer_end(&answer);
    dcpn_r_end(handle);
    UNPROTECT(1);
    return list;
}

/* ---- one fit ---- */

/* lambda, or a share of the smallest one at which no feature is in use. */
static dcpn_status set_lambda(struct work *work, SEXP options, double *lambda)
{
    double share = dcpn_r_number(options, "share", NA_REAL), largest;
    if (ISNAN(share)) return DCPN_OK;
    dcpn_status status = dcpn_solver_lambda_max(work->solver, &largest);
    *lambda = share * largest;
    return status == DCPN_OK ? dcpn_solver_set_lambda(work->solver, *lambda) : status;
}

static SEXP fit_found(const struct work *work, double lambda)
{
    struct answer answer = dcpn_r_answer(4);
    dcpn_r_add(&answer, "lambda", Rf_ScalarReal(lambda));
    int64_t scores = dcpn_solver_scores(work->solver), features = dcpn_matrix_columns(work->matrix);
    dcpn_r_add(&answer, "beta", dcpn_r_doubles(dcpn_solver_coefficients(work->solver), features * scores));
    int64_t intercepts = dcpn_solver_intercept_count(work->solver);
    dcpn_r_add(&answer, "intercept", dcpn_r_doubles(dcpn_solver_intercepts(work->solver), intercepts));
    dcpn_r_add(&answer, "result", dcpn_r_result(dcpn_solver_result(work->solver)));
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_fit(SEXP x, SEXP problem, SEXP given, SEXP options, SEXP threads)
{
    SEXP handle = PROTECT(begin(x, problem, given, threads));
    struct work *work = dcpn_r_work(handle);
    dcpn_value set = {0};
    (void)dcpn_settings_get(work->settings, "lambda", &set);
    double lambda = set.real;
    dcpn_r_need(handle, dcpn_solver_new(work->context, work->problem, work->settings, &work->solver));
    dcpn_solver_set_observer(work->solver, dcpn_r_observe, work);
    dcpn_r_need(handle, set_lambda(work, options, &lambda));
    dcpn_r_need(handle, dcpn_solver_run(work->solver));
    dcpn_r_need_uninterrupted(handle);
    SEXP found = finish(handle, "fit", fit_found(work, lambda));
    UNPROTECT(1);
    return found;
}

/* ---- paths ---- */

SEXP dcpn_r_path(SEXP x, SEXP problem, SEXP given, SEXP options, SEXP threads)
{
    SEXP handle = PROTECT(begin(x, problem, given, threads));
    struct work *work = dcpn_r_work(handle);
    dcpn_r_take_options(handle, options);
    dcpn_r_need(handle, dcpn_paths_fit(work->context, work->problem, work->settings,
                                       dcpn_cv_options_path(work->options), &work->paths));
    dcpn_r_need_uninterrupted(handle);
    SEXP found = finish(handle, "paths", dcpn_r_paths(work->paths));
    UNPROTECT(1);
    return found;
}

/* ---- cross-validation ---- */

SEXP dcpn_r_cv(SEXP x, SEXP problem, SEXP given, SEXP options, SEXP cv_options, SEXP threads)
{
    SEXP handle = PROTECT(begin(x, problem, given, threads));
    struct work *work = dcpn_r_work(handle);
    dcpn_r_take_options(handle, options);
    dcpn_r_take_options(handle, cv_options);
    dcpn_r_need(handle, dcpn_cv_run(work->context, work->problem, work->settings, work->options, &work->cv));
    dcpn_r_need_uninterrupted(handle);
    SEXP found = finish(handle, "cv", dcpn_r_cv_result(work->cv));
    UNPROTECT(1);
    return found;
}
