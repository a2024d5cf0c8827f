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
    struct answer answer = dcpn_r_answer(12);
    dcpn_r_add(&answer, "outcome", Rf_mkString(dcpn_outcome_name(r->outcome)));
    dcpn_r_add(&answer, "meaning", Rf_mkString(dcpn_outcome_meaning(r->outcome)));
    dcpn_r_add(&answer, "converged", Rf_ScalarLogical(dcpn_has_converged(r->outcome)));
    dcpn_r_add(&answer, "objective", Rf_ScalarReal(r->objective));
    dcpn_r_add(&answer, "loss_value", Rf_ScalarReal(r->loss_value));
    dcpn_r_add(&answer, "penalty_value", Rf_ScalarReal(r->penalty_value));
    dcpn_r_add(&answer, "stationarity", Rf_ScalarReal(r->stationarity));
    dcpn_r_add(&answer, "stationarity_goal", Rf_ScalarReal(r->stationarity_goal));
    dcpn_r_add(&answer, "nonzeros", Rf_ScalarReal((double)r->nonzeros));
    dcpn_r_add(&answer, "iterations", Rf_ScalarReal((double)r->iterations));
    dcpn_r_add(&answer, "passes", Rf_ScalarReal(r->passes));
    dcpn_r_add(&answer, "time_s", Rf_ScalarReal(r->time_s));
    return dcpn_r_answer_end(&answer);
}

/* ---- paths ---- */

/* One number of each point, as a vector. */
#define OF_POINTS(PATH, EXPRESSION)                                                                                    \
    do {                                                                                                               \
        column = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)(PATH)->count));                                            \
        for (int64_t k = 0; k < (PATH)->count; k++) {                                                                  \
            const dcpn_path_point *point = &(PATH)->points[k];                                                         \
            REAL(column)[k] = (double)(EXPRESSION);                                                                    \
        }                                                                                                              \
    } while (0)

#define ADD_OF_POINTS(NAME, EXPRESSION)                                                                                \
    do {                                                                                                               \
        SEXP column;                                                                                                   \
        OF_POINTS(path, EXPRESSION);                                                                                   \
        dcpn_r_add(&answer, NAME, column);                                                                             \
        UNPROTECT(1);                                                                                                  \
    } while (0)

static SEXP outcomes_of(const dcpn_path *path)
{
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)path->count));
    for (int64_t k = 0; k < path->count; k++)
        SET_STRING_ELT(names, (R_xlen_t)k, Rf_mkChar(dcpn_outcome_name(path->points[k].fit.outcome)));
    UNPROTECT(1);
    return names;
}

static const char *end_of(const dcpn_path *path)
{
    return path->end == DCPN_PATH_ALL         ? "all"
           : path->end == DCPN_PATH_SATURATED ? "saturated"
           : path->end == DCPN_PATH_CROWDED   ? "crowded"
           : path->end == DCPN_PATH_NOISE     ? "noise"
                                              : "interrupted";
}

/* Where a row has several scores, those of each point, one point after another. */
static SEXP intercepts_of(const dcpn_path *path, int64_t scores)
{
    SEXP column;
    if (path->intercepts) return dcpn_r_doubles(path->intercepts, path->count * scores);
    OF_POINTS(path, point->intercept);
    UNPROTECT(1);
    return column;
}

static SEXP path_of(const dcpn_path *path, int64_t scores)
{
    struct answer answer = dcpn_r_answer(20);
    dcpn_r_add(&answer, "penalty", Rf_mkString(path->settings.penalty));
    dcpn_r_add(&answer, "varying", text_or_null(path->varying));
    dcpn_r_add(&answer, "value", Rf_ScalarReal(path->value));
    dcpn_r_add(&answer, "lambda_max", Rf_ScalarReal(path->lambda_max));
    dcpn_r_add(&answer, "end", Rf_mkString(end_of(path)));
    dcpn_r_add(&answer, "outcome", outcomes_of(path));
    dcpn_r_add(&answer, "index", of_integers(path->index, path->used));
    dcpn_r_add(&answer, "value_of", dcpn_r_doubles(path->value_of, path->used));
    ADD_OF_POINTS("lambda", point->lambda);
    dcpn_r_add(&answer, "intercept", intercepts_of(path, scores));
    ADD_OF_POINTS("first", point->first);
    ADD_OF_POINTS("df", point->fit.nonzeros);
    ADD_OF_POINTS("deviance", point->deviance);
    ADD_OF_POINTS("objective", point->fit.objective);
    ADD_OF_POINTS("stationarity", point->fit.stationarity);
    ADD_OF_POINTS("stationarity_goal", point->fit.stationarity_goal);
    ADD_OF_POINTS("iterations", point->fit.iterations);
    ADD_OF_POINTS("converged", dcpn_has_converged(point->fit.outcome));
    ADD_OF_POINTS("convex", point->is_locally_convex < 0 ? NA_REAL : (double)point->is_locally_convex);
    ADD_OF_POINTS("passes", point->fit.passes);
    return dcpn_r_answer_end(&answer);
}

