/* SPDX-License-Identifier: BSD-3-Clause */
/* A completion as it is kept. */
#ifndef DCPN_SRC_COMPLETION_H
#define DCPN_SRC_COMPLETION_H

#include "structured/low_rank.h"

struct completion_trial {
    double lambda, error;
    int64_t rank;
};

struct completion_end {
    double lambda, lambda_max, loss_value, penalty_value, sparse_value, violation, goal, held_out_error;
    int64_t iterations;
    dcpn_outcome outcome;
};

struct dcpn_completion {
    dcpn_context *context;
    int64_t rows, columns, rank, index_base;
    double *U, *sigma, *V; /* by rows */
    double offset;
    int64_t sparse_count;
    int64_t *sparse_row, *sparse_column;
    double *sparse_value;
    struct completion_end end;
    struct completion_trial *trials;
    int64_t trial_count;
    const char *penalty; /* static */
    double time_s;
};

/* low_rank_descend.c: descends from X as it is. */
dcpn_status dcpn_low_rank_descend(struct low_rank *x, const dcpn_settings *settings,
                                  const dcpn_complete_options *options, double started_at, struct completion_end *end);
/* The least lambda at which X is 0. */
double dcpn_low_rank_lambda_max(struct low_rank *x, const dcpn_settings *settings);
/* completion_choose.c: finds which of the lambdas explains held-out entries best; gives its number and the trials. */
dcpn_status dcpn_completion_choose(const dcpn_entries *entries, const dcpn_settings *settings,
                                   const dcpn_complete_options *options, double offset, const double *lambdas,
                                   int64_t count, dcpn_completion *made, int64_t *chosen);

#endif
