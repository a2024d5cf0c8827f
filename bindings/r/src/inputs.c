/* SPDX-License-Identifier: BSD-3-Clause */
/* What R gives: matrices, vectors and lists, borrowed wherever their layout allows. */
#include <stdlib.h>
#include <string.h>

#include "dcpn_r.h"

/* ---- lists ---- */

SEXP dcpn_r_element(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t k = 0; k < Rf_xlength(names); k++)
        if (strcmp(CHAR(STRING_ELT(names, k)), name) == 0) return VECTOR_ELT(list, k);
    return R_NilValue;
}

double dcpn_r_number(SEXP list, const char *name, double otherwise)
{
    SEXP found = dcpn_r_element(list, name);
    return found == R_NilValue ? otherwise : Rf_asReal(found);
}

const char *dcpn_r_text(SEXP list, const char *name)
{
    SEXP found = dcpn_r_element(list, name);
    return found == R_NilValue ? NULL : CHAR(STRING_ELT(found, 0));
}

/* The package hands over doubles alone. expected: how many; -1: any number. NULL: there is none. */
static const double *take_doubles(SEXP handle, SEXP list, const char *name, int64_t expected)
{
    SEXP found = dcpn_r_element(list, name);
    if (found == R_NilValue) return NULL;
    if (TYPEOF(found) != REALSXP) dcpn_r_refuse(handle, "%s: found no vector of numbers, expected one", name);
    if (expected >= 0 && Rf_xlength(found) != expected)
        dcpn_r_refuse(handle, "%s: found %lld numbers, expected %lld", name, (long long)Rf_xlength(found),
                      (long long)expected);
    return REAL(found);
}

/* Whole numbers that R keeps as doubles, in memory that R frees after the call. */
static const int64_t *take_integers(SEXP handle, SEXP list, const char *name, R_xlen_t *count)
{
    SEXP found = dcpn_r_element(list, name);
    const double *numbers = take_doubles(handle, list, name, -1);
    if (!numbers) return NULL;
    *count = Rf_xlength(found);
    int64_t *whole = (int64_t *)(void *)R_alloc((size_t)*count + 1, sizeof *whole);
    for (R_xlen_t k = 0; k < *count; k++) whole[k] = (int64_t)numbers[k];
    return whole;
}

/* ---- the matrix ---- */

static dcpn_status take_dense(struct work *work, SEXP x)
{
    int64_t rows = Rf_nrows(x), columns = Rf_ncols(x);
    return dcpn_matrix_dense(work->context, rows, columns, REAL(x), DCPN_FLOAT64, DCPN_COLUMN_MAJOR, rows, DCPN_BORROW,
                             &work->matrix);
}

/* R's own code trusts a dgCMatrix; this must not, since an object of that class may hold anything. */
static void check_sparse(SEXP handle, SEXP p, SEXP i, SEXP values, SEXP size)
{
    int is_one = TYPEOF(p) == INTSXP && TYPEOF(i) == INTSXP && TYPEOF(values) == REALSXP && TYPEOF(size) == INTSXP &&
                 Rf_xlength(size) == 2;
    if (is_one) is_one = INTEGER(size)[1] >= 0 && Rf_xlength(p) == (R_xlen_t)INTEGER(size)[1] + 1;
    if (is_one) {
        int entries = INTEGER(p)[INTEGER(size)[1]];
        is_one = entries >= 0 && Rf_xlength(i) >= entries && Rf_xlength(values) >= entries;
    }
    if (!is_one)
        dcpn_r_refuse(handle, "x: found a dgCMatrix whose slots do not fit together; validObject(x) tells more");
}

static dcpn_status take_sparse(SEXP handle, SEXP x)
{
    struct work *work = dcpn_r_work(handle);
    SEXP p = R_do_slot(x, Rf_install("p")), i = R_do_slot(x, Rf_install("i"));
    SEXP values = R_do_slot(x, Rf_install("x")), size = R_do_slot(x, Rf_install("Dim"));
    check_sparse(handle, p, i, values, size);
    work->pointers = malloc((size_t)Rf_xlength(p) * sizeof *work->pointers);
    if (!work->pointers) dcpn_r_refuse(handle, "x: out of memory");
    for (R_xlen_t k = 0; k < Rf_xlength(p); k++) work->pointers[k] = INTEGER(p)[k];
    const dcpn_compressed C = {.rows = INTEGER(size)[0],
                               .columns = INTEGER(size)[1],
                               .pointers = work->pointers,
                               .indices = INTEGER(i),
                               .index_type = DCPN_INT32,
                               .values = REAL(values),
                               .value_type = DCPN_FLOAT64};
    return dcpn_matrix_csc(work->context, &C, DCPN_BORROW, &work->matrix);
}

void dcpn_r_take_matrix(SEXP handle, SEXP x)
{
    if (Rf_inherits(x, "dgCMatrix"))
        dcpn_r_need(handle, take_sparse(handle, x));
    else if (TYPEOF(x) == REALSXP && Rf_isMatrix(x))
        dcpn_r_need(handle, take_dense(dcpn_r_work(handle), x));
    else
        dcpn_r_refuse(handle, "x: found neither a numeric matrix nor a dgCMatrix, expected one of them");
}

/* ---- the problem ---- */

