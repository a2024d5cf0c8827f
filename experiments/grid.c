/* SPDX-License-Identifier: BSD-3-Clause */
/* The hyperparameters of a real set: those with which GIST classifies best, as in the paper. */
#include "real_sets.h"
#include "speech.h"

#include <stdio.h>
#include <stdlib.h>

/* In the order in which ties are decided. */
static const struct {
    double lambda, theta;
} grid[] = {{2.0, 2.0}, {2.0, 0.2}, {0.2, 2.0}, {0.2, 0.2}};
enum { GRID = 4 };

static int fit_all(const struct lab *lab, const struct real_problem *problem, const struct split *split,
                   struct row rows[GRID])
{
    double began_s = dcpn_exp_clock_s();
    double *x = dcpn_exp_allocate(dcpn_matrix_columns(split->train), sizeof *x);
    int code = !x;
    for (int i = 0; i < GRID && !code; i++) {
        struct task task = dcpn_exp_split_task(problem, split, 0);
        task.lambda = grid[i].lambda;
        task.theta = grid[i].theta;
        code = dcpn_exp_fit(lab, &task, &dcpn_exp_methods[METHOD_GIST], 0, x, &rows[i], NULL);
        rows[i].trial_s = dcpn_exp_clock_s() - began_s;
    }
    free(x);
    return code;
}

static int fill_grid(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data,
                     struct csv *csv)
{
    struct split split;
    struct row rows[GRID] = {0};
    if (dcpn_exp_split(lab, problem, data, 0, &split)) return 1;
    int code = fit_all(lab, problem, &split, rows);
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    dcpn_exp_split_free(&split);
    return code;
}

static void take_best(const struct row rows[GRID], double *lambda, double *theta)
{
    const struct row *best = &rows[0];
    for (int i = 1; i < GRID; i++)
        if (rows[i].rate > best->rate) best = &rows[i];
    *lambda = best->lambda;
    *theta = best->theta;
}

int dcpn_exp_choose(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data, double *lambda,
                    double *theta)
{
    struct csv csv;
    char heading[120];
    snprintf(heading, sizeof heading, "grid, dcpn %s, split 0, max-passes %lld", dcpn_version(),
             (long long)lab->plan->max_passes);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "grid.csv"), heading, GRID)) return 1;
    int code = dcpn_exp_csv_find(&csv, problem->name, 0, NULL) ? 0 : fill_grid(lab, problem, data, &csv);
    if (!code) take_best(dcpn_exp_csv_find(&csv, problem->name, 0, NULL), lambda, theta);
    dcpn_exp_csv_close(&csv);
    return code;
}
