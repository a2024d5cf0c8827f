/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of one variable whose slope is linear between corners. */
#ifndef DCPN_SRC_PIECEWISE_H
#define DCPN_SRC_PIECEWISE_H

#include <math.h>

struct piecewise {
    double (*slope)(double parameter, double u), (*curvature)(double parameter, double u);
    double parameter;
};

/* Between corners: the step times the slope in the middle. Where u + s/2 would round a short step, that slope is taken
 * from the one at u; but a constant slope never is, as u may be a corner, which has been rounded itself. */
static inline double piecewise_between(const struct piecewise *f, double u, double s)
{
    double middle = u + 0.5 * s, curvature = f->curvature(f->parameter, middle);
    if (curvature == 0.0 || fabs(s) > 0.1 * fabs(u)) return s * f->slope(f->parameter, middle);
    return s * (f->slope(f->parameter, u) + 0.5 * s * curvature);
}

/* The change of a function from u to u + s. The step is cut at the corners it crosses, which are in ascending order. */
static inline double piecewise_change(const struct piecewise *f, int count, const double *corners, double u, double s)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        double corner = corners[s > 0.0 ? k : count - 1 - k], piece = corner - u;
        if ((s > 0.0 ? piece <= 0.0 : piece >= 0.0)) continue;
        if (fabs(piece) >= fabs(s)) break;
        sum += piecewise_between(f, u, piece);
        u = corner;
        s -= piece;
    }
    return sum + piecewise_between(f, u, s);
}

#endif
