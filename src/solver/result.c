/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a run: what is said of the point at which it has ended. */
#include <math.h>

#include "base/ranks.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "solver/solver.h"

/* Counts the moves that would lead to a lower F; -1: it is not known. A convex penalty leaves none beyond what the
 * stationarity says. */
static int64_t count_escapes(struct workspace *w, double goal)
{
    struct objective *F = &w->algorithm->objective;
    int convex = !F->penalty.own && !dcpn_penalty_has_h2(&F->penalty);
    if (!dcpn_moves_exist(F)) return convex && !dcpn_loss_has_phi2(&F->loss) ? 0 : -1;
    return dcpn_moves_count(&w->moves, F, &w->algorithm->point, w->look, goal);
}

double dcpn_passes_of(const struct workspace *all, int64_t touched)
{
    const struct plan *plan = all->plan;
    double entries = (double)(plan->rotated.A ? plan->given.A : all->algorithm->objective.design.A)->entries;
    return entries > 0.0 ? (double)touched / (2.0 * entries) : 0.0;
}

static void name_parts(const struct workspace *w, dcpn_result *result)
{
    const struct algorithm *method = w->method;
    result->algorithm = method->ops->name;
    result->metric = method->H ? method->H->ops->name : method->ops->assumes.H;
    result->subsolver = method->subsolver ? method->subsolver->ops->name : "prox";
    result->safeguards = method->H ? method->H->safeguards : 0;
}

dcpn_result dcpn_result_of(const struct ending *ending)
{
    struct workspace *w = ending->workspace;
    const struct descent *d = ending->descent;
    struct objective *F = &w->algorithm->objective;
    struct point *point = &w->algorithm->point;
    dcpn_result result = {.outcome = d->outcome,
                          .loss_value = dcpn_objective_smooth(F, point->x, point->u),
                          .penalty_value = dcpn_penalty_value(&F->penalty, point->x),
                          .stationarity = w->algorithm->stationarity,
                          .stationarity_goal = ending->goal,
                          .untried = d->untried,
                          .nonzeros = dcpn_plan_count(w->plan, F->features, point->x),
                          .iterations = d->steps,
                          .inner_iterations = d->inner,
                          .line_search_trials = d->trials,
                          .passes = ending->passes,
                          .time_s = ending->time_s};
    name_parts(w, &result);
    result.objective = result.loss_value + result.penalty_value;
    result.escape = count_escapes(w, ending->goal);
    return result;
}

/* ---- what a user should know besides ---- */

/* Is the loss still above 0 on a row far on its right side? */
static int has_tail(const struct loss *loss)
{
    const double one = 1.0, far_out = 100.0;
    dcpn_loss row = loss->rows;
    row.y = row.w = &one;
    return row.ops->value(&row, 0, 1, &far_out) > 0.0;
}

/* The margin of a row: by how much the score of its own class is above those of all others. Class k of row i stands at
 * k rows + i. */
static double margin(const struct targets *t, int64_t rows, const double *u, int64_t i)
{
    double own = -INFINITY, others = -INFINITY;
    if (t->scores == 1) return t->y[i] * u[i];
    for (int64_t k = 0; k < t->scores; k++)
        if (t->y[k * rows + i] != 0.0)
            own = u[k * rows + i];
        else
            others = fmax(others, u[k * rows + i]);
    return own - others;
}

/* Is every row on its right side? Rows that are on neither side do not matter, as empty ones and equal rows of
 * different classes are. */
static int separates(dcpn_context *context, const struct targets *t, int64_t rows, const double *u)
{
    double largest = 0.0;
    int is_wrong = 0;
    for (int64_t i = 0; i < rows && !is_wrong; i++) {
        double found = t->w[i] > 0.0 ? margin(t, rows, u, i) : 0.0;
        is_wrong = !(found >= -UNDECIDED_MARGIN);
        largest = fmax(largest, found);
    }
    return !dcpn_ranks_any(context, is_wrong) && dcpn_ranks_largest(context, largest) > UNDECIDED_MARGIN;
}

/* Does F fall for ever? It does if the loss has a tail, the penalty is flat far out and all rows are on their right
 * side. Rows without a label have no side. */
static int falls_for_ever(const struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    const struct penalty *h = &F->penalty;
    const struct targets *t = &w->plan->targets;
    int has_classes = t->scores > 1 ? dcpn_loss_has_scores(&F->loss) : t->class_count == 2 && has_tail(&F->loss);
    if (!has_classes || F->loss.unlabelled.ops || F->ridge > 0.0 || h->own) return 0;
    if (h->base_lambda > 0.0 && h->ops->slope(&h->shape, h->base_lambda, 1e300, DCPN_RIGHT) > 0.0) return 0;
    return separates(w->plan->context, t, F->rows / t->scores, w->algorithm->point.u);
}

/* Explains a result without features, but only that of a run that has converged, and not where bounds or a factor per
 * feature are the reason. */
static void explain_empty(struct workspace *w, const dcpn_result *result)
{
    struct algorithm *a = w->algorithm;
    int converged = result->outcome == DCPN_CONVERGED || result->outcome == DCPN_RELATIVE_CHANGE;
    if (!converged || result->nonzeros > 0 || a->objective.penalty.own) return;
    dcpn_look_at_all(w->look, &a->objective, &a->point);
    double slope = dcpn_penalty_reference_slope(&a->objective.penalty);
    double steepest = dcpn_norm_max(a->objective.features, a->point.gradient);
    if (steepest <= slope + result->stationarity_goal)
        dcpn_log(
            w->plan->context, DCPN_LOG_NOTE,
            "no feature is kept: the slope of the penalty at 0 is %.3g, and the loss nowhere falls faster than %.3g",
            slope, steepest);
}

void dcpn_explain_result(const struct ending *ending, const dcpn_result *result)
{
    struct workspace *w = ending->workspace;
    explain_empty(w, result);
    if (falls_for_ever(w))
        dcpn_log(w->plan->context, DCPN_LOG_WARNING,
                 "the model separates the %sclasses: with this penalty F has no minimiser and coefficients grow as "
                 "--tol shrinks; --ridge would bound them",
                 w->plan->targets.scores > 1 ? "" : "two ");
}
