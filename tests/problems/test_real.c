/* SPDX-License-Identifier: BSD-3-Clause */
/* Real data sets, where there are any: the environment variable DCPN_DATA names the directory with the xz-compressed
 * LIBSVM files; ../shared/data beside the source tree is looked at otherwise. Without them the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "with_context.h"

/* NULL: no such file. */
static dcpn_dataset *read_compressed(const char *name, int64_t features)
{
    const char *directory = getenv("DCPN_DATA");
    char path[4096];
    const dcpn_read_options options = {.features = features, .indexing = DCPN_INDEX_FROM_1};
    dcpn_dataset *dataset = NULL;
    snprintf(path, sizeof path, "%s/%s.libsvm.xz", directory ? directory : DCPN_TESTS_DIR "/../../shared/data", name);
    if (access(path, R_OK) != 0) return NULL;
    if (dcpn_read(context, path, &options, &dataset) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return dataset;
}

static dcpn_result fit(const dcpn_dataset *dataset, const dcpn_settings *settings)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, dataset->matrix, dataset->labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    dcpn_result result = *dcpn_solver_result(solver);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    if (result.outcome != DCPN_CONVERGED)
        fail_msg("%s: %s after %.2f s, stationarity %g, goal %g", result.metric, dcpn_outcome_name(result.outcome),
                 result.time_s, result.stationarity, result.stationarity_goal);
    return result;
}

static void converges_with_both_metrics(const char *name, int64_t features, double lambda, double theta)
{
    static const char *const metrics[] = {"auto", "lbfgs"};
    dcpn_settings settings = dcpn_settings_default();
    dcpn_dataset *dataset = read_compressed(name, features);
    if (!dataset) {
        print_message("skipped: no file %s.libsvm.xz in $DCPN_DATA\n", name);
        skip();
    }
    settings.lambda = lambda;
    settings.theta = theta;
    settings.tol = 1e-3;
    settings.max_time_s = 60.0;
    for (size_t k = 0; k < 2; k++) {
        settings.metric = metrics[k];
        dcpn_result result = fit(dataset, &settings);
        assert_true(result.nonzeros > 0 && result.nonzeros < features / 10);
        print_message("%s, %s: F = %.6f, %lld features, %lld iterations, %.1f passes, %.2f s\n", name, result.metric,
                      result.objective, (long long)result.nonzeros, (long long)result.iterations, result.passes,
                      result.time_s);
    }
    dcpn_dataset_free(dataset);
}

static void rcv1(void **state)
{
    (void)state;
    converges_with_both_metrics("rcv1-sub", 47236, 2.0, 2.0);
}

static void classic(void **state)
{
    (void)state;
    converges_with_both_metrics("classic", 41681, 2.0, 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rcv1),
        cmocka_unit_test(classic),
    };
    return cmocka_run_group_tests_name("problems.real", tests, setup, teardown);
}
