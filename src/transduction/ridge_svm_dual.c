/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine
 *     min  ridge/2 |x|^2 + sum_i w_i max(0, 1 - y_i s_i)^2,   s_i = a_i'x + offset_i + constant
 * by its dual, as Hsieh, Chang, Lin, Keerthi and Sundararajan have it (2008): x = sum_i b_i a_i, and with the other b
 * fixed the best b_i has the sign of y_i and is a step from where it is,
 *     y_i b_i = max(0, y_i b_i - (y_i s_i - 1 + D_i y_i b_i) / (|a_i|^2 + D_i)),   D_i = ridge / (2 w_i)
 * A row is read for s_i, and once more where b_i moves. The less a row weighs the larger D_i and the better the dual is
 * conditioned: rows without a label, many and light, need one or two visits where a gradient of all of them takes ten
 * steps. Labels and weights may change between visits: a b_i whose sign is not that of y_i any more is a valid point to
 * step from.
 *
 * The constant has no ridge and is fitted between visits. (As a column of the dual it would tie all rows together: on
 * rows of 1000 features their order of visits was seen in their scores.) */
#include "transduction/ridge_svm_dual.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

static void free_arrays(struct ridge_svm *machine)
{
    dcpn_free(machine->context, machine->values);
    dcpn_free(machine->context, machine->columns);
    dcpn_free(machine->context, machine->y);
    dcpn_free(machine->context, machine->x);
}

static dcpn_status allocate_arrays(struct ridge_svm *machine)
{
    size_t rows = (size_t)machine->A->rows, columns = (size_t)machine->A->columns;
    machine->x = dcpn_allocate(machine->context, columns + 1, sizeof *machine->x);
    machine->y = dcpn_allocate(machine->context, rows, 5 * sizeof *machine->y);
    machine->columns = dcpn_allocate(machine->context, columns, sizeof *machine->columns);
    machine->values = dcpn_allocate(machine->context, columns, sizeof *machine->values);
    if (!machine->x || !machine->y || !machine->columns || !machine->values) return DCPN_MEMORY;
    machine->w = machine->y + rows;
    machine->dual = machine->w + rows;
    machine->square = machine->dual + rows;
    machine->score = machine->square + rows;
    dcpn_fill(machine->A->columns + 1, 0.0, machine->x);
    dcpn_fill(5 * machine->A->rows, 0.0, machine->y);
    return DCPN_OK;
}

static int64_t read_row(struct ridge_svm *machine, int64_t row)
{
    int64_t count = machine->A->ops->row(machine->A, row, machine->columns, machine->values);
    machine->touched += count;
    return count;
}

static void measure_rows(struct ridge_svm *machine)
{
    for (int64_t i = 0; i < machine->A->rows; i++) {
        int64_t count = read_row(machine, i);
        machine->square[i] = dcpn_dot(count, machine->values, machine->values);
    }
}

dcpn_status dcpn_ridge_svm_new(dcpn_context *context, const dcpn_matrix *A, const double *offset,
                                   struct ridge_svm **machine)
{
    struct ridge_svm *made = dcpn_allocate(context, 1, sizeof *made);
    *machine = NULL;
    if (!made) return DCPN_MEMORY;
    *made = (struct ridge_svm){.context = context, .A = A, .offset = offset};
    dcpn_status status = allocate_arrays(made);
    if (status != DCPN_OK) {
        dcpn_ridge_svm_free(made);
        return status;
    }
    measure_rows(made);
    *machine = made;
    return DCPN_OK;
}

void dcpn_ridge_svm_free(struct ridge_svm *machine)
{
    if (!machine) return;
    free_arrays(machine);
    dcpn_free(machine->context, machine);
}

double dcpn_ridge_svm_mean_square(const struct ridge_svm *machine)
{
    double sum = 0.0;
    for (int64_t i = 0; i < machine->A->rows; i++) sum += machine->square[i];
    return sum / (double)machine->A->rows;
}

static double score_of(const struct ridge_svm *machine, int64_t row, int64_t count)
{
    const double *x = machine->x;
    double s = machine->offset ? machine->offset[row] : 0.0;
    for (int64_t k = 0; k < count; k++) s += machine->values[k] * x[machine->columns[k]];
    return s;
}

static void add_row(struct ridge_svm *machine, double alpha, int64_t count)
{
    double *x = machine->x;
    for (int64_t k = 0; k < count; k++) x[machine->columns[k]] += alpha * machine->values[k];
    machine->touched += count;
}

double dcpn_ridge_svm_visit(struct ridge_svm *machine, int64_t row)
{
    if (!(machine->w[row] > 0.0)) return 0.0;
    int64_t count = read_row(machine, row);
    double s = machine->score[row] = score_of(machine, row, count);
    double y = machine->y[row], damping = machine->ridge / (2.0 * machine->w[row]), before = y * machine->dual[row];
    double curvature = machine->square[row] + damping;
    double slope = y * (s + machine->constant) - 1.0 + damping * before;
    double after = fmax(0.0, before - slope / curvature);
    if (after == before) return 0.0;
    add_row(machine, y * (after - before), count);
    machine->dual[row] = y * after;
    machine->score[row] = s + y * (after - before) * machine->square[row];
    return fabs(after - before) * curvature;
}

void dcpn_ridge_svm_score(struct ridge_svm *machine)
{
    machine->touched += machine->A->ops->apply(machine->A, machine->x, machine->score);
    if (machine->offset) dcpn_axpy(machine->A->rows, 1.0, machine->offset, machine->score);
}

/* Newton's steps on a convex function that is quadratic in pieces. */
void dcpn_ridge_svm_fit_constant(struct ridge_svm *machine)
{
    for (int k = 0; k < TEACHER_CONSTANT_STEPS; k++) {
        double slope = 0.0, curvature = 0.0;
        for (int64_t i = 0; i < machine->A->rows; i++) {
            double violation = 1.0 - machine->y[i] * (machine->score[i] + machine->constant);
            if (!(violation > 0.0)) continue;
            slope -= machine->w[i] * machine->y[i] * violation;
            curvature += machine->w[i];
        }
        if (!(curvature > 0.0) || slope == 0.0) return;
        machine->constant -= slope / curvature;
    }
}