static SEXP all_paths(const dcpn_paths *paths)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)paths->count));
    for (int64_t k = 0; k < paths->count; k++)
        SET_VECTOR_ELT(list, (R_xlen_t)k, path_of(&paths->paths[k], paths->scores));
    UNPROTECT(1);
    return list;
}

SEXP dcpn_r_paths(const dcpn_paths *paths)
{
    struct answer answer = dcpn_r_answer(7);
    dcpn_r_add(&answer, "scores", Rf_ScalarReal((double)paths->scores));
    dcpn_r_add(&answer, "rows", Rf_ScalarReal((double)paths->rows));
    dcpn_r_add(&answer, "features", Rf_ScalarReal((double)paths->features));
    dcpn_r_add(&answer, "loss", Rf_mkString(paths->settings.loss));
    dcpn_r_add(&answer, "null_deviance", Rf_ScalarReal(paths->null_deviance));
    dcpn_r_add(&answer, "time_s", Rf_ScalarReal(paths->time_s));
    dcpn_r_add(&answer, "paths", all_paths(paths));
    return dcpn_r_answer_end(&answer);
}

/* ---- cross-validation ---- */

/* Counts from 1, as R does. */
static SEXP choice_of(const dcpn_cv_choice *choice)
{
    struct answer answer = dcpn_r_answer(4);
    dcpn_r_add(&answer, "path", Rf_ScalarReal((double)choice->path + 1.0));
    dcpn_r_add(&answer, "point", Rf_ScalarReal((double)choice->point + 1.0));
    dcpn_r_add(&answer, "mean", Rf_ScalarReal(choice->mean));
    dcpn_r_add(&answer, "se", Rf_ScalarReal(choice->se));
    return dcpn_r_answer_end(&answer);
}

/* A measure of all points of a path, as a vector. */
static SEXP measure_of(const dcpn_cv *cv, int64_t path, const double *of)
{
    int64_t count = cv->first[path + 1] - cv->first[path];
    SEXP column = Rf_allocVector(REALSXP, (R_xlen_t)count);
    for (int64_t k = 0; k < count; k++)
        REAL(column)[k] = of[(cv->first[path] + k) * DCPN_MEASURES + cv->measured.chooses];
    return column;
}

static SEXP curve_of(const dcpn_cv *cv, int64_t path)
{
    struct answer answer = dcpn_r_answer(4);
    dcpn_r_add(&answer, "cvm", measure_of(cv, path, cv->mean));
    dcpn_r_add(&answer, "cvsd", measure_of(cv, path, cv->se));
    dcpn_r_add(&answer, "min", Rf_ScalarReal((double)cv->best[path] + 1.0));
    dcpn_r_add(&answer, "1se", Rf_ScalarReal((double)cv->one_se[path] + 1.0));
    return dcpn_r_answer_end(&answer);
}

static SEXP curves_of(const dcpn_cv *cv)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)cv->paths->count));
    for (int64_t k = 0; k < cv->paths->count; k++) SET_VECTOR_ELT(list, (R_xlen_t)k, curve_of(cv, k));
    UNPROTECT(1);
    return list;
}

static SEXP stability_of(const dcpn_stability *stability)
{
    if (!stability) return R_NilValue;
    struct answer answer = dcpn_r_answer(5);
    dcpn_r_add(&answer, "subsamples", Rf_ScalarReal((double)stability->subsamples));
    dcpn_r_add(&answer, "threshold", Rf_ScalarReal(stability->threshold));
    dcpn_r_add(&answer, "bound", Rf_ScalarReal(stability->bound));
    dcpn_r_add(&answer, "index", of_integers(stability->index, stability->count));
    dcpn_r_add(&answer, "frequency", dcpn_r_doubles(stability->frequency, stability->count));
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_cv_result(const dcpn_cv *cv)
{
    struct answer answer = dcpn_r_answer(9);
    dcpn_r_add(&answer, "paths", dcpn_r_paths(cv->paths));
    dcpn_r_add(&answer, "folds", Rf_ScalarReal((double)cv->folds));
    dcpn_r_add(&answer, "measure", Rf_mkString(cv->measured.names[cv->measured.chooses]));
    dcpn_r_add(&answer, "curves", curves_of(cv));
    dcpn_r_add(&answer, "min", choice_of(&cv->choice.min));
    dcpn_r_add(&answer, "1se", choice_of(&cv->choice.sparse));
    dcpn_r_add(&answer, "chosen", choice_of(&cv->choice.chosen));
    dcpn_r_add(&answer, "stability", stability_of(cv->stability));
    dcpn_r_add(&answer, "complete", Rf_ScalarLogical(cv->ending.is_complete));
    return dcpn_r_answer_end(&answer);
}
