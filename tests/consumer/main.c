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
        const dcpn_matrix *A = dcpn_dataset_matrix(data), *B = dcpn_dataset_matrix(back);
        int is_same = dcpn_matrix_rows(A) == dcpn_matrix_rows(B) && dcpn_matrix_columns(A) == dcpn_matrix_columns(B);
        if (!is_same) return fail(context, "another shape");
        dcpn_dataset_free(back);
        remove(paths[k]);
    }
    return 0;
}

static int read_file(dcpn_context *context, const char *path)
{
    dcpn_dataset *data = NULL;
    if (dcpn_read(context, path, NULL, &data)) return fail(context, "read");
    dcpn_value format = {0};
    if (!dcpn_dataset_get(data, "format", &format)) return fail(context, "format");
    printf("%s: %.0f rows\n", format.text, dcpn_dataset_number(data, "rows"));
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
    dcpn_settings *settings = NULL;
    char *json = NULL;

    if (strcmp(dcpn_version(), DCPN_VERSION_STRING) != 0) return fail(context, "header and library differ");
    if (dcpn_generate_toy(context, &toy, &train, NULL, NULL)) return fail(context, "generate");
    if (read_back(context, train) || (argc > 1 && read_file(context, argv[1]))) return 1;
    const dcpn_matrix *A = dcpn_dataset_matrix(train);
    if (dcpn_problem_new(context, A, dcpn_dataset_labels(train), &problem)) return fail(context, "problem");
    if (dcpn_settings_new(context, 0, &settings)) return fail(context, "settings");
    if (dcpn_solver_new(context, problem, settings, &solver)) return fail(context, "solver");
    if (dcpn_solver_run(solver)) return fail(context, "run");
    if (dcpn_model_new(solver, 1, &model)) return fail(context, "model");
    if (dcpn_model_fit_json(model, &json)) return fail(context, "json");
    printf("%s\n", json);
    if (dcpn_result_outcome(dcpn_solver_result(solver)) != DCPN_CONVERGED) return fail(context, "fit");
    if (!(dcpn_model_number(model, "nonzeros") >= 1.0)) return fail(context, "coefficients");

    dcpn_free(context, json);
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
