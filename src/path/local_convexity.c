/* SPDX-License-Identifier: BSD-3-Clause */
/* Is F convex on the way to a point? With S = the features in use there or at the point before on the path, k_j = the
 * greatest concavity of the penalty of feature j (the largest -p'') and W = phi''(u), the margin is the least
 * eigenvalue of
 *     A_S'WA_S + ridge I - diag(k),
 * the intercept, if any, eliminated (W-weighted centring of the columns). The penalty is taken at its most concave, so
 * that a positive margin speaks for all points with this support and this curvature, as ncvreg's diagnostic does. */
#include "path/local_convexity.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/eigenvalue.h"
#include "base/vector.h"

dcpn_status dcpn_convexity_new(dcpn_context *context, int64_t rows, int64_t limit, struct convexity *made)
{
    size_t k = limit > 0 ? (size_t)limit : 0;
    *made = (struct convexity){.limit = limit};
    made->support = dcpn_allocate(context, k, sizeof *made->support);
    made->matrix = dcpn_allocate(context, k * k, sizeof *made->matrix);
    made->work = dcpn_allocate(context, 3 * k, sizeof *made->work);
    made->w = dcpn_allocate(context, (size_t)rows, sizeof *made->w);
    made->column = dcpn_allocate(context, (size_t)rows, sizeof *made->column);
    if (made->support && made->matrix && made->work && made->w && made->column) return DCPN_OK;
    dcpn_convexity_free(context, made);
    return DCPN_MEMORY;
}

void dcpn_convexity_free(dcpn_context *context, struct convexity *convexity)
{
    dcpn_free(context, convexity->support);
    dcpn_free(context, convexity->matrix);
    dcpn_free(context, convexity->work);
    dcpn_free(context, convexity->w);
    dcpn_free(context, convexity->column);
    *convexity = (struct convexity){0};
}

/* w = phi''(u) = phi1'' - phi2'' */
static void fill_curvature(const struct convexity *c, const struct objective *F, const struct point *point)
{
    dcpn_loss_curvature1(&F->loss, point->u, c->w);
    if (!dcpn_loss_has_phi2(&F->loss)) return;
    dcpn_loss_curvature2(&F->loss, point->u, c->column);
    dcpn_axpy(F->rows, -1.0, c->column, c->w);
}

static void fill_matrix(const struct convexity *c, const struct objective *F, int64_t count)
{
    const dcpn_matrix *A = F->design.A;
    double *sums = c->work + 2 * count, total = 0.0;
    int centred = F->size > F->features;
    for (int64_t i = 0; i < F->rows; i++) total += c->w[i];
    for (int64_t s = 0; s < count; s++) {
        int64_t j = c->support[s];
        dcpn_fill(F->rows, 0.0, c->column);
        A->ops->column_axpy(A, j, 1.0, c->w, c->column);
        sums[s] = A->ops->column_dot(A, j, c->w);
        double *row = c->matrix + s * count;
        for (int64_t t = 0; t <= s; t++) {
            row[t] = A->ops->column_dot(A, c->support[t], c->column);
            if (centred && total > 0.0) row[t] -= sums[s] / total * sums[t];
        }
        row[s] += F->ridge - dcpn_penalty_concavity(&F->penalty, j);
        if (centred && !(total > 0.0)) row[s] = -INFINITY; /* not convex in the intercept alone */
    }
}

double dcpn_convexity_margin(struct convexity *c, const struct objective *F, const struct point *point,
                             const double *before)
{
    int64_t count = 0;
    if (!dcpn_loss_has_curvature(&F->loss) || dcpn_loss_has_scores(&F->loss) || dcpn_loss_is_coupled(&F->loss))
        return NAN;
    if (F->loss.rows.ops->targets == DCPN_ORDERED_CLASSES) return NAN; /* it has several constants */
    if (dcpn_loss_has_phi2(&F->loss) && !dcpn_loss_has_curvature2(&F->loss)) return NAN;
    for (int64_t j = 0; j < F->features; j++) {
        if (point->x[j] == 0.0 && before[j] == 0.0) continue;
        if (count >= c->limit) return NAN;
        c->support[count++] = j;
    }
    if (count == 0) return INFINITY;
    fill_curvature(c, F, point);
    fill_matrix(c, F, count);
    for (int64_t s = 0; s < count; s++)
        if (!isfinite(c->matrix[s * count + s])) return c->matrix[s * count + s]; /* a kink, or not known */
    return dcpn_least_eigenvalue(count, c->matrix, c->work);
}
