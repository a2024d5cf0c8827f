/* SPDX-License-Identifier: BSD-3-Clause */
/* How much is done between two polls of a context, by everything that can be long: Ctrl-C is heard at a poll and
 * nowhere else. Work is counted, not timed: clang calls us at every comparison of whole numbers, of which each turn of
 * a loop has one. A gap may hold the comparisons of some readings of the data, never those of a cube of their size.
 *
 * script/polls builds and runs it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"

enum { READINGS = 40, FLOOR = 200000 }; /* of the data in a gap, in comparisons, and besides */

#define UNCOUNTED __attribute__((no_sanitize("coverage")))

static uint64_t compared, last, largest, polls;

UNCOUNTED static void count(void)
{
    __atomic_fetch_add(&compared, 1, __ATOMIC_RELAXED);
}

#define COUNTS(NAME, TYPE)                                                                                             \
    void NAME(TYPE a, TYPE b);                                                                                         \
    UNCOUNTED void NAME(TYPE a, TYPE b)                                                                                \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        count();                                                                                                       \
    }
COUNTS(__sanitizer_cov_trace_cmp1, uint8_t)
COUNTS(__sanitizer_cov_trace_cmp2, uint16_t)
COUNTS(__sanitizer_cov_trace_cmp4, uint32_t)
COUNTS(__sanitizer_cov_trace_cmp8, uint64_t)
COUNTS(__sanitizer_cov_trace_const_cmp1, uint8_t)
COUNTS(__sanitizer_cov_trace_const_cmp2, uint16_t)
COUNTS(__sanitizer_cov_trace_const_cmp4, uint32_t)
COUNTS(__sanitizer_cov_trace_const_cmp8, uint64_t)

UNCOUNTED static int poll(void *user)
{
    (void)user;
    if (compared - last > largest) largest = compared - last;
    last = compared;
    polls++;
    return 0;
}

/* ---- works ---- */

struct scene {
    dcpn_context *context;
    int64_t rows, columns;
    double *X, *y;
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_settings settings;
};

static void draw(struct scene *s)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int64_t i = 0; i < s->rows; i++) {
        s->y[i] = dcpn_rng_normal(&rng);
        for (int64_t j = 0; j < s->columns; j++) {
            double *x = s->X + i * s->columns + j;
            *x = dcpn_rng_normal(&rng) + (j ? 0.7 * x[-1] : 0.0);
            if (j < 8) s->y[i] += *x;
        }
    }
}

