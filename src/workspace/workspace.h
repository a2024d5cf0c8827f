/* SPDX-License-Identifier: BSD-3-Clause */
/* A workspace: the method, and all that its descents work with, on the columns of a plan or on some of them. */
#ifndef DCPN_SRC_WORKSPACE_H
#define DCPN_SRC_WORKSPACE_H

#include "workspace/plan.h"
#include "working_set/active_set.h"

/* Some columns, with their numbers. */
struct chosen_columns {
    const int64_t *columns; /* ascending, numbers in the plan; NULL: all of them */
    int64_t count;
    dcpn_matrix *A;  /* a copy of these columns */
    double *values;  /* of it; */
    double *numbers; /* and their factors, bounds and scales */
    size_t room;     /* numbers that values has room for */
};

struct workspace {
    const struct plan *plan;
    struct chosen_columns chosen;
    struct arena arena, spare;     /* the present one's memory, and one's before it */
    struct algorithm *method;      /* the method that the settings name */
    struct active_set *active_set; /* around it; NULL: none */
    struct algorithm *algorithm;   /* what is driven: the outer one of the two */
    struct look *look;             /* of the algorithm at its columns; NULL: it reads them all */
    struct moves moves;
    struct search search; /* its arrays, if the plan searches */
    struct with_ones with_ones;
    struct replicated replicated; /* A with an intercept */
    struct with_boundaries with_boundaries;
    struct with_row with_row;     /* and with the mean of the rows without a label */
    dcpn_matrix identity;         /* A of the caller's own f */
    int keeps_products;           /* many descents are to come, on nearly the same columns */
    double *zero;                 /* x = 0 */
    double slope_at_0;            /* the largest slope of f at x = 0; negative: not known yet */
};

/* Makes a workspace on all columns, or one that is to be on a few, which are yet to be chosen. */
dcpn_status dcpn_workspace_new(const struct plan *plan, struct workspace **workspace);
dcpn_status dcpn_workspace_new_few(const struct plan *plan, struct workspace **workspace);
/* Copies these columns, which the workspace is on from now on. The list is borrowed. */
dcpn_status dcpn_workspace_choose(struct workspace *workspace, const int64_t *columns, int64_t count);
void dcpn_workspace_free(struct workspace *workspace);

/* The weight and the shape of the penalty, of which the settings of the plan are the first. */
void dcpn_workspace_set_penalty(struct workspace *workspace, double lambda, const dcpn_penalty_shape *shape);
/* Gives the workspace other labels and weights than those of the plan. */
void dcpn_workspace_use_targets(struct workspace *workspace, const struct targets *targets);
/* The shape that settings ask for. */
dcpn_penalty_shape dcpn_shape_of(const struct plan *plan, const dcpn_settings *settings);

/* The stationarity at which a descent has come far enough for --tol: a share of the slope of the penalty at 0, but no
 * more than the largest slope of f at x = 0 (at the point, for the caller's own f, which may not exist at 0). The x of
 * the point stays, its u does not. */
double dcpn_workspace_goal(struct workspace *workspace, double tol);

/* Copies the coefficients of few columns from those of all columns, and back. */
void dcpn_workspace_take_from(struct workspace *few, const struct workspace *all);
void dcpn_workspace_give_to(const struct workspace *few, struct workspace *all);

#endif
