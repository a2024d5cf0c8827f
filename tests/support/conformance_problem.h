/* SPDX-License-Identifier: BSD-3-Clause */
/* Small random problems, solvers for them, and F, its parts and its certificate recomputed from the raw arrays by plain
 * loops in long double. */
#ifndef DCPN_TESTS_CONFORMANCE_PROBLEM_H
#define DCPN_TESTS_CONFORMANCE_PROBLEM_H

#include "dcpn/dcpn.h"
#include "solver/solver.h"

struct recipe {
    int64_t rows, features;
    int sparse; /* a CSR matrix: half of the entries and the whole second column are empty; otherwise dense */
    int weights, offset, factors; /* 0: none */
    uint64_t seed;
};

struct small_problem {
    dcpn_context *context;
    dcpn_matrix *matrix;
    dcpn_problem *problem;
    int64_t rows, features;
    double *A;                        /* row by row */
    double *y, *w, *offset, *factors; /* all filled, also if the problem does not use them: with 1, 0 and 1 */
    int64_t *pointers;
    int32_t *indices;
    double *values;
};

/* Labels that the loss takes, that depend on the data and are noisy. */
void make_problem(struct small_problem *data, const struct recipe *recipe, const char *loss);
/* Makes matrix and problem from the arrays rows, features, A, y, w, offset, factors, already filled. */
void adopt_arrays(struct small_problem *data, int sparse);
void free_problem(struct small_problem *data);

/* NULL if the combination is refused; any other failure fails the test. */
dcpn_solver *solver_of(const struct small_problem *data, const dcpn_settings *settings);
/* A loss that reads tau, delta, smoothing or dispersion, whichever, gets this value. */
void set_loss(dcpn_settings *settings, const char *loss, double parameter);

/* The objective of a solver, seen from outside. */
struct naive {
    const struct small_problem *data;
    dcpn_settings settings;
    const dcpn_loss_ops *loss;
    const dcpn_penalty_ops *penalty;
    dcpn_penalty_shape shape;
    double parameter, second;
    int64_t size; /* features and intercept */
};
struct naive naive_of(const struct small_problem *data, const dcpn_settings *settings);

void naive_margins(const struct naive *F, const double *x, double *u);
double naive_f1(const struct naive *F, const double *x); /* the ridge term included */
double naive_f2(const struct naive *F, const double *x);
double naive_h(const struct naive *F, const double *x);
double naive_value(const struct naive *F, const double *x); /* F */
void naive_gradient1(const struct naive *F, const double *x, double *g);
void naive_gradient(const struct naive *F, const double *x, double *g); /* f1 - f2 */
void naive_hessian1(const struct naive *F, const double *x,
                    double *M); /* of f1 at x; x NULL: with sup(phi1''), at 0 if there is
                                 * none */
double naive_stationarity(const struct naive *F, const double *x);

/* H, by H times each unit vector. */
void matrix_of_metric(struct metric *H, double *M);
/* max_j dist(0, v_j + (Hd)_j + c_j d|x_j + d_j|), H as the dense matrix M: how far d is from the model's solution. A
 * coordinate that should be 0 but is not exactly (x + d rounds) counts as 0. */
double model_violation(const struct algorithm *a, const double *M, const double *d);
double model_rounding(const struct algorithm *a, const double *M, const double *d); /* of v + Hd */
/* The point of a solver goes to x: u, F, gradients, z_h2, v, stationarity. */
void go_to(dcpn_solver *solver, const double *x);

#endif
