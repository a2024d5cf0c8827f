/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups whose columns are orthonormal, for a penalty of |A_g x_g| in place of |x_g|: with A_g = Q_g R_g, the columns
 * about their means if there is an intercept, and Q_g'W Q_g = I, W the weights of the rows to the sum 1, the problem is
 * that of
 *     b_g = R_g x_g,   |b_g| = the deviation of what the group adds to the score
 * on columns Q_g. Neither the units nor the coding of the features of a group matter then. Columns that depend on
 * others of their group have no direction of their own, and the coefficient 0. */
#ifndef DCPN_SRC_ORTHONORMAL_COLUMNS_H
#define DCPN_SRC_ORTHONORMAL_COLUMNS_H

#include "problem/grouped_columns.h"

struct orthonormal_columns {
    dcpn_problem problem;          /* on the directions */
    dcpn_matrix *A;                /* of which it is */
    int64_t count, *column;        /* the feature that each direction stands for, ascending; NULL: this is not used */
    struct grouped_columns blocks; /* of features */
    int64_t *order, *rank;         /* of a block: its features as they stand in R, and its directions */
    int64_t *R_from, *T_from;      /* where the matrices of a block begin, which are kept by rows */
    double *R, *T;                 /* rank x size; rank x rank: x = T b */
    int64_t *block, *position, *place; /* of a feature: its block, where it stands in the order, its direction or -1 */
    double *centre;                    /* of a feature: its mean where that was taken out of its column, else 0 */
    int64_t *group_start, *group_member;
    double *factors;
};

dcpn_status dcpn_orthonormal_columns_new(dcpn_context *context, const dcpn_problem *given,
                                         const dcpn_settings *settings, const struct composition *composition,
                                         struct orthonormal_columns *made);
void dcpn_orthonormal_columns_free(dcpn_context *context, struct orthonormal_columns *made);

/* Adds R x to b for one feature, and returns the intercept that belongs to the centred columns. */
double dcpn_orthonormal_columns_take(const struct orthonormal_columns *o, int64_t feature, double x, double intercept,
                                     double *b);
/* The coefficient of the feature that direction k stands for; and the intercept for columns that are not centred. */
double dcpn_orthonormal_columns_give(const struct orthonormal_columns *o, int64_t k, const double *b,
                                     double *intercept);

#endif
