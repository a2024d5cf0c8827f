/* SPDX-License-Identifier: BSD-3-Clause */
/* The two equations in one unknown that steps of blocks lead to. Newton's method goes to either root from one side. */
#include <math.h>

#include "subproblem/block.h"

enum { MOST_STEPS = 100 };
static const double FLAT = 1e-14; /* of the largest eigenvalue: without a penalty nothing is known along those below */

/* S(r) = sum (a_i / (l_i r + c))^2 falls with the norm r of the solution, and is 1 at it. S^(-1/2) is nearly linear. */
static double next_norm(int64_t size, const double *values, double c, const double *Va, double r)
{
    double S = 0.0, fall = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double below = values[i] * r + c, ratio = Va[i] / below;
        S += ratio * ratio;
        fall += ratio * ratio * values[i] / below;
    }
    return fall > 0.0 ? r + (sqrt(S) - 1.0) * S / fall : r;
}

void dcpn_block_root(int64_t size, const double *values, double c, double norm, double *Va)
{
    double largest = 0.0, r;
    for (int64_t i = 0; i < size; i++) largest = fmax(largest, values[i]);
    r = (norm - c) / largest;
    for (int k = 0; k < MOST_STEPS && c > 0.0; k++) {
        double next = next_norm(size, values, c, Va, r);
        if (!(next > r * (1.0 + 1e-15))) break;
        r = next;
    }
    for (int64_t i = 0; i < size; i++) {
        if (c > 0.0)
            Va[i] *= r / (values[i] * r + c);
        else
            Va[i] = values[i] > FLAT * largest ? Va[i] / values[i] : 0.0;
    }
}

/* h s + c s / sqrt(s^2 + rest) = m - c1 for s > 0: the left side is concave, and the start is below the root. */
double dcpn_coordinate_root(double h, double m, double c1, double c, double rest)
{
    double target = fabs(m) - c1, norm = sqrt(rest);
    if (!(target > 0.0)) return 0.0;
    if (norm == 0.0) return copysign(fmax(target - c, 0.0) / h, m);
    double s = fmax((target - c) / h, target / (h + c / norm));
    for (int k = 0; k < MOST_STEPS; k++) {
        double r = sqrt(s * s + rest), left = h * s + c * (s / r) - target;
        double next = s - left / (h + c * (norm / r) * (norm / r) / r);
        if (!(next > s * (1.0 + 1e-15))) break;
        s = next;
    }
    return copysign(s, m);
}
