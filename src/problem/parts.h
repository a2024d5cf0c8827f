/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that settings and problem name together. */
#ifndef DCPN_SRC_PARTS_H
#define DCPN_SRC_PARTS_H

#include "problem/problem.h"
#include "search/search.h"

struct parts {
    const dcpn_loss_ops *loss; /* NULL: the caller's own f */
    void *loss_user;
    const dcpn_loss_ops *unlabelled; /* of the rows without a label; NULL: there are none */
    int balance;                     /* a row more, for the mean score of those */
    const dcpn_smooth *f;
    const dcpn_penalty_ops *penalty; /* NULL: the caller's own h */
    const dcpn_regularizer *h;
    const struct composition
        *composition;              /* of the groups; NULL: there are none, or each coefficient has its own term */
    const dcpn_penalty_ops *inner; /* of coefficients, besides that of their groups; NULL: the composition has one */
    const struct metric_ops *metric;
    int64_t memory; /* pairs that lbfgs keeps */
    const struct subsolver_ops *subsolver;
    const struct algorithm_ops *algorithm;
    int active_set;
    int is_exact; /* sums over rows do not depend on who adds */
    enum search_kind search;
    int chooses_search; /* the plan does, by dcpn_usual_search, once it knows the rows of all ranks */
};

/* Finds the parts, settles what is auto, and refuses what does not go together. problem may be NULL. */
dcpn_status dcpn_choose_parts(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                              struct parts *parts);
/* The search where none is asked for, by the rows and the columns with entries. */
enum search_kind dcpn_usual_search(const struct parts *parts, double rows, double columns);
/* Do the settings ask for sums that do not depend on who adds, or are there ranks, which need them? */
int dcpn_sums_are_exact(const dcpn_context *context, const dcpn_settings *settings);
/* Logs which parts were chosen. */
void dcpn_log_parts(dcpn_context *context, const struct parts *parts);
/* The value of the first (k = 0) or the second (k = 1) setting that a loss reads; 0 if there is none. */
double dcpn_loss_parameter(const dcpn_loss_ops *loss, const dcpn_settings *settings, int k);

#endif
