/* SPDX-License-Identifier: BSD-3-Clause */
/* What is missing in rows of variables that each have a fit of their own: the expectation by that fit. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "dcpn/neighbours.h"

/* What the fit of variable i expects in a row. */
static double expectation(const dcpn_neighbours *n, int64_t i, const double *row)
{
    const dcpn_neighbour_fit *fit = &n->fits[i];
    double u = fit->intercept;
    for (int64_t k = fit->first; k < fit->first + fit->fit.nonzeros; k++) u += n->value[k] * row[n->index[k]];
    if (strcmp(fit->loss, "logistic") == 0) return fit->low + (fit->high - fit->low) / (1.0 + exp(-u));
    return fmin(fmax(u, fit->low), fit->high);
}

/* One turn of those that are missing. Returns how far any of them has moved, as a share of its range. */
static double take_turns(const dcpn_neighbours *n, const char *is_missing, double *row)
{
    double moved = 0.0;
    for (int64_t i = 0; i < n->variables; i++) {
        if (!is_missing[i]) continue;
        double before = row[i], range = n->fits[i].high - n->fits[i].low;
        row[i] = expectation(n, i, row);
        if (range > 0.0) moved = fmax(moved, fabs(row[i] - before) / range);
    }
    return moved;
}

static void fill_row(const dcpn_neighbours *n, char *is_missing, double *row)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n->variables; i++) {
        is_missing[i] = (char)(isnan(row[i]) != 0);
        count += is_missing[i];
        if (is_missing[i]) row[i] = n->fits[i].mean;
    }
    double moved = count > 0 ? 1.0 : 0.0;
    for (int turn = 0; turn < NEIGHBOURS_TURNS && moved > NEIGHBOURS_STILL; turn++)
        moved = take_turns(n, is_missing, row);
}

dcpn_status dcpn_neighbours_fill(const dcpn_neighbours *neighbours, int64_t rows, double *values)
{
    DCPN_NEED(NULL, neighbours);
    dcpn_context *context = neighbours->context;
    DCPN_NEED(context, values);
    if (rows < 0) return dcpn_fail(context, DCPN_USAGE, "rows: found %lld, expected at least 0", (long long)rows);
    char *is_missing = dcpn_allocate(context, (size_t)neighbours->variables, 1);
    if (!is_missing) return DCPN_MEMORY;
    dcpn_status status = DCPN_OK;
    for (int64_t i = 0; status == DCPN_OK && i < rows; i++) {
        fill_row(neighbours, is_missing, values + i * neighbours->variables);
        status = dcpn_refuse_interrupted(context, "filling in what is missing");
    }
    dcpn_free(context, is_missing);
    return status;
}

dcpn_status dcpn_neighbours_set_names(dcpn_neighbours *n, const char *const *names)
{
    DCPN_NEED(NULL, n);
    char **made = NULL;
    if (names) {
        DCPN_TRY(dcpn_need_texts(n->context, "names of the variables", names, n->variables));
        made = dcpn_copy_texts(n->context, names, n->variables);
        if (!made) return DCPN_MEMORY;
    }
    dcpn_free(n->context, (void *)n->names);
    n->names = made;
    return DCPN_OK;
}
