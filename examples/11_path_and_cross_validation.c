/* SPDX-License-Identifier: BSD-3-Clause */
/* Which penalty, which lambda, how many features: paths, cross-validation, the chosen model, and which features are
 * stable. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 60 };

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
        printf("lambda %.4g: %lld features\n", lambda, (long long)dcpn_solver_result(solver)->nonzeros);
    }
    dcpn_solver_free(solver);
}

static void print_choice(const dcpn_cv *cv, const char *rule, const dcpn_cv_choice *choice)
{
    const dcpn_path *path = &cv->paths->paths[choice->path];
    printf("%-3s  %-5s lambda %.4g, %lld features, deviance %.4f +- %.4f\n", rule, path->settings.penalty,
           path->points[choice->point].lambda, (long long)path->points[choice->point].fit.nonzeros, choice->mean,
           choice->se);
}

static void print_stable(const dcpn_stability *stability, const unsigned char *relevant)
{
    printf("stable in %lld subsamples:", (long long)stability->subsamples);
    for (int64_t k = 0; k < stability->count; k++)
        if (stability->frequency[k] >= stability->threshold)
            printf(" %lld%s", (long long)stability->index[k], relevant[stability->index[k]] ? "" : " (noise)");
    printf("; wrong ones in expectation: at most %.2g\n", stability->bound);
}

int main(void)
{
    const dcpn_toy toy = {.features = FEATURES, .relevant = 5, .rows = 300, .seed = 3};
    static const char *const penalties[] = {"l1", "mcp"};
    unsigned char relevant[FEATURES];
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    dcpn_model *model = NULL;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, NULL, relevant));
    must(context, dcpn_problem_new(context, train->matrix, train->labels, &problem));

    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = "l1";
    settings.scale = "mean";
    settings.intercept = 1;
    settings.ridge = 1e-3; /* bounds the coefficients where the classes are separable */
    walk_by_hand(context, problem, &settings);

    dcpn_cv_options options = {.folds = 5, .subsamples = 50, .rule = "1se"};
    options.path.lambda_count = 30;
    options.path.min_ratio = 0.02;
    options.path.penalties = penalties;
    options.path.penalty_count = 2;
    dcpn_context_set_threads(context, 0); /* folds and subsamples in parallel; the results are the same bytes */
    must(context, dcpn_cv_run(context, problem, &settings, &options, &cv));
    print_choice(cv, "min", &cv->choice.min);
    print_choice(cv, "1se", &cv->choice.sparse);
    print_stable(cv->stability, relevant);

    /* the file has everything: curves, paths, choices; a model can be taken out of it at any lambda */
    must(context, dcpn_cv_write(cv, NULL, NULL, "example_cv.json"));
    must(context, dcpn_model_read_at(context, "example_cv.json", &(dcpn_selection){.rule = "min"}, &model));
    printf("model by the rule min: %lld features\n", (long long)model->nonzeros);

    dcpn_model_free(model);
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
