/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's table of real data sets: 80/20 splits, one per trial. */
#include "escape.h"
#include "real_sets.h"
#include "speech.h"
#include "statistics.h"

#include <stdlib.h>

struct choice {
    double lambda, theta;
};

static int run_split(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data,
                     const struct choice *choice, int64_t trial, struct csv *csv)
{
    double began_s = dcpn_exp_clock_s();
    struct split split;
    struct row rows[METHOD_COUNT] = {0};
    char figure[64];
    snprintf(figure, sizeof figure, "real-%s.svg", problem->name);
    if (dcpn_exp_split(lab, problem, data, (uint64_t)trial, &split)) return 1;
    struct task task = dcpn_exp_split_task(problem, &split, trial);
    double *squares = dcpn_exp_column_squares(split.train);
    task.lambda = choice->lambda;
    task.theta = choice->theta;
    task.squares = squares;
    int code = !squares || dcpn_exp_trial(lab, &task, began_s, trial == 1 ? figure : NULL, rows);
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    free(squares);
    dcpn_exp_split_free(&split);
    return code;
}

static void report(const struct lab *lab, const struct real_problem *problems, size_t count, const char *name,
                   const struct csv *csv)
{
    const char *names[REAL_PROBLEMS];
    int64_t done = 0, trials = lab->plan->trials;
    char what[64];
    for (size_t i = 0; i < count; i++) {
        names[i] = problems[i].name;
        done += dcpn_exp_csv_trials(csv, names[i], trials);
    }
    snprintf(what, sizeof what, "real %s", name);
    dcpn_exp_progress(what, done, (int64_t)count * trials, dcpn_exp_csv_left_s(csv, count, names, trials));
}

static int run_problem(const struct lab *lab, const struct real_problem *problems, size_t count, size_t which,
                       struct csv *csv)
{
    const struct real_problem *problem = &problems[which];
    dcpn_dataset *data = NULL;
    struct choice choice;
    if (dcpn_exp_csv_trials(csv, problem->name, lab->plan->trials) == lab->plan->trials) return 0;
    int code = dcpn_exp_read(lab, problem, &data);
    if (!code) code = dcpn_exp_choose(lab, problem, data, &choice.lambda, &choice.theta);
    for (int64_t trial = 1; trial <= lab->plan->trials && !code; trial++) {
        if (dcpn_exp_csv_find(csv, problem->name, trial, NULL)) continue;
        code = run_split(lab, problem, data, &choice, trial, csv);
        if (!code) report(lab, problems, count, problem->name, csv);
    }
    dcpn_dataset_free(data);
    return code;
}

/* All problems that the file has, whatever this call has asked for. */
static int write_markdown(const struct lab *lab, const char *heading, const struct csv *csv)
{
    struct plan everything = *lab->plan;
    struct real_problem problems[REAL_PROBLEMS];
    struct table_line lines[REAL_PROBLEMS];
    char *path;
    everything.rows = "both";
    everything.problem = NULL;
    size_t count = dcpn_exp_real_problems(&everything, problems);
    FILE *stream = dcpn_exp_markdown_begin(lab, "real.md", &path);
    if (!stream) return 1;
    for (size_t i = 0; i < count; i++) {
        const struct row *row = dcpn_exp_csv_find(csv, problems[i].name, 1, NULL);
        lines[i].problem = problems[i].name;
        snprintf(lines[i].cells, sizeof lines[i].cells, "%s | %lld | %lld | %g | %g", problems[i].name,
                 row ? (long long)row->rows : 0, row ? (long long)row->features : 0, row ? row->lambda : 0.0,
                 row ? row->theta : 0.0);
    }
    fprintf(stream,
            "# Real data sets\n\nMade by `experiments/run`: %s. Raw numbers: `real.csv`; the choice of lambda "
            "and theta: `grid.csv`.\n",
            heading);
    dcpn_exp_write_tables(stream, csv, lab->plan->trials, "dataset | N | d | lambda | theta", lines, count);
    fputs("\n", stream);
    for (size_t i = 0; i < count; i++)
        if (dcpn_exp_csv_find(csv, problems[i].name, 1, NULL))
            fprintf(stream, "![%s: F against time, trial 1](real-%s.svg)\n", problems[i].name, problems[i].name);
    return dcpn_exp_markdown_end(lab, stream, path);
}

int dcpn_exp_real(const struct lab *lab)
{
    struct csv csv;
    struct real_problem problems[REAL_PROBLEMS];
    char heading[160];
    size_t count = dcpn_exp_keep_present(lab->plan, dcpn_exp_real_problems(lab->plan, problems), problems);
    snprintf(heading, sizeof heading, "real, dcpn %s, max-passes %lld, threads %lld", dcpn_version(),
             (long long)lab->plan->max_passes, (long long)lab->plan->threads);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "real.csv"), heading, METHOD_COUNT)) return 1;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        code = run_problem(lab, problems, count, i, &csv);
        if (!code) code = write_markdown(lab, heading, &csv);
    }
    if (!code && count == 0) code = write_markdown(lab, heading, &csv);
    dcpn_exp_progress_end();
    dcpn_exp_csv_close(&csv);
    return code;
}
