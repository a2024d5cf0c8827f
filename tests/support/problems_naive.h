/* SPDX-License-Identifier: BSD-3-Clause */
/* F and its certificate once more: from the raw arrays, by the textbook formulas, in long double, and with nothing of
 * the library but the names. */
#ifndef DCPN_TESTS_PROBLEMS_NAIVE_H
#define DCPN_TESTS_PROBLEMS_NAIVE_H

#include "support/problems_data.h"

struct problems_naive {
    double loss, penalty, objective, stationarity;
    double objective_noise, stationarity_noise; /* bounds on the rounding of the same quantities in double */
};

struct problems_naive problems_naive(const struct problems_data *data, const dcpn_settings *settings, const double *x,
                                     double intercept);

/* phi'(u) of a loss, label as the loss wants it (-1, +1 or a number). */
long double problems_loss_slope(const dcpn_settings *settings, long double label, long double u);
/* p(t) for t >= 0, and p'(t) from the left (side -1) or the right (+1); p'(0+) for t = 0. */
long double problems_penalty(const dcpn_settings *settings, long double lambda, long double t);
long double problems_penalty_slope(const dcpn_settings *settings, long double lambda, long double t, int side);

/* Both at the lambda of the settings, the slope from the right. */
static inline double problems_penalty_of(const dcpn_settings *settings, double t)
{
    return (double)problems_penalty(settings, settings->lambda, t);
}

static inline double problems_slope_of(const dcpn_settings *settings, double t)
{
    return (double)problems_penalty_slope(settings, settings->lambda, t, 1);
}

/* Solves M x = b by elimination with pivots; M is size x size, by rows, and is destroyed, x ends in b. 0: singular. */
int problems_linear_solve(int64_t size, long double *M, long double *b);

/* Fails the test unless the result of the fit is what the raw arrays say about its coefficients. */
void problems_assert_certificate(const struct problems_data *data, const dcpn_settings *settings,
                                 const struct problems_fit *fit);
/* That, and the fit converged. */
void problems_assert_converged(const struct problems_data *data, const dcpn_settings *settings,
                               const struct problems_fit *fit);

/* |a - b| <= tolerance max(|a|, |b|). */
void problems_assert_close(double a, double b, double tolerance, const char *what);

#endif
