/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a solver: what was chosen, and the data as the method sees them. It does not change once it is made. */
#ifndef DCPN_SRC_PLAN_H
#define DCPN_SRC_PLAN_H

#include "problem/grouped_columns.h"
#include "problem/nonempty_columns.h"
#include "problem/orthonormal_columns.h"
#include "problem/repeated_columns.h"
#include "problem/rotated_rows.h"
#include "problem/scaled_columns.h"
#include "problem/shape_unit.h"
#include "matrix/summed.h"
#include "problem/targets.h"

struct plan {
    dcpn_context *context;
    dcpn_problem given;
    struct nonempty_columns nonempty;
    struct repeated_columns repeated;
    struct orthonormal_columns orthonormal;
    struct rotated_rows rotated;
    const dcpn_problem *problem; /* the one given, that on the columns that are not empty, on copies of columns, or on
                                  * directions of groups; and of few rows instead of many */
    dcpn_settings settings;
    struct parts parts;
    struct grouped_columns groups;
    struct scaled_columns scaled;
    struct summed *summed; /* exact sums: its matrix, with a constant if there is an intercept; NULL: sums are plain */
    struct targets targets;
    /* One number a coefficient: those of the problem, repeated where a row has several scores; NULL: none */
    const double *factors, *lower, *upper, *bound_scale;
    double *numbers;   /* the memory of these, if they are repeated */
    double shape_unit; /* of the penalty's shape; 0: it is raw */
};

/* For so many fits, one after the other; 0: the plan is asked what it is, and fits nothing. */
dcpn_status dcpn_plan_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                          int64_t fits, struct plan **plan);
void dcpn_plan_free(struct plan *plan);

/* Coefficients of the problem as given, and of the plan: its columns, on its scale, an intercept behind them. */
/* With several scores a row, `given` has the features of the first score, then of the second, and there is an intercept
 * for each score. */
int64_t dcpn_plan_features(const struct plan *plan);
void dcpn_plan_take(const struct plan *plan, const double *given, const double *intercepts, double *own);
/* A few coefficients, ascending, feature j of score k being k features + j; what the plan does not have is left out. */
struct few_coefficients {
    int64_t *index;
    double *value;
    int64_t count;
    double *intercepts; /* dcpn_targets_constants */
};
void dcpn_plan_take_some(const struct plan *plan, const struct few_coefficients *given, double *own);
void dcpn_plan_give(const struct plan *plan, const double *own, double *given, double *intercepts);

/* The coefficients in use alone, likewise, which index and value have room for, and the intercepts. */
void dcpn_plan_list(const struct plan *plan, const double *own, struct few_coefficients *given);

/* Counts the coefficients that are in use. own has so many of them besides intercepts. */
int64_t dcpn_plan_count(const struct plan *plan, int64_t columns, const double *own);

/* The matrix of the plan; NULL: f is the caller's own. */
static inline const dcpn_matrix *dcpn_plan_matrix(const struct plan *plan)
{
    return plan->scaled.A && !plan->repeated.column ? plan->scaled.A : plan->problem->A;
}

/* The matrix of the plan with each column once, although the plan may have copies of columns. */
static inline const dcpn_matrix *dcpn_plan_distinct(const struct plan *plan)
{
    return plan->repeated.column ? plan->repeated.A.inner : dcpn_plan_matrix(plan);
}

/* The passes over the data as given that were made before any fit, to have few rows instead of them. */
static inline double dcpn_plan_passes(const struct plan *plan)
{
    return plan->rotated.A ? 1.0 : 0.0;
}

/* The columns of its matrix; its constants; and the coefficients, which are these and columns for each score. */
static inline int64_t dcpn_plan_columns(const struct plan *plan)
{
    return dcpn_problem_features(plan->problem);
}

static inline int64_t dcpn_plan_constants(const struct plan *plan)
{
    return plan->settings.intercept ? dcpn_targets_constants(&plan->targets) : 0;
}

static inline int64_t dcpn_plan_size(const struct plan *plan)
{
    return plan->targets.scores * dcpn_plan_columns(plan) + dcpn_plan_constants(plan);
}

#endif
