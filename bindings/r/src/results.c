/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library answers, as lists of vectors. */
#include <string.h>

#include "dcpn_r.h"

/* ---- lists ---- */

struct answer dcpn_r_answer(R_xlen_t room)
{
    struct answer answer = {PROTECT(Rf_allocVector(VECSXP, room)), PROTECT(Rf_allocVector(STRSXP, room)), 0};
    return answer;
}

void dcpn_r_add(struct answer *answer, const char *name, SEXP value)
{
    PROTECT(value);
    SET_VECTOR_ELT(answer->list, answer->count, value);
    SET_STRING_ELT(answer->names, answer->count++, Rf_mkChar(name));
    UNPROTECT(1);
}

SEXP dcpn_r_answer_end(struct answer *answer)
{
    Rf_setAttrib(answer->list, R_NamesSymbol, answer->names);
    UNPROTECT(2);
    return answer->list;
}

SEXP dcpn_r_doubles(const double *numbers, int64_t count)
{
    SEXP vector = Rf_allocVector(REALSXP, (R_xlen_t)count);
    if (count > 0) memcpy(REAL(vector), numbers, (size_t)count * sizeof *numbers);
    return vector;
}

SEXP dcpn_r_texts(const char *const *texts, int64_t count)
{
    SEXP vector = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t k = 0; k < count; k++) SET_STRING_ELT(vector, (R_xlen_t)k, Rf_mkCharCE(texts[k], CE_UTF8));
    UNPROTECT(1);
    return vector;
}

/* R has no integers of 64 bits; what it numbers it numbers with doubles, exact up to 2^53. */
static SEXP of_integers(const int64_t *numbers, int64_t count)
{
    SEXP vector = Rf_allocVector(REALSXP, (R_xlen_t)count);
    for (int64_t k = 0; k < count; k++) REAL(vector)[k] = (double)numbers[k];
    return vector;
}

static SEXP text_or_null(const char *text)
{
    return text ? Rf_mkString(text) : R_NilValue;
}

/* ---- a fit ---- */

SEXP dcpn_r_result(const dcpn_result *r)
{
    static const char *const numbers[] = {"objective", "loss_value", "penalty_value", "stationarity",
                                          "stationarity_goal", "nonzeros", "iterations", "passes", "time_s"};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    dcpn_outcome outcome = dcpn_result_outcome(r);
    struct answer answer = dcpn_r_answer(3 + NUMBERS);
    dcpn_r_add(&answer, "outcome", Rf_mkString(dcpn_outcome_name(outcome)));
    dcpn_r_add(&answer, "meaning", Rf_mkString(dcpn_outcome_meaning(outcome)));
    dcpn_r_add(&answer, "converged", Rf_ScalarLogical(dcpn_has_converged(outcome)));
    for (int k = 0; k < NUMBERS; k++)
        dcpn_r_add(&answer, numbers[k], Rf_ScalarReal(dcpn_result_number(r, numbers[k])));
    return dcpn_r_answer_end(&answer);
}

/* ---- paths ---- */

/* One path of them. */
struct one {
    const dcpn_paths *paths;
    int64_t path, points;
};

static dcpn_value value_of(const struct one *one, const char *field)
{
    dcpn_value value = {0};
    (void)dcpn_paths_get_of_path(one->paths, one->path, field, &value);
    return value;
}

static double number_of(const dcpn_paths *paths, const char *field)
{
    dcpn_value value = {.real = NA_REAL};
    (void)dcpn_paths_get(paths, field, &value);
    return value.real;
}

/* One number of each point, as a vector. */
static SEXP of_points(const struct one *one, const char *field)
{
    SEXP column = Rf_allocVector(REALSXP, (R_xlen_t)one->points);
    for (int64_t k = 0; k < one->points; k++)
        REAL(column)[k] = dcpn_paths_number(one->paths, one->path, k, field);
    return column;
}

static dcpn_outcome outcome_of(const struct one *one, int64_t point)
{
    return (dcpn_outcome)(int)dcpn_paths_number(one->paths, one->path, point, "outcome");
}

static SEXP outcomes_of(const struct one *one)
{
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)one->points));
    for (int64_t k = 0; k < one->points; k++)
        SET_STRING_ELT(names, (R_xlen_t)k, Rf_mkChar(dcpn_outcome_name(outcome_of(one, k))));
    UNPROTECT(1);
    return names;
}

