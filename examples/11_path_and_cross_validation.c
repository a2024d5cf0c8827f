/* SPDX-License-Identifier: BSD-3-Clause */
/* Which penalty, which lambda, how many features: paths, cross-validation, the chosen model, and which features are
 * stable. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 60, SUBSAMPLES = 50 };
#define THRESHOLD 0.75 /* the share of the subsamples that a stable feature is selected in */

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

/* One solver, changed and continued: what dcpn_paths_fit does, without its memory of all points. */
static void walk_by_hand(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_solver *solver = NULL;
    double lambda;
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_lambda_max(solver, &lambda));
    printf("lambda_max %.4g\n", lambda);
    for (int k = 0; k < 3; k++) {
        lambda *= 0.7;
        must(context, dcpn_solver_set_lambda(solver, lambda));
        must(context, dcpn_solver_continue(solver));
        printf("lambda %.4g: %.0f features\n", lambda, dcpn_result_number(dcpn_solver_result(solver), "nonzeros"));
    }
    dcpn_solver_free(solver);
}

static void print_choice(const dcpn_cv *cv, const char *rule)
{
    const dcpn_paths *paths = dcpn_cv_paths(cv);
    int64_t path, point;
    double mean, se;
    dcpn_value penalty;
    if (!dcpn_cv_chosen(cv, rule, &path, &point, &mean, &se)) exit(1);
    if (!dcpn_paths_get_of_path(paths, path, "penalty", &penalty)) exit(1);
    printf("%-3s  %-5s lambda %.4g, %.0f features, deviance %.4f +- %.4f\n", rule, penalty.text,
           dcpn_paths_number(paths, path, point, "lambda"), dcpn_paths_number(paths, path, point, "nonzeros"), mean,
           se);
}

static void print_stable(const dcpn_cv *cv, const unsigned char *relevant)
{
    const int64_t *index;
    const double *frequency;
    dcpn_value bound;
    int64_t count = dcpn_cv_selected(cv, &index, &frequency);
    printf("stable in %d subsamples:", SUBSAMPLES);
    for (int64_t k = 0; k < count; k++)
        if (frequency[k] >= THRESHOLD) printf(" %lld%s", (long long)index[k], relevant[index[k]] ? "" : " (noise)");
    if (!dcpn_cv_stability_get(cv, "bound", &bound)) exit(1);
    printf("; wrong ones in expectation: at most %.2g\n", bound.real);
}

static dcpn_cv_options *make_options(dcpn_context *context)
{
    static const char *const penalties[] = {"l1", "mcp"};
    dcpn_cv_options *options = NULL;
    must(context, dcpn_cv_options_new(context, &options));
    must(context, dcpn_cv_options_set_texts(options, "penalties", penalties, 2));
    must(context, dcpn_cv_options_set_count(options, "lambda_count", 30));
    must(context, dcpn_cv_options_set_real(options, "min_ratio", 0.02));
    must(context, dcpn_cv_options_set_count(options, "folds", 5));
    must(context, dcpn_cv_options_set_text(options, "rule", "1se"));
    must(context, dcpn_cv_options_set_count(options, "subsamples", SUBSAMPLES));
    must(context, dcpn_cv_options_set_real(options, "threshold", THRESHOLD));
    return options;
}

int main(void)
{
    const dcpn_toy toy = {.features = FEATURES, .relevant = 5, .rows = 300, .seed = 3};
    unsigned char relevant[FEATURES];
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    dcpn_model *model = NULL;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, NULL, relevant));
    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));

    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    /* the ridge bounds the coefficients where the classes are separable */
    must(context, dcpn_settings_set_all(settings, "penalty=l1 scale=mean intercept=1 ridge=0.001"));
    walk_by_hand(context, problem, settings);

    dcpn_cv_options *options = make_options(context);
    dcpn_context_set_threads(context, 0); /* folds and subsamples in parallel; the results are the same bytes */
    must(context, dcpn_cv_run(context, problem, settings, options, &cv));
    print_choice(cv, "min");
    print_choice(cv, "1se");
    print_stable(cv, relevant);

    /* the file has everything: curves, paths, choices; a model can be taken out of it at any lambda */
    must(context, dcpn_cv_write(cv, NULL, NULL, "example_cv.json"));
    must(context, dcpn_model_read_at(context, "example_cv.json", &(dcpn_selection){.rule = "min"}, &model));
    printf("model by the rule min: %.0f features\n", dcpn_model_number(model, "nonzeros"));

    dcpn_model_free(model);
    dcpn_cv_free(cv);
    dcpn_cv_options_free(options);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