static void take_groups(SEXP handle, SEXP given)
{
    R_xlen_t starts = 0, members = 0;
    const int64_t *start = take_integers(handle, given, "group_start", &starts);
    const int64_t *member = take_integers(handle, given, "group_member", &members);
    if (!start || !member) return;
    if (starts < 1 || start[starts - 1] != members)
        dcpn_r_refuse(handle, "groups: found %lld members, expected as many as the last start says",
                      (long long)members);
    const double *weights = take_doubles(handle, given, "group_weights", starts - 1);
    dcpn_r_need(handle, dcpn_problem_set_groups(dcpn_r_work(handle)->problem, starts - 1, start, member, weights));
}

void dcpn_r_take_problem(SEXP handle, SEXP given)
{
    struct work *work = dcpn_r_work(handle);
    int64_t rows = dcpn_matrix_rows(work->matrix), columns = dcpn_matrix_columns(work->matrix);
    const double *y = take_doubles(handle, given, "y", rows);
    if (!y) dcpn_r_refuse(handle, "y: found none, expected a label for each row");
    dcpn_r_need(handle, dcpn_problem_new(work->context, work->matrix, y, &work->problem));
    const double *weights = take_doubles(handle, given, "weights", rows);
    const double *offset = take_doubles(handle, given, "offset", rows);
    const double *factors = take_doubles(handle, given, "factors", columns);
    const double *lower = take_doubles(handle, given, "lower", columns);
    const double *upper = take_doubles(handle, given, "upper", columns);
    if (weights) dcpn_r_need(handle, dcpn_problem_set_weights(work->problem, weights));
    if (offset) dcpn_r_need(handle, dcpn_problem_set_offset(work->problem, offset));
    if (factors) dcpn_r_need(handle, dcpn_problem_set_penalty_factors(work->problem, factors));
    if (lower || upper) dcpn_r_need(handle, dcpn_problem_set_bounds(work->problem, lower, upper));
    take_groups(handle, given);
    const double *responses = take_doubles(handle, given, "responses", -1);
    if (responses) {
        int64_t count = Rf_xlength(dcpn_r_element(given, "responses")) / (rows ? rows : 1);
        dcpn_r_need(handle, dcpn_problem_set_responses(work->problem, count, responses));
    }
    const double *entry = take_doubles(handle, given, "entry", rows),
                 *strata = take_doubles(handle, given, "strata", rows);
    if (entry || strata) dcpn_r_need(handle, dcpn_problem_set_survival(work->problem, entry, strata));
}

void dcpn_r_take_settings(SEXP handle, SEXP given)
{
    struct work *work = dcpn_r_work(handle);
    SEXP names = Rf_getAttrib(given, R_NamesSymbol);
    dcpn_r_need(handle, dcpn_settings_new(work->context, 1, &work->settings));
    for (R_xlen_t k = 0; k < Rf_xlength(given); k++)
        dcpn_r_need(handle, dcpn_settings_set_text(work->settings, CHAR(STRING_ELT(names, k)),
                                                   CHAR(STRING_ELT(VECTOR_ELT(given, k), 0))));
}

/* ---- options of paths and cross-validations ---- */

static int is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) names++;
    return *names != NULL;
}

static dcpn_status take_texts(dcpn_cv_options *options, const char *name, SEXP texts)
{
    R_xlen_t count = Rf_xlength(texts);
    const char **words = (const char **)(void *)R_alloc((size_t)count + 1, sizeof *words);
    for (R_xlen_t k = 0; k < count; k++) words[k] = CHAR(STRING_ELT(texts, k));
    if (strcmp(name, "penalties") == 0) return dcpn_cv_options_set_texts(options, name, words, count);
    return dcpn_cv_options_set_text(options, name, count ? words[0] : "");
}

static void take_option(SEXP handle, const char *name, SEXP list)
{
    static const char *const arrays[] = {"lambdas", "values", NULL};
    static const char *const reals[] = {"min_ratio", "saturation", "threshold", "share", NULL};
    dcpn_cv_options *options = dcpn_r_work(handle)->options;
    SEXP found = dcpn_r_element(list, name);
    if (TYPEOF(found) == STRSXP) {
        dcpn_r_need(handle, take_texts(options, name, found));
    } else if (is_among(name, arrays)) {
        const double *numbers = take_doubles(handle, list, name, -1);
        dcpn_r_need(handle, dcpn_cv_options_set_reals(options, name, numbers, Rf_xlength(found)));
    } else if (strcmp(name, "fold_of") == 0) {
        R_xlen_t count = 0, rows = (R_xlen_t)dcpn_matrix_rows(dcpn_r_work(handle)->matrix);
        const int64_t *fold_of = take_integers(handle, list, name, &count);
        if (count != rows)
            dcpn_r_refuse(handle, "foldid: found %lld numbers, expected %lld, one for each row", (long long)count,
                          (long long)rows);
        dcpn_r_need(handle, dcpn_cv_options_set_counts(options, name, fold_of, count));
    } else if (is_among(name, reals)) {
        dcpn_r_need(handle, dcpn_cv_options_set_real(options, name, Rf_asReal(found)));
    } else {
        dcpn_r_need(handle, dcpn_cv_options_set_count(options, name, (int64_t)Rf_asReal(found)));
    }
}

void dcpn_r_take_options(SEXP handle, SEXP given)
{
    struct work *work = dcpn_r_work(handle);
    SEXP names = Rf_getAttrib(given, R_NamesSymbol);
    if (!work->options) {
        dcpn_r_need(handle, dcpn_cv_options_new(work->context, &work->options));
        dcpn_r_need(handle, dcpn_cv_options_set_observer(work->options, dcpn_r_observe_path, work));
    }
    for (R_xlen_t k = 0; k < Rf_xlength(given); k++) take_option(handle, CHAR(STRING_ELT(names, k)), given);
}