/* Which points have converged; 1 or 0. */
static SEXP convergence_of(const struct one *one)
{
    SEXP column = Rf_allocVector(REALSXP, (R_xlen_t)one->points);
    for (int64_t k = 0; k < one->points; k++) REAL(column)[k] = dcpn_has_converged(outcome_of(one, k));
    return column;
}

/* 1, 0 or not known. */
static SEXP convexity_of(const struct one *one)
{
    SEXP column = of_points(one, "is_locally_convex");
    for (int64_t k = 0; k < one->points; k++)
        if (REAL(column)[k] < 0.0) REAL(column)[k] = NA_REAL;
    return column;
}

static const char *end_of(const struct one *one)
{
    int64_t end = value_of(one, "end").count;
    return end == DCPN_PATH_ALL         ? "all"
           : end == DCPN_PATH_SATURATED ? "saturated"
           : end == DCPN_PATH_CROWDED   ? "crowded"
           : end == DCPN_PATH_NOISE     ? "noise"
                                        : "interrupted";
}

/* Where a row has several scores, those of each point, one point after another. */
static SEXP intercepts_of(const struct one *one)
{
    const double *several = dcpn_paths_intercepts(one->paths, one->path);
    return several ? dcpn_r_doubles(several, one->points * (int64_t)number_of(one->paths, "intercepts"))
                   : of_points(one, "intercept");
}

/* The coefficients of all points, one point after another: where those of each begin, their features and values. */
static void add_coefficients(struct answer *answer, const struct one *one)
{
    int64_t *pointers = (int64_t *)(void *)R_alloc((size_t)one->points + 1, sizeof *pointers);
    (void)dcpn_paths_csc(one->paths, one->path, pointers, NULL, NULL);
    int64_t count = pointers[one->points];
    int64_t *index = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *index);
    SEXP values = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    (void)dcpn_paths_csc(one->paths, one->path, pointers, index, REAL(values));
    dcpn_r_add(answer, "first", of_integers(pointers, one->points));
    dcpn_r_add(answer, "index", of_integers(index, count));
    dcpn_r_add(answer, "value_of", values);
    UNPROTECT(1);
}

static SEXP path_of(const dcpn_paths *paths, int64_t path)
{
    static const char *const numbers[] = {"lambda", "deviance", "objective", "stationarity", "stationarity_goal",
                                          "iterations", "passes"};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    const struct one one = {paths, path, dcpn_paths_points(paths, path)};
    struct answer answer = dcpn_r_answer(13 + NUMBERS);
    dcpn_r_add(&answer, "penalty", text_or_null(value_of(&one, "penalty").text));
    dcpn_r_add(&answer, "varying", text_or_null(value_of(&one, "varying").text));
    dcpn_r_add(&answer, "value", Rf_ScalarReal(value_of(&one, "value").real));
    dcpn_r_add(&answer, "lambda_max", Rf_ScalarReal(value_of(&one, "lambda_max").real));
    dcpn_r_add(&answer, "end", Rf_mkString(end_of(&one)));
    dcpn_r_add(&answer, "outcome", outcomes_of(&one));
    add_coefficients(&answer, &one);
    dcpn_r_add(&answer, "intercept", intercepts_of(&one));
    dcpn_r_add(&answer, "df", of_points(&one, "nonzeros"));
    dcpn_r_add(&answer, "converged", convergence_of(&one));
    dcpn_r_add(&answer, "convex", convexity_of(&one));
    for (int k = 0; k < NUMBERS; k++) dcpn_r_add(&answer, numbers[k], of_points(&one, numbers[k]));
    return dcpn_r_answer_end(&answer);
}

static SEXP all_paths(const dcpn_paths *paths)
{
    int64_t count = dcpn_paths_count(paths);
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    for (int64_t k = 0; k < count; k++) SET_VECTOR_ELT(list, (R_xlen_t)k, path_of(paths, k));
    UNPROTECT(1);
    return list;
}

SEXP dcpn_r_paths(const dcpn_paths *paths)
{
    static const char *const numbers[] = {"scores", "rows", "features", "null_deviance", "time_s"};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    struct answer answer = dcpn_r_answer(2 + NUMBERS);
    dcpn_value loss = {0};
    (void)dcpn_paths_get(paths, "loss", &loss);
    dcpn_r_add(&answer, "loss", text_or_null(loss.text));
    for (int k = 0; k < NUMBERS; k++) dcpn_r_add(&answer, numbers[k], Rf_ScalarReal(number_of(paths, numbers[k])));
    dcpn_r_add(&answer, "paths", all_paths(paths));
    return dcpn_r_answer_end(&answer);
}