static dcpn_status fit(struct scene *s)
{
    dcpn_solver *solver = NULL;
    dcpn_status status = dcpn_solver_new(s->context, s->problem, &s->settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    dcpn_solver_free(solver);
    return status;
}

/* Nearly all columns are in use. */
static dcpn_status fit_of_all(struct scene *s)
{
    s->settings.penalty = "l1";
    s->settings.lambda = 1e-4;
    return fit(s);
}

static dcpn_status fit_of_all_classes(struct scene *s)
{
    for (int64_t i = 0; i < s->rows; i++) s->y[i] = s->y[i] > 0.0 ? 1.0 : -1.0;
    s->settings.loss = "logistic";
    return fit_of_all(s);
}

static dcpn_status fit_of_classes(struct scene *s)
{
    for (int64_t i = 0; i < s->rows; i++) s->y[i] = (double)((s->y[i] > 1.0) + (s->y[i] > -1.0));
    s->settings.loss = "multinomial";
    s->settings.lambda = 0.02;
    return fit(s);
}

static dcpn_status fit_of_times(struct scene *s)
{
    for (int64_t i = 0; i < s->rows; i++) s->y[i] = exp(0.1 * s->y[i]);
    s->settings.loss = "cox";
    s->settings.intercept = 0;
    s->settings.lambda = 0.02;
    return fit(s);
}

static dcpn_status fit_of_groups(struct scene *s)
{
    int64_t *start = malloc((size_t)(s->columns + 1) * sizeof *start), *member = malloc((size_t)s->columns * 8);
    int64_t count = s->columns / 10;
    for (int64_t g = 0; g <= count; g++) start[g] = 10 * g;
    for (int64_t j = 0; j < s->columns; j++) member[j] = j;
    dcpn_status status = dcpn_problem_set_groups(s->problem, count, start, member, NULL);
    if (status == DCPN_OK) status = fit(s);
    free(start);
    free(member);
    return status;
}

static dcpn_status fit_by_search(struct scene *s)
{
    s->settings.global = "path+drop";
    return fit(s);
}

static dcpn_status paths(struct scene *s)
{
    const dcpn_path_options options = {.lambda_count = 15};
    dcpn_paths *paths = NULL;
    dcpn_status status = dcpn_paths_fit(s->context, s->problem, &s->settings, &options, &paths);
    dcpn_paths_free(paths);
    return status;
}

static dcpn_status cv(struct scene *s)
{
    const dcpn_cv_options options = {.path = {.lambda_count = 10}, .folds = 3, .subsamples = 3};
    dcpn_cv *cv = NULL;
    dcpn_status status = dcpn_cv_run(s->context, s->problem, &s->settings, &options, &cv);
    dcpn_cv_free(cv);
    return status;
}

static dcpn_status comparison(struct scene *s)
{
    const dcpn_cv_options options = {.path = {.lambda_count = 10}, .folds = 3, .compares = 1};
    dcpn_cv *cv = NULL;
    dcpn_status status = dcpn_cv_run(s->context, s->problem, &s->settings, &options, &cv);
    dcpn_cv_free(cv);
    return status;
}

static dcpn_status knockoffs(struct scene *s)
{
    const dcpn_knockoff_options options = {.fdr = 0.2, .draws = 1, .folds = 3, .copies = 1};
    dcpn_knockoffs *knockoffs = NULL;
    s->settings.penalty = "l1";
    dcpn_status status = dcpn_knockoffs_run(s->context, s->problem, &s->settings, &options, &knockoffs);
    dcpn_knockoffs_free(knockoffs);
    return status;
}

static dcpn_status intervals_by(struct scene *s, const char *method)
{
    static const int64_t features[] = {0, 1, 20};
    const dcpn_interval_options options = {.method = method, .features = features, .count = 3, .folds = 3};
    dcpn_intervals *intervals = NULL;
    s->settings.penalty = "l1";
    dcpn_status status = dcpn_intervals_run(s->context, s->problem, &s->settings, &options, &intervals);
    dcpn_intervals_free(intervals);
    return status;
}

static dcpn_status full_intervals(struct scene *s)
{
    return intervals_by(s, "full");
}

static dcpn_status debiased_intervals(struct scene *s)
{
    return intervals_by(s, "debiased");
}

static dcpn_status graph(struct scene *s)
{
    const dcpn_graph_source source = {.X = s->A};
    const dcpn_graph_options options = {.lambda_count = 4, .rule = DCPN_GRAPH_CV, .folds = 2};
    dcpn_graphs *graphs = NULL;
    s->settings.standardize = 1;
    dcpn_status status = dcpn_graphs_fit(s->context, &source, &s->settings, &options, &graphs);
    dcpn_graphs_free(graphs);
    return status;
}

static dcpn_status neighbours(struct scene *s)
{
    const dcpn_neighbour_options options = {.lambda_count = 4};
    dcpn_neighbours *neighbours = NULL;
    dcpn_status status = dcpn_neighbours_fit(s->context, s->A, &s->settings, &options, &neighbours);
    dcpn_neighbours_free(neighbours);
    return status;
}

static dcpn_status factors(struct scene *s)
{
    const dcpn_factor_options options = {.atoms = 30};
    dcpn_factors *factors = NULL;
    s->settings.lambda = 0.5;
    s->settings.max_iter = 10;
    dcpn_status status = dcpn_factors_fit(s->context, s->A, &s->settings, &options, &factors);
    dcpn_factors_free(factors);
    return status;
}

static dcpn_status completion(struct scene *s)
{
    int64_t count = s->rows * s->columns / 2, *row = malloc((size_t)count * 8), *column = malloc((size_t)count * 8);
    for (int64_t k = 0; k < count; k++) row[k] = 2 * k / s->columns, column[k] = 2 * k % s->columns;
    double *value = malloc((size_t)count * sizeof *value);
    for (int64_t k = 0; k < count; k++) value[k] = s->X[row[k] * s->columns + column[k]];
    const dcpn_entries entries = {s->rows, s->columns, count, row, column, value};
    const dcpn_complete_options options = {.lambda_count = 4, .min_ratio = 0.3};
    dcpn_completion *completion = NULL;
    dcpn_status status = dcpn_completion_fit(s->context, &entries, &s->settings, &options, &completion);
    dcpn_completion_free(completion);
    free(row);
    free(column);
    free(value);
    return status;
}

/* ---- all of them ---- */

static int examine(const char *name, int64_t rows, int64_t columns, dcpn_status (*work)(struct scene *), int more)
{
    struct scene s = {.context = dcpn_context_new(NULL), .rows = rows, .columns = columns};
    s.settings = dcpn_settings_for_paths();
    s.settings.loss = "squared";
    s.settings.penalty = "mcp";
    s.settings.lambda = 0.1;
    s.X = malloc((size_t)(rows * columns) * sizeof *s.X);
    s.y = malloc((size_t)rows * sizeof *s.y);
    draw(&s);
    if (dcpn_matrix_dense(s.context, rows, columns, s.X, DCPN_FLOAT64, DCPN_ROW_MAJOR, columns, DCPN_COPY, &s.A) ||
        dcpn_problem_new(s.context, s.A, s.y, &s.problem))
        abort();
    uint64_t limit = (uint64_t)((READINGS * rows * columns + FLOOR) * (more ? more : 1));
    largest = polls = 0;
    last = compared;
    uint64_t before = compared;
    dcpn_context_set_poll(s.context, poll, 0.0, NULL);
    dcpn_status status = work(&s);
    (void)poll(NULL);
    dcpn_context_set_poll(s.context, NULL, 0.0, NULL);
    int is_fine = status == DCPN_OK && largest <= limit && compared > before;
    printf("%-20s %4lld x %-4lld %12llu comparisons, %8llu polls, largest gap %10llu of %llu%s%s\n", name,
           (long long)rows, (long long)columns, (unsigned long long)(compared - before), (unsigned long long)polls,
           (unsigned long long)largest, (unsigned long long)limit, is_fine ? "" : "  NOT SO ",
           status == DCPN_OK ? "" : dcpn_last_error(s.context));
    dcpn_problem_free(s.problem);
    dcpn_matrix_free(s.A);
    dcpn_context_free(s.context);
    free(s.X);
    free(s.y);
    return is_fine;
}

int main(void)
{
    static const struct {
        const char *name;
        int64_t rows, columns;
        dcpn_status (*work)(struct scene *);
        int more; /* gaps that are longer by so much, for a reason */
    } works[] = {
        {"fit", 300, 200, fit, 0},
        {"fit, wide", 60, 2000, fit, 0},
        {"fit, all in use", 400, 300, fit_of_all, 0},
        {"fit, all, two classes", 400, 300, fit_of_all_classes, 0},
        {"fit by search", 200, 150, fit_by_search, 0},
        {"fit of classes", 300, 100, fit_of_classes, 0},
        {"fit of times", 300, 100, fit_of_times, 0},
        {"fit of groups", 300, 200, fit_of_groups, 0},
        {"path", 200, 200, paths, 0},
        {"cv", 150, 100, cv, 0},
        {"cv of several", 150, 100, comparison, 0},
        {"select", 300, 150, knockoffs, 0},
        {"intervals", 400, 250, full_intervals, 0},
        {"intervals, debiased", 100, 150, debiased_intervals, 0},
        {"graph", 300, 120, graph, 0},
        {"graph, single fits", 150, 40, neighbours, 0},
        {"factor", 200, 100, factors, 0},
        {"complete", 150, 100, completion, 4}, /* singular values of a block as wide as the rank, at most 200 */
    };
    int wrong = 0;
    for (size_t k = 0; k < sizeof works / sizeof *works; k++)
        wrong += !examine(works[k].name, works[k].rows, works[k].columns, works[k].work, works[k].more);
    return wrong > 0;
}
