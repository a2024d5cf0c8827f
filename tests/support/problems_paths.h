/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of a problem, their points checked by naive code. Include after cmocka.h. */
#ifndef DCPN_TESTS_PROBLEMS_PATHS_H
#define DCPN_TESTS_PROBLEMS_PATHS_H

#include "support/problems_naive.h"
#include "with_context.h"

static inline dcpn_problem *problem_of(dcpn_context *owner, const struct problems_data *data, const dcpn_matrix *A,
                                       const char *loss)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(owner, A, problems_labels(data, loss), &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, data->weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, data->offset), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty_factors(problem, data->factors), DCPN_OK);
    return problem;
}

static inline dcpn_paths *paths_of(const struct problems_data *data, enum problems_storage storage,
                                   const dcpn_settings *settings, const dcpn_path_options *options)
{
    dcpn_matrix *A = problems_matrix(context, data, storage);
    dcpn_problem *problem = problem_of(context, data, A, settings->loss);
    dcpn_paths *paths = NULL;
    if (dcpn_paths_fit(context, problem, settings, options, &paths) != DCPN_OK)
        fail_msg("%s", dcpn_last_error(context));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return paths;
}

/* The point as the fit of a single lambda. */
static inline struct problems_fit fit_at(const dcpn_paths *paths, const dcpn_path *path, int64_t k)
{
    const dcpn_path_point *point = &path->points[k];
    struct problems_fit fit = {DCPN_OK, point->fit, problems_memory(paths->features, sizeof(double)), point->intercept,
                               paths->features};
    for (int64_t i = 0; i < point->fit.nonzeros; i++)
        fit.x[path->index[point->first + i]] = path->value_of[point->first + i];
    return fit;
}

static inline void assert_points_certified(const struct problems_data *data, const dcpn_paths *paths)
{
    for (int64_t v = 0; v < paths->count; v++) {
        const dcpn_path *path = &paths->paths[v];
        for (int64_t k = 0; k < path->count; k++) {
            dcpn_settings settings = path->settings;
            struct problems_fit fit = fit_at(paths, path, k);
            settings.lambda = path->points[k].lambda;
            problems_assert_converged(data, &settings, &fit);
            if (k > 0) assert_true(settings.lambda < path->points[k - 1].lambda);
            problems_fit_free(&fit);
        }
    }
}

#endif
