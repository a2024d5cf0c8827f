/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem, solved by each method from the same start with the same stopping rule. */
#include "trial.h"

#include "escape.h"
#include "plot/figure.h"
#include "speech.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dcpn_exp_cut[] = "max-passes";

const struct method dcpn_exp_methods[METHOD_COUNT] = {
    [METHOD_DCA] = {"dca", "DCA", "dca", "lbfgs", "forward-backward", "relative-change"},
    [METHOD_GIST] = {"gist", "GIST", "gist", "auto", "auto", "relative-change"},
    [METHOD_DCPN] = {"dcpn-lbfgs", "DC-PN", "dcpn", "lbfgs", "forward-backward", "relative-change"},
    [METHOD_DEFAULT] = {"dcpn", "default", "dcpn", "auto", "auto", NULL},
};

/* ---- the curve ----------------------------------------------------------------------------------------------------*/

static int make_room(struct curve *curve)
{
    if (curve->count < curve->room) return 1;
    size_t room = 2 * curve->room + 64;
    double *time_s = reallocarray(curve->time_s, room, sizeof *time_s);
    if (time_s) curve->time_s = time_s;
    double *objective = reallocarray(curve->objective, room, sizeof *objective);
    if (objective) curve->objective = objective;
    if (time_s && objective) curve->room = room;
    return time_s && objective;
}

static void record(struct curve *curve, const dcpn_progress *progress)
{
    if (!curve || !make_room(curve)) return;
    curve->time_s[curve->count] = progress->time_s;
    curve->objective[curve->count++] = progress->objective;
}

/* What the observer of a fit has. */
struct watcher {
    struct curve *curve; /* NULL: none is recorded */
    double max_passes;
    int is_cut;
};

/* Ends a fit by its passes, which are the same on any machine, whatever else that does. */
static int watch(void *user, const dcpn_progress *progress)
{
    struct watcher *watcher = user;
    record(watcher->curve, progress);
    watcher->is_cut = progress->passes >= watcher->max_passes;
    return watcher->is_cut;
}

void dcpn_exp_curve_free(struct curve *curve)
{
    free(curve->time_s);
    free(curve->objective);
    *curve = (struct curve){0};
}

/* ---- one fit ------------------------------------------------------------------------------------------------------*/

static dcpn_settings settings_of(const struct task *task, const struct method *method)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = "logistic";
    settings.penalty = "capped-l1";
    settings.lambda = task->lambda;
    settings.theta = task->theta;
    settings.shape_units = "raw";
    settings.algorithm = method->algorithm;
    settings.metric = method->metric;
    settings.subsolver = method->subsolver;
    settings.nonmonotone = 1;
    settings.dc_max = 20;
    if (method->stop) settings.stop = method->stop;
    settings.relative_tol = 1e-6;
    return settings;
}

double dcpn_exp_rate(const struct part *test, const double *x, double intercept)
{
    int64_t rows = dcpn_matrix_rows(test->matrix), right = 0;
    double *scores = dcpn_exp_allocate(rows, sizeof *scores);
    if (!scores) return NAN;
    dcpn_matrix_apply(test->matrix, x, scores);
    for (int64_t i = 0; i < rows; i++) right += (scores[i] + intercept > 0.0) == (test->labels[i] > 0.0);
    free(scores);
    return 100.0 * (double)right / (double)rows;
}

void dcpn_exp_fill_row(const struct task *task, const char *method, const dcpn_result *result, struct row *row)
{
    *row = (struct row){.trial = task->trial,
                        .rows = dcpn_matrix_rows(task->train.matrix),
                        .features = dcpn_matrix_columns(task->train.matrix),
                        .lambda = task->lambda,
                        .theta = task->theta,
                        .time_s = result->time_s,
                        .objective = result->objective,
                        .loss = result->loss_value,
                        .penalty = result->penalty_value,
                        .stationarity = result->stationarity,
                        .nonzeros = result->nonzeros,
                        .iterations = result->iterations,
                        .inner_iterations = result->inner_iterations,
                        .passes = result->passes,
                        .escapes = -1,
                        .held = -1,
                        .drops = -1};
    snprintf(row->problem, sizeof row->problem, "%s", task->problem);
    snprintf(row->method, sizeof row->method, "%s", method);
    snprintf(row->outcome, sizeof row->outcome, "%s", dcpn_outcome_name(result->outcome));
}

