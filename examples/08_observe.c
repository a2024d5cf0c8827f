/* SPDX-License-Identifier: BSD-3-Clause */
/* Watching a run and ending it: an observer sees every iterate, limits end the run from outside.
 *
 * The same problem three times: to the end, with a limit of iterations, and with an observer that has seen enough. A
 * run that ends early is no error; its outcome says why it ended, and its coefficients are the best so far. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static void print_log(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    fprintf(stderr, "%s%s\n", level == DCPN_LOG_WARNING ? "warning: " : "", message);
}

static int print_iterate(void *user, const dcpn_progress *progress)
{
    (void)user;
    if (progress->k == 0)
        printf("%4s %12s %11s %6s %13s %9s %7s %7s\n", "k", "F", "D", "t", "stationarity", "features", "inner",
               "passes");
    printf("%4lld %12.6f %11.3e %6.3f %13.3e %9lld %7lld %7.1f\n", (long long)progress->k, progress->objective,
           progress->decrease, progress->step, progress->stationarity, (long long)progress->nonzeros,
           (long long)progress->inner_iterations, progress->passes);
    return 0; /* go on */
}

/* Ends the run once F is below what the caller asked for. */
static int stop_below(void *target, const dcpn_progress *progress)
{
    return progress->objective < *(const double *)target;
}

static void run_and_print(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                          dcpn_observer *observer, void *user)
{
    dcpn_solver *solver = NULL;
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    dcpn_solver_set_observer(solver, observer, user);
    must(context, dcpn_solver_run(solver));
    const dcpn_result *result = dcpn_solver_result(solver);
    printf("%s: %s (F = %.6f, %.0f iterations, %.0f line search trials)\n\n",
           dcpn_outcome_name(dcpn_result_outcome(result)), dcpn_outcome_meaning(dcpn_result_outcome(result)),
           dcpn_result_number(result, "objective"), dcpn_result_number(result, "iterations"),
           dcpn_result_number(result, "line_search_trials"));
    dcpn_solver_free(solver);
}

int main(void)
{
    const dcpn_toy toy = {.features = 100, .relevant = 10, .rows = 400, .seed = 1};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    double target = 195.0;
    if (!context) return 1;

    dcpn_context_set_log(context, print_log, NULL); /* the library never prints by itself */
    must(context, dcpn_generate_toy(context, &toy, &train, NULL, NULL));
    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));

    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    /* the metric lbfgs takes more iterations than hessian, each of them cheaper */
    must(context, dcpn_settings_set_all(settings, "penalty=capped-l1 lambda=10 metric=lbfgs"));
    run_and_print(context, problem, settings, print_iterate, NULL);

    run_and_print(context, problem, settings, stop_below, &target);

    must(context, dcpn_settings_set_all(settings, "max-iter=3 max-time=60"));
    run_and_print(context, problem, settings, NULL, NULL);

    dcpn_problem_free(problem);
    dcpn_settings_free(settings);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
