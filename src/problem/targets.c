/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and weights as the loss wants them: -1 and +1 for two classes of any two values, 0 for none, weights that sum
 * to 1 under --scale mean. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/vector.h"
#include "solver/solver.h"

int dcpn_has_label(const dcpn_problem *problem, int64_t row)
{
    double label = problem->y[row];
    return !isnan(label) && !(problem->zero_is_no_label && label == 0.0);
}

int dcpn_unlabelled_weigh_at_most(double times, const dcpn_problem *problem, const dcpn_settings *settings)
{
    double labelled = 0.0, unlabelled = 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++)
        *(dcpn_has_label(problem, i) ? &labelled : &unlabelled) += problem->weights ? problem->weights[i] : 1.0;
    return settings->unlabelled_weight * unlabelled <= times * labelled;
}

int64_t dcpn_count_runs(const dcpn_problem *problem)
{
    int64_t rows = dcpn_problem_rows(problem), runs = 1;
    for (int64_t i = 0; i < rows; i++) runs += dcpn_has_label(problem, i) != runs % 2;
    return runs;
}

void dcpn_fill_runs(dcpn_solver *solver)
{
    int64_t runs = 1, rows = dcpn_problem_rows(solver->problem);
    solver->runs[0] = 0;
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_has_label(solver->problem, i) != runs % 2) solver->runs[runs++] = i;
}

static double weight_of(const dcpn_solver *solver, int64_t row)
{
    return solver->problem->weights ? solver->problem->weights[row] : 1.0;
}

/* Rows of one class alone weigh something: a loss with a tail then falls for ever. */
static dcpn_status check_class_weights(const dcpn_solver *solver, const double *labels, int64_t rows)
{
    int weighs[2] = {0, 0};
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_has_label(solver->problem, i) && weight_of(solver, i) > 0.0)
            weighs[labels[i] == solver->classes[1]] = 1;
    if (weighs[0] && weighs[1]) return DCPN_OK;
    return dcpn_fail(solver->context, DCPN_DATA,
                     "weights: found 0 in all rows of the class %g, expected some above 0 in each class for --loss %s",
                     solver->classes[weighs[0]], solver->parts.loss->name);
}

/* The two values among the labels, ascending. */
static dcpn_status find_classes(dcpn_solver *solver, const double *labels, int64_t rows)
{
    double *low = &solver->classes[0], *high = &solver->classes[1];
    int64_t labelled = 0;
    for (int64_t i = 0; i < rows; i++) {
        double label = labels[i];
        if (!dcpn_has_label(solver->problem, i)) continue;
        if (labelled++ == 0) *low = *high = label;
        if (label == *low || label == *high) continue;
        if (*low != *high)
            return dcpn_fail(
                solver->context, DCPN_DATA,
                "labels: found %g, %g and %g (row %lld), expected two classes for --loss %s; one against the rest: "
                "--positive CLASS; for numbers use --loss squared or huber",
                *low, *high, label, (long long)i + 1, solver->parts.loss->name);
        *(label < *low ? low : high) = label;
    }
    if (labelled == 0)
        return dcpn_fail(solver->context, DCPN_DATA,
                         "labels: no row has one, expected two classes for --loss %s; label some rows of each",
                         solver->parts.loss->name);
    if (*low == *high)
        return dcpn_fail(solver->context, DCPN_DATA,
                         "labels: found the one class %g in all rows%s, expected two classes for --loss %s", *low,
                         labelled < rows ? " with a label" : "", solver->parts.loss->name);
    solver->has_classes = 1;
    return check_class_weights(solver, labels, rows);
}

/* The mean of the rows without a label; returns their weight. w is scratch. */
static double fill_mean_row(dcpn_solver *solver, int64_t rows)
{
    const struct objective *F = &solver->algorithm->objective;
    double total = 0.0;
    for (int64_t i = 0; i < rows; i++)
        total += solver->w[i] = dcpn_has_label(solver->problem, i) ? 0.0 : weight_of(solver, i);
    dcpn_matrix_adjoint(solver->standardized ? solver->standardized : solver->problem->A, solver->w, solver->mean_row);
    for (int64_t j = 0; j < F->features && total > 0.0; j++) solver->mean_row[j] /= total;
    if (F->size > F->features) solver->mean_row[F->features] = 1.0;
    return total;
}

