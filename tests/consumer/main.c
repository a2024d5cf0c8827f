/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows only the installed library: it fits the toy problem and looks at what comes back. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <string.h>

static int fail(dcpn_context *context, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, dcpn_last_error(context));
    return 1;
}

int main(void)
{
    const dcpn_toy toy = {.features = 30, .relevant = 5, .rows = 200, .seed = 1};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_model *model = NULL;
    dcpn_settings settings = dcpn_settings_default();
    char *json = NULL;

    if (strcmp(dcpn_version(), DCPN_VERSION_STRING) != 0) return fail(context, "header and library differ");
    if (dcpn_generate_toy(context, &toy, &train, NULL, NULL)) return fail(context, "generate");
    if (dcpn_problem_new(context, train->matrix, train->labels, &problem)) return fail(context, "problem");
    if (dcpn_solver_new(context, problem, &settings, &solver)) return fail(context, "solver");
    if (dcpn_solver_run(solver)) return fail(context, "run");
    if (dcpn_model_new(solver, train->index_base, &model)) return fail(context, "model");
    if (dcpn_model_fit_json(model, &json)) return fail(context, "json");
    printf("%s\n", json);
    if (model->fit.outcome != DCPN_CONVERGED || model->nonzeros < 1) return fail(context, "fit");

    dcpn_free(context, json);
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
