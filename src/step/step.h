/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of Algorithm 1, each in the file of its name. */
#ifndef DCPN_SRC_STEP_H
#define DCPN_SRC_STEP_H

#include "subproblem/subproblem.h"

/* linearize.c:  z_h2 in dh2(x) and v = grad f1(x) - z_f2 - z_h2, where z_f2 = grad f2(x) */
void dcpn_linearize(const struct objective *objective, const struct point *point, double *z_h2, double *v);

/* stationarity.c:  the distance of 0 to grad f1(x) - grad f2(x) + dh1(x) - dh2(x), in the worst coordinate */
double dcpn_stationarity(const struct objective *objective, const struct point *point, const double *z_h2);

/* decrease.c:  D = v'd + h1(x + d) - h1(x) */
double dcpn_predicted_decrease(const struct quadratic_model *model, const double *d);

/* direction.c:  d = prox_{h1}^H(x - H^-1 v) - x, solved inexactly */
struct direction_rule {
    double share;           /* of the stationarity, to which the subproblem is solved */
    int64_t max_iterations; /* of the subproblem solver */
};
struct direction {
    double *d;
    double D; /* predicted decrease; >= 0: there is no descent in floating point */
    int64_t iterations;
};
void dcpn_direction(struct subsolver *subsolver, const struct quadratic_model *model, double stationarity,
                    const struct direction_rule *rule, struct direction *direction);

/* backtrack.c:  the first t of 1, 1/2, 1/4, ... with F(x + t d) - F(x) <= alpha t D */
struct line_search {
    double t;      /* 0: there was none */
    double change; /* F(x + t d) - F(x) */
    int64_t trials;
};
struct line_search dcpn_backtrack(const struct objective *objective, const struct point *point, const double *d,
                                  const double *du, double D, double alpha, int majorize);
/* Tries growing t, if t = 1 did better than the model promises, and takes the last one up to which F falls. */
void dcpn_lengthen(const struct objective *objective, const struct point *point, const double *d, const double *du,
                   double D, struct line_search *search);

/* gradient_step.c:  d = prox(x - v/L) - x, with the prox of h1 or of h; A d; and what F gains */
enum prox_of { PROX_OF_H1, PROX_OF_H };
struct gradient_step {
    double L;
    double *forward; /* x - v/L */
    double *d, *du;
    double length2; /* |d|^2 */
    double change;  /* F(x + d) - F(x) */
    int64_t trials; /* steps computed; the caller sets it to 0 */
};
void dcpn_gradient_step_layout(struct gradient_step *step, const struct objective *objective, struct arena *arena);
void dcpn_gradient_step(struct objective *objective, const struct point *point, const double *v, enum prox_of prox_of,
                        struct gradient_step *step);
/* Barzilai and Borwein's L = s'y / s's, s = x - x_before, y = gradient - gradient_before; 0 where s = 0. */
double dcpn_spectral_scale(int64_t size, const double *x, const double *x_before, const double *gradient,
                           const double *gradient_before);

#endif
