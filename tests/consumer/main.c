/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows only the installed library: it writes the toy problem and reads it again in several formats,
 * fits it and looks at what comes back. A file named as its argument is read too. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <string.h>

static int fail(dcpn_context *context, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, dcpn_last_error(context));
    return 1;
}

/* Every compression and archive has to be linked with. */
static int read_back(dcpn_context *context, const dcpn_dataset *data)
{
    static const char *const paths[] = {"toy.svm.gz", "toy.csv.zst", "toy.tsv.xz", "toy.npz", "toy.dcpn"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        dcpn_dataset *back = NULL;
        if (dcpn_write(data, paths[k], NULL) || dcpn_read(context, paths[k], NULL, &back))
            return fail(context, paths[k]);
        if (back->rows != data->rows || back->features != data->features) return fail(context, "another shape");
        dcpn_dataset_free(back);
        remove(paths[k]);
    }
    return 0;
}

static int read_file(dcpn_context *context, const char *path)
{
    dcpn_dataset *data = NULL;
    if (dcpn_read(context, path, NULL, &data)) return fail(context, "read");
    printf("%s: %lld rows\n", data->format, (long long)data->rows);
    dcpn_dataset_free(data);
    return 0;
}

int main(int argc, char **argv)
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
    if (read_back(context, train) || (argc > 1 && read_file(context, argv[1]))) return 1;
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