/* The last row asks that the mean score of the rows without a label be the mean of the labels -1 and +1. */
static void fill_balance(dcpn_solver *solver, int64_t rows)
{
    const double *offset = solver->problem->offset;
    double unlabelled = fill_mean_row(solver, rows), labelled = 0.0, sum = 0.0, shift = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double weight = weight_of(solver, i);
        if (offset) solver->offset[i] = offset[i];
        if (dcpn_has_label(solver->problem, i)) {
            labelled += weight;
            sum += weight * solver->y[i];
        } else if (offset) {
            shift += weight * offset[i];
        }
    }
    if (offset) solver->offset[rows] = unlabelled > 0.0 ? shift / unlabelled : 0.0;
    solver->y[rows] = labelled > 0.0 ? sum / labelled : 0.0;
    solver->w[rows] = solver->settings.balance * solver->settings.unlabelled_weight * unlabelled;
}

static void fill_weights(dcpn_solver *solver, int64_t rows)
{
    double total = 0.0, others = solver->settings.unlabelled_weight;
    for (int64_t i = 0; i < rows; i++) {
        int labelled = !solver->parts.unlabelled || dcpn_has_label(solver->problem, i);
        total += solver->w[i] = weight_of(solver, i) * (labelled ? 1.0 : others);
    }
    solver->weight = total;
    if (strcmp(solver->settings.scale, "mean") == 0)
        for (int64_t i = 0; i < solver->algorithm->objective.rows; i++) solver->w[i] /= total;
}

/* The weighted median of what a constant has to explain: where an intercept starts if the loss is flat far out. */
static dcpn_status find_middle(dcpn_solver *solver, const double *labels, int64_t rows)
{
    const double *offset = solver->problem->offset;
    double *sorted = dcpn_allocate(solver->context, (size_t)rows, sizeof *sorted), total = 0.0, below = 0.0;
    int64_t *order = dcpn_allocate(solver->context, (size_t)rows, sizeof *order), k = 0;
    dcpn_status status = sorted && order ? DCPN_OK : DCPN_MEMORY;
    for (int64_t i = 0; i < rows && status == DCPN_OK; i++) {
        sorted[i] = labels[i] - (offset ? offset[i] : 0.0);
        order[i] = i;
        total += weight_of(solver, i);
    }
    if (status == DCPN_OK) {
        dcpn_sort_by(sorted, order, rows);
        while (k < rows - 1 && (below += weight_of(solver, order[k])) < 0.5 * total) k++;
        solver->middle = sorted[k];
    }
    dcpn_free(solver->context, sorted);
    dcpn_free(solver->context, order);
    return status;
}

static dcpn_status fill_numbers(dcpn_solver *solver, const double *labels, int64_t rows)
{
    if (solver->problem->unlabelled)
        return dcpn_fail(solver->context, DCPN_DATA,
                         "labels: %lld row%s none, which --loss %s needs; leave such rows out, or use a loss of two "
                         "classes",
                         (long long)solver->problem->unlabelled, solver->problem->unlabelled == 1 ? " has" : "s have",
                         solver->parts.loss->name);
    solver->middle = 0.0;
    if (solver->parts.loss->flat_far_out && solver->settings.intercept) DCPN_TRY(find_middle(solver, labels, rows));
    for (int64_t i = 0; i < rows; i++) solver->y[i] = labels[i] - solver->middle;
    fill_weights(solver, rows);
    return DCPN_OK;
}

static double sign_of(const dcpn_solver *solver, int64_t row)
{
    if (!dcpn_has_label(solver->problem, row)) return 0.0;
    return solver->problem->y[row] == solver->classes[1] ? 1.0 : -1.0;
}

dcpn_status dcpn_fill_targets(dcpn_solver *solver)
{
    const double *labels = solver->problem->y;
    int64_t rows = dcpn_problem_rows(solver->problem);
    if (!solver->parts.loss) return DCPN_OK;
    if (solver->parts.loss->targets == DCPN_NUMBERS) return fill_numbers(solver, labels, rows);
    DCPN_TRY(find_classes(solver, labels, rows));
    for (int64_t i = 0; i < rows; i++) solver->y[i] = sign_of(solver, i);
    if (solver->parts.unlabelled) dcpn_fill_runs(solver);
    if (solver->parts.balance) fill_balance(solver, rows);
    fill_weights(solver, rows);
    return DCPN_OK;
}
