/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and weights as the loss wants them: -1 and +1 for two classes of any two values, weights that sum to 1 under
 * --scale mean. */
#include <string.h>

#include "base/vector.h"
#include "solver.h"

/* The two values among the labels, ascending. */
static dcpn_status find_classes(dcpn_solver *solver, const double *labels, int64_t rows)
{
    double *low = &solver->classes[0], *high = &solver->classes[1];
    *low = *high = labels[0];
    for (int64_t i = 1; i < rows; i++) {
        double label = labels[i];
        if (label == *low || label == *high) continue;
        if (*low != *high)
            return dcpn_fail(
                solver->context, DCPN_DATA,
                "labels: found %g, %g and %g (row %lld), expected two classes for --loss %s; for numbers use "
                "--loss squared or huber",
                *low, *high, label, (long long)i + 1, solver->parts.loss->name);
        *(label < *low ? low : high) = label;
    }
    if (*low == *high)
        return dcpn_fail(solver->context, DCPN_DATA,
                         "labels: found the one class %g in all rows, expected two classes for --loss %s", *low,
                         solver->parts.loss->name);
    solver->has_classes = 1;
    return DCPN_OK;
}

static void fill_weights(dcpn_solver *solver, int64_t rows)
{
    const double *weights = solver->problem->weights;
    double total = 0.0;
    for (int64_t i = 0; i < rows; i++) total += solver->w[i] = weights ? weights[i] : 1.0;
    if (strcmp(solver->settings.scale, "mean") == 0)
        for (int64_t i = 0; i < rows; i++) solver->w[i] /= total;
}

dcpn_status dcpn_fill_targets(dcpn_solver *solver)
{
    const double *labels = solver->problem->y;
    int64_t rows = dcpn_problem_rows(solver->problem);
    if (!solver->parts.loss) return DCPN_OK;
    fill_weights(solver, rows);
    if (solver->parts.loss->targets == DCPN_NUMBERS) {
        dcpn_copy(rows, labels, solver->y);
        return DCPN_OK;
    }
    DCPN_TRY(find_classes(solver, labels, rows));
    for (int64_t i = 0; i < rows; i++) solver->y[i] = labels[i] == solver->classes[1] ? 1.0 : -1.0;
    return DCPN_OK;
}