static int judge(const struct task *task, const double *x, struct row *row)
{
    struct escapes escapes;
    row->rate = dcpn_exp_rate(&task->test, x, 0.0);
    if (!task->squares) return isnan(row->rate);
    int code =
        dcpn_exp_escapes(task->train.matrix, task->train.labels, task->squares, task->lambda, task->theta, x, &escapes);
    row->escapes = escapes.count;
    row->held = escapes.held;
    row->drops = escapes.drops;
    return code || isnan(row->rate);
}

static int run(const struct lab *lab, dcpn_solver *solver, int start, double *x, int64_t features,
               struct watcher *watcher)
{
    if (start && dcpn_exp_check(lab, dcpn_solver_set_start(solver, x, 0.0))) return 1;
    dcpn_solver_set_observer(solver, watch, watcher);
    if (dcpn_exp_check(lab, dcpn_solver_run(solver))) return 1;
    memcpy(x, dcpn_solver_coefficients(solver), (size_t)features * sizeof *x);
    return 0;
}

int dcpn_exp_fit(const struct lab *lab, const struct task *task, const struct method *method, int start, double *x,
                 struct row *row, struct curve *curve)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings settings = settings_of(task, method);
    struct watcher watcher = {.curve = curve, .max_passes = (double)lab->plan->max_passes};
    dcpn_exp_at_work("%s, trial %lld: %s", task->problem, (long long)task->trial, method->label);
    int code = dcpn_exp_check(lab, dcpn_problem_new(lab->context, task->train.matrix, task->train.labels, &problem));
    if (!code) code = dcpn_exp_check(lab, dcpn_solver_new(lab->context, problem, &settings, &solver));
    if (!code) code = run(lab, solver, start, x, dcpn_matrix_columns(task->train.matrix), &watcher);
    if (!code) dcpn_exp_fill_row(task, method->name, dcpn_solver_result(solver), row);
    if (!code && watcher.is_cut) snprintf(row->outcome, sizeof row->outcome, "%s", dcpn_exp_cut);
    if (curve) curve->is_cut = watcher.is_cut;
    if (!code) code = judge(task, x, row);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    return code;
}

/* ---- all methods --------------------------------------------------------------------------------------------------*/

static int draw_curves(const struct lab *lab, const struct task *task, const char *name, const struct curve *curves)
{
    struct figure_series series[METHOD_COUNT];
    char title[80], names[METHOD_COUNT][40];
    for (int m = 0; m < METHOD_COUNT; m++) {
        snprintf(names[m], sizeof names[m], "%s%s", dcpn_exp_methods[m].label, curves[m].is_cut ? ", cut" : "");
        series[m] = (struct figure_series){
            .name = names[m], .count = curves[m].count, .x = curves[m].time_s, .y = curves[m].objective};
    }
    snprintf(title, sizeof title, "%s, trial %lld", task->problem, (long long)task->trial);
    struct figure figure = {.title = title,
                            .x_label = "time (s)",
                            .y_label = "objective F",
                            .x_log = 1,
                            .y_log = 1,
                            .series_count = METHOD_COUNT,
                            .series = series};
    char *path = dcpn_exp_output_path(lab, name);
    int code = path ? dcpn_exp_check(lab, dcpn_figure_write(lab->context, path, &figure)) : 1;
    free(path);
    return code;
}

int dcpn_exp_trial(const struct lab *lab, const struct task *task, double began_s, const char *figure, struct row *rows)
{
    struct curve curves[METHOD_COUNT] = {{0}};
    double *x = dcpn_exp_allocate(dcpn_matrix_columns(task->train.matrix), sizeof *x);
    int code = !x;
    for (int m = 0; m < METHOD_COUNT && !code; m++)
        code = dcpn_exp_fit(lab, task, &dcpn_exp_methods[m], 0, x, &rows[m], figure ? &curves[m] : NULL);
    for (int m = 0; m < METHOD_COUNT; m++) rows[m].trial_s = dcpn_exp_clock_s() - began_s;
    if (!code && figure) code = draw_curves(lab, task, figure, curves);
    for (int m = 0; m < METHOD_COUNT; m++) dcpn_exp_curve_free(&curves[m]);
    free(x);
    return code;
}
