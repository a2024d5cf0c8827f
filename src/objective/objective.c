/* SPDX-License-Identifier: BSD-3-Clause */
/* F and its gradients at a point, and its change along a direction. */
#include "objective/objective.h"

#include <math.h>
#include <string.h>

#include "base/ranks.h"
#include "base/vector.h"
#include "matrix/summed.h"

void dcpn_objective_layout(struct objective *objective, struct arena *arena)
{
    dcpn_loss_layout(&objective->loss, arena);
    dcpn_penalty_layout(&objective->penalty, arena);
    objective->r = dcpn_arena_doubles(arena, objective->rows);
    objective->r2 = dcpn_arena_doubles(arena, dcpn_loss_has_phi2(&objective->loss) ? objective->rows : 0);
    int64_t numbers = dcpn_design_numbers(&objective->design);
    objective->design.numbers = dcpn_arena_doubles(arena, numbers);
    objective->last.slope = dcpn_arena_integers(arena, 1);
    objective->last.u = dcpn_arena_doubles(arena, objective->loss.is_exact ? objective->size + 1 : objective->rows);
    objective->last.product = dcpn_arena_doubles(arena, objective->size);
    objective->largest_weight = objective->loss.is_exact ? dcpn_arena_scratch(arena, 1) : NULL;
    if (objective->largest_weight) *objective->largest_weight = (double)NAN;
    if (!objective->wants_squares) return;
    objective->squares.known = dcpn_arena_integers(arena, 1);
    objective->squares.values = dcpn_arena_doubles(arena, objective->size);
}

void dcpn_objective_forget_product(struct objective *objective)
{
    if (objective->last.slope) *objective->last.slope = SLOPE_NONE;
}

void dcpn_objective_forget(struct objective *objective)
{
    dcpn_objective_forget_product(objective);
    if (objective->squares.known) *objective->squares.known = 0;
    if (objective->largest_weight) *objective->largest_weight = (double)NAN;
}

double dcpn_objective_largest_weight(const struct objective *objective)
{
    double *largest = objective->largest_weight;
    if (isnan(*largest))
        *largest = dcpn_ranks_largest(objective->loss.context,
                                      dcpn_norm_max(objective->loss.rows.rows, objective->loss.rows.w));
    return *largest;
}

/* A loss phi >= 0 with phi'' <= L has phi'^2 <= 2 L phi, since it falls by phi'^2 / 2L at least along its slope. So for
 * row i, with all weights at most w,
 *     r_i^2 = w_i^2 phi'(u_i)^2 <= 2 L w_i (w_i phi(u_i)) <= 2 L w F,
 * and the ranks need not ask one another for their largest slope. */
static void bound_slopes(const struct objective *objective, const struct point *point)
{
    double L = dcpn_loss_curvature1_sup(&objective->loss);
    if (!(L > 0.0) || !(point->value > 0.0) || objective->tilt) return;
    double square = 2.0 * L * dcpn_objective_largest_weight(objective) * point->value;
    dcpn_matrix_bound_rows(objective->design.A, 2.0 * sqrt(square)); /* twice: for rounding */
}

const double *dcpn_objective_squares(struct objective *objective)
{
    if (!*objective->squares.known)
        dcpn_design_curvatures(&objective->design, objective->loss.rows.w, objective->squares.values);
    *objective->squares.known = 1;
    return objective->squares.values;
}

/* Computes the norms. If all rows weigh the same, they follow from the squares, once these are known. */
void dcpn_objective_norms(struct objective *objective, double *ones, double *norms)
{
    const struct column_squares *squares = &objective->squares;
    const double *w = objective->loss.rows.w;
    int is_even = w && squares->known && *squares->known && w[0] > 0.0;
    for (int64_t i = 1; i < objective->rows && is_even; i++) is_even = w[i] == w[0];
    if (!is_even) {
        dcpn_fill(objective->rows, 1.0, ones);
        dcpn_design_curvatures(&objective->design, ones, norms);
    }
    for (int64_t j = 0; j < objective->size; j++) norms[j] = sqrt(is_even ? squares->values[j] / w[0] : norms[j]);
}

void dcpn_point_layout(const struct objective *objective, struct point *point, struct arena *arena)
{
    int apart = objective->f1_apart && dcpn_loss_has_phi2(&objective->loss);
    point->x = dcpn_arena_doubles(arena, objective->size);
    point->u = dcpn_arena_doubles(arena, objective->rows);
    point->gradient = dcpn_arena_doubles(arena, objective->size);
    point->gradient1 = apart ? dcpn_arena_doubles(arena, objective->size) : point->gradient;
}

double dcpn_objective_smooth(const struct objective *objective, const double *x, const double *u)
{
    double f = dcpn_loss_value(&objective->loss, u);
    if (objective->ridge > 0.0) f += 0.5 * objective->ridge * dcpn_dot(objective->features, x, x);
    if (objective->tilt) f -= dcpn_dot(objective->size, objective->tilt, x);
    return f;
}

