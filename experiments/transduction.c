/* SPDX-License-Identifier: BSD-3-Clause */
/* Few rows with a label and many without: one fit, and the rates of many. */
#include "transduction.h"

#include "speech.h"
#include "wilcoxon.h"

#include <math.h>
#include <string.h>

const char *const dcpn_exp_transduction_names[] = {"sparse-log", "tsvm", "sparse-transductive"};
const char *const dcpn_exp_transduction_labels[] = {"Sparse Log", "TSVM", "Sparse Transd."};

dcpn_settings dcpn_exp_transduction_settings(const struct lab *lab, int method, const struct hyperparameters *chosen)
{
    dcpn_settings settings = dcpn_settings_default();
    if (method == TSVM) {
        dcpn_settings_preset(lab->context, &settings, "nabla-tsvm");
        return settings;
    }
    settings.lambda = chosen->lambda;
    settings.theta = chosen->theta;
    settings.shape_units = "raw";
    settings.unlabelled_weight = method == SPARSE_LOG ? 0.0 : chosen->weight;
    return settings;
}

static void fill_row(const struct task *task, int method, const dcpn_settings *settings, const dcpn_result *result,
                     struct row *row)
{
    dcpn_exp_fill_row(task, dcpn_exp_transduction_names[method], result, row);
    row->lambda = settings->lambda;
    row->theta = settings->theta;
    row->weight = settings->unlabelled_weight;
}

int dcpn_exp_transduction_fit(const struct lab *lab, const struct task *task, int method,
                              const struct hyperparameters *chosen, double *x, struct row *row)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings settings = dcpn_exp_transduction_settings(lab, method, chosen);
    dcpn_exp_at_work("%s, trial %lld: %s", task->problem, (long long)task->trial, dcpn_exp_transduction_labels[method]);
    int code = dcpn_exp_check(lab, dcpn_problem_new(lab->context, task->train.matrix, task->train.labels, &problem));
    if (!code) code = dcpn_exp_check(lab, dcpn_solver_new(lab->context, problem, &settings, &solver));
    if (!code) code = dcpn_exp_check(lab, dcpn_solver_run(solver));
    if (!code) {
        int64_t features = dcpn_matrix_columns(task->train.matrix);
        memcpy(x, dcpn_solver_coefficients(solver), (size_t)features * sizeof *x);
        fill_row(task, method, &settings, dcpn_solver_result(solver), row);
        row->rate = dcpn_exp_rate(&task->test, x, dcpn_solver_intercept(solver));
        code = isnan(row->rate);
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    return code;
}

static void average(int count, const double *values, double *mean, double *deviation)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++) sum += values[i];
    *mean = sum / count;
    for (int i = 0; i < count; i++) squares += (values[i] - *mean) * (values[i] - *mean);
    *deviation = count > 1 ? sqrt(squares / (count - 1)) : 0.0;
}

int dcpn_exp_collect_rates(const struct csv *csv, const char *problem, int64_t trials, int with_tsvm,
                           struct rates *rates)
{
    memset(rates, 0, sizeof *rates);
    for (int64_t trial = 1; trial <= trials; trial++) {
        if (!dcpn_exp_csv_find(csv, problem, trial, NULL)) continue;
        for (int m = 0; m < TRANSDUCTION_METHODS; m++) {
            if (m == TSVM && !with_tsvm) continue;
            const struct row *row = dcpn_exp_csv_find(csv, problem, trial, dcpn_exp_transduction_names[m]);
            rates->rate[m][rates->trials] = row->rate;
            rates->nonzeros[m] += (double)row->nonzeros;
            rates->time_s[m] += row->time_s;
        }
        rates->trials++;
    }
    if (rates->trials == 0) return 0;
    for (int m = 0; m < TRANSDUCTION_METHODS; m++) {
        average(rates->trials, rates->rate[m], &rates->mean[m], &rates->deviation[m]);
        rates->nonzeros[m] /= rates->trials;
        rates->time_s[m] /= rates->trials;
    }
    rates->p = dcpn_exp_wilcoxon(rates->trials, rates->rate[SPARSE_LOG], rates->rate[SPARSE_TRANSDUCTIVE]);
    return rates->trials;
}