/* ---- cross-validation ---- */

static dcpn_value field_of(const dcpn_cv *cv, const char *field)
{
    dcpn_value value = {0};
    (void)dcpn_cv_get(cv, field, &value);
    return value;
}

/* Counts from 1, as R does; 0: nothing was chosen. */
static SEXP choice_of(const dcpn_cv *cv, const char *rule)
{
    int64_t path = -1, point = -1;
    double mean = NA_REAL, se = NA_REAL;
    (void)dcpn_cv_chosen(cv, rule, &path, &point, &mean, &se);
    struct answer answer = dcpn_r_answer(4);
    dcpn_r_add(&answer, "path", Rf_ScalarReal((double)path + 1.0));
    dcpn_r_add(&answer, "point", Rf_ScalarReal((double)point + 1.0));
    dcpn_r_add(&answer, "mean", Rf_ScalarReal(mean));
    dcpn_r_add(&answer, "se", Rf_ScalarReal(se));
    return dcpn_r_answer_end(&answer);
}

static SEXP curve_of(const dcpn_cv *cv, int64_t path)
{
    int64_t points = dcpn_paths_points(dcpn_cv_paths(cv), path);
    struct answer answer = dcpn_r_answer(4);
    SEXP mean = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)points));
    SEXP se = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)points));
    for (int64_t k = 0; k < points; k++) (void)dcpn_cv_at(cv, path, k, &REAL(mean)[k], &REAL(se)[k]);
    dcpn_r_add(&answer, "cvm", mean);
    dcpn_r_add(&answer, "cvsd", se);
    UNPROTECT(2);
    dcpn_r_add(&answer, "min", Rf_ScalarReal((double)dcpn_cv_best(cv, path, "min") + 1.0));
    dcpn_r_add(&answer, "1se", Rf_ScalarReal((double)dcpn_cv_best(cv, path, "1se") + 1.0));
    return dcpn_r_answer_end(&answer);
}

static SEXP curves_of(const dcpn_cv *cv)
{
    int64_t count = dcpn_paths_count(dcpn_cv_paths(cv));
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    for (int64_t k = 0; k < count; k++) SET_VECTOR_ELT(list, (R_xlen_t)k, curve_of(cv, k));
    UNPROTECT(1);
    return list;
}

static SEXP stability_of(const dcpn_cv *cv)
{
    static const char *const numbers[] = {"subsamples", "threshold", "bound"};
    const int64_t *index = NULL;
    const double *frequency = NULL;
    int64_t count = dcpn_cv_selected(cv, &index, &frequency);
    dcpn_value value;
    if (!dcpn_cv_stability_get(cv, "subsamples", &value)) return R_NilValue;
    struct answer answer = dcpn_r_answer(5);
    for (int k = 0; k < 3; k++)
        if (dcpn_cv_stability_get(cv, numbers[k], &value)) dcpn_r_add(&answer, numbers[k], Rf_ScalarReal(value.real));
    dcpn_r_add(&answer, "index", of_integers(index, count));
    dcpn_r_add(&answer, "frequency", dcpn_r_doubles(frequency, count));
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_cv_result(const dcpn_cv *cv)
{
    struct answer answer = dcpn_r_answer(9);
    dcpn_r_add(&answer, "paths", dcpn_r_paths(dcpn_cv_paths(cv)));
    dcpn_r_add(&answer, "folds", Rf_ScalarReal(field_of(cv, "folds").real));
    dcpn_r_add(&answer, "measure", Rf_mkString(field_of(cv, "measure").text));
    dcpn_r_add(&answer, "curves", curves_of(cv));
    dcpn_r_add(&answer, "min", choice_of(cv, "min"));
    dcpn_r_add(&answer, "1se", choice_of(cv, "1se"));
    dcpn_r_add(&answer, "chosen", choice_of(cv, NULL));
    dcpn_r_add(&answer, "stability", stability_of(cv));
    dcpn_r_add(&answer, "complete", Rf_ScalarLogical(field_of(cv, "is_complete").count != 0));
    return dcpn_r_answer_end(&answer);
}
