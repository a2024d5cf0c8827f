/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint law of features and their copies. With R the correlations of the features, S = diag(s) and k copies,
 *     correlations of all = (R - S) in each pair of versions, R within a version,
 * which is a law if S is positive and (k + 1) R - k S is. */
#ifndef DCPN_SRC_INFERENCE_LAW_H
#define DCPN_SRC_INFERENCE_LAW_H

#include "base/positive.h"
#include "inference/columns.h"

struct law {
    dcpn_context *context;
    int64_t count, size; /* features, and what matrices have for them */
    int64_t copies;
    double shrinkage;
    double *R;       /* size x size, like the following; those beyond count are the identity's */
    double *inverse; /* of R, once the law is made */
    double *factor;  /* U with U'U = (k + 1) S - k S R^-1 S */
    double *s;       /* 1 - s_j is the correlation of feature j with each of its copies */
    struct positive_space space;
    struct arena arena;
};

/* Makes the law from the correlations of the columns. shrinks: they are estimates, and drawn towards the identity.
 * is_equal: all s are the same. */
dcpn_status dcpn_law_new(const struct standard_columns *columns, int64_t copies, int shrinks, int is_equal,
                         struct law *law);
void dcpn_law_free(struct law *law);

/* room.c: s that makes features and copies as different as can be. Uses law->inverse and law->factor as space. */
dcpn_status dcpn_law_make_room(struct law *law, int is_equal);

/* Factors M; 0 if it is not positive definite. */
static inline int dcpn_law_factor(struct law *law, double *M)
{
    return dcpn_positive_factor(law->context, &law->space, 1e-12, M);
}

#endif
