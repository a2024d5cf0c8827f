/* SPDX-License-Identifier: BSD-3-Clause */
/* Why methods that linearise h2 end above GIST: a problem of two variables, and the real sets. GIST and DC-PN are each
 * also started from where the other one stopped. */
#include "escape.h"
#include "plane.h"
#include "real_sets.h"
#include "speech.h"
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

enum { GIST, DCPN, GIST_FROM_DCPN, DCPN_FROM_GIST, RUNS };
static const char *const run_names[RUNS] = {"gist", "dcpn-lbfgs", "gist-from-dcpn", "dcpn-from-gist"};
static const int64_t TRIAL = 1;

static int run_from(const struct lab *lab, const struct task *task, int which, int start, double *x, struct row *row)
{
    int method = which == GIST || which == GIST_FROM_DCPN ? METHOD_GIST : METHOD_DCPN;
    int code = dcpn_exp_fit(lab, task, &dcpn_exp_methods[method], start, x, row, NULL);
    snprintf(row->method, sizeof row->method, "%s", run_names[which]);
    return code;
}

static int run_four(const struct lab *lab, const struct task *task, double began_s, struct row rows[RUNS])
{
    int64_t features = dcpn_matrix_columns(task->train.matrix);
    double *at_gist = dcpn_exp_allocate(features, sizeof *at_gist);
    double *at_dcpn = dcpn_exp_allocate(features, sizeof *at_dcpn);
    int code = !at_gist || !at_dcpn || run_from(lab, task, GIST, 0, at_gist, &rows[GIST]) ||
               run_from(lab, task, DCPN, 0, at_dcpn, &rows[DCPN]) ||
               run_from(lab, task, GIST_FROM_DCPN, 1, at_dcpn, &rows[GIST_FROM_DCPN]) ||
               run_from(lab, task, DCPN_FROM_GIST, 1, at_gist, &rows[DCPN_FROM_GIST]);
    for (int i = 0; i < RUNS; i++) rows[i].trial_s = dcpn_exp_clock_s() - began_s;
    free(at_dcpn);
    free(at_gist);
    return code;
}

static int run_task(const struct lab *lab, struct task *task, double began_s, struct csv *csv)
{
    struct row rows[RUNS] = {0};
    double *squares = dcpn_exp_column_squares(task->train.matrix);
    task->squares = squares;
    int code = !squares || run_four(lab, task, began_s, rows);
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    free(squares);
    return code;
}

static int run_real(const struct lab *lab, const struct real_problem *problem, struct csv *csv)
{
    dcpn_dataset *data = NULL;
    struct split split = {0};
    double lambda, theta, began_s = dcpn_exp_clock_s();
    if (dcpn_exp_csv_find(csv, problem->name, TRIAL, NULL)) return 0;
    int code = dcpn_exp_read(lab, problem, &data);
    if (!code) code = dcpn_exp_choose(lab, problem, data, &lambda, &theta);
    if (!code) code = dcpn_exp_split(lab, problem, data, (uint64_t)TRIAL, &split);
    if (!code) {
        struct task task = dcpn_exp_split_task(problem, &split, TRIAL);
        task.lambda = lambda;
        task.theta = theta;
        code = run_task(lab, &task, began_s, csv);
    }
    dcpn_exp_split_free(&split);
    dcpn_dataset_free(data);
    return code;
}

static const char toy_name[] = "d10000-T100";

static int64_t shrunk(int64_t size, int64_t scale)
{
    return size >= scale ? size / scale : 1;
}

/* One toy problem, for contrast: the second setting of the paper. */
static int run_toy(const struct lab *lab, struct csv *csv)
{
    int64_t scale = lab->plan->scale;
    double began_s = dcpn_exp_clock_s();
    dcpn_toy toy = {.features = shrunk(10000, scale),
                    .relevant = shrunk(100, scale),
                    .rows = shrunk(5000, scale),
                    .test_rows = shrunk(5000, scale),
                    .seed = (uint64_t)TRIAL};
    dcpn_dataset *train = NULL, *test = NULL;
    if (!dcpn_exp_selected(lab->plan, toy_name) || dcpn_exp_csv_find(csv, toy_name, TRIAL, NULL)) return 0;
    int code = dcpn_exp_check(lab, dcpn_generate_toy(lab->context, &toy, &train, &test, NULL));
    if (!code) {
        struct task task = {.problem = toy_name,
                            .trial = TRIAL,
                            .train = {train->matrix, train->labels},
                            .test = {test->matrix, test->labels},
                            .lambda = 2.0,
                            .theta = 2.0};
        code = run_task(lab, &task, began_s, csv);
    }
    dcpn_dataset_free(test);
    dcpn_dataset_free(train);
    return code;
}

