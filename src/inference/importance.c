/* SPDX-License-Identifier: BSD-3-Clause */
/* How much each version of each feature matters to fits that see all versions at once: the size of its coefficient at
 * the lambda that a cross-validation chooses, or the lambda at which it enters the path. Where features are fixed what
 * is promised holds for functions of the products of columns, of columns and labels, and of the labels alone, which a
 * cross-validation is not: there lambda has the least
 *     AIC = n log(RSS / n) + 2 (coefficients in use). */
#include "inference/importance.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/rng.h"
#include "base/vector.h"
#include "matrix/dense.h"

/* The paths whose coefficients count, and the point among them. */
struct fits {
    dcpn_cv *cv;
    dcpn_paths *paths; /* of the cross-validation, or by themselves */
    const dcpn_path *path;
    int64_t point;
};

/* ---- places ---- */

/* Deals the versions of each feature among its places: version v of feature j is column place[j + count * v]. */
static void mix(const struct importance *m, int64_t *place)
{
    int64_t count = m->X->count;
    struct rng rng;
    dcpn_rng_seed(&rng, m->seed ^ UINT64_C(0x6b6e6f636b6f6666));
    for (int64_t k = 0; k < count * m->versions; k++) place[k] = k;
    for (int64_t j = 0; j < count; j++)
        for (int64_t v = m->versions - 1; v > 0; v--) {
            int64_t u = (int64_t)dcpn_rng_below(&rng, (uint64_t)v + 1), first = j + count * u, second = j + count * v;
            int64_t kept = place[first];
            place[first] = place[second];
            place[second] = kept;
        }
}

static void put_in_place(const struct importance *m, const int64_t *place, double *placed)
{
    int64_t rows = m->X->rows;
    for (int64_t k = 0; k < m->X->count * m->versions; k++)
        memcpy(placed + rows * place[k], m->values + rows * k, (size_t)rows * sizeof *placed);
}

/* ---- fits ---- */

static double aic(const dcpn_paths *paths, const dcpn_path_point *point)
{
    double n = (double)paths->rows;
    return n * log(fmax(point->deviance, 1e-300) / n) + 2.0 * (double)point->fit.nonzeros;
}

/* Finds the point of least AIC, among those with fewer coefficients than half the rows. */
static int64_t choose_by_aic(const dcpn_paths *paths)
{
    int64_t best = 0;
    const dcpn_path *path = &paths->paths[0];
    for (int64_t k = 1; k < path->count; k++)
        if (2 * path->points[k].fit.nonzeros < paths->rows &&
            aic(paths, &path->points[k]) < aic(paths, &path->points[best]))
            best = k;
    return best;
}

static dcpn_status fit_paths(const struct importance *m, const dcpn_problem *problem, struct fits *fits)
{
    const dcpn_path_options options = {.convexity_limit = -1, .observer = m->observer, .user = m->user};
    DCPN_TRY(dcpn_paths_fit(m->context, problem, &m->settings, &options, &fits->paths));
    fits->path = &fits->paths->paths[0];
    fits->point = m->is_fixed ? choose_by_aic(fits->paths) : fits->path->count - 1;
    if (fits->path->count > 0 && fits->path->end != DCPN_PATH_INTERRUPTED) return DCPN_OK;
    return dcpn_fail(m->context, DCPN_CANCELLED, "knockoffs: the fits were ended before they were done");
}

static dcpn_status cross_validate(const struct importance *m, const dcpn_problem *problem, struct fits *fits)
{
    const dcpn_cv_options options = {.path = {.convexity_limit = -1, .observer = m->observer, .user = m->user},
                                     .folds = m->folds,
                                     .seed = m->seed,
                                     .rule = "min"};
    DCPN_TRY(dcpn_cv_run(m->context, problem, &m->settings, &options, &fits->cv));
    if (!fits->cv->ending.is_complete || fits->cv->choice.chosen.path < 0)
        return dcpn_fail(m->context, DCPN_CANCELLED, "knockoffs: the fits were ended before they were done");
    fits->path = &fits->cv->paths->paths[fits->cv->choice.chosen.path];
    fits->point = fits->cv->choice.chosen.point;
    return DCPN_OK;
}

/* ---- what the fits say ---- */

static void take_coefficients(const struct importance *m, const struct fits *fits, double *size)
{
    const dcpn_path_point *point = &fits->path->points[fits->point];
    int64_t columns = m->X->count * m->versions;
    for (int64_t k = point->first; k < point->first + point->fit.nonzeros; k++)
        size[fits->path->index[k] % columns] += fabs(fits->path->value_of[k]);
}

/* A version enters between two lambdas of the grid; where, its coefficient tells at the lower one: of columns that are
 * orthogonal to the others it grows as lambda falls. */
static void take_entries(const struct importance *m, const struct fits *fits, double *entry)
{
    int64_t columns = m->X->count * m->versions;
    for (int64_t p = 0; p < fits->path->count; p++) {
        const dcpn_path_point *point = &fits->path->points[p];
        double step = p ? point[-1].lambda - point->lambda : 0.0;
        for (int64_t k = point->first; k < point->first + point->fit.nonzeros; k++) {
            double *of = &entry[fits->path->index[k] % columns];
            if (*of == 0.0) *of = point->lambda + fmin(fabs(fits->path->value_of[k]), step);
        }
    }
}

static dcpn_status measure(struct importance *m, const dcpn_problem *problem, const int64_t *place, double *placed,
                           double *of)
{
    struct fits fits = {0};
    int64_t columns = m->X->count * m->versions;
    int by_path = m->is_fixed || m->by_entry;
    dcpn_status status = by_path ? fit_paths(m, problem, &fits) : cross_validate(m, problem, &fits);
    if (status == DCPN_OK) {
        dcpn_fill(columns, 0.0, placed);
        if (m->by_entry)
            take_entries(m, &fits, placed);
        else
            take_coefficients(m, &fits, placed);
        for (int64_t k = 0; k < columns; k++) of[k] = placed[place[k]];
        m->lambda = m->by_entry ? (double)NAN : fits.path->points[fits.point].lambda;
    }
    dcpn_paths_free(fits.paths);
    dcpn_cv_free(fits.cv);
    return status;
}

dcpn_status dcpn_importance_measure(struct importance *m, double *of)
{
    int64_t rows = m->X->rows, columns = m->X->count * m->versions;
    dcpn_matrix *A = NULL;
    int64_t *place = dcpn_allocate(m->context, (size_t)columns + 1, sizeof *place);
    double *placed = dcpn_allocate(m->context, (size_t)columns + 1, (size_t)rows * sizeof *placed);
    double *found = dcpn_allocate(m->context, (size_t)columns + 1, sizeof *found);
    dcpn_status status = place && placed && found ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        mix(m, place);
        put_in_place(m, place, placed);
        status = dcpn_matrix_borrow_dense(m->context, rows, columns, placed, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, &A);
    }
    if (status == DCPN_OK) {
        dcpn_problem problem = *m->problem;
        problem.A = A;
        status = measure(m, &problem, place, found, of);
    }
    dcpn_matrix_free(A);
    dcpn_free(m->context, found);
    dcpn_free(m->context, placed);
    dcpn_free(m->context, place);
    return status;
}
