/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths, cross-validations and stability selections that are interrupted or killed anywhere, again and again, and
 * resumed with data at other addresses, end with the bytes of those that were not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scratch.h"
#include "support/problems_groups.h"
#include "with_context.h"

/* ---- one piece of work, and its text ---- */

struct work {
    const char *name;
    struct problems_data data;
    enum problems_storage storage;
    dcpn_settings settings;
    const struct problems_groups *groups; /* NULL: none */
    dcpn_path_options path;
    int64_t folds, subsamples; /* folds 0: paths alone */
};

struct moment {
    int64_t calls, stop_at, kill_at; /* of the observer; 0: never */
};

/* What a process that is killed now would leave behind. */
static void keep_file(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    for (size_t count; in && (count = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, count, out), count);
    if (in) fclose(in);
    fclose(out);
}

static int stop(void *user, const dcpn_path_progress *progress)
{
    struct moment *moment = user;
    (void)progress;
    moment->calls++;
    if (moment->calls == moment->kill_at) keep_file("saved", "killed");
    return moment->calls == moment->stop_at;
}

/* A run that goes on may differ in nothing else: it takes another time, and may have to read again what the one before
 * remembered. */
static void clear_work(dcpn_paths *paths)
{
    paths->time_s = 0.0;
    paths->threads = 0;
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++)
            paths->paths[v].points[k].fit.time_s = paths->paths[v].points[k].fit.passes = 0.0;
}

static char *text_of_paths(const struct work *work, const dcpn_problem *problem, const dcpn_path_options *options)
{
    dcpn_paths *paths = NULL;
    char *text = NULL;
    if (dcpn_paths_fit(context, problem, &work->settings, options, &paths) != DCPN_OK)
        fail_msg("%s: %s", work->name, dcpn_last_error(context));
    clear_work(paths);
    assert_int_equal(dcpn_paths_json(paths, NULL, &text), DCPN_OK);
    dcpn_paths_free(paths);
    return text;
}

/* NULL: it was interrupted. */
static char *text_of_cv(const struct work *work, const dcpn_problem *problem, const dcpn_path_options *options)
{
    const dcpn_cv_options all = {.path = *options, .folds = work->folds, .seed = 7, .subsamples = work->subsamples};
    dcpn_cv *cv = NULL;
    char *text = NULL;
    if (dcpn_cv_run(context, problem, &work->settings, &all, &cv) != DCPN_OK)
        fail_msg("%s: %s", work->name, dcpn_last_error(context));
    clear_work(cv->paths);
    cv->ending.time_s = 0.0;
    if (cv->ending.is_complete) assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &text), DCPN_OK);
    dcpn_cv_free(cv);
    return text;
}

/* The data are copied: at other addresses each time. */
static char *run(const struct work *work, struct moment *moment, const char *checkpoint, const char *resume)
{
    struct problems_data copy = problems_data_copy(&work->data);
    dcpn_matrix *A = problems_matrix(context, &copy, work->storage);
    dcpn_path_options options = work->path;
    dcpn_problem *problem;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(&copy, work->settings.loss), &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, copy.weights), DCPN_OK);
    if (work->groups)
        assert_int_equal(dcpn_problem_set_groups(problem, work->groups->count, work->groups->start,
                                                 work->groups->member, work->groups->weights),
                         DCPN_OK);
    options.observer = stop;
    options.user = moment;
    options.checkpoint = checkpoint;
    options.checkpoint_every_s = moment->kill_at ? 0.0 : 1e9;
    options.resume = resume;
    char *text = work->folds ? text_of_cv(work, problem, &options) : text_of_paths(work, problem, &options);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&copy);
    return text;
}

/* ---- what is promised ---- */

static void assert_same(const struct work *work, const char *text, const char *whole, int64_t stop_at)
{
    size_t k = 0;
    while (text[k] && text[k] == whole[k]) k++;
    if (text[k] != whole[k])
        fail_msg("%s, stopped at %lld: from byte %zu on '%.90s' instead of '%.90s'", work->name, (long long)stop_at, k,
                 text + k, whole + k);
}

