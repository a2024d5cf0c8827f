/* SPDX-License-Identifier: BSD-3-Clause */
/* How much each version of each feature matters to fits that see all versions at once. */
#ifndef DCPN_SRC_INFERENCE_IMPORTANCE_H
#define DCPN_SRC_INFERENCE_IMPORTANCE_H

#include "dcpn/inference.h"
#include "inference/columns.h"
#include "problem/problem.h"

struct importance {
    dcpn_context *context;
    const dcpn_problem *problem; /* whose features are replaced by the versions */
    dcpn_settings settings;
    int is_fixed, by_entry;
    uint64_t seed;
    int64_t folds;
    dcpn_path_observer *observer;
    void *user;
    int64_t versions; /* of each feature, itself first */
    double *values;   /* of version v of feature j from rows * (j + count * v) on */
    const struct standard_columns *X;
    double lambda;
};

/* Fills of[j + count * v]: the size of the coefficient where lambda is chosen, or the lambda where the version enters.
 * Each feature's versions change places at random, so that no method of fitting can tell which is which. */
dcpn_status dcpn_importance_measure(struct importance *importance, double *of);

#endif