static void report(const struct real_problem *problems, size_t count, size_t which, const struct csv *csv)
{
    const char *names[REAL_PROBLEMS];
    char what[64];
    for (size_t i = 0; i < count; i++) names[i] = problems[i].name;
    snprintf(what, sizeof what, "basin %s", problems[which].name);
    dcpn_exp_progress(what, (int64_t)which + 1, (int64_t)count, dcpn_exp_csv_left_s(csv, count, names, TRIAL));
}

static void write_line(FILE *stream, const struct csv *csv, const char *problem)
{
    const struct row *run[RUNS];
    for (int i = 0; i < RUNS; i++) run[i] = dcpn_exp_csv_find(csv, problem, TRIAL, run_names[i]);
    if (!run[0]) return;
    fprintf(stream, "| %s | %g | %g |", problem, run[GIST]->lambda, run[GIST]->theta);
    fprintf(stream, " %.2f | %.2f | %.2f |", run[GIST]->objective, run[DCPN]->objective,
            100.0 * (run[GIST]->objective - run[DCPN]->objective) / run[GIST]->objective);
    for (int i = GIST; i <= DCPN; i++)
        fprintf(stream, " %lld (%lld) | %lld |", (long long)run[i]->escapes, (long long)run[i]->held,
                (long long)run[i]->drops);
    fprintf(stream, " %.2f | %.2f |", run[GIST_FROM_DCPN]->objective, run[DCPN_FROM_GIST]->objective);
    fprintf(stream, " %lld / %lld | %.2f / %.2f |\n", (long long)run[GIST]->nonzeros, (long long)run[DCPN]->nonzeros,
            run[GIST]->rate, run[DCPN]->rate);
}

static void write_sets(FILE *stream, const struct csv *csv, const struct real_problem *problems, size_t count)
{
    fputs("\n## The real sets\n\n"
          "Split 1, lambda and theta as `grid.csv` chose them. *Ways out*: coefficients at 0 whose one-dimensional "
          "global prox, with L_j = |a_j|^2 / 4, surely lowers F; in brackets those with |grad_j f| <= lambda, which a "
          "linearised penalty holds at 0. *Drops*: coefficients, not 0, that would lower F by going to 0 alone. "
          "*Then*: F after the method has gone on from where the other one stopped.\n\n"
          "| problem | lambda | theta | F GIST | F DC-PN | Rel. diff (%) | ways out at GIST's point | drops |"
          " ways out at DC-PN's point | drops | DC-PN, then GIST | GIST, then DC-PN | features kept, GIST / DC-PN |"
          " rate, GIST / DC-PN |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
          stream);
    write_line(stream, csv, toy_name);
    for (size_t i = 0; i < count; i++) write_line(stream, csv, problems[i].name);
}

static int write_markdown(const struct lab *lab, const char *heading, const struct csv *csv,
                          const struct real_problem *problems, size_t count)
{
    char *path;
    FILE *stream = dcpn_exp_markdown_begin(lab, "basin.md", &path);
    if (!stream) return 1;
    fprintf(stream, "# Why DC-PN ends above GIST\n\nMade by `experiments/run`: %s. Raw numbers: `basin.csv`.\n",
            heading);
    int code = dcpn_exp_plane(lab, stream);
    write_sets(stream, csv, problems, count);
    return dcpn_exp_markdown_end(lab, stream, path) || code;
}

int dcpn_exp_basin(const struct lab *lab)
{
    struct csv csv;
    struct plan plan = *lab->plan;
    struct real_problem problems[REAL_PROBLEMS];
    char heading[160];
    plan.rows = "both";
    size_t count = dcpn_exp_keep_present(&plan, dcpn_exp_real_problems(&plan, problems), problems);
    snprintf(heading, sizeof heading, "basin, dcpn %s, sizes / %lld, max-passes %lld, threads %lld", dcpn_version(),
             (long long)plan.scale, (long long)plan.max_passes, (long long)plan.threads);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "basin.csv"), heading, RUNS)) return 1;
    int code = run_toy(lab, &csv);
    for (size_t i = 0; i < count && !code; i++) {
        code = run_real(lab, &problems[i], &csv);
        if (!code) report(problems, count, i, &csv);
    }
    dcpn_exp_progress_end();
    if (!code) code = write_markdown(lab, heading, &csv, problems, count);
    dcpn_exp_csv_close(&csv);
    return code;
}
