/* SPDX-License-Identifier: BSD-3-Clause */
/* Fit, write the model to a file, read it back, predict.
 *
 * The file is JSON, exact to the last digit, and the same that `dcpn fit -o` writes and `dcpn predict` reads. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_ROWS = 500 };

static const char path[] = "10_model_file.json";

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

/* What is asked for by a name is there. */
static void must_have(int is_there)
{
    if (!is_there) exit(1);
}

static void fit_and_write(dcpn_context *context, const dcpn_dataset *train)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_model *model = NULL;
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "lambda=10"));
    must(context, dcpn_output_try(context, path)); /* before the work, so that a wrong path costs nothing */
    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));
    must(context, dcpn_model_new(solver, (int)dcpn_dataset_number(train, "index_base"), &model));
    must(context, dcpn_model_write(model, path));
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
}

static void read_and_predict(dcpn_context *context, const dcpn_dataset *test)
{
    dcpn_model *model = NULL;
    dcpn_value penalty, lambda;
    double scores[TEST_ROWS], probability, positive = 0.0;
    int right = 0;
    must(context, dcpn_model_read(context, path, &model));
    must_have(dcpn_settings_get(dcpn_model_settings(model), "penalty", &penalty));
    must_have(dcpn_settings_get(dcpn_model_settings(model), "lambda", &lambda));
    printf("%s, lambda = %g: %.0f of %.0f features\n", penalty.text, lambda.real, dcpn_model_number(model, "nonzeros"),
           dcpn_model_number(model, "features"));

    must(context, dcpn_model_scores(model, dcpn_dataset_matrix(test), NULL, scores));
    for (int i = 0; i < TEST_ROWS; i++) right += dcpn_model_label(model, scores[i]) == dcpn_dataset_labels(test)[i];
    printf("%.1f %% of %d new rows right\n", 100.0 * right / TEST_ROWS, TEST_ROWS);

    must_have(dcpn_model_class(model, 1, &positive, NULL));
    must(context, dcpn_model_probability(model, scores[0], &probability));
    printf("row 1: label %+g, score %.3f, probability of class %+g %.3f\n", dcpn_dataset_labels(test)[0], scores[0],
           positive, probability);
    dcpn_model_free(model);
}

int main(void)
{
    const dcpn_toy toy = {.features = 100, .relevant = 10, .rows = 400, .test_rows = TEST_ROWS, .seed = 1};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL, *test = NULL;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, &test, NULL));
    fit_and_write(context, train);
    read_and_predict(context, test);
    remove(path);

    dcpn_dataset_free(test);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