void dcpn_point_value(struct objective *objective, struct point *point)
{
    point->value =
        dcpn_objective_smooth(objective, point->x, point->u) + dcpn_penalty_value(&objective->penalty, point->x);
}

/* Returns which slopes the first product with A' takes: phi1', if grad f1 and grad f2 need products of their own or
 * if phi2 = 0, else phi'. */
static int64_t slope_needed(const struct objective *objective)
{
    int whole = dcpn_loss_has_phi2(&objective->loss) && !objective->f1_apart;
    return whole ? SLOPE_PHI : SLOPE_PHI1;
}

/* ---- one sweep over A: A x, the slopes of the rows, A'r ---- */

struct rows_of_sweep {
    const struct objective *objective;
    const double *shift; /* u = A x + shift; NULL: none */
};

static void slopes_of_rows(const void *user, int64_t begin, int64_t end, double *Ax, double *r)
{
    const struct rows_of_sweep *rows = user;
    const struct objective *F = rows->objective;
    double *u = F->last.u;
    for (int64_t i = begin; i < end; i++) u[i] = rows->shift ? rows->shift[i] + Ax[i] : Ax[i];
    dcpn_loss_slope1_of_rows(&F->loss, begin, end, u, r);
    if (slope_needed(F) == SLOPE_PHI1) return;
    dcpn_loss_slope2_of_rows(&F->loss, begin, end, u, F->r2);
    for (int64_t i = begin; i < end; i++) r[i] -= F->r2[i];
}

/* Computes Ax = A x, and A'r at u = A x + shift, in one sweep. Returns 0, with nothing done, if the two products one
 * after the other would take no longer. */
static int sweep(struct objective *objective, const double *x, const double *shift, double *Ax)
{
    struct rows_of_sweep rows = {objective, shift};
    struct row_work work = {slopes_of_rows, &rows};
    if (dcpn_loss_is_coupled(&objective->loss)) return 0; /* which needs all of A x before any slope */
    if (!objective->last.slope || !dcpn_design_sweep_pays(&objective->design, x)) return 0;
    dcpn_design_sweep(&objective->design, x, &work, Ax, objective->r, objective->last.product);
    *objective->last.slope = slope_needed(objective);
    return 1;
}

void dcpn_point_evaluate(struct objective *objective, struct point *point)
{
    if (!sweep(objective, point->x, objective->offset, point->u))
        dcpn_design_apply(&objective->design, point->x, point->u);
    if (objective->offset) dcpn_axpy(objective->rows, 1.0, objective->offset, point->u);
    dcpn_point_value(objective, point);
}

void dcpn_point_add_columns(struct objective *objective, struct point *point)
{
    dcpn_fill(objective->rows, 0.0, point->u);
    for (int64_t j = dcpn_next_nonzero(objective->size, point->x, 0); j < objective->size;
         j = dcpn_next_nonzero(objective->size, point->x, j + 1))
        dcpn_design_column_add(&objective->design, j, point->x[j], point->u);
    if (objective->offset) dcpn_axpy(objective->rows, 1.0, objective->offset, point->u);
}

void dcpn_objective_look_ahead(struct objective *objective, const struct point *point, const double *d, double *du)
{
    if (!sweep(objective, d, point->u, du)) dcpn_design_apply(&objective->design, d, du);
}

/* ---- gradients ---- */

/* Is this the point that is remembered? With exact sums x and F stand for u, because each rank has another part of u
 * while x and F are the same on all. */
static int is_at(const struct objective *objective, const struct point *point)
{
    const double *last = objective->last.u;
    if (!objective->loss.is_exact) return memcmp(last, point->u, (size_t)objective->rows * sizeof *last) == 0;
    return memcmp(last, point->x, (size_t)objective->size * sizeof *last) == 0 &&
           memcmp(last + objective->size, &point->value, sizeof *last) == 0;
}

static void note_point(const struct objective *objective, const struct point *point)
{
    if (!objective->loss.is_exact) {
        dcpn_copy(objective->rows, point->u, objective->last.u);
        return;
    }
    dcpn_copy(objective->size, point->x, objective->last.u);
    objective->last.u[objective->size] = point->value;
}

/* Is A'r of this point known, because it was computed last or came along with the last sweep? */
static int is_remembered(const struct objective *objective, const struct point *point)
{
    return objective->last.slope && *objective->last.slope == slope_needed(objective) && is_at(objective, point);
}

static int recall(const struct objective *objective, const struct point *point, double *product)
{
    if (!is_remembered(objective, point)) return 0;
    dcpn_copy(objective->size, objective->last.product, product);
    return 1;
}

static void remember(const struct objective *objective, const struct point *point, const double *product)
{
    if (!objective->last.slope) return;
    *objective->last.slope = slope_needed(objective);
    note_point(objective, point);
    dcpn_copy(objective->size, product, objective->last.product);
}