static void check_resumed(const struct work *work, const char *whole, int64_t all_calls, int64_t stop_at)
{
    struct moment first = {.stop_at = stop_at}, second = {0};
    char *text = run(work, &first, "saved", NULL);
    dcpn_free(context, text);
    assert_int_equal(first.calls >= stop_at, 1);
    text = run(work, &second, NULL, "saved");
    assert_non_null(text);
    assert_same(work, text, whole, stop_at);
    /* Each descent that is taken from the file is shown once; the steps of those are not done again. */
    if (stop_at > 20 && second.calls >= all_calls)
        fail_msg("%s: after %lld of %lld steps, %lld were to be done", work->name, (long long)stop_at,
                 (long long)all_calls, (long long)second.calls);
    dcpn_free(context, text);
}

/* Killed, with a file that was written after each step. */
static void check_killed(const struct work *work, const char *whole, int64_t kill_at)
{
    struct moment first = {.kill_at = kill_at}, second = {0};
    char *text = run(work, &first, "saved", NULL);
    assert_non_null(text);
    assert_same(work, text, whole, -kill_at); /* being saved has changed nothing */
    dcpn_free(context, text);
    text = run(work, &second, NULL, "killed");
    assert_non_null(text);
    assert_same(work, text, whole, kill_at);
    dcpn_free(context, text);
}

/* Interrupted every so many steps until it is done. */
static void check_in_pieces(const struct work *work, const char *whole, int64_t all_calls, int64_t every)
{
    char *text = NULL;
    remove("pieces");
    for (int64_t pieces = 0;; pieces++) {
        struct moment moment = {.stop_at = every * (pieces + 1)};
        if (pieces > 3 * all_calls / every) fail_msg("%s: no end in pieces of %lld", work->name, (long long)every);
        dcpn_free(context, text);
        text = run(work, &moment, "pieces", pieces ? "pieces" : NULL);
        if (moment.calls < moment.stop_at) break;
    }
    assert_non_null(text);
    assert_same(work, text, whole, every);
    dcpn_free(context, text);
}

static void check_work(const struct work *work)
{
    static const double shares[] = {0.0, 0.02, 0.1, 0.23, 0.4, 0.55, 0.71, 0.86, 0.97};
    struct moment moment = {0};
    char *whole = run(work, &moment, NULL, NULL);
    assert_non_null(whole);
    assert_true(moment.calls > 20);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        check_resumed(work, whole, moment.calls, 1 + (int64_t)(shares[k] * (double)moment.calls));
    if (moment.calls < 300) check_killed(work, whole, moment.calls / 3 + 5); /* each write waits for the disk */
    check_in_pieces(work, whole, moment.calls, moment.calls / 7 + 3);
    dcpn_free(context, whole);
}

static struct work work_of(const char *name, const char *loss, const char *penalty, int64_t rows, int64_t columns)
{
    struct work work = {.name = name,
                        .data = problems_data_new(rows, columns, 0.6, 20261119),
                        .storage = PROBLEMS_CSR,
                        .settings = dcpn_settings_default(),
                        .path = {.lambda_count = 8}};
    work.settings.loss = loss;
    work.settings.penalty = penalty;
    work.settings.scale = "mean";
    work.settings.intercept = 1;
    return work;
}

static void check_and_free(struct work work)
{
    check_work(&work);
    problems_data_free(&work.data);
}

static void paths_resume(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"};
    static const double shapes[] = {6.0, 2.0};
    (void)state;
    check_and_free(work_of("convex", "logistic", "l1", 50, 20));
    check_and_free(work_of("searched", "squared", "mcp", 40, 60));
    struct work several = work_of("several penalties and shapes", "squared", "mcp", 40, 30);
    several.path.penalties = penalties;
    several.path.penalty_count = 2;
    several.path.values = shapes;
    several.path.value_count = 2;
    check_and_free(several);
    struct work wide = work_of("wide and dense", "logistic", "capped-l1", 30, 700);
    wide.storage = PROBLEMS_COLUMN_MAJOR;
    check_and_free(wide);
    struct work always = work_of("searched at every lambda", "squared", "scad", 40, 25);
    always.settings.global = "path+drop";
    check_and_free(always);
}

/* Not contiguous, and sharing features. */
static const int64_t group_start[] = {0, 3, 5, 9}, disjoint_member[] = {7, 0, 4, 2, 11, 8, 6, 12, 13},
                     shared_member[] = {7, 0, 4, 2, 7, 8, 6, 0, 13};
static const struct problems_groups groups = {3, group_start, disjoint_member, NULL},
                                    shared = {3, group_start, shared_member, NULL};

