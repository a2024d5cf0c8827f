/* SPDX-License-Identifier: BSD-3-Clause */
/* fit, path and cv, as R calls them. */
#include "dcpn_r.h"

static SEXP begin(SEXP x, SEXP problem, SEXP given, SEXP threads, dcpn_settings *settings)
{
    SEXP handle = PROTECT(dcpn_r_begin(Rf_asInteger(threads)));
    dcpn_r_take_matrix(handle, x);
    dcpn_r_take_problem(handle, problem);
    dcpn_r_take_settings(handle, given, settings);
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
    dcpn_r_add(&answer, "intercept", dcpn_r_doubles(dcpn_solver_intercepts(work->solver), scores));
    dcpn_r_add(&answer, "result", dcpn_r_result(dcpn_solver_result(work->solver)));
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_fit(SEXP x, SEXP problem, SEXP given, SEXP options, SEXP threads)
{
    dcpn_settings settings;
    SEXP handle = PROTECT(begin(x, problem, given, threads, &settings));
    struct work *work = dcpn_r_work(handle);
    double lambda = settings.lambda;
    dcpn_r_need(handle, dcpn_solver_new(work->context, work->problem, &settings, &work->solver));
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
    dcpn_settings settings;
    dcpn_path_options asked;
    SEXP handle = PROTECT(begin(x, problem, given, threads, &settings));
    struct work *work = dcpn_r_work(handle);
    dcpn_r_take_path_options(handle, options, &asked);
    dcpn_r_need(handle, dcpn_paths_fit(work->context, work->problem, &settings, &asked, &work->paths));
    dcpn_r_need_uninterrupted(handle);
    SEXP found = finish(handle, "paths", dcpn_r_paths(work->paths));
    UNPROTECT(1);
    return found;
}

/* ---- cross-validation ---- */

static void take_folds(SEXP handle, SEXP given, dcpn_cv_options *asked)
{
    SEXP list = dcpn_r_element(given, "fold_of");
    int64_t rows = dcpn_matrix_rows(dcpn_r_work(handle)->matrix);
    asked->folds = (int64_t)dcpn_r_number(given, "folds", 0.0);
    if (list == R_NilValue) return;
    if (TYPEOF(list) != REALSXP || Rf_xlength(list) != rows)
        dcpn_r_refuse(handle, "foldid: found %lld numbers, expected %lld, one for each row",
                      (long long)Rf_xlength(list), (long long)rows);
    int64_t *fold_of = (int64_t *)(void *)R_alloc((size_t)rows + 1, sizeof *fold_of);
    for (int64_t i = 0; i < rows; i++) fold_of[i] = (int64_t)REAL(list)[i];
    asked->fold_of = fold_of;
}

static void take_cv_options(SEXP handle, SEXP options, SEXP given, dcpn_cv_options *asked)
{
    *asked = (dcpn_cv_options){.seed = (uint64_t)dcpn_r_number(given, "seed", 0.0),
                               .is_unstratified = dcpn_r_number(given, "unstratified", 0.0) != 0.0,
                               .measure = dcpn_r_text(given, "measure"),
                               .rule = dcpn_r_text(given, "rule"),
                               .subsamples = (int64_t)dcpn_r_number(given, "subsamples", 0.0),
                               .patience = (int64_t)dcpn_r_number(given, "patience", 0.0),
                               .threshold = dcpn_r_number(given, "threshold", 0.0)};
    dcpn_r_take_path_options(handle, options, &asked->path);
    take_folds(handle, given, asked);
}

SEXP dcpn_r_cv(SEXP x, SEXP problem, SEXP given, SEXP options, SEXP cv_options, SEXP threads)
{
    dcpn_settings settings;
    dcpn_cv_options asked;
    SEXP handle = PROTECT(begin(x, problem, given, threads, &settings));
    struct work *work = dcpn_r_work(handle);
    take_cv_options(handle, options, cv_options, &asked);
    dcpn_r_need(handle, dcpn_cv_run(work->context, work->problem, &settings, &asked, &work->cv));
    dcpn_r_need_uninterrupted(handle);
    SEXP found = finish(handle, "cv", dcpn_r_cv_result(work->cv));
    UNPROTECT(1);
    return found;
}