/* Are the squares of the columns still wanted, and can they be computed without a reading of A of their own? */
static int brings_squares(const struct objective *objective)
{
    return objective->squares.known && !*objective->squares.known && objective->design.A->ops->adjoint_and_curvatures;
}

/* Computes A'r. As this reads all of A, the squares and the work that waits for such a reading are done along with
 * it. */
static void adjoint(struct objective *objective, const double *r, double *out)
{
    struct design *design = &objective->design;
    if (objective->loss.is_exact && brings_squares(objective))
        dcpn_matrix_bound_weights(design->A, dcpn_objective_largest_weight(objective));
    if (!brings_squares(objective)) {
        dcpn_design_adjoint(design, r, out);
        return;
    }
    design->touched += design->A->ops->adjoint_and_curvatures(design->A, r, objective->loss.rows.w, objective->along,
                                                              out, objective->squares.values);
    objective->along = NULL;
    *objective->squares.known = 1;
}

/* A'r, r = phi1'(u) or phi'(u). */
static void product(struct objective *objective, const struct point *point, double *out)
{
    const double *u = point->u;
    if (dcpn_loss_has_phi2(&objective->loss)) dcpn_loss_slope2(&objective->loss, u, objective->r2);
    if (recall(objective, point, out)) return;
    dcpn_loss_slope1(&objective->loss, u, objective->r);
    if (slope_needed(objective) == SLOPE_PHI) dcpn_axpy(objective->rows, -1.0, objective->r2, objective->r);
    if (objective->loss.is_exact) bound_slopes(objective, point);
    adjoint(objective, objective->r, out);
    remember(objective, point, out);
}

void dcpn_point_slopes(struct objective *objective, const struct point *point)
{
    dcpn_loss_slope1(&objective->loss, point->u, objective->r);
    if (!dcpn_loss_has_phi2(&objective->loss)) return;
    dcpn_loss_slope2(&objective->loss, point->u, objective->r2);
    if (point->gradient1 == point->gradient) dcpn_axpy(objective->rows, -1.0, objective->r2, objective->r);
}

void dcpn_point_gradients(struct objective *objective, struct point *point)
{
    int apart = point->gradient1 != point->gradient;
    product(objective, point, point->gradient1);
    if (objective->ridge > 0.0) dcpn_axpy(objective->features, objective->ridge, point->x, point->gradient1);
    if (apart && dcpn_loss_has_phi2(&objective->loss)) {
        dcpn_design_adjoint(&objective->design, objective->r2, point->gradient); /* z_f2 */
        for (int64_t j = 0; j < objective->size; j++) point->gradient[j] = point->gradient1[j] - point->gradient[j];
    } else if (apart) {
        dcpn_copy(objective->size, point->gradient1, point->gradient);
    }
    if (objective->tilt) dcpn_axpy(objective->size, -1.0, objective->tilt, point->gradient);
}

int dcpn_point_is_remembered(const struct objective *objective, const struct point *point)
{
    return is_remembered(objective, point);
}

void dcpn_point_gradients_of(struct objective *objective, const struct point *point, const int64_t *columns,
                             int64_t count, double *space)
{
    struct column_subset view;
    dcpn_matrix_subset(&view, objective->design.A, columns);
    view.base.columns = count;
    objective->design.touched += view.base.ops->adjoint(&view.base, objective->r, space);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = columns[i];
        point->gradient[j] = j < objective->features ? space[i] + objective->ridge * point->x[j] : space[i];
    }
}

/* Adds to the change of the loss those of the other terms of F. */
static double add_change(const struct objective *objective, const struct point *point, const double *d, double t,
                         double change)
{
    if (objective->ridge > 0.0) {
        double xd = dcpn_dot(objective->features, point->x, d), dd = dcpn_dot(objective->features, d, d);
        change += objective->ridge * t * (xd + 0.5 * t * dd);
    }
    if (objective->tilt) change -= t * dcpn_dot(objective->size, objective->tilt, d);
    return change + dcpn_penalty_change(&objective->penalty, point->x, d, t);
}

double dcpn_objective_change(const struct objective *objective, const struct point *point, const double *d,
                             const double *du, double t)
{
    return add_change(objective, point, d, t, dcpn_loss_change(&objective->loss, point->u, du, t));
}

void dcpn_objective_changes(const struct objective *objective, const struct point *point, const double *d,
                            const double *du, int count, const double *t, double *changes)
{
    dcpn_loss_changes(&objective->loss, point->u, du, count, t, changes);
    for (int k = 0; k < count; k++) changes[k] = add_change(objective, point, d, t[k], changes[k]);
}

void dcpn_point_move(const struct objective *objective, struct point *point, const double *d, const double *du,
                     double t, double change)
{
    dcpn_axpy(objective->size, t, d, point->x);
    dcpn_axpy(objective->rows, t, du, point->u);
    for (int64_t j = 0; objective->penalty.lower && j < objective->size; j++)
        point->x[j] = dcpn_penalty_clamp(&objective->penalty, j, point->x[j]); /* by rounding, if at all */
    point->value += change;
}