static void blocks_and_counts_resume(void **state)
{
    (void)state;
    struct work norms = work_of("norms of groups", "logistic", "mcp", 50, 20);
    norms.groups = &groups;
    check_and_free(norms);
    struct work sparse = work_of("sparse groups", "squared", "scad", 40, 30);
    sparse.groups = &groups;
    sparse.settings.grouping = "sparse";
    check_and_free(sparse);
    struct work latent = work_of("latent copies", "squared", "mcp", 40, 20);
    latent.groups = &shared;
    latent.settings.grouping = "latent";
    check_and_free(latent);
    struct work sums = work_of("sums of groups", "logistic", "lp", 50, 20);
    sums.groups = &shared;
    sums.settings.grouping = "sum";
    sums.folds = 3;
    check_and_free(sums);
    check_and_free(work_of("counts", "poisson", "mcp", 50, 20));
    struct work quantiles = work_of("quantiles", "quantile", "l1", 50, 20);
    quantiles.settings.smoothing = 0.5;
    check_and_free(quantiles);
}

static void cross_validations_resume(void **state)
{
    (void)state;
    struct work convex = work_of("cv, convex", "logistic", "l1", 60, 15);
    convex.folds = 4;
    check_and_free(convex);
    struct work searched = work_of("cv, searched", "squared", "mcp", 45, 50);
    searched.folds = 3;
    check_and_free(searched);
}

static void stability_selections_resume(void **state)
{
    struct work work = work_of("stability", "squared", "capped-l1", 45, 30);
    (void)state;
    work.folds = 3;
    work.subsamples = 12;
    check_and_free(work);
}

/* Whatever thread writes what: folds have streams of their own. */
static void threads_do_not_matter(void **state)
{
    struct work work = work_of("cv on threads", "squared", "mcp", 45, 40);
    struct moment moment = {0}, first = {0}, second = {0};
    (void)state;
    work.folds = 5;
    char *whole = run(&work, &moment, NULL, NULL);
    first.stop_at = moment.calls / 2;
    dcpn_context_set_threads(context, 4);
    dcpn_free(context, run(&work, &first, "saved", NULL));
    dcpn_context_set_threads(context, 3);
    char *text = run(&work, &second, NULL, "saved");
    assert_same(&work, text, whole, first.stop_at);
    dcpn_free(context, text);
    dcpn_free(context, whole);
    problems_data_free(&work.data);
}

/* ---- refusals ---- */

static void assert_refused(const struct work *work, const char *sentence)
{
    dcpn_matrix *A = problems_matrix(context, &work->data, work->storage);
    dcpn_path_options options = work->path;
    dcpn_problem *problem;
    dcpn_paths *paths = NULL;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(&work->data, work->settings.loss), &problem),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, work->data.weights), DCPN_OK);
    options.resume = "saved";
    assert_int_equal(dcpn_paths_fit(context, problem, &work->settings, &options, &paths), DCPN_DATA);
    if (!strstr(dcpn_last_error(context), sentence)) fail_msg("'%s' is not '%s'", dcpn_last_error(context), sentence);
    assert_null(paths);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void other_work_is_refused(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"};
    struct work work = work_of("refused", "squared", "mcp", 40, 20);
    struct moment moment = {.stop_at = 40};
    (void)state;
    dcpn_free(context, run(&work, &moment, "saved", NULL));
    struct work other = work;
    other.settings.gamma = 5.0;
    assert_refused(&other, "a checkpoint of a run with other settings");
    other = work;
    other.path.lambda_count = 9;
    assert_refused(&other, "a checkpoint of a run with other settings");
    other = work;
    other.path.penalties = penalties;
    other.path.penalty_count = 2;
    assert_refused(&other, "a checkpoint of a run with other settings");
    other = work;
    other.data = problems_data_copy(&work.data);
    other.data.weights[3] *= 2.0;
    assert_refused(&other, "a checkpoint of another problem");
    problems_data_free(&other.data);
    problems_data_free(&work.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(paths_resume, setup, teardown),
        cmocka_unit_test_setup_teardown(blocks_and_counts_resume, setup, teardown),
        cmocka_unit_test_setup_teardown(cross_validations_resume, setup, teardown),
        cmocka_unit_test_setup_teardown(stability_selections_resume, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(other_work_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
