/* SPDX-License-Identifier: BSD-3-Clause */
/* The same data under every penalty that the library has.
 *
 * Objectives of different penalties cannot be compared; what can be is which features are kept, and how many of them
 * are among those that matter. The registry names the penalties, so a new one appears here by itself. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 100 };

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static int count_relevant(const double *x, const unsigned char *relevant)
{
    int count = 0;
    for (int j = 0; j < FEATURES; j++) count += x[j] != 0.0 && relevant[j];
    return count;
}

static void fit_and_print(dcpn_context *context, const dcpn_problem *problem, const dcpn_part *penalty,
                          const unsigned char *relevant)
{
    dcpn_solver *solver = NULL;
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    /* the scale mean divides the loss by the number of rows, so lambda does not grow with them */
    must(context, dcpn_settings_set_all(settings, "scale=mean lambda=0.03 theta=0.5 eps=0.1"));
    must(context, dcpn_settings_set_choice(settings, "penalty", penalty->name));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    printf("%-10s %5.0f %9d %10.3f %13.1e  %s\n", penalty->name, dcpn_result_number(result, "nonzeros"),
           count_relevant(dcpn_solver_coefficients(solver), relevant), dcpn_result_number(result, "objective"),
           dcpn_result_number(result, "stationarity"), dcpn_outcome_name(dcpn_result_outcome(result)));
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
}

int main(void)
{
    const dcpn_toy toy = {.features = FEATURES, .relevant = 10, .rows = 400, .seed = 1};
    unsigned char relevant[FEATURES];
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    dcpn_part penalty;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, NULL, relevant));
    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));

    printf("%-10s %5s %9s %10s %13s  %s\n", "penalty", "kept", "relevant", "objective", "stationarity", "outcome");
    for (size_t k = 0; dcpn_part_at("penalty", k, &penalty); k++) fit_and_print(context, problem, &penalty, relevant);

    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
