/* SPDX-License-Identifier: BSD-3-Clause */
/* The curvature of the rows. Under --majorize it is sup(phi1''), so that the model is an upper bound of f1 everywhere.
 * For a non-convex loss it is its own curvature, clipped from below, unless --curvature f1 asks for the paper's. After
 * a step that had to be cut short it is that of f1, or of parabolas that touch the loss from above, where it has
 * them. */
#include "metric/row_curvature.h"

#include <math.h>

#include "base/ranks.h"
#include "base/tuning.h"

/* max(phi1'' - phi2'', a share of phi1''): close to the curvature of f where that is positive, and positive always. */
static void clip_curvature(const struct objective *F, const struct point *point, double *w, double *curvature2)
{
    dcpn_loss_curvature2(&F->loss, point->u, curvature2);
    for (int64_t i = 0; i < F->rows; i++) w[i] = fmax(w[i] - curvature2[i], HESSIAN_CLIP * w[i]);
}

/* The floor is a share of the largest curvature there is at this point, not of the largest there can be: where the
 * model separates the classes all rows are far out, and steps have to grow with them. */
static double raise_to_floor(const struct objective *F, double *w)
{
    const double *weight = F->loss.rows.w;
    double sup = dcpn_loss_curvature1_sup(&F->loss), largest = 0.0;
    for (int64_t i = 0; i < F->rows; i++)
        if (weight[i] > 0.0) largest = fmax(largest, w[i] / weight[i]);
    largest = dcpn_ranks_largest(F->loss.context, largest);
    double floor = fmax(HESSIAN_FLOOR * largest, HESSIAN_LEAST_FLOOR * (sup > 0.0 ? sup : 1.0));
    for (int64_t i = 0; i < F->rows; i++) w[i] = fmax(w[i], floor * weight[i]);
    return fmax(largest, floor);
}

static void fill_with_largest(const struct loss *loss, int64_t rows, double *w)
{
    double sup = dcpn_loss_curvature1_sup(loss);
    for (int64_t i = 0; i < rows; i++) w[i] = sup * loss->rows.w[i];
}

double dcpn_row_curvature(const struct metric *metric, const struct point *point, double *w, double *space)
{
    const struct objective *F = metric->objective;
    int is_careful = metric->careful > 0;
    if (metric->settings.majorize)
        fill_with_largest(&F->loss, F->rows, w);
    else
        (is_careful ? dcpn_loss_touching1 : dcpn_loss_curvature1)(&F->loss, point->u, w);
    int is_clipped = metric->settings.clipped && !metric->settings.majorize && !is_careful;
    if (is_clipped && dcpn_loss_has_curvature2(&F->loss)) clip_curvature(F, point, w, space);
    return raise_to_floor(F, w);
}
