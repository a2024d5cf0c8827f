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
    const double *entry = take_doubles(handle, given, "entry", rows),
                 *strata = take_doubles(handle, given, "strata", rows);
    if (entry || strata) dcpn_r_need(handle, dcpn_problem_set_survival(work->problem, entry, strata));
}

void dcpn_r_take_settings(SEXP handle, SEXP given, dcpn_settings *settings)
{
    struct work *work = dcpn_r_work(handle);
    SEXP names = Rf_getAttrib(given, R_NamesSymbol);
    *settings = dcpn_settings_for_paths();
    for (R_xlen_t k = 0; k < Rf_xlength(given); k++)
        dcpn_r_need(handle, dcpn_settings_set(work->context, settings, CHAR(STRING_ELT(names, k)),
                                              CHAR(STRING_ELT(VECTOR_ELT(given, k), 0))));
}

/* ---- options of a path ---- */

static void take_penalties(SEXP handle, SEXP texts, dcpn_path_options *options)
{
    R_xlen_t count = Rf_xlength(texts);
    const char **names = (const char **)(void *)R_alloc((size_t)count + 1, sizeof *names);
    if (TYPEOF(texts) != STRSXP) dcpn_r_refuse(handle, "penalty: found no text, expected the names of penalties");
    for (R_xlen_t k = 0; k < count; k++) names[k] = CHAR(STRING_ELT(texts, k));
    options->penalties = names;
    options->penalty_count = count;
}

void dcpn_r_take_path_options(SEXP handle, SEXP given, dcpn_path_options *options)
{
    SEXP lambdas = dcpn_r_element(given, "lambdas"), values = dcpn_r_element(given, "values");
    SEXP penalties = dcpn_r_element(given, "penalties");
    *options = (dcpn_path_options){.observer = dcpn_r_observe_path, .user = dcpn_r_work(handle)};
    options->lambdas = take_doubles(handle, given, "lambdas", -1);
    options->lambda_count = options->lambdas ? Rf_xlength(lambdas) : (int64_t)dcpn_r_number(given, "lambda_count", 0.0);
    options->min_ratio = dcpn_r_number(given, "min_ratio", 0.0);
    options->values = take_doubles(handle, given, "values", -1);
    options->value_count = options->values ? Rf_xlength(values) : 0;
    options->saturation = dcpn_r_number(given, "saturation", 0.0);
    if (penalties != R_NilValue) take_penalties(handle, penalties, options);
}
